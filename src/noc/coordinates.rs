//! Coordinates as nets: from a node number to x and y and back, and how they compare.

use crate::{
    blocks::popcount,
    hdl::{Builder, Signal, concat, index_width, select},
};

/// Bits of x and of y.
pub(super) fn widths(columns: u32, rows: u32) -> (u32, u32) {
    (index_width(columns as usize), index_width(rows as usize))
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
pub(super) struct Sign<'m> {
    pub less: Signal<'m>,
    pub equal: Signal<'m>,
    pub greater: Signal<'m>,
}

impl<'m> Sign<'m> {
    /// Of `there` against `here`, with wires called after `axis`.
    pub fn of(m: &'m Builder, axis: &str, there: Signal<'m>, here: Signal<'m>) -> Self {
        let less = m.wire(&format!("{axis}_less"), there.lt(here));
        let equal = m.wire(&format!("{axis}_equal"), there.eq(here));
        Self { less, equal, greater: !(less | equal) }
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
