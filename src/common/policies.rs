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

/// A kind of policy, made by [`policies!`](crate::policies!).
pub trait Policy: Copy + 'static {
    /// All that a configuration may name, in the order of their rows.
    const NAMED: &'static [Self];

    /// As in a configuration.
    fn name(self) -> &'static str;

    /// What else it is called in the field.
    fn aliases(self) -> &'static [&'static str];

    /// What it does, in a sentence.
    fn about(self) -> String;
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
        #[derive(
            Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema
        )]
        $vis enum $kind {
            $(#[doc = $first_about])+
            #[default]
            #[serde(rename = $first_name $($(, alias = $first_alias)+)?)]
            $(#[schemars(extend("aliases" = [$($first_alias),+]))])?
            $first,
            $(
                $(#[doc = $about])+
                #[serde(rename = $name $($(, alias = $alias)+)?)]
                $(#[schemars(extend("aliases" = [$($alias),+]))])?
                $row,
            )*
            $($($(#[doc = $more_about])+ #[serde(skip)] $more,)*)?
        }

        impl $kind {
            /// All that a configuration may name, in the order of their rows.
            pub const ALL: [Self; [$first_name, $($name),*].len()] = [Self::$first, $(Self::$row),*];

            /// What does the work.
            pub(crate) fn policy(self) -> &'static $policy {
                match self {
                    Self::$first => &$first_policy,
                    $(Self::$row => &$row_policy,)*
                    $($(Self::$more => &$more_policy,)*)?
                }
            }

            /// As in a configuration.
            pub fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_name,
                    $(Self::$row => $name,)*
                    $($(Self::$more => $more_name,)*)?
                }
            }

            /// What it does, in a sentence.
            pub fn about(self) -> String {
                let lines: &[&str] = match self {
                    Self::$first => &[$($first_about),+],
                    $(Self::$row => &[$($about),+],)*
                    $($(Self::$more => &[$($more_about),+],)*)?
                };
                lines.concat().trim().to_string()
            }
        }

        impl $crate::policies::Policy for $kind {
            const NAMED: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                Self::name(self)
            }

            fn aliases(self) -> &'static [&'static str] {
                match self {
                    Self::$first => &[$($($first_alias),+)?],
                    $(Self::$row => &[$($($alias),+)?],)*
                    $($(Self::$more => &[],)*)?
                }
            }

            fn about(self) -> String {
                Self::about(self)
            }
        }
    };
}
