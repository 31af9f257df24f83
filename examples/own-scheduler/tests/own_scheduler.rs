//! The scheduler is known to the commands, and it is the one that runs.

use std::process::Command;

/// What a command prints; it must succeed.
fn output(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_own-scheduler")).args(args).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn it_is_listed() {
    let listed = output(&["list", "schedulers"]);
    let row = listed.lines().find(|line| line.trim_start().starts_with("lowest-first ")).expect("a row");
    assert!(row.ends_with("The ready warp with the lowest number: fixed priorities."), "{row}");
}

/// Every other scheduler of the same name in the hardware would be shared: cycles tell that it is not.
#[test]
fn a_kernel_runs_with_it_in_cycles_of_its_own() {
    let run = |scheduler: &str| {
        let scheduler = format!("core.scheduler={scheduler}");
        let report = output(&["run", "--kernel", "matmul", "--size", "16", "-P", &scheduler, "--json"]);
        assert!(report.contains("\"verified\": true"), "{report}");
        let cycles = report.split("\"core_cycles\": ").nth(1).expect("cycles");
        cycles.split([',', '\n']).next().expect("a number").parse::<u64>().expect("a number")
    };
    assert_ne!(run("lowest-first"), run("round-robin"));
}
