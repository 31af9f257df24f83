//! Netlists and how they are simulated: elaboration, bundles, operators, hierarchy, clock domains, waveforms, and all
//! engines and passes against each other and against the interpreter, on directed and on random netlists.

mod basics;
mod bit_sources;
mod blocks;
mod bundles;
#[path = "../support/campaign.rs"]
mod campaign;
mod clocks;
mod elaboration;
mod engine_matrix;
mod engines;
mod gates;
mod hierarchy;
#[path = "../support/matrix.rs"]
mod matrix;
#[path = "../support/netlist.rs"]
mod netlist;
mod operators;
mod passes;
mod random_netlists;
#[path = "../support/ring.rs"]
mod ring;
mod tiles;
mod waves;
