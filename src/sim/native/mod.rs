//! The native engine: one or two functions per distinct module, compiled by Cranelift, called per instance.
//!
//! Data flow: [`plan`](super::plan) (what to compute, in which order, which children to call) → [`passes`] (steps, cut
//! into chunks of limited size) → [`compile`], [`emit`] with [`values`] and [`wide`] (Cranelift instructions of one
//! chunk) → machine code.
//!
//! Tiles of the top are called by [`threads`], on one or several threads, if they are [`active`] (with activity
//! [`gates`]) or not [`idle`] (without).
//!
//! Every function takes the addresses of an instance's present registers, next registers, rest and [`activity`] (what
//! the engine remembers of it), of the thread's [`log`] (what is left for the clock edge) and of the caller's spill
//! area, and returns one when an assertion below it failed; with gates, more bits tell what has changed. In a design
//! with several clocks it also takes the address of what is known of the module's domains
//! ([`ClockView`](log::ClockView)): assertions and memory writes of domains without an edge do not count.

mod active;
mod activity;
mod batch;
mod clocks;
mod compile;
mod copies;
mod emit;
mod gates;
mod held;
mod idle;
mod log;
mod modes;
mod threads;
mod tile;
mod values;
mod wide;

use super::{
    batched::BatchedTiles,
    choices::Choices,
    clocks::{Edges, used_domains},
    code::{Executable, failure},
    error::SimError,
    options::Options,
    passes::{
        self,
        gates::bits::{FAILED, LATE},
    },
    plan::{InputMarks, Plan},
    profile::{Activity, MaybeBoard, profile_mark},
    source::Source,
    state::{Sites, State, WritePort, write_ports},
    thread_pool::ThreadPool,
    tuning::{Threading, Tuner},
};
use active::Active;
use activity::{ActivityFlags, mark_layouts};
use batch::{Batch, Kind};
use clocks::Views;
use compile::{CompiledModule, coded};
use hdl::words_for;
use held::HeldRegisters;
use idle::Watch;
use log::Log;
use modes::Modes;
use netlist::{Design, Elaborated};
use rustc_hash::FxHashSet;
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};
use tile::{Arrays, ClockedPhase, Code, Phase, Tile, Turn};

/// Most threads that are tried when the number is not given: beyond, tiles are too few for the wait at the clock edge.
const MOST_THREADS: usize = 16;

/// What compilation of one module gave, for reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFigures {
    /// The module.
    pub module: String,
    /// Instances in the design; those inlined into their parents too.
    pub instances: usize,
    /// Functions, drivers included.
    pub functions: usize,
    /// Bytes of machine code.
    pub code_bytes: usize,
    /// The code is that of an earlier module, which is equal in all but names.
    pub copy: bool,
}

/// What compilation gave, for reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Wall time of planning and code generation.
    pub compile_time: Duration,
    /// The code was there from an earlier run.
    pub from_cache: bool,
    /// All modules, children before parents.
    pub modules: Vec<ModuleFigures>,
}

impl Figures {
    fn new(design: &Design, modules: &[CompiledModule], from_cache: bool) -> Self {
        let module = |(elaborated, about): (&Elaborated, &CompiledModule)| ModuleFigures {
            module: elaborated.module.name.clone(),
            instances: elaborated.instances,
            functions: about.functions,
            code_bytes: about.code_bytes,
            copy: about.copy,
        };
        let modules = design.modules.iter().zip(modules).map(module).collect();
        Self { compile_time: Duration::ZERO, from_cache, modules }
    }

    /// Bytes of machine code of all modules.
    pub fn code_bytes(&self) -> usize {
        self.modules.iter().filter(|m| !m.copy).map(|m| m.code_bytes).sum()
    }
}

/// How the tiles of an evaluation are chosen.
enum Choice {
    /// With activity gates; and the code of each tile.
    Gates(Box<Active>, Modes),
    /// Without, per tile.
    Idle(Vec<Watch>),
}

