//! Split queue: packets for one VC of an injection port, written whole in a cycle, read flit by flit.
//!
//! ```text
//!                     +------------------------------------------------+
//!  enter (1) -------->| rotator --> banks of flits ------> word of the |--> waiting (1), first (1), last (1)
//!  packet_* --------->|  (a bank for each flit of the      next flit   |--> front_dest, [_route_class, _waypoint, _flits], _sideband
//!                     |   longest packet)                              |--> front_payload (W)
//!  pop (1) ---------->| fields of packets in a FIFO queue              |
//!                     +------------------------------------------------+
//! ```
//!
//! Its places are flits, so a queue that holds one packet of the longest kind holds as many of one flit as that has.
//! Flit `i` of a packet that enters with the write pointer in bank `b` goes to bank `(b + i) mod banks`: all flits of a
//! packet are written at once, each to another bank.
//!
//! Contract: a packet that enters in cycle t is shown from t + 1 on, when nothing is before it; `pop` removes the flit
//! that is shown. Reset: empty. Never: a packet enters that has no place (asserted by the lane, which counts them), or
//! with more flits than the longest has, `pop` without `waiting` (asserted).
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section
//! 4.1 and figure 7b. Testbench: `testbenches/split_queue/`; tests: `tests/noc/networks/split_queues.rs`.

use super::{
    InterfaceParams,
    injection_lane::{Heading, QueuedPacket, Storage},
};
use blocks::{Fifo, FifoParams, fifo};
use hdl::{Builder, Bundle, Module, Signal, bundle, index_width, mux, ports, select};

bundle! {
    /// The next flit of a queue, with what the lane needs to know of its packet.
    pub(crate) struct WaitingFlit(p: &InterfaceParams) {
        dest: p.network.format.node_bits,
        maybe route_class: p.queued_class_bits(),
        maybe waypoint: p.network.format.waypoint_bits(),
        /// Length of the packet, where flits carry it.
        maybe flits: if p.network_of(p.sends).format.length_bits > 0 { p.sent().length_bits() } else { 0 },
        sideband: p.network.format.sideband_bits,
        payload: p.network_of(p.sends).format.width,
    }
}

ports! {
    /// Ports of a [`split_queue`].
    pub(crate) struct SplitQueuePorts(p: &InterfaceParams) of SplitQueue {
        /// A packet enters.
        in enter: 1,
        /// The flit that is shown leaves.
        in pop: 1,
        /// The packet.
        in packet: bundle QueuedPacket(p),
        /// A flit is shown.
        out waiting: 1,
        /// It is the first of its packet.
        out first: 1,
        /// It is the last.
        out last: 1,
        /// That flit.
        out front: bundle WaitingFlit(p),
    }
}

