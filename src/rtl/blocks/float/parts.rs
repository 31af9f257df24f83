//! Taking words apart, and making them: the shared ends of every unit, for any [`Format`].
//!
//! ```text
//!  word -> unpack -> sign, exponent, mantissa, class ... magnitude -> normalize -> round_and_pack -> the word but its sign
//! ```

use hdl::{Signal, concat, mux, priority_mux};

/// A binary format of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction.
    pub fraction: u32,
    /// Bits of a word, as the names of its blocks begin.
    pub name: &'static str,
    /// As their descriptions begin.
    pub precision: &'static str,
}

impl Format {
    /// 32 bits.
    pub const SINGLE: Self = Self { exponent: 8, fraction: 23, name: "fp32", precision: "Single-precision" };
    /// 64 bits.
    pub const DOUBLE: Self = Self { exponent: 11, fraction: 52, name: "fp64", precision: "Double-precision" };

    /// Bits of a word.
    pub const fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// Bits of a mantissa with its leading one.
    pub const fn mantissa(self) -> u32 {
        self.fraction + 1
    }

    /// Exponent field of numbers from 1 to 2.
    pub const fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Exponent field of infinity and NaN.
    pub const fn special(self) -> u64 {
        (1 << self.exponent) - 1
    }

    /// The word of infinity.
    pub const fn infinity(self) -> u64 {
        self.special() << self.fraction
    }

    /// The one NaN that units return: all bits but the sign.
    pub const fn nan(self) -> u64 {
        (1 << (self.bits() - 1)) - 1
    }
}

/// An operand. Its value, when finite, is `mantissa * 2^(exponent - bias - fraction bits)`: of a float `2^(exponent - 150)`.
#[derive(Clone, Copy)]
pub struct Unpacked<'m> {
    /// 1 bit.
    pub sign: Signal<'m>,
    /// The field; 1 up for finite numbers (subnormals and zeros count as 1).
    pub exponent: Signal<'m>,
    /// The fraction below the leading one of normal numbers.
    pub mantissa: Signal<'m>,
    /// Not a number.
    pub nan: Signal<'m>,
    /// Plus or minus infinity.
    pub infinite: Signal<'m>,
}

/// Takes a word apart.
pub fn unpack(word: Signal<'_>, format: Format) -> Unpacked<'_> {
    let (fraction, exponent) = (word.bits(0, format.fraction), word.bits(format.fraction, format.exponent));
    let (normal, top, some) = (exponent.any(), exponent.all(), fraction.any());
    Unpacked {
        sign: word.sign(),
        exponent: concat(&[exponent.bits(1, format.exponent - 1), exponent.bit(0) | !normal]),
        mantissa: normal.join(fraction),
        nan: top & some,
        infinite: top & !some,
    }
}

/// Where the first one of `word` is, from the top: its width, or, where that is a power of two, one less, if there is none.
pub fn leading_zeros(word: Signal<'_>) -> Signal<'_> {
    let (m, size) = (word.builder(), word.width().next_power_of_two());
    let rest = size - word.width();
    let padded = if rest == 0 { word } else { word.join(m.lit(1, 1).repeat(rest)) };
    counted(padded).1.unwrap_or_else(|| m.lit(1, 0))
}

/// Whether there is no one in the word, and else how many zeros are above the first: halves of a tree, joined.
fn counted(word: Signal<'_>) -> (Signal<'_>, Option<Signal<'_>>) {
    if word.width() == 1 {
        return (!word, None);
    }
    let half = word.width() / 2;
    let (high, high_count) = counted(word.bits(half, half));
    let (low, low_count) = counted(word.bits(0, half));
    let count = match (high_count, low_count) {
        (Some(of_high), Some(of_low)) => high.join(mux(high, of_low, of_high)),
        _ => high,
    };
    (high & low, Some(count))
}

/// How far `magnitude` is to be shifted left for its top bit to be one, at most `room` places (unsigned).
pub fn places_to_top<'m>(magnitude: Signal<'m>, room: Signal<'m>) -> Signal<'m> {
    let count = leading_zeros(magnitude);
    let width = count.width().max(room.width());
    mux(count.extend(width).gt(room.extend(width)), room.extend(width), count.extend(width)).bits(0, count.width())
}

/// `magnitude` shifted left by [`places_to_top`], with the room that is left.
pub fn shifted_to_top<'m>(magnitude: Signal<'m>, room: Signal<'m>, places: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let width = room.width().max(places.width());
    (magnitude << places, (room.extend(width) - places.extend(width)).bits(0, room.width()))
}

/// `magnitude` shifted left until its top bit is one, but by at most `room` places (unsigned); with the room that is left.
pub fn normalize<'m>(magnitude: Signal<'m>, room: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    shifted_to_top(magnitude, room, places_to_top(magnitude, room))
}

/// What [`round_and_pack`] has to know of a magnitude: a mantissa, the bit below it, and whether there is a one further below.
pub fn with_sticky(magnitude: Signal<'_>, format: Format) -> Signal<'_> {
    let below = magnitude.width() - format.mantissa() - 1;
    magnitude.bits(below, format.mantissa() + 1).join(magnitude.bits(0, below).any())
}

/// Exponent and fraction of the number nearest to `magnitude`, ties to even, infinity when too large.
///
/// `magnitude` (at least three bits more than a fraction) comes from [`normalize`]: either its top bit is one, and then has the weight of the leading
/// one of a number with exponent field `room + 1`; or `room` is zero and the number is subnormal or zero. The lowest bit may
/// stand for any number of bits below (sticky). `room` has at most one bit more than an exponent.
pub fn round_and_pack<'m>(magnitude: Signal<'m>, room: Signal<'m>, format: Format) -> Signal<'m> {
    let m = magnitude.builder();
    let Format { exponent: exponent_bits, fraction: fraction_bits, .. } = format;
    let (width, mantissa) = (magnitude.width(), format.mantissa());
    let (top, fraction) = (magnitude.bit(width - 1), magnitude.bits(width - mantissa, fraction_bits));
    let (half, rest) = (magnitude.bit(width - mantissa - 1), magnitude.bits(0, width - mantissa - 1).any());
    let up = half & (rest | fraction.bit(0));
    let exponent = (room.extend(exponent_bits + 1) + 1) & top.repeat(exponent_bits + 1);
    let packed = exponent.join(fraction) + up.extend(format.bits());
    let too_large = packed.bits(fraction_bits, exponent_bits + 1).ge(format.special());
    mux(too_large, m.lit(format.bits() - 1, format.infinity()), packed.bits(0, format.bits() - 1))
}

/// The word: NaN, else infinity of `infinite_sign`, else `sign` and the bits of `finite`.
pub fn choose<'m>(
    nan: Signal<'m>,
    infinite: (Signal<'m>, Signal<'m>),
    sign: Signal<'m>,
    finite: Signal<'m>,
    format: Format,
) -> Signal<'m> {
    let m = nan.builder();
    let (infinite, infinite_sign) = infinite;
    let infinity = infinite_sign.join(m.lit(format.bits() - 1, format.infinity()));
    priority_mux(&[(nan, m.lit(format.bits(), format.nan())), (infinite, infinity)], sign.join(finite))
}
