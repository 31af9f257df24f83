//! The vector engine: tiles that have one code are evaluated together, a word of 32 bits of sixteen of them in a vector
//! (AVX-512, or AVX2 by halves).
//!
//! ```text
//!  tiles of the top --choose, unite--> groups of tiles with one code
//!  plan, passes (those of the word engine, without clusters) --lower--> programs of vectors --emit--> machine code
//!                                                          group: state of the tiles, interleaved
//! ```
//!
//! What the word engine does for one tile after the other, this does for all of a group at once, and whether an
//! instance is called is tested once for all of them. Functions, their calls and the layout of an instance are those of
//! the word engine, only that each word is thirty-two here, those of sixteen tiles side by side. Memories stay where
//! all engines have them, and are read lane by lane.
//!
//! Blocks of sixteen tiles are what threads take (`Vectors::each_block`).
//!
//! State of the tiles lives here; [`TileState`] translates to and from the layout of all engines. Outputs are shown
//! there after every clock edge, and inputs that have changed are fetched from there.

mod block;
mod boundary;
mod build;
pub(crate) mod choose;
mod compile;
#[cfg(all(target_arch = "x86_64", unix))]
mod emit;
mod group;
mod lower;
mod program;
mod slots;
pub(crate) mod unite;

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod emit {
    //! There is no code for other processors.

    use crate::vector::program::{Pool, Program};

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[allow(dead_code, reason = "there are none on this processor")]
    pub(super) enum InstructionSet {
        Avx512,
        Avx2,
    }

    impl InstructionSet {
        pub fn of_processor() -> impl Iterator<Item = Self> {
            std::iter::empty()
        }
    }

    pub(super) fn emit(_: Program, _: InstructionSet, _: &mut Pool, _: Option<u32>) -> Result<Vec<u8>, String> {
        Err("no vectors on this processor".into())
    }
}

pub(crate) use build::build;

use emit::InstructionSet;
use rustc_hash::FxHashMap;

use super::{
    batched::{TileEngine, TileState},
    clocks::Edges,
    code::Executable,
    engine::Engine,
    layout::{Area, Place},
    plan::InputMarks,
    profile::{Activity, MaybeBoard, profile_mark},
    regions::TileRegions,
    source::Source,
    state::State,
    thread_pool::{Line, ThreadPool, WaitFor},
};
use block::{Block, CommonState, SharedMarks};
use group::{Group, GroupCode};
use hdl::NetId;
use slots::Slot;
use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// There is code for this processor.
fn available() -> bool {
    InstructionSet::of_processor().next().is_some()
}

/// Tiles of the top that are evaluated in vectors.
pub(crate) struct Vectors {
    /// Tiles (positions in the instances of the top) and, of each, the inputs that the top level has to leave in the
    /// state.
    tiles: FxHashMap<usize, BTreeSet<usize>>,
    groups: Vec<Group>,
    regions: TileRegions,
    /// Places of the state that outputs have changed at the last clock edge.
    shown: Vec<(Area, usize)>,
    /// Nets by their places in the common state: group, block, lane, place in the tile. Registers when somebody has
    /// looked; wires that is observed.
    registers: FxHashMap<usize, Site>,
    wires: FxHashMap<usize, Site>,
    board: MaybeBoard,
    /// Owns the code that the groups point into.
    _code: Executable,
}

/// A net of a tile.
#[derive(Clone, Copy, Debug)]
struct Site {
    group: usize,
    block: usize,
    lane: usize,
    slot: Slot,
}

impl Vectors {
    fn new(source: Source, groups: Vec<Group>, code: Executable) -> Self {
        let Source { design, layouts, scopes, observed, board, .. } = source;
        let (mut tiles, mut regions) = (FxHashMap::default(), vec![]);
        let (mut exported, mut wires) = (vec![], FxHashMap::default());
        for (number, group) in groups.iter().enumerate() {
            let lanes = group.blocks.iter().enumerate();
            let lanes = lanes
                .flat_map(|(block, at)| at.bases.iter().enumerate().map(move |(lane, &bases)| (block, lane, bases)));
            for (&tile, (block, lane, bases)) in group.tiles.iter().zip(lanes) {
                let module = design.index_of(&design.top.instances[tile].module);
                tiles.insert(tile, (0..design.modules[module].module.inputs.len()).collect());
                let layout = &layouts[module];
                let region = |first: u32, words: u32| first as usize..(first + words) as usize;
                let registers = region(bases.registers, layout.registers);
                regions.push((tile, [registers, region(bases.storage, layout.storage)]));
                let early = group.code.early_outputs.iter();
                let late = group.code.outputs.iter();
                exported.extend(late.map(|slot| (Area::Registers, (bases.registers + slot.offset) as usize)));
                exported.extend(early.map(|slot| (Area::Storage, (bases.storage + slot.offset) as usize)));
                for scope in build::scopes_of(scopes, tile) {
                    let at = &scopes[scope];
                    let nets = observed.range((at.module, NetId(0))..(at.module + 1, NetId(0)));
                    for &(_, net) in nets {
                        let place = at.bases.of(layouts[at.module].places[net.index()]);
                        if place.area == Area::Storage {
                            let width = design.modules[at.module].module.net(net).width;
                            let slot = Slot { offset: place.offset - bases.storage, width };
                            wires.insert(place.offset as usize, Site { group: number, block, lane, slot });
                        }
                    }
                }
            }
        }
        let (regions, registers) = (TileRegions::new(regions, exported), FxHashMap::default());
        let (shown, board) = (vec![], board.clone());
        Self { tiles, groups, regions, shown, registers, wires, board, _code: code }
    }
}

