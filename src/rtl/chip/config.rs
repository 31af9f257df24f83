//! What a person writes: the configuration file of a chip, every field with a default.
//!
//! Reading it is [`load`](mod@super::load), checking it and deriving what is built is [`Chip`](super::Chip).

use super::{
    BlockDistribution,
    facts::{LATENCY_LEFT, LONG_LINKS, SEVERAL_CORES, TIME_LEFT, TURNS},
};
use crate::{
    cache::{Allocation, MissHandling, Replacement, SetIndex, Spares, WriteHit, WriteMiss, WritePending},
    core::{
        ClassCycles, Coalescing, DoubleRate, IssueRule, LatencyPreset, MemoryOrder, PrefetchConfig, SharedGroup,
        ThrottleConfig, WarpGroup, WarpScheduler,
    },
    memory::{AddressMapKind, DramScheduler, DramTiming, PartialWrite, WriteReply},
    noc::{
        AllocatorParams, Faults, Graph, NocError, Organisation, Placement, PlacementKind, PortChoice, RouterKinds,
        Routing, TopologyKind, TopologyParams,
        ring::{RingOrder, Tie},
    },
};
use common::parameters;
use program::{FEWEST_REGISTERS, MOST_REGISTERS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

parameters! {
    /// A chip. Every field has a default: an empty file is the default chip.
    pub struct ChipConfig {
        /// Config file to start from: a path relative to this file, or the name of an embedded config. This file then says only
        /// what differs.
        #[serde(skip_serializing_if = "String::is_empty")]
        base: String = String::new();
        /// Name of the chip, shown in reports.
        name: String = "default".into();
        /// Clock frequencies.
        clocks: ClocksConfig;
        /// Network on chip: mesh, placement, routers.
        network: NetworkConfig;
        /// SIMT cores; one at every node without a memory controller.
        core: CoreConfig;
        /// Memory controllers and their DRAM.
        memory: MemoryConfig;
        /// Caches between cores and DRAM.
        cache: CachesConfig;
    }
}

parameters! {
    /// Clock frequencies. Parts with equal ones share a clock; between others are clock crossings.
    pub struct ClocksConfig {
        /// Cores and block dispatcher.
        core: u32 = 602, range(1, 10_000) MHz;
        /// Routers, network interfaces, L2.
        #[only(is("memory.model", "controllers"))]
        noc: u32 = 602, range(1, 10_000) MHz;
        /// Memory controllers and DRAM.
        #[only(is("memory.model", "controllers"))]
        dram: u32 = 602, range(1, 10_000) MHz;
        /// Overlays for replies (`network.overlay`); 0: as `noc`.
        #[only(other_than("network.overlay.kind", "none"))]
        overlay: u32 = 0, range(0, 10_000) MHz;
    }
}

impl ClocksConfig {
    /// Frequencies of cores, routers, controllers and overlays, MHz.
    pub fn megahertz(&self) -> [u32; 4] {
        let Self { core, noc, dram, overlay } = *self;
        [core, noc, dram, if overlay == 0 { noc } else { overlay }]
    }

    /// Clock domain of the cores, routers, controllers and overlays, by its name at the top of the chip: the default one is that of the cores.
    pub fn domains(&self) -> [&'static str; 4] {
        let [core, noc, dram, overlay] = self.megahertz();
        let of_noc = if noc == core { "clock" } else { "noc" };
        let of_dram = if dram == core {
            "clock"
        } else if dram == noc {
            of_noc
        } else {
            "dram"
        };
        let others = [(noc, of_noc), (core, "clock"), (dram, of_dram)];
        let of_overlay = others.into_iter().find(|(mhz, _)| *mhz == overlay).map_or("overlay", |(_, name)| name);
        ["clock", of_noc, of_dram, of_overlay]
    }
}

parameters! {
    /// Network on chip.
    pub struct NetworkConfig {
        /// Nodes in a row; at least 2 nodes in all.
        columns: u32 = 4, range(1, 16);
        /// Nodes in a column.
        rows: u32 = 4, range(1, 16);
        /// How routers are joined.
        #[only(is("model", "routers"))]
        topology: TopologyKind = TopologyKind::Mesh;
        /// Routers, links and nodes of `topology = "graph"`.
        graph: GraphConfig;
        /// Nodes that share a router: 1, or 2, 4, 8 or 16 in blocks of 2 x 1 to 4 x 4; of a crossbar: cores that share a port.
        #[only(is("model", "routers"))]
        #[only(other_than("topology", "graph"))]
        concentration: u32 = 1, range(1, 16);
        /// Tiles that a flit passes in a cycle on a link; a link takes at least one cycle.
        #[only(is("model", "routers"))]
        #[only(follows(LONG_LINKS))]
        tiles_per_cycle: u32 = 1, range(1, 64) tiles;
        /// Where the memory controllers are: a name, or `{ list = [nodes] }` with node = y * columns + x.
        placement: Placement = Placement::Named(PlacementKind::TopBottom);
        /// Routers, or an ideal network for limit studies.
        #[only(is("memory.model", "controllers"))]
        model: NetworkModel = NetworkModel::Routers;
        /// Bytes that an ideal network takes in a cycle in all; 0: no limit.
        #[only(is("model", "ideal"))]
        ideal_bytes: u32 = 0, range(0, 65_536) bytes;
        /// Flits of an ideal network's cycle in all: a packet is let in while fewer have come in it, and may go beyond; 0: no limit.
        #[only(is("model", "ideal"))]
        ideal_flits: u32 = 0, range(0, 4096);
        /// Cycles from the one in which a packet enters an ideal network to the one in which it arrives.
        #[only(is("model", "ideal"))]
        ideal_latency: u32 = 0, range(0, 1024) cycles;
        /// Nodes with nothing attached: their routers only pass packets on.
        empty: Vec<u32> = vec![];
        /// Rows of nodes that are disabled, cores, memory controllers, routers and links, as of a chip with a fault that is sold with fewer.
        disabled_rows: Vec<u32> = vec![];
        /// Columns of nodes that are disabled likewise.
        disabled_columns: Vec<u32> = vec![];
        /// Nodes whose routers are faulty: they are lost, and so are the links of the routers.
        faulty_routers: Vec<u32> = vec![];
        /// Faulty links, each `[a, b]`, the nodes whose routers it joins, both ways. `routing` has to go round them.
        #[only(is("model", "routers"))]
        faulty_links: Vec<[u32; 2]> = vec![];
        /// One network or two subnetworks.
        #[only(is("model", "routers"))]
        organisation: Organisation = Organisation::Single;
        /// Which routers turn: all, or every other one.
        #[only(is("model", "routers"))]
        #[only(follows(TURNS).or(one_of("organisation", ["dci", "dcie"])))]
        routers: RouterKinds = RouterKinds::Full;
        /// Payload of a flit; with two subnetworks, of each.
        #[only(is("model", "routers").or(above("ideal_flits", 0)))]
        #[only(is("request_channel_bytes", 0).or(is("reply_channel_bytes", 0)).or(is("model", "ideal")))]
        channel_bytes: u32 = 16, range(4, 64) bytes;
        /// Virtual channels per port: the lower half for requests, the upper half for replies (not so in a network of one class
        /// alone), each again in halves where the routing keeps two sets.
        #[only(is("model", "routers"))]
        #[only(is("request_vcs", 0).or(is("reply_vcs", 0)))]
        vcs: u32 = 4, range(1, 16);
        /// Flit buffer of a virtual channel.
        #[only(is("model", "routers"))]
        #[only(is("request_depth", 0).or(is("reply_depth", 0)))]
        depth: u32 = 8, range(1, 64) flits;
        /// Virtual channels of requests; 0: half of `vcs`, or all of them in a network of their own (`organisation = "dedicated"`).
        #[only(is("model", "routers"))]
        request_vcs: u32 = 0, range(0, 16);
        /// Virtual channels of replies; 0: half of `vcs`, or all of them in a network of their own.
        #[only(is("model", "routers"))]
        #[only(is("network.overlay.kind", "none"))]
        reply_vcs: u32 = 0, range(0, 16);
        /// Flit buffer of a virtual channel of requests; 0: `depth`.
        #[only(is("model", "routers"))]
        request_depth: u32 = 0, range(0, 64) flits;
        /// Flit buffer of a virtual channel of replies; 0: `depth`.
        #[only(is("model", "routers"))]
        #[only(is("network.overlay.kind", "none"))]
        reply_depth: u32 = 0, range(0, 64) flits;
        /// Payload of a flit of requests; 0: `channel_bytes`. Another one than that of replies needs a network of their own.
        #[only(is("model", "routers"))]
        request_channel_bytes: u32 = 0, range(0, 128) bytes;
        /// Payload of a flit of replies; 0: `channel_bytes`.
        #[only(is("model", "routers"))]
        reply_channel_bytes: u32 = 0, range(0, 128) bytes;
        /// Routing algorithm.
        #[only(is("model", "routers"))]
        routing: Routing = Routing::Xy;
        /// Injection ports at a memory node into each subnetwork.
        #[only(is("model", "routers"))]
        injection_ports: u32 = 1, range(1, 4);
        /// Ejection ports at a memory node from each subnetwork.
        #[only(is("model", "routers"))]
        ejection_ports: u32 = 1, range(1, 4);
        /// Injection ports at a core into each subnetwork.
        #[only(is("model", "routers"))]
        core_injection_ports: u32 = 1, range(1, 4);
        /// Ejection ports at a core from each subnetwork.
        #[only(is("model", "routers"))]
        core_ejection_ports: u32 = 1, range(1, 4);
        /// Queues of replies in the network interface of a memory node.
        #[only(is("model", "routers"))]
        reply_injection: ReplyInjection = ReplyInjection::Single;
        /// How packets are written into a queue of replies of a memory node: whole, or flit by flit, as over a narrow link from the controller.
        #[only(is("model", "routers"))]
        #[only(is("reply_injection", "single"))]
        #[only(is("network.overlay.kind", "none"))]
        reply_write: ReplyWrite = ReplyWrite::Packet;
        /// Links between such an interface and its router, each for the virtual channels v with the same v mod `injection_links`; 0: one for
        /// each virtual channel of replies.
        #[only(is("reply_injection", "split"))]
        injection_links: u32 = 0, range(0, 16);
        /// Levels of priority: a reply leaves its memory node with the highest, loses one with each route computation, and goes before
        /// others in allocation while it has one left; 1: there is none.
        #[only(is("model", "routers"))]
        priority_levels: u32 = 1, range(1, 8);
        /// Cycles that an input port of a router may wait in a row before no packet there has a priority.
        #[only(above("priority_levels", 1))]
        starvation_cycles: u32 = 1000, range(1, 65_535) cycles;
        /// A virtual channel that is not empty is given to a packet only if that fits whole, by its own length: with adaptive routing
        /// an adaptive one, with others any. Without, adaptive ones are given to packets where the longest one would fit.
        #[only(is("model", "routers"))]
        whole_packet_forwarding: bool = false;
        /// Choice of the injection port for a packet where there are several, or of the split reply queue.
        #[only(above("injection_ports", 1).or(above("core_injection_ports", 1)).or(is("reply_injection", "split")))]
        port_choice: PortChoice = PortChoice::RoundRobin;
        /// Allocator of virtual channels.
        #[only(is("model", "routers"))]
        vc_allocator: AllocatorParams;
        /// Allocator of the crossbar.
        #[only(is("model", "routers"))]
        switch_allocator: AllocatorParams;
        /// Cycles that a head takes through a router that it has to itself: route, virtual channel, crossbar and traversal in
        /// a cycle each, or the last two (3), the first two as well (2), or all (1) in one; the link is one more.
        #[only(is("model", "routers"))]
        pipeline: u32 = 4, range(1, 4) cycles;
        /// Cycles that every router takes on top of its pipeline.
        #[only(is("model", "routers"))]
        extra_latency: u32 = 0, range(0, 16) cycles;
        /// Flits of different virtual channels that a router's input may send in one cycle.
        #[only(is("model", "routers"))]
        input_speedup: u32 = 1, range(1, 2);
        /// Switch inputs of each injection port at a memory node: flits of different virtual channels that it may send in one cycle (at
        /// least `input_speedup`). Divides `vcs`: virtual channel v goes by switch input v mod `injection_speedup`.
        #[only(is("model", "routers"))]
        injection_speedup: u32 = 1, range(1, 16);
        /// Cycles from the one in which a packet's last flit wins the crossbar to the routing of the packet behind it in its virtual channel; 0 needs a `pipeline` of 3 or 4.
        #[only(is("model", "routers"))]
        vc_reuse_delay: u32 = 1, range(0, 1) cycles;
        /// Packets that a network interface queues for sending, for each of its injection ports; where it has several, in front of them too.
        /// Of split reply queues: packets of the longest kind in all, a multiple of the virtual channels of replies.
        tx_queue_packets: u32 = 2, range(1, 16) packets;
        /// Nanophotonic ring between the memory nodes (intra-clustering).
        #[only(is("model", "routers"))]
        ring: RingConfig;
        /// Overlays for replies instead of the network that `organisation = "dedicated"` gives them (DA2mesh).
        #[only(is("model", "routers"))]
        overlay: OverlayConfig;
    }
}

parameters! {
    /// Routers that are joined in any way.
    #[switch(is("network.topology", "graph"))]
    pub struct GraphConfig {
        /// Router of each node, in the order of the nodes. Routers are numbered from 0 without a gap.
        #[only(is("network.model", "routers"))]
        nodes: Vec<u32> = vec![];
        /// Links, each `[a, b]` or `[a, b, tiles]`: the routers that it joins, both ways, and its length, 1 tile if nothing is said.
        #[only(is("network.model", "routers"))]
        links: Vec<Vec<u32>> = vec![];
        /// Links in one direction, each `[from, to]` or `[from, to, tiles]`. Packets go up and down a tree of the links in both directions, which has to
        /// lead to every router with a node that talks; one-way links shorten ways.
        #[only(is("network.model", "routers"))]
        one_way: Vec<Vec<u32>> = vec![];
    }
}

parameters! {
    /// Overlays: replies have a narrow network of their own from each memory node to all cores. Its XY routes are a tree, so its routers have
    /// neither virtual channels nor allocators. Needs `organisation = "dedicated"`.
    #[switch(other_than("kind", "none"))]
    pub struct OverlayConfig {
        /// None, or an overlay for each memory node.
        kind: OverlayKind = OverlayKind::None;
        /// Payload of a flit; 0: that of the reply network (`reply_channel_bytes`) divided among the memory nodes.
        channel_bytes: u32 = 0, range(0, 64) bytes;
        /// Flits that a router buffers; with 4 a link carries a flit in each cycle.
        buffer: u32 = 4, range(2, 16) flits;
        /// Queues of replies at a memory node.
        injection: OverlayInjection = OverlayInjection::Single;
    }
}

/// Networks for replies beside the mesh.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OverlayKind {
    /// Replies go by the network of routers.
    #[default]
    None,
    /// An overlay for each memory node (J. Kim et al., ICCD 2012), reconstructed.
    Da2mesh,
}

