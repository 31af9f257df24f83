//! Random chips and blocks export clean Verilog; `cargo campaign random-exports` takes any number of them.

use crate::campaign::part_or_all;
use crate::exports::{Drawn, block, blocks::kinds, chip, chips};
use std::collections::HashSet;
use warpmesh::{
    chip::{ChipConfig, to_toml},
    noc::{Placement, PlacementKind, Routing},
    verilog::VerilogFile,
};

/// The chip of the shortest text is shown to the tools; all are more than every run of the tests has time for.
const SHOWN: usize = 1;

/// Memories with words of 128 bytes, written by bytes: the pass `proc_mux` of Yosys takes many minutes over a chip with
/// them.
const SLOW: &str = "_m128";

/// Blocks of longer text are not shown: the tools would take minutes over one.
const MOST_BYTES: usize = 1_000_000;

fn text_bytes(files: &[VerilogFile]) -> usize {
    files.iter().map(|file| file.text.len()).sum()
}

#[test]
fn random_chips_are_clean() {
    let all = (0..15).map(|seed| {
        let drawn = chip(seed);
        let files = drawn.files();
        drawn.check(&files).unwrap_or_else(|said| panic!("{said}"));
        (drawn, files)
    });
    let mut all: Vec<_> = all.filter(|(_, files)| !files.iter().any(|file| file.name.contains(SLOW))).collect();
    all.sort_by_key(|(_, files)| text_bytes(files));
    for (drawn, files) in &all[..SHOWN] {
        drawn.lint(files).unwrap_or_else(|said| panic!("{said}"));
    }
}

#[test]
fn random_blocks_of_every_kind_are_clean() {
    for kind in (0..kinds() as u64).step_by(part_or_all(12, 1)) {
        // One that the tools read in seconds.
        let small = |(_, files): &(Drawn, Vec<VerilogFile>)| text_bytes(files) < MOST_BYTES;
        let mut drawn = (kind..).step_by(kinds()).map(|seed| {
            let drawn = block(seed);
            let files = drawn.files();
            (drawn, files)
        });
        let (drawn, files) = drawn.find(small).expect("seeds do not end");
        drawn.lint(&files).unwrap_or_else(|said| panic!("{said}"));
    }
}

#[test]
fn a_seed_is_a_configuration() {
    assert_eq!(chips::config(7), chips::config(7));
    assert_ne!(chips::config(7), chips::config(8));
    // It can be read back from what a failure prints.
    let config: ChipConfig = toml::from_str(&chip(7).text).expect("TOML");
    assert_eq!(to_toml(&config), to_toml(&chips::config(7)));
}

#[test]
fn every_choice_is_drawn() {
    let all: Vec<_> = (0..180).map(|seed| chips::config(seed).network).collect();
    fn drawn<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> usize {
        values.collect::<HashSet<_>>().len()
    }
    let name = |value: &dyn std::fmt::Debug| format!("{value:?}");
    assert_eq!(drawn(all.iter().map(|n| name(&n.topology))), chips::TOPOLOGIES.len() + 1, "and graphs");
    assert_eq!(drawn(all.iter().map(|n| name(&n.organisation))), chips::ORGANISATIONS.len());
    assert_eq!(drawn(all.iter().map(|n| name(&n.routing))), Routing::ALL.len());
    assert_eq!(drawn(all.iter().map(|n| name(&n.port_choice))), chips::PORT_CHOICES.len());
    assert_eq!(drawn(all.iter().map(|n| name(&n.vc_allocator.kind))), chips::ALLOCATORS.len());
    assert_eq!(drawn(all.iter().map(|n| name(&n.switch_allocator.arbiter))), chips::ARBITERS.len());
    assert_eq!(drawn(all.iter().map(|n| name(&n.routers))), 2);
    assert_eq!(drawn(all.iter().map(|n| n.pipeline)), 4);
    let named = all.iter().filter(|n| !matches!(n.placement, Placement::List(_)));
    assert_eq!(drawn(named.map(|n| name(&n.placement))), PlacementKind::ALL.len());
}
