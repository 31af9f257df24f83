//! IEEE 754 single precision as combinational blocks: add, multiply, fused multiply-add, minimum and maximum, comparison,
//! conversions. Round to nearest even, with subnormals, infinities and signed zeros.
//!
//! A result that is not a number is always [`NAN`] (`7fffffff`), as NVIDIA GPUs return it (CUDA C++ Programming Guide,
//! "Floating-Point Standard": canonical NaN), whatever the operands' payloads.
//!
//! * [`parts`]: taking operands apart, normalising, rounding and packing: shared by all that follows.
//! * [`arithmetic`]: one generator for add, multiply and fused multiply-add.
//! * [`compare`]: minimum, maximum, comparison. [`convert`]: to and from 32-bit integers.
//!
//! The arithmetic units and conversions have native twins, written with the host's `f32`, that simulation may call instead.
//! `tests/float/` compare unit, twin and host on directed corners and on a million random vectors each.

pub mod arithmetic;
pub mod compare;
pub mod convert;
mod parts;

pub use arithmetic::{fp32_add, fp32_fma, fp32_mul};
pub use compare::{fp32_compare, fp32_min_max};
pub use convert::{fp32_from_integer, fp32_to_integer};

/// The one NaN that the units return.
pub const NAN: u32 = 0x7fff_ffff;

/// Bits of a host result, with every NaN replaced by [`NAN`].
fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}
