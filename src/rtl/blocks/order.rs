//! Order of use among `n` things: for each pair, which of the two was used longer ago. The core of the matrix arbiter
//! and of the LRU state: a block with the state, a block that finds the first of some things, and what they are made of
//! as functions on signals.
//!
//! ```text
//!  now     (n)->+--------------+                                     +----------------+
//!  advance (1)->| order of use |-> before (n (n - 1) / 2) ---------->| first in order |-> first (n)
//!               +--------------+                   candidates (n) -->+----------------+
//! ```
//!
//! Row `i` (of `n - 1` rows, the first one lowest in the word) has `n - 1 - i` bits: bit `j - i - 1` says that thing
//! `i` comes before thing `j`, for each `j > i`; each pair is kept once, `n (n - 1) / 2` bits in all. All ones means
//! the order 0, 1, 2, ... Reached from there by [`used`] alone, the rows always stand for a total order.
//!
//! All is done on whole rows, and the two blocks are apart, so that both can be shared: what is first is known before
//! it is known whether it is used, and where the two are one block, a parent that decides in between cannot be
//! simulated by calling it.

use super::select::tree;
use hdl::{Bits, Builder, Module, Signal, concat, params, ports, row};

ports! {
    /// Ports of an [`order_of_use`] of so many things.
    pub struct OrderOfUsePorts(n: &u32) of OrderOfUse {
        /// The thing that is used, one-hot, or none.
        in now: *n,
        /// It comes last from the next cycle on.
        in advance: 1,
        /// For each pair of things, row by row: the first one comes before the second.
        out before: pairs(*n),
    }
}

ports! {
    /// Ports of an [`order_of_start`] of so many things.
    pub struct OrderOfStartPorts(n: &u32) of OrderOfStart {
        /// Things that are started.
        in now: *n,
        /// For each pair of things, row by row: the first one comes before the second.
        out before: pairs(*n),
    }
}

ports! {
    /// Ports of a [`first_in_order`] of so many things.
    pub struct FirstInOrderPorts(n: &u32) of FirstInOrder {
        /// For each pair of things, row by row: the first one comes before the second.
        in before: pairs(*n),
        /// Things to choose from.
        in candidates: *n,
        /// The first of them, one-hot, or none.
        out first: *n,
    }
}

/// The order of `n >= 2` things: 0, 1, 2, ... after reset. With `advance`, what is set in `now` (one-hot, or zero for none) comes last
/// from the next cycle on. `before` is a register.
pub fn order_of_use(n: u32) -> Module {
    let m = Builder::new("order_of_use", params! { n });
    m.doc("Which of two things was used longer ago, for each pair of them.");
    m.require(n >= 2, &format!("order of use: n = {n} things, at least 2 are needed"));
    let n = n.max(2);
    let io = OrderOfUsePorts::new(&m, &n);
    let (now, advance) = (io.now(), io.advance());
    let before = m.register_bits("pairs", Bits::ones(pairs(n)));
    io.before(before);
    let next = used(&rows(before, n), now);
    m.when(advance, || m.set(before, concat(&next.into_iter().rev().collect::<Vec<_>>())));
    m.finish()
}

/// The order in which `n >= 2` things were started: as [`order_of_use`], but several may start in one cycle (`now`); of these the lower
/// comes first.
pub fn order_of_start(n: u32) -> Module {
    let m = Builder::new("order_of_start", params! { n });
    m.doc("Which of two things was started first, for each pair of them.");
    m.require(n >= 2, &format!("order of start: n = {n} things, at least 2 are needed"));
    let n = n.max(2);
    let io = OrderOfStartPorts::new(&m, &n);
    let now = io.now();
    let before = m.register_bits("pairs", Bits::ones(pairs(n)));
    io.before(before);
    m.when(now.any(), || m.set(before, row(started(&rows(before, n), now))));
    m.finish()
}

/// The first of the `candidates` among `n >= 2` things in the order `before`, one-hot; zero when there is no candidate.
pub fn first_in_order(n: u32) -> Module {
    let m = Builder::new("first_in_order", params! { n });
    m.doc("The candidate that was used longest ago.");
    m.require(n >= 2, &format!("first in order: n = {n} things, at least 2 are needed"));
    let n = n.max(2);
    let io = FirstInOrderPorts::new(&m, &n);
    let (before, candidates) = (io.before(), io.candidates());
    io.first(first_of(&rows(before, n), candidates));
    m.finish()
}

