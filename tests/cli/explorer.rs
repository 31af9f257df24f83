//! `report`: the page of a record has all figures of the text report, and Chromium draws what the samples say.

use super::{Folder, parquet_file::columns};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

const RUN: [&str; 6] = ["run", "small", "--kernel", "reduction", "--size", "300"];

/// The object that a page shows.
pub(super) fn data(page: &str) -> Value {
    let (_, data) = page.split_once("<script id=\"data\" type=\"application/json\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("it ends");
    serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}"))
}

/// What the page says of itself in a browser without a network, after it has moved its window. Nothing where no browser can
/// run: `scripts/test` finds that out, and says it.
pub(super) fn browse(folder: &Folder, page: &str) -> Option<Value> {
    let found = self_test(folder, &format!("file://{}", folder.path(page).display()), 4000)?;
    assert!(list(&found["svg"]).iter().all(|is_svg| is_svg == true), "{found}");
    // Each chart is as wide as its place.
    assert!(list(&found["widths"]).iter().all(|widths| widths[0] == widths[1]), "{}", found["widths"]);
    Some(found)
}

/// What a page at this address says of itself after so many milliseconds of its own time.
pub(super) fn self_test(folder: &Folder, address: &str, milliseconds: u32) -> Option<Value> {
    if std::env::var_os("WARPMESH_TEST_WITHOUT_BROWSER").is_some() {
        return None;
    }
    let (place, budget) = (format!("{address}#selftest"), format!("--virtual-time-budget={milliseconds}"));
    let profile = format!("--user-data-dir={}", folder.path("profile").display());
    let options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    let more = ["--enable-logging=stderr", &budget, "--window-size=1200,900", "--dump-dom"];
    let mut chromium = assert_cmd::Command::new("chromium");
    chromium.args(options).arg(profile).args(more).arg(place).timeout(Duration::from_secs(240));
    let output = chromium.output().unwrap_or_else(|error| {
        panic!("`chromium` cannot be started ({error}): tests of the explorer need Debian's package `chromium`")
    });
    let [dom, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let console: Vec<_> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(console, [""; 0], "nothing goes to the console");
    let (_, found) = dom.split_once("<pre id=\"selftest\">").unwrap_or_else(|| panic!("{said}"));
    let (found, _) = found.split_once("</pre>").expect("it ends");
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
    let found: Value = serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}"));
    assert_eq!(found["errors"], Value::Array(vec![]));
    Some(found)
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or_else(|| panic!("no list: {value}"), Vec::as_slice)
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Sections as the text report has them.
fn sections(report: &Value) -> String {
    let section = |section: &Value| -> String {
        let row = |(at, row): (usize, &Value)| {
            let title = if at == 0 { text(&section["title"]) } else { "" };
            let [name, value, note] = [0, 1, 2].map(|cell| text(&row[cell]));
            format!("{}\n", format!("  {title:<12}{name:<22}{value:>14}  {note}").trim_end())
        };
        list(&section["rows"]).iter().enumerate().map(row).collect::<String>() + "\n"
    };
    list(&report["sections"]).iter().map(section).collect()
}

/// Does a column have this name, where `*` stands for a number?
fn matches(pattern: &str, column: &str) -> bool {
    let part = |(pattern, part): (&str, &str)| match pattern.strip_suffix('*') {
        Some(start) => part.strip_prefix(start).is_some_and(|number| number.parse::<u64>().is_ok()),
        None => pattern == part,
    };
    pattern.split('.').count() == column.split('.').count() && pattern.split('.').zip(column.split('.')).all(part)
}

/// The samples of a record.
struct Samples {
    columns: BTreeMap<String, Vec<u64>>,
    /// First and last cycle of each row, launches one behind the other.
    spans: Vec<(u64, u64)>,
}

impl Samples {
    fn of(folder: &Folder, record: &str) -> Self {
        let columns: BTreeMap<_, _> = columns(&folder.path(&format!("{record}/samples.parquet"))).into_iter().collect();
        let (mut spans, mut before): (Vec<(u64, u64)>, u64) = (vec![], 0);
        for (row, (&launch, &cycle)) in columns["launch"].iter().zip(&columns["cycle"]).enumerate() {
            let last = spans.last().map_or(0, |&(_, end)| end);
            if row > 0 && columns["launch"][row - 1] != launch {
                before = last;
            }
            spans.push((last, before + cycle));
        }
        Self { columns, spans }
    }

    /// What rows within these cycles have added to all columns that match.
    fn sum(&self, pattern: &str, from: u64, to: u64) -> u64 {
        let chosen = |row: usize| self.spans[row].0 >= from && self.spans[row].1 <= to;
        let columns = self.columns.iter().filter(|(name, _)| matches(pattern, name));
        let values = columns.flat_map(|(_, values)| values.iter().enumerate().filter(|(row, _)| chosen(*row)));
        values.map(|(_, value)| value).sum()
    }

    fn end(&self) -> u64 {
        self.spans.last().expect("rows").1
    }
}

/// Numbers of a window on the page are those of the samples.
fn compare(samples: &Samples, shown: &Value) {
    let window: Vec<_> = list(&shown["window"]).iter().map(|number| number.as_u64().expect("a number")).collect();
    let (points, from, to) = ((window[1] - window[0]) as usize, window[2], window[3]);
    let number = |value: &Value| text(value).replace(',', "").parse::<u64>().unwrap_or_else(|_| panic!("{value}"));
    assert_eq!((number(&shown["fields"][0]), number(&shown["fields"][1])), (from, to));
    let rows = list(&shown["sums"]);
    assert!(rows.len() > 40, "{rows:?}");
    for row in rows {
        let name = text(&row[0]);
        assert_eq!(number(&row[2]), samples.sum(name, from, to), "{name} in {from} to {to}");
        assert_eq!(number(&row[5]), samples.sum(name, 0, samples.end()), "{name} in all");
        let blocks = samples.columns.keys().filter(|column| matches(name, column)).count();
        assert_eq!(number(&row[1]), blocks as u64, "{name}");
    }
    let measure = |name: &str| {
        let row = list(&shown["measures"]).iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{name}"));
        text(&row[1]).replace(',', "").parse::<f64>().expect("a number")
    };
    let ipc = samples.sum("core*.front_end.thread_instructions", from, to) as f64 / (to - from) as f64;
    assert!((measure("IPC") - ipc).abs() <= 1e-3 * ipc, "{} and {ipc}", measure("IPC"));
    assert_eq!(measure("cycles"), (to - from) as f64);
    // Each curve ends where the last point does.
    let drawn = shown["drawn"].as_object().expect("charts");
    for (chart, curves) in drawn {
        for curve in list(curves) {
            assert_eq!(list(&curve[1]).len(), points + 1, "{chart}: {}", curve[0]);
        }
    }
    // All slots went somewhere.
    let shares = list(&drawn["issue-slots"]);
    assert!(shares.len() >= 6, "{shares:?}");
    let mut with_slots = 0;
    for point in 0..points {
        let of_all: Vec<_> = shares.iter().filter_map(|curve| curve[1][point].as_f64()).collect();
        let all: f64 = of_all.iter().sum();
        // In very short points there may be none.
        assert!(of_all.is_empty() || (all - 100.0).abs() < 1e-6, "point {point}: {all} %");
        with_slots += usize::from(!of_all.is_empty());
    }
    assert!(with_slots > points / 4, "{with_slots} of {points}");
}

/// The floor plan shows what the samples say of its frames: each link, what waits in each router and controller. How many
/// links are used.
fn compare_plan(samples: &Samples, plan: &Value, network_cycles: f64) -> usize {
    let frames: Vec<_> = list(&plan["frames"]).iter().map(|number| number.as_u64().expect("a number")).collect();
    let (from, to) = (frames[2], frames[3]);
    let cycles = (to - from) as f64 * network_cycles;
    let number = |title: &Value| {
        let (_, said) = text(title).split_once(": ").expect("name and number");
        said.split([' ', ',']).next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
    };
    let (mut used, mut colours) = (0, BTreeSet::new());
    for link in list(&plan["links"]) {
        let [name] = list(&link[0]) else { panic!("one network: {link}") };
        let (router, port) = text(name).split_once(' ').expect("router and port");
        let vcs = (0..8).map(|vc| samples.sum(&format!("{router}.output_unit_to_{port}.flits_vc{vc}"), from, to));
        let flits = vcs.sum::<u64>();
        assert!((number(&link[1]) - flits as f64 / cycles).abs() < 1e-3, "{link}: {flits} in {from} to {to}");
        used += usize::from(flits > 0);
        colours.insert(text(&link[2]));
    }
    assert_eq!(colours.len() > 1, used > 0, "{used} links, {colours:?}");
    let mut bars = [0, 0];
    for bar in list(&plan["bars"]) {
        let (name, _) = text(&bar[0]).split_once(':').expect("name and number");
        let Some(node) = name.strip_prefix("node ") else {
            let ports = samples.columns.keys().filter(|column| {
                column.starts_with(&format!("{name}.input_unit_")) && column.ends_with(".credit_stall_cycles")
            });
            let stalls: u64 = ports.map(|column| samples.sum(column, from, to)).sum();
            assert!((number(&bar[0]) - stalls as f64 / cycles).abs() < 0.01, "{bar}: {stalls} in {from} to {to}");
            bars[0] += 1;
            continue;
        };
        let [sum, count] = ["", ".values"]
            .map(|what| samples.sum(&format!("memory{}.controller.queue_occupancy{what}", bars[1]), from, to));
        let mean = if count == 0 { 0.0 } else { sum as f64 / count as f64 };
        assert!((number(&bar[0]) - mean).abs() < 0.01, "{bar}: {sum} of {count} at node {node}");
        bars[1] += 1;
    }
    let text = |at: usize| text(&plan["busiest"][at][0]);
    assert_eq!([0, 1, 2].map(text), ["busiest link", "most waits for credit", "longest queue"]);
    assert!(bars[0] > 3 && bars[1] > 0, "{bars:?}");
    used
}

#[test]
fn a_page_has_every_figure_of_the_report() {
    let folder = Folder::new();
    let command = [&RUN[..], &["--record", "r", "--interval", "100", "--stats", "dispatcher"]].concat();
    let outcome = folder.run(&command);
    let made = folder.run(&["report", "r", "-o", "page.html"]);
    assert_eq!((made.code, made.stdout.as_str(), made.stderr.as_str()), (0, "wrote page.html\n", ""));
    let page = folder.read("page.html");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    for address in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.replace("http://www.w3.org", "").contains(address), "{address}");
    }
    assert!(page.contains("default-src 'none'"));
    let shown = data(&page);
    let [report] = list(&shown["reports"]) else { panic!("one report") };
    let mut report = report.clone();
    let statistics = report["sections"].as_array_mut().and_then(Vec::pop).expect("statistics");
    let figures = sections(&report);
    assert!(figures.lines().count() > 15 && outcome.stdout.contains(&figures), "{figures}{}", outcome.stdout);
    // The text has nothing else but its first line and its last one.
    let rest = outcome.stdout.replace(&figures, "");
    assert!(rest.starts_with(&format!("reduction on small: {}\n\n", text(&report["headline"]))), "{rest}");
    let behavioural: Vec<_> = list(&report["behavioural"]).iter().map(text).collect();
    assert!(rest.contains(&format!("Behavioural, not hardware: {}.", behavioural.join("; "))), "{rest}");
    for row in list(&statistics["rows"]) {
        let line = rest.lines().find(|line| line.trim_start().starts_with(text(&row[0]))).expect("a line");
        assert!(line.ends_with(text(&row[1])), "{line} {row}");
    }
    let facts: BTreeMap<_, _> = list(&shown["overview"]).iter().map(|fact| (text(&fact[0]), text(&fact[1]))).collect();
    assert_eq!((facts["kernel"], facts["size"], facts["chip"]), ("reduction", "300", "small"));
    assert_eq!((facts["verdict"], facts["verified"]), ("completed, result verified", "yes"));
    assert!(facts["command"].ends_with(&command.join(" ")), "{facts:?}");
    assert_eq!(shown["config"], folder.read("r/config.toml"));
    // All of that is in the browser, too, with the curves.
    let Some(found) = browse(&folder, "page.html") else { return };
    let tables: Vec<Vec<_>> = list(&found["tables"]).iter().map(|row| list(row).iter().map(text).collect()).collect();
    for row in list(&report["sections"]).iter().chain([&statistics]).flat_map(|section| list(&section["rows"])) {
        let row: Vec<_> = list(row).iter().map(text).collect();
        assert!(tables.contains(&row), "{row:?}");
    }
    assert!(facts.iter().all(|(&name, &value)| tables.contains(&vec![name, value])), "{tables:?}");
    let samples = Samples::of(&folder, "r");
    let points = samples.spans.len() as u64;
    assert_eq!(found["points"], points);
    ["before", "after", "again"].into_iter().for_each(|when| compare(&samples, &found[when]));
    assert_eq!(found["before"], found["again"]);
    let network_cycles = shown["plan"]["network_cycles"].as_f64().expect("a number");
    let plans = [&found["before"]["plan"], &found["after"]["plan"], &found["last_frame"]];
    let used = plans.map(|plan| compare_plan(&samples, plan, network_cycles));
    assert!(used[0] > 5 && used.iter().max() == Some(&used[0]), "{used:?}");
    assert_eq!(found["after"]["plan"]["frames"][2], found["after"]["window"][2], "the plan follows the brush");
    assert_eq!(found["last_frame"]["frames"][3], samples.end(), "the slider goes to the last frame");
    assert_ne!(found["last_frame"]["links"], found["before"]["plan"]["links"]);
    // The brush has moved: from a quarter of the cycles to half of them.
    let window: Vec<_> = list(&found["after"]["window"]).iter().filter_map(Value::as_u64).collect();
    assert!(window[2] <= samples.end() / 4 && window[2] + 100 > samples.end() / 4, "{window:?}");
    assert!(window[3] >= samples.end() / 2 && window[3] < samples.end() / 2 + 100, "{window:?}");
    let charts: Vec<_> = list(&found["charts"]).iter().map(text).collect();
    assert_eq!(
        charts,
        ["ipc", "thread-instructions", "issue-slots", "active-warps", "dram-bus", "dram-requests", "flits"]
    );
}

