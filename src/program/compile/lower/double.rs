//! Double precision: each operation is two instructions, of the low and of the high words. What only moves, sets or
//! clears signs is done by the integer unit.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, Op, Value},
    isa::{Comparison, Logic, Opcode},
};
use Value::Const;

pub(super) type Pair = [Value; 2];

pub(super) const SIGN: u32 = 0x8000_0000;
/// High word of infinity.
pub(super) const INFINITY: u32 = 0x7ff0_0000;
/// High word of 1.
pub(super) const ONE: u32 = 0x3ff0_0000;
/// High word of the least normal number: one in the exponent.
pub(super) const HIDDEN: u32 = 0x0010_0000;
pub(super) const NAN: Pair = [Const(u32::MAX), Const(0x7fff_ffff)];
pub(super) const ZERO: Pair = [Value::ZERO; 2];

/// The words of a constant.
pub(super) fn constant(x: f64) -> Pair {
    [Const(x.to_bits() as u32), Const((x.to_bits() >> 32) as u32)]
}

impl Lowering<'_> {
    /// An operation of the double-precision unit into a pair of temporaries.
    pub(super) fn double(&mut self, opcode: Opcode, src: [Pair; 3], negate: [bool; 3]) -> Pair {
        self.used_double = true;
        let (line, dst) = (self.line, [self.temp(), self.temp()]);
        self.emit(Op { dst: Some(dst[0]), src: src.map(|[low, _]| low), ..Op::new(opcode, line) });
        self.emit(Op { dst: Some(dst[1]), src: src.map(|[_, high]| high), negate, ..Op::new(Opcode::DHigh, line) });
        dst.map(Value::Reg)
    }

    /// An operation with one operand.
    pub(super) fn double_of(&mut self, opcode: Opcode, value: Pair) -> Pair {
        self.double(opcode, [ZERO, value, ZERO], [false; 3])
    }

    pub(super) fn double_sum(&mut self, a: Pair, b: Pair) -> Pair {
        self.double(Opcode::DAdd, [a, b, ZERO], [false; 3])
    }

    pub(super) fn double_difference(&mut self, a: Pair, b: Pair) -> Pair {
        self.double(Opcode::DAdd, [a, b, ZERO], [false, true, false])
    }

    pub(super) fn double_product(&mut self, a: Pair, b: Pair) -> Pair {
        self.double(Opcode::DMul, [a, b, ZERO], [false; 3])
    }

    /// `a * b + c`, or `c - a * b`, rounded once.
    pub(super) fn double_fused(&mut self, src: [Pair; 3], negate_a: bool) -> Pair {
        self.double(Opcode::DFma, src, [negate_a, false, false])
    }

    /// How `a`, or `-a`, compares with `b`.
    pub(super) fn relation(&mut self, a: Pair, negate_a: bool, b: Pair) -> Value {
        self.double(Opcode::DCmp, [a, b, ZERO], [negate_a, false, false])[0]
    }

    /// The relation is one of the comparison.
    pub(super) fn is_in(&mut self, relation: Value, comparison: Comparison) -> Cond {
        let wanted = self.calc(Opcode::And, relation, Const(relations(comparison)));
        self.compared(Opcode::ISetpU, Comparison::Ne, wanted, Value::ZERO)
    }

    pub(super) fn compared_double(&mut self, comparison: Comparison, a: Pair, b: Pair) -> Cond {
        let relation = self.relation(a, false, b);
        self.is_in(relation, comparison)
    }

    pub(super) fn double_magnitude(&mut self, x: Pair) -> Pair {
        [x[0], self.calc(Opcode::And, x[1], Const(!SIGN))]
    }

    /// A magnitude is one of NaN.
    pub(super) fn is_nan_double(&mut self, magnitude: Pair) -> Cond {
        let some = self.compared(Opcode::ISetpU, Comparison::Ne, magnitude[0], Value::ZERO);
        let word = self.with_carry(Opcode::Addc, magnitude[1], Value::ZERO, some);
        self.compared(Opcode::ISetpU, Comparison::Gt, word, Const(INFINITY))
    }

    /// A magnitude is zero.
    pub(super) fn is_zero_double(&mut self, magnitude: Pair) -> Cond {
        let any = self.calc(Opcode::Or, magnitude[0], magnitude[1]);
        self.compared(Opcode::ISetpU, Comparison::Eq, any, Value::ZERO)
    }

    pub(super) fn either(&mut self, p: Cond, q: Cond) -> Cond {
        let dst = self.temp_pred();
        self.logic(dst, Logic::Or, p, q);
        Cond::of(dst)
    }

    /// A zero of the same sign for a subnormal.
    pub(super) fn flushed_double(&mut self, x: Pair) -> Pair {
        let magnitude = self.calc(Opcode::And, x[1], Const(!SIGN));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Const(HIDDEN));
        let zero = self.calc(Opcode::And, x[1], Const(SIGN));
        self.select_wide(small, [Value::ZERO, zero], x)
    }

    /// Clamped to 0..1, NaN to 0.
    pub(super) fn saturated_double(&mut self, x: Pair) -> Pair {
        let positive = self.compared_double(Comparison::Gt, x, ZERO);
        let x = self.select_wide(positive, x, ZERO);
        let one = constant(1.0);
        let less = self.compared_double(Comparison::Lt, x, one);
        self.select_wide(less, x, one)
    }

    /// Writes a double, clamped with `.sat`.
    pub(super) fn finish_double(&mut self, form: &Form, value: Pair) -> Done {
        let value = if form.has(Modifier::Sat) { self.saturated_double(value) } else { value };
        let dst = self.dst_wide(form, 0)?;
        self.mov_wide(dst, value);
        Ok(())
    }
}

