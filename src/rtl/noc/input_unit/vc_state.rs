//! State of the virtual channels: idle until route computation (RC), waiting until VC allocation, active until the tail
//! has won the switch.
//!
//! ```text
//!   occupied, arriving ---> start (RC) ---> to_output_k: the route
//!                              v
//!                 idle ---> waiting ---> active ---> idle, or the next packet's start (turn-around of 0)
//!                                  granted     done
//! ```

use super::{Arrivals, InputUnitContext, Storage, VcAllocation};
use crate::blocks::popcount;
use hdl::{Signal, index_width, row};

/// Of all VCs, a bit each.
pub(super) struct VcState<'m> {
    waiting: Signal<'m>,
    active: Signal<'m>,
    idle: Signal<'m>,
    /// With a turn-around of 0: VCs whose next packet starts as the tail leaves, from the buffer or as it arrives. Assigned later.
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
    /// By output: where the packet of each VC goes, by whatever way, from registers; where the router looks at loads.
    kept_routes: Vec<Signal<'m>>,
    /// By bit of what is kept of a packet with its route: that of each VC.
    more: Vec<Signal<'m>>,
}

impl<'m> VcState<'m> {
    /// Registers, and RC.
    pub fn new(u: &InputUnitContext<'m>, arrivals: &Arrivals<'m>, storage: &Storage<'m>) -> Self {
        let InputUnitContext { m, vcs, merges, .. } = *u;
        m.comment("RC: an idle VC whose oldest flit is here takes its route.");
        let (waiting, active) = (m.register("waiting_vcs", vcs, 0), m.register("active_vcs", vcs, 0));
        let idle = m.wire("idle", !(waiting | active));
        // With a turn-around of 0 a stored packet starts as the tail before it leaves, so none is left to an idle VC.
        let turning = u.turns.then(|| [m.wire_later("turns_to_stored", vcs), m.wire_later("turns_to_arrived", vcs)]);
        let start_stored = m.wire("start_stored", turning.map_or(idle & storage.occupied, |[stored, _]| stored));
        let first = idle & !storage.occupied & arrivals.arriving;
        let start_arrived = m.wire("start_arrived", turning.map_or(first, |[_, arrived]| first | arrived));
        let exposed = storage.expose(u, start_stored);
        let start = m.wire("start", start_stored | start_arrived);

        let stored_to = |k: u32| start_stored & u.buffers.spread(exposed.iter().map(|route| route.bit(k)));
        let arrived_to = |k: u32| start_arrived & arrivals.route_bit(u, k);
        let now = |name: (&str, u32), next| if merges.rc_va() { m.wire(name, next) } else { next };
        let mut kept_routes = vec![];
        let routes = (0..u.outputs).map(|k| {
            let to = m.register(("to_output", k), vcs, 0);
            kept_routes.push(to);
            let next = now(("now_to_output", k), (to & !start) | stored_to(k) | arrived_to(k));
            m.set(to, next);
            if merges.rc_va() { next } else { to }
        });
        let routes = routes.collect();
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
                let next = now((&merged, k), next);
                m.set(to, next);
                if merges.rc_va() { next } else { to }
            };
            (0..u.outputs).map(to_output).collect()
        });
        let transition_routes = transition_routes.collect();
        crossing_routes.into_iter().for_each(|(k, to)| kept_routes[k] = kept_routes[k] | to);
        let more = (u.route_bits()..u.route_bits() + u.more_bits()).map(|k| {
            let number = k - u.route_bits();
            let kept = m.register(("packet_bit", number), vcs, 0);
            let next = now(("packet_bit_now", number), (kept & !start) | stored_to(k) | arrived_to(k));
            m.set(kept, next);
            if merges.rc_va() { next } else { kept }
        });
        let more = more.collect();
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
            kept_routes,
            more,
        }
    }

    /// By output: how many packets wait for a VC of it.
    pub fn waits(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        let bits = index_width(u.vcs as usize + 1);
        row(self.kept_routes.iter().map(|to| popcount(*to & self.waiting).resize(bits)))
    }

    /// VCs whose packet has a priority, where packets may.
    pub fn high(&self, u: &InputUnitContext<'m>) -> Option<Signal<'m>> {
        u.priority.then(|| self.more[0])
    }

    /// The length of the packet of each VC.
    pub fn lengths(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        let bits = &self.more[usize::from(u.priority)..];
        row((0..u.vcs).flat_map(|vc| bits.iter().map(move |bit| bit.bit(vc))))
    }

    /// VCs that ask for an output VC.
    pub fn asking(&self, u: &InputUnitContext<'m>) -> Signal<'m> {
        if u.merges.rc_va() { u.m.wire("asking", self.waiting | self.start) } else { self.waiting }
    }

    /// VCs that own an output VC.
    pub fn sending(&self, u: &InputUnitContext<'m>, granted: Signal<'m>) -> Signal<'m> {
        if u.merges.va_sa() { u.m.wire("sending", self.active | granted) } else { self.active }
    }

    /// The next state, where `sending` are the VCs that own an output VC and `done` those whose tail wins the switch.
    pub fn advance(&self, u: &InputUnitContext<'m>, va: &VcAllocation<'m>, sending: Signal<'m>, done: Signal<'m>) {
        let Self { waiting, active, start, .. } = *self;
        let VcAllocation { asking, granted, .. } = *va;
        match u.merges.rc_va() {
            false => u.m.set(waiting, (waiting & !granted) | start),
            true => u.m.set(waiting, asking & !granted),
        }
        match u.merges.va_sa() {
            false => u.m.set(active, (active & !done) | granted),
            true => u.m.set(active, sending & !done),
        }
    }

    /// With a turn-around of 0: the packet behind a tail starts with it.
    pub fn turn(&self, u: &InputUnitContext<'m>, arrivals: &Arrivals<'m>, storage: &Storage<'m>, done: Signal<'m>) {
        let Some([stored, arrived]) = self.turning else { return };
        let emptied = u.buffers.merge(storage.buffers.iter().map(|buffer| buffer.get("emptied")));
        u.m.assign(stored, done & storage.occupied & !emptied);
        u.m.assign(arrived, done & emptied & arrivals.arriving);
        u.m.always("no packet waits at an idle VC", (self.idle & storage.occupied).is_zero());
    }
}
