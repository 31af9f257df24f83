//! The bit-sliced engine: equal tiles are evaluated together, one bit of up to 64 of them in a machine word.
//!
//! ```text
//!  tiles of the top --alike, template--> groups, hierarchy with lanes --bundles--> blocks evaluated together
//!     --payload--> nets that stay words    --build (blast, gates)--> boolean networks, units of work
//!     --order--> kernels and memory reads  --emit--> machine code
//!     --payloads, boundary--> copies of words, links between tiles, imports, exports --transfers--> lists of places
//! ```
//!
//! An evaluation brings input bits to the tiles ([`transfers`], links), runs the kernels and memory reads in order, and copies
//! payload. The clock edge counts probes, writes memories, exchanges the two arrays of register planes, and shows outputs to
//! whoever reads them outside. Tiles of different clock domains, and tiles for different threads, are different parts of the engine
//! that have all this for themselves; links lead from part to part. State lives here, as planes and words; [`Sliced::put`] and [`Sliced::take`] translate to and from
//! the layout of all engines.

mod aliases;
mod alike;
mod assemble;
mod blast;
mod boundary;
mod build;
mod bundles;
mod choose;
mod counters;
mod crew;
mod emit;
mod estimate;
mod gates;
#[cfg(all(target_arch = "x86_64", unix))]
mod luts;
mod order;
mod payload;
mod payloads;
mod places;
mod sites;
mod state;
mod template;
mod transfers;
mod transpose;
mod wanted;
#[cfg(all(target_arch = "x86_64", unix))]
mod wide;
mod wiring;

pub(crate) use assemble::Assembly;
pub(crate) use choose::{GroupChoice, Slicing};
use counters::Counter;
use crew::Crew;
pub(crate) use estimate::Estimate;
use state::{ArrayOfPlanes, Export, MemorySite, RegisterSite};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
};
use transfers::{Arrays, Links, MoveRun, Planes, ReadRun, UnpackRun, WriteRun, run_links};
use transpose::Transpose;

use super::{
    clocks::Edges,
    code::Executable,
    layout::Area,
    profile::{Activity, BundleName, Seen, Work, tell},
    state::State,
};

/// Code of a kernel: present registers, next registers, wires.
type Kernel = unsafe extern "C" fn(present: *const u64, next: *mut u64, wires: *mut u64);

/// A step of an evaluation.
enum Run {
    Kernel(Kernel),
    Read(ReadRun),
}

/// Tiles that one thread evaluates, all of one clock domain. Parts write only what is theirs.
#[derive(Default)]
struct Part {
    /// Position among the domains of the top.
    domain: usize,
    links: Links,
    unpacks: Vec<UnpackRun>,
    steps: Vec<Run>,
    /// Per step, for profiles.
    bundles: Vec<u32>,
    moves: Vec<MoveRun>,
    writes: Vec<WriteRun>,
    counters: Vec<Counter>,
    /// Words of wires that hold broken claims, and the lanes that exist.
    claims: Vec<(usize, u64)>,
    exports: Vec<Export>,
    /// Its words among the register planes.
    planes: Range<usize>,
}

/// Tiles of the top that are evaluated together.
pub(crate) struct Sliced {
    /// Tiles (positions in the instances of the top) and, of each, the inputs that the top level has to leave in the state.
    pub tiles: HashMap<usize, BTreeSet<usize>>,
    parts: Vec<Part>,
    /// Runs parts on several threads.
    crew: Option<Crew>,
    /// Threads of the last evaluation; the clock edge takes as many.
    threads: usize,
    /// Words of next registers and their values under reset.
    resets: Vec<(usize, u64)>,
    /// Places in the rest that must be zero: events that others would count.
    quiet: Vec<usize>,
    registers: Vec<RegisterSite>,
    /// Per place in the register arrays of the state: position among `registers`, and lane. Made when somebody looks.
    at_place: HashMap<usize, (usize, usize)>,
    /// Wires that somebody looks at, by their places in the rest: planes, and lane.
    looks: HashMap<usize, (Planes, usize)>,
    memories: Vec<MemorySite>,
    /// Regions of the tiles in the register arrays and in the rest, and the places in them that exports keep.
    hidden: (Vec<Range<usize>>, Vec<Range<usize>>),
    /// The tiles in the order of those regions.
    order: Vec<usize>,
    exported: HashSet<(Area, usize)>,
    /// Places of the state that exports have changed; whoever asks empties it.
    pub shown: Vec<(Area, usize)>,
    present: ArrayOfPlanes,
    next: ArrayOfPlanes,
    wires: ArrayOfPlanes,
    store: Vec<u64>,
    transpose: Transpose,
    /// What it is made of, for reports.
    pub about: Vec<String>,
    /// Per bundle, for profiles.
    pub names: Vec<BundleName>,
    board: Seen,
    /// Owns the code that the parts point into.
    _code: Executable,
}

