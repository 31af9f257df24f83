//! Networks of all kinds under traffic, as measurements of a network alone have it (`warpmesh::open_loop`).

mod allocators;
mod curve;
mod fairness;
mod faults;
mod flit_writes;
mod graphs;
mod interface;
mod open_loop;
mod order;
mod organisations_in_lockstep;
mod overlay;
mod random_measurements;
mod random_networks;
mod ring;
mod routings;
mod split_queues;
mod topologies;
mod traffic_files;

use testkit::{campaign, interface_rig, matrix, network_rig, organisations, random_loads, uniform, watch};
