//! Whole chips: composition, and kernels run to their end.

use crate::{campaign::part_or_all, matrix::options};
use std::path::Path;
use warpmesh::{
    chip::*,
    host::{Host, Limits, residency, run, run_on},
    netlist::elaborate,
    noc::MessageClass,
    program::{Argument, Buffer, Launch, Target, compile, emulator, kernels},
    report::{RunReport, Verdict},
    sim::{Engine, Options, Simulator},
};

fn chip(config: &str, overrides: &[&str]) -> Chip {
    let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
    load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn chips_elaborate() {
    for (config, overrides) in [("small.toml", &[][..]), ("default.toml", &[]), ("default.toml", &["core.lanes=16"])] {
        let chip = chip(config, overrides);
        let top = build(&chip).expect("a network");
        let design = elaborate(&top).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(design.top.instances.iter().filter(|i| i.tile).count(), design.top.instances.len());
        assert_eq!(design.top.instances.len(), 1 + 3 * chip.nodes());
    }
}

fn launch(chip: &Chip, kernel: &str, size: u32) -> Launch {
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    builtin.launch(Some(size), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"))
}

fn verified(chip: &Chip, kernel: &str, size: u32, options: &Options) -> RunReport {
    OneAfterTheOther::new(chip, options).verified(kernel, size)
}

/// A chip that is built once for several kernels.
struct OneAfterTheOther<'a> {
    chip: &'a Chip,
    host: Host,
}

impl<'a> OneAfterTheOther<'a> {
    fn new(chip: &'a Chip, options: &Options) -> Self {
        Self { chip, host: Host::new(chip, options).unwrap_or_else(|error| panic!("{error}")) }
    }

    fn verified(&mut self, kernel: &str, size: u32) -> RunReport {
        let launch = launch(self.chip, kernel, size);
        let limits = Limits { max_cycles: 300_000, watchdog: 5_000, ..Limits::default() };
        let report = run_on(&mut self.host, &launch, limits, 1, |_, _| Ok(()));
        let report = report.unwrap_or_else(|error| panic!("{kernel}: {error}"));
        assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{report}");
        report
    }
}

#[test]
fn vector_add_on_the_small_chip() {
    verified(&chip("small.toml", &[]), "vector_add", 300, &options());
}

/// With a core beside a controller each flit takes one link. The report says of each subnetwork how many, and which
/// packets went YX.
#[test]
fn links_of_each_subnetwork_are_reported() {
    let neighbours = ["network.columns=2", "network.rows=1", "network.placement={ list = [1] }", "network.vcs=4"];
    let run = |more: &[&str]| {
        let report = verified(&chip("small.toml", &[&neighbours, more].concat()), "transpose", 24, &options());
        let flits: u64 = report.network.subnetworks.iter().map(|part| part.flits).sum();
        assert_eq!(flits, report.network.flits, "{report}");
        for part in &report.network.subnetworks {
            assert_eq!(part.links, 2, "{report}");
            assert!(part.flits > report.network.flits / 10, "{report}");
            let of_cycle = part.flits as f64 / report.core_cycles as f64;
            assert!((part.link_use - of_cycle / 2.0).abs() < 1e-9, "{report}");
        }
        report
    };
    let single = run(&[]);
    assert_eq!((single.network.subnetworks.len(), single.network.yx_packets), (1, None));
    assert!(!single.to_string().contains("link use, network") && !single.to_string().contains("YX"), "{single}");
    let double = run(&["network.organisation=combined", "network.routing=class-based"]);
    assert_eq!((double.network.subnetworks.len(), double.network.yx_packets), (2, Some(double.network.reply_packets)));
    assert!(
        double.to_string().contains("link use, network 1") && double.to_string().contains("YX packets"),
        "{double}"
    );
    let half = run(&["network.routing=o1-turn"]);
    let (yx, all) = (
        half.network.yx_packets.expect("it has both orders"),
        half.network.request_packets + half.network.reply_packets,
    );
    assert!((all / 3..all / 3 * 2).contains(&yx), "{yx} of {all}");
    assert!(
        verified(&chip("small.toml", &["network.model=ideal"]), "transpose", 24, &options())
            .network
            .subnetworks
            .is_empty()
    );
}

/// Longer lines are fewer requests, shorter ones more; with routers and without.
#[test]
fn kernels_verify_with_lines_of_other_sizes() {
    let requests = |line: u32, model: &str| {
        let overrides = [format!("memory.line_bytes={line}"), format!("network.model={model}")];
        let chip = chip("small.toml", &overrides.each_ref().map(String::as_str));
        verified(&chip, "reduction", 500, &options());
        verified(&chip, "transpose", 24, &options()).dram.requests
    };
    for model in ["routers", "ideal"] {
        let [short, usual, long] = [32, 64, 128].map(|line| requests(line, model));
        assert!(short > usual && usual > long, "{model}: {short}, {usual}, {long}");
    }
}

/// An L2 bank of each kind, too small for what the kernels touch.
#[test]
fn kernels_verify_with_every_kind_of_l2() {
    let kinds: [&[&str]; 6] = [
        &[],
        &["cache.l2.write_miss=allocate", "cache.l2.latency=3", "memory.line_bytes=128"],
        &[
            "cache.l2.allocation=on-miss",
            "cache.l2.mshr.kind=tsma",
            "cache.l2.write_miss=allocate",
            "cache.l2.replacement=fifo",
            "cache.l2.write_back_entries=1",
        ],
        &[
            "cache.l2.mshr.kind=set-associative",
            "cache.l2.mshr.ways=2",
            "cache.l2.replacement=random",
            "memory.line_bytes=32",
            "memory.scheduler=fr-fcfs",
        ],
        &["cache.l2.write_hit=through", "cache.l2.replacement=tree", "cache.l2.index=hashed", "network.model=ideal"],
        &[
            "cache.l2.write_hit=evict",
            "cache.l2.ways=1",
            "cache.l2.mshr.targets=1",
            "memory.scheduler=fr-fcfs-global",
            "memory.min_latency=20",
        ],
    ];
    for kind in kinds {
        let chip = chip("small-l2.toml", kind);
        let mut host = OneAfterTheOther::new(&chip, &options());
        for (kernel, size) in [("transpose", 40), ("reduction", 2000), ("gather", 500), ("bfs", 100)] {
            host.verified(kernel, size);
        }
    }
}

/// Write and miss kinds of data caches, replacement, indices, lines; without and with an L2, other clocks, an ideal
/// network.
#[test]
fn kernels_verify_with_every_kind_of_data_cache() {
    let kinds: [&[&str]; 6] = [
        &[],
        &[
            "cache.l1d.write_hit=through",
            "cache.l1d.write_miss=allocate",
            "cache.l1d.mshr.targets=1",
            "cache.l2.bytes=2048",
        ],
        &["cache.l1d.mshr.kind=tsma", "cache.l1d.allocation=on-miss", "cache.l1d.replacement=tree", "clocks.noc=500"],
        &[
            "cache.l1d.mshr.kind=set-associative",
            "cache.l1d.mshr.ways=4",
            "cache.l1d.index=hashed",
            "cache.l1d.replacement=random",
            "memory.line_bytes=128",
            "memory.scheduler=fr-fcfs",
            "cache.l2.bytes=8192",
        ],
        &[
            "cache.l1d.mshr.entries=2",
            "core.max_outstanding=2",
            "cache.l1d.miss_queue_entries=1",
            "network.routing=o1-turn",
            "network.vcs=4",
        ],
        &["cache.l1d.ways=1", "cache.l1d.write_hit=through", "network.model=ideal"],
    ];
    for kind in kinds {
        let chip = chip("small-l1.toml", kind);
        let mut host = OneAfterTheOther::new(&chip, &options());
        for (kernel, size) in [("transpose", 40), ("reduction", 2000), ("gather", 500), ("bfs", 100), ("matmul", 16)] {
            host.verified(kernel, size);
        }
    }
}

/// A kernel starts when the caches are cleared, so one that fits in each has the same cycles with all.
#[test]
fn a_kernel_takes_no_longer_because_a_cache_is_large() {
    for clocks in [&[][..], &["clocks.core=1296", "clocks.noc=602"]] {
        let cycles = [("16384", "65536"), ("65536", "1048576")].map(|(l1, l2)| {
            let bytes = [format!("cache.l1d.bytes={l1}"), format!("cache.l2.bytes={l2}")];
            let overrides = [clocks, &bytes.each_ref().map(String::as_str)].concat();
            verified(&chip("small-l1.toml", &overrides), "vector_add", 300, &options()).core_cycles
        });
        // The start meets the clocks in another phase.
        let phase = if clocks.is_empty() { 0 } else { 2 };
        assert!(cycles[0].abs_diff(cycles[1]) <= phase, "{cycles:?} with {clocks:?}");
    }
}

/// The lines that a flush writes back are in the use of the DRAM, and so are its cycles.
#[test]
fn use_of_the_dram_has_the_flush_in_it() {
    let chip = chip("small-l1.toml", &["cache.l2.bytes=65536", "cache.l2.write_miss=allocate"]);
    let report = verified(&chip, "vector_add", 2000, &options());
    let cycles = (report.core_cycles + report.flush_cycles) as f64 * chip.memory_nodes().len() as f64;
    assert!(report.flush_cycles > 300, "{report}");
    assert!((report.dram.bandwidth_share * cycles - report.dram.bus_busy_cycles as f64).abs() < 0.5, "{report}");
}

/// Programs and constants through caches of all kinds, the smallest among them; beside data caches and L2, with other
/// lines, clocks, networks.
#[test]
fn kernels_verify_with_caches_that_are_only_read() {
    let kinds: [&[&str]; 5] = [
        &[],
        &[
            "cache.instruction.bytes=128",
            "cache.instruction.ways=1",
            "cache.instruction.mshr.entries=2",
            "cache.instruction.mshr.targets=1",
            "cache.constant.bytes=128",
            "cache.constant.ways=1",
            "cache.texture.bytes=128",
            "cache.texture.ways=1",
            "cache.texture.mshr.entries=2",
            "cache.texture.mshr.targets=1",
        ],
        &[
            "cache.instruction.mshr.kind=tsma",
            "cache.instruction.allocation=on-miss",
            "cache.constant.mshr.kind=set-associative",
            "cache.constant.mshr.ways=2",
            "cache.l1d.bytes=2048",
            "cache.l2.bytes=4096",
            "core.memory_order=line",
            "clocks.noc=500",
        ],
        &[
            "cache.constant.bytes=0",
            "cache.texture.mshr.entries=2",
            "memory.line_bytes=128",
            "cache.instruction.index=hashed",
            "network.model=ideal",
        ],
        &[
            "cache.instruction.bytes=0",
            "cache.texture.bytes=0",
            "memory.line_bytes=32",
            "core.lanes=16",
            "core.memory_order=line",
        ],
    ];
    for kind in kinds {
        let chip = chip("small-caches.toml", kind);
        let mut host = OneAfterTheOther::new(&chip, &options());
        for (kernel, size) in [("convolution", 24), ("blur", 24), ("transpose", 40), ("reduction", 2000), ("bfs", 100)]
        {
            let report = host.verified(kernel, size);
            let constants = report.constant_cache.filter(|_| kernel == "convolution");
            assert!(constants.is_none_or(|cache| cache.read_hits > 0 && cache.writes == 0), "{kind:?}");
            let textures = report.texture_cache.filter(|_| kernel == "blur");
            assert!(textures.is_none_or(|cache| cache.read_hits > 0 && cache.writes == 0), "{kind:?}");
            assert!(report.instruction_cache.is_none_or(|cache| cache.read_hits > 0 && cache.primary_misses > 0));
        }
    }
}

/// Without a flush the second kernel would find the program and the constants of the first one.
#[test]
fn kernels_run_one_after_the_other_on_a_chip_with_caches_that_are_only_read() {
    let chip = chip("small-caches.toml", &[]);
    let mut host = Host::new(&chip, &options()).expect("a chip");
    for (kernel, size, seed) in
        [("convolution", 16, 1), ("blur", 16, 2), ("bfs", 100, 3), ("blur", 16, 5), ("convolution", 16, 4)]
    {
        let builtin = kernels::find(kernel).expect("a kernel of the project");
        let launch = builtin.launch(Some(size), seed, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
        let report = run_on(&mut host, &launch, Limits::default(), 1, |_, _| Ok(()));
        assert_eq!(report.unwrap_or_else(|error| panic!("{kernel}: {error}")).verified, Some(true));
    }
}

/// An instruction cache that holds the kernel asks for its lines once; a smaller one asks again and again, and takes
/// longer.
#[test]
fn a_larger_instruction_cache_saves_fetches() {
    let run = |bytes: u32| {
        let chip = chip("small-caches.toml", &[&format!("cache.instruction.bytes={bytes}")]);
        let report = verified(&chip, "matmul", 32, &options());
        (report.instruction_cache.expect("there is one").primary_misses, report.core_cycles)
    };
    let [small, large] = [256, 8192].map(run);
    assert!(small.0 > 4 * large.0 && small.1 > large.1, "{small:?}, {large:?}");
}

#[test]
fn impossible_caches_that_are_only_read_are_refused_with_key_and_range() {
    for key in ["cache.instruction", "cache.constant", "cache.texture"] {
        for (field, value) in [("bytes", "3000"), ("mshr.kind", "tsma"), ("latency", "2"), ("ways", "17")] {
            let said = load(Some(Path::new("small-caches.toml")), &[format!("{key}.{field}={value}")]);
            let said = format!("{:?}", said.expect_err("it cannot be"));
            let field = if field == "mshr.kind" { "allocation" } else { field };
            assert!(said.contains(&format!("{key}.{field}")), "{said}");
        }
    }
}

/// Any kind of miss handling at L1 and at L2, small enough to refuse; every engine counts the same. The classes of
/// locality are all loads.
#[test]
fn every_kind_of_miss_handling_runs_at_both_levels() {
    let l1: [&[&str]; 4] = [
        &["mshr.kind=htsma", "allocation=on-miss", "mshr.entries=4", "mshr.cam_entries=2", "write_pending=poison"],
        &[
            "mshr.kind=htsma",
            "allocation=on-miss",
            "mshr.entries=8",
            "mshr.cam_pipelined=true",
            "mshr.protected_victims=all",
        ],
        &["mshr.kind=unlimited"],
        &["mshr.kind=set-associative", "mshr.entries=8", "mshr.ways=2", "write_pending=poison"],
    ];
    let l2: [&[&str]; 4] = [
        &["mshr.kind=unlimited"],
        &["mshr.kind=tsma", "allocation=on-miss", "mshr.entries=4"],
        &["mshr.kind=htsma", "allocation=on-miss", "mshr.entries=4", "mshr.cam_entries=2", "write_miss=allocate"],
        &["mshr.kind=htsma", "allocation=on-miss", "mshr.entries=2", "mshr.cam_entries=0"],
    ];
    let engines = [Engine::Interpreter, Engine::Word, Engine::Sliced, Engine::Vector];
    for ((l1, l2), engine) in l1.into_iter().zip(l2).zip(engines) {
        let of = |cache: &str, keys: &[&str]| keys.iter().map(|key| format!("cache.{cache}.{key}")).collect::<Vec<_>>();
        let common =
            ["cache.l2.bytes=2048", "cache.l1d.warp_locality=true", "core.memory_order=line"].map(String::from);
        let all = [of("l1d", l1), of("l2", l2), common.to_vec()].concat();
        let chip = chip("small-l1.toml", &all.iter().map(String::as_str).collect::<Vec<_>>());
        let mut host = OneAfterTheOther::new(&chip, &options());
        for (kernel, size) in [("gather", 500), ("bfs", 100)] {
            let report = host.verified(kernel, size);
            let (l1d, l2) = (report.l1d.as_ref().expect("L1"), report.l2.as_ref().expect("L2"));
            let locality = l1d.locality.expect("classes");
            assert_eq!(locality.intra_hits + locality.inter_hits, l1d.read_hits, "{all:?}");
            assert_eq!(locality.intra_merged + locality.inter_merged, l1d.merged_misses, "{all:?}");
            assert_eq!(l1d.read_hits + l1d.merged_misses + l1d.primary_misses, l1d.reads);
            for (cache, kind) in [(l1d, all[0].as_str()), (l2, all[l1.len()].as_str())] {
                let refused = cache.waits.entry + cache.waits.own.count("cam") + cache.waits.target;
                assert!(!kind.ends_with("unlimited") || refused == 0, "{all:?}");
                if kind.ends_with("htsma") {
                    let [tags, cam] = ["tag_array_accesses", "cam_accesses"].map(|name| cache.own.count(name));
                    assert!(tags + cam >= cache.primary_misses + cache.merged_misses);
                }
            }
        }
        let [report, other] = [Engine::default(), engine].map(|engine| RunReport {
            engine: String::new(),
            ..verified(&chip, "bfs", 40, &Options { engine, ..Options::default() }).without_timing()
        });
        assert_eq!(report, other, "{all:?} on {engine}");
    }
}

/// The sizes of the thesis (Kim, tables 5.3 and 5.4) at L1 and L2 are legal: five data caches of 128-byte lines, three
/// sizes of TSMA.
#[test]
fn the_sizes_of_the_thesis_are_legal() {
    let caches = [(32, 8), (16, 4), (32, 4), (48, 6), (64, 8)];
    let small = [
        [(4, 8), (4, 8), (8, 16)],
        [(12, 8), (12, 8), (12, 16)],
        [(8, 8), (8, 8), (12, 16)],
        [(8, 8), (8, 8), (8, 16)],
    ];
    let small = small.into_iter().chain([[(4, 8), (4, 8), (8, 16)]]);
    let l2 = ["cache.l2.bytes=131072", "memory.line_bytes=128", "cache.l2.allocation=on-miss"].map(String::from);
    for ((kib, ways), sizes) in caches.into_iter().zip(small) {
        // Tags and waiting loads for the lines of all miss entries.
        let for_all = ["core.tag_bits=0", "core.max_outstanding=128"].map(String::from);
        let l1 = [format!("cache.l1d.bytes={}", kib * 1024), format!("cache.l1d.ways={ways}")];
        let l1 = [l1, for_all].concat();
        for ((entries, entries_l2), (s, s_l2)) in [(48, 64), (48, 96), (64, 128)].into_iter().zip(sizes) {
            let of = |level: &str, entries: u32, s: u32| {
                let all = [("mshr.kind", "htsma".into()), ("mshr.entries", entries.to_string())];
                let all = all.into_iter().chain([("mshr.cam_entries", s.to_string())]);
                all.map(|(key, value)| format!("cache.{level}.{key}={value}")).collect::<Vec<_>>()
            };
            let on_miss = ["cache.l1d.allocation=on-miss".to_string()];
            let all = [&l1[..], &l2, &of("l1d", entries, s), &of("l2", entries_l2, s_l2), &on_miss].concat();
            let chip = chip("small-l1.toml", &all.iter().map(String::as_str).collect::<Vec<_>>());
            let (l1, l2) = (chip.core().l1d.expect("L1"), chip.partition().l2.expect("L2").cache);
            assert_eq!((l1.problem(), l2.problem()), (None, None));
            assert_eq!((l1.all_entries(), l2.all_entries()), (entries + s, entries_l2 + s_l2));
            assert_eq!(l1.sets * l1.ways * 128, kib * 1024);
        }
        // Six ways do not divide 64 entries, so the thesis leaves 48 KB out.
        for times in [1, 2, 4, 8].into_iter().filter(|_| ways != 6) {
            let sets = [
                format!("cache.l1d.mshr.ways={}", (ways * times).min(64)),
                format!("cache.l2.mshr.ways={}", 8 * times),
            ];
            let kind = ["l1d", "l2"].map(|level| format!("cache.{level}.mshr.kind=set-associative"));
            let entries = ["cache.l1d.mshr.entries=64", "cache.l2.mshr.entries=128"].map(String::from);
            let all = [&l1[..], &l2, &sets, &kind, &entries].concat();
            let chip = chip("small-l1.toml", &all.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(chip.core().l1d.expect("L1").problem(), None);
        }
    }
}

/// Without a flush the second kernel would find lines of the first one's buffers.
#[test]
fn kernels_run_one_after_the_other_on_a_chip_with_data_caches() {
    let chip = chip("small-l1.toml", &["cache.l2.bytes=4096", "cache.l1d.bytes=16384"]);
    let mut host = Host::new(&chip, &options()).expect("a chip");
    for (kernel, size) in [("gather", 300), ("transpose", 40), ("vector_add", 300), ("bfs", 100), ("gather", 300)] {
        let report = run_on(&mut host, &launch(&chip, kernel, size), Limits::default(), 1, |_, _| Ok(()));
        let report = report.unwrap_or_else(|error| panic!("{kernel}: {error}"));
        assert_eq!(report.verified, Some(true), "{report}");
        assert!(report.flush_cycles > 0);
    }
}

/// A block waits for a word that another one, on another core, writes later: only a load that passes the data cache by
/// ever sees it.
#[test]
fn a_volatile_load_sees_what_another_core_writes() {
    let source = r"
.version 6.0
.target sm_30
.address_size 32
.visible .entry wait(.param .u32 words) {
    .reg .u32 %r<8>;
    .reg .pred %p<3>;
    ld.param.u32 %r1, [words];
    mov.u32 %r2, %ctaid.x;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra SEND;
WAIT:
    ld.volatile.global.u32 %r3, [%r1];
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra WAIT;
    st.global.u32 [%r1+64], %r3;
    ret;
SEND:
    mov.u32 %r4, 400;
COUNT:
    sub.u32 %r4, %r4, 1;
    setp.ne.u32 %p2, %r4, 0;
    @%p2 bra COUNT;
    mov.u32 %r5, 77;
    st.global.u32 [%r1], %r5;
    ret;
}
";
    let chip = chip("small-l1.toml", &["cache.l2.bytes=4096"]);
    let cached = source.replace("ld.volatile.global", "ld.global");
    for (source, expected) in [(source, Verdict::Completed), (cached.as_str(), Verdict::CycleLimit)] {
        let kernel = compile(source, "wait.ptx", None, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
        let buffers = vec![Buffer { name: "words".into(), data: vec![0; 128] }];
        let (name, args) = ("wait".into(), vec![Argument::Buffer(0)]);
        let launch =
            Launch { name, kernel, grid: [2, 1, 1], block: [1, 1, 1], buffers, args, checks: vec![], placement: None };
        let mut host = Host::new(&chip, &options()).expect("a chip");
        host.start(&launch).expect("it fits");
        let limits = Limits { max_cycles: 20_000, ..Limits::default() };
        let (verdict, _) = host.run(limits, |_, _| Ok(())).expect("no rule is broken");
        assert_eq!(verdict, expected);
        if verdict == Verdict::Completed {
            let address = launch.buffer_addresses()[0];
            assert_eq!(host.read_memory(address + 64, 4), [77, 0, 0, 0]);
        }
    }
}

/// Lines that are read again come from the data cache: fewer requests leave the core.
#[test]
fn a_data_cache_saves_requests() {
    let read_requests = |bytes: u32| {
        let chip = chip("small-l1.toml", &[&format!("cache.l1d.bytes={bytes}")]);
        verified(&chip, "matmul", 32, &options()).network.request_packets
    };
    let [none, little, enough] = [0, 2048, 32_768].map(read_requests);
    assert!(none > little && little > enough, "{none}, {little}, {enough}");
}

/// Every prefetcher with ordinary data caches and with prefetch caches; loops with a stride, and loads in a row, are
/// what each of them is for.
#[test]
fn kernels_verify_with_prefetchers() {
    for (kind, kernel) in
        [("pcst", "gridstride"), ("pcst-itpc", "straight"), ("stpe", "straight"), ("mt-hwp", "gridstride")]
    {
        for only in [false, true].into_iter().filter(|only| part_or_all(*only == kind.starts_with("pcst"), true)) {
            let all = [format!("core.prefetch.kind={kind}"), format!("cache.l1d.only_prefetches={only}")];
            let mut overrides = vec![all[0].as_str(), &all[1], "core.memory_order=line"];
            overrides.extend((kind == "mt-hwp").then_some("core.prefetch.adaptive_throttling=true"));
            let chip = chip("small-l1.toml", &overrides);
            let mut host = OneAfterTheOther::new(&chip, &options());
            host.verified("bfs", 100);
            let report = host.verified(kernel, 2048);
            let l1d = report.l1d.expect("data caches");
            let prefetches = l1d.prefetches.expect("prefetchers");
            assert!(prefetches.useful + prefetches.late > 20, "{kind} {only}: {prefetches:?}");
            let told: u64 = prefetches.sources.iter().map(|source| source.generated).sum();
            let dropped = &prefetches.dropped;
            let early = dropped.out_of_range + dropped.degree + dropped.queue + dropped.end;
            let in_cache = dropped.present + dropped.pending + dropped.entry + dropped.blocked;
            // One or two a core may be between its queue and the statistics of its cache.
            assert!(told.abs_diff(early + in_cache + prefetches.issued) <= 2 * report.cores as u64, "{prefetches:?}");
            let of_sources: u64 = prefetches.sources.iter().map(|source| source.issued).sum();
            assert_eq!(of_sources, prefetches.issued);
        }
    }
}

#[test]
fn impossible_data_caches_are_refused_with_key_and_range() {
    let said = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        let error = load(Some(Path::new("small-l1.toml")), &overrides).expect_err("it cannot be");
        format!("{error:?}")
    };
    assert!(said(&["cache.l1d.bytes=3072"]).contains("cache.l1d.bytes"));
    assert!(said(&["cache.l1d.write_hit=back"]).contains("cache.l1d.write_hit"));
    assert!(said(&["cache.l1d.write_miss=allocate"]).contains("cache.l1d.write_miss"));
    assert!(said(&["cache.l1d.mshr.kind=tsma"]).contains("cache.l1d.allocation"));
    assert!(said(&["core.max_outstanding=1"]).contains("core.max_outstanding"));
    assert!(said(&["cache.l1d.mshr.kind=htsma"]).contains("cache.l1d.allocation"));
    let one_way = ["cache.l1d.mshr.kind=htsma", "cache.l1d.allocation=on-miss", "cache.l1d.ways=1"];
    assert!(said(&one_way).contains("cache.l1d.ways"));
    assert!(said(&["cache.l1d.mshr.cam_entries=65"]).contains("cache.l1d.mshr.cam_entries"));
    let fetches = ["cache.l1d.write_hit=through", "cache.l1d.write_miss=allocate", "cache.l1d.write_pending=poison"];
    assert!(said(&fetches).contains("cache.l1d.write_pending"));
    assert!(
        said(&["cache.l2.bytes=4096", "cache.l2.mshr.kind=unlimited", "core.max_outstanding=256", "network.columns=8"])
            .contains("cache.l2.mshr.kind")
    );
}

/// What one kernel leaves in the L2 is in memory before the next one starts, which the host may change meanwhile.
#[test]
fn kernels_run_one_after_the_other_on_a_chip_with_an_l2() {
    let chip = chip("small-l2.toml", &[]);
    let mut host = Host::new(&chip, &options()).expect("a chip");
    for (kernel, size) in [("vector_add", 300), ("transpose", 40), ("vector_add", 300), ("bfs", 100)] {
        let launch = launch(&chip, kernel, size);
        let report = run_on(&mut host, &launch, Limits::default(), 1, |_, _| Ok(())).expect("no rule is broken");
        assert_eq!(report.verified, Some(true), "{report}");
    }
}

/// Lines that are read again come from the L2: the DRAM is asked for fewer of them than without, until each is fetched
/// once.
#[test]
fn an_l2_saves_accesses_to_dram() {
    let requests = |bytes: u32| {
        let chip = chip("small-l2.toml", &[&format!("cache.l2.bytes={bytes}")]);
        let report = verified(&chip, "matmul", 32, &options());
        report.dram.requests
    };
    let [none, little, enough, more] = [0, 2048, 32_768, 65_536].map(requests);
    assert!(none > little && little > enough, "{none}, {little}, {enough}");
    assert_eq!(enough, more);
}

#[test]
fn impossible_l2_banks_are_refused_with_key_and_range() {
    let said = |overrides: &[&str]| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        let error = load(Some(Path::new("small-l2.toml")), &overrides).expect_err("it cannot be");
        format!("{error:?}")
    };
    assert!(said(&["cache.l2.bytes=3072"]).contains("cache.l2.bytes"));
    assert!(said(&["cache.l2.bytes=256"]).contains("power of two of sets"));
    assert!(said(&["cache.l2.mshr.kind=tsma"]).contains("cache.l2.allocation"));
    assert!(said(&["cache.l2.write_hit=evict", "cache.l2.write_miss=allocate"]).contains("cache.l2.write_miss"));
    assert!(said(&["cache.l2.mshr.kind=set-associative", "cache.l2.mshr.ways=3"]).contains("cache.l2.mshr.ways"));
}

#[test]
fn all_kernels_verify_on_the_small_chip() {
    let chip = chip("small.toml", &[]);
    let sizes = [
        ("vector_add", 1000),
        ("saxpy", 1000),
        ("matmul", 32),
        ("reduction", 2000),
        ("transpose", 40),
        ("collatz", 200),
        ("gather", 500),
        ("bfs", 200),
    ];
    let mut host = OneAfterTheOther::new(&chip, &options());
    for (kernel, size) in sizes {
        host.verified(kernel, size);
    }
}

/// Kernels with atomics, where there are any.
#[test]
fn kernels_with_atomics_verify_and_engines_agree() {
    let interpreter = Options { engine: Engine::Interpreter, ..options() };
    let small = chip("small.toml", &["core.atomics=true"]);
    let cached = chip("small-l1.toml", &["core.atomics=true", "cache.l2.bytes=4096"]);
    let larger = chip("default.toml", &["core.atomics=true"]);
    let mut hosts = [(&small, 700), (&cached, 700), (&larger, 5000)]
        .map(|(chip, size)| (OneAfterTheOther::new(chip, &options()), size));
    for kernel in kernels::ATOMIC {
        hosts.iter_mut().for_each(|(host, size)| drop(host.verified(kernel.name, *size)));
        let native = verified(&small, kernel.name, 150, &options()).without_timing();
        let interpreted = verified(&small, kernel.name, 150, &interpreter).without_timing();
        assert_eq!(interpreted, RunReport { engine: "interpreter".into(), ..native }, "{}", kernel.name);
    }
}

#[test]
fn kernels_give_the_same_report_with_one_thread_and_with_two_or_as_many_as_gain_on_the_default_chip() {
    let chip = chip("default.toml", &[]);
    let with = |threads| OneAfterTheOther::new(&chip, &Options { threads, ..options() });
    // Statistics go on from kernel to kernel: both run the same ones.
    let mut pairs = [2, Options::AUTOMATIC_THREADS].map(|threads| [with(1), with(threads)]);
    for (i, kernel) in kernels::ALL.iter().enumerate() {
        let size = kernel.default_size / 4;
        let [one, more] = pairs[i % 2].each_mut().map(|host| host.verified(kernel.name, size));
        assert_eq!(one.without_timing(), more.without_timing(), "{}", kernel.name);
    }
}

#[test]
fn the_interpreter_gives_the_same_report() {
    let interpreter = Options { engine: Engine::Interpreter, ..options() };
    for (name, kernel, size) in [("small-l1.toml", "vector_add", 40), ("small.toml", "matmul", 8)] {
        let chip = chip(name, &[]);
        let native = verified(&chip, kernel, size, &options()).without_timing();
        let interpreted = verified(&chip, kernel, size, &interpreter).without_timing();
        assert_eq!(interpreted, RunReport { engine: "interpreter".into(), ..native }, "{kernel}");
    }
}

#[test]
fn both_engines_agree_on_every_state() {
    let options = Options { validate: Some(Engine::Interpreter), ..options() };
    verified(&chip("small.toml", &[]), "reduction", 300, &options);
}

#[test]
fn other_chips_run_kernels_too() {
    for overrides in [
        &["core.lanes=16", "core.warps=16"][..],
        &["network.channel_bytes=8", "network.vcs=2", "network.vc_depth=3", "network.routing=yx"],
        &["network.channel_bytes=64", "memory.queue_entries=1", "memory.reply_entries=1", "network.tx_queue_packets=1"],
        &["core.warps=4", "core.load_entries=2", "core.tag_bits=2", "core.execute_stages=1", "core.blocks=2"],
        &["network.columns=3", "memory.controllers=3", "network.placement=top-bottom"],
        // Requests and replies apart, sharing a network and not; several ports at cores.
        &[
            "network.request_vcs=1",
            "network.reply_vcs=3",
            "network.reply_vc_depth=9",
            "network.core_injection_ports=2",
            "network.core_ejection_ports=2",
        ],
        &[
            "network.organisation=dedicated",
            "network.request_channel_bytes=8",
            "network.reply_channel_bytes=64",
            "network.request_vcs=1",
            "network.reply_vc_depth=3",
            "network.core_ejection_ports=3",
        ],
        // Replies over a narrow link from the controller, into one port and into two.
        &["network.reply_write=flit", "network.tx_queue_packets=1"],
        &["network.reply_write=flit", "network.organisation=dedicated", "network.injection_ports=2"],
        // Split reply queues, in one network and in two, with what belongs to them.
        &["network.reply_injection=split", "network.reply_injection_links=1", "network.whole_packet_forwarding=true"],
        &[
            "network.reply_injection=split",
            "network.injection_speedup=2",
            "network.priority_levels=2",
            "network.vc_depth=2",
        ],
        &[
            "network.organisation=dedicated",
            "network.routing=adaptive",
            "network.whole_packet_forwarding=true",
            "network.reply_injection=split",
            "network.tx_queue_packets=4",
            "network.injection_speedup=4",
            "network.priority_levels=3",
            "network.starvation_cycles=9",
        ],
        &["memory.controllers=2", "network.placement=top-bottom", "memory.banks=2", "memory.row_bytes=256"],
        // A column and a link that do not work.
        &[
            "network.columns=4",
            "network.rows=3",
            "network.disabled_columns=[3]",
            "network.faulty_links=[[4, 5], [0, 4]]",
            "network.routing=up-down",
        ],
    ] {
        let chip = chip("small.toml", overrides);
        let mut host = OneAfterTheOther::new(&chip, &options());
        host.verified("vector_add", 300);
        host.verified("collatz", 60);
    }
}

/// What a core can be, each on all engines with equal reports: its warps, lanes, banks, latencies, rules of issue and
/// of requests.
const CORES: [&[&str]; 7] = [
    &["core.warps=64", "core.tag_bits=6", "core.blocks=16"],
    &["core.lanes=32", "core.latencies=fermi", "core.shared_banks=32", "core.shared_conflict_group=warp"],
    &["core.lanes=16", "core.latencies=gt200", "core.coalescing=half-warp", "core.issue=barrel"],
    &["core.issue=barrel", "core.execute_stages=18", "core.shared_banks=16", "core.shared_conflict_group=half-warp"],
    &["core.coalescing=cuda-1x", "memory.line_bytes=128", "core.merge_loads=true"],
    &[
        "core.merge_loads=true",
        "core.memory_order=line",
        "core.latencies=four-stage",
        "network.routing=o1-turn",
        "network.vcs=4",
    ],
    &[
        "core.scale_percent=200",
        "core.register_file=4096",
        "core.latency.multiply=40",
        "core.initiation_interval.multiply=30",
    ],
];

#[test]
fn cores_of_other_shapes_run_kernels_and_engines_agree() {
    for (i, overrides) in CORES.into_iter().enumerate() {
        let chip = chip("small.toml", overrides);
        let kernels = [("matmul", 16), ("gather", 200), ("transpose", 24), ("bfs", 40)];
        let mut host = OneAfterTheOther::new(&chip, &options());
        let report = host.verified("reduction", 500).without_timing();
        let (kernel, size) = kernels[i % kernels.len()];
        host.verified(kernel, size);
        let engine = Engine::ALL[1 + i % (Engine::ALL.len() - 1)];
        let other = verified(&chip, "reduction", 500, &Options { engine, ..options() });
        let other = RunReport { engine: report.engine.clone(), ..other.without_timing() };
        assert_eq!(other, report, "{overrides:?} on {engine}");
    }
}

/// Blocks of a core are limited by warps, slots, shared memory and registers; all scale together.
#[test]
fn registers_limit_resident_blocks() {
    let slots = |overrides: &[&str], registers: usize| {
        let chip = chip("small.toml", overrides);
        let mut launch = launch(&chip, "vector_add", 100);
        launch.kernel.registers = registers;
        residency(&chip, &launch).map(|fits| (fits.block_warps, fits.slots)).map_err(|error| error.to_string())
    };
    let room = ["core.warps=32", "core.tag_bits=5", "core.blocks=8"];
    assert_eq!(slots(&room, 10), Ok((4, 8)));
    let with = |file: &'static str, registers| {
        let overrides: Vec<_> = room.into_iter().chain([file]).collect();
        slots(&overrides, registers)
    };
    assert_eq!(with("core.register_file=16384", 16), Ok((4, 8)), "16 registers of 1024 threads");
    assert_eq!(with("core.register_file=16384", 17), Ok((4, 6)), "17 count as 20: 2560 of a block");
    assert_eq!(with("core.register_file=8192", 32), Ok((4, 2)));
    let refused = with("core.register_file=4096", 33).expect_err("36 registers of 128 threads");
    assert!(refused.contains("needs 4608 registers per block, the chip has 4096 (config key `core.register_file`"));
    let base =
        ["core.warps=32", "core.blocks=8", "core.register_file=16384", "core.shared_bytes=16384", "core.tag_bits=6"];
    for (percent, blocks) in [(25, 2), (50, 4), (200, 16)] {
        let scale = format!("core.scale_percent={percent}");
        let overrides: Vec<_> = base.iter().copied().chain([scale.as_str()]).collect();
        assert_eq!(slots(&overrides, 16), Ok((4, blocks)), "{percent} %");
        let core = chip("small.toml", &overrides).config().core.clone();
        assert_eq!((core.warps, core.blocks, core.shared_bytes), (32 * percent / 100, blocks, 16_384 * percent / 100));
    }
}

#[test]
fn a_kernel_that_does_not_fit_is_refused_with_the_key_to_change() {
    let refused = |overrides: &[&str], kernel: &str| {
        let chip = chip("small.toml", overrides);
        let launch = launch(&self::chip("small.toml", &[]), kernel, 100);
        let error = residency(&chip, &launch).expect_err("does not fit");
        error.to_string()
    };
    assert_eq!(
        refused(&["core.warps=2", "core.blocks=2"], "vector_add"),
        "kernel `vector_add` needs 4 warps per block, the chip has 2 (config key `core.warps`, 4 is enough)"
    );
    assert!(refused(&["core.program_words=16"], "matmul").contains("the chip has 16 (config key `core.program_words`"));
    assert!(refused(&["core.shared_bytes=1024"], "matmul").contains("needs 2048 bytes of shared memory"));
}

/// Quotients, roots, sums and conversions of doubles, and sums in memory by all threads, of numbers whose order does
/// not matter.
const DOUBLES: &str = ".version 7.0\n.target sm_60\n.address_size 64\n.visible .entry doubles(.param .u64 data, .param .u64 sums)\n{\n\
    .reg .pred p<3>; .reg .b32 r<9>; .reg .b64 a<9>; .reg .f64 d<9>;\n\
    mov.u32 r1, %tid.x; mov.u32 r2, %ctaid.x; mad.lo.s32 r1, r2, 96, r1;\n\
    ld.param.u64 a1, [data]; mul.wide.u32 a2, r1, 16; add.s64 a1, a1, a2;\n\
    ld.global.v2.f64 {d1, d2}, [a1];\n\
    div.rn.f64 d3, d1, d2; abs.f64 d4, d1; sqrt.rn.f64 d4, d4;\n\
    cvt.rn.f64.u32 d5, r1; fma.rn.f64 d3, d3, d5, d4; st.global.f64 [a1], d3;\n\
    setp.gt.f64 p1, d1, d2; ld.param.u64 a3, [sums];\n\
    @p1 red.global.add.f64 [a3], d5; @!p1 atom.global.add.f64 d6, [a3+8], d5;\n\
    add.s64 a3, a3, 16; atom.add.f64 d6, [a3], 0d3FE0000000000000;\n\
    cvt.rzi.s32.f64 r3, d3; st.global.u32 [a1+8], r3;\n\
    ret;\n}\n";

fn doubles() -> (Launch, Vec<u8>) {
    let target = Target { double: true, ..Target::default() };
    let kernel = compile(DOUBLES, "doubles.ptx", None, &target).unwrap_or_else(|error| panic!("{error}"));
    let pairs: Vec<[f64; 2]> = (0..192).map(|i| [f64::from(i * i) - 900.5, f64::from(i % 37) * 7.25 - 100.0]).collect();
    let words = |v: &[f64]| v.iter().flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32]).collect::<Vec<_>>();
    let buffers = vec![Buffer::words("data", words(pairs.as_flattened())), Buffer::words("sums", vec![0; 6])];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1)];
    let name = "doubles".to_string();
    let launch =
        Launch { name, kernel, grid: [2, 1, 1], block: [96, 1, 1], buffers, args, checks: vec![], placement: None };
    let (mut expected, mut sums) = (vec![], [0.0; 3]);
    for ([a, b], i) in pairs.into_iter().zip(0u32..) {
        let x = (a / b).mul_add(f64::from(i), a.abs().sqrt());
        expected.extend(x.to_le_bytes());
        // Of the second word of a pair only the low half is written.
        expected.extend((x as i32).to_le_bytes());
        expected.extend(&b.to_le_bytes()[4..]);
        sums[usize::from(a <= b)] += f64::from(i);
        sums[2] += 0.5;
    }
    expected.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
    (launch, expected)
}

