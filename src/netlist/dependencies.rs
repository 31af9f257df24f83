//! Combinational dependencies inside one module.
//!
//! Nodes are nets; an edge `a -> b` says that `b` depends on `a` within the same cycle. A register has no incoming
//! edge. An instance output depends on those inputs of its child that the child passes through combinationally, which
//! the child's own [`Dependencies`] tell: so no module is looked at twice, however often it is instantiated.

use hdl::*;
use petgraph::{
    Direction,
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
    visit::{Dfs, Reversed},
};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The graph of one module and what follows from it.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// Node `i` is net `i`.
    pub graph: DiGraph<NetId, ()>,
    /// Per output (in port order): the inputs (as positions in [`ModuleDef::inputs`]) that it depends on in the same cycle.
    pub through: Vec<BTreeSet<usize>>,
}

impl Dependencies {
    /// Builds the graph; `child(i)` gives the dependencies of instance `i`'s module.
    pub fn of<'a>(module: &ModuleDef, child: impl Fn(InstanceId) -> &'a Dependencies) -> Self {
        let mut graph = DiGraph::with_capacity(module.nets.len(), module.nets.len() * 2);
        for i in 0..module.nets.len() {
            graph.add_node(NetId(i as u32));
        }
        let mut edge = |from: NetId, to: NetId| {
            graph.update_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
        };
        for (i, net) in module.nets.iter().enumerate() {
            let id = NetId(i as u32);
            match &net.kind {
                NetKind::Wire | NetKind::Output => {
                    if let Some(driver) = module.drivers[i] {
                        nets_read(module, driver).into_iter().for_each(|from| edge(from, id));
                    }
                }
                NetKind::InstanceOutput { instance, output } => {
                    let inputs = &module.instances[instance.index()].inputs;
                    for &input in &child(*instance).through[*output as usize] {
                        if let Some(value) = inputs[input] {
                            nets_read(module, value).into_iter().for_each(|from| edge(from, id));
                        }
                    }
                }
                NetKind::Input | NetKind::Register { .. } => {}
            }
        }
        let through = module
            .outputs
            .iter()
            .map(|output| {
                let mut reached = FxHashSet::default();
                let backwards = Reversed(&graph);
                let mut search = Dfs::new(backwards, NodeIndex::new(output.index()));
                while let Some(node) = search.next(backwards) {
                    reached.insert(graph[node]);
                }
                (0..module.inputs.len()).filter(|&i| reached.contains(&module.inputs[i])).collect()
            })
            .collect();
        Self { graph, through }
    }

    /// Combinational loops: each as the nets around it, in order of dependency.
    pub fn loops(&self) -> Vec<Vec<NetId>> {
        tarjan_scc(&self.graph)
            .into_iter()
            .filter(|part| part.len() > 1 || self.graph.contains_edge(part[0], part[0]))
            .map(|part| self.around(&part))
            .collect()
    }

    /// A cycle inside a strongly connected part, found by walking until a node repeats.
    fn around(&self, part: &[NodeIndex]) -> Vec<NetId> {
        let inside: FxHashSet<_> = part.iter().copied().collect();
        let mut walk = vec![*part.iter().min().expect("a component has a node")];
        loop {
            let last = *walk.last().expect("starts with one node");
            let next = self
                .graph
                .neighbors_directed(last, Direction::Outgoing)
                .filter(|n| inside.contains(n))
                .min()
                .expect("a node of a strongly connected component has a successor in it");
            if let Some(start) = walk.iter().position(|&n| n == next) {
                return walk[start..].iter().map(|&n| self.graph[n]).collect();
            }
            walk.push(next);
        }
    }
}

/// Nets that an expression reads.
pub fn nets_read(module: &ModuleDef, root: ExprId) -> BTreeSet<NetId> {
    let mut nets = BTreeSet::new();
    let mut seen = FxHashSet::from_iter([root]);
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        let op = &module.expr(id).op;
        if let Op::Net(net) = op {
            nets.insert(*net);
        }
        op.for_each_operand(|operand| {
            if seen.insert(operand) {
                todo.push(operand);
            }
        });
    }
    nets
}

/// Outputs of instances (instance, position of the output) that these nets of a module depend on in the same cycle, not through other
/// instances.
pub fn outputs_behind(module: &ModuleDef, nets: impl IntoIterator<Item = NetId>) -> BTreeSet<(InstanceId, u32)> {
    let mut todo: Vec<NetId> = nets.into_iter().collect();
    let mut seen = BTreeSet::new();
    let mut out = BTreeSet::new();
    while let Some(net) = todo.pop() {
        if !seen.insert(net) {
            continue;
        }
        match module.net(net).kind {
            NetKind::Wire | NetKind::Output => {
                todo.extend(module.drivers[net.index()].into_iter().flat_map(|driver| nets_read(module, driver)));
            }
            NetKind::InstanceOutput { instance, output } => _ = out.insert((instance, output)),
            NetKind::Input | NetKind::Register { .. } => {}
        }
    }
    out
}
