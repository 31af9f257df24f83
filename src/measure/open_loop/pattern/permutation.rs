//! Permutations: every node to one node, and from one.

use super::{
    destination::Destination,
    policy::{TrafficPattern, kinds},
};
use rtl::noc::{NodeKind, Nodes};

/// The node that `node` sends to, in a grid of so many columns and rows.
pub struct Permutation(pub fn(node: u32, columns: u32, rows: u32) -> Result<u32, String>);

impl TrafficPattern for Permutation {
    fn targets(&self, nodes: &Nodes, _: f64) -> Result<Vec<Destination>, String> {
        let kinds = kinds(nodes);
        let of_node = |node: u32| {
            if kinds[node as usize] == NodeKind::Empty {
                return Ok(Destination::Nobody);
            }
            let to = (self.0)(node, nodes.columns(), nodes.rows())?;
            match kinds[to as usize] {
                NodeKind::Empty => Err(format!("node {node} would send to node {to}, which is empty")),
                _ => Ok(Destination::Always(to)),
            }
        };
        (0..nodes.len()).map(of_node).collect()
    }
}

/// (x, y) to (y, x).
pub fn transpose(node: u32, columns: u32, rows: u32) -> Result<u32, String> {
    match columns == rows {
        true => Ok(node % columns * columns + node / columns),
        false => Err(format!("it needs a square mesh; this one is {columns} x {rows}")),
    }
}

/// Every bit of the node number turned round.
pub fn bit_complement(node: u32, columns: u32, rows: u32) -> Result<u32, String> {
    by_bits(columns, rows, |_| !node)
}

/// The bits of the node number in reverse order.
pub fn bit_reverse(node: u32, columns: u32, rows: u32) -> Result<u32, String> {
    by_bits(columns, rows, |bits| if bits == 0 { 0 } else { node.reverse_bits() >> (32 - bits) })
}

/// The bits of the node number one place to the left, around.
pub fn shuffle(node: u32, columns: u32, rows: u32) -> Result<u32, String> {
    by_bits(columns, rows, |bits| node << 1 | if bits == 0 { 0 } else { node >> (bits - 1) })
}

/// Almost half way around, in x and in y.
pub fn tornado(node: u32, columns: u32, rows: u32) -> Result<u32, String> {
    Ok(by_digits(node, columns, rows, |range| range.div_ceil(2) - 1))
}

/// One further, around, in x and in y.
pub fn neighbour(node: u32, columns: u32, rows: u32) -> Result<u32, String> {
    Ok(by_digits(node, columns, rows, |_| 1))
}

/// From the number of bits of a node number.
fn by_bits(columns: u32, rows: u32, to: impl Fn(u32) -> u32) -> Result<u32, String> {
    let nodes = columns * rows;
    match nodes.is_power_of_two() {
        true => Ok(to(nodes.trailing_zeros()) % nodes),
        false => Err(format!("it needs a power of two of nodes; {columns} x {rows} are {nodes}")),
    }
}

/// So many steps further in x and in y, by their range.
fn by_digits(node: u32, columns: u32, rows: u32, step: fn(u32) -> u32) -> u32 {
    let along = |at: u32, range: u32| (at + step(range)) % range;
    along(node / columns, rows) * columns + along(node % columns, columns)
}
