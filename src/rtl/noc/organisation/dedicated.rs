//! Two networks, requests on one and replies on the other.

use super::SubnetworkPolicy;
use crate::MessageClass;

/// See the module.
pub struct Dedicated;

impl SubnetworkPolicy for Dedicated {
    fn messages(&self) -> u32 {
        1
    }

    fn of_class(&self, class: MessageClass) -> Vec<usize> {
        match class {
            MessageClass::Request => vec![0],
            MessageClass::Reply => vec![1],
        }
    }
}
