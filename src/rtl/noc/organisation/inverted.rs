//! Double checkerboard inverted: where one network has full routers, the other has half-routers, and a packet takes the
//! one in which it does not turn at a half-router.

use super::{SubnetworkPacket, SubnetworkPolicy};
use crate::routing::AxisOrder;

/// See the module.
pub struct Inverted {
    /// Packets that do not turn take the subnetwork that was used less of late.
    pub balances: bool,
}

impl SubnetworkPolicy for Inverted {
    fn inverts(&self) -> bool {
        true
    }

    fn choices(&self, packet: SubnetworkPacket) -> Vec<usize> {
        let SubnetworkPacket { class, source, dest, order, odd_is_half } = packet;
        if self.balances && (source.0 == dest.0 || source.1 == dest.1) {
            return self.of_class(class);
        }
        // Rules (1) and (2), or (1') and (2'): an even distance to where it turns, or across it, from the full router.
        let apart = match order {
            AxisOrder::Xy => source.0.abs_diff(dest.0),
            AxisOrder::Yx => source.1.abs_diff(dest.1),
        };
        let half_in_0 = ((source.0 + source.1) % 2 == 1) == odd_is_half;
        vec![usize::from(half_in_0 ^ (apart % 2 == 1))]
    }
}
