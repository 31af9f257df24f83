//! Special functions: what the special function unit computes, bit by bit, and the table that it is made from.
//!
//! A reciprocal, reciprocal root, logarithm, power, sine: the operand's range is reduced to one interval, which is cut
//! into segments. The upper bits of the reduced operand choose a segment and with it three coefficients, the lower bits
//! `t` are the place in it:
//!
//! ```text
//!   value = c0 +- c1 t +- c2 t^2,   28 fraction bits
//! ```
//!
//! Coefficients interpolate the function in the three Chebyshev points of the segment, so they are next to the minimax
//! ones; where a function passes through a number that has to come out exactly (1/1, 2^0, log 1, sine 0 and of a
//! quarter turn) an end of the segment is one of the points.
//!
//! | function | interval | segments | value |
//! |---|---|---|---|
//! | reciprocal | 1 to 2 | 128 | 2 / x |
//! | reciprocal root | 1 to 4 | 2 x 128 | 2 / sqrt(x) |
//! | power | 0 to 1 | 64 | 2^x |
//! | logarithm | 0.75 to 1.5 | 64 | log2 x |
//! | sine | a quarter turn | 64 | sin |
//!
//! Sources: table look-up with quadratic interpolation in one unit for all functions as Oberman and Siu, "A
//! High-Performance Area-Efficient Multifunction Interpolator" (2005), describe it; the functions and their error
//! bounds are those of the PTX manual's `.approx` instructions.

use super::isa::Opcode;
use std::sync::LazyLock;

/// Fraction bits of coefficients and values.
pub const FRACTION: u32 = 28;
/// Bits of `t`.
pub const T_BITS: u32 = 18;
/// Bits of the square of `t`.
pub const SQUARE_BITS: u32 = 16;
/// Bits of `c0`, with a sign: values are from -1/2 to 2.
pub const C0_BITS: u32 = FRACTION + 3;
/// Bits of the magnitudes of `c1`.
pub const C1_BITS: u32 = 24;
/// Bits of the magnitudes of `c2`.
pub const C2_BITS: u32 = 18;
const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;

/// A function of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialFunction {
    /// `2 / x`, x from 1 to 2.
    Reciprocal,
    /// `2 / sqrt x`, x from 1 to 4.
    Root,
    /// `2^x`, x from 0 to 1.
    Power,
    /// `log2 (1 + x)`, from a half on less 1.
    Logarithm,
    /// Sine of x quarter turns.
    Sine,
}

/// Coefficients of a segment; the signs of `c1` and `c2` are those of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentCoefficients {
    /// With [`FRACTION`] bits behind the point.
    pub c0: i64,
    /// Magnitude.
    pub c1: u64,
    /// Magnitude.
    pub c2: u64,
}

