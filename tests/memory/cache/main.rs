//! The cache against executable models: a byte-accurate memory over random parameters and streams, a reference of hits
//! and victims, miss handling kinds against each other, and its Verilog.

// The package under test, by the name that others have for it.
extern crate warpmesh_cache as cache;

mod memory;
mod model;
mod reference;
mod verilog;

use rigs::cache_rig as rig;
use testkit_base::{campaign, matrix};
