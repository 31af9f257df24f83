//! The program that runs, as what computes: results that another build has kept may be others.

use std::{
    env,
    ffi::OsString,
    fs, io,
    path::PathBuf,
    process::Command,
    sync::{Mutex, OnceLock, PoisonError},
};
use xxhash_rust::xxh3::xxh3_128;

/// A program that is not the file of its process: a library that an interpreter has loaded.
#[derive(Clone, Debug)]
pub struct HostedProgram {
    /// The library.
    pub file: PathBuf,
    /// What runs the command line; arguments follow.
    pub command: Vec<OsString>,
}

static HOSTED: Mutex<Option<HostedProgram>> = Mutex::new(None);

/// From now on the program is this one.
pub fn set_hosted(program: HostedProgram) {
    *HOSTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(program);
}

fn hosted() -> Option<HostedProgram> {
    HOSTED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The program's file.
///
/// # Errors
/// When the system does not say it.
pub fn path() -> io::Result<PathBuf> {
    hosted().map_or_else(env::current_exe, |program| Ok(program.file))
}

/// Runs the program again, with the arguments that the caller adds.
///
/// # Errors
/// When the system does not say which it is.
pub fn command() -> io::Result<Command> {
    let Some(HostedProgram { command, .. }) = hosted() else { return Ok(Command::new(env::current_exe()?)) };
    let (program, arguments) = command.split_first().ok_or_else(|| io::Error::other("the program has no command"))?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

/// A digest of the program's file, with whatever crates it is made from.
///
/// # Errors
/// When the file cannot be read.
pub fn digest() -> io::Result<u128> {
    static DIGEST: OnceLock<u128> = OnceLock::new();
    match DIGEST.get() {
        Some(digest) => Ok(*digest),
        None => {
            let digest = xxh3_128(&fs::read(path()?)?);
            Ok(*DIGEST.get_or_init(|| digest))
        }
    }
}
