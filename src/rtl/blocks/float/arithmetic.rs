//! Add, multiply and fused multiply-add: one datapath, specialised.
//!
//! ```text
//!  a -> unpack --+
//!                x--> product ----------------+
//!  b -> unpack --+      |                     +--> add or     --> normalize --> round --> y
//!                       v exponents           |    subtract
//!  c -> unpack --> align (right shift) -------+
//! ```
//!
//! Combinational, words of 32 or 64 bits. `y = a * b + c` with one rounding ([`fp32_fma`], [`fp64_fma`]), `a + b`
//! ([`fp32_add`]: the product is `a`, the addend `b`), `a * b` ([`fp32_mul`]: no addend). A zero sum of opposite signs
//! is +0, of equal signs has that sign.
//!
//! Source of the alignment: E. Hokenek, R. K. Montoye, P. W. Cook, *Second-generation RISC floating point with
//! multiply-add fused*, IEEE JSSC 25(5), 1990: the product stays and the addend, which starts left of it, is shifted
//! right. Testbenches: `testbenches/fp32_fma/`, `testbenches/fp32_add/`, `testbenches/fp32_mul/`,
//! `testbenches/fp64_fma/`; tests: `tests/float/arithmetic.rs`.
//!
//! **Why the window is wide enough**, in single precision (in double precision 53 stands for 24). From the top: 24 bits where the addend starts, 2 bits of gap, the product, 2 bits below it,
//! 1 sticky bit. The exponent of the window is such that the addend needs no shift, or such that the product stands at
//! its true place, whichever is greater. In the first case a product that is really further down stands too high, but
//! still below a quarter of the addend's last place: no rounding can tell. In the second, addend bits are lost into the
//! sticky bit only when the addend is less than half of the product (whose factors are then not both subnormal, so that
//! it has at least 24 significant bits): then at least 24 result bits and the rounding bit stand above the sticky bit.

use super::{
    canonical, canonical_double,
    parts::{Format, Unpacked, choose, normalize, round_and_pack, unpack},
};
use crate::blocks::intrinsic::words;
use hdl::{Builder, Intrinsic, Module, Signal, mux, params};

/// `y = a * b + c`, rounded once.
pub fn fp32_fma() -> Module {
    fma(Format::SINGLE, Intrinsic { name: "fp32_fma", call: fma_intrinsic })
}

/// `y = a * b + c` in double precision, rounded once.
pub fn fp64_fma() -> Module {
    fma(Format::DOUBLE, Intrinsic { name: "fp64_fma", call: double_fma_intrinsic })
}

fn fma(format: Format, intrinsic: Intrinsic) -> Module {
    let m = Builder::new(&format!("{}_fma", format.name), params! {});
    m.doc(&format!("{} fused multiply-add, round to nearest even.", format.precision));
    let [a, b, c] = ["a", "b", "c"].map(|name| m.input(name, format.bits()));
    let product = product(unpack(a, format), unpack(b, format), format);
    m.output_of("y", product_plus(product, unpack(c, format), format));
    m.intrinsic(intrinsic);
    m.finish()
}

/// `y = a + b`.
pub fn fp32_add() -> Module {
    let format = Format::SINGLE;
    let m = Builder::new("fp32_add", params! {});
    m.doc("Single-precision addition, round to nearest even.");
    let (a, b) = (m.input("a", 32), m.input("b", 32));
    let Unpacked { sign, exponent, mantissa, nan, infinite } = unpack(a, format);
    // The window of a 24-bit product lies 26 places above its own last place.
    let exponent = exponent.extend(10) + 26;
    let product = Product { sign, exponent, mantissa, zero: mantissa.is_zero(), nan, infinite };
    m.output_of("y", product_plus(product, unpack(b, format), format));
    m.intrinsic(Intrinsic { name: "fp32_add", call: add_intrinsic });
    m.finish()
}

/// `y = a * b`.
pub fn fp32_mul() -> Module {
    let format = Format::SINGLE;
    let m = Builder::new("fp32_mul", params! {});
    m.doc("Single-precision multiplication, round to nearest even.");
    let (a, b) = (m.input("a", 32), m.input("b", 32));
    let product = product(unpack(a, format), unpack(b, format), format);
    m.output_of("y", product_alone(product, format));
    m.intrinsic(Intrinsic { name: "fp32_mul", call: mul_intrinsic });
    m.finish()
}

/// Empty places between an addend at the top of the window and the product, places below the product, and the sticky bit.
const GAP: u32 = 2;
const BELOW: u32 = 2;
const STICKY: u32 = 1;

