//! Flit buffer: one memory that holds a queue of flits for each virtual channel.
//!
//! ```text
//!                      +---------------------------------+
//!  push      (V) ----->| write pointer_v                 |-> occupied (V): the queue has a flit
//!  carried, payload -->|   -> memories, V * depth rows ->|-> front_carried, front_payload: oldest flit of `select`
//!  select    (V) ----->|      one write, one read port   |
//!  pop       (V) ----->| read pointer_v                  |
//!  [route (R)] ------->|   -> routes,  V * depth rows -> |-> [exposed_route (R)]: of the oldest flit of `expose`
//!  [expose (V)] ------>|                                 |
//!                      +---------------------------------+
//! ```
//!
//! Contract: `push`, `select`, `pop` and `expose` are one-hot or zero; `pop` is zero or equal to `select`. A flit
//! pushed in cycle t is at the front from t + 1 on. `front_*` and `exposed_route` follow their selects in the same
//! cycle and mean nothing when the select is zero. With `behind`, `exposed_route` is that of the flit behind the
//! oldest, and `emptied` (V) shows queues that `pop` leaves empty. After reset all queues are empty. Never: a flit is
//! pushed to a full queue or popped from an empty one (asserted). There is no counter: a queue knows whether it holds
//! anything, and its pointers meet when it runs empty.
//!
//! Tests: `tests/noc/`.

use super::VcDepths;
use crate::blocks::{at_most_one, one_hot_index, one_hot_mux};
use hdl::{Builder, Module, Signal, concat, index_width, mux, params, select};

/// Parameters of a [`flit_buffer`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlitBufferParams {
    /// Queues, 1 and up.
    pub vcs: u32,
    /// Flits of each queue, 1 and up.
    pub depths: VcDepths,
    /// Bits of control carried with a flit.
    pub carried: u32,
    /// Bits of payload.
    pub width: u32,
    /// Bits kept for a second reader, which looks at the front of another queue; 0: there is none.
    pub route: u32,
    /// The second reader looks at the flit behind the front, and `emptied` (V) tells of a queue whose last flit is popped.
    pub behind: bool,
}

/// A buffer for the flits of several virtual channels; see the [module documentation](self).
pub fn flit_buffer(p: FlitBufferParams) -> Module {
    let FlitBufferParams { vcs, depths, carried, width, route, behind } = p;
    let mut names = params! { vcs, depth: depths.of(0), carried, width, route };
    names.extend(depths.key(vcs));
    names.extend(behind.then(|| ("behind".into(), "1".into())));
    let m = Builder::new("flit_buffer", names);
    m.doc("A queue of flits for each virtual channel, in one memory.");
    let push = m.input("push", vcs);
    let (in_carried, in_payload) = (m.input("carried", carried), m.input("payload", width));
    let (selected, pop) = (m.input("select", vcs), m.input("pop", vcs));

    let queues = Queues { vcs, depths };
    let occupied = m.register("occupied_vcs", vcs, 0);
    let (push_at, pop_at) = (one_hot_index(push).named("push_at"), one_hot_index(selected).named("pop_at"));
    let read = queues.pointers(&m, "read");
    let write = queues.pointers(&m, "write");
    let (read_now, write_now) = (queues.choose(pop_at, &read), queues.choose(push_at, &write));
    queues.advance(&m, pop, (pop_at, read_now), &read);
    queues.advance(&m, push, (push_at, write_now), &write);
    let emptied = match (read_now, queues.choose(pop_at, &write)) {
        (Some(read), Some(end)) => pop & queues.next(pop_at, read).eq(end).repeat(vcs),
        _ => pop,
    };
    m.set(occupied, (occupied & !emptied) | push);
    if behind {
        m.output_of("emptied", emptied);
    }

    let rows = depths.sum(vcs);
    let control = m.memory("control_rows", rows, carried);
    let payload = m.memory("payload_rows", rows, width);
    let write_row = queues.row(&m, push_at, write_now).named("write_row");
    let read_row = queues.row(&m, pop_at, read_now).named("read_row");
    m.when(push.any(), || {
        control.write(write_row, in_carried);
        payload.write(write_row, in_payload);
    });
    m.output_of("occupied", occupied);
    m.output_of("front_carried", control.read(read_row));
    m.output_of("front_payload", payload.read(read_row));

    if route > 0 {
        let in_route = m.input("route", route);
        let expose_at = one_hot_index(m.input("expose", vcs));
        let routes = m.memory("route_rows", rows, route);
        m.when(push.any(), || routes.write(write_row, in_route));
        let front = queues.choose(expose_at, &read);
        let shown = if behind { front.map(|read| queues.next(expose_at, read)) } else { front };
        let exposed_row = queues.row(&m, expose_at, shown);
        m.output_of("exposed_route", routes.read(exposed_row));
    }

    m.always("at most one flit comes and one goes", at_most_one(push) & at_most_one(pop));
    m.always("a flit is taken from a queue that has one", (pop & !occupied).is_zero());
    let full = match (write_now, queues.choose(push_at, &read)) {
        (Some(write), Some(read)) => push & occupied & write.eq(read).repeat(vcs),
        _ => push & occupied,
    };
    m.always("no flit arrives for a full buffer", full.is_zero());
    m.finish()
}

