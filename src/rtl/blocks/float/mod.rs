//! IEEE 754 single and double precision as combinational blocks: add, multiply, fused multiply-add, minimum and
//! maximum, comparison, conversions, special functions. Round to nearest even, with subnormals, infinities and signed
//! zeros. What both precisions have is one generator for any [`Format`].
//!
//! A result that is not a number is always [`NAN`] (`7fffffff`, of doubles `7fffffffffffffff`), as NVIDIA GPUs return
//! it (CUDA C++ Programming Guide, "Floating-Point Standard": canonical NaN), whatever the operands' payloads.
//!
//! * [`parts`]: taking operands apart, normalising, rounding and packing: shared by all that follows.
//! * [`arithmetic`]: one generator for add, multiply and fused multiply-add.
//! * [`compare`]: minimum, maximum, comparison. [`convert`]: to and from integers. [`precision`]: from one precision to the other. [`special`]: reciprocals, roots, logarithms, powers, sines.
//!
//! The arithmetic units and conversions have native intrinsics, written with the host's `f32` and `f64`, that
//! simulation may call instead. `tests/blocks/float/` compare unit, intrinsic and host on directed corners and on a million
//! random vectors each.

pub mod arithmetic;
pub mod compare;
pub mod convert;
mod parts;
pub mod precision;
pub mod special;

pub use arithmetic::{FMA_CUTS, Fma, Fp32Add, Fp32Mul, fp32_add, fp32_fma, fp32_mul, fp64_fma};
pub use compare::{Fp32Compare, Fp32MinMax, Fp64Relation, fp32_compare, fp32_min_max, fp64_relation};
pub use convert::{
    FROM_INTEGER_CUTS, FromInteger, TO_INTEGER_CUTS, ToInteger, fp32_from_integer, fp32_to_integer, fp64_from_integer,
    fp64_to_integer,
};
pub use parts::Format;
pub use precision::{PRECISION_CUTS, Precision, fp32_to_fp64, fp64_to_fp32};
pub use special::{Fp32Special, SPECIAL_CUTS, SPECIAL_FUNCTIONS, fp32_special};

/// The one NaN that the units return.
pub const NAN: u32 = 0x7fff_ffff;

/// Bits of a host result, with every NaN replaced by [`NAN`].
fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

/// The same of double precision.
fn canonical_double(value: f64) -> u64 {
    if value.is_nan() { Format::DOUBLE.nan() } else { value.to_bits() }
}
