//! Conversion between 32-bit integers and single precision, and between 64-bit integers and double precision.
//!
//! ```text
//!                    +-------------------+
//!  value       (32)->| fp32_from_integer |-> y (32)
//!  signed_value (1)->|                   |
//!                    +-------------------+
//!                    +-------------------+
//!  a           (32)->|                   |
//!  signed_value (1)->|  fp32_to_integer  |-> y (32)
//!  nearest      (1)->|                   |
//!                    +-------------------+
//! ```
//!
//! Combinational. From an integer: round to nearest even. To an integer: toward zero, or to nearest even when `nearest`
//! is one; what does not fit becomes the nearest integer that does, NaN becomes 0, in double precision the highest bit
//! alone (as PTX `cvt` says). `fp64_from_integer` and `fp64_to_integer` have words of 64 bits, and the latter no
//! `nearest`.
//!
//! Testbenches: `testbenches/fp32_from_integer/`, `testbenches/fp32_to_integer/` and those of the others; tests:
//! `tests/blocks/float/conversion.rs`.

use super::{
    canonical, canonical_double,
    parts::{Format, normalize, round_and_pack, unpack, with_sticky},
};
use crate::{
    cuts::{Cuts, registers_within},
    intrinsic::words,
};
use hdl::{Builder, Intrinsic, Module, Signal, mux, ports};

/// Places for registers in a conversion from an integer.
pub const FROM_INTEGER_CUTS: u32 = FROM_INTEGER_DELAYS.len() as u32 - 1;
/// Places for registers in a conversion to an integer.
pub const TO_INTEGER_CUTS: u32 = TO_INTEGER_DELAYS.len() as u32 - 1;

/// Delays in single precision, FO4, to: operand, magnitude, normalised magnitude; and to the word.
const FROM_INTEGER_DELAYS: [u32; 4] = [18, 28, 48, 36];
/// To: operand, fixed-point number; and to the word.
const TO_INTEGER_DELAYS: [u32; 3] = [18, 30, 36];

ports! {
    /// Ports of a conversion from integers to a format, with so many registers within.
    pub struct FromIntegerPorts((format, registers): &(Format, u32)) of FromInteger {
        /// The integer.
        in value: format.bits(),
        /// It has a sign.
        in signed_value: 1,
        /// Enable of each register within.
        maybe (*registers > 0) in enable: *registers,
        /// The number.
        out y: format.bits(),
    }
}

ports! {
    /// Ports of a conversion to integers from a format, with so many registers within.
    pub struct ToIntegerPorts((format, registers): &(Format, u32)) of ToInteger {
        /// The number.
        in a: format.bits(),
        /// The integer has a sign.
        in signed_value: 1,
        /// The nearest integer, not the next one toward zero.
        maybe (*format == Format::SINGLE) in nearest: 1,
        /// Enable of each register within.
        maybe (*registers > 0) in enable: *registers,
        /// The integer.
        out y: format.bits(),
    }
}

/// The number nearest to an integer, signed when `signed_value` is one; with registers for its input `enable` (a bit each) within.
pub fn fp32_from_integer(registers: u32) -> Module {
    from_integer(Format::SINGLE, registers, Intrinsic { name: "fp32_from_integer", call: from_integer_intrinsic })
}

/// The double nearest to an integer of 64 bits; with registers as [`fp32_from_integer`].
pub fn fp64_from_integer(registers: u32) -> Module {
    from_integer(
        Format::DOUBLE,
        registers,
        Intrinsic { name: "fp64_from_integer", call: double_from_integer_intrinsic },
    )
}

/// Of an integer that has as many bits as the word.
fn from_integer(format: Format, registers: u32, intrinsic: Intrinsic) -> Module {
    let m = Builder::new(&format!("{}_from_integer", format.name), registers_within(registers));
    m.doc(&format!("Integer to {} precision, round to nearest even.", precision(format)));
    let bits = format.bits();
    let io = FromIntegerPorts::new(&m, &(format, registers));
    let (value, signed) = (io.value(), io.signed_value());
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &FROM_INTEGER_DELAYS);
    let [value, signed] = cuts.at([("value", value), ("signed", signed)]);
    let sign = m.wire("sign", signed & value.sign());
    let magnitude = m.wire("magnitude", mux(sign, m.lit(bits, 0) - value, value));
    let [sign, magnitude] = cuts.at([("sign", sign), ("magnitude", magnitude)]);
    // The top bit of 32 has weight 2^31, exponent field 158: more room than the 31 places of the longest shift.
    let room = m.lit(format.exponent, top_place(format) - 1);
    let (normal, room) = normalize(magnitude, room);
    let [sign, value, room] =
        cuts.at([("sign", sign), ("value", m.wire("normal", with_sticky(normal, format))), ("room", room)]);
    io.y(sign.join(round_and_pack(value, room, format)));
    if registers == 0 {
        m.intrinsic(intrinsic);
    }
    m.finish()
}

/// Exponent field of the top bit of an integer that has as many bits as the word.
fn top_place(format: Format) -> u64 {
    format.bias() + u64::from(format.bits()) - 1
}

fn precision(format: Format) -> &'static str {
    if format == Format::SINGLE { "single" } else { "double" }
}

