//! The whole chip: configuration, composition, block dispatcher, host driver.
//!
//! A TOML file and overrides become a [`ChipConfig`] ([`mod@load`]), which is checked and becomes a [`Chip`] ([`validate`]).
//! [`build`](build()) composes tiles and wires into one module; [`mod@dispatcher`] is the tile through which a host loads and starts
//! kernels.
//!
//! Behavioural, for simulation only: [`host`] drives the host pins and holds the DRAM devices, [`ideal`] is a network without limits, [`run`](run()) takes a kernel from
//! launch to report, [`loading`] lists what the host writes, [`pins`] is what the host needs of a simulation, [`testbench`] writes the same host and devices in Verilog, [`waiting`] tells what the
//! warps of a stuck kernel wait for.

pub mod build;
pub mod config;
pub mod dispatcher;
pub mod host;
pub mod ideal;
pub mod load;
pub mod loading;
pub mod pins;
pub mod run;
pub mod testbench;
pub mod validate;
pub mod waiting;

pub use build::build;
pub use config::{ChipConfig, CoreConfig, MemoryConfig, NetworkConfig, NetworkModel};
pub use dispatcher::{DispatcherParams, dispatcher};
pub use host::{Host, HostError, Limits, Residency, residency};
pub use load::{ConfigError, EMBEDDED, Loaded, load, read};
pub use pins::Pins;
pub use run::{run, run_on};
pub use validate::{Chip, ChipError};
pub use waiting::WarpGroup;