/// Compiled code for a design.
pub(crate) struct Native {
    top: Option<Code>,
    /// Where there are gates: code without them, for when all tiles run such code.
    plain_top: Option<Code>,
    tiles: Vec<Tile>,
    batch: Batch,
    choice: Choice,
    /// The tiles that take part in the present evaluation, and what their functions return and how long they take (in
    /// nanoseconds).
    active: Vec<Turn>,
    results: Vec<(u64, u64)>,
    /// Positions of those that have no edge in it and were left out.
    left: Vec<usize>,
    tuner: Tuner,
    /// Per number of threads among which the tuner chooses: the workers, if it is more than one.
    pools: Vec<Option<ThreadPool>>,
    /// Position of the one of the last evaluation; the clock edge takes the same.
    pool: usize,
    marks: ActivityFlags,
    /// Per thread, the calling one first.
    logs: Vec<Log>,
    /// Of all modules.
    ports: Vec<WritePort>,
    /// Clock edges that counted, where there is one clock.
    time: u64,
    /// Where there are several.
    clocks: Option<Views>,
    /// Registers of domains without an edge, but for those that watches keep.
    held: HeldRegisters,
    /// Words of the storage that are up to date after every evaluation.
    computed: FxHashSet<u32>,
    board: MaybeBoard,
    /// Tiles that are evaluated otherwise.
    pub batched: BatchedTiles,
    /// Which groups of tiles are, and why.
    pub choices: Choices,
    pub figures: Figures,
    /// Owns the code that everything above points into.
    _code: Executable,
}

