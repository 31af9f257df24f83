//! Machine code of the chosen tiles' modules, and of what is around them: from the cache, or compiled.

use super::{
    boundary,
    build::{FrameLayout, Parts},
    choose::VectorChoice,
    emit::{self, InstructionSet},
    lower::{self, Context},
    program::{Pool, Program},
    slots::Slot,
};
use crate::{
    code::Coder,
    code_cache::found_or_compiled,
    engine::Engine,
    equivalence::ModuleClasses,
    options::Options,
    passes::{self, selection::Pass},
    plan::{Elsewhere, blocks, plans},
    source::Source,
};
use cranelift_codegen::ir::{AbiParam, types};
use cranelift_module::{FuncId, Module as _};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Functions of a group around those of its modules, by their numbers: to fetch inputs, for the clock edge, with events
/// counted and without, and to compare outputs.
type Around = [u32; 4];

/// What there is code for.
#[derive(Serialize, Deserialize)]
pub(super) struct Functions {
    /// Number by position in the table.
    pub table: BTreeMap<usize, u32>,
    /// Per group.
    pub around: Vec<Around>,
    /// That follow in every frame.
    pub constants: Vec<u32>,
}

/// Instances that are idle are skipped.
pub(super) fn skips_idle(options: &Options) -> bool {
    options.passes.has(Pass::Gates)
}

/// The instructions of this processor that may be used.
fn instructions(options: &Options) -> Option<InstructionSet> {
    let may_be = |set: &InstructionSet| *set != InstructionSet::Avx512 || options.passes.has(Pass::Wide);
    InstructionSet::of_processor().find(may_be)
}

/// The code of these groups, from the cache if it may be.
pub(super) fn compiled(
    source: Source,
    chosen: &[&VectorChoice],
    parts: &[Parts],
    frame: FrameLayout,
    options: &Options,
) -> Result<(Coder, Functions), String> {
    let tiles: Vec<_> = chosen.iter().map(|choice| &choice.tiles).collect();
    let compile = || compile(source, chosen, parts, frame, options);
    found_or_compiled(Engine::Vector, source, tiles, options, &[], compile).map(|(coded, _)| coded)
}

fn compile(
    source: Source,
    chosen: &[&VectorChoice],
    parts: &[Parts],
    frame: FrameLayout,
    options: &Options,
) -> Result<(Coder, Functions), String> {
    let Source { design, layouts, .. } = source;
    let root = |choice: &VectorChoice| design.index_of(&design.top.instances[choice.tiles[0]].module);
    let others = chosen.iter().zip(parts).map(|(choice, parts)| (root(choice), parts.united.blocks.clone()));
    let others = others.filter(|(_, others)| !others.of.is_empty()).collect();
    let plans = plans(design, layouts, options.intrinsics, &Elsewhere::default(), &others);
    let passes = options.passes.without(Pass::Gates).without(Pass::Split).without(Pass::Branch);
    let tile = |choice: &&VectorChoice| &design.top.instances[choice.tiles[0]].module;
    let roots: Vec<usize> = chosen.iter().map(|choice| root(choice)).collect();
    let prepared = passes::prepare(source, &plans, &ModuleClasses::apart_from(design, |_| true), passes, &roots);
    let skips_idle = skips_idle(options);
    let set = instructions(options).ok_or("no vectors on this processor")?;
    let mut compiler = Compiler { coder: Coder::new(&[], false)?, pool: Pool::new(frame.constants), set };
    let modules: BTreeSet<usize> = chosen.iter().flat_map(|choice| blocks(design, tile(choice))).collect();
    let mut table = BTreeMap::new();
    for module in modules {
        let context = Context { design, layouts, plans: &plans, prepared: &prepared, module, skips_idle };
        let profiled = options.profile.then_some(module as u32);
        for (body, late) in [(&prepared[module].early, false), (&prepared[module].late, true)] {
            let Some(body) = body else { continue };
            let name = format!("{}.{}", design.modules[module].module.name, if late { "late" } else { "early" });
            let id = compiler.function(&name, lower::lower(context, body, late), profiled)?;
            table.insert(Context::function(module, late), id);
        }
    }
    let around = parts.iter().zip(&roots).enumerate().map(|(group, (parts, &root))| {
        let activity = skips_idle.then(|| lower::activity_at(&layouts[root], true));
        compiler.around(group, parts, frame, activity)
    });
    let around = around.collect::<Result<_, _>>()?;
    Ok((compiler.coder, Functions { table, around, constants: compiler.pool.words }))
}

/// Makes functions.
struct Compiler {
    coder: Coder,
    pool: Pool,
    set: InstructionSet,
}

impl Compiler {
    fn around(
        &mut self,
        group: usize,
        parts: &Parts,
        frame: FrameLayout,
        activity: Option<i32>,
    ) -> Result<Around, String> {
        let events: Vec<Slot> = parts.events.iter().map(|&(slot, _)| slot).collect();
        let mut one = |name: &str, program| self.function(&format!("{name} of group {group}"), program, None);
        Ok([
            one("fetch", boundary::fetch(&parts.inputs, activity))?,
            one("edge", boundary::edge(&events, frame.counts, &parts.found, frame.flags))?,
            one("silent edge", boundary::edge(&[], frame.counts, &parts.found, frame.flags))?,
            one("outputs", boundary::outputs(&parts.early_outputs, frame.shown, frame.flags))?,
        ])
    }

    fn function(&mut self, name: &str, program: Program, profiled: Option<u32>) -> Result<u32, String> {
        let bytes = emit::emit(program, self.set, &mut self.pool, profiled)?;
        let mut signature = self.coder.jit.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 5];
        self.coder.define_bytes(name, signature, 64, bytes).map(FuncId::as_u32)
    }
}
