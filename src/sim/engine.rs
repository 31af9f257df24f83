//! Which engine computes a cycle, and the one interface behind which all of them stand.
//!
//! An engine reads present registers and the rest of a [`State`], and writes next registers, wires, pending memory writes and
//! what probes see; then it makes the clock edge; see [`state`](super::state). All engines leave the same bits.

use super::{
    batched::{BatchedTiles, TileEngine, TileState},
    clocks::Edges,
    error::SimError,
    interpreter::Interpreter,
    layout::{Area, Layout, Place},
    native::{Figures, Native},
    passes::Observed,
    plan::plans,
    profile::Seen,
    simulator::Options,
    sliced::{self, Assembly, GroupChoice, PartPlan, Slicing},
    state::{Scope, Sites, State},
    tuning::Threading,
    vector::{self, VectorChoice, Vectoring},
};
use netlist::Design;
use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

/// What computes a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Engine {
    /// The fastest: what simulates which module is chosen from the design.
    #[default]
    Auto,
    /// Machine code over words, one function per distinct module and phase.
    Word,
    /// Machine code over bits: equal tiles together, one bit of up to 64 of them in a word.
    Sliced,
    /// Machine code over vectors: equal tiles together, a word of 32 bits of up to 16 of them in a vector of AVX-512. On processors
    /// without it the same as [`Word`](Self::Word).
    Vector,
    /// The reference: slow to run, nothing to compile.
    Interpreter,
}

impl Engine {
    /// All of them, the default first.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Word, Self::Sliced, Self::Vector, Self::Interpreter];

    /// As on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Word => "word",
            Self::Sliced => "sliced",
            Self::Vector => "vector",
            Self::Interpreter => "interpreter",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Auto => "the fastest for each group of equal tiles: word, sliced or vector",
            Self::Word => "machine code over words, one function per distinct block",
            Self::Sliced => "machine code over bits, up to 64 equal tiles together",
            Self::Vector => "machine code over vectors (AVX-512), up to 16 equal tiles together",
            Self::Interpreter => "the slow reference",
        }
    }

    /// Which tiles it evaluates as bits and which in vectors, the rest being words; `None`: nothing is compiled.
    pub(super) fn parts(self) -> Option<Partition> {
        match self {
            Self::Interpreter => None,
            Self::Word => Some((Slicing::Nothing, Vectoring::Nothing)),
            Self::Auto => Some((Slicing::Gains, Vectoring::Gains)),
            Self::Sliced => Some((Slicing::All, Vectoring::Nothing)),
            Self::Vector => Some((Slicing::Nothing, Vectoring::All)),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|e| e.name() == name).ok_or_else(|| format!("there are: {}", names()))
    }
}

/// Which tiles are evaluated as bits and which of the others in vectors, the rest being words.
pub(super) type Partition = (Slicing, Vectoring);

/// What else [`Engine::Auto`] may come to. In the order in which they are tried when they take as long to make.
const RIVALS: [Partition; 5] = [
    (Slicing::Nothing, Vectoring::All),
    (Slicing::Nothing, Vectoring::Nothing),
    (Slicing::Nothing, Vectoring::Gains),
    (Slicing::Gains, Vectoring::All),
    (Slicing::Promises, Vectoring::All),
];

/// What an engine is made from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub scopes: &'a [Scope],
    pub sites: &'a Sites,
    /// Wires that must be computed in every evaluation, as somebody looks at them.
    pub observed: &'a Observed,
    /// Where the engine tells what it is doing, if anybody wants to know.
    pub board: &'a Seen,
}

/// Which groups of tiles were considered for other engines than words.
#[derive(Default)]
pub(crate) struct Choices {
    pub sliced: Vec<GroupChoice>,
    pub vectors: Vec<VectorChoice>,
}

impl Choices {
    /// Of a partition; and the parts of the bit-sliced engine.
    pub fn new(
        design: &Design,
        layouts: &[Layout],
        (slicing, vectoring): Partition,
        threads: usize,
        watched: &BTreeSet<usize>,
    ) -> (Vec<PartPlan>, Self) {
        let (parts, sliced) = sliced::choose(design, slicing, vectoring, threads, watched);
        let taken = parts.iter().flat_map(|part| &part.groups).flatten().chain(watched).copied().collect();
        let vectors = vector::choose(design, layouts, vectoring, &taken);
        (parts, Self { sliced, vectors })
    }

    /// The engines of the tiles that are not words.
    fn engines(&self) -> HashMap<usize, Engine> {
        let sliced = self.sliced.iter().filter(|group| group.sliced).flat_map(|group| &group.tiles);
        let vectors = self.vectors.iter().filter(|group| group.chosen).flat_map(|group| &group.tiles);
        let sliced = sliced.map(|&tile| (tile, Engine::Sliced));
        sliced.chain(vectors.map(|&tile| (tile, Engine::Vector))).collect()
    }
}

/// The engine at work.
pub(crate) enum Runner {
    Interpreter(Box<Interpreter>),
    Word(Box<Native>),
}

impl Runner {
    /// `engine` is not that of the options when it runs beside another one; `watched`: tiles of which all that is computed must stand
    /// in the state.
    pub fn new(engine: Engine, source: Source, options: &Options, watched: &BTreeSet<usize>) -> Result<Self, SimError> {
        let Source { design, layouts, scopes, .. } = source;
        match engine.parts() {
            Some(how) => Ok(Self::Word(Self::compiled(how, source, options, watched)?)),
            None => {
                let interpreter = Interpreter::new(design, layouts, scopes, options.twins);
                Ok(Self::Interpreter(Box::new(interpreter)))
            }
        }
    }

    /// With an engine that was left to us: others that may be faster. Each partition of the tiles is there once.
    pub fn rivals(&self, source: Source, options: &Options, watched: &BTreeSet<usize>) -> Vec<Partition> {
        let Self::Word(engine) = self else { return vec![] };
        let mut known = vec![engine.batched.engines()];
        let is_new = |how: &Partition| {
            let engines = Choices::new(source.design, source.layouts, *how, options.threads, watched).1.engines();
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
        let (parts, choices) = Choices::new(design, layouts, how, options.threads, watched);
        let build = || assembly.build(&parts, options, source.board).map(Box::new);
        let sliced = (!parts.is_empty()).then(build).transpose()?.map(|sliced| sliced as Box<dyn TileEngine>);
        let vectors = vector::build(source, &choices.vectors, options)?.map(|vectors| vectors as Box<dyn TileEngine>);
        let batched = BatchedTiles::new(sliced.into_iter().chain(vectors));
        let plans = plans(design, layouts, options.twins, &batched.tiles());
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

    /// Computes wires, next registers, pending writes and what probes see; true when an assertion of a domain with an edge
    /// failed. What nothing but domains without an edge depends on may be left to [`complete`](Self::complete).
    /// `ahead`: unless an assertion has failed, the clock edge, with statistics, is all that follows.
    pub fn evaluate(&mut self, state: &mut State, edges: Edges, ahead: bool) -> bool {
        match self {
            Self::Interpreter(engine) => engine.evaluate(state, edges).is_some(),
            Self::Word(engine) => engine.evaluate(state, edges, ahead),
        }
    }

    /// An input of the top, at this place in the rest, has changed.
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

    /// The word at `offset` of the rest is up to date after every evaluation.
    pub fn computes(&self, offset: u32) -> bool {
        match self {
            Self::Interpreter(_) => true,
            Self::Word(engine) => {
                let place = Place { area: Area::Rest, offset };
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
