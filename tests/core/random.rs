//! Random programs on the core, with the emulator as the judge of memory at the end.

pub use crate::random_program::{With, program, program_of};
use crate::{random_program::areas, rig::*};
use cache::{
    Allocation, CacheParams, MissHandling, OwnParams, Replacement, SetIndex, WriteHit, WriteMiss, WritePending,
};
use program::{emulator, isa::Opcode};
use protocol::Protocol;
use simt_core::{CoreParams, MemoryOrder, double_unit::DoublePrecision, special_unit::SPECIAL};

/// All that a core has.
pub fn all_of(params: &CoreParams) -> With {
    With { atomics: params.atomics, double: params.has_unit(&DoublePrecision), special: params.has_unit(&SPECIAL) }
}

pub fn check(params: &CoreParams, seed: u64, blocks: u32, block: [u32; 3]) {
    let launch = program_of(seed, blocks, block, all_of(params));
    let expected = emulator::run(&launch, 10_000_000).unwrap_or_else(|e| panic!("{e}"));
    let mut rig = CoreRig::new(params, seed);
    rig.slowness = [4, 40, 200][seed as usize % 3];
    rig.run_program(&launch);
    let word = |chunk: &[u8]| u32::from_le_bytes(chunk.try_into().expect("four bytes"));
    let pairs = rig.memory.chunks(4).zip(expected.memory.chunks(4)).map(|(found, wanted)| (word(found), word(wanted)));
    let wrong: Vec<_> = pairs.enumerate().filter(|(_, (found, wanted))| found != wanted).collect();
    let [near, own, out] = areas(launch.grid[0] * launch.block_threads());
    let shown = wrong.iter().take(20).map(|(i, (found, wanted))| {
        let at = 4 * *i as u32;
        let place = if at < near {
            format!("constant {}", at / 4)
        } else if at < own {
            format!("near word {}", (at - near) / 4)
        } else if at < out {
            format!("own word {} of thread {}", (at - own) % 64 / 4, (at - own) / 64)
        } else {
            format!("output {} of thread {}", (at - out) % 96 / 4, (at - out) / 96)
        };
        format!("{place}: {found:#x}, should be {wanted:#x}\n")
    });
    let shown: String = shown.collect();
    assert!(wrong.is_empty(), "seed {seed}, {} words:\n{shown}{}", wrong.len(), launch.kernel.disassemble());
}

#[test]
fn random_programs_agree_with_the_emulator() {
    for seed in 0..12 {
        check(&params(), seed, 2, [37, 1, 1]);
    }
    for seed in 12..16 {
        check(&params(), seed, 5, [9, 4, 2]);
    }
}

/// The interpreter takes seconds for a program: whole kernels on it are in `tests/simulation/engine_matrix.rs`.
#[test]
fn both_engines_agree() {
    CoreRig::validated(&params(), 1).run_program(&program(30, 1, [33, 1, 1]));
}

#[test]
fn sixteen_lanes_and_short_pipelines_agree_too() {
    let wide = CoreParams { lanes: 16, execute_stages: 1, warps: 4, load_entries: 2, ..params() };
    let short = CoreParams { execute_stages: 1, tag_bits: 3, ..params() };
    let long = CoreParams { execute_stages: 7, warps: 16, tag_bits: 5, ..params() };
    for seed in 20..23 {
        check(&wide, seed, 3, [45, 1, 1]);
        check(&short, seed, 2, [64, 1, 1]);
        check(&long, seed, 6, [70, 1, 1]);
    }
}

