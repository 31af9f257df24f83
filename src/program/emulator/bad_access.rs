//! Loads and stores, and what is wrong with those that cannot be.

use std::fmt;

/// A load or store that PTX does not allow, or the chip cannot do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("instruction {pc} (PTX line {line}), block {block:?}, thread {thread:?}: {access}: {fault}")]
pub struct BadAccess {
    /// Address of the instruction.
    pub pc: usize,
    /// Line in the PTX file.
    pub line: u32,
    /// Index of the block.
    pub block: [u32; 3],
    /// Index of the thread in it.
    pub thread: [u32; 3],
    /// How many thread instructions had been executed, this one included (of a warp, all of its threads).
    pub number: u64,
    /// What was done.
    pub access: EmulatedAccess,
    /// What is wrong with it.
    pub fault: Fault,
}

/// A load or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmulatedAccess {
    /// Its memory.
    pub space: Space,
    /// It writes.
    pub store: bool,
    /// Bytes; of a vector, all of them.
    pub bytes: u32,
    /// Where it starts.
    pub address: u64,
}

impl fmt::Display for EmulatedAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { space, store, bytes, address } = self;
        let (what, space) = (if *store { "store" } else { "load" }, space.name());
        let noun = if *bytes == 1 { "byte" } else { "bytes" };
        write!(f, "{what} of {bytes} {noun} at {space} address {address:#x}")
    }
}

/// A memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Of all threads.
    Global,
    /// Of a block.
    Shared,
    /// Parameters of the kernel.
    Param,
    /// Constants of the kernel.
    Const,
}

impl Space {
    /// Its PTX name, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Param => "param",
            Self::Const => "constant",
        }
    }
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// Not, or not all of it, in memory that there is.
    #[error("there is no such memory")]
    Outside,
    /// The address is no multiple of the number of bytes.
    #[error("misaligned: the address is not a multiple of the size of the access")]
    Unaligned,
    /// A store to a constant.
    #[error("constants cannot be changed")]
    ReadOnly,
    /// More bits than the chip's addresses have.
    #[error("the address has more than 32 bits")]
    Wide,
    /// A byte of it nobody has written.
    #[error("it was never written")]
    Uninitialised,
    /// A thread of another warp has accessed it since the last barrier, or one of another block.
    #[error("a race with thread {other}, PTX line {line}")]
    Race {
        /// Number of that thread in its block.
        other: u32,
        /// Number of that block, where it is another one.
        block: Option<u32>,
        /// PTX line of its access.
        line: u32,
    },
    /// Threads of the warp that an instruction names do not execute it with the others.
    #[error("threads {missing:#x} of the warp do not take part")]
    Apart {
        /// A bit for each.
        missing: u32,
    },
    /// `trap`, or a failed `assert`.
    #[error("trap")]
    Trap,
    /// Nothing: somebody wants to know of this access.
    #[error("asked for")]
    Watched,
}