/// Where the queues lie: one behind the other, each as a ring.
#[derive(Clone, Copy)]
struct Queues {
    vcs: u32,
    depths: VcDepths,
}

impl Queues {
    /// A pointer into each ring; none is needed for a ring of one.
    fn pointers<'m>(self, m: &'m Builder, name: &str) -> Vec<Signal<'m>> {
        let depth = self.depths.most(self.vcs);
        let queues = if depth == 1 { 0..0 } else { 0..self.vcs };
        queues.map(|v| m.register((name, "pointer", v), index_width(depth), 0)).collect()
    }

    fn choose<'m>(self, queue: Signal<'m>, pointers: &[Signal<'m>]) -> Option<Signal<'m>> {
        (!pointers.is_empty()).then(|| select(queue, pointers))
    }

    /// The place behind `pointer` in ring `queue`.
    fn next<'m>(self, queue: Signal<'m>, pointer: Signal<'m>) -> Signal<'m> {
        match self.depths.common(self.vcs) {
            Some(depth) if depth.is_power_of_two() => pointer + 1,
            Some(depth) => mux(pointer.eq(depth - 1), 0, pointer + 1),
            None => {
                let m = pointer.builder();
                let last = |v| m.lit(pointer.width(), self.depths.of(v) as u64 - 1);
                let lasts: Vec<_> = (0..self.vcs).map(last).collect();
                mux(pointer.eq(select(queue, &lasts)), 0, pointer + 1)
            }
        }
    }

    /// Moves the pointer of the queue set in `which`, whose value is `now`.
    fn advance<'m>(
        self,
        m: &'m Builder,
        which: Signal<'m>,
        (queue, now): (Signal<'m>, Option<Signal<'m>>),
        pointers: &[Signal<'m>],
    ) {
        if let Some(now) = now {
            let next = self.next(queue, now);
            for (bit, pointer) in which.to_bits().into_iter().zip(pointers) {
                m.when(bit, || m.set(*pointer, next));
            }
        }
    }

    /// Memory row of place `pointer` in ring `queue`.
    fn row<'m>(self, m: &'m Builder, queue: Signal<'m>, pointer: Option<Signal<'m>>) -> Signal<'m> {
        let Some(pointer) = pointer else { return queue };
        if self.vcs == 1 {
            return pointer;
        }
        if self.depths.common(self.vcs).is_some_and(usize::is_power_of_two) {
            return concat(&[queue, pointer]);
        }
        let width = index_width(self.depths.sum(self.vcs));
        let bases: Vec<_> = (0..self.vcs).map(|v| m.lit(width, self.depths.sum(v) as u64)).collect();
        select(queue, &bases) + pointer.resize(width)
    }
}

/// The words of `items` whose bit is set in the one-hot `which`; see [`one_hot_mux`].
pub(super) fn chosen<'m>(which: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    if let [one] = items { *one } else { one_hot_mux(which, items) }
}
