//! The stage is known to the commands, and counts what passes it.

use std::process::Command;

/// What a command prints; it must succeed.
fn output(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_own-stage")).args(args).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

const COUNTED: &str = "core.own_stages.line_counter=true";

#[test]
fn it_is_listed_in_its_place_and_in_the_schema() {
    let listed = output(&["list", "stages"]);
    let names: Vec<_> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    let expected = ["texture_path", "load_merge", "l1d", "line_counter", "line_order", "posted_writes"];
    assert_eq!(names, expected, "{listed}");
    assert!(output(&["schema"]).contains("\"line_counter\": {"));
}

/// Bytes of a line of both chips.
const LINE: u64 = 64;

/// The sum of a statistic over the cores.
fn sum(report: &str, statistic: &str) -> u64 {
    let value = |rest: &str| rest.split("\"value\": ").nth(1)?.split([',', '\n']).next()?.parse::<u64>().ok();
    report.split(&format!(".{statistic}\",")).skip(1).map(|rest| value(rest).expect("a number")).sum()
}

/// With a data cache and without: as many cycles as in a chip without it, and each line of two arrays read and of one
/// written once.
#[test]
fn a_kernel_runs_as_before_and_its_lines_are_counted() {
    let run = |chip: &str, settings: &[&str]| {
        let kernel = ["run", chip, "--kernel", "vector_add", "--size", "1024", "--json"];
        let report = output(&[&kernel, settings].concat());
        assert!(report.contains("\"verified\": true"), "{report}");
        report
    };
    let cycles = |report: &str| {
        let cycles = report.split("\"core_cycles\": ").nth(1).and_then(|rest| rest.split([',', '\n']).next());
        cycles.expect("cycles").to_string()
    };
    for chip in ["default", "kim-ch4"] {
        let (without, with) = (run(chip, &[]), run(chip, &["-P", COUNTED, "--stats", "line_counter"]));
        assert_eq!(cycles(&without), cycles(&with), "{chip}");
        let counted = ["reads", "writes"].map(|name| sum(&with, &format!("line_counter.{name}")));
        assert_eq!(counted, [2 * 1024 * 4 / LINE, 1024 * 4 / LINE], "{chip}");
    }
}

#[test]
fn its_verilog_and_its_area_are_those_of_a_chip_with_it() {
    let folder = std::env::temp_dir().join(format!("own-stage-{}", std::process::id()));
    output(&["export", "-P", COUNTED, "--out", folder.to_str().expect("text")]);
    let files = std::fs::read_dir(&folder).expect("the folder").map(|file| file.expect("a file").file_name());
    let stages = files.filter(|name| name.to_string_lossy().starts_with("line_counter")).count();
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(stages, 1);
    assert!(output(&["area", "-P", COUNTED]).contains("mm^2"));
}
