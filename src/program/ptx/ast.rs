//! Syntax tree of a PTX file.

use super::super::error::Problem;
use super::types::{DeclaredType, ScalarType, StateSpace};
use std::ops::Range;

/// Place in the source text, in bytes.
pub type Span = Range<usize>;

/// A PTX file: what of it the compiler looks at.
#[derive(Debug, Default)]
pub struct PtxModule {
    /// Kernels.
    pub entries: Vec<Entry>,
    /// Variables outside any function.
    pub variables: Vec<Variable>,
    /// Bits of an address (`.address_size`); 0 where the file does not say.
    pub address_bits: u32,
    /// Device functions (`.func`), declared or defined.
    pub functions: Vec<PtxFunction>,
    /// The first directive outside of kernels that nobody knows: it may have been meant to be a kernel.
    pub(crate) problem: Option<Problem>,
}

/// A kernel.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Place of the name.
    pub span: Span,
    /// Parameters in order.
    pub params: Vec<Variable>,
    /// Statements in order.
    pub body: Vec<Statement>,
    /// PTX between its name and its body that we do not do: the kernel cannot be used, others of the file can.
    pub(crate) unsupported: Option<Problem>,
}

/// A device function.
#[derive(Debug)]
pub struct PtxFunction {
    /// Its name.
    pub name: String,
    /// What it gives back.
    pub results: Vec<Variable>,
    /// Parameters in order.
    pub params: Vec<Variable>,
    /// Statements in order; none: declared only.
    pub body: Option<Vec<Statement>>,
    /// PTX in it that we do not do: who calls it has this problem.
    pub(crate) unsupported: Option<Problem>,
}

/// An address among the initial values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Offset of the value in the variable.
    pub at: usize,
    /// Bytes of the value.
    pub bytes: usize,
    /// Whose address.
    pub name: String,
    /// What is added to it.
    pub addend: i64,
    /// `generic(name)`: of the generic space.
    pub generic: bool,
    /// Where it stands.
    pub span: Span,
}

/// A variable or parameter.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Where it is; a function's parameter may be a register.
    pub space: StateSpace,
    /// Type of its elements.
    pub ty: DeclaredType,
    /// Name.
    pub name: String,
    /// Alignment in bytes.
    pub align: u64,
    /// Number of elements (1 for a scalar); 0 for an array of open size.
    pub elements: u64,
    /// What it holds at the start: the first bytes.
    pub initial: Vec<u8>,
    /// Addresses among them, of which `initial` has zeros.
    pub pointers: Vec<Pointer>,
    /// Place of the name.
    pub span: Span,
    /// PTX in its declaration that we do not do: who uses it has this problem.
    pub(crate) unsupported: Option<Problem>,
}

impl Variable {
    /// Size in bytes; `None` for a type without values in memory or a size beyond 64 bits.
    pub fn bytes(&self) -> Option<u64> {
        u64::from(self.ty.scalar()?.bytes()).checked_mul(self.elements)
    }
}

/// One statement of a kernel.
#[derive(Debug)]
pub enum Statement {
    /// `name:`
    Label(String, Span),
    /// `.reg .ty name<count>` or `.reg .ty name` (no count).
    Registers {
        /// Type.
        ty: ScalarType,
        /// Name, or its prefix when there is a count.
        name: String,
        /// `%r<5>`: registers `%r0` to `%r4`.
        count: Option<u64>,
        /// Of a vector of registers: which one of it (`.x`), else nothing.
        element: &'static str,
        /// Place of the name.
        span: Span,
    },
    /// A variable.
    Variable(Variable),
    /// `{`
    ScopeBegin,
    /// `}`
    ScopeEnd,
    /// `name: .callprototype (.param .b32 _) _ (.param .b64 _);`
    Prototype(Prototype),
    /// `name: .calltargets f, g;`, `name: .branchtargets A, B;`
    Targets(Targets),
    /// An instruction.
    Instruction(Instruction),
    /// A declaration that PTX has and we do not do.
    Unsupported(Unsupported),
}

/// What a function that is called through a register takes and gives.
#[derive(Debug)]
pub struct Prototype {
    /// Its label.
    pub name: String,
    /// What it gives.
    pub results: Vec<Variable>,
    /// What it takes.
    pub params: Vec<Variable>,
}

/// Where an indirect call or branch may go.
#[derive(Debug)]
pub struct Targets {
    /// The label of the list.
    pub name: String,
    /// Functions or labels, with their places.
    pub targets: Vec<(String, Span)>,
}

/// What is not supported of PTX, where it stands.
#[derive(Debug)]
pub struct Unsupported(pub(crate) Problem);

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// Guard predicate: name, negated.
    pub guard: Option<(String, bool)>,
    /// With all its modifiers: `ld.global.v2.f32`.
    pub mnemonic: String,
    /// In order.
    pub operands: Vec<PtxOperand>,
    /// From guard to semicolon.
    pub span: Span,
    /// Line, from 1.
    pub line: u32,
}

/// An operand and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct PtxOperand {
    /// What it is.
    pub kind: OperandKind,
    /// Where it is.
    pub span: Span,
}

/// Kinds of operands.
#[derive(Debug, Clone, PartialEq)]
pub enum OperandKind {
    /// A register, special register, variable or label, told apart by its declaration; `negated` is `!name`.
    Name {
        /// As written.
        name: String,
        /// With an exclamation mark before it.
        negated: bool,
        /// `name + offset`, constant.
        offset: i64,
    },
    /// An integer constant, two's complement.
    Integer(i64),
    /// `0f...`: bits of a single-precision constant.
    Float32(u32),
    /// `0d...` or a decimal constant.
    Float64(u64),
    /// `[base + offset]`; no base: absolute.
    Address {
        /// Register or variable.
        base: Option<String>,
        /// Constant.
        offset: i64,
    },
    /// `[name, {x, y}]`
    Texture {
        /// The texture.
        name: String,
        /// One or more.
        coordinates: Vec<PtxOperand>,
    },
    /// `{a, b, ...}`
    Vector(Vec<PtxOperand>),
    /// `a|b`
    Pair(String, String),
    /// `_`
    Sink,
}
