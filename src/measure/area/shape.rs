//! What the area formulas need of a network, as plain numbers; the only file of this folder that looks into the
//! network's types.
//!
//! ```text
//!   Fabric, Connectivity --> NetworkShape { routers: [RouterShape], links, bits, VCs, depth }
//! ```
//!
//! [`Layout::Tile`] lays every router of a mesh out with all four links, since the tiles of a mesh are copies of one;
//! at its border ports are tied off. This is what the thesis counts: its 37.54 mm^2 are 36 times a router of five
//! ports. [`Layout::AsBuilt`] counts the ports that the simulated hardware has, and so does every layout of a topology
//! other than the mesh.

use rtl::noc::{
    Connectivity, Direction, Fabric, Input, InputPort, NetworkParams, Output, Ports, RouterParams, TopologyKind,
    endpoints::{SideNetworks, SideOutput},
    fabric::Subnetwork,
};
use std::collections::BTreeMap;

/// Which ports of a router at the border of a mesh count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Layout {
    /// All routers have four links: tiles are copies of one.
    #[default]
    Tile,
    /// Only ports with a neighbour.
    AsBuilt,
}

impl Layout {
    /// Both, the default first.
    pub const ALL: [Layout; 2] = [Layout::Tile, Layout::AsBuilt];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Tile => "tile",
            Layout::AsBuilt => "as-built",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Layout::Tile => "All routers have four links: tiles are copies of one",
            Layout::AsBuilt => "Only ports with a neighbour",
        }
    }
}

impl Layout {
    /// A router of `fabric` as it is laid out.
    pub fn of(self, fabric: &Fabric, built: &RouterShape) -> RouterShape {
        match self {
            Layout::Tile if fabric.params().topology.kind == TopologyKind::Mesh && !built.tree => {
                RouterShape::new(&with_all_links(built), built.terminals)
            }
            _ => *built,
        }
    }
}

/// A router.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RouterShape {
    /// There are turns between links that it cannot make.
    pub half: bool,
    /// Inputs from neighbours.
    pub links_in: u32,
    /// Outputs to neighbours.
    pub links_out: u32,
    /// Injection ports.
    pub injects: u32,
    /// Ejection ports.
    pub ejects: u32,
    /// Terminals that these ports belong to.
    pub terminals: u32,
    /// Ones of the connectivity matrix.
    pub ones: u32,
    /// Ones that lead from an injection to an ejection port.
    pub inject_to_eject: u32,
    /// Switch inputs of an input from a neighbour.
    pub link_speedup: u32,
    /// Switch inputs of an injection port; the most, where they differ.
    pub injection_speedup: u32,
    /// Ones of switch inputs beyond the first of each input port.
    pub more_ones: u32,
    /// A router of an overlay: one input, no virtual channels, no allocators.
    pub tree: bool,
}

impl RouterShape {
    /// Of a connectivity matrix, whose terminal ports belong to `terminals` terminals.
    pub fn new(matrix: &Connectivity, terminals: u32) -> Self {
        let links_in = matrix.inputs().iter().filter(|i| matches!(i, Input::From(_))).count() as u32;
        let links_out = matrix.outputs().iter().filter(|o| matches!(o, Output::To(_))).count() as u32;
        let ones = || matrix.points().filter(|(_, _, one)| *one);
        let through = |&(input, output, _): &(Input, Output, bool)| {
            matches!(input, Input::Inject(_)) && matches!(output, Output::Eject(_))
        };
        let speedup = |injects: bool| {
            let ports =
                (matrix.inputs().iter().enumerate()).filter(|(_, input)| matches!(input, Input::Inject(_)) == injects);
            ports.map(|(i, _)| matrix.switch_inputs(i)).max().unwrap_or(1)
        };
        Self {
            half: matrix.is_half(),
            links_in,
            links_out,
            injects: matrix.inputs().len() as u32 - links_in,
            ejects: matrix.outputs().len() as u32 - links_out,
            terminals,
            ones: ones().count() as u32,
            inject_to_eject: ones().filter(through).count() as u32,
            link_speedup: speedup(false),
            injection_speedup: speedup(true),
            more_ones: (0..matrix.inputs().len())
                .map(|i| (matrix.switch_inputs(i) - 1) * matrix.outputs_of(i).len() as u32)
                .sum(),
            tree: false,
        }
    }

    /// Of a router of an overlay with so many outputs; all ports count as links.
    pub fn of_tree(outputs: u32) -> Self {
        Self {
            half: false,
            links_in: 1,
            links_out: outputs,
            injects: 0,
            ejects: 0,
            terminals: 0,
            ones: outputs,
            inject_to_eject: 0,
            link_speedup: 1,
            injection_speedup: 1,
            more_ones: 0,
            tree: true,
        }
    }

    /// Input ports.
    pub fn inputs(&self) -> u32 {
        self.links_in + self.injects
    }

