//! Bundles: all instances of a block, anywhere inside the groups, that are evaluated together.
//!
//! A [`Bundle`] stands for one module. It has a word of lanes for each place where that module occurs, place after
//! place, so that code for it runs over consecutive words: one vector instruction serves several ports of 64 routers. A
//! child that is always instance `i` of the bundle of its parent has its words in the parent's order, so that parent
//! and child meet at a constant distance.
//!
//! Which instances may share a bundle: those whose nets have equal *levels* (the length of the longest combinational
//! path that leads to a net through the whole tile). Values only flow from lower to higher levels, so evaluating such
//! instances together cannot close a loop.

use super::template::{NONE, Template};
use crate::equivalence::ModuleClasses;
use hdl::*;
use netlist::{Design, dependencies::nets_read};
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    hash::{DefaultHasher, Hash, Hasher},
    rc::Rc,
};

/// A child of a bundle.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub bundle: usize,
    /// First of its words that belong to this parent.
    pub offset: usize,
    /// Per word of the parent: the lanes that have this variant; `None` when there is only one.
    pub lanes: Option<Vec<u64>>,
}

/// Instances of one module.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    /// Position in the design.
    pub module: usize,
    /// Instances of different parts are never evaluated together.
    pub part: usize,
    /// Per word: node and word of its group; `None` for padding.
    pub origin: Vec<Option<(usize, usize)>>,
    /// Per word: lanes that exist.
    pub valid: Vec<u64>,
    /// Bundles that instantiate it, and as which instance; empty for tiles.
    pub parents: Vec<(usize, usize)>,
    /// Variants of each instance.
    pub children: Vec<Vec<Child>>,
}

impl Bundle {
    pub fn words(&self) -> usize {
        self.origin.len()
    }
}

/// Words that a bundle of so many gets, where instructions take up to `vector` at a time: a power of two up to that,
/// else whole vectors.
pub(super) fn padded(words: usize, vector: usize) -> usize {
    if words < vector { words.next_power_of_two() } else { words.next_multiple_of(vector) }
}

/// All bundles of a template, and where each node is in them.
pub(super) struct Bundles {
    /// Words that an instruction takes.
    vector: usize,
    pub bundles: Vec<Bundle>,
    /// Per node: bundle and first word.
    pub places: Vec<(usize, usize)>,
}

/// Instances that wait for a bundle: all those of one instance of a parent bundle.
struct Pending {
    class: usize,
    /// Only equal ones share a bundle: part and levels.
    signature: (usize, u64),
    parent: Option<(usize, usize)>,
    lanes: Option<Vec<u64>>,
    words: Vec<Option<(usize, usize)>>,
}

impl Bundles {
    pub fn new(design: &Design, classes: &ModuleClasses, template: &Template, vector: usize) -> Self {
        let signatures = signatures(design, template);
        let heights = heights(design);
        let mut out = Self { vector, bundles: vec![], places: vec![(NONE, 0); template.nodes.len()] };
        let mut pending: Vec<Pending> = vec![];
        for group in &template.groups {
            let node = &template.nodes[group.root];
            let words = (0..node.valid().len()).map(|word| Some((group.root, word))).collect();
            let (class, signature) = (classes.of(node.module), (group.part, signatures[group.root]));
            pending.push(Pending { class, signature, parent: None, lanes: None, words });
        }
        // Parents before children: a block is higher than what it contains.
        while let Some(class) = pending.iter().map(|p| p.class).max_by_key(|&c| (heights[c], c)) {
            let (now, later): (Vec<_>, Vec<_>) = pending.into_iter().partition(|p| p.class == class);
            pending = later;
            let mut clusters: Vec<Vec<Pending>> = vec![];
            for one in now {
                match clusters.iter_mut().find(|c| c[0].signature == one.signature) {
                    Some(cluster) => cluster.push(one),
                    None => clusters.push(vec![one]),
                }
            }
            for cluster in clusters {
                pending.extend(out.add(classes, template, &signatures, cluster));
            }
        }
        out
    }

