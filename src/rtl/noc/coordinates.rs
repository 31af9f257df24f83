//! Coordinates as nets: from a node number to x and y and back, and how they compare.

use super::topology::{Addressing, NodeAddress};
use blocks::{index_one_hot, popcount};
use hdl::{Bits, Builder, PortName, Signal, concat, index_width, mux, ports, select};

/// Bits of x and of y.
pub(super) fn widths(columns: u32, rows: u32) -> (u32, u32) {
    (index_width(columns as usize), index_width(rows as usize))
}

ports! {
    /// Ports of a block that is told its place in a grid of so many columns and rows.
    pub(super) struct HerePorts((columns, rows): &(u32, u32)) of Here {
        /// Its column.
        in here_x: widths(*columns, *rows).0,
        /// Its row.
        in here_y: widths(*columns, *rows).1,
    }
}

impl<'m> HerePorts<'m> {
    /// Column and row.
    pub fn place(self) -> (Signal<'m>, Signal<'m>) {
        (self.here_x(), self.here_y())
    }
}

impl<'m> Here<'m> {
    /// Tells it.
    pub fn tell(self, (x, y): (Signal<'m>, Signal<'m>)) {
        self.here_x(x);
        self.here_y(y);
    }

    /// Ties it to a place in a grid of so many columns and rows.
    pub fn tie(self, m: &'m Builder, (columns, rows): (u32, u32), (x, y): (u32, u32)) {
        let (x_bits, y_bits) = widths(columns, rows);
        self.tell((m.lit(x_bits, x.into()), m.lit(y_bits, y.into())));
    }
}

/// x and y of a node number: slices for a power of two of columns, else y is the number of row starts at or below it.
pub(super) fn coordinates<'m>(m: &'m Builder, columns: u32, rows: u32, node: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let (x_bits, y_bits) = widths(columns, rows);
    if rows == 1 {
        return (node.resize(x_bits), m.lit(1, 0));
    }
    if columns == 1 {
        return (m.lit(1, 0), node.resize(y_bits));
    }
    if columns.is_power_of_two() {
        return (node.bits(0, x_bits), node.bits(x_bits, y_bits));
    }
    let starts: Vec<_> = (1..rows).map(|y| node.ge(y * columns)).collect();
    let y = popcount(concat(&starts)).resize(y_bits);
    let bases: Vec<_> = (0..rows).map(|y| m.lit(x_bits, u64::from(y * columns) & ((1 << x_bits) - 1))).collect();
    (node.bits(0, x_bits) - select(y, &bases), y)
}

/// The address of a node as nets, each made when it is asked for.
pub(super) struct AddressNets<'m> {
    m: &'m Builder,
    plain: Option<(Signal<'m>, Signal<'m>)>,
    /// A bit for each node, and the addresses.
    table: Option<(Signal<'m>, Vec<NodeAddress>)>,
    widths: (u32, u32),
}

/// Of node number `node`.
pub(super) fn address<'m>(m: &'m Builder, addressing: &Addressing, node: Signal<'m>) -> AddressNets<'m> {
    let Addressing { columns, rows, ref table, .. } = *addressing;
    let decoded = table.as_ref().map(|table| {
        let bits = index_one_hot(node, table.len() as u32);
        (m.wire("dest_node", bits), table.clone())
    });
    let plain = table.is_none().then(|| coordinates(m, columns, rows, node));
    AddressNets { m, plain, table: decoded, widths: widths(columns, rows) }
}

