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

mod beside_lanes;
mod memory;

use beside_lanes::{to_barriers, to_unit};
use memory::{MemoryUnits, flushes, memory_transactions, memory_units, read_only_caches};

use super::{
    barrier::{Barrier, NamedBarriers, barrier},
    block_control::{BlockControl, block_control},
    config::CoreParams,
    execute::{Execute, execute},
    front_end::{FrontEnd, InstructionFetch, front_end},
    issue_partitions::{IssuePartition, IssuePartitions, of_parts},
    memory::{
        ConstantMemory, LoadStore, SharedMemory, constant_memory, load_store, shared_memory,
        stage::{MemoryPath, PortClient, StageContext},
        texture_path::{TEXTURE_PATH, TexturePathUnit},
    },
    operands::{OperandStage, operands},
    ports::*,
    units::{PlacedUnit, UNITS, Writer, of_units},
    write_back::{WriteBack, write_back},
};
use hdl::{Builder, Bundle, Module, ports};
use protocol::Client;

ports! {
    /// Ports of a [`core`](core()), beside its [packet port](super::memory::memory_port::CorePacketPorts).
    pub struct CorePorts(p: &CoreParams) of Core {
        /// Words for the instruction memory.
        maybe (p.instruction_cache.is_none()) in program: bundle ProgramWrite(&()),
        /// Number of the first line of the program.
        maybe (p.instruction_cache.is_some()) in program_base: p.protocol().line_number_bits(),
        /// Words for the kernel parameter memory.
        in param: bundle ParameterWrite(&()),
        /// Threads of a block.
        in block_dim: bundle BlockDim(&()),
        /// Blocks of the grid.
        in grid_dim: bundle GridIndex(&()),
        /// Sizes of all blocks.
        in block_size as "": bundle BlockSize(&(p.warps as usize)),
        /// A block comes.
        in block_valid: 1,
        /// To this slot.
        in block_slot: p.slot_bits(),
        /// Its index in the grid.
        in block: bundle GridIndex(&()),
        /// Slots whose block has ended.
        out block_done: p.blocks,
        /// No block is here.
        out idle: 1,
        /// The kernel has ended: caches are to be flushed.
        maybe (p.flushes()) in flush: 1,
        /// That is done.
        maybe (p.flushes()) out flushed: 1,
    }
}

