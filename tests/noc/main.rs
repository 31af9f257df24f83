//! Tests of the network (`src/rtl/noc`).

mod allocators;
mod alone;
#[path = "../support/campaign.rs"]
mod campaign;
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
#[path = "../support/matrix.rs"]
mod matrix;
mod mesh;
mod open_loop;
mod order;
#[path = "../support/organisations.rs"]
mod organisations;
mod organisations_in_lockstep;
mod overlay;
mod pipeline;
mod placements;
mod priority;
#[path = "../support/random_loads.rs"]
mod random_loads;
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
#[path = "../support/uniform.rs"]
mod uniform;
mod verilog;
#[path = "../support/watch.rs"]
mod watch;
mod whole_packets;
