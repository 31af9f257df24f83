//! Access patterns: kernels whose loads behave like those of the programs of Kim's thesis (2017, tables 2.2, 4.4 and
//! 5.2), with parameters.
//!
//! They compute little and check everything: each value that a kernel writes depends on all that it reads. The size is
//! that of the access pattern, threads for most, and is rounded up to whole blocks or tiles, so that no thread stands
//! aside.

mod csr;
mod graph;
mod gridstride;
mod halo;
mod phases;
mod pow2;
mod rowwalk;
mod shared_stream;
mod straight;
mod stream;

use super::{Build, Builtin, kernel_params};
use crate::{
    compile::Kernel,
    launch::{Argument, Buffer, Check, Launch},
    random::Random,
};

macro_rules! pattern {
    ($name:ident: $params:ident, $size:literal, $max:expr, $about:literal) => {
        Builtin {
            name: stringify!($name),
            about: $about,
            ptx: include_str!(concat!("../../../../kernels/", stringify!($name), ".ptx")),
            file: concat!("kernels/", stringify!($name), ".ptx"),
            default_size: $size,
            max_size: $max,
            params: kernel_params::declared::<$name::$params>,
            prepare: |kernel, set| {
                let params: $name::$params = kernel_params::read(kernel, set)?;
                Ok::<Build, _>(Box::new(move |size, random, kernel| $name::launch(size, &params, random, kernel)))
            },
        }
    };
}

/// The access patterns.
pub const ALL: &[Builtin] = &[
    pattern!(stream: StreamParams, 4096, 1 << 17, "runs of independent loads that nobody else repeats; size: threads"),
    pattern!(rowwalk: RowWalkParams, 4096, 1 << 16, "each thread walks its own row, a line at a time; size: threads"),
    pattern!(csr: CsrParams, 2048, 1 << 17, "y = A x, compressed sparse rows, a thread a row; size: rows"),
    pattern!(shared_stream: SharedStreamParams, 1024, 1 << 20, "all warps read one array in the same order; size: threads"),
    pattern!(halo: HaloParams, 128, 2048, "star stencil of planes in tiles that share their edges; size: columns of a plane"),
    pattern!(phases: PhasesParams, 4096, 1 << 16, "rowwalk and shared_stream by turns; size: threads"),
    pattern!(graph: GraphParams, 2048, 1 << 17, "a step of breadth-first search from a frontier; size: nodes"),
    pattern!(gridstride: GridStrideParams, 2048, 1 << 17, "a grid-stride loop over three arrays; size: threads"),
    pattern!(straight: StraightParams, 4096, 1 << 20, "loads at a constant distance, no loop; size: threads"),
    pattern!(pow2: Pow2Params, 16384, 1 << 22, "butterflies a power of two apart, along rows or down columns; size: elements"),
];

/// Threads of a warp, and words of its line.
const WARP: u32 = 32;

fn whole_blocks(threads: u32, of_block: u32) -> u32 {
    threads.div_ceil(of_block)
}

/// Small floats: sums of many stay exact enough to tell them apart.
fn floats(random: &mut Random, count: u32) -> Vec<f32> {
    (0..count).map(|_| random.float(-1.0, 1.0)).collect()
}

/// `walk` of `kernels/walk.cuh`: `runs` runs of `loads` values, a line apart, the next run `step` values further on.
fn walk(from: &[f32], loads: u32, step: u32, runs: u32, flops: u32) -> f32 {
    let fold = |k: u32| {
        let values = (0..runs).map(|run| from[(run * step + k * WARP) as usize]);
        values.fold(0.0f32, |sum, value| (0..flops).fold(sum, |sum, _| sum.mul_add(0.5, value)))
    };
    (1..loads).map(fold).fold(fold(0), |sum, other| sum + other)
}

/// A launch of `grid` blocks of `block` threads, whose first arguments are its buffers and whose last buffer takes the result.
fn launch(
    kernel: Kernel,
    [grid, block]: [[u32; 3]; 2],
    inputs: Vec<Buffer>,
    words: &[u32],
    result: (&str, Vec<f32>),
) -> Launch {
    let (name, expected) = result;
    let mut buffers = inputs;
    buffers.push(Buffer { name: name.into(), data: vec![0; 4 * expected.len()] });
    let args = (0..buffers.len()).map(Argument::Buffer).chain(words.iter().copied().map(Argument::Word)).collect();
    let checks = vec![floats_of(buffers.len() - 1, &expected)];
    Launch { name: kernel.name.clone(), kernel, grid, block, buffers, args, checks, placement: None }
}

fn floats_of(buffer: usize, expected: &[f32]) -> Check {
    super::linear::exact_floats(buffer, expected)
}
