//! Which clusters of a region lie on paths from and to which, kept up to date while clusters are merged.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A set of small numbers.
#[derive(Clone, Default)]
struct ClusterSet(Vec<u64>);

impl ClusterSet {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    fn add(&mut self, other: &ClusterSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0).map(move |word| 64 * i + word.trailing_zeros() as usize)
        })
    }
}

/// Paths among the clusters of a region. Places are positions in it.
pub(super) struct Relations {
    /// Numbers of the clusters, ascending.
    clusters: Vec<usize>,
    /// Per cluster of the region.
    places: FxHashMap<usize, usize>,
    /// Per place: the places behind and before it, itself included.
    behind: Vec<ClusterSet>,
    before: Vec<ClusterSet>,
}

impl Relations {
    /// Of `clusters`, those that others need first; `needs`: what a cluster needs, of any region.
    pub fn new(clusters: &[usize], needs: impl Fn(usize) -> BTreeSet<usize>) -> Self {
        let size = clusters.len();
        let places: FxHashMap<usize, usize> = clusters.iter().copied().zip(0..).collect();
        let within = |cluster: &usize| needs(*cluster).iter().filter_map(|need| places.get(need).copied()).collect();
        let needs: Vec<Vec<usize>> = clusters.iter().map(within).collect();
        let (mut behind, mut before): (Vec<ClusterSet>, Vec<ClusterSet>) = (vec![ClusterSet::new(size); size], vec![]);
        for (place, needs) in needs.iter().enumerate() {
            let mut set = ClusterSet::new(size);
            set.insert(place);
            needs.iter().for_each(|&need| set.add(&before[need]));
            before.push(set);
        }
        for (place, needs) in needs.iter().enumerate().rev() {
            behind[place].insert(place);
            let set = behind[place].clone();
            needs.iter().for_each(|&need| behind[need].add(&set));
        }
        let mut clusters = clusters.to_vec();
        clusters.sort_unstable();
        Self { clusters, places, behind, before }
    }

    /// The clusters that were there at first, in the order of their numbers.
    pub fn clusters(&self) -> Vec<usize> {
        self.clusters.clone()
    }

    /// The cluster is one of the region.
    pub fn has(&self, cluster: usize) -> bool {
        self.places.contains_key(&cluster)
    }

    /// No path between the two leads over a third.
    pub fn may_merge(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.places[&a], self.places[&b]);
        let between = |from: usize, to: usize| {
            let mut words = self.behind[from].0.iter().zip(&self.before[to].0).enumerate();
            words.any(|(i, (behind, before))| {
                let ends = |at: usize| if at / 64 == i { 1 << (at % 64) } else { 0u64 };
                behind & before & !ends(from) & !ends(to) != 0
            })
        };
        !between(a, b) && !between(b, a)
    }

    /// `b` becomes part of `a`.
    pub fn merge(&mut self, a: usize, b: usize) {
        let (a, b) = (self.places[&a], self.places[&b]);
        let (mut behind, mut before) = (std::mem::take(&mut self.behind[b]), std::mem::take(&mut self.before[b]));
        behind.add(&self.behind[a]);
        before.add(&self.before[a]);
        behind.remove(b);
        before.remove(b);
        for place in behind.iter() {
            self.before[place].add(&before);
            self.before[place].remove(b);
        }
        for place in before.iter() {
            self.behind[place].add(&behind);
            self.behind[place].remove(b);
        }
        (self.behind[a], self.before[a]) = (behind, before);
    }
}