#[test]
fn a_chip_computes_in_double_precision() {
    let (launch, expected) = doubles();
    let addresses = launch.buffer_addresses();
    let data = expected.split_at(expected.len() - 24);
    let emulated = emulator::run(&launch, 1 << 30).expect("runs").memory;
    for (address, expected) in addresses.iter().zip([data.0, data.1]) {
        assert_eq!(&emulated[*address as usize..][..expected.len()], expected, "the emulator");
    }
    for overrides in [
        &["core.double=1/8", "core.atomics=true"][..],
        &["core.double=1/2", "core.atomics=true", "core.lanes=16", "cache.l1d.bytes=4096"],
    ] {
        let chip = chip("small.toml", overrides);
        let mut host = Host::new(&chip, &options()).expect("a chip");
        host.start(&launch).expect("the launch fits");
        let (verdict, cycles) = host.run(Limits::default(), |_, _| Ok(())).expect("no rule is broken");
        assert_eq!(verdict, Verdict::Completed, "{cycles} cycles");
        for (address, expected) in addresses.iter().zip([data.0, data.1]) {
            assert!(host.read_memory(*address, expected.len()) == expected, "{overrides:?}");
        }
    }
}

/// Approximations, and correctly rounded quotients and roots, of numbers of all kinds.
const SPECIAL: &str = ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry special(.param .u64 data)\n{\n\
    .reg .b32 r<9>; .reg .b64 a<9>; .reg .f32 f<20>;\n\
    mov.u32 r1, %tid.x; mov.u32 r2, %ctaid.x; mad.lo.s32 r1, r2, 96, r1;\n\
    ld.param.u64 a1, [data]; mul.wide.u32 a2, r1, 32; add.s64 a1, a1, a2; ld.global.f32 f1, [a1];\n\
    rcp.approx.f32 f2, f1; rsqrt.approx.f32 f3, f1; lg2.approx.f32 f4, f1; ex2.approx.f32 f5, f1;\n\
    sin.approx.f32 f6, f1; cos.approx.f32 f7, f1; div.rn.f32 f8, f6, f1; sqrt.rn.f32 f9, f1;\n\
    st.global.f32 [a1], f2; st.global.f32 [a1+4], f3; st.global.f32 [a1+8], f4; st.global.f32 [a1+12], f5;\n\
    st.global.f32 [a1+16], f6; st.global.f32 [a1+20], f7; st.global.f32 [a1+24], f8; st.global.f32 [a1+28], f9;\n\
    ret;\n}\n";

