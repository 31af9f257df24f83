//! What tests of every part of the hardware share, and know no hardware for: engines and passes under test ([`matrix`]), how much of a
//! campaign a test does ([`campaign`]), random netlists, programs and kernels, kernels of any size, numbers to compute with.
//!
//! It is linked with tests and benches alone.

#![forbid(unsafe_code)]

pub mod assembling;
pub mod campaign;
pub mod cuda;
pub mod cuda_features;
pub mod doubles;
pub mod float_vectors;
pub mod large_kernels;
pub mod matrix;
pub mod netlist;
pub mod random_program;

use ::program;
use std::path::{Path, PathBuf};

/// A file or folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path)
}
