//! Fabric: a whole network on chip as data (nodes, subnetworks, the router of each node, who talks to whom), its checks, and its
//! construction.
//!
//! ```text
//!   FabricParams, flows --> Fabric::new: matrices of every router of every subnetwork, checked against every path
//!                              |--> interface(node, ...): parameters of the network interface there
//!                              |--> subnetworks(): what the deadlock proof walks
//!                              `--> build(): router tiles and wires; attach(): an interface with all its routers
//! ```
//!
//! Every router of a core has one injection and one ejection port, of a memory node as many as the parameters say, in each subnetwork;
//! where an organisation uses only one side of them, the other is tied off.
//!
//! Source: A. Bakhoda's thesis (2014), chapter 5.

use super::{
    Connectivity, Flow, Grid, Input, InterfaceParams, Mesh, MessageClass, NetworkParams, NocError, Node, NodeKind,
    Organisation, Output, PortChoice, Ports, RouterTile,
    channel::connect,
    deadlock::{self, DeadlockError, Proof, prove},
    interface::EJECT_FIELDS,
    mesh::named_mesh,
    paths::{Share, check_network},
};
use crate::hdl::{Bits, Builder, Child, index_width};
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug)]
pub struct FabricParams {
    /// Nodes, links, and where the memory controllers are.
    pub mesh: Mesh,
    /// What all routers have in common; `classes` is computed.
    pub network: NetworkParams,
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
    /// Which injection port a packet takes.
    pub port_choice: PortChoice,
}

impl FabricParams {
    /// One network of full routers with one port of each kind at every node, for requests and replies.
    pub fn new(mesh: Mesh, network: NetworkParams) -> Self {
        Self {
            mesh,
            network,
            messages: 2,
            organisation: Organisation::default(),
            routers: RouterKinds::default(),
            injects: 1,
            ejects: 1,
            port_choice: PortChoice::default(),
        }
    }
}

/// A network of its own within the fabric.
#[derive(Clone, Debug)]
pub struct Subnetwork {
    /// The routers, by node.
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
}

/// The routers of a node, one a subnetwork.
#[derive(Clone)]
pub struct Terminal<'m> {
    /// Where.
    pub node: Node,
    /// By subnetwork.
    pub routers: Vec<RouterTile<'m>>,
}

impl Fabric {
    /// The network for `flows`. Errors: a pair that must talk and has no path, a connection that a router lacks, VCs that do not divide.
    pub fn new(params: FabricParams, flows: &[Flow]) -> Result<Self, NocError> {
        let mut params = params;
        let messages = params.organisation.messages().min(params.messages);
        params.network.classes = messages * params.network.routing.vc_sets();
        params.network = params.network.with_routing(params.network.routing);
        params.network.check()?;
        if params.organisation.inverts() && params.routers != RouterKinds::Checkerboard {
            return Err(NocError::NotInverted);
        }
        for (name, ports) in [("injection_ports", params.injects), ("ejection_ports", params.ejects)] {
            if !(1..=4).contains(&ports) {
                return Err(NocError::Places { name, places: ports as usize, most: 4 });
            }
        }
        let odd_is_half = odd_is_half(&params.mesh);
        let mut fabric = Self { params, odd_is_half, subnetworks: vec![] };
        for subnetwork in 0..fabric.params.organisation.subnetworks() {
            let share = Share { organisation: fabric.params.organisation, subnetwork, odd_is_half };
            let part = fabric.subnetwork(share, flows)?;
            check_network(&fabric.grid(&part), part.flows.iter().copied())?;
            fabric.subnetworks.push(part);
        }
        Ok(fabric)
    }

    /// The routers of a subnetwork, and the flows that take a part in it.
    fn subnetwork(&self, share: Share, flows: &[Flow]) -> Result<Subnetwork, NocError> {
        let mesh = &self.params.mesh;
        let routers = mesh.nodes().map(|node| self.router(node, share.subnetwork)).collect();
        let mut part = Subnetwork { routers, flows: vec![], share };
        for &flow in flows {
            if !self.grid(&part).choices(flow)?.is_empty() {
                part.flows.push(flow);
            }
        }
        Ok(part)
    }

    fn router(&self, node: Node, subnetwork: usize) -> Connectivity {
        let (injects, ejects) = match node.kind {
            NodeKind::Core => (1, 1),
            NodeKind::Memory => (self.params.injects, self.params.ejects),
            NodeKind::Empty => (0, 0),
        };
        let ports = Ports { links: self.params.mesh.links(node.number), injects, ejects };
        let inverted = self.params.organisation.inverts() && subnetwork == 1;
        let half = ((node.x + node.y) % 2 == 1) == self.odd_is_half;
        match self.params.routers {
            RouterKinds::Checkerboard if half != inverted => Connectivity::half(&ports),
            _ => Connectivity::full(&ports),
        }
    }

    /// What it was made from, the classes computed.
    pub fn params(&self) -> &FabricParams {
        &self.params
    }

    /// What all routers have in common.
    pub fn network(&self) -> &NetworkParams {
        &self.params.network
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
        let (columns, rows) = (self.params.mesh.columns(), self.params.mesh.rows());
        Grid { columns, rows, routers: &part.routers, routing: self.params.network.routing, share: part.share }
    }

