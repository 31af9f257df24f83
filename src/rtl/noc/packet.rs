//! Packets: what endpoints hand to a network interface, and which of it travels.
//!
//! ```text
//!  endpoint                                        interface
//!   tx_valid, _dest, _flits, _sideband, _payload -------> [`SentPacket`]
//!   tx_credit <------------------------------------------
//!   rx_valid, _src, _sideband, _payload <---------------- [`ReceivedPacket`]
//!   rx_credit ------------------------------------------>
//! ```
//!
//! A packet has a destination, a message class, a length in flits, and contents that mean nothing to the network: a
//! payload, cut into flits from the least significant end, and a sideband, which goes beside the payload of the head
//! flit. What is beyond the length of a packet is not sent.

use hdl::{Builder, PortName, Signal, bundle, index_width, ports, taps};
use serde::Serialize;

taps! {
    part "packet_port" {
        /// By node: its endpoint hands a packet over.
        SENT,
        /// Destination of that packet.
        SENT_DEST,
        /// Its sideband.
        SENT_SIDEBAND,
        /// Its payload.
        SENT_PAYLOAD,
        /// By node: a packet is handed to its endpoint.
        RECEIVED,
        /// Source of that packet.
        RECEIVED_SRC,
        /// Its sideband.
        RECEIVED_SIDEBAND,
    }
}

/// Widths of the packets of a message class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct PacketFormat {
    /// Bits of a node number.
    pub node_bits: u32,
    /// Bits of the sideband.
    pub sideband_bits: u32,
    /// Bits of the longest payload.
    pub payload_bits: u32,
    /// Payload bits of a flit.
    pub width: u32,
}

impl PacketFormat {
    /// Flits of the longest packet.
    pub fn most_flits(&self) -> u32 {
        self.payload_bits.div_ceil(self.width)
    }

    /// Bits of a length in flits.
    pub fn length_bits(&self) -> u32 {
        index_width(self.most_flits() as usize + 1)
    }
}

bundle! {
    /// A packet of an endpoint for the network.
    pub struct SentPacket(f: &PacketFormat) {
        /// There is one.
        valid: 1,
        /// Destination node.
        dest: f.node_bits,
        /// Length, 1 and up.
        flits: f.length_bits(),
        sideband: f.sideband_bits,
        payload: f.payload_bits,
    }
}

bundle! {
    /// A packet of the network for an endpoint.
    pub struct ReceivedPacket(f: &PacketFormat) {
        /// There is one.
        valid: 1,
        /// Node that sent it.
        src: f.node_bits,
        sideband: f.sideband_bits,
        /// Flits that the packet does not have are what they were.
        payload: f.payload_bits,
    }
}

ports! {
    /// The port of what takes the packets of an endpoint.
    pub struct PacketTakerPorts(f: &PacketFormat) of PacketTaker {
        /// Packets; a credit for each place that is free again.
        in tx: bundle SentPacket(f) with credit: 1,
    }
}

ports! {
    /// The port of what gives packets to an endpoint.
    pub struct PacketGiverPorts(f: &PacketFormat) of PacketGiver {
        /// Packets; a credit for each place that is free again.
        out rx: bundle ReceivedPacket(f) with credit: 1,
    }
}

bundle! {
    /// A [`ReceivedPacket`] in the lane that has put it together.
    pub struct Assembled(f: &PacketFormat) {
        src: f.node_bits,
        sideband: f.sideband_bits,
        payload: f.payload_bits,
    }
}

bundle! {
    /// A [`ReceivedPacket`] for an endpoint to which it does not matter who sent it.
    pub struct Delivered(f: &PacketFormat) {
        valid: 1,
        sideband: f.sideband_bits,
        payload: f.payload_bits,
    }
}

impl<'m> SentPacket<'m> {
    /// It is to be looked at, at the packet port of `node`.
    pub fn tap(self, m: &'m Builder, node: u32) {
        let Self { valid, dest, sideband, payload, .. } = self;
        let nets = [(SENT, valid), (SENT_DEST, dest), (SENT_SIDEBAND, sideband), (SENT_PAYLOAD, payload)];
        nets.into_iter().for_each(|(tap, net)| m.tap(tap.at(node), net));
    }
}

impl<'m> Assembled<'m> {
    /// The packet as it is shown.
    pub fn with_valid(self, valid: Signal<'m>) -> ReceivedPacket<'m> {
        let Self { src, sideband, payload } = self;
        ReceivedPacket { valid, src, sideband, payload }
    }
}

impl<'m> ReceivedPacket<'m> {
    /// It is to be looked at, at the packet port of `node`.
    pub fn tap(self, m: &'m Builder, node: u32) {
        let Self { valid, src, sideband, .. } = self;
        let nets = [(RECEIVED, valid), (RECEIVED_SRC, src), (RECEIVED_SIDEBAND, sideband)];
        nets.into_iter().for_each(|(tap, net)| m.tap(tap.at(node), net));
    }

    /// Without its source.
    pub fn delivered(self) -> Delivered<'m> {
        let Self { valid, sideband, payload, .. } = self;
        Delivered { valid, sideband, payload }
    }
}

/// Message classes. Requests use the lower half of the VCs, replies the upper half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub enum MessageClass {
    /// Asked for by endpoints that wait for an answer.
    #[serde(rename = "requests")]
    Request,
    /// Answers.
    #[serde(rename = "replies")]
    Reply,
}

impl PortName for MessageClass {
    fn append_to(&self, out: &mut String) {
        let name = match self {
            MessageClass::Request => "request",
            MessageClass::Reply => "reply",
        };
        name.append_to(out);
    }
}

impl MessageClass {
    /// All of them, in the order of their VCs.
    pub const ALL: [Self; 2] = [MessageClass::Request, MessageClass::Reply];

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
}
