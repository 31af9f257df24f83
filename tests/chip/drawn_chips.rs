//! Random chips run random kernels as the emulator does; `cargo campaign random-chips` takes any number of them.

use crate::campaign::part_or_all;
use crate::matrix::options;
use crate::random_chips::{check, check_in_parts, chip::chip, parts::PartsCheck};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};
use warpmesh::{
    chip::load,
    program::kernels,
    sim::{Engine, Options, Passes},
};

#[test]
fn kernels_end_with_the_memory_of_the_emulator() {
    for seed in 0..part_or_all(1, 3) {
        check(seed, &options()).unwrap_or_else(|said| panic!("{said}"));
    }
}

/// Three clocks, L1 and L2: every engine (in every run two of them), and that of choice on two threads, resumes what another one has saved.
#[test]
fn saved_runs_end_like_those_in_a_piece_on_every_engine() {
    let more = ["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"].map(str::to_string);
    let chip = load(Some(Path::new("small-l2.toml")), &more).unwrap_or_else(|error| panic!("{error}"));
    let kernel = kernels::find("gather").expect("a kernel of the project");
    let launch = kernel.launch(Some(70), 1, &chip.target()).unwrap_or_else(|error| panic!("{error}"));
    let of = |engine, threads| Options { engine, threads, cache: true, ..Options::default() };
    let mut others: Vec<_> = Engine::ALL.into_iter().map(|engine| of(engine, 1)).collect();
    others.push(of(Engine::Auto, 2));
    // With intrinsics, as all of these: without them lanes have their registers elsewhere, and a saved run is refused.
    others.push(Options { passes: Passes::NONE, ..of(Engine::Word, 1) });
    let check = PartsCheck {
        chip: &chip,
        launch: &launch,
        options: &options(),
        others: part_or_all(&others[2..4], &others),
        memory_checks: true,
        max_cycles: u64::MAX,
    };
    check.check().unwrap_or_else(|said| panic!("{said}"));
}

/// So do random kernels on random chips; `cargo campaign random-chips --in-parts` takes any number.
#[test]
fn random_runs_in_parts_end_like_those_in_a_piece() {
    check_in_parts(1, 600).unwrap_or_else(|said| panic!("{said}"));
}

/// No key is left out: each has more than one value among some chips; in a short run few are the same among thirty.
#[test]
fn every_key_is_drawn() {
    let mut values = BTreeMap::<String, BTreeSet<String>>::new();
    // The percentage is 100 once resources are scaled.
    let is_same = |(key, all): &(&String, &BTreeSet<String>)| all.len() < 2 && key.as_str() != "core.scale_percent";
    for seed in 0..part_or_all(30, 300) {
        let table = toml::Table::try_from(chip(seed).config()).expect("a configuration is a table");
        gather("", &table, &mut values);
        if values.iter().all(|entry| !is_same(&entry)) {
            return;
        }
    }
    let same: Vec<_> = values.iter().filter(is_same).map(|(key, _)| key).collect();
    assert!(same.len() <= part_or_all(values.len() / 10, 0), "always the same: {same:?}");
}

fn gather(path: &str, table: &toml::Table, values: &mut BTreeMap<String, BTreeSet<String>>) {
    for (key, value) in table {
        let full = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) if full != "network.placement" => gather(&full, inner, values),
            value => drop(values.entry(full).or_default().insert(value.to_string())),
        }
    }
}
