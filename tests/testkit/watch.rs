//! A network under open-loop traffic, watched from inside: the way that every head takes, and what is left when all is
//! over.
//!
//! ```text
//!  sources -> injectors -> inject channel --> router channels ... --> eject channel -> sinks
//!                              |                    |                     |
//!                        a journey begins      a passage more        it has ended      <- compared with `noc::paths`
//! ```
//!
//! Sources and sinks are those of `noc::open_loop`; the sinks check flits (whole packets, in order, not mixed, at the
//! right node, each once).

use crate::matrix::options;
use std::{collections::HashMap, fmt};
use warpmesh::{
    hdl::{Builder, Module},
    netlist::elaborate,
    noc::{
        Direction, FabricParams, Flow, MessageClass, Output,
        paths::{self, Passage, Relation},
        routing::PathChoice,
    },
    open_loop::{
        Destination, OpenLoopParams, Traffic, flight::Flight, open_loop, pins::Pins, sink::Sinks, source::Sources,
    },
    sim::{OutputHandle, Simulator},
    verilog::{
        ToolError,
        lockstep::{Agreement, Feed, LockstepError, ModelOptions, Recorder, VerilatedModel},
    },
};

/// The network within the top.
const NETWORK: &str = "network";

/// A network, its traffic, and what has been seen of it.
pub struct Watched {
    p: OpenLoopParams,
    traffic: Traffic,
    targets: Vec<Destination>,
    sim: Simulator,
    /// The exported Verilog in Verilator, beside it.
    lockstep: Option<(Recorder, Feed)>,
    pins: Pins,
    channels: Vec<WatchChannel>,
    journeys: HashMap<(usize, u64), Journey>,
    walks: HashMap<(usize, Flow, PathChoice), (Vec<Passage>, u32)>,
    /// Packets whose heads came into the network, and that came out whole.
    pub entered: u64,
    pub arrived: u64,
    /// Passages of heads through routers, and those of them that turned.
    pub passages: u64,
    pub turns: u64,
}

/// A channel that leaves an injector or a router.
struct WatchChannel {
    subnetwork: usize,
    /// Node of the injector, or site of the router.
    at: usize,
    /// `None`: from the injector.
    output: Option<Output>,
    valid: OutputHandle,
    head: OutputHandle,
    vc: OutputHandle,
    dest: OutputHandle,
    route_class: OutputHandle,
    waypoint: Option<OutputHandle>,
    info: OutputHandle,
}

/// A head on its way.
struct Journey {
    flow: Flow,
    choice: PathChoice,
    /// The site that it comes to, from where, and with which routing class.
    at: usize,
    from: Option<Direction>,
    phase: u32,
    seen: Vec<Passage>,
}

impl Watched {
    pub fn new(network: &FabricParams, traffic: &Traffic) -> Self {
        Self::made(network, traffic, false).unwrap_or_else(|e| panic!("{e}"))
    }

    /// With its exported Verilog beside it: every output of every router and injector is compared in every cycle. An
    /// error is Verilator's.
    pub fn in_lockstep(network: &FabricParams, traffic: &Traffic) -> Result<Self, ToolError> {
        Self::made(network, traffic, true)
    }

