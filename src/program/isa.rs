//! The instruction set: opcodes, fields, encoding, disassembly. `docs/isa.md` explains it.

use std::fmt;

/// Register number that reads zero and swallows writes.
pub const RZ: u8 = 255;
/// Predicate number that is always true.
pub const PT: u8 = 7;
/// Reconvergence point of a branch whose paths only meet at the end of the thread.
pub const NO_RECONVERGENCE: u16 = 0xffff;

/// Barriers of a thread block, at most.
pub const BARRIERS: u32 = 16;
/// Number of the special register with the outcome of the warp's last barrier: threads whose predicate held.
pub const BARRIER_SUM: u32 = 15;

/// What says which barrier of the block a warp arrives at, and for how many threads it waits: a multiple of 32, or 0 for all that have not ended.
pub const fn barrier_word(number: u32, threads: u32) -> u32 {
    threads << 16 | number
}

/// Positions of the fields in the 64-bit word: `(lowest bit, width)`. The decoder hardware uses the same table.
pub mod field {
    /// Operation code; its top three bits are the unit.
    pub const OPCODE: (u32, u32) = (56, 8);
    /// Operand b is the 32-bit immediate.
    pub const IMMEDIATE_FORM: (u32, u32) = (55, 1);
    /// Guard predicate.
    pub const GUARD: (u32, u32) = (52, 3);
    /// Guard is inverted.
    pub const GUARD_NEGATE: (u32, u32) = (51, 1);
    /// Destination register (stores: data register).
    pub const DST: (u32, u32) = (43, 8);
    /// Destination predicate: the low bits of the destination.
    pub const DST_PREDICATE: (u32, u32) = (43, 3);
    /// Comparison or logic code: the high bits of the destination.
    pub const CODE: (u32, u32) = (46, 5);
    /// Source register a.
    pub const A: (u32, u32) = (35, 8);
    /// Source predicate.
    pub const P: (u32, u32) = (32, 3);
    /// Source predicate is inverted (register form only).
    pub const P_NEGATE: (u32, u32) = (31, 1);
    /// Negate operand c, b, a (register form only).
    pub const NEGATE_C: (u32, u32) = (29, 1);
    /// See [`NEGATE_C`].
    pub const NEGATE_B: (u32, u32) = (28, 1);
    /// See [`NEGATE_C`].
    pub const NEGATE_A: (u32, u32) = (27, 1);
    /// Source register c (register form only).
    pub const C: (u32, u32) = (16, 8);
    /// Source register b (register form only).
    pub const B: (u32, u32) = (0, 8);
    /// Immediate operand b.
    pub const IMMEDIATE: (u32, u32) = (0, 32);
    /// Branch target, in the immediate.
    pub const TARGET: (u32, u32) = (0, 16);
    /// Reconvergence point, in the immediate.
    pub const RECONVERGENCE: (u32, u32) = (16, 16);

    /// Those that the decoder takes, with their names.
    pub const DECODED: [(&str, (u32, u32)); 16] = [
        ("opcode", OPCODE),
        ("immediate_form", IMMEDIATE_FORM),
        ("guard", GUARD),
        ("guard_negate", GUARD_NEGATE),
        ("dst", DST),
        ("dst_predicate", DST_PREDICATE),
        ("code", CODE),
        ("a", A),
        ("p", P),
        ("p_negate", P_NEGATE),
        ("negate_c", NEGATE_C),
        ("negate_b", NEGATE_B),
        ("negate_a", NEGATE_A),
        ("c", C),
        ("b", B),
        ("immediate", IMMEDIATE),
    ];
}

macro_rules! opcodes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal $uses:ident;)*) => {
        /// What an instruction does. The discriminant is the 8-bit code.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Opcode { $($(#[doc = $doc])* $name = $code),* }

        impl Opcode {
            /// All opcodes, in order of code.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name),*];

            /// Which fields matter.
            pub fn operands(self) -> Operands {
                match self { $(Opcode::$name => Operands::$uses),* }
            }

            /// What it does, in a sentence or two.
            pub fn about(self) -> &'static str {
                match self { $(Opcode::$name => concat!($($doc),*).trim_ascii()),* }
            }

            /// Upper-case mnemonic.
            pub fn mnemonic(self) -> String {
                match self { $(Opcode::$name => stringify!($name).to_uppercase()),* }
            }
        }
    };
}

