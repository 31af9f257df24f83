//! Routes through routers that are joined in any way: shortest up*/down* ways, and which links lead nearer.
//!
//! ```text
//!           root (level 0)          up: towards the root, by level, then by number
//!          /      \                 a way is ups, then downs: no way turns from down to up,
//!      level 1 -- level 1           so no channels wait for each other in a circle
//! ```
//!
//! Each channel goes up or down: up is to a router of a lower level of a breadth-first tree, or of the same level and a
//! lower number. The tree is of links in both directions; its root is a router from which the farthest one is nearest.
//! A packet that has gone down never goes up again. Of the shortest such ways a router takes one for each destination,
//! over the link that the ways of the fewest pairs lead over so far. What is cut off from the root has no way; what is
//! joined with it by links of one direction only has some, perhaps, and not others.
//!
//! A link leads nearer to a destination when its end is a hop nearer, up and down not considered.
//!
//! Source: M. D. Schroeder and others, *Autonet: a high-speed, self-configuring local area network using point-to-point
//! links* (1991).

use super::Link;
use crate::{Direction, routing::Hop};
use std::{cmp::Reverse, collections::BTreeSet};

/// See the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Routes {
    sites: usize,
    /// Inputs whose packets have gone down.
    came_down: BTreeSet<(usize, Direction)>,
    /// By site and destination: the output of a packet that may go up, and of one that has gone down.
    next: Vec<[Option<Direction>; 2]>,
    /// By site and destination: the outputs that lead nearer.
    nearer: Vec<Vec<Direction>>,
    /// Inputs by which packets come nearer to some destination, and whose up*/down* way from there goes back by the same link.
    turning: BTreeSet<(usize, Direction)>,
}

/// A way that has not been found.
const NO_WAY: u32 = u32::MAX;

impl Routes {
    /// Among so many sites with these links. `used`: a node is attached there.
    pub(super) fn new(sites: usize, links: &[Link], used: impl Fn(usize) -> bool) -> Self {
        let order = levels(sites, links, &used);
        let goes_up = |link: &Link| order[link.to] < order[link.from];
        let out: Vec<Vec<usize>> =
            (0..sites).map(|site| (0..links.len()).filter(|at| links[*at].from == site).collect()).collect();
        let mut next = vec![[None; 2]; sites * sites];
        // Pairs of nodes whose way leads over a link.
        let mut loads = vec![0_u32; links.len()];
        for dest in 0..sites {
            let lengths = lengths(dest, links, &order);
            let mut states: Vec<_> =
                (0..sites).filter(|site| *site != dest).flat_map(|site| [(site, 0), (site, 1)]).collect();
            states.retain(|&(site, down)| lengths[site][down] != NO_WAY);
            states.sort_by_key(|&(site, down)| (Reverse(lengths[site][down]), site, down));
            let mut packets: Vec<[u32; 2]> = (0..sites).map(|site| [u32::from(used(site)), 0]).collect();
            for (site, down) in states {
                let leads = |at: &usize| {
                    let (link, up) = (&links[*at], goes_up(&links[*at]));
                    (down == 0 || !up) && lengths[link.to][usize::from(!up)].saturating_add(1) == lengths[site][down]
                };
                let best = out[site].iter().copied().filter(leads).min_by_key(|at| (loads[*at], *at));
                let best = best.expect("a way of this length goes on over a link");
                let (link, coming) = (&links[best], packets[site][down]);
                next[site * sites + dest][down] = Some(link.out);
                loads[best] += coming;
                packets[link.to][usize::from(!goes_up(link))] += coming;
            }
        }
        let came_down = links.iter().filter(|link| !goes_up(link)).map(|link| (link.to, link.into)).collect();
        let mut nearer = vec![vec![]; sites * sites];
        let mut turning = BTreeSet::new();
        for dest in 0..sites {
            let distance = distances(sites, links, |link| (link.to, link.from), dest);
            // Where a packet comes nearer, it still has its escape.
            let escapes = |link: &&Link| link.to == dest || next[link.to * sites + dest][0].is_some();
            for link in links.iter().filter(|link| distance[link.from] != NO_WAY).filter(escapes) {
                if distance[link.from] == distance[link.to].saturating_add(1) {
                    nearer[link.from * sites + dest].push(link.out);
                    let back = next[link.to * sites + dest][0] == Some(link.into);
                    turning.extend(back.then_some((link.to, link.into)));
                }
            }
        }
        Self { sites, came_down, next, nearer, turning }
    }

