//! Machine code of the chosen tiles' modules, and of what is around them: from the cache, or compiled.

use super::{
    around,
    build::{FrameLayout, Parts},
    choose::VectorChoice,
    emit,
    group::Slot,
    lower::{self, Context},
    program::{Pool, Program},
};
use crate::{
    alike::Classes,
    code::Coder,
    code_cache::key,
    engine::Engine,
    options::Options,
    passes::{self, selection::Pass},
    plan::{Elsewhere, blocks, plans},
    source::Source,
};
use common::cache::found_or_made;
use cranelift_codegen::ir::{AbiParam, types};
use cranelift_module::{FuncId, Module as _};
use std::collections::{BTreeMap, BTreeSet};

/// Functions of a group around those of its modules: to fetch inputs, for the clock edge, with events counted and without, and to compare
/// outputs.
type Around = [FuncId; 4];

/// Code.
pub(super) struct Coded {
    pub coder: Coder,
    /// By position in the table.
    pub functions: BTreeMap<usize, FuncId>,
    /// Per group.
    pub around: Vec<Around>,
    /// That follow in every frame.
    pub constants: Vec<u32>,
}

/// The code of these groups, from the cache if it may be.
pub(super) fn coded(
    source: Source,
    chosen: &[&VectorChoice],
    parts: &[Parts],
    frame: FrameLayout,
    options: &Options,
) -> Result<Coded, String> {
    let tiles: Vec<_> = chosen.iter().map(|choice| &choice.tiles).collect();
    let key = key(Engine::Vector, source, tiles, options).filter(|_| options.cache);
    let read = |bytes: &[u8]| Coder::load(bytes, &[]).and_then(|(coder, notes)| Coded::read(coder, &notes));
    let make = || compile(source, chosen, parts, frame, options);
    found_or_made(key, read, make, |coded| coded.coder.stored(&coded.notes())).map(|(coded, _)| coded)
}

fn compile(
    source: Source,
    chosen: &[&VectorChoice],
    parts: &[Parts],
    frame: FrameLayout,
    options: &Options,
) -> Result<Coded, String> {
    let Source { design, layouts, .. } = source;
    let plans = plans(design, layouts, options.twins, &Elsewhere::new());
    let passes = options.passes.without(Pass::Gates).without(Pass::Split).without(Pass::Branch);
    let tile = |choice: &&VectorChoice| &design.top.instances[choice.tiles[0]].module;
    let roots: Vec<usize> = chosen.iter().map(|choice| design.index_of(tile(choice))).collect();
    let prepared = passes::prepare(source, &plans, &Classes::apart_from(design, |_| true), passes, &roots);
    let mut compiler = Compiler { coder: Coder::new(&[])?, pool: Pool::new(frame.constants) };
    let modules: BTreeSet<usize> = chosen.iter().flat_map(|choice| blocks(design, tile(choice))).collect();
    let mut functions = BTreeMap::new();
    for module in modules {
        let context = Context { design, layouts, plans: &plans, prepared: &prepared, module };
        let told = options.profile.then_some(module as u32);
        for (body, late) in [(&prepared[module].early, false), (&prepared[module].late, true)] {
            let Some(body) = body else { continue };
            let name = format!("{}.{}", design.modules[module].module.name, if late { "late" } else { "early" });
            let id = compiler.function(&name, &lower::lower(context, body), told)?;
            functions.insert(Context::function(module, late), id);
        }
    }
    let around = parts.iter().enumerate().map(|(group, parts)| compiler.around(group, parts, frame));
    let around = around.collect::<Result<_, _>>()?;
    Ok(Coded { coder: compiler.coder, functions, around, constants: compiler.pool.words })
}

/// Makes functions.
struct Compiler {
    coder: Coder,
    pool: Pool,
}

impl Compiler {
    fn around(&mut self, group: usize, parts: &Parts, frame: FrameLayout) -> Result<Around, String> {
        let events: Vec<Slot> = parts.events.iter().map(|&(slot, _)| slot).collect();
        let mut one = |name: &str, program| self.function(&format!("{name} of group {group}"), &program, None);
        Ok([
            one("fetch", around::fetch(&parts.inputs))?,
            one("edge", around::edge(&events, frame.counts, &parts.found, frame.flags))?,
            one("silent edge", around::edge(&[], frame.counts, &parts.found, frame.flags))?,
            one("outputs", around::outputs(&parts.early_outputs, frame.shown, frame.flags))?,
        ])
    }

    fn function(&mut self, name: &str, program: &Program, told: Option<u32>) -> Result<FuncId, String> {
        let bytes = emit::emit(program, &mut self.pool, told)?;
        let mut signature = self.coder.jit.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 5];
        self.coder.define_bytes(name, signature, 64, bytes)
    }
}

impl Coded {
    /// What is kept with the code.
    fn notes(&self) -> Vec<u32> {
        let functions = self.functions.iter().flat_map(|(&number, id)| [number as u32, id.as_u32()]);
        let around = self.around.iter().flatten().map(|id| id.as_u32());
        let lengths = [self.functions.len() as u32, self.around.len() as u32];
        lengths.into_iter().chain(functions).chain(around).chain(self.constants.iter().copied()).collect()
    }

    /// From notes; `None` when they are not that.
    fn read(coder: Coder, notes: &[u32]) -> Option<Self> {
        let (&[functions, around], notes) = notes.split_first_chunk()?;
        let (functions, notes) = notes.split_at_checked(2 * functions as usize)?;
        let (around, constants) = notes.split_at_checked(4 * around as usize)?;
        let id = |&number: &u32| FuncId::from_u32(number);
        let functions = functions.chunks_exact(2).map(|pair| (pair[0] as usize, id(&pair[1])));
        let around = around.chunks_exact(4).map(|ids| [id(&ids[0]), id(&ids[1]), id(&ids[2]), id(&ids[3])]);
        Some(Self { coder, functions: functions.collect(), around: around.collect(), constants: constants.to_vec() })
    }
}
