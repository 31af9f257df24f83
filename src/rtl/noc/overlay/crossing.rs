//! Clock crossings of overlays with a clock of their own: of whole packets, between an endpoint and its source or sink.
//!
//! ```text
//!                 clock of the network   :   clock `overlay`               clock `overlay`   :   clock of the network
//!             +------------------------- : -------------+             +--------------------- : --------------------+
//!  tx_*    -->| packets ---> clock-crossing queue ----->|--> net_tx_* | net_rx_* --> clock-crossing queue -------->|--> rx_*
//!  tx_credit<-| credits <--- clock-crossing queue <-----|<-- net_tx_credit                   ... credits           |<-- rx_credit
//!             +------------------------- : -------------+             +--------------------- : --------------------+
//! ```
//!
//! Contract: a pipe, as an [`endpoint_crossing`](crate::noc::endpoint_crossing()) is one: what comes in goes out once
//! and in order, as who receives has a place for it. Never: a word is pushed into a full queue (asserted).
//!
//! Testbenches: `testbenches/overlay_source_crossing/`, `testbenches/overlay_sink_crossing/`; tests:
//! `tests/chip/clocks.rs`.

use crate::noc::{
    endpoint_crossing::pipe,
    packet::{PacketFormat, ReceivedPacket, SentPacket},
};
use hdl::{Builder, Bundle, Module, params};

/// From an endpoint, which has credits for `places` packets, to its source.
pub fn overlay_source_crossing(f: &PacketFormat, places: usize) -> Module {
    let m = Builder::new("overlay_source_crossing", params! { places }.and(f));
    m.doc("Clock crossing between a memory node and the source of its overlay: packets, and their credits.");
    let (here, overlay) = (m.clock(), m.domain("overlay"));
    let sent = SentPacket::inputs(&m, "tx", f);
    let word = pipe(&m, "packets", [here, overlay], (places, sent.valid, sent.pack()));
    let arrived = SentPacket::unpack(word.data, f);
    SentPacket { valid: word.valid, ..arrived }.outputs(&m, "net_tx", f);
    let credit = m.input("net_tx_credit", 1);
    m.output_of("tx_credit", pipe(&m, "credits", [overlay, here], (places, credit, credit)).valid);
    m.finish()
}

/// From a sink to its endpoint, which can take `places` packets.
pub fn overlay_sink_crossing(f: &PacketFormat, places: usize) -> Module {
    let m = Builder::new("overlay_sink_crossing", params! { places }.and(f));
    m.doc("Clock crossing between the sink of overlays and its core: packets, and their credits.");
    let (here, overlay) = (m.clock(), m.domain("overlay"));
    let packet = ReceivedPacket::inputs(&m, "net_rx", f);
    let word = pipe(&m, "packets", [overlay, here], (places, packet.valid, packet.pack()));
    let arrived = ReceivedPacket::unpack(word.data, f);
    ReceivedPacket { valid: word.valid, ..arrived }.outputs(&m, "rx", f);
    let credit = m.input("rx_credit", 1);
    m.output_of("net_rx_credit", pipe(&m, "credits", [here, overlay], (places, credit, credit)).valid);
    m.finish()
}
