//! Intra-clustering: memory nodes joined by a nanophotonic ring, each core in the cluster of a memory node near it.
//!
//! ```text
//!  core -> ring_interface --XY--> hub of its host --ring channel of the destination--> hub --> memory controller      requests
//!  core <- ring_interface <--XY-- hub of its host <--ring channel of that host-------- hub <-- memory controller      replies
//! ```
//!
//! Cores and memory nodes of a cluster, and those nearer than `direct_below`, exchange packets by the mesh alone. A
//! packet between clusters passes the mesh between the core and its host, and the ring from memory node to memory node;
//! both ways are static, so packets of a pair keep their order.
//!
//! * [`hosts`]: which memory node is whose host; [`tour`]: the order of memory nodes on the ring, and their positions.
//! * [`plan`]: the ring of a chip, [`Ring`]: hosts, positions, the way of each flow, times.
//! * [`packet`]: what travels on the ring, and what a packet carries in the mesh for it.
//! * [`channel`]: the channel into one home, with token slots; [`writer`]: a packet queue and modulator of it; [`reader`]: its end.
//! * [`mod@interface`]: the interface of a core; [`mod@hub`]: that of a memory node. [`join`]: all of them wired.
//! * [`optics`]: waveguides, modulators and detectors, as counts.
//!
//! Light is modelled by registers: a channel has one for each cycle of the round trip. Losses, conversion between light
//! and electricity, the power of lasers and the tuning of resonators are not modelled.
//!
//! Source: W. Yuan et al., *Intra-Clustering: Accelerating On-Chip Communication for Data Parallel Architectures*;
//! token slots: D. Vantrease et al., *Light Speed Arbitration and Flow Control for Nanophotonic Interconnects* (MICRO
//! 2009). Document: `docs/clustering.md`; tests: `tests/noc/networks/ring.rs`, `tests/noc/clusters.rs`.

pub mod channel;
pub mod endpoints;
pub mod hosts;
pub mod hub;
pub mod interface;
pub mod join;
pub mod optics;
pub mod packet;
pub mod plan;
pub mod reader;
pub mod tour;
pub mod writer;

pub use channel::{ChannelParams, ring_channel};
pub use hosts::Tie;
pub use hub::HUB_PLACES;
pub use packet::RingFormat;
pub use plan::Ring;
pub use tour::RingOrder;

use serde::Serialize;

/// What a ring is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct RingParams {
    /// Cycles of light around the ring, at least as many as there are memory nodes, up to 64.
    pub cycles: u32,
    /// Flits of requests and of replies that a channel of the ring carries in a cycle, 1 and up.
    pub flits: [u32; 2],
    /// Which of several nearest memory nodes hosts a core.
    pub tie: Tie,
    /// Of [`Tie::Random`].
    pub seed: u64,
    /// Packets between a core and a memory node that is nearer than so many hops go by the mesh.
    pub direct_below: u32,
    /// Order of the memory nodes on the ring.
    pub order: RingOrder,
    /// Packets that a memory node queues for each other one, 1 and up.
    pub tx: usize,
    /// Packets of a class that a memory node can take from the ring, 1 and up.
    pub rx: usize,
    /// Cycles that a packet may wait for a token before other memory nodes let tokens pass; 0: they never do.
    pub fair_wait: u32,
}

impl RingParams {
    /// A round trip of `cycles` with channels as wide as those of the mesh.
    pub fn new(cycles: u32) -> Self {
        Self {
            cycles,
            flits: [1, 1],
            tie: Tie::Balanced,
            seed: 1,
            direct_below: 2,
            order: RingOrder::Shortest,
            tx: 2,
            rx: 8,
            fair_wait: 0,
        }
    }
}
