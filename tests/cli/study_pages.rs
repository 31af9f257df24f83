//! Records of studies and sweeps, and their pages: what Chromium draws is what the record has.

use super::{
    Folder,
    explorer::{browse, data, list, text},
    parquet_frame,
};
use serde_json::{Value, json};

const STUDY: &str = r#"title = "Channels and schedulers"
about = "a small one"
config = "small"
baseline = "channel_bytes=16 scheduler=round-robin"
table = "both"

[[axis]]
key = "network.channel_bytes"
values = [8, 16]

[[axis]]
key = "core.scheduler"
values = ["round-robin", "gto"]

[[kernel]]
name = "vector_add"
size = 200
group = "streams"

[[kernel]]
name = "reduction"
size = 100

[[claim]]
about = "half the channel is <slower>"
source = "none"
paper = "0.9"
design = "channel_bytes=8 scheduler=round-robin"
at_most = 1.0

[[claim]]
about = "twice as fast"
design = "channel_bytes=8 scheduler=gto"
kernel = "reduction 100"
at_least = 2
at_most = 3
"#;

/// Chart, then for each series its name and points.
fn drawn<'a>(state: &'a Value, chart: &str) -> Vec<(&'a str, &'a [Value])> {
    list(&state["drawn"][chart]).iter().map(|series| (series[0].as_str().unwrap_or(""), list(&series[1]))).collect()
}

fn near(a: &Value, b: f64) -> bool {
    (a.as_f64().unwrap_or_else(|| panic!("{a}")) - b).abs() <= 1e-9 * b.abs().max(1e-12)
}

/// The runs of a record.
struct Runs {
    names: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Runs {
    fn of(folder: &Folder, record: &str) -> Self {
        let (names, rows) = parquet_frame::rows(&folder.path(&format!("{record}/runs.parquet")));
        Self { names, rows }
    }

    fn at<'a>(&self, row: &'a [Value], name: &str) -> &'a Value {
        &row[self.names.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name}"))]
    }

    /// The value in the row of a design with a kernel.
    fn get(&self, design: &str, kernel: &str, name: &str) -> &Value {
        let is_it = |row: &&Vec<Value>| self.at(row, "design") == design && self.at(row, "kernel") == kernel;
        self.at(self.rows.iter().find(is_it).expect("the run"), name)
    }

    fn number(&self, design: &str, kernel: &str, name: &str) -> f64 {
        self.get(design, kernel, name).as_f64().expect("a number")
    }
}

#[test]
fn a_study_is_recorded_and_has_a_page() {
    let folder = Folder::new();
    folder.write("axes.toml", STUDY);
    let study = folder.run(&["study", "axes.toml", "--record", "a/r"]);
    assert_eq!(study.code, 0, "{}", study.stderr);
    let about: Value = serde_json::from_str(&folder.read("a/r/record.json")).expect("JSON");
    assert_eq!(
        [&about["kind"], &about["file"], &about["missing"], &about["runs"], &about["interrupted"]],
        [&json!("study"), &json!("axes.toml"), &json!(0), &json!(8), &json!(false)]
    );
    assert_eq!(folder.read("a/r/study.toml"), STUDY);
    assert_eq!(folder.read("a/r/report.json"), folder.read("study-results/axes.json") + "\n");
    // All runs are those of the CSV, with the number of the configuration.
    let runs = Runs::of(&folder, "a/r");
    let csv = folder.read("study-results/axes.csv");
    let shown = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().expect("a number").to_string(),
        other => other.to_string(),
    };
    let lines: Vec<String> = [runs.names.join(",")]
        .into_iter()
        .chain(runs.rows.iter().map(|row| row.iter().map(shown).collect::<Vec<_>>().join(",")))
        .map(|line| line.rsplit_once(',').expect("fields").0.to_string() + "\n")
        .collect();
    assert_eq!(lines.concat(), csv);
    let units: Vec<_> =
        list(&about["columns"]).iter().map(|column| (text(&column["name"]), text(&column["unit"]))).collect();
    assert_eq!(units.len(), runs.names.len());
    assert!(
        units.contains(&("network.channel_bytes [bytes]", "bytes")) && units.contains(&("chip_w", "W")),
        "{units:?}"
    );
    // Configurations are the first, and what differs from it.
    let changes: Value = serde_json::from_str(&folder.read("a/r/configurations.json")).expect("JSON");
    let number =
        runs.get("channel_bytes=16 scheduler=gto", "vector_add 200", "configuration").as_u64().expect("a number");
    assert_eq!(changes[number as usize], json!({ "core.scheduler": "gto", "network.channel_bytes": 16 }));
    assert_eq!(changes[0], json!({}));
    assert!(folder.read("a/r/config.toml").contains("channel_bytes = 8"));

    let made = folder.run(&["report", "a/r", "-o", "page.html"]);
    assert_eq!((made.code, made.stdout.as_str(), made.stderr.as_str()), (0, "wrote page.html\n", ""));
    let page = folder.read("page.html");
    assert!(page.len() < 5_000_000 && page.contains("default-src 'none'"), "{} bytes", page.len());
    assert_eq!(text(&data(&page)["text"]).to_string() + "\n", study.stdout);
    let Some(found) = browse(&folder, "page.html") else { return };
    assert_eq!(text(&found["text"]).to_string() + "\n", study.stdout);
    let charts: Vec<_> = list(&found["charts"]).iter().map(text).collect();
    assert_eq!(charts, ["bars", "lines", "map", "front", "power-front"]);
    compare_claims(&found, &study.stdout);
    compare_charts(&found["all"], &runs);
    compare_filters(&found, &runs);
}

