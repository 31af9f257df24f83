//! Atomic unit of a memory node: reads a value, computes, and writes it back, with nothing to its line in between.
//!
//! ```text
//!                  +------------------------------------------------------+
//!  request_*    -->| an atomic: line locked, its read ------+-- others ---|--> downstream_* (own requests have the top bit of the tag)
//!  request_taken<--|                                        |             |<-- downstream_taken
//!                  | old values --> atomic_alu --> write ---'             |
//!                  |    ^                                                 |
//!  reply_*      <--|----|---- old value, or acknowledgement               |
//!  reply_taken  -->|    '---------------------- own replies --- others <--|<-- downstream_reply_*
//!                  |                                                      |--> downstream_reply_taken
//!                  +------------------------------------------------------+
//! ```
//!
//! Contract: requests and replies of others pass in the cycle in which they are shown. An atomic takes one of `entries`
//! and locks its line until its write is taken below; a request for a locked line waits, and what comes behind it. As
//! what is below keeps the order of the requests for a line, nothing to the line comes between the read and the write,
//! and an atomic sees all that was asked for before it. It is answered when its write is acknowledged: old value in all
//! words of the line, or an acknowledgement where it does not want it. A compare-and-swap that finds another value
//! writes nothing.
//!
//! **Deadlock.** Own replies from below are taken at once, in their cycle: each has a place in its entry. So what is below never waits for this
//! unit, but for the taker of replies above, as it would without it; its own write, which goes before all requests,
//! therefore leaves some time, and locks and entries become free without any request from above. Replies wait only for
//! `reply_taken`.
//!
//! Never: an atomic of no word or of two that are no aligned pair; a reply to an entry that does not wait for it
//! (asserted).
//!
//! Source of the place: the L2 banks of the thesis' baseline (Bakhoda 2014, section 3.2) are the only point that all
//! requests for a line pass.
//!
//! Testbench: `testbenches/atomic_unit/`; tests: `tests/memory/atomics.rs`, `tests/memory/litmus.rs`.

use blocks::{AtomicAlu, at_most_one, atomic_alu, index_one_hot, lowest_set, one_hot_index, one_hot_mux};
use hdl::{Builder, Bundle, MemoryHandle, Module, Signal, bundle, index_width, mux, params, row, statistics};
use protocol::{AtomicData, ClientPorts, MemoryReply, MemoryRequest, Protocol, ServerPorts};

statistics! {
    "atomic_unit" {
        /// Atomics taken.
        ATOMICS: atomics in "requests";
        /// Atomics that wrote nothing: compare-and-swaps that found another value.
        FAILED: failed in "requests";
        /// Cycles in which a request waits for an atomic on its line.
        LINE_WAIT_CYCLES: line_wait_cycles in "cycles";
        /// Cycles in which an atomic waits for an entry.
        ENTRY_WAIT_CYCLES: entry_wait_cycles in "cycles";
    }
}

/// Parameters of an [`atomic_unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AtomicUnitParams {
    /// Requests from above.
    pub protocol: Protocol,
    /// Atomics outstanding, 2 and up. Default 8.
    pub entries: u32,
}

impl AtomicUnitParams {
    /// Requests below: one more bit of the tag tells its own from others.
    pub fn downstream(&self) -> Protocol {
        self.protocol.with_tag_bits(self.protocol.tag_bits.max(self.entry_bits()) + 1)
    }

    fn entry_bits(&self) -> u32 {
        index_width(self.entries as usize)
    }
}

bundle! {
    /// What an entry keeps of its request.
    struct HeldAtomic(p: &AtomicUnitParams) {
        tag: p.protocol.tag_bits,
        line: p.protocol.line_number_bits(),
        words: p.protocol.words(),
        data: AtomicData::width(&()),
    }
}

/// Phases of the entries, a bit each.
struct Entries<'m> {
    /// In use.
    busy: Signal<'m>,
    /// Nobody else may go to its line.
    locked: Signal<'m>,
    /// Its old value is here and nothing is computed yet.
    ready: Signal<'m>,
    /// It can be answered.
    answers: Signal<'m>,
}

