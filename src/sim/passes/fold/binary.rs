//! Rules for two-operand operators.

use crate::passes::ir::{Graph, NodeId, Op};
use hdl::{BinaryOp, Bits, UnaryOp};

pub(super) fn simplify(graph: &mut Graph, op: BinaryOp, a: NodeId, b: NodeId, width: u32) -> Option<NodeId> {
    use BinaryOp::{Add, And, Eq, LtS, LtU, Mul, Ne, Or, Shl, ShrS, ShrU, Sub, Xor};
    // Constants to the right, otherwise the older operand to the left, so that equal sums meet.
    if matches!(op, And | Or | Xor | Add | Mul | Eq | Ne) {
        let (left, right) = (graph.as_constant(a).is_some(), graph.as_constant(b).is_some());
        if (left, a) > (right, b) && !right {
            return Some(graph.binary(op, b, a));
        }
    }
    match op {
        And | Or => and_or(graph, op == And, a, b),
        Xor => xor(graph, a, b),
        Add => add(graph, a, b),
        Sub if a == b => Some(graph.zero(width)),
        Sub if graph.is_zero(b) => Some(a),
        Mul => mul(graph, a, b),
        Eq | Ne => equal(graph, op == Eq, a, b),
        LtU => less(graph, a, b),
        LtS if a == b => Some(graph.zero(1)),
        Shl | ShrU | ShrS => shift(graph, op, a, b, width),
        Sub | LtS => None,
    }
}

/// AND, and OR, which is the same with ones and zeros exchanged.
fn and_or(graph: &mut Graph, and: bool, a: NodeId, b: NodeId) -> Option<NodeId> {
    let width = graph.width(a);
    let op = if and { BinaryOp::And } else { BinaryOp::Or };
    let neutral = |graph: &Graph, id| if and { graph.is_ones(id) } else { graph.is_zero(id) };
    let absorbing = |graph: &Graph, id| if and { graph.is_zero(id) } else { graph.is_ones(id) };
    if a == b || neutral(graph, b) {
        return Some(a);
    }
    if absorbing(graph, b) {
        return Some(b);
    }
    if graph.complement_of(a) == Some(b) || graph.complement_of(b) == Some(a) {
        return Some(graph.constant(if and { Bits::zero(width) } else { Bits::ones(width) }));
    }
    // x & (x & y), x | (x | y)
    for (x, y) in [(a, b), (b, a)] {
        if let Op::Binary(inner, p, q) = *graph.op(x)
            && inner == op
        {
            if p == y || q == y {
                return Some(x);
            }
            if graph.as_constant(y).is_some() && graph.as_constant(q).is_some() {
                let constant = graph.binary(op, q, y);
                return Some(graph.binary(op, p, constant));
            }
        }
    }
    if width == 1 {
        return None;
    }
    for (x, mask) in [(a, b), (b, a)] {
        // A mask made of one bit chooses.
        if let Op::Unary(UnaryOp::SignExtend, bit) = *graph.op(mask)
            && graph.width(bit) == 1
        {
            let other = graph.constant(if and { Bits::zero(width) } else { Bits::ones(width) });
            return Some(if and { graph.mux(bit, x, other) } else { graph.mux(bit, other, x) });
        }
        // A register that holds under a condition, written with masks.
        if let Op::Mux { select, then, otherwise } = *graph.op(mask)
            && matches!(graph.op(x), Op::Register(_))
            && (neutral(graph, then) || neutral(graph, otherwise))
        {
            let (then, otherwise) = (graph.binary(op, x, then), graph.binary(op, x, otherwise));
            return Some(graph.mux(select, then, otherwise));
        }
    }
    None
}

fn xor(graph: &mut Graph, a: NodeId, b: NodeId) -> Option<NodeId> {
    if a == b {
        Some(graph.zero(graph.width(a)))
    } else if graph.is_zero(b) {
        Some(a)
    } else if graph.is_ones(b) {
        Some(graph.not(a))
    } else {
        None
    }
}

