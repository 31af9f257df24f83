//! Flit-level sources and sinks around a simulated network, shared by the tests of `src/rtl/noc`.
//!
//! A source has an unbounded queue and sends one flit a cycle: it decides in the cycle in which the packet may be new,
//! and the flit is on the channel in the next. A head takes the next VC in turn, of those its packet may use, that is
//! not full. A sink takes every flit (received in the cycle after it was on the channel) and gives the credit back at
//! once, or after a random time.

use crate::matrix::{is_another_row, options};
use hdl::{Bits, Builder, Bundle, Child, Module};
use netlist::elaborate;
use noc::{
    Connectivity, FlitFormat, Flow, NetworkParams, Node, Nodes, Ports, Routing, TopologyParams,
    channel::Flit,
    mesh,
    mesh::{full_router, mesh_links},
    paths::all_pairs,
};
use sim::{Engine, InputHandle, Options, OutputHandle, Simulator};
use std::collections::VecDeque;
use verilog::lockstep::{Agreement, Feed, ModelOptions, Recorder, Rng, VerilatedModel};

/// What is under test, by default in slices: tests of networks run some thousand cycles each of many designs, most of
/// their time goes into compiling, and slices of a mesh are compiled faster than words.
fn quickly_compiled() -> Options {
    let engine = if is_another_row() { options().engine } else { Engine::Sliced };
    Options { engine, ..options() }
}

/// A simulation, alone or in lockstep with the exported Verilog in Verilator.
pub struct NetworkRig {
    pub sim: Simulator,
    lockstep: Option<(Recorder, Feed)>,
}

impl NetworkRig {
    /// Of `top`, after two cycles of reset.
    pub fn new(top: &Module, lockstep: bool) -> Self {
        let design = elaborate(top).unwrap_or_else(|e| panic!("{e}"));
        let sim = Simulator::new(&design, &quickly_compiled()).expect("the design can be simulated");
        let model = lockstep.then(|| {
            let model = VerilatedModel::build(&design, &ModelOptions { optimise: "-O0", ..ModelOptions::default() })
                .unwrap_or_else(|e| panic!("{e}"));
            (Recorder::new(&design, &sim).expect("ports"), model.start().unwrap_or_else(|e| panic!("{e}")))
        });
        let mut rig = Self { sim, lockstep: model };
        for _ in 0..2 {
            rig.sample(true);
            rig.sim.reset(1);
        }
        rig
    }

    fn sample(&mut self, reset: bool) {
        if let Some((recorder, feed)) = &mut self.lockstep {
            recorder.sample(&mut self.sim, reset, feed).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    pub fn step(&mut self) {
        self.sample(false);
        self.sim.step().unwrap_or_else(|e| panic!("{e}"));
    }

    /// Ends a lockstep run: every output was equal in every cycle, and moved, but for those named.
    pub fn agreed(self, cycles: u64, still: &[&str]) {
        let agreement = self.agreement();
        assert!(agreement.cycles >= cycles, "{agreement:?}");
        assert_eq!(agreement.still, still);
    }

    /// Ends a lockstep run: every output was equal in every cycle.
    pub fn agreement(self) -> Agreement {
        let (recorder, feed) = self.lockstep.expect("a lockstep run");
        feed.finish().unwrap_or_else(|e| panic!("{e}"));
        recorder.agreement()
    }
}

/// A packet to be sent, or as it was received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packet {
    pub dest: u64,
    /// Routing class.
    pub route_class: u64,
    /// End of the first phase, for routings of two.
    pub waypoint: u64,
    pub info: u64,
    /// VCs that it may use.
    pub vcs: std::ops::Range<u32>,
    pub flits: Vec<Bits>,
}

/// A packet that has come out.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub sink: usize,
    pub dest: u64,
    pub info: u64,
    pub flits: Vec<Bits>,
    /// Cycle in which the tail was received.
    pub tail: u64,
}

struct PacketSource {
    fields: [Option<InputHandle>; 11],
    /// Of its packets, where flits carry it.
    priority: u64,
    credit: OutputHandle,
    credits: Vec<usize>,
    queue: VecDeque<Packet>,
    /// Flits of the packet at the front that are sent, and its VC.
    sent: usize,
    vc: u32,
    on_channel: Option<[Bits; 10]>,
}

