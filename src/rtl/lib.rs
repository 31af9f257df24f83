//! The hardware: every block of the chip, written once, and the chip composed of them.
//!
//! [`blocks`] are what every part is made of (queues, arbiters, arithmetic); [`noc`] is the network, [`memory`] the nodes at its
//! ends with a DRAM channel, [`core`] the nodes with warps; [`chip`] reads a configuration, checks it, and puts them together.
//! Nothing here simulates, prints or measures.

pub mod blocks;
pub mod chip;
pub mod core;
pub mod memory;
pub mod noc;
