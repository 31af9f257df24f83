//! Boolean networks as lookup tables of three inputs: what one instruction of a processor with ternary logic computes.
//!
//! Every gate gets its *cuts*, sets of at most three values that determine it, with the table of the function in
//! between. A cover takes one cut for each value that is needed, by *area flow* (the tables below a value, shared among
//! its users), as FPGA mappers do. *Legal*, as a cut's table is the function of the gates between: the values that are
//! stored stay what they were.

use super::gates::{Bit, Gate, Gates, ONE, ZERO};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cuts that a gate keeps.
const CUTS: usize = 6;
/// Times that the cover is chosen; after the first with the users that the one before had.
const ROUNDS: usize = 3;
/// Tables of the three inputs themselves.
pub(super) const INPUTS: [u8; 3] = [0xaa, 0xcc, 0xf0];

/// A value as a function of at most three others. Bit `i` of the table is its value where input `k` is bit `k` of `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lut {
    pub value: Bit,
    inputs: [Bit; 3],
    count: u8,
    pub table: u8,
}

impl Lut {
    pub fn inputs(&self) -> &[Bit] {
        &self.inputs[..self.count as usize]
    }
}

/// Values determined by at most three others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cut {
    inputs: [Bit; 3],
    count: u8,
    table: u8,
}

impl Cut {
    fn itself(bit: Bit) -> Self {
        Self { inputs: [bit, ZERO, ZERO], count: 1, table: INPUTS[0] }
    }

    fn inputs(&self) -> &[Bit] {
        &self.inputs[..self.count as usize]
    }

    /// With the inputs of `other` too, if that is not too many.
    fn union(&self, other: &Self) -> Option<Self> {
        let mut all = *self;
        for &input in other.inputs() {
            if !all.inputs().contains(&input) {
                *all.inputs.get_mut(all.count as usize)? = input;
                all.count += 1;
            }
        }
        Some(all)
    }

    /// The table over the inputs of `all`, which include ours.
    fn table_over(&self, all: &Self) -> u8 {
        let place = |input: &Bit| all.inputs().iter().position(|i| i == input).expect("inputs are included");
        let places: Vec<usize> = self.inputs().iter().map(place).collect();
        (0..8u8).fold(0, |table, row| {
            let own = places.iter().enumerate().fold(0, |own, (k, place)| own | (row >> place & 1) << k);
            table | (self.table >> own & 1) << row
        })
    }

    /// Without inputs that do not matter.
    fn reduced(mut self) -> Self {
        let mut k = 0;
        while k < self.count as usize {
            let (mask, distance) = (INPUTS[k], 1 << k);
            if (self.table & mask) >> distance == self.table & !mask {
                let kept: Vec<Bit> =
                    self.inputs().iter().copied().enumerate().filter(|(i, _)| *i != k).map(|i| i.1).collect();
                let mut smaller = Self { inputs: [ZERO; 3], count: kept.len() as u8, table: 0 };
                smaller.inputs[..kept.len()].copy_from_slice(&kept);
                smaller.table = (0..8u8).fold(0, |table, row| {
                    let low = row & ((1 << k) - 1);
                    let here = low | (row & !low) << 1;
                    // Rows beyond the inputs repeat those within.
                    table | (self.table >> (here & 7) & 1) << row
                });
                self = smaller;
            } else {
                k += 1;
            }
        }
        self
    }
}

/// A cover of the networks of `roots`: tables in an order in which inputs come first, following the order of the roots.
/// `leaf` says of a value that it is there already; constants are. `price` is what a table of so many inputs takes; of a
/// gate's own inputs all can be had.
pub(super) fn cover(
    gates: &Gates,
    roots: &[Bit],
    leaf: impl Fn(Bit) -> bool,
    price: impl Fn(usize, u8) -> Option<u32>,
) -> Vec<Lut> {
    let is_leaf = |bit: Bit| bit == ZERO || bit == ONE || matches!(gates.gate(bit), Gate::Leaf(_)) || leaf(bit);
    // All gates, operands first: that is how networks are numbered.
    let mut seen: FxHashSet<Bit> = FxHashSet::default();
    let mut todo: Vec<Bit> = roots.to_vec();
    let mut order = vec![];
    while let Some(bit) = todo.pop() {
        if !is_leaf(bit) && seen.insert(bit) {
            order.push(bit);
            todo.extend(Gates::operands(gates.gate(bit)));
        }
    }
    order.sort_unstable();
    let number: FxHashMap<Bit, usize> = order.iter().enumerate().map(|(n, &bit)| (bit, n)).collect();

    let mut cuts: Vec<Vec<Cut>> = Vec::with_capacity(order.len());
    let mut users = vec![0u32; order.len()];
    for &bit in &order {
        Gates::operands(gates.gate(bit)).filter_map(|o| number.get(&o)).for_each(|&n| users[n] += 1);
    }
    roots.iter().filter_map(|root| number.get(root)).for_each(|&n| users[n] += 1);

    let mut chosen: Vec<Cut> = vec![];
    for round in 0..ROUNDS {
        let mut flow = vec![0f32; order.len()];
        chosen.clear();
        for (n, &bit) in order.iter().enumerate() {
            if round == 0 {
                let of = |operand: Bit| number.get(&operand).map(|&n| &cuts[n][..]);
                let own = cuts_of(bit, gates.gate(bit), of);
                cuts.push(own);
            }
            let below = |cut: &Cut| {
                let inputs = cut.inputs().iter();
                let flow = inputs.map(|i| number.get(i).map_or(0.05, |&n| flow[n])).sum::<f32>();
                Some((price(cut.count.into(), cut.table)? as f32 + flow, *cut))
            };
            // The first is the gate itself.
            let mut best: Vec<(f32, Cut)> = cuts[n][1..].iter().filter_map(below).collect();
            best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.count.cmp(&b.1.count)));
            if round == 0 {
                best.truncate(CUTS);
                cuts[n].truncate(1);
                cuts[n].extend(best.iter().map(|b| b.1));
            }
            flow[n] = best[0].0 / users[n].max(1) as f32;
            chosen.push(best[0].1);
        }
        // Users in this cover.
        users.fill(0);
        roots.iter().filter_map(|root| number.get(root)).for_each(|&n| users[n] += 1);
        for n in (0..order.len()).rev() {
            if users[n] > 0 {
                chosen[n].inputs().iter().filter_map(|i| number.get(i)).for_each(|&i| users[i] += 1);
            }
        }
    }

    let mut out = vec![];
    let mut done = vec![false; order.len()];
    for &root in roots {
        let mut todo: Vec<(usize, bool)> = number.get(&root).map(|&n| (n, false)).into_iter().collect();
        while let Some((n, ready)) = todo.pop() {
            if done[n] {
                continue;
            }
            let Cut { inputs, count, table } = chosen[n];
            if ready {
                done[n] = true;
                out.push(Lut { value: order[n], inputs, count, table });
                continue;
            }
            todo.push((n, true));
            todo.extend(chosen[n].inputs().iter().rev().filter_map(|i| number.get(i)).map(|&i| (i, false)));
        }
    }
    out
}

