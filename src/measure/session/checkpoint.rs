//! What emulated launches have computed, kept in a folder: a program that is run again takes it from there.
//!
//! A file is named by a hash of 128 bits of everything that a launch depends on: kernel, shape, arguments, constants,
//! textures, and the contents and addresses of all memory. So the result of another launch is never taken, whatever the
//! program or the configuration; and a program whose host decides by what the device has computed goes the same way as
//! before. It holds the pages of memory that the launch has changed, and a hash of itself. What others may have written
//! is not taken ([`trust`]): a forged result is as good as a computed one.

use super::pages::{apply_changes, number, put_changes};
use crate::launch_key::LaunchKeys;
use common::{
    cache::Key,
    output::{check_room, unfinished},
    trust::{self, Refusal},
};
use program::Launch;
use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// First bytes of a file; another number when another emulator could compute something else.
const MAGIC: &[u8; 8] = b"WMCKPT01";
/// Characters of a hash.
const HASH: usize = 32;

/// A folder of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    folder: PathBuf,
    /// What computes: results of another one are not taken.
    build: String,
}

/// The result of a launch beside memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Summed over threads.
    pub thread_instructions: u64,
    /// Summed over warps.
    pub warp_instructions: u64,
}

/// What is found of a launch.
#[derive(Debug, PartialEq, Eq)]
pub enum SavedLaunch {
    /// All of it, and memory is as behind the launch.
    Result(Counts),
    /// Nothing.
    Nothing,
    /// A file that is not what it should be, and why; memory is as before.
    Damaged(String),
}

impl Checkpoints {
    /// In a folder, which is made if need be.
    ///
    /// # Errors
    /// When it cannot be, or when other users may write there.
    pub fn at(folder: &Path, build: &str) -> Result<Self, Refusal> {
        Ok(Self { folder: trust::folder(folder)?, build: build.into() })
    }

    /// Whether something can be written there.
    ///
    /// # Errors
    /// Why not.
    pub fn check_room(&self) -> io::Result<()> {
        check_room(&self.folder)
    }

    /// The file of a launch that has not been executed yet.
    pub fn file(&self, launch: &Launch, checked: bool) -> PathBuf {
        let key = Key::default().with(&self.build).with(checked).with(launch.grid).with(launch.block);
        let key = LaunchKeys::new(launch).of_all(key);
        self.folder.join(format!("{key:?}.launch"))
    }

    /// Does what the launch of this file has done, if it is there.
    pub fn restore(&self, file: &Path, launch: &mut Launch) -> SavedLaunch {
        let read = || -> Result<Vec<u8>, Refusal> {
            let mut bytes = vec![];
            trust::open(file)?.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = match read() {
            Ok(bytes) => bytes,
            Err(Refusal::Unusable(error)) if error.kind() == io::ErrorKind::NotFound => return SavedLaunch::Nothing,
            Err(Refusal::Unusable(error)) => {
                return SavedLaunch::Damaged(format!("{} cannot be read: {error}", file.display()));
            }
            Err(untrusted) => return SavedLaunch::Damaged(untrusted.to_string()),
        };
        let damaged = || SavedLaunch::Damaged(format!("{} is damaged", file.display()));
        let Some((content, hash)) = bytes.len().checked_sub(HASH).and_then(|at| bytes.split_at_checked(at)) else {
            return damaged();
        };
        if !content.starts_with(MAGIC) || hash != hash_of(content).as_bytes() {
            return damaged();
        }
        apply(&content[MAGIC.len()..], launch).map_or_else(damaged, SavedLaunch::Result)
    }

    /// Keeps what a launch has done: its memory before, and `after`, in the same order.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, file: &Path, counts: Counts, buffers: &[(&[u8], &[u8])]) -> io::Result<()> {
        let mut content = MAGIC.to_vec();
        content.extend(counts.thread_instructions.to_le_bytes());
        content.extend(counts.warp_instructions.to_le_bytes());
        put_changes(&mut content, buffers.iter().copied());
        content.extend(hash_of(&content).into_bytes());
        // Whoever reads it at the same time sees all of it, or nothing.
        let mut new = unfinished(0o600).tempfile_in(&self.folder)?;
        new.write_all(&content)?;
        new.persist(file)?;
        Ok(())
    }
}