/// What the addend is added to.
struct Product<'m> {
    sign: Signal<'m>,
    /// Two bits more than a field, signed: the exponent of an addend that starts at the top of the window, with the product at its true place.
    exponent: Signal<'m>,
    /// Two mantissas wide; one for the product of an addition.
    mantissa: Signal<'m>,
    zero: Signal<'m>,
    nan: Signal<'m>,
    infinite: Signal<'m>,
}

/// The exact product of two operands.
fn product<'m>(a: Unpacked<'m>, b: Unpacked<'m>, format: Format) -> Product<'m> {
    let m = a.sign.builder();
    let (width, exponent_bits) = (2 * format.mantissa(), format.exponent + 2);
    let mantissa = m.wire("product", a.mantissa.extend(width) * b.mantissa.extend(width));
    let zero = a.mantissa.is_zero() | b.mantissa.is_zero();
    // Of single precision: last place of the product: 2^(a + b - 300); of an addend at the top: 50 places higher, and
    // its exponent has bias 150.
    let excess = format.bias() + u64::from(format.fraction) - u64::from(GAP + width);
    Product {
        sign: a.sign ^ b.sign,
        exponent: a.exponent.extend(exponent_bits) + b.exponent.extend(exponent_bits) - excess,
        mantissa,
        zero,
        nan: a.nan | b.nan | ((a.infinite | b.infinite) & zero),
        infinite: a.infinite | b.infinite,
    }
}

/// The rounded product. It stands in the window of an addend that is zero, so that it can always be normalised by a left shift.
fn product_alone(product: Product<'_>, format: Format) -> Signal<'_> {
    let Product { sign, exponent, mantissa, nan, infinite, .. } = product;
    let top = mux(exponent.lt_signed(1), 1, exponent).bits(0, format.exponent + 1);
    let window = format.mantissa() + GAP + mantissa.width();
    let (value, room) = normalize(mantissa.extend(window), top - 1);
    choose(nan, (infinite, sign), sign, round_and_pack(value, room, format), format)
}

/// The rounded sum.
fn product_plus<'m>(product: Product<'m>, addend: Unpacked<'m>, format: Format) -> Signal<'m> {
    let m = product.sign.builder();
    let mantissa_bits = format.mantissa();
    let start = GAP + product.mantissa.width() + BELOW + STICKY; // last place of the addend before its shift
    let width = mantissa_bits + start;

    let own = addend.exponent.extend(format.exponent + 2);
    let addend_rules = m.wire("addend_rules", product.zero | product.exponent.lt_signed(own));
    let top = m.wire("top_exponent", mux(addend_rules, own, product.exponent).bits(0, format.exponent + 1));

    // Below the window are places for the rest of a mantissa, so that the longest shift loses nothing: their OR is the
    // sticky bit.
    let longest = start + format.fraction;
    let distance = top - addend.exponent.extend(format.exponent + 1);
    // As many for all units of a format.
    let most = GAP + 2 * mantissa_bits + BELOW + STICKY + format.fraction;
    let places = mux(distance.gt(longest), longest, distance).bits(0, u32::BITS - most.leading_zeros());
    let long = m.wire("shifted", addend.mantissa.join(m.lit(longest, 0)) >> places);
    let lost = long.bits(0, mantissa_bits).any();
    let aligned = m.wire("aligned", long.bits(mantissa_bits, width - 1).join(lost));
    let fixed = m.wire("placed", product.mantissa.join(m.lit(BELOW + STICKY, 0)).extend(width));

    let subtract = product.sign ^ addend.sign;
    let addend_wins = m.wire("addend_wins", subtract & fixed.lt(aligned));
    let difference = mux(addend_wins, aligned, fixed) - mux(addend_wins, fixed, aligned);
    let magnitude = m.wire("magnitude", mux(subtract, difference, fixed + aligned));
    let (value, room) = normalize(magnitude, top - 1);

    let zero_sign = product.sign & addend.sign;
    let sign = mux(magnitude.any(), mux(addend_wins, addend.sign, product.sign), zero_sign);
    let nan = product.nan | addend.nan | (product.infinite & addend.infinite & subtract);
    let infinite_sign = mux(product.infinite, product.sign, addend.sign);
    let infinite = (product.infinite | addend.infinite, infinite_sign);
    choose(nan, infinite, sign, round_and_pack(value, room, format), format)
}

extern "C" fn fma_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b, c] = operands.map(f32::from_bits);
        [canonical(a.mul_add(b, c))]
    });
}

extern "C" fn add_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b] = operands.map(f32::from_bits);
        [canonical(a + b)]
    });
}

extern "C" fn mul_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b] = operands.map(f32::from_bits);
        [canonical(a * b)]
    });
}

extern "C" fn double_fma_intrinsic(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b, c] = operands.map(f64::from_bits);
        [canonical_double(a.mul_add(b, c))]
    });
}
