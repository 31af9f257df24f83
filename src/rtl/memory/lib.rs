//! Memory nodes: where an address lives, the DRAM controller, and the DRAM device behind its pins.
//!
//! A request packet comes from the network interface to the node's partition ([`mod@partition`], the tile), goes as a
//! transaction ([`protocol`]) into the controller's queue ([`mod@controller`]), is turned into DRAM commands under the
//! timing rules ([`timing`], one state machine per bank: [`blocks::fixed`], plain rust-hdl), and its reply
//! leaves through the network interface. The address map ([`map`]) is used by hardware (destination of a request, split
//! into row, bank and column) and by host code alike. The DRAM itself is off the chip: the host plays it in
//! simulations.

#![forbid(unsafe_code)]

pub mod atomic_unit;
pub mod controller;
pub mod crossing;
pub mod map;
pub mod packets;
pub mod partial_writes;
pub mod partition;
pub mod timing;

pub use atomic_unit::{AtomicUnitParams, atomic_unit};
pub use controller::{ChannelPins, ControllerParams, DramScheduler, ServiceParams, controller};
pub use crossing::memory_crossing;
pub use map::{AddressMap, AddressMapKind, Location, MapError, USUAL_LINE_BYTES};
pub use partial_writes::{PartialWrite, PartialWritesParams, partial_writes};
pub use partition::{L2Params, PartitionParams, partition};
pub use protocol::{self, WriteReply};
pub use timing::DramTiming;
