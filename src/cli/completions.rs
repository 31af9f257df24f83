//! `warpmesh completions`: what a shell has to know to complete commands, options and names.

use super::{Failure, print::print};
use clap::{Args, Command};
use clap_complete::{Shell, generate};

/// Prints a completion script for a shell.
///
/// For example `warpmesh completions bash > ~/.local/share/bash-completion/completions/warpmesh`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    /// Runs the command; `program` is the whole command line.
    pub fn run(&self, mut program: Command) -> Result<(), Failure> {
        let mut script = vec![];
        generate(self.shell, &mut program, "warpmesh", &mut script);
        print(String::from_utf8_lossy(&script).trim_end())
    }
}
