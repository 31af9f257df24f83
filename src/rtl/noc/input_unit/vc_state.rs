//! State of the virtual channels: idle until route computation (RC), waiting until VC allocation, active until the tail
//! has won the switch.
//!
//! ```text
//!   occupied, arriving ---> start (RC) ---> to_output_k: the route
//!                              v
//!                 idle ---> waiting ---> active ---> idle, or the next packet's start (turn-around of 0)
//!                                  granted     done
//! ```
//!
//! Where the next packet asks for its output VC as the tail before it leaves, VC allocation looks at the packet that
//! comes, and switch allocation at the one that goes, as the registers have it.

use super::{
    context::InputUnitContext,
    storage::{Arrivals, Storage},
    vc_allocation::VcAllocation,
};
use blocks::popcount;
use hdl::{Signal, index_width, row};

/// Of all VCs, a bit each.
pub(super) struct VcState<'m> {
    waiting: Signal<'m>,
    active: Signal<'m>,
    idle: Signal<'m>,
    /// Where the next packet starts with the tail: VCs whose next packet starts as the tail leaves, from the buffer or as it arrives. Assigned later.
    turning: Option<[Signal<'m>; 2]>,
    /// A packet starts that is in the buffer.
    pub start_stored: Signal<'m>,
    /// A packet starts whose head is in the channel register.
    pub start_arrived: Signal<'m>,
    /// Either.
    start: Signal<'m>,
    /// By output: where the packet of each VC goes and keeps its routing class.
    pub routes: Vec<Signal<'m>>,
    /// By crossing: the same with the routing class changing, for VCs from which that may be.
    pub transition_routes: Vec<Vec<Signal<'m>>>,
    /// The same two of the packets that ask for the switch.
    pub sent_routes: Vec<Signal<'m>>,
    pub sent_transition_routes: Vec<Vec<Signal<'m>>>,
    /// By output: where the packet of each VC goes, by whatever way, from registers; where the router looks at loads.
    kept_routes: Vec<Signal<'m>>,
    /// By bit of what is kept of a packet with its route: that of each VC.
    more: Vec<Signal<'m>>,
    /// The same of the packets that ask for the switch.
    sent_more: Vec<Signal<'m>>,
}

/// A bit of what a packet takes with its route, of each VC: of the packet that asks for an output VC, and of the one that asks for the switch.
struct Taken<'m> {
    asked: Signal<'m>,
    sent: Signal<'m>,
}

impl<'m> Taken<'m> {
    fn split(all: impl Iterator<Item = Self>) -> (Vec<Signal<'m>>, Vec<Signal<'m>>) {
        all.map(|Self { asked, sent }| (asked, sent)).unzip()
    }
}

