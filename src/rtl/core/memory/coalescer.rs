//! Coalescer: turns the accesses of a warp to global memory into requests for lines.
//!
//! ```text
//!  reserve, store, size (issue) ---------->+-----------------------+--> busy
//!  beat_valid, beat, active (lanes), ----->| addresses  (a row per |--> request: valid, line, word mask, byte mask (4),
//!    address, data (lanes x 32)            | data        beat)     |    data, store
//!  request_taken ------------------------->| pending (32)          |--> row: valid, beat, match (lanes), offset (lanes x)
//!  may_begin (a tag is free) ------------->| round                 |--> begin, last (of a round), finish (of the instruction)
//!                                          +-----------------------+
//! ```
//!
//! Contract: one instruction at a time, from `reserve` until `busy` falls. When all beats have arrived, rounds follow:
//! the line of the first thread that is still pending is requested, together with all other threads that want the same
//! line (for stores also the same bytes of their words). A round looks at one beat a cycle, skipping beats without
//! pending threads. `row` tells which lanes of a beat a round serves, for loads, with their byte offsets in the line
//! (`begin` and `last` mark the first and last of a round; they are for loads, too). The request shows after the `last`
//! beat of a round until it is taken. Of two threads that store to one place the higher one wins. In a core with
//! atomics (`atomic`, `operation`, `compare`) each thread of one is a round, in the order of the threads. The high
//! words of one of 64 bits come before it, as an instruction with `high_part`; the unit is free again when the atomic
//! behind it (`wide`) is done.
//!
//! By `core.coalescing` ([`Coalescing`]) a round may be of the threads of half a warp only, and of one segment of the
//! line. A request moves a line whatever its segment is; a segment longer than a line is a request for each of its
//! lines that is touched. Source of the segments: NVIDIA's CUDA 1.x devices, after Bakhoda 2014, section 3.2.3.
//!
//! Testbench: `testbenches/coalescer/`; tests: `tests/core/memory.rs`, `tests/core/random.rs`.

use super::sub_word::{SIZE_BITS, bytes, position};
use crate::{
    config::{Coalescing, CoreParams},
    ports::{AccessBeat, LineRequest, RoundRow},
};
use blocks::{any_of, atomic_alu::OPERATION_BITS, lowest_set, one_hot_index, one_hot_mux};
use hdl::{Builder, Bundle, MemoryHandle, Module, Signal, mux, params, ports, row as joined, statistics};
use protocol::AtomicData;

statistics! {
    "coalescer" {
        /// Memory requests that a load or store has become.
        REQUESTS_PER_ACCESS: requests_per_access in "requests";
        /// Cycles in which a load waits for a tag.
        TAG_WAIT_CYCLES: tag_wait_cycles in "cycles";
        /// Cycles in which a request waits to be taken: for the network, the data cache, the order of its line.
        DOWNSTREAM_WAIT_CYCLES: downstream_wait_cycles in "cycles";
        /// With `core.coalescing = "cuda-1x"`: bytes of the smallest segments (32, 64 or 128) that hold what requests touch.
        SEGMENT_BYTES: segment_bytes in "bytes";
        /// Atomics of threads in global memory.
        ATOMICS: atomics in "requests";
    }
}

ports! {
    /// Ports of a [`coalescer`].
    pub struct CoalescerPorts(p: &CoreParams) of Coalescer {
        /// An instruction begins.
        in reserve: 1,
        /// Its beats at the lanes, in the cycles that follow.
        in beat as "": bundle AccessBeat(p),
        /// The instruction is the high words of the atomic that comes next.
        maybe (p.atomics) in high_part: 1,
        /// It is an atomic.
        maybe (p.atomics) in atomic: 1,
        /// Of an atomic: its operation.
        maybe (p.atomics) in operation: OPERATION_BITS,
        /// It is the atomic whose high words came before it.
        maybe (p.atomics) in wide: 1,
        /// A round of a load may begin: a tag is free.
        in may_begin: 1,
        /// The instruction writes, or is an atomic whose old value nobody wants.
        in store: 1,
        /// Size of what a thread accesses: see [`sub_word`](super::sub_word).
        in size: SIZE_BITS,
        /// An instruction is being carried out.
        out busy: 1,
        /// A beat of a round of a load.
        out row as "": bundle RoundRow(p),
        /// What a round asks for.
        out request: bundle LineRequest(&p.protocol()) with taken: 1,
    }
}