/// Many intervals become fewer points, and none is left out.
#[test]
fn many_intervals_are_added_together() {
    let folder = Folder::new();
    folder.run(&["run", "small-l1", "--kernel", "reduction", "--size", "1000", "--record", "r", "--interval", "1"]);
    assert_eq!(folder.run(&["report", "r", "-o", "page.html"]).code, 0);
    let series = &data(&folder.read("page.html"))["series"];
    let samples = Samples::of(&folder, "r");
    let points = list(&series["end"]).len();
    let a_point = series["rows_a_point"].as_u64().expect("a number") as usize;
    assert!(a_point > 1 && points <= 2000 && points == samples.spans.len().div_ceil(a_point), "{a_point} {points}");
    assert_eq!(series["rows"], samples.spans.len());
    for statistic in list(&series["statistics"]) {
        let sum: u64 = list(&statistic["values"]).iter().filter_map(Value::as_u64).sum();
        assert_eq!(sum, samples.sum(text(&statistic["name"]), 0, samples.end()), "{}", statistic["name"]);
    }
    let Some(found) = browse(&folder, "page.html") else { return };
    compare(&samples, &found["before"]);
    compare(&samples, &found["after"]);
    assert!(list(&found["charts"]).iter().any(|chart| chart == "misses"), "{}", found["charts"]);
}