impl SpecialFunction {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Reciprocal, Self::Root, Self::Power, Self::Logarithm, Self::Sine];

    /// The table of `opcode`; nothing for opcodes of other units.
    pub fn of(opcode: Opcode) -> Option<Self> {
        Some(match opcode {
            Opcode::Rcp => Self::Reciprocal,
            Opcode::Rsq => Self::Root,
            Opcode::Lg2 => Self::Logarithm,
            Opcode::Ex2 => Self::Power,
            Opcode::Sin | Opcode::Cos => Self::Sine,
            _ => return None,
        })
    }

    /// Segments, of one octave where there are two.
    pub fn segments(self) -> usize {
        if matches!(self, Self::Reciprocal | Self::Root) { 128 } else { 64 }
    }

    /// Whether `c1` is subtracted, and `c2`.
    pub fn subtracts(self) -> [bool; 2] {
        match self {
            Self::Reciprocal | Self::Root => [true, false],
            Self::Power => [false, false],
            Self::Logarithm | Self::Sine => [false, true],
        }
    }

    /// Its rows, in order; of a root those from 2 to 4 come behind those from 1 to 2.
    pub fn rows(self) -> &'static [SegmentCoefficients] {
        static TABLES: LazyLock<[Vec<SegmentCoefficients>; 5]> =
            LazyLock::new(|| SpecialFunction::ALL.map(SpecialFunction::interpolate));
        &TABLES[self as usize]
    }

    fn interpolate(self) -> Vec<SegmentCoefficients> {
        let octaves = if self == Self::Root { 2 } else { 1 };
        (0..octaves * self.segments()).map(|number| self.row(number)).collect()
    }

    /// The value at the place `t` of a segment, which the end belongs to.
    fn exact(self, number: usize, t: f64) -> f64 {
        let segments = self.segments();
        let (octave, segment) = (number / segments, number % segments);
        let x = (segment as f64 + t) / segments as f64;
        match self {
            Self::Reciprocal => 2.0 / (1.0 + x),
            Self::Root => 2.0 / ((1.0 + x) * [1.0, 2.0][octave]).sqrt(),
            Self::Power => libm::exp2(x),
            Self::Logarithm => libm::log2(1.0 + x) - if segment < segments / 2 { 0.0 } else { 1.0 },
            Self::Sine => libm::sin(x * std::f64::consts::FRAC_PI_2),
        }
    }

    /// Ends of a segment that have to be exact: the first and the last one.
    fn exact_ends(self, number: usize) -> [bool; 2] {
        let last = number + 1 == self.segments();
        [number == 0, last && matches!(self, Self::Logarithm | Self::Sine)]
    }

    fn row(self, number: usize) -> SegmentCoefficients {
        let [first, last] = self.exact_ends(number);
        let chebyshev = 0.75f64.sqrt() / 2.0;
        let points = [if first { 0.0 } else { 0.5 - chebyshev }, 0.5, if last { 1.0 } else { 0.5 + chebyshev }];
        let values = points.map(|t| self.exact(number, t));
        // Divided differences.
        let slope = |i: usize| (values[i + 1] - values[i]) / (points[i + 1] - points[i]);
        let square = (slope(1) - slope(0)) / (points[2] - points[0]);
        let linear = slope(0) - square * (points[0] + points[1]);
        let constant = values[0] - points[0] * (linear + square * points[0]);
        let one = f64::from(1 << FRACTION);
        let [c1, c2] = [linear, square].map(|c| (c.abs() * one).round() as u64);
        let c0 = if last {
            let [minus_c1, minus_c2] = self.subtracts();
            let part = |c: u64, minus: bool| if minus { -(c as i64) } else { c as i64 };
            (self.exact(number, 1.0) * one).round() as i64 - part(c1, minus_c1) - part(c2, minus_c2)
        } else {
            (constant * one).round() as i64
        };
        SegmentCoefficients { c0, c1, c2 }
    }

    /// The value of a row at `t`.
    pub fn value(self, number: usize, t: u32) -> i64 {
        let SegmentCoefficients { c0, c1, c2 } = self.rows()[number];
        let high = u64::from(t >> (T_BITS - SQUARE_BITS));
        let square = (high * high) >> SQUARE_BITS;
        let [minus_c1, minus_c2] = self.subtracts();
        let part = |product: u64, minus: bool| if minus { -(product as i64) } else { product as i64 };
        let sum = (c0 << T_BITS)
            + part(c1 * u64::from(t), minus_c1)
            + part((c2 * square) << (T_BITS - SQUARE_BITS), minus_c2);
        sum >> T_BITS
    }
}

/// A finite positive float but zero: `mantissa * 2^(exponent - 23)`, mantissa from 2^23 on.
fn take_apart(magnitude: u32) -> (u32, i32) {
    let field = (magnitude >> 23) as i32;
    let mantissa = if field == 0 { magnitude } else { magnitude & 0x007f_ffff | 0x0080_0000 };
    let places = mantissa.leading_zeros() as i32 - 8;
    (mantissa << places, field.max(1) - 127 - places)
}

/// The float nearest to `magnitude * 2^(exponent - FRACTION)`.
fn pack(magnitude: u64, exponent: i32) -> u32 {
    // What is below the last bit of a subnormal before rounding is lost, as in the unit.
    let below = (-133 - exponent).clamp(0, 31);
    let exact = (magnitude >> below) as f64;
    let exponent = (exponent + below - FRACTION as i32).min(200);
    // Both factors are normal doubles, and the product has no more bits than the magnitude: it is rounded once.
    ((exact * f64::from_bits((1023 + exponent) as u64 * (1 << 52))) as f32).to_bits()
}

/// `operand * 2^places` of a float as taken apart, below the point of a word of 32 bits.
fn fixed((mantissa, exponent): (u32, i32), places: i32) -> u32 {
    let right = 23 - exponent - places;
    if (0..64).contains(&right) { ((u64::from(mantissa) << 26) >> right) as u32 } else { 0 }
}