/// The coalescer.
pub fn coalescer(p: &CoreParams) -> Module {
    let protocol = &p.protocol();
    let m = Builder::new("coalescer", p.parameters(params! { lanes: p.lanes, line_bytes: protocol.line_bytes }));
    m.doc("Turns the global accesses of a warp into requests for lines.");
    let (lanes, beats) = (p.lanes, p.beats());
    let io = CoalescerPorts::new(&m, p);
    let (reserve, of_lanes) = (io.reserve(), io.beat());
    let AccessBeat { beat_valid: arrives, beat: arriving, active, address, store_data, .. } = of_lanes;
    let (busy, complete) = (m.register("busy_now", 1, 0), m.register("complete", 1, 0));
    let (store, size) = (m.register("store_now", 1, 0), m.register("size_now", SIZE_BITS, 0));
    let pending: Vec<_> = (0..beats).map(|b| m.register(("pending", b), lanes, 0)).collect();
    let addresses = m.memory("addresses", beats as usize, lanes * 32);
    let data = m.memory("data", beats as usize, lanes * 32);
    let atomics = Atomics::new(&m, p, io, reserve, &of_lanes);
    let atomic = atomics.as_ref().map(|atomics| atomics.now);
    let arrives = m.wire("row_arrives", atomics.as_ref().map_or(arrives, |of| arrives & !of.high_part));
    m.when(arrives, || {
        addresses.write(arriving, address);
        data.write(arriving, store_data);
    });

    let round = Round::new(&m, p);
    let occupied = joined(pending.iter().map(|b| b.any()));
    let visits = m.wire("visits", mux(round.open, round.todo, first_half(p, occupied)));
    let beat_hit = m.wire("beat_hit", lowest_set(visits));
    let beat = m.wire("round_beat", one_hot_index(beat_hit));
    let row = m.wire("address_row", addresses.read(beat)).parts(32);
    let waiting = m.wire("waiting", first_half_of_beat(p, one_hot_mux(beat_hit, &pending)));
    let leader = m.wire("leader", one_hot_mux(lowest_set(waiting), &row));
    let served = round.serves(&m, p, (store, size, atomic), &Beat { row: &row, waiting, leader });
    let matched = served.lanes;

    let loaded = m.register("loaded", 1, 0);
    let may_begin = round.open | store | io.may_begin();
    let taken = io.request().answer();
    let free = !complete | taken;
    let go = m.wire("go", loaded & visits.any() & may_begin & free);
    let no_more = (visits & !beat_hit).is_zero();
    let last = m.wire("last_now", go & atomic.map_or(no_more, |atomic| no_more | atomic));
    let finish = m.wire("finish_now", busy & loaded & !occupied.any() & !complete);
    m.when(go, || round.follows(&m, last, visits & !beat_hit, &served));
    m.set(complete, last | complete & !taken);
    for (b, register) in pending.iter().enumerate() {
        let here = go & beat_hit.bit(b as u32);
        let arrived = arrives & arriving.eq(b as u64);
        m.set(*register, mux(arrived, active, *register & !(matched & here.repeat(lanes))));
    }

    m.comment("Words of the line: gathered beat by beat, from the highest lane that wants each.");
    let word_mask = m.register("word_mask", protocol.words(), 0);
    let line_data = m.register_payload("line_data", protocol.data_bits());
    let store_row: Vec<_> = m.wire("data_row", data.read(beat)).parts(32).iter().map(|d| position(*d, size)).collect();
    let fresh = go & !round.open;
    let word_of: Vec<_> = row.iter().map(|address| address.bits(2, protocol.word_index_bits())).collect();
    let stores = |hit| atomic.map_or(go & hit & store, |atomic| go & hit & store & !atomic);
    let hits = gathered(&m, (matched, &word_of), line_data, (&stores, &store_row));
    let hits = atomics.as_ref().map_or(hits, |of| hits | (hits << 1) & of.wide.repeat(protocol.words()));
    m.when(go, || m.set(word_mask, mux(fresh, hits, word_mask | hits)));

    if let Some(atomics) = &atomics {
        let data = AtomicOperands { leader: lowest_set(waiting), beat, operands: &store_row, store };
        atomics.put(&m, go, &data, line_data);
        m.count(ATOMICS, last & atomics.now);
        m.always("an atomic of 64 bits is aligned", !(go & atomics.wide & leader.bits(0, 3).any()));
    }

    m.when(reserve, || {
        m.set(busy, 1);
        m.set(store, io.store());
        m.set(size, io.size());
    });
    m.when(arrives & arriving.eq(beats - 1), || m.set(loaded, 1));
    m.when(finish, || {
        m.set(busy, 0);
        m.set(loaded, 0);
    });
    count_requests(&m, reserve, last, finish);
    io.busy(busy);
    io.row(RoundRow {
        row_valid: go & !store,
        row_beat: beat,
        row_match: matched,
        row_offset: joined(row.iter().map(|a| a.bits(0, protocol.offset_bits()))),
        begin: fresh & !store,
        last: last & !store,
        finish,
    });
    let Round { line, bytes, .. } = round;
    io.request().shows(LineRequest { valid: complete, store, line, words: word_mask, bytes, data: line_data });
    count_waits(&m, loaded & visits.any() & !may_begin, complete & !taken);
    segments_moved(&m, p, complete & taken, word_mask);
    let staged = atomics.as_ref().map_or(m.lit(1, 0), |of| of.high_part);
    m.always("a memory instruction comes when the coalescer is free", !reserve | !busy | staged);
    m.always("beats come for a reserved instruction", !arrives | busy & !loaded);
    m.always("a round serves at least its first thread", !fresh | matched.any());
    m.finish()
}

