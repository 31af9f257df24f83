//! From what a person wrote to what is built: checks every value, computes what follows from them.

use super::{
    BlockDistribution, ChipConfig, ClassChannels, ClocksConfig, DispatcherParams, GraphConfig, MemoryModel,
    NetworkConfig, NetworkModel, OverlayInjection, OverlayKind, ReplyInjection, ReplyWrite, RingConfig, caches,
    cores::{atomics, core_params, listeners, prefetcher, scaled},
    write_order,
};
use crate::{
    core::CoreParams,
    memory::{
        AddressMap, AddressMapKind, MapError, PartitionParams, ServiceParams, WriteReply, packets::MemoryPackets,
    },
    noc::{
        EndpointCrossingParams, Fabric, FabricParams, FlitFormat, InterfaceParams, MessageClass, NetworkParams,
        NocError, NodeKind, Nodes, OverlayParams, Placement, Priority, RingParams, Routing, SplitQueues, TopologyKind,
        fabric::{HALF_ROUTERS, ReplyChannel},
        router::VC_LINKS,
    },
};
use common::{
    parameters::{OutOfRange, Parameters},
    short::shortened,
};
use hdl::index_width;
use program::Target;

/// A value of a configuration that gives no chip.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, miette::Diagnostic)]
#[error("invalid value {value} for {path}")]
#[diagnostic(help("allowed: {allowed}"))]
pub struct ChipError {
    /// Key, with the tables around it: `core.warps`.
    pub path: String,
    /// Its value.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

/// A checked chip with everything that follows from its configuration.
#[derive(Clone, Debug)]
pub struct Chip {
    config: ChipConfig,
    map: AddressMap,
    core_nodes: Vec<usize>,
    fabric: Fabric,
}

pub(super) fn impossible(path: &str, value: impl ToString, allowed: impl ToString) -> ChipError {
    ChipError { path: path.into(), value: shortened(&value.to_string()), allowed: allowed.to_string() }
}

impl Chip {
    /// Checks a configuration.
    pub fn new(config: &ChipConfig) -> Result<Self, ChipError> {
        ranges(config)?;
        let config = &scaled(&built(&without_lost(config)?)?)?;
        let nodes = (config.network.columns * config.network.rows) as usize;
        let memory_nodes = memory_nodes(config)?;
        let map = AddressMap::new(&memory_nodes, nodes, config.memory.banks as usize, config.memory.row_bytes);
        let map = map.map_err(|error| map_problem(config, &error))?.with_line_bytes(config.memory.line_bytes);
        // One controller holds all addresses.
        let kind = if memory_nodes.len() > 1 { config.memory.address_map } else { AddressMapKind::default() };
        let map = map.with_kind(kind);
        let unattached = unattached(config)?;
        let empty = |node: usize| unattached.contains(&(node as u32));
        let core_nodes: Vec<_> = (0..nodes).filter(|node| !memory_nodes.contains(node) && !empty(*node)).collect();
        if core_nodes.is_empty() {
            let allowed = format!("at most {}: a chip needs a core at one of its {nodes} nodes", nodes - 1);
            return Err(impossible("memory.controllers", config.memory.controllers, allowed));
        }
        let packets = core_params(config, &map).packets();
        caches::fit_reads(config, reads(&core_nodes, packets.protocol.tag_bits))?;
        let fabric = fabric(config, &memory_nodes, &packets)?;
        affordable(config, &fabric)?;
        write_order::fits(config, &fabric)?;
        Ok(Self { config: config.clone(), map, core_nodes, fabric })
    }

    /// The configuration that it was made from, with the core's resources as `core.scale_percent` has made them, which is 100 here.
    pub fn config(&self) -> &ChipConfig {
        &self.config
    }

    /// The address map.
    pub fn map(&self) -> &AddressMap {
        &self.map
    }

    /// Nodes of the mesh.
    pub fn nodes(&self) -> usize {
        (self.config.network.columns * self.config.network.rows) as usize
    }

    /// Node of each core; core `i` is at `core_nodes()[i]`.
    pub fn core_nodes(&self) -> &[usize] {
        &self.core_nodes
    }

    /// Node of each memory controller.
    pub fn memory_nodes(&self) -> &[usize] {
        self.map.controller_nodes()
    }

    /// Bits of a node number.
    pub fn node_bits(&self) -> u32 {
        index_width(self.nodes())
    }

    /// Parameters of the block dispatcher.
    pub fn dispatcher(&self) -> DispatcherParams {
        let core = &self.config.core;
        let cores = self.core_nodes.len();
        let (params, posts) = (self.core(), self.config.memory.write_reply == WriteReply::None);
        let of_cores = if params.flushes() { cores } else { 0 };
        let of_memory = if posts || self.config.cache.l2.bytes > 0 { self.memory_nodes().len() } else { 0 };
        let flushed = of_memory + of_cores;
        DispatcherParams {
            cores,
            warps: core.warps as usize,
            blocks: core.blocks as usize,
            flushed,
            later: if posts { of_memory } else { 0 },
            program_line: params.instruction_cache.map(|cache| cache.protocol.line_bytes),
            // There is nothing to choose among one.
            distribution: if cores > 1 { core.distribution } else { BlockDistribution::default() },
        }
    }

