//! Memory controller: takes transactions, drives one DRAM channel in order, returns replies.
//!
//! ```text
//!               +----------------------------------------------------------------+
//!  request_* -->|            +-> command queue -> decide --> dram_command ...    |-> dram_command (3), dram_bank,
//!  request_taken| fields of  |   (row bank col)    ^   |                         |   dram_row, dram_column
//!               |  the local |                   banks | one bit a cycle         |
//!               |  line      |                         v                         |
//!               |            +-> payload queue     in flight (tCL + burst)       |
//!               |                (tag, write data) --> pop -+--------------------|-> dram_write_data, _mask
//!               |                                           v                    |
//!  reply_* <----|<--------------------------------- reply queue <----------------|<- dram_read_data
//!  reply_taken->|                                                                |
//!               +----------------------------------------------------------------+
//!  request_left <- one pulse for each request that has left the queue
//! ```
//!
//! Contract: requests are served strictly in the order of arrival, one DRAM command a cycle at most. A row stays open until a
//! request needs another one (open-row policy). The head of the queue gets the command that it needs: precharge when its bank
//! has a wrong row open, activate when none, read or write when its own. It then leaves, so the next one's commands overlap
//! its burst. A request on an idle controller with its row open: 1 cycle to queue, 1 to decide, tCL + burst in the DRAM, 1
//! to the reply queue. A request is taken when the queue has a place; `request_left` is a register. Every request is answered, writes
//! too, in order; a reply is shown until it is taken. After reset all rows are closed. Never: a command that breaks a DRAM rule (checked by
//! the device).
//!
//! DRAM pins (registers): a command in cycle t moves its line as one word in cycle t + tCL + burst: the device shows read data, or
//! the controller write data and mask, in just that cycle. `dram_column` counts lines.
//!
//! Source: in-order (FIFO) scheduling and queue capacity, Bakhoda 2014, table 3.2. Testbench:
//! `testbenches/memory_controller/`; tests: `tests/memory.rs`, `tests/memory_lockstep.rs`.

use super::{
    map::{AddressMap, Coordinates},
    protocol::{MemoryReply, MemoryRequest, Protocol, byte_mask},
    timing::DramTiming,
};
use crate::blocks::{FifoParams, at_most_one, fifo, fixed::dram_bank_state};
use hdl::{Builder, Bundle, Child, Module, Signal, bundle, concat, index_width, mux, params, select, statistics};

statistics! {
    "memory_controller" {
        /// Requests received.
        REQUESTS: requests in "requests";
        /// Writes received.
        WRITES: writes in "requests";
        /// Requests in the queue, each cycle.
        QUEUE_OCCUPANCY: queue_occupancy in "requests";
        /// Accesses to a row that was open already.
        ROW_HITS: row_hits in "accesses";
        /// ACTIVATE commands.
        ACTIVATES: activates in "commands";
        /// PRECHARGE commands.
        PRECHARGES: precharges in "commands";
        /// READ and WRITE commands, a line each.
        BURSTS: bursts in "bursts";
        /// Cycles in which the data bus is in use.
        BUS_BUSY: bus_busy in "cycles";
    }
}

/// Commands on the pins of a DRAM channel.
pub mod command {
    /// Nothing.
    pub const NONE: u64 = 0;
    /// Open `row` of `bank`.
    pub const ACTIVATE: u64 = 1;
    /// Close the open row of `bank`.
    pub const PRECHARGE: u64 = 2;
    /// Read the line at `column` of the open row of `bank`.
    pub const READ: u64 = 3;
    /// Write the line at `column` of the open row of `bank`.
    pub const WRITE: u64 = 4;
}

/// Parameters of a [`controller`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControllerParams {
    /// Address map of the chip.
    pub map: AddressMap,
    /// DRAM timing.
    pub timing: DramTiming,
    /// Bits of a request's tag, 1 and up.
    pub tag_bits: u32,
    /// Requests that the queue holds, 1 and up.
    pub queue_entries: usize,
    /// Replies in the DRAM or waiting to be taken, 1 and up; fewer than `latency / burst` limit the bandwidth.
    pub reply_entries: usize,
}

impl ControllerParams {
    /// Its transactions.
    pub fn protocol(&self) -> Protocol {
        Protocol { line_bytes: self.map.line_bytes(), tag_bits: self.tag_bits }
    }

    /// For the names of modules.
    pub(super) fn names(&self) -> Vec<(String, String)> {
        let DramTiming { t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, burst } = self.timing;
        let timing = [t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, burst].map(|t| t.to_string()).join("_");
        let (map, tag) = (&self.map, self.tag_bits);
        params! {
            n: map.node_bits(), c: map.controllers(), b: map.banks(), col: map.column_bits(), line: map.line_bytes(), tag,
            q: self.queue_entries, r: self.reply_entries, t: timing
        }
    }
}

