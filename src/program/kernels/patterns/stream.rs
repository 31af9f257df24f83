//! Runs of loads of lines that nobody else reads.

use super::{WARP, floats, walk, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `stream`.
    pub struct StreamParams {
        /// Loads in a row, none of which waits for another.
        loads: u32 = 4, powers(1, 8);
        /// Such runs of each thread.
        iterations: u32 = 4, range(1, 64);
        /// Multiply-adds with each loaded value.
        flops: u32 = 1, range(1, 64);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

pub(super) fn launch(size: u32, params: &StreamParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &StreamParams { loads, iterations, flops, threads } = params;
    let blocks = whole_blocks(size, threads);
    let all = blocks * threads;
    let input = floats(random, all * loads * iterations);
    let start = |thread: u32| thread / WARP * WARP * loads + thread % WARP;
    let sum = |thread| walk(&input[start(thread) as usize..], loads, all * loads, iterations, flops);
    let sums = (0..all).map(sum).collect();
    let shape = [[blocks, 1, 1], [threads, 1, 1]];
    super::launch(kernel, shape, vec![Buffer::floats("in", &input)], &[loads, iterations, flops], ("out", sums))
}
