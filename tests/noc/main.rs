//! Tests of the network (`src/noc`).

mod alone;
mod interface;
mod mesh;
mod router;
mod support;
mod verilog;