/// The launches of a program are marked, and each has its report.
#[test]
fn launches_of_a_program_are_on_the_page() {
    let folder = Folder::new();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own/bfs.toml");
    let example = example.display().to_string();
    let outcome = folder.run(&["run", "small", "--launch", &example, "--record", "r", "--interval", "500"]);
    assert_eq!(folder.run(&["report", "r", "-o", "page.html"]).code, 0);
    let shown = data(&folder.read("page.html"));
    assert_eq!(list(&shown["reports"]).len(), 15);
    let launches = &shown["launches"];
    let rows = list(&launches["rows"]);
    assert_eq!(rows.len(), 15);
    let lines: Vec<Vec<_>> = outcome.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in rows {
        let row: Vec<_> = list(row).iter().map(text).collect();
        assert!(lines.contains(&row), "{row:?} {}", outcome.stdout);
    }
    // And all other lines of the text.
    for remark in list(&launches["remarks"]) {
        assert!(outcome.stdout.lines().any(|line| line == text(remark)), "{remark} {}", outcome.stdout);
    }
    assert!(list(&launches["remarks"]).len() > 3, "{launches}");
    let Some(found) = browse(&folder, "page.html") else { return };
    let samples = Samples::of(&folder, "r");
    ["before", "after"].into_iter().for_each(|when| compare(&samples, &found[when]));
    assert!(text(&found["before"]["said"]).ends_with("cycles, launches 1 to 15"), "{}", found["before"]["said"]);
}

