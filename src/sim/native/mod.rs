//! The native engine: one or two functions per distinct module, compiled by Cranelift, called per instance.
//!
//! Data flow: [`plan`](super::plan) (what to compute, in which order, which children to call) → [`passes`]
//! (steps, cut into chunks of limited size) → [`emit`] with [`values`] and [`wide`] (Cranelift instructions of one chunk) →
//! machine code.
//!
//! Tiles of the top are called by [`threads`], on one or several threads, unless they are [`idle`].
//!
//! Every function takes the addresses of an instance's present registers, next registers, rest and [`marks`] (what the engine
//! remembers of it), of the thread's [`log`] (what is left for the clock edge) and of the caller's spill area, and returns one
//! when an assertion below it failed. In a design with several clocks it also takes the address of what is known of the module's
//! domains ([`ClockView`]): assertions and memory writes of domains without an edge do not count. A phase with several chunks gets a driver that calls them
//! in turn and holds their spill area on its stack.

mod clocks;
mod emit;
mod idle;
mod kept;
mod log;
mod marks;
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
    /// True when an assertion failed.
    ///
    /// # Safety
    /// As for [`Tile::evaluate`], of the instance whose regions of the arrays these are.
    unsafe fn run(self, arrays: Arrays, frame: *mut Frame) -> bool {
        let Arrays { registers, next, rest, marks, clocks } = arrays;
        let spill = std::ptr::null_mut();
        // SAFETY: the caller's.
        let failed = unsafe {
            match self {
                Code::Plain(phase) => phase(registers, next, rest, marks, frame, spill),
                Code::Clocked(phase) => phase(registers, next, rest, marks, frame, spill, clocks),
            }
        };
        failed != 0
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

/// A tile: its late phase, which the scheduler calls, and its place.
#[derive(Clone, Copy, Debug)]
struct Tile {
    late: Code,
    bases: Bases,
    marks: usize,
    /// Where its domains start among the views of clocks.
    clocks: usize,
    /// Position in the instances of the top.
    instance: u32,
}

/// Compiled code for a design.
pub(crate) struct Native {
    top: Option<Code>,
    tiles: Vec<Tile>,
    /// Per tile.
    watches: Vec<Watch>,
    /// Positions of the tiles that take part in the present evaluation.
    active: Vec<usize>,
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
    /// Runs the late phase; true when an assertion failed.
    ///
    /// # Safety
    /// The arrays are those of a state and the marks of the design that the code was generated for, nobody else reads or
    /// writes the tile's regions of `next`, `rest` and `marks` meanwhile, and nobody else uses the frame.
    unsafe fn evaluate(&self, arrays: Arrays, frame: *mut Frame) -> bool {
        let (at, rest_at) = (self.bases.registers as usize, self.bases.rest as usize);
        let Arrays { registers, next, rest, marks, clocks } = arrays;
        // SAFETY: the tile's regions lie inside the arrays, and the code stays inside the regions.
        unsafe {
            let (registers, next, rest) = (registers.add(at), next.add(at), rest.add(rest_at));
            let (marks, clocks) = (marks.add(self.marks), clocks.add(self.clocks));
            self.late.run(Arrays { registers, next, rest, marks, clocks }, frame)
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
        let mark_layouts = mark_layouts(design, layouts);
        let (mut ports, mut first_port) = (vec![], vec![]);
        for (about, layout) in design.modules.iter().zip(layouts) {
            first_port.push(ports.len());
            ports.extend(write_ports(&about.module, layout));
        }
        let marks = &mark_layouts[..];
        let context =
            Context { design, layouts, plans, marks, first_port: &first_port, module: 0, profile: options.profile };
        let (coder, modules, from_cache) = coded(source, context, options)?;
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
            let marks = mark_layouts[top].children[instance] as usize;
            let first_clock = clocks.as_mut().map_or(0, |clocks| clocks.add(about));
            let bases = layouts[top].children[instance];
            let tile = Tile { late, bases, marks, clocks: first_clock, instance: instance as u32 };
            let inputs = design.modules[child].module.inputs.iter();
            let words = inputs.map(|&port| words_for(design.modules[child].module.net(port).width)).sum();
            let domains = used_domains(design, instance);
            Some((tile, Watch::new(&tile, &layouts[child], words, sites, domains)))
        };
        let (tiles, watches): (Vec<Tile>, Vec<Watch>) = plans[top].tiles.iter().filter_map(tile).unzip();
        if let Some(clocks) = &mut clocks {
            clocks.held.retain(|held| watches.iter().all(|watch| !watch.holds(held.registers.start)));
        }
        let tuner = tuner(options.threads, tiles.len().max(sliced.as_ref().map_or(0, |sliced| sliced.parts())));
        let most = tuner.candidates().iter().copied().max().unwrap_or(1);
        let logs = (0..most).map(|_| Log::new(sites.writes(), sites.tables(), board)).collect();
        let pool = |&threads: &usize| (threads > 1).then(|| Pool::new(tiles.clone(), threads - 1));
        let pools = tuner.candidates().iter().map(pool).collect();
        let top = modules[top].late.map(pointer);
        Ok(Self {
            top,
            active: Vec::with_capacity(tiles.len()),
            left: vec![],
            tiles,
            watches,
            tuner,
            pools,
            marks: Marks::new(&mark_layouts, scopes, sites),
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
        self.watches.iter_mut().for_each(Watch::forget);
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
        if let Some(top) = self.top {
            tell(&self.board, Activity::Wiring);
            // SAFETY: the arrays have the sizes of the layouts that the code was generated for (`State::new`, `Marks::new`),
            // and the code stays inside: offsets are those of the layouts, variable ones are checked against their bounds.
            // The logs have room for one evaluation (`Log::new`).
            failed |= unsafe { top.run(arrays, self.logs[0].frame()) };
        }
        if let Some(sliced) = &mut self.sliced {
            failed |= sliced.evaluate(state, edges, self.tuner.candidates()[pool]);
        }
        tell(&self.board, Activity::Rest);
        self.choose_tiles(state, edges);
        let arrays = Arrays::new(state, &mut self.marks, views);
        match &self.pools[pool] {
            Some(pool) if self.active.len() > 1 => failed |= pool.evaluate(arrays, &mut self.logs, &self.active),
            _ => {
                for &tile in &self.active {
                    tell(&self.board, Activity::Tile(self.tiles[tile].instance));
                    // SAFETY: as above, and the state is ours alone.
                    failed |= unsafe { self.tiles[tile].evaluate(arrays, self.logs[0].frame()) };
                }
            }
        }
        tell(&self.board, Activity::Rest);
        if failed {
            self.forget();
        } else {
            self.active.iter().for_each(|&tile| self.watches[tile].evaluated(state));
        }
        failed
    }

    /// Which tiles take part, and which are left out for want of an edge.
    fn choose_tiles(&mut self, state: &State, edges: Edges) {
        let Self { watches, active, left, .. } = self;
        active.clear();
        left.clear();
        if edges == Edges::ALL {
            active.extend((0..watches.len()).filter(|&tile| watches[tile].takes_part(state)));
            return;
        }
        for (tile, watch) in watches.iter_mut().enumerate() {
            match watch.takes_part_at(edges, state) {
                None => left.push(tile),
                Some(true) => active.push(tile),
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
            unsafe { self.tiles[tile].evaluate(arrays, self.logs[0].frame()) };
            self.watches[tile].forget();
        }
    }

    /// The clock edge of an evaluated state; `counted`: statistics go on.
    pub fn edge(&mut self, state: &mut State, edges: Edges, counted: bool) {
        self.time += u64::from(counted);
        if let Some(clocks) = &mut self.clocks {
            clocks.count(edges, counted);
            if edges != Edges::ALL {
                state.hold(&clocks.held, edges);
                self.watches.iter_mut().for_each(|watch| watch.hold(edges, state));
            }
        }
        self.logs.iter_mut().for_each(|log| log.write(&self.ports, state));
        std::mem::swap(&mut state.registers, &mut state.next);
        if let Some(sliced) = &mut self.sliced {
            sliced.commit(state, edges, counted);
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
fn coded(source: Source, context: Context, options: &Options) -> Result<(Coder, Vec<About>, bool), SimError> {
    let symbols = twins(context);
    let top = context.plans.last();
    let key = top.and_then(|top| kept::key(source, &top.elsewhere, options)).filter(|_| options.cache);
    let cache = key.and_then(|key| Some((Cache::of_user()?, key)));
    if let Some(found) = cache.as_ref().and_then(|(cache, key)| cache.get(key))
        && let Some((coder, notes)) = Coder::load(&found, &symbols)
        && let Some(modules) = kept::read(&notes, source.design.modules.len())
    {
        return Ok((coder, modules, true));
    }
    let mut compiler = Compiler::new(context, &symbols)?;
    let called = called_modules(source.design, context.plans);
    for (module, prepared) in passes::prepare(source, context.plans, options.passes).into_iter().enumerate() {
        compiler.module(module, prepared, called[module])?;
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
fn twins(context: Context) -> Vec<(String, *const u8)> {
    let modules = context.design.modules.iter().zip(context.plans);
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
    fn module(&mut self, module: usize, prepared: Prepared, called: bool) -> Result<(), SimError> {
        let Prepared { early, late, pure, stored } = prepared;
        self.context.module = module;
        self.modules.push(About { pure, stored, ..About::default() });
        let mut phase = |name, body: Option<Body>| body.filter(|_| called).map(|b| self.phase(name, &b)).transpose();
        let (early, late) = (phase("early", early)?, phase("late", late)?);
        let about = &mut self.modules[module];
        (about.early, about.late) = (early, late);
        Ok(())
    }

    /// The module under compilation.
    fn name(&self) -> &'a str {
        &self.context.design.modules[self.context.module].module.name
    }

    fn phase(&mut self, phase: &str, body: &Body) -> Result<FuncId, SimError> {
        let name = format!("{}.{phase}", self.name());
        let mut chunks = vec![];
        for chunk in 0..body.chunks.len() {
            let id = self.declare(&format!("{name}.{chunk}"))?;
            let (modules, code, context) = (&self.modules, &mut self.code, self.context);
            let mut builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder_context);
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let parameters = builder.block_params(block);
            let addresses = *parameters.first_chunk().expect("six addresses come first");
            let clocks = parameters.get(6).copied();
            // Declare what is called, each once.
            let mut functions = std::collections::HashMap::new();
            for step in &body.chunks[chunk] {
                if let Step::Call(call) = *step {
                    let child = body.function.calls[call].module;
                    if functions.contains_key(&child) {
                        continue;
                    }
                    let twin = context.plans[child].twin.map(|_| import_twin(context, code, child)).transpose()?;
                    let mut declare = |id: FuncId| code.jit.declare_func_in_func(id, builder.func);
                    let phases = [modules[child].early, modules[child].late, twin].map(|id| id.map(&mut declare));
                    functions.insert(child, phases);
                }
            }
            let emitter = Emitter::new(context, body, chunk, builder, addresses, clocks);
            let (builder, failed) = emitter.run(&Callees { functions: &|child| functions[&child] });
            end(builder, failed, self.code.jit.target_config());
            self.finish(id)?;
            chunks.push(id);
        }
        match chunks[..] {
            [only] => Ok(only),
            _ => self.driver(&name, &chunks, body.spill_words),
        }
    }

    /// Calls the chunks in turn, with one spill area.
    fn driver(&mut self, name: &str, chunks: &[FuncId], spill_words: u32) -> Result<FuncId, SimError> {
        let id = self.declare(name)?;
        let mut builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder_context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let mut arguments = builder.block_params(block).to_vec();
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * spill_words.max(1), 3);
        let slot = builder.create_sized_stack_slot(slot);
        arguments[5] = builder.ins().stack_addr(types::I64, slot, 0);
        let mut failed = builder.ins().iconst(types::I64, 0);
        for &chunk in chunks {
            let function = self.code.jit.declare_func_in_func(chunk, builder.func);
            let call = builder.ins().call(function, &arguments);
            let flag = builder.inst_results(call)[0];
            failed = builder.ins().bor(failed, flag);
        }
        end(builder, failed, self.code.jit.target_config());
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
