//! Overlay: the reply network as narrow networks without arbitration, one for each memory node, laid over the mesh
//! (DA2mesh).
//!
//! ```text
//!  memory controller i --> overlay_source --> root of overlay i --> routers of overlay i --+--> overlay_sink --> core
//!                                                                                          |    (an ejection port
//!  memory controller j --> overlay_source --> root of overlay j --> routers of overlay j --+     for each overlay)
//! ```
//!
//! Overlay i has one source, so its XY routes form a tree, and no two inputs of a router want an output. So there are
//! neither virtual channels nor allocators.
//!
//! * [`flit`]: what travels, the header of a packet in its first flits.
//! * [`mod@router`]: a router of a tree; [`lane`]: a queue of packets and its link into the root; [`mod@source`]: the lanes of a memory node;
//!   [`mod@sink`]: the ejection ports of a core.
//!
//! * [`crossing`]: between endpoints and overlays with a clock of their own.
//! * [`plan`]: the trees of a chip, [`Overlay`]; [`join`]: all of it wired.
//!
//! Source: J. Kim et al., DA2mesh (ICCD 2012), as Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC
//! Bottleneck in GPGPUs* (IPDPS 2020), sections 2.2 and 7, describe it: a reconstruction. Document: `docs/ari.md`;
//! tests: `tests/noc/networks/overlay.rs`.

pub mod crossing;
pub mod endpoints;
pub mod flit;
pub mod join;
pub mod lane;
pub mod plan;
pub mod router;
pub mod sink;
pub mod source;

use super::FlitFormat;
use serde::Serialize;

pub use crossing::{OVERLAY_CLOCK, SinkCrossing, SourceCrossing, overlay_sink_crossing, overlay_source_crossing};
pub use flit::OverlayFormat;
pub use lane::overlay_lane;
pub use plan::{Overlay, Tree};
pub use router::{OverlayRouter, OverlayRouterParams, overlay_router};
pub use sink::{OverlaySink, OverlaySinkParams, overlay_sink};
pub use source::{OverlaySource, OverlaySourceParams, overlay_source};

/// What overlays are made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OverlayParams {
    /// Payload bits of a flit, a multiple of 8 up to 1024, at least those of a node number.
    pub width: u32,
    /// Flits that a buffer of a router or of a sink holds, 1 to 256; with 4 and more a link carries a flit in each cycle.
    pub buffer: usize,
    /// A source has a queue for each output of its root, not one.
    pub split: bool,
    /// Flits of a header, at least; it has as many as it needs.
    pub header_flits: u32,
    /// A clock of their own: its frequency and that of the network, MHz. None: that of the network.
    pub clock: Option<[u32; 2]>,
}

impl OverlayParams {
    /// With a header of as many flits as one for packets of this format has.
    pub fn with_header_of(self, format: &FlitFormat) -> Self {
        let bits = format.node_bits + format.sideband_bits;
        Self { header_flits: self.header_flits.max(bits.div_ceil(self.width)), ..self }
    }
}
