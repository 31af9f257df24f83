//! Clusters: which memory node is the host of a core.
//!
//! The host is the nearest memory node by Manhattan distance; of several a [`Tie`] rule takes one. Static: it is fixed when the chip is built.

use crate::noc::{NodeKind, Nodes};
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Figure 3(a) of the paper.
    const DISPERSION: [u32; 8] = [3, 15, 17, 29, 36, 47, 49, 61];

    fn paper() -> Nodes {
        Nodes::new(8, 8, &DISPERSION).expect("legal")
    }

    fn cores_at(nodes: &Nodes) -> BTreeMap<u32, usize> {
        let mut found = BTreeMap::new();
        for core in nodes.cores() {
            let near = nodes.memories().iter().map(|&memory| distance(nodes, core, memory)).min();
            *found.entry(near.expect("there are memory nodes")).or_insert(0) += 1;
        }
        found
    }

    /// The derived tables of sections 1.1 and 2.1: distances, ties and cluster sizes.
    #[test]
    fn distances_and_ties_are_those_of_the_placements() {
        let of = |memories: &[u32]| {
            let nodes = Nodes::new(8, 8, memories).expect("legal");
            let nearest = nearest(&nodes);
            let ties = nodes.cores().iter().filter(|&&core| nearest[core as usize].len() > 1).count();
            (cores_at(&nodes), ties)
        };
        assert_eq!(of(&DISPERSION), ([(1, 26), (2, 28), (3, 2)].into(), 18));
        assert_eq!(of(&[2, 3, 4, 5, 58, 59, 60, 61]), ([(1, 12), (2, 16), (3, 16), (4, 8), (5, 4)].into(), 0));
        let diagonal = [(1, 14), (2, 12), (3, 10), (4, 8), (5, 6), (6, 4), (7, 2)];
        assert_eq!(of(&[0, 9, 18, 27, 36, 45, 54, 63]), (diagonal.into(), 56));
        assert_eq!(of(&[3, 13, 17, 31, 32, 46, 50, 60]), ([(1, 28), (2, 20), (3, 8)].into(), 20));

        let nodes = paper();
        let nearest = nearest(&nodes);
        let ties: BTreeMap<u32, Vec<u32>> = nodes
            .cores()
            .into_iter()
            .map(|core| (core, nearest[core as usize].iter().map(|&c| DISPERSION[c]).collect::<Vec<_>>()))
            .filter(|(_, among)| among.len() > 1)
            .collect();
        let expected: [(u32, &[u32]); 18] = [
            (0, &[3, 17]),
            (1, &[3, 17]),
            (10, &[3, 17]),
            (13, &[15, 29]),
            (19, &[3, 17]),
            (20, &[29, 36]),
            (22, &[15, 29]),
            (27, &[29, 36]),
            (28, &[29, 36]),
            (31, &[15, 29, 47]),
            (32, &[17, 49]),
            (33, &[17, 49]),
            (37, &[29, 36]),
            (38, &[29, 36, 47]),
            (45, &[29, 36, 47, 61]),
            (52, &[36, 61]),
            (54, &[47, 61]),
            (63, &[47, 61]),
        ];
        assert_eq!(ties, expected.map(|(core, among)| (core, among.to_vec())).into());
    }

    #[test]
    fn clusters_have_the_sizes_of_their_tie_rule() {
        let nodes = paper();
        let host = |tie, node: usize| hosts(&nodes, tie, 1)[node].map(|c| DISPERSION[c]);
        // Both examples that the paper prints.
        for tie in [Tie::Highest, Tie::Balanced] {
            assert_eq!((host(tie, 0), host(tie, 28)), (Some(17), Some(36)), "{tie:?}");
        }
        assert_eq!(sizes(&nodes, &hosts(&nodes, Tie::Highest, 1)), [5, 4, 11, 4, 8, 5, 11, 8]);
        // Ten is the least maximum with node 0 at 17: 3, 17 and 49 have 27 cores, and 3 at most 8.
        let balanced = sizes(&nodes, &hosts(&nodes, Tie::Balanced, 1));
        assert_eq!((balanced.iter().max(), balanced.iter().sum()), (Some(&10), 56), "{balanced:?}");
        for seed in 0..20 {
            let random = hosts(&nodes, Tie::Random, seed);
            let nearest = nearest(&nodes);
            assert!(
                nodes.cores().iter().all(|&c| random[c as usize].is_some_and(|h| nearest[c as usize].contains(&h)))
            );
        }
        assert_ne!(hosts(&nodes, Tie::Random, 1), hosts(&nodes, Tie::Random, 2));
        // The diagonal can have clusters of seven cores each.
        let diagonal = Nodes::new(8, 8, &[0, 9, 18, 27, 36, 45, 54, 63]).expect("legal");
        assert_eq!(sizes(&diagonal, &hosts(&diagonal, Tie::Balanced, 1)), [7; 8]);
    }
}