impl Native {
    pub fn new(source: Source, plans: &[Plan], mut batched: BatchedTiles, options: &Options) -> Result<Self, SimError> {
        let Source { design, layouts, scopes, sites, board, .. } = source;
        let (mut ports, mut first_port) = (vec![], vec![]);
        for (about, layout) in design.modules.iter().zip(layouts) {
            first_port.push(ports.len());
            ports.extend(write_ports(&about.module, layout));
        }
        let (coder, modules, from_cache) = coded(source, plans, &first_port, options)?;
        let mark_layouts = mark_layouts(design, layouts, modules.iter().map(|about| about.gates.as_ref()));
        let code = coder.finish().map_err(|e| failure(&design.top.name, e))?;
        let clocked = design.top.crosses_clocks();
        let pointer = |function: u32| {
            let address = code.address(function);
            // SAFETY: every function is declared with the signature of `Phase` or, in a design with several clocks, of
            // `ClockedPhase` (see `Compiler::signature`).
            unsafe {
                match clocked {
                    false => Code::Plain(std::mem::transmute::<*const u8, Phase>(address)),
                    true => Code::Clocked(std::mem::transmute::<*const u8, ClockedPhase>(address)),
                }
            }
        };
        let mut clocks = clocked.then(|| Views::new(design));
        let top = design.modules.len() - 1;
        let tile = |&instance: &usize| {
            let about = &design.top.instances[instance];
            let child = design.index_of(&about.module);
            let late = modules[child].late.map(&pointer)?;
            let first = mark_layouts[top].children[instance] as usize;
            let marks = (first, first + mark_layouts[child].size as usize);
            let first_clock = clocks.as_mut().map_or(0, |clocks| clocks.add(about));
            let plain = modules[child].plain[1].map(&pointer);
            let (early, bases) = (modules[child].early.is_some(), layouts[top].children[instance]);
            let tile = Tile { late, plain, early, bases, marks, clocks: first_clock, instance: instance as u32 };
            let inputs = design.modules[child].module.inputs.iter();
            let words = inputs.map(|&port| words_for(design.modules[child].module.net(port).width)).sum();
            let domains = used_domains(design, instance);
            let watch = Watch::new(&tile, &layouts[child], words, sites, domains.clone());
            Some((tile, watch, domains, child))
        };
        let made: Vec<Option<_>> = plans[top].tiles.iter().map(tile).collect();
        let mut numbers: Vec<Option<usize>> = vec![];
        for tile in &made {
            let before = numbers.iter().flatten().count();
            numbers.push(tile.as_ref().map(|_| before));
        }
        let (mut tiles, mut watches, mut domains, mut of_tile) = (vec![], vec![], vec![], vec![]);
        for (tile, watch, used, module) in made.into_iter().flatten() {
            tiles.push(tile);
            watches.push(watch);
            domains.push(used);
            of_tile.push(module);
        }
        let batch = equal_tiles(&modules, of_tile, pointer);
        batched.place_input_marks(&InputMarks::new(&plans[top].elsewhere));
        let marks = ActivityFlags::new(&mark_layouts, scopes, sites);
        let active = Active::new(&modules, &mark_layouts, scopes, &marks, numbers, &tiles, domains);
        let mut held = sites.held.clone();
        if active.is_none() {
            held.retain(|held| watches.iter().all(|watch: &Watch| !watch.holds(held.registers.start)));
        }
        // Without gates nobody says what was evaluated: what is left is always copied.
        let gated = tiles.iter().filter(|_| active.is_some()).map(|tile| tile.instance as usize);
        let held = HeldRegisters::new(&held, gated, &batched.tiles().into_keys().collect());
        let choice = match active {
            Some(active) => Choice::Gates(Box::new(active), Modes::new(tiles.len())),
            None => Choice::Idle(watches),
        };
        let tuner = tuner(options.threads, tiles.len().max(batched.parts()));
        let most = tuner.candidates().iter().copied().max().unwrap_or(1);
        let logs = (0..most).map(|_| Log::new(sites.writes(), sites.tables(), board)).collect();
        let pool = |&threads: &usize| (threads > 1).then(|| ThreadPool::new(threads));
        let pools = tuner.candidates().iter().map(pool).collect();
        let plain_top = modules[top].plain[1].map(&pointer);
        let top = modules[top].late.map(&pointer);
        Ok(Self {
            top,
            plain_top,
            active: Vec::with_capacity(tiles.len()),
            left: vec![],
            results: Vec::with_capacity(tiles.len()),
            tiles,
            batch,
            choice,
            tuner,
            pools,
            pool: 0,
            marks,
            logs,
            ports,
            time: 0,
            clocks,
            held,
            computed: passes::dead::up_to_date(
                source,
                plans,
                |module| modules[module].pure,
                |module| &modules[module].stored,
            ),
            board: board.clone(),
            batched,
            choices: Choices::default(),
            figures: Figures::new(design, &modules, from_cache),
            _code: code,
        })
    }

    /// Threads that evaluate tiles, and how they were chosen.
    pub fn threading(&self) -> Threading {
        self.tuner.report()
    }

    /// The word at `offset` of the storage is up to date after every evaluation.
    pub fn computes(&self, offset: u32) -> bool {
        self.computed.contains(&offset)
    }

    /// The state was changed otherwise than by inputs, evaluation and clock edge: all tiles must be evaluated.
    pub fn forget(&mut self) {
        match &mut self.choice {
            Choice::Gates(active, _) => active.forget(),
            Choice::Idle(watches) => watches.iter_mut().for_each(Watch::forget),
        }
        self.held.forget();
    }

    /// An input of the top, at this place in the storage, has changed.
    pub fn poked(&mut self, place: usize) {
        if let Choice::Gates(active, _) = &self.choice {
            active.poked(place, &mut self.marks);
        }
    }

    /// Computes wires, next registers, pending writes and what probes see; true when an assertion failed. Tiles without
    /// an edge are left out. `ahead`: unless one has, the clock edge, with statistics, is all that follows.
    pub fn evaluate(&mut self, state: &mut State, edges: Edges, ahead: bool) -> bool {
        let (pool, timed) = self.tuner.next();
        let start = timed.then(Instant::now);
        let failed = self.evaluate_with(state, edges, pool, ahead);
        self.tuner.done(start.map(|start| start.elapsed()));
        failed
    }

