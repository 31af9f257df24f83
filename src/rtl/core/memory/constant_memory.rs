//! Loads of constants: threads that want the same word are served together.
//!
//! ```text
//!  reserve, size, warp, register --->+---------------------------+--> request: valid, tag, line (constant cache)
//!  beat_valid, beat, active, ------->| addresses, pending (32)   |<-- request_taken
//!    address (lanes x 32)            | groups in order (8): who  |<-- reply: valid, tag, data
//!                                    |   wants which word        |--> ready
//!  write_granted, done_granted ----->| words (8)                 |--> write: valid, warp, destination, beat, mask, data
//!                                    +---------------------------+--> done: valid, warp, destination
//! ```
//!
//! Contract: one instruction at a time is taken, from `reserve` until `ready` rises again. When all beats have arrived,
//! each cycle makes a *group*: the lowest thread that waits, with all others of the warp that have its address. So a
//! warp whose threads have one address takes one cycle, any other as many as it has different addresses. A group asks
//! the constant cache for its line; groups of several instructions may be outstanding. Words are collected in the order
//! of groups, one a cycle for all threads of its group; those of an instruction then go to the registers beat by beat,
//! when granted. With the last beat, which waits for `done_granted`, `done` tells the scoreboard. Replies come in any
//! order and are always taken: each group has a place for its word. A load into `RZ` asks for nothing. Never: an
//! address beyond the constant memory (asserted).
//!
//! Source: Bakhoda's thesis, section 3.1 (threads of a warp with different addresses are served one after the other).
//! In order of request rather than of return: a word needs one place, and misses are few.
//!
//! Testbench: `testbenches/constant_memory/`; tests: `tests/core/random.rs`, `tests/core/constants.rs`.

use super::{
    read_only_cache::{LineRead, LineReply},
    sub_word::{SIZE_BITS, extract},
};
use crate::{
    config::CoreParams,
    params::WARP,
    ports::{Access, AccessBeat, Completion, RegisterWrite},
};
use blocks::{index_one_hot, lowest_set, one_hot_index, one_hot_mux};
use hdl::{
    Builder, Bundle, Module, Signal, bundle, index_width, mux, params, ports, row as joined, select, statistics,
};
use program::CONSTANTS_END;

statistics! {
    "constant_memory" {
        /// Loads of constants taken.
        ACCESSES: accesses in "instructions";
        /// Groups of threads of a warp with one address: requests to the constant cache.
        GROUPS_MADE: groups in "requests";
        /// Cycles in which threads wait because others of their warp have another address.
        CONFLICT_CYCLES: conflict_cycles in "cycles";
        /// Cycles in which a group waits for a place, or for the constant cache.
        WAIT_CYCLES: wait_cycles in "cycles";
    }
}

/// Groups outstanding.
pub const GROUPS: u32 = CoreParams::CONSTANT_GROUPS;

bundle! {
    /// Threads that want one word.
    struct SameWordThreads(p: &CoreParams) {
        /// Who, of the warp.
        threads: WARP,
        /// Of the word.
        byte: 2,
        size: SIZE_BITS,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        /// The last of its instruction.
        last: 1,
    }
}

ports! {
    /// Ports of a [`constant_memory`].
    pub struct ConstantMemoryPorts(p: &CoreParams) of ConstantMemory {
        /// A load begins.
        in access as "": bundle Access(p),
        /// Its beats at the lanes, in the cycles that follow.
        in beat as "": bundle AccessBeat(p),
        /// Line of a group of threads, for the constant cache.
        out request: bundle LineRead(&p.constant_protocol()) with taken: 1,
        /// No instruction is in groups now: a load can issue.
        out ready: 1,
        /// Lines, in any order.
        in reply: bundle LineReply(&p.constant_protocol()),
        /// Words for the registers.
        out write: bundle RegisterWrite(p) with granted: 1,
        /// A load is done, with its last word.
        out done: bundle Completion(p) with granted: 1,
    }
}

