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
//! Contract: a pipe, as an [`endpoint_crossing`](crate::endpoint_crossing()) is one: what comes in goes out once
//! and in order, as who receives has a place for it. Never: a word is pushed into a full queue (asserted).
//!
//! Testbenches: `testbenches/overlay_source_crossing/`, `testbenches/overlay_sink_crossing/`; tests:
//! `tests/chip/clocks.rs`.

use crate::{
    endpoint_crossing::pipe,
    packet::{PacketFormat, ReceivedPacket, SentPacket},
};
use hdl::{Builder, Bundle, Module, params, ports};

ports! {
    /// Ports of an [`overlay_source_crossing`].
    pub struct SourceCrossingPorts(f: &PacketFormat) of SourceCrossing {
        /// Packets of the endpoint.
        in tx: bundle SentPacket(f) with credit: 1,
        /// They go on to the source.
        out net_tx: bundle SentPacket(f) with credit: 1,
    }
}

ports! {
    /// Ports of an [`overlay_sink_crossing`].
    pub struct SinkCrossingPorts(f: &PacketFormat) of SinkCrossing {
        /// Packets of the sink.
        in net_rx: bundle ReceivedPacket(f) with credit: 1,
        /// They go on to the endpoint.
        out rx: bundle ReceivedPacket(f) with credit: 1,
    }
}

/// Clock domain of the overlay's side.
pub const OVERLAY_CLOCK: &str = "overlay";

/// From an endpoint, which has credits for `places` packets, to its source.
pub fn overlay_source_crossing(f: &PacketFormat, places: usize) -> Module {
    let m = Builder::new("overlay_source_crossing", params! { places }.and(f));
    m.doc("Clock crossing between a memory node and the source of its overlay: packets, and their credits.");
    let (here, overlay) = (m.clock(), m.domain(OVERLAY_CLOCK));
    let io = SourceCrossingPorts::new(&m, f);
    let (sent, tx_credit) = io.tx().signals();
    let word = pipe(&m, "packets", [here, overlay], (places, sent.valid, sent.pack()));
    let arrived = SentPacket::unpack(word.data, f);
    io.net_tx().shows(SentPacket { valid: word.valid, ..arrived });
    let credit = io.net_tx().answer();
    tx_credit.shows(pipe(&m, "credits", [overlay, here], (places, credit, credit)).valid);
    m.finish()
}

/// From a sink to its endpoint, which can take `places` packets.
pub fn overlay_sink_crossing(f: &PacketFormat, places: usize) -> Module {
    let m = Builder::new("overlay_sink_crossing", params! { places }.and(f));
    m.doc("Clock crossing between the sink of overlays and its core: packets, and their credits.");
    let (here, overlay) = (m.clock(), m.domain(OVERLAY_CLOCK));
    let io = SinkCrossingPorts::new(&m, f);
    let (packet, rx_credit) = io.net_rx().signals();
    let word = pipe(&m, "packets", [overlay, here], (places, packet.valid, packet.pack()));
    let arrived = ReceivedPacket::unpack(word.data, f);
    io.rx().shows(ReceivedPacket { valid: word.valid, ..arrived });
    let credit = io.rx().answer();
    rx_credit.shows(pipe(&m, "credits", [here, overlay], (places, credit, credit)).valid);
    m.finish()
}
