//! The SIMT core tile: the block diagram.
//!
//! ```text
//!  block_*, launch -->+---------------+ start   +-----------+ issued  +----------+ a b c  +---------+ result
//!                     | block_control |-------->| front_end |-------->| operands |------->| execute |--+
//!  block_done, idle <-+---------------+         +-----------+ beat    +----------+ p q    +---------+  |
//!                         ^   active  +---------+   ^   ^ ^                ^                   | address
//!                         +-----------| barrier |---+   | |                | write             v       |
//!                                     +---------+       | |          +------------+   +---------------+ |
//!                                                  done | +----------| write_back |<--| shared_memory | |
//!                                                       |  hold      |            |   +---------------+ |
//!                                                       |            |            |<------------------+-+
//!                                                       |            |            |   +------------+    +-------------+--> tx_*
//!                                                       |            |            |<--| load_store |<-->| memory_port |<-- rx_*
//!                                                       |            +------------+   +------------+    +-------------+
//!                                                       +---------------------------------+
//! ```
//!
//! A core with a data cache has it between load/store unit and memory port ([`mod@super::memory::l1_data`]), and the ports `flush`, `flushed`;
//! one without may merge loads there ([`mod@super::memory::load_merge`]) and keep lines in order ([`mod@super::memory::line_order`]).
//!
//! Ports: `docs/tiles.md`, "SIMT core" and "Packet port"; of the receiving side a core has `rx_valid`, `rx_write`, `rx_tag` and
//! `rx_data` (a reply has no header, and its source does not matter). All outputs are registers. Latencies: see each stage;
//! an instruction that needs a lane result issues `execute_stages + 3` cycles after it, rounded up to whole turns of the beats.
//!
//! For a report on a core that hangs, peek at `front_end.warp{i}.state` (see [`super::warp::state`]), `.held`,
//! `.hazard_word`, `.stack.pc_now`, `.stack.live`, `.scoreboard.registers`, at `load_store.store_tracker.open_stores{i}` and
//! `load_store.pending_request_table.loads_busy`.
//!
//! Tests: `tests/core/` (programs, kernels, random programs, Verilog).

use super::{
    barrier::barrier,
    block_control::block_control,
    decode::Controls,
    execute::execute,
    front_end::front_end,
    locality::locality,
    memory::{
        L1Params, l1_data,
        line_order::{LineOrderParams, line_order},
        load_merge::{LoadMergeParams, load_merge},
        load_store, memory_port,
        memory_port::MemoryPortParams,
        posted_writes, shared_memory,
        sub_word::SIZE_BITS,
    },
    operands::operands,
    params::CoreParams,
    ports::*,
    write_back::write_back,
};
use crate::{
    blocks::atomic_alu::OPERATION_BITS,
    cache::events::CacheEvents,
    memory::protocol::{MemoryReply, MemoryRequest},
    noc::packet::{ReceivedReply, SentPacket},
};
use hdl::{Builder, Bundle, Child, Module, mux, params};
use program::isa::Opcode;

