//! Who may write where something is kept on disk that a later run uses: machine code, headers, results. Code from there
//! is executed or compiled into programs, so only the user and root may have put it there.
//!
//! The rules are those of OpenSSH for a user's keys (StrictModes), on Unix: the folder and every folder above it,
//! symbolic links resolved, belong to the user or root, and no other user may write in them. A folder above may be one
//! in which everybody may write but only remove their own files (the sticky bit, as `/tmp` has), as what lies below
//! belongs to the user, too. Folders are checked from the root down: once one is checked, no other user can exchange
//! it.
//!
//! A file is opened without following links and without waiting, and checked when it is open: it is a regular file,
//! belongs to the user or root, and no other user may write to it.
//!
//! [`folder`] and [`open`] are for what is kept, [`private`] is a new folder for what is not. On other systems than
//! Unix the access lists of the user's own folders are relied on.

use std::{
    fmt,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Why something is not used.
#[derive(Debug)]
pub enum Refusal {
    /// It is not there, or cannot be read or made.
    Unusable(io::Error),
    /// Others may have written it: what, and why.
    Untrusted(PathBuf, String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(cause) => cause.fmt(f),
            Self::Untrusted(path, why) => write!(f, "{} {why}", path.display()),
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(cause: io::Error) -> Self {
        Self::Unusable(cause)
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unusable(cause) => cause,
            untrusted @ Refusal::Untrusted(..) => Self::new(io::ErrorKind::PermissionDenied, untrusted.to_string()),
        }
    }
}

/// The folder, made for this user alone if need be, without links in its path.
///
/// # Errors
/// When it cannot be made, or when other users may write in it or in one above it.
pub fn folder(path: &Path) -> Result<PathBuf, Refusal> {
    let path = &std::path::absolute(path)?;
    // Nothing is made where it could not be used.
    if let Some(there) = path.ancestors().find(|above| fs::symlink_metadata(above).is_ok()) {
        let there = there.canonicalize()?;
        if !there.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory).into());
        }
        platform::check_folders(&there)?;
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    let path = path.canonicalize()?;
    platform::check_folders(&path)?;
    platform::check_last_folder(&path)?;
    Ok(path)
}

/// A file in such a folder, for reading.
///
/// # Errors
/// When it is not there, is no regular file, or when other users may write to it.
pub fn open(path: &Path) -> Result<File, Refusal> {
    platform::open(path)
}

/// A new folder for this user alone, among the system's temporary files, with a name that cannot be foreseen; it is removed when dropped.
///
/// # Errors
/// When it cannot be made, or when other users may exchange it: the folder of temporary files is one in which they may remove what is not
/// theirs.
pub fn private() -> Result<TempDir, Refusal> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("warpmesh-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let made = builder.tempdir()?;
    platform::check_folders(&made.path().canonicalize()?)?;
    Ok(made)
}

/// A new file in such a folder, for this user alone.
///
/// # Errors
/// When it cannot be made; also when there is something of this name already.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
mod platform {
    use super::Refusal;
    use rustix::{fs::OFlags, io::Errno, process::geteuid};
    use std::{
        fs::{self, File, Metadata},
        os::unix::fs::{MetadataExt, OpenOptionsExt},
        path::Path,
    };

    /// Group and others may write.
    const OTHERS_WRITE: u32 = 0o022;
    /// Only the owner may remove what is in a folder.
    const STICKY: u32 = 0o1000;

    fn untrusted(path: &Path, why: impl Into<String>) -> Refusal {
        Refusal::Untrusted(path.to_path_buf(), why.into())
    }

    fn check_owner(path: &Path, about: &Metadata) -> Result<(), Refusal> {
        match about.uid() {
            0 => Ok(()),
            owner if owner == geteuid().as_raw() => Ok(()),
            owner => Err(untrusted(path, format!("belongs to another user (number {owner})"))),
        }
    }

