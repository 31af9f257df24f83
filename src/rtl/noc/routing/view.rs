//! What a router decides by.

use super::Signs;
use crate::{Direction, topology::Routes};

/// What a router knows of a packet, of its channel, and of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View<'a> {
    /// Neighbour that the packet came from; `None`: injected here.
    pub from: Option<Direction>,
    /// The router's place.
    pub here: (u32, u32),
    /// Of the router at which the packet ends.
    pub dest: (u32, u32),
    /// End of the first phase.
    pub waypoint: (u32, u32),
    /// Columns and rows of routers.
    pub size: (u32, u32),
    /// Routing class with which the packet came.
    pub routing_class: u32,
    /// Routes of the topology, for a relation that looks them up.
    pub routes: Option<&'a Routes>,
}

impl View<'_> {
    /// How the destination compares with here.
    pub fn dest_signs(&self) -> Signs {
        Signs::new(self.here, self.dest)
    }

    /// How the end of the first phase compares with here.
    pub fn waypoint_signs(&self) -> Signs {
        Signs::new(self.here, self.waypoint)
    }
}
