//! Rules for one-operand operators.

use crate::passes::ir::{Graph, NodeId, Op};
use hdl::{BinaryOp, Bits, UnaryOp};

pub(super) fn simplify(graph: &mut Graph, op: UnaryOp, a: NodeId, width: u32) -> Option<NodeId> {
    match op {
        UnaryOp::Not => not(graph, a),
        UnaryOp::All | UnaryOp::Any | UnaryOp::Parity if graph.width(a) == 1 => Some(a),
        UnaryOp::Any => any(graph, a),
        UnaryOp::All => all(graph, a),
        UnaryOp::Parity => None,
        UnaryOp::ZeroExtend | UnaryOp::SignExtend if graph.width(a) == width => Some(a),
        UnaryOp::ZeroExtend => match *graph.op(a) {
            Op::Unary(UnaryOp::ZeroExtend, inner) => Some(graph.unary(UnaryOp::ZeroExtend, inner, width)),
            _ => None,
        },
        UnaryOp::SignExtend => match *graph.op(a) {
            Op::Unary(UnaryOp::SignExtend, inner) => Some(graph.unary(UnaryOp::SignExtend, inner, width)),
            Op::Unary(UnaryOp::ZeroExtend, _) => Some(graph.unary(UnaryOp::ZeroExtend, a, width)),
            _ => None,
        },
    }
}

fn not(graph: &mut Graph, a: NodeId) -> Option<NodeId> {
    match *graph.op(a) {
        Op::Unary(UnaryOp::Not, inner) => Some(inner),
        Op::Binary(BinaryOp::Eq, x, y) => Some(graph.binary(BinaryOp::Ne, x, y)),
        Op::Binary(BinaryOp::Ne, x, y) => Some(graph.binary(BinaryOp::Eq, x, y)),
        Op::Unary(UnaryOp::Any, x) => {
            let zero = graph.zero(graph.width(x));
            Some(graph.add(Op::Binary(BinaryOp::Eq, x, zero), 1))
        }
        Op::Unary(UnaryOp::SignExtend, x) if graph.width(x) == 1 => {
            let (flipped, width) = (graph.not(x), graph.width(a));
            Some(graph.unary(UnaryOp::SignExtend, flipped, width))
        }
        // A constant arm is complemented for nothing.
        Op::Mux { select, then, otherwise } if graph.as_constant(then).or(graph.as_constant(otherwise)).is_some() => {
            let (then, otherwise) = (graph.not(then), graph.not(otherwise));
            Some(graph.mux(select, then, otherwise))
        }
        _ => None,
    }
}

fn any(graph: &mut Graph, a: NodeId) -> Option<NodeId> {
    match graph.op(a).clone() {
        Op::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, inner) => Some(graph.unary(UnaryOp::Any, inner, 1)),
        Op::Mux { select, then, otherwise } if graph.as_constant(then).or(graph.as_constant(otherwise)).is_some() => {
            let (then, otherwise) = (graph.unary(UnaryOp::Any, then, 1), graph.unary(UnaryOp::Any, otherwise, 1));
            Some(graph.mux(select, then, otherwise))
        }
        Op::Concat(parts) => {
            let rest: Vec<_> = parts.iter().copied().filter(|&part| !graph.is_zero(part)).collect();
            if rest.iter().any(|&part| graph.as_constant(part).is_some()) {
                return Some(graph.constant(Bits::ones(1)));
            }
            (rest.len() < parts.len()).then(|| {
                let rest = graph.concat(rest);
                graph.unary(UnaryOp::Any, rest, 1)
            })
        }
        _ => None,
    }
}

fn all(graph: &mut Graph, a: NodeId) -> Option<NodeId> {
    match graph.op(a).clone() {
        Op::Unary(UnaryOp::SignExtend, inner) => Some(graph.unary(UnaryOp::All, inner, 1)),
        Op::Unary(UnaryOp::ZeroExtend, _) => Some(graph.zero(1)),
        Op::Mux { select, then, otherwise } if graph.as_constant(then).or(graph.as_constant(otherwise)).is_some() => {
            let (then, otherwise) = (graph.unary(UnaryOp::All, then, 1), graph.unary(UnaryOp::All, otherwise, 1));
            Some(graph.mux(select, then, otherwise))
        }
        Op::Concat(parts) => {
            let rest: Vec<_> = parts.iter().copied().filter(|&part| !graph.is_ones(part)).collect();
            if rest.iter().any(|&part| graph.as_constant(part).is_some()) {
                return Some(graph.zero(1));
            }
            (rest.len() < parts.len()).then(|| {
                let rest = graph.concat(rest);
                graph.unary(UnaryOp::All, rest, 1)
            })
        }
        _ => None,
    }
}
