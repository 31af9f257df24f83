//! What an organisation says, and what it sees of a packet.

use crate::{MessageClass, routing::AxisOrder};

/// A packet, as far as the choice of its subnetwork depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubnetworkPacket {
    /// Message class.
    pub class: MessageClass,
    /// Column and row of its source.
    pub source: (u32, u32),
    /// Of its destination.
    pub dest: (u32, u32),
    /// The order in which it goes.
    pub order: AxisOrder,
    /// The half-routers of subnetwork 0 are at odd sums of coordinates.
    pub odd_is_half: bool,
}

/// How packets are divided between subnetworks.
pub trait SubnetworkPolicy: Sync {
    /// Subnetworks.
    fn subnetworks(&self) -> usize {
        2
    }

    /// Message classes that share a subnetwork, with VCs of their own.
    fn messages(&self) -> u32 {
        2
    }

    /// The second subnetwork has full and half-routers exchanged.
    fn inverts(&self) -> bool {
        false
    }

    /// Subnetworks that carry `class` at all.
    fn of_class(&self, _class: MessageClass) -> Vec<usize> {
        (0..self.subnetworks()).collect()
    }

    /// Subnetworks that a packet may take.
    fn choices(&self, packet: SubnetworkPacket) -> Vec<usize> {
        self.of_class(packet.class)
    }
}
