//! The accesses that shared memory has taken: a ring of places, whose oldest one the banks serve while beats of younger
//! ones arrive.
//!
//! ```text
//!  reserve, Access ------------->+------------------+--> room: another access can be chosen
//!  beat_valid, beat, active ---->| tail -> loading  |--> access: what the oldest one is
//!  served, go (banks) ---------->|     -> head      |--> groups: its threads that wait; occupied: groups that can be served
//!  may_leave ------------------->+------------------+--> leaves: none of its threads is left
//! ```
//!
//! Contract: an access is reserved at `tail`, its beats come one after the other, in the order of accesses, to
//! `loading`, and it leaves from `head` in the cycle in which its last group is served. From the choice of an access to
//! that cycle it takes beats + 3 cycles; [`CoreParams::shared_entries`] are as many places as are in use then when one
//! is chosen in every issue interval. With one beat an access is reserved in the cycle in which the next one is chosen:
//! `room` counts it.

use super::{
    shared_groups::{arrived_groups, regrouped},
    sub_word::SIZE_BITS,
};
use crate::{
    config::CoreParams,
    params::WARP,
    ports::{Access, AccessBeat},
};
use blocks::{atomic_alu::OPERATION_BITS, index_one_hot, one_hot_mux};
use hdl::{Builder, Bundle, Signal, bundle, index_width, mux, row as joined};

bundle! {
    /// An access in flight.
    pub struct SharedAccess(p: &CoreParams) {
        store: 1,
        size: SIZE_BITS,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        writes: 1,
        maybe atomic: u32::from(p.atomics),
        maybe operation: if p.atomics { OPERATION_BITS } else { 0 },
    }
}

/// The ring.
pub struct SharedQueue<'m> {
    /// The oldest access.
    pub access: SharedAccess<'m>,
    /// Its place.
    pub head: Signal<'m>,
    /// The place of the access whose beats arrive.
    pub loading: Signal<'m>,
    /// Threads of the oldest access that wait, by groups.
    pub groups: Vec<Signal<'m>>,
    /// Its groups that can be served, a bit each.
    pub occupied: Signal<'m>,
    head_hit: Signal<'m>,
    tail: Signal<'m>,
    busy: Signal<'m>,
    loaded: Signal<'m>,
    /// Threads that wait, of each place.
    pending: Vec<Signal<'m>>,
}

impl<'m> SharedQueue<'m> {
    /// Takes accesses and notes what has arrived of them.
    pub fn new(m: &'m Builder, p: &CoreParams, access: &Access<'m>, arrival: &AccessBeat<'m>) -> Self {
        m.comment("Accesses in flight: a ring of places.");
        let places = p.shared_entries();
        let bits = index_width(places as usize);
        let [tail, loading, head] = ["tail", "loading", "head"].map(|name| m.register(name, bits, 0));
        let (busy, loaded) = (m.register("busy", places, 0), m.register("loaded", places, 0));
        let pending: Vec<_> = (0..places).map(|place| m.register(("pending", place), WARP, 0)).collect();
        let accesses = m.memory("accesses", places as usize, SharedAccess::width(p));
        let Access { reserve, store, size, warp, destination, writes, atomic, operation, .. } = *access;
        let taken = SharedAccess { store, size, warp, destination, writes, atomic, operation };
        m.when(reserve, || {
            accesses.write(tail, taken.pack());
            m.set(tail, tail + 1);
        });
        let whole = arrival.beat_valid & arrival.beat.eq(p.beats() - 1);
        m.when(whole, || m.set(loading, loading + 1));
        m.always("a shared access comes when there is room", !reserve | !busy.at(tail));
        let reserved = busy.at(loading) & !loaded.at(loading);
        m.always("beats come for a reserved access", !arrival.beat_valid | reserved);

        let head_hit = m.wire("head_hit", index_one_hot(head, places));
        let waiting = m.wire("threads_waiting", one_hot_mux(head_hit, &pending));
        let groups = regrouped(&[waiting], p.group_threads());
        let occupied = joined(groups.iter().map(|group| group.any()));
        let here = arrived_groups(m, p, (reserve, tail), (arrival, loading));
        let occupied = here.map_or(occupied, |here| occupied & one_hot_mux(head_hit, &here));
        let access = SharedAccess::unpack(m.wire("access_now", accesses.read(head)), p);
        Self { access, head, loading, groups, occupied, head_hit, tail, busy, loaded, pending }
    }

    /// In a cycle of `go` the threads `served` of the oldest access are served. One: it leaves in this cycle, as none of
    /// its threads is left, or none waited.
    pub fn follow(
        &self,
        m: &'m Builder,
        p: &CoreParams,
        (go, served): (Signal<'m>, Signal<'m>),
        may_leave: Signal<'m>,
        (access, arrival): (&Access<'m>, &AccessBeat<'m>),
    ) -> Signal<'m> {
        let &AccessBeat { beat_valid: arrives, beat: arriving, active, .. } = arrival;
        let places = p.shared_entries();
        let served = m.wire("threads_served", served & go.repeat(WARP));
        let left = m.wire("threads_left", joined(self.groups.iter().copied()) & !served);
        let leaves = m.wire("leaves", may_leave & self.loaded.at(self.head) & !left.any());
        for (place, (pending, here)) in self.pending.iter().zip(self.head_hit.to_bits()).enumerate() {
            let arrives = arrives & self.loading.eq(place as u64);
            let remain = mux(here, left, *pending).parts(p.lanes).into_iter().enumerate();
            let next = remain.map(|(b, waiting)| mux(arrives & arriving.eq(b as u64), active, waiting));
            m.set(*pending, joined(next));
        }
        let of = |place: Signal<'m>, event: Signal<'m>| index_one_hot(place, places) & event.repeat(places);
        let whole = arrives & arriving.eq(p.beats() - 1);
        m.set(self.busy, self.busy & !of(self.head, leaves) | of(self.tail, access.reserve));
        m.set(self.loaded, self.loaded & !of(self.head, leaves) | of(self.loading, whole));
        m.when(leaves, || m.set(self.head, self.head + 1));
        m.always("an access that leaves is there", !leaves | self.busy.at(self.head));
        leaves
    }

    /// Whether another access can be chosen while one may be reserved.
    pub fn room(&self, p: &CoreParams, reserve: Signal<'m>) -> Signal<'m> {
        let free = |place: Signal<'m>| !self.busy.at(place);
        if p.beats() == 1 { mux(reserve, free(self.tail + 1), free(self.tail)) } else { free(self.tail) }
    }
}
