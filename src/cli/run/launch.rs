//! The launch that a command is about.

use crate::{Failure, nearest::nearest};
use common::short::shortened;
use program::{
    Launch, Target,
    kernels::{self, Setting},
    launch_file,
};
use rtl::chip::Chip;
use std::path::Path;

/// The launch of a file, or else of a kernel that comes with the program, for the cores of `chip`.
pub fn read_launch(
    chip: &Chip,
    file: Option<&Path>,
    kernel: &str,
    shape: (Option<u32>, &[Setting]),
    seed: u64,
) -> Result<Launch, Failure> {
    let target = chip.target();
    match file {
        Some(file) => launch_file::load(file, seed, &target).map_err(Failure::input),
        None => kernel_launch(kernel, shape, seed, &target),
    }
}

/// A kernel that comes with the program, with its size and its parameters.
pub fn kernel_launch(
    name: &str,
    (size, params): (Option<u32>, &[Setting]),
    seed: u64,
    target: &Target,
) -> Result<Launch, Failure> {
    let Some(kernel) = kernels::find(name) else {
        let names: Vec<_> = kernels::every().map(|k| k.name).collect();
        return Err(Failure::input_message(
            format!("there is no kernel `{}`", shortened(name)),
            format!("{}; a kernel of your own: --launch FILE.toml", nearest(name, &names)),
        ));
    };
    if let Some(size) = size.filter(|size| !(1..=kernel.max_size).contains(size)) {
        return Err(Failure::input_message(
            format!("kernel `{}` cannot have size {size}", kernel.name),
            format!("allowed: 1 to {}", kernel.max_size),
        ));
    }
    let tuned = kernel.with(params).map_err(|error| Failure::input_message(&error, error.help()))?;
    tuned.launch(size, seed, target).map_err(|error| Failure::input(*error))
}
