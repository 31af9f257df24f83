//! The SIMT core against host semantics: hand-assembled programs run on the core with a memory model behind its packet port.

mod control;
mod kernels;
#[path = "../support/matrix.rs"]
mod matrix;
mod memory;
mod random;
mod rig;
mod verilog;
