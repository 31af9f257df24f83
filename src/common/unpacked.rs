//! Files of the program's own in a folder on disk, for other programs to read: headers for a compiler.
//!
//! They are unpacked once into the user's cache and stay there. What others could have written into it would be
//! compiled into programs, so the folder is used under the rules of [`trust`] alone, and when it holds these files,
//! with these contents, and nothing else: a compiler finds any further file first. Otherwise they are unpacked anew
//! into a private folder, for as long as this value lives.

use crate::{
    cache::{self, Key},
    output::{folder_of, unfinished},
    trust::{self, Refusal},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use tracing::{info, warn};

/// A folder with the files.
#[derive(Debug)]
pub struct Unpacked {
    path: PathBuf,
    /// Removed when dropped.
    _private: Option<TempDir>,
}

impl Unpacked {
    /// In the user's cache, in a folder that is called by `name` and what the files hold; or in a private one. Files are paths
    /// in it, and contents.
    ///
    /// # Errors
    /// When no folder can be made.
    pub fn of_user(name: &str, files: &BTreeMap<&str, &[u8]>) -> Result<Self, Refusal> {
        match cache::folder() {
            Some(cache) => Self::within(&cache, name, files),
            None => Self::private(files),
        }
    }

    fn within(cache: &Path, name: &str, files: &BTreeMap<&str, &[u8]>) -> Result<Self, Refusal> {
        match kept(cache, name, files) {
            Ok(path) => return Ok(Self { path, _private: None }),
            Err(Refusal::Unusable(cause)) => info!("{name} files are not kept in {}: {cause}", cache.display()),
            Err(untrusted) => warn!("kept {name} files are not used: {untrusted}; a private folder is used"),
        }
        Self::private(files)
    }

    fn private(files: &BTreeMap<&str, &[u8]>) -> Result<Self, Refusal> {
        let folder = trust::private()?;
        write(folder.path(), files)?;
        Ok(Self { path: folder.path().to_path_buf(), _private: Some(folder) })
    }

    /// Where they are.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The folder in the cache, unpacked if it is not there; or why it cannot be used.
fn kept(cache: &Path, name: &str, files: &BTreeMap<&str, &[u8]>) -> Result<PathBuf, Refusal> {
    let cache = trust::folder(cache)?;
    let folder = cache.join(format!("{name}-{:?}", Key::default().with(files)));
    if fs::symlink_metadata(&folder).is_err() {
        // All of them appear at once, whoever else does the same.
        let new = unfinished(0o700).tempdir_in(&cache)?;
        write(new.path(), files)?;
        match fs::rename(new.path(), &folder) {
            // It is no more under that name.
            Ok(()) => _ = new.keep(),
            Err(_) if folder.is_dir() => {}
            Err(error) => return Err(error.into()),
        }
    }
    if fs::symlink_metadata(&folder)?.is_symlink() {
        return Err(Refusal::Untrusted(folder, "is a symbolic link".into()));
    }
    trust::folder(&folder)?;
    let mut missing = files.clone();
    look(&folder, "", &mut missing)?;
    match missing.into_keys().next() {
        Some(name) => Err(Refusal::Untrusted(folder.join(name), format!("is missing {ANEW}"))),
        None => Ok(folder),
    }
}

/// What helps.
const ANEW: &str = "(to unpack anew, remove the folder)";

/// Strikes out of `missing` the files that a folder holds, whose path within all of it is `within`; any other is refused.
fn look(folder: &Path, within: &str, missing: &mut BTreeMap<&str, &[u8]>) -> Result<(), Refusal> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), format!("{within}{}", entry.file_name().to_string_lossy()));
        let other = |what: &str| Refusal::Untrusted(path.clone(), format!("{what} {ANEW}"));
        let inner = format!("{name}/");
        if entry.file_type()?.is_dir() && missing.keys().any(|file| file.starts_with(&inner)) {
            trust::folder(&path)?;
            look(&path, &inner, missing)?;
            continue;
        }
        let Some(data) = missing.remove(&*name) else { return Err(other("is not one of them")) };
        let mut found = vec![];
        trust::open(&path)?.take(data.len() as u64 + 1).read_to_end(&mut found)?;
        if found != data {
            return Err(other("has another content"));
        }
    }
    Ok(())
}

