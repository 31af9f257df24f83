//! Random networks with random traffic, each by its number, and what is to hold of measurements; shared by
//! `tests/noc/networks/random_measurements.rs` and `campaigns/random_networks.rs`.
//!
//! What is drawn: packet lengths of 1 to 64 flits, virtual channels of 1 to 8 flits, pipelines, extra latency,
//! allocators, every topology, routing, organisation and traffic pattern, of up to 20 nodes; sometimes replies have
//! virtual channels or overlays of their own, cores several ports, memory nodes a ring, links and routers are faulty,
//! and routers are joined in any way. Sources are sometimes on and off, or send by a matrix of rates, and every network
//! is sent a trace of packets that wait for each other.

pub use crate::random_traffic;

use random_traffic::{by_matrix, check_trace, in_bursts, trace_for, traffic};
use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};
use warpmesh::{
    blocks::ArbiterKind,
    hdl::random::Rng,
    noc::{
        AllocatorKind, AllocatorParams, FabricParams, Faults, FlitFormat, Flow, Graph, MessageClass, NetworkParams,
        Nodes, Organisation, OverlayParams, PortChoice, RingParams, Routing, Topology, TopologyKind, TopologyParams,
        VcReallocation,
        fabric::{ReplyChannel, RouterKinds},
        ring::{RingOrder, Tie},
        topology::Roles,
    },
    open_loop::{Bench, OpenLoopParams, Phases, Traffic},
    report::LoadVerdict,
    sim::Options,
};

/// A network and what loads it.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Its number.
    pub seed: u64,
    /// The network.
    pub network: FabricParams,
    /// The traffic.
    pub traffic: Traffic,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FabricParams {
            nodes,
            topology,
            network,
            organisation,
            routers,
            replies,
            core_ports,
            ring,
            overlay,
            faults,
            flit_writes,
            ..
        } = &self.network;
        let NetworkParams { depth, routing, pipeline, extra_latency, .. } = network;
        write!(
            f,
            "seed {}: {} x {} {:?} of {} nodes a router, {routing:?}, {organisation:?}, {routers:?}, {} VCs of {depth} flits, \
             {pipeline} stages, {extra_latency} extra, replies {replies:?}, ports of cores {core_ports:?}, {ring:?}, {overlay:?}, {faults:?}{}; {}{} {}",
            self.seed,
            nodes.columns(),
            nodes.rows(),
            topology.kind,
            topology.concentration,
            network.format.vcs,
            if *flit_writes { ", replies flit by flit" } else { "" },
            self.traffic.pattern.name(),
            if self.traffic.matrix.is_some() { " by a matrix" } else { "" },
            self.traffic.describe()
        )
    }
}

/// The network of a number. What is drawn and cannot be built or loaded so is drawn again.
pub fn draw(seed: u64) -> Drawn {
    // What was added later has numbers of its own: the rest of a seed's network stays what it was.
    let (mut random, mut channels, mut rings) = (Rng::new(seed), Rng::new(!seed), Rng::new(seed ^ 0x7269_6e67));
    let mut overlays = Rng::new(seed ^ 0x6f76_6572);
    let works = |network: &FabricParams, traffic: &Traffic| {
        OpenLoopParams::new(network, traffic).is_ok_and(|params| params.fabric.prove().is_ok())
    };
    loop {
        let (network, traffic) = (apart(&mut channels, network(&mut random)), traffic(&mut random));
        if works(&network, &traffic) {
            let ringed = ringed(&mut rings, network.clone());
            let network = if works(&ringed, &traffic) { ringed } else { network };
            let overlaid = overlaid(&mut overlays, network.clone());
            let network = if works(&overlaid, &traffic) { overlaid } else { network };
            let irregular = irregular(&mut Rng::new(seed ^ 0x6772_6170), network.clone());
            let network = if works(&irregular, &traffic) { irregular } else { network };
            let narrow = narrow(&mut Rng::new(seed ^ 0x6e61_7272), network.clone());
            let network = if works(&narrow, &traffic) { narrow } else { network };
            let faulty = faulty(&mut Rng::new(seed ^ 0x6661_756c), network.clone());
            let network = if works(&faulty, &traffic) { faulty } else { network };
            let traffic = offered(&mut Rng::new(seed ^ 0x6f66_6665), &network, traffic, works);
            return Drawn { seed, network, traffic };
        }
    }
}

