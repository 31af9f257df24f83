//! Values of operations on constants, with the arithmetic of the interpreter.

use crate::{
    bigint, interpreter,
    passes::ir::{Graph, NodeId, Op},
};
use hdl::{Bits, UnaryOp, words_for};

/// The value, when all operands are constants.
pub(super) fn evaluate(graph: &Graph, op: &Op, width: u32) -> Option<Bits> {
    let of = |id: &NodeId| graph.as_constant(*id);
    Some(match op {
        Op::Unary(op, a) => unary(*op, of(a)?, width),
        Op::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let mut out = vec![0; a.words().len().max(words_for(width))];
            interpreter::binary(*op, &mut out, a.words(), b.words(), a.width());
            Bits::from_words(width, &out)
        }
        Op::Mux { select, then, otherwise } => of(if of(select)?.bit(0) { then } else { otherwise })?.clone(),
        Op::Concat(parts) => Bits::concat(&parts.iter().map(|part| of(part).cloned()).collect::<Option<Vec<_>>>()?),
        Op::Slice { value, lo } => of(value)?.slice(*lo, width),
        Op::SliceAt { value, offset } => {
            let (value, offset) = (of(value)?, of(offset)?);
            value.slice(bigint::amount(offset.words(), value.width()), width)
        }
        _ => return None,
    })
}

fn unary(op: UnaryOp, a: &Bits, width: u32) -> Bits {
    let mut out = vec![0; words_for(width)];
    interpreter::unary(op, &mut out, a.words(), a.width(), width);
    Bits::from_words(width, &out)
}
