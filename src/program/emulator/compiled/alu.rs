//! Instructions that compute, for four threads at once: what [`crate::semantics`] says, in vectors of four words. A
//! predicate is a vector of all ones and zeros.

use crate::isa::{Comparison, Logic, Opcode};
use cranelift_codegen::ir::{
    ConstantData, InstBuilder, MemFlagsData, Value,
    condcodes::{FloatCC, IntCC},
    types::{F32X4, I32, I32X4, I64X2},
};
use cranelift_frontend::FunctionBuilder;

/// What every operation of single precision gives that has no number to give.
const NAN: u32 = 0x7fff_ffff;

/// [`compute`] or [`compare`] know it.
pub fn is_known(opcode: Opcode) -> bool {
    use Opcode::*;
    let integer = matches!(opcode, Mov | Add | Sub | Addc | Subc | And | Or | Xor | Shl | Shr | Sar | Sel)
        || matches!(opcode, MinS | MaxS | MinU | MaxU | Mul | MulHS | MulHU | Mad);
    let float = matches!(opcode, FAdd | FMul | FFma | FMin | FMax | I2fS | I2fU | F2iS | F2iU);
    integer || float || matches!(opcode, ISetpS | ISetpU | FSetp)
}

/// The same word in all threads.
pub fn splat(e: &mut FunctionBuilder, word: u32) -> Value {
    let word = e.ins().iconst(I32, i64::from(word as i32));
    e.ins().splat(I32X4, word)
}

/// The words 0, `step`, 2 `step`, 3 `step`.
pub fn ramp(e: &mut FunctionBuilder, step: u32) -> Value {
    let bytes: Vec<u8> = (0..4).flat_map(|t| (t * step).to_le_bytes()).collect();
    let constant = e.func.dfg.constants.insert(ConstantData::from(&bytes[..]));
    e.ins().vconst(I32X4, constant)
}

/// The result of an instruction that writes a register; `constant`: what `b` is when it is known.
pub fn compute(
    e: &mut FunctionBuilder,
    opcode: Opcode,
    [a, b, c]: [Value; 3],
    constant: Option<u32>,
    p: Value,
) -> Option<Value> {
    Some(match opcode {
        Opcode::Mov => b,
        Opcode::Add => e.ins().iadd(a, b),
        Opcode::Sub => e.ins().isub(a, b),
        // A predicate that holds is -1.
        Opcode::Addc => {
            let sum = e.ins().iadd(a, b);
            e.ins().isub(sum, p)
        }
        Opcode::Subc => {
            let difference = e.ins().isub(a, b);
            e.ins().iadd(difference, p)
        }
        Opcode::And => e.ins().band(a, b),
        Opcode::Or => e.ins().bor(a, b),
        Opcode::Xor => e.ins().bxor(a, b),
        Opcode::Shl | Opcode::Shr | Opcode::Sar => match constant {
            Some(by) => shift_by(e, opcode, a, by),
            None => each(e, [a, b], |e, [a, b]| shift(e, opcode, a, b)),
        },
        Opcode::MinS => e.ins().smin(a, b),
        Opcode::MaxS => e.ins().smax(a, b),
        Opcode::MinU => e.ins().umin(a, b),
        Opcode::MaxU => e.ins().umax(a, b),
        Opcode::Sel => e.ins().bitselect(p, a, b),
        Opcode::Mul => e.ins().imul(a, b),
        Opcode::MulHS | Opcode::MulHU => high_product(e, opcode == Opcode::MulHS, a, b),
        Opcode::Mad => {
            let product = e.ins().imul(a, b);
            e.ins().iadd(product, c)
        }
        Opcode::FAdd | Opcode::FMul | Opcode::FFma => {
            let [a, b, c] = [a, b, c].map(|value| float(e, value));
            let result = match opcode {
                Opcode::FAdd => e.ins().fadd(a, b),
                Opcode::FMul => e.ins().fmul(a, b),
                _ => e.ins().fma(a, b, c),
            };
            number(e, result)
        }
        Opcode::FMin | Opcode::FMax => extreme(e, opcode == Opcode::FMin, a, b),
        Opcode::I2fS => {
            let result = e.ins().fcvt_from_sint(F32X4, b);
            bits(e, result)
        }
        Opcode::I2fU => {
            let result = e.ins().fcvt_from_uint(F32X4, b);
            bits(e, result)
        }
        Opcode::F2iS => {
            let b = float(e, b);
            e.ins().fcvt_to_sint_sat(I32X4, b)
        }
        Opcode::F2iU => {
            let b = float(e, b);
            e.ins().fcvt_to_uint_sat(I32X4, b)
        }
        _ => return None,
    })
}