impl Part {
    /// # Safety
    /// The arrays are those that the part was assembled for, and nobody else writes what is the part's meanwhile.
    unsafe fn evaluate(&self, arrays: &Arrays, board: &Seen) {
        tell(board, Activity::Between(Work::Links));
        run_links(&self.links, arrays);
        self.unpacks.iter().for_each(|run| run.run(arrays));
        for (step, &bundle) in self.steps.iter().zip(&self.bundles) {
            match step {
                Run::Kernel(kernel) => {
                    tell(board, Activity::Bundle(Work::Kernel, bundle));
                    // SAFETY: the arrays have the sizes that the code was generated for, and its offsets lie inside.
                    unsafe { kernel(arrays.present, arrays.next, arrays.wires) }
                }
                Run::Read(read) => {
                    tell(board, Activity::Bundle(Work::Read, bundle));
                    read.run(arrays);
                }
            }
        }
        for run in &self.moves {
            tell(board, Activity::Bundle(Work::Move, run.bundle));
            run.run(arrays);
        }
    }
}

impl Sliced {
    /// Parts that may run on different threads.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    fn arrays(&mut self, state: &State) -> Arrays {
        Arrays {
            present: self.present.as_ptr(),
            next: self.next.as_mut_ptr(),
            wires: self.wires.as_mut_ptr(),
            store: self.store.as_mut_ptr(),
            rest: state.rest.as_ptr(),
            sizes: [self.present.len(), self.wires.len(), self.store.len(), state.rest.len()],
            transpose: self.transpose,
        }
    }

    /// Calls `work` with every part whose domain has an edge, on several threads where there are any.
    fn each_part(&self, edges: Edges, threads: usize, work: impl Fn(&Part) + Sync) {
        let one = |part: &Part| {
            if edges.has(part.domain) {
                work(part);
            }
        };
        let parts = &self.parts;
        match &self.crew {
            Some(crew) if threads > 1 => {
                crew.run(&|worker| parts.iter().skip(worker).step_by(crew.size()).for_each(one))
            }
            _ => parts.iter().for_each(one),
        }
    }

    /// Computes wires, next registers and pending writes of the domains that have an edge; inputs of the tiles stand in `state`.
    /// True when a claim is broken.
    pub fn evaluate(&mut self, state: &State, edges: Edges, threads: usize) -> bool {
        self.threads = threads;
        let arrays = Shared(self.arrays(state));
        self.each_part(edges, threads, |part| {
            let arrays = &arrays;
            // SAFETY: the arrays were made for these parts and are ours alone; each part is evaluated by one thread.
            unsafe { part.evaluate(&arrays.0, &self.board) }
        });
        let broken = |part: &Part| part.claims.iter().any(|&(wire, lanes)| self.wires[wire] & lanes != 0);
        self.parts.iter().any(|part| edges.has(part.domain) && broken(part))
    }

    /// Next registers become what they are under reset.
    pub fn apply_reset(&mut self) {
        self.resets.iter().for_each(|&(word, value)| self.next[word] = value);
    }

    /// The clock edge; `count`: statistics count.
    pub fn commit(&mut self, state: &mut State, edges: Edges, count: bool) {
        self.shown.clear();
        let arrays = Shared(self.arrays(state));
        self.each_part(edges, self.threads, |part| {
            let arrays = &arrays;
            for run in &part.writes {
                tell(&self.board, Activity::Bundle(Work::Write, run.bundle));
                run.run(&arrays.0);
            }
        });
        tell(&self.board, Activity::Between(Work::Statistics));
        for part in &mut self.parts {
            if !edges.has(part.domain) {
                self.next[part.planes.clone()].copy_from_slice(&self.present[part.planes.clone()]);
            } else if count {
                part.counters.iter_mut().for_each(|counter| counter.count(&self.wires, state));
            }
        }
        std::mem::swap(&mut self.present, &mut self.next);
        tell(&self.board, Activity::Between(Work::Outputs));
        for export in self.parts.iter_mut().flat_map(|part| &mut part.exports) {
            export.show(&self.present, &self.store, state, &mut self.shown);
        }
    }

    /// Brings counters in `state` up to date.
    pub fn flush_counters(&mut self, state: &mut State) {
        self.parts.iter_mut().flat_map(|part| &mut part.counters).for_each(|counter| counter.flush(state));
    }
}

/// Arrays that threads share.
struct Shared(Arrays);

// SAFETY: threads work on different parts, and parts write only what is theirs.
unsafe impl Sync for Shared {}
