//! The network on chip, as a person writes it.

use crate::facts::{LONG_LINKS, TURNS};
use common::parameters;
use noc::{
    AllocatorParams, Faults, Graph, NocError, Organisation, Placement, PlacementKind, PortChoice, RouterKinds, Routing,
    TopologyKind, TopologyParams, VcReallocation,
    ring::{RingOrder, Tie},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
        empty_nodes: Vec<u32> = vec![];
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
        #[only(is("request_vc_depth", 0).or(is("reply_vc_depth", 0)))]
        vc_depth: u32 = 8, range(1, 64) flits;
        /// Virtual channels of requests; 0: half of `vcs`, or all of them in a network of their own (`organisation = "dedicated"`).
        #[only(is("model", "routers"))]
        request_vcs: u32 = 0, range(0, 16);
        /// Virtual channels of replies; 0: half of `vcs`, or all of them in a network of their own.
        #[only(is("model", "routers"))]
        #[only(is("network.overlay.kind", "none"))]
        reply_vcs: u32 = 0, range(0, 16);
        /// Flit buffer of a virtual channel of requests; 0: `vc_depth`.
        #[only(is("model", "routers"))]
        request_vc_depth: u32 = 0, range(0, 64) flits;
        /// Flit buffer of a virtual channel of replies; 0: `vc_depth`.
        #[only(is("model", "routers"))]
        #[only(is("network.overlay.kind", "none"))]
        reply_vc_depth: u32 = 0, range(0, 64) flits;
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
        /// Links between such an interface and its router, each for the virtual channels v with the same v mod `reply_injection_links`; 0: one for
        /// each virtual channel of replies.
        #[only(is("reply_injection", "split"))]
        reply_injection_links: u32 = 0, range(0, 16);
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
        #[only(is("network.overlay.kind", "none").or(above("core_injection_ports", 1)))]
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
        /// When a virtual channel is given to the packet behind another one: from the cycle after the one in which the last flit wins the crossbar, or in that
        /// cycle, so that packets follow each other without a pause. With a `pipeline` of 1 both are the same.
        #[only(is("model", "routers"))]
        vc_reallocation: VcReallocation = VcReallocation::BehindTail;
        /// Packets that a network interface queues for sending, for each of its injection lanes (each injection port of each subnetwork); where it has several lanes, as many in front of them.
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
        /// Unidirectional links, each `[from, to]` or `[from, to, tiles]`. Packets go up and down a tree of the links in both directions, which has to
        /// lead to every router with a node that talks; one-way links make routes shorter.
        #[only(is("network.model", "routers"))]
        one_way_links: Vec<Vec<u32>> = vec![];
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
        buffer_flits: u32 = 4, range(2, 16) flits;
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
    #[switch(above("round_trip_cycles", 0))]
    pub struct RingConfig {
        /// Cycles of light around the ring, at least as many as there are memory controllers; 0: there is no ring.
        #[only(is("network.model", "routers"))]
        round_trip_cycles: u32 = 0, range(0, 64) cycles;
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
        tx_queue_packets: u32 = 2, range(1, 64) packets;
        /// Packets of a class that a memory node can take from the ring.
        rx_queue_packets: u32 = 8, range(1, 64) packets;
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
    /// In a queue for each virtual channel of replies, written whole packets at a time; the queues send at the same time, by `reply_injection_links`.
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
    pub(crate) fn topology(&self) -> TopologyParams {
        TopologyParams { kind: self.topology, concentration: self.concentration }
    }

    /// Routers and links of a graph.
    pub fn graph(&self) -> Graph {
        let GraphConfig { nodes, links, one_way_links } = self.graph.clone();
        Graph { nodes, links, one_way_links }
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
            (self.request_vcs, self.request_vc_depth, self.request_channel_bytes),
            (self.reply_vcs, self.reply_vc_depth, self.reply_channel_bytes),
        ]
        .map(|(vcs, depth, bytes)| ClassChannels {
            vcs: or(vcs, share),
            depth: or(depth, self.vc_depth),
            bytes: or(bytes, self.channel_bytes),
        })
    }

    /// Links of an injection port with split reply queues.
    pub fn links(&self) -> u32 {
        let [_, replies] = self.channels();
        if self.reply_injection_links == 0 { replies.vcs } else { self.reply_injection_links }
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
