//! Split lane: the queues of the VCs that share a link into a router, and the link. Lanes of interfaces and of
//! injectors are made with it.
//!
//! ```text
//!                    +----------------------------------------------+
//!  enter (Q) ------->| queue of VC v0 --+                           |
//!  packet_* -------->| queue of VC v1 --+--> arbiter --> output     |--> out_valid, ... out_payload
//!                    | ...              |                register   |
//!  free (Q * F) <----| free places      +<-- credit counters        |<-- out_credit (V)
//!  here (N) -------->|                                              |
//!                    +----------------------------------------------+
//! ```
//!
//! A queue is a VC: a packet that enters a queue has its VC, and every queue with a flit and a credit may send. With a
//! link for each VC there is no arbiter; of several queues that share a link one sends in a cycle, in turn. Packets of
//! one queue keep their order, those of different queues do not.
//!
//! Contract: a packet that enters in cycle t goes to the channel from t + 2 on, when nothing is before it, one flit a
//! cycle and link. `free` is a register: flits that may still enter each queue. Reset: empty, all credits. Never: a
//! packet enters a queue without places for all its flits (asserted).
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 4.1 and figure 7b. Tests: `tests/noc/networks/split_queues.rs`.

use super::{
    InterfaceParams, SplitQueues,
    injection_lane::PacketLanePorts,
    lane::{LaneForm, LanePorts},
    split_queue::{SplitQueue, WaitingFlit, split_queue},
};
use crate::channel::{Flit, Info};
use blocks::{ArbiterKind, CreditCounter, arbitrate, credit_counter, one_hot_mux};
use hdl::{Builder, Bundle, Module, Signal, index_width, mux, row, statistics};

statistics! {
    "split_lane" {
        /// Packets whose tail has left.
        PACKETS_SENT: packets_sent in "packets";
        /// Flits sent to the router.
        FLITS_SENT: flits_sent in "flits";
        /// Cycles in which a queue has a flit and its virtual channel no credit.
        CREDIT_STALL_CYCLES: credit_stall_cycles in "cycles";
        /// Cycles in which a queue with a flit and a credit leaves the link to another queue.
        LINK_STALL_CYCLES: link_stall_cycles in "cycles";
    }
}

/// What a queue shows of its oldest packet: the next flit.
pub(crate) struct Front<'m> {
    pub waiting: Signal<'m>,
    pub first: Signal<'m>,
    pub last: Signal<'m>,
    pub flit: WaitingFlit<'m>,
}

/// What a queue is made with.
pub(crate) struct Queue<'m> {
    /// Its number in the lane.
    pub number: usize,
    /// The packet at the inputs enters it.
    pub enter: Signal<'m>,
    /// The flit that it shows leaves.
    pub pop: Signal<'m>,
}

impl InterfaceParams {
    /// VCs of the queues of an injection lane of split queues.
    pub(crate) fn queue_vcs(&self, SplitQueues { links }: SplitQueues, lane: usize) -> Vec<u32> {
        self.vcs_of(self.sends).filter(|vc| vc % links == lane as u32 % links).collect()
    }

    /// Packets of the longest kind that a split queue holds.
    pub fn queue_packets(&self) -> usize {
        self.tx_queue_packets / self.vcs_of(self.sends).len()
    }

    /// Bits of a routing class that packets in a lane carry: none where it follows from the VC.
    pub(crate) fn queued_class_bits(&self) -> u32 {
        if self.class_by_queue() { 0 } else { self.routing_class_bits() }
    }

    /// The queue that a packet is put into decides its routing class, not the other way: adaptive packets may start on the escape path.
    pub(crate) fn class_by_queue(&self) -> bool {
        self.split.is_some() && self.network.routing.rule().has_escapes()
    }
}

