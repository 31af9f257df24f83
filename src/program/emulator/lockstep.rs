//! Warps in lockstep: 32 threads share one program counter, and a stack says where those meet again that went apart.
//! Threads that come to a barrier apart wait there until all live threads of their warp have come, and go on together.
//!
//! Warps and blocks take turns, counted in branches, so that they may wait for each other in loops: [`turns`].
//!
//! [`WarpControl`] is that, and knows nothing of registers and memory. Who executes instructions is an [`Executor`]:
//! the interpreter ([`Interpreted`]), thread by thread, or machine code ([`super::compiled`]).

use super::{
    barriers::Arrival,
    error::EmulationError,
    executor::Executor,
    lane::{Lane, operand_b},
    machine::EmulatedBlocks,
    thread::Thread,
    turns,
    warp_control::WarpControl,
    warp_mask::{WARP, first, lanes},
};
use crate::isa::Instruction;

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
                machine.together = Some([acting, warp.control.live()]);
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
