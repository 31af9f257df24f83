//! Path choice: the phase bit and the end of the first phase of a packet, as [`Routing::choices`](crate::noc::Routing::choices) has them.
//!
//! ```text
//!  here_x, here_y ->+-------------+-> yx (1)
//!  dest (N) ------->| path choice |-> [via (N)]: the destination, unless the packet goes in two phases
//!  random (16) ---->+-------------+
//! ```
//!
//! Contract: combinational. With several choices, `random` picks one: each within 1/128 of its share.
//!
//! Source: A. Bakhoda's thesis (2014), section 5.2. Tests: `tests/noc/choices.rs`. Testbench: `testbenches/path_choice/`.

use crate::{
    hdl::{Builder, Module, Signal, concat, mux},
    noc::{
        Routing,
        coordinates::{Sign, coordinates, node_number, share, widths},
    },
    params,
};

/// Random bits that a path choice takes.
pub const RANDOM_BITS: u32 = 16;

/// Parameters of a [`path_choice`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PathChoiceParams {
    /// Nodes in a row.
    pub columns: u32,
    /// Nodes in a column.
    pub rows: u32,
    /// A routing that chooses: see [`PathChoiceParams::chooses`].
    pub routing: Routing,
    /// The half-routers are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
}

impl PathChoiceParams {
    /// The choice depends on the destination or on chance.
    pub fn chooses(routing: Routing) -> bool {
        use Routing::*;
        matches!(routing, O1Turn | Romm | Checkerboard | CheckerboardTwoPhase)
    }
}

/// A path choice; see the [module documentation](self).
pub fn path_choice(p: PathChoiceParams) -> Module {
    let PathChoiceParams { columns, rows, routing, odd_is_half } = p;
    let m = Builder::new(
        "path_choice",
        params! { columns, rows, routing: format!("{routing:?}"), half: if odd_is_half { "odd" } else { "even" } },
    );
    m.doc("Phase bit and intermediate node of a packet.");
    let random = m.input("random", RANDOM_BITS);
    if routing == Routing::O1Turn {
        m.output_of("yx", random.parity());
        return m.finish();
    }
    let (x_bits, y_bits) = widths(columns, rows);
    let here = (m.input("here_x", x_bits), m.input("here_y", y_bits));
    let dest = m.input("dest", crate::hdl::index_width((columns * rows) as usize));
    let (x, y) = coordinates(&m, columns, rows, dest);
    let signs = (Sign::of(&m, "x", x, here.0), Sign::of(&m, "y", y, here.1));
    let far_x = m.wire("columns_away", mux(signs.0.less, here.0 - x, x - here.0));
    let far_y = m.wire("rows_away", mux(signs.1.less, here.1 - y, y - here.1));
    let random = random.parts(RANDOM_BITS / 2);
    let via = |by_x, by_y| node_number(&m, columns, rows, (step(here.0, signs.0, by_x), step(here.1, signs.1, by_y)));
    if routing == Routing::Romm {
        m.output_of("yx", m.lit(1, 1));
        m.output_of("via", via(up_to(far_x, random[0]), up_to(far_y, random[1])));
        return m.finish();
    }
    let even_is_half = m.lit(1, u64::from(!odd_is_half));
    let half = |x, y| odd_sum(x, y) ^ even_is_half;
    let turns = !(signs.0.equal | signs.1.equal);
    let not_xy = m.wire("turn_of_xy_is_half", turns & half(x, here.1));
    let yx_too = half(here.0, y);
    let case_3 = half(here.0, here.1) & !half(x, y);
    let both = if routing == Routing::CheckerboardTwoPhase { yx_too | case_3 } else { yx_too };
    let two_phase = m.wire("two_phases", not_xy & both);
    m.output_of("yx", not_xy);
    m.comment("An even number of columns and an odd number of rows away, within the quadrant.");
    let pairs_x = halved(far_x) + 1;
    let pairs_y = halved(far_y) + far_y.bit(0).extend(far_y.width() + 1);
    let by_x = doubled(share(random[0], pairs_x), 0).resize(x_bits);
    let by_y = doubled(share(random[1], pairs_y), 1).resize(y_bits);
    m.output_of("via", mux(two_phase, via(by_x, by_y), dest));
    m.finish()
}

/// `by` further on in the direction of `sign`.
fn step<'m>(from: Signal<'m>, sign: Sign<'m>, by: Signal<'m>) -> Signal<'m> {
    mux(sign.less, from - by, from + by)
}

/// A random number from 0 to `far`.
fn up_to<'m>(far: Signal<'m>, random: Signal<'m>) -> Signal<'m> {
    share(random, far.extend(far.width() + 1) + 1).resize(far.width())
}

fn odd_sum<'m>(x: Signal<'m>, y: Signal<'m>) -> Signal<'m> {
    x.bit(0) ^ y.bit(0)
}

/// `n / 2`, with a bit more.
fn halved(n: Signal<'_>) -> Signal<'_> {
    (n >> 1).extend(n.width() + 1)
}

/// `2 n + low`.
fn doubled(n: Signal<'_>, low: u64) -> Signal<'_> {
    concat(&[n.bits(0, n.width() - 1), n.builder().lit(1, low)])
}
