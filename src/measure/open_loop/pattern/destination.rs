//! Where a node sends to, and with what probability.

use hdl::random::Rng;
use std::sync::Arc;

/// Where a node sends to.
#[derive(Clone, PartialEq, Debug)]
pub enum Destination {
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
    /// Some of these with probability `share`, each alike, the others share the rest evenly.
    Mostly {
        /// These.
        hot: Arc<[u32]>,
        /// Their part, above 0 and below 1.
        share: f64,
        /// The others.
        others: Arc<[u32]>,
    },
    /// These, each with its part, adding up to 1.
    Weighted {
        /// Load of the node, relative to the mean of all that send.
        weight: f64,
        /// Destinations, with their parts.
        dests: Arc<[(u32, f64)]>,
    },
}

impl Destination {
    /// Load of the node, relative to the mean of all that send.
    pub fn weight(&self) -> f64 {
        match self {
            Self::Nobody => 0.0,
            Self::Weighted { weight, .. } => *weight,
            _ => 1.0,
        }
    }

    /// A destination; `None` for nobody.
    pub fn draw(&self, random: &mut Rng) -> Option<u32> {
        let even = |random: &mut Rng, nodes: &[u32]| nodes[random.below(nodes.len() as u64) as usize];
        match self {
            Self::Nobody => None,
            Self::Always(node) => Some(*node),
            Self::Even(nodes) => Some(even(random, nodes)),
            Self::Hot { hot, share, others } => Some(if random.chance(*share) { *hot } else { even(random, others) }),
            Self::Mostly { hot, share, others } => {
                let from = if random.chance(*share) { hot } else { others };
                Some(even(random, from))
            }
            Self::Weighted { dests, .. } => {
                let mut rest = random.unit();
                let drawn = dests.iter().find(|(_, share)| {
                    rest -= share;
                    rest < 0.0
                });
                drawn.or(dests.last()).map(|(node, _)| *node)
            }
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
            Self::Mostly { hot, share, others } => [even(hot, *share), even(others, 1.0 - share)].concat(),
            Self::Weighted { dests, .. } => dests.to_vec(),
        }
    }
}
