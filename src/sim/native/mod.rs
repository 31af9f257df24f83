//! The native engine: one or two functions per distinct module, compiled by Cranelift, called per instance.
//!
//! Data flow: [`plan`](super::plan) (what to compute, in which order, which children to call) → [`passes`]
//! (steps, cut into chunks of limited size) → [`emit`] with [`values`] and [`wide`] (Cranelift instructions of one chunk) →
//! machine code.
//!
//! Tiles of the top are called by [`threads`], on one or several threads, if they are [`active`] (with activity [`gates`]) or
//! not [`idle`] (without).
//!
//! Every function takes the addresses of an instance's present registers, next registers, rest and [`marks`] (what the engine
//! remembers of it), of the thread's [`log`] (what is left for the clock edge) and of the caller's spill area, and returns one
//! when an assertion below it failed; with gates, more bits tell what has changed. In a design with several clocks it also takes the address of what is known of the module's
//! domains ([`ClockView`]): assertions and memory writes of domains without an edge do not count. A phase with several chunks gets a driver that calls them
//! in turn and holds their spill area on its stack.

mod active;
mod clocks;
mod emit;
mod gates;
mod idle;
mod kept;
mod log;
mod marks;
mod modes;
mod threads;
mod values;
mod wide;

use super::{
    cache::Cache,
    clocks::Edges,
    code::{Coder, Executable, Symbols, failure},
    engine::Source,
    error::SimError,
    layout::Bases,
    passes::{
        self, Prepared,
        body::{Body, Step},
        gates::FAILED,
    },
    plan::Plan,
    profile::{Activity, Seen, tell},
    simulator::Options,
    sliced::{GroupChoice, Sliced},
    state::{Sites, State, WritePort, write_ports},
    tuning::{Threading, Tuner},
};
use crate::{
    hdl::words_for,
    netlist::{Design, Elaborated},
};
use active::Active;
use clocks::Views;
pub(super) use clocks::used_domains;
use cranelift_codegen::{
    Context as FunctionContext,
    ir::{AbiParam, InstBuilder, Signature, StackSlotData, StackSlotKind, Value, types},
    isa::TargetFrontendConfig,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module as _};
use emit::{Callees, Context, Emitter};
use idle::Watch;
use kept::About;
use log::{ClockView, Frame, Log};
use marks::{Marks, mark_layouts};
use modes::Modes;
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use threads::Pool;

/// Most threads that are tried when the number is not given: beyond, tiles are too few for the wait at the clock edge.
const MOST_THREADS: usize = 16;

/// A compiled phase of a module.
type Phase = unsafe extern "C" fn(
    registers: *const u64,
    next: *mut u64,
    rest: *mut u64,
    marks: *mut u64,
    frame: *mut Frame,
    spill: *mut u64,
) -> u64;

/// The same in a design with several clocks.
type ClockedPhase = unsafe extern "C" fn(
    registers: *const u64,
    next: *mut u64,
    rest: *mut u64,
    marks: *mut u64,
    frame: *mut Frame,
    spill: *mut u64,
    clocks: *const ClockView,
) -> u64;

/// Either.
#[derive(Clone, Copy, Debug)]
enum Code {
    Plain(Phase),
    Clocked(ClockedPhase),
}

impl Code {
    /// Returns the result.
    ///
    /// # Safety
    /// As for [`Tile::evaluate`], of the instance whose regions of the arrays these are.
    unsafe fn run(self, arrays: Arrays, frame: *mut Frame) -> u64 {
        let Arrays { registers, next, rest, marks, clocks } = arrays;
        let spill = std::ptr::null_mut();
        // SAFETY: the caller's.
        unsafe {
            match self {
                Code::Plain(phase) => phase(registers, next, rest, marks, frame, spill),
                Code::Clocked(phase) => phase(registers, next, rest, marks, frame, spill, clocks),
            }
        }
    }
}

/// The arrays of an evaluation: present registers, next registers, rest, marks, clocks.
#[derive(Clone, Copy)]
struct Arrays {
    registers: *const u64,
    next: *mut u64,
    rest: *mut u64,
    marks: *mut u64,
    clocks: *const ClockView,
}

