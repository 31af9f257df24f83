//! `[cache.*.mshr]`, as a person writes it.

use super::{MissHandling, OwnParams, ProtectedVictims};
use common::parameters;

parameters! {
    /// Miss handling of a cache.
    pub shared MshrConfig {
        /// How pending lines are found.
        kind: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("kind", |kind: MissHandling| kind.policy().keys().entries))]
        entries: u32 = Self::ENTRIES, range(2, 256);
        /// Entries of a set, so that sets are a power of two.
        #[only(policy("kind", |kind: MissHandling| kind.policy().keys().ways))]
        ways: u32 = Self::ENTRIES, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("kind", |kind: MissHandling| kind.policy().keys().targets))]
        targets: u32 = Self::TARGETS, range(1, 32);
        /// Entries of the CAM part, in addition to `entries`.
        #[only(policy("kind", |kind: MissHandling| kind.policy().keys().cam_part))]
        cam_entries: u32 = 8, range(0, 64);
        /// The CAM part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("cam_entries", 0))]
        cam_pipelined: bool = false;
        /// Which victims are protected as long as the CAM part has room.
        #[only(above("cam_entries", 0))]
        protected_victims: ProtectedVictims = ProtectedVictims::Hit;
    }

    /// Miss handling of a data cache.
    pub struct L1Mshr(ENTRIES = 32, TARGETS = 8) {}

    /// Miss handling of a cache that is only read.
    pub struct ReadOnlyMshr(ENTRIES = 8, TARGETS = 8) {}

    /// Miss handling of an L2 bank.
    pub struct L2Mshr(ENTRIES = 64, TARGETS = 4) {}
}

/// How large the miss handling of a cache is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissSizes {
    /// Entries, without those that the kind alone has.
    pub entries: u32,
    /// Entries of a set; all of them where there are no sets.
    pub entry_ways: u32,
    /// What the kind alone has.
    pub own: OwnParams,
    /// Places among the write-backs, in addition to those that a configuration says: no miss waits for one.
    pub write_backs: u32,
}

impl MshrConfig {
    /// The smallest of that kind with which blocks are shown: two entries of two targets, two more of its own.
    pub fn small(kind: MissHandling) -> Self {
        Self { kind, entries: 2, ways: 2, targets: 2, cam_entries: 2, ..Self::from(&L1Mshr::default()) }
    }

    /// The sizes, where so many reads can be outstanding.
    pub fn sizes(&self, reads: u32) -> MissSizes {
        let by = self.kind.policy().keys();
        let cam_entries = if by.cam_part { self.cam_entries } else { 0 };
        // A write that fetches its line is one more.
        let entries = if by.entries { self.entries } else { reads.max(2) + 1 };
        MissSizes {
            entries,
            entry_ways: if by.ways { self.ways } else { entries },
            own: OwnParams { cam_entries, ..self.own() },
            write_backs: if by.entries { 0 } else { entries },
        }
    }

    /// What a kind alone has, where it goes by that.
    pub fn own(&self) -> OwnParams {
        let Self { cam_entries, cam_pipelined, protected_victims: protects, .. } = *self;
        OwnParams { cam_entries, cam_pipelined, protects }
    }

    /// Lines that can be pending; none: nothing limits them.
    pub fn lines(&self) -> Option<u32> {
        let (policy, MissSizes { entries, own, .. }) = (self.kind.policy(), self.sizes(0));
        policy.keys().entries.then(|| entries + policy.own_entries(&own))
    }
}
