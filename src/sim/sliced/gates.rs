//! Boolean networks: one-bit gates, hash-consed and simplified as they are made.
//!
//! Equal gates are one node, constants and repeated operands are folded, and a gate under another one with the same
//! operand is replaced by what it is worth there (`a & (a ^ b)` is `a & !b`): what carry chains of `x & (x - 1)` leave
//! behind disappears. Each rule is an identity of boolean algebra, so the function of every node stays what it was.

use rustc_hash::FxHashMap;

/// A gate; operands come before their users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    Zero,
    One,
    /// A value from outside, numbered by the owner of the network.
    Leaf(u32),
    Not(Bit),
    And(Bit, Bit),
    Or(Bit, Bit),
    Xor(Bit, Bit),
    /// Select, then, otherwise.
    Mux(Bit, Bit, Bit),
}

/// A node of a network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Bit(pub u32);

/// A boolean network.
#[derive(Debug)]
pub(super) struct Gates {
    pub nodes: Vec<Gate>,
    known: FxHashMap<Gate, Bit>,
}

pub(super) const ZERO: Bit = Bit(0);
pub(super) const ONE: Bit = Bit(1);

impl Gates {
    pub fn new() -> Self {
        Self { nodes: vec![Gate::Zero, Gate::One], known: FxHashMap::default() }
    }

    pub fn gate(&self, bit: Bit) -> Gate {
        self.nodes[bit.0 as usize]
    }

    fn make(&mut self, gate: Gate) -> Bit {
        *self.known.entry(gate).or_insert_with(|| {
            self.nodes.push(gate);
            Bit(self.nodes.len() as u32 - 1)
        })
    }

    pub fn leaf(&mut self, number: u32) -> Bit {
        self.make(Gate::Leaf(number))
    }

    pub fn constant(value: bool) -> Bit {
        if value { ONE } else { ZERO }
    }

    pub fn not(&mut self, a: Bit) -> Bit {
        match self.gate(a) {
            Gate::Zero => ONE,
            Gate::One => ZERO,
            Gate::Not(b) => b,
            _ => self.make(Gate::Not(a)),
        }
    }

    /// Is `a` the complement of `b`?
    fn opposite(&self, a: Bit, b: Bit) -> bool {
        self.gate(a) == Gate::Not(b) || self.gate(b) == Gate::Not(a)
    }

