//! Class-based deterministic routing (CDR): requests XY, replies YX, each on the VCs of its message class.
//!
//! Source: A. Bakhoda's thesis (2014), section 5.6.

use super::{
    AxisOrder, HopRule, PathChoice, RouteStart, RoutingPolicy, Start,
    dimension_order::{BY_PHASE, of_class},
};
use crate::MessageClass;

/// See the [module documentation](self).
pub struct ClassBased;

impl RoutingPolicy for ClassBased {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&BY_PHASE)
    }

    /// The message class is the routing class: one set of VCs is enough.
    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        vec![packet.direct(u32::from(packet.class == MessageClass::Reply))]
    }

    fn mixes_orders(&self) -> bool {
        true
    }

    fn start(&self) -> Start {
        Start::ByClass
    }

    fn order(&self, routing_class: u32) -> AxisOrder {
        of_class(routing_class)
    }
}
