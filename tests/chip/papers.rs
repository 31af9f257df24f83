//! The chips of the papers: kernels verify on small relatives of each; networks of the thesis on the chip of its table
//! 6.1.

use crate::matrix::options;
use std::path::Path;
use warpmesh::{
    chip::*,
    core::{IssueRule, WarpScheduler},
    host::{Host, Limits, residency, run_on},
    program::kernels,
    report::Verdict,
};

fn chip(config: &str) -> Chip {
    load(Some(Path::new(config)), &[]).unwrap_or_else(|error| panic!("{error}"))
}

const SMALL: [&str; 6] = [
    "small-ch3.toml",
    "small-ch6.toml",
    "small-stream.toml",
    "small-kim-ch2.toml",
    "small-kim-ch4.toml",
    "small-kim-ch5.toml",
];

/// Each kernel on two of them.
#[test]
fn kernels_verify_on_small_relatives() {
    for (i, name) in SMALL.into_iter().enumerate() {
        let chip = chip(name);
        let mut host = Host::new(&chip, &options()).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (_, kernel) in kernels::ALL.iter().enumerate().filter(|(k, _)| k % 3 == i % 3) {
            let launch = kernel.launch(Some(kernel.default_size / 4), 1, &chip.target());
            let launch = launch.unwrap_or_else(|error| panic!("{error}"));
            let report = run_on(&mut host, &launch, Limits::default(), 1, |_, _| Ok(()));
            let report = report.unwrap_or_else(|error| panic!("{name}, {}: {error}", kernel.name));
            assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{name}: {report}");
        }
    }
}

/// A small relative has the cores, caches, clocks and DRAM of the chip, and nearly as many cores to a controller.
#[test]
fn small_relatives_differ_in_the_network_alone() {
    let whole = ["bakhoda-ch3", "bakhoda-ch6", "stream-4x4", "kim-ch2", "kim-ch4", "kim-ch5"];
    for (small, whole) in SMALL.into_iter().zip(whole) {
        let [small, whole] = [chip(small), chip(&format!("{whole}.toml"))];
        let ratio = |chip: &Chip| chip.core_nodes().len() as f64 / chip.memory_nodes().len() as f64;
        assert!((ratio(&small) / ratio(&whole) - 1.0).abs() < 0.21, "{}", small.config().name);
        let parts = |chip: &Chip| {
            let ChipConfig { clocks, core, cache, memory, .. } = chip.config().clone();
            (clocks, core, cache, MemoryConfig { controllers: 1, ..memory })
        };
        assert_eq!(parts(&small), parts(&whole), "{}", small.config().name);
    }
}

/// What the tables of the papers say of cores, by the configurations that follow them.
#[test]
fn cores_are_those_of_the_tables() {
    let core = |name: &str| chip(&format!("{name}.toml")).core();
    let ch3 = core("bakhoda-ch3");
    assert_eq!((ch3.issue, ch3.pipeline_depth()), (IssueRule::Barrel, 24), "section 3.1");
    for name in ["bakhoda-ch3", "bakhoda-ch6", "kim-ch2", "kim-ch4", "kim-ch5"] {
        let core = core(name);
        assert_eq!((core.banks(), core.group_threads()), (16, 16), "{name}: banks of shared memory, threads that meet");
    }
    // DFIFO: a warp with a miss is out of the round.
    let stream = core("stream-8x8");
    assert_eq!((stream.issue, stream.scheduler), (IssueRule::Barrel, WarpScheduler::RoundRobin));
}

/// Nothing keeps the cores of Kim's chips from filling their MSHRs, whatever the requests are.
#[test]
fn limits_of_kims_chips_are_not_below_their_mshrs() {
    for name in ["kim-ch2", "kim-ch4", "kim-ch5", "small-kim-ch2", "small-kim-ch4", "small-kim-ch5", "fermi"] {
        let core = chip(&format!("{name}.toml")).core();
        let l1d = core.l1d.as_ref().expect("a data cache");
        let (lines, targets) = (l1d.entries, l1d.entries * l1d.targets);
        assert!(1 << core.tag_bits >= targets.min(256), "{name}: tags");
        assert!(core.load_entries >= lines && core.max_outstanding >= lines, "{name}: loads and lines");
    }
    // Loads of a line each fill the 64 entries of the thesis' largest design.
    let overrides = ["cache.l1d.mshr.entries=64", "cache.l2.mshr.entries=128", "cache.l2.write_back_entries=128"];
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    let chip = load(Some(Path::new("small-kim-ch5.toml")), &overrides).unwrap_or_else(|error| panic!("{error}"));
    let launch = kernels::find("stream").expect("a kernel").launch(Some(4096), 1, &chip.target());
    let launch = launch.unwrap_or_else(|error| panic!("{error}"));
    let mut host = Host::new(&chip, &options()).expect("a chip");
    let report = run_on(&mut host, &launch, Limits::default(), 1, |_, _| Ok(())).expect("it runs");
    assert_eq!(report.l1d.and_then(|l1d| l1d.entries_in_use).map(|used| used.most), Some(64));
}

/// A throttle that decides when the MSHRs are full needs kernels that go on missing: those of its study come in several
/// waves of blocks.
#[test]
fn rows_of_the_study_of_throttles_come_in_waves() {
    let text = include_str!("../../studies/kim-throttling.toml");
    let study: toml::Table = text.parse().expect("TOML");
    let chip = chip(&format!("{}.toml", study["config"].as_str().expect("a name")));
    let kernels = study["kernel"].as_array().expect("a list");
    let rows: Vec<_> = kernels.iter().filter(|kernel| kernel["name"].as_str() == Some("rowwalk")).collect();
    assert_eq!(rows.len(), 3);
    for kernel in rows {
        let size = kernel["size"].as_integer().expect("a number") as u32;
        let launch = kernels::find("rowwalk").expect("a kernel").launch(Some(size), 1, &chip.target());
        let launch = launch.unwrap_or_else(|error| panic!("{error}"));
        let wave = residency(&chip, &launch).expect("it fits").slots as usize * chip.core_nodes().len();
        let blocks: u32 = launch.grid.iter().product();
        assert!(blocks as usize >= 4 * wave, "{blocks} blocks, {wave} at a time");
    }
}

/// `ch6-X` has the network of `X` and all else of `bakhoda-ch6`.
#[test]
fn designs_on_the_chip_of_table_6_1_have_their_networks() {
    let base = chip("bakhoda-ch6.toml").config().clone();
    let mut designs = 0;
    for (name, _) in EMBEDDED.iter().filter(|(name, _)| name.starts_with("ch6-")) {
        let config = chip(name).config().clone();
        assert_eq!(config.network, chip(&name["ch6-".len()..]).config().network, "{name}");
        assert_eq!(
            ChipConfig { name: base.name.clone(), network: base.network.clone(), base: base.base.clone(), ..config },
            base
        );
        designs += 1;
    }
    assert!(designs >= 6);
}
