//! The emulator at the speed of machine code: a kernel's blocks ([`blocks`]) are compiled with Cranelift ([`emit`]),
//! each to a function that executes it for all threads of a warp. Warps go their way as in the interpreter
//! ([`super::warp_control::WarpControl`]), warps and blocks take the same turns ([`super::turns`]), and memory, counts
//! and errors are the same as those of [`super::run_lockstep`].
//!
//! Registers lie by number, then by thread ([`state`]). Instructions that compute run for four threads at once
//! ([`alu`]); loads and stores look at all addresses at once ([`access`]). Everything else, an access that may be
//! wrong, an atomic, an opcode that is not known here, is done by the interpreter, one instruction and thread at a
//! time; so is a block in which the limit may be reached.

mod access;
mod alu;
mod blocks;
mod code_kind;
mod double;
mod emit;
mod program;
mod slots;
mod state;
mod wanted;

use super::{
    barriers::Arrival,
    error::EmulationError,
    executor::Executor,
    lockstep::{Interpreted, LockstepOutcome, execute_on, outcome},
    machine::EmulatedBlocks,
    warp_control::WarpControl,
    warp_mask::WARP,
};
use crate::{
    compile::{Kernel, checked::CheckedCode},
    isa::Instruction,
    launch::Launch,
};
use cranelift_codegen::{
    ir::{AbiParam, Signature, UserFuncName, types},
    isa::OwnedTargetIsa,
    settings::{self, Configurable},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use program::BlockProgram;
use slots::Slots;
use state::{BlockCode, MachineContext, Warp};
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// Thread instructions between looks at a limit that somebody else may lower.
const LOOK: u64 = 1 << 24;

/// A kernel in machine code.
pub struct CompiledKernel {
    words: Vec<u64>,
    code: Vec<Instruction>,
    /// None where there is no machine code for this machine.
    compiled: Option<Compiled>,
}

struct Compiled {
    /// Taken when dropped.
    jit: Option<JITModule>,
    blocks: Vec<CompiledBlock>,
    /// The block that begins at each instruction.
    starts: Vec<Option<u32>>,
    /// Slots of a warp.
    slots: usize,
}

/// Instructions that a warp executes one after the other.
struct CompiledBlock {
    range: Range<usize>,
    /// For all threads of a warp, and for some of them.
    code: [BlockCode; 2],
}

// SAFETY: machine code is only read, and called with memory of the caller's.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

impl CompiledKernel {
    /// Compiles a kernel. Where Cranelift does not know this machine, or has no vectors for it, the kernel is interpreted.
    pub fn new(kernel: &Kernel) -> Self {
        let code: Vec<Instruction> = kernel.code.iter().map_while(|&word| Instruction::decode(word)).collect();
        let compiled = Compiled::new(BlockProgram::new(&code, None, 0));
        Self { words: kernel.code.clone(), code, compiled }
    }

    /// It is machine code.
    pub fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }

    /// Runs a launch of this kernel as [`super::run_lockstep`] does. The launch of another kernel is interpreted.
    ///
    /// # Errors
    /// What a launch may do wrong, or more than `limit` thread instructions.
    pub fn run(&self, launch: &Launch, limit: u64) -> Result<LockstepOutcome, EmulationError> {
        let (outcome, ended) = self.run_machine(EmulatedBlocks::new(launch, limit));
        ended.map(|()| outcome)
    }

    /// As [`Self::run`], with a limit that may be lowered meanwhile: it is looked at some hundred times a second. Also when it ends with an
    /// error, what has been done until then is told.
    pub fn run_until(&self, launch: &Launch, limit: &AtomicU64) -> (LockstepOutcome, Result<(), EmulationError>) {
        self.run_machine(EmulatedBlocks { shared_limit: Some(limit), ..EmulatedBlocks::new(launch, 0) })
    }

    fn run_machine(&self, mut machine: EmulatedBlocks) -> (LockstepOutcome, Result<(), EmulationError>) {
        let (issued, ended) = match &self.compiled {
            Some(compiled) if machine.launch.kernel.code == self.words => {
                let runner = CompiledRunner::new(compiled, &self.code, &mut machine, false);
                execute_on(&mut machine, runner)
            }
            _ => {
                let interpreted = Interpreted::new(&machine);
                execute_on(&mut machine, interpreted)
            }
        };
        (outcome(machine, issued), ended)
    }
}

