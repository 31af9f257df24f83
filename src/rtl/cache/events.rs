//! What a cache with locality shows of each access, fill and eviction, for schedulers, throttles and prefetchers.
//!
//! The outputs `event_*` are registers: an access that is decided in cycle t is shown in t + 1. The warp of a line is
//! that of its primary miss.
//!
//! Source: Kim's thesis, sections 2.5 and 2.7.2.

use super::CacheParams;
use hdl::bundle;

pub use super::cause::Cause;

/// Class of an access, by the warp that brought its line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Nobody had asked for the line.
    Miss,
    /// The line is here, brought by the same warp.
    Intra,
    /// The line is here, brought by another one.
    Inter,
    /// The line is pending, asked for by the same warp.
    IntraMerged,
    /// The line is pending, asked for by another one.
    InterMerged,
}

bundle! {
    /// A line that somebody may want soon: taken when there is nothing else to do. A cycle later it becomes pending, or is dropped.
    pub struct PrefetchRequest(p: &CacheParams) {
        valid: 1,
        line: p.protocol.line_number_bits(),
        /// Whose line it will be, of a cache with locality.
        maybe warp: p.locality.unwrap_or(0),
    }
}

bundle! {
    /// What became of prefetches, a cycle after it happened.
    pub struct PrefetchEvents(_p: &()) {
        /// The one that was taken two cycles ago is asked for below.
        issued: 1,
        /// A line that was prefetched is read for the first time.
        useful: 1,
        /// The first read of one that is still pending.
        late: 1,
        /// One left that nobody had read.
        useless: 1,
        /// A read waits for a line that is pending.
        merged: 1,
        /// A line becomes pending.
        asked: 1,
    }
}

impl Class {
    /// Bits of its number.
    pub const BITS: u32 = 3;
}

bundle! {
    /// Events of a cycle.
    pub struct CacheEvents(p: &CacheParams) {
        /// An access was accepted; a read that passes the cache by is none.
        access: 1,
        /// It is a read.
        load: 1,
        /// Its [`Class`].
        class: Class::BITS,
        /// Whose it is.
        warp: p.warp_bits(),
        line: p.protocol.line_number_bits(),
        /// It was refused, a bit for each [`Cause`].
        refused: Cause::ALL.len() as u32,
        /// No miss entry is free.
        full: 1,
        /// A line came.
        fill: 1,
        /// Who had asked for it first.
        fill_warp: p.warp_bits(),
        fill_line: p.protocol.line_number_bits(),
        /// A line left for another one.
        evicted: 1,
        /// Who had brought it.
        evicted_warp: p.warp_bits(),
        evicted_line: p.protocol.line_number_bits(),
    }
}
