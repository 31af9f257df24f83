//! Sparse matrix times vector, a thread a row.

use super::{floats, whole_blocks};
use crate::{
    compile::Kernel,
    launch::{Buffer, Launch},
    random::Random,
};
use common::parameters;

parameters! {
    /// Parameters of `csr`.
    pub struct CsrParams {
        /// Entries of a row on average.
        mean: u32 = 24, range(1, 256);
        /// How many entries a row may have more or less than that; none has less than none.
        spread: u32 = 16, range(0, 256);
        /// Columns.
        columns: u32 = 16_384, range(1, 1 << 20);
        /// Columns around the diagonal in which the entries of a row lie; 0: all columns.
        window: u32 = 0, range(0, 1 << 20);
        /// Threads of a block.
        threads: u32 = 128, powers(32, 1024);
    }
}

pub(super) fn launch(rows: u32, params: &CsrParams, random: &mut Random, kernel: Kernel) -> Launch {
    let &CsrParams { mean, spread, columns: all, window, threads } = params;
    let wide = if window == 0 { all } else { window.min(all) };
    let (mut first, mut columns) = (vec![0], vec![]);
    for row in 0..rows {
        let length = (mean + random.below(u64::from(2 * spread + 1)) as u32).saturating_sub(spread);
        let diagonal = (u64::from(row) * u64::from(all) / u64::from(rows)) as u32;
        let left = diagonal.saturating_sub(wide / 2).min(all - wide);
        columns.extend((0..length).map(|_| left + random.below(wide.into()) as u32));
        first.push(columns.len() as u32);
    }
    let (values, x) = (floats(random, columns.len() as u32), floats(random, all));
    let entry = |entry: u32| (values[entry as usize], x[columns[entry as usize] as usize]);
    let product = |row: &[u32]| (row[0]..row[1]).map(entry).fold(0.0, |sum: f32, (a, x)| a.mul_add(x, sum));
    let y = first.windows(2).map(product).collect();
    let (values, x) = (Buffer::floats("values", &values), Buffer::floats("x", &x));
    let inputs = vec![Buffer::words("first", first), Buffer::words("columns", columns), values, x];
    let shape = [[whole_blocks(rows, threads), 1, 1], [threads, 1, 1]];
    super::launch(kernel, shape, inputs, &[rows], ("y", y))
}
