//! Thread instructions a second of the emulator's engines: `cargo bench -p warpmesh-program --bench emulator`. For each
//! kernel, turns of both engines alternate; the table has medians, the median of the ratios of one turn, the time to
//! compile, and the speed of checks on memory. Names of kernels behind `--` choose some.

use std::{
    env,
    sync::atomic::AtomicU64,
    time::{Duration, Instant},
};
use warpmesh_program::{
    Launch, Target,
    emulator::{CompiledKernel, Engine, run_warps},
    kernels::{self, Builtin},
    memcheck::{MemoryCheck, check},
};

/// Turns of each kernel.
const TURNS: usize = 5;
/// Thread instructions of a turn, at least, for the compiled engine.
const WORK: u64 = 200_000_000;

fn main() {
    let chosen: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let [k, s, n, c, t, i, r, m] =
        ["kernel", "size", "instructions", "compiled, M/s", "compile", "interpreter", "ratio", "checked"];
    println!("{k:<14} {s:>9} {n:>13} {c:>14} {t:>9} {i:>13} {r:>7} {m:>9}");
    for kernel in kernels::every().filter(|kernel| chosen.is_empty() || chosen.iter().any(|name| name == kernel.name)) {
        measure(kernel);
    }
}

fn measure(kernel: &'static Builtin) {
    // Matrices have rows.
    let size = if kernel.max_size <= 2048 { 256 } else { 1 << 17 }.min(kernel.max_size);
    let launch = kernel.launch(Some(size), 1, &Target::default()).expect("the kernel compiles");
    let small = kernel.launch(Some(kernel.default_size.min(size)), 1, &Target::default()).expect("the kernel compiles");
    let mut turns: Vec<[f64; 3]> = vec![];
    let (mut compiling, mut instructions) = (vec![], 0);
    for _ in 0..TURNS {
        let start = Instant::now();
        let compiled = CompiledKernel::new(&launch.kernel);
        compiling.push(start.elapsed().as_secs_f64());
        instructions = execute(&compiled, &launch);
        let fast = rate((WORK / instructions).clamp(1, 100), || execute(&compiled, &launch));
        let slow = rate(1, || interpret(&small));
        let checked = rate(1, || match check(&launch, &AtomicU64::new(u64::MAX)) {
            MemoryCheck::Passed { thread_instructions } => thread_instructions,
            other => panic!("{other:?}"),
        });
        turns.push([fast, slow, checked]);
    }
    let [fast, slow, checked] = [0, 1, 2].map(|which| median(turns.iter().map(|turn| turn[which]).collect()) / 1e6);
    let ratio = median(turns.iter().map(|turn| turn[0] / turn[1]).collect());
    let (name, compile) = (kernel.name, median(compiling) * 1e3);
    println!(
        "{name:<14} {size:>9} {instructions:>13} {fast:>14.0} {compile:>6.1} ms {slow:>13.1} {ratio:>7.0} {checked:>9.0}"
    );
}

fn execute(kernel: &CompiledKernel, launch: &Launch) -> u64 {
    kernel.run(launch, u64::MAX).expect("it runs").thread_instructions
}

fn interpret(launch: &Launch) -> u64 {
    run_warps(launch, u64::MAX, Engine::Interpreter).expect("it runs").thread_instructions
}

/// Thread instructions a second.
fn rate(times: u64, mut run: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let instructions: u64 = (0..times).map(|_| run()).sum();
    instructions as f64 / start.elapsed().max(Duration::from_nanos(1)).as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