/// Which fields an opcode uses: what the scoreboard has to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// Nothing.
    None,
    /// Target and reconvergence point.
    Branch,
    /// `dst = f(b)`.
    B,
    /// `dst = f(a, b)`.
    Ab,
    /// `dst = f(a, b, predicate p)`.
    Abp,
    /// `dst = f(a, b, c)`.
    Abc,
    /// Predicate `dst = compare(a, b)`.
    Compare,
    /// Predicate `dst = logic(p, second predicate)`.
    Logic,
    /// `dst = memory[a + imm]`.
    Load,
    /// `memory[a + imm] = dst`.
    Store,
    /// `dst = memory[a]; memory[a] = f(memory[a], c, b)` in one step.
    Atomic,
    /// Low or high words of `dst = f(a, b, c)` in double precision.
    Double,
    /// Arrival at the barrier that `b` says ([`barrier_word`]), with the predicate `p`.
    Barrier,
}

opcodes! {
    /// No operation.
    Nop = 0x00 None;
    /// Jump where the guard holds.
    Bra = 0x01 Branch;
    /// Arrives at a barrier of the thread block and waits there; counts the threads whose predicate `p` holds.
    Bar = 0x02 Barrier;
    /// End of the threads whose guard holds.
    Exit = 0x03 None;
    /// Memory fence: what follows waits until all memory accesses of the warp are done.
    Membar = 0x04 None;
    /// Arrives at a barrier of the thread block and goes on.
    BarArrive = 0x05 Barrier;
    /// `d = b`.
    Mov = 0x20 B;
    /// `d = special register b`.
    S2r = 0x21 B;
    /// `d = a + b`.
    Add = 0x22 Ab;
    /// `d = a - b`.
    Sub = 0x23 Ab;
    /// `d = a + b + p`.
    Addc = 0x24 Abp;
    /// `d = a - b - p`.
    Subc = 0x25 Abp;
    /// Bitwise and.
    And = 0x26 Ab;
    /// Bitwise or.
    Or = 0x27 Ab;
    /// Bitwise exclusive or.
    Xor = 0x28 Ab;
    /// Shift left.
    Shl = 0x29 Ab;
    /// Logical shift right.
    Shr = 0x2a Ab;
    /// Arithmetic shift right.
    Sar = 0x2b Ab;
    /// Signed minimum.
    MinS = 0x2c Ab;
    /// Signed maximum.
    MaxS = 0x2d Ab;
    /// Unsigned minimum.
    MinU = 0x2e Ab;
    /// Unsigned maximum.
    MaxU = 0x2f Ab;
    /// `d = p ? a : b`.
    Sel = 0x30 Abp;
    /// Signed integer compare.
    ISetpS = 0x40 Compare;
    /// Unsigned integer compare.
    ISetpU = 0x41 Compare;
    /// Floating-point compare.
    FSetp = 0x42 Compare;
    /// Predicate logic.
    Plop = 0x43 Logic;
    /// Low word of the product.
    Mul = 0x60 Ab;
    /// High word of the signed product.
    MulHS = 0x61 Ab;
    /// High word of the unsigned product.
    MulHU = 0x62 Ab;
    /// `d = a * b + c`, low word.
    Mad = 0x63 Abc;
    /// Floating-point add.
    FAdd = 0x80 Ab;
    /// Floating-point multiply.
    FMul = 0x81 Ab;
    /// Fused multiply-add.
    FFma = 0x82 Abc;
    /// Floating-point minimum.
    FMin = 0x83 Ab;
    /// Floating-point maximum.
    FMax = 0x84 Ab;
    /// Signed integer to float.
    I2fS = 0x85 B;
    /// Unsigned integer to float.
    I2fU = 0x86 B;
    /// Float to signed integer.
    F2iS = 0x87 B;
    /// Float to unsigned integer.
    F2iU = 0x88 B;
    /// Double-precision add. Of this and what follows the operands are low words: the high words come with the next instruction of the thread, `DHIGH`.
    DAdd = 0x89 Double;
    /// Double-precision multiply.
    DMul = 0x8a Double;
    /// Double-precision fused multiply-add.
    DFma = 0x8b Double;
    /// How two doubles compare: 1 less, 2 equal, 4 greater, 8 one is NaN.
    DCmp = 0x8c Double;
    /// Signed integer of 64 bits to double.
    I2dS = 0x8d Double;
    /// Unsigned integer of 64 bits to double.
    I2dU = 0x8e Double;
    /// Double to signed integer of 64 bits.
    D2iS = 0x8f Double;
    /// Double to unsigned integer of 64 bits.
    D2iU = 0x90 Double;
    /// Double to float.
    D2f = 0x91 Double;
    /// Float to double.
    F2d = 0x92 Double;
    /// Special function: `1 / b`. Of this and what follows the special function unit computes an approximation ([`super::special`]).
    Rcp = 0x93 B;
    /// Special function: `1 / sqrt b`.
    Rsq = 0x94 B;
    /// Special function: logarithm to base 2.
    Lg2 = 0x95 B;
    /// Special function: `2^b`.
    Ex2 = 0x96 B;
    /// Special function: sine of `b` turns.
    Sin = 0x97 B;
    /// Special function: cosine of `b` turns.
    Cos = 0x98 B;
    /// High words of the operands of the instruction before it; `d` is the high word of its result.
    DHigh = 0x9f Double;
    /// Load 32 bits from global memory.
    LdG32 = 0xa0 Load;
    /// Load an unsigned byte from global memory.
    LdGU8 = 0xa1 Load;
    /// Load a signed byte from global memory.
    LdGS8 = 0xa2 Load;
    /// Load an unsigned half word from global memory.
    LdGU16 = 0xa3 Load;
    /// Load a signed half word from global memory.
    LdGS16 = 0xa4 Load;
    /// Load 32 bits from shared memory.
    LdS32 = 0xa8 Load;
    /// Load an unsigned byte from shared memory.
    LdSU8 = 0xa9 Load;
    /// Load a signed byte from shared memory.
    LdSS8 = 0xaa Load;
    /// Load an unsigned half word from shared memory.
    LdSU16 = 0xab Load;
    /// Load a signed half word from shared memory.
    LdSS16 = 0xac Load;
    /// Load 32 bits of a kernel parameter; `a` is `RZ`.
    LdP32 = 0xb0 Load;
    /// Load 32 bits from global memory, past a first-level cache.
    LdV32 = 0xb8 Load;
    /// Load an unsigned byte from global memory, past a first-level cache.
    LdVU8 = 0xb9 Load;
    /// Load a signed byte from global memory, past a first-level cache.
    LdVS8 = 0xba Load;
    /// Load an unsigned half word from global memory, past a first-level cache.
    LdVU16 = 0xbb Load;
    /// Load a signed half word from global memory, past a first-level cache.
    LdVS16 = 0xbc Load;
    /// Store 32 bits to global memory.
    StG32 = 0xc0 Store;
    /// Store a byte to global memory.
    StG8 = 0xc1 Store;
    /// Store a half word to global memory.
    StG16 = 0xc3 Store;
    /// Store 32 bits to shared memory.
    StS32 = 0xc8 Store;
    /// Store a byte to shared memory.
    StS8 = 0xc9 Store;
    /// Store a half word to shared memory.
    StS16 = 0xcb Store;
    /// Load 32 bits of a constant.
    LdC32 = 0xd0 Load;
    /// Load an unsigned byte of a constant.
    LdCU8 = 0xd1 Load;
    /// Load a signed byte of a constant.
    LdCS8 = 0xd2 Load;
    /// Load an unsigned half word of a constant.
    LdCU16 = 0xd3 Load;
    /// Load a signed half word of a constant.
    LdCS16 = 0xd4 Load;
    /// Load 32 bits of a texture.
    LdT32 = 0xd8 Load;
    /// Add, atomic in global memory.
    AtomGAdd = 0xe0 Atomic;
    /// Signed minimum, atomic in global memory.
    AtomGMinS = 0xe1 Atomic;
    /// Signed maximum, atomic in global memory.
    AtomGMaxS = 0xe2 Atomic;
    /// Unsigned minimum, atomic in global memory.
    AtomGMinU = 0xe3 Atomic;
    /// Unsigned maximum, atomic in global memory.
    AtomGMaxU = 0xe4 Atomic;
    /// Bitwise and, atomic in global memory.
    AtomGAnd = 0xe5 Atomic;
    /// Bitwise or, atomic in global memory.
    AtomGOr = 0xe6 Atomic;
    /// Bitwise exclusive or, atomic in global memory.
    AtomGXor = 0xe7 Atomic;
    /// Exchange, atomic in global memory.
    AtomGExch = 0xe8 Atomic;
    /// Compare and swap, atomic in global memory.
    AtomGCas = 0xe9 Atomic;
    /// Increment up to a bound, atomic in global memory.
    AtomGInc = 0xea Atomic;
    /// Decrement from a bound, atomic in global memory.
    AtomGDec = 0xeb Atomic;
    /// Floating-point add, atomic in global memory.
    AtomGFAdd = 0xec Atomic;
    /// High words of the operands of the global atomic behind it, which has 64 bits then; `d` is the high word of the old value.
    AtomGHigh = 0xed Atomic;
    /// The same before an atomic whose old value nobody wants.
    RedGHigh = 0xee Atomic;
    /// Add, atomic in shared memory.
    AtomSAdd = 0xf0 Atomic;
    /// Signed minimum, atomic in shared memory.
    AtomSMinS = 0xf1 Atomic;
    /// Signed maximum, atomic in shared memory.
    AtomSMaxS = 0xf2 Atomic;
    /// Unsigned minimum, atomic in shared memory.
    AtomSMinU = 0xf3 Atomic;
    /// Unsigned maximum, atomic in shared memory.
    AtomSMaxU = 0xf4 Atomic;
    /// Bitwise and, atomic in shared memory.
    AtomSAnd = 0xf5 Atomic;
    /// Bitwise or, atomic in shared memory.
    AtomSOr = 0xf6 Atomic;
    /// Bitwise exclusive or, atomic in shared memory.
    AtomSXor = 0xf7 Atomic;
    /// Exchange, atomic in shared memory.
    AtomSExch = 0xf8 Atomic;
    /// Compare and swap, atomic in shared memory.
    AtomSCas = 0xf9 Atomic;
    /// Increment up to a bound, atomic in shared memory.
    AtomSInc = 0xfa Atomic;
    /// Decrement from a bound, atomic in shared memory.
    AtomSDec = 0xfb Atomic;
    /// Floating-point add, atomic in shared memory.
    AtomSFAdd = 0xfc Atomic;
}

