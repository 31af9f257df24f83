//! What has been found is never lost: not to a full disk, not to Ctrl-C, not to one chip of several that fails.

use super::{Folder, json};
use std::{
    fs::File,
    process::{Child, Command, Output, Stdio},
};

const RUN: [&str; 6] = ["run", "small", "--kernel", "vector_add", "--size", "64"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

/// The program with these arguments; output and messages are piped.
fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("warpmesh"));
    command.args(args).current_dir(folder.0.path()).env("XDG_CACHE_HOME", folder.path("cache")).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What is in the folder beside the cache.
fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.0.path()).expect("is there");
    let names = entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name != "cache").collect();
    names.sort();
    names
}

#[test]
fn outputs_that_would_overwrite_each_other_are_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("there")).expect("made");
    let commands: [&[&str]; 7] = [
        &["noc", "small", "--plot", "x.svg", "--heatmap", "x.svg"],
        &["noc", "small", "--plot", "x.svg", "--heatmap", "./there/../x.svg"],
        &["run", "small", "--out", "r", "--wave", "r/x.fst"],
        &["run", "small", "--out", "there", "--wave", "there/x.fst", "--force"],
        &["run", "small", "--out", "x.vcd", "--wave", "x.vcd"],
        &["run", "small", "--out", "x.vcd/deep", "--wave", "x.vcd:core0"],
        &["run", "small", "--out", ".", "--wave", "x.vcd"],
    ];
    for args in commands {
        let outcome = folder.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{args:?}: {}", outcome.stderr);
    }
    assert_eq!(names(&folder), ["there"]);
    insta::assert_snapshot!(folder.transcripts(&commands));
}

/// The report is there when what is to be written cannot be, and the exit code says so.
#[cfg(unix)]
#[test]
fn the_report_comes_before_what_cannot_be_written() {
    let folder = Folder::new();
    for name in ["full.svg", "full.vcd", "full.fst"] {
        std::os::unix::fs::symlink("/dev/full", folder.path(name)).expect("made");
    }
    // A folder in the place of a file.
    std::fs::create_dir_all(folder.path("r/report.json")).expect("made");
    let noc = ["noc", "small", "--rate", "0.1", "--warmup", "50", "--measure", "100", "--json"];
    let commands = [
        [&noc[..], &["--plot", "full.svg", "--force"]].concat(),
        [&noc[..], &["--heatmap", "full.svg", "--force"]].concat(),
        with(&["--json", "--wave", "full.vcd:dispatcher", "--force"]),
        with(&["--json", "--out", "r", "--force"]),
    ];
    let mut said = String::new();
    for args in commands {
        let outcome = folder.run(&args);
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.stderr);
        assert!(json(&outcome)["config"] == "small", "{args:?}: {}", outcome.stdout);
        said += &format!("$ warpmesh {}\n{}", args.join(" "), outcome.stderr);
    }
    insta::assert_snapshot!(said);
    assert!(std::fs::metadata("/dev/full").is_ok_and(|about| !about.is_file()), "written to, not replaced");
    // What has its data at its end is begun with a list of names, which finds out before anything is simulated.
    let refused = folder.transcript(&with(&["--wave", "full.fst:dispatcher", "--force"]));
    assert!(refused.contains("No space left on device") && refused.ends_with("[exit 2]\n\n"), "{refused}");
    // A kernel that fails has its own code.
    let args = with(&["--max-cycles", "50", "--out", "r", "--force"]);
    assert_eq!(folder.run(&args).code, 3);
}

