//! How CUDA programs are run: what is kept on disk between runs, where reports go, what selects nothing, and what wrong
//! calls and kernels come to (`cuda/programs/conduct.cu`).

mod parts;

use crate::parquet_file;
use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};
use tempfile::TempDir;

const WARPMESH: &str = env!("CARGO_BIN_EXE_warpmesh");
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda/programs");
const CHIP: [&str; 4] = ["--config", "small", "-P", "core.atomics=true"];

/// A command without what cargo says of libraries, which goes before what a program says.
fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Exit code, what was printed, what was said.
fn said(output: &Output) -> (Option<i32>, String, String) {
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Compiles a program into a folder.
fn compile(name: &str, folder: &Path) -> PathBuf {
    let program = folder.join(name);
    let source = format!("{SOURCES}/{name}.cu");
    let made = command(WARPMESH).args(["cc", &source, "-o"]).arg(&program).output().expect("it runs");
    assert!(made.status.success(), "{}", text(&made.stderr));
    program
}

/// The program, compiled once.
fn conduct() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let made = || {
        let folder = tempfile::tempdir().expect("a folder");
        let program = compile("conduct", folder.path());
        (folder, program)
    };
    &PROGRAM.get_or_init(made).1
}

fn exec(options: &[&str], argument: &str) -> (Option<i32>, String, String) {
    let options = [&CHIP[..], options].concat();
    said(&command(WARPMESH).arg("exec").args(options).arg("--").arg(conduct()).arg(argument).output().expect("it runs"))
}

#[test]
fn wrong_calls_are_errors_and_the_report_is_printed() {
    for argument in ["f", "c", "t"] {
        let (code, out, err) = exec(&["--functional"], argument);
        assert_eq!(code, Some(0), "{argument}: {out}{err}");
        assert!(out.ends_with("0 wrong\n"), "{argument}: {out}{err}");
        let expected = match argument {
            "c" => "1 1 1, 2147483647 blocks\n",
            "t" => "3 4\n1 4\n",
            _ => "",
        };
        assert!(out.starts_with(expected), "{argument}: {out}");
        match argument {
            "f" => assert!(err.contains("cudaFreeHost: 0x") && err.contains("or was freed before"), "{err}"),
            "t" => {
                assert!(err.contains("texture `values` is not bound") && err.contains("4 launches on chip"), "{err}")
            }
            _ => assert!(err.contains("kernel `mark`") || err.contains("shared memory"), "{err}"),
        }
    }
}

/// References in branches that a compiler merges, and objects of an expression with `?`.
#[test]
fn a_kernel_reads_one_of_two_textures_that_it_chooses() {
    for options in [&["--functional"][..], &[], &["-P", "cache.texture.bytes=2048"]] {
        let (code, out, err) = exec(options, "e");
        assert_eq!((code, out.as_str()), (Some(0), "0 wrong\n"), "{options:?}: {err}");
        assert!(err.contains("    3  either"), "{err}");
    }
}

/// Each thread of the warp whose assertion does not hold has its line, on the emulator and on the chip, with and
/// without checks on memory.
#[test]
fn assertions_have_their_text() {
    let line = |block: &str, thread: u32| {
        format!(
            "{SOURCES}/conduct.cu:8: void lower(const int *, int *): block: [{block}], thread: [{thread},0,0] Assertion `threadIdx.x < limits[0]` failed.\n"
        )
    };
    for options in [&["--functional"][..], &["--functional", "--no-memory-checks"], &[], &["--no-memory-checks"]] {
        let (code, out, err) = exec(options, "a");
        assert_eq!(out, "cudaErrorAssert: device-side assert triggered\n0 wrong\n", "{options:?}: {err}");
        assert_eq!(code, Some(0));
        assert!(err.contains(&(line("0,0,0", 38) + &line("0,0,0", 39))), "{options:?}: {err}");
        assert_eq!(err.matches(" failed.\n").count(), 2, "{err}");
        assert!(err.contains("launch 2, lower: failed"), "{err}");
    }
}

