//! Tiles whose state is kept elsewhere than in the common state: those of the bit-sliced engine and those of the vector
//! engine.

use super::{
    clocks::Edges,
    engine::Engine,
    layout::{Area, Place},
    plan::{Elsewhere, InputMarks, InputsRead},
    profile::BundleName,
    state::State,
    thread_pool::ThreadPool,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An engine that evaluates tiles together and keeps their state in its own way.
pub(crate) trait TileEngine: TileState {
    /// Which one it is.
    fn engine(&self) -> Engine;

    /// Tiles (positions in the instances of the top) and, of each, the inputs that the top level has to leave in the
    /// state.
    fn tiles(&self) -> &FxHashMap<usize, BTreeSet<usize>>;

    /// It fetches the inputs that have changed, if it is told which. Then, where their marks are.
    fn marks_inputs(&self) -> bool {
        false
    }

    fn place_input_marks(&mut self, _marks: &InputMarks) {}

    /// Parts that may run on different threads.
    fn parts(&self) -> usize;

    /// Computes wires, next registers and pending writes of the domains that have an edge; inputs of the tiles stand in
    /// `state`. True when an assertion fails. `pool`: threads to do it on, if it is not to be done on this one.
    /// `ahead`: unless an assertion fails, the clock edge, with statistics, is all that follows, so that a thread may
    /// go on with it while others still evaluate. `input_marks`: inputs that have changed since their tile was
    /// evaluated; it takes away the marks of what it fetches. `None`: any may have.
    fn evaluate(
        &mut self,
        state: &mut State,
        edges: Edges,
        pool: Option<&mut ThreadPool>,
        ahead: bool,
        input_marks: Option<&mut [u64]>,
    ) -> bool;

    /// Next registers become what they are under reset.
    fn apply_reset(&mut self);

    /// The clock edge; `count`: statistics count; `pool` as before. Outputs are shown in `state`.
    fn commit(&mut self, state: &mut State, edges: Edges, count: bool, pool: Option<&mut ThreadPool>);

    /// Places of the state that outputs have changed at the last clock edge.
    fn shown(&self) -> &[(Area, usize)];

    /// Brings counters in `state` up to date.
    fn flush_counters(&mut self, state: &mut State);

    /// What its tiles are evaluated in, for profiles.
    fn bundles(&self) -> &[BundleName] {
        &[]
    }

    /// What it is made of, a line for each part.
    fn about(&self) -> Vec<String>;
}

/// The state of tiles, to and from the layout of all engines.
pub(crate) trait TileState: Send {
    /// A place of a tile that does not always stand in the state.
    fn hides(&self, place: Place) -> bool;

    /// The tile (position in the instances of the top) that a place belongs to, if it is one of these.
    fn tile_at(&self, place: Place) -> Option<usize>;

    /// Writes the present value of one register to `state`; false when there is no register at this place.
    fn put_register(&mut self, place: Place, state: &mut State) -> bool;

    /// A wire at this place is computed in every evaluation of its tile.
    fn has_wire(&self, place: Place) -> bool;

    /// After an evaluation for these edges: writes one wire to `state`; false when there is none at this place, and when it is not up to
    /// date, as its tile has no edge.
    fn put_wire(&self, place: Place, edges: Edges, state: &mut State) -> bool;

    /// Writes registers and memories of all tiles to `state`; if `next`, next registers too, which then are computed.
    /// Else those are left alone: outputs that others see have their present values there, as the arrays change places
    /// at the clock edge.
    fn put(&mut self, state: &mut State, next: bool);

    /// Takes registers and memories of all tiles from `state`.
    fn take(&mut self, state: &mut State);
}

/// The engines in addition to that of words, as far as there are any: no tile is in two of them.
#[derive(Default)]
pub(crate) struct BatchedTiles(Vec<Box<dyn TileEngine>>);

impl BatchedTiles {
    /// These.
    pub fn new(engines: impl IntoIterator<Item = Box<dyn TileEngine>>) -> Self {
        Self(engines.into_iter().collect())
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one that counts as the engine of the whole: the first.
    pub fn first(&self) -> Option<Engine> {
        self.0.first().map(|engine| engine.engine())
    }

    /// As in [`TileEngine::tiles`], of all engines.
    pub fn tiles(&self) -> Elsewhere {
        let of = |engine: &dyn TileEngine| {
            let marked = engine.marks_inputs();
            let inputs = |positions: &BTreeSet<usize>| InputsRead { positions: positions.clone(), marked };
            engine.tiles().iter().map(|(&tile, positions)| (tile, inputs(positions))).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(|engine| of(&**engine)).collect()
    }

    /// As in [`TileEngine::place_input_marks`].
    pub fn place_input_marks(&mut self, marks: &InputMarks) {
        self.0.iter_mut().for_each(|engine| engine.place_input_marks(marks));
    }

    /// The engines of the tiles.
    pub fn engines(&self) -> FxHashMap<usize, Engine> {
        let of = |engine: &dyn TileEngine| {
            let kind = engine.engine();
            engine.tiles().keys().map(|&tile| (tile, kind)).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(|engine| of(&**engine)).collect()
    }

    /// Parts that may run on different threads, of the engine that has most.
    pub fn parts(&self) -> usize {
        self.0.iter().map(|engine| engine.parts()).max().unwrap_or(0)
    }

    /// As in [`TileEngine::evaluate`].
    pub fn evaluate(
        &mut self,
        state: &mut State,
        edges: Edges,
        mut pool: Option<&mut ThreadPool>,
        ahead: bool,
        mut input_marks: Option<&mut [u64]>,
    ) -> bool {
        // An assertion may fail in another engine after this one has gone on.
        let ahead = ahead && self.0.len() == 1;
        let evaluate = |engine: &mut Box<dyn TileEngine>| {
            engine.evaluate(state, edges, pool.as_deref_mut(), ahead, input_marks.as_deref_mut())
        };
        self.0.iter_mut().map(evaluate).fold(false, |broken, one| broken | one)
    }

    /// As in [`TileEngine::apply_reset`].
    pub fn apply_reset(&mut self) {
        self.0.iter_mut().for_each(|engine| engine.apply_reset());
    }

    /// As in [`TileEngine::commit`]; `shown` hears of places of the state that outputs have changed.
    pub fn commit(
        &mut self,
        state: &mut State,
        edges: Edges,
        count: bool,
        mut pool: Option<&mut ThreadPool>,
        mut shown: impl FnMut(Area, usize),
    ) {
        for engine in &mut self.0 {
            engine.commit(state, edges, count, pool.as_deref_mut());
            engine.shown().iter().for_each(|&(area, place)| shown(area, place));
        }
    }

    /// As in [`TileEngine::flush_counters`].
    pub fn flush_counters(&mut self, state: &mut State) {
        self.0.iter_mut().for_each(|engine| engine.flush_counters(state));
    }

    /// As in [`TileEngine::bundles`], of all engines.
    pub fn bundles(&self) -> Vec<BundleName> {
        self.0.iter().flat_map(|engine| engine.bundles().to_vec()).collect()
    }

    /// As in [`TileEngine::about`], of all engines.
    pub fn about(&self) -> Vec<String> {
        self.0.iter().flat_map(|engine| engine.about()).collect()
    }
}

impl TileState for BatchedTiles {
    fn hides(&self, place: Place) -> bool {
        self.0.iter().any(|engine| engine.hides(place))
    }

    fn tile_at(&self, place: Place) -> Option<usize> {
        self.0.iter().find_map(|engine| engine.tile_at(place))
    }

    fn put_register(&mut self, place: Place, state: &mut State) -> bool {
        self.0.iter_mut().any(|engine| engine.put_register(place, state))
    }

    fn has_wire(&self, place: Place) -> bool {
        self.0.iter().any(|engine| engine.has_wire(place))
    }

    fn put_wire(&self, place: Place, edges: Edges, state: &mut State) -> bool {
        self.0.iter().any(|engine| engine.put_wire(place, edges, state))
    }

    fn put(&mut self, state: &mut State, next: bool) {
        self.0.iter_mut().for_each(|engine| engine.put(state, next));
    }

    fn take(&mut self, state: &mut State) {
        self.0.iter_mut().for_each(|engine| engine.take(state));
    }
}