#[test]
fn what_is_to_be_written_is_when_the_report_cannot_be_printed() {
    let folder = Folder::new();
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let mut command = command(&folder, &with(&["--out", "r"]));
    let output = command.stdout(full).output().expect("starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("cannot write to standard output"), "{said}");
    assert!(folder.read("r/report.txt").starts_with("vector_add on small: completed, result verified\n"));
    assert_eq!(names(&folder), ["r"], "nothing unfinished stays");
}

#[test]
fn a_network_that_takes_no_load_is_drawn_too() {
    let folder = Folder::new();
    let noc = ["noc", "small", "--rate", "0.9", "--warmup", "100", "--measure", "300", "--drain", "300"];
    let outcome = folder.run(&[&noc[..], &["--plot", "plot.svg", "--heatmap", "map.svg"]].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.contains("  saturated: "), "{}", outcome.stdout);
    assert_eq!(folder.read("plot.svg").matches("<circle").count(), 3, "mean, 99th percentile, throughput");
    assert!(folder.read("map.svg").contains("flits a cycle (by VC: 0."));
}

#[test]
fn a_chip_that_fails_does_not_take_the_others_with_it() {
    let folder = Folder::new();
    folder.write("slow.toml", "base = \"small\"\nname = \"slow\"\n[network]\nextra_latency = 16\n");
    folder.write("wide.toml", "base = \"small\"\nname = \"wide\"\n[network]\nchannel_bytes = 32\n");
    let compare = ["compare", "small", "slow.toml", "wide.toml", "--kernel", "vector_add,reduction", "--size", "64"];
    let small = json(&folder.run(&["run", "small", "--kernel", "reduction", "--size", "64", "--json"]));
    // What the first takes, the second with its slow routers does not end in.
    let limit = (small["core_cycles"].as_u64().expect("a number") + 5).to_string();
    let compare = [&compare[..], &["--threads", "1", "--max-cycles", &limit]].concat();
    let outcome = folder.run(&compare);
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    insta::assert_snapshot!(super::numbers_redacted(&format!("{}\n{}", outcome.stdout, outcome.stderr)));
    let object = json(&folder.run(&[&compare[..], &["--json"]].concat()));
    let configs = |list: &str| -> Vec<_> {
        let chips = object[list].as_array().expect("a list");
        chips.iter().map(|chip| chip["config"].as_str().unwrap_or_default().to_string()).collect()
    };
    assert_eq!(
        (configs("chips"), configs("unfinished")),
        (vec!["small".into(), "wide.toml".into()], vec!["slow.toml".to_string()])
    );
    assert!(object["unfinished"][0]["cycles"]["vector_add"].is_u64(), "{object}");
}

#[test]
fn compare_checks_everything_before_anything_runs() {
    let folder = Folder::new();
    folder.write("few.toml", "base = \"small\"\nname = \"few\"\n[core]\nwarps = 2\nblocks = 2\n");
    folder.write("short.toml", "base = \"small\"\nname = \"short\"\n[core]\nprogram_words = 16\n");
    let commands: [&[&str]; 4] = [
        &["compare", "small", "few.toml", "short.toml", "--kernel", "vector_add,matmul"],
        &["compare", "small", "--kernel", "vector_add,matmull"],
        &["compare", "small", "--kernel", "vector_add,matmul", "--size", "1000000"],
        &["compare", "small", "nowhere.toml"],
    ];
    for args in commands {
        let outcome = folder.run(&[args, &["-v"]].concat());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{args:?}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("run: "), "{args:?}: {}", outcome.stderr);
        assert!(!folder.path("study-results").exists(), "{args:?}");
    }
    insta::assert_snapshot!(folder.transcripts(&commands));
}

