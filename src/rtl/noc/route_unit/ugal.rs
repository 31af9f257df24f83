//! UGAL over nets, held to its relation by a test. Both ways are worked out; at injection ports the loads decide
//! between them.
//!
//! ```text
//!   dest, waypoint, here --> both ways ----------------------------+--> route (K), cross (K)
//!                          | first outputs, hops                   |
//!   loads (K * L) -------> load * hops of each --> straight? ------'      (at injection ports)
//! ```

use super::{Decide, LineRuleNets, RouteUnitParams, RouteUnitPorts};
use crate::{
    Output,
    coordinates::{AddressNets, Gap, coordinates},
    line::LineRule,
    routing::Hop,
};
use blocks::one_hot_mux;
use hdl::{Builder, Signal, row};

/// Declares the outputs `route` and `cross`. `here`: this router's coordinates; `route_class`: the routing class.
pub(super) fn ugal<'m>(
    (m, io): (&'m Builder, RouteUnitPorts<'m>),
    p: &RouteUnitParams,
    dest: &AddressNets<'m>,
    (here, route_class): ((Signal<'m>, Signal<'m>), Signal<'m>),
    decide: &Decide<'_, 'm>,
) {
    let (columns, rows) = (p.addressing.columns, p.addressing.rows);
    let there = (dest.x(), dest.y());
    let waypoint = coordinates(m, columns, rows, io.waypoint().expect("the rule has two phases"));
    let to = |(x, y): (Signal<'m>, Signal<'m>), names: [&str; 2]| LineRuleNets {
        m,
        rule: LineRule::Flattened,
        row: Gap::of(m, names[0], x, here.0, columns),
        column: Gap::of(m, names[1], y, here.1, rows),
        // There are no express links.
        border: [m.lit(1, 0); 2],
        route_class: None,
    };
    let (to_dest, to_waypoint) = (to(there, ["x", "y"]), to(waypoint, ["waypoint_x", "waypoint_y"]));
    let mut first = route_class & !to_waypoint.hop(Hop::Arrived) & !to_dest.hop(Hop::Arrived);
    if let (Some(bits), Some(loads)) = (p.load_bits, io.loads()) {
        m.comment("Straight to the destination, unless load times hops is less over the intermediate router.");
        let loads = loads.parts(bits);
        let load = |ways: &LineRuleNets<'m>| {
            let leaves = |output: &Output| match output {
                Output::To(direction) => ways.hop(Hop::Link(*direction)),
                Output::Eject(_) => m.lit(1, 0),
            };
            one_hot_mux(row(p.outputs.iter().map(leaves)), &loads)
        };
        let differ = [!to_dest.row.none, !to_dest.column.none];
        let over = [!to_waypoint.row.none, !to_waypoint.column.none, waypoint.0.ne(there.0), waypoint.1.ne(there.1)];
        // Each dimension in which two routers differ is a hop.
        let cost = |load: Signal<'m>, hops: &[Signal<'m>]| {
            let each = hops.iter().map(|hop| (load & hop.repeat(bits)).extend(bits + 2));
            each.reduce(|sum, load| sum + load).expect("there are two dimensions")
        };
        let straight = cost(load(&to_dest), &differ).le(cost(load(&to_waypoint), &over));
        let turns_back = to_dest.row.none & to_waypoint.column.none;
        first = first & !m.wire("straight", straight | turns_back);
    }
    let first = m.wire("first_phase", first);
    io.route(decide.word(|hop| (to_dest.hop(hop) & !route_class) | (to_waypoint.hop(hop) & first)));
    io.route_up(1, decide.word(|hop| to_dest.hop(hop) & route_class & !first));
}
