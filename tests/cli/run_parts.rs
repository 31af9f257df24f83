//! What the page of a run has by part, and two runs side by side: as Chromium draws them, and as the records have them.

use super::{
    Folder,
    explorer::{browse, list, text},
    json,
};
use serde_json::{Value, json};

const RUN: [&str; 6] = ["run", "small", "--kernel", "reduction", "--size", "300"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs()
}

/// Leaves of a tree that is drawn: names with their values.
fn leaves(part: &Value) -> Vec<(&str, f64)> {
    let groups = list(&part["drawn"][0]).iter().flat_map(list);
    groups.map(|leaf| (text(&leaf["name"]), number(&leaf["value"]))).collect()
}

#[test]
fn latency_area_and_power_are_drawn_by_part() {
    let folder = Folder::new();
    folder.run(&[&RUN[..], &["--record", "r"]].concat());
    assert_eq!(folder.run(&["report", "r", "-o", "page.html"]).code, 0);
    let report: Value = serde_json::from_str(&folder.read("r/report.json")).expect("JSON");
    let Some(found) = browse(&folder, "page.html") else { return };
    let parts = found["parts"].as_object().expect("parts");
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["area", "power", "read-stages"]);
    assert!(parts.values().all(|part| part["svg"] == true));
    // Stages begin where the one before ends, and the last bar is all of them.
    let memory = &report["memory"];
    let stages = ["to_memory", "at_memory", "to_core"].map(|stage| number(&memory[stage]["mean"]));
    let [before, bars] =
        [0, 1].map(|at| list(&parts["read-stages"]["drawn"][at]).iter().map(number).collect::<Vec<_>>());
    assert_eq!(bars[..3], stages);
    for (at, start) in [0.0, stages[0], stages[0] + stages[1], 0.0].into_iter().enumerate() {
        assert!((before[at] - start).abs() < 1e-9, "{before:?}");
    }
    let printed = list(&found["tables"]).iter().find(|row| row[0] == "read latency").expect("a row");
    assert_eq!(text(&printed[1]), format!("{:.1}", bars[3]));
    assert!((bars[3] - stages.iter().sum::<f64>()).abs() < 0.1 * bars[3], "{bars:?}");
    assert!(
        text(&parts["read-stages"]["note"]).contains(&format!("{:.1} DRAM cycles", number(&memory["queue_cycles"])))
    );
    // Areas are those of `area`, and power is all that energy is of.
    let area = json(&folder.run(&["area", "small", "--json"]));
    let drawn = leaves(&parts["area"]);
    let get =
        |name: &str| drawn.iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("{name}: {drawn:?}")).1;
    assert!(near(get("cores"), number(&area["cores_mm2"])) && near(get("L2"), number(&area["l2_mm2"])), "{drawn:?}");
    let routers = get("buffers") + get("crossbars") + get("allocators");
    assert!(near(routers, number(&area["routers_mm2"])), "{drawn:?}");
    let sum = |leaves: &[(&str, f64)]| leaves.iter().map(|(_, value)| value).sum::<f64>();
    assert!(near(sum(&drawn), number(&report["cost"]["chip_mm2"])), "{drawn:?}");
    let seconds = number(&report["core_cycles"]) / (1e6 * number(&report["clocks"]["core"]));
    let power = leaves(&parts["power"]);
    assert!(near(sum(&power), number(&report["cost"]["energy_j"]) / seconds), "{power:?}");
    for part in ["area", "power"] {
        let rows = list(&parts[part]["rows"]);
        assert_eq!((rows.len(), &rows[rows.len() - 1][0]), (leaves(&parts[part]).len() + 1, &json!("all")));
    }
}

