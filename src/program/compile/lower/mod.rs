//! PTX instructions to operations of the ISA.
//!
//! [`lower`] walks the statements of a kernel; each mnemonic is looked up in the instruction table ([`table`]), whose
//! row names the function that emits the operations, given what the mnemonic says ([`form`]). Functions are taken in
//! where they are called ([`call`], [`indirect`]), or have a stack ([`recursion`]). The rest lives by topic:
//! [`integer`], [`wide`] (64 bits), [`bits`], [`arithmetic`] (in software), [`predicate`], [`float`], [`double`],
//! [`convert`], [`memory`], [`textures`], [`control`]. Names, scopes and operands: [`operands`], [`shared`],
//! [`constants`]; what a row lets stand where: [`types`].

mod arithmetic;
mod atomic;
mod barrier;
mod bits;
mod bytes;
mod call;
mod carry;
mod constants;
mod control;
mod convert;
mod convert_wide;
mod cubes;
mod double;
mod double_convert;
mod float;
mod form;
mod generic;
mod indirect;
mod integer;
mod locked;
mod memory;
mod narrow;
mod operands;
mod parameters;
mod predicate;
mod recursion;
mod sampled;
mod saturate;
mod shared;
mod special;
mod surfaces;
pub(crate) mod table;
mod textures;
mod types;
mod variables;
mod warp;
mod wide;
mod wide_bits;

use super::{CompileOptions, TextureFormats, ir::*};
use crate::{
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Logic, Opcode, Operands},
    ptx::{
        ast::{Entry, Instruction, PtxModule, Span, Statement},
        types::{DeclaredType, ScalarType, StateSpace},
    },
};
use arithmetic::{directed, divide, divide_wide, double_divide, float_divide, square_root, transcendental};
pub use constants::{CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, Constant};
pub use control::{TRAP_ADDRESSES, Trap};
pub(crate) use form::{Form, Modifier, Rounding};
pub use generic::SHARED_WINDOW;
use operands::RegisterScope;
pub(crate) use parameters::block_end;
pub use sampled::{Beyond, Texel, TextureFormat};
use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};
pub use surfaces::{SURFACE_BYTES, SurfaceShape, surface_description};
pub use textures::{Slices, Texture, TextureBinding, from_tiles, in_tiles, stored_bytes};
pub use variables::{GLOBALS_START, Local};
pub use warp::{EXCHANGE_BYTES, Exchange, TOGETHER_ADDRESS};

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX file.
    pub name: String,
    /// PTX type.
    pub ty: ScalarType,
    /// Byte offset in the parameter block, of one that is there.
    pub offset: u32,
    /// Byte offset among the arguments as the host lays them out.
    pub argument_offset: u32,
    /// Where it is in constant memory, if it is there and not in the parameter block.
    pub constant: Option<u32>,
    /// Size in bytes.
    pub size: u32,
}

impl Param {
    /// Integers that fit. Compilers write `.u` for signed parameters, too, so that -1 fits `.u8` as well as 255 does.
    pub fn range(&self) -> RangeInclusive<i64> {
        let bits = 8 * self.size.min(4);
        let scalar = self.ty.bytes() == self.size;
        let top = if self.ty.is_signed() && scalar { bits - 1 } else { bits };
        -(1 << (bits - 1))..=(1 << top) - 1
    }
}

/// What lowering finds out about a kernel.
pub(crate) struct Lowered {
    pub code: KernelCode,
    pub params: Vec<Param>,
    pub shared_bytes: u32,
    pub constants: Vec<Constant>,
    pub textures: Vec<Texture>,
    pub globals: Vec<Constant>,
    pub local: Option<Local>,
    pub stack_bytes: u32,
    pub dynamic_shared: Option<u32>,
    pub exchange: Option<Exchange>,
    /// Byte offset in the parameter block where one more word may be.
    pub spill_offset: u32,
    pub in_step: bool,
    /// Bytes of the parameters whose addresses are taken.
    pub taken_params: Vec<Range<u32>>,
    pub uses_barrier: bool,
    pub trap_lines: Vec<(u32, Trap)>,
    pub address_bits: u32,
}

