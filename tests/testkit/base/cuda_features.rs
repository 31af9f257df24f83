//! Launches of `data/features.ptx`, with results from the host.

use program::{Argument, Buffer, Check, Launch, Target, Tolerance, compile, random::Random};

const PTX: &str = include_str!("../data/features.ptx");

fn launch(
    entry: &str,
    blocks: u32,
    threads: u32,
    buffers: Vec<Buffer>,
    args: Vec<Argument>,
    expected: Vec<u32>,
) -> Launch {
    let kernel = compile(PTX, "features.ptx", Some(entry), &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    let expected = expected.into_iter().flat_map(u32::to_le_bytes).collect();
    let checks = vec![Check { buffer: 1, expected, tolerance: Tolerance::Exact }];
    Launch {
        name: entry.into(),
        kernel,
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        buffers,
        args,
        checks,
        placement: None,
    }
}

/// Division, square root, a function, a structure by value, dynamic shared memory.
pub fn ratios() -> Launch {
    const THREADS: usize = 64;
    let mut random = Random::new(3);
    let input: Vec<f32> = (0..2 * THREADS).map(|_| random.below(1 << 20) as f32 / 1024.0).collect();
    let bias = [0.5f32, 3.0, 0.0, 1e-3];
    let expected = (0..input.len()).map(|i| {
        let opposite = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
        let (a, b) = (input[i], input[opposite] + bias[(i >> 2) & 3]);
        ((if a < b { a / b } else { b / a }) + b.sqrt()).to_bits()
    });
    let expected = expected.collect();
    let scale = bias.map(f32::to_bits).into_iter().chain([2]);
    let buffers =
        vec![Buffer::floats("in", &input), Buffer::words("out", vec![0; 2 * THREADS]), Buffer::words("scale", scale)];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Value(2)];
    let mut launch = launch("ratios", 2, THREADS as u32, buffers, args, expected);
    assert!(launch.kernel.set_dynamic_shared(4 * THREADS as u32));
    launch
}

/// A local array, generic pointers, a variable of the file, integer division, a function that is called 28 times.
pub fn sorted() -> Launch {
    const THREADS: usize = 96;
    const TABLE: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];
    let mut random = Random::new(4);
    let input: Vec<u32> = (0..8 * THREADS).map(|_| random.next_u64() as u32 >> 3).collect();
    let mut expected = vec![];
    for i in 0..THREADS {
        let mut own: Vec<u32> = (0..8).map(|k| input[8 * i + k] ^ TABLE[(i + k) & 7]).collect();
        own.sort_unstable();
        expected.push(own[(own[7] & 7) as usize] + u32::from(i % 3 == 0));
        expected.extend((1..8).map(|k| own[k] / (1 + (own[0] & 0xff))));
    }
    let buffers = vec![Buffer::words("in", input), Buffer::words("out", vec![0; 8 * THREADS])];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1)];
    launch("sorted", 2, THREADS as u32 / 2, buffers, args, expected)
}
