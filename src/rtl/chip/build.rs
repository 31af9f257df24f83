//! Composition: the chip as tiles and wires.
//!
//! ```text
//!  host_* --> dispatcher ==> core 0 .. n-1   (launch fields, program and parameters: broadcast; block_valid: one each)
//!                  ^------------ block_done
//!  core i   <--> interface <--> router --+
//!  memory c <--> interface <--> router --+-- mesh
//!     |                (with caches: flush to all that have one, flushed from each)
//!     +--> dram{c}_* pins
//! ```
//!
//! Instances of the top: `dispatcher`, `core{i}`, `memory{c}`, `interface{node}`, `router{node}` (`net{s}_router{node}`
//! in one of two subnetworks), `ring_request{c}` and `ring_reply{c}` with a ring between memory nodes, where
//! `interface{node}` is a ring interface or a hub; with overlays `overlay_source{node}`, `overlay_sink{node}`,
//! `overlay{c}_router{node}`, `overlay_source_crossing{node}`, `overlay_sink_crossing{node}`. Where clocks differ
//! (`[clocks]`), `crossing{node}` stands between a core and its interface, and synchronisers `flush{c}` and
//! `flushed{c}` on the way to the L2 banks and back; a memory partition has its crossing inside. Domains: the default
//! one is that of the cores, `noc`, `dram` and `overlay` are the others. The top has no logic of its own.
//!
//! Pins: the host port (`host_write`, `host_address`, `host_data`, `host_start`, `host_done`) and per controller
//! `dram{c}_command`, `_bank`, `_row`, `_column`, `_write_data`, `_write_mask` and `_read_data`; see `docs/tiles.md`.

use super::{Chip, ChipConfig, EMBEDDED, dispatcher, read};
use crate::{
    blocks::synchroniser,
    core::{
        core,
        ports::{BlockDim, GridIndex, ParameterWrite, ProgramWrite},
    },
    memory::{ChannelPins, partition},
    noc::{
        InterfaceTiles, MessageClass, NocError, endpoint_crossing,
        fabric::Terminal,
        packet::{Delivered, ReceivedPacket, SentPacket},
    },
};
use hdl::{Builder, Bundle, Child, ClockDomain, Module, Parameters, PortName, Signal, params};
use std::path::Path;

/// Name of the tile of a core.
pub fn core_tile(core: usize) -> String {
    ("core", core).text()
}

/// Name of the tile of a memory partition.
pub fn memory_tile(controller: usize) -> String {
    ("memory", controller).text()
}

