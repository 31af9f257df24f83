//! Where the time of a simulation goes.
//!
//! ```text
//!  simulator, engines ──what they are doing──▶ ProfileBoard ◀──samples it, ten thousand times a second── Sampler (a thread)
//!  generated code     ──which block──────────▶                                                   │ counts
//!                                                                           tables of the design ──▶ Profile
//! ```
//!
//! Looking from outside costs the simulation a store where something else begins, and nothing else: there is no clock
//! to read. Generated code tells the block only when it was compiled for that
//! ([`Options::profile`](super::Options::profile)). A block that is inlined into the one around it counts as that one.

use super::engine::Engine;
use hdl::Module;
use netlist::Design;
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Time between two samples, about: the system adds its own to it.
const PAUSE: Duration = Duration::from_micros(25);

/// What a simulation is doing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Activity {
    /// Nothing of the below: whoever calls the simulator.
    Outside,
    /// Parts that are no hardware.
    Behavioural,
    /// Words: the top, without tiles.
    Wiring,
    /// Words: a tile, by its position in the instances of the top.
    Tile(u32),
    /// Vectors: a group of tiles, by the position of the first.
    Tiles(u32),
    /// Words: finding tiles that have nothing to do.
    Idle,
    /// Words: the clock edge.
    Edge,
    /// The interpreter, whatever it does.
    Interpreter,
    /// Waveforms.
    Wave,
    /// The second engine, and the comparison.
    Validation,
    /// Bits: part of the work for a bundle of blocks.
    Bundle(Work, u32),
    /// Bits: work that belongs to no block.
    Between(Work),
}

/// Kinds of work of the bit-sliced engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Work {
    Kernel,
    Read,
    Move,
    Write,
    Links,
    Statistics,
    Outputs,
}

impl Work {
    const ALL: [Self; 7] =
        [Self::Kernel, Self::Read, Self::Move, Self::Write, Self::Links, Self::Statistics, Self::Outputs];

    fn about(self) -> &'static str {
        match self {
            Self::Kernel => "logic",
            Self::Read => "memory reads",
            Self::Move => "copies of payload",
            Self::Write => "memory writes",
            Self::Links => "links between tiles",
            Self::Statistics => "statistics",
            Self::Outputs => "outputs for other engines",
        }
    }
}

impl Activity {
    fn code(self) -> u64 {
        let (kind, number) = match self {
            Self::Outside => (0, 0),
            Self::Behavioural => (1, 0),
            Self::Wiring => (2, 0),
            Self::Idle => (3, 0),
            Self::Edge => (4, 0),
            Self::Interpreter => (5, 0),
            Self::Wave => (6, 0),
            Self::Validation => (7, 0),
            Self::Tile(tile) => (8, tile),
            Self::Between(work) => (9 + work as u64, 0),
            Self::Bundle(work, bundle) => (9 + Work::ALL.len() as u64 + work as u64, bundle),
            Self::Tiles(tile) => (9 + 2 * Work::ALL.len() as u64, tile),
        };
        kind << 32 | u64::from(number)
    }

    fn of(code: u64) -> Self {
        let (kind, number) = (code >> 32, code as u32);
        let simple = [
            Self::Outside,
            Self::Behavioural,
            Self::Wiring,
            Self::Idle,
            Self::Edge,
            Self::Interpreter,
            Self::Wave,
            Self::Validation,
        ];
        let work = |first: u64| Work::ALL[(kind - first) as usize];
        let (between, bundle, tiles) = (9, 9 + Work::ALL.len() as u64, 9 + 2 * Work::ALL.len() as u64);
        match kind {
            8 => Self::Tile(number),
            _ if kind < 8 => simple[kind as usize],
            _ if kind < bundle => Self::Between(work(between)),
            _ if kind == tiles => Self::Tiles(number),
            _ => Self::Bundle(work(bundle), number),
        }
    }
}

/// On which the simulation writes what it is doing.
#[derive(Debug, Default)]
pub(crate) struct ProfileBoard {
    activity: AtomicU64,
    /// Position of the module whose code runs, as generated code tells.
    module: AtomicU64,
}

impl ProfileBoard {
    pub fn set(&self, activity: Activity) {
        // Generated code will tell; until then nobody else's module stands there.
        if matches!(activity, Activity::Tile(_) | Activity::Tiles(_) | Activity::Wiring) {
            self.module.store(u64::MAX, Ordering::Relaxed);
        }
        self.activity.store(activity.code(), Ordering::Relaxed);
    }

    pub fn activity(&self) -> Activity {
        Activity::of(self.activity.load(Ordering::Relaxed))
    }

