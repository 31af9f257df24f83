//! Queue between two clock domains: the only way from one to another.
//!
//! ```text
//!        clock_write, reset_write             :            clock_read, reset_read
//!                      +--------------------- : ---------------------+
//!  push          (1) ->| tail --> memory ~~~~~:~~~~~> output register |-> valid (1): data is the oldest word
//!  push_data (width) ->|   |                  :              |       |-> data  (width)
//!                      |   '- Gray code ->-:->- synchroniser -+      |
//!  full          (1) <-| synchroniser <-:--<- Gray code <- head      |<- pop   (1)
//!                      +--------------------- : ---------------------+
//! ```
//!
//! Contract: words come out once each and in order. `pop` takes the word that is shown; one push and one pop a cycle of
//! their clocks. A word pushed at a write edge is shown, when the queue was empty, after the `stages` following read
//! edges and one more ([`CrossingParams::stages`]), a place is free for the writer that much after its word has left
//! the memory. With `depth` at least 2 `stages` + 3 it passes a word a cycle between clocks of equal frequency. Every
//! output is a register. Reset (of both domains together, each for an edge at least): empty. Never: `pop` without
//! `valid`, `push` while `full` (asserted).
//!
//! How: each side owns a pointer, one bit wider than an address, and shows it to the other in Gray code, of which one
//! bit changes at a time: a synchroniser that samples it in the middle of a change sees the old or the new value, never
//! a third. Both are legal, as a pointer that is seen late makes the queue look fuller to the writer and emptier to the
//! reader. A word of the memory is read only after its pointer has arrived, when it has long stood still. (Cummings,
//! *Simulation and Synthesis Techniques for Asynchronous FIFO Design*, SNUG 2002.) Metastability itself is not
//! simulated: a sampled bit is old or new by the order of the edges.
//!
//! Testbench: `testbenches/clock_crossing_fifo/`; `tests/simulation/clocks/crossing.rs` has the properties, over ratios of
//! frequencies.

use super::{FifoParams, fifo};
use hdl::{Builder, Child, ClockDomain, Module, Signal, concat, index_width, params, ports};

/// Parameters of a [`clock_crossing_fifo`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CrossingParams {
    /// Words that the memory holds, a power of two, 2 and up; one more waits in the output register.
    pub depth: usize,
    /// Bits per word, 1 and up.
    pub width: u32,
    /// Registers of each synchroniser, 2 and up: with more, metastability is rarer and latency longer.
    pub stages: u32,
}

impl CrossingParams {
    /// With two-stage synchronisers.
    pub fn new(depth: usize, width: u32) -> Self {
        Self { depth, width, stages: 2 }
    }
}

ports! {
    /// Ports of a [`clock_crossing_fifo`], and of all that may stand for one.
    pub struct CrossingPorts(p: &CrossingParams) of Crossing {
        /// Puts a word in.
        in push: 1,
        /// The word that is put in.
        in push_data: p.width.max(1),
        /// Takes the word that is shown.
        in pop: 1,
        /// A word is shown.
        out valid: 1,
        /// The oldest word.
        out data: p.width.max(1),
        /// There is no free place.
        out full: 1,
    }
}

/// Clock domains of a [`clock_crossing_fifo`].
const WRITE_CLOCK: &str = "write";
const READ_CLOCK: &str = "read";

