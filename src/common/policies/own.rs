//! Rows that other crates add to the tables of policies.

use super::{Policy, names};
use crate::names::same;
use std::{
    error::Error,
    fmt,
    hash::{Hash, Hasher},
    sync::{PoisonError, RwLock},
};

/// A row of another crate.
pub struct OwnPolicy<P: ?Sized + 'static> {
    /// As in a configuration; lower case with hyphens, as those of the table.
    pub name: &'static str,
    /// What else it is called.
    pub aliases: &'static [&'static str],
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What does the work.
    pub policy: &'static P,
}

/// A row that has been added; equal to another one when the names are.
pub struct Own<P: ?Sized + 'static>(&'static OwnPolicy<P>);

impl<P: ?Sized> Own<P> {
    /// The row.
    pub fn row(self) -> &'static OwnPolicy<P> {
        self.0
    }
}

// Derived implementations would ask the same of `P`.
impl<P: ?Sized> Clone for Own<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for Own<P> {}

impl<P: ?Sized> PartialEq for Own<P> {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl<P: ?Sized> Eq for Own<P> {}

impl<P: ?Sized> Hash for Own<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl<P: ?Sized> fmt::Debug for Own<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name.replace('-', "_"))
    }
}

/// Rows that have been added to a table.
pub struct Rows<P: ?Sized + 'static>(RwLock<Vec<&'static OwnPolicy<P>>>);

impl<P: ?Sized> Rows<P> {
    /// None.
    pub const fn new() -> Self {
        Self(RwLock::new(vec![]))
    }

    /// In the order in which they were added.
    pub fn get(&self) -> Vec<Own<P>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).iter().map(|row| Own(row)).collect()
    }

    /// Adds a row to the table `T`, called `table` in messages, whose names and those of `derived` ones are taken.
    ///
    /// # Errors
    /// When one of its names is, or cannot be a name.
    pub fn add<T: Policy>(&self, table: &'static str, derived: &[T], row: OwnPolicy<P>) -> Result<(), RowError> {
        let taken: Vec<_> = T::named().into_iter().chain(derived.iter().copied()).flat_map(names).collect();
        for name in [row.name].into_iter().chain(row.aliases.iter().copied()) {
            if !is_name(name) {
                return Err(RowError::NoName { table, name });
            }
            if taken.iter().any(|other| same(name, other)) {
                return Err(RowError::Taken { table, name });
            }
        }
        // A table lives as long as the program.
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(Box::leak(Box::new(row)));
        Ok(())
    }
}

impl<P: ?Sized> Default for Rows<P> {
    fn default() -> Self {
        Self::new()
    }
}

/// Why a row is not added.
#[derive(Clone, PartialEq, Eq)]
pub enum RowError {
    /// Another row has this name.
    Taken {
        /// The kind of policy.
        table: &'static str,
        /// The name.
        name: &'static str,
    },
    /// It would not do in a configuration and in Verilog.
    NoName {
        /// The kind of policy.
        table: &'static str,
        /// What was given.
        name: &'static str,
    },
    /// It would not do as a key of a configuration and in Verilog.
    NoKey {
        /// The kind of row.
        table: &'static str,
        /// What was given.
        name: &'static str,
    },
    /// The table has been looked at: what has its rows would not have this one.
    TooLate {
        /// The kind of row.
        table: &'static str,
        /// The row.
        name: &'static str,
    },
    /// It does not go with the rows that there are.
    Refused {
        /// The kind of row.
        table: &'static str,
        /// The row.
        name: &'static str,
        /// What is wrong, and what is allowed.
        why: String,
    },
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken { table, name } => {
                write!(f, "{table} has a row `{name}` already; allowed: a name that no other row has")
            }
            Self::NoName { table, name } => {
                write!(f, "{table}: name `{name}`; allowed: lower-case letters, digits and hyphens, first a letter")
            }
            Self::NoKey { table, name } => {
                write!(f, "{table}: name `{name}`; allowed: lower-case letters, digits and underscores, first a letter")
            }
            Self::TooLate { table, name } => {
                write!(
                    f,
                    "{table} `{name}` comes too late; allowed: before anything reads a configuration or builds a chip"
                )
            }
            Self::Refused { table, name, why } => write!(f, "{table} `{name}`: {why}"),
        }
    }
}

/// As a `main` that returns it prints it.
impl fmt::Debug for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for RowError {}

/// Can it be in a configuration, and as a part of a name in Verilog?
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    trait Size: Sync {
        fn size(&self) -> u32;
    }

    struct Fixed(u32);

    impl Size for Fixed {
        fn size(&self) -> u32 {
            self.0
        }
    }

    crate::policies! {
        /// Sizes.
        enum SizeKind: dyn Size {
            /// One.
            Small = "small" | "tiny" => Fixed(1),
            /// Two.
            Large = "large" => Fixed(2),
        } derived {
            /// Three.
            Huge = "huge" => Fixed(3),
        }
    }

    fn row(name: &'static str, aliases: &'static [&'static str]) -> OwnPolicy<dyn Size> {
        OwnPolicy { name, aliases, about: "Of a test.", policy: &Fixed(10) }
    }

    /// In one test: the table is one of the process.
    #[test]
    fn a_row_of_another_crate_is_read_written_and_listed_like_any_other() {
        let read = |name: &str| serde_json::from_value::<SizeKind>(name.into());
        let unknown = read("mine").expect_err("not there yet").to_string();
        assert_eq!(unknown, "unknown variant `mine`, expected one of `small`, `tiny`, `large`");
        SizeKind::add(row("mine", &["own"])).expect("a new name");
        let mine = read("mine").expect("there now");
        assert_eq!((mine.name(), mine.policy().size()), ("mine", 10));
        assert_eq!(read("own").expect("its alias"), mine);
        assert_ne!(mine, SizeKind::Large);
        assert_eq!(SizeKind::Huge.policy().size(), 3);
        assert!(read("huge").is_err(), "a derived row is not named in configurations");
        assert_eq!(serde_json::to_value(mine).expect("a name"), "mine");
        assert_eq!(SizeKind::named(), [SizeKind::Small, SizeKind::Large, mine]);
        let schema = schemars::schema_for!(SizeKind);
        let rows = schema.as_value()["oneOf"].as_array().expect("rows");
        assert!(rows.iter().any(|row| row["const"] == "mine"));

        for (name, aliases) in [("mine", vec!["small"]), ("own", vec!["tiny"]), ("huge", vec!["Mine"])] {
            let aliases: &'static [&'static str] = aliases.leak();
            assert!(matches!(SizeKind::add(row(name, &[])), Err(RowError::Taken { .. })), "{name}");
            assert!(SizeKind::add(row("other", aliases)).is_err(), "{aliases:?}");
        }
        for name in ["", "Mine", "my_own", "2", "-a"] {
            assert!(matches!(SizeKind::add(row(name, &[])), Err(RowError::NoName { .. })), "{name}");
        }
        assert_eq!(SizeKind::named().len(), 3);
    }
}
