//! Each thread walks a row of its own: whether a line is read once or 32 times is up to the cache.

use super::{WARP, floats, walk, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `rowwalk`.
    pub struct RowWalkParams {
        /// Lines that a load of a warp touches: its rows.
        lines: u32 = 16, range(1, 32);
        /// Length of a row, in lines of 32 words; each line is read by 32 loads in a row.
        length: u32 = 1, range(1, 32);
        /// Words by which each row starts further on in its line than the one before; with one, lanes come to new lines one by one.
        skew: u32 = 1, range(0, 31) words;
        /// How often a row is walked.
        passes: u32 = 1, range(1, 64);
        /// Multiply-adds with each loaded value.
        flops: u32 = 1, range(1, 64);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

/// Words from row to row, for rows of `length` lines: an odd number of lines, so that the rows of a warp spread over the sets of a cache.
pub(super) fn pitch(length: u32, skew: u32) -> u32 {
    (length | 1) * WARP + skew
}

/// The row of a thread whose warp walks `lines` of them.
pub(super) fn row_of(thread: u32, lines: u32) -> u32 {
    thread / WARP * lines + thread % WARP * lines / WARP
}

pub(super) fn launch(size: u32, params: &RowWalkParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &RowWalkParams { lines, length, skew, passes, flops, threads } = params;
    let (blocks, words, pitch) = (whole_blocks(size, threads), length * WARP, pitch(length, skew));
    let all = blocks * threads;
    let rows = floats(random, all / WARP * lines * pitch);
    let walked = |row: u32| walk(&rows[(row * pitch) as usize..], 1, 1, words, flops);
    let walks: Vec<f32> = (0..all / WARP * lines).map(walked).collect();
    let sum = |thread| (0..passes).fold(0.0, |sum, _| sum + walks[row_of(thread, lines) as usize]);
    let sums = (0..all).map(sum).collect();
    let shape = [[blocks, 1, 1], [threads, 1, 1]];
    super::launch(
        kernel,
        shape,
        vec![Buffer::floats("rows", &rows)],
        &[lines, words, pitch, passes, flops],
        ("out", sums),
    )
}
