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
//! `dram{c}_command`, `_bank`, `_row`, `_column`, `_write_data`, `_write_mask` and `_read_data`; see `docs/tiles.md`. With an ideal
//! network the packet ports are pins, too: `node{n}_tx_*` and `node{n}_rx_*`.

use super::{
    Chip, ChipConfig, EMBEDDED,
    dispatcher::{Dispatcher, HostPort, dispatcher},
    read,
};
use blocks::{Synchroniser, synchroniser};
use hdl::{Builder, ClockDomain, Consumer, Credit, Module, Parameters, PortName, Producer, Signal, params, ports};
use memory::{ChannelPins, partition, partition::Partition};
use noc::{
    InterfaceTiles, MessageClass, NocError, endpoint_crossing,
    endpoint_crossing::EndpointCrossing,
    fabric::Terminal,
    packet::{Delivered, PacketFormat, ReceivedPacket, SentPacket},
};
use simt_core::{core, memory::memory_port::CorePacketPort, tile::Core};
use std::path::Path;

ports! {
    /// Pins of a chip.
    pub struct ChipPorts(chip: &Chip) of PlacedChip {
        /// What the host writes, and that the kernel starts.
        in host: bundle HostPort(&()),
        /// The kernel is over.
        out host_done: 1,
        /// Without a network: packets that a core or controller sends.
        out tx[node: usize in [chip.cores_at_pins(), chip.memories_at_pins()].concat()] as ("node", node, "tx"):
            bundle SentPacket(&chip.packets_at(node)[0]) with credit: 1,
        /// Packets for a core.
        in core_rx[node: usize in chip.cores_at_pins().iter().copied()] as ("node", node, "rx"):
            bundle Delivered(&chip.packets_at(node)[1]) with credit: 1,
        /// Packets for a controller.
        in memory_rx[node: usize in chip.memories_at_pins().iter().copied()] as ("node", node, "rx"):
            bundle ReceivedPacket(&chip.packets_at(node)[1]) with credit: 1,
        /// Pins of a DRAM channel.
        out dram[c: usize in 0..chip.dram_channels()] as ("dram", c): bundle ChannelPins(&chip.partition().map),
        /// The line that comes from it.
        in dram_read_data[c: usize in 0..chip.dram_channels()] as ("dram", c, "read_data"):
            8 * chip.partition().map.line_bytes(),
    }
}

impl Chip {
    /// Nodes of cores whose packet ports are pins.
    fn cores_at_pins(&self) -> &[usize] {
        if self.is_ideal() { self.core_nodes() } else { &[] }
    }

    /// Nodes of controllers whose packet ports are pins.
    fn memories_at_pins(&self) -> &[usize] {
        if self.is_ideal() && !self.is_perfect() { self.memory_nodes() } else { &[] }
    }

    /// DRAM channels that it has pins for.
    fn dram_channels(&self) -> usize {
        if self.is_perfect() { 0 } else { self.memory_nodes().len() }
    }

    /// Packets that the endpoint at a node sends, and those that it receives.
    fn packets_at(&self, node: usize) -> [PacketFormat; 2] {
        let is_core = self.core_nodes().contains(&node);
        let params = self.interface(if is_core { MessageClass::Request } else { MessageClass::Reply });
        [params.sent(), params.received()].map(|format| self.fabric().endpoint(format))
    }
}

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
    let io = ChipPorts::new(&m, chip);
    let terminals = if chip.is_ideal() { vec![] } else { m.in_domain(noc, || chip.fabric().build(&m))? };

    m.comment("Host port and block dispatcher.");
    let dispatcher = Dispatcher(m.tile("dispatcher", &dispatcher(&chip.dispatcher())));
    dispatcher.host(io.host());
    io.host_done(dispatcher.host_done());

    m.comment("Cores.");
    let params = chip.core();
    let flushes = params.flushes();
    let module = core(&params);
    let mut endpoints = vec![];
    for (i, &node) in chip.core_nodes().iter().enumerate() {
        let tile = m.tile(core_tile(i), &module);
        let (core, port) = (Core(tile), CorePacketPort(tile));
        launch(dispatcher, core);
        core.block_valid(dispatcher.block_valid(i));
        dispatcher.block_done(i, core.block_done());
        if let Some(flushed) = core.flushed() {
            core.flush(dispatcher.flush());
            dispatcher.flushed(i, flushed);
        }
        let terminal = terminals.get(node);
        let attached = if noc.same(core_clock) {
            let side = PacketSide { sent: port.tx(), received: Receiver::Core(port.rx()) };
            attach(&m, chip, io, overlay, (node, terminal), side)?
        } else {
            let side = cross_clocks(&m, chip, noc, (node, port));
            m.in_domain(noc, || attach(&m, chip, io, overlay, (node, terminal), side))?
        };
        endpoints.extend(attached);
    }

    if chip.is_perfect() {
        return Ok(m.finish());
    }
    m.comment("Memory partitions and their DRAM pins.");
    let params = chip.partition();
    let (module, posts) = (partition(&params), params.posts_writes());
    for (c, &node) in chip.memory_nodes().iter().enumerate() {
        let memory = Partition(m.tile_in(noc, memory_tile(c), &module));
        if params.crosses_clocks {
            memory.0.clocked(partition::DRAM_CLOCK, dram);
        }
        let side = PacketSide { sent: memory.tx(), received: Receiver::Memory(memory.rx()) };
        let attached = m.in_domain(noc, || attach(&m, chip, io, overlay, (node, terminals.get(node)), side))?;
        endpoints.extend(attached);
        io.dram(c, memory.dram());
        memory.dram_read_data(io.dram_read_data(c));
        if let Some(flushed) = memory.flushed() {
            let flush = if posts { dispatcher.flush_memory() } else { dispatcher.flush() };
            memory.flush(flush.map(|flush| level(&m, ("flush", c), [core_clock, noc], flush)));
            let up = level(&m, ("flushed", c), [noc, core_clock], flushed);
            let before = if flushes { chip.core_nodes().len() } else { 0 };
            dispatcher.flushed(before + c, up);
        }
    }
    let joined = endpoints.iter().filter_map(|end| Some((end.node, end.joined?))).collect();
    m.in_domain(noc, || chip.fabric().endpoints().join(&m, overlay, &chip.interface(MessageClass::Reply), &joined));
    Ok(m.finish())
}