/// Runs a machine with code for checks to its end, when there is machine code for it, and nobody looks at single accesses.
pub(super) fn execute_checked(machine: &mut EmulatedBlocks, code: &CheckedCode) -> Option<Result<(), EmulationError>> {
    if machine.hazards.is_some() || machine.watched.is_some() || machine.loads.is_some() {
        return None;
    }
    let window = machine.launch.window();
    let compile = || CompiledChecks {
        window,
        compiled: Compiled::new(BlockProgram::new(&code.code, Some(&code.accesses), window)),
    };
    let kept = code.compiled.get_or_init(compile);
    let other = (kept.window != window).then(compile);
    let compiled = other.as_ref().unwrap_or(kept).compiled.as_ref()?;
    let runner = CompiledRunner::new(compiled, &code.code, machine, true);
    Some(execute_on(machine, runner).1)
}

/// Code for checks in machine code.
pub(crate) struct CompiledChecks {
    /// See [`BlockProgram::window`].
    window: u32,
    /// None where there is no machine code for this machine.
    compiled: Option<Compiled>,
}

/// The machine that runs us.
fn machine() -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "speed"),
        ("enable_verifier", verifier),
        ("unwind_info", "false"),
    ];
    for (flag, value) in wanted {
        flags.set(flag, value).ok()?;
    }
    cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
}

impl Compiled {
    fn new(program: BlockProgram) -> Option<Self> {
        if cfg!(target_endian = "big") {
            return None;
        }
        let jit = JITModule::new(JITBuilder::with_isa(machine()?, default_libcall_names()));
        let slots = wanted::used(&program);
        let mut compiled = Self { jit: Some(jit), blocks: vec![], starts: vec![None; program.code.len()], slots };
        let jit = compiled.jit.as_mut()?;
        let functions = define(jit, &program)?;
        jit.finalize_definitions().ok()?;
        let address = |id| {
            // SAFETY: `define` gave all functions this signature.
            unsafe { std::mem::transmute::<*const u8, BlockCode>(jit.get_finalized_function(id)) }
        };
        compiled.blocks =
            functions.into_iter().map(|(range, ids)| CompiledBlock { range, code: ids.map(address) }).collect();
        for (number, block) in compiled.blocks.iter().enumerate() {
            compiled.starts[block.range.start] = u32::try_from(number).ok();
        }
        Some(compiled)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        if let Some(jit) = self.jit.take() {
            // SAFETY: addresses of functions are in the blocks alone, which are called through a reference to this.
            unsafe { jit.free_memory() }
        }
    }
}

/// Compiles the blocks of a program: a function for full warps, and one for others.
fn define(jit: &mut JITModule, program: &BlockProgram) -> Option<Vec<(Range<usize>, [FuncId; 2])>> {
    let pointer = jit.target_config().pointer_type();
    if pointer != types::I64 {
        return None;
    }
    let mut block = jit.make_signature();
    block.params = [pointer, pointer, pointer, types::I32].map(AbiParam::new).to_vec();
    block.returns = vec![AbiParam::new(types::I64)];
    let mut step = jit.make_signature();
    step.params = [pointer, types::I32, types::I32].map(AbiParam::new).to_vec();
    step.returns = vec![AbiParam::new(types::I32)];
    let wanted = wanted::wanted(program);
    let content = (program, &wanted[..]);
    let mut coder = Coder { context: jit.make_context(), frontend: FunctionBuilderContext::new(), block, step };
    let ranges = blocks::blocks(program.code).into_iter();
    ranges
        .map(|range| {
            let full = coder.define(jit, content, &range, false)?;
            let partial = coder.define(jit, content, &range, true)?;
            Some((range, [full, partial]))
        })
        .collect()
}

/// What is needed for each function again.
struct Coder {
    context: cranelift_codegen::Context,
    frontend: FunctionBuilderContext,
    block: Signature,
    step: Signature,
}

impl Coder {
    fn define(
        &mut self,
        jit: &mut JITModule,
        content: (&BlockProgram, &[Slots]),
        range: &Range<usize>,
        partial: bool,
    ) -> Option<FuncId> {
        let name = format!("block_{}_{}", range.start, if partial { "partial" } else { "full" });
        let id = jit.declare_function(&name, Linkage::Local, &self.block).ok()?;
        self.context.func.signature = self.block.clone();
        self.context.func.name = UserFuncName::user(0, id.as_u32());
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        let step = builder.import_signature(self.step.clone());
        emit::block(&mut builder, content, range.clone(), partial, step)?;
        builder.seal_all_blocks();
        builder.finalize(jit.target_config());
        jit.define_function(id, &mut self.context).ok()?;
        jit.clear_context(&mut self.context);
        Some(id)
    }
}

