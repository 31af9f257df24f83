//! Network interfaces on a mesh: whole packets in, whole packets out, from cores to memory nodes and back.

use crate::{campaign::part_or_all, matrix::options};
use std::collections::{HashMap, VecDeque};
use warpmesh::{
    hdl::{Bits, Builder, Bundle, Module, params},
    host::{LatencyMonitor, monitor::PacketKey},
    netlist::elaborate,
    noc::{
        Fabric, FabricParams, FlitFormat, InterfaceParams, MessageClass, NetworkParams, NocError, NodeKind, Nodes,
        Organisation, PortChoice, RouterKinds, Routing, network_interface, packet::SentPacket,
    },
    sim::Simulator,
    verilog::lockstep::Rng,
};

/// Bits of the longest payload of requests and of replies.
const PAYLOADS: [u32; 2] = [576, 512];

const RX: [&str; 4] = ["valid", "src", "sideband", "payload"];

/// A network with an interface at each node, whose packet ports are `node<n>_tx_*` and `node<n>_rx_*`.
fn packet_network(fabric: &Fabric, places: usize) -> Module {
    let m = Builder::new("packet_network", params! { places });
    for terminal in fabric.build(&m).expect("a legal network") {
        let (n, kind) = (terminal.node.number, terminal.node.kind);
        let sends = if kind == NodeKind::Core { MessageClass::Request } else { MessageClass::Reply };
        let interface =
            InterfaceParams { tx_queue_packets: places, rx_queue_packets: places, ..fabric.interface(kind, sends) };
        let tile = m.tile(format!("interface{n}"), &network_interface(&interface).expect("legal"));
        terminal.attach(&m, &interface, tile);
        SentPacket::inputs(&m, format!("node{n}_tx"), &interface.sent()).drive(tile, "tx", &interface.sent());
        m.output_of(format!("node{n}_tx_credit"), tile.get("tx_credit"));
        for field in RX {
            m.output_of(format!("node{n}_rx_{field}"), tile.get(format!("rx_{field}")));
        }
        tile.drive("rx_credit", m.input(format!("node{n}_rx_credit"), 1));
    }
    m.finish()
}

#[derive(Clone, Debug)]
struct InterfacePacket {
    dest: u32,
    flits: u32,
    write: bool,
    tag: u64,
    payload: Bits,
}

#[derive(Clone, Debug)]
struct Received {
    at: u32,
    source: u32,
    write: bool,
    tag: u64,
    payload: Bits,
}

struct Endpoint {
    queue: VecDeque<InterfacePacket>,
    places: usize,
    owed: usize,
}

struct InterfaceBench {
    sim: Simulator,
    ends: Vec<Endpoint>,
    cycle: u64,
    /// Probability that an endpoint holds back a credit for another cycle.
    hold: f64,
    random: Rng,
    monitor: LatencyMonitor,
    kinds: Vec<NodeKind>,
    /// Of a flit.
    width: u32,
}

impl InterfaceBench {
    fn new(fabric: &Fabric, places: usize) -> Self {
        let nodes = &fabric.params().nodes;
        let design = elaborate(&packet_network(fabric, places)).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulator::new(&design, &options()).expect("can be simulated");
        sim.reset(2);
        let end = |_| Endpoint { queue: VecDeque::new(), places, owed: 0 };
        Self {
            sim,
            ends: (0..nodes.len()).map(end).collect(),
            cycle: 0,
            hold: 0.0,
            random: Rng::new(3),
            monitor: LatencyMonitor::default(),
            kinds: nodes.iter().map(|n| n.kind).collect(),
            width: fabric.network().format.width,
        }
    }

    fn sends(&self, node: u32) -> MessageClass {
        if self.kinds[node as usize] == NodeKind::Core { MessageClass::Request } else { MessageClass::Reply }
    }

