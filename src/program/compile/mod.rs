//! PTX syntax tree to encoded kernel.
//!
//! [`lower`] turns each instruction into operations of the ISA on any number of 32-bit registers, by the instruction
//! table; [`spaces`] finds what generic addresses point to; [`flow`] keeps blocks and jumps in order; [`reconvergence`]
//! finds where branches reconverge ([`early_returns`]: where threads return early), [`locks`] where those do that wait
//! for a lock; [`fold`] propagates constants and copies and drops what nothing needs (above all the high words of
//! addresses); [`dynamic_params`] reads parameters at any address; [`legal`] puts constants where the encoding has
//! room; [`allocate`] gives predicates and registers their places: by [`live`] and [`colour`], and where there are too
//! few, by [`pressure`], in registers ([`spill_predicates`]) and in memory ([`spill_registers`]); [`emit`] encodes.
//! [`checked`] does the same for checks on memory. [`progress`] tells who waits, [`requirements`] what a chip must have.

mod allocate;
pub(crate) mod checked;
pub(crate) mod checked_access;
mod code_line;
mod colour;
mod dynamic_params;
mod early_returns;
mod emit;
mod flow;
mod fold;
mod ir;
mod legal;
mod live;
mod locks;
mod lower;
mod pattern;
mod pressure;
pub mod progress;
mod reconvergence;
mod requirements;
mod spaces;
mod spill_predicates;
mod spill_registers;
#[cfg(test)]
mod tests;

pub use code_line::CodeLine;
pub use lower::{
    Beyond, CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, Constant, EXCHANGE_BYTES, Exchange, GLOBALS_START, Local,
    PARAM_BYTES, Param, SHARED_WINDOW, SURFACE_BYTES, Slices, SurfaceShape, TOGETHER_ADDRESS, TRAP_ADDRESSES, Texel,
    Texture, TextureBinding, TextureFormat, TextureFormats, Trap, from_tiles, in_tiles, stored_bytes,
    surface_description,
};

pub use requirements::{Feature, Requirement};
pub use spill_registers::Spill;

use super::error::{Problem, PtxError, PtxErrorKind};
use super::isa::{Instruction, Operands};
use super::ptx::ast::{Entry, PtxModule};
use super::ptx::{handles, parser};
use progress::Progress;
use spill_registers::SpillMemory;
use std::fmt::Write;
use std::sync::Arc;

/// Registers of a thread that a chip may have at most.
pub const MOST_REGISTERS: usize = 128;
/// Bytes of the stack of a thread by default, as CUDA has it.
pub const STACK_BYTES: u32 = 1024;
/// Registers of a thread that a chip has at least.
pub const FEWEST_REGISTERS: usize = 8;

/// What the compiler has to know of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Registers of a thread: at most 255, of a chip [`MOST_REGISTERS`].
    pub registers: usize,
    /// Its cores have a double-precision unit.
    pub double: bool,
    /// Its cores have special function units.
    pub special: bool,
    /// Bytes of the stack of a thread, for recursive functions.
    pub stack_bytes: u32,
}

impl Default for Target {
    fn default() -> Self {
        Self { registers: 64, double: false, special: false, stack_bytes: STACK_BYTES }
    }
}

impl Target {
    /// The default with what `has` says of each feature that the compiler can do without.
    pub fn with(has: impl Fn(Feature) -> bool) -> Self {
        Self { double: has(Feature::DoublePrecision), special: has(Feature::SpecialFunctions), ..Self::default() }
    }
}

/// What a kernel is compiled for.
#[derive(Clone, Copy)]
pub(crate) struct CompileOptions<'a> {
    target: &'a Target,
    /// Loads and stores keep the high words of their addresses, which the chip does without.
    high_words: bool,
    formats: &'a TextureFormats,
    /// Structures among the parameters are in constant memory, not in the parameter block.
    params_in_constants: bool,
}

