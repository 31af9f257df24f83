//! What a network is made from, and what of it excludes each other.

use crate::{
    FlitFormat, Flow, MessageClass, NetworkParams, NocError, NodeKind, Nodes, Organisation, OverlayParams, PortChoice,
    Priority, ReplyVcs, RingParams, Routing, SplitQueues, TopologyKind, TopologyParams,
    ring::packet::HeaderFormat,
    routing::{HopRule, Relation},
    topology::{Faults, Graph},
};
use serde::{Deserialize, Serialize};

/// What [`NocError::MeshOnly`] calls them.
pub const HALF_ROUTERS: &str = "half-routers";

/// Which routers turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RouterKinds {
    /// All are full routers.
    #[default]
    Full,
    /// Full and half-routers alternate; the memory nodes are at half-routers (of the first subnetwork).
    Checkerboard,
}

/// What a network is made from.
#[derive(Clone, Debug, Serialize)]
pub struct FabricParams {
    /// Nodes, and where the memory controllers are.
    pub nodes: Nodes,
    /// How routers join them.
    pub topology: TopologyParams,
    /// Tiles that a flit passes in a cycle on a link, 1 and up.
    pub tiles_per_cycle: u32,
    /// What all routers have in common; `classes` is computed. Where `replies` says something, its VCs, depth and width are those of requests.
    pub network: NetworkParams,
    /// Channels of replies that are not like those of requests.
    pub replies: Option<ReplyChannel>,
    /// Message classes, 1 or 2, that share a network where the organisation does not divide them.
    pub messages: u32,
    /// Subnetworks.
    pub organisation: Organisation,
    /// Which routers turn.
    pub routers: RouterKinds,
    /// Injection ports at a memory node into each subnetwork, 1 to 4.
    pub injects: u32,
    /// Ejection ports at a memory node from each subnetwork, 1 to 4.
    pub ejects: u32,
    /// Injection and ejection ports at a core, 1 to 4 each.
    pub core_ports: [u32; 2],
    /// Switch inputs of each injection port of a memory node, 1 to 16, at least the input speedup of all ports; divides the VCs.
    pub injection_speedup: u32,
    /// Choice of the injection port, or of the split queue, for a packet.
    pub port_choice: PortChoice,
    /// Split reply queues of memory nodes, which then send replies alone.
    pub split: Option<SplitQueues>,
    /// Memory nodes, which then send replies alone, write these into their queues a flit in a cycle, not a packet.
    pub flit_writes: bool,
    /// Priority of replies that memory nodes send.
    pub priority: Option<Priority>,
    /// A VC that is not empty is given to packets that fit whole; see [`NetworkParams::whole_packets`].
    pub whole_packets: bool,
    /// A nanophotonic ring between the memory nodes.
    pub ring: Option<RingParams>,
    /// Routers and links, where `topology` is a graph.
    pub graph: Graph,
    /// What does not work, in every subnetwork. Nothing is attached to nodes that are lost.
    pub faults: Faults,
    /// Overlays in place of the subnetwork of replies, with [`Organisation::Dedicated`] and nothing else that is about replies.
    pub overlay: Option<OverlayParams>,
}

impl FabricParams {
    /// One mesh of full routers with one port of each kind at every node, for requests and replies.
    pub fn new(nodes: Nodes, network: NetworkParams) -> Self {
        Self {
            nodes,
            topology: TopologyParams::default(),
            tiles_per_cycle: 1,
            network,
            replies: None,
            messages: 2,
            organisation: Organisation::default(),
            routers: RouterKinds::default(),
            injects: 1,
            ejects: 1,
            core_ports: [1, 1],
            injection_speedup: 1,
            port_choice: PortChoice::default(),
            split: None,
            flit_writes: false,
            priority: None,
            whole_packets: false,
            ring: None,
            graph: Graph::default(),
            faults: Faults::default(),
            overlay: None,
        }
    }
}

/// Channels of replies. In a network of their own they are its channels; where they share channels with requests, they have these VCs of them
/// and the same width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ReplyChannel {
    /// VCs.
    pub vcs: u32,
    /// Flits that a VC holds, 1 to 256.
    pub depth: usize,
    /// Payload bits of a flit.
    pub width: u32,
}

impl FabricParams {
    /// Memory nodes with split queues or a narrow link send replies alone, with split queues through one port: their injection ports have links
    /// for these.
    pub(super) fn check_replies(&self, flows: &[Flow]) -> Result<(), NocError> {
        let is_memory = |node: u32| self.nodes.node(node).kind == NodeKind::Memory;
        let both = flows.iter().any(|flow| flow.class == MessageClass::Request && is_memory(flow.source));
        if self.flit_writes && (both || self.split.is_some()) {
            return Err(NocError::FlitWrites { both });
        }
        if self.split.is_some() && (both || self.injects > 1) {
            let vcs =
                self.replies.map_or(self.network.format.vcs / self.organisation.messages(), |replies| replies.vcs);
            return Err(NocError::NoSplit { queues: vcs, ports: self.injects, both });
        }
        Ok(())
    }

