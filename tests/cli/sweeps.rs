//! Axes of studies, and sweeps, which are studies with axes.

use super::{Folder, json};
use std::fs;

const AXES: &str = r#"title = "network.channel_bytes, core.scheduler: small"
config = "small"

[[axis]]
key = "network.channel_bytes"
from = 8
to = 16
factor = 2

[[axis]]
key = "core.scheduler"
values = ["round-robin", "gto"]

[[kernel]]
name = "vector_add"
size = 200

[[kernel]]
name = "reduction"
size = 100
"#;

const VARIED: [&str; 6] =
    ["sweep", "small", "--vary", "network.channel_bytes=8..16*2", "--vary", "core.scheduler=round-robin,gto"];

fn kept(folder: &Folder) -> usize {
    fs::read_dir(folder.path("study-results/runs")).map_or(0, Iterator::count)
}

/// The rows of a table, as words.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().filter(|line| line.contains("  ")).map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn a_sweep_prints_what_its_study_prints() {
    let folder = Folder::new();
    let kernels = ["--kernel", "vector_add,reduction", "--size", "200"];
    let outputs = ["--csv", "table.csv", "--plot", "lines.svg", "--save-study", "saved.toml"];
    let sweep = folder.run(&[&VARIED[..], &kernels, &outputs].concat());
    assert_eq!(sweep.code, 0, "{}", sweep.stderr);
    assert_eq!(kept(&folder), 8);
    // The same as a study that a person has written, without a run.
    folder.write("axes.toml", AXES.replace("size = 100", "size = 200"));
    let study = folder.run(&["study", "axes.toml", "--no-run"]);
    assert_eq!((study.stdout.as_str(), study.code), (sweep.stdout.as_str(), 0), "{}", study.stderr);
    let saved = folder.run(&["study", "saved.toml", "--no-run"]);
    assert_eq!((saved.stdout.as_str(), saved.code), (sweep.stdout.as_str(), 0), "{}", saved.stderr);
    assert_eq!(folder.read("study-results/axes.csv"), folder.read("table.csv"));
    assert_eq!(folder.read("study-results/axes.svg"), folder.read("lines.svg"));

    // Parameters and figures are those of the run itself.
    let run = ["run", "small", "-P", "network.channel_bytes=16", "-P", "core.scheduler=gto", "--kernel", "reduction"];
    let report = json(&folder.run(&[&run[..], &["--size", "200", "--json"]].concat()));
    let number = |pointer: &str| report.pointer(pointer).and_then(serde_json::Value::as_f64).expect("a number");
    let table = rows(&sweep.stdout);
    let row = table.iter().find(|row| row.starts_with(&["16", "gto", "reduction"])).expect("the row");
    assert_eq!(row.last(), Some(&format!("{:.4}", number("/cost/ipc_per_mm2")).as_str()), "{row:?}");
    let csv = folder.read("table.csv");
    let fields: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(fields.len(), 9, "{csv}");
    let line = fields.iter().find(|line| line[0] == "channel_bytes=16 scheduler=gto" && line[1] == "reduction 200");
    let field = |name: &str| {
        let at = fields[0].iter().position(|title| *title == name).unwrap_or_else(|| panic!("{name}: {csv}"));
        line.expect("the line")[at]
    };
    assert_eq!((field("network.channel_bytes [bytes]"), field("core.scheduler"), field("seed")), ("16", "gto", "1"));
    for (name, pointer) in [
        ("core_cycles", "/core_cycles"),
        ("ipc", "/ipc"),
        ("chip_mm2", "/cost/chip_mm2"),
        ("network_mm2", "/cost/network_mm2"),
    ] {
        assert!((field(name).parse::<f64>().expect(name) - number(pointer)).abs() < 1e-9, "{name}: {csv}");
    }
    let watts = number("/cost/dynamic_w") + number("/cost/chip_leakage_w");
    assert!((field("chip_w").parse::<f64>().expect("W") - watts).abs() < 1e-6 * watts, "{watts}: {csv}");

    // Nothing is replaced, and nothing was run for it.
    let again = folder.run(&[&VARIED[..], &kernels, &outputs].concat());
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("table.csv exists"), "{}", again.stderr);
    let again = folder.run(&[&VARIED[..], &kernels, &outputs, &["--force", "--json"]].concat());
    assert_eq!((again.code, kept(&folder)), (0, 8));
    let parameters = serde_json::json!({ "network.channel_bytes": 8, "core.scheduler": "round-robin" });
    assert_eq!(json(&again)["designs"][0]["parameters"], parameters);
}

