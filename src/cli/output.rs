//! Files and folders that a command writes at its end: whole or not at all, and nothing is replaced that was not to be.
//!
//! Before anything is computed, a command claims them: what is there already is refused, and so is a place where
//! nothing can be written. What is written comes to stand under another name beside, and takes its own when it is
//! complete.

use super::Failure;
use common::output::{NewFolder, check, folder_of, write};
use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// The folder that `--out` or `--record` names.
pub struct OutputFolder(NewFolder);

impl OutputFolder {
    /// One that holds something is refused, unless `force`.
    pub fn claim(path: &Path, force: bool) -> Result<Self, Failure> {
        let occupied = path.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if occupied && !force {
            return Err(Failure::input_message(
                format!("{} is not empty", path.display()),
                "choose another folder, or --force to replace files in it",
            ));
        }
        let folder = NewFolder::at(path);
        folder.check().map_err(|cause| unwritable(path, &cause))?;
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes all its files: names and texts.
    pub fn write(&self, files: &[(&str, String)]) -> Result<(), Failure> {
        let files = files.iter().map(|(name, text)| (name.to_string(), text.clone().into_bytes()));
        self.write_bytes(&files.collect::<Vec<_>>())
    }

    /// The same with any content.
    pub fn write_bytes(&self, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
        self.0.write(files).map_err(|(path, cause)| unwritable(&path, &cause))
    }
}

/// A file that a command writes at its end.
pub struct NewFile {
    path: PathBuf,
    force: bool,
}

impl NewFile {
    /// Refuses to replace an existing file, unless `force`; and, before anything is computed, to write where it cannot.
    pub fn claim(path: &Path, force: bool) -> Result<Self, Failure> {
        if fs::symlink_metadata(path).is_ok() && !force {
            let message = format!("{} exists", path.display());
            return Err(Failure::input_message(message, "choose another file, or --force to replace it"));
        }
        let folder = folder_of(path);
        if !folder.is_dir() {
            let message = format!("cannot write {}: there is no folder {}", path.display(), folder.display());
            return Err(Failure::input_message(message, "make the folder first"));
        }
        if path.is_dir() {
            let message = format!("cannot write {}: it is a folder", path.display());
            return Err(Failure::input_message(message, "name a file"));
        }
        check(path).map_err(|cause| unwritable(path, &cause))?;
        Ok(Self { path: path.to_path_buf(), force })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        self.write_bytes(text.as_bytes())
    }

    /// The same with any content.
    pub fn write_bytes(&self, content: &[u8]) -> Result<(), Failure> {
        write(&self.path, content, self.force).map_err(|cause| unwritable(&self.path, &cause))
    }
}

/// Refuses two outputs, each an option and its path, of which one is the other or lies in it.
pub fn refuse_shared(outputs: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let outputs: Vec<_> =
        outputs.iter().filter_map(|(option, path)| Some((option, (*path)?, whole(path.as_ref()?)))).collect();
    for (i, (option, path, whole)) in outputs.iter().enumerate() {
        for (other, other_path, other_whole) in &outputs[..i] {
            let problem = match (whole == other_whole, whole.starts_with(other_whole), other_whole.starts_with(whole)) {
                (true, ..) => format!("{other} and {option} name the same file {}", path.display()),
                (_, true, _) => format!("{option} {} lies in {other} {}", path.display(), other_path.display()),
                (_, _, true) => format!("{other} {} lies in {option} {}", other_path.display(), path.display()),
                _ => continue,
            };
            return Err(Failure::input_message(problem, "give each output a place of its own"));
        }
    }
    Ok(())
}

/// The path from the root on, without links and detours as far as it exists.
fn whole(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| {
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        Some((above.to_path_buf(), above.canonicalize().ok()?))
    });
    let Some((above, mut whole)) = there else { return path.to_path_buf() };
    for part in path.strip_prefix(&above).unwrap_or(path).components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            Component::Normal(name) => whole.push(name),
            _ => {}
        }
    }
    whole
}

fn unwritable(path: &Path, cause: &io::Error) -> Failure {
    Failure::input_message(format!("cannot write {}: {cause}", path.display()), "name a place that can be written")
}
