//! Executes instructions one thread at a time.

use super::{
    barriers::Arrival,
    error::EmulationError,
    lane::{HighPart, Lane, LowPart, operand_b, set_predicate},
    machine::EmulatedBlocks,
    places::At,
    thread::Thread,
    warp_mask::WARP,
};
use crate::{
    isa::{BARRIER_SUM, Instruction, Opcode, OperandB, Operands, Predicate, RZ},
    semantics,
};

impl EmulatedBlocks<'_> {
    /// Runs a block, thread by thread from barrier to barrier.
    pub(super) fn block(&mut self, block: [u32; 3]) -> Result<(), EmulationError> {
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
    pub(super) fn data(
        &mut self,
        i: &Instruction,
        t: &mut impl Lane,
        block: [u32; 3],
        pc: usize,
    ) -> Result<(), EmulationError> {
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