/// The cuts of a gate, itself first; `of` gives those of its operands, nothing for leaves.
fn cuts_of<'a>(bit: Bit, gate: Gate, of: impl Fn(Bit) -> Option<&'a [Cut]>) -> Vec<Cut> {
    let operands: Vec<Bit> = Gates::operands(gate).collect();
    let itself: Vec<[Cut; 1]> = operands.iter().map(|&operand| [Cut::itself(operand)]).collect();
    let choices: Vec<&[Cut]> = operands.iter().zip(&itself).map(|(&o, itself)| of(o).unwrap_or(itself)).collect();
    let mut out = vec![Cut::itself(bit)];
    let mut add = |all: Cut, parts: &[&Cut]| {
        let table = |k: usize| parts[k].table_over(&all);
        let table = match gate {
            Gate::Not(_) => !table(0),
            Gate::And(..) => table(0) & table(1),
            Gate::Or(..) => table(0) | table(1),
            Gate::Xor(..) => table(0) ^ table(1),
            Gate::Mux(..) => table(0) & table(1) | !table(0) & table(2),
            Gate::Zero | Gate::One | Gate::Leaf(_) => unreachable!("leaves have no cuts"),
        };
        let cut = Cut { table, ..all }.reduced();
        if !out.contains(&cut) {
            out.push(cut);
        }
    };
    for first in choices[0] {
        let Some(second) = choices.get(1) else {
            add(*first, &[first]);
            continue;
        };
        for second in *second {
            let Some(both) = first.union(second) else { continue };
            let Some(third) = choices.get(2) else {
                add(both, &[first, second]);
                continue;
            };
            for third in *third {
                if let Some(all) = both.union(third) {
                    add(all, &[first, second, third]);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use super::super::gates::tests::{evaluate, random_gates};

    proptest! {
        #[test]
        fn a_cover_computes_the_network(steps in proptest::collection::vec((0..6u8, 0..1000usize, 0..1000usize, 0..1000usize), 1..60), seed: u64) {
            let (gates, bits) = random_gates(7, &steps);
            let roots: Vec<Bit> = bits.iter().rev().step_by(3).copied().collect();
            let there = bits[bits.len() / 2];
            let mut random = seed | 1;
            let leaves: Vec<u64> = (0..7).map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random
            }).collect();
            let luts = cover(&gates, &roots, |bit| bit == there, |_, _| Some(1));
            let mut known: FxHashMap<Bit, u64> = FxHashMap::default();
            let value = |known: &FxHashMap<Bit, u64>, bit: Bit| match gates.gate(bit) {
                Gate::Zero | Gate::One | Gate::Leaf(_) => evaluate(&gates, bit, &leaves),
                _ if bit == there => evaluate(&gates, bit, &leaves),
                _ => known[&bit],
            };
            for lut in &luts {
                let inputs: Vec<u64> = lut.inputs().iter().map(|&i| value(&known, i)).collect();
                let result = (0..64).fold(0, |word, lane| {
                    let row = inputs.iter().enumerate().fold(0, |row, (k, i)| row | (i >> lane & 1) << k);
                    word | u64::from(lut.table >> row & 1) << lane
                });
                prop_assert!(known.insert(lut.value, result).is_none(), "computed once");
            }
            for root in roots {
                prop_assert_eq!(value(&known, root), evaluate(&gates, root, &leaves));
            }
        }
    }
}
