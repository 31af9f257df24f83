//! Testbenches are compiled in by folder; and `WARPMESH_MODEL` is a hash of the sources that say what the state of a run
//! means, so that a run is continued only by what has begun it.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo::rerun-if-changed=../../testbenches");
    let mut files = vec![PathBuf::from("../../Cargo.lock")];
    for layer in ["../hdl", "../netlist", "../sim", "../program", "../rtl", "../measure"] {
        sources(Path::new(layer), &mut files);
        // New files too.
        println!("cargo::rerun-if-changed={layer}");
    }
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        // A published package has no others beside it.
        (file, fs::read(file).unwrap_or_default()).hash(&mut hash);
    }
    println!("cargo::rustc-env=WARPMESH_MODEL={:016x}", hash.finish());
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
