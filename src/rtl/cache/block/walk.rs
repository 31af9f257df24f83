//! The walk over all sets: after reset to clear them, with `flush` to write dirty lines back, and to clear the sets
//! unless the flush [cleans](Flush::Clean) alone.

use crate::{CacheParams, Flush};
use hdl::{Builder, Signal};

/// State of the walk.
pub struct Walk<'m> {
    /// It is in progress.
    pub busy: Signal<'m>,
    /// What the sets hold does not mean anything yet.
    pub clears: Signal<'m>,
    /// The present set.
    pub set: Signal<'m>,
    /// Of a flush: the row of the present set has been read.
    pub tag_valid: Signal<'m>,
    /// The present set is done, the next one follows; assigned by the cache.
    pub steps: Signal<'m>,
    /// A dirty line of the present set leaves; assigned by the cache.
    pub writes_back: Signal<'m>,
    /// A flush is over, until `flush` falls.
    pub walked: Signal<'m>,
}

impl<'m> Walk<'m> {
    pub fn new(m: &'m Builder, p: &CacheParams, flush: Signal<'m>, none_pending: Signal<'m>) -> Self {
        let (clears, flushes) = (m.register("clears", 1, 1), m.register("flushes", 1, 0));
        let (set, tag_valid) = (m.register("walk_set", p.set_bits(), 0), m.register("walk_tag_valid", 1, 0));
        let walked = m.register("walked", 1, 0);
        let (steps, writes_back) = (m.wire_later("walk_steps", 1), m.wire_later("walk_writes_back", 1));
        let busy = m.wire("walks", clears | flushes);
        let starts = m.wire("walk_starts", flush & none_pending & !busy & !walked);
        let last = m.wire("walk_ends", steps & set.all());
        m.when(steps, || m.set(set, set + 1));
        m.set(clears, clears & !last);
        m.set(flushes, starts | flushes & !last);
        m.set(tag_valid, flushes & !last);
        m.set(walked, flush & (walked | flushes & last));
        Self { busy, clears, set, tag_valid, steps, writes_back, walked }
    }

    /// The present set is cleared.
    pub fn clears_set(&self, p: &CacheParams) -> Signal<'m> {
        match p.flush {
            Flush::Invalidate => self.steps,
            Flush::Clean => self.steps & self.clears,
        }
    }

    /// The set whose row is read.
    pub fn next_set(&self) -> Signal<'m> {
        hdl::mux(self.steps, self.set + 1, self.set)
    }
}
