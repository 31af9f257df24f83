//! What the result of a launch depends on, as a part of a key.

use common::cache::Key;
use program::Launch;

/// The key together with code, constants and the contents of all buffers; shape, arguments and addresses are the caller's.
pub fn with_launch(key: Key, launch: &Launch) -> Key {
    let mut kernel = launch.kernel.clone();
    // Lines are for messages; the contents of constants are longer as text.
    kernel.source = None;
    let constants = std::mem::take(&mut kernel.constants);
    let mut key = key.with(format!("{kernel:?}"));
    for constant in &constants {
        key = key.with((&constant.name, constant.address, &constant.data));
    }
    for buffer in &launch.buffers {
        key = key.with(&buffer.data);
    }
    key
}
