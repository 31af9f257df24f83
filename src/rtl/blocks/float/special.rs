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
//! Combinational. `function` has a bit for each of [`Opcode::Rcp`], `Rsq`, `Lg2`, `Ex2`, `Sin`, `Cos`, of which one is
//! one; with none the result is zero. The angle of sine and cosine is in turns. Subnormals count as any number, as
//! operands and as results. Table and bits of everything inside: [`program::special`], which is also the native
//! intrinsic.
//!
//! Testbench: `testbenches/fp32_special/`; tests: `tests/float/special.rs`.

use super::{
    Format,
    parts::{normalize, round_and_pack, unpack},
};
use crate::blocks::{intrinsic::words, one_hot_mux};
use hdl::{Builder, Intrinsic, Module, Signal, concat, mux, params, priority_mux, select};
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

/// The unit of one thread.
pub fn fp32_special() -> Module {
    let m = Builder::new("fp32_special", params! {});
    m.doc("Special functions by table and quadratic interpolation.");
    let function = m.input("function", SPECIAL_FUNCTIONS.len() as u32);
    let [reciprocal, root, logarithm, power, sine, cosine] = [0, 1, 2, 3, 4, 5].map(|i| function.bit(i));
    let which = Which { reciprocal, root, logarithm, power, sine, cosine };
    let x = m.input("x", 32);
    let of = unpack(x, Format::SINGLE);
    let zero = m.wire("zero", !of.mantissa.any());

    m.comment("The first bit of subnormals to the place of all others.");
    let room = of.exponent.extend(EXPONENT_BITS) + 32;
    let (mantissa, room) = normalize(of.mantissa, room);
    let exponent = m.wire("exponent", room - (127 + 32));
    let number = UnpackedNumber { sign: of.sign, exponent, mantissa: m.wire("mantissa", mantissa) };
    let whole = m.wire("fixed", fixed(&m, which, number));
    // Two's complement of the exponent of two.
    let scaled = whole.extend(33);
    let scaled = m.wire("power_operand", mux(number.sign, m.lit(33, 0) - scaled, scaled));
    let quarter = m.wire("quarter", whole.bits(24, 2) + cosine.extend(2));

    let value = interpolate(&m, which, place(&m, which, number, [whole, scaled, quarter]));
    let (magnitude, negative) = magnitude(&m, which, number, value);
    let magnitude = m.wire("magnitude", magnitude);
    let y = packed(&m, which, number, scaled, magnitude);

    let minus = number.sign & (reciprocal | sine);
    let minus = minus ^ (quarter.bit(1) & which.circular()) ^ (negative & logarithm);
    let ordinary = minus.join(y);
    let beyond = m.wire("beyond", !exponent.sign() & exponent.ge(8));
    let y = chosen(&m, which, x, [of.nan, of.infinite, zero, beyond], ordinary);
    m.output_of("y", y & function.any().repeat(32));
    m.intrinsic(Intrinsic { name: "fp32_special", call: intrinsic });
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

/// `c0 +- c1 t +- c2 t^2`, with a sign.
fn interpolate<'m>(m: &'m Builder, which: Which<'m>, place: TablePosition<'m>) -> Signal<'m> {
    m.comment("Table of coefficients.");
    let tables = SpecialFunction::ALL.map(|function| {
        let rows: Vec<_> = function.rows().iter().map(|row| row_of(m, row)).collect();
        let bits = rows.len().ilog2();
        m.wire(("coefficients", function as usize), select(place.segment.bits(0, bits), &rows))
    });
    let ones = [which.reciprocal, which.root, which.power, which.logarithm, which.circular()];
    let one_hot = concat(&[ones[4], ones[3], ones[2], ones[1], ones[0]]);
    let row = m.wire("coefficients", one_hot_mux(one_hot, &tables));
    let c0 = row.bits(C1_BITS + C2_BITS, C0_BITS);
    let (c1, c2) = (row.bits(C2_BITS, C1_BITS), row.bits(0, C2_BITS));

    m.comment("Interpolation.");
    let bits = C0_BITS + T_BITS;
    let high = place.t.bits(T_BITS - SQUARE_BITS, SQUARE_BITS).extend(2 * SQUARE_BITS);
    let square = m.wire("square", (high * high).bits(SQUARE_BITS, SQUARE_BITS));
    let product = |name: &str, a: Signal<'m>, b: Signal<'m>| {
        let wide = a.width() + b.width();
        m.wire(name, a.extend(wide) * b.extend(wide))
    };
    let linear = product("linear", c1, place.t).extend(bits);
    let quadratic = product("quadratic", c2, square).extend(bits) << u64::from(T_BITS - SQUARE_BITS);
    let subtracts = |of: usize| {
        let functions = SpecialFunction::ALL.iter().zip(ones).filter(|(function, _)| function.subtracts()[of]);
        crate::blocks::any_of(&functions.map(|(_, one)| one).collect::<Vec<_>>())
    };
    let signed = |value: Signal<'m>, minus: Signal<'m>| (value ^ minus.repeat(bits)) + minus.extend(bits);
    let sum = c0.join(m.lit(T_BITS, 0)) + signed(linear, subtracts(0)) + signed(quadratic, subtracts(1));
    m.wire("value", m.wire("sum", sum).bits(T_BITS, C0_BITS))
}

