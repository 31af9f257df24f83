//! A small chip with a warp scheduler, a throttle and a prefetcher.

use std::path::Path;
use warpmesh::{
    chip::load,
    core::{Prefetcher, Throttle, WarpScheduler},
    host::{Limits, run},
    program::kernels,
    report::{RunReport, Verdict},
    sim::{Engine, Options},
};

/// What is combined.
#[derive(Clone, Copy, Debug)]
pub struct Policies {
    pub scheduler: WarpScheduler,
    pub throttle: Throttle,
    pub prefetcher: Prefetcher,
}

/// Kernels and their sizes: each class of locality, barriers, divergence.
pub const KERNELS: [(&str, u32); 10] = [
    ("reduction", 500),
    ("rowwalk", 128),
    ("bfs", 60),
    ("gridstride", 512),
    ("matmul", 16),
    ("shared_stream", 128),
    ("gather", 200),
    ("straight", 256),
    ("transpose", 24),
    ("halo", 64),
];

/// Runs a kernel on these engines: each verifies the memory that it leaves, and all reports are equal.
pub fn verify(policies: Policies, (kernel, size): (&str, u32), engines: &[Engine]) {
    let Policies { scheduler, throttle, prefetcher } = policies;
    let mut overrides = vec![
        format!("core.scheduler={}", scheduler.name()),
        format!("core.throttle.kind={}", throttle.name()),
        format!("core.prefetch.kind={}", prefetcher.name()),
        "core.memory_order=line".into(),
        "cache.l1d.mshr.entries=4".into(),
    ];
    overrides.extend(match throttle {
        Throttle::Fixed => Some("core.throttle.warps=2".into()),
        Throttle::Hits | Throttle::HitsAlone => Some("core.throttle.min_cycles=40".into()),
        Throttle::None | Throttle::CacheConscious | Throttle::Own(_) => None,
    });
    if prefetcher != Prefetcher::None {
        overrides.push("cache.l1d.only_prefetches=true".into());
    }
    let chip =
        load(Some(Path::new("small-l1.toml")), &overrides).unwrap_or_else(|error| panic!("{policies:?}: {error}"));
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|error| panic!("{kernel}: {error}"));
    let limits = Limits { max_cycles: 500_000, watchdog: 5_000, ..Limits::default() };
    let report = |engine| -> RunReport {
        let options = Options { engine, threads: 1, ..Options::default() };
        let report = run(&chip, &launch, &options, limits, 1, |_, _| Ok(()));
        let report = report.unwrap_or_else(|error| panic!("{policies:?}, {kernel} on {engine}: {error}"));
        let good = (report.verdict, report.verified) == (Verdict::Completed, Some(true));
        assert!(good, "{policies:?}, {kernel} on {engine}: {report}");
        RunReport { engine: String::new(), ..report.without_timing() }
    };
    let reports: Vec<_> = engines.iter().map(|engine| report(*engine)).collect();
    assert!(
        reports.iter().all(|report| *report == reports[0]),
        "{policies:?}, {kernel}: reports differ on {engines:?}"
    );
}
