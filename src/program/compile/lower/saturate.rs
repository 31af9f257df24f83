//! Integer instructions that saturate: sums that stay at the ends of their range, conversions to a smaller one.

use super::{
    form::Form,
    lowering::{Done, Lowering},
    scope::Binding,
};
use crate::{
    compile::ir::Value,
    isa::{Comparison, Opcode},
    ptx::types::ScalarType,
};
use Value::Const;

impl Lowering<'_> {
    /// `a + b` or `a - b` of signed words, at the end of the range where it would leave it.
    pub(super) fn saturated_sum(&mut self, opcode: Opcode, a: Value, b: Value) -> Value {
        let sum = self.calc(opcode, a, b);
        // It has left the range when both terms (of a difference: the second inverted) have a sign that the result has
        // not.
        let (x, y) = (self.calc(Opcode::Xor, a, sum), self.calc(Opcode::Xor, b, sum));
        let y = if opcode == Opcode::Sub { self.calc(Opcode::Xor, a, b) } else { y };
        let both = self.calc(Opcode::And, x, y);
        let over = self.compared(Opcode::ISetpS, Comparison::Lt, both, Value::ZERO);
        let sign = self.calc(Opcode::Sar, a, Const(31));
        let end = self.calc(Opcode::Xor, sign, Const(i32::MAX as u32));
        self.selected(over, end, sum)
    }
}

/// `add.sat.s32`, `sub.sat.s32`.
pub(super) fn add_sub(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.opcode() == "add" { Opcode::Add } else { Opcode::Sub };
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    let sum = l.saturated_sum(opcode, a, b);
    l.mov(dst, sum);
    Ok(())
}

/// Least and greatest number of an integer type.
pub(super) fn range(ty: ScalarType) -> [i128; 2] {
    let bits = ty.bits();
    match ty.is_signed() {
        true => [-(1 << (bits - 1)), (1 << (bits - 1)) - 1],
        false => [0, (1 << bits) - 1],
    }
}

/// `cvt.sat` between integers: the value is widened to 64 bits of its own type and held within both ranges.
pub(super) fn convert(l: &mut Lowering, form: &Form) -> Done {
    let (to, from) = (form.type_at(2), form.ty());
    let operand = l.operand(form, 1)?;
    let (words, _) = l.src_any(form, operand)?;
    let low = l.extend(words[0], from);
    let signed = from.is_signed();
    let mut value = match (from.bits(), signed) {
        (64, _) => words,
        (_, true) => [low, l.calc(Opcode::Sar, low, Const(31))],
        (_, false) => [low, Value::ZERO],
    };
    let ([least, greatest], [from_least, from_greatest]) = (range(to), range(from));
    for (bound, beyond) in [(least, Comparison::Lt), (greatest, Comparison::Gt)] {
        if (from_least..=from_greatest).contains(&bound) && ![from_least, from_greatest].contains(&bound) {
            let bound = [Const(bound as u32), Const((bound >> 32) as u32)];
            let outside = l.compared_wide(beyond, signed, value, bound);
            value = l.select_wide(outside, bound, value);
        }
    }
    match l.binding(form, 0)? {
        Binding::Wide(pair) if to.bits() == 64 => {
            l.mov_wide(pair, value);
            Ok(())
        }
        dst => l.write_extended(form, dst, value[0], to),
    }
}