/// The core tile.
pub fn core(p: &CoreParams) -> Module {
    let CoreParams { warps, lanes, registers, program_words, shared_bytes, blocks, .. } = p;
    let mut names = params! { w: warps, l: lanes, r: registers, i: program_words, s: shared_bytes, b: blocks,
    e: p.execute_stages, n: p.loads, t: p.tag_bits, line: p.map.line_bytes(), c: p.tx_queue_packets, m: p.map.node_list() };
    names.extend(p.scheduler_key());
    names.extend(p.order_key());
    names.extend(p.issue_key());
    names.extend(p.bank_key());
    names.extend(p.latency_key());
    names.extend(p.coalescing_key());
    if p.merge_loads {
        names.extend(params! { merge: 1 });
    }
    if p.scores_locality() {
        names.extend(params! { lm: p.laws_max_misses });
    }
    names.extend(p.atomics_key());
    names.extend(p.l1().iter().flat_map(L1Params::names));
    names.extend(p.posts_key());
    names.extend(p.line_order().iter().flat_map(|order| params! { u: order.entries }));
    let m = Builder::new("core", names);
    m.doc("SIMT core: warps of 32 threads on a few lanes.");
    p.require(&m);
    if !p.problems().is_empty() {
        return m.finish();
    }
    let front = m.instance("front_end", &front_end(p));
    let control = m.instance("block_control", &block_control(p));
    let barriers = m.instance("barrier", &barrier(p));
    let operand = m.instance("operands", &operands(p));
    let lanes = m.instance("execute", &execute(p));
    let shared = m.instance("shared_memory", &shared_memory(p));
    let global = m.instance("load_store", &load_store(p));
    let writer = m.instance("write_back", &write_back(p));

    m.comment("Host and dispatcher.");
    ProgramWrite::inputs(&m, "program", &()).drive(front, "program", &());
    ParameterWrite::inputs(&m, "param", &()).drive(operand, "param", &());
    BlockDim::inputs(&m, "block_dim", &()).drive(operand, "block_dim", &());
    GridIndex::inputs(&m, "grid_dim", &()).drive(operand, "grid_dim", &());
    let block_warps = m.input("block_warps", p.warp_count_bits());
    [front, control].iter().for_each(|unit| unit.drive("block_warps", block_warps));
    front.drive("block_threads", m.input("block_threads", 11));
    control.drive("shared_stride", m.input("shared_stride", 16));
    control.drive("block_valid", m.input("block_valid", 1));
    control.drive("block_slot", m.input("block_slot", p.slot_bits()));
    GridIndex::inputs(&m, "block", &()).drive(control, "block", &());
    control.drive("table_ready", operand.get("table_ready"));
    BlockStart::connect(p, (control, ""), (front, ""));
    m.output_of("block_done", control.get("done"));
    let idle = m.register("idle_now", 1, 1);
    m.set(idle, !control.get("busy"));
    m.output_of("idle", idle);

    m.comment("Warps: barrier, block control, issue.");
    for port in ["active", "slots"] {
        [barriers, control].iter().for_each(|unit| unit.drive(port, front.get(port)));
    }
    barriers.drive("at_barrier", front.get("at_barrier"));
    front.drive("release", barriers.get("release"));
    Issue::connect(p, (front, "issue"), (operand, "issue"));
    operand.drive("beat", front.get("beat"));
    front.drive("taken", operand.get("taken"));
    control.drive("table_slot", front.get("issue_slot"));
    GridIndex::connect(&(), (control, "table"), (operand, "block"));
    operand.drive("issue_shared_base", control.get("table_shared"));

    m.comment("Lanes.");
    Executing::connect(p, (operand, "x"), (lanes, "x"));
    Operands::connect(p, (operand, ""), (lanes, ""));
    PredicateWrite::connect(p, (lanes, "predicate"), (operand, "predicate_write"));

    memory_units(&m, p, &Accesses { front, operand, lanes, shared, global });
    for port in ["loads_open", "stores_open"] {
        front.drive(port, global.get(port));
    }
    let hold = Hold {
        loads: !global.get("ready_load"),
        stores: !global.get("ready_store"),
        shared: !shared.get("ready"),
        lanes: writer.get("hold_lanes"),
    };
    let hold = if p.beats() == 1 { with_issued(p, front, hold) } else { hold };
    hold.drive(front, "hold", &());

    results(&m, p, Results { front, operand, lanes, shared, global, writer });
    let client = match (p.l1(), p.line_order()) {
        (Some(l1), _) => {
            let client = data_cache(&m, p, &l1, global);
            listeners(&m, p, &l1, (client.child, front));
            client
        }
        (None, order) => {
            let merged = p.merge().map(|params| merged(&m, p, &params, (front, global)));
            let unit = merged.unwrap_or(Client { child: global, request: "request", reply: "reply" });
            match order {
                Some(order) => ordered(&m, p, &order, unit),
                None => unit,
            }
        }
    };
    let client = flushed(&m, p, front, client);
    memory_transactions(&m, p, [client]);
    m.finish()
}

/// With one beat an instruction is chosen in the cycle in which the one before reaches its unit, which shows that it is busy a cycle later.
fn with_issued<'m>(p: &CoreParams, front: Child<'m>, hold: Hold<'m>) -> Hold<'m> {
    let issue = Issue::of(front, "issue", p);
    let control = Controls::unpack(issue.control, p);
    let [global, shared] = [control.global, control.shared].map(|unit| issue.valid & unit);
    Hold { loads: hold.loads | global, stores: hold.stores | global, shared: hold.shared | shared, ..hold }
}

/// Where accesses come from and go to.
struct Accesses<'m> {
    front: Child<'m>,
    operand: Child<'m>,
    lanes: Child<'m>,
    shared: Child<'m>,
    global: Child<'m>,
}

