//! Clock crossing between an endpoint that sends requests (a core) and its network interface.
//!
//! ```text
//!                  clock of the endpoint     :     clock `noc`
//!             +----------------------------- : ------------------------------+
//!  tx_*    -->| packets  --------> clock-crossing queue ------------------->|--> net_tx_*
//!  tx_credit<-| credits  <-------- clock-crossing queue <-------------------|<-- net_tx_credit
//!  rx_*    <--| replies  <-------- clock-crossing queue <-------------------|<-- net_rx_*
//!  rx_credit->| credits  --------> clock-crossing queue ------------------->|--> net_rx_credit
//!             +----------------------------- : ------------------------------+
//! ```
//!
//! Contract: a pipe. What comes in goes out once and in order, a word a cycle, as soon as it has arrived: who receives
//! has a place for it, which the credits say. So the way only takes time: `stages` + 1 edges of the receiving clock
//! ([`mod@blocks::crossing`]). A queue has a place for every credit, and a credit comes back after the place of
//! its word does: queues may become full, as all credits may be out at once. All outputs are registers. Never: a word
//! is pushed into a full queue (asserted).
//!
//! Testbench: `testbenches/endpoint_crossing/`; tests: `tests/chip/clocks.rs`.

use super::packet::{Delivered, PacketFormat, SentPacket};
use blocks::{CrossingParams, cross_inside};
use hdl::{Builder, Bundle, ClockDomain, Module, Signal, params, ports};
use serde::Serialize;

/// Parameters of an [`endpoint_crossing`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct EndpointCrossingParams {
    /// Widths of the packets that the endpoint sends.
    pub sent: PacketFormat,
    /// Of those that it receives.
    pub received: PacketFormat,
    /// Packets for which the endpoint may have credits, 1 and up.
    pub tx_places: usize,
    /// Replies for which the network may have credits, 1 and up.
    pub rx_places: usize,
}

ports! {
    /// Ports of an [`endpoint_crossing`].
    pub struct EndpointCrossingPorts(p: &EndpointCrossingParams) of EndpointCrossing {
        /// Packets of the endpoint.
        in tx: bundle SentPacket(&p.sent) with credit: 1,
        /// They go on to the network.
        out net_tx: bundle SentPacket(&p.sent) with credit: 1,
        /// Packets of the network.
        in net_rx: bundle Delivered(&p.received) with credit: 1,
        /// They go on to the endpoint.
        out rx: bundle Delivered(&p.received) with credit: 1,
    }
}

/// Clock domain of the network's side.
pub const NETWORK_CLOCK: &str = "noc";

/// A word each cycle needs so many places in a queue between clocks of nearly the same frequency.
const FULL_RATE: usize = 8;

/// The crossing; see the [module documentation](self).
pub fn endpoint_crossing(p: &EndpointCrossingParams) -> Module {
    let EndpointCrossingParams { sent: format, received, tx_places, rx_places } = *p;
    let m = Builder::new("endpoint_crossing", params! { tx_places, rx_places }.and(p));
    m.doc("Clock crossing between a core and its network interface: packets, replies, and the credits of both.");
    let (here, noc) = (m.clock(), m.domain(NETWORK_CLOCK));
    let (out, back) = ([here, noc], [noc, here]);
    let (format, received) = (&format, &received);

    let io = EndpointCrossingPorts::new(&m, p);
    let (sent, tx_credit) = io.tx().signals();
    let word = pipe(&m, "packets", out, (tx_places, sent.valid, sent.pack()));
    let arrived = SentPacket::unpack(word.data, format);
    io.net_tx().shows(SentPacket { valid: word.valid, ..arrived });
    let credit = io.net_tx().answer();
    tx_credit.shows(pipe(&m, "tx_credits", back, (tx_places, credit, credit)).valid);

    let (reply, rx_credit) = io.net_rx().signals();
    let word = pipe(&m, "replies", back, (rx_places, reply.valid, reply.pack()));
    let arrived = Delivered::unpack(word.data, received);
    io.rx().shows(Delivered { valid: word.valid, ..arrived });
    let credit = io.rx().answer();
    rx_credit.shows(pipe(&m, "rx_credits", out, (rx_places, credit, credit)).valid);
    m.finish()
}

pub(super) struct CrossingWord<'m> {
    pub valid: Signal<'m>,
    pub data: Signal<'m>,
}

/// A queue from one domain to another that is emptied as it fills.
pub(super) fn pipe<'m>(
    m: &'m Builder,
    name: &str,
    [from, to]: [ClockDomain<'m>; 2],
    (places, push, data): (usize, Signal<'m>, Signal<'m>),
) -> CrossingWord<'m> {
    let depth = places.next_power_of_two().max(FULL_RATE);
    let queue = cross_inside(m, name, [from, to], CrossingParams::new(depth, data.width()));
    queue.push(push);
    queue.push_data(data);
    let valid = queue.valid();
    queue.pop(valid);
    m.in_domain(from, || m.always("a word with a credit finds a free place", !push | !queue.full()));
    CrossingWord { valid, data: queue.data() }
}
