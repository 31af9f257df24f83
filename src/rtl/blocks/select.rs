//! Finding, encoding and selecting: functions on signals that inline into their users, and two of them as blocks.
//!
//! ```text
//!  request (n) --> lowest_set --> one-hot (n) --> one_hot_index --> index
//!                                     |
//!  items[0..n] ------------------> one_hot_mux --> item
//! ```
//!
//! Bit 0 is first everywhere. All of this is combinational. Testbenches: `testbenches/priority_encoder/`,
//! `testbenches/one_hot_multiplexer/`.

use hdl::{Bits, Builder, Module, Signal, concat, index_width, mux, params, ports};

/// The least significant one of `x` alone (one-hot); zero when `x` is zero.
#[track_caller]
pub fn lowest_set(x: Signal<'_>) -> Signal<'_> {
    if x.width() == 1 { x } else { x & !(x - 1) }
}

/// Ones strictly above the least significant one of `x`; zero when `x` is zero or has only its top bit set.
#[track_caller]
pub fn above_mask(x: Signal<'_>) -> Signal<'_> {
    if x.width() == 1 { x & !x } else { !(x ^ (x - 1)) }
}

/// One when at most one bit of `x` is set.
#[track_caller]
pub fn at_most_one(x: Signal<'_>) -> Signal<'_> {
    if x.width() == 1 { x | !x } else { (x & (x - 1)).is_zero() }
}

/// Index of the set bit of a one-hot `x`, in `index_width(x.width())` bits; zero when none is set. (With several set bits: the
/// OR of their indices.)
#[track_caller]
pub fn one_hot_index(x: Signal<'_>) -> Signal<'_> {
    let m = x.builder();
    let bits: Vec<_> = (0..index_width(x.width() as usize))
        .rev()
        .map(|b| {
            let mut mask = Bits::zero(x.width());
            (0..x.width()).filter(|i| i >> b & 1 == 1).for_each(|i| mask.set_bit(i, true));
            if mask.is_zero() { m.lit(1, 0) } else { (x & mask.signal(m)).any() }
        })
        .collect();
    concat(&bits)
}

/// Index of the least significant one of `x`; zero when `x` is zero.
#[track_caller]
pub fn priority_index(x: Signal<'_>) -> Signal<'_> {
    one_hot_index(lowest_set(x))
}

/// One-hot of `n` bits with bit `index` set; zero when `index` is at or above `n`.
#[track_caller]
pub fn index_one_hot(index: Signal<'_>, n: u32) -> Signal<'_> {
    index.builder().lit(n, 1) << index
}

/// AND-OR multiplexer: the OR of those `items` whose bit in `select` is set, so the selected item when `select` is one-hot and
/// zero when it is zero. For control words; see [`payload_mux`] for words that are only moved.
#[track_caller]
pub fn one_hot_mux<'m>(select: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    let m = select.builder();
    let fits = items.len() == select.width() as usize;
    m.require(fits, &format!("one-hot multiplexer: {} items, {} select bits", items.len(), select.width()));
    let masked: Vec<_> =
        items.iter().zip(select.to_bits()).map(|(item, chosen)| *item & chosen.repeat(item.width())).collect();
    or_all(&masked)
}

/// The item whose bit in the one-hot `select` is set, as a chain of multiplexers, which keeps payload free of logic. The last item
/// when no other is selected: the result means something only when `select` is one-hot.
#[track_caller]
pub fn payload_mux<'m>(select: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    let m = select.builder();
    let fits = items.len() == select.width() as usize;
    m.require(fits, &format!("payload multiplexer: {} items, {} select bits", items.len(), select.width()));
    let (last, others) = items.split_last().expect("a multiplexer has at least one item");
    let chain = others.iter().zip(select.to_bits()).rev();
    chain.fold(*last, |rest, (item, chosen)| mux(chosen, *item, rest))
}

/// OR of all `words` (equal widths, at least one word) as a balanced tree.
#[track_caller]
pub fn or_all<'m>(words: &[Signal<'m>]) -> Signal<'m> {
    tree(words, |a, b| a | b)
}

/// One when any of the 1-bit `signals` is one.
#[track_caller]
pub fn any_of<'m>(signals: &[Signal<'m>]) -> Signal<'m> {
    or_all(signals)
}

