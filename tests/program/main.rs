//! PTX from its text to what the emulator computes: kernels of the project and with parameters, instructions by type, what
//! kernels need of a chip, launches, mistakes and mutated text.

mod dialects;
mod directed;
mod doubles;
mod errors;
mod features;
mod floats;
mod halves;
mod instructions;
mod integers;
mod kernels;
mod launch;
mod mutations;
mod patterns;
mod ptx_lines;
mod warps;

use testkit::{cuda_features, doubles as support, mutants, random_recursion};