/// Loads and stores to the memory units.
fn memory_units(m: &Builder, p: &CoreParams, units: &Accesses<'_>) {
    let Accesses { front, operand, lanes, shared, global } = *units;
    m.comment("Memory units: reserved in beat 0, fed with the beats of addresses and data.");
    let issue = Issue::of(front, "issue", p);
    let issued = Controls::unpack(issue.control, p);
    let executing = Executing::of(operand, "x", p);
    let controls = Controls::unpack(executing.control, p);
    let first = m.wire("first", issue.valid & front.get("beat").is_zero());
    let size = issued.opcode.bits(0, SIZE_BITS);
    let access = Access {
        reserve: first,
        store: issued.store,
        size: issued.atomic.map_or(size, |atomic| mux(atomic, 0, size)),
        warp: issue.warp,
        destination: issued.d,
        writes: issued.register_load,
        atomic: issued.atomic,
        operation: p.atomics.then(|| issued.opcode.bits(0, OPERATION_BITS)),
        high_part: issued.high_part,
    };
    // The address of an atomic is a register: operand b is the value to compare with.
    let (address, compare) = (lanes.get("address"), controls.atomic.map(|_| operand.get("b")));
    let beat = AccessBeat {
        beat_valid: executing.valid,
        beat: executing.beat,
        active: executing.active,
        address: controls.atomic.map_or(address, |atomic| mux(atomic, operand.get("a"), address)),
        store_data: operand.get("c"),
        compare,
    };
    let units = [(global, issued.global, controls.global), (shared, issued.shared, controls.shared)];
    for (unit, is_issued, is_executing) in units {
        Access { reserve: first & is_issued, ..access }.drive(unit, "", p);
        AccessBeat { beat_valid: executing.valid & is_executing, ..beat }.drive(unit, "", p);
    }
    if p.tells_uncached() {
        global.drive("uncached", issued.uncached);
    }
    shared.drive("base", operand.get("x_shared_base"));
}

/// Who asks the memory port, and the names of its ports: `request` ([`MemoryRequest`]) and `reply` ([`MemoryReply`]).
struct Client<'m> {
    child: Child<'m>,
    request: &'static str,
    reply: &'static str,
}

/// The data cache, behind the load/store unit.
fn data_cache<'m>(m: &'m Builder, p: &CoreParams, l1: &L1Params, global: Child<'m>) -> Client<'m> {
    m.comment("Data cache.");
    let (cache, protocol) = (m.instance("l1d", &l1_data(l1)), &p.protocol());
    MemoryRequest::connect(protocol, (global, "request"), (cache, "request"));
    cache.drive("request_uncached", global.get("request_uncached"));
    if p.shows_warps() {
        cache.drive("request_warp", global.get("request_warp"));
    }
    global.drive("request_taken", cache.get("request_taken"));
    MemoryReply::connect(protocol, (cache, "reply"), (global, "reply"));
    Client { child: cache, request: "lower", reply: "lower_reply" }
}

/// What goes by the events of the data cache.
fn listeners<'m>(m: &'m Builder, p: &CoreParams, l1: &L1Params, (cache, front): (Child<'m>, Child<'m>)) {
    if !p.reads_cache_events() {
        return;
    }
    m.comment("What the loads of the core show of their locality.");
    let events = CacheEvents::of(cache, "event", &l1.cache);
    let load = m.wire("load_event", events.access & events.load);
    let clear = cache.get("flushed");
    let fair = p.scores_locality().then(|| {
        let locality = m.instance("locality", &locality(p));
        locality.drive("load", load);
        locality.drive("class", events.class);
        locality.drive("clear", clear);
        front.drive("fair", locality.get("fair"));
        locality.get("fair")
    });
    if p.throttle.kind.policy().reads_cache() {
        let CacheEvents { class, warp, full, fill, fill_warp, .. } = events;
        let fair = fair.unwrap_or(m.lit(1, 0));
        LocalityEvents { load, class, warp, full, fill, fill_warp, fair, clear }.drive(front, "cache", p);
    }
}

/// What is done at the end of a kernel, and where writes are not answered who acknowledges them, behind `client`.
fn flushed<'m>(m: &'m Builder, p: &CoreParams, front: Child<'m>, client: Client<'m>) -> Client<'m> {
    if !p.flushes() {
        return client;
    }
    let flush = m.input("flush", 1);
    let cache = p.l1d.is_some().then_some(client.child);
    cache.into_iter().for_each(|cache| cache.drive("flush", flush));
    let cached = cache.map(|cache| cache.get("flushed"));
    let Some(params) = p.posted_writes() else {
        cached.into_iter().for_each(|flushed| m.output_of("flushed", flushed));
        return client;
    };
    m.comment("Writes that nobody answers.");
    let (writes, protocol) = (m.instance("posted_writes", &posted_writes(&params)), &params.protocol);
    let Client { child, request, reply } = client;
    MemoryRequest::connect(protocol, (child, request), (writes, "request"));
    child.drive((request, "taken"), writes.get("request_taken"));
    MemoryReply::connect(protocol, (writes, "reply"), (child, reply));
    let accepts_all = p.l1d.is_none() && p.line_order().is_none() && !p.merge_loads;
    writes.drive("reply_taken", if accepts_all { m.lit(1, 1) } else { child.get((reply, "taken")) });
    writes.drive("wants", front.get("wants_fence"));
    front.drive("fenced", writes.get("fenced"));
    writes.drive("flush", flush);
    let drained = writes.get("drained");
    m.output_of("flushed", m.delayed("flushed_now", cached.map_or(drained, |cached| cached & drained)));
    Client { child: writes, request: "lower", reply: "lower_reply" }
}

