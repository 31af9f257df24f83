//! What every traffic pattern says of its nodes.

use super::destination::Destination;
use rtl::noc::{NodeKind, Nodes};

/// A traffic pattern.
pub trait TrafficPattern: Sync {
    /// Cores ask and memory controllers answer, each of them only that.
    fn is_of_memory(&self) -> bool {
        false
    }

    /// Where each node sends; `hot_share`: the part of memory controller 0 of a hotspot, or of all of them. An error says what the pattern needs.
    fn targets(&self, nodes: &Nodes, hot_share: f64) -> Result<Vec<Destination>, String>;
}

/// Kinds of the nodes, by number.
pub fn kinds(nodes: &Nodes) -> Vec<NodeKind> {
    nodes.iter().map(|node| node.kind).collect()
}
