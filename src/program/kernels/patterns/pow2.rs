//! Butterflies of elements a power of two apart: their lines fall into few sets of a cache.

use super::{WARP, floats, floats_of};
use crate::{
    compile::Kernel,
    launch::{Argument, Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `pow2`.
    pub struct Pow2Params {
        /// Elements of a butterfly.
        radix: u32 = 4, powers(2, 8);
        /// From element to element of a butterfly, in words.
        stride: u32 = 1024, powers(32, 65_536) words;
        /// Words left free after each `stride`: what a program does to spread its lines over the sets.
        padding: u32 = 0, range(0, 64) words;
        /// 1: the lanes of a warp go down a column, a power of two apart as well, as in a transpose; 0: along a row.
        turned: u32 = 0, range(0, 1);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

/// Walsh transform of a few values, in the order of operations of the kernel.
fn butterfly(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for k in (0..values.len()).filter(|k| k & half == 0) {
            let (low, high) = (values[k], values[k + half]);
            (values[k], values[k + half]) = (low + high, low - high);
        }
        half *= 2;
    }
}

pub(super) fn launch(size: u32, params: &Pow2Params, random: &mut Random, kernel: Kernel) -> Launch {
    let &Pow2Params { radix, stride, padding, turned, threads } = params;
    let least_groups = if turned == 1 { WARP } else { 1 };
    let elements = size.next_power_of_two().max(radix * stride * least_groups).max(radix * threads);
    let (groups, pitch) = (elements / (radix * stride), stride + padding);
    let before = floats(random, groups * radix * pitch);
    let mut after = before.clone();
    for group in after.chunks_mut((radix * pitch) as usize) {
        for column in 0..stride {
            let place = |k: u32| (k * pitch + column) as usize;
            let mut values: Vec<f32> = (0..radix).map(|k| group[place(k)]).collect();
            butterfly(&mut values);
            (0..radix).zip(values).for_each(|(k, value)| group[place(k)] = value);
        }
    }
    let words = [radix, stride.ilog2(), pitch, turned, groups.ilog2()].map(Argument::Word);
    Launch {
        name: kernel.name.clone(),
        kernel,
        grid: [elements / (radix * threads), 1, 1],
        block: [threads, 1, 1],
        buffers: vec![Buffer::floats("data", &before)],
        args: [Argument::Buffer(0)].into_iter().chain(words).collect(),
        checks: vec![floats_of(0, &after)],
        placement: None,
    }
}
