//! What one function of a module computes: a graph of values and the effects that need them.
//!
//! A [`Function`] is a phase (early or late) of a module with its inlined children. Its values are the nodes of a
//! [`Graph`]: pure, without names, operands before users. Its effects, in an order that the plan found, say what is
//! stored, counted and called. Nodes that no effect needs are nothing: they cost nothing and are gone after the next
//! rewrite.
//!
//! Every place in the state is written at most once in an evaluation, and before anything reads it. So a value read
//! from the state is as pure as any other: present registers, inputs, memories and results of the early phase hold
//! still during a phase, and the results of a call do from the call on.

use crate::layout::Bases;
use hdl::{BinaryOp, Bits, UnaryOp};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A node of the graph of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// As an index into per-node tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes. Offsets are words, relative to the instance's region.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    /// A constant.
    Const(Bits),
    /// The present value of a register.
    Register(u32),
    /// In the storage and there from the start: an input, or what the early phase has left.
    Stored(u32),
    /// In the storage from a call of this function on.
    Result { call: u32, offset: u32 },
    /// Asynchronous read of a memory that starts at `first` in the storage; an address at or above the depth reads
    /// zero.
    Memory { first: u32, depth: usize, address: NodeId },
    /// One operand.
    Unary(UnaryOp, NodeId),
    /// Two operands.
    Binary(BinaryOp, NodeId, NodeId),
    /// `select` (1 bit) ? `then` : `otherwise`.
    Mux { select: NodeId, then: NodeId, otherwise: NodeId },
    /// Joined, most significant part first.
    Concat(Vec<NodeId>),
    /// The result's width in bits from constant bit `lo` on.
    Slice { value: NodeId, lo: u32 },
    /// The result's width in bits from variable bit `offset` on; bits above the value read zero.
    SliceAt { value: NodeId, offset: NodeId },
}

impl Op {
    /// Calls `visit` for each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(NodeId)) {
        let mut copy = self.clone();
        copy.for_each_operand_mut(|operand| visit(*operand));
    }

    /// Calls `visit` for each operand.
    fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        match self {
            Op::Const(_) | Op::Register(_) | Op::Stored(_) | Op::Result { .. } => {}
            Op::Memory { address: a, .. } | Op::Unary(_, a) | Op::Slice { value: a, .. } => visit(a),
            Op::Binary(_, a, b) | Op::SliceAt { value: a, offset: b } => {
                visit(a);
                visit(b);
            }
            Op::Mux { select, then, otherwise } => {
                visit(select);
                visit(then);
                visit(otherwise);
            }
            Op::Concat(parts) => parts.iter_mut().for_each(visit),
        }
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    pub op: Op,
    /// Bits.
    pub width: u32,
}

/// Values of a function, operands before users.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    known: FxHashMap<Node, NodeId>,
    /// Equal nodes are one. Otherwise only leaves are.
    share: bool,
}

