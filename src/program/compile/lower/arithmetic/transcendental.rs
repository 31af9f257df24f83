//! `ex2`, `lg2`, `sin`, `cos`, `tanh`: approximations within the bounds of the PTX manual, by range reduction and a
//! polynomial.
//!
//! Polynomials: Moshier, Cephes Mathematical Library, single precision (`exp2f`, `logf`, `sinf`, `cosf`, `tanhf`). The
//! reduction of angles subtracts a multiple of pi/2 in three parts (Cody and Waite 1980) by fused multiply-adds.

use super::super::{
    form::Form,
    lowering::{Done, Lowering},
    special,
};
use crate::{
    compile::ir::{Op, Value},
    isa::{Comparison, Opcode},
};
use Value::Const;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const ONE: u32 = 0x3f80_0000;
const NAN: u32 = 0x7fff_ffff;
/// 1.5 * 2^23: a sum with it is rounded to an integer, which stands in its low bits.
const INTEGRAL: u32 = 0x4b40_0000;

fn float(value: f32) -> Value {
    Const(value.to_bits())
}

impl Lowering<'_> {
    /// The nearest integer to a float below 2^22, as a float, and with bits above it as an integer.
    fn nearest(&mut self, x: Value) -> [Value; 2] {
        let sum = self.calc(Opcode::FAdd, x, Const(INTEGRAL));
        [self.calc(Opcode::FAdd, sum, Const(INTEGRAL | SIGN)), sum]
    }

    /// `2^x`, also where the result is subnormal.
    fn power_of_two(&mut self, x: Value) -> Value {
        // Beyond, the result is infinite or zero; NaN is not beyond.
        let above = self.compared(Opcode::FSetp, Comparison::Gt, x, float(130.0));
        let x = self.selected(above, float(130.0), x);
        let below = self.compared(Opcode::FSetp, Comparison::Lt, x, float(-152.0));
        let x = self.selected(below, float(-152.0), x);
        let [whole, sum] = self.nearest(x);
        let dst = self.temp();
        let negate = [false, true, false];
        self.emit(Op { dst: Some(dst), src: [x, whole, Value::ZERO], negate, ..Op::new(Opcode::FAdd, self.line) });
        const POWER: [f32; 7] =
            [1.535_336_2e-4, 1.339_887_4e-3, 9.618_437e-3, 5.550_332_5e-2, 2.402_264_8e-1, 6.931_472e-1, 1.0];
        let fraction = self.polynomial(Value::Reg(dst), &POWER);
        let n = self.calc(Opcode::Sub, sum, Const(INTEGRAL));
        // The power of two in halves: each is a normal number.
        let half = self.calc(Opcode::Sar, n, Const(1));
        let rest = self.calc(Opcode::Sub, n, half);
        let [half, rest] = [half, rest].map(|n| {
            let exponent = self.calc(Opcode::Shl, n, Const(23));
            self.calc(Opcode::Add, exponent, Const(ONE))
        });
        let result = self.calc(Opcode::FMul, fraction, half);
        self.calc(Opcode::FMul, result, rest)
    }

    /// An angle as a part of at most pi/4 to either side, and the number of quarter turns in the low bits of the second value.
    fn quarter_turns(&mut self, x: Value, magnitude: Value) -> [Value; 2] {
        let turns = self.calc(Opcode::FMul, x, float(std::f32::consts::FRAC_2_PI));
        let [whole, sum] = self.nearest(turns);
        const PI_HALF: [u32; 3] = [0x3fc9_0fda, 0x33a2_2168, 0x27c2_34c4];
        let rest = PI_HALF.iter().fold(x, |rest, &part| self.fused_temp([whole, Const(part), rest], true));
        // Too many turns to count: the angle is taken as none, that of infinity as NaN.
        let none = self.calc(Opcode::FMul, x, Value::ZERO);
        let large = self.compared(Opcode::ISetpU, Comparison::Ge, magnitude, Const(0x4a00_0000));
        [self.selected(large, none, rest), self.selected(large, Value::ZERO, sum)]
    }
}

pub fn power(l: &mut Lowering, form: &Form) -> Done {
    if special::function(l, form)? {
        return Ok(());
    }
    let x = l.float(form, 1)?;
    let result = l.power_of_two(x);
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, result);
    Ok(())
}

