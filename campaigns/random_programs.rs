//! Any number of random programs, as they are and with random bits turned over, on both engines of the emulator:
//! `cargo campaign random-programs --seeds 0..20000`. Prints the seeds that went wrong, and fails
//! if any did.

use crate::seeds;
use clap::Args;
use std::{ops::Range, process::ExitCode};
use testkit::random_program::{ProgramRandom, With, program, program_of};
use warpmesh::program::{
    Launch,
    emulator::{Engine, run_warps},
};

/// Runs random programs on both engines of the emulator.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..1000", value_parser = seeds::range)]
    seeds: Range<u64>,
}

const SHAPES: [[u32; 3]; 5] = [[64, 1, 1], [37, 1, 1], [9, 4, 2], [33, 3, 1], [128, 2, 1]];

pub fn run(arguments: Arguments) -> ExitCode {
    let Range { start, end } = arguments.seeds;
    let mut wrong = 0;
    let mut ended = [0; 2];
    for seed in start..end {
        let block = SHAPES[seed as usize % SHAPES.len()];
        let mut launch = match seed % 4 {
            0 => program(seed, 2, block),
            with => program_of(
                seed,
                2,
                block,
                With { atomics: with & 1 == 1, double: with & 2 == 2, special: with & 2 == 2 },
            ),
        };
        let mut random = ProgramRandom::new(seed);
        for bits in [0, 1, 3] {
            for _ in 0..bits {
                let pc = random.below(launch.kernel.code.len() as u64) as usize;
                launch.kernel.code[pc] ^= 1 << random.below(64);
            }
            match agree(&launch) {
                Some(completed) => ended[usize::from(completed)] += 1,
                None => {
                    println!("seed {seed}, {bits} more bits turned over: the engines differ");
                    wrong += 1;
                }
            }
        }
    }
    println!("seeds {start}..{end}: {} ended, {} failed or were too long, {wrong} wrong", ended[1], ended[0]);
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a launch ends well, if both engines agree on it.
fn agree(launch: &Launch) -> Option<bool> {
    let [expected, found] = [Engine::Interpreter, Engine::Compiled].map(|engine| run_warps(launch, 1 << 18, engine));
    (expected == found).then_some(found.is_ok())
}