/// The result of a special function of `x`, a float; 0 for opcodes of other units.
pub fn compute(opcode: Opcode, x: u32) -> u32 {
    let Some(function) = SpecialFunction::of(opcode) else { return 0 };
    let (sign, magnitude) = (x & 1 << 31, x & !(1 << 31));
    let negative = sign != 0;
    if magnitude > INFINITY {
        return NAN;
    }
    let (zero, infinite) = (magnitude == 0, magnitude == INFINITY);
    if zero || infinite {
        return match opcode {
            Opcode::Rcp | Opcode::Rsq if zero => sign | INFINITY,
            Opcode::Rcp => sign,
            Opcode::Ex2 if zero => 1f32.to_bits(),
            Opcode::Ex2 if negative => 0,
            Opcode::Lg2 if zero => INFINITY | 1 << 31,
            Opcode::Sin if zero => sign,
            Opcode::Cos if zero => 1f32.to_bits(),
            Opcode::Ex2 | Opcode::Lg2 if !negative => INFINITY,
            Opcode::Rsq if !negative => 0,
            _ => NAN,
        };
    }
    let parts @ (mantissa, exponent) = take_apart(magnitude);
    let fraction = mantissa & 0x007f_ffff;
    let of_seven = |octave: u32| ((octave << 7 | fraction >> 16) as usize, (fraction & 0xffff) << 2);
    match function {
        SpecialFunction::Reciprocal => {
            let (row, t) = of_seven(0);
            sign | pack(function.value(row, t) as u64, -exponent - 1)
        }
        SpecialFunction::Root if negative => NAN,
        SpecialFunction::Root => {
            let (row, t) = of_seven(exponent as u32 & 1);
            pack(function.value(row, t) as u64, -(exponent >> 1) - 1)
        }
        SpecialFunction::Logarithm if negative => NAN,
        SpecialFunction::Logarithm => {
            let row = (fraction >> 17) as usize;
            let whole = i64::from(exponent) + (row >> 5) as i64;
            let value = (whole << FRACTION) + function.value(row, (fraction & 0x1_ffff) << 1);
            pack(value.unsigned_abs(), 0) | if value < 0 { 1 << 31 } else { 0 }
        }
        SpecialFunction::Power => {
            let beyond = exponent > 7;
            let whole = i64::from(fixed(parts, 24 - 26));
            let x = if negative { -whole } else { whole };
            match (beyond, negative) {
                (true, true) => 0,
                (true, false) => INFINITY,
                _ => {
                    let (row, t) = ((x >> T_BITS & 63) as usize, (x & 0x3_ffff) as u32);
                    pack(function.value(row, t) as u64, (x >> 24) as i32)
                }
            }
        }
        SpecialFunction::Sine => {
            let turn = fixed(parts, 0) & 0x03ff_ffff;
            let quarter = (turn >> 24) + u32::from(opcode == Opcode::Cos);
            let place = turn & 0x00ff_ffff;
            let place = if quarter & 1 == 0 { place } else { (0x0100_0000 - place).min(0x00ff_ffff) };
            let value = function.value((place >> T_BITS) as usize, place & 0x3_ffff).min(1 << FRACTION);
            let minus = (quarter & 2 != 0) ^ (negative && opcode == Opcode::Sin);
            pack(value as u64, 0) | if minus { 1 << 31 } else { 0 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// The largest error of `opcode` over every `step`th float from `first` to `last`, relative or absolute.
    fn largest(opcode: Opcode, [first, last]: [f32; 2], step: usize, relative: bool, exact: fn(f64) -> f64) -> f64 {
        let errors = (first.to_bits()..=last.to_bits()).step_by(step).map(|bits| {
            let (found, exact) = (f64::from(f32::from_bits(compute(opcode, bits))), exact(f32::from_bits(bits).into()));
            (found - exact).abs() / if relative { exact.abs() } else { 1.0 }
        });
        errors.fold(0.0, f64::max)
    }

    /// As docs/isa.md has them, all below the bounds of the manual.
    #[test]
    fn errors_are_as_documented() {
        let bound = |places: f64| places.exp2();
        assert!(largest(Opcode::Rcp, [1.0, 2.0], 7, true, |x| 1.0 / x) < bound(-23.8));
        assert!(largest(Opcode::Rcp, [1.2e-38, 8e37], 7919, true, |x| 1.0 / x) < bound(-23.8));
        assert!(largest(Opcode::Rsq, [1.0, 4.0], 7, true, |x| 1.0 / x.sqrt()) < bound(-23.8));
        assert!(largest(Opcode::Rsq, [1e-45, f32::MAX], 7919, true, |x| 1.0 / x.sqrt()) < bound(-23.8));
        assert!(largest(Opcode::Ex2, [1e-30, 127.9], 7919, true, f64::exp2) < bound(-23.1));
        assert!(largest(Opcode::Ex2, [-1e-30, -125.9], 7919, true, f64::exp2) < bound(-23.1));
        assert!(largest(Opcode::Lg2, [0.5, 2.0], 7, false, f64::log2) < bound(-23.0));
        assert!(largest(Opcode::Lg2, [1e-45, 0.5], 7919, true, f64::log2) < bound(-23.0));
        assert!(largest(Opcode::Lg2, [2.0, f32::MAX], 7919, true, f64::log2) < bound(-23.0));
        assert!(largest(Opcode::Sin, [1e-30, 10.0], 997, false, |x| (TAU * x).sin()) < bound(-22.4));
        assert!(largest(Opcode::Cos, [1e-30, 10.0], 997, false, |x| (TAU * x).cos()) < bound(-22.4));
    }

    #[test]
    fn what_has_to_be_exact_is() {
        let of = |opcode, x: f32| f32::from_bits(compute(opcode, x.to_bits()));
        for n in -149..128 {
            let x = f32::from_bits(if n < -126 { 1 << (n + 149) } else { ((n + 127) as u32) << 23 });
            assert_eq!(of(Opcode::Ex2, n as f32), x);
            assert_eq!(of(Opcode::Lg2, x), n as f32);
            assert_eq!(of(Opcode::Rcp, x), 1.0 / x);
            assert_eq!(of(Opcode::Rcp, -x), -1.0 / x);
            if n % 2 == 0 {
                assert_eq!(of(Opcode::Rsq, x), 1.0 / x.sqrt());
            }
        }
        for quarter in 0..16 {
            let turns = quarter as f32 / 4.0;
            let [sine, cosine] = [[0.0, 1.0, 0.0, -1.0][quarter % 4], [1.0, 0.0, -1.0, 0.0][quarter % 4]];
            assert_eq!([of(Opcode::Sin, turns), of(Opcode::Cos, turns)], [sine, cosine], "{turns}");
            assert_eq!([of(Opcode::Sin, -turns), of(Opcode::Cos, -turns)], [-sine, cosine], "{turns}");
        }
        let (below, above) = (f32::from_bits(0x3f7f_ffff), f32::from_bits(0x3f80_0001));
        assert!(of(Opcode::Lg2, below) < 0.0 && of(Opcode::Lg2, above) > 0.0);
    }

    #[test]
    fn special_operands() {
        let of = |opcode, x: f32| compute(opcode, x.to_bits());
        let inf = f32::INFINITY;
        let bits = |x: f32| if x.is_nan() { NAN } else { x.to_bits() };
        for x in [0.0, -0.0, inf, -inf, f32::NAN, -1.0, -1e-40] {
            assert_eq!(of(Opcode::Rcp, x), bits(1.0 / x), "{x}");
            assert_eq!(of(Opcode::Lg2, x), bits(x.log2()), "{x}");
            assert_eq!(of(Opcode::Ex2, x), bits(x.exp2()), "{x}");
            let root = if x == 0.0 { inf.copysign(x) } else { 1.0 / x.sqrt() };
            assert_eq!(of(Opcode::Rsq, x), bits(root), "{x}");
            if x == 0.0 || !x.is_finite() {
                assert_eq!([of(Opcode::Sin, x), of(Opcode::Cos, x)], [bits(x.sin()), bits(x.cos())], "{x}");
            }
        }
        assert_eq!([of(Opcode::Ex2, 128.0), of(Opcode::Ex2, 1e30)], [INFINITY; 2]);
        assert_eq!([of(Opcode::Ex2, -151.0), of(Opcode::Ex2, -1e30)], [0; 2]);
        assert_eq!(of(Opcode::Rcp, 1e-45), INFINITY);
    }
}
