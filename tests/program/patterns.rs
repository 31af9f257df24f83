//! The kernels with parameters: what they compute, and that their loads are what they stand for: before any cache, and
//! in the data cache of a core of Kim's chip.

use std::collections::{BTreeMap, BTreeSet};
use std::{path::Path, sync::atomic::AtomicU64};
use warpmesh::{
    chip::{Chip, load},
    host::{Host, Limits, run_on},
    program::{
        Launch, Target,
        emulator::{self, WarpLoad},
        isa::{Instruction, Opcode, OperandB},
        kernels::{self, KernelParamError, Setting},
        memcheck::{self, MemoryCheck},
    },
    report::Verdict,
    sim::Options,
    statistics::HardwareStatistics,
};

/// Thread instructions that are enough for each of them.
const LIMIT: u64 = 100_000_000;
/// Bytes of a line.
const LINE: u32 = 128;

/// Settings as `--kernel-param` takes them.
fn settings(params: &str) -> Vec<Setting> {
    params.split_whitespace().map(|param| param.parse().expect("NAME=VALUE")).collect()
}

fn launch(kernel: &str, size: u32, params: &str) -> Launch {
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let tuned = builtin.with(&settings(params)).unwrap_or_else(|e| panic!("{e}: {}", e.help()));
    tuned.launch(Some(size), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn loads(kernel: &str, size: u32, params: &str) -> Vec<WarpLoad> {
    emulator::run_for_loads(&launch(kernel, size, params), LIMIT).unwrap_or_else(|e| panic!("{e}"))
}

/// The loads of each warp, in their order.
fn by_warp(loads: &[WarpLoad]) -> BTreeMap<([u32; 3], u32), Vec<&WarpLoad>> {
    let mut warps = BTreeMap::<_, Vec<_>>::new();
    loads.iter().for_each(|load| warps.entry((load.block, load.warp)).or_default().push(load));
    warps
}

#[test]
fn every_pattern_computes_what_the_host_does() {
    let launches = [
        ("stream", 300, "loads=1 iterations=3 flops=2"),
        ("stream", 300, "loads=2 threads=64"),
        ("stream", 100, ""),
        ("stream", 100, "loads=8 iterations=1"),
        ("rowwalk", 100, ""),
        ("rowwalk", 200, "lines=32 length=2 skew=0 passes=2"),
        ("rowwalk", 64, "lines=5 skew=7 flops=3 threads=32"),
        ("csr", 150, "mean=3 spread=8"),
        ("csr", 150, "window=40 columns=100 threads=64"),
        ("shared_stream", 100, "lines=10"),
        ("shared_stream", 100, "lines=10 loads=4 flops=3"),
        ("halo", 40, "rows=5 planes=2"),
        ("halo", 40, "rows=5 planes=2 halo=2 tile=8"),
        ("halo", 40, "rows=5 planes=2 halo=2 tile=1 barriers=0"),
        ("phases", 100, "rounds=3 lines=7 shared_lines=5"),
        ("graph", 333, ""),
        ("graph", 333, "hubs=50 frontier=100 visited=0"),
        ("graph", 333, "frontier=0"),
        ("gridstride", 100, "iterations=3"),
        ("gridstride", 100, "iterations=3 bytes=8"),
        ("gridstride", 100, "iterations=3 bytes=16 flops=1"),
        ("straight", 200, ""),
        ("pow2", 1, "radix=2 stride=32"),
        ("pow2", 5000, "radix=4 stride=128 padding=3"),
        ("pow2", 1, "radix=8 stride=32 turned=1 padding=32"),
    ];
    let straight = (2..=9).map(|loads| ("straight", 50, format!("loads={loads} distance=5 threads=32")));
    let launches = launches.map(|(kernel, size, params)| (kernel, size, params.to_string()));
    let mut seen = BTreeSet::new();
    for (kernel, size, params) in launches.into_iter().chain(straight) {
        let launch = launch(kernel, size, &params);
        launch.validate().unwrap_or_else(|e| panic!("{kernel} {params}: {e}"));
        let apart = emulator::run(&launch, LIMIT).unwrap_or_else(|e| panic!("{kernel} {params}: {e}")).memory;
        let together =
            emulator::run_lockstep(&launch, LIMIT).unwrap_or_else(|e| panic!("{kernel} {params}: {e}")).memory;
        for memory in [apart, together] {
            let verified = launch.verify(|at, bytes| memory[at as usize..][..bytes].to_vec());
            verified.unwrap_or_else(|e| panic!("{kernel} {params}: {e}"));
        }
        let checked = memcheck::check(&launch, &AtomicU64::new(u64::MAX));
        assert!(matches!(checked, MemoryCheck::Passed { .. }), "{kernel} {params}: {checked:?}");
        // Before it has run, nothing is as it should be.
        let image = launch.memory_image();
        let idle = params == "frontier=0";
        assert_eq!(
            launch.verify(|at, bytes| image[at as usize..][..bytes].to_vec()).is_ok(),
            idle,
            "{kernel} {params}"
        );
        seen.insert(kernel);
    }
    assert!(kernels::PATTERNS.iter().all(|kernel| seen.contains(kernel.name)), "{seen:?}");
}

#[test]
fn knobs_are_checked_by_name_and_range() {
    for kernel in kernels::PATTERNS {
        assert!(!kernel.params().is_empty(), "{}", kernel.name);
        for param in kernel.params() {
            let range = param.range.unwrap_or_else(|| panic!("{} {} has no range", kernel.name, param.path));
            let set = |value| [Setting { name: param.path.clone(), value }];
            let (low, high) = range.ends();
            for value in [low, high] {
                assert!(kernel.with(&set(value)).is_ok(), "{} {}={value}", kernel.name, param.path);
            }
            let error = kernel.with(&set(high + 1)).err().expect("it is out of range");
            let (message, help) = (error.to_string(), error.help());
            let said = format!("parameter `{}` of kernel `{}` cannot be {}", param.path, kernel.name, high + 1);
            assert!(message == said && help.contains(&range.to_string()), "{message}: {help}");
        }
        let error = kernel.with(&settings("colour=3")).err().expect("there is no such parameter");
        assert!(matches!(&error, KernelParamError::Unknown { known, .. } if !known.is_empty()), "{error}");
    }
    let twice =
        kernels::find("stream").expect("one").with(&settings("flops=2 flops=3")).err().expect("it is set twice");
    assert_eq!(twice.to_string(), "parameter `flops` of kernel `stream` is set twice");
    let none = kernels::find("vector_add").expect("one").with(&settings("flops=2")).err().expect("it has none");
    assert_eq!(none.help(), "it has none");
    for text in ["flops", "flops=", "flops=-1", "flops=4294967296"] {
        assert!(text.parse::<Setting>().is_err(), "{text}");
    }
}

#[test]
fn stream_loads_each_line_once() {
    let loads = loads("stream", 256, "loads=4 iterations=2");
    let lines: Vec<u32> = loads.iter().flat_map(|load| load.lines(LINE)).collect();
    assert_eq!((loads.len(), lines.len()), (8 * 4 * 2, 8 * 4 * 2));
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), lines.len());
}