/// A program that does not ask for the errors of its launches does not end as if all were well, and equal messages and
/// launches are one line.
#[test]
fn launches_that_fail_are_not_passed_over() {
    let (code, out, err) = exec(&["--functional"], "i");
    assert_eq!((code, &*out), (Some(1), "took time\n0 wrong\n"), "{err}");
    assert!(err.contains("50 launches failed, and the program did not ask for the error (cudaGetLastError)"), "{err}");
    assert!(err.contains("49 more messages with the text of one above") && err.contains("exit code 1"), "{err}");
    assert_eq!(err.matches("2048").count(), 1, "{err}");
    assert!(
        err.contains("100 launches on chip `small`") && err.contains("launch 2, mark, and 49 more of it: failed"),
        "{err}"
    );
    assert!(err.contains("cudaEventElapsedTime: emulated launches have no time"), "{err}");
    let rows: Vec<_> = err.lines().filter(|line| line.trim_start().starts_with("mark")).collect();
    assert!(rows.len() == 1 && rows[0].contains("50"), "{err}");
    let (code, _, err) = exec(&["--functional"], "g");
    assert!(code == Some(0) && !err.contains("did not ask"), "{err}");
    // The file has a line for each.
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.txt").display().to_string();
    exec(&["--functional", "--report", &report], "g");
    let text = fs::read_to_string(&report).expect("is there");
    assert!(text.lines().filter(|line| line.contains("  mark ")).count() == 50, "{text}");
    assert!(text.contains("launch 100, mark: failed"), "{text}");
}

#[test]
fn traps_say_why() {
    for (argument, out, why) in [
        ("o", "cudaErrorLaunchFailure: unspecified launch failure\n", "beyond the edges of a surface"),
        ("d1", "cudaErrorLaunchFailure: ", "in one dimension to a surface whose array has more dimensions, or layers"),
        ("d2", "cudaErrorLaunchFailure: ", "in two dimensions to a surface whose array has one or three dimensions"),
        ("d3", "cudaErrorLaunchFailure: ", "in three dimensions to a surface whose array has one or two dimensions"),
        ("d4", "cudaErrorLaunchFailure: ", "to a layer in one dimension of a surface whose array has no layers, or"),
        (
            "d5",
            "cudaErrorLaunchFailure: ",
            "to a layer in two dimensions, or a face, of a surface whose array has none",
        ),
        ("s", "cudaErrorLaunchFailure: unspecified launch failure\n", "a trap of the kernel"),
        ("m", "cudaErrorMisalignedAddress: misaligned address\n", "not a multiple of 4"),
    ] {
        for options in [&["--functional"][..], &[]] {
            let (_, found, err) = exec(options, argument);
            assert!(found.starts_with(out) && err.contains(why), "{argument} {options:?}: {found}{err}");
        }
    }
}

#[test]
fn launches_that_are_selected_and_not_there_are_told() {
    let (code, _, err) = exec(&["--kernels", "500"], "l");
    let nothing = "launches 500 were to be simulated on the chip, and there were 4: all were emulated";
    assert!(code == Some(0) && err.contains(nothing), "{err}");
    let (_, _, err) = exec(&["--kernels", "2,5-7"], "l");
    assert!(err.contains("launches 5-7 were to be simulated on the chip, too, and there were 4"), "{err}");
    let (_, _, err) = exec(&["--kernels", "2,4-7"], "l");
    assert!(!err.contains("were to be simulated"), "{err}");
    // Also where the report is elsewhere.
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json").display().to_string();
    let (_, _, err) = exec(&["--kernels", "500", "--report", &report], "l");
    assert!(err.contains(nothing) && fs::read_to_string(&report).is_ok_and(|text| text.contains(nothing)), "{err}");
}

/// The cycles of launches on the chip, in order, of a report.
fn cycles(report: &str) -> Vec<String> {
    let rows = report.lines().filter(|line| line.contains("mark"));
    rows.filter_map(|line| line.split_whitespace().nth(4)).map(String::from).collect()
}

