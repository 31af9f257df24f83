//! The state of lowering one kernel, and what every instruction emits its operations with.

use super::{
    frames::{Frame, Recursion},
    functions::Callees,
    memory_map::Constant,
    param::Param,
    scope::RegisterScope,
    texture_format::TextureFormats,
    texture_layout::{Slices, Texture},
    trap::Trap,
};
use crate::{
    compile::ir::{BasicBlock, BlockId, Cond, End, KernelCode, Op, Pred, Reg, Value},
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Logic, Opcode, Operands},
    ptx::ast::{PtxModule, Span},
};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Ends of blocks lead to labels from here on, until all have places.
pub(super) const LABEL: BlockId = 1 << 40;

/// Nothing, or what is wrong.
pub(crate) type Done = Result<(), Problem>;

/// State of lowering one kernel.
pub(crate) struct Lowering<'a> {
    pub(super) module: &'a PtxModule,
    pub(super) code: KernelCode,
    pub(super) scopes: Vec<RegisterScope>,
    pub(super) shared: HashMap<String, u32>,
    pub(super) shared_bytes: u64,
    pub(super) constants: Vec<Constant>,
    pub(super) textures: Vec<Texture>,
    /// How textures are read, by their names.
    pub(super) formats: &'a TextureFormats,
    /// In how many dimensions a texture, by its number, was read, and what its slices are.
    pub(super) fetched: HashMap<usize, (u32, Slices)>,
    pub(super) params: HashMap<String, Param>,
    /// Structures among the parameters are in constant memory.
    pub(super) params_in_constants: bool,
    /// Variables of the file in global memory, if the kernel uses any.
    pub(super) globals: Vec<Constant>,
    /// Names that the kernel and the functions that it calls mention.
    pub(super) used: HashSet<&'a str>,
    pub(super) labels: HashMap<&'a str, BlockId>,
    /// Prototypes and lists of targets of the body, by their labels.
    pub(super) callees: HashMap<&'a str, Callees<'a>>,
    /// Where each label is, once it is there: block [`LABEL`] + n is what label n names.
    pub(super) places: Vec<BlockId>,
    /// Operations and calls up to here.
    pub(super) emitted: usize,
    pub(super) calls: usize,
    /// Calls that are being lowered.
    pub(super) frames: Vec<Frame>,
    pub(super) recursion: Recursion<'a>,
    /// Local memory: the most of a thread, the end of what is declared, and the register with its address.
    pub(super) local_bytes: u32,
    pub(super) local_end: u32,
    pub(super) local_base: Option<Reg>,
    /// The register with the address of the own warp's words in shared memory, and whether threads rely on being in step.
    pub(super) exchange: Option<Reg>,
    pub(super) in_step: bool,
    /// The register with the place of dynamic shared memory, and its alignment.
    pub(super) dynamic_shared: Option<Reg>,
    pub(super) dynamic_align: u32,
    /// Where the locks of a block are in shared memory, if it has any.
    pub(super) locks: Option<u32>,
    /// Bytes of the parameters whose addresses are taken.
    pub(super) taken_params: Vec<Range<u32>>,
    /// Names of arrays there.
    pub(super) dynamic_arrays: HashSet<String>,
    /// Registers and predicates that only the current instruction uses: their computation needs no guard.
    pub(super) temporary: HashSet<Reg>,
    pub(super) temporary_preds: HashSet<Pred>,
    pub(super) guard: Cond,
    pub(super) line: u32,
    pub(super) uses_barrier: bool,
    pub(super) trap_lines: Vec<(u32, Trap)>,
    pub(super) high_words: bool,
    /// The cores have a double-precision unit, and the current instruction needs it.
    pub(super) has_double: bool,
    pub(super) used_double: bool,
    /// The cores have special function units.
    pub(super) has_special: bool,
    /// The predicate of carry chains.
    pub(super) condition_code: Option<Pred>,
    /// Of a thread, a multiple of a word.
    pub(super) stack_bytes: u32,
}

/// A name that two declarations have.
pub(super) fn declared_twice(name: &str, span: &Span) -> Problem {
    Problem::new(PtxErrorKind::Name, span.clone(), format!("`{name}` is declared twice"))
}

impl Lowering<'_> {
    /// A new label, to jump to before it has a place.
    pub(super) fn label(&mut self) -> BlockId {
        self.places.push(0);
        LABEL + self.places.len() - 1
    }

    /// A block starts here, which the label names.
    pub(super) fn place(&mut self, label: BlockId) {
        let next = self.code.blocks.len();
        self.close_block(End::Jump(next));
        self.start_block();
        if let Some(place) = self.places.get_mut(label - LABEL) {
            *place = next;
        }
    }

    /// What `lower` makes is for those for whom the guard holds, in blocks of its own in which there is none.
    pub(super) fn under_guard<R>(&mut self, lower: impl FnOnce(&mut Self) -> R) -> R {
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
    pub(super) fn resolve_labels(&mut self) {
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
    pub(super) fn uses_globals(&self) -> bool {
        self.globals.iter().any(|global| self.used.contains(global.name.as_str()))
    }

    /// A block starts here.
    pub(super) fn start_block(&mut self) {
        self.code.blocks.push(BasicBlock { ops: Vec::new(), end: End::Exit, end_line: self.line });
    }

    /// The block ends here.
    pub(super) fn close_block(&mut self, end: End) {
        let line = self.line;
        if let Some(block) = self.code.blocks.last_mut() {
            (block.end, block.end_line) = (end, line);
        }
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
