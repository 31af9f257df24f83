//! Parameters of configurations, each declared once: name, type, default, range, unit and meaning. Defaults, checks,
//! error messages, the JSON schema and `docs/configuration.md` all come from the declaration.
//!
//! ```text
//! parameters! {
//!     /// A SIMT core.
//!     pub struct CoreConfig {
//!         /// Resident warps.
//!         warps: u32 = 8, range(2, 64);
//!         /// Shared memory.
//!         shared_bytes: u32 = 16 * 1024, kibibytes(1, 64) bytes;
//!         /// Instruction memory.
//!         program_words: u32 = 4096, powers(16, 65_536) words;
//!         /// Routing algorithm.
//!         routing: Routing = Routing::Xy;
//!         /// Requests that may go before the oldest one.
//!         #[only(policy("scheduler", DramScheduler::reorders))]
//!         row_streak_max: u32 = 0, range(0, 1023);
//!         /// A table of its own.
//!         timing: DramTiming;
//!     }
//! }
//! ```
//!
//! `#[only(...)]` says what a parameter, or a table of them, needs to have an effect: a [`Condition`], of which there
//! may be several; `#[switch(...)]` at the struct says it of all its parameters but the one that the condition is
//! about; `#[key("name", ...)]` at a table says it of one of its parameters.
//!
//! Keys that several tables have are declared once, and each table has them in front of its own; what differs is a
//! constant of each. `CacheConfig::from(&table)` is what a table says of them. What is built of a table has its keys by
//! the same declaration, and more that follow from others: `CoreParams::from(&table)`.
//!
//! ```text
//! parameters! {
//!     /// What every cache has.
//!     pub shared CacheConfig {
//!         /// Lines of a set.
//!         ways: u32 = Self::WAYS, range(1, 16);
//!     }
//!
//!     /// What those have in addition that are written.
//!     pub shared more WriteConfig {
//!         /// Write-hit policy.
//!         write_hit: WriteHit = Self::WRITE_HIT;
//!     }
//!
//!     /// A data cache.
//!     pub struct L1Config(WAYS = 4, WRITE_HIT: WriteHit = WriteHit::Evict) with WriteConfig {
//!         /// Lines know who brought them.
//!         locality: bool = false;
//!     }
//! }
//! ```
//!
//! ```text
//! parameters! {
//!     pub shared {
//!         /// Resident warps.
//!         warps: u32 = 8, range(2, 64);
//!     }
//!
//!     /// A core, as a person writes it.
//!     pub struct CoreConfig {
//!         /// Percent of its warps that there are.
//!         scale_percent: u32 = 100, range(25, 200);
//!     }
//!
//!     /// A core, as it is built.
//!     pub record CoreParams {
//!         /// Bits of a flit.
//!         flit_bits: u32 = 128;
//!     }
//! }
//! ```

mod rule;
mod table;

pub use crate::condition::Condition;
pub use rule::{Rule, rule};

use serde_json::{Value, json};
use std::{collections::HashSet, fmt};

/// Bytes of a KiB.
const KIB: u32 = 1024;

/// Numbers that a parameter may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// From the first to the last.
    Numbers(u32, u32),
    /// The powers of two from the first to the last.
    Powers(u32, u32),
    /// The multiples of 1,024 from the first to the last.
    Kibibytes(u32, u32),
}

impl Allowed {
    /// All numbers from `low` to `high`.
    pub const fn range(low: u32, high: u32) -> Self {
        Self::Numbers(low, high)
    }

    /// The powers of two from `low` to `high`.
    pub const fn powers(low: u32, high: u32) -> Self {
        Self::Powers(low, high)
    }

    /// Whole KiB from `low` to `high`, in bytes.
    pub const fn kibibytes(low: u32, high: u32) -> Self {
        Self::Kibibytes(low * KIB, high * KIB)
    }

    /// The least and the greatest.
    pub const fn ends(self) -> (u32, u32) {
        match self {
            Self::Numbers(low, high) | Self::Powers(low, high) | Self::Kibibytes(low, high) => (low, high),
        }
    }

