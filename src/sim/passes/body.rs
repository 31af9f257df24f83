//! A function as steps in the order of execution, cut into chunks.

use super::{
    gates::{Gates, bits::ModuleGates},
    ir::{Effect, Function, Literal, NodeId, Op},
};
use hdl::words_for;
use rustc_hash::FxHashMap;

/// One step.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Compute a value.
    Node(NodeId),
    /// Make a call, by its number. With gates a call other than of an intrinsic does not store its inputs.
    Call(usize),
    /// Store an input of a call: its number and the input's position. Only with gates.
    Input(usize, usize),
    /// Carry out an effect, by its number.
    Effect(usize),
    /// Carry out steps if a condition holds.
    When(When),
}

/// Values that only the effects after them need, and those effects: registers that keep their value otherwise, or a
/// write port that is not enabled otherwise.
#[derive(Clone, Debug)]
pub(crate) struct When {
    pub condition: Literal,
    pub steps: Vec<Step>,
}

/// A phase of a module, ready for code.
#[derive(Debug)]
pub(crate) struct Body {
    pub function: Function,
    /// Each becomes a machine function.
    pub chunks: Vec<Vec<Step>>,
    /// Values that a later chunk reads: the chunk that computes them and their first word in the spill area.
    pub spilled: FxHashMap<NodeId, (usize, u32)>,
    /// Words of the spill area.
    pub spill_words: u32,
    /// The chunks are clusters with gates; then nothing is spilled.
    pub gates: Option<Gates>,
}

impl Body {
    /// Another chunk reads the value, too.
    pub fn passes_on(&self, id: NodeId) -> bool {
        self.spilled.contains_key(&id) || self.gates.as_ref().is_some_and(|gates| gates.passed.contains_key(&id))
    }
}

/// The phases of a module, ready for code.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub early: Option<Body>,
    pub late: Option<Body>,
    /// It is evaluated only where its results are needed.
    pub pure: bool,
    /// Words of an instance's storage that its functions bring up to date.
    pub stored: Vec<u32>,
    /// With [`Pass::Gates`](super::selection::Pass::Gates).
    pub gates: Option<ModuleGates>,
    /// With gates, phases without them too, early and late: a tile runs what is faster.
    pub plain: [Option<Body>; 2],
}

/// Values of more words than this are *long*: where they only go from place to place, a loop copies them.
pub(crate) const LONG: usize = 16;

/// Parts of a value that are joined by more code than most values need.
const MANY: usize = 32;

impl Step {
    /// How much code the step is, about: a value counts as one, unless it is long or joined of many parts.
    pub fn weight(&self, function: &Function) -> usize {
        let graph = &function.graph;
        let of = |id: NodeId| match (words_for(graph.width(id)), graph.op(id)) {
            (words, _) if words > LONG && !graph.is_leaf(id) => words,
            (_, Op::Concat(parts)) if parts.len() > MANY => parts.len() / 4,
            _ => 1,
        };
        match *self {
            Step::Node(id) => of(id),
            Step::Input(..) | Step::Effect(_) => {
                let mut most = 1;
                self.for_each_use(function, |id| most = most.max(of(id)));
                most
            }
            Step::Call(_) | Step::When(_) => 1,
        }
    }

    /// Calls `visit` for each value that the step uses.
    pub fn for_each_use(&self, function: &Function, visit: impl FnMut(NodeId)) {
        match *self {
            Step::Node(id) => function.graph.op(id).for_each_operand(visit),
            Step::Call(call) => {
                let call = &function.calls[call];
                call.inputs.iter().map(|&(_, value)| value).chain(call.selects()).for_each(visit);
            }
            Step::Input(call, input) => std::iter::once(function.calls[call].inputs[input].1).for_each(visit),
            Step::When(_) => unreachable!("branches are made last"),
            Step::Effect(effect) => match &function.effects[effect] {
                Effect::Call(_) => {}
                effect => effect.for_each_value(visit),
            },
        }
    }
}
