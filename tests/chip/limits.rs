//! Limit studies: a perfect memory, ideal networks with and without limits.

use crate::{campaign::part_or_all, matrix::options};
use std::path::Path;
use warpmesh::{
    chip::*,
    host::{Limits, run},
    program::kernels,
    report::{RunReport, Verdict},
};

fn chip(config: &str, overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn verified(chip: &Chip, kernel: &str, size: u32) -> RunReport {
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let report = run(chip, &launch, &options(), Limits::default(), 1, |_, _| Ok(()));
    let report = report.unwrap_or_else(|error| panic!("{kernel}: {error}"));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{report}");
    report
}

const KERNELS: [(&str, u32); 8] = [
    ("vector_add", 1000),
    ("saxpy", 1000),
    ("matmul", 16),
    ("reduction", 2000),
    ("transpose", 40),
    ("collatz", 100),
    ("gather", 500),
    ("bfs", 100),
];

#[test]
fn nothing_is_faster_than_a_perfect_memory() {
    let perfect = ["memory.model=perfect"];
    let chips = [chip("default.toml", &perfect), chip("small-l1.toml", &perfect)];
    for (kernel, size) in KERNELS.into_iter().step_by(part_or_all(2, 1)) {
        for chip in &chips {
            let report = verified(chip, kernel, size);
            assert!(
                report.behavioural.iter().any(|part| part.starts_with("perfect memory")),
                "{:?}",
                report.behavioural
            );
            assert_eq!(
                (report.network.reply_latency, report.dram.requests, report.l1d.is_none()),
                (Some(0.0), 0, true)
            );
        }
        let [perfect, ideal] = ["memory.model=perfect", "network.model=ideal"].map(|model| {
            let report = verified(&chip("default.toml", &[model]), kernel, size);
            report.core_cycles
        });
        assert!(perfect < ideal, "{kernel}: {perfect}, {ideal}");
    }
}

/// Lines of other sizes, and stores of bytes: the memory itself is right.
#[test]
fn a_perfect_memory_holds_lines_of_any_size() {
    for line in [32, 64, 128] {
        let line = format!("memory.line_bytes={line}");
        let chip = chip("small.toml", &["memory.model=perfect", &line, "core.memory_order=line"]);
        verified(&chip, "bfs", 200);
        verified(&chip, "transpose", 40);
    }
}

/// Figure 4.5: twelve flits a cycle of 602 MHz are 0.816 of what eight controllers of 16 bytes a cycle of 1107 MHz
/// give.
#[test]
fn twelve_flits_are_0_816_of_the_bandwidth_of_the_dram() {
    let table = chip("bakhoda-ch6.toml", &["network.model=ideal", "network.ideal_flits=12"]);
    let ratio = table.ideal_bandwidth().expect("a limit");
    assert!((ratio - 12.0 * 16.0 * 602.0 / (1107.0 * 8.0 * 16.0)).abs() < 1e-12);
    assert_eq!(format!("{ratio:.3}"), "0.816");
    assert_eq!(chip("bakhoda-ch6.toml", &[]).ideal_bandwidth(), None);
}

/// A packet is let in while the limit has not been reached: with a limit of one flit a packet of any length in a cycle,
/// faster than a flit's bytes a cycle on average; with more the kernels get faster, up to the network without a limit.
#[test]
fn the_last_packet_may_go_beyond_the_limit_of_flits() {
    let cycles = |overrides: &[&str]| verified(&chip("ideal.toml", overrides), "transpose", 64).core_cycles;
    let [bytes, one, four, none] =
        [&["network.ideal_bytes=16"][..], &["network.ideal_flits=1"], &["network.ideal_flits=4"], &[]].map(cycles);
    assert!(bytes > one && one > four && four >= none, "{bytes}, {one}, {four}, {none}");
    let report = verified(&chip("ideal.toml", &["network.ideal_flits=1"]), "transpose", 64);
    let packets = report.network.request_packets + report.network.reply_packets;
    assert!(packets <= report.core_cycles, "{packets} packets, one a cycle, in {} cycles", report.core_cycles);
}

#[test]
fn two_limits_are_refused() {
    let both = ["network.model=ideal", "network.ideal_bytes=16", "network.ideal_flits=1"].map(String::from);
    let error = load(Some(Path::new("small.toml")), &both).expect_err("two limits");
    assert!(format!("{error:?}").contains("network.ideal_flits"));
}

/// What the report says of the way of reads: stages add up, all cores and nodes are there, what is known in two ways is
/// equal.
#[test]
fn the_stages_of_reads_add_up() {
    for overrides in [
        &[][..],
        &["memory.write_reply=none", "network.vcs=2"],
        &["network.model=ideal"],
        &["clocks.core=1296", "clocks.dram=1107", "cache.l2.bytes=8192", "cache.l1d.bytes=2048"],
    ] {
        let report = verified(&chip("default.toml", overrides), "bfs", 200);
        let memory = &report.memory;
        let [there, at, back] = [&memory.to_memory, &memory.at_memory, &memory.to_core].map(|stage| {
            assert_eq!(stage.histogram.iter().sum::<u64>(), stage.count);
            stage.mean.expect("reads")
        });
        let reads: u64 = memory.cores.iter().map(|core| core.latency.count).sum();
        assert_eq!([memory.to_memory.count, memory.at_memory.count, memory.to_core.count], [reads; 3], "{overrides:?}");
        let all = memory.cores.iter().filter_map(|core| Some(core.latency.mean? * core.latency.count as f64));
        let all = all.sum::<f64>() / reads as f64;
        assert!((there + at + back - all).abs() < 1e-6, "{overrides:?}: {there} + {at} + {back} is not {all}");
        let sum = |of: fn(&warpmesh::report::ControllerMemory) -> u64| memory.controllers.iter().map(of).sum::<u64>();
        assert_eq!(sum(|node| node.requests), report.dram.requests);
        assert_eq!(sum(|node| node.row_hits), report.dram.row_hits);
        assert_eq!(sum(|node| node.network_wait_cycles), report.dram.network_wait_cycles);
        assert_eq!(sum(|node| node.reads + node.writes), report.dram.requests);
        assert!(memory.controllers.iter().all(|node| node.queue_longest as f64 >= node.queue_mean));
        let of_cores: u64 = memory.cores.iter().map(|core| core.reads + core.writes).sum();
        assert_eq!(of_cores, report.network.request_packets);
        assert!(memory.cores.iter().all(|core| core.row_hits_at_injection <= core.reads + core.writes));
        let l2: u64 = memory.controllers.iter().filter_map(|node| Some(node.l2.as_ref()?.reads)).sum();
        assert_eq!(l2, report.l2.map_or(0, |l2| l2.reads));
        // A load waits at least as long as its packets are in flight, where no cache answers it.
        let waits = memory.cores.iter().map(|core| (core.issue_to_data, core.latency.mean));
        assert!(report.l1d.is_some() || waits.into_iter().all(|(all, packets)| all >= packets), "{overrides:?}");
    }
}