impl Graph {
    /// An empty graph.
    pub fn new(share: bool) -> Self {
        Self { share, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn op(&self, id: NodeId) -> &Op {
        &self.nodes[id.index()].op
    }

    pub fn width(&self, id: NodeId) -> u32 {
        self.nodes[id.index()].width
    }

    /// All nodes, operands before users.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// A node, perhaps one that is there already.
    pub fn add(&mut self, op: Op, width: u32) -> NodeId {
        let node = Node { op, width };
        if !self.share && !self.is_plain_leaf(&node.op) {
            self.nodes.push(node);
            return NodeId(self.nodes.len() as u32 - 1);
        }
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    pub fn constant(&mut self, value: Bits) -> NodeId {
        let width = value.width();
        self.add(Op::Const(value), width)
    }

    /// The value of a constant.
    pub fn as_constant(&self, id: NodeId) -> Option<&Bits> {
        match self.op(id) {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    fn is_plain_leaf(&self, op: &Op) -> bool {
        matches!(op, Op::Const(_) | Op::Register(_) | Op::Stored(_) | Op::Result { .. })
    }

    /// Can be had from the state or from nothing, at the cost of a load.
    pub fn is_leaf(&self, id: NodeId) -> bool {
        match self.op(id) {
            Op::Slice { value, .. } => self.is_leaf(*value),
            op => self.is_plain_leaf(op),
        }
    }
}

/// A call of another module's function, or of an intrinsic.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub kind: CallKind,
    /// The instance: part of the plan, and position in its instances.
    pub part: usize,
    pub instance: usize,
    /// Position of the called module in the design.
    pub module: usize,
    /// Place of the instance.
    pub bases: Bases,
    /// What is stored before the call: offset in the storage and value.
    pub inputs: Vec<(u32, NodeId)>,
    /// It has no effect but its results: made only if one of them is needed, and only when.
    pub pure: bool,
    /// Ways in which its results are read: it need not be made unless all literals of one of them hold. Empty: made
    /// always.
    pub needed: Vec<Vec<Literal>>,
}

/// A value of one bit, and what it has to be.
pub(crate) type Literal = (NodeId, bool);

impl Call {
    /// Values that its condition reads.
    pub fn selects(&self) -> impl Iterator<Item = NodeId> {
        self.needed.iter().flatten().map(|&(select, _)| select)
    }
}

/// A call of a child: an instance in a part of the plan, and whether its function of the early phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CallKey {
    pub part: usize,
    pub instance: usize,
    pub early: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallKind {
    Early,
    Late,
    /// Of a tile: only the inputs are stored here; the scheduler calls.
    Tile,
    Intrinsic,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// A net takes its place in the storage.
    Store { offset: u32, value: NodeId },
    /// A call must leave its result in the storage, for somebody outside of the function.
    Keep { offset: u32, value: NodeId },
    /// A register's next value.
    Next { offset: u32, value: NodeId },
    /// A memory write port: part of the plan, and position in its module.
    Write { part: usize, index: usize, enable: NodeId, address: NodeId, data: NodeId, mask: Option<NodeId> },
    /// A probe: part of the plan, and position in its module.
    Probe { part: usize, index: usize, enable: NodeId, value: Option<NodeId> },
    /// An assertion: part of the plan, and position in its module.
    Assertion { part: usize, index: usize, condition: NodeId },
    /// A call, by its number.
    Call(usize),
}

impl Effect {
    /// Calls `visit` for each value that the effect itself needs (not those of a call).
    pub fn for_each_value(&self, mut visit: impl FnMut(NodeId)) {
        let mut copy = self.clone();
        copy.for_each_value_mut(|value| visit(*value));
    }

    fn for_each_value_mut(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        match self {
            Effect::Store { value, .. } | Effect::Keep { value, .. } | Effect::Next { value, .. } => visit(value),
            Effect::Write { enable, address, data, mask, .. } => {
                [enable, address, data].into_iter().chain(mask).for_each(visit);
            }
            Effect::Probe { enable, value, .. } => std::iter::once(enable).chain(value).for_each(visit),
            Effect::Assertion { condition, .. } => visit(condition),
            Effect::Call(_) => {}
        }
    }
}

/// A phase of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub graph: Graph,
    /// In an order in which they can be executed, given that pure calls are made when needed.
    pub effects: Vec<Effect>,
    pub calls: Vec<Call>,
}

impl Function {
    pub fn new(share: bool) -> Self {
        Self { graph: Graph::new(share), ..Self::default() }
    }

    /// Per node: some effect needs it. Per call: it is made.
    pub fn live(&self) -> (Vec<bool>, Vec<bool>) {
        let (mut nodes, mut calls) = (vec![false; self.graph.len()], vec![false; self.calls.len()]);
        for effect in &self.effects {
            effect.for_each_value(|value| nodes[value.index()] = true);
            if let Effect::Call(call) = *effect
                && !self.calls[call].pure
            {
                calls[call] = true;
                self.calls[call].inputs.iter().for_each(|(_, value)| nodes[value.index()] = true);
            }
        }
        for id in self.graph.ids().rev() {
            if !nodes[id.index()] {
                continue;
            }
            match self.graph.op(id) {
                // Inputs of a call come before its results in the graph.
                Op::Result { call, .. } if !calls[*call as usize] => {
                    calls[*call as usize] = true;
                    self.calls[*call as usize].inputs.iter().for_each(|(_, value)| nodes[value.index()] = true);
                }
                op => op.for_each_operand(|operand| nodes[operand.index()] = true),
            }
        }
        (nodes, calls)
    }

    /// Replaces every live node by what `make` gives for it (its operands are replaced already), and drops the others.
    pub fn rewrite(&mut self, mut make: impl FnMut(&mut Graph, Op, u32) -> NodeId) {
        let (live, live_calls) = self.live();
        let old = std::mem::take(&mut self.graph);
        let mut new = Graph::new(old.share);
        let mut map = vec![NodeId(u32::MAX); old.nodes.len()];
        for (i, Node { mut op, width }) in old.nodes.into_iter().enumerate() {
            if live[i] {
                op.for_each_operand_mut(|operand| *operand = map[operand.index()]);
                map[i] = make(&mut new, op, width);
                debug_assert_eq!(new.width(map[i]), width, "a rewrite keeps the width");
            }
        }
        self.graph = new;
        for effect in &mut self.effects {
            effect.for_each_value_mut(|value| *value = map[value.index()]);
        }
        for (call, live) in self.calls.iter_mut().zip(live_calls) {
            if live {
                call.inputs.iter_mut().for_each(|(_, value)| *value = map[value.index()]);
            } else {
                call.inputs.clear();
            }
        }
    }
}
