//! `noc`: a network alone under load; its object, its tables, its drawings, its mistakes.

use super::{Folder, json};

/// Short phases on the smallest mesh that has a middle.
const NOC: [&str; 9] =
    ["noc", "-P", "network.columns=3", "-P", "network.rows=3", "--warmup", "200", "--measure", "1000"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&NOC[..], more].concat()
}

/// The object without what differs from run to run.
fn without_timing(mut report: serde_json::Value) -> serde_json::Value {
    let fields = report.as_object_mut().expect("an object");
    for field in warpmesh::report::OpenLoopReport::TIMING {
        assert!(fields.remove(field).is_some(), "{field}");
    }
    report
}

/// What is a number is `0`, and lists show their first item.
fn shape(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(_) => 0.into(),
        Value::Array(items) => items.first().map(shape).into_iter().collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), shape(field))).collect(),
        other => other.clone(),
    }
}

#[test]
fn the_object_depends_on_config_traffic_and_seed_alone() {
    let folder = Folder::new();
    let run = |more: &[&str]| {
        let outcome = folder.run(&with(&[&["--json", "--rate", "0.1,0.05"], more].concat()));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        without_timing(json(&outcome))
    };
    let report = run(&[]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&shape(&report)).expect("JSON"));
    assert_eq!(run(&["--engine", "interpreter", "--threads", "2"]), report);
    assert_ne!(run(&["--seed", "2"]), report);
    for (field, value) in [("config", "default"), ("traffic", "many-to-few")] {
        assert_eq!(report[field].as_str(), Some(value));
    }
    assert_eq!((report["format_version"].as_u64(), report["seed"].as_u64()), (Some(1), Some(1)));
    let points = report["points"].as_array().expect("a list");
    let offered: Vec<_> = points.iter().filter_map(|point| point["offered"].as_f64()).collect();
    assert_eq!(offered, [0.05, 0.1], "rising");
    for point in points {
        assert_eq!(point["verdict"].as_str(), Some("converged"));
        let bytes = point["offered_bytes"].as_f64().expect("a number");
        assert!((bytes - 16.0 * point["offered"].as_f64().expect("a number")).abs() < 1e-9);
        assert!(point["packet_latency"]["mean"].as_f64() > report["zero_load_latency"].as_f64().map(|l| 0.9 * l));
    }
}

#[test]
fn a_sweep_as_a_table_and_with_commas() {
    let folder = Folder::new();
    let outcome = folder.run(&with(&["--traffic", "uniform", "--flits", "1:0.5,4:0.5"]));
    assert_eq!(outcome.code, 0);
    let (table, _) = outcome.stdout.split_once("cycles in ").expect("the speed at the end");
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines[0], "uniform on default: 3 x 3 nodes, 9 senders");
    assert_eq!(lines[1], "  packets: 1 flit (50.0 %); 4 flits (50.0 %); 16 bytes a flit");
    assert!(lines[2].contains("three times that at 0."), "{}", lines[2]);
    assert!(lines.iter().filter(|line| line.ends_with("converged")).count() >= 10, "{table}");
    let csv = folder.run(&with(&["--csv", "--rate", "0.1"]));
    let rows: Vec<Vec<&str>> = csv.stdout.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4, "names, all, replies, requests: {}", csv.stdout);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{}", csv.stdout);
    assert_eq!(rows[0][..2], ["config", "traffic"]);
    assert_eq!([rows[1][10], rows[2][10], rows[3][10]], ["all", "reply", "request"]);
}

