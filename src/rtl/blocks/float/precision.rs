//! Conversion from double to single precision, and from single to double.
//!
//! ```text
//!          +--------------+           +--------------+
//!  a (64)->| fp64_to_fp32 |-> y (32)  a (32)->| fp32_to_fp64 |-> y (64)
//!          +--------------+           +--------------+
//! ```
//!
//! Combinational, or with registers for an input `enable` (a bit each) within. `fp64_to_fp32` rounds to nearest even,
//! `fp32_to_fp64` is exact.
//!
//! Testbenches: `testbenches/fp64_to_fp32/`, `testbenches/fp32_to_fp64/`; tests: `tests/blocks/float/doubles.rs`,
//! `tests/blocks/float/pipelines.rs`.

use super::{
    canonical, canonical_double,
    parts::{Format, Unpacked, choose, places_to_top, round_and_pack, shifted_to_top, unpack, with_sticky},
};
use crate::{
    cuts::{Cuts, registers_within},
    intrinsic::words,
};
use hdl::{Builder, Intrinsic, Module, Signal, mux, ports, row};

/// Places for registers in a conversion of precision.
pub const PRECISION_CUTS: u32 = DELAYS.len() as u32 - 1;

/// Delays to single precision, FO4, to: operand (where it is chosen), how far it is shifted, its normalised mantissa; and to the word.
const DELAYS: [u32; 4] = [18, 42, 20, 24];

ports! {
    /// Ports of a conversion between two formats, with so many registers within.
    pub struct PrecisionPorts(([from, to], registers): &([Format; 2], u32)) of Precision {
        /// The number.
        in a: from.bits(),
        /// Enable of each register within.
        maybe (*registers > 0) in enable: *registers,
        /// The same number, or the nearest one.
        out y: to.bits(),
    }
}

/// The float nearest to a double; with registers for its input `enable` (a bit each) within.
pub fn fp64_to_fp32(registers: u32) -> Module {
    let (from, to) = (Format::DOUBLE, Format::SINGLE);
    let m = Builder::new("fp64_to_fp32", registers_within(registers));
    m.doc("Double to single precision, round to nearest even.");
    let io = PrecisionPorts::new(&m, &([from, to], registers));
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &DELAYS);
    let [a] = cuts.at([("a", io.a())]);
    let operand = unpack(a, from);
    // The mantissa stands so far below the top of the window that where the exponent is less than any of the result
    // nothing of it reaches the rounding bit, and a shift to the left always normalises it.
    let above = to.mantissa() + 2;
    let least = from.bias() - to.bias() + 1 - u64::from(above);
    let most = to.special() + u64::from(above);
    let small = m.wire("small", operand.exponent.lt(least));
    let room = m.wire("headroom", mux(small, 0, operand.exponent - least));
    let room = mux(room.gt(most), most, room).bits(0, to.exponent + 1);
    let magnitude = operand.mantissa.extend(above + from.mantissa());
    io.y(word(operand, (magnitude, room), to, &mut cuts));
    if registers == 0 {
        m.intrinsic(Intrinsic { name: "fp64_to_fp32", call: narrow_intrinsic });
    }
    m.finish()
}

/// The double of a float; with registers as [`fp64_to_fp32`].
pub fn fp32_to_fp64(registers: u32) -> Module {
    let (from, to) = (Format::SINGLE, Format::DOUBLE);
    let m = Builder::new("fp32_to_fp64", registers_within(registers));
    m.doc("Single to double precision, exact.");
    let io = PrecisionPorts::new(&m, &([from, to], registers));
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &DELAYS);
    let [a] = cuts.at([("a", io.a())]);
    let operand = unpack(a, from);
    let room = operand.exponent.extend(to.exponent) + (to.bias() - from.bias() - 1);
    let below = m.lit(to.mantissa() + 2 - from.mantissa(), 0);
    io.y(word(operand, (operand.mantissa.join(below), room), to, &mut cuts));
    if registers == 0 {
        m.intrinsic(Intrinsic { name: "fp32_to_fp64", call: widen_intrinsic });
    }
    m.finish()
}

/// The word of an operand whose mantissa is `magnitude`, and may be shifted left by `room`.
fn word<'m>(
    operand: Unpacked<'m>,
    (magnitude, room): (Signal<'m>, Signal<'m>),
    to: Format,
    cuts: &mut Cuts<'m>,
) -> Signal<'m> {
    let m = magnitude.builder();
    let class = row([operand.nan, operand.infinite, operand.sign]);
    let [magnitude, places, room, class] = cuts.at([
        ("magnitude", magnitude),
        ("places_to_top", m.wire("places_to_top", places_to_top(magnitude, room))),
        ("room", room),
        ("class", m.wire("class", class)),
    ]);
    let (value, room) = shifted_to_top(magnitude, room, places);
    let [value, room, class] =
        cuts.at([("value", m.wire("value", with_sticky(value, to))), ("room", m.wire("room", room)), ("class", class)]);
    let [nan, infinite, sign] = [0, 1, 2].map(|at| class.bit(at));
    choose(nan, (infinite, sign), sign, round_and_pack(value, room, to), to)
}

extern "C" fn narrow_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a]: [u64; 1]| [u64::from(canonical(f64::from_bits(a) as f32))]);
}

extern "C" fn widen_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[a]: [u64; 1]| [canonical_double(f32::from_bits(a as u32).into())]);
}