/// A compiled kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Name of the entry in the PTX file.
    pub name: String,
    /// Encoded instructions; the first is executed first.
    pub code: Vec<u64>,
    /// Parameters in order, with their places in the parameter block.
    pub params: Vec<Param>,
    /// Registers that a thread uses: `R0` up to this.
    pub registers: usize,
    /// Shared memory of a thread block, in bytes.
    pub shared_bytes: u32,
    /// Variables in constant memory that it uses, by address.
    pub constants: Vec<Constant>,
    /// Textures that it reads.
    pub textures: Vec<Texture>,
    /// The file's variables in global memory, by address, if it uses any.
    pub globals: Vec<Constant>,
    /// Memory of each of its threads, if it has any.
    pub local: Option<Local>,
    /// Bytes of the stack of each of its threads, the end of `local`; 0 where no function is recursive.
    pub stack_bytes: u32,
    /// Memory for registers of its threads that the cores have not, if it needs any.
    pub spill: Option<Spill>,
    /// Where in shared memory the array begins whose size the launch says (`.extern .shared`), if it uses one.
    pub dynamic_shared: Option<u32>,
    /// What its warps exchange values by, if they do.
    pub exchange: Option<Exchange>,
    /// Its threads rely on the others of their warp being in step.
    pub in_step: bool,
    /// PTX line of each instruction, from 1.
    pub lines: Vec<u32>,
    /// Has a barrier.
    pub uses_barrier: bool,
    /// PTX lines at which a thread can trap, and why.
    pub trap_lines: Vec<(u32, Trap)>,
    /// Bits of an address in its PTX file, 32 or 64; 0 where it does not say.
    pub address_bits: u32,
    /// The PTX file that it was compiled from, for messages and checks.
    pub source: Option<Arc<PtxSource>>,
}

/// A PTX file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxSource {
    /// Its name, as the caller of [`compile`] gave it.
    pub file: String,
    /// What it holds.
    pub text: String,
}

impl Kernel {
    /// Bytes of the parameter block.
    pub fn param_bytes(&self) -> u32 {
        let textures = self.textures.iter().map(|texture| texture.offset + Texture::PARAM_BYTES);
        let local = self.local.iter().map(|local| local.offset + 4);
        let exchange = self.exchange.iter().map(|exchange| exchange.offset + 4);
        let params = [lower::block_end(&self.params)].into_iter();
        let spill = self.spill.iter().map(|spill| spill.offset + 4);
        params.chain(textures).chain(local).chain(exchange).chain(spill).max().unwrap_or(0)
    }

    /// Gives it `bytes` of dynamic shared memory; tells whether it has any.
    pub fn set_dynamic_shared(&mut self, bytes: u32) -> bool {
        let start = self.dynamic_shared;
        self.shared_bytes = start.map_or(self.shared_bytes, |start| start.saturating_add(bytes));
        start.is_some()
    }

    /// Sets the first bytes of a variable in constant or global memory; tells whether there is one of that name and size.
    pub fn set_constant(&mut self, name: &str, data: &[u8]) -> bool {
        let mut variables = self.constants.iter_mut().chain(&mut self.globals);
        let variable = variables.find(|constant| constant.name == name);
        let place = variable.and_then(|constant| constant.data.get_mut(..data.len()));
        place.map(|place| place.copy_from_slice(data)).is_some()
    }

    /// Binds a texture; tells whether there is one of that name.
    pub fn bind_texture(&mut self, name: &str, binding: TextureBinding) -> bool {
        let texture = self.textures.iter_mut().find(|texture| texture.name == name);
        texture.map(|texture| texture.bound = Some(binding)).is_some()
    }

