//! A behavioural reference model of the instruction set: runs a launch on the host, thread by thread, without warps, caches or
//! time. It exists to check the compiler without the chip and the chip against something; nothing of the chip is built from it.
//!
//! Each thread of a block runs up to its next barrier or its end, then the next thread does; blocks run one after the other.
//! Addresses out of bounds or unaligned are errors here, where hardware would just do something.
//!
//! [`lockstep`] runs warps of 32 threads with a reconvergence stack instead: it checks the reconvergence points that the compiler
//! put into branches, and counts the instructions that a core issues.

mod lockstep;

pub use lockstep::{LockstepOutcome, run_lockstep};

use super::isa::{Instruction, Opcode, OperandB, Operands, PT, Predicate, RZ};
use super::launch::Launch;
use super::semantics;
use thiserror::Error;

/// Threads of a warp.
const WARP: usize = 32;

/// What a kernel may do wrong.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum EmulationError {
    /// Outside the memory of its space.
    #[error("instruction {pc} (PTX line {line}): {space} address {address:#x} is outside its {size} bytes")]
    OutOfBounds {
        /// Address of the instruction.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// Memory space.
        space: &'static str,
        /// The address.
        address: u32,
        /// Bytes that there are.
        size: usize,
    },
    /// Not a multiple of its size.
    #[error("instruction {pc} (PTX line {line}): address {address:#x} is not a multiple of {bytes} bytes")]
    Unaligned {
        /// Address of the instruction.
        pc: usize,
        /// Line in the PTX file.
        line: u32,
        /// The address.
        address: u32,
        /// Size of the access.
        bytes: u32,
    },
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
    /// More instructions than allowed.
    #[error("not at the end after {limit} thread instructions")]
    Limit {
        /// The limit.
        limit: u64,
    },
}

/// The outcome of a launch.
#[derive(Debug)]
pub struct Outcome {
    /// Global memory from address 0.
    pub memory: Vec<u8>,
    /// Instructions executed, summed over threads (also those whose guard fails).
    pub thread_instructions: u64,
}

/// Runs a launch to its end, or to `limit` thread instructions.
pub fn run(launch: &Launch, limit: u64) -> Result<Outcome, EmulationError> {
    let mut machine = Machine::new(launch, limit);
    for block in blocks(launch) {
        machine.block(block)?;
    }
    Ok(Outcome { memory: machine.memory, thread_instructions: machine.executed })
}

/// Thread blocks in order: x fastest.
fn blocks(launch: &Launch) -> impl Iterator<Item = [u32; 3]> {
    let [gx, gy, gz] = launch.grid;
    (0..gz).flat_map(move |z| (0..gy).flat_map(move |y| (0..gx).map(move |x| [x, y, z])))
}

struct Machine<'a> {
    code: Vec<Instruction>,
    lines: &'a [u32],
    param: Vec<u8>,
    memory: Vec<u8>,
    shared: Vec<u8>,
    executed: u64,
    limit: u64,
    launch: &'a Launch,
}

struct Thread {
    registers: [u32; 256],
    predicates: [bool; 8],
    pc: usize,
    index: [u32; 3],
    linear: u32,
    ended: bool,
}

impl Thread {
    fn holds(&self, p: Predicate) -> bool {
        self.predicates[usize::from(p.index)] ^ p.negate
    }
}

impl<'a> Machine<'a> {
    fn new(launch: &'a Launch, limit: u64) -> Self {
        Self {
            code: launch.kernel.code.iter().map_while(|&w| Instruction::decode(w)).collect(),
            lines: &launch.kernel.lines,
            param: launch.param_words().iter().flat_map(|w| w.to_le_bytes()).collect(),
            memory: launch.memory_image(),
            shared: Vec::new(),
            executed: 0,
            limit,
            launch,
        }
    }

    /// Clears shared memory for a new block and makes its threads.
    fn start_block(&mut self) -> Vec<Thread> {
        self.shared = vec![0; self.launch.kernel.shared_bytes.next_multiple_of(4) as usize];
        let [bx, by, bz] = self.launch.block;
        (0..bx * by * bz)
            .map(|linear| {
                let mut predicates = [false; 8];
                predicates[usize::from(PT)] = true;
                let index = [linear % bx, linear / bx % by, linear / (bx * by)];
                Thread { registers: [0; 256], predicates, pc: 0, index, linear, ended: false }
            })
            .collect()
    }

    /// The instruction at `pc`, counted for so many threads.
    fn fetch(&mut self, pc: usize, threads: u32) -> Result<Instruction, EmulationError> {
        let Some(&instruction) = self.code.get(pc) else { return Err(EmulationError::NoInstruction { pc }) };
        self.executed += u64::from(threads);
        if self.executed > self.limit {
            return Err(EmulationError::Limit { limit: self.limit });
        }
        Ok(instruction)
    }

