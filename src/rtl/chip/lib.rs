//! The whole chip: configuration, composition, block dispatcher.
//!
//! A TOML file and overrides become a [`ChipConfig`] ([`mod@load`]), which is checked and becomes a [`Chip`]
//! ([`validate`]). [`build`](build()) composes tiles and wires into one module; [`mod@dispatcher`] is the tile through
//! which a host loads and starts kernels.

#![forbid(unsafe_code)]

pub mod build;
pub mod caches;
mod config;
mod cores;
pub mod dispatcher;
mod error;
mod facts;
mod injection;
mod kept_lines;
pub mod load;
mod memory_nodes;
mod shipped;
pub mod validate;
mod write_order;

pub use build::build;
pub use config::{
    CacheConfig, CachesConfig, ChipConfig, ClassChannels, ClocksConfig, GraphConfig, L1Config, L2Config, MemoryConfig,
    MemoryModel, NetworkConfig, NetworkModel, OverlayConfig, OverlayInjection, OverlayKind, ReadOnlyConfig,
    ReplyInjection, ReplyWrite, RingConfig,
};
pub use dispatcher::{DispatcherParams, dispatcher};
pub use error::ChipError;
pub use injection::InjectionBounds;
pub use load::{
    ConfigError, Loaded, RENAMED_KEYS, RENAMED_VALUES, Saturated, idle_keys, load, read, saturated_values, to_toml,
};
pub use shipped::{EMBEDDED, OF_PROGRAMS};
pub use validate::Chip;
