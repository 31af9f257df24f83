//! Memory controller tile: takes request packets, drives one DRAM channel in order, returns reply packets.
//!
//! ```text
//!             +----------------------------------------------------------------+
//!  rx_valid ->|            +-> command queue -> decide --> dram_command ...    |-> dram_command (3), dram_bank,
//!  rx_src     | coordinates|   (row bank col)    ^   |                         |   dram_row, dram_column
//!  rx_write   |  of the    |                   banks | one bit a cycle         |
//!  rx_tag     |  address   |                         v                         |
//!  rx_header  |            +-> payload queue     in flight (tCL + burst)       |
//!  rx_data  ->|                (who, write data) --> pop -+--------------------|-> dram_write_data (512), _mask (64)
//!             |                                           v                    |
//!  tx_* <-----|------------ output register <------ reply queue <--------------|<- dram_read_data (512)
//!             +----------------------------------------------------------------+
//!  rx_credit <- one pulse for each popped request           tx_credit -> free places in the network interface
//! ```
//!
//! Ports as in `docs/tiles.md`; all outputs are registers.
//!
//! Contract: requests are served strictly in the order of arrival, one DRAM command a cycle at most. A row stays open until a
//! request needs another one (open-row policy). The head of the queue gets the command that it needs: precharge when its bank
//! has a wrong row open, activate when none, read or write when its own. It then leaves, so the next one's commands overlap
//! its burst. A request on an idle controller with its row open: 1 cycle to queue, 1 to decide, tCL + burst in the DRAM, 1
//! each to the reply queue and to the output register. Every request is answered, writes too, in order. After reset all rows
//! are closed. Never: a request without a free place in the queue (asserted), a command that breaks a DRAM rule (checked by
//! the device).
//!
//! DRAM pins: a command in cycle t moves its 64 bytes as one word in cycle t + tCL + burst: the device shows read data, or
//! the controller write data and mask, in just that cycle. `dram_column` counts 64-byte lines.
//!
//! Source: in-order (FIFO) scheduling and queue capacity, Bakhoda 2014, table 3.2. Testbench:
//! `testbenches/memory_controller/`; tests: `tests/memory.rs`, `tests/memory_lockstep.rs`.

use super::{map::AddressMap, timing::DramTiming};
use crate::{
    blocks::{FifoParams, at_most_one, credit_counter, fifo, fixed::dram_bank_state},
    hdl::{Builder, Child, Module, Signal, concat, index_width, mux, select},
    params,
};

/// Bits of a line of data.
const LINE: u32 = 512;

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
    /// Bits of a transaction tag, 1 and up.
    pub tag_bits: u32,
    /// Requests that the queue holds (the network interface's `rx_places`), 1 and up.
    pub queue_entries: usize,
    /// Replies in the DRAM or waiting for the network, 1 and up; fewer than `latency / burst` limit the bandwidth.
    pub reply_entries: usize,
    /// Packets that the network interface accepts before it gives a credit back, 1 and up.
    pub tx_places: usize,
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
    let m = Builder::new("memory_controller", names(p));
    m.doc("Memory controller tile: takes request packets, drives one DRAM channel in order, returns reply packets.");

    // Requests: coordinates to the command queue, everything else to the payload queues.
    let rx_valid = m.input("rx_valid", 1);
    let rx_header = m.input("rx_header", 64);
    let at = map.coordinates(&m, rx_header.bits(0, 32));
    let who = concat(&[m.input("rx_write", 1), m.input("rx_tag", p.tag_bits), m.input("rx_src", map.node_bits())]);
    let masks = rx_header.bits(32, 20);
    m.always("a request address is that of a line, and reserved header bits are zero", {
        !rx_valid | (rx_header.bits(0, 6).is_zero() & rx_header.bits(52, 12).is_zero())
    });
    let queue = |name: &str, depth: usize, push: Signal<'_>, data: Signal<'_>| -> Child<'_> {
        let queue = m.instance(name, &fifo(FifoParams { depth, width: data.width(), registered: false }));
        queue.drive("push", push);
        queue.drive("push_data", data);
        queue
    };
    let is_write = who.sign();
    let commands = queue("commands", p.queue_entries, rx_valid, concat(&[is_write, at.row, at.bank, at.column]));
    let requests = queue("requests", p.queue_entries, rx_valid, masks.join(who));
    let request_data = queue("request_data", p.queue_entries, rx_valid, m.input("rx_data", LINE));

    // The head of the command queue gets what it needs, when the rules allow it.
    let head = Head::of(&commands, map);
    let outstanding = m.register("outstanding", index_width(p.reply_entries + 1), 0);
    let reply_room = m.wire("reply_room", outstanding.ne(p.reply_entries));
    let decision = decide(&m, p, &head, reply_room);
    commands.drive("pop", decision.access);
    drive_commands(&m, map, &head, &decision);

    // In flight: one bit walks beside each burst. One cycle before its end the request leaves the payload queues.
    let latency = p.timing.latency();
    let flight = m.register("flight", latency + 1, 0);
    m.set(flight, flight.bits(0, latency).join(decision.access));
    let leave = m.wire("leave", flight.bit(latency - 1));
    requests.drive("pop", leave);
    request_data.drive("pop", leave);
    registered_output(&m, "rx_credit", leave);
    let who_bits = who.width();
    let leaving = requests.get("data");
    let leaving_write = leaving.bit(who_bits - 1);
    let mask = byte_mask(leaving.bits(who_bits, 20));
    registered_output(&m, "dram_write_mask", mux(leave & leaving_write, mask, 0));
    let write_data = m.register_payload("write_data", LINE);
    m.when(leave & leaving_write, || m.set(write_data, request_data.get("data")));
    m.output_of("dram_write_data", write_data);

    // Replies: the word from the DRAM and whom it is for, then out as credits allow.
    let done = m.wire("done", flight.bit(latency));
    let done_who = m.register_payload("done_who", who_bits);
    m.when(leave, || m.set(done_who, leaving.bits(0, who_bits)));
    let replies = queue("replies", p.reply_entries, done, done_who);
    let reply_data = queue("reply_data", p.reply_entries, done, m.input("dram_read_data", LINE));
    let send = transmit(&m, p, &replies, &reply_data);
    m.when(decision.access ^ send, || m.set(outstanding, mux(decision.access, outstanding + 1, outstanding - 1)));

    m.count("requests", rx_valid);
    m.count("writes", rx_valid & is_write);
    m.histogram("queue_occupancy", m.lit(1, 1), commands.get("count"));
    m.finish()
}

