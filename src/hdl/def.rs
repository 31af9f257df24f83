//! The common form of a block: what both kinds of description (run-time-sized modules and plain rust-hdl blocks)
//! become, and what simulation, Verilog and area read.
//!
//! A [`ModuleDef`] keeps two views of the same behaviour. `body` holds the recorded statements, in the author's order
//! and with the author's names: Verilog is printed from it. `drivers` and `writes` hold what the statements mean: one
//! value expression per wire and output, one next-value expression per register, one record per memory write port.
//! Simulation and counting use those. Expressions live in one hash-consed arena (`exprs`), so equal expressions are one
//! node, and an expression only refers to nodes before it.

use super::{
    bits::Bits,
    ids::{DomainId, ExprId, InstanceId, MemId, NetId},
    layout::{Field, Layout, PortGroup},
    parameters::Parameters,
    source::Source,
    statistic::Statistic,
    tap::Tap,
    values::ValueNames,
};
use rustc_hash::FxHashMap;
use std::{fmt, sync::Arc};

/// What a net is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NetKind {
    /// Driven by the parent.
    Input,
    /// Read by the parent; driven by its entry in [`ModuleDef::drivers`].
    Output,
    /// Combinational; driven by its entry in [`ModuleDef::drivers`].
    Wire,
    /// A register; its entry in [`ModuleDef::drivers`] is the value after the next clock edge.
    Register {
        /// Loaded at a clock edge while `reset` is high; `None`: the register ignores reset (payload).
        reset: Option<Bits>,
    },
    /// Output number `output` (in the child's order) of an instance.
    InstanceOutput {
        /// Which child.
        instance: InstanceId,
        /// Which of the child's outputs, as an index into its [`ModuleDef::outputs`].
        output: u32,
    },
}

/// A named bundle of 1 to many bits.
#[derive(Clone, Debug)]
pub struct Net {
    /// Unique in the module, a legal Verilog identifier.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Port, wire, register, ...
    pub kind: NetKind,
    /// Clock domain of a register; other nets have none of their own.
    pub domain: DomainId,
    /// What a port means, as its declaration says ([`plain_text`](crate::plain_text)); empty where it says nothing.
    pub about: &'static str,
    /// Where it was declared.
    pub source: Source,
}

/// A clock with its reset, as a module sees it: which clock it is, the parent decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// Unique in the module; the default domain is called `clock`.
    pub name: String,
    /// Something of the module or of a child is clocked by it.
    pub used: bool,
    /// Where it was declared.
    pub source: Source,
}

impl Instance {
    /// Per domain of the child, which of `outer` it is, given as which each of the parent's domains is known; a domain that is not
    /// bound clocks nothing and is whatever comes first.
    pub fn outer_domains<T: Copy>(&self, outer: &[T]) -> Vec<T> {
        self.domains.iter().map(|domain| outer[domain.unwrap_or(DomainId::DEFAULT).index()]).collect()
    }
}

impl Domain {
    /// Name of its clock port: `clock` for the default domain, `clock_<name>` for others.
    pub fn clock_port(&self) -> String {
        self.port("clock")
    }

    /// Name of its reset port: `reset` for the default domain, `reset_<name>` for others.
    pub fn reset_port(&self) -> String {
        self.port("reset")
    }

    fn port(&self, kind: &str) -> String {
        if self.name == "clock" { kind.to_string() } else { format!("{kind}_{}", self.name) }
    }
}

/// One-operand operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Bitwise complement, same width.
    Not,
    /// AND of all bits, 1 bit.
    All,
    /// OR of all bits, 1 bit.
    Any,
    /// XOR of all bits, 1 bit.
    Parity,
    /// Wider, zeros above.
    ZeroExtend,
    /// Wider, copies of the top bit above.
    SignExtend,
}

/// Two-operand operators. Arithmetic wraps at the operand width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Bitwise, equal widths.
    And,
    /// Bitwise, equal widths.
    Or,
    /// Bitwise, equal widths.
    Xor,
    /// Equal widths, same result width.
    Add,
    /// Equal widths, same result width.
    Sub,
    /// Equal widths, the low half of the product: same result width.
    Mul,
    /// Equal widths, 1 bit.
    Eq,
    /// Equal widths, 1 bit.
    Ne,
    /// Unsigned less than, equal widths, 1 bit.
    LtU,
    /// Signed less than, equal widths, 1 bit.
    LtS,
    /// Left shift by the second operand (any width, unsigned); zeros when it is at least the width.
    Shl,
    /// Logical right shift, likewise.
    ShrU,
    /// Arithmetic right shift; copies of the sign when the amount is at least the width.
    ShrS,
}

