//! The keywords of the Python functions are the options of their commands, all but those that make no sense there.

use clap::Command;
use std::{collections::BTreeSet, fs, path::Path};

/// Of any command: what Python says in another way, or does without.
const LEFT_OUT: [&str; 7] = ["config", "configs", "param", "json", "monitor", "verbose", "quiet"];

/// A function, its arguments that are no options, and options that it has not.
const FUNCTIONS: [(&str, &[&str], &[&str]); 5] = [
    ("run", &["config", "overrides", "progress"], &[]),
    ("noc", &["config", "overrides", "progress"], &["csv"]),
    // Blocks and tables of their own have reports of other shapes.
    ("area", &["config", "overrides"], &["csv", "block", "instance", "mshr"]),
    // Tables for a terminal; workers and clusters.
    (
        "study",
        &["study", "progress"],
        &[
            "file",
            "csv",
            "worker",
            "part",
            "stale_after",
            "retry",
            "slurm",
            "partition",
            "sbatch",
            "tasks",
            "resubmit",
            "cancel",
        ],
    ),
    // The wheel has no runtime for CUDA programs.
    ("sweep", &["config", "overrides", "progress"], &["program", "args"]),
];

#[test]
fn keywords_are_options_and_options_are_keywords() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = fs::read_to_string(folder.join("warpmesh/_commands.py")).expect("a module");
    let program = cli::command();
    for (name, own, left_out) in FUNCTIONS {
        let command = program.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
        let keywords: BTreeSet<String> =
            arguments(&python, name).into_iter().filter(|word| !own.contains(&word.as_str())).collect();
        let is_left_out = |option: &String| LEFT_OUT.iter().chain(left_out).any(|other| other == option);
        let options: BTreeSet<String> = options(command).into_iter().filter(|option| !is_left_out(option)).collect();
        assert_eq!(keywords, options, "of {name}");
    }
}

/// Long names of options, as Python writes them, and names of what is given without.
fn options(command: &Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    shown.map(|argument| argument.get_long().unwrap_or(argument.get_id().as_str()).replace('-', "_")).collect()
}

/// What a function of a module takes: names in its first lines, up to the parenthesis at the begin of a line.
fn arguments(python: &str, function: &str) -> Vec<String> {
    let begin = format!("\ndef {function}(\n");
    let from = python.find(&begin).unwrap_or_else(|| panic!("no function {function}")) + begin.len();
    let lines = python[from..].lines().take_while(|line| !line.starts_with(')'));
    lines.filter_map(|line| Some(line.trim().split_once(':')?.0.to_string())).collect()
}
