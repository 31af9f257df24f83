//! Which tiles which thread evaluates.
//!
//! The gates of a group are evaluated for whole words of lanes: half of its tiles cost as much as all of them. So
//! groups go to threads as they are, the most expensive one first, each to the thread that has least to do. Groups that
//! are too large for that are divided, so that neighbours, which have numbers next to each other, mostly stay together.
//! What a tile reads of a tile of another thread has to come from another processor's cache; that counts, too.

use super::choose::GroupChoice;
use netlist::{
    Design,
    dependencies::{nets_read, outputs_behind},
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Nanoseconds for an input that comes from a tile of another thread.
const FAR: f64 = 1.5;
/// Threads are worth having when the longest of them takes that part of what one would take.
const GAIN: f64 = 0.85;

/// The groups (sets of tiles) of each thread: as many as are worth having.
pub(super) fn shares(design: &Design, groups: &[&GroupChoice], threads: usize) -> Vec<Vec<Vec<usize>>> {
    let all = || vec![groups.iter().map(|group| group.tiles.clone()).collect()];
    if threads < 2 {
        return all();
    }
    let reads = reads(design, groups);
    let alone: f64 = groups.iter().map(|group| group.estimate.sliced).sum();
    let candidates = (0..=groups.len()).map(|divided| {
        let shares = divide(groups, divided, threads);
        (longest(groups, &shares, &reads), shares)
    });
    let best = candidates.min_by(|(a, _), (b, _)| a.total_cmp(b));
    let to_tiles = |(_, shares): (f64, Vec<Share>)| shares.iter().map(|share| share.tiles(groups)).collect();
    best.filter(|(time, _)| *time < GAIN * alone).map_or_else(all, to_tiles)
}

/// What one thread has: of each group so many tiles from a first one on.
#[derive(Clone, Default)]
struct Share {
    /// Group, first and number of tiles.
    ranges: Vec<(usize, usize, usize)>,
    /// Nanoseconds a cycle.
    time: f64,
}

impl Share {
    fn add(&mut self, groups: &[&GroupChoice], group: usize, first: usize, count: usize) {
        if count > 0 {
            self.ranges.push((group, first, count));
            self.time += groups[group].estimate.sliced_with(count);
        }
    }

    fn tiles(&self, groups: &[&GroupChoice]) -> Vec<Vec<usize>> {
        let mut ranges = self.ranges.clone();
        ranges.sort_unstable();
        ranges.iter().map(|&(group, first, count)| groups[group].tiles[first..first + count].to_vec()).collect()
    }
}

/// The most expensive groups are divided, the others are not.
fn divide(groups: &[&GroupChoice], divided: usize, threads: usize) -> Vec<Share> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by(|&a, &b| groups[b].estimate.sliced.total_cmp(&groups[a].estimate.sliced));
    let mut shares = vec![Share::default(); threads];
    for (position, &group) in order.iter().enumerate() {
        let count = groups[group].tiles.len();
        if position < divided {
            for (i, share) in shares.iter_mut().enumerate() {
                let (first, end) = (count * i / threads, count * (i + 1) / threads);
                share.add(groups, group, first, end - first);
            }
        } else if let Some(share) = shares.iter_mut().min_by(|a, b| a.time.total_cmp(&b.time)) {
            share.add(groups, group, 0, count);
        }
    }
    shares.retain(|share| !share.ranges.is_empty());
    shares
}

/// Time of the thread that has most to do.
fn longest(groups: &[&GroupChoice], shares: &[Share], reads: &[(usize, usize)]) -> f64 {
    let mut owner = FxHashMap::default();
    for (i, share) in shares.iter().enumerate() {
        for &(group, first, count) in &share.ranges {
            owner.extend(groups[group].tiles[first..first + count].iter().map(|&tile| (tile, i)));
        }
    }
    let mut times: Vec<f64> = shares.iter().map(|share| share.time).collect();
    // Who reads waits, and so does who writes again what another one has read.
    for (reader, read) in reads.iter().map(|(reader, read)| (owner[reader], owner[read])).filter(|(a, b)| a != b) {
        times[reader] += FAR;
        times[read] += FAR;
    }
    times.into_iter().fold(0.0, f64::max)
}

/// Inputs of tiles that come from tiles: reader, and who is read.
fn reads(design: &Design, groups: &[&GroupChoice]) -> Vec<(usize, usize)> {
    let top = &design.top;
    let tiles: BTreeSet<usize> = groups.iter().flat_map(|group| group.tiles.iter().copied()).collect();
    let mut out = vec![];
    for &tile in &tiles {
        for driver in top.instances[tile].inputs.iter().copied().flatten() {
            let behind = outputs_behind(top, nets_read(top, driver));
            let read = behind.into_iter().map(|(instance, _)| instance.index()).filter(|other| tiles.contains(other));
            out.extend(read.map(|other| (tile, other)));
        }
    }
    out
}
