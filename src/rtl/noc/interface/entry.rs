//! Entry queue: packets in front of several injection lanes, in the order in which they came. Part of a network interface, not a block.
//!
//! ```text
//!  packet, subnetwork, path --+----------------------------->|\\
//!                             |   +-------------+            | >--> front of the queue --> port choice --> lanes
//!                             `-->| entry queue |----------->|/                                |
//!                                 +-------------+<------------------ enters -------------------'
//! ```
//!
//! Each lane has places of its own, and which lane a packet takes is known here only. So the endpoint has credits for the places of this
//! queue; a packet leaves it for its lane as soon as that has a place, in the cycle in which it comes when none is before it. A packet
//! whose lane is full holds up those behind it.

use super::{InterfaceParams, Path, Sent};
use crate::blocks::{FifoParams, fifo};
use hdl::{Builder, Bundle, Signal, bundle, mux, row};

/// A packet with what was chosen for it as it came.
#[derive(Clone, Copy)]
pub(super) struct Entering<'m> {
    pub sent: Sent<'m>,
    pub path: Path<'m>,
    /// Its subnetwork of those that the interface sends into, one-hot.
    pub into: Signal<'m>,
}

/// What the widths of a packet that waits depend on.
struct Widths {
    p: InterfaceParams,
    /// Bits of what the lanes keep of a packet beside its way.
    contents: u32,
}

bundle! {
    struct Waiting(w: &Widths) {
        into: w.p.sends_into().len() as u32,
        maybe yx: w.p.routing_class_bits(),
        maybe via: w.p.network.format.via_bits(),
        maybe reply: w.p.both.into(),
        dest: w.p.network.format.node_bits,
        contents: w.contents,
    }
}

/// The packet whose turn it is; `enters`: it goes into a lane. Declares the output `tx_credit`.
pub(super) fn front<'m>(m: &'m Builder, p: &InterfaceParams, coming: Entering<'m>, enters: Signal<'m>) -> Entering<'m> {
    m.comment("Packets wait here while their lane is full.");
    let Entering { sent: Sent { valid, dest, reply, contents }, path: Path { yx, via }, into } = coming;
    let widths = &Widths { p: *p, contents: contents.width() };
    let word = Waiting { into, yx, via, reply, dest, contents }.pack();
    let queue = m.instance(
        "entry_queue",
        &fifo(FifoParams { depth: p.tx_queue_packets, width: word.width(), registered: false }),
    );
    let waits = queue.get("valid");
    queue.drive("push", valid & (waits | !enters));
    queue.drive("push_data", word);
    queue.drive("pop", waits & enters);
    let some = m.wire("some_packet", waits | valid);
    m.output_of("tx_credit", m.delayed("credit", enters));
    let first = Waiting::unpack(mux(waits, queue.get("data"), word), widths);
    let Waiting { into, yx, via, reply, dest, contents } = first;
    Entering { sent: Sent { valid: some, dest, reply, contents }, path: Path { yx, via }, into }
}

/// Injection lanes that have a place for a packet, a bit each.
pub(super) fn open<'m>(p: &InterfaceParams, used: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    row(used.into_iter().map(|used| used.ne(p.tx_queue_packets as u64)))
}
