//! Rows of a thread's own and an array that all read, by turns: what a warp scheduler that adapts has to follow.

use super::{
    WARP, floats,
    rowwalk::{pitch, row_of},
    walk, whole_blocks,
};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `phases`.
    pub struct PhasesParams {
        /// How often each kind of walk comes.
        rounds: u32 = 2, range(1, 8);
        /// Lines that a load of a warp touches while it walks rows.
        lines: u32 = 4, range(1, 32);
        /// Length of a row, in lines of 32 words.
        length: u32 = 1, range(1, 8);
        /// As that of `rowwalk`.
        skew: u32 = 1, range(0, 31) words;
        /// Lines of the array that all warps read in a round.
        shared_lines: u32 = 256, range(1, 16_384);
        /// Multiply-adds with each loaded value.
        flops: u32 = 1, range(1, 64);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

pub(super) fn launch(size: u32, params: &PhasesParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &PhasesParams { rounds, lines, length, skew, shared_lines, flops, threads } = params;
    let (blocks, words, pitch) = (whole_blocks(size, threads), length * WARP, pitch(length, skew));
    let all = blocks * threads;
    let rows_of_round = all / WARP * lines;
    let rows = floats(random, rounds * rows_of_round * pitch);
    let array = floats(random, rounds * shared_lines * WARP);
    let walks: Vec<f32> = rows.chunks(pitch as usize).map(|row| walk(row, 1, 1, words, flops)).collect();
    let shared = |round: u32, lane: u32| {
        walk(&array[(round * shared_lines * WARP + lane) as usize..], 1, WARP, shared_lines, flops)
    };
    let shared: Vec<f32> = (0..rounds * WARP).map(|at| shared(at / WARP, at % WARP)).collect();
    let sum = |thread: u32| {
        let row = |round: u32| walks[(round * rows_of_round + row_of(thread, lines)) as usize];
        (0..rounds).fold(0.0, |sum, round| sum + row(round) + shared[(round * WARP + thread % WARP) as usize])
    };
    let sums = (0..all).map(sum).collect();
    let inputs = vec![Buffer::floats("rows", &rows), Buffer::floats("array", &array)];
    let shape = [[blocks, 1, 1], [threads, 1, 1]];
    super::launch(kernel, shape, inputs, &[rounds, lines, words, pitch, shared_lines, flops], ("out", sums))
}