fn add(graph: &mut Graph, a: NodeId, b: NodeId) -> Option<NodeId> {
    if graph.is_zero(b) {
        return Some(a);
    }
    if let Op::Binary(BinaryOp::Add, x, c) = *graph.op(a)
        && graph.as_constant(b).is_some()
        && graph.as_constant(c).is_some()
    {
        let constant = graph.binary(BinaryOp::Add, c, b);
        return Some(graph.binary(BinaryOp::Add, x, constant));
    }
    None
}

fn mul(graph: &mut Graph, a: NodeId, b: NodeId) -> Option<NodeId> {
    let width = graph.width(a);
    let value = graph.as_constant(b)?;
    if value.is_zero() {
        return Some(b);
    }
    let ones: u32 = value.words().iter().map(|w| w.count_ones()).sum();
    let power = (0..width).find(|&i| value.bit(i)).filter(|_| ones == 1)?;
    let amount = graph.constant(Bits::new(32, power.into()));
    Some(graph.binary(BinaryOp::Shl, a, amount))
}

fn equal(graph: &mut Graph, eq: bool, a: NodeId, b: NodeId) -> Option<NodeId> {
    if a == b {
        return Some(graph.constant(Bits::new(1, eq.into())));
    }
    let value = graph.as_constant(b)?.clone();
    if value.width() == 1 {
        return Some(if value.bit(0) == eq { a } else { graph.not(a) });
    }
    match *graph.op(a) {
        Op::Unary(UnaryOp::ZeroExtend, inner) => {
            let width = graph.width(inner);
            let fits = value.slice(width, value.width() - width).is_zero();
            if !fits {
                return Some(graph.constant(Bits::new(1, (!eq).into())));
            }
            let value = graph.constant(value.slice(0, width));
            Some(graph.binary(if eq { BinaryOp::Eq } else { BinaryOp::Ne }, inner, value))
        }
        _ if !eq && value.is_zero() => Some(graph.unary(UnaryOp::Any, a, 1)),
        // An arm that is known to differ: only the select and the other arm matter.
        Op::Mux { select, then, otherwise } if graph.as_constant(then).or(graph.as_constant(otherwise)).is_some() => {
            let op = if eq { BinaryOp::Eq } else { BinaryOp::Ne };
            let (then, otherwise) = (graph.binary(op, then, b), graph.binary(op, otherwise, b));
            Some(graph.mux(select, then, otherwise))
        }
        _ => None,
    }
}

fn less(graph: &mut Graph, a: NodeId, b: NodeId) -> Option<NodeId> {
    if a == b || graph.is_zero(b) {
        return Some(graph.zero(1));
    }
    if graph.is_zero(a) {
        return Some(graph.unary(UnaryOp::Any, b, 1));
    }
    let width = graph.width(a);
    if width == 1 {
        let not = graph.not(a);
        return Some(graph.binary(BinaryOp::And, not, b));
    }
    // Below a power of two: the bits from there up are zero.
    let value = graph.as_constant(b)?;
    let ones: u32 = value.words().iter().map(|w| w.count_ones()).sum();
    let power = (0..width).find(|&i| value.bit(i)).filter(|_| ones == 1)?;
    let high = graph.slice(a, power, width - power);
    let any = graph.unary(UnaryOp::Any, high, 1);
    Some(graph.not(any))
}

/// Shifts by constants are wires.
fn shift(graph: &mut Graph, op: BinaryOp, a: NodeId, b: NodeId, width: u32) -> Option<NodeId> {
    let amount = graph.as_constant(b)?;
    let by = crate::bigint::amount(amount.words(), width);
    if by == 0 {
        return Some(a);
    }
    match op {
        BinaryOp::Shl if by == width => Some(graph.zero(width)),
        BinaryOp::Shl => {
            let (low, zero) = (graph.slice(a, 0, width - by), graph.zero(by));
            Some(graph.concat(vec![low, zero]))
        }
        BinaryOp::ShrU if by == width => Some(graph.zero(width)),
        BinaryOp::ShrU => {
            let high = graph.slice(a, by, width - by);
            Some(graph.extended(high, width))
        }
        _ => {
            let by = by.min(width - 1);
            let high = graph.slice(a, by, width - by);
            Some(graph.unary(UnaryOp::SignExtend, high, width))
        }
    }
}