    fn check_mode(path: &Path, about: &Metadata) -> Result<(), Refusal> {
        match about.mode() & OTHERS_WRITE {
            0 => Ok(()),
            _ => Err(untrusted(path, format!("may be written by other users (mode {:o})", about.mode() & 0o7777))),
        }
    }

    /// A path without links, from the root down.
    pub fn check_folders(path: &Path) -> Result<(), Refusal> {
        let mut folders: Vec<_> = path.ancestors().collect();
        folders.reverse();
        for folder in folders {
            let about = fs::symlink_metadata(folder)?;
            check_owner(folder, &about)?;
            if !(about.is_dir() && about.mode() & STICKY != 0) {
                check_mode(folder, &about)?;
            }
        }
        Ok(())
    }

    /// In the folder of the files themselves others may not even leave something.
    pub fn check_last_folder(path: &Path) -> Result<(), Refusal> {
        check_mode(path, &fs::symlink_metadata(path)?)
    }

    pub fn open(path: &Path) -> Result<File, Refusal> {
        // Without waiting: a pipe into which nobody writes opens at once, too, and is then seen not to be a file.
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        let file = File::options().read(true).custom_flags(flags as i32).open(path);
        let file = file.map_err(|cause| match cause.raw_os_error() {
            Some(code) if code == Errno::LOOP.raw_os_error() => untrusted(path, "is a symbolic link"),
            _ => cause.into(),
        })?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(untrusted(path, "is not a regular file"));
        }
        check_owner(path, &about)?;
        check_mode(path, &about)?;
        Ok(file)
    }
}

#[cfg(not(unix))]
mod platform {
    use super::Refusal;
    use std::{fs::File, path::Path};

    pub fn check_folders(_: &Path) -> Result<(), Refusal> {
        Ok(())
    }

    pub fn check_last_folder(_: &Path) -> Result<(), Refusal> {
        Ok(())
    }

    pub fn open(path: &Path) -> Result<File, Refusal> {
        Ok(File::open(path)?)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    /// A user that is neither root nor whoever runs the tests.
    const SOMEBODY_ELSE: u32 = 54_321;

    /// Gives something to another user; false, and said so, where only root could.
    fn given_away(path: &Path) -> bool {
        let given = chown(path, Some(SOMEBODY_ELSE), None).is_ok();
        if !given {
            eprintln!("NOT TESTED: only root can give {} to another user", path.display());
        }
        given
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is ours");
    }

    /// Why something is not trusted, without the path of the temporary folder.
    fn refused<T>(result: Result<T, Refusal>, within: &Path) -> String {
        match result {
            Err(Refusal::Untrusted(path, why)) => {
                let within = within.canonicalize().expect("is there");
                format!("{} {why}", path.strip_prefix(&within).expect("is in the folder").display())
            }
            Err(Refusal::Unusable(cause)) => panic!("unusable: {cause}"),
            Ok(_) => panic!("accepted"),
        }
    }

    #[test]
    fn a_folder_is_made_for_the_user_alone() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let made = folder(&temporary.path().join("a").join("b")).expect("nobody else may write here");
        for path in [made.as_path(), made.parent().expect("has one")] {
            assert_eq!(fs::metadata(path).expect("is there").permissions().mode() & 0o777, 0o700);
        }
        create(&made.join("x")).expect("may be written");
        assert_eq!(fs::metadata(made.join("x")).expect("is there").permissions().mode() & 0o777, 0o600);
        open(&made.join("x")).expect("is ours");
    }

