//! The shortest ways between nodes: how long packets take on them that nothing is in the way of, and which packets wait
//! for their own credits meanwhile ([`mod@super::zero_load`]).

use rtl::noc::{
    Fabric, Flow, MessageClass, NodeKind, Output, Overlay, Ring, fabric::Subnetwork, overlay::Tree, paths::PathLength,
};

/// Cycles from the creation of a packet to its tail on the ejection channel when nothing is in its way: two from the source to the
/// injection channel, `hop` a router (its link included; five for four stages), and one for each further flit.
pub fn zero_load(routers: u32, hop: u32, flits: u32) -> u64 {
    2 + u64::from(hop) * u64::from(routers) + u64::from(flits) - 1
}

/// The shortest way from node to node: all routings here take a shortest way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShortestPaths {
    nodes: u32,
    hop: u32,
    /// Flits of a virtual channel of requests (or of the only class) and of replies.
    depths: [u32; 2],
    ways: Vec<PathLength>,
    hubs: Option<Hubs>,
    overlay: Option<Overlay>,
    /// Routers choose among ways of equally many hops that take different times.
    pub(super) is_by_choice: bool,
}

/// What hubs and a ring between memory nodes add.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hubs {
    ring: Ring,
    /// Flits of the longest request and reply.
    longest: [u32; 2],
    /// Cycles from the tail of a request on the ejection channel to the packet at the hub.
    reassembly: u32,
}

impl Hubs {
    fn of(fabric: &Fabric) -> Option<Self> {
        let interface = fabric.interface(NodeKind::Memory, MessageClass::Reply);
        // Several lanes end packets in turn, into registers of their own.
        let reassembly = if interface.ejection_lanes().len() > 1 { 4 } else { 3 };
        let longest = [fabric.network().longest as u32; 2];
        fabric.ring().map(|ring| Self { ring: ring.clone(), longest, reassembly })
    }

    /// Cycles beyond those of the mesh, with the mean wait for a token.
    fn more(&self, source: u32, dest: u32, flits: u32) -> f64 {
        let (class, first) = match (self.ring.controller(source), self.ring.controller(dest)) {
            (None, Some(_)) => (MessageClass::Request, self.reassembly + 1),
            (Some(_), None) => (MessageClass::Reply, 1),
            _ => return 0.0,
        };
        let Some([from, to]) = self.ring.relay(Flow { class, source, dest }) else { return first.into() };
        let per_cycle = self.ring.params().flits[class as usize];
        let slot = self.longest[class as usize].div_ceil(per_cycle);
        let fixed = first + 1 + self.ring.cycles(from, to) + flits.div_ceil(per_cycle);
        f64::from(fixed) + self.ring.token_wait(slot).0
    }
}

/// What the time that a packet waits for its own credits depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CreditWaitKind {
    depth: u32,
    pub flits: u32,
    round_trip: u32,
    behind: u32,
    routers: u32,
    channels: u64,
}

impl ShortestPaths {
    /// For all pairs of nodes that talk.
    pub fn new(fabric: &Fabric) -> Self {
        let (nodes, hop) = (fabric.params().nodes.len(), fabric.network().hop());
        let depths = [MessageClass::Request, MessageClass::Reply].map(|class| fabric.depth_of(class) as u32);
        let mut ways = vec![PathLength::default(); (nodes * nodes) as usize];
        for flow in fabric.flows() {
            let way = &mut ways[(flow.source * nodes + flow.dest) as usize];
            if *way == PathLength::default() {
                *way = fabric.way(fabric.leg(*flow)).unwrap_or_default();
            }
        }
        let overlay = fabric.overlay().cloned();
        let unlike = |part: &Subnetwork| {
            let mut cycles = part.topology.links().iter().map(|link| fabric.cycles(link.tiles));
            cycles.next().is_some_and(|first| cycles.any(|other| other != first))
        };
        let is_by_choice = fabric.network().routing.rule().turns_back() && fabric.subnetworks().iter().any(unlike);
        Self { nodes, hop, depths, ways, hubs: Hubs::of(fabric), overlay, is_by_choice }
    }

    /// For packets of at most so many flits in each message class.
    pub fn with_longest(mut self, longest: [u32; 2]) -> Self {
        self.hubs.iter_mut().for_each(|hubs| hubs.longest = longest);
        self
    }

    fn between(&self, source: u32, dest: u32) -> PathLength {
        self.ways[(source * self.nodes + dest) as usize]
    }

    /// Routers on it, both ends included.
    pub fn routers(&self, source: u32, dest: u32) -> u32 {
        let path = self.overlay_to(source, dest).map(|tree| tree.path(dest).len() as u32);
        path.unwrap_or(self.between(source, dest).routers)
    }

