//! A mistake in a configuration: the key, its value, and what is allowed.

use common::short::shortened;

/// A value of a configuration that gives no chip.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, miette::Diagnostic)]
#[error("invalid value {value} for {path}")]
#[diagnostic(help("allowed: {allowed}"))]
pub struct ChipError {
    /// Key, with the tables around it: `core.warps`.
    pub path: String,
    /// Its value.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

pub(super) fn invalid_value(path: &str, value: impl ToString, allowed: impl ToString) -> ChipError {
    ChipError { path: path.into(), value: shortened(&value.to_string()), allowed: allowed.to_string() }
}

/// As a configuration writes it.
pub(super) fn name(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(String::from)).unwrap_or_default()
}
