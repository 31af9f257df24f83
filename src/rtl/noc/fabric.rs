//! Fabric: a whole network on chip as data (nodes, subnetworks, the router of each node, who talks to whom), its
//! checks, and its construction.
//!
//! ```text
//!   FabricParams, flows --> Fabric::new: matrices of every router of every subnetwork, checked against every path
//!                              |--> interface(node, ...): parameters of the network interface there
//!                              |--> subnetworks(): what the deadlock proof walks
//!                              `--> build(): router tiles and wires; attach(): an interface with all its routers
//! ```
//!
//! A node has as many injection and ejection ports as the parameters say for its kind, in each subnetwork;
//! where an organisation uses only one side of them, the other is tied off.
//!
//! Source: A. Bakhoda's thesis (2014), chapter 5.

mod order;
mod params;
pub mod terminal;
mod way;

pub use order::Overtaking;
pub use params::{FabricParams, HALF_ROUTERS, ReplyChannel, RouterKinds};
use params::{check_relation_key, not_here};
pub use terminal::{Terminal, TerminalPort};

use super::{
    Connectivity, FlitFormat, Flow, Grid, Input, InputPort, InterfaceParams, MessageClass, NetworkParams, NocError,
    NodeKind, Nodes, Output, Overlay, Ports, Ring, RouterParams, Topology,
    deadlock::{self, DeadlockError, Proof, prove_with},
    endpoints::{Endpoints, PlainInterfaces, SideOutput},
    mesh::{named_routers, router_tile},
    packet::PacketFormat,
    paths::{Share, check_network},
    ring::packet::HeaderFormat,
    router::{Router, output_unit_name},
    routing::HopRule,
    topology::{Addressing, Roles},
};
use hdl::Builder;

/// A network of its own within the fabric.
#[derive(Clone, Debug)]
pub struct Subnetwork {
    /// What its routers have in common.
    pub network: NetworkParams,
    /// Sites, links, and where nodes are attached.
    pub topology: Topology,
    /// The routers, by site.
    pub routers: Vec<Connectivity>,
    /// Who sends through it.
    pub flows: Vec<Flow>,
    /// Which packets take it.
    pub share: Share,
}

/// A checked network; see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Fabric {
    params: FabricParams,
    odd_is_half: bool,
    subnetworks: Vec<Subnetwork>,
    ring: Option<Ring>,
    overlay: Option<Overlay>,
    flows: Vec<Flow>,
}

/// Where an output unit is in the hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedOutput {
    /// Subnetwork.
    pub subnetwork: usize,
    /// Name of the router's tile within the subnetwork.
    pub router: String,
    /// The tile in the top.
    pub tile: String,
    /// Output port.
    pub port: String,
    /// It leads to a terminal, not to another router.
    pub ejects: bool,
    /// Path of the output unit, or of the router of a side network, below the top in which [`Fabric::build`] has placed the network.
    pub path: String,
    /// Which output it is of a router of a side network, which counts for all of them and has no output units.
    pub of_side_network: Option<usize>,
}

impl Fabric {
    /// All output units of the routers, subnetwork by subnetwork, router by router; each side network counts as a subnetwork behind the others.
    pub fn output_units(&self) -> Vec<PlacedOutput> {
        let several = self.subnetworks.len() > 1;
        let mut all = vec![];
        for (subnetwork, part) in self.subnetworks.iter().enumerate() {
            for (matrix, site) in part.routers.iter().zip(part.topology.sites()) {
                let tile = router_tile(several.then_some(subnetwork), site.name);
                let placed = |output: &Output| PlacedOutput {
                    subnetwork,
                    router: site.name.tile(),
                    tile: tile.clone(),
                    port: output.to_string(),
                    ejects: matches!(output, Output::Eject(_)),
                    path: format!("{tile}.{}", output_unit_name(*output)),
                    of_side_network: None,
                };
                all.extend(matrix.outputs().iter().map(placed));
            }
        }
        let first = self.subnetworks.len();
        let of_side = |SideOutput { network, router, number, output, .. }| PlacedOutput {
            subnetwork: first + network,
            path: router.clone(),
            tile: router.clone(),
            router,
            port: output.to_string(),
            ejects: matches!(output, Output::Eject(_)),
            of_side_network: Some(number),
        };
        all.extend(self.endpoints().side_networks().into_iter().flat_map(|side| side.outputs).map(of_side));
        all
    }

