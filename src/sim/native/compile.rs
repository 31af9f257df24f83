//! Machine code of a design: from the cache, or compiled module by module, children first.
//!
//! Every phase of a module becomes one function for each chunk of its body, and with several chunks a driver that calls
//! them in turn and holds their spill area on its stack. Chunks of tiles may also be called without it; see
//! [`batch`](super::batch).

use super::{
    activity::mark_layouts,
    emit::{Callees, Context, Emitter},
    gates,
};
use crate::{
    code::{Coder, Symbols, failure},
    code_cache::found_or_compiled,
    engine::Engine,
    equivalence::ModuleClasses,
    error::SimError,
    options::Options,
    passes::{
        self,
        body::{Body, Prepared, Step},
        gates::shape::Shape,
        repeated_tiles,
    },
    plan::Plan,
    progress,
    source::Source,
};
use cranelift_codegen::{
    Context as FunctionContext,
    ir::{AbiParam, InstBuilder, Signature, StackSlotData, StackSlotKind, Value, types},
    isa::TargetFrontendConfig,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module as _};
use hdl::NetId;
use netlist::Design;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Per module, with its code.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct CompiledModule {
    /// Functions of the phases, by their numbers.
    pub early: Option<u32>,
    pub late: Option<u32>,
    /// The code is that of an earlier module, which is equal.
    pub copy: bool,
    /// For reports.
    pub functions: usize,
    pub code_bytes: usize,
    /// As in [`Prepared`].
    pub pure: bool,
    pub stored: Vec<u32>,
    /// Functions of the phases without gates, where there are both.
    pub plain: [Option<u32>; 2],
    /// Where several tiles are of the module: functions of the chunks of its late phase, with gates (if there are any)
    /// and without.
    pub chunks: [Vec<u32>; 2],
    /// Words of the spill area that those need.
    pub spill_words: u32,
    /// Of its gates.
    pub gates: Option<Shape>,
}

/// The code of a design, from the cache if it may be, and whether it was there.
pub(super) fn coded(
    source: Source,
    plans: &[Plan],
    first_port: &[usize],
    options: &Options,
) -> Result<(Coder, Vec<CompiledModule>, bool), SimError> {
    let symbols = intrinsics(source.design, plans);
    let elsewhere: BTreeMap<_, _> = plans.iter().flat_map(|plan| &plan.elsewhere).collect();
    let compile = || compile(source, plans, first_port, options, &symbols);
    let ((coder, modules), found) = found_or_compiled(Engine::Word, source, elsewhere, options, &symbols, compile)?;
    Ok((coder, modules, found))
}

fn compile(
    source: Source,
    plans: &[Plan],
    first_port: &[usize],
    options: &Options,
    symbols: &Symbols,
) -> Result<(Coder, Vec<CompiledModule>), SimError> {
    let Source { design, layouts, .. } = source;
    // Code that tells which module it is belongs to one; nor do equal modules want the same where somebody looks into
    // one of them.
    let looked_into = |module| source.observed.range((module, NetId(0))..(module + 1, NetId(0))).next().is_some();
    let classes = &ModuleClasses::apart_from(design, |module| options.profile || looked_into(module));
    let prepared = &passes::prepare(source, plans, classes, options.passes, &[design.modules.len() - 1])[..];
    let gates = prepared.iter().map(|module| module.gates.as_ref().map(|gates| &gates.shape));
    let marks = &mark_layouts(design, layouts, gates)[..];
    let profile = options.profile;
    let context = Context { design, layouts, plans, marks, first_port, prepared, module: 0, profile };
    let mut compiler = Compiler::new(context, classes, symbols, options.cache)?;
    for module in 0..design.modules.len() {
        compiler.module(module)?;
        progress::report(&design.modules[module].module.kind, module + 1, design.modules.len());
    }
    Ok((compiler.code, compiler.modules))
}

