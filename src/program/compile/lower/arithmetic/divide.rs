//! Integer division, without a divider and without a loop.
//!
//! The reciprocal of the divisor `d` comes from the float unit: a first guess from the bits of the float, off by at
//! most 13 %, and three Newton steps give it to a few units of 2^-24. Scaled by slightly less than 2^32 it becomes an
//! integer `z <= 2^32 / d`; one integer Newton step leaves `z` less than 2 below `2^32 / d`, so the quotient
//! `(n z) >> 32` is at most 2 too small: two corrections finish. Division by zero gives some value, as PTX has it, and
//! never traps.

use super::super::{
    form::Form,
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::Value,
    isa::{Comparison, Opcode},
};

/// `GUESS - bits(x)`, read as a float, is about `1 / x`.
const GUESS: u32 = 0x7ef3_11c7;
/// 2^32 (1 - 2^-21): what the rounding errors of the reciprocal can add is less than it leaves out.
const SCALE: u32 = 0x4f7f_fff8;
const ONE: u32 = 0x3f80_0000;

impl Lowering<'_> {
    /// Quotient and remainder of unsigned words.
    fn quotient(&mut self, n: Value, d: Value) -> [Value; 2] {
        if let Value::Const(c) = d
            && c.is_power_of_two()
        {
            let shifted = self.calc(Opcode::Shr, n, Value::Const(c.trailing_zeros()));
            return [shifted, self.calc(Opcode::And, n, Value::Const(c - 1))];
        }
        let x = self.calc(Opcode::I2fU, Value::ZERO, d);
        let mut y = self.calc(Opcode::Sub, Value::Const(GUESS), x);
        for _ in 0..3 {
            let error = self.fused_temp([x, y, Value::Const(ONE)], true);
            y = self.fused_temp([y, error, y], false);
        }
        let scaled = self.calc(Opcode::FMul, y, Value::Const(SCALE));
        let z = self.calc(Opcode::F2iU, Value::ZERO, scaled);
        let minus_d = self.calc(Opcode::Sub, Value::ZERO, d);
        let left = self.calc(Opcode::Mul, minus_d, z);
        let step = self.calc(Opcode::MulHU, z, left);
        let z = self.calc(Opcode::Add, z, step);
        let mut q = self.calc(Opcode::MulHU, n, z);
        let product = self.calc(Opcode::Mul, q, d);
        let mut r = self.calc(Opcode::Sub, n, product);
        for _ in 0..2 {
            let more = self.compared(Opcode::ISetpU, Comparison::Ge, r, d);
            let (q1, r1) = (self.calc(Opcode::Add, q, Value::Const(1)), self.calc(Opcode::Sub, r, d));
            (q, r) = (self.selected(more, q1, q), self.selected(more, r1, r));
        }
        [q, r]
    }

    fn magnitude(&mut self, value: Value) -> Value {
        let negative = self.calc(Opcode::Sub, Value::ZERO, value);
        self.calc(Opcode::MaxS, value, negative)
    }
}

pub fn divide(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let (dst, n, d) = (l.dst(form, 0)?, l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
    let which = usize::from(form.opcode() == "rem");
    if !ty.is_signed() {
        let result = l.quotient(n, d)[which];
        l.mov(dst, result);
        return Ok(());
    }
    // The quotient is negative when the signs differ; the remainder has the sign of the dividend.
    let signs = if which == 0 { l.calc(Opcode::Xor, n, d) } else { n };
    let sign = l.calc(Opcode::Sar, signs, Value::Const(31));
    let (n, d) = (l.magnitude(n), l.magnitude(d));
    let result = l.quotient(n, d)[which];
    let flipped = l.calc(Opcode::Xor, result, sign);
    l.op(Opcode::Sub, dst, [flipped, sign, Value::ZERO]);
    Ok(())
}
