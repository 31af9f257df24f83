//! A behavioural reference model of the instruction set: runs a launch on the host, thread by thread, without warps,
//! caches or time. It exists to check the compiler without the chip and the chip against something; nothing of the chip
//! is built from it.
//!
//! Each thread of a block runs up to its next barrier or its end, then the next thread does; blocks run one after the
//! other ([`run`]; warps and blocks that wait for each other end in [`run_warps`]). Addresses out of bounds or
//! unaligned are errors here ([`BadAccess`]), where hardware would just do something. Code for checks on memory
//! ([`super::memcheck`]) knows more of its accesses, and buffers may stand elsewhere than in the chip's memory.
//!
//! [`lockstep`] runs warps of 32 threads with a reconvergence stack instead: it checks the reconvergence points that
//! the compiler put into branches, and counts the instructions that a core issues. [`compiled`] does the same at the
//! speed of machine code.

mod barriers;
mod checked;
mod compiled;
mod hazards;
mod loads;
mod lockstep;
mod memory;
pub mod memory_pool;
mod turns;

pub use compiled::CompiledKernel;
pub use hazards::CheckKinds;
pub use loads::{WarpLoad, run_for_loads};
pub use lockstep::{Engine, LockstepOutcome, run_lockstep, run_warps};
pub use memory::{BadAccess, EmulatedAccess, Fault, Space};

pub(super) use checked::{AccessOrder, EmulationWatch, run_checked};
pub(crate) use compiled::CompiledChecks;

use super::compile::checked::CheckedAccess;
use super::isa::{BARRIER_SUM, Instruction, Opcode, OperandB, Operands, PT, Predicate, RZ};
use super::launch::Launch;
use super::semantics;
use barriers::Arrival;
use memory::{At, Pieces};
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// Threads of a warp.
const WARP: usize = 32;

/// What a kernel may do wrong.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EmulationError {
    /// A load or store that cannot be.
    #[error(transparent)]
    Access(#[from] Box<BadAccess>),
    /// Ran off the code, or into a word that is no instruction.
    #[error("no instruction at {pc}")]
    NoInstruction {
        /// The address.
        pc: usize,
    },
    /// Threads of a warp wait at different barriers.
    #[error(
        "instruction {pc} (PTX line {line}): a barrier for some threads of a warp, while others of it wait at the barrier of \
         instruction {other} (PTX line {other_line})"
    )]
    DivergentBarrier {
        /// Address of the instruction.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// Address of the other barrier.
        other: usize,
        /// Its line.
        other_line: u32,
    },
    /// A warp comes to a barrier that cannot be.
    #[error("instruction {pc} (PTX line {line}): {what}")]
    BadBarrier {
        /// Address of the instruction.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// What is wrong.
        what: String,
    },
    /// Warps wait at barriers, and nobody is left to come.
    #[error("warps of a block wait for ever: {waiting}")]
    Stuck {
        /// Address of the instruction of one of them.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// Which, and where.
        waiting: String,
    },
    /// More instructions than allowed.
    #[error("not finished after {limit} thread instructions")]
    Limit {
        /// The limit.
        limit: u64,
    },
}

/// The outcome of a launch.
#[derive(Debug)]
pub struct LaunchOutcome {
    /// Global memory from address 0.
    pub memory: Vec<u8>,
    /// Instructions executed, summed over threads (also those whose guard fails).
    pub thread_instructions: u64,
}

/// Runs a launch to its end, or to `limit` thread instructions.
pub fn run(launch: &Launch, limit: u64) -> Result<LaunchOutcome, EmulationError> {
    if launch.kernel.in_step {
        let LockstepOutcome { memory, thread_instructions, .. } = run_lockstep(launch, limit)?;
        return Ok(LaunchOutcome { memory, thread_instructions });
    }
    let mut machine = EmulatedBlocks::new(launch, limit);
    for block in blocks(launch) {
        machine.block(block)?;
    }
    Ok(LaunchOutcome { memory: machine.memory.into_whole(), thread_instructions: machine.executed })
}

/// Thread blocks in order: x fastest.
fn blocks(launch: &Launch) -> impl Iterator<Item = [u32; 3]> {
    let [gx, gy, gz] = launch.grid;
    (0..gz).flat_map(move |z| (0..gy).flat_map(move |y| (0..gx).map(move |x| [x, y, z])))
}

