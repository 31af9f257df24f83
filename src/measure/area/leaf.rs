//! Leakage and energy of what everything is made of: gates, bits of SRAM, flip-flops, operations of a lane, DRAM.
//!
//! ```text
//!   leakage of transistors = supply x off-current x width that is off
//!     SRAM bit   one pull-down, pull-up and access transistor: (2.08 + 1.23 + 1.31) x feature size
//!     gate       NAND of two inputs, mean over its states: (2 Wn + 2 Wp + stacked) / 4
//!   clock of a flip-flop, a cycle = energy inside + (clock pin + wire) x V^2 x 4/3
//! ```
//!
//! Wires do not leak. Off-currents are those of high-performance transistors of the ITRS at 360 K, as the technology
//! file of McPAT has them from CACTI (Li et al., MICRO 2009); so are the widths of a bit. Widths of a gate, energies and pins
//! of a flip-flop are the NanGate 45 nm Open Cell Library's (NAND2_X1, DFF_X1, typical, 1.1 V), operations those of M.
//! Horowitz, *Computing's energy problem*, ISSCC 2014 (45 nm, 0.9 V). Lengths scale with the name of the node, energies
//! with length times the square of the supply. Where a figure is an estimate its field says so.

use super::{
    ArrayTechnology, TechnologyNode,
    toggled::{TOGGLE_FJ_130, TOGGLE_KINDS},
};
use rtl::core::units::{MOST_UNITS, UNITS};

/// Width of the transistors of a bit that are off, over the feature size: pull-down, pull-up, access.
const BIT_WIDTHS: f64 = 2.08 + 1.23 + 1.31;
/// Widths of the transistors of a NAND of two inputs at 45 nm, um.
const NAND_UM: [f64; 2] = [0.415, 0.63];
/// Leakage of two transistors in series over that of one: an estimate.
const STACKED: f64 = 0.2;

/// Costs at a node.
#[derive(Clone, PartialEq, Debug)]
pub struct LeafCosts {
    /// Supply, V.
    pub supply_v: f64,
    /// Leakage of a gate equivalent, nW.
    pub gate_nw: f64,
    /// Leakage of a gate equivalent of repeaters, nW: NanGate's BUF_X8 over its NAND2_X1, for the same area.
    pub repeater_nw: f64,
    /// Leakage of a bit of SRAM, nW.
    pub bit_nw: f64,
    /// Leakage of a column circuit of an array, nW: as to a bit in [`ArrayTechnology`].
    pub column_nw: f64,
    /// Clock of a flip-flop, fJ a cycle: 6.9 fJ inside and 0.95 fF at the pin at 45 nm; 10 um of wire (an estimate), and buffers of which each drives
    /// four times what it is.
    pub clock_fj: f64,
    /// A toggle, by [`ToggleKind`](super::toggled::ToggleKind), fJ: internal and switching energy, without wires.
    pub toggle_fj: [f64; TOGGLE_KINDS],
    /// Integer addition, comparison, logic of 32 bits, pJ.
    pub integer_pj: f64,
    /// Integer product of 32 bits, pJ.
    pub product_pj: f64,
    /// Sum, comparison, minimum, maximum, conversion of floats, pJ.
    pub float_pj: f64,
    /// Float product, pJ.
    pub fmul_pj: f64,
    /// Float product with a sum, pJ: product and addition.
    pub fma_pj: f64,
    /// Of each of the [`UNITS`] beside the lanes, pJ, an estimate.
    pub beside_pj: [f64; MOST_UNITS],
}

impl LeafCosts {
    /// At a node with its supply.
    pub fn at(node: TechnologyNode, supply_v: f64) -> Self {
        let um = f64::from(node.nm()) * 1e-3;
        let off_na_um = match node {
            TechnologyNode::Nm65 => 445.0,
            TechnologyNode::Nm45 => 642.0,
            TechnologyNode::Nm32 => 532.0,
            TechnologyNode::Nm22 => 425.6,
        };
        let of_width = |um: f64| supply_v * off_na_um * um;
        let [n, p] = NAND_UM.map(|at_45| at_45 * um / 0.045);
        let gate_nw = of_width((2.0 * n + 2.0 * p + STACKED * n) / 4.0);
        let bit_nw = of_width(BIT_WIDTHS * um);
        let arrays = ArrayTechnology::NM130;
        // From 45 nm and the supply of a source.
        let scaled = |at_45: f64, supply: f64| at_45 * um / 0.045 * (supply_v / supply).powi(2);
        let clock_fj = scaled(6.9 + (0.95 + 10.0 * 0.2) * 1.1 * 1.1 * 4.0 / 3.0, 1.1);
        let operation = |at_45: f64| scaled(at_45, 0.9);
        Self {
            supply_v,
            gate_nw,
            repeater_nw: gate_nw * (172.24 / 3.458) / (17.39 / 0.798),
            bit_nw,
            column_nw: bit_nw * arrays.column_nw / arrays.cell_nw,
            clock_fj,
            toggle_fj: TOGGLE_FJ_130.map(|at_130| at_130 * um / 0.13 * (supply_v / 1.2).powi(2)),
            integer_pj: operation(0.1),
            product_pj: operation(3.1),
            float_pj: operation(0.9),
            fmul_pj: operation(3.7),
            fma_pj: operation(3.7 + 0.9),
            beside_pj: std::array::from_fn(|u| {
                UNITS.rows().get(u).map_or(0.0, |unit| operation(unit.energy(3.7, 0.9)))
            }),
        }
    }
}

/// Access of DRAM to a word of 64 bits, device and interface, pJ: the lower end of Horowitz' 1.3 to 2.6 nJ. It does not change with the chip's node.
pub const DRAM_WORD_PJ: f64 = 1300.0;
