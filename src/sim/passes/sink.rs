//! Blocks whose results are not selected are not evaluated.
//!
//! *Recovers* what hardware computes in parallel and throws away: an arithmetic unit of each kind works on the operands of every instruction,
//! and a multiplexer takes one result. *Legal*, as a pure call has no effect but its results, and a multiplexer does
//! not read the arm that it does not take. When the arm is taken, the call is made: with gates, changes of operands are
//! remembered in the bits of the called instance meanwhile, and its condition is among what the call reads.
//!
//! A call's condition is made before the call, so it must not depend on its results.

use super::ir::{Effect, Function, Literal, NodeId, Op};
use rustc_hash::FxHashMap;

/// Ways in which a result is read (each a conjunction of arms taken) beyond which the call is always made.
const MOST_WAYS: usize = 4;

/// One conjunction for each way in which a value is read; an empty one: always.
type Ways = Vec<Vec<Literal>>;

/// Gives pure calls their conditions.
pub(super) fn sink(function: &mut Function) {
    let users = Users::new(function);
    for call in 0..function.calls.len() {
        if !function.calls[call].pure {
            continue;
        }
        let mut known = FxHashMap::default();
        let results = users.results[call].iter();
        let ways: Ways = results.flat_map(|&result| users.ways(function, result, &mut known)).collect();
        let ways = simplified(ways);
        let selects: Vec<NodeId> = ways.iter().flatten().map(|&(select, _)| select).collect();
        let always = ways.len() > MOST_WAYS || ways.iter().any(Vec::is_empty);
        if !always && !users.reaches(function, call, &selects) {
            function.calls[call].needed = ways;
        }
    }
}

/// Equal ways once.
fn simplified(mut ways: Ways) -> Ways {
    for way in &mut ways {
        way.sort_unstable();
        way.dedup();
    }
    ways.sort_unstable();
    ways.dedup();
    ways
}

/// Who reads values.
struct Users {
    /// Per node: nodes.
    nodes: Vec<Vec<NodeId>>,
    /// Per node: an effect reads it.
    effects: Vec<bool>,
    /// Per node: calls of which it is an input.
    calls: Vec<Vec<usize>>,
    /// Per call: its results.
    results: Vec<Vec<NodeId>>,
}

impl Users {
    fn new(function: &Function) -> Self {
        let graph = &function.graph;
        let (live, live_calls) = function.live();
        let mut users = Self {
            nodes: vec![vec![]; graph.len()],
            effects: vec![false; graph.len()],
            calls: vec![vec![]; graph.len()],
            results: vec![vec![]; function.calls.len()],
        };
        for id in graph.ids().filter(|id| live[id.index()]) {
            graph.op(id).for_each_operand(|operand| users.nodes[operand.index()].push(id));
            if let Op::Result { call, .. } = *graph.op(id) {
                users.results[call as usize].push(id);
            }
        }
        for effect in function.effects.iter().filter(|effect| !matches!(effect, Effect::Call(_))) {
            effect.for_each_value(|value| users.effects[value.index()] = true);
        }
        for (number, call) in function.calls.iter().enumerate().filter(|(number, _)| live_calls[*number]) {
            call.inputs.iter().for_each(|(_, value)| users.calls[value.index()].push(number));
        }
        users
    }

    /// The ways in which a value is read.
    fn ways(&self, function: &Function, id: NodeId, known: &mut FxHashMap<NodeId, Ways>) -> Ways {
        if let Some(ways) = known.get(&id) {
            return ways.clone();
        }
        let always = vec![vec![]];
        let ways = if self.effects[id.index()] || !self.calls[id.index()].is_empty() {
            always.clone()
        } else {
            let mut ways = vec![];
            for &user in &self.nodes[id.index()] {
                let literal = match *function.graph.op(user) {
                    Op::Mux { select, .. } if select == id => return always,
                    Op::Mux { then, otherwise, .. } if then == otherwise => None,
                    Op::Mux { select, then, .. } => Some((select, then == id)),
                    _ => None,
                };
                let further = self.ways(function, user, known);
                ways.extend(further.into_iter().map(|way| way.into_iter().chain(literal).collect()));
            }
            simplified(ways)
        };
        // Where there are too many, one arm of each has to do.
        let ways = if ways.len() > MOST_WAYS { self.first_arms(function, id) } else { ways };
        known.insert(id, ways.clone());
        ways
    }

    /// As [`ways`](Self::ways), no further than the next multiplexers.
    fn first_arms(&self, function: &Function, id: NodeId) -> Ways {
        let arm = |&user: &NodeId| match *function.graph.op(user) {
            Op::Mux { select, then, otherwise } if then != otherwise && select != id => vec![(select, then == id)],
            _ => vec![],
        };
        simplified(self.nodes[id.index()].iter().map(arm).collect())
    }

    /// One of these values depends on the call's results, through other calls and their conditions too.
    fn reaches(&self, function: &Function, call: usize, values: &[NodeId]) -> bool {
        let mut after: Vec<Vec<usize>> = vec![vec![]; function.graph.len()];
        for (number, call) in function.calls.iter().enumerate() {
            call.needed.iter().flatten().for_each(|(select, _)| after[select.index()].push(number));
        }
        let (mut seen, mut called) = (vec![false; function.graph.len()], vec![false; function.calls.len()]);
        called[call] = true;
        let mut todo = self.results[call].clone();
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            todo.extend(&self.nodes[id.index()]);
            for &next in self.calls[id.index()].iter().chain(&after[id.index()]) {
                if !std::mem::replace(&mut called[next], true) {
                    todo.extend(&self.results[next]);
                }
            }
        }
        values.iter().any(|value| seen[value.index()])
    }
}