/// How replies wait for an overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OverlayInjection {
    /// In one queue, which sends a flit in a cycle.
    #[default]
    Single,
    /// In a queue for each first hop (north, east, south, west); the queues send at the same time.
    Split,
}

parameters! {
    /// Nanophotonic ring between the memory nodes. A core is in the cluster of a nearest memory node, its host; packets between it and memory
    /// nodes of other clusters pass the mesh to and from the host, and the ring.
    #[switch(above("cycles", 0))]
    pub struct RingConfig {
        /// Cycles of light around the ring, at least as many as there are memory controllers; 0: there is no ring.
        #[only(is("network.model", "routers"))]
        cycles: u32 = 0, range(0, 64) cycles;
        /// Payload that each channel (one for each memory node and message class) carries in a cycle: a multiple of the bytes of a flit.
        bytes: u32 = 16, range(4, 1024) bytes;
        /// Which of several nearest memory nodes hosts a core.
        tie: Tie = Tie::Balanced;
        /// Seed of `tie = "random"`.
        #[only(is("tie", "random"))]
        seed: u32 = 1, range(0, 1_000_000);
        /// Packets between a core and a memory node that is nearer than so many hops go by the mesh alone.
        direct_below: u32 = 2, range(0, 64) hops;
        /// Order of the memory nodes on the ring.
        order: RingOrder = RingOrder::Shortest;
        /// Packets of a class that a memory node queues for each other one.
        tx: u32 = 2, range(1, 64) packets;
        /// Packets of a class that a memory node can take from the ring.
        rx: u32 = 8, range(1, 64) packets;
        /// Cycles that a packet may wait for a token before other memory nodes let tokens pass (fair slot); 0: they never do, and those that
        /// come first behind the reader can starve the others.
        fair_wait: u32 = 0, range(0, 65_535) cycles;
    }
}