/// The unit; see the [module documentation](self).
pub fn atomic_unit(p: &AtomicUnitParams) -> Module {
    let AtomicUnitParams { protocol, entries } = p;
    let m =
        Builder::new("atomic_unit", params! { entries, line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits });
    m.doc("Atomics at a memory node: reads, computes, writes, with the line locked.");
    m.require(*entries >= 2, &format!("atomic_unit: entries = {entries}, at least 2 are needed"));
    let (n, downstream) = (*entries, &p.downstream());
    let phase = |name: &str| m.register(name, n, 0);
    let now =
        Entries { busy: phase("busy"), locked: phase("locked"), ready: phase("ready"), answers: phase("answers") };
    let held = m.memory("held", n as usize, HeldAtomic::width(p));
    let olds = m.memory("old_values", n as usize, 64);
    let write = OwnWrite::new(&m, p);

    m.comment("Requests: an own write first.");
    let (up, down) = (ServerPorts::new(&m, protocol), ClientPorts::new(&m, downstream));
    let (request, request_taken) = up.request().signals();
    let lines: Vec<_> = (0..n).map(|e| m.register_payload(("line", e), protocol.line_number_bits())).collect();
    let in_the_way = m.wire("in_the_way", (row(lines.iter().map(|line| line.eq(request.line))) & now.locked).any());
    let atomic = m.wire("atomic", request.is_atomic());
    let free = m.wire("free", lowest_set(!now.busy));
    let passes = m.wire("passes", request.valid & !in_the_way & (!atomic | free.any()) & !write.valid);
    let passing = MemoryRequest {
        valid: passes,
        write: request.write & !atomic,
        tag: mux(atomic, own(downstream, one_hot_index(free)), request.tag.extend(downstream.tag_bits)),
        ..request
    };
    let written = write.request(p);
    let shown = MemoryRequest { valid: write.valid | passes, ..written.or_else(write.valid, passing) };
    down.downstream().shows(shown);
    let downstream_taken = down.downstream().answer();
    let taken = m.wire("taken", downstream_taken & !write.valid);
    request_taken.shows(taken);
    let begins = m.wire("begins", free & (taken & atomic).repeat(n));
    let kept = HeldAtomic {
        tag: request.tag,
        line: request.line,
        words: request.words,
        data: request.data.bits(0, AtomicData::width(&())),
    };
    m.when(taken & atomic, || held.write(one_hot_index(free), kept.pack()));
    for (&line, begins) in lines.iter().zip(begins.to_bits()) {
        m.when(begins, || m.set(line, request.line));
    }
    let leaves = m.wire("write_leaves", downstream_taken & write.valid);

    m.comment("Own replies: the value, then the acknowledgement.");
    let (back, back_taken) = down.downstream_reply().signals();
    let is_own = m.wire("own_reply", back.valid & back.tag.bit(downstream.tag_bits - 1));
    let number = back.tag.bits(0, p.entry_bits());
    let returned = m.wire("returned", index_one_hot(number, n) & is_own.repeat(n));
    let comes = m.wire("value_comes", is_own & !back.write);
    m.when(comes, || olds.write(number, value_of(back.data, HeldAtomic::unpack(held.read(number), p).words)));

    m.comment("One value a cycle becomes what is written.");
    let free_to_compute = m.wire("computes", !write.valid | leaves);
    let chosen = m.wire("chosen", lowest_set(now.ready) & free_to_compute.repeat(n));
    let chosen_number = m.wire("chosen_number", one_hot_index(chosen));
    let writes = write.compute(&m, p, (chosen.any(), leaves), chosen_number, (held, olds));
    let fails = m.wire("fails", chosen & (!writes).repeat(n));
    let unlocked = index_one_hot(write.entry, n) & leaves.repeat(n) | fails;

    m.comment("Replies above: own ones first.");
    let answering = m.wire("answering", lowest_set(now.answers));
    let of = HeldAtomic::unpack(m.wire("answered_request", held.read(one_hot_index(answering))), p);
    let old = m.wire("answered_value", olds.read(one_hot_index(answering)));
    let mine = answering.any();
    let answer = MemoryReply {
        valid: mine,
        write: !AtomicData::unpack(of.data, &()).returns,
        tag: of.tag,
        data: old.repeat(protocol.words() / 2),
    };
    let others = MemoryReply { valid: back.valid & !is_own, tag: back.tag.bits(0, protocol.tag_bits), ..back };
    up.reply().shows(MemoryReply { valid: mine | others.valid, ..answer.or_else(mine, others) });
    let reply_taken = up.reply().answer();
    back_taken.shows(is_own | others.valid & reply_taken & !mine);
    let ended = answering & reply_taken.repeat(n);

    let read_back = returned & (!back.write).repeat(n);
    let acknowledged = returned & back.write.repeat(n);
    m.set(now.busy, now.busy & !ended | begins);
    m.set(now.locked, now.locked & !unlocked | begins);
    m.set(now.ready, now.ready & !chosen | read_back);
    m.set(now.answers, now.answers & !ended | acknowledged | fails);

    let pairs = request.words.parts(2);
    let one_place = at_most_one(row(pairs.iter().map(|pair| pair.any()))) & request.words.any();
    m.always("an atomic names a word or an aligned pair", !(request.valid & atomic) | one_place);
    m.always("a reply is for an entry that waits", (returned & !(now.busy & !now.answers & !now.ready)).is_zero());
    m.always("a value comes for a locked line", (read_back & !now.locked).is_zero());
    m.count(ATOMICS, taken & atomic);
    m.count(FAILED, fails.any());
    m.count(LINE_WAIT_CYCLES, request.valid & in_the_way);
    m.count(ENTRY_WAIT_CYCLES, request.valid & !in_the_way & atomic & !free.any());
    m.finish()
}

