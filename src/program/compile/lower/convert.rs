//! Conversions between integers of different widths, and between integers and floats.

use super::{
    form::{Form, Modifier, Rounding},
    lowering::{Done, Lowering},
    scope::Binding,
};
use crate::{
    compile::ir::Value,
    error::PtxErrorKind,
    isa::{Comparison, Opcode},
    ptx::types::ScalarType,
};

const SIGN: u32 = 0x8000_0000;
/// 2^23: floats from here on are integers.
const INTEGRAL: u32 = 0x4b00_0000;

impl Lowering<'_> {
    /// Writes a 32-bit value of type `ty` to a destination that may be wider.
    pub(super) fn write_extended(&mut self, form: &Form, dst: Binding, value: Value, ty: ScalarType) -> Done {
        match dst {
            Binding::Narrow { reg, bits: width } => {
                let value = if width > ty.bits() { self.extend(value, ty) } else { value };
                self.mov(reg, value);
            }
            Binding::Wide(pair) => {
                let value = self.extend(value, ty);
                let high = if ty.is_signed() { self.calc(Opcode::Sar, value, Value::Const(31)) } else { Value::ZERO };
                self.mov_wide(pair, [value, high]);
            }
            Binding::Predicate(_) => {
                return Err(form.problem(PtxErrorKind::Syntax, "the destination is a predicate"));
            }
        }
        Ok(())
    }

    /// A float rounded to an integral float.
    pub(super) fn rounded(&mut self, x: Value, rounding: Rounding) -> Value {
        // Nearest even: adding 2^23 to the magnitude leaves no room for a fraction.
        let magnitude = self.calc(Opcode::And, x, Value::Const(!SIGN));
        let sum = self.calc(Opcode::FAdd, magnitude, Value::Const(INTEGRAL));
        let near = self.calc(Opcode::FAdd, sum, Value::Const(INTEGRAL | SIGN));
        let one = Value::Const(1.0f32.to_bits());
        let minus_one = Value::Const((-1.0f32).to_bits());
        let sign = self.calc(Opcode::And, x, Value::Const(SIGN));
        let result = match rounding {
            // Toward zero: one less when rounding went up in magnitude.
            Rounding::ZeroInteger => {
                let less = self.calc(Opcode::FAdd, near, minus_one);
                let up = self.compared(Opcode::FSetp, Comparison::Gt, near, magnitude);
                let down = self.selected(up, less, near);
                self.calc(Opcode::Or, down, sign)
            }
            Rounding::NearestInteger => self.calc(Opcode::Or, near, sign),
            _ => {
                let near = self.calc(Opcode::Or, near, sign);
                let (wrong, step) = match rounding {
                    Rounding::DownInteger => (Comparison::Gt, minus_one),
                    _ => (Comparison::Lt, one),
                };
                let stepped = self.calc(Opcode::FAdd, near, step);
                // -1 + 1 is +0, but the ceiling of -0.7 is -0.
                let stepped = self.calc(Opcode::Or, stepped, sign_if(rounding == Rounding::UpInteger, sign));
                let beyond = self.compared(Opcode::FSetp, wrong, near, x);
                self.selected(beyond, stepped, near)
            }
        };
        let small = self.compared(Opcode::FSetp, Comparison::Lt, magnitude, Value::Const(INTEGRAL));
        self.selected(small, result, x)
    }

    /// The same of an instruction that says so.
    pub(super) fn rounded_if_wanted(&mut self, form: &Form, x: Value) -> Value {
        match form.rounding().filter(|rounding| rounding.to_integer()) {
            Some(rounding) => self.rounded(x, rounding),
            None => x,
        }
    }
}

fn sign_if(wanted: bool, sign: Value) -> Value {
    if wanted { sign } else { Value::ZERO }
}

pub(super) fn integer(l: &mut Lowering, form: &Form) -> Done {
    let (to, from) = (form.type_at(1), form.type_at(2));
    let operand = l.operand(form, 1)?;
    let (words, width) = l.src_any(form, operand)?;
    if width < from.bits() {
        return Err(l.wrong(form, operand, &format!("a register of at least {} bits", from.bits())));
    }
    let dst = l.binding(form, 0)?;
    match dst {
        Binding::Wide(pair) if to.bits() == 64 => {
            let low = l.extend(words[0], from);
            let high = match (from.bits(), from.is_signed()) {
                (64, _) => words[1],
                (_, true) => l.calc(Opcode::Sar, low, Value::Const(31)),
                (_, false) => Value::ZERO,
            };
            l.mov_wide(pair, [low, high]);
            Ok(())
        }
        Binding::Narrow { bits: width, .. } if width < to.bits() => {
            Err(l.wrong(form, l.operand(form, 0)?, &format!("a register of at least {} bits", to.bits())))
        }
        Binding::Predicate(_) => Err(l.wrong(form, l.operand(form, 0)?, "a register")),
        _ => {
            let value = if to.bits() > from.bits() { l.extend(words[0], from) } else { words[0] };
            l.write_extended(form, dst, value, to)
        }
    }
}

pub(super) fn to_float(l: &mut Lowering, form: &Form) -> Done {
    let from = form.ty();
    let (dst, value) = (l.dst(form, 0)?, l.src_extended(form, 1, from)?);
    let opcode = if from.is_signed() { Opcode::I2fS } else { Opcode::I2fU };
    if form.has(Modifier::Sat) {
        let full = l.calc(opcode, Value::ZERO, value);
        l.saturate(dst, full);
    } else {
        l.op(opcode, dst, [Value::ZERO, value, Value::ZERO]);
    }
    Ok(())
}

pub(super) fn to_integer(l: &mut Lowering, form: &Form) -> Done {
    let (rounding, x) = (form.rounds(), l.float(form, 1)?);
    let x = if rounding == Rounding::ZeroInteger { x } else { l.rounded(x, rounding) };
    write_integer(l, form, x)
}

/// Writes an integral float, or one that is cut off, as an integer of the type before the last part of the mnemonic.
pub(super) fn write_integer(l: &mut Lowering, form: &Form, x: Value) -> Done {
    let (to, dst) = (form.result_type(), l.binding(form, 0)?);
    let signed = to.is_signed();
    let mut value = l.calc(if signed { Opcode::F2iS } else { Opcode::F2iU }, Value::ZERO, x);
    // Out of range is the nearest end of the range; the hardware does it for 32 bits.
    let width = to.bits();
    if width < 32 && signed {
        let top = 1u32 << (width - 1);
        value = l.calc(Opcode::MinS, value, Value::Const(top - 1));
        value = l.calc(Opcode::MaxS, value, Value::Const(top.wrapping_neg()));
    } else if width < 32 {
        value = l.calc(Opcode::MinU, value, Value::Const((1 << width) - 1));
    }
    l.write_extended(form, dst, value, to)
}

pub(super) fn round(l: &mut Lowering, form: &Form) -> Done {
    let (dst, x) = (l.dst(form, 0)?, l.float(form, 1)?);
    let value = l.rounded_if_wanted(form, x);
    l.finish_float(form, dst, value);
    Ok(())
}
