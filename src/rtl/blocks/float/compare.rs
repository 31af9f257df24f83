//! Minimum, maximum and comparison.
//!
//! ```text
//!               +--------------+                              +--------------+
//!  a      (32)->|              |              a         (32)->|              |
//!  b      (32)->| fp32_min_max |-> y (32)     b         (32)->| fp32_compare |-> result (1)
//!  maximum (1)->|              |              comparison (4)->|              |
//!               +--------------+                              +--------------+
//! ```
//!
//! Combinational. Minimum and maximum are those of PTX (`min.f32`, `max.f32`): a NaN operand loses, two give NaN, and -0 is less than
//! +0. Comparison treats both zeros as equal. Its codes, those of the instruction set (`docs/isa.md`): 0 equal, 1 not equal,
//! 2 less, 3 less or equal, 4 greater, 5 greater or equal, all false when an operand is NaN; 6: neither is NaN. Code + 8 is
//! true instead when an operand is NaN; 14: an operand is NaN.
//!
//! Testbenches: `testbenches/fp32_min_max/`, `testbenches/fp32_compare/`; tests: `tests/float/ordering.rs`.

use super::NAN;
use hdl::{Builder, Module, Signal, mux, params, priority_mux, select};

/// The greater operand when `maximum` is one, else the lesser.
pub fn fp32_min_max() -> Module {
    let m = Builder::new("fp32_min_max", params! {});
    m.doc("Single-precision minimum and maximum; a NaN operand loses.");
    let (a, b, maximum) = (m.input("a", 32), m.input("b", 32), m.input("maximum", 1));
    let a_is_less = m.wire("a_is_less", key(a).lt(key(b)));
    let chosen = mux(a_is_less ^ maximum, a, b);
    let (a_nan, b_nan) = (is_nan(a), is_nan(b));
    let y = priority_mux(&[(a_nan & b_nan, m.lit(32, u64::from(NAN))), (a_nan, b), (b_nan, a)], chosen);
    m.output_of("y", y);
    m.finish()
}

/// Whether `a` and `b` are in the relation `comparison`.
pub fn fp32_compare() -> Module {
    let m = Builder::new("fp32_compare", params! {});
    m.doc("Single-precision comparison, ordered and unordered.");
    let (a, b, comparison) = (m.input("a", 32), m.input("b", 32), m.input("comparison", 4));
    let unordered = m.wire("unordered", is_nan(a) | is_nan(b));
    let zeros = (a | b).bits(0, 31).is_zero();
    let equal = m.wire("equal", a.eq(b) | zeros);
    let less = m.wire("less", key(a).lt(key(b)) & !equal);
    let wants_nan = comparison.bit(3);
    let relations = [equal, !equal, less, less | equal, !(less | equal), !less, !wants_nan];
    let ordered = select(comparison.bits(0, 3), &relations);
    m.output_of("result", mux(unordered, wants_nan, ordered));
    m.finish()
}

/// An unsigned number that orders words as their values, -0 before +0.
fn key(word: Signal<'_>) -> Signal<'_> {
    let m = word.builder();
    let flip = mux(word.sign(), m.lit(32, 0xffff_ffff), m.lit(32, 0x8000_0000));
    word ^ flip
}

fn is_nan(word: Signal<'_>) -> Signal<'_> {
    word.bits(23, 8).all() & word.bits(0, 23).any()
}
