//! Options, keys, configurations, kernels, statistics and other names that pages use.

use super::{Page, files, root, spans};
use clap::error::ErrorKind;
use std::{collections::HashSet, fs, path::PathBuf};
use warpmesh::{
    chip::{ChipConfig, EMBEDDED},
    common::parameters::Parameters,
    program::kernels,
};

/// Programs whose options are not ours.
const OTHERS: [&str; 11] =
    ["cargo", "verilator", "iverilog", "vvp", "clang", "nvcc", "-x", "apt-get", "chmod", "make", "--test"];

/// Names that no source has as they are: scripts of Accel-Sim, a package of Debian, fields of the drawing of an
/// instruction, and pins whose names are put together.
const NOT_OURS: [&str; 15] = [
    "run_simulations.py",
    "get_stats.py",
    "libomp-dev",
    "neg_a",
    "neg_b",
    "neg_c",
    "in_p_valid",
    "in_p_head",
    "in_p_credit",
    "out_p_valid",
    "out_p_credit",
    "dram_write_mask",
    "out_west_valid",
    "bus_data",
    "lane_2",
];

/// Keys of examples that show what a mistake looks like.
const MISTAKES: [&str; 1] = ["network.vc"];

/// A command line in a page.
struct CommandLine {
    place: String,
    words: Vec<String>,
}

/// A word of capitals, `...` or `[...]` stands for something.
fn is_placeholder(word: &str) -> bool {
    let word = word.rsplit('=').next().unwrap_or(word);
    word.contains("...") || word.contains('[') || word.chars().any(|c| c.is_ascii_uppercase()) && !word.contains('/')
}

/// Commands of the program in blocks and in running text.
fn commands() -> Vec<CommandLine> {
    let mut all = vec![];
    let mut add = |place: String, text: &str| {
        // What stands behind several spaces explains; a file that takes the output is the shell's.
        let text = text.trim_start_matches("$ ");
        let text = ["   ", " # ", " > "].iter().fold(text, |text, mark| text.split(mark).next().unwrap_or(""));
        for part in text.split(" && ").flat_map(|part| part.split(" | ")) {
            let part =
                part.replace("cargo run --release -- ", "warpmesh ").replace("target/release/warpmesh", "warpmesh");
            let words: Vec<String> = part.split_whitespace().map(|word| word.trim_matches('\'').to_string()).collect();
            if words.first().is_some_and(|word| word == "warpmesh") && words.len() > 1 {
                all.push(CommandLine { place: place.clone(), words });
            }
        }
    };
    for page in Page::all() {
        for fence in page.fences().iter().filter(|fence| ["", "sh", "console"].contains(&fence.language)) {
            for (at, line) in fence.lines.iter().enumerate() {
                add(format!("{}:{}", page.name, fence.line + at), line);
            }
        }
        let prose = page.prose();
        for span in spans(&prose) {
            add(format!("{}:{}", page.name, span.line), span.text);
            let known = warpmesh::cli::command();
            if span
                .text
                .split_once(' ')
                .is_some_and(|(first, _)| known.get_subcommands().any(|c| c.get_name() == first))
            {
                add(format!("{}:{}", page.name, span.line), &format!("warpmesh {}", span.text));
            }
        }
    }
    all
}

/// Tables whose keys are rows of other crates: there are none here.
const OWN_ROWS: [&str; 2] = ["core.own_units", "core.own_stages"];

fn keys() -> HashSet<String> {
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    all.into_iter().map(|parameter| parameter.path).collect()
}