    /// The network for `flows`. Errors: a pair that must talk and has no path, a connection that a router lacks, VCs that do not divide, what
    /// does not work on the topology.
    pub fn new(params: FabricParams, flows: &[Flow]) -> Result<Self, NocError> {
        let mut params = params;
        let ring = params.ring.map(|ring| Ring::new(ring, &params.nodes)).transpose()?;
        let between_endpoints = flows.to_vec();
        let legs = ring.as_ref().map(|ring| ring.legs(flows)).transpose()?;
        let flows = legs.as_deref().unwrap_or(flows);
        let routing = params.topology.routing(params.network.routing);
        params.network = params.network.with_routing(routing.ok_or_else(|| not_here(&params))?);
        check_relation_key(params.network.routing)?;
        let messages = params.organisation.messages().min(params.messages);
        params.network.classes = messages * params.network.routing.vc_sets();
        // Traffic without replies has neither.
        let replies = flows.iter().any(|flow| flow.class == MessageClass::Reply);
        (params.split, params.priority) = (params.split.filter(|_| replies), params.priority.filter(|_| replies));
        params.overlay = params.overlay.filter(|_| replies);
        params.flit_writes &= replies;
        params.overlay.map_or(Ok(()), |_| params.check_overlay())?;
        let networks = params.networks()?;
        if params.organisation.inverts() && params.routers != RouterKinds::Checkerboard {
            return Err(NocError::NotInverted);
        }
        if params.routers != RouterKinds::Full && !params.topology.is_plain_mesh() {
            return Err(NocError::MeshOnly { what: HALF_ROUTERS });
        }
        if (params.injects.max(params.core_ports[0]) > 1 || params.split.is_some())
            && params.port_choice.reads().direction
            && !params.topology.has_four_directions()
        {
            return Err(NocError::MeshOnly { what: "an injection port by the direction of the packet" });
        }
        if (params.injects.max(params.core_ports[0]) > 1 || params.split.is_some())
            && params.port_choice.reads().direction
            && params.network.routing.rule().table().is_some()
        {
            return Err(NocError::ByDirection { routing: params.network.routing });
        }
        for (name, ports, most) in [
            ("injection_ports", params.injects, 4),
            ("ejection_ports", params.ejects, 4),
            ("core_injection_ports", params.core_ports[0], 4),
            ("core_ejection_ports", params.core_ports[1], 4),
            ("tiles_per_cycle", params.tiles_per_cycle, 64),
        ] {
            if !(1..=most).contains(&ports) {
                return Err(NocError::Places { name, places: ports as usize, most: most as usize });
            }
        }
        for &NetworkParams { format: FlitFormat { vcs, .. }, .. } in &networks {
            if !(1..=16).contains(&params.injection_speedup) || !vcs.is_multiple_of(params.injection_speedup) {
                return Err(NocError::InjectionSpeedup { speedup: params.injection_speedup, vcs });
            }
        }
        params.check_replies(flows)?;
        let odd_is_half = odd_is_half(&params.nodes);
        let overlay =
            params.overlay.map(|overlay| Overlay::new(overlay, &params.nodes, &networks[0], flows)).transpose()?;
        let mut fabric = Self { params, odd_is_half, subnetworks: vec![], ring, overlay, flows: between_endpoints };
        // Overlays are there instead of the second one.
        let subnetworks = if fabric.overlay.is_some() { 1 } else { fabric.params.organisation.subnetworks() };
        for subnetwork in 0..subnetworks {
            let class_by_queue = fabric.params.split.is_some() && fabric.params.network.routing.rule().has_escapes();
            let share = Share { organisation: fabric.params.organisation, subnetwork, odd_is_half, class_by_queue };
            let part = fabric.subnetwork(share, networks[subnetwork.min(networks.len() - 1)], flows)?;
            check_network(&fabric.grid(&part), part.flows.iter().copied())?;
            fabric.subnetworks.push(part);
        }
        Ok(fabric)
    }

