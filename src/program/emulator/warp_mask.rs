//! The threads of a warp, as bits of a word.

/// Threads of a warp.
pub const WARP: usize = 32;

/// The mask of the first `count` threads of a warp.
pub fn first(count: usize) -> u32 {
    u32::MAX >> (WARP - count.clamp(1, WARP))
}

/// The threads of a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..WARP).filter(move |t| mask >> t & 1 == 1)
}