#[test]
fn a_chip_computes_special_functions() {
    let target = Target { special: true, ..Target::default() };
    let kernel = compile(SPECIAL, "special.ptx", None, &target).unwrap_or_else(|error| panic!("{error}"));
    let values = (0..192u32).flat_map(|i| [i.wrapping_mul(0x0163_a5b7) ^ 0x3f80_0000; 8]);
    let launch = Launch {
        name: "special".into(),
        kernel,
        grid: [2, 1, 1],
        block: [96, 1, 1],
        buffers: vec![Buffer::words("data", values.collect::<Vec<u32>>())],
        args: vec![Argument::Buffer(0)],
        checks: vec![],
        placement: None,
    };
    let address = launch.buffer_addresses()[0];
    let expected = emulator::run(&launch, 1 << 30).expect("runs").memory;
    let expected = &expected[address as usize..][..192 * 32];
    for overrides in [&["core.special_units=4"][..], &["core.special_units=2", "core.issue_slots=2", "core.double=1/2"]]
    {
        let chip = chip("small.toml", overrides);
        let mut host = Host::new(&chip, &options()).expect("a chip");
        host.start(&launch).expect("the launch fits");
        let (verdict, cycles) = host.run(Limits::default(), |_, _| Ok(())).expect("no rule is broken");
        assert_eq!(verdict, Verdict::Completed, "{cycles} cycles");
        assert!(host.read_memory(address, expected.len()) == expected, "{overrides:?}");
    }
    let refused = residency(&chip("small.toml", &[]), &launch).expect_err("no unit").to_string();
    assert!(
        refused.contains("(PTX line 9)") && refused.contains("(config key `core.special_units`; configuration `fermi`"),
        "{refused}"
    );
}

