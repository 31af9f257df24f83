//! The arithmetic blocks and their native intrinsics against the host: directed corners, and a million random vectors
//! each.

mod arithmetic;
mod conversion;
mod doubles;
mod harness;
mod lockstep;
mod ordering;
mod pipelines;
mod special;

use testkit::{doubles as support, float_vectors as vectors, matrix};
