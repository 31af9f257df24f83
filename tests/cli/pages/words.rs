//! Words that this project has given up for those of the field: none comes back into code, configurations, test benches
//! or pages. Whoever renames something adds its old name here. `docs/glossary.md` says what today's words mean.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Folders and files that are looked at.
const LOOKED_AT: [&str; 10] = [
    "src",
    "tests",
    "benches",
    "campaigns",
    "configs",
    "studies",
    "testbenches",
    "docs",
    "README.md",
    "CONTRIBUTING.md",
];

/// Where old names stand because they are refused there: the tables of renamed keys and options, and what tests them.
const EXEMPT: [&str; 13] = [
    "src/rtl/chip/load/renamed.rs",
    "src/cli/renamed.rs",
    "src/cli/run.rs",
    "src/cli/compare.rs",
    "src/cli/export.rs",
    "src/measure/statistics.rs",
    "src/measure/study/file.rs",
    "tests/cli/pages/words.rs",
    "tests/chip/config.rs",
    "tests/cli/studies.rs",
    "tests/cli/mistakes.rs",
    "tests/cli/snapshots",
    "tests/chip/snapshots",
];

/// Names and phrases that were given up, and what is said instead. A name is found as a whole word; letters, digits and
/// `_` belong to words.
const GIVEN_UP: &[(&str, &str)] = &[
    // Keys of configurations.
    ("under_way", "max_outstanding, outstanding"),
    ("mshr_fields", "mshr.targets"),
    ("mshr_small_entries", "mshr.cam_entries"),
    ("mshr_small_ahead", "mshr.cam_pipelined"),
    ("mshr_spares", "mshr.protected_victims"),
    ("mshr_entries", "mshr.entries"),
    ("mshr_ways", "mshr.ways"),
    ("mshr_targets", "mshr.targets"),
    ("mshr_cam_entries", "mshr.cam_entries"),
    ("mshr_cam_pipelined", "mshr.cam_pipelined"),
    ("mshr_protected_victims", "mshr.protected_victims"),
    ("request_depth", "request_vc_depth"),
    ("reply_depth", "reply_vc_depth"),
    ("injection_links", "reply_injection_links"),
    ("shared_group", "shared_conflict_group"),
    // Statistics.
    ("slots_lost_to_results", "slots_lost_to_data_hazards"),
    ("slots_lost_to_units", "slots_lost_to_structural_hazards"),
    ("fair_cycles", "prefer_rr_cycles"),
    ("look_ups", "mshr_lookups"),
    ("compared_tags", "mshr_tags_compared"),
    ("small_accesses", "cam_accesses"),
    ("shared_accesses", "tag_array_accesses"),
    ("shared_ways", "pending_ways"),
    ("closed_reads", "unmergeable_reads"),
    ("waiting_for_room", "core_wait_cycles"),
    ("waits_for_taker", "downstream_wait_cycles"),
    ("waits_for_lower", "downstream_wait_cycles"),
    ("waits_for_field", "target_wait_cycles"),
    ("waits_for_small", "cam_wait_cycles"),
    ("waits_for_registers", "write_port_wait_cycles"),
    ("waits_for_core", "core_wait_cycles"),
    ("waits_for_downstream", "downstream_wait_cycles"),
    ("waits_for_target", "target_wait_cycles"),
    ("waits_for_cam", "cam_wait_cycles"),
    ("waits_for_write_port", "write_port_wait_cycles"),
    ("waits_for_network", "network_wait_cycles"),
    ("waits_for_entry", "entry_wait_cycles"),
    ("waits_for_way", "way_wait_cycles"),
    ("waits_for_credit", "credit_wait_cycles"),
    ("credit_stalls", "credit_stall_cycles"),
    ("send_stalls", "send_stall_cycles"),
    ("full_stalls", "full_stall_cycles"),
    ("load_waits", "load_wait_cycles"),
    ("miss_runs", "misses_since_inter_access"),
    // Ports, nets and blocks.
    ("cache_fields", "cache_targets"),
    ("has_field", "has_target"),
    ("small_full", "cam_full"),
    ("found_small", "found_in_cam"),
    ("lower_taken", "downstream_taken"),
    ("lower_valid", "downstream_valid"),
    ("lower_reply_valid", "downstream_reply_valid"),
    ("top_meet", "top_reconvergence_pc"),
    ("look_pc", "lookup_pc"),
    ("front_yx", "front_route_class"),
    ("front_via", "front_waypoint"),
    ("reply_room", "reply_free"),
    // Types, functions and files.
    ("side_unit", "shared_unit"),
    ("StrayLine", "OutOfBoundsLine"),
    ("Sought", "CheckKinds"),
    ("sought", "check_kinds"),
    ("Knobs", "parameters of a kernel: StreamParams, ..."),
    ("knobs", "kernel parameters, --kernel-param"),
    ("knob", "kernel parameter, --kernel-param"),
    ("is_beside_lanes", "unit_of"),
    ("no_twins", "no_intrinsics"),
    ("twin", "intrinsic"),
    ("twins", "intrinsics"),
    ("Twin", "Intrinsic"),
    ("tiles that rest", "idle tiles"),
    // Phrases.
    ("small part of a hybrid", "CAM part"),
    ("turn of the beats", "issue interval"),
    ("to the last bit", "bit for bit, correctly rounded"),
    ("thousand million", "billion"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `path`, as paths from the root.
fn files(path: &Path, all: &mut Vec<PathBuf>) {
    if root().join(path).is_file() {
        return all.push(path.into());
    }
    let entries = fs::read_dir(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for entry in entries {
        files(&path.join(entry.expect("an entry of a folder").file_name()), all);
    }
}

/// Does `word` stand in `line` by itself?
fn stands_in(word: &str, line: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, behind) = (line[..at].chars().next_back(), line[at + word.len()..].chars().next());
        !before.is_some_and(in_word) && !behind.is_some_and(in_word)
    })
}