/// Sometimes traffic is that of a matrix, where the network carries it, and sources are sometimes on and off.
fn offered(
    random: &mut Rng,
    network: &FabricParams,
    traffic: Traffic,
    works: impl Fn(&FabricParams, &Traffic) -> bool,
) -> Traffic {
    let rates = by_matrix(random, &traffic, &network.nodes);
    let traffic = if random.chance(0.3) && works(network, &rates) { rates } else { traffic };
    let bursts = in_bursts(random, &traffic);
    if random.chance(0.3) { bursts } else { traffic }
}

fn one_of<T: Copy>(random: &mut Rng, all: &[T]) -> T {
    all[random.below(all.len() as u64) as usize]
}

fn between(random: &mut Rng, least: u32, most: u32) -> u32 {
    least + random.below(u64::from(most - least + 1)) as u32
}

/// Kind, nodes a router, columns, rows.
const SHAPES: [(TopologyKind, u32, u32, u32); 22] = {
    use TopologyKind::*;
    [
        (Mesh, 1, 4, 4),
        (Mesh, 1, 3, 2),
        (Mesh, 1, 5, 3),
        (Mesh, 1, 2, 2),
        (Mesh, 1, 4, 2),
        (Mesh, 4, 4, 4),
        (Mesh, 2, 4, 3),
        (ExpressMesh, 1, 5, 4),
        (ExpressMesh, 2, 8, 2),
        (Torus, 1, 4, 3),
        (Torus, 1, 3, 5),
        (Torus, 2, 6, 3),
        (FoldedTorus, 1, 4, 4),
        (Ring, 1, 4, 3),
        (Ring, 1, 3, 3),
        (Ring, 2, 4, 3),
        (FlattenedButterfly, 1, 4, 4),
        (FlattenedButterfly, 4, 6, 2),
        (Butterfly, 1, 4, 3),
        (Crossbar, 1, 3, 3),
        (Crossbar, 2, 4, 3),
        (Crossbar, 3, 4, 3),
    ]
};

/// Routings of a plain mesh.
const OF_MESH: [Routing; 9] = {
    use Routing::*;
    [Xy, Yx, ClassBased, O1Turn, Romm, Checkerboard, CheckerboardTwoPhase, Adaptive, OddEven]
};

/// A routing of another topology.
fn other_than_mesh(random: &mut Rng, kind: TopologyKind) -> Routing {
    match kind {
        TopologyKind::FlattenedButterfly => one_of(random, &[Routing::Xy, Routing::Ugal]),
        TopologyKind::Torus | TopologyKind::FoldedTorus => one_of(random, &[Routing::Xy, Routing::Adaptive]),
        _ => Routing::Xy,
    }
}

