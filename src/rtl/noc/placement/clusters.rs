//! Clusters: memory nodes so that each is the nearest of as few cores as possible, and near to them, none beside
//! another, at any routers. It is for the ring of intra-clustering, whose clusters are the cores around each memory
//! node ([`hosts`](crate::ring::hosts)).
//!
//! Of two placements the better one has, the most important first: a smaller largest cluster (balanced), a lower sum of
//! the distances from cores to their hosts, a lower sum of the squares of all clusters, lower node numbers. The search
//! goes from random placements to better ones by moving one memory node at a time by up to two rows and columns, until
//! no move is better, and keeps the best it has come to.
//!
//! Yuan and others give no places for meshes of 6 x 6 to 10 x 10 nodes with eight memory nodes (their figure 9): the
//! lists here are the best of many starts, `cargo campaign placements` finds them again.

use super::{MemoryPlacement, policy::Size, search::Search};
use crate::{
    Nodes,
    ring::hosts::{Tie, distance, hosts, sizes},
};
use hdl::random::Rng;
use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

/// See the module.
pub struct Clusters;

/// Starts of a search when somebody asks for a size without a list.
const STARTS: u32 = 6;

/// What has been searched: a size is asked for several times.
static SEARCHED: LazyLock<Mutex<HashMap<Size, Vec<u32>>>> = LazyLock::new(Mutex::default);

impl ClusterCost {
    /// Without what only tells equal ones apart.
    pub fn lost(&self) -> (usize, u32, usize) {
        (self.largest, self.hops, self.squares)
    }
}

impl MemoryPlacement for Clusters {
    fn rules(&self, _: Size) -> Option<Search> {
        None
    }

    fn room(&self, columns: u32, rows: u32) -> u32 {
        // Every other node of a checkerboard, with a core left.
        (columns * rows).div_ceil(2).min((columns * rows).saturating_sub(1))
    }

    fn given(&self, size: Size) -> Vec<u32> {
        if let Some((_, nodes)) = self.recorded().iter().find(|(known, _)| *known == size) {
            return nodes.to_vec();
        }
        let mut searched = SEARCHED.lock().expect("nobody panics here");
        searched.entry(size).or_insert_with(|| search(size, STARTS)).clone()
    }

    fn region(&self) -> &'static str {
        "none beside another"
    }

    fn recorded(&self) -> &'static [(Size, &'static [u32])] {
        &[
            ((4, 4, 4), &[1, 7, 8, 14]),
            ((6, 6, 8), &[0, 3, 11, 13, 21, 24, 29, 32]),
            ((7, 7, 8), &[2, 11, 15, 20, 24, 28, 37, 40]),
            ((8, 8, 8), &[1, 14, 20, 32, 35, 38, 53, 58]),
            ((9, 9, 8), &[10, 16, 22, 37, 43, 58, 64, 70]),
            ((10, 10, 8), &[11, 15, 28, 43, 56, 71, 84, 88]),
        ]
    }
}

/// What is lost by a placement; see the [module documentation](self).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClusterCost {
    /// Cores of the largest cluster.
    pub largest: usize,
    /// Hops from all cores to their hosts.
    pub hops: u32,
    /// Sum of the squares of the cores of clusters.
    pub squares: usize,
    /// Sorted.
    places: Vec<u32>,
}

/// Of memory nodes at these places, none of which is listed twice.
pub fn cost((columns, rows, _): Size, places: &[u32]) -> ClusterCost {
    let mut places = places.to_vec();
    places.sort_unstable();
    let nodes = Nodes::new(columns, rows, &places).expect("places of the mesh, each once");
    let hosts = hosts(&nodes, Tie::Balanced, 0);
    let sizes = sizes(&nodes, &hosts);
    let to_host = |core: u32| hosts[core as usize].map_or(0, |host| distance(&nodes, core, nodes.memories()[host]));
    ClusterCost {
        largest: sizes.iter().copied().max().unwrap_or(0),
        hops: nodes.cores().into_iter().map(to_host).sum(),
        squares: sizes.iter().map(|size| size * size).sum(),
        places,
    }
}

/// The best placement that so many starts lead to, by node number.
pub fn search(size: Size, starts: u32) -> Vec<u32> {
    let (columns, rows, memories) = size;
    let mut random = Rng::new(u64::from(columns << 20 | rows << 10 | memories));
    // Every other node, which has room for all: what a random start may not have.
    let checkerboard = (0..columns * rows).filter(|node| (node % columns + node / columns) % 2 == 0);
    let mut best = cost(size, &checkerboard.take(memories as usize).collect::<Vec<_>>());
    for start in 0..=starts {
        let from = if start == 0 { Some(best.places.clone()) } else { scattered(size, &mut random) };
        if let Some(from) = from {
            best = best.min(improved(size, from));
        }
    }
    best.places
}

/// Random places none of which is beside another, if chance finds them.
fn scattered((columns, rows, memories): Size, random: &mut Rng) -> Option<Vec<u32>> {
    let mut places: Vec<u32> = vec![];
    for _ in 0..20 * columns * rows {
        if places.len() == memories as usize {
            return Some(places);
        }
        let node = random.below(u64::from(columns * rows)) as u32;
        if places.iter().all(|other| apart(columns, node, *other)) {
            places.push(node);
        }
    }
    None
}

/// Two nodes are neither one nor beside each other.
fn apart(columns: u32, a: u32, b: u32) -> bool {
    (a % columns).abs_diff(b % columns) + (a / columns).abs_diff(b / columns) > 1
}

/// The places that moves of one memory node at a time lead to, each better than the last.
fn improved((columns, rows, memories): Size, places: Vec<u32>) -> ClusterCost {
    let size = (columns, rows, memories);
    let mut best = cost(size, &places);
    'moves: loop {
        for at in 0..best.places.len() {
            let (x, y) = (best.places[at] % columns, best.places[at] / columns);
            let around = (y.saturating_sub(2)..rows.min(y + 3))
                .flat_map(|y| (x.saturating_sub(2)..columns.min(x + 3)).map(move |x| y * columns + x));
            for to in around {
                let mut moved = best.places.clone();
                moved.remove(at);
                if moved.iter().any(|other| !apart(columns, to, *other)) {
                    continue;
                }
                moved.push(to);
                let better = cost(size, &moved);
                if better < best {
                    best = better;
                    continue 'moves;
                }
            }
        }
        return best;
    }
}
