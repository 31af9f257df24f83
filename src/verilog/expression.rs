//! Terms as text, with as few parentheses as the precedence of Verilog's operators allows.

use super::{
    names::{ModuleNames, identifier},
    terms::{Infix, Reduce, Term, TermId, Terms},
};
use hdl::*;
use rustc_hash::FxHashMap;
use std::{cell::RefCell, collections::BTreeSet};

/// Binding strength: names and calls bind most.
const PRIMARY: u8 = 14;
const UNARY: u8 = 13;
/// Reductions stand in parentheses inside other operators: `a & (|b)`.
const REDUCE: u8 = 3;
const TERNARY: u8 = 2;

fn strength(op: Infix) -> u8 {
    match op {
        Infix::Mul => 12,
        Infix::Add | Infix::Sub => 11,
        Infix::Shl | Infix::Shr | Infix::ShrSigned => 10,
        Infix::Lt | Infix::Ge | Infix::LtSigned | Infix::GeSigned => 9,
        Infix::Eq | Infix::Ne => 8,
        Infix::And => 7,
        Infix::Xor => 6,
        Infix::Or => 5,
    }
}

fn symbol(op: Infix) -> &'static str {
    match op {
        Infix::Mul => "*",
        Infix::Add => "+",
        Infix::Sub => "-",
        Infix::Shl => "<<",
        Infix::Shr => ">>",
        Infix::ShrSigned => ">>>",
        Infix::Lt | Infix::LtSigned => "<",
        Infix::Ge | Infix::GeSigned => ">=",
        Infix::Eq => "==",
        Infix::Ne => "!=",
        Infix::And => "&",
        Infix::Xor => "^",
        Infix::Or => "|",
    }
}

/// A constant: binary for one bit, hexadecimal for more.
pub(super) fn literal(bits: &Bits) -> String {
    if bits.width() == 1 { format!("1'b{}", bits.to_u64()) } else { bits.to_string() }
}

/// `[high:low]` of a declaration, nothing for one bit.
pub(super) fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// Bits of a name: `name[3]`, `name[7:4]`, or all of it.
pub(super) fn bits_of(name: &str, total: u32, lo: u32, width: u32) -> String {
    match width {
        _ if width == total => name.to_string(),
        1 => format!("{name}[{lo}]"),
        _ => format!("{name}[{}:{lo}]", lo + width - 1),
    }
}

/// Prints terms of one module; `names` holds the wires that stand for terms.
pub(super) struct Expressions<'t, 'm> {
    pub(super) module: &'m ModuleDef,
    pub(super) terms: &'t Terms<'m>,
    pub(super) names: &'t [Option<String>],
    pub(super) constants: &'t ValueConstants,
}

/// Names of values in the text of a module.
#[derive(Debug, Default)]
pub(super) struct ValueConstants {
    /// That are nothing else in the module.
    names: FxHashMap<String, Bits>,
    /// That were printed.
    used: RefCell<BTreeSet<String>>,
}

impl ValueConstants {
    /// Of a module with these names; they are taken from now on.
    pub(super) fn new(module: &ModuleDef, taken: &mut ModuleNames) -> Self {
        let mut names = FxHashMap::default();
        for values in &module.values {
            for (name, value) in values.all() {
                if taken.take(&name) {
                    names.insert(name, value);
                }
            }
        }
        Self { names, used: RefCell::default() }
    }

    /// The constant as it is written where values have such names.
    pub(super) fn text(&self, values: Option<&ValueNames>, value: &Bits) -> String {
        let name = values.and_then(|values| values.name(value)).filter(|name| self.names.get(name) == Some(value));
        name.map_or_else(
            || literal(value),
            |name| {
                self.used.borrow_mut().insert(name.clone());
                name
            },
        )
    }

    /// Those that were printed so far.
    pub(super) fn used(&self) -> BTreeSet<String> {
        self.used.borrow().clone()
    }

    /// Declarations of those that were printed and are not among `declared`, in the order of their values.
    pub(super) fn declarations(&self, declared: &BTreeSet<String>) -> String {
        let used = self.used();
        let mut all: Vec<_> = used.difference(declared).map(|name| (name, &self.names[name])).collect();
        all.sort_by_key(|(name, value)| (name.split('_').next(), value.to_u64(), *name));
        let line = |(name, value): &(&String, &Bits)| {
            format!("  localparam {}{name} = {};\n", range(value.width()), literal(value))
        };
        all.iter().map(line).collect()
    }
}

impl Expressions<'_, '_> {
    /// The term where it is read: its name, when it has one.
    pub(super) fn text(&self, id: TermId) -> String {
        self.part(id, 0)
    }

    /// What the term is, for the declaration of its name.
    pub(super) fn definition(&self, id: TermId) -> String {
        self.spelled(id).0
    }

    /// The term as an index. An index has its own width, but Icarus 11 computes sums and products in one wider: braces keep them.
    pub(super) fn index(&self, id: TermId) -> String {
        if self.grows(id) { format!("{{{}}}", self.text(id)) } else { self.text(id) }
    }

    /// There is arithmetic in it that wraps at its own width.
    fn grows(&self, id: TermId) -> bool {
        use Infix::*;
        if self.names[id.index()].is_some() {
            return false;
        }
        match self.terms.term(id) {
            Term::Infix(Add | Sub | Mul | Shl, ..) => true,
            Term::Infix(And | Or | Xor, a, b) | Term::Mux(_, a, b) => self.grows(*a) || self.grows(*b),
            Term::Infix(Shr, a, _) | Term::Not(a) => self.grows(*a),
            _ => false,
        }
    }

