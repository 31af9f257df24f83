//! The address map: which controller, bank, row and column hold a byte, and at which node the controller sits.
//!
//! ```text
//! address (32) --+-- / chunk --+-- mod controllers --> controller --> node (the placement's list)
//!                |             +-- div controllers --> chunk of this controller --+
//!                +-- mod chunk ---------------------------------------------------+--> {row, bank, column, byte in line}
//! ```
//!
//! Consecutive chunks go to consecutive controllers; how long a chunk is, is the policy ([`AddressMapKind`], a file in
//! `map/` each). Within a controller consecutive addresses fill a row, then the same row of the next bank
//! (row:bank:column). The number of controllers may be any: where it is no power of two, the division is a
//! multiplication with a constant, exact for all chunk numbers.

mod low_256;
mod page_2k;

use common::policies;
use hdl::{Builder, Signal, index_width, select};
use protocol::ADDRESS_BITS;
use serde::Serialize;

/// Bytes of a cache line where nothing else is said.
pub const USUAL_LINE_BYTES: u32 = 64;

policies! {
    /// Which addresses a controller holds.
    pub enum AddressMapKind: dyn Interleaving {
        /// 256 bytes to each controller in turn; chunks of a controller fill its rows one after the other.
        Low256 = "low-256" => low_256::Low256,
        /// A DRAM row to each bank of a controller in turn, then to those of the next controller.
        Page2k = "page-2k" => page_2k::Page2k,
    }
}

/// How addresses are dealt out to controllers.
pub trait Interleaving: Sync {
    /// Consecutive bytes that a controller holds, as a power of two.
    fn chunk_bits(&self, organisation: &Organisation) -> u32;
}

/// The DRAM behind a controller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Organisation {
    /// Bits of a bank number.
    pub bank_bits: u32,
    /// Bits of the offset of a byte in its row.
    pub row_offset_bits: u32,
}

/// An address map that cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MapError {
    /// No controller.
    #[error("a chip needs at least one memory controller")]
    NoController,
    /// A controller sits at a node that does not exist.
    #[error("memory controller {controller} is placed at node {node}, but the chip has nodes 0 to {last}")]
    NoSuchNode {
        /// Number of the controller.
        controller: usize,
        /// Where it was placed.
        node: usize,
        /// Greatest node number.
        last: usize,
    },
    /// Two controllers at one node.
    #[error("node {node} is given to two memory controllers")]
    NodeTwice {
        /// The node.
        node: usize,
    },
    /// Banks not a power of two, or out of range.
    #[error("{banks} DRAM banks: allowed are powers of two from 2 to 64")]
    Banks {
        /// What was asked for.
        banks: usize,
    },
    /// Row size not a power of two, or out of range.
    #[error("DRAM rows of {row_bytes} bytes: allowed are powers of two from 256 to 16384")]
    RowBytes {
        /// What was asked for.
        row_bytes: u32,
    },
}

/// The map of one chip: nodes of the controllers and organisation of each controller's DRAM.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AddressMap {
    kind: AddressMapKind,
    controller_nodes: Vec<usize>,
    node_bits: u32,
    banks: usize,
    row_bytes: u32,
    line_bytes: u32,
}

/// Where a byte lives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// Number of the controller, as an index into the placement's list.
    pub controller: usize,
    /// DRAM row.
    pub row: u32,
    /// DRAM bank.
    pub bank: u32,
    /// Line in the row.
    pub column: u32,
    /// Byte in the line.
    pub byte: u32,
}

/// The DRAM coordinates of an address in hardware; see [`AddressMap::coordinates`].
#[derive(Clone, Copy)]
pub struct Coordinates<'m> {
    /// [`AddressMap::row_bits`] wide.
    pub row: Signal<'m>,
    /// [`AddressMap::bank_bits`] wide.
    pub bank: Signal<'m>,
    /// [`AddressMap::column_bits`] wide.
    pub column: Signal<'m>,
}

/// One controller, at the last of two nodes.
impl Default for AddressMap {
    fn default() -> Self {
        let (controller_nodes, node_bits) = (vec![1], index_width(2));
        Self {
            kind: AddressMapKind::default(),
            controller_nodes,
            node_bits,
            banks: 8,
            row_bytes: 2048,
            line_bytes: USUAL_LINE_BYTES,
        }
    }
}

impl AddressMap {
    /// A map over controllers at `controller_nodes` of a chip with `nodes` nodes; each controller's DRAM has `banks` banks
    /// (a power of two, 2 to 64) with rows of `row_bytes` bytes (a power of two, 256 to 16,384).
    pub fn new(controller_nodes: &[usize], nodes: usize, banks: usize, row_bytes: u32) -> Result<Self, MapError> {
        if controller_nodes.is_empty() {
            return Err(MapError::NoController);
        }
        for (controller, &node) in controller_nodes.iter().enumerate() {
            if node >= nodes {
                return Err(MapError::NoSuchNode { controller, node, last: nodes.saturating_sub(1) });
            }
            if controller_nodes[..controller].contains(&node) {
                return Err(MapError::NodeTwice { node });
            }
        }
        if !banks.is_power_of_two() || !(2..=64).contains(&banks) {
            return Err(MapError::Banks { banks });
        }
        if !row_bytes.is_power_of_two() || !(256..=16384).contains(&row_bytes) {
            return Err(MapError::RowBytes { row_bytes });
        }
        Ok(Self {
            kind: AddressMapKind::default(),
            controller_nodes: controller_nodes.to_vec(),
            node_bits: index_width(nodes),
            banks,
            row_bytes,
            line_bytes: USUAL_LINE_BYTES,
        })
    }

