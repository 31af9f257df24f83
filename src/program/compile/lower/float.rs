//! Single-precision arithmetic.

use super::*;

const SIGN: u32 = 0x8000_0000;

impl Lowering<'_> {
    /// A float operation into `dst`, clamped to 0..1 (NaN to 0) when the instruction says `.sat`.
    fn float_result(&mut self, form: &Form, op: Op) -> Done {
        let dst = self.dst(form, 0)?;
        if !form.has("sat") {
            self.emit(Op { dst: Some(dst), ..op });
            return Ok(());
        }
        let full = self.temp();
        self.emit(Op { dst: Some(full), ..op });
        self.saturate(dst, Value::Reg(full));
        Ok(())
    }

    pub(super) fn saturate(&mut self, dst: Reg, value: Value) {
        let positive = self.calc(Opcode::FMax, value, Value::ZERO);
        self.op(Opcode::FMin, dst, [positive, Value::Const(1.0f32.to_bits()), Value::ZERO]);
    }
}

pub(super) fn arithmetic(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.parts[0] == "mul" { Opcode::FMul } else { Opcode::FAdd };
    let negate = [false, form.parts[0] == "sub", false];
    let src = [l.src(form, 1)?, l.src(form, 2)?, Value::ZERO];
    l.float_result(form, Op { src, negate, ..Op::new(opcode, l.line) })
}

pub(super) fn fused(l: &mut Lowering, form: &Form) -> Done {
    let src = [l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?];
    l.float_result(form, Op { src, ..Op::new(Opcode::FFma, l.line) })
}

pub(super) fn min_max(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.parts[0] == "min" { Opcode::FMin } else { Opcode::FMax };
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    l.op(opcode, dst, [a, b, Value::ZERO]);
    Ok(())
}

pub(super) fn neg(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src(form, 1)?);
    l.op(Opcode::Xor, dst, [a, Value::Const(SIGN), Value::ZERO]);
    Ok(())
}

pub(super) fn abs(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src(form, 1)?);
    l.op(Opcode::And, dst, [a, Value::Const(!SIGN), Value::ZERO]);
    Ok(())
}
