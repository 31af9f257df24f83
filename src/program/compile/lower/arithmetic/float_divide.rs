//! Float division and reciprocals, correctly rounded for all operands, without a divider, branches and loops.
//!
//! Both operands are taken apart into an exponent and an integer of 24 bits ([`FloatParts`]), subnormals after a
//! multiplication with 2^24. The float unit gives the quotient of the fractions to about 2^-23 (a guess from the bits,
//! Newton steps, as in [`super::divide`]) and what it leaves of the dividend gives more bits; their sum is an integer
//! quotient of 26 bits that is at most one off. Its remainder, which fits a word, puts it right and tells whether
//! anything is left. Rounding is then one shift by as many bits as the result's exponent asks for, so that subnormal
//! results are rounded once, too. Zeros, infinities and NaN go through one multiplication instead, that gives what the
//! quotient has to be.

use super::super::{
    form::Form,
    lowering::{Done, Lowering},
    special,
};
use crate::{
    compile::ir::{Cond, Value},
    isa::{Comparison, Opcode},
};
use Value::Const;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const ONE: u32 = 0x3f80_0000;
/// The bit above the fraction.
const HIDDEN: u32 = 0x0080_0000;
/// `GUESS - bits(x)`, read as a float, is within 13 % of `1 / x`.
const GUESS: u32 = 0x7ef3_11c7;
/// 2^25
const SCALE: u32 = 0x4c00_0000;

/// A positive finite number taken apart.
pub struct FloatParts {
    /// As in the encoding, less than 1 for subnormals.
    pub exponent: Value,
    /// 23 bits.
    pub fraction: Value,
}

