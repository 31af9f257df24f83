//! Tests of the network (`src/noc`).

mod allocators;
mod alone;
mod choices;
mod curve;
mod deadlock;
mod injector;
mod interface;
#[path = "../support/matrix.rs"]
mod matrix;
mod mesh;
mod open_loop;
mod pipeline;
mod random_networks;
mod router;
mod support;
mod topologies;
mod traffic;
#[path = "../support/uniform.rs"]
mod uniform;
mod verilog;
mod watch;
