//! Planes that hold the same as another one share its place, so that nothing is copied between them.
//!
//! A block hands much of what it gets on to the blocks inside: its work is then a copy from plane to plane. Where one
//! of the two is a whole plane as long as the part of the other that is copied, it moves into the place of the other.
//! *Legal*, as a wire is written once in an evaluation, and read after that.

use super::{
    build::{Arena, Builder, Key, Plane},
    bundles::Bundles,
    gates::Gate,
};
use hdl::NetId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Wires (bundle and slot) that are elsewhere, and where.
#[derive(Debug, Default)]
pub(super) struct Aliases(FxHashMap<(usize, u32), Plane>);

impl Aliases {
    /// Finds copies in the work and removes them from it. `fixed`: inputs whose planes must stay one after the other.
    pub fn take(bundles: &Bundles, builder: &mut Builder, fixed: &FxHashSet<(usize, NetId)>) -> Self {
        let mut out = Self::default();
        let mut keys: Vec<Key> = builder.units.keys().copied().collect();
        keys.sort();
        for key in keys.into_iter().filter(|key| matches!(key, Key::Drive(..) | Key::Out(..))) {
            let work = &builder.work[key.bundle()];
            let words = bundles.bundles[key.bundle()].words();
            let is_whole = |plane: Plane| {
                plane.arena == Arena::Wires && plane.offset == 0 && bundles.bundles[plane.bundle].words() == words
            };
            let stores = std::mem::take(&mut builder.units.get_mut(&key).expect("it is listed").stores);
            let copied = stores.into_iter().filter(|&(bit, to)| {
                let Gate::Leaf(number) = work.gates.gate(bit) else { return true };
                let from = work.leaves[number as usize];
                let may_move = builder.work[from.bundle].may_move(from, |net| fixed.contains(&(from.bundle, net)));
                !(is_whole(to) && out.join(to, from) || is_whole(from) && may_move && out.join(from, to))
            });
            let stores = copied.collect();
            builder.units.get_mut(&key).expect("it is listed").stores = stores;
        }
        out
    }

    /// Lets a whole plane be where another one is, unless it is elsewhere already.
    fn join(&mut self, whole: Plane, place: Plane) -> bool {
        let key = (whole.bundle, whole.slot);
        let end = self.resolve(place);
        let is_itself = end.arena == Arena::Wires && (end.bundle, end.slot) == key;
        let joined = !self.0.contains_key(&key) && !is_itself;
        if joined {
            self.0.insert(key, place);
        }
        joined
    }

    /// Where a plane is.
    pub fn resolve(&self, mut plane: Plane) -> Plane {
        while plane.arena == Arena::Wires
            && let Some(place) = self.0.get(&(plane.bundle, plane.slot))
        {
            plane = Plane { offset: place.offset + plane.offset, ..*place };
        }
        plane
    }
}
