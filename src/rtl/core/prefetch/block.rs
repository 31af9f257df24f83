//! The prefetcher as a block: registers before the policy, the blocks that are learnt from, and the queue.

use super::{
    DROPPED_AT_END, DROPPED_BY_DEGREE, DROPPED_BY_QUEUE, DROPPED_OUT_OF_RANGE, LoadRequest, OFF_CYCLES, Prediction,
    PrefetchView, Prefetcher, RESETS, TRAINING_BLOCKS, Table, TrainingBlock,
};
use crate::{
    config::CoreParams,
    ports::{BlockStart, LoadSeen},
};
use blocks::{any_of, one_hot_index};
use cache::events::{PrefetchEvents, PrefetchRequest};
use hdl::{Builder, Bundle, Module, Signal, bundle, index_width, mux, params, ports, row};

impl Prefetcher {
    /// The tables of a core with this prefetcher.
    pub fn tables(self, p: &CoreParams) -> Vec<Table> {
        self.policy().tables(&p.prefetch, p.warp_bits())
    }
}

ports! {
    /// Ports of a [`prefetcher`].
    pub struct PrefetcherPorts(p: &CoreParams) of PrefetcherUnit {
        /// The kernel has ended.
        in clear: 1,
        /// What became of prefetches in the data cache.
        in event: bundle PrefetchEvents(&()),
        /// Loads that go to the data cache.
        in load: bundle LoadSeen(p),
        /// A block begins.
        in block: bundle BlockStart(p),
        /// Slots whose block has ended.
        in done: p.blocks,
        /// Lines for the data cache.
        maybe (p.l1d.is_some()) out prefetch: bundle PrefetchRequest(p.l1d.as_ref().expect("it exists")) with taken: 1,
    }
}

/// A prefetcher as a block; see the [module documentation](super).
pub fn prefetcher(p: &CoreParams) -> Module {
    let (config, policy) = (&p.prefetch, p.prefetch.kind.policy());
    let m = Builder::new("prefetcher", p.parameters(params! { kind: config.kind, warps: p.warps }));
    m.doc("Prefetcher: learns from a core's loads which lines its data cache should have soon.");
    let sources = policy.sources();
    let possible = !sources.is_empty() && p.l1d.is_some();
    m.require(possible, "prefetcher: it needs a data cache, and a kind other than none");
    if !possible {
        return m.finish();
    }
    let io = PrefetcherPorts::new(&m, p);
    let (clear, events) = (io.clear(), io.event());
    let (seen, request) = seen(&m, p, io, events, clear);
    let Prediction { by, stride, throttle, drops } = policy.predict(&m, config, &seen);

    m.comment("The address, and the queue.");
    let target = request.address.extend(33) + stride.sign_extend(33);
    let told = request.valid & any_of(&by);
    let predicts = m.wire("predicts", drops.map_or(told, |drops| told & !drops));
    let outside = m.wire("outside", target.bit(32));
    let offset_bits = p.protocol().offset_bits();
    let coming = WaitingPrefetch {
        line: target.bits(offset_bits, p.protocol().line_number_bits()),
        warp: p.shows_warps().then_some(request.warp),
        source: (by.len() > 1).then(|| one_hot_index(row(by.iter().copied()))),
    };
    let (shown, taken) = (m.wire_later("shown", 1), io.prefetch().answer());
    let queue = ClearableQueue::new(&m, config.queue_entries, clear, taken);
    let first = WaitingPrefetch::unpack(queue.put(predicts & !outside, coming.pack()), p);
    m.assign(shown, queue.count.any() & !clear);
    io.prefetch().shows(PrefetchRequest { valid: shown, line: first.line, warp: first.warp });
    m.always("a prefetch is taken when it is shown", !taken | shown);

    m.count(DROPPED_OUT_OF_RANGE, predicts & outside);
    m.count(DROPPED_BY_QUEUE, predicts & !outside & queue.full);
    m.sum(DROPPED_AT_END, clear, queue.count);
    // The cache says two cycles later what has become of it.
    let taken_source = first.source.map(|source| m.delayed("source_decided", m.delayed("source_taken", source)));
    for (s, source) in sources.iter().enumerate() {
        let issued = taken_source.map_or(events.issued, |taken| events.issued & taken.eq(s as u64));
        let [generated_by, issued_by] = source.statistics();
        m.count(generated_by, request.valid & by[s]);
        m.count(issued_by, issued);
    }
    if let Some(drops) = drops {
        m.count(DROPPED_BY_DEGREE, told & drops);
    }
    if let Some([resets, off]) = throttle {
        m.count(RESETS, resets);
        m.count(OFF_CYCLES, off);
    }
    m.finish()
}

