//! Random programs: every opcode with random operands, guards, nested branches, and loads and stores of all sizes, with
//! the emulator as the judge of memory at the end.

use crate::rig::*;
use warpmesh::{
    cache::{Allocation, CacheParams, MissHandling, Replacement, SetIndex, WriteHit, WriteMiss, WritePending},
    core::{CoreParams, MemoryOrder},
    memory::protocol::Protocol,
    program::{Buffer, Constant, Kernel, Launch, emulator, isa::*},
};

/// Data registers.
const DATA: u8 = 16;
/// Bytes 4 k apart in the thread's words that lie next to the other threads' (coalesced).
const NEAR: u8 = 17;
/// The thread's own 64 bytes of global memory.
const OWN: u8 = 18;
/// The thread's own 20 bytes of shared memory.
const SHARED: u8 = 19;
/// A word of the constants, another one in each of 64 neighbouring threads.
const CONSTANT: u8 = 24;
/// Bytes of constants.
const CONSTANT_BYTES: u32 = 512;
/// Address of an atomic.
const ADDRESS: u8 = 23;
/// Words of each thread in the near and in the own area.
const WORDS: u32 = 8;

struct Generator {
    /// Among the accesses are atomics.
    atomics: bool,
    random: Random,
    code: Vec<Instruction>,
    threads: u32,
    alu: Vec<Opcode>,
}

