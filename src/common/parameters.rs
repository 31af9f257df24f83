//! Parameters of configurations, each declared once: name, type, default, range, unit and meaning. Defaults, checks, error messages, the JSON
//! schema and `docs/configuration.md` all come from the declaration.
//!
//! ```text
//! parameters! {
//!     /// A SIMT core.
//!     pub struct CoreConfig {
//!         /// Resident warps.
//!         warps: u32 = 8, powers(2, 32);
//!         /// Shared memory.
//!         shared_bytes: u32 = 16 * 1024, powers(1024, 65_536) bytes;
//!         /// Routing algorithm.
//!         routing: Routing = Routing::Xy;
//!         /// A table of its own.
//!         timing: DramTiming;
//!     }
//! }
//! ```

use serde_json::{Value, json};
use std::fmt;

/// Numbers that a parameter may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// From the first to the last.
    Numbers(u32, u32),
    /// The powers of two from the first to the last.
    Powers(u32, u32),
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

    /// The least and the greatest.
    pub const fn ends(self) -> (u32, u32) {
        match self {
            Self::Numbers(low, high) | Self::Powers(low, high) => (low, high),
        }
    }

    /// Is `value` one of them?
    pub fn has(self, value: u32) -> bool {
        match self {
            Self::Numbers(low, high) => (low..=high).contains(&value),
            Self::Powers(low, high) => (low..=high).contains(&value) && value.is_power_of_two(),
        }
    }

    /// The least of them from `needed` on.
    pub fn least(self, needed: u64) -> Option<u32> {
        let (low, high) = self.ends();
        let needed = u32::try_from(needed).ok()?.max(low);
        let least = if matches!(self, Self::Powers(..)) { needed.checked_next_power_of_two()? } else { needed };
        (least <= high).then_some(least)
    }

    /// Adds it to the schema of a number.
    fn refine(self, schema: &mut Value) {
        match self {
            Self::Numbers(low, high) => {
                schema["minimum"] = json!(low);
                schema["maximum"] = json!(high);
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
    for Parameter { field: (table, field), range, .. } in all {
        let Some(range) = range else { continue };
        let table = match schema.pointer_mut(&format!("/$defs/{table}/properties/{field}")) {
            Some(property) => property,
            None => &mut schema["properties"][field],
        };
        range.refine(table);
    }
    schema
}

/// All parameters of a configuration as a page of documentation.
pub fn page<T: Parameters>(title: &str) -> String {
    let mut all = vec![];
    T::describe("", &mut all);
    let mut text =
        format!("# {title}\n\nWritten by `warpmesh schema --markdown`; a test holds it equal to the program.\n\n");
    text += "| parameter | default | allowed | meaning |\n|---|---|---|---|\n";
    for Parameter { path, about, default, range, unit, .. } in all {
        let allowed = range.map_or(String::new(), |range| format!("{range} {unit}"));
        text += &format!("| `{path}` | `{default}` | {} | {about} |\n", allowed.trim_end());
    }
    text
}

/// Declares a table of [`Parameters`]; see the module. A field without a default is a table of its own.
#[macro_export]
macro_rules! parameters {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        pub struct $Name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[serde($($serde:tt)*)])?
                $field:ident: $ty:ty $(= $default:expr $(, $range:ident($low:expr, $high:expr) $($unit:ident)?)?)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema $($(, $derive)*)?)]
        #[serde(default, deny_unknown_fields)]
        pub struct $Name {
            $(
                $(#[doc = $doc])*
                $(#[serde($($serde)*)])?
                pub $field: $ty,
            )*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($field: $crate::parameters!(@default $ty $(, $default)?),)* }
            }
        }

        impl $crate::parameters::Parameters for $Name {
            fn describe(prefix: &str, all: &mut Vec<$crate::parameters::Parameter>) {
                $($crate::parameters!(
                    @describe prefix, all, $Name, concat!($($doc),*), $field, $ty
                    $(, $default, [$($range($low, $high) $($unit)?)?])?
                );)*
            }

            fn check_ranges(&self, prefix: &str) -> Result<(), $crate::parameters::OutOfRange> {
                $($crate::parameters!(
                    @check self, prefix, $field $(, $default, [$($range($low, $high) $($unit)?)?])?
                );)*
                Ok(())
            }
        }
    };

    (@default $ty:ty) => { <$ty>::default() };
    (@default $ty:ty, $default:expr) => { $default };

    (@describe $prefix:ident, $all:ident, $Name:ident, $about:expr, $field:ident, $ty:ty) => {
        <$ty as $crate::parameters::Parameters>::describe(&format!("{}{}.", $prefix, stringify!($field)), $all);
    };
    (@describe $prefix:ident, $all:ident, $Name:ident, $about:expr, $field:ident, $ty:ty, $default:expr,
        [$($range:ident($low:expr, $high:expr) $($unit:ident)?)?]
    ) => {
        let default: $ty = $default;
        $all.push($crate::parameters::Parameter {
            path: format!("{}{}", $prefix, stringify!($field)),
            field: (stringify!($Name), stringify!($field)),
            about: $about.trim().to_string(),
            default: toml::Value::try_from(&default).map_or(String::new(), |value| value.to_string()),
            range: [$($crate::parameters::Allowed::$range($low, $high))?].into_iter().next(),
            unit: concat!($($(stringify!($unit))?)?),
        });
    };

    (@check $self:ident, $prefix:ident, $field:ident) => {
        $self.$field.check_ranges(&format!("{}{}.", $prefix, stringify!($field)))?;
    };
    (@check $self:ident, $prefix:ident, $field:ident, $default:expr, []) => {};
    (@check $self:ident, $prefix:ident, $field:ident, $default:expr,
        [$range:ident($low:expr, $high:expr) $($unit:ident)?]
    ) => {
        let range = $crate::parameters::Allowed::$range($low, $high);
        $crate::parameters::check($prefix, stringify!($field), $self.$field, range, concat!($(stringify!($unit))?))?;
    };
}
