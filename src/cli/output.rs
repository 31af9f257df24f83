//! The folder that `--out` names, and files: never overwritten silently.

use super::Failure;
use std::path::{Path, PathBuf};

/// An output folder that this command owns.
pub struct OutputFolder {
    path: PathBuf,
}

impl OutputFolder {
    /// Makes the folder. One that exists and holds something is refused, unless `force`.
    pub fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        let occupied = path.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if occupied && !force {
            return Err(Failure::input_message(
                format!("{} is not empty", path.display()),
                "choose another folder, or --force to replace files in it",
            ));
        }
        std::fs::create_dir_all(path).map_err(|cause| unwritable(path, &cause))?;
        Ok(Self { path: path.to_path_buf() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let file = self.path.join(name);
        std::fs::write(&file, text).map_err(|cause| unwritable(&file, &cause))
    }
}

/// A file that a command writes at its end.
pub struct NewFile(PathBuf);

impl NewFile {
    /// Refuses to replace an existing file, unless `force`; and, before anything is computed, to write where it cannot.
    pub fn claim(path: &Path, force: bool) -> Result<Self, Failure> {
        if path.exists() && !force {
            let message = format!("{} exists", path.display());
            return Err(Failure::input_message(message, "choose another file, or --force to replace it"));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let message = format!("cannot write {}: there is no folder {}", path.display(), folder.display());
            return Err(Failure::input_message(message, "make the folder first"));
        }
        Ok(Self(path.to_path_buf()))
    }

    /// Writes it.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        std::fs::write(&self.0, text).map_err(|cause| unwritable(&self.0, &cause))
    }
}

fn unwritable(path: &Path, cause: &std::io::Error) -> Failure {
    Failure::input_message(format!("cannot write {}: {cause}", path.display()), "name a folder that can be written")
}