    /// The routers of a subnetwork, and the flows that take a part in it.
    fn subnetwork(&self, share: Share, network: NetworkParams, flows: &[Flow]) -> Result<Subnetwork, NocError> {
        let nodes = &self.params.nodes;
        let FabricParams { topology, graph, faults, .. } = &self.params;
        let topology = Topology::of(*topology, graph, nodes, |kind| self.roles(share.subnetwork, flows, kind))?;
        let topology = topology.without(faults, graph)?;
        let routers = (0..topology.sites().len()).map(|site| self.router(&topology, site, share.subnetwork)).collect();
        let mut part = Subnetwork { network, topology, routers, flows: vec![], share };
        for &flow in flows {
            if !self.grid(&part).choices(flow)?.is_empty() {
                part.flows.push(flow);
            }
        }
        Ok(part)
    }

    /// What nodes of a kind do in a subnetwork: everything, unless each message class has one of its own.
    fn roles(&self, subnetwork: usize, flows: &[Flow], kind: NodeKind) -> Roles {
        let organisation = self.params.organisation;
        if organisation.messages() == 2 {
            return Roles { injects: true, ejects: true };
        }
        let here = |flow: &&Flow| organisation.of_class(flow.class).contains(&subnetwork);
        if !flows.iter().any(|flow| here(&flow)) {
            return Roles { injects: true, ejects: true };
        }
        let is = |node: u32| self.params.nodes.node(node).kind == kind;
        Roles {
            injects: flows.iter().filter(here).any(|flow| is(flow.source)),
            ejects: flows.iter().filter(here).any(|flow| is(flow.dest)),
        }
    }

    /// Injection and ejection ports of a node.
    pub fn ports(&self, node: u32) -> [u32; 2] {
        match self.params.nodes.node(node).kind {
            NodeKind::Core => self.params.core_ports,
            NodeKind::Memory => [self.params.injects, self.params.ejects],
            NodeKind::Empty => [0, 0],
        }
    }

    fn router(&self, topology: &Topology, site: usize, subnetwork: usize) -> Connectivity {
        let inverted = self.params.organisation.inverts() && subnetwork == 1;
        let (x, y) = topology.sites()[site].place;
        let half = ((x + y) % 2 == 1) == self.odd_is_half;
        let matrix = match self.params.routers {
            RouterKinds::Checkerboard if half != inverted => {
                let lost = topology.sends_at(site as u32).is_none();
                let [injects, ejects] = if lost { [0, 0] } else { self.ports(site as u32) };
                Connectivity::half(&Ports { links: topology.directions(site).0, injects, ejects })
            }
            _ if self.params.network.routing.rule().turns_back() => {
                topology.full_with(site, |node| self.ports(node), |input| topology.routes().turns_back(site, input))
            }
            _ => topology.full(site, |node| self.ports(node)),
        };
        let fast = self.memory_ports(topology, site);
        let passes_on = self.memory_port(subnetwork).priority && self.params.priority.is_some_and(|p| p.levels > 2);
        let port = |input| match input {
            Input::Inject(port) if fast.contains(&port) => self.memory_port(subnetwork),
            // One hop uses one level up.
            Input::From(_) => InputPort { priority: passes_on, ..InputPort::default() },
            Input::Inject(_) => InputPort::default(),
        };
        matrix.with_ports(port).with_speedup(self.params.network.input_speedup)
    }

