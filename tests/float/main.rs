//! The arithmetic blocks and their native intrinsics against the host: directed corners, and a million random vectors
//! each.

mod arithmetic;
mod conversion;
mod doubles;
mod harness;
mod lockstep;
#[path = "../support/matrix.rs"]
mod matrix;
mod ordering;
mod pipelines;
mod special;
mod vectors;

#[path = "../support/random.rs"]
mod random;
#[path = "../support/doubles.rs"]
mod support;
