//! Traffic patterns: pure functions from a node to where it sends, policies in files of `pattern/`.
//!
//! Permutations are those of W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, section
//! 3.2: on the bits of the node number, or on the digits x and y. Many-to-few and hotspot: A. Bakhoda's thesis (2014),
//! section 6.7.

mod cores_and_memories;
mod destination;
mod permutation;
mod policy;
mod to_all;
mod to_memories;

use super::TrafficError;
use common::policies;
use cores_and_memories::CoresAndMemories;
pub use destination::Destination;
use permutation::Permutation;
pub use policy::TrafficPattern;
use rtl::noc::Nodes;
use to_all::ToAll;
use to_memories::ToMemories;

policies! {
    /// Who sends to whom.
    pub enum Pattern: dyn TrafficPattern {
        /// Every node to all nodes alike, itself included.
        Uniform = "uniform" | "uniform-random" => ToAll { itself: true },
        /// Every node to all other nodes alike.
        UniformOthers = "uniform-others" => ToAll { itself: false },
        /// (x, y) to (y, x); a square mesh.
        Transpose = "transpose" => Permutation(permutation::transpose),
        /// All bits of the node number inverted; a power of two of nodes.
        BitComplement = "bit-complement" | "bitcomp" => Permutation(permutation::bit_complement),
        /// The bits of the node number in reverse order; a power of two of nodes.
        BitReverse = "bit-reverse" | "bitrev" => Permutation(permutation::bit_reverse),
        /// The bits of the node number one place to the left, around; a power of two of nodes.
        Shuffle = "shuffle" => Permutation(permutation::shuffle),
        /// x and y plus half their range less one, around.
        Tornado = "tornado" => Permutation(permutation::tornado),
        /// x and y plus one, around.
        Neighbour = "neighbour" | "neighbor" => Permutation(permutation::neighbour),
        /// Cores to all memory controllers alike, which answer.
        ManyToFew = "many-to-few" => ToMemories { hotspot: false },
        /// As many-to-few, but memory controller 0 gets 20 %.
        Hotspot = "hotspot" => ToMemories { hotspot: true },
        /// Cores to memory controllers with 90 % of their packets, to other cores with the rest.
        CoresAndMemories = "cores-and-memories" => CoresAndMemories,
    }
}

impl Pattern {
    /// Cores ask and memory controllers answer, each of them only that.
    pub fn is_of_memory(self) -> bool {
        self.policy().is_of_memory()
    }

    /// Where each node of `mesh` sends; `hot_share` is the part of memory controller 0 in [`Hotspot`](Self::Hotspot), of all memory
    /// controllers in [`CoresAndMemories`](Self::CoresAndMemories).
    pub fn targets(self, mesh: &Nodes, hot_share: f64) -> Result<Vec<Destination>, TrafficError> {
        self.policy().targets(mesh, hot_share).map_err(|problem| TrafficError::Pattern { pattern: self, problem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::random::Rng;
    use rtl::noc::NodeKind;

    fn mesh(columns: u32, rows: u32) -> Nodes {
        Nodes::with_kinds(columns, rows, |_| NodeKind::Core).expect("legal")
    }

    /// Destinations of a permutation.
    fn permutation(pattern: Pattern, columns: u32, rows: u32) -> Vec<u32> {
        let targets = pattern.targets(&mesh(columns, rows), 0.2).unwrap_or_else(|e| panic!("{e}"));
        targets.into_iter().map(|t| if let Destination::Always(to) = t { to } else { panic!("{t:?}") }).collect()
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

    fn permutes(pattern: Pattern) -> bool {
        let targets = pattern.targets(&mesh(4, 4), 0.2);
        targets.is_ok_and(|targets| targets.iter().all(|target| matches!(target, Destination::Always(_))))
    }

    #[test]
    fn permutations_reach_every_node_once() {
        let permutations = Pattern::ALL.into_iter().filter(|&pattern| permutes(pattern));
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
        assert_eq!(targets.iter().filter(|t| **t == Destination::Nobody).count(), 8, "controllers only answer");
    }

    #[test]
    fn cores_send_a_part_to_each_other() {
        let grid = Nodes::new(4, 4, &[1, 2, 13, 14]).expect("legal");
        let of = |share| Pattern::CoresAndMemories.targets(&grid, share).expect("legal")[0].shares();
        let to_memories = |shares: &[(u32, f64)]| -> f64 {
            shares.iter().filter(|(to, _)| grid.memories().contains(to)).map(|(_, share)| share).sum()
        };
        let most = of(0.9);
        assert_eq!(most.len(), 4 + 11, "all controllers, all other cores");
        assert!((to_memories(&most) - 0.9).abs() < 1e-12 && most.iter().all(|(to, _)| *to != 0));
        assert_eq!((of(1.0).len(), of(0.0).len()), (4, 11), "who gets nothing is not among them");
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