#[test]
fn a_run_without_a_report_has_a_page() {
    let folder = Folder::new();
    folder.run(&[&RUN[..], &["--record", "r"]].concat());
    folder.write("r/report.json", "null\n");
    let about = folder.read("r/record.json").replace("\"error\": null", "\"error\": \"</script><b>it & all</b>\"");
    folder.write("r/record.json", about);
    assert_eq!(folder.run(&["report", "r", "-o", "page.html"]).code, 0);
    let Some(found) = browse(&folder, "page.html") else { return };
    let error = serde_json::json!(["error", "</script><b>it & all</b>"]);
    assert!(list(&found["tables"]).contains(&error), "{}", found["tables"]);
    compare(&Samples::of(&folder, "r"), &found["after"]);
}

/// Networks under traffic: the page has the text report, curves of what the record says, and a floor plan of each load.
#[test]
fn networks_are_on_a_page() {
    let folder = Folder::new();
    let loads = ["--rate", "0.02,0.05,0.3", "--warmup", "200", "--measure", "600", "--drain", "2000"];
    let command = [&["noc", "small", "+", "small", "-P", "network.vcs=8", "--record", "r"][..], &loads].concat();
    let outcome = folder.run(&command);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let made = folder.run(&["report", "r", "-o", "page.html"]);
    assert_eq!((made.code, made.stdout.as_str(), made.stderr.as_str()), (0, "wrote page.html\n", ""));
    let page = folder.read("page.html");
    assert!(page.len() < 5_000_000 && page.contains("default-src 'none'"), "{} bytes", page.len());
    let shown = data(&page);
    let networks = list(&shown["networks"]);
    let texts: Vec<_> = networks.iter().map(|network| text(&network["text"])).collect();
    assert_eq!(texts.join("\n\n") + "\n", outcome.stdout);
    let reports: Value = serde_json::from_str(&folder.read("r/report.json")).expect("JSON");
    for (at, network) in networks.iter().enumerate() {
        assert_eq!(network["config"], folder.read(&format!("r/config-{}.toml", at + 1)));
        assert_eq!(list(&network["plans"]).len(), 3);
        // One scale for all.
        let end = |plan: &Value| {
            let (_, scale) = text(&plan["svg"]).split_once(">0 to ").expect("a scale");
            scale.split_once(' ').expect("a unit").0.to_string()
        };
        assert!(list(&network["plans"]).iter().all(|plan| end(plan) == end(&network["plans"][0])));
    }
    let Some(found) = browse(&folder, "page.html") else { return };
    assert_eq!(list(&found["reports"]).iter().map(text).collect::<Vec<_>>(), texts);
    let charts: Vec<_> = list(&found["charts"]).iter().map(text).collect();
    assert_eq!(charts, ["latency", "accepted", "classes", "power"]);
    // Means and 99th percentiles of both networks, as the record has them.
    let drawn = list(&found["drawn"]["latency"]);
    assert_eq!(drawn.len(), 4);
    for (at, curve) in drawn.iter().enumerate() {
        let points = list(&reports[at / 2]["points"]);
        let value = ["mean", "p99"][at % 2];
        let expected: Vec<_> =
            points.iter().map(|point| (&point["offered"], &point["packet_latency"][value])).collect();
        let number = |value: &Value| value.as_f64().expect("a number");
        let same = list(&curve[1]).iter().zip(&expected).all(|(drawn, (offered, latency))| {
            number(&drawn[0]) == number(offered) && number(&drawn[1]) == number(latency)
        });
        assert!(same && list(&curve[1]).len() == 3, "{curve} {expected:?}");
    }
    // The slider and the choice of the network change the plan, the bars and the figures.
    for (when, network, load) in [("lowest", 0, 0), ("last", 1, 0)] {
        let point = &reports[network]["points"][load];
        let name = text(&reports[network]["config"]);
        let shown = &found[when];
        assert!(text(&shown["plan"]).starts_with(&format!("{name}: 0.0200 flits")), "{}", shown["plan"]);
        assert!(text(&shown["said"]).starts_with(&format!("{name}, load 1 of 3: 0.02 flits")), "{}", shown["said"]);
        assert_eq!(shown["nodes"], point["accepted_per_node"]);
        let titles: Vec<_> = list(&shown["links"]).iter().map(text).collect();
        let used = list(&point["links"])
            .iter()
            .max_by(|a, b| a["utilisation"].as_f64().partial_cmp(&b["utilisation"].as_f64()).expect("numbers"));
        let use_of = |link: &Value| format!("{:.3} flits a cycle", link["utilisation"].as_f64().expect("a number"));
        let used = use_of(used.expect("a link"));
        assert!(titles.iter().any(|title| title.contains(&used)), "{used} {titles:?}");
    }
    assert_ne!(found["first"]["plan"], found["lowest"]["plan"]);
}

