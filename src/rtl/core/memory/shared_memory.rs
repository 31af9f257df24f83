//! Shared memory: banks of interleaved words, conflicts served one after the other.
//!
//! ```text
//!  reserve, store, size, warp, register -->+---------------------------+--> ready
//!  beat_valid, beat, active, base, ------->| places  |  banks  | words |--> write: valid, warp, destination, beat, mask, data
//!    address, store_data (lanes x 32)      | (2 or 4)|         |       |--> done, done_warp, done_destination (scoreboard)
//!  write_granted ------------------------->+---------------------------+
//! ```
//!
//! Contract: a pipeline of three stages: beats arrive in a place ([`mod@super::shared_queue`]), groups of the oldest
//! access are served, words go to the registers. It takes an instruction in each issue interval (32 / lanes cycles)
//! while there are no conflicts and words are granted at once; `ready` tells whether there is a place for one more. The
//! threads of a group ([`SharedGroup`]: by default of a beat) are served together; in each cycle every bank serves the
//! lowest thread of the group that waits for it and, for loads, all that want the same word (broadcast), so a group
//! takes as many cycles as the bank with the most different words. The words of a cycle are written to the register
//! file, a beat a cycle, when granted; `done` comes with the last of an instruction. Instructions are carried out in
//! the order of issue. An atomic is served a thread a bank, in two cycles: read, and write what the bank's unit
//! computes. Addresses are relative to `base`, the block's share, and wrap at the size of the memory.
//!
//! Source of the groups of half a warp on 16 banks: NVIDIA's CUDA 1.x devices, after Bakhoda 2014, table 3.2.
//!
//! Testbenches: `testbenches/shared_memory/`, `testbenches/shared_bank/`; tests: `tests/core/memory.rs`,
//! `tests/core/random.rs`.
//!
//! [`SharedGroup`]: crate::SharedGroup

use super::{
    shared_groups::{Answers, GroupedRows},
    shared_queue::{SharedAccess, SharedQueue},
    sub_word::{SIZE_BITS, bytes, extract, position},
};
use crate::{
    config::CoreParams,
    ports::{Access, AccessBeat, Completion, RegisterWrite},
};
use blocks::{AtomicAlu, atomic_alu, lowest_set, one_hot_index, one_hot_mux, or_all, popcount};
use hdl::{
    Builder, Bundle, Module, Signal, bundle, index_width, mux, params, ports, row as joined, select, statistics,
};

statistics! {
    "shared_memory" {
        /// Words read from banks.
        BANK_READS: bank_reads in "words";
        /// Words written to banks.
        BANK_WRITES: bank_writes in "words";
        /// Atomics of threads.
        ATOMICS: atomics in "accesses";
        /// Shared memory instructions completed.
        ACCESSES: accesses in "instructions";
        /// Groups of threads that banks have served without conflict left over.
        GROUPS: groups in "groups";
        /// Cycles in which words wait for the write port of the registers.
        WRITE_PORT_WAIT_CYCLES: write_port_wait_cycles in "cycles";
        /// Cycles that lanes wait because another lane uses their bank.
        CONFLICT_CYCLES: conflict_cycles in "cycles";
    }
}

ports! {
    /// Ports of a [`shared_bank`] of so many words.
    pub struct SharedBankPorts(words: &u32) of SharedBank {
        /// Number of a word.
        in address: index_width(*words as usize),
        /// It is read.
        in read: 1,
        /// The word that was read last.
        out word: 32,
        /// What is written.
        in data: 32,
        /// The bytes of it that are.
        in bytes: 4,
        /// The word is written.
        in write: 1,
    }
}

/// One bank: `words` words of 32 bits; a read or a masked write a cycle, the word read shows in the next cycle and stays.
pub fn shared_bank(words: u32) -> Module {
    let m = Builder::new("shared_bank", params! { words });
    m.doc("One bank of shared memory.");
    let io = SharedBankPorts::new(&m, &words);
    let memory = m.memory("words", words as usize, 32);
    let address = io.address();
    io.word(memory.read_sync("word_now", address, io.read()));
    let (data, bytes) = (io.data(), io.bytes());
    m.when(io.write(), || memory.write_masked(address, data, bytes));
    m.finish()
}