struct PacketSink {
    fields: [OutputHandle; 8],
    credit: InputHandle,
    /// Flits taken by VC whose credits are still owed.
    owed: Vec<usize>,
    open: Vec<Option<Delivery>>,
}

/// A network with its sources and sinks.
pub struct Harness {
    pub rig: NetworkRig,
    pub cycle: u64,
    /// Cycles since a flit last entered or left the network.
    pub still: u64,
    /// Probability that a sink holds a credit back for another cycle.
    pub hold: f64,
    pub random: Rng,
    format: FlitFormat,
    sources: Vec<PacketSource>,
    sinks: Vec<PacketSink>,
}

const FIELDS: [&str; 8] = ["valid", "head", "tail", "vc", "dest", "route_class", "info", "payload"];
/// With what only some formats have; the payload is the last.
const SENT: [&str; 11] =
    ["valid", "head", "tail", "vc", "dest", "route_class", "waypoint", "priority", "length", "info", "payload"];

impl Harness {
    /// Around `top`, whose channels are called `in_<input>_*` and `out_<output>_*`.
    pub fn new(
        top: &Module,
        format: FlitFormat,
        depth: usize,
        inputs: &[String],
        outputs: &[String],
        lockstep: bool,
    ) -> Self {
        let rig = NetworkRig::new(top, lockstep);
        let sim = &rig.sim;
        let vcs = format.vcs as usize;
        let sources = (inputs.iter())
            .map(|name| PacketSource {
                fields: SENT.map(|f| sim.input(&format!("in_{name}_{f}")).ok()),
                credit: sim.output(&format!("in_{name}_credit")).expect("port"),
                credits: vec![depth; vcs],
                queue: VecDeque::new(),
                sent: 0,
                vc: 0,
                on_channel: None,
                priority: 0,
            })
            .collect();
        let sinks = (outputs.iter())
            .map(|name| PacketSink {
                fields: FIELDS.map(|f| sim.output(&format!("out_{name}_{f}")).expect("port")),
                credit: sim.input(&format!("out_{name}_credit")).expect("port"),
                owed: vec![0; vcs],
                open: vec![None; vcs],
            })
            .collect();
        Self { rig, cycle: 0, still: 0, hold: 0.0, random: Rng::new(1), format, sources, sinks }
    }

    /// A new packet in this cycle.
    pub fn send(&mut self, source: usize, packet: Packet) {
        self.sources[source].queue.push_back(packet);
    }

    /// Packets of a source have this priority from now on.
    pub fn prioritise(&mut self, source: usize, priority: u64) {
        self.sources[source].priority = priority;
    }

    /// Packets that have not left their sources.
    pub fn queued(&self) -> usize {
        self.sources.iter().map(|s| s.queue.len()).sum()
    }

    /// One cycle; the result is what came out whole in it.
    pub fn step(&mut self) -> Vec<Delivery> {
        let (sim, width) = (&mut self.rig.sim, self.format.width);
        self.still += 1;
        for source in &mut self.sources {
            let values = source.on_channel.take();
            if values.is_some() {
                self.still = 0;
            }
            let valid = source.fields[0].expect("every channel has a valid bit");
            sim.poke_at(valid, values.is_some().into());
            for (port, bits) in source.fields[1..].iter().zip(values.iter().flatten()) {
                // An interface does not read all fields of its ejection channel.
                port.iter().for_each(|port| sim.poke_bits_at(*port, bits));
            }
            source.decide();
        }
        for sink in &mut self.sinks {
            let mut credit = 0;
            for (v, owed) in sink.owed.iter_mut().enumerate() {
                if *owed > 0 && !(self.hold > 0.0 && self.random.chance(self.hold)) {
                    *owed -= 1;
                    credit |= 1 << v;
                }
            }
            sim.poke_at(sink.credit, credit);
        }
        for source in &mut self.sources {
            let credit = sim.peek_at(source.credit);
            (0..).zip(&mut source.credits).for_each(|(v, count)| *count += (credit >> v & 1) as usize);
        }
        let mut out = vec![];
        for (number, sink) in self.sinks.iter_mut().enumerate() {
            if sim.peek_at(sink.fields[0]) == 0 {
                continue;
            }
            let [_, head, tail, vc, dest, _, info] = std::array::from_fn::<_, 7, _>(|i| sim.peek_at(sink.fields[i]));
            let payload = sim.peek_bits_at(sink.fields[7]);
            assert_eq!(payload.width(), width);
            sink.owed[vc as usize] += 1;
            self.still = 0;
            let open = &mut sink.open[vc as usize];
            assert_eq!(open.is_none(), head == 1, "a head starts a packet, and nothing else does");
            let packet = open.get_or_insert_with(|| Delivery { sink: number, dest, info, flits: vec![], tail: 0 });
            packet.flits.push(payload);
            if tail == 1 {
                let packet = open.take().expect("inserted above");
                out.push(Delivery { tail: self.cycle + 1, ..packet });
            }
        }
        self.rig.step();
        self.cycle += 1;
        out
    }
}

