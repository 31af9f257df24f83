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
                $(#[key($key:literal, $only_key:expr)])*
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
                    $($crate::parameters::need_of(
                        &mut all[here..],
                        &format!("{prefix}{}.{}", stringify!($field), $key),
                        $only_key,
                    );)*
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

    // Keys that several tables have: a struct with them alone, made from each table. Further keys, of those `with` them.
    (
        $(#[$($about:tt)*])*
        pub shared $Shared:ident $keys:tt
        $(#[$($more_about:tt)*])*
        pub shared more $More:ident $more_keys:tt
        $(
            $(#[$($attribute:tt)*])*
            pub struct $Name:ident $(($($CONSTANT:ident $(: $Type:ty)? = $value:expr),*))? $(with $With:ident)? { $($own:tt)* }
        )+
    ) => {
        $crate::parameters!(@shared [$(#[$($about)*])*] $Shared $keys);
        $crate::parameters!(@shared [$(#[$($more_about)*])*] $More $more_keys);
        $crate::parameters!(@tables $Shared $keys [$More $more_keys] $({
            [$(#[$($attribute)*])*] $Name [$($($CONSTANT [$($Type)?] $value;)*)?] [$($With)?] { $($own)* }
        })+);
    };
    (
        $(#[$($about:tt)*])*
        pub shared $Shared:ident $keys:tt
        $(
            $(#[$($attribute:tt)*])*
            pub struct $Name:ident $(($($CONSTANT:ident $(: $Type:ty)? = $value:expr),*))? $(with $With:ident)? { $($own:tt)* }
        )+
    ) => {
        $crate::parameters!(@shared [$(#[$($about)*])*] $Shared $keys);
        $crate::parameters!(@tables $Shared $keys [] $({
            [$(#[$($attribute)*])*] $Name [$($($CONSTANT [$($Type)?] $value;)*)?] [$($With)?] { $($own)* }
        })+);
    };
    (@tables $Shared:ident $keys:tt $more:tt $($table:tt)+) => {
        $($crate::parameters!(@table $Shared $keys $more $table);)+
    };
    (@table $Shared:ident $keys:tt $more:tt {
        $attributes:tt $Name:ident [$($CONSTANT:ident [$($Type:ty)?] $value:expr;)*] $with:tt $own:tt
    }) => {
        impl $Name {
            $(const $CONSTANT: $crate::parameters!(@constant $($Type)?) = $value;)*
        }
        $crate::parameters!(@with_more $keys $more $with $attributes $Name $own);
        $crate::parameters!(@from $Shared $Name $keys);
        $crate::parameters!(@from_more $more $with $Name);
    };
    (@constant) => { u32 };
    (@constant $Type:ty) => { $Type };
    (@with_more $keys:tt $more:tt [] $attributes:tt $Name:ident $own:tt) => {
        $crate::parameters!(@with $keys $attributes $Name $own);
    };
    (@with_more { $($keys:tt)* } [$More:ident { $($more:tt)* }] [$With:ident] $attributes:tt $Name:ident $own:tt) => {
        $crate::parameters!(@with { $($keys)* $($more)* } $attributes $Name $own);
    };
    (@from_more $more:tt [] $Name:ident) => {};
    (@from_more [$More:ident $more:tt] [$With:ident] $Name:ident) => {
        $crate::parameters!(@from $With $Name $more);
    };

    // Keys that a table and what is built of it have.
    (
        pub shared $keys:tt
        $(#[$($attribute:tt)*])*
        pub struct $Name:ident { $($own:tt)* }
        $(#[$($about:tt)*])*
        pub record $Record:ident { $($built:tt)* }
    ) => {
        $crate::parameters!(@with $keys [$(#[$($attribute)*])*] $Name { $($own)* });
        $crate::parameters!(@record $keys [$(#[$($about)*])*] $Name $Record { $($built)* });
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

    (@record {
        $($(#[doc = $doc:literal])* $(#[serde($($key_serde:tt)*)])? $(#[only($only:expr)])*
        $field:ident: $ty:ty $(= $default:expr $(, $range:ident($low:expr, $high:expr) $($unit:ident)?)?)?;)*
    } [$($about:tt)*] $Name:ident $Record:ident {
        $($(#[doc = $built_doc:literal])* $(#[serde($($serde:tt)*)])?
        $built:ident: $built_ty:ty = $built_default:expr
        $(, $built_range:ident($built_low:expr, $built_high:expr) $($built_unit:ident)?)?;)*
    }) => {
        $($about)*
        #[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
        pub struct $Record {
            $($(#[doc = $doc])* $(#[serde($($key_serde)*)])? pub $field: $ty,)*
            $($(#[doc = $built_doc])* $(#[serde($($serde)*)])? pub $built: $built_ty,)*
        }

        impl Default for $Record {
            fn default() -> Self {
                Self {
                    $($field: $crate::parameters!(@default $ty $(, $default)?),)*
                    $($built: $built_default,)*
                }
            }
        }

        /// What the table says; the rest as by default.
        impl From<&$Name> for $Record {
            fn from(table: &$Name) -> Self {
                Self { $($field: table.$field.clone(),)* $($built: $built_default,)* }
            }
        }

        impl $Record {
            /// Every number in its range; `prefix`: the tables around them, with a dot behind.
            pub fn check_ranges(&self, prefix: &str) -> Result<(), $crate::parameters::OutOfRange> {
                use $crate::parameters::Parameters;
                $($crate::parameters!(
                    @check self, prefix, $field $(, $default, [$($range($low, $high) $($unit)?)?])?
                );)*
                $($crate::parameters!(
                    @check self, prefix, $built, $built_default,
                    [$($built_range($built_low, $built_high) $($built_unit)?)?]
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

    crate::parameters! {
        pub shared {
            /// Rooms.
            rooms: u32 = 2, range(1, 4);
            /// One of them.
            small: Small;
        }

        /// A house, as it is ordered.
        pub struct Order {
            /// How it is paid.
            rate: u32 = 3, range(1, 9);
        }

        /// A house.
        pub record House {
            /// Its doors.
            doors: u32 = 1, range(1, 2);
            /// Its street.
            #[serde(skip)]
            street: String = "Main".into();
        }
    }

    crate::parameters! {
        /// A town.
        pub struct Town {
            /// Streets.
            streets: u32 = 1, range(0, 9);
            /// Its houses.
            #[key("rate", above("streets", 0))]
            order: Order;
        }
    }

    #[test]
    fn a_record_has_what_its_table_says_and_the_ranges_of_both() {
        let order = Order { rooms: 3, rate: 9, ..Order::default() };
        let house = House::from(&order);
        assert_eq!(house, House { rooms: 3, ..House::default() });
        assert_eq!((house.doors, house.street.as_str(), house.check_ranges("house.")), (1, "Main", Ok(())));
        let wrong = |house: House| house.check_ranges("house.").expect_err("out of range").to_string();
        assert_eq!(wrong(House { doors: 3, ..house.clone() }), "house.doors = 3: allowed: 1 to 2");
        assert_eq!(wrong(House { rooms: 0, ..house }), "house.rooms = 0: allowed: 1 to 4");
        assert_eq!(
            serde_json::to_string(&House::from(&order)).expect("plain"),
            r#"{"rooms":3,"small":{"bytes":0,"ways":1},"doors":1}"#
        );
    }

    #[test]
    fn one_key_of_a_table_can_need_more_than_the_others() {
        let mut all = vec![];
        Town::describe("", &mut all);
        let needs: Vec<_> =
            all.iter().filter(|p| !p.only.is_empty()).map(|p| format!("{} {}", p.path, p.only[0])).collect();
        assert!(needs.contains(&"order.rate `streets` above 0".to_string()), "{needs:?}");
        assert!(!needs.iter().any(|need| need.starts_with("order.rooms")), "{needs:?}");
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
