//! `--save` and `--resume` of programs: several processes, each of which runs the program from its beginning.

use super::{Failure, output::NewFile};
use clap::Args;
use measure::session::is_saved_program;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Saving and resuming.
#[derive(Args, Debug)]
pub struct ProgramPartsArgs {
    /// Save the program when --max-cycles, --max-seconds or Ctrl-C ends a launch: chip, memory of the device, reports of launches that have
    /// ended, samples. --resume goes on from there.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Also save it every N cycles on the chip, counted over launches. The file is replaced as a whole.
    #[arg(long, value_name = "N", requires = "save", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Go on from a saved program: it runs from its beginning, launches that had ended on the chip are answered from the file, and the one that
    /// was at work goes on from its cycle. Program, arguments, chip, --kernels, --stats and checks on memory have to be the same; a program that
    /// launches or copies something else than before is ended, with an error. Engine and threads are free.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

impl ProgramPartsArgs {
    /// The program runs in several parts.
    pub fn are_given(&self) -> bool {
        self.save.is_some() || self.resume.is_some()
    }

    /// Looks at the files before the program begins.
    pub fn claim(&self, force: bool) -> Result<(), Failure> {
        if let Some(file) = &self.resume {
            let there = fs::metadata(file).map(|_| is_saved_program(file));
            let why = match there {
                Ok(true) => None,
                Ok(false) => Some("it is not a saved program".into()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(why) = why {
                let message = format!("cannot resume {}: {why}", file.display());
                return Err(Failure::input_message(message, "name a file that `exec --save` has written"));
            }
        }
        let Some(file) = &self.save else { return Ok(()) };
        let goes_on = self.resume.as_deref().is_some_and(|resumed| is_same(resumed, file));
        if fs::symlink_metadata(file).is_ok() && !is_saved_program(file) {
            let message = format!("{} exists and is not a saved program", file.display());
            return Err(Failure::input_message(message, "choose another file"));
        }
        NewFile::claim(file, force || goes_on).map(drop)
    }
}

/// Two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}
