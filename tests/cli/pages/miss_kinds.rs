//! A kind of miss handling is a row of its table and a file: nothing else in the program names one.

use super::{files, root};
use std::fs;
use warpmesh::cache::MissHandling;

/// The table, its policies and its keys; and former names of keys.
const ALLOWED: [&str; 3] = ["src/rtl/cache/miss", "src/rtl/cache/miss.rs", "src/rtl/chip/load/renamed.rs"];

/// Names of kinds that are words of caches in general.
const GENERAL: [&str; 2] = ["full", "set-associative"];

/// What else they are called.
const OTHERS: [&str; 1] = ["hybrid"];

#[test]
fn no_source_names_a_kind_of_miss_handling() {
    let names = MissHandling::ALL.map(MissHandling::name).into_iter().filter(|name| !GENERAL.contains(name));
    let words: Vec<_> = names.chain(OTHERS).collect();
    let mut wrong = vec![];
    for path in files("src", |name| name.ends_with(".rs")) {
        let name = path.strip_prefix(root()).expect("in the repository");
        if ALLOWED.iter().any(|allowed| name.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source").to_lowercase();
        let named = |line: &str| words.iter().any(|word| line.contains(word));
        let lines = (1..).zip(text.lines()).filter(|(_, line)| named(line));
        wrong.extend(lines.map(|(at, line)| format!("{}:{at}: {}", name.display(), line.trim())));
    }
    assert!(wrong.is_empty(), "a policy says these things of itself (`MissPolicy`):\n{}", wrong.join("\n"));
}
