//! The program as people use it: every command run as a process in a folder of its own, and what it prints compared
//! whole.

mod area;
mod blocks;
mod cache;
mod catalogue;
mod completion;
mod docs;
mod explorer;
mod issue;
mod launches;
mod losses;
mod memory;
mod mistakes;
mod monitor;
mod names;
mod noc;
mod outputs;
mod perfetto;
mod preparation;
mod records;
mod run_parts;
mod runs;
mod saves;
mod schemas;
mod studies;
mod study_pages;
mod sweeps;
mod testbenches;
mod timeline;
mod timing;
mod workers;

mod parquet_frame;

use std::path::{Path, PathBuf};
use testkit::{campaign, http, parquet_file};

/// A folder to run in; messages name files relative to it, so that they are the same on every machine.
struct Folder(tempfile::TempDir);

/// What a command did.
struct CliOutcome {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).expect("written");
        self
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn run(&self, args: &[&str]) -> CliOutcome {
        let output = command(self.0.path()).args(args).output().expect("starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let outcome = CliOutcome {
            code: output.status.code().expect("not killed"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        assert!(!outcome.stderr.contains("panicked"), "{args:?}: {}", outcome.stderr);
        outcome
    }

    /// Command line, output and exit code, as a terminal would show them.
    fn transcript(&self, args: &[&str]) -> String {
        let CliOutcome { code, stdout, stderr } = self.run(args);
        let shown: Vec<_> = args.iter().map(|a| if a.is_empty() { "''" } else { a }).collect();
        format!("$ warpmesh {}\n{}{stderr}[exit {code}]\n\n", shown.join(" "), without_statistics(&stdout))
    }

    fn transcripts(&self, commands: &[&[&str]]) -> String {
        commands.iter().map(|args| self.transcript(args)).collect()
    }
}

fn command(folder: &Path) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::cargo_bin("warpmesh").expect("built");
    // Many run the same chip: they share its code, unless the folder has a cache of its own.
    let own = folder.join("cache");
    let shared = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/cli"));
    command.env("XDG_CACHE_HOME", if own.exists() { &own } else { shared });
    // What cargo says of libraries goes before what `exec` says.
    command.env_remove("LD_LIBRARY_PATH");
    command.current_dir(folder).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env("TERM", "xterm");
    command
}

/// The report with every number of the section on the simulation, which differs from run to run, as one `#`.
fn without_speed(report: &str) -> String {
    let (before, simulation) = report.split_once("  Simulation ").expect("a section on the simulation");
    let (simulation, after) = simulation.split_once("\n\n").expect("an empty line ends it");
    format!("{before}  Simulation\n{}\n{after}", numbers_redacted(simulation))
}

/// Every word that starts with a number starts with one `#` instead, and spaces do not tell its length.
fn numbers_redacted(text: &str) -> String {
    let redacted = |word: &str| match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("#{}", word.trim_start_matches(|c: char| c.is_ascii_digit() || ",.".contains(c))),
        false => word.to_string(),
    };
    let line = |line: &str| line.split(' ').filter(|w| !w.is_empty()).map(redacted).collect::<Vec<_>>().join(" ");
    text.lines().map(|text| format!("  {}\n", line(text))).collect()
}

/// The report without all statistics: those of a chip change whenever its hardware does.
fn without_statistics(report: &str) -> String {
    match (report.find("\n  Kernel "), report.find("\n  Warps, ").or_else(|| report.find("\n  Behavioural"))) {
        (Some(from), Some(to)) => format!("{}\n  STATISTICS\n{}", &report[..from], &report[to..]),
        _ => report.to_string(),
    }
}

/// Every run of digits as one `#`: the form of a text whose numbers change with the hardware.
fn without_digits(text: &str) -> String {
    let mut form = String::new();
    for letter in text.chars() {
        match if letter.is_ascii_digit() { '#' } else { letter } {
            '#' if form.ends_with('#') => {}
            letter => form.push(letter),
        }
    }
    form
}

/// The JSON object that is all of standard output.
fn json(outcome: &CliOutcome) -> serde_json::Value {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
}

/// The object without the fields that measure the simulation itself.
fn without_timing(mut report: serde_json::Value) -> serde_json::Value {
    let fields = report.as_object_mut().expect("an object");
    for field in warpmesh::report::RunReport::TIMING {
        assert!(fields.remove(field).is_some(), "{field}");
    }
    report
}