    /// With lines of `line_bytes` bytes (one of [`LINE_SIZES`](protocol::LINE_SIZES)) instead of 64.
    pub fn with_line_bytes(self, line_bytes: u32) -> Self {
        Self { line_bytes, ..self }
    }

    /// By `kind` instead of `low-256`.
    pub fn with_kind(self, kind: AddressMapKind) -> Self {
        Self { kind, ..self }
    }

    /// Which addresses a controller holds.
    pub fn kind(&self) -> AddressMapKind {
        self.kind
    }

    /// Bits of the offset of a byte in a chunk: what a controller holds of consecutive addresses.
    pub fn chunk_bits(&self) -> u32 {
        let organisation = Organisation { bank_bits: self.bank_bits(), row_offset_bits: self.row_bytes.ilog2() };
        self.kind.policy().chunk_bits(&organisation)
    }

    /// Mask of that offset.
    fn chunk_offset(&self) -> u32 {
        (1 << self.chunk_bits()) - 1
    }

    /// Bits of a chunk's number.
    fn chunk_number_bits(&self) -> u32 {
        ADDRESS_BITS - self.chunk_bits()
    }

    /// Bytes of a line, the unit of every request and of a DRAM burst.
    pub fn line_bytes(&self) -> u32 {
        self.line_bytes
    }

    /// Bits of the offset of a byte in its line.
    fn offset_bits(&self) -> u32 {
        self.line_bytes.ilog2()
    }

    /// Node of each controller.
    pub fn controller_nodes(&self) -> &[usize] {
        &self.controller_nodes
    }

    /// Number of controllers.
    pub fn controllers(&self) -> usize {
        self.controller_nodes.len()
    }

    /// Banks of each controller's DRAM.
    pub fn banks(&self) -> usize {
        self.banks
    }

    /// Bits of a node number.
    pub fn node_bits(&self) -> u32 {
        self.node_bits
    }

    /// Bits of a bank number.
    pub fn bank_bits(&self) -> u32 {
        index_width(self.banks)
    }

    /// Bits of a column number (a column is a line).
    pub fn column_bits(&self) -> u32 {
        (self.row_bytes / self.line_bytes).ilog2()
    }

    /// Bits of a row number: what is left of the address.
    pub fn row_bits(&self) -> u32 {
        (self.local_chunk_bits() + self.chunk_bits())
            .saturating_sub(self.offset_bits() + self.column_bits() + self.bank_bits())
            .max(1)
    }

    /// Bits of a chunk's number within its controller.
    fn local_chunk_bits(&self) -> u32 {
        let greatest = ((1u64 << self.chunk_number_bits()) - 1) / self.controllers() as u64;
        u64::BITS - greatest.leading_zeros()
    }

    /// Controller that holds `address`.
    pub fn controller(&self, address: u32) -> usize {
        (address >> self.chunk_bits()) as usize % self.controllers()
    }

    /// Node of the controller that holds `address`.
    pub fn node(&self, address: u32) -> usize {
        self.controller_nodes[self.controller(address)]
    }

    /// Everything about where `address` lives.
    pub fn locate(&self, address: u32) -> Location {
        let chunk = (address >> self.chunk_bits()) / self.controllers() as u32;
        let local = u64::from(chunk) << self.chunk_bits() | u64::from(address & self.chunk_offset());
        let field = |lo: u32, bits: u32| (local >> lo & ((1 << bits) - 1)) as u32;
        let bank_lo = self.offset_bits() + self.column_bits();
        Location {
            controller: self.controller(address),
            row: field(bank_lo + self.bank_bits(), self.row_bits()),
            bank: field(bank_lo, self.bank_bits()),
            column: field(self.offset_bits(), self.column_bits()),
            byte: field(0, self.offset_bits()),
        }
    }

    /// The address of a location: the inverse of [`locate`](Self::locate); `None` when no address maps there.
    pub fn address(&self, at: Location) -> Option<u32> {
        let line = (u64::from(at.row) << self.bank_bits() | u64::from(at.bank)) << self.column_bits();
        let local = (line | u64::from(at.column)) << self.offset_bits() | u64::from(at.byte);
        let chunk = (local >> self.chunk_bits()) * self.controllers() as u64 + at.controller as u64;
        let address = u32::try_from(chunk << self.chunk_bits() | local & u64::from(self.chunk_offset())).ok()?;
        (self.locate(address) == at).then_some(address)
    }