/// The whole chip as one module.
pub fn build(chip: &Chip) -> Result<Module, NocError> {
    let config = chip.config();
    let m = Builder::new("chip", parameters(config));
    m.doc("The whole chip: tiles and wires.");
    m.comment("Network.");
    let [core_clock, noc, dram, overlay] = clocks(&m, config);
    let terminals = if chip.is_ideal() { vec![] } else { m.in_domain(noc, || chip.fabric().build(&m))? };

    m.comment("Host port and block dispatcher.");
    let dispatcher = m.tile("dispatcher", &dispatcher(&chip.dispatcher()));
    for (port, width) in [("host_write", 1), ("host_address", 20), ("host_data", 64), ("host_start", 1)] {
        dispatcher.drive(port, m.input(port, width));
    }
    m.output_of("host_done", dispatcher.get("host_done"));

    m.comment("Cores.");
    let params = chip.core();
    let flushes = params.flushes();
    let module = core(&params);
    let mut endpoints = vec![];
    for (i, &node) in chip.core_nodes().iter().enumerate() {
        let core = m.tile(core_tile(i), &module);
        launch(dispatcher, core, params.instruction_cache.is_some());
        core.drive("block_valid", dispatcher.get(("block_valid", i)));
        dispatcher.drive(("block_done", i), core.get("block_done"));
        if flushes {
            core.drive("flush", dispatcher.get("flush"));
            dispatcher.drive(("flushed", i), core.get("flushed"));
        }
        let terminal = terminals.get(node);
        let attached = if noc.same(core_clock) {
            attach(&m, chip, overlay, (node, terminal), PacketSide::of(core), MessageClass::Request)?
        } else {
            let side = cross_clocks(&m, chip, noc, (node, core));
            m.in_domain(noc, || attach(&m, chip, overlay, (node, terminal), side, MessageClass::Request))?
        };
        endpoints.extend(attached);
    }

    if chip.is_perfect() {
        return Ok(m.finish());
    }
    m.comment("Memory partitions and their DRAM pins.");
    let params = chip.partition();
    let (flushes_memory, posts) = (params.flushes(), params.posts_writes());
    let (module, map) = (partition(&params), params.map);
    for (c, &node) in chip.memory_nodes().iter().enumerate() {
        let memory = m.tile_in(noc, memory_tile(c), &module);
        if params.crosses_clocks {
            memory.clocked("dram", dram);
        }
        let attached = m.in_domain(noc, || {
            let terminal = terminals.get(node);
            attach(&m, chip, overlay, (node, terminal), PacketSide::of(memory), MessageClass::Reply)
        })?;
        endpoints.extend(attached);
        ChannelPins::of(memory, "dram", &map).outputs(&m, ("dram", c), &map);
        memory.drive("dram_read_data", m.input(("dram", c, "read_data"), 8 * map.line_bytes()));
        if flushes_memory {
            let flush = if posts { "flush_memory" } else { "flush" };
            let down = level(&m, ("flush", c), [core_clock, noc], dispatcher.get(flush));
            memory.drive("flush", down);
            let up = level(&m, ("flushed", c), [noc, core_clock], memory.get("flushed"));
            let before = if flushes { chip.core_nodes().len() } else { 0 };
            dispatcher.drive(("flushed", before + c), up);
        }
    }
    let joined = endpoints.iter().filter_map(|end| Some((end.node, end.joined?))).collect();
    m.in_domain(noc, || chip.fabric().endpoints().join(&m, overlay, &chip.interface(MessageClass::Reply), &joined));
    Ok(m.finish())
}

/// What the dispatcher tells all cores: program, parameters, and the block that one of them is given.
fn launch<'m>(dispatcher: Child<'m>, core: Child<'m>, fetches: bool) {
    if fetches {
        core.drive("program_base", dispatcher.get("program_base"));
    } else {
        ProgramWrite::connect(&(), (dispatcher, "program"), (core, "program"));
    }
    ParameterWrite::connect(&(), (dispatcher, "param"), (core, "param"));
    BlockDim::connect(&(), (dispatcher, "block_dim"), (core, "block_dim"));
    GridIndex::connect(&(), (dispatcher, "grid_dim"), (core, "grid_dim"));
    GridIndex::connect(&(), (dispatcher, "block"), (core, "block"));
    for port in ["block_warps", "block_threads", "shared_stride", "block_slot"] {
        core.drive(port, dispatcher.get(port));
    }
}

/// Clocks of cores, network, controllers and overlays; equal frequencies are one clock.
fn clocks<'m>(m: &'m Builder, config: &ChipConfig) -> [ClockDomain<'m>; 4] {
    let names = config.clocks.domains();
    let mut known: Vec<(&str, ClockDomain<'m>)> = vec![("clock", m.clock())];
    names.map(|name| match known.iter().find(|(other, _)| *other == name) {
        Some(&(_, domain)) => domain,
        None => {
            known.push((name, m.domain(name)));
            known[known.len() - 1].1
        }
    })
}

/// A level of one clock domain as another one sees it, through a synchroniser tile where they differ.
fn level<'m>(
    m: &'m Builder,
    (name, number): (&str, usize),
    [from, to]: [ClockDomain<'m>; 2],
    value: Signal<'m>,
) -> Signal<'m> {
    if from.same(to) {
        return value;
    }
    let synchroniser = m.tile_in(to, (name, number), &synchroniser(2));
    synchroniser.drive("value", value);
    synchroniser.get("seen")
}

