//! Two-phase ROMM: through a random node of the minimal quadrant, XY to it and XY from it.
//!
//! Source: T. Nesson and S. L. Johnsson, *ROMM routing on mesh and torus networks* (SPAA 1995).

use super::{HopRule, PathChoice, PathChooser, RouteStart, RoutingPolicy, Start, policy::between, two_phase};
use crate::{
    coordinates::share,
    interface::path_choice::{Chosen, PathInputs},
};
use hdl::Signal;

/// See the [module documentation](self).
pub struct Romm;

impl RoutingPolicy for Romm {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&two_phase::BY_XY)
    }

    fn vc_sets(&self) -> u32 {
        2
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        let rows = || between(packet.here.1, packet.dest.1);
        let nodes = between(packet.here.0, packet.dest.0).flat_map(|x| rows().map(move |y| (x, y)));
        nodes.map(|waypoint| PathChoice { routing_class: 1, waypoint }).collect()
    }

    fn start(&self) -> Start {
        Start::Chosen(&Romm)
    }
}

impl PathChooser for Romm {
    fn reads_place(&self) -> bool {
        true
    }

    fn choose<'m>(&self, inputs: &PathInputs<'m>) -> Chosen<'m> {
        let place = inputs.place();
        let [random_x, random_y] = inputs.halves();
        let waypoint = place.waypoint(up_to(place.far_x, random_x), up_to(place.far_y, random_y));
        Chosen { route_class: inputs.m.lit(1, 1), waypoint: Some(waypoint) }
    }
}

/// A random number from 0 to `far`.
fn up_to<'m>(far: Signal<'m>, random: Signal<'m>) -> Signal<'m> {
    share(random, far.extend(far.width() + 1) + 1).resize(far.width())
}
