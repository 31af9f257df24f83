//! Which terms get a name of their own (a wire), and which bits of a name are read.
//!
//! Terms form a graph, text is a tree: a term that is printed at each of its users can make the text grow without
//! bound. So a term gets a name when several users share it and it is more than an operator or two, when its user would
//! become too long, or when Verilog wants a name: to slice it, to shift it as a signed number (next to unsigned
//! operands it would no longer be one), to watch a memory word (`@*` would watch the whole memory), to assign a row of a
//! table. A field of a bundle in one word has its name, too.

use super::terms::{Infix, Term, TermId, Terms};
use hdl::Bits;

/// Operators on one line before a part is given a name.
const LONGEST: usize = 10;

/// Terms reachable from `roots`, as a flag per term.
pub(super) fn reachable(terms: &Terms<'_>, roots: &[TermId]) -> Vec<bool> {
    let mut reached = vec![false; terms.len()];
    roots.iter().for_each(|r| reached[r.index()] = true);
    for id in terms.ids().rev().filter(|id| id.index() < terms.len()) {
        if reached[id.index()] {
            terms.term(id).for_each_operand(|operand| reached[operand.index()] = true);
        }
    }
    reached
}

/// The terms that get a name of their own, among those reachable from `roots` (one entry per place that reads it); `indexed` are
/// read bit by bit.
pub(super) fn named(terms: &Terms<'_>, roots: &[TermId], indexed: &[TermId]) -> Vec<bool> {
    let reached = reachable(terms, roots);
    let live = || terms.ids().filter(|id| reached[id.index()]);
    let mut readers = vec![0_usize; terms.len()];
    roots.iter().for_each(|r| readers[r.index()] += 1);
    live().for_each(|id| terms.term(id).for_each_operand(|operand| readers[operand.index()] += 1));
    let is_leaf = |id: TermId| matches!(terms.term(id), Term::Const(_) | Term::Net(_));
    let mut named = vec![false; terms.len()];
    indexed.iter().for_each(|id| named[id.index()] = true);
    for id in live() {
        match *terms.term(id) {
            Term::Slice { base, .. } | Term::Index { base, .. } if !matches!(terms.term(base), Term::Net(_)) => {
                named[base.index()] = true;
            }
            Term::Word { .. } | Term::Table { .. } | Term::Infix(Infix::ShrSigned, ..) => named[id.index()] = true,
            _ => {}
        }
        if terms.field(id).is_some() {
            named[id.index()] = true;
        }
    }
    let mut cost = vec![0_usize; terms.len()];
    for id in live().filter(|&id| !is_leaf(id)) {
        let mut operands = vec![];
        terms.term(id).for_each_operand(|operand| operands.push(operand));
        // Each row has a line of its own.
        if let Term::Table { .. } = terms.term(id) {
            continue;
        }
        let own = match terms.term(id) {
            Term::Slice { .. } => continue,
            Term::Not(a) if is_leaf(*a) => 0,
            Term::Concat(parts) => parts.len().div_ceil(2),
            _ => 1,
        };
        let of = |operand: TermId, named: &[bool]| if named[operand.index()] { 0 } else { cost[operand.index()] };
        let longest = LONGEST.max(own + 1);
        let mut total = own + operands.iter().map(|&o| of(o, &named)).sum::<usize>();
        while total > longest {
            let Some(&largest) = operands.iter().max_by_key(|&&o| of(o, &named)).filter(|&&o| of(o, &named) > 1) else {
                break;
            };
            let times = operands.iter().filter(|&&o| o == largest).count();
            total -= times * of(largest, &named);
            named[largest.index()] = true;
        }
        cost[id.index()] = total;
        if readers[id.index()] > 1 && total > 1 {
            named[id.index()] = true;
        }
    }
    named
}

/// Per term, the bits that the reachable part of the text reads. `own` lists roots that are the definition of a name, which
/// is not a reading of it.
pub(super) fn bits_read(terms: &Terms<'_>, roots: &[TermId], own: &[TermId]) -> Vec<Option<Bits>> {
    let mut read: Vec<Option<Bits>> = vec![None; terms.len()];
    let mark = |id: TermId, lo: u32, width: u32, read: &mut Vec<Option<Bits>>| {
        let mask = read[id.index()].get_or_insert_with(|| Bits::zero(terms.width(id)));
        if lo == 0 && width == mask.width() {
            *mask = Bits::ones(width);
        } else {
            (lo..lo + width).for_each(|bit| mask.set_bit(bit, true));
        }
    };
    roots.iter().for_each(|&root| mark(root, 0, terms.width(root), &mut read));
    let mut reached = reachable(terms, roots);
    for (flag, also) in reached.iter_mut().zip(reachable(terms, own)) {
        *flag |= also;
    }
    for id in terms.ids().filter(|id| reached[id.index()]) {
        match terms.term(id) {
            Term::Slice { base, lo } => mark(*base, *lo, terms.width(id), &mut read),
            term => term.for_each_operand(|operand| mark(operand, 0, terms.width(operand), &mut read)),
        }
    }
    read
}