/// The core tile.
pub fn core(p: &CoreParams) -> Module {
    let m = Builder::new("core", p.parameters(p.sizes().beside("map", &p.map)));
    m.doc("SIMT core: warps of 32 threads on a few lanes.");
    if let Some(problem) = p.problem() {
        m.require(false, &format!("core: {problem}"));
        return m.finish();
    }
    let (io, own) = (CorePorts::new(&m, p), p.part());
    let fronts = of_parts(&m, p, "front_end", FrontEnd, &front_end(&own));
    let control = BlockControl(m.instance("block_control", &block_control(p)));
    let barriers = Barrier(m.instance("barrier", &barrier(p)));
    let operands = of_parts(&m, p, "operands", OperandStage, &operands(&own));
    let lanes = of_parts(&m, p, "execute", Execute, &execute(&own));
    let shared = SharedMemory(m.instance("shared_memory", &shared_memory(p)));
    let global = LoadStore(m.instance("load_store", &load_store(p)));
    let writers = of_parts(&m, p, "write_back", WriteBack, &write_back(&own));
    let units = of_units(&own, |unit| of_parts(&m, p, (unit.name(), "unit"), PlacedUnit, &unit.module(&own)));
    let parts = IssuePartitions::new(own, fronts, operands, lanes, writers, &units);

    m.comment("Host and dispatcher.");
    from_host(io, &parts);
    let BlockSize { block_warps, block_threads, shared_stride } = io.block_size();
    control.block_warps(block_warps);
    control.block_threads(block_threads);
    control.shared_stride(shared_stride);
    control.block_valid(io.block_valid());
    control.block_slot(io.block_slot());
    control.block(io.block());
    let tables = parts.iter().map(|part| part.operand.table_ready()).reduce(|all, ready| all & ready);
    control.table_ready(tables.unwrap_or(m.lit(1, 1)));
    let start = control.start();
    for part in parts.iter() {
        part.front.start_slot(start.start_slot);
        part.front.last_mask(control.last_mask());
    }
    parts.drive_warps(FrontEnd::start_warps, control.start_warps());
    parts.drive_warps(FrontEnd::start_full, control.start_full());
    io.block_done(control.done());
    let idle = m.register("idle_now", 1, 1);
    m.set(idle, !control.busy());
    io.idle(idle);

    m.comment("Warps: barrier, block control, issue.");
    let active = parts.gather(FrontEnd::active, 1);
    barriers.active(active);
    control.active(active);
    let slots = parts.gather(FrontEnd::slots, p.slot_bits());
    barriers.slots(slots);
    control.slots(slots);
    barriers.at_barrier(parts.gather(FrontEnd::at_barrier, 1));
    parts.drive_warps(FrontEnd::release, barriers.release());
    if p.has_named_barriers() {
        let barriers = NamedBarriers(barriers.0);
        barriers.start(start.start);
        barriers.start_slot(start.start_slot);
        parts.iter().for_each(|part| to_barriers(part, barriers, &parts.own));
    }
    parts.iter().for_each(|part| issued_and_executed(&parts, control, part));

    let constants =
        p.constant_cache.as_ref().map(|_| ConstantMemory(m.instance("constant_memory", &constant_memory(p))));
    let memory = MemoryUnits { shared, global, constants };
    memory_units(&m, p, &parts, control, &memory);
    parts.drive_warps(FrontEnd::loads_open, global.loads_open());
    parts.drive_warps(FrontEnd::stores_open, global.stores_open());
    let hold = Hold {
        loads: !global.ready_load(),
        stores: !global.ready_store(),
        shared: !constants.map_or(shared.ready(), |unit| shared.ready() & unit.ready()),
        lanes: m.lit(1, 0),
        units: Default::default(),
    };
    parts.hold(&m, &if p.beats() == 1 { with_issued(&m, &parts, hold) } else { hold });

    results(&m, &parts, &memory);
    let flush = io.flush();
    let around = StageContext { m: &m, p, parts: &parts, control, global, flush };
    let path = p.stages().fold(MemoryPath::new(global, p.protocol()), |path, stage| path.through(stage, &around));
    let textures = path.stage(TEXTURE_PATH).map(TexturePathUnit);
    let caches = read_only_caches(&m, p, &parts, constants, textures);
    if let Some(flush) = flush {
        io.flushed(flushes(&m, p, (flush, path.flushed()), &caches));
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
fn from_host<'m>(io: CorePorts<'m>, parts: &IssuePartitions<'m>) {
    let (program, base) = (io.program(), io.program_base());
    let (parameter, block_dim, grid_dim) = (io.param(), io.block_dim(), io.grid_dim());
    for IssuePartition { front, operand, .. } in parts.iter() {
        program.into_iter().for_each(|program| front.program(program));
        base.into_iter().for_each(|base| InstructionFetch(front.0).program_base(base));
        operand.param(parameter);
        operand.block_dim(block_dim);
        operand.grid_dim(grid_dim);
    }
}

/// From the issued instruction of a part to its lanes.
fn issued_and_executed<'m>(parts: &IssuePartitions<'m>, control: BlockControl<'m>, part: &IssuePartition<'m>) {
    let IssuePartition { number, front, operand, lanes, .. } = *part;
    let issue = front.issue();
    operand.issue(issue);
    operand.beat(front.beat());
    front.taken(operand.taken());
    control.table_slot(number, front.issue_slot());
    control.table_warp(number, parts.in_core(part, issue.warp));
    operand.issue_within(control.table_within(number));
    operand.block(control.table(number));
    operand.issue_shared_base(control.table_shared(number));

    front.0.builder().comment("Lanes.");
    lanes.executing(operand.executing());
    lanes.operands(operand.operands());
    operand.predicate_write(lanes.predicate());
    part.units().for_each(|(u, unit)| to_unit(&parts.own, part, u, unit));
}

/// Results of lanes and memory units into the register files, and their completion to the scoreboards.
fn results<'m>(m: &'m Builder, parts: &IssuePartitions<'m>, units: &MemoryUnits<'m>) {
    let MemoryUnits { shared, global, constants } = *units;
    m.comment("Results: register file, scoreboard.");
    for part in parts.iter() {
        let IssuePartition { front, operand, lanes, writer, .. } = *part;
        writer.lane(lanes.result());
        operand.register_write(writer.write());
        front.done(Writer::LANES, lanes.result_done());
        front.predicate(lanes.predicate_released());
        front.predicate_warp(lanes.predicate().warp);
        for (u, unit) in part.units() {
            let from = Writer::of(UNITS.rows()[u]);
            unit.write().connect(writer.waiting(from));
            front.done(from, unit.done());
        }
    }
    let granted =
        |write: &RegisterWrite<'m>, from: Writer| parts.of_warp(write.warp, |part| part.writer.waiting(from).answer());
    let loaded = global.write().signals();
    global.write().answer(granted(&loaded, Writer::LOADS));
    parts.write(loaded, Writer::LOADS);
    parts.done(global.done(), Writer::LOADS);

    let (mut write, mut done) = (shared.write().signals(), shared.done());
    shared.write().answer(granted(&write, Writer::SHARED));
    if let Some(constants) = constants {
        m.comment("Words of shared memory go before constants.");
        let [reads, ends] = [write.valid, done.valid];
        let other = constants.write().signals();
        constants.write().answer(granted(&other, Writer::SHARED) & !reads);
        constants.done().answer(!ends);
        write = RegisterWrite { valid: reads | other.valid, ..write.or_else(reads, other) };
        let other = constants.done().signals();
        done = Completion { valid: ends | other.valid, ..done.or_else(ends, other) };
    }
    parts.write(write, Writer::SHARED);
    parts.done(done, Writer::SHARED);
}
