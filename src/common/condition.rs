//! What a configuration has to say elsewhere so that a parameter has an effect: `mshr.ways` only with
//! `mshr.kind = "set-associative"`.
//!
//! A condition is data, declared beside its parameter: documentation, schema and messages say it, and [`idle`] finds
//! the parameters of a configuration whose condition does not hold.

use crate::{parameters::Parameter, policies::Policy};
use std::{collections::HashMap, fmt};
use toml::Value;

/// One of several tests holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    alternatives: Vec<Test>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Test {
    /// A parameter has one of these values.
    Key {
        /// As it is declared: a key of the same table, or with all tables around it.
        declared: String,
        /// With all tables around it.
        path: String,
        values: ConfigValues,
    },
    Follows(Fact),
}

/// What follows from several parameters together: how many cores there are, how long links are.
#[derive(Clone, Copy)]
pub struct Fact {
    /// What has to hold, in words: "more than one core".
    pub about: &'static str,
    /// What there is in its place in a configuration with all defaults filled in: "1 core". `None`: it holds, or cannot be told as the
    /// configuration is wrong.
    pub unmet: fn(&toml::Table) -> Option<String>,
}

impl PartialEq for Fact {
    fn eq(&self, other: &Self) -> bool {
        self.about == other.about
    }
}

impl Eq for Fact {}

impl fmt::Debug for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum ConfigValues {
    Above(u32),
    OneOf(Vec<String>),
    OtherThan(String),
}

fn test(key: &str, values: ConfigValues) -> Condition {
    Condition { alternatives: vec![Test::Key { declared: key.into(), path: key.into(), values }] }
}

/// Something that follows from several parameters.
pub fn follows(fact: Fact) -> Condition {
    Condition { alternatives: vec![Test::Follows(fact)] }
}

/// The number `key` is greater than `least`. A key without dots is one of the same table, others have all tables around them.
pub fn above(key: &str, least: u32) -> Condition {
    test(key, ConfigValues::Above(least))
}

/// `key` has this value, as [`Display`](fmt::Display) writes it.
pub fn is(key: &str, value: impl fmt::Display) -> Condition {
    one_of(key, [value])
}

/// `key` has one of these values.
pub fn one_of(key: &str, values: impl IntoIterator<Item = impl fmt::Display>) -> Condition {
    test(key, ConfigValues::OneOf(values.into_iter().map(|value| value.to_string()).collect()))
}

/// `key` has another value.
pub fn other_than(key: &str, value: impl fmt::Display) -> Condition {
    test(key, ConfigValues::OtherThan(value.to_string()))
}

/// `key` names a policy with this property.
pub fn policy<T: Policy>(key: &str, has: impl Fn(T) -> bool) -> Condition {
    one_of(key, T::named().into_iter().filter(|policy| has(*policy)).map(T::name))
}

impl Condition {
    /// This, or the other.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.alternatives.extend(other.alternatives);
        self
    }

    /// Declared in a table; `prefix`: its path, with a dot behind.
    #[must_use]
    pub fn inside(mut self, prefix: &str) -> Self {
        for test in &mut self.alternatives {
            if let Test::Key { declared, path, .. } = test
                && !declared.contains('.')
            {
                *path = format!("{prefix}{declared}");
            }
        }
        self
    }

    /// Is it about this parameter?
    pub fn is_about(&self, path: &str) -> bool {
        self.paths().any(|about| about == path)
    }

    /// It cannot hold unless this parameter has an effect.
    pub fn needs(&self, path: &str) -> bool {
        self.alternatives.len() == 1 && self.is_about(path)
    }

    /// The parameters that it is about, with all tables around them.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.alternatives.iter().filter_map(|test| match test {
            Test::Key { path, .. } => Some(path.as_str()),
            Test::Follows(_) => None,
        })
    }

    /// Values that it names of a parameter.
    pub fn named(&self, path: &str) -> Vec<String> {
        let named = |test: &Test| match test {
            Test::Key { path: about, values, .. } if about == path => values.named(),
            _ => vec![],
        };
        self.alternatives.iter().flat_map(named).collect()
    }

    /// In words, with the keys as they are declared: the same for all tables of a kind.
    pub fn declared(&self) -> String {
        self.text(|declared, _| declared)
    }

    /// `key`: which of the two, declared or with all tables, is written.
    fn text<'a>(&'a self, key: impl Fn(&'a str, &'a str) -> &'a str) -> String {
        let all = self.alternatives.iter().map(|test| match test {
            Test::Key { declared, path, values } => format!("`{}` {values}", key(declared, path)),
            Test::Follows(fact) => fact.about.into(),
        });
        all.collect::<Vec<_>>().join(", or ")
    }
}