#[test]
fn a_chip_without_a_double_precision_unit_refuses_the_kernel() {
    let refused =
        residency(&chip("small.toml", &["core.atomics=true"]), &doubles().0).expect_err("no unit").to_string();
    assert!(
        refused.contains("(PTX line 10)") && refused.contains("(config key `core.double`; configuration `fermi`"),
        "{refused}"
    );
}

/// Of two warps each waits at a barrier of its own for both.
#[test]
fn warps_that_wait_at_named_barriers_for_ever_are_told() {
    let ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry apart()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\n\
               setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;\nret;\n}\n";
    let kernel = compile(ptx, "apart.ptx", None, &Target::default()).unwrap_or_else(|error| panic!("{error}"));
    let (name, grid, block) = ("apart".to_string(), [1; 3], [64, 1, 1]);
    let launch = Launch { name, kernel, grid, block, buffers: vec![], args: vec![], checks: vec![], placement: None };
    let refused = residency(&chip("small.toml", &["core.barriers=2"]), &launch).expect_err("two barriers").to_string();
    let wanted = "kernel `apart` needs 4 barriers a thread block (PTX line 10), the chip has 2 (config key `core.barriers`; configuration `fermi` has them)";
    assert_eq!(refused, wanted);
    let limits = Limits { max_cycles: 30_000, watchdog: 500, ..Limits::default() };
    let chip = chip("small.toml", &["core.barriers=4"]);
    let report = run(&chip, &launch, &options(), limits, 1, |_, _| Ok(())).expect("runs");
    assert_eq!(report.verdict, Verdict::Deadlocked);
    let reasons: Vec<_> = report.waiting.iter().map(|group| (group.line, group.reason.as_str())).collect();
    let wanted = [(10, "waits at barrier 1 for 64 threads"), (11, "waits at barrier 2 for 64 threads")];
    assert!(wanted.iter().all(|reason| reasons.contains(reason)), "{report}");
}

