//! What travels on an overlay: flits of a packet, its header in front.
//!
//! ```text
//!            head                                                   tail
//!  flit      0                ..  header_flits - 1  header_flits    ..  header_flits + flits - 1
//!  payload   dest, sideband       ... sideband, 0   payload of the packet, from the least significant end
//! ```
//!
//! A channel is so narrow that the header has flits of its own. The destination is in the low bits of the head flit:
//! routers look at nothing else. Who has sent a packet is not in it, as an overlay has one source.

use crate::packet::PacketFormat;
use hdl::bundle;
use serde::Serialize;

/// Widths of a packet on an overlay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OverlayFormat {
    /// The packet as its endpoints have it; `width` is that of the overlay's channel.
    pub packet: PacketFormat,
    /// Flits of the header.
    pub header_flits: u32,
}

bundle! {
    /// A flit on a channel.
    pub struct OverlayFlit(f: &OverlayFormat) {
        /// There is one.
        valid: 1,
        /// First flit of its packet: the destination is in its low bits.
        head: 1,
        /// Last flit of its packet.
        tail: 1,
        payload: f.packet.width,
    }
}

bundle! {
    /// A flit in a buffer.
    pub(super) struct StoredFlit(f: &OverlayFormat) {
        head: 1,
        tail: 1,
        payload: f.packet.width,
    }
}

impl OverlayFormat {
    /// With as few flits of the header as hold it.
    pub fn new(packet: PacketFormat) -> Self {
        Self { packet, header_flits: (packet.node_bits + packet.sideband_bits).div_ceil(packet.width) }
    }

    /// Flits of the longest packet, its header included.
    pub fn longest(&self) -> u32 {
        self.header_flits + self.packet.most_flits()
    }
}

impl<'m> OverlayFlit<'m> {
    pub(super) fn stored(self) -> StoredFlit<'m> {
        let Self { head, tail, payload, .. } = self;
        StoredFlit { head, tail, payload }
    }
}
