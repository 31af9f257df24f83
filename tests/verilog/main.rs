//! Exported Verilog: its text, its cleanness in three tools, its meaning in step with the simulation; drawn modules, blocks
//! and chips; `rtl-out/` as it is committed.

mod block_memories;
mod check;
mod chips;
mod export;
mod random_exports;
mod random_modules;
mod rtl_out;

use testkit::{campaign, exports, matrix, netlist};
