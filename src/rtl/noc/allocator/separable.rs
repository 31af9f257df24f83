//! Separable allocators: one stage of arbiters over columns and one over rows.
//!
//! ```text
//!  request[row][column] -->+-------------+      +--------------+--> grant[row][column]: at most one a row, one a column
//!                          | first stage |----->| second stage |
//!                          |  arbiters   |<-----|   arbiters   |
//!                          +-------------+ used +--------------+
//! ```
//!
//! With columns first this is iSLIP: each free resource offers itself to one requester (grant), each requester takes
//! one of its offers (accept); a resource's priorities move only when its offer was taken. PIM is the same with choices
//! at random. With rows first each requester bids for one resource, each resource takes one bid. Further iterations
//! match what the earlier ones left over, with arbiters of their own.
//!
//! Source: N. McKeown, *The iSLIP scheduling algorithm for input-queued switches* (1999); T. E. Anderson et al.,
//! *High-speed switch scheduling for local-area networks* (1993; PIM); W. J. Dally and B. Towles, *Principles and
//! Practices of Interconnection Networks*, section 19.3.

use super::{Allocation, AllocatorParams, Bit, Matching, MatrixRequest, Requests, join, one_bit, random};
use blocks::{arbiter, arbitrate_by};
use hdl::{Builder, Module, PortName, Signal};
use std::collections::{BTreeMap, BTreeSet};

/// A separable allocator.
pub struct Separable {
    /// Rows choose first, then columns.
    rows_first: bool,
    /// Choices at random, without arbiters.
    random: bool,
}

/// Columns grant, rows accept.
pub const ISLIP: Separable = Separable { rows_first: false, random: false };
/// The same at random.
pub const PIM: Separable = Separable { rows_first: false, random: true };
/// Rows bid, columns choose.
pub const INPUT_FIRST: Separable = Separable { rows_first: true, random: false };

impl Allocation for Separable {
    fn has_arbiters(&self) -> bool {
        !self.random
    }

    fn iterates(&self) -> bool {
        true
    }

    fn allocate<'m>(&self, m: &'m Builder, p: AllocatorParams, of: &Requests<'_, 'm>) -> Matching<'m> {
        Matching { grants: self.grants(m, p, of), taken: BTreeMap::new() }
    }
}

impl Separable {
    fn grants<'m>(&self, m: &'m Builder, p: AllocatorParams, of: &Requests<'_, 'm>) -> Vec<Bit<'m>> {
        let requests = of.all;
        let free = |column| (of.free)(column).map(Bit::signal);
        let group = |key: fn(&MatrixRequest<'m>) -> usize| {
            let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            requests.iter().enumerate().for_each(|(i, r)| groups.entry(key(r)).or_default().push(i));
            groups
        };
        let (rows, columns) = (group(|r| r.row), group(|r| r.column));
        let arbiters = match self.random {
            true => {
                let of_round = columns.values().chain(rows.values()).map(Vec::len);
                let sizes = std::iter::repeat_n(of_round, p.iterations as usize).flatten();
                Arbiters::Random(random::Starts::new(m, sizes, requests))
            }
            false => {
                let groups = rows.values().chain(columns.values());
                let sizes: BTreeSet<u32> = groups.map(|members| members.len() as u32).filter(|&n| n > 1).collect();
                Arbiters::InTurn(sizes.into_iter().map(|n| (n, arbiter(p.arbiter, n))).collect())
            }
        };
        let stages = Stages { m, arbiters };
        let mut open: Vec<_> = requests.iter().map(|r| r.bit).collect();
        let mut granted: Option<Vec<Bit<'m>>> = None;
        for round in 0..p.iterations {
            let suffix = if round == 0 { String::new() } else { ("round", round).text() };
            let row_arbiter = |i: usize| ((of.row_name)(i), &suffix).text();
            let column_arbiter = |i: usize| ((of.column_name)(i), &suffix).text();
            if let Some(earlier) = &granted {
                open = stages.left_over(&open, earlier, &rows, &columns);
            }
            let now = match self.rows_first {
                true => {
                    let usable: Vec<_> = open
                        .iter()
                        .zip(requests)
                        .map(|(b, r)| free(r.column).map_or(*b, |f| one_bit(b.signal() & f)))
                        .collect();
                    stages.round((&rows, &row_arbiter), (&columns, &column_arbiter), &usable, |_, request| request)
                }
                false => {
                    let mask = |column: usize, request: Signal<'m>| {
                        free(column).map_or(request, |f| request & f.repeat(request.width()))
                    };
                    stages.round((&columns, &column_arbiter), (&rows, &row_arbiter), &open, mask)
                }
            };
            granted = Some(match granted {
                None => now,
                Some(earlier) => earlier.into_iter().zip(now).map(|(a, b)| one_bit(a.signal() | b.signal())).collect(),
            });
        }
        granted.unwrap_or(open)
    }
}

type Groups = BTreeMap<usize, Vec<usize>>;
type NamedRequests<'a> = (&'a Groups, &'a dyn Fn(usize) -> String);

struct Stages<'m> {
    m: &'m Builder,
    arbiters: Arbiters<'m>,
}

enum Arbiters<'m> {
    /// By number of requests.
    InTurn(BTreeMap<u32, Module>),
    Random(random::Starts<'m>),
}

impl<'m> Stages<'m> {
    /// Both stages. The priorities of the first move on where its choice was taken by the second.
    fn round(
        &self,
        first: NamedRequests<'_>,
        second: NamedRequests<'_>,
        requests: &[Bit<'m>],
        mask: impl Fn(usize, Signal<'m>) -> Signal<'m>,
    ) -> Vec<Bit<'m>> {
        let m = self.m;
        // Random choices have no priorities.
        let keeps = matches!(self.arbiters, Arbiters::InTurn(_));
        let taken: BTreeMap<_, _> = (first.0.iter())
            .filter(|(_, members)| keeps && members.len() > 1)
            .map(|(&i, _)| (i, m.wire_later(("taken", first.1(i)), 1)))
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
        (groups, name): NamedRequests<'_>,
        requests: &[Bit<'m>],
        mask: impl Fn(usize, Signal<'m>) -> Signal<'m>,
        advance: impl Fn(usize) -> Signal<'m>,
    ) -> Vec<Bit<'m>> {
        let mut out = requests.to_vec();
        for (&i, members) in groups {
            let request = mask(i, join(members.iter().map(|&r| requests[r])));
            let grant = match &self.arbiters {
                Arbiters::InTurn(arbiters) => match arbiters.get(&request.width()) {
                    Some(arbiter) => arbitrate_by(self.m, name(i), arbiter, request, advance(i)),
                    None => request,
                },
                Arbiters::Random(starts) => starts.choose(&name(i), request),
            };
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