/// How replies wait for the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyInjection {
    /// In one queue for each injection port, which sends a flit in a cycle.
    #[default]
    Single,
    /// In a queue for each virtual channel of replies, written whole packets at a time; the queues send at the same time, by `injection_links`.
    Split,
}

/// How a packet gets into a queue of replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyWrite {
    /// Whole, in a cycle.
    #[default]
    Packet,
    /// A flit in a cycle; in front of that a memory node has registers for two packets.
    Flit,
}

/// Channels of a message class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassChannels {
    /// Virtual channels.
    pub vcs: u32,
    /// Flits that each holds.
    pub depth: u32,
    /// Payload of a flit, bytes.
    pub bytes: u32,
}

impl NetworkConfig {
    /// How routers are joined.
    pub(super) fn topology(&self) -> TopologyParams {
        TopologyParams { kind: self.topology, concentration: self.concentration }
    }

    /// Routers and links of a graph.
    pub fn graph(&self) -> Graph {
        let GraphConfig { nodes, links, one_way } = self.graph.clone();
        Graph { nodes, links, one_way }
    }

    /// Nodes that are lost by [`faults`](Self::faults).
    pub fn lost(&self) -> Result<Vec<u32>, NocError> {
        self.faults().lost(self.topology(), &self.graph(), (self.columns, self.rows))
    }