fn network(random: &mut Rng) -> FabricParams {
    // Half of them are plain meshes, where most things work.
    let plain = random.chance(0.5);
    let shape = if plain { one_of(random, &SHAPES[..5]) } else { one_of(random, &SHAPES) };
    let (kind, concentration, columns, rows) = shape;
    let nodes = columns * rows;
    let mut memories: Vec<_> = (0..between(random, 1, 4)).map(|_| between(random, 0, nodes - 1)).collect();
    memories.sort_unstable();
    memories.dedup();
    let nodes = Nodes::new(columns, rows, &memories).expect("nodes of the mesh, each once");
    let topology = TopologyParams { kind, concentration };
    let routing = if plain { one_of(random, &OF_MESH) } else { other_than_mesh(random, kind) };
    let routing = topology.routing(routing).unwrap_or(Routing::Xy);
    let organisation = one_of(random, &Organisation::ALL);
    let half = matches!(routing, Routing::Checkerboard | Routing::CheckerboardTwoPhase) || organisation.inverts();
    let routers = if half { RouterKinds::Checkerboard } else { RouterKinds::Full };
    let classes = 2 * routing.vc_sets();
    let vcs = classes * between(random, 1, 3);
    let allocator = |random: &mut Rng| AllocatorParams {
        kind: one_of(random, &AllocatorKind::ALL),
        arbiter: one_of(random, &ArbiterKind::ALL),
        iterations: between(random, 1, 2),
    };
    let pipeline = between(random, 1, 4);
    let extra_latency = if random.chance(0.7) { 0 } else { between(random, 1, 16) };
    let depth = between(random, 1, 8) as usize;
    let vc_reuse_delay = if pipeline >= 3 { between(random, 0, 1) } else { 1 };
    let vc_reallocation = match vc_reuse_delay {
        0 => VcReallocation::BehindTail,
        _ => one_of(random, &[VcReallocation::BehindTail, VcReallocation::WithTail]),
    };
    let router = NetworkParams {
        pipeline,
        extra_latency,
        vc_reuse_delay,
        vc_reallocation,
        input_speedup: between(random, 1, 2),
        vc_allocator: allocator(random),
        switch_allocator: allocator(random),
        ..NetworkParams::new(FlitFormat::new(vcs, 64, nodes.len(), 8), depth, 1).with_routing(routing)
    };
    FabricParams {
        topology,
        organisation,
        routers,
        tiles_per_cycle: between(random, 1, 3),
        injects: between(random, 1, 2),
        ejects: between(random, 1, 2),
        port_choice: one_of(random, &PortChoice::ALL),
        ..FabricParams::new(nodes, router)
    }
}

/// Sometimes the link from a memory controller into its interface is narrow.
fn narrow(random: &mut Rng, network: FabricParams) -> FabricParams {
    FabricParams { flit_writes: random.chance(0.4), ..network }
}

/// Sometimes requests and replies are not alike, and cores have several ports.
fn apart(random: &mut Rng, network: FabricParams) -> FabricParams {
    let sets = network.network.routing.vc_sets();
    let (vcs, depth) = (sets * between(random, 1, 3), between(random, 1, 8) as usize);
    let core_ports = [one_of(random, &[1, 1, 2]), one_of(random, &[1, 1, 2])];
    let replies = random.chance(0.4).then_some(ReplyChannel { vcs, depth, width: network.network.format.width });
    FabricParams { replies, core_ports, ..network }
}

/// Sometimes a ring joins the memory nodes.
fn ringed(random: &mut Rng, network: FabricParams) -> FabricParams {
    let count = network.nodes.memories().len() as u32;
    let params = RingParams {
        flits: [between(random, 1, 4), between(random, 1, 4)],
        tie: one_of(random, &Tie::ALL),
        seed: random.below(100),
        direct_below: between(random, 0, 4),
        order: one_of(random, &[RingOrder::Shortest, RingOrder::Placement]),
        tx: between(random, 1, 3) as usize,
        rx: between(random, 1, 8) as usize,
        fair_wait: one_of(random, &[0, 0, 5, 60]),
        ..RingParams::new(count + between(random, 0, 6))
    };
    let ring = (count > 1 && random.chance(0.6)).then_some(params);
    FabricParams { ring, ..network }
}

/// Sometimes replies go by overlays, where the rest of the network lets them.
fn overlaid(random: &mut Rng, network: FabricParams) -> FabricParams {
    let params = OverlayParams {
        width: 8 * between(random, 1, 5),
        buffer: between(random, 1, 6) as usize,
        split: random.chance(0.5),
        header_flits: between(random, 0, 3),
        clock: one_of(random, &[None, None, Some([2, 1]), Some([5, 2]), Some([3, 7])]),
    };
    if random.chance(0.3) {
        return network;
    }
    FabricParams { overlay: Some(params), organisation: Organisation::Dedicated, ring: None, ..network }
}

/// Sometimes routers are joined by a random graph.
fn irregular(random: &mut Rng, network: FabricParams) -> FabricParams {
    if random.chance(0.75) {
        return network;
    }
    let graph = random_graph(random, network.nodes.len());
    let topology = TopologyParams { kind: TopologyKind::Graph, concentration: 1 };
    let network = FabricParams { topology, graph, ..network };
    if random.chance(0.5) { adaptive_up_down(random, network) } else { with_routing(network, Routing::UpDown) }
}