/// The outcome of a set-predicate instruction with comparison code `code`.
pub fn compare(e: &mut FunctionBuilder, opcode: Opcode, code: u8, a: Value, b: Value) -> Option<Value> {
    let kind = usize::from(code & 7);
    let is_num = code == Comparison::Num as u8;
    let conditions = match opcode {
        Opcode::ISetpS => [
            IntCC::Equal,
            IntCC::NotEqual,
            IntCC::SignedLessThan,
            IntCC::SignedLessThanOrEqual,
            IntCC::SignedGreaterThan,
            IntCC::SignedGreaterThanOrEqual,
        ],
        Opcode::ISetpU => [
            IntCC::Equal,
            IntCC::NotEqual,
            IntCC::UnsignedLessThan,
            IntCC::UnsignedLessThanOrEqual,
            IntCC::UnsignedGreaterThan,
            IntCC::UnsignedGreaterThanOrEqual,
        ],
        Opcode::FSetp => return Some(compare_floats(e, code, a, b)),
        _ => return None,
    };
    Some(match conditions.get(kind) {
        Some(&condition) => e.ins().icmp(condition, a, b),
        None => splat(e, if is_num { u32::MAX } else { 0 }),
    })
}

fn compare_floats(e: &mut FunctionBuilder, code: u8, a: Value, b: Value) -> Value {
    let [a, b] = [a, b].map(|value| float(e, value));
    let ordered = match code & 7 {
        0 => e.ins().fcmp(FloatCC::Equal, a, b),
        1 => {
            let differ = e.ins().fcmp(FloatCC::NotEqual, a, b);
            let numbers = e.ins().fcmp(FloatCC::Ordered, a, b);
            e.ins().band(differ, numbers)
        }
        2 => e.ins().fcmp(FloatCC::LessThan, a, b),
        3 => e.ins().fcmp(FloatCC::LessThanOrEqual, a, b),
        4 => e.ins().fcmp(FloatCC::GreaterThan, a, b),
        5 => e.ins().fcmp(FloatCC::GreaterThanOrEqual, a, b),
        _ if code == Comparison::Num as u8 => e.ins().fcmp(FloatCC::Ordered, a, b),
        _ => splat(e, 0),
    };
    if code < Comparison::Equ as u8 {
        return ordered;
    }
    let unordered = e.ins().fcmp(FloatCC::Unordered, a, b);
    e.ins().bor(ordered, unordered)
}

/// The outcome of `PLOP` with logic code `code`.
pub fn logic(e: &mut FunctionBuilder, code: u8, p: Value, q: Value) -> Value {
    match code {
        c if c == Logic::And as u8 => e.ins().band(p, q),
        c if c == Logic::Or as u8 => e.ins().bor(p, q),
        _ => e.ins().bxor(p, q),
    }
}

/// With the other sign.
pub fn negated(e: &mut FunctionBuilder, value: Value) -> Value {
    let sign = splat(e, 1 << 31);
    e.ins().bxor(value, sign)
}

fn float(e: &mut FunctionBuilder, value: Value) -> Value {
    e.ins().bitcast(F32X4, MemFlagsData::new(), value)
}

fn bits(e: &mut FunctionBuilder, value: Value) -> Value {
    e.ins().bitcast(I32X4, MemFlagsData::new(), value)
}

