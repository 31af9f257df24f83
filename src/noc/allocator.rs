//! Allocation: matching of requesters (rows) and resources (columns) over a sparse matrix of requests.
//!
//! ```text
//!  request[row][column] -->+-------------+      +--------------+--> grant[row][column]: at most one a row, one a column
//!                          | first stage |----->| second stage |
//!                          |  arbiters   |<-----|   arbiters   |
//!                          +-------------+ used +--------------+
//! ```
//!
//! Separable: one stage of arbiters over columns and one over rows. With columns first this is iSLIP: each free resource offers
//! itself to one requester (grant), each requester takes one of its offers (accept); a resource's priorities move only when its
//! offer was taken. With rows first each requester bids for one resource, each resource takes one bid. Further iterations match
//! what the earlier ones left over, with arbiters of their own. Combinational from request to grant.
//!
//! Source: N. McKeown, *The iSLIP scheduling algorithm for input-queued switches* (1999); W. J. Dally and B. Towles, *Principles
//! and Practices of Interconnection Networks*, section 19.3 (separable allocators).

use super::NocError;
use crate::{
    blocks::{ArbiterKind, arbitrate},
    hdl::{Builder, Signal, concat},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which side chooses first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllocatorKind {
    /// Resources grant, requesters accept.
    #[default]
    Islip,
    /// Requesters bid for one resource each, resources choose.
    SeparableInputFirst,
}

/// Parameters of an allocator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AllocatorParams {
    /// Which side chooses first.
    pub kind: AllocatorKind,
    /// Its arbiters.
    pub arbiter: ArbiterKind,
    /// Rounds of both stages within the cycle, 1 to 8.
    pub iterations: u32,
}

impl Default for AllocatorParams {
    fn default() -> Self {
        Self { kind: AllocatorKind::Islip, arbiter: ArbiterKind::RoundRobin, iterations: 1 }
    }
}

impl AllocatorParams {
    /// In range?
    pub fn check(self) -> Result<(), NocError> {
        if (1..=8).contains(&self.iterations) {
            Ok(())
        } else {
            Err(NocError::Iterations { iterations: self.iterations })
        }
    }

    /// For module names.
    pub fn key(self) -> String {
        let kind = match self.kind {
            AllocatorKind::Islip => "islip",
            AllocatorKind::SeparableInputFirst => "inputfirst",
        };
        format!("{kind}{}{}", self.iterations, arbiter_key(self.arbiter))
    }
}

/// An arbiter kind in module names.
pub(super) fn arbiter_key(kind: ArbiterKind) -> &'static str {
    match kind {
        ArbiterKind::RoundRobin => "rr",
        ArbiterKind::Matrix => "matrix",
    }
}

/// Bit `at` of `word`. Kept apart, so that neighbouring bits can be joined again as one slice.
#[derive(Clone, Copy)]
pub(super) struct Bit<'m> {
    pub word: Signal<'m>,
    pub at: u32,
}

impl<'m> Bit<'m> {
    /// All bits of a word.
    fn all(word: Signal<'m>) -> impl Iterator<Item = Bit<'m>> {
        (0..word.width()).map(move |at| Bit { word, at })
    }

    fn signal(self) -> Signal<'m> {
        self.word.bit(self.at)
    }
}

/// A place of the matrix where a request is possible.
#[derive(Clone, Copy)]
pub(super) struct Request<'m> {
    pub row: usize,
    pub column: usize,
    pub bit: Bit<'m>,
}

