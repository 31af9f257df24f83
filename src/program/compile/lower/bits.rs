//! Bit fields and bit counting. Shifts by 32 and more give zero, which makes most special cases of PTX come out right.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{compile::ir::Value, isa::Opcode, ptx::types::ScalarType};

impl Lowering<'_> {
    /// `value & 0xff`: positions and lengths of fields.
    fn byte(&mut self, value: Value) -> Value {
        self.calc(Opcode::And, value, Value::Const(0xff))
    }

    /// The lowest `length` bits set; all of them from 32 on.
    fn ones(&mut self, length: Value) -> Value {
        let top = self.calc(Opcode::Shl, Value::Const(1), length);
        self.calc(Opcode::Sub, top, Value::Const(1))
    }

    pub(super) fn count_ones(&mut self, value: Value) -> Value {
        let masked = |l: &mut Self, v: Value, shift: u32, mask: u32| {
            let v = if shift == 0 { v } else { l.calc(Opcode::Shr, v, Value::Const(shift)) };
            l.calc(Opcode::And, v, Value::Const(mask))
        };
        let odd = masked(self, value, 1, 0x5555_5555);
        let mut sum = self.calc(Opcode::Sub, value, odd);
        let (low, high) = (masked(self, sum, 0, 0x3333_3333), masked(self, sum, 2, 0x3333_3333));
        sum = self.calc(Opcode::Add, low, high);
        let high = self.calc(Opcode::Shr, sum, Value::Const(4));
        sum = self.calc(Opcode::Add, sum, high);
        sum = masked(self, sum, 0, 0x0f0f_0f0f);
        sum = self.calc(Opcode::Mul, sum, Value::Const(0x0101_0101));
        self.calc(Opcode::Shr, sum, Value::Const(24))
    }

    /// Zeros above the highest set bit; 32 for zero.
    pub(super) fn leading_zeros(&mut self, mut value: Value) -> Value {
        for shift in [1, 2, 4, 8, 16] {
            let down = self.calc(Opcode::Shr, value, Value::Const(shift));
            value = self.calc(Opcode::Or, value, down);
        }
        let count = self.count_ones(value);
        self.calc(Opcode::Sub, Value::Const(32), count)
    }

    /// The bits from the last to the first.
    pub(super) fn reversed(&mut self, mut value: Value) -> Value {
        for (shift, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0x0000_ffff)]
        {
            let down = self.calc(Opcode::Shr, value, Value::Const(shift));
            let down = self.calc(Opcode::And, down, Value::Const(mask));
            let up = self.calc(Opcode::And, value, Value::Const(mask));
            let up = self.calc(Opcode::Shl, up, Value::Const(shift));
            value = self.calc(Opcode::Or, down, up);
        }
        value
    }
}

pub(super) fn extract(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, position, length) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?);
    let (position, length) = (l.byte(position), l.byte(length));
    if form.ty() == ScalarType::S32 {
        let down = l.calc(Opcode::Sar, a, position);
        let length = l.calc(Opcode::MinU, length, Value::Const(32));
        let unused = l.calc(Opcode::Sub, Value::Const(32), length);
        let up = l.calc(Opcode::Shl, down, unused);
        l.op(Opcode::Sar, dst, [up, unused, Value::ZERO]);
    } else {
        let down = l.calc(Opcode::Shr, a, position);
        let mask = l.ones(length);
        l.op(Opcode::And, dst, [down, mask, Value::ZERO]);
    }
    Ok(())
}

pub(super) fn insert(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    let (position, length) = (l.src(form, 3)?, l.src(form, 4)?);
    let (position, length) = (l.byte(position), l.byte(length));
    let ones = l.ones(length);
    let mask = l.calc(Opcode::Shl, ones, position);
    let others = l.calc(Opcode::Xor, mask, Value::Const(u32::MAX));
    let kept = l.calc(Opcode::And, b, others);
    let moved = l.calc(Opcode::Shl, a, position);
    let new = l.calc(Opcode::And, moved, mask);
    l.op(Opcode::Or, dst, [kept, new, Value::ZERO]);
    Ok(())
}

pub(super) fn reverse(l: &mut Lowering, form: &Form) -> Done {
    let (dst, value) = (l.dst(form, 0)?, l.src(form, 1)?);
    let value = l.reversed(value);
    l.mov(dst, value);
    Ok(())
}

pub(super) fn population(l: &mut Lowering, form: &Form) -> Done {
    let (dst, value) = (l.dst(form, 0)?, l.src(form, 1)?);
    let count = l.count_ones(value);
    l.mov(dst, count);
    Ok(())
}

pub(super) fn leading_zeros(l: &mut Lowering, form: &Form) -> Done {
    let (dst, value) = (l.dst(form, 0)?, l.src(form, 1)?);
    let count = l.leading_zeros(value);
    l.mov(dst, count);
    Ok(())
}

/// High or low word of `{b, a}` shifted by `c`, which wraps at 32 or is clamped to it.
pub(super) fn funnel_shift(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b, c) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?);
    let amount = match form.has(Modifier::Wrap) {
        true => l.calc(Opcode::And, c, Value::Const(31)),
        false => l.calc(Opcode::MinU, c, Value::Const(32)),
    };
    let rest = l.calc(Opcode::Sub, Value::Const(32), amount);
    let (up, down) = if form.has(Modifier::L) { (amount, rest) } else { (rest, amount) };
    let (high, low) = (l.calc(Opcode::Shl, b, up), l.calc(Opcode::Shr, a, down));
    l.op(Opcode::Or, dst, [high, low, Value::ZERO]);
    Ok(())
}
