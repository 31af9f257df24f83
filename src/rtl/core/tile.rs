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
//! With a constant cache, loads of constants have a unit beside `shared_memory`
//! ([`mod@super::memory::constant_memory`]) that shares its way to the registers. With a texture cache, reads of
//! textures leave the way of other loads behind `load_store` ([`mod@super::memory::texture_path`]).
//!
//! A core with a data cache has it between load/store unit and memory port ([`mod@super::memory::l1_data`]); with a
//! prefetcher beside it ([`mod@super::prefetch`]); one without may merge loads there
//! ([`mod@super::memory::load_merge`]) and keep lines in order ([`mod@super::memory::line_order`]). One with an
//! instruction cache ([`mod@super::memory::read_only_cache`]) has it between front end and memory port in place of the
//! instruction memory, and a port `program_base` in place of `program_*`. A core with any cache has the ports `flush`,
//! `flushed`.
//!
//! Ports: `docs/tiles.md`, "SIMT core" and "Packet port"; of the receiving side a core has `rx_valid`, `rx_sideband`
//! and `rx_payload` (the source of a reply does not matter). All outputs are registers. Latencies: see each stage; an
//! instruction that needs a lane result issues `execute_stages + 3` cycles after it, rounded up to whole issue
//! intervals.
//!
//! What reports look at are the taps of the blocks: [`super::warp::STATE`], [`super::stack::PC`],
//! [`super::scoreboard::AWAITED_REGISTERS`], [`super::memory::load_store::REQUEST`] and others beside them.
//!
//! Tests: `tests/core/` (programs, kernels, random programs, Verilog).

mod memory;

use memory::{MemoryUnits, flushes, memory_transactions, memory_units, read_only_caches};

use super::{
    barrier::barrier,
    block_control::block_control,
    decode::Controls,
    execute::execute,
    front_end::front_end,
    issue_partitions::{IssuePartition, IssuePartitions, of_parts},
    memory::{
        ConstantMemory, LoadStore, SharedMemory, constant_memory, load_store, shared_memory,
        stage::{MemoryPath, PortClient, StageContext},
        texture_path::{TEXTURE_PATH, TexturePathUnit},
    },
    operands::operands,
    params::CoreParams,
    ports::*,
    units::{UNITS, UnitBeat, of_units},
    write_back::write_back,
};
use crate::memory::protocol::Client;
use hdl::{Builder, Bundle, Child, Module};
use program::isa::Opcode;

/// The core tile.
pub fn core(p: &CoreParams) -> Module {
    let m = Builder::new("core", p.parameters(p.sizes().beside("map", &p.map)));
    m.doc("SIMT core: warps of 32 threads on a few lanes.");
    p.require(&m);
    if !p.problems().is_empty() {
        return m.finish();
    }
    let own = p.part();
    let fronts = of_parts(&m, p, "front_end", &front_end(&own));
    let control = m.instance("block_control", &block_control(p));
    let barriers = m.instance("barrier", &barrier(p));
    let operands = of_parts(&m, p, "operands", &operands(&own));
    let lanes = of_parts(&m, p, "execute", &execute(&own));
    let shared = SharedMemory(m.instance("shared_memory", &shared_memory(p)));
    let global = LoadStore(m.instance("load_store", &load_store(p)));
    let writers = of_parts(&m, p, "write_back", &write_back(&own));
    let units = of_units(&own, |unit| of_parts(&m, p, &format!("{}_unit", unit.name()), &unit.module(&own)));
    let parts = IssuePartitions::new(own, [fronts, operands, lanes, writers], &units);

    m.comment("Host and dispatcher.");
    from_host(&m, p, &parts);
    let block_warps = m.input("block_warps", p.core_warp_count_bits());
    let block_threads = m.input("block_threads", 11);
    for part in parts.iter() {
        part.front.drive("block_warps", block_warps);
        part.front.drive("block_threads", block_threads);
    }
    control.drive("block_warps", block_warps);
    control.drive("shared_stride", m.input("shared_stride", 16));
    control.drive("block_valid", m.input("block_valid", 1));
    control.drive("block_slot", m.input("block_slot", p.slot_bits()));
    GridIndex::inputs(&m, "block", &()).drive(control, "block", &());
    let tables = parts.iter().map(|part| part.operand.get("table_ready")).reduce(|all, ready| all & ready);
    control.drive("table_ready", tables.unwrap_or(m.lit(1, 1)));
    parts.iter().for_each(|part| BlockStart::connect(p, (control, ""), (part.front, "")));
    m.output_of("block_done", control.get("done"));
    let idle = m.register("idle_now", 1, 1);
    m.set(idle, !control.get("busy"));
    m.output_of("idle", idle);

    m.comment("Warps: barrier, block control, issue.");
    for (port, width) in [("active", 1), ("slots", p.slot_bits())] {
        let of_warps = parts.gather(port, width);
        [barriers, control].iter().for_each(|unit| unit.drive(port, of_warps));
    }
    barriers.drive("at_barrier", parts.gather("at_barrier", 1));
    parts.drive_warps("release", barriers.get("release"));
    if p.has_named_barriers() {
        barriers.drive("start", control.get("start"));
        barriers.drive("start_slot", control.get("start_slot"));
        parts.iter().for_each(|part| to_barriers(p, part, barriers, &parts.own));
    }
    parts.iter().for_each(|part| issued_and_executed(p, &parts.own, control, part));

    let constants = p.constant_cache.as_ref().map(|_| m.instance("constant_memory", &constant_memory(p)));
    let constants = constants.map(ConstantMemory);
    let memory = MemoryUnits { shared, global, constants };
    memory_units(&m, p, &parts, &memory);
    parts.drive_warps("loads_open", global.loads_open());
    parts.drive_warps("stores_open", global.stores_open());
    let hold = Hold {
        loads: !global.ready_load(),
        stores: !global.ready_store(),
        shared: !constants.map_or(shared.ready(), |unit| shared.ready() & unit.ready()),
        lanes: m.lit(1, 0),
        units: Default::default(),
    };
    parts.hold(&m, &if p.beats() == 1 { with_issued(&m, &parts, hold) } else { hold });

    results(&m, &parts, &memory);
    let flush = p.flushes().then(|| m.input("flush", 1));
    let around = StageContext { m: &m, p, parts: &parts, control, global, flush };
    let path = p.stages().fold(MemoryPath::new(global, p.protocol()), |path, stage| path.through(stage, &around));
    let textures = path.stage(TEXTURE_PATH).map(TexturePathUnit);
    let caches = read_only_caches(&m, p, &parts, constants, textures);
    if let Some(flush) = flush {
        m.output_of("flushed", flushes(&m, p, (flush, path.flushed()), &caches));
    }
    let caches = caches.iter().map(|&(cache, protocol)| PortClient::new(Client(cache.0), protocol));
    memory_transactions(&m, p, &std::iter::once(path.client).chain(caches).collect::<Vec<_>>());
    m.finish()
}

