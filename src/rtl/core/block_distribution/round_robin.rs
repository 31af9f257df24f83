//! Round robin: the core after the last one that got a block comes first.

use super::{Cores, Distribution};
use blocks::{ArbiterKind, arbitrate};
use hdl::Signal;

/// See the [module documentation](self).
pub struct RoundRobinDistribution;

impl Distribution for RoundRobinDistribution {
    fn choose<'m>(&self, cores: &Cores<'_, 'm>) -> Signal<'m> {
        arbitrate(cores.m, "turn", ArbiterKind::RoundRobin, cores.has_free_slot, cores.give)
    }
}