    fn step(&mut self) -> Vec<Received> {
        for n in 0..self.ends.len() {
            let (class, end) = (self.sends(n as u32), &mut self.ends[n]);
            let packet = if end.places > 0 { end.queue.pop_front() } else { None };
            self.sim.poke(&format!("node{n}_tx_valid"), packet.is_some().into());
            if let Some(InterfacePacket { dest, flits, write, tag, payload }) = packet {
                end.places -= 1;
                let key = PacketKey { class, source: n as u32, destination: dest, write, tag };
                self.monitor.sent(self.cycle, key);
                self.sim.poke(&format!("node{n}_tx_dest"), dest.into());
                self.sim.poke(&format!("node{n}_tx_flits"), flits.into());
                self.sim.poke(&format!("node{n}_tx_sideband"), tag << 1 | u64::from(write));
                self.sim.poke_bits(&format!("node{n}_tx_payload"), &payload);
            }
            let give = end.owed > 0 && !(self.hold > 0.0 && self.random.chance(self.hold));
            end.owed -= usize::from(give);
            self.sim.poke(&format!("node{n}_rx_credit"), give.into());
        }
        let mut out = vec![];
        for n in 0..self.ends.len() {
            self.ends[n].places += self.sim.peek(&format!("node{n}_tx_credit")) as usize;
            if self.sim.peek(&format!("node{n}_rx_valid")) == 0 {
                continue;
            }
            let [_, source, sideband, payload] = RX.map(|f| self.sim.peek_bits(&format!("node{n}_rx_{f}")));
            self.ends[n].owed += 1;
            let (at, source, sideband) = (n as u32, source.to_u64() as u32, sideband.to_u64());
            let (write, tag) = (sideband & 1 == 1, sideband >> 1);
            let key = PacketKey { class: self.sends(source), source, destination: at, write, tag };
            self.monitor.received(self.cycle, key).expect("it was sent");
            out.push(Received { at, source, write, tag, payload });
        }
        self.sim.step().unwrap_or_else(|e| panic!("{e}"));
        self.cycle += 1;
        out
    }
}

fn same(sent: &InterfacePacket, got: &Received, width: u32) {
    assert_eq!((sent.dest, sent.write, sent.tag), (got.at, got.write, got.tag));
    let bits = (sent.flits * width).min(sent.payload.width());
    assert_eq!(sent.payload.slice(0, bits), got.payload.slice(0, bits), "{sent:?} and {got:?}");
}

/// A packet of `class` of any length.
fn any_length(
    random: &mut Rng,
    class: MessageClass,
    width: u32,
    dest: u32,
    (write, tag): (bool, u64),
) -> InterfacePacket {
    let bits = PAYLOADS[class as usize];
    let flits = 1 + random.below(bits.div_ceil(width).into()) as u32;
    InterfacePacket { dest, flits, write, tag, payload: random.bits(bits) }
}

/// One network of full routers.
fn plain(mesh: Nodes, p: NetworkParams) -> Fabric {
    let flows = mesh.flows();
    Fabric::new(FabricParams::new(mesh, p), &flows).expect("full routers turn everywhere")
}

/// A 3 x 3 mesh with two memory nodes.
fn three_by_three(vcs: u32, depth: usize, width: u32) -> FabricParams {
    let mesh = Nodes::new(3, 3, &[1, 7]).expect("legal");
    FabricParams::new(mesh, NetworkParams::new(FlitFormat::new(vcs, width, 9, 8), depth, 2))
}

/// Cores send `each` requests to random memory nodes, which answer each; endpoints are slow at random.
fn requests_and_replies(p: FabricParams, places: usize, each: u64, hold: f64) {
    let nodes = p.nodes.clone();
    let fabric = Fabric::new(p, &nodes.flows()).unwrap_or_else(|e| panic!("{e}"));
    let mut bench = InterfaceBench::new(&fabric, places);
    bench.hold = hold;
    let mut open: HashMap<(u32, u64), InterfacePacket> = HashMap::new();
    for core in nodes.cores() {
        for tag in 0..each {
            let r = &mut bench.random;
            let dest = nodes.memories()[r.below(2) as usize];
            let write = r.below(3) == 0;
            let packet = any_length(r, MessageClass::Request, fabric.network().format.width, dest, (write, tag));
            open.insert((core, tag), packet.clone());
            bench.ends[core as usize].queue.push_back(packet);
        }
    }
    let mut replies: HashMap<(u32, u64), InterfacePacket> = HashMap::new();
    let (total, mut answered, mut quiet) = (open.len(), 0, 0);
    while answered < total {
        let all = bench.step();
        quiet = if all.is_empty() { quiet + 1 } else { 0 };
        assert!(quiet < 2_000, "deadlock in cycle {}", bench.cycle);
        for got in all {
            if nodes.memories().contains(&got.at) {
                let sent = open.remove(&(got.source, got.tag)).expect("requested once");
                same(&sent, &got, bench.width);
                let r = &mut bench.random;
                let reply = any_length(r, MessageClass::Reply, bench.width, got.source, (got.write, got.tag));
                replies.insert((got.source, got.tag), reply.clone());
                bench.ends[got.at as usize].queue.push_back(reply);
            } else {
                let sent = replies.remove(&(got.at, got.tag)).expect("answered once");
                same(&sent, &got, bench.width);
                answered += 1;
            }
        }
    }
    assert_eq!(bench.monitor.in_flight(), 0);
    assert_eq!(bench.monitor.latency(MessageClass::Reply).packets, total as u64);
}

