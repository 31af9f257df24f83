//! Looking at wires that the engine at work does not compute.
//!
//! An engine may leave out wires that nothing depends on. Who looks at such a wire once gets it from the interpreter,
//! run on a copy of the state; the run is kept until the state changes. Who looks again and again should have it
//! *observed*: then the engine computes it in every evaluation.

use super::{clocks::Edges, interpreter::Interpreter, source::Source, state::State};
use std::ops::Range;

/// Runs of the interpreter after which a wire that is looked at counts as observed.
const PATIENCE: u32 = 16;

/// The interpreter with a copy of the state.
#[derive(Default)]
pub(crate) struct Peek {
    copy: Option<(Box<Interpreter>, State)>,
    /// The copy is evaluated and up to date.
    valid: bool,
    /// How often it was evaluated.
    runs: u32,
    /// Peeks of now are glances: they do not count.
    glances: bool,
}

impl Peek {
    /// The state has changed.
    pub fn forget(&mut self) {
        self.valid = false;
    }

    /// There was enough looking: what is asked for now should be observed.
    pub fn should_promote(&self) -> bool {
        self.runs >= PATIENCE && !self.valid && !self.glances
    }

    /// Whether peeks from now on are glances, for which no net becomes observed.
    pub fn set_glances(&mut self, glances: bool) {
        self.glances = glances;
    }

    /// Peeks of now are glances.
    pub fn are_glances(&self) -> bool {
        self.glances
    }

    /// Words of the storage, in `state` evaluated.
    pub fn at(&mut self, source: Source, intrinsics: bool, state: &State, edges: Edges, words: Range<usize>) -> &[u64] {
        let new = || {
            let engine = Interpreter::new(source.design, source.layouts, source.scopes, intrinsics);
            (Box::new(engine), state.clone())
        };
        let (engine, copy) = self.copy.get_or_insert_with(new);
        if !self.valid {
            copy.clone_from(state);
            engine.evaluate(copy, edges);
            (self.valid, self.runs) = (true, self.runs + u32::from(!self.glances));
        }
        &copy.storage[words]
    }
}
