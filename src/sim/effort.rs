//! What it takes to prepare a simulation, estimated from the design: time to compile, and memory.
//!
//! Compilation costs for each distinct block, not for each instance: as words (and about the same in vectors) its
//! operators, bit-sliced the gates of a tile of each group. The interpreter has nothing to compile, and a list of the
//! operators of all instances. The constants are fitted to measurements of the shipped configurations
//! (`docs/engines.md`) and are right to a factor of about three.

use super::{
    choices::Choices,
    engine::{Engine, Partition},
    equivalence::ModuleClasses,
    error::SimError,
    free_memory,
    layout::{Layout, layouts},
    options::Options,
    sliced::estimate::{Cost, cost},
    source::Observed,
};
use netlist::{Design, Elaborated};
use std::collections::{BTreeMap, BTreeSet};

/// What is to be compiled and kept. Counts are of operators on words of 64 bits and of gates on bits.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// Operators of the distinct blocks that are compiled to words or vectors.
    pub word_operators: f64,
    /// Gates of a tile of each group that is evaluated bit-sliced.
    pub sliced_gates: f64,
    /// Operators of all instances.
    pub operators: f64,
    /// Instances of all blocks.
    pub instances: f64,
    /// Words of the state.
    pub words: f64,
    /// There is nothing to compile.
    interpreted: bool,
}

/// Seconds for an operator compiled to words.
const WORD: f64 = 1.0e-4;
/// Seconds for a gate of a group: blocks that occur several times in a tile share most of their code.
const SLICED: f64 = 1.2e-6;

/// Bytes without any design.
const BASE: f64 = 30e6;
/// Bytes for an operator that is compiled to words.
const COMPILED: f64 = 1500.0;
/// Bytes for a gate.
const GATE: f64 = 30.0;
/// Bytes for an operator of an instance, in the interpreter.
const INTERPRETED: f64 = 64.0;
/// Bytes for an instance.
const INSTANCE: f64 = 1000.0;
/// Bytes for a word of the state.
const STATE: f64 = 8.0;

impl Effort {
    /// Of a simulation with these options.
    pub fn new(design: &Design, options: &Options) -> Result<Self, SimError> {
        Ok(Self::of(design, &layouts(design)?, options.engine, options.threads))
    }

    /// Of a simulation by this engine on at most so many threads.
    pub(crate) fn of(design: &Design, layouts: &[Layout], engine: Engine, threads: usize) -> Self {
        Self::of_partition(design, layouts, engine.parts(), threads)
    }

    /// Of a simulation with this partition of the tiles; `None`: by the interpreter.
    pub(crate) fn of_partition(
        design: &Design,
        layouts: &[Layout],
        partition: Option<Partition>,
        threads: usize,
    ) -> Self {
        let costs: Vec<Cost> = design.modules.iter().map(|about| cost(&about.module)).collect();
        let count = |about: &Elaborated| about.instances as f64;
        let top = &layouts[layouts.len() - 1];
        let mut effort = Self {
            operators: design.modules.iter().zip(&costs).map(|(about, cost)| cost.operators * count(about)).sum(),
            instances: design.modules.iter().map(count).sum(),
            words: f64::from(top.registers) + f64::from(top.storage),
            interpreted: partition.is_none(),
            ..Self::default()
        };
        let Some(partition) = partition else { return effort };
        let (parts, choices) = Choices::new(design, layouts, &Observed::new(), partition, threads, &BTreeSet::new());
        effort.sliced_gates =
            choices.sliced.iter().filter(|group| group.sliced).map(|group| group.estimate.gates).sum();
        let elsewhere: BTreeSet<usize> = parts.into_iter().flat_map(|part| part.groups).flatten().collect();
        let tiles = 0..design.top.instances.len();
        let here = blocks(design, &tiles.filter(|tile| !elsewhere.contains(tile)).collect());
        let own = costs[costs.len() - 1].operators;
        effort.word_operators = own + here.into_iter().map(|block| costs[block].operators).sum::<f64>();
        effort
    }

