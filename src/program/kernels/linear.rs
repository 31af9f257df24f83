//! Kernels over vectors.

use crate::{
    compile::Kernel,
    launch::{Argument, Buffer, Check, Launch, Tolerance},
    random::Random,
};

/// Threads of a block.
const THREADS: u32 = 128;

fn floats(random: &mut Random, count: u32) -> Vec<f32> {
    (0..count).map(|_| random.float(-100.0, 100.0)).collect()
}

pub(super) fn exact_floats(buffer: usize, expected: &[f32]) -> Check {
    exact_words(buffer, expected.iter().map(|v| v.to_bits()))
}

pub(super) fn exact_words(buffer: usize, expected: impl IntoIterator<Item = u32>) -> Check {
    let expected = expected.into_iter().flat_map(u32::to_le_bytes).collect();
    Check { buffer, expected, tolerance: Tolerance::Exact }
}

fn launch(kernel: Kernel, blocks: u32, buffers: Vec<Buffer>, args: Vec<Argument>, check: Check) -> Launch {
    let (grid, block) = ([blocks, 1, 1], [THREADS, 1, 1]);
    Launch { name: kernel.name.clone(), kernel, grid, block, buffers, args, checks: vec![check], placement: None }
}

fn zeros(name: &str, count: u32) -> Buffer {
    Buffer::words(name, (0..count).map(|_| 0))
}

pub(super) fn vector_add(n: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let (a, b) = (floats(random, n), floats(random, n));
    let sum: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let buffers = vec![Buffer::floats("a", &a), Buffer::floats("b", &b), zeros("c", n)];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Buffer(2), Argument::Word(n)];
    launch(kernel, n.div_ceil(THREADS), buffers, args, exact_floats(2, &sum))
}

pub(super) fn saxpy(n: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let (x, y) = (floats(random, n), floats(random, n));
    let alpha = random.float(-2.0, 2.0);
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x.mul_add(alpha, *y)).collect();
    let buffers = vec![Buffer::floats("x", &x), Buffer::floats("y", &y)];
    let args = vec![Argument::Float(alpha), Argument::Buffer(0), Argument::Buffer(1), Argument::Word(n)];
    // Half the threads that there are elements: each strides at least once.
    launch(kernel, n.div_ceil(2 * THREADS), buffers, args, exact_floats(1, &expected))
}

pub(super) fn reduction(n: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let input = floats(random, n);
    let threads = THREADS as usize;
    // The tree of the kernel: thread t holds element t plus element t + 128, then halves add up.
    let tree = |chunk: &[f32]| {
        let at = |i: usize| chunk.get(i).copied().unwrap_or(0.0);
        let mut sums: Vec<f32> =
            (0..threads).map(|t| if t + threads < chunk.len() { at(t) + at(t + threads) } else { at(t) }).collect();
        let mut half = threads / 2;
        while half > 0 {
            for t in 0..half {
                sums[t] += sums[t + half];
            }
            half /= 2;
        }
        sums[0]
    };
    let expected: Vec<f32> = input.chunks(2 * threads).map(tree).collect();
    let blocks = n.div_ceil(2 * THREADS);
    let buffers = vec![Buffer::floats("input", &input), zeros("partial", blocks)];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Word(n)];
    launch(kernel, blocks, buffers, args, exact_floats(1, &expected))
}

pub(super) fn collatz(n: u32, random: &mut Random, kernel: Kernel) -> Launch {
    const LIMIT: u32 = 150;
    let steps = |start: u32| {
        let (mut value, mut count) = (start, 0);
        while value > 1 && count < LIMIT {
            value = if value % 2 == 1 { value.wrapping_mul(3).wrapping_add(1) } else { value / 2 };
            count += 1;
        }
        count
    };
    let start: Vec<u32> = (0..n).map(|_| random.below(10_000) as u32).collect();
    let expected: Vec<u32> = start.iter().map(|s| steps(*s)).collect();
    let buffers = vec![Buffer::words("start", start), zeros("steps", n)];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Word(n), Argument::Word(LIMIT)];
    launch(kernel, n.div_ceil(THREADS), buffers, args, exact_words(1, expected))
}

pub(super) fn gather(n: u32, random: &mut Random, kernel: Kernel) -> Launch {
    let table = floats(random, 2 * n);
    let index: Vec<u32> = (0..n).map(|_| random.below(u64::from(2 * n)) as u32).collect();
    let expected: Vec<f32> = index.iter().map(|i| table[*i as usize]).collect();
    let buffers = vec![Buffer::floats("table", &table), Buffer::words("index", index), zeros("out", n)];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Buffer(2), Argument::Word(n)];
    launch(kernel, n.div_ceil(THREADS), buffers, args, exact_floats(2, &expected))
}

pub(super) fn histogram(n: u32, random: &mut Random, kernel: Kernel) -> Launch {
    const BINS: usize = 64;
    // Low bins are hit more often; the kernel looks at the low bits alone.
    let mut value = || ((random.below(64) * random.below(64) / 64) | (random.below(1 << 20) << 6)) as u32;
    let values: Vec<u32> = (0..n).map(|_| value()).collect();
    let mut expected = [0; BINS];
    values.iter().for_each(|value| expected[*value as usize % BINS] += 1);
    let buffers = vec![Buffer::words("values", values), zeros("bins", BINS as u32)];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Word(n)];
    // Each thread counts eight values.
    launch(kernel, n.div_ceil(8 * THREADS), buffers, args, exact_words(1, expected))
}