    /// Overlays carry all replies: what else is about these is not there.
    pub(super) fn check_overlay(&self) -> Result<(), NocError> {
        let unlike = [
            ("none on another topology than a mesh with a node a router", !self.topology.is_plain_mesh()),
            ("none where rows or columns are disabled, or routers or links are faulty", !self.faults.is_empty()),
            ("none with half-routers", self.routers != RouterKinds::Full),
            (
                "none unless requests have a network of their own (organisation = dedicated)",
                self.organisation != Organisation::Dedicated,
            ),
            ("none with a ring between memory nodes", self.ring.is_some()),
            ("none with split reply queues of the mesh", self.split.is_some()),
            ("none with replies that are written flit by flit", self.flit_writes),
            ("none with priorities of replies", self.priority.is_some()),
            ("none with several switch inputs of injected replies", self.injection_speedup > 1),
        ];
        let wrong = unlike.into_iter().find(|(_, wrong)| *wrong);
        wrong.map_or(Ok(()), |(allowed, _)| {
            Err(NocError::Overlay { name: "kind", value: "da2mesh".into(), allowed: allowed.into() })
        })
    }

    /// What the routers of each subnetwork have in common; one entry where all subnetworks are alike.
    pub(super) fn networks(&self) -> Result<Vec<NetworkParams>, NocError> {
        let header = |network: NetworkParams| network.with_header(self.whole_packets, self.priority);
        let without = |network: NetworkParams| network.with_header(self.whole_packets, None);
        let mut requests = self.network;
        if self.ring.is_some() {
            requests.format.sideband_bits += HeaderFormat::new(requests.format.node_bits, requests.longest, 0).added();
        }
        let networks = match self.replies.filter(|_| self.messages == 2) {
            None if self.organisation.messages() == 1 && self.priority.is_some() => {
                vec![without(requests), header(requests)]
            }
            None => vec![header(requests)],
            Some(ReplyChannel { vcs, depth, width }) if self.organisation.messages() == 1 => {
                let format = FlitFormat { vcs, width, ..requests.format };
                vec![without(requests), header(NetworkParams { format, depth, ..requests })]
            }
            Some(ReplyChannel { vcs, depth, width }) => {
                if width != requests.format.width {
                    return Err(NocError::ReplyWidth { requests: requests.format.width, replies: width });
                }
                let format = FlitFormat { vcs: requests.format.vcs + vcs, ..requests.format };
                let alike = (vcs, depth) == (requests.format.vcs, requests.depth);
                let replies = (!alike).then_some(ReplyVcs { vcs, depth });
                vec![header(NetworkParams { format, replies, ..requests })]
            }
        };
        networks.iter().try_for_each(NetworkParams::check)?;
        Ok(networks)
    }
}

/// A relation names modules: those of two with one key would be shared.
pub(super) fn check_relation_key(routing: Routing) -> Result<(), NocError> {
    let HopRule::Relation(own) = routing.rule() else { return Ok(()) };
    let other = other_with_key(own);
    other.map_or(Ok(()), |other| Err(NocError::RelationKey { key: own.key, routing: routing.name(), other }))
}

/// A routing that has another relation with the key of this one.
fn other_with_key(own: &'static Relation) -> Option<&'static str> {
    let is_other = |relation: &'static Relation| relation.key == own.key && !std::ptr::eq(relation, own);
    let mut all = Routing::named().into_iter().chain(Routing::DERIVED);
    let other = all.find(|routing| matches!(routing.rule(), HopRule::Relation(relation) if is_other(relation)));
    other.map(Routing::name)
}

/// Which routings this topology has.
pub(super) fn not_here(params: &FabricParams) -> NocError {
    let works = Routing::named().into_iter().filter(|routing| params.topology.routing(*routing).is_some());
    let allowed = works.map(|routing| format!("{routing:?}")).collect::<Vec<_>>().join(", ");
    let (routing, concentration) = (params.network.routing, params.topology.concentration);
    let has = |kind: &TopologyKind| TopologyParams { kind: *kind, concentration }.routing(routing).is_some();
    let topologies: Vec<_> = TopologyKind::ALL.into_iter().filter(has).map(TopologyKind::name).collect();
    NocError::RoutingOnTopology { routing, allowed, topologies: topologies.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    static OWN: Relation = Relation::new("WestFirst", &["west-first"], |_| vec![]);
    static NAMED_AS_ANOTHER: Relation = Relation::new("OddEven", &["odd-even"], |_| vec![]);

    #[test]
    fn relations_have_keys_of_their_own() {
        for routing in Routing::ALL.into_iter().chain(Routing::DERIVED) {
            assert_eq!(check_relation_key(routing), Ok(()), "{routing:?}");
        }
        assert_eq!(other_with_key(&OWN), None);
        assert_eq!(other_with_key(&NAMED_AS_ANOTHER), Some("odd-even"));
    }
}
