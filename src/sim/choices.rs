//! Which engine evaluates which tiles: the choices of a compiled simulation.

use super::{
    engine::{ESTIMATED, Engine, Partition, Slicing, Vectoring},
    equivalence::ModuleClasses,
    layout::Layout,
    sliced::choose::{self as bits, GroupChoice, PartPlan},
    source::Observed,
    vector::choose::{self as vectors, VectorChoice},
};
use netlist::Design;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Which groups of tiles were considered for other engines than words.
#[derive(Default)]
pub(crate) struct Choices {
    pub sliced: Vec<GroupChoice>,
    pub vectors: Vec<VectorChoice>,
}

impl Choices {
    /// Of a partition; and the parts of the bit-sliced engine.
    pub fn new(
        design: &Design,
        layouts: &[Layout],
        observed: &Observed,
        partition: Partition,
        threads: usize,
        watched: &BTreeSet<usize>,
    ) -> (Vec<PartPlan>, Self) {
        let classes = &ModuleClasses::new(design);
        let of = |(slicing, vectoring): Partition| {
            let (parts, sliced) = bits::choose(design, classes, slicing, vectoring, threads, watched);
            let taken = parts.iter().flat_map(|part| &part.groups).flatten().chain(watched).copied().collect();
            let vectors = vectors::choose(design, layouts, classes, observed, vectoring, &taken);
            (parts, Self { sliced, vectors })
        };
        let chosen = of(partition);
        // Where tiles fill more than one vector the network joins them: a border between engines costs more than bits
        // gain, and routers that are idle cost nothing in vectors.
        let joins = partition == ESTIMATED && chosen.1.vectors.iter().any(VectorChoice::is_large);
        if joins { of((Slicing::Nothing, Vectoring::All)) } else { chosen }
    }

    /// The engines of the tiles that are not words.
    pub fn engines(&self) -> FxHashMap<usize, Engine> {
        let sliced = self.sliced.iter().filter(|group| group.sliced).flat_map(|group| &group.tiles);
        let vectors = self.vectors.iter().filter(|group| group.chosen).flat_map(|group| &group.tiles);
        let sliced = sliced.map(|&tile| (tile, Engine::Sliced));
        sliced.chain(vectors.map(|&tile| (tile, Engine::Vector))).collect()
    }
}
