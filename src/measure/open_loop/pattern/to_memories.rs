//! Cores to memory controllers: to all alike, or one of them gets more than its part.

use super::{
    destination::Destination,
    policy::{TrafficPattern, kinds},
};
use rtl::noc::{NodeKind, Nodes};
use std::sync::Arc;

/// See the [module documentation](self).
pub struct ToMemories {
    /// Controller 0 gets more.
    pub hotspot: bool,
}

impl TrafficPattern for ToMemories {
    fn is_of_memory(&self) -> bool {
        true
    }

    fn targets(&self, nodes: &Nodes, hot_share: f64) -> Result<Vec<Destination>, String> {
        let memories: Arc<[u32]> = nodes.memories().into();
        let Some((&hot, others)) = memories.split_first() else {
            return Err("there is no memory controller".into());
        };
        if self.hotspot && others.is_empty() {
            return Err("it needs at least 2 memory controllers".into());
        }
        if !(0.0..=1.0).contains(&hot_share) {
            return Err(format!("the share of the hot controller is {hot_share}; allowed: 0 to 1"));
        }
        let target = match self.hotspot {
            true => Destination::Hot { hot, share: hot_share, others: others.into() },
            false => Destination::Even(memories),
        };
        let of_kind = |kind| if kind == NodeKind::Core { target.clone() } else { Destination::Nobody };
        Ok(kinds(nodes).into_iter().map(of_kind).collect())
    }
}
