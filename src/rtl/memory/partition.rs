//! Memory partition tile: what stands at a memory node between the network and the pins of its DRAM channel.
//!
//! ```text
//!             +-------------------------------------------------------------------+
//!  rx_valid ->| packet    request_*           +------------+                      |
//!  rx_src     | {src, tag}, header, line ---->| controller |----------------------|-> dram_command, _bank, _row, _column,
//!  rx_...   ->|                               |            |                      |   _write_data, _write_mask
//!  rx_credit<-|<------------ request_left ----|            |<---------------------|<- dram_read_data
//!             |                               +------------+                      |
//!  tx_valid <-|<-- packet register <-- reply_*      |                             |
//!  tx_...     |         credits -----> reply_taken -^                             |
//!  tx_credit->|                                                                   |
//!             +-------------------------------------------------------------------+
//! ```
//!
//! Ports as in `docs/tiles.md`; all outputs are registers.
//!
//! Contract: packets become transactions of the memory protocol ([`super::protocol`]) whose tag is the sender's node above the packet's tag;
//! replies go back there, one a cycle, when the network interface has a place. A reply that the controller shows in cycle t is on the
//! packet port in t + 1. Never: a request without a free place in the controller's queue (asserted).
//!
//! Testbench: `testbenches/memory_partition/`; tests: `tests/memory.rs`, `tests/memory_lockstep.rs`.

use super::{
    controller::{ChannelPins, ControllerParams, ServiceParams, controller},
    map::AddressMap,
    protocol::{MemoryReply, MemoryRequest, Protocol, RequestHeader},
    timing::DramTiming,
};
use crate::{
    blocks::credit_counter,
    noc::packet::{HEADER_BITS, PacketFormat, ReceivedPacket, SentPacket},
};
use hdl::{Builder, Bundle, Module, bundle, params};

/// Parameters of a [`partition`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartitionParams {
    /// Address map of the chip.
    pub map: AddressMap,
    /// DRAM timing.
    pub timing: DramTiming,
    /// Bits of a packet's tag, 1 and up.
    pub tag_bits: u32,
    /// Requests that the controller's queue holds (the network interface's `rx_queue_packets`), 1 and up.
    pub queue_entries: usize,
    /// Replies in the DRAM or waiting for the network, 1 and up; fewer than `latency / burst` limit the bandwidth.
    pub reply_entries: usize,
    /// Packets that the network interface accepts before it gives a credit back, 1 and up.
    pub tx_queue_packets: usize,
    /// How the controller serves requests.
    pub service: ServiceParams,
}

impl PartitionParams {
    /// Transactions of the chip.
    pub fn protocol(&self) -> Protocol {
        Protocol { line_bytes: self.map.line_bytes(), tag_bits: self.tag_bits }
    }

    /// Widths of packets.
    pub fn packet(&self) -> PacketFormat {
        PacketFormat::new(self.map.node_bits(), &self.protocol())
    }

    /// Its controller, whose tags say the node, too.
    pub fn controller(&self) -> ControllerParams {
        ControllerParams {
            map: self.map.clone(),
            timing: self.timing,
            tag_bits: self.map.node_bits() + self.tag_bits,
            queue_entries: self.queue_entries,
            reply_entries: self.reply_entries,
            service: self.service,
        }
    }
}

bundle! {
    /// Whom a reply is for.
    struct Asker(p: &PartitionParams) {
        node: p.map.node_bits(),
        tag: p.tag_bits,
    }
}

/// A memory partition; see the [module documentation](self).
pub fn partition(p: &PartitionParams) -> Module {
    let params = p.controller();
    let m = Builder::new("memory_partition", [params.names(), params! { x: p.tx_queue_packets }].concat());
    m.doc("Memory partition tile: the controller of a DRAM channel, on a node of the network.");
    let (format, protocol) = (&p.packet(), &params.protocol());
    let controller = m.instance("controller", &controller(&params));

    m.comment("Requests.");
    let rx = ReceivedPacket::inputs(&m, "rx", format);
    let RequestHeader { reserved, bytes, words, line } = RequestHeader::unpack(rx.header, protocol);
    m.always("reserved header bits are zero", !rx.valid | reserved.is_zero());
    let tag = Asker { node: rx.src, tag: rx.tag }.pack();
    let request = MemoryRequest { valid: rx.valid, write: rx.write, tag, line, words, bytes, data: rx.data };
    request.drive(controller, "request", protocol);
    m.always("a request has a place in the queue", !rx.valid | controller.get("request_taken"));
    m.output_of("rx_credit", controller.get("request_left"));

    m.comment("DRAM.");
    ChannelPins::of(controller, "dram", &p.map).outputs(&m, "dram", &p.map);
    controller.drive("dram_read_data", m.input("dram_read_data", protocol.data_bits()));

    m.comment("Replies, when the network interface has a place.");
    let credits = m.instance("credits", &credit_counter(p.tx_queue_packets));
    credits.drive("credit", m.input("tx_credit", 1));
    let reply = MemoryReply::of(controller, "reply", protocol);
    let send = m.wire("send", reply.valid & credits.get("available"));
    credits.drive("send", send);
    controller.drive("reply_taken", send);
    let Asker { node, tag } = Asker::unpack(m.captured("tx_asker", send, reply.tag), p);
    let packet = SentPacket {
        valid: m.delayed("tx_valid_register", send),
        dest: node,
        write: m.captured("tx_kind", send, reply.write),
        tag,
        header: m.lit(HEADER_BITS, 0),
        data: m.captured("tx_line", send, reply.data),
    };
    packet.outputs(&m, "tx", format);
    m.finish()
}
