//! Files that are written whole or not at all: under another name in the same folder, which they give up for their own
//! when they are complete. So are folders of files.
//!
//! Whether a place can be written is found out by [`check`] before anything is computed: a missing folder, a folder
//! without permission, a full disk.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, TempDir};

/// Bytes that a disk which is not full has room for.
const BLOCK: [u8; 4096] = [0; 4096];

/// A file or folder that is not complete, with the mode that anything else which this user makes would have.
pub fn unfinished(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".warpmesh-").suffix(".unfinished");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// The folder that a path lies in.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Whether a file can be written there; nothing changes.
///
/// # Errors
/// Why it cannot.
pub fn check(path: &Path) -> io::Result<()> {
    // What a link leads to is written, not the link.
    let path = target(path);
    if path.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if is_special(&path) {
        return check_special(&path);
    }
    let folder = folder_of(&path);
    if !folder.is_dir() {
        return Err(io::Error::other(format!("there is no folder {}", folder.display())));
    }
    check_room(&folder)
}

/// Whether a file can be written in a folder that is there; nothing stays.
///
/// # Errors
/// Why it cannot.
pub fn check_room(folder: &Path) -> io::Result<()> {
    unfinished(0o600).tempfile_in(folder)?.write_all(&BLOCK)
}

/// Writes a file; one that is there already is replaced if `replace`, and an error otherwise.
///
/// # Errors
/// Why it cannot be written; what was there before is there still.
pub fn write(path: &Path, content: &[u8], replace: bool) -> io::Result<()> {
    let path = target(path);
    if is_special(&path) {
        // Not made if it has gone meanwhile.
        return File::options().write(true).open(&path)?.write_all(content);
    }
    let mut file = unfinished(0o666).tempfile_in(folder_of(&path))?;
    file.write_all(content)?;
    match replace {
        true => file.persist(path)?,
        // Somebody may have written it meanwhile.
        false => file.persist_noclobber(path)?,
    };
    Ok(())
}

/// A folder for files that are written together.
#[derive(Clone, Debug)]
pub struct NewFolder {
    path: PathBuf,
    is_new: bool,
}

impl NewFolder {
    /// There, or to be made there.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf(), is_new: fs::symlink_metadata(path).is_err() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it can be written; nothing stays but folders above it.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check(&self) -> io::Result<()> {
        check_room(self.unfinished()?.path())
    }

    /// Where the files stand until all of them are there: next to the folder, or in it when it exists.
    fn unfinished(&self) -> io::Result<TempDir> {
        let within = if self.is_new { folder_of(&self.path) } else { self.path.clone() };
        fs::create_dir_all(&within)?;
        unfinished(0o777).tempdir_in(within)
    }

    /// Writes all its files: names and contents.
    ///
    /// # Errors
    /// What cannot be written, and why.
    pub fn write(&self, files: &[(String, Vec<u8>)]) -> Result<(), (PathBuf, io::Error)> {
        let Self { path, is_new } = self;
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |cause: io::Error| (path, cause)
        };
        let unfinished = self.unfinished().map_err(at(path))?;
        for (name, content) in files {
            fs::write(unfinished.path().join(name), content).map_err(at(&path.join(name)))?;
        }
        if *is_new {
            fs::rename(unfinished.path(), path).map_err(at(path))?;
            // It is no more under that name.
            _ = unfinished.keep();
            return Ok(());
        }
        for (name, _) in files {
            let (from, to) = (unfinished.path().join(name), path.join(name));
            fs::rename(from, &to).map_err(at(&to))?;
        }
        Ok(())
    }
}

/// What is written where a path leads to.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// It is there and no regular file: a device, a pipe.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file())
}

fn check_special(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.write(true);
    // A pipe that has no reader yet may get one.
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if fs::metadata(path)?.file_type().is_fifo() {
            return Ok(());
        }
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NOCTTY.bits() as i32);
    }
    options.open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn what_cannot_be_written_is_told_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str| folder.path().join(name);
        let refused = |path: &Path| check(path).expect_err("refused").to_string();
        check(&file("x")).expect("can be written");
        check(&file("x")).expect("nothing has changed");
        assert_eq!(names(folder.path()), [""; 0]);
        assert_eq!(refused(folder.path()), "it is a folder");
        assert!(refused(&file("none/x")).starts_with("there is no folder "));
        write(&file("x"), b"first", false).expect("written");
        let taken = write(&file("x"), b"second", false).expect_err("is there");
        assert_eq!(
            (taken.kind(), fs::read(file("x")).expect("is there")),
            (io::ErrorKind::AlreadyExists, b"first".into())
        );
        write(&file("x"), b"second", true).expect("written");
        assert_eq!(
            (names(folder.path()), fs::read(file("x")).expect("is there")),
            (vec!["x".into()], b"second".into())
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_links_are_written_where_they_lead() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (link, real) = (folder.path().join("link"), folder.path().join("real"));
        fs::write(&real, "old").expect("written");
        std::os::unix::fs::symlink("real", &link).expect("made");
        check(&link).expect("can be written");
        write(&link, b"new", true).expect("written");
        assert!(fs::symlink_metadata(&link).expect("is there").is_symlink());
        assert_eq!(fs::read(&real).expect("is there"), b"new");
        for device in ["/dev/null", "/dev/full"] {
            check(Path::new(device)).expect("can be opened");
        }
        write(Path::new("/dev/null"), b"x", true).expect("taken");
        let full = write(Path::new("/dev/full"), b"x", true).expect_err("full");
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    }
}
