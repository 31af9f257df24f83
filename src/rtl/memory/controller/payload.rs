//! What is kept of a request until its data moves: everything but its place in the DRAM.
//!
//! ```text
//!             served in the order of arrival       served in any order
//!             +----------------------------+       +----------------------------------------------+
//!  taken   -->| queue of (who, mask, data) |  -->  | free place --> memory (who, mask, data)      |-> place of the arrival
//!             |                            |       |                   ^ place                    |
//!             |                            |  -->  | places in the order of service (queue)       |<- served: access, place
//!  leave   -->|                            |  -->  |                                              |-> full, any, next to leave
//!             +----------------------------+       +----------------------------------------------+
//! ```
//!
//! Contract: a request taken in cycle t is kept from t + 1 on until it leaves; requests leave in the order of service.

use super::{params::ControllerParams, queue::queue, service::Service};
use blocks::{index_one_hot, lowest_set, one_hot_index};
use hdl::{Builder, Signal, index_width, mux};

/// The payload of the requests; see the [module documentation](self).
pub(super) struct Payload<'m> {
    /// No request can be taken.
    pub(super) full: Signal<'m>,
    /// Some request is kept.
    pub(super) any: Signal<'m>,
    /// Where the request is kept that is taken, of requests that are served in any order.
    pub(super) place: Option<Signal<'m>>,
    /// Of the request that leaves next.
    pub(super) about: Signal<'m>,
    /// The line that it writes.
    pub(super) line: Signal<'m>,
    served: Option<(Signal<'m>, Signal<'m>)>,
}

impl<'m> Payload<'m> {
    /// Takes `about` and `line` with `taken`; with `leave` the first one of those served leaves.
    pub(super) fn new(
        m: &'m Builder,
        p: &ControllerParams,
        [taken, leave]: [Signal<'m>; 2],
        [about, line]: [Signal<'m>; 2],
    ) -> Self {
        if p.service.scheduler.policy().is_in_order() {
            Self::in_order(m, p, [taken, leave], [about, line])
        } else {
            Self::by_place(m, p, [taken, leave], [about, line])
        }
    }

    fn in_order(
        m: &'m Builder,
        p: &ControllerParams,
        [taken, leave]: [Signal<'m>; 2],
        [about, line]: [Signal<'m>; 2],
    ) -> Self {
        let requests = queue(m, "requests", p.queue_entries, taken, about);
        let lines = queue(m, "write_lines", p.queue_entries, taken, line);
        requests.pop(leave);
        lines.pop(leave);
        let (full, any, about) = (requests.full(), requests.valid(), requests.data());
        Self { full, any, place: None, about, line: lines.data(), served: None }
    }

    fn by_place(m: &'m Builder, p: &ControllerParams, [taken, leave]: [Signal<'m>; 2], words: [Signal<'m>; 2]) -> Self {
        let entries = p.queue_entries as u32;
        let used = m.register("used_places", entries, 0);
        let free = m.wire("free_place", lowest_set(!used));
        let place = m.wire("place", one_hot_index(free));
        let served = (m.wire_later("served", 1), m.wire_later("served_place", index_width(p.queue_entries)));
        let order = queue(m, "service_order", p.reply_entries.min(p.queue_entries), served.0, served.1);
        order.pop(leave);
        let leaving = order.data();
        let left = index_one_hot(leaving, entries) & leave.repeat(entries);
        m.set(used, mux(taken, used | free, used) & !left);
        m.always("only what is kept leaves", (left & !used).is_zero());
        let keep = |name: &str, word: Signal<'m>| {
            let memory = m.memory(name, p.queue_entries, word.width());
            m.when(taken, || memory.write(place, word));
            memory.read(leaving)
        };
        let (about, line) = (keep("requests", words[0]), keep("write_lines", words[1]));
        Self { full: used.all(), any: used.any(), place: Some(place), about, line, served: Some(served) }
    }

    /// Says which request is served in this cycle.
    pub(super) fn obey(&self, m: &'m Builder, service: &Service<'m>) {
        if let (Some((served, at)), Some(place)) = (self.served, service.place) {
            m.assign(served, service.access);
            m.assign(at, place);
        }
    }
}
