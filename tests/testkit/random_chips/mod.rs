//! Random chips that run random kernels: the registers and memories of the chip against the emulator, shared by
//! `tests/chip/drawn_chips.rs` and `campaigns/random_chips.rs`.

pub mod chip;
pub mod kernel;
pub mod parts;
use crate::random_traffic;

use kernel::{Has, Needs};
use std::panic;
use warpmesh::{
    chip::{Chip, NetworkModel},
    host::{Host, Limits},
    program::{Check, Launch, Tolerance, emulator},
    report::Verdict,
    sim::Options,
};

/// Instructions that a thread executes at most, summed over a launch; thousands of times what the kernels take.
const LIMIT: u64 = 1 << 26;

/// Kernels of each chip.
const KERNELS: u64 = 2;

/// The chip of `seed` runs random kernels, and its network alone carries random traffic; cycles of all, or what went
/// wrong.
pub fn check(seed: u64, options: &Options) -> Result<u64, String> {
    caught(seed, "", || {
        let chip = chip::chip(seed);
        let offered = || offer(&chip, seed, options);
        run(&chip, seed, options)
            .and_then(|cycles| Ok(cycles + offered()?))
            .map_err(|said| format!("{said}\n{}", chip::text(&chip)))
    })
}

/// The same of a random kernel that is saved at three points and resumed from each.
pub fn check_in_parts(seed: u64, max_cycles: u64) -> Result<u64, String> {
    caught(seed, " --in-parts", || parts::check_random(seed, max_cycles))
}

fn caught(
    seed: u64,
    more: &str,
    check: impl FnOnce() -> Result<u64, String> + panic::UnwindSafe,
) -> Result<u64, String> {
    let said = panic::catch_unwind(check).unwrap_or_else(|_| Err("it panics, see above".into()));
    said.map_err(|said| {
        let again = format!("cargo campaign random-chips --seeds {seed}..{}{more}", seed + 1);
        format!("seed {seed}: {said}\nagain: {again}")
    })
}

fn run(chip: &Chip, seed: u64, options: &Options) -> Result<u64, String> {
    let mut host = Host::new(chip, options).map_err(|error| format!("no simulation: {error}"))?;
    let mut cycles = 0;
    for number in 0..KERNELS {
        let (source, launch) = kernel_for(chip, seed.wrapping_mul(KERNELS) + number)?;
        let on_chip = launch_on(&mut host, &launch);
        cycles += on_chip.map_err(|error| format!("kernel {number}, on the chip: {error}\n{source}"))?;
    }
    Ok(cycles)
}

/// Bursts, a matrix or a trace on the network of the chip, alone; its cycles.
fn offer(chip: &Chip, seed: u64, options: &Options) -> Result<u64, String> {
    if chip.config().network.model == NetworkModel::Ideal {
        return Ok(0);
    }
    random_traffic::check_offered(chip.fabric().params(), seed, options)
        .map_err(|error| format!("its network alone: {error}"))
}

/// A kernel that fits the chip, with what the emulator computes as expectation: a smaller one where a large one does
/// not fit.
pub fn kernel_for(chip: &Chip, seed: u64) -> Result<(String, Launch), String> {
    let core = &chip.config().core;
    let has = Has {
        atomics: core.atomics,
        double: core.double.lanes_of_unit().is_some(),
        barriers: core.barriers,
        warps: core.warps,
        shared_bytes: core.shared_bytes,
        cores: chip.core_nodes().len() as u32,
    };
    let mut refused = String::new();
    for length in [10, 6, 4, 3, 2, 1, 0] {
        let drawn = kernel::kernel(seed, length, &has);
        match fitting(chip, drawn.clone()) {
            Ok(launch) => {
                return expecting(launch)
                    .map(|launch| (drawn.source.clone(), launch))
                    .map_err(|e| format!("{e}\n{}", drawn.source));
            }
            Err(error) => refused = error,
        }
    }
    Err(format!("not even the least kernel fits: {refused}"))
}

/// The launch, where the kernel compiles for the chip and fits it.
fn fitting(chip: &Chip, drawn: Needs) -> Result<Launch, String> {
    let launch = drawn.launch(&chip.target())?;
    warpmesh::host::residency(chip, &launch).map_err(|error| error.to_string())?;
    Ok(launch)
}

/// With the contents of all buffers after a run on the emulator as expectation; both of its engines agree.
fn expecting(launch: Launch) -> Result<Launch, String> {
    let run = emulator::run_lockstep(&launch, LIMIT).map_err(|error| format!("emulator: {error}"))?;
    let compiled = emulator::run_warps(&launch, LIMIT, emulator::Engine::Compiled);
    if compiled.map_err(|error| format!("compiled emulator: {error}"))? != run {
        return Err("the engines of the emulator do not agree".into());
    }
    let places = launch.buffer_addresses();
    let check = |(buffer, at): (usize, &u32)| {
        let expected = run.memory[*at as usize..][..launch.buffers[buffer].data.len()].to_vec();
        Check { buffer, expected, tolerance: Tolerance::Exact }
    };
    let checks = places.iter().enumerate().map(check).collect();
    Ok(Launch { checks, ..launch })
}

/// Runs a launch to its end and verifies it; its cycles.
fn launch_on(host: &mut Host, launch: &Launch) -> Result<u64, String> {
    let limits = Limits { max_cycles: 30_000_000, watchdog: 300_000, ..Limits::default() };
    host.start(launch).map_err(|error| error.to_string())?;
    let (verdict, cycles) = host.run(limits, |_, _| Ok(())).map_err(|error| error.to_string())?;
    if verdict != Verdict::Completed {
        return Err(format!("{verdict:?} after {cycles} cycles"));
    }
    launch.verify(|at, bytes| host.read_memory(at, bytes)).map_err(|error| error.to_string())?;
    Ok(cycles)
}
