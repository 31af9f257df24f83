//! CUDA programs as they are written for a GPU, in `programs/`: compiled with `warpmesh cc`, run on the emulator
//! and on a small chip. Each verifies what its kernels have computed and ends with 0.

use crate::campaign::part_or_all;
use crate::features;
use crate::http;
use crate::parquet_file;
use crate::workloads;
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};
use tempfile::TempDir;

const WARPMESH: &str = env!("CARGO_BIN_EXE_warpmesh");
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda/programs");
/// A chip that does all that the programs want.
const CHIP: [&str; 6] = ["--config", "small", "-P", "core.atomics=true", "-P", "core.barriers=4"];

/// Programs by name; each is compiled once, and stays for all tests.
fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    static MADE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder")).path();
    let program = folder.join(name);
    // Nobody runs a program while it is being written.
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if !made.insert(name.into()) {
        return program;
    }
    let sources: &[&str] = match name {
        "graph" => &["graph.cu", "other_file.cu"],
        "suites" => &["suites.cu", "suites_host.c"],
        _ => &[&format!("{name}.cu")],
    };
    let sources: Vec<PathBuf> = sources.iter().map(|file| Path::new(SOURCES).join(file)).collect();
    let compiled = cc(&sources, &program);
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    program
}

fn cc(sources: &[impl AsRef<OsStr>], program: &Path) -> Output {
    Command::new(WARPMESH).arg("cc").args(sources).arg("-o").arg(program).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program has said.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
    report: String,
}

fn exec(options: &[&str], program: &Path, args: &[&str]) -> Said {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report");
    let mut command = Command::new(WARPMESH);
    command.arg("exec").args(options).arg("--report").arg(&report).arg("--").arg(program).args(args);
    // What cargo says of libraries goes before what the program says.
    let output = command.env_remove("LD_LIBRARY_PATH").output().expect("it runs");
    let report = fs::read_to_string(report).unwrap_or_default();
    Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr), report }
}

/// The lines of launches in a report: number and cycles.
fn launches(report: &str) -> Vec<(usize, Option<u64>)> {
    let launch = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let cycles = words.iter().rev().nth(2)?.replace(',', "");
        Some((words[0].parse().ok()?, cycles.parse().ok()))
    };
    report.lines().filter_map(launch).collect()
}

#[test]
fn programs_verify_on_the_emulator() {
    for (name, last) in [
        ("pipeline", "warpmesh small: 0 wrong\n"),
        ("textures", "0 wrong\n"),
        ("graph", "12 levels, 0 wrong\n"),
        ("mathematics", "0 functions wrong\n"),
        ("suites", "0 wrong\n"),
        ("barriers", "0 wrong\n"),
        ("pointers", "0 wrong\n"),
        ("narrow_floats", "results, 0 wrong\n"),
    ]
    .into_iter()
    .step_by(part_or_all(2, 1))
    {
        let said = exec(&[&CHIP[..], &["--functional"]].concat(), &program(name), &[]);
        assert_eq!(said.code, Some(0), "{name}: {}{}", said.out, said.err);
        assert!(said.out.ends_with(last), "{name}: {}", said.out);
        assert!(launches(&said.report).iter().all(|(_, cycles)| cycles.is_none()), "{}", said.report);
    }
}

/// Cooperative groups, the heap of device code: on the emulator and on the chip.
#[test]
fn groups_and_the_device_heap_work() {
    let double = [&CHIP[..], &["-P", "core.double=1/8"]].concat();
    for (i, name) in ["groups", "heap"].into_iter().enumerate() {
        for options in [&[&double[..], &["--functional"]].concat()[..], &double].into_iter().take(part_or_all(2 - i, 2))
        {
            let said = exec(options, &program(name), &[]);
            assert_eq!((said.code, said.out.as_str()), (Some(0), "0 wrong\n"), "{name}: {}", said.err);
        }
    }
}