    /// Hardware: the node ([`node_bits`](Self::node_bits) wide) to which a request for a line goes, by the line's number.
    /// Combinational.
    #[track_caller]
    pub fn destination<'m>(&self, m: &'m Builder, line: Signal<'m>) -> Signal<'m> {
        let node = |&n: &usize| m.lit(self.node_bits, n as u64);
        let nodes: Vec<_> = self.controller_nodes.iter().map(node).collect();
        if nodes.len() == 1 {
            return nodes[0];
        }
        let chunk = self.chunk(line);
        let bits = index_width(nodes.len());
        let controller = if nodes.len().is_power_of_two() {
            chunk.bits(0, bits)
        } else {
            let quotient = self.divide(m, chunk);
            // The remainder is less than the divisor, so its low bits are all of it.
            chunk.bits(0, bits) - (quotient.bits(0, bits) * nodes.len() as u64)
        };
        select(controller, &nodes)
    }

    /// Hardware: number of a line among those of its controller, by the line's number; as wide as that. Combinational.
    #[track_caller]
    pub fn local_line<'m>(&self, m: &'m Builder, number: Signal<'m>) -> Signal<'m> {
        let quotient = self.divide(m, self.chunk(number));
        quotient.join(number.bits(0, self.chunk_bits() - self.offset_bits())).resize(number.width())
    }

    /// Hardware: row, bank and column of a line in the DRAM of its controller, by the [`local_line`](Self::local_line). Wires only.
    #[track_caller]
    pub fn coordinates<'m>(&self, line: Signal<'m>) -> Coordinates<'m> {
        let (column, bank) = (self.column_bits(), self.bank_bits());
        let line = line.extend(line.width().max(column + bank + 1));
        Coordinates {
            row: line.bits(column + bank, self.row_bits()),
            bank: line.bits(column, bank),
            column: line.bits(0, column),
        }
    }

    /// The chunk of a line.
    #[track_caller]
    fn chunk<'m>(&self, line: Signal<'m>) -> Signal<'m> {
        line.bits(self.chunk_bits() - self.offset_bits(), self.chunk_number_bits())
    }

    /// `chunk / controllers`, [`local_chunk_bits`](Self::local_chunk_bits) wide. For `n`-bit `x` and divisor `d`, with
    /// `l = ceil(log2 d)`: `x / d = (x * ceil(2^(n + l) / d)) >> (n + l)`, exactly (Granlund and Montgomery 1994).
    #[track_caller]
    fn divide<'m>(&self, m: &'m Builder, chunk: Signal<'m>) -> Signal<'m> {
        let divisor = self.controllers() as u64;
        if divisor.is_power_of_two() {
            return chunk.bits(divisor.ilog2(), self.chunk_number_bits() - divisor.ilog2());
        }
        let shift = self.chunk_number_bits() + divisor.next_power_of_two().ilog2();
        let reciprocal = (1u64 << shift).div_ceil(divisor);
        let width = 2 * self.chunk_number_bits() + 1;
        let product = chunk.extend(width) * m.lit(width, reciprocal);
        product.bits(shift, self.local_chunk_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(controllers: usize) -> AddressMap {
        let nodes: Vec<_> = (0..controllers).map(|c| c * 3 + 1).collect();
        AddressMap::new(&nodes, 36, 8, 2048).expect("legal")
    }

    #[test]
    fn chunks_are_interleaved_and_stay_in_a_row() {
        let map = map(4);
        assert_eq!((0..6).map(|i| map.controller(i * 256 + 255)).collect::<Vec<_>>(), [0, 1, 2, 3, 0, 1]);
        let rows: Vec<_> = (0..9).map(|i| map.locate(i * 1024)).map(|l| (l.row, l.bank, l.column)).collect();
        assert_eq!(rows[..3], [(0, 0, 0), (0, 0, 4), (0, 0, 8)]);
        assert_eq!(rows[8], (0, 1, 0));
        assert_eq!(map.row_bits(), 16);
    }

    #[test]
    fn locations_and_addresses_are_inverse() {
        for controllers in [1, 2, 3, 4, 5, 7, 8, 11, 12] {
            let map = map(controllers);
            for i in 0..20_000u32 {
                let address = i.wrapping_mul(2_654_435_761).rotate_left(i % 32);
                assert_eq!(map.address(map.locate(address)), Some(address), "{controllers} controllers");
            }
            assert_eq!(map.address(map.locate(u32::MAX)), Some(u32::MAX));
        }
    }

    #[test]
    fn impossible_maps_are_refused_by_name() {
        let refused =
            |nodes: &[usize], banks, row| AddressMap::new(nodes, 16, banks, row).expect_err("wrong").to_string();
        assert_eq!(refused(&[], 8, 2048), "a chip needs at least one memory controller");
        assert_eq!(
            refused(&[1, 16], 8, 2048),
            "memory controller 1 is placed at node 16, but the chip has nodes 0 to 15"
        );
        assert_eq!(refused(&[1, 1], 8, 2048), "node 1 is given to two memory controllers");
        assert!(refused(&[1], 6, 2048).contains("6 DRAM banks"));
        assert!(refused(&[1], 8, 100).contains("rows of 100 bytes"));
    }
}
