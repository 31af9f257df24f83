//! Hardware description with parameters at run time.
//!
//! A block is a Rust function that takes parameters, records ports, wires, registers, memories, instances and
//! statements in a [`Builder`], and returns a shared [`Module`]. Equal descriptions give the same `Module`. Nothing
//! panics on a wrong description: mistakes are kept in the module and reported, with their hierarchical path, by
//! `netlist::elaborate`.
//!
//! Data flow: a block function → [`Builder`] (records [`Stmt`]s and hash-consed [`Expr`]s) → [`Builder::finish`]
//! (lowers the statements to one driver per net, in [`lower`]) → [`Module`] → `netlist` (checks over the hierarchy),
//! `sim`, `verilog`.
//!
//! Plain rust-hdl blocks become `Module`s by `rusthdl::import`, and a `Module` is placed in a rust-hdl design by
//! `embed::rust_hdl_block!`.
//!
//! Every module has an implicit clock and an implicit synchronous reset; [`ModuleDef::stateful`] says whether it needs
//! them. It may have further clock domains, declared by [`Builder::domain`], each with a clock and a reset of its own.

#![forbid(unsafe_code)]

mod bits;
mod builder;
mod bundle;
mod def;
mod equal;
mod handshake;
mod ids;
mod layout;
mod lower;
mod names;
mod observe;
mod operators;
mod parameters;
mod ports;
pub mod random;
mod share;
mod signal;
mod source;
mod statistic;
mod tap;
mod values;

pub use bits::{Bits, index_width, words_for};
pub use builder::{Builder, Child, ClockDomain, Memory as MemoryHandle};
pub use bundle::{Always, Bundle, Slot};
pub use def::*;
pub use equal::with_equals;
pub use handshake::{Answer, Consumer, Credit, Granted, Handshake, Inlet, Outlet, Producer, Ready, Taken};
pub use ids::{DomainId, ExprId, InstanceId, MemId, NetId};
pub use layout::{Field, Layout, PortGroup};
pub use names::PortName;
pub use operators::{is_operator_net, with_operator_nets};
pub use parameters::Parameters;
pub use ports::{DeclaredPort, LATER, Later, Shown, plain_text};
pub use signal::{Operand, Signal, concat, mux, priority_mux, row, select};
pub use source::Source;
pub use statistic::{Statistic, StatisticName};
pub use tap::Tap;
pub use values::{ValueNames, Values};

/// [`Parameters`] of a block: `params! { ports: 5, vcs; stages }` is called after its ports and virtual channels, and by a digest of what is
/// behind the semicolon. Values are what can be serialised; lists and structs before the semicolon are in the digest, too. `false`, `None`
/// and empty lists are left out.
#[macro_export]
macro_rules! params {
    ($($key:ident $(: $value:expr)?),* $(,)? $(; $($other:ident $(: $of_other:expr)?),+ $(,)?)?) => {
        $crate::Parameters::default()
            $(.with(stringify!($key), &$crate::params!(@value $key $($value)?)))*
            $($(.beside(stringify!($other), &$crate::params!(@value $other $($of_other)?)))+)?
    };
    (@value $key:ident) => { $key };
    (@value $key:ident $value:expr) => { $value };
}