    /// On the threads of a pool.
    fn evaluate_with(&mut self, state: &mut State, edges: Edges, pool: usize, ahead: bool) -> bool {
        self.logs.iter_mut().for_each(|log| log.start(self.time, state));
        let views = self.clocks.as_mut().map_or(std::ptr::null(), |clocks| clocks.at(edges));
        let arrays = Arrays::new(state, &mut self.marks, views);
        let mut failed = false;
        let mut top = self.top;
        let top_takes_part = match &mut self.choice {
            Choice::Gates(active, modes) => {
                let before = modes.all_plain();
                modes.next(|tile, _| active.wake(tile, &mut self.marks));
                if modes.all_plain() {
                    top = self.plain_top;
                } else if before {
                    active.forget();
                }
                active.start(&mut self.marks)
            }
            Choice::Idle(_) => true,
        };
        if let Some(top) = top.filter(|_| top_takes_part) {
            profile_mark(&self.board, Activity::Wiring);
            // SAFETY: the arrays have the sizes of the layouts that the code was generated for (`State::new`,
            // `ActivityFlags::new`), and the code stays inside: offsets are those of the layouts, variable ones are
            // checked against their bounds. The logs have room for one evaluation (`Log::new`).
            failed |= unsafe { top.run(arrays, self.logs[0].frame(), std::ptr::null_mut()) } & FAILED != 0;
        }
        let ahead = ahead && !failed && self.tiles.is_empty();
        self.pool = pool;
        let input_marks = match &self.choice {
            Choice::Gates(active, modes) => {
                let marks = &mut self.marks.words[active.input_marks.clone()];
                // Code without gates does not tell which have changed.
                if top_takes_part && modes.all_plain() {
                    marks.fill(u64::MAX);
                }
                Some(marks)
            }
            Choice::Idle(_) => None,
        };
        failed |= self.batched.evaluate(state, edges, self.pools[pool].as_mut(), ahead, input_marks);
        profile_mark(&self.board, Activity::Idle);
        self.choose_tiles(state, edges);
        let arrays = Arrays::new(state, &mut self.marks, views);
        let Self { batch, tiles, active, board, logs, results, .. } = self;
        match &mut self.pools[pool] {
            Some(pool) if active.len() > 1 => threads::evaluate(pool, tiles, active, arrays, logs, results),
            // SAFETY: as above, and the state is ours alone.
            _ => unsafe { batch.evaluate(tiles, active, arrays, logs[0].frame(), board, results) },
        }
        profile_mark(&self.board, Activity::Idle);
        failed |= self.results.iter().any(|&(result, _)| result & FAILED != 0);
        match &mut self.choice {
            Choice::Gates(active, modes) => {
                for (turn, &(result, time)) in self.active.iter().zip(&self.results) {
                    active.result(*turn, result, &mut self.marks);
                    if turn.plain || result & LATE != 0 {
                        self.held.evaluated(turn.tile);
                    }
                    if turn.timed {
                        modes.took(turn.tile, time);
                    }
                }
            }
            Choice::Idle(watches) if failed => watches.iter_mut().for_each(Watch::forget),
            Choice::Idle(watches) => self.active.iter().for_each(|turn| watches[turn.tile].evaluated(state)),
        }
        failed
    }

    /// Which tiles take part, and which are left out for want of an edge.
    fn choose_tiles(&mut self, state: &State, edges: Edges) {
        let Self { choice, active, left, .. } = self;
        active.clear();
        left.clear();
        let watches = match choice {
            Choice::Gates(gates, modes) => return gates.take_tiles(edges, &mut self.marks, modes, active, left),
            Choice::Idle(watches) => watches,
        };
        let turn = |tile: usize| Turn { tile, plain: false, timed: false };
        if edges == Edges::ALL {
            active.extend((0..watches.len()).filter(|&tile| watches[tile].takes_part(state)).map(turn));
            return;
        }
        for (tile, watch) in watches.iter_mut().enumerate() {
            match watch.takes_part_at(edges, state) {
                None => left.push(tile),
                Some(true) => active.push(turn(tile)),
                Some(false) => {}
            }
        }
    }

