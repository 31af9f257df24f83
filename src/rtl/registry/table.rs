//! The rows of the registry, by part of the chip.

mod common;
mod core;
mod memory;
mod noc;

use super::BlockKind;

/// All blocks, in the order of their names.
pub fn blocks() -> Vec<&'static BlockKind> {
    let mut all: Vec<_> = [core::BLOCKS, noc::BLOCKS, memory::BLOCKS, common::BLOCKS].concat();
    all.sort_by_key(|block| block.name);
    all
}