/// A round: the beats that it has still to visit, and what its first thread chose.
struct Round<'m> {
    open: Signal<'m>,
    todo: Signal<'m>,
    line: Signal<'m>,
    /// Of a word, for stores.
    bytes: Signal<'m>,
}

/// The beat that is visited.
struct Beat<'a, 'm> {
    /// The address of each lane.
    row: &'a [Signal<'m>],
    /// Lanes whose thread is still pending.
    waiting: Signal<'m>,
    /// The address of the first of them.
    leader: Signal<'m>,
}

/// What the round takes of a beat.
struct Served<'m> {
    lanes: Signal<'m>,
    line: Signal<'m>,
    bytes: Signal<'m>,
    /// Where segments matter, their register and the one that the round has.
    segment: Option<(Segments<'m>, Signal<'m>)>,
}

impl<'m> Round<'m> {
    fn new(m: &'m Builder, p: &CoreParams) -> Self {
        m.comment("A round: the beats still to visit, and the line that its first thread chose.");
        let (open, todo) = (m.register("in_round", 1, 0), m.register("todo", p.beats(), 0));
        let line = m.register("line", p.protocol().line_number_bits(), 0);
        Self { open, todo, line, bytes: m.register("lane_bytes", 4, 0) }
    }

    /// The lanes that want the line of the round, or that of the leader of a new one; of an atomic the leader alone.
    fn serves(
        &self,
        m: &'m Builder,
        p: &CoreParams,
        (store, size, atomic): (Signal<'m>, Signal<'m>, Option<Signal<'m>>),
        &Beat { row, waiting, leader }: &Beat<'_, 'm>,
    ) -> Served<'m> {
        let protocol = p.protocol();
        let line_of = |address: Signal<'m>| address.bits(protocol.offset_bits(), protocol.line_number_bits());
        let row_bytes: Vec<_> = row.iter().map(|a| bytes(a.bits(0, 2), size)).collect();
        let leader_bytes = mux(store, bytes(leader.bits(0, 2), size), m.lit(4, 0b1111));
        let leader_bytes = atomic.map_or(leader_bytes, |atomic| leader_bytes & !atomic.repeat(4));
        let line = m.wire("line_now", mux(self.open, self.line, line_of(leader)));
        let bytes = m.wire("bytes_now", mux(self.open, self.bytes, leader_bytes));
        let fits = row.iter().zip(&row_bytes);
        let fits = fits.map(|(address, of_lane)| line_of(*address).eq(line) & (!store | of_lane.eq(bytes)));
        let lanes = waiting & joined(fits);
        let segment = Segments::new(m, p, size).map(|segments| (segments, segments.now(self.open, leader)));
        let lanes = segment.map_or(lanes, |(segments, now)| lanes & segments.same(now, row));
        let lanes = m.wire("matched", atomic.map_or(lanes, |atomic| mux(atomic, lowest_set(waiting), lanes)));
        Served { lanes, line, bytes, segment }
    }

