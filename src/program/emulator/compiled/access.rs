//! Loads and stores in machine code. First the addresses of all threads are looked at together: whether all are in
//! memory where nobody has to be asked, and whether they are one word, or words side by side. What is not so simple
//! goes thread by thread, and what may be wrong is left to the interpreter, which knows how to say it.

use super::{
    alu::{ramp, splat},
    emit::{Emitter, GROUP, at, own},
    program::BlockProgram,
    slots::{predicate, register},
    state::{MachineContext, Region, RegionKind},
    wanted::high_register,
};
use crate::{
    emulator::{
        bad_access::Space,
        memory::{size, space_of},
    },
    isa::{Instruction, OperandB, Operands, Predicate, RZ},
};
use cranelift_codegen::ir::{
    Block, BlockArg, Endianness, InstBuilder, MemFlagsData, Value,
    condcodes::IntCC,
    types::{I32, I32X4, I64},
};
use std::mem::{offset_of, size_of};

/// An access under construction.
struct AccessCode<'a> {
    i: &'a Instruction,
    store: bool,
    bytes: u32,
    signed: bool,
    /// Bytes of the access that this is a part of, and how many are before it.
    whole: [u32; 2],
    /// Has the high word of its address, which has to be 0.
    high: Option<u8>,
    /// What does not count in it.
    window: u32,
    /// The first byte of its region.
    base: Value,
    /// The threads that take part, as bits.
    acting: Value,
    /// They are all 32, which is known beforehand.
    always: bool,
    done: Block,
}

/// What the addresses of all threads are like.
struct Offsets {
    /// From the start of the region, of the first thread.
    first: Value,
    /// Something is not in the region, or not aligned.
    bad: Value,
    /// Nothing but zeros where the threads' words are side by side.
    scattered: Value,
    /// The same where they are one word.
    different: Value,
}

/// Memory of the program.
fn memory() -> MemFlagsData {
    MemFlagsData::new().with_notrap().with_endianness(Endianness::Little)
}

/// Which region an instruction works in.
fn part(i: &Instruction, store: bool) -> RegionKind {
    match space_of(i.opcode) {
        Space::Global if store => RegionKind::Written,
        Space::Global => RegionKind::Global,
        Space::Shared => RegionKind::Shared,
        Space::Param => RegionKind::Param,
        Space::Const => RegionKind::Const,
    }
}

/// A load or store at `pc`.
pub fn emit(e: &mut Emitter, program: &BlockProgram, pc: usize) {
    let i = &program.code[pc];
    let store = i.opcode.operands() == Operands::Store;
    let (bytes, signed) = size(i.opcode);
    let part = part(i, store);
    let (regions, number) = match part {
        // Each access has the buffer that it was in before.
        RegionKind::Global | RegionKind::Written | RegionKind::Const if program.accesses.is_some() => {
            (e.field(I64, offset_of!(MachineContext, own_regions)), pc)
        }
        part => (e.builder.ins().iadd_imm_s(e.context, offset_of!(MachineContext, regions) as i64), part as usize),
    };
    let mut field = |kind, offset| {
        let offset = number * size_of::<Region>() + offset;
        e.builder.ins().load(kind, own(), regions, offset as i32)
    };
    let base = field(I64, offset_of!(Region, base));
    let low = field(I32, offset_of!(Region, low));
    let limit = field(I32, offset_of!(Region, size));
    // Parameters are where the compiler has put them.
    let checked = program.checked(pc).filter(|_| part != RegionKind::Param);
    let whole = checked.map_or([bytes, 0], |checked| [checked.bytes, checked.before]);
    let high = program.checked(pc).and_then(high_register);
    let acting = e.acting(i.guard);
    let always = !e.partial && i.guard == Predicate::TRUE;
    let done = e.fresh();
    let window = program.window;
    let access = AccessCode { i, store, bytes, signed, whole, high, window, base, acting, always, done };
    let (slow, fast) = (e.fresh(), e.fresh());
    if let (RZ, OperandB::Immediate(address), false, None) = (i.a, i.b, store, high) {
        // One word for all threads.
        let address = e.builder.ins().iconst(I32, i64::from(address as i32));
        let offset = e.builder.ins().isub(address, low);
        let outside = e.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, offset, limit);
        let odd = e.builder.ins().band_imm_u(offset, i64::from(whole[0] - 1));
        let odd = e.builder.ins().icmp_imm_u(IntCC::NotEqual, odd, i64::from(whole[1]));
        let bad = e.builder.ins().bor(outside, odd);
        e.builder.ins().brif(bad, slow, &[], fast, &[]);
        e.builder.switch_to_block(fast);
        access.broadcast(e, offset);
    } else {
        let offsets = access.offsets(e, low, limit);
        e.builder.ins().brif(offsets.bad, slow, &[], fast, &[]);
        e.builder.switch_to_block(fast);
        access.transfer(e, &offsets);
    }
    e.builder.switch_to_block(slow);
    e.step(pc);
    e.builder.ins().jump(done, &[]);
    e.builder.switch_to_block(done);
}

