//! Bit fields and counts of 64 bits, and `bfind`.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::Value,
    isa::{Comparison, Opcode},
    ptx::types::ScalarType,
};
use Value::Const;

type WideBitsPair = [Value; 2];

impl Lowering<'_> {
    /// `value << n` of 64 bits; from 64 on nothing is left.
    pub(super) fn shifted_up(&mut self, value: WideBitsPair, n: Value) -> WideBitsPair {
        // Amounts outside 0 to 31 shift everything out, also "negative" ones: so no case distinction is needed.
        let (back, over) = (self.calc(Opcode::Sub, Const(32), n), self.calc(Opcode::Sub, n, Const(32)));
        let low = self.calc(Opcode::Shl, value[0], n);
        let parts = [(value[1], Opcode::Shl, n), (value[0], Opcode::Shr, back), (value[0], Opcode::Shl, over)];
        let [a, b, c] = parts.map(|(word, opcode, amount)| self.calc(opcode, word, amount));
        let high = self.calc(Opcode::Or, a, b);
        [low, self.calc(Opcode::Or, high, c)]
    }

    /// `value >> n` of 64 bits, unsigned.
    pub(super) fn shifted_down(&mut self, value: WideBitsPair, n: Value) -> WideBitsPair {
        let (back, over) = (self.calc(Opcode::Sub, Const(32), n), self.calc(Opcode::Sub, n, Const(32)));
        let parts = [self.calc(Opcode::Shr, value[0], n), self.calc(Opcode::Shl, value[1], back)];
        let near = self.calc(Opcode::Or, parts[0], parts[1]);
        let far = self.calc(Opcode::Shr, value[1], over);
        [self.calc(Opcode::Or, near, far), self.calc(Opcode::Shr, value[1], n)]
    }

    /// `value >> n` of 64 bits, signed: copies of the sign come in.
    pub(super) fn shifted_down_signed(&mut self, value: WideBitsPair, n: Value) -> WideBitsPair {
        let (back, over) = (self.calc(Opcode::Sub, Const(32), n), self.calc(Opcode::Sub, n, Const(32)));
        let parts = [self.calc(Opcode::Shr, value[0], n), self.calc(Opcode::Shl, value[1], back)];
        let near = self.calc(Opcode::Or, parts[0], parts[1]);
        // Sign bits would come in from a shift by a negative amount: choose.
        let far = self.calc(Opcode::Sar, value[1], over);
        let within = self.compared(Opcode::ISetpU, Comparison::Lt, n, Const(32));
        [self.selected(within, near, far), self.calc(Opcode::Sar, value[1], n)]
    }

    /// The lowest `n` bits set; all from 64 on.
    fn ones_wide(&mut self, n: Value) -> WideBitsPair {
        let above = self.shifted_up([Const(u32::MAX); 2], n);
        above.map(|word| self.calc(Opcode::Xor, word, Const(u32::MAX)))
    }

    /// Zeros above the highest set bit; 64 for zero.
    pub(super) fn leading_zeros_wide(&mut self, value: WideBitsPair) -> Value {
        let (high, low) = (self.leading_zeros(value[1]), self.leading_zeros(value[0]));
        let more = self.calc(Opcode::Add, low, Const(32));
        let empty = self.compared(Opcode::ISetpU, Comparison::Eq, value[1], Value::ZERO);
        self.selected(empty, more, high)
    }
}

/// `bfe.{u64,s64}`.
pub(super) fn extract(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?);
    let (position, length) = (l.src(form, 2)?, l.src(form, 3)?);
    let [position, length] = [position, length].map(|n| l.calc(Opcode::And, n, Const(0xff)));
    let result = if form.ty() == ScalarType::S64 {
        let down = l.shifted_down_signed(a, position);
        let length = l.calc(Opcode::MinU, length, Const(64));
        let unused = l.calc(Opcode::Sub, Const(64), length);
        let up = l.shifted_up(down, unused);
        l.shifted_down_signed(up, unused)
    } else {
        let (down, mask) = (l.shifted_down(a, position), l.ones_wide(length));
        [0, 1].map(|i| l.calc(Opcode::And, down[i], mask[i]))
    };
    l.mov_wide(dst, result);
    Ok(())
}

/// `bfi.b64`.
pub(super) fn insert(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let (position, length) = (l.src(form, 3)?, l.src(form, 4)?);
    let [position, length] = [position, length].map(|n| l.calc(Opcode::And, n, Const(0xff)));
    let ones = l.ones_wide(length);
    let (mask, moved) = (l.shifted_up(ones, position), l.shifted_up(a, position));
    // b ^ ((b ^ a) & mask)
    let result = [0, 1].map(|i| {
        let differs = l.calc(Opcode::Xor, b[i], moved[i]);
        let change = l.calc(Opcode::And, differs, mask[i]);
        l.calc(Opcode::Xor, b[i], change)
    });
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn reverse(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?);
    let result = [l.reversed(a[1]), l.reversed(a[0])];
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn population(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src_wide(form, 1)?);
    let [low, high] = a.map(|word| l.count_ones(word));
    l.op(Opcode::Add, dst, [low, high, Value::ZERO]);
    Ok(())
}

pub(super) fn leading_zeros(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src_wide(form, 1)?);
    let count = l.leading_zeros_wide(a);
    l.mov(dst, count);
    Ok(())
}

/// `bfind`: the place of the highest bit that is not the sign, or how far it is from the top; -1 where there is none.
pub(super) fn find(l: &mut Lowering, form: &Form) -> Done {
    let (dst, ty) = (l.dst(form, 0)?, form.ty());
    let wide = ty.bits() == 64;
    let value = if wide { l.src_wide(form, 1)? } else { [l.src(form, 1)?, Value::ZERO] };
    let top = value[usize::from(wide)];
    let sign = if ty.is_signed() { l.calc(Opcode::Sar, top, Const(31)) } else { Value::ZERO };
    let value = value.map(|word| l.calc(Opcode::Xor, word, sign));
    let (zeros, bits) = match wide {
        true => (l.leading_zeros_wide(value), 64),
        false => (l.leading_zeros(value[0]), 32),
    };
    if form.has(Modifier::ShiftAmt) {
        let none = l.compared(Opcode::ISetpU, Comparison::Eq, zeros, Const(bits));
        l.select(dst, none, Const(u32::MAX), zeros);
    } else {
        l.op(Opcode::Sub, dst, [Const(bits - 1), zeros, Value::ZERO]);
    }
    Ok(())
}