/// Bytes of the parameter memory of a core.
pub const PARAM_BYTES: u64 = 4096;

/// Ends of blocks lead to labels from here on, until all have places.
const LABEL: BlockId = 1 << 40;

pub(crate) type Done = Result<(), Problem>;

/// State of lowering one kernel.
pub(crate) struct Lowering<'a> {
    module: &'a PtxModule,
    code: KernelCode,
    scopes: Vec<RegisterScope>,
    shared: HashMap<String, u32>,
    shared_bytes: u64,
    constants: Vec<Constant>,
    textures: Vec<Texture>,
    /// How textures are read, by their names.
    formats: &'a TextureFormats,
    /// In how many dimensions a texture, by its number, was read, and what its slices are.
    fetched: HashMap<usize, (u32, Slices)>,
    params: HashMap<String, Param>,
    /// Structures among the parameters are in constant memory.
    params_in_constants: bool,
    /// Variables of the file in global memory, if the kernel uses any.
    globals: Vec<Constant>,
    /// Names that the kernel and the functions that it calls mention.
    used: HashSet<&'a str>,
    labels: HashMap<&'a str, BlockId>,
    /// Prototypes and lists of targets of the body, by their labels.
    callees: HashMap<&'a str, indirect::Callees<'a>>,
    /// Where each label is, once it is there: block [`LABEL`] + n is what label n names.
    places: Vec<BlockId>,
    /// Operations and calls up to here.
    emitted: usize,
    calls: usize,
    /// Calls that are being lowered.
    frames: Vec<call::Frame>,
    recursion: recursion::Recursion<'a>,
    /// Local memory: the most of a thread, the end of what is declared, and the register with its address.
    local_bytes: u32,
    local_end: u32,
    local_base: Option<Reg>,
    /// The register with the address of the own warp's words in shared memory, and whether threads rely on being in step.
    exchange: Option<Reg>,
    in_step: bool,
    /// The register with the place of dynamic shared memory, and its alignment.
    dynamic_shared: Option<Reg>,
    dynamic_align: u32,
    /// Where the locks of a block are in shared memory, if it has any.
    locks: Option<u32>,
    /// Bytes of the parameters whose addresses are taken.
    taken_params: Vec<Range<u32>>,
    /// Names of arrays there.
    dynamic_arrays: HashSet<String>,
    /// Registers and predicates that only the current instruction uses: their computation needs no guard.
    temporary: HashSet<Reg>,
    temporary_preds: HashSet<Pred>,
    guard: Cond,
    line: u32,
    uses_barrier: bool,
    trap_lines: Vec<(u32, Trap)>,
    high_words: bool,
    /// The cores have a double-precision unit, and the current instruction needs it.
    has_double: bool,
    used_double: bool,
    /// The cores have special function units.
    has_special: bool,
    /// The predicate of carry chains.
    condition_code: Option<Pred>,
    /// Of a thread, a multiple of a word.
    stack_bytes: u32,
}

/// Lowers one kernel, or tells of its problems.
pub(crate) fn lower(module: &PtxModule, entry: &Entry, wanted: &CompileOptions) -> Result<Lowered, Vec<Problem>> {
    let mut problems = vec![];
    let lowered = lower_with(module, entry, wanted, &mut problems);
    match (lowered, problems.is_empty()) {
        (Ok(lowered), true) => Ok(lowered),
        (Ok(_), false) => Err(problems),
        (Err(problem), _) => {
            problems.push(problem);
            Err(problems)
        }
    }
}

