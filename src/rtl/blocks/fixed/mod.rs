//! Blocks of fixed size, written as plain rust-hdl (`#[derive(LogicBlock)]`, `#[hdl_gen]`) and imported as modules.
//!
//! A word is 32 bits on this chip, so these need no parameters: [`alu32`] and [`compare32`] are a lane's integer unit,
//! [`dram_bank_state`] is the memory controller's view of a DRAM bank, [`locality_score()`] a warp scheduler's view of
//! the data cache. Each struct can also be placed in a rust-hdl design and run in rust-hdl's simulator;
//! `tests/simulation/rust_hdl/fixed.rs` compares that with ours.

mod alu;
mod dram_bank;
mod locality_score;

pub use alu::{Alu32, AluComparison, AluOperation, Compare32, PlacedAlu32, PlacedCompare32, alu32, compare32};
pub use dram_bank::{DramBank, PlacedDramBank, dram_bank_state};
pub use locality_score::{LocalityScore, ZERO_SCORE, locality_score};