    /// Proves that packets cannot wait for each other in a circle.
    pub fn prove(&self) -> Result<Proof, DeadlockError> {
        let separate = self.params.network.classes > self.params.network.routing.vc_sets();
        let parts = self.subnetworks.iter();
        let parts: Vec<_> =
            parts.map(|part| deadlock::Subnetwork::new(self.grid(part), part.flows.clone(), separate)).collect();
        prove(&parts)
    }

    /// The network interface of a node of `kind` that sends `sends`; places are the caller's to set.
    pub fn interface(&self, kind: NodeKind, sends: MessageClass) -> InterfaceParams {
        let p = &self.params;
        let ports = |at_memory: u32| if kind == NodeKind::Memory { at_memory } else { 1 };
        InterfaceParams {
            messages: p.network.classes / p.network.routing.vc_sets(),
            organisation: p.organisation,
            odd_is_half: self.odd_is_half,
            injects: ports(p.injects),
            ejects: ports(p.ejects),
            port_choice: p.port_choice,
            ..InterfaceParams::new(p.network, p.mesh.columns(), p.mesh.rows(), sends)
        }
    }

    /// Places the routers in `m` and joins them; the terminals are left to the caller. A router is called `router<node>`, in one of two
    /// subnetworks `net<subnetwork>_router<node>`.
    pub fn build<'m>(&self, m: &'m Builder) -> Result<Vec<Terminal<'m>>, NocError> {
        let p = &self.params;
        let mut terminals: Vec<_> = p.mesh.nodes().map(|node| Terminal { node, routers: vec![] }).collect();
        for (s, part) in self.subnetworks.iter().enumerate() {
            let prefix = if self.subnetworks.len() == 1 { String::new() } else { format!("net{s}_") };
            let routers = named_mesh(m, &p.mesh, &p.network, &part.routers, &prefix)?;
            terminals.iter_mut().zip(routers).for_each(|(terminal, router)| terminal.routers.push(router));
        }
        Ok(terminals)
    }
}

impl<'m> Terminal<'m> {
    /// Connects an interface tile with the routers of its node, lane by lane, and ties its place.
    pub fn attach(&self, m: &'m Builder, p: &InterfaceParams, interface: Child<'m>) {
        self.attach_injection(m, p, interface);
        for (q, (subnetwork, port)) in p.ejection_lanes().into_iter().enumerate() {
            let router = self.routers[subnetwork].tile;
            for field in EJECT_FIELDS {
                interface.drive(&format!("in_eject{q}_{field}"), router.get(&format!("out_eject{port}_{field}")));
            }
            router.drive(&format!("out_eject{port}_credit"), interface.get(&format!("in_eject{q}_credit")));
        }
        for (s, router) in self.routers.iter().enumerate() {
            let ports = router.connectivity.outputs().iter().filter(|o| matches!(o, Output::Eject(_))).count() as u32;
            for port in (0..ports).filter(|port| !p.ejection_lanes().contains(&(s, *port))) {
                router.tile.drive(&format!("out_eject{port}_credit"), m.lit(p.network.format.vcs, 0));
            }
        }
    }

    /// The sending side of [`attach`](Self::attach) alone.
    pub fn attach_injection(&self, m: &'m Builder, p: &InterfaceParams, interface: Child<'m>) {
        let format = p.network.format;
        interface.drive("here", m.lit(format.node_bits, self.node.number.into()));
        if p.reads_place() {
            interface.drive("here_x", m.lit(index_width(p.columns as usize), self.node.x.into()));
            interface.drive("here_y", m.lit(index_width(p.rows as usize), self.node.y.into()));
        }
        for (q, (subnetwork, port)) in p.injection_lanes().into_iter().enumerate() {
            let router = self.routers[subnetwork].tile;
            connect(interface, &format!("inject{q}"), router, &format!("inject{port}"), format);
        }
        for (s, router) in self.routers.iter().enumerate() {
            let ports = router.connectivity.inputs().iter().filter(|i| matches!(i, Input::Inject(_))).count() as u32;
            for port in (0..ports).filter(|port| !p.injection_lanes().contains(&(s, *port))) {
                for (field, width) in format.fields().into_iter().chain([("payload", format.width)]) {
                    router.tile.drive(&format!("in_inject{port}_{field}"), Bits::zero(width).signal(m));
                }
            }
        }
    }
}

/// Half-routers go where the memory nodes are: at odd sums of coordinates unless more of them are at even ones.
fn odd_is_half(mesh: &Mesh) -> bool {
    let odd = mesh.memories().iter().filter(|&&node| (mesh.node(node).x + mesh.node(node).y) % 2 == 1).count();
    2 * odd >= mesh.memories().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noc::{FlitFormat, Routing};

    fn fabric(organisation: Organisation, routers: RouterKinds, routing: Routing) -> Result<Fabric, NocError> {
        // A checkerboard placement: every memory node at an odd sum.
        let mesh = Mesh::new(6, 6, &[5, 8, 13, 17, 18, 22, 27, 32])?;
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
            let flows = fabric.params().mesh.flows();
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