impl PacketSource {
    /// Chooses the flit that is on the channel in the next cycle.
    fn decide(&mut self) {
        let Some(packet) = self.queue.front() else { return };
        if self.sent == 0 {
            let VcRange { start, count } = VcRange::of(&packet.vcs);
            let after = |i: u32| start + (self.vc.wrapping_sub(start).wrapping_add(i)) % count;
            match (1..=count).map(after).find(|&v| self.credits[v as usize] > 0) {
                Some(vc) => self.vc = vc,
                None => return,
            }
        } else if self.credits[self.vc as usize] == 0 {
            return;
        }
        let (first, last) = (self.sent == 0, self.sent + 1 == packet.flits.len());
        let word = |value: u64| Bits::new(64, value);
        self.on_channel = Some([
            word(first.into()),
            word(last.into()),
            word(self.vc.into()),
            word(packet.dest),
            word(packet.route_class),
            word(packet.waypoint),
            word(self.priority),
            word(packet.flits.len() as u64),
            word(packet.info),
            packet.flits[self.sent].clone(),
        ]);
        self.credits[self.vc as usize] -= 1;
        self.sent += 1;
        if last {
            self.sent = 0;
            self.queue.pop_front();
        }
    }
}

struct VcRange {
    start: u32,
    count: u32,
}

impl VcRange {
    fn of(range: &std::ops::Range<u32>) -> Self {
        Self { start: range.start, count: range.end - range.start }
    }
}

/// A mesh of full routers alone, with the terminal channels of node `n` as `in_node<n>_*` and `out_node<n>_*`.
pub fn bare_mesh(nodes: &Nodes, params: &NetworkParams) -> Module {
    let all = all_pairs(nodes.len()).collect();
    shaped_mesh(nodes, params, |node| full_router(nodes, node), all)
}

/// A router for a checkerboard: half-routers where the sum of the coordinates is odd.
pub fn checkerboard_router(nodes: &Nodes, node: Node) -> Connectivity {
    let ports = Ports { links: mesh_links(nodes, node), ..Ports::interior() };
    if (node.x + node.y) % 2 == 1 { Connectivity::half(&ports) } else { Connectivity::full(&ports) }
}

/// As [`bare_mesh`], of routers with these matrices, for these flows.
pub fn shaped_mesh(
    nodes: &Nodes,
    params: &NetworkParams,
    shape: impl Fn(Node) -> Connectivity,
    flows: Vec<Flow>,
) -> Module {
    let p = params;
    let m = Builder::new(
        "bare_mesh",
        hdl::params! {
            columns: nodes.columns(), rows: nodes.rows(), vcs: p.format.vcs, depth: p.depth, width: p.format.width,
            classes: p.classes, network: p
        },
    );
    let routers = mesh(&m, nodes, params, shape, flows).expect("a legal network");
    for (node, router) in routers.iter().enumerate() {
        expose(&m, router.tile, ("node", node), &p.format);
    }
    m.finish()
}

fn expose<'m>(m: &'m Builder, tile: Child<'m>, name: (&str, usize), format: &FlitFormat) {
    Flit::inputs(m, ("in", name), format).drive(tile, "in_inject0", format);
    Flit::of(tile, "out_eject0", format).outputs(m, ("out", name), format);
    m.output_of(("in", name, "credit"), tile.get("in_inject0_credit"));
    tile.drive("out_eject0_credit", m.input(("out", name, "credit"), format.vcs));
}

/// The names of a [`bare_mesh`]'s channels.
pub fn node_names(nodes: u32) -> Vec<String> {
    (0..nodes).map(|n| format!("node{n}")).collect()
}

/// The routings that a plain mesh has.
pub fn of_mesh() -> impl Iterator<Item = Routing> {
    Routing::ALL.into_iter().filter(|routing| TopologyParams::default().routing(*routing).is_some())
}