/// Native intrinsics by the names under which code calls them.
fn intrinsics(design: &Design, plans: &[Plan]) -> Vec<(String, *const u8)> {
    let modules = design.modules.iter().zip(plans);
    let named = modules
        .filter_map(|(about, plan)| Some((intrinsic_name(&about.module.name), plan.intrinsic?.call as *const u8)));
    named.collect()
}

fn intrinsic_name(module: &str) -> String {
    format!("intrinsic of {module}")
}

/// Ends the last block of a function.
fn end(mut builder: FunctionBuilder, failed: Value, target: TargetFrontendConfig) {
    builder.ins().return_(&[failed]);
    builder.seal_all_blocks();
    builder.finalize(target);
}

struct Compiler<'a> {
    /// The module is the one under compilation.
    context: Context<'a>,
    code: Coder,
    function: FunctionContext,
    builder_context: FunctionBuilderContext,
    /// Children before parents.
    modules: Vec<CompiledModule>,
    /// The design has several clocks.
    clocked: bool,
    classes: &'a ModuleClasses,
    /// Per module: several tiles run its code.
    repeated: Vec<bool>,
}

impl<'a> Compiler<'a> {
    fn new(
        context: Context<'a>,
        classes: &'a ModuleClasses,
        intrinsics: &Symbols,
        cached: bool,
    ) -> Result<Self, SimError> {
        let code = Coder::new(intrinsics, cached).map_err(|e| failure(&context.design.top.name, e))?;
        let (function, builder_context) = (code.jit.make_context(), FunctionBuilderContext::new());
        let clocked = context.design.top.crosses_clocks();
        let repeated = repeated_tiles(context.design, classes);
        Ok(Self { context, code, function, builder_context, modules: vec![], clocked, classes, repeated })
    }