    fn made(network: &FabricParams, traffic: &Traffic, lockstep: bool) -> Result<Self, ToolError> {
        let p = OpenLoopParams::new(network, traffic).unwrap_or_else(|e| panic!("{e}"));
        p.fabric.prove().unwrap_or_else(|e| panic!("{e}"));
        let targets = traffic.targets(&network.nodes).unwrap_or_else(|e| panic!("{e}"));
        // Channels as outputs: they are computed anyway, and looking at them costs nothing.
        let top = named_shortly(&open_loop(&p).unwrap_or_else(|e| panic!("{e}")).observed());
        let design = elaborate(&top).unwrap_or_else(|e| panic!("{e}"));
        let sim = Simulator::new(&design, &options()).unwrap_or_else(|e| panic!("{e}"));
        let pins = Pins::new(&sim, &p).unwrap_or_else(|e| panic!("{e}"));
        let channels = channels(&p, &sim);
        // Each router module is compiled once; injectors are small.
        let apart = vec!["router".to_string()];
        let model = ModelOptions { optimise: "-O0", apart, ..ModelOptions::default() };
        let beside = || {
            let feed = VerilatedModel::build(&design, &model)?.start()?;
            Ok::<_, ToolError>((Recorder::new(&design, &sim).expect("the pins exist"), feed))
        };
        let lockstep = lockstep.then(beside).transpose()?;
        let mut watched = Self {
            p,
            traffic: traffic.clone(),
            targets,
            sim,
            lockstep,
            pins,
            channels,
            journeys: HashMap::new(),
            walks: HashMap::new(),
            entered: 0,
            arrived: 0,
            passages: 0,
            turns: 0,
        };
        for _ in 0..2 {
            watched.sample(true);
            watched.sim.reset(1);
        }
        Ok(watched)
    }

