//! Prefetchers: what they see of a core's loads tells them which lines its data cache should have soon.
//!
//! ```text
//!  load_*  (of the load/store unit)  -->+----------+ address  +-------+
//!  start, done (blocks) --------------->|  policy, |--------->| queue |--> prefetch_* (to the data cache)
//!  event_* (of the data cache) -------->|  tables  |          +-------+<-- prefetch_taken
//!  clear   (the kernel has ended) ----->+----------+
//! ```
//!
//! Contract: a load that is seen in cycle t is learnt at the end of t + 1; each of its requests is looked up in t + 2,
//! and its prefetch is shown from t + 3 on, until it is taken: one for each line of the access. A policy is a file in
//! `prefetch/` and a row of [`Prefetcher`]. Prefetches whose address leaves the address space are dropped, and those
//! that find the queue full. All state is that of a kernel. Nothing waits for a prefetcher.
//!
//! Source: Kim's thesis, chapter 4. Testbenches: `testbenches/prefetcher_pcst/`, `prefetcher_stpe/`,
//! `prefetcher_mt_hwp/`; tests: `tests/core/prefetch.rs`.

mod degree;
mod entries;
pub mod global_strides;
pub mod inter_pc_table;
mod many_thread;
mod narrow_stride;
mod none;
mod pc_stride;
mod recent_entries;
pub mod stride_table;
pub mod thread_strides;
pub mod warp_strides;

use super::{
    params::CoreParams,
    ports::{BlockStart, LoadSeen},
};
use crate::{
    blocks::{any_of, one_hot_index},
    cache::events::{PrefetchEvents, PrefetchRequest},
};
use common::{parameters, policies};
use hdl::{Builder, Bundle, Module, Signal, Statistic, index_width, mux, params, row, statistics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

policies! {
    /// What a core prefetches into its data cache.
    pub enum Prefetcher: dyn PrefetchPolicy {
        /// Nothing.
        None = "none" | "off" => none::Nothing,
        /// By the stride between accesses of a load, learnt from one thread for all warps (PCST).
        PcStride = "pcst" => pc_stride::PcStride { inter_pc: false, throttled: false },
        /// As `pcst`; loads that a thread executes once go by the distance to the next such load (ITPC).
        InterPc = "pcst-itpc" => pc_stride::PcStride { inter_pc: true, throttled: false },
        /// As `pcst-itpc`; its tables are cleared when lines were fetched for nothing, and then it stops (STPE).
        Stpe = "stpe" => pc_stride::PcStride { inter_pc: true, throttled: true },
        /// By strides of single warps, strides that hold for all, and distances between warps (MT-HWP).
        ManyThread = "mt-hwp" => many_thread::ManyThread,
    }
}

/// Blocks whose first thread a prefetcher learns from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrainingBlock {
    /// One at a time, the next block that starts when it has ended.
    #[default]
    Block,
    /// All of them, interleaved.
    Any,
}

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

parameters! {
    /// Prefetching into the data cache of a core (Kim's thesis, chapter 4).
    #[derive(Copy, Hash)]
    pub struct PrefetchConfig {
        /// What is prefetched.
        kind: Prefetcher = Prefetcher::None;
        /// Blocks whose first thread a prefetcher learns from.
        #[only(other_than("kind", "none"))]
        train: TrainingBlock = TrainingBlock::Block;
        /// Loads that the table of strides of `pcst` holds.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Stride)))]
        entries: u32 = 16, range(2, 64);
        /// Loads that the table of distances of `pcst-itpc` holds.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::InterPc)))]
        inter_pc_entries: u32 = 16, range(2, 64);
        /// What an entry of these tables with a steady stride becomes by another one.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Stride)))]
        wrong_stride: WrongStride = WrongStride::Transient;
        /// Times that `stpe` clears its tables before it stops; the next one stops it.
        #[only(is("kind", "stpe"))]
        max_resets: u32 = 2, range(0, 255);
        /// Loads of a warp that `mt-hwp` knows the strides of.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        warp_entries: u32 = 32, range(2, 64);
        /// Loads whose stride `mt-hwp` takes to hold for all warps.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        global_entries: u32 = 8, range(2, 64);
        /// Loads that `mt-hwp` knows the distances between warps of.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        thread_entries: u32 = 8, range(2, 64);
        /// `mt-hwp` drops some or all of its prefetches, by what became of those of the last period.
        #[only(policy("kind", |kind: Prefetcher| kind.has(PredictorKind::Warp)))]
        adaptive_throttling: bool = false;
        /// Such a period.
        #[only(is("adaptive_throttling", true))]
        throttling_period: u32 = 100_000, range(16, 1_000_000) cycles;
        /// Prefetches that wait for the data cache.
        #[only(other_than("kind", "none"))]
        queue_entries: u32 = 4, powers(2, 16);
    }
}

