//! What travels: packets on the ring, and the header that a packet carries through the mesh for it.
//!
//! | in the mesh | `far` | `flits` |
//! |---|---|---|
//! | request | its memory node | its length |
//! | reply | the memory node that has sent it | 0 |
//!
//! The header stands above the sideband of the endpoints. Routers do not look at it.

use super::RingParams;
use crate::{InterfaceParams, MessageClass, packet::PacketFormat};
use hdl::{Bundle, Signal, bundle, index_width, select};
use serde::Serialize;

/// Widths of the packets of a class on the ring, and of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct RingFormat {
    /// Message class.
    pub class: MessageClass,
    /// Bits of a node number.
    pub node_bits: u32,
    /// Bits of the sideband of endpoints.
    pub sideband_bits: u32,
    /// Bits of a length in flits of the mesh.
    pub length_bits: u32,
    /// Bits of the longest payload.
    pub payload_bits: u32,
    /// Payload bits of a flit of the mesh.
    pub width: u32,
    /// Flits of the mesh that a channel of the ring carries in a cycle.
    pub flits: u32,
}

bundle! {
    /// Above the sideband of a packet in the mesh.
    pub struct MeshHeader(h: &HeaderFormat) {
        far: h.node_bits,
        flits: h.length_bits,
        /// Of the endpoints.
        sideband: h.sideband_bits,
    }
}

/// Widths of a [`MeshHeader`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeaderFormat {
    /// Bits of a node number.
    pub node_bits: u32,
    /// Bits of a length in flits.
    pub length_bits: u32,
    /// Bits of the sideband of endpoints.
    pub sideband_bits: u32,
}

impl HeaderFormat {
    /// In a network whose longest packet has so many flits.
    pub fn new(node_bits: u32, longest: usize, sideband_bits: u32) -> Self {
        // Without a longest packet, as long as any can be.
        Self { node_bits, length_bits: index_width(longest.min(1 << 12) + 1), sideband_bits }
    }

    /// That of an interface, whose sideband the header is a part of.
    pub fn of(p: &InterfaceParams) -> Self {
        let format = p.network.format;
        let header = Self::new(format.node_bits, p.network.longest, 0);
        Self { sideband_bits: format.sideband_bits - MeshHeader::width(&header), ..header }
    }

    /// Bits that it adds to the sideband.
    pub fn added(&self) -> u32 {
        self.node_bits + self.length_bits
    }

    /// A packet as the endpoint has it.
    pub fn endpoint(&self, packet: PacketFormat) -> PacketFormat {
        PacketFormat { sideband_bits: self.sideband_bits, ..packet }
    }
}

bundle! {
    /// A packet on the ring.
    pub struct RingPacket(f: &RingFormat) {
        /// Node that has sent a request, or to which a reply goes.
        node: f.node_bits,
        /// Memory node that has sent a reply.
        maybe origin: f.origin_bits(),
        /// Its length in flits of the mesh.
        flits: f.length_bits,
        sideband: f.sideband_bits,
        payload: f.payload_bits,
    }
}

bundle! {
    /// What a channel carries in a cycle: a part of a packet, with its header.
    pub struct RingFlit(f: &RingFormat) {
        valid: 1,
        /// The last part.
        tail: 1,
        node: f.node_bits,
        maybe origin: f.origin_bits(),
        flits: f.length_bits,
        sideband: f.sideband_bits,
        payload: f.cycle_bits(),
    }
}

impl RingFormat {
    /// Of the packets of a class, for memory nodes with such an interface.
    pub fn of(p: &InterfaceParams, ring: &RingParams, class: MessageClass) -> Self {
        let header = HeaderFormat::of(p);
        let packet = p.packet(class);
        Self {
            class,
            node_bits: header.node_bits,
            sideband_bits: header.sideband_bits,
            length_bits: header.length_bits,
            payload_bits: packet.payload_bits,
            width: packet.width,
            flits: ring.flits[class as usize],
        }
    }

    fn origin_bits(&self) -> u32 {
        if self.class == MessageClass::Reply { self.node_bits } else { 0 }
    }

    /// Flits of the longest packet.
    pub fn most_flits(&self) -> u32 {
        self.payload_bits.div_ceil(self.width)
    }

    /// Payload bits that a channel carries in a cycle: not more than the longest packet has.
    pub fn cycle_bits(&self) -> u32 {
        self.flits.min(self.most_flits()) * self.width
    }

    /// Cycles of a slot: those of the longest packet.
    pub fn slot(&self) -> u32 {
        self.cycles_of(self.most_flits())
    }

    /// Cycles of a packet of so many flits.
    pub fn cycles_of(&self, flits: u32) -> u32 {
        flits.div_ceil(self.flits)
    }

    /// The same in hardware.
    pub(super) fn cycles_signal<'m>(&self, flits: Signal<'m>) -> Signal<'m> {
        let m = flits.builder();
        let bits = index_width(self.slot() as usize + 1);
        let of = |flits: u32| m.lit(bits, self.cycles_of(flits).into());
        select(flits, &(0..=self.most_flits()).map(of).collect::<Vec<_>>())
    }
}

impl<'m> RingFlit<'m> {
    /// A part of a packet.
    pub(super) fn new(valid: Signal<'m>, tail: Signal<'m>, of: RingPacket<'m>, payload: Signal<'m>) -> Self {
        let RingPacket { node, origin, flits, sideband, .. } = of;
        Self { valid, tail, node, origin, flits, sideband, payload }
    }

    /// The packet of a header, with this payload.
    pub(super) fn packet(self, payload: Signal<'m>) -> RingPacket<'m> {
        let Self { node, origin, flits, sideband, .. } = self;
        RingPacket { node, origin, flits, sideband, payload }
    }
}
