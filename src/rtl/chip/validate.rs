//! From what a person wrote to what is built: checks every value, computes what follows from them.

mod network;
mod problems;

use super::{
    BlockDistribution, ChipConfig, ClocksConfig, DispatcherParams, MemoryModel, NetworkConfig, NetworkModel,
    OverlayKind, caches,
    cores::{atomics, core_params, fills_mshrs, listeners, prefetcher, scaled},
    write_order,
};
use crate::{
    core::CoreParams,
    memory::{AddressMap, AddressMapKind, PartitionParams, ServiceParams, WriteReply, packets::MemoryPackets},
    noc::{
        EndpointCrossingParams, Fabric, FlitFormat, InterfaceParams, MessageClass, NocError, NodeKind, Placement,
        TopologyKind, VcReallocation,
    },
};
use common::{
    parameters::{OutOfRange, Parameters},
    short::shortened,
};
use hdl::index_width;
use network::{affordable, counted, fabric, injection_speedup, overlay_bytes, ring_bytes, split_replies, vc_sets};
use problems::{faults_key, map_problem, network_problem};
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

pub(super) fn invalid_value(path: &str, value: impl ToString, allowed: impl ToString) -> ChipError {
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
            return Err(invalid_value("memory.controllers", config.memory.controllers, allowed));
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
            distribution: if cores > 1 { core.block_distribution } else { BlockDistribution::default() },
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
        return Err(invalid_value(path, value, "faults that leave a memory controller"));
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
    if let Some(node) = network.empty_nodes.iter().find(|node| lost.contains(node)) {
        let allowed = format!("nodes that are there; node {node} is lost already by {}", faults_key(network).0);
        return Err(invalid_value("network.empty_nodes", format!("{:?}", network.empty_nodes), allowed));
    }
    Ok([network.empty_nodes.clone(), lost].concat())
}

/// Packets that all cores can have in flight.
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
        empty_nodes: unattached,
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
    config.check_ranges("").map_err(|OutOfRange { path, value, allowed }| invalid_value(&path, value, allowed))
}

/// Every number in its own range, and as others allow it.
pub(super) fn ranges(config: &ChipConfig) -> Result<(), ChipError> {
    in_ranges(config)?;
    let ChipConfig { network, core, .. } = config;
    if network.columns * network.rows < 2 {
        return Err(invalid_value(
            "network.columns",
            network.columns,
            "at least 2 nodes: a core and a memory controller",
        ));
    }
    if network.ideal_bytes > 0 && network.ideal_flits > 0 {
        let allowed = "0, as network.ideal_bytes limits the ideal network already";
        return Err(invalid_value("network.ideal_flits", network.ideal_flits, allowed));
    }
    vc_sets(config)?;
    caches::fit(config)?;
    if network.vc_reuse_delay == 0 && network.pipeline < 3 {
        let allowed = format!("1, as network.pipeline = {}: route and virtual channel share a cycle", network.pipeline);
        return Err(invalid_value("network.vc_reuse_delay", network.vc_reuse_delay, allowed));
    }
    if network.vc_reuse_delay == 0 && network.vc_reallocation == VcReallocation::WithTail {
        let allowed =
            "1, as network.vc_reallocation = with-tail: the next packet's virtual channel is taken in that cycle";
        return Err(invalid_value("network.vc_reuse_delay", network.vc_reuse_delay, allowed));
    }
    if let Some(vcs) = network.vcs_of_ports().into_iter().find(|vcs| !vcs.is_multiple_of(network.input_speedup)) {
        let count = counted(network, vcs);
        let allowed = format!("1, as {count} is odd: an input has two banks of virtual channels");
        return Err(invalid_value("network.input_speedup", network.input_speedup, allowed));
    }
    injection_speedup(config)?;
    split_replies(config)?;
    ring_bytes(config)?;
    overlay_bytes(config)?;
    listeners(config)?;
    prefetcher(config)?;
    atomics(config)?;
    fills_mshrs(config)?;
    let most = core.lanes / 2;
    if core.special_units != 0 && !(core.special_units.is_power_of_two() && core.special_units <= most) {
        let allowed = format!("0 or a power of two up to {most}, half of core.lanes");
        return Err(invalid_value("core.special_units", core.special_units, allowed));
    }
    if core.warps < 2 * core.issue_slots {
        let allowed = format!("1, as core.warps = {}: each slot has two at least", core.warps);
        return Err(invalid_value("core.issue_slots", core.issue_slots, allowed));
    }
    if !core.warps.is_multiple_of(core.issue_slots) {
        let allowed = format!("an even number, as core.issue_slots = {}", core.issue_slots);
        return Err(invalid_value("core.warps", core.warps, allowed));
    }
    let least = index_width(core.warps as usize);
    if (1..least).contains(&core.tag_bits) {
        let allowed = format!("{least} to 8 bits, as core.warps = {}, or 0: as many as it takes", core.warps);
        return Err(invalid_value("core.tag_bits", core.tag_bits, allowed));
    }
    if core.merge_loads && config.cache.l1d.bytes > 0 {
        return Err(invalid_value(
            "core.merge_loads",
            true,
            "false with a data cache (cache.l1d.bytes), which merges misses",
        ));
    }
    if ![0, 8, 16, 32].contains(&core.shared_banks) {
        return Err(invalid_value("core.shared_banks", core.shared_banks, "0, 8, 16 or 32"));
    }
    Ok(())
}

/// As a configuration writes it.
pub(super) fn name(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(String::from)).unwrap_or_default()
}

/// Nodes of the controllers by the placement.
pub(super) fn memory_nodes(config: &ChipConfig) -> Result<Vec<usize>, ChipError> {
    let (network, controllers) = (&config.network, config.memory.controllers);
    if let Placement::List(nodes) = &network.placement
        && nodes.len() != controllers as usize
    {
        let allowed = format!("a list of {controllers} nodes, one for each of memory.controllers");
        return Err(invalid_value("network.placement.list", format!("{nodes:?}"), allowed));
    }
    let nodes = network.placement.nodes(network.columns, network.rows, controllers);
    let nodes = nodes.map_err(|error| {
        let allowed = match error {
            NocError::TooManyMemories { allowed, .. } => allowed,
            other => other.to_string(),
        };
        invalid_value("memory.controllers", controllers, allowed)
    })?;
    Ok(nodes.into_iter().map(|node| node as usize).collect())
}
