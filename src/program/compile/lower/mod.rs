//! PTX instructions to operations of the ISA.
//!
//! [`lower`] walks the statements of a kernel; each mnemonic is looked up in the instruction table ([`table`]), whose row
//! names the function that emits the operations. The functions live by topic: [`integer`], [`wide`] (64 bits), [`bits`],
//! [`divide`], [`predicate`], [`float`], [`convert`], [`memory`], [`textures`], [`control`]. Names, scopes and operands:
//! [`operands`], [`shared`], [`constants`]; what a row lets stand where: [`types`].

mod atomic;
mod bits;
mod bytes;
mod carry;
mod constants;
mod control;
mod convert;
mod convert_wide;
mod divide;
mod float;
mod float_divide;
mod integer;
mod memory;
mod operands;
mod predicate;
mod saturate;
mod shared;
mod square_root;
pub(crate) mod table;
mod textures;
mod transcendental;
mod types;
mod wide;
mod wide_bits;

use super::ir::*;
use crate::{
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Logic, Opcode, Operands},
    ptx::ast::{Entry, Instruction, Module, Span, Statement, type_bytes},
};
pub use constants::{CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, Constant};
use operands::Scope;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
pub use textures::{Texture, TextureBinding, in_tiles};

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX file.
    pub name: String,
    /// PTX type without the dot.
    pub ty: String,
    /// Byte offset in the parameter block.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

impl Param {
    /// Integers that fit. Compilers write `.u` for signed parameters, too, so that -1 fits `.u8` as well as 255 does.
    pub fn range(&self) -> RangeInclusive<i64> {
        let bits = 8 * self.size.min(4);
        let scalar = type_bytes(&self.ty) == Some(self.size.into());
        let top = if self.ty.starts_with('s') && scalar { bits - 1 } else { bits };
        -(1 << (bits - 1))..=(1 << top) - 1
    }
}

/// What lowering finds out about a kernel.
pub(crate) struct Lowered {
    pub code: Code,
    pub params: Vec<Param>,
    pub shared_bytes: u32,
    pub constants: Vec<Constant>,
    pub textures: Vec<Texture>,
    pub uses_barrier: bool,
}

/// Bytes of the parameter memory of a core.
pub const PARAM_BYTES: u64 = 4096;

pub(crate) type Done = Result<(), Problem>;

/// State of lowering one kernel.
pub(crate) struct Lowering<'a> {
    module: &'a Module,
    code: Code,
    scopes: Vec<Scope>,
    shared: HashMap<String, u32>,
    shared_bytes: u64,
    constants: Vec<Constant>,
    textures: Vec<Texture>,
    /// Whether a texture, by its number, was read in two dimensions.
    fetched: HashMap<usize, bool>,
    params: HashMap<String, Param>,
    labels: HashMap<&'a str, BlockId>,
    /// Registers and predicates that only the current instruction uses: their computation needs no guard.
    temporary: HashSet<Reg>,
    temporary_preds: HashSet<Pred>,
    guard: Cond,
    line: u32,
    uses_barrier: bool,
    high_words: bool,
    /// The predicate of carry chains.
    condition_code: Option<Pred>,
}

/// A matched instruction: the statement, and the parts of its mnemonic in the order of the table's pattern.
pub(crate) struct Form<'a> {
    pub instruction: &'a Instruction,
    pub parts: Vec<&'a str>,
}

impl Form<'_> {
    /// The last part: the type of most instructions.
    pub fn ty(&self) -> &str {
        self.parts.last().copied().unwrap_or("")
    }

    pub fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }

    /// A problem with this instruction; the message follows the mnemonic.
    pub fn problem(&self, kind: PtxErrorKind, message: &str) -> Problem {
        let text = format!("`{}`: {message}", self.instruction.mnemonic);
        Problem::new(kind, self.instruction.span.clone(), text)
    }
}

