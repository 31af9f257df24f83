//! Path choice: the routing class and the end of the first phase of a packet, as
//! [`Routing::choices`](crate::Routing::choices) has them.
//!
//! ```text
//!  here_x, here_y ->+-------------+-> route_class (1)
//!  dest (N) ------->| path choice |-> [waypoint (N)]: the destination, unless the packet goes in two phases
//!  random (16) ---->+-------------+
//! ```
//!
//! Contract: combinational. With several choices, `random` picks one: each within 1/128 of its share.
//!
//! What is chosen is the routing's own ([`PathChooser`]); one that goes by chance alone has neither place
//! nor `waypoint`. Tests: `tests/noc/choices.rs`. Testbench: `testbenches/path_choice/`.

mod inputs;

use crate::{
    Routing,
    routing::{PathChooser, Start},
};
use hdl::{Builder, Module, params};
pub use inputs::{Chosen, PathChoice, PathChoicePorts, PathChoiceReads, PathInputs, PathPlace, RANDOM_BITS};

/// Parameters of a [`path_choice`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PathChoiceParams {
    /// Nodes in a row.
    pub columns: u32,
    /// Nodes in a column.
    pub rows: u32,
    /// A routing that chooses: see [`PathChoiceParams::chooses`].
    pub routing: Routing,
    /// The half-routers are at odd sums of coordinates, not at even ones.
    pub odd_is_half: bool,
}

impl PathChoiceParams {
    /// The choice depends on the destination or on chance.
    pub fn chooses(routing: Routing) -> bool {
        Self::chooser(routing).is_some()
    }

    /// The choice depends on the destination.
    pub fn reads_place(routing: Routing) -> bool {
        Self::chooser(routing).is_some_and(|chooser| chooser.reads_place())
    }

    /// What it goes by, and what it says.
    pub fn reads(&self) -> PathChoiceReads {
        let Self { columns, rows, routing, .. } = *self;
        let (place, waypoint) = (Self::reads_place(routing), routing.rule().reads_waypoint());
        PathChoiceReads { place, waypoint, size: (columns, rows) }
    }

    fn chooser(routing: Routing) -> Option<&'static dyn PathChooser> {
        match routing.policy().start() {
            Start::Chosen(chooser) => Some(chooser),
            Start::RoutingClass(_) | Start::ByClass => None,
        }
    }
}

/// A path choice; see the [module documentation](self).
pub fn path_choice(p: PathChoiceParams) -> Module {
    let PathChoiceParams { columns, rows, routing, odd_is_half } = p;
    let m = Builder::new("path_choice", params! { columns, rows, routing, odd_is_half });
    m.doc("Phase bit and intermediate node of a packet.");
    let chooser = PathChoiceParams::chooser(routing);
    m.require(chooser.is_some(), &format!("path choice: routing {routing:?} has none"));
    if let Some(chooser) = chooser {
        let io = PathChoicePorts::new(&m, &p.reads());
        let (random, size) = (io.random(), (columns, rows));
        let Chosen { route_class, waypoint } = chooser.choose(&PathInputs { m: &m, io, random, odd_is_half, size });
        io.route_class(route_class);
        if let Some(waypoint) = waypoint {
            io.waypoint(waypoint);
        }
    }
    m.finish()
}