/// The merging of loads, behind the load/store unit.
fn merged<'m>(
    m: &'m Builder,
    p: &CoreParams,
    params: &LoadMergeParams,
    (front, global): (Child<'m>, Child<'m>),
) -> Client<'m> {
    m.comment("Loads of one line.");
    let (merge, protocol) = (m.instance("load_merge", &load_merge(params)), &p.protocol());
    MemoryRequest::connect(protocol, (global, "request"), (merge, "request"));
    merge.drive("request_uncached", global.get("request_uncached"));
    global.drive("request_taken", merge.get("request_taken"));
    MemoryReply::connect(protocol, (merge, "reply"), (global, "reply"));
    let issue = Issue::of(front, "issue", p);
    let control = Controls::unpack(issue.control, p);
    merge.drive("older", issue.valid & (control.barrier | control.opcode.eq(Opcode::Membar as u64)));
    if !params.lines_in_order {
        merge.drive("stores_open", global.get("stores_open").any());
    }
    Client { child: merge, request: "lower", reply: "lower_reply" }
}

/// The order of lines, behind what makes requests.
fn ordered<'m>(m: &'m Builder, p: &CoreParams, params: &LineOrderParams, unit: Client<'m>) -> Client<'m> {
    m.comment("Order of lines.");
    let (order, protocol) = (m.instance("line_order", &line_order(params)), &p.protocol());
    let Client { child, request, reply } = unit;
    MemoryRequest::connect(protocol, (child, request), (order, "request"));
    child.drive((request, "taken"), order.get("request_taken"));
    MemoryReply::connect(protocol, (order, "reply"), (child, reply));
    order.drive("reply_taken", if p.merge_loads { child.get((reply, "taken")) } else { m.lit(1, 1) });
    Client { child: order, request: "lower", reply: "lower_reply" }
}

/// The memory port with its clients.
fn memory_transactions<'m>(m: &'m Builder, p: &CoreParams, clients: [Client<'m>; CoreParams::CLIENTS]) {
    m.comment("Memory transactions of all units, and the network interface.");
    let (format, protocol) = (&p.packet(), &p.port_protocol());
    let port = m.instance("memory_port", &memory_port(&MemoryPortParams::of_core(p)));
    for (c, Client { child, request, reply }) in clients.into_iter().enumerate() {
        MemoryRequest::connect(protocol, (child, request), (port, ("client", c)));
        child.drive((request, "taken"), port.get(("client", c, "taken")));
        MemoryReply::connect(protocol, (port, ("client", c, "reply")), (child, reply));
        if p.tells_uncached() {
            port.drive(("client", c, "reply_taken"), child.get((reply, "taken")));
        }
    }
    port.drive("tx_credit", m.input("tx_credit", 1));
    ReceivedReply::inputs(m, "rx", format).drive(port, "rx", format);
    SentPacket::of(port, "tx", format).outputs(m, "tx", format);
    m.output_of("rx_credit", port.get("rx_credit"));
}

/// The units that results come from and go to.
struct Results<'m> {
    front: Child<'m>,
    operand: Child<'m>,
    lanes: Child<'m>,
    shared: Child<'m>,
    global: Child<'m>,
    writer: Child<'m>,
}

/// Results of lanes and memory units into the register file, and their completion to the scoreboard.
fn results(m: &Builder, p: &CoreParams, units: Results<'_>) {
    let Results { front, operand, lanes, shared, global, writer } = units;
    m.comment("Results: register file, scoreboard.");
    for (from, port, into) in [(lanes, "result", "lane"), (global, "write", "load"), (shared, "write", "shared")] {
        RegisterWrite::connect(p, (from, port), (writer, into));
    }
    global.drive("write_granted", writer.get("load_granted"));
    shared.drive("write_granted", writer.get("shared_granted"));
    RegisterWrite::connect(p, (writer, ""), (operand, "register_write"));
    let completions =
        [(lanes, "result_done", "lane_done"), (global, "done", "load_done"), (shared, "done", "shared_done")];
    for (from, port, into) in completions {
        Completion::connect(p, (from, port), (front, into));
    }
    ReleasedPredicate::connect(&(), (lanes, "predicate_released"), (front, "predicate"));
    front.drive("predicate_warp", lanes.get("predicate_warp"));
}