ports! {
    /// Ports of a [`shared_memory`].
    pub struct SharedMemoryPorts(p: &CoreParams) of SharedMemory {
        /// An access begins.
        in access as "": bundle Access(p),
        /// Its beats at the lanes, in the cycles that follow.
        in beat as "": bundle AccessBeat(p),
        /// Where the share of the block begins.
        in base: 16,
        /// Words for the registers.
        out write: bundle RegisterWrite(p) with granted: 1,
        /// An access is done.
        out done: bundle Completion(p),
        /// There is a place for one more access.
        out ready: 1,
    }
}

/// The shared memory.
pub fn shared_memory(p: &CoreParams) -> Module {
    let names = params! { warps: p.warps, lanes: p.lanes, bytes: p.shared_bytes, banks: p.banks() };
    let m = Builder::new("shared_memory", p.parameters(names));
    m.doc("Banked shared memory with conflict serialisation.");
    let address_bits = p.shared_address_bits();
    let (bank_bits, word_bits) = (p.banks().ilog2(), p.bank_address_bits());

    let io = SharedMemoryPorts::new(&m, p);
    let (access, arrival) = (io.access(), io.beat());
    let queue = SharedQueue::new(&m, p, &access, &arrival);
    let SharedAccess { store, size, .. } = queue.access;
    let [rows, data] = rows(&m, p, io.base(), queue.loading, &arrival);
    let atomics = Atomics::new(&m, p, &queue, &arrival);
    let group_hit = m.wire("group_hit", lowest_set(queue.occupied));
    let group = m.wire("serving_group", one_hot_index(group_hit));
    let waiting = m.wire("waiting", one_hot_mux(group_hit, &queue.groups));
    let place = (queue.head, group);
    let row = m.wire("row", rows.read(place)).parts(address_bits);
    let data_row: Vec<_> = m.wire("data_row", data.read(place)).parts(32).iter().map(|d| position(*d, size)).collect();

    m.comment("Each bank serves the lowest waiting lane that wants it, and for loads all that want the same word.");
    let answered = m.register("answered", 1, 0);
    let answers = Answers::new(&m, p, io.write().answer());
    let answering = SharedAnswer::registers(&m, "answer", p);
    let stalled = m.wire("stalled", answered & answering.writes & !answers.last_taken());
    let can_go = queue.occupied.any() & !stalled;
    let go = m.wire("go", atomics.as_ref().map_or(can_go, |atomics| can_go & !atomics.writing));
    let (reads, stores) = match &atomics {
        Some(Atomics { now, .. }) => (go & (!store | *now), go & store & !*now),
        None => (go & !store, go & store),
    };
    let alone = atomics.as_ref().map_or(store, |atomics| store | atomics.now);
    let bank_of: Vec<_> = row.iter().map(|place| place.bits(2, bank_bits)).collect();
    let word_of: Vec<_> = row.iter().map(|place| place.bits(2 + bank_bits, word_bits)).collect();
    let byte_of: Vec<_> = row.iter().map(|place| place.bits(0, 2)).collect();
    let asked = BankRequests { waiting, bank_of: &bank_of, word_of: &word_of, byte_of: &byte_of, data: &data_row };
    let serves = |b| serve(&m, b, &asked, (stores, alone, size));
    let Banks { served, words, used, written } =
        banks(&m, p, reads, &serves, atomics.as_ref().map(|of| (of, go, place)));
    let served = m.wire("served", or_all(&served));
    let served_now = group_hit.to_bits().into_iter().map(|hit| served & hit.repeat(served.width()));
    let leaves = queue.follow(&m, p, (go, joined(served_now)), !stalled, (&access, &arrival));

    m.comment("The cycle after: each lane takes its word from its bank.");
    let answer = m.wire("answer", go & !store);
    let ends = m.register("answer_ends", 1, 0);
    m.when(!stalled, || {
        m.set(answered, answer);
        m.set(ends, leaves);
    });
    m.when(answer | leaves, || answering.set(SharedAnswer::of(&queue.access)));
    let [mask, answer_group] = [("answer_mask", served), ("answer_group", group)].map(|(name, value)| {
        let register = m.register(name, value.width(), 0);
        m.when(answer, || m.set(register, value));
        register
    });
    let from = bank_of.into_iter().zip(byte_of).collect::<Vec<_>>();
    let SharedAnswer { warp, destination, writes, size } = answering;
    let data = lane_words(&m, answer, &from, &words, size);
    answers.follow(&m, answer, served, answered & writes);
    let [beat, mask, data] = answers.beat(answer_group, mask, data);
    io.write().shows(RegisterWrite { valid: answered & writes, warp, destination, beat, mask, data });
    let finish = m.wire("finish", ends & !stalled);
    io.done(Completion { valid: finish & writes, warp, destination });
    io.ready(queue.room(p, access.reserve));

    if let Some(atomics) = &atomics {
        m.set(atomics.writing, go & atomics.now);
        m.sum(ATOMICS, go & atomics.now, popcount(joined(used.clone())));
    }
    let used = popcount(joined(used));
    m.sum(BANK_READS, reads, used);
    match &atomics {
        Some(_) => m.sum(BANK_WRITES, m.lit(1, 1), popcount(joined(written))),
        None => m.sum(BANK_WRITES, stores, used),
    }
    m.count(ACCESSES, finish);
    m.count(WRITE_PORT_WAIT_CYCLES, stalled);
    m.count(GROUPS, go & (waiting & !served).is_zero());
    m.count(CONFLICT_CYCLES, go & (waiting & !served).any());
    m.finish()
}