    /// Output ports.
    pub fn outputs(&self) -> u32 {
        self.links_out + self.ejects
    }

    /// Neighbours that it is linked with.
    pub fn links(&self) -> u32 {
        self.links_in.max(self.links_out)
    }

    /// `full`, `half`, `multi-port full`, `multi-port half`, and what else is unlike an inner router of a mesh.
    pub fn kind(&self) -> String {
        if self.tree {
            return match self.outputs() {
                1 => "overlay, 1 output".into(),
                outputs => format!("overlay, {outputs} outputs"),
            };
        }
        let several = if self.injects > 1 || self.ejects > 1 { "multi-port " } else { "" };
        let turns = if self.half { "half" } else { "full" };
        let links = if self.links() == 4 { String::new() } else { format!(", {} links", self.links()) };
        let nobody = if self.terminals == 0 { ", no terminal" } else { "" };
        let speedup = match self.links_in > 0 && self.injection_speedup > self.link_speedup {
            true => format!(", injection speedup {}", self.injection_speedup),
            false => String::new(),
        };
        format!("{several}{turns}{links}{nobody}{speedup}")
    }
}

/// Channels of one length.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkShape {
    /// How many, each direction counted.
    pub count: u32,
    /// Length in tiles.
    pub tiles: f64,
}

/// A network.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkShape {
    /// Its routers, of all subnetworks.
    pub routers: Vec<RouterShape>,
    /// Channels between routers, and those to terminals more than a tile away.
    pub links: Vec<LinkShape>,
    /// Other channels between routers and terminals.
    pub local_links: u32,
    /// Payload of a channel, bits.
    pub channel_bits: u32,
    /// VCs of a port.
    pub vcs: u32,
    /// Flits of a VC.
    pub depth: u32,
}

impl NetworkShape {
    /// Of a network as it is built: one for all subnetworks, or one for each where their channels are not alike, and one for all overlays.
    pub fn each(fabric: &Fabric, layout: Layout) -> Vec<Self> {
        let parts = fabric.subnetworks();
        let of_parts = match parts.iter().all(|part| part.network == parts[0].network) {
            true => vec![Self::of(fabric, layout, parts)],
            false => parts.iter().map(|part| Self::of(fabric, layout, std::slice::from_ref(part))).collect(),
        };
        let side = fabric.endpoints().side_networks();
        of_parts.into_iter().chain(side.as_ref().map(Self::of_side_networks)).collect()
    }

    /// Of side networks: routers, links between them, and channels from sources and to endpoints.
    pub fn of_side_networks(side: &SideNetworks) -> Self {
        let links = side.outputs.iter().filter(|output| output.to.is_some()).count() as u32;
        let from_sources: u32 = side.sources.iter().map(|source| source.links).sum();
        let local_links = side.outputs.len() as u32 - links + from_sources;
        let routers = placed_beside(side, 0).into_iter().map(|router| router.shape).collect();
        let links = vec![LinkShape { count: links, tiles: 1.0 }];
        Self { routers, links, local_links, ..Self::channels(&side.network) }
    }

    /// Channels alone. Of virtual channels that are not equally deep the depth is the mean, rounded up.
    pub fn channels(network: &NetworkParams) -> Self {
        let vcs = network.format.vcs;
        let depth = (network.flits_of_port() as u32).div_ceil(vcs);
        Self { routers: vec![], links: vec![], local_links: 0, channel_bits: network.format.width, vcs, depth }
    }

    fn of(fabric: &Fabric, layout: Layout, parts: &[Subnetwork]) -> Self {
        let (mut routers, mut local_links) = (vec![], 0);
        // By length in tiles.
        let mut links: BTreeMap<u32, u32> = BTreeMap::new();
        for part in parts {
            for (matrix, site) in part.routers.iter().zip(part.topology.sites()).filter(|(matrix, _)| is_there(matrix))
            {
                let terminals = site.slots.iter().filter(|slot| slot.node.is_some()).count() as u32;
                let shape = RouterShape::new(matrix, terminals);
                routers.push(layout.of(fabric, &shape));
            }
            part.topology.links().iter().for_each(|link| *links.entry(link.tiles).or_default() += 1);
            for node in fabric.params().nodes.iter().map(|node| node.number) {
                let sides = [part.topology.sends_at(node), part.topology.receives_at(node)];
                for (side, site) in sides.into_iter().enumerate().filter_map(|(side, site)| Some((side, site?))) {
                    let ports = part.topology.ports(site, node, side, |node| fabric.ports(node)).1;
                    match part.topology.tiles(node, site) {
                        1 => local_links += ports,
                        tiles => *links.entry(tiles).or_default() += ports,
                    }
                }
            }
        }
        let link = |(tiles, count): (u32, u32)| LinkShape { count, tiles: f64::from(tiles) };
        Self { local_links, routers, links: links.into_iter().map(link).collect(), ..Self::channels(&parts[0].network) }
    }
}