impl Arrays {
    fn new(state: &mut State, marks: &mut Marks, clocks: *const ClockView) -> Self {
        let (registers, next) = (state.registers.as_ptr(), state.next.as_mut_ptr());
        let (rest, marks) = (state.rest.as_mut_ptr(), marks.words.as_mut_ptr());
        Self { registers, next, rest, marks, clocks }
    }
}

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
    fn new(design: &Design, modules: &[About], from_cache: bool) -> Self {
        let module = |(elaborated, about): (&Elaborated, &About)| ModuleFigures {
            module: elaborated.module.name.clone(),
            instances: elaborated.instances,
            functions: about.functions,
            code_bytes: about.code_bytes,
        };
        let modules = design.modules.iter().zip(modules).map(module).collect();
        Self { compile_time: Duration::ZERO, from_cache, modules }
    }

    /// Bytes of machine code of all modules.
    pub fn code_bytes(&self) -> usize {
        self.modules.iter().map(|m| m.code_bytes).sum()
    }
}

/// An evaluation of a tile.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Position of the tile.
    tile: usize,
    /// By plain code.
    plain: bool,
    /// How long it takes is wanted.
    timed: bool,
}

impl Turn {
    /// As one number.
    fn number(self) -> usize {
        self.tile << 2 | usize::from(self.plain) << 1 | usize::from(self.timed)
    }

    fn of_number(number: usize) -> Self {
        Self { tile: number >> 2, plain: number >> 1 & 1 == 1, timed: number & 1 == 1 }
    }
}

/// A tile: its late phase, which the scheduler calls, with gates and without where there are both, and its place.
#[derive(Clone, Copy, Debug)]
struct Tile {
    late: Code,
    plain: Option<Code>,
    bases: Bases,
    /// Some of its outputs are computed by an early phase.
    early: bool,
    /// Its part of the marks.
    marks: (usize, usize),
    /// Where its domains start among the views of clocks.
    clocks: usize,
    /// Position in the instances of the top.
    instance: u32,
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
    choice: Choice,
    /// The tiles that take part in the present evaluation, and what their functions return and how long they take (in nanoseconds).
    active: Vec<Turn>,
    results: Vec<(u64, u64)>,
    /// Positions of those that have no edge in it and were left out.
    left: Vec<usize>,
    tuner: Tuner,
    /// Per number of threads among which the tuner chooses: the workers, if it is more than one.
    pools: Vec<Option<Pool>>,
    marks: Marks,
    /// Per thread, the calling one first.
    logs: Vec<Log>,
    /// Of all modules.
    ports: Vec<WritePort>,
    /// Clock edges that counted, where there is one clock.
    time: u64,
    /// Where there are several.
    clocks: Option<Views>,
    /// Words of the rest that are up to date after every evaluation.
    computed: HashSet<u32>,
    board: Seen,
    /// Tiles that are evaluated bit-sliced.
    pub sliced: Option<Box<Sliced>>,
    /// Which groups of tiles are, and why.
    pub choices: Vec<GroupChoice>,
    pub figures: Figures,
    /// Owns the code that everything above points into.
    _code: Executable,
}

impl Tile {
    /// Runs the late phase and returns its result, and nanoseconds if they are wanted.
    ///
    /// # Safety
    /// The arrays are those of a state and the marks of the design that the code was generated for, nobody else reads or
    /// writes the tile's regions of `next`, `rest` and `marks` meanwhile, and nobody else uses the frame.
    unsafe fn evaluate(&self, turn: Turn, arrays: Arrays, frame: *mut Frame) -> (u64, u64) {
        let start = turn.timed.then(Instant::now);
        // SAFETY: the caller's.
        let result = unsafe { self.run(self.plain.filter(|_| turn.plain).unwrap_or(self.late), arrays, frame) };
        (result, start.map_or(0, |start| start.elapsed().as_nanos() as u64))
    }

