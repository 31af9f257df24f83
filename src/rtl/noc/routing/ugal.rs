//! UGAL on a flattened butterfly: straight to the destination, or over an intermediate router that is drawn from all
//! (Valiant), whichever is loaded less as the packet enters its first router. XY to the intermediate router (routing
//! class 1) and XY from it (routing class 0), one hop a dimension each.
//!
//! ```text
//!   inject, class 1 --+-- straight --> class 0: XY to dest                    load(first output to dest) * hops to dest
//!                     |                                                        <= load(first output to waypoint) * hops over waypoint
//!                     `-- else ------> class 1: XY to waypoint --> class 0: XY to dest
//! ```
//!
//! The load of an output is the places taken behind it and the packets of the router that wait for a VC of it, so only
//! what the own router knows decides (UGAL-L). The second part counts where routers queue packets at their inputs:
//! places behind a link that drains as fast as it fills tell only its round trip. No packet turns back: one that passes
//! its destination in the first phase ends there, and none goes along its row to come back for a destination in its
//! column.
//!
//! Sources: A. Singh, *Load-balanced routing in interconnection networks* (thesis, Stanford, 2005), UGAL; J. Kim, W. J.
//! Dally and D. Abts,
//! *Flattened butterfly: a cost-efficient topology for high-radix networks* (ISCA 2007); L. G. Valiant, *A scheme for fast parallel
//! communication* (1982).

pub(super) mod hops;

use super::{HopRule, PathChoice, PathChooser, RouteStart, RoutingPolicy, Start};
use crate::interface::path_choice::{Chosen, PathInputs};

/// See the [module documentation](self).
pub struct Ugal;

impl RoutingPolicy for Ugal {
    fn rule(&self) -> HopRule {
        HopRule::Ugal
    }

    fn vc_sets(&self) -> u32 {
        2
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        let (columns, rows) = packet.size;
        let all = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        all.map(|waypoint| PathChoice { routing_class: 1, waypoint }).collect()
    }

    fn start(&self) -> Start {
        Start::Chosen(&Ugal)
    }
}

impl PathChooser for Ugal {
    fn reads_place(&self) -> bool {
        false
    }

    fn choose<'m>(&self, inputs: &PathInputs<'m>) -> Chosen<'m> {
        Chosen { route_class: inputs.m.lit(1, 1), waypoint: Some(inputs.anywhere()) }
    }
}
