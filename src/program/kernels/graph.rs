//! Breadth-first search over a random graph in compressed sparse rows.

use super::linear::exact_words;
use crate::{
    compile::Kernel,
    launch::{Argument, Buffer, Check, Launch, Tolerance},
    random::Random,
};

const THREADS: u32 = 128;
const UNVISITED: u32 = u32::MAX;

struct BfsGraph {
    first_edge: Vec<u32>,
    edges: Vec<u32>,
}

impl BfsGraph {
    fn neighbours(&self, node: usize) -> &[u32] {
        &self.edges[self.first_edge[node] as usize..self.first_edge[node + 1] as usize]
    }
}

/// Most nodes have few neighbours, some have many.
fn random_graph(nodes: u32, random: &mut Random) -> BfsGraph {
    let mut graph = BfsGraph { first_edge: vec![0], edges: Vec::new() };
    for _ in 0..nodes {
        let degree = if random.below(16) == 0 { random.below(24) } else { random.below(6) };
        for _ in 0..degree {
            graph.edges.push(random.below(nodes.into()) as u32);
        }
        graph.first_edge.push(graph.edges.len() as u32);
    }
    graph
}

/// Every unvisited neighbour of a node of level `current` gets the next level.
fn step(graph: &BfsGraph, level: &mut [u32], current: u32) -> Vec<usize> {
    let mut found = Vec::new();
    for node in 0..level.len() {
        if level[node] == current {
            for &neighbour in graph.neighbours(node) {
                if level[neighbour as usize] == UNVISITED {
                    level[neighbour as usize] = current + 1;
                    found.push(neighbour as usize);
                }
            }
        }
    }
    found
}

/// The kernel computes the level behind the one at which a quarter of the graph has been seen.
pub(super) fn bfs(nodes: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let graph = random_graph(nodes, random);
    let mut level = vec![UNVISITED; nodes as usize];
    level[0] = 0;
    let (mut current, mut seen) = (0, 1);
    while seen < nodes as usize / 4 {
        let found = step(&graph, &mut level, current).len();
        if found == 0 {
            break;
        }
        seen += found;
        current += 1;
    }
    let before = level.clone();
    let found = step(&graph, &mut level, current);
    let mut next = vec![0u8; nodes as usize];
    for &node in &found {
        next[node] = 1;
    }
    let buffers = vec![
        Buffer::words("first_edge", graph.first_edge),
        Buffer::words("edges", graph.edges),
        Buffer::words("level", before),
        Buffer { name: "next".into(), data: vec![0; nodes as usize] },
        Buffer::words("again", [0]),
    ];
    let mut args: Vec<Argument> = (0..5).map(Argument::Buffer).collect();
    args.extend([Argument::Word(current), Argument::Word(nodes)]);
    let checks = vec![
        exact_words(2, level),
        Check { buffer: 3, expected: next, tolerance: Tolerance::Exact },
        exact_words(4, [u32::from(!found.is_empty())]),
    ];
    let (grid, block) = ([nodes.div_ceil(THREADS), 1, 1], [THREADS, 1, 1]);
    Launch { name: kernel.name.clone(), kernel, grid, block, buffers, args, checks, placement: None }
}