#[test]
fn a_launch_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    // What separates file and paths may be in the name of a folder.
    let folder = folder.path().join("a:b@c");
    fs::create_dir(&folder).expect("made");
    let file = folder.join("x.vcd");
    let wave = |rest: &str| format!("{}{rest}", file.display());
    let (_, _, err) = exec(&[], "l");
    let plain = cycles(&err);
    assert_eq!(plain.len(), 4, "{err}");
    // The others take as many cycles as before, in front of it and behind it.
    let (code, out, err) = exec(&["--wave", &wave(":core0@10..20"), "--trace-launch", "2"], "l");
    assert!(code == Some(0) && out.contains("cudaSuccess"), "{err}");
    assert!(err.contains(&format!("launch 2: waveform in {}\n", file.display())), "{err}");
    assert_eq!(cycles(&err), plain, "{err}");
    let text = fs::read_to_string(&file).expect("written");
    assert!(text.contains("module core0 ") && !text.contains("module core1 "), "{text}");
    // Of 602 MHz, in ps: cycles 10 to 19, and the clock falls in the middle.
    let times: Vec<u64> = text.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    assert_eq!((times.first(), times.last()), (Some(&16_611), Some(&(31_561 + 830))), "{times:?}");
    // One that is there is not replaced.
    let (code, out, err) = exec(&["--wave", &wave("")], "l");
    assert!(code == Some(2) && out.is_empty() && err.contains("exists"), "{err}");
    // Without a number it is the first one on the chip; an FST of all of it, the same as `run` writes.
    let fst = folder.join("x.fst").display().to_string();
    let (code, _, err) = exec(&["--kernels", "3", "--wave", &fst], "l");
    assert!(code == Some(0) && err.contains(&format!("launch 3: waveform in {fst}")), "{err}");
    let reader = std::io::BufReader::new(fs::File::open(&fst).expect("written"));
    let header = fst_reader::FstReader::open(reader).expect("an FST file").get_header();
    assert_eq!(header.start_time, 0);
    assert!(header.end_time > 500 && header.var_count > 1000, "{header:?}");
    // Issue slots and a timeline of the same launch.
    let [slots, timeline] = ["x.csv", "x.pftrace"].map(|name| folder.join(name).display().to_string());
    let window = ["--issue-trace", &format!("{slots}:core0@8..48"), "--trace", &timeline, "--window", "8..48"];
    let (code, _, err) = exec(&[&window[..], &["--trace-launch", "2"]].concat(), "l");
    assert_eq!((code, cycles(&err)), (Some(0), plain), "{err}");
    assert!(err.contains(&format!("launch 2: issue slots in {slots}\n")), "{err}");
    assert!(err.contains(&format!("launch 2: timeline in {timeline}\n")), "{err}");
    assert_eq!(fs::read_to_string(&slots).expect("written").lines().count(), 1 + 40 / 4);
    let trace = fs::read(&timeline).expect("written");
    for track in ["core0", "issue slots", "network"] {
        assert!(trace.windows(track.len()).any(|bytes| bytes == track.as_bytes()), "{track}");
    }
}

#[test]
fn a_waveform_of_nothing_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.fst");
    let name = file.display().to_string();
    let record = |options: &[&str], window: &str| {
        let (code, out, err) = exec(&[&["--wave", &format!("{name}{window}"), "--force"], options].concat(), "l");
        assert!(!file.exists(), "{window} {options:?}: {err}");
        (code, out, err.replace(&name, "x.fst"))
    };
    // A window behind the end; a launch that there is not; none on the chip, as the environment says.
    let (code, out, err) = record(&["--trace-launch", "2"], "@1000000..");
    assert!(code == Some(2) && out.contains("cudaSuccess"), "{code:?} {out}{err}");
    assert!(
        err.contains("x.fst is not written: launch 2 ended after ") && err.contains(", before cycle 1000000"),
        "{err}"
    );
    let (code, _, err) = record(&["--trace-launch", "9"], "");
    assert!(
        code == Some(2) && err.contains("x.fst is not written: launch 9 was to be recorded, and there were 4"),
        "{err}"
    );
    let (code, _, err) = record(&["--kernels", "7-9"], "");
    assert!(code == Some(2) && err.contains("x.fst is not written: no launch was simulated on the chip"), "{err}");
    // Also where the report is elsewhere.
    let report = folder.path().join("report.json").display().to_string();
    let (_, _, err) = record(&["--trace-launch", "9", "--report", &report], "");
    assert!(
        err.contains("launch 9 was to be recorded")
            && fs::read_to_string(&report).is_ok_and(|text| text.contains("launch 9 was")),
        "{err}"
    );
    // Before the program begins.
    let (code, out, err) = record(&["--kernels", "3", "--trace-launch", "2"], "");
    assert!(code == Some(2) && out.is_empty() && err.contains("launch 2 cannot be recorded: it is emulated"), "{err}");
    // A path that there is not is an error of the launch.
    let (code, out, err) = record(&[], ":cor0");
    assert!(code == Some(2) && out.contains("cudaErrorLaunchFailure") && err.contains("cor0"), "{code:?} {out}{err}");
    // A program that is run by itself.
    let alone = |launch: &str, wave: &str| {
        let mut run = command(conduct());
        run.arg("l").env("WARPMESH_CONFIG", "small").env("WARPMESH_WAVE", wave).env("WARPMESH_TRACE_LAUNCH", launch);
        said(&run.env("WARPMESH_KERNELS", "3").output().expect("it runs"))
    };
    let (code, _, err) = alone("2", &name);
    assert!(code == Some(1) && err.contains("WARPMESH_TRACE_LAUNCH: launch 2 is not simulated"), "{err}");
    let (code, _, err) = alone("3", &folder.path().join("none/x.fst").display().to_string());
    assert!(code == Some(1) && err.contains("WARPMESH_WAVE: cannot write"), "{err}");
    let (code, _, err) = alone("3", &format!("{name}@20..10"));
    assert!(code == Some(1) && err.contains("the window ends before it starts"), "{err}");
}

