//! Order of use among `n` things: for each pair, which of the two was used longer ago. The core of the matrix arbiter and of the
//! LRU state, as functions on signals.
//!
//! Row `i` (of `n - 1` rows) has `n - 1 - i` bits: bit `j - i - 1` says that thing `i` comes before thing `j`, for each `j > i`; each
//! pair is kept once, `n (n - 1) / 2` bits in all. All ones means the order 0, 1, 2, ... Reached from there by [`used`]
//! alone, the rows always stand for a total order.

use super::select::all_of;
use crate::hdl::{Bits, Builder, Signal, concat};

/// Registers called `name0`, `name1`, ... for the order of `n >= 2` things; 0, 1, 2, ... after reset.
pub fn order_registers<'m>(m: &'m Builder, name: &str, n: u32) -> Vec<Signal<'m>> {
    (0..n - 1).map(|i| m.register_bits(&format!("{name}{i}"), Bits::ones(n - 1 - i))).collect()
}

/// The first of the `candidates` (`n` bits) in the order of `rows`, one-hot; zero when there is no candidate.
#[track_caller]
pub fn first_of<'m>(rows: &[Signal<'m>], candidates: Signal<'m>) -> Signal<'m> {
    let n = candidates.width();
    let is_first = |i: u32| {
        let mut conditions = vec![candidates.bit(i)];
        conditions.extend((0..i).map(|j| !(candidates.bit(j) & rows[j as usize].bit(i - j - 1))));
        if i + 1 < n {
            conditions.push(!(candidates.bits(i + 1, n - 1 - i) & !rows[i as usize]).any());
        }
        all_of(&conditions)
    };
    concat(&(0..n).rev().map(is_first).collect::<Vec<_>>())
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