    /// Seconds to compile.
    pub fn seconds(&self) -> f64 {
        WORD * self.word_operators + SLICED * self.sliced_gates
    }

    /// Bytes of memory at most.
    pub fn bytes(&self) -> f64 {
        let compiled = COMPILED * self.word_operators + GATE * self.sliced_gates;
        let interpreted = if self.interpreted { INTERPRETED * self.operators } else { 0.0 };
        BASE + compiled + interpreted + INSTANCE * self.instances + STATE * self.words
    }
}

/// Seconds that `auto` compiles at most.
const LONG: f64 = 120.0;

/// The engine that `auto` stands for, with the reason when it is another one than usual; any other engine stands for
/// itself. An error when the simulation would take more memory than is left.
pub(super) fn engine_for(
    design: &Design,
    layouts: &[Layout],
    options: &Options,
) -> Result<(Engine, Option<String>), SimError> {
    let of = |engine| Effort::of(design, layouts, engine, options.threads);
    let asked = of(options.engine);
    let (engine, reason) = match options.engine {
        Engine::Auto => instead(asked.seconds(), || of(Engine::Word).seconds()),
        engine => (engine, None),
    };
    let needs = if engine == options.engine { asked } else { of(engine) }.bytes();
    match free_memory::left() {
        Some(left) if needs > left as f64 => Err(too_large(design, layouts, needs, left)),
        _ => Ok((engine, reason)),
    }
}

fn instead(usual: f64, words: impl FnOnce() -> f64) -> (Engine, Option<String>) {
    if usual <= LONG {
        return (Engine::Auto, None);
    }
    let words = words();
    let engine = if words <= LONG { Engine::Word } else { Engine::Interpreter };
    let reason = format!(
        "compiling would take about {usual:.0} s with bits and vectors, {words:.0} s with words alone; more than {LONG:.0} s is too long"
    );
    (engine, Some(reason))
}

fn too_large(design: &Design, layouts: &[Layout], needs: f64, left: u64) -> SimError {
    let words = |module: usize| u64::from(layouts[module].registers) + u64::from(layouts[module].storage);
    let mut kinds: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for tile in design.top.instances.iter().filter(|instance| instance.tile) {
        let (sum, count) = kinds.entry(&tile.module.kind).or_default();
        *sum += words(design.index_of(&tile.module));
        *count += 1;
    }
    let largest = kinds.into_iter().max_by_key(|(_, (words, _))| *words);
    let (kind, count) = largest.map_or((design.top.kind.as_str(), 1), |(kind, (_, count))| (kind, count));
    SimError::Memory { needs: (needs / 1e6) as u64, left: left / 1_000_000, kind: kind.into(), count }
}

/// Distinct blocks of these tiles of the top, of equal ones the first.
fn blocks(design: &Design, tiles: &BTreeSet<usize>) -> BTreeSet<usize> {
    let classes = ModuleClasses::new(design);
    let of = |module: &_| classes.of(design.index_of(module));
    let mut open: Vec<usize> = tiles.iter().map(|&tile| of(&design.top.instances[tile].module)).collect();
    let mut found = BTreeSet::new();
    while let Some(block) = open.pop() {
        if found.insert(block) {
            open.extend(design.modules[block].module.instances.iter().map(|child| of(&child.module)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_to_compile_is_not_compiled() {
        assert_eq!(instead(LONG, || unreachable!("nobody asks")), (Engine::Auto, None));
        assert_eq!(instead(2.0 * LONG, || 1.0).0, Engine::Word);
        let (engine, reason) = instead(3.0 * LONG, || 2.0 * LONG);
        assert_eq!(engine, Engine::Interpreter);
        let said = "compiling would take about 360 s with bits and vectors, 240 s with words alone; more than 120 s is too long";
        assert_eq!(reason.as_deref(), Some(said));
    }
}
