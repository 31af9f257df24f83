//! Keys that the rest of a configuration makes meaningless.
//!
//! | the key is in | it had no effect | it is |
//! |---|---|---|
//! | a `-P` | | an error |
//! | the file that the command line names | in the file itself | an error |
//! | that file | because of a `-P` | a warning |
//! | a base file of the user | | a warning |
//! | a shipped base | in what is shipped | as intended there: nothing |
//! | a shipped base | because of what the user wrote | a warning |
//!
//! What a key needs is declared beside it ([`common::condition`]). A value that makes the same chip as others
//! ([`saturated`](super::saturated)) is a warning, unless it is in a shipped configuration and was so there.

use super::{ChipConfig, ConfigError, Loaded, PARAMETERS, Saturated, WrittenAt, saturated_values, wrong};
use common::condition::{Reason, idle, remove, value, value_mut};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Who wrote a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Writer {
    /// A shipped configuration, as a base.
    Shipped,
    /// Another base file.
    Base,
    /// What the command line names.
    Own,
    /// `-P`.
    Override,
}

/// The keys that have no effect in `config`, each with the reason.
pub fn idle_keys(config: &ChipConfig) -> HashMap<String, Reason> {
    let config = toml::Table::try_from(config).expect("a configuration is a table");
    idle(&PARAMETERS, &config)
}

/// The configuration as a file: all keys that have an effect, no value beyond its bound.
pub fn to_toml(config: &ChipConfig) -> String {
    let mut table = toml::Table::try_from(config).expect("a configuration is a table");
    for Saturated { path, same_as, .. } in saturated_values(config) {
        if let Some(value) = value_mut(&mut table, path) {
            *value = same_as.into();
        }
    }
    idle(&PARAMETERS, &table).keys().for_each(|path| remove(&mut table, path));
    table.to_string()
}

impl Loaded {
    /// Warnings of keys without effect that come from a base, and of values beyond which nothing changes, one for each reason.
    ///
    /// # Errors
    /// A key without effect is the user's own.
    pub fn warnings(&self) -> Result<Vec<String>, ConfigError> {
        let [shipped, files, all] =
            [&self.states.shipped, &self.states.files, &self.states.all].map(|state| idle(&PARAMETERS, state));
        let saturated = self.saturated();
        let (mut errors, mut warnings) = (vec![], BTreeMap::<_, Vec<_>>::new());
        for parameter in PARAMETERS.iter() {
            let path = parameter.path.as_str();
            let (Some(reason), Some(origin)) = (all.get(path), self.origins.get(path)) else { continue };
            let was_idle = |state: &HashMap<String, Reason>| state.contains_key(path);
            match origin.writer {
                Writer::Override => errors.push((path, reason, origin)),
                Writer::Own if was_idle(&files) => errors.push((path, reason, origin)),
                Writer::Shipped if was_idle(&shipped) => {}
                _ => warnings.entry(reason).or_default().push((path, origin.text.name.as_str())),
            }
        }
        if let Some((first, others)) = errors.split_first() {
            return Err(error(*first, &others.iter().map(|(path, ..)| *path).collect::<Vec<_>>()));
        }
        for Saturated { path, reason, .. } in &saturated {
            if let Some(origin) = self.origins.get(*path).filter(|_| !all.contains_key(*path)) {
                warnings.entry(reason).or_default().push((path, origin.text.name.as_str()));
            }
        }
        let text = |(reason, found): (&Reason, Vec<(&str, &str)>)| {
            let (keys, files): (Vec<_>, BTreeSet<_>) = found.into_iter().unzip();
            let files: Vec<_> = files.into_iter().collect();
            let have = if keys.len() == 1 { "has" } else { "have" };
            format!("{}: {} {have} no effect: {reason}", files.join(", "), keys.join(", "))
        };
        Ok(warnings.into_iter().map(text).collect())
    }

    /// Values beyond which nothing changes, without those that are so in what is shipped.
    fn saturated(&self) -> Vec<Saturated> {
        let [shipped, all] = [&self.states.shipped, &self.states.all];
        let known: Vec<_> = shipped.clone().try_into::<ChipConfig>().iter().flat_map(saturated_values).collect();
        let is_shipped = |found: &Saturated| {
            known.iter().any(|known| known.path == found.path) && value(shipped, found.path) == value(all, found.path)
        };
        saturated_values(&self.config).into_iter().filter(|found| !is_shipped(found)).collect()
    }
}

/// The error of a key; `others` have no effect either.
fn error((path, reason, origin): (&str, &Reason, &WrittenAt), others: &[&str]) -> ConfigError {
    let also =
        if others.is_empty() { String::new() } else { format!(". Without effect as well: {}", others.join(", ")) };
    let help = format!("it has one {reason}{also}");
    wrong(&origin.text, origin.key.clone(), format!("{path} has no effect"), "leave it out", Some(help))
}
