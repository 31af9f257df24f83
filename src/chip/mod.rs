//! The whole chip: configuration, composition, block dispatcher, host driver.
//!
//! A TOML file and overrides become a [`ChipConfig`] ([`mod@load`]), which is checked and becomes a [`Chip`] ([`validate`]).
//! [`build`](build()) composes tiles and wires into one module; [`mod@dispatcher`] is the tile through which a host loads and starts
//! kernels.
//!
//! Behavioural, for simulation only: [`host`] drives the host pins and holds the DRAM devices, [`ideal`] is a network without limits, [`run`](run()) takes a kernel from
//! launch to report, [`loading`] lists what the host writes, [`memory_checks`] watches what kernels do with memory, [`pins`] is what the
//! host needs of a simulation, [`testbench`] writes the same host and devices in Verilog, [`waiting`] tells what the
//! warps of a stuck kernel wait for.

pub mod build;
pub mod config;
pub mod dispatcher;
pub mod host;
mod host_error;
pub mod ideal;
pub mod load;
pub mod loading;
mod memory_checks;
pub mod pins;
pub mod run;
mod shipped;
pub mod testbench;
pub mod validate;
pub mod waiting;

pub use build::build;
pub use config::{ChipConfig, CoreConfig, MemoryConfig, NetworkConfig, NetworkModel};
pub use dispatcher::{DispatcherParams, dispatcher};
pub use host::{Host, Limits, Residency, residency};
pub use host_error::HostError;
pub use load::{ConfigError, Loaded, load, read};
pub use memory_checks::StrayLine;
pub use pins::Pins;
pub use run::{run, run_on, run_with};
pub use shipped::EMBEDDED;
pub use validate::{Chip, ChipError};
pub use waiting::WarpGroup;
