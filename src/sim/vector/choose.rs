//! Which tiles are evaluated in vectors.

use super::group::LANES;
use crate::{
    layout::Layout,
    native::used_domains,
    sliced::{Estimate, whole_costs},
};
use netlist::Design;
use std::collections::{BTreeMap, HashSet};

/// Which tiles are to be evaluated in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vectoring {
    Nothing,
    /// Groups that clearly gain by it.
    Gains,
    /// All groups of two or more.
    All,
}

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

/// An operator on a vector, in nanoseconds. Measured with the core of the default chip.
const OPERATOR: f64 = 0.6;
/// Inputs, outputs and the clock edge of a group, for each vector of tiles.
const AROUND: f64 = 300.0;
/// What vectors may take at most of the time of words. Words of tiles full of arithmetic take little more than half of what is estimated.
pub(crate) const GAIN: f64 = 0.45;

/// Largest region of a tile whose offsets fit, in words.
const LARGEST: u32 = (1 << 31) / super::lower::WORD as u32 - 1;

/// The groups of equal tiles, and which are chosen; without those in `taken`.
pub(crate) fn choose(design: &Design, layouts: &[Layout], how: Vectoring, taken: &HashSet<usize>) -> Vec<VectorChoice> {
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
        let outputs_wait = design.modules[module].dependencies.through.iter().any(|inputs| !inputs.is_empty());
        if !outputs_wait && layout.rest.max(layout.registers) < LARGEST {
            groups.entry((module, domain)).or_default().push(tile);
        }
    }
    let costs = whole_costs(design);
    let choice = |((module, domain), tiles): ((usize, usize), Vec<usize>)| {
        let vectors = tiles.len().div_ceil(LANES) as f64;
        let Estimate { operators, word, .. } = Estimate::of(costs[module], tiles.len());
        let vector = vectors * (operators * OPERATOR + AROUND);
        let chosen = match how {
            Vectoring::All => tiles.len() > 1,
            _ => tiles.len() > 1 && vector < GAIN * word,
        };
        VectorChoice { tiles, domain, vector, word, chosen }
    };
    groups.into_iter().map(choice).collect()
}

/// Tiles in vectors do most of the work.
pub(crate) fn dominate(choices: &[VectorChoice]) -> bool {
    let all: f64 = choices.iter().map(|choice| choice.word).sum();
    let chosen: f64 = choices.iter().filter(|choice| choice.chosen).map(|choice| choice.word).sum();
    chosen > 0.5 * all
}
