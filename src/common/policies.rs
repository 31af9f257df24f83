//! Policies that a configuration names: each is a row of a table and a file of its own.
//!
//! ```text
//! policies! {
//!     /// How an arbiter orders its requesters.
//!     pub enum ArbiterKind: dyn Arbitration {
//!         /// The requester after the last winner comes first.
//!         RoundRobin = "round-robin" => round_robin::RoundRobin,
//!         /// The least recently granted requester comes first.
//!         Matrix = "matrix" => matrix::Matrix,
//!     }
//! }
//! ```
//!
//! A row makes the variant, its name in configurations, in the schema and in `warpmesh list`, and joins it with the
//! value that does the work: `kind.policy()`, behind the trait that all policies of the table share. The first row is
//! the default. Rows after `} derived {` cannot be named in a configuration: they are what a named one becomes
//! elsewhere. A row may have other names of the field, which a configuration may use as well:
//! `Xy = "xy" | "dor" => ...`.
//!
//! Another crate adds a row of its own before it reads a configuration: `ArbiterKind::add(OwnPolicy { .. })`. It is
//! the variant `Own`, and whatever lists, checks or reads policies has it too ([`own`]). Parts that a design has or has
//! not, several at a time, are rows of an [`OpenTable`], those of other crates with [keys](own_keys) of their own.

pub mod open_table;
pub mod own;
pub mod own_keys;

pub use open_table::OpenTable;
pub use own::{Own, OwnPolicy, RowError};
pub use own_keys::{OwnKeys, OwnNames, OwnRows};

use schemars::Schema;
use serde::{
    Deserializer,
    de::{self, Expected, Visitor},
};
use serde_json::{Value, json};
use std::{fmt, marker::PhantomData};

/// A kind of policy, made by [`policies!`](crate::policies!).
pub trait Policy: Copy + 'static {
    /// All that a configuration may name: the rows of the table, then those that other crates have added.
    fn named() -> Vec<Self>;

    /// As in a configuration.
    fn name(self) -> &'static str;

    /// What else it is called in the field.
    fn aliases(self) -> &'static [&'static str];

    /// What it does, in a sentence.
    fn about(self) -> String;
}

/// All names of a policy, that of configurations first.
fn names<T: Policy>(policy: T) -> impl Iterator<Item = &'static str> {
    [policy.name()].into_iter().chain(policy.aliases().iter().copied())
}

/// The policy that a configuration names.
///
/// # Errors
/// When no policy has this name; the message has all names.
pub fn deserialize<'de, T: Policy, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(NameOf(PhantomData))
}

/// Reads the name of a policy.
struct NameOf<T>(PhantomData<T>);

impl<T: Policy> Visitor<'_> for NameOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = T::named().into_iter().flat_map(names).map(|name| format!("`{name}`")).collect();
        write!(f, "one of {}", known.join(", "))
    }

    fn visit_str<E: de::Error>(self, given: &str) -> Result<T, E> {
        let found = T::named().into_iter().find(|policy| names(*policy).any(|known| known == given));
        found.ok_or_else(|| {
            let known: &dyn Expected = &self;
            E::custom(format_args!("unknown variant `{given}`, expected {known}"))
        })
    }
}

/// The names of a table with their meanings.
pub fn schema<T: Policy>(about: &str) -> Schema {
    let row = |policy: T| {
        let mut row = json!({ "description": policy.about(), "type": "string", "const": policy.name() });
        if !policy.aliases().is_empty() {
            row["aliases"] = json!(policy.aliases());
        }
        row
    };
    let rows: Vec<Value> = T::named().into_iter().map(row).collect();
    json!({ "description": about, "oneOf": rows }).try_into().expect("an object")
}

