//! A block as a function of machine code. What only computes, up to the next load or store, is one loop over the 32
//! threads, four at a time, in which registers are values and are written back where they are read later. Loads and
//! stores are between such loops ([`super::access`]); what neither knows is a call of the interpreter.

use super::{
    access,
    alu::{self, splat},
    code_kind::CodeKind,
    double,
    program::BlockProgram,
    slots::{SLOTS, Slots, predicate, register},
    state::{MachineContext, STOPPED},
};
use crate::isa::{BARRIER_SUM, Instruction, Opcode, OperandB, Operands, PT, Predicate, RZ};
use cranelift_codegen::ir::{
    Block, BlockArg, InstBuilder, MemFlagsData, SigRef, Type, Value,
    condcodes::IntCC,
    types::{I32, I32X4, I64},
};
use cranelift_frontend::FunctionBuilder;
use std::{collections::HashMap, mem::offset_of, ops::Range};

/// Bytes of a slot.
const SLOT: i64 = 128;
/// Bytes of four threads.
pub const GROUP: i64 = 16;

/// A function under construction.
pub struct Emitter<'a, 'b> {
    pub builder: &'a mut FunctionBuilder<'b>,
    pub context: Value,
    pub registers: Value,
    index: Value,
    /// The threads that execute the block, as bits.
    pub threads: Value,
    /// They may be fewer than all.
    pub partial: bool,
    step: SigRef,
    start: usize,
    stopped: Block,
}

/// Memory of the emulator's own, which is there and aligned.
pub fn own() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Fills in the function of a block; `wanted`: slots that are read behind each instruction. None when it has something that nobody knows.
pub fn block(
    builder: &mut FunctionBuilder,
    (program, wanted): (&BlockProgram, &[Slots]),
    range: Range<usize>,
    partial: bool,
    step: SigRef,
) -> Option<()> {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[context, registers, index, mut threads] = builder.block_params(entry) else { return None };
    if !partial {
        threads = builder.ins().iconst(I32, i64::from(u32::MAX as i32));
    }
    let stopped = builder.create_block();
    let start = range.start;
    let mut e = Emitter { builder, context, registers, index, threads, partial, step, start, stopped };
    let mut pc = range.start;
    let mut acting = threads;
    while pc < range.end {
        match program.kind(pc) {
            CodeKind::Compute => {
                let same = |&pc: &usize| matches!(program.kind(pc), CodeKind::Compute | CodeKind::Nothing);
                let length = (pc..range.end).take_while(same).count();
                e.stretch(program, pc..pc + length, &wanted[pc + length - 1])?;
                pc += length;
                continue;
            }
            CodeKind::Nothing => {}
            CodeKind::Access => access::emit(&mut e, program, pc),
            CodeKind::Step => e.step(pc),
            CodeKind::Control => acting = e.acting(program.code[pc].guard),
        }
        pc += 1;
    }
    let acting = e.builder.ins().uextend(I64, acting);
    e.builder.ins().return_(&[acting]);
    e.builder.switch_to_block(stopped);
    let code = e.builder.ins().iconst(I64, STOPPED as i64);
    e.builder.ins().return_(&[code]);
    Some(())
}

/// The registers of four threads as values, in a loop.
struct EmittedValues {
    /// Where the four are in the first slot.
    place: Value,
    /// Where they are in any slot.
    offset: Value,
    known: HashMap<usize, Value>,
    written: Slots,
    /// A double whose high words are still to come: operation, destination, low words.
    low_part: Option<(Opcode, u8, [Value; 3])>,
}

impl Emitter<'_, '_> {
    /// A field of the context.
    pub fn field(&mut self, kind: Type, offset: usize) -> Value {
        self.builder.ins().load(kind, own(), self.context, offset as i32)
    }

    /// Goes on in a new block, which it returns.
    pub fn fresh(&mut self) -> Block {
        self.builder.create_block()
    }

