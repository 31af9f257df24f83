//! Taking single-precision words apart, and making them: the shared ends of every unit.
//!
//! ```text
//!  word (32) -> unpack -> sign, exponent, mantissa, class ... magnitude -> normalize -> round_and_pack -> bits 30..0
//! ```

use super::NAN;
use hdl::{Signal, concat, mux, priority_mux};

/// An operand. Its value, when finite, is `mantissa * 2^(exponent - 150)`.
#[derive(Clone, Copy)]
pub struct Unpacked<'m> {
    /// 1 bit.
    pub sign: Signal<'m>,
    /// 8 bits, 1 to 254 for finite numbers (subnormals and zeros count as 1).
    pub exponent: Signal<'m>,
    /// 24 bits with the leading one of normal numbers.
    pub mantissa: Signal<'m>,
    /// Not a number.
    pub nan: Signal<'m>,
    /// Plus or minus infinity.
    pub infinite: Signal<'m>,
}

/// Takes a 32-bit word apart.
pub fn unpack(word: Signal<'_>) -> Unpacked<'_> {
    let (fraction, exponent) = (word.bits(0, 23), word.bits(23, 8));
    let (normal, top, some) = (exponent.any(), exponent.all(), fraction.any());
    Unpacked {
        sign: word.sign(),
        exponent: concat(&[exponent.bits(1, 7), exponent.bit(0) | !normal]),
        mantissa: normal.join(fraction),
        nan: top & some,
        infinite: top & !some,
    }
}

/// `magnitude` shifted left until its top bit is one, but by at most `room` places (unsigned); with the room that is left.
///
/// One stage per power of two, from the greatest: it shifts when its places are all zeros and the room allows it.
pub fn normalize<'m>(magnitude: Signal<'m>, room: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let width = magnitude.width();
    let stages = u32::BITS - width.leading_zeros();
    (0..stages).rev().map(|stage| 1 << stage).filter(|places| *places < width).fold(
        (magnitude, room),
        |(value, room), places| {
            let zeros = value.bits(width - places, places).is_zero();
            let shift = zeros & room.ge(places);
            (mux(shift, value << u64::from(places), value), mux(shift, room - u64::from(places), room))
        },
    )
}

/// Exponent and fraction bits (31) of the number nearest to `magnitude`, ties to even, infinity when too large.
///
/// `magnitude` (at least 26 bits) comes from [`normalize`]: either its top bit is one, and then has the weight of the leading
/// one of a number with exponent field `room + 1`; or `room` is zero and the number is subnormal or zero. The lowest bit may
/// stand for any number of bits below (sticky). `room` has at most 9 bits.
pub fn round_and_pack<'m>(magnitude: Signal<'m>, room: Signal<'m>) -> Signal<'m> {
    let m = magnitude.builder();
    let width = magnitude.width();
    let (top, fraction) = (magnitude.bit(width - 1), magnitude.bits(width - 24, 23));
    let (half, rest) = (magnitude.bit(width - 25), magnitude.bits(0, width - 25).any());
    let up = half & (rest | fraction.bit(0));
    let exponent = (room.extend(9) + 1) & top.repeat(9);
    let packed = exponent.join(fraction) + up.extend(32);
    mux(packed.bits(23, 9).ge(255), m.lit(31, 0x7f80_0000), packed.bits(0, 31))
}

/// The 32-bit word: NaN, else infinity of `infinite_sign`, else `sign` and the 31 bits of `finite`.
pub fn choose<'m>(
    nan: Signal<'m>,
    infinite: (Signal<'m>, Signal<'m>),
    sign: Signal<'m>,
    finite: Signal<'m>,
) -> Signal<'m> {
    let m = nan.builder();
    let (infinite, infinite_sign) = infinite;
    let infinity = infinite_sign.join(m.lit(31, 0x7f80_0000));
    priority_mux(&[(nan, m.lit(32, u64::from(NAN))), (infinite, infinity)], sign.join(finite))
}