/// With one beat an instruction is chosen in the cycle in which the one before reaches its unit, which shows that it is
/// busy a cycle later. Shared memory counts it itself.
fn with_issued<'m>(m: &'m Builder, parts: &IssuePartitions<'m>, hold: Hold<'m>) -> Hold<'m> {
    let global = parts.issues(|control| control.global);
    let constant = parts.issues(|control| control.constant.unwrap_or(m.lit(1, 0)));
    Hold { loads: hold.loads | global, stores: hold.stores | global, shared: hold.shared | constant, ..hold }
}

/// What the host writes, to all parts.
fn from_host<'m>(m: &'m Builder, p: &CoreParams, parts: &IssuePartitions<'m>) {
    let program = p.instruction_cache.is_none().then(|| ProgramWrite::inputs(m, "program", &()));
    let base = p.instruction_cache.as_ref().map(|_| m.input("program_base", p.protocol().line_number_bits()));
    let parameter = ParameterWrite::inputs(m, "param", &());
    let (block_dim, grid_dim) = (BlockDim::inputs(m, "block_dim", &()), GridIndex::inputs(m, "grid_dim", &()));
    for part in parts.iter() {
        if let Some(program) = program {
            program.drive(part.front, "program", &());
        }
        if let Some(base) = base {
            part.front.drive("program_base", base);
        }
        parameter.drive(part.operand, "param", &());
        block_dim.drive(part.operand, "block_dim", &());
        grid_dim.drive(part.operand, "grid_dim", &());
    }
}

/// From the issued instruction of a part to its lanes.
fn issued_and_executed<'m>(p: &CoreParams, own: &CoreParams, control: Child<'m>, part: &IssuePartition<'m>) {
    let IssuePartition { number, front, operand, lanes, .. } = *part;
    Issue::connect(own, (front, "issue"), (operand, "issue"));
    operand.drive("beat", front.get("beat"));
    front.drive("taken", operand.get("taken"));
    control.drive(p.of_part("table_slot", number), front.get("issue_slot"));
    GridIndex::connect(&(), (control, p.of_part("table", number)), (operand, "block"));
    operand.drive("issue_shared_base", control.get(p.of_part("table_shared", number)));

    front.builder().comment("Lanes.");
    Executing::connect(own, (operand, "x"), (lanes, "x"));
    Operands::connect(own, (operand, ""), (lanes, ""));
    PredicateWrite::connect(own, (lanes, "predicate"), (operand, "predicate_write"));
    part.units().for_each(|(u, unit)| to_unit(own, part, u, unit));
}