fn names(p: &ControllerParams) -> Vec<(String, String)> {
    let DramTiming { t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, burst } = p.timing;
    let timing = [t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, burst].map(|t| t.to_string()).join("_");
    let (map, tag) = (&p.map, p.tag_bits);
    params! {
        n: map.node_bits(), c: map.controllers(), b: map.banks(), col: map.column_bits(), tag,
        q: p.queue_entries, r: p.reply_entries, x: p.tx_places, t: timing
    }
}

impl<'m> Head<'m> {
    fn of(commands: &Child<'m>, map: &AddressMap) -> Self {
        let (word, column, bank) = (commands.get("data"), map.column_bits(), map.bank_bits());
        Self {
            valid: commands.get("valid"),
            write: word.sign(),
            row: word.bits(column + bank, map.row_bits()).named("head_row"),
            bank: word.bits(column, bank).named("head_bank"),
            column: word.bits(0, column),
        }
    }
}

/// The command for the head: its bank's state, the open row, and the rules between banks.
fn decide<'m>(m: &'m Builder, p: &ControllerParams, head: &Head<'m>, reply_room: Signal<'m>) -> Decision<'m> {
    let timing = p.timing;
    let state = dram_bank_state();
    let banks: Vec<_> = (0..p.map.banks()).map(|b| m.instance(&format!("bank{b}"), &state)).collect();
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
        let mine = m.wire(&format!("head_in_bank{b}"), head.bank.eq(b));
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
    m.count("row_hits", access & !opened_for_head);
    m.count("activates", activate);
    m.count("precharges", precharge);
    m.count("bursts", access);
    m.count("bus_busy", access | !bus_free);
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

/// The command pins.
fn drive_commands<'m>(m: &'m Builder, map: &AddressMap, head: &Head<'m>, decision: &Decision<'m>) {
    let code = |code: u64| m.lit(3, code);
    let access = mux(head.write, code(command::WRITE), code(command::READ));
    let idle = mux(decision.precharge, code(command::PRECHARGE), code(command::NONE));
    registered_output(
        m,
        "dram_command",
        mux(decision.access, access, mux(decision.activate, code(command::ACTIVATE), idle)),
    );
    let bank = m.register_payload("command_bank", map.bank_bits());
    let row = m.register_payload("command_row", map.row_bits());
    let column = m.register_payload("command_column", map.column_bits());
    m.when(head.valid, || {
        m.set(bank, head.bank);
        m.set(row, head.row);
        m.set(column, head.column);
    });
    m.output_of("dram_bank", bank);
    m.output_of("dram_row", row);
    m.output_of("dram_column", column);
}

/// Moves the oldest reply to the output register when the network interface has a place; returns the pop strobe.
fn transmit<'m>(m: &'m Builder, p: &ControllerParams, replies: &Child<'m>, reply_data: &Child<'m>) -> Signal<'m> {
    let credits = m.instance("credits", &credit_counter(p.tx_places));
    credits.drive("credit", m.input("tx_credit", 1));
    let send = m.wire("send", replies.get("valid") & credits.get("available"));
    credits.drive("send", send);
    replies.drive("pop", send);
    reply_data.drive("pop", send);
    registered_output(m, "tx_valid", send);
    let who = m.register_payload("tx_who", replies.get("data").width());
    let data = m.register_payload("tx_line", LINE);
    m.when(send, || {
        m.set(who, replies.get("data"));
        m.set(data, reply_data.get("data"));
    });
    let node = p.map.node_bits();
    m.output_of("tx_dest", who.bits(0, node));
    m.output_of("tx_tag", who.bits(node, p.tag_bits));
    m.output_of("tx_write", who.sign());
    m.output_of("tx_header", m.lit(64, 0));
    m.output_of("tx_data", data);
    send
}

/// Bit `4 w + b`: word mask bit `w` and byte mask bit `b`, of a header's `{byte mask (4), word mask (16)}`. 64 bits.
fn byte_mask(masks: Signal<'_>) -> Signal<'_> {
    let bytes = masks.bits(16, 4);
    let words: Vec<_> = masks.bits(0, 16).to_bits().into_iter().rev().map(|word| word.repeat(4) & bytes).collect();
    concat(&words)
}

/// An output that shows `next` one cycle later; zero after reset.
fn registered_output<'m>(m: &'m Builder, name: &str, next: Signal<'m>) {
    m.output_of(name, m.delayed(&format!("{name}_register"), next));
}
