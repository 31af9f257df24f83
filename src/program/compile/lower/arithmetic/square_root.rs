//! Square roots, correctly rounded, and their reciprocals, without branches and loops.
//!
//! The fraction, from 1 to 4, gets an approximate `1 / sqrt` (a guess from the bits, Newton steps); the root's integer
//! of 25 bits that follows is at most one off, and its remainder, which fits a word, puts it right. No root lies half
//! way between two floats: the 25th bit alone rounds.

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
const HALF: u32 = 0x3f00_0000;
const TWO: u32 = 0x4000_0000;
const HIDDEN: u32 = 0x0080_0000;
const NAN: u32 = 0x7fff_ffff;
/// `GUESS - bits(x) / 2`, read as a float, is within 3.5 % of `1 / sqrt(x)`.
const GUESS: u32 = 0x5f37_59df;
/// 2^24
const SCALE: u32 = 0x4b80_0000;

/// A positive number: `fraction * 4^n`, and the exponent field of `2^n`.
struct Halved {
    /// From 1 to 4, a float.
    fraction: Value,
    /// 1: it is below 2.
    odd: Value,
    exponent: Value,
}

impl Lowering<'_> {
    fn halved(&mut self, magnitude: Value) -> Halved {
        let parts = self.parts(magnitude);
        let odd = self.calc(Opcode::And, parts.exponent, Const(1));
        let step = self.calc(Opcode::Shl, odd, Const(23));
        let top = self.calc(Opcode::Sub, Const(TWO), step);
        let fraction = self.calc(Opcode::Or, parts.fraction, top);
        let twice = self.calc(Opcode::Add, parts.exponent, Const(127));
        Halved { fraction, odd, exponent: self.calc(Opcode::Sar, twice, Const(1)) }
    }

    /// `1 / sqrt(x)` to about 2^-23.5, for `x` from 1 to 4.
    pub fn inverse_root(&mut self, x: Value) -> Value {
        if self.has_special {
            return self.special_function(Opcode::Rsq, x);
        }
        let half = self.calc(Opcode::Shr, x, Const(1));
        let mut y = self.calc(Opcode::Sub, Const(GUESS), half);
        for _ in 0..3 {
            let product = self.calc(Opcode::FMul, x, y);
            let error = self.fused_temp([product, y, Const(ONE)], true);
            let half = self.calc(Opcode::FMul, y, Const(HALF));
            y = self.fused_temp([half, error, y], false);
        }
        y
    }

    /// Not an ordinary positive number: zero wraps.
    fn is_special_root(&mut self, x: Value) -> Cond {
        let less = self.calc(Opcode::Sub, x, Const(1));
        self.compared(Opcode::ISetpU, Comparison::Ge, less, Const(INFINITY - 1))
    }

    pub fn float_root(&mut self, x: Value) -> Value {
        let magnitude = self.calc(Opcode::And, x, Const(!SIGN));
        let Halved { fraction, odd, exponent } = self.halved(magnitude);
        let y = self.inverse_root(fraction);
        let root = self.calc(Opcode::FMul, fraction, y);
        let left = self.fused_temp([root, root, fraction], true);
        let half = self.calc(Opcode::FMul, y, Const(HALF));
        let rest = self.calc(Opcode::FMul, left, half);
        let [root, rest] = [root, rest].map(|part| {
            let scaled = self.calc(Opcode::FMul, part, Const(SCALE));
            self.calc(Opcode::F2iS, Value::ZERO, scaled)
        });
        let s = self.calc(Opcode::Add, root, rest);
        let bits = self.calc(Opcode::And, fraction, Const(HIDDEN - 1));
        let bits = self.calc(Opcode::Or, bits, Const(HIDDEN));
        let places = self.calc(Opcode::Sub, Const(26), odd);
        let scaled = self.calc(Opcode::Shl, bits, places);
        let square = self.calc(Opcode::Mul, s, s);
        let r = self.calc(Opcode::Sub, scaled, square);
        let negative = self.compared(Opcode::ISetpS, Comparison::Lt, r, Value::ZERO);
        let less = self.calc(Opcode::Sub, s, Const(1));
        let added = self.calc(Opcode::Add, s, less);
        let more = self.calc(Opcode::Add, r, added);
        let (s, r) = (self.selected(negative, less, s), self.selected(negative, more, r));
        let twice = self.calc(Opcode::Shl, s, Const(1));
        let one_more = self.compared(Opcode::ISetpS, Comparison::Gt, r, twice);
        let more = self.calc(Opcode::Add, s, Const(1));
        let s = self.selected(one_more, more, s);
        let rounded = self.calc(Opcode::Add, s, Const(1));
        let rounded = self.calc(Opcode::Shr, rounded, Const(1));
        let exponent = self.calc(Opcode::Sub, exponent, Const(1));
        let exponent = self.calc(Opcode::Shl, exponent, Const(23));
        let ordinary = self.calc(Opcode::Add, exponent, rounded);
        // Infinity is its own root, a negative number or NaN has none.
        let special = self.fused_temp([x, Const(INFINITY), Const(INFINITY)], false);
        let zero = self.compared(Opcode::ISetpU, Comparison::Eq, magnitude, Value::ZERO);
        let special = self.selected(zero, x, special);
        let is_special = self.is_special_root(x);
        self.selected(is_special, special, ordinary)
    }
}

pub fn root(l: &mut Lowering, form: &Form) -> Done {
    if special::function(l, form)? {
        return Ok(());
    }
    let x = l.float(form, 1)?;
    let root = l.float_root(x);
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, root);
    Ok(())
}

/// `rsqrt.approx`
pub fn reciprocal_root(l: &mut Lowering, form: &Form) -> Done {
    if special::function(l, form)? {
        return Ok(());
    }
    let x = l.float(form, 1)?;
    let magnitude = l.calc(Opcode::And, x, Const(!SIGN));
    let Halved { fraction, exponent, .. } = l.halved(magnitude);
    let y = l.inverse_root(fraction);
    let less = l.calc(Opcode::Sub, exponent, Const(127));
    let less = l.calc(Opcode::Shl, less, Const(23));
    let ordinary = l.calc(Opcode::Sub, y, less);
    let infinite = l.compared(Opcode::ISetpU, Comparison::Eq, x, Const(INFINITY));
    let special = l.selected(infinite, Value::ZERO, Const(NAN));
    let pole = l.calc(Opcode::Or, x, Const(INFINITY));
    let zero = l.compared(Opcode::ISetpU, Comparison::Eq, magnitude, Value::ZERO);
    let special = l.selected(zero, pole, special);
    let is_special = l.is_special_root(x);
    let (dst, result) = (l.dst(form, 0)?, l.selected(is_special, special, ordinary));
    l.finish_float(form, dst, result);
    Ok(())
}
