//! Warps in lockstep: 32 threads share one program counter, and a stack says where those meet again that went apart. Threads that
//! come to a barrier apart wait there until all live threads of their warp have come, and go on together.

use super::{EmulationError, Machine, Thread, WARP, blocks, hazards::Hazards};
use crate::{
    isa::{NO_RECONVERGENCE, Opcode, OperandB},
    launch::Launch,
};

/// The outcome of a launch in lockstep.
#[derive(Debug)]
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

/// One side of a branch: threads, where they are, and where they wait for the others.
struct Side {
    pc: u16,
    reconvergence_pc: u16,
    threads: u32,
}

struct Warp {
    threads: Vec<Thread>,
    stack: Vec<Side>,
    live: u32,
    /// Threads that wait for others of the warp at the barrier `barrier`.
    arrived: u32,
    barrier: usize,
}

/// Runs a launch to its end, or to `limit` thread instructions, warp by warp.
pub fn run_lockstep(launch: &Launch, limit: u64) -> Result<LockstepOutcome, EmulationError> {
    let mut machine = Machine::new(launch, limit);
    let issued = execute(&mut machine)?;
    let (memory, thread_instructions) = (machine.memory.into_whole(), machine.executed);
    let warp_instructions = issued.iter().sum();
    Ok(LockstepOutcome { memory, thread_instructions, warp_instructions, issued })
}

/// Runs a machine to its end; returns the instructions issued by address.
pub(super) fn execute(machine: &mut Machine) -> Result<Vec<u64>, EmulationError> {
    let mut issued = vec![0; machine.code.len()];
    for block in blocks(machine.launch) {
        let mut warps: Vec<Warp> = Vec::new();
        for thread in machine.start_block() {
            if (thread.linear as usize).is_multiple_of(WARP) {
                warps.push(Warp { threads: vec![], stack: vec![], live: 0, arrived: 0, barrier: 0 });
            }
            if let Some(warp) = warps.last_mut() {
                warp.live |= 1 << warp.threads.len();
                warp.threads.push(thread);
            }
        }
        for warp in &mut warps {
            warp.stack.push(Side { pc: 0, reconvergence_pc: NO_RECONVERGENCE, threads: warp.live });
        }
        while warps.iter().any(|w| w.live != 0) {
            for warp in warps.iter_mut().filter(|w| w.live != 0) {
                warp.run_to_barrier(machine, block, &mut issued)?;
            }
            machine.hazards.iter_mut().for_each(Hazards::barrier);
        }
    }
    Ok(issued)
}

impl Warp {
    /// Runs up to and including the next barrier, or to the end; counts instructions by address.
    fn run_to_barrier(
        &mut self,
        machine: &mut Machine,
        block: [u32; 3],
        issued: &mut [u64],
    ) -> Result<(), EmulationError> {
        while let Some(side) = self.stack.last_mut() {
            if self.arrived != 0 && self.arrived == self.live {
                self.stack =
                    vec![Side { pc: self.barrier as u16 + 1, reconvergence_pc: NO_RECONVERGENCE, threads: self.live }];
                self.arrived = 0;
                return Ok(());
            }
            side.threads &= self.live & !self.arrived;
            if side.threads == 0 || side.pc == side.reconvergence_pc {
                self.stack.pop();
                continue;
            }
            let (pc, threads) = (usize::from(side.pc), side.threads);
            let i = machine.fetch(pc, threads.count_ones())?;
            issued[pc] += 1;
            side.pc += 1;
            let acting = |t: &usize| threads >> t & 1 == 1 && self.threads[*t].holds(i.guard);
            let taken: Vec<usize> = (0..self.threads.len()).filter(acting).collect();
            let mask = taken.iter().fold(0u32, |mask, t| mask | 1 << t);
            match (i.opcode, i.b) {
                (Opcode::Bra, OperandB::Immediate(value)) => {
                    let (target, reconvergence_pc) = (value as u16, (value >> 16) as u16);
                    if mask == threads {
                        side.pc = target;
                    } else if mask != 0 {
                        let next = std::mem::replace(&mut side.pc, reconvergence_pc);
                        self.stack.push(Side { pc: next, reconvergence_pc, threads: threads & !mask });
                        self.stack.push(Side { pc: target, reconvergence_pc, threads: mask });
                    }
                }
                (Opcode::Exit, _) => self.live &= !mask,
                (Opcode::Bar, _) => {
                    if self.arrived != 0 {
                        machine.one_barrier(self.barrier, pc)?;
                    }
                    self.arrived |= threads;
                    self.barrier = pc;
                }
                _ => {
                    machine.together = Some([mask, self.live]);
                    for t in taken {
                        machine.data(&i, &mut self.threads[t], block, pc)?;
                    }
                }
            }
        }
        Ok(())
    }
}
