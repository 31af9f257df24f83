//! What the instructions compute, as functions of their operands: shared by the constant folder and the emulator.

use super::{
    isa::{AtomicOp, Comparison, Logic, Opcode},
    special,
};

const NAN: u32 = 0x7fff_ffff;

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

fn bits(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

/// The result of an instruction that writes a register from `a`, `b`, `c` and the predicate `p`; `None` for those that read
/// memory or special registers, and for those that write none. Negation of float operands has been applied.
pub fn compute(opcode: Opcode, [a, b, c]: [u32; 3], p: bool) -> Option<u32> {
    let (sa, sb) = (a as i32, b as i32);
    Some(match opcode {
        Opcode::Mov => b,
        Opcode::Add => a.wrapping_add(b),
        Opcode::Sub => a.wrapping_sub(b),
        Opcode::Addc => a.wrapping_add(b).wrapping_add(p.into()),
        Opcode::Subc => a.wrapping_sub(b).wrapping_sub(p.into()),
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::Shl => a.checked_shl(b).unwrap_or(0),
        Opcode::Shr => a.checked_shr(b).unwrap_or(0),
        Opcode::Sar => (sa >> b.min(31)) as u32,
        Opcode::MinS => sa.min(sb) as u32,
        Opcode::MaxS => sa.max(sb) as u32,
        Opcode::MinU => a.min(b),
        Opcode::MaxU => a.max(b),
        Opcode::Sel => {
            if p {
                a
            } else {
                b
            }
        }
        Opcode::Mul => a.wrapping_mul(b),
        Opcode::MulHS => ((i64::from(sa) * i64::from(sb)) >> 32) as u32,
        Opcode::MulHU => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        Opcode::Mad => a.wrapping_mul(b).wrapping_add(c),
        Opcode::FAdd => bits(float(a) + float(b)),
        Opcode::FMul => bits(float(a) * float(b)),
        Opcode::FFma => bits(float(a).mul_add(float(b), float(c))),
        Opcode::FMin | Opcode::FMax => extreme(opcode, a, b),
        Opcode::I2fS => bits(sb as f32),
        Opcode::I2fU => bits(b as f32),
        // Rust's conversions saturate and take NaN to 0, too.
        Opcode::F2iS => float(b) as i32 as u32,
        Opcode::F2iU => float(b) as u32,
        of if of.is_special_function() => special::compute(of, b),
        _ => return None,
    })
}

const DOUBLE_NAN: u64 = 0x7fff_ffff_ffff_ffff;

fn double_bits(value: f64) -> u64 {
    if value.is_nan() { DOUBLE_NAN } else { value.to_bits() }
}

/// The result of a double-precision instruction, both words together; those with one operand have `b`. Negation has been applied.
pub fn double(opcode: Opcode, [a, b, c]: [u64; 3]) -> u64 {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let [x, y, z] = [a, b, c].map(f64::from_bits);
    match opcode {
        Opcode::DAdd => double_bits(x + y),
        Opcode::DMul => double_bits(x * y),
        Opcode::DFma => double_bits(x.mul_add(y, z)),
        Opcode::DCmp => match x.partial_cmp(&y) {
            Some(Less) => 1,
            Some(Equal) => 2,
            Some(Greater) => 4,
            None => 8,
        },
        Opcode::I2dS => double_bits(b as i64 as f64),
        Opcode::I2dU => double_bits(b as f64),
        Opcode::D2iS | Opcode::D2iU if y.is_nan() => 1 << 63,
        Opcode::D2iS => y as i64 as u64,
        Opcode::D2iU => y as u64,
        Opcode::D2f => bits(y as f32).into(),
        Opcode::F2d => double_bits(float(b as u32).into()),
        _ => 0,
    }
}

/// What an atomic writes where `old` is in memory, of 32 bits or, `wide`, of 64; `None`: nothing.
pub fn atomic(op: AtomicOp, wide: bool, old: u64, operand: u64, compare: u64) -> Option<u64> {
    if !wide {
        let signed = matches!(op, AtomicOp::MinS | AtomicOp::MaxS);
        let word = |value: u64| if signed { i64::from(value as i32) as u64 } else { u64::from(value as u32) };
        return atomic(op, true, word(old), word(operand), word(compare)).map(|new| new & u64::from(u32::MAX));
    }
    let (signed, with) = (old as i64, operand as i64);
    Some(match op {
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::MinS => signed.min(with) as u64,
        AtomicOp::MaxS => signed.max(with) as u64,
        AtomicOp::MinU => old.min(operand),
        AtomicOp::MaxU => old.max(operand),
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::Exch => operand,
        AtomicOp::Cas => return (old == compare).then_some(operand),
        AtomicOp::Inc if old >= operand => 0,
        AtomicOp::Inc => old + 1,
        AtomicOp::Dec if old == 0 || old > operand => operand,
        AtomicOp::Dec => old - 1,
        AtomicOp::FAdd => bits(float(old as u32) + float(operand as u32)).into(),
    })
}

/// A NaN loses, and -0 is less than +0.
fn extreme(opcode: Opcode, a: u32, b: u32) -> u32 {
    let (x, y) = (float(a), float(b));
    let less = match (x.is_nan(), y.is_nan()) {
        (true, true) => return NAN,
        (true, false) => return b,
        (false, true) => return a,
        (false, false) => x < y || x == y && x.is_sign_negative(),
    };
    if less == (opcode == Opcode::FMin) { a } else { b }
}

/// The outcome of a set-predicate instruction with comparison code `code`.
pub fn compare(opcode: Opcode, code: u8, a: u32, b: u32) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match opcode {
        Opcode::ISetpS => Some((a as i32).cmp(&(b as i32))),
        Opcode::ISetpU => Some(a.cmp(&b)),
        _ => float(a).partial_cmp(&float(b)),
    };
    let Some(order) = order else { return code >= Comparison::Equ as u8 };
    match code & 7 {
        0 => order == Equal,
        1 => order != Equal,
        2 => order == Less,
        3 => order != Greater,
        4 => order == Greater,
        5 => order != Less,
        // num is 6, nan is 14.
        _ => code == Comparison::Num as u8,
    }
}

/// The outcome of `PLOP` with logic code `code`.
pub fn logic(code: u8, p: bool, q: bool) -> bool {
    match code {
        c if c == Logic::And as u8 => p & q,
        c if c == Logic::Or as u8 => p | q,
        _ => p ^ q,
    }
}