/// What is wrong with one statement does not keep the others from being looked at.
fn lower_with(
    module: &PtxModule,
    entry: &Entry,
    &CompileOptions { target, high_words, formats, params_in_constants }: &CompileOptions,
    problems: &mut Vec<Problem>,
) -> Result<Lowered, Problem> {
    /// So many say enough.
    const MOST_PROBLEMS: usize = 50;
    if let Some(problem) = &entry.unsupported {
        return Err(problem.clone());
    }
    let used = shared::names_used(module, entry);
    let recursion = recursion::Recursion::of(module, &used);
    let in_constants = params_in_constants || parameters::is_crowded(module, entry, &used);
    let mut l = Lowering {
        module,
        code: KernelCode { blocks: Vec::new(), next_reg: 0, next_pred: 0 },
        scopes: vec![RegisterScope::default()],
        shared: HashMap::new(),
        shared_bytes: 0,
        constants: vec![],
        textures: vec![],
        formats,
        fetched: HashMap::new(),
        params: HashMap::new(),
        params_in_constants: in_constants,
        globals: vec![],
        used,
        labels: HashMap::new(),
        callees: HashMap::new(),
        places: vec![],
        frames: vec![],
        recursion,
        emitted: 0,
        calls: 0,
        local_bytes: 0,
        local_end: 0,
        local_base: None,
        exchange: None,
        in_step: false,
        dynamic_shared: None,
        dynamic_align: 16,
        locks: None,
        taken_params: vec![],
        dynamic_arrays: HashSet::new(),
        temporary: HashSet::new(),
        temporary_preds: HashSet::new(),
        guard: Cond::TRUE,
        line: 0,
        uses_barrier: false,
        trap_lines: vec![],
        high_words,
        has_double: target.double,
        used_double: false,
        has_special: target.special,
        condition_code: None,
        stack_bytes: target.stack_bytes.next_multiple_of(4),
    };
    l.declare_shared_of_file()?;
    l.declare_constants(entry)?;
    let params = l.declare_params(entry)?;
    l.declare_globals()?;
    l.resolve_pointers()?;
    let end = parameters::block_end(&params);
    l.declare_textures(entry, end.next_multiple_of(4))?;
    l.declare_labels(&entry.body)?;
    l.start_block();
    for statement in &entry.body {
        match l.statement(statement) {
            Err(problem) if problems.len() + 1 == MOST_PROBLEMS || !l.frames.is_empty() => return Err(problem),
            Err(problem) => problems.push(problem),
            Ok(()) => {}
        }
    }
    // A body that runs off its end: the thread ends there.
    l.close_block(End::Exit);
    l.resolve_labels();
    l.fill_in_frames();
    let offset = l.textures.last().map_or(end.next_multiple_of(4), |texture| texture.offset + Texture::PARAM_BYTES);
    let words = [l.local_base.is_some(), l.exchange.is_some()].map(u32::from);
    if u64::from(offset + 4 * words.iter().sum::<u32>()) > PARAM_BYTES {
        let message = format!("the parameters of `{}` need more than {PARAM_BYTES} bytes", entry.name);
        return Err(Problem::new(PtxErrorKind::Resources, entry.span.clone(), message));
    }
    let exchange = l.exchange.map(|_| Exchange { offset: offset + 4 * words[0] });
    l.begin(offset, exchange);
    let dynamic_shared = l.dynamic_shared.map(|_| l.dynamic_start());
    Ok(Lowered {
        globals: if l.uses_globals() { l.globals } else { vec![] },
        stack_bytes: if l.recursion.has_stack() { l.stack_bytes } else { 0 },
        local: l.local_base.map(|_| Local { bytes: l.local_bytes, offset }),
        dynamic_shared,
        exchange,
        spill_offset: offset + 4 * words.iter().sum::<u32>(),
        in_step: l.in_step,
        code: l.code,
        params,
        // The array of the launch has its size from there.
        shared_bytes: dynamic_shared.unwrap_or(l.shared_bytes.try_into().unwrap_or(u32::MAX)),
        constants: l.constants,
        textures: l.textures,
        taken_params: l.taken_params,
        uses_barrier: l.uses_barrier,
        trap_lines: l.trap_lines,
        address_bits: module.address_bits,
    })
}

fn declared_twice(name: &str, span: &Span) -> Problem {
    Problem::new(PtxErrorKind::Name, span.clone(), format!("`{name}` is declared twice"))
}

