//! Timelines of memory accesses, packets and DRAM: they add up to what the report of the same run says.

use super::{
    Folder, json,
    perfetto::{Slice, tracks},
};

/// Nanoseconds of a file in a cycle of the cores.
const CYCLE: u64 = 1000;

/// Slices of all tracks whose names have this in them, with the names.
fn of<'t>(all: &'t [(String, Slice)], track: &str) -> Vec<&'t Slice> {
    all.iter().filter(|(name, _)| name.contains(track)).map(|(_, slice)| slice).collect()
}

fn mean(values: &[u64]) -> f64 {
    values.iter().sum::<u64>() as f64 / values.len() as f64
}

/// Runs with a timeline: its slices, and the report.
fn traced(folder: &Folder, run: &[&str]) -> (Vec<(String, Slice)>, serde_json::Value) {
    let outcome = folder.run(&[&["run"], run, &["--json", "--trace", "x.pftrace", "--force"]].concat());
    assert_eq!(outcome.code, 0, "{run:?}: {}", outcome.stderr);
    let file = std::fs::read(folder.path("x.pftrace")).expect("written");
    let all = tracks(&file).into_iter().flat_map(|(name, slices)| {
        assert!(slices.windows(2).all(|pair| pair[0].until <= pair[1].from), "{name}: one after the other");
        slices.into_iter().map(move |slice| (name.clone(), slice))
    });
    (all.collect(), json(&outcome))
}

/// What holds for every chip.
fn adds_up(run: &[&str]) -> (Vec<(String, Slice)>, serde_json::Value) {
    let (all, report) = traced(&Folder::new(), run);
    let packets = of(&all, "packets of");
    for (class, mean_key, count_key) in
        [("request", "request_latency", "request_packets"), ("reply", "reply_latency", "reply_packets")]
    {
        let of_class = packets.iter().filter(|packet| packet.text("class") == class);
        let cycles: Vec<_> = of_class.map(|packet| packet.number("network_cycles").expect("it has arrived")).collect();
        let expected = |key: &str| report["network"][key].as_f64().expect("a number");
        assert_eq!(cycles.len() as f64, expected(count_key), "{run:?}");
        assert!((mean(&cycles) - expected(mean_key)).abs() < 1e-9, "{run:?}: {class}");
    }
    let accesses = of(&all, "memory accesses");
    assert!(!accesses.is_empty());
    for slice in accesses.iter().chain(&packets) {
        // Stages tile a life.
        let edges = slice.inner.iter().flat_map(|stage| [stage.from, stage.until]);
        let edges: Vec<_> = [slice.from].into_iter().chain(edges).chain([slice.until]).collect();
        assert!(edges.chunks(2).all(|pair| pair[0] == pair[1]), "{run:?}: {slice:?}");
    }
    for access in &accesses {
        assert_eq!(access.number("core_cycles"), Some((access.until - access.from) / CYCLE));
        // A flow leads to its packets, which are of the same line.
        let packets: Vec<_> = packets.iter().filter(|packet| packet.flows == access.flows).collect();
        assert_eq!(packets.is_empty(), access.text("packet") == "none", "{access:?}");
        assert!(packets.iter().all(|packet| packet.number("address") == access.number("address")), "{access:?}");
    }
    let bursts = of(&all, "data bus").len() as u64;
    assert_eq!(report["dram"]["requests"], bursts, "{run:?}");
    (all, report)
}