/// The launches on the chip, each with its rows, and what the report says of them.
#[test]
fn launches_leave_a_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let record = place("r").display().to_string();
    let read = |name: &str| -> serde_json::Value {
        let text = fs::read_to_string(place("r").join(name)).expect("written");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
    };
    let (code, _, err) = exec(&["--kernels", "2,4", "--record", &record, "--interval", "20"], "l");
    assert_eq!(code, Some(0), "{err}");
    let (about, report) = (read("record.json"), read("report.json"));
    assert_eq!(
        (&about["verdict"], &about["config"], &about["interval"]),
        (&"completed".into(), &"small".into(), &20.into())
    );
    assert_eq!(
        (&about["command"][1], &about["environment"]["WARPMESH_KERNELS"]),
        (&"l".into(), &"2,4".into()),
        "{about}"
    );
    let columns = parquet_file::columns(&place("r/samples.parquet"));
    let launches = report["launches"].as_array().expect("a list");
    assert_eq!(launches.len(), 4);
    for (number, launch) in (1..).zip(launches) {
        let rows: Vec<_> = (0..columns[0].1.len()).filter(|&row| columns[0].1[row] == number).collect();
        assert_eq!(rows.len() > 3, number % 2 == 0, "{number}");
        let of = columns.iter().filter(|(name, _)| name.ends_with(".front_end.thread_instructions"));
        let executed: u64 = of.flat_map(|(_, values)| rows.iter().map(|&row| values[row])).sum();
        let expected = if number % 2 == 0 { launch["thread_instructions"].as_u64() } else { Some(0) };
        assert_eq!(Some(executed), expected, "{number}");
    }
    assert!(fs::read_to_string(place("r/config.toml")).expect("written").contains("atomics = true"));
    // Its page has a row for each launch and the lines below them, as the text has.
    let page = place("page.html");
    let made = command(WARPMESH).arg("report").arg(place("r")).arg("-o").arg(&page).output().expect("it runs");
    assert_eq!(said(&made).0, Some(0), "{}", text(&made.stderr));
    let page = fs::read_to_string(&page).expect("written");
    let (_, shown) = page.split_once("type=\"application/json\">").expect("data");
    let (shown, _) = shown.split_once("</script>").expect("it ends");
    let shown: serde_json::Value = serde_json::from_str(shown).expect("an object");
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    let rows: Vec<String> = list(&shown["launches"]["rows"])
        .iter()
        .map(|row| list(row).iter().filter_map(|cell| cell.as_str()).collect::<Vec<_>>().join(" "))
        .collect();
    let lines: Vec<String> = err.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(rows.len() == 4 && rows.iter().all(|row| lines.contains(row)), "{rows:?} {err}");
    let remarks = list(&shown["launches"]["remarks"]);
    let said_so = |remark: &serde_json::Value| err.lines().any(|line| line == remark);
    assert!(remarks.len() == 4 && remarks.iter().all(said_so), "{remarks:?} {err}");
    assert_eq!(list(&shown["reports"]).len(), 2, "of the launches on the chip");
    // One that is there is not replaced, unless it is to be.
    let (code, out, err) = exec(&["--record", &record], "l");
    assert!(code == Some(2) && out.is_empty() && err.contains("is not empty") && err.contains("--force"), "{err}");
    // The record names the launch that failed, and has those before it.
    let (_, out, err) = exec(&["--record", &record, "--force", "--max-cycles", "20"], "l");
    assert!(out.contains("cudaErrorLaunch"), "{out}{err}");
    assert_eq!(
        (&read("record.json")["verdict"], &read("report.json")["launches"]),
        (&"failed".into(), &serde_json::json!([]))
    );
    assert_eq!(parquet_file::columns(&place("r/samples.parquet"))[1].1, [20]);
    // A program without launches gets an error message in place of a record.
    let (code, out, err) = exec(&["--record", &record, "--force", "--kernels", "none"], "l");
    assert!(code == Some(2) && out.is_empty() && err.contains("no launch can be recorded: all are emulated"), "{err}");
    let run = |folder: &Path| {
        let mut run = command(WARPMESH);
        run.args(["exec", "--record"]).arg(folder).args(["--", "/bin/true"]);
        said(&run.output().expect("it runs"))
    };
    assert_eq!(run(&place("none")).0, Some(0), "it is not a program of the device");
    assert!(!place("none").exists());
}

