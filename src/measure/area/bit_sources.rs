//! Where each bit of a module comes from: a constant, carried through operators, or the operator that makes it. Wires,
//! parts and joins make no bits, and a choice of two equal bits is none.
//!
//! Registers, memories, inputs and outputs of children may be anything. Nothing is known between modules.

use hdl::*;

/// Where a bit comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bit {
    /// It never changes.
    Constant(bool),
    /// Bit of an expression that makes it.
    Made(ExprId, u32),
}

impl Bit {
    /// Its value, if it never changes.
    pub fn value(self) -> Option<bool> {
        match self {
            Bit::Constant(value) => Some(value),
            Bit::Made(..) => None,
        }
    }
}

/// Bits of every expression of a module.
pub struct BitSources(Vec<Vec<Bit>>);

impl BitSources {
    /// Of the expressions that are `used`; others have no bits.
    pub fn new(module: &ModuleDef, used: &[bool]) -> Self {
        let mut known = Self(vec![vec![]; module.exprs.len()]);
        let mut done = vec![false; module.exprs.len()];
        for id in (0..module.exprs.len()).filter(|id| used[*id]) {
            let mut todo = vec![ExprId(id as u32)];
            while let Some(&id) = todo.last() {
                let waits = todo.len();
                if !done[id.index()] {
                    // What is met again on the way to itself stands for itself.
                    known.0[id.index()] = made(module, id);
                    let mut wait = |on: ExprId| {
                        if known.0[on.index()].is_empty() {
                            todo.push(on);
                        }
                    };
                    let expr = module.expr(id);
                    expr.op.for_each_operand(&mut wait);
                    wire_driver(module, &expr.op).into_iter().for_each(wait);
                    done[id.index()] = true;
                    if todo.len() > waits {
                        continue;
                    }
                }
                todo.pop();
                known.0[id.index()] = known.through(module, id);
            }
        }
        known
    }

    /// Bits of an expression, the lowest first.
    pub fn of(&self, id: ExprId) -> &[Bit] {
        &self.0[id.index()]
    }

    /// Its bits that the expression itself makes.
    pub fn made_by(&self, id: ExprId) -> u64 {
        self.of(id).iter().filter(|bit| matches!(bit, Bit::Made(by, _) if *by == id)).count() as u64
    }

    fn through(&self, module: &ModuleDef, id: ExprId) -> Vec<Bit> {
        let expr = module.expr(id);
        let width = expr.width as usize;
        let bits = |id: ExprId| self.of(id);
        let own = || made(module, id);
        // A bit with a value is constant, another one is made here.
        let values = |values: Vec<Option<bool>>| {
            let bit = |(at, value): (usize, Option<bool>)| value.map_or(Bit::Made(id, at as u32), Bit::Constant);
            values.into_iter().enumerate().map(bit).collect::<Vec<_>>()
        };
        let value = |id: ExprId| bits(id).iter().map(|bit| bit.value()).collect::<Vec<_>>();
        match &expr.op {
            Op::Const(value) => (0..expr.width).map(|bit| Bit::Constant(value.bit(bit))).collect(),
            op @ Op::Net(_) => wire_driver(module, op).map_or_else(own, |driver| bits(driver).to_vec()),
            Op::Unary(UnaryOp::ZeroExtend, a) => extended(bits(*a), width, Bit::Constant(false)),
            Op::Unary(UnaryOp::SignExtend, a) => extended(bits(*a), width, bits(*a)[bits(*a).len() - 1]),
            Op::Unary(op, a) => values(match op {
                UnaryOp::All => vec![all(value(*a))],
                UnaryOp::Any => vec![any(value(*a))],
                UnaryOp::Parity => vec![value(*a).into_iter().fold(Some(false), xor)],
                _ => value(*a).into_iter().map(|bit| bit.map(|bit| !bit)).collect(),
            }),
            Op::Binary(op @ (BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS), a, b) => {
                shifted(*op, bits(*a), constant(bits(*b)), &own())
            }
            Op::Binary(op, a, b) => {
                let each = |f: fn(Bit, Bit, Bit) -> Bit| {
                    bits(*a).iter().zip(bits(*b)).zip(own()).map(|((&a, &b), own)| f(a, b, own)).collect::<Vec<_>>()
                };
                match op {
                    BinaryOp::And => each(|a, b, own| gate(a, b, own, false)),
                    BinaryOp::Or => each(|a, b, own| gate(a, b, own, true)),
                    BinaryOp::Xor => each(|a, b, own| match (a, b) {
                        (Bit::Constant(a), Bit::Constant(b)) => Bit::Constant(a != b),
                        (Bit::Constant(false), other) | (other, Bit::Constant(false)) => other,
                        _ if a == b => Bit::Constant(false),
                        _ => own,
                    }),
                    BinaryOp::Add => sum(bits(*a), bits(*b), false, own()),
                    BinaryOp::Sub => sum(bits(*a), bits(*b), true, own()),
                    BinaryOp::Mul => values(product(&value(*a), &value(*b), width)),
                    BinaryOp::Eq => values(vec![differ(&value(*a), &value(*b)).map(|differ| !differ)]),
                    BinaryOp::Ne => values(vec![differ(&value(*a), &value(*b))]),
                    _ => own(),
                }
            }
            Op::Mux { select, then, otherwise } => match bits(*select)[0].value() {
                Some(true) => bits(*then).to_vec(),
                Some(false) => bits(*otherwise).to_vec(),
                None => {
                    let pairs = bits(*then).iter().zip(bits(*otherwise)).zip(own());
                    pairs.map(|((a, b), own)| if a == b { *a } else { own }).collect()
                }
            },
            Op::Concat(parts) => parts.iter().rev().flat_map(|&part| bits(part).iter().copied()).collect(),
            Op::Slice { value, lo } => bits(*value)[*lo as usize..][..width].to_vec(),
            Op::SliceAt { .. } | Op::MemRead { .. } => own(),
        }
    }
}

