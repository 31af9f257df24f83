//! Plain rust-hdl blocks as modules: the same random stimulus in rust-hdl's simulator and in ours, every output every
//! cycle.
//!
//! [`lockstep`] is the bench, [`blocks`] tries the language with blocks of our own, [`widgets`] rust-hdl's library,
//! [`fixed`] the chip's own rust-hdl blocks, [`embedded`] the other way round, [`mistakes`] what cannot be imported,
//! [`verilog`] the export.

mod blocks;
mod embedded;
mod fixed;
mod lockstep;
mod mistakes;
mod verilog;
mod widgets;