    /// Parameters of the cores.
    pub fn core(&self) -> CoreParams {
        core_params(&self.config, &self.map)
    }

    /// What the compiler has to know of the cores.
    pub fn target(&self) -> Target {
        let core = &self.config.core;
        Target {
            registers: core.registers as usize,
            double: core.double.lanes_of_unit().is_some(),
            special: core.special_units > 0,
            ..Target::default()
        }
    }

    /// The network.
    pub fn fabric(&self) -> &Fabric {
        &self.fabric
    }

    /// The key of the configuration that an error of a network made from it is about, its value and what is allowed.
    pub fn network_problem(&self, error: &NocError) -> ChipError {
        network_problem(&self.config, error)
    }

    /// The network is behavioural: the chip has packet pins in its place.
    pub fn is_ideal(&self) -> bool {
        self.config.network.model == NetworkModel::Ideal
    }

    /// Memory is behavioural, too: the chip is cores with packet pins, and the dispatcher.
    pub fn is_perfect(&self) -> bool {
        self.config.memory.model == MemoryModel::Perfect
    }

    /// Of a chip with behavioural parts: the key that says so, its value, and the value without.
    pub fn behavioural(&self) -> Option<[&'static str; 3]> {
        match (self.is_perfect(), self.is_ideal()) {
            (true, _) => Some(["memory.model", "perfect", "controllers"]),
            (false, true) => Some(["network.model", "ideal", "routers"]),
            (false, false) => None,
        }
    }

    /// Of an ideal network with a limit of flits: its bytes a second over those of the DRAM.
    pub fn ideal_bandwidth(&self) -> Option<f64> {
        let ChipConfig { network, memory, clocks, .. } = &self.config;
        if !self.is_ideal() || network.ideal_flits == 0 {
            return None;
        }
        let of_network = f64::from(network.ideal_flits * network.channel_bytes) * f64::from(clocks.noc);
        let of_controller = f64::from(memory.line_bytes) / f64::from(memory.timing.burst) * f64::from(clocks.dram);
        Some(of_network / (of_controller * f64::from(memory.controllers)))
    }

    /// The packets of its transactions.
    pub fn packets(&self) -> MemoryPackets {
        self.core().packets()
    }

    /// The flit channel of requests.
    pub fn format(&self) -> FlitFormat {
        self.format_of(MessageClass::Request)
    }

    /// The flit channel of a message class.
    pub fn format_of(&self, class: MessageClass) -> FlitFormat {
        self.fabric.network_of(class).format
    }

    /// Network interfaces of the nodes that send `class`: requests at cores, replies at memory controllers.
    pub fn interface(&self, class: MessageClass) -> InterfaceParams {
        let network = &self.config.network;
        let kind = if class == MessageClass::Request { NodeKind::Core } else { NodeKind::Memory };
        InterfaceParams {
            tx_queue_packets: network.tx_queue_packets as usize,
            rx_queue_packets: match class {
                MessageClass::Request => CoreParams::RX_PLACES,
                MessageClass::Reply => self.partition().coming_entries(),
            },
            payload_bits: MessageClass::ALL.map(|class| self.packets().payload_bits(class)),
            ..self.fabric.interface(kind, class)
        }
    }

    /// Network interfaces of memory nodes, but for what they receive.
    fn reply_interface(&self) -> InterfaceParams {
        InterfaceParams {
            tx_queue_packets: self.config.network.tx_queue_packets as usize,
            ..self.fabric.interface(NodeKind::Memory, MessageClass::Reply)
        }
    }

    /// Clock crossings of the cores, where the network has another clock.
    pub fn endpoint_crossing(&self) -> EndpointCrossingParams {
        EndpointCrossingParams {
            sent: self.packets().format(MessageClass::Request, self.format().width),
            received: self.packets().format(MessageClass::Reply, self.format_of(MessageClass::Reply).width),
            tx_places: self.config.network.tx_queue_packets as usize,
            rx_places: CoreParams::RX_PLACES,
        }
    }

