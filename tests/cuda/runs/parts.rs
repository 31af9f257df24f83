//! `exec --save` and `--resume`: a program that goes on in another process ends as one in a piece, and no other program is
//! gone on with.

use super::{CHIP, WARPMESH, command, compile, said, text};
use crate::campaign::part_or_all;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use warpmesh::report::RunReport;

/// A program in a folder of its own.
struct Saves {
    folder: tempfile::TempDir,
    program: PathBuf,
}

type Said = (Option<i32>, String, String);

impl Saves {
    fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let program = compile(name, folder.path());
        Self { folder, program }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The program with an argument; OTHER says what it does otherwise.
    fn run(&self, program: &Path, options: &[&str], argument: &str, other: &str) -> Said {
        let mut run = command(WARPMESH);
        run.arg("exec").args(CHIP).args(options).arg("--").arg(program).arg(argument);
        said(&run.env("OTHER", other).current_dir(self.folder.path()).output().expect("it runs"))
    }

    /// The same with all that can be asked for, in files of this name.
    fn part(&self, name: &str, options: &[&str]) -> Said {
        let [csv, json] = [".csv", ".json"].map(|ending| format!("{name}{ending}"));
        let sampled = ["--stats", "core1.front_end.*", "--samples", &csv, "--record", name, "--interval", "170"];
        self.run(&self.program, &[&sampled[..], &["--report", &json], options].concat(), "x", "")
    }

    /// Its launches, without what the simulation says of itself, and its engine.
    fn launches(&self, name: &str) -> Vec<Value> {
        let report: Value = serde_json::from_slice(&self.bytes(&format!("{name}.json"))).expect("JSON");
        assert_eq!(report["failed"], Value::Array(vec![]), "{name}");
        let mut launches = report["launches"].as_array().expect("a list").clone();
        for launch in &mut launches {
            let report = launch["report"].as_object_mut().expect("an object");
            RunReport::TIMING.iter().chain(&["engine"]).for_each(|field| drop(report.remove(*field)));
        }
        launches
    }

    /// Ends as the one in a piece, `whole`, has.
    fn assert_whole(&self, name: &str, (code, out, err): &Said, printed: &str) {
        assert_eq!((*code, out.as_str()), (Some(0), printed), "{name}: {err}");
        let (here, whole) = (self.launches(name), self.launches("whole"));
        assert_eq!(here.len(), whole.len(), "{name}");
        for (here, whole) in here.iter().zip(&whole) {
            assert!(here == whole, "{name}: {here}\n{whole}");
        }
        assert!(self.bytes(&format!("{name}.csv")) == self.bytes("whole.csv"), "{name}");
        for file in ["samples.parquet", "statistics.json", "config.toml"] {
            assert!(self.bytes(&format!("{name}/{file}")) == self.bytes(&format!("whole/{file}")), "{name}/{file}");
        }
    }
}

/// In its first, a middle and the last launch; and on the way, from one file to the next.
#[test]
fn programs_in_several_parts_end_as_in_one() {
    for name in ["parts", "heat"].into_iter().take(part_or_all(1, 2)) {
        let saves = Saves::new(name);
        let (code, printed, err) = saves.part("whole", &[]);
        assert_eq!(code, Some(0), "{err}");
        let cycles = |launch: &Value| launch["cycles"].as_u64().expect("on the chip");
        let cycles: Vec<u64> = saves.launches("whole").iter().map(cycles).collect();
        let [a, b, c, d] = cycles[..] else { panic!("{cycles:?}") };
        // A multiple that is the last one in all of them.
        let (middle, last) = (a + b + c / 2, a + b + c + d / 3);
        let slow = if name == "parts" { "interpreter" } else { "sliced" };
        for (launch, every, engine) in [(3, middle, "word"), (4, last, slow)] {
            let every = every.to_string();
            let saved = saves.part("way", &["--save", "way.run", "--every", &every, "--force"]);
            saves.assert_whole("way", &saved, &printed);
            assert!(saved.2.contains(&format!("saved in launch {launch}, at cycle ")), "{}", saved.2);
            let resume = ["--resume", "way.run", "--engine", engine, "--threads", "2", "--force"];
            saves.assert_whole("way", &saves.part("way", &resume), &printed);
        }
        // Ended in the first launch, saved again by the next part, and gone on with in a third.
        let first = (a / 2).to_string();
        let (_, _, err) = saves.part("ended", &["--save", "x.run", "--max-cycles", &first]);
        assert!(err.contains(&format!("saved in launch 1, at cycle {first}; to go on from there")), "{err}");
        let every = (a + b / 2).to_string();
        let second = saves.part("second", &["--resume", "x.run", "--save", "x.run", "--every", &every]);
        saves.assert_whole("second", &second, &printed);
        let third = saves.part("third", &["--resume", "x.run"]);
        assert!(third.2.starts_with("warpmesh: going on from cycle "), "{}", third.2);
        saves.assert_whole("third", &third, &printed);
        // Before anything has been launched.
        let (_, _, err) = saves.part("late", &["--save", "late.run", "--max-seconds", "0.000001"]);
        assert!(err.contains("saved before launch 1"), "{err}");
        saves.assert_whole("late", &saves.part("late", &["--resume", "late.run", "--force"]), &printed);
    }
}

