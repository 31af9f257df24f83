//! Digests of what CUDA programs depend on: a program that has changed runs again.

use super::{
    Failure,
    cc::{LIBRARY, library},
    own_command::own_command,
};
use measure::study::{ProgramSpec, digest};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};
use tempfile::NamedTempFile;

/// A digest, as bytes of another.
pub type Digest = [u8; 16];

/// Each source is compiled once, whatever files its program is called with.
#[derive(Default)]
pub struct ProgramDigests {
    sources: Mutex<BTreeMap<PathBuf, Digest>>,
    runtime: OnceLock<Digest>,
}

impl ProgramDigests {
    /// A digest of what a program of a study in `folder` depends on: its source with all that it includes, as the host and as the device sees
    /// it, the files that it is called with, and the library that it is linked with.
    pub fn of(&self, program: &ProgramSpec, folder: &Path) -> Result<Digest, Failure> {
        let files: Vec<_> =
            program.arguments.iter().filter_map(|argument| fs::read(folder.join(argument)).ok()).collect();
        let (source, runtime) = (self.source(program, folder)?, self.runtime()?);
        Ok(digest([&source[..], &runtime].into_iter().chain(files.iter().map(Vec::as_slice))).to_le_bytes())
    }

    fn source(&self, program: &ProgramSpec, folder: &Path) -> Result<Digest, Failure> {
        let source = folder.join(program.source.get_ref());
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sources.get(&source) {
            return Ok(*known);
        }
        let compiled = |arguments: &[&str]| {
            let mut command = own_command().map_err(|reason| Failure::new(2, reason))?;
            let output =
                command.arg("cc").args(arguments).arg(&source).output().map_err(|error| Failure::new(2, error))?;
            if output.status.success() {
                return Ok(output.stdout);
            }
            let said = String::from_utf8_lossy(&output.stderr);
            Err(Failure::input_message(
                format!("program `{}`: {} does not compile", program.name.get_ref(), source.display()),
                said.trim().to_string(),
            ))
        };
        let host = compiled(&["-E"])?;
        let ptx = NamedTempFile::with_suffix(".ptx").map_err(|error| Failure::new(2, error))?;
        compiled(&["-ptx", "-o", &ptx.path().display().to_string()])?;
        let device = fs::read(ptx.path()).map_err(|error| Failure::new(2, error))?;
        let of_both = digest([&host[..], &device]).to_le_bytes();
        sources.insert(source, of_both);
        Ok(of_both)
    }

    /// That of the library: hundreds of megabytes where it is not optimised.
    fn runtime(&self) -> Result<Digest, Failure> {
        if let Some(known) = self.runtime.get() {
            return Ok(*known);
        }
        let runtime = library()?.join(LIBRARY);
        let content = fs::read(&runtime);
        let content =
            content.map_err(|error| Failure::new(2, format!("cannot read {}: {error}", runtime.display())))?;
        Ok(*self.runtime.get_or_init(|| digest([&content[..]]).to_le_bytes()))
    }
}
