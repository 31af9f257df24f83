//! Open loop: a network alone, loaded with traffic that does not wait for it, and measured.
//!
//! Data flow of construction: [`FabricParams`](rtl::noc::FabricParams) and [`Traffic`] → [`OpenLoopParams`] (who talks
//! to whom, sizes of a flit) → [`build`] (routers and one [`injector`](mod@rtl::noc::injector) a node, as hardware;
//! pins).
//!
//! Data flow of a cycle: [`source`] (births, infinite source queues) → pins → hardware → pins → [`sink`] (checks every
//! flit, gives credits back, has packets answered) → [`order`] (checks that packets keep their order where the network
//! promises it) → [`statistics`], [`steadiness`]. Packets on their way are in [`flight`].
//!
//! `run` is the cycle. [`mod@bench`] takes one load through warm-up, measurement and drain to a verdict, [`mod@sweep`]
//! many loads, to the knee. [`pattern`] says who sends to whom, [`traffic`] what, [`births`] when. A [`matrix`] of
//! rates or a [`trace`] of packets comes from a file ([`table`]).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, chapter 23. Latency is
//! counted from the creation of a packet, waiting in the source included, to the cycle in which its tail is on the
//! ejection channel: without other traffic `2 + 5 x routers + flits - 1` cycles with four-stage routers
//! ([`mod@zero_load`]).
//!
//! Sources, sinks and their queues are *behavioural*; the report tells their share of the time. Tests:
//! `tests/noc/networks/open_loop.rs`.

pub mod bench;
pub mod births;
pub mod build;
mod error;
pub mod flight;
pub mod matrix;
pub mod order;
pub mod pattern;
mod phases;
pub mod pins;
mod run;
pub mod shortest_paths;
pub mod sink;
pub mod source;
pub mod statistics;
pub mod steadiness;
pub mod sweep;
pub mod table;
pub mod trace;
pub mod traffic;
pub mod zero_load;

pub use bench::Bench;
pub use births::Burst;
pub use build::{OpenLoopParams, open_loop};
pub use error::{OpenLoopError, TrafficError};
pub use matrix::RateMatrix;
pub use pattern::{Destination, Pattern};
pub use phases::Phases;
pub use shortest_paths::zero_load;
pub use sweep::{Knee, LoadSetting, Sweep, SweepProgress, series, sweep};
pub use table::TableError;
pub use trace::{Delivery, Trace};
pub use traffic::{Sizes, Traffic, Transaction};
pub use zero_load::ZeroLoad;
