//! Kernels over matrices, row-major.

use super::linear::exact_floats;
use crate::{
    compile::{Kernel, TextureBinding, in_tiles},
    launch::{Argument, Buffer, Launch},
    random::Random,
};

/// Rows and columns of a tile: threads of a block.
const TILE: u32 = 16;

fn matrix(random: &mut Random, rows: u32, columns: u32) -> Vec<f32> {
    (0..rows * columns).map(|_| random.float(-4.0, 4.0)).collect()
}

fn launch(kernel: Kernel, shape: [u32; 2], buffers: Vec<Buffer>, args: Vec<Argument>, expected: &[f32]) -> Launch {
    let grid = [shape[0].div_ceil(TILE), shape[1].div_ceil(TILE), 1];
    let check = exact_floats(buffers.len() - 1, expected);
    Launch {
        name: kernel.name.clone(),
        kernel,
        grid,
        block: [TILE, TILE, 1],
        buffers,
        args,
        checks: vec![check],
        placement: None,
    }
}

/// A has `m` rows; the other dimensions are a little larger, so that tiles stick out.
pub(super) fn matmul(m: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let (n, k) = (m + m / 8, m + m / 4);
    let (a, b) = (matrix(random, m, k), matrix(random, k, n));
    let mut c = Vec::new();
    for row in 0..m {
        for column in 0..n {
            let mut sum = 0.0f32;
            for i in 0..k {
                sum = a[(row * k + i) as usize].mul_add(b[(i * n + column) as usize], sum);
            }
            c.push(sum);
        }
    }
    let zero = vec![0.0; c.len()];
    let buffers = vec![Buffer::floats("a", &a), Buffer::floats("b", &b), Buffer::floats("c", &zero)];
    let mut args: Vec<Argument> = (0..3).map(Argument::Buffer).collect();
    args.extend([m, n, k].map(Argument::Word));
    launch(kernel, [n, m], buffers, args, &c)
}

pub(super) fn transpose(rows: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let columns = rows + rows / 4;
    let input = matrix(random, rows, columns);
    let at = |i: u32| input[(i % rows * columns + i / rows) as usize];
    let output: Vec<f32> = (0..rows * columns).map(at).collect();
    let zero = vec![0.0; output.len()];
    let buffers = vec![Buffer::floats("in", &input), Buffer::floats("out", &zero)];
    let mut args: Vec<Argument> = (0..2).map(Argument::Buffer).collect();
    args.extend([rows, columns].map(Argument::Word));
    launch(kernel, [columns, rows], buffers, args, &output)
}

/// Rows and columns of the filter of a convolution.
const FILTER: u32 = 5;

/// The filter is in constant memory.
pub(super) fn convolution(rows: u32, random: &mut Random, mut kernel: Kernel) -> Launch {
    let columns = rows + rows / 4;
    let wide = columns + FILTER - 1;
    let input = matrix(random, rows + FILTER - 1, wide);
    let filter = matrix(random, FILTER, FILTER);
    let weights: Vec<u8> = filter.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    assert!(kernel.set_constant("filter", &weights), "the kernel has a filter of {FILTER} x {FILTER}");
    let sum = |at: u32| {
        let (x, y) = (at % columns, at / columns);
        let taps = (0..FILTER * FILTER).map(|tap| (tap, (y + tap / FILTER) * wide + x + tap % FILTER));
        taps.fold(0.0f32, |sum, (tap, place)| filter[tap as usize].mul_add(input[place as usize], sum))
    };
    let output: Vec<f32> = (0..rows * columns).map(sum).collect();
    let zero = vec![0.0; output.len()];
    let buffers = vec![Buffer::floats("in", &input), Buffer::floats("out", &zero)];
    let mut args: Vec<Argument> = (0..2).map(Argument::Buffer).collect();
    args.extend([rows, columns].map(Argument::Word));
    launch(kernel, [columns, rows], buffers, args, &output)
}

/// The picture is a texture.
pub(super) fn blur(rows: u32, random: &mut Random, mut kernel: Kernel) -> Launch {
    let columns = rows + rows / 4;
    let picture = matrix(random, rows, columns);
    let binding = TextureBinding { buffer: 0, offset: 0, width: columns, height: rows, depth: 1, channels: 1 };
    assert!(kernel.bind_texture("image", binding), "the kernel reads a texture");
    let texel = |x: i64, y: i64| {
        let (x, y) = (x.clamp(0, i64::from(columns) - 1), y.clamp(0, i64::from(rows) - 1));
        picture[(y * i64::from(columns) + x) as usize]
    };
    let blurred = |at: u32| {
        let (x, y) = (i64::from(at % columns), i64::from(at / columns));
        let others = [texel(x - 1, y), texel(x + 1, y), texel(x, y - 1), texel(x, y + 1)];
        others.iter().fold(texel(x, y), |sum, other| sum + other) * 0.2
    };
    let output: Vec<f32> = (0..rows * columns).map(blurred).collect();
    let texels: Vec<u8> = picture.iter().flat_map(|texel| texel.to_le_bytes()).collect();
    let image = Buffer { name: "image".into(), data: in_tiles(&texels, [columns, rows], 4) };
    let buffers = vec![image, Buffer::floats("out", &vec![0.0; output.len()])];
    let args = vec![Argument::Buffer(1), Argument::Word(rows), Argument::Word(columns)];
    launch(kernel, [columns, rows], buffers, args, &output)
}