/// Lowers one kernel; `high_words`: loads and stores keep the high words of their addresses, which the chip does without.
pub(crate) fn lower(module: &Module, entry: &Entry, high_words: bool) -> Result<Lowered, Problem> {
    if let Some(problem) = &entry.unsupported {
        return Err(problem.clone());
    }
    let (params, by_name) = layout_params(entry)?;
    let mut l = Lowering {
        module,
        code: Code { blocks: Vec::new(), next_reg: 0, next_pred: 0 },
        scopes: vec![Scope::default()],
        shared: HashMap::new(),
        shared_bytes: 0,
        constants: vec![],
        textures: vec![],
        fetched: HashMap::new(),
        params: by_name,
        labels: HashMap::new(),
        temporary: HashSet::new(),
        temporary_preds: HashSet::new(),
        guard: Cond::TRUE,
        line: 0,
        uses_barrier: false,
        high_words,
        condition_code: None,
    };
    l.declare_shared_of_file(entry)?;
    l.declare_constants(entry)?;
    let end = params.iter().map(|param| param.offset + param.size).max().unwrap_or(0);
    l.declare_textures(entry, end.next_multiple_of(4))?;
    l.declare_blocks(entry)?;
    l.start_block();
    for statement in &entry.body {
        l.statement(statement)?;
    }
    // A body that runs off its end: the thread ends there.
    l.close_block(End::Exit);
    Ok(Lowered {
        code: l.code,
        params,
        shared_bytes: l.shared_bytes.try_into().unwrap_or(u32::MAX),
        constants: l.constants,
        textures: l.textures,
        uses_barrier: l.uses_barrier,
    })
}

fn layout_params(entry: &Entry) -> Result<(Vec<Param>, HashMap<String, Param>), Problem> {
    let (mut params, mut by_name, mut end) = (Vec::new(), HashMap::new(), 0u64);
    for variable in &entry.params {
        let size = variable.bytes().unwrap_or(u64::MAX);
        // The parameter memory has 32-bit words.
        let offset = end.next_multiple_of(variable.align.max(4));
        end = offset.saturating_add(size);
        if end > PARAM_BYTES {
            let message = format!("the parameters of `{}` need more than {PARAM_BYTES} bytes", entry.name);
            return Err(Problem::new(PtxErrorKind::Resources, variable.span.clone(), message));
        }
        let (name, ty) = (variable.name.clone(), variable.ty.clone());
        let param = Param { name, ty, offset: offset as u32, size: size as u32 };
        params.push(param.clone());
        if by_name.insert(variable.name.clone(), param).is_some() {
            return Err(declared_twice(&variable.name, &variable.span));
        }
    }
    Ok((params, by_name))
}

fn declared_twice(name: &str, span: &Span) -> Problem {
    Problem::new(PtxErrorKind::Name, span.clone(), format!("`{name}` is declared twice"))
}

impl<'a> Lowering<'a> {
    /// Numbers the blocks: one starts at the beginning, at each label and after each branch or return.
    fn declare_blocks(&mut self, entry: &'a Entry) -> Done {
        let mut next = 1;
        for statement in &entry.body {
            match statement {
                Statement::Label(name, span) => {
                    if self.labels.insert(name, next).is_some() {
                        return Err(declared_twice(name, span));
                    }
                    next += 1;
                }
                Statement::Instruction(i) if control::ends_block(i) => next += 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn start_block(&mut self) {
        self.code.blocks.push(Block { ops: Vec::new(), end: End::Exit, end_line: self.line });
    }

    fn close_block(&mut self, end: End) {
        let line = self.line;
        if let Some(block) = self.code.blocks.last_mut() {
            (block.end, block.end_line) = (end, line);
        }
    }

    fn statement(&mut self, statement: &'a Statement) -> Done {
        match statement {
            Statement::Label(..) => {
                let next = self.code.blocks.len();
                self.close_block(End::Jump(next));
                self.start_block();
                Ok(())
            }
            Statement::Registers { ty, name, count, span } => self.declare_registers(ty, name, *count, span),
            Statement::Variable(v) if v.space == "shared" => self.declare_shared(v),
            Statement::Variable(v) => {
                let message = format!("`.{}` variable `{}` in a kernel is not supported", v.space, v.name);
                Err(Problem::new(PtxErrorKind::Unsupported, v.span.clone(), message)
                    .help("supported in a kernel: .reg and .shared"))
            }
            Statement::ScopeBegin => {
                self.scopes.push(Scope::default());
                Ok(())
            }
            Statement::ScopeEnd => {
                self.scopes.pop();
                Ok(())
            }
            Statement::Instruction(i) => self.instruction(i),
            Statement::Unsupported(problem) => Err(problem.0.clone()),
        }
    }

    fn instruction(&mut self, instruction: &'a Instruction) -> Done {
        self.line = instruction.line;
        self.temporary.clear();
        self.temporary_preds.clear();
        let (row, form) = table::find(instruction)?;
        self.guard = match &instruction.guard {
            None => Cond::TRUE,
            Some((name, negate)) => Cond::of(self.predicate_named(name, &instruction.span)?).invert_if(*negate),
        };
        types::check(self, &form, row.takes)?;
        (row.lower)(self, &form)
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
