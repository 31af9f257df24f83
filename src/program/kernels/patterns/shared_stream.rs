//! All warps read one array, larger than a cache, in the same order.

use super::{WARP, floats, walk, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `shared_stream`.
    pub struct SharedStreamParams {
        /// Lines of 32 words of the array, rounded up to whole runs.
        lines: u32 = 1024, range(1, 65_536);
        /// Loads in a row, none of which waits for another.
        loads: u32 = 1, powers(1, 8);
        /// Multiply-adds with each loaded value.
        flops: u32 = 1, range(1, 64);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

pub(super) fn launch(size: u32, params: &SharedStreamParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &SharedStreamParams { lines, loads, flops, threads } = params;
    let (blocks, runs) = (whole_blocks(size, threads), lines.div_ceil(loads));
    let input = floats(random, runs * loads * WARP);
    let of_lane = |lane| walk(&input[lane as usize..], loads, WARP * loads, runs, flops);
    let lanes: Vec<f32> = (0..WARP).map(of_lane).collect();
    let sums = (0..blocks * threads).map(|thread| lanes[(thread % WARP) as usize]).collect();
    let shape = [[blocks, 1, 1], [threads, 1, 1]];
    super::launch(kernel, shape, vec![Buffer::floats("in", &input)], &[loads, runs, flops], ("out", sums))
}
