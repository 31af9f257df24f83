//! Commands whose output a page shows print that output.
//!
//! An example is a block whose first line begins with `$ `. A line `...` of it stands for any lines. A block of TOML
//! whose first line is a comment that begins with a name (`# narrow.toml: half the width`) is a file that the commands
//! of the page find. Of what differs from run to run or from machine to machine (times, speeds, memory, engines,
//! numbers of threads) only the form is compared.

use super::{Page, root};
use std::path::Path;

/// Examples that are not run here, by the start of their command, and why.
const NOT_RUN: [(&str, &str); 3] = [
    ("grep -e", "reads what Yosys takes a minute for"),
    ("./heat", "is compiled by clang: `tests/cuda/programs.rs` has this program"),
    ("warpmesh noc --plot latency.svg", "takes half a minute"),
];

/// Programs that pages run.
const PROGRAMS: [&str; 2] = ["warpmesh", "own-routing"];

/// A command and what it prints.
struct Example {
    page: String,
    line: usize,
    command: String,
    shown: Vec<String>,
}

impl Example {
    fn all() -> Vec<Self> {
        let mut all: Vec<Self> = vec![];
        for page in Page::all() {
            for fence in
                page.fences().iter().filter(|fence| fence.lines.first().is_some_and(|line| line.starts_with("$ ")))
            {
                for (at, line) in fence.lines.iter().enumerate() {
                    match line.strip_prefix("$ ") {
                        Some(command) => all.push(Self {
                            page: page.name.clone(),
                            line: fence.line + at,
                            command: installed(command),
                            shown: vec![],
                        }),
                        None => all.last_mut().expect("a command first").shown.push((*line).to_string()),
                    }
                }
            }
        }
        all.retain(|example| !example.shown.is_empty());
        all
    }

    /// Writes the files that a page shows.
    fn write_files(page: &Page, folder: &Path) {
        for fence in page.fences().iter().filter(|fence| fence.language == "toml") {
            let named = fence.lines.first().and_then(|line| line.strip_prefix("# "));
            let name = named.and_then(|text| text.split([':', ' ']).next()).filter(|name| name.ends_with(".toml"));
            if let Some(name) = name.filter(|name| !name.contains('/')) {
                std::fs::write(folder.join(name), fence.lines.join("\n") + "\n").expect("written");
            }
        }
    }

    fn why_not(&self) -> Option<&'static str> {
        NOT_RUN.iter().find(|(start, _)| self.command.starts_with(start)).map(|(_, why)| *why)
    }

    /// What it prints now.
    fn printed(&self, folder: &Path) -> Vec<String> {
        let (program, words) = self.command.split_once(' ').unwrap_or((&self.command, ""));
        assert!(
            PROGRAMS.contains(&program),
            "{}:{}: `{}` is no command of the project: add it to those that are not run",
            self.page,
            self.line,
            self.command
        );
        let built = assert_cmd::Command::cargo_bin(program);
        let mut command = built.unwrap_or_else(|error| panic!("cargo test --workspace builds {program}: {error}"));
        command
            .current_dir(folder)
            .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/docs"))
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8");
        let output =
            command.args(words.split_whitespace().map(|word| word.trim_matches('\''))).output().expect("starts");
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8(text).expect("UTF-8").lines().map(String::from).collect()
    }
}

/// The command as one says it with the program installed.
fn installed(command: &str) -> String {
    let with_arguments = ["cargo run --release -- ", "target/release/warpmesh "].iter();
    match with_arguments.filter_map(|start| command.strip_prefix(start)).next() {
        Some(arguments) => format!("warpmesh {arguments}"),
        None if command == "cargo run --release" => "warpmesh".into(),
        None => command.into(),
    }
}

/// Lines without what differs from run to run, and without empty ones at the end.
fn comparable(lines: &[String]) -> Vec<String> {
    let mut simulation = false;
    let mut kept = vec![];
    for line in lines {
        let line = line.trim_end();
        simulation =
            (simulation && !line.is_empty()) || line.starts_with("  Simulation ") || line.starts_with("  Emulator ");
        let engine = simulation && line.trim_start().starts_with("engine ");
        match simulation {
            _ if engine => {}
            // Title and name of the row: the number and what it says are of this run.
            true => kept.push(line.chars().take(36).collect::<String>().trim_end().to_string()),
            false if line.contains(" s of preparation: ") => kept.push(without_digits(line)),
            false => kept.push(line.to_string()),
        }
    }
    while kept.last().is_some_and(String::is_empty) {
        kept.pop();
    }
    kept
}

fn without_digits(line: &str) -> String {
    let mut kept: Vec<char> = line.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    kept.retain(|c| *c != ',');
    kept.dedup_by(|a, b| *a == '#' && *b == '#');
    kept.into_iter().collect()
}

/// Is `printed` what is `shown`, whose lines `...` stand for any lines?
fn agree(shown: &[String], printed: &[String]) -> bool {
    let parts: Vec<&[String]> = shown.split(|line| line.trim() == "...").collect();
    let (first, rest) = parts.split_first().expect("a part at least");
    if !printed.starts_with(first) {
        return false;
    }
    let mut left = &printed[first.len()..];
    for (at, part) in rest.iter().enumerate() {
        let last = at + 1 == rest.len();
        if last {
            return left.ends_with(part);
        }
        match (0..=left.len().saturating_sub(part.len())).find(|&at| left[at..].starts_with(part)) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.is_empty()
}

#[test]
fn examples_print_what_pages_show() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["kernels", "studies", "workloads"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).expect("a link");
    }
    let (mut run, mut stale, mut of) = (0, vec![], String::new());
    let pages = Page::all();
    for example in Example::all().iter().filter(|example| example.why_not().is_none()) {
        if of != example.page {
            of.clone_from(&example.page);
            pages.iter().filter(|page| page.name == of).for_each(|page| Example::write_files(page, folder.path()));
        }
        let (shown, printed) = (comparable(&example.shown), comparable(&example.printed(folder.path())));
        run += 1;
        if !agree(&shown, &printed) {
            let Example { page, line, command, .. } = example;
            let [shown, printed] = [shown, printed].map(|lines| lines.join("\n"));
            stale.push(format!("{page}:{line}: $ {command}\n--- the page shows\n{shown}\n--- it prints\n{printed}\n"));
        }
    }
    assert!(stale.is_empty(), "{}", stale.join("\n"));
    assert!(run >= 7, "only {run} examples were found");
}

#[test]
fn what_is_not_run_is_in_the_pages() {
    let all = Example::all();
    for (start, why) in NOT_RUN {
        assert!(
            all.iter().any(|example| example.command.starts_with(start)),
            "no example begins with `{start}` ({why})"
        );
    }
}

#[test]
fn stale_output_is_found() {
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    let printed = lines("a\nb\nc\nd\ne");
    for shown in ["a\nb\nc\nd\ne", "a\n...\ne", "...\nc\n...", "a\nb\n...", "a\n...\nc\n  ...\ne", "...\ne"] {
        assert!(agree(&lines(shown), &printed), "{shown}");
    }
    for shown in ["a\nb\nc\nd", "a\nb\nx\nd\ne", "a\n...\nx\n...\ne", "b\n...", "a\n...\nd", "...\nc\nb\n...\ne"] {
        assert!(!agree(&lines(shown), &printed), "{shown}");
    }
    let row = format!("  Simulation  {:<22}{:>14}  cycles a second", "speed", 123);
    let report = format!("  Kernel  5\n\n{row}\n              engine word     1  tile\n\nend");
    assert_eq!(comparable(&lines(&report)), ["  Kernel  5", "", "  Simulation  speed", "", "end"]);
}
