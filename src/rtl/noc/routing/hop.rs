//! Hops: where a packet goes next.

use crate::{Direction, Output};

/// Where a packet goes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hop {
    /// To a neighbour.
    Link(Direction),
    /// It has arrived: to an ejection port.
    Arrived,
}

impl Hop {
    /// By an output of a router.
    pub fn to(output: Output) -> Self {
        match output {
            Output::To(direction) => Hop::Link(direction),
            Output::Eject(_) => Hop::Arrived,
        }
    }
}

/// A hop that a router may make, and the routing class after it.
pub type ClassedHop = (Hop, u32);