/// Without a configuration programs have a chip with every feature.
#[test]
fn the_chip_of_programs_has_every_feature() {
    let programs = [("groups", &[][..], "0 wrong\n"), ("narrow_floats", &["300"], "results, 0 wrong\n")];
    for (name, args, last) in programs.into_iter().take(part_or_all(1, 2)) {
        let said = exec(&[], &program(name), args);
        assert!(said.code == Some(0) && said.out.ends_with(last), "{name}: {}{}", said.out, said.err);
        assert!(said.report.contains("on chip `fermi`") && !said.report.contains("emulated"), "{}", said.report);
    }
}

/// Blocks that wait for each other, on the chip and on the emulator.
#[test]
fn grids_synchronise() {
    for options in [&[][..], &["--functional"]] {
        let said = exec(&[&CHIP[..], options].concat(), &program("grids"), &[]);
        assert_eq!((said.code, said.out.as_str()), (Some(0), "0 wrong\n"), "{}", said.err);
    }
}

#[test]
fn roundings_are_those_of_the_host() {
    let said = exec(&[&CHIP[..], &["-P", "core.double=1/8", "--functional"]].concat(), &program("rounding"), &[]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "0 wrong\n"), "{}", said.err);
}

/// The program in the documentation does what the transcript there says.
#[test]
fn the_documented_program_runs() {
    let document = include_str!("../../docs/cuda.md");
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("heat");
    let made = cc(&[PathBuf::from(format!("{SOURCES}/heat.cu"))], &program);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let said = exec(&["--config", "small"], &program, &[]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let transcript = document.split("$ ./heat\n").nth(1).expect("there is a transcript");
    assert!(transcript.starts_with(&said.out), "{}", said.out);
    for kernel in ["spread", "sum<float>"] {
        assert!(said.report.contains(kernel) && transcript.contains(kernel), "{}", said.report);
    }
}

/// Device functions and variables of other files, as whole files, as relocatable ones, and out of a library.
#[test]
fn device_code_of_several_files_is_linked() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program).current_dir(folder.path()).args(args).output().expect("it runs");
        (output.status.success(), text(&output.stderr))
    };
    let sources = ["main", "device", "deep"].map(|name| format!("{SOURCES}/linked/{name}.cu"));
    let verify = |program: &str| {
        let said = exec(&["--functional"], &folder.path().join(program), &[]);
        assert!(said.code == Some(0) && said.out.ends_with("0 wrong\n"), "{program}: {}{}", said.out, said.err);
        said
    };
    // Each for itself: what is missing concerns its kernel only.
    for (source, object) in sources.iter().zip(["main.o", "device.o", "deep.o"]) {
        assert_eq!(run(WARPMESH, &["cc", "-DMISSING", "-c", source, "-o", object]), (true, String::new()));
    }
    assert_eq!(run(WARPMESH, &["cc", "main.o", "device.o", "deep.o", "-o", "whole"]), (true, String::new()));
    let said = verify("whole");
    assert!(said.out.starts_with("cudaErrorInvalidDeviceFunction\n"), "{}", said.out);
    let missing = "linked/main.cu needs `_Z7nowherei`, which no file of the program defines";
    assert!(said.err.contains(missing), "{}", said.err);
    let again = "__device__ int deep(int x) { return x; }\n";
    fs::write(folder.path().join("again.cu"), again).expect("written");
    assert!(run(WARPMESH, &["cc", "main.o", "device.o", "deep.o", "again.cu", "-o", "twice"]).0);
    let said = exec(&["--functional"], &folder.path().join("twice"), &[]);
    let twice = said.err.contains("main.cu needs `_Z4deepi`, which is defined in");
    assert!(twice && said.err.contains("again.cu and ") && said.code == Some(1), "{}", said.err);
    // As a Makefile for nvcc has it, with a library and the host's linker.
    for (source, object) in sources.iter().zip(["main.o", "device.o", "deep.o"]) {
        assert_eq!(run(WARPMESH, &["cc", "-DSHARED_NAMES", "-dc", source, "-o", object]), (true, String::new()));
    }
    assert_eq!(run(WARPMESH, &["cc", "-dlink", "main.o", "-lcudart", "-o", "dlink.o"]), (true, String::new()));
    assert!(run("ar", &["rcs", "libdevice.a", "device.o", "deep.o"]).0);
    let library = Path::new(WARPMESH).parent().expect("a folder").display().to_string();
    let (search, path) = (format!("-L{library}"), format!("-Wl,-rpath,{library}/deps:{library}"));
    let deps = format!("-L{library}/deps");
    let linked =
        run("c++", &["main.o", "dlink.o", "-L.", "-ldevice", &deps, &search, "-lwarpmesh", &path, "-o", "relocatable"]);
    assert_eq!(linked, (true, String::new()));
    verify("relocatable");
    // The linker names what is missing, or there twice.
    let (made, err) = run(WARPMESH, &["cc", "main.o", "device.o", "-o", "missing"]);
    assert!(!made && err.contains("__warpmesh_device__Z4deepi"), "{err}");
    assert!(run(WARPMESH, &["cc", "-dc", "again.cu"]).0);
    let (made, err) = run(WARPMESH, &["cc", "main.o", "device.o", "deep.o", "again.o", "-o", "twice"]);
    let twice = err.contains("__warpmesh_device__Z4deepi") && err.contains("deep.o") && err.contains("again.o");
    assert!(!made && twice, "{err}");
}