#[test]
fn rowwalk_touches_as_many_lines_as_asked_for_each_32_times_by_one_warp() {
    for lines in [1, 8, 32] {
        let loads = loads("rowwalk", 128, &format!("lines={lines} length=2 skew=0"));
        let mut users = BTreeMap::<u32, Vec<u32>>::new();
        for load in &loads {
            assert_eq!(load.lines(LINE).len(), lines);
            load.lines(LINE).into_iter().for_each(|line| users.entry(line).or_default().push(load.warp));
        }
        assert!(users.values().all(|warps| warps.len() == 32 && warps.iter().all(|warp| *warp == warps[0])));
    }
    // With a skew, one lane after the other comes to a new line.
    let loads = loads("rowwalk", 32, "lines=32 length=4 skew=1 threads=32");
    let lines: Vec<BTreeSet<u32>> = loads.iter().map(|load| load.lines(LINE).into_iter().collect()).collect();
    let new: Vec<usize> = lines.windows(2).map(|pair| pair[1].difference(&pair[0]).count()).collect();
    assert!(new.iter().all(|&new| new == 1), "{new:?}");
}

#[test]
fn all_warps_of_a_shared_stream_read_the_same_lines_in_the_same_order() {
    let loads = loads("shared_stream", 256, "lines=40 loads=2");
    let warps = by_warp(&loads);
    let lines = |loads: &[&WarpLoad]| loads.iter().map(|load| load.lines(LINE)).collect::<Vec<_>>();
    let first = lines(warps.values().next().expect("a warp"));
    assert!(warps.len() == 8 && warps.values().all(|loads| lines(loads) == first));
    let all: Vec<u32> = first.concat();
    assert!(all.len() == 40 && all.windows(2).all(|pair| pair[1] == pair[0] + 1), "{all:?}");
}