/// What tells the address of a prefetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredictorKind {
    /// The stride of a load.
    Stride,
    /// The distance to the next load.
    InterPc,
    /// A stride that holds for all warps.
    Global,
    /// The distance to the next warp.
    InterThread,
    /// The stride of a warp.
    Warp,
}

/// A table of a prefetcher: all keys are compared with what is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// As in reports.
    pub name: &'static str,
    /// Entries.
    pub entries: u32,
    /// Bits that are compared.
    pub key_bits: u32,
    /// Other bits of an entry, that of its use among them.
    pub data_bits: u32,
}

impl Prefetcher {
    /// The tables of a core with this prefetcher.
    pub fn tables(self, p: &CoreParams) -> Vec<Table> {
        self.policy().tables(p)
    }

    /// It may prefetch by this.
    fn has(self, source: PredictorKind) -> bool {
        self.sources().contains(&source)
    }

    /// What tells its addresses.
    pub fn sources(self) -> &'static [PredictorKind] {
        self.policy().sources()
    }
}

impl PredictorKind {
    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            PredictorKind::Stride => "stride",
            PredictorKind::InterPc => "inter-pc",
            PredictorKind::Global => "global stride",
            PredictorKind::InterThread => "inter-thread",
            PredictorKind::Warp => "stride of a warp",
        }
    }

    /// Prefetches that it has generated, and those that the data cache has asked for.
    pub fn statistics(self) -> [Statistic; 2] {
        match self {
            PredictorKind::Stride => [STRIDE_GENERATED, STRIDE_ISSUED],
            PredictorKind::InterPc => [INTER_PC_GENERATED, INTER_PC_ISSUED],
            PredictorKind::Global => [GLOBAL_GENERATED, GLOBAL_ISSUED],
            PredictorKind::InterThread => [INTER_THREAD_GENERATED, INTER_THREAD_ISSUED],
            PredictorKind::Warp => [WARP_GENERATED, WARP_ISSUED],
        }
    }
}

statistics! {
    "prefetcher" {
        /// Prefetches by the stride of a load (`pcst`).
        STRIDE_GENERATED: stride_generated in "prefetches";
        /// Of them those whose lines were requested.
        STRIDE_ISSUED: stride_issued in "prefetches";
        /// Prefetches by the distance to the next load (`pcst-itpc`).
        INTER_PC_GENERATED: inter_pc_generated in "prefetches";
        /// Of them those whose lines were requested.
        INTER_PC_ISSUED: inter_pc_issued in "prefetches";
        /// Prefetches by a stride that holds for all warps (`mt-hwp`).
        GLOBAL_GENERATED: global_generated in "prefetches";
        /// Of them those whose lines were requested.
        GLOBAL_ISSUED: global_issued in "prefetches";
        /// Prefetches by the distance to the next warp (`mt-hwp`).
        INTER_THREAD_GENERATED: inter_thread_generated in "prefetches";
        /// Of them those whose lines were requested.
        INTER_THREAD_ISSUED: inter_thread_issued in "prefetches";
        /// Prefetches by the stride of a warp (`mt-hwp`).
        WARP_GENERATED: warp_generated in "prefetches";
        /// Of them those whose lines were requested.
        WARP_ISSUED: warp_issued in "prefetches";
        /// Prefetches that `mt-hwp` has dropped by its degree.
        DROPPED_BY_DEGREE: dropped_by_degree in "prefetches";
        /// Prefetches that found the queue full.
        DROPPED_BY_QUEUE: dropped_by_queue in "prefetches";
        /// Prefetches beyond the address space.
        DROPPED_OUT_OF_RANGE: dropped_out_of_range in "prefetches";
        /// Prefetches in the queue at the end of a kernel.
        DROPPED_AT_END: dropped_at_end in "prefetches";
        /// Blocks that it has learnt from.
        TRAINING_BLOCKS: training_blocks in "blocks";
        /// Times that `stpe` has cleared its tables.
        RESETS: resets in "resets";
        /// Cycles in which `stpe` has stopped.
        OFF_CYCLES: off_cycles in "cycles";
    }
}

/// A way to prefetch.
pub trait PrefetchPolicy: Sync {
    /// What it may prefetch by, the first that applies first; empty: it is not there.
    fn sources(&self) -> &'static [PredictorKind];

