//! PTX instructions to operations of the ISA.
//!
//! [`lower`] walks the statements of a kernel; each mnemonic is looked up in the instruction table ([`table`]), whose
//! row names the function that emits the operations, given what the mnemonic says ([`form`]). Functions are taken in
//! where they are called ([`call`], [`indirect`]), or have a stack ([`recursion`]). The rest lives by topic:
//! [`integer`], [`wide`] (64 bits), [`bits`], [`arithmetic`] (in software), [`predicate`], [`float`], [`double`],
//! [`convert`], [`memory`], [`textures`], [`control`]. Names, scopes and operands: [`operands`], [`scope`], [`shared`],
//! [`constants`]; what a row lets stand where: [`types`]. All of them emit through [`lowering`], the state.

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
mod frames;
mod functions;
mod generic;
mod indirect;
mod integer;
mod locked;
mod lowering;
mod memory;
mod memory_map;
mod narrow;
mod operands;
mod param;
mod parameters;
mod predicate;
mod recursion;
mod sampled;
mod saturate;
mod scope;
mod shared;
mod slots;
mod special;
mod special_registers;
mod surface_layout;
mod surfaces;
pub(crate) mod table;
mod texture_format;
mod texture_layout;
mod textures;
mod trap;
mod types;
mod variables;
mod warp;
mod wide;
mod wide_bits;

pub use memory_map::{CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, Constant, GLOBALS_START, Local, SHARED_WINDOW};
pub(crate) use param::block_end;
pub use param::{PARAM_BYTES, Param};
pub use surface_layout::{SURFACE_BYTES, SurfaceShape, surface_description};
pub use texture_format::{Beyond, Texel, TextureFormat, TextureFormats};
pub use texture_layout::{Slices, Texture, TextureBinding, from_tiles, in_tiles, stored_bytes};
pub use trap::{TRAP_ADDRESSES, Trap};
pub use warp::{EXCHANGE_BYTES, Exchange, TOGETHER_ADDRESS};

use super::{
    CompileOptions,
    ir::{Cond, End, KernelCode},
};
use crate::{
    error::{Problem, PtxErrorKind},
    ptx::{
        ast::{Entry, Instruction, PtxModule, Statement},
        types::StateSpace,
    },
};
use frames::Recursion;
use functions::Callees;
use lowering::{Done, Lowering, declared_twice};
use scope::RegisterScope;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

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
    let recursion = Recursion::of(module, &used);
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
    let end = block_end(&params);
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
                    self.callees.insert(&prototype.name, Callees::Prototype(prototype));
                }
                Statement::Targets(targets) => {
                    self.callees.insert(&targets.name, Callees::Targets(targets));
                }
                _ => {}
            }
        }
        Ok(())
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
}