/// Signals, as Ctrl-C sends them.
#[cfg(unix)]
mod interrupted {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process};
    use std::{
        io::{BufRead, BufReader, Read},
        thread::sleep,
        time::{Duration, Instant},
    };

    const ENDLESS: &str =
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry endless()\n{\n$again:\n\tbra.uni $again;\n}\n";

    fn endless(folder: &Folder) {
        folder.write("endless.ptx", ENDLESS);
        folder.write("endless.toml", "ptx = \"endless.ptx\"\ngrid = 1\nblock = 32\nargs = []\n");
    }

    fn send(child: &Child, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process")).expect("not zero");
        kill_process(pid, signal).expect("runs");
    }

    /// Waits for a file that is being written.
    fn wait_for(folder: &Folder, name: &str) {
        let start = Instant::now();
        while !folder.path(name).exists() {
            assert!(start.elapsed() < Duration::from_secs(120), "{name} does not appear");
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until it has more than a list of names, so that the simulation is in progress.
    fn wait_for_changes(folder: &Folder, name: &str) {
        wait_for(folder, name);
        let start = Instant::now();
        while std::fs::metadata(folder.path(name)).expect("is there").len() < 1 << 20 {
            assert!(start.elapsed() < Duration::from_secs(120), "{name} does not grow");
            sleep(Duration::from_millis(20));
        }
    }

    /// Reads messages until one contains `text`; then Ctrl-C, and what became of it.
    fn at_step(mut child: Child, text: &str) -> Output {
        let mut messages = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            assert_ne!(messages.read_line(&mut line).expect("readable"), 0, "`{text}` is not said");
        }
        send(&child, Signal::INT);
        let mut rest = vec![];
        messages.read_to_end(&mut rest).expect("readable");
        Output { stderr: rest, ..child.wait_with_output().expect("ends") }
    }

    fn object(output: &Output) -> serde_json::Value {
        let said = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
    }

    #[test]
    fn a_run_ends_with_its_report_and_a_whole_waveform() {
        let folder = Folder::new();
        endless(&folder);
        let args = ["run", "small", "--launch", "endless.toml", "--json", "--out", "r", "--wave", "x.vcd:core0"];
        let child = command(&folder, &args).spawn().expect("starts");
        wait_for_changes(&folder, "x.vcd");
        send(&child, Signal::INT);
        let output = child.wait_with_output().expect("ends");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(130), 0));
        let report = object(&output);
        assert_eq!((&report["verdict"], &report["verified"]), (&"interrupted".into(), &serde_json::Value::Null));
        assert!(report["core_cycles"].as_u64() > Some(100) && report["warp_instructions"].as_u64() > Some(5));
        assert_eq!(report["waiting"][0]["warps"], 1, "{report}");
        assert_eq!(folder.read("r/report.json").as_bytes(), output.stdout);
        let vcd = folder.read("x.vcd");
        let cycles = report["simulated_cycles"].as_u64().expect("a number");
        let last = vcd.lines().rev().find_map(|line| line.strip_prefix('#')).and_then(|time| time.parse::<u64>().ok());
        assert!(vcd.ends_with('\n') && last > Some(cycles - 100), "{last:?} of {cycles}");
    }

    /// A waveform that has its data at its end is whole, too, when somebody asks the program to terminate.
    #[test]
    fn a_compressed_waveform_is_whole() {
        let folder = Folder::new();
        endless(&folder);
        let args = ["run", "small", "--launch", "endless.toml", "--wave", "x.fst:dispatcher"];
        let child = command(&folder, &args).spawn().expect("starts");
        wait_for(&folder, "x.fst");
        send(&child, Signal::TERM);
        let output = child.wait_with_output().expect("ends");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(130), 0));
        let fst = File::open(folder.path("x.fst")).expect("written");
        let mut reader = fst_reader::FstReader::open(std::io::BufReader::new(fst)).expect("a whole file");
        let mut names = 0;
        reader.read_hierarchy(|_| names += 1).expect("its names");
        assert!(names > 3);
    }

    /// A record of a run, and of a run file whose second launch does not end.
    #[test]
    fn a_record_has_what_was_found() {
        let folder = Folder::new();
        endless(&folder);
        let several = "[[kernel]]\nname = \"endless\"\nptx = \"endless.ptx\"\nentry = \"endless\"\n\n[[step]]\nlaunch = \"endless\"\ngrid = 1\nblock = 32\nargs = []\n";
        folder.write("several.toml", several);
        for (file, text) in [("endless.toml", "simulating"), ("several.toml", "1 kernels")] {
            let args = ["-v", "run", "small", "--launch", file, "--json", "--record", file.trim_end_matches(".toml")];
            let output = at_step(command(&folder, &args).spawn().expect("starts"), text);
            assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
            let place = |name: &str| folder.path(&format!("{}/{name}", args[7]));
            let about = std::fs::read_to_string(place("record.json")).expect("written");
            let about: serde_json::Value = serde_json::from_str(&about).expect("an object");
            assert_eq!(about["verdict"], "interrupted");
            assert_eq!(std::fs::read(place("report.json")).expect("written"), output.stdout);
            let columns = crate::parquet_file::columns(&place("samples.parquet"));
            let report = object(&output);
            if let Some(cycles) = report["core_cycles"].as_u64() {
                assert_eq!(columns[1].1.last().copied().unwrap_or(0), cycles);
            }
        }
    }

    /// The run goes on as if nothing had been.
    #[test]
    fn a_run_is_saved_when_that_was_asked_for() {
        let folder = Folder::new();
        endless(&folder);
        let run = ["run", "small", "--launch", "endless.toml", "--json", "--no-memory-checks"];
        let args = [&["-v"], &run[..], &["--save", "x.run"]].concat();
        let output = at_step(command(&folder, &args).spawn().expect("starts"), "simulating");
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        let interrupted = object(&output)["core_cycles"].as_u64().expect("a number");
        let limit = (interrupted + 100).to_string();
        let end = |more: &[&str]| {
            let outcome = folder.run(&[&run[..], &["--max-cycles", &limit], more].concat());
            assert_eq!((outcome.code, outcome.stderr.as_str()), (3, ""));
            crate::without_timing(json(&outcome))
        };
        assert_eq!(end(&["--resume", "x.run"]), end(&[]));
        // So does the limit of time, here before the first cycle.
        let timed = folder.run(&[&run[..], &["--save", "timed.run", "--max-seconds", "0.001"]].concat());
        assert_eq!(
            (timed.code, timed.stderr.as_str()),
            (3, "saved at cycle 0; to go on from there: --resume timed.run\n")
        );
        assert_eq!(end(&["--resume", "timed.run"]), end(&[]));
    }

    #[test]
    fn a_report_for_people_says_so() {
        let folder = Folder::new();
        endless(&folder);
        let child = command(&folder, &["-v", "run", "small", "--launch", "endless.toml"]).spawn().expect("starts");
        let output = at_step(child, "simulating");
        assert_eq!(output.status.code(), Some(130));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("endless on small: INTERRUPTED: all numbers are those up to there\n"), "{text}");
    }

    #[test]
    fn the_second_time_ends_at_once() {
        let folder = Folder::new();
        endless(&folder);
        let args = ["run", "small", "--launch", "endless.toml", "--wave", "x.vcd:dispatcher"];
        let child = command(&folder, &args).spawn().expect("starts");
        wait_for(&folder, "x.vcd");
        // Both arrive before the simulation can look.
        [Signal::STOP, Signal::INT, Signal::TERM, Signal::CONT].into_iter().for_each(|signal| send(&child, signal));
        let output = child.wait_with_output().expect("ends");
        assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(130), 0, 0));
    }

    #[test]
    fn a_run_that_is_killed_leaves_no_half_of_a_folder() {
        let folder = Folder::new();
        endless(&folder);
        let args = ["run", "small", "--launch", "endless.toml", "--out", "r", "--wave", "x.vcd:dispatcher"];
        let child = command(&folder, &args).spawn().expect("starts");
        wait_for(&folder, "x.vcd");
        send(&child, Signal::KILL);
        child.wait_with_output().expect("ends");
        assert_eq!(names(&folder), ["endless.ptx", "endless.toml", "x.vcd"]);
    }

    #[test]
    fn a_sweep_ends_with_the_loads_that_were_measured() {
        let folder = Folder::new();
        let noc = ["-v", "noc", "small", "--json", "--rate", "0.05,0.1", "--measure", "30000", "--plot", "x.svg"];
        let output = at_step(command(&folder, &noc).spawn().expect("starts"), "load 0.1");
        assert_eq!(output.status.code(), Some(130));
        let report = object(&output);
        assert_eq!(report["interrupted"], true);
        let points = report["points"].as_array().expect("a list");
        let offered: Vec<_> = points.iter().filter_map(|point| point["offered"].as_f64()).collect();
        assert_eq!(offered, [0.05]);
        assert!(folder.read("x.svg").contains("<circle"));
    }

    #[test]
    fn a_comparison_keeps_the_chips_that_are_done() {
        let folder = Folder::new();
        folder.write("wide.toml", "base = \"small\"\nname = \"wide\"\n[network]\nchannel_bytes = 32\n");
        let compare = ["compare", "small", "wide.toml", "small-l2", "--kernel", "vector_add,reduction", "--json"];
        let stopped = [&["-v"], &compare[..], &["--jobs", "1"]].concat();
        let output = at_step(command(&folder, &stopped).spawn().expect("starts"), "run: reduction on wide.toml");
        assert_eq!(output.status.code(), Some(130));
        let object = object(&output);
        assert_eq!(
            (&object["chips"][0]["config"], object["chips"].as_array().map(Vec::len)),
            (&"small".into(), Some(1))
        );
        let unfinished = object["unfinished"].as_array().expect("a list");
        assert_eq!(unfinished.len(), 2, "{object}");
        assert!(unfinished[0]["cycles"]["vector_add"].is_u64());
        assert_eq!(unfinished[0]["reason"], "reduction: interrupted");
        assert_eq!(unfinished[1]["reason"], "vector_add: interrupted");
        // The run itself was ended, and the same command does what is missing.
        let outcome = folder.run(&[&["-v"], &compare[..]].concat());
        assert_eq!((outcome.code, outcome.stderr.matches("run: ").count()), (0, 3), "{}", outcome.stderr);
    }
}
