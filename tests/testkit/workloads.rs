//! The programs in `workloads/`: compiled with `warpmesh cc`, executed on a chip or on the emulator.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Names of all of them.
pub fn names() -> Vec<String> {
    let folder = crate::repository("workloads");
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let source = |file: PathBuf| {
        let is_source = file.extension().is_some_and(|end| end == "cu");
        is_source.then(|| file.file_stem().expect("a name").to_string_lossy().into_owned())
    };
    let mut names: Vec<_> = files.filter_map(|file| source(file.expect("a file").path())).collect();
    names.sort();
    names
}

/// Compiles one into `folder`.
pub fn compile(name: &str, folder: &Path) -> PathBuf {
    let source = crate::repository(&format!("workloads/{name}.cu"));
    let program = folder.join(name);
    let made = Command::new(crate::warpmesh()).arg("cc").arg(source).arg("-o").arg(&program).output().expect("it runs");
    assert!(made.status.success(), "{name}: {}", String::from_utf8_lossy(&made.stderr));
    program
}

/// Executes one on a chip with atomics, with these options of `warpmesh exec`; what it reports of its launches, or why
/// it went wrong.
pub fn execute(program: &Path, size: &str, options: &[&str]) -> Result<Value, String> {
    let report = program.with_extension(format!("{}.json", std::process::id()));
    let mut command = Command::new(crate::warpmesh());
    // What cargo says of libraries goes before what the program says.
    command
        .env_remove("LD_LIBRARY_PATH")
        .arg("exec")
        .args(["-P", "core.atomics=true"])
        .args(options)
        .arg("--report")
        .arg(&report)
        .arg("--")
        .arg(program)
        .arg(size);
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !output.status.success() {
        return Err(format!("{}{}", text(&output.stdout), text(&output.stderr)));
    }
    let read = fs::read_to_string(&report).map_err(|error| error.to_string())?;
    let _ = fs::remove_file(&report);
    serde_json::from_str(&read).map_err(|error| error.to_string())
}
