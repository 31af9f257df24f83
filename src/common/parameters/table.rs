//! What makes a declaration a table of parameters.

/// Declares a table of [`Parameters`](crate::parameters::Parameters); see the [module](mod@crate::parameters). A field without a default is a
/// table of its own.
#[macro_export]
macro_rules! parameters {
    (
        $(#[doc = $about:literal])*
        $(#[switch($switch:expr)])?
        $(#[derive($($derive:ident),*)])?
        pub struct $Name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[serde($($serde:tt)*)])?
                $(#[only($only:expr)])*
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
                #[allow(unused_imports, reason = "few tables have all kinds of conditions")]
                use $crate::condition::{above, follows, is, one_of, other_than, policy};
                let _first = all.len();
                $(
                    let here = all.len();
                    $crate::parameters!(
                        @describe prefix, all, $Name, concat!($($doc),*), $field, $ty
                        $(, $default, [$($range($low, $high) $($unit)?)?])?
                    );
                    $crate::parameters::need(&mut all[here..], prefix, &[$($only),*]);
                )*
                $($crate::parameters::need(&mut all[_first..], prefix, &[$switch]);)?
            }

            fn check_ranges(&self, prefix: &str) -> Result<(), $crate::parameters::OutOfRange> {
                $($crate::parameters!(
                    @check self, prefix, $field $(, $default, [$($range($low, $high) $($unit)?)?])?
                );)*
                Ok(())
            }
        }
    };

    // Keys that several tables have: a struct with them alone, made from each table.
    (
        $(#[$($about:tt)*])*
        pub shared $Shared:ident $keys:tt
        $(
            $(#[$($attribute:tt)*])*
            pub struct $Name:ident $(($($CONSTANT:ident = $value:expr),*))? { $($own:tt)* }
        )+
    ) => {
        $crate::parameters!(@shared [$(#[$($about)*])*] $Shared $keys);
        $(
            $(impl $Name { $(const $CONSTANT: u32 = $value;)* })?
            $crate::parameters!(@with $keys [$(#[$($attribute)*])*] $Name { $($own)* });
            $crate::parameters!(@from $Shared $Name $keys);
        )+
    };

    (@with { $($keys:tt)* } [$($attributes:tt)*] $Name:ident { $($own:tt)* }) => {
        $crate::parameters! { $($attributes)* pub struct $Name { $($keys)* $($own)* } }
    };

    (@shared [$($about:tt)*] $Shared:ident {
        $($(#[doc = $doc:literal])* $(#[only($only:expr)])*
        $field:ident: $ty:ty $(= $default:expr $(, $range:ident($low:expr, $high:expr) $($unit:ident)?)?)?;)*
    }) => {
        $($about)*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $Shared {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }
    };

    (@from $Shared:ident $Name:ident {
        $($(#[doc = $doc:literal])* $(#[only($only:expr)])*
        $field:ident: $ty:ty $(= $default:expr $(, $range:ident($low:expr, $high:expr) $($unit:ident)?)?)?;)*
    }) => {
        impl From<&$Name> for $Shared {
            fn from(table: &$Name) -> Self {
                Self { $($field: table.$field),* }
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
            only: vec![],
            schema: || schemars::schema_for!($ty).to_value(),
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

#[cfg(test)]
mod tests {
    use crate::parameters::{Parameter, Parameters};

    crate::parameters! {
        /// What both have.
        pub shared Shared {
            /// Size.
            bytes: u32 = 0, range(0, Self::MOST);
            /// Ways.
            ways: u32 = Self::WAYS, range(1, 4);
        }

        /// Small.
        #[switch(above("bytes", 0))]
        pub struct Small(MOST = 8, WAYS = 1) {}

        /// Large.
        #[switch(above("bytes", 0))]
        pub struct Large(MOST = 64, WAYS = 2) {
            /// Its own.
            #[only(above("ways", 1))]
            own: bool = true;
        }
    }

    crate::parameters! {
        /// Both.
        pub struct Both {
            /// The kind.
            kind: u32 = 0, range(0, 1);
            /// Small.
            small: Small;
            /// Large.
            #[only(above("kind", 0))]
            large: Large;
        }
    }

    #[test]
    fn shared_keys_stand_before_the_own_ones_with_the_constants_of_the_table() {
        let mut all = vec![];
        Both::describe("", &mut all);
        let shown = |p: &Parameter| format!("{} = {}", p.path, p.default);
        let expected = ["kind = 0", "small.bytes = 0", "small.ways = 1", "large.bytes = 0", "large.ways = 2"];
        assert_eq!(all.iter().map(shown).collect::<Vec<_>>()[..5], expected);
        let both: Both = toml::from_str("small.bytes = 8\nlarge = { bytes = 64, own = false }").expect("legal");
        assert_eq!(Shared::from(&both.small), Shared { bytes: 8, ways: 1 });
        assert_eq!(Shared::from(&both.large), Shared { bytes: 64, ways: 2 });
        assert_eq!(both.check_ranges(""), Ok(()));
        let wrong: Both = toml::from_str("small.bytes = 64").expect("a number");
        assert_eq!(wrong.check_ranges("").expect_err("too large").path, "small.bytes");
    }

    #[test]
    fn what_a_table_needs_is_said_of_its_switch() {
        let mut all = vec![];
        Both::describe("", &mut all);
        let only = |p: &Parameter| p.only.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let large: Vec<_> = all.iter().filter(|p| p.path.starts_with("large.")).map(only).collect();
        assert_eq!(large, ["`kind` above 0", "`large.bytes` above 0", "`large.bytes` above 0, `large.ways` above 1"]);
    }
}