/// Order by line without a data cache, and data caches of all kinds with both orders.
pub fn ordered() -> [CoreParams; 7] {
    let plain = params();
    let cached = |cache: CacheParams, memory_order: MemoryOrder, max_outstanding: u32| {
        let cache = CacheParams { protocol: plain.protocol(), ..cache };
        CoreParams { l1d: Some(cache), memory_order, max_outstanding, warps: 4, ..params() }
    };
    let cache = CacheParams {
        write_hit: WriteHit::Evict,
        entries: 8,
        entry_ways: 8,
        targets: 4,
        write_backs: 8,
        ..CacheParams::new(plain.protocol(), 8, 2)
    };
    let hybrid = CacheParams {
        misses: MissHandling::Htsma,
        allocation: Allocation::OnMiss,
        own: OwnParams { cam_entries: 2, ..OwnParams::default() },
        entries: 4,
        write_pending: WritePending::Poison,
        // Of four warps.
        locality: Some(2),
        ..cache.clone()
    };
    let through =
        CacheParams { write_hit: WriteHit::Through, write_miss: WriteMiss::Allocate, ways: 1, ..cache.clone() };
    let tsma = CacheParams {
        misses: MissHandling::Tsma,
        allocation: Allocation::OnMiss,
        write_hit: WriteHit::Through,
        replacement: Replacement::Tree,
        latency: 7,
        ..cache.clone()
    };
    [
        CoreParams { memory_order: MemoryOrder::Line, ..params() },
        CoreParams { memory_order: MemoryOrder::Line, max_outstanding: 6, load_entries: 2, ..params() },
        cached(cache.clone(), MemoryOrder::Warp, 16),
        cached(cache, MemoryOrder::Line, 8),
        cached(through, MemoryOrder::Line, 32),
        cached(tsma, MemoryOrder::Line, 6),
        cached(hybrid, MemoryOrder::Line, 16),
    ]
}

/// Caches that are only read, of the smallest sizes and of every kind of miss handling.
pub fn read_only_caches(protocol: Protocol) -> [CacheParams; 3] {
    let small = CacheParams {
        write_hit: WriteHit::Through,
        entries: 2,
        entry_ways: 2,
        targets: 1,
        replies: 1,
        requests: 1,
        ..CacheParams::new(protocol, 2, 1)
    };
    let tsma = CacheParams {
        ways: 2,
        misses: MissHandling::Tsma,
        allocation: Allocation::OnMiss,
        replacement: Replacement::Fifo,
        entries: 4,
        entry_ways: 4,
        targets: 3,
        latency: 6,
        ..small.clone()
    };
    let usual = CacheParams {
        sets: 16,
        ways: 2,
        index: SetIndex::Hashed,
        misses: MissHandling::SetAssociative,
        entries: 8,
        targets: 8,
        replies: 4,
        requests: 4,
        write_backs: 8,
        ..small.clone()
    };
    [small, tsma, usual]
}

/// One of them, with a seed: three seeds that follow each other by ten take all three.
fn one_of(caches: [CacheParams; 3], seed: u64) -> (CacheParams, u64) {
    let number = seed / 10 % 3;
    (caches[number as usize].clone(), seed + number)
}

/// Programs that do not fit their cache, with branches; with and without a data cache, lines of all sizes.
#[test]
fn programs_in_memory_agree_too() {
    let data = ordered()[3].l1d.clone();
    for (line_bytes, seed) in [(64, 100), (32, 110), (128, 120)] {
        let plain = CoreParams { map: params().map.with_line_bytes(line_bytes), ..params() };
        let (cache, seed) = one_of(read_only_caches(plain.fetch_protocol()), seed);
        let core = CoreParams { instruction_cache: Some(cache), ..plain.clone() };
        check(&core, 3 * seed, 2, [37, 1, 1]);
        check(&core, 3 * seed + 1, 5, [9, 4, 2]);
        let data = data.clone().map(|cache| CacheParams { protocol: core.protocol(), ..cache });
        let both = CoreParams { l1d: data, memory_order: MemoryOrder::Line, max_outstanding: 8, ..core };
        check(&both, 3 * seed, 3, [45, 1, 1]);
    }
}

