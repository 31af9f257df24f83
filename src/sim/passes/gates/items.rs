//! A function as a graph of items: values, effects, and calls with their inputs one by one.
//!
//! Values that cost next to nothing are no items: whoever needs them computes them.

use crate::passes::ir::{CallKind, Effect, Function, Graph, NodeId, Op};
use hdl::{BinaryOp, UnaryOp, words_for};
use serde::{Deserialize, Serialize};

/// Something to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// Compute a value, and store it where effects want it stored.
    Node(NodeId),
    /// Carry out an effect, by its number; a store only when its value is no item.
    Effect(usize),
    /// Store an input of a call: call, position.
    Input(usize, usize),
    /// Make a call; of an intrinsic with its inputs.
    Call(usize),
}

/// What is read and not computed by the items of a function, or comes from a call. Offsets are words, relative to the
/// instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum ReadPlace {
    /// Present value of a register.
    Register(u32),
    /// A place in the storage.
    Storage(u32),
    /// A memory, by its first word in the storage.
    Memory(u32),
}

/// The items of a function, those that others need before them.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub list: Vec<Item>,
    /// Per item: the items it needs.
    pub needs: Vec<Vec<usize>>,
    /// Per item: the items that need it.
    pub users: Vec<Vec<usize>>,
    /// Per item: what else it reads.
    pub sources: Vec<Vec<ReadPlace>>,
    /// Per item: machine operations, about.
    pub cost: Vec<f32>,
    /// Per node: the store effects of its value.
    pub stores: Vec<Vec<usize>>,
}

impl Items {
    /// `made`: a call leads to a function (a block without any, or a tile, only gets its inputs).
    pub fn new(function: &Function, made: impl Fn(usize) -> bool) -> Self {
        let mut items = Collect::new(function, made).run();
        items.sort();
        items
    }

    /// Those that are needed first; otherwise in the order in which they were made.
    fn sort(&mut self) {
        let mut order: Vec<usize> = vec![];
        let mut done = vec![false; self.list.len()];
        for root in 0..self.list.len() {
            let mut todo = vec![(root, false)];
            while let Some((item, ready)) = todo.pop() {
                if done[item] {
                    continue;
                }
                if ready {
                    done[item] = true;
                    order.push(item);
                } else {
                    todo.push((item, true));
                    todo.extend(self.needs[item].iter().rev().filter(|&&n| !done[n]).map(|&n| (n, false)));
                }
            }
        }
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let moved = |&old: &usize| self.needs[old].iter().map(|&need| place[need]).collect();
        self.needs = order.iter().map(moved).collect();
        self.list = order.iter().map(|&o| self.list[o]).collect();
        self.sources = order.iter().map(|&o| std::mem::take(&mut self.sources[o])).collect();
        self.cost = order.iter().map(|&o| self.cost[o]).collect();
        self.users = vec![vec![]; order.len()];
        for (user, needs) in self.needs.iter().enumerate() {
            needs.iter().for_each(|&need| self.users[need].push(user));
        }
    }
}

struct Collect<'a, F> {
    function: &'a Function,
    made: F,
    items: Items,
    /// Per node: its item, unless it is none.
    nodes: Vec<Option<usize>>,
    /// Per call.
    calls: Vec<Option<usize>>,
    /// Inputs of calls: offset and item.
    inputs: Vec<Vec<(u32, usize)>>,
}

impl<'a, F: Fn(usize) -> bool> Collect<'a, F> {
    fn new(function: &'a Function, made: F) -> Self {
        let (nodes, calls) = (vec![None; function.graph.len()], vec![None; function.calls.len()]);
        let inputs = vec![vec![]; function.calls.len()];
        Self { function, made, items: Items::default(), nodes, calls, inputs }
    }

    fn run(mut self) -> Items {
        let function = self.function;
        let graph = &function.graph;
        let (live, live_calls) = function.live();
        let cheap = cheap(graph);
        for id in graph.ids().filter(|id| live[id.index()] && !cheap[id.index()]) {
            self.nodes[id.index()] = Some(self.add(Item::Node(id), cost(graph, id)));
        }
        self.items.stores = vec![vec![]; graph.len()];
        for (call, about) in function.calls.iter().enumerate().filter(|&(call, _)| live_calls[call]) {
            if about.kind == CallKind::Intrinsic {
                self.calls[call] = Some(self.add(Item::Call(call), 30.0));
                continue;
            }
            for (i, &(offset, _)) in about.inputs.iter().enumerate() {
                let item = self.add(Item::Input(call, i), 3.0);
                self.inputs[call].push((offset, item));
            }
            if (self.made)(call) {
                self.calls[call] = Some(self.add(Item::Call(call), 0.0));
            }
        }
        for (number, effect) in function.effects.iter().enumerate() {
            match *effect {
                Effect::Keep { .. } | Effect::Call(_) => {}
                Effect::Store { value, .. } if self.nodes[value.index()].is_some() => {
                    self.items.stores[value.index()].push(number);
                }
                _ => {
                    let mut words = 0;
                    effect.for_each_value(|value| words += words_for(graph.width(value)));
                    let each = if matches!(effect, Effect::Probe { .. }) { 6.0 } else { 2.0 };
                    self.add(Item::Effect(number), each * words as f32);
                }
            }
        }
        for item in 0..self.items.list.len() {
            self.connect(item);
        }
        self.items
    }