    fn has_own_clock(&self) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.params().clock.is_some())
    }

    /// The overlay by which a node sends to another one.
    fn overlay_to(&self, source: u32, dest: u32) -> Option<&Tree> {
        let tree = self.overlay.as_ref()?.tree(source)?;
        (tree.outputs(dest).contains(&Output::Eject(0))).then_some(tree)
    }

    /// Cycles of a packet that nothing is in the way of and that does not wait for its own credits; see [`zero_load`]. Where it takes a ring,
    /// with the mean wait for a token, rounded down.
    pub fn zero_load(&self, source: u32, dest: u32, flits: u32) -> u64 {
        self.mean_zero_load(source, dest, flits) as u64
    }

    pub(super) fn mean_zero_load(&self, source: u32, dest: u32, flits: u32) -> f64 {
        if let (Some(overlay), Some(_)) = (&self.overlay, self.overlay_to(source, dest)) {
            let flow = Flow { class: MessageClass::Reply, source, dest };
            return overlay.zero_load(flow, flits).map_or(0.0, |cycles| cycles as f64);
        }
        let PathLength { routers, more, less, .. } = self.between(source, dest);
        let of_mesh = zero_load(routers, self.hop, flits) + u64::from(more) - u64::from(less);
        of_mesh as f64 + self.hubs.as_ref().map_or(0.0, |hubs| hubs.more(source, dest, flits))
    }

    /// The longest time of all ways for packets of so many flits that do not wait for credits.
    pub fn longest(&self, flits: u32) -> u64 {
        let pairs = (0..self.nodes).flat_map(|source| (0..self.nodes).map(move |dest| (source, dest)));
        let talks = |&(source, dest): &(u32, u32)| {
            self.between(source, dest) != PathLength::default() || self.overlay_to(source, dest).is_some()
        };
        let pairs = pairs.filter(talks);
        pairs.map(|(source, dest)| self.zero_load(source, dest, flits)).max().unwrap_or(0)
    }

    /// Of a packet that waits for its own credits: what its waiting time depends on.
    pub(super) fn waits(&self, flow: Flow, flits: u32) -> Option<CreditWaitKind> {
        // In what phases of the two clocks a packet crosses between them is not computed.
        if let (Some(tree), true) = (self.overlay_to(flow.source, flow.dest), self.has_own_clock()) {
            let routers = tree.path(flow.dest).len() as u32;
            return Some(CreditWaitKind { depth: 0, flits, round_trip: 0, behind: 0, routers, channels: 0 });
        }
        if self.is_by_choice {
            let (depth, behind, routers) = (flow.class as u32, flow.source, flow.dest);
            return Some(CreditWaitKind { depth, flits, round_trip: 0, behind, routers, channels: 0 });
        }
        let PathLength { routers, round_trip, behind, channels, .. } = self.between(flow.source, flow.dest);
        let depth = self.depths[usize::from(flow.class == MessageClass::Reply)];
        (flits > depth && depth < round_trip).then_some(CreditWaitKind {
            depth,
            flits,
            round_trip,
            behind,
            routers,
            channels,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl::noc::{FabricParams, FlitFormat, NetworkParams, NodeKind, Nodes, paths::all_pairs};

    /// A row of routers with links of one tile.
    fn row(routers: u32, network: NetworkParams) -> ShortestPaths {
        let nodes = Nodes::with_kinds(routers, 1, |_| NodeKind::Core).expect("legal");
        let format = FlitFormat::new(2, 8, nodes.len(), 1);
        let params = FabricParams { messages: 1, ..FabricParams::new(nodes, NetworkParams { format, ..network }) };
        let flows: Vec<_> = all_pairs(routers).collect();
        ShortestPaths::new(&Fabric::new(params, &flows).expect("legal"))
    }

    /// Seven cycles with four stages: to the next channel register (3), RC, VA and SA there (2), the credit (2).
    #[test]
    fn round_trips_follow_from_the_stages() {
        for (pipeline, extra_latency, round_trip) in [(4, 0, 7), (3, 0, 6), (2, 0, 5), (1, 0, 4), (4, 8, 15)] {
            let plain = NetworkParams::new(FlitFormat::new(2, 8, 4, 1), 1, 1);
            let ways = row(4, NetworkParams { pipeline, extra_latency, ..plain });
            // From router 0 to 3 the last link is followed by router 3 alone.
            let channels = ways.between(0, 3).channels;
            let far = PathLength { routers: 4, more: 0, less: 0, round_trip, behind: 1, channels };
            assert_eq!(ways.between(0, 3), far, "{pipeline} stages");
            assert_eq!(ways.longest(1), zero_load(4, pipeline + 1 + extra_latency, 1));
        }
    }

    #[test]
    fn packets_wait_for_their_credits_where_they_are_longer_than_a_shallow_vc() {
        for (depth, waits) in [(1, true), (6, true), (7, false)] {
            let ways = row(4, NetworkParams::new(FlitFormat::new(2, 8, 4, 1), depth, 1));
            let flow = Flow { class: MessageClass::Request, source: 1, dest: 3 };
            let channels = ways.between(1, 3).channels;
            let kind = CreditWaitKind { depth: depth as u32, flits: 8, round_trip: 7, behind: 1, routers: 3, channels };
            assert_eq!(ways.waits(flow, 8), waits.then_some(kind), "{depth}");
            assert_eq!(ways.waits(flow, depth as u32), None, "it fits");
        }
    }
}