/// Claims have their bounds, and the spread of the workloads.
fn compare_claims(found: &Value, printed: &str) {
    let claims: Vec<Vec<_>> = list(&found["claims"]).iter().map(|row| list(row).iter().map(text).collect()).collect();
    assert_eq!(claims.len(), 2);
    assert_eq!(claims[0][..4], ["half the channel is <slower>", "none", "0.9", "at most 1"]);
    assert_eq!((claims[1][3], claims[1][5], claims[1][6]), ("2 to 3", "-", "1"));
    for claim in &claims {
        let line = printed.lines().rfind(|line| line.trim_start().starts_with(claim[0])).expect("a line");
        assert!(line.contains(claim[4]) && line.ends_with(claim[7]), "{line}: {claim:?}");
    }
    let (low, high) = claims[0][5].split_once(" to ").expect("a spread");
    let [low, measured, high] = [low, claims[0][4], high].map(|text| text.parse::<f64>().expect("a number"));
    assert!(low <= measured && measured <= high && low < high, "{claims:?}");
}

/// Lines, map, bars and fronts have the numbers of the runs.
fn compare_charts(state: &Value, runs: &Runs) {
    let (kernels, schedulers) = (["vector_add 200", "reduction 100"], ["round-robin", "gto"]);
    let design = |bytes: usize, scheduler: &str| format!("channel_bytes={bytes} scheduler={scheduler}");
    let lines = drawn(state, "lines");
    assert_eq!(lines.len(), 4);
    for (name, points) in lines {
        let (scheduler, kernel) =
            name.strip_prefix("scheduler=").and_then(|name| name.split_once(' ')).expect("a line");
        for (at, bytes) in [8, 16].into_iter().enumerate() {
            assert_eq!(points[at][0], json!(at));
            assert!(near(&points[at][1], runs.number(&design(bytes, scheduler), kernel, "ipc")), "{name}: {points:?}");
        }
    }
    let harmonic =
        |design: &str| 2.0 / kernels.map(|kernel| 1.0 / runs.number(design, kernel, "ipc")).iter().sum::<f64>();
    let [(_, fields)] = drawn(state, "map")[..] else { panic!("one map") };
    assert_eq!(fields.len(), 4);
    for field in fields {
        let [x, y] = [0, 1].map(|at| field[at].as_u64().expect("a place") as usize);
        assert!(near(&field[2], harmonic(&design([8, 16][y], schedulers[x]))), "{field}");
        assert_eq!(field[3], 2);
    }
    let bars = drawn(state, "bars");
    assert_eq!(bars.len(), 4);
    for (name, values) in &bars {
        for (at, kernel) in kernels.into_iter().enumerate() {
            assert!(near(&values[at], runs.number(name, kernel, "ratio")), "{name}: {values:?}");
        }
        // The group, and the mean of all.
        let mean = (runs.number(name, kernels[0], "ratio") * runs.number(name, kernels[1], "ratio")).sqrt();
        assert!(
            values.len() == 4 && near(&values[2], runs.number(name, kernels[0], "ratio")) && near(&values[3], mean)
        );
    }
    for (chart, cost) in [("front", "chip_mm2"), ("power-front", "chip_w")] {
        let all: Vec<(String, f64, f64)> = [8, 16]
            .into_iter()
            .flat_map(|bytes| schedulers.map(|scheduler| design(bytes, scheduler)))
            .map(|name| {
                let costs = kernels.map(|kernel| runs.number(&name, kernel, cost));
                let cost = if cost == "chip_w" { (costs[0] + costs[1]) / 2.0 } else { costs[0] };
                (name.clone(), cost, harmonic(&name))
            })
            .collect();
        let beats =
            |a: &(String, f64, f64), b: &(String, f64, f64)| a.1 <= b.1 && a.2 >= b.2 && (a.1, a.2) != (b.1, b.2);
        let mut best: Vec<_> = all.iter().filter(|design| !all.iter().any(|other| beats(other, design))).collect();
        best.sort_by(|a, b| a.1.total_cmp(&b.1));
        let shown = drawn(state, chart);
        assert_eq!(shown.len(), best.len() + 2, "{shown:?}");
        assert_eq!(shown[1].1.len(), all.len() - best.len());
        for (at, (name, cost, ipc)) in best.into_iter().enumerate() {
            let (label, points) = shown[at + 2];
            assert_eq!(label, format!("{}  {name}", at + 1));
            assert!(near(&points[0][0], *cost) && near(&points[0][1], *ipc), "{points:?}");
            assert_eq!(shown[0].1[at], points[0], "the line of the front");
        }
    }
}