    /// At the clock edge, when a beat is served: `todo` beats remain unless it was the `last`.
    fn follows(&self, m: &'m Builder, last: Signal<'m>, todo: Signal<'m>, served: &Served<'m>) {
        m.set(self.open, !last);
        m.set(self.todo, todo);
        m.set(self.line, served.line);
        m.set(self.bytes, served.bytes);
        if let Some((segments, now)) = served.segment {
            m.set(segments.number, now);
        }
    }
}

/// Puts the words that matched lanes store into those of `line`, and tells which words they want. `word_of`: of each lane; `stores`: a word that is
/// wanted is written, with that of `store_row`.
fn gathered<'m>(
    m: &'m Builder,
    (matched, word_of): (Signal<'m>, &[Signal<'m>]),
    line: Signal<'m>,
    (stores, store_row): (&dyn Fn(Signal<'m>) -> Signal<'m>, &[Signal<'m>]),
) -> Signal<'m> {
    joined(line.parts(32).into_iter().enumerate().map(|(w, word)| {
        let wants = wanting(matched, word_of, w);
        let hit = m.wire(("hit", w), any_of(&wants));
        m.when(stores(hit), || m.set(word, highest(&wants, store_row)));
        hit
    }))
}

/// Which matched lanes want word `w`.
fn wanting<'m>(matched: Signal<'m>, word_of: &[Signal<'m>], w: usize) -> Vec<Signal<'m>> {
    word_of.iter().enumerate().map(|(l, word)| matched.bit(l as u32) & word.eq(w as u64)).collect()
}

/// Counts the requests of each instruction.
fn count_requests<'m>(m: &'m Builder, reserve: Signal<'m>, last: Signal<'m>, finish: Signal<'m>) {
    let requests = m.register("requests", 6, 0);
    m.when(reserve, || m.set(requests, 0));
    m.when(last, || m.set(requests, requests + 1));
    m.histogram(REQUESTS_PER_ACCESS, finish, requests);
}

/// Counts cycles without progress.
fn count_waits(m: &Builder, for_tag: Signal<'_>, for_taker: Signal<'_>) {
    m.count(TAG_WAIT_CYCLES, for_tag);
    m.count(DOWNSTREAM_WAIT_CYCLES, for_taker);
}

/// Counts what segments would move.
fn segments_moved(m: &Builder, p: &CoreParams, sent: Signal<'_>, words: Signal<'_>) {
    if p.coalescing == Coalescing::Cuda1x {
        m.sum(SEGMENT_BYTES, sent, segment_bytes(words));
    }
}

/// What atomics need beside what stores do.
struct Atomics<'m> {
    /// The instruction is one.
    now: Signal<'m>,
    operation: Signal<'m>,
    /// Its high words come now.
    high_part: Signal<'m>,
    /// It has 64 bits.
    wide: Signal<'m>,
    /// Values to compare with, a row per beat.
    compares: MemoryHandle<'m>,
    /// High words of operands and values to compare with.
    high_words: [MemoryHandle<'m>; 2],
}

/// A thread's operands, in its beat.
struct AtomicOperands<'a, 'm> {
    leader: Signal<'m>,
    beat: Signal<'m>,
    operands: &'a [Signal<'m>],
    store: Signal<'m>,
}

impl<'m> Atomics<'m> {
    /// None in a core without.
    fn new(
        m: &'m Builder,
        p: &CoreParams,
        io: CoalescerPorts<'m>,
        reserve: Signal<'m>,
        &AccessBeat { beat_valid: arrives, beat: arriving, store_data: operand, compare, .. }: &AccessBeat<'m>,
    ) -> Option<Self> {
        let compare = compare?;
        m.comment("Atomics: one thread a round.");
        let rows = |name: &str| m.memory(name, p.beats() as usize, p.lanes * 32);
        let (compares, high_words) = (rows("compares"), [rows("high_operands"), rows("high_compares")]);
        let kept = |name: &str, value: Signal<'m>| {
            let register = m.register(name, value.width(), 0);
            m.when(reserve, || m.set(register, value));
            register
        };
        let high_part = kept("high_part_now", io.high_part()?);
        m.when(arrives & !high_part, || compares.write(arriving, compare));
        m.when(arrives & high_part, || {
            high_words[0].write(arriving, operand);
            high_words[1].write(arriving, compare);
        });
        Some(Self {
            now: kept("atomic_now", io.atomic()?),
            operation: kept("operation_now", io.operation()?),
            high_part,
            wide: kept("wide_now", io.wide()?),
            compares,
            high_words,
        })
    }

    /// Puts what the memory node needs into the low bits of the line.
    fn put(&self, m: &'m Builder, go: Signal<'m>, of: &AtomicOperands<'_, 'm>, line: Signal<'m>) {
        m.comment("An atomic's operation and operands in the place of data.");
        let of_leader = |rows: MemoryHandle<'m>| one_hot_mux(of.leader, &rows.read(of.beat).parts(32));
        let [operand, compare] = self.high_words.map(|rows| of_leader(rows) & self.wide.repeat(32));
        let operand = operand.join(one_hot_mux(of.leader, of.operands));
        let compare = compare.join(of_leader(self.compares));
        let data = AtomicData { returns: !of.store, operation: self.operation, compare, operand }.pack();
        m.when(go & self.now, || m.set(line.bits(0, data.width()), data));
    }
}