    fn sample(&mut self, reset: bool) {
        if let Some((recorder, feed)) = &mut self.lockstep {
            recorder.sample(&mut self.sim, reset, feed).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    fn step(&mut self) {
        self.sample(false);
        self.sim.step().unwrap_or_else(|e| panic!("{e}"));
    }

    /// Ends a lockstep run: every output was equal in every cycle, or the first that was not.
    pub fn agreement(self) -> Result<Agreement, LockstepError> {
        let (recorder, feed) = self.lockstep.expect("a lockstep run");
        feed.finish()?;
        Ok(recorder.agreement())
    }

    /// Loads the network for so many cycles, then lets it run empty. Every head is watched, every flit checked.
    pub fn run(&mut self, load: f64, cycles: u64, seed: u64) {
        self.load(load, cycles, seed, true);
        assert!(self.journeys.is_empty(), "heads that went in and did not come out: {}", self.journeys.len());
        assert_eq!(self.entered, self.arrived, "each packet once");
    }

    /// What is not at rest in the middle of that.
    pub fn interrupted(&mut self, load: f64, cycles: u64, seed: u64) -> Result<usize, String> {
        self.load(load, cycles, seed, false);
        self.is_at_rest()
    }

    fn load(&mut self, load: f64, cycles: u64, seed: u64, drain: bool) {
        let terminals: Vec<_> =
            self.p.terminals().into_iter().map(|n| (n, self.p.injector(n).interface.tx_credits())).collect();
        let ejections = self.p.ejections().into_iter().map(|(node, _, _)| node).collect();
        let (traffic, targets, pins) = (self.traffic.clone(), self.targets.clone(), self.pins.clone());
        let mut sources = Sources::new(&traffic, &targets, &terminals, load, seed, 0..cycles);
        let mut sinks = Sinks::new(ejections, self.p.most_vcs(), &pins);
        let mut flight = Flight::new(pins.tags());
        let (mut now, mut still) = (0, 0);
        while now < cycles || drain && !flight.is_empty() {
            if now < cycles {
                sources.create(now, false, |_| {});
                sources.show(&mut self.sim, &pins, &mut flight);
            } else if now == cycles {
                sources.hide(&mut self.sim, &pins);
            }
            sinks.give(&mut self.sim, &pins);
            self.sim.settle();
            let mut moved = false;
            pins.places_free(&mut self.sim, |_, terminal| {
                moved = true;
                sources.place_free(terminal, now);
            });
            let entered = &mut self.entered;
            pins.injecting(&mut self.sim, |sim, port| {
                (moved, *entered) = (true, *entered + 1);
                let underway = flight.at(pins.injected(sim, port)).expect("somebody sends what is on the channel");
                assert_eq!(underway.injected.replace(now), None, "a head is on its injection channel once");
            });
            let arrived = &mut self.arrived;
            pins.ejecting(&mut self.sim, |sim, port| {
                moved = true;
                let flit = pins.ejected(sim, port);
                match sinks.take(&mut flight, &pins, port, flit) {
                    Ok(None) => {}
                    Ok(Some(whole)) => {
                        *arrived += 1;
                        sources.answer(&whole, now);
                    }
                    Err(problem) => panic!("cycle {now}: {problem}"),
                }
            });
            self.look(now);
            self.step();
            still = if moved { 0 } else { still + 1 };
            assert!(flight.is_empty() || still < 2_000, "cycle {now}: packets are stuck");
            now += 1;
        }
        // Until the last credits are back.
        let hop = u64::from(self.p.fabric.network().hop());
        for _ in 0..if drain { 4 * hop + 10 } else { 0 } {
            sinks.give(&mut self.sim, &pins);
            self.look(now);
            self.step();
        }
    }

    /// The heads on channels in this cycle.
    fn look(&mut self, now: u64) {
        for c in 0..self.channels.len() {
            let channel = &self.channels[c];
            let sim = &mut self.sim;
            if sim.peek_at(channel.valid) == 0 || sim.peek_at(channel.head) == 0 {
                continue;
            }
            let [vc, dest, route_class, info] =
                [channel.vc, channel.dest, channel.route_class, channel.info].map(|net| sim.peek_at(net));
            let waypoint = channel.waypoint.map(|net| sim.peek_at(net));
            let (subnetwork, at, output) = (channel.subnetwork, channel.at, channel.output);
            let network = self.p.fabric.network_in(subnetwork);
            let tag = info & ((1 << network.format.sideband_bits) - 1);
            let source = (info >> network.format.sideband_bits) as u32;
            let sets = network.routing.vc_sets();
            let of_vc = network.sets().class(vc as u32);
            let (message, phase) = (of_vc / sets, route_class as u32);
            if sets > 1 {
                assert_eq!(of_vc % sets, phase, "cycle {now}: VC {vc} is of another phase");
            }
            let class = match (message, network.classes / sets) {
                (0, 2) => MessageClass::Request,
                (1, 2) => MessageClass::Reply,
                // Dedicated subnetworks.
                _ => [MessageClass::Request, MessageClass::Reply][subnetwork],
            };
            let flow = Flow { class, source, dest: dest as u32 };
            match output {
                None => self.begin(now, (subnetwork, tag), at as u32, flow, phase, waypoint),
                Some(output) => self.pass(now, (subnetwork, tag), at, output, flow, phase),
            }
        }
    }

    fn begin(&mut self, now: u64, key: (usize, u64), node: u32, flow: Flow, phase: u32, waypoint: Option<u64>) {
        let part = &self.p.fabric.subnetworks()[key.0];
        let grid = self.p.fabric.grid(part);
        assert_eq!(flow.source, node, "cycle {now}: {flow:?}");
        assert!(part.flows.contains(&flow), "cycle {now}: {flow:?} has no part in subnetwork {}", key.0);
        let choices = grid.choices(flow).unwrap_or_else(|e| panic!("{e}"));
        let is_it = |choice: &&PathChoice| {
            let at = u64::from(choice.waypoint.1 * part.topology.addressing().columns + choice.waypoint.0);
            choice.routing_class == phase && (phase == 0 || waypoint.is_none_or(|waypoint| waypoint == at))
        };
        let Some(&choice) = choices.iter().find(is_it) else {
            panic!("cycle {now}: {flow:?} with phase {phase} and waypoint {waypoint:?}, of the choices {choices:?}");
        };
        self.walks.entry((key.0, flow, choice)).or_insert_with(|| {
            let shortest = grid
                .shortest(flow, paths::ChannelTiming::default(), |_| paths::ChannelTiming::default())
                .expect("a path");
            (grid.walk(flow, choice).expect("inside"), shortest.routers)
        });
        let at = part.topology.sends_at(node).expect("it sends");
        let journey = Journey { flow, choice, at, from: None, phase, seen: vec![] };
        assert!(self.journeys.insert(key, journey).is_none(), "cycle {now}: tag {} twice at once", key.1);
    }

    fn pass(&mut self, now: u64, key: (usize, u64), site: usize, output: Output, flow: Flow, class_out: u32) {
        let part = &self.p.fabric.subnetworks()[key.0];
        let grid = self.p.fabric.grid(part);
        let Some(journey) = self.journeys.get_mut(&key) else {
            panic!("cycle {now}: a head to {flow:?} leaves router {site} to {output}, and has not come in");
        };
        assert_eq!((journey.flow, journey.at), (flow, site), "cycle {now}: it is where it was going");
        let to = if let Output::To(direction) = output { Some(direction) } else { None };
        let (from, class_in) = (journey.from, journey.phase);
        let passage = Passage { site, from, class_in, to, class_out };
        let (walk, shortest) = &self.walks[&(key.0, flow, journey.choice)];
        assert!(walk.contains(&passage), "cycle {now}: {flow:?}, {:?}: {passage:?} of {walk:?}", journey.choice);
        let router = &part.routers[site];
        let there = |(input, output, allowed)| allowed && Relation::of(input, output) == Relation { from, to };
        assert!(router.points().any(there), "cycle {now}: {passage:?} is not in the matrix {router:?}");
        if let (Some(from), Some(to)) = (from, to) {
            self.turns += u64::from(from != to.opposite());
            assert!(from == to.opposite() || !router.is_half(), "cycle {now}: a half-router turns: {passage:?}");
        }
        self.passages += 1;
        journey.seen.push(passage);
        if let Some(direction) = to {
            let link = part.topology.link_from(site, direction).expect("a channel leads somewhere");
            (journey.at, journey.from, journey.phase) = (link.to, Some(link.into), class_out);
            return;
        }
        let journey = self.journeys.remove(&key).expect("just seen");
        assert_eq!(Some(site), part.topology.receives_at(flow.dest), "cycle {now}: {flow:?}");
        if grid.rule.is_minimal() {
            assert_eq!(journey.seen.len() as u32, *shortest, "{flow:?}: {:?}", journey.seen);
        }
        if !grid.rule.chooses() {
            assert_eq!(&journey.seen, walk, "cycle {now}: the path, in order");
        }
    }

    /// Nothing is left: every buffer is empty, no VC is in use or owned, and all credits are where they were after
    /// reset.
    pub fn is_at_rest(&mut self) -> Result<usize, String> {
        let mut expected = vec![];
        let counters = |s: usize, unit: &str| {
            let network = self.p.fabric.network_in(s);
            let counter = |v| (format!("{unit}.credits_vc{v}.free"), network.depths().of(v) as u64);
            (0..network.format.vcs).map(counter).collect::<Vec<_>>()
        };
        for (s, part) in self.p.fabric.subnetworks().iter().enumerate() {
            for (site, router) in part.routers.iter().enumerate() {
                let tile = router_tile(&self.p, s, site);
                for (i, input) in router.inputs().iter().enumerate() {
                    let banks = router.port(i).buffers();
                    let unit = format!("{tile}.input_unit_from_{input}");
                    expected.extend(["waiting_vcs", "active_vcs"].map(|name| (format!("{unit}.{name}"), 0)));
                    let bank = |b| if banks == 1 { String::new() } else { format!("_bank{b}") };
                    let buffer = |b| (format!("{unit}.flit_buffer{}.occupied_vcs", bank(b)), 0);
                    expected.extend((0..banks).map(buffer));
                }
                for output in router.outputs() {
                    let unit = format!("{tile}.output_unit_to_{output}");
                    expected.push((format!("{unit}.owned"), 0));
                    expected.extend(counters(s, &unit));
                }
            }
        }
        for node in self.p.terminals() {
            for (lane, (s, _)) in self.p.injector(node).interface.injection_lanes().into_iter().enumerate() {
                let lane = format!("injector{node}.injection_lane{lane}");
                match self.p.injector(node).interface.split {
                    None => {
                        expected.push((format!("{lane}.places_used"), 0));
                        if self.p.injector(node).interface.flit_writes {
                            expected.push((format!("{lane}.flits_waiting"), 0));
                        }
                    }
                    Some(_) => {
                        let injector = self.p.injector(node);
                        let places = injector.interface.queue_packets() * injector.flits as usize;
                        expected.push((format!("{lane}.free_of_queue0"), places as u64));
                    }
                }
                // Of the classes that it sends.
                let counters = counters(s, &lane).into_iter();
                let there: Vec<_> =
                    counters.filter(|(path, _)| self.sim.peek_path(&format!("{NETWORK}.{path}")).is_some()).collect();
                assert!(!there.is_empty(), "{lane}: no credit counters");
                expected.extend(there);
            }
        }
        let (count, mut wrong) = (expected.len(), vec![]);
        for (path, expected) in expected {
            let is = self.sim.peek_net(&format!("{NETWORK}.{path}")).unwrap_or_else(|e| panic!("{e}")).to_u64();
            if is != expected {
                wrong.push(format!("{path} = {is}, {expected} at rest"));
            }
        }
        if wrong.is_empty() { Ok(count) } else { Err(wrong.join("\n")) }
    }
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entered, arrived, passages, turns, .. } = self;
        write!(f, "{entered} packets entered, {arrived} arrived, {passages} passages, {turns} turns")
    }
}