/// In words, with whole keys.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(|_, path| path))
    }
}

/// `a, b or c`.
fn either(values: &[String]) -> String {
    match values {
        [] => "none".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The value of a parameter in a configuration with all defaults filled in.
pub fn value<'a>(config: &'a toml::Table, path: &str) -> Option<&'a Value> {
    let (tables, key) = path.rsplit_once('.').map_or(("", path), |parts| parts);
    let mut tables = tables.split('.').filter(|table| !table.is_empty());
    let table = tables.try_fold(config, |table, name| table.get(name)?.as_table());
    table?.get(key)
}

/// The same, to change it.
pub fn value_mut<'a>(config: &'a mut toml::Table, path: &str) -> Option<&'a mut Value> {
    match path.split_once('.') {
        Some((table, rest)) => value_mut(config.get_mut(table)?.as_table_mut()?, rest),
        None => config.get_mut(path),
    }
}

/// Takes the value of a parameter out of a configuration.
pub fn remove(config: &mut toml::Table, path: &str) {
    match path.split_once('.') {
        Some((table, rest)) => {
            config.get_mut(table).and_then(Value::as_table_mut).into_iter().for_each(|table| remove(table, rest));
        }
        None => drop(config.remove(path)),
    }
}

/// As a message writes a value: without quotes.
pub fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

impl fmt::Display for ConfigValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Above(least) => write!(f, "above {least}"),
            Self::OneOf(values) => write!(f, "= {}", either(values)),
            Self::OtherThan(value) => write!(f, "other than {value}"),
        }
    }
}

impl ConfigValues {
    fn named(&self) -> Vec<String> {
        match self {
            Self::Above(_) => vec![],
            Self::OneOf(all) => all.clone(),
            Self::OtherThan(one) => vec![one.clone()],
        }
    }

    fn have(&self, value: &Value) -> bool {
        match self {
            Self::Above(least) => value.as_integer().is_some_and(|number| number > i64::from(*least)),
            Self::OneOf(all) => all.contains(&written(value)),
            Self::OtherThan(one) => *one != written(value),
        }
    }
}

/// Why a parameter has no effect: in words, beginning with its condition.
pub type Reason = String;

/// The parameters that have no effect in `config`, which has all defaults filled in. What is itself without effect meets no condition.
pub fn idle(parameters: &[Parameter], config: &toml::Table) -> HashMap<String, Reason> {
    let mut search = IdleSearch { parameters, config, known: HashMap::new() };
    parameters.iter().for_each(|parameter| drop(search.reason(&parameter.path)));
    search.known.into_iter().filter_map(|(path, reason)| Some((path, reason?))).collect()
}

struct IdleSearch<'a> {
    parameters: &'a [Parameter],
    config: &'a toml::Table,
    known: HashMap<String, Option<Reason>>,
}

