//! Compiled code that is kept for the next run.

use super::{Folder, json, without_timing};
use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

const RUN: [&str; 7] = ["run", "small", "--kernel", "vector_add", "--size", "64", "--json"];

/// The object of a run without the timing fields, and whether the code was there.
fn run(folder: &Folder, more: &[&str]) -> (serde_json::Value, bool) {
    let outcome = folder.run(&[&RUN[..], more].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{more:?}");
    let object = json(&outcome);
    let from_cache = object["code_from_cache"].as_bool().expect("always told");
    (without_timing(object), from_cache)
}

fn files(folder: &Folder) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path("cache/warpmesh/code")).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

#[test]
fn the_second_run_finds_the_code_of_the_first() {
    let folder = Folder::new();
    let (first, found) = run(&folder, &[]);
    assert!(!found);
    let kept = files(&folder);
    assert!(!kept.is_empty());
    assert_eq!(run(&folder, &[]), (first.clone(), true));
    // What does not change the code does not need other code, whatever it does to the run.
    for same in [["--threads", "2"], ["--seed", "1"], ["--max-cycles", "5000"]] {
        assert_eq!(run(&folder, &same), (first.clone(), true), "{same:?}");
    }
    assert_eq!(files(&folder), kept);
    assert!(!run(&folder, &["--engine", "interpreter"]).1);
    // The code of another chip, of other passes, without twins, is other code.
    for other in [&["-P", "network.depth=5"][..], &["--passes", "none"], &["--no-twins"]] {
        assert!(!run(&folder, other).1, "{other:?}");
        assert!(run(&folder, other).1, "{other:?}");
    }
    assert_eq!(run(&folder, &["--no-twins"]).0, first);
    assert!(files(&folder).len() > kept.len());
}

#[test]
fn without_a_cache_nothing_is_kept_or_found() {
    let folder = Folder::new();
    let (first, _) = run(&folder, &["--no-cache"]);
    assert!(files(&folder).is_empty());
    run(&folder, &[]);
    assert_eq!(run(&folder, &["--no-cache"]), (first, false));
}

#[test]
fn damaged_files_are_made_anew() {
    let folder = Folder::new();
    let (first, _) = run(&folder, &[]);
    type Damage = fn(&mut Vec<u8>);
    let damages: [Damage; 4] = [
        |bytes| bytes.clear(),
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| *bytes.last_mut().expect("some") ^= 1,
        |bytes| bytes[5000..6000].fill(0xcc),
    ];
    for damage in damages {
        for file in files(&folder) {
            let mut bytes = fs::read(&file).expect("readable");
            damage(&mut bytes);
            fs::write(&file, bytes).expect("writable");
        }
        assert_eq!(run(&folder, &[]), (first.clone(), false));
        assert_eq!(run(&folder, &[]), (first.clone(), true));
    }
}

#[test]
fn a_place_that_cannot_be_used_is_no_failure() {
    let folder = Folder::new();
    // A file where the folder should be.
    folder.write("cache", "");
    assert!(!run(&folder, &[]).1);
    assert!(!run(&folder, &[]).1);
}

#[test]
fn runs_at_the_same_time_share_a_cache() {
    let folder = Folder::new();
    let start = |_| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("warpmesh"));
        command.args(RUN).current_dir(folder.0.path()).env("XDG_CACHE_HOME", folder.path("cache"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts")
    };
    let runs: Vec<_> = (0..4).map(start).collect();
    let outputs: Vec<_> = runs.into_iter().map(|run| run.wait_with_output().expect("ends")).collect();
    let object = |stdout: &[u8]| without_timing(serde_json::from_slice(stdout).expect("an object"));
    assert!(outputs.iter().all(|output| output.status.success() && output.stderr.is_empty()));
    assert!(outputs.iter().all(|output| object(&output.stdout) == object(&outputs[0].stdout)));
    assert!(run(&folder, &[]).1);
}
