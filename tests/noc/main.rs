//! Tests of the network (`src/rtl/noc`).

mod allocators;
mod alone;
mod choices;
mod clusters;
mod curve;
mod deadlock;
mod fairness;
mod faults;
mod flit_writes;
mod graphs;
mod injection_port;
mod injector;
mod interface;
mod mesh;
mod open_loop;
mod order;
mod organisations_in_lockstep;
mod overlay;
mod pipeline;
mod placements;
mod priority;
mod random_measurements;
mod random_networks;
mod ring;
mod router;
mod router_model;
mod routings;
mod split_queues;
mod support;
mod topologies;
mod traffic;
mod traffic_files;
mod verilog;
mod whole_packets;

use testkit::{campaign, matrix, organisations, random_loads, uniform, watch};
