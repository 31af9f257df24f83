//! Which tiles are evaluated in vectors.

use super::{emit::InstructionSet, slots::LANES, unite::Uniting};
use crate::{
    clocks::used_domains,
    engine::Vectoring,
    equivalence::ModuleClasses,
    layout::Layout,
    plan::blocks,
    sliced::estimate::{Cost, Estimate, whole_costs},
    source::Observed,
};
use netlist::Design;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A group of tiles of one clock domain that have one code, and whether it is evaluated in vectors.
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
/// Inputs, outputs and the clock edge of a group, for each vector of tiles: from the share that they have of runs of
/// `dcie-2p`.
const AROUND: f64 = 1000.0;
/// What vectors may take at most of the time of words. Words of tiles full of arithmetic take little more than half of
/// what is estimated.
pub(crate) const GAIN: f64 = 0.45;

/// Largest region of a tile whose offsets fit, in words.
const LARGEST: u32 = (1 << 31) / super::lower::WORD as u32 - 1;

/// The groups of tiles that can be evaluated as one, and which are chosen; without those in `taken`.
pub(crate) fn choose(
    design: &Design,
    layouts: &[Layout],
    classes: &ModuleClasses,
    observed: &Observed,
    how: Vectoring,
    taken: &FxHashSet<usize>,
) -> Vec<VectorChoice> {
    if how == Vectoring::Nothing || !super::available() {
        return vec![];
    }
    let mut equal: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
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
            equal.entry((module, domain)).or_default().push(tile);
        }
    }
    let mut groups = vec![];
    let uniting = Uniting::new(design, classes);
    let domains: BTreeSet<usize> = equal.keys().map(|&(_, domain)| domain).collect();
    for domain in domains {
        // Code of a module that has tiles in two domains, or is a block of another tile, is not for one group alone.
        let within = |module: usize| {
            let others = equal.keys().filter(|(other, _)| *other != module);
            others.into_iter().any(|&(other, _)| blocks(design, &design.modules[other].module).contains(&module))
        };
        let several = |module: usize| within(module) || equal.keys().filter(|(other, _)| *other == module).count() > 1;
        let here = equal.iter().filter(|((_, of), _)| *of == domain);
        let (alone, together): (Vec<_>, Vec<_>) = here.partition(|((module, _), _)| several(*module));
        let together = together.into_iter().map(|(&(module, _), tiles)| (module, tiles.clone())).collect();
        let alone = alone.into_iter().map(|(_, tiles)| tiles.clone());
        groups.extend(alone.chain(uniting.groups(layouts, observed, together)).map(|tiles| (domain, tiles)));
    }
    let costs = whole_costs(design);
    let choice = |(domain, tiles): (usize, Vec<usize>)| {
        let module = design.index_of(&design.top.instances[tiles[0]].module);
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

/// A cycle of so many tiles with one code in vectors.
fn nanoseconds(operators: f64, tiles: usize) -> f64 {
    let set = InstructionSet::of_processor().next();
    let operator = OPERATOR[usize::from(set == Some(InstructionSet::Avx2))];
    tiles.div_ceil(LANES) as f64 * (operators * operator + AROUND)
}

/// Nanoseconds a cycle of tiles of one clock domain in vectors, those together that may be evaluated as one; infinite
/// where that is not possible. `uniting`: which may; `costs`: of all modules, with their children.
pub(crate) fn estimate(
    design: &Design,
    how: Vectoring,
    uniting: Uniting,
    costs: &[Cost],
    modules: impl Iterator<Item = usize>,
) -> f64 {
    if how == Vectoring::Nothing || !super::available() {
        return f64::INFINITY;
    }
    let mut of_module: BTreeMap<usize, usize> = BTreeMap::new();
    modules.for_each(|module| *of_module.entry(module).or_default() += 1);
    let mut counts: Vec<(usize, usize)> = vec![];
    for (module, tiles) in of_module {
        match counts.iter_mut().find(|(other, _)| uniting.may(*other, module)) {
            Some((_, count)) => *count += tiles,
            None => counts.push((module, tiles)),
        }
    }
    let of = |&(module, count): &(usize, usize)| match outputs_wait(design, module) {
        true => f64::INFINITY,
        false => nanoseconds(costs[module].operators, count),
    };
    counts.iter().map(of).sum()
}
