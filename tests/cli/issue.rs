//! Issue slots, one by one: what they say agrees with what the hardware counts, and with the program.

use super::{
    Folder, json,
    perfetto::{self, Slice},
};
use std::collections::{BTreeMap, BTreeSet};

/// A line of the file.
struct IssueRow {
    cycle: u64,
    core: u64,
    slot: u64,
    warp: Option<usize>,
    instruction: String,
    cause: String,
    warps: String,
}

fn rows(csv: &str) -> Vec<IssueRow> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("cycle,core,slot,warp,pc,instruction,cause,warps"));
    let row = |line: &str| {
        // Instructions have commas, and are the only ones in quotes.
        let (head, instruction, tail) = match line.split_once('"') {
            Some((head, rest)) => {
                let (instruction, tail) = rest.rsplit_once("\",").expect("a closed quote");
                (head, instruction, tail)
            }
            None => {
                let (head, tail) = line.split_once(",,,,").expect("nothing issued");
                (head, "", tail)
            }
        };
        let head: Vec<_> = head.split(',').collect();
        let (cause, warps) = tail.split_once(',').expect("two fields");
        IssueRow {
            cycle: head[0].parse().expect("a number"),
            core: head[1].parse().expect("a number"),
            slot: head[2].parse().expect("a number"),
            warp: head.get(3).map(|warp| warp.parse().expect("a number")),
            instruction: instruction.into(),
            cause: cause.into(),
            warps: warps.into(),
        }
    };
    lines.map(row).collect()
}