    /// # Safety
    /// As for [`evaluate`](Self::evaluate).
    unsafe fn run(&self, code: Code, arrays: Arrays, frame: *mut Frame) -> u64 {
        let (at, rest_at) = (self.bases.registers as usize, self.bases.rest as usize);
        let Arrays { registers, next, rest, marks, clocks } = arrays;
        // SAFETY: the tile's regions lie inside the arrays, and the code stays inside the regions.
        unsafe {
            let (registers, next, rest) = (registers.add(at), next.add(at), rest.add(rest_at));
            let (marks, clocks) = (marks.add(self.marks.0), clocks.add(self.clocks));
            code.run(Arrays { registers, next, rest, marks, clocks }, frame)
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        self.pools.clear(); // ends the threads that run the code
    }
}

impl Native {
    pub fn new(
        source: Source,
        plans: &[Plan],
        sliced: Option<Box<Sliced>>,
        options: &Options,
    ) -> Result<Self, SimError> {
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
        let pointer = |id: FuncId| {
            let address = code.address(id);
            // SAFETY: every function is declared with the signature of `Phase` or, in a design with several clocks, of
            // `ClockedPhase` (see `Compiler::signature`).
            unsafe {
                match clocked {
                    false => Code::Plain(std::mem::transmute::<*const u8, Phase>(address)),
                    true => Code::Clocked(std::mem::transmute::<*const u8, ClockedPhase>(address)),
                }
            }
        };
        let mut clocks = clocked.then(|| Views::new(design, sites));
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
            Some((tile, watch, domains))
        };
        let made: Vec<Option<(Tile, Watch, Vec<u32>)>> = plans[top].tiles.iter().map(tile).collect();
        let mut numbers: Vec<Option<usize>> = vec![];
        for tile in &made {
            let before = numbers.iter().flatten().count();
            numbers.push(tile.as_ref().map(|_| before));
        }
        let (mut tiles, mut watches, mut domains) = (vec![], vec![], vec![]);
        for (tile, watch, used) in made.into_iter().flatten() {
            tiles.push(tile);
            watches.push(watch);
            domains.push(used);
        }
        let marks = Marks::new(&mark_layouts, scopes, sites);
        let active = Active::new(&modules, &mark_layouts, scopes, &marks, numbers, &tiles, domains);
        if let (Some(clocks), None) = (&mut clocks, &active) {
            clocks.held.retain(|held| watches.iter().all(|watch: &Watch| !watch.holds(held.registers.start)));
        }
        let choice = match active {
            Some(active) => Choice::Gates(Box::new(active), Modes::new(tiles.len())),
            None => Choice::Idle(watches),
        };
        let tuner = tuner(options.threads, tiles.len().max(sliced.as_ref().map_or(0, |sliced| sliced.parts())));
        let most = tuner.candidates().iter().copied().max().unwrap_or(1);
        let logs = (0..most).map(|_| Log::new(sites.writes(), sites.tables(), board)).collect();
        let pool = |&threads: &usize| (threads > 1).then(|| Pool::new(tiles.clone(), threads - 1));
        let pools = tuner.candidates().iter().map(pool).collect();
        let plain_top = modules[top].plain[1].map(&pointer);
        let top = modules[top].late.map(pointer);
        Ok(Self {
            top,
            plain_top,
            active: Vec::with_capacity(tiles.len()),
            left: vec![],
            results: Vec::with_capacity(tiles.len()),
            tiles,
            choice,
            tuner,
            pools,
            marks,
            logs,
            ports,
            time: 0,
            clocks,
            computed: passes::dead::up_to_date(source, plans, &kept::prepared(&modules)),
            board: board.clone(),
            sliced,
            choices: vec![],
            figures: Figures::new(design, &modules, from_cache),
            _code: code,
        })
    }

    /// Threads that evaluate tiles, and how they were chosen.
    pub fn threading(&self) -> Threading {
        self.tuner.report()
    }

    /// The word at `offset` of the rest is up to date after every evaluation.
    pub fn computes(&self, offset: u32) -> bool {
        self.computed.contains(&offset)
    }

    /// The state was changed otherwise than by inputs, evaluation and clock edge: all tiles must be evaluated.
    pub fn forget(&mut self) {
        match &mut self.choice {
            Choice::Gates(active, _) => active.forget(),
            Choice::Idle(watches) => watches.iter_mut().for_each(Watch::forget),
        }
    }

    /// An input of the top, at this place in the rest, has changed.
    pub fn poked(&mut self, place: usize) {
        if let Choice::Gates(active, _) = &self.choice {
            active.poked(place, &mut self.marks);
        }
    }

    /// Computes wires, next registers, pending writes and what probes see; true when an assertion failed. Tiles without an edge
    /// are left out.
    pub fn evaluate(&mut self, state: &mut State, edges: Edges) -> bool {
        let (pool, timed) = self.tuner.next();
        let start = timed.then(Instant::now);
        let failed = self.evaluate_with(state, edges, pool);
        self.tuner.done(start.map(|start| start.elapsed()));
        failed
    }