#[test]
fn the_cycle_limit_tells_what_the_warps_wait_for() {
    let chip = chip("small.toml", &[]);
    let launch = launch(&chip, "vector_add", 1000);
    let limits = Limits { max_cycles: 600, watchdog: 5_000, ..Limits::default() };
    let report = run(&chip, &launch, &options(), limits, 1, |_, _| Ok(())).expect("runs");
    assert_eq!((report.verdict, report.verified, report.core_cycles), (Verdict::CycleLimit, None, 600));
    assert!(!report.waiting.is_empty() && !report.succeeded());
    insta::assert_snapshot!(report.without_timing());
}

#[test]
fn an_endless_loop_is_told_from_a_deadlock() {
    let ptx =
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry endless()\n{\n$again:\n\tbra.uni $again;\n}\n";
    let chip = chip("small.toml", &[]);
    let kernel = compile(ptx, "endless.ptx", None, &Target::default()).unwrap_or_else(|error| panic!("{error}"));
    let name = "endless".to_string();
    let (grid, block) = ([2, 1, 1], [64, 1, 1]);
    let launch = Launch { name, kernel, grid, block, buffers: vec![], args: vec![], checks: vec![], placement: None };
    let limits = Limits { max_cycles: 3000, watchdog: 500, ..Limits::default() };
    let report = run(&chip, &launch, &options(), limits, 1, |_, _| Ok(())).expect("runs");
    assert_eq!(report.verdict, Verdict::CycleLimit);
    assert_eq!(report.waiting.iter().map(|group| group.warps).sum::<usize>(), 4, "{report}");
    assert!(report.waiting.iter().all(|group| group.line == 7 && group.reason.starts_with("runs")), "{report}");

    // Never started: nothing will ever move.
    let mut host = Host::new(&chip, &options()).expect("builds");
    host.simulator().reset(2);
    assert_eq!(host.run(limits, |_, _| Ok(())).expect("runs"), (Verdict::Deadlocked, 500));
}

