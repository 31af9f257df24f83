//! Packets: what endpoints hand to a network interface, and which of it travels.
//!
//! ```text
//!  endpoint                                  interface
//!   tx_valid, _dest, _write, _tag, _header, _data --> [`SentPacket`]
//!   tx_credit <--------------------------------------
//!   rx_valid, _src, _write, _tag, _header, _data <--- [`ReceivedPacket`]
//!   rx_credit --------------------------------------->
//! ```

use crate::memory::protocol::Protocol;
use hdl::{Signal, bundle};

/// Bits of a packet header.
pub const HEADER_BITS: u32 = 64;

/// Widths of a packet's fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PacketFormat {
    /// Bits of a node number.
    pub node_bits: u32,
    /// Bits of a transaction number.
    pub tag_bits: u32,
    /// Bits of a line of data.
    pub data_bits: u32,
}

impl PacketFormat {
    /// Packets of these transactions between nodes with numbers of `node_bits` bits.
    pub fn new(node_bits: u32, protocol: &Protocol) -> Self {
        Self { node_bits, tag_bits: protocol.tag_bits, data_bits: protocol.data_bits() }
    }

    /// Bits of a packet: header, data or both.
    pub fn packet_bits(&self, class: MessageClass, write: bool) -> u32 {
        match (class, write) {
            (MessageClass::Request, false) | (MessageClass::Reply, true) => HEADER_BITS,
            (MessageClass::Request, true) => HEADER_BITS + self.data_bits,
            (MessageClass::Reply, false) => self.data_bits,
        }
    }

    /// Flits of a packet on a channel of `width` bits.
    pub fn flits(&self, class: MessageClass, write: bool, width: u32) -> u32 {
        self.packet_bits(class, write).div_ceil(width)
    }

    /// Flits of the longest packet of a class.
    pub fn most_flits(&self, class: MessageClass, width: u32) -> u32 {
        self.flits(class, false, width).max(self.flits(class, true, width))
    }
}

bundle! {
    /// A packet of an endpoint for the network.
    pub struct SentPacket(f: &PacketFormat) {
        /// There is one.
        valid: 1,
        /// Destination node.
        dest: f.node_bits,
        /// Write request or write reply.
        write: 1,
        /// Transaction number.
        tag: f.tag_bits,
        /// Of requests.
        header: HEADER_BITS,
        /// Of write requests and read replies.
        data: f.data_bits,
    }
}

bundle! {
    /// A packet of the network for an endpoint.
    pub struct ReceivedPacket(f: &PacketFormat) {
        /// There is one.
        valid: 1,
        /// Node that sent it.
        src: f.node_bits,
        write: 1,
        tag: f.tag_bits,
        header: HEADER_BITS,
        data: f.data_bits,
    }
}

bundle! {
    /// A [`ReceivedPacket`] in the lane that has put it together.
    pub struct Assembled(f: &PacketFormat) {
        src: f.node_bits,
        write: 1,
        tag: f.tag_bits,
        header: HEADER_BITS,
        data: f.data_bits,
    }
}

bundle! {
    /// What an endpoint that sends requests looks at: a reply has no header, and who sent it does not matter.
    pub struct ReceivedReply(f: &PacketFormat) {
        valid: 1,
        write: 1,
        tag: f.tag_bits,
        data: f.data_bits,
    }
}

impl<'m> Assembled<'m> {
    /// The packet as it is shown.
    pub fn with_valid(self, valid: Signal<'m>) -> ReceivedPacket<'m> {
        let Self { src, write, tag, header, data } = self;
        ReceivedPacket { valid, src, write, tag, header, data }
    }
}

impl<'m> ReceivedPacket<'m> {
    /// As a reply.
    pub fn reply(self) -> ReceivedReply<'m> {
        let Self { valid, write, tag, data, .. } = self;
        ReceivedReply { valid, write, tag, data }
    }
}

/// Message classes. Requests use the lower half of the VCs, replies the upper half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MessageClass {
    /// From cores to memory.
    Request,
    /// From memory to cores.
    Reply,
}

impl MessageClass {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            MessageClass::Request => MessageClass::Reply,
            MessageClass::Reply => MessageClass::Request,
        }
    }

    /// First VC of the class, where two classes share the VCs.
    pub fn first_vc(self, vcs: u32) -> u32 {
        match self {
            MessageClass::Request => 0,
            MessageClass::Reply => vcs / 2,
        }
    }

    /// In the plural, for names.
    pub fn name(self) -> &'static str {
        match self {
            MessageClass::Request => "requests",
            MessageClass::Reply => "replies",
        }
    }
}

/// First bit of the header and of the data in a packet, where it has them.
pub(super) fn layout(class: MessageClass, write: bool) -> (Option<u32>, Option<u32>) {
    match (class, write) {
        (MessageClass::Request, false) | (MessageClass::Reply, true) => (Some(0), None),
        (MessageClass::Request, true) => (Some(0), Some(HEADER_BITS)),
        (MessageClass::Reply, false) => (None, Some(0)),
    }
}
