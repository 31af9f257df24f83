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
//! Combinational. Minimum and maximum are those of PTX (`min.f32`, `max.f32`): a NaN operand loses, two give NaN, and
//! -0 is less than +0. Comparison treats both zeros as equal. Its codes, those of the instruction set (`docs/isa.md`):
//! 0 equal, 1 not equal, 2 less, 3 less or equal, 4 greater, 5 greater or equal, all false when an operand is NaN; 6:
//! neither is NaN. Code + 8 is true instead when an operand is NaN; 14: an operand is NaN. In double precision
//! [`fp64_relation`] says which of less, equal, greater, unordered it is (bits 0 to 3 of `relation`).
//!
//! Testbenches: `testbenches/fp32_min_max/`, `testbenches/fp32_compare/`, `testbenches/fp64_relation/`; tests:
//! `tests/blocks/float/ordering.rs`.

use super::{NAN, parts::Format};
use hdl::{Builder, Module, Signal, mux, params, ports, priority_mux, row, select};

ports! {
    /// Ports of [`fp32_min_max`].
    pub struct Fp32MinMaxPorts(_p: &()) of Fp32MinMax {
        /// An operand.
        in a: 32,
        /// The other one.
        in b: 32,
        /// The greater one is wanted, not the lesser.
        in maximum: 1,
        /// The one that is wanted.
        out y: 32,
    }
}

ports! {
    /// Ports of [`fp32_compare`].
    pub struct Fp32ComparePorts(_p: &()) of Fp32Compare {
        /// What is compared.
        in a: 32,
        /// With what.
        in b: 32,
        /// The relation.
        in comparison: 4,
        /// They are in it.
        out result: 1,
    }
}

ports! {
    /// Ports of [`fp64_relation`].
    pub struct Fp64RelationPorts(_p: &()) of Fp64Relation {
        /// What is compared.
        in a: 64,
        /// With what.
        in b: 64,
        /// Less, equal, greater, unordered: a bit each.
        out relation: 4,
    }
}

/// The greater operand when `maximum` is one, else the lesser.
pub fn fp32_min_max() -> Module {
    let m = Builder::new("fp32_min_max", params! {});
    m.doc("Single-precision minimum and maximum; a NaN operand loses.");
    let io = Fp32MinMaxPorts::new(&m, &());
    let (a, b, maximum) = (io.a(), io.b(), io.maximum());
    let format = Format::SINGLE;
    let a_is_less = m.wire("a_is_less", key(a).lt(key(b)));
    let chosen = mux(a_is_less ^ maximum, a, b);
    let (a_nan, b_nan) = (is_nan(a, format), is_nan(b, format));
    let y = priority_mux(&[(a_nan & b_nan, m.lit(32, u64::from(NAN))), (a_nan, b), (b_nan, a)], chosen);
    io.y(y);
    m.finish()
}

/// Whether `a` and `b` are in the relation `comparison`.
pub fn fp32_compare() -> Module {
    let m = Builder::new("fp32_compare", params! {});
    m.doc("Single-precision comparison, ordered and unordered.");
    let io = Fp32ComparePorts::new(&m, &());
    let (a, b, comparison) = (io.a(), io.b(), io.comparison());
    let FloatRelation { unordered, equal, less } = relation(a, b, Format::SINGLE);
    let wants_nan = comparison.bit(3);
    let relations = [equal, !equal, less, less | equal, !(less | equal), !less, !wants_nan];
    let ordered = select(comparison.bits(0, 3), &relations);
    io.result(mux(unordered, wants_nan, ordered));
    m.finish()
}

/// Which relation holds between `a` and `b` in double precision: less, equal, greater, unordered, one bit each.
pub fn fp64_relation() -> Module {
    let m = Builder::new("fp64_relation", params! {});
    m.doc("Double-precision comparison: less, equal, greater, unordered.");
    let io = Fp64RelationPorts::new(&m, &());
    let (a, b) = (io.a(), io.b());
    let FloatRelation { unordered, equal, less } = relation(a, b, Format::DOUBLE);
    let [less, equal, greater] = [less, equal, !(less | equal)].map(|holds| holds & !unordered);
    io.relation(row([less, equal, greater, unordered]));
    m.finish()
}

/// How two words compare; the latter two mean nothing when unordered.
struct FloatRelation<'m> {
    unordered: Signal<'m>,
    equal: Signal<'m>,
    less: Signal<'m>,
}

/// Both zeros are equal.
fn relation<'m>(a: Signal<'m>, b: Signal<'m>, format: Format) -> FloatRelation<'m> {
    let m = a.builder();
    let unordered = m.wire("unordered", is_nan(a, format) | is_nan(b, format));
    let zeros = (a | b).bits(0, format.bits() - 1).is_zero();
    let equal = m.wire("equal", a.eq(b) | zeros);
    let less = m.wire("less", key(a).lt(key(b)) & !equal);
    FloatRelation { unordered, equal, less }
}

/// An unsigned number that orders words as their values, -0 before +0.
fn key(word: Signal<'_>) -> Signal<'_> {
    let (m, width) = (word.builder(), word.width());
    let flip = mux(word.sign(), m.lit(width, u64::MAX >> (64 - width)), m.lit(width, 1 << (width - 1)));
    word ^ flip
}

fn is_nan(word: Signal<'_>, format: Format) -> Signal<'_> {
    word.bits(format.fraction, format.exponent).all() & word.bits(0, format.fraction).any()
}
