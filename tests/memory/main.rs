//! The memory side: controller and partition against the device and against plain Rust ([`partition`], [`schedulers`]),
//! in step with their Verilog ([`lockstep`]), writes of a part of a line, atomic operations, and what threads may see of
//! each other's accesses ([`litmus`]).

mod atomics;
#[path = "../support/campaign.rs"]
mod campaign;
#[path = "../support/dram/mod.rs"]
mod dram;
mod litmus;
mod lockstep;
#[path = "../support/matrix.rs"]
mod matrix;
mod partial_writes;
mod partition;
#[path = "../support/random.rs"]
mod random;
mod schedulers;
