//! Multiplexers in front of registers become branches, with what only they need.
//!
//! *Recovers* what hardware computes and throws away when a register keeps its value, or when a memory is not written: the next value, the
//! address, the data. *Legal*, as such a value has no other user: [`When`] contains a node only if every way from it
//! leads through the arm that is taken, and values do not change while the steps between are carried out. A register is
//! given its present value before the branch; a write port that is not enabled writes nothing, whatever its address and
//! data are.
//!
//! Works on a chunk at a time, after splitting: a value that another chunk needs stays where it is.

use super::{
    body::{Body, Step, When},
    ir::{Effect, Function, Literal, NodeId, Op},
};
use hdl::words_for;
use rustc_hash::FxHashMap;

/// Words to compute for which a branch, which may be predicted wrong, is worth while.
const LEAST: usize = 10;

/// Puts branches into all chunks.
pub(super) fn branch(body: &mut Body) {
    for chunk in 0..body.chunks.len() {
        let steps = std::mem::take(&mut body.chunks[chunk]);
        body.chunks[chunk] = Chunk::new(body, &steps).with_branches(steps);
    }
}

/// What an effect waits for.
struct Guard {
    group: usize,
    /// The multiplexer that the branch replaces, and the arm that is taken: of a register.
    arm: Option<(NodeId, NodeId)>,
}

/// Who uses a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Node(NodeId),
    /// Under the branch of a group.
    Group(usize),
    Other,
}

struct Chunk<'a> {
    body: &'a Body,
    /// Per group: the condition.
    groups: Vec<Literal>,
    /// Per effect.
    guards: FxHashMap<usize, Guard>,
    users: FxHashMap<NodeId, Vec<User>>,
}

impl<'a> Chunk<'a> {
    fn new(body: &'a Body, steps: &[Step]) -> Self {
        let mut chunk = Self { body, groups: vec![], guards: FxHashMap::default(), users: FxHashMap::default() };
        let mut of_literal: FxHashMap<Literal, usize> = FxHashMap::default();
        for step in steps {
            match step {
                &Step::Effect(effect) => chunk.effect(effect, &mut of_literal),
                &Step::Node(id) => {
                    let operand = |operand| chunk.users.entry(operand).or_default().push(User::Node(id));
                    body.function.graph.op(id).for_each_operand(operand);
                }
                step => {
                    let other = |id| chunk.users.entry(id).or_default().push(User::Other);
                    step.for_each_use(&body.function, other);
                }
            }
        }
        chunk
    }

    /// Notes who uses the values of an effect, and what it waits for.
    fn effect(&mut self, number: usize, of_literal: &mut FxHashMap<Literal, usize>) {
        let effect = &self.body.function.effects[number];
        let mut uses = |id: NodeId, user| self.users.entry(id).or_default().push(user);
        match *effect {
            Effect::Next { offset, value } => {
                let Some((literal, arm)) = kept_unless(&self.body.function, offset, value) else {
                    return uses(value, User::Other);
                };
                let group = *of_literal.entry(literal).or_insert_with(|| {
                    self.groups.push(literal);
                    self.groups.len() - 1
                });
                uses(value, User::Group(group));
                self.guards.insert(number, Guard { group, arm: Some((value, arm)) });
            }
            // Ports of a memory write in their order: each has its own branch in its own place.
            Effect::Write { enable, address, data, mask, .. } => {
                let group = self.groups.len();
                self.groups.push((enable, true));
                uses(enable, User::Other);
                [address, data].into_iter().chain(mask).for_each(|id| uses(id, User::Group(group)));
                self.guards.insert(number, Guard { group, arm: None });
            }
            _ => effect.for_each_value(|id| uses(id, User::Other)),
        }
    }

    /// The group whose branch is the only user of a value.
    fn only_group(&self, id: NodeId, of: &FxHashMap<NodeId, usize>, arms: &FxHashMap<NodeId, NodeId>) -> Option<usize> {
        if self.body.passes_on(id) {
            return None;
        }
        let group = |user: &User| match *user {
            User::Group(group) => Some(group),
            User::Node(user) => {
                let taken = arms.get(&user).is_none_or(|&arm| arm == id && self.reads_once(user, id));
                of.get(&user).copied().filter(|_| taken)
            }
            User::Other => None,
        };
        let mut groups = self.users.get(&id)?.iter().map(group);
        let first = groups.next()??;
        groups.all(|group| group == Some(first)).then_some(first)
    }

    /// A multiplexer has the value as an arm only, and does not select by it.
    fn reads_once(&self, mux: NodeId, id: NodeId) -> bool {
        matches!(*self.body.function.graph.op(mux), Op::Mux { select, .. } if select != id)
    }

    fn with_branches(&self, steps: Vec<Step>) -> Vec<Step> {
        let graph = &self.body.function.graph;
        let arms: FxHashMap<NodeId, NodeId> = self.guards.values().filter_map(|guard| guard.arm).collect();
        let mut of: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut sizes = vec![0; self.groups.len()];
        // Users come after what they use.
        for step in steps.iter().rev() {
            let &Step::Node(id) = step else { continue };
            if let Some(group) = self.only_group(id, &of, &arms) {
                of.insert(id, group);
                sizes[group] += if arms.contains_key(&id) { 0 } else { words_for(graph.width(id)) };
            }
        }
        // An effect whose multiplexer has other users stays.
        let guarded = |effect: &usize| {
            let guard = self.guards.get(effect)?;
            let own = guard.arm.is_none_or(|(mux, _)| of.get(&mux) == Some(&guard.group));
            (own && sizes[guard.group] >= LEAST).then_some(guard.group)
        };
        let mut effects_left = vec![0; self.groups.len()];
        for step in &steps {
            if let Step::Effect(effect) = step
                && let Some(group) = guarded(effect)
            {
                effects_left[group] += 1;
            }
        }
        let mut inside: Vec<Vec<Step>> = vec![vec![]; self.groups.len()];
        let mut out = vec![];
        for step in steps {
            match step {
                Step::Node(id) => match of.get(&id).filter(|&&group| sizes[group] >= LEAST) {
                    // What replaces the multiplexer is in the effect.
                    Some(_) if arms.contains_key(&id) => {}
                    Some(&group) => inside[group].push(step),
                    None => out.push(step),
                },
                Step::Effect(effect) => match guarded(&effect) {
                    Some(group) => {
                        inside[group].push(step);
                        effects_left[group] -= 1;
                        if effects_left[group] == 0 {
                            let steps = std::mem::take(&mut inside[group]);
                            out.push(Step::When(When { condition: self.groups[group], steps }));
                        }
                    }
                    None => out.push(step),
                },
                step => out.push(step),
            }
        }
        debug_assert!(inside.iter().all(Vec::is_empty), "every branch is complete");
        out
    }
}

/// A register that keeps its value unless a condition holds: the condition, and its next value then.
pub(crate) fn kept_unless(function: &Function, offset: u32, value: NodeId) -> Option<(Literal, NodeId)> {
    let graph = &function.graph;
    let Op::Mux { select, then, otherwise } = *graph.op(value) else { return None };
    let keeps = |arm: NodeId| *graph.op(arm) == Op::Register(offset) && graph.width(arm) == graph.width(value);
    match (keeps(then), keeps(otherwise)) {
        (false, true) => Some(((select, true), then)),
        (true, false) => Some(((select, false), otherwise)),
        _ => None,
    }
}
