//! Choice at random, for PIM: a requester at or after a random place, the first in turn.
//!
//! ```text
//!  seed (S), any request --> [LFSRs] --a slice an arbiter--> start (one of n) --+
//!  request (n) ---------------------------------------------------------------->| first at or after start |--> choice (n, one-hot)
//! ```
//!
//! The generators step in cycles with a request, so a router at rest stays at rest. Each arbiter has bits of its own,
//! drawn anew in each step. They start from the input `seed`, which the parent ties to another number for each router:
//! equal routers are one module and draw differently. A start is uniform over the places to within an eighth (exactly,
//! for a power of two of them).

use super::{Bit, MatrixRequest, join};
use blocks::{Lfsr, lfsr, lowest_set};
use hdl::{Builder, Child, Signal, concat, index_width, mux, ports};
use std::{cell::RefCell, collections::VecDeque};

/// Most bits that one generator gives.
const MOST: u32 = 56;
/// Fewest bits of a generator: its sequence is of 2^24 - 1 values.
const FEWEST: u32 = 24;

/// Bits of the input `seed`.
pub const SEED_BITS: u32 = 12;

ports! {
    /// What an allocator that draws has beside its other ports.
    pub struct DrawingPorts(_p: &()) of Drawing {
        /// Tells its random numbers from those of other allocators.
        in seed: SEED_BITS,
    }
}

impl<'m> Drawing<'m> {
    /// The block, if it draws: not every allocator does whose policy may.
    pub fn of(block: Child<'m>) -> Option<Self> {
        block.has_input("seed").then_some(Self(block))
    }
}

/// A random number for each arbiter, in the order in which they are asked.
pub struct Starts<'m> {
    m: &'m Builder,
    random: RefCell<VecDeque<Signal<'m>>>,
}

impl<'m> Starts<'m> {
    /// For arbiters over `sizes` requests (those over one need no choice).
    pub fn new(m: &'m Builder, sizes: impl Iterator<Item = usize>, requests: &[MatrixRequest<'m>]) -> Self {
        let bits = |n: usize| index_width(n) + if n.is_power_of_two() { 0 } else { 3 };
        let mut groups: Vec<Vec<u32>> = vec![];
        for wanted in sizes.filter(|&n| n > 1).map(bits) {
            match groups.last_mut() {
                Some(group) if group.iter().sum::<u32>() + wanted <= MOST => group.push(wanted),
                _ => groups.push(vec![wanted]),
            }
        }
        if groups.is_empty() {
            return Self { m, random: RefCell::default() };
        }
        let step = m.wire("any_request", join(distinct(requests)).any());
        let own = DrawingPorts::new(m, &()).seed();
        let started = m.register("started", 1, 0);
        m.set(started, 1);
        let mut random = VecDeque::new();
        for (number, group) in groups.iter().enumerate() {
            let width = group.iter().sum::<u32>().max(FEWEST);
            let generator = Lfsr(m.instance(("random", number), &lfsr(width, width)));
            // Any constant will do that differs from one to the next: multiples of the golden ratio. The top bit keeps
            // it from being zero.
            let constant = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (65 - width);
            let copies = vec![own; width.div_ceil(SEED_BITS) as usize];
            let spread = concat(&copies).bits(0, width - 1) ^ m.lit(width - 1, constant);
            generator.load(!started);
            generator.seed(m.lit(1, 1).join(spread));
            generator.step(step);
            let (value, mut at) = (generator.value(), 0);
            for (i, &bits) in group.iter().enumerate() {
                // The last takes what is left.
                let bits = if i + 1 == group.len() { width - at } else { bits };
                random.push_back(value.bits(at, bits));
                at += bits;
            }
        }
        Self { m, random: RefCell::new(random) }
    }

    /// One of `request`, one-hot; zero when there is none.
    pub fn choose(&self, name: &str, request: Signal<'m>) -> Signal<'m> {
        let n = request.width();
        if n == 1 {
            return request;
        }
        let m = self.m;
        let random = self.random.borrow_mut().pop_front().expect("there is a number for each arbiter");
        // Place i is at or after the start when random / 2^bits < (i + 1) / n.
        let range = 1_u128 << random.width();
        let at_or_after =
            (1..u128::from(n)).map(|i| random.lt(m.lit(random.width(), (range * i).div_ceil(n.into()) as u64)));
        let bits: Vec<_> = at_or_after.chain([m.lit(1, 1)]).collect();
        let mask = concat(&bits.into_iter().rev().collect::<Vec<_>>());
        let after = m.wire(("after_start", name), request & mask);
        m.wire(("choice", name), lowest_set(mux(after.any(), after, request)))
    }
}

/// The bits of the requests, each once.
fn distinct<'m>(requests: &[MatrixRequest<'m>]) -> impl Iterator<Item = Bit<'m>> {
    let mut bits: Vec<Bit<'m>> = vec![];
    for bit in requests.iter().map(|r| r.bit) {
        if !bits.iter().any(|b| b.at == bit.at && b.word.same(bit.word)) {
            bits.push(bit);
        }
    }
    bits.into_iter()
}