bundle! {
    /// The access whose words go to the registers.
    struct SharedAnswer(p: &CoreParams) {
        warp: p.warp_bits(),
        destination: p.register_bits(),
        writes: 1,
        size: SIZE_BITS,
    }
}

impl<'m> SharedAnswer<'m> {
    fn of(access: &SharedAccess<'m>) -> Self {
        let SharedAccess { warp, destination, writes, size, .. } = *access;
        Self { warp, destination, writes, size }
    }
}

/// A row per beat: places in the memory, and store data; `place` is that of the access, `base` that of its block.
fn rows<'m>(
    m: &'m Builder,
    p: &CoreParams,
    base: Signal<'m>,
    place: Signal<'m>,
    arrival: &AccessBeat<'m>,
) -> [GroupedRows<'m>; 2] {
    m.comment("A row per beat: place in the memory, and store data.");
    let address_bits = p.shared_address_bits();
    let base = base.resize(address_bits);
    let addresses = arrival.address.parts(32);
    let size = u64::from(p.shared_bytes);
    // What is beyond a memory whose size is no power of two comes around, too: no place is twice the size or more.
    let around = |place: Signal<'m>| match p.shared_bytes.is_power_of_two() {
        true => place,
        false => mux(place.ge(size), place - size, place),
    };
    let places = joined(addresses.iter().map(|a| around(a.bits(0, address_bits) + base)));
    let rows = GroupedRows::new(m, p, "rows", address_bits);
    let data = GroupedRows::new(m, p, "data", 32);
    m.when(arrival.beat_valid, || {
        rows.write((place, arrival.beat), places);
        data.write((place, arrival.beat), arrival.store_data);
    });
    [rows, data]
}

/// What the banks do in a cycle, each of them.
#[derive(Default)]
struct Banks<'m> {
    /// The threads that it serves.
    served: Vec<Signal<'m>>,
    /// What it has read in the cycle before.
    words: Vec<Signal<'m>>,
    /// Whether it serves any.
    used: Vec<Signal<'m>>,
    /// Whether it is written.
    written: Vec<Signal<'m>>,
}

/// The banks. `serves`: see [`serve`]; `atomics` with the cycle in which a group is served, and which of which access.
fn banks<'m>(
    m: &'m Builder,
    p: &CoreParams,
    reads: Signal<'m>,
    serves: &dyn Fn(u32) -> (BankOperation<'m>, Signal<'m>, Signal<'m>),
    atomics: Option<(&Atomics<'m>, Signal<'m>, (Signal<'m>, Signal<'m>))>,
) -> Banks<'m> {
    let (module, mut all) = (shared_bank(p.bank_words()), Banks::default());
    // The access may leave with its last group, before the bank is written.
    let operation = atomics.map(|(atomics, go, _)| m.captured("operation_now", go & atomics.now, atomics.operation));
    for b in 0..p.banks() {
        let (place, first, served) = serves(b);
        let bank = SharedBank(m.instance(("bank", b), &module));
        let place = match atomics.zip(operation) {
            Some(((atomics, go, group), operation)) => {
                atomics.at_bank(m, (b, bank, operation), (go, group, first), place)
            }
            None => place,
        };
        bank.address(place.word);
        bank.read(reads);
        bank.write(place.write);
        bank.data(place.data);
        bank.bytes(place.bytes);
        all.served.push(served);
        all.words.push(bank.word());
        all.written.push(place.write);
        all.used.push(first.any());
    }
    all
}

/// What the threads of a group ask for.
struct BankRequests<'a, 'm> {
    waiting: Signal<'m>,
    bank_of: &'a [Signal<'m>],
    word_of: &'a [Signal<'m>],
    byte_of: &'a [Signal<'m>],
    data: &'a [Signal<'m>],
}