    fn signature(&self) -> Signature {
        let mut signature = self.code.jit.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 6 + usize::from(self.clocked)];
        signature.returns.push(AbiParam::new(types::I64));
        signature
    }

    /// Compiles the phases of a module, if it is called and no equal one has code; its children are there already.
    fn module(&mut self, module: usize) -> Result<(), SimError> {
        let first = self.classes.of(module);
        if first != module {
            self.modules.push(CompiledModule { copy: true, ..self.modules[first].clone() });
            return Ok(());
        }
        let Prepared { early, late, pure, stored, gates, plain } = &self.context.prepared[module];
        self.context.module = module;
        let gates = gates.as_ref().map(|gates| gates.shape.clone());
        self.modules.push(CompiledModule { pure: *pure, stored: stored.clone(), gates, ..CompiledModule::default() });
        let spill_words = [late, &plain[1]].map(|body| body.as_ref().map_or(0, |body| body.spill_words));
        let mut phase = |name, body: &'a Option<Body>| {
            let made = body.as_ref().map(|body| self.phase(name, body)).transpose()?;
            Ok::<_, SimError>(made.map_or((None, vec![]), |(id, chunks)| (Some(id), chunks)))
        };
        let ((early, _), (late, late_chunks)) = (phase("early", early)?, phase("late", late)?);
        let [(plain_early, _), (plain_late, plain_chunks)] =
            [phase("plain.early", &plain[0])?, phase("plain.late", &plain[1])?];
        let about = &mut self.modules[module];
        (about.early, about.late, about.plain) = (early, late, [plain_early, plain_late]);
        if self.repeated[module] {
            about.chunks = [late_chunks, plain_chunks];
            about.spill_words = spill_words.into_iter().max().unwrap_or(0);
        }
        Ok(())
    }

    /// The module under compilation.
    fn name(&self) -> &'a str {
        &self.context.design.modules[self.context.module].module.name
    }

    /// The function of a phase, and those of its chunks.
    fn phase(&mut self, phase: &str, body: &Body) -> Result<(u32, Vec<u32>), SimError> {
        let name = format!("{}.{phase}", self.name());
        let mut chunks = vec![];
        let count = body.gates.as_ref().map_or(body.chunks.len(), |gates| gates.functions.len());
        for chunk in 0..count {
            let id = self.declare(&format!("{name}.{chunk}"))?;
            let (modules, code, context) = (&self.modules, &mut self.code, self.context);
            let mut builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder_context);
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let parameters = builder.block_params(block);
            let addresses: [Value; 6] = *parameters.first_chunk().expect("six addresses come first");
            let clocks = parameters.get(6).copied();
            // Declare what is called, each once.
            let mut functions = FxHashMap::default();
            let clusters = body.gates.as_ref().map_or(chunk..chunk + 1, |gates| gates.functions[chunk].clone());
            for step in body.chunks[clusters].iter().flatten() {
                if let Step::Call(call) = *step {
                    let child = body.function.calls[call].module;
                    if functions.contains_key(&child) {
                        continue;
                    }
                    let intrinsic =
                        context.plans[child].intrinsic.map(|_| import_intrinsic(context, code, child)).transpose()?;
                    let mut declare = |id: u32| code.jit.declare_func_in_func(FuncId::from_u32(id), builder.func);
                    let about = &modules[child];
                    // Code calls code of its kind.
                    let kind = match about.gates.is_some() && body.gates.is_none() {
                        true => about.plain,
                        false => [about.early, about.late],
                    };
                    let phases = [kind[0], kind[1], intrinsic].map(|id| id.map(&mut declare));
                    functions.insert(child, phases);
                }
            }
            let emitter = Emitter::new(context, body, chunk, builder, addresses, clocks);
            let (mut builder, mut result) = emitter.run(&Callees { functions: &|child| functions[&child] });
            if let Some(gates) = body.gates.as_ref().filter(|_| chunk + 1 == count) {
                result = gates::end_phase(&mut builder, context, addresses[3], gates.early);
            }
            end(builder, result, self.code.jit.target_config());
            self.finish(id)?;
            chunks.push(id.as_u32());
        }
        let function = match chunks[..] {
            [only] => only,
            _ => self.driver(&name, &chunks, body)?,
        };
        Ok((function, chunks))
    }

    /// Calls the chunks in turn, with one spill area. Each may fail; with gates the last one has the result.
    fn driver(&mut self, name: &str, chunks: &[u32], body: &Body) -> Result<u32, SimError> {
        let id = self.declare(name)?;
        let mut builder = FunctionBuilder::new(&mut self.function.func, &mut self.builder_context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let mut arguments = builder.block_params(block).to_vec();
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * body.spill_words.max(1), 3);
        let slot = builder.create_sized_stack_slot(slot);
        arguments[5] = builder.ins().stack_addr(types::I64, slot, 0);
        let mut result = builder.ins().iconst(types::I64, 0);
        for &chunk in chunks {
            let function = self.code.jit.declare_func_in_func(FuncId::from_u32(chunk), builder.func);
            let call = builder.ins().call(function, &arguments);
            let returned = builder.inst_results(call)[0];
            result = builder.ins().bor(result, returned);
        }
        end(builder, result, self.code.jit.target_config());
        self.finish(id)?;
        Ok(id.as_u32())
    }

    fn declare(&mut self, name: &str) -> Result<FuncId, SimError> {
        let signature = self.signature();
        self.code.declare(name, signature, &mut self.function.func).map_err(|e| failure(self.name(), e))
    }

    fn finish(&mut self, id: FuncId) -> Result<(), SimError> {
        let size = self.code.define(id, &mut self.function).map_err(|e| failure(self.name(), e))?;
        let about = &mut self.modules[self.context.module];
        about.functions += 1;
        about.code_bytes += size;
        // Register allocation clears tables that are as large as the largest function needed so far, again and again.
        self.function = self.code.jit.make_context();
        Ok(())
    }
}

/// The function of the native intrinsic of a module.
fn import_intrinsic(context: Context, code: &mut Coder, module: usize) -> Result<u32, SimError> {
    let name = &context.design.modules[module].module.name;
    let mut signature = code.jit.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 2];
    code.import(&intrinsic_name(name), &signature).map(FuncId::as_u32).map_err(|e| failure(name, e))
}
