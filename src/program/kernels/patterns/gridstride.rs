//! A grid-stride loop over three arrays.

use super::{floats, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `gridstride`.
    pub struct GridStrideParams {
        /// What a thread reads of each array at once.
        bytes: u32 = 4, powers(4, 16) bytes;
        /// Rounds of the loop.
        iterations: u32 = 8, range(1, 64);
        /// Multiply-adds with each loaded value.
        flops: u32 = 4, range(1, 64);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

pub(super) fn launch(size: u32, params: &GridStrideParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &GridStrideParams { bytes, iterations, flops, threads } = params;
    let blocks = whole_blocks(size, threads);
    let count = blocks * threads * iterations;
    let [a, b, c] = [(); 3].map(|()| floats(random, count * bytes / 4));
    let result = |((a, b), c): ((&f32, &f32), &f32)| (0..flops).fold(*a, |result, _| result.mul_add(*b, *c));
    let results = a.iter().zip(&b).zip(&c).map(result).collect();
    let inputs = vec![Buffer::floats("a", &a), Buffer::floats("b", &b), Buffer::floats("c", &c)];
    super::launch(kernel, [[blocks, 1, 1], [threads, 1, 1]], inputs, &[bytes, count, flops], ("out", results))
}
