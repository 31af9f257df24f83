//! Entries of a table with a key each: fully associative; the one that was used longest ago gives way.

use blocks::{lowest_set, order};
use hdl::{Bits, Builder, Signal, mux, row};

/// The entries without what they say of their keys.
pub(super) struct RecentEntries<'m> {
    m: &'m Builder,
    /// In use, a bit each.
    pub valid: Signal<'m>,
    pub keys: Vec<Signal<'m>>,
    /// Which of two was used longer ago, as [`order`] keeps it.
    before: Signal<'m>,
}

impl<'m> RecentEntries<'m> {
    /// `count` of them, 2 to 64.
    pub fn new(m: &'m Builder, count: u32, key_bits: u32) -> Self {
        let keys = (0..count).map(|e| m.register_payload(("key", e), key_bits)).collect();
        let before = m.register_bits("before", Bits::ones(count * (count - 1) / 2));
        Self { m, valid: m.register("valid", count, 0), keys, before }
    }

    /// A field of each.
    pub fn field(&self, name: &str, width: u32) -> Vec<Signal<'m>> {
        (0..self.keys.len()).map(|e| self.m.register_payload((name, e), width)).collect()
    }

    /// The entry of a key, one-hot or zero.
    pub fn find(&self, name: &str, key: Signal<'m>) -> Signal<'m> {
        self.m.wire(name, row(self.keys.iter().map(|of| of.eq(key))) & self.valid)
    }

    /// A key that has no entry gets one when `now` is one: that entry, one-hot.
    pub fn insert(&self, now: Signal<'m>, key: Signal<'m>) -> Signal<'m> {
        let (m, count) = (self.m, self.valid.width());
        let oldest = order::first_of(&order::rows(self.before, count), self.valid);
        let free = lowest_set(!self.valid);
        let chosen = m.wire("inserted", mux(self.valid.all(), oldest, free) & now.repeat(count));
        for (of, mine) in self.keys.iter().zip(chosen.to_bits()) {
            m.when(mine, || m.set(*of, key));
        }
        chosen
    }

    /// Entries that are `inserted`, or `freed`, one that is used, and all that are forgotten.
    pub fn update(&self, [inserted, used, freed, clear]: [Signal<'m>; 4]) {
        let rows = order::used(&order::rows(self.before, self.valid.width()), inserted | used);
        self.m.set(self.before, row(rows));
        self.m.set(self.valid, (self.valid | inserted) & !freed & !clear.repeat(self.valid.width()));
    }
}