/// The results of `DCMP` that are in a relation, one bit each.
fn relations(comparison: Comparison) -> u32 {
    const LESS: u32 = 1;
    const EQUAL: u32 = 2;
    const GREATER: u32 = 4;
    const NAN: u32 = 8;
    match comparison {
        Comparison::Eq => EQUAL,
        Comparison::Ne => LESS | GREATER,
        Comparison::Lt => LESS,
        Comparison::Le => LESS | EQUAL,
        Comparison::Gt => GREATER,
        Comparison::Ge => GREATER | EQUAL,
        Comparison::Num => LESS | EQUAL | GREATER,
        Comparison::Equ => EQUAL | NAN,
        Comparison::Neu => LESS | GREATER | NAN,
        Comparison::Ltu => LESS | NAN,
        Comparison::Leu => LESS | EQUAL | NAN,
        Comparison::Gtu => GREATER | NAN,
        Comparison::Geu => GREATER | EQUAL | NAN,
        Comparison::Nan => NAN,
    }
}

pub(super) fn arithmetic(l: &mut Lowering, form: &Form) -> Done {
    let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let result = match form.opcode() {
        "mul" => l.double_product(a, b),
        "sub" => l.double_difference(a, b),
        _ => l.double_sum(a, b),
    };
    l.finish_double(form, result)
}

pub(super) fn fused(l: &mut Lowering, form: &Form) -> Done {
    let src = [l.src_wide(form, 1)?, l.src_wide(form, 2)?, l.src_wide(form, 3)?];
    let result = l.double_fused(src, false);
    l.finish_double(form, result)
}

/// A NaN loses, and -0 is less than +0.
pub(super) fn min_max(l: &mut Lowering, form: &Form) -> Done {
    let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let (wins, of_zeros) = match form.opcode() {
        "min" => (Comparison::Lt, Opcode::Or),
        _ => (Comparison::Gt, Opcode::And),
    };
    let relation = l.relation(a, false, b);
    let first = l.is_in(relation, wins);
    let mut result = l.select_wide(first, a, b);
    // Equal doubles are the same words, but for the signs of zeros.
    let equal = l.is_in(relation, Comparison::Eq);
    let both = [0, 1].map(|i| l.calc(of_zeros, a[i], b[i]));
    result = l.select_wide(equal, both, result);
    let magnitude = l.double_magnitude(b);
    let b_loses = l.is_nan_double(magnitude);
    result = l.select_wide(b_loses, a, result);
    let magnitude = l.double_magnitude(result);
    let nan = l.is_nan_double(magnitude);
    result = l.select_wide(nan, NAN, result);
    l.finish_double(form, result)
}

pub(super) fn neg(l: &mut Lowering, form: &Form) -> Done {
    let a = l.src_wide(form, 1)?;
    let result = [a[0], l.calc(Opcode::Xor, a[1], Const(SIGN))];
    l.finish_double(form, result)
}

pub(super) fn abs(l: &mut Lowering, form: &Form) -> Done {
    let a = l.src_wide(form, 1)?;
    let result = l.double_magnitude(a);
    l.finish_double(form, result)
}

/// `copysign`: the sign of the first source, the magnitude of the second.
pub(super) fn copy_sign(l: &mut Lowering, form: &Form) -> Done {
    let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let sign = l.calc(Opcode::And, a[1], Const(SIGN));
    let magnitude = l.double_magnitude(b);
    let result = [magnitude[0], l.calc(Opcode::Or, sign, magnitude[1])];
    l.finish_double(form, result)
}

/// `testp`: what kind of double it is.
pub(super) fn test(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst_pred(form, 0)?, l.src_wide(form, 1)?);
    let magnitude = l.double_magnitude(a);
    // Whether any low bit is set matters in one bit.
    let some = l.compared(Opcode::ISetpU, Comparison::Ne, a[0], Value::ZERO);
    let word = l.with_carry(Opcode::Addc, magnitude[1], Value::ZERO, some);
    let (value, comparison, bound) = match form.parts[1] {
        "finite" => (magnitude[1], Comparison::Lt, INFINITY),
        "infinite" => {
            let low = l.selected(some, Const(1), Value::ZERO);
            let differs = l.calc(Opcode::Xor, magnitude[1], Const(INFINITY));
            (l.calc(Opcode::Or, low, differs), Comparison::Eq, 0)
        }
        "number" => (word, Comparison::Le, INFINITY),
        "notanumber" => (word, Comparison::Gt, INFINITY),
        // As an unsigned number, what is below wraps.
        "normal" => (l.calc(Opcode::Sub, magnitude[1], Const(HIDDEN)), Comparison::Lt, INFINITY - HIDDEN),
        // Below the least normal number and not zero: its word and the bit make 1 up to `HIDDEN`.
        _ => {
            let small = l.compared(Opcode::ISetpU, Comparison::Lt, magnitude[1], Const(HIDDEN));
            (l.selected(small, word, Value::ZERO), Comparison::Ne, 0)
        }
    };
    l.compare(Opcode::ISetpU, dst, comparison, value, Const(bound));
    Ok(())
}
