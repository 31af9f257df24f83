//! The arithmetic blocks and their native intrinsics against the host: directed corners, and a million random vectors
//! each.

// The package under test, by the name that others have for it.
extern crate warpmesh_core as simt_core;

mod arithmetic;
mod conversion;
mod doubles;
mod harness;
mod lockstep;
mod ordering;
mod pipelines;
mod special;

use testkit_base::{doubles as support, float_vectors as vectors, matrix};
