//! Completion as shells ask for it: by the script that the program prints for them.

use super::{Folder, command};
use std::process::Command;

/// What bash completes the last word of `words` to; words are cut as bash cuts them.
fn bash(folder: &Folder, words: &[&str]) -> Vec<String> {
    const SCRIPT: &str = r#"
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); current=${COMP_WORDS[COMP_CWORD]}
        [[ $current == = ]] && current=
        _warpmesh "$1" "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", SCRIPT, "bash", "script.bash"]).arg(assert_cmd::cargo::cargo_bin("warpmesh"));
    let output = bash.args(words).current_dir(folder.path("")).output().expect("bash starts");
    assert!(output.stderr.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(String::from).collect()
}

/// The folder with the script of bash in it.
fn prepared() -> Folder {
    let folder = Folder::new();
    let outcome = folder.run(&["completions", "bash"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    folder.write("script.bash", outcome.stdout);
    folder
}

#[test]
fn bash_completes_names() {
    let folder = prepared();
    folder.write("smart.toml", "base = \"small\"\n");
    for (words, only) in [
        (&["compa"][..], &["compare"][..]),
        (&["run", "--max-s"], &["--max-seconds"]),
        (&["run", "--kernel", "redu"], &["reduction"]),
        (&["run", "--kernel", "=", "redu"], &["reduction"]),
        (&["compare", "small", "--kernel", "bfs,ga"], &["bfs,gather"]),
        (&["run", "bakhoda"], &["bakhoda-ch3", "bakhoda-ch6"]),
        (&["exec", "--config", "bakhoda-ch6"], &["bakhoda-ch6"]),
        (&["check", "smar"], &["smart.toml"]),
        (&["noc", "--traffic", "hot"], &["hotspot"]),
        (&["run", "-P", "network.vcs"], &["network.vcs="]),
        (&["run", "-P", "network.pipeline", "="], &["4"]),
        (&["run", "-P", "core.lanes", "=", "3"], &["32"]),
        (&["run", "-P", "network.routing", "=", "o1"], &["o1-turn"]),
        (&["run", "-P", "core.merge_loads", "="], &["true", "false"]),
        (&["noc", "-P", "network.placement", "=", "dia"], &["diamond"]),
        (&["run", "--stats", "front_end.slots_lost_to_d"], &["front_end.slots_lost_to_data_hazards"]),
        (&["run", "--stats", "write_b"], &["write_back", "write_back.load_wait_cycles"]),
        (&["export", "--block", "route"], &["route_unit", "router"]),
        (&["export", "--block", "fifo", "-P", "dep"], &["depth="]),
        (&["area", "--block", "=", "cache", "-P", "replacement", "=", "l"], &["lru"]),
        (&["timing", "small", "--instance", "core0.fr"], &["core0.front_end"]),
        (&["run", "--passes", "all,-dea"], &["all,-dead"]),
        (&["run", "--kernel", "stream", "--kernel-param", "loa"], &["loads="]),
        (&["list", "stat"], &["statistics"]),
        (&["sweep", "--vary", "network.vcs"], &["network.vcs="]),
        (&["sweep", "--vary", "core.scheduler", "=", "gto,ro"], &["gto,round-robin"]),
    ] {
        assert_eq!(bash(&folder, words), only, "{words:?}");
    }
}

#[test]
fn bash_completes_all_names_of_a_kind() {
    let folder = prepared();
    let listed = |what: &str, command: &[&str]| {
        let list = folder.run(&["list", what]).stdout;
        let names: Vec<String> =
            list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next().map(String::from)).collect();
        let found = bash(&folder, command);
        assert!(names.len() > 5, "{list}");
        let missing: Vec<_> =
            names.iter().filter(|name| !found.contains(&name.trim_end_matches(".toml").into())).collect();
        assert!(missing.is_empty(), "{what}: {missing:?}");
    };
    listed("kernels", &["run", "--kernel", ""]);
    listed("configs", &["compare", ""]);
    listed("routings", &["run", "-P", "network.routing", "="]);
    listed("traffic", &["noc", "--traffic", ""]);
    let keys = bash(&folder, &["run", "-P", ""]);
    assert!(keys.len() > 150 && keys.iter().all(|key| key.ends_with('=')), "{keys:?}");
}

/// Other shells hand the words over whole. The protocol of zsh: values with meanings behind a colon.
#[test]
fn other_shells_complete_names() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = folder.run(&["completions", shell]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{shell}");
        assert!(outcome.stdout.contains("WARPMESH_COMPLETE"), "{shell}: {}", outcome.stdout);
        for (words, expected) in [
            (&["run", "--kernel", "redu"][..], "reduction"),
            (&["run", "-P", "network.vcs"], "network.vcs="),
            (&["run", "-P", "network.routing=o"], "network.routing=o1-turn"),
            (&["exec", "--config", "bakhoda-ch6"], "bakhoda-ch6"),
        ] {
            // Bash alone prints what replaces the part behind `=`.
            if shell == "bash" && words[2].contains('=') {
                continue;
            }
            let mut ask = command(folder.0.path());
            ask.env("WARPMESH_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", words.len().to_string());
            let output = ask.env("_CLAP_IFS", "\n").args(["--", "warpmesh"]).args(words).output().expect("starts");
            let found = String::from_utf8(output.stdout).expect("UTF-8");
            let first = found.split([':', '\t', '\n']).next();
            assert_eq!(first, Some(expected), "{shell}, {words:?}: {found}");
        }
    }
    assert_eq!(folder.run(&["completions", "cmd"]).code, 2);
}
