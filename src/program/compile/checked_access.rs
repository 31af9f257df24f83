//! What checks on memory have to know of a load or store.

/// The part of a PTX load or store that an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CheckedAccess {
    /// Above the 32 bits of the instruction's address.
    pub high: HighWord,
    /// Bytes of the whole.
    pub bytes: u32,
    /// Bytes of it before this instruction's.
    pub before: u32,
}

/// Where the high word of an address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HighWord {
    Register(u8),
    Constant(u32),
}