impl<'a> Lowering<'a> {
    /// The labels of a body.
    fn declare_labels(&mut self, body: &'a [Statement]) -> Done {
        for statement in body {
            match statement {
                Statement::Label(name, span) => {
                    let label = self.label();
                    if self.labels.insert(name, label).is_some() {
                        return Err(declared_twice(name, span));
                    }
                }
                Statement::Prototype(prototype) => {
                    self.callees.insert(&prototype.name, indirect::Callees::Prototype(prototype));
                }
                Statement::Targets(targets) => {
                    self.callees.insert(&targets.name, indirect::Callees::Targets(targets));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A new label, to jump to before it has a place.
    fn label(&mut self) -> BlockId {
        self.places.push(0);
        LABEL + self.places.len() - 1
    }

    /// A block starts here, which the label names.
    fn place(&mut self, label: BlockId) {
        let next = self.code.blocks.len();
        self.close_block(End::Jump(next));
        self.start_block();
        if let Some(place) = self.places.get_mut(label - LABEL) {
            *place = next;
        }
    }

    /// What `lower` makes is for those for whom the guard holds, in blocks of its own in which there is none.
    fn under_guard<R>(&mut self, lower: impl FnOnce(&mut Self) -> R) -> R {
        let guard = std::mem::replace(&mut self.guard, Cond::TRUE);
        if guard == Cond::TRUE {
            return lower(self);
        }
        let (after, next) = (self.label(), self.code.blocks.len());
        self.close_block(End::Branch { cond: guard.invert_if(true), taken: after, next });
        self.start_block();
        let result = lower(self);
        self.place(after);
        self.guard = guard;
        result
    }

    /// Puts blocks in the place of labels.
    fn resolve_labels(&mut self) {
        let places = &self.places;
        let of = |target: BlockId| if target >= LABEL { places[target - LABEL] } else { target };
        for block in &mut self.code.blocks {
            block.end = match block.end {
                End::Exit => End::Exit,
                End::Jump(to) => End::Jump(of(to)),
                End::Branch { cond, taken, next } => End::Branch { cond, taken: of(taken), next: of(next) },
            };
        }
    }

    /// The kernel uses a variable of the file in global memory.
    fn uses_globals(&self) -> bool {
        self.globals.iter().any(|global| self.used.contains(global.name.as_str()))
    }

    fn start_block(&mut self) {
        self.code.blocks.push(BasicBlock { ops: Vec::new(), end: End::Exit, end_line: self.line });
    }

    fn close_block(&mut self, end: End) {
        let line = self.line;
        if let Some(block) = self.code.blocks.last_mut() {
            (block.end, block.end_line) = (end, line);
        }
    }

    fn statement(&mut self, statement: &'a Statement) -> Done {
        match statement {
            Statement::Label(name, _) => {
                if let Some(&label) = self.labels.get(name.as_str()) {
                    self.place(label);
                }
                Ok(())
            }
            Statement::Registers { ty, name, count, element, span } => {
                self.declare_registers(*ty, name, *count, element, span)
            }
            Statement::Variable(v) if v.space == StateSpace::Shared => self.declare_shared(v),
            Statement::Variable(v) if v.space == StateSpace::Local => self.declare_local(v),
            Statement::Variable(v) if v.space == StateSpace::Param => self.declare_slot(v),
            Statement::Variable(v) => {
                let message = format!("`.{}` variable `{}` in a kernel is not supported", v.space, v.name);
                Err(Problem::new(PtxErrorKind::Unsupported, v.span.clone(), message)
                    .help("supported in a kernel: .reg, .shared, .local and .param"))
            }
            Statement::ScopeBegin => {
                self.scopes.push(RegisterScope::default());
                Ok(())
            }
            Statement::ScopeEnd => {
                self.scopes.pop();
                Ok(())
            }
            Statement::Instruction(i) => self.instruction(i),
            Statement::Prototype(_) | Statement::Targets(_) => Ok(()),
            Statement::Unsupported(problem) => Err(problem.0.clone()),
        }
    }

    fn instruction(&mut self, instruction: &'a Instruction) -> Done {
        self.line = instruction.line;
        self.temporary.clear();
        self.temporary_preds.clear();
        let expanded = self.with_vectors(instruction);
        let instruction = expanded.as_ref().unwrap_or(instruction);
        let (row, form) = table::find(instruction)?;
        self.guard = match &instruction.guard {
            None => Cond::TRUE,
            Some((name, negate)) => Cond::of(self.predicate_named(name, &instruction.span)?).invert_if(*negate),
        };
        types::check(self, &form, row.takes)?;
        (row.lower)(self, &form)?;
        if std::mem::take(&mut self.used_double) && !self.has_double {
            let message = "needs a double-precision unit, the cores have none (config key `core.double`)";
            let help = "set `core.double` to \"1/8\" or \"1/2\" in the configuration";
            return Err(form.problem(PtxErrorKind::Unsupported, message).help(help));
        }
        Ok(())
    }

    /// A fresh register that only this instruction uses.
    pub fn temp(&mut self) -> Reg {
        let reg = self.code.reg();
        self.temporary.insert(reg);
        reg
    }

    /// A fresh predicate that only this instruction uses.
    pub fn temp_pred(&mut self) -> Pred {
        let pred = self.code.pred();
        self.temporary_preds.insert(pred);
        pred
    }

    /// Appends an operation, under the instruction's guard when others can see what it does.
    pub fn emit(&mut self, mut op: Op) {
        let hidden = op.dst.is_some_and(|r| self.temporary.contains(&r))
            || op.pdst.is_some_and(|p| self.temporary_preds.contains(&p));
        if !hidden || matches!(op.opcode.operands(), Operands::Load | Operands::Atomic) {
            op.guard = self.guard;
        }
        self.emitted += 1;
        if let Some(block) = self.code.blocks.last_mut() {
            block.ops.push(op);
        }
    }

    /// `dst = opcode(a, b, c)`
    pub fn op(&mut self, opcode: Opcode, dst: Reg, src: [Value; 3]) {
        self.emit(Op { dst: Some(dst), src, ..Op::new(opcode, self.line) });
    }

    /// `opcode(a, b)` into a temporary.
    pub fn calc(&mut self, opcode: Opcode, a: Value, b: Value) -> Value {
        let dst = self.temp();
        self.op(opcode, dst, [a, b, Value::ZERO]);
        Value::Reg(dst)
    }

    /// `dst = value`
    pub fn mov(&mut self, dst: Reg, value: Value) {
        self.op(Opcode::Mov, dst, [Value::ZERO, value, Value::ZERO]);
    }

    /// `dst = p ? a : b`
    pub fn select(&mut self, dst: Reg, p: Cond, a: Value, b: Value) {
        self.emit(Op { dst: Some(dst), src: [a, b, Value::ZERO], p, ..Op::new(Opcode::Sel, self.line) });
    }

    /// `p ? a : b` into a temporary.
    pub fn selected(&mut self, p: Cond, a: Value, b: Value) -> Value {
        let dst = self.temp();
        self.select(dst, p, a, b);
        Value::Reg(dst)
    }

    /// Predicate `dst = compare(a, b)`.
    pub fn compare(&mut self, opcode: Opcode, dst: Pred, comparison: Comparison, a: Value, b: Value) {
        let src = [a, b, Value::ZERO];
        self.emit(Op { pdst: Some(dst), code: comparison as u8, src, ..Op::new(opcode, self.line) });
    }

    /// `compare(a, b)` into a temporary.
    pub fn compared(&mut self, opcode: Opcode, comparison: Comparison, a: Value, b: Value) -> Cond {
        let dst = self.temp_pred();
        self.compare(opcode, dst, comparison, a, b);
        Cond::of(dst)
    }

    /// Predicate `dst = p logic q`.
    pub fn logic(&mut self, dst: Pred, logic: Logic, p: Cond, q: Cond) {
        self.emit(Op { pdst: Some(dst), code: logic as u8, p, q, ..Op::new(Opcode::Plop, self.line) });
    }
}