    /// What it has learnt about the request that is looked up.
    fn predict<'m>(&self, m: &'m Builder, p: &CoreParams, seen: &PrefetchView<'m>) -> Prediction<'m>;

    /// What it keeps, for areas.
    fn tables(&self, p: &CoreParams) -> Vec<Table>;

    /// For the names of modules: the parameters that it goes by.
    fn key(&self, p: &PrefetchConfig) -> Vec<(String, String)>;
}

/// What a policy sees.
pub struct PrefetchView<'m> {
    /// A thread that it is to learn from executes a load.
    pub thread: Signal<'m>,
    /// The thread's address.
    pub thread_address: Signal<'m>,
    /// Pc of that load, and of the request.
    pub pc: Signal<'m>,
    /// The first request of a load, in the cycle before it is looked up.
    pub first: LoadRequest<'m>,
    /// The request that is looked up.
    pub request: LoadRequest<'m>,
    /// A block that it has learnt from has ended.
    pub ended: Signal<'m>,
    /// What has become of earlier prefetches.
    pub events: PrefetchEvents<'m>,
    /// The kernel has ended.
    pub clear: Signal<'m>,
}

/// A request of a load.
#[derive(Clone, Copy)]
pub struct LoadRequest<'m> {
    pub valid: Signal<'m>,
    pub pc: Signal<'m>,
    pub warp: Signal<'m>,
    /// Of the first thread that it serves.
    pub address: Signal<'m>,
}

/// What a policy says.
pub struct Prediction<'m> {
    /// By which of its sources it predicts, a bit each, one-hot or zero.
    pub by: Vec<Signal<'m>>,
    /// From the address of the request to that of the prefetch; 32 bits, signed.
    pub stride: Signal<'m>,
    /// It clears its tables, and it has stopped; of one that does so.
    pub throttle: Option<[Signal<'m>; 2]>,
    /// It drops this prefetch; of one that does so.
    pub drops: Option<Signal<'m>>,
}

impl CoreParams {
    /// For the names of modules that depend on all of the prefetcher; nothing without one.
    pub(super) fn prefetch_names(&self) -> Vec<(String, String)> {
        let config = &self.prefetch;
        if !self.prefetches() {
            return vec![];
        }
        let kind = config.kind.name().replace('-', "_");
        [params! { pf: kind, pq: config.queue_entries }, config.kind.policy().key(config)].concat()
    }
}

/// A prefetcher as a block; see the [module documentation](self).
pub fn prefetcher(p: &CoreParams) -> Module {
    let (config, policy) = (&p.prefetch, p.prefetch.kind.policy());
    let line = p.protocol().line_bytes;
    let wid = p.shows_warps().then(|| ("wid".into(), "1".into()));
    let names = [params! { w: p.warps, b: p.blocks, line }, wid.into_iter().collect(), p.prefetch_names()].concat();
    let m = Builder::new("prefetcher", names);
    m.doc("Prefetcher: learns from a core's loads which lines its data cache should have soon.");
    let sources = policy.sources();
    let possible = !sources.is_empty() && p.l1d.is_some();
    m.require(possible, "prefetcher: it needs a data cache, and a kind other than none");
    if !possible {
        return m.finish();
    }
    let clear = m.input("clear", 1);
    let events = PrefetchEvents::inputs(&m, "event", &());
    let (seen, request) = seen(&m, p, events, clear);
    let Prediction { by, stride, throttle, drops } = policy.predict(&m, p, &seen);

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
    let (shown, taken) = (m.wire_later("shown", 1), m.input("prefetch_taken", 1));
    let queue = ClearableQueue::new(&m, config.queue_entries, clear, taken);
    let first = WaitingPrefetch::unpack(queue.put(predicts & !outside, coming.pack()), p);
    m.assign(shown, queue.count.any() & !clear);
    if let Some(cache) = &p.l1d {
        PrefetchRequest { valid: shown, line: first.line, warp: first.warp }.outputs(&m, "prefetch", cache);
    }
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

hdl::bundle! {
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
    events: PrefetchEvents<'m>,
    clear: Signal<'m>,
) -> (PrefetchView<'m>, LoadRequest<'m>) {
    m.comment("What comes from the load/store unit: learnt in the first cycle, looked up in the second one.");
    let load = LoadSeen::inputs(m, "load", p);
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
    let (learns, ended) = training(m, p, slot, clear);
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
fn training<'m>(m: &'m Builder, p: &CoreParams, slot: Signal<'m>, clear: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let BlockStart { start, start_slot, .. } = BlockStart::inputs(m, "block", p);
    let done = m.input("done", p.blocks);
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
