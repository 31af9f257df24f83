//! What emulated launches have computed, kept in a folder: a program that is run again takes it from there.
//!
//! A file is named by a hash of 128 bits of everything that a launch depends on: kernel, shape, arguments, constants,
//! textures, and the contents and addresses of all memory. So the result of another launch is never taken, whatever the
//! program or the configuration; and a program whose host decides by what the device has computed goes the same way as
//! before. It holds the pages of memory that the launch has changed, and a hash of itself. What others may have written
//! is not taken ([`trust`]): a forged result is as good as a computed one.

use super::pages::{apply_changes, number, put_changes};
use crate::launch_key::with_launch;
use common::{
    cache::Key,
    output::{check_room, unfinished},
    trust::{self, Refusal},
};
use program::{Kernel, Launch};
use std::{
    io::{self, Read, Write},
    ops::Range,
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
        let mut key = Key::default().with(&self.build).with(checked).with(launch.grid).with(launch.block);
        if let Some(placement) = &launch.placement {
            key = key.with((&placement.addresses, placement.window, read_arguments(&launch.kernel, &placement.args)));
        }
        let key = with_launch(key, launch);
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

/// Arguments without the bytes that the kernel does not read: what lies between the fields of a structure is anything.
pub(super) fn read_arguments(kernel: &Kernel, args: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let text = kernel.source.as_ref().map_or("", |source| &source.text);
    let read = |(param, arg): (&program::Param, &Vec<u8>)| {
        let mut read = vec![text.is_empty(); arg.len()];
        let mut mark = |bytes: Range<usize>| match read.get_mut(bytes) {
            Some(bytes) => bytes.fill(true),
            None => read.fill(true),
        };
        for line in text.lines().filter(|line| mentions(line, &param.name)) {
            match loaded(line, &param.name) {
                Some(bytes) => mark(bytes),
                None if line.trim_start().starts_with(".param") => {}
                // Its address, or something else.
                None => mark(0..arg.len()),
            }
        }
        arg.iter().zip(read).map(|(&byte, read)| if read { byte } else { 0 }).collect()
    };
    kernel.params.iter().zip(args).map(read).collect()
}

/// Whether a line has a name in it.
fn mentions(line: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    line.match_indices(name).any(|(at, _)| !line[..at].ends_with(part) && !line[at + name.len()..].starts_with(part))
}

/// The bytes of a parameter that a line loads, if that is all that it does: `ld.param.v2.f32 {%f1, %f2}, [name+8];`.
fn loaded(line: &str, param: &str) -> Option<Range<usize>> {
    let (mnemonic, operands) = line.trim().strip_suffix(';')?.split_once(char::is_whitespace)?;
    let modifiers = mnemonic.strip_prefix("ld.param.")?;
    let (lanes, ty) = match modifiers.split_once('.') {
        None => (1, modifiers),
        Some(("v2", ty)) => (2, ty),
        Some(("v4", ty)) => (4, ty),
        Some(_) => return None,
    };
    let bits: usize = ty.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok()?;
    let (_, place) = operands.split_once('[')?;
    let offset = place.strip_suffix(']')?.strip_prefix(param)?;
    let offset: usize = if offset.is_empty() { 0 } else { offset.strip_prefix('+')?.parse().ok()? };
    Some(offset..offset.checked_add(lanes * bits / 8)?)
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
    fn bytes_of_arguments_that_nobody_reads_do_not_count() {
        let ptx = ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(\n.param .align 8 .b8 s[32],\n.param .u32 n,\n.param .align 4 .b8 t[8]\n)\n{\n\
                   .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 \t%rd1, [s+8];\nld.param.s8 %r1, [s+17];\nld.param.u32 %r2, [n];\nmov.b64 %rd2, t;\n\
                   add.u32 %r1, %r1, %r2;\nst.global.u32 [%rd1], %r1;\nst.global.u64 [%rd1], %rd2;\nret;\n}\n";
        let mut kernel =
            kernels::find("vector_add").expect("it is there").launch(None, 1, &Target::default()).expect("one").kernel;
        kernel.source = Some(std::sync::Arc::new(program::PtxSource { file: "k.ptx".into(), text: ptx.into() }));
        let param = |name: &str| program::Param { name: name.into(), ..kernel.params[0].clone() };
        kernel.params = vec![param("s"), param("n"), param("t")];
        let args = [vec![1; 32], vec![1; 4], vec![1; 8]];
        let read = read_arguments(&kernel, &args);
        assert_eq!(read[0][..18], [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1]);
        assert_eq!((read[0].iter().sum::<u8>(), &read[1..]), (9, &args[1..]));
        assert_eq!(loaded("ld.param.v2.f32 {%f1, %f2}, [s+8];", "s"), Some(8..16));
        for other in
            ["@%p1 ld.param.u32 %r1, [s];", "ld.param.u32 %r1, [st];", "ld.param.pred %p1, [s];", "mov.u64 %rd1, s;"]
        {
            assert_eq!(loaded(other, "s"), None, "{other}");
        }
    }

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