impl Opcode {
    /// The opcode with the given code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|o| *o as u8 == code)
    }

    /// Needs the double-precision unit.
    pub fn is_double(self) -> bool {
        self.operands() == Operands::Double
    }

    /// Needs the special function unit.
    pub fn is_special_function(self) -> bool {
        (Self::Rcp as u8..=Self::Cos as u8).contains(&(self as u8))
    }

    /// Loads a constant.
    pub fn is_constant(self) -> bool {
        self as u8 >> 3 == Self::LdC32 as u8 >> 3
    }

    /// Loads a texel.
    pub fn is_texture(self) -> bool {
        self == Self::LdT32
    }

    /// Writes a register.
    pub fn writes_register(self) -> bool {
        use Operands::{Ab, Abc, Abp, Atomic, B, Double, Load};
        matches!(self.operands(), B | Ab | Abp | Abc | Load | Atomic | Double)
    }

    /// What an atomic does with the value in memory; nothing for those that only carry high words.
    pub fn atomic(self) -> Option<AtomicOp> {
        let op = AtomicOp::ALL.get(usize::from(self as u8 & 15)).copied();
        op.filter(|_| self.operands() == Operands::Atomic)
    }

    /// A load past the first-level cache.
    pub fn is_volatile(self) -> bool {
        self.operands() == Operands::Load && self as u8 >> 3 == Self::LdV32 as u8 >> 3
    }

    /// The number of the memory that it works on: 0 global, 1 shared, 2 param, 3 global past a first-level cache. Constants have none; textures are global.
    pub fn memory_space(self) -> Option<u8> {
        match self.operands() {
            Operands::Atomic => Some(self as u8 >> 4 & 1),
            _ if self.is_constant() => None,
            _ if self.is_texture() => Some(0),
            Operands::Load | Operands::Store => Some(self as u8 >> 3 & 3),
            _ => None,
        }
    }

    /// Arrives at a barrier.
    pub fn is_barrier(self) -> bool {
        self.operands() == Operands::Barrier
    }

    /// Carries the high words of the atomic behind it.
    pub fn is_high_part(self) -> bool {
        matches!(self, Opcode::AtomGHigh | Opcode::RedGHigh)
    }

    /// An atomic in shared or in global memory.
    pub fn of_atomic(op: AtomicOp, shared: bool) -> Self {
        let code = 0xe0 | u8::from(shared) << 4 | op as u8;
        Self::from_code(code).expect("each operation is there in both memories")
    }

    /// Writes a predicate.
    pub fn writes_predicate(self) -> bool {
        matches!(self.operands(), Operands::Compare | Operands::Logic)
    }
}

