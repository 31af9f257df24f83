//! Barrier unit: lets the warps of a thread block go on when all of them that have not ended have arrived, or so many
//! as they say.
//!
//! ```text
//!  active, at_barrier (warps) --->+---------+
//!  slots (warps x slot number) -->| barrier |--> release (warps)
//!                                 +---------+
//! ```
//!
//! With one barrier a block: combinational. A warp at the barrier is released in the first cycle in which no warp of
//! its block runs elsewhere.
//!
//! With several ([`CoreParams::barriers`]), each with a number:
//!
//! ```text
//!  active, at_barrier, slots ---->+---------------------------------------+
//!  start, start_slot ------------>| of each warp: number, count, predicate|--> release (warps)
//!  arrive_* (a part's barrier     |   counted, barriers at which it has   |
//!    instruction, beat by beat) ->|   arrived, outcome of the last one    |
//!  issue_warp ------------------->| one warp a cycle: complete?           |--> issue_sum: outcome for that warp
//!                                 +---------------------------------------+
//! ```
//!
//! Contract: `arrive_step` in beat 0 of the instruction, its beats at the lanes from the next cycle on; the warp shows
//! `at_barrier` when all its live threads have come, maybe with several instructions, whose words are the same. The
//! word of a thread has the barrier's number in its low half and in the high one the threads that it is for, a multiple
//! of 32, or 0: all warps of the block that have not ended. When the last beat has passed, the warp is looked at, one
//! warp a cycle, those first that have just come. One that does not wait (`arrive_waits`) has arrived and is released;
//! the others are when the warps of the block that have arrived at that number are as many as this one says. Then all
//! that wait there are released in the same cycle, each with the threads whose predicates held as `issue_sum`, which
//! stays until the next barrier that it waits at. Arrivals are forgotten when a block starts. Never: a warp that
//! arrives twice before the barrier is complete, more warps than it is for.
//!
//! Source: *Parallel Thread Execution ISA*, `bar`, `barrier`. Testbenches: `testbenches/barrier/`,
//! `testbenches/named_barriers/`; tests: `tests/core/control.rs`, `tests/core/barriers.rs`.

use super::{config::CoreParams, issue_partitions::PartNumber, params::WARP, ports::BarrierBeat};
use blocks::{ArbiterKind, any_of, arbitrate, index_one_hot, lowest_set, one_hot_mux, or_all, popcount};
use hdl::{Builder, Module, Signal, index_width, mux, params, ports, row, select, statistics, taps};

statistics! {
    "barrier" {
        /// Cycles in which some warp waits at a barrier.
        WAITING_CYCLES: waiting_cycles in "cycles";
    }
}

taps! {
    "barrier" {
        /// With several barriers, of each warp: the number of the one at which it is.
        NUMBER,
        /// With several barriers, of each warp: for how many warps that is; 0: all of its block.
        WARPS,
    }
}

ports! {
    /// Ports of a [`barrier`] unit.
    pub struct BarrierPorts(p: &CoreParams) of Barrier {
        /// Warps that run a block.
        in active: p.warps,
        /// Warps that are at a barrier.
        in at_barrier: p.warps,
        /// Slot of each warp's block.
        in slots: p.warps * p.slot_bits(),
        /// Warps that go on.
        out release: p.warps,
    }
}

ports! {
    /// Ports that it has beside them with several barriers a block.
    pub struct NamedBarriersPorts(p: &CoreParams) of NamedBarriers {
        /// What a part has for the barriers, beat by beat.
        in arrive[part: PartNumber in p.part_numbers()] as ("arrive", part): bundle BarrierBeat(&p.part()),
        /// A block starts.
        in start: 1,
        /// In this slot.
        in start_slot: p.slot_bits(),
        /// Whose instruction a part issues.
        in issue_warp[part: PartNumber in p.part_numbers()] as ("issue_warp", part): p.part().warp_bits(),
        /// Threads whose predicates held at the last barrier of that warp.
        out issue_sum[part: PartNumber in p.part_numbers()] as ("issue_sum", part): p.thread_count_bits(),
    }
}

