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
//!                                                       |            |            |   +------------+   --> tx_*
//!                                                       |            |            |<--| load_store |   <-- rx_*
//!                                                       |            +------------+   +------------+
//!                                                       +---------------------------------+
//! ```
//!
//! Ports: `docs/tiles.md`, "SIMT core" and "Packet port"; of the receiving side a core has `rx_valid`, `rx_write`, `rx_tag` and
//! `rx_data` (a reply has no header, and its source does not matter). All outputs are registers. Latencies: see each stage;
//! an instruction that needs a lane result issues `execute_stages + 3` cycles after it, rounded up to whole turns of the beats.
//!
//! For a report on a core that hangs, peek at `front_end.warp{i}.state` (see [`super::warp::state`]), `.held`,
//! `.hazard_word`, `.stack.pc_now`, `.stack.live`, `.scoreboard.registers`, at `load_store.open_stores{i}` and
//! `load_store.transactions.loads_busy`.
//!
//! Tests: `tests/core/` (programs, kernels, random programs, Verilog).

use super::{
    barrier::barrier, block_control::block_control, coalescer::LINE_BITS, decode::controls, execute::execute,
    front_end::front_end, load_store::load_store, operands::operands, params::CoreParams, shared_memory::shared_memory,
    sub_word::SIZE_BITS, write_back::write_back,
};
use crate::{
    hdl::{Builder, Child, Module},
    params,
};