#[test]
fn the_json_has_every_promised_field() {
    let report = verified(&chip("small.toml", &[]), "vector_add", 100, &options());
    let json: serde_json::Value = serde_json::from_str(&report.json()).expect("JSON");
    let promised = [
        "format_version",
        "config",
        "kernel",
        "verdict",
        "verified",
        "core_cycles",
        "thread_instructions",
        "ipc",
        "wall_seconds",
        "cycles_per_second",
        "network",
        "dram",
        "seed",
    ];
    assert!(promised.iter().all(|field| json.get(field).is_some_and(|value| !value.is_null())), "{json:#}");
    assert!(RunReport::TIMING.iter().all(|field| json.get(field).is_some()));
    assert!(json["network"]["request_latency"].as_f64() > Some(5.0) && json["network"]["flits"].as_u64() > Some(0));
    assert_eq!(json["dram"]["requests"], json["network"]["request_packets"]);
    assert_eq!(json["verdict"], "completed");
}

#[test]
fn the_report_tells_how_the_simulation_went() {
    for engine in [Engine::Word, Engine::Interpreter] {
        let options = Options { engine, threads: 2, cache: false, ..options() };
        let report = verified(&chip("small.toml", &[]), "vector_add", 100, &options);
        let simulation = &report.simulation;
        assert!(simulation.engines.iter().all(|tiles| tiles.engine == engine.name()), "{simulation:?}");
        let of =
            |kind: &str| simulation.engines.iter().filter(|t| t.kind == kind).map(|t| t.instances).collect::<Vec<_>>();
        let count = |kind| of(kind).iter().sum::<usize>();
        let kinds = ["core", "memory_partition", "router", "network_interface", "block_dispatcher", "chip"];
        assert_eq!(kinds.map(count), [3, 1, 4, 4, 1, 1]);
        // Loading comes before the start of the kernel.
        assert!(simulation.simulated_cycles > report.core_cycles);
        assert_eq!(simulation.threads_of_simulation, if engine == Engine::Word { 2 } else { 1 });
        assert_eq!(simulation.compile_seconds > 0.0, engine == Engine::Word);
        let parts = simulation.elaborate_seconds + simulation.compile_seconds;
        assert!(simulation.elaborate_seconds > 0.0 && parts <= simulation.preparation_seconds, "{simulation:?}");
        assert!(simulation.behavioural_share.is_some_and(|share| share > 0.0 && share < 1.0), "{simulation:?}");
        assert_eq!(report.without_timing().simulation, Default::default());
    }
}

