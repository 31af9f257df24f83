//! What a path choice sees, and what it decides.

use crate::coordinates::{HerePorts, Sign, coordinates, node_number, share, widths};
use hdl::{Builder, Signal, index_width, mux, ports};

/// Random bits that a path choice takes.
pub const RANDOM_BITS: u32 = 16;

/// What a path choice goes by, and what it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathChoiceReads {
    /// It looks at the place of the packet.
    pub place: bool,
    /// It chooses where the first phase ends.
    pub waypoint: bool,
    /// Columns and rows of routers.
    pub size: (u32, u32),
}

ports! {
    /// Ports of a [path choice](super::path_choice()), beside those for the place of the node.
    pub struct PathChoicePorts(p: &PathChoiceReads) of PathChoice {
        /// Random bits.
        in random: RANDOM_BITS,
        /// Destination node.
        maybe (p.place) in dest: index_width((p.size.0 * p.size.1) as usize),
        /// Routing class at the start.
        out route_class: 1,
        /// Node at which the first phase ends.
        maybe (p.waypoint) out waypoint: index_width((p.size.0 * p.size.1) as usize),
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
    pub(super) io: PathChoicePorts<'m>,
    /// Random bits, [`RANDOM_BITS`].
    pub random: Signal<'m>,
    /// The half-routers are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
    /// Columns and rows of routers.
    pub(super) size: (u32, u32),
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
        let here = HerePorts::new(m, &self.size).place();
        let dest = self.io.dest().expect("a choice that looks at the place of a packet says so");
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
