//! Entries of a table, each of a load: fully associative; the one that was inserted first gives way. And the ports that
//! tables have in common.

use blocks::one_hot_mux;
use hdl::{Builder, Signal, ports, row};

/// Bits of a load's pc.
pub const PC_BITS: u32 = 16;

ports! {
    /// Ports of all tables, whose strides have so many bits.
    pub struct LookupPorts(stride_bits: &u32) of LookupTable {
        /// The kernel has ended: all loads are forgotten.
        in clear: 1,
        /// Load that is looked up.
        in lookup_pc: PC_BITS,
        /// It has a stride that is to be used.
        out predicts: 1,
        /// How far.
        out stride: *stride_bits,
    }
}

ports! {
    /// Ports of a table that learns from accesses.
    pub struct LearningPorts(_p: &()) of LearningTable {
        /// A load is executed.
        in learn: 1,
        /// Which one.
        in learn_pc: PC_BITS,
        /// Its address.
        in learn_address: 32,
    }
}

/// The entries without what they say of their loads.
pub(super) struct Entries<'m> {
    m: &'m Builder,
    /// In use, a bit each.
    pub valid: Signal<'m>,
    /// The loads.
    pub pcs: Vec<Signal<'m>>,
    /// The one for the next load, one-hot: the oldest, where all are in use.
    pub next: Signal<'m>,
}

impl<'m> Entries<'m> {
    /// `count` of them, 2 to 64.
    pub fn new(m: &'m Builder, count: u32) -> Self {
        let pcs = (0..count).map(|e| m.register_payload(("pc", e), PC_BITS)).collect();
        Self { m, valid: m.register("valid", count, 0), pcs, next: m.register("next", count, 1) }
    }

    /// A field of each.
    pub fn field(&self, name: &str, width: u32) -> Vec<Signal<'m>> {
        (0..self.pcs.len()).map(|e| self.m.register_payload((name, e), width)).collect()
    }

    /// The entry of a load, one-hot or zero.
    pub fn find(&self, name: &str, pc: Signal<'m>) -> Signal<'m> {
        self.m.wire(name, row(self.pcs.iter().map(|of| of.eq(pc))) & self.valid)
    }

    /// A load that has no entry gets one when `now` is one: that entry, one-hot.
    pub fn insert(&self, now: Signal<'m>, pc: Signal<'m>) -> Signal<'m> {
        let m = self.m;
        let chosen = m.wire("inserted", self.next & now.repeat(self.next.width()));
        m.set(self.valid, self.valid | chosen);
        m.when(now, || m.set(self.next, rotated(self.next)));
        for (of, mine) in self.pcs.iter().zip(chosen.to_bits()) {
            m.when(mine, || m.set(*of, pc));
        }
        chosen
    }

    /// Empties them; said after what else changes them.
    pub fn clear(&self, now: Signal<'m>) {
        self.m.when(now, || {
            self.m.set(self.valid, 0);
            self.m.set(self.next, 1);
        });
    }
}

/// The entry after the one that is set.
pub(super) fn rotated(entry: Signal<'_>) -> Signal<'_> {
    let last = entry.width() - 1;
    entry.bits(0, last).join(entry.bit(last))
}

/// Of the entry that is set.
pub(super) fn of<'m>(entry: Signal<'m>, fields: &[Signal<'m>]) -> Signal<'m> {
    one_hot_mux(entry, fields)
}
