//! Building blocks: what routers, cores and memory controllers are made of. Each file is one block, a function from
//! parameters to a shared [`Module`](hdl::Module); nothing here knows about networks or kernels.
//!
//! * [`select`]: lowest set bit, masks, encoders, multiplexers as plain functions on signals (they inline into their user), and
//!   the priority encoder and the one-hot multiplexer as blocks.
//! * [`mod@arbiter`]: round-robin and matrix arbiters behind one interface; users call [`arbitrate`].
//! * [`mod@fifo`], [`credit`], [`pipeline`]: storage and flow control between blocks; [`crossing`] and
//!   [`mod@synchroniser`]: between clock domains.
//! * [`order`]: order of last use, behind the matrix arbiter and [`mod@lru`]. [`mod@cam`], [`mod@lfsr`].
//! * [`cuts`]: registers within arithmetic; [`mod@carry_save`]: products and long sums.
//! * [`multiply`] (integers) and [`float`] (single and double precision): arithmetic with native intrinsics.
//! * [`mod@atomic_alu`]: what atomics leave in memory.
//! * [`fixed`]: blocks of fixed size as plain rust-hdl: a lane's ALU, the state of a DRAM bank.
//! * Tests: `tests/blocks/` (properties against executable models), `testbenches/` (traces).

pub mod arbiter;
pub mod atomic_alu;
pub mod cam;
pub mod carry_save;
pub mod credit;
pub mod crossing;
pub mod cuts;
pub mod fifo;
pub mod fixed;
pub mod float;
mod intrinsic;
pub mod lfsr;
pub mod lru;
pub mod multiply;
pub mod order;
pub mod pipeline;
pub mod select;
pub mod synchroniser;

pub use arbiter::{Arbiter, ArbiterKind, Arbitration, arbiter, arbiter_of_sets, arbitrate, arbitrate_by, arbitrate_in};
pub use atomic_alu::{AtomicAlu, atomic_alu};
pub use cam::{Cam, cam};
pub use credit::{CreditCounter, credit_counter};
pub use crossing::{Crossing, CrossingParams, clock_crossing_fifo, cross, cross_inside};
pub use fifo::{Fifo, FifoParams, fifo};
pub use float::{
    FMA_CUTS, FROM_INTEGER_CUTS, Fma, Format, Fp32Add, Fp32Compare, Fp32MinMax, Fp32Mul, Fp32Special, Fp64Relation,
    FromInteger, PRECISION_CUTS, Precision, SPECIAL_CUTS, SPECIAL_FUNCTIONS, TO_INTEGER_CUTS, ToInteger, fp32_add,
    fp32_compare, fp32_fma, fp32_from_integer, fp32_min_max, fp32_mul, fp32_special, fp32_to_fp64, fp32_to_integer,
    fp64_fma, fp64_from_integer, fp64_relation, fp64_to_fp32, fp64_to_integer,
};
pub use lfsr::{Lfsr, lfsr, lfsr_taps};
pub use lru::{Lru, lru};
pub use multiply::{MULTIPLY_CUTS, Multiply32, multiply32};
pub use pipeline::{StreamRegister, pipeline_register, skid_register};
pub use select::*;
pub use synchroniser::{Synchroniser, synchroniser};
