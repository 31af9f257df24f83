//! Division, reciprocals and square roots of doubles, correctly rounded for all operands, without branches and loops.
//!
//! Operands are taken apart into an exponent and a fraction; of the fractions the float unit gives a first
//! approximation of `1 / d` or `1 / sqrt(x)`, and Newton steps of the double unit the result to a little more than half
//! of its last place. What then is left, which a fused multiply-add gives exactly, tells by comparison with half of the
//! last place whether the neighbour is nearer. The last place is that of the end result, which has less bits where it
//! is subnormal: such quotients are rounded there before they are compared, so that they are rounded once in all. The
//! exponent comes by multiplications with powers of two, which are exact then, or overflow. Zeros, infinities and NaN
//! go through one operation instead, that gives what the result has to be.

use super::super::{
    double::{HIDDEN, INFINITY, ONE, Pair, SIGN, constant},
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, Value},
    isa::{Comparison, Opcode},
};
use Value::Const;

/// Bits of an exponent field below the sign.
const PLACES: u32 = 20;
/// Exponent field of the last place of a number from 1 to 2.
const LAST_PLACE: u32 = 1023 - 52;

/// A positive finite number taken apart.
struct DoubleParts {
    /// As in the encoding, less than 1 for subnormals.
    exponent: Value,
    /// High word without the exponent.
    fraction: Pair,
}

