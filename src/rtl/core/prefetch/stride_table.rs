//! Table of strides by pc: a reference prediction table with four states, that can also say how far apart loads are
//! that were executed once.
//!
//! ```text
//!  learn (1), learn_pc, learn_address -->+---------------------------------+
//!  lookup_pc --------------------------->| pc, address, stride, state, n   |--> moves (1), predicts (1), stride (32)
//!  ends (1) ---------------------------->| [walk over the entries]         |--> [pair (1), pair_pc, pair_stride (32)]
//!  clear (1) --------------------------->+---------------------------------+
//! ```
//!
//! Contract: `learn` changes the entry at the clock edge; `lookup_pc` is answered in the same cycle, from the state
//! before. `moves`: the load has a stride other than 0; `predicts`: and it is to be used (the entry is transient or
//! steady).
//!
//! | state | the stride again | another one |
//! |---|---|---|
//! | initial | steady | transient, keeps it |
//! | transient | steady | no prediction, keeps it |
//! | steady | steady | transient or initial ([`WrongStride`]), keeps the old one |
//! | no prediction | transient | no prediction, keeps it |
//!
//! The table counts accesses of an entry, 1 or more. `ends` forgets the loads that were executed once: their next
//! access is as a first one, and how far it is from that of another block is no stride. With pairs a walk does so, an
//! entry a cycle in the order in which they were inserted. It shows each two of those loads that follow each other, as
//! the pc of the first and the distance to the second. What is learnt in the cycle of `ends`, or while it walks, is
//! lost; an `ends` meanwhile makes it walk again.
//!
//! Source: Kim's thesis, sections 4.1.1, 4.2.1 and 4.2.2; T.-F. Chen and J.-L. Baer, *Effective hardware-based data
//! prefetching for high-performance processors* (IEEE Transactions on Computers 44(5), 1995). Testbench:
//! `testbenches/stride_table/`; tests: `tests/core/prefetch.rs`.

use super::entries::{Entries, LearningPorts, LookupPorts, PC_BITS, of, rotated};
use hdl::{Builder, Module, Signal, bundle, mux, params, ports, row, select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an entry with a steady stride becomes by another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WrongStride {
    /// Transient: its stride is still predicted.
    #[default]
    Transient,
    /// Initial: nothing is, until the stride comes again.
    Initial,
}

/// Bits of an entry's state.
pub(super) const STATE_BITS: u32 = 2;
const INITIAL: u64 = 0;
const TRANSIENT: u64 = 1;
const STEADY: u64 = 2;
const NO_PREDICTION: u64 = 3;

/// Parameters of a [`stride_table`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StrideTableParams {
    /// Loads, 2 to 64.
    pub entries: u32,
    /// What a steady stride becomes by another one.
    pub wrong_stride: WrongStride,
    /// It says how far apart loads are.
    pub pairs: bool,
}

bundle! {
    /// Two loads that follow each other and were executed once.
    pub struct LoadPair(_p: &()) {
        /// There are such.
        pair: 1,
        /// The first one.
        pair_pc: PC_BITS,
        /// How far it is to the address of the second one.
        pair_stride: 32,
    }
}

ports! {
    /// Ports of a [`stride_table`], beside those of all tables that learn from accesses.
    pub struct StrideTablePorts(p: &StrideTableParams) of StrideTable {
        /// A block that was learnt from has ended.
        in ends: 1,
        /// Loads that follow each other, one pair after the other when a block has ended.
        maybe (p.pairs) out pair as "": bundle LoadPair(&()),
        /// The load that is looked up has a stride other than 0.
        out moves: 1,
    }
}

/// How an entry changes by a stride.
pub(super) struct StrideTransition<'m> {
    pub state: Signal<'m>,
    pub stride: Signal<'m>,
}

impl<'m> StrideTransition<'m> {
    /// From its `state` and `stride`, when it is `now`.
    pub fn new(m: &'m Builder, wrong: WrongStride, [state, stride, now]: [Signal<'m>; 3]) -> Self {
        let wrong = if wrong == WrongStride::Transient { TRANSIENT } else { INITIAL };
        let same = m.wire("same_stride", now.eq(stride));
        let other = [TRANSIENT, NO_PREDICTION, wrong, NO_PREDICTION].map(|state| m.lit(STATE_BITS, state));
        let again = mux(state.eq(NO_PREDICTION), m.lit(STATE_BITS, TRANSIENT), STEADY);
        Self { state: mux(same, again, select(state, &other)), stride: mux(same | state.eq(STEADY), stride, now) }
    }
}

