//! The order in which a module is evaluated, and which children are called as functions.
//!
//! A child that is called stands in its parent's graph as two nodes: *early* gives the outputs that need no input of
//! the child, *late*, given all inputs, gives the other outputs and the next state. When that closes a loop in the
//! parent which the nets themselves do not close, the children on it are inlined: their nets take part in the parent's
//! graph one by one. Real loops were refused by elaboration, so this ends. Small children are always inlined, tiles of
//! the top never.
//!
//! What is evaluated in the early function of a module is just the cone of its early outputs; all else is late. Both
//! may read what the instance has stored: registers, and late also what early has computed.

use super::{
    layout::{Area, Bases, Layout},
    state::usable_intrinsic,
};
use hdl::*;
use netlist::{Design, dependencies::nets_read};
use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
    visit::Dfs,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Children with at most this many expressions are inlined.
const SMALL: usize = 24;

/// A module, or a child that is inlined into it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Position in [`Design::modules`].
    pub module: usize,
    /// The enclosing part and position in its instances; `None` for the module itself.
    pub parent: Option<(usize, usize)>,
    /// Place relative to the module.
    pub bases: Bases,
    /// Per instance: the part, if it is inlined.
    pub inlined: Vec<Option<usize>>,
    /// Per instance: other blocks that may stand there, with the word of the storage that says of each whether it does, and
    /// the part.
    pub others: BTreeMap<usize, Vec<(u32, usize)>>,
    /// Per clock domain of the part: which of the module's it is.
    pub domains: Vec<u32>,
}

/// Where the code of a module serves tiles of other modules, too, which differ from it in blocks without state: those.
#[derive(Clone, Default, Debug)]
pub(crate) struct OtherBlocks {
    /// By the position in the instances.
    pub of: BTreeMap<usize, Vec<OtherBlock>>,
    /// Words of the storage of a tile, with what these take.
    pub storage: u32,
}

/// A block that stands in a tile in place of another.
#[derive(Clone, Debug)]
pub(crate) struct OtherBlock {
    /// Word of the storage that says whether it does, in its lowest bit.
    pub select: u32,
    /// Position in [`Design::modules`].
    pub module: usize,
    /// Place relative to the tile.
    pub bases: Bases,
}

/// One thing to do; the first field is the part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Unit {
    /// Compute a wire, output, or input of an inlined child, and store it.
    Net(usize, NetId),
    /// Choose an output of an instance in whose place other blocks may stand: instance, position in its outputs.
    Chosen(usize, usize, u32),
    /// Call the early function of an instance.
    Early(usize, usize),
    /// Store the inputs of an instance and call its late function or its intrinsic.
    Late(usize, usize),
    /// Compute the next value of a register.
    Next(usize, NetId),
    /// Compute a memory write port.
    Write(usize, usize),
    /// Record a probe.
    Probe(usize, usize),
    /// Check an assertion.
    Assertion(usize, usize),
}

/// The plan of one module.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    /// The module itself (index 0) and inlined children.
    pub parts: Vec<Part>,
    /// In order.
    pub early: Vec<Unit>,
    /// In order.
    pub late: Vec<Unit>,
    /// Tiles (positions in the instances), whose late functions are called by the scheduler. Only the top has any.
    pub tiles: Vec<usize>,
    /// Tiles that another engine evaluates, and the positions of their inputs that are to be left for it. Only the top
    /// has any.
    pub elsewhere: Elsewhere,
    /// An intrinsic is called instead.
    pub intrinsic: Option<Intrinsic>,
}

/// Tiles of the top (positions in its instances) that another engine evaluates.
pub(crate) type Elsewhere = FxHashMap<usize, InputsRead>;

/// Which inputs of a tile another engine reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct InputsRead {
    /// Positions in the inputs of its module.
    pub positions: BTreeSet<usize>,
    /// The engine wants to know which of them change: with activity gates, the code of the top marks those.
    pub marked: bool,
}

