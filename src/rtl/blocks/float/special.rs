//! Special functions of a float: reciprocal, reciprocal root, logarithm, power, sine, cosine.
//!
//! ```text
//!                  +-----------+  segment  +-------+  c0, c1, c2  +-------------+  value  +-----------+
//!  x (32) ---+---->| reduction |---------->| table |------------->|             |-------->| normalise |
//!            |     |           |           +-------+              | c0 + c1 t   |         | and pack  |--> y (32)
//!            |     |           |  t (18)                          |   + c2 t^2  |         |           |
//!            |     +-----------+--------------------------------->+-------------+         +-----------+
//!            |           | exponent, sign, quarter                                              ^
//!            |           +----------------------------------------------------------------------+
//!  function (6, one-hot)
//! ```
//!
//! Combinational, or with registers within ([`Cuts`]). `function` has a bit for each of [`Opcode::Rcp`], `Rsq`, `Lg2`, `Ex2`, `Sin`, `Cos`, of which one is
//! one; with none the result is zero. The angle of sine and cosine is in turns. Subnormals count as any number, as
//! operands and as results. Table and bits of everything inside: [`program::special`], which is also the native
//! intrinsic.
//!
//! Testbench: `testbenches/fp32_special/`; tests: `tests/blocks/float/special.rs`.

use super::{
    Format,
    parts::{normalize, round_and_pack, unpack, with_sticky},
};
use crate::{
    carry_save::{Summand, carry_save},
    cuts::{Cuts, registers_within},
    intrinsic::words,
    one_hot_mux,
};
use hdl::{Builder, Intrinsic, Module, Signal, concat, mux, ports, priority_mux, row, select};
use program::{
    isa::Opcode,
    special::{self, C0_BITS, C1_BITS, C2_BITS, FRACTION, SQUARE_BITS, SegmentCoefficients, SpecialFunction, T_BITS},
};

/// The functions, in the order of the bits of `function`.
pub const SPECIAL_FUNCTIONS: [Opcode; 6] =
    [Opcode::Rcp, Opcode::Rsq, Opcode::Lg2, Opcode::Ex2, Opcode::Sin, Opcode::Cos];

/// Bits of exponents with a sign, and of `room`.
const EXPONENT_BITS: u32 = 10;
/// Bits of a value before its last shift: from 2^7 down.
const VALUE_BITS: u32 = 8 + FRACTION;
/// What `room` has above the exponent of the value: its highest bit is 2^7.
const TOP: u64 = 127 + 7 - 1;

/// Places for registers.
pub const SPECIAL_CUTS: u32 = DELAYS.len() as u32 - 1;

/// Delays, FO4, to: operand (where it is chosen), number with its first bit at the top, fixed-point number, place in the table,
/// coefficients, products, value, magnitude, magnitude in the range of results, normalised magnitude; and to the word.
const DELAYS: [u32; 11] = [30, 48, 36, 36, 36, 60, 44, 64, 20, 52, 48];

/// Which function it is.
#[derive(Clone, Copy)]
struct Which<'m> {
    reciprocal: Signal<'m>,
    root: Signal<'m>,
    logarithm: Signal<'m>,
    power: Signal<'m>,
    sine: Signal<'m>,
    cosine: Signal<'m>,
}

impl<'m> Which<'m> {
    fn of(function: Signal<'m>) -> Self {
        let [reciprocal, root, logarithm, power, sine, cosine] = [0, 1, 2, 3, 4, 5].map(|i| function.bit(i));
        Self { reciprocal, root, logarithm, power, sine, cosine }
    }

    fn circular(self) -> Signal<'m> {
        self.sine | self.cosine
    }
}

/// A number taken apart, subnormals like the others.
#[derive(Clone, Copy)]
struct UnpackedNumber<'m> {
    sign: Signal<'m>,
    /// Of its first bit, which is one; signed.
    exponent: Signal<'m>,
    /// 24 bits.
    mantissa: Signal<'m>,
}

