//! Parameters of input units, and the names that they give.

use super::StageMerges;
use crate::{
    blocks::ArbiterKind,
    noc::{InputPort, VcDepths, VcSets, channel::FlitFormat, routing::HopRule},
};
use hdl::params;

/// Parameters of an [`input_unit`](super::input_unit()).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

impl InputUnitParams {
    pub(super) fn names(&self) -> Vec<(String, String)> {
        let FlitFormat { vcs, width, node_bits, sideband_bits, .. } = self.format;
        let mut names = params! {
            outputs: self.outputs, vcs, depth: self.depths.of(0), width, classes: self.sets.classes(), node_bits, t: sideband_bits,
            phase: u32::from(self.rule.reads_routing_class()), heads: u32::from(self.reads_arrival), i: self.arbiter.key()
        };
        names.extend(self.sets.key().into_iter().chain(self.depths.key(vcs)));
        names.extend(self.rule.class_transition().key().map(|key| ("crosses".into(), key)));
        names.extend(self.rule.chooses().then(|| ("chooses".into(), "1".into())));
        let speedup = Some(self.port.switch_inputs).filter(|s| *s > 1).map(|s| ("speedup".into(), s.to_string()));
        names.extend(non_default_parameters(self.merges, speedup, (self.vc_reuse_delay, self.with_tail)));
        names.extend((self.port.links > 1).then(|| ("links".into(), self.port.links.to_string())));
        names.extend(self.rule.reads_loads().then(|| ("waits".into(), "1".into())));
        names.extend(self.port.priority.then(|| ("high".into(), "1".into())));
        names
    }
}

/// What pipeline, speedup and turn-around add to the name of a module, where they are not the usual.
pub(in crate::noc) fn non_default_parameters(
    merges: StageMerges,
    speedup: Option<(String, String)>,
    (vc_reuse_delay, with_tail): (u32, bool),
) -> Vec<(String, String)> {
    let unusual = |name: &str, is: u32, usual| (is != usual).then(|| (name.to_string(), is.to_string()));
    let reuse = [unusual("vc_reuse_delay", vc_reuse_delay, 1), unusual("with_tail", with_tail.into(), 0)];
    [unusual("stages", merges.depth(), 4), speedup].into_iter().chain(reuse).flatten().collect()
}