bundle! {
    /// What the DRAM is asked for.
    struct Command(map: &AddressMap) {
        write: 1,
        row: map.row_bits(),
        bank: map.bank_bits(),
        column: map.column_bits(),
    }
}

bundle! {
    /// Whom a reply is for.
    struct Who(p: &ControllerParams) {
        write: 1,
        tag: p.tag_bits,
    }
}

bundle! {
    /// What is kept of a request in addition to its data.
    struct Request(p: &ControllerParams) {
        bytes: 4,
        words: p.protocol().words(),
        /// [`Who`] as a word.
        who: Who::width(p),
    }
}

bundle! {
    /// Pins of a DRAM channel that the controller drives.
    pub struct ChannelPins(map: &AddressMap) {
        /// See [`command`].
        command: 3,
        bank: map.bank_bits(),
        row: map.row_bits(),
        column: map.column_bits(),
        write_data: 8 * map.line_bytes(),
        write_mask: map.line_bytes(),
    }
}

/// The request at the head of the command queue.
struct Head<'m> {
    valid: Signal<'m>,
    write: Signal<'m>,
    row: Signal<'m>,
    bank: Signal<'m>,
    column: Signal<'m>,
}

/// What the head is given in this cycle; at most one is high.
struct Decision<'m> {
    activate: Signal<'m>,
    precharge: Signal<'m>,
    access: Signal<'m>,
}

/// A memory controller; see the [module documentation](self).
pub fn controller(p: &ControllerParams) -> Module {
    let map = &p.map;
    let m = Builder::new("memory_controller", p.names());
    m.doc("Memory controller: takes transactions, drives one DRAM channel in order, returns replies.");
    let protocol = &p.protocol();

    // Requests: coordinates to the command queue, everything else to the payload queues.
    let request = MemoryRequest::inputs(&m, "request", protocol);
    let Coordinates { row, bank, column } = map.coordinates(request.line);
    let taken = m.wire_later("taken", 1);
    let queue = |name: &str, depth: usize, push: Signal<'_>, data: Signal<'_>| -> Child<'_> {
        let queue = m.instance(name, &fifo(FifoParams { depth, width: data.width(), registered: false }));
        queue.drive("push", push);
        queue.drive("push_data", data);
        queue
    };
    let command = Command { write: request.write, row, bank, column };
    let commands = queue("commands", p.queue_entries, taken, command.pack());
    let who = Who { write: request.write, tag: request.tag }.pack();
    let about = Request { bytes: request.bytes, words: request.words, who }.pack();
    let requests = queue("requests", p.queue_entries, taken, about);
    let write_lines = queue("write_lines", p.queue_entries, taken, request.data);
    m.assign(taken, request.valid & !requests.get("full"));
    m.output_of("request_taken", taken);

    // The head of the command queue gets what it needs, when the rules allow it.
    let head = Head::of(&commands, map);
    let outstanding = m.register("outstanding", index_width(p.reply_entries + 1), 0);
    let reply_room = m.wire("reply_room", outstanding.ne(p.reply_entries));
    let decision = decide(&m, p, &head, reply_room);
    commands.drive("pop", decision.access);

    // In flight: one bit walks along with each burst. One cycle before its end the request leaves the payload queues.
    let latency = p.timing.latency();
    let flight = m.register("flight", latency + 1, 0);
    m.set(flight, flight.bits(0, latency).join(decision.access));
    let leave = m.wire("leave", flight.bit(latency - 1));
    requests.drive("pop", leave);
    write_lines.drive("pop", leave);
    m.output_of("request_left", m.delayed("request_left_register", leave));
    let leaving = Request::unpack(requests.get("data"), p);
    let writes = leave & Who::unpack(leaving.who, p).write;
    let mask = mux(writes, byte_mask(leaving.words, leaving.bytes), 0);
    let pins = ChannelPins {
        command: m.delayed("dram_command_register", command_code(&m, &head, &decision)),
        bank: m.captured("command_bank", head.valid, head.bank),
        row: m.captured("command_row", head.valid, head.row),
        column: m.captured("command_column", head.valid, head.column),
        write_data: m.captured("write_data", writes, write_lines.get("data")),
        write_mask: m.delayed("dram_write_mask_register", mask),
    };
    pins.outputs(&m, "dram", map);

    // Replies: the line from the DRAM and whom it is for, until they are taken.
    let done = m.wire("done", flight.bit(latency));
    let done_who = m.captured("done_who", leave, leaving.who);
    let replies = queue("replies", p.reply_entries, done, done_who);
    let read_lines = queue("read_lines", p.reply_entries, done, m.input("dram_read_data", protocol.data_bits()));
    let send = m.input("reply_taken", 1);
    replies.drive("pop", send);
    read_lines.drive("pop", send);
    let Who { write, tag } = Who::unpack(replies.get("data"), p);
    MemoryReply { valid: replies.get("valid"), write, tag, data: read_lines.get("data") }
        .outputs(&m, "reply", protocol);
    m.when(decision.access ^ send, || m.set(outstanding, mux(decision.access, outstanding + 1, outstanding - 1)));

    m.count(REQUESTS, taken);
    m.count(WRITES, taken & request.write);
    m.histogram(QUEUE_OCCUPANCY, m.lit(1, 1), commands.get("count"));
    m.finish()
}