#[test]
fn requests_and_replies_arrive_whole() {
    requests_and_replies(three_by_three(4, 8, 128), 2, 60, 0.0);
}

#[test]
fn packets_arrive_whole_in_every_organisation() {
    use {
        Organisation::*,
        RouterKinds::*,
        Routing::{CheckerboardTwoPhase, ClassBased, O1Turn, Romm},
    };
    for (organisation, routers, routing, port_choice) in [
        (Single, Checkerboard, Routing::Checkerboard, PortChoice::Smart),
        (Dedicated, Checkerboard, CheckerboardTwoPhase, PortChoice::RoundRobin),
        (Combined, Full, Romm, PortChoice::Random),
        (Dci, Checkerboard, O1Turn, PortChoice::MostSpace),
        (Dcie, Checkerboard, ClassBased, PortChoice::Smart),
    ]
    .into_iter()
    .step_by(part_or_all(2, 1))
    {
        let p = three_by_three(4, 4, 64);
        let network = p.network.with_routing(routing);
        let p = FabricParams { network, organisation, routers, injects: 2, ejects: 2, port_choice, ..p };
        requests_and_replies(p, 4, 30, 0.2);
    }
}

#[test]
fn narrow_channels_odd_depths_and_slow_endpoints() {
    requests_and_replies(three_by_three(2, 1, 64), 1, 20, 0.7);
    requests_and_replies(three_by_three(6, 3, 72), 3, 20, 0.4);
    requests_and_replies(three_by_three(4, 4, 640), 4, 40, 0.1);
    requests_and_replies(three_by_three(2, 5, 16), 2, 8, 0.0);
}

/// A packet without contention: 1 cycle in its place, the output register, 5 a router, the channel register and buffer
/// of the receiving interface, and a cycle for each further flit.
#[test]
fn latency_without_traffic() {
    let nodes = Nodes::new(4, 1, &[3]).expect("legal");
    let p = NetworkParams::new(FlitFormat::new(4, 128, 4, 8), 8, 2);
    let mut bench = InterfaceBench::new(&plain(nodes, p), 2);
    for (write, flits) in [(false, 1), (true, 5)] {
        let packet =
            InterfacePacket { dest: 3, flits: flits as u32, write, tag: 5, payload: bench.random.bits(PAYLOADS[0]) };
        bench.ends[0].queue.push_back(packet.clone());
        let before = bench.monitor.latency(MessageClass::Request).cycles;
        let got = loop {
            if let Some(got) = bench.step().pop() {
                break got;
            }
            assert!(bench.cycle < 1_000, "it arrives");
        };
        same(&packet, &got, bench.width);
        let latency = bench.monitor.latency(MessageClass::Request).cycles - before;
        assert_eq!(latency, 2 + 5 * 4 + 3 + flits - 1);
    }
}

#[test]
fn impossible_parameters_are_errors() {
    let format = FlitFormat::new(4, 128, 16, 8);
    let good = InterfaceParams::new(NetworkParams::new(format, 8, 2), 4, 4, MessageClass::Request);
    let message = |p: InterfaceParams| network_interface(&p).expect_err("out of range").to_string();
    let network = |format, depth| InterfaceParams { network: NetworkParams::new(format, depth, 2), ..good };
    assert_eq!(
        message(network(FlitFormat { vcs: 3, ..format }, 8)),
        "vcs = 3: the virtual channels are divided equally among 2 classes; allowed: a multiple of 2, 2 to 32"
    );
    assert_eq!(
        message(network(FlitFormat { width: 100, ..format }, 8)),
        "width = 100 bits: allowed: a multiple of 8, 8 to 1024"
    );
    assert_eq!(message(network(format, 0)), "depth = 0 flits a virtual channel: allowed: 1 to 256");
    assert_eq!(message(InterfaceParams { injects: 5, ..good }), "injects = 5: allowed: 1 to 4");
    let dedicated = InterfaceParams { organisation: Organisation::Dedicated, ..good };
    assert_eq!(
        message(dedicated),
        "classes = 2 at a network interface: message classes times route classes of its network are 1"
    );
    assert!(matches!(
        network_interface(&InterfaceParams { rx_queue_packets: 0, ..good }),
        Err(NocError::Places { name: "rx_queue_packets", places: 0, .. })
    ));
}
