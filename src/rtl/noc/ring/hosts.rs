//! Clusters: which memory node is the host of a core.
//!
//! The host is the nearest memory node by Manhattan distance; of several a [`Tie`] rule takes one. Static: it is fixed
//! when the chip is built.

use crate::{NodeKind, Nodes};
use hdl::random::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of several nearest memory nodes hosts a core.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The one with the highest number; then a core moves to a cluster that is smaller by two or more, as long as there is one among its
    /// nearest.
    #[default]
    Balanced,
    /// The one with the highest number.
    Highest,
    /// A random one.
    Random,
}

impl Tie {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Balanced, Self::Highest, Self::Random];
}

/// Hops between two nodes of the mesh.
pub fn distance(nodes: &Nodes, a: u32, b: u32) -> u32 {
    let [a, b] = [a, b].map(|node| nodes.node(node));
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y)
}

/// By node: the numbers of the memory controllers (in the order of [`Nodes::memories`]) that are nearest to it.
pub fn nearest(nodes: &Nodes) -> Vec<Vec<usize>> {
    let of = |node: u32| {
        let distances: Vec<_> = nodes.memories().iter().map(|&memory| distance(nodes, node, memory)).collect();
        let least = distances.iter().min().copied();
        (0..distances.len()).filter(|&c| Some(distances[c]) == least).collect()
    };
    (0..nodes.len()).map(of).collect()
}

/// By node: the number of the memory controller that hosts it (in the order of [`Nodes::memories`]). A memory node is its own host; an empty
/// node has none, nor has any where there is no memory node.
pub fn hosts(nodes: &Nodes, tie: Tie, seed: u64) -> Vec<Option<usize>> {
    let (nearest, memories) = (nearest(nodes), nodes.memories());
    let mut random = Rng::new(seed);
    let highest = |among: &[usize]| among.iter().copied().max_by_key(|&c| memories[c]);
    let mut hosts: Vec<_> = (0..nodes.len())
        .map(|node| match (nodes.node(node).kind, &nearest[node as usize][..]) {
            (NodeKind::Empty, _) | (_, []) => None,
            (_, among) if tie == Tie::Random => Some(among[random.below(among.len() as u64) as usize]),
            (_, among) => highest(among),
        })
        .collect();
    if tie == Tie::Balanced {
        balance(nodes, &nearest, &mut hosts);
    }
    hosts
}

/// Cores of each cluster.
pub fn sizes(nodes: &Nodes, hosts: &[Option<usize>]) -> Vec<usize> {
    let mut sizes = vec![0; nodes.memories().len()];
    for core in nodes.cores() {
        hosts[core as usize].into_iter().for_each(|host| sizes[host] += 1);
    }
    sizes
}

/// Cores with several nearest memory nodes leave larger clusters for smaller ones, those with the highest numbers first. Each move lowers the
/// sum of the squares of the sizes, so it ends.
fn balance(nodes: &Nodes, nearest: &[Vec<usize>], hosts: &mut [Option<usize>]) {
    let mut sizes = sizes(nodes, hosts);
    loop {
        let mut moved = false;
        for core in nodes.cores().into_iter().rev() {
            let core = core as usize;
            let Some(now) = hosts[core] else { continue };
            let smallest = nearest[core].iter().copied().min_by_key(|&c| sizes[c]);
            if let Some(to) = smallest.filter(|&to| sizes[to] + 2 <= sizes[now]) {
                (sizes[now], sizes[to], hosts[core]) = (sizes[now] - 1, sizes[to] + 1, Some(to));
                moved = true;
            }
        }
        if !moved {
            return;
        }
    }
}