/// A router without ports is disabled or faulty.
fn is_there(router: &Connectivity) -> bool {
    !router.outputs().is_empty()
}

/// Where a channel leads, and how far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChannelShape {
    /// To a terminal, not to another router.
    pub terminal: bool,
    /// Length in tiles; `None`: that of a channel to a terminal in the same tile.
    pub tiles: Option<u32>,
}

/// A router in its place.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedRouter {
    /// Subnetwork.
    pub subnetwork: usize,
    /// Name of its tile within the subnetwork: `router<node>` in a mesh.
    pub name: String,
    /// As built.
    pub shape: RouterShape,
    /// Channel behind each output, by the name of the output port.
    pub channels: BTreeMap<String, ChannelShape>,
}

/// Every router of a network, one subnetwork after the other, those of overlays behind them.
pub fn placed_routers(fabric: &Fabric) -> Vec<PlacedRouter> {
    let mut placed = vec![];
    for (subnetwork, part) in fabric.subnetworks().iter().enumerate() {
        let sites = part.routers.iter().zip(part.topology.sites()).enumerate();
        for (number, (matrix, site)) in sites.filter(|(_, (matrix, _))| is_there(matrix)) {
            let nodes: Vec<u32> = site.slots.iter().filter_map(|slot| slot.node).collect();
            let receiver = |port: u32| {
                nodes.iter().copied().find(|&node| {
                    let (first, ports) = part.topology.ports(number, node, 1, |node| fabric.ports(node));
                    (first..first + ports).contains(&port)
                })
            };
            let channel = |output: &Output| match *output {
                Output::To(out) => {
                    let tiles = part.topology.link_from(number, out).map_or(1, |link| link.tiles);
                    ChannelShape { terminal: false, tiles: Some(tiles) }
                }
                Output::Eject(port) => {
                    let tiles = receiver(port).map_or(1, |node| part.topology.tiles(node, number));
                    ChannelShape { terminal: true, tiles: (tiles > 1).then_some(tiles) }
                }
            };
            placed.push(PlacedRouter {
                subnetwork,
                name: site.name.tile(),
                shape: RouterShape::new(matrix, nodes.len() as u32),
                channels: matrix.outputs().iter().map(|output| (output.to_string(), channel(output))).collect(),
            });
        }
    }
    let side = fabric.endpoints().side_networks();
    placed.extend(side.iter().flat_map(|side| placed_beside(side, fabric.subnetworks().len())));
    placed
}

/// The routers of side networks, each of which counts as a subnetwork, from number `first` on.
fn placed_beside(side: &SideNetworks, first: usize) -> Vec<PlacedRouter> {
    let mut placed: Vec<PlacedRouter> = vec![];
    for SideOutput { network, router, number, output, to, .. } in &side.outputs {
        if *number == 0 {
            let (shape, channels) = (RouterShape::of_tree(0), BTreeMap::new());
            placed.push(PlacedRouter { subnetwork: first + network, name: router.clone(), shape, channels });
        }
        let router = placed.last_mut().expect("a router begins with its first output");
        let terminal = to.is_none();
        router.channels.insert(output.to_string(), ChannelShape { terminal, tiles: (!terminal).then_some(1) });
        router.shape = RouterShape::of_tree(*number as u32 + 1);
    }
    placed
}

/// Of each kind of router (full or half, terminal ports) the one with most links: what is synthesised.
pub fn largest_routers(fabric: &Fabric) -> Vec<(RouterShape, RouterParams)> {
    let mut largest: BTreeMap<(bool, u32, u32, u32), (RouterShape, RouterParams)> = BTreeMap::new();
    for part in fabric.subnetworks() {
        for (site, matrix) in part.routers.iter().enumerate().filter(|(_, matrix)| is_there(matrix)) {
            let slots = &part.topology.sites()[site].slots;
            let shape = RouterShape::new(matrix, slots.iter().filter(|slot| slot.node.is_some()).count() as u32);
            let kind = (shape.half, shape.injects, shape.ejects, shape.injection_speedup);
            if largest.get(&kind).is_none_or(|(known, _)| known.links() < shape.links()) {
                largest.insert(kind, (shape, fabric.router_params(part, site)));
            }
        }
    }
    largest.into_values().collect()
}

/// A router of this kind in the middle of a mesh.
fn with_all_links(shape: &RouterShape) -> Connectivity {
    let ports = Ports { links: Direction::ALL.to_vec(), injects: shape.injects, ejects: shape.ejects };
    let matrix = if shape.half { Connectivity::half(&ports) } else { Connectivity::full(&ports) };
    matrix.with_ports(|input| {
        InputPort::with_switch_inputs(match input {
            Input::From(_) => shape.link_speedup,
            Input::Inject(_) => shape.injection_speedup,
        })
    })
}
