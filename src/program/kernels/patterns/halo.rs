//! A stencil of planes in tiles that share the lines of their edges.

use super::floats;
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `halo`.
    pub struct HaloParams {
        /// Rows of a plane, rounded up to whole tiles.
        rows: u32 = 16, range(1, 2048);
        /// Planes.
        planes: u32 = 4, range(1, 16);
        /// Rows of a tile of 32 columns: warps of a block.
        tile: u32 = 4, powers(1, 16);
        /// Neighbours that the stencil reaches in each direction of the plane.
        halo: u32 = 1, range(1, 2);
        /// 1: tiles in shared memory, with barriers; 0: each thread reads its neighbours from memory.
        barriers: u32 = 1, range(0, 1);
    }
}

/// Columns of a tile, and how many are free at each end of a row.
const WIDE: u32 = 32;

pub(super) fn launch(size: u32, params: &HaloParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &HaloParams { planes, tile, halo, barriers, .. } = params;
    let (columns, rows) = (size.next_multiple_of(WIDE), params.rows.next_multiple_of(tile));
    let pitch = columns + 2 * WIDE;
    let plane = (rows + 2 * halo) * pitch;
    let input = floats(random, (planes + 2) * plane);
    let star = |at: u32| {
        let (column, row, z) = (at % columns, at / columns % rows, at / (columns * rows));
        let centre = (z + 1) * plane + (row + halo) * pitch + WIDE + column;
        let value = |at: u32| input[at as usize];
        let mut sum = value(centre - plane) + value(centre + plane);
        for d in 1..=halo {
            sum = sum + value(centre - d) + value(centre + d) + value(centre - d * pitch) + value(centre + d * pitch);
        }
        sum.mul_add(-0.125, value(centre))
    };
    let output = (0..planes * rows * columns).map(star).collect();
    let shape = [[columns / WIDE, rows / tile, 1], [WIDE, tile, 1]];
    let inputs = vec![Buffer::floats("in", &input)];
    super::launch(kernel, shape, inputs, &[planes, plane, pitch, halo, barriers], ("out", output))
}
