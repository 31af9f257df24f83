//! The memory side: controller and partition against the device and against plain Rust ([`partition`], [`schedulers`]),
//! in step with their Verilog ([`lockstep`]), writes of a part of a line, atomic operations, and what threads may see of
//! each other's accesses ([`litmus`]).

mod atomics;
mod litmus;
mod lockstep;
mod partial_writes;
mod partition;
mod schedulers;

use testkit::{campaign, dram, matrix};