/// Whether an entry in this state says something.
pub(super) fn is_predicting(state: Signal<'_>) -> Signal<'_> {
    state.eq(TRANSIENT) | state.eq(STEADY)
}

/// The table.
pub fn stride_table(p: &StrideTableParams) -> Module {
    let StrideTableParams { entries, wrong_stride, pairs } = *p;
    let m = Builder::new("stride_table", params! { entries, wrong_stride, pairs });
    m.doc("Strides of loads, by pc.");
    m.require((2..=64).contains(&entries), "stride_table: 2 to 64 entries");
    let entries = Entries::new(&m, entries.clamp(2, 64));
    let (accesses, table) = (LearningPorts::new(&m, &()), LookupPorts::new(&m, &32));
    let io = StrideTablePorts::new(&m, p);
    let (learn, pc, address) = (accesses.learn(), accesses.learn_pc(), accesses.learn_address());
    let clear = table.clear();
    let (addresses, strides) = (entries.field("address", 32), entries.field("stride", 32));
    let states = entries.field("state", STATE_BITS);
    let (counts, ends) = (entries.field("accesses", 2), io.ends());
    let walk = pairs.then(|| EntryWalk::new(&m, io, &entries, &addresses, &counts, ends));

    m.comment("Learning.");
    let learns = m.wire("learns", learn & !walk.as_ref().map_or(ends, |walk| walk.busy | walk.starts));
    let found = entries.find("known", pc);
    let inserted = entries.insert(learns & !found.any(), pc);
    let fresh = m.wire("is_first", !found.any() | of(found, &counts).is_zero());
    let now = m.wire("stride_now", address - of(found, &addresses));
    let step = StrideTransition::new(&m, wrong_stride, [of(found, &states), of(found, &strides), now]);
    let (state, stride) = (mux(fresh, INITIAL, step.state), mux(fresh, 0, step.stride));
    let changed = m.wire("changed", inserted | found & learns.repeat(found.width()));
    for (e, mine) in changed.to_bits().into_iter().enumerate() {
        m.when(mine, || {
            m.set(addresses[e], address);
            m.set(strides[e], stride);
            m.set(states[e], state);
            m.set(counts[e], mux(fresh, m.lit(2, 1), 2));
        });
    }
    match &walk {
        Some(walk) => walk.steps(&entries, &addresses, &counts),
        None => {
            for count in &counts {
                m.when(ends & count.eq(1), || m.set(*count, 0));
            }
        }
    }
    if let Some(walk) = &walk {
        m.when(clear, || {
            m.set(walk.busy, 0);
            m.set(walk.again, 0);
        });
    }
    entries.clear(clear);

    m.comment("Looking up.");
    let looked = entries.find("looked_up", table.lookup_pc());
    let stride = m.wire("stride_found", of(looked, &strides));
    let moves = m.wire("moves_now", looked.any() & stride.any());
    io.moves(moves);
    table.predicts(moves & is_predicting(of(looked, &states)));
    table.stride(stride);
    m.finish()
}

/// The walk over entries that were accessed once.
struct EntryWalk<'m> {
    m: &'m Builder,
    /// It is in progress.
    busy: Signal<'m>,
    /// It begins.
    starts: Signal<'m>,
    ends: Signal<'m>,
    /// The present entry, one-hot.
    at: Signal<'m>,
    /// It was accessed once.
    single: Signal<'m>,
    /// Another one was before it, its pc and address.
    last: [Signal<'m>; 3],
    /// A walk is to follow.
    again: Signal<'m>,
}

impl<'m> EntryWalk<'m> {
    /// `counts`: accesses of each entry: 0 (forgotten), 1, or 2 for more.
    fn new(
        m: &'m Builder,
        io: StrideTablePorts<'m>,
        entries: &Entries<'m>,
        addresses: &[Signal<'m>],
        counts: &[Signal<'m>],
        ends: Signal<'m>,
    ) -> Self {
        m.comment("The walk over entries that were accessed once.");
        let (busy, at) = (m.register("walks", 1, 0), m.register("walk_entry", entries.next.width(), 1));
        let singles = row(counts.iter().map(|count| count.eq(1)));
        let single = m.wire("single", busy & (at & entries.valid & singles).any());
        let last = [
            m.register("has_last", 1, 0),
            m.register_payload("last_pc", PC_BITS),
            m.register_payload("last_address", 32),
        ];
        io.pair(LoadPair { pair: single & last[0], pair_pc: last[1], pair_stride: of(at, addresses) - last[2] });
        let again = m.register("walks_again", 1, 0);
        let starts = m.wire("walk_starts", !busy & (ends | again));
        Self { m, busy, starts, ends, at, single, last, again }
    }

    /// Its steps.
    fn steps(&self, entries: &Entries<'m>, addresses: &[Signal<'m>], counts: &[Signal<'m>]) {
        let Self { m, busy, starts, ends, at, single, last: [has_last, last_pc, last_address], again, .. } = *self;
        m.set(again, busy & (ends | again));
        m.when(busy, || {
            m.set(at, rotated(at));
            m.when(rotated(at).eq(entries.next), || m.set(busy, 0));
        });
        m.when(single, || {
            m.set(has_last, 1);
            m.set(last_pc, of(at, &entries.pcs));
            m.set(last_address, of(at, addresses));
        });
        for (count, walked) in counts.iter().zip(at.to_bits()) {
            m.when(single & walked, || m.set(*count, 0));
        }
        m.when(starts, || {
            m.set(busy, 1);
            m.set(at, entries.next);
            m.set(has_last, 0);
        });
    }
}