/// Around `module`, with the same pins: Verilator finds no top whose name is longer than 127 letters.
fn named_shortly(module: &Module) -> Module {
    let m = Builder::new("watched", warpmesh::hdl::params! {});
    let network = m.instance(NETWORK, module);
    for input in module.inputs.iter().map(|id| module.net(*id)) {
        network.drive(&input.name, m.input(&input.name, input.width));
    }
    for output in module.outputs.iter().map(|id| module.net(*id)) {
        m.output_of(&output.name, network.get(&output.name));
    }
    m.finish()
}

/// Name of a router's tile.
fn router_tile(p: &OpenLoopParams, subnetwork: usize, site: usize) -> String {
    let parts = p.fabric.subnetworks();
    let name = parts[subnetwork].topology.sites()[site].name.tile();
    if parts.len() == 1 { name } else { format!("net{subnetwork}_{name}") }
}

fn channels(p: &OpenLoopParams, sim: &Simulator) -> Vec<WatchChannel> {
    let waypoint = p.fabric.network().format.waypoint;
    let channel = |subnetwork, at, output, prefix: String| {
        let net = |field: &str| sim.output(&format!("observed_{prefix}_{field}")).unwrap_or_else(|e| panic!("{e}"));
        WatchChannel {
            subnetwork,
            at,
            output,
            valid: net("valid"),
            head: net("head"),
            vc: net("vc"),
            dest: net("dest"),
            route_class: net("route_class"),
            waypoint: waypoint.then(|| net("waypoint")),
            info: net("info"),
        }
    };
    let mut all = vec![];
    for node in p.terminals() {
        for (q, (s, _)) in p.injector(node).interface.injection_lanes().into_iter().enumerate() {
            all.push(channel(s, node as usize, None, format!("injector{node}_out_inject{q}")));
        }
    }
    for (s, part) in p.fabric.subnetworks().iter().enumerate() {
        for (site, router) in part.routers.iter().enumerate() {
            let tile = router_tile(p, s, site);
            all.extend(router.outputs().iter().map(|o| channel(s, site, Some(*o), format!("{tile}_out_{o}"))));
        }
    }
    all
}