    /// Where generated code writes the module.
    pub fn module(&self) -> *mut u64 {
        self.module.as_ptr()
    }

    /// Both, as they belong together; `None` when they have just changed.
    fn read(&self) -> Option<(u64, u64)> {
        let activity = self.activity.load(Ordering::Acquire);
        let module = self.module.load(Ordering::Acquire);
        (self.activity.load(Ordering::Relaxed) == activity).then_some((activity, module))
    }
}

/// A board that may be missing.
pub(crate) type MaybeBoard = Option<Arc<ProfileBoard>>;

/// Writes on a board, if there is one.
pub(crate) fn profile_mark(board: &MaybeBoard, activity: Activity) {
    if let Some(board) = board {
        board.set(activity);
    }
}

/// How often what was seen: activity and module.
type Samples = FxHashMap<(u64, u64), u64>;

/// Samples a board.
pub(crate) struct Sampler {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Samples>>,
    start: Instant,
    /// Cycle in which it started.
    pub cycle: u64,
}

impl Sampler {
    pub fn start(board: Arc<ProfileBoard>, cycle: u64) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = thread::spawn(move || {
            let mut samples = Samples::default();
            let mut pause = 0;
            while !stopped.load(Ordering::Relaxed) {
                // Not always the same time, so that no rhythm of the simulation is met.
                pause = (pause + 7) % 19;
                thread::sleep(PAUSE + Duration::from_micros(pause));
                if let Some(seen) = board.read() {
                    *samples.entry(seen).or_default() += 1;
                }
            }
            samples
        });
        Self { stop, thread: Some(thread), start: Instant::now(), cycle }
    }

    /// Ends it: time, and what was seen.
    pub fn finish(mut self) -> (Duration, Samples) {
        let time = self.start.elapsed();
        self.stop.store(true, Ordering::Relaxed);
        let samples = self.thread.take().and_then(|thread| thread.join().ok());
        (time, samples.unwrap_or_default())
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Where the time went.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// Samples of the simulation: a share of 1 % stands on a hundredth of them.
    pub samples: u64,
    /// Cycles and time that they were spread over.
    pub cycles: u64,
    /// Time.
    pub time: Duration,
    /// The parts, the one with the greatest share first.
    pub parts: Vec<ProfilePart>,
}

/// A part of the simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfilePart {
    /// Kind of block, or what else it is.
    pub name: String,
    /// Engine that simulates it; `None` for what belongs to none.
    pub engine: Option<Engine>,
    /// Instances in the design; 0 for what is no block.
    pub instances: usize,
    /// Share of the time, from 0 to 1.
    pub share: f64,
    /// The blocks inside, its own logic among them, the one with the greatest share first; empty where nothing is
    /// known.
    pub inside: Vec<ProfilePart>,
}

/// A bundle of the bit-sliced engine: kind of its blocks, kind of the tiles that they are in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BundleName {
    pub kind: String,
    pub tile: String,
}

/// Makes the profile of what was seen. `apart`: engines of tiles (positions in the instances of the top) that
/// are not evaluated as words.
pub(super) fn profile(
    design: &Design,
    bundles: &[BundleName],
    batched: &FxHashMap<usize, Engine>,
    time: Duration,
    samples: Samples,
    cycles: u64,
) -> Profile {
    let total: u64 = samples.values().sum();
    // Part (name, engine), and what is inside of it.
    let mut seen: BTreeMap<(String, Option<&str>), BTreeMap<String, u64>> = BTreeMap::new();
    for (&(activity, module), &count) in &samples {
        let (part, engine, inside) = name(design, bundles, Activity::of(activity), module as usize);
        *seen.entry((part, engine.map(Engine::name))).or_default().entry(inside).or_default() += count;
    }
    let share = |count: u64| if total == 0 { 0.0 } else { count as f64 / total as f64 };
    let parts = seen.into_iter().map(|((name, engine), inside)| {
        let engine = engine.and_then(|engine| engine.parse().ok());
        let here = |tile: usize| engine == Some(batched.get(&tile).copied().unwrap_or(Engine::Word));
        let tiles = tiles(design).filter(|(tile, module)| module.kind == name && here(*tile));
        let tiles: Vec<_> = tiles.map(|(_, module)| module).collect();
        let instances = if engine.is_some() { tiles.len() } else { 0 };
        let whole = inside.values().sum();
        let part = |(inner, count): (String, u64)| {
            let block = inner.split(':').next().unwrap_or_default();
            let instances = tiles.iter().map(|tile| if block == OWN { 1 } else { count_of(tile, block) }).sum();
            ProfilePart { name: inner, engine, instances, share: share(count), inside: vec![] }
        };
        let mut inside: Vec<_> = match inside.len() == 1 && inside.contains_key("") {
            true => vec![],
            false => inside.into_iter().map(part).collect(),
        };
        sort(&mut inside);
        ProfilePart { name, engine, instances, share: share(whole), inside }
    });
    let mut parts: Vec<_> = parts.collect();
    sort(&mut parts);
    Profile { samples: total, cycles, time, parts }
}