#[test]
fn documented_commands_are_understood() {
    let (keys, mut wrong) = (keys(), vec![]);
    let is_config = |name: &str| {
        EMBEDDED.iter().any(|(file, _)| file.trim_end_matches(".toml") == name)
            || name.ends_with(".toml")
            || is_placeholder(name)
    };
    let commands = commands();
    for CommandLine { place, words } in &commands {
        let mut say = |what: String| wrong.push(format!("{place}: `{}`: {what}", words.join(" ")));
        let of_block = words.iter().any(|word| word == "--block");
        for pair in words.windows(2) {
            let [option, value] = pair else { continue };
            let key = value.split('=').next().unwrap_or("");
            let known = is_placeholder(key) || keys.contains(key) || MISTAKES.contains(&key);
            if option == "-P" && !of_block && !known {
                say(format!("there is no key `{key}`"));
            }
            if option == "--kernel" {
                let unknown = value.split(',').find(|name| kernels::find(name).is_none() && !is_placeholder(name));
                unknown.into_iter().for_each(|name| say(format!("there is no kernel `{name}`")));
            }
        }
        // A placeholder for a number is one.
        let typed = words.iter().map(|word| match word.rsplit_once('=') {
            Some((key, value)) if is_placeholder(value) => format!("{key}=1"),
            _ => word.clone(),
        });
        let matches = match warpmesh::cli::command().try_get_matches_from(typed) {
            Ok(matches) => matches,
            Err(error) => {
                let message = error.to_string().lines().next().unwrap_or("").to_string();
                let of_placeholder = words.iter().any(|word| is_placeholder(word) && message.contains(word.as_str()));
                let alone = words.last().is_some_and(|word| word.starts_with("--"));
                match error.kind() {
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::MissingRequiredArgument => {}
                    ErrorKind::InvalidValue if alone => {}
                    _ if of_placeholder => {}
                    _ => say(message),
                }
                continue;
            }
        };
        if let Some((_, matches)) = matches.subcommand() {
            for id in ["config", "configs"] {
                let named = matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
                let unknown =
                    named.map(|path| path.display().to_string()).filter(|name| !is_config(name) && name != "+");
                unknown.for_each(|name| say(format!("there is no configuration `{name}`")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(commands.len() > 60, "only {} commands were found", commands.len());
}

/// Every option of the program, those that benches, campaigns and scripts read, and those of nvcc, whose page the program writes.
fn options() -> HashSet<String> {
    fn collect(command: &clap::Command, all: &mut HashSet<String>) {
        all.extend(command.get_arguments().filter_map(|arg| arg.get_long()).map(|name| format!("--{name}")));
        command.get_subcommands().for_each(|command| collect(command, all));
    }
    let mut all: HashSet<String> = ["--help", "--version"].map(String::from).into();
    collect(&warpmesh::cli::command(), &mut all);
    let readers = ["benches", "campaigns", "src/program/benches", "scripts"]
        .into_iter()
        .flat_map(|folder| files(folder, |_| true));
    for text in readers.chain([root().join("docs/nvcc-options.md")]).filter_map(|path| fs::read_to_string(path).ok()) {
        all.extend(longs(&text).map(String::from));
        // Options of benches are fields of a struct.
        let fields = text.split_whitespace().filter_map(|word| word.strip_suffix(':'));
        all.extend(fields.map(|field| format!("--{}", field.replace('_', "-"))));
    }
    all
}

/// `--name` in a text.
fn longs(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| word.starts_with("--") && word[2..].starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn options_exist() {
    let (options, mut wrong) = (options(), vec![]);
    for page in Page::all() {
        let prose = page.prose();
        for span in spans(&prose) {
            if OTHERS.contains(&span.text.split(' ').next().unwrap_or("")) || span.text.starts_with("cc ") {
                continue;
            }
            for option in longs(span.text).filter(|option| !options.contains(*option)) {
                wrong.push(format!("{}:{}: {option} in `{}`", page.name, span.line, span.text));
            }
        }
    }
    assert!(wrong.is_empty(), "options that do not exist:\n{}", wrong.join("\n"));
}

#[test]
fn keys_exist() {
    let keys = keys();
    let counted: HashSet<String> =
        warpmesh::rtl::statistics().iter().map(|kept| format!("{}.{}", kept.block, kept.name)).collect();
    let tables: HashSet<&str> = keys.iter().flat_map(|key| key.match_indices('.').map(|(at, _)| &key[..at])).collect();
    let sections: HashSet<&str> = tables.iter().copied().filter(|table| !table.contains('.')).collect();
    let mut wrong = vec![];
    for page in Page::all() {
        let prose = page.prose();
        for span in spans(&prose) {
            let words = span.text.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)));
            for word in words.map(|word| word.trim_matches('.')) {
                let Some((section, rest)) = word.split_once('.').filter(|(section, _)| sections.contains(section))
                else {
                    continue;
                };
                let is_file = ["rs", "md", "toml", "hex"].contains(&rest);
                let is_own = OWN_ROWS.iter().any(|table| word.starts_with(table));
                if !is_file && !is_own && !keys.contains(word) && !tables.contains(word) && !counted.contains(word) {
                    wrong.push(format!("{}:{}: {section}.{rest} in `{}`", page.name, span.line, span.text));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "keys that do not exist:\n{}", wrong.join("\n"));
}

/// Words of the repository's sources, with `_` and also with `-` inside, and names of files.
fn words_of_sources() -> HashSet<String> {
    let folders = [
        "src",
        "tests",
        "examples",
        "benches",
        "campaigns",
        "configs",
        "kernels",
        "studies",
        "workloads",
        "scripts",
        "testbenches",
    ];
    let text = |name: &str| {
        let ending = name.rsplit('.').next().unwrap_or("");
        !["snap", "bin", "npy", "trace", "v"].contains(&ending)
    };
    let own = root().join("tests/cli/pages");
    let all = folders.into_iter().flat_map(|folder| files(folder, text)).filter(|path| !path.starts_with(&own));
    let mut words: HashSet<String> = HashSet::new();
    // Names that the command line makes of variants.
    for command in warpmesh::cli::command().get_subcommands() {
        let values = command.get_arguments().flat_map(|arg| arg.get_possible_values());
        words.extend(values.map(|value| value.get_name().to_string()));
    }
    for path in all.chain([root().join("Cargo.toml")]) {
        words.extend(
            path.iter().filter_map(|part| part.to_str()).map(|part| part.split('.').next().unwrap_or("").to_string()),
        );
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let plain = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.extend(plain.filter(|word| word.contains('_')).map(String::from));
        let dashed = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        words.extend(dashed.filter(|word| word.contains('-')).map(String::from));
    }
    words
}

/// Tables of the page without their first column, which has the names of another simulator.
fn ours(prose: &str) -> String {
    let cell =
        |line: &str| line.strip_prefix("| ").and_then(|rest| rest.split_once(" | ")).map(|(_, rest)| rest.into());
    prose.lines().map(|line| cell(line).unwrap_or(line.to_string()) + "\n").collect()
}

#[test]
fn other_names_are_in_the_sources() {
    let (words, mut wrong) = (words_of_sources(), vec![]);
    let is_name = |text: &str| {
        text.contains(['_', '-'])
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c))
    };
    // What the program writes of its own tables needs no second look.
    for page in Page::all().iter().filter(|page| !page.is_of_the_program()) {
        let prose = if page.name == "docs/from-other-simulators.md" { ours(&page.prose()) } else { page.prose() };
        for span in spans(&prose).into_iter().filter(|span| is_name(span.text) && !NOT_OURS.contains(&span.text)) {
            let parts = span.text.split('.').filter(|part| part.contains(['_', '-']));
            for part in parts.filter(|part| !words.contains(*part)) {
                wrong.push(format!("{}:{}: {part} in `{}`", page.name, span.line, span.text));
            }
        }
    }
    assert!(wrong.is_empty(), "names that no source has:\n{}", wrong.join("\n"));
}
