//! What operators are made of, bit by bit, as synthesis builds them: constants are carried through, first ones, sums of
//! several words, choices of many and tables are known.

use super::{
    bit_sources::{Bit, BitSources, constant},
    leaves::{Leaf, Leaves},
    operator_shapes::{Shape, shapes},
    structure::Used,
};
use hdl::*;
use rustc_hash::FxHashMap;

/// A module whose operators are counted.
pub(crate) struct OperatorLeaves<'a> {
    module: &'a ModuleDef,
    used: &'a Used,
    bits: BitSources,
    shapes: FxHashMap<ExprId, Shape>,
    /// Per expression: whether it is part of a shape that is counted as a whole.
    inside: Vec<bool>,
    /// Per expression: rows of the table of constants that it is, 0 for what is none.
    rows: Vec<u64>,
    /// Choices that are the next value of a register, or a part of the choice that is, with the register.
    next: FxHashMap<ExprId, NetId>,
}

impl<'a> OperatorLeaves<'a> {
    /// Of a module, of which so much is used.
    pub fn new(module: &'a ModuleDef, used: &'a Used) -> Self {
        let count = module.exprs.len();
        let mut counted = Self {
            module,
            used,
            bits: BitSources::new(module, &used.exprs),
            shapes: shapes(module, used),
            inside: vec![false; count],
            rows: vec![0; count],
            next: FxHashMap::default(),
        };
        counted.mark_inside();
        counted.mark_tables();
        counted.mark_next();
        counted
    }

    /// Whether one operator alone reads an expression.
    fn read_once(&self, id: ExprId) -> bool {
        self.used.readers[id.index()] == 1
    }

    /// What is counted with another operator.
    fn mark_inside(&mut self) {
        // How often an expression is read by shapes that leave nothing of it.
        let mut absorbed = vec![0; self.module.exprs.len()];
        for (&top, shape) in &self.shapes {
            match (shape, &self.module.expr(top).op) {
                (Shape::Cases { arms, .. }, _) => {
                    let mut at = top;
                    for _ in 1..arms.len() {
                        let Op::Mux { otherwise, .. } = self.module.expr(at).op else { break };
                        at = otherwise;
                        self.inside[at.index()] = true;
                    }
                }
                (Shape::Below { .. }, Op::Binary(_, a, b)) => {
                    [a, b].into_iter().for_each(|id| absorbed[id.index()] += 1);
                }
                _ => {}
            }
        }
        // Nothing is left of the subtraction in `x & !(x - 1)`, nor of its complement.
        for i in (0..self.module.exprs.len()).rev() {
            if absorbed[i] == 0 || absorbed[i] != self.used.readers[i] {
                continue;
            }
            match self.module.exprs[i].op {
                Op::Unary(UnaryOp::Not, inner) => {
                    self.inside[i] = true;
                    absorbed[inner.index()] += 1;
                }
                Op::Binary(BinaryOp::Sub, _, one) if constant(self.bits.of(one)) == Some(1) => self.inside[i] = true,
                _ => {}
            }
        }
    }

    /// Choices among constants alone; one that is part of a larger one and read by nothing else is inside of it.
    fn mark_tables(&mut self) {
        let module = self.module;
        for (i, expr) in module.exprs.iter().enumerate().filter(|(i, _)| self.used.exprs[*i]) {
            let Op::Mux { then, otherwise, .. } = expr.op else {
                self.rows[i] = u64::from(constant_word(self.bits.of(ExprId(i as u32))));
                continue;
            };
            let [a, b] = [then, otherwise].map(|id| self.rows[id.index()]);
            if a == 0 || b == 0 || self.shapes.contains_key(&ExprId(i as u32)) || self.inside[i] {
                continue;
            }
            self.rows[i] = a + b;
            for part in [then, otherwise] {
                self.inside[part.index()] |= self.read_once(part);
            }
        }
    }

    /// `when(a) { when(b) { r = x } }` is `a ? (b ? x : r) : r`.
    fn mark_next(&mut self) {
        for net in self.module.registers() {
            let mut todo: Vec<_> = self.module.drivers[net.index()].into_iter().collect();
            while let Some(id) = todo.pop() {
                if let Op::Mux { then, otherwise, .. } = self.module.expr(id).op {
                    self.next.insert(id, net);
                    todo.extend([then, otherwise].into_iter().filter(|part| self.read_once(*part)));
                }
            }
        }
    }