fn with_routing(network: FabricParams, routing: Routing) -> FabricParams {
    FabricParams { network: network.network.with_routing(routing), ..network }
}

/// With up*/down* escapes, which take two sets of VCs a class.
fn adaptive_up_down(random: &mut Rng, network: FabricParams) -> FabricParams {
    let vcs = 4 * between(random, 1, 2);
    let format = FlitFormat { vcs, ..network.network.format };
    let router = NetworkParams { format, ..network.network };
    with_routing(FabricParams { network: router, replies: None, ..network }, Routing::AdaptiveUpDown)
}

/// A tree of routers for so many nodes, and some links more, of which some lead in one direction only; links of up to
/// three tiles.
pub fn random_graph(random: &mut Rng, nodes: u32) -> Graph {
    let routers = between(random, 2, nodes + 2);
    let more = between(random, 0, routers);
    let tree: Vec<_> = (1..routers).map(|router| (between(random, 0, router - 1), router)).collect();
    let extra: Vec<_> = (0..more)
        .map(|_| (between(random, 0, routers - 1), between(random, 0, routers - 1)))
        .filter(|(a, b)| a != b)
        .collect();
    let link = |(a, b): (u32, u32)| match between(random, 1, 3) {
        1 => vec![a, b],
        tiles => vec![a, b, tiles],
    };
    let links = tree.into_iter().chain(extra).map(link).collect();
    let nodes = (0..nodes).map(|_| between(random, 0, routers - 1)).collect();
    // Drawn last: the rest of a seed's graph stays what it was.
    let count = one_of(random, &[0, 0, 1, routers / 2, routers]);
    let one_way_links = (0..count).map(|_| (between(random, 0, routers - 1), between(random, 0, routers - 1)));
    let one_way_links: Vec<_> = one_way_links.filter(|(a, b)| a != b).collect();
    let one_way_links = one_way_links.into_iter().map(|(a, b)| vec![a, b, between(random, 1, 3)]).collect();
    Graph { nodes, links, one_way_links }
}

/// Sometimes links and a router are faulty, which most often needs another routing.
fn faulty(random: &mut Rng, network: FabricParams) -> FabricParams {
    let everywhere = |_| Roles { injects: true, ejects: true };
    let topology =
        Topology::of(network.topology, &network.graph, &network.nodes, everywhere).expect("it has been built");
    let direct = !matches!(network.topology.kind, TopologyKind::Butterfly | TopologyKind::Crossbar);
    if !direct || topology.links().is_empty() || random.chance(0.6) {
        return network;
    }
    let node_of = |site: usize| topology.sites()[site].slots.first().map(|slot| slot.node.expect("no node is empty"));
    let mut links: Vec<_> = (0..between(random, 0, 2))
        .map(|_| one_of(random, topology.links()))
        .filter_map(|link| Some([node_of(link.from.min(link.to))?, node_of(link.from.max(link.to))?]))
        .collect();
    links.sort_unstable();
    links.dedup();
    let routers = if random.chance(0.4) { vec![between(random, 0, network.nodes.len() - 1)] } else { vec![] };
    let faults = Faults { routers, links, ..Faults::default() };
    let (columns, rows) = (network.nodes.columns(), network.nodes.rows());
    let lost = faults.lost(network.topology, &network.graph, (columns, rows)).expect("in range");
    let memories: Vec<_> = network.nodes.memories().iter().copied().filter(|node| !lost.contains(node)).collect();
    let nodes = Nodes::with_empty(columns, rows, &memories, &lost).expect("they were legal");
    let network = FabricParams { nodes, faults, ..network };
    match random.below(10) {
        0..5 => with_routing(network, Routing::UpDown),
        5..8 => adaptive_up_down(random, network),
        _ => network,
    }
}

/// The same without what takes long to compile: at most 4 virtual channels and 12 nodes.
pub fn draw_small(seed: u64) -> Drawn {
    let vcs = |network: &FabricParams| network.network.format.vcs + network.replies.map_or(0, |replies| replies.vcs);
    let small = |drawn: &Drawn| vcs(&drawn.network) <= 4 && drawn.network.nodes.len() <= 12;
    (0..).map(|again| draw(seed + 1_000_000 * again)).find(small).expect("some are small")
}