/// A lane with queues that `queue` makes in `m`, of packets of `length` (at the inputs of the lane), the longest of `longest` flits.
pub(crate) fn split_lane<'m>(
    m: &'m Builder,
    p: &InterfaceParams,
    (split, lane): (SplitQueues, usize),
    (length, longest): (Signal<'m>, u32),
    queue: impl Fn(Queue<'m>) -> Front<'m>,
) {
    let network = p.network_of(p.sends);
    let format = network.format;
    let (vcs, capacity) = (p.queue_vcs(split, lane), p.queue_packets() * longest as usize);
    let count = vcs.len();
    let io = LanePorts::new(m, &LaneForm::split(count as u32, capacity, format));
    let (here, enter, credit) = (io.here(), io.enter(), io.flit().answer());
    let sending = m.wire_later("sending", count as u32);

    let (mut fronts, mut frees, mut credits) = (vec![], vec![], vec![]);
    for (number, &vc) in vcs.iter().enumerate() {
        let (enter, pop) = (enter.bit(number as u32), sending.bit(number as u32));
        fronts.push(queue(Queue { number, enter, pop }));
        let free = m.register(("free_of_queue", number), index_width(capacity + 1), capacity as u64);
        let entering = mux(enter, length.resize(free.width()), 0);
        m.set(free, free - entering + pop.extend(free.width()));
        m.always(&format!("a packet enters only free places (queue {number})"), !enter | entering.le(free));
        frees.push(free);
        let counter = CreditCounter(m.instance(("credits_vc", vc), &credit_counter(network.depths().of(vc))));
        counter.send(pop);
        // The whole word is read, so that no bit is left unread; credits of other VCs do not arrive here.
        let own = if format.vcs == 1 { credit } else { (credit & m.lit(format.vcs, 1 << vc)).any() };
        counter.credit(own);
        credits.push(counter.available());
    }
    io.free(row(frees));

    let waiting = row(fronts.iter().map(|front| front.waiting));
    let ready = m.wire("ready_queues", waiting & row(credits));
    if count > 1 {
        m.comment("One of the queues of the link sends, in turn.");
    }
    m.assign(sending, arbitrate(m, "queue_arbiter", ArbiterKind::RoundRobin, ready, m.lit(1, 1)));
    let any = m.wire("any_sending", sending.any());
    let of_sender = |field: &dyn Fn(&Front<'m>) -> Signal<'m>| match &fronts[..] {
        [one] => field(one),
        several => one_hot_mux(sending, &several.iter().map(field).collect::<Vec<_>>()),
    };
    let maybe_of_sender = |field: fn(&WaitingFlit<'m>) -> Option<Signal<'m>>| {
        let same = "all queues have the same fields";
        field(&fronts[0].flit).map(|_| of_sender(&|front| field(&front.flit).expect(same)))
    };
    let constants = |value: &dyn Fn(u32) -> u64, bits: u32| {
        let of_queue: Vec<_> = vcs.iter().map(|&vc| m.lit(bits, value(vc))).collect();
        if count == 1 { of_queue[0] } else { one_hot_mux(sending, &of_queue) }
    };
    let set = |vc: u32| u64::from(network.sets().class(vc) % network.routing.vc_sets());
    let route_class = match p.class_by_queue() {
        true => Some(constants(&set, format.class_bits)),
        false => maybe_of_sender(|flit| flit.route_class),
    };
    let waypoint = maybe_of_sender(|flit| flit.waypoint);

    m.comment("The output register.");
    let flit = Flit {
        valid: m.delayed("valid", any),
        head: m.captured("head", any, of_sender(&|front| front.first)),
        tail: m.captured("tail", any, of_sender(&|front| front.last)),
        vc: m.captured("vc", any, constants(&|vc| vc.into(), format.vc_bits())),
        dest: m.captured("dest", any, of_sender(&|front| front.flit.dest)),
        route_class: route_class
            .map_or(m.lit(format.class_bits, 0), |route_class| m.captured("route_class", any, route_class)),
        waypoint: waypoint.map(|waypoint| m.captured("waypoint", any, waypoint)),
        priority: format.constant_priority(m, p.first_priority()),
        length: maybe_of_sender(|flit| flit.flits)
            .map(|flits| m.captured("length", any, flits.resize(format.length_bits))),
        info: {
            let sideband = of_sender(&|front| front.flit.sideband);
            m.captured("info", any, Info { source: here, sideband }.pack())
        },
        payload: m.captured("payload", any, of_sender(&|front| front.flit.payload)),
    };
    io.flit().shows(flit);
    m.count(PACKETS_SENT, (sending & row(fronts.iter().map(|front| front.last))).any());
    m.count(FLITS_SENT, any);
    m.count(CREDIT_STALL_CYCLES, (waiting & !ready).any());
    if count > 1 {
        m.count(LINK_STALL_CYCLES, (ready & !sending).any());
    }
}

/// A lane of an interface with split queues.
pub fn reply_lane(p: &InterfaceParams, split: SplitQueues, lane: usize) -> Module {
    let names = p.lane_parameters(p.sends).beside("queues", &p.queue_vcs(split, lane));
    let m = Builder::new("split_lane", names);
    m.doc("Packets for one link of an injection port, in a queue for each virtual channel.");
    let packet = PacketLanePorts::new(&m, p).packet();
    let module = split_queue(p, p.queue_packets());
    split_lane(&m, p, (split, lane), (packet.flits, p.sent().most_flits()), |Queue { number, enter, pop }| {
        let queue = SplitQueue(m.instance(("queue", number), &module));
        queue.packet(packet);
        queue.enter(enter);
        queue.pop(pop);
        Front { waiting: queue.waiting(), first: queue.first(), last: queue.last(), flit: queue.front() }
    });
    m.finish()
}
