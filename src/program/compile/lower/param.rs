//! A parameter of a kernel, and where it is.

use crate::ptx::types::ScalarType;
use std::ops::RangeInclusive;

/// Bytes of the parameter memory of a core.
pub const PARAM_BYTES: u64 = 4096;

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX file.
    pub name: String,
    /// PTX type.
    pub ty: ScalarType,
    /// Byte offset in the parameter block, of one that is there.
    pub offset: u32,
    /// Byte offset among the arguments as the host lays them out.
    pub argument_offset: u32,
    /// Where it is in constant memory, if it is there and not in the parameter block.
    pub constant: Option<u32>,
    /// Size in bytes.
    pub size: u32,
}

impl Param {
    /// Integers that fit. Compilers write `.u` for signed parameters, too, so that -1 fits `.u8` as well as 255 does.
    pub fn range(&self) -> RangeInclusive<i64> {
        let bits = 8 * self.size.min(4);
        let scalar = self.ty.bytes() == self.size;
        let top = if self.ty.is_signed() && scalar { bits - 1 } else { bits };
        -(1 << (bits - 1))..=(1 << top) - 1
    }
}

/// The end of the parameter block of a kernel with nothing but these.
pub fn block_end(params: &[Param]) -> u32 {
    let in_block = params.iter().filter(|param| param.constant.is_none());
    in_block.map(|param| param.offset + param.size).max().unwrap_or(0)
}