#[test]
fn a_sweep_measures_networks_under_loads() {
    let folder = Folder::new();
    let phases = ["--warmup", "100", "--measure", "400", "--plot", "noc.svg", "--csv", "noc.csv"];
    let varied =
        ["sweep", "small", "--noc", "--rate", "0.05..0.15/0.05", "--vary", "network.vcs:network.vc_depth=2:8,4:4"];
    let sweep = folder.run(&[&varied[..], &phases].concat());
    assert_eq!(sweep.code, 0, "{}", sweep.stderr);
    assert_eq!((kept(&folder), folder.read("noc.csv").lines().count()), (6, 7));
    let own = ["noc", "small", "-P", "network.vcs=4", "-P", "network.vc_depth=4", "--rate", "0.1", "--json"];
    let point = json(&folder.run(&[&own[..], &phases[..4]].concat()))["points"][0].clone();
    let number = |pointer: &str| point.pointer(pointer).and_then(serde_json::Value::as_f64).expect("a number");
    let table = rows(&sweep.stdout);
    let row = table.iter().find(|row| row.starts_with(&["4", "4", "many-to-few", "0.1"])).expect("the row");
    let [accepted, latency] = [number("/accepted"), number("/packet_latency/mean")];
    assert_eq!(row[4..7], ["0.100", &format!("{accepted:.3}"), &format!("{latency:.1}")], "{row:?}");
    assert_eq!(row.last().copied(), point["verdict"].as_str());
    let svg = folder.read("noc.svg");
    for text in
        ["offered load, flits per sender and cycle", "mean latency, cycles", "vcs=2 vc_depth=8", "vcs=4 vc_depth=4"]
    {
        assert!(svg.lines().any(|line| line == text), "{text}: {svg}");
    }
    // The chip as it is has the second of these networks, which was loaded before.
    let alone = folder.run(&["sweep", "small", "--noc", "--rate", "0.05,0.2", "--warmup", "100", "--measure", "400"]);
    assert_eq!((alone.code, kept(&folder)), (0, 7), "{}", alone.stderr);
}

