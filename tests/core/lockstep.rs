//! Cores in step with their exported Verilog, every output in every cycle. To build the Verilog of a core takes far
//! longer than to run it: each of these cores has several features, so that every feature is in one of them, and those
//! that meet in hardware meet here.
//!
//! * `plain` (8 lanes, 1 part, 8 warps): the default core: round robin, scoreboard, order by warp; atomics, kernels,
//!   barriers in parts.
//! * `caches_and_laws` (8 lanes, 1 part, 8 warps): instruction, constant and texture caches of the least size; data
//!   cache with locality, throttle by hits, scheduler LAWS; named barriers.
//! * `two_parts` (8 lanes, 2 parts, 8 warps): prefetcher STPE into a prefetch cache, named barriers, oldest ready
//!   warp first.
//! * `doubles_in_a_barrel` (8 lanes, 1 part, 8 warps): double precision at an eighth, special function units, barrel
//!   issue, 18 stages, latencies of Fermi, 32 banks, prefetcher of many threads.
//! * `merging_by_lines` (16 lanes, 1 part, 12 warps): merged loads, order by line, requests by half warps, lines of
//!   128 bytes; two scheduling levels by block; shared memory for whole warps, 11 KiB; 32 registers, 3 blocks, 2
//!   stages, 3 loads.
//! * `doubles_in_two_parts` (8 lanes, 2 parts, 8 warps): double precision and special function units for two parts;
//!   data cache, order by line, cache-conscious throttle, greedy then oldest; latencies of Fermi.
//! * `one_beat_in_two_parts` (32 lanes, 2 parts, 8 warps): a warp in one beat; merged loads, order by warp, segments
//!   of CUDA 1.x, lines of 128 bytes; instruction cache, 16 banks for half warps, latencies of GT200, greedy then
//!   oldest.
//!
//! More warps are more of the same in Verilog, and take a C++ compiler longer.
//!
//! What all of these share with cores that are not here runs against the emulator in the other files.

use crate::{
    barriers,
    campaign::part_or_all,
    cuda::{emulated, generate},
    latencies::preset,
    prefetch::prefetching,
    random,
    rig::*,
    throttle::throttled,
};
use cache::Prefetching;
use program::{Launch, Target, kernels};
use simt_core::{
    Coalescing, CoreParams, DoubleRate, IssueRule, LatencyPreset, MemoryOrder, Prefetcher, SharedGroup, Throttle,
    WarpGroup, WarpScheduler,
};

