//! PTX from its text to what the emulator computes: kernels of the project and with parameters, instructions by type, what
//! kernels need of a chip, launches, mistakes and mutated text.

#[path = "../support/cuda_features.rs"]
mod cuda_features;
mod dialects;
#[path = "../support/directed.rs"]
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
#[path = "../support/mutants.rs"]
mod mutants;
mod mutations;
mod patterns;
#[path = "../support/ptx_lines.rs"]
mod ptx_lines;
#[path = "../support/random_recursion.rs"]
mod random_recursion;
#[path = "../support/doubles.rs"]
mod support;
mod warps;