/// An expression over the nets of one module, without side effects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A constant.
    Const(Bits),
    /// The present value of a net.
    Net(NetId),
    /// Asynchronous memory read; an address at or above the depth reads zero.
    MemRead {
        /// Which memory.
        memory: MemId,
        /// Word address, any width.
        address: ExprId,
    },
    /// One operand.
    Unary(UnaryOp, ExprId),
    /// Two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `select` (1 bit) ? `then` : `otherwise`.
    Mux {
        /// 1 bit.
        select: ExprId,
        /// Result when `select` is one.
        then: ExprId,
        /// Result when `select` is zero.
        otherwise: ExprId,
    },
    /// Joined, most significant part first.
    Concat(Vec<ExprId>),
    /// The result's width in bits from constant bit `lo` on.
    Slice {
        /// Sliced value.
        value: ExprId,
        /// Lowest bit.
        lo: u32,
    },
    /// The result's width in bits from variable bit `offset` on; bits above the value read zero.
    SliceAt {
        /// Sliced value.
        value: ExprId,
        /// Lowest bit, unsigned, any width.
        offset: ExprId,
    },
}

/// A node of the expression arena.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub op: Op,
    /// Width of the result in bits.
    pub width: u32,
    /// First place that described it.
    pub source: Source,
}

/// A memory of `depth` words. Reads give the value before this cycle's writes; it has no reset and starts at zero in
/// simulation.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Unique in the module.
    pub name: String,
    /// Words.
    pub depth: usize,
    /// Bits per word.
    pub width: u32,
    /// Clock domain of all its write ports.
    pub domain: DomainId,
    /// Words may be read in other domains than they are written in: the block sees to it that they stand still meanwhile.
    pub crossing: bool,
    /// Where it was declared.
    pub source: Source,
}

/// The target of an assignment: bits `lo .. lo + width` of a wire, output or register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// Assigned net.
    pub net: NetId,
    /// Lowest assigned bit.
    pub lo: u32,
    /// Number of assigned bits.
    pub width: u32,
}

/// A recorded statement. A later assignment to the same bits wins; a register that is not assigned keeps its value.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `target = value` (combinational) or `target <= value` (register).
    Assign {
        /// What is assigned.
        target: Target,
        /// The value, as wide as the target.
        value: ExprId,
        /// Where.
        source: Source,
    },
    /// A memory write; the full record, with its condition, is in [`ModuleDef::writes`].
    Write {
        /// Index into [`ModuleDef::writes`].
        port: usize,
    },
    /// `if (condition) then else otherwise`.
    When {
        /// 1 bit.
        condition: ExprId,
        /// Taken when one.
        then: Vec<Stmt>,
        /// Taken when zero.
        otherwise: Vec<Stmt>,
    },
    /// `case (value)`; the constants are distinct.
    Switch {
        /// Tested value.
        value: ExprId,
        /// Constant and its statements.
        cases: Vec<(Bits, Vec<Stmt>)>,
        /// Taken when no constant matches.
        default: Vec<Stmt>,
    },
    /// Carried into the Verilog.
    Comment(String),
}

/// A memory write port. Ports are applied in order: the last one wins where two write the same word in one cycle.
#[derive(Clone, Debug)]
pub struct WritePort {
    /// Written memory.
    pub memory: MemId,
    /// 1 bit: all conditions around the write.
    pub enable: ExprId,
    /// Word address; at or above the depth nothing is written.
    pub address: ExprId,
    /// Word to write.
    pub data: ExprId,
    /// Write mask: bit `i` enables the `i`-th of equal parts of the word; `None` writes all of it.
    pub mask: Option<ExprId>,
    /// Where.
    pub source: Source,
}