/// A sweep reports no links unless it is asked to; its record has them.
#[test]
fn the_record_of_a_sweep_has_all_links() {
    let folder = Folder::new();
    let sweep = ["noc", "small", "--warmup", "100", "--measure", "300", "--json", "--record", "r"];
    let outcome = folder.run(&sweep);
    let printed: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert!(list(&printed["points"]).iter().all(|point| list(&point["links"]).is_empty()));
    let reports: Value = serde_json::from_str(&folder.read("r/report.json")).expect("JSON");
    assert!(list(&reports[0]["points"]).iter().all(|point| list(&point["links"]).len() > 8));
    let again = folder.run(&sweep);
    assert_eq!(again.code, 2);
    // What is not as it was written is refused.
    let mut text = again.stderr;
    let report = folder.read("r/report.json");
    for (name, content) in [
        ("config-1.toml", "name = 7\n".to_string()),
        ("report.json", "[]\n".to_string()),
        ("report.json", report.replace("\"config\": \"small\"", "\"config\": \"large\"")),
        ("record.json", "{\"format_version\": 1, \"kind\": \"network\"}\n".to_string()),
    ] {
        let before = folder.read(&format!("r/{name}"));
        folder.write(&format!("r/{name}"), content);
        text += &folder.transcript(&["report", "r", "-o", "page.html"]);
        folder.write(&format!("r/{name}"), before);
    }
    assert!(!folder.path("page.html").exists());
    insta::assert_snapshot!(text);
}

