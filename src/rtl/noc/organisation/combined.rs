//! Two networks, each for all packets: a packet takes one at random.

use super::SubnetworkPolicy;

/// See the module.
pub struct Combined;

impl SubnetworkPolicy for Combined {}