fn write(folder: &Path, files: &BTreeMap<&str, &[u8]>) -> io::Result<()> {
    for (name, data) in files {
        let path = folder.join(name);
        trust::folder(&folder_of(&path))?;
        trust::create(&path)?.write_all(data)?;
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn files() -> BTreeMap<&'static str, &'static [u8]> {
        [("a.h", &b"int a;\n"[..]), ("in/b.h", b"int b;\n")].into()
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is ours");
    }

    fn is_whole(unpacked: &Unpacked) -> bool {
        let found = fs::read_dir(unpacked.path()).expect("a folder").count();
        found == 2 && files().iter().all(|(name, data)| fs::read(unpacked.path().join(name)).is_ok_and(|d| d == *data))
    }

    #[test]
    fn files_are_unpacked_once_for_this_user_alone() {
        let cache = tempfile::tempdir().expect("a temporary folder");
        let first = Unpacked::within(cache.path(), "header", &files()).expect("unpacked");
        assert!(is_whole(&first) && first.path().starts_with(cache.path().canonicalize().expect("is there")));
        assert_eq!(fs::metadata(first.path()).expect("is there").permissions().mode() & 0o777, 0o700);
        let again = Unpacked::within(cache.path(), "header", &files()).expect("there");
        assert_eq!(again.path(), first.path());
        let other = [("a.h", &b"int a;\n"[..])].into();
        assert_ne!(Unpacked::within(cache.path(), "header", &other).expect("unpacked").path(), first.path());
        assert_eq!(fs::read_dir(cache.path()).expect("a folder").count(), 2, "nothing unfinished is left");
    }

    #[test]
    fn what_others_may_have_written_is_unpacked_into_a_private_folder() {
        let cache = tempfile::tempdir().expect("a temporary folder");
        let kept = Unpacked::within(cache.path(), "header", &files()).expect("unpacked").path().to_path_buf();
        let private = |what: &str| {
            let unpacked = Unpacked::within(cache.path(), "header", &files()).expect("unpacked");
            assert!(is_whole(&unpacked) && unpacked.path() != kept, "{what}");
            assert_eq!(fs::metadata(unpacked.path()).expect("is there").permissions().mode() & 0o777, 0o700);
            let path = unpacked.path().to_path_buf();
            drop(unpacked);
            assert!(!path.exists(), "{what}: it is removed");
        };
        let fine = || assert_eq!(Unpacked::within(cache.path(), "header", &files()).expect("there").path(), kept);
        fs::write(kept.join("cstdio"), "").expect("written");
        private("a further file");
        fs::remove_file(kept.join("cstdio")).expect("is there");
        fine();
        fs::write(kept.join("in").join("c.h"), "").expect("written");
        private("a further file in a folder");
        fs::remove_file(kept.join("in").join("c.h")).expect("is there");
        fs::create_dir(kept.join("bits")).expect("made");
        private("a further folder");
        fs::remove_dir(kept.join("bits")).expect("is there");
        fs::write(kept.join("a.h"), "int c;\n").expect("written");
        private("another content");
        fs::write(kept.join("a.h"), "int a;\n").expect("written");
        fine();
        for (path, bad, good) in
            [(&kept, 0o777, 0o700), (&kept.join("a.h"), 0o666, 0o600), (&cache.path().into(), 0o777, 0o700)]
        {
            mode(path, bad);
            private("others may write");
            mode(path, good);
            fine();
        }
        fs::rename(kept.join("a.h"), cache.path().join("a.h")).expect("renamed");
        private("one is missing");
        symlink(cache.path().join("a.h"), kept.join("a.h")).expect("made");
        private("a link");
        fs::remove_file(kept.join("a.h")).expect("is there");
        fs::rename(cache.path().join("a.h"), kept.join("a.h")).expect("renamed");
        fine();
        let elsewhere = cache.path().join("elsewhere");
        fs::rename(&kept, &elsewhere).expect("renamed");
        symlink(&elsewhere, &kept).expect("made");
        private("a link to a folder");
    }
}
