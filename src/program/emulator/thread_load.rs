//! A load of a thread from global memory, as it is noted.

use super::places::At;

/// A load of a thread.
pub struct ThreadLoad {
    /// The same for the threads of a warp that load together.
    pub number: u64,
    pub at: At,
    pub address: u32,
}