/// The barrier unit.
pub fn barrier(p: &CoreParams) -> Module {
    if p.has_named_barriers() {
        return named_barriers(p);
    }
    let m = Builder::new("barrier", params! { warps: p.warps, blocks: p.blocks });
    m.doc("Releases the warps of a thread block when all of them that have not ended wait at the barrier.");
    let io = BarrierPorts::new(&m, p);
    let (active, waiting, slots) = (io.active(), io.at_barrier(), io.slots().parts(p.slot_bits()));
    let elsewhere = m.wire("elsewhere", active & !waiting);
    let blocked: Vec<_> = slots
        .iter()
        .zip(elsewhere.to_bits())
        .map(|(slot, runs)| index_one_hot(*slot, p.blocks) & runs.repeat(p.blocks))
        .collect();
    let blocked = m.wire("blocked", or_all(&blocked));
    let release = slots.iter().zip(waiting.to_bits()).map(|(slot, w)| w & !blocked.at(*slot));
    m.count(WAITING_CYCLES, waiting.any());
    io.release(row(release));
    m.finish()
}

/// What is known of a warp that comes to a barrier.
struct WarpArrival<'m> {
    /// All of its last instruction has passed.
    known: Signal<'m>,
    number: Signal<'m>,
    /// Warps that the barrier is for; 0: all.
    count: Signal<'m>,
    waits: Signal<'m>,
    /// Threads whose predicate held, so far.
    holding: Signal<'m>,
    /// Some of its threads have come.
    met: Signal<'m>,
}

/// Bits of a count of warps, and where it is in the word.
const COUNT: (u32, u32) = (21, 7);

/// The barrier unit with several barriers a block.
fn named_barriers(p: &CoreParams) -> Module {
    let names = params! { warps: p.warps, blocks: p.blocks, lanes: p.lanes, barriers: p.barriers };
    let m = Builder::new("barrier", p.parameters(names));
    m.doc(
        "Releases the warps of a thread block that wait at one of its barriers when so many have arrived as it is for.",
    );
    let (io, named) = (BarrierPorts::new(&m, p), NamedBarriersPorts::new(&m, p));
    let (active, waiting, slots) = (io.active(), io.at_barrier(), io.slots().parts(p.slot_bits()));
    let places = places(&m, p, named);

    m.comment("One warp a cycle, those first that have just come.");
    let noted = m.register("noted", p.warps, 0);
    let come = m.wire("come", waiting & row(places.iter().map(|place| place.known)));
    let fresh = m.wire("fresh", come & !noted);
    let wanted = mux(fresh.any(), fresh, come);
    let chosen = m.wire("chosen", arbitrate(&m, "scan", ArbiterKind::RoundRobin, wanted, m.lit(1, 1)));
    let of_chosen = |values: Vec<_>| one_hot_mux(chosen, &values);
    let slot = m.wire("slot", of_chosen(slots.clone()));
    let number = m.wire("number", of_chosen(places.iter().map(|place| place.number).collect()));
    let count = m.wire("count", of_chosen(places.iter().map(|place| place.count).collect()));
    let waits = m.wire("waits", (chosen & row(places.iter().map(|place| place.waits))).any());

    m.comment("Who of its block has arrived at that barrier, and whether that is enough.");
    let arrived: Vec<_> = (0..p.warps).map(|w| m.register(("arrived", w), p.barriers, 0)).collect();
    let at_number = m.wire("at_number", index_one_hot(number, p.barriers));
    let in_block = m.wire("in_block", row(slots.iter().map(|of| of.eq(slot))));
    let before = m.wire("before", row(arrived.iter().map(|at| (*at & at_number).any())) & in_block);
    let here = m.wire("here", before | chosen);
    let missing = (active & in_block & !here).any();
    let total = m.wire("total", popcount(here).extend(COUNT.1.max(index_width(p.warps as usize + 1))));
    let enough = mux(count.is_zero(), !missing, total.eq(count.extend(total.width())));
    let complete = m.wire("complete", chosen.any() & enough);
    let there = row(places.iter().map(|place| place.number.eq(number) & place.waits));
    let waiting_there = m.wire("waiting_there", here & waiting & (noted | chosen) & there);
    let passes = m.wire("passes", waiting_there & complete.repeat(p.warps));
    let release = m.wire("releases", passes | chosen & (!waits).repeat(p.warps));
    io.release(release);
    m.set(noted, (noted | chosen) & !release);

    let bits = p.thread_count_bits();
    let holding = waiting_there.to_bits().into_iter().zip(&places);
    let holding = holding.map(|(bit, place)| place.holding.extend(bits) & bit.repeat(bits));
    let sum = m.wire("sum", holding.reduce(|a, b| a + b).unwrap_or(m.lit(bits, 0)));
    let starts = starting(&m, named, active, &slots);
    let mut outcomes = vec![];
    for (w, place) in places.iter().enumerate() {
        let bit = |word| Signal::bit(word, w as u32);
        let outcome = m.register(("outcome", w), bits, 0);
        m.when(bit(passes), || m.set(outcome, sum));
        outcomes.push(outcome);
        m.when(bit(release), || {
            m.set(place.holding, 0);
            m.set(place.met, 0);
        });
        m.when(bit(chosen & fresh), || m.set(arrived[w], arrived[w] | at_number));
        m.when(complete & bit(in_block), || m.set(arrived[w], arrived[w] & !at_number));
        m.when(starts[w], || m.set(arrived[w], 0));
    }
    for part in p.part_numbers() {
        named.issue_sum(part, select(named.issue_warp(part), &part.of_warps(&outcomes)));
    }
    m.count(WAITING_CYCLES, waiting.any());
    m.always("a warp arrives once before the barrier is complete", (chosen & fresh & before).is_zero());
    let more = count.any() & total.gt(count.extend(total.width()));
    m.always("no more warps come to a barrier than it is for", !(chosen.any() & more));
    m.always("who does not wait says for how many threads the barrier is", !chosen.any() | waits | count.any());
    m.finish()
}