impl Vectors {
    /// Does something with each block of the domains that have an edge. Threads take one after the other, so that
    /// uneven blocks spread evenly; which one takes a block has no influence on any bit.
    fn each_block(
        &mut self,
        state: &mut State,
        edges: Edges,
        pool: Option<&mut ThreadPool>,
        work: impl Fn(&GroupCode, &mut Block, CommonState) + Sync,
    ) {
        let state = CommonState::new(state);
        let has_edge = |group: &Group| edges.has(group.domain);
        // One block is no work for several threads.
        let pool = pool.filter(|_| {
            let groups = self.groups.iter().filter(|group| has_edge(group));
            groups.map(|group| group.blocks.len()).sum::<usize>() > 1
        });
        let groups = self.groups.iter_mut().filter(|group| has_edge(group));
        let Some(pool) = pool else {
            for Group { tiles, code, blocks, .. } in groups {
                profile_mark(&self.board, Activity::Tiles(tiles[0] as u32));
                blocks.iter_mut().for_each(|block| work(code, block, state));
            }
            return;
        };
        let blocks = groups.flat_map(|Group { code, blocks, .. }| blocks.iter_mut().map(|block| (&*code, block)));
        let blocks: Vec<_> = blocks.map(|block| Mutex::new(Some(block))).collect();
        let next = Line(AtomicUsize::new(0));
        pool.run(WaitFor::Begun, &|_| {
            while let Some(block) = blocks.get(next.0.fetch_add(1, Ordering::Relaxed)) {
                // Nobody else has the number, so nobody has held the lock.
                let taken = block.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
                taken.into_iter().for_each(|(code, block)| work(code, block, state));
            }
        });
    }
}

impl TileEngine for Vectors {
    fn engine(&self) -> Engine {
        Engine::Vector
    }

    fn tiles(&self) -> &FxHashMap<usize, BTreeSet<usize>> {
        &self.tiles
    }

    fn parts(&self) -> usize {
        self.groups.iter().map(|group| group.blocks.len()).sum()
    }

    fn marks_inputs(&self) -> bool {
        true
    }

    fn place_input_marks(&mut self, marks: &InputMarks) {
        for Group { tiles, blocks, .. } in &mut self.groups {
            for block in blocks {
                let lanes = &tiles[block.first_tile..][..block.bases.len()];
                block.input_marks = lanes.iter().map(|tile| marks.first[tile] as usize).collect();
            }
        }
    }

    fn evaluate(
        &mut self,
        state: &mut State,
        edges: Edges,
        pool: Option<&mut ThreadPool>,
        _ahead: bool,
        input_marks: Option<&mut [u64]>,
    ) -> bool {
        let failed = AtomicBool::new(false);
        let input_marks = input_marks.map(SharedMarks::new);
        self.each_block(state, edges, pool, |code, block, state| {
            // SAFETY: the block was taken by this thread alone.
            if unsafe { code.evaluate(block, state, input_marks) } {
                failed.store(true, Ordering::Relaxed);
            }
        });
        failed.into_inner()
    }

    fn apply_reset(&mut self) {
        self.groups.iter_mut().for_each(Group::apply_reset);
    }

    fn commit(&mut self, state: &mut State, edges: Edges, count: bool, pool: Option<&mut ThreadPool>) {
        self.shown.clear();
        let Self { groups, .. } = self;
        if count {
            groups.iter_mut().filter(|group| edges.has(group.domain)).for_each(|group| group.will_count(state));
        }
        self.each_block(state, edges, pool, |code, block, state| {
            // SAFETY: the block was taken by this thread alone.
            unsafe { code.commit(block, state, count) };
        });
        let groups = self.groups.iter().filter(|group| edges.has(group.domain));
        self.shown.extend(groups.flat_map(|group| &group.blocks).flat_map(|block| &block.shown));
    }

    fn flush_counters(&mut self, state: &mut State) {
        self.groups.iter_mut().for_each(|group| group.flush_counters(state));
    }

    fn shown(&self) -> &[(Area, usize)] {
        &self.shown
    }

    fn about(&self) -> Vec<String> {
        self.groups.iter().map(Group::about).collect()
    }
}

impl TileState for Vectors {
    fn hides(&self, place: Place) -> bool {
        self.regions.hides(place)
    }

    fn tile_at(&self, place: Place) -> Option<usize> {
        self.regions.tile_at(place)
    }

    fn put_register(&mut self, place: Place, state: &mut State) -> bool {
        if place.area != Area::Registers {
            return false;
        }
        if self.registers.is_empty() {
            for (number, group) in self.groups.iter().enumerate() {
                for (block, lane, at, slot) in group.register_places() {
                    self.registers.insert(at, Site { group: number, block, lane, slot });
                }
            }
        }
        let at = place.offset as usize;
        let Some(&Site { group, block, lane, slot }) = self.registers.get(&at) else { return false };
        self.groups[group].put_register(block, lane, slot, &mut state.registers[at..]);
        true
    }

    fn has_wire(&self, place: Place) -> bool {
        place.area == Area::Storage && self.wires.contains_key(&(place.offset as usize))
    }

    fn put_wire(&self, place: Place, edges: Edges, state: &mut State) -> bool {
        let at = place.offset as usize;
        let Some(&Site { group, block, lane, slot }) = self.wires.get(&at).filter(|_| place.area == Area::Storage)
        else {
            return false;
        };
        if !edges.has(self.groups[group].domain) {
            return false;
        }
        self.groups[group].put_wire(block, lane, slot, &mut state.storage[at..]);
        true
    }

    fn put(&mut self, state: &mut State, next: bool) {
        self.flush_counters(state);
        self.groups.iter().for_each(|group| group.put(state, next));
    }

    fn take(&mut self, state: &mut State) {
        for group in &mut self.groups {
            group.take(state);
        }
    }
}