/// Lines of a load on average, and the share of loads in which not all lanes take part.
fn divergence(loads: &[WarpLoad]) -> (f64, f64) {
    let lines: usize = loads.iter().map(|load| load.lines(LINE).len()).sum();
    let partial = loads.iter().filter(|load| load.lanes.len() < 32).count();
    (lines as f64 / loads.len() as f64, partial as f64 / loads.len() as f64)
}

#[test]
fn csr_and_graph_diverge() {
    let (lines, partial) = divergence(&loads("csr", 512, ""));
    assert!(lines > 8.0 && partial > 0.4, "csr: {lines} lines, {partial}");
    let (narrow, _) = divergence(&loads("csr", 512, "columns=512 window=64"));
    assert!(narrow < lines - 2.0, "columns near the diagonal: {narrow} lines, else {lines}");
    let (lines, partial) = divergence(&loads("graph", 4096, ""));
    assert!(lines > 1.5 && partial > 0.9, "graph: {lines} lines, {partial}");
}

#[test]
fn neighbouring_blocks_of_halo_share_lines() {
    for (barriers, most) in [(1, 0.6), (0, 0.9)] {
        let loads = loads("halo", 64, &format!("rows=8 planes=2 barriers={barriers}"));
        let mut users = BTreeMap::<u32, BTreeSet<([u32; 3], u32)>>::new();
        for load in &loads {
            load.lines(LINE)
                .into_iter()
                .for_each(|line| _ = users.entry(line).or_default().insert((load.block, load.warp)));
        }
        let shared = users.values().filter(|warps| warps.len() > 1).count() as f64 / users.len() as f64;
        assert!((0.3..=most).contains(&shared), "barriers {barriers}: {shared} of the lines are shared");
    }
}

#[test]
fn gridstride_has_one_stride_for_each_load() {
    for bytes in [4, 8, 16] {
        let loads = loads("gridstride", 256, &format!("iterations=4 bytes={bytes}"));
        let mut places = BTreeMap::<_, Vec<u32>>::new();
        loads.iter().for_each(|load| places.entry((load.pc, load.block, load.warp)).or_default().push(load.lanes[0].1));
        assert!(places.values().all(|at| at.len() == 4 && at.windows(2).all(|pair| pair[1] - pair[0] == 256 * bytes)));
    }
}

#[test]
fn straight_has_no_loop_and_one_distance() {
    let launch = launch("straight", 256, "");
    for (pc, &word) in launch.kernel.code.iter().enumerate() {
        let Instruction { opcode, b, .. } = Instruction::decode(word).expect("an instruction");
        if let (Opcode::Bra, OperandB::Immediate(value)) = (opcode, b) {
            assert!(usize::from(value as u16) > pc, "instruction {pc} branches back");
        }
    }
    let loads = loads("straight", 256, "");
    for loads in by_warp(&loads).values() {
        assert_eq!(loads.len(), 9);
        for lane in 0..32 {
            let distance = |pair: &[&WarpLoad]| pair[1].lanes[lane].1 - pair[0].lanes[lane].1;
            assert!(loads.windows(2).all(|pair| distance(pair) == 64 && pair[1].pc > pair[0].pc));
        }
    }
}

