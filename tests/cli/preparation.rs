//! What it takes to prepare a simulation: estimates, and memory that runs out.

use super::{Folder, json};
use std::process::Command;

/// A limit of the process is what every system refuses memory by.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_runs_out_is_said() {
    let program = assert_cmd::cargo::cargo_bin!("warpmesh");
    let limited = "ulimit -v $1; shift; exec \"$@\"";
    let kilobytes = LIMIT_KILOBYTES.to_string();
    let mut command = Command::new("sh");
    command.args(["-c", limited, "sh", &kilobytes]).arg(program).args([
        "run",
        "baseline-8x8",
        "--no-cache",
        "--threads",
        "1",
    ]);
    let output = command.output().expect("a shell");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(5), 0), "{message}");
    assert!(message.contains("out of memory: ") && message.contains("help: `warpmesh check`"), "{message}");
}

/// Enough to start the program, with all that is mapped of its file, and not enough to compile a chip of 64 nodes.
const LIMIT_KILOBYTES: u64 = 115_000;

#[test]
fn check_estimates_what_a_simulation_takes() {
    let folder = Folder::new();
    let estimate = |config: &str| {
        let object = json(&folder.run(&["check", config, "--json"]));
        let of = |field: &str| object["simulation"][field].as_f64().expect("a number");
        (of("compile_seconds"), of("memory_bytes"))
    };
    let (small, large) = (estimate("small"), estimate("default"));
    assert!(small.0 < large.0 && small.1 < large.1, "{small:?}, {large:?}");
    let report = json(&folder.run(&["run", "default", "--kernel", "vector_add", "--no-cache", "--json"]));
    let peak = report["peak_memory_bytes"].as_f64().expect("a number");
    assert!((peak / 3.0..3.0 * peak).contains(&large.1), "{large:?}, not {peak}");
}