/// The tag of an own request of entry `number`.
fn own<'m>(downstream: &Protocol, number: Signal<'m>) -> Signal<'m> {
    number.builder().lit(1, 1).join(number.extend(downstream.tag_bits - 1))
}

/// The word (twice) or the aligned pair of words of `line` that `words` names.
fn value_of<'m>(line: Signal<'m>, words: Signal<'m>) -> Signal<'m> {
    let masks = words.parts(2);
    let pair = one_hot_mux(row(masks.iter().map(|mask| mask.any())), &line.parts(64));
    let (low, high) =
        (row(masks.iter().map(|mask| mask.bit(0))).any(), row(masks.iter().map(|mask| mask.bit(1))).any());
    let [first, second] = [pair.bits(0, 32), pair.bits(32, 32)];
    mux(high, second, first).join(mux(low, first, second))
}

/// Both words of a pair are named.
fn is_wide<'m>(words: Signal<'m>) -> Signal<'m> {
    row(words.parts(2).iter().map(|mask| mask.all())).any()
}

/// The write that is shown below.
struct OwnWrite<'m> {
    valid: Signal<'m>,
    entry: Signal<'m>,
    line: Signal<'m>,
    words: Signal<'m>,
    /// In both halves where it has 32 bits.
    value: Signal<'m>,
}

impl<'m> OwnWrite<'m> {
    fn new(m: &'m Builder, p: &AtomicUnitParams) -> Self {
        let register = |name: &str, width: u32| m.register_payload(name, width);
        Self {
            valid: m.register("write_valid", 1, 0),
            entry: register("write_entry", p.entry_bits()),
            line: register("write_line", p.protocol.line_number_bits()),
            words: register("write_words", p.protocol.words()),
            value: register("write_value", 64),
        }
    }

    fn request(&self, p: &AtomicUnitParams) -> MemoryRequest<'m> {
        let m = self.valid.builder();
        MemoryRequest {
            valid: self.valid,
            write: m.lit(1, 1),
            tag: own(&p.downstream(), self.entry),
            line: self.line,
            words: self.words,
            bytes: m.lit(4, 0b1111),
            data: self.value.repeat(p.protocol.words() / 2),
        }
    }

    /// Computes what entry `number` writes, if there `is` one; whether it writes.
    fn compute(
        &self,
        m: &'m Builder,
        p: &AtomicUnitParams,
        (is, leaves): (Signal<'m>, Signal<'m>),
        number: Signal<'m>,
        (held, olds): (MemoryHandle<'m>, MemoryHandle<'m>),
    ) -> Signal<'m> {
        let of = HeldAtomic::unpack(m.wire("computed_request", held.read(number)), p);
        let data = AtomicData::unpack(of.data, &());
        let alu = AtomicAlu(m.instance("alu", &atomic_alu(64)));
        let wide = m.wire("wide", is_wide(of.words));
        alu.operation(data.operation);
        alu.old(olds.read(number));
        alu.operand(data.operand);
        alu.compare(data.compare);
        alu.wide(wide);
        let (new, writes) = (alu.result(), alu.writes());
        m.set(self.valid, self.valid & !leaves | is & writes);
        m.when(is, || {
            m.set(self.entry, number);
            m.set(self.line, of.line);
            m.set(self.words, of.words);
            m.set(self.value, mux(wide, new, new.bits(0, 32).repeat(2)));
        });
        writes
    }
}