/// Index in a block of that shape of the thread with that number.
pub(crate) fn index_of(linear: u32, [width, height, _]: [u32; 3]) -> [u32; 3] {
    [linear % width, linear / width % height, linear / (width * height)]
}

struct EmulatedBlocks<'a> {
    code: Vec<Instruction>,
    lines: &'a [u32],
    /// Of each instruction, in code for checks.
    accesses: &'a [Option<CheckedAccess>],
    param: Pieces,
    memory: Pieces,
    shared: Pieces,
    executed: u64,
    limit: u64,
    /// Takes the place of `limit`, which is then the number at which to look at it.
    shared_limit: Option<&'a AtomicU64>,
    watched: Option<(u64, [u32; 3])>,
    /// Each load of a thread from global memory, if they are asked for.
    loads: Option<Vec<loads::Load>>,
    hazards: Option<hazards::Hazards>,
    /// The threads of a warp that act, and those that have not ended.
    together: Option<[u32; 2]>,
    barriers: barriers::Barriers,
    launch: &'a Launch,
}

struct Thread {
    registers: [u32; 256],
    predicates: [bool; 8],
    pc: usize,
    index: [u32; 3],
    linear: u32,
    ended: bool,
    /// Of the atomic that comes next.
    high_part: Option<HighPart>,
    /// Before a `DHIGH`.
    low_part: Option<LowPart>,
}

/// A double-precision instruction whose high words are still to come.
#[derive(Clone, Copy)]
struct LowPart {
    opcode: Opcode,
    dst: u8,
    operands: [u32; 3],
}

/// High words of an atomic of 64 bits.
#[derive(Clone, Copy)]
struct HighPart {
    dst: u8,
    operand: u32,
    compare: u32,
}

/// What an instruction sees of the thread that executes it.
trait Lane {
    /// A register other than [`RZ`].
    fn register(&self, number: u8) -> u32;
    /// Writes a register other than [`RZ`].
    fn set_register(&mut self, number: u8, value: u32);
    /// The value of a predicate.
    fn holds(&self, p: Predicate) -> bool;
    /// Writes a predicate other than [`PT`].
    fn set_predicate(&mut self, index: u8, value: bool);
    /// Index of the thread in its block.
    fn index(&self) -> [u32; 3];
    /// Number of the thread in its block.
    fn linear(&self) -> u32;
    /// Of the atomic that comes next.
    fn high_part(&mut self) -> &mut Option<HighPart>;
    /// Of the double whose high words come next.
    fn low_part(&mut self) -> &mut Option<LowPart>;
}

impl Lane for Thread {
    fn register(&self, number: u8) -> u32 {
        self.registers[usize::from(number)]
    }

    fn set_register(&mut self, number: u8, value: u32) {
        self.registers[usize::from(number)] = value;
    }

    fn holds(&self, p: Predicate) -> bool {
        self.predicates[usize::from(p.index)] ^ p.negate
    }

    fn set_predicate(&mut self, index: u8, value: bool) {
        self.predicates[usize::from(index)] = value;
    }

    fn index(&self) -> [u32; 3] {
        self.index
    }

    fn linear(&self) -> u32 {
        self.linear
    }

    fn high_part(&mut self) -> &mut Option<HighPart> {
        &mut self.high_part
    }

    fn low_part(&mut self) -> &mut Option<LowPart> {
        &mut self.low_part
    }
}

impl<'a> EmulatedBlocks<'a> {
    fn new(launch: &'a Launch, limit: u64) -> Self {
        let code = launch.kernel.code.iter().map_while(|&w| Instruction::decode(w)).collect();
        let memory = Pieces::whole(launch.memory_image());
        Self { limit, ..Self::with(launch, code, &launch.kernel.lines, memory, &launch.param_words()) }
    }

    /// A machine that stops at once: it has no limit yet.
    fn with(launch: &'a Launch, code: Vec<Instruction>, lines: &'a [u32], memory: Pieces, param: &[u32]) -> Self {
        Self {
            code,
            lines,
            accesses: &[],
            param: Pieces::whole(param.iter().flat_map(|word| word.to_le_bytes()).collect()),
            memory,
            shared: Pieces::whole(vec![]),
            executed: 0,
            limit: 0,
            shared_limit: None,
            watched: None,
            loads: None,
            hazards: None,
            together: None,
            barriers: barriers::Barriers::default(),
            launch,
        }
    }