impl AccessCode<'_> {
    /// The register that is loaded or stored.
    fn slot(&self) -> usize {
        register(self.i.dst)
    }

    /// Four words that are all ones in threads that take part; none when all do.
    fn taking_part(&self, e: &mut Emitter, offset: Value) -> Option<Value> {
        let mut mask = e.partial.then(|| e.executing(offset));
        if self.i.guard != Predicate::TRUE {
            let place = e.place(offset);
            let mut guard = e.slot(place, predicate(self.i.guard.index));
            if self.i.guard.negate {
                guard = e.builder.ins().bnot(guard);
            }
            mask = Some(mask.map_or(guard, |mask| e.builder.ins().band(mask, guard)));
        }
        mask
    }

    /// Looks at all addresses, and leaves their offsets in the context.
    fn offsets(&self, e: &mut Emitter, low: Value, limit: Value) -> Offsets {
        let zero = splat(e.builder, 0);
        let word = |e: &mut Emitter, number: u8| match number {
            RZ => e.builder.ins().iconst(I32, 0),
            _ => e.builder.ins().load(I32, own(), e.registers, at(register(number))),
        };
        let (a, constant) = (
            word(e, self.i.a),
            match self.i.b {
                OperandB::Immediate(value) => e.builder.ins().iconst(I32, i64::from(value as i32)),
                OperandB::Register(number) => word(e, number),
            },
        );
        let sum = e.builder.ins().iadd(a, constant);
        let first = e.builder.ins().isub(sum, low);
        let in_all = match self.i.b {
            OperandB::Immediate(_) => e.builder.ins().isub(constant, low),
            OperandB::Register(_) => e.builder.ins().ineg(low),
        };
        let in_all = e.builder.ins().splat(I32X4, in_all);
        let first_in_all = e.builder.ins().splat(I32X4, first);
        let ramp = ramp(e.builder, self.bytes);
        let side_by_side = e.builder.ins().iadd(first_in_all, ramp);
        let step = splat(e.builder, 4 * self.bytes);
        let carried = [zero, zero, zero, zero, zero, side_by_side];
        let found = e.groups(carried, |e, offset, [most, bits, mut wide, scattered, different, expected]| {
            let place = e.place(offset);
            let mut here = e.register(place, self.i.a);
            if let OperandB::Register(number) = self.i.b {
                let b = e.register(place, number);
                here = e.builder.ins().iadd(here, b);
            }
            here = e.builder.ins().iadd(here, in_all);
            let mut odd = here;
            if self.whole[1] != 0 {
                let before = splat(e.builder, self.whole[1]);
                odd = e.builder.ins().bxor(here, before);
            }
            let mut high = self.high.map(|number| e.register(place, number));
            if let Some(mask) = self.taking_part(e, offset) {
                here = e.builder.ins().band(here, mask);
                odd = e.builder.ins().band(odd, mask);
                high = high.map(|high| e.builder.ins().band(high, mask));
            }
            if let Some(mut high) = high {
                if self.window != 0 {
                    let counts = splat(e.builder, !self.window);
                    high = e.builder.ins().band(high, counts);
                }
                wide = e.builder.ins().bor(wide, high);
            }
            let kept = e.builder.ins().iadd(e.context, offset);
            e.builder.ins().store(own(), here, kept, offset_of!(MachineContext, offsets) as i32);
            let [off, from_first] = [expected, first_in_all].map(|other| e.builder.ins().bxor(here, other));
            Some([
                e.builder.ins().umax(most, here),
                e.builder.ins().bor(bits, odd),
                wide,
                e.builder.ins().bor(scattered, off),
                e.builder.ins().bor(different, from_first),
                e.builder.ins().iadd(expected, step),
            ])
        });
        let [most, bits, wide, scattered, different, _] = found.expect("the body knows what it does");
        let limit = e.builder.ins().splat(I32X4, limit);
        let outside = e.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, most, limit);
        let low_bits = splat(e.builder, self.whole[0] - 1);
        let odd = e.builder.ins().band(bits, low_bits);
        let bad = e.builder.ins().bor(outside, odd);
        let bad = e.builder.ins().bor(bad, wide);
        let bad = e.builder.ins().vany_true(bad);
        Offsets { first, bad, scattered, different }
    }

    /// Where an offset is in memory.
    fn pointer(&self, e: &mut Emitter, offset: Value) -> Value {
        let offset = e.builder.ins().uextend(I64, offset);
        e.builder.ins().iadd(self.base, offset)
    }

    fn load_word(&self, e: &mut Emitter, pointer: Value) -> Value {
        let ins = e.builder.ins();
        match (self.bytes, self.signed) {
            (1, false) => ins.uload8(I32, memory(), pointer, 0),
            (1, true) => ins.sload8(I32, memory(), pointer, 0),
            (2, false) => ins.uload16(I32, memory(), pointer, 0),
            (2, true) => ins.sload16(I32, memory(), pointer, 0),
            _ => ins.load(I32, memory(), pointer, 0),
        }
    }

    fn store_word(&self, e: &mut Emitter, pointer: Value, word: Value) {
        let ins = e.builder.ins();
        match self.bytes {
            1 => ins.istore8(memory(), word, pointer, 0),
            2 => ins.istore16(memory(), word, pointer, 0),
            _ => ins.store(memory(), word, pointer, 0),
        };
    }

    /// Loads one word for all threads that take part; the address is good.
    fn broadcast(&self, e: &mut Emitter, offset: Value) {
        if self.i.dst != RZ {
            let pointer = self.pointer(e, offset);
            let word = self.load_word(e, pointer);
            let words = e.builder.ins().splat(I32X4, word);
            for group in 0..8 {
                let offset = e.builder.ins().iconst(I64, group * GROUP);
                let place = e.place(offset);
                let mut words = words;
                if let Some(mask) = self.taking_part(e, offset) {
                    let old = e.slot(place, self.slot());
                    words = e.builder.ins().bitselect(mask, words, old);
                }
                e.set_slot(place, self.slot(), words);
            }
        }
        e.builder.ins().jump(self.done, &[]);
    }

    /// Does it; the addresses are good.
    fn transfer(&self, e: &mut Emitter, offsets: &Offsets) {
        if !self.store && self.i.dst == RZ {
            e.builder.ins().jump(self.done, &[]);
            return;
        }
        let one_by_one = e.fresh();
        if self.bytes == 4 {
            let together = e.fresh();
            if self.always {
                e.builder.ins().jump(together, &[]);
            } else {
                let all = e.builder.ins().icmp_imm_s(IntCC::Equal, self.acting, -1);
                e.builder.ins().brif(all, together, &[], one_by_one, &[]);
            }
            e.builder.switch_to_block(together);
            self.together(e, offsets);
            if self.always {
                return;
            }
        } else {
            e.builder.ins().jump(one_by_one, &[]);
        }
        e.builder.switch_to_block(one_by_one);
        self.one_by_one(e);
    }

    /// Words of all 32 threads.
    fn together(&self, e: &mut Emitter, offsets: &Offsets) {
        let (apart, side_by_side) = (e.fresh(), e.fresh());
        let is_scattered = e.builder.ins().vany_true(offsets.scattered);
        e.builder.ins().brif(is_scattered, apart, &[], side_by_side, &[]);
        e.builder.switch_to_block(side_by_side);
        let pointer = self.pointer(e, offsets.first);
        for group in 0..8 {
            let place = e.builder.ins().iadd_imm_s(e.registers, group * GROUP);
            self.four(e, place, pointer, (group * GROUP) as i32);
        }
        e.builder.ins().jump(self.done, &[]);
        e.builder.switch_to_block(apart);
        if !self.store {
            let (one, several) = (e.fresh(), e.fresh());
            let are_different = e.builder.ins().vany_true(offsets.different);
            e.builder.ins().brif(are_different, several, &[], one, &[]);
            e.builder.switch_to_block(one);
            let pointer = self.pointer(e, offsets.first);
            let word = self.load_word(e, pointer);
            let words = e.builder.ins().splat(I32X4, word);
            for group in 0..8 {
                let place = e.builder.ins().iadd_imm_s(e.registers, group * GROUP);
                e.set_slot(place, self.slot(), words);
            }
            e.builder.ins().jump(self.done, &[]);
            e.builder.switch_to_block(several);
        }
        self.by_groups(e);
    }

    /// Four words side by side.
    fn four(&self, e: &mut Emitter, place: Value, pointer: Value, offset: i32) {
        if self.store {
            let words = e.register(place, self.i.dst);
            e.builder.ins().store(memory(), words, pointer, offset);
        } else {
            let words = e.builder.ins().load(I32X4, memory(), pointer, offset);
            e.set_slot(place, self.slot(), words);
        }
    }

    /// Words of four threads at a time, which may be side by side.
    fn by_groups(&self, e: &mut Emitter) {
        let ramp = ramp(e.builder, 4);
        let found = e.groups([], |e, offset, []| {
            let place = e.place(offset);
            let kept = e.builder.ins().iadd(e.context, offset);
            let offsets = e.builder.ins().load(I32X4, own(), kept, offset_of!(MachineContext, offsets) as i32);
            let first = e.builder.ins().extractlane(offsets, 0);
            let expected = e.builder.ins().splat(I32X4, first);
            let expected = e.builder.ins().iadd(expected, ramp);
            let scattered = e.builder.ins().bxor(offsets, expected);
            let scattered = e.builder.ins().vany_true(scattered);
            let (apart, side_by_side, next) = (e.fresh(), e.fresh(), e.fresh());
            e.builder.ins().brif(scattered, apart, &[], side_by_side, &[]);
            e.builder.switch_to_block(side_by_side);
            let pointer = self.pointer(e, first);
            self.four(e, place, pointer, 0);
            e.builder.ins().jump(next, &[]);
            e.builder.switch_to_block(apart);
            let mut words = if self.store { e.register(place, self.i.dst) } else { offsets };
            for thread in 0..4u8 {
                let offset = e.builder.ins().extractlane(offsets, thread);
                let pointer = self.pointer(e, offset);
                if self.store {
                    let word = e.builder.ins().extractlane(words, thread);
                    self.store_word(e, pointer, word);
                } else {
                    let word = self.load_word(e, pointer);
                    words = e.builder.ins().insertlane(words, word, thread);
                }
            }
            if !self.store {
                e.set_slot(place, self.slot(), words);
            }
            e.builder.ins().jump(next, &[]);
            e.builder.switch_to_block(next);
            Some([])
        });
        found.expect("the body knows what it does");
        e.builder.ins().jump(self.done, &[]);
    }

    /// Each thread that takes part, in their order.
    fn one_by_one(&self, e: &mut Emitter) {
        let (head, body) = (e.fresh(), e.fresh());
        let rest = e.builder.append_block_param(head, I32);
        e.builder.ins().jump(head, &[BlockArg::Value(self.acting)]);
        e.builder.switch_to_block(head);
        e.builder.ins().brif(rest, body, &[], self.done, &[]);
        e.builder.switch_to_block(body);
        let thread = e.builder.ins().ctz(rest);
        let thread = e.builder.ins().uextend(I64, thread);
        let thread = e.builder.ins().ishl_imm_u(thread, 2);
        let kept = e.builder.ins().iadd(e.context, thread);
        let offset = e.builder.ins().load(I32, own(), kept, offset_of!(MachineContext, offsets) as i32);
        let pointer = self.pointer(e, offset);
        let place = e.place(thread);
        if !self.store {
            let word = self.load_word(e, pointer);
            e.builder.ins().store(own(), word, place, at(self.slot()));
        } else if self.i.dst == RZ {
            let word = e.builder.ins().iconst(I32, 0);
            self.store_word(e, pointer, word);
        } else {
            let word = e.builder.ins().load(I32, own(), place, at(self.slot()));
            self.store_word(e, pointer, word);
        }
        let less = e.builder.ins().iadd_imm_s(rest, -1);
        let rest = e.builder.ins().band(rest, less);
        e.builder.ins().jump(head, &[BlockArg::Value(rest)]);
    }
}