    /// On the threads of a pool.
    fn evaluate_with(&mut self, state: &mut State, edges: Edges, pool: usize) -> bool {
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
            tell(&self.board, Activity::Wiring);
            // SAFETY: the arrays have the sizes of the layouts that the code was generated for (`State::new`, `Marks::new`),
            // and the code stays inside: offsets are those of the layouts, variable ones are checked against their bounds.
            // The logs have room for one evaluation (`Log::new`).
            failed |= unsafe { top.run(arrays, self.logs[0].frame()) } & FAILED != 0;
        }
        if let Some(sliced) = &mut self.sliced {
            failed |= sliced.evaluate(state, edges, self.tuner.candidates()[pool]);
        }
        tell(&self.board, Activity::Rest);
        self.choose_tiles(state, edges);
        let arrays = Arrays::new(state, &mut self.marks, views);
        match &self.pools[pool] {
            Some(pool) if self.active.len() > 1 => {
                pool.evaluate(arrays, &mut self.logs, &self.active, &mut self.results);
            }
            _ => {
                self.results.clear();
                for &turn in &self.active {
                    tell(&self.board, Activity::Tile(self.tiles[turn.tile].instance));
                    // SAFETY: as above, and the state is ours alone.
                    self.results.push(unsafe { self.tiles[turn.tile].evaluate(turn, arrays, self.logs[0].frame()) });
                }
            }
        }
        tell(&self.board, Activity::Rest);
        failed |= self.results.iter().any(|&(result, _)| result & FAILED != 0);
        match &mut self.choice {
            Choice::Gates(active, modes) => {
                for (turn, &(result, time)) in self.active.iter().zip(&self.results) {
                    active.result(*turn, result, &mut self.marks);
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
            // SAFETY: as in `evaluate`; a tile without an edge adds no writes to the log, and counts at most once.
            let plain = matches!(&self.choice, Choice::Gates(_, modes) if modes.is_plain(tile));
            let turn = Turn { tile, plain, timed: false };
            let (result, _) = unsafe { self.tiles[tile].evaluate(turn, arrays, self.logs[0].frame()) };
            match &mut self.choice {
                Choice::Gates(active, _) => active.result(turn, result, &mut self.marks),
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
                state.hold(&clocks.held, edges);
                if let Choice::Idle(watches) = &mut self.choice {
                    watches.iter_mut().for_each(|watch| watch.hold(edges, state));
                }
            }
        }
        self.logs.iter_mut().for_each(|log| log.write(&self.ports, state));
        std::mem::swap(&mut state.registers, &mut state.next);
        if let Some(sliced) = &mut self.sliced {
            sliced.commit(state, edges, counted);
            if let Choice::Gates(active, _) = &self.choice {
                sliced.shown.iter().for_each(|&(area, place)| active.shown(area, place, &mut self.marks));
            }
        }
    }

    /// Brings the counters in `state` up to the last clock edge.
    pub fn settle(&mut self, state: &mut State, sites: &Sites) {
        if let Some(sliced) = &mut self.sliced {
            sliced.flush_counters(state);
        }
        self.logs.iter_mut().for_each(|log| log.add_counts(state));
        let (one, several) = (self.time, self.clocks.as_ref());
        let time = |domain: u32| several.map_or(one, |clocks| clocks.views[domain as usize].time);
        self.marks.settle(time, sites, state);
    }
}

/// Modules that code is needed for: all but those that occur only in tiles of another engine.
fn called_modules(design: &Design, plans: &[Plan]) -> Vec<bool> {
    let top = design.modules.len() - 1;
    let mut wanted = vec![false; design.modules.len()];
    wanted[top] = true;
    // Parents come after children.
    for module in (0..design.modules.len()).rev() {
        if wanted[module] {
            let here = |i: &usize| module != top || !plans[top].elsewhere.contains_key(i);
            let children = &design.modules[module].module.instances;
            let inner = (0..children.len()).filter(here).map(|i| design.index_of(&children[i].module));
            inner.collect::<Vec<_>>().into_iter().for_each(|child| wanted[child] = true);
        }
    }
    wanted
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

/// The code of a design, from the cache if it may be, and whether it was there.
fn coded(
    source: Source,
    plans: &[Plan],
    first_port: &[usize],
    options: &Options,
) -> Result<(Coder, Vec<About>, bool), SimError> {
    let Source { design, layouts, .. } = source;
    let symbols = twins(design, plans);
    let top = plans.last();
    let key = top.and_then(|top| kept::key(source, &top.elsewhere, options)).filter(|_| options.cache);
    let cache = key.and_then(|key| Some((Cache::of_user()?, key)));
    if let Some(found) = cache.as_ref().and_then(|(cache, key)| cache.get(key))
        && let Some((coder, notes)) = Coder::load(&found, &symbols)
        && let Some(modules) = kept::read(&notes, design.modules.len())
    {
        return Ok((coder, modules, true));
    }
    let prepared = &passes::prepare(source, plans, options.passes)[..];
    let gates = prepared.iter().map(|module| module.gates.as_ref().map(|gates| &gates.shape));
    let marks = &mark_layouts(design, layouts, gates)[..];
    let profile = options.profile;
    let context = Context { design, layouts, plans, marks, first_port, prepared, module: 0, profile };
    let mut compiler = Compiler::new(context, &symbols)?;
    let called = called_modules(design, plans);
    for (module, called) in called.into_iter().enumerate() {
        compiler.module(module, called)?;
    }
    let Compiler { code, modules, .. } = compiler;
    if let Some((cache, key)) = cache
        && let Some(stored) = code.stored(&kept::notes(&modules))
    {
        cache.put(&key, &stored);
    }
    Ok((code, modules, false))
}

/// Native twins by the names under which code calls them.
fn twins(design: &Design, plans: &[Plan]) -> Vec<(String, *const u8)> {
    let modules = design.modules.iter().zip(plans);
    let named = modules.filter_map(|(about, plan)| Some((twin_name(&about.module.name), plan.twin?.call as *const u8)));
    named.collect()
}

fn twin_name(module: &str) -> String {
    format!("twin of {module}")
}

/// Ends the last block of a function.
fn end(mut builder: FunctionBuilder, failed: Value, target: TargetFrontendConfig) {
    builder.ins().return_(&[failed]);
    builder.seal_all_blocks();
    builder.finalize(target);
}

struct Compiler<'a> {
    /// The module is the one under compilation.
    context: Context<'a>,
    code: Coder,
    function: FunctionContext,
    builder_context: FunctionBuilderContext,
    /// Children before parents.
    modules: Vec<About>,
    /// The design has several clocks.
    clocked: bool,
}

impl<'a> Compiler<'a> {
    fn new(context: Context<'a>, twins: &Symbols) -> Result<Self, SimError> {
        let code = Coder::new(twins).map_err(|e| failure(&context.design.top.name, e))?;
        let (function, builder_context) = (code.jit.make_context(), FunctionBuilderContext::new());
        let clocked = context.design.top.crosses_clocks();
        Ok(Self { context, code, function, builder_context, modules: vec![], clocked })
    }

