//! Parameters of a block: the name of its module is made of them, and the header of its Verilog lists them.
//!
//! The name shows numbers and words, `flit_buffer_vcs4_depth8_width128`; of a `kind` or `name` the word alone. A digest at
//! its end stands for all others: structs and lists, parameters given to [`Parameters::beside`] or [`Parameters::and`], and
//! those for which the name has no room. So blocks that differ in a parameter have different names. A parameter that is
//! `false`, `None` or an empty list is left out: a parameter added later does not rename the blocks that do not use it.

use serde::Serialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

/// Characters of a name up to its digest. Names become file names of object code in which Verilator writes each `_` followed by a
/// digit with five characters: they must not exceed 127 characters, and files of this name need an ending.
const LONGEST_NAME: usize = 64;

/// Parameters of a block; see the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Parameters {
    /// In the name, by what they are called.
    shown: Vec<(String, String)>,
    /// In its digest, by their path.
    others: Vec<(String, String)>,
}

impl Parameters {
    /// These and `value`, which is called `key`; a number or a word is in the name.
    ///
    /// # Panics
    ///
    /// When `value` cannot be written as JSON: a map whose keys are not text.
    #[must_use]
    pub fn with(mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Self {
        match json(value) {
            absent if is_absent(&absent) => {}
            scalar @ (Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                self.shown.push((key.into(), text(&scalar)));
            }
            parts => self.others.extend(leaves(key, &parts, false)),
        }
        self
    }

    /// These and `value`, which is called `key`, in the digest.
    ///
    /// # Panics
    ///
    /// As [`with`](Self::with).
    #[must_use]
    pub fn beside(mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Self {
        self.others.extend(leaves(key, &json(value), false));
        self
    }

    /// These and the fields of `parameters`, in the digest but for those that are shown already.
    ///
    /// # Panics
    ///
    /// As [`with`](Self::with).
    #[must_use]
    pub fn and(self, parameters: &impl Serialize) -> Self {
        self.and_leaves(leaves("", &json(parameters), false))
    }

    /// The same of those that are not as in `usual`.
    ///
    /// # Panics
    ///
    /// As [`with`](Self::with).
    #[must_use]
    pub fn and_unlike<T: Serialize>(self, parameters: &T, usual: &T) -> Self {
        let same = leaves("", &json(usual), true);
        let mut found = leaves("", &json(parameters), true);
        found.retain(|leaf| !same.contains(leaf));
        self.and_leaves(found)
    }

    /// Each once: what is shown is not repeated.
    fn and_leaves(mut self, mut leaves: Vec<(String, String)>) -> Self {
        leaves.retain(|leaf| !self.shown.contains(leaf));
        self.others.extend(leaves);
        self
    }

    /// All of them, by path, those in the name first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.shown.iter().chain(&self.others).map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.others.is_empty()
    }

    /// The name of a module of this kind.
    pub(crate) fn name(&self, kind: &str) -> String {
        let mut hidden = self.others.clone();
        let mut is_full = kind.len() > LONGEST_NAME;
        let mut name = kind[..kind.floor_char_boundary(LONGEST_NAME)].to_string();
        if is_full {
            hidden.push(("kind".into(), kind.into()));
        }
        for (key, value) in &self.shown {
            // Other characters become one underscore.
            let words: Vec<_> = value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
            let word = if value == "true" { String::new() } else { words.join("_") };
            let gap = if word.starts_with(|c: char| c.is_ascii_digit()) || word.is_empty() { "" } else { "_" };
            let part = match key.as_str() {
                "name" | "kind" => format!("_{word}"),
                _ => format!("_{key}{gap}{word}"),
            };
            is_full |= name.len() + part.len() > LONGEST_NAME;
            if is_full {
                hidden.push((key.clone(), value.clone()));
            } else {
                name.push_str(&part);
            }
        }
        if !hidden.is_empty() {
            let lines: Vec<_> = hidden.iter().map(|(key, value)| format!("{key}={value}")).collect();
            name.push_str(&format!("_{:08x}", xxh3_64(lines.join("\n").as_bytes()) as u32));
        }
        name
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> Value {
    serde_json::to_value(value).expect("parameters can be written as JSON")
}

fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The numbers and words in `value`, each with its path below `path`; `all`: with `false`, `None` and empty lists.
fn leaves(path: &str, value: &Value, all: bool) -> Vec<(String, String)> {
    let below = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    let found: Vec<_> = match value {
        Value::Object(fields) => fields.iter().flat_map(|(name, field)| leaves(&below(name), field, all)).collect(),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().enumerate().flat_map(|(i, item)| leaves(&below(&i.to_string()), item, all)).collect()
        }
        absent if is_absent(absent) && !all => return vec![],
        leaf => return vec![(path.into(), text(leaf))],
    };
    // A struct all of whose fields are left out differs from `None`.
    if found.is_empty() && !path.is_empty() { vec![(path.into(), "{}".into())] } else { found }
}

#[cfg(test)]
mod tests {
    use crate::params;
    use serde::Serialize;

    #[derive(Serialize, Clone)]
    struct Inner {
        ways: u32,
        policy: Option<&'static str>,
    }

    #[derive(Serialize, Clone)]
    struct Outer {
        depth: u32,
        inner: Inner,
        fast: bool,
    }

    fn outer() -> Outer {
        Outer { depth: 8, inner: Inner { ways: 4, policy: None }, fast: false }
    }

    #[test]
    fn names_are_words_and_a_digest_of_what_is_not_shown() {
        let depth = 8;
        assert_eq!(
            params! { depth, policy: "round-robin", fast: true, slow: false }.name("a"),
            "a_depth8_policy_round_robin_fast"
        );
        assert_eq!(params! {}.name("a"), "a");
        assert_eq!(params! { kind: "oldest-first", ways: 2 }.name("a"), "a_oldest_first_ways2");
        let p = outer();
        let name = params! { depth }.and(&p).name("a");
        assert!(name.starts_with("a_depth8_") && name.len() == 17, "{name}");
        let other = Outer { inner: Inner { ways: 2, ..p.inner.clone() }, ..p.clone() };
        assert_ne!(params! { depth }.and(&other).name("a"), name);
        assert_eq!(params! { depth }.and_unlike(&p, &outer()).name("a"), "a_depth8");
        assert_ne!(params! { depth }.and_unlike(&other, &outer()).name("a"), "a_depth8");
        let with_policy = |policy| Outer { inner: Inner { policy, ..p.inner.clone() }, ..p.clone() };
        let usual = with_policy(Some("lru"));
        assert_ne!(params! { depth }.and_unlike(&p, &usual).name("a"), "a_depth8");
        assert_eq!(params! { depth }.and_unlike(&usual, &usual).name("a"), "a_depth8");
        assert_eq!(params! { ways: [8, 16] }.name("a"), params! { ways: vec![8, 16] }.name("a"));
    }

    #[test]
    fn all_parameters_are_listed_once() {
        let depth = 8;
        let p = Outer { inner: Inner { ways: 4, policy: Some("lru") }, ..outer() };
        let all: Vec<_> = params! { depth }.and(&p).iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(all, ["depth=8", "inner.policy=lru", "inner.ways=4"]);
        let all: Vec<_> = params! { depth; parts: [&p.inner], none: Option::<u32>::None }
            .iter()
            .map(|(key, _)| key.to_string())
            .collect();
        assert_eq!(all, ["depth", "parts.0.policy", "parts.0.ways"]);
    }

    #[test]
    fn kinds_may_be_long() {
        // Elaboration reports a kind that is no identifier.
        let long = |last: &str| params! {}.name(&("\u{e9}".repeat(100) + last));
        assert!(long("a").len() <= 64 + 9 && long("a") != long("b"));
    }

    #[test]
    fn long_names_end_in_a_digest_of_what_does_not_fit() {
        let long = |last: u32| params! { first: "w".repeat(40), second: "v".repeat(40), last }.name("block");
        assert!(long(1).len() <= 64 + 9, "{}", long(1));
        assert_ne!(long(1), long(2));
        let second = |second: &str| params! { first: "w".repeat(40), second: second.repeat(40) }.name("block");
        assert_ne!(second("a"), second("b"));
    }
}
