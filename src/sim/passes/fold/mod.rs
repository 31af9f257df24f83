//! Constant folding and simplification of single operations.
//!
//! *Recovers* what an author wrote generally and a parameter made special: constants, slices of joined wires, multiplexers whose arms
//! are equal, masks made of one repeated bit (which are multiplexers with zero), renamed wires, shifts by constants.
//! *Legal*, as every rule is an identity of bit vectors: the new value is equal to the old one for all values of the operands.
//!
//! Rules are tried whenever a node is made, operands first, so what one rule makes another one sees. Each rule leaves
//! fewer or cheaper operations, or moves a form towards the one that other rules expect (constants on the right, `Not`
//! out of selects).

mod binary;
mod constant;
mod select;
mod unary;
mod wires;

use super::ir::{Function, Graph, NodeId, Op};
use hdl::{BinaryOp, Bits, UnaryOp};

/// Simplifies all values of a function.
pub(crate) fn fold(function: &mut Function) {
    function.rewrite(simplify);
}

/// A node for the operation, simpler where possible.
pub(crate) fn simplify(graph: &mut Graph, op: Op, width: u32) -> NodeId {
    if let Some(value) = constant::evaluate(graph, &op, width) {
        return graph.constant(value);
    }
    let simpler = match &op {
        Op::Unary(op, a) => unary::simplify(graph, *op, *a, width),
        Op::Binary(op, a, b) => binary::simplify(graph, *op, *a, *b, width),
        Op::Mux { select, then, otherwise } => select::simplify(graph, *select, *then, *otherwise, width),
        Op::Concat(parts) => wires::concat(graph, parts, width),
        Op::Slice { value, lo } => wires::slice(graph, *value, *lo, width),
        Op::SliceAt { value, offset } => wires::slice_at(graph, *value, *offset, width),
        _ => None,
    };
    simpler.unwrap_or_else(|| graph.add(op, width))
}

/// Short ways to make simplified nodes.
impl Graph {
    fn unary(&mut self, op: UnaryOp, a: NodeId, width: u32) -> NodeId {
        simplify(self, Op::Unary(op, a), width)
    }

    fn not(&mut self, a: NodeId) -> NodeId {
        let width = self.width(a);
        self.unary(UnaryOp::Not, a, width)
    }

    fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        let width = match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::LtU | BinaryOp::LtS => 1,
            _ => self.width(a),
        };
        simplify(self, Op::Binary(op, a, b), width)
    }

    fn mux(&mut self, select: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        let width = self.width(then);
        simplify(self, Op::Mux { select, then, otherwise }, width)
    }

    fn slice(&mut self, value: NodeId, lo: u32, width: u32) -> NodeId {
        simplify(self, Op::Slice { value, lo }, width)
    }

    /// Joined, most significant part first.
    fn concat(&mut self, parts: Vec<NodeId>) -> NodeId {
        let width = parts.iter().map(|&part| self.width(part)).sum();
        simplify(self, Op::Concat(parts), width)
    }

    fn zero(&mut self, width: u32) -> NodeId {
        self.constant(Bits::zero(width))
    }

    /// Zeros above, to `width` bits.
    fn extended(&mut self, value: NodeId, width: u32) -> NodeId {
        if self.width(value) == width { value } else { self.unary(UnaryOp::ZeroExtend, value, width) }
    }

    fn is_zero(&self, id: NodeId) -> bool {
        self.as_constant(id).is_some_and(Bits::is_zero)
    }

    fn is_ones(&self, id: NodeId) -> bool {
        self.as_constant(id).is_some_and(|value| *value == Bits::ones(value.width()))
    }

    /// What the node is the complement of.
    fn complement_of(&self, id: NodeId) -> Option<NodeId> {
        match self.op(id) {
            Op::Unary(UnaryOp::Not, a) => Some(*a),
            _ => None,
        }
    }
}