/// What the instructions of all parts say of the warps that come.
fn places<'m>(m: &'m Builder, p: &CoreParams, io: NamedBarriersPorts<'m>) -> Vec<WarpArrival<'m>> {
    let number_bits = index_width(p.barriers as usize);
    let parts: Vec<_> = p
        .part_numbers()
        .map(|part| {
            let beat = io.arrive(part);
            let words = beat.words.parts(32);
            let word = m.wire(("word", part), one_hot_mux(lowest_set(beat.active), &words));
            let others = words.iter().zip(beat.active.to_bits()).map(|(other, active)| active & other.ne(word));
            let others = any_of(&others.collect::<Vec<_>>());
            m.always("the threads of a warp come to one barrier, with one count", !(beat.valid & others));
            let beyond = word.bits(number_bits, 16 - number_bits).any() | word.bits(16, COUNT.0 - 16).any();
            let what = "a barrier exists, and is for whole warps";
            m.always(what, !(beat.valid & beat.active.any() & beyond));
            let holding =
                m.wire(("held", part), popcount(beat.active & beat.holds).extend(index_width(WARP as usize + 1)));
            (beat, word, holding)
        })
        .collect();
    let place = |w: u32| {
        let (beat, word, held) = parts[(w % p.issue_slots) as usize];
        let index = u64::from(w / p.issue_slots);
        let place = WarpArrival {
            known: m.register(("known", w), 1, 0),
            number: m.register(("number", w), number_bits, 0),
            count: m.register(("count", w), COUNT.1, 0),
            waits: m.register(("waits", w), 1, 0),
            holding: m.register(("holding", w), index_width(WARP as usize + 1), 0),
            met: m.register(("met", w), 1, 0),
        };
        m.tap(NUMBER, place.number);
        m.tap(WARPS, place.count);
        let mine = beat.valid & beat.warp.eq(index);
        let (number, count) = (word.bits(0, number_bits), word.bits(COUNT.0, COUNT.1));
        let some = m.wire(("comes", w), mine & beat.active.any());
        m.when(some, || {
            m.set(place.number, number);
            m.set(place.count, count);
            m.set(place.waits, beat.waits);
            m.set(place.holding, place.holding + held);
            m.set(place.met, 1);
        });
        m.when(beat.step & beat.step_warp.eq(index), || m.set(place.known, 0));
        m.when(mine & beat.last, || m.set(place.known, 1));
        let same = place.number.eq(number) & place.count.eq(count);
        m.always("all threads of a warp come to the same barrier", !(some & place.met) | same);
        place
    };
    (0..p.warps).map(place).collect()
}

/// Whose arrivals are those of a block that is over: warps of the slot in which one starts, and those that start.
fn starting<'m>(
    m: &'m Builder,
    io: NamedBarriersPorts<'m>,
    active: Signal<'m>,
    slots: &[Signal<'m>],
) -> Vec<Signal<'m>> {
    let (start, start_slot) = (io.start(), io.start_slot());
    let was_active = m.delayed("was_active", active);
    let begins = m.wire("begins", active & !was_active);
    slots.iter().zip(begins.to_bits()).map(|(slot, begins)| begins | start & slot.eq(start_slot)).collect()
}
