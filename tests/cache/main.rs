//! The cache against executable models: a byte-accurate memory over random parameters and streams, a reference of hits
//! and victims, miss handling kinds against each other, and its Verilog.

mod l1;
#[path = "../support/matrix.rs"]
mod matrix;
mod memory;
mod model;
mod reference;
mod rig;
mod verilog;
