//! The bit-sliced engine at work: its state, an evaluation, and the clock edge.

#![expect(unsafe_op_in_unsafe_fn, reason = "each of them is a list of places that the part vouches for")]

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Wide};
use super::{
    arrays::{ArraySlices, Arrays, Kernel, Planes},
    counters::Counter,
    lanes::{LaneSet, Lanes, Portable},
    links::{Links, run_links},
    state::{ArrayOfPlanes, Export, MemorySite, RegisterSite},
    transfers::{ReadRun, Transfers},
};
use crate::{
    batched::TileEngine,
    clocks::Edges,
    code::Executable,
    engine::Engine,
    layout::Area,
    profile::{Activity, BundleName, MaybeBoard, Work, profile_mark},
    regions::TileRegions,
    state::State,
    thread_pool::{ThreadPool, WaitFor, wait_until},
};
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeSet,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// A step of an evaluation.
pub(super) enum Run {
    Kernel(Kernel),
    Read(ReadRun),
}

/// Tiles that one thread evaluates, all of one clock domain. Parts write only what is theirs, and share no line of the
/// cache (two, for prefetchers).
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Part {
    /// Position among the domains of the top.
    pub domain: usize,
    pub links: Links,
    pub transfers: Transfers,
    pub steps: Vec<Run>,
    /// Per step, for profiles.
    pub bundles: Vec<u32>,
    /// Only the thread that evaluates the part has anything to do with them, until they are flushed.
    pub counters: Mutex<Vec<Counter>>,
    /// Words of wires that hold broken assertions, and the lanes that exist.
    pub assertions: Vec<(usize, u64)>,
    pub exports: Vec<Export>,
    /// Its words among the register planes.
    pub planes: Range<usize>,
    /// Present and next planes are equal, as there was an instant without an edge.
    pub level: bool,
}

/// Tiles of the top that are evaluated together.
pub(crate) struct Sliced {
    /// Tiles (positions in the instances of the top) and, of each, the inputs that the top level has to leave in the
    /// state.
    pub(super) tiles: FxHashMap<usize, BTreeSet<usize>>,
    pub(super) parts: Vec<Part>,
    /// The last evaluation has done what parts do at the clock edge.
    pub(super) ahead: bool,
    /// Words of next registers and their values under reset.
    pub(super) resets: Vec<(usize, u64)>,
    /// Places in the storage that must be zero: events that others would count.
    pub(super) quiet: Vec<usize>,
    pub(super) registers: Vec<RegisterSite>,
    /// Per place in the register arrays of the state: position among `registers`, and lane. Made when they are asked
    /// for.
    pub(super) at_place: FxHashMap<usize, (usize, usize)>,
    /// Wires that is observed, by their places in the storage: planes, and lane.
    pub(super) observed_wires: FxHashMap<usize, (Planes, usize)>,
    pub(super) memories: Vec<MemorySite>,
    pub(super) regions: TileRegions,
    /// Places of the state that exports have changed at the last clock edge.
    pub(super) shown: Vec<(Area, usize)>,
    pub(super) present: ArrayOfPlanes,
    pub(super) next: ArrayOfPlanes,
    pub(super) wires: ArrayOfPlanes,
    pub(super) store: ArrayOfPlanes,
    /// The instructions to use for lanes.
    pub(super) lanes: LaneSet,
    /// What it is made of, for reports.
    pub(super) about: Vec<String>,
    /// Per bundle, for profiles.
    pub(super) names: Vec<BundleName>,
    pub(super) board: MaybeBoard,
    /// Owns the code that the parts point into.
    pub(super) _code: Executable,
}

/// What a part does in a cycle.
#[derive(Clone, Copy)]
enum SlicedPhase<'a> {
    /// Computes wires, next registers and pending writes, and tells whether an assertion is broken as soon as that is
    /// known.
    Evaluate(&'a AssertionFlags),
    /// What happens at a clock edge before registers change: it reads, of other parts, what their evaluation leaves
    /// alone.
    Edge { count: bool },
}

