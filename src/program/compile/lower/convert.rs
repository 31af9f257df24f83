//! Conversions between integers of different widths, and between integers and floats.

use super::*;
use crate::ptx::ast::type_bytes;

const SIGN: u32 = 0x8000_0000;
/// 2^23: floats from here on are integers.
const INTEGRAL: u32 = 0x4b00_0000;

fn bits(ty: &str) -> u32 {
    8 * type_bytes(ty).unwrap_or(4) as u32
}

impl Lowering<'_> {
    /// Writes a 32-bit value of type `ty` to a destination that may be wider.
    pub(super) fn write_extended(&mut self, form: &Form, dst: operands::Binding, value: Value, ty: &str) -> Done {
        match dst {
            operands::Binding::Narrow { reg, bits: width } => {
                let value = if width > bits(ty) { self.extend(value, ty) } else { value };
                self.mov(reg, value);
            }
            operands::Binding::Wide(pair) => {
                let value = self.extend(value, ty);
                let high =
                    if ty.starts_with('s') { self.calc(Opcode::Sar, value, Value::Const(31)) } else { Value::ZERO };
                self.mov_wide(pair, [value, high]);
            }
            operands::Binding::Predicate(_) => {
                return Err(form.problem(PtxErrorKind::Syntax, "the destination is a predicate"));
            }
        }
        Ok(())
    }

    /// A float rounded to an integral float; `mode` is the PTX name.
    pub(super) fn rounded(&mut self, x: Value, mode: &str) -> Value {
        // Nearest even: adding 2^23 to the magnitude leaves no room for a fraction.
        let magnitude = self.calc(Opcode::And, x, Value::Const(!SIGN));
        let sum = self.calc(Opcode::FAdd, magnitude, Value::Const(INTEGRAL));
        let near = self.calc(Opcode::FAdd, sum, Value::Const(INTEGRAL | SIGN));
        let one = Value::Const(1.0f32.to_bits());
        let minus_one = Value::Const((-1.0f32).to_bits());
        let sign = self.calc(Opcode::And, x, Value::Const(SIGN));
        let result = match mode {
            // Toward zero: one less when rounding went up in magnitude.
            "rzi" => {
                let less = self.calc(Opcode::FAdd, near, minus_one);
                let up = self.compared(Opcode::FSetp, Comparison::Gt, near, magnitude);
                let down = self.selected(up, less, near);
                self.calc(Opcode::Or, down, sign)
            }
            "rni" => self.calc(Opcode::Or, near, sign),
            _ => {
                let near = self.calc(Opcode::Or, near, sign);
                let (wrong, step) = match mode {
                    "rmi" => (Comparison::Gt, minus_one),
                    _ => (Comparison::Lt, one),
                };
                let stepped = self.calc(Opcode::FAdd, near, step);
                // -1 + 1 is +0, but the ceiling of -0.7 is -0.
                let stepped = self.calc(Opcode::Or, stepped, sign_if(mode == "rpi", sign));
                let beyond = self.compared(Opcode::FSetp, wrong, near, x);
                self.selected(beyond, stepped, near)
            }
        };
        let small = self.compared(Opcode::FSetp, Comparison::Lt, magnitude, Value::Const(INTEGRAL));
        self.selected(small, result, x)
    }
}

fn sign_if(wanted: bool, sign: Value) -> Value {
    if wanted { sign } else { Value::ZERO }
}

pub(super) fn integer(l: &mut Lowering, form: &Form) -> Done {
    let (to, from) = (form.parts[1], form.parts[2]);
    let operand = l.operand(form, 1)?;
    let (words, width) = l.src_any(form, operand)?;
    if width < bits(from) {
        return Err(l.wrong(form, operand, &format!("a register of at least {} bits", bits(from))));
    }
    let dst = l.binding(form, 0)?;
    match dst {
        operands::Binding::Wide(pair) if bits(to) == 64 => {
            let low = l.extend(words[0], from);
            let high = match (bits(from), from.starts_with('s')) {
                (64, _) => words[1],
                (_, true) => l.calc(Opcode::Sar, low, Value::Const(31)),
                (_, false) => Value::ZERO,
            };
            l.mov_wide(pair, [low, high]);
            Ok(())
        }
        operands::Binding::Narrow { bits: width, .. } if width < bits(to) => {
            Err(l.wrong(form, l.operand(form, 0)?, &format!("a register of at least {} bits", bits(to))))
        }
        operands::Binding::Predicate(_) => Err(l.wrong(form, l.operand(form, 0)?, "a register")),
        _ => {
            let value = if bits(to) > bits(from) { l.extend(words[0], from) } else { words[0] };
            l.write_extended(form, dst, value, to)
        }
    }
}

pub(super) fn to_float(l: &mut Lowering, form: &Form) -> Done {
    let from = form.ty();
    let (dst, value) = (l.dst(form, 0)?, l.src_extended(form, 1, from)?);
    let opcode = if from.starts_with('s') { Opcode::I2fS } else { Opcode::I2fU };
    if form.has("sat") {
        let full = l.calc(opcode, Value::ZERO, value);
        l.saturate(dst, full);
    } else {
        l.op(opcode, dst, [Value::ZERO, value, Value::ZERO]);
    }
    Ok(())
}

pub(super) fn to_integer(l: &mut Lowering, form: &Form) -> Done {
    let (mode, x) = (form.parts[1], l.float(form, 1)?);
    let x = if mode == "rzi" { x } else { l.rounded(x, mode) };
    write_integer(l, form, x)
}

/// Writes an integral float, or one that is cut off, as an integer of the type before the last part of the mnemonic.
pub(super) fn write_integer(l: &mut Lowering, form: &Form, x: Value) -> Done {
    let (to, dst) = (form.parts[form.parts.len() - 2], l.binding(form, 0)?);
    let signed = to.starts_with('s');
    let mut value = l.calc(if signed { Opcode::F2iS } else { Opcode::F2iU }, Value::ZERO, x);
    // Out of range is the nearest end of the range; the hardware does it for 32 bits.
    let width = bits(to);
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
    let mode = form.parts[1];
    let value = if mode.ends_with('i') { l.rounded(x, mode) } else { x };
    l.finish_float(form, dst, value);
    Ok(())
}
