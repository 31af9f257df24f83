//! Rules for multiplexers.

use crate::passes::ir::{Graph, NodeId, Op};
use hdl::{BinaryOp, UnaryOp};

pub(super) fn simplify(
    graph: &mut Graph,
    select: NodeId,
    then: NodeId,
    otherwise: NodeId,
    width: u32,
) -> Option<NodeId> {
    if then == otherwise {
        return Some(then);
    }
    if let Some(value) = graph.as_constant(select) {
        return Some(if value.bit(0) { then } else { otherwise });
    }
    if let Some(inner) = graph.complement_of(select) {
        return Some(graph.mux(inner, otherwise, then));
    }
    // Below a choice by `select` it is known.
    if let Op::Mux { select: again, then: inner, .. } = *graph.op(then)
        && again == select
    {
        return Some(graph.mux(select, inner, otherwise));
    }
    if let Op::Mux { select: again, otherwise: inner, .. } = *graph.op(otherwise)
        && again == select
    {
        return Some(graph.mux(select, then, inner));
    }
    // The same value from two choices: `s ? x : t ? x : y`, `s ? t ? x : y : y`.
    if let Op::Mux { select: other, then: inner, otherwise: last } = *graph.op(otherwise)
        && inner == then
    {
        let either = graph.binary(BinaryOp::Or, select, other);
        return Some(graph.mux(either, then, last));
    }
    if let Op::Mux { select: other, then: first, otherwise: inner } = *graph.op(then)
        && inner == otherwise
    {
        let both = graph.binary(BinaryOp::And, select, other);
        return Some(graph.mux(both, first, otherwise));
    }
    if width == 1 {
        return one_bit(graph, select, then, otherwise);
    }
    if graph.is_ones(then) && graph.is_zero(otherwise) {
        return Some(graph.unary(UnaryOp::SignExtend, select, width));
    }
    if graph.is_zero(then) && graph.is_ones(otherwise) {
        let not = graph.not(select);
        return Some(graph.unary(UnaryOp::SignExtend, not, width));
    }
    None
}

fn one_bit(graph: &mut Graph, select: NodeId, then: NodeId, otherwise: NodeId) -> Option<NodeId> {
    if graph.is_ones(then) || then == select {
        Some(graph.binary(BinaryOp::Or, select, otherwise))
    } else if graph.is_zero(otherwise) || otherwise == select {
        Some(graph.binary(BinaryOp::And, select, then))
    } else if graph.is_zero(then) {
        let not = graph.not(select);
        Some(graph.binary(BinaryOp::And, not, otherwise))
    } else if graph.is_ones(otherwise) {
        let not = graph.not(select);
        Some(graph.binary(BinaryOp::Or, not, then))
    } else {
        None
    }
}
