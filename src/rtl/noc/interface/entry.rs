//! Entry queue: packets in front of several injection lanes, in the order in which they came. Part of a network
//! interface, not a block.
//!
//! ```text
//!  packet, subnetwork, path --+----------------------------->|\\
//!                             |   +-------------+            | >--> front of the queue --> port choice --> lanes
//!                             `-->| entry queue |----------->|/                                |
//!                                 +-------------+<------------------ enters -------------------'
//! ```
//!
//! Each lane has places of its own, and which lane a packet takes is known here only. So the endpoint has credits for
//! the places of this queue; a packet leaves it for its lane as soon as that has a place, in the cycle in which it
//! comes when none is before it. A packet whose lane is full holds up those behind it.

use super::{InterfaceParams, Path, SenderLanes, ShownPacket, SplitQueues, lane::Lane};
use crate::route_unit::is_class;
use blocks::{Fifo, FifoParams, fifo};
use hdl::{Builder, Bundle, Signal, bundle, index_width, mux, row};

/// A packet with what was chosen for it as it came.
#[derive(Clone, Copy)]
pub(super) struct Entering<'m> {
    pub sent: ShownPacket<'m>,
    pub path: Path<'m>,
    /// Its subnetwork of those that the interface sends into, one-hot.
    pub into: Signal<'m>,
}

impl<'m> Entering<'m> {
    /// Shown under a condition.
    pub fn only_if(self, condition: Signal<'m>) -> Self {
        Self { sent: ShownPacket { valid: self.sent.valid & condition, ..self.sent }, ..self }
    }
}

/// What the widths of a packet that waits depend on.
struct Widths {
    p: InterfaceParams,
    /// Bits of what the lanes keep of a packet beside its way.
    contents: u32,
}

bundle! {
    struct WaitingPacket(w: &Widths) {
        into: w.p.sends_into().len() as u32,
        maybe route_class: w.p.queued_class_bits(),
        maybe waypoint: w.p.network.format.waypoint_bits(),
        maybe reply: w.p.both.into(),
        dest: w.p.network.format.node_bits,
        contents: w.contents,
    }
}

/// The packet whose turn it is, and the credit for the endpoint; `enters`: it goes into a lane.
pub(super) fn front<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    coming: Entering<'m>,
    enters: Signal<'m>,
) -> (Entering<'m>, Signal<'m>) {
    m.comment("Packets wait here while their lane is full.");
    let Entering { sent: ShownPacket { valid, dest, reply, contents }, path: Path { route_class, waypoint }, into } =
        coming;
    let widths = &Widths { p: *p, contents: contents.width() };
    let word = WaitingPacket { into, route_class, waypoint, reply, dest, contents }.pack();
    let queue = Fifo(
        m.instance("entry_queue", &fifo(FifoParams { depth: p.tx_credits(), width: word.width(), registered: false })),
    );
    let waits = queue.valid();
    queue.push(valid & (waits | !enters));
    queue.push_data(word);
    queue.pop(waits & enters);
    let some = m.wire("some_packet", waits | valid);
    let credit = m.delayed("credit", enters);
    let first = WaitingPacket::unpack(mux(waits, queue.data(), word), widths);
    let WaitingPacket { into, route_class, waypoint, reply, dest, contents } = first;
    let sent = ShownPacket { valid: some, dest, reply, contents };
    (Entering { sent, path: Path { route_class, waypoint }, into }, credit)
}

/// Injection lanes that have a place for a packet, a bit each.
pub(super) fn open<'m>(p: &InterfaceParams, used: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    row(used.into_iter().map(|used| used.ne(p.tx_queue_packets as u64)))
}

/// The sum.
fn total<'m>(parts: impl IntoIterator<Item = Signal<'m>>, bits: u32) -> Signal<'m> {
    parts.into_iter().map(|part| part.extend(bits)).reduce(|a, b| a + b).expect("there is a queue")
}

/// By queue of a subnetwork, in the order of their VCs: flits that may still enter.
fn free_of_queues<'m>(p: &InterfaceParams, split: SplitQueues, lanes: &[Lane<'m>]) -> Vec<Signal<'m>> {
    let free_of_vc = |vc: u32| {
        let lane = (vc % split.links) as usize;
        let vcs = p.queue_vcs(split, lane);
        let word = lanes[lane].free().expect("split queues tell their free places");
        let place = vcs.iter().position(|own| *own == vc).expect("a lane has its VCs");
        word.parts(word.width() / vcs.len() as u32)[place]
    };
    p.vcs_of(p.sends).map(free_of_vc).collect()
}