    /// The outputs of `site` that lead nearer to the site `dest`, in order.
    pub fn nearer(&self, site: usize, dest: usize) -> &[Direction] {
        &self.nearer[site * self.sites + dest]
    }

    /// Packets that come nearer to some destination by this input may have to go back for their up*/down* way.
    pub fn turns_back(&self, site: usize, input: Direction) -> bool {
        self.turning.contains(&(site, input))
    }

    /// Where a packet goes at `site` that came in by `from` and ends at the site `dest`; `None`: there is no way.
    pub fn hop(&self, site: usize, from: Option<Direction>, dest: usize) -> Option<Hop> {
        if site == dest {
            return Some(Hop::Arrived);
        }
        let down = from.is_some_and(|from| self.came_down.contains(&(site, from)));
        self.next[site * self.sites + dest][usize::from(down)].map(Hop::Link)
    }
}

/// Level and number of each site in the tree of the root.
fn levels(sites: usize, links: &[Link], used: &impl Fn(usize) -> bool) -> Vec<(u32, usize)> {
    let ends: BTreeSet<_> = links.iter().map(|link| (link.from, link.to)).collect();
    let both_ways: Vec<_> = links.iter().filter(|link| ends.contains(&(link.to, link.from))).copied().collect();
    let from = |root: usize| distances(sites, &both_ways, |link| (link.from, link.to), root);
    // Of the largest part, where some sites are cut off from others.
    let cost = |level: &[u32]| {
        let reached = (0..sites).filter(|&site| level[site] != NO_WAY && used(site)).count();
        let far = level.iter().filter(|level| **level != NO_WAY).max().copied();
        (Reverse(reached), far)
    };
    let trees = (0..sites).map(from);
    let best = trees.min_by_key(|level| cost(level)).unwrap_or_default();
    best.into_iter().zip(0..).collect()
}

/// Hops from `start` to each site, along the links as `ends` turns them, breadth first.
fn distances(sites: usize, links: &[Link], ends: impl Fn(&Link) -> (usize, usize), start: usize) -> Vec<u32> {
    let mut distance = vec![NO_WAY; sites];
    let mut front = vec![start];
    distance[start] = 0;
    while let Some(&first) = front.first() {
        let next = distance[first] + 1;
        let ends = links.iter().map(&ends);
        let reached: BTreeSet<_> = ends.filter(|(from, _)| front.contains(from)).map(|(_, to)| to).collect();
        front = reached.into_iter().filter(|site| distance[*site] == NO_WAY).collect();
        front.iter().for_each(|&site| distance[site] = next);
    }
    distance
}

/// By site: hops to `dest` of a packet that may go up, and of one that has gone down.
fn lengths(dest: usize, links: &[Link], order: &[(u32, usize)]) -> Vec<[u32; 2]> {
    let mut lengths = vec![[NO_WAY; 2]; order.len()];
    lengths[dest] = [0, 0];
    let mut front = vec![(dest, 0), (dest, 1)];
    let mut length = 0;
    // Backwards, hop by hop. A packet that may go up may go down as well.
    while !front.is_empty() {
        length += 1;
        let mut next = vec![];
        for link in links {
            let up = order[link.to] < order[link.from];
            if !front.contains(&(link.to, usize::from(!up))) {
                continue;
            }
            for before in if up { 0..1 } else { 0..2 } {
                if lengths[link.from][before] == NO_WAY {
                    lengths[link.from][before] = length;
                    next.push((link.from, before));
                }
            }
        }
        front = next;
    }
    lengths
}