/// The bits of a result, of which there is only one that is no number.
fn number(e: &mut FunctionBuilder, value: Value) -> Value {
    let is_nan = e.ins().fcmp(FloatCC::Unordered, value, value);
    let (nan, value) = (splat(e, NAN), bits(e, value));
    e.ins().bitselect(is_nan, nan, value)
}

/// A NaN loses, and -0 is less than +0.
fn extreme(e: &mut FunctionBuilder, least: bool, a: Value, b: Value) -> Value {
    let [x, y] = [a, b].map(|value| float(e, value));
    let below = e.ins().fcmp(FloatCC::LessThan, x, y);
    let equal = e.ins().fcmp(FloatCC::Equal, x, y);
    let zero = splat(e, 0);
    let negative = e.ins().icmp(IntCC::SignedLessThan, a, zero);
    let below_zero = e.ins().band(equal, negative);
    let less = e.ins().bor(below, below_zero);
    let (taken, other) = if least { (a, b) } else { (b, a) };
    let found = e.ins().bitselect(less, taken, other);
    let [x_is_nan, y_is_nan] = [x, y].map(|value| e.ins().fcmp(FloatCC::Unordered, value, value));
    let found = e.ins().bitselect(x_is_nan, b, found);
    let found = e.ins().bitselect(y_is_nan, a, found);
    let found = float(e, found);
    number(e, found)
}

/// The high words of four products.
fn high_product(e: &mut FunctionBuilder, signed: bool, a: Value, b: Value) -> Value {
    let mut half = |low: bool| {
        let [a, b] = [a, b].map(|value| match (signed, low) {
            (true, true) => e.ins().swiden_low(value),
            (true, false) => e.ins().swiden_high(value),
            (false, true) => e.ins().uwiden_low(value),
            (false, false) => e.ins().uwiden_high(value),
        });
        e.ins().imul(a, b)
    };
    let products = [half(true), half(false)];
    debug_assert!(products.iter().all(|&product| e.func.dfg.value_type(product) == I64X2));
    let mut result = splat(e, 0);
    for thread in 0..4u8 {
        let product = e.ins().extractlane(products[usize::from(thread / 2)], thread % 2);
        let high = e.ins().ushr_imm_u(product, 32);
        let high = e.ins().ireduce(I32, high);
        result = e.ins().insertlane(result, high, thread);
    }
    result
}

fn shift_by(e: &mut FunctionBuilder, opcode: Opcode, a: Value, by: u32) -> Value {
    let amount = e.ins().iconst(I32, i64::from(by.min(31)));
    match opcode {
        Opcode::Sar => e.ins().sshr(a, amount),
        _ if by > 31 => splat(e, 0),
        Opcode::Shl => e.ins().ishl(a, amount),
        _ => e.ins().ushr(a, amount),
    }
}

/// Of one thread.
fn shift(e: &mut FunctionBuilder, opcode: Opcode, a: Value, b: Value) -> Value {
    let most = e.ins().iconst(I32, 31);
    if opcode == Opcode::Sar {
        let by = e.ins().umin(b, most);
        return e.ins().sshr(a, by);
    }
    let shifted = if opcode == Opcode::Shl { e.ins().ishl(a, b) } else { e.ins().ushr(a, b) };
    let is_far = e.ins().icmp(IntCC::UnsignedGreaterThan, b, most);
    let zero = e.ins().iconst(I32, 0);
    e.ins().select(is_far, zero, shifted)
}

/// Thread by thread.
fn each(
    e: &mut FunctionBuilder,
    operands: [Value; 2],
    operation: impl Fn(&mut FunctionBuilder, [Value; 2]) -> Value,
) -> Value {
    let mut result = operands[0];
    for thread in 0..4u8 {
        let words = operands.map(|operand| e.ins().extractlane(operand, thread));
        let word = operation(e, words);
        result = e.ins().insertlane(result, word, thread);
    }
    result
}
