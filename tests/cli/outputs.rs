//! Files that the program writes: reports, waveforms, Verilog; none replaces what it should not.

use super::{Folder, json};
use std::collections::BTreeMap;

const RUN: [&str; 6] = ["run", "small", "--kernel", "vector_add", "--size", "64"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

#[test]
fn out_holds_report_object_and_configuration() {
    let folder = Folder::new();
    let outcome = folder.run(&with(&["--json", "--out", "a/b"]));
    assert_eq!(outcome.code, 0);
    assert_eq!(folder.read("a/b/report.json"), outcome.stdout);
    assert!(folder.read("a/b/report.txt").starts_with("vector_add on small: completed, result verified\n"));
    // The written configuration is the same chip.
    let again = folder.run(&["run", "a/b/config.toml", "--kernel", "vector_add", "--size", "64", "--json"]);
    assert_eq!(json(&again)["core_cycles"], json(&outcome)["core_cycles"]);
    insta::assert_snapshot!("out_folder_is_there_already", folder.transcript(&with(&["--out", "a/b"])));
    assert_eq!(folder.run(&with(&["--out", "a/b", "--force"])).code, 0);
    folder.write("file", "");
    insta::assert_snapshot!("out_is_a_file", folder.transcript(&with(&["--out", "file"])));
}

#[test]
fn waves() {
    let folder = Folder::new();
    assert_eq!(folder.run(&with(&["--wave", "x.vcd:core0.front_end,memory0@100..120"])).code, 0);
    let vcd = folder.read("x.vcd");
    assert!(vcd.contains("$enddefinitions") && vcd.contains("front_end") && !vcd.contains("core1"));
    let view = ["--wave", "x.fst:core0", "--wave-view", "x.gtkw", "--wave-view", "x.sucl"];
    assert_eq!(folder.run(&with(&view)).code, 0);
    assert!(folder.read("x.gtkw").contains("+{front_end.warp0.state[1:0]} chip.core0.front_end.warp0.state[1:0]\n"));
    assert!(folder.read("x.sucl").contains("divider_add core0\nvariable_add chip.core0."));
    assert!(std::fs::metadata(folder.path("x.fst")).expect("written").len() > 1000);
    // Whatever is wrong with the wave that was asked for is bad input.
    let text = folder.transcripts(&[
        &with(&["--wave", "x.vcd"]),
        &with(&["--wave", "y.fst:cor0"]),
        &with(&["--wave", "y.fst:core0.frontend"]),
        &with(&["--wave", "nowhere/y.fst"]),
        &with(&["--wave", "y.fst", "--wave-view", "x.gtkw"]),
        &with(&["--wave", "y.fst:core0@0..9", "--wave-view", "nowhere/y.gtkw"]),
    ]);
    insta::assert_snapshot!(text);
    assert_eq!(folder.read("x.vcd"), vcd);
    assert_eq!(folder.run(&with(&["--wave", "x.vcd:memory0@0..10", "--force"])).code, 0);
    assert_ne!(folder.read("x.vcd"), vcd);
}

/// A window that the run does not reach leaves no file, and says so.
#[test]
fn a_wave_of_a_window_that_is_not_reached_is_told() {
    let folder = Folder::new();
    for file in ["x.fst", "x.vcd"] {
        let outcome = folder.run(&with(&["--wave", &format!("{file}:core0@500000..600000")]));
        let told = outcome.stderr.contains(&format!("{file} is not written: the run ended after "))
            && outcome.stderr.contains("its window begins at cycle 500000");
        assert!(outcome.code == 2 && told, "{}", outcome.stderr);
        assert!(outcome.stdout.contains("completed, result verified"), "the report is there");
        assert!(!folder.path(file).exists());
    }
    // A part of the window is something.
    assert_eq!(folder.run(&with(&["--wave", "x.vcd:memory0@10..600000"])).code, 0);
}

/// What cannot be written is told before anything is simulated; nothing unfinished is left.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = Folder::new();
    let disk = folder.path("disk");
    std::fs::create_dir(&disk).expect("made");
    let mounted =
        std::process::Command::new("mount").args(["-t", "tmpfs", "-o", "size=8k", "tmpfs"]).arg(&disk).status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("NOT TESTED: only root can mount a small disk");
        return;
    }
    std::fs::write(disk.join("all"), vec![1; 8192]).expect("it has as much");
    for option in ["--wave=disk/x.fst:core0", "--out=disk/out", "--issue-trace=disk/x.csv"] {
        let outcome = folder.run(&with(&[option]));
        let told = outcome.stderr.contains("cannot write disk/") && outcome.stderr.contains("No space left on device");
        assert!(outcome.code == 2 && outcome.stdout.is_empty() && told, "{option}: {}", outcome.stderr);
    }
    let left = std::fs::read_dir(&disk).expect("a folder").count();
    let unmounted = std::process::Command::new("umount").arg(&disk).status().expect("starts");
    assert!(unmounted.success() && left == 1);
}