/// A queue of `packets` packets of the longest kind; see the [module documentation](self).
pub fn split_queue(p: &InterfaceParams, packets: usize) -> Module {
    let format = p.network_of(p.sends).format;
    let m = Builder::new("split_queue", p.lane_parameters(p.sends).beside("packets", &packets));
    m.doc("Packets for one virtual channel, written whole, read flit by flit.");
    let io = SplitQueuePorts::new(&m, p);
    let (enter, pop) = (io.enter(), io.pop());
    let QueuedPacket { route_class, waypoint, dest, flits, sideband, payload } = io.packet();
    let banks = p.sent().most_flits();
    m.always("a packet has flits, and not too many", !enter | (flits.any() & flits.le(u64::from(banks))));

    m.comment("Fields of the packets.");
    let heading = Heading { route_class, waypoint, dest, flits, sideband }.pack();
    let depth = packets * banks as usize;
    let fields = Fifo(m.instance("fields", &fifo(FifoParams { depth, width: heading.width(), registered: false })));
    let last = m.wire_later("last_flit", 1);
    fields.push(enter);
    fields.push_data(heading);
    fields.pop(pop & last);
    let waiting = fields.valid();
    let Heading { route_class, waypoint, dest, flits: length, sideband } = Heading::unpack(fields.data(), p);

    let first = match banks {
        1 => {
            m.assign(last, m.lit(1, 1));
            m.lit(1, 1)
        }
        _ => {
            let index = m.register("flit_index", index_width(banks as usize), 0);
            m.assign(last, index.eq((length - 1).resize(index.width())));
            m.when(pop, || m.set(index, mux(last, 0, index + 1)));
            index.is_zero()
        }
    };

    m.comment("Flits: a packet is written from the write pointer on, each flit to another bank.");
    let write = FlitPointer::new(&m, "write", banks, packets);
    let read = FlitPointer::new(&m, "read", banks, packets);
    let words = payload.resize(banks * format.width).parts(format.width);
    let reads = (0..banks).map(|b| {
        let bank = Storage::new(&m, ("bank", b), packets, format.width);
        let (word, has, row) = write.flit_of(&m, b, &words, flits);
        m.when(enter & has, || bank.write(row, word));
        bank.read(read.row)
    });
    let reads: Vec<_> = reads.collect();
    write.step(&m, enter, flits);
    read.step(&m, pop, m.lit(1, 1));
    m.always("only a flit that is here is taken", !pop | waiting);

    io.waiting(waiting);
    io.first(first);
    io.last(last);
    let flits = (format.length_bits > 0).then_some(length);
    let payload = if banks == 1 { reads[0] } else { select(read.bank, &reads) };
    io.front(WaitingFlit { dest, route_class, waypoint, flits, sideband, payload });
    m.finish()
}

/// A place for a flit: its bank, and its row there.
struct FlitPointer<'m> {
    bank: Signal<'m>,
    row: Signal<'m>,
    banks: u32,
    rows: usize,
}

impl<'m> FlitPointer<'m> {
    fn new(m: &'m Builder, name: &str, banks: u32, rows: usize) -> Self {
        let part = |what: &str, count: usize| match count {
            1 => m.lit(1, 0),
            _ => m.register((name, what), index_width(count), 0),
        };
        Self { bank: part("bank", banks as usize), row: part("row", rows), banks, rows }
    }

    /// The flit of a packet of `flits` flits that goes to bank `b` from here on: its word, whether there is one, and its row.
    fn flit_of(
        &self,
        m: &'m Builder,
        b: u32,
        words: &[Signal<'m>],
        flits: Signal<'m>,
    ) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
        if self.banks == 1 {
            return (words[0], m.lit(1, 1), self.row);
        }
        // By the bank in which the packet begins: the number of the flit.
        let number = |begins: u32| (b + self.banks - begins) % self.banks;
        let of_begin: Vec<_> = (0..self.banks).map(|begins| words[number(begins) as usize]).collect();
        let has: Vec<_> = (0..self.banks).map(|begins| flits.gt(u64::from(number(begins)))).collect();
        let behind = self.bank.gt(u64::from(b));
        (select(self.bank, &of_begin), select(self.bank, &has), mux(behind, self.next_row(), self.row))
    }

    fn next_row(&self) -> Signal<'m> {
        match self.rows {
            1 => self.row,
            rows if rows.is_power_of_two() => self.row + 1,
            rows => mux(self.row.eq(rows as u64 - 1), 0, self.row + 1),
        }
    }

    /// Moves `by` flits (up to as many as there are banks) further under a condition.
    fn step(&self, m: &'m Builder, condition: Signal<'m>, by: Signal<'m>) {
        if self.banks == 1 {
            if self.rows > 1 {
                m.when(condition, || m.set(self.row, self.next_row()));
            }
            return;
        }
        let bits = index_width(2 * self.banks as usize);
        let sum = self.bank.resize(bits) + by.resize(bits);
        let wraps = sum.ge(u64::from(self.banks));
        let next = mux(wraps, sum - u64::from(self.banks), sum);
        m.when(condition, || {
            m.set(self.bank, next.resize(self.bank.width()));
            if self.rows > 1 {
                m.set(self.row, mux(wraps, self.next_row(), self.row));
            }
        });
    }
}