/// A place in the table.
#[derive(Clone, Copy)]
struct TablePosition<'m> {
    segment: Signal<'m>,
    t: Signal<'m>,
}

ports! {
    /// Ports of [`fp32_special`] with so many registers within.
    pub struct Fp32SpecialPorts(registers: &u32) of Fp32Special {
        /// The function, one-hot.
        in function: SPECIAL_FUNCTIONS.len() as u32,
        /// Its argument.
        in x: 32,
        /// Enable of each register within.
        maybe (*registers > 0) in enable: *registers,
        /// Its value.
        out y: 32,
    }
}

/// The unit of one thread, with registers for its input `enable` (a bit each) within.
pub fn fp32_special(registers: u32) -> Module {
    let m = Builder::new("fp32_special", registers_within(registers));
    m.doc("Special functions by table and quadratic interpolation.");
    let io = Fp32SpecialPorts::new(&m, &registers);
    let (function, x) = (io.function(), io.x());
    let mut cuts = Cuts::new(&m, (registers, io.enable()), &DELAYS);
    let [function, x] = cuts.at([("function", function), ("x", x)]);
    let of = unpack(x, Format::SINGLE);
    let zero = m.wire("zero", !of.mantissa.any());

    m.comment("The first bit of subnormals to the place of all others.");
    let room = of.exponent.extend(EXPONENT_BITS) + 32;
    let (mantissa, room) = normalize(of.mantissa, room);
    let exponent = m.wire("exponent", room - (127 + 32));
    let beyond = m.wire("beyond", !exponent.sign() & exponent.ge(8));
    let exception = exception(&m, Which::of(function), of.sign, [of.nan, of.infinite, zero, beyond]);
    let [function, sign, exponent, mantissa, exception] = cuts.at([
        ("function", function),
        ("sign", of.sign),
        ("exponent", exponent),
        ("mantissa", m.wire("mantissa", mantissa)),
        ("exception", m.wire("exception", exception)),
    ]);
    let fixed_point = fixed(&m, Which::of(function), UnpackedNumber { sign, exponent, mantissa });
    let [function, sign, exponent, mantissa, whole, exception] = cuts.at([
        ("function", function),
        ("sign", sign),
        ("exponent", exponent),
        ("mantissa", mantissa),
        ("fixed", m.wire("fixed", fixed_point)),
        ("exception", exception),
    ]);
    let (which, number) = (Which::of(function), UnpackedNumber { sign, exponent, mantissa });
    // Two's complement of the exponent of two.
    let scaled = whole.extend(33);
    let scaled = m.wire("power_operand", mux(number.sign, m.lit(33, 0) - scaled, scaled));
    let quarter = m.wire("quarter", whole.bits(24, 2) + which.cosine.extend(2));
    let TablePosition { segment, t } = place(&m, which, number, [whole, scaled, quarter]);
    let minus = number.sign & (which.reciprocal | which.sine) ^ (quarter.bit(1) & which.circular());
    let [function, segment, t, characteristic, headroom, minus, exception] = cuts.at([
        ("function", function),
        ("segment", segment),
        ("t", t),
        ("characteristic", m.wire("characteristic", number.exponent + mantissa.bit(22).extend(EXPONENT_BITS))),
        ("headroom", headroom(&m, which, number, scaled)),
        ("minus", m.wire("minus", minus)),
        ("exception", exception),
    ]);
    let high = t.bits(T_BITS - SQUARE_BITS, SQUARE_BITS).extend(2 * SQUARE_BITS);
    let [function, row, t, square, characteristic, headroom, minus, exception] = cuts.at([
        ("function", function),
        ("coefficients", coefficients(&m, Which::of(function), segment)),
        ("t", t),
        ("square", m.wire("square", (high * high).bits(SQUARE_BITS, SQUARE_BITS))),
        ("characteristic", characteristic),
        ("headroom", headroom),
        ("minus", minus),
        ("exception", exception),
    ]);
    let (c1, c2) = (row.bits(C2_BITS, C1_BITS), row.bits(0, C2_BITS));
    let [function, c0, linear, quadratic, characteristic, headroom, minus, exception] = cuts.at([
        ("function", function),
        ("constant", row.bits(C1_BITS + C2_BITS, C0_BITS)),
        ("linear", product(&m, "linear", c1, t)),
        ("quadratic", product(&m, "quadratic", c2, square)),
        ("characteristic", characteristic),
        ("headroom", headroom),
        ("minus", minus),
        ("exception", exception),
    ]);
    let value = sum(&m, Which::of(function), [c0, linear, quadratic]);
    let [function, value, characteristic, headroom, minus, exception] = cuts.at([
        ("function", function),
        ("value", value),
        ("characteristic", characteristic),
        ("headroom", headroom),
        ("minus", minus),
        ("exception", exception),
    ]);
    let which = Which::of(function);
    let (magnitude, negative) = magnitude(&m, which, characteristic, value);
    let [magnitude, headroom, minus, exception] = cuts.at([
        ("magnitude", m.wire("magnitude", magnitude)),
        ("headroom", headroom),
        ("minus", minus ^ (negative & which.logarithm)),
        ("exception", exception),
    ]);
    let (shifted, room) = in_range(&m, magnitude, headroom);
    let [shifted, room, minus, exception] =
        cuts.at([("shifted", shifted), ("room", room), ("minus", minus), ("exception", exception)]);
    let (normal, room) = normalize(shifted, room);
    let [normal, room, minus, exception] = cuts.at([
        ("normal", m.wire("normal", with_sticky(normal, Format::SINGLE))),
        ("room", room),
        ("minus", minus),
        ("exception", exception),
    ]);
    m.comment("Round, pack, exceptions.");
    io.y(chosen(&m, exception, minus.join(round_and_pack(normal, room, Format::SINGLE))));
    if registers == 0 {
        m.intrinsic(Intrinsic { name: "fp32_special", call: intrinsic });
    }
    m.finish()
}

