//! Every node to all nodes alike.

use super::{Target, TrafficPattern, kinds};
use rtl::noc::{NodeKind, Nodes};
use std::sync::Arc;

/// See the [module documentation](self).
pub struct ToAll {
    /// To itself, too.
    pub itself: bool,
}

impl TrafficPattern for ToAll {
    fn targets(&self, nodes: &Nodes, _: f64) -> Result<Vec<Target>, String> {
        let kinds = kinds(nodes);
        let all: Arc<[u32]> = (0..nodes.len()).filter(|&n| kinds[n as usize] != NodeKind::Empty).collect();
        if !self.itself && all.len() < 2 {
            return Err("there is no other node".into());
        }
        let target = |node: u32| match kinds[node as usize] {
            NodeKind::Empty => Target::Nobody,
            _ if self.itself => Target::Even(all.clone()),
            _ => Target::Even(all.iter().copied().filter(|&other| other != node).collect()),
        };
        Ok((0..nodes.len()).map(target).collect())
    }
}
