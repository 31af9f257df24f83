//! Ports of the hardware are named in their declarations (`ports!`) and by methods, clocks of children by constants, so
//! that one that is renamed is a compile error: no string names one in `src/rtl`.

use super::{files, root};
use std::fs;

/// Files in which the same words are about configurations.
const OF_CONFIGURATIONS: [&str; 3] = ["src/rtl/chip/load", "src/rtl/chip/load.rs", "src/rtl/core/config.rs"];

/// Methods of blocks and instances that take the name of a port or clock, and functions of bundles that do so behind the block.
const METHODS: [&str; 10] = [
    ".clocked(",
    ".drive(",
    ".drive_optional(",
    ".get(",
    ".get_optional(",
    ".has_output(",
    ".input(",
    ".output(",
    ".output_of(",
    ".tapped_output(",
];
const OF_BUNDLES: [&str; 4] = ["::inputs(", ".outputs(", "::of_ports(", "::drive_ports("];

/// Lines in which a string names a port or clock.
fn ports_by_string(text: &str) -> Vec<usize> {
    let named = |arguments: &str| {
        let first = arguments.trim_start_matches(|c: char| c.is_whitespace() || "(&".contains(c));
        first.starts_with('"') || first.starts_with("format!(")
    };
    let second = |arguments: &str| arguments.split_once(", ").is_some_and(|(_, behind)| named(behind));
    let methods = METHODS.iter().flat_map(|method| text.match_indices(method).map(|(at, _)| (at, at + method.len())));
    let methods = methods.filter(|&(_, behind)| named(&text[behind..]));
    let bundles = OF_BUNDLES.iter().flat_map(|made| text.match_indices(made).map(|(at, _)| (at, at + made.len())));
    let bundles = bundles.filter(|&(_, behind)| second(text[behind..].lines().next().unwrap_or("")));
    let mut lines: Vec<usize> = methods.chain(bundles).map(|(at, _)| text[..at].matches('\n').count() + 1).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn no_string_names_a_port_or_clock() {
    let mut wrong = vec![];
    for path in files("src/rtl", |name| name.ends_with(".rs")) {
        let name = path.strip_prefix(root()).expect("in the repository");
        if OF_CONFIGURATIONS.iter().any(|path| name.starts_with(path)) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        wrong.extend(ports_by_string(&text).into_iter().map(|line| format!("{}:{line}", name.display())));
    }
    assert!(wrong.is_empty(), "declare ports with `ports!`, name clocks by constants: {}", wrong.join(", "));
}

#[test]
fn ports_by_string_are_found() {
    let text = r#"let a = child.get("valid");
m.output_of(("bit", 1), a);
Word::inputs(&m, "word", &p);
child.drive(&format!("bit{i}"), a);
child.clocked("noc", clock);
io.valid(a);
child.clocked(NETWORK_CLOCK, clock);"#;
    assert_eq!(ports_by_string(text), [1, 2, 3, 4, 5]);
}
