//! Single-precision arithmetic. `.ftz` takes subnormal sources as zeros and makes zeros of subnormal results.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Op, Reg, Value},
    error::Problem,
    isa::{Comparison, Opcode},
};

const SIGN: u32 = 0x8000_0000;
/// The least normal number.
const NORMAL: u32 = 0x0080_0000;

impl Lowering<'_> {
    /// A float source, as `.ftz` has it.
    pub(super) fn float(&mut self, form: &Form, index: usize) -> Result<Value, Problem> {
        let value = self.src(form, index)?;
        Ok(self.flushed(form, value))
    }

    /// With `.ftz` a zero of the same sign for a subnormal.
    pub(super) fn flushed(&mut self, form: &Form, value: Value) -> Value {
        if !form.has(Modifier::Ftz) {
            return value;
        }
        let magnitude = self.calc(Opcode::And, value, Value::Const(!SIGN));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Value::Const(NORMAL));
        let zero = self.calc(Opcode::And, value, Value::Const(SIGN));
        self.selected(small, zero, value)
    }

    /// A float operation into `dst`, as `.ftz` and `.sat` have it.
    fn float_result(&mut self, form: &Form, op: Op) -> Done {
        let dst = self.dst(form, 0)?;
        if !form.has(Modifier::Sat) && !form.has(Modifier::Ftz) {
            self.emit(Op { dst: Some(dst), ..op });
            return Ok(());
        }
        let full = self.temp();
        self.emit(Op { dst: Some(full), ..op });
        self.finish_float(form, dst, Value::Reg(full));
        Ok(())
    }

    /// `dst = value`, flushed with `.ftz`, clamped to 0..1 (NaN to 0) with `.sat`.
    pub(super) fn finish_float(&mut self, form: &Form, dst: Reg, value: Value) {
        let value = self.flushed(form, value);
        if form.has(Modifier::Sat) {
            self.saturate(dst, value);
        } else {
            self.mov(dst, value);
        }
    }

    pub(super) fn saturate(&mut self, dst: Reg, value: Value) {
        let positive = self.calc(Opcode::FMax, value, Value::ZERO);
        self.op(Opcode::FMin, dst, [positive, Value::Const(1.0f32.to_bits()), Value::ZERO]);
    }

    /// `a * b + c`, or `c - a * b`, rounded once.
    pub(super) fn fused_temp(&mut self, src: [Value; 3], negate_a: bool) -> Value {
        let dst = self.temp();
        let negate = [negate_a, false, false];
        self.emit(Op { dst: Some(dst), src, negate, ..Op::new(Opcode::FFma, self.line) });
        Value::Reg(dst)
    }

    /// A polynomial in `x`, coefficients of the highest power first.
    pub(super) fn polynomial(&mut self, x: Value, coefficients: &[f32]) -> Value {
        let mut terms = coefficients.iter().map(|c| Value::Const(c.to_bits()));
        let first = terms.next().unwrap_or(Value::ZERO);
        terms.fold(first, |sum, term| self.fused_temp([sum, x, term], false))
    }
}

pub(super) fn arithmetic(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.opcode() == "mul" { Opcode::FMul } else { Opcode::FAdd };
    let negate = [false, form.opcode() == "sub", false];
    let src = [l.float(form, 1)?, l.float(form, 2)?, Value::ZERO];
    l.float_result(form, Op { src, negate, ..Op::new(opcode, l.line) })
}

pub(super) fn fused(l: &mut Lowering, form: &Form) -> Done {
    let src = [l.float(form, 1)?, l.float(form, 2)?, l.float(form, 3)?];
    l.float_result(form, Op { src, ..Op::new(Opcode::FFma, l.line) })
}

pub(super) fn min_max(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.opcode() == "min" { Opcode::FMin } else { Opcode::FMax };
    let (a, b) = (l.float(form, 1)?, l.float(form, 2)?);
    if !form.has(Modifier::NaN) {
        let dst = l.dst(form, 0)?;
        l.op(opcode, dst, [a, b, Value::ZERO]);
        return Ok(());
    }
    let (extreme, nan) = (l.calc(opcode, a, b), l.compared(Opcode::FSetp, Comparison::Nan, a, b));
    let dst = l.dst(form, 0)?;
    l.select(dst, nan, Value::Const(0x7fff_ffff), extreme);
    Ok(())
}

pub(super) fn neg(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.float(form, 1)?);
    l.op(Opcode::Xor, dst, [a, Value::Const(SIGN), Value::ZERO]);
    Ok(())
}

pub(super) fn abs(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.float(form, 1)?);
    l.op(Opcode::And, dst, [a, Value::Const(!SIGN), Value::ZERO]);
    Ok(())
}

/// `copysign`: the sign of the first source, the magnitude of the second.
pub(super) fn copy_sign(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    let (sign, magnitude) = (l.calc(Opcode::And, a, Value::Const(SIGN)), l.calc(Opcode::And, b, Value::Const(!SIGN)));
    l.op(Opcode::Or, dst, [sign, magnitude, Value::ZERO]);
    Ok(())
}