/// A kernel prints where it ran, in order with what the host prints.
#[test]
fn kernels_print() {
    let said = exec(&[&CHIP[..], &["--functional"]].concat(), &program("pipeline"), &["300"]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "block 1 of reduce has 3004.0, 100% of   300|ff  |z");
    assert_eq!(lines[1..4], ["none", "four 4 1234567890123 8", "1 2 3 4 5 6 7 8 9 10 11 twelve"]);
    assert_eq!(lines[5], "warpmesh small: 0 wrong");
}

#[test]
fn programs_verify_on_the_chip_and_launches_can_be_chosen() {
    let program = program("pipeline");
    let all = exec(&CHIP, &program, &["300"]);
    assert_eq!(all.code, Some(0), "{}{}", all.out, all.err);
    let of_all = launches(&all.report);
    assert_eq!(of_all.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3, 4], "{}", all.report);
    let total: u64 = of_all.iter().filter_map(|(_, cycles)| *cycles).sum();
    let said = all.report.replace(',', "");
    assert!(total > 0 && said.contains(&format!("on the chip: 4 launches {total} cycles")), "{}", all.report);
    // What runs before on the emulator leaves the same memory, so a launch on the chip takes the same time.
    let some = exec(&[&CHIP[..], &["--kernels", "2,4-9"]].concat(), &program, &["300"]);
    assert_eq!((some.code, &some.out), (Some(0), &all.out), "{}", some.err);
    assert!(some.err.contains("launches 2,4-9 are simulated on the chip, all others are emulated"), "{}", some.err);
    let expected = [(1, None), of_all[1], (3, None), of_all[3]];
    assert_eq!(launches(&some.report), expected, "{}", some.report);
}

