//! Traffic patterns: pure functions from a node to where it sends.
//!
//! Permutations are those of W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, section 3.2: on the
//! bits of the node number, or on the digits x and y. Many-to-few and hotspot: A. Bakhoda's thesis (2014), section 6.7.

use crate::{
    noc::{NocError, NodeKind, Nodes},
    random::Rng,
};
use std::sync::Arc;

/// Who sends to whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// All to all, oneself included.
    Uniform,
    /// All to all others.
    UniformOthers,
    /// (x, y) to (y, x).
    Transpose,
    /// Every bit of the node number turned round.
    BitComplement,
    /// The bits of the node number in reverse order.
    BitReverse,
    /// The bits of the node number one place to the left, around.
    Shuffle,
    /// Almost half way around, in x and in y.
    Tornado,
    /// One further, around, in x and in y.
    Neighbour,
    /// Cores to memory controllers.
    ManyToFew,
    /// Cores to memory controllers, one of which gets more than its part.
    Hotspot,
}

impl Pattern {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Uniform,
        Self::UniformOthers,
        Self::Transpose,
        Self::BitComplement,
        Self::BitReverse,
        Self::Shuffle,
        Self::Tornado,
        Self::Neighbour,
        Self::ManyToFew,
        Self::Hotspot,
    ];

    /// As on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::UniformOthers => "uniform-others",
            Self::Transpose => "transpose",
            Self::BitComplement => "bit-complement",
            Self::BitReverse => "bit-reverse",
            Self::Shuffle => "shuffle",
            Self::Tornado => "tornado",
            Self::Neighbour => "neighbour",
            Self::ManyToFew => "many-to-few",
            Self::Hotspot => "hotspot",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Uniform => "every node to all nodes alike, itself included",
            Self::UniformOthers => "every node to all other nodes alike",
            Self::Transpose => "(x, y) to (y, x); a square mesh",
            Self::BitComplement => "all bits of the node number inverted; a power of two of nodes",
            Self::BitReverse => "the bits of the node number in reverse order; a power of two of nodes",
            Self::Shuffle => "the bits of the node number one to the left; a power of two of nodes",
            Self::Tornado => "x and y plus half their range less one, around",
            Self::Neighbour => "x and y plus one, around",
            Self::ManyToFew => "cores to all memory controllers alike, which answer",
            Self::Hotspot => "as many-to-few, but memory controller 0 gets 20 %",
        }
    }

    /// Cores ask and memory controllers answer, each of them only that.
    pub fn is_of_memory(self) -> bool {
        matches!(self, Self::ManyToFew | Self::Hotspot)
    }

    /// Where each node of `mesh` sends; `hot_share` is the part of memory controller 0 in [`Hotspot`](Self::Hotspot).
    pub fn targets(self, mesh: &Nodes, hot_share: f64) -> Result<Vec<Target>, NocError> {
        let impossible = |problem: String| NocError::Pattern { pattern: self, problem };
        let kinds: Vec<_> = mesh.iter().map(|node| node.kind).collect();
        let terminals: Vec<u32> = (0..mesh.len()).filter(|&n| kinds[n as usize] != NodeKind::Empty).collect();
        if self.is_of_memory() {
            let memories: Arc<[u32]> = mesh.memories().into();
            let Some((&hot, others)) = memories.split_first() else {
                return Err(impossible("there is no memory controller".into()));
            };
            if self == Self::Hotspot && others.is_empty() {
                return Err(impossible("it needs at least 2 memory controllers".into()));
            }
            if !(0.0..=1.0).contains(&hot_share) {
                return Err(impossible(format!("the part of the hot controller is {hot_share}; allowed: 0 to 1")));
            }
            let target = match self {
                Self::Hotspot => Target::Hot { hot, share: hot_share, others: others.into() },
                _ => Target::Even(memories),
            };
            let of_kind = |kind| if kind == NodeKind::Core { target.clone() } else { Target::Nobody };
            return Ok(kinds.into_iter().map(of_kind).collect());
        }
        if matches!(self, Self::Uniform | Self::UniformOthers) {
            let all: Arc<[u32]> = terminals.as_slice().into();
            if self == Self::UniformOthers && all.len() < 2 {
                return Err(impossible("there is no other node".into()));
            }
            let target = |node: u32| match kinds[node as usize] {
                NodeKind::Empty => Target::Nobody,
                _ if self == Self::Uniform => Target::Even(all.clone()),
                _ => Target::Even(all.iter().copied().filter(|&other| other != node).collect()),
            };
            return Ok((0..mesh.len()).map(target).collect());
        }
        let permuted = |node: u32| {
            if kinds[node as usize] == NodeKind::Empty {
                return Ok(Target::Nobody);
            }
            let to = self.permute(node, mesh.columns(), mesh.rows()).map_err(impossible)?;
            match kinds[to as usize] {
                NodeKind::Empty => Err(impossible(format!("node {node} would send to node {to}, which is empty"))),
                _ => Ok(Target::Always(to)),
            }
        };
        (0..mesh.len()).map(permuted).collect()
    }

    /// The node that a permutation sends `node` to.
    fn permute(self, node: u32, columns: u32, rows: u32) -> Result<u32, String> {
        let nodes = columns * rows;
        let bits = nodes.trailing_zeros();
        let (x, y) = (node % columns, node / columns);
        let of_bits = |to: u32| match nodes.is_power_of_two() {
            true => Ok(to % nodes),
            false => Err(format!("it needs a power of two of nodes; {columns} x {rows} are {nodes}")),
        };
        let of_digits = |step: fn(u32) -> u32| {
            let along = |at: u32, range: u32| (at + step(range)) % range;
            Ok(along(y, rows) * columns + along(x, columns))
        };
        match self {
            Self::Transpose if columns == rows => Ok(x * columns + y),
            Self::Transpose => Err(format!("it needs a square mesh; this one is {columns} x {rows}")),
            Self::BitComplement => of_bits(!node),
            Self::BitReverse => of_bits(if bits == 0 { 0 } else { node.reverse_bits() >> (32 - bits) }),
            Self::Shuffle => of_bits(node << 1 | if bits == 0 { 0 } else { node >> (bits - 1) }),
            Self::Tornado => of_digits(|range| range.div_ceil(2) - 1),
            Self::Neighbour => of_digits(|_| 1),
            _ => Err("it is no permutation".into()),
        }
    }
}

