//! The order of the memory nodes on the ring, and where each is: at which cycle of the light's round trip.
//!
//! The paper says that the delay is proportional to the distance on the ring and that a round trip takes eight cycles,
//! not in which order the waveguide passes the memory nodes. [`RingOrder::Shortest`] takes a shortest closed tour by
//! Manhattan distance.

use super::hosts::distance;
use crate::Nodes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Order of the memory nodes on the ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RingOrder {
    /// A shortest closed tour; of more than twelve memory nodes a short one.
    #[default]
    Shortest,
    /// The order of the placement.
    Placement,
}

/// With so many the shortest tour is searched among all.
const EXACT: usize = 12;

/// Numbers of the memory controllers in their order on the ring.
pub fn tour(nodes: &Nodes, order: RingOrder) -> Vec<usize> {
    let memories = nodes.memories();
    let placed: Vec<usize> = (0..memories.len()).collect();
    if order == RingOrder::Placement {
        return placed;
    }
    // Starts at the lowest node; of equally short tours the one whose next node is the lowest.
    let mut by_node = placed;
    by_node.sort_by_key(|&c| memories[c]);
    let apart = |a: usize, b: usize| distance(nodes, memories[by_node[a]], memories[by_node[b]]);
    let found = if by_node.len() <= EXACT { shortest(by_node.len(), &apart) } else { short(by_node.len(), &apart) };
    found.into_iter().map(|at| by_node[at]).collect()
}

/// The first of the shortest closed tours from 0 in the order of their stops (M. Held and R. Karp, 1962).
fn shortest(count: usize, apart: &dyn Fn(usize, usize) -> u32) -> Vec<usize> {
    if count < 3 {
        return (0..count).collect();
    }
    // By the set of stops behind and the last of them: length of the shortest way over all others back to 0.
    let full = (1_usize << count) - 1;
    let mut rest = vec![vec![u32::MAX; count]; full + 1];
    for visited in (1..=full).rev().filter(|visited| visited & 1 == 1) {
        for last in (0..count).filter(|last| visited >> last & 1 == 1) {
            let on = (0..count).filter(|next| visited >> next & 1 == 0);
            let ways = on.map(|next| apart(last, next) + rest[visited | 1 << next][next]);
            rest[visited][last] = ways.min().unwrap_or_else(|| apart(last, 0));
        }
    }
    let (mut visited, mut stops) = (1, vec![0]);
    while visited != full {
        let last = stops[stops.len() - 1];
        let on = (0..count).filter(|next| visited >> next & 1 == 0);
        let next = on.min_by_key(|&next| apart(last, next) + rest[visited | 1 << next][next]).unwrap_or(0);
        stops.push(next);
        visited |= 1 << next;
    }
    stops
}

/// The nearest next stop each time, then pieces turned round while that makes it shorter.
fn short(count: usize, apart: &dyn Fn(usize, usize) -> u32) -> Vec<usize> {
    let mut stops = vec![0];
    while stops.len() < count {
        let last = stops[stops.len() - 1];
        let next = (0..count).filter(|stop| !stops.contains(stop)).min_by_key(|&stop| apart(last, stop));
        stops.extend(next);
    }
    let length = |stops: &[usize]| -> u32 { (0..count).map(|i| apart(stops[i], stops[(i + 1) % count])).sum() };
    loop {
        let before = length(&stops);
        for from in 1..count {
            for to in from + 1..count {
                let mut turned = stops.clone();
                turned[from..=to].reverse();
                if length(&turned) < length(&stops) {
                    stops = turned;
                }
            }
        }
        if length(&stops) == before {
            return stops;
        }
    }
}

/// By memory controller: its position on a ring of `cycles` cycles, at least as many as there are controllers. Positions are proportional to the
/// way along `tour`, rounded, and all different.
pub fn positions(nodes: &Nodes, tour: &[usize], cycles: u32) -> Vec<u32> {
    let memories = nodes.memories();
    let count = tour.len();
    let hops: Vec<u32> =
        (0..count).map(|i| distance(nodes, memories[tour[i]], memories[tour[(i + 1) % count]])).collect();
    let length: u32 = hops.iter().sum::<u32>().max(1);
    let (mut positions, mut way, mut least) = (vec![0; count], 0, 0);
    for (i, &controller) in tour.iter().enumerate() {
        let rounded = (2 * cycles * way + length) / (2 * length);
        let most = cycles.saturating_sub((count - i) as u32);
        positions[controller] = rounded.clamp(least.min(most), most);
        least = positions[controller] + 1;
        way += hops[i];
    }
    positions
}