/// The chip may be reset and started again at any time: DRAM rows are open and requests outstanding.
#[test]
fn a_kernel_is_started_again_while_it_runs() {
    let chip = chip("small.toml", &[]);
    let launch = launch(&chip, "vector_add", 300);
    let mut host = Host::new(&chip, &options()).expect("a chip");
    for cycles in [90, 150, 333] {
        host.start(&launch).expect("the launch fits");
        (0..cycles).for_each(|_| host.cycle().expect("no rule is broken"));
    }
    host.start(&launch).expect("the launch fits");
    let (verdict, _) = host.run(Limits::default(), |_, _| Ok(())).expect("no rule is broken");
    assert_eq!(verdict, Verdict::Completed);
    launch.verify(|address, bytes| host.read_memory(address, bytes)).expect("the result is right");
}

/// A host that knows nothing but the pins runs a kernel alike; it measures no latency.
#[test]
fn a_host_around_the_pins_alone_runs_the_same() {
    let chip = chip("small.toml", &[]);
    let launch = launch(&chip, "vector_add", 300);
    let report = verified(&chip, "vector_add", 300, &options());
    let design = elaborate(&build(&chip).expect("a network")).expect("a correct chip");
    let simulator = Simulator::new(&design, &options()).expect("it compiles");
    let mut host = Host::around(&chip, simulator).expect("the pins are there");
    host.start(&launch).expect("the launch fits");
    let end = host.run(Limits::default(), |_, _| Ok(())).expect("no rule is broken");
    assert_eq!(end, (Verdict::Completed, report.core_cycles));
    launch.verify(|address, bytes| host.read_memory(address, bytes)).expect("the result is right");
    assert_eq!(host.latency().latency(MessageClass::Request).packets, 0);
    assert!(report.network.request_packets > 0);
}

