//! Parameters of input units.

use super::StageMerges;
use crate::{InputPort, VcDepths, VcSets, channel::FlitFormat, routing::HopRule};
use blocks::ArbiterKind;
use serde::Serialize;

/// Parameters of an [`input_unit`](super::input_unit()).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct InputUnitParams {
    /// Outputs within reach, 1 and up.
    pub outputs: u32,
    /// The channel.
    pub format: FlitFormat,
    /// Flits that VCs hold, 1 and up.
    pub depths: VcDepths,
    /// Classes of the VCs.
    pub sets: VcSets,
    /// What the router does with a head.
    pub rule: HopRule,
    /// The route unit is told about arriving heads.
    pub reads_arrival: bool,
    /// Arbiter among the VCs of this input.
    pub arbiter: ArbiterKind,
    /// Which stages share a cycle.
    pub merges: StageMerges,
    /// Switch inputs and links.
    pub port: InputPort,
    /// Cycles from the one in which a tail wins the switch to the RC of the packet behind it, 0 or 1; 0 needs stages that do not ask at once.
    pub vc_reuse_delay: u32,
    /// VCs are reallocated with the tail; needs VA before SA.
    pub with_tail: bool,
}