/// The ports of a child where it meets the network.
#[derive(Clone, Copy)]
struct PacketSide<'m> {
    child: Child<'m>,
    tx: &'static str,
    rx: &'static str,
}

impl<'m> PacketSide<'m> {
    fn of(child: Child<'m>) -> Self {
        Self { child, tx: "tx", rx: "rx" }
    }
}

/// Takes the packets of a core to the network's clock and back.
fn cross_clocks<'m>(
    m: &'m Builder,
    chip: &Chip,
    noc: ClockDomain<'m>,
    (node, core): (usize, Child<'m>),
) -> PacketSide<'m> {
    let params = chip.endpoint_crossing();
    let (sent, received) = (&params.sent, &params.received);
    let crossing = m.tile(("crossing", node), &endpoint_crossing(&params));
    crossing.clocked("noc", noc);
    SentPacket::of(core, "tx", sent).drive(crossing, "tx", sent);
    core.drive("tx_credit", crossing.get("tx_credit"));
    Delivered::of(crossing, "rx", received).drive(core, "rx", received);
    crossing.drive("rx_credit", core.get("rx_credit"));
    PacketSide { child: crossing, tx: "net_tx", rx: "net_rx" }
}

/// Joins an endpoint with the network by what stands between them, which is the result. Without routers its packet port are pins, `node<node>_*`.
fn attach<'m>(
    m: &'m Builder,
    chip: &Chip,
    overlay: ClockDomain<'m>,
    (node, terminal): (usize, Option<&Terminal<'m>>),
    endpoint: PacketSide<'m>,
    sends: MessageClass,
) -> Result<Option<InterfaceTiles<'m>>, NocError> {
    let params = chip.interface(sends);
    let fabric = chip.fabric();
    let (to_send, received) = (&fabric.endpoint(params.sent()), &fabric.endpoint(params.received()));
    let PacketSide { child: endpoint, tx, rx } = endpoint;
    let sent = SentPacket::of(endpoint, tx, to_send);
    let Some(terminal) = terminal else {
        let pins = ("node", node);
        sent.outputs(m, (pins, "tx"), to_send);
        endpoint.drive((tx, "credit"), m.input((pins, "tx_credit"), 1));
        match sends {
            MessageClass::Request => Delivered::inputs(m, (pins, "rx"), received).drive(endpoint, rx, received),
            MessageClass::Reply => ReceivedPacket::inputs(m, (pins, "rx"), received).drive(endpoint, rx, received),
        }
        m.output_of((pins, "rx_credit"), endpoint.get((rx, "credit")));
        return Ok(None);
    };
    let at = fabric.endpoints().place(m, overlay, terminal, &params)?;
    sent.tap(m, node as u32);
    at.sends.tx().drive(sent);
    endpoint.drive((tx, "credit"), at.sends.tx().answer());
    let packet = at.receives.rx().signals();
    packet.tap(m, node as u32);
    match sends {
        MessageClass::Request => packet.delivered().drive(endpoint, rx, received),
        MessageClass::Reply => packet.drive(endpoint, rx, received),
    }
    at.receives.rx().answer(endpoint.get((rx, "credit")));
    Ok(Some(at))
}

/// The chip's name, and for a chip that is not one of the embedded ones its configuration: two chips of one name are two modules.
fn parameters(config: &ChipConfig) -> Parameters {
    // An embedded config is called like its file.
    let same = EMBEDDED.iter().filter(|(file, _)| file.trim_end_matches(".toml") == config.name);
    let mut embedded = same.filter_map(|(file, _)| read(Some(Path::new(file)), &[]).ok());
    let name = params! { name: config.name };
    if embedded.any(|known| known.config == *config) { name } else { name.and(config) }
}
