//! A whole chip runs a kernel to its end in step with its Verilog in Verilator: every output of every tile in every
//! cycle. `cargo campaign chips-in-lockstep` does so with the other chips of the papers, whose Verilog takes minutes
//! to compile.
//!
//! To build the Verilog of a chip takes far longer than to run it, so a chip has several features:
//!
//! * `small`: the least of everything.
//! * hybrid, three clocks: data caches with TSMA hybrids, locality and poisoned lines, unlimited miss entries in L2,
//!   order by line, atomics; core, network and DRAM on clocks of their own.
//! * two clocks: cores and DRAM on one clock, network on another; atomics, two issue slots; replies written flit by
//!   flit into two ports; dedicated networks.
//! * read-only caches, ring: programs and textures from DRAM; a ring between two memory nodes.
//! * ARI: split reply queues, links, priority, whole-packet forwarding, adaptive routing, L2.
//! * overlays: DA2mesh with split injection and a clock of its own.
//! * `small-kim-ch2`: cores of Kim's thesis.
//! * `default`: the default chip.

use crate::{campaign::part_or_all, chip_beside_verilog::agree};
use warpmesh::verilog::lockstep::Agreement;

fn enough(agreement: &Agreement, cycles: u64, bits: u64) {
    assert!(agreement.cycles >= cycles, "{} cycles", agreement.cycles);
    assert!(agreement.output_bits >= bits, "{} bits in each cycle", agreement.output_bits);
    assert!(agreement.moved.iter().any(|port| port == "host_done"));
}

#[test]
fn the_small_chip_agrees_with_its_verilog() {
    enough(&agree("small.toml", &[], "reduction", 600), 1500, 8000);
}

/// A hybrid with locality and poisoned lines above unlimited miss entries, and atomics behind them.
/// Three clocks, none a multiple of another.
fn hybrid_miss_handling_and_three_clocks() {
    let l1 =
        ["mshr.kind=htsma", "allocation=on-miss", "mshr.entries=4", "mshr.cam_entries=2", "mshr.cam_pipelined=true"];
    let more = ["write_pending=poison", "warp_locality=true"];
    let mut all: Vec<_> = l1.iter().chain(&more).map(|key| format!("cache.l1d.{key}")).collect();
    let level_2 =
        ["cache.l2.bytes=4096", "cache.l2.mshr.kind=unlimited", "core.memory_order=line", "core.atomics=true"];
    let clocks = ["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"];
    all.extend(level_2.into_iter().chain(clocks).map(String::from));
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    enough(&agree("small-l1.toml", &all, "histogram", 400), 1500, 8000);
}

/// Two clocks, of which cores and DRAM share one. Replies are written flit by flit, into two ports.
fn narrow_links_and_two_clocks() {
    let clocks = ["clocks.noc=900", "core.atomics=true", "core.issue_slots=2"];
    let narrow = ["network.reply_write=flit", "network.injection_ports=2", "network.organisation=dedicated"];
    enough(&agree("small.toml", &[clocks, narrow].concat(), "histogram", 300), 1000, 8000);
}

/// Programs and textures come from DRAM; the core alone is held to its Verilog with constants, too
/// (`tests/core/lockstep.rs`). A ring between two memory nodes: interfaces of cores, hubs and channels.
fn read_only_caches_and_a_ring() {
    let ring = ["round_trip_cycles=4", "direct_below=0", "fair_wait=20"].map(|key| format!("network.ring.{key}"));
    let nodes = ["memory.controllers=2", "network.placement={list=[1,2]}"];
    let small = ["cache.instruction.bytes=256", "cache.texture.bytes=256"];
    let all: Vec<_> = ring.iter().map(String::as_str).chain(nodes).chain(small).collect();
    enough(&agree("small-caches.toml", &all, "blur", 24), 1000, 8000);
}

/// Split reply queues with a link and a switch input each, priority, and whole-packet forwarding on adaptive routing.
fn accelerated_reply_injection() {
    let injection = [
        "organisation=dedicated",
        "routing=adaptive",
        "whole_packet_forwarding=true",
        "reply_injection=split",
        "tx_queue_packets=4",
        "injection_speedup=4",
        "priority_levels=2",
        "starvation_cycles=20",
    ];
    let all: Vec<_> = injection.iter().map(|key| format!("network.{key}")).collect();
    let all: Vec<_> = all.iter().map(String::as_str).chain(["cache.l2.bytes=4096"]).collect();
    enough(&agree("small.toml", &all, "reduction", 600), 1500, 8000);
}

/// Replies by overlays with a queue for each first hop and a clock of their own: sources, routers of trees, sinks, and
/// crossings.
fn overlays() {
    let own = ["network.overlay.injection=split", "clocks.overlay=1505"];
    enough(&agree("small-da2mesh.toml", &own, "transpose", 16), 500, 5000);
}

/// A small relative of a chip of Kim's thesis, its cores as there.
fn small_relative_of_kims_chapter_2() {
    enough(&agree("small-kim-ch2.toml", &[], "gather", 200), 500, 6000);
}

fn the_default_chip() {
    enough(&agree("default.toml", &[], "vector_add", 2000), 1000, 35_000);
}

/// One of these in every run, as Verilog and C++ of a chip take a quarter of a minute to compile.
#[test]
fn chips_of_several_clocks_and_others_agree_with_their_verilog() {
    let chips: [fn(); 7] = [
        hybrid_miss_handling_and_three_clocks,
        narrow_links_and_two_clocks,
        read_only_caches_and_a_ring,
        accelerated_reply_injection,
        overlays,
        small_relative_of_kims_chapter_2,
        the_default_chip,
    ];
    chips[..part_or_all(1, 7)].iter().for_each(|chip| chip());
}
