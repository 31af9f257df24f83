//! Caches: one generator for every cache of the chip.
//!
//! A cache stands between two links of the memory protocol ([`protocol`]): requests enter from above,
//! misses and writes leave below, lines come back and go up. [`mod@block`] is the pipeline; its parts are arrays of one
//! row a set ([`mod@set_array`]: tags, order of use, what miss handling keeps of a line), the lines
//! ([`mod@data_array`]), the miss status holding registers ([`miss`]) with the requests that wait for each line
//! ([`waiting_requests`]: [`mod@targets`], or [`mod@waiting_lists`]), the queue of replies ([`mod@reply_queue`]). What
//! differs between caches is a parameter ([`CacheParams`]) or a policy, a file each: set index ([`index`]), replacement
//! ([`replacement`]), miss handling ([`miss`]); [`rules`] says what goes with what. What happens in it can be shown to
//! others ([`events`]).

#![forbid(unsafe_code)]

pub mod block;
mod cause;
pub mod data_array;
pub mod events;
pub mod index;
pub mod miss;
pub mod params;
pub mod replacement;
pub mod reply_queue;
pub mod rules;
pub mod set_array;
pub mod targets;
pub mod waiting_lists;
pub mod waiting_requests;

pub use block::{Cache, cache};
pub use index::SetIndex;
pub use miss::{L1Mshr, L2Mshr, MissHandling, MshrConfig, OwnParams, ProtectedVictims, ReadOnlyMshr};
pub use params::{Allocation, CacheParams, Flush, Prefetching, WriteHit, WriteMiss, WritePending};
pub use replacement::Replacement;
pub use waiting_requests::WaitingRequests;

use hdl::Statistic;

/// All statistics of a cache: of the block, and of the kinds of miss handling.
pub fn statistics() -> Vec<Statistic> {
    [block::STATISTICS, &miss::statistics()].concat()
}
