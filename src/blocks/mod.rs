//! Building blocks: what routers, cores and memory controllers are made of. Each file is one block, a function from parameters
//! to a shared [`Module`](crate::hdl::Module); nothing here knows about networks or kernels.
//!
//! * [`select`]: lowest set bit, masks, encoders, multiplexers as plain functions on signals (they inline into their user), and
//!   the priority encoder and the one-hot multiplexer as blocks.
//! * [`arbiter`]: round-robin and matrix arbiters behind one interface; users call [`arbitrate`].
//! * [`fifo`], [`credit`], [`pipeline`]: storage and flow control between blocks.
//! * Tests: `tests/blocks.rs` (properties against executable models), `testbenches/` (traces).

pub mod arbiter;
pub mod credit;
pub mod fifo;
pub mod pipeline;
pub mod select;

pub use arbiter::{ArbiterKind, arbiter, arbitrate};
pub use credit::credit_counter;
pub use fifo::{FifoParams, fifo};
pub use pipeline::{pipeline_register, skid_register};
pub use select::*;