    /// Is `value` one of them?
    pub fn has(self, value: u32) -> bool {
        match self {
            Self::Numbers(low, high) => (low..=high).contains(&value),
            Self::Powers(low, high) => (low..=high).contains(&value) && value.is_power_of_two(),
            Self::Kibibytes(low, high) => (low..=high).contains(&value) && value.is_multiple_of(KIB),
        }
    }

    /// The least of them from `needed` on.
    pub fn least(self, needed: u64) -> Option<u32> {
        let (low, high) = self.ends();
        let needed = u32::try_from(needed).ok()?.max(low);
        let least = match self {
            Self::Numbers(..) => needed,
            Self::Powers(..) => needed.checked_next_power_of_two()?,
            Self::Kibibytes(..) => needed.checked_next_multiple_of(KIB)?,
        };
        (least <= high).then_some(least)
    }

    /// Adds it to the schema of a number.
    fn refine(self, schema: &mut Value) {
        match self {
            Self::Numbers(low, high) | Self::Kibibytes(low, high) => {
                schema["minimum"] = json!(low);
                schema["maximum"] = json!(high);
                if matches!(self, Self::Kibibytes(..)) {
                    schema["multipleOf"] = json!(KIB);
                }
            }
            Self::Powers(low, high) => {
                let all = (0..32).map(|bit| 1u32 << bit).filter(|power| (low..=high).contains(power));
                schema["enum"] = all.collect();
            }
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(low, high) => write!(f, "{low} to {high}"),
            Self::Powers(low, high) => write!(f, "a power of two from {low} to {high}"),
            Self::Kibibytes(low, high) => write!(f, "a multiple of {KIB} from {low} to {high}"),
        }
    }
}

/// A parameter, as it is declared.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Key, with the tables around it: `core.warps`.
    pub path: String,
    /// Struct and field.
    pub field: (&'static str, &'static str),
    /// What it means.
    pub about: String,
    /// As a configuration writes it.
    pub default: String,
    /// Legal numbers, of a number.
    pub range: Option<Allowed>,
    /// Of the number; empty: it counts things.
    pub unit: &'static str,
    /// What it needs to have an effect: all of these.
    pub only: Vec<Condition>,
    /// The JSON schema of its type.
    pub schema: fn() -> Value,
}

/// A value that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// As a configuration writes it.
    pub name: String,
    /// What else it is called in the field.
    pub aliases: Vec<String>,
}

impl Parameter {
    /// It is true or false.
    pub fn is_switch(&self) -> bool {
        (self.schema)()["type"] == "boolean"
    }

    /// The names that it may have as a value, in order; none: it is no choice among names.
    pub fn names(&self) -> Vec<Named> {
        let schema = (self.schema)();
        let mut names = vec![];
        gather(&schema, &schema, &mut names);
        names
    }
}

/// The names in a part of a schema.
fn gather(part: &Value, whole: &Value, names: &mut Vec<Named>) {
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(String::from)).collect()
    };
    if let Some(name) = part["const"].as_str() {
        names.push(Named { name: name.into(), aliases: strings(&part["aliases"]) });
    }
    names.extend(strings(&part["enum"]).into_iter().map(|name| Named { name, aliases: vec![] }));
    if let Some(of) = part["$ref"].as_str().and_then(|path| whole.pointer(path.trim_start_matches('#'))) {
        gather(of, whole, names);
    }
    let several = ["oneOf", "anyOf"].into_iter().filter_map(|key| part[key].as_array());
    several.flatten().for_each(|one| gather(one, whole, names));
}

/// A number that its parameter may not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path} = {value}: allowed: {allowed}")]
pub struct OutOfRange {
    /// Key, with the tables around it.
    pub path: String,
    /// The number.
    pub value: u32,
    /// The range, with its unit.
    pub allowed: String,
}

/// A table of parameters, made by [`parameters!`](crate::parameters!).
pub trait Parameters {
    /// All parameters, in the order of their declaration; `prefix`: the tables around them, with a dot behind.
    fn describe(prefix: &str, all: &mut Vec<Parameter>);