/// By queue: may a packet of this way enter it? Where the source decides the routing class, only those of its set of VCs.
fn allowed<'m>(m: &'m Builder, p: &InterfaceParams, path: &Path<'m>) -> Vec<Signal<'m>> {
    let (sets, routing_sets) = (p.network_of(p.sends).sets(), p.network.routing.vc_sets());
    let of_vc = |vc: u32| match path.route_class {
        Some(route_class) if routing_sets > 1 && !p.class_by_queue() => {
            is_class(route_class, routing_sets, sets.class(vc) % routing_sets)
        }
        _ => m.lit(1, 1),
    };
    p.vcs_of(p.sends).map(of_vc).collect()
}

/// How full split queues are.
pub(crate) struct QueueLevels<'m> {
    /// The packet at the front has more flits than there are places.
    pub full: Signal<'m>,
    /// It has not, but no queue that it may enter has places for all of them.
    pub fragmented: Signal<'m>,
    /// Flits in the queues.
    pub queued: Signal<'m>,
}

/// Split queues that the packet at the front may enter and that have places for all its flits, a bit each.
pub(super) fn open_queues<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    split: SplitQueues,
    front: &Entering<'m>,
    lanes: &[Lane<'m>],
    of: &SenderLanes<'_, 'm>,
) -> (Signal<'m>, QueueLevels<'m>) {
    let flits = m.wire("entering_flits", (of.flits)(front.sent.contents));
    let allowed = allowed(m, p, &front.path);
    let capacity = p.queue_packets() * of.longest as usize * allowed.len();
    let bits = index_width(capacity * lanes.len() + 1);
    let (mut open, mut free_of_all) = (vec![], vec![]);
    let (mut full, mut fragmented) = (m.lit(1, 0), m.lit(1, 0));
    for (s, lanes) in lanes.chunks(split.links as usize).enumerate() {
        let free = free_of_queues(p, split, lanes);
        let fits = |(free, allowed): (&Signal<'m>, &Signal<'m>)| free.ge(flits.resize(free.width())) & *allowed;
        let of_queues: Vec<_> = free.iter().zip(&allowed).map(fits).collect();
        let all = m.wire(("free_flits", s), total(free, bits));
        let waits = front.sent.valid & front.into.bit(s as u32) & !row(of_queues.iter().copied()).any();
        let enough = all.ge(flits.resize(bits));
        (full, fragmented) = (full | waits & !enough, fragmented | waits & enough);
        open.extend(of_queues);
        free_of_all.push(all);
    }
    let subnetworks = free_of_all.len();
    let queued = m.lit(bits, (capacity * subnetworks) as u64) - total(free_of_all, bits);
    (row(open), QueueLevels { full, fragmented, queued })
}

/// By queue of a subnetwork: flits in it. One that the packet may not enter counts as full.
pub(super) fn used_of_queues<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    (split, path): (SplitQueues, &Path<'m>),
    (lanes, longest): (&[Lane<'m>], u32),
) -> Vec<Signal<'m>> {
    let capacity = (p.queue_packets() * longest as usize) as u64;
    let used = |(free, allowed): (Signal<'m>, Signal<'m>)| {
        let full = !m.lit(free.width(), 0);
        mux(allowed, m.lit(free.width(), capacity) - free, full)
    };
    free_of_queues(p, split, lanes).into_iter().zip(allowed(m, p, path)).map(used).collect()
}

/// What enters each lane, a bit for each of its queues, of what enters the queues.
pub(super) fn of_lanes<'m>(p: &InterfaceParams, split: SplitQueues, enters: &[Signal<'m>]) -> Vec<Signal<'m>> {
    let vcs: Vec<u32> = p.vcs_of(p.sends).collect();
    let of_link = |enters: &[Signal<'m>], link: u32| {
        row(vcs.iter().zip(enters).filter(|(vc, _)| **vc % split.links == link).map(|(_, enter)| *enter))
    };
    enters.chunks(vcs.len()).flat_map(|enters| (0..split.links).map(move |link| of_link(enters, link))).collect()
}
