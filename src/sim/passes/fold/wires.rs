//! Rules for joining and slicing, which are only wires in hardware but shifts and masks in software.

use crate::{
    bigint,
    passes::ir::{Graph, NodeId, Op},
};
use hdl::{Bits, UnaryOp};

/// Parts joined, most significant first.
pub(super) fn concat(graph: &mut Graph, parts: &[NodeId], width: u32) -> Option<NodeId> {
    if let [one] = parts {
        return Some(*one);
    }
    // Least significant first from here on.
    let mut flat: Vec<NodeId> = vec![];
    for &part in parts.iter().rev() {
        match graph.op(part).clone() {
            Op::Concat(inner) => inner.iter().rev().for_each(|&p| push(graph, &mut flat, p)),
            Op::Unary(UnaryOp::ZeroExtend, inner) => {
                let zero = graph.zero(graph.width(part) - graph.width(inner));
                push(graph, &mut flat, inner);
                push(graph, &mut flat, zero);
            }
            _ => push(graph, &mut flat, part),
        }
    }
    if let [one] = flat[..] {
        return Some(one);
    }
    let top = flat[flat.len() - 1];
    if graph.is_zero(top) {
        let below = flat[..flat.len() - 1].iter().rev().copied().collect();
        let below = graph.concat(below);
        return Some(graph.unary(UnaryOp::ZeroExtend, below, width));
    }
    flat.reverse();
    (flat != parts).then(|| graph.concat(flat))
}

/// Adds a part above, and merges it with the one below where that is possible.
fn push(graph: &mut Graph, flat: &mut Vec<NodeId>, part: NodeId) {
    if let Some(&below) = flat.last()
        && let Some(merged) = merged(graph, part, below)
    {
        flat.pop();
        push(graph, flat, merged);
    } else {
        flat.push(part);
    }
}

/// Two neighbouring parts as one.
fn merged(graph: &mut Graph, above: NodeId, below: NodeId) -> Option<NodeId> {
    let (high, low) = (graph.width(above), graph.width(below));
    match (graph.op(above), graph.op(below)) {
        (Op::Const(a), Op::Const(b)) => {
            let joined = Bits::concat(&[a.clone(), b.clone()]);
            Some(graph.constant(joined))
        }
        (&Op::Slice { value: a, lo: a_lo }, &Op::Slice { value: b, lo: b_lo }) if a == b && a_lo == b_lo + low => {
            Some(graph.slice(a, b_lo, high + low))
        }
        // One bit repeated.
        _ => {
            let repeats = |graph: &Graph, id: NodeId| match *graph.op(id) {
                Op::Unary(UnaryOp::SignExtend, bit) if graph.width(bit) == 1 => bit,
                _ => id,
            };
            let (a, b) = (repeats(graph, above), repeats(graph, below));
            (a == b && graph.width(a) == 1).then(|| graph.unary(UnaryOp::SignExtend, a, high + low))
        }
    }
}

/// `width` bits of `value` from `lo` on.
pub(super) fn slice(graph: &mut Graph, value: NodeId, lo: u32, width: u32) -> Option<NodeId> {
    let total = graph.width(value);
    if lo == 0 && width == total {
        return Some(value);
    }
    match graph.op(value).clone() {
        Op::Slice { value: inner, lo: below } => Some(graph.slice(inner, below + lo, width)),
        Op::Concat(parts) => {
            let (mut at, mut pieces) = (0, vec![]);
            for part in parts.into_iter().rev() {
                let end = at + graph.width(part);
                let (from, to) = (lo.max(at), (lo + width).min(end));
                if from < to {
                    pieces.push(graph.slice(part, from - at, to - from));
                }
                at = end;
            }
            pieces.reverse();
            Some(graph.concat(pieces))
        }
        Op::Unary(UnaryOp::ZeroExtend, inner) => {
            let from = graph.width(inner);
            if lo >= from {
                return Some(graph.zero(width));
            }
            let part = graph.slice(inner, lo, width.min(from - lo));
            Some(graph.extended(part, width))
        }
        Op::Unary(UnaryOp::SignExtend, inner) if graph.width(inner) == 1 => {
            Some(graph.unary(UnaryOp::SignExtend, inner, width))
        }
        Op::Unary(UnaryOp::SignExtend, inner) if lo + width <= graph.width(inner) => {
            Some(graph.slice(inner, lo, width))
        }
        Op::Unary(UnaryOp::Not, inner) if width == 1 => {
            let bit = graph.slice(inner, lo, width);
            Some(graph.not(bit))
        }
        Op::Mux { select, then, otherwise } if graph.as_constant(then).or(graph.as_constant(otherwise)).is_some() => {
            let (then, otherwise) = (graph.slice(then, lo, width), graph.slice(otherwise, lo, width));
            Some(graph.mux(select, then, otherwise))
        }
        _ => None,
    }
}

/// `width` bits of `value` from a variable bit on, when the bit is constant after all.
pub(super) fn slice_at(graph: &mut Graph, value: NodeId, offset: NodeId, width: u32) -> Option<NodeId> {
    let total = graph.width(value);
    let lo = bigint::amount(graph.as_constant(offset)?.words(), total);
    if lo >= total {
        return Some(graph.zero(width));
    }
    let part = graph.slice(value, lo, width.min(total - lo));
    Some(graph.extended(part, width))
}