/// One when all of the 1-bit `signals` are one.
#[track_caller]
pub fn all_of<'m>(signals: &[Signal<'m>]) -> Signal<'m> {
    tree(signals, |a, b| a & b)
}

/// Number of ones in `x`, in `index_width(x.width() + 1)` bits, as a tree of adders that widen by a bit a level.
#[track_caller]
pub fn popcount(x: Signal<'_>) -> Signal<'_> {
    let sum = tree(&x.to_bits(), |a, b| {
        let width = a.width().max(b.width()) + 1;
        a.extend(width) + b.extend(width)
    });
    sum.resize(index_width(x.width() as usize + 1))
}

/// Balanced reduction; the order of operands is kept.
#[track_caller]
pub(super) fn tree<'m>(leaves: &[Signal<'m>], join: impl Fn(Signal<'m>, Signal<'m>) -> Signal<'m>) -> Signal<'m> {
    let mut level = leaves.to_vec();
    assert!(!level.is_empty(), "a reduction has at least one operand");
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| if let [a, b] = pair { join(*a, *b) } else { pair[0] }).collect();
    }
    level[0]
}

ports! {
    /// Ports of a [`priority_encoder`] of so many requests.
    pub struct PriorityEncoderPorts(n: &u32) of PriorityEncoder {
        /// Requests.
        in request: *n,
        /// There is a request.
        out valid: 1,
        /// The first request, one-hot.
        out grant: *n,
        /// Its number; zero without a request.
        out index: index_width(*n as usize),
    }
}

ports! {
    /// Ports of a [`one_hot_multiplexer`] of so many items of so many bits.
    pub struct OneHotMultiplexerPorts((n, width): &(u32, u32)) of OneHotMultiplexer {
        /// The item that is selected, one-hot, or none.
        in select: *n,
        /// Items, the first one in the least significant bits.
        in items: n * width,
        /// The item; zero when none is selected.
        out item: *width,
    }
}

/// Priority encoder over `n >= 2` requests: `request` (n) to `valid` (1: any request), `grant` (n, one-hot: the first request)
/// and `index` (`index_width(n)`, of the first request; zero when there is none).
pub fn priority_encoder(n: u32) -> Module {
    let m = Builder::new("priority_encoder", params! { n });
    m.doc("Lowest request as one-hot and as index.");
    m.require(n >= 2, &format!("priority encoder: n = {n} requests, at least 2 are needed"));
    let io = PriorityEncoderPorts::new(&m, &n.max(2));
    let request = io.request();
    let grant = lowest_set(request).named("lowest");
    io.valid(request.any());
    io.grant(grant);
    io.index(one_hot_index(grant));
    m.finish()
}

/// One-hot multiplexer of `n >= 1` items of `width` bits: `select` (n, at most one set: asserted) and `items` (n * width, item 0
/// least significant) to `item` (width; zero when none is selected).
pub fn one_hot_multiplexer(n: u32, width: u32) -> Module {
    let m = Builder::new("one_hot_multiplexer", params! { n, width });
    m.doc("The item whose select bit is set, by AND and OR; zero when none is.");
    m.require(n >= 1 && width >= 1, &format!("one-hot multiplexer: n = {n} items of {width} bits, at least 1 of 1"));
    let (n, width) = (n.max(1), width.max(1));
    let io = OneHotMultiplexerPorts::new(&m, &(n, width));
    let (select, items) = (io.select(), io.items());
    m.always("at most one item is selected", at_most_one(select));
    io.item(one_hot_mux(select, &items.parts(width)));
    m.finish()
}

/// A one-hot word with its bit one place further up, around: the next one's turn.
pub fn next_turn(turn: Signal<'_>) -> Signal<'_> {
    let last = turn.width() - 1;
    turn.bits(0, last).join(turn.bit(last))
}
