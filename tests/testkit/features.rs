//! The programs in `tests/cuda/programs/features/`: their cases by their sources, compiled with `warpmesh cc`, executed
//! on the emulator or a chip.

use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// The most that a program may take.
const LIMIT: Duration = Duration::from_secs(180);
/// A chip that has what the programs need, and is small.
pub const CHIP: [&str; 12] = [
    "--config",
    "small",
    "-P",
    "core.atomics=true",
    "-P",
    "core.double=\"1/2\"",
    "-P",
    "core.registers=128",
    "-P",
    "core.program_words=32768",
    "-P",
    "core.barriers=2",
];

/// What one case of a program shows.
pub struct Case {
    /// Its name.
    pub name: String,
    /// The feature or idiom.
    pub what: String,
    /// The kernels that stand between the case before and this one.
    pub kernels: Vec<String>,
}

/// A program.
pub struct FeatureProgram {
    /// Its name.
    pub name: String,
    /// Cases in order.
    pub cases: Vec<Case>,
    source: PathBuf,
}

/// All of them, by name.
pub fn programs() -> Vec<FeatureProgram> {
    let folder = crate::repository("tests/cuda/programs/features");
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut sources: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    sources.retain(|file| file.extension().is_some_and(|end| end == "cu"));
    sources.sort();
    let program = |source: PathBuf| {
        let text = fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        FeatureProgram { name, cases: cases(&text), source }
    };
    sources.into_iter().map(program).collect()
}

/// The cases of a source, by the lines that begin with `FEATURE(name, "what")`.
fn cases(text: &str) -> Vec<Case> {
    let mut found = vec![];
    let mut kernels = vec![];
    for line in text.lines() {
        if let Some(rest) = line.split_once("__global__").map(|(_, rest)| rest) {
            // The name stands before the parameters, bounds of the launch before both.
            let rest = rest
                .split_once("__launch_bounds__")
                .and_then(|(_, rest)| rest.split_once(')'))
                .map_or(rest, |(_, rest)| rest);
            let name = rest.split('(').next().and_then(|head| head.split_whitespace().last());
            kernels.extend(name.map(String::from));
        }
        if let Some((name, what)) = line.strip_prefix("FEATURE(").and_then(|rest| rest.split_once(", \"")) {
            let what = what.rsplit_once("\")").map_or(what, |(what, _)| what).replace("\\\"", "\"");
            found.push(Case { name: name.into(), what, kernels: std::mem::take(&mut kernels) });
        }
    }
    found
}

impl FeatureProgram {
    /// Compiles it into `folder`; the executable, or what the compiler says.
    pub fn compile(&self, folder: &Path) -> Result<PathBuf, String> {
        let program = folder.join(&self.name);
        run(Command::new(crate::warpmesh()).arg("cc").arg(&self.source).arg("-o").arg(&program))?;
        Ok(program)
    }

    /// The names of its kernels as PTX has them, each with what is wrong with it.
    pub fn kernels(&self, folder: &Path) -> Result<BTreeMap<String, Option<String>>, String> {
        let ptx = folder.join(format!("{}.ptx", self.name));
        run(Command::new(crate::warpmesh()).args(["cc", "-ptx"]).arg(&self.source).arg("-o").arg(&ptx))?;
        let mut command = Command::new(crate::warpmesh());
        command.args(["ptx", "--json", "--double", "--registers", "128"]).arg(&ptx);
        let output = command.output().map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let text = |value: &Value| value.as_str().map(String::from);
        let kernels = report["files"][0]["kernels"].as_array().cloned().unwrap_or_default();
        let named = |kernel: &Value| Some((text(&kernel["name"])?, text(&kernel["problems"][0]["message"])));
        Ok(kernels.iter().filter_map(named).collect())
    }
}

/// Whether PTX's name of a kernel is that of the source.
pub fn is_kernel(mangled: &str, name: &str) -> bool {
    mangled == name || mangled.contains(&format!("{}{name}", name.len()))
}

/// Executes cases of a program, or all, with options of `warpmesh exec`: those that are right, and everything that was
/// said.
pub fn execute(program: &Path, options: &[&str], cases: &[&str]) -> (BTreeSet<String>, String) {
    let mut command = Command::new(crate::warpmesh());
    command.arg("exec").args(CHIP).args(options).arg("--").arg(program).args(cases);
    let output = within_limit(&mut command);
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let out = said(&output.stdout);
    let right = out.lines().filter_map(|line| line.strip_prefix("ok ").map(String::from)).collect();
    (right, out + &said(&output.stderr))
}

/// What a program says before it ends, or is ended because it takes too long.
fn within_limit(command: &mut Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let start = Instant::now();
    // What programs say fits a pipe.
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > LIMIT {
            let _ = child.kill();
        }
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("a child")
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
