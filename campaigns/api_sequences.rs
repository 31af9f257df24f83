//! Any number of random sequences of calls of the CUDA runtime against a model of the device, with emulated launches:
//! `cargo campaign api-sequences --seeds 0..100000`. Prints the sequences that went wrong, and fails if any
//! did.

use crate::seeds::{self, Tally};
use clap::Args;
use std::{fs::OpenOptions, ops::Range, os::fd::AsRawFd, process::ExitCode};
use testkit::api;
use warpmesh::{chip::load, cuda, session::Settings};

/// Checks random sequences of calls.
#[derive(Args)]
pub struct Arguments {
    /// From the first seed up to, not including, the second.
    #[arg(long, default_value = "0..10000", value_parser = seeds::range)]
    seeds: Range<u64>,
    /// Shows what the runtime says of each error.
    #[arg(long)]
    messages: bool,
}

pub fn run(arguments: Arguments) -> ExitCode {
    let Arguments { seeds, messages } = arguments;
    let chip = match load(None, &[]) {
        Ok(chip) => chip,
        Err(error) => {
            eprintln!("{:?}", miette::Report::new(error));
            return ExitCode::from(2);
        }
    };
    if let (false, Ok(nowhere)) = (messages, OpenOptions::new().write(true).open("/dev/null")) {
        // SAFETY: both are open; what the runtime says of wrong calls goes nowhere.
        unsafe { libc::dup2(nowhere.as_raw_fd(), 2) };
    }
    cuda::begin(chip, Settings { on_chip: Some(vec![]), ..Settings::default() });
    api::register();
    // There is one device in a process.
    let Tally { wrong, counted: calls, seconds } = seeds::run(&seeds, 1, 1000, || (), |(), seed| api::sequence(seed));
    let (count, Range { start, end }) = (seeds.end - seeds.start, seeds);
    println!("{count} sequences (seeds {start}..{end}), {calls} calls, {seconds:.0} s: {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