/// Ctrl-C ends a launch, and the program with the report of what was launched.
#[test]
fn an_interrupted_launch_leaves_the_report() {
    let program = program("endless");
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("r");
    let saved = folder.path().join("x.run").display().to_string();
    let recorded = ["--record".to_string(), record.display().to_string(), "--save".into(), saved.clone()];
    let recorded: Vec<&str> = recorded.iter().map(String::as_str).collect();
    for options in [&["--functional"][..], &recorded] {
        // A shell's background jobs ignore Ctrl-C, and whatever they start; the program would, too.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", WARPMESH]);
        command.env_remove("LD_LIBRARY_PATH").arg("exec").args(CHIP).args(options).arg("--").arg(&program);
        let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut out = BufReader::new(running.stdout.take().expect("it is ours"));
        let mut line = String::new();
        out.read_line(&mut line).expect("it says so");
        std::thread::sleep(Duration::from_millis(300));
        let process = rustix::process::Pid::from_child(&running);
        rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it is there");
        let output = running.wait_with_output().expect("it ends");
        let err = text(&output.stderr);
        assert_eq!((line.as_str(), output.status.code()), ("begun\n", Some(130)), "{err}");
        assert!(err.contains("warpmesh: 2 launches on chip `small`") && err.contains("quick"), "{err}");
        assert!(err.contains("launch 2, endless: failed"), "{err}");
        let told = err.contains("saved in launch 2, at cycle ") && err.contains(&format!("--resume {saved}\n"));
        assert_eq!(told, options.len() > 1, "{err}");
    }
    // It was saved, and goes on: to a limit that it has passed.
    let options = [&CHIP[..], &["--resume", &saved, "--max-cycles", "1"]].concat();
    let resumed = exec(&options, &program, &[]);
    assert!(
        resumed.err.starts_with("warpmesh: going on from cycle ") && resumed.err.contains(" of launch 2;"),
        "{}",
        resumed.err
    );
    assert!(resumed.out.ends_with("never\n") && resumed.err.contains("the limit of cycles"), "{}", resumed.err);
    // What was counted of it up to there.
    let about = fs::read_to_string(record.join("record.json")).expect("written");
    assert!(about.contains("\"verdict\": \"interrupted\"") && about.contains("launch 2, endless: failed"), "{about}");
    let columns = parquet_file::columns(&record.join("samples.parquet"));
    assert!(columns[0].1.contains(&1) && columns[0].1.contains(&2), "{:?}", columns[0].1);
}

/// The page of a monitor shows the launch that is at work, ends it, and then has the report that is printed.
#[test]
fn a_launch_is_watched_and_ended() {
    let program = program("endless");
    let mut command = Command::new(WARPMESH);
    command.env_remove("LD_LIBRARY_PATH").arg("exec").args(CHIP).arg("--monitor").arg("--").arg(&program);
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut said = BufReader::new(running.stderr.take().expect("it is ours"));
    let mut line = String::new();
    said.read_line(&mut line).expect("it says so");
    let address =
        line.trim_end().strip_prefix("warpmesh: monitor: http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
    let (port, token) = address.trim_end_matches('/').split_once('/').expect("a token");
    let (port, host) = (port.parse().expect("a number"), format!("Host: 127.0.0.1:{port}\r\n"));
    let ask = |request: &str| http::ask(port, &request.replace("TOKEN", token), &host);
    let state_with = |wanted: &str| {
        let start = Instant::now();
        let mut seen = 0;
        loop {
            let state = ask(&format!("GET /TOKEN/state?page=1&seen={seen}"));
            assert!(state.head.contains("Content-Type: application/json"), "{}", state.head);
            assert!(state.code == 200 && start.elapsed() < Duration::from_secs(120), "{} {}", state.code, state.body);
            if state.body.contains(wanted) {
                return state.body;
            }
            let version = state.body.split("\"version\":").nth(1).and_then(|rest| rest.split(',').next());
            seen = version.and_then(|version| version.parse().ok()).expect("a version");
        }
    };
    let state = state_with("\"kernel\":\"endless\",\"chip\":\"small\",\"number\":2");
    assert!(state.contains("\"phase\":\"running\"") && state.contains("\"blocks\":1,"), "{state}");
    assert_eq!(ask("POST /TOKEN0/interrupt").code, 403);
    assert_eq!(ask("POST /TOKEN/interrupt").code, 200);
    let last = state_with("\"phase\":\"ended\"");
    let mut err = String::new();
    said.read_to_string(&mut err).expect("text");
    assert_eq!(running.wait().expect("it ends").code(), Some(130), "{err}");
    assert!(last.contains("\"verdict\":\"the program has ended with exit code 130\""), "{last}");
    let (_, report) = last.split_once("\"report\":\"").expect("a report");
    let report = report.trim_end_matches("\"}").replace("\\n", "\n");
    assert!(report.contains("launch 2, endless: failed") && err.contains(&report), "{report}\n{err}");
    // A port that cannot be had is an error of the first call.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("known").port().to_string();
    let refused = exec(&[&CHIP[..], &[&format!("--monitor={port}")]].concat(), &program, &[]);
    let told = format!("WARPMESH_MONITOR: the monitor cannot listen on port {port} of 127.0.0.1: ");
    assert!(refused.err.contains(&told) && refused.code != Some(0), "{:?} {}", refused.code, refused.err);
}

/// What was emulated before is not executed again, and leaves the same memory; anything else is.
#[test]
fn emulated_launches_are_taken_from_checkpoints() {
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoints = folder.path().join("kept").display().to_string();
    let program = program("graph");
    let run = |kernels: &str| {
        let options = [&CHIP[..], &["--kernels", kernels, "--checkpoint", &checkpoints]].concat();
        let said = exec(&options, &program, &[]);
        assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
        said
    };
    let executed = |said: &Said| said.report.matches(" checkpoint ").count();
    let first = run("6");
    let count = launches(&first.report).len();
    assert!(executed(&first) == 0 && count > 10, "{}", first.report);
    let again = run("6");
    assert_eq!((executed(&again), &again.out), (count - 1, &first.out), "{}", again.report);
    assert_eq!(launches(&again.report)[5], launches(&first.report)[5], "{}", again.report);
    // What was on the chip has not been kept.
    assert_eq!(executed(&run("none")), count - 1);
    assert_eq!(executed(&run("none")), count);
    // A file that somebody has changed is told, and not taken.
    for file in fs::read_dir(&checkpoints).expect("a folder") {
        let path = file.expect("a file").path();
        let mut bytes = fs::read(&path).expect("it can be read");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).expect("written");
    }
    let damaged = run("none");
    assert!(executed(&damaged) == 0 && damaged.out == first.out, "{}", damaged.report);
    assert!(damaged.report.contains(".launch is damaged; executed again"), "{}", damaged.report);
    assert_eq!(executed(&run("none")), count);
    let said = exec(&["--checkpoint", "/dev/null/x"], &program, &[]);
    assert!(said.err.contains("WARPMESH_CHECKPOINT: /dev/null/x cannot be used"), "{}", said.err);
}

