//! Terms: expressions in the form in which Verilog can say them.
//!
//! An [`Expr`] has the meaning that [`Op`] defines for every operand value; a Verilog operator often has that meaning
//! only under conditions (an index within bounds and of the exact width, a shift amount of at most 32 bits, a name to
//! take a slice of). Here each expression becomes terms for which the conditions hold: slices are resolved through
//! joins and extensions, reads outside a memory or beyond a vector are guarded, extensions become joins. All operands
//! of a term have the width that Verilog would give them anyway, so that no context ever widens one.

use hdl::*;
use rustc_hash::FxHashMap;

/// A term of one module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct TermId(u32);

impl TermId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Reduction operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Reduce {
    And,
    Or,
    Xor,
}

/// Operators between two terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Infix {
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Eq,
    Ne,
    Lt,
    Ge,
    LtSigned,
    GeSigned,
    Shl,
    Shr,
    ShrSigned,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Term {
    Const(Bits),
    Net(NetId),
    Not(TermId),
    Reduce(Reduce, TermId),
    Infix(Infix, TermId, TermId),
    /// Select, then, otherwise.
    Mux(TermId, TermId, TermId),
    /// One of 2^n rows, by an index of n bits. It has a name, as Verilog says it in a statement (`case`).
    Table {
        index: TermId,
        rows: Vec<TermId>,
    },
    Concat(Vec<TermId>),
    Repeat(u32, TermId),
    /// Bits from `lo` on of a term that has a name.
    Slice {
        base: TermId,
        lo: u32,
    },
    /// Bits from variable `offset` on of a term that has a name; never beyond its end, `offset` of the exact width.
    Index {
        base: TermId,
        offset: TermId,
    },
    /// A word of a memory, `index` of the exact width; unknown when beyond the depth.
    Word {
        memory: MemId,
        index: TermId,
    },
}

impl Term {
    /// Calls `visit` for each operand.
    pub(super) fn for_each_operand(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Term::Const(_) | Term::Net(_) => {}
            Term::Not(a) | Term::Reduce(_, a) | Term::Repeat(_, a) | Term::Slice { base: a, .. } => visit(*a),
            Term::Word { index, .. } => visit(*index),
            Term::Infix(_, a, b) | Term::Index { base: a, offset: b } => [*a, *b].into_iter().for_each(visit),
            Term::Mux(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Term::Table { index, rows } => std::iter::once(index).chain(rows).copied().for_each(visit),
            Term::Concat(parts) => parts.iter().copied().for_each(visit),
        }
    }
}

/// A table has so many rows at least: fewer are read on a line.
const FEWEST_ROWS: usize = 8;

/// A choice by consecutive bits of a word: all of 2^n rows.
#[derive(Clone)]
struct Tree {
    /// Of the bits.
    base: TermId,
    lo: u32,
    rows: Vec<TermId>,
}

impl Tree {
    /// How many bits choose.
    fn bits(&self) -> u32 {
        self.rows.len().ilog2()
    }
}

/// The terms of one module; operands come before their users.
pub(super) struct Terms<'a> {
    module: &'a ModuleDef,
    nodes: Vec<(Term, u32)>,
    /// Per term: see [`Self::varies`].
    varies: Vec<bool>,
    interned: FxHashMap<(Term, u32), TermId>,
    of_expr: FxHashMap<ExprId, TermId>,
    /// Choices by bits of one word.
    trees: FxHashMap<TermId, Tree>,
    /// Fields of the words that are bundles: where each begins.
    fields: FxHashMap<NetId, Vec<(u32, Field)>>,
}

impl<'a> Terms<'a> {
    pub(super) fn new(module: &'a ModuleDef) -> Self {
        Self {
            module,
            nodes: vec![],
            varies: vec![],
            interned: FxHashMap::default(),
            of_expr: FxHashMap::default(),
            trees: FxHashMap::default(),
            fields: module.fields(),
        }
    }

    pub(super) fn term(&self, id: TermId) -> &Term {
        &self.nodes[id.index()].0
    }

    pub(super) fn width(&self, id: TermId) -> u32 {
        self.nodes[id.index()].1
    }

