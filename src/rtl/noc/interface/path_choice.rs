//! Path choice: the routing class and the end of the first phase of a packet, as
//! [`Routing::choices`](crate::noc::Routing::choices) has them.
//!
//! ```text
//!  here_x, here_y ->+-------------+-> route_class (1)
//!  dest (N) ------->| path choice |-> [waypoint (N)]: the destination, unless the packet goes in two phases
//!  random (16) ---->+-------------+
//! ```
//!
//! Contract: combinational. With several choices, `random` picks one: each within 1/128 of its share.
//!
//! What is chosen is the routing's own ([`PathChooser`]); one that goes by chance alone has neither place
//! nor `waypoint`. Tests: `tests/noc/choices.rs`. Testbench: `testbenches/path_choice/`.

use crate::noc::{
    Routing,
    coordinates::{Sign, coordinates, node_number, share, widths},
    routing::{PathChooser, Start},
};
use hdl::{Builder, Module, Signal, index_width, mux, params};

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
        Self::chooser(routing).is_some()
    }

    /// The choice depends on the destination.
    pub fn reads_place(routing: Routing) -> bool {
        Self::chooser(routing).is_some_and(|chooser| chooser.reads_place())
    }

    fn chooser(routing: Routing) -> Option<&'static dyn PathChooser> {
        match routing.policy().start() {
            Start::Chosen(chooser) => Some(chooser),
            Start::RoutingClass(_) | Start::ByClass => None,
        }
    }
}

/// What a path choice decides.
pub struct Chosen<'m> {
    /// Phase bit.
    pub route_class: Signal<'m>,
    /// End of the first phase, of a routing that has two.
    pub waypoint: Option<Signal<'m>>,
}

/// Inputs of a path choice.
pub struct PathInputs<'m> {
    /// The block.
    pub m: &'m Builder,
    /// Random bits, [`RANDOM_BITS`].
    pub random: Signal<'m>,
    /// The half-routers are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
    size: (u32, u32),
}

impl<'m> PathInputs<'m> {
    /// Two random numbers.
    pub fn halves(&self) -> [Signal<'m>; 2] {
        let half = RANDOM_BITS / 2;
        [self.random.bits(0, half), self.random.bits(half, half)]
    }

    /// The number of a router drawn from all.
    pub fn anywhere(&self) -> Signal<'m> {
        let (m, (columns, rows)) = (self.m, self.size);
        let [random_x, random_y] = self.halves();
        let drawn = |random, count: u32, bits| share(random, m.lit(bits + 1, count.into())).resize(bits);
        let (x_bits, y_bits) = widths(columns, rows);
        node_number(m, columns, rows, (drawn(random_x, columns, x_bits), drawn(random_y, rows, y_bits)))
    }

    /// The inputs for source and destination, made here, and how they lie to each other.
    pub fn place(&self) -> PathPlace<'m> {
        let (m, (columns, rows)) = (self.m, self.size);
        let (x_bits, y_bits) = widths(columns, rows);
        let here = (m.input("here_x", x_bits), m.input("here_y", y_bits));
        let dest = m.input("dest", index_width((columns * rows) as usize));
        let (x, y) = coordinates(m, columns, rows, dest);
        let signs = (Sign::of(m, "x", x, here.0), Sign::of(m, "y", y, here.1));
        let far_x = m.wire("columns_away", mux(signs.0.less, here.0 - x, x - here.0));
        let far_y = m.wire("rows_away", mux(signs.1.less, here.1 - y, y - here.1));
        PathPlace { m, size: self.size, here, there: (x, y), dest, signs, far_x, far_y }
    }
}

/// Source and destination.
pub struct PathPlace<'m> {
    m: &'m Builder,
    size: (u32, u32),
    /// Coordinates of the source.
    pub here: (Signal<'m>, Signal<'m>),
    /// Coordinates of the destination.
    pub there: (Signal<'m>, Signal<'m>),
    /// Its node number.
    pub dest: Signal<'m>,
    /// On which side it is.
    pub(crate) signs: (Sign<'m>, Sign<'m>),
    /// Columns to it.
    pub far_x: Signal<'m>,
    /// Rows to it.
    pub far_y: Signal<'m>,
}

impl<'m> PathPlace<'m> {
    /// The node so many columns and rows from the source towards the destination.
    pub fn waypoint(&self, columns: Signal<'m>, rows: Signal<'m>) -> Signal<'m> {
        let step = |from: Signal<'m>, sign: Sign<'m>, by| mux(sign.less, from - by, from + by);
        let place = (step(self.here.0, self.signs.0, columns), step(self.here.1, self.signs.1, rows));
        node_number(self.m, self.size.0, self.size.1, place)
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
    let chooser = PathChoiceParams::chooser(routing);
    m.require(chooser.is_some(), &format!("path choice: routing {routing:?} has none"));
    if let Some(chooser) = chooser {
        let random = m.input("random", RANDOM_BITS);
        let Chosen { route_class, waypoint } =
            chooser.choose(&PathInputs { m: &m, random, odd_is_half, size: (columns, rows) });
        m.output_of("route_class", route_class);
        if let Some(waypoint) = waypoint {
            m.output_of("waypoint", waypoint);
        }
    }
    m.finish()
}