/// Where the marks of changed inputs are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct InputMarks {
    /// Per tile: its first word, the bits being the positions of its inputs. No word belongs to two tiles.
    pub first: BTreeMap<usize, u32>,
    /// Words of all.
    pub words: u32,
}

impl InputMarks {
    pub fn new(elsewhere: &Elsewhere) -> Self {
        let mut marks = Self::default();
        let tiles: BTreeMap<_, _> = elsewhere.iter().filter(|(_, inputs)| inputs.marked).collect();
        for (&tile, inputs) in tiles {
            marks.first.insert(tile, marks.words);
            marks.words += inputs.positions.last().map_or(0, |&last| last as u32 / 64 + 1);
        }
        marks
    }
}

impl Part {
    /// The blocks that may stand at an instance: the word that says so, none for the first, and the part.
    pub fn blocks_at(&self, instance: usize) -> impl Iterator<Item = (Option<u32>, usize)> {
        let first = self.inlined[instance].map(|part| (None, part));
        let others = self.others.get(&instance).into_iter().flatten();
        first.into_iter().chain(others.map(|&(select, part)| (Some(select), part)))
    }
}

impl Plan {
    /// The function `early` has something to do.
    pub fn has_early(&self) -> bool {
        self.intrinsic.is_none() && !self.early.is_empty()
    }
}

/// Plans of all modules, in the order of [`Design::modules`]. `others`: of modules whose code serves other tiles too.
pub(crate) fn plans(
    design: &Design,
    layouts: &[Layout],
    intrinsics: bool,
    elsewhere: &Elsewhere,
    others: &FxHashMap<usize, OtherBlocks>,
) -> Vec<Plan> {
    let mut done: Vec<Plan> = vec![];
    let top = design.modules.len() - 1;
    for module in 0..design.modules.len() {
        let plan = match usable_intrinsic(&design.modules[module]).filter(|_| intrinsics && module != top) {
            Some(intrinsic) => Plan { intrinsic: Some(intrinsic), ..Plan::default() },
            None => {
                let elsewhere = if module == top { elsewhere.clone() } else { Elsewhere::default() };
                let others = others.get(&module).map(|others| &others.of);
                Planner::new(design, layouts, &done, module, module == top, elsewhere, others).plan()
            }
        };
        done.push(plan);
    }
    done
}

/// Nodes of the graph are units that others can depend on: `Net`, `Chosen`, `Early`, `Late`.
struct Planner<'a> {
    design: &'a Design,
    layouts: &'a [Layout],
    plans: &'a [Plan],
    top: bool,
    elsewhere: Elsewhere,
    /// Of the module itself.
    others: Option<&'a BTreeMap<usize, Vec<OtherBlock>>>,
    parts: Vec<Part>,
}

/// What a net stands for after following renamings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A register, or an input of the module itself: there from the start.
    Stored(usize, NetId),
    /// Computed by this module.
    Net(usize, NetId),
    /// Output of one of several blocks: part, instance, position.
    Chosen(usize, usize, u32),
    /// Output of a called child: part, instance, position.
    Called(usize, usize, u32),
}

/// Follows renamings of a net of a part.
pub(crate) fn origin(design: &Design, layouts: &[Layout], parts: &[Part], part: usize, net: NetId) -> Origin {
    let module = &design.modules[parts[part].module].module;
    match module.net(net).kind {
        NetKind::Register { .. } => Origin::Stored(part, net),
        NetKind::Input if part == 0 => Origin::Stored(part, net),
        NetKind::Input => Origin::Net(part, net),
        NetKind::InstanceOutput { instance, output } if parts[part].others.contains_key(&instance.index()) => {
            Origin::Chosen(part, instance.index(), output)
        }
        NetKind::InstanceOutput { instance, output } => match parts[part].inlined[instance.index()] {
            Some(inner) => {
                let port = module.instances[instance.index()].module.outputs[output as usize];
                origin(design, layouts, parts, inner, port)
            }
            None => Origin::Called(part, instance.index(), output),
        },
        NetKind::Wire | NetKind::Output if layouts[parts[part].module].alias[net.index()] => {
            match module.drivers[net.index()].map(|d| &module.expr(d).op) {
                Some(Op::Net(source)) => origin(design, layouts, parts, part, *source),
                _ => unreachable!("only a net driven by a net is a renaming"),
            }
        }
        NetKind::Wire | NetKind::Output => Origin::Net(part, net),
    }
}