    /// Every number in its range.
    fn check_ranges(&self, prefix: &str) -> Result<(), OutOfRange>;
}

/// Checks one number.
pub fn check(prefix: &str, field: &str, value: u32, range: Allowed, unit: &str) -> Result<(), OutOfRange> {
    if range.has(value) {
        return Ok(());
    }
    let space = if unit.is_empty() { "" } else { " " };
    Err(OutOfRange { path: format!("{prefix}{field}"), value, allowed: format!("{range}{space}{unit}") })
}

/// Adds conditions to parameters, before those that they have: what a table needs comes before what its parameters need. `prefix`: of the
/// table in which they are declared. No parameter needs itself. Where all others of a table need one of it, that one alone gets the
/// conditions: the others have no effect without it.
pub fn need(parameters: &mut [Parameter], prefix: &str, conditions: &[Condition]) {
    let conditions: Vec<_> = conditions.iter().map(|condition| condition.clone().inside(prefix)).collect();
    let is_about = |at: usize| conditions.iter().any(|condition| condition.is_about(&parameters[at].path));
    let switch = (0..parameters.len()).find(|&at| is_needed_by_others(at, parameters) && !is_about(at));
    let concerned = switch.map_or(0..parameters.len(), |at| at..at + 1);
    for parameter in &mut parameters[concerned] {
        let others = conditions.iter().filter(|condition| !condition.is_about(&parameter.path));
        parameter.only.splice(0..0, others.cloned());
    }
}

/// Adds a condition to the parameter at `path`, which another table declares; its keys have all tables around them.
///
/// # Panics
///
/// When there is no such parameter: the declaration is wrong.
pub fn need_of(parameters: &mut [Parameter], path: &str, condition: Condition) {
    let concerned = parameters.iter_mut().find(|parameter| parameter.path == path);
    concerned.unwrap_or_else(|| panic!("no parameter {path}")).only.push(condition);
}

fn is_needed_by_others(at: usize, parameters: &[Parameter]) -> bool {
    let mut others = parameters.iter().enumerate().filter(|(other, _)| *other != at);
    others.all(|(_, other)| other.only.iter().any(|condition| condition.needs(&parameters[at].path)))
}

/// The parameter of a configuration with this key.
pub fn find<T: Parameters>(path: &str) -> Option<Parameter> {
    let mut all = vec![];
    T::describe("", &mut all);
    all.into_iter().find(|parameter| parameter.path == path)
}

/// The JSON schema of a configuration, with the ranges of its numbers.
pub fn schema<T: Parameters + schemars::JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    let mut all = vec![];
    T::describe("", &mut all);
    let mut seen = HashSet::new();
    for Parameter { field: (table, field), range, only, .. } in all {
        // A table may be there more than once.
        if !seen.insert((table, field)) {
            continue;
        }
        let property = match schema.pointer_mut(&format!("/$defs/{table}/properties/{field}")) {
            Some(property) => property,
            None => &mut schema["properties"][field],
        };
        if let Some(range) = range {
            range.refine(property);
        }
        if !only.is_empty() {
            let about = property["description"].as_str().unwrap_or_default();
            let only = only.iter().map(Condition::declared).collect::<Vec<_>>().join("; and ");
            property["description"] = format!("{about}\n\nOnly with {only}.").into();
        }
    }
    schema
}

/// All parameters of a configuration as a page of documentation.
pub fn page<T: Parameters>(title: &str) -> String {
    let mut all = vec![];
    T::describe("", &mut all);
    let mut text = format!(
        "# {title}\n\n[command-line.md](command-line.md#which-chip) says how a configuration is written and changed.\n\n"
    );
    text += "| parameter | default | allowed | only with | meaning |\n|---|---|---|---|---|\n";
    for Parameter { path, about, default, range, unit, only, .. } in all {
        let allowed = range.map_or(String::new(), |range| format!("{range} {unit}"));
        let only = only.iter().map(Condition::to_string).collect::<Vec<_>>().join("; and ");
        text += &format!("| `{path}` | `{default}` | {} | {only} | {about} |\n", allowed.trim_end());
    }
    text
}
