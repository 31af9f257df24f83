//! Add, multiply and fused multiply-add: one datapath, specialised.
//!
//! ```text
//!  a (32) -> unpack --+
//!                     x--> product ----------------+
//!  b (32) -> unpack --+      |                     +--> add or     --> normalize --> round --> y (32)
//!                            v exponents           |    subtract
//!  c (32) -> unpack --> align (right shift) -------+
//! ```
//!
//! Combinational. `y = a * b + c` with one rounding ([`fp32_fma`]), `a + b` ([`fp32_add`]: the product is `a`, the addend `b`),
//! `a * b` ([`fp32_mul`]: no addend). A zero sum of opposite signs is +0, of equal signs has that sign.
//!
//! Source of the alignment: E. Hokenek, R. K. Montoye, P. W. Cook, *Second-generation RISC floating point with multiply-add fused*,
//! IEEE JSSC 25(5), 1990: the product stays and the addend, which starts left of it, is shifted right. Testbenches:
//! `testbenches/fp32_fma/`, `testbenches/fp32_add/`, `testbenches/fp32_mul/`; tests: `tests/float/arithmetic.rs`.
//!
//! **Why the window is wide enough.** From the top: 24 bits where the addend starts, 2 bits of gap, the product, 2 bits below it,
//! 1 sticky bit. The exponent of the window is such that the addend needs no shift, or such that the product stands at its true
//! place, whichever is greater. In the first case a product that is really further down stands too high, but still below a
//! quarter of the addend's last place: no rounding can tell. In the second, addend bits are lost into the sticky bit only when
//! the addend is less than half of the product (whose factors are then not both subnormal, so that it has at least 24
//! significant bits): then at least 24 result bits and the rounding bit stand above the sticky bit.

use super::{
    canonical,
    parts::{Unpacked, choose, normalize, round_and_pack, unpack},
};
use crate::blocks::twin::words;
use hdl::{Builder, Module, Signal, Twin, mux, params};

/// `y = a * b + c`, rounded once.
pub fn fp32_fma() -> Module {
    let m = Builder::new("fp32_fma", params! {});
    m.doc("Single-precision fused multiply-add, round to nearest even.");
    let (a, b, c) = (m.input("a", 32), m.input("b", 32), m.input("c", 32));
    let product = product(unpack(a), unpack(b));
    m.output_of("y", product_plus(product, unpack(c)));
    m.twin(Twin { name: "fp32_fma", call: fma_twin });
    m.finish()
}

/// `y = a + b`.
pub fn fp32_add() -> Module {
    let m = Builder::new("fp32_add", params! {});
    m.doc("Single-precision addition, round to nearest even.");
    let (a, b) = (m.input("a", 32), m.input("b", 32));
    let Unpacked { sign, exponent, mantissa, nan, infinite } = unpack(a);
    // The window of a 24-bit product lies 26 places above its own last place.
    let exponent = exponent.extend(10) + 26;
    let product = Product { sign, exponent, mantissa, zero: mantissa.is_zero(), nan, infinite };
    m.output_of("y", product_plus(product, unpack(b)));
    m.twin(Twin { name: "fp32_add", call: add_twin });
    m.finish()
}

/// `y = a * b`.
pub fn fp32_mul() -> Module {
    let m = Builder::new("fp32_mul", params! {});
    m.doc("Single-precision multiplication, round to nearest even.");
    let (a, b) = (m.input("a", 32), m.input("b", 32));
    let product = product(unpack(a), unpack(b));
    m.output_of("y", product_alone(product));
    m.twin(Twin { name: "fp32_mul", call: mul_twin });
    m.finish()
}

/// What the addend is added to.
struct Product<'m> {
    sign: Signal<'m>,
    /// 10 bits, signed: the exponent of an addend that starts at the top of the window, with the product at its true place.
    exponent: Signal<'m>,
    /// 48 bits; 24 for the product of an addition.
    mantissa: Signal<'m>,
    zero: Signal<'m>,
    nan: Signal<'m>,
    infinite: Signal<'m>,
}

