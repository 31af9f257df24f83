//! Packets of the memory protocol: how a transaction is packed for the network, which carries it without looking at it.
//!
//! | packet | payload, from the most significant end | bits, with lines of 64 bytes |
//! |---|---|---|
//! | read request | header | 64 |
//! | write request, atomic | data, header | 576 |
//! | read reply | data | 512 |
//! | write reply | zeros | 64 |
//!
//! The sideband of each is `{write, tag}`. The length of a packet in flits follows from the bits of its payload and the
//! width of the channel; what is left of its last flit is zero where another kind of packet of its class has data.
//!
//! Source of the sizes: Bakhoda 2014, section 3.1 (request packets of 8 bytes, lines of 64).

use hdl::{Bits, Builder, Bundle, Signal, bundle, mux};
use noc::{
    MessageClass,
    packet::{Delivered, PacketFormat, ReceivedPacket, SentPacket},
};
use protocol::{HEADER_BITS, Protocol};

/// Packets of the transactions of a chip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoryPackets {
    /// Transactions, with the tags of packets.
    pub protocol: Protocol,
    /// Bits of a node number.
    pub node_bits: u32,
}

bundle! {
    /// What travels beside the payload.
    pub struct Sideband(p: &MemoryPackets) {
        /// Write request or write reply.
        write: 1,
        /// Transaction number.
        tag: p.protocol.tag_bits,
    }
}

bundle! {
    /// Payload of a request.
    struct RequestPayload(p: &MemoryPackets) {
        /// Of a write.
        data: p.protocol.data_bits(),
        header: HEADER_BITS,
    }
}

/// A transaction to be sent as a packet.
#[derive(Clone, Copy)]
pub struct Outgoing<'m> {
    /// Destination node.
    pub dest: Signal<'m>,
    /// It is a write.
    pub write: Signal<'m>,
    /// Transaction number.
    pub tag: Signal<'m>,
    /// The line of a write request or a read reply.
    pub data: Signal<'m>,
}

/// A request that a packet has brought.
#[derive(Clone, Copy)]
pub struct ReceivedRequest<'m> {
    /// There is one.
    pub valid: Signal<'m>,
    /// Node that sent it.
    pub source: Signal<'m>,
    /// It is a write.
    pub write: Signal<'m>,
    /// Transaction number of the sender.
    pub tag: Signal<'m>,
    /// A [`RequestHeader`](protocol::RequestHeader).
    pub header: Signal<'m>,
    /// Of a write.
    pub data: Signal<'m>,
}

impl MemoryPackets {
    /// Bits of the payload of a packet.
    pub fn bits(&self, class: MessageClass, write: bool) -> u32 {
        match (class, write) {
            (MessageClass::Request, false) | (MessageClass::Reply, true) => HEADER_BITS,
            (MessageClass::Request, true) => HEADER_BITS + self.protocol.data_bits(),
            (MessageClass::Reply, false) => self.protocol.data_bits(),
        }
    }

    /// Bits of the longest payload of a class.
    pub fn payload_bits(&self, class: MessageClass) -> u32 {
        self.bits(class, false).max(self.bits(class, true))
    }

    /// Flits of a packet on a channel of `width` bits.
    pub fn flits(&self, class: MessageClass, write: bool, width: u32) -> u32 {
        self.bits(class, write).div_ceil(width)
    }

    /// Flits of the longest packet of a class.
    pub fn most_flits(&self, class: MessageClass, width: u32) -> u32 {
        self.payload_bits(class).div_ceil(width)
    }

    /// Bits of the sideband.
    pub fn sideband_bits(&self) -> u32 {
        Sideband::width(self)
    }

    /// Whether a packet is a write, and its tag.
    pub fn write_and_tag(&self, sideband: u64) -> (bool, u64) {
        (sideband >> self.protocol.tag_bits & 1 == 1, sideband & ((1 << self.protocol.tag_bits) - 1))
    }

    /// The sideband as a number; inverse of [`write_and_tag`](Self::write_and_tag).
    pub fn sideband(&self, write: bool, tag: u64) -> u64 {
        u64::from(write) << self.protocol.tag_bits | tag
    }

    /// The header in the payload of a request.
    pub fn header(payload: &Bits) -> u64 {
        payload.slice(0, HEADER_BITS).to_u64()
    }

    /// The line in the payload of a packet that has one.
    pub fn line(&self, class: MessageClass, payload: &Bits) -> Bits {
        let at = if class == MessageClass::Request { HEADER_BITS } else { 0 };
        payload.slice(at, self.protocol.data_bits())
    }