#[test]
fn pow2_crowds_into_few_sets_and_padding_spreads() {
    // Sets of a cache of 32 KB and 8 ways that a run of loads of a warp touches.
    let sets = |params: &str| {
        let loads = loads("pow2", 1, params);
        let of = |loads: &Vec<&WarpLoad>| {
            let lines = loads.iter().flat_map(|load| load.lines(LINE));
            lines.map(|line| line % 32).collect::<BTreeSet<_>>().len()
        };
        by_warp(&loads).values().map(of).max().expect("a warp")
    };
    assert_eq!((sets("radix=8 stride=1024"), sets("radix=8 stride=1024 padding=32")), (1, 8));
    assert_eq!(sets("radix=4 stride=256 turned=1"), 4);
    assert_eq!(sets("radix=2 stride=1024 turned=1"), 1);
    assert_eq!(sets("radix=2 stride=1024 turned=1 padding=32"), 32);
    // Along rows the sets of a core are few where its blocks come round with the sets: those of one of four cores.
    let of_a_core = |params: &str| {
        let loads = loads("pow2", 1 << 15, params);
        let own = loads.iter().filter(|load| load.block[0] % 4 == 0);
        own.flat_map(|load| load.lines(LINE)).map(|line| line % 32).collect::<BTreeSet<_>>().len()
    };
    assert_eq!(of_a_core("radix=8 threads=256"), 8);
    assert!(of_a_core("radix=8 threads=256 padding=32") > 14);
}

/// What the data cache of a core of Kim's chip, alone with a controller, makes of a kernel.
struct Counted {
    cycles: u64,
    statistics: HardwareStatistics,
}

impl Counted {
    fn new(overrides: &[&str], kernel: &str, size: u32, params: &str) -> Self {
        let alone = ["network.columns=2", "network.placement={list=[1]}", "cache.l1d.warp_locality=true"];
        let overrides: Vec<_> = alone.iter().chain(overrides).map(|text| text.to_string()).collect();
        let chip: Chip = load(Some(Path::new("small-kim-ch2")), &overrides).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { threads: 1, ..Options::default() };
        let mut host = Host::new(&chip, &options).unwrap_or_else(|e| panic!("{e}"));
        let launch = launch(kernel, size, params);
        let report = run_on(&mut host, &launch, Limits::default(), 1, |_, _| Ok(())).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{kernel} {params}: {report}");
        Self { cycles: report.core_cycles, statistics: host.statistics() }
    }

    /// Sum over the statistics that match.
    fn sum(&self, pattern: &str) -> u64 {
        let selection = self.statistics.select(&[pattern.to_string()]).unwrap_or_else(|e| panic!("{e}"));
        self.statistics.selected(&selection).map(|probe| probe.value()).sum()
    }

    /// Of all loads, those of a class: `primary_misses`, `intra_hits`, `inter_*` ...
    fn share(&self, class: &str) -> f64 {
        self.sum(&format!("l1d.cache.{class}")) as f64 / self.sum("l1d.cache.reads") as f64
    }
}

#[test]
fn streams_miss_whatever_the_scheduler() {
    for scheduler in ["core.scheduler=gto", "core.scheduler=round-robin"] {
        for (kernel, params) in [("stream", ""), ("gridstride", "iterations=4")] {
            let missed = Counted::new(&[scheduler], kernel, 256, params).share("primary_misses");
            assert!(missed > 0.95, "{kernel}, {scheduler}: {missed}");
        }
    }
    // Lines of 128 bytes hold two loads of `straight`; no other warp has a part in them.
    let straight = Counted::new(&[], "straight", 256, "");
    assert!(straight.share("primary_misses") > 0.5 && straight.share("inter_*") == 0.0);
    assert!(Counted::new(&[], "straight", 256, "distance=32").share("primary_misses") > 0.95);
}

