//! The one interface behind which all engines stand.
//!
//! An engine reads present registers and the storage of a [`State`], and writes next registers, wires, pending memory
//! writes and what probes see; then it makes the clock edge; see [`state`](super::state). All engines leave the same
//! bits.

use super::{
    batched::{BatchedTiles, TileEngine, TileState},
    choices::Choices,
    clocks::Edges,
    engine::{Engine, Partition, Slicing, Vectoring},
    error::SimError,
    interpreter::Interpreter,
    layout::{Area, Place},
    native::{Figures, Native},
    options::Options,
    plan::plans,
    sliced::Assembly,
    source::Source,
    state::{Sites, State},
    tuning::Threading,
    vector,
};
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

/// What else [`Engine::Auto`] may come to. In the order in which they are tried when they take as long to make.
const RIVALS: [Partition; 5] = [
    (Slicing::Nothing, Vectoring::All),
    (Slicing::Nothing, Vectoring::Nothing),
    (Slicing::Nothing, Vectoring::Gains),
    (Slicing::Gains, Vectoring::All),
    (Slicing::Promises, Vectoring::All),
];

/// The engine at work.
pub(crate) enum Runner {
    Interpreter(Box<Interpreter>),
    Word(Box<Native>),
}

impl Runner {
    /// `engine` is not that of the options when it runs beside another one; `watched`: tiles of which all that is
    /// computed must stand in the state.
    pub fn new(engine: Engine, source: Source, options: &Options, watched: &BTreeSet<usize>) -> Result<Self, SimError> {
        let Source { design, layouts, scopes, .. } = source;
        match engine.parts() {
            Some(how) => Ok(Self::Word(Self::compiled(how, source, options, watched)?)),
            None => {
                let interpreter = Interpreter::new(design, layouts, scopes, options.intrinsics);
                Ok(Self::Interpreter(Box::new(interpreter)))
            }
        }
    }

    /// With an engine that was left to us: others that may be faster. Each partition of the tiles is there once.
    pub fn rivals(&self, source: Source, options: &Options, watched: &BTreeSet<usize>) -> Vec<Partition> {
        let Self::Word(engine) = self else { return vec![] };
        let mut known = vec![engine.batched.engines()];
        let is_new = |how: &Partition| {
            let engines = Choices::new(source.design, source.layouts, source.observed, *how, options.threads, watched)
                .1
                .engines();
            let is_new = !known.contains(&engines);
            known.push(engines);
            is_new
        };
        RIVALS.into_iter().filter(is_new).collect()
    }

    /// One of those.
    pub fn rival(
        how: Partition,
        source: Source,
        options: &Options,
        watched: &BTreeSet<usize>,
    ) -> Result<Self, SimError> {
        Ok(Self::Word(Self::compiled(how, source, options, watched)?))
    }

    fn compiled(
        how: Partition,
        source: Source,
        options: &Options,
        watched: &BTreeSet<usize>,
    ) -> Result<Box<Native>, SimError> {
        let Source { design, layouts, scopes, sites, .. } = source;
        let start = Instant::now();
        let assembly = Assembly { design, layouts, scopes, sites, observed: source.observed };
        let (parts, choices) = Choices::new(design, layouts, source.observed, how, options.threads, watched);
        let build = || assembly.build(&parts, options, source.board).map(Box::new);
        let sliced = (!parts.is_empty()).then(build).transpose()?.map(|sliced| sliced as Box<dyn TileEngine>);
        let vectors = vector::build(source, &choices.vectors, options)?.map(|vectors| vectors as Box<dyn TileEngine>);
        let batched = BatchedTiles::new(sliced.into_iter().chain(vectors));
        let plans = plans(design, layouts, options.intrinsics, &batched.tiles(), &FxHashMap::default());
        let mut engine = Native::new(source, &plans, batched, options)?;
        engine.figures.compile_time = start.elapsed();
        engine.choices = choices;
        Ok(Box::new(engine))
    }

