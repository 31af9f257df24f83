//! Commands that show what there is: help, list, schema, check; and outputs that nobody reads.

use super::{Folder, json};
use std::process::{Command, Stdio};

#[test]
fn help() {
    let help: Vec<&[&str]> = vec![
        &["--help"],
        &["run", "--help"],
        &["export", "--help"],
        &["check", "--help"],
        &["list", "--help"],
        &["noc", "--help"],
        &["area", "--help"],
        &["compare", "--help"],
        &["sweep", "--help"],
        &["report", "--help"],
        &["ptx", "--help"],
        &["schema", "--help"],
        &["completions", "--help"],
        &["docs", "--help"],
    ];
    insta::assert_snapshot!(Folder::new().transcripts(&help));
}

#[test]
fn lists() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.transcripts(&[&["list"], &["list", "kernels"], &["list", "kernel-params"]]));
    let ptx = folder.run(&["list", "ptx"]);
    assert_eq!(ptx.code, 0);
    assert!(ptx.stdout.lines().any(|line| line == "membar.{cta,gl,sys}"), "{}", ptx.stdout);
}

/// A pattern that matches nothing is said, with what may be meant.
#[test]
fn lists_by_pattern() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.transcripts(&[
        &["list", "configs", "ch6"],
        &["list", "statistics", "warp", "output_unit.flits_*"],
        &["list", "ptx", "membar*"],
        &["list", "configs", "bakhoda-ch7"],
        &["list", "statistics", "core0.front_end.ba*"],
        &["list", "statistics", "cor0.front_end"],
        &["list", "statistics", "l1d.*", "--config", "small-l1"],
        &["list", "statistics", "frontend.instructions"],
        &["list", "statistics", "warp", "zzz"],
    ]));
}

#[test]
fn every_field_of_the_schemas_is_described() {
    for (args, least) in [(&["schema"][..], 35), (&["schema", "--launch"], 18)] {
        let outcome = Folder::new().run(args);
        assert_eq!(outcome.code, 0);
        let schema = json(&outcome);
        let (mut fields, mut undescribed) = (0, vec![]);
        walk(&schema, "", &mut |path, field| {
            fields += 1;
            if field.is_none_or(|text| text.len() < 10) {
                undescribed.push(path.to_string());
            }
        });
        assert!(undescribed.is_empty(), "{undescribed:?}");
        assert!(fields >= least, "{fields} fields");
    }
}

#[test]
fn the_schema_of_launch_files_has_their_ranges() {
    let schema = json(&Folder::new().run(&["schema", "--launch"]));
    assert_eq!(schema["required"], serde_json::json!(["ptx", "grid", "block", "args"]));
    assert_eq!(schema["additionalProperties"], false);
    let at = |path: &str| schema.pointer(path).unwrap_or_else(|| panic!("{path}: {schema:#}")).clone();
    assert_eq!(at("/properties/block/anyOf/0/maximum"), 1024);
    assert_eq!(at("/properties/grid/anyOf/1/prefixItems/2/maximum"), 65_535);
    let buffer = at("/$defs/BufferSpec/properties");
    assert_eq!((&buffer["count"]["minimum"], &buffer["relative"]["minimum"]), (&1.into(), &0.into()));
}

/// Calls `found` for every property, wherever it is, with its description.
fn walk(value: &serde_json::Value, path: &str, found: &mut impl FnMut(&str, Option<&str>)) {
    let description = |value: &serde_json::Value| value.get("description")?.as_str().map(str::to_string);
    match value {
        serde_json::Value::Object(object) => {
            for (name, child) in object {
                let path = format!("{path}/{name}");
                if name == "properties" {
                    let fields = child.as_object().expect("properties by name");
                    for (property, field) in fields {
                        // An object of one field is a choice of an enum, described as a whole.
                        let whole = if fields.len() == 1 { description(value) } else { None };
                        found(&format!("{path}/{property}"), description(field).or(whole).as_deref());
                    }
                }
                if name != "default" {
                    walk(child, &path, found);
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|child| walk(child, path, found)),
        _ => {}
    }
}

#[test]
fn check_says_what_the_chip_consists_of() {
    let folder = Folder::new();
    let table = folder.transcript(&["check", "small", "-P", "core.warps=4"]);
    insta::assert_snapshot!(super::without_digits(&table));
    let object = json(&folder.run(&["check", "small", "--json"]));
    assert_eq!((object["verdict"].as_str(), object["config"].as_str()), (Some("passed"), Some("small")));
    assert_eq!((&object["timing"][0]["domain"], &object["timing"][0]["met"]), (&"clock".into(), &false.into()));
    let tiles = object["tiles"].as_array().expect("a list");
    let count = |kind: &str| -> u64 {
        tiles.iter().filter(|tile| tile["kind"] == kind).filter_map(|tile| tile["count"].as_u64()).sum()
    };
    let kinds = ["core", "memory_partition", "router", "network_interface", "block_dispatcher"];
    assert_eq!(kinds.map(count), [3, 1, 4, 4, 1]);
}

/// Runs with a standard output whose reader has gone before anything is written.
fn unread(folder: &Folder, args: &[&str]) -> (i32, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("warpmesh"))
        .args(args)
        .current_dir(folder.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    (output.status.code().expect("not killed"), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new();
    let run = ["run", "small", "--kernel", "vector_add", "--size", "64"];
    for args in [&["list"][..], &["schema"], &["check", "small"], &["--help"], &run, &[&run[..], &["--json"]].concat()]
    {
        assert_eq!(unread(&folder, args), (0, String::new()), "{args:?}");
    }
    assert_eq!(unread(&folder, &[&run[..], &["--max-cycles", "50"]].concat()), (3, String::new()));
}

#[test]
fn a_full_disk_is_one() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("warpmesh"));
    let output = command.arg("list").stdout(full).output().expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot write to standard output: No space left on device"), "{stderr}");
}

#[test]
fn verbose_says_the_steps_on_standard_error() {
    let folder = Folder::new();
    let outcome = folder.run(&["-v", "run", "small", "--kernel", "vector_add", "--size", "64", "--json"]);
    assert_eq!(json(&outcome)["verified"], true);
    assert!(outcome.stderr.contains("3 cores, 1 memory controllers"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("kernel `vector_add`"), "{}", outcome.stderr);
}

/// Not those of the compiler that the simulation uses, and nothing but text where no terminal is.
#[test]
fn steps_are_few_plain_lines() {
    let run = ["-v", "run", "small", "--kernel", "vector_add", "--size", "64", "--no-cache"];
    let outcome = Folder::new().run(&run);
    let lines: Vec<_> = outcome.stderr.lines().collect();
    assert!((3..10).contains(&lines.len()), "{}", outcome.stderr);
    let is_step = |line: &str| {
        line.split_once(" s  ").is_some_and(|(time, text)| time.trim().parse::<f64>().is_ok() && !text.is_empty())
    };
    assert!(lines.iter().all(|line| is_step(line)) && !outcome.stderr.contains('\u{1b}'), "{}", outcome.stderr);
}

#[test]
fn steps_that_nobody_reads_are_no_failure() {
    let folder = Folder::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("warpmesh"))
        .args(["-v", "run", "small", "--kernel", "vector_add", "--size", "64", "--json"])
        .current_dir(folder.0.path())
        .env("XDG_CACHE_HOME", folder.path("cache"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stderr.take());
    let output = child.wait_with_output().expect("ends");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!((output.status.code(), &object["verified"]), (Some(0), &true.into()));
}
