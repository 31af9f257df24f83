//! Every node to all nodes alike.

use super::{
    destination::Destination,
    policy::{TrafficPattern, kinds},
};
use rtl::noc::{NodeKind, Nodes};
use std::sync::Arc;

/// See the [module documentation](self).
pub struct ToAll {
    /// To itself, too.
    pub itself: bool,
}

impl TrafficPattern for ToAll {
    fn targets(&self, nodes: &Nodes, _: f64) -> Result<Vec<Destination>, String> {
        let kinds = kinds(nodes);
        let all: Arc<[u32]> = (0..nodes.len()).filter(|&n| kinds[n as usize] != NodeKind::Empty).collect();
        if !self.itself && all.len() < 2 {
            return Err("there is no other node".into());
        }
        let target = |node: u32| match kinds[node as usize] {
            NodeKind::Empty => Destination::Nobody,
            _ if self.itself => Destination::Even(all.clone()),
            _ => Destination::Even(all.iter().copied().filter(|&other| other != node).collect()),
        };
        Ok((0..nodes.len()).map(target).collect())
    }
}