    fn add(&mut self, item: Item, cost: f32) -> usize {
        self.items.list.push(item);
        self.items.cost.push(cost);
        self.items.list.len() - 1
    }

    /// Finds out what an item needs and reads.
    fn connect(&mut self, item: usize) {
        let function = self.function;
        let (mut needs, mut sources) = (vec![], vec![]);
        let mut values = vec![];
        match self.items.list[item] {
            Item::Node(id) => {
                if let Op::Memory { first, .. } = function.graph.op(id) {
                    sources.push(ReadPlace::Memory(*first));
                }
                function.graph.op(id).for_each_operand(|operand| values.push(operand));
            }
            Item::Effect(effect) => function.effects[effect].for_each_value(|value| values.push(value)),
            Item::Input(call, i) => values.push(function.calls[call].inputs[i].1),
            Item::Call(call) => {
                values.extend(function.calls[call].selects());
                match function.calls[call].kind {
                    CallKind::Intrinsic => values.extend(function.calls[call].inputs.iter().map(|&(_, value)| value)),
                    _ => {
                        needs.extend(self.inputs[call].iter().map(|&(_, item)| item));
                        needs.extend(self.early_of(call));
                    }
                }
            }
        }
        for value in values {
            self.read(value, &mut needs, &mut sources);
        }
        needs.sort_unstable();
        needs.dedup();
        sources.sort_unstable();
        sources.dedup();
        self.items.needs.push(needs);
        self.items.sources.push(sources);
    }

    /// The early call of the instance of a late call.
    fn early_of(&self, call: usize) -> Option<usize> {
        let about = &self.function.calls[call];
        let same = |&other: &usize| {
            let other = &self.function.calls[other];
            other.kind == CallKind::Early && (other.part, other.instance) == (about.part, about.instance)
        };
        (0..self.calls.len()).filter(|&other| other != call).find(same).and_then(|other| self.calls[other])
    }

    fn read(&self, value: NodeId, needs: &mut Vec<usize>, sources: &mut Vec<ReadPlace>) {
        let op = self.function.graph.op(value);
        match *op {
            _ if self.nodes[value.index()].is_some() => needs.extend(self.nodes[value.index()]),
            Op::Register(offset) => sources.push(ReadPlace::Register(offset)),
            Op::Stored(offset) => sources.push(ReadPlace::Storage(offset)),
            Op::Result { call, offset } => {
                sources.push(ReadPlace::Storage(offset));
                // An output may be nothing but an input.
                let input = self.inputs[call as usize].iter().find(|&&(place, _)| place == offset);
                needs.extend(input.map(|&(_, item)| item).or(self.calls[call as usize]));
            }
            _ => op.for_each_operand(|operand| self.read(operand, needs, sources)),
        }
    }
}

/// Per node: it is computed where it is needed, instead of once.
fn cheap(graph: &Graph) -> Vec<bool> {
    let mut cheap = vec![false; graph.len()];
    for id in graph.ids() {
        cheap[id.index()] = match *graph.op(id) {
            Op::Const(_) | Op::Register(_) | Op::Stored(_) | Op::Result { .. } => true,
            Op::Slice { .. } => graph.is_leaf(id),
            Op::Unary(UnaryOp::Not | UnaryOp::ZeroExtend, a) => graph.width(id) <= 64 && cheap[a.index()],
            _ => false,
        };
    }
    cheap
}

fn cost(graph: &Graph, id: NodeId) -> f32 {
    let words = words_for(graph.width(id)) as f32;
    match graph.op(id) {
        Op::Memory { .. } => 4.0 + words,
        Op::SliceAt { .. } => 6.0 + 3.0 * words,
        Op::Concat(parts) => words + 2.0 * parts.len() as f32,
        Op::Binary(BinaryOp::Mul, ..) => 3.0 * words * words,
        Op::Binary(_, a, _) => 1.0 + words_for(graph.width(*a)) as f32,
        Op::Slice { .. } => 2.0 * words,
        _ => 1.0 + words,
    }
}