/// Runs a kernel with a trace of all of it and compares it with the statistics of each core; the causes that have
/// occurred.
fn check(chip: &str, kernel: [&str; 2], parameters: &[&str], beats: u64) -> BTreeSet<String> {
    let folder = Folder::new();
    let mut args = vec!["run", chip, "--kernel", kernel[0], "--size", kernel[1], "--json", "--issue-trace", "x.csv"];
    args.extend(["--stats", "front_end*.slots_lost_*", "--stats", "front_end*.instructions"]);
    args.extend(parameters.iter().flat_map(|parameter| ["-P", parameter]));
    let outcome = folder.run(&args);
    assert_eq!(outcome.code, 0, "{args:?}: {}", outcome.stderr);
    let report = json(&outcome);
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let cycles = number(&report["core_cycles"]) + number(&report["flush_cycles"]);
    let counted: BTreeMap<String, u64> = report["statistics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| (row["name"].as_str().expect("text").to_string(), number(&row["value"])))
        .collect();
    let rows = rows(&folder.read("x.csv"));
    let slots = if parameters.contains(&"core.issue_slots=2") { 2 } else { 1 };
    let all = (0..number(&report["cores"])).flat_map(|core| (0..slots).map(move |slot| (core, slot)));
    for (core, slot) in all {
        let front = if slots == 1 { "front_end".to_string() } else { format!("front_end{slot}") };
        let rows: Vec<_> = rows.iter().filter(|row| (row.core, row.slot) == (core, slot)).collect();
        // Each slot has its row.
        assert!(rows[0].cycle < beats && rows[rows.len() - 1].cycle + beats >= cycles, "{args:?}");
        assert!(rows.windows(2).all(|pair| pair[1].cycle == pair[0].cycle + beats), "{args:?}");
        assert!(rows[rows.len() - 1].cycle < cycles, "{args:?}");
        let total = |causes: &[&str]| rows.iter().filter(|row| causes.contains(&row.cause.as_str())).count() as u64;
        for (statistic, causes) in [
            ("instructions", &["issued"][..]),
            ("slots_lost_to_data_hazards", &["RAW hazard", "load-use hazard"]),
            ("slots_lost_to_structural_hazards", &["structural hazard", "cache rejects", "memory ordering"]),
            ("slots_lost_to_barriers", &["barrier"]),
            ("slots_lost_to_fetch", &["fetch"]),
            ("slots_lost_to_throttle", &["throttled"]),
        ] {
            let name = format!("core{core}.{front}.{statistic}");
            assert_eq!(total(causes), counted.get(&name).copied().unwrap_or(0), "{args:?}: {name}");
        }
        for row in &rows {
            let issues: Vec<_> = row.warps.char_indices().filter(|(_, letter)| *letter == 'I').collect();
            assert_eq!(
                issues.first().map(|(warp, _)| *warp * slots as usize + slot as usize),
                row.warp,
                "{args:?}, cycle {}",
                row.cycle
            );
            assert!(issues.len() <= 1 && row.warp.is_some() != row.instruction.is_empty());
        }
    }
    // Warps are counted one by one, too, in every slot until the caches are flushed.
    let warps = &report["issue"]["warp_cycles"];
    let letters = |wanted: &str| {
        let of_row = |row: &IssueRow| row.warps.chars().filter(|letter| wanted.contains(*letter)).count() as u64;
        rows.iter().map(of_row).sum::<u64>() * beats
    };
    let mut sum = number(&warps["without_block"]);
    for (field, wanted) in [
        ("/issued", "I"),
        ("/ready", "r"),
        ("/waiting/data_hazards", "am"),
        ("/waiting/structural_hazards", "uco"),
        ("/waiting/barriers", "b"),
        ("/waiting/throttle", "t"),
        ("/waiting/fetch", "f"),
    ] {
        let counted = number(warps.pointer(field).expect("a field"));
        assert_eq!(counted, letters(wanted), "{args:?}: {field}");
        sum += counted;
    }
    assert_eq!(sum, number(&warps["total"]), "{args:?}");
    // A global load that is awaited is open; what else is awaited meanwhile is among them, too.
    let [loads, memory, data] = [number(&warps["with_open_load"]), letters("m"), letters("am")];
    assert!(0 < loads && loads <= data && (kernel[0] != "vector_add" || memory <= loads), "{args:?}: {warps}");
    rows.into_iter().map(|row| row.cause).collect()
}

#[test]
fn causes_add_up_to_the_statistics() {
    let mut found = check("small", ["matmul", "16"], &[], 4);
    found.extend(check("small", ["reduction", "2048"], &["core.lanes=32", "core.latencies=fermi"], 1));
    found.extend(check("small-kim-ch2", ["transpose", "64"], &[], 2));
    found.extend(check("small-kim-ch2", ["vector_add", "2048"], &["core.throttle.kind=swl"], 2));
    found.extend(check("small", ["vector_add", "1024"], &["core.issue=barrel"], 4));
    found.extend(check("small", ["matmul", "16"], &["core.issue_slots=2"], 4));
    let all = [
        "RAW hazard",
        "barrier",
        "cache rejects",
        "fetch",
        "issued",
        "load-use hazard",
        "none live",
        "memory ordering",
        "throttled",
        "structural hazard",
    ];
    assert_eq!(found, all.map(String::from).into(), "every cause has occurred, and no other");
}

/// Registers and predicates in the text of an instruction, the destination first.
fn named(instruction: &str) -> Vec<&str> {
    let words = instruction.split(|c: char| !c.is_ascii_alphanumeric());
    let numbered = |word: &&str| {
        word.starts_with(['R', 'P']) && word.len() > 1 && word[1..].bytes().all(|digit| digit.is_ascii_digit())
    };
    words.filter(numbered).collect()
}

/// A warp waits for what its next instruction names: for memory where a load wrote it last, else for the lanes.
#[test]
fn results_are_awaited_from_where_they_come() {
    let folder = Folder::new();
    let run = ["run", "small", "--kernel", "matmul", "--size", "16", "--issue-trace", "x.csv:core0"];
    assert_eq!(folder.run(&run).code, 0);
    let rows = rows(&folder.read("x.csv"));
    let mut loaded = BTreeMap::new();
    let mut awaited = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(row.core, 0);
        for (warp, letter) in row.warps.char_indices().filter(|(_, letter)| "am".contains(*letter)) {
            let next = rows[at..].iter().find(|row| row.warp == Some(warp)).expect("it goes on");
            let is_load = |name: &&str| loaded.get(&(warp, name.to_string())) == Some(&true);
            let names = named(&next.instruction);
            let found = names.iter().any(|name| is_load(name) == (letter == 'm'));
            assert!(found, "cycle {}, warp {warp}: {letter} at {}", row.cycle, next.instruction);
            *awaited.entry(letter).or_insert(0) += 1;
        }
        let Some(warp) = row.warp.filter(|_| !row.instruction.contains("ST")) else { continue };
        let destination = named(&row.instruction).into_iter().find(|name| name.starts_with('R'));
        if let Some(destination) = destination {
            let is_load = row.instruction.starts_with("LD") && !row.instruction.starts_with("LDP");
            loaded.insert((warp, destination.to_string()), is_load);
        }
    }
    assert!(awaited[&'a'] > 100 && awaited[&'m'] > 100, "{awaited:?}");
}