    /// Makes a bundle and returns what its children wait for.
    fn add(
        &mut self,
        classes: &ModuleClasses,
        template: &Template,
        signatures: &[u64],
        mut cluster: Vec<Pending>,
    ) -> Vec<Pending> {
        // Whole vectors first, so that they stay aligned.
        cluster.sort_by_key(|p| {
            (1..=self.vector).rev().find(|n| n.is_power_of_two() && p.words.len().is_multiple_of(*n)).map(Reverse)
        });
        let id = self.bundles.len();
        let part = cluster[0].signature.0;
        let mut bundle =
            Bundle { module: NONE, part, origin: vec![], valid: vec![], parents: vec![], children: vec![] };
        for one in cluster {
            let offset = bundle.origin.len();
            if let Some((parent, instance)) = one.parent {
                bundle.parents.push((parent, instance));
                self.bundles[parent].children[instance].push(Child { bundle: id, offset, lanes: one.lanes });
            }
            for &place in &one.words {
                if let Some((node, word)) = place {
                    bundle.module = bundle.module.min(template.nodes[node].module);
                    if word == 0 {
                        self.places[node] = (id, bundle.origin.len());
                    }
                }
                bundle.valid.push(place.map_or(0, |(node, word)| template.nodes[node].valid()[word]));
                bundle.origin.push(place);
            }
        }
        let padded = padded(bundle.origin.len(), self.vector);
        bundle.origin.resize(padded, None);
        bundle.valid.resize(padded, 0);
        let instances = bundle.origin.iter().flatten().next().map_or(0, |&(n, _)| template.nodes[n].children.len());
        bundle.children = vec![vec![]; instances];
        let mut out = vec![];
        for instance in 0..instances {
            let mut kinds: Vec<usize> = vec![];
            for &(node, _) in bundle.origin.iter().flatten() {
                for &child in &template.nodes[node].children[instance] {
                    let class = classes.of(template.nodes[child].module);
                    if !kinds.contains(&class) {
                        kinds.push(class);
                    }
                }
            }
            for &class in &kinds {
                let of_class = |&(node, word): &(usize, usize)| {
                    let child = template.nodes[node].children[instance].iter();
                    child.copied().find(|&c| classes.of(template.nodes[c].module) == class).map(|c| (c, word))
                };
                let words: Vec<_> = bundle.origin.iter().map(|o| o.as_ref().and_then(of_class)).collect();
                let valid = |place: &Option<(usize, usize)>| place.map_or(0, |(n, w)| template.nodes[n].valid()[w]);
                let lanes = (kinds.len() > 1).then(|| words.iter().map(valid).collect());
                let first = words.iter().flatten().next().expect("the kind occurs");
                out.push(Pending {
                    class,
                    signature: (part, signatures[first.0]),
                    parent: Some((id, instance)),
                    lanes,
                    words,
                });
            }
        }
        self.bundles.push(bundle);
        out
    }
}

/// Per module: how many levels of blocks it contains.
fn heights(design: &Design) -> Vec<usize> {
    let mut heights: Vec<usize> = vec![];
    for about in &design.modules {
        let inner = about.module.instances.iter().map(|i| heights[design.index_of(&i.module)] + 1);
        heights.push(inner.max().unwrap_or(0));
    }
    heights
}

/// Per node: a number that tells apart what may not share a bundle.
fn signatures(design: &Design, template: &Template) -> Vec<u64> {
    let mut levels = Levels {
        design,
        template,
        known: template.nodes.iter().map(|n| vec![None; design.modules[n.module].module.nets.len()]).collect(),
        reads: FxHashMap::default(),
    };
    let mut out = vec![0; template.nodes.len()];
    // Children come after parents.
    for node in (0..template.nodes.len()).rev() {
        let mut hash = DefaultHasher::new();
        for net in 0..levels.known[node].len() {
            levels.of(node, NetId(net as u32)).hash(&mut hash);
        }
        for variants in &template.nodes[node].children {
            variants.iter().map(|&child| out[child]).collect::<Vec<_>>().hash(&mut hash);
        }
        out[node] = hash.finish();
    }
    out
}

struct Levels<'a> {
    design: &'a Design,
    template: &'a Template,
    known: Vec<Vec<Option<u32>>>,
    reads: FxHashMap<(usize, ExprId), Rc<Vec<NetId>>>,
}

impl Levels<'_> {
    fn of(&mut self, node: usize, net: NetId) -> u32 {
        if let Some(level) = self.known[node][net.index()] {
            return level;
        }
        let (design, template) = (self.design, self.template);
        let at = &template.nodes[node];
        let module = &design.modules[at.module].module;
        let level = match &module.net(net).kind {
            NetKind::Register { .. } => 0,
            NetKind::Input => at.parent.map_or(0, |(parent, instance)| {
                let outer = &design.modules[template.nodes[parent].module].module;
                let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
                outer.instances[instance].inputs[position].map_or(0, |expr| self.after(parent, expr))
            }),
            NetKind::InstanceOutput { instance, output } => {
                let variants = &at.children[instance.index()];
                let inner = variants.iter().map(|&child| {
                    let port = design.modules[template.nodes[child].module].module.outputs[*output as usize];
                    self.of(child, port) + 1
                });
                inner.max().unwrap_or(0)
            }
            NetKind::Wire | NetKind::Output => module.drivers[net.index()].map_or(0, |expr| self.after(node, expr)),
        };
        self.known[node][net.index()] = Some(level);
        level
    }

    /// One more than what an expression reads.
    fn after(&mut self, node: usize, expr: ExprId) -> u32 {
        let module = self.template.nodes[node].module;
        let design = self.design;
        let reads = self
            .reads
            .entry((module, expr))
            .or_insert_with(|| Rc::new(nets_read(&design.modules[module].module, expr).into_iter().collect()));
        let reads = Rc::clone(reads);
        reads.iter().map(|&net| self.of(node, net) + 1).max().unwrap_or(0)
    }
}