#[test]
fn several_configurations_in_one_chart() {
    let folder = Folder::new();
    folder.write("wide.toml", "base = \"default.toml\"\nname = \"wide\"\n[network]\nchannel_bytes = 32\n");
    let args = ["default", "wide.toml", "--rate", "0.05,0.1", "--json", "--plot", "a.svg"];
    let outcome = folder.run(&with(&args));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let names = |object: &serde_json::Value| object["config"].as_str().map(str::to_string);
    let reports = json(&outcome);
    let all: Vec<_> = reports.as_array().expect("a list").iter().filter_map(names).collect();
    assert_eq!(all, ["default", "wide"]);
    let chart = folder.read("a.svg");
    assert!(chart.starts_with("<svg") && chart.contains("wide") && chart.contains("load, bytes per core and cycle"));
    // Of two networks at two loads: mean and 99th percentile of latency, and throughput.
    assert_eq!(chart.matches("<circle").count(), 12, "{chart}");
    for words in ["99th percentile", "zero load, saturation", "accepted load, bytes per core and cycle"] {
        assert_eq!(chart.lines().filter(|line| line.trim() == words).count(), 1, "{words}: {chart}");
    }
    // Nothing is replaced, and nothing is simulated before that is known.
    let text = folder.transcript(&with(&args));
    assert!(text.contains("a.svg exists") && text.ends_with("[exit 2]\n\n"), "{text}");
    assert_eq!(folder.read("a.svg"), chart);
    assert_eq!(folder.run(&with(&[&args[..], &["--force", "--seed", "3"]].concat())).code, 0);
    assert_ne!(folder.read("a.svg"), chart);
}

