//! The whole chip: configuration, composition, block dispatcher, host driver.
//!
//! A TOML file and overrides become a [`ChipConfig`] ([`load`]), which is checked and becomes a [`Chip`] ([`validate`]).
//! [`dispatcher`] is the tile through which a host loads and starts kernels.

pub mod config;
pub mod dispatcher;
pub mod load;
pub mod validate;

pub use config::{ChipConfig, CoreConfig, MemoryConfig, NetworkConfig, Placement, Routing};
pub use dispatcher::{DispatcherParams, dispatcher};
pub use load::{ConfigError, EMBEDDED, Loaded, load, read};
pub use validate::{Chip, ChipError};