    /// An injection port of a memory node.
    fn memory_port(&self, subnetwork: usize) -> InputPort {
        let replies = self.params.organisation.of_class(MessageClass::Reply).contains(&subnetwork);
        let links = self.params.split.filter(|_| replies).map_or(1, |split| split.links);
        InputPort {
            // Nothing enters at a memory node where only requests travel.
            switch_inputs: if replies { self.params.injection_speedup } else { 1 },
            links,
            priority: replies && self.params.priority.is_some(),
        }
    }

    /// Injection ports of the memory nodes at a site.
    fn memory_ports(&self, topology: &Topology, site: usize) -> Vec<u32> {
        let memories = self.params.nodes.memories().iter().filter(|&&node| topology.sends_at(node) == Some(site));
        let ports = memories.flat_map(|&node| {
            let (first, ports) = topology.ports(site, node, 0, |node| self.ports(node));
            first..first + ports
        });
        ports.collect()
    }

    /// What it was made from, the classes computed.
    pub fn params(&self) -> &FabricParams {
        &self.params
    }

    /// The ring between its memory nodes.
    pub fn ring(&self) -> Option<&Ring> {
        self.ring.as_ref()
    }

    /// The overlays that are there instead of a subnetwork of replies.
    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_ref()
    }

    /// Who sends packets to whom. Where there is a ring, the flows of the subnetworks are the parts of these that are in the mesh.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// Packets as endpoints have them: without what they carry for a ring.
    pub fn endpoint(&self, packet: PacketFormat) -> PacketFormat {
        let NetworkParams { format, longest, .. } = self.params.network;
        let added = self.ring.as_ref().map_or(0, |_| HeaderFormat::new(format.node_bits, longest, 0).added());
        PacketFormat { sideband_bits: packet.sideband_bits - added, ..packet }
    }

    /// How endpoints meet the routers.
    pub fn endpoints(&self) -> &dyn Endpoints {
        match (&self.ring, &self.overlay) {
            (Some(ring), _) => ring,
            (None, Some(overlay)) => overlay,
            (None, None) => &PlainInterfaces,
        }
    }

    /// The part of a flow's way that is in the mesh.
    pub fn leg(&self, flow: Flow) -> Flow {
        self.endpoints().leg(flow)
    }

    /// What the routers of the first subnetwork have in common: of all, unless replies have channels of their own.
    pub fn network(&self) -> &NetworkParams {
        self.network_in(0)
    }

    /// What the routers of a subnetwork have in common; of the second one where overlays are there instead, what these show to endpoints.
    pub fn network_in(&self, subnetwork: usize) -> &NetworkParams {
        match &self.overlay {
            Some(overlay) if subnetwork > 0 => overlay.network(),
            _ => &self.subnetworks[subnetwork].network,
        }
    }

    /// What the routers have in common that packets of a class pass.
    pub fn network_of(&self, class: MessageClass) -> &NetworkParams {
        self.network_in(self.params.organisation.of_class(class)[0])
    }

    /// Flits that a VC of a message class holds.
    pub fn depth_of(&self, class: MessageClass) -> usize {
        let (network, messages) = (self.network_of(class), self.params.messages);
        let vcs = network.format.vcs;
        // Where both classes share channels, replies have the last VCs of them.
        let vc = if class == MessageClass::Reply && messages == 2 { vcs - 1 } else { 0 };
        network.depths().of(vc)
    }

    /// The half-routers (of subnetwork 0) are at odd sums of coordinates, not at even ones.
    pub fn odd_is_half(&self) -> bool {
        self.odd_is_half
    }

    /// Its subnetworks.
    pub fn subnetworks(&self) -> &[Subnetwork] {
        &self.subnetworks
    }

    /// A subnetwork as routing sees it.
    pub fn grid<'a>(&self, part: &'a Subnetwork) -> Grid<'a> {
        let Subnetwork { topology, routers, share, .. } = part;
        Grid::new(topology, routers, self.params.network.routing, *share)
    }

    /// Cycles of a link of so many tiles.
    pub fn cycles(&self, tiles: u32) -> u32 {
        tiles.div_ceil(self.params.tiles_per_cycle).max(1)
    }

    /// Parameters of the router at a site of a subnetwork.
    pub fn router_params(&self, part: &Subnetwork, site: usize) -> RouterParams {
        let pipeline = self.pipeline(part, site);
        // One stage has no cycle to save.
        let vc_reuse_delay = if pipeline == 1 { 1 } else { part.network.vc_reuse_delay };
        RouterParams {
            connectivity: part.routers[site].clone(),
            addressing: part.topology.addressing_for(part.network.routing.rule()),
            slots: part.topology.ejection_slots(site, |node| self.ports(node)),
            network: NetworkParams { pipeline, vc_reuse_delay, ..part.network },
        }
    }

    /// Places of the matrix of requests of the largest VC allocator: each input VC with each output VC of its class that it may go to.
    pub fn allocator_places(&self) -> u64 {
        let points = |router: &Connectivity| router.points().filter(|(_, _, allowed)| *allowed).count() as u64;
        let of_part = |part: &Subnetwork| {
            let sets = part.network.sets();
            let pairs: u64 = (0..sets.classes()).map(|class| u64::from(sets.size(class)).pow(2)).sum();
            part.routers.iter().map(points).max().unwrap_or(0) * pairs
        };
        self.subnetworks.iter().map(of_part).max().unwrap_or(0)
    }

    /// Proves that packets cannot wait for each other in a circle.
    pub fn prove(&self) -> Result<Proof, DeadlockError> {
        let separate = self.params.network.classes > self.params.network.routing.vc_sets();
        let parts = self.subnetworks.iter();
        let parts: Vec<_> =
            parts.map(|part| deadlock::Subnetwork::new(self.grid(part), part.flows.clone(), separate)).collect();
        prove_with(&parts, self.endpoints(), &self.flows)
    }

    /// The network interface of a node of `kind` that sends `sends`; places are the caller's to set.
    pub fn interface(&self, kind: NodeKind, sends: MessageClass) -> InterfaceParams {
        let p = &self.params;
        let [injects, ejects] = if kind == NodeKind::Memory { [p.injects, p.ejects] } else { p.core_ports };
        let network = self.network_in(0);
        let second = (p.organisation.subnetworks() > 1).then(|| *self.network_in(1));
        let replies = second.filter(|replies| replies != network);
        // An intermediate router is drawn from the routers.
        let (columns, rows) = match network.routing.rule() {
            HopRule::Ugal => {
                let Addressing { columns, rows, .. } = *self.subnetworks[0].topology.addressing();
                (columns, rows)
            }
            _ => (p.nodes.columns(), p.nodes.rows()),
        };
        InterfaceParams {
            messages: p.network.classes / p.network.routing.vc_sets(),
            organisation: p.organisation,
            odd_is_half: self.odd_is_half,
            injects,
            ejects,
            replies,
            overlay: self.overlay.is_some(),
            port_choice: p.port_choice,
            priority: kind == NodeKind::Memory && p.priority.is_some(),
            split: p.split.filter(|_| kind == NodeKind::Memory && sends == MessageClass::Reply),
            flit_writes: p.flit_writes && kind == NodeKind::Memory && sends == MessageClass::Reply,
            ..InterfaceParams::new(*network, columns, rows, sends)
        }
    }

    /// Places the routers in `m` and joins them; the terminals are left to the caller. Routers are called like their
    /// [`SiteName`](super::topology::SiteName), in one of two subnetworks with `net<subnetwork>_` before it.
    pub fn build<'m>(&self, m: &'m Builder) -> Result<Vec<Terminal<'m>>, NocError> {
        let nodes = self.params.nodes.iter();
        let mut terminals: Vec<_> = nodes.map(|node| Terminal { node, injects: vec![], ejects: vec![] }).collect();
        for (s, part) in self.subnetworks.iter().enumerate() {
            let number = (self.subnetworks.len() > 1).then_some(s);
            let cycles = |tiles| self.cycles(tiles);
            let routers = named_routers(m, &part.topology, |site| self.router_params(part, site), cycles, number)?;
            for terminal in &mut terminals {
                let node = terminal.node.number;
                let terminal_port = |site: Option<usize>, side: usize| {
                    let site = site?;
                    let (first, ports) = part.topology.ports(site, node, side, |node| self.ports(node));
                    let cycles = self.cycles(part.topology.tiles(node, site));
                    let router = Router(routers[site].as_ref()?.tile);
                    (ports > 0).then_some(TerminalPort { router, first, ports, cycles })
                };
                terminal.injects.push(terminal_port(part.topology.sends_at(node), 0));
                terminal.ejects.push(terminal_port(part.topology.receives_at(node), 1));
            }
        }
        Ok(terminals)
    }
}

