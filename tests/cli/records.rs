//! `--record`: what the folder says is what the report says, however the run ends.

use super::{Folder, json, parquet_file::columns, without_timing};
use serde_json::Value;
use std::collections::BTreeMap;

const RUN: [&str; 6] = ["run", "small", "--kernel", "reduction", "--size", "300"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

/// A folder that was recorded.
struct Recorded {
    about: Value,
    report: Value,
    statistics: Vec<Value>,
    samples: BTreeMap<String, Vec<u64>>,
}

impl Recorded {
    /// What is in it fits together.
    fn read(folder: &Folder, name: &str) -> Self {
        let file = |file: &str| -> Value {
            serde_json::from_str(&folder.read(&format!("{name}/{file}")))
                .unwrap_or_else(|error| panic!("{file}: {error}"))
        };
        let (about, report) = (file("record.json"), file("report.json"));
        assert_eq!(about["verified"], report["verified"]);
        let statistics = file("statistics.json").as_array().expect("a list").clone();
        let columns = columns(&folder.path(&format!("{name}/samples.parquet")));
        let names: Vec<_> = columns.iter().map(|(name, _)| name.clone()).collect();
        let mut expected = vec!["launch".to_string(), "cycle".to_string()];
        for row in &statistics {
            let name = row["name"].as_str().expect("a name");
            expected.push(name.into());
            expected.extend(row["values"].is_u64().then(|| format!("{name}.values")));
        }
        assert_eq!(names, expected);
        let recorded = Self { about, report, statistics, samples: columns.into_iter().collect() };
        // What the intervals have added is what the hardware has counted in all.
        for row in &recorded.statistics {
            let name = row["name"].as_str().expect("a name");
            assert_eq!(Some(recorded.sum(name)), row["value"].as_u64(), "{name}");
            if let Some(values) = row["values"].as_u64() {
                assert_eq!(recorded.sum(&format!("{name}.values")), values, "{name}");
            }
        }
        assert_eq!(recorded.about["samples"], recorded.samples["cycle"].len());
        recorded
    }

    fn sum(&self, column: &str) -> u64 {
        self.samples[column].iter().sum()
    }

    /// Summed over all places, in rows that `chosen` says.
    fn total(&self, name: &str, chosen: impl Fn(usize) -> bool) -> u64 {
        let columns = self.samples.iter().filter(|(column, _)| column.ends_with(&format!(".{name}")));
        columns.flat_map(|(_, values)| values.iter().enumerate()).filter(|(row, _)| chosen(*row)).map(|(_, n)| n).sum()
    }

    fn cycles(&self) -> &[u64] {
        &self.samples["cycle"]
    }
}

#[test]
fn a_record_says_what_the_report_says() {
    let folder = Folder::new();
    let more = ["--json", "--stats", "*", "--record", "a/r", "--interval", "300", "--samples", "x.csv", "--seed", "7"];
    let outcome = folder.run(&with(&more));
    let object = json(&outcome);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let recorded = Recorded::read(&folder, "a/r");
    assert_eq!(folder.read("a/r/report.json"), outcome.stdout);
    // All that the report has counted, read at the end and not while the run went.
    let rows = object["statistics"].as_array().expect("a list");
    assert!(rows.len() > 100 && rows.len() == recorded.statistics.len());
    for (row, total) in rows.iter().zip(&recorded.statistics) {
        for field in ["name", "block", "unit", "value", "values"] {
            assert_eq!(row[field], total[field], "{row}");
        }
    }
    assert_eq!(Some(recorded.total("thread_instructions", |_| true)), object["thread_instructions"].as_u64());
    assert_eq!(Some(recorded.total("controller.requests", |_| true)), object["dram"]["requests"].as_u64());
    // The rows are those of --samples.
    let text = folder.read("x.csv");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("names");
    let lines: Vec<Vec<u64>> =
        lines.map(|line| line.iter().map(|number| number.parse().expect("a number")).collect()).collect();
    assert!(lines.len() > 3 && lines.len() == recorded.cycles().len());
    for (at, name) in names.iter().enumerate() {
        assert!(lines.iter().map(|line| &line[at]).eq(&recorded.samples[*name]), "{name}");
    }
    assert!(recorded.samples["launch"].iter().all(|&launch| launch == 1));
    assert_eq!(recorded.cycles()[..2], [300, 600]);
    // What ran.
    let about = &recorded.about;
    assert_eq!((&about["format_version"], &about["version"]), (&1.into(), &env!("CARGO_PKG_VERSION").into()));
    assert_eq!((&about["kernel"], &about["size"], &about["seed"]), (&"reduction".into(), &300.into(), &7.into()));
    assert_eq!((&about["config"], &about["interval"]), (&"small".into(), &300.into()));
    assert_eq!((&about["verdict"], &about["error"]), (&"completed".into(), &Value::Null));
    let command: Vec<_> = about["command"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(command[1..], with(&more));
    let date = about["date"].as_str().expect("a date");
    assert!(date.len() == 20 && date.starts_with("20") && date.ends_with('Z'), "{date}");
    assert!(["name", "system", "processor"].iter().all(|field| about["host"][field].as_str() > Some("")), "{about}");
    // The configuration is the same chip.
    let again = json(&folder.run(&["run", "a/r/config.toml", "--kernel", "reduction", "--size", "300", "--json"]));
    assert_eq!(again["core_cycles"], object["core_cycles"]);
}

/// It costs no cycle, and `record.json` has the defaults.
#[test]
fn a_record_changes_nothing() {
    let folder = Folder::new();
    let run = ["run", "small", "--kernel", "stream", "--size", "64", "--json"];
    let plain = json(&folder.run(&run));
    let recorded = json(&folder.run(&[&run[..], &["--record", "r", "--kernel-param", "loads=2"]].concat()));
    let set = json(&folder.run(&[&run[..], &["--kernel-param", "loads=2"]].concat()));
    assert_eq!(without_timing(recorded), without_timing(set.clone()));
    let about = Recorded::read(&folder, "r").about;
    assert_eq!(about["kernel_params"]["loads"], 2);
    assert!(about["kernel_params"].as_object().is_some_and(|params| params.len() > 1), "{about}");
    assert_ne!(plain["core_cycles"], set["core_cycles"], "the parameter has an effect");
    folder.run(&["run", "small", "--kernel", "vector_add", "--record", "s"]);
    let about = Recorded::read(&folder, "s").about;
    assert!(about["size"].as_u64() > Some(1) && about["interval"] == 1000, "{about}");
}

#[test]
fn a_folder_in_use_is_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("r")).expect("made");
    assert_eq!(folder.run(&with(&["--record", "r"])).code, 0, "an empty one is not in use");
    let before = folder.read("r/record.json");
    folder.write("file", "");
    let text = folder.transcripts(&[
        &with(&["--record", "r"]),
        &with(&["--record", "file"]),
        &with(&["--record", "r", "--out", "r"]),
        &with(&["--record", "r", "--functional"]),
    ]);
    assert_eq!(folder.read("r/record.json"), before);
    insta::assert_snapshot!(text);
    assert_eq!(folder.run(&with(&["--record", "r", "--force", "--interval", "77"])).code, 0);
    assert_eq!(Recorded::read(&folder, "r").about["interval"], 77);
}