/// What was given up and stands in `text`, as `name:line: message`.
fn given_up(name: &str, text: &str) -> Vec<String> {
    let lines = (1..).zip(text.lines());
    let found = lines.flat_map(|(number, line)| {
        let words = GIVEN_UP.iter().filter(|(word, _)| stands_in(word, line));
        words.map(move |(word, today)| format!("{name}:{number}: `{word}` was given up for: {today}"))
    });
    found.collect()
}

#[test]
fn no_word_comes_back() {
    let mut all = vec![];
    LOOKED_AT.iter().for_each(|place| files(Path::new(place), &mut all));
    all.retain(|path| !EXEMPT.iter().any(|exempt| path.starts_with(exempt)));
    assert!(all.len() > 1000, "{} files", all.len());
    let found: Vec<_> = all
        .iter()
        // Some are no text: programs for tests, compressed waveforms.
        .filter_map(|path| Some((path, fs::read_to_string(root().join(path)).ok()?)))
        .flat_map(|(path, text)| given_up(&path.display().to_string(), &text))
        .collect();
    assert!(found.is_empty(), "{} words (docs/glossary.md):\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_word_is_found_with_its_file_and_line() {
    let said = given_up("a.rs", "let x = 1;\nlet under_way = vec![];\n");
    assert_eq!(said, ["a.rs:2: `under_way` was given up for: max_outstanding, outstanding"]);
    assert_eq!(given_up("a.rs", "core.under_way=3").len(), 1);
    assert_eq!(given_up("a.md", "in a turn of the beats, or two.").len(), 1);
    assert_eq!(given_up("a.rs", "let is_under_way = not_under_way_yet;"), Vec::<String>::new());
}

/// No row is there twice, and none asks for a word that another row has given up.
#[test]
fn todays_words_are_not_given_up() {
    for (i, (word, today)) in GIVEN_UP.iter().enumerate() {
        assert!(GIVEN_UP[..i].iter().all(|(other, _)| other != word), "{word} is there twice");
        assert!(GIVEN_UP.iter().all(|(other, _)| !stands_in(other, today)), "{word}: {today} was given up too");
    }
}