    fn signature(&self) -> Signature {
        let mut signature = self.code.jit.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 6 + usize::from(self.clocked)];
        signature.returns.push(AbiParam::new(types::I64));
        signature
    }

    /// Compiles the phases of a module, if it is called; its children are there already.
    fn module(&mut self, module: usize, called: bool) -> Result<(), SimError> {
        let Prepared { early, late, pure, stored, gates, plain } = &self.context.prepared[module];
        self.context.module = module;
        let gates = gates.as_ref().map(|gates| gates.shape.clone());
        self.modules.push(About { pure: *pure, stored: stored.clone(), gates, ..About::default() });
        let mut phase = |name, body: &'a Option<Body>| {
            body.as_ref().filter(|_| called).map(|body| self.phase(name, body)).transpose()
        };
        let (early, late) = (phase("early", early)?, phase("late", late)?);
        let plain = [phase("plain.early", &plain[0])?, phase("plain.late", &plain[1])?];
        let about = &mut self.modules[module];
        (about.early, about.late, about.plain) = (early, late, plain);
        Ok(())
    }

    /// The module under compilation.
    fn name(&self) -> &'a str {
        &self.context.design.modules[self.context.module].module.name
    }

    fn phase(&mut self, phase: &str, body: &Body) -> Result<FuncId, SimError> {
        let name = format!("{}.{phase}", self.name());
        let mut chunks = vec![];
        let count = body.gates.as_ref().map_or(body.chunks.len(), |gates| gates.functions.len());
        for chunk in 0..count {
            let id = self.declare(&format!("{name}.{chunk}"))?;
            let (modules, code, context) = (&self.modules, &mut self.code, self.context);
            let mut builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder_context);
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let parameters = builder.block_params(block);
            let addresses: [Value; 6] = *parameters.first_chunk().expect("six addresses come first");
            let clocks = parameters.get(6).copied();
            // Declare what is called, each once.
            let mut functions = std::collections::HashMap::new();
            let clusters = body.gates.as_ref().map_or(chunk..chunk + 1, |gates| gates.functions[chunk].clone());
            for step in body.chunks[clusters].iter().flatten() {
                if let Step::Call(call) = *step {
                    let child = body.function.calls[call].module;
                    if functions.contains_key(&child) {
                        continue;
                    }
                    let twin = context.plans[child].twin.map(|_| import_twin(context, code, child)).transpose()?;
                    let mut declare = |id: FuncId| code.jit.declare_func_in_func(id, builder.func);
                    let about = &modules[child];
                    // Code calls code of its kind.
                    let kind = match about.gates.is_some() && body.gates.is_none() {
                        true => about.plain,
                        false => [about.early, about.late],
                    };
                    let phases = [kind[0], kind[1], twin].map(|id| id.map(&mut declare));
                    functions.insert(child, phases);
                }
            }
            let emitter = Emitter::new(context, body, chunk, builder, addresses, clocks);
            let (mut builder, mut result) = emitter.run(&Callees { functions: &|child| functions[&child] });
            if let (Some(gates), 1) = (&body.gates, count) {
                result = gates::end_phase(&mut builder, context, addresses[3], gates.early);
            }
            end(builder, result, self.code.jit.target_config());
            self.finish(id)?;
            chunks.push(id);
        }
        match chunks[..] {
            [only] => Ok(only),
            _ => self.driver(&name, &chunks, body),
        }
    }

    /// Calls the chunks in turn, with one spill area; with gates, those that have something to do.
    fn driver(&mut self, name: &str, chunks: &[FuncId], body: &Body) -> Result<FuncId, SimError> {
        let id = self.declare(name)?;
        let context = self.context;
        let mut builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder_context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let mut arguments = builder.block_params(block).to_vec();
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * body.spill_words.max(1), 3);
        let slot = builder.create_sized_stack_slot(slot);
        arguments[5] = builder.ins().stack_addr(types::I64, slot, 0);
        let mut result = builder.ins().iconst(types::I64, 0);
        for (number, &chunk) in chunks.iter().enumerate() {
            let function = self.code.jit.declare_func_in_func(chunk, builder.func);
            let Some(gates) = &body.gates else {
                let call = builder.ins().call(function, &arguments);
                let flag = builder.inst_results(call)[0];
                result = builder.ins().bor(result, flag);
                continue;
            };
            let any = gates::any_bit(&mut builder, context, arguments[3], gates, gates.functions[number].clone());
            let (then, after) = (builder.create_block(), builder.create_block());
            builder.ins().brif(any, then, &[], after, &[]);
            builder.switch_to_block(then);
            builder.ins().call(function, &arguments);
            builder.ins().jump(after, &[]);
            builder.switch_to_block(after);
        }
        if let Some(gates) = &body.gates {
            result = gates::end_phase(&mut builder, context, arguments[3], gates.early);
        }
        end(builder, result, self.code.jit.target_config());
        self.finish(id)?;
        Ok(id)
    }

    fn declare(&mut self, name: &str) -> Result<FuncId, SimError> {
        let signature = self.signature();
        self.code.declare(name, signature, &mut self.function.func).map_err(|e| failure(self.name(), e))
    }

    fn finish(&mut self, id: FuncId) -> Result<(), SimError> {
        let size = self.code.define(id, &mut self.function).map_err(|e| failure(self.name(), e))?;
        let about = &mut self.modules[self.context.module];
        about.functions += 1;
        about.code_bytes += size;
        Ok(())
    }
}

/// The function of the native twin of a module.
fn import_twin(context: Context, code: &mut Coder, module: usize) -> Result<FuncId, SimError> {
    let name = &context.design.modules[module].module.name;
    let mut signature = code.jit.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 2];
    code.import(&twin_name(name), &signature).map_err(|e| failure(name, e))
}
