//! Gives the simulator an identity of its own, `WARPMESH_BUILD`: a hash of its sources, of those of what it simulates,
//! of the versions that it depends on and of the compiler. Cached machine code is used only by the very simulator that
//! has generated it.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    let mut files = vec![PathBuf::from("../../Cargo.toml"), PathBuf::from("../../Cargo.lock")];
    for layer in ["../hdl", "../netlist", "../sim"] {
        sources(Path::new(layer), &mut files);
        // New files too.
        println!("cargo::rerun-if-changed={layer}");
    }
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        // A published package may come without a lock file.
        (file, fs::read(file).unwrap_or_default()).hash(&mut hash);
    }
    for name in ["TARGET", "PROFILE", "OPT_LEVEL", "CARGO_ENCODED_RUSTFLAGS"] {
        env::var_os(name).hash(&mut hash);
    }
    let compiler = env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("-vV").output().ok());
    compiler.map(|output| output.stdout).hash(&mut hash);
    println!("cargo::rustc-env=WARPMESH_BUILD={:016x}", hash.finish());
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, files),
            false => files.push(path),
        }
    }
}