/// What is read does not depend on the engine, nor does reading change what happens.
#[test]
fn engines_show_the_same() {
    let folder = Folder::new();
    let run = ["run", "small-l1", "--kernel", "matmul", "--size", "16", "--json"];
    let cycles = json(&folder.run(&run))["core_cycles"].clone();
    let traces = ["word", "sliced"].map(|engine| {
        let file = format!("{engine}.csv");
        let spec = format!("{file}:core0,core2@500..900");
        let outcome = folder.run(&[&run[..], &["--engine", engine, "--issue-trace", &spec]].concat());
        assert_eq!((outcome.code, &json(&outcome)["core_cycles"]), (0, &cycles), "{engine}: {}", outcome.stderr);
        folder.read(&file)
    });
    let rows = rows(&traces[0]);
    assert_eq!(rows.len(), 2 * 400 / 4);
    assert!(rows.iter().all(|row| (500..900).contains(&row.cycle) && [0, 2].contains(&row.core)));
    assert!(traces.iter().all(|trace| *trace == traces[0]));
}

#[test]
fn a_window_is_drawn() {
    let folder = Folder::new();
    let run = ["run", "small", "--kernel", "matmul", "--size", "16", "--issue-trace", "x.svg:core1@400..440"];
    let both = folder.run(&[&run[..], &["--issue-trace", "x.csv:core1@400..440"]].concat());
    assert_eq!(both.code, 0, "{}", both.stderr);
    let (svg, rows) = (folder.read("x.svg"), rows(&folder.read("x.csv")));
    let shows = |text: &str| svg.lines().filter(|line| line.trim() == text).count();
    assert_eq!([shows("Issue slots of matmul, cycles 400 to 439"), shows("core 1"), shows("core 0")], [1, 1, 0]);
    // Warps that have a block have a row.
    let live = (0..rows[0].warps.len()).filter(|&warp| rows.iter().any(|row| &row.warps[warp..=warp] != "."));
    let live: Vec<_> = live.collect();
    assert!(!live.is_empty());
    assert!((0..8).all(|warp| shows(&format!("warp {warp}")) == usize::from(live.contains(&warp))));
    // Slots, and one rectangle at least for each warp, beside background and legend.
    assert!(svg.matches("<rect").count() > 11 + rows.len().min(2) + live.len(), "{svg}");
}

/// A slice: first cycle, the one behind the last, name.
type SlotSlice = (u64, u64, String);

/// Slices by the names of their tracks.
fn tracks(file: &[u8]) -> BTreeMap<String, Vec<SlotSlice>> {
    let cycle = |time: u64| time / 1000;
    let flat = |slices: Vec<Slice>| {
        slices.into_iter().map(|slice| (cycle(slice.from), cycle(slice.until), slice.name)).collect()
    };
    perfetto::tracks(file).into_iter().map(|(name, slices)| (name, flat(slices))).collect()
}

