//! Structures that a synthesis tool sees behind single operators.

use super::structure::Used;
use hdl::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An expression that is more than its operator.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The cases of a `switch`, of which one is taken.
    Cases {
        /// Condition and value of each.
        arms: Vec<(ExprId, ExprId)>,
        /// When there is none.
        default: ExprId,
    },
    /// For each bit, whether a lower one is set: `x & !(x - 1)`, `x & (x - 1)` and `x ^ (x - 1)` find the first one so, and no subtraction is left
    /// of them.
    Below {
        /// Whose bits.
        of: ExprId,
        /// Joined with the bit itself by AND.
        with_bit: bool,
    },
    /// Additions and subtractions of additions: one sum of all, with one adder at its end.
    Sum {
        /// What is added, or subtracted where it says so.
        terms: Vec<(ExprId, bool)>,
    },
}

/// All of a module.
pub(crate) fn shapes(module: &ModuleDef, Used { exprs: used, readers, .. }: &Used) -> FxHashMap<ExprId, Shape> {
    let mut found = FxHashMap::default();
    cases(module, used, readers, &mut found);
    sums(module, used, readers, &mut found);
    for (i, expr) in module.exprs.iter().enumerate().filter(|(i, _)| used[*i]) {
        if let Op::Binary(op @ (BinaryOp::And | BinaryOp::Xor), a, b) = &expr.op {
            let pairs = [(*a, *b), (*b, *a)];
            if let Some((of, _)) = pairs.into_iter().find(|(x, other)| less_one(module, *other) == Some(*x)) {
                // Below the first one of a word is what is below it in the word.
                let of = match found.get(&behind_wires(module, of)) {
                    Some(Shape::Below { of, with_bit: true }) if *op == BinaryOp::Xor => *of,
                    _ => of,
                };
                found.insert(ExprId(i as u32), Shape::Below { of, with_bit: *op == BinaryOp::And });
            }
        }
    }
    found
}

/// What drives a wire.
fn behind_wires(module: &ModuleDef, mut id: ExprId) -> ExprId {
    while let Op::Net(net) = module.expr(id).op
        && let (NetKind::Wire, Some(driver)) = (&module.net(net).kind, module.drivers[net.index()])
    {
        id = driver;
    }
    id
}

/// `x` of `x - 1`, complemented or not.
fn less_one(module: &ModuleDef, id: ExprId) -> Option<ExprId> {
    match &module.expr(id).op {
        Op::Unary(UnaryOp::Not, inner) => less_one(module, *inner),
        Op::Binary(BinaryOp::Sub, x, one) => match &module.expr(*one).op {
            Op::Const(bits) if *bits == Bits::new(bits.width(), 1) => Some(*x),
            _ => None,
        },
        _ => None,
    }
}

/// Sums of three and more, whose parts nothing else reads and which do not wrap before they are added.
fn sums(module: &ModuleDef, used: &[bool], uses: &[u32], found: &mut FxHashMap<ExprId, Shape>) {
    let mut inside = vec![false; module.exprs.len()];
    for i in (0..module.exprs.len()).rev().filter(|&i| used[i]) {
        let top = ExprId(i as u32);
        if inside[i] || !matches!(module.expr(top).op, Op::Binary(BinaryOp::Add | BinaryOp::Sub, ..)) {
            continue;
        }
        let (mut terms, mut parts) = (vec![], vec![]);
        let mut todo = vec![(top, false)];
        while let Some((id, negative)) = todo.pop() {
            let own = id == top || uses[id.index()] == 1;
            match &module.expr(id).op {
                Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b)
                    if own && (id == top || module.expr(id).width == module.expr(top).width) =>
                {
                    parts.push(id);
                    todo.push((*b, negative != (*op == BinaryOp::Sub)));
                    todo.push((*a, negative));
                }
                Op::Unary(UnaryOp::ZeroExtend, inner)
                    if own && uses[inner.index()] == 1 && full_sum(module, *inner) =>
                {
                    let Op::Binary(_, a, b) = &module.expr(*inner).op else { continue };
                    parts.push(*inner);
                    todo.push((*b, negative));
                    todo.push((*a, negative));
                }
                _ => terms.push((id, negative)),
            }
        }
        if terms.len() > 2 {
            parts.into_iter().for_each(|part| inside[part.index()] = true);
            found.insert(top, Shape::Sum { terms });
        }
    }
}

/// The sum of two extended words: it cannot wrap.
fn full_sum(module: &ModuleDef, id: ExprId) -> bool {
    let extended = |id: &ExprId| matches!(&module.expr(*id).op, Op::Unary(UnaryOp::ZeroExtend, _));
    matches!(&module.expr(id).op, Op::Binary(BinaryOp::Add, a, b) if extended(a) && extended(b))
}

/// Chains of multiplexers whose conditions are that one value equals different constants: a `switch` ([`hdl`] lowers it so).
fn cases(module: &ModuleDef, used: &[bool], uses: &[u32], found: &mut FxHashMap<ExprId, Shape>) {
    let tested = |select: ExprId| match &module.expr(select).op {
        Op::Binary(BinaryOp::Eq, a, b) => match (&module.expr(*a).op, &module.expr(*b).op) {
            (_, Op::Const(bits)) => Some((*a, bits.clone())),
            (Op::Const(bits), _) => Some((*b, bits.clone())),
            _ => None,
        },
        _ => None,
    };
    let mut inside = vec![false; module.exprs.len()];
    for i in (0..module.exprs.len()).rev().filter(|&i| used[i]) {
        if inside[i] {
            continue;
        }
        let mut at = ExprId(i as u32);
        let (mut arms, mut value, mut constants): (Vec<(ExprId, ExprId)>, _, BTreeSet<Bits>) =
            (vec![], None, BTreeSet::new());
        while let Op::Mux { select, then, otherwise } = &module.expr(at).op {
            let Some((of, constant)) = tested(*select) else { break };
            let first = arms.is_empty();
            if !first && (uses[at.index()] > 1 || value != Some(of)) || !constants.insert(constant) {
                break;
            }
            inside[at.index()] |= !first;
            value = Some(of);
            arms.push((*select, *then));
            at = *otherwise;
        }
        if arms.len() > 2 {
            found.insert(ExprId(i as u32), Shape::Cases { arms, default: at });
        }
    }
}