    /// A loop over the groups of four threads: `body` gets their offset in a slot and the values that are carried from group to group, and
    /// returns those values anew.
    pub fn groups<const N: usize>(
        &mut self,
        carried: [Value; N],
        body: impl FnOnce(&mut Self, Value, [Value; N]) -> Option<[Value; N]>,
    ) -> Option<[Value; N]> {
        let (head, after) = (self.fresh(), self.fresh());
        let zero = self.builder.ins().iconst(I64, 0);
        let offset = self.builder.append_block_param(head, I64);
        let inside = carried.map(|value| {
            let kind = self.builder.func.dfg.value_type(value);
            self.builder.append_block_param(head, kind)
        });
        let arguments = |first: Value, rest: [Value; N]| -> Vec<BlockArg> {
            [first].into_iter().chain(rest).map(BlockArg::Value).collect()
        };
        self.builder.ins().jump(head, &arguments(zero, carried));
        self.builder.switch_to_block(head);
        let carried = body(self, offset, inside)?;
        let next = self.builder.ins().iadd_imm_s(offset, GROUP);
        let more = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, next, SLOT);
        self.builder.ins().brif(more, head, &arguments(next, carried), after, &[]);
        self.builder.switch_to_block(after);
        Some(carried)
    }

    /// Where four threads are in the first slot.
    pub fn place(&mut self, offset: Value) -> Value {
        self.builder.ins().iadd(self.registers, offset)
    }

    /// A slot of four threads.
    pub fn slot(&mut self, place: Value, slot: usize) -> Value {
        self.builder.ins().load(I32X4, own(), place, at(slot))
    }

    /// A register of four threads.
    pub fn register(&mut self, place: Value, number: u8) -> Value {
        if number == RZ { splat(self.builder, 0) } else { self.slot(place, register(number)) }
    }

    /// Writes a slot of four threads.
    pub fn set_slot(&mut self, place: Value, slot: usize, value: Value) {
        self.builder.ins().store(own(), value, place, at(slot));
    }

    /// Where four threads execute the block.
    pub fn executing(&mut self, offset: Value) -> Value {
        let lanes = self.builder.ins().iadd(self.context, offset);
        self.builder.ins().load(I32X4, own(), lanes, offset_of!(MachineContext, lanes) as i32)
    }

    /// The threads in which a guard holds, as bits.
    pub fn acting(&mut self, guard: Predicate) -> Value {
        if guard == Predicate::TRUE {
            return self.threads;
        }
        let mut all = self.builder.ins().iconst(I32, 0);
        for group in 0..8 {
            let at = at(predicate(guard.index)) + group * GROUP as i32;
            let four = self.builder.ins().load(I32X4, own(), self.registers, at);
            let bits = self.builder.ins().vhigh_bits(I32, four);
            let bits = self.builder.ins().ishl_imm_u(bits, i64::from(4 * group));
            all = self.builder.ins().bor(all, bits);
        }
        if guard.negate {
            all = self.builder.ins().bnot(all);
        }
        self.builder.ins().band(all, self.threads)
    }

    /// Has the interpreter do an instruction.
    pub fn step(&mut self, pc: usize) {
        let step = self.field(I64, offset_of!(MachineContext, step));
        let number = self.builder.ins().iconst(I32, (pc - self.start + 1) as i64);
        let pc = self.builder.ins().iconst(I32, pc as i64);
        let call = self.builder.ins().call_indirect(self.step, step, &[self.context, pc, number]);
        let failed = self.builder.inst_results(call)[0];
        let (stopped, next) = (self.stopped, self.fresh());
        self.builder.ins().brif(failed, stopped, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Instructions that only compute; `wanted`: slots that are read behind them.
    fn stretch(&mut self, program: &BlockProgram, range: Range<usize>, wanted: &Slots) -> Option<()> {
        let code = program.code;
        // What is the same in all threads is read once.
        let specials: Vec<Option<Value>> = range.clone().map(|pc| self.uniform_special(&code[pc], pc)).collect();
        self.groups([], |e, offset, []| {
            let place = e.place(offset);
            let mut values =
                EmittedValues { place, offset, known: HashMap::new(), written: Slots::default(), low_part: None };
            for (pc, &special) in range.clone().zip(&specials) {
                match (program.kind(pc), code[pc].opcode.operands()) {
                    (CodeKind::Compute, Operands::Double) => e.double(&mut values, &code[pc])?,
                    (CodeKind::Compute, _) => e.compute(&mut values, &code[pc], special)?,
                    _ => {}
                }
            }
            let executing = e.partial.then(|| e.executing(offset));
            for slot in (0..SLOTS).filter(|&slot| values.written.contains(slot) && wanted.contains(slot)) {
                let mut value = values.known[&slot];
                if let Some(executing) = executing {
                    let old = e.slot(place, slot);
                    value = e.builder.ins().bitselect(executing, value, old);
                }
                e.set_slot(place, slot, value);
            }
            Some([])
        })?;
        Some(())
    }

    /// Computes an instruction for four threads.
    fn compute(&mut self, values: &mut EmittedValues, i: &Instruction, special: Option<Value>) -> Option<()> {
        let constant = match i.b {
            OperandB::Immediate(value) => Some(value),
            OperandB::Register(_) => None,
        };
        let (slot, result) = match i.opcode.operands() {
            Operands::Compare => {
                let [a, b, _] = self.operands(values, i);
                (predicate(i.dst), alu::compare(self.builder, i.opcode, i.dst >> 3, a, b)?)
            }
            Operands::Logic => {
                let OperandB::Register(second) = i.b else { return None };
                let q = Predicate { index: second & 7, negate: second >> 3 & 1 == 1 };
                let [p, q] = [i.p, q].map(|p| self.holds(values, p));
                (predicate(i.dst), alu::logic(self.builder, i.dst >> 3, p, q))
            }
            _ if i.opcode == Opcode::S2r => {
                let value = match (special, constant?) {
                    (Some(value), _) => value,
                    (None, 12) => self.lane_numbers(values),
                    (None, direction) => {
                        let place = self.builder.ins().iadd(self.index, values.offset);
                        self.builder.ins().load(I32X4, own(), place, direction as i32 * SLOT as i32)
                    }
                };
                (register(i.dst), value)
            }
            _ => {
                let operands = self.operands(values, i);
                let p = self.holds(values, i.p);
                (register(i.dst), alu::compute(self.builder, i.opcode, operands, constant, p)?)
            }
        };
        self.write(values, i.guard, slot, result);
        Some(())
    }

    /// Computes one of the two instructions of a double for four threads.
    fn double(&mut self, values: &mut EmittedValues, i: &Instruction) -> Option<()> {
        if i.opcode != Opcode::DHigh {
            // Signs are in high words.
            let low = self.operands(values, &Instruction { negate: [false; 3], ..*i });
            values.low_part = Some((i.opcode, i.dst, low));
            return Some(());
        }
        let operands = self.operands(values, i);
        let (opcode, dst, low) = values.low_part.take()?;
        let [low, high] = double::compute(self.builder, opcode, low, operands)?;
        self.write(values, i.guard, register(dst), low);
        self.write(values, i.guard, register(i.dst), high);
        Some(())
    }

    /// Writes a slot of the four threads, where the guard holds.
    fn write(&mut self, values: &mut EmittedValues, guard: Predicate, slot: usize, result: Value) {
        if slot == register(RZ) || slot == predicate(PT) {
            return;
        }
        let result = match guard {
            Predicate::TRUE => result,
            guard => {
                let (guard, old) = (self.holds(values, guard), self.known(values, slot));
                self.builder.ins().bitselect(guard, result, old)
            }
        };
        values.known.insert(slot, result);
        values.written.insert(slot);
    }

    /// Operands a, b, c with their signs.
    fn operands(&mut self, values: &mut EmittedValues, i: &Instruction) -> [Value; 3] {
        let mut word = |number: u8| match number {
            RZ => splat(self.builder, 0),
            _ => self.known(values, register(number)),
        };
        let (a, c) = (word(i.a), word(i.c));
        let b = match i.b {
            OperandB::Register(number) => word(number),
            OperandB::Immediate(value) => splat(self.builder, value),
        };
        let mut operands = [a, b, c];
        for (operand, negate) in operands.iter_mut().zip(i.negate) {
            if negate {
                *operand = alu::negated(self.builder, *operand);
            }
        }
        operands
    }

    /// A slot of the four threads, as it is by now.
    fn known(&mut self, values: &mut EmittedValues, slot: usize) -> Value {
        if let Some(&value) = values.known.get(&slot) {
            return value;
        }
        let value = self.slot(values.place, slot);
        values.known.insert(slot, value);
        value
    }

    fn holds(&mut self, values: &mut EmittedValues, p: Predicate) -> Value {
        if p.index == PT {
            return splat(self.builder, if p.negate { 0 } else { u32::MAX });
        }
        let value = self.known(values, predicate(p.index));
        if p.negate { self.builder.ins().bnot(value) } else { value }
    }

    fn lane_numbers(&mut self, values: &EmittedValues) -> Value {
        let first = self.builder.ins().ireduce(I32, values.offset);
        let first = self.builder.ins().ushr_imm_u(first, 2);
        let (first, ramp) = (self.builder.ins().splat(I32X4, first), alu::ramp(self.builder, 1));
        self.builder.ins().iadd(first, ramp)
    }

    /// A special register that is the same in all threads.
    fn uniform_special(&mut self, i: &Instruction, pc: usize) -> Option<Value> {
        let OperandB::Immediate(number) = i.b else { return None };
        let word = match number {
            _ if i.opcode != Opcode::S2r => return None,
            0..=2 | 12 => return None,
            3..=11 | 13 | BARRIER_SUM => self.field(I32, offset_of!(MachineContext, specials) + 4 * number as usize),
            // The clock counts what has been executed, this one included.
            _ => {
                let before = self.field(I64, offset_of!(MachineContext, executed));
                let before = self.builder.ins().ireduce(I32, before);
                let count = self.field(I32, offset_of!(MachineContext, count));
                let own = self.builder.ins().imul_imm_u(count, (pc - self.start + 1) as i64);
                self.builder.ins().iadd(before, own)
            }
        };
        Some(self.builder.ins().splat(I32X4, word))
    }
}

/// Where a slot is.
pub fn at(slot: usize) -> i32 {
    slot as i32 * SLOT as i32
}
