//! `--save` and `--resume`: a run goes on in another process, and nothing else is gone on with.

use super::{CliOutcome, Folder, json, without_timing};

/// Some 1,300 cycles.
const RUN: [&str; 7] = ["run", "small-l2", "--kernel", "gather", "--size", "300", "--json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

fn done(outcome: &CliOutcome, code: i32) -> serde_json::Value {
    let other = outcome.stderr.lines().find(|line| !line.starts_with("saved at cycle "));
    assert_eq!((outcome.code, other), (code, None));
    json(outcome)
}

/// All that a run can be asked for, in a piece and in three.
#[test]
fn three_processes_find_what_one_does() {
    let folder = Folder::new();
    let outputs = |name: &str| {
        let file = |ending: &str| format!("{name}{ending}");
        ["--samples", &file(".csv"), "--record", &file(""), "--snapshots", &file(".jsonl"), "--interval", "300"]
            .map(str::to_string)
    };
    let run = |name: &str, more: &[&str], code| {
        let outputs = outputs(name);
        let outputs: Vec<_> = outputs.iter().map(String::as_str).collect();
        done(&folder.run(&[&with(&["--stats", "*", "-P", "clocks.noc=602"]), &outputs[..], more].concat()), code)
    };
    let whole = run("whole", &["--wave", "whole.vcd:core0.front_end@900..1000"], 0);
    let cycles = whole["core_cycles"].as_u64().expect("a number");
    assert!(cycles > 1200, "{cycles}");
    let first = run("first", &["--save", "x.run", "--max-cycles", "500", "--threads", "2", "--engine", "word"], 3);
    assert_eq!((&first["verdict"], &first["core_cycles"]), (&"cycle_limit".into(), &500.into()));
    // The same file may be gone on from and saved to.
    let second = ["--resume", "x.run", "--save", "x.run", "--every", "70", "--max-cycles", "800"];
    let second = run("second", &[&second[..], &["--engine", "interpreter"]].concat(), 3);
    assert_eq!(second["core_cycles"], 800);
    // Where the other two had been cut is not seen.
    let third = ["--resume", "x.run", "--wave", "third.vcd:core0.front_end@900..1000", "--threads", "1"];
    let third = run("third", &third, 0);
    assert_eq!(without_timing(third.clone()), without_timing(whole));
    for ending in [".csv", ".jsonl", ".vcd"] {
        assert!(folder.read(&format!("third{ending}")) == folder.read(&format!("whole{ending}")), "{ending}");
    }
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("written");
    for file in ["samples.parquet", "statistics.json", "config.toml"] {
        assert!(bytes(&format!("third/{file}")) == bytes(&format!("whole/{file}")), "{file}");
    }
    let simulated = third["simulated_cycles"].as_u64().expect("a number");
    assert!(simulated < cycles - 800 + 200, "only what was left: {simulated}");
    // A run that ends keeps the last file that it has saved on the way.
    done(&folder.run(&with(&["--save", "way.run", "--every", "500"])), 0);
    let resumed = done(&folder.run(&with(&["--resume", "way.run"])), 0);
    assert!(resumed["simulated_cycles"].as_u64() < Some(700), "{resumed}");
    assert!(!folder.path("none.run").exists());
    done(&folder.run(&with(&["--save", "none.run"])), 0);
    assert!(!folder.path("none.run").exists(), "there is nothing to go on from");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    let saved = |name: &str, more: &[&str]| {
        let outcome = folder.run(&with(&[&["--save", name, "--max-cycles", "100"], more].concat()));
        assert_eq!(outcome.code, 3, "{}", outcome.stderr);
        std::fs::read(folder.path(name)).expect("written")
    };
    let bytes = saved("x.run", &[]);
    let again = folder.run(&with(&["--save", "x.run", "--max-cycles", "100"]));
    assert_eq!(again.stderr, "saved at cycle 100; to go on from there: --resume x.run\n");
    saved("sampled.run", &["--stats", "front_end", "--samples", "x.csv", "--interval", "50"]);
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    folder.write("damaged.run", &damaged).write("cut.run", &bytes[..bytes.len() / 3]);
    folder.write("text.run", "no saved run\n").write("empty.run", "");
    folder.write("several.toml", "[[kernel]]\nname = \"k\"\nptx = \"k.ptx\"\nentry = \"k\"\n\n[[step]]\nlaunch = \"k\"\ngrid = 1\nblock = 32\nargs = []\n");
    folder.write("k.ptx", ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
    let resume = ["--resume", "x.run"];
    let commands = [
        // Not such a file, or not whole.
        with(&["--resume", "none.run"]),
        with(&["--resume", "text.run"]),
        with(&["--resume", "empty.run"]),
        with(&["--resume", "damaged.run"]),
        with(&["--resume", "cut.run"]),
        // Another run.
        with(&["--resume", "x.run", "--seed", "2"]),
        with(&["--resume", "x.run", "-P", "network.vcs=8"]),
        [&["run", "small-l2", "--kernel", "gather", "--size", "301"][..], &resume].concat(),
        [&["run", "small", "--kernel", "gather", "--size", "300"][..], &resume].concat(),
        [&["run", "small-l2", "--kernel", "saxpy"][..], &resume].concat(),
        with(&["--resume", "x.run", "--no-intrinsics"]),
        // What needs the cycles before.
        with(&["--resume", "x.run", "--issue-trace", "trace.csv"]),
        with(&["--resume", "x.run", "--stats", "front_end", "--samples", "y.csv"]),
        with(&["--resume", "sampled.run", "--stats", "front_end", "--samples", "y.csv"]),
        with(&["--resume", "x.run", "--record", "r"]),
        with(&["--resume", "x.run", "--wave", "x.vcd@50..200"]),
        with(&["--resume", "x.run", "--wave", "x.vcd@..90"]),
        with(&["--resume", "x.run", "--functional"]),
        vec!["run", "small", "--launch", "several.toml", "--resume", "x.run"],
        // Files that are something else.
        with(&["--save", "text.run"]),
        with(&["--save", "text.run", "--force"]),
        with(&["--save", "x.run", "--seed", "2"]),
        with(&["--save", "none/x.run"]),
        with(&["--every", "10"]),
        with(&["--save", "y.run", "--every", "0"]),
        with(&["--save", "y.run", "--out", "y.run"]),
    ];
    let commands: Vec<_> = commands.iter().map(Vec::as_slice).collect();
    insta::assert_snapshot!(folder.transcripts(&commands));
    assert!(std::fs::read(folder.path("x.run")).expect("is there") == bytes);
    assert_eq!(folder.read("text.run"), "no saved run\n");
    assert!(!["y.run", "y.csv", "r", "x.vcd"].iter().any(|name| folder.path(name).exists()));
    // Earlier states of the run are replaced, and other runs if that is asked for.
    saved("x.run", &[]);
    saved("x.run", &["--seed", "2", "--force"]);
    // A sampled run may go on without samples.
    done(&folder.run(&with(&["--resume", "sampled.run"])), 0);
}
