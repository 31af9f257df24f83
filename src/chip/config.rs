//! What a person writes: the configuration file of a chip, every field with a default.
//!
//! Reading it is [`load`](mod@super::load), checking it and deriving what is built is [`Chip`](super::Chip).

use crate::{
    memory::DramTiming,
    noc::{AllocatorParams, Organisation, Placement, PortChoice, RouterKinds, Routing, TopologyKind},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A chip. Every field has a default: an empty file is the default chip.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ChipConfig {
    /// Config file to start from: a path relative to this file, or the name of an embedded config. This file then says only
    /// what differs.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub base: String,
    /// Name of the chip, shown in reports.
    pub name: String,
    /// Network on chip: mesh, placement, routers.
    pub network: NetworkConfig,
    /// SIMT cores; one at every node without a memory controller.
    pub core: CoreConfig,
    /// Memory controllers and their DRAM.
    pub memory: MemoryConfig,
}

/// Network on chip.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// Nodes in a row (1 to 16; at least 2 nodes in all).
    pub columns: u32,
    /// Nodes in a column (1 to 16).
    pub rows: u32,
    /// How routers are joined.
    pub topology: TopologyKind,
    /// Nodes that share a router: 1, or 2, 4, 8 or 16 in blocks of 2 x 1 to 4 x 4; of a crossbar: cores that share a port (1 to 16).
    pub concentration: u32,
    /// Tiles that a flit passes in a cycle on a link (1 to 64); a link takes at least one cycle.
    pub tiles_per_cycle: u32,
    /// Where the memory controllers are: a name, or `{ list = [nodes] }` with node = y * columns + x.
    pub placement: Placement,
    /// Routers, or an ideal network for limit studies.
    pub model: NetworkModel,
    /// Bytes that an ideal network takes in a cycle in all (0 to 65,536; 0: no limit).
    pub ideal_bytes: u32,
    /// Nodes with nothing attached: their routers only pass packets on.
    pub empty: Vec<u32>,
    /// One network or two subnetworks.
    pub organisation: Organisation,
    /// Which routers turn: all, or every other one.
    pub routers: RouterKinds,
    /// Payload of a flit, bytes (4 to 64); with two subnetworks, of each.
    pub channel_bytes: u32,
    /// Virtual channels per port (1 to 16): the lower half for requests, the upper half for replies (not so in a network of one class
    /// alone), each again in halves where the routing keeps two sets.
    pub vcs: u32,
    /// Flit buffer of a virtual channel, flits (1 to 64).
    pub depth: u32,
    /// Which way packets go.
    pub routing: Routing,
    /// Injection ports at a memory node into each subnetwork (1 to 4).
    pub injection_ports: u32,
    /// Ejection ports at a memory node from each subnetwork (1 to 4).
    pub ejection_ports: u32,
    /// Which injection port a packet takes where there are several.
    pub port_choice: PortChoice,
    /// Allocator of virtual channels.
    pub vc_allocator: AllocatorParams,
    /// Allocator of the crossbar.
    pub switch_allocator: AllocatorParams,
    /// Cycles that a head takes through a router that it has to itself (1 to 4): route, virtual channel, crossbar and traversal in
    /// a cycle each, or the last two (3), the first two as well (2), or all (1) in one; the link is one more.
    pub pipeline: u32,
    /// Cycles that every router takes on top of its pipeline (0 to 16).
    pub extra_latency: u32,
    /// Flits of different virtual channels that a router's input may send in one cycle (1 or 2).
    pub input_speedup: u32,
    /// Cycles from the one in which a packet's last flit wins the crossbar to the routing of the packet behind it in its virtual channel
    /// (0 or 1); 0 needs a `pipeline` of 3 or 4.
    pub turnaround: u32,
    /// Packets that a network interface queues for sending (1 to 16).
    pub tx_places: u32,
}

/// What is between the packet ports of cores and memory controllers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkModel {
    /// Network interfaces and routers.
    #[default]
    Routers,
    /// Behavioural, for limit studies: every packet arrives in the cycle in which it is sent. Such a chip cannot be exported.
    Ideal,
}

/// A SIMT core. Warps are 32 threads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CoreConfig {
    /// Resident warps (a power of two, 2 to 32).
    pub warps: u32,
    /// Lanes: threads that execute in one cycle, and banks of shared memory (8 or 16).
    pub lanes: u32,
    /// Registers per thread (a power of two, 8 to 128).
    pub registers: u32,
    /// Instruction memory, 64-bit words (a power of two, 16 to 65,536).
    pub program_words: u32,
    /// Shared memory, bytes (a power of two, 1,024 to 65,536).
    pub shared_bytes: u32,
    /// Thread blocks resident at a time (2 to 32).
    pub blocks: u32,
    /// Cycles from operands to result in the lanes (1 to 16).
    pub execute_stages: u32,
    /// Global load instructions in flight (2 to 64).
    pub loads: u32,
    /// Bits of a transaction number (at least those of a warp number, up to 8): 2^tag_bits reads in flight.
    pub tag_bits: u32,
}

/// Memory controllers and the DRAM behind each.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MemoryConfig {
    /// Memory controllers (1 to 64, leaving room for a core); 256 bytes of addresses to each in turn.
    pub controllers: u32,
    /// DRAM banks per controller (a power of two, 2 to 64).
    pub banks: u32,
    /// Bytes of a DRAM row (a power of two, 256 to 16,384).
    pub row_bytes: u32,
    /// Requests that a controller queues (1 to 64).
    pub queue_entries: u32,
    /// Replies of a controller in the DRAM or waiting for the network (1 to 64).
    pub reply_entries: u32,
    /// DRAM timing, core cycles.
    pub timing: DramTiming,
}

impl Default for ChipConfig {
    fn default() -> Self {
        Self {
            base: String::new(),
            name: "default".into(),
            network: NetworkConfig::default(),
            core: CoreConfig::default(),
            memory: MemoryConfig::default(),
        }
    }
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self {
            columns: 4,
            rows: 4,
            topology: TopologyKind::Mesh,
            concentration: 1,
            tiles_per_cycle: 1,
            placement: Placement::TopBottom,
            model: NetworkModel::Routers,
            ideal_bytes: 0,
            empty: vec![],
            organisation: Organisation::Single,
            routers: RouterKinds::Full,
            channel_bytes: 16,
            vcs: 4,
            depth: 8,
            routing: Routing::Xy,
            injection_ports: 1,
            ejection_ports: 1,
            port_choice: PortChoice::RoundRobin,
            vc_allocator: AllocatorParams::default(),
            switch_allocator: AllocatorParams::default(),
            pipeline: 4,
            extra_latency: 0,
            input_speedup: 1,
            turnaround: 1,
            tx_places: 2,
        }
    }
}

impl Default for CoreConfig {
    fn default() -> Self {
        Self {
            warps: 8,
            lanes: 8,
            registers: 64,
            program_words: 4096,
            shared_bytes: 16 * 1024,
            blocks: 8,
            execute_stages: 4,
            loads: 8,
            tag_bits: 4,
        }
    }
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            controllers: 4,
            banks: 8,
            row_bytes: 2048,
            queue_entries: 32,
            reply_entries: 8,
            timing: DramTiming::default(),
        }
    }
}
