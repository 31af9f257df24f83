//! Area of a crossbar, by one of two models.
//!
//! ```text
//!   matrix   area = crosspoints x W^2 x crosspoint area         W: bits of a channel; a matrix of wires
//!
//!   full router, one terminal port each way   inputs x outputs      one matrix, every crossing laid out      5 x 5      = 25
//!   full router, more terminal ports          ones of the matrix    as its connectivity says                 2 + 2: 32
//!   half-router                               ones of the matrix    four 2:1 and one 4:1                     4 x 2 + 4  = 12
//!                                             but inject -> eject   with 2 + 2: four 3:1 and two 4:1         4 x 3 + 8  = 20
//!
//!   mux      area = (ones of the matrix - outputs) x W x multiplexer of two inputs       cells; what the RTL is
//! ```
//!
//! A port with several switch inputs has the ones of its row as often (not of the thesis): an injection port with four
//! switch inputs adds 3 x 5 to the 25 of a full router.
//!
//! Source of the matrix: A. Bakhoda's thesis (2014), section 6.8 with footnote 8. The routers with two ports are not
//! spelled out there; these counts are the only ones of the obvious ones that table 6.5 agrees with. It grows with the
//! square of ports and width, and the thesis has figures up to the 60 crosspoints of 256 bits of its concentrated mesh:
//! a larger matrix is beyond it ([`MATRIX_CROSSPOINTS`]), and would not be built. Then the model is `mux`.

use super::{Cells, Leaf, MM2, RouterShape, Technology};

/// How a crossbar is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CrossbarModel {
    /// A matrix of wires.
    #[default]
    Matrix,
    /// A tree of multiplexers for each output.
    Mux,
}

impl CrossbarModel {
    /// Both, the thesis' first.
    pub const ALL: [CrossbarModel; 2] = [CrossbarModel::Matrix, CrossbarModel::Mux];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            CrossbarModel::Matrix => "matrix",
            CrossbarModel::Mux => "mux",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            CrossbarModel::Matrix => "A matrix of wires, as in Bakhoda's thesis; crosspoints x bits^2 up to 64 x 256^2",
            CrossbarModel::Mux => "Multiplexers made of cells, as in the RTL; wires have no area",
        }
    }
}

/// The largest matrix that the formula is for, crosspoints of [`MATRIX_BITS`] bits; fewer of wider channels, by the square of the width.
pub const MATRIX_CROSSPOINTS: u32 = 64;

/// Bits of the channels of that matrix.
pub const MATRIX_BITS: u32 = 256;

/// Crossings of two wires.
pub fn wires(crosspoints: u32, channel_bits: u32) -> u64 {
    u64::from(crosspoints) * u64::from(channel_bits).pow(2)
}

/// Whether a router with channels of this width is beyond the formula of the matrix.
pub fn beyond_matrix(router: &RouterShape, channel_bits: u32) -> bool {
    wires(crosspoints(router), channel_bits) > wires(MATRIX_CROSSPOINTS, MATRIX_BITS)
}

/// Crosspoints of one bit by one bit.
pub fn crosspoints(router: &RouterShape) -> u32 {
    let of_ports = match (router.half, router.injects <= 1 && router.ejects <= 1) {
        (false, true) => router.inputs() * router.outputs(),
        (false, false) => router.ones,
        (true, _) => router.ones - router.inject_to_eject,
    };
    of_ports + router.more_ones
}

/// Multiplexers of two inputs that each bit of a channel takes, of all outputs.
pub fn multiplexers(router: &RouterShape) -> u32 {
    (router.ones + router.more_ones).saturating_sub(router.outputs())
}

/// mm^2, by the model of `technology`.
pub fn area(router: &RouterShape, channel_bits: u32, technology: &Technology) -> f64 {
    let width = f64::from(channel_bits);
    match technology.crossbar {
        CrossbarModel::Matrix => f64::from(crosspoints(router)) * width * width * technology.crosspoint_um2 * MM2,
        CrossbarModel::Mux => {
            let gates = f64::from(multiplexers(router)) * width * Leaf::Mux.gates();
            Cells::NANGATE45.mm2(gates, technology.node.nm())
        }
    }
}