    #[test]
    fn below_a_file_there_is_no_folder_whoever_may_write_the_file() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let file = temporary.path().join("file");
        File::create(&file).expect("may be written");
        mode(&file, 0o666);
        match folder(&file.join("a")) {
            Err(Refusal::Unusable(cause)) => assert_eq!(cause.kind(), io::ErrorKind::NotADirectory),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_folder_in_which_others_may_write_is_refused_wherever_it_is_in_the_path() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let (within, path) = (temporary.path(), temporary.path().join("a").join("b"));
        folder(&path).expect("ours");
        for shared in [0o770, 0o707, 0o777] {
            mode(&path, shared);
            assert_eq!(refused(folder(&path), within), format!("a/b may be written by other users (mode {shared:o})"));
            mode(&path, 0o700);
            mode(&within.join("a"), shared);
            assert_eq!(refused(folder(&path), within), format!("a may be written by other users (mode {shared:o})"));
            mode(&within.join("a"), 0o755);
        }
        folder(&path).expect("ours again");
        // Below a folder like /tmp, but not in it.
        mode(&within.join("a"), 0o1777);
        folder(&path).expect("others may not remove it");
        assert_eq!(refused(folder(&within.join("a")), within), "a may be written by other users (mode 1777)");
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused_wherever_it_is_in_the_path() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let (within, path) = (temporary.path(), temporary.path().join("a").join("b"));
        folder(&path).expect("ours");
        if !given_away(&path) {
            return;
        }
        let theirs = |what: &str| format!("{what} belongs to another user (number {SOMEBODY_ELSE})");
        assert_eq!(refused(folder(&path), within), theirs("a/b"));
        chown(&path, Some(0), None).expect("root may");
        assert!(given_away(&within.join("a")));
        assert_eq!(refused(folder(&path), within), theirs("a"));
        // Nothing is made there either.
        assert_eq!(refused(folder(&within.join("a").join("new")), within), theirs("a"));
        assert!(!within.join("a").join("new").exists());
        // In a folder like /tmp, where somebody else was first.
        chown(within.join("a"), Some(0), None).expect("root may");
        mode(&within.join("a"), 0o1777);
        assert!(given_away(&path));
        assert_eq!(refused(folder(&path), within), theirs("a/b"));
    }

    #[test]
    fn a_link_to_a_folder_is_as_good_as_what_it_leads_to() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let within = temporary.path();
        fs::create_dir(within.join("real")).expect("made");
        symlink("real", within.join("link")).expect("made");
        let made = folder(&within.join("link").join("code")).expect("ours");
        assert!(made.ends_with("real/code"), "{}", made.display());
        mode(&within.join("real"), 0o777);
        assert_eq!(
            refused(folder(&within.join("link").join("code")), within),
            "real may be written by other users (mode 777)"
        );
        symlink("nowhere", within.join("broken")).expect("made");
        assert!(matches!(folder(&within.join("broken").join("code")), Err(Refusal::Unusable(_))));
    }

    #[test]
    fn only_regular_files_that_others_may_not_write_are_opened() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let within = temporary.path();
        let file = |name: &str| within.canonicalize().expect("is there").join(name);
        fs::write(file("good"), "code").expect("written");
        mode(&file("good"), 0o644);
        open(&file("good")).expect("ours");
        symlink("good", file("link")).expect("made");
        assert_eq!(refused(open(&file("link")), within), "link is a symbolic link");
        // Nobody writes into the pipe: whoever waits for that waits for ever.
        assert!(std::process::Command::new("mkfifo").arg(file("pipe")).status().expect("starts").success());
        assert_eq!(refused(open(&file("pipe")), within), "pipe is not a regular file");
        fs::create_dir(file("folder")).expect("made");
        assert_eq!(refused(open(&file("folder")), within), "folder is not a regular file");
        for shared in [0o620, 0o602, 0o666] {
            mode(&file("good"), shared);
            assert_eq!(
                refused(open(&file("good")), within),
                format!("good may be written by other users (mode {shared:o})")
            );
        }
        mode(&file("good"), 0o644);
        if given_away(&file("good")) {
            assert_eq!(
                refused(open(&file("good")), within),
                format!("good belongs to another user (number {SOMEBODY_ELSE})")
            );
        }
        assert!(matches!(open(&file("none")), Err(Refusal::Unusable(_))));
    }
}
