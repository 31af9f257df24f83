//! The kernels that come with the project: PTX, data, and the expected result computed on the host.
//!
//! The CUDA C sources and the PTX are in `kernels/`. Expected results are exact: the host does the same operations in
//! the same order (with fused multiply-add where the PTX has it). Linear kernels: [`linear`]; matrices: [`matrix`];
//! graphs: [`graph`]. Access patterns with [`kernel_params`], which stand for the programs of Kim's thesis:
//! [`patterns`].

mod graph;
mod kernel_params;
mod linear;
mod matrix;
mod patterns;

pub use kernel_params::{KernelParamError, Setting};
pub use patterns::ALL as PATTERNS;

use kernel_params::NoParams;

use super::compile::{Kernel, Target, compile};
use super::error::PtxError;
use super::launch::Launch;
use super::random::Random;
use common::parameters::Parameter;

/// A kernel of the project.
pub struct Builtin {
    /// Name of the kernel and its files.
    pub name: &'static str,
    /// What it computes, and what is interesting about it.
    pub about: &'static str,
    /// PTX text.
    pub ptx: &'static str,
    /// The PTX file's path in the project.
    pub file: &'static str,
    /// Problem size when none is given: elements, matrix rows or graph nodes.
    pub default_size: u32,
    /// Largest problem size.
    pub max_size: u32,
    params: fn() -> Vec<Parameter>,
    prepare: fn(&'static str, &[Setting]) -> Result<Build, KernelParamError>,
}

/// Makes a launch of a size, with random data.
type Build = Box<dyn FnOnce(u32, &mut Random, Kernel) -> Launch>;

macro_rules! builtin {
    ($name:literal, $size:literal, $max:expr, $build:path, $about:literal) => {
        Builtin {
            name: $name,
            about: $about,
            ptx: include_str!(concat!("../../../kernels/", $name, ".ptx")),
            file: concat!("kernels/", $name, ".ptx"),
            default_size: $size,
            max_size: $max,
            params: kernel_params::declared::<NoParams>,
            prepare: |kernel, set| kernel_params::read::<NoParams>(kernel, set).map(|_| -> Build { Box::new($build) }),
        }
    };
}

/// Largest vector or graph.
const MAX_SIZE: u32 = 1 << 20;
/// Largest matrix, in rows.
const MAX_ROWS: u32 = 2048;

/// Those that run on every chip.
pub const ALL: &[Builtin] = &[
    builtin!("vector_add", 8192, MAX_SIZE, linear::vector_add, "c = a + b: streaming loads and stores"),
    builtin!("saxpy", 8192, MAX_SIZE, linear::saxpy, "y = alpha x + y: a grid-stride loop"),
    builtin!("matmul", 48, MAX_ROWS, matrix::matmul, "C = A B in 16 x 16 tiles: shared memory, barriers"),
    builtin!(
        "reduction",
        16384,
        MAX_SIZE,
        linear::reduction,
        "sums of blocks: a tree in shared memory, a barrier a level"
    ),
    builtin!(
        "transpose",
        64,
        MAX_ROWS,
        matrix::transpose,
        "transpose through padded tiles: shared memory, no bank conflicts"
    ),
    builtin!("collatz", 2048, MAX_SIZE, linear::collatz, "Collatz steps: a loop that threads leave at different times"),
    builtin!("gather", 4096, MAX_SIZE, linear::gather, "out = table[index]: loads that do not coalesce"),
    builtin!(
        "convolution",
        64,
        MAX_ROWS,
        matrix::convolution,
        "5 x 5 filter of a matrix: weights in constant memory, the same for all threads"
    ),
    builtin!("blur", 64, MAX_ROWS, matrix::blur, "mean of five neighbours in a picture: a texture in two dimensions"),
    builtin!("bfs", 2048, MAX_SIZE, graph::bfs, "one level of breadth-first search: divergence and scattered bytes"),
];

/// Those that need a chip with atomics.
pub const ATOMIC: &[Builtin] = &[builtin!(
    "histogram",
    16384,
    MAX_SIZE,
    linear::histogram,
    "64 bins: atomics in shared memory, then in global memory (core.atomics)"
)];

/// All kernels.
pub fn every() -> impl Iterator<Item = &'static Builtin> {
    ALL.iter().chain(ATOMIC).chain(PATTERNS)
}

/// The kernel with this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    every().find(|b| b.name == name)
}

impl Builtin {
    /// What it takes besides its size; most take nothing.
    pub fn params(&self) -> Vec<Parameter> {
        (self.params)()
    }

    /// Sets parameters; the others have their defaults.
    ///
    /// # Errors
    /// It has no such parameter, or the parameter does not take this value.
    pub fn with(&'static self, set: &[Setting]) -> Result<Tuned, KernelParamError> {
        Ok(Tuned { kernel: self, build: (self.prepare)(self.name, set)? })
    }

    /// Compiles the kernel and makes its data. `size` is limited to 1 ..= [`Self::max_size`].
    pub fn launch(&'static self, size: Option<u32>, seed: u64, target: &Target) -> Result<Launch, Box<PtxError>> {
        self.with(&[]).expect("defaults are in range").launch(size, seed, target)
    }
}

/// A kernel whose parameters are set.
pub struct Tuned {
    kernel: &'static Builtin,
    build: Build,
}

impl Tuned {
    /// Compiles the kernel and makes its data. `size` is limited to 1 ..= [`Builtin::max_size`].
    pub fn launch(self, size: Option<u32>, seed: u64, target: &Target) -> Result<Launch, Box<PtxError>> {
        let Builtin { ptx, file, name, default_size, max_size, .. } = *self.kernel;
        let kernel = compile(ptx, file, Some(name), target)?;
        let size = size.unwrap_or(default_size).clamp(1, max_size);
        Ok((self.build)(size, &mut Random::new(seed), kernel))
    }
}