/// What the barriers get of a part, and the outcomes that it reads.
fn to_barriers<'m>(p: &CoreParams, part: &IssuePartition<'m>, barriers: Child<'m>, own: &CoreParams) {
    let IssuePartition { number, front, operand, .. } = *part;
    let (issue, executing) = (Issue::of(front, "issue", own), Executing::of(operand, "x", own));
    let (issued, control) = (Controls::unpack(issue.control, own), Controls::unpack(executing.control, own));
    let arrival = BarrierBeat {
        step: issue.valid & front.get("beat").is_zero() & issued.barrier,
        step_warp: issue.warp,
        valid: executing.valid & control.barrier,
        last: executing.beat.eq(u64::from(own.beats() - 1)),
        warp: executing.warp,
        waits: control.opcode.eq(Opcode::Bar as u64),
        active: executing.active,
        holds: operand.get("p"),
        words: operand.get("b"),
    };
    arrival.drive(barriers, p.of_part("arrive", number), own);
    barriers.drive(p.of_part("issue_warp", number), issue.warp);
    operand.drive("issue_barrier_sum", barriers.get(p.of_part("issue_sum", number)));
}

/// What a unit beside the lanes gets, behind the operands of its part.
fn to_unit<'m>(own: &CoreParams, part: &IssuePartition<'m>, u: usize, child: Child<'m>) {
    let IssuePartition { front, operand, .. } = *part;
    let (m, unit) = (front.builder(), UNITS[u]);
    m.comment(unit.about());
    let issue = Issue::of(front, "issue", own);
    let first = issue.valid & front.get("beat").is_zero();
    let issued = Controls::unpack(issue.control, own);
    let no = m.lit(1, 0);
    let reserves = match unit.bits().reserves {
        Some((_, half)) => issued.opcode.eq(half as u64),
        None => issued.units[u][0].unwrap_or(no),
    };
    child.drive("reserve", first & reserves);
    let executing = Executing::of(operand, "x", own);
    let control = Controls::unpack(executing.control, own);
    let [issues, writes] = control.units[u].map(|bit| bit.unwrap_or(no));
    let Executing { warp, beat, active, .. } = executing;
    let Controls { opcode, d: destination, negate, .. } = control;
    let valid = executing.valid & issues;
    let [a, b, c] = ["a", "b", "c"].map(|port| operand.get(port));
    let beat = UnitBeat { valid, writes, opcode, warp, destination, negate, beat, active, a, b, c };
    unit.connect(own, &beat, child);
}

/// Results of lanes and memory units into the register files, and their completion to the scoreboards.
fn results<'m>(m: &'m Builder, parts: &IssuePartitions<'m>, units: &MemoryUnits<'m>) {
    let MemoryUnits { shared, global, constants } = *units;
    m.comment("Results: register file, scoreboard.");
    for part in parts.iter() {
        let IssuePartition { front, operand, lanes, writer, .. } = *part;
        let own = &parts.own;
        RegisterWrite::connect(own, (lanes, "result"), (writer, "lane"));
        RegisterWrite::connect(own, (writer, ""), (operand, "register_write"));
        Completion::connect(own, (lanes, "result_done"), (front, "lane_done"));
        ReleasedPredicate::connect(&(), (lanes, "predicate_released"), (front, "predicate"));
        front.drive("predicate_warp", lanes.get("predicate_warp"));
        for (u, unit) in part.units() {
            let name = UNITS[u].name();
            RegisterWrite::connect(own, (unit, "write"), (writer, name));
            unit.drive("write_granted", writer.get(format!("{name}_granted")));
            Completion::connect(own, (unit, "done"), (front, format!("{name}_done")));
        }
    }
    let granted = |write: &RegisterWrite<'m>, port: &str| parts.of_warp(write.warp, |part| part.writer.get(port));
    let loaded = global.write().signals();
    global.write().answer(granted(&loaded, "load_granted"));
    parts.write(loaded, "load");
    parts.done(global.done(), "load_done");

    let (mut write, mut done) = (shared.write().signals(), shared.done());
    shared.write().answer(granted(&write, "shared_granted"));
    if let Some(constants) = constants {
        m.comment("Words of shared memory go before constants.");
        let [reads, ends] = [write.valid, done.valid];
        let other = constants.write().signals();
        constants.write().answer(granted(&other, "shared_granted") & !reads);
        constants.done().answer(!ends);
        write = RegisterWrite { valid: reads | other.valid, ..write.or_else(reads, other) };
        let other = constants.done().signals();
        done = Completion { valid: ends | other.valid, ..done.or_else(ends, other) };
    }
    parts.write(write, "shared");
    parts.done(done, "shared_done");
}
