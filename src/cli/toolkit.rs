//! `warpmesh toolkit`: a folder with the layout of a CUDA toolkit, for makefiles and configure scripts.
//!
//! ```text
//! DIR/bin/nvcc                      a script that calls `warpmesh cc`
//! DIR/include/                      the headers
//! DIR/lib64/libcudart.so, ...       links to the runtime library, by the names that linkers and loaders look for
//! DIR/version.json                  the version of CUDA whose functions there are
//! ```

use super::{Failure, cc};
use clap::Args;
use std::{
    env, fs, io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

/// Makes a folder with the layout of a CUDA toolkit: `make CUDA_PATH=DIR` builds a program with its own makefile.
///
/// DIR/bin/nvcc calls this program, DIR/include holds the headers, DIR/lib64 the runtime by the names libcudart.so and libcuda.so. The
/// folder refers to this program where it is now: make it again when the program has moved.
#[derive(Args, Debug)]
pub struct Toolkit {
    /// The folder, which must not exist or be empty.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Replace a toolkit that an earlier call has made there.
    #[arg(long)]
    force: bool,
}

/// Names of the runtime library, as linkers (`-lcudart`) and loaders (its soname) look for them.
const LIBRARIES: [&str; 5] = ["libcudart.so", "libcudart.so.11.0", "libcuda.so", "libcuda.so.1", "libcudadevrt.so"];
/// Static libraries: scripts of the linker that name the shared one.
const SCRIPTS: [&str; 2] = ["libcudart_static.a", "libcudadevrt.a"];
/// What says that a folder is a toolkit of ours.
const MARK: &str = "version.json";

impl Toolkit {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let folder = &self.folder;
        let shown = folder.display();
        let is_empty = fs::read_dir(folder).map_or(!folder.exists(), |mut files| files.next().is_none());
        if !is_empty {
            let ours = fs::read_to_string(folder.join(MARK)).is_ok_and(|text| text.contains("warpmesh"));
            if !ours {
                return Err(Failure::input_message(
                    format!("{shown} exists and is no toolkit of warpmesh"),
                    "name a folder that does not exist",
                ));
            }
            if !self.force {
                return Err(Failure::input_message(format!("{shown} exists"), "--force replaces it"));
            }
            for name in ["bin", "include", "lib64", "lib", MARK] {
                let path = folder.join(name);
                let removed = if path.is_dir() && !path.is_symlink() {
                    fs::remove_dir_all(&path)
                } else {
                    fs::remove_file(&path)
                };
                removed
                    .or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
                    .map_err(|error| Failure::new(2, format!("{} cannot be replaced: {error}", path.display())))?;
            }
        }
        let library = cc::library()?.join(cc::LIBRARY);
        let program = env::current_exe().map_err(|error| Failure::new(2, error))?;
        write(folder, &program, &library)
            .map_err(|error| Failure::new(2, format!("{shown} cannot be written: {error}")))?;
        eprintln!("{shown}: CUDA {} for the chip; make CUDA_PATH={shown}, or PATH={shown}/bin:$PATH", cc::CUDA_VERSION);
        Ok(())
    }
}

fn write(folder: &Path, program: &Path, library: &Path) -> io::Result<()> {
    let [bin, include, libraries] = ["bin", "include", "lib64"].map(|name| folder.join(name));
    for folder in [&bin, &include, &libraries] {
        fs::create_dir_all(folder)?;
    }
    let nvcc = bin.join("nvcc");
    let quoted = program.display().to_string().replace('\'', "'\\''");
    fs::write(&nvcc, format!("#!/bin/sh\nexec '{quoted}' cc \"$@\"\n"))?;
    fs::set_permissions(&nvcc, fs::Permissions::from_mode(0o755))?;
    for (path, text) in cuda::headers() {
        let path = include.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    symlink(library, libraries.join(cc::LIBRARY))?;
    for name in LIBRARIES {
        symlink(cc::LIBRARY, libraries.join(name))?;
    }
    for name in SCRIPTS {
        fs::write(
            libraries.join(name),
            format!("/* The runtime is a shared library. */\nINPUT({})\n", library.display()),
        )?;
    }
    symlink(".", libraries.join("stubs"))?;
    symlink("lib64", folder.join("lib"))?;
    let version = cc::CUDA_VERSION;
    let about = format!("warpmesh {}", env!("CARGO_PKG_VERSION"));
    fs::write(folder.join(MARK), format!("{{\"cuda\": {{\"name\": \"{about}\", \"version\": \"{version}.0\"}}}}\n"))
}
