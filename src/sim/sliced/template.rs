//! Groups of tiles, and the hierarchy that the tiles of a group share.
//!
//! A group has a lane for each of its tiles; 64 lanes make a word. The template of a group is a tree of [`Node`]s: one
//! for each instance path inside the tile. Where tiles of a group have different blocks at the same path, the path has
//! a node for each kind of block (its *variants*), valid in the lanes that have it.

use crate::{
    equivalence::{ModuleClasses, equivalent_but_for_children},
    state::Scope,
};
use netlist::Design;

/// No such instance in this lane.
pub(super) const NONE: usize = usize::MAX;

/// Equal tiles that are evaluated together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Positions among the instances of the top, a lane each.
    pub tiles: Vec<usize>,
    /// Root of its template.
    pub root: usize,
    /// Which part of the engine evaluates it.
    pub part: usize,
}

/// An instance path of a group.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Position among the groups.
    pub group: usize,
    /// Enclosing node, and position in the instances of its module.
    pub parent: Option<(usize, usize)>,
    /// Position in the design of the module that stands for all lanes.
    pub module: usize,
    /// Scope of the instance in each lane, or [`NONE`].
    pub scopes: Vec<usize>,
    /// Variants of each instance.
    pub children: Vec<Vec<usize>>,
}

impl Node {
    /// Lanes that have this instance, as words.
    pub fn valid(&self) -> Vec<u64> {
        let mut words = vec![0; self.scopes.len().div_ceil(64)];
        for (lane, &scope) in self.scopes.iter().enumerate() {
            words[lane / 64] |= u64::from(scope != NONE) << (lane % 64);
        }
        words
    }
}

/// Groups and the nodes of all of them, parents before children.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    pub groups: Vec<Group>,
    pub nodes: Vec<Node>,
}

/// Sets of tiles of the top that may be evaluated together; `same` must hold too (equal clock domains, say).
pub(crate) fn equivalent_tiles(design: &Design, classes: &ModuleClasses, tiles: &[usize]) -> Vec<Vec<usize>> {
    let module = |tile: usize| design.index_of(&design.top.instances[tile].module);
    let mut groups: Vec<Vec<usize>> = vec![];
    for &tile in tiles {
        match groups
            .iter_mut()
            .find(|group| equivalent_but_for_children(design, classes, module(group[0]), module(tile)))
        {
            Some(group) => group.push(tile),
            None => groups.push(vec![tile]),
        }
    }
    groups
}

impl Template {
    /// The template of these groups of equivalent tiles.
    pub fn new(design: &Design, classes: &ModuleClasses, scopes: &[Scope], groups: &[(usize, Vec<usize>)]) -> Self {
        let mut template = Self::default();
        for (part, tiles) in groups {
            let instances = tiles.iter().map(|&tile| scopes[0].children[tile]).collect();
            let root = template.add(design, classes, scopes, None, instances);
            template.groups.push(Group { tiles: tiles.clone(), root, part: *part });
        }
        template
    }

    fn add(
        &mut self,
        design: &Design,
        classes: &ModuleClasses,
        scopes: &[Scope],
        parent: Option<(usize, usize)>,
        lanes: Vec<usize>,
    ) -> usize {
        let first = lanes.iter().copied().find(|&s| s != NONE).expect("a node has a lane");
        let module = scopes[first].module;
        let id = self.nodes.len();
        let instances = design.modules[module].module.instances.len();
        let children = vec![vec![]; instances];
        self.nodes.push(Node { group: self.groups.len(), parent, module, scopes: lanes.clone(), children });
        for instance in 0..instances {
            let inner = |&scope: &usize| if scope == NONE { NONE } else { scopes[scope].children[instance] };
            let mut left: Vec<usize> = lanes.iter().map(inner).collect();
            while let Some(&first) = left.iter().find(|&&s| s != NONE) {
                let one = |s: usize| {
                    s != NONE && equivalent_but_for_children(design, classes, scopes[first].module, scopes[s].module)
                };
                let variant = left.iter().map(|&s| if one(s) { s } else { NONE }).collect();
                left.iter_mut().for_each(|s| *s = if one(*s) { NONE } else { *s });
                let child = self.add(design, classes, scopes, Some((id, instance)), variant);
                self.nodes[id].children[instance].push(child);
            }
        }
        id
    }
}
