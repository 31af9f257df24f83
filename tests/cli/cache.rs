//! Compiled code that is kept for the next run.

use super::{Folder, json, without_timing};
use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

const RUN: [&str; 7] = ["run", "small", "--kernel", "vector_add", "--size", "64", "--json"];

/// A folder with an empty cache of its own.
fn with_cache() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("cache")).expect("a new folder");
    folder
}

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
    let folder = with_cache();
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
    // The code of another chip, of other passes, without intrinsics, is other code.
    for other in [&["-P", "network.vc_depth=5"][..], &["--passes", "none"], &["--no-intrinsics"]] {
        assert!(!run(&folder, other).1, "{other:?}");
        assert!(run(&folder, other).1, "{other:?}");
    }
    assert_eq!(run(&folder, &["--no-intrinsics"]).0, first);
    assert!(files(&folder).len() > kept.len());
}

#[test]
fn without_a_cache_nothing_is_kept_or_found() {
    let folder = with_cache();
    let (first, _) = run(&folder, &["--no-cache"]);
    assert!(files(&folder).is_empty());
    run(&folder, &[]);
    assert_eq!(run(&folder, &["--no-cache"]), (first, false));
}

#[test]
fn damaged_files_are_made_anew() {
    let folder = with_cache();
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
    let folder = with_cache();
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

/// Code that another user may have written would be executed as ours.
#[cfg(unix)]
mod of_others {
    use super::*;
    use std::{
        os::unix::fs::{PermissionsExt, chown, symlink},
        path::Path,
        time::Duration,
    };

    /// Neither root nor whoever runs the tests.
    const SOMEBODY_ELSE: u32 = 54_321;

    /// A run with a cache that works: its folder, and its object.
    fn filled() -> (Folder, serde_json::Value) {
        let folder = with_cache();
        let (first, _) = run(&folder, &[]);
        assert!(run(&folder, &[]).1);
        (folder, first)
    }

    /// What is said when the cache is not to be used: the run is that without one. `again`: the next run mends it.
    fn refused(folder: &Folder, first: &serde_json::Value, again: bool) -> String {
        let mut command = super::super::command(folder.0.path());
        let output = command.args(RUN).timeout(Duration::from_secs(120)).output().expect("ends");
        let (said, object) = (String::from_utf8_lossy(&output.stderr), serde_json::from_slice(&output.stdout));
        let object: serde_json::Value = object.unwrap_or_else(|_| panic!("{said}"));
        assert_eq!((output.status.code(), &object["code_from_cache"]), (Some(0), &false.into()), "{said}");
        assert_eq!(&without_timing(object), first);
        if again {
            assert_eq!(run(folder, &[]), (first.clone(), true), "kept anew");
        }
        let whole = folder.0.path().canonicalize().expect("is there");
        let key = files(folder)[0].file_name().expect("a name").to_string_lossy().into_owned();
        said.replace(&whole.display().to_string(), "FOLDER").replace(&key, "KEY.code")
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is ours");
    }

    #[test]
    fn folders_and_files_that_others_may_write_are_not_used() {
        let (folder, first) = filled();
        let mut said = String::new();
        for (path, shared, ours) in
            [("cache/warpmesh/code", 0o1777, 0o700), ("cache/warpmesh/code", 0o720, 0o700), ("cache", 0o777, 0o755)]
        {
            mode(&folder.path(path), shared);
            said += &refused(&folder, &first, false);
            mode(&folder.path(path), ours);
            assert!(run(&folder, &[]).1, "ours again");
        }
        mode(&files(&folder)[0], 0o606);
        said += &refused(&folder, &first, true);
        insta::assert_snapshot!(said);
    }

    #[test]
    fn what_belongs_to_others_is_not_used() {
        let (folder, first) = filled();
        let file = files(&folder).remove(0);
        if chown(&file, Some(SOMEBODY_ELSE), None).is_err() {
            eprintln!("NOT TESTED: only root can give files to another user");
            return;
        }
        let mut said = refused(&folder, &first, true);
        for path in ["cache/warpmesh/code", "cache/warpmesh", "cache"] {
            mode(&folder.path(path), 0o755);
            chown(folder.path(path), Some(SOMEBODY_ELSE), None).expect("root may");
            said += &refused(&folder, &first, false);
            chown(folder.path(path), Some(0), None).expect("root may");
            assert!(run(&folder, &[]).1, "ours again");
        }
        insta::assert_snapshot!(said);
    }

    #[test]
    fn links_pipes_and_folders_in_place_of_code_are_not_followed_or_waited_for() {
        let (folder, first) = filled();
        let file = files(&folder).remove(0);
        fs::rename(&file, folder.path("elsewhere")).expect("renamed");
        symlink(folder.path("elsewhere"), &file).expect("made");
        let mut said = refused(&folder, &first, true);
        fs::remove_file(&file).expect("is there");
        assert!(Command::new("mkfifo").arg(&file).status().expect("starts").success());
        said += &refused(&folder, &first, true);
        fs::remove_file(&file).expect("is there");
        fs::create_dir(&file).expect("made");
        said += &refused(&folder, &first, false);
        insta::assert_snapshot!(said);
    }
}
