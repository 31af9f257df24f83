//! The whole chip: configuration, composition, block dispatcher, host driver.

pub mod dispatcher;

pub use dispatcher::{DispatcherParams, dispatcher};