/// The unit.
pub fn constant_memory(p: &CoreParams) -> Module {
    let protocol = &p.constant_protocol();
    let m = Builder::new("constant_memory", p.parameters(params! { warps: p.warps, lanes: p.lanes }));
    m.doc("Loads of constants: threads with one address are served together.");
    let io = ConstantMemoryPorts::new(&m, p);
    let group_bits = index_width(GROUPS as usize);
    let used = m.register("groups_used", group_bits + 1, 0);
    let (head, tail) = (m.register("head", group_bits, 0), m.register("tail", group_bits, 0));
    let made = make_groups(&m, p, io, tail, used.lt(GROUPS));

    m.comment("Groups in order, and the words that have come.");
    let groups = m.memory("groups", GROUPS as usize, SameWordThreads::width(p));
    m.when(made.now, || groups.write(tail, made.group.pack()));
    let reply = io.reply();
    let words = m.memory("words", GROUPS as usize, 32);
    let word_bits = protocol.word_index_bits();
    let word = select(reply.tag.bits(0, word_bits), &reply.data.parts(32));
    let number = reply.tag.bits(word_bits, group_bits);
    m.when(reply.valid, || words.write(number, word));
    let here = m.register("words_here", GROUPS, 0);
    let first = SameWordThreads::unpack(m.wire("first_group", groups.read(head)), p);
    let first_here = m.wire("first_here", used.any() & (here & index_one_hot(head, GROUPS)).any());
    let pop = write(&m, p, io, first_here, &first, words.read(head));

    let came = index_one_hot(number, GROUPS) & reply.valid.repeat(GROUPS);
    m.always("a word comes once for each group", !reply.valid | (came & here).is_zero() & used.any());
    let came = came | index_one_hot(tail, GROUPS) & (made.now & made.of_nobody).repeat(GROUPS);
    m.set(here, here & !(index_one_hot(head, GROUPS) & pop.repeat(GROUPS)) | came);
    m.when(made.now, || m.set(tail, tail + 1));
    m.when(pop, || m.set(head, head + 1));
    m.when(made.now ^ pop, || m.set(used, mux(made.now, used + 1, used - 1)));
    m.finish()
}

/// A group that is made.
struct Made<'m> {
    now: Signal<'m>,
    group: SameWordThreads<'m>,
    /// The instruction has no thread: nothing is asked for.
    of_nobody: Signal<'m>,
}

/// One instruction at a time into groups, which ask the cache by the number `tail` when there is `room`.
fn make_groups<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: ConstantMemoryPorts<'m>,
    tail: Signal<'m>,
    room: Signal<'m>,
) -> Made<'m> {
    m.comment("One instruction: the addresses of all its threads.");
    let (lanes, beats, protocol) = (p.lanes, p.beats(), &p.constant_protocol());
    let address_bits = index_width(CONSTANTS_END);
    let access = io.access();
    let reserve = access.reserve;
    let (busy, loaded) = (m.register("busy", 1, 0), m.register("loaded", 1, 0));
    let kept = [
        ("size_now", access.size),
        ("warp_now", access.warp),
        ("destination_now", access.destination),
        ("writes_now", access.writes),
    ];
    let [size, warp, destination, writes] = kept.map(|(name, value)| {
        let held = m.register(name, value.width(), 0);
        m.when(reserve, || m.set(held, value));
        held
    });
    let AccessBeat { beat_valid: arrives, beat: arriving, active, address, .. } = io.beat();
    let pending: Vec<_> = (0..beats).map(|b| m.register(("pending", b), lanes, 0)).collect();
    let addresses: Vec<_> = (0..beats).map(|b| m.register_payload(("addresses", b), lanes * address_bits)).collect();
    let short = joined(address.parts(32).iter().map(|address| address.bits(0, address_bits)));
    let beyond = joined(address.parts(32).iter().map(|address| address.bits(address_bits, 32 - address_bits).any()));
    m.always("constants lie in the constant memory", !arrives | (beyond & active).is_zero());

    m.comment("A group a cycle: the lowest thread that waits, and all others with its address.");
    let all: Vec<_> = addresses.iter().flat_map(|row| row.parts(address_bits)).collect();
    let waiting = m.wire("waiting", joined(pending.iter().copied()));
    let leader = m.wire("leader", one_hot_mux(lowest_set(waiting), &all));
    let threads = m.wire("threads", waiting & joined(all.iter().map(|address| address.eq(leader))));
    let works = m.wire("works", loaded & writes);
    let asks = m.wire("asks", works & waiting.any() & room);
    let taken = m.wire("taken", asks & io.request().answer());
    let of_nobody = m.wire("of_nobody", waiting.is_zero());
    let now = m.wire("group_made", taken | works & of_nobody & room);
    let last = m.wire("last", (waiting & !threads).is_zero());
    let offset_bits = protocol.offset_bits();
    let line = leader.bits(offset_bits, address_bits - offset_bits).extend(protocol.line_number_bits());
    let tag = tail.join(leader.bits(2, protocol.word_index_bits()));
    io.request().shows(LineRead { valid: asks, tag, line });

    let finish = m.wire("finish", loaded & (!writes | now & last));
    for (b, (register, row)) in pending.iter().zip(&addresses).enumerate() {
        let arrived = m.wire(("arrived", b), arrives & arriving.eq(b as u64));
        let served = threads.bits(b as u32 * lanes, lanes) & taken.repeat(lanes);
        m.set(*register, mux(arrived, active & writes.repeat(lanes), *register & !served));
        m.when(arrived, || m.set(*row, short));
    }
    m.when(arrives & arriving.eq(beats - 1), || m.set(loaded, 1));
    m.when(finish, || {
        m.set(busy, 0);
        m.set(loaded, 0);
    });
    m.when(reserve, || m.set(busy, 1));
    io.ready(!busy);
    m.always("a constant is asked for when the unit is free", !reserve | !busy);
    m.always("beats come for a reserved access", !arrives | busy & !loaded);
    m.always("constants are not stored", !reserve | !access.store);
    m.count(ACCESSES, finish);
    m.count(GROUPS_MADE, taken);
    m.count(CONFLICT_CYCLES, taken & !last);
    m.count(WAIT_CYCLES, works & !now);
    let group = SameWordThreads { threads, byte: leader.bits(0, 2), size, warp, destination, last };
    Made { now, group, of_nobody }
}

