//! What becomes of a prefetch in its turn.

use super::statistics;
use hdl::{Builder, Signal};

/// What becomes of a prefetch.
pub struct PrefetchOutcome<'m> {
    /// Its line is neither here nor pending.
    pub absent: Signal<'m>,
    /// It becomes pending.
    pub issued: Signal<'m>,
}

impl<'m> PrefetchOutcome<'m> {
    /// Of a prefetch whose `turn` it is. `room`: for another pending line; for what it needs besides.
    pub fn new(
        m: &'m Builder,
        s1_valid: Signal<'m>,
        (here, pending): (Signal<'m>, Signal<'m>),
        [entry, others]: [Signal<'m>; 2],
    ) -> Self {
        let absent = m.wire("prefetch_absent", s1_valid & !here & !pending);
        let issued = m.wire("prefetch_issued", absent & entry & others);
        m.count(statistics::PREFETCHES, issued);
        m.count(statistics::PREFETCHES_PRESENT, s1_valid & here);
        m.count(statistics::PREFETCHES_PENDING, s1_valid & pending);
        m.count(statistics::PREFETCHES_WITHOUT_ENTRY, absent & !entry);
        m.count(statistics::PREFETCHES_BLOCKED, absent & entry & !others);
        Self { absent, issued }
    }
}