#[test]
fn accesses_and_packets_add_up_to_the_report() {
    let (all, report) = adds_up(&["default", "--kernel", "gather", "--size", "600"]);
    let accesses = of(&all, "memory accesses");
    // Without caches, each access has its packet.
    assert!(accesses.iter().all(|access| access.text("packet") == "own"));
    let reads: Vec<_> = accesses.iter().filter(|access| access.text("kind") == "read").collect();
    let stage = |names: &[&str]| -> f64 {
        let is = |slice: &&Slice| names.iter().any(|name| slice.name.starts_with(name));
        let stages = reads.iter().flat_map(|access| access.inner.iter().filter(is));
        stages.map(|stage| stage.until - stage.from).sum::<u64>() as f64 / (CYCLE as f64 * reads.len() as f64)
    };
    let expected = |part: &str| report["memory"][part]["mean"].as_f64().expect("a mean");
    let network = stage(&["interface", "router", "ejection"]);
    assert!((network - expected("to_memory") - expected("to_core")).abs() < 1e-6, "{network}");
    let memory = stage(&[
        "to controller",
        "controller queue",
        "precharge",
        "activate",
        "DRAM access",
        "minimum latency",
        "DRAM return queue",
        "to network",
    ]);
    assert!((memory - expected("at_memory")).abs() < 1e-6, "{memory}");
}

#[test]
fn caches_and_clocks_of_their_own_change_nothing_of_it() {
    for run in [
        ["small-ch6", "--kernel", "bfs", "--size", "120"],
        ["small-kim-ch2", "--kernel", "bfs", "--size", "120"],
        ["small-ring", "--kernel", "bfs", "--size", "120"],
    ] {
        let (all, _) = adds_up(&run);
        let accesses = of(&all, "memory accesses");
        let count = |packet: &str| accesses.iter().filter(|access| access.text("packet") == packet).count();
        let caches = run[0] != "small-ring";
        assert_eq!(count("none") > 0, caches, "{run:?}");
        assert_eq!(count("merged") > 0, caches, "{run:?}");
    }
}

#[test]
fn a_window_shows_what_overlaps_it() {
    let folder = Folder::new();
    // As many records before it as are worth forgetting some.
    let run = ["small", "--kernel", "gather", "--size", "900"];
    let (whole, _) = traced(&folder, &run);
    let (part, _) = traced(&folder, &[&run[..], &["--window", "1400..1600"]].concat());
    for track in ["memory accesses", "packets of", "data bus"] {
        let mut expected: Vec<_> = of(&whole, track);
        expected.retain(|slice| slice.from < 1600 * CYCLE && slice.until >= 1400 * CYCLE);
        let mut found = of(&part, track);
        // Numbers of flows and lanes are those of each file.
        let key = |slice: &&Slice| (slice.from, slice.until, slice.name.clone(), slice.about.clone());
        expected.sort_by_key(key);
        found.sort_by_key(key);
        let bare = |slices: &[&Slice]| slices.iter().map(|slice| (key(slice), slice.inner.clone())).collect::<Vec<_>>();
        assert!(!found.is_empty() && found.len() < of(&whole, track).len());
        let (found, expected) = (bare(&found), bare(&expected));
        assert_eq!(found.len(), expected.len(), "{track}");
        let other = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert!(other.is_none(), "{track}: {other:?}");
    }
    let slots = of(&part, "issue slots");
    assert!(slots.iter().all(|slice| slice.from >= 1396 * CYCLE && slice.until <= 1600 * CYCLE));
}

#[test]
fn mistakes_are_told() {
    let folder = Folder::new();
    folder.write("there.pftrace", "mine");
    let run = ["run", "small", "--kernel", "vector_add", "--size", "64"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    let text = folder.transcripts(&[
        &with(&["--trace", "x.json"]),
        &with(&["--trace", "x.pftrace", "--window", "9"]),
        &with(&["--trace", "x.pftrace@2..5", "--window", "1..9"]),
        &with(&["--window", "1..9"]),
        &with(&["--trace", "there.pftrace"]),
        &with(&["--trace", "x.pftrace", "--wave", "x.pftrace"]),
        &["run", "ideal", "--kernel", "vector_add", "--size", "64", "--trace", "x.pftrace"],
    ]);
    insta::assert_snapshot!(text);
    assert_eq!(folder.read("there.pftrace"), "mine");
    let outcome = folder.run(&with(&["--trace", "x.pftrace", "--window", "90000.."]));
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("its window begins at cycle 90000"), "{}", outcome.stderr);
}