/// Textures have a cache of their own, and a program with pointers in memory and two files finds both; warps meet at
/// barriers of some of them.
#[test]
fn textures_pointers_and_barriers_work_on_the_chip() {
    for name in ["textures", "graph", "barriers", "pointers"] {
        let said = exec(&CHIP, &program(name), &[]);
        assert_eq!(said.code, Some(0), "{name}: {}{}", said.out, said.err);
    }
}

#[test]
fn mistakes_are_told() {
    let program = program("mistakes");
    for (options, argument, error, message) in [
        (&["--functional"][..], "a", "cudaErrorIllegalAddress", "outside of all allocations"),
        (&["--functional"], "a", "cudaErrorIllegalAddress", "tests/cuda/programs/mistakes.cu:5 (PTX line "),
        (&[], "a", "cudaErrorIllegalAddress", "the nearest allocation is `allocation 1`, 400 bytes"),
        (
            &["--functional"],
            "h",
            "cudaErrorIllegalAddress",
            "no pointer of the chip's: one of the host's, or none at all",
        ),
        (&["--functional"], "n", "cudaErrorIllegalAddress", "a null pointer"),
        (&["--functional"], "t", "cudaErrorAssert", "an assertion of the kernel does not hold"),
    ] {
        let said = exec(&[&CHIP[..], options].concat(), &program, &[argument]);
        assert_eq!(said.code, Some(0), "{argument}: {}{}", said.out, said.err);
        assert_eq!(said.out, format!("0 wrong\n{error}\n"), "{}", said.err);
        assert!(said.err.contains(message), "{argument}: {}", said.err);
        assert!(said.report.contains("launch 4, "), "{}", said.report);
        let early = [
            "cudaMemcpy: cudaMemcpyHostToDevice, but the source, 0x200000010",
            "cudaMalloc: no room for 1099511627776 bytes",
            "cudaFree: 0 bytes at 0x",
            "invalid block [2000, 1, 1]: allowed: 1 to 1024 threads together, z up to 64",
        ];
        for message in early {
            assert!(said.err.contains(message), "{message}: {}", said.err);
        }
    }
}