/// What bank `b` does in a cycle, the thread that it serves first, and all that it serves: one, or all of a word.
fn serve<'m>(
    m: &'m Builder,
    b: u32,
    asked: &BankRequests<'_, 'm>,
    (stores, alone, size): (Signal<'m>, Signal<'m>, Signal<'m>),
) -> (BankOperation<'m>, Signal<'m>, Signal<'m>) {
    let BankRequests { waiting, bank_of, word_of, byte_of, data } = *asked;
    let wants = bank_of.iter().enumerate().map(|(l, bank)| waiting.bit(l as u32) & bank.eq(u64::from(b)));
    let wants = m.wire(("wants", b), joined(wants));
    let first = m.wire(("first", b), lowest_set(wants));
    let word = m.wire(("word", b), one_hot_mux(first, word_of));
    let served = mux(alone, first, wants & joined(word_of.iter().map(|w| w.eq(word))));
    let bytes: Vec<_> = byte_of.iter().map(|offset| bytes(*offset, size)).collect();
    let (write, data, bytes) = (stores & first.any(), one_hot_mux(first, data), one_hot_mux(first, &bytes));
    (BankOperation { word, write, data, bytes }, first, served)
}

/// What a bank does with a word.
struct BankOperation<'m> {
    word: Signal<'m>,
    write: Signal<'m>,
    data: Signal<'m>,
    bytes: Signal<'m>,
}

/// Atomics take two cycles: each bank reads for its first lane, and writes in the next what its unit computes.
struct Atomics<'m> {
    /// The oldest access is one.
    now: Signal<'m>,
    operation: Signal<'m>,
    /// Values to compare with, of each thread.
    compares: GroupedRows<'m>,
    /// The second cycle.
    writing: Signal<'m>,
}

impl<'m> Atomics<'m> {
    /// None in a core without.
    fn new(m: &'m Builder, p: &CoreParams, queue: &SharedQueue<'m>, arrival: &AccessBeat<'m>) -> Option<Self> {
        let (now, operation, compare) = (queue.access.atomic?, queue.access.operation?, arrival.compare?);
        m.comment("Atomics.");
        let compares = GroupedRows::new(m, p, "compares", 32);
        m.when(arrival.beat_valid, || compares.write((queue.loading, arrival.beat), compare));
        Some(Self { now, operation, compares, writing: m.register("writing", 1, 0) })
    }

    /// What bank `b` does: what others want, or the second cycle of an atomic.
    fn at_bank(
        &self,
        m: &'m Builder,
        (b, bank, operation): (u32, SharedBank<'m>, Signal<'m>),
        (go, group, first): (Signal<'m>, (Signal<'m>, Signal<'m>), Signal<'m>),
        wanted: BankOperation<'m>,
    ) -> BankOperation<'m> {
        let begins = go & self.now;
        let keep = |name: &str, value: Signal<'m>| m.captured((name, b), begins, value);
        let compare = one_hot_mux(first, &self.compares.read(group).parts(32));
        let alu = AtomicAlu(m.instance(("atomic_alu", b), &atomic_alu(32)));
        alu.operation(operation);
        alu.old(bank.word());
        alu.operand(keep("operand", wanted.data));
        alu.compare(keep("compare", compare));
        let (word, some) = (keep("atomic_word", wanted.word), keep("atomic_here", first.any()));
        BankOperation {
            word: mux(self.writing, word, wanted.word),
            write: mux(self.writing, some & alu.writes(), wanted.write),
            data: mux(self.writing, alu.result(), wanted.data),
            bytes: mux(self.writing, m.lit(4, 0b1111), wanted.bytes),
        }
    }
}

/// What each lane loads, a row: of its bank's word the bytes that it asked for in the cycle of `answer`. `from`: bank and byte of each lane.
fn lane_words<'m>(
    m: &'m Builder,
    answer: Signal<'m>,
    from: &[(Signal<'m>, Signal<'m>)],
    words: &[Signal<'m>],
    size: Signal<'m>,
) -> Signal<'m> {
    let lane = |(l, &(bank, byte)): (usize, &(Signal<'m>, Signal<'m>))| {
        let [bank, byte] = [("answer_bank", bank), ("answer_byte", byte)].map(|(name, value)| {
            let register = m.register((name, l), value.width(), 0);
            m.when(answer, || m.set(register, value));
            register
        });
        extract(select(bank, words), byte, size)
    };
    joined(from.iter().enumerate().map(lane))
}
