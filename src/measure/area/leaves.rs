//! Leaf cells: what a netlist is counted in, and what each takes.
//!
//! ```text
//!   operators, registers, memories --> Leaves: how many of each --GATES--> gate equivalents (NAND gates of two inputs)
//! ```
//!
//! A flip-flop and its hold multiplexer are the library's ([`Cells`]). What the others take is near a cell of
//! theirs: tools join gates with what stands around them, build trees, share. It was fitted to 44 blocks and the modules of three chips
//! after Yosys and abc, with the same sizes of cells: `docs/synthesis.md`.

use super::Cells;
use std::ops::AddAssign;

/// A kind of cell, of one bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A flip-flop.
    FlipFlop,
    /// AND or OR of two.
    Gate,
    /// NOT.
    Inverter,
    /// XOR of two.
    Xor,
    /// A choice of two.
    Mux,
    /// One of several that a `switch` chooses from.
    Arm,
    /// Of a shift or a part at an offset, a choice of two.
    ShiftMux,
    /// Of a small memory, for each word but one and each read port.
    ReadMux,
    /// Of a register that takes or keeps a value; of a small memory, for each word and write port.
    Enable,
    /// Of a sum.
    FullAdder,
    /// Of a sum with a constant.
    HalfAdder,
    /// Of a product, for each bit that is added.
    ProductAdder,
    /// Of equal.
    Equal,
    /// Of equal to a constant.
    EqualConstant,
    /// Of less than.
    Less,
    /// Of less than a constant.
    LessConstant,
    /// Of a first one.
    FirstOne,
    /// Of a table of n constants, for each of n / log2 n.
    Table,
}

/// Kinds.
pub const LEAVES: usize = 18;

/// Gate equivalents of each kind.
const GATES: [f64; LEAVES] = {
    use Leaf::*;
    let mut gates = [0.0; LEAVES];
    gates[FlipFlop as usize] = Cells::NANGATE45.flip_flop;
    gates[Gate as usize] = 0.9;
    gates[Inverter as usize] = 0.3;
    gates[Xor as usize] = 2.3;
    gates[Mux as usize] = 2.15;
    gates[Arm as usize] = 1.1;
    gates[ShiftMux as usize] = 2.0;
    gates[ReadMux as usize] = 2.33;
    gates[Enable as usize] = Cells::NANGATE45.mux;
    gates[FullAdder as usize] = 5.3;
    gates[HalfAdder as usize] = 2.6;
    gates[ProductAdder as usize] = 6.3;
    gates[Equal as usize] = 2.7;
    gates[EqualConstant as usize] = 0.7;
    gates[Less as usize] = 3.0;
    gates[LessConstant as usize] = 0.55;
    gates[FirstOne as usize] = 0.75;
    gates[Table as usize] = 1.2;
    gates
};

/// Kinds, and what they are for people.
pub const LEAF_KINDS: [(Leaf, &str); LEAVES] = [
    (Leaf::FlipFlop, "flip-flop"),
    (Leaf::Enable, "hold multiplexer (enable, write port), per stored bit"),
    (Leaf::ReadMux, "read multiplexer, per stored bit and read port"),
    (Leaf::Gate, "AND, OR"),
    (Leaf::Inverter, "NOT"),
    (Leaf::Xor, "XOR"),
    (Leaf::Mux, "choice of two"),
    (Leaf::Arm, "arm of a `switch`"),
    (Leaf::ShiftMux, "stage of a shifter or of a variable part-select"),
    (Leaf::FullAdder, "adder"),
    (Leaf::HalfAdder, "adder with a constant"),
    (Leaf::ProductAdder, "multiplier, per bit of a partial product that is added (its AND is separate)"),
    (Leaf::Equal, "equality"),
    (Leaf::EqualConstant, "equality with a constant"),
    (Leaf::Less, "less than"),
    (Leaf::LessConstant, "less than a constant"),
    (Leaf::FirstOne, "lowest set bit (`x & ~(x - 1)`)"),
    (Leaf::Table, "table of n constants, per output bit and n / log2 n"),
];

impl Leaf {
    /// Gate equivalents of one.
    pub const fn gates(self) -> f64 {
        GATES[self as usize]
    }
}

/// How many there are of each kind.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Leaves(pub(super) [f64; LEAVES]);

impl Leaves {
    /// More of a kind.
    pub fn add(&mut self, leaf: Leaf, count: u64) {
        self.add_part(leaf, count as f64);
    }

    /// More of a kind, not a whole number.
    pub fn add_part(&mut self, leaf: Leaf, count: f64) {
        self.0[leaf as usize] += count;
    }

    /// Of some kinds together.
    pub fn count(&self, kinds: &[Leaf]) -> u64 {
        kinds.iter().map(|&leaf| self.0[leaf as usize]).sum::<f64>().round() as u64
    }

    /// Gate equivalents of all.
    pub fn gates(&self) -> f64 {
        self.0.iter().zip(GATES).map(|(count, gates)| count * gates).sum()
    }

    /// So many times as much.
    pub fn times(&self, n: u64) -> Self {
        Self(self.0.map(|count| count * n as f64))
    }
}

impl AddAssign<&Self> for Leaves {
    fn add_assign(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }
}
