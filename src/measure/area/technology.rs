//! The constants of the analytic model: one struct, calibrated at 65 nm, and its scaling to smaller nodes.

use super::CrossbarModel;
use std::fmt;

/// A technology node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum TechnologyNode {
    /// 65 nm: where the model is calibrated.
    #[default]
    Nm65,
    /// 45 nm.
    Nm45,
    /// 32 nm.
    Nm32,
    /// 22 nm.
    Nm22,
}

impl TechnologyNode {
    /// All, the calibrated one first.
    pub const ALL: [TechnologyNode; 4] =
        [TechnologyNode::Nm65, TechnologyNode::Nm45, TechnologyNode::Nm32, TechnologyNode::Nm22];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TechnologyNode::Nm65 => "65",
            TechnologyNode::Nm45 => "45",
            TechnologyNode::Nm32 => "32",
            TechnologyNode::Nm22 => "22",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            TechnologyNode::Nm65 => "65 nm: where the model is calibrated",
            TechnologyNode::Nm45 => "45 nm",
            TechnologyNode::Nm32 => "32 nm",
            TechnologyNode::Nm22 => "22 nm",
        }
    }

    /// Its name as a number, nm.
    pub fn nm(self) -> u32 {
        match self {
            TechnologyNode::Nm65 => 65,
            TechnologyNode::Nm45 => 45,
            TechnologyNode::Nm32 => 32,
            TechnologyNode::Nm22 => 22,
        }
    }

    /// Pitch of the finest metal layers, nm: Intel's processes as published at IEDM 2004 (65 nm), 2007 (45 nm), 2009 (32 nm) and VLSI
    /// 2012 (22 nm). Bakhoda's thesis, section 6.10.3, has the first two.
    pub fn wire_pitch_nm(self) -> f64 {
        match self {
            TechnologyNode::Nm65 => 210.0,
            TechnologyNode::Nm45 => 160.0,
            TechnologyNode::Nm32 => 112.5,
            TechnologyNode::Nm22 => 90.0,
        }
    }

    /// Length of what is made of transistors, against 65 nm: the ratio of the names of the nodes (the thesis' 45/65 = 0.69).
    pub fn device_scale(self) -> f64 {
        f64::from(self.nm()) / f64::from(TechnologyNode::Nm65.nm())
    }

    /// Length of what is made of wires, against 65 nm: the ratio of pitches (the thesis' 160/210 = 0.76).
    pub fn wire_scale(self) -> f64 {
        self.wire_pitch_nm() / TechnologyNode::Nm65.wire_pitch_nm()
    }
}

impl fmt::Display for TechnologyNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nm", self.nm())
    }
}

/// What the formulas multiply with. Fields may be changed by who knows better: a model is its technology and its formulas.
#[derive(Clone, PartialEq, Debug)]
pub struct Technology {
    /// Node that it is for.
    pub node: TechnologyNode,
    /// How crossbars are built.
    pub crossbar: CrossbarModel,
    /// Crosspoint of a crossbar for one bit, um^2. Wire dominated. The thesis states 2.07 (section 6.8, mean of three die photos), its
    /// table 6.5 implies 2.11 to 2.13; all cells of that table are within 3 % for 2.084 to 2.085 alone, which is 0.7 % above the
    /// statement. ORION 2.0 unmodified has 2.06 um x 2.06 um = 4.24.
    pub crosspoint_um2: f64,
    /// SRAM flit buffer for one bit, decoders and drivers included, um^2: table 6.5, 0.17 mm^2 for 5 inputs x 2 VCs x 8 flits x 128 bits.
    pub buffer_bit_um2: f64,
    /// VC and switch allocators together, for each pair of requesting and granted VC, um^2: table 6.5, 0.001 mm^2 for 10 x 10 pairs.
    pub allocator_pair_um2: f64,
    /// Width of a channel for one bit, um: pitch of intermediate wires with single spacing (140 nm + 140 nm, ORION 2.0) and 7 % for
    /// repeaters, from the thesis' 0.11 mm^2 for 128 bits over one tile.
    pub link_bit_um: f64,
    /// Distance between neighbouring tiles, mm: the side of one of 36 squares that are the thesis' baseline chip of 295.6 mm^2. It is
    /// the same for every design, as in the thesis.
    pub tile_mm: f64,
    /// Channel between a router and its terminal, mm (section 6.8).
    pub local_link_mm: f64,
    /// A core, mm^2: section 6.8, from a die photo of GTX 280.
    pub core_mm2: f64,
    /// A memory controller, mm^2, likewise.
    pub controller_mm2: f64,
    /// The L2 bank of a controller (128 KB), mm^2: section 6.8, 13.84 mm^2 for eight, from CACTI.
    pub l2_bank_mm2: f64,
}

impl Technology {
    /// As calibrated.
    pub const NM65: Technology = Technology {
        node: TechnologyNode::Nm65,
        crossbar: CrossbarModel::Matrix,
        crosspoint_um2: 2.0842,
        buffer_bit_um2: 16.661,
        allocator_pair_um2: 10.0,
        link_bit_um: 0.300,
        tile_mm: 2.866,
        local_link_mm: 0.05,
        core_mm2: 5.25,
        controller_mm2: 10.48,
        l2_bank_mm2: 13.84 / 8.0,
    };

    /// With crossbars of this model, if one is given.
    pub fn with_crossbars(self, model: Option<CrossbarModel>) -> Self {
        Self { crossbar: model.unwrap_or(self.crossbar), ..self }
    }

    /// Scaled to `node`: transistors by the square of [`TechnologyNode::device_scale`], crosspoints by the square of [`TechnologyNode::wire_scale`],
    /// channels by the latter in width and the former in length, since tiles shrink with what is in them.
    pub fn at(node: TechnologyNode) -> Self {
        let (device, wire, base) = (node.device_scale(), node.wire_scale(), Self::NM65);
        Self {
            node,
            crossbar: base.crossbar,
            crosspoint_um2: base.crosspoint_um2 * wire * wire,
            buffer_bit_um2: base.buffer_bit_um2 * device * device,
            allocator_pair_um2: base.allocator_pair_um2 * device * device,
            link_bit_um: base.link_bit_um * wire,
            tile_mm: base.tile_mm * device,
            local_link_mm: base.local_link_mm * device,
            core_mm2: base.core_mm2 * device * device,
            controller_mm2: base.controller_mm2 * device * device,
            l2_bank_mm2: base.l2_bank_mm2 * device * device,
        }
    }
}

impl Default for Technology {
    fn default() -> Self {
        Self::NM65
    }
}
