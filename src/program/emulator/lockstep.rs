//! Warps in lockstep: 32 threads share one program counter, and a stack says where those meet again that went apart.
//! Threads that come to a barrier apart wait there until all live threads of their warp have come, and go on together.
//!
//! Warps and blocks take turns, counted in branches, so that they may wait for each other in loops: [`turns`].
//!
//! [`WarpControl`] is that, and knows nothing of registers and memory. Who executes instructions is an [`Executor`]:
//! the interpreter ([`Interpreted`]), thread by thread, or machine code ([`super::compiled`]).

use super::{EmulatedBlocks, EmulationError, Lane, Thread, WARP, barriers::Arrival, compiled, operand_b, turns};
use crate::{
    isa::{Instruction, NO_RECONVERGENCE, Opcode, OperandB},
    launch::Launch,
};

/// The outcome of a launch in lockstep.
#[derive(Debug, PartialEq, Eq)]
pub struct LockstepOutcome {
    /// Global memory from address 0.
    pub memory: Vec<u8>,
    /// Instructions executed, summed over threads (also those whose guard fails).
    pub thread_instructions: u64,
    /// Instructions issued, summed over warps.
    pub warp_instructions: u64,
    /// The same by address.
    pub issued: Vec<u64>,
}

/// Who executes the instructions of warps. What comes out is the same, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// One thread after the other, from the meaning of each instruction.
    Interpreter,
    /// Machine code for the kernel; the interpreter where this machine has none.
    Compiled,
}

/// One side of a branch: threads, where they are, and where they wait for the others.
struct Side {
    pc: u16,
    reconvergence_pc: u16,
    threads: u32,
}

/// Where the threads of a warp are.
pub(super) struct WarpControl {
    stack: Vec<Side>,
    live: u32,
    /// Threads that wait for others of the warp at the barrier `barrier`.
    arrived: u32,
    barrier: usize,
    /// What these say there.
    arrival: Option<Arrival>,
    /// What all have said, until somebody asks.
    gathered: Option<Arrival>,
}

/// Executes the instructions of warps.
pub(super) trait Executor {
    /// A warp with its registers.
    type Warp;
    /// Makes the warps of a new block.
    fn start(&mut self, machine: &mut EmulatedBlocks, warps: &mut Vec<Self::Warp>);
    /// The machine has the shared memory of another block that was started before.
    fn resume(&mut self, machine: &mut EmulatedBlocks);
    /// Where a warp is.
    fn control(warp: &Self::Warp) -> &WarpControl;
    /// Runs a warp up to and including its next barrier, which it tells, to its end, or for so many branches, exits and barriers.
    fn run(
        &mut self,
        warp: &mut Self::Warp,
        machine: &mut EmulatedBlocks,
        block: [u32; 3],
        turn: u32,
    ) -> Result<Option<Arrival>, EmulationError>;
    /// Instructions issued by address, so far.
    fn issued(self) -> Vec<u64>;
}

/// Runs a launch to its end, or to `limit` thread instructions, warp by warp.
///
/// # Errors
/// What a launch may do wrong, or more than `limit` thread instructions.
pub fn run_lockstep(launch: &Launch, limit: u64) -> Result<LockstepOutcome, EmulationError> {
    run_warps(launch, limit, Engine::Interpreter)
}

/// As [`run_lockstep`], on an engine of one's choice.
///
/// # Errors
/// What a launch may do wrong, or more than `limit` thread instructions.
pub fn run_warps(launch: &Launch, limit: u64, engine: Engine) -> Result<LockstepOutcome, EmulationError> {
    match engine {
        Engine::Interpreter => {
            let mut machine = EmulatedBlocks::new(launch, limit);
            let issued = execute(&mut machine)?;
            Ok(outcome(machine, issued))
        }
        Engine::Compiled => compiled::CompiledKernel::new(&launch.kernel).run(launch, limit),
    }
}

/// What a machine at its end has done.
pub(super) fn outcome(machine: EmulatedBlocks, issued: Vec<u64>) -> LockstepOutcome {
    let (memory, thread_instructions) = (machine.memory.into_whole(), machine.executed);
    LockstepOutcome { memory, thread_instructions, warp_instructions: issued.iter().sum(), issued }
}

/// Runs a machine to its end in the interpreter; returns the instructions issued by address.
pub(super) fn execute(machine: &mut EmulatedBlocks) -> Result<Vec<u64>, EmulationError> {
    let executor = Interpreted::new(machine);
    let (issued, ended) = execute_on(machine, executor);
    ended.map(|()| issued)
}

/// Runs a machine to its end; returns the instructions issued by address, and how it ended.
pub(super) fn execute_on<E: Executor>(
    machine: &mut EmulatedBlocks,
    mut executor: E,
) -> (Vec<u64>, Result<(), EmulationError>) {
    let ended = turns::run_all(machine, &mut executor);
    (executor.issued(), ended)
}

impl WarpControl {
    /// Threads at the start of the kernel.
    pub fn new(threads: u32) -> Self {
        let start = Side { pc: 0, reconvergence_pc: NO_RECONVERGENCE, threads };
        Self { stack: vec![start], live: threads, arrived: 0, barrier: 0, arrival: None, gathered: None }
    }

    /// The threads that have not ended.
    pub fn live(&self) -> u32 {
        self.live
    }