/// The value without its sign, and its sign: a logarithm with the exponent, a sine not above one.
fn magnitude<'m>(
    m: &'m Builder,
    which: Which<'m>,
    number: UnpackedNumber<'m>,
    value: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    m.comment("The value, of a logarithm with its whole part.");
    let bits = EXPONENT_BITS + FRACTION;
    let upper_half = number.mantissa.bit(22);
    let whole = number.exponent + upper_half.extend(EXPONENT_BITS);
    let whole = whole.join(m.lit(FRACTION, 0));
    let sum = m.wire("logarithm", whole + value.sign_extend(bits));
    let negative = sum.sign();
    let logarithm = mux(negative, m.lit(bits, 0) - sum, sum).bits(0, VALUE_BITS);
    let above = value.bit(FRACTION) & value.bits(0, FRACTION).any();
    let sine = mux(above, m.lit(C0_BITS, 1 << FRACTION), value);
    let other = mux(which.circular(), sine, value);
    (mux(which.logarithm, logarithm, other.extend(VALUE_BITS)), negative)
}

/// The magnitude as a float without sign, with the exponent that its function gives it.
fn packed<'m>(
    m: &'m Builder,
    which: Which<'m>,
    number: UnpackedNumber<'m>,
    scaled: Signal<'m>,
    magnitude: Signal<'m>,
) -> Signal<'m> {
    m.comment("Normalise, round, pack.");
    let top = m.lit(EXPONENT_BITS, TOP);
    let half = number.exponent.sign().join(number.exponent.bits(1, EXPONENT_BITS - 1));
    let of_power = scaled.bits(24, 9).sign_extend(EXPONENT_BITS);
    let exponents =
        [(which.reciprocal, top - 1 - number.exponent), (which.root, top - 1 - half), (which.power, top + of_power)];
    let exponent = m.wire("headroom", priority_mux(&exponents, top));
    let below = m.wire("below", m.lit(EXPONENT_BITS, 0) - exponent);
    let places = below.bits(0, 5) | below.bits(5, EXPONENT_BITS - 5).any().repeat(5);
    let small = exponent.sign();
    let shifted = mux(small, magnitude >> places, magnitude);
    let room = mux(small, m.lit(EXPONENT_BITS - 1, 0), exponent.bits(0, EXPONENT_BITS - 1));
    let (normal, room) = normalize(m.wire("shifted", shifted), room);
    round_and_pack(normal, room, Format::SINGLE)
}

/// The result, where the operand is not a number, infinite, zero, or, of a power, `beyond` all results.
fn chosen<'m>(
    m: &'m Builder,
    which: Which<'m>,
    x: Signal<'m>,
    [nan, infinite, zero, beyond]: [Signal<'m>; 4],
    ordinary: Signal<'m>,
) -> Signal<'m> {
    m.comment("Special operands.");
    let format = Format::SINGLE;
    let sign = x.sign();
    let [none, one, infinity, nan_word] =
        [0, format.bias() << format.fraction, format.infinity(), format.nan()].map(|word| m.lit(32, word));
    let signed = |word: Signal<'m>| sign.join(word.bits(0, 31));
    let invalid = sign & !zero & (which.root | which.logarithm) | infinite & which.circular();
    priority_mux(
        &[
            (nan | invalid, nan_word),
            (zero & (which.reciprocal | which.root), signed(infinity)),
            (zero & which.logarithm, m.lit(32, 1 << 31 | format.infinity())),
            (zero & which.sine, signed(none)),
            (zero, one),
            (infinite & which.reciprocal, signed(none)),
            (infinite & which.root, none),
            (infinite & which.logarithm, infinity),
            (beyond & which.power, mux(sign, none, infinity)),
        ],
        ordinary,
    )
}

extern "C" fn intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |[function, x]: [u32; 2]| {
        let opcode = SPECIAL_FUNCTIONS.get(function.trailing_zeros() as usize);
        [opcode.map_or(0, |&opcode| special::compute(opcode, x))]
    });
}
