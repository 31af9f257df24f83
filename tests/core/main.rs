//! The SIMT core against host semantics: hand-assembled programs run on the core with a memory model behind its packet port.

mod cache_conscious;
mod constants;
mod control;
#[path = "../support/cuda/mod.rs"]
mod cuda;
mod kernels;
mod latencies;
#[path = "../support/matrix.rs"]
mod matrix;
mod memory;
mod merge;
mod port;
mod prefetch;
mod random;
mod rig;
mod scheduler;
mod shapes;
mod slots;
mod throttle;
mod toy_figures;
mod verilog;
