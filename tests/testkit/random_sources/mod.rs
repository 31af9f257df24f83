//! Random CUDA programs with what is in headers and needs the whole compiler: registers in memory, recursion, half
//! precision and bfloat16, the device's heap, cooperative groups, surfaces, 64-bit atomics on shared memory. Each
//! kernel is executed on the device and, by the same source, on the host: what a thread does alone is one function for
//! both, what it does with others is written twice ([`generate`], `model.h`).

mod generate;

use std::{
    fs,
    process::{Command, Output},
};

pub use generate::program;

/// A small chip that has what they need.
pub const CHIP: [&str; 6] = ["--config", "small", "-P", "core.atomics=true", "-P", "core.program_words=32768"];

/// Kernels of a program: so many share the time that compiling takes.
pub const KERNELS: u64 = 20;

/// Compiles the kernels of seeds from `first` on and executes them, with these options of `warpmesh exec`; the number
/// of kernels, or what went wrong.
pub fn check(first: u64, count: u64, options: &[&str]) -> Result<u64, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, program) = (folder.path().join("random.cu"), folder.path().join("random"));
    fs::write(&source, generate::program(first..first + count)).map_err(|error| error.to_string())?;
    let model = crate::repository("tests/testkit/random_sources");
    let level = ["-O1", "-O2", "-O3"][(first / KERNELS % 3) as usize];
    let mut cc = Command::new(crate::warpmesh());
    cc.args(["cc", level, "-w", "-I"]).arg(model).arg(&source).arg("-o").arg(&program);
    done(&cc.output().map_err(|error| error.to_string())?)?;
    let mut exec = Command::new(crate::warpmesh());
    // What cargo says of libraries goes before what the program says.
    exec.env_remove("LD_LIBRARY_PATH").arg("exec").args(options).arg("--").arg(&program);
    done(&exec.output().map_err(|error| error.to_string())?)?;
    Ok(count)
}

fn done(output: &Output) -> Result<(), String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = || format!("{}{}", text(&output.stdout), text(&output.stderr));
    if output.status.success() { Ok(()) } else { Err(said()) }
}