impl Lowering<'_> {
    /// Takes a magnitude apart; of zero, infinities and NaN comes something.
    fn double_parts(&mut self, magnitude: Pair) -> DoubleParts {
        const RAISED: u32 = 54;
        let raised = self.double_product(magnitude, constant(f64::from(RAISED).exp2()));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude[1], Const(HIDDEN));
        let normal = self.select_wide(small, raised, magnitude);
        let exponent = self.calc(Opcode::Shr, normal[1], Const(PLACES));
        let less = self.calc(Opcode::Sub, exponent, Const(RAISED));
        let exponent = self.selected(small, less, exponent);
        DoubleParts { exponent, fraction: [normal[0], self.calc(Opcode::And, normal[1], Const(HIDDEN - 1))] }
    }

    /// `2^n`, for an `n` of a normal number.
    fn double_power(&mut self, n: Value) -> Pair {
        let field = self.calc(Opcode::Add, n, Const(1023));
        [Value::ZERO, self.calc(Opcode::Shl, field, Const(PLACES))]
    }

    /// `x` with `places` more in its exponent.
    fn scaled(&mut self, x: Pair, places: Value) -> Pair {
        let more = self.calc(Opcode::Shl, places, Const(PLACES));
        [x[0], self.calc(Opcode::Add, x[1], more)]
    }

    /// `x`, or its neighbour by `last_place` (a high word): the greater one where what is `left` is more than `half`, the smaller one where it is less than `-half`.
    fn nearer(&mut self, x: Pair, last_place: Value, left: Pair, half: Pair, [up, down]: [Comparison; 2]) -> Pair {
        let relation = self.relation(left, false, half);
        let up = self.is_in(relation, up);
        let relation = self.relation(left, true, half);
        let down = self.is_in(relation, down);
        let minus = self.calc(Opcode::Or, last_place, Const(SIGN));
        let step = self.selected(up, last_place, Value::ZERO);
        let step = self.selected(down, minus, step);
        self.double_sum(x, [Value::ZERO, step])
    }

    /// `n / d` rounded to nearest even.
    pub fn double_quotient(&mut self, n: Pair, d: Pair) -> Pair {
        let (an, ad) = (self.double_magnitude(n), self.double_magnitude(d));
        let (pn, pd) = (self.double_parts(an), self.double_parts(ad));
        let below = self.compared_wide(Comparison::Lt, false, pn.fraction, pd.fraction);
        let exponent = self.with_carry(Opcode::Subc, pn.exponent, pd.exponent, below);
        // Beyond these bounds all results are zero or infinite.
        let exponent = self.calc(Opcode::MaxS, exponent, Const(-1100i32 as u32));
        let exponent = self.calc(Opcode::MinS, exponent, Const(1100));
        let top = self.selected(below, Const(ONE + HIDDEN), Const(ONE));
        let fn_ = [pn.fraction[0], self.calc(Opcode::Or, pn.fraction[1], top)];
        let fd = [pd.fraction[0], self.calc(Opcode::Or, pd.fraction[1], Const(ONE))];
        let quotient = self.rounded_fraction(fn_, fd, exponent);
        let half = self.calc(Opcode::Sar, exponent, Const(1));
        let rest = self.calc(Opcode::Sub, exponent, half);
        let [half, rest] = [half, rest].map(|n| self.double_power(n));
        let product = self.double_product(quotient, half);
        let magnitude = self.double_product(product, rest);
        let signs = self.calc(Opcode::Xor, n[1], d[1]);
        let sign = self.calc(Opcode::And, signs, Const(SIGN));
        let ordinary = [magnitude[0], self.calc(Opcode::Or, magnitude[1], sign)];
        let special = self.special_double_quotient(n, d, ad);
        let (n, d) = (self.is_special_double(an), self.is_special_double(ad));
        let is_special = self.either(n, d);
        self.select_wide(is_special, special, ordinary)
    }

    /// A magnitude of zero, infinity or NaN.
    fn is_special_double(&mut self, magnitude: Pair) -> Cond {
        let zero = self.is_zero_double(magnitude);
        let large = self.compared(Opcode::ISetpU, Comparison::Ge, magnitude[1], Const(INFINITY));
        self.either(zero, large)
    }

    /// The quotient of two fractions, which is from 1 to 2, rounded to the places that it has with this exponent.
    fn rounded_fraction(&mut self, n: Pair, d: Pair, exponent: Value) -> Pair {
        let single = self.double_of(Opcode::D2f, d)[0];
        let inverse = self.float_inverse(single);
        let mut y = self.double_of(Opcode::F2d, [inverse, Value::ZERO]);
        for _ in 0..2 {
            let error = self.double_fused([d, y, constant(1.0)], true);
            y = self.double_fused([y, error, y], false);
        }
        let q = self.double_product(n, y);
        let left = self.double_fused([d, q, n], true);
        let q = self.double_fused([left, y, q], false);
        // Of subnormals the last place is 2^(-1074 - exponent) here: that of a sum with 2^52 times as much.
        let subnormal = self.compared(Opcode::ISetpS, Comparison::Lt, exponent, Const(-1022i32 as u32));
        let field = self.calc(Opcode::Sub, Const(1), exponent);
        let large = self.calc(Opcode::Shl, field, Const(PLACES));
        let large = [Value::ZERO, self.selected(subnormal, large, Value::ZERO)];
        let sum = self.double_sum(q, large);
        let q = self.double_difference(sum, large);
        let field = self.calc(Opcode::Sub, field, Const(52));
        let field = self.selected(subnormal, field, Const(LAST_PLACE));
        let last_place = self.calc(Opcode::Shl, field, Const(PLACES));
        let left = self.double_fused([d, q, n], true);
        let places = self.calc(Opcode::Sub, field, Const(1024));
        let half = self.scaled(d, places);
        self.nearer(q, last_place, left, half, [Comparison::Gt; 2])
    }

    /// The quotient where an operand is zero, infinite or NaN; `magnitude` is that of `d`.
    fn special_double_quotient(&mut self, n: Pair, d: Pair, magnitude: Pair) -> Pair {
        let zero = self.is_zero_double(magnitude);
        let large = self.compared(Opcode::ISetpU, Comparison::Ge, magnitude[1], Const(INFINITY));
        let nan = self.is_nan_double(magnitude);
        let factor = self.selected(zero, Const(INFINITY), Const(ONE));
        let factor = self.selected(large, Value::ZERO, factor);
        let sign = self.calc(Opcode::And, d[1], Const(SIGN));
        let factor = self.calc(Opcode::Or, factor, sign);
        let factor = self.select_wide(nan, d, [Value::ZERO, factor]);
        self.double_product(n, factor)
    }

    pub fn double_root(&mut self, x: Pair) -> Pair {
        let magnitude = self.double_magnitude(x);
        let DoubleParts { exponent, fraction } = self.double_parts(magnitude);
        // A fraction from 1 to 4, and the exponent field of the root.
        let odd = self.calc(Opcode::And, exponent, Const(1));
        let step = self.calc(Opcode::Shl, odd, Const(PLACES));
        let top = self.calc(Opcode::Sub, Const(ONE + HIDDEN), step);
        let f = [fraction[0], self.calc(Opcode::Or, fraction[1], top)];
        let twice = self.calc(Opcode::Add, exponent, Const(1023));
        let exponent = self.calc(Opcode::Sar, twice, Const(1));
        let root = self.fraction_root(f);
        let places = self.calc(Opcode::Sub, exponent, Const(1023));
        let ordinary = self.scaled(root, places);
        // Infinity is its own root, a negative number or NaN has none.
        let infinity = [Value::ZERO, Const(INFINITY)];
        let special = self.double_fused([x, infinity, infinity], false);
        let zero = self.is_zero_double(magnitude);
        let special = self.select_wide(zero, x, special);
        let large = self.compared(Opcode::ISetpU, Comparison::Ge, x[1], Const(INFINITY));
        let is_special = self.either(zero, large);
        self.select_wide(is_special, special, ordinary)
    }

    /// The root of a fraction from 1 to 4.
    fn fraction_root(&mut self, f: Pair) -> Pair {
        let single = self.double_of(Opcode::D2f, f)[0];
        let inverse = self.inverse_root(single);
        let y = self.double_of(Opcode::F2d, [inverse, Value::ZERO]);
        let g = self.double_product(f, y);
        let h = self.scaled(y, Const(u32::MAX));
        let error = self.double_fused([g, h, constant(0.5)], true);
        let g = self.double_fused([g, error, g], false);
        let h = self.double_fused([h, error, h], false);
        let left = self.double_fused([g, g, f], true);
        let root = self.double_fused([left, h, g], false);
        // With u the last place, f is beyond (root + u / 2)^2 when more than root * u is left, which both are multiples
        // of u^2; and below (root - u / 2)^2 when no more than -root * u is.
        let left = self.double_fused([root, root, f], true);
        let half = self.scaled(root, Const(-52i32 as u32));
        self.nearer(root, Const(LAST_PLACE << PLACES), left, half, [Comparison::Gt, Comparison::Ge])
    }

    /// What the approximations take: the high word, no subnormals.
    fn approximated(&mut self, form: &Form, x: Pair) -> Pair {
        if !form.has(Modifier::Ftz) {
            return x;
        }
        let flushed = self.flushed_double([Value::ZERO, x[1]]);
        [Value::ZERO, flushed[1]]
    }
}

pub fn divide(l: &mut Lowering, form: &Form) -> Done {
    let (n, d) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let quotient = l.double_quotient(n, d);
    l.finish_double(form, quotient)
}

/// `rcp.rn`, and `rcp.approx.ftz` of the high words.
pub fn reciprocal(l: &mut Lowering, form: &Form) -> Done {
    let d = l.src_wide(form, 1)?;
    let d = l.approximated(form, d);
    let quotient = l.double_quotient(constant(1.0), d);
    let quotient = l.approximated(form, quotient);
    l.finish_double(form, quotient)
}

pub fn root(l: &mut Lowering, form: &Form) -> Done {
    let x = l.src_wide(form, 1)?;
    let root = l.double_root(x);
    l.finish_double(form, root)
}

/// `rsqrt.approx`, and `rsqrt.approx.ftz` of the high words.
pub fn reciprocal_root(l: &mut Lowering, form: &Form) -> Done {
    let x = l.src_wide(form, 1)?;
    let x = l.approximated(form, x);
    let root = l.double_root(x);
    let quotient = l.double_quotient(constant(1.0), root);
    let quotient = l.approximated(form, quotient);
    l.finish_double(form, quotient)
}
