//! Tests of the network (`src/noc`).

mod alone;
mod curve;
mod interface;
mod mesh;
mod router;
mod support;
mod traffic;
mod verilog;