/// What the dispatcher tells all cores: program, parameters, and the block that one of them is given.
fn launch<'m>(dispatcher: Dispatcher<'m>, core: Core<'m>) {
    dispatcher.program().into_iter().for_each(|program| core.program(program));
    core.program_base(dispatcher.program_base());
    core.param(dispatcher.param());
    core.block_dim(dispatcher.block_dim());
    core.grid_dim(dispatcher.grid_dim());
    core.block_size(dispatcher.block_size());
    core.block_slot(dispatcher.block_slot());
    core.block(dispatcher.block());
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
    let synchroniser = Synchroniser(m.tile_in(to, (name, number), &synchroniser(2)));
    synchroniser.value(value);
    synchroniser.seen()
}

/// An endpoint where it meets the network.
struct PacketSide<'m> {
    sent: Producer<'m, SentPacket<'m>, Credit>,
    received: Receiver<'m>,
}

/// Who receives packets, and so what it sends.
enum Receiver<'m> {
    /// A core: requests.
    Core(Consumer<'m, Delivered<'m>, Credit>),
    /// A controller, which has to know who has sent them: replies.
    Memory(Consumer<'m, ReceivedPacket<'m>, Credit>),
}

impl<'m> Receiver<'m> {
    /// What it sends.
    fn sends(&self) -> MessageClass {
        match self {
            Receiver::Core(_) => MessageClass::Request,
            Receiver::Memory(_) => MessageClass::Reply,
        }
    }

    /// Shows it a packet; its credits.
    fn receive(&self, packet: ReceivedPacket<'m>) -> Signal<'m> {
        match self {
            Receiver::Core(core) => {
                core.drive(packet.delivered());
                core.answer()
            }
            Receiver::Memory(memory) => {
                memory.drive(packet);
                memory.answer()
            }
        }
    }
}

/// Takes the packets of a core to the network's clock and back.
fn cross_clocks<'m>(
    m: &'m Builder,
    chip: &Chip,
    noc: ClockDomain<'m>,
    (node, core): (usize, CorePacketPort<'m>),
) -> PacketSide<'m> {
    let crossing = EndpointCrossing(m.tile(("crossing", node), &endpoint_crossing(&chip.endpoint_crossing())));
    crossing.0.clocked(endpoint_crossing::NETWORK_CLOCK, noc);
    core.tx().connect(crossing.tx());
    crossing.rx().connect(core.rx());
    PacketSide { sent: crossing.net_tx(), received: Receiver::Core(crossing.net_rx()) }
}

/// Joins an endpoint with the network by what stands between them, which is the result. Without routers its packet port are pins, `node<node>_*`.
fn attach<'m>(
    m: &'m Builder,
    chip: &Chip,
    io: ChipPorts<'m>,
    overlay: ClockDomain<'m>,
    (node, terminal): (usize, Option<&Terminal<'m>>),
    PacketSide { sent, received }: PacketSide<'m>,
) -> Result<Option<InterfaceTiles<'m>>, NocError> {
    let Some(terminal) = terminal else {
        io.tx(node).connect(sent);
        match received {
            Receiver::Core(core) => io.core_rx(node).connect(core),
            Receiver::Memory(memory) => io.memory_rx(node).connect(memory),
        }
        return Ok(None);
    };
    let (params, fabric) = (chip.interface(received.sends()), chip.fabric());
    let at = fabric.endpoints().place(m, overlay, terminal, &params)?;
    sent.signals().tap(m, node as u32);
    sent.connect(at.sends.tx());
    let packet = at.receives.rx().signals();
    packet.tap(m, node as u32);
    at.receives.rx().answer(received.receive(packet));
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