/// Executes machine code.
struct CompiledRunner<'a> {
    compiled: &'a Compiled,
    code: &'a [Instruction],
    context: Box<MachineContext>,
    /// How often each block was executed as a whole.
    executions: Vec<u64>,
    /// Instructions that were executed one by one, by address.
    issued: Vec<u64>,
}

impl<'a> CompiledRunner<'a> {
    /// `checked`: the code is for checks.
    fn new(compiled: &'a Compiled, code: &'a [Instruction], machine: &mut EmulatedBlocks, checked: bool) -> Self {
        let (executions, issued) = (vec![0; compiled.blocks.len()], vec![0; code.len()]);
        Self { compiled, code, context: Box::new(MachineContext::new(machine, checked)), executions, issued }
    }

    /// One instruction, which may be the first behind the limit.
    fn single(
        &mut self,
        warp: &mut Warp,
        machine: &mut EmulatedBlocks,
        block: [u32; 3],
        (pc, threads): (usize, u32),
    ) -> Result<bool, EmulationError> {
        let i = machine.fetch(pc, threads.count_ones())?;
        self.issued[pc] += 1;
        warp.control.advance(1);
        let acting = threads & warp.holding(i.guard);
        let arrival = warp.arrival(machine, pc, threads)?;
        if warp.control.steer(machine, (pc, &i), [threads, acting], arrival)? {
            return Ok(true);
        }
        warp.data(machine, pc, threads, block)?;
        Ok(false)
    }
}

impl Executor for CompiledRunner<'_> {
    type Warp = Warp;

    fn start(&mut self, machine: &mut EmulatedBlocks, warps: &mut Vec<Warp>) {
        machine.clear_shared();
        self.context.start_block(machine);
        let block = machine.launch.block;
        if warps.is_empty() {
            let count = machine.launch.block_threads().div_ceil(WARP as u32);
            warps.extend((0..count).map(|number| Warp::new(number, block, self.compiled.slots)));
        } else {
            warps.iter_mut().for_each(|warp| warp.reset(block));
        }
    }

    fn resume(&mut self, machine: &mut EmulatedBlocks) {
        self.context.start_block(machine);
    }

    fn control(warp: &Warp) -> &WarpControl {
        &warp.control
    }

    fn run(
        &mut self,
        warp: &mut Warp,
        machine: &mut EmulatedBlocks,
        block: [u32; 3],
        turn: u32,
    ) -> Result<Option<Arrival>, EmulationError> {
        let compiled = self.compiled;
        let mut left = turn;
        while left > 0
            && let Some((pc, threads)) = warp.control.next()
        {
            let number = compiled.starts.get(pc).copied().flatten().map(|number| number as usize);
            let Some(CompiledBlock { range, code }) = number.map(|number| &compiled.blocks[number]) else {
                left -= u32::from(self.single(warp, machine, block, (pc, threads))?);
                continue;
            };
            let work = range.len() as u64 * u64::from(threads.count_ones());
            if machine.executed + work > machine.limit
                && let Some(limit) = machine.shared_limit
            {
                machine.limit = limit.load(Ordering::Relaxed).min(machine.executed.saturating_add(LOOK));
            }
            if machine.executed + work > machine.limit {
                left -= u32::from(self.single(warp, machine, block, (pc, threads))?);
                continue;
            }
            // SAFETY: the code is of this kernel, for warps with that many slots.
            let acting = unsafe { self.context.call(*code, (machine, warp), (block, threads)) }?;
            machine.executed = self.context.executed + work;
            self.executions[number.unwrap_or_default()] += 1;
            warp.control.advance(range.len() as u16);
            let last = range.end - 1;
            let arrival = warp.arrival(machine, last, threads)?;
            left -= u32::from(warp.control.steer(machine, (last, &self.code[last]), [threads, acting], arrival)?);
        }
        Ok(warp.control.take_gathered())
    }

    fn issued(self) -> Vec<u64> {
        let mut issued = self.issued;
        for (block, times) in self.compiled.blocks.iter().zip(self.executions) {
            issued[block.range.clone()].iter_mut().for_each(|count| *count += times);
        }
        issued
    }
}