impl Part {
    /// Compiled for each set of instructions that goes through lanes.
    ///
    /// # Safety
    /// The arrays are those that the part was assembled for, and nobody else writes what is the part's meanwhile.
    unsafe fn run(&self, phase: SlicedPhase, arrays: &Arrays, lanes: LaneSet, board: &MaybeBoard) {
        match lanes {
            LaneSet::Portable => self.run_with(Portable, phase, arrays, board),
            // The processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            LaneSet::Avx2(avx2) => self.run_avx2(avx2, phase, arrays, board),
            #[cfg(target_arch = "x86_64")]
            LaneSet::Wide(wide) => self.run_wide(wide, phase, arrays, board),
        }
    }

    /// # Safety
    /// As [`run`](Self::run), and the processor has the instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2,popcnt")]
    unsafe fn run_wide(&self, wide: Wide, phase: SlicedPhase, arrays: &Arrays, board: &MaybeBoard) {
        self.run_with(wide, phase, arrays, board)
    }

    /// # Safety
    /// As [`run_wide`](Self::run_wide).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn run_avx2(&self, avx2: Avx2, phase: SlicedPhase, arrays: &Arrays, board: &MaybeBoard) {
        self.run_with(avx2, phase, arrays, board)
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn run_with(&self, with: impl Lanes, phase: SlicedPhase, arrays: &Arrays, board: &MaybeBoard) {
        match phase {
            SlicedPhase::Evaluate(assertions) => {
                assertions.arrive(self.compute(with, arrays, board));
                self.transfers.copy(with, arrays, board);
            }
            SlicedPhase::Edge { count } => {
                self.transfers.write(with, arrays, board);
                if count {
                    self.count(arrays, board);
                }
            }
        }
    }

    /// Computes what is boolean algebra, and reads memories. True when an assertion is broken.
    ///
    /// # Safety
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn compute(&self, with: impl Lanes, arrays: &Arrays, board: &MaybeBoard) -> bool {
        profile_mark(board, Activity::Between(Work::Links));
        run_links(&self.links, arrays);
        self.transfers.bring(with, arrays);
        for (step, &bundle) in self.steps.iter().zip(&self.bundles) {
            match step {
                Run::Kernel(kernel) => {
                    profile_mark(board, Activity::Bundle(Work::Kernel, bundle));
                    arrays.call(*kernel);
                }
                Run::Read(read) => {
                    profile_mark(board, Activity::Bundle(Work::Read, bundle));
                    read.run(with, arrays);
                }
            }
        }
        self.assertions.iter().any(|&(wire, lanes)| arrays.wire(wire) & lanes != 0)
    }

    /// Statistics.
    #[inline(always)]
    unsafe fn count(&self, arrays: &Arrays, board: &MaybeBoard) {
        profile_mark(board, Activity::Between(Work::Statistics));
        let mut counters = self.counters.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        counters.iter_mut().for_each(|counter| counter.count(arrays));
    }
}

impl Sliced {
    /// Runs a phase of the parts that have an edge, on every thread in use.
    fn on_threads(&mut self, state: &State, edges: Edges, pool: Option<&mut ThreadPool>, work: impl Fn(Mine) + Sync) {
        let Self { parts, present, next, wires, store, board, lanes, .. } = self;
        let pool = pool.filter(|_| parts.len() > 1);
        let threads = pool.as_ref().map_or(1, |pool| pool.size());
        let slices = ArraySlices { present, next, wires, store, storage: &state.storage };
        let arrays = SharedArrays(Arrays::new(slices));
        let (parts, board, lanes) = (&*parts, &*board, *lanes);
        let mine = |thread: usize| {
            work(Mine { parts, thread, threads, edges, arrays: arrays.get(), board: board.clone(), lanes });
        };
        match pool {
            Some(pool) => pool.run(WaitFor::All, &mine),
            None => mine(0),
        }
    }
}

impl TileEngine for Sliced {
    fn engine(&self) -> Engine {
        Engine::Sliced
    }