/// What an atomic does: `old` is the value in memory, `c` and `b` are operands. The discriminant is the low half of the opcode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum AtomicOp {
    /// `old + c`.
    Add = 0,
    /// Signed minimum of `old` and `c`.
    MinS = 1,
    /// Signed maximum.
    MaxS = 2,
    /// Unsigned minimum.
    MinU = 3,
    /// Unsigned maximum.
    MaxU = 4,
    /// `old & c`.
    And = 5,
    /// `old | c`.
    Or = 6,
    /// `old ^ c`.
    Xor = 7,
    /// `c`.
    Exch = 8,
    /// `c` where `old` is `b`; else nothing is written.
    Cas = 9,
    /// `old >= c ? 0 : old + 1`.
    Inc = 10,
    /// `old == 0 || old > c ? c : old - 1`.
    Dec = 11,
    /// `old + c` in single precision.
    FAdd = 12,
}

impl AtomicOp {
    /// All, in order of code.
    pub const ALL: [AtomicOp; 13] = {
        use AtomicOp::*;
        [Add, MinS, MaxS, MinU, MaxU, And, Or, Xor, Exch, Cas, Inc, Dec, FAdd]
    };
}

/// Comparison codes of the set-predicate instructions. Unordered float forms are `code + 8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Comparison {
    /// Equal.
    Eq = 0,
    /// Not equal (float: and neither NaN).
    Ne = 1,
    /// Less.
    Lt = 2,
    /// Less or equal.
    Le = 3,
    /// Greater.
    Gt = 4,
    /// Greater or equal.
    Ge = 5,
    /// Neither operand is NaN (float only).
    Num = 6,
    /// Equal, or an operand is NaN (float only), and so on.
    Equ = 8,
    /// Not equal or NaN.
    Neu = 9,
    /// Less or NaN.
    Ltu = 10,
    /// Less, equal or NaN.
    Leu = 11,
    /// Greater or NaN.
    Gtu = 12,
    /// Greater, equal or NaN.
    Geu = 13,
    /// An operand is NaN.
    Nan = 14,
}