    /// What it took to make it, if it was made now.
    pub fn compile_time(&self) -> Option<Duration> {
        self.figures().filter(|figures| !figures.from_cache).map(|figures| figures.compile_time)
    }

    /// What it and others before it took to make.
    pub fn set_compile_time(&mut self, time: Duration) {
        if let Self::Word(engine) = self {
            engine.figures.compile_time = time;
        }
    }

    /// The engine that it is; never [`Engine::Auto`].
    pub fn engine(&self) -> Engine {
        match self {
            Self::Interpreter(_) => Engine::Interpreter,
            Self::Word(engine) => engine.batched.first().unwrap_or(Engine::Word),
        }
    }

    /// Computes wires, next registers, pending writes and what probes see; true when an assertion of a domain with an
    /// edge failed. What nothing but domains without an edge depends on may be left to [`complete`](Self::complete).
    /// `ahead`: unless an assertion has failed, the clock edge, with statistics, is all that follows.
    pub fn evaluate(&mut self, state: &mut State, edges: Edges, ahead: bool) -> bool {
        match self {
            Self::Interpreter(engine) => engine.evaluate(state, edges).is_some(),
            Self::Word(engine) => engine.evaluate(state, edges, ahead),
        }
    }

    /// An input of the top, at this place in the storage, has changed.
    pub fn poked(&mut self, place: usize) {
        match self {
            Self::Interpreter(_) => {}
            Self::Word(engine) => engine.poked(place),
        }
    }

    /// Computes what the last evaluation has left out: for whoever looks at wires.
    pub fn complete(&mut self, state: &mut State) {
        match self {
            Self::Interpreter(_) => {}
            Self::Word(engine) => engine.complete(state),
        }
    }

    /// The clock edge of an evaluated state, in the domains of that evaluation; `counted`: statistics go on.
    pub fn edge(&mut self, state: &mut State, sites: &Sites, edges: Edges, counted: bool) {
        match self {
            Self::Interpreter(_) => state.commit(sites, edges, counted),
            Self::Word(engine) => engine.edge(state, edges, counted),
        }
    }

    /// Brings the counters in `state` up to the last clock edge: an engine may count later than it could.
    pub fn settle(&mut self, state: &mut State, sites: &Sites) {
        match self {
            Self::Interpreter(_) => {}
            Self::Word(engine) => engine.settle(state, sites),
        }
    }

    /// The word at `offset` of the storage is up to date after every evaluation.
    pub fn computes(&self, offset: u32) -> bool {
        match self {
            Self::Interpreter(_) => true,
            Self::Word(engine) => {
                let place = Place { area: Area::Storage, offset };
                match engine.batched.tile_at(place) {
                    Some(_) => !engine.batched.hides(place),
                    None => engine.computes(offset),
                }
            }
        }
    }

    /// The state was changed from outside: nothing that the engine remembers of its last evaluation holds.
    pub fn forget(&mut self) {
        match self {
            Self::Interpreter(_) => {}
            Self::Word(engine) => engine.forget(),
        }
    }

    /// What the engine keeps elsewhere than in the state, if it does.
    pub fn batched(&mut self) -> Option<&mut BatchedTiles> {
        match self {
            Self::Word(engine) => Some(&mut engine.batched).filter(|batched| !batched.is_empty()),
            Self::Interpreter(_) => None,
        }
    }

    /// Which groups of tiles are not evaluated as words, and why; `None` when that was no question.
    pub fn choices(&self) -> Option<&Choices> {
        match self {
            Self::Interpreter(_) => None,
            Self::Word(engine) => Some(&engine.choices),
        }
    }

    /// Threads that evaluate, and how they were chosen.
    pub fn threading(&self) -> Threading {
        match self {
            Self::Interpreter(_) => Threading { threads: 1, ..Threading::default() },
            Self::Word(engine) => engine.threading(),
        }
    }

    /// What compilation gave; `None` when nothing was compiled.
    pub fn figures(&self) -> Option<&Figures> {
        match self {
            Self::Interpreter(_) => None,
            Self::Word(engine) => Some(&engine.figures),
        }
    }
}