/// The order in which things were started, by an instance called `age`.
#[track_caller]
pub fn ages<'m>(m: &'m Builder, starts: Signal<'m>) -> Signal<'m> {
    let order = OrderOfStart(m.instance("age", &order_of_start(starts.width())));
    order.now(starts);
    order.before()
}

/// The first of the `candidates` in the order `before`, by an instance called `name`.
#[track_caller]
pub fn first<'m>(m: &'m Builder, name: &str, before: Signal<'m>, candidates: Signal<'m>) -> Signal<'m> {
    let choice = FirstInOrder(m.instance(name, &first_in_order(candidates.width())));
    choice.before(before);
    choice.candidates(candidates);
    choice.first()
}

/// The first of the `candidates` in the order of an instance called `order` of [`order_of_use`], by an instance called `choice`;
/// with `advance`, what is set in `now` is used.
#[track_caller]
pub(super) fn order_and_first<'m>(
    m: &'m Builder,
    candidates: Signal<'m>,
    now: impl FnOnce(Signal<'m>) -> Signal<'m>,
    advance: Signal<'m>,
) -> Signal<'m> {
    let n = candidates.width();
    let order = OrderOfUse(m.instance("order", &order_of_use(n)));
    let choice = FirstInOrder(m.instance("choice", &first_in_order(n)));
    choice.before(order.before());
    choice.candidates(candidates);
    let found = choice.first();
    order.now(now(found));
    order.advance(advance);
    found
}

/// Pairs of `n` things.
fn pairs(n: u32) -> u32 {
    n * (n - 1) / 2
}

/// The rows of an order of `n` things.
pub fn rows<'m>(before: Signal<'m>, n: u32) -> Vec<Signal<'m>> {
    let start = |i: u32| i * (n - 1) - i * i.saturating_sub(1) / 2;
    (0..n - 1).map(|i| before.bits(start(i), n - 1 - i)).collect()
}

/// The first of the `candidates` (`n` bits) in the order of `rows`, one-hot; zero when there is no candidate.
#[track_caller]
pub fn first_of<'m>(rows: &[Signal<'m>], candidates: Signal<'m>) -> Signal<'m> {
    let (m, n) = (candidates.builder(), candidates.width());
    let row = |(row, i): (&Signal<'m>, u32)| {
        let higher = candidates.bits(i + 1, n - 1 - i);
        // Who comes after thing i, and whether anybody of a higher number comes before it.
        (*row & candidates.bit(i).repeat(row.width()), (higher & !*row).any())
    };
    let (after, behind): (Vec<_>, Vec<_>) = rows.iter().zip(0..).map(row).unzip();
    // Words that end at the last thing and begin later and later: what a longer one has more is not joined.
    let after_lower = tree(&after, |a, b| {
        let more = a.width() - b.width();
        (a.bits(more, b.width()) | b).join(a.bits(0, more))
    });
    let none = m.lit(1, 0);
    let behind_higher: Vec<_> = [none].into_iter().chain(behind.into_iter().rev()).collect();
    candidates & !after_lower.join(none) & !concat(&behind_higher)
}

/// The rows after the thing set in `now` (one-hot, or zero for none) was used: it comes last.
#[track_caller]
pub fn used<'m>(rows: &[Signal<'m>], now: Signal<'m>) -> Vec<Signal<'m>> {
    let n = now.width();
    let row = |(row, i): (&Signal<'m>, u32)| {
        let others = n - 1 - i;
        (*row | now.bits(i + 1, others)) & !now.bit(i).repeat(others)
    };
    rows.iter().zip(0..).map(row).collect()
}

/// The rows after the things set in `now` were started: they come last, the lower of them first.
#[track_caller]
pub fn started<'m>(rows: &[Signal<'m>], now: Signal<'m>) -> Vec<Signal<'m>> {
    let n = now.width();
    let row = |(row, i): (&Signal<'m>, u32)| {
        let others = now.bits(i + 1, n - 1 - i);
        (*row | others) & !(now.bit(i).repeat(others.width()) & !others)
    };
    rows.iter().zip(0..).map(row).collect()
}