/// They mean the same as for `run`.
#[test]
fn launches_are_simulated_as_options_say() {
    let (_, _, err) = exec(&[], "l");
    let plain = cycles(&err);
    let (code, _, err) = exec(&["--engine", "word", "--threads", "2"], "l");
    assert!(code == Some(0) && cycles(&err) == plain, "{err}");
    let (code, _, err) = exec(&["--kernels", "2", "--stats", "core0.front_end.*_instructions"], "l");
    let (_, counted) = err.split_once("launch 2, mark").unwrap_or_default();
    assert!(code == Some(0) && counted.contains("core0.front_end.thread_instructions"), "{err}");
    assert!(!err.contains("launch 1, mark"), "{err}");
    // Over time, by launch: the sum of each is what the report has.
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("x.csv").display().to_string();
    let sampled = ["--kernels", "2,4", "--stats", "core0.front_end.thread_instructions", "--samples", &csv];
    let (code, _, err) = exec(&[&sampled[..], &["--interval", "100"]].concat(), "l");
    let lines = fs::read_to_string(&csv).expect("written");
    assert!(code == Some(0) && lines.starts_with("launch,cycle,core0.front_end.thread_instructions\n2,100,"), "{err}");
    for number in [2, 4] {
        let (_, counted) = err.split_once(&format!("launch {number}, mark")).expect("counted");
        let counted: u64 =
            counted.split_whitespace().nth(3).and_then(|text| text.replace(',', "").parse().ok()).expect("a number");
        let of_launch = lines.lines().filter_map(|line| line.strip_prefix(&format!("{number},")));
        let added = of_launch.map(|line| line.split(',').nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number"));
        assert_eq!(added.sum::<u64>(), counted, "{number}: {lines}");
    }
    let (code, out, err) = exec(&sampled, "l");
    assert!(code == Some(2) && out.is_empty() && err.contains("x.csv exists"), "{err}");
    let (_, out, err) = exec(&["--stats", "core0.nonsense"], "l");
    assert!(
        out.contains("cudaErrorLaunchFailure") && err.contains("no statistic of this chip matches `core0.nonsense`"),
        "{out}{err}"
    );
    for emulated in [&["--functional"][..], &[]] {
        let (_, out, err) = exec(&[emulated, &["--max-seconds", "0.000001"]].concat(), "l");
        assert!(out.contains("cudaErrorLaunchTimeout") && err.contains("the limit of time was reached"), "{out}{err}");
    }
    for wrong in [["--threads", "0"], ["--max-seconds", "0"], ["--engine", "fast"], ["--wave", "x.txt"]] {
        let (code, out, _) = exec(&wrong, "l");
        assert!(code == Some(2) && out.is_empty(), "{wrong:?}");
    }
}

#[test]
fn reports_are_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Before the program begins.
    let (code, out, err) = exec(&["--functional", "--report", &path("none/report")], "l");
    assert!(code == Some(2) && out.is_empty() && err.contains("there is no folder"), "{err}");
    fs::write(path("report"), "earlier").expect("written");
    let (code, out, err) = exec(&["--functional", "--report", &path("report")], "l");
    assert!(code == Some(2) && out.is_empty() && err.contains("exists") && err.contains("--force"), "{err}");
    assert_eq!(fs::read_to_string(path("report")).expect("is there"), "earlier");
    assert_eq!(exec(&["--functional", "--report", &path("report"), "--force"], "l").0, Some(0));
    assert!(fs::read_to_string(path("report")).expect("is there").contains("4 launches"));
    // A program that is run by itself says so when it first uses the device.
    let alone = |report: &str| {
        let mut run = command(conduct());
        run.arg("l").env("WARPMESH_CONFIG", "small").env("WARPMESH_KERNELS", "none").env("WARPMESH_REPORT", report);
        said(&run.output().expect("it runs"))
    };
    let (code, _, err) = alone(&path("none/report"));
    assert!(code == Some(1) && err.contains("WARPMESH_REPORT: cannot write"), "{err}");
    // A full disk, found at the end: standard error has the report, and the exit code tells.
    let (code, out, err) = alone("/dev/full");
    assert!(code == Some(2) && out.contains("cudaSuccess") && err.contains("4 launches"), "{code:?} {out}{err}");
    assert!(err.contains("the report cannot be written to /dev/full: No space left on device"), "{err}");
}