/// Logic codes of `PLOP`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Logic {
    /// Both.
    And = 0,
    /// Either.
    Or = 1,
    /// Exactly one.
    Xor = 2,
}

/// A predicate with optional negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    /// 0 to 6, or [`PT`].
    pub index: u8,
    /// Inverted.
    pub negate: bool,
}

impl Predicate {
    /// Always true.
    pub const TRUE: Self = Self { index: PT, negate: false };
}

/// Second source operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandB {
    /// A register.
    Register(u8),
    /// A 32-bit constant.
    Immediate(u32),
}

/// One instruction. Fields that an opcode does not use are zero (`a`, `c`: any register).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Instruction {
    /// What it does.
    pub opcode: Opcode,
    /// Which threads take part.
    pub guard: Predicate,
    /// Destination register; for stores the data register; for predicate results `code << 3 | predicate`.
    pub dst: u8,
    /// First source register.
    pub a: u8,
    /// Second source.
    pub b: OperandB,
    /// Third source register (register form only).
    pub c: u8,
    /// Source predicate; its negation exists in register form only.
    pub p: Predicate,
    /// Negate a, b, c (float, register form only).
    pub negate: [bool; 3],
}

impl Instruction {
    /// An instruction with everything but the opcode at rest: guard true, registers `RZ`, no immediate.
    pub fn new(opcode: Opcode) -> Self {
        Self {
            opcode,
            guard: Predicate::TRUE,
            dst: RZ,
            a: RZ,
            b: OperandB::Register(RZ),
            c: RZ,
            p: Predicate::TRUE,
            negate: [false; 3],
        }
    }

    /// The `dst` field of an instruction that writes predicate `predicate` by comparison or logic code `code`.
    pub fn predicate_dst(code: u8, predicate: u8) -> u8 {
        code << 3 | predicate & 7
    }