    /// Clears shared memory and barriers for a new block.
    fn clear_shared(&mut self) {
        let warps = (self.launch.block_threads() as usize).div_ceil(WARP);
        self.hazards.iter_mut().for_each(|hazards| hazards.block(warps));
        self.barriers = barriers::Barriers::new(warps);
        self.shared = Pieces::whole(vec![0; self.launch.shared_bytes() as usize]);
    }

    /// Clears shared memory for a new block and makes its threads.
    fn start_block(&mut self) -> Vec<Thread> {
        self.clear_shared();
        let [bx, by, bz] = self.launch.block;
        (0..bx * by * bz)
            .map(|linear| {
                let mut predicates = [false; 8];
                predicates[usize::from(PT)] = true;
                let index = index_of(linear, self.launch.block);
                let registers = [0; 256];
                Thread { registers, predicates, pc: 0, index, linear, ended: false, high_part: None, low_part: None }
            })
            .collect()
    }

    /// The instruction at `pc`, counted for so many threads.
    fn fetch(&mut self, pc: usize, threads: u32) -> Result<Instruction, EmulationError> {
        let Some(&instruction) = self.code.get(pc) else { return Err(EmulationError::NoInstruction { pc }) };
        self.executed += u64::from(threads);
        if self.executed > self.limit {
            self.look_at_limit()?;
        }
        Ok(instruction)
    }

    fn line(&self, pc: usize) -> u32 {
        self.lines.get(pc).copied().unwrap_or(0)
    }

    fn block(&mut self, block: [u32; 3]) -> Result<(), EmulationError> {
        let mut threads = self.start_block();
        let is_live = |warp: &[Thread]| warp.iter().any(|t| !t.ended);
        while is_live(&threads) {
            let mut went = false;
            for (number, warp) in threads.chunks_mut(WARP).enumerate() {
                if self.barriers.waits(number) {
                    continue;
                }
                for thread in warp.iter_mut().filter(|t| !t.ended) {
                    self.run_to_barrier(thread, block)?;
                    went = true;
                }
                if let Some(arrival) = self.arrival(warp)? {
                    self.arrive(number, arrival)?;
                }
            }
            self.pass_whole_barriers(|number| threads.chunks(WARP).nth(number).is_some_and(is_live));
            if !went && let Some(stuck) = self.barriers.stuck(self) {
                return Err(stuck);
            }
        }
        Ok(())
    }

    /// The barrier that all live threads of a warp have come to.
    fn arrival(&self, warp: &[Thread]) -> Result<Option<Arrival>, EmulationError> {
        let live: Vec<&Thread> = warp.iter().filter(|t| !t.ended).collect();
        let Some(first) = live.first().map(|t| t.pc - 1) else { return Ok(None) };
        live.iter().try_for_each(|t| self.one_barrier(first, t.pc - 1))?;
        let i = self.code[first];
        let holding = live.iter().filter(|t| t.holds(i.p)).count() as u32;
        Arrival::new(self, (first, &i), live.iter().map(|t| operand_b(&i, *t)), holding).map(Some)
    }

    /// Threads of a warp wait at the barriers at `first` and `pc`: it has to be the same one.
    fn one_barrier(&self, first: usize, pc: usize) -> Result<(), EmulationError> {
        if first == pc {
            return Ok(());
        }
        let (line, other_line) = (self.line(pc), self.line(first));
        Err(EmulationError::DivergentBarrier { pc, line, other: first, other_line })
    }

    /// Runs one thread up to and including its next barrier, or to its end.
    fn run_to_barrier(&mut self, t: &mut Thread, block: [u32; 3]) -> Result<(), EmulationError> {
        loop {
            let pc = t.pc;
            let i = self.fetch(pc, 1)?;
            t.pc += 1;
            if !t.holds(i.guard) {
                continue;
            }
            match i.opcode {
                opcode if opcode.is_barrier() => return Ok(()),
                Opcode::Exit => {
                    t.ended = true;
                    return Ok(());
                }
                Opcode::Bra => {
                    if let OperandB::Immediate(value) = i.b {
                        t.pc = usize::from(value as u16);
                    }
                }
                _ => self.data(&i, t, block, pc)?,
            }
        }
    }

