//! Which tiles are evaluated bit-sliced, and in which parts.

use super::{
    estimate::{Estimate, ports, whole_costs},
    share::shares,
    template::equivalent_tiles,
};
use crate::{
    clocks::used_domains,
    engine::{Slicing, Vectoring},
    equivalence::ModuleClasses,
    options::Options,
    vector::{choose as vectors, unite::Uniting},
};
use netlist::Design;
use std::collections::{BTreeMap, BTreeSet};

/// Tiles for one part of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PartPlan {
    /// Position of their clock domain among those of the top.
    pub domain: usize,
    /// Sets of equivalent tiles (positions in the instances of the top).
    pub groups: Vec<Vec<usize>>,
}

/// A set of equivalent tiles, and whether it is evaluated bit-sliced.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GroupChoice {
    pub tiles: Vec<usize>,
    pub estimate: Estimate,
    pub sliced: bool,
}

/// Threads that may be used at most; `threads` as in [`Options`].
pub(super) fn threads_for(threads: usize) -> usize {
    match threads {
        Options::AUTOMATIC_THREADS => std::thread::available_parallelism().map_or(1, |cores| cores.get()),
        given => given,
    }
}

/// Which tiles to evaluate bit-sliced, and in which parts: some or all of those that one clock domain clocks, without
/// those that are `watched`, and without those that are better evaluated in vectors, if `vectoring` allows it. With
/// several threads a domain has several parts where that is worth it.
pub(crate) fn choose(
    design: &Design,
    classes: &ModuleClasses,
    slicing: Slicing,
    vectoring: Vectoring,
    threads: usize,
    watched: &BTreeSet<usize>,
) -> (Vec<PartPlan>, Vec<GroupChoice>) {
    let costs = whole_costs(design);
    let uniting = Uniting::new(design, classes);
    let mut of_domain: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for tile in (0..design.top.instances.len()).filter(|i| design.top.instances[*i].tile && !watched.contains(i)) {
        match used_domains(design, tile)[..] {
            [] => of_domain.entry(0).or_default().push(tile),
            [domain] => of_domain.entry(domain as usize).or_default().push(tile),
            _ => {}
        }
    }
    let (mut parts, mut choices) = (vec![], vec![]);
    for (domain, tiles) in of_domain {
        let groups = equivalent_tiles(design, classes, &tiles);
        let module = |tile: usize| design.index_of(&design.top.instances[tile].module);
        let estimate = |tiles: Vec<usize>| {
            let modules = tiles.iter().map(|&tile| module(tile));
            let in_vectors = vectors::estimate(design, vectoring, uniting, &costs, modules);
            let ports = ports(&design.modules[module(tiles[0])].module);
            let estimate = Estimate { vector: in_vectors, ports, ..Estimate::of(costs[module(tiles[0])], tiles.len()) };
            GroupChoice { sliced: slicing == Slicing::All, tiles, estimate }
        };
        let mut groups: Vec<GroupChoice> = groups.into_iter().map(estimate).collect();
        let kinds: Vec<String> = groups.iter().map(|group| kind_of(design, group)).collect();
        for at in 0..groups.len() {
            let same =
                kinds.iter().zip(&groups).filter(|(kind, _)| **kind == kinds[at]).map(|(_, group)| group.estimate);
            groups[at].sliced |= match slicing {
                Slicing::Nothing | Slicing::All => false,
                Slicing::Gains => groups[at].estimate.computes() && Estimate::gains(same),
                Slicing::Promises => groups[at].estimate.computes() && Estimate::promise(same),
            };
        }
        // What is linked with tiles that are sliced.
        let kinds: Vec<String> = groups.iter().filter(|g| g.sliced).map(|g| kind_of(design, g)).collect();
        for group in &mut groups {
            group.sliced |= !kinds.is_empty() && group.estimate.follows(kinds.contains(&kind_of(design, group)));
        }
        let chosen: Vec<&GroupChoice> = groups.iter().filter(|group| group.sliced).collect();
        let shares = shares(design, &chosen, threads_for(threads)).into_iter();
        parts.extend(shares.filter(|groups| !groups.is_empty()).map(|groups| PartPlan { domain, groups }));
        choices.extend(groups);
    }
    (parts, choices)
}

fn kind_of(design: &Design, group: &GroupChoice) -> String {
    design.top.instances[group.tiles[0]].module.kind.clone()
}