/// A child block.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Unique in the module.
    pub name: String,
    /// What it is an instance of.
    pub module: Module,
    /// A tile: its outputs must be registers, and simulation may evaluate it on its own.
    pub tile: bool,
    /// Values of the child's inputs, in the order of its [`ModuleDef::inputs`]; `None` is reported as undriven.
    pub inputs: Vec<Option<ExprId>>,
    /// Nets that carry the child's outputs, in the order of its [`ModuleDef::outputs`].
    pub outputs: Vec<NetId>,
    /// Which domain each of the child's [`ModuleDef::domains`] is; `None` for one that was declared by name and not bound.
    pub domains: Vec<Option<DomainId>>,
    /// Where.
    pub source: Source,
}

/// What a probe records, each cycle in which it is enabled (never during reset).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProbeKind {
    /// Number of cycles in which `enable` was one; `value` is not used.
    Count,
    /// Sum of `value` over enabled cycles (modulo 2^64), and their number.
    Sum,
    /// How often each `value` occurred in enabled cycles.
    Histogram,
}

/// A statistic that is part of the block; costs no area and is not exported.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Unique in the module.
    pub name: String,
    /// What it is, if that was declared.
    pub statistic: Option<Statistic>,
    /// What is recorded.
    pub kind: ProbeKind,
    /// 1 bit.
    pub enable: ExprId,
    /// At most 64 bits; absent for a count.
    pub value: Option<ExprId>,
    /// Its clock edges are the cycles that are looked at.
    pub domain: DomainId,
}

/// A condition that must hold at every clock edge outside reset.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What is claimed, printed when it fails.
    pub message: String,
    /// 1 bit; zero is a failure.
    pub condition: ExprId,
    /// At whose clock edges it must hold.
    pub domain: DomainId,
    /// Where.
    pub source: Source,
}

/// A native function equal to a combinational block, that the simulator may call instead of evaluating the block.
///
/// `call(inputs, outputs)`: inputs and outputs one after the other in port order, each in [`words_for`](super::words_for)
/// 64-bit little-endian words, bits above the width zero (for outputs this is the intrinsic's duty).
#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    /// Shown in reports.
    pub name: &'static str,
    /// The function.
    pub call: extern "C" fn(inputs: *const u64, outputs: *mut u64),
}

impl PartialEq for Intrinsic {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A mistake in a description, found while it was recorded; reported with its hierarchical path by elaboration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Which check failed.
    pub kind: ProblemKind,
    /// What is wrong, naming nets and widths.
    pub message: String,
    /// The place that is wrong, and, where there is one, the place it disagrees with.
    pub sources: Vec<Source>,
}

/// The checks of a description.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemKind {
    /// Operands or connected ends differ in width.
    WidthMismatch,
    /// A wire, output or instance input has no driver.
    Undriven,
    /// A net has two drivers.
    MultiplyDriven,
    /// A wire is not assigned on every path.
    Latch,
    /// A combinational loop.
    CombinationalLoop,
    /// A tile output is not a register.
    UnregisteredTileOutput,
    /// Something of one clock domain reaches another without a crossing.
    ClockCrossing,
    /// A name is used twice, unknown, or not an identifier.
    Name,
    /// Anything else that is not legal (a slice out of range, a constant that does not fit, a foreign signal).
    Illegal,
}

/// A finished block: shared, immutable, cheap to clone.
#[derive(Clone)]
pub struct Module(pub(super) Arc<ModuleDef>);

