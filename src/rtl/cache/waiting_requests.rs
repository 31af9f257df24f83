//! Requests that wait for pending lines: in [`targets`](mod@super::targets) or in
//! [`waiting_lists`](mod@super::waiting_lists). What a cache does with either.

use super::{targets::targets, waiting_lists::waiting_lists};
use hdl::{Module, Signal, index_width, ports};

/// How they wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitingRequests {
    /// So many at most for a line, each in a place of its own.
    Targets(u32),
    /// Any number, in lists through their tags.
    Lists,
}

ports! {
    /// Ports of what keeps the requests that wait, of so many entries and tags of so many bits.
    pub struct WaitingPorts((kind, entries, tag_bits): &(WaitingRequests, u32, u32)) of Waiting {
        /// Begins the list of an entry.
        in open: 1,
        /// With the request `target` in it.
        in has_target: 1,
        /// Puts the request `target` at the end of the list of an entry.
        in append: 1,
        /// The entry whose list begins.
        in open_entry: index_width(*entries as usize),
        /// The entry to whose list `append` adds, and that `free` is about.
        in entry: index_width(*entries as usize),
        /// Tag of the request.
        in target: *tag_bits,
        /// The entry whose requests are answered.
        in drain_entry: index_width(*entries as usize),
        /// Place in its list of the request that is shown.
        maybe (*kind != WaitingRequests::Lists) in drain_place: kind.place_bits(*tag_bits),
        /// The first request of its list is shown.
        maybe (*kind == WaitingRequests::Lists) in drain_begins: 1,
        /// In the next cycle the request behind the present one is.
        maybe (*kind == WaitingRequests::Lists) in drain_step: 1,
        /// The list of `entry` takes another request.
        out free: 1,
        /// Entries whose lists take no further request.
        maybe (*kind != WaitingRequests::Lists) out full: *entries,
        /// Tag of the request that is shown.
        out drained: *tag_bits,
        /// Requests of that list.
        out drain_count: kind.count_bits(*tag_bits),
    }
}

impl WaitingRequests {
    /// The block, of `entries` lines and tags of `tag_bits`.
    pub fn module(self, entries: u32, tag_bits: u32) -> Module {
        match self {
            Self::Targets(most) => targets(entries, most, tag_bits),
            Self::Lists => waiting_lists(entries, tag_bits),
        }
    }

    /// Bits of the place of a request among those of a line.
    pub fn place_bits(self, tag_bits: u32) -> u32 {
        match self {
            Self::Targets(most) => index_width(most as usize),
            Self::Lists => tag_bits,
        }
    }

    /// Bits of the number of requests that wait for a line.
    fn count_bits(self, tag_bits: u32) -> u32 {
        match self {
            Self::Targets(most) => index_width(most as usize + 1),
            Self::Lists => tag_bits + 1,
        }
    }

    /// Asks `waiting` for the request at `place` of the line that has come; the next one is that behind it where this one `answers`.
    pub fn drain<'m>(self, waiting: Waiting<'m>, place: Signal<'m>, answers: Signal<'m>) {
        match self {
            Self::Targets(_) => waiting.drain_place(place),
            Self::Lists => {
                waiting.drain_begins(place.is_zero());
                waiting.drain_step(answers);
            }
        }
    }

    /// Its arrays: entries and bits of each.
    pub fn arrays(self, entries: u32, tag_bits: u32) -> Vec<(u32, u32)> {
        match self {
            Self::Targets(most) => vec![(entries, most * tag_bits + self.count_bits(tag_bits))],
            // A count and two ends for each line; what stands behind each tag.
            Self::Lists => vec![(entries, 3 * tag_bits + 1), (1 << tag_bits, tag_bits)],
        }
    }
}
