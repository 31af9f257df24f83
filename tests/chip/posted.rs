//! Chips whose controllers do not answer writes: kernels verify, nothing but reads is answered, and what would reorder
//! is refused.

use crate::campaign::part_or_all;
use crate::matrix::options;
use std::path::Path;
use warpmesh::program::random::Random;
use warpmesh::{
    chip::*,
    core::memory::{memory_port, posted_writes},
    host::{Host, Limits, run_on},
    program::kernels,
    report::{RunReport, Verdict},
};

const POSTED: &str = "memory.write_reply=none";

fn chip(config: &str, overrides: &[&str]) -> Result<Chip, String> {
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    load(Some(Path::new(config)), &overrides).map_err(|error| format!("{error:?}"))
}

/// Runs a kernel; the report, and how many reads and fences were sent.
fn verified(chip: &Chip, kernel: &str, size: u32) -> (RunReport, u64, u64) {
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let limits = Limits { max_cycles: 400_000, watchdog: 20_000, ..Limits::default() };
    let mut host = Host::new(chip, &options()).expect("a chip");
    let report = run_on(&mut host, &launch, limits, 1, |_, _| Ok(()));
    let report = report.unwrap_or_else(|error| panic!("{kernel} on {:?}: {error}", chip.config()));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{report}");
    let statistics = host.statistics();
    (report, statistics.total(memory_port::READ_REQUESTS), statistics.total(posted_writes::FENCES))
}

/// One of them, and the rest.
fn one_of<'a>(random: &mut Random, choices: &[&'a [&'a str]]) -> &'a [&'a str] {
    choices[random.below(choices.len() as u64) as usize]
}

/// Random parts of what may be around: network, clocks, caches, order, controllers.
fn overrides(random: &mut Random) -> Vec<&'static str> {
    let kinds: [&[&[&'static str]]; 7] = [
        &[
            &["network.vcs=2"],
            &["network.vcs=2", "network.routing=class-based"],
            &["network.vcs=2", "network.routing=yx", "network.pipeline=1", "network.vc_depth=2"],
            &["network.vcs=2", "network.topology=crossbar"],
            &["network.vcs=1", "network.organisation=dedicated", "network.channel_bytes=8"],
            &["network.model=ideal"],
        ],
        &[
            &[],
            &["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"],
            &["clocks.dram=40"],
            &["clocks.core=300", "clocks.noc=900", "clocks.dram=300"],
        ],
        &[
            &[],
            &["cache.l2.bytes=4096"],
            &["cache.l2.bytes=8192", "cache.l2.write_miss=allocate", "cache.l2.latency=3"],
        ],
        &[&[], &["cache.l1d.bytes=2048"], &["cache.l1d.bytes=4096", "cache.l1d.write_hit=through"]],
        &[&["core.memory_order=warp"], &["core.memory_order=line"]],
        &[&[], &["memory.controllers=3"], &["memory.line_bytes=128"]],
        &[&[], &["memory.scheduler=fr-fcfs"], &["memory.scheduler=fifo-banks", "memory.queue_entries=2"]],
    ];
    kinds.into_iter().flat_map(|choices| one_of(random, choices)).copied().chain([POSTED]).collect()
}

#[test]
fn kernels_verify_on_random_chips_and_reads_alone_are_answered() {
    let mut random = Random::new(3);
    for _ in 0..part_or_all(2, 4) {
        let drawn = overrides(&mut random);
        let chip = chip("default.toml", &drawn).unwrap_or_else(|error| panic!("{error}"));
        let cores = chip.core_nodes().len() as u64;
        for (kernel, size) in [("transpose", 40), ("reduction", 2000), ("bfs", 100)] {
            let (report, reads, fences) = verified(&chip, kernel, size);
            assert_eq!(report.network.reply_packets, reads, "{kernel}: {drawn:?}");
            // At the end of the kernel alone, and only where something was written.
            assert!(fences > 0 && fences <= cores * chip.memory_nodes().len() as u64, "{kernel}: {fences}");
        }
    }
}

/// The end of a kernel waits for a slow DRAM, with nothing in between that would.
#[test]
fn kernels_run_one_after_the_other() {
    let slow = ["network.vcs=2", "clocks.dram=30", "memory.queue_entries=64", POSTED];
    for more in [&[][..], &["cache.l2.bytes=4096"], &["cache.l1d.bytes=2048"]] {
        let chip = chip("small.toml", &[&slow, more].concat()).unwrap_or_else(|error| panic!("{error}"));
        let mut host = Host::new(&chip, &options()).expect("a chip");
        for kernel in ["vector_add", "transpose", "vector_add"] {
            let launch = kernels::find(kernel).expect("one").launch(Some(40), 1, &chip.target());
            let launch = launch.unwrap_or_else(|error| panic!("{error}"));
            host.start(&launch).expect("it fits");
            let (verdict, _) = host.run(Limits::default(), |_, _| Ok(())).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(verdict, Verdict::Completed);
            launch.verify(|address, bytes| host.read_memory(address, bytes)).unwrap_or_else(|wrong| panic!("{wrong}"));
        }
    }
}

#[test]
fn networks_that_reorder_are_refused_with_the_key() {
    let said = |overrides: &[&str]| chip("default.toml", &[overrides, &[POSTED]].concat()).expect_err("it cannot be");
    assert!(chip("cp-cr.toml", &[POSTED]).expect_err("checkerboard routing").contains("network.routing"));
    assert!(chip("cp-dor.toml", &[POSTED]).is_ok());
    let refused: [(&str, &[&str]); 8] = [
        ("network.vcs", &["network.vcs=4"]),
        ("network.routing", &["network.routing=o1-turn"]),
        ("network.routing", &["network.routing=romm"]),
        ("network.routing", &["network.routing=adaptive"]),
        ("network.routing", &["network.vcs=2", "network.routing=odd-even"]),
        ("network.routing", &["network.topology=flattened-butterfly", "network.routing=ugal"]),
        ("network.organisation", &["network.vcs=2", "network.organisation=combined"]),
        ("network.ejection_ports", &["network.vcs=2", "network.ejection_ports=2"]),
    ];
    for (key, overrides) in refused {
        let said = said(overrides);
        assert!(said.contains(key) && said.contains("write_reply"), "{overrides:?}: {said}");
    }
}
