//! Random configurations with a random key changed: either the chip is another one, or the program says why not. Shared
//! by `tests/chip/keys.rs` and `campaigns/config_keys.rs`.

mod change;
mod signature;

pub use change::{Outcome, change};
pub use signature::signature;