/// Where a node sends to.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// It sends nothing.
    Nobody,
    /// One node.
    Always(u32),
    /// These, each with the same probability.
    Even(Arc<[u32]>),
    /// One with probability `share`, the others share the rest evenly.
    Hot {
        /// The one.
        hot: u32,
        /// Its part, 0 to 1.
        share: f64,
        /// The others.
        others: Arc<[u32]>,
    },
}

impl Target {
    /// A destination; `None` for nobody.
    pub fn draw(&self, random: &mut Rng) -> Option<u32> {
        let even = |random: &mut Rng, nodes: &[u32]| nodes[random.below(nodes.len() as u64) as usize];
        match self {
            Self::Nobody => None,
            Self::Always(node) => Some(*node),
            Self::Even(nodes) => Some(even(random, nodes)),
            Self::Hot { hot, share, others } => Some(if random.chance(*share) { *hot } else { even(random, others) }),
        }
    }

    /// Every destination with its probability.
    pub fn shares(&self) -> Vec<(u32, f64)> {
        let even = |nodes: &[u32], whole: f64| {
            let part = whole / nodes.len() as f64;
            nodes.iter().map(|&node| (node, part)).collect::<Vec<_>>()
        };
        match self {
            Self::Nobody => vec![],
            Self::Always(node) => vec![(*node, 1.0)],
            Self::Even(nodes) => even(nodes, 1.0),
            Self::Hot { hot, share, others } => [vec![(*hot, *share)], even(others, 1.0 - share)].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(columns: u32, rows: u32) -> Nodes {
        Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal")
    }

    /// Destinations of a permutation.
    fn permutation(pattern: Pattern, columns: u32, rows: u32) -> Vec<u32> {
        let targets = pattern.targets(&mesh(columns, rows), 0.2).unwrap_or_else(|e| panic!("{e}"));
        targets.into_iter().map(|t| if let Target::Always(to) = t { to } else { panic!("{t:?}") }).collect()
    }

    #[test]
    fn permutations_are_those_of_the_book() {
        assert_eq!(permutation(Pattern::Transpose, 3, 3), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
        assert_eq!(permutation(Pattern::BitComplement, 4, 2), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(permutation(Pattern::BitReverse, 4, 2), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(permutation(Pattern::Shuffle, 4, 2), [0, 2, 4, 6, 1, 3, 5, 7]);
        // Rows of five: two further; columns of two: none.
        assert_eq!(permutation(Pattern::Tornado, 5, 2), [2, 3, 4, 0, 1, 7, 8, 9, 5, 6]);
        assert_eq!(permutation(Pattern::Neighbour, 3, 2), [4, 5, 3, 1, 2, 0]);
    }

    #[test]
    fn permutations_reach_every_node_once() {
        let permutations = Pattern::ALL.into_iter().filter(|&pattern| pattern.permute(0, 4, 4).is_ok());
        let mut count = 0;
        for pattern in permutations {
            for side in [1, 2, 4, 8] {
                let mut to = permutation(pattern, side, side);
                to.sort_unstable();
                assert_eq!(to, (0..side * side).collect::<Vec<_>>(), "{pattern:?}");
            }
            count += 1;
        }
        assert_eq!(count, 6);
    }

    #[test]
    fn shares_are_what_is_drawn() {
        let grid = Nodes::new(4, 4, &[1, 2, 13, 14]).expect("legal");
        for pattern in Pattern::ALL {
            let targets = pattern.targets(&grid, 0.2).unwrap_or_else(|e| panic!("{e}"));
            for (node, target) in targets.iter().enumerate() {
                let shares = target.shares();
                let whole: f64 = shares.iter().map(|(_, share)| share).sum();
                assert!(shares.is_empty() || (whole - 1.0).abs() < 1e-9, "{pattern:?} {node}");
                let mut random = Rng::new(node as u64);
                let draws = 4000;
                let mut seen = [0_u32; 16];
                (0..draws).filter_map(|_| target.draw(&mut random)).for_each(|to| seen[to as usize] += 1);
                for (to, &times) in seen.iter().enumerate() {
                    let share = shares.iter().find(|(n, _)| *n == to as u32).map_or(0.0, |(_, share)| *share);
                    let deviation = (f64::from(draws) * share * (1.0 - share)).sqrt();
                    let expected = f64::from(draws) * share;
                    assert!(
                        (f64::from(times) - expected).abs() <= 5.0 * deviation,
                        "{pattern:?} {node} to {to}: {times}"
                    );
                }
            }
        }
    }

    #[test]
    fn hotspot_is_that_of_the_thesis() {
        // Eight controllers: 20 % instead of 12.5 % go to one.
        let grid = Nodes::new(6, 6, &[1, 2, 3, 4, 31, 32, 33, 34]).expect("legal");
        let targets = Pattern::Hotspot.targets(&grid, 0.2).expect("legal");
        let shares = targets[0].shares();
        assert_eq!((shares[0], shares.len()), ((1, 0.2), 8));
        assert!(shares[1..].iter().all(|(_, share)| (share - 0.8 / 7.0).abs() < 1e-12));
        assert_eq!(targets.iter().filter(|t| **t == Target::Nobody).count(), 8, "controllers only answer");
    }

    #[test]
    fn impossible_patterns_say_why() {
        let error = |pattern: Pattern, grid: &Nodes| pattern.targets(grid, 0.2).expect_err("impossible").to_string();
        assert_eq!(
            error(Pattern::Shuffle, &mesh(6, 6)),
            "traffic `shuffle`: it needs a power of two of nodes; 6 x 6 are 36"
        );
        assert_eq!(
            error(Pattern::Transpose, &mesh(4, 2)),
            "traffic `transpose`: it needs a square mesh; this one is 4 x 2"
        );
        assert_eq!(error(Pattern::ManyToFew, &mesh(2, 2)), "traffic `many-to-few`: there is no memory controller");
        assert_eq!(error(Pattern::UniformOthers, &mesh(1, 1)), "traffic `uniform-others`: there is no other node");
        let one = Nodes::new(2, 2, &[0]).expect("legal");
        assert_eq!(error(Pattern::Hotspot, &one), "traffic `hotspot`: it needs at least 2 memory controllers");
        let hole = Nodes::with_kinds(2, 2, |n| if n == 3 { NodeKind::Empty } else { NodeKind::Core }).expect("legal");
        assert_eq!(
            error(Pattern::BitComplement, &hole),
            "traffic `bit-complement`: node 0 would send to node 3, which is empty"
        );
        let shares = Pattern::Uniform.targets(&hole, 0.2).expect("legal")[0].shares();
        assert_eq!(shares.len(), 3, "nobody sends to an empty node");
    }
}
