//! Tiles whose state is kept elsewhere than in the common state: those of the bit-sliced engine and those of the vector engine.

use super::{
    clocks::Edges,
    engine::Engine,
    layout::{Area, Place},
    profile::BundleName,
    sliced::Sliced,
    state::State,
    vector::Vectors,
};
use std::collections::{BTreeSet, HashMap};

/// The engines beside that of words, as far as there are any.
#[derive(Default)]
pub(crate) struct Apart {
    pub sliced: Option<Box<Sliced>>,
    pub vectors: Option<Box<Vectors>>,
}

impl Apart {
    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.sliced.is_none() && self.vectors.is_none()
    }

    /// Tiles (positions in the instances of the top) and, of each, the inputs that the top level has to leave in the state.
    pub fn tiles(&self) -> HashMap<usize, BTreeSet<usize>> {
        let sliced = self.sliced.iter().flat_map(|sliced| sliced.tiles.clone());
        sliced.chain(self.vectors.iter().flat_map(|vectors| vectors.tiles.clone())).collect()
    }

    /// The engines of the tiles.
    pub fn engines(&self) -> HashMap<usize, Engine> {
        let sliced = self.sliced.iter().flat_map(|sliced| sliced.tiles.keys().map(|&tile| (tile, Engine::Sliced)));
        let vectors = self.vectors.iter().flat_map(|vectors| vectors.tiles.keys().map(|&tile| (tile, Engine::Vector)));
        sliced.chain(vectors).collect()
    }

    /// Computes wires, next registers and pending writes of the domains that have an edge; inputs of the tiles stand in `state`.
    /// True when a claim is broken. `ahead`: unless one is, the clock edge, with statistics, is all that follows.
    pub fn evaluate(&mut self, state: &State, edges: Edges, threads: usize, ahead: bool) -> bool {
        let ahead = ahead && self.vectors.is_none();
        let sliced = self.sliced.as_mut().is_some_and(|sliced| sliced.evaluate(state, edges, threads, ahead));
        let vectors = self.vectors.as_mut().is_some_and(|vectors| vectors.evaluate(state, edges));
        sliced | vectors
    }

    /// Next registers become what they are under reset.
    pub fn apply_reset(&mut self) {
        self.sliced.iter_mut().for_each(|sliced| sliced.apply_reset());
        self.vectors.iter_mut().for_each(|vectors| vectors.apply_reset());
    }

    /// The clock edge; `count`: statistics count. `shown` hears of places of the state that outputs have changed.
    pub fn commit(&mut self, state: &mut State, edges: Edges, count: bool, mut shown: impl FnMut(Area, usize)) {
        if let Some(sliced) = &mut self.sliced {
            sliced.commit(state, edges, count);
            sliced.shown.iter().for_each(|&(area, place)| shown(area, place));
        }
        if let Some(vectors) = &mut self.vectors {
            vectors.commit(state, edges, count);
            vectors.shown.iter().for_each(|&(area, place)| shown(area, place));
        }
    }

    /// Brings counters in `state` up to date.
    pub fn flush_counters(&mut self, state: &mut State) {
        self.sliced.iter_mut().for_each(|sliced| sliced.flush_counters(state));
        self.vectors.iter_mut().for_each(|vectors| vectors.flush_counters(state));
    }

    /// A place of a tile that does not always stand in the state.
    pub fn hides(&self, place: Place) -> bool {
        self.sliced.as_ref().is_some_and(|sliced| sliced.hides(place))
            || self.vectors.as_ref().is_some_and(|vectors| vectors.hides(place))
    }

    /// The tile (position in the instances of the top) that a place belongs to, if it is one of these.
    pub fn tile_at(&self, place: Place) -> Option<usize> {
        let sliced = self.sliced.as_ref().and_then(|sliced| sliced.tile_at(place));
        sliced.or_else(|| self.vectors.as_ref()?.tile_at(place))
    }

    /// Writes the present value of one register to `state`; false when there is no register at this place.
    pub fn put_register(&mut self, place: Place, state: &mut State) -> bool {
        self.sliced.as_mut().is_some_and(|sliced| sliced.put_register(place, state))
            || self.vectors.as_mut().is_some_and(|vectors| vectors.put_register(place, state))
    }

    /// A wire at this place is computed in every evaluation.
    pub fn has_wire(&self, place: Place) -> bool {
        self.sliced.as_ref().is_some_and(|sliced| sliced.has_wire(place))
            || self.vectors.as_ref().is_some_and(|vectors| vectors.has_wire(place))
    }

    /// After an evaluation: writes one wire to `state`; false when there is none at this place.
    pub fn put_wire(&self, place: Place, state: &mut State) -> bool {
        self.sliced.as_ref().is_some_and(|sliced| sliced.put_wire(place, state))
            || self.vectors.as_ref().is_some_and(|vectors| vectors.put_wire(place, state))
    }

    /// Writes registers and memories of all tiles to `state`; `next` registers too, as far as they are computed.
    pub fn put(&mut self, state: &mut State) {
        self.sliced.iter_mut().for_each(|sliced| sliced.put(state));
        self.vectors.iter_mut().for_each(|vectors| vectors.put(state));
    }

    /// Takes registers and memories of all tiles from `state`.
    pub fn take(&mut self, state: &mut State) {
        self.sliced.iter_mut().for_each(|sliced| sliced.take(state));
        self.vectors.iter_mut().for_each(|vectors| vectors.take(state));
    }

    /// Bundles of the bit-sliced engine, for profiles.
    pub fn bundles(&self) -> Vec<BundleName> {
        self.sliced.iter().flat_map(|sliced| sliced.names.clone()).collect()
    }

    /// What they are made of, a line for each part.
    pub fn about(&self) -> Vec<String> {
        let sliced = self.sliced.iter().flat_map(|sliced| sliced.about.clone());
        sliced.chain(self.vectors.iter().flat_map(|vectors| vectors.about())).collect()
    }
}
