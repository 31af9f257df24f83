//! Campaigns: what is too long for a test. `cargo campaign NAME --seeds 0..500`; `cargo campaign help` lists them.
//!
//! Most draw something from each of many seeds (a chip, a network, a kernel, a sequence of calls), check it against an
//! independent execution as the test of the same name does with a few seeds, print what is wrong with its seed, and
//! fail if anything is. Others verify and measure all of something that a test does a part of, and print a table.

mod api_sequences;
mod caches;
mod chips_in_lockstep;
mod config_keys;
mod designs;
mod dram;
mod features;
mod mutations;
mod networks_in_lockstep;
mod placements;
mod policies;
mod random_chips;
mod random_exports;
mod random_kernels;
mod random_networks;
mod random_programs;
mod random_recursion;
mod random_sources;
mod seeds;
mod workloads;

use clap::{Parser, Subcommand};
use std::{env, process::ExitCode};

/// Runs what is too long for a test.
#[derive(Parser)]
#[command(name = "cargo campaign", bin_name = "cargo campaign", infer_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    campaign: Campaign,
}

#[derive(Subcommand)]
enum Campaign {
    /// Random sequences of calls of the CUDA runtime, against a model of the device.
    ApiSequences(api_sequences::Arguments),
    /// Random caches under random accesses, against a byte-accurate memory.
    Caches(caches::Arguments),
    /// Chips in step with their Verilog in Verilator.
    ChipsInLockstep(chips_in_lockstep::Arguments),
    /// Random changes of keys: another chip, or a message that says why not.
    ConfigKeys(config_keys::Arguments),
    /// Every kernel on every network of the thesis: results, and speedups.
    Designs(designs::Arguments),
    /// Random requests to DRAM channels, against an executable model; streams by scheduler.
    Dram(dram::Arguments),
    /// The table of CUDA features in `docs/features.md`.
    Features(features::Arguments),
    /// PTX, launch and run files with random mistakes.
    Mutations(mutations::Arguments),
    /// Networks in step with their Verilog in Verilator.
    NetworksInLockstep(networks_in_lockstep::Arguments),
    /// The lists of memory placements, by a complete search.
    Placements,
    /// All combinations of warp scheduler, throttle and prefetcher.
    Policies(policies::Arguments),
    /// Random chips with random kernels, against the emulator.
    RandomChips(random_chips::Arguments),
    /// Verilog of random chips and blocks, in Verilator, Icarus and Yosys.
    RandomExports(random_exports::Arguments),
    /// Random CUDA kernels on the emulators and a chip, against the host.
    RandomKernels(random_kernels::Arguments),
    /// Random networks under random traffic.
    RandomNetworks(random_networks::Arguments),
    /// Random programs on both engines of the emulator, also with bits turned over.
    RandomPrograms(random_programs::Arguments),
    /// Random functions that call each other, against the same in Rust.
    RandomRecursion(random_recursion::Arguments),
    /// Random CUDA programs, against their execution on the host.
    RandomSources(random_sources::Arguments),
    /// What the programs in `workloads/` are like.
    Workloads(workloads::Arguments),
}

fn main() -> ExitCode {
    // Cargo adds its own word behind all others. With it alone, `cargo bench` runs all benches, and this is none.
    let words: Vec<_> = env::args_os().filter(|word| word != "--bench").collect();
    if words.len() == 1 {
        println!("campaigns: `cargo campaign help` lists them");
        return ExitCode::SUCCESS;
    }
    match Arguments::parse_from(words).campaign {
        Campaign::ApiSequences(arguments) => api_sequences::run(arguments),
        Campaign::Caches(arguments) => caches::run(arguments),
        Campaign::ChipsInLockstep(arguments) => chips_in_lockstep::run(arguments),
        Campaign::ConfigKeys(arguments) => config_keys::run(arguments),
        Campaign::Designs(arguments) => designs::run(arguments),
        Campaign::Dram(arguments) => dram::run(arguments),
        Campaign::Features(arguments) => features::run(arguments),
        Campaign::Mutations(arguments) => mutations::run(arguments),
        Campaign::NetworksInLockstep(arguments) => networks_in_lockstep::run(arguments),
        Campaign::Placements => placements::run(),
        Campaign::Policies(arguments) => policies::run(arguments),
        Campaign::RandomChips(arguments) => random_chips::run(arguments),
        Campaign::RandomExports(arguments) => random_exports::run(arguments),
        Campaign::RandomKernels(arguments) => random_kernels::run(arguments),
        Campaign::RandomNetworks(arguments) => random_networks::run(arguments),
        Campaign::RandomPrograms(arguments) => random_programs::run(arguments),
        Campaign::RandomRecursion(arguments) => random_recursion::run(arguments),
        Campaign::RandomSources(arguments) => random_sources::run(arguments),
        Campaign::Workloads(arguments) => workloads::run(arguments),
    }
}