/// The queue between the clock domains `write` and `read`; see the [module documentation](self).
pub fn clock_crossing_fifo(params: CrossingParams) -> Module {
    let CrossingParams { depth, width, stages } = params;
    let m = Builder::new("clock_crossing_fifo", params! { depth, width, stages });
    m.doc("First-in first-out queue from one clock domain to another: Gray-coded pointers through synchronisers.");
    m.require(
        depth >= 2 && depth.is_power_of_two(),
        &format!("clock_crossing_fifo: depth = {depth} words, a power of two from 2 on is needed"),
    );
    m.require(width >= 1, "clock_crossing_fifo: width = 0 bits, at least 1 is needed");
    let (depth, width) = (depth.max(2).next_power_of_two(), width.max(1));
    let (write, read) = (m.domain(WRITE_CLOCK), m.domain(READ_CLOCK));
    let bits = index_width(depth) + 1;
    let io = CrossingPorts::new(&m, &params);
    let (push, push_data, pop) = (io.push(), io.push_data(), io.pop());

    let (tail, tail_gray, full) = m.in_domain(write, || {
        (m.register("tail", bits, 0), m.register("tail_gray", bits, 0), m.register("filled", 1, 0))
    });
    let (head, head_gray, shown) = m
        .in_domain(read, || (m.register("head", bits, 0), m.register("head_gray", bits, 0), m.register("shown", 1, 0)));

    let words = m.in_domain(write, || {
        let words = m.crossing_memory("storage", depth, width);
        m.when(push, || words.write(tail.bits(0, bits - 1), push_data));
        let next = m.wire("next_tail", tail + push.extend(bits));
        let next_gray = m.wire("next_tail_gray", gray(next));
        m.set(tail, next);
        m.set(tail_gray, next_gray);
        let seen = m.synchronise("head_seen", head_gray, stages);
        let mut opposite = vec![!seen.bits(bits - 2, 2)];
        if bits > 2 {
            opposite.push(seen.bits(0, bits - 2));
        }
        m.comment("Full: the pointers differ by the depth, which in Gray code is the two highest bits.");
        m.set(full, next_gray.eq(concat(&opposite)));
        m.always("push finds a free place", !push | !full);
        m.always("one bit of the write pointer changes at a time", at_most_one(next_gray ^ tail_gray));
        words
    });

    m.in_domain(read, || {
        let seen = m.synchronise("tail_seen", tail_gray, stages);
        let waiting = m.wire("waiting", seen.ne(head_gray));
        let take = m.wire("take", waiting & (pop | !shown));
        let next = m.wire("next_head", head + take.extend(bits));
        let next_gray = m.wire("next_head_gray", gray(next));
        m.set(head, next);
        m.set(head_gray, next_gray);
        m.comment("The next word goes to the output register when that is free.");
        let data = m.register_payload("oldest", width);
        m.when(take, || m.set(data, words.read(head.bits(0, bits - 1))));
        m.set(shown, take | shown & !pop);
        io.valid(shown);
        io.data(data);
        m.always("pop takes a valid word", !pop | shown);
        m.always("one bit of the read pointer changes at a time", at_most_one(next_gray ^ head_gray));
    });
    io.full(full);
    m.finish()
}

/// A queue from one domain to another as a tile called `name` of the block under construction: a [`clock_crossing_fifo`], or, where
/// both are the same clock, the plain [`fifo()`] of the same contract (with one word more than `depth`).
pub fn cross<'m>(
    m: &'m Builder,
    name: &str,
    from: ClockDomain<'m>,
    to: ClockDomain<'m>,
    params: CrossingParams,
) -> Crossing<'m> {
    if from.same(to) {
        let CrossingParams { depth, width, .. } = params;
        return Crossing(m.tile_in(from, name, &fifo(FifoParams { depth: depth + 1, width, registered: true })));
    }
    clocked(m.tile(name, &clock_crossing_fifo(params)), [from, to])
}

/// A [`clock_crossing_fifo`] inside of a block that has both domains.
pub fn cross_inside<'m>(
    m: &'m Builder,
    name: &str,
    domains: [ClockDomain<'m>; 2],
    params: CrossingParams,
) -> Crossing<'m> {
    clocked(m.instance(name, &clock_crossing_fifo(params)), domains)
}

fn clocked<'m>(queue: Child<'m>, [write, read]: [ClockDomain<'m>; 2]) -> Crossing<'m> {
    queue.clocked(WRITE_CLOCK, write);
    queue.clocked(READ_CLOCK, read);
    Crossing(queue)
}

/// Gray code: neighbours differ in one bit.
fn gray(binary: Signal<'_>) -> Signal<'_> {
    binary ^ (binary >> 1)
}

fn at_most_one(bits: Signal<'_>) -> Signal<'_> {
    (bits & (bits - 1)).is_zero()
}