    /// What does not work.
    pub fn faults(&self) -> Faults {
        Faults {
            rows: self.disabled_rows.clone(),
            columns: self.disabled_columns.clone(),
            routers: self.faulty_routers.clone(),
            links: self.faulty_links.clone(),
        }
    }

    /// Channels of requests and of replies.
    pub fn channels(&self) -> [ClassChannels; 2] {
        let or = |own: u32, common: u32| if own == 0 { common } else { own };
        let share = self.vcs / self.organisation.messages();
        [
            (self.request_vcs, self.request_depth, self.request_channel_bytes),
            (self.reply_vcs, self.reply_depth, self.reply_channel_bytes),
        ]
        .map(|(vcs, depth, bytes)| ClassChannels {
            vcs: or(vcs, share),
            depth: or(depth, self.depth),
            bytes: or(bytes, self.channel_bytes),
        })
    }

    /// Links of an injection port with split reply queues.
    pub fn links(&self) -> u32 {
        let [_, replies] = self.channels();
        if self.injection_links == 0 { replies.vcs } else { self.injection_links }
    }

    /// VCs of a port, in each network that is not like the others.
    pub fn vcs_of_ports(&self) -> Vec<u32> {
        let [requests, replies] = self.channels().map(|class| class.vcs);
        if self.organisation.messages() == 1 { vec![requests, replies] } else { vec![requests + replies] }
    }
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

/// What serves the requests of cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Network, L2 banks, controllers and DRAM.
    #[default]
    Controllers,
    /// Behavioural, for limit studies: every request gets its reply in the cycle in which it leaves its core. There is neither network nor cache,
    /// and one clock, that of the cores. Such a chip cannot be exported.
    Perfect,
}