/// A program whose result depends on the order of warps or of blocks is told so, when somebody asks.
#[test]
fn races_are_told() {
    let program = program("mistakes");
    for (options, argument, message) in [
        (
            &["--functional"][..],
            "w",
            "races with thread (0, 0, 0) of the block at tests/cuda/programs/mistakes.cu:9, PTX line",
        ),
        (&[], "w", "no barrier is between"),
        (
            &["--functional"],
            "b",
            "races with thread (0, 0, 0) of block (0, 0, 0) at tests/cuda/programs/mistakes.cu:11, PTX line",
        ),
    ] {
        let said = exec(&[&CHIP[..], options, &["--check", "races"]].concat(), &program, &[argument]);
        assert_eq!(said.out, "0 wrong\ncudaErrorLaunchFailure\n", "{argument}: {}", said.err);
        assert!(said.err.contains(message), "{argument}: {}", said.err);
        let unasked = exec(&[&CHIP[..], options].concat(), &program, &[argument]);
        assert!(unasked.out.ends_with("cudaSuccess\n"), "{argument}: {}{}", unasked.out, unasked.err);
    }
    let ordered = exec(&["--functional", "--check", "races,uninitialised"], &program, &["o"]);
    assert_eq!(ordered.code, Some(0), "{}{}", ordered.out, ordered.err);
    let mut alone = Command::new(&program);
    let output = alone.env("WARPMESH_MEMORY_CHECKS", "race").output().expect("it runs");
    let err = text(&output.stderr);
    assert!(err.contains("WARPMESH_MEMORY_CHECKS: `race`: allowed are `on`, `off`, or `races`"), "{err}");
}

/// What is wrong with the way in which a program is run is told before it begins, or when it uses the device.
#[test]
fn wrong_settings_are_told() {
    let program = program("mistakes");
    let said = exec(&["--config", "no-such-chip"], &program, &[]);
    assert!(said.code == Some(2) && said.err.contains("no-such-chip") && said.out.is_empty(), "{}", said.err);
    let said = exec(&["--kernels", "3-1"], &program, &[]);
    assert!(said.code == Some(2) && said.err.contains("launches from 1 on such as 3,5-7"), "{}", said.err);
    let said = exec(&[], Path::new("./no-such-program"), &[]);
    assert!(said.code == Some(2) && said.err.contains("./no-such-program cannot be run"), "{}", said.err);
    let mut alone = Command::new(&program);
    let output = alone.env("WARPMESH_CONFIG", "no-such-chip").env_remove("LD_LIBRARY_PATH").output().expect("it runs");
    let err = text(&output.stderr);
    assert!(!output.status.success() && err.contains("cudaMalloc: the chip of WARPMESH_CONFIG"), "{err}");
}

#[test]
fn cc_says_what_it_lacks() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| {
        let output = Command::new(WARPMESH).current_dir(folder.path()).arg("cc").args(args).output().expect("it runs");
        (output.status.code(), text(&output.stderr))
    };
    let source = format!("{SOURCES}/mistakes.cu");
    for (args, message) in [
        (&["nowhere.cu"][..], "there is no file nowhere.cu"),
        (&["-o"], "-o needs a value"),
        (&["-O2"], "there is nothing to compile"),
        (&["--clang=no-such-clang", &source], "apt-get install clang"),
        (&["-c", "-o", "x.o", &source, &source], "-o names the output of one file"),
    ] {
        let (code, err) = run(args);
        assert!(code == Some(2) && err.contains(message), "{args:?}: {err}");
    }
    // A function that the runtime does not have is named.
    let missing = "int main() { void *p; cudaGraphicsGLRegisterBuffer(&p); return 0; }\n";
    fs::write(folder.path().join("missing.cu"), missing).expect("written");
    let (code, err) = run(&["missing.cu"]);
    assert!(code == Some(2) && err.contains("cudaGraphicsGLRegisterBuffer"), "{err}");
    // So are libraries that come with a toolkit, and what to do about them.
    let library = "extern \"C\" int cublasCreate_v2(void **);\nint main() { void *p; return cublasCreate_v2(&p); }\n";
    let headers = "#include <thrust/sort.h>\nint main() {}\n";
    for (text, message) in [
        (library, "warpmesh cc: cuBLAS is needed for cublasCreate_v2: it is machine code for GPUs"),
        (headers, "warpmesh cc: Thrust is needed for <thrust/sort.h>: its headers compile here"),
    ] {
        fs::write(folder.path().join("library.cu"), text).expect("written");
        let (code, err) = run(&["library.cu"]);
        assert!(code == Some(2) && err.contains(message), "{err}");
    }
    // Objects and PTX alone, with options of nvcc.
    assert_eq!(run(&["-arch=sm_20", "-gencode", "arch=compute_20,code=sm_20", "-c", &source, "-o", "m.o"]).0, Some(0));
    assert_eq!(run(&["m.o", "-o", "m"]).0, Some(0));
    assert_eq!(run(&["-ptx", &source]).0, Some(0));
    let kernels = Command::new(WARPMESH).arg("ptx").arg(folder.path().join("mistakes.ptx")).output().expect("it runs");
    assert!(kernels.status.success() && text(&kernels.stdout).contains("_Z5twicePf"), "{}", text(&kernels.stdout));
}

