//! Requests that wait for pending lines: in [`targets`](mod@super::targets) or in
//! [`waiting_lists`](mod@super::waiting_lists). What a cache does with either.

use super::{targets::targets, waiting_lists::waiting_lists};
use hdl::{Child, Module, Signal, index_width};

/// How they wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitingRequests {
    /// So many at most for a line, each in a place of its own.
    Targets(u32),
    /// Any number, in lists through their tags.
    Lists,
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

    /// Asks `waiting` for the request at `place` of the line that has come; the next one is that behind it where this one `answers`.
    pub fn drain<'m>(self, waiting: Child<'m>, place: Signal<'m>, answers: Signal<'m>) {
        match self {
            Self::Targets(_) => waiting.drive("drain_place", place),
            Self::Lists => {
                waiting.drive("drain_begins", place.is_zero());
                waiting.drive("drain_step", answers);
            }
        }
    }

    /// Its arrays: entries and bits of each.
    pub fn arrays(self, entries: u32, tag_bits: u32) -> Vec<(u32, u32)> {
        match self {
            Self::Targets(most) => vec![(entries, most * tag_bits + index_width(most as usize + 1))],
            // A count and two ends for each line; what stands behind each tag.
            Self::Lists => vec![(entries, 3 * tag_bits + 1), (1 << tag_bits, tag_bits)],
        }
    }
}