parameters! {
    /// A SIMT core. Warps are 32 threads.
    pub struct CoreConfig {
        /// Resident warps; an even number with two issue slots.
        warps: u32 = 8, range(2, 64);
        /// Instructions issued in a turn of the beats. With 2, warps of even and of odd number have a scheduler, a throttle, registers and `lanes` each,
        /// and share the memory units.
        issue_slots: u32 = 1, range(1, 2);
        /// Lanes: threads that execute in one cycle.
        lanes: u32 = 8, powers(8, 32);
        /// Registers per thread.
        registers: u32 = 64, powers(FEWEST_REGISTERS as u32, MOST_REGISTERS as u32);
        /// Registers that the blocks of a core have in all, those of a thread rounded up to 4; 0: as many as all warps have.
        register_file: u32 = 0, range(0, 262_144);
        /// Percent of warps, blocks, `register_file` and shared memory that there are.
        scale_percent: u32 = 100, range(25, 200);
        /// Instruction memory of 64-bit words; not there with `cache.instruction`.
        #[only(is("cache.instruction.bytes", 0))]
        program_words: u32 = 4096, powers(16, 65_536) words;
        /// Shared memory.
        shared_bytes: u32 = 16 * 1024, kibibytes(1, 64) bytes;
        /// Thread blocks resident at a time.
        blocks: u32 = 8, range(2, 32);
        /// Cycles from operands to result in the lanes.
        #[only(is("latencies", "uniform").or(is("issue", "barrel")).or(other_than("double", "none")).or(above("special_units", 0)))]
        #[only(follows(LATENCY_LEFT).or(is("issue", "barrel")).or(other_than("double", "none")).or(above("special_units", 0)))]
        execute_stages: u32 = 4, range(1, 32) cycles;
        /// Global load instructions in flight.
        loads: u32 = 8, range(2, 64);
        /// Bits of a transaction number, at least those of a warp number: 2^tag_bits reads in flight; 0: 4, or those of a warp number where it has more.
        tag_bits: u32 = 0, range(0, 8) bits;
        /// Which of the ready warps issues next.
        scheduler: WarpScheduler = WarpScheduler::RoundRobin;
        /// Groups of warps, of a scheduler of two levels.
        #[only(policy("scheduler", |kind: WarpScheduler| kind.policy().reads().groups))]
        warp_group: WarpGroup = WarpGroup::Eight;
        /// Misses in a row that `scheduler = "laws"` counts at most.
        #[only(policy("scheduler", |kind: WarpScheduler| kind.policy().reads().fair))]
        laws_max_misses: u32 = 31, range(0, 31);
        /// How many warps may issue.
        throttle: ThrottleConfig;
        /// What it prefetches into its data cache.
        prefetch: PrefetchConfig;
        /// Which core with room gets the next thread block.
        #[only(follows(SEVERAL_CORES))]
        distribution: BlockDistribution = BlockDistribution::RoundRobin;
        /// What keeps the order of a warp's loads and stores: they wait for each other, or only those of the same line do.
        memory_order: MemoryOrder = MemoryOrder::Warp;
        /// When a warp may issue its next instruction: when its operands are there, or when the last one has left the pipeline.
        issue: IssueRule = IssueRule::Scoreboard;
        /// Cycles of operation classes in the lanes: all `execute_stages`, or those of a machine.
        #[only(follows(TIME_LEFT))]
        latencies: LatencyPreset = LatencyPreset::Uniform;
        /// Cycles from operands to result of a class, where they are not those of `latencies`.
        latency: ClassCycles;
        /// Cycles from an instruction of a class to the next one, where they are not those of `latencies`.
        interval: ClassCycles;
        /// Which threads of a warp can share a request to global memory.
        coalescing: Coalescing = Coalescing::Line;
        /// A read of a line with an outstanding read of the core shares its reply; without a data cache, which does so by itself.
        merge_loads: bool = false;
        /// Banks of shared memory, words interleaved; 0: one for each lane; else 8, 16 or 32.
        shared_banks: u32 = 0, range(0, 32);
        /// Threads whose accesses to shared memory are served together, so that they meet at its banks.
        shared_group: SharedGroup = SharedGroup::Beat;
        /// Outstanding loads and stores in network and memory, where lines are kept in order: with a data cache, or `memory_order = "line"`.
        #[only(above("cache.l1d.bytes", 0).or(is("memory_order", "line")))]
        under_way: u32 = 32, range(2, 256);
        /// Atomic instructions, in shared memory and at the memory nodes.
        atomics: bool = false;
        /// Double-precision units: for one of eight lanes, for one of two, or none. Kernels that need one are refused without.
        double: DoubleRate = DoubleRate::None;
        /// Special function units, a power of two of at most half the lanes; 0: reciprocals, roots, powers, logarithms, sines are sequences of other instructions.
        special_units: u32 = 0, range(0, 16);
        /// Barriers of a thread block: 1, of all its threads; or several, by number, of some or all, with reductions. Kernels that need more are refused.
        barriers: u32 = 1, powers(1, 16);
    }
}