    /// Parameters of the memory partitions.
    pub fn partition(&self) -> PartitionParams {
        let memory = &self.config.memory;
        let [_, noc, dram, _] = self.config.clocks.domains();
        let partition = PartitionParams {
            crosses_clocks: noc != dram,
            map: self.map.clone(),
            timing: memory.timing,
            tag_bits: self.packets().protocol.tag_bits,
            queue_entries: memory.queue_entries as usize,
            reply_entries: memory.reply_entries as usize,
            tx_queue_packets: self.fabric.endpoints().tx_credits(&self.reply_interface()),
            service: ServiceParams {
                scheduler: memory.scheduler,
                row_streak_max: memory.row_streak_max,
                min_latency: memory.min_latency,
            },
            l2: None,
            atomics: if self.config.core.atomics { memory.atomic_entries } else { 0 },
            write_reply: memory.write_reply,
            partial_write: memory.partial_write,
            flit_bits: self.format_of(MessageClass::Reply).width,
        };
        let reads = reads(&self.core_nodes, partition.tag_bits);
        let l2 = caches::l2(&self.config.cache.l2, partition.below_atomics(), reads);
        PartitionParams { l2, ..partition }
    }
}

/// The configuration of what is left: only the memory controllers at nodes that are not lost are there.
fn without_lost(config: &ChipConfig) -> Result<ChipConfig, ChipError> {
    let network = &config.network;
    let lost = network.lost().map_err(|error| network_problem(config, &error))?;
    if lost.is_empty() {
        return Ok(config.clone());
    }
    let is_left = |node: &usize| !lost.contains(&(*node as u32));
    let left: Vec<_> = memory_nodes(config)?.into_iter().filter(is_left).map(|node| node as u32).collect();
    if left.is_empty() {
        let (path, value) = faults_key(network);
        return Err(impossible(path, value, "faults that leave a memory controller"));
    }
    let mut config = config.clone();
    config.memory.controllers = left.len() as u32;
    config.network.placement = Placement::List(left);
    Ok(config)
}

/// Nodes with nothing attached, lost or empty. Errors: a node that is both, faults that cannot be.
fn unattached(config: &ChipConfig) -> Result<Vec<u32>, ChipError> {
    let network = &config.network;
    let lost = network.lost().map_err(|error| network_problem(config, &error))?;
    if let Some(node) = network.empty.iter().find(|node| lost.contains(node)) {
        let allowed = format!("nodes that are there; node {node} is lost already by {}", faults_key(network).0);
        return Err(impossible("network.empty", format!("{:?}", network.empty), allowed));
    }
    Ok([network.empty.clone(), lost].concat())
}

/// The first key that says that something does not work, and its value.
fn faults_key(network: &NetworkConfig) -> (&'static str, String) {
    let lists = [
        ("network.disabled_rows", &network.disabled_rows),
        ("network.disabled_columns", &network.disabled_columns),
        ("network.faulty_routers", &network.faulty_routers),
    ];
    let first = lists.into_iter().find(|(_, list)| !list.is_empty());
    let links = || ("network.faulty_links", format!("{:?}", network.faulty_links));
    first.map_or_else(links, |(path, list)| (path, format!("{list:?}")))
}

/// Packets that all cores can have under way.
fn reads(core_nodes: &[usize], tag_bits: u32) -> u32 {
    (core_nodes.len() as u32) << tag_bits
}

/// What is built of a configuration: with a perfect memory there is neither cache nor network, nor another clock; with an ideal network there
/// are no routers, and where nothing counts the flits of packets, the packet ports are as wide as by default.
fn built(config: &ChipConfig) -> Result<ChipConfig, ChipError> {
    let mut config = config.clone();
    if config.memory.model == MemoryModel::Perfect {
        (config.cache.l1d.bytes, config.cache.l2.bytes) = (0, 0);
        (config.memory.write_reply, config.network.model) = (WriteReply::Packet, NetworkModel::Ideal);
        let core = config.clocks.core;
        config.clocks = ClocksConfig { core, noc: core, dram: core, overlay: 0 };
        config.network.ideal_flits = 0;
    }
    if config.network.model == NetworkModel::Ideal {
        config.network = without_routers(&config.network, unattached(&config)?);
    }
    if config.network.overlay.kind == OverlayKind::None {
        config.clocks.overlay = 0;
    }
    Ok(config)
}

/// The network without what is about routers. All nodes reach each other in this topology, wherever nodes are empty.
fn without_routers(network: &NetworkConfig, unattached: Vec<u32>) -> NetworkConfig {
    let default = NetworkConfig::default();
    NetworkConfig {
        columns: network.columns,
        rows: network.rows,
        placement: network.placement.clone(),
        empty: unattached,
        model: network.model,
        ideal_bytes: network.ideal_bytes,
        ideal_flits: network.ideal_flits,
        ideal_latency: network.ideal_latency,
        channel_bytes: if network.ideal_flits > 0 { network.channel_bytes } else { default.channel_bytes },
        tx_queue_packets: network.tx_queue_packets,
        topology: TopologyKind::FlattenedButterfly,
        ..default
    }
}

/// Every number in its own range.
pub(super) fn in_ranges(config: &ChipConfig) -> Result<(), ChipError> {
    config.check_ranges("").map_err(|OutOfRange { path, value, allowed }| impossible(&path, value, allowed))
}

/// Every number in its own range, and as others allow it.
pub(super) fn ranges(config: &ChipConfig) -> Result<(), ChipError> {
    in_ranges(config)?;
    let ChipConfig { network, core, .. } = config;
    if network.columns * network.rows < 2 {
        return Err(impossible("network.columns", network.columns, "at least 2 nodes in all: a core and a controller"));
    }
    if network.ideal_bytes > 0 && network.ideal_flits > 0 {
        let allowed = "0, as network.ideal_bytes limits the ideal network already";
        return Err(impossible("network.ideal_flits", network.ideal_flits, allowed));
    }
    vc_sets(config)?;
    caches::fit(config)?;
    if network.vc_reuse_delay == 0 && network.pipeline < 3 {
        let allowed = format!("1, as network.pipeline = {}: route and virtual channel share a cycle", network.pipeline);
        return Err(impossible("network.vc_reuse_delay", network.vc_reuse_delay, allowed));
    }
    if let Some(vcs) = network.vcs_of_ports().into_iter().find(|vcs| !vcs.is_multiple_of(network.input_speedup)) {
        let count = counted(network, vcs);
        let allowed = format!("1, as {count} is odd: an input has two banks of virtual channels");
        return Err(impossible("network.input_speedup", network.input_speedup, allowed));
    }
    injection_speedup(config)?;
    split_replies(config)?;
    ring_bytes(config)?;
    overlay_bytes(config)?;
    listeners(config)?;
    prefetcher(config)?;
    atomics(config)?;
    let most = core.lanes / 2;
    if core.special_units != 0 && !(core.special_units.is_power_of_two() && core.special_units <= most) {
        let allowed = format!("0 or a power of two up to {most}, half of core.lanes");
        return Err(impossible("core.special_units", core.special_units, allowed));
    }
    if core.warps < 2 * core.issue_slots {
        let allowed = format!("1, as core.warps = {}: each slot has two at least", core.warps);
        return Err(impossible("core.issue_slots", core.issue_slots, allowed));
    }
    if !core.warps.is_multiple_of(core.issue_slots) {
        let allowed = format!("an even number, as core.issue_slots = {}", core.issue_slots);
        return Err(impossible("core.warps", core.warps, allowed));
    }
    let least = index_width(core.warps as usize);
    if (1..least).contains(&core.tag_bits) {
        let allowed = format!("{least} to 8 bits, as core.warps = {}, or 0: as many as it takes", core.warps);
        return Err(impossible("core.tag_bits", core.tag_bits, allowed));
    }
    if core.merge_loads && config.cache.l1d.bytes > 0 {
        return Err(impossible(
            "core.merge_loads",
            true,
            "false with a data cache (cache.l1d.bytes), which merges misses",
        ));
    }
    if ![0, 8, 16, 32].contains(&core.shared_banks) {
        return Err(impossible("core.shared_banks", core.shared_banks, "0, 8, 16 or 32"));
    }
    Ok(())
}

/// The VCs of an injection port divide among its switch inputs, and there is such a port.
fn injection_speedup(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    let refuse = |allowed: String| Err(impossible("network.injection_speedup", network.injection_speedup, allowed));
    if network.injection_speedup == 1 || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    for vcs in network.vcs_of_ports() {
        if !vcs.is_multiple_of(network.injection_speedup) {
            let divisors = (1..=vcs).filter(|n| vcs.is_multiple_of(*n)).map(|n| n.to_string());
            let divisors = divisors.collect::<Vec<_>>().join(", ");
            return refuse(format!("{divisors}, as {}: each switch input has as many of them", counted(network, vcs)));
        }
    }
    Ok(())
}

/// A channel of the ring carries whole flits.
fn ring_bytes(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    if network.ring.cycles == 0 || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    for channels in network.channels() {
        if !network.ring.bytes.is_multiple_of(channels.bytes) {
            let allowed = format!("a multiple of {}, the bytes of a flit of the mesh", channels.bytes);
            return Err(impossible("network.ring.bytes", network.ring.bytes, allowed));
        }
    }
    Ok(())
}

/// The ring that a configuration asks for.
fn ring(network: &NetworkConfig) -> Option<RingParams> {
    let RingConfig { cycles, bytes, tie, seed, direct_below, order, tx, rx, fair_wait } = network.ring;
    let flits = network.channels().map(|channels| bytes / channels.bytes);
    let (seed, tx, rx) = (seed.into(), tx as usize, rx as usize);
    (cycles > 0).then_some(RingParams { cycles, flits, tie, seed, direct_below, order, tx, rx, fair_wait })
}

/// Bytes of an overlay's flit: the reply network's divided among the memory controllers, if nothing else is said.
fn overlay_bytes(config: &ChipConfig) -> Result<u32, ChipError> {
    let (network, controllers) = (&config.network, config.memory.controllers);
    let [_, ClassChannels { bytes, .. }] = network.channels();
    match network.overlay.channel_bytes {
        0 if network.overlay.kind != OverlayKind::None
            && network.model != NetworkModel::Ideal
            && !bytes.is_multiple_of(controllers) =>
        {
            let allowed = format!(
                "1 to 64 bytes: {bytes} bytes, the channel of the reply network, do not divide among {controllers} controllers (memory.controllers)"
            );
            Err(impossible("network.overlay.channel_bytes", 0, allowed))
        }
        0 => Ok(bytes / controllers),
        own => Ok(own),
    }
}

/// The overlays that a configuration asks for.
fn overlay(config: &ChipConfig) -> Result<Option<OverlayParams>, ChipError> {
    let own = &config.network.overlay;
    let (buffer, split) = (own.buffer as usize, own.injection == OverlayInjection::Split);
    let ([_, noc, _, overlay], [_, of_noc, _, of_overlay]) = (config.clocks.megahertz(), config.clocks.domains());
    let clock = (of_noc != of_overlay).then_some([overlay, noc]);
    let params = OverlayParams { width: 8 * overlay_bytes(config)?, buffer, split, header_flits: 0, clock };
    Ok((own.kind == OverlayKind::Da2mesh).then_some(params))
}

/// Numbers by which all of these can be divided.
fn common_divisors(numbers: &[u32]) -> String {
    let least = numbers.iter().copied().min().unwrap_or(1);
    let divides = |n: &u32| numbers.iter().all(|number| number.is_multiple_of(*n));
    (1..=least).filter(divides).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

/// Split reply queues: one for each VC of replies, with as many packets each, divided among the links.
fn split_replies(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    if network.reply_injection == ReplyInjection::Single || network.model == NetworkModel::Ideal {
        return Ok(());
    }
    let [_, ClassChannels { vcs, .. }] = network.channels();
    if vcs < 2 {
        let allowed = "single, as replies have 1 virtual channel: there is a queue for each";
        return Err(impossible("network.reply_injection", "split", allowed));
    }
    if network.injection_ports > 1 {
        let allowed = "1, as network.reply_injection = split: its links lead to one port";
        return Err(impossible("network.injection_ports", network.injection_ports, allowed));
    }
    let of_port = network.vcs_of_ports().pop().expect("there is a network");
    if !vcs.is_multiple_of(network.links()) || !of_port.is_multiple_of(network.links()) {
        let divisors = common_divisors(&[vcs, of_port]);
        let of_all = if of_port == vcs { String::new() } else { format!(", and the {of_port} of a port") };
        let allowed = format!("{divisors}: it divides the {vcs} virtual channels of replies{of_all}");
        return Err(impossible("network.injection_links", network.injection_links, allowed));
    }
    if !network.tx_queue_packets.is_multiple_of(vcs) {
        let multiples = (1..=16 / vcs).map(|n| (n * vcs).to_string()).collect::<Vec<_>>().join(", ");
        let allowed = format!("{multiples}: each of the {vcs} split reply queues holds the same number of packets");
        return Err(impossible("network.tx_queue_packets", network.tx_queue_packets, allowed));
    }
    Ok(())
}

/// Which key says that a port has so many VCs.
fn counted(network: &NetworkConfig, vcs: u32) -> String {
    if vcs == network.vcs { format!("network.vcs = {vcs}") } else { format!("a port has {vcs} virtual channels") }
}

/// The VCs divide among message classes and the routing's sets.
fn vc_sets(config: &ChipConfig) -> Result<(), ChipError> {
    let network = &config.network;
    let topology = network.topology();
    let routing = topology.routing(network.routing).unwrap_or(network.routing);
    let (messages, sets) = (network.organisation.messages(), routing.vc_sets());
    let [requests, replies] = network.channels();
    if messages == 2 && requests.bytes != replies.bytes {
        let (key, bytes) = match network.reply_channel_bytes {
            0 => ("network.request_channel_bytes", requests.bytes),
            bytes => ("network.reply_channel_bytes", bytes),
        };
        let other = if network.reply_channel_bytes == 0 { replies.bytes } else { requests.bytes };
        let allowed =
            format!("{other}, or network.organisation = dedicated: requests and replies share their channels");
        return Err(impossible(key, bytes, allowed));
    }
    for (key, bytes) in [
        ("network.request_channel_bytes", network.request_channel_bytes),
        ("network.reply_channel_bytes", network.reply_channel_bytes),
    ] {
        if (1..4).contains(&bytes) {
            return Err(impossible(key, bytes, "0 (as network.channel_bytes), or 4 to 128 bytes"));
        }
    }
    for (key, own) in [("network.request_vcs", network.request_vcs), ("network.reply_vcs", network.reply_vcs)] {
        if !own.is_multiple_of(sets) {
            let allowed = format!("0 (by network.vcs), or an even number up to 16: {routing:?} routing keeps two sets");
            return Err(impossible(key, own, allowed));
        }
    }
    if network.request_vcs > 0 && network.reply_vcs > 0 {
        return Ok(());
    }
    if network.vcs.is_multiple_of(messages * sets) {
        return Ok(());
    }
    let halves = if messages == 2 { "half for requests, half for replies" } else { "one message class a subnetwork" };
    let number = if messages * sets == 2 {
        "an even number from 2 to 16".into()
    } else {
        format!("a multiple of {} up to 16", messages * sets)
    };
    let each = if sets == 2 { ", each in two sets for this routing" } else { "" };
    Err(impossible("network.vcs", network.vcs, format!("{number}: {halves}{each}")))
}

/// As a configuration writes it.
pub(super) fn name(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(String::from)).unwrap_or_default()
}

/// The key that an error of a network is about, its value and what is allowed.
fn network_problem(config: &ChipConfig, error: &NocError) -> ChipError {
    let network = &config.network;
    let allocator = |at: &str| format!("network.{at}.iterations");
    let (path, value): (String, String) = match error {
        NocError::Vcs { .. }
        | NocError::Classes { .. }
        | NocError::InterfaceClasses { .. }
        | NocError::TrafficClasses { .. } => ("network.vcs".into(), network.vcs.to_string()),
        NocError::Width { .. } => ("network.channel_bytes".into(), network.channel_bytes.to_string()),
        NocError::ReplyVcs { .. } => ("network.reply_vcs".into(), network.reply_vcs.to_string()),
        NocError::ReplyWidth { .. } => ("network.reply_channel_bytes".into(), network.reply_channel_bytes.to_string()),
        NocError::Depth { .. } => ("network.depth".into(), network.depth.to_string()),
        NocError::Sideband { .. } => ("core.tag_bits".into(), config.core.tag_bits.to_string()),
        NocError::Places { name, places, .. } => (format!("network.{name}"), places.to_string()),
        NocError::Traffic { name, value, .. } => (name.to_string(), value.to_string()),
        NocError::Size { .. } => ("network.columns".into(), network.columns.to_string()),
        NocError::Placement { .. } => ("network.placement.list".into(), placement(config)),
        NocError::TooManyMemories { .. } => ("memory.controllers".into(), config.memory.controllers.to_string()),
        NocError::Pipeline { .. } => ("network.pipeline".into(), network.pipeline.to_string()),
        NocError::VcReuseDelay { .. } => ("network.vc_reuse_delay".into(), network.vc_reuse_delay.to_string()),
        NocError::ExtraLatency { .. } => ("network.extra_latency".into(), network.extra_latency.to_string()),
        NocError::Speedup { .. } => ("network.input_speedup".into(), network.input_speedup.to_string()),
        NocError::InputPort { what: VC_LINKS, .. } | NocError::SplitLinks { .. } => {
            ("network.injection_links".into(), network.injection_links.to_string())
        }
        NocError::Priority { name, value, .. } => (format!("network.{name}"), value.to_string()),
        NocError::Header => ("network.priority_levels".into(), network.priority_levels.to_string()),
        NocError::NoSplit { .. } => ("network.reply_injection".into(), name(&network.reply_injection)),
        NocError::FlitWrites { .. } => ("network.reply_write".into(), name(&network.reply_write)),
        NocError::SplitPlaces { .. } => ("network.tx_queue_packets".into(), network.tx_queue_packets.to_string()),
        NocError::InjectionSpeedup { .. } | NocError::InputPort { .. } => {
            ("network.injection_speedup".into(), network.injection_speedup.to_string())
        }
        NocError::Iterations { iterations } if network.vc_allocator.iterations == *iterations => {
            (allocator("vc_allocator"), iterations.to_string())
        }
        NocError::Iterations { iterations } => (allocator("switch_allocator"), iterations.to_string()),
        NocError::Concentration { .. } => ("network.concentration".into(), network.concentration.to_string()),
        NocError::Radix { .. } if network.topology == TopologyKind::Graph => {
            ("network.graph.links".into(), format!("{:?}", network.graph.links))
        }
        NocError::Torus { .. } | NocError::Radix { .. } | NocError::NotAttached { .. } => {
            ("network.topology".into(), name(&network.topology))
        }
        NocError::MeshOnly { what } if *what == HALF_ROUTERS => ("network.routers".into(), name(&network.routers)),
        NocError::MeshOnly { .. } | NocError::ByDirection { .. } => {
            ("network.port_choice".into(), name(&network.port_choice))
        }
        NocError::NotInverted => ("network.routers".into(), name(&network.routers)),
        NocError::Overlay { name, value, .. } => (format!("network.overlay.{name}"), value.clone()),
        NocError::NotATree { .. } => ("network.overlay.kind".into(), name(&network.overlay.kind)),
        NocError::Ring { name, value, .. } => (format!("network.ring.{name}"), value.clone()),
        NocError::Unconnected { .. } if !network.faults().is_empty() => {
            let (path, value) = faults_key(network);
            (path.into(), value)
        }
        NocError::Empty { .. } | NocError::Unconnected { .. } => {
            ("network.empty".into(), format!("{:?}", network.empty))
        }
        NocError::Graph { name, value, .. } => (format!("network.graph.{name}"), value.clone()),
        NocError::CutOff { .. } if network.faults().is_empty() => {
            let GraphConfig { links, one_way, .. } = &network.graph;
            match one_way.is_empty() {
                true => ("network.graph.links".into(), format!("{links:?}")),
                false => ("network.graph".into(), format!("links {links:?}, one_way {one_way:?}")),
            }
        }
        NocError::Fault { name, .. } => {
            let lists = [("disabled_rows", &network.disabled_rows), ("disabled_columns", &network.disabled_columns)];
            let list = lists.into_iter().find(|(key, _)| key == name).map(|(_, list)| list);
            let links = || format!("{:?}", network.faulty_links);
            let routers = || format!("{:?}", network.faulty_routers);
            let value = if *name == "faulty_links" { links() } else { list.map_or_else(routers, |l| format!("{l:?}")) };
            (format!("network.{name}"), value)
        }
        NocError::CutOff { .. } | NocError::IndirectFaults => {
            let (path, value) = faults_key(network);
            (path.into(), value)
        }
        NocError::NoPath { .. }
        | NocError::MissingConnection { .. }
        | NocError::RoutingOnTopology { .. }
        | NocError::Via { .. }
        | NocError::NoLink { .. } => ("network.routing".into(), name(&network.routing)),
    };
    let allowed = match error {
        NocError::NoPath { .. } | NocError::MissingConnection { .. } => {
            format!("what serves every pair of nodes that talk, with these routers and this placement. {error}")
        }
        NocError::NoLink { .. } => format!("up-down, which goes round faulty links and routers. {error}"),
        NocError::CutOff { .. } if network.faults().is_empty() => {
            format!("links by which every pair of nodes that talk has a way. {error}")
        }
        NocError::CutOff { .. } => format!("faults that leave a way between every pair of nodes that talk. {error}"),
        NocError::Fault { last, .. } => {
            let each = if path.ends_with("_links") { "pairs of neighbours" } else { "each once" };
            let text = error.to_string();
            let (problem, _) = text.split_once("; allowed: ").unwrap_or((&text, ""));
            format!("numbers from 0 to {last}, {each}. {problem}")
        }
        NocError::RoutingOnTopology { topologies, .. } => {
            let topology = network.topology();
            let works = Routing::ALL.iter().filter(|routing| topology.routing(**routing).is_some());
            let works = works.map(name).collect::<Vec<_>>().join(", ");
            match topologies.as_str() {
                "" => format!("{works}, on this topology"),
                _ => format!("{works}, on this topology; {} works on {topologies}", name(&network.routing)),
            }
        }
        NocError::Unconnected { .. } if !network.faults().is_empty() => {
            format!("faults that leave every port of a router another one to lead to. {error}")
        }
        NocError::Unconnected { .. } => {
            format!("no node whose router is a half-router in a corner: it leads nowhere else. {error}")
        }
        other => {
            let text = other.to_string();
            text.split_once(": allowed: ").map_or(text.clone(), |(_, allowed)| allowed.to_string())
        }
    };
    impossible(&path, value, allowed)
}

/// As the configuration says it.
fn placement(config: &ChipConfig) -> String {
    match &config.network.placement {
        Placement::List(nodes) => format!("{nodes:?}"),
        Placement::Named(kind) => kind.name().into(),
    }
}

/// The network for the chip's traffic.
fn fabric(config: &ChipConfig, memory_nodes: &[usize], packets: &MemoryPackets) -> Result<Fabric, ChipError> {
    let network = &config.network;
    let problem = |error: NocError| network_problem(config, &error);
    let memories: Vec<_> = memory_nodes.iter().map(|&node| node as u32).collect();
    let nothing = unattached(config)?;
    let nodes = Nodes::with_empty(network.columns, network.rows, &memories, &nothing).map_err(problem)?;
    let flows = nodes.flows();
    let [requests, replies] = network.channels();
    let alike = requests == replies;
    let vcs = if alike { requests.vcs * network.organisation.messages() } else { requests.vcs };
    let format = FlitFormat::new(vcs, requests.bytes * 8, nodes.len(), packets.sideband_bits());
    let routers = NetworkParams {
        routing: network.routing,
        longest: [(MessageClass::Request, requests), (MessageClass::Reply, replies)]
            .map(|(class, channels)| packets.most_flits(class, 8 * channels.bytes) as usize)
            .into_iter()
            .fold(0, usize::max),
        vc_allocator: network.vc_allocator,
        switch_allocator: network.switch_allocator,
        pipeline: network.pipeline,
        extra_latency: network.extra_latency,
        input_speedup: network.input_speedup,
        vc_reuse_delay: network.vc_reuse_delay,
        ..NetworkParams::new(format, requests.depth as usize, 2)
    };
    let replies = ReplyChannel { vcs: replies.vcs, depth: replies.depth as usize, width: 8 * replies.bytes };
    let params = FabricParams {
        replies: (!alike).then_some(replies),
        core_ports: [network.core_injection_ports, network.core_ejection_ports],
        organisation: network.organisation,
        routers: network.routers,
        injects: network.injection_ports,
        ejects: network.ejection_ports,
        injection_speedup: network.injection_speedup,
        port_choice: network.port_choice,
        priority: (network.priority_levels > 1)
            .then_some(Priority { levels: network.priority_levels, starvation_cycles: network.starvation_cycles }),
        whole_packets: network.whole_packet_forwarding,
        split: (network.reply_injection == ReplyInjection::Split).then(|| SplitQueues { links: network.links() }),
        flit_writes: network.reply_write == ReplyWrite::Flit,
        topology: network.topology(),
        tiles_per_cycle: network.tiles_per_cycle,
        ring: ring(network),
        graph: network.graph(),
        faults: network.faults(),
        overlay: overlay(config)?,
        ..FabricParams::new(nodes, routers)
    };
    Fabric::new(params, &flows).map_err(problem)
}

/// Places of requests in a VC allocator that are built and simulated in bearable time.
const MOST_PLACES: u64 = 200_000;

/// Refuses routers whose VC allocator takes too long to elaborate. Measured: crossbars of 36 ports with 8 VCs (41,472 places) take 3 s,
/// with 16 (165,888) 21 s, one of 64 ports with 16 (524,288) was not done
/// after 5 minutes on a busy machine.
fn affordable(config: &ChipConfig, fabric: &Fabric) -> Result<(), ChipError> {
    let (network, places) = (&config.network, fabric.allocator_places());
    if network.model == NetworkModel::Ideal || places <= MOST_PLACES {
        return Ok(());
    }
    let minutes = 21.0 * (places as f64 / 165_888.0).powf(1.4) / 60.0;
    let why = format!(
        "the VC allocator of the largest router would have {places} places for requests, which take about {minutes:.0} minutes to elaborate; at most {MOST_PLACES} are possible"
    );
    let [requests, replies] = network.channels().map(|channels| channels.vcs);
    let (own, key) = match replies > requests {
        true => (network.reply_vcs, "network.reply_vcs"),
        false => (network.request_vcs, "network.request_vcs"),
    };
    let (key, vcs, step) = match own {
        0 => ("network.vcs", network.vcs, fabric.network().classes),
        _ => (key, own, fabric.network().routing.vc_sets()),
    };
    // Places grow with the squares of the VCs of each class. With the fewest that there can be, routers of 64 ports are far below.
    let shared = own > 0 && network.organisation.messages() == 2;
    let others = if shared { requests.min(replies).pow(2) } else { 0 };
    let fits = |fewer: u32| places * u64::from(others + fewer.pow(2)) <= MOST_PLACES * u64::from(others + vcs.pow(2));
    let most = (step..vcs).rev().find(|&fewer| fewer.is_multiple_of(step) && fits(fewer)).unwrap_or(step);
    Err(impossible(key, vcs, format!("at most {most}; {why}")))
}

/// Nodes of the controllers by the placement.
pub(super) fn memory_nodes(config: &ChipConfig) -> Result<Vec<usize>, ChipError> {
    let (network, controllers) = (&config.network, config.memory.controllers);
    if let Placement::List(nodes) = &network.placement
        && nodes.len() != controllers as usize
    {
        let allowed = format!("a list of {controllers} nodes, one for each of memory.controllers");
        return Err(impossible("network.placement.list", format!("{nodes:?}"), allowed));
    }
    let nodes = network.placement.nodes(network.columns, network.rows, controllers);
    let nodes = nodes.map_err(|error| {
        let allowed = match error {
            NocError::TooManyMemories { allowed, .. } => allowed,
            other => other.to_string(),
        };
        impossible("memory.controllers", controllers, allowed)
    })?;
    Ok(nodes.into_iter().map(|node| node as usize).collect())
}

/// The key that an address map finds wrong.
fn map_problem(config: &ChipConfig, error: &MapError) -> ChipError {
    let nodes = placement(config);
    match error {
        MapError::NoController => impossible("memory.controllers", 0, "at least 1"),
        MapError::NoSuchNode { last, .. } => impossible("network.placement.list", nodes, format!("nodes 0 to {last}")),
        MapError::NodeTwice { node } => {
            impossible("network.placement.list", nodes, format!("every node once; node {node} is listed twice"))
        }
        MapError::Banks { banks } => impossible("memory.banks", banks, "a power of two from 2 to 64"),
        MapError::RowBytes { row_bytes } => {
            impossible("memory.row_bytes", row_bytes, "a power of two from 256 to 16384 bytes")
        }
    }
}
