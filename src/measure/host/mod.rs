//! The host: takes a kernel from its launch to a report, on a simulated chip with DRAM devices behind its pins.
//!
//! [`run`](run()) does all of it. [`driver`] loads and starts the kernel through the host pins ([`loading`] lists what
//! it writes) and moves everything cycle by cycle over [`pins`], which a simulation has; [`memory_checks`] watches what
//! kernels do with memory, [`waiting`] tells what the warps of a stuck kernel wait for, [`issue_trace`] what they do in
//! each issue slot, [`monitor`] measures packet latency from outside, [`memory_path`] where reads spend their time.
//!
//! [`functional`] runs a launch without the chip.
//!
//! *Behavioural*, for simulation only: [`device`] is the DRAM off the chip, [`ideal`] a network without limits, `perfect` a memory without. [`testbench`] writes the
//! same host and devices in Verilog.

mod cache_use;
mod channel_pins;
mod clocks;
pub mod device;
pub mod driver;
mod error;
pub mod functional;
pub mod ideal;
pub mod issue_trace;
pub mod loading;
mod memory_checks;
pub mod memory_path;
mod memory_use;
pub mod monitor;
pub(crate) mod packet_ports;
mod perfect;
pub mod pins;
mod residency;
pub mod run;
pub mod saved;
pub mod testbench;
pub mod waiting;

pub use clocks::frequencies;
pub use device::{DramDevice, DramPins, TimingViolation};
pub use driver::{Host, Limits};
pub use error::HostError;
pub use functional::run_functional;
pub use issue_trace::IssueTrace;
pub(crate) use memory_checks::Checks;
pub use memory_checks::OutOfBoundsLine;
pub use monitor::LatencyMonitor;
pub use pins::Pins;
pub use residency::{Residency, residency};
pub use run::{run, run_on, run_with};
pub use waiting::WarpGroup;
