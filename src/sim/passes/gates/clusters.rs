//! Items gathered into clusters, each of which is evaluated as a whole or not at all.
//!
//! A cluster costs a test in every evaluation, and its operations in those in which something that it reads has
//! changed. So items that read the same belong together, and small ones are not worth a test of their own; but a
//! cluster that reads much runs often for little. The greedy merging below weighs these against each other, taking all
//! sources to change rarely and independently. It starts from *fanout-free cones*: an item joins the only cluster that
//! needs it.
//!
//! Legal are merges that leave the graph of clusters without loops: no path between the two may lead over a third.
//! Which clusters lie on paths from and to which is known within a *region*, a run of clusters in an order in which
//! they can be evaluated: no path leaves a region and comes back, so only its own clusters count. Without regions, time
//! and memory would grow with the square of a function.

use super::{
    items::{Items, ReadPlace},
    relations::Relations,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Machine operations to test whether a cluster is to be evaluated.
const TEST: f32 = 2.5;
/// Machine operations to pass a value between clusters: store, compare, tell, load.
const PASS: f32 = 5.0;
/// Machine operations saved per source that two clusters have in common.
const SHARED: f32 = 0.5;
/// How often a source changes, about, as the negative logarithm of the share of evaluations without a change.
const RATE: f32 = 0.03;
/// Part of a value's own rate that it inherits from what it is made from: one-bit values often stay as they are.
const NARROW: f32 = 0.3;
const WIDE: f32 = 0.7;
/// Sources that more clusters read are no reason to look for a partner.
const POPULAR: usize = 16;
/// Clusters do not grow beyond this many machine operations: long blocks are slow to compile.
const LARGE: f32 = 500.0;
/// Rounds of merging.
const ROUNDS: usize = 12;
/// Clusters of a region: more than any function of the shipped configurations has.
const REGION: usize = 6144;

/// A cluster: its items in order; for a call, the call alone.
pub(super) struct Clusters {
    /// In an order in which they can be evaluated.
    pub list: Vec<Vec<usize>>,
    /// Per item.
    pub home: Vec<usize>,
}

/// Gathers the items. `together`: items that must share a cluster (nobody needs them). `fixed`: items that stay alone.
pub(super) fn gather(items: &Items, narrow: &[bool], together: &[Vec<usize>], fixed: &[bool]) -> Clusters {
    let mut merging = Merging::new(items, narrow, together, fixed);
    merging.intrinsics();
    let order = merging.order();
    for region in order.chunks(REGION) {
        merging.region(region);
    }
    merging.finish()
}

/// Per item: its cluster.
fn cones(items: &Items, together: &[Vec<usize>], fixed: &[bool]) -> Vec<usize> {
    let mut home: Vec<usize> = (0..items.list.len()).collect();
    for group in together {
        group.iter().for_each(|&item| home[item] = group[0]);
    }
    for item in (0..items.list.len()).rev() {
        let users = &items.users[item];
        let Some(&first) = users.first() else { continue };
        let only = home[first];
        if !fixed[item] && !fixed[only] && users.iter().all(|&user| home[user] == only) {
            home[item] = only;
        }
    }
    home
}

struct Merging<'a> {
    items: &'a Items,
    fixed: Vec<bool>,
    home: Vec<usize>,
    members: Vec<Vec<usize>>,
    cost: Vec<f32>,
    /// Per cluster: what it reads from outside, as numbers of items and, from `items.list.len()` on, of sources.
    reads: Vec<BTreeSet<usize>>,
    /// Per number: the clusters that read it.
    readers: Vec<BTreeSet<usize>>,
    rates: Vec<f32>,
}

impl<'a> Merging<'a> {
    fn new(items: &'a Items, narrow: &[bool], together: &[Vec<usize>], fixed: &[bool]) -> Self {
        let n = items.list.len();
        let home = cones(items, together, fixed);
        let mut numbers: FxHashMap<ReadPlace, usize> = FxHashMap::default();
        let mut members = vec![vec![]; n];
        let mut cost = vec![0.0; n];
        let mut reads = vec![BTreeSet::new(); n];
        for item in 0..n {
            let at = home[item];
            members[at].push(item);
            cost[at] += items.cost[item];
            reads[at].extend(items.needs[item].iter().filter(|&&need| home[need] != at));
            for &source in &items.sources[item] {
                let next = n + numbers.len();
                reads[at].insert(*numbers.entry(source).or_insert(next));
            }
        }
        let mut readers = vec![BTreeSet::new(); n + numbers.len()];
        for (cluster, reads) in reads.iter().enumerate() {
            reads.iter().for_each(|&read| _ = readers[read].insert(cluster));
        }
        let mut merging = Self {
            items,
            fixed: fixed.to_vec(),
            home,
            members,
            cost,
            reads,
            readers,
            rates: vec![RATE; n + numbers.len()],
        };
        merging.rate(narrow);
        merging
    }

    /// How often each item changes: items stand behind what they need.
    fn rate(&mut self, narrow: &[bool]) {
        for (item, &is_narrow) in narrow.iter().enumerate() {
            let needs = self.items.needs[item].iter().map(|&need| self.rates[need]).sum::<f32>();
            let all = needs + RATE * self.items.sources[item].len() as f32;
            self.rates[item] = all.min(1.0) * if is_narrow { NARROW } else { WIDE };
        }
    }

    /// Clusters that a cluster needs.
    fn needs(&self, cluster: usize) -> BTreeSet<usize> {
        let n = self.items.list.len();
        self.reads[cluster].range(..n).map(|&item| self.home[item]).collect()
    }

