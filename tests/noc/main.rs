//! Blocks of the network (`src/rtl/noc`), alone and in meshes; networks under measured traffic: `networks`.

// The package under test, by the name that others have for it.
extern crate warpmesh_noc as noc;

mod alone;
mod choices;
mod clusters;
mod deadlock;
mod injection_port;
mod injector;
mod mesh;
mod pipeline;
mod placements;
mod priority;
mod router;
mod router_model;
mod traffic;
mod verilog;
mod whole_packets;

use rigs::network_rig as support;
use testkit_base::{campaign, matrix};
