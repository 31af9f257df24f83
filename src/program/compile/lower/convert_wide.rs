//! Conversions between floats and integers of 64 bits.

use super::{
    form::{Form, Rounding},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::Value,
    isa::{Comparison, Opcode},
    ptx::types::ScalarType,
};
use Value::Const;

const SIGN: u32 = 0x8000_0000;
const HIDDEN: u32 = 0x0080_0000;

/// `cvt.rn.f32.{u64,s64}`: the highest 32 bits, of which the last one tells whether any follow, are rounded by the float unit; the rest is a power of two.
pub(super) fn to_float(l: &mut Lowering, form: &Form) -> Done {
    let value = l.src_wide(form, 1)?;
    let signed = form.ty() == ScalarType::S64;
    let sign = if signed { l.calc(Opcode::Sar, value[1], Const(31)) } else { Value::ZERO };
    let turned = value.map(|word| l.calc(Opcode::Xor, word, sign));
    let magnitude = l.sub_wide(turned, [sign; 2]);
    let zeros = l.leading_zeros_wide(magnitude);
    let [low, high] = l.shifted_up(magnitude, zeros);
    let more = l.compared(Opcode::ISetpU, Comparison::Ne, low, Value::ZERO);
    let sticky = l.selected(more, Const(1), Value::ZERO);
    let top = l.calc(Opcode::Or, high, sticky);
    let float = l.calc(Opcode::I2fU, Value::ZERO, top);
    let exponent = l.calc(Opcode::Sub, Const(127 + 32), zeros);
    let power = l.calc(Opcode::Shl, exponent, Const(23));
    let magnitude = l.calc(Opcode::FMul, float, power);
    let sign = l.calc(Opcode::And, sign, Const(SIGN));
    let (dst, result) = (l.dst(form, 0)?, l.calc(Opcode::Or, magnitude, sign));
    l.finish_float(form, dst, result);
    Ok(())
}

/// `cvt.{rni,rzi,rmi,rpi}.{u64,s64}.f32`: out of range is the nearest end of the range, NaN the highest bit alone.
pub(super) fn to_integer(l: &mut Lowering, form: &Form) -> Done {
    let x = l.float(form, 1)?;
    let rounding = form.rounds();
    let x = if rounding == Rounding::ZeroInteger { x } else { l.rounded(x, rounding) };
    let signed = form.has_type(ScalarType::S64);
    let magnitude = l.calc(Opcode::And, x, Const(!SIGN));
    let exponent = l.calc(Opcode::Shr, magnitude, Const(23));
    let fraction = l.calc(Opcode::And, magnitude, Const(HIDDEN - 1));
    let bits = l.calc(Opcode::Or, fraction, Const(HIDDEN));
    // Of a shift in the wrong direction nothing is left.
    let up = l.calc(Opcode::Sub, exponent, Const(150));
    let [low, high] = l.shifted_up([bits, Value::ZERO], up);
    let down = l.calc(Opcode::Sub, Const(150), exponent);
    let small = l.calc(Opcode::Shr, bits, down);
    let value = [l.calc(Opcode::Or, low, small), high];
    let sign = l.calc(Opcode::Sar, x, Const(31));
    let limit = if signed { 127 + 63 } else { 127 + 64 };
    let over = l.compared(Opcode::ISetpU, Comparison::Ge, exponent, Const(limit));
    let value = if signed {
        let value = l.select_wide(over, [Const(u32::MAX), Const(u32::MAX >> 1)], value);
        let turned = value.map(|word| l.calc(Opcode::Xor, word, sign));
        // The end below zero is one further than the other: its inverse already.
        let one = l.selected(over, Value::ZERO, sign);
        l.sub_wide(turned, [one; 2])
    } else {
        let value = l.select_wide(over, [Const(u32::MAX); 2], value);
        value.map(|word| {
            let negative = l.calc(Opcode::Xor, sign, Const(u32::MAX));
            l.calc(Opcode::And, word, negative)
        })
    };
    let nan = l.compared(Opcode::ISetpU, Comparison::Gt, magnitude, Const(0x7f80_0000));
    let result = l.select_wide(nan, [Value::ZERO, Const(SIGN)], value);
    let dst = l.dst_wide(form, 0)?;
    l.mov_wide(dst, result);
    Ok(())
}