    /// How many instructions it has for each unit.
    pub fn instructions_by_unit(&self) -> [(&'static str, usize); 8] {
        self.issued_by_unit(&vec![1; self.code.len()]).map(|(unit, count)| (unit, count as usize))
    }

    /// How often instructions of each unit were issued, when those at each address were `issued` so often.
    pub fn issued_by_unit(&self, issued: &[u64]) -> [(&'static str, u64); 8] {
        let mut units =
            ["control", "integer", "predicate", "multiply", "float", "load", "store", "atomic"].map(|unit| (unit, 0));
        for (&word, times) in self.code.iter().zip(issued) {
            let Some(instruction) = Instruction::decode(word) else { continue };
            // Loads of constants stand among the opcodes of stores.
            let unit = match instruction.opcode.operands() {
                Operands::Load => 5,
                _ => usize::from(instruction.opcode as u8 >> 5),
            };
            units[unit].1 += times;
        }
        units
    }

    /// Why a thread traps at a PTX line by a store to `address`, if it can.
    pub fn trap_at(&self, line: u32, address: u64) -> Option<Trap> {
        let mut traps = self.trap_lines.iter();
        traps.find(|(at, why)| *at == line && u64::from(why.address()) == address).map(|(_, why)| *why)
    }

    /// One line an instruction: address, PTX line, text.
    pub fn disassemble(&self) -> String {
        let mut out = String::new();
        for (address, (&word, line)) in self.code.iter().zip(&self.lines).enumerate() {
            let text = Instruction::decode(word).map_or_else(|| format!("{word:016x} ?"), |i| i.to_string());
            // Writing to a string does not fail.
            let _ = writeln!(out, "{address:4x}  {line:4}  {text}");
        }
        out
    }
}

/// The PTX mnemonics that the compiler understands, as patterns: `{a,b}` are alternatives, `?` marks an optional part.
pub fn supported_ptx() -> impl Iterator<Item = &'static str> {
    lower::table::ROWS.iter().map(|row| row.pattern)
}

/// The same, each with the heading under which the documentation has it.
pub fn supported_ptx_by_group() -> impl Iterator<Item = (&'static str, &'static str)> {
    lower::table::ROWS.iter().map(|row| (row.group, row.pattern))
}

/// Compiles one kernel of a PTX file: `entry`, or the only one.
///
/// `file` is the name for error messages.
pub fn compile(source: &str, file: &str, entry: Option<&str>, target: &Target) -> Result<Kernel, Box<PtxError>> {
    compile_for(source, file, entry, target, &TextureFormats::new())
}

/// The same for textures that are read in this way.
pub fn compile_for(
    source: &str,
    file: &str,
    entry: Option<&str>,
    target: &Target,
    formats: &TextureFormats,
) -> Result<Kernel, Box<PtxError>> {
    let (wanted, source) =
        (CompileOptions { target, high_words: false, formats, params_in_constants: false }, &*handles::named(source));
    let built = build(source, entry, &wanted).map_err(|problem| Box::new(problem.in_file(source, file)))?;
    let (kernel, emitted) = built;
    Ok(finish(kernel, emitted, &Arc::new(PtxSource { file: file.into(), text: source.into() })))
}

/// Everything about a kernel but its code, and its code.
fn build(source: &str, entry: Option<&str>, wanted: &CompileOptions) -> Result<(Kernel, emit::Emitted), Problem> {
    let module = parser::parse(source)?;
    compile_entry(&module, find_entry(&module, entry, source)?, wanted)
}

fn find_entry<'m>(module: &'m PtxModule, name: Option<&str>, source: &str) -> Result<&'m Entry, Problem> {
    let names: Vec<&str> = module.entries.iter().map(|e| e.name.as_str()).collect();
    let end = source.len()..source.len();
    let problem = |message: String| Problem::new(PtxErrorKind::Entry, end.clone(), message);
    let is_there = name.map_or(!names.is_empty(), |name| names.contains(&name));
    if let (Some(problem), false) = (&module.problem, is_there) {
        return Err(problem.clone());
    }
    match (name, module.entries.as_slice()) {
        (_, []) => Err(problem("the file has no kernel (`.entry`)".into())),
        (None, [only]) => Ok(only),
        (None, _) => Err(problem(format!("the file has {} kernels; name one of them", names.len()))
            .help(format!("kernels: {}", names.join(", ")))),
        (Some(name), entries) => entries.iter().find(|e| e.name == name).ok_or_else(|| {
            problem(format!("the file has no kernel `{name}`")).help(format!("kernels: {}", names.join(", ")))
        }),
    }
}

/// A kernel of a file, compiled or not.
#[derive(Debug)]
pub struct Surveyed {
    /// Its name.
    pub name: String,
    /// Line of its name, from 1.
    pub line: usize,
    /// The kernel, or all that is wrong with it: at least one problem.
    pub outcome: Result<Kernel, Vec<PtxError>>,
}

/// Compiles all kernels of a PTX file, each for itself.
pub fn survey(source: &str, file: &str, target: &Target) -> Result<Vec<Surveyed>, Box<PtxError>> {
    let source = &*handles::named(source);
    let module = parser::parse(source).map_err(|problem| Box::new(problem.in_file(source, file)))?;
    if module.entries.is_empty() {
        return find_entry(&module, None, source)
            .map(|_| vec![])
            .map_err(|problem| Box::new(problem.in_file(source, file)));
    }
    let text = Arc::new(PtxSource { file: file.into(), text: source.into() });
    let surveyed = |entry: &Entry| {
        let line = source[..entry.span.start].matches('\n').count() + 1;
        let formats = &TextureFormats::new();
        let wanted = CompileOptions { target, high_words: false, formats, params_in_constants: false };
        let built = compile_all(&module, entry, &wanted);
        let outcome = built.map(|(kernel, emitted)| finish(kernel, emitted, &text)).map_err(|mut problems| {
            // The same instruction in several places is one problem.
            let mut seen = std::collections::HashSet::new();
            problems.retain(|problem| seen.insert(problem.message.clone()));
            problems.into_iter().map(|problem| problem.in_file(source, file)).collect()
        });
        Surveyed { name: entry.name.clone(), line, outcome }
    };
    Ok(module.entries.iter().map(surveyed).collect())
}

fn finish(kernel: Kernel, emitted: emit::Emitted, source: &Arc<PtxSource>) -> Kernel {
    let code = emitted.instructions.iter().map(Instruction::encode).collect();
    Kernel { code, lines: emitted.lines, source: Some(source.clone()), ..kernel }
}