/// The item of the highest condition that holds (the first item when none does).
fn highest<'m>(conditions: &[Signal<'m>], items: &[Signal<'m>]) -> Signal<'m> {
    let pairs = conditions.iter().zip(items).skip(1);
    pairs.fold(items[0], |lower, (condition, item)| mux(*condition, *item, lower))
}

/// Of beats, or of the threads of the only beat, those of the lower half of the warp, or of the upper one where the lower has none left.
/// All of them where halves do not matter.
fn first_half<'m>(p: &CoreParams, some: Signal<'m>) -> Signal<'m> {
    let half = some.width() / 2;
    if p.coalescing == Coalescing::Line || half == 0 {
        return some;
    }
    let lower = some.bits(0, half);
    mux(lower.any(), lower.extend(2 * half), some)
}

/// The same of the threads of the only beat, where a warp has one.
fn first_half_of_beat<'m>(p: &CoreParams, waiting: Signal<'m>) -> Signal<'m> {
    if p.beats() == 1 { first_half(p, waiting) } else { waiting }
}

/// Segments within a line: the bits of an address between the least segment and the line.
#[derive(Clone, Copy)]
struct Segments<'m> {
    m: &'m Builder,
    offset_bits: u32,
    /// Which of these bits tell the segments of this access apart.
    tells: Signal<'m>,
    /// Of the round.
    number: Signal<'m>,
}

/// The least segment has 32 bytes.
const LEAST_SEGMENT_BITS: u32 = 5;

impl<'m> Segments<'m> {
    /// Where the rule has segments, and a line more than one.
    fn new(m: &'m Builder, p: &CoreParams, size: Signal<'m>) -> Option<Self> {
        let offset_bits = p.protocol().offset_bits();
        if p.coalescing != Coalescing::Cuda1x || offset_bits <= LEAST_SEGMENT_BITS {
            return None;
        }
        let (word, byte) = (size.is_zero(), size.eq(1) | size.eq(2));
        let tells = row_of(&[byte, !word], offset_bits - LEAST_SEGMENT_BITS);
        let number = m.register("segment", tells.width(), 0);
        Some(Self { m, offset_bits, tells: m.wire("tells_segments", tells), number })
    }

    fn of(&self, address: Signal<'m>) -> Signal<'m> {
        address.bits(LEAST_SEGMENT_BITS, self.offset_bits - LEAST_SEGMENT_BITS)
    }

    /// The round's.
    fn now(&self, in_round: Signal<'m>, leader: Signal<'m>) -> Signal<'m> {
        mux(in_round, self.number, self.of(leader))
    }

    /// Which lanes access the segment `now`.
    fn same(&self, now: Signal<'m>, row: &[Signal<'m>]) -> Signal<'m> {
        let now = self.m.wire("segment_now", now);
        joined(row.iter().map(|&address| ((self.of(address) ^ now) & self.tells).is_zero()))
    }
}

/// The first `width` of `bits`.
fn row_of<'m>(bits: &[Signal<'m>], width: u32) -> Signal<'m> {
    joined(bits.iter().copied().take(width as usize))
}

/// Bytes of the smallest segment of 32, 64 or 128 bytes that holds these words of a line.
fn segment_bytes(words: Signal<'_>) -> Signal<'_> {
    const BITS: u32 = 8;
    let (m, half) = (words.builder(), words.width() / 2);
    let all = m.lit(BITS, 4 * u64::from(words.width()));
    if words.width() == 8 {
        return all;
    }
    let (lower, upper) = (words.bits(0, half), words.bits(half, half));
    let within = segment_bytes(mux(lower.any(), lower, upper));
    mux(lower.any() & upper.any(), all, within)
}
