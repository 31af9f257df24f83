//! One network for all packets.

use super::SubnetworkPolicy;

/// See the module.
pub struct Single;

impl SubnetworkPolicy for Single {
    fn subnetworks(&self) -> usize {
        1
    }
}
