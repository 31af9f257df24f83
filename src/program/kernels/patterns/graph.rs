//! A step of breadth-first search over a random graph.

use super::{super::linear::exact_words, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Argument, Buffer, Check, Launch, Tolerance},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `graph`.
    pub struct GraphParams {
        /// Edges of a node on average, hubs apart: from none to twice as many.
        degree: u32 = 6, range(1, 32);
        /// Nodes with eight times as many edges.
        hubs: u32 = 5, range(0, 100) percent;
        /// Nodes whose neighbours are looked at.
        frontier: u32 = 30, range(0, 100) percent;
        /// Other nodes that have been visited before.
        visited: u32 = 30, range(0, 100) percent;
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

/// Cost of the nodes of the frontier.
const COST: u32 = 5;

struct FrontierGraph {
    /// Of each node: first edge, edges.
    nodes: Vec<[u32; 2]>,
    edges: Vec<u32>,
    frontier: Vec<u8>,
    visited: Vec<u8>,
}

fn random_graph(count: u32, params: &GraphParams, random: &mut Random) -> FrontierGraph {
    let mut graph = FrontierGraph { nodes: vec![], edges: vec![], frontier: vec![], visited: vec![] };
    let happens = |random: &mut Random, percent: u32| random.below(100) < percent.into();
    for _ in 0..count {
        let times = if happens(random, params.hubs) { 8 } else { 1 };
        let degree = times * random.below(u64::from(2 * params.degree + 1)) as u32;
        graph.nodes.push([graph.edges.len() as u32, degree]);
        graph.edges.extend((0..degree).map(|_| random.below(count.into()) as u32));
        let frontier = happens(random, params.frontier);
        graph.frontier.push(frontier.into());
        graph.visited.push((frontier || happens(random, params.visited)).into());
    }
    graph
}

pub(super) fn launch(count: u32, params: &GraphParams, random: &mut Random, kernel: Kernel) -> Launch {
    let graph = random_graph(count, params, random);
    let before: Vec<u32> = graph.frontier.iter().map(|&is| if is == 1 { COST } else { u32::MAX }).collect();
    let (mut cost, mut next) = (before.clone(), vec![0; count as usize]);
    for (&[first, degree], _) in graph.nodes.iter().zip(&graph.frontier).filter(|&(_, &is)| is == 1) {
        for &neighbour in &graph.edges[first as usize..(first + degree) as usize] {
            if graph.visited[neighbour as usize] == 0 {
                cost[neighbour as usize] = COST + 1;
                next[neighbour as usize] = 1;
            }
        }
    }
    let bytes = |name: &str, data: Vec<u8>| Buffer { name: name.into(), data };
    let nothing = vec![0; count as usize];
    let buffers = vec![
        Buffer::words("nodes", graph.nodes.into_flattened()),
        Buffer::words("edges", graph.edges),
        bytes("frontier", graph.frontier),
        bytes("visited", graph.visited),
        Buffer::words("cost", before),
        bytes("next", nothing.clone()),
    ];
    let exact = |buffer, expected| Check { buffer, expected, tolerance: Tolerance::Exact };
    let checks = vec![exact(2, nothing), exact_words(4, cost), exact(5, next)];
    let args = (0..buffers.len()).map(Argument::Buffer).chain([Argument::Word(count)]).collect();
    let (grid, block) = ([whole_blocks(count, params.threads), 1, 1], [params.threads, 1, 1]);
    Launch { name: kernel.name.clone(), kernel, grid, block, buffers, args, checks, placement: None }
}