/// What the part of a block that is its own is called.
const OWN: &str = "own logic";

fn sort(parts: &mut [ProfilePart]) {
    parts.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.name.cmp(&b.name)));
}

fn tiles(design: &Design) -> impl Iterator<Item = (usize, &Module)> {
    let all = design.top.instances.iter().enumerate().filter(|(_, instance)| instance.tile);
    all.map(|(position, instance)| (position, &instance.module))
}

/// Blocks of a kind inside a module, at any depth.
fn count_of(module: &Module, kind: &str) -> usize {
    let child = |child: &Module| usize::from(child.kind == kind) + count_of(child, kind);
    module.instances.iter().map(|instance| child(&instance.module)).sum()
}

/// Part, engine, and what is inside of the part.
fn name(
    design: &Design,
    bundles: &[BundleName],
    activity: Activity,
    module: usize,
) -> (String, Option<Engine>, String) {
    let kind = || design.modules.get(module).map_or("", |about| about.module.kind.as_str());
    let plain = |text: &str| (text.to_string(), None, String::new());
    let block = |outer: &Module, engine| {
        let inside = if kind() == outer.kind || kind().is_empty() { OWN } else { kind() };
        (outer.kind.clone(), Some(engine), inside.to_string())
    };
    match activity {
        Activity::Outside => plain("outside of the simulator"),
        Activity::Behavioural => plain("behavioural parts"),
        Activity::Wiring => ("wiring between tiles".into(), Some(Engine::Word), String::new()),
        Activity::Tile(tile) => block(&design.top.instances[tile as usize].module, Engine::Word),
        Activity::Tiles(tile) => block(&design.top.instances[tile as usize].module, Engine::Vector),
        Activity::Idle => plain("finding idle tiles"),
        Activity::Edge => plain("clock edge"),
        Activity::Interpreter => ("all blocks".into(), Some(Engine::Interpreter), String::new()),
        Activity::Wave => plain("waveforms"),
        Activity::Validation => plain("validation"),
        Activity::Between(work) => (work.about().into(), Some(Engine::Sliced), String::new()),
        Activity::Bundle(work, bundle) => {
            let BundleName { kind, tile } = &bundles[bundle as usize];
            let block = if kind == tile { OWN } else { kind };
            let inside = if work == Work::Kernel { block.into() } else { format!("{block}: {}", work.about()) };
            (tile.clone(), Some(Engine::Sliced), inside)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activities_have_codes() {
        let mut all = vec![
            Activity::Outside,
            Activity::Behavioural,
            Activity::Wiring,
            Activity::Tile(0),
            Activity::Tile(u32::MAX),
            Activity::Tiles(3),
            Activity::Idle,
            Activity::Edge,
            Activity::Interpreter,
            Activity::Wave,
            Activity::Validation,
        ];
        for work in Work::ALL {
            all.extend([Activity::Between(work), Activity::Bundle(work, 0), Activity::Bundle(work, 77)]);
        }
        let codes: std::collections::HashSet<_> = all.iter().map(|activity| activity.code()).collect();
        assert_eq!(codes.len(), all.len());
        assert!(all.iter().all(|&activity| Activity::of(activity.code()) == activity));
    }

    #[test]
    fn a_sampler_sees_what_takes_long() {
        let board = Arc::new(ProfileBoard::default());
        let sampler = Sampler::start(board.clone(), 0);
        for _ in 0..20 {
            for (activity, milliseconds) in [(Activity::Edge, 1), (Activity::Tile(3), 6)] {
                board.set(activity);
                thread::sleep(Duration::from_millis(milliseconds));
            }
        }
        let (time, samples) = sampler.finish();
        assert!(time >= Duration::from_millis(140));
        let of = |activity: Activity| {
            samples.iter().filter(|((a, _), _)| *a == activity.code()).map(|(_, n)| n).sum::<u64>()
        };
        assert!(of(Activity::Tile(3)) > of(Activity::Edge) && of(Activity::Edge) > 0, "{samples:?}");
    }
}
