//! The command line: one file per sub-command.
//!
//! [`main`] parses the arguments, sets up logs, and calls the sub-command, which returns `Ok` or a [`Failure`]: a report for
//! the person and an exit code for scripts. Nothing below panics on bad input.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done; a kernel that ran gave the right result |
//! | 1 | the kernel ended but its result is wrong, or `check` found a mistake |
//! | 2 | the command line, a configuration, a launch file or a PTX file is wrong, or a file cannot be read or written |
//! | 3 | the kernel did not end: cycle limit, or nothing moves any more |
//! | 4 | the simulation stopped: an assertion failed, a DRAM timing was violated, or two engines disagree |

mod check;
mod chip_args;
mod export;
mod failure;
mod list;
mod output;
mod run;
mod schema;
mod wave;

pub use failure::Failure;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A GPU chip as synchronous hardware: run kernels on it, change it, export it as Verilog.
///
/// Without a sub-command: runs the embedded kernel on the default chip.
#[derive(Parser, Debug)]
#[command(
    name = "warpmesh",
    version,
    propagate_version = true,
    after_help = "Exit codes: 0 done and verified; 1 wrong result or failed check; 2 bad input; 3 the kernel did not end; \
                  4 the simulation stopped on an assertion, a DRAM timing violation or a difference between engines."
)]
struct Cli {
    /// Log what happens inside; repeat for more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(Box<run::Run>),
    Export(export::Export),
    Check(check::Check),
    List(list::List),
    Schema(schema::Schema),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let mut cli = Cli::parse();
    start_logs(cli.verbose);
    if cli.command.is_none() {
        cli = Cli::parse_from(["warpmesh", "run"]);
    }
    let Some(command) = cli.command else { return ExitCode::SUCCESS };
    let result = match command {
        Command::Run(run) => run.run(),
        Command::Export(export) => export.run(),
        Command::Check(check) => check.run(),
        Command::List(list) => list.run(),
        Command::Schema(schema) => schema.run(),
    };
    result.map_or_else(Failure::finish, |()| ExitCode::SUCCESS)
}

fn start_logs(verbose: u8) {
    let level = match verbose {
        0 => tracing::Level::WARN,
        1 => tracing::Level::INFO,
        2 => tracing::Level::DEBUG,
        _ => tracing::Level::TRACE,
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).init();
}

/// A hint at the name most like `given`, or all of them.
fn nearest(given: &str, names: &[&str]) -> String {
    let likeness = |name: &&str| (strsim::jaro_winkler(given, name) * 1000.0) as u32;
    match names.iter().copied().max_by_key(|name| likeness(name)) {
        Some(name) if likeness(&name) > 750 => format!("did you mean `{name}`?"),
        _ => format!("there are: {}", names.join(", ")),
    }
}
