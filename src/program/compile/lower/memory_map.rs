//! Where in memory the variables of a kernel are.

/// Constant memory is the part of global memory from here on.
pub const CONSTANTS_START: u32 = 256;
/// Bytes of constant memory, as PTX has it.
pub const CONSTANT_BYTES: u32 = 65_536;
/// Where it ends at the latest.
pub const CONSTANTS_END: usize = (CONSTANTS_START + CONSTANT_BYTES) as usize;
/// Variables in global memory are from here on, behind all constants.
pub const GLOBALS_START: u32 = (CONSTANTS_END as u32).next_multiple_of(256);
/// Generic addresses of shared memory start here: the sign bit tells.
pub const SHARED_WINDOW: u32 = 1 << 31;

/// A variable in constant memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Name in the PTX file.
    pub name: String,
    /// Where it is in global memory.
    pub address: u32,
    /// What it holds.
    pub data: Vec<u8>,
}

impl Constant {
    /// Behind its last byte.
    pub fn end(&self) -> u32 {
        self.address + self.data.len() as u32
    }
}

/// Local memory of the threads of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// Bytes of each thread.
    pub bytes: u32,
    /// Byte offset in the parameter block of the word with the address of all of it.
    pub offset: u32,
}