fn hash_of(content: &[u8]) -> String {
    format!("{:?}", common::cache::Key::default().with(content))
}

/// Puts pages into memory.
fn apply(mut rest: &[u8], launch: &mut Launch) -> Option<Counts> {
    let counts = Counts { thread_instructions: number(&mut rest)?, warp_instructions: number(&mut rest)? };
    apply_changes(rest, &mut launch.buffers)?;
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::{super::pages::PAGE, *};
    use program::{Buffer, Target, kernels};
    use std::fs;

    #[test]
    fn results_are_those_of_the_same_launch_only() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path();
        let checkpoints = Checkpoints::at(folder, "this").expect("a folder");
        let builtin = kernels::find("vector_add").expect("it is there");
        let mut launch = builtin.launch(None, 1, &Target::default()).expect("it can be launched");
        launch.buffers.push(Buffer { name: "large".into(), data: vec![3; 3 * PAGE + 5] });
        let file = checkpoints.file(&launch, true);
        assert_eq!(checkpoints.restore(&file, &mut launch), SavedLaunch::Nothing);
        let mut after: Vec<Vec<u8>> = launch.buffers.iter().map(|buffer| buffer.data.clone()).collect();
        let last = after.len() - 1;
        after[last][3 * PAGE + 4] = 9;
        after[0][1] ^= 1;
        let counts = Counts { thread_instructions: 7, warp_instructions: 3 };
        let both = launch.buffers.iter().map(|buffer| &buffer.data[..]).zip(after.iter().map(|data| &data[..]));
        checkpoints.keep(&file, counts, &both.collect::<Vec<_>>()).expect("it can be written");
        // Anything else is another launch.
        let mut others = vec![];
        others.push(checkpoints.file(&launch, false));
        others.push(Checkpoints::at(folder, "other").expect("a folder").file(&launch, true));
        for change in 0..5 {
            let mut other = launch.clone();
            match change {
                0 => other.grid[1] += 1,
                1 => other.block[0] -= 1,
                2 => other.kernel.code[0] ^= 1,
                3 => other.buffers[0].data[0] ^= 1,
                _ => other.buffers[last].data.push(0),
            }
            others.push(checkpoints.file(&other, true));
        }
        assert!(!others.contains(&file) && others.iter().all(|other| !other.exists()));
        let mut restored = launch.clone();
        assert_eq!(checkpoints.restore(&file, &mut restored), SavedLaunch::Result(counts));
        assert!(restored.buffers.iter().zip(&after).all(|(buffer, after)| buffer.data == *after));
        // One bit of the file anywhere is told.
        let whole = fs::read(&file).expect("it is there");
        for at in [0, 8, 30, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(&file, &bytes).expect("written");
            let mut same = launch.clone();
            assert!(matches!(checkpoints.restore(&file, &mut same), SavedLaunch::Damaged(_)), "{at}");
            assert!(same.buffers.iter().zip(&launch.buffers).all(|(same, buffer)| same.data == buffer.data));
        }
        // What others may write is not taken, and what cannot be written leaves nothing.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::write(&file, &whole).expect("written");
            let mode =
                |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is ours");
            mode(&file, 0o666);
            let mut same = launch.clone();
            let SavedLaunch::Damaged(why) = checkpoints.restore(&file, &mut same) else {
                panic!("others may write it")
            };
            assert!(why.ends_with("may be written by other users (mode 666)"), "{why}");
            mode(&file, 0o600);
            assert_eq!(checkpoints.restore(&file, &mut same), SavedLaunch::Result(counts));
            mode(folder, 0o777);
            assert!(Checkpoints::at(folder, "this").is_err());
            mode(folder, 0o700);
        }
        let nowhere = folder.join("none").join("x.launch");
        checkpoints.keep(&nowhere, counts, &[]).expect_err("there is no such folder");
        assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1);
    }
}