const ENDLESS: &str =
    ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry endless()\n{\n$again:\n\tbra.uni $again;\n}\n";

#[test]
fn a_run_that_is_stopped_is_recorded_up_to_there() {
    let folder = Folder::new();
    folder.write("endless.ptx", ENDLESS);
    folder.write("endless.toml", "ptx = \"endless.ptx\"\ngrid = 1\nblock = 32\nargs = []\n");
    for (limit, verdict) in [(["--max-seconds", "2"], "time_limit"), (["--max-cycles", "2345"], "cycle_limit")] {
        let more = ["--launch", "endless.toml", "--json", "--force", "--record", "r"];
        let outcome = folder.run(&[&["run", "small"][..], &more, &limit].concat());
        let recorded = Recorded::read(&folder, "r");
        let found = (outcome.code, &recorded.about["verdict"], &recorded.report["verdict"]);
        assert_eq!(found, (3, &verdict.into(), &verdict.into()));
        assert_eq!(recorded.about["launch"], "endless.toml");
        assert_eq!(recorded.cycles().last().copied(), recorded.report["core_cycles"].as_u64());
        let executed = Some(recorded.total("thread_instructions", |_| true));
        assert_eq!(executed, recorded.report["thread_instructions"].as_u64());
        assert!(executed > Some(1000), "{}", recorded.report);
    }
}

