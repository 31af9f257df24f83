//! The command line: one file per sub-command.
//!
//! [`main`] parses the arguments, sets up logs, and calls the sub-command, which returns `Ok` or a [`Failure`]: a
//! report for the person and an exit code for scripts. Nothing below panics on bad input or a closed output. For users:
//! `docs/command-line.md`.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done; a kernel that ran gave the right result |
//! | 1 | the kernel ended but its result is wrong, it left its memory, or `check` found a mistake |
//! | 2 | the command line, a configuration, a launch file or a PTX file is wrong, or a file cannot be read or written |
//! | 3 | the kernel did not end: cycle limit, time limit, or nothing moves any more; `noc`: a deadlock |
//! | 4 | the simulation stopped: an assertion failed, a DRAM timing was violated, or two engines disagree |
//! | 5 | memory ran out |
//! | 130 | interrupted (Ctrl-C) |

mod after_help;
mod area;
mod block;
mod buffer_film;
mod call;
mod cc;
mod check;
mod chip_args;
mod chip_groups;
mod choice;
mod compare;
mod completions;
mod docs;
mod engine_args;
mod exec;
mod exec_parts;
mod export;
mod failure;
mod hazard;
mod instance;
mod interrupt;
mod list;
mod loads;
mod logs;
mod memory;
mod monitor_args;
mod nearest;
mod noc;
mod output;
mod over_time;
mod own_command;
mod part;
mod print;
mod program_digests;
mod progress;
mod ptx;
mod record;
mod refusal;
mod renamed;
mod report;
mod run;
mod run_steps;
mod saved_args;
mod schema;
mod study;
mod study_claims;
mod study_process;
mod study_runs;
mod study_slurm;
mod study_text;
mod study_worker;
mod sweep;
mod timing;
mod toolkit;
mod traffic_file;
mod vary;
mod verilog_export;

pub use call::{CallFailure, Listener, Said, SaidReport};
pub use failure::Failure;
pub use memory::Allocator;

use after_help::EXIT_CODES;
use clap::{CommandFactory, Parser, Subcommand};
use program::compile::progress::on_terminal;
use progress::Terminal;
use refusal::{refusal, refuse};
use std::{
    ffi::OsString,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

/// A GPU chip as synchronous hardware: run kernels on it, change it, export it as Verilog.
///
/// Without a sub-command: runs the kernel `matmul` on the default chip (4 x 4 mesh, 12 cores).
#[derive(Parser, Debug)]
#[command(
    name = "warpmesh",
    version,
    propagate_version = true,
    after_help = EXIT_CODES
)]
struct Cli {
    /// Say on standard error what is being done.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// No line of progress on standard error; warnings and errors stay.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say what is wrong as a line of JSON, to the command that has started this one.
    #[arg(long, global = true, hide = true)]
    failure_as_json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(Box<run::Run>),
    Export(export::Export),
    Check(check::Check),
    Noc(Box<noc::Noc>),
    Area(area::Area),
    Timing(timing::Timing),
    Compare(compare::Compare),
    Study(study::Study),
    Sweep(Box<sweep::Sweep>),
    Report(report::Report),
    Ptx(ptx::Ptx),
    Cc(cc::Cc),
    Exec(Box<exec::Exec>),
    Toolkit(toolkit::Toolkit),
    List(list::List),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Docs(docs::Docs),
}

/// The whole command line: every command with its options.
pub fn command() -> clap::Command {
    Cli::command()
}

impl Command {
    fn run(self, terminal: Terminal) -> Result<(), Failure> {
        match self {
            Command::Run(run) => run.run(terminal),
            Command::Export(export) => export.run(),
            Command::Check(check) => check.run(),
            Command::Noc(noc) => noc.run(terminal),
            Command::Area(area) => area.run(),
            Command::Timing(timing) => timing.run(),
            Command::Compare(compare) => compare.run(terminal),
            Command::Study(study) => study.run(terminal),
            Command::Sweep(sweep) => sweep.run(terminal),
            Command::Report(report) => report.run(),
            Command::Ptx(ptx) => ptx.run(),
            Command::Cc(cc) => cc.run(),
            Command::Exec(exec) => exec.run(),
            Command::Toolkit(toolkit) => toolkit.run(),
            Command::List(list) => list.run(),
            Command::Schema(schema) => schema.run(),
            Command::Completions(completions) => completions.run(),
            Command::Docs(docs) => docs.run(&command()),
        }
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    match completions::answer(command) {
        Some(code) => ExitCode::from(code),
        None => ExitCode::from(run_command_line(std::env::args_os())),
    }
}

/// Runs the command line with these arguments, of which the first is the name of the program, and gives its exit code.
pub fn run_command_line(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let mut cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    logs::start(cli.verbose);
    // Messages keep their lines: people search them, and a terminal wraps by itself. A second call changes nothing.
    let _ = miette::set_hook(Box::new(|_| Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())));
    if cli.command.is_none() {
        cli.command = Cli::parse_from(["warpmesh", "run"]).command;
    }
    let (quiet, as_json) = (cli.quiet, cli.failure_as_json);
    let Some(command) = cli.command else { return 0 };
    let terminal = if quiet { Terminal::Quiet } else { Terminal::Progress };
    let work = || command.run(terminal);
    let result = if quiet { work() } else { on_terminal(work) };
    result.map_or_else(|failure| failure.finish(as_json), |()| 0)
}

/// Does what the command line does with these arguments, without the name of the program. `interrupt`: once it is true, the command ends as
/// it does after Ctrl-C.
pub fn call(
    arguments: impl IntoIterator<Item = OsString>,
    interrupt: Arc<AtomicBool>,
    listener: Listener,
) -> (Said, Result<(), CallFailure>) {
    use_plain_reports();
    call::collect(interrupt, listener, || run_called(arguments))
}

fn run_called(arguments: impl IntoIterator<Item = OsString>) -> Result<(), CallFailure> {
    let cli = Cli::try_parse_from([OsString::from("warpmesh")].into_iter().chain(arguments));
    let cli = cli.map_err(|error| CallFailure { code: error.exit_code() as u8, message: refusal(&error) })?;
    let Some(command) = cli.command else { return Ok(()) };
    command.run(Terminal::Quiet).map_err(CallFailure::from)
}

/// From now on failures are texts without colours and links, whatever standard error is.
fn use_plain_reports() {
    let plain = || miette::MietteHandlerOpts::new().wrap_lines(false).color(false).terminal_links(false).unicode(true);
    let _ = miette::set_hook(Box::new(move |_| Box::new(plain().build())));
}
