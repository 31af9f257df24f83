//! Changes of the routing class on the way of a packet.

use serde::Serialize;

/// How a packet's routing class may change from router to router, where the routing classes have VCs of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ClassTransition {
    /// Routing classes.
    classes: u32,
    /// Bit `from * classes + to`: a packet may go so.
    pairs: u64,
    /// Only a packet for which no VC of its own class is free.
    last_resort: bool,
}

impl ClassTransition {
    /// Never.
    pub const NEVER: Self = Self { classes: 1, pairs: 0, last_resort: false };
    /// From 1 to 0.
    pub const DOWN: Self = Self { classes: 2, pairs: 1 << 2, last_resort: false };
    /// From 1 to 0, where no VC of 1 is free.
    pub const ESCAPE: Self = Self { last_resort: true, ..Self::DOWN };
    /// Both ways between two.
    pub const BOTH: Self = Self { classes: 2, pairs: 1 << 1 | 1 << 2, last_resort: false };

    /// Among `classes` classes, at most 8, as these pairs say.
    pub fn of(classes: u32, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let changing = pairs.into_iter().filter(|(from, to)| from != to);
        let pairs = changing.fold(0, |pairs, (from, to)| pairs | 1 << (from * classes + to));
        if pairs == 0 { Self::NEVER } else { Self { classes, pairs, last_resort: false } }
    }

    /// May packets go from one class to the other?
    pub fn allows(self, from: u32, to: u32) -> bool {
        self.pairs >> (from * self.classes + to) & 1 == 1
    }

    /// A packet changes its class only where no VC of its own is free for it.
    pub fn is_last_resort(self) -> bool {
        self.last_resort
    }

    /// Packets may change their class at all.
    pub fn exists(self) -> bool {
        self.pairs != 0
    }

    /// Routing classes; 1 where packets keep theirs.
    pub fn classes(self) -> u32 {
        self.classes
    }

    /// How many classes up, all around, packets go.
    pub fn offsets(self) -> Vec<u32> {
        (1..self.classes).filter(|offset| (0..self.classes).any(|class| self.leads(class, *offset).is_some())).collect()
    }

    /// The class so many classes up from this one, if packets may go there.
    pub fn leads(self, class: u32, offset: u32) -> Option<u32> {
        let to = (class + offset) % self.classes;
        self.allows(class, to).then_some(to)
    }
}

/// What comes before the names of requests, grants and ways that lead so many classes up: nothing, `cross`, `cross2`, ...
pub(crate) fn cross_name(offset: u32) -> String {
    if offset == 1 { "cross".into() } else { format!("cross{offset}") }
}
