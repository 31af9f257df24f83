//! Expressions as bits: every operator of the hardware description as gates.
//!
//! A value is a vector of bits, lowest first. Arithmetic becomes ripple chains and shift-and-add, shifts become stages
//! of multiplexers: for 64 instances at once that is cheaper than it looks.

use super::gates::{Bit, Gates, ONE, ZERO};
use hdl::*;

/// Bits of `op` over operand values that `value` gives; `leaf` makes the bits of nets and memory reads.
pub(super) fn blast(gates: &mut Gates, expr: &Expr, operands: &[Vec<Bit>]) -> Vec<Bit> {
    let width = expr.width as usize;
    match &expr.op {
        Op::Const(bits) => (0..expr.width).map(|i| Gates::constant(bits.bit(i))).collect(),
        Op::Net(_) | Op::MemRead { .. } => unreachable!("nets and memory reads are leaves"),
        Op::Unary(op, _) => unary(gates, *op, &operands[0], width),
        Op::Binary(op, ..) => binary(gates, *op, &operands[0], &operands[1], width),
        Op::Mux { .. } => {
            let (select, then, otherwise) = (operands[0][0], &operands[1], &operands[2]);
            then.iter().zip(otherwise).map(|(&t, &o)| gates.mux(select, t, o)).collect()
        }
        Op::Concat(_) => operands.iter().rev().flatten().copied().collect(),
        Op::Slice { lo, .. } => operands[0][*lo as usize..*lo as usize + width].to_vec(),
        Op::SliceAt { .. } => {
            let mut value = operands[0].clone();
            value.resize(value.len().max(width), ZERO);
            let mut shifted = shift(gates, &value, &operands[1], false, ZERO);
            shifted.truncate(width);
            shifted
        }
    }
}

fn unary(gates: &mut Gates, op: UnaryOp, a: &[Bit], width: usize) -> Vec<Bit> {
    match op {
        UnaryOp::Not => a.iter().map(|&x| gates.not(x)).collect(),
        UnaryOp::All => vec![gates.reduce(a, true)],
        UnaryOp::Any => vec![gates.reduce(a, false)],
        UnaryOp::Parity => vec![a[1..].iter().fold(a[0], |x, &y| gates.xor(x, y))],
        UnaryOp::ZeroExtend => extended(a, width, ZERO),
        UnaryOp::SignExtend => extended(a, width, a[a.len() - 1]),
    }
}

fn extended(a: &[Bit], width: usize, with: Bit) -> Vec<Bit> {
    let mut out = a.to_vec();
    out.resize(width, with);
    out
}

fn binary(gates: &mut Gates, op: BinaryOp, a: &[Bit], b: &[Bit], width: usize) -> Vec<Bit> {
    let each = |gates: &mut Gates, f: fn(&mut Gates, Bit, Bit) -> Bit| {
        a.iter().zip(b).map(|(&x, &y)| f(gates, x, y)).collect::<Vec<_>>()
    };
    match op {
        BinaryOp::And => each(gates, Gates::and),
        BinaryOp::Or => each(gates, Gates::or),
        BinaryOp::Xor => each(gates, Gates::xor),
        BinaryOp::Add => add(gates, a, b, ZERO).0,
        BinaryOp::Sub => subtract(gates, a, b).0,
        BinaryOp::Mul => multiply(gates, a, b, width),
        BinaryOp::Eq | BinaryOp::Ne => {
            let differences = each(gates, Gates::xor);
            let any = gates.reduce(&differences, false);
            vec![if op == BinaryOp::Ne { any } else { gates.not(any) }]
        }
        BinaryOp::LtU => vec![less(gates, a, b)],
        BinaryOp::LtS => {
            // With the sign bits exchanged signed order is unsigned order.
            let (mut x, mut y) = (a.to_vec(), b.to_vec());
            let top = x.len() - 1;
            std::mem::swap(&mut x[top], &mut y[top]);
            vec![less(gates, &x, &y)]
        }
        BinaryOp::Shl => shift(gates, a, b, true, ZERO),
        BinaryOp::ShrU => shift(gates, a, b, false, ZERO),
        BinaryOp::ShrS => shift(gates, a, b, false, a[a.len() - 1]),
    }
}

/// Sum and carry.
fn add(gates: &mut Gates, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Vec<Bit>, Bit) {
    let mut sum = vec![];
    for (&x, &y) in a.iter().zip(b) {
        let either = gates.xor(x, y);
        sum.push(gates.xor(either, carry));
        carry = gates.mux(either, carry, x);
    }
    (sum, carry)
}

/// Difference, and one when it is not negative.
fn subtract(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Bit) {
    let not: Vec<_> = b.iter().map(|&y| gates.not(y)).collect();
    add(gates, a, &not, ONE)
}

fn less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    // From the lowest bit up: where the bits differ, b decides; else what is below.
    let mut below = ZERO;
    for (&x, &y) in a.iter().zip(b) {
        let differ = gates.xor(x, y);
        below = gates.mux(differ, y, below);
    }
    below
}

fn multiply(gates: &mut Gates, a: &[Bit], b: &[Bit], width: usize) -> Vec<Bit> {
    let mut sum = vec![ZERO; width];
    for (i, &bit) in b.iter().enumerate() {
        if bit == ZERO {
            continue;
        }
        let row: Vec<_> = a[..width - i].iter().map(|&x| gates.and(x, bit)).collect();
        let (high, _) = add(gates, &sum[i..], &row, ZERO);
        sum.splice(i.., high);
    }
    sum
}

/// Stages of multiplexers; places from outside are `fill`.
fn shift(gates: &mut Gates, a: &[Bit], amount: &[Bit], left: bool, fill: Bit) -> Vec<Bit> {
    let width = a.len();
    let mut now = a.to_vec();
    let mut beyond = vec![];
    for (stage, &bit) in amount.iter().enumerate() {
        let by = if stage < 32 { 1usize << stage } else { width };
        if by >= width {
            beyond.push(bit);
            continue;
        }
        now = (0..width)
            .map(|i| {
                let from = if left { i.checked_sub(by) } else { Some(i + by).filter(|&j| j < width) };
                let moved = from.map_or(fill, |j| now[j]);
                gates.mux(bit, moved, now[i])
            })
            .collect();
    }
    let beyond = gates.reduce(&beyond, false);
    now.into_iter().map(|x| gates.mux(beyond, fill, x)).collect()
}