    /// A branch to `target` that reconverges at `reconvergence`.
    pub fn branch(target: u16, reconvergence: u16) -> Self {
        let immediate = u32::from(reconvergence) << 16 | u32::from(target);
        Self { b: OperandB::Immediate(immediate), ..Self::new(Opcode::Bra) }
    }

    /// As the 64-bit word.
    pub fn encode(&self) -> u64 {
        let put = |(lo, width): (u32, u32), value: u64| (value & ((1 << width) - 1)) << lo;
        let word = put(field::OPCODE, self.opcode as u64)
            | put(field::GUARD, self.guard.index.into())
            | put(field::GUARD_NEGATE, self.guard.negate.into())
            | put(field::DST, self.dst.into())
            | put(field::A, self.a.into())
            | put(field::P, self.p.index.into());
        match self.b {
            OperandB::Immediate(value) => word | put(field::IMMEDIATE_FORM, 1) | u64::from(value),
            OperandB::Register(b) => {
                word | put(field::B, b.into())
                    | put(field::C, self.c.into())
                    | put(field::P_NEGATE, self.p.negate.into())
                    | put(field::NEGATE_A, self.negate[0].into())
                    | put(field::NEGATE_B, self.negate[1].into())
                    | put(field::NEGATE_C, self.negate[2].into())
            }
        }
    }

    /// From the 64-bit word; `None` when the opcode is unknown.
    pub fn decode(word: u64) -> Option<Self> {
        let get = |(lo, width): (u32, u32)| word >> lo & ((1 << width) - 1);
        let bit = |f| get(f) == 1;
        let immediate = bit(field::IMMEDIATE_FORM);
        let register_form = |f| !immediate && bit(f);
        Some(Self {
            opcode: Opcode::from_code(get(field::OPCODE) as u8)?,
            guard: Predicate { index: get(field::GUARD) as u8, negate: bit(field::GUARD_NEGATE) },
            dst: get(field::DST) as u8,
            a: get(field::A) as u8,
            b: if immediate {
                OperandB::Immediate(get(field::IMMEDIATE) as u32)
            } else {
                OperandB::Register(get(field::B) as u8)
            },
            c: if immediate { RZ } else { get(field::C) as u8 },
            p: Predicate { index: get(field::P) as u8, negate: register_form(field::P_NEGATE) },
            negate: [field::NEGATE_A, field::NEGATE_B, field::NEGATE_C].map(register_form),
        })
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.negate { "!" } else { "" };
        if self.index == PT { write!(f, "{mark}PT") } else { write!(f, "{mark}P{}", self.index) }
    }
}

fn register(number: u8) -> String {
    if number == RZ { "RZ".into() } else { format!("R{number}") }
}

