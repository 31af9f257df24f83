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
                #[allow(unused_imports)]
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