/// Emulated launches are executed again.
#[test]
fn a_program_goes_on_behind_emulated_launches() {
    let saves = Saves::new("parts");
    let run = |options: &[&str]| saves.run(&saves.program, &[&["--kernels", "2,4"], options].concat(), "x", "");
    let (code, printed, whole) = run(&[]);
    assert_eq!(code, Some(0), "{whole}");
    run(&["--save", "x.run", "--every", "1700"]);
    let (code, out, err) = run(&["--resume", "x.run", "--wave", "x.vcd@..500", "--trace-launch", "4"]);
    assert_eq!((code, out), (Some(2), String::new()), "{err}");
    assert!(err.contains("x.vcd cannot be recorded: its window ends at cycle 500, and the run goes on from"), "{err}");
    let (code, out, err) = run(&["--resume", "x.run", "--wave", "x.vcd:core0@1000..1010", "--trace-launch", "4"]);
    assert_eq!((code, &out), (Some(0), &printed), "{err}");
    // Cycle 1000 at 602 MHz, in ps.
    assert!(text(&saves.bytes("x.vcd")).contains("#1661130\n"));
    let table = |err: &str| -> Vec<String> {
        let lines = err.lines().filter(|line| line.starts_with("    ") || line.starts_with("on the "));
        lines.map(String::from).collect()
    };
    assert_eq!(table(&err), table(&whole));
}

#[test]
fn another_program_is_refused_at_the_launch_that_differs() {
    let saves = Saves::new("parts");
    let stats = ["--stats", "core0.front_end.fetches"];
    let run = |options: &[&str], argument: &str, other: &str| {
        saves.run(&saves.program, &[&stats[..], options].concat(), argument, other)
    };
    // In the last launch.
    let (code, _, err) = run(&["--save", "x.run", "--every", "5000"], "x", "");
    assert!(code == Some(0) && err.contains("saved in launch 4, at cycle "), "{err}");
    let bytes = saves.bytes("x.run");
    for (other, launch, why) in [
        ("constant", "launch 1, mix,", "its constants differ"),
        ("argument", "launch 2, mix,", "its arguments differ"),
        ("grid", "launch 2, mix,", "the grid is 2 x 1 x 1 there and 3 x 1 x 1 here"),
        ("size", "launch 2, mix,", "addresses or sizes of allocations differ"),
        ("memory", "launch 2, mix,", "what the host has put into memory before it differs"),
    ] {
        let (code, out, err) = run(&["--resume", "x.run"], "x", other);
        let told = format!("{launch} is not that of the program that was saved: {why}");
        assert!(code == Some(2) && err.contains(&told), "{other}: {code:?} {err}");
        // Nothing comes behind it.
        assert_eq!(out.contains("1: "), launch != "launch 1, mix,", "{other}: {out}");
        assert!(!out.contains("2: ") && !out.contains("total"), "{other}: {out}");
    }
    let (code, _, err) = run(&["--resume", "x.run"], "x", "end");
    assert!(code == Some(2) && err.contains("it has ended after 1 launches, and launch 2 was to come"), "{err}");
    // Refused before a launch.
    let refused = |(code, out, err): Said, why: &str| {
        assert!(code == Some(2) && out.is_empty() && err.contains(why), "{why}: {code:?} {out}{err}");
    };
    let resume = ["--resume", "x.run"];
    let with = |option: &[&str]| run(&[&resume[..], option].concat(), "x", "");
    refused(run(&resume, "y", ""), "a saved run of another program: arguments is [\"x\"] there and [\"y\"] here");
    refused(with(&["-P", "network.vcs=8"]), "another chip: network.vcs is 4 there and 8 here");
    refused(with(&["--kernels", "4"]), "--kernels is all there and 4 here");
    refused(with(&["--no-memory-checks"]), "checks on memory is on there and off here");
    refused(
        with(&["--stats", "core0"]),
        "--stats is core0.front_end.fetches there and core0.front_end.fetches core0 here",
    );
    refused(with(&["--record", "r"]), "`--record --interval 1000` begins with a run");
    refused(with(&["--trace", "x.pftrace"]), "launch 4 goes on from cycle ");
    refused(with(&["--wave", "x.vcd", "--trace-launch", "2"]), "launch 2 had ended when the program was saved");
    let other = compile("conduct", saves.folder.path());
    refused(
        saves.run(&other, &[&stats[..], &resume].concat(), "x", ""),
        "another program: its file has another content",
    );
    let file = |name: &str, bytes: &[u8]| fs::write(saves.path(name), bytes).expect("written");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    file("damaged.run", &damaged);
    file("cut.run", &bytes[..bytes.len() / 3]);
    file("text.run", b"no saved program\n");
    let from = |file: &str| run(&["--resume", file], "x", "");
    refused(from("damaged.run"), "it is damaged");
    refused(from("cut.run"), "it is damaged");
    refused(from("text.run"), "it is not a saved program");
    refused(from("none.run"), "cannot resume none.run: ");
    // Files that are something else, or that would be lost.
    refused(run(&["--save", "text.run", "--force"], "x", ""), "text.run exists and is not a saved program");
    refused(run(&["--save", "x.run"], "x", ""), "x.run exists");
    refused(run(&["--every", "5"], "x", ""), "--save");
    assert!(saves.bytes("x.run") == bytes && saves.bytes("text.run") == b"no saved program\n");
    assert!(!["r", "x.pftrace", "x.vcd"].iter().any(|name| saves.path(name).exists()));
}
