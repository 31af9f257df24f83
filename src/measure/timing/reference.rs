//! Blocks that a synthesis tool has mapped, to which the delay model was fitted and is held by a test.
//!
//! Each row is the answer of [`COMMAND`] for a block and its parameters.

/// What made the table: Yosys 0.23 with its abc, and the free library IHP SG13G2 (130 nm, typical, 1.2 V, 25 C).
pub const COMMAND: &str =
    "warpmesh timing --block BLOCK -P PARAMETER=VALUE --liberty sg13g2_stdcell_typ_1p20V_25C.lib --sta --json";

/// Node of its library, nm.
pub const NM: f64 = 130.0;

/// A mapped block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reference {
    /// Name in the registry.
    pub block: &'static str,
    /// Parameters, as `name=value` with spaces between.
    pub parameters: &'static str,
    /// Which clock it has in a chip: `core`, `noc`, `dram`.
    pub clock: &'static str,
    /// Longest path through logic, ns.
    pub ns: f64,
    /// Cells on it.
    pub cells_deep: u32,
    /// Longest path from clock edge to clock edge by OpenSTA 2.0.17, with clock to output and setup, ns.
    pub path_ns: f64,
}

/// The table.
pub fn references() -> Vec<Reference> {
    include_str!("reference.csv").lines().skip(1).filter_map(row).collect()
}

/// Blocks that a review has mapped to NanGate 45 nm with other settings: which, and the path, ns scaled by 65/45.
pub fn reviewed() -> Vec<(&'static str, &'static str)> {
    include_str!("review.csv").lines().skip(1).filter_map(|line| line.split_once(',')).collect()
}

fn row(line: &'static str) -> Option<Reference> {
    let mut fields = line.split(',');
    let (block, parameters, clock) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Reference {
        block,
        parameters,
        clock,
        ns: fields.next()?.parse().ok()?,
        cells_deep: fields.next()?.parse().ok()?,
        path_ns: fields.next()?.parse().ok()?,
    })
}

impl Reference {
    /// Names and values of its parameters.
    pub fn given(&self) -> Vec<(&'static str, &'static str)> {
        self.parameters.split_whitespace().filter_map(|pair| pair.split_once('=')).collect()
    }
}