    /// The term is a constant, and a value of `word` that has a name.
    fn is_named_value(&self, word: TermId, id: TermId) -> bool {
        let named = |values: &ValueNames| match self.terms.term(id) {
            Term::Const(bits) => values.name(bits).is_some(),
            _ => false,
        };
        self.names[id.index()].is_none() && self.terms.value_names(word).is_some_and(named)
    }

    /// A value whose constants have these names: a constant, or a choice of some.
    pub(super) fn value(&self, values: Option<&ValueNames>, id: TermId) -> String {
        match (self.terms.term(id), values) {
            _ if self.names[id.index()].is_some() => self.text(id),
            (Term::Const(bits), Some(_)) => self.constants.text(values, bits),
            (Term::Mux(select, then, otherwise), Some(_)) => {
                let [then, otherwise] = [then, otherwise].map(|id| self.value(values, *id));
                let is_plain = |text: &str| !text.contains(' ');
                let then = if is_plain(&then) { then } else { format!("({then})") };
                format!("{} ? {then} : {otherwise}", self.part(*select, UNARY))
            }
            _ => self.text(id),
        }
    }

    fn part(&self, id: TermId, least: u8) -> String {
        if let Some(name) = &self.names[id.index()] {
            return name.clone();
        }
        let (text, own) = self.spelled(id);
        if own < least { format!("({text})") } else { text }
    }

    /// An operand of `op`. Parentheses also stand where precedence is right but readers err: other operators inside shifts,
    /// comparisons and bitwise operators (but not AND inside OR).
    fn operand(&self, op: Infix, id: TermId, right: bool) -> String {
        use Infix::*;
        let own = strength(op);
        let least = match (op, self.terms.term(id)) {
            (And | Or | Xor | Add | Mul, Term::Infix(inner, ..)) if *inner == op => own,
            (Or, Term::Infix(And, ..)) => own,
            (And | Or | Xor | Shl | Shr | Eq | Ne | Lt | Ge, _) => UNARY,
            _ => own + u8::from(right),
        };
        self.part(id, least)
    }

    fn spelled(&self, id: TermId) -> (String, u8) {
        match self.terms.term(id) {
            Term::Const(bits) => (literal(bits), PRIMARY),
            Term::Net(net) => (identifier(&self.module.net(*net).name), PRIMARY),
            Term::Not(a) => {
                let symbol = if self.terms.width(id) == 1 { "!" } else { "~" };
                (format!("{symbol}{}", self.part(*a, PRIMARY)), UNARY)
            }
            Term::Reduce(op, a) => {
                let symbol = match op {
                    Reduce::And => "&",
                    Reduce::Or => "|",
                    Reduce::Xor => "^",
                };
                (format!("{symbol}{}", self.part(*a, PRIMARY)), REDUCE)
            }
            Term::Infix(op @ (Infix::LtSigned | Infix::GeSigned), a, b) => {
                let text = format!("$signed({}) {} $signed({})", self.text(*a), symbol(*op), self.text(*b));
                (text, strength(*op))
            }
            // Always the whole definition of a name: no unsigned operand may stand beside it.
            Term::Infix(Infix::ShrSigned, a, b) => {
                (format!("$signed({}) >>> {}", self.text(*a), self.part(*b, UNARY)), strength(Infix::ShrSigned))
            }
            Term::Infix(op @ (Infix::Eq | Infix::Ne), a, b) if self.is_named_value(*a, *b) => {
                let values = self.terms.value_names(*a);
                (format!("{} {} {}", self.operand(*op, *a, false), symbol(*op), self.value(values, *b)), strength(*op))
            }
            Term::Infix(op, a, b) => {
                let (left, right) = (self.operand(*op, *a, false), self.operand(*op, *b, true));
                (format!("{left} {} {right}", symbol(*op)), strength(*op))
            }
            Term::Mux(select, then, otherwise) => {
                let (select, then) = (self.part(*select, UNARY), self.part(*then, TERNARY + 1));
                (format!("{select} ? {then} : {}", self.part(*otherwise, TERNARY)), TERNARY)
            }
            Term::Table { .. } => unreachable!("a table has a name, which statements define"),
            Term::Concat(parts) => {
                let parts: Vec<_> = parts.iter().map(|&p| self.text(p)).collect();
                (format!("{{{}}}", parts.join(", ")), PRIMARY)
            }
            Term::Repeat(count, a) => (format!("{{{count}{{{}}}}}", self.text(*a)), PRIMARY),
            Term::Slice { base, lo } => {
                let name = self.part(*base, PRIMARY);
                (bits_of(&name, self.terms.width(*base), *lo, self.terms.width(id)), PRIMARY)
            }
            Term::Index { base, offset } => {
                let (name, offset) = (self.part(*base, PRIMARY), self.index(*offset));
                let text = match self.terms.width(id) {
                    1 => format!("{name}[{offset}]"),
                    width => format!("{name}[{offset} +: {width}]"),
                };
                (text, PRIMARY)
            }
            Term::Word { memory, index } => {
                let memory = &self.module.memories[memory.index()];
                (format!("{}[{}]", identifier(&memory.name), self.index(*index)), PRIMARY)
            }
        }
    }
}