/// Grants in the order of `requests`. `row_name` and `column_name` name the arbiters; `free` gives, where present, whether a column
/// may be granted at all.
pub(super) fn allocate<'m>(
    m: &'m Builder,
    p: AllocatorParams,
    requests: &[Request<'m>],
    free: impl Fn(usize) -> Option<Signal<'m>>,
    row_name: impl Fn(usize) -> String,
    column_name: impl Fn(usize) -> String,
) -> Vec<Bit<'m>> {
    let group = |key: fn(&Request<'m>) -> usize| {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        requests.iter().enumerate().for_each(|(i, r)| groups.entry(key(r)).or_default().push(i));
        groups
    };
    let (rows, columns) = (group(|r| r.row), group(|r| r.column));
    let allocation = Allocation { m, arbiter: p.arbiter };
    let mut open: Vec<_> = requests.iter().map(|r| r.bit).collect();
    let mut granted: Option<Vec<Bit<'m>>> = None;
    for round in 0..p.iterations {
        let suffix = if round == 0 { String::new() } else { format!("_round{round}") };
        let row_arbiter = |i: usize| format!("{}{suffix}", row_name(i));
        let column_arbiter = |i: usize| format!("{}{suffix}", column_name(i));
        if let Some(earlier) = &granted {
            open = allocation.left_over(&open, earlier, &rows, &columns);
        }
        let now = match p.kind {
            AllocatorKind::Islip => {
                let mask = |column: usize, request: Signal<'m>| {
                    free(column).map_or(request, |f| request & f.repeat(request.width()))
                };
                allocation.round((&columns, &column_arbiter), (&rows, &row_arbiter), &open, mask)
            }
            AllocatorKind::SeparableInputFirst => {
                let usable: Vec<_> = open
                    .iter()
                    .zip(requests)
                    .map(|(b, r)| free(r.column).map_or(*b, |f| one_bit(b.signal() & f)))
                    .collect();
                allocation.round((&rows, &row_arbiter), (&columns, &column_arbiter), &usable, |_, request| request)
            }
        };
        granted = Some(match granted {
            None => now,
            Some(earlier) => earlier.into_iter().zip(now).map(|(a, b)| one_bit(a.signal() | b.signal())).collect(),
        });
    }
    granted.unwrap_or(open)
}

type Groups = BTreeMap<usize, Vec<usize>>;
type Named<'a> = (&'a Groups, &'a dyn Fn(usize) -> String);

struct Allocation<'m> {
    m: &'m Builder,
    arbiter: ArbiterKind,
}

impl<'m> Allocation<'m> {
    /// Both stages. The priorities of the first move on where its choice was taken by the second.
    fn round(
        &self,
        first: Named<'_>,
        second: Named<'_>,
        requests: &[Bit<'m>],
        mask: impl Fn(usize, Signal<'m>) -> Signal<'m>,
    ) -> Vec<Bit<'m>> {
        let m = self.m;
        let taken: BTreeMap<_, _> = (first.0.iter())
            .filter(|(_, members)| members.len() > 1)
            .map(|(&i, _)| (i, m.wire_later(&format!("taken_{}", first.1(i)), 1)))
            .collect();
        let one = m.lit(1, 1);
        let offers = self.stage(first, requests, mask, |i| taken.get(&i).copied().unwrap_or(one));
        let grants = self.stage(second, &offers, |_, request| request, |_| one);
        for (i, taken) in taken {
            m.assign(taken, join(first.0[&i].iter().map(|&r| grants[r])).any());
        }
        grants
    }

    fn stage(
        &self,
        (groups, name): Named<'_>,
        requests: &[Bit<'m>],
        mask: impl Fn(usize, Signal<'m>) -> Signal<'m>,
        advance: impl Fn(usize) -> Signal<'m>,
    ) -> Vec<Bit<'m>> {
        let mut out = requests.to_vec();
        for (&i, members) in groups {
            let request = mask(i, join(members.iter().map(|&r| requests[r])));
            let grant = arbitrate(self.m, &name(i), self.arbiter, request, advance(i));
            members.iter().zip(Bit::all(grant)).for_each(|(&r, bit)| out[r] = bit);
        }
        out
    }

    /// Requests whose row and column are both without a grant.
    fn left_over(&self, open: &[Bit<'m>], granted: &[Bit<'m>], rows: &Groups, columns: &Groups) -> Vec<Bit<'m>> {
        let mut out = open.to_vec();
        for members in rows.values().chain(columns.values()) {
            let matched = join(members.iter().map(|&r| granted[r])).any();
            members.iter().for_each(|&r| out[r] = one_bit(out[r].signal() & !matched));
        }
        out
    }
}

fn one_bit(word: Signal<'_>) -> Bit<'_> {
    Bit { word, at: 0 }
}

/// Bits, least significant first, as one word; neighbours in one word stay together.
pub(super) fn join<'m>(bits: impl Iterator<Item = Bit<'m>>) -> Signal<'m> {
    let mut runs: Vec<(Bit<'m>, u32)> = vec![];
    for bit in bits {
        match runs.last_mut() {
            Some((first, count)) if first.word.same(bit.word) && first.at + *count == bit.at => *count += 1,
            _ => runs.push((bit, 1)),
        }
    }
    gather(runs.into_iter().map(|(first, count)| first.word.bits(first.at, count)))
}

/// Words (or bits), the least significant first, as one word.
pub(super) fn gather<'m>(bits: impl DoubleEndedIterator<Item = Signal<'m>>) -> Signal<'m> {
    concat(&bits.rev().collect::<Vec<_>>())
}