/// A program is a workload like a kernel; what it is called with, and a study in another folder, know it.
#[test]
fn a_sweep_takes_a_cuda_program() {
    let folder = Folder::new();
    folder.write("twice.cu", super::studies::TWICE);
    fs::create_dir(folder.path("saved")).expect("made");
    let sweep = ["sweep", "small", "--vary", "core.warps=4,8", "--kernel", "saxpy", "--program", "twice.cu"];
    let save = ["--no-run", "--save-study", "saved/study.toml", "--", "300"];
    let outcome = folder.run(&[&sweep[..], &save].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let table = rows(&outcome.stdout);
    for row in [["4", "saxpy", "-"], ["4", "twice", "-"], ["8", "saxpy", "-"], ["8", "twice", "-"]] {
        assert!(table.iter().any(|words| words.starts_with(&row)), "{row:?}: {}", outcome.stdout);
    }
    let saved = folder.run(&["study", "saved/study.toml", "--no-run"]);
    assert_eq!((saved.stdout, saved.code), (outcome.stdout, 0), "{}", saved.stderr);
    assert!(folder.read("saved/study.toml").contains("arguments = [\"300\"]"));
}

/// A sample is a part of all, each design with its own name; claims and the baseline are called by them.
#[test]
fn axes_multiply_designs_and_samples_choose_some() {
    let folder = Folder::new();
    let designs =
        "[[design]]\nname = \"wide\"\noverrides = [\"network.vc_depth=8\"]\n\n[[design]]\nname = \"plain\"\n\n[[axis]]";
    let claim = "\n[[claim]]\nabout = \"as fast\"\ndesign = \"plain channel_bytes=16 scheduler=gto\"\nat_least = 0.1\n";
    let text = AXES.replacen("[[axis]]", designs, 1) + claim;
    let text = text.replace("config =", "baseline = \"wide channel_bytes=8 scheduler=gto\"\nconfig =");
    folder.write("both.toml", text);
    let both = json(&folder.run(&["study", "both.toml", "--no-run", "--json"]));
    let names = |json: &serde_json::Value| -> Vec<String> {
        let designs = json["designs"].as_array().expect("designs").iter();
        designs.map(|design| design["name"].as_str().expect("a name").to_string()).collect()
    };
    assert_eq!(names(&both).len(), 8);
    assert_eq!(names(&both)[4], "plain channel_bytes=8 scheduler=round-robin");
    let many = ["sweep", "small", "--vary", "core.warps=2..32/2", "--vary", "network.vcs=2..8/2", "--no-run", "--json"];
    let all = names(&json(&folder.run(&many)));
    assert_eq!(all.len(), 64);
    let sample = ["--sample", "8", "--latin-hypercube"];
    let some = names(&json(&folder.run(&[&many[..], &sample].concat())));
    assert!(some.len() == 8 && some.iter().all(|name| all.contains(name)), "{some:?}");
    for vcs in [2, 4, 6, 8] {
        assert_eq!(some.iter().filter(|name| name.ends_with(&format!("vcs={vcs}"))).count(), 2, "{some:?}");
    }
    let other = names(&json(&folder.run(&[&many[..], &sample, &["--sample-seed", "2"]].concat())));
    assert_ne!(some, other);
}

#[test]
fn mistakes_in_axes_are_shown_at_their_place() {
    let folder = Folder::new();
    let many = "values = [1, 2, 4, 8]\n\n[[axis]]\nkey = \"memory.row_streak_max\"\nfrom = 1\nto = 1000\nstep = 1";
    let mistakes = [
        ("an unknown key", AXES.replace("core.scheduler", "core.schedular")),
        ("a table", AXES.replace("core.scheduler", "core")),
        ("no values", AXES.replace("[\"round-robin\", \"gto\"]", "[]")),
        ("a value of another kind", AXES.replace("[\"round-robin\", \"gto\"]", "[\"gto\", 3]")),
        ("a value out of range", AXES.replace("to = 16", "to = 8192")),
        ("a value twice", AXES.replace("\"round-robin\", \"gto\"", "\"gto\", \"gto\"")),
        ("a key of two axes", AXES.replace("core.scheduler", "network.channel_bytes")),
        ("a key of an axis overridden", AXES.to_string() + "overrides = [\"core.scheduler=gto\"]\n"),
        ("a range that falls", AXES.replace("from = 8", "from = 32")),
        ("values and a range", AXES.replace("factor = 2", "factor = 2\nvalues = [8]")),
        ("neither values nor a range", AXES.replace("from = 8\nto = 16\nfactor = 2\n", "")),
        (
            "a point that is too short",
            AXES.replace("values = [\"round-robin\", \"gto\"]", "points = [[\"gto\"]]")
                .replace("key = \"core.scheduler\"", "keys = [\"core.scheduler\", \"core.warps\"]"),
        ),
        ("a sample of all", AXES.to_string() + "[sample]\nbudget = 4\n"),
        (
            "a sample without axes",
            "title = \"x\"\n[sample]\nbudget = 4\n[[design]]\nname = \"a\"\n[[kernel]]\nname = \"bfs\"\n".into(),
        ),
        ("many runs", AXES.replace("values = [\"round-robin\", \"gto\"]", many)),
        (
            "a combination that is impossible",
            AXES.replace("core.scheduler", "network.vcs").replace("\"round-robin\", \"gto\"", "1, 4"),
        ),
    ];
    let mut text = String::new();
    for (what, study) in mistakes {
        folder.write("study.toml", study);
        text += &format!("-- {what}\n{}", folder.transcript(&["study", "study.toml"]));
    }
    folder.write("there.csv", "");
    for sweep in [
        &["small"][..],
        &["small", "--vary", "network.vc=2,4"],
        &["small", "--vary", "network.vcs=2..8"],
        &["small", "--vary", "network.vcs=2,4", "--vary", "network.vcs=8"],
        &["small", "--vary", "network.vcs=2,4", "--kernel", "vector"],
        &["small", "--vary", "network.vcs=2,4", "--rate", "0.1"],
        &["small", "--vary", "network.vcs=2,4", "--noc", "--rate", "0..0.1/0.1"],
        &["small", "--vary", "network.vcs=2,4", "--csv", "there.csv"],
        &["small", "--vary", "network.vcs=2,4", "--csv", "a.svg", "--plot", "a.svg"],
    ] {
        text += &folder.transcript(&[&["sweep"], sweep].concat());
    }
    assert_eq!(kept(&folder), 0);
    insta::assert_snapshot!(text);
}

/// More than a thousand runs have to be asked for; what is kept can always be looked at.
#[test]
fn many_runs_are_asked_for() {
    let folder = Folder::new();
    let many =
        ["sweep", "small", "--vary", "core.warps=2..32/1", "--vary", "core.load_entries=2..41/1", "--kernel", "bfs"];
    let refused = folder.run(&many);
    assert!(refused.code == 2 && refused.stderr.contains("1,240 runs, more than 1,000"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
}
