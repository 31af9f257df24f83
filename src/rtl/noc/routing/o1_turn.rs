//! O1Turn: XY or YX at random, packet by packet, on VCs of their own.
//!
//! Source: D. Seo and others, *Near-optimal worst-case throughput routing for two-dimensional mesh networks* (ISCA
//! 2005).

use super::{
    AxisOrder, HopRule, PathChoice, PathChooser, RouteStart, RoutingPolicy, Start,
    dimension_order::{BY_PHASE, of_class},
};
use crate::interface::path_choice::{Chosen, PathInputs};

/// See the [module documentation](self).
pub struct O1Turn;

impl RoutingPolicy for O1Turn {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&BY_PHASE)
    }

    fn vc_sets(&self) -> u32 {
        2
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        vec![packet.direct(0), packet.direct(1)]
    }

    fn mixes_orders(&self) -> bool {
        true
    }

    fn start(&self) -> Start {
        Start::Chosen(&O1Turn)
    }

    fn order(&self, routing_class: u32) -> AxisOrder {
        of_class(routing_class)
    }
}

impl PathChooser for O1Turn {
    fn reads_place(&self) -> bool {
        false
    }

    fn choose<'m>(&self, inputs: &PathInputs<'m>) -> Chosen<'m> {
        Chosen { route_class: inputs.random.parity(), waypoint: None }
    }
}