/// Cycle 100 of the kernel is at 100 periods of the clock, however long the kernel took to load.
#[test]
fn windows_and_the_time_in_the_file_count_from_the_start_of_the_kernel() {
    let folder = Folder::new();
    for (window, cycles) in [("0..3", 0..3), ("100..120", 100..120)] {
        let spec = format!("x.vcd:core0.front_end@{window}");
        assert_eq!(folder.run(&with(&["--wave", &spec, "--force"])).code, 0);
        let text = folder.read("x.vcd");
        assert!(text.contains("$timescale 1 ps $end"), "{text}");
        let mut parser = vcd::Parser::new(text.as_bytes());
        let header = parser.parse_header().expect("a header");
        let find = |name: &str| header.find_var(&["chip", name]).expect("always there").code;
        let (clock, reset, cycle) = (find("clock"), find("reset"), find("cycle"));
        let (mut time, mut edges, mut resets, mut counted) = (0, vec![], vec![], vec![]);
        for command in parser {
            match command.expect("well-formed") {
                vcd::Command::Timestamp(now) => time = now,
                vcd::Command::ChangeScalar(id, bit) if id == clock => edges.push((time, bit == vcd::Value::V1)),
                vcd::Command::ChangeScalar(id, bit) if id == reset => resets.push(bit == vcd::Value::V1),
                vcd::Command::ChangeVector(id, bits) if id == cycle => {
                    counted.push((time, bits.iter().fold(0, |n, bit| n * 2 + u64::from(bit == vcd::Value::V1))));
                }
                _ => {}
            }
        }
        // At 602 MHz, in ps.
        let begins = |cycle: u64| (cycle * 1_000_000 + 301) / 602;
        let expected: Vec<_> =
            cycles.clone().flat_map(|cycle| [(begins(cycle), true), (begins(cycle) + 830, false)]).collect();
        assert_eq!(edges, expected);
        assert_eq!(counted, cycles.map(|cycle| (begins(cycle), cycle)).collect::<Vec<_>>());
        assert_eq!(resets, [false]);
    }
}

/// Names and contents of a folder's files.
fn contents(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path(name)).expect("a folder").map(|entry| entry.expect("readable"));
    entries
        .map(|e| (e.file_name().to_string_lossy().into_owned(), std::fs::read(e.path()).expect("readable")))
        .collect()
}

#[test]
fn export_is_reproducible_and_replaces_only_exports() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["export", "small", "--out", "a"]).code, 0);
    assert_eq!(folder.run(&["export", "small", "--out", "b"]).code, 0);
    let first = contents(&folder, "a");
    assert!(first.len() > 50 && first.contains_key("files.f"));
    assert_eq!(contents(&folder, "b"), first);
    // A smaller chip leaves no module of the larger one behind.
    assert_eq!(folder.run(&["export", "small", "-P", "core.warps=4", "--out", "b"]).code, 0);
    let smaller = contents(&folder, "b");
    assert!(smaller != first && smaller.len() <= first.len());
    std::fs::create_dir(folder.path("mine")).expect("made");
    folder.write("mine/thesis.txt", "all my work").write("file", "");
    let text = folder.transcripts(&[&["export", "small", "--out", "mine"], &["export", "small", "--out", "file"]]);
    insta::assert_snapshot!(text);
    assert_eq!(contents(&folder, "mine").len(), 1);
    assert_eq!(folder.run(&["export", "small", "--out", "mine", "--force"]).code, 0);
    assert_eq!(folder.read("mine/thesis.txt"), "all my work");
}