#[test]
fn rowwalk_hits_its_own_lines_when_few_warps_run() {
    let run = |overrides: &[&str]| Counted::new(overrides, "rowwalk", 512, "lines=32");
    let many = run(&["core.scheduler=round-robin"]);
    let few = run(&["core.scheduler=round-robin", "core.throttle.kind=swl", "core.throttle.warps=4"]);
    assert!(many.share("primary_misses") > 0.9 && many.share("intra_hits") < 0.1, "{}", many.share("intra_hits"));
    assert!(few.share("intra_hits") > 0.9 && few.share("inter_*") < 0.05, "{}", few.share("intra_hits"));
    assert!(few.cycles * 3 < many.cycles * 2, "{} and {} cycles", few.cycles, many.cycles);
}

#[test]
fn a_shared_stream_is_fetched_once_by_warps_in_step() {
    let small = "cache.l1d.bytes=4096";
    let run = |scheduler: &str| Counted::new(&[small, scheduler], "shared_stream", 1024, "lines=128");
    let fair = run("core.scheduler=gtlr");
    let a_line = fair.sum("l1d.cache.primary_misses") as f64 / 128.0;
    assert!(a_line < 1.1 && fair.share("inter_*") > 0.95, "{a_line} misses a line, {}", fair.share("inter_*"));
    // Greedy warps drift apart.
    let greedy = run("core.scheduler=gto");
    assert!(greedy.share("primary_misses") > 10.0 * fair.share("primary_misses"), "{}", greedy.share("primary_misses"));
    let laws = run("core.scheduler=laws");
    let under_gtlr = laws.sum("locality.prefer_rr_cycles") as f64 / laws.cycles as f64;
    assert!(under_gtlr > 0.97 && laws.share("inter_*") > 0.9, "{under_gtlr}");
}

#[test]
fn laws_follows_the_phases() {
    let laws = Counted::new(&["core.scheduler=laws"], "phases", 512, "lines=1 shared_lines=64");
    let under_gtlr = laws.sum("locality.prefer_rr_cycles") as f64 / laws.cycles as f64;
    let switches = laws.sum("locality.policy_switches");
    assert!(switches >= 2 && (0.1..0.95).contains(&under_gtlr), "{switches} switches, {under_gtlr}");
    assert!(laws.share("intra_*") > 0.1 && laws.share("inter_*") > 0.4);
}

#[test]
fn halo_shares_between_warps_and_graphs_mix() {
    let halo = Counted::new(&[], "halo", 64, "rows=8 planes=3");
    assert!(halo.share("inter_*") > 0.15 && halo.share("intra_*") < 0.05, "{}", halo.share("inter_*"));
    let direct = Counted::new(&[], "halo", 64, "rows=8 planes=3 barriers=0");
    assert!(direct.share("inter_*") > 0.3, "{}", direct.share("inter_*"));
    let graph = Counted::new(&[], "graph", 512, "");
    for class in ["primary_misses", "intra_*", "inter_*"] {
        assert!(graph.share(class) > 0.08, "{class}: {}", graph.share(class));
    }
}

/// Fewer than eight warps hold all entries, as the divergence rule of the throttle asks for; with rows of fewer lines
/// it finds nothing to do.
#[test]
fn a_few_warps_of_csr_hold_all_miss_entries() {
    let laws_th = ["core.scheduler=laws", "core.throttle.kind=thu", "cache.l1d.bytes=16384"];
    let csr = Counted::new(&laws_th, "csr", 256, "");
    let decisions = csr.sum("throttle.divergence_decisions");
    assert!(decisions > 5 && csr.share("primary_misses") > 0.3, "{decisions}, {}", csr.share("primary_misses"));
    assert_eq!(Counted::new(&laws_th, "stream", 256, "").sum("throttle.divergence_decisions"), 0);
}