const COMPARISONS: [&str; 16] =
    ["EQ", "NE", "LT", "LE", "GT", "GE", "NUM", "?", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NAN", "?"];
const LOGICS: [&str; 3] = ["AND", "OR", "XOR"];

/// Names of the special registers, in order of number.
pub const SPECIAL_REGISTERS: [&str; 16] = [
    "tid.x",
    "tid.y",
    "tid.z",
    "ntid.x",
    "ntid.y",
    "ntid.z",
    "ctaid.x",
    "ctaid.y",
    "ctaid.z",
    "nctaid.x",
    "nctaid.y",
    "nctaid.z",
    "laneid",
    "warpid",
    "clock",
    "barrier.sum",
];

fn name(names: &[&'static str], code: impl Into<u64>) -> &'static str {
    usize::try_from(code.into()).ok().and_then(|i| names.get(i)).copied().unwrap_or("?")
}

impl Instruction {
    fn operand_text(&self, i: usize) -> String {
        let sign = if self.negate[i] { "-" } else { "" };
        match (i, self.b) {
            (0, _) => format!("{sign}{}", register(self.a)),
            (2, _) => format!("{sign}{}", register(self.c)),
            (_, OperandB::Register(r)) => format!("{sign}{}", register(r)),
            (_, OperandB::Immediate(value)) => format!("{value:#x}"),
        }
    }

    /// The barriers that a block needs for it: 1, the one of all threads that counts nothing, or more.
    pub fn barriers(&self) -> u32 {
        match (self.opcode, self.b) {
            (Opcode::S2r, OperandB::Immediate(BARRIER_SUM)) => 2,
            (Opcode::Bar, OperandB::Register(RZ)) if self.p == Predicate::TRUE => 1,
            (Opcode::Bar | Opcode::BarArrive, OperandB::Immediate(word)) => ((word & 0xffff) + 1).max(2),
            (Opcode::Bar | Opcode::BarArrive, OperandB::Register(_)) => 2,
            _ => 0,
        }
    }

    /// ` 1, 64 threads, P0`
    fn barrier_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.b {
            OperandB::Immediate(word) if word >> 16 == 0 => write!(f, " {word}")?,
            OperandB::Immediate(word) => write!(f, " {}, {} threads", word & 0xffff, word >> 16)?,
            OperandB::Register(RZ) => {}
            OperandB::Register(number) => write!(f, " {}", register(number))?,
        }
        if self.p == Predicate::TRUE { Ok(()) } else { write!(f, " count {}", self.p) }
    }

    /// `[R1 + 4]`
    fn address_text(&self) -> String {
        let base = register(self.a);
        match self.b {
            OperandB::Immediate(0) if self.a != RZ => format!("[{base}]"),
            OperandB::Immediate(value) if self.a == RZ => format!("[{value:#x}]"),
            OperandB::Immediate(value) if (value as i32) < 0 => format!("[{base} - {:#x}]", value.wrapping_neg()),
            _ => format!("[{base} + {}]", self.operand_text(1)),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.guard != Predicate::TRUE {
            write!(f, "@{} ", self.guard)?;
        }
        write!(f, "{}", self.opcode.mnemonic())?;
        let [a, b, c] = [0, 1, 2].map(|i| self.operand_text(i));
        let d = register(self.dst);
        let (code, dp) = (self.dst >> 3, Predicate { index: self.dst & 7, negate: false });
        match self.opcode.operands() {
            Operands::None => Ok(()),
            Operands::Barrier => self.barrier_text(f),
            Operands::Branch => match self.b {
                OperandB::Immediate(value) if value >> 16 == u32::from(NO_RECONVERGENCE) => {
                    write!(f, " {:#x}", value & 0xffff)
                }
                OperandB::Immediate(value) => write!(f, " {:#x} (reconverges at {:#x})", value & 0xffff, value >> 16),
                OperandB::Register(_) => write!(f, " ?"),
            },
            Operands::B => match (self.opcode, self.b) {
                (Opcode::S2r, OperandB::Immediate(number)) => write!(f, " {d}, {}", name(&SPECIAL_REGISTERS, number)),
                _ => write!(f, " {d}, {b}"),
            },
            Operands::Ab => write!(f, " {d}, {a}, {b}"),
            Operands::Abp => write!(f, " {d}, {a}, {b}, {}", self.p),
            Operands::Abc | Operands::Double => write!(f, " {d}, {a}, {b}, {c}"),
            Operands::Compare => write!(f, ".{} {dp}, {a}, {b}", name(&COMPARISONS, code)),
            Operands::Logic => match self.b {
                OperandB::Register(second) => {
                    let q = Predicate { index: second & 7, negate: second >> 3 & 1 == 1 };
                    write!(f, ".{} {dp}, {}, {q}", name(&LOGICS, code), self.p)
                }
                OperandB::Immediate(_) => write!(f, " ?"),
            },
            Operands::Load => write!(f, " {d}, {}", self.address_text()),
            Operands::Store => write!(f, " {}, {d}", self.address_text()),
            Operands::Atomic if self.opcode.atomic() == Some(AtomicOp::Cas) => write!(f, " {d}, [{a}], {b}, {c}"),
            Operands::Atomic if self.opcode.is_high_part() => write!(f, " {d}, {b}, {c}"),
            Operands::Atomic => write!(f, " {d}, [{a}], {c}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_survives_encoding() {
        for &opcode in Opcode::ALL {
            let mut i = Instruction { dst: 17, a: 200, c: 33, ..Instruction::new(opcode) };
            i.guard = Predicate { index: 3, negate: true };
            i.p = Predicate { index: 2, negate: true };
            i.negate = [true, false, true];
            i.b = OperandB::Register(99);
            assert_eq!(Instruction::decode(i.encode()), Some(i));
            let i = Instruction { dst: 5, a: 6, b: OperandB::Immediate(0xdead_beef), ..Instruction::new(opcode) };
            assert_eq!(Instruction::decode(i.encode()), Some(i));
        }
        assert_eq!(Instruction::decode(0xff << 56), None);
    }
}