    fn tiles(&self) -> &FxHashMap<usize, BTreeSet<usize>> {
        &self.tiles
    }

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn evaluate(
        &mut self,
        state: &mut State,
        edges: Edges,
        pool: Option<&mut ThreadPool>,
        ahead: bool,
        _input_marks: Option<&mut [u64]>,
    ) -> bool {
        let assertions = AssertionFlags::of(self.parts.iter().filter(|part| edges.has(part.domain)).count());
        self.on_threads(state, edges, pool, |mine| {
            mine.run(SlicedPhase::Evaluate(&assertions));
            if ahead && !assertions.some_broken() {
                mine.run(SlicedPhase::Edge { count: true });
            }
        });
        let broken = assertions.some_broken();
        self.ahead = ahead && !broken;
        broken
    }

    fn apply_reset(&mut self) {
        self.parts.iter_mut().for_each(|part| part.level = false);
        self.resets.iter().for_each(|&(word, value)| self.next[word] = value);
    }

    fn commit(&mut self, state: &mut State, edges: Edges, count: bool, pool: Option<&mut ThreadPool>) {
        self.shown.clear();
        if !std::mem::take(&mut self.ahead) {
            self.on_threads(state, edges, pool, |mine| mine.run(SlicedPhase::Edge { count }));
        }
        for part in &mut self.parts {
            let rests = !edges.has(part.domain);
            if rests && !part.level {
                self.next[part.planes.clone()].copy_from_slice(&self.present[part.planes.clone()]);
            }
            part.level = rests;
        }
        std::mem::swap(&mut self.present, &mut self.next);
        profile_mark(&self.board, Activity::Between(Work::Outputs));
        let parts = self.parts.iter_mut().filter(|part| edges.has(part.domain));
        for export in parts.flat_map(|part| &mut part.exports) {
            export.show(&self.present, &self.store, state, &mut self.shown);
        }
    }

    fn shown(&self) -> &[(Area, usize)] {
        &self.shown
    }

    fn flush_counters(&mut self, state: &mut State) {
        for part in &mut self.parts {
            let counters = part.counters.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
            counters.iter_mut().for_each(|counter| counter.flush(state));
        }
    }

    fn bundles(&self) -> &[BundleName] {
        &self.names
    }

    fn about(&self) -> Vec<String> {
        self.about.clone()
    }
}

/// Parts of a thread.
struct Mine<'a> {
    parts: &'a [Part],
    thread: usize,
    threads: usize,
    edges: Edges,
    /// Each thread has its own: what the caller has on its stack shares lines of the cache with what it writes there.
    arrays: Arrays<'a>,
    board: MaybeBoard,
    lanes: LaneSet,
}

impl Mine<'_> {
    /// A phase of those that have an edge.
    fn run(&self, phase: SlicedPhase) {
        let parts = self.parts.iter().skip(self.thread).step_by(self.threads);
        for part in parts.filter(|part| self.edges.has(part.domain)) {
            // SAFETY: the arrays are those of the assembly that has made the parts, and a part is run by one thread.
            unsafe { part.run(phase, &self.arrays, self.lanes, &self.board) };
        }
    }
}

/// Arrays that threads share.
struct SharedArrays<'a>(Arrays<'a>);

// SAFETY: threads work on different parts, and parts write only what is theirs.
unsafe impl Sync for SharedArrays<'_> {}

impl<'a> SharedArrays<'a> {
    fn get(&self) -> Arrays<'a> {
        self.0
    }
}

/// What the parts say of their assertions in one evaluation. In lines of its own, as all threads write there.
#[repr(align(128))]
struct AssertionFlags {
    /// Parts that have said nothing yet.
    waiting: AtomicUsize,
    broken: AtomicBool,
}

impl AssertionFlags {
    fn of(parts: usize) -> Self {
        Self { waiting: AtomicUsize::new(parts), broken: AtomicBool::new(false) }
    }

    fn arrive(&self, broken: bool) {
        self.broken.fetch_or(broken, Ordering::Relaxed);
        self.waiting.fetch_sub(1, Ordering::Release);
    }

    /// Waits for all parts.
    fn some_broken(&self) -> bool {
        wait_until(|| self.waiting.load(Ordering::Acquire) == 0);
        self.broken.load(Ordering::Relaxed)
    }
}
