//! Random chips run random kernels as the emulator does; `cargo bench --bench random_chips` takes any number of them.

#[path = "support/matrix.rs"]
mod matrix;
#[path = "support/random_chips/mod.rs"]
mod random_chips;

use matrix::options;
use random_chips::{check, chip::chip};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn kernels_end_with_the_memory_of_the_emulator() {
    for seed in 0..6 {
        check(seed, &options()).unwrap_or_else(|said| panic!("{said}"));
    }
}

/// No key is left out: each has more than one value among some chips.
#[test]
fn every_key_is_drawn() {
    let mut values = BTreeMap::<String, BTreeSet<String>>::new();
    for seed in 0..300 {
        let table = toml::Table::try_from(chip(seed).config()).expect("a configuration is a table");
        gather("", &table, &mut values);
    }
    // The percentage is 100 once resources are scaled.
    let same = values.iter().filter(|(key, all)| all.len() < 2 && key.as_str() != "core.scale_percent");
    let same: Vec<_> = same.map(|(key, _)| key).collect();
    assert!(same.is_empty(), "always the same: {same:?}");
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