impl<'m> VcState<'m> {
    /// Registers, and RC.
    pub fn new(u: &InputUnitContext<'m>, arrivals: &Arrivals<'m>, storage: &Storage<'m>) -> Self {
        let InputUnitContext { m, vcs, merges, .. } = *u;
        m.comment("RC: an idle VC whose oldest flit is here takes its route.");
        let (waiting, active) = (m.register("waiting_vcs", vcs, 0), m.register("active_vcs", vcs, 0));
        let idle = m.wire("idle", !(waiting | active));
        // Then a stored packet starts as the tail before it leaves, so none is left to an idle VC.
        let turning = u.turns.then(|| [m.wire_later("turns_to_stored", vcs), m.wire_later("turns_to_arrived", vcs)]);
        let start_stored = m.wire("start_stored", turning.map_or(idle & storage.occupied, |[stored, _]| stored));
        let first = idle & !storage.occupied & arrivals.arriving;
        let start_arrived = m.wire("start_arrived", turning.map_or(first, |[_, arrived]| first | arrived));
        let exposed = storage.expose(u, start_stored);
        let start = m.wire("start", start_stored | start_arrived);

        let stored_to = |k: u32| start_stored & u.buffers.spread(exposed.iter().map(|route| route.bit(k)));
        let arrived_to = |k: u32| start_arrived & arrivals.route_bit(u, k);
        // `next` is what a register keeps; `stored` the same without what is arriving.
        let take = |name: (&str, u32), kept: Signal<'m>, next: Signal<'m>, stored: &dyn Fn() -> Signal<'m>| {
            let asked = match (merges.rc_va(), u.with_tail) {
                (true, _) => m.wire(name, next),
                (false, true) => m.wire(name, stored()),
                (false, false) => kept,
            };
            m.set(kept, if merges.rc_va() { asked } else { next });
            Taken { asked, sent: if u.with_tail { kept } else { asked } }
        };
        let mut kept_routes = vec![];
        let of_output = (0..u.outputs).map(|k| {
            let to = m.register(("to_output", k), vcs, 0);
            kept_routes.push(to);
            let next = (to & !start) | stored_to(k) | arrived_to(k);
            take(("now_to_output", k), to, next, &|| (to & !start_stored) | stored_to(k))
        });
        let (routes, sent_routes) = Taken::split(of_output);
        let mut crossing_routes = vec![];
        let transition_routes = (1..).zip(u.transitions.crossings()).map(|(n, crossing)| {
            let to_output = |k: u32| {
                let at = n * u.outputs + k;
                let (kept, merged) =
                    (format!("{}_to_output", crossing.name()), format!("{}_now_to_output", crossing.name()));
                let to = m.register((&kept, k), crossing.count(), 0);
                if u.rule.reads_loads() {
                    crossing_routes.push((k as usize, crossing.spread(to)));
                }
                let arrived = arrived_to(at);
                let next = (to & !crossing.of(start)) | crossing.of(stored_to(at) | arrived);
                take((&merged, k), to, next, &|| (to & !crossing.of(start_stored)) | crossing.of(stored_to(at)))
            };
            Taken::split((0..u.outputs).map(to_output))
        });
        let (transition_routes, sent_transition_routes) = transition_routes.unzip();
        crossing_routes.into_iter().for_each(|(k, to)| kept_routes[k] = kept_routes[k] | to);
        let more = (u.route_bits..u.route_bits + u.more_bits()).map(|k| {
            let number = k - u.route_bits;
            let kept = m.register(("packet_bit", number), vcs, 0);
            let next = (kept & !start) | stored_to(k) | arrived_to(k);
            take(("packet_bit_now", number), kept, next, &|| (kept & !start_stored) | stored_to(k))
        });
        let (more, sent_more) = Taken::split(more);
        Self {
            waiting,
            active,
            idle,
            turning,
            start_stored,
            start_arrived,
            start,
            routes,
            transition_routes,
            sent_routes,
            sent_transition_routes,
            kept_routes,
            more,
            sent_more,
        }
    }

    /// By output: how many packets wait for a VC of it.
    pub fn waits(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        let bits = index_width(u.vcs as usize + 1);
        row(self.kept_routes.iter().map(|to| popcount(*to & self.waiting).resize(bits)))
    }

    /// VCs whose packet has a priority, where packets may: of those that ask for an output VC.
    pub fn high(&self, u: &InputUnitContext<'m>) -> Option<Signal<'m>> {
        u.priority.then(|| self.more[0])
    }

    /// The same of those that ask for the switch.
    pub fn high_sent(&self, u: &InputUnitContext<'m>) -> Option<Signal<'m>> {
        u.priority.then(|| self.sent_more[0])
    }

    /// The length of the packet of each VC.
    pub fn lengths(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        let bits = &self.more[usize::from(u.priority)..];
        row((0..u.vcs).flat_map(|vc| bits.iter().map(move |bit| bit.bit(vc))))
    }

    /// VCs that ask for an output VC.
    pub fn asking(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        match (u.merges.rc_va(), u.with_tail) {
            (true, _) => u.m.wire("asking", self.waiting | self.start),
            (false, true) => u.m.wire("asking", self.waiting | self.start_stored),
            (false, false) => self.waiting,
        }
    }

    /// VCs that own an output VC.
    pub fn sending(&self, u: &InputUnitContext<'m>, granted: Signal<'m>) -> Signal<'m> {
        if u.merges.va_sa() { u.m.wire("sending", self.active | granted) } else { self.active }
    }

    /// The next state, where `sending` are the VCs that own an output VC and `done` those whose tail wins the switch.
    pub fn advance(&self, u: &InputUnitContext<'m>, va: &VcAllocation<'m>, sending: Signal<'m>, done: Signal<'m>) {
        let Self { waiting, active, start, .. } = *self;
        let VcAllocation { asking, granted, .. } = *va;
        match (u.merges.rc_va(), u.with_tail) {
            (true, _) => u.m.set(waiting, asking & !granted),
            (false, true) => u.m.set(waiting, (asking & !granted) | self.start_arrived),
            (false, false) => u.m.set(waiting, (waiting & !granted) | start),
        }
        match u.merges.va_sa() {
            false => u.m.set(active, (active & !done) | granted),
            true => u.m.set(active, sending & !done),
        }
    }

    /// Where it does: the packet behind a tail starts with it.
    pub fn turn(&self, u: &InputUnitContext<'m>, arrivals: &Arrivals<'m>, storage: &Storage<'m>, done: Signal<'m>) {
        let Some([stored, arrived]) = self.turning else { return };
        let emptied = u.buffers.merge(storage.buffers.iter().filter_map(|buffer| buffer.emptied()));
        u.m.assign(stored, done & storage.occupied & !emptied);
        u.m.assign(arrived, done & emptied & arrivals.arriving);
        u.m.always("no packet waits at an idle VC", (self.idle & storage.occupied).is_zero());
    }
}