    /// Where the warp goes on, and with which threads; none where it has passed a barrier or ended.
    pub fn next(&mut self) -> Option<(usize, u32)> {
        while let Some(side) = self.stack.last_mut() {
            if self.arrived != 0 && self.arrived == self.live {
                let next = self.barrier as u16 + 1;
                self.stack.clear();
                self.stack.push(Side { pc: next, reconvergence_pc: NO_RECONVERGENCE, threads: self.live });
                self.arrived = 0;
                self.gathered = self.arrival.take();
                return None;
            }
            side.threads &= self.live & !self.arrived;
            if side.threads != 0 && side.pc != side.reconvergence_pc {
                return Some((side.pc.into(), side.threads));
            }
            self.stack.pop();
        }
        None
    }

    /// The barrier to which all live threads have come, once.
    pub fn take_gathered(&mut self) -> Option<Arrival> {
        self.gathered.take()
    }

    /// The threads that go on have executed so many instructions.
    pub fn advance(&mut self, instructions: u16) {
        if let Some(side) = self.stack.last_mut() {
            side.pc += instructions;
        }
    }

    /// Does an instruction that says where to go on, behind which the warp is already; `acting` are those of `threads` whose guard
    /// holds; at a barrier `arrival` is what they say. Tells whether it is one.
    pub fn steer(
        &mut self,
        machine: &EmulatedBlocks,
        (pc, i): (usize, &Instruction),
        [threads, acting]: [u32; 2],
        arrival: Option<Arrival>,
    ) -> Result<bool, EmulationError> {
        match (i.opcode, i.b) {
            (Opcode::Bra, OperandB::Immediate(value)) => self.branch(value, threads, acting),
            (Opcode::Exit, _) => self.live &= !acting,
            _ => {
                let Some(arrival) = arrival else { return Ok(false) };
                if self.arrived != 0 {
                    machine.one_barrier(self.barrier, pc)?;
                }
                self.arrival = Some(arrival.after(self.arrival, machine)?);
                self.arrived |= threads;
                self.barrier = pc;
            }
        }
        Ok(true)
    }

    fn branch(&mut self, immediate: u32, threads: u32, taken: u32) {
        let (target, reconvergence_pc) = (immediate as u16, (immediate >> 16) as u16);
        let Some(side) = self.stack.last_mut() else { return };
        if taken == threads {
            side.pc = target;
        } else if taken != 0 {
            let next = std::mem::replace(&mut side.pc, reconvergence_pc);
            self.stack.push(Side { pc: next, reconvergence_pc, threads: threads & !taken });
            self.stack.push(Side { pc: target, reconvergence_pc, threads: taken });
        }
    }
}

/// Says where a warp goes on, whatever its registers hold.
pub(super) fn is_control(i: &Instruction) -> bool {
    match i.opcode {
        Opcode::Bra => matches!(i.b, OperandB::Immediate(_)),
        opcode => opcode == Opcode::Exit || opcode.is_barrier(),
    }
}

/// The interpreter.
pub(super) struct Interpreted {
    issued: Vec<u64>,
}

impl Interpreted {
    /// For the code of a machine.
    pub fn new(machine: &EmulatedBlocks) -> Self {
        Self { issued: vec![0; machine.code.len()] }
    }
}

/// A warp of threads with their registers.
pub(super) struct Warp {
    threads: Vec<Thread>,
    control: WarpControl,
}

impl Warp {
    /// What these threads say at a barrier.
    fn arrival(
        &self,
        machine: &EmulatedBlocks,
        (pc, i): (usize, &Instruction),
        threads: u32,
    ) -> Result<Arrival, EmulationError> {
        let threads = || lanes(threads).map(|t| &self.threads[t]);
        let holding = threads().filter(|t| t.holds(i.p)).count() as u32;
        Arrival::new(machine, (pc, i), threads().map(|t| operand_b(i, t)), holding)
    }
}

impl Executor for Interpreted {
    type Warp = Warp;

    fn start(&mut self, machine: &mut EmulatedBlocks, warps: &mut Vec<Warp>) {
        warps.clear();
        let mut threads = machine.start_block().into_iter().peekable();
        while threads.peek().is_some() {
            let threads: Vec<Thread> = threads.by_ref().take(WARP).collect();
            warps.push(Warp { control: WarpControl::new(first(threads.len())), threads });
        }
    }

    fn resume(&mut self, _: &mut EmulatedBlocks) {}

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
        let mut left = turn;
        while left > 0
            && let Some((pc, threads)) = warp.control.next()
        {
            let i = machine.fetch(pc, threads.count_ones())?;
            self.issued[pc] += 1;
            warp.control.advance(1);
            let acts = |t: &usize| threads >> t & 1 == 1 && warp.threads[*t].holds(i.guard);
            let acting = (0..warp.threads.len()).filter(acts).fold(0, |mask, t| mask | 1 << t);
            let arrival = match i.opcode.is_barrier() {
                true => Some(warp.arrival(machine, (pc, &i), threads)?),
                false => None,
            };
            if warp.control.steer(machine, (pc, &i), [threads, acting], arrival)? {
                left -= 1;
            } else {
                machine.together = Some([acting, warp.control.live]);
                for t in lanes(acting) {
                    machine.data(&i, &mut warp.threads[t], block, pc)?;
                }
            }
        }
        Ok(warp.control.take_gathered())
    }

    fn issued(self) -> Vec<u64> {
        self.issued
    }
}

/// The mask of the first `count` threads of a warp.
pub(super) fn first(count: usize) -> u32 {
    u32::MAX >> (WARP - count.clamp(1, WARP))
}

/// The threads of a mask.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..WARP).filter(move |t| mask >> t & 1 == 1)
}
