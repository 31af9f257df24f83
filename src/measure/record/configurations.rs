//! Configurations key by key: what differs between them.

use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::BTreeMap;

/// Keys of a configuration, dotted, with their values.
pub type Keys = BTreeMap<String, Value>;

/// All keys of a configuration.
///
/// # Errors
/// It is no TOML.
pub fn keys_of(config: &str) -> Result<Keys, String> {
    let table: toml::Table = config.parse().map_err(|error: toml::de::Error| error.message().to_string())?;
    let mut keys = Keys::new();
    add("", serde_json::to_value(table).map_err(|error| error.to_string())?, &mut keys);
    Ok(keys)
}

fn add(place: &str, value: Value, into: &mut Keys) {
    match value {
        Value::Object(table) => {
            let dot = if place.is_empty() { "" } else { "." };
            table.into_iter().for_each(|(key, value)| add(&format!("{place}{dot}{key}"), value, into));
        }
        value => _ = into.insert(place.into(), value),
    }
}

/// What `other` has where it differs; null: the key has no effect there.
pub fn differences(keys: &Keys, other: &Keys) -> Keys {
    let gone = keys.keys().filter(|key| !other.contains_key(*key)).map(|key| (key.clone(), Value::Null));
    let changed = other.iter().filter(|(key, value)| keys.get(*key) != Some(value));
    gone.chain(changed.map(|(key, value)| (key.clone(), value.clone()))).collect()
}

/// Keys with their values, in words.
pub fn shown(keys: &Keys) -> String {
    let of = |(key, value): (&String, &Value)| match value {
        Value::Null => format!("without {key}"),
        Value::String(text) => format!("{key} = {text}"),
        value => format!("{key} = {value}"),
    };
    keys.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// The configurations of the runs of a study: the first, and what differs from it in the others.
#[derive(Clone, Debug, Default)]
pub struct Configurations {
    /// The first one, TOML.
    pub first: String,
    first_keys: Keys,
    /// Of each one, that first one too, what differs.
    pub changes: Vec<Keys>,
    known: FxHashMap<String, usize>,
    /// By design and workload.
    of_runs: BTreeMap<(usize, usize), usize>,
}

impl Configurations {
    /// That of a design with a workload.
    pub fn add(&mut self, run: (usize, usize), config: String) {
        let keys = keys_of(&config).expect("a configuration that was written is TOML");
        if self.changes.is_empty() {
            (self.first, self.first_keys) = (config, keys.clone());
        }
        let changes = differences(&self.first_keys, &keys);
        let text = serde_json::to_string(&changes).expect("texts and numbers are JSON");
        let next = self.changes.len();
        let number = *self.known.entry(text).or_insert(next);
        if number == next {
            self.changes.push(changes);
        }
        self.of_runs.insert(run, number);
    }

    /// The same as another run has.
    pub fn repeat(&mut self, run: (usize, usize), other: (usize, usize)) {
        if let Some(number) = self.of(other) {
            self.of_runs.insert(run, number);
        }
    }

    /// Number of that of a design with a workload; none of the best of others.
    pub fn of(&self, run: (usize, usize)) -> Option<usize> {
        self.of_runs.get(&run).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn configurations_are_told_by_what_differs() {
        let mut all = Configurations::default();
        let texts =
            ["name = \"a\"\n[network]\nvcs = 2\nlist = [1, 2]\n", "name = \"a\"\n[network]\nvcs = 4\nlist = [1]\n"];
        for (run, text) in [(0, 0), (1, 1), (2, 0)] {
            all.add((run, 0), texts[text].into());
        }
        all.repeat((2, 1), (1, 0));
        assert_eq!(all.first, texts[0]);
        let changed = json!({ "network.vcs": 4, "network.list": [1] });
        assert_eq!(serde_json::to_value(&all.changes).expect("JSON"), json!([{}, changed]));
        assert_eq!(
            [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0)].map(|run| all.of(run)),
            [Some(0), Some(1), Some(0), Some(1), None]
        );
        let [some, less] = ["a = 1\nb = 2\n", "b = 3\n"].map(|text| keys_of(text).expect("TOML"));
        assert_eq!(serde_json::to_value(differences(&some, &less)).expect("JSON"), json!({ "a": null, "b": 3 }));
    }
}