/// `x` without its sign as a word with 24 bits behind the point, or 26 of the angle, of which more are not looked at.
fn fixed<'m>(m: &'m Builder, which: Which<'m>, number: UnpackedNumber<'m>) -> Signal<'m> {
    m.comment("Powers and angles: the operand with its point at a fixed place.");
    let right = mux(which.power, m.lit(EXPONENT_BITS, 25), m.lit(EXPONENT_BITS, 23)) - number.exponent;
    let right = m.wire("right", right);
    let outside = right.bits(6, EXPONENT_BITS - 6).any();
    let wide = number.mantissa.join(m.lit(26, 0)) >> right.bits(0, 6);
    mux(outside, m.lit(32, 0), wide.bits(0, 32))
}

/// Where to look in the table, and with what.
fn place<'m>(
    m: &'m Builder,
    which: Which<'m>,
    number: UnpackedNumber<'m>,
    operands: [Signal<'m>; 3],
) -> TablePosition<'m> {
    m.comment("Segment and place in it.");
    let [whole, scaled, quarter] = operands;
    let angle = whole.bits(0, 24);
    let turned = mux(angle.any(), m.lit(24, 0) - angle, m.lit(24, (1 << 24) - 1));
    let angle = m.wire("angle", mux(quarter.bit(0), turned, angle));
    let fraction = number.mantissa.bits(0, 23);
    let of = |bits: Signal<'m>, t_bits: u32| {
        let t = bits.bits(0, t_bits);
        let t = if t_bits < T_BITS { t.join(m.lit(T_BITS - t_bits, 0)) } else { t };
        bits.bits(t_bits, bits.width() - t_bits).extend(8).join(t)
    };
    let choices = [
        (which.reciprocal, of(fraction, 16)),
        (which.root, of(number.exponent.bit(0).join(fraction), 16)),
        (which.logarithm, of(fraction, 17)),
        (which.power, of(scaled.bits(0, 24), T_BITS)),
    ];
    let place = m.wire("place", priority_mux(&choices, of(angle, T_BITS)));
    TablePosition { segment: place.bits(T_BITS, 8), t: place.bits(0, T_BITS) }
}