/// Cores reach the memory node of another cluster by the ring, whatever its width, rule and clocks; results are those
/// of the host.
#[test]
fn kernels_verify_on_chips_with_a_ring_between_memory_nodes() {
    let rings: [&[&str]; 4] = [
        &[],
        &[
            "network.ring.bytes=80",
            "network.ring.tx_queue_packets=1",
            "network.ring.rx_queue_packets=1",
            "network.ring.fair_wait=10",
        ],
        &["network.ring.direct_below=0", "network.organisation=dedicated", "clocks.core=1296", "core.atomics=true"],
        &[
            "network.reply_injection=split",
            "network.ring.tie=random",
            "cache.l2.bytes=4096",
            "network.vcs=8",
            "network.tx_queue_packets=4",
        ],
    ];
    for overrides in rings {
        let chip = chip("small-ring.toml", overrides);
        let mut host = Host::new(&chip, &options()).expect("a chip");
        let report = run_on(&mut host, &launch(&chip, "transpose", 48), Limits::default(), 1, |_, _| Ok(()));
        assert_eq!(report.unwrap_or_else(|error| panic!("{overrides:?}: {error}")).verified, Some(true));
        let statistics = host.statistics();
        let counted = |statistic| statistics.total(statistic);
        use warpmesh::noc::ring::hub::*;
        let requests = [REQUESTS_FROM_MESH, REQUESTS_FROM_RING, REQUESTS_RELAYED].map(counted);
        let replies = [REPLIES_TO_MESH, REPLIES_TO_RING, REPLIES_RELAYED].map(counted);
        assert!(requests[0] > 0 && requests[1] > 0 && requests[1] == requests[2], "{overrides:?}: {requests:?}");
        assert!(replies[0] > 0 && replies[1] > 0 && replies[1] == replies[2], "{overrides:?}: {replies:?}");
        assert_eq!(requests[0] + requests[1], replies[0] + replies[1], "{overrides:?}: each request is answered");
    }
}

/// Replies go by overlays, whatever their width, buffers and queues; results are those of the host, and each reply is
/// counted on its way.
#[test]
fn kernels_verify_on_chips_whose_replies_go_by_overlays() {
    let overlays: [&[&str]; 5] = [
        &[],
        &["network.overlay.injection=split", "network.tx_queue_packets=5"],
        &["network.overlay.channel_bytes=1", "network.overlay.buffer_flits=2", "clocks.core=1296", "core.atomics=true"],
        &[
            "network.overlay.injection=split",
            "memory.controllers=1",
            "network.placement={list=[5]}",
            "network.routing=adaptive",
        ],
        &[
            "network.overlay.channel_bytes=64",
            "cache.l2.bytes=4096",
            "network.rows=1",
            "network.placement={list=[1,2]}",
        ],
    ];
    for overrides in overlays {
        let chip = chip("small-da2mesh.toml", overrides);
        let mut host = Host::new(&chip, &options()).expect("a chip");
        let report = run_on(&mut host, &launch(&chip, "transpose", 48), Limits::default(), 1, |_, _| Ok(()));
        let report = report.unwrap_or_else(|error| panic!("{overrides:?}: {error}"));
        assert_eq!(report.verified, Some(true));
        let statistics = host.statistics();
        let counted = |statistic| statistics.total(statistic);
        use warpmesh::noc::overlay::{lane, router, sink};
        let packets = [lane::PACKETS_SENT, sink::PACKETS_RECEIVED].map(counted);
        assert_eq!(packets, [report.network.reply_packets; 2], "{overrides:?}");
        let flits = [lane::FLITS_SENT, sink::FLITS_RECEIVED].map(counted);
        let hops = counted(router::FLITS_SENT);
        assert!(
            flits[0] == flits[1] && flits[0] >= 2 * packets[0] && hops >= 2 * flits[0],
            "{overrides:?}: {flits:?}, {hops}"
        );
    }
}
