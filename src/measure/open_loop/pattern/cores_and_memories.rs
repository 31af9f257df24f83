//! Cores to memory controllers with a part of their packets, to other cores with the rest (W. Yuan et al.,
//! *Intra-Clustering*, section III.C).

use super::{
    destination::Destination,
    policy::{TrafficPattern, kinds},
};
use rtl::noc::{NodeKind, Nodes};
use std::sync::Arc;

/// See the [module documentation](self).
pub struct CoresAndMemories;

impl TrafficPattern for CoresAndMemories {
    fn targets(&self, nodes: &Nodes, hot_share: f64) -> Result<Vec<Destination>, String> {
        let (memories, cores): (Arc<[u32]>, _) = (nodes.memories().into(), nodes.cores());
        if memories.is_empty() {
            return Err("there is no memory controller".into());
        }
        if cores.len() < 2 {
            return Err("it needs at least 2 cores".into());
        }
        if !(0.0..=1.0).contains(&hot_share) {
            return Err(format!("the part of the memory controllers is {hot_share}; allowed: 0 to 1"));
        }
        let target = |core: u32| {
            let others: Arc<[u32]> = cores.iter().copied().filter(|&other| other != core).collect();
            match hot_share {
                0.0 => Destination::Even(others),
                1.0 => Destination::Even(memories.clone()),
                share => Destination::Mostly { hot: memories.clone(), share, others },
            }
        };
        let of_node = |(node, kind)| if kind == NodeKind::Core { target(node) } else { Destination::Nobody };
        Ok((0..).zip(kinds(nodes)).map(of_node).collect())
    }
}
