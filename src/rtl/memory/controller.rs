//! Memory controller: takes transactions, drives one DRAM channel, returns replies.
//!
//! ```text
//!               +----------------------------------------------------------------+
//!  request_* -->|            +-> scheduler (controller/scheduler) --> service ---|-> dram_command (3), dram_bank,
//!  request_taken| fields of  |   row bank col       ^                 |          |   dram_row, dram_column
//!               |  the local |                    banks <-------------+          |
//!               |  line      |             one bit a burst            v          |
//!               |            +-> payload        in flight (to the end of the burst)
//!               |                (tag, write data) --> leave -+------------------|-> dram_write_data, _mask
//!               |                                             v                  |
//!  reply_* <----|<-- [min_latency] <-------------------- reply queue <-----------|<- dram_read_data
//!  reply_taken->|                                                                |
//!               +----------------------------------------------------------------+
//!  request_left <- one pulse for each request that has left the queue
//! ```
//!
//! Contract: the scheduler ([`DramScheduler`]) gives one DRAM command a cycle at most; requests for the same line are
//! served in the order of arrival. A row stays open until a request needs another one (open-row policy). A request in
//! order on an idle controller with its row open: 1 cycle to queue, 1 to decide, the latency and the burst in the DRAM,
//! 1 to the reply queue, and `min_latency`, which takes no bandwidth as long as there are reply entries; a scheduler
//! with service slots takes 1 more. A request is taken when the queue has a place, which it keeps until its data moves;
//! `request_left` is a register. Every request is answered, writes too, in the order of service; a reply is shown until
//! it is taken. After reset all rows are closed. Never: a command that breaks a DRAM rule (checked by the device).
//!
//! DRAM pins (registers): a read in cycle t moves its line as one word in cycle t + tCL + burst, a write in t + tWL +
//! burst: the device shows read data, or the controller write data and mask, in just that cycle. `dram_column` counts
//! lines.
//!
//! Source: queue capacity and schedulers, Bakhoda 2014, table 3.2. Testbenches: `testbenches/memory_controller*/`;
//! tests: `tests/memory/partition.rs`, `tests/memory/schedulers/`, `tests/memory/lockstep.rs`.

mod banks;
mod fifo;
mod fifo_banks;
mod fr_fcfs;
mod fr_fcfs_global;
mod params;
mod payload;
mod queue;
pub mod scheduler;
mod scheduling;
mod service;
mod slots;
mod statistics;
mod streak;
mod waiting;

pub use params::{ControllerParams, ServiceParams};
pub use scheduler::DramScheduler;
pub use statistics::{
    ACTIVATES, BANK_CONFLICTS, BURSTS, BUS_BUSY_CYCLES, PENDING_CYCLES, PRECHARGES, QUEUE_OCCUPANCY, READ_COMMANDS,
    REQUESTS, ROW_HITS, STATISTICS, WRITES,
};

use super::{
    map::{AddressMap, Coordinates},
    protocol::{MemoryReply, ServerPorts, byte_mask},
};
use banks::Banks;
use blocks::fixed::PlacedDramBank;
use hdl::{Builder, Bundle, Module, Signal, bundle, index_width, mux, params, ports, taps, values};
use payload::Payload;
use queue::queue;
use scheduling::DramChannel;
use service::{DramCommand, Service};

taps! {
    "memory_controller" {
        /// There is a request.
        REQUEST,
        /// It is taken.
        REQUEST_TAKEN,
        /// It is a write.
        REQUEST_WRITE,
        /// Its tag.
        REQUEST_TAG,
        /// The number of its line.
        REQUEST_LINE,
        /// The [`command`] on the pins.
        COMMAND,
        /// Its bank.
        COMMAND_BANK,
        /// Its row.
        COMMAND_ROW,
        /// Its column, in lines.
        COMMAND_COLUMN,
        /// There is a reply.
        REPLY,
        /// It is taken.
        REPLY_TAKEN,
        /// It is of a write.
        REPLY_WRITE,
        /// Its tag.
        REPLY_TAG,
    }
}

