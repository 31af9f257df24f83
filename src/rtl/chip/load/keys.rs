//! Keys of a layer: each is one that there is; for others the one that was meant.

use super::{ConfigError, PARAMETERS, Text, joined, renamed, wrong};
use common::names::{did_you_mean, near, same};
use std::sync::Arc;
use toml_edit::TableLike;

/// Every key of `table` is one of `shape`; tables are where tables are expected.
pub(super) fn check(text: &Arc<Text>, table: &dyn TableLike, shape: &toml::Table) -> Result<(), ConfigError> {
    check_below(text, table, shape, "")
}

fn check_below(text: &Arc<Text>, table: &dyn TableLike, shape: &toml::Table, path: &str) -> Result<(), ConfigError> {
    for (name, item) in table.iter() {
        let full = joined(path, name);
        if full == "base" {
            continue;
        }
        let at = || {
            let key = table.key(name).and_then(toml_edit::Key::span);
            key.or_else(|| item.span()).unwrap_or(0..0)
        };
        let renamed = || {
            let new = renamed::key(&full)?;
            Some(wrong(text, at(), format!("`{full}` was renamed to `{new}`"), "old name", None))
        };
        let expected = shape.get(name).ok_or_else(|| {
            let unknown = || format!("unknown key `{full}`");
            renamed().unwrap_or_else(|| wrong(text, at(), unknown(), "no such key", Some(meant(name, path, shape))))
        })?;
        match (expected, item.as_table_like()) {
            (toml::Value::Table(inner), Some(table)) => check_below(text, table, inner, &full)?,
            (toml::Value::Table(inner), None) => {
                let help = format!("keys of it: {}", list(inner));
                let no_table = || wrong(text, at(), format!("`{full}` is a table"), "not a table", Some(help));
                return Err(renamed().unwrap_or_else(no_table));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The keys that `name` may stand for: one of this table in another spelling, keys of that name in other tables, or one that is much like it; else
/// all keys of the table.
fn meant(name: &str, path: &str, shape: &toml::Table) -> String {
    let here = || shape.keys().map(String::as_str);
    let with_path = |key: &str| joined(path, key);
    if let Some(key) = here().find(|key| same(key, name)) {
        return did_you_mean(&[with_path(key)]);
    }
    let last = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let all = || PARAMETERS.iter().map(|parameter| parameter.path.as_str());
    let mut elsewhere: Vec<_> = all().filter(|path| same(last(path), name)).collect();
    // Those of tables in this one, then tables before the tables in them.
    elsewhere.sort_by_key(|key| (path.is_empty() || !key.starts_with(&joined(path, "")), key.split('.').count()));
    if !elsewhere.is_empty() {
        return did_you_mean(&elsewhere[..elsewhere.len().min(SHOWN)]);
    }
    if let [key, ..] = near(name, here())[..] {
        return did_you_mean(&[with_path(key)]);
    }
    if let [key, ..] = near(name, all().map(last))[..] {
        let paths: Vec<_> = all().filter(|path| last(path) == key).take(SHOWN).collect();
        return did_you_mean(&paths);
    }
    format!("legal keys here: {}", list(shape))
}

/// Paths in a suggestion: there are five caches.
const SHOWN: usize = 5;

/// The keys of a table.
fn list(shape: &toml::Table) -> String {
    shape.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}