#[test]
fn two_runs_are_shown_side_by_side() {
    let folder = Folder::new();
    let narrow = ["-P", "network.channel_bytes=8", "-P", "core.scheduler=gto", "--stats", "*"];
    for (name, more) in [("wide", &["--stats", "*"][..]), ("narrow", &narrow)] {
        let run = folder.run(&[&RUN[..], more, &["--record", name, "--interval", "200"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let made = folder.run(&["report", "wide", "narrow", "-o", "page.html"]);
    assert_eq!((made.code, made.stdout.as_str(), made.stderr.as_str()), (0, "wrote page.html\n", ""));
    let page = folder.read("page.html");
    assert!(page.len() < 5_000_000 && page.contains("default-src 'none'"), "{} bytes", page.len());
    let [wide, narrow]: [Value; 2] = ["wide", "narrow"]
        .map(|name| serde_json::from_str(&folder.read(&format!("{name}/report.json"))).expect("JSON"));
    let Some(found) = browse(&folder, "page.html") else { return };
    assert_eq!(found["keys"], json!([["core.scheduler", "round-robin", "gto"], ["network.channel_bytes", "16", "8"]]));
    let row = |rows: &str, name: &str| -> Vec<String> {
        let row = list(&found[rows]).iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{name}: {rows}"));
        list(row).iter().map(|cell| text(cell).to_string()).collect()
    };
    assert_eq!(row("overview", "kernel")[1..], ["reduction", "reduction"]);
    // A figure of the reports, and one of the statistics.
    let whole = |text: &str| text.replace([',', '+'], "").parse::<f64>().unwrap_or_else(|_| panic!("{text}"));
    let cycles = row("figures", "core_cycles");
    let [first, second] = [&wide, &narrow].map(|report| number(&report["core_cycles"]));
    assert_eq!([&cycles[1], &cycles[2], &cycles[3]].map(|text| whole(text)), [first, second, second - first]);
    let percent = cycles[4].trim_start_matches('+').trim_end_matches(" %").parse::<f64>().expect("a number");
    assert!((percent - 100.0 * (second - first) / first).abs() < 0.01 * percent.abs() + 0.01, "{cycles:?}");
    assert_eq!(cycles[5], "Cycles from the start of the kernel to its end");
    let sum = |report: &Value| -> f64 {
        let rows = list(&report["statistics"]).iter();
        rows.filter(|row| text(&row["name"]).ends_with(".front_end.slots_lost_to_data_hazards"))
            .map(|row| number(&row["value"]))
            .sum()
    };
    let lost = row("all", "core*.front_end.slots_lost_to_data_hazards");
    assert_eq!([&lost[1], &lost[2]].map(|text| whole(text)), [sum(&wide), sum(&narrow)]);
    // The largest relative difference is first; what is equal is shown when it is asked for.
    let relative: Vec<f64> = list(&found["figures"])
        .iter()
        .map(|row| text(&row[4]))
        .filter(|text| text.ends_with('%'))
        .map(|text| whole(text.trim_end_matches(" %")).abs())
        .collect();
    assert!(relative.len() > 20 && relative.windows(2).all(|pair| pair[0] >= pair[1] * 0.99), "{relative:?}");
    assert!(
        list(&found["figures"]).iter().all(|row| row[3] != "0") && list(&found["all"]).iter().any(|row| row[3] == "0")
    );
    let filtered: Vec<_> = list(&found["filtered"]).iter().map(|row| text(&row[0])).collect();
    assert!(filtered.contains(&"core_cycles") && filtered.len() < 10, "{filtered:?}");
    // Curves of both end where their runs do, and IPC adds up to the instructions.
    let curves = list(&found["drawn"]["ipc"]);
    assert_eq!(curves.iter().map(|curve| text(&curve[0])).collect::<Vec<_>>(), ["wide", "narrow"]);
    for (curve, report) in curves.iter().zip([&wide, &narrow]) {
        let points = list(&curve[1]);
        assert!(points.len() > 3);
        let executed: f64 =
            points.windows(2).map(|pair| (number(&pair[1][0]) - number(&pair[0][0])) * number(&pair[0][1])).sum();
        assert!(near(executed, number(&report["thread_instructions"])), "{executed}");
    }
}

#[test]
fn two_records_of_networks_are_on_one_page() {
    let folder = Folder::new();
    let loads = ["--rate", "0.02,0.05", "--warmup", "50", "--measure", "300", "--drain", "1000"];
    for (name, more) in [("four", &[][..]), ("eight", &["-P", "network.vcs=8"])] {
        let noc = folder.run(&[&["noc", "small"][..], more, &loads, &["--record", name]].concat());
        assert_eq!(noc.code, 0, "{}", noc.stderr);
    }
    assert_eq!(folder.run(&["report", "four", "eight", "-o", "page.html"]).code, 0);
    let Some(found) = browse(&folder, "page.html") else { return };
    let facts = list(&found["tables"]);
    assert_eq!(facts[0], json!(["compared with", "four: small"]));
    let differs = ["eight: small differs in", "network.vcs = 8"];
    assert_eq!(facts[1], json!(differs));
    let curves = list(&found["drawn"]["latency"]);
    assert_eq!(curves.len(), 4);
    for (curve, (name, record)) in
        curves.iter().step_by(2).zip([("four: small, mean", "four"), ("eight: small, mean", "eight")])
    {
        let reports: Value = serde_json::from_str(&folder.read(&format!("{record}/report.json"))).expect("JSON");
        assert_eq!(curve[0], name);
        let points = list(&reports[0]["points"]).iter().zip(list(&curve[1]));
        assert_eq!(points.clone().count(), 2);
        for (point, drawn) in points {
            assert_eq!(
                [number(&drawn[0]), number(&drawn[1])],
                [number(&point["offered"]), number(&point["packet_latency"]["mean"])]
            );
        }
    }
}

#[test]
fn records_of_different_kinds_are_no_pair() {
    let folder = Folder::new();
    folder.run(&[&RUN[..], &["--record", "r"]].concat());
    folder.run(&["sweep", "small", "--vary", "network.vcs=2,4", "--no-run", "--record", "s"]);
    let text = folder.transcripts(&[
        &["report", "r", "s", "-o", "page.html"],
        &["report", "s", "s", "-o", "page.html"],
        &["report", "r", "none", "-o", "page.html"],
        &["report", "-o", "page.html"],
        &["report", "r", "r", "r", "-o", "page.html"],
    ]);
    assert!(!folder.path("page.html").exists());
    insta::assert_snapshot!(text);
}