values! {
    /// Commands on the pins of a DRAM channel.
    pub mod command = "COMMAND" {
        /// Nothing.
        NONE = 0,
        /// Open `row` of `bank`.
        ACTIVATE = 1,
        /// Close the open row of `bank`.
        PRECHARGE = 2,
        /// Read the line at `column` of the open row of `bank`.
        READ = 3,
        /// Write the line at `column` of the open row of `bank`.
        WRITE = 4,
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
    struct QueuedRequest(p: &ControllerParams) {
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
        command: 3 => command::VALUES,
        bank: map.bank_bits(),
        row: map.row_bits(),
        column: map.column_bits(),
        write_data: 8 * map.line_bytes(),
        write_mask: map.line_bytes(),
    }
}

ports! {
    /// Ports of a [`controller`], beside those of a [`Server`](protocol::Server).
    pub struct ControllerPorts(p: &ControllerParams) of Controller {
        /// A request has left the queue.
        out request_left: 1,
        /// Pins of the DRAM channel.
        out dram: bundle ChannelPins(&p.map),
        /// The line that comes from it.
        in dram_read_data: 8 * p.map.line_bytes(),
    }
}

/// A memory controller; see the [module documentation](self).
pub fn controller(p: &ControllerParams) -> Module {
    let map = &p.map;
    let m = &Builder::new("memory_controller", params! { banks: p.map.banks(), queue_entries: p.queue_entries }.and(p));
    m.doc("Memory controller: takes transactions, drives one DRAM channel, returns replies.");
    let protocol = &p.protocol();

    // Requests: coordinates to the scheduler, everything else to the payload.
    let (up, io) = (ServerPorts::new(m, protocol), ControllerPorts::new(m, p));
    let (request, request_taken) = up.request().signals();
    let Coordinates { row, bank, column } = map.coordinates(request.line);
    let [taken, leave] = ["taken", "leave"].map(|name| m.wire_later(name, 1));
    let who = Who { write: request.write, tag: request.tag }.pack();
    let about = QueuedRequest { bytes: request.bytes, words: request.words, who }.pack();
    let payload = Payload::new(m, p, [taken, leave], [about, request.data]);
    m.assign(taken, request.valid & !payload.full);
    m.tap(REQUEST, request.valid);
    m.tap(REQUEST_WRITE, request.write);
    m.tap(REQUEST_TAG, request.tag);
    m.tap(REQUEST_LINE, request.line);
    m.tap(REQUEST_TAKEN, request_taken.shows(taken));

    // The scheduler gives a command, when the rules allow it.
    let outstanding = m.register("outstanding", index_width(p.reply_entries + 1), 0);
    let reply_free = m.wire("reply_free", outstanding.ne(p.reply_entries));
    let banks = &Banks::new(m, map, p.timing);
    let request_command = DramCommand { write: request.write, row, bank, column };
    let scheduling = &p.scheduling();
    let channel = DramChannel {
        m,
        p: scheduling,
        banks,
        arrives: taken,
        request: request_command,
        place: payload.place,
        reply_free,
    };
    let service = p.service.scheduler.policy().schedule(&channel);
    banks.obey(&service);
    payload.obey(m, &service);

    // In flight: one bit walks along with each burst. One cycle before its end the payload leaves.
    let flight = flight(m, p, &service);
    let latency = flight.width() - 1;
    m.assign(leave, flight.bit(latency - 1));
    let leaving = QueuedRequest::unpack(payload.about, p);
    let writes = leave & Who::unpack(leaving.who, p).write;
    let counted = if p.atomics { leave & !(writes & Who::unpack(leaving.who, p).tag.sign()) } else { leave };
    io.request_left(m.delayed("request_left_register", counted));
    let mask = mux(writes, byte_mask(leaving.words, leaving.bytes), 0);
    let command = m.delayed("dram_command_register", command_code(m, &service));
    m.name_values(command, command::VALUES);
    let pins = ChannelPins {
        command,
        bank: m.captured("command_bank", service.valid, service.bank),
        row: m.captured("command_row", service.valid, service.row),
        column: m.captured("command_column", service.valid, service.column),
        write_data: m.captured("write_data", writes, payload.line),
        write_mask: m.delayed("dram_write_mask_register", mask),
    };
    let pins = io.dram(pins);
    m.tap(COMMAND, pins.command);
    m.tap(COMMAND_BANK, pins.bank);
    m.tap(COMMAND_ROW, pins.row);
    m.tap(COMMAND_COLUMN, pins.column);

    // Replies: the line from the DRAM and whom it is for, until they are taken.
    let done = m.wire("done", flight.bit(latency));
    let done_who = m.captured("done_who", leave, leaving.who);
    let replies = queue(m, "replies", p.reply_entries, done, done_who);
    let read_lines = queue(m, "read_lines", p.reply_entries, done, io.dram_read_data());
    let send = up.reply().answer();
    replies.pop(send);
    read_lines.pop(send);
    let Who { write, tag } = Who::unpack(replies.data(), p);
    let valid = aged(m, p, done, send).unwrap_or(replies.valid());
    let reply = up.reply().shows(MemoryReply { valid, write, tag, data: read_lines.data() });
    m.tap(REPLY, reply.valid);
    m.tap(REPLY_WRITE, reply.write);
    m.tap(REPLY_TAG, reply.tag);
    m.tap(REPLY_TAKEN, send);
    m.when(service.access ^ send, || m.set(outstanding, mux(service.access, outstanding + 1, outstanding - 1)));

    m.count(REQUESTS, taken);
    m.count(WRITES, taken & request.write);
    m.count(BANK_CONFLICTS, taken & banks.of(bank, PlacedDramBank::open) & banks.open_row(bank).ne(row));
    m.count(PENDING_CYCLES, payload.any | done);
    let waiting = m.register("waiting_requests", index_width(p.queue_entries + 1), 0);
    m.when(taken ^ service.access, || m.set(waiting, mux(taken, waiting + 1, waiting - 1)));
    m.histogram(QUEUE_OCCUPANCY, m.lit(1, 1), waiting);
    m.finish()
}

/// A bit for each burst: the upper one when its data moves. Reads and writes get on as early as their latencies are long; the rules of the
/// data bus keep them in the order of their commands.
fn flight<'m>(m: &'m Builder, p: &ControllerParams, service: &Service<'m>) -> Signal<'m> {
    let (read, write) = (p.timing.latency(), p.timing.write_latency());
    let latency = read.max(write);
    let flight = m.register("flight", latency + 1, 0);
    let along = flight.bits(0, latency).join(m.lit(1, 0));
    let next = if read == write {
        flight.bits(0, latency).join(service.access)
    } else {
        let on =
            |kind: Signal<'m>, cycles: u32| (service.access & kind).extend(latency + 1) << u64::from(latency - cycles);
        along | on(!service.write, read) | on(service.write, write)
    };
    m.set(flight, next);
    flight
}

/// With a minimum latency: whether the oldest reply has waited for it.
fn aged<'m>(m: &'m Builder, p: &ControllerParams, done: Signal<'m>, send: Signal<'m>) -> Option<Signal<'m>> {
    let cycles = p.service.min_latency;
    if cycles == 0 {
        return None;
    }
    let wait = m.register("reply_wait", cycles, 0);
    m.set(wait, if cycles == 1 { done } else { wait.bits(0, cycles - 1).join(done) });
    let ready = wait.bit(cycles - 1);
    let count = m.register("replies_ready", index_width(p.reply_entries + 1), 0);
    m.when(ready ^ send, || m.set(count, mux(ready, count + 1, count - 1)));
    Some(count.any())
}

/// The [`command`] of this cycle.
fn command_code<'m>(m: &'m Builder, service: &Service<'m>) -> Signal<'m> {
    let code = |code: u64| m.lit(3, code);
    let access = mux(service.write, code(command::WRITE), code(command::READ));
    let idle = mux(service.precharge, code(command::PRECHARGE), code(command::NONE));
    mux(service.access, access, mux(service.activate, code(command::ACTIVATE), idle))
}