/// The coefficients of a segment of every table, as a row of constants.
fn row_of<'m>(m: &'m Builder, row: &SegmentCoefficients) -> Signal<'m> {
    concat(&[m.lit(C0_BITS, row.c0 as u64 & ((1 << C0_BITS) - 1)), m.lit(C1_BITS, row.c1), m.lit(C2_BITS, row.c2)])
}

/// The tables, in the order of [`SpecialFunction::ALL`].
fn tables(which: Which<'_>) -> [Signal<'_>; 5] {
    [which.reciprocal, which.root, which.power, which.logarithm, which.circular()]
}

/// The coefficients of a segment.
fn coefficients<'m>(m: &'m Builder, which: Which<'m>, segment: Signal<'m>) -> Signal<'m> {
    m.comment("Table of coefficients.");
    let rows = SpecialFunction::ALL.map(|function| {
        let rows: Vec<_> = function.rows().iter().map(|row| row_of(m, row)).collect();
        let bits = rows.len().ilog2();
        m.wire(("coefficients", function as usize), select(segment.bits(0, bits), &rows))
    });
    m.wire("coefficients", one_hot_mux(hdl::row(tables(which)), &rows))
}

fn product<'m>(m: &'m Builder, name: &str, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let wide = a.width() + b.width();
    m.wire(name, a.extend(wide) * b.extend(wide))
}

/// `c0 +- linear +- quadratic`, with a sign.
fn sum<'m>(m: &'m Builder, which: Which<'m>, [c0, linear, quadratic]: [Signal<'m>; 3]) -> Signal<'m> {
    m.comment("Interpolation.");
    let bits = C0_BITS + T_BITS;
    let quadratic = quadratic.extend(bits) << u64::from(T_BITS - SQUARE_BITS);
    let [minus_linear, minus_quadratic] = [0, 1].map(|of| {
        let functions = SpecialFunction::ALL.iter().zip(tables(which));
        let functions = functions.filter(|(function, _)| function.subtracts()[of]);
        crate::any_of(&functions.map(|(_, one)| one).collect::<Vec<_>>())
    });
    // A complement is one less than the negative.
    let missing = minus_linear.extend(2) + minus_quadratic.extend(2);
    let summands = [
        Summand { lo: T_BITS, word: c0 },
        Summand { lo: 0, word: linear.extend(bits) ^ minus_linear.repeat(bits) },
        Summand { lo: 0, word: quadratic ^ minus_quadratic.repeat(bits) },
        Summand { lo: 0, word: missing },
    ];
    let [sum, carries] = carry_save("sum", summands.to_vec(), bits);
    m.wire("value", m.wire("sum", sum + carries).bits(T_BITS, C0_BITS))
}

/// The value without its sign, and its sign: a logarithm with its whole part, a sine not above one.
fn magnitude<'m>(
    m: &'m Builder,
    which: Which<'m>,
    characteristic: Signal<'m>,
    value: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    m.comment("The value, of a logarithm with its whole part.");
    let bits = EXPONENT_BITS + FRACTION;
    let whole = characteristic.join(m.lit(FRACTION, 0));
    let sum = m.wire("logarithm", whole + value.sign_extend(bits));
    let negative = sum.sign();
    let logarithm = mux(negative, m.lit(bits, 0) - sum, sum).bits(0, VALUE_BITS);
    let above = value.bit(FRACTION) & value.bits(0, FRACTION).any();
    let sine = mux(above, m.lit(C0_BITS, 1 << FRACTION), value);
    let other = mux(which.circular(), sine, value);
    (mux(which.logarithm, logarithm, other.extend(VALUE_BITS)), negative)
}