    /// Of an operator, its operands not included.
    pub fn of(&self, id: ExprId) -> Leaves {
        let mut leaves = Leaves::default();
        let expr = self.module.expr(id);
        let out = self.bits.of(id);
        // What is constant, or made elsewhere, takes nothing.
        let made = self.bits.made_by(id);
        if made == 0 || self.inside[id.index()] {
            return leaves;
        }
        match self.shapes.get(&id) {
            Some(Shape::Below { .. }) => {
                leaves.add(Leaf::FirstOne, made.saturating_sub(1));
                return leaves;
            }
            Some(Shape::Cases { arms, default }) => {
                self.cases(arms, *default, out, &mut leaves);
                return leaves;
            }
            Some(Shape::Sum { .. }) | None => {}
        }
        let bits = |id: ExprId| self.bits.of(id);
        let open = |bits: &[Bit]| bits.iter().filter(|bit| bit.value().is_none()).count() as u64;
        match &expr.op {
            Op::Const(_) | Op::Net(_) | Op::Concat(_) | Op::Slice { .. } | Op::MemRead { .. } => {}
            Op::Unary(op, a) => match op {
                UnaryOp::Not => leaves.add(Leaf::Inverter, made),
                UnaryOp::All | UnaryOp::Any => leaves.add(Leaf::Gate, open(bits(*a)) - 1),
                UnaryOp::Parity => leaves.add(Leaf::Xor, open(bits(*a)) - 1),
                UnaryOp::ZeroExtend | UnaryOp::SignExtend => {}
            },
            Op::Mux { select, then, otherwise } if bits(*select)[0].value().is_none() => {
                self.mux(id, *then, *otherwise, &mut leaves);
            }
            Op::Mux { .. } => {}
            Op::SliceAt { value, offset } => {
                leaves.add(Leaf::ShiftMux, part_at(bits(*value).len(), out.len(), bits(*offset)));
            }
            Op::Binary(op, a, b) => self.binary(*op, bits(*a), bits(*b), out, &mut leaves),
        }
        leaves
    }

    fn mux(&self, id: ExprId, then: ExprId, otherwise: ExprId, leaves: &mut Leaves) {
        let rows = self.rows[id.index()] as f64;
        if rows > 0.0 {
            // Bits of two rows are the index, its complement, or nothing.
            let each = if rows > 2.0 { rows / rows.log2() } else { 0.0 };
            leaves.add_part(Leaf::Table, self.bits.made_by(id) as f64 * each);
            return;
        }
        // One of two choices that have a value in common, where nothing else reads the inner one.
        let common = |inner: ExprId, other: ExprId| match self.module.expr(inner).op {
            Op::Mux { then, otherwise, .. } => self.read_once(inner) && (then == other || otherwise == other),
            _ => false,
        };
        if common(then, otherwise) || common(otherwise, then) {
            leaves.add(Leaf::Gate, 1);
            return;
        }
        for (a, b) in self.bits.of(then).iter().zip(self.bits.of(otherwise)) {
            match (a.value(), b.value()) {
                _ if a == b => {}
                _ if self.is_kept(id, *a) || self.is_kept(id, *b) => leaves.add(Leaf::Enable, 1),
                (None, None) => leaves.add(Leaf::Mux, 1),
                (Some(_), None) | (None, Some(_)) => leaves.add(Leaf::Gate, 1),
                (Some(_), Some(_)) => {}
            }
        }
    }

    /// Whether a bit is of the register whose next value the expression chooses.
    fn is_kept(&self, chosen: ExprId, bit: Bit) -> bool {
        let Bit::Made(id, _) = bit else { return false };
        matches!(self.module.expr(id).op, Op::Net(net) if self.next.get(&chosen) == Some(&net))
    }

    /// A sum of products: of each arm that may be other than zero.
    fn cases(&self, arms: &[(ExprId, ExprId)], default: ExprId, out: &[Bit], leaves: &mut Leaves) {
        let values: Vec<_> = arms.iter().map(|(_, value)| self.bits.of(*value)).collect();
        let default = self.bits.of(default);
        for bit in (0..out.len()).filter(|bit| out[*bit].value().is_none()) {
            let all = || values.iter().map(|value| value[bit].value()).chain([default[bit].value()]);
            let open = all().filter(Option::is_none).count() as u64;
            let [ones, zeros] = [true, false].map(|value| all().filter(|bit| *bit == Some(value)).count() as u64);
            leaves.add(Leaf::Arm, open);
            // Of constants the fewer are decoded.
            let decoded = if open > 0 { ones } else { ones.min(zeros).saturating_sub(1) };
            leaves.add(Leaf::Gate, decoded);
        }
    }

