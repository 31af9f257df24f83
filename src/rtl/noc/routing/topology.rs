//! What XY becomes where routers have other links than those of a mesh.

use super::{HopRule, PathChoice, RouteStart, RoutingPolicy};
use crate::line::LineRule;

/// A routing by the links of a topology.
pub struct OfTopology {
    rule: HopRule,
    /// Packets may start in both phases, and these have VCs of their own.
    phases: bool,
}

/// The shorter way around.
pub const SHORTEST: OfTopology = OfTopology { rule: HopRule::Lines(LineRule::Shortest), phases: true };
/// By express links.
pub const EXPRESS: OfTopology = OfTopology { rule: HopRule::Lines(LineRule::Express), phases: false };
/// By the links of a flattened butterfly.
pub const FLATTENED: OfTopology = OfTopology { rule: HopRule::Lines(LineRule::Flattened), phases: false };
/// By destination tag.
pub const TAG: OfTopology = OfTopology { rule: HopRule::Tag, phases: false };

impl RoutingPolicy for OfTopology {
    fn rule(&self) -> HopRule {
        self.rule
    }

    fn vc_sets(&self) -> u32 {
        1 + u32::from(self.phases)
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        (0..self.vc_sets()).map(|routing_class| packet.direct(routing_class)).collect()
    }
}
