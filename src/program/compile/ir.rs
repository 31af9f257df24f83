//! Code between PTX and the encoded program: ISA operations over any number of 32-bit registers and predicates, in
//! blocks.
//!
//! Registers and predicates are per thread and may be written several times. A constant may stand for any source
//! register; [`super::legal`] moves it to where the encoding has room.

use crate::isa::{Opcode, Operands};

/// A 32-bit register before allocation.
pub type Reg = u32;
/// A predicate before allocation.
pub type Pred = u32;
/// Index of a block: also its place in the layout.
pub type BlockId = usize;

/// A source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A register.
    Reg(Reg),
    /// A constant.
    Const(u32),
}

impl Value {
    pub const ZERO: Self = Value::Const(0);

    pub fn constant(self) -> Option<u32> {
        match self {
            Value::Const(c) => Some(c),
            Value::Reg(_) => None,
        }
    }

    pub fn reg(self) -> Option<Reg> {
        match self {
            Value::Reg(r) => Some(r),
            Value::Const(_) => None,
        }
    }
}

/// A predicate source, possibly inverted; no predicate means true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cond {
    pub pred: Option<Pred>,
    pub negate: bool,
}

impl Cond {
    pub const TRUE: Self = Cond { pred: None, negate: false };
    pub const FALSE: Self = Cond { pred: None, negate: true };

    pub fn of(pred: Pred) -> Self {
        Cond { pred: Some(pred), negate: false }
    }

    pub fn invert_if(self, invert: bool) -> Self {
        Cond { negate: self.negate ^ invert, ..self }
    }
}

/// One operation. Sources that the opcode does not use are at rest (`Value::ZERO`, `Cond::TRUE`).
#[derive(Clone, PartialEq, Debug)]
pub struct Op {
    pub opcode: Opcode,
    pub guard: Cond,
    /// Register written.
    pub dst: Option<Reg>,
    /// Predicate written.
    pub pdst: Option<Pred>,
    /// Comparison or logic code.
    pub code: u8,
    /// Sources `a`, `b`, `c`; a load or store has its address in `a` + constant `b`, a store its data in `c`; an atomic
    /// has its address in `a`.
    pub src: [Value; 3],
    /// Source predicate, and the second one of `PLOP`.
    pub p: Cond,
    pub q: Cond,
    /// Negation of `a`, `b`, `c` (float).
    pub negate: [bool; 3],
    /// Line in the PTX file.
    pub line: u32,
    /// What the checks on memory have to know of a load or store.
    pub access: MemoryAccess,
    pub mark: Mark,
}

/// What an operation is for, where a pass has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Nothing.
    None,
    /// It makes a generic address of shared memory, for [`super::spaces`].
    ToShared,
    /// It makes an address of shared memory from one.
    FromShared,
    /// It tests whether one is of shared memory.
    Test,
    /// It saves or restores a register that may hold anything, for a recursive call.
    Frame,
    /// It multiplies by the bytes that [`super::spill_registers`] needs for a warp.
    SpillSize,
}

/// The part of a PTX load or store that one operation does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MemoryAccess {
    /// High word of this operation's address, in code for checks; the chip's code has none.
    pub high: Value,
    /// Bytes of the whole; 0: no access of PTX.
    pub bytes: u32,
    /// Bytes of it before this operation.
    pub before: u32,
}

impl MemoryAccess {
    pub const NONE: Self = Self { high: Value::ZERO, bytes: 0, before: 0 };
}

impl Op {
    pub fn new(opcode: Opcode, line: u32) -> Self {
        Self {
            opcode,
            guard: Cond::TRUE,
            dst: None,
            pdst: None,
            code: 0,
            src: [Value::ZERO; 3],
            p: Cond::TRUE,
            q: Cond::TRUE,
            negate: [false; 3],
            line,
            access: MemoryAccess::NONE,
            mark: Mark::None,
        }
    }

    /// Has an effect beyond its destination.
    pub fn has_effect(&self) -> bool {
        let silent = self.dst.is_none() && self.pdst.is_none() && !self.opcode.is_double();
        silent || self.opcode.operands() == Operands::Atomic
    }

    /// Registers read.
    pub fn reads(&self) -> impl Iterator<Item = Reg> + '_ {
        self.src.iter().chain([&self.access.high]).filter_map(|v| v.reg())
    }

    /// Predicates read.
    pub fn reads_predicates(&self) -> impl Iterator<Item = Pred> + '_ {
        [self.guard, self.p, self.q].into_iter().filter_map(|c| c.pred)
    }

    /// The destination keeps its old value in threads where the guard fails.
    pub fn is_partial(&self) -> bool {
        self.guard != Cond::TRUE
    }
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The thread ends.
    Exit,
    /// Go on at a block.
    Jump(BlockId),
    /// To `taken` where `cond` holds, else to `next`.
    Branch { cond: Cond, taken: BlockId, next: BlockId },
}

impl End {
    pub fn successors(self) -> impl Iterator<Item = BlockId> {
        match self {
            End::Exit => [None, None],
            End::Jump(to) => [Some(to), None],
            End::Branch { taken, next, .. } => [Some(taken), Some(next)],
        }
        .into_iter()
        .flatten()
    }

    pub fn cond(self) -> Option<Pred> {
        if let End::Branch { cond, .. } = self { cond.pred } else { None }
    }
}

/// Operations without a branch among them, and an end.
#[derive(Clone, Debug)]
pub struct BasicBlock {
    pub ops: Vec<Op>,
    pub end: End,
    /// Line of the ending instruction.
    pub end_line: u32,
}

/// A kernel's code.
#[derive(Clone, Debug)]
pub struct KernelCode {
    /// In the order of the PTX file; the first is the entry.
    pub blocks: Vec<BasicBlock>,
    /// Numbers not yet used.
    pub next_reg: Reg,
    pub next_pred: Pred,
}

impl KernelCode {
    pub fn reg(&mut self) -> Reg {
        self.next_reg += 1;
        self.next_reg - 1
    }

    pub fn pred(&mut self) -> Pred {
        self.next_pred += 1;
        self.next_pred - 1
    }

    pub fn ops(&self) -> impl Iterator<Item = &Op> {
        self.blocks.iter().flat_map(|b| &b.ops)
    }
}
