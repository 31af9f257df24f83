//! What the caches of a chip have as a launch begins: how long they are still cleared, and whether they keep lines.

use super::Chip;
use cache::Flush;

impl Chip {
    /// Core cycles after reset in which caches are still cleared, a set in a cycle of their own clock; 0 without caches.
    pub fn clear_cycles(&self) -> u64 {
        let [core, noc, ..] = self.config().clocks.megahertz().map(u64::from);
        let (of_core, partition) = (self.core(), self.partition());
        let l1 = of_core.l1d.iter().chain(of_core.read_only_caches()).map(|cache| u64::from(cache.sets));
        // Where memory is behavioural there is none.
        let l2 = partition.l2.iter().map(|l2| (u64::from(l2.cache.sets) * core).div_ceil(noc));
        l1.chain(l2).max().map_or(0, |cycles| cycles + 1)
    }

    /// Lines of a launch are still there for the next one.
    pub fn keeps_lines(&self) -> bool {
        self.partition().l2.is_some_and(|l2| l2.cache.flush == Flush::Clean)
    }
}
