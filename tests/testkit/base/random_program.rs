//! Random programs: every opcode with random operands, guards, nested branches, and loads and stores of all sizes.

use crate::{
    assembling::*,
    program::{Buffer, Constant, Kernel, Launch, isa::*},
};

/// Small deterministic random numbers (xorshift).
pub struct ProgramRandom(u64);

impl ProgramRandom {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next_u64() % limit
    }
}

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

/// What only some cores have.
#[derive(Clone, Copy, Default)]
pub struct With {
    /// Among the accesses are atomics.
    pub atomics: bool,
    /// Double precision.
    pub double: bool,
    /// Special functions.
    pub special: bool,
}

struct ProgramGenerator {
    with: With,
    random: ProgramRandom,
    code: Vec<Instruction>,
    threads: u32,
    alu: Vec<Opcode>,
}

impl ProgramGenerator {
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
            _ => self.random.next_u64() as u32,
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

    /// The two instructions of a double, sometimes with another one between that has nothing to do with its result.
    fn double(&mut self) {
        let all: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|o| o.is_double() && *o != Opcode::DHigh).collect();
        let opcode = all[self.random.below(all.len() as u64) as usize];
        let guard = if self.chance(30) { self.predicate() } else { Predicate::TRUE };
        let dst = self.register();
        let mut half = |opcode: Opcode, high: bool| {
            let mut i = Instruction { guard, a: self.register(), c: self.register(), ..Instruction::new(opcode) };
            i.b = match self.chance(20) {
                true => OperandB::Immediate(self.value()),
                false => OperandB::Register(self.register()),
            };
            if high && i.b == OperandB::Register(RZ) {
                i.negate = [true, false, true];
            } else if high && matches!(i.b, OperandB::Register(_)) {
                i.negate = [0; 3].map(|_| self.chance(30));
            }
            // What comes with the high words is awaited until then.
            let read = [i.a, i.c, if let OperandB::Register(b) = i.b { b } else { RZ }];
            let own = self.register();
            i.dst = match (high, dst != RZ && (read.contains(&dst) || own == dst)) {
                (false, _) => dst,
                (true, false) => own,
                (true, true) => {
                    i.a = RZ;
                    i.b = OperandB::Immediate(0x3ff8_0000);
                    i.c = RZ;
                    i.negate = [false; 3];
                    RZ
                }
            };
            i
        };
        let (low, high) = (half(opcode, false), half(Opcode::DHigh, true));
        self.code.push(low);
        if self.chance(20) {
            self.code.push(opi(Opcode::Add, ADDRESS, OWN, 4));
        }
        self.code.push(high);
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
                0..=6 if self.with.double && self.chance(40) => self.double(),
                0..=6 => {
                    let i = self.arithmetic();
                    self.code.push(i);
                }
                _ => {
                    if self.chance(5) {
                        self.code.push(Instruction::new(Opcode::Membar));
                    }
                    if self.with.atomics && self.chance(40) {
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
    program_of(seed, blocks, block, With::default())
}

/// The same, with what only some cores have.
pub fn program_of(seed: u64, blocks: u32, block: [u32; 3], with: With) -> Launch {
    let in_block: u32 = block.iter().product();
    let threads = in_block * blocks;
    let [near, own, out] = areas(threads);
    let beside = |o: &Opcode| o.is_double() || o.is_special_function() && !with.special;
    let alu = |o: &&Opcode| !matches!(o, Opcode::S2r) && !beside(o) && (1..=4).contains(&(**o as u8 >> 5));
    let alu = Opcode::ALL.iter().filter(alu).copied().collect();
    let mut g = ProgramGenerator { with, random: ProgramRandom::new(seed), code: vec![], threads, alu };
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
        let mix = g.random.next_u64() as u32 | 1;
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
    let mut random = ProgramRandom::new(seed + 1);
    let data = Buffer::words("data", (0..bytes / 4).map(|_| random.next_u64() as u32));
    let constants = (0..CONSTANT_BYTES).map(|_| random.next_u64() as u8).collect();
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
        stack_bytes: 0,
        dynamic_shared: None,
        lines,
        uses_barrier: true,
        trap_lines: vec![],
        exchange: None,
        spill: None,
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
        placement: None,
    }
}

/// Addresses of the near, own and output areas.
pub fn areas(threads: u32) -> [u32; 3] {
    let near = 256 + CONSTANT_BYTES;
    [near, near + 4 * WORDS * threads, near + (4 * WORDS + 64) * threads]
}