impl<'m> Head<'m> {
    fn of(commands: &Child<'m>, map: &AddressMap) -> Self {
        let Command { write, row, bank, column } = Command::unpack(commands.get("data"), map);
        let (row, bank) = (row.named("head_row"), bank.named("head_bank"));
        Self { valid: commands.get("valid"), write, row, bank, column }
    }
}

/// The command for the head: its bank's state, the open row, and the rules between banks.
fn decide<'m>(m: &'m Builder, p: &ControllerParams, head: &Head<'m>, reply_room: Signal<'m>) -> Decision<'m> {
    let timing = p.timing;
    let state = dram_bank_state();
    let banks: Vec<_> = (0..p.map.banks()).map(|b| m.instance(("bank", b), &state)).collect();
    let constants = [
        ("t_rp", timing.t_rp),
        ("t_rc", timing.t_rc),
        ("t_ras", timing.t_ras),
        ("t_rcd", timing.t_rcd),
        ("after_read", timing.read_to_precharge()),
        ("after_write", timing.write_to_precharge()),
    ];
    let of_head = |port: &str| select(head.bank, &banks.iter().map(|b| b.get(port)).collect::<Vec<_>>());
    let open_rows = m.memory("open_rows", p.map.banks(), p.map.row_bits());
    let hit = m.wire("row_open_for_head", open_rows.read(head.bank).eq(head.row));

    let activate = m.wire_later("activate", 1);
    let access = m.wire_later("access", 1);
    let row_wait_over = spaced(m, "row_wait", timing.t_rrd, activate);
    let bus_free = spaced(m, "bus_wait", timing.burst, access);
    m.assign(activate, head.valid & of_head("can_activate") & row_wait_over);
    m.assign(access, head.valid & of_head("can_access") & hit & bus_free & reply_room);
    let precharge = m.wire("precharge", head.valid & of_head("can_precharge") & !hit);

    for (b, state) in banks.iter().enumerate() {
        let mine = m.wire(("head_in_bank", b), head.bank.eq(b));
        constants.iter().for_each(|&(port, cycles)| state.drive(port, cycles));
        state.drive("activate", activate & mine);
        state.drive("precharge", precharge & mine);
        state.drive("read", access & mine & !head.write);
        state.drive("write", access & mine & head.write);
    }
    m.always("one DRAM command a cycle", at_most_one(concat(&[activate, precharge, access])));
    m.when(activate, || open_rows.write(head.bank, head.row));

    let opened_for_head = m.register("opened_for_head", 1, 0);
    m.when(activate | access, || m.set(opened_for_head, activate));
    m.count(ROW_HITS, access & !opened_for_head);
    m.count(ACTIVATES, activate);
    m.count(PRECHARGES, precharge);
    m.count(BURSTS, access);
    m.count(BUS_BUSY, access | !bus_free);
    Decision { activate, precharge, access }
}

/// One when `event` may happen: `cycles` after it last did. 1 bit, from registers.
fn spaced<'m>(m: &'m Builder, name: &str, cycles: u32, event: Signal<'m>) -> Signal<'m> {
    if cycles <= 1 {
        return m.lit(1, 1);
    }
    let wait = m.register(name, index_width(cycles as usize), 0);
    let waits = wait.any();
    m.set(wait, mux(event, m.lit(wait.width(), u64::from(cycles - 1)), mux(waits, wait - 1, wait)));
    !waits
}

/// The [`command`] of this cycle.
fn command_code<'m>(m: &'m Builder, head: &Head<'m>, decision: &Decision<'m>) -> Signal<'m> {
    let code = |code: u64| m.lit(3, code);
    let access = mux(head.write, code(command::WRITE), code(command::READ));
    let idle = mux(decision.precharge, code(command::PRECHARGE), code(command::NONE));
    mux(decision.access, access, mux(decision.activate, code(command::ACTIVATE), idle))
}
