//! Subnetwork choice: which of two subnetworks a packet takes, as [`Organisation::choices`] has it.
//!
//! ```text
//!  here_x, here_y, dest ->+-------------------+
//!  [route_class (1)] ---->| subnetwork choice |-> subnetwork (2, one-hot)
//!  [random (1)] --------->|  up-down counter  |
//!  [advance (1)] -------->+-------------------+
//! ```
//!
//! Contract: combinational, but for DCIE's counter: with `advance` it goes up when the packet takes subnetwork 1 and
//! down when it takes subnetwork 0 (saturating); a packet that does not turn takes subnetwork 0 when the counter is
//! above zero. `route_class` says by which order a packet goes, for a routing that has both; `random` decides for
//! `combined`.
//!
//! Source: A. Bakhoda's thesis (2014), sections 5.4, 5.5, 5.6 and 5.6.1. Tests: `tests/noc/choices.rs`. Testbench:
//! `testbenches/subnetwork_choice/`.

use crate::{
    Organisation, Routing,
    coordinates::{HerePorts, coordinates},
    routing::AxisOrder,
};
use hdl::{Builder, Module, index_width, mux, params, ports};

/// Bits of DCIE's counter: it tells of the last hundred packets or so.
const COUNTER_BITS: u32 = 8;

/// Parameters of a [`subnetwork_choice`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SubnetworkChoiceParams {
    /// Nodes in a row.
    pub columns: u32,
    /// Nodes in a column.
    pub rows: u32,
    /// An organisation with a choice: `Combined`, `Dci` or `Dcie`.
    pub organisation: Organisation,
    /// Tells the order in which packets go.
    pub routing: Routing,
    /// The half-routers of subnetwork 0 are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
}

impl SubnetworkChoiceParams {
    /// The order of packets of routing class 0 and of routing class 1.
    fn orders(&self) -> [AxisOrder; 2] {
        [0, 1].map(|routing_class| self.routing.policy().order(routing_class))
    }

    /// The order of packets is told by their routing class.
    pub fn reads_routing_class(&self) -> bool {
        self.orders()[0] != self.orders()[1]
    }
}

ports! {
    /// Ports of a [`subnetwork_choice`], beside those for the place of the node.
    pub struct SubnetworkChoicePorts(p: &SubnetworkChoiceParams) of SubnetworkChoice {
        /// A random bit, of a choice by chance.
        maybe (!p.organisation.inverts()) in random: 1,
        /// Destination node.
        maybe (p.organisation.inverts()) in dest: index_width((p.columns * p.rows) as usize),
        /// Routing class of the packet, which tells its order.
        maybe (p.organisation.inverts() && p.reads_routing_class()) in route_class: 1,
        /// The packet is taken: the counter moves.
        maybe (p.organisation == Organisation::Dcie) in advance: 1,
        /// The subnetwork, one-hot.
        out subnetwork: 2,
    }
}

/// A subnetwork choice; see the [module documentation](self).
pub fn subnetwork_choice(p: SubnetworkChoiceParams) -> Module {
    let SubnetworkChoiceParams { columns, rows, organisation, routing, odd_is_half } = p;
    let m = Builder::new("subnetwork_choice", params! { columns, rows, organisation, routing, odd_is_half });
    m.doc("Which of two subnetworks a packet takes.");
    let io = SubnetworkChoicePorts::new(&m, &p);
    if let Some(random) = io.random() {
        io.subnetwork(random.join(!random));
        return m.finish();
    }
    let here = HerePorts::new(&m, &(columns, rows)).place();
    let dest = io.dest().expect("a choice that is not by chance looks at it");
    let (x, y) = coordinates(&m, columns, rows, dest);
    let (odd_columns, odd_rows) = (x.bit(0) ^ here.0.bit(0), y.bit(0) ^ here.1.bit(0));
    let [odd, odd_yx] = p.orders().map(|order| match order {
        AxisOrder::Xy => odd_columns,
        AxisOrder::Yx => odd_rows,
    });
    let odd = io.route_class().map_or(odd, |route_class| mux(route_class, odd_yx, odd));
    let half_in_0 = here.0.bit(0) ^ here.1.bit(0) ^ m.lit(1, u64::from(!odd_is_half));
    let by_rule = m.wire("by_rule", half_in_0 ^ odd);
    let second = if let Some(advance) = io.advance() {
        let balance = m.register("balance", COUNTER_BITS, 0);
        let (most, least) = ((1_u64 << (COUNTER_BITS - 1)) - 1, 1_u64 << (COUNTER_BITS - 1));
        let above_zero = balance.any() & !balance.sign();
        let straight = x.eq(here.0) | y.eq(here.1);
        let second = m.wire("second", mux(straight, !above_zero, by_rule));
        let stop = mux(second, balance.eq(most), balance.eq(least));
        m.when(advance & !stop, || m.set(balance, mux(second, balance + 1, balance - 1)));
        second
    } else {
        by_rule
    };
    io.subnetwork(second.join(!second));
    m.finish()
}