/// Without a report, there is what was found before the error.
#[test]
fn an_error_is_recorded() {
    let folder = Folder::new();
    let trap = "\tmov.u32 %r1, 3000;\n$again:\n\tsub.u32 %r1, %r1, 1;\n\tsetp.ne.u32 %p1, %r1, 0;\n\t@%p1 bra $again;\n\ttrap;\n";
    let ptx = ENDLESS.replace("$again:\n\tbra.uni $again;\n", &format!(".reg .pred %p<2>;\n.reg .b32 %r<2>;\n{trap}"));
    folder.write("trap.ptx", ptx);
    folder.write("trap.toml", "ptx = \"trap.ptx\"\ngrid = 1\nblock = 32\nargs = []\n");
    let run = ["run", "small", "--launch", "trap.toml", "--no-memory-checks", "--record", "r"];
    let outcome = folder.run(&run);
    let recorded = Recorded::read(&folder, "r");
    assert_eq!((outcome.code, &recorded.about["verdict"], &recorded.report), (1, &"failed".into(), &Value::Null));
    let error = recorded.about["error"].as_str().expect("an error");
    assert!(error.contains("a thread has trapped") && outcome.stderr.contains("a thread has trapped"), "{error}");
    assert!(recorded.cycles().len() > 3 && recorded.total("thread_instructions", |_| true) > 32 * 3000);
    // What is wrong before the first cycle leaves nothing.
    assert_eq!(folder.run(&with(&["--record", "s", "--stats", "nonsense"])).code, 2);
    assert!(!folder.path("s").exists());
}

/// A record of a wrong result says so.
#[test]
fn a_wrong_result_is_recorded() {
    let folder = Folder::new();
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own");
    let text = std::fs::read_to_string(own.join("bfs.toml")).expect("readable");
    let text = text
        .replace("file = \"bfs", &format!("file = \"{}/bfs", own.display()))
        .replace("../bfs.ptx", &own.with_file_name("bfs.ptx").display().to_string());
    folder.write("late.toml", text.replacen("value = 0", "value = 1", 1));
    assert_eq!(folder.run(&["run", "small", "--launch", "late.toml", "--record", "r"]).code, 1);
    let about = Recorded::read(&folder, "r").about;
    assert_eq!((&about["verdict"], &about["verified"]), (&"completed".into(), &false.into()));
}

/// Each launch has its rows.
#[test]
fn launches_of_a_run_are_recorded() {
    let folder = Folder::new();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own/bfs.toml");
    let example = example.display().to_string();
    let outcome = folder.run(&["run", "small", "--json", "--launch", &example, "--record", "r", "--interval", "500"]);
    let recorded = Recorded::read(&folder, "r");
    assert_eq!(
        (outcome.code, &recorded.about["verdict"], folder.read("r/report.json")),
        (0, &"completed".into(), outcome.stdout)
    );
    assert_eq!(recorded.about["verified"], true);
    let launches = recorded.report["launches"].as_array().expect("a list");
    assert_eq!(launches.len(), 15);
    for launch in launches {
        let number = launch["number"].as_u64().expect("a number");
        let of_it = |row: usize| recorded.samples["launch"][row] == number;
        assert_eq!(Some(recorded.total("thread_instructions", of_it)), launch["thread_instructions"].as_u64());
        let last = (0..recorded.cycles().len()).rfind(|&row| of_it(row)).map(|row| recorded.cycles()[row]);
        let report = &launch["report"];
        assert_eq!(
            last,
            Some(report["core_cycles"].as_u64().expect("cycles") + report["flush_cycles"].as_u64().unwrap_or(0))
        );
    }
}
