//! Which tiles are evaluated in vectors.

use super::{emit::InstructionSet, slots::LANES};
use crate::{
    clocks::used_domains,
    engine::Vectoring,
    layout::Layout,
    sliced::estimate::{Cost, Estimate, whole_costs},
};
use netlist::Design;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A group of equal tiles of one clock domain, and whether it is evaluated in vectors.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VectorChoice {
    /// Positions in the instances of the top.
    pub tiles: Vec<usize>,
    /// Position of their clock domain among those of the top.
    pub domain: usize,
    /// Nanoseconds a cycle: in vectors, and as words when all are busy.
    pub vector: f64,
    pub word: f64,
    pub chosen: bool,
}

impl VectorChoice {
    /// It is evaluated in several vectors.
    pub fn is_large(&self) -> bool {
        self.chosen && self.tiles.len() > LANES
    }
}

/// An operator on a vector, in nanoseconds: with AVX-512, measured with the core of the default chip; with AVX2, from
/// the time of whole runs of `baseline-tb-dor`.
const OPERATOR: [f64; 2] = [0.6, 1.0];
/// Inputs, outputs and the clock edge of a group, for each vector of tiles.
const AROUND: f64 = 300.0;
/// What vectors may take at most of the time of words. Words of tiles full of arithmetic take little more than half of
/// what is estimated.
pub(crate) const GAIN: f64 = 0.45;

/// Largest region of a tile whose offsets fit, in words.
const LARGEST: u32 = (1 << 31) / super::lower::WORD as u32 - 1;

/// The groups of equal tiles, and which are chosen; without those in `taken`.
pub(crate) fn choose(
    design: &Design,
    layouts: &[Layout],
    how: Vectoring,
    taken: &FxHashSet<usize>,
) -> Vec<VectorChoice> {
    if how == Vectoring::Nothing || !super::available() {
        return vec![];
    }
    let mut groups: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (tile, instance) in design.top.instances.iter().enumerate().filter(|(tile, i)| i.tile && !taken.contains(tile))
    {
        let module = design.index_of(&instance.module);
        let domain = match used_domains(design, tile)[..] {
            [] => 0,
            [domain] => domain as usize,
            _ => continue,
        };
        let layout = &layouts[module];
        if !outputs_wait(design, module) && layout.storage.max(layout.registers) < LARGEST {
            groups.entry((module, domain)).or_default().push(tile);
        }
    }
    let costs = whole_costs(design);
    let choice = |((module, domain), tiles): ((usize, usize), Vec<usize>)| {
        let Estimate { operators, word, .. } = Estimate::of(costs[module], tiles.len());
        let vector = nanoseconds(operators, tiles.len());
        let chosen = match how {
            Vectoring::All => tiles.len() > 1,
            _ => tiles.len() > 1 && vector < GAIN * word,
        };
        VectorChoice { tiles, domain, vector, word, chosen }
    };
    groups.into_iter().map(choice).collect()
}

/// An output depends on an input in the same cycle.
fn outputs_wait(design: &Design, module: usize) -> bool {
    design.modules[module].dependencies.through.iter().any(|inputs| !inputs.is_empty())
}

/// A cycle of so many equal tiles in vectors.
fn nanoseconds(operators: f64, tiles: usize) -> f64 {
    let set = InstructionSet::of_processor().next();
    let operator = OPERATOR[usize::from(set == Some(InstructionSet::Avx2))];
    tiles.div_ceil(LANES) as f64 * (operators * operator + AROUND)
}

/// Nanoseconds a cycle of tiles of one clock domain in vectors, those of the same module together; infinite where that
/// is not possible. `costs`: of all modules, with their children.
pub(crate) fn estimate(design: &Design, how: Vectoring, costs: &[Cost], modules: impl Iterator<Item = usize>) -> f64 {
    if how == Vectoring::Nothing || !super::available() {
        return f64::INFINITY;
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    modules.for_each(|module| *counts.entry(module).or_default() += 1);
    let of = |(&module, &count): (&usize, &usize)| match outputs_wait(design, module) {
        true => f64::INFINITY,
        false => nanoseconds(costs[module].operators, count),
    };
    counts.iter().map(of).sum()
}