impl IdleSearch<'_> {
    /// Why the parameter has no effect, if it has none.
    fn reason(&mut self, path: &str) -> Option<Reason> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        // Conditions have no loops: a test goes through all of them.
        let conditions = self.parameters.iter().find(|parameter| parameter.path == path).map(|p| p.only.clone());
        let reason = conditions.into_iter().flatten().find_map(|condition| self.unmet(&condition));
        self.known.insert(path.into(), reason.clone());
        reason
    }

    /// Why the condition does not hold.
    fn unmet(&mut self, condition: &Condition) -> Option<Reason> {
        let mut but = vec![];
        for test in &condition.alternatives {
            let (path, values) = match test {
                Test::Key { path, values, .. } => (path, values),
                Test::Follows(fact) => {
                    but.push((fact.unmet)(self.config)?);
                    continue;
                }
            };
            let value = value(self.config, path)?;
            let idle = self.reason(path);
            match idle {
                None if values.have(value) => return None,
                None => but.push(format!("{path} = {}", written(value))),
                // The one behind it is what a person can change.
                Some(reason) if condition.alternatives.len() == 1 => return Some(reason),
                Some(_) => but.push(format!("{path} has no effect")),
            }
        }
        Some(format!("only with {condition}; here {}", but.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;

    crate::parameters! {
        /// All.
        pub struct Chip {
            /// The kind.
            kind: String = "plain".into();
            /// A table.
            #[only(is("kind", "fancy"))]
            cache: Cache;
            /// Something else.
            #[only(above("cache.bytes", 0).or(other_than("kind", "plain")))]
            other: u32 = 1, range(0, 9);
            /// Of a sum.
            #[only(follows(SUM))]
            of_sum: u32 = 0, range(0, 9);
        }
    }

    crate::parameters! {
        /// A cache.
        #[switch(above("bytes", 0))]
        pub struct Cache {
            /// Size.
            bytes: u32 = 0, range(0, 9);
            /// Ways.
            ways: u32 = 1, range(1, 4);
            /// Replacement.
            #[only(above("ways", 1))]
            replacement: u32 = 1, range(1, 4);
        }
    }

    const SUM: Fact = Fact {
        about: "other + cache.bytes above 1",
        unmet: |config| {
            let number = |path| value(config, path)?.as_integer();
            let sum = number("other")? + number("cache.bytes")?;
            (sum <= 1).then(|| format!("a sum of {sum}"))
        },
    };

    fn reasons(config: &str) -> Vec<(String, String)> {
        let mut parameters = vec![];
        Chip::describe("", &mut parameters);
        let config: Chip = toml::from_str(config).expect("legal");
        let mut all: Vec<_> = idle(&parameters, &toml::Table::try_from(config).expect("a table")).into_iter().collect();
        all.sort();
        all
    }

    fn paths(config: &str) -> Vec<String> {
        reasons(config).into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn what_has_no_effect_follows_from_the_conditions() {
        assert_eq!(paths(""), ["cache.bytes", "cache.replacement", "cache.ways", "of_sum", "other"]);
        assert_eq!(paths("kind = \"fancy\""), ["cache.replacement", "cache.ways", "of_sum"]);
        assert_eq!(paths("kind = \"fancy\"\ncache.bytes = 2"), ["cache.replacement"]);
        assert_eq!(paths("kind = \"fancy\"\ncache = { bytes = 2, ways = 2 }"), [""; 0]);
        // What has no effect itself meets no condition.
        assert_eq!(paths("cache.bytes = 2"), ["cache.bytes", "cache.replacement", "cache.ways", "other"]);
    }

    #[test]
    fn reasons_name_the_condition_and_what_there_is() {
        let of = |config: &str, wanted: &str| {
            reasons(config).into_iter().find(|(path, _)| path == wanted).map(|(_, reason)| reason).unwrap_or_default()
        };
        assert_eq!(of("", "cache.bytes"), "only with `kind` = fancy; here kind = plain");
        assert_eq!(of("kind = \"fancy\"", "cache.ways"), "only with `cache.bytes` above 0; here cache.bytes = 0");
        assert_eq!(
            of("", "other"),
            "only with `cache.bytes` above 0, or `kind` other than plain; here cache.bytes has no effect, kind = plain"
        );
        // What follows from several.
        assert_eq!(of("", "of_sum"), "only with other + cache.bytes above 1; here a sum of 1");
        assert_eq!(of("other = 3", "of_sum"), "");
        // What is behind it all.
        assert_eq!(of("cache.ways = 2", "cache.replacement"), "only with `kind` = fancy; here kind = plain");
    }
}
