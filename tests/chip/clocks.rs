//! Chips whose cores, network and DRAM have different clocks.

use crate::campaign::part_or_all;
use crate::matrix::options;
use std::path::Path;
use warpmesh::{
    chip::{Chip, build, load},
    host::{Host, Limits, run_on},
    netlist::elaborate,
    program::{Launch, kernels},
    report::{RunReport, Verdict},
    sim::{Engine, Options},
};

fn chip(config: &str, [core, noc, dram]: [u32; 3], more: &[&str]) -> Chip {
    let mut overrides: Vec<_> = more.iter().map(ToString::to_string).collect();
    for (part, mhz) in [("core", core), ("noc", noc), ("dram", dram)] {
        overrides.push(format!("clocks.{part}={mhz}"));
    }
    load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn launch(chip: &Chip, kernel: &str, size: u32) -> Launch {
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"))
}

fn verified(chip: &Chip, (kernel, size): (&str, u32), options: &Options) -> RunReport {
    verified_on(&mut Host::new(chip, options).expect("a chip"), chip, (kernel, size))
}

/// The same behind other kernels on the host.
fn verified_on(host: &mut Host, chip: &Chip, (kernel, size): (&str, u32)) -> RunReport {
    let limits = Limits { max_cycles: 3_000_000, watchdog: 30_000, ..Limits::default() };
    let report = run_on(host, &launch(chip, kernel, size), limits, 1, |_, _| Ok(()));
    let report = report.unwrap_or_else(|error| panic!("{kernel}: {error}"));
    let clocks = &chip.config().clocks;
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{clocks:?}: {report}");
    report
}

/// Core, network, DRAM, MHz: the thesis', one apart and two together in every way, near each other, far apart.
const CLOCKS: [[u32; 3]; 8] = [
    [1296, 602, 1107],
    [600, 600, 900],
    [600, 900, 900],
    [900, 600, 900],
    [1000, 999, 1001],
    [100, 10, 1],
    [1, 7, 10],
    [10_000, 9_973, 9_967],
];

#[test]
fn kernels_verify_at_all_ratios() {
    for (i, clocks) in CLOCKS.into_iter().enumerate() {
        let chips = [
            ("small.toml", &[][..]),
            ("small-l2.toml", &["memory.scheduler=fr-fcfs"]),
            ("small-l2.toml", &["network.model=ideal", "network.ideal_bytes=16"]),
        ];
        for (config, more) in chips.into_iter().skip(part_or_all(i % 3, 0)).take(part_or_all(1, 3)) {
            let chip = chip(config, clocks, more);
            let mut host = Host::new(&chip, &options()).expect("a chip");
            for kernel in [("transpose", 24), ("reduction", 300), ("bfs", 60)] {
                verified_on(&mut host, &chip, kernel);
            }
        }
    }
}

/// What a flush of caches with a slow clock leaves behind does not touch the next kernel.
#[test]
fn kernels_run_one_after_the_other_with_a_slow_network() {
    let chip = chip("small-l2.toml", [997, 31, 400], &[]);
    let mut host = Host::new(&chip, &options()).expect("a chip");
    for kernel in [("vector_add", 8), ("transpose", 24), ("vector_add", 300), ("bfs", 60), ("vector_add", 8)] {
        verified_on(&mut host, &chip, kernel);
    }
}

#[test]
fn engines_agree_on_a_chip_of_three_clocks() {
    let chip = chip("small-l2.toml", CLOCKS[0], &[]);
    let report = |engine| {
        let options = Options { engine, ..options() };
        RunReport { engine: String::new(), simulation: Default::default(), ..verified(&chip, ("bfs", 30), &options) }
    };
    let reference = report(Engine::Interpreter);
    for engine in part_or_all(&[Engine::Vector][..], &[Engine::Word, Engine::Vector, Engine::Auto]) {
        assert_eq!(report(*engine), reference, "{engine:?}");
    }
}

/// Equal frequencies are one clock, whatever they are: no crossing, the same cycles.
#[test]
fn equal_clocks_are_one() {
    let of = |mhz: u32| {
        let chip = chip("small.toml", [mhz; 3], &[]);
        let design = elaborate(&build(&chip).expect("a chip")).unwrap_or_else(|error| panic!("{error}"));
        assert!(!design.top.crosses_clocks());
        verified(&chip, ("reduction", 500), &options())
    };
    let [slow, mut fast] = [of(300), of(600)];
    assert_eq!(slow.core_cycles, fast.core_cycles);
    // A link carries twice as much in a second, and the same in a cycle.
    fast.network.subnetworks.iter_mut().for_each(|subnetwork| subnetwork.link_gb_per_s /= 2.0);
    assert_eq!(slow.network, fast.network);
    let ratio = slow.cost.network.dynamic_w / fast.cost.network.dynamic_w;
    assert!((ratio - 0.5).abs() < 1e-9, "half the clock is half the dynamic power: {ratio}");
}

/// Crossings with as many places as credits become full, which is no mistake: only a word that finds no place would be.
#[test]
fn queues_as_deep_as_their_crossing_may_be_full() {
    for packets in [8, 16] {
        let more = format!("network.tx_queue_packets={packets}");
        let chip = load(Some(Path::new("small-ch6.toml")), &[more]).unwrap_or_else(|error| panic!("{error}"));
        verified(&chip, ("bfs", 500), &options());
    }
}

/// A part with a slower clock is more of a limit, and figures are those of its own clock.
#[test]
fn each_clock_has_its_effect() {
    let run = |clocks| verified(&chip("small.toml", clocks, &[]), ("transpose", 64), &options());
    let [all, slow_noc, slow_dram] = [[900, 600, 700], [900, 200, 700], [900, 600, 100]].map(run);
    assert!(slow_noc.core_cycles > all.core_cycles && slow_dram.core_cycles > all.core_cycles);
    assert_eq!(slow_noc.dram.requests, all.dram.requests);
    // The same bursts of as many DRAM cycles, in a longer time.
    assert_eq!(slow_dram.dram.bus_busy_cycles, all.dram.bus_busy_cycles);
    assert!(slow_dram.dram.bandwidth_share > all.dram.bandwidth_share);
    for report in [&all, &slow_noc, &slow_dram] {
        let cycles = report.core_cycles as f64 * f64::from(report.clocks.dram) / f64::from(report.clocks.core);
        let controllers = chip("small.toml", [1; 3], &[]).map().controllers() as f64;
        let share = report.dram.bus_busy_cycles as f64 / cycles / controllers;
        assert!((share - report.dram.bandwidth_share).abs() < 1e-9);
        assert!(report.to_string().contains("network cycles mean"), "{report}");
    }
}

/// Overlays with a clock of their own, or that of another part: results are those of the host, and the faster they are
/// the sooner replies come.
#[test]
fn kernels_verify_at_all_ratios_of_network_and_overlays() {
    let at = |clocks: [u32; 3], overlay: u32, more: &[&str]| {
        let own = format!("clocks.overlay={overlay}");
        chip("small-da2mesh.toml", clocks, &[&[own.as_str()], more].concat())
    };
    let narrow = ["network.overlay.channel_bytes=1"];
    let mean =
        |overlay: u32| verified(&at([600; 3], overlay, &narrow), ("transpose", 24), &options()).network.reply_latency;
    let [same, twice, more] = [0, 1200, 1500].map(mean).map(|latency| latency.expect("there are replies"));
    assert!(twice < 0.7 * same && more < 0.9 * twice, "{same}, {twice}, {more}");
    for (clocks, overlay) in
        [([600, 600, 900], 601), ([1126, 1000, 1750], 2500), ([600, 900, 300], 300), ([100, 10, 1], 7)]
            .into_iter()
            .step_by(part_or_all(2, 1))
    {
        for injection in ["single", "split"] {
            let key = format!("network.overlay.injection={injection}");
            let chip = at(clocks, overlay, &[&key, "core.atomics=true"]);
            verified(&chip, ("transpose", 24), &options());
        }
    }
}

#[test]
fn impossible_clocks_are_refused_with_key_and_range() {
    for key in ["clocks.core", "clocks.noc", "clocks.dram", "clocks.overlay"] {
        // An overlay of 0 MHz has the clock of the network.
        let least = if key == "clocks.overlay" { 10_001 } else { 0 };
        for mhz in [least, 10_001] {
            let error = load(None, &[format!("{key}={mhz}")]).expect_err("it cannot be");
            let text = format!("{error:?}");
            assert!(text.contains(key) && text.contains("10000"), "{text}");
        }
    }
}