/// A measurement that takes longer than this is stuck. The longest take five minutes alone; a busy machine makes them
/// several times as long.
const MOST_TIME: Duration = Duration::from_secs(3600);

/// On periods of sources in a measurement whose verdict is to hold.
const LEAST_BURSTS: f64 = 100.0;

/// Loads, relative to the highest that can be offered, at which `measure` cycles are measured, and ten times as many,
/// and a trace. What is wrong, if anything: a packet is lost, mixed with another or overtakes another where order is
/// promised; zero-load latency is not that of every packet alone, or the longer measurement contradicts the verdict; a
/// packet of the trace does not arrive once, or starts before it may.
pub fn check(drawn: &Drawn, measure: u64, options: &Options) -> Result<u64, String> {
    let start = Instant::now();
    let Drawn { network, traffic, seed } = drawn;
    let failed = |what: String| format!("{drawn}: {what}");
    let mut bench = Bench::new(network, traffic, options).map_err(|error| failed(error.to_string()))?;
    zero_load(drawn, &mut bench).map_err(failed)?;
    let mut random = Rng::new(seed ^ 0x1f2e_3d4c);
    let mut checked = 0;
    for _ in 0..2 {
        // As many below a tenth of it as above.
        let load = bench.most_load().min(1.0) * 10_f64.powf(-2.0 * random.unit());
        let mut verdict = |measure| {
            let phases = Phases { warmup: 2_000.min(2 * measure), measure, drain: 20_000 };
            bench.run(load, phases, *seed, 16, |_| {}).map(|point| point.verdict).map_err(|e| failed(e.to_string()))
        };
        let (short, long) = (verdict(measure)?, verdict(10 * measure)?);
        use LoadVerdict::{Converged, Saturated};
        // Within a few bursts a load is not what it is in the mean.
        let periods = traffic.burst.map_or(f64::INFINITY, |burst| measure as f64 * burst.duty / burst.length);
        if periods >= LEAST_BURSTS && matches!((short, long), (Converged, Saturated) | (Saturated, Converged)) {
            return Err(failed(format!("load {load}: {short:?} after {measure} cycles, then {long:?}")));
        }
        if long == LoadVerdict::Deadlocked || short == LoadVerdict::Deadlocked {
            return Err(failed(format!("load {load}: a deadlock in a network that is proven free of it")));
        }
        checked += 1;
    }
    if let Some(trace) = trace_for(&mut random, network, traffic) {
        check_trace(network, &trace, options).map_err(failed)?;
    }
    if start.elapsed() > MOST_TIME {
        return Err(failed(format!("{:.0} s", start.elapsed().as_secs_f64())));
    }
    Ok(checked)
}

/// Zero-load latency beside that of every packet, each alone in the network.
pub fn zero_load(drawn: &Drawn, bench: &mut Bench) -> Result<(), String> {
    let Drawn { network, traffic, .. } = drawn;
    let targets = traffic.targets(&network.nodes).map_err(|e| e.to_string())?;
    let key = |flow: Flow, flits: u32| (flow.source, flow.dest, flow.class == MessageClass::Reply, flits);
    let mut packets = BTreeMap::new();
    traffic.expectation(&targets, |flow, flits| {
        packets.insert(key(flow, flits), flow);
        0.0
    });
    let alone =
        packets.into_iter().map(|(key, flow)| Ok((key, bench.alone(flow, key.3).map_err(|e| e.to_string())? as f64)));
    let alone = alone.collect::<Result<BTreeMap<_, _>, String>>()?;
    let mean = traffic.expectation(&targets, |flow, flits| alone[&key(flow, flits)]);
    let said = bench.zero_load_latency();
    // All these packets start at the same phase of the tokens of a ring.
    let slots = |per_cycle: [u32; 2]| traffic.most_flits().div_ceil(per_cycle[0].min(per_cycle[1]));
    let phase = bench.fabric().ring().map_or(0, |ring| ring.token_wait(slots(ring.params().flits)).1);
    if (said - mean).abs() > 0.01 * mean + f64::from(phase) / 2.0 {
        return Err(format!("zero-load latency {said:.2}, measured {mean:.2}"));
    }
    Ok(())
}