    fn alive(&self) -> Vec<usize> {
        (0..self.members.len()).filter(|&cluster| !self.members[cluster].is_empty()).collect()
    }

    /// Clusters, those that others need first, else by their first item.
    fn order(&self) -> Vec<usize> {
        let mut waiting: FxHashMap<usize, usize> = FxHashMap::default();
        let mut users: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut ready = BTreeSet::new();
        for cluster in self.alive() {
            let needs = self.needs(cluster);
            if needs.is_empty() {
                ready.insert((self.members[cluster][0], cluster));
            }
            waiting.insert(cluster, needs.len());
            needs.into_iter().for_each(|need| users.entry(need).or_default().push(cluster));
        }
        let mut order = vec![];
        while let Some((_, cluster)) = ready.pop_first() {
            order.push(cluster);
            for &user in users.get(&cluster).into_iter().flatten() {
                let left = waiting.get_mut(&user).expect("all clusters wait");
                *left -= 1;
                if *left == 0 {
                    ready.insert((self.members[user][0], user));
                }
            }
        }
        debug_assert_eq!(order.len(), waiting.len(), "clusters have no loops");
        order
    }

    /// Merges clusters that read exactly the same: they run together anyway, and no path connects them.
    fn intrinsics(&mut self) {
        let mut known: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        for cluster in self.alive() {
            if self.fixed[cluster] || self.reads[cluster].len() > 64 {
                continue;
            }
            let reads = self.reads[cluster].iter().copied().collect();
            match known.get(&reads) {
                Some(&same) => self.merge(same, cluster),
                None => _ = known.insert(reads, cluster),
            }
        }
    }

    /// Merges clusters of a region, which others need before the later ones come.
    fn region(&mut self, clusters: &[usize]) {
        let mut relations = Relations::new(clusters, |cluster| self.needs(cluster));
        for _ in 0..ROUNDS {
            if !self.round(&mut relations) {
                break;
            }
        }
    }

    /// Merges each cluster of a region with its best partner, if that pays; tells whether any did.
    fn round(&mut self, relations: &mut Relations) -> bool {
        let mut merged = false;
        for cluster in relations.clusters() {
            if self.members[cluster].is_empty() || self.fixed[cluster] {
                continue;
            }
            let mut best = (0.0, None);
            for partner in self.partners(cluster, relations) {
                let large = self.cost[cluster] + self.cost[partner] > LARGE;
                if large {
                    continue;
                }
                let gain = self.gain(cluster, partner);
                if gain > best.0 && relations.may_merge(cluster, partner) {
                    best = (gain, Some(partner));
                }
            }
            if let (_, Some(partner)) = best {
                let (first, second) = (cluster.min(partner), cluster.max(partner));
                self.merge(first, second);
                relations.merge(first, second);
                merged = true;
            }
        }
        merged
    }

    fn partners(&self, cluster: usize, relations: &Relations) -> BTreeSet<usize> {
        let mut partners = self.needs(cluster);
        for &read in &self.reads[cluster] {
            if self.readers[read].len() <= POPULAR {
                partners.extend(&self.readers[read]);
            }
        }
        for &member in &self.members[cluster] {
            if self.readers[member].len() <= POPULAR {
                partners.extend(&self.readers[member]);
            }
        }
        partners.retain(|&partner| partner != cluster && !self.fixed[partner] && relations.has(partner));
        partners
    }

    /// Operations saved in an evaluation, about.
    fn gain(&self, a: usize, b: usize) -> f32 {
        let n = self.items.list.len();
        let (mut of_a, mut of_b, mut common, mut shared, mut passed) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let inside = |read: usize| read < n && (self.home[read] == a || self.home[read] == b);
        for &read in &self.reads[a] {
            if inside(read) {
                passed += 1.0;
            } else if self.reads[b].contains(&read) {
                common += self.rates[read];
                shared += 1.0;
            } else {
                of_a += self.rates[read];
            }
        }
        for &read in &self.reads[b] {
            if inside(read) {
                passed += 1.0;
            } else if !self.reads[a].contains(&read) {
                of_b += self.rates[read];
            }
        }
        let runs = |rate: f32| 1.0 - (-rate).exp();
        let both = runs(of_a + of_b + common);
        let waste = self.cost[a] * (both - runs(of_a + common)) + self.cost[b] * (both - runs(of_b + common));
        TEST + both * (PASS * passed + SHARED * shared) - waste
    }

    /// `b` becomes part of `a`.
    fn merge(&mut self, a: usize, b: usize) {
        let n = self.items.list.len();
        let members = std::mem::take(&mut self.members[b]);
        members.iter().for_each(|&item| self.home[item] = a);
        self.members[a].extend(members);
        self.members[a].sort_unstable();
        self.cost[a] += std::mem::take(&mut self.cost[b]);
        for read in std::mem::take(&mut self.reads[b]) {
            self.readers[read].remove(&b);
            self.readers[read].insert(a);
            self.reads[a].insert(read);
        }
        let own: Vec<usize> = self.reads[a].range(..n).copied().filter(|&read| self.home[read] == a).collect();
        for read in own {
            self.reads[a].remove(&read);
            self.readers[read].remove(&a);
        }
    }

    fn finish(self) -> Clusters {
        let order = self.order();
        let list: Vec<Vec<usize>> = order.iter().map(|&cluster| self.members[cluster].clone()).collect();
        let mut home = vec![0; self.items.list.len()];
        for (number, members) in list.iter().enumerate() {
            members.iter().for_each(|&item| home[item] = number);
        }
        Clusters { list, home }
    }
}