/// The core tile.
pub fn core(p: &CoreParams) -> Module {
    let CoreParams { warps, lanes, registers, program_words, shared_bytes, blocks, .. } = p;
    let m = Builder::new(
        "core",
        params! { w: warps, l: lanes, r: registers, i: program_words, s: shared_bytes, b: blocks, e: p.execute_stages,
        n: p.loads, t: p.tag_bits, c: p.tx_places, m: p.nodes() },
    );
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
    ports(&m, &[front], &[("program_write", 1), ("program_address", 16), ("program_data", 64)]);
    ports(&m, &[operand], &[("param_write", 1), ("param_address", 10), ("param_data", 32)]);
    ports(&m, &[operand], &[("block_dim_x", 11), ("block_dim_y", 11), ("block_dim_z", 7)]);
    ports(&m, &[operand], &[("grid_dim_x", 32), ("grid_dim_y", 16), ("grid_dim_z", 16)]);
    ports(&m, &[front, control], &[("block_warps", p.warp_count_bits())]);
    ports(&m, &[front], &[("block_threads", 11)]);
    ports(&m, &[control], &[("shared_stride", 16), ("block_valid", 1), ("block_slot", p.slot_bits())]);
    ports(&m, &[control], &[("block_x", 32), ("block_y", 16), ("block_z", 16)]);
    control.drive("table_ready", operand.get("table_ready"));
    connect(control, front, &["start", "start_slot", "start_base"]);
    m.output_of("block_done", control.get("done"));
    let idle = m.register("idle_now", 1, 1);
    m.set(idle, !control.get("busy"));
    m.output_of("idle", idle);

    m.comment("Warps: barrier, block control, issue.");
    for port in ["active", "slots"] {
        barriers.drive(port, front.get(port));
        control.drive(port, front.get(port));
    }
    barriers.drive("at_barrier", front.get("at_barrier"));
    front.drive("release", barriers.get("release"));
    connect(front, operand, &["beat", "issue_valid", "issue_warp", "issue_within", "issue_mask", "issue_control"]);
    front.drive("taken", operand.get("taken"));
    control.drive("table_slot", front.get("issue_slot"));
    for axis in ["x", "y", "z"] {
        operand.drive(&format!("block_{axis}"), control.get(&format!("table_{axis}")));
    }
    operand.drive("issue_shared_base", control.get("table_shared"));

    m.comment("Lanes.");
    connect(operand, lanes, &["x_valid", "x_warp", "x_beat", "x_active", "x_control", "a", "b", "c", "p", "q"]);
    connect(lanes, operand, &["result_warp", "result_beat", "result_mask"]);
    operand.drive("predicate_write", lanes.get("predicate_valid"));
    operand.drive("predicate_write_number", lanes.get("result_number"));
    operand.drive("predicate_write_bits", lanes.get("result_predicates"));

    m.comment("Memory units: reserved in beat 0, fed with the beats of addresses and data.");
    let issued = |name| controls(p).get(front.get("issue_control"), name);
    let executing = |name| controls(p).get(operand.get("x_control"), name);
    let first = m.wire("first", front.get("issue_valid") & front.get("beat").is_zero());
    for (unit, space) in [(global, "global"), (shared, "shared")] {
        unit.drive("reserve", first & issued(space));
        unit.drive("store", issued("store"));
        unit.drive("size", issued("opcode").bits(0, SIZE_BITS));
        unit.drive("warp", front.get("issue_warp"));
        unit.drive("register", issued("d"));
        unit.drive("writes", issued("register_load"));
        unit.drive("beat_valid", operand.get("x_valid") & executing(space));
        unit.drive("beat", operand.get("x_beat"));
        unit.drive("active", operand.get("x_active"));
        unit.drive("address", lanes.get("address"));
        unit.drive("store_data", operand.get("c"));
    }
    shared.drive("base", operand.get("x_shared_base"));
    connect(global, front, &["loads_open", "stores_open"]);
    front.drive("hold_loads", !global.get("ready_load"));
    front.drive("hold_stores", !global.get("ready_store"));
    front.drive("hold_shared", !shared.get("ready"));

    m.comment("Results: register file, predicate file, scoreboard.");
    for field in ["valid", "warp", "register", "beat", "mask", "data"] {
        writer.drive(&format!("lane_{field}"), lanes.get(&format!("result_{field}")));
        writer.drive(&format!("load_{field}"), global.get(&format!("write_{field}")));
        writer.drive(&format!("shared_{field}"), shared.get(&format!("write_{field}")));
    }
    global.drive("write_granted", writer.get("load_granted"));
    shared.drive("write_granted", writer.get("shared_granted"));
    front.drive("hold_lanes", writer.get("hold_lanes"));
    operand.drive("register_write", writer.get("valid"));
    for field in ["warp", "register", "beat", "mask", "data"] {
        operand.drive(&format!("register_write_{field}"), writer.get(field));
    }
    for (kind, done, unit) in [("lane", "result_done", lanes), ("load", "done", global), ("shared", "done", shared)] {
        let prefix = if kind == "lane" { "result" } else { "done" };
        front.drive(&format!("{kind}_done"), unit.get(done));
        front.drive(&format!("{kind}_warp"), unit.get(&format!("{prefix}_warp")));
        front.drive(&format!("{kind}_register"), unit.get(&format!("{prefix}_register")));
    }
    front.drive("predicate_done", lanes.get("predicate_done"));
    front.drive("predicate_warp", lanes.get("result_warp"));
    front.drive("predicate_number", lanes.get("result_number"));

    m.comment("Network interface.");
    ports(&m, &[global], &[("tx_credit", 1), ("rx_valid", 1), ("rx_write", 1), ("rx_tag", p.tag_bits)]);
    ports(&m, &[global], &[("rx_data", LINE_BITS)]);
    for port in ["tx_valid", "tx_dest", "tx_write", "tx_tag", "tx_header", "tx_data", "rx_credit"] {
        m.output_of(port, global.get(port));
    }
    m.finish()
}

/// Input ports of the tile, each to the port of the same name of the given blocks.
#[track_caller]
fn ports(m: &Builder, blocks: &[Child<'_>], ports: &[(&str, u32)]) {
    for (port, width) in ports {
        let own = m.input(port, *width);
        blocks.iter().for_each(|block| block.drive(port, own));
    }
}

/// Outputs of one block to the inputs of the same names of another.
#[track_caller]
fn connect(from: Child<'_>, to: Child<'_>, ports: &[&str]) {
    ports.iter().for_each(|port| to.drive(port, from.get(port)));
}
