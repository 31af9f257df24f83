//! Tiles of several modules that are evaluated as one: those that differ only in names and in small blocks without
//! state, as routers at the borders of a mesh differ in their route units.
//!
//! ```text
//!                       +-- block of module 0 --+
//!  inputs of the block -+-- block of module 1 --+--> the tile's own ---> outputs
//!                       +-- block of module 2 --+         ^
//!  which module the tile is of (a bit each) --------------'
//! ```
//!
//! The code is that of the first module. Of a block in which others differ it computes all, and takes that of the tile's
//! own module. So a vector is filled by sixteen routers instead of four, at the cost of a few small blocks.

use super::slots::LANES;
use crate::{
    equivalence::{ModuleClasses, equivalent_but_for_children},
    layout::{Area, Bases, Layout, Place, is_stateless_leaf},
    plan::{OtherBlock, OtherBlocks, blocks},
    source::Observed,
};
use hdl::NetId;
use netlist::Design;
use std::collections::BTreeSet;

/// What tells the tiles of a group apart.
#[derive(Default)]
pub(super) struct United {
    /// What their code has besides that of the first one's module.
    pub blocks: OtherBlocks,
    /// Of each module that is not equal to the first: the word of a tile's storage (behind what its layout has) that says
    /// whether the tile is of it, and the module.
    pub selects: Vec<(u32, usize)>,
}

/// Finds tiles that are evaluated as one.
#[derive(Clone, Copy)]
pub(crate) struct Uniting<'a> {
    design: &'a Design,
    classes: &'a ModuleClasses,
}

impl<'a> Uniting<'a> {
    pub fn new(design: &'a Design, classes: &'a ModuleClasses) -> Self {
        Self { design, classes }
    }

    /// Instances in which two modules differ, if they differ in nothing but blocks without state.
    fn differences(&self, a: usize, b: usize) -> Option<Vec<usize>> {
        let Self { design, classes } = self;
        if !equivalent_but_for_children(design, classes, a, b) {
            return None;
        }
        let children = |module: usize| design.modules[module].module.instances.iter().map(|instance| &instance.module);
        let pairs = children(a).zip(children(b)).enumerate();
        let different = pairs.filter(|(_, (x, y))| classes.of(design.index_of(x)) != classes.of(design.index_of(y)));
        different.map(|(i, (x, y))| (is_stateless_leaf(x) && is_stateless_leaf(y)).then_some(i)).collect()
    }

    /// Tiles of these modules may be evaluated as one, as far as the modules tell.
    pub fn may(&self, a: usize, b: usize) -> bool {
        a == b || self.differences(a, b).is_some()
    }

    /// All that a tile keeps is in the same place, no output comes from what differs, and nobody looks into that.
    fn can(&self, layouts: &[Layout], observed: &Observed, a: usize, b: usize) -> bool {
        let Some(differences) = self.differences(a, b) else { return false };
        let (x, y) = (&layouts[a], &layouts[b]);
        let about = &self.design.modules[a].module;
        let child =
            |module: usize, i: usize| self.design.index_of(&self.design.modules[module].module.instances[i].module);
        let in_difference = |net: &NetId| {
            let Place { area, offset } = x.places[net.index()];
            let words = |i: usize| x.children[i].storage..x.children[i].storage + layouts[child(a, i)].storage;
            area == Area::Storage && differences.iter().any(|&i| words(i).contains(&offset))
        };
        let mut ports = about.inputs.iter().chain(&about.outputs).map(|net| net.index());
        let mut children = 0..about.instances.len();
        let inside = |module: usize| -> BTreeSet<usize> {
            blocks(self.design, &self.design.modules[module].module).into_iter().collect()
        };
        let mut differing: BTreeSet<usize> = inside(a).symmetric_difference(&inside(b)).copied().collect();
        differing.extend(differences.iter().flat_map(|&i| [child(a, i), child(b, i)]));
        let is_observed = |&module: &usize| observed.range((module, NetId(0))..(module + 1, NetId(0))).next().is_some();
        (x.own, x.registers) == (y.own, y.registers)
            && ports.all(|port| x.places[port] == y.places[port])
            && children.all(|i| differences.contains(&i) || x.children[i] == y.children[i])
            && !about.outputs.iter().any(in_difference)
            && !differing.iter().any(is_observed)
    }

    /// Groups of tiles, each of which is evaluated as one; `tiles`: of a module each. Tiles are united where that makes
    /// fewer vectors.
    pub(super) fn groups(
        &self,
        layouts: &[Layout],
        observed: &Observed,
        tiles: Vec<(usize, Vec<usize>)>,
    ) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<(usize, Vec<usize>)>> = vec![];
        for (module, tiles) in tiles {
            match groups.iter_mut().find(|group| self.can(layouts, observed, group[0].0, module)) {
                Some(group) => group.push((module, tiles)),
                None => groups.push(vec![(module, tiles)]),
            }
        }
        let vectors = |tiles: &Vec<usize>| tiles.len().div_ceil(LANES);
        let mut out = vec![];
        for group in groups {
            let kinds: Vec<Vec<usize>> = group.into_iter().map(|(_, tiles)| tiles).collect();
            let mut united = kinds.concat();
            // The first tile of a vector is the one that comes first in the state.
            united.sort_unstable();
            if vectors(&united) < kinds.iter().map(vectors).sum() { out.push(united) } else { out.extend(kinds) }
        }
        out
    }

    /// What tells the tiles of a group apart; `modules`: theirs, in order.
    pub(super) fn united(&self, layouts: &[Layout], modules: impl Iterator<Item = usize>) -> United {
        let Self { design, classes } = *self;
        // One of each class.
        let (mut kinds, mut end): (Vec<usize>, u32) = (vec![], 0);
        for module in modules {
            end = end.max(layouts[module].storage);
            if !kinds.iter().any(|&known| classes.of(known) == classes.of(module)) {
                kinds.push(module);
            }
        }
        let mut united = United::default();
        let Some((&first, others)) = kinds.split_first() else { return united };
        for &module in others {
            let select = end;
            end += 1;
            for instance in self.differences(first, module).unwrap_or_default() {
                let block = design.index_of(&design.modules[module].module.instances[instance].module);
                let bases = Bases { registers: 0, storage: end };
                end += layouts[block].storage;
                united.blocks.of.entry(instance).or_default().push(OtherBlock { select, module: block, bases });
            }
            united.selects.push((select, module));
        }
        united.blocks.storage = end;
        united
    }

    /// Tiles of a module have the class of another: code of that one is told so.
    pub(super) fn is_of(&self, module: usize, other: usize) -> bool {
        self.classes.of(module) == self.classes.of(other)
    }
}
