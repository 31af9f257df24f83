//! The constants of the delay model: operators in FO4, and what a FO4 is at a node.
//!
//! An FO4 is the delay of an inverter that drives four of its own kind: gates of one library keep their ratio to it from
//! process to process (D. Harris, M. Horowitz, "The Fanout-of-4 Inverter Delay Metric"), so that one number takes the
//! model to a technology. The ratios were fitted to the mapped blocks of [`super::reference`]; `docs/timing.md` shows how
//! far they are off.

use crate::area::TechnologyNode;

/// A thousandth of an FO4: times are whole numbers, so that they are the same on every machine.
pub const UNIT: f64 = 1000.0;

/// Delays of operators, thousandths of an FO4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DelayModel {
    /// Clock edge to the output of a flip-flop.
    pub clock_to_q: i32,
    /// Setup of a flip-flop.
    pub setup: i32,
    /// One level of two inputs of a tree of AND or OR gates (wider gates take several levels at once).
    pub and: i32,
    /// XOR of two inputs.
    pub xor: i32,
    /// Multiplexer of two inputs.
    pub mux: i32,
    /// One level of a tree of multiplexers: shifters, reads of memories made of flip-flops.
    pub mux_level: i32,
    /// One level of a prefix tree of carries (AND-OR).
    pub carry: i32,
    /// Full adder: sum and carry.
    pub full_adder: i32,
    /// One level of a prefix tree of OR gates, which finds the first one.
    pub prefix: i32,
    /// Buffers, for each doubling of what a gate drives.
    pub fan_out: i32,
}

impl DelayModel {
    /// As fitted; flip-flops are `dfrbp_1` of IHP's SG13G2: 0.21 ns to the output, 0.13 ns setup.
    pub const FITTED: DelayModel = DelayModel {
        clock_to_q: 3600,
        setup: 2200,
        and: 950,
        xor: 1850,
        mux: 1300,
        mux_level: 2400,
        carry: 2300,
        full_adder: 4400,
        prefix: 1600,
        fan_out: 450,
    };

    /// Gates alone, as a synthesis tool times logic between registers that it does not know.
    pub fn logic_only(self) -> Self {
        Self { clock_to_q: 0, setup: 0, ..self }
    }

    /// Buffers behind a gate that drives so many inputs.
    pub fn buffers(&self, load: u32) -> i32 {
        if load < 2 { 0 } else { (f64::from(load).log2() * f64::from(self.fan_out)).round() as i32 }
    }
}

/// Delay of an FO4 inverter for each nm of the node's name, ps: 58.3 ps in a chain of `inv_2` of IHP's SG13G2 at 130 nm (typical, 1.2 V, 25 C,
/// OpenSTA 2.0 without wires). Rules of thumb are 0.36 (R. Ho, K. Mai, M. Horowitz, "The Future of Wires", 2001) to 0.5.
const FO4_PS_PER_NM: f64 = 58.3 / 130.0;

/// An FO4 at a node, ps: 29.2 at 65 nm.
pub fn fo4_ps(node: TechnologyNode) -> f64 {
    FO4_PS_PER_NM * f64::from(node.nm())
}

/// An FO4 at 130 nm, ns: arrays are calibrated there ([`crate::area::ArrayTechnology::NM130`]).
pub fn fo4_ns_at_130() -> f64 {
    FO4_PS_PER_NM * 130.0 / 1000.0
}

/// Share of a clock period that is left for what a netlist does not know: wires between cells, skew and jitter of the clock.
pub const MARGIN: f64 = 0.15;

/// What a path may take at a frequency, ns.
pub fn wanted_ns(mhz: f64) -> f64 {
    1000.0 / mhz * (1.0 - MARGIN)
}

/// Thousandths of an FO4 as ns at a node.
pub fn ns(time: i32, node: TechnologyNode) -> f64 {
    f64::from(time) / UNIT * fo4_ps(node) / 1000.0
}
