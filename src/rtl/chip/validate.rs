//! From what a person wrote to what is built: checks every value, computes what follows from them.

mod lost;
mod network;
mod problems;
mod ranges;
mod scaled;

pub use super::error::ChipError;
use super::{
    ChipConfig, ClocksConfig, DispatcherParams, MemoryModel, NetworkConfig, NetworkModel, OverlayKind, caches,
    cores::core_params, error::invalid_value, memory_nodes::memory_nodes, write_order,
};
use hdl::index_width;
use lost::{unattached, without_lost};
use memory::{AddressMap, AddressMapKind, PartitionParams, ServiceParams, WriteReply, packets::MemoryPackets};
use network::{affordable, fabric};
use noc::{
    EndpointCrossingParams, Fabric, FlitFormat, InterfaceParams, MessageClass, NocError, NodeKind, TopologyKind,
};
use problems::{map_problem, network_problem};
use program::{Feature, Target};
pub(super) use ranges::in_ranges;
use ranges::ranges;
use scaled::scaled;
use simt_core::{BlockDistribution, CoreParams, units::unit_with};

/// A checked chip with everything that follows from its configuration.
#[derive(Clone, Debug)]
pub struct Chip {
    config: ChipConfig,
    map: AddressMap,
    core_nodes: Vec<usize>,
    fabric: Fabric,
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
        Target {
            registers: self.config.core.registers as usize,
            ..Target::with(|feature| self.amount_of(feature).0 > 0)
        }
    }

    /// How much a core has of what kernels may need, and the key that says so.
    pub fn amount_of(&self, feature: Feature) -> (u32, &'static str) {
        let core = &self.config.core;
        match feature {
            Feature::Atomics => (core.atomics.into(), "core.atomics"),
            Feature::Barriers => (core.barriers, "core.barriers"),
            of_unit => {
                let (unit, key) =
                    unit_with(of_unit).expect("what is no part of the core itself is a unit beside the lanes");
                (unit.count(&self.core()), key)
            }
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