/// A kernel of the project.
fn kernel(name: &str, size: u32) -> Launch {
    let builtin = kernels::find(name).expect("the kernel exists");
    builtin.launch(Some(size), 9, &Target::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A random program with all that the core has.
fn program(core: &CoreParams, seed: u64, blocks: u32, threads: u32) -> Launch {
    random::program_of(seed, blocks, [threads, 1, 1], random::all_of(core))
}

/// Random programs and kernels one after the other on one core, with random memory latencies, for more than 20,000
/// cycles.
#[test]
fn plain() {
    let core = params();
    let mut rig = CoreRig::with_verilog(&core, 9);
    let mut cycles = 0;
    for name in ["matmul", "bfs", "collatz", "gather", "reduction"] {
        cycles += rig.run_program(&kernel(name, 20));
    }
    // Their warps come to barriers in parts.
    for seed in [2, 24, 66] {
        let launch = emulated::launch(&generate::kernel(seed), &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        cycles += rig.run_program(&launch);
    }
    for seed in 60..66 {
        cycles += rig.run_program(&program(&core, seed, 4, 45));
    }
    for seed in 40.. {
        cycles += rig.run_program(&random::program(seed, 3, [45, 1, 1]));
        if cycles > 20_000 {
            break;
        }
    }
    let agreement = rig.agreement();
    println!("{agreement:?}");
    assert!(agreement.cycles > 20_000);
    assert_eq!(agreement.still, Vec::<String>::new(), "every output has moved");
}

/// Runs these on `core`, one after the other; what they have to write is there then.
fn agrees(core: &CoreParams, seed: u64, launches: &[Launch]) {
    let mut rig = CoreRig::with_verilog(core, seed);
    let mut cycles = 0;
    for launch in launches {
        cycles += rig.run_program(launch);
        barriers::verify(launch, &rig.memory);
    }
    assert!(rig.agreement().cycles > cycles);
}

fn caches_and_laws() {
    let throttled = throttled(Throttle::Hits, 8, 8);
    let [instructions, ..] = random::read_only_caches(throttled.fetch_protocol());
    let [_, constants, _] = random::read_only_caches(throttled.constant_protocol());
    let [textures, ..] = random::read_only_caches(throttled.texture_protocol());
    let core = CoreParams {
        scheduler: WarpScheduler::Laws,
        instruction_cache: Some(instructions),
        constant_cache: Some(constants),
        texture_cache: Some(textures),
        barriers: 8,
        ..throttled
    };
    let launches = [
        random::program(50, 4, [45, 1, 1]),
        kernel("convolution", 12),
        kernel("blur", 12),
        random::program(60, 3, [100, 1, 1]),
    ];
    agrees(&core, 10, &launches);
}

fn two_parts() {
    let core = CoreParams {
        issue_slots: 2,
        barriers: 8,
        scheduler: WarpScheduler::OldestReadyFirst,
        ..prefetching(Prefetcher::Stpe, Prefetching::Only)
    };
    let launches =
        [random::program(60, 6, [100, 1, 1]), random::program(61, 3, [40, 1, 1]), barriers::rounds(5, core.barriers)];
    agrees(&core, 9, &launches);
}

fn doubles_in_a_barrel() {
    let core = CoreParams {
        double: DoubleRate::Eighth,
        special_units: 4,
        issue: IssueRule::Barrel,
        execute_stages: 18,
        shared_banks: 32,
        ..prefetching(Prefetcher::ManyThread, Prefetching::Only)
    };
    let core = preset(LatencyPreset::Fermi, core);
    let launches: Vec<_> = (340..344).map(|seed| program(&core, seed, 4, 45)).collect();
    agrees(&core, 12, &launches);
}

fn merging_by_lines() {
    let core = CoreParams {
        merge_loads: true,
        atomics: false,
        memory_order: MemoryOrder::Line,
        max_outstanding: 12,
        coalescing: Coalescing::HalfWarp,
        map: params().map.with_line_bytes(128),
        lanes: 16,
        warps: 12,
        tag_bits: 6,
        registers: 32,
        blocks: 3,
        execute_stages: 2,
        load_entries: 3,
        shared_bytes: 11 * 1024,
        shared_conflict_group: SharedGroup::Warp,
        scheduler: WarpScheduler::TwoLevelGtlrOldest,
        warp_group: WarpGroup::Block,
        ..params()
    };
    let launches: Vec<_> = (50..54).map(|seed| program(&core, seed, 4, 45)).collect();
    agrees(&core, 141, &launches);
}

fn doubles_in_two_parts() {
    let conscious = throttled(Throttle::CacheConscious, 8, 8);
    let core = CoreParams {
        issue_slots: 2,
        double: DoubleRate::Eighth,
        special_units: 4,
        memory_order: MemoryOrder::Line,
        max_outstanding: 8,
        scheduler: WarpScheduler::GreedyThenOldest,
        ..conscious
    };
    let core = preset(LatencyPreset::Fermi, core);
    let launches = [program(&core, 500, 3, 45), random::program(60, 3, [100, 1, 1])];
    agrees(&core, 500, &launches);
}

fn one_beat_in_two_parts() {
    let map = params().map.with_line_bytes(128);
    let plain = CoreParams { map, lanes: 32, warps: 8, tag_bits: 5, issue_slots: 2, ..params() };
    let [instructions, ..] = random::read_only_caches(plain.fetch_protocol());
    let core = CoreParams {
        merge_loads: true,
        atomics: false,
        coalescing: Coalescing::Cuda1x,
        shared_conflict_group: SharedGroup::HalfWarp,
        shared_banks: 16,
        instruction_cache: Some(instructions),
        scheduler: WarpScheduler::GreedyThenOldest,
        ..plain
    };
    let core = preset(LatencyPreset::Gt200, core);
    let launches = [program(&core, 501, 3, 45), random::program(330, 3, [45, 1, 1])];
    agrees(&core, 501, &launches);
}

/// One of these in every run, as a C++ compiler takes half a minute for a core.
#[test]
fn other_cores() {
    let cores: [fn(); 6] = [
        caches_and_laws,
        doubles_in_two_parts,
        two_parts,
        doubles_in_a_barrel,
        merging_by_lines,
        one_beat_in_two_parts,
    ];
    cores[..part_or_all(1, 6)].iter().for_each(|core| core());
}
