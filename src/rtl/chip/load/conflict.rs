//! Which of the values that a person wrote make a configuration impossible.
//!
//! A check names the key whose value it refuses. Often that value comes from a base or is a default, and what the
//! person wrote last is another key, which does not go with it: `-P core.warps=64` of a chip with `core.tag_bits = 4`
//! in its file. That key is found by leaving out values: first whole layers, from the last one on, then parts of the
//! layer with which the mistake begins, until every value that is left is needed for it (A. Zeller and R. Hildebrandt,
//! *Simplifying and Isolating Failure-Inducing Input*, IEEE TSE 2002).

use super::{Chip, ChipConfig, ChipError, OVERRIDE, Text, joined, merge};
use std::{ops::Range, sync::Arc};

/// The values of one text.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    text: Arc<Text>,
    values: Vec<WrittenValue>,
}

/// A value that a text sets.
#[derive(Clone, Debug)]
struct WrittenValue {
    /// Key, with the tables around it.
    path: String,
    value: toml::Value,
}

/// Values that do not go with another one.
#[derive(Debug)]
pub(super) struct Conflict {
    /// As `core.warps = 64`, by key; at least one.
    pub values: Vec<String>,
    /// Key of the last of them.
    pub last: String,
    /// The other one was written in this text, or is a default.
    pub other: Option<(Arc<Text>, Range<usize>)>,
}

impl Layer {
    /// What `table` of `text` sets; `shape` has a table wherever keys are tables.
    pub fn new(text: &Arc<Text>, table: &toml::Table, shape: &toml::Table) -> Self {
        let mut values = vec![];
        gather(table, shape, "", &mut values);
        Self { text: text.clone(), values }
    }

    fn is_override(&self) -> bool {
        self.text.name.starts_with(OVERRIDE)
    }
}

fn gather(table: &toml::Table, shape: &toml::Table, path: &str, values: &mut Vec<WrittenValue>) {
    for (key, value) in table {
        let full = joined(path, key);
        match (value, shape.get(key)) {
            (toml::Value::Table(inner), Some(toml::Value::Table(shape))) => gather(inner, shape, &full, values),
            _ if full == "base" => {}
            _ => values.push(WrittenValue { path: full, value: value.clone() }),
        }
    }
}

/// The values that make `error` one of `layers`, where its own key is not the one that was written last. `origin`: where that is written.
pub(super) fn conflict(
    layers: &[Layer],
    error: &ChipError,
    origin: Option<(&Arc<Text>, &Range<usize>)>,
) -> Option<Conflict> {
    // All overrides count as one layer: whoever writes one knows the others.
    let overrides = layers.iter().position(Layer::is_override).unwrap_or(layers.len());
    let of = |layers: &[Layer]| layers.iter().flat_map(|layer| layer.values.clone()).collect::<Vec<_>>();
    let mut steps: Vec<_> = layers[..overrides].iter().map(|layer| layer.values.clone()).collect();
    steps.push(of(&layers[overrides..]));
    let is_own = |values: &[WrittenValue]| values.iter().any(|value| is_at(&value.path, &error.path));
    let mut first = steps.len();
    while first > 0 && !is_own(&steps[first - 1]) {
        first -= 1;
        let (before, last) = (steps[..first].concat(), &steps[first]);
        if !fails(&before, error) {
            let needed = needed(last, |values| fails(&[&before, values].concat(), error));
            // A later layer may have given the key another value that does not go with it either.
            let now = |path: &str| steps.iter().flatten().rfind(|value| value.path == path);
            let values = needed.iter().filter_map(|value| now(&value.path));
            let values = values.map(|value| format!("{} = {}", value.path, shown(&value.value))).collect();
            let other = origin.map(|(text, span)| (text.clone(), span.clone()));
            return Some(Conflict { values, last: needed.last()?.path.clone(), other });
        }
    }
    None
}

/// The key of a value is the one of an error, or has it in it.
fn is_at(path: &str, error: &str) -> bool {
    error.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The chip with these values has the same mistake.
fn fails(values: &[WrittenValue], error: &ChipError) -> bool {
    let mut config = toml::Table::try_from(ChipConfig::default()).expect("the defaults are plain TOML values");
    for WrittenValue { path, value } in values {
        let nest = |inner, key: &str| toml::Value::Table([(key.to_string(), inner)].into_iter().collect());
        if let toml::Value::Table(layer) = path.rsplit('.').fold(value.clone(), nest) {
            merge(&mut config, layer);
        }
    }
    let chip = config.try_into::<ChipConfig>().map(|config| Chip::new(&config));
    matches!(chip, Ok(Err(other)) if other.path == error.path)
}

/// Those of `values` that are needed for `fails`, which holds for all of them: without any of them it does not.
fn needed(values: &[WrittenValue], fails: impl Fn(&[WrittenValue]) -> bool) -> Vec<WrittenValue> {
    let mut left = values.to_vec();
    let mut size = left.len().div_ceil(2);
    loop {
        let mut at = 0;
        while at < left.len() {
            let end = (at + size).min(left.len());
            let without = [&left[..at], &left[end..]].concat();
            if fails(&without) {
                left = without;
            } else {
                at = end;
            }
        }
        if size <= 1 {
            return left;
        }
        size = size.div_ceil(2);
    }
}

/// A value as messages have it: a name without quotation marks.
fn shown(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}
