//! Conversion between 32-bit integers and single precision.
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
//! Combinational. From an integer: round to nearest even. To an integer: toward zero, or to nearest even when `nearest` is
//! one; what does not fit becomes the nearest integer that does, NaN becomes 0 (as PTX `cvt` says).
//!
//! Testbenches: `testbenches/fp32_from_integer/`, `testbenches/fp32_to_integer/`; tests: `tests/float/conversion.rs`.

use super::{
    canonical,
    parts::{normalize, round_and_pack, unpack},
};
use crate::blocks::twin::words;
use hdl::{Builder, Module, Twin, mux, params};

/// The number nearest to an integer, signed when `signed_value` is one.
pub fn fp32_from_integer() -> Module {
    let m = Builder::new("fp32_from_integer", params! {});
    m.doc("Integer to single precision, round to nearest even.");
    let (value, signed) = (m.input("value", 32), m.input("signed_value", 1));
    let sign = m.wire("sign", signed & value.sign());
    let magnitude = m.wire("magnitude", mux(sign, m.lit(32, 0) - value, value));
    // The top bit has weight 2^31, exponent field 158: more room than the 31 places of the longest shift.
    let (normal, room) = normalize(magnitude, m.lit(8, 157));
    m.output_of("y", sign.join(round_and_pack(normal, room)));
    m.twin(Twin { name: "fp32_from_integer", call: from_integer_twin });
    m.finish()
}

/// The integer nearest to `a`, or the next toward zero, in the signed range when `signed_value` is one, else the unsigned.
pub fn fp32_to_integer() -> Module {
    let m = Builder::new("fp32_to_integer", params! {});
    m.doc("Single precision to integer, toward zero or nearest even, saturating; NaN gives 0.");
    let (a, signed, nearest) = (m.input("a", 32), m.input("signed_value", 1), m.input("nearest", 1));
    let operand = unpack(a);
    // 32 integer places above 24 of fraction; the leading one starts at weight 2^31, which is right for exponent 158.
    let large = m.wire("large", operand.exponent.gt(158));
    let fixed = m.wire("fixed", operand.mantissa.join(m.lit(32, 0)) >> (m.lit(8, 158) - operand.exponent));
    let (whole, half, rest) = (fixed.bits(24, 32), fixed.bit(23), fixed.bits(0, 23).any());
    // Below 1/2 bits are shifted out of the window, but there they only matter to `rest`, and `half` is zero.
    let up = nearest & half & (rest | whole.bit(0));
    let rounded = m.wire("rounded", whole.extend(33) + up.extend(33));

    let negative = operand.sign;
    let most_positive = mux(signed, m.lit(32, 0x7fff_ffff), m.lit(32, 0xffff_ffff));
    let most_negative = mux(signed, m.lit(32, 0x8000_0000), m.lit(32, 0));
    let above = large | rounded.gt(most_positive.extend(33));
    let below = large | rounded.gt(most_negative.extend(33));
    let low = rounded.bits(0, 32);
    let saturated = mux(negative, mux(below, most_negative, m.lit(32, 0) - low), mux(above, most_positive, low));
    m.output_of("y", mux(operand.nan, 0, saturated));
    m.twin(Twin { name: "fp32_to_integer", call: to_integer_twin });
    m.finish()
}

extern "C" fn from_integer_twin(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[value, signed]: [u32; 2]| {
        let number = if signed == 0 { value as f32 } else { value as i32 as f32 };
        [canonical(number)]
    });
}

extern "C" fn to_integer_twin(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a, signed, nearest]: [u32; 3]| {
        let a = f32::from_bits(a);
        let rounded = if nearest == 0 { a } else { a.round_ties_even() };
        [if signed == 0 { rounded as u32 } else { rounded as i32 as u32 }]
    });
}