    /// The payload of a request; of a read `data` means nothing.
    pub fn request_payload(header: u64, data: &Bits) -> Bits {
        Bits::concat(&[data.clone(), Bits::new(HEADER_BITS, header)])
    }

    /// Widths of the packets of a class on a channel of `width` bits.
    pub fn format(&self, class: MessageClass, width: u32) -> PacketFormat {
        PacketFormat {
            node_bits: self.node_bits,
            sideband_bits: self.sideband_bits(),
            payload_bits: self.payload_bits(class),
            width,
        }
    }

    /// What the packet port of an endpoint that sends requests shows: a packet in the cycle after `send`, from registers.
    pub fn send_request<'m>(
        &self,
        m: &'m Builder,
        width: u32,
        send: Signal<'m>,
        sent: Outgoing<'m>,
        header: Signal<'m>,
    ) -> SentPacket<'m> {
        let short = self.flits(MessageClass::Request, false, width) * width;
        let data = keep_low(sent.data, short.saturating_sub(HEADER_BITS), sent.write);
        let payload = RequestPayload { data, header }.pack();
        self.send(m, (MessageClass::Request, width), send, sent, payload)
    }

    /// The same of an endpoint that sends replies.
    pub fn send_reply<'m>(&self, m: &'m Builder, width: u32, send: Signal<'m>, sent: Outgoing<'m>) -> SentPacket<'m> {
        let short = self.flits(MessageClass::Reply, true, width) * width;
        let payload = keep_low(sent.data, short, !sent.write);
        self.send(m, (MessageClass::Reply, width), send, sent, payload)
    }

    fn send<'m>(
        &self,
        m: &'m Builder,
        (class, width): (MessageClass, u32),
        send: Signal<'m>,
        sent: Outgoing<'m>,
        payload: Signal<'m>,
    ) -> SentPacket<'m> {
        let format = &self.format(class, width);
        let Outgoing { dest, write, tag, .. } = sent;
        let [of_read, of_write] =
            [false, true].map(|write| m.lit(format.length_bits(), self.flits(class, write, width).into()));
        SentPacket {
            valid: m.delayed("tx_valid_now", send),
            dest: m.captured("tx_dest_now", send, dest),
            flits: m.captured("tx_flits_now", send, mux(write, of_write, of_read)),
            sideband: m.captured("tx_sideband_now", send, Sideband { write, tag }.pack()),
            payload: m.captured("tx_payload_now", send, payload),
        }
    }

    /// The request in a packet.
    pub fn request<'m>(&self, packet: ReceivedPacket<'m>) -> ReceivedRequest<'m> {
        let ReceivedPacket { valid, src: source, sideband, payload } = packet;
        let Sideband { write, tag } = Sideband::unpack(sideband, self);
        let RequestPayload { data, header } = RequestPayload::unpack(payload, self);
        ReceivedRequest { valid, source, write, tag, header, data }
    }

    /// Kind, tag and line of a reply in a packet.
    pub fn reply<'m>(&self, packet: Delivered<'m>) -> (Sideband<'m>, Signal<'m>) {
        (Sideband::unpack(packet.sideband, self), packet.payload.bits(0, self.protocol.data_bits()))
    }
}

/// `value` with zeros in its lowest `bits` bits unless `keep`.
fn keep_low<'m>(value: Signal<'m>, bits: u32, keep: Signal<'m>) -> Signal<'m> {
    let (bits, all) = (bits.min(value.width()), value.width());
    if bits == 0 {
        return value;
    }
    let low = value.bits(0, bits) & keep.repeat(bits);
    if bits == all { low } else { value.bits(bits, all - bits).join(low) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_have_the_sizes_of_the_papers() {
        let packets = MemoryPackets { protocol: Protocol { line_bytes: 64, tag_bits: 4 }, node_bits: 6 };
        let flits = |width| {
            let of = |class| [false, true].map(|write| packets.flits(class, write, width));
            [of(MessageClass::Request), of(MessageClass::Reply)]
        };
        assert_eq!(flits(128), [[1, 5], [4, 1]]);
        assert_eq!(flits(32), [[2, 18], [16, 2]]);
        assert_eq!(flits(1024), [[1, 1], [1, 1]]);
        assert_eq!(packets.format(MessageClass::Request, 128).most_flits(), 5);
        assert_eq!(
            (packets.payload_bits(MessageClass::Request), packets.payload_bits(MessageClass::Reply)),
            (576, 512)
        );
        for (write, tag) in [(false, 0), (true, 9), (false, 15)] {
            assert_eq!(packets.write_and_tag(packets.sideband(write, tag)), (write, tag));
        }
    }
}
