//! What parameters demand of each other.

use std::fmt;

/// A demand on one parameter, with its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// It is met.
    pub holds: bool,
    /// Key of the parameter, in its table.
    pub key: String,
    /// Its value.
    pub value: String,
    /// What is allowed, and why.
    pub allowed: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}, allowed: {}", self.key, self.value, self.allowed)
    }
}

/// The demand `holds` on the parameter `key`.
pub fn rule(holds: bool, key: impl Into<String>, value: impl ToString, allowed: impl ToString) -> Rule {
    Rule { holds, key: key.into(), value: value.to_string(), allowed: allowed.to_string() }
}