parameters! {
    /// Caches of the chip.
    pub struct CachesConfig {
        /// Data cache of each core; not coherent with the others.
        l1d: L1Config;
        /// Instruction cache of each core. With one, the program lies in DRAM, and cores have no instruction memory.
        instruction: ReadOnlyConfig;
        /// Constant cache of each core. Without one, constants are loaded as other global memory is.
        constant: ReadOnlyConfig;
        /// Texture cache of each core. Without one, textures are loaded as other global memory is.
        texture: ReadOnlyConfig;
        /// L2 bank of each memory controller; it holds only what its controller maps.
        l2: L2Config;
    }
}

parameters! {
    /// Data cache of a core. Its line is that of the chip, `memory.line_bytes`. Loads that are volatile, `.cg` or `.cv` pass it by.
    #[switch(above("bytes", 0))]
    pub struct L1Config {
        /// Lines in bytes; 0: there is no cache. Sets (bytes / ways / line) are a power of two, at least 2.
        #[only(is("memory.model", "controllers"))]
        bytes: u32 = 0, range(0, 262_144) bytes;
        /// Lines of a set.
        ways: u32 = 4, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// Write-hit policy: `evict`, or `through`.
        write_hit: WriteHit = WriteHit::Evict;
        /// Write-miss policy: `forward` (no write-allocate), or `fetch` (write-allocate).
        write_miss: WriteMiss = WriteMiss::Forward;
        /// Policy of writes to a pending line; `poison` needs `write_miss = "forward"`.
        write_pending: WritePending = WritePending::Wait;
        /// How pending lines are found.
        mshr: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_entries: u32 = 32, range(2, 256);
        /// Entries of a set with `mshr = "set-associative"`, so that sets are a power of two.
        #[only(is("mshr", "set-associative"))]
        mshr_ways: u32 = 32, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_fields: u32 = 8, range(1, 32);
        /// Entries of the small part of `mshr = "htsma"`, in addition to `mshr_entries`.
        #[only(policy("mshr", |kind: MissHandling| kind.policy().is_hybrid()))]
        mshr_small_entries: u32 = 8, range(0, 64);
        /// The small part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("mshr_small_entries", 0))]
        mshr_small_ahead: bool = false;
        /// Which victims `mshr = "htsma"` spares as long as the small part has room.
        #[only(above("mshr_small_entries", 0))]
        mshr_spares: Spares = Spares::Hit;
        /// From a request to its reply when it hits.
        latency: u32 = 3, range(3, 64) cycles;
        /// Replies between the cache and the register file, in addition to those in its pipeline.
        reply_entries: u32 = 4, range(1, 64);
        /// Misses and writes between the cache and the network.
        miss_entries: u32 = 4, range(1, 64);
        /// Lines know the warp that brought them, and accesses are counted by whether it is the same; so it is anyway where `core.scheduler` or
        /// `core.throttle.kind` goes by it.
        locality: bool = false;
        /// Only prefetched lines (`core.prefetch`) are allocated; others are passed on. Needs `allocation = "on-fill"` and `write_miss = "forward"`.
        #[only(other_than("core.prefetch.kind", "none"))]
        only_prefetches: bool = false;
    }
}

