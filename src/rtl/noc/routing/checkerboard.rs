//! Checkerboard routing, for meshes in which every other router is a half-router, which no packet turns at.
//!
//! Where XY turns at a full router, XY. Else where YX does, YX (case 1). Else YX to a random full router of the minimal
//! quadrant and XY from it (case 2, from half-router to half-router). From half-router to full-router (case 3) is as
//! case 1, or as case 2.
//!
//! Source: A. Bakhoda's thesis (2014), section 5.2.

use super::{
    AxisOrder, HopRule, PathChoice, PathChooser, RouteStart, RoutingPolicy, Start, policy::between, two_phase,
};
use crate::{
    coordinates::share,
    interface::path_choice::{Chosen, PathInputs},
};
use hdl::{Signal, concat, mux};

/// See the [module documentation](self).
pub struct Checkerboard {
    /// Case 3 is as case 2.
    case_3_by_two_phases: bool,
}

/// Case 3 is as case 1.
pub const ONE_PHASE: Checkerboard = Checkerboard { case_3_by_two_phases: false };
/// Case 3 is as case 2.
pub const TWO_PHASE: Checkerboard = Checkerboard { case_3_by_two_phases: true };

impl RoutingPolicy for Checkerboard {
    fn rule(&self) -> HopRule {
        HopRule::Relation(&two_phase::BY_YX)
    }

    fn vc_sets(&self) -> u32 {
        2
    }

    fn choices(&self, packet: &RouteStart<'_>) -> Vec<PathChoice> {
        let RouteStart { here, dest, is_half, .. } = *packet;
        let turns = here.0 != dest.0 && here.1 != dest.1;
        if !turns || !is_half(AxisOrder::Xy.turn(here, dest)) {
            return vec![packet.direct(0)];
        }
        let case_3 = is_half(here) && !is_half(dest);
        let route_class = !is_half(AxisOrder::Yx.turn(here, dest));
        if route_class && !(case_3 && self.case_3_by_two_phases) {
            return vec![packet.direct(1)];
        }
        // From a full router the last turn would be at a half-router, wherever the intermediate node is.
        if !is_half(here) {
            return vec![];
        }
        waypoints(here, dest)
            .filter(|waypoint| !is_half(*waypoint))
            .map(|waypoint| PathChoice { routing_class: 1, waypoint })
            .collect()
    }

    fn mixes_orders(&self) -> bool {
        true
    }

    fn start(&self) -> Start {
        Start::Chosen(if self.case_3_by_two_phases { &TWO_PHASE } else { &ONE_PHASE })
    }
}

/// The intermediate nodes of case 2 (thesis, section 5.2): within the minimal quadrant, not in the source's row, an even number of
/// columns away from the source. On a checkerboard, from a half-router, those an odd number of rows away are the full routers.
fn waypoints(source: (u32, u32), dest: (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    let columns = between(source.0, dest.0).filter(move |x| x.abs_diff(source.0) % 2 == 0);
    columns.flat_map(move |x| between(source.1, dest.1).filter(move |&y| y != source.1).map(move |y| (x, y)))
}

impl PathChooser for Checkerboard {
    fn reads_place(&self) -> bool {
        true
    }

    fn choose<'m>(&self, inputs: &PathInputs<'m>) -> Chosen<'m> {
        let m = inputs.m;
        let place = inputs.place();
        let [random_x, random_y] = inputs.halves();
        let ((here_x, here_y), (x, y)) = (place.here, place.there);
        let even_is_half = m.lit(1, u64::from(!inputs.odd_is_half));
        let half = |x, y| odd_sum(x, y) ^ even_is_half;
        let turns = !(place.signs.0.equal | place.signs.1.equal);
        let not_xy = m.wire("turn_of_xy_is_half", turns & half(x, here_y));
        let yx_too = half(here_x, y);
        let case_3 = half(here_x, here_y) & !half(x, y);
        let both = if self.case_3_by_two_phases { yx_too | case_3 } else { yx_too };
        let two_phases = m.wire("two_phases", not_xy & both);
        m.comment("An even number of columns and an odd number of rows away, within the quadrant.");
        let pairs_x = halved(place.far_x) + 1;
        let pairs_y = halved(place.far_y) + place.far_y.bit(0).extend(place.far_y.width() + 1);
        let by_x = doubled(share(random_x, pairs_x), 0).resize(here_x.width());
        let by_y = doubled(share(random_y, pairs_y), 1).resize(here_y.width());
        Chosen { route_class: not_xy, waypoint: Some(mux(two_phases, place.waypoint(by_x, by_y), place.dest)) }
    }
}

fn odd_sum<'m>(x: Signal<'m>, y: Signal<'m>) -> Signal<'m> {
    x.bit(0) ^ y.bit(0)
}

/// `n / 2`, with a bit more.
fn halved(n: Signal<'_>) -> Signal<'_> {
    (n >> 1).extend(n.width() + 1)
}

/// `2 n + low`.
fn doubled(n: Signal<'_>, low: u64) -> Signal<'_> {
    concat(&[n.bits(0, n.width() - 1), n.builder().lit(1, low)])
}
