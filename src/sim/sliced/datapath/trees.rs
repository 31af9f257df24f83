//! Where payload comes from: the trees of multiplexers above payload registers and memory writes, followed through the
//! hierarchy of a tile down to registers, memories, inputs of the tile and constants.

use crate::sliced::{build::Builder, template::Template};
use hdl::*;

/// A leaf of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::sliced) enum Leaf {
    /// Register of a node.
    Register(usize, NetId),
    /// Memory of a node, and slot of the address in the node's bundle.
    Memory(usize, MemId, u32),
    /// Input of the tile.
    Input(NetId),
    Constant(Bits),
}

/// A condition on the way to a leaf: node, slot in its bundle, and the value it must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sliced) struct Choice {
    pub node: usize,
    pub slot: u32,
    pub value: bool,
}

/// A leaf and when it is the value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::sliced) struct Way {
    pub choices: Vec<Choice>,
    /// Nodes whose lanes it is restricted to.
    pub within: Vec<usize>,
    pub leaf: Leaf,
}

/// Follows trees.
pub(in crate::sliced) struct Ways<'a, 'b> {
    pub template: &'a Template,
    pub bundle_of: &'a [(usize, usize)],
    pub builder: &'a mut Builder<'b>,
}

impl Ways<'_, '_> {
    /// All ways to the value of an expression of a node. The way on which a register holds its own value is left out.
    pub fn of(&mut self, node: usize, expr: ExprId, holds: Option<NetId>) -> Vec<Way> {
        let mut out = vec![];
        let way = Way { choices: vec![], within: vec![], leaf: Leaf::Constant(Bits::zero(1)) };
        self.expr(node, expr, way, &mut out);
        out.retain(|way| holds.is_none_or(|net| way.leaf != Leaf::Register(node, net)));
        out
    }

    fn expr(&mut self, node: usize, expr: ExprId, way: Way, out: &mut Vec<Way>) {
        let bundle = self.bundle_of[node].0;
        let module = self.builder.module(bundle);
        match &module.expr(expr).op {
            Op::Net(net) => self.net(node, *net, way, out),
            Op::Mux { select, then, otherwise } => {
                let slot = self.builder.observe(bundle, *select);
                for (value, arm) in [(true, then), (false, otherwise)] {
                    let mut way = way.clone();
                    // The same condition again decides, or rules the arm out.
                    match way.choices.iter().find(|c| c.node == node && c.slot == slot) {
                        Some(choice) if choice.value != value => continue,
                        Some(_) => {}
                        None => way.choices.push(Choice { node, slot, value }),
                    }
                    self.expr(node, *arm, way, out);
                }
            }
            Op::MemRead { memory, address } => {
                let slot = self.builder.observe(bundle, *address);
                out.push(Way { leaf: Leaf::Memory(node, *memory, slot), ..way });
            }
            Op::Const(value) => out.push(Way { leaf: Leaf::Constant(value.clone()), ..way }),
            _ => unreachable!("payload is only moved"),
        }
    }

    pub fn net(&mut self, node: usize, net: NetId, way: Way, out: &mut Vec<Way>) {
        let module = self.builder.module(self.bundle_of[node].0);
        match &module.net(net).kind {
            NetKind::Register { .. } => out.push(Way { leaf: Leaf::Register(node, net), ..way }),
            NetKind::Input => match self.template.nodes[node].parent {
                None => out.push(Way { leaf: Leaf::Input(net), ..way }),
                Some((parent, instance)) => {
                    let position = module.inputs.iter().position(|&i| i == net).expect("inputs are listed");
                    let outer = self.builder.module(self.bundle_of[parent].0);
                    let value = outer.instances[instance].inputs[position].expect("inputs are driven");
                    self.expr(parent, value, way, out);
                }
            },
            NetKind::InstanceOutput { instance, output } => {
                let variants = self.template.nodes[node].children[instance.index()].clone();
                for &child in &variants {
                    let mut way = way.clone();
                    if variants.len() > 1 {
                        way.within.push(child);
                    }
                    let port = self.builder.module(self.bundle_of[child].0).outputs[*output as usize];
                    self.net(child, port, way, out);
                }
            }
            NetKind::Wire | NetKind::Output => {
                let driver = module.drivers[net.index()].expect("wires are driven");
                self.expr(node, driver, way, out);
            }
        }
    }
}