/// The integer nearest to `a`, or the next toward zero, in the signed range when `signed_value` is one, else the unsigned;
/// with registers as [`fp32_from_integer`].
pub fn fp32_to_integer(registers: u32) -> Module {
    let m = Builder::new("fp32_to_integer", registers_within(registers));
    m.doc("Single precision to integer, toward zero or nearest even, saturating; NaN gives 0.");
    let io = ToIntegerPorts::new(&m, &(Format::SINGLE, registers));
    let (a, signed, nearest) = (io.a(), io.signed_value(), io.nearest());
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &TO_INTEGER_DELAYS);
    io.y(to_integer(a, signed, nearest, 0, Format::SINGLE, &mut cuts));
    if registers == 0 {
        m.intrinsic(Intrinsic { name: "fp32_to_integer", call: to_integer_intrinsic });
    }
    m.finish()
}

/// The integer of 64 bits next to `a` toward zero; with registers as [`fp32_from_integer`].
pub fn fp64_to_integer(registers: u32) -> Module {
    let m = Builder::new("fp64_to_integer", registers_within(registers));
    m.doc("Double precision to integer, toward zero, saturating; NaN gives the highest bit.");
    let io = ToIntegerPorts::new(&m, &(Format::DOUBLE, registers));
    let (a, signed) = (io.a(), io.signed_value());
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &TO_INTEGER_DELAYS);
    io.y(to_integer(a, signed, None, NAN_INTEGER, Format::DOUBLE, &mut cuts));
    if registers == 0 {
        m.intrinsic(Intrinsic { name: "fp64_to_integer", call: double_to_integer_intrinsic });
    }
    m.finish()
}

/// What a NaN of double precision becomes.
const NAN_INTEGER: u64 = 1 << 63;

/// An integer with as many bits as the word; always toward zero where there is no `nearest`.
fn to_integer<'m>(
    a: Signal<'m>,
    signed: Signal<'m>,
    nearest: Option<Signal<'m>>,
    of_nan: u64,
    format: Format,
    cuts: &mut Cuts<'m>,
) -> Signal<'m> {
    let m = a.builder();
    let (a, signed, nearest) = match nearest {
        None => {
            let [a, signed] = cuts.at([("a", a), ("signed", signed)]);
            (a, signed, None)
        }
        Some(nearest) => {
            let [a, signed, nearest] = cuts.at([("a", a), ("signed", signed), ("nearest", nearest)]);
            (a, signed, Some(nearest))
        }
    };
    let (operand, bits, mantissa) = (unpack(a, format), format.bits(), format.mantissa());
    // Of 32 bits: integer places above 24 of fraction; the leading one starts at weight 2^31, which is right for
    // exponent 158.
    let top = top_place(format);
    let large = m.wire("large", operand.exponent.gt(top));
    let distance = m.lit(format.exponent, top) - operand.exponent;
    let fixed = m.wire("fixed", operand.mantissa.join(m.lit(bits, 0)) >> distance);
    let whole = fixed.bits(mantissa, bits);
    // Below 1/2 bits are shifted out of the window, but there they only matter to `rest`, and `half` is zero.
    let up = match nearest {
        None => m.lit(1, 0),
        Some(nearest) => {
            let (half, rest) = (fixed.bit(mantissa - 1), fixed.bits(0, mantissa - 1).any());
            nearest & half & (rest | whole.bit(0))
        }
    };
    let [whole, up, large, negative, not_a_number, signed] = cuts.at([
        ("whole", whole),
        ("up", up),
        ("large", large),
        ("negative", operand.sign),
        ("nan", operand.nan),
        ("signed", signed),
    ]);
    let rounded = whole.extend(bits + 1) + up.extend(bits + 1);
    let rounded = m.wire("rounded", rounded);

    let greatest = u64::MAX >> (64 - bits);
    let most_positive = mux(signed, m.lit(bits, greatest >> 1), m.lit(bits, greatest));
    let most_negative = mux(signed, m.lit(bits, 1 << (bits - 1)), m.lit(bits, 0));
    let above = large | rounded.gt(most_positive.extend(bits + 1));
    let below = large | rounded.gt(most_negative.extend(bits + 1));
    let low = rounded.bits(0, bits);
    let saturated = mux(negative, mux(below, most_negative, m.lit(bits, 0) - low), mux(above, most_positive, low));
    mux(not_a_number, of_nan, saturated)
}

extern "C" fn from_integer_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[value, signed]: [u32; 2]| {
        let number = if signed == 0 { value as f32 } else { value as i32 as f32 };
        [canonical(number)]
    });
}

extern "C" fn to_integer_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a, signed, nearest]: [u32; 3]| {
        let a = f32::from_bits(a);
        let rounded = if nearest == 0 { a } else { a.round_ties_even() };
        [if signed == 0 { rounded as u32 } else { rounded as i32 as u32 }]
    });
}

extern "C" fn double_from_integer_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[value, signed]: [u64; 2]| {
        let number = if signed == 0 { value as f64 } else { value as i64 as f64 };
        [canonical_double(number)]
    });
}

extern "C" fn double_to_integer_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a, signed]: [u64; 2]| {
        let a = f64::from_bits(a);
        [if a.is_nan() {
            NAN_INTEGER
        } else if signed == 0 {
            a as u64
        } else {
            a as i64 as u64
        }]
    });
}
