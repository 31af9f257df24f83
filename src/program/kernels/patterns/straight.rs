//! Loads at a constant distance, without a loop.

use super::{WARP, floats, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `straight`.
    pub struct StraightParams {
        /// Loads of a thread.
        loads: u32 = 9, range(2, 9);
        /// From load to load, in words.
        distance: u32 = 16, range(1, 64) words;
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

/// Threads to a row.
const WIDE: u32 = 16;

pub(super) fn launch(size: u32, params: &StraightParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &StraightParams { loads, distance, threads } = params;
    let blocks = whole_blocks(size, threads);
    let all = blocks * threads;
    let pitch = (WIDE + (loads - 1) * distance).next_multiple_of(WARP);
    let input = floats(random, all / WIDE * pitch);
    let sum = |thread: u32| {
        let at = thread / WIDE * pitch + thread % WIDE;
        let value = |k: u32| input[(at + k * distance) as usize];
        (0..loads).fold(0.0, |sum, k| value(k).mul_add(0.125 * (k + 1) as f32, sum))
    };
    let sums = (0..all).map(sum).collect();
    let inputs = vec![Buffer::floats("in", &input)];
    super::launch(kernel, [[blocks, 1, 1], [threads, 1, 1]], inputs, &[loads, distance, pitch], ("out", sums))
}