    /// A net or a word is in it.
    pub(super) fn varies(&self, id: TermId) -> bool {
        self.varies[id.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        (0..self.nodes.len() as u32).map(TermId)
    }

    pub(super) fn add(&mut self, term: Term, width: u32) -> TermId {
        *self.interned.entry((term, width)).or_insert_with_key(|node| {
            let mut varies = matches!(node.0, Term::Net(_) | Term::Word { .. });
            node.0.for_each_operand(|operand| varies |= self.varies[operand.index()]);
            self.varies.push(varies);
            self.nodes.push(node.clone());
            TermId(self.nodes.len() as u32 - 1)
        })
    }

    /// The term, if it is among these already.
    pub(super) fn find(&self, term: &Term, width: u32) -> Option<TermId> {
        self.interned.get(&(term.clone(), width)).copied()
    }

    /// AND or OR, without operands that change nothing (conditions recorded by generators are full of them).
    pub(super) fn gate(&mut self, op: Infix, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (neutral, decisive) = match op {
            Infix::And => (Bits::ones(width), Bits::zero(width)),
            _ => (Bits::zero(width), Bits::ones(width)),
        };
        for (one, other) in [(a, b), (b, a)] {
            match self.term(one) {
                Term::Const(bits) if *bits == neutral => return other,
                Term::Const(bits) if *bits == decisive => return one,
                _ => {}
            }
        }
        self.add(Term::Infix(op, a, b), width)
    }

    pub(super) fn constant(&mut self, width: u32, value: u64) -> TermId {
        self.add(Term::Const(Bits::new(width, value)), width)
    }

    pub(super) fn net(&mut self, id: NetId) -> TermId {
        self.add(Term::Net(id), self.module.net(id).width)
    }

    /// The term of an expression; operands first, without recursion, as expressions may be deep.
    pub(super) fn of(&mut self, root: ExprId) -> TermId {
        let mut todo = vec![root];
        while let Some(&id) = todo.last() {
            if self.of_expr.contains_key(&id) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            self.module.expr(id).op.for_each_operand(|o| {
                if !self.of_expr.contains_key(&o) {
                    todo.push(o);
                }
            });
            if todo.len() == before {
                let term = self.convert(id);
                self.of_expr.insert(id, term);
                todo.pop();
            }
        }
        self.of_expr[&root]
    }

    fn convert(&mut self, id: ExprId) -> TermId {
        let module = self.module;
        let width = module.expr(id).width;
        match &module.expr(id).op {
            Op::Const(bits) => self.add(Term::Const(bits.clone()), width),
            Op::Net(net) => self.net(*net),
            Op::MemRead { memory, address } => {
                let (index, guard) = self.address(*memory, *address);
                let word = self.add(Term::Word { memory: *memory, index }, width);
                self.guarded(guard, word)
            }
            Op::Unary(op, a) => self.unary(*op, self.of_expr[a], width),
            Op::Binary(op, a, b) => self.binary(*op, self.of_expr[a], self.of_expr[b], width),
            Op::Mux { select, then, otherwise } => {
                let [select, then, otherwise] = [select, then, otherwise].map(|e| self.of_expr[e]);
                match self.term(select) {
                    Term::Const(bits) => {
                        if bits.is_zero() {
                            otherwise
                        } else {
                            then
                        }
                    }
                    _ => self.choice(select, then, otherwise),
                }
            }
            Op::Concat(parts) => {
                let parts = parts.iter().map(|p| self.of_expr[p]).collect();
                self.concat(parts)
            }
            Op::Slice { value, lo } => self.slice(self.of_expr[value], *lo, width),
            Op::SliceAt { value, offset } => self.slice_at(self.of_expr[value], self.of_expr[offset], width),
        }
    }

    /// A multiplexer; where those of a [`select`] are complete, a table.
    fn choice(&mut self, select: TermId, then: TermId, otherwise: TermId) -> TermId {
        let width = self.width(then);
        let Some(tree) = self.tree(select, then, otherwise) else {
            return self.add(Term::Mux(select, then, otherwise), width);
        };
        let Tree { base, lo, ref rows } = tree;
        let made = if rows.len() < FEWEST_ROWS {
            self.add(Term::Mux(select, then, otherwise), width)
        } else {
            let (bits, rows) = (tree.bits(), rows.clone());
            let index = self.slice(base, lo, bits);
            self.add(Term::Table { index, rows }, width)
        };
        self.trees.insert(made, tree);
        made
    }

    fn tree(&self, select: TermId, then: TermId, otherwise: TermId) -> Option<Tree> {
        let &Term::Slice { base, lo: bit } = self.term(select) else { return None };
        if !self.varies(base) {
            // A statement that assigns rows would wait for ever.
            return None;
        }
        let below = |id: TermId| self.trees.get(&id).filter(|tree| tree.base == base && tree.lo + tree.bits() == bit);
        match (below(otherwise), below(then)) {
            (Some(low), Some(high)) if low.lo == high.lo => {
                Some(Tree { base, lo: low.lo, rows: [&low.rows[..], &high.rows[..]].concat() })
            }
            _ => Some(Tree { base, lo: bit, rows: vec![otherwise, then] }),
        }
    }

    /// The complement of a bit.
    pub(super) fn not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Not, a, 1)
    }

    fn unary(&mut self, op: UnaryOp, a: TermId, width: u32) -> TermId {
        let own = self.width(a);
        match op {
            UnaryOp::Not => match *self.term(a) {
                Term::Infix(Infix::Eq, x, y) => self.add(Term::Infix(Infix::Ne, x, y), 1),
                Term::Infix(Infix::Ne, x, y) => self.add(Term::Infix(Infix::Eq, x, y), 1),
                Term::Infix(Infix::Lt, x, y) => self.add(Term::Infix(Infix::Ge, x, y), 1),
                Term::Infix(Infix::LtSigned, x, y) => self.add(Term::Infix(Infix::GeSigned, x, y), 1),
                Term::Const(ref bits) => {
                    let words: Vec<_> = bits.words().iter().map(|w| !w).collect();
                    self.add(Term::Const(Bits::from_words(width, &words)), width)
                }
                _ => self.add(Term::Not(a), width),
            },
            UnaryOp::All | UnaryOp::Any | UnaryOp::Parity if own == 1 => a,
            UnaryOp::All => self.add(Term::Reduce(Reduce::And, a), 1),
            UnaryOp::Any => self.add(Term::Reduce(Reduce::Or, a), 1),
            UnaryOp::Parity => self.add(Term::Reduce(Reduce::Xor, a), 1),
            UnaryOp::ZeroExtend => self.extend(a, width),
            UnaryOp::SignExtend if own == width => a,
            UnaryOp::SignExtend => {
                let sign = self.slice(a, own - 1, 1);
                let copies = width - own + u32::from(own == 1);
                let above = self.repeat(copies, sign);
                if own == 1 { above } else { self.concat(vec![above, a]) }
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId, width: u32) -> TermId {
        // Comparisons that can only come out one way are what linters complain about.
        match op {
            BinaryOp::Eq if a == b => return self.constant(1, 1),
            BinaryOp::Ne | BinaryOp::LtU | BinaryOp::LtS if a == b => return self.constant(1, 0),
            _ => {}
        }
        let infix = match op {
            BinaryOp::And | BinaryOp::Or => {
                return self.gate(if op == BinaryOp::And { Infix::And } else { Infix::Or }, a, b);
            }
            BinaryOp::Xor => Infix::Xor,
            BinaryOp::Add => Infix::Add,
            BinaryOp::Sub => Infix::Sub,
            BinaryOp::Mul => Infix::Mul,
            BinaryOp::Eq => Infix::Eq,
            BinaryOp::Ne => Infix::Ne,
            BinaryOp::LtU => {
                let nothing_below = matches!(self.term(b), Term::Const(c) if c.is_zero());
                let nothing_above = matches!(self.term(a), Term::Const(c) if *c == Bits::ones(c.width()));
                if nothing_below || nothing_above {
                    return self.constant(1, 0);
                }
                Infix::Lt
            }
            BinaryOp::LtS => Infix::LtSigned,
            BinaryOp::Shl => return self.shift(Infix::Shl, a, b, width),
            BinaryOp::ShrU => return self.shift(Infix::Shr, a, b, width),
            BinaryOp::ShrS => return self.shift(Infix::ShrSigned, a, b, width),
        };
        self.add(Term::Infix(infix, a, b), width)
    }

    /// Shifts whose amount has at most 32 bits mean in Verilog what they mean here; the bits above are tested apart.
    fn shift(&mut self, op: Infix, a: TermId, amount: TermId, width: u32) -> TermId {
        let own = self.width(amount);
        let enough = index_width(width as usize + 1);
        if let Term::Const(bits) = self.term(amount) {
            let bits = bits.clone();
            if !(0..own).any(|i| i >= 32 && bits.bit(i)) && bits.slice(0, 32).to_u64() < u64::from(width) {
                let amount = self.constant(enough, bits.to_u64());
                return self.add(Term::Infix(op, a, amount), width);
            }
            return self.shifted_out(op, a, width);
        }
        if own <= enough.max(32) {
            return self.add(Term::Infix(op, a, amount), width);
        }
        let high = self.slice(amount, enough, own - enough);
        let beyond = self.unary(UnaryOp::Any, high, 1);
        let low = self.slice(amount, 0, enough);
        let within = self.add(Term::Infix(op, a, low), width);
        let out = self.shifted_out(op, a, width);
        self.add(Term::Mux(beyond, out, within), width)
    }

    /// The result of shifting everything out.
    fn shifted_out(&mut self, op: Infix, a: TermId, width: u32) -> TermId {
        if op == Infix::ShrSigned {
            let sign = self.slice(a, width - 1, 1);
            self.repeat(width, sign)
        } else {
            self.constant(width, 0)
        }
    }

    fn guarded(&mut self, guard: Option<TermId>, value: TermId) -> TermId {
        let Some(guard) = guard else { return value };
        let width = self.width(value);
        let zero = self.constant(width, 0);
        match self.term(guard) {
            Term::Const(never) if never.is_zero() => zero,
            Term::Const(_) => value,
            _ => self.add(Term::Mux(guard, value, zero), width),
        }
    }

    /// The index that Verilog takes for an address, and, where an address may lie beyond the depth, whether it does not.
    pub(super) fn address(&mut self, memory: MemId, address: ExprId) -> (TermId, Option<TermId>) {
        let address = self.of(address);
        let depth = self.module.memories[memory.index()].depth;
        let (own, exact) = (self.width(address), index_width(depth));
        if own < exact {
            return (self.extend(address, exact), None);
        }
        let guard = (own > exact || !depth.is_power_of_two() || depth == 1).then(|| {
            if let Term::Const(bits) = self.term(address) {
                let inside = bits.slice(64, own.max(65) - 64).is_zero() && bits.to_u64() < depth as u64;
                return self.constant(1, u64::from(inside));
            }
            let depth = self.constant(own, depth as u64);
            self.binary(BinaryOp::LtU, address, depth, 1)
        });
        (self.slice(address, 0, exact), guard)
    }

    /// Verilog's `value[offset +: width]` is unknown where it reaches beyond the end: pad the value until it cannot.
    fn slice_at(&mut self, value: TermId, offset: TermId, width: u32) -> TermId {
        let (own, offset_width) = (self.width(value), self.width(offset));
        if let Term::Const(bits) = self.term(offset) {
            let far = (32..offset_width).any(|i| bits.bit(i)) || bits.slice(0, 32).to_u64() >= u64::from(own);
            let lo = bits.slice(0, 32).to_u64() as u32;
            if far {
                return self.constant(width, 0);
            }
            let inside = width.min(own - lo);
            let part = self.slice(value, lo, inside);
            return self.extend(part, width);
        }
        let useful = offset_width.min(index_width(own as usize));
        let reach = (1 << useful) - 1 + width;
        let padded = self.extend(value, own.max(reach));
        let low = self.slice(offset, 0, useful);
        // What is variable may be above.
        let found = if let Term::Const(bits) = self.term(low) {
            let lo = bits.to_u64() as u32;
            self.slice(padded, lo, width)
        } else {
            let exact = index_width(own.max(reach) as usize);
            let offset = self.extend(low, exact);
            self.add(Term::Index { base: padded, offset }, width)
        };
        let guard = (offset_width > useful).then(|| {
            let high = self.slice(offset, useful, offset_width - useful);
            let beyond = self.unary(UnaryOp::Any, high, 1);
            self.unary(UnaryOp::Not, beyond, 1)
        });
        self.guarded(guard, found)
    }

    fn extend(&mut self, a: TermId, width: u32) -> TermId {
        let own = self.width(a);
        if own == width {
            return a;
        }
        if let Term::Const(bits) = self.term(a) {
            let bits = Bits::from_words(width, bits.words());
            return self.add(Term::Const(bits), width);
        }
        let zeros = self.constant(width - own, 0);
        self.concat(vec![zeros, a])
    }

    fn repeat(&mut self, count: u32, a: TermId) -> TermId {
        let width = self.width(a) * count;
        match (count, self.term(a)) {
            (1, _) => a,
            (_, Term::Const(bits)) => {
                let bits = Bits::concat(&vec![bits.clone(); count as usize]);
                self.add(Term::Const(bits), width)
            }
            _ => self.add(Term::Repeat(count, a), width),
        }
    }

    fn concat(&mut self, parts: Vec<TermId>) -> TermId {
        let width = parts.iter().map(|&p| self.width(p)).sum();
        match parts[..] {
            [one] => one,
            [first, ..] if parts.iter().all(|&p| p == first) => self.repeat(parts.len() as u32, first),
            _ => self.add(Term::Concat(parts), width),
        }
    }

    /// Bits `lo .. lo + width`, taken from where they come from: a slice of a join is the part joined there.
    pub(super) fn slice(&mut self, value: TermId, lo: u32, width: u32) -> TermId {
        let own = self.width(value);
        if lo == 0 && width == own {
            return value;
        }
        match self.term(value).clone() {
            Term::Const(bits) => self.add(Term::Const(bits.slice(lo, width)), width),
            Term::Slice { base, lo: below } => self.slice(base, below + lo, width),
            Term::Repeat(_, bit) if self.width(bit) == 1 => self.repeat(width, bit),
            Term::Concat(parts) => {
                let mut taken = vec![];
                let mut above = own;
                for part in parts {
                    let part_width = self.width(part);
                    let below = above - part_width;
                    let (from, to) = (below.max(lo), above.min(lo + width));
                    if from < to {
                        taken.push(self.slice(part, from - below, to - from));
                    }
                    above = below;
                }
                self.concat(taken)
            }
            Term::Net(net) => {
                let inside = |&(from, field): &(u32, Field)| from <= lo && lo + width <= from + field.width;
                let fields = self.fields.get(&net).into_iter().flatten().copied();
                match fields.filter(inside).min_by_key(|(_, field)| field.width) {
                    Some((from, field)) if field.width > width => {
                        let whole = self.add(Term::Slice { base: value, lo: from }, field.width);
                        self.add(Term::Slice { base: whole, lo: lo - from }, width)
                    }
                    _ => self.add(Term::Slice { base: value, lo }, width),
                }
            }
            _ => self.add(Term::Slice { base: value, lo }, width),
        }
    }

    /// Names of the values of a term, where it is a word, or a part of one, that has some.
    pub(super) fn value_names(&self, id: TermId) -> Option<&'a ValueNames> {
        let (net, lo) = match *self.term(id) {
            Term::Net(net) => (net, 0),
            Term::Slice { base, lo } => match *self.term(base) {
                Term::Net(net) => (net, lo),
                _ => return None,
            },
            _ => return None,
        };
        self.module.value_names(net, lo, self.width(id))
    }

    /// The field of a bundle that a term is, where it is one in a word that has more: name of the word, of the field.
    pub(super) fn field(&self, id: TermId) -> Option<(&'a str, &'static str)> {
        let &Term::Slice { base, lo } = self.term(id) else { return None };
        let &Term::Net(net) = self.term(base) else { return None };
        let is = |(from, field): &&(u32, Field)| (*from, field.width) == (lo, self.width(id));
        let (_, field) = self.fields.get(&net)?.iter().find(is)?;
        Some((&self.module.net(net).name, field.name))
    }
}