fn compile_entry(
    module: &PtxModule,
    entry: &Entry,
    wanted: &CompileOptions,
) -> Result<(Kernel, emit::Emitted), Problem> {
    compile_all(module, entry, wanted).map_err(|mut problems| problems.swap_remove(0))
}

/// The kernel, or at least one problem.
fn compile_all(
    module: &PtxModule,
    entry: &Entry,
    wanted: &CompileOptions,
) -> Result<(Kernel, emit::Emitted), Vec<Problem>> {
    let progress = Progress::of(&entry.name);
    progress.begin("instructions", entry.body.len());
    let simplified = |wanted: &CompileOptions| -> Result<lower::Lowered, Vec<Problem>> {
        let mut lowered = lower::lower(module, entry, wanted)?;
        simplify(module, &mut lowered.code, &progress);
        Ok(lowered)
    };
    let mut lowered = simplified(wanted)?;
    if dynamic_params::are_too_many(&lowered.code, &lowered.taken_params) {
        lowered = simplified(&CompileOptions { params_in_constants: true, ..*wanted })?;
    }
    translate(entry, lowered, wanted.target, &progress).map_err(|problem| vec![problem])
}

fn counted(registers: usize) -> String {
    if registers == 1 { "1 register a thread".into() } else { format!("{registers} registers a thread") }
}

/// The passes up to where it is known what addresses of parameters are.
fn simplify(module: &PtxModule, code: &mut ir::KernelCode, progress: &Progress) {
    progress.pass("control flow", code);
    flow::tidy(code);
    progress.pass("address spaces", code);
    spaces::resolve(code, module.address_bits, progress);
    progress.pass("simplification", code);
    fold::simplify(code, progress);
}

/// From operations to instructions.
fn translate(
    entry: &Entry,
    lowered: lower::Lowered,
    target: &Target,
    progress: &Progress,
) -> Result<(Kernel, emit::Emitted), Problem> {
    let mut code = lowered.code;
    dynamic_params::choose(&mut code, &lowered.taken_params);
    flow::tidy(&mut code);
    if lowered.uses_barrier {
        flow::end_early(&mut code);
        flow::tidy(&mut code);
    }
    legal::legalise(&mut code);
    fold::drop_unneeded(&mut code, progress);
    let too_large = |message| Problem::new(PtxErrorKind::Resources, entry.span.clone(), message);
    let too_long = || too_large(format!("kernel `{}` has more than 65,534 instructions", entry.name));
    if emit::is_too_long(&code) {
        return Err(too_long());
    }
    progress.pass("reconvergence points", &code);
    let points = emit::points(&mut code, progress);
    progress.pass("allocation of predicates", &code);
    let few = |what: String| {
        let message = format!("kernel `{}` cannot be compiled for {what}, also with values in memory", entry.name);
        too_large(message)
            .help(format!("`core.registers` is a power of two from {FEWEST_REGISTERS} to {MOST_REGISTERS}"))
    };
    let predicates = allocate::predicates(&mut code, progress)
        .ok_or_else(|| few(format!("{} predicates a thread", allocate::PREDICATES)))?;
    progress.pass("allocation of registers", &code);
    let mut memory = SpillMemory::new(lowered.spill_offset);
    let available = target.registers.min(255);
    let registers =
        allocate::registers(&mut code, available, &mut memory, progress).ok_or_else(|| few(counted(available)))?;
    if memory.needed().is_some_and(|spill| u64::from(spill.offset) + 4 > lower::PARAM_BYTES) {
        let message = format!("the parameters of `{}` need more than {} bytes", entry.name, lower::PARAM_BYTES);
        return Err(too_large(message).help("one word of them is for registers in memory: raise `core.registers`"));
    }
    colour::drop_copies(&mut code, &registers);
    let used = registers.used;
    progress.pass("encoding", &code);
    let emitted =
        emit::emit(&code, &points, &emit::RegisterAllocation { registers, predicates }).ok_or_else(too_long)?;
    let kernel = Kernel {
        name: entry.name.clone(),
        code: vec![],
        params: lowered.params,
        registers: used,
        shared_bytes: lowered.shared_bytes,
        constants: lowered.constants,
        textures: lowered.textures,
        globals: lowered.globals,
        local: lowered.local,
        stack_bytes: lowered.stack_bytes,
        spill: memory.needed(),
        dynamic_shared: lowered.dynamic_shared,
        exchange: lowered.exchange,
        in_step: lowered.in_step,
        lines: vec![],
        uses_barrier: lowered.uses_barrier,
        trap_lines: lowered.trap_lines,
        address_bits: lowered.address_bits,
        source: None,
    };
    Ok((kernel, emitted))
}
