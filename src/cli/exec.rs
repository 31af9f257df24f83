//! `warpmesh exec`: runs a program of `warpmesh cc` with a chip and a way to simulate it.

use super::{Failure, cc::library, chip_args::ChipArgs};
use clap::Args;
use cuda::LaunchList;
use std::{env, ffi::OsString, os::unix::process::CommandExt, path::PathBuf, process::Command};

/// Runs a program that `warpmesh cc` has made: `warpmesh exec --config small -- ./prog 1024`.
///
/// The exit code is the program's. The program alone runs on the chip that WARPMESH_CONFIG names, or on the default chip.
#[derive(Args, Debug)]
pub struct Exec {
    /// A configuration file, or the name of a shipped one; without it, the default chip.
    #[arg(long, value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Overrides one value of the configuration, e.g. `-P network.vcs=8`. Repeatable; the last one wins.
    #[arg(short = 'P', long = "param", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Emulates all launches: results without cycles, many times as fast.
    #[arg(long, conflicts_with = "kernels")]
    functional: bool,
    /// Simulates these launches on the chip, from 1, and emulates the others: `3,5-7`, `all` or `none`.
    #[arg(long, value_name = "LIST", value_parser = launches)]
    kernels: Option<String>,
    /// Keeps what emulated launches have computed in a folder, and takes it from there when the same launch comes again, in this run or another one.
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,
    /// Writes the report of launches to a file, in the place of standard error; one that ends in `.json` has all that is known of each launch.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Ends a launch that takes more cycles, with an error.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: Option<u64>,
    /// Runs kernels also when they leave their allocations, are misaligned or use another block's shared memory.
    #[arg(long)]
    no_memory_checks: bool,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

fn launches(text: &str) -> Result<String, String> {
    text.parse::<LaunchList>().map(|_| text.into())
}

impl Exec {
    /// Runs the command, which the program takes the place of.
    pub fn run(&self) -> Result<(), Failure> {
        // What is wrong with the chip is told before the program begins.
        ChipArgs::each(self.config.as_slice(), &self.overrides)[0].chip()?;
        let Some((program, args)) = self.program.split_first() else {
            return Err(Failure::input_message("there is no program", "it stands behind `--`"));
        };
        let mut command = Command::new(program);
        command.args(args);
        let mut set = |name: &str, value: Option<OsString>| match value {
            Some(value) => drop(command.env(name, value)),
            None => drop(command.env_remove(name)),
        };
        set("WARPMESH_CONFIG", self.config.clone().map(PathBuf::into_os_string));
        set("WARPMESH_PARAMS", Some(self.overrides.join(";").into()));
        let all_emulated = self.functional.then_some("none");
        set("WARPMESH_KERNELS", all_emulated.or(self.kernels.as_deref()).map(OsString::from));
        set("WARPMESH_REPORT", self.report.clone().map(PathBuf::into_os_string));
        set("WARPMESH_CHECKPOINT", self.checkpoint.clone().map(PathBuf::into_os_string));
        set("WARPMESH_MAX_CYCLES", self.max_cycles.map(|limit| limit.to_string().into()));
        set("WARPMESH_MEMORY_CHECKS", Some(if self.no_memory_checks { "off" } else { "on" }.into()));
        // A program that was linked by a makefile does not know where the runtime is.
        if let Ok(folder) = library() {
            let others = env::var_os("LD_LIBRARY_PATH").filter(|folders| !folders.is_empty());
            let folders = others.iter().flat_map(env::split_paths).chain([folder]);
            command.env("LD_LIBRARY_PATH", env::join_paths(folders).map_err(|error| Failure::new(2, error))?);
        }
        let error = command.exec();
        let name = program.to_string_lossy();
        Err(Failure::input_message(
            format!("{name} cannot be run: {error}"),
            "a program that `warpmesh cc` has made, with its path: ./prog",
        ))
    }
}