impl Generator {
    fn chance(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    fn register(&mut self) -> u8 {
        if self.chance(6) { RZ } else { self.random.below(DATA.into()) as u8 }
    }

    /// Values that arithmetic finds interesting, and any others.
    fn value(&mut self) -> u32 {
        const CORNERS: [u32; 12] = [
            0,
            1,
            31,
            32,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x3f80_0000,
            0x7f80_0000,
            0xff80_0001,
            1 << 23,
            0xcf00_0000,
        ];
        match self.random.below(4) {
            0 => CORNERS[self.random.below(12) as usize],
            1 => self.random.below(64) as u32,
            2 => (self.random.below(1 << 12) as f32 / 16.0 - 100.0).to_bits(),
            _ => self.random.next() as u32,
        }
    }

    fn predicate(&mut self) -> Predicate {
        Predicate { index: self.random.below(8) as u8, negate: self.chance(50) }
    }

    fn guarded(&mut self, instruction: Instruction) -> Instruction {
        let guard = if self.chance(30) { self.predicate() } else { Predicate::TRUE };
        Instruction { guard, ..instruction }
    }

    fn arithmetic(&mut self) -> Instruction {
        let opcode = self.alu[self.random.below(self.alu.len() as u64) as usize];
        let immediate = opcode.operands() != Operands::Abc && opcode != Opcode::Plop && self.chance(30);
        let mut i = Instruction { a: self.register(), c: self.register(), ..Instruction::new(opcode) };
        i.b = if immediate { OperandB::Immediate(self.value()) } else { OperandB::Register(self.register()) };
        i.p = Predicate { negate: !immediate && self.chance(50), ..self.predicate() };
        let is_float = opcode as u8 >> 5 == 4 || opcode == Opcode::FSetp;
        if is_float && !immediate && opcode.operands() != Operands::B {
            i.negate = [self.chance(30), self.chance(30), opcode == Opcode::FFma && self.chance(30)];
        }
        let code = match opcode {
            Opcode::Plop => {
                i.b = OperandB::Register(self.random.below(16) as u8);
                self.random.below(3)
            }
            Opcode::FSetp => [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14][self.random.below(14) as usize],
            _ => self.random.below(6),
        };
        let predicate = self.random.below(7) as u8;
        i.dst =
            if opcode.writes_predicate() { Instruction::predicate_dst(code as u8, predicate) } else { self.register() };
        self.guarded(i)
    }

    fn access(&mut self) -> Instruction {
        const KINDS: [(Opcode, u32); 27] = [
            (Opcode::LdT32, 4),
            (Opcode::LdC32, 4),
            (Opcode::LdCU8, 1),
            (Opcode::LdCS8, 1),
            (Opcode::LdCU16, 2),
            (Opcode::LdCS16, 2),
            (Opcode::LdV32, 4),
            (Opcode::LdVU8, 1),
            (Opcode::LdVS8, 1),
            (Opcode::LdVU16, 2),
            (Opcode::LdVS16, 2),
            (Opcode::LdG32, 4),
            (Opcode::LdGU8, 1),
            (Opcode::LdGS8, 1),
            (Opcode::LdGU16, 2),
            (Opcode::LdGS16, 2),
            (Opcode::StG32, 4),
            (Opcode::StG8, 1),
            (Opcode::StG16, 2),
            (Opcode::LdS32, 4),
            (Opcode::LdSU8, 1),
            (Opcode::LdSS8, 1),
            (Opcode::LdSU16, 2),
            (Opcode::LdSS16, 2),
            (Opcode::StS32, 4),
            (Opcode::StS8, 1),
            (Opcode::StS16, 2),
        ];
        let (opcode, size) = KINDS[self.random.below(KINDS.len() as u64) as usize];
        let read_only = opcode.is_constant() || opcode.is_texture();
        let shared = opcode as u8 & 0x18 == 8 && !read_only;
        let byte = self.random.below(u64::from(4 / size)) as u32 * size;
        let (base, offset) = if read_only {
            // All threads one, or each another one.
            let base = if self.chance(50) { RZ } else { CONSTANT };
            (base, (if base == RZ { 256 } else { 0 }) + 4 * self.random.below(64) as u32)
        } else if shared {
            (SHARED, 4 * self.random.below(5) as u32)
        } else if self.chance(50) {
            (NEAR, 4 * self.threads * self.random.below(WORDS.into()) as u32)
        } else {
            (OWN, 4 * self.random.below(WORDS.into()) as u32)
        };
        let register = self.register();
        let access = opi(opcode, register, base, offset + byte);
        self.guarded(access)
    }

    /// An atomic on the thread's own words, of 32 bits or, in global memory, of 64.
    fn atomic(&mut self) {
        let shared = self.chance(40);
        let wide = !shared && self.chance(30);
        let (base, offset) = match shared {
            true => (SHARED, 4 * self.random.below(5) as u32),
            false if self.chance(50) && !wide => (NEAR, 4 * self.threads * self.random.below(WORDS.into()) as u32),
            false => (OWN, 4 * (self.random.below(WORDS.into()) as u32 & if wide { !1 } else { !0 })),
        };
        self.code.push(opi(Opcode::Add, ADDRESS, base, offset));
        let op = AtomicOp::ALL[self.random.below(13) as usize];
        let op = if wide && op == AtomicOp::FAdd { AtomicOp::Cas } else { op };
        let returns = self.chance(70);
        let [b, high_b] = [0; 2].map(|_| OperandB::Register(self.register()));
        let (c, high_c) = (self.register(), self.register());
        let guard = if self.chance(30) { self.predicate() } else { Predicate::TRUE };
        let (dst, high) = (self.register(), self.register());
        if wide {
            let opcode = if returns { Opcode::AtomGHigh } else { Opcode::RedGHigh };
            // The register of the high word is awaited until the atomic is done.
            let apart = high != dst && b != OperandB::Register(high) && c != high;
            let high = if returns && apart { high } else { RZ };
            self.code.push(Instruction { guard, dst: high, b: high_b, c: high_c, ..Instruction::new(opcode) });
        }
        let opcode = Opcode::of_atomic(op, shared);
        let dst = if returns { dst } else { RZ };
        self.code.push(Instruction { guard, dst, a: ADDRESS, b, c, ..Instruction::new(opcode) });
    }

    /// Some statements, among them nested branches.
    fn body(&mut self, length: u64, depth: u32) {
        for _ in 0..length {
            match self.random.below(10) {
                0 if depth > 0 => {
                    let guard = self.predicate();
                    let branch = self.code.len();
                    self.code.push(Instruction::new(Opcode::Nop));
                    let length = self.random.below(5);
                    self.body(length, depth - 1);
                    let skip = self.code.len();
                    self.code.push(Instruction::new(Opcode::Nop));
                    let length = self.random.below(5);
                    self.body(length, depth - 1);
                    let meet = self.code.len() as u16;
                    self.code[branch] = Instruction { guard, ..Instruction::branch(skip as u16 + 1, meet) };
                    self.code[skip] = Instruction::branch(meet, meet);
                }
                0..=6 => {
                    let i = self.arithmetic();
                    self.code.push(i);
                }
                _ => {
                    if self.chance(5) {
                        self.code.push(Instruction::new(Opcode::Membar));
                    }
                    if self.atomics && self.chance(40) {
                        self.atomic();
                    } else {
                        let i = self.access();
                        self.code.push(i);
                    }
                }
            }
        }
    }
}

/// A random program for blocks of `block` threads; everything that it computes ends in global memory.
pub fn program(seed: u64, blocks: u32, block: [u32; 3]) -> Launch {
    program_of(seed, blocks, block, false)
}

/// The same, with atomics on request.
pub fn program_of(seed: u64, blocks: u32, block: [u32; 3], atomics: bool) -> Launch {
    let in_block: u32 = block.iter().product();
    let threads = in_block * blocks;
    let [near, own, out] = areas(threads);
    let alu = |o: &&Opcode| !matches!(o, Opcode::S2r) && (1..=4).contains(&(**o as u8 >> 5));
    let alu = Opcode::ALL.iter().filter(alu).copied().collect();
    let mut g = Generator { atomics, random: Random::new(seed), code: vec![], threads, alu };
    // R0 thread in the block, R16 thread in the grid.
    g.code.extend([special(0, 0), special(1, 1), special(2, 3), op(Opcode::Mul, 1, 1, 2), op(Opcode::Add, 0, 0, 1)]);
    g.code.extend([special(1, 2), op(Opcode::Mul, 1, 1, 2), special(2, 4), op(Opcode::Mul, 1, 1, 2)]);
    g.code.extend([
        op(Opcode::Add, 0, 0, 1),
        special(1, 6),
        opi(Opcode::Mul, 1, 1, in_block),
        op(Opcode::Add, 16, 0, 1),
    ]);
    g.code.extend([opi(Opcode::Shl, NEAR, 16, 2), opi(Opcode::Add, NEAR, NEAR, near)]);
    g.code.extend([opi(Opcode::Shl, OWN, 16, 6), opi(Opcode::Add, OWN, OWN, own), opi(Opcode::Mul, SHARED, 0, 20)]);
    g.code.extend([opi(Opcode::And, CONSTANT, 16, 63), opi(Opcode::Shl, CONSTANT, CONSTANT, 2)]);
    g.code.push(opi(Opcode::Add, CONSTANT, CONSTANT, 256));
    for register in 0..DATA {
        let value = g.value();
        let mix = g.random.next() as u32 | 1;
        g.code.extend([opi(Opcode::Mul, register, 16, mix), opi(Opcode::Add, register, register, value)]);
    }
    for p in 0..7 {
        g.code.push(opi(Opcode::ISetpS, Instruction::predicate_dst(2, p), p, 0));
    }
    for word in 0..5 {
        g.code.push(opi(Opcode::StS32, 3 + word, SHARED, 4 * u32::from(word)));
    }
    for _ in 0..4 {
        g.body(20, 3);
        g.code.push(Instruction::new(Opcode::Bar));
    }
    // Predicates and shared words into registers, registers into memory.
    g.code.extend([opi(Opcode::Mul, 20, 16, 4 * 24), opi(Opcode::Add, 20, 20, out), op(Opcode::Mov, 21, 0, RZ)]);
    for p in 0..7 {
        g.code.push(on(p, opi(Opcode::Or, 21, 21, 1 << p)));
        g.code.push(unless(p, opi(Opcode::Or, 21, 21, 0x100 << p)));
    }
    for word in 0..5 {
        g.code.extend([opi(Opcode::LdS32, 22, SHARED, 4 * word), opi(Opcode::StG32, 22, 20, 4 * (17 + word))]);
    }
    g.code.push(opi(Opcode::StG32, 21, 20, 64));
    for register in 0..DATA {
        g.code.push(opi(Opcode::StG32, register, 20, 4 * u32::from(register)));
    }
    g.code.push(exit());
    let bytes = out + 4 * 24 * threads - near;
    let mut random = Random::new(seed + 1);
    let data = Buffer::words("data", (0..bytes / 4).map(|_| random.next() as u32));
    let constants = (0..CONSTANT_BYTES).map(|_| random.next() as u8).collect();
    let constants = vec![Constant { name: "constants".into(), address: 256, data: constants }];
    let lines = vec![1; g.code.len()];
    let kernel = Kernel {
        name: "random".into(),
        code: g.code.iter().map(Instruction::encode).collect(),
        params: vec![],
        registers: 64,
        shared_bytes: 20 * in_block,
        constants,
        textures: vec![],
        globals: vec![],
        local: None,
        dynamic_shared: None,
        lines,
        uses_barrier: true,
        trap_lines: vec![],
        exchange: None,
        in_step: false,
        address_bits: 32,
        source: None,
    };
    Launch {
        name: "random".into(),
        kernel,
        grid: [blocks, 1, 1],
        block,
        buffers: vec![data],
        args: vec![],
        checks: vec![],
    }
}

pub fn check(params: &CoreParams, seed: u64, blocks: u32, block: [u32; 3]) {
    let launch = program_of(seed, blocks, block, params.atomics);
    let expected = emulator::run(&launch, 10_000_000).unwrap_or_else(|e| panic!("{e}"));
    let mut rig = Rig::new(params, seed);
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

/// Addresses of the near, own and output areas.
fn areas(threads: u32) -> [u32; 3] {
    let near = 256 + CONSTANT_BYTES;
    [near, near + 4 * WORDS * threads, near + (4 * WORDS + 64) * threads]
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

#[test]
fn both_engines_agree() {
    Rig::validated(&params(), 1).run_program(&program(30, 1, [33, 1, 1]));
}

#[test]
fn sixteen_lanes_and_short_pipelines_agree_too() {
    let wide = CoreParams { lanes: 16, execute_stages: 1, warps: 4, loads: 2, ..params() };
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
    let cached = |cache: CacheParams, memory_order: MemoryOrder, under_way: u32| {
        let cache = CacheParams { protocol: plain.protocol(), ..cache };
        CoreParams { l1d: Some(cache), memory_order, under_way, warps: 4, ..params() }
    };
    let cache = CacheParams {
        write_hit: WriteHit::Evict,
        entries: 8,
        entry_ways: 8,
        fields: 4,
        write_backs: 8,
        ..CacheParams::new(plain.protocol(), 8, 2)
    };
    let hybrid = CacheParams {
        misses: MissHandling::Htsma,
        allocation: Allocation::OnMiss,
        small_entries: 2,
        entries: 4,
        write_pending: WritePending::Poison,
        // Of four warps.
        locality: Some(2),
        ..cache.clone()
    };
    let through = CacheParams { write_hit: WriteHit::Through, write_miss: WriteMiss::Fetch, ways: 1, ..cache.clone() };
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
        CoreParams { memory_order: MemoryOrder::Line, under_way: 6, loads: 2, ..params() },
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
        fields: 1,
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
        fields: 3,
        latency: 6,
        ..small.clone()
    };
    let usual = CacheParams {
        sets: 16,
        ways: 2,
        index: SetIndex::Hashed,
        misses: MissHandling::SetAssociative,
        entries: 8,
        fields: 8,
        replies: 4,
        requests: 4,
        write_backs: 8,
        ..small.clone()
    };
    [small, tsma, usual]
}

/// Programs that do not fit their cache, with branches; with and without a data cache, lines of all sizes.
#[test]
fn programs_in_memory_agree_too() {
    let data = ordered()[3].l1d.clone();
    for (line_bytes, seed) in [(64, 100), (32, 110), (128, 120)] {
        let plain = CoreParams { map: params().map.with_line_bytes(line_bytes), ..params() };
        for (cache, seed) in read_only_caches(plain.fetch_protocol()).into_iter().zip(seed..) {
            let core = CoreParams { instruction_cache: Some(cache), ..plain.clone() };
            check(&core, 3 * seed, 2, [37, 1, 1]);
            check(&core, 3 * seed + 1, 5, [9, 4, 2]);
            let data = data.clone().map(|cache| CacheParams { protocol: core.protocol(), ..cache });
            let both = CoreParams { l1d: data, memory_order: MemoryOrder::Line, under_way: 8, ..core };
            check(&both, 3 * seed, 3, [45, 1, 1]);
        }
    }
    let [cache, ..] = read_only_caches(params().fetch_protocol());
    let core = CoreParams { instruction_cache: Some(cache), ..params() };
    Rig::validated(&core, 1).run_program(&program(31, 1, [33, 1, 1]));
}

/// Constants and textures through caches of the smallest sizes, with programs in memory and data caches beside them, on 8 and 16 lanes.
#[test]
fn constants_and_textures_through_caches_agree_too() {
    let data = ordered()[3].l1d.clone();
    for (line_bytes, lanes, seed) in [(64, 8, 200), (32, 16, 210), (128, 8, 220)] {
        let plain = CoreParams { lanes, map: params().map.with_line_bytes(line_bytes), ..params() };
        for (cache, seed) in read_only_caches(plain.constant_protocol()).into_iter().zip(seed..) {
            let core = CoreParams { constant_cache: Some(cache.clone()), ..plain.clone() };
            check(&core, 3 * seed, 2, [37, 1, 1]);
            check(&core, 3 * seed + 1, 5, [9, 4, 2]);
            let data = data.clone().map(|cache| CacheParams { protocol: core.protocol(), ..cache });
            let program = Some(CacheParams { protocol: core.fetch_protocol(), ..cache.clone() });
            let texture = Some(CacheParams { protocol: core.texture_protocol(), ..cache });
            let textures = CoreParams { texture_cache: texture.clone(), ..plain.clone() };
            check(&textures, 3 * seed, 3, [45, 1, 1]);
            let ordered = CoreParams { memory_order: MemoryOrder::Line, under_way: 8, ..core };
            let all = CoreParams { l1d: data, instruction_cache: program, texture_cache: texture, ..ordered };
            check(&all, 3 * seed + 2, 3, [45, 1, 1]);
        }
    }
    let [cache, ..] = read_only_caches(params().constant_protocol());
    let core = CoreParams { constant_cache: Some(cache), ..params() };
    Rig::validated(&core, 1).run_program(&program(31, 1, [33, 1, 1]));
}

/// Threads of different warps share lines, so that requests to one line meet.
#[test]
fn data_caches_and_order_by_line_agree_too() {
    let kinds = ordered();
    // Seeds with a memory that is not slow: some kinds have few requests under way.
    for (kind, seed) in kinds.iter().zip([42, 51, 60, 72, 81, 90, 102]) {
        for seed in [seed, seed + 1, seed + 3, seed + 4] {
            check(kind, seed, 3, [45, 1, 1]);
        }
    }
    Rig::validated(&kinds[4], 1).run_program(&program(31, 1, [33, 1, 1]));
}

/// Each thread stores a number and loads it again at once, stores the next one, and so on, while memory takes requests in any order.
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
        let mut rig = Rig::new(kind, 5);
        rig.slowness = 60;
        rig.load(&program, &[]);
        rig.run(crate::rig::Launch::line(1, 96));
        for thread in 0..96 {
            let expected: u32 = (0..12).map(|i| thread + 1000 * i).sum::<u32>() + thread;
            assert_eq!(rig.word(0x2000 + 4 * thread), expected, "thread {thread}, {load:?}, {kind:?}");
        }
    }
}

/// Atomics among all the rest, and neither engine nor twins matter; a core without them.
#[test]
fn cores_with_and_without_atomics_agree_too() {
    let small = CoreParams { map: params().map.with_line_bytes(32), lanes: 16, loads: 2, tag_bits: 3, ..params() };
    for seed in 110..114 {
        check(&small, seed, 3, [45, 1, 1]);
        check(&CoreParams { atomics: false, ..params() }, seed, 3, [45, 1, 1]);
    }
    Rig::validated(&small, 1).run_program(&program_of(120, 1, [33, 1, 1], true));
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
