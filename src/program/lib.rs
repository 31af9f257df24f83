//! Programs: from PTX to what the chip executes.
//!
//! Text goes through [`ptx`] (tokens, syntax tree) and [`mod@compile`] (control flow, instruction table, allocation)
//! into a [`Kernel`]: words of the instruction set [`isa`]. [`error`] shows what is wrong at its place in the file.
//!
//! A kernel with its data is a [`Launch`]: from the [`kernels`] that come with the project, each with the result
//! computed on the host, or from a user's [`launch_file`]; a [`run_file`] has several. [`emulator`] runs one without
//! the chip.
//!
//! * [`link`]: programs of several PTX files.
//! * [`memcheck`]: checks on memory: a launch executed once more, apart from the chip.
//! * [`semantics`]: what each instruction computes; used by the constant folder and the emulator. [`special`]: special functions, with the table of their unit.

pub mod compile;
pub mod emulator;
pub mod error;
pub mod isa;
pub mod kernels;
pub mod launch;
pub mod launch_file;
pub mod link;
pub mod memcheck;
pub mod ptx;
pub mod run_file;
pub mod semantics;
pub mod special;

pub use common::random;
pub use compile::{
    Beyond, CONSTANT_BYTES, CONSTANTS_END, CONSTANTS_START, CodeLine, Constant, Exchange, FEWEST_REGISTERS, Feature,
    GLOBALS_START, Kernel, Local, MOST_REGISTERS, PARAM_BYTES, Param, PtxSource, Requirement, SHARED_WINDOW,
    STACK_BYTES, SURFACE_BYTES, Slices, Spill, SurfaceShape, Surveyed, TRAP_ADDRESSES, Target, Texel, Texture,
    TextureBinding, TextureFormat, TextureFormats, Trap, compile, compile_for, from_tiles, in_tiles, stored_bytes,
    supported_ptx, supported_ptx_by_group, surface_description, survey,
};
pub use error::{PtxError, PtxErrorKind};
pub use launch::{Argument, Buffer, Check, Launch, LaunchError, Mismatch, Placement, Tolerance};
