//! Values with names: states of a machine, kinds of commands, operation codes.
//!
//! [`values!`](crate::values!) declares them once, as constants for the block that compares with them, and together as
//! [`Values`] for [`name_values`](crate::Builder::name_values) or for a field of a bundle. The exported Verilog has
//! `localparam`s of these names, and waveforms show them.

use super::{bits::Bits, ids::NetId};

/// Names of the values of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Values {
    /// What they are of: `STATE`, the first part of each name in Verilog (`STATE_IDLE`).
    pub kind: &'static str,
    /// Names and values.
    pub names: &'static [(&'static str, u64)],
}

/// Names of the values of a net, or of some of its bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ValueNames {
    /// The net.
    pub net: NetId,
    /// The first of the bits.
    pub lo: u32,
    /// Bits.
    pub width: u32,
    /// The names.
    pub values: Values,
}

impl ValueNames {
    /// All names with their values.
    pub fn all(&self) -> impl Iterator<Item = (String, Bits)> {
        let Values { kind, names } = self.values;
        names.iter().map(move |(name, value)| (format!("{kind}_{name}"), Bits::new(self.width, *value)))
    }

    /// The name of a value, if it has one.
    pub fn name(&self, value: &Bits) -> Option<String> {
        self.all().find(|(_, of)| of == value).map(|(name, _)| name)
    }
}

/// Declares a module of constants, and `VALUES`, all of them.
///
/// ```
/// warpmesh_hdl::values! {
///     /// States of a machine.
///     pub mod state = "STATE" {
///         /// It waits.
///         IDLE = 0,
///         /// It works.
///         BUSY = 1,
///     }
/// }
/// assert_eq!((state::BUSY, state::VALUES.names[1].0), (1, "BUSY"));
/// ```
#[macro_export]
macro_rules! values {
    ($(#[$doc:meta])* $vis:vis mod $name:ident = $kind:literal { $($(#[$about:meta])* $NAME:ident = $value:expr,)+ }) => {
        $(#[$doc])*
        $vis mod $name {
            $($(#[$about])* pub const $NAME: u64 = $value;)+

            /// All of them.
            pub const VALUES: $crate::Values =
                $crate::Values { kind: $kind, names: &[$((stringify!($NAME), $NAME)),+] };
        }
    };
}