/// Declares a kind of policy; see the [module documentation](self).
#[macro_export]
macro_rules! policies {
    (
        $(#[doc = $doc:literal])+
        $vis:vis enum $kind:ident: $policy:ty {
            $(#[doc = $first_about:literal])+
            $first:ident = $first_name:literal $(| $($first_alias:literal)|+)? => $first_policy:expr,
            $($(#[doc = $about:literal])+ $row:ident = $name:literal $(| $($alias:literal)|+)? => $row_policy:expr,)*
        } $(derived {
            $($(#[doc = $more_about:literal])+ $more:ident = $more_name:literal => $more_policy:expr,)*
        })?
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        $vis enum $kind {
            $(#[doc = $first_about])+
            #[default]
            $first,
            $($(#[doc = $about])+ $row,)*
            $($($(#[doc = $more_about])+ $more,)*)?
            /// A row that another crate has added.
            Own($crate::policies::Own<$policy>),
        }

        impl $kind {
            /// The rows of the table that a configuration may name, in their order.
            pub const ALL: [Self; [$first_name, $($name),*].len()] = [Self::$first, $(Self::$row),*];

            /// The rows that a configuration cannot name.
            pub(crate) const DERIVED: [Self; { let names: &[&str] = &[$($($more_name),*)?]; names.len() }] =
                [$($(Self::$more),*)?];

            fn own_rows() -> &'static $crate::policies::own::Rows<$policy> {
                static ROWS: $crate::policies::own::Rows<$policy> = $crate::policies::own::Rows::new();
                &ROWS
            }

            /// Adds a row; configurations that are read from now on may name it.
            ///
            /// # Errors
            /// When one of its names is no name, or a policy of this kind has it.
            pub fn add(row: $crate::policies::OwnPolicy<$policy>) -> Result<(), $crate::policies::RowError> {
                Self::own_rows().add::<Self>(stringify!($kind), &Self::DERIVED, row)
            }

            /// All that a configuration may name: [`Self::ALL`] and what has been added.
            pub fn named() -> Vec<Self> {
                Self::ALL.into_iter().chain(Self::own_rows().get().into_iter().map(Self::Own)).collect()
            }

            /// What does the work.
            pub fn policy(self) -> &'static $policy {
                match self {
                    Self::$first => &$first_policy,
                    $(Self::$row => &$row_policy,)*
                    $($(Self::$more => &$more_policy,)*)?
                    Self::Own(own) => own.row().policy,
                }
            }

            /// As in a configuration.
            pub fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_name,
                    $(Self::$row => $name,)*
                    $($(Self::$more => $more_name,)*)?
                    Self::Own(own) => own.row().name,
                }
            }

            /// What it does, in a sentence.
            pub fn about(self) -> String {
                let lines: &[&str] = match self {
                    Self::$first => &[$($first_about),+],
                    $(Self::$row => &[$($about),+],)*
                    $($(Self::$more => &[$($more_about),+],)*)?
                    Self::Own(own) => &[own.row().about],
                };
                lines.concat().trim().to_string()
            }
        }

        impl $crate::policies::Policy for $kind {
            fn named() -> Vec<Self> {
                Self::named()
            }

            fn name(self) -> &'static str {
                Self::name(self)
            }

            fn aliases(self) -> &'static [&'static str] {
                match self {
                    Self::$first => &[$($($first_alias),+)?],
                    $(Self::$row => &[$($($alias),+)?],)*
                    $($(Self::$more => &[],)*)?
                    Self::Own(own) => own.row().aliases,
                }
            }

            fn about(self) -> String {
                Self::about(self)
            }
        }

        /// The variant; of a row of another crate the name of its module.
        impl std::fmt::Debug for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    Self::$first => f.write_str(stringify!($first)),
                    $(Self::$row => f.write_str(stringify!($row)),)*
                    $($(Self::$more => f.write_str(stringify!($more)),)*)?
                    Self::Own(own) => own.fmt(f),
                }
            }
        }

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::policies::deserialize(deserializer)
            }
        }

        impl schemars::JsonSchema for $kind {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($kind).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::policies::schema::<Self>([$($doc),+].concat().trim())
            }
        }
    };
}