impl Lowering<'_> {
    /// Takes a magnitude apart; of zero, infinities and NaN comes something.
    pub fn parts(&mut self, magnitude: Value) -> FloatParts {
        let raised = self.calc(Opcode::FMul, magnitude, Const(0x4b80_0000));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Const(HIDDEN));
        let normal = self.selected(small, raised, magnitude);
        let exponent = self.calc(Opcode::Shr, normal, Const(23));
        let less = self.calc(Opcode::Sub, exponent, Const(24));
        let exponent = self.selected(small, less, exponent);
        FloatParts { exponent, fraction: self.calc(Opcode::And, normal, Const(HIDDEN - 1)) }
    }

    /// `n / d` rounded to nearest even.
    pub fn float_quotient(&mut self, n: Value, d: Value) -> Value {
        let (an, ad) = (self.calc(Opcode::And, n, Const(!SIGN)), self.calc(Opcode::And, d, Const(!SIGN)));
        let (pn, pd) = (self.parts(an), self.parts(ad));
        let below = self.compared(Opcode::ISetpU, Comparison::Lt, pn.fraction, pd.fraction);
        let difference = self.calc(Opcode::Sub, pn.exponent, pd.exponent);
        let bias = self.selected(below, Const(126), Const(127));
        let exponent = self.calc(Opcode::Add, difference, bias);
        let quotient = self.fraction_quotient(pn.fraction, pd.fraction, below);
        let magnitude = self.rounded_quotient(quotient, exponent);
        let signs = self.calc(Opcode::Xor, n, d);
        let sign = self.calc(Opcode::And, signs, Const(SIGN));
        let ordinary = self.calc(Opcode::Or, magnitude, sign);
        let special = self.special_quotient(n, d, ad);
        // Zero wraps, so that one comparison finds it together with infinities and NaN.
        let (n, d) = (self.calc(Opcode::Sub, an, Const(1)), self.calc(Opcode::Sub, ad, Const(1)));
        let most = self.calc(Opcode::MaxU, n, d);
        let is_special = self.compared(Opcode::ISetpU, Comparison::Ge, most, Const(INFINITY - 1));
        self.selected(is_special, special, ordinary)
    }

    /// `1 / d` to about 2^-23, for `d` from 1 to 2.
    pub fn float_inverse(&mut self, d: Value) -> Value {
        if self.has_special {
            return self.special_function(Opcode::Rcp, d);
        }
        let mut y = self.calc(Opcode::Sub, Const(GUESS), d);
        for _ in 0..3 {
            let error = self.fused_temp([d, y, Const(ONE)], true);
            y = self.fused_temp([y, error, y], false);
        }
        y
    }

    /// The quotient of two fractions, from 1 to 2 (the first one is doubled where it is `below` the second), times 2^25; the last bit tells also whether anything is left.
    fn fraction_quotient(&mut self, n: Value, d: Value, below: Cond) -> Value {
        let d_float = self.calc(Opcode::Or, d, Const(ONE));
        let exponent = self.selected(below, Const(ONE + HIDDEN), Const(ONE));
        let n_float = self.calc(Opcode::Or, n, exponent);
        let y = self.float_inverse(d_float);
        let q = self.calc(Opcode::FMul, n_float, y);
        let left = self.fused_temp([d_float, q, n_float], true);
        let rest = self.calc(Opcode::FMul, left, y);
        let [q, rest] = [q, rest].map(|part| {
            let scaled = self.calc(Opcode::FMul, part, Const(SCALE));
            self.calc(Opcode::F2iS, Value::ZERO, scaled)
        });
        let q = self.calc(Opcode::Add, q, rest);
        let (n, d) = (self.calc(Opcode::Or, n, Const(HIDDEN)), self.calc(Opcode::Or, d, Const(HIDDEN)));
        let places = self.selected(below, Const(26), Const(25));
        let scaled = self.calc(Opcode::Shl, n, places);
        let product = self.calc(Opcode::Mul, q, d);
        // It is between -d and 2 d: the words above it do not matter.
        let r = self.calc(Opcode::Sub, scaled, product);
        let negative = self.compared(Opcode::ISetpS, Comparison::Lt, r, Value::ZERO);
        let (less, more) = (self.calc(Opcode::Sub, q, Const(1)), self.calc(Opcode::Add, r, d));
        let (q, r) = (self.selected(negative, less, q), self.selected(negative, more, r));
        let one_more = self.compared(Opcode::ISetpS, Comparison::Ge, r, d);
        let (more, less) = (self.calc(Opcode::Add, q, Const(1)), self.calc(Opcode::Sub, r, d));
        let (q, r) = (self.selected(one_more, more, q), self.selected(one_more, less, r));
        let anything = self.compared(Opcode::ISetpU, Comparison::Ne, r, Value::ZERO);
        let sticky = self.selected(anything, Const(1), Value::ZERO);
        self.calc(Opcode::Or, q, sticky)
    }

    /// The float of a quotient of 26 bits with an exponent that may be too large or too small.
    fn rounded_quotient(&mut self, quotient: Value, exponent: Value) -> Value {
        let below = self.calc(Opcode::Sub, Const(1), exponent);
        let below = self.calc(Opcode::MaxS, below, Value::ZERO);
        let places = self.calc(Opcode::Add, below, Const(2));
        let places = self.calc(Opcode::MinS, places, Const(31));
        let before = self.calc(Opcode::Sub, places, Const(1));
        let half = self.calc(Opcode::Shl, Const(1), before);
        let last = self.calc(Opcode::Shr, quotient, places);
        let odd = self.calc(Opcode::And, last, Const(1));
        let sum = self.calc(Opcode::Add, quotient, half);
        let sum = self.calc(Opcode::Add, sum, odd);
        let sum = self.calc(Opcode::Sub, sum, Const(1));
        let fraction = self.calc(Opcode::Shr, sum, places);
        // The bit above the fraction counts as one of the exponent.
        let exponent = self.calc(Opcode::MaxS, exponent, Const(1));
        let exponent = self.calc(Opcode::Sub, exponent, Const(1));
        let exponent = self.calc(Opcode::Shl, exponent, Const(23));
        let bits = self.calc(Opcode::Add, exponent, fraction);
        self.calc(Opcode::MinU, bits, Const(INFINITY))
    }

    /// The quotient where an operand is zero, infinite or NaN; `magnitude` is that of `d`.
    fn special_quotient(&mut self, n: Value, d: Value, magnitude: Value) -> Value {
        let (zero, infinite) = (
            self.compared(Opcode::ISetpU, Comparison::Eq, magnitude, Value::ZERO),
            self.compared(Opcode::ISetpU, Comparison::Eq, magnitude, Const(INFINITY)),
        );
        let nan = self.compared(Opcode::ISetpU, Comparison::Gt, magnitude, Const(INFINITY));
        let factor = self.selected(zero, Const(INFINITY), Const(ONE));
        let factor = self.selected(infinite, Value::ZERO, factor);
        let sign = self.calc(Opcode::And, d, Const(SIGN));
        let factor = self.calc(Opcode::Or, factor, sign);
        let factor = self.selected(nan, d, factor);
        self.calc(Opcode::FMul, n, factor)
    }
}

pub fn divide(l: &mut Lowering, form: &Form) -> Done {
    if special::divide(l, form)? {
        return Ok(());
    }
    let (n, d) = (l.float(form, 1)?, l.float(form, 2)?);
    let quotient = l.float_quotient(n, d);
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, quotient);
    Ok(())
}

pub fn reciprocal(l: &mut Lowering, form: &Form) -> Done {
    if special::function(l, form)? {
        return Ok(());
    }
    let d = l.float(form, 1)?;
    let quotient = l.float_quotient(Const(ONE), d);
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, quotient);
    Ok(())
}
