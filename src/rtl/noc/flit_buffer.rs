//! Flit buffer: a queue of flits for each virtual channel; the payload of all in one memory, control in one of each queue.
//!
//! ```text
//!                      +---------------------------------+
//!  push      (V) ----->| write pointer_v                 |-> occupied (V): the queue has a flit
//!  carried, payload -->|   -> memories, V * depth rows ->|-> front_carried, front_payload: oldest flit of `select`
//!  select    (V) ----->|    (carried: V of depth rows)   |
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
use blocks::{at_most_one, one_hot_index, one_hot_mux};
use hdl::{Builder, Module, Signal, concat, index_width, mux, params, ports, row, select};

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

ports! {
    /// Ports of a [`flit_buffer`].
    pub struct FlitBufferPorts(p: &FlitBufferParams) of FlitBuffer {
        /// The queue that a flit is put in, one-hot, or none.
        in push: p.vcs,
        /// Control of that flit.
        in carried: p.carried,
        /// Its payload.
        in payload: p.width,
        /// The queue whose oldest flit is shown, one-hot.
        in select: p.vcs,
        /// The queue whose oldest flit is taken: that one, or none.
        in pop: p.vcs,
        /// Queues whose last flit is taken.
        maybe (p.behind) out emptied: p.vcs,
        /// Queues with a flit.
        out occupied: p.vcs,
        /// Control of the flit that is shown.
        out front_carried: p.carried,
        /// Its payload.
        out front_payload: p.width,
        /// Of the flit that is put in, bits for the second reader.
        maybe (p.route > 0) in route: p.route,
        /// The queue that the second reader looks at, one-hot.
        maybe (p.route > 0) in expose: p.vcs,
        /// What it sees there.
        maybe (p.route > 0) out exposed_route: p.route,
    }
}

/// A buffer for the flits of several virtual channels; see the [module documentation](self).
pub fn flit_buffer(p: FlitBufferParams) -> Module {
    let FlitBufferParams { vcs, depths, carried, width, route, behind } = p;
    let unequal = depths.common(vcs).is_none().then_some(depths);
    let names = params! { vcs, depth: depths.of(0), carried, width, route, behind; depths: unequal };
    let m = Builder::new("flit_buffer", names);
    m.doc("A queue of flits for each virtual channel, their payload in one memory.");
    let io = FlitBufferPorts::new(&m, &p);
    let (push, in_carried, in_payload) = (io.push(), io.carried(), io.payload());
    let (selected, pop) = (io.select(), io.pop());

    let queues = Queues { vcs, depths };
    let occupied = m.register("occupied_vcs", vcs, 0);
    let (push_at, pop_at) = (one_hot_index(push).named("push_at"), one_hot_index(selected).named("pop_at"));
    let read = queues.pointers(&m, "read");
    let write = queues.pointers(&m, "write");
    let (read_now, write_now) = (queues.choose(pop_at, &read), queues.choose(push_at, &write));
    let read_next = queues.advance(&m, pop, &read);
    queues.advance(&m, push, &write);
    // A queue of one place has no pointers.
    let emptied = match &read_next[..] {
        [] => pop,
        next => pop & row(next.iter().zip(&write).map(|(next, end)| next.eq(*end))),
    };
    m.set(occupied, (occupied & !emptied) | push);
    if behind {
        io.emptied(emptied);
    }

    let rows = depths.sum(vcs);
    let payload = m.memory("payload_rows", rows, width);
    let write_row = queues.row(&m, push_at, write_now).named("write_row");
    let read_row = queues.row(&m, pop_at, read_now).named("read_row");
    m.when(push.any(), || payload.write(write_row, in_payload));
    m.comment("Control of the oldest flit of each queue is there before one is selected.");
    let fronts = queues.fronts(&m, (push, in_carried), (&read, &write));
    io.occupied(occupied);
    io.front_carried(chosen(selected, &fronts));
    io.front_payload(payload.read(read_row));

    if let (Some(in_route), Some(expose)) = (io.route(), io.expose()) {
        let expose_at = one_hot_index(expose);
        let routes = m.memory("route_rows", rows, route);
        m.when(push.any(), || routes.write(write_row, in_route));
        let shown = queues.choose(expose_at, if behind { &read_next } else { &read });
        let exposed_row = queues.row(&m, expose_at, shown);
        io.exposed_route(routes.read(exposed_row));
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

    /// Moves the pointers of the queues set in `which`; the places behind all pointers, which wait for no `which`.
    fn advance<'m>(self, m: &'m Builder, which: Signal<'m>, pointers: &[Signal<'m>]) -> Vec<Signal<'m>> {
        let next = |(v, &pointer): (u32, &Signal<'m>)| {
            let depth = self.depths.of(v);
            let wraps_itself = depth == 1 << pointer.width();
            if wraps_itself { pointer + 1 } else { mux(pointer.eq(depth - 1), 0, pointer + 1) }
        };
        let next: Vec<_> = (0..).zip(pointers).map(next).collect();
        for ((bit, pointer), next) in which.to_bits().into_iter().zip(pointers).zip(&next) {
            m.when(bit, || m.set(*pointer, *next));
        }
        next
    }

    /// The oldest word of each queue, where `word` is what is pushed.
    fn fronts<'m>(
        self,
        m: &'m Builder,
        (push, word): (Signal<'m>, Signal<'m>),
        (read, write): (&[Signal<'m>], &[Signal<'m>]),
    ) -> Vec<Signal<'m>> {
        let front = |v: u32| {
            let control = m.memory(("control_rows", v), self.depths.of(v), word.width());
            let place = |pointers: &[Signal<'m>]| {
                let width = control.address_width();
                pointers.get(v as usize).map_or_else(|| m.lit(width, 0), |pointer| pointer.bits(0, width))
            };
            m.when(push.bit(v), || control.write(place(write), word));
            control.read(place(read))
        };
        (0..self.vcs).map(front).collect()
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
