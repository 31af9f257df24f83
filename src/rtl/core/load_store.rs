//! Load/store unit for global memory: coalescer, transaction table, store counters, packet port.
//!
//! ```text
//!  issued instruction ---------->+-----------+  request   +---------+
//!  addresses, store data ------->| coalescer |----------->| tx      |--> tx_valid, _dest, _write, _tag, _header, _data
//!                                +-----------+  rows      | register|<-- tx_credit
//!                                     | finish  |         +---------+
//!                                +--------------v+  done (scoreboard), write (register file)
//!  rx_valid, _write, _tag, _data>| transactions  |------------------------------------------->
//!                                +---------------+
//!                                | store counters|--> stores_open (warps), loads_open (warps)
//!                                +---------------+
//! ```
//!
//! Contract: `ready_load`, `ready_store` tell the scheduler whether such an instruction can issue now. A load's tag is its place in
//! the transaction table, a store's tag its warp number: the write reply carries it back, which counts the warp's open
//! stores down. Requests leave one at a time, when the interface has a place (credits). Replies are always accepted and their
//! credit goes back in the next cycle. Outputs of the packet port are registers.
//!
//! Tests: `tests/core/memory.rs`, `tests/core/random.rs`.

use super::{
    coalescer::{LINE_NUMBER_BITS, coalescer},
    params::CoreParams,
    ports::{Access, AccessBeat, Completion, LineRequest, RegisterWrite, RoundRow},
    transactions::transactions,
};
use crate::{
    blocks::{credit_counter, index_one_hot},
    memory::protocol::RequestHeader,
    noc::packet::{ReceivedReply, SentPacket},
};
use hdl::{Builder, Bundle, Module, concat, mux, params, row, statistics};

statistics! {
    "load_store" {
        /// Read requests sent.
        READ_REQUESTS: read_requests in "requests";
        /// Write requests sent.
        WRITE_REQUESTS: write_requests in "requests";
        /// Cycles in which a request waits for a place in the network interface.
        WAITS_FOR_CREDIT: waits_for_credit in "cycles";
    }
}

/// Stores of a warp that are not acknowledged: at most one per thread, as its next store waits.
const STORE_COUNT_BITS: u32 = 6;

/// The unit.
pub fn load_store(p: &CoreParams) -> Module {
    let m = Builder::new(
        "load_store",
        params! { w: p.warps, l: p.lanes, r: p.registers, n: p.loads, t: p.tag_bits, c: p.tx_places, m: p.nodes() },
    );
    m.doc("Global loads and stores: coalescing, transactions, packet port.");
    let warps = p.warps;
    let unit = m.instance("coalescer", &coalescer(p));
    let table = m.instance("transactions", &transactions(p));

    let access = Access::inputs(&m, "", p);
    let Access { reserve, store, warp, .. } = access;
    for (port, value) in [("reserve", reserve), ("store", store), ("size", access.size)] {
        unit.drive(port, value);
    }
    AccessBeat::inputs(&m, "", p).drive(unit, "", p);
    unit.drive("may_begin", table.get("tag_free"));

    Access { reserve: reserve & !store, ..access }.drive(table, "", p);
    RoundRow::connect(p, (unit, ""), (table, ""));
    table.drive("write_granted", m.input("write_granted", 1));
    let rx = ReceivedReply::inputs(&m, "rx", &p.packet());
    table.drive("reply_valid", rx.valid & !rx.write);
    table.drive("reply_tag", rx.tag);
    table.drive("reply_data", rx.data);
    RegisterWrite::of(table, "write", p).outputs(&m, "write", p);
    Completion::of(table, "done", p).outputs(&m, "done", p);

    m.comment("Open stores of each warp, and the warp whose store is being coalesced.");
    let store_warp = m.register("store_warp", p.warp_bits(), 0);
    m.when(reserve & store, || m.set(store_warp, warp));
    let request = LineRequest::of(unit, "request", &());
    let credits = m.instance("credits", &credit_counter(p.tx_places as usize));
    let send = m.wire("send", request.valid & credits.get("available"));
    unit.drive("request_taken", send);
    credits.drive("send", send);
    credits.drive("credit", m.input("tx_credit", 1));
    let sent = index_one_hot(store_warp, warps) & (send & request.store).repeat(warps);
    let acknowledged = index_one_hot(rx.tag.resize(p.warp_bits()), warps) & (rx.valid & rx.write).repeat(warps);
    let coalescing = index_one_hot(store_warp, warps) & (unit.get("busy") & request.store).repeat(warps);
    let mut open = vec![];
    for w in 0..warps {
        let count = m.register(("open_stores", w), STORE_COUNT_BITS, 0);
        let (more, less) = (sent.bit(w), acknowledged.bit(w));
        m.when(more ^ less, || m.set(count, mux(more, count + 1, count - 1)));
        m.always("an acknowledgement answers a store", !less | count.any());
        open.push(count.any());
    }
    m.output_of("stores_open", row(open) | coalescing);
    m.output_of("loads_open", table.get("open"));
    m.output_of("ready_load", !unit.get("busy") & table.get("load_free"));
    m.output_of("ready_store", !unit.get("busy"));

    m.comment("Packet port.");
    let address = concat(&[request.line, m.lit(32 - LINE_NUMBER_BITS, 0)]);
    let header = RequestHeader { reserved: m.lit(12, 0), bytes: request.bytes, words: request.words, address };
    let packet = SentPacket {
        valid: m.delayed("tx_valid_now", send),
        dest: m.captured("tx_dest_now", send, p.map.destination(&m, address)),
        write: m.captured("tx_write_now", send, request.store),
        tag: m.captured("tx_tag_now", send, mux(request.store, store_warp.extend(p.tag_bits), table.get("tag"))),
        header: m.captured("tx_header_now", send, header.pack()),
        data: m.captured("tx_data_now", send, request.data),
    };
    packet.outputs(&m, "tx", &p.packet());
    m.output_of("rx_credit", m.delayed("rx_credit_now", rx.valid));
    m.count(READ_REQUESTS, send & !request.store);
    m.count(WRITE_REQUESTS, send & request.store);
    m.count(WAITS_FOR_CREDIT, request.valid & !send);
    m.finish()
}
