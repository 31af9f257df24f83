//! The rows of the registry, by part of the chip.

mod common;
mod core;
mod memory;
mod noc;

use super::Block;

/// All blocks, in the order of their names.
pub fn blocks() -> Vec<&'static Block> {
    let mut all: Vec<_> = [core::BLOCKS, noc::BLOCKS, memory::BLOCKS, common::BLOCKS].concat();
    all.sort_by_key(|block| block.name);
    all
}
