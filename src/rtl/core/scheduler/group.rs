//! Groups of warps, for two-level schedulers.

use super::{Candidates, Grouping};
use blocks::index_one_hot;
use common::policies;
use hdl::{Signal, row};

policies! {
    /// Which warps are a group of a two-level scheduler.
    pub enum WarpGroup: dyn Grouping {
        /// Eight warps, by their numbers.
        Eight = "eight" => ByNumber(8),
        /// The warps of a thread block.
        Block = "block" => ByBlock,
    }
}

/// So many warps, by their numbers.
struct ByNumber(u32);

impl Grouping for ByNumber {
    fn groups<'m>(&self, warps: &Candidates<'m>) -> Vec<Signal<'m>> {
        let (size, count) = (self.0, warps.count());
        let of = |first: u32| warps.m.lit(count, (first..count.min(first + size)).map(|warp| 1 << warp).sum());
        (0..count).step_by(size as usize).map(of).collect()
    }
}

/// The warps of a block slot.
struct ByBlock;

impl Grouping for ByBlock {
    fn groups<'m>(&self, warps: &Candidates<'m>) -> Vec<Signal<'m>> {
        let slots = warps.slots;
        let slot_of: Vec<_> = warps.slot_of().into_iter().map(|slot| index_one_hot(slot, slots)).collect();
        (0..slots).map(|slot| row(slot_of.iter().map(|of_warp| of_warp.bit(slot)))).collect()
    }

    fn reads_slots(&self) -> bool {
        true
    }
}