/// Filters and sorting change the table and the charts.
fn compare_filters(found: &Value, runs: &Runs) {
    let rows = |state: &Value| -> Vec<Vec<String>> {
        list(&state["rows"]).iter().map(|row| list(row).iter().map(|cell| text(cell).to_string()).collect()).collect()
    };
    let all = rows(&found["all"]);
    assert_eq!((all.len(), text(&found["all"]["said"])), (8, "8 of 8 runs"));
    let titles: Vec<_> = list(&found["titles"]).iter().map(text).collect();
    assert_eq!(
        titles[..6],
        ["design", "channel_bytes, bytes", "scheduler", "workload", "group", "ratio"],
        "{titles:?}"
    );
    let column = |title: &str| titles.iter().position(|other| *other == title).unwrap_or_else(|| panic!("{title}"));
    for row in &all {
        for (title, name) in [
            ("IPC", "ipc"),
            ("chip area, mm^2", "chip_mm2"),
            ("chip power, W", "chip_w"),
            ("time, core cycles", "core_cycles"),
        ] {
            let cell: f64 = row[column(title)].replace(',', "").parse().expect("a number");
            assert!((cell - runs.number(&row[0], &row[3], name)).abs() < 0.0051, "{title}: {row:?}");
        }
    }
    let ipc = |row: &Vec<String>| row[column("IPC")].parse::<f64>().expect("a number");
    let sorted: Vec<_> =
        list(&found["sorted"]).iter().map(|row| text(&row[column("IPC")]).parse::<f64>().expect("a number")).collect();
    let mut expected: Vec<_> = all.iter().map(ipc).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(sorted, expected);
    // The first axis at its first value.
    let first = &found["first"];
    assert!(rows(first).len() == 4 && rows(first).iter().all(|row| row[1] == "8"), "{first}");
    assert!(drawn(first, "lines").iter().all(|(_, points)| points.len() == 1));
    assert_eq!((drawn(first, "map")[0].1.len(), drawn(first, "bars").len()), (2, 2));
    // One workload: no mean of several.
    let workload = &found["workload"];
    assert!(rows(workload).len() == 4 && rows(workload).iter().all(|row| row[3] == "vector_add 200"));
    assert!(drawn(workload, "map")[0].1.iter().all(|field| field[3] == 1), "{workload}");
    assert!(drawn(workload, "bars").iter().all(|(_, values)| values.len() == 1));
    assert_eq!(text(&found["searched"]["said"]), "2 of 8 runs");
    assert!(rows(&found["none"]).is_empty() && found["none"]["drawn"] == json!({}), "{}", found["none"]);
    assert_eq!(found["again"]["drawn"], found["all"]["drawn"]);
}