/// The first group, which has its word when it is `here`: the word to all its threads at once; with the last one of an instruction, all words into
/// the registers. Whether the group leaves now.
fn write<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: ConstantMemoryPorts<'m>,
    here: Signal<'m>,
    first: &SameWordThreads<'m>,
    word: Signal<'m>,
) -> Signal<'m> {
    m.comment("The first group: its word to all its threads.");
    let (lanes, beats) = (p.lanes, p.beats());
    let full = m.register("collected", 1, 0);
    let leaves = m.wire("leaves", here & !full);
    let value = m.wire("value", extract(word, first.byte, first.size));
    let left = m.register("threads_left", WARP, 0);
    let rows: Vec<_> = (0..beats).map(|b| m.register_payload(("words_of_beat", b), lanes * 32)).collect();
    for (word, wants) in rows.iter().flat_map(|row| row.parts(32)).zip(first.threads.to_bits()) {
        m.when(leaves & wants, || m.set(word, value));
    }
    let (warp, destination) =
        (m.captured("warp_written", leaves, first.warp), m.captured("destination_written", leaves, first.destination));

    m.comment("The words of an instruction into the registers, a beat with a grant.");
    let of_beats = left.parts(lanes);
    let beat = m.wire("beat_hit", lowest_set(joined(of_beats.iter().map(|threads| threads.any()))));
    let others = joined(of_beats.iter().zip(beat.to_bits()).map(|(threads, hit)| *threads & !hit.repeat(lanes)));
    let is_last = m.wire("last_beat", others.is_zero());
    let goes = m.wire("goes", full & (!is_last | io.done().answer()));
    io.write().shows(RegisterWrite {
        valid: goes & beat.any(),
        warp,
        destination,
        beat: one_hot_index(beat),
        mask: one_hot_mux(beat, &of_beats),
        data: one_hot_mux(beat, &rows),
    });
    let granted = m.wire("granted", goes & (beat.is_zero() | io.write().answer()));
    let ends = m.wire("ends", granted & is_last);
    io.done().shows(Completion { valid: ends, warp, destination });
    m.set(full, full & !ends | leaves & first.last);
    m.set(left, mux(leaves, left | first.threads, mux(granted, others, left)));
    leaves
}
