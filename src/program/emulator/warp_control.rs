//! Where the threads of a warp are: they share one program counter, and a stack says where those meet again that went
//! apart.

use super::{barriers::Arrival, error::EmulationError, machine::EmulatedBlocks};
use crate::isa::{Instruction, NO_RECONVERGENCE, Opcode, OperandB};

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