/// Constants and textures through caches of the smallest sizes, with programs in memory and data caches beside them, on
/// 8, 16 and 32 lanes.
#[test]
fn constants_and_textures_through_caches_agree_too() {
    let data = ordered()[3].l1d.clone();
    for (line_bytes, lanes, seed) in [(64, 8, 200), (32, 16, 210), (128, 32, 220)] {
        let plain = CoreParams { lanes, map: params().map.with_line_bytes(line_bytes), ..params() };
        let (cache, seed) = one_of(read_only_caches(plain.constant_protocol()), seed);
        let core = CoreParams { constant_cache: Some(cache.clone()), ..plain.clone() };
        check(&core, 3 * seed, 2, [37, 1, 1]);
        check(&core, 3 * seed + 1, 5, [9, 4, 2]);
        let data = data.clone().map(|cache| CacheParams { protocol: core.protocol(), ..cache });
        let program = Some(CacheParams { protocol: core.fetch_protocol(), ..cache.clone() });
        let texture = Some(CacheParams { protocol: core.texture_protocol(), ..cache });
        let textures = CoreParams { texture_cache: texture.clone(), ..plain.clone() };
        check(&textures, 3 * seed, 3, [45, 1, 1]);
        let ordered = CoreParams { memory_order: MemoryOrder::Line, max_outstanding: 8, ..core };
        let all = CoreParams { l1d: data, instruction_cache: program, texture_cache: texture, ..ordered };
        check(&all, 3 * seed + 2, 3, [45, 1, 1]);
    }
}

/// Threads of different warps share lines, so that requests to one line meet.
#[test]
fn data_caches_and_order_by_line_agree_too() {
    let kinds = ordered();
    // Seeds with a memory that is not slow: some kinds have few requests outstanding.
    for (kind, seed) in kinds.iter().zip([42, 51, 60, 72, 81, 90, 102]) {
        for seed in [seed, seed + 4] {
            check(kind, seed, 3, [45, 1, 1]);
        }
    }
}

/// Each thread stores a number and loads it again at once, stores the next one, and so on, while memory takes requests
/// in any order.
#[test]
fn order_is_kept_a_load_finds_the_store_before_it() {
    for (kind, load) in ordered().iter().flat_map(|kind| [(kind, Opcode::LdG32), (kind, Opcode::LdV32)]) {
        let mut program = vec![special(0, 0), opi(Opcode::Shl, 1, 0, 2), op(Opcode::Mov, 3, 255, 0)];
        for i in 0..12 {
            let at = 0x1000 + 0x200 * (i % 2);
            program.extend([opi(Opcode::Add, 2, 0, 1000 * i), opi(Opcode::StG32, 2, 1, at), opi(load, 4, 1, at)]);
            program.push(op(Opcode::Add, 3, 3, 4));
        }
        program.extend([opi(Opcode::StG32, 3, 1, 0x2000), exit()]);
        let mut rig = CoreRig::new(kind, 5);
        rig.slowness = 60;
        rig.load(&program, &[]);
        rig.run(crate::rig::Launch::line(1, 96));
        for thread in 0..96 {
            let expected: u32 = (0..12).map(|i| thread + 1000 * i).sum::<u32>() + thread;
            assert_eq!(rig.word(0x2000 + 4 * thread), expected, "thread {thread}, {load:?}, {kind:?}");
        }
    }
}

/// Atomics among all the rest; a core without them.
#[test]
fn cores_with_and_without_atomics_agree_too() {
    let small =
        CoreParams { map: params().map.with_line_bytes(32), lanes: 16, load_entries: 2, tag_bits: 3, ..params() };
    for seed in 110..114 {
        check(&small, seed, 3, [45, 1, 1]);
        check(&CoreParams { atomics: false, ..params() }, seed, 3, [45, 1, 1]);
    }
}

#[test]
fn lines_of_other_sizes_agree_too() {
    for line_bytes in [32, 128] {
        let other = CoreParams { map: params().map.with_line_bytes(line_bytes), ..params() };
        for seed in 30..34 {
            check(&other, seed, 3, [45, 1, 1]);
        }
    }
}