    fn binary(&self, op: BinaryOp, a: &[Bit], b: &[Bit], out: &[Bit], leaves: &mut Leaves) {
        let pairs = || a.iter().zip(b).map(|(a, b)| (a.value(), b.value()));
        let both = pairs().filter(|pair| *pair == (None, None)).count() as u64;
        let one = pairs().filter(|(a, b)| a.is_none() != b.is_none()).count() as u64;
        match op {
            BinaryOp::And | BinaryOp::Or => leaves.add(Leaf::Gate, both),
            BinaryOp::Xor => leaves.add(Leaf::Xor, both),
            BinaryOp::Add | BinaryOp::Sub => {
                let mut carry = Some(op == BinaryOp::Sub);
                for (out, (a, b)) in out.iter().zip(pairs()) {
                    let b = if op == BinaryOp::Sub { b.map(|bit| !bit) } else { b };
                    let leaf = match ([a, b, carry].iter().flatten().count(), out.value()) {
                        (_, Some(_)) | (3, _) => None,
                        // One bit changes, alone.
                        (2, None) => Some(Leaf::Inverter)
                            .filter(|_| [a, b, carry].iter().flatten().filter(|bit| **bit).count() == 1),
                        (1, None) => Some(Leaf::HalfAdder),
                        (_, None) => Some(if a.is_none() && b.is_none() { Leaf::FullAdder } else { Leaf::HalfAdder }),
                    };
                    leaf.into_iter().for_each(|leaf| leaves.add(leaf, 1));
                    carry = majority(a, b, carry);
                }
            }
            BinaryOp::Mul => {
                let mut heights = vec![0u64; out.len()];
                for (i, _) in a.iter().enumerate().filter(|(_, bit)| bit.value() != Some(false)) {
                    for (j, _) in b.iter().enumerate().filter(|(_, bit)| bit.value() != Some(false)) {
                        if let Some(height) = heights.get_mut(i + j) {
                            *height += 1;
                        }
                    }
                }
                let partial: u64 = heights.iter().sum();
                let columns = heights.iter().filter(|height| **height > 0).count() as u64;
                let by_constant = constant(a).or(constant(b)).is_some();
                leaves.add(Leaf::Gate, if by_constant { 0 } else { partial });
                leaves.add(Leaf::ProductAdder, partial - columns);
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                leaves.add(Leaf::Equal, both);
                leaves.add(Leaf::EqualConstant, one);
            }
            BinaryOp::LtU | BinaryOp::LtS => {
                leaves.add(Leaf::Less, both);
                leaves.add(Leaf::LessConstant, one);
            }
            BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS => self.shift(op, a, b, out, leaves),
        }
    }

    /// A level of multiplexers for each bit of the amount that may be one and does not shift all out.
    fn shift(&self, op: BinaryOp, a: &[Bit], b: &[Bit], out: &[Bit], leaves: &mut Leaves) {
        if constant(b).is_some() {
            return;
        }
        let open = out.iter().filter(|bit| bit.value().is_none()).count();
        if constant(a).is_some() {
            // A decoder.
            leaves.add(Leaf::Gate, open as u64);
            return;
        }
        for (place, _) in b.iter().enumerate().filter(|(_, bit)| bit.value().is_none()) {
            let distance = if place < 32 { 1usize << place } else { usize::MAX };
            // Where zeros come in there is a gate.
            let filled = distance.min(open) as u64;
            let fills = op != BinaryOp::ShrS;
            match distance < a.len() {
                true => {
                    leaves.add(Leaf::ShiftMux, open as u64 - if fills { filled } else { 0 });
                    leaves.add(Leaf::Gate, if fills { filled } else { 0 });
                }
                false => leaves.add(Leaf::Gate, 1),
            }
        }
    }
}

/// What most of three are, if that is known.
fn majority(a: Option<bool>, b: Option<bool>, c: Option<bool>) -> Option<bool> {
    [a, b, c]
        .into_iter()
        .find(|bit| bit.is_some() && [a, b, c].iter().filter(|other| *other == bit).count() > 1)
        .flatten()
}

/// Whether no bit changes.
fn constant_word(bits: &[Bit]) -> bool {
    bits.iter().all(|bit| bit.value().is_some())
}

/// Multiplexers that choose `width` bits at an offset: the highest bit of the offset halves the value first.
fn part_at(value: usize, width: usize, offset: &[Bit]) -> u64 {
    let open = |place: &usize| offset[*place].value().is_none() && *place < 32 && 1usize << place < value;
    let places = (0..offset.len()).filter(open);
    let left = |place: usize| {
        // After this level so many bits can still be chosen.
        let below: usize = (0..place).filter(open).map(|low| 1usize << low).sum();
        (width + below).min(value - (1 << place))
    };
    places.map(|place| left(place) as u64).sum()
}
