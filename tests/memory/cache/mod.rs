//! The cache against executable models: a byte-accurate memory over random parameters and streams, a reference of hits
//! and victims, miss handling kinds against each other, and its Verilog.

mod l1;
mod memory;
mod model;
mod reference;
mod verilog;

use testkit::{cache_rig as rig, matrix};
