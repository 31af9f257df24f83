//! Exported Verilog: its text, its cleanness in three tools, its meaning in step with the simulation; drawn modules, blocks
//! and chips; `rtl-out/` as it is committed.

mod block_memories;
#[path = "../support/campaign.rs"]
mod campaign;
mod check;
mod chips;
mod export;
#[path = "../support/exports/mod.rs"]
mod exports;
#[path = "../support/matrix.rs"]
mod matrix;
#[path = "../support/netlist.rs"]
mod netlist;
mod random_exports;
mod random_modules;
mod rtl_out;