    /// Instructions that write a register, a predicate or memory.
    fn data(&mut self, i: &Instruction, t: &mut impl Lane, block: [u32; 3], pc: usize) -> Result<(), EmulationError> {
        let register = |r: u8| if r == RZ { 0 } else { t.register(r) };
        let b = operand_b(i, t);
        let (a, c) = (register(i.a), register(i.c));
        let signs = i.negate.map(|n| u32::from(n) << 31);
        let result = match i.opcode.operands() {
            Operands::Compare => {
                let outcome = semantics::compare(i.opcode, i.dst >> 3, a ^ signs[0], b ^ signs[1]);
                return set_predicate(t, i.dst, outcome);
            }
            Operands::Logic => {
                let OperandB::Register(second) = i.b else { return Err(EmulationError::NoInstruction { pc }) };
                let q = Predicate { index: second & 7, negate: second >> 3 & 1 == 1 };
                let outcome = semantics::logic(i.dst >> 3, t.holds(i.p), t.holds(q));
                return set_predicate(t, i.dst, outcome);
            }
            Operands::Load | Operands::Store => {
                let high = self.high_word(pc, t);
                let address = u64::from(high) << 32 | u64::from(a.wrapping_add(b));
                let value = register(i.dst);
                match self.access(i.opcode, address, value, At { pc, block, thread: t.index() })? {
                    Some(loaded) => loaded,
                    None => return Ok(()),
                }
            }
            Operands::Atomic if i.opcode.is_high_part() => {
                *t.high_part() = Some(HighPart { dst: i.dst, operand: c, compare: b });
                return Ok(());
            }
            Operands::Atomic => {
                let address = u64::from(self.high_word(pc, t)) << 32 | u64::from(a);
                let high = t.high_part().take();
                let word = |low: u32, high: Option<u32>| u64::from(high.unwrap_or(0)) << 32 | u64::from(low);
                let values = [word(c, high.map(|high| high.operand)), word(b, high.map(|high| high.compare))];
                let at = At { pc, block, thread: t.index() };
                let old = self.atomic(i.opcode, high.is_some(), address, values, at)?;
                if let Some(HighPart { dst, .. }) = high.filter(|high| high.dst != RZ) {
                    t.set_register(dst, (old >> 32) as u32);
                }
                old as u32
            }
            Operands::Double if i.opcode == Opcode::DHigh => {
                let high = [a ^ signs[0], b ^ signs[1], c ^ signs[2]];
                let Some(LowPart { opcode, dst, operands: low }) = t.low_part().take() else { return Ok(()) };
                let operands = [0, 1, 2].map(|k| u64::from(high[k]) << 32 | u64::from(low[k]));
                let result = semantics::double(opcode, operands);
                if dst != RZ {
                    t.set_register(dst, result as u32);
                }
                (result >> 32) as u32
            }
            Operands::Double => {
                *t.low_part() = Some(LowPart { opcode: i.opcode, dst: i.dst, operands: [a, b, c] });
                return Ok(());
            }
            _ if i.opcode == Opcode::S2r => self.special(b, t, block),
            _ => {
                let operands = [a ^ signs[0], b ^ signs[1], c ^ signs[2]];
                let Some(result) = semantics::compute(i.opcode, operands, t.holds(i.p)) else { return Ok(()) };
                result
            }
        };
        if i.dst != RZ {
            t.set_register(i.dst, result);
        }
        Ok(())
    }

    fn special(&self, number: u32, t: &impl Lane, block: [u32; 3]) -> u32 {
        let index = (number % 3) as usize;
        match number {
            0..=2 => t.index()[index],
            3..=5 => self.launch.block[index],
            6..=8 => block[index],
            9..=11 => self.launch.grid[index],
            12 => t.linear() % 32,
            13 => t.linear() / 32,
            BARRIER_SUM => self.barriers.sum(t.linear() as usize / WARP),
            _ => self.executed as u32,
        }
    }
}

/// The second source of a thread.
fn operand_b(i: &Instruction, t: &impl Lane) -> u32 {
    match i.b {
        OperandB::Register(RZ) => 0,
        OperandB::Register(number) => t.register(number),
        OperandB::Immediate(value) => value,
    }
}

fn set_predicate(t: &mut impl Lane, dst: u8, value: bool) -> Result<(), EmulationError> {
    if dst & 7 != PT {
        t.set_predicate(dst & 7, value);
    }
    Ok(())
}