/// An option takes the place of its variable; variables without an option hold.
#[test]
fn exec_keeps_the_environment() {
    let run = |options: &[&str], variables: &[(&str, &str)]| {
        let mut run = command(WARPMESH);
        run.arg("exec").args(options).arg("--").arg(conduct()).arg("l").envs(variables.iter().copied());
        said(&run.output().expect("it runs"))
    };
    let emulated = [("WARPMESH_CONFIG", "small"), ("WARPMESH_KERNELS", "none")];
    let (_, _, err) = run(&[], &emulated);
    assert!(err.contains("4 launches on chip `small`") && err.matches("emulated").count() >= 4, "{err}");
    let (_, _, err) = run(&["--config", "default"], &emulated);
    assert!(err.contains("4 launches on chip `default`"), "{err}");
    let (_, out, err) = run(&["--config", "small"], &[("WARPMESH_MAX_CYCLES", "20")]);
    assert!(out.starts_with("cudaErrorLaunchTimeout"), "{out}{err}");
    let (code, _, err) = run(&["-P", "core.warps=4"], &[("WARPMESH_PARAMS", "core.wraps=4")]);
    assert!(code == Some(2) && err.contains("core.wraps"), "{err}");
}

/// Nobody else's file is compiled into a program.
#[test]
fn headers_that_others_may_write_are_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("x.cu"), "#include <cstdio>\nint main() { return 0; }\n").expect("written");
    let compile = |home: Option<&Path>, temporary: &Path| {
        let mut cc = command(WARPMESH);
        cc.args(["cc", "-c", "x.cu", "-o", "x.o"]).current_dir(folder.path()).env("TMPDIR", temporary);
        match home {
            Some(home) => cc.env("XDG_CACHE_HOME", home),
            None => cc.env_remove("XDG_CACHE_HOME").env("HOME", "/dev/null"),
        };
        said(&cc.output().expect("it runs"))
    };
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("is ours");
    let (cache, temporary) = (path("cache"), path("temporary"));
    fs::create_dir(&temporary).expect("made");
    assert_eq!(compile(None, &temporary), (Some(0), String::new(), String::new()), "without a place for a cache");
    assert_eq!(compile(Some(&cache), &temporary), (Some(0), String::new(), String::new()));
    let kept = fs::read_dir(cache.join("warpmesh")).expect("a folder").flatten();
    let kept = kept.map(|entry| entry.path()).find(|path| path.display().to_string().contains("/include-"));
    let kept = kept.expect("the headers");
    // A file that is found before the system's would be compiled in.
    fs::write(kept.join("cstdio"), "#error foreign\n").expect("written");
    let (code, _, err) = compile(Some(&cache), &temporary);
    assert!(code == Some(0) && err.contains("cstdio is not one of them") && !err.contains("foreign"), "{err}");
    fs::remove_file(kept.join("cstdio")).expect("is there");
    mode(&kept, 0o777);
    let (code, _, err) = compile(Some(&cache), &temporary);
    assert!(code == Some(0) && err.contains("may be written by other users (mode 777)"), "{err}");
    mode(&kept, 0o700);
    assert_eq!(compile(Some(&cache), &temporary), (Some(0), String::new(), String::new()));
    // Nothing of it stays among temporary files, and what cannot be private there is not begun.
    assert_eq!(fs::read_dir(&temporary).expect("a folder").count(), 0);
    mode(&temporary, 0o777);
    let (code, _, err) = compile(Some(&cache), &temporary);
    assert!(
        code == Some(2) && err.contains("no private folder for temporary files") && err.contains("TMPDIR"),
        "{err}"
    );
}

/// Results that others may have forged are not taken.
#[test]
fn checkpoints_that_others_may_write_are_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let options = ["--functional", "--checkpoint", kept.to_str().expect("text")];
    assert_eq!(exec(&options, "l").0, Some(0));
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o777)).expect("is ours");
    let (code, _, err) = exec(&options, "l");
    assert!(code == Some(1) && err.contains("WARPMESH_CHECKPOINT"), "{err}");
    assert!(err.contains("may be written by other users (mode 777)"), "{err}");
}
