//! What is recorded of packets and flits, and what follows from it.

use super::{
    flight::{PacketInFlight, Underway},
    shortest_paths::ShortestPaths,
    steadiness::Batches,
};
use crate::report::LatencySummary;
use std::ops::Range;

/// Records of one run.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Cycles of the measurement.
    pub window: Range<u64>,
    /// By message class.
    pub classes: Vec<Class>,
    /// By time.
    pub batches: Batches,
    /// Flits that came out in the window, by the node that sent them.
    pub accepted_of: Vec<u64>,
    /// Longest time from creation to arrival of a packet that arrived in the window or later.
    pub oldest: u64,
    /// Measured packets that have not arrived.
    pub missing: u64,
}

/// Records of a message class.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Latency of every measured packet that has arrived, cycles.
    pub latencies: Vec<u64>,
    /// Sum of the times from the head on the injection channel to the tail on the ejection channel, over these packets.
    pub network: u64,
    /// Sum of the routers on their way.
    pub routers: u64,
    /// Flits created in the window.
    pub created: u64,
    /// Flits that came out in the window.
    pub accepted: u64,
}

impl Statistics {
    /// Nothing yet.
    pub fn new(window: Range<u64>, classes: u32, nodes: u32) -> Self {
        let (classes, batches) = (vec![Class::default(); classes as usize], Batches::new(window.clone(), nodes));
        Self { window, classes, batches, accepted_of: vec![0; nodes as usize], oldest: 0, missing: 0 }
    }

    /// A packet was created.
    pub fn created(&mut self, packet: &PacketInFlight) {
        if packet.measured {
            self.missing += 1;
            self.classes[usize::from(packet.reply)].created += u64::from(packet.flits);
            self.batches.created(packet.created, packet.source, packet.flits);
        }
    }

    /// A flit of a packet came out.
    pub fn flit(&mut self, now: u64, packet: &PacketInFlight) {
        if self.window.contains(&now) {
            self.classes[usize::from(packet.reply)].accepted += 1;
            self.accepted_of[packet.source as usize] += 1;
            self.batches.accepted(now, packet.source);
        }
    }

    /// A packet came out whole.
    pub fn arrived(&mut self, now: u64, ways: &ShortestPaths, underway: &Underway) {
        let packet = &underway.packet;
        if now >= self.window.start {
            self.oldest = self.oldest.max(now - packet.created);
        }
        self.batches.arrived(packet.created, now);
        if packet.measured {
            self.missing -= 1;
            let class = &mut self.classes[usize::from(packet.reply)];
            class.latencies.push(now - packet.created);
            class.network += now - underway.injected.unwrap_or(now);
            class.routers += u64::from(ways.routers(packet.source, packet.dest));
        }
    }

    /// All classes in one.
    pub fn together(&self) -> Class {
        let mut all = Class::default();
        for class in &self.classes {
            all.latencies.extend_from_slice(&class.latencies);
            all.network += class.network;
            all.routers += class.routers;
            all.created += class.created;
            all.accepted += class.accepted;
        }
        all
    }
}

impl Class {
    /// Mean time in the network, cycles; `None` without packets.
    pub fn network_mean(&self) -> Option<f64> {
        self.mean(self.network)
    }

    /// Mean number of routers on the way; `None` without packets.
    pub fn routers_mean(&self) -> Option<f64> {
        self.mean(self.routers)
    }

    fn mean(&self, sum: u64) -> Option<f64> {
        (!self.latencies.is_empty()).then(|| sum as f64 / self.latencies.len() as f64)
    }

    /// Latency; `None` without packets.
    pub fn summary(&self) -> Option<LatencySummary> {
        let mean = self.mean(self.latencies.iter().sum())?;
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let rank = |percent| sorted[rank(sorted.len(), percent)];
        Some(LatencySummary { mean, p50: rank(50), p95: rank(95), p99: rank(99), max: rank(100) })
    }
}

/// Place of a percentile among `count` sorted values: the first that so many percent do not exceed.
fn rank(count: usize, percent: usize) -> usize {
    (count * percent).div_ceil(100).max(1) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let summary = |latencies: Vec<u64>| Class { latencies, ..Class::default() }.summary();
        assert_eq!(summary(vec![]), None);
        let one = summary(vec![7]).expect("one packet");
        assert_eq!((one.mean, one.p50, one.p95, one.p99, one.max), (7.0, 7, 7, 7, 7));
        let hundred = summary((1..=100).rev().collect()).expect("packets");
        assert_eq!((hundred.mean, hundred.p50, hundred.p95, hundred.p99, hundred.max), (50.5, 50, 95, 99, 100));
        let four = summary(vec![4, 1, 3, 2]).expect("packets");
        assert_eq!((four.p50, four.p95, four.p99, four.max), (2, 4, 4, 4));
    }
}
