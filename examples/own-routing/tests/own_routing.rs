//! The routing is known to every command as those of the project are.

use std::process::Command;

/// What a command prints; it must succeed.
fn output(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_own-routing")).args(args).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

const WEST_FIRST: &str = "network.routing=west-first";

#[test]
fn it_is_in_lists_in_the_schema_and_in_errors() {
    let listed = output(&["list", "routings"]);
    let row = listed.lines().find(|line| line.trim_start().starts_with("west-first ")).expect("a row");
    assert!(row.contains("West first, then any minimal direction") && row.ends_with("Also: wf."), "{row}");
    assert!(output(&["schema"]).contains("\"const\": \"west-first\""));
    let wrong = Command::new(env!("CARGO_BIN_EXE_own-routing")).args(["check", "-P", "network.routing=south"]).output();
    let wrong = wrong.expect("it starts");
    assert_eq!(wrong.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&wrong.stderr);
    assert!(errors.contains("west-first"), "{errors}");
    let wrong = Command::new(env!("CARGO_BIN_EXE_own-routing"))
        .args(["check", "-P", WEST_FIRST, "-P", "network.topology=torus"])
        .output()
        .expect("it starts");
    assert_eq!(wrong.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&wrong.stderr);
    assert!(errors.contains("west-first works on mesh"), "{errors}");
}

#[test]
fn check_proves_it_free_of_deadlock_and_compares_its_hardware_with_it() {
    let printed = output(&["check", "-P", "network.routing=wf"]);
    assert!(printed.contains("network free of deadlock: "), "{printed}");
}

/// Packets of a kernel arrive; a network under load delivers all of them.
#[test]
fn a_kernel_runs_to_its_verified_end() {
    let report = output(&["run", "--kernel", "transpose", "--size", "32", "-P", WEST_FIRST, "--json"]);
    assert!(report.contains("\"verdict\": \"completed\"") && report.contains("\"verified\": true"), "{report}");
    output(&["noc", "-P", WEST_FIRST, "--rate", "0.05", "--warmup", "200", "--measure", "500"]);
}

#[test]
fn its_verilog_and_its_area_are_those_of_a_chip_with_it() {
    let folder = std::env::temp_dir().join(format!("own-routing-{}", std::process::id()));
    output(&["export", "-P", WEST_FIRST, "--out", folder.to_str().expect("text")]);
    let files = std::fs::read_dir(&folder).expect("the folder").map(|file| file.expect("a file").file_name());
    let routers = files.filter(|name| name.to_string_lossy().contains("algorithm_WestFirst")).count();
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(routers > 0);
    assert!(output(&["area", "-P", WEST_FIRST]).contains("mm^2"));
}
