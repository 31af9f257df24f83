//! Netlists and how they are simulated: elaboration, bundles, operators, hierarchy, clock domains, waveforms, and all
//! engines and passes against each other and against the interpreter, on directed and on random netlists.

mod basics;
mod bit_sources;
mod blocks;
mod bundles;
mod clocks;
mod elaboration;
mod engine_matrix;
mod engines;
mod gates;
mod hierarchy;
mod operators;
mod passes;
mod random_netlists;
mod ring;
mod rust_hdl;
mod tiles;
mod waves;

use testkit::{campaign, matrix, netlist};