parameters! {
    /// Cache of a core that is only read. Its line is that of the chip, `memory.line_bytes`.
    #[switch(above("bytes", 0))]
    pub struct ReadOnlyConfig {
        /// Lines in bytes; 0: there is no cache. Sets (bytes / ways / line) are a power of two, at least 2.
        bytes: u32 = 0, range(0, 262_144) bytes;
        /// Lines of a set.
        ways: u32 = 2, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// How pending lines are found.
        mshr: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_entries: u32 = 8, range(2, 256);
        /// Entries of a set with `mshr = "set-associative"`, so that sets are a power of two.
        #[only(is("mshr", "set-associative"))]
        mshr_ways: u32 = 8, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_fields: u32 = 8, range(1, 32);
        /// Entries of the small part of `mshr = "htsma"`, in addition to `mshr_entries`.
        #[only(policy("mshr", |kind: MissHandling| kind.policy().is_hybrid()))]
        mshr_small_entries: u32 = 8, range(0, 64);
        /// The small part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("mshr_small_entries", 0))]
        mshr_small_ahead: bool = false;
        /// Which victims `mshr = "htsma"` spares as long as the small part has room.
        #[only(above("mshr_small_entries", 0))]
        mshr_spares: Spares = Spares::Hit;
        /// From a request to its reply when it hits.
        latency: u32 = 3, range(3, 64) cycles;
        /// Replies that wait to be taken, in addition to those in the cache's pipeline.
        reply_entries: u32 = 4, range(1, 64);
        /// Misses between the cache and the network.
        miss_entries: u32 = 4, range(1, 64);
    }
}