impl<'a> Planner<'a> {
    fn new(
        design: &'a Design,
        layouts: &'a [Layout],
        plans: &'a [Plan],
        module: usize,
        top: bool,
        elsewhere: Elsewhere,
        others: Option<&'a BTreeMap<usize, Vec<OtherBlock>>>,
    ) -> Self {
        let mut planner = Self { design, layouts, plans, top, elsewhere, others, parts: vec![] };
        let domains = (0..design.modules[module].module.domains.len() as u32).collect();
        planner.add_part(module, None, Bases::default(), domains);
        planner
    }

    fn module(&self, part: usize) -> &'a ModuleDef {
        &self.design.modules[self.parts[part].module].module
    }

    fn add_part(&mut self, module: usize, parent: Option<(usize, usize)>, bases: Bases, domains: Vec<u32>) -> usize {
        let part = self.parts.len();
        let instances = self.design.modules[module].module.instances.len();
        let (inlined, others) = (vec![None; instances], BTreeMap::new());
        self.parts.push(Part { module, parent, bases, inlined, others, domains });
        for instance in 0..instances {
            if let Some(others) = self.others.filter(|_| part == 0).and_then(|others| others.get(&instance)) {
                self.inline(part, instance);
                for OtherBlock { select, module, bases } in others {
                    let domains = self.module(part).instances[instance].outer_domains(&self.parts[part].domains);
                    let other = self.add_part(*module, Some((part, instance)), *bases, domains);
                    self.parts[part].others.entry(instance).or_default().push((*select, other));
                }
                continue;
            }
            let child = self.child(part, instance);
            let small = self.design.modules[child].module.exprs.len() <= SMALL;
            if small && self.plans[child].intrinsic.is_none() && !self.is_tile(part, instance) {
                self.inline(part, instance);
            }
        }
        part
    }

    fn inline(&mut self, part: usize, instance: usize) {
        let at = &self.parts[part];
        let bases = at.bases.then(self.layouts[at.module].children[instance]);
        let domains = self.module(part).instances[instance].outer_domains(&at.domains);
        let inner = self.add_part(self.child(part, instance), Some((part, instance)), bases, domains);
        self.parts[part].inlined[instance] = Some(inner);
    }

    /// Position of the child's module in the design.
    fn child(&self, part: usize, instance: usize) -> usize {
        self.design.index_of(&self.module(part).instances[instance].module)
    }

    /// A tile that the scheduler calls.
    fn is_tile(&self, part: usize, instance: usize) -> bool {
        self.top && part == 0 && self.module(0).instances[instance].tile
    }

    fn plan(mut self) -> Plan {
        let (graph, order) = loop {
            let graph = self.graph();
            let components = tarjan_scc(&graph.edges);
            let looping = |c: &&Vec<NodeIndex>| c.len() > 1 || graph.edges.contains_edge(c[0], c[0]);
            let mut obstacles: Vec<_> = components.iter().filter(looping).flatten().copied().collect();
            // Edges go from user to what it uses, and components come in reverse order of the edges.
            let order: Vec<NodeIndex> = components.into_iter().flatten().collect();
            if obstacles.is_empty() {
                let waiting = self.needs_inputs(&graph, &order);
                obstacles = self.early(&graph).into_iter().filter(|n| waiting.contains(n)).collect();
            }
            let mut called: Vec<_> = obstacles.iter().filter_map(|&node| call(graph.edges[node])).collect();
            if called.is_empty() {
                break (graph, order);
            }
            called.sort_unstable();
            called.dedup();
            called.into_iter().for_each(|(part, instance)| self.inline(part, instance));
        };
        self.divide(&graph, &order)
    }

    /// Nodes in the cones of outputs that depend on no input. An early node that waits for an input all the same does
    /// so because it is a call, which waits for all inputs of the child.
    fn early(&self, graph: &Graph) -> FxHashSet<NodeIndex> {
        let about = &self.design.modules[self.parts[0].module];
        let mut early = FxHashSet::default();
        if self.top {
            return early; // nobody calls the top early
        }
        for (output, through) in about.module.outputs.iter().zip(&about.dependencies.through) {
            let unit = self.node_of(self.origin(0, *output)).filter(|_| through.is_empty());
            if let Some(unit) = unit {
                let mut search = Dfs::new(&graph.edges, graph.nodes[&unit]);
                while let Some(node) = search.next(&graph.edges) {
                    early.insert(node);
                }
            }
        }
        early
    }

    /// Nodes that need an input of the module; `order` has what is used before its users.
    fn needs_inputs(&self, graph: &Graph, order: &[NodeIndex]) -> FxHashSet<NodeIndex> {
        let mut waiting = FxHashSet::default();
        for &node in order {
            if self.is_input(graph.edges[node]) || graph.edges.neighbors(node).any(|used| waiting.contains(&used)) {
                waiting.insert(node);
            }
        }
        waiting
    }

    /// The node of an input of the module itself, which takes part in the graph but has nothing to compute.
    fn is_input(&self, unit: Unit) -> bool {
        matches!(unit, Unit::Net(0, net) if self.module(0).net(net).kind == NetKind::Input)
    }

    /// Early is what the early outputs need, late is the rest.
    fn divide(self, graph: &Graph, order: &[NodeIndex]) -> Plan {
        let early = self.early(graph);
        let units = |of_early: bool| {
            let chosen = order.iter().filter(|&n| early.contains(n) == of_early).map(|&n| graph.edges[n]);
            chosen.filter(|&unit| !self.is_input(unit)).collect::<Vec<_>>()
        };
        let (early, mut late) = (units(true), units(false));
        let here = |i: &usize| self.is_tile(0, *i) && !self.elsewhere.contains_key(i);
        let tiles = (0..self.module(0).instances.len()).filter(here).collect();
        for part in 0..self.parts.len() {
            let module = self.module(part);
            late.extend(module.registers().map(|net| Unit::Next(part, net)));
            late.extend((0..module.writes.len()).map(|i| Unit::Write(part, i)));
            late.extend((0..module.probes.len()).map(|i| Unit::Probe(part, i)));
            late.extend((0..module.assertions.len()).map(|i| Unit::Assertion(part, i)));
        }
        Plan { parts: self.parts, early, late, tiles, elsewhere: self.elsewhere, intrinsic: None }
    }

    fn origin(&self, part: usize, net: NetId) -> Origin {
        origin(self.design, self.layouts, &self.parts, part, net)
    }

    /// The unit that computes a value, if one has to.
    fn node_of(&self, origin: Origin) -> Option<Unit> {
        match origin {
            Origin::Stored(part, net) => Some(Unit::Net(part, net)).filter(|&unit| self.is_input(unit)),
            Origin::Net(part, net) => Some(Unit::Net(part, net)),
            Origin::Chosen(part, instance, output) => Some(Unit::Chosen(part, instance, output)),
            Origin::Called(part, instance, output) => {
                let child = self.child(part, instance);
                let about = &self.design.modules[child];
                let port = about.module.outputs[output as usize];
                if self.plans[child].intrinsic.is_some() {
                    Some(Unit::Late(part, instance))
                } else if self.layouts[child].places[port.index()].area == Area::Registers {
                    None
                } else if about.dependencies.through[output as usize].is_empty() {
                    Some(Unit::Early(part, instance))
                } else {
                    Some(Unit::Late(part, instance))
                }
            }
        }
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph { edges: DiGraph::new(), nodes: FxHashMap::default() };
        for part in 0..self.parts.len() {
            self.add_nets(part, &mut graph);
            self.add_calls(part, &mut graph);
            self.add_chosen(part, &mut graph);
        }
        graph
    }

    fn add_nets(&self, part: usize, graph: &mut Graph) {
        let module = self.module(part);
        for i in 0..module.nets.len() {
            let id = NetId(i as u32);
            let (kind, alias) = (&module.nets[i].kind, self.layouts[self.parts[part].module].alias[i]);
            let (from, driver) = match (kind, self.parts[part].parent) {
                (NetKind::Wire | NetKind::Output, _) if !alias => (part, module.drivers[i]),
                (NetKind::Input, Some((parent, instance))) => {
                    let position = module.inputs.iter().position(|&n| n == id).expect("inputs are listed");
                    (parent, self.module(parent).instances[instance].inputs[position])
                }
                _ => continue,
            };
            let user = graph.node(Unit::Net(part, id));
            if let Some(driver) = driver {
                self.uses(graph, user, from, driver);
            }
        }
    }

    fn add_chosen(&self, part: usize, graph: &mut Graph) {
        for &instance in self.parts[part].others.keys() {
            let outputs = self.module(part).instances[instance].module.outputs.len();
            for output in 0..outputs as u32 {
                let user = graph.node(Unit::Chosen(part, instance, output));
                for (_, block) in self.parts[part].blocks_at(instance) {
                    if let Some(used) = self.node_of(self.origin(block, self.module(block).outputs[output as usize])) {
                        let used = graph.node(used);
                        graph.edges.update_edge(user, used, ());
                    }
                }
            }
        }
    }

    fn add_calls(&self, part: usize, graph: &mut Graph) {
        for (i, instance) in self.module(part).instances.iter().enumerate() {
            if self.parts[part].inlined[i].is_some() {
                continue;
            }
            let child = &self.plans[self.child(part, i)];
            // The inputs of a child without a late function are stored all the same: they can be peeked.
            let late = graph.node(Unit::Late(part, i));
            if child.has_early() {
                let early = graph.node(Unit::Early(part, i));
                graph.edges.update_edge(late, early, ());
            }
            for &input in instance.inputs.iter().flatten() {
                self.uses(graph, late, part, input);
            }
        }
    }

    fn uses(&self, graph: &mut Graph, user: NodeIndex, part: usize, root: ExprId) {
        for net in nets_read(self.module(part), root) {
            if let Some(used) = self.node_of(self.origin(part, net)) {
                let used = graph.node(used);
                graph.edges.update_edge(user, used, ());
            }
        }
    }
}

/// The call that a unit is.
fn call(unit: Unit) -> Option<(usize, usize)> {
    match unit {
        Unit::Late(part, instance) | Unit::Early(part, instance) => Some((part, instance)),
        _ => None,
    }
}

struct Graph {
    /// From user to used.
    edges: DiGraph<Unit, ()>,
    nodes: FxHashMap<Unit, NodeIndex>,
}

impl Graph {
    fn node(&mut self, unit: Unit) -> NodeIndex {
        *self.nodes.entry(unit).or_insert_with(|| self.edges.add_node(unit))
    }
}

/// Positions of the module and of the distinct blocks inside, each once; the top's tiles are not part of it.
pub(crate) fn blocks(design: &Design, module: &Module) -> Vec<usize> {
    let top = design.modules.len() - 1;
    let mut found = vec![design.index_of(module)];
    let mut at = 0;
    while at < found.len() {
        let block = found[at];
        let children = design.modules[block].module.instances.iter().filter(|child| block != top || !child.tile);
        for child in children.map(|instance| design.index_of(&instance.module)) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
        at += 1;
    }
    found
}