impl<'m> AddressNets<'m> {
    /// A bit for each node, where the address is from a table.
    pub fn decoded(&self) -> Option<Signal<'m>> {
        self.table.as_ref().map(|(decoded, _)| *decoded)
    }

    /// The node is one of those for which `holds`.
    fn any(&self, holds: impl Fn(&NodeAddress) -> bool) -> Option<Signal<'m>> {
        let (decoded, table) = self.table.as_ref()?;
        let mut mask = Bits::zero(decoded.width());
        (0..).zip(table).filter(|(_, address)| holds(address)).for_each(|(node, _)| mask.set_bit(node, true));
        Some(if mask.is_zero() { self.m.lit(1, 0) } else { (*decoded & mask.signal(self.m)).any() })
    }

    fn number(&self, bits: u32, of: impl Fn(&NodeAddress) -> u32) -> Option<Signal<'m>> {
        let bits: Option<Vec<_>> = (0..bits).rev().map(|bit| self.any(|address| of(address) >> bit & 1 == 1)).collect();
        bits.map(|bits| concat(&bits))
    }

    /// Column.
    pub fn x(&self) -> Signal<'m> {
        let plain = || self.plain.expect("there is no table").0;
        self.number(self.widths.0, |address| address.x).unwrap_or_else(plain)
    }

    /// Row.
    pub fn y(&self) -> Signal<'m> {
        let plain = || self.plain.expect("there is no table").1;
        self.number(self.widths.1, |address| address.y).unwrap_or_else(plain)
    }

    /// The column, or port, is this one.
    pub fn x_is(&self, x: u32) -> Signal<'m> {
        self.any(|address| address.x == x).unwrap_or_else(|| self.x().eq(u64::from(x)))
    }

    /// The slot is this one; `None` where there is only one.
    pub fn slot_is(&self, slot: u32) -> Option<Signal<'m>> {
        self.any(|address| address.slot == slot)
    }
}

/// The node number of x and y: `y * columns + x`.
pub(super) fn node_number<'m>(m: &'m Builder, columns: u32, rows: u32, (x, y): (Signal<'m>, Signal<'m>)) -> Signal<'m> {
    let bits = index_width((columns * rows) as usize);
    if rows == 1 {
        return x.resize(bits);
    }
    if columns == 1 {
        return y.resize(bits);
    }
    if columns.is_power_of_two() {
        return y.join(x).resize(bits);
    }
    let bases: Vec<_> = (0..rows).map(|y| m.lit(bits, u64::from(y * columns))).collect();
    select(y, &bases) + x.resize(bits)
}

/// How one coordinate compares with another.
#[derive(Clone, Copy)]
pub(crate) struct Sign<'m> {
    pub less: Signal<'m>,
    pub equal: Signal<'m>,
    pub greater: Signal<'m>,
}

impl<'m> Sign<'m> {
    /// Of `there` against `here`, with wires called after `axis`.
    pub fn of(m: &'m Builder, axis: impl PortName, there: Signal<'m>, here: Signal<'m>) -> Self {
        let less = m.wire((&axis, "less"), there.lt(here));
        let equal = m.wire((&axis, "equal"), there.eq(here));
        Self { less, equal, greater: !(less | equal) }
    }
}

/// How far it is from here to there in a line.
#[derive(Clone, Copy)]
pub(super) struct Gap<'m> {
    /// This place.
    pub here: Signal<'m>,
    there: Signal<'m>,
    /// It is there.
    pub none: Signal<'m>,
    /// There is before here.
    pub less: Signal<'m>,
    /// Places in the line.
    pub count: u32,
}

impl<'m> Gap<'m> {
    /// In a line of `count` places; wires are called after `axis`.
    pub fn of(m: &'m Builder, axis: &str, there: Signal<'m>, here: Signal<'m>, count: u32) -> Self {
        let Sign { less, equal, .. } = Sign::of(m, axis, there, here);
        Self { here, there, none: equal, less, count }
    }

    /// Places further on, all around.
    pub fn ahead(&self) -> Signal<'m> {
        let bits = self.here.width() + 1;
        let far = self.there.extend(bits) - self.here.extend(bits);
        mux(self.less, far + u64::from(self.count), far)
    }

    /// Places between, either way.
    pub fn distance(&self) -> Signal<'m> {
        mux(self.less, self.here - self.there, self.there - self.here)
    }
}

/// `random * count / 2^width` for a `count` that is a net: a number below `count`, each within one `2^width`th of its share.
pub(super) fn share<'m>(random: Signal<'m>, count: Signal<'m>) -> Signal<'m> {
    let bits = count.width();
    let wide = random.extend(random.width() + bits);
    let parts = (0..bits).map(|i| (wide << u64::from(i)) & count.bit(i).repeat(wide.width()));
    let product = parts.reduce(|sum, part| sum + part).unwrap_or(wide);
    product.bits(random.width(), bits)
}
