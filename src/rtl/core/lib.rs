//! The SIMT core: executes the instruction set of `docs/isa.md`, a warp of 32 threads in `32 / lanes` beats.
//!
//! Data enters as thread blocks from the dispatcher ([`block_control`]), goes as instructions from the instruction
//! memory ([`front_end`], with a context per [`warp`]) through [`operands`] and [`execute`] back into the registers,
//! and leaves as memory requests ([`memory`]). [`tile`] is the block diagram; [`CoreParams`] says what can be varied.
//!
//! * Front end: [`front_end`], [`scheduler`], [`throttle`], [`mod@locality`], [`decode`], [`warp`], [`scoreboard`], [`stack`], [`barrier`], [`block_control`].
//! * Datapath: [`operands`], [`register_file`], [`thread_index`], [`execute`], [`lane`], [`write_back`]; beside the lanes [`units`], each a [`mod@shared_unit`]; [`long_unit`].
//! * [`mod@prefetch`]: what the data cache should have soon.
//! * [`memory`]: loads, stores, shared memory, and the port to the network.
//! * [`issue_partitions`]: two issue slots, each with a front end and a datapath.
//! * [`ports`], [`results`]: what they hand to each other.

#![forbid(unsafe_code)]

pub mod barrier;
pub mod block_control;
pub mod block_distribution;
mod config;
pub mod decode;
pub mod execute;
pub mod front_end;
mod issue_partitions;
pub mod lane;
pub mod latency;
pub mod locality;
mod long_unit;
pub mod memory;
pub mod operands;
pub mod own_rows;
pub mod params;
pub mod ports;
pub mod prefetch;
pub mod register_file;
pub mod results;
mod rules;
pub mod scheduler;
pub mod scoreboard;
pub mod stack;
pub mod thread_index;
pub mod throttle;
pub mod tile;
pub mod units;
pub mod warp;
pub mod write_back;

pub use block_distribution::BlockDistribution;
pub use config::{Coalescing, CoreConfig, CoreParams, DoubleRate, IssueRule, MemoryOrder, SharedGroup};
pub use latency::{ClassCycles, Latencies, LatencyPreset};
pub use params::WARP;
pub use prefetch::{PrefetchConfig, Prefetcher, TrainingBlock, WrongStride};
pub use scheduler::{WarpGroup, WarpScheduler};
pub use throttle::{Throttle, ThrottleConfig};
pub use tile::core;
pub use units::{double_unit, shared_unit, special_unit};