/// Exponent field of a result whose magnitude has its highest bit, 2^7, set, less one.
fn headroom<'m>(m: &'m Builder, which: Which<'m>, number: UnpackedNumber<'m>, scaled: Signal<'m>) -> Signal<'m> {
    let top = m.lit(EXPONENT_BITS, TOP);
    let half = number.exponent.sign().join(number.exponent.bits(1, EXPONENT_BITS - 1));
    let of_power = scaled.bits(24, 9).sign_extend(EXPONENT_BITS);
    let exponents =
        [(which.reciprocal, top - 1 - number.exponent), (which.root, top - 1 - half), (which.power, top + of_power)];
    m.wire("headroom", priority_mux(&exponents, top))
}

/// The magnitude, shifted right where its result is subnormal, with the room for a shift left.
fn in_range<'m>(m: &'m Builder, magnitude: Signal<'m>, headroom: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    m.comment("Subnormal results.");
    let below = m.wire("below", m.lit(EXPONENT_BITS, 0) - headroom);
    let places = below.bits(0, 5) | below.bits(5, EXPONENT_BITS - 5).any().repeat(5);
    let small = headroom.sign();
    let shifted = mux(small, magnitude >> places, magnitude);
    let room = mux(small, m.lit(EXPONENT_BITS - 1, 0), headroom.bits(0, EXPONENT_BITS - 1));
    (m.wire("shifted", shifted), m.wire("room", room))
}

/// A result that is not computed, where the operand is not a number, infinite, zero, or, of a power, `beyond` all results; bits, from the
/// lowest: there is one; not a number; infinite; one; sign. With neither it is zero, as where there is no function.
fn exception<'m>(
    m: &'m Builder,
    which: Which<'m>,
    sign: Signal<'m>,
    [nan, infinite, zero, beyond]: [Signal<'m>; 4],
) -> Signal<'m> {
    m.comment("Special operands.");
    let invalid = sign & !zero & (which.root | which.logarithm) | infinite & which.circular();
    let (no, yes) = (m.lit(1, 0), m.lit(1, 1));
    let result = |nan, infinite, one, sign| row([yes, nan, infinite, one, sign]);
    let any = which.reciprocal | which.root | which.logarithm | which.power | which.circular();
    priority_mux(
        &[
            (!any, result(no, no, no, no)),
            (nan | invalid, result(yes, no, no, no)),
            (zero & (which.reciprocal | which.root), result(no, yes, no, sign)),
            (zero & which.logarithm, result(no, yes, no, yes)),
            (zero & which.sine, result(no, no, no, sign)),
            (zero, result(no, no, yes, no)),
            (infinite & which.reciprocal, result(no, no, no, sign)),
            (infinite & which.root, result(no, no, no, no)),
            (infinite & which.logarithm, result(no, yes, no, no)),
            (beyond & which.power, result(no, !sign, no, no)),
        ],
        m.lit(5, 0),
    )
}

/// The word of [`exception`], or the `ordinary` result.
fn chosen<'m>(m: &'m Builder, exception: Signal<'m>, ordinary: Signal<'m>) -> Signal<'m> {
    let format = Format::SINGLE;
    let [there, nan, infinite, one, sign] = [0, 1, 2, 3, 4].map(|at| exception.bit(at));
    let words = [(nan, format.nan()), (infinite, format.infinity()), (one, format.bias() << format.fraction)];
    let magnitude = priority_mux(&words.map(|(is, word)| (is, m.lit(31, word))), m.lit(31, 0));
    mux(there, sign.join(magnitude), ordinary)
}

extern "C" fn intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[function, x]: [u32; 2]| {
        let opcode = SPECIAL_FUNCTIONS.get(function.trailing_zeros() as usize);
        [opcode.map_or(0, |&opcode| special::compute(opcode, x))]
    });
}