/// Every eighth one, or every third, verifies at the small size on the emulator; all of them: `cargo campaign workloads`.
#[test]
fn workloads_verify_on_the_emulator() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = workloads::names();
    assert!(names.len() >= 24, "{names:?}");
    for name in names.into_iter().step_by(part_or_all(8, 3)) {
        let program = workloads::compile(&name, folder.path());
        let report = workloads::execute(&program, "small", &["--functional", "--config", "bakhoda-ch6"])
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(report["launches"].as_array().is_some_and(|launches| !launches.is_empty()), "{name}");
    }
}

/// One of them, or three, on the chip of the thesis' table 6.1; all there: `cargo campaign workloads`.
#[test]
fn workloads_verify_on_the_chip() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["nearest_neighbour", "queens", "spmv_scalar"].into_iter().take(part_or_all(1, 3)) {
        let program = workloads::compile(name, folder.path());
        let report = workloads::execute(&program, "small", &["--config", "bakhoda-ch6"]);
        let report = report.unwrap_or_else(|e| panic!("{name}: {e}"));
        let launch = &report["launches"][0];
        assert_eq!(
            (launch["executed"].as_str(), launch["report"]["verdict"].as_str()),
            (Some("chip"), Some("completed")),
            "{name}"
        );
        assert!(launch["mix"]["global"].as_u64() > Some(0), "{name}");
    }
}

/// What programs of the public suites do (docs/features.md): a third of them on the emulator, or all, and some of it on a
/// chip; all there: `cargo campaign features`.
#[test]
fn features_are_right() {
    const ON_CHIP: [(&str, &[&str]); 6] = [
        ("language", &["recursion"]),
        ("atomics", &["cas_loops", "spin_locks", "block_chain"]),
        ("memory", &["constants", "by_value", "pointers"]),
        ("textures", &["formats", "rotated"]),
        ("suites", &["n_queens", "mars"]),
        ("warps", &["compact", "sort_step", "reduce_last_block"]),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (i, program) in features::programs().into_iter().enumerate() {
        let name = &program.name;
        if part_or_all(i % 5 != 0 && name != ON_CHIP[0].0, false) {
            continue;
        }
        let executable = program.compile(folder.path()).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let cases: Vec<&str> = program.cases.iter().map(|case| case.name.as_str()).collect();
        let (right, said) = features::execute(&executable, &["--functional"], &cases);
        let wrong: Vec<_> = cases.iter().filter(|case| !right.contains(**case)).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}: {said}");
        for (_, cases) in ON_CHIP.iter().step_by(part_or_all(6, 1)).filter(|(on_chip, _)| on_chip == name) {
            let (right, said) = features::execute(&executable, &["--max-cycles", "1000000"], cases);
            assert_eq!(right.len(), cases.len(), "{name} on the chip: {said}");
        }
    }
}