    /// What `a` is worth where `given` is `value`, as far as one look inside tells.
    fn under(&mut self, a: Bit, given: Bit, value: bool) -> Bit {
        let worth = |s: &Self, x: Bit| {
            if x == given {
                Some(value)
            } else if s.opposite(x, given) {
                Some(!value)
            } else {
                None
            }
        };
        if let Some(known) = worth(self, a) {
            return Self::constant(known);
        }
        match self.gate(a) {
            Gate::And(x, y) => match (worth(self, x), worth(self, y)) {
                (Some(false), _) | (_, Some(false)) => ZERO,
                (Some(true), _) => y,
                (_, Some(true)) => x,
                _ => a,
            },
            Gate::Or(x, y) => match (worth(self, x), worth(self, y)) {
                (Some(true), _) | (_, Some(true)) => ONE,
                (Some(false), _) => y,
                (_, Some(false)) => x,
                _ => a,
            },
            Gate::Xor(x, y) => match (worth(self, x), worth(self, y)) {
                (Some(true), _) => self.not(y),
                (Some(false), _) => y,
                (_, Some(true)) => self.not(x),
                (_, Some(false)) => x,
                _ => a,
            },
            Gate::Mux(s, t, o) => match worth(self, s) {
                Some(true) => t,
                Some(false) => o,
                None => a,
            },
            _ => a,
        }
    }

    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let b2 = self.under(b, a, true);
        let a2 = if b2 == b { self.under(a, b, true) } else { a };
        if (a2, b2) != (a, b) {
            return self.and(a2, b2);
        }
        match (a, b) {
            (ZERO, _) | (_, ZERO) => ZERO,
            (ONE, x) | (x, ONE) => x,
            _ => self.make(Gate::And(a.min(b), a.max(b))),
        }
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        let b2 = self.under(b, a, false);
        let a2 = if b2 == b { self.under(a, b, false) } else { a };
        if (a2, b2) != (a, b) {
            return self.or(a2, b2);
        }
        match (a, b) {
            (ONE, _) | (_, ONE) => ONE,
            (ZERO, x) | (x, ZERO) => x,
            _ => self.make(Gate::Or(a.min(b), a.max(b))),
        }
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        match (self.gate(a), self.gate(b)) {
            _ if a == b => ZERO,
            (Gate::Zero, _) => b,
            (_, Gate::Zero) => a,
            (Gate::One, _) => self.not(b),
            (_, Gate::One) => self.not(a),
            (Gate::Not(x), Gate::Not(y)) => self.xor(x, y),
            (Gate::Not(x), _) => {
                let both = self.xor(x, b);
                self.not(both)
            }
            (_, Gate::Not(y)) => {
                let both = self.xor(a, y);
                self.not(both)
            }
            _ => self.make(Gate::Xor(a.min(b), a.max(b))),
        }
    }

    pub fn mux(&mut self, select: Bit, then: Bit, otherwise: Bit) -> Bit {
        if let Gate::Not(inner) = self.gate(select) {
            return self.mux(inner, otherwise, then);
        }
        let then = self.under(then, select, true);
        let otherwise = self.under(otherwise, select, false);
        match (select, then, otherwise) {
            (ONE, t, _) => t,
            (ZERO, _, o) => o,
            (_, t, o) if t == o => t,
            (s, ONE, o) => self.or(s, o),
            (s, t, ZERO) => self.and(s, t),
            (s, ZERO, o) => {
                let not = self.not(s);
                self.and(not, o)
            }
            (s, t, ONE) => {
                let not = self.not(s);
                self.or(not, t)
            }
            (s, t, o) if self.opposite(t, o) => self.xor(s, o),
            (s, t, o) => self.make(Gate::Mux(s, t, o)),
        }
    }

    /// AND (`all`) or OR of all bits, as a balanced tree.
    pub fn reduce(&mut self, bits: &[Bit], all: bool) -> Bit {
        match bits {
            [] => Self::constant(all),
            [one] => *one,
            _ => {
                let (low, high) = bits.split_at(bits.len() / 2);
                let (low, high) = (self.reduce(low, all), self.reduce(high, all));
                if all { self.and(low, high) } else { self.or(low, high) }
            }
        }
    }

    /// Operands of a gate.
    pub fn operands(gate: Gate) -> impl Iterator<Item = Bit> {
        let list = match gate {
            Gate::Zero | Gate::One | Gate::Leaf(_) => [None; 3],
            Gate::Not(a) => [Some(a), None, None],
            Gate::And(a, b) | Gate::Or(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        list.into_iter().flatten()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a network computes from values of its leaves, bit by bit.
    pub fn evaluate(gates: &Gates, bit: Bit, leaves: &[u64]) -> u64 {
        let of = |bit| evaluate(gates, bit, leaves);
        match gates.gate(bit) {
            Gate::Zero => 0,
            Gate::One => u64::MAX,
            Gate::Leaf(number) => leaves[number as usize],
            Gate::Not(a) => !of(a),
            Gate::And(a, b) => of(a) & of(b),
            Gate::Or(a, b) => of(a) | of(b),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Mux(s, t, o) => of(s) & of(t) | !of(s) & of(o),
        }
    }

    /// A network over so many leaves, and all its values: a step is a kind of gate and its operands.
    pub fn random_gates(leaves: u32, steps: &[(u8, usize, usize, usize)]) -> (Gates, Vec<Bit>) {
        let mut gates = Gates::new();
        let mut bits: Vec<Bit> = (0..leaves).map(|number| gates.leaf(number)).collect();
        for &(kind, a, b, c) in steps {
            let of = |n: usize| bits[n % bits.len()];
            let (a, b, c) = (of(a), of(b), of(c));
            bits.push(match kind {
                0 => gates.not(a),
                1 => gates.and(a, b),
                2 => gates.or(a, b),
                3 => gates.xor(a, b),
                _ => gates.mux(a, b, c),
            });
        }
        (gates, bits)
    }
}