#[test]
fn what_is_missing_is_null_and_what_is_wrong_is_refused() {
    let folder = Folder::new();
    folder.write("axes.toml", STUDY);
    // Nothing was run.
    let record = ["study", "axes.toml", "--no-run", "--record", "r"];
    assert_eq!(folder.run(&record).code, 0);
    let runs = Runs::of(&folder, "r");
    assert_eq!(runs.rows.len(), 8);
    for row in &runs.rows {
        assert!(
            ["value", "ratio", "ipc", "chip_w", "verdict"].iter().all(|name| runs.at(row, name).is_null()),
            "{row:?}"
        );
        assert_eq!(*runs.at(row, "seed"), 1);
    }
    assert_eq!(folder.run(&["report", "r", "-o", "page.html"]).code, 0);
    if let Some(found) = browse(&folder, "page.html") {
        assert_eq!((&found["charts"], list(&found["all"]["rows"]).len()), (&json!([]), 8));
        assert_eq!((text(&found["claims"][0][4]), text(&found["claims"][0][7])), ("-", "not measured"));
    }
    let mut said = folder.transcript(&record);
    assert_eq!(folder.run(&[&record[..], &["--force"]].concat()).code, 0);
    let whole = |name: &str| std::fs::read(folder.path(&format!("r/{name}"))).expect("there");
    let cut = |name: &str| whole(name)[..whole(name).len() / 2].to_vec();
    let changed = |name: &str, from: &str, to: &str| {
        let before = String::from_utf8(whole(name)).expect("text");
        assert!(before.contains(from), "{before}");
        before.replacen(from, to, 1).into_bytes()
    };
    for (name, content) in [
        ("record.json", changed("record.json", "\"format_version\": 1", "\"format_version\": 7")),
        ("record.json", changed("record.json", "\"runs\"", "\"walks\"")),
        ("runs.parquet", cut("runs.parquet")),
        ("runs.parquet", changed_bytes(whole("runs.parquet"), b"chip_mm2", b"chip_mm3")),
        ("report.json", cut("report.json")),
        ("report.json", changed("report.json", "\"values\": [\n        null,", "\"values\": [")),
        ("configurations.json", b"{}".to_vec()),
    ] {
        let before = whole(name);
        folder.write(&format!("r/{name}"), content);
        said += &folder.transcript(&["report", "r", "-o", "new.html"]);
        folder.write(&format!("r/{name}"), before);
    }
    std::fs::remove_file(folder.path("r/runs.parquet")).expect("it was there");
    said += &folder.transcript(&["report", "r", "-o", "new.html"]);
    assert!(!folder.path("new.html").exists());
    insta::assert_snapshot!(said);
}

/// All places changed: the name of a column stands in the schema and at its pages.
fn changed_bytes(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    let places: Vec<usize> =
        bytes.windows(from.len()).enumerate().filter(|(_, part)| *part == from).map(|(at, _)| at).collect();
    assert!(places.len() > 1);
    places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to));
    bytes
}

#[test]
fn a_sweep_of_loads_has_lines_over_the_load() {
    let folder = Folder::new();
    let sweep = ["sweep", "small", "--noc", "--rate", "0.05,0.1", "--vary", "network.vcs:network.vc_depth=2:8,4:4"];
    let phases = ["--warmup", "50", "--measure", "300", "--record", "r"];
    let swept = folder.run(&[&sweep[..], &phases].concat());
    assert_eq!(swept.code, 0, "{}", swept.stderr);
    assert!(folder.read("r/study.toml").contains("[[traffic]]"));
    assert_eq!(folder.run(&["report", "r", "-o", "page.html"]).code, 0);
    let runs = Runs::of(&folder, "r");
    let Some(found) = browse(&folder, "page.html") else { return };
    assert_eq!(text(&found["text"]).to_string() + "\n", swept.stdout);
    assert_eq!(found["charts"], json!(["bars", "lines"]));
    let lines = drawn(&found["all"], "lines");
    assert_eq!(lines.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["vcs, vc_depth=2, 8", "vcs, vc_depth=4, 4"]);
    for ((_, points), design) in lines.into_iter().zip(["vcs=2 vc_depth=8", "vcs=4 vc_depth=4"]) {
        for (point, load) in points.iter().zip(["many-to-few 0.05", "many-to-few 0.1"]) {
            assert!(near(&point[0], runs.number(design, load, "offered")), "{point}");
            assert!(near(&point[1], runs.number(design, load, "latency_cycles")), "{point}");
        }
    }
}