/// Bits that an expression makes.
fn made(module: &ModuleDef, id: ExprId) -> Vec<Bit> {
    (0..module.expr(id).width).map(|bit| Bit::Made(id, bit)).collect()
}

/// What drives the net that an expression is, if it is a wire.
fn wire_driver(module: &ModuleDef, op: &Op) -> Option<ExprId> {
    let Op::Net(net) = op else { return None };
    module.drivers[net.index()].filter(|_| !matches!(module.net(*net).kind, NetKind::Register { .. }))
}

/// The number that bits are, if none of them changes and it fits.
pub(super) fn constant(bits: &[Bit]) -> Option<u64> {
    let bit = |(at, bit): (usize, &Bit)| match bit.value() {
        Some(true) if at < 64 => Some(1 << at),
        Some(false) => Some(0),
        _ => None,
    };
    bits.iter().enumerate().map(bit).sum()
}

/// AND, or with `decides` OR: the constant `decides` decides, the other one leaves the bit as it is.
fn gate(a: Bit, b: Bit, own: Bit, decides: bool) -> Bit {
    match (a.value(), b.value()) {
        (Some(value), _) | (_, Some(value)) if value == decides => Bit::Constant(value),
        (Some(_), _) => b,
        (_, Some(_)) => a,
        _ if a == b => a,
        _ => own,
    }
}

fn all(bits: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for bit in bits {
        match bit {
            Some(false) => return bit,
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

fn any(bits: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(bits.into_iter().map(|bit| bit.map(|bit| !bit))).map(|none| !none)
}

fn xor(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    a.zip(b).map(|(a, b)| a != b)
}

fn extended(bits: &[Bit], width: usize, fill: Bit) -> Vec<Bit> {
    bits.iter().copied().chain(std::iter::repeat(fill)).take(width).collect()
}

/// By a constant amount it is wiring; by another one, zeros at the end that is left stay zeros.
fn shifted(op: BinaryOp, value: &[Bit], by: Option<u64>, own: &[Bit]) -> Vec<Bit> {
    let (width, zero) = (value.len(), Bit::Constant(false));
    let fill = if op == BinaryOp::ShrS { value[width - 1] } else { zero };
    match (by.map(|by| usize::try_from(by).unwrap_or(width).min(width)), op) {
        (Some(by), BinaryOp::Shl) => [&vec![zero; by][..], &value[..width - by]].concat(),
        (Some(by), _) => extended(&value[by..], width, fill),
        (None, BinaryOp::Shl) => {
            let zeros = value.iter().take_while(|bit| **bit == zero).count();
            [&vec![zero; zeros][..], &own[zeros..]].concat()
        }
        (None, _) => {
            let zeros = value.iter().rev().take_while(|bit| **bit == zero).count();
            [&own[..width - zeros], &vec![zero; zeros][..]].concat()
        }
    }
}

/// Whether two words are different.
fn differ(a: &[Option<bool>], b: &[Option<bool>]) -> Option<bool> {
    any(a.iter().zip(b).map(|(&a, &b)| xor(a, b)))
}

/// Sum, or difference; a bit to which nothing is added is passed on.
fn sum(a: &[Bit], b: &[Bit], subtract: bool, own: Vec<Bit>) -> Vec<Bit> {
    let mut carry = Some(subtract);
    let each = a.iter().zip(b).zip(own).map(|((&a, &b), own)| {
        let (x, y) = (a.value(), b.value().map(|bit| bit != subtract));
        let sum = match (x, y, carry) {
            (None, Some(y), Some(c)) if y == c => a,
            (Some(x), None, Some(c)) if x == c && !subtract => b,
            _ => xor(xor(x, y), carry).map_or(own, Bit::Constant),
        };
        carry = any([all([x, y]), all([x, carry]), all([y, carry])]);
        sum
    });
    each.collect()
}

/// Zeros below and above are those of both factors.
fn product(a: &[Option<bool>], b: &[Option<bool>], width: usize) -> Vec<Option<bool>> {
    let below = |bits: &[Option<bool>]| bits.iter().take_while(|bit| **bit == Some(false)).count();
    let above = |bits: &[Option<bool>]| bits.len() - bits.iter().rev().take_while(|bit| **bit == Some(false)).count();
    let (low, high) = (below(a) + below(b), above(a) + above(b));
    (0..width).map(|bit| if bit < low || bit >= high { Some(false) } else { None }).collect()
}