parameters! {
    /// L2 bank of a memory controller. Its line is that of the chip, `memory.line_bytes`.
    #[switch(above("bytes", 0))]
    pub struct L2Config {
        /// Lines of a bank in bytes; 0: there is no L2. Sets (bytes / ways / line) are a power of two, at least 2.
        #[only(is("memory.model", "controllers"))]
        bytes: u32 = 0, range(0, 4_194_304) bytes;
        /// Lines of a set.
        ways: u32 = 8, range(1, 16);
        /// Set index: which set a line maps to.
        index: SetIndex = SetIndex::Plain;
        /// Replacement policy: which line of a set is the victim.
        #[only(above("ways", 1))]
        replacement: Replacement = Replacement::Lru;
        /// Allocation policy: a missing line gets its way on fill, or on the miss.
        allocation: Allocation = Allocation::OnFill;
        /// Write-hit policy: `back`, `through`, or `evict`.
        write_hit: WriteHit = WriteHit::Back;
        /// Write-miss policy: `forward` (no write-allocate), or `fetch` (write-allocate).
        write_miss: WriteMiss = WriteMiss::Forward;
        /// Policy of writes to a pending line; `poison` needs `write_miss = "forward"`.
        write_pending: WritePending = WritePending::Wait;
        /// How pending lines are found.
        mshr: MissHandling = MissHandling::Full;
        /// Lines that can be pending.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_entries: u32 = 64, range(2, 256);
        /// Entries of a set with `mshr = "set-associative"`, so that sets are a power of two.
        #[only(is("mshr", "set-associative"))]
        mshr_ways: u32 = 64, range(1, 256);
        /// Requests that can wait for one pending line.
        #[only(policy("mshr", |kind: MissHandling| !kind.policy().is_unlimited()))]
        mshr_fields: u32 = 4, range(1, 32);
        /// Entries of the small part of `mshr = "htsma"`, in addition to `mshr_entries`.
        #[only(policy("mshr", |kind: MissHandling| kind.policy().is_hybrid()))]
        mshr_small_entries: u32 = 8, range(0, 64);
        /// The small part is compared in a stage of its own, while the tags are read; the cycles are the same.
        #[only(above("mshr_small_entries", 0))]
        mshr_small_ahead: bool = false;
        /// Which victims `mshr = "htsma"` spares as long as the small part has room.
        #[only(above("mshr_small_entries", 0))]
        mshr_spares: Spares = Spares::Hit;
        /// From a request at the bank to its reply when it hits.
        latency: u32 = 10, range(3, 64) cycles;
        /// Requests between the network and the bank.
        queue_entries: u32 = 8, range(1, 64);
        /// Replies between the bank and the network, in addition to those in its pipeline.
        reply_entries: u32 = 6, range(1, 64);
        /// Misses and writes between the bank and the controller.
        miss_entries: u32 = 8, range(1, 64);
        /// Lines between the controller and the bank.
        return_entries: u32 = 6, range(1, 64);
        /// Dirty lines between the bank and the controller; with `allocation = "on-fill"` also the maximum of pending lines.
        #[only(is("write_hit", "back"))]
        write_back_entries: u32 = 64, range(1, 256);
    }
}

parameters! {
    /// Memory controllers and the DRAM behind each.
    pub struct MemoryConfig {
        /// Controllers with their DRAM, or a perfect memory for limit studies.
        model: MemoryModel = MemoryModel::Controllers;
        /// Memory controllers, leaving room for a core.
        controllers: u32 = 4, range(1, 64);
        /// DRAM banks per controller.
        #[only(is("model", "controllers").or(is("address_map", "page-2k")))]
        banks: u32 = 8, powers(2, 64);
        /// A DRAM row.
        #[only(is("model", "controllers").or(is("address_map", "page-2k")))]
        row_bytes: u32 = 2048, powers(256, 16_384) bytes;
        /// A line: the unit of every request and of a DRAM burst.
        line_bytes: u32 = 64, powers(32, 128) bytes;
        /// Requests that a controller queues.
        #[only(is("model", "controllers"))]
        queue_entries: u32 = 32, range(1, 128);
        /// Replies of a controller in the DRAM or waiting for the network.
        #[only(is("model", "controllers"))]
        reply_entries: u32 = 8, range(1, 256);
        /// Which addresses a controller holds.
        #[only(above("controllers", 1))]
        address_map: AddressMapKind = AddressMapKind::Low256;
        /// Which request a controller serves next.
        #[only(is("model", "controllers"))]
        scheduler: DramScheduler = DramScheduler::Fifo;
        /// Requests that may go before the oldest one of their bank, of a scheduler that lets them; 0: any number.
        #[only(policy("scheduler", |kind: DramScheduler| kind.policy().may_overtake()))]
        row_streak_max: u32 = 0, range(0, 1023);
        /// Cycles that every reply waits after its burst; `reply_entries` have to cover them for full bandwidth.
        #[only(is("model", "controllers"))]
        min_latency: u32 = 0, range(0, 1023) cycles;
        /// How writes of less than 16 bytes of a chunk are done.
        #[only(is("model", "controllers"))]
        partial_write: PartialWrite = PartialWrite::Mask;
        /// Whether writes are acknowledged. `none` needs a network that keeps the order of a core's requests to a controller.
        #[only(is("model", "controllers"))]
        write_reply: WriteReply = WriteReply::Packet;
        /// Outstanding atomics at a memory node.
        #[only(is("model", "controllers"))]
        #[only(is("core.atomics", true))]
        atomic_entries: u32 = 8, range(2, 64);
        /// DRAM timing, cycles of its clock.
        #[only(is("model", "controllers"))]
        timing: DramTiming;
    }
}