bundle! {
    /// A prefetch in the queue.
    struct WaitingPrefetch(p: &CoreParams) {
        line: p.protocol().line_number_bits(),
        maybe warp: if p.shows_warps() { p.warp_bits() } else { 0 },
        /// Which of its sources.
        maybe source: match p.prefetch.kind.policy().sources().len() {
            0 | 1 => 0,
            sources => index_width(sources),
        },
    }
}

/// Registers between the load/store unit and the tables, and the block that is learnt from.
fn seen<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: PrefetcherPorts<'m>,
    events: PrefetchEvents<'m>,
    clear: Signal<'m>,
) -> (PrefetchView<'m>, LoadRequest<'m>) {
    m.comment("What comes from the load/store unit: learnt in the first cycle, looked up in the second one.");
    let load = io.load();
    let next = |name: &str, value: Signal<'m>| {
        let register = m.register_payload(name, value.width());
        m.set(register, value);
        register
    };
    let [thread, requested] =
        [("thread_now", load.thread), ("request_now", load.request)].map(|(name, value)| m.delayed(name, value));
    let (pc, address, warp) = (next("pc_now", load.pc), next("address_now", load.address), next("warp_now", load.warp));
    let request = LoadRequest {
        valid: m.delayed("looks", requested),
        pc: next("lookup_pc", pc),
        warp: next("lookup_warp", warp),
        address: next("lookup_address", address),
    };
    let slot = next("slot_now", load.slot);
    let (learns, ended) = training(m, p, io, slot, clear);
    let seen = PrefetchView {
        thread: m.wire("learns", thread & learns),
        thread_address: next("thread_address_now", load.thread_address),
        pc,
        first: LoadRequest {
            valid: m.wire("first", requested & m.delayed("first_now", load.first)),
            pc,
            warp,
            address,
        },
        request,
        ended,
        events,
        clear,
    };
    (seen, request)
}

/// Whether the first thread of the block in `slot` is learnt from, and whether a block that was has ended.
fn training<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: PrefetcherPorts<'m>,
    slot: Signal<'m>,
    clear: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    let BlockStart { start, start_slot, .. } = io.block();
    let done = io.done();
    if p.prefetch.train == TrainingBlock::Any {
        m.count(TRAINING_BLOCKS, start);
        return (m.lit(1, 1), m.wire("ended", done.any()));
    }
    let (trains, of) = (m.register("trains", 1, 0), m.register("training_slot", p.slot_bits(), 0));
    let ended = m.wire("ended", trains & done.at(of));
    let begins = m.wire("training_begins", start & (!trains | ended));
    m.set(trains, (trains & !ended | begins) & !clear);
    m.when(begins, || m.set(of, start_slot));
    m.count(TRAINING_BLOCKS, begins);
    (trains & slot.eq(of), ended)
}

/// A queue that can be emptied in a cycle.
struct ClearableQueue<'m> {
    m: &'m Builder,
    words: u32,
    /// Words that wait.
    count: Signal<'m>,
    full: Signal<'m>,
    clear: Signal<'m>,
    pop: Signal<'m>,
}

impl<'m> ClearableQueue<'m> {
    fn new(m: &'m Builder, words: u32, clear: Signal<'m>, pop: Signal<'m>) -> Self {
        let count = m.register("waiting", index_width(words as usize + 1), 0);
        Self { m, words, count, full: count.eq(u64::from(words)), clear, pop }
    }

    /// Puts a word at its end where there is room; the first one.
    fn put(&self, comes: Signal<'m>, word: Signal<'m>) -> Signal<'m> {
        let Self { m, words, count, full, clear, pop } = *self;
        let kept = m.memory("queue", words as usize, word.width());
        let [head, tail] = ["head", "tail"].map(|name| m.register(name, kept.address_width(), 0));
        let push = m.wire("push", comes & !full);
        m.when(push, || {
            kept.write(tail, word);
            m.set(tail, tail + 1);
        });
        m.when(pop, || m.set(head, head + 1));
        m.when(push ^ pop, || m.set(count, mux(push, count + 1, count - 1)));
        m.when(clear, || [head, tail, count].iter().for_each(|register| m.set(*register, 0)));
        kept.read(head)
    }
}
