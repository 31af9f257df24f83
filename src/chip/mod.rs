//! The whole chip: configuration, composition, block dispatcher, host driver.
//!
//! A TOML file and overrides become a [`ChipConfig`] ([`load`]), which is checked and becomes a [`Chip`] ([`validate`]).
//! [`build`](build()) composes tiles and wires into one module; [`dispatcher`] is the tile through which a host loads and starts
//! kernels.

pub mod build;
pub mod config;
pub mod dispatcher;
pub mod load;
pub mod validate;

pub use build::build;
pub use config::{ChipConfig, CoreConfig, MemoryConfig, NetworkConfig};
pub use dispatcher::{DispatcherParams, dispatcher};
pub use load::{ConfigError, EMBEDDED, Loaded, load, read};
pub use validate::{Chip, ChipError};
