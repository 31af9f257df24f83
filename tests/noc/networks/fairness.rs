//! Fairness: below saturation the oldest packet that waits is bounded, on designs of the thesis and at rising loads.
//!
//! The bound: every arbiter on the way takes turns (an iSLIP pointer stays at a request until that is served), so
//! nobody is passed for ever, and waiting times have a tail like those of a queue in order of arrival, which is
//! geometric: the longest of N packets waits about ln N times the mean. So the oldest is not older than the longest way
//! without traffic and `FACTOR x ln N` mean waiting times. The factor is for nodes at which packets wait longer than on
//! average over the network; with the longest way for an offset 2.2 is the most that was measured (docs/network.md). A
//! packet that is passed again and again waits for as long as traffic lasts: 4,000 cycles here.

use crate::{campaign::part_or_all, matrix::options};
use std::path::Path;
use warpmesh::{
    chip::load,
    open_loop::{Bench, Pattern, Phases, Traffic, traffic::memory, zero_load},
    report::LoadVerdict,
};

const FACTOR: f64 = 4.0;

/// A design, its changes, and the load at its knee (`warpmesh noc`), flits of requests per core and cycle.
fn bounded(name: &str, overrides: &[&str], knee: f64) {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    let chip = load(Some(Path::new(name)), &overrides).unwrap_or_else(|e| panic!("{e}"));
    let line = 64 / chip.config().network.channel_bytes;
    let traffic = Traffic {
        pattern: Pattern::ManyToFew,
        hot_share: 0.2,
        transactions: memory(0.9, line),
        service: 0,
        matrix: None,
        burst: None,
    };
    let mut bench = Bench::new(chip.fabric().params(), &traffic, &options()).unwrap_or_else(|e| panic!("{e}"));
    // From corner to corner of 6 x 6.
    let longest = zero_load(11, chip.fabric().network().hop(), line);
    let phases = Phases { warmup: 1_000, measure: 3_000, drain: 5_000 };
    let mut before = 0;
    for share in [0.2, 0.5, 0.8, 0.9] {
        let point = bench.run(share * knee, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        assert_ne!(point.verdict, LoadVerdict::Saturated, "{name} at {share} of its knee");
        assert_eq!(point.missing, 0, "{name} at {share} of its knee");
        // Less what the same packets take without others: a transaction has one flit one way and a line the other.
        let hops = f64::from(chip.fabric().network().hop()) * point.routers_per_packet.expect("packets");
        let waiting = point.packet_latency.expect("packets").mean - (1.0 + hops + f64::from(1 + line) / 2.0);
        let (bound, oldest) = (longest as f64 + FACTOR * waiting * (point.packets as f64).ln(), point.oldest_waiting);
        assert!((oldest as f64) < bound, "{name} at {share} of its knee: {oldest} cycles, bound {bound:.0}");
        // And it says something: the longest way is always taken by somebody, and load makes it longer.
        assert!(oldest as f64 > 0.8 * longest as f64 && oldest > before, "{name} at {share}: {oldest}, {before}");
        before = oldest;
    }
}

#[test]
fn the_oldest_packet_of_a_plain_mesh_is_bounded() {
    bounded("baseline-tb-dor.toml", &[], 0.0480);
}

/// Checkerboard routing with two ports, in one network and in two: one of them in every run.
#[test]
fn the_oldest_packet_of_several_ports_is_bounded() {
    let networks = [("dcie-2p.toml", 0.1402), ("cp-cr-2p.toml", 0.0898)];
    networks.into_iter().take(part_or_all(1, 2)).for_each(|(chip, load)| bounded(chip, &[], load));
}

#[test]
fn the_oldest_packet_of_adaptive_routing_is_bounded() {
    bounded("baseline-tb-dor.toml", &["network.routing=adaptive", "network.vcs=4"], 0.0587);
}