#[test]
fn a_floor_plan() {
    let folder = Folder::new();
    assert_eq!(folder.run(&with(&["--rate", "0.1", "--heatmap", "plan.svg"])).code, 0);
    let plan = folder.read("plan.svg");
    // Four controllers in the default configuration, and twelve links both ways.
    assert_eq!(plan.matches(": memory controller, full router, 1 in, 1 out").count(), 4);
    assert_eq!(plan.matches("flits a cycle (by VC: ").count(), 24 + 9);
    // Overlays: from each of two controllers to six cores.
    let outcome = folder.run(&["noc", "small-da2mesh", "--rate", "0.02", "--heatmap", "overlays.svg"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let overlays = folder.read("overlays.svg");
    assert_eq!(overlays.matches(": source of an overlay of ").count(), 2);
    assert_eq!(overlays.matches(", from overlays: ").count(), 6);
    assert!(!overlays.contains("0.000 of"), "every channel of an overlay carries replies: {overlays}");
    let links = json(&folder.run(&with(&["--rate", "0.1", "--json"])));
    let first = &links["points"][0]["links"][0];
    let told = format!(
        "node {} {}: {:.3} flits",
        first["router"].as_str().and_then(|name| name.strip_prefix("router")).expect("routers of nodes"),
        first["port"].as_str().expect("a name"),
        first["utilisation"].as_f64().expect("a number")
    );
    assert!(plan.contains(&told), "{told}");
}

/// Flits of each router over time: none appears from nowhere, none stays when all have arrived.
#[test]
fn snapshots_of_buffers() {
    let folder = Folder::new();
    let lines = |file: &str| -> Vec<serde_json::Value> {
        folder.read(file).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let flits = |frame: &serde_json::Value| -> Vec<u64> {
        frame["flits"].as_array().expect("a list").iter().map(|flits| flits.as_u64().expect("a number")).collect()
    };
    let hot = ["--traffic", "hotspot", "--hot-share", "0.9", "--rate", "0.3", "--flits", "4"];
    let files = ["--snapshots", "a.jsonl", "--snapshots", "a.svg", "--snapshot-interval", "100"];
    let outcome = folder.run(&with(&[&hot[..], &files].concat()));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let all = lines("a.jsonl");
    let places: Vec<u64> =
        all[0]["routers"].as_array().expect("a list").iter().filter_map(|router| router["places"].as_u64()).collect();
    assert!(all.len() > 5 && places.len() == 9, "{}", all[0]);
    for (number, frame) in (1..).zip(&all[1..]) {
        assert_eq!(frame["cycle"], 100 * number);
        // Those on links and in the registers beside buffers have places, too, or no flit were sent to them.
        let held = flits(frame);
        assert!(held.iter().zip(&places).all(|(held, places)| held <= places), "{frame}");
    }
    // Flits wait around the hot spot, not everywhere.
    let total = |frame: &serde_json::Value| flits(frame).iter().sum::<u64>();
    let last = &all[all.len() - 1];
    let fullest = flits(last).into_iter().max().expect("nine routers");
    assert!(total(last) > 50 && 4 * fullest > total(last), "{last}");
    let film = folder.read("a.svg");
    assert_eq!(film.matches("<title>").count(), 9 * (all.len() - 1).min(48));
    // A kernel leaves nothing in the network of its chip.
    let kernel =
        ["--kernel", "vector_add", "--size", "100", "--snapshot-interval", "1", "--snapshots", "b.jsonl", "--force"];
    let split = "network.overlay.injection=split";
    for chip in [
        &["small"][..],
        &["small-ring"],
        &["small", "-P", "network.reply_injection=split"],
        &["small-da2mesh"],
        &["small-da2mesh", "-P", split, "-P", "clocks.overlay=1505"],
    ] {
        let outcome = folder.run(&[&["run"], chip, &kernel].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{chip:?}");
        let all = lines("b.jsonl");
        let held: Vec<u64> = all[1..].iter().map(total).collect();
        assert!(held.iter().any(|held| *held > 2) && held.last() == Some(&0), "{chip:?}: {held:?}");
    }
}

/// Curves of one configuration: groups with `+` between, told apart by what they do not share.
#[test]
fn groups_have_overrides_of_their_own() {
    let folder = Folder::new();
    let size = ["-P", "network.columns=3", "-P", "network.rows=3"];
    let phases = ["--rate", "0.02..0.06/0.02", "--warmup", "200", "--measure", "1000", "--json"];
    let args = [&["noc", "default", "-P", "network.vcs=2"][..], &size, &["+", "-P", "network.vcs=8"], &size, &phases];
    let outcome = folder.run(&args.concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let reports = json(&outcome);
    let reports = reports.as_array().expect("a list");
    let names: Vec<_> = reports.iter().filter_map(|report| report["config"].as_str()).collect();
    assert_eq!(names, ["default -P network.vcs=2", "default -P network.vcs=8"]);
    for (report, vcs) in reports.iter().zip([2, 8]) {
        let points = report["points"].as_array().expect("a list");
        let offered: Vec<_> = points.iter().filter_map(|point| point["offered"].as_f64()).collect();
        assert_eq!(offered, [0.02, 0.04, 0.06], "a range with both ends");
        assert_eq!(points[0]["links"][0]["vcs"].as_array().expect("a list").len(), vcs);
    }
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    folder.write("there.svg", "my drawing");
    let commands: [&[&str]; 35] = [
        &["noc", "small", "--traffic", "zigzag"],
        &["noc", "--traffic", "transpose", "-P", "network.columns=5"],
        &["noc", "--traffic", "bit-reverse", "-P", "network.columns=3"],
        &["noc", "small", "--traffic", "hotspot"],
        &["noc", "small", "--one-way", "--reads", "0.5"],
        &["noc", "small", "--one-way", "--service", "10"],
        &["noc", "small", "--hot-share", "0.5"],
        &["noc", "small", "--rate", "0.1", "--sweep"],
        &["noc", "small", "--rate", "much"],
        &["noc", "small", "--rate", "0"],
        &["noc", "small", "--rate", "7"],
        &["noc", "small", "--rate", "0.1..0.3"],
        &["noc", "small", "--rate", "0.3..0.1/0.1"],
        &["noc", "small", "--rate", "0.1..0.3/0"],
        &["noc", "default", "-P", "network.vcs=2", "default", "-P", "network.vcs=8"],
        &["noc", "small", "small"],
        &["noc", "small", "+"],
        &["compare"],
        &["compare", "small", "-P", "network.vcs=2", "small", "-P", "network.vcs=8"],
        &[
            "noc",
            "-P",
            "network.routers=checkerboard",
            "-P",
            "network.organisation=dci",
            "-P",
            "network.empty_nodes=[0]",
        ],
        &["noc", "cp-cr", "--traffic", "uniform"],
        &["noc", "small", "--flits", "0"],
        &["noc", "small", "--flits", "1:0.5"],
        &["noc", "small", "--one-way", "--request-reply"],
        &["noc", "small", "--measure", "0"],
        &["noc", "small", "--json", "--csv"],
        &["noc", "small", "--plot", "a.png"],
        &["noc", "small", "--plot", "nowhere/a.svg"],
        &["noc", "small", "--heatmap", "there.svg"],
        &["noc", "small", "default", "--heatmap", "a.svg"],
        &["noc", "small", "--snapshots", "a.svg"],
        &["noc", "small", "default", "--rate", "0.1", "--snapshots", "a.svg"],
        &["noc", "small", "--rate", "0.1", "--snapshots", "a.png"],
        &["noc", "small", "--rate", "0.1", "--snapshot-interval", "5"],
        &["run", "ideal", "--snapshots", "a.svg"],
    ];
    for args in commands {
        let outcome = folder.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{args:?}: {}", outcome.stderr);
    }
    insta::assert_snapshot!(folder.transcripts(&commands));
    assert_eq!(folder.read("there.svg"), "my drawing");
}

/// A matrix as it is written and scaled, a trace to its end, bursts; and what is wrong with files.
#[test]
fn traffic_comes_from_files() {
    let folder = Folder::new();
    folder.write("rates.csv", "source,dest,rate\n0,8,0.2\n8,0,0.1\n");
    folder.write("trace.csv", "cycle,source,dest,flits,class,after\n0,0,8,4,,\n5,8,0,2,reply,1\n");
    let run = |more: &[&str]| {
        let outcome = folder.run(&with(&[&["--json"], more].concat()));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        json(&outcome)
    };
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let traced = |more: &[&'static str]| {
        let mesh = ["noc", "-P", "network.columns=3", "-P", "network.rows=3", "--trace", "trace.csv"];
        let outcome = folder.run(&[&mesh[..], more].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        outcome
    };
    let rates = run(&["--matrix", "rates.csv"]);
    assert_eq!(rates["traffic"], "matrix rates.csv");
    assert_eq!((rates["points"].as_array().map(Vec::len), rates["senders"].as_u64()), (Some(1), Some(2)));
    let sent = |report: &serde_json::Value, node: usize| number(&report["points"][0]["accepted_per_node"][node]);
    assert!((sent(&rates, 0) - 0.2).abs() < 0.07 && (sent(&rates, 8) - 0.1).abs() < 0.05);
    let scaled = run(&["--matrix", "rates.csv", "--rate", "0.03"]);
    assert_eq!(number(&scaled["points"][0]["offered"]), 0.03);
    let trace = json(&traced(&["--json"]));
    // 2 + 5 x 5 routers + 3 cycles there, one more, and 2 + 5 x 5 + 1 back, counted from cycle 0.
    assert_eq!(trace["makespan"].as_u64(), Some(30 + 1 + 28 + 1));
    assert_eq!((&trace["points"][0]["verdict"], &trace["traffic"]), (&"completed".into(), &"trace trace.csv".into()));
    let text = traced(&[]);
    assert!(text.stdout.contains("makespan: 60 cycles until the last packet has arrived"), "{}", text.stdout);
    assert!(text.stdout.contains("2 packets, 6 flits"), "{}", text.stdout);
    let bursty = run(&["--traffic", "uniform", "--rate", "0.1", "--burst", "20:0.25"]);
    assert!(bursty["packets"].as_str().is_some_and(|text| text.contains("on-off sources: on for 20 cycles")));
    folder.write("far.csv", "source,dest,rate\n0,99,0.2\n");
    folder.write("late.csv", "cycle,source,dest,flits,after\n0,0,1,1,3\n");
    let wrong: [&[&str]; 10] = [
        &["noc", "small", "--matrix", "far.csv"],
        &["noc", "small", "--matrix", "nowhere.csv"],
        &["noc", "small", "--matrix", "rates.csv", "--traffic", "uniform"],
        &["noc", "small", "--matrix", "rates.csv", "--hot-share", "0.5"],
        &["noc", "small", "--trace", "late.csv"],
        &["noc", "small", "--trace", "trace.csv"],
        &["noc", "small", "--trace", "trace.csv", "--rate", "0.1"],
        &["noc", "small", "--trace", "trace.csv", "--plot", "a.svg"],
        &["noc", "small", "--traffic", "uniform", "--burst", "20"],
        &["noc", "small", "--traffic", "uniform", "--burst", "20:0.25", "--rate", "0.9"],
    ];
    for args in wrong {
        let outcome = folder.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{args:?}: {}", outcome.stderr);
    }
    insta::assert_snapshot!(folder.transcripts(&wrong));
}
