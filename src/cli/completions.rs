//! `warpmesh completions`: what a shell needs to complete commands, options and names.
//!
//! ```text
//!  TAB ──> script of the shell (`shells`) ── WARPMESH_COMPLETE=SHELL warpmesh -- WORDS ──> candidates of `names`, one a line
//! ```
//!
//! The script only hands the words over: candidates are those of the program that it calls. The variable is between the
//! two alone.

mod names;
mod shells;

use super::{Failure, print::print, refusal::refuse};
use clap::{Args, Command};
use clap_complete::{
    CompleteEnv, Shell,
    env::{Elvish, Fish, Powershell, Shells},
};
use std::env;

/// By it the scripts ask for candidates.
const VARIABLE: &str = "WARPMESH_COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&shells::Bash, &shells::Zsh, &Fish, &Elvish, &Powershell]);

/// Prints a completion script for a shell: commands, options, and names of configurations, keys, kernels, parameters, statistics and blocks.
///
/// For example `warpmesh completions bash > ~/.local/share/bash-completion/completions/warpmesh`, or `source <(warpmesh completions zsh)`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let name = self.shell.to_string();
        let shell = SHELLS.completer(&name).expect("every shell has its script");
        let mut script = vec![];
        let written = shell.write_registration(VARIABLE, "warpmesh", "warpmesh", "warpmesh", &mut script);
        written.map_err(|error| Failure::new(2, error))?;
        print(String::from_utf8_lossy(&script).trim())
    }
}

/// Prints candidates, where a script of [`Completions`] asks for some; `program` is the whole command line.
pub fn answer(program: impl Fn() -> Command) -> Option<u8> {
    let folder = env::current_dir().ok();
    let complete = CompleteEnv::with_factory(|| names::attached(program())).var(VARIABLE).shells(SHELLS);
    match complete.try_complete(env::args_os(), folder.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(0),
        Err(error) => Some(refuse(&error)),
    }
}