#[test]
fn what_is_no_record_is_refused() {
    let folder = Folder::new();
    folder.run(&[&RUN[..], &["--record", "r"]].concat());
    std::fs::create_dir(folder.path("empty")).expect("made");
    folder.write("page.html", "mine");
    let whole = |name: &str| std::fs::read(folder.path(&format!("r/{name}"))).expect("there");
    let [about, samples] = ["record.json", "samples.parquet"].map(whole);
    let report = ["report", "r", "-o", "new.html"];
    let mut text = folder.transcripts(&[
        &["report", "none", "-o", "new.html"],
        &["report", "empty", "-o", "new.html"],
        &["report", "r", "-o", "page.html"],
        &["report", "r"],
    ]);
    let mut with = |name: &str, content: &[u8]| {
        let before = whole(name);
        folder.write(&format!("r/{name}"), content);
        text += &folder.transcript(&report);
        folder.write(&format!("r/{name}"), before);
    };
    let changed = |from: &str, to: &str| String::from_utf8(about.clone()).expect("text").replace(from, to).into_bytes();
    with("record.json", &changed("\"format_version\": 1", "\"format_version\": 7"));
    with("record.json", &changed("\"samples\": ", "\"samples\": 1"));
    with("record.json", b"[]");
    with("samples.parquet", &samples[..samples.len() / 2]);
    with("samples.parquet", b"cycle,a\n1,2\n");
    with("report.json", b"{\"launches\": 7}");
    with("statistics.json", b"[]");
    // A number of the totals that is not that of the samples.
    let statistics = String::from_utf8(whole("statistics.json")).expect("text");
    let (start, rest) = statistics.split_once("\"value\":").expect("a value");
    with("statistics.json", format!("{start}\"value\":9{rest}").as_bytes());
    std::fs::remove_file(folder.path("r/samples.parquet")).expect("it was there");
    text += &folder.transcript(&report);
    assert!(!folder.path("new.html").exists());
    assert_eq!(folder.read("page.html"), "mine");
    insta::assert_snapshot!(text);
}
