//! Software arithmetic: what no unit of a core computes, from what the units do compute.
//!
//! Integers: [`divide`], [`divide_wide`] (64 bits). Floats, correctly rounded: [`float_divide`], [`square_root`],
//! [`double_divide`] (with roots), and [`directed`], which takes their results to the other directions of rounding.
//! Floats within the bounds of the PTX manual: [`transcendental`]. A row of the instruction table names a function here;
//! it emits operations through [`Lowering`](super::Lowering) like all others.

pub(super) mod directed;
pub(super) mod divide;
pub(super) mod divide_wide;
pub(super) mod double_divide;
pub(super) mod float_divide;
pub(super) mod square_root;
pub(super) mod transcendental;