impl Module {
    /// True when both are the very same shared block.
    pub fn same(&self, other: &Module) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// An address that tells shared blocks apart while they live.
    pub fn key(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl std::ops::Deref for Module {
    type Target = ModuleDef;
    fn deref(&self) -> &ModuleDef {
        &self.0
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({})", self.name)
    }
}

/// The content of a [`Module`].
#[derive(Clone, Debug)]
pub struct ModuleDef {
    /// Kind and parameters, unique per distinct block: `flit_buffer_vcs4_depth8_width128`.
    pub name: String,
    /// Kind alone: `router`.
    pub kind: String,
    /// Parameters.
    pub params: Parameters,
    /// What the block does; the header comment of its Verilog.
    pub doc: String,
    /// All nets.
    pub nets: Vec<Net>,
    /// Input ports in order (without the implicit `clock` and `reset`).
    pub inputs: Vec<NetId>,
    /// Output ports in order.
    pub outputs: Vec<NetId>,
    /// Expression arena; operands come before their users.
    pub exprs: Vec<Expr>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Children.
    pub instances: Vec<Instance>,
    /// Statements as recorded.
    pub body: Vec<Stmt>,
    /// Per net: value of a wire or output, next value of a register (without reset), `None` for inputs and instance outputs.
    pub drivers: Vec<Option<ExprId>>,
    /// Memory write ports in order of priority, lowest first.
    pub writes: Vec<WritePort>,
    /// Statistics.
    pub probes: Vec<Probe>,
    /// Nets that somebody outside the hardware looks at, those of one tap in order.
    pub taps: Vec<(Tap, NetId)>,
    /// Claims.
    pub assertions: Vec<Assertion>,
    /// Native equal, for a combinational block.
    pub intrinsic: Option<Intrinsic>,
    /// An equal block that simulates faster: [`Builder::equal`](super::Builder::equal).
    pub equal: Option<Module>,
    /// Clock domains; the first one is the default and always there.
    pub domains: Vec<Domain>,
    /// The registers of each synchroniser; the value of the first one may come from another clock domain.
    pub synchronisers: Vec<Vec<NetId>>,
    /// Ports that were declared as bundles.
    pub groups: Vec<PortGroup>,
    /// Words that were taken apart as bundles.
    pub layouts: Vec<Layout>,
    /// Words whose values have names.
    pub values: Vec<ValueNames>,
    /// Mistakes found while recording.
    pub problems: Vec<Problem>,
    /// True when this block or a child has a register or memory, that is, when it has clock and reset ports.
    pub stateful: bool,
    /// Hash of all that makes the block, source positions left out and children included: equal blocks have equal digests, also
    /// in another run of the program.
    pub digest: u128,
}

impl ModuleDef {
    /// The net `id`.
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// The expression `id`.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The clock domain `id`.
    pub fn domain(&self, id: DomainId) -> &Domain {
        &self.domains[id.index()]
    }

    /// More than one clock domain is used.
    pub fn crosses_clocks(&self) -> bool {
        self.domains.iter().filter(|d| d.used).count() > 1
    }

    /// The net called `name`.
    pub fn find_net(&self, name: &str) -> Option<NetId> {
        self.nets.iter().position(|n| n.name == name).map(|i| NetId(i as u32))
    }

    /// The fields of each net that is a bundle, with the bits that they begin at; of the same bits, the name that was given first.
    pub fn fields(&self) -> FxHashMap<NetId, Vec<(u32, Field)>> {
        let mut fields: FxHashMap<NetId, Vec<(u32, Field)>> = FxHashMap::default();
        for layout in &self.layouts {
            let of_net = fields.entry(layout.net).or_default();
            // A field that is all of a word has its name already.
            for (lo, field) in layout.places().filter(|(_, field)| field.width < self.net(layout.net).width) {
                if of_net.iter().all(|(other, known)| (*other, known.width) != (lo, field.width)) {
                    of_net.push((lo, field));
                }
            }
        }
        fields
    }

    /// Names of the values of `width` bits of `net` from bit `lo` on, if they have some.
    pub fn value_names(&self, net: NetId, lo: u32, width: u32) -> Option<&ValueNames> {
        self.values.iter().find(|of| (of.net, of.lo, of.width) == (net, lo, width))
    }

    /// Registers of this block itself, children not included.
    pub fn registers(&self) -> impl Iterator<Item = NetId> + '_ {
        self.nets
            .iter()
            .enumerate()
            .filter(|(_, n)| matches!(n.kind, NetKind::Register { .. }))
            .map(|(i, _)| NetId(i as u32))
    }
}

impl Op {
    /// It computes something: it is no constant, net, part, row or extension of other values.
    pub fn takes_gates(&self) -> bool {
        match self {
            Op::Const(_) | Op::Net(_) | Op::Slice { .. } | Op::Concat(_) => false,
            Op::Unary(op, _) => !matches!(op, UnaryOp::ZeroExtend | UnaryOp::SignExtend),
            _ => true,
        }
    }

    /// Calls `visit` for each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Op::Const(_) | Op::Net(_) => {}
            Op::MemRead { address, .. } => visit(*address),
            Op::Unary(_, a) | Op::Slice { value: a, .. } => visit(*a),
            Op::Binary(_, a, b) | Op::SliceAt { value: a, offset: b } => {
                visit(*a);
                visit(*b);
            }
            Op::Mux { select, then, otherwise } => {
                visit(*select);
                visit(*then);
                visit(*otherwise);
            }
            Op::Concat(parts) => parts.iter().copied().for_each(visit),
        }
    }
}