/// What tracks show is what the rows of the CSV say, which are what the hardware counts.
#[test]
fn a_timeline_adds_up() {
    for (window, parts) in [("", 1), ("@300..900", 1), ("", 2)] {
        let folder = Folder::new();
        let (trace, csv, parameter) =
            (format!("x.pftrace{window}"), format!("x.csv{window}"), format!("core.issue_slots={parts}"));
        let run = ["run", "small", "--kernel", "matmul", "--size", "16", "-P", &parameter];
        let outcome = folder.run(&[&run[..], &["--issue-trace", &trace, "--issue-trace", &csv]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let tracks = tracks(&std::fs::read(folder.path("x.pftrace")).expect("written"));
        let rows = rows(&folder.read("x.csv"));
        let beats = 4;
        let cycles = |slices: &[SlotSlice], name: &str| -> u64 {
            slices.iter().filter(|(.., of)| of == name).map(|(from, until, _)| until - from).sum()
        };
        let above = tracks.keys().filter(|name| !name.contains('/')).count() as u64;
        let cores = rows.iter().map(|row| row.core + 1).max().expect("rows");
        assert_eq!(above, cores * parts, "{:?}", tracks.keys());
        for (core, part) in (0..cores).flat_map(|core| (0..parts).map(move |part| (core, part))) {
            let rows: Vec<_> = rows.iter().filter(|row| (row.core, row.slot) == (core, part)).collect();
            let above = if parts == 1 { format!("core{core}") } else { format!("core{core}, part {part}") };
            let slots = &tracks[&format!("{above} / issue slots")];
            assert!(slots.windows(2).all(|pair| pair[0].1 <= pair[1].0 && pair[0].2 != "none live"));
            for cause in rows.iter().map(|row| row.cause.as_str()).collect::<BTreeSet<_>>() {
                let expected = rows.iter().filter(|row| row.cause == cause).count() as u64 * beats;
                assert_eq!(cycles(slots, cause), if cause == "none live" { 0 } else { expected }, "{above}: {cause}");
            }
            for warp in 0..rows[0].warps.len() {
                let number = warp * parts as usize + part as usize;
                let slices = &tracks[&format!("{above} / warp {number}")];
                assert!(slices.windows(2).all(|pair| pair[0].1 <= pair[1].0), "one after the other");
                let letters =
                    [('a', "RAW hazard"), ('m', "load-use hazard"), ('b', "barrier"), ('f', "fetch"), ('r', "ready")];
                for (letter, name) in letters {
                    let expected = rows.iter().filter(|row| row.warps.chars().nth(warp) == Some(letter)).count() as u64;
                    assert_eq!(cycles(slices, name), expected * beats, "{above}, warp {number}: {name}");
                }
                // Each instruction is a slice, in the cycles of its slot.
                let issued: Vec<_> = rows
                    .iter()
                    .filter(|row| row.warp == Some(number))
                    .map(|row| (row.cycle + 1 - beats, row.cycle + 1, row.instruction.clone()))
                    .collect();
                let waits =
                    ["RAW", "load-use", "barrier", "fetch", "ready", "structural", "memory", "cache", "throttled"];
                let found = slices.iter().filter(|(.., name)| !waits.iter().any(|wait| name.starts_with(wait)));
                assert_eq!(found.cloned().collect::<Vec<_>>(), issued, "{above}, warp {number}");
            }
        }
    }
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let folder = Folder::new();
    folder.write("there.csv", "mine");
    let run = ["run", "small", "--kernel", "vector_add", "--size", "64", "--issue-trace"];
    let with = |spec: &'static str| [&run[..], &[spec]].concat();
    let text = folder.transcripts(&[
        &with("x.txt"),
        &with("x.svg"),
        &with("x.svg@100..2000"),
        &with("x.csv:core0,router1"),
        &with("x.csv:core9"),
        &with("x.csv@20..10"),
        &with("there.csv"),
        &with("nowhere/x.csv"),
        &[&with("x.csv@0..10")[..], &["--issue-trace", "x.csv@20..30"]].concat(),
    ]);
    insta::assert_snapshot!(text);
    assert_eq!(folder.read("there.csv"), "mine");
    assert_eq!(folder.run(&[&with("there.csv@0..100")[..], &["--force"]].concat()).code, 0);
    assert!(folder.read("there.csv").starts_with("cycle,core,"));
    // The report is there, and what is missing is said.
    let late = folder.run(&with("late.csv@1000000.."));
    assert_eq!((late.code, folder.path("late.csv").exists()), (2, false));
    assert!(late.stdout.contains("completed, result verified") && late.stderr.contains("late.csv is not written"));
}