/// The exact product of two operands.
fn product<'m>(a: Unpacked<'m>, b: Unpacked<'m>) -> Product<'m> {
    let m = a.sign.builder();
    let mantissa = m.wire("product", a.mantissa.extend(48) * b.mantissa.extend(48));
    let zero = a.mantissa.is_zero() | b.mantissa.is_zero();
    Product {
        sign: a.sign ^ b.sign,
        // Last place of the product: 2^(a + b - 300); of an addend at the top: 50 places higher, and its exponent has bias 150.
        exponent: a.exponent.extend(10) + b.exponent.extend(10) - 100,
        mantissa,
        zero,
        nan: a.nan | b.nan | ((a.infinite | b.infinite) & zero),
        infinite: a.infinite | b.infinite,
    }
}

/// The rounded product. It stands in the window of an addend that is zero, so that it can always be normalised by a left shift.
fn product_alone(product: Product<'_>) -> Signal<'_> {
    let Product { sign, exponent, mantissa, nan, infinite, .. } = product;
    let top = mux(exponent.lt_signed(1), 1, exponent).bits(0, 9);
    let (value, room) = normalize(mantissa.extend(24 + 2 + 48), top - 1);
    choose(nan, (infinite, sign), sign, round_and_pack(value, room))
}

/// The rounded sum.
fn product_plus<'m>(product: Product<'m>, addend: Unpacked<'m>) -> Signal<'m> {
    let m = product.sign.builder();
    let (gap, below, sticky) = (2, 2, 1);
    let start = gap + product.mantissa.width() + below + sticky; // last place of the addend before its shift
    let width = 24 + start;

    let own = addend.exponent.extend(10);
    let addend_rules = m.wire("addend_rules", product.zero | product.exponent.lt_signed(own));
    let top = m.wire("top_exponent", mux(addend_rules, own, product.exponent).bits(0, 9));

    // Below the window are 24 places more, so that the longest shift loses nothing: their OR is the sticky bit.
    let longest = start + 23;
    let distance = top - addend.exponent.extend(9);
    let places = mux(distance.gt(longest), longest, distance).bits(0, 7);
    let long = m.wire("shifted", addend.mantissa.join(m.lit(longest, 0)) >> places);
    let aligned = m.wire("aligned", long.bits(24, width - 1).join(long.bits(0, 24).any()));
    let fixed = m.wire("placed", product.mantissa.join(m.lit(below + sticky, 0)).extend(width));

    let subtract = product.sign ^ addend.sign;
    let addend_wins = m.wire("addend_wins", subtract & fixed.lt(aligned));
    let difference = mux(addend_wins, aligned, fixed) - mux(addend_wins, fixed, aligned);
    let magnitude = m.wire("magnitude", mux(subtract, difference, fixed + aligned));
    let (value, room) = normalize(magnitude, top - 1);

    let zero_sign = product.sign & addend.sign;
    let sign = mux(magnitude.any(), mux(addend_wins, addend.sign, product.sign), zero_sign);
    let nan = product.nan | addend.nan | (product.infinite & addend.infinite & subtract);
    let infinite_sign = mux(product.infinite, product.sign, addend.sign);
    choose(nan, (product.infinite | addend.infinite, infinite_sign), sign, round_and_pack(value, room))
}

extern "C" fn fma_twin(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b, c] = operands.map(f32::from_bits);
        [canonical(a.mul_add(b, c))]
    });
}

extern "C" fn add_twin(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b] = operands.map(f32::from_bits);
        [canonical(a + b)]
    });
}

extern "C" fn mul_twin(inputs: *const u64, outputs: *mut u64) {
    words(inputs, outputs, |operands| {
        let [a, b] = operands.map(f32::from_bits);
        [canonical(a * b)]
    });
}