    /// Evaluates the tiles that the last evaluation left out.
    pub fn complete(&mut self, state: &mut State) {
        let Some(clocks) = &self.clocks else { return };
        for tile in self.left.drain(..) {
            let arrays = Arrays::new(state, &mut self.marks, clocks.views.as_ptr());
            let plain = matches!(&self.choice, Choice::Gates(_, modes) if modes.is_plain(tile));
            let turn = Turn { tile, plain, timed: false };
            // SAFETY: as in `evaluate`; a tile without an edge adds no writes to the log, and counts at most once.
            let (result, _) = unsafe { self.tiles[tile].evaluate(turn, arrays, self.logs[0].frame()) };
            match &mut self.choice {
                Choice::Gates(active, _) => {
                    active.result(turn, result, &mut self.marks);
                    self.held.evaluated(tile);
                }
                Choice::Idle(watches) => watches[tile].forget(),
            }
        }
    }

    /// The clock edge of an evaluated state; `counted`: statistics go on.
    pub fn edge(&mut self, state: &mut State, edges: Edges, counted: bool) {
        self.time += u64::from(counted);
        if let Some(clocks) = &mut self.clocks {
            clocks.count(edges, counted);
            if edges != Edges::ALL {
                self.held.hold(edges, !counted, state);
                if let Choice::Idle(watches) = &mut self.choice {
                    watches.iter_mut().for_each(|watch| watch.hold(edges, state));
                }
            }
        }
        self.logs.iter_mut().for_each(|log| log.write(&self.ports, state));
        std::mem::swap(&mut state.registers, &mut state.next);
        let Self { batched, choice, marks, pools, pool, .. } = self;
        batched.commit(state, edges, counted, pools[*pool].as_mut(), |area, place| {
            if let Choice::Gates(active, _) = choice {
                active.shown(area, place, marks);
            }
        });
    }

    /// Brings the counters in `state` up to the last clock edge.
    pub fn settle(&mut self, state: &mut State, sites: &Sites) {
        self.batched.flush_counters(state);
        self.logs.iter_mut().for_each(|log| log.add_counts(state));
        let (one, several) = (self.time, self.clocks.as_ref());
        let time = |domain: u32| several.map_or(one, |clocks| clocks.views[domain as usize].time);
        self.marks.settle(time, sites, state);
    }
}

/// What is equal among tiles of these modules.
fn equal_tiles(modules: &[CompiledModule], of_tile: Vec<usize>, code: impl Fn(u32) -> Code) -> Batch {
    let several = |&module: &usize| modules[module].chunks.iter().any(|chunks| chunks.len() > 1);
    let repeated: BTreeSet<usize> = of_tile.iter().copied().filter(several).collect();
    let kind = |&module: &usize| Kind {
        chunks: modules[module].chunks.each_ref().map(|chunks| chunks.iter().map(|&id| code(id)).collect()),
        spill_words: modules[module].spill_words as usize,
    };
    let position = |module: usize| repeated.iter().position(|&other| other == module);
    Batch::new(repeated.iter().map(kind).collect(), of_tile.into_iter().map(position).collect())
}

/// For so many tiles; `threads` as in [`Options`].
fn tuner(threads: usize, tiles: usize) -> Tuner {
    match threads {
        Options::AUTOMATIC_THREADS => {
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
            Tuner::automatic(cores.min(tiles).min(MOST_THREADS))
        }
        given => Tuner::fixed(given.min(tiles).max(1)),
    }
}
