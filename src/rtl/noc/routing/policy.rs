//! What a routing says: its hop rule, and what the source decides for a packet.

use super::{AxisOrder, HopRule};
use crate::{
    MessageClass,
    interface::path_choice::{Chosen, PathInputs},
};

/// A routing.
pub trait RoutingPolicy: Sync {
    /// What every router does with a head flit.
    fn rule(&self) -> HopRule;

    /// Sets of VCs that each message class needs. Where there are several, packets of a routing class have the set of its number.
    fn vc_sets(&self) -> u32 {
        1
    }

    /// Everything that the source may decide for a packet, each with equal probability. Empty: this routing cannot serve the pair.
    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        vec![packet.direct(0)]
    }

    /// How the network interface decides it.
    fn start(&self) -> Start {
        Start::RoutingClass(0)
    }

    /// Some packets start XY and others YX: those of routing class 1.
    fn mixes_orders(&self) -> bool {
        false
    }

    /// The dimension order of packets of a routing class, for organisations that go by it.
    fn order(&self, _routing_class: u32) -> AxisOrder {
        AxisOrder::Xy
    }
}

/// A packet at its source.
pub struct RouteStart<'a> {
    /// Request or reply.
    pub class: MessageClass,
    /// Where it is, as (x, y).
    pub here: (u32, u32),
    /// Where it goes.
    pub dest: (u32, u32),
    /// Columns and rows of routers.
    pub size: (u32, u32),
    /// Is there a half-router?
    pub is_half: &'a dyn Fn((u32, u32)) -> bool,
}

impl RouteStart<'_> {
    /// To the destination in one phase.
    pub fn direct(&self, routing_class: u32) -> PathChoice {
        PathChoice { routing_class, waypoint: self.dest }
    }
}

/// What the source decides for a packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathChoice {
    /// The routing class at the start.
    pub routing_class: u32,
    /// End of the first phase; the destination where there is none.
    pub waypoint: (u32, u32),
}

/// How the network interface decides.
pub enum Start {
    /// Every packet starts with this routing class.
    RoutingClass(u32),
    /// Requests of routing class 0, replies of routing class 1.
    ByClass,
    /// A block decides.
    Chosen(&'static dyn PathChooser),
}

/// The hardware of a path choice.
pub trait PathChooser: Sync {
    /// It looks at the place of the source and at the destination.
    fn reads_place(&self) -> bool;

    /// What it decides.
    fn choose<'m>(&self, inputs: &PathInputs<'m>) -> Chosen<'m>;
}

/// From `a` to `b`, both included, whichever is the greater.
pub(super) fn between(a: u32, b: u32) -> impl Iterator<Item = u32> {
    a.min(b)..=a.max(b)
}
