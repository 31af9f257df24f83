//! What all parts of an input unit look at.

use super::{InputUnitParams, StageMerges, ports::InputUnitPorts, transitions::Transitions, vc_groups::VcGroups};
use crate::{VcSets, channel::FlitFormat, routing::HopRule};
use hdl::Builder;

/// What all parts of an input unit look at.
pub(super) struct InputUnitContext<'m> {
    pub m: &'m Builder,
    pub io: InputUnitPorts<'m>,
    pub format: FlitFormat,
    pub vcs: u32,
    pub outputs: u32,
    /// Ways that a packet may go: an output, and its routing class changes or not.
    pub route_bits: u32,
    pub sets: VcSets,
    pub rule: HopRule,
    pub reads_arrival: bool,
    pub merges: StageMerges,
    /// The next packet starts as the tail leaves.
    pub turns: bool,
    /// And asks for its output VC at once, if it is stored.
    pub with_tail: bool,
    /// Packets may have a priority.
    pub priority: bool,
    /// VCs that leave by one switch input.
    pub switch_inputs: VcGroups,
    /// VCs that come on one link.
    pub links: VcGroups,
    /// VCs of one flit buffer.
    pub buffers: VcGroups,
    pub transitions: Transitions,
}

impl<'m> InputUnitContext<'m> {
    pub fn new(m: &'m Builder, p: &InputUnitParams) -> Self {
        let InputUnitParams { outputs, format, sets, rule, reads_arrival, merges, .. } = *p;
        let vcs = format.vcs;
        let groups = |label, count| VcGroups { vcs, count, label };
        Self {
            m,
            io: InputUnitPorts::new(m, p),
            route_bits: p.route_bits(),
            format,
            vcs,
            outputs,
            sets,
            rule,
            reads_arrival,
            merges,
            turns: p.vc_reuse_delay == 0 || p.with_tail,
            with_tail: p.with_tail,
            priority: p.port.priority,
            switch_inputs: groups("bank", p.port.switch_inputs),
            links: groups("link", p.port.links),
            buffers: groups("bank", p.port.buffers()),
            transitions: Transitions { sets, allowed: rule.class_transition() },
        }
    }

    /// VCs of the class of a VC.
    pub fn class_size(&self, vc: u32) -> u32 {
        self.sets.size(self.sets.class(vc))
    }

    /// What is kept of a packet with its route: whether it has a priority, and its length.
    pub fn more_bits(&self) -> u32 {
        u32::from(self.priority) + self.format.length_bits
    }
}