    fn line(&self, pc: usize) -> u32 {
        self.lines.get(pc).copied().unwrap_or(0)
    }

    fn block(&mut self, block: [u32; 3]) -> Result<(), EmulationError> {
        let mut threads = self.start_block();
        while threads.iter().any(|t| !t.ended) {
            for thread in threads.iter_mut().filter(|t| !t.ended) {
                self.run_to_barrier(thread, block)?;
            }
            for warp in threads.chunks(WARP) {
                let mut waiting = warp.iter().filter(|t| !t.ended).map(|t| t.pc - 1);
                if let Some(first) = waiting.next() {
                    waiting.try_for_each(|pc| self.one_barrier(first, pc))?;
                }
            }
        }
        Ok(())
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
                Opcode::Bar => return Ok(()),
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
    fn data(&mut self, i: &Instruction, t: &mut Thread, block: [u32; 3], pc: usize) -> Result<(), EmulationError> {
        let register = |r: u8| if r == RZ { 0 } else { t.registers[usize::from(r)] };
        let b = match i.b {
            OperandB::Register(r) => register(r),
            OperandB::Immediate(value) => value,
        };
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
            Operands::Load => self.load(i.opcode, a.wrapping_add(b), pc)?,
            Operands::Store => return self.store(i.opcode, a.wrapping_add(b), register(i.dst), pc),
            _ if i.opcode == Opcode::S2r => self.special(b, t, block),
            _ => {
                let operands = [a ^ signs[0], b ^ signs[1], c ^ signs[2]];
                let Some(result) = semantics::compute(i.opcode, operands, t.holds(i.p)) else { return Ok(()) };
                result
            }
        };
        if i.dst != RZ {
            t.registers[usize::from(i.dst)] = result;
        }
        Ok(())
    }

    fn special(&self, number: u32, t: &Thread, block: [u32; 3]) -> u32 {
        let index = (number % 3) as usize;
        match number {
            0..=2 => t.index[index],
            3..=5 => self.launch.block[index],
            6..=8 => block[index],
            9..=11 => self.launch.grid[index],
            12 => t.linear % 32,
            13 => t.linear / 32,
            _ => self.executed as u32,
        }
    }

    fn load(&self, opcode: Opcode, address: u32, pc: usize) -> Result<u32, EmulationError> {
        let (bytes, signed) = size(opcode);
        let (space, memory) = match opcode as u8 >> 3 & 3 {
            0 => ("global", &self.memory),
            1 => ("shared", &self.shared),
            _ => ("param", &self.param),
        };
        let at = self.check(space, memory.len(), address, bytes, pc)?;
        let mut word = [0; 4];
        word[..bytes as usize].copy_from_slice(&memory[at..at + bytes as usize]);
        let unused = 32 - 8 * bytes;
        let value = u32::from_le_bytes(word);
        Ok(if signed { ((value << unused) as i32 >> unused) as u32 } else { value })
    }

    fn store(&mut self, opcode: Opcode, address: u32, value: u32, pc: usize) -> Result<(), EmulationError> {
        let (bytes, _) = size(opcode);
        let global = opcode as u8 >> 3 & 3 == 0;
        let (space, length) = if global { ("global", self.memory.len()) } else { ("shared", self.shared.len()) };
        let at = self.check(space, length, address, bytes, pc)?;
        let memory = if global { &mut self.memory } else { &mut self.shared };
        memory[at..at + bytes as usize].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Ok(())
    }

    fn check(
        &self,
        space: &'static str,
        size: usize,
        address: u32,
        bytes: u32,
        pc: usize,
    ) -> Result<usize, EmulationError> {
        let line = self.line(pc);
        let at = address as usize;
        if at + bytes as usize > size {
            return Err(EmulationError::OutOfBounds { pc, line, space, address, size });
        }
        if !address.is_multiple_of(bytes) {
            return Err(EmulationError::Unaligned { pc, line, address, bytes });
        }
        Ok(at)
    }
}

fn set_predicate(t: &mut Thread, dst: u8, value: bool) -> Result<(), EmulationError> {
    if dst & 7 != PT {
        t.predicates[usize::from(dst & 7)] = value;
    }
    Ok(())
}

/// Bytes of an access, and whether it extends the sign.
fn size(opcode: Opcode) -> (u32, bool) {
    match opcode as u8 & 7 {
        0 => (4, false),
        1 => (1, false),
        2 => (1, true),
        3 => (2, false),
        _ => (2, true),
    }
}