/// `lg2`
pub fn logarithm(l: &mut Lowering, form: &Form) -> Done {
    if special::function(l, form)? {
        return Ok(());
    }
    let x = l.float(form, 1)?;
    let small = l.compared(Opcode::ISetpU, Comparison::Lt, x, Const(0x0080_0000));
    let raised = l.calc(Opcode::FMul, x, Const(0x4b80_0000));
    let normal = l.selected(small, raised, x);
    // The fraction is from sqrt(1/2) to sqrt(2).
    let above = l.calc(Opcode::Sub, normal, Const(0x3f35_04f3));
    let n = l.calc(Opcode::Sar, above, Const(23));
    let exponent = l.calc(Opcode::Shl, n, Const(23));
    let fraction = l.calc(Opcode::Sub, normal, exponent);
    let less = l.calc(Opcode::Sub, n, Const(24));
    let n = l.selected(small, less, n);
    let n = l.calc(Opcode::I2fS, Value::ZERO, n);
    let f = l.calc(Opcode::FAdd, fraction, float(-1.0));
    const LOGARITHM: [f32; 9] = [
        7.037_683_6e-2,
        -1.151_461e-1,
        1.167_699_9e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_5e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ];
    let p = l.polynomial(f, &LOGARITHM);
    let square = l.calc(Opcode::FMul, f, f);
    let p = l.fused_temp([p, f, float(-0.5)], false);
    let tail = l.calc(Opcode::FMul, p, square);
    // log2(e) in two parts, the small terms first.
    let sum = l.calc(Opcode::FMul, tail, float(std::f32::consts::LOG2_E));
    let sum = l.fused_temp([f, float(1.925_963e-8), sum], false);
    let sum = l.fused_temp([f, float(std::f32::consts::LOG2_E), sum], false);
    let ordinary = l.calc(Opcode::FAdd, sum, n);
    // Of zero: -infinity; of a negative number: NaN; infinity and NaN are their own.
    let magnitude = l.calc(Opcode::And, x, Const(!SIGN));
    let zero = l.compared(Opcode::ISetpU, Comparison::Eq, magnitude, Value::ZERO);
    let negative = l.compared(Opcode::FSetp, Comparison::Lt, x, Value::ZERO);
    let special = l.selected(negative, Const(NAN), x);
    let special = l.selected(zero, Const(INFINITY | SIGN), special);
    let wrapped = l.calc(Opcode::Sub, x, Const(1));
    let is_special = l.compared(Opcode::ISetpU, Comparison::Ge, wrapped, Const(INFINITY - 1));
    let (dst, result) = (l.dst(form, 0)?, l.selected(is_special, special, ordinary));
    l.finish_float(form, dst, result);
    Ok(())
}

/// `sin` and `cos`: both polynomials, of which the quarter turn chooses one.
pub fn circular(l: &mut Lowering, form: &Form) -> Done {
    if special::function(l, form)? {
        return Ok(());
    }
    let x = l.float(form, 1)?;
    let is_sine = form.opcode() == "sin";
    let magnitude = l.calc(Opcode::And, x, Const(!SIGN));
    let [r, turns] = l.quarter_turns(x, magnitude);
    let square = l.calc(Opcode::FMul, r, r);
    let sine = l.polynomial(square, &[-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1]);
    let cube = l.calc(Opcode::FMul, r, square);
    let sine = l.fused_temp([sine, cube, r], false);
    let cosine = l.polynomial(square, &[2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2, -0.5, 1.0]);
    let turns = if is_sine { turns } else { l.calc(Opcode::Add, turns, Const(1)) };
    let odd = l.calc(Opcode::And, turns, Const(1));
    let odd = l.compared(Opcode::ISetpU, Comparison::Ne, odd, Value::ZERO);
    let value = l.selected(odd, cosine, sine);
    let second = l.calc(Opcode::And, turns, Const(2));
    let sign = l.calc(Opcode::Shl, second, Const(30));
    let mut result = l.calc(Opcode::Xor, value, sign);
    if is_sine {
        // The sum above loses the sign of zero.
        let small = l.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Const(0x3900_0000));
        result = l.selected(small, x, result);
    }
    // Whatever sign NaN has got.
    let nan = l.compared(Opcode::ISetpU, Comparison::Ge, magnitude, Const(INFINITY));
    let result = l.selected(nan, Const(NAN), result);
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, result);
    Ok(())
}

/// `tanh`: a polynomial near zero, else `1 - 2 / (e^2x + 1)`.
pub fn hyperbolic(l: &mut Lowering, form: &Form) -> Done {
    let x = l.src(form, 1)?;
    let magnitude = l.calc(Opcode::And, x, Const(!SIGN));
    let square = l.calc(Opcode::FMul, x, x);
    let p = l.polynomial(square, &[-5.704_988_7e-3, 2.063_909e-2, -5.373_971e-2, 1.333_144_2e-1, -3.333_328e-1]);
    let cube = l.calc(Opcode::FMul, magnitude, square);
    let near = l.fused_temp([p, cube, magnitude], false);
    let scaled = l.calc(Opcode::FMul, magnitude, float(2.0 * std::f32::consts::LOG2_E));
    let power = if l.has_special { l.special_function(Opcode::Ex2, scaled) } else { l.power_of_two(scaled) };
    let sum = l.calc(Opcode::FAdd, power, float(1.0));
    let quotient = match l.has_special {
        true => l.special_quotient_of(float(2.0), sum, false),
        false => l.float_quotient(float(2.0), sum),
    };
    let far = l.fused_temp([quotient, float(1.0), float(1.0)], true);
    let is_near = l.compared(Opcode::FSetp, Comparison::Lt, magnitude, float(0.625));
    let value = l.selected(is_near, near, far);
    let sign = l.calc(Opcode::And, x, Const(SIGN));
    let result = l.calc(Opcode::Or, value, sign);
    let nan = l.compared(Opcode::ISetpU, Comparison::Gt, magnitude, Const(INFINITY));
    let dst = l.dst(form, 0)?;
    l.select(dst, nan, Const(NAN), result);
    Ok(())
}