/// Half-routers go where the memory nodes are: at odd sums of coordinates unless more of them are at even ones.
fn odd_is_half(nodes: &Nodes) -> bool {
    let odd = nodes.memories().iter().filter(|&&node| (nodes.node(node).x + nodes.node(node).y) % 2 == 1).count();
    2 * odd >= nodes.memories().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FlitFormat, Organisation, Routing};

    fn fabric(organisation: Organisation, routers: RouterKinds, routing: Routing) -> Result<Fabric, NocError> {
        // A checkerboard placement: every memory node at an odd sum.
        let mesh = Nodes::new(6, 6, &[5, 8, 13, 17, 18, 22, 27, 32])?;
        let network = NetworkParams::new(FlitFormat::new(4, 64, 36, 8), 8, 1).with_routing(routing);
        let flows = mesh.flows();
        let p = FabricParams { organisation, routers, injects: 2, ejects: 2, ..FabricParams::new(mesh, network) };
        Fabric::new(p, &flows)
    }

    /// Every flow of the chip has a path in every organisation, with half-routers where the organisation allows them; with DCI by rules
    /// (1), (2), (1'), (2') no packet turns at a half-router, else a connection would be missing.
    #[test]
    fn every_organisation_serves_the_chip() {
        use {Organisation::*, RouterKinds::*};
        for (organisation, routers, routing) in [
            (Single, Full, Routing::Xy),
            (Single, Checkerboard, Routing::Checkerboard),
            (Single, Checkerboard, Routing::CheckerboardTwoPhase),
            (Dedicated, Checkerboard, Routing::Checkerboard),
            (Combined, Checkerboard, Routing::Checkerboard),
            (Combined, Full, Routing::Xy),
            (Dci, Checkerboard, Routing::Xy),
            (Dci, Checkerboard, Routing::Yx),
            (Dcie, Checkerboard, Routing::Xy),
            (Dcie, Checkerboard, Routing::ClassBased),
            (Dci, Checkerboard, Routing::O1Turn),
        ] {
            let name = format!("{organisation:?} {routers:?} {routing:?}");
            let fabric = fabric(organisation, routers, routing).unwrap_or_else(|e| panic!("{name}: {e}"));
            fabric.prove().unwrap_or_else(|e| panic!("{name}: {e}"));
            let flows = fabric.params().nodes.flows();
            for flow in flows {
                let carries = |part: &Subnetwork| part.flows.contains(&flow);
                assert!(fabric.subnetworks().iter().any(carries), "{name}: {flow:?} has no subnetwork");
            }
        }
    }

    #[test]
    fn networks_that_cannot_serve_their_flows_are_errors() {
        let error = |o, r, p| fabric(o, r, p).expect_err("impossible").to_string();
        let xy = error(Organisation::Single, RouterKinds::Checkerboard, Routing::Xy);
        assert!(xy.contains("which has no connection from"), "{xy}");
        let dci = error(Organisation::Dci, RouterKinds::Full, Routing::Xy);
        assert!(dci.contains("checkerboard"), "{dci}");
    }
}
