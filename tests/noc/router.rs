//! One router on its own, every port driven: where packets may go and where not; lockstep with its Verilog.

use crate::{campaign::part_or_all, support::*};
use blocks::ArbiterKind;
use hdl::Module;
use noc::{
    AllocatorKind, AllocatorParams, Connectivity, Direction, FlitFormat, Input, NetworkParams, NocError, NodeKind,
    Nodes, Output, Ports, RouterParams, Routing, Topology, VcReallocation,
    route_unit::{RouteUnitParams, route_unit},
    router,
    routing::{Hop, HopRule, View},
};
use sim::Simulator;
use std::collections::HashMap;
use verilog::lockstep::Rng;

/// The router in the middle of a 3 x 3 mesh.
pub fn middle(connectivity: Connectivity, network: NetworkParams) -> RouterParams {
    RouterParams::plain(3, 3, connectivity, network)
}

fn module(p: &RouterParams) -> Module {
    router(p).expect("legal parameters")
}

pub struct RouterBench {
    pub harness: Harness,
    params: RouterParams,
    /// Channels into the router: number of the input, link, and how many links it has.
    channels: Vec<(usize, u32, u32)>,
    open: HashMap<u64, (Vec<Hop>, Packet)>,
    sent: u64,
}

impl RouterBench {
    pub fn new(params: RouterParams, lockstep: bool) -> Self {
        let matrix = &params.connectivity;
        let links = |i: usize| matrix.port(i).links;
        let channels: Vec<_> =
            (0..matrix.inputs().len()).flat_map(|i| (0..links(i)).map(move |link| (i, link, links(i)))).collect();
        let name = |&(i, link, links): &(usize, u32, u32)| match links {
            1 => matrix.inputs()[i].to_string(),
            _ => format!("{}_link{link}", matrix.inputs()[i]),
        };
        let inputs: Vec<_> = channels.iter().map(name).collect();
        let outputs: Vec<_> = matrix.outputs().iter().map(ToString::to_string).collect();
        let mut harness =
            Harness::new(&module(&params), params.network.format, params.network.depth, &inputs, &outputs, lockstep);
        if params.network.routing.rule().reads_here() {
            harness.rig.sim.poke("here_x", 1);
            harness.rig.sim.poke("here_y", 1);
        }
        for (port, table) in params.tables((1, 1)) {
            harness.rig.sim.poke(&port, table.to_u64());
        }
        Self { harness, params, channels, open: HashMap::new(), sent: 0 }
    }

    fn send(&mut self, channel: usize) {
        let (input, link, links) = self.channels[channel];
        let h = &mut self.harness;
        let NetworkParams { format, classes, routing, .. } = self.params.network;
        let dest = h.random.below(9);
        let group = format.vcs / classes;
        // One of several links has VCs of its own.
        let alone = (links > 1).then(|| link + links * h.random.below((format.vcs / links).into()) as u32);
        let class = alone.map_or_else(|| h.random.below(classes.into()) as u32, |vc| vc / group);
        let vcs = alone.map_or(class * group..(class + 1) * group, |vc| vc..vc + 1);
        let flits = (0..[1, 2, 5][h.random.below(3) as usize]).map(|_| h.random.bits(format.width)).collect();
        let route_class = match routing.vc_sets() {
            1 => h.random.below(2),
            sets => u64::from(class % sets),
        };
        let waypoint = h.random.below(9);
        let packet = Packet { dest, route_class, waypoint, info: self.sent, vcs, flits };
        let hops = hops(&self.params, input, &packet);
        if !hops.is_empty() {
            self.open.insert(self.sent, (hops, packet.clone()));
            self.sent += 1;
            self.harness.send(channel, packet);
        }
    }

    pub fn step(&mut self) {
        for got in self.harness.step() {
            let (hops, packet) = self.open.remove(&got.info).expect("sent, and delivered once");
            let output = self.params.connectivity.outputs()[got.sink];
            assert!(hops.iter().any(|hop| serves(output, *hop)), "{hops:?} left by {output}");
            assert_eq!((packet.dest, packet.flits), (got.dest, got.flits));
        }
    }

    /// Random packets on all inputs for `cycles` cycles, then until all have come out.
    pub fn run(&mut self, cycles: u64, load: f64) {
        for _ in 0..cycles {
            for channel in 0..self.channels.len() {
                if self.harness.queued() < 40 && self.harness.random.chance(load) {
                    self.send(channel);
                }
            }
            self.step();
        }
        for _ in 0..2_000 {
            self.step();
        }
        assert!(self.open.is_empty(), "{} packets are stuck", self.open.len());
        assert!(self.sent > cycles / 10, "{} packets are few", self.sent);
    }
}

fn serves(output: Output, hop: Hop) -> bool {
    match (output, hop) {
        (Output::To(direction), Hop::Link(to)) => direction == to,
        (Output::Eject(_), Hop::Arrived) => true,
        _ => false,
    }
}

fn from(input: Input) -> Option<Direction> {
    if let Input::From(direction) = input { Some(direction) } else { None }
}

/// The hops from the middle that `input` may make with `packet`.
fn hops(p: &RouterParams, input: usize, packet: &Packet) -> Vec<Hop> {
    let place = |node: u64| ((node % 3) as u32, (node / 3) as u32);
    let view = View {
        from: from(p.connectivity.inputs()[input]),
        here: (1, 1),
        dest: place(packet.dest),
        waypoint: place(packet.waypoint),
        size: (3, 3),
        routing_class: packet.route_class as u32,
        routes: p.addressing.routes.as_deref(),
    };
    let steps = p.network.routing.rule().steps(view);
    let outputs = p.connectivity.outputs_of(input);
    let reached = |hop: &Hop| outputs.iter().any(|&o| serves(p.connectivity.outputs()[o], *hop));
    steps.into_iter().map(|(hop, _)| hop).filter(reached).collect()
}

pub fn network(vcs: u32, width: u32, depth: usize, classes: u32) -> NetworkParams {
    NetworkParams::new(FlitFormat::new(vcs, width, 9, 16), depth, classes)
}

fn allocators(kind: AllocatorKind, arbiter: ArbiterKind, iterations: u32) -> NetworkParams {
    let allocator = AllocatorParams { kind, arbiter, iterations };
    NetworkParams { vc_allocator: allocator, switch_allocator: allocator, vc_arbiter: arbiter, ..network(4, 24, 4, 2) }
}

#[test]
fn every_connectivity_delivers() {
    let two = Ports { injects: 2, ejects: 3, ..Ports::interior() };
    let matrices = [
        Connectivity::full(&Ports::interior()),
        Connectivity::half(&Ports::interior()),
        Connectivity::full(&two),
        Connectivity::half(&two),
    ];
    for (i, matrix) in matrices.into_iter().enumerate() {
        let mut bench = RouterBench::new(middle(matrix, network(4, 32, 4, 2)), false);
        bench.harness.hold = 0.3;
        bench.harness.random = Rng::new(i as u64);
        bench.run(600, 0.2);
    }
}

#[test]
fn every_allocator_delivers() {
    use {AllocatorKind::*, ArbiterKind::*};
    for (kind, arbiter, iterations) in [
        (Islip, Matrix, 1),
        (Islip, RoundRobin, 2),
        (SeparableInputFirst, RoundRobin, 1),
        (SeparableInputFirst, Matrix, 3),
        (Pim, RoundRobin, 1),
        (Pim, RoundRobin, 3),
        (Wavefront, RoundRobin, 1),
    ] {
        let full = Connectivity::full(&Ports::interior());
        RouterBench::new(middle(full, allocators(kind, arbiter, iterations)), false).run(500, 0.4);
    }
}

#[test]
fn packets_choose_their_routing() {
    let full = Connectivity::full(&Ports::interior());
    let per_packet = NetworkParams { routing: Routing::O1Turn, ..network(4, 24, 4, 4) };
    RouterBench::new(middle(full, per_packet), false).run(500, 0.3);
}

/// A packet that would have to turn in a half-router stays where it is; traffic straight on, on other VCs, goes by.
#[test]
fn a_half_router_does_not_turn() {
    let mut bench = RouterBench::new(middle(Connectivity::half(&Ports::interior()), network(2, 32, 4, 1)), false);
    let north = 0;
    assert_eq!(bench.params.connectivity.inputs()[north], Input::From(Direction::North));
    let corner = Packet { dest: 8, route_class: 0, waypoint: 0, info: 0, vcs: 0..1, flits: vec![] };
    assert!(hops(&bench.params, north, &corner).is_empty(), "south-east is around a corner");
    let turning =
        Packet { dest: 5, route_class: 0, waypoint: 0, info: 999, vcs: 0..1, flits: vec![hdl::Bits::new(32, 1)] };
    bench.harness.send(north, turning);
    (0..50).for_each(|_| bench.step());
    let straight =
        Packet { dest: 7, route_class: 0, waypoint: 0, info: 0, vcs: 1..2, flits: vec![hdl::Bits::new(32, 2)] };
    bench.open.insert(0, (hops(&bench.params, north, &straight), straight.clone()));
    bench.harness.send(north, straight);
    (0..50).for_each(|_| bench.step()); // an unknown packet coming out would be an error
    assert!(bench.open.is_empty());
}

#[test]
fn impossible_routers_are_errors() {
    let full = || Connectivity::full(&Ports::interior());
    let error = |p: RouterParams| router(&p).expect_err("out of range");
    assert!(matches!(error(middle(full(), network(3, 32, 4, 2))), NocError::Vcs { vcs: 3, classes: 2 }));
    assert!(matches!(error(middle(full(), network(4, 12, 4, 2))), NocError::Width { width: 12 }));
    assert!(matches!(error(middle(full(), network(4, 32, 0, 2))), NocError::Depth { depth: 0 }));
    let none = Connectivity::new(&Ports::interior(), |_, output| !matches!(output, Output::Eject(_)));
    assert!(matches!(error(middle(none, network(4, 32, 4, 2))), NocError::Unconnected { .. }));
    let no_rounds = allocators(AllocatorKind::Islip, ArbiterKind::RoundRobin, 0);
    assert_eq!(error(middle(full(), no_rounds)).to_string(), "allocator iterations = 0: allowed: 1 to 8");
}

fn in_lockstep(matrix: Connectivity, network: NetworkParams, still: &[&str]) {
    let mut bench = RouterBench::new(middle(matrix, network), true);
    bench.harness.hold = 0.2;
    bench.run(8_500, 0.15);
    bench.harness.rig.agreed(10_000, still);
}

#[test]
fn lockstep_full_router() {
    in_lockstep(Connectivity::full(&Ports::interior()), network(4, 128, 8, 2), &[]);
}

#[test]
fn lockstep_half_router() {
    in_lockstep(Connectivity::half(&Ports::interior()), network(4, 128, 8, 2), &[]);
}

#[test]
fn lockstep_router_with_several_terminals() {
    let ports = Ports { injects: 2, ejects: 2, ..Ports::interior() };
    let per_packet = NetworkParams { routing: Routing::O1Turn, pipeline: 3, ..network(4, 40, 3, 4) };
    in_lockstep(Connectivity::full(&ports), per_packet, &[]);
}

/// Everything in one cycle, two flits at once, extra latency; wavefront and PIM.
#[test]
fn lockstep_one_stage_router() {
    let one = network(4, 32, 4, 2);
    let allocator = |kind, iterations| AllocatorParams { kind, iterations, ..AllocatorParams::default() };
    let one = NetworkParams {
        pipeline: 1,
        extra_latency: 1,
        input_speedup: 2,
        vc_allocator: allocator(AllocatorKind::Wavefront, 1),
        switch_allocator: allocator(AllocatorKind::Pim, 2),
        ..one
    };
    in_lockstep(Connectivity::full(&Ports::interior()), one, &[]);
}

/// Two stages, and the allocators the other way.
#[test]
fn lockstep_two_stage_router() {
    let allocator = |kind| AllocatorParams { kind, ..AllocatorParams::default() };
    let two = NetworkParams {
        pipeline: 2,
        vc_allocator: allocator(AllocatorKind::Pim),
        switch_allocator: allocator(AllocatorKind::Wavefront),
        ..network(4, 32, 4, 2)
    };
    in_lockstep(Connectivity::half(&Ports::interior()), two, &[]);
}

/// The next packet is routed as the tail before it leaves; two flits at once.
#[test]
fn lockstep_router_with_the_short_turn_around() {
    let short = NetworkParams { vc_reuse_delay: 0, input_speedup: 2, extra_latency: 2, ..network(4, 32, 4, 2) };
    in_lockstep(Connectivity::full(&Ports::interior()), short, &[]);
    let two_phase =
        NetworkParams { vc_reuse_delay: 0, pipeline: 3, ..network(4, 32, 3, 4).with_routing(Routing::Checkerboard) };
    in_lockstep(Connectivity::half(&Ports { injects: 2, ..Ports::interior() }), two_phase, &["out_eject0_route_class"]);
}

/// VCs are given away with the tail: with all stages apart, and with some merged; with packets that change their class, a choice, and those
/// that fit whole.
#[test]
fn lockstep_routers_that_give_vcs_away_with_the_tail() {
    let with_tail = NetworkParams { vc_reallocation: VcReallocation::WithTail, ..network(4, 32, 4, 2) };
    let full = || Connectivity::full(&Ports::interior());
    let two = NetworkParams { pipeline: 2, input_speedup: 2, ..with_tail }.with_routing(Routing::Adaptive);
    let whole = NetworkParams { pipeline: 3, longest: 5, ..with_tail }.with_header(true, None);
    let two_phase = NetworkParams { classes: 4, ..with_tail }.with_routing(Routing::Checkerboard);
    let half = Connectivity::half(&Ports { injects: 2, ..Ports::interior() });
    let still = ["out_eject0_route_class"];
    let all = [(full(), two, &[][..]), (full(), with_tail, &[]), (half, two_phase, &still), (full(), whole, &[])];
    for (connectivity, network, still) in all.into_iter().step_by(part_or_all(2, 1)) {
        in_lockstep(connectivity, network, still);
    }
}

/// The route unit of every rule of a mesh, over every place, input, destination, intermediate node and routing class,
/// is the rule.
#[test]
fn route_units_are_their_rules() {
    let outputs = Connectivity::full(&Ports::interior()).outputs().to_vec();
    let mut rules: Vec<_> = of_mesh().map(Routing::rule).collect();
    rules.dedup();
    for rule in rules {
        let nodes = Nodes::with_kinds(4, 3, |_| NodeKind::Core).expect("legal");
        let addressing = Topology::mesh(&nodes).addressing_for(rule);
        let params =
            RouteUnitParams { addressing: addressing.clone(), ..RouteUnitParams::plain(4, 3, rule, outputs.clone()) };
        let mut rig = NetworkRig::new(&route_unit(&params), false);
        let place = |node: u64| ((node % 4) as u32, (node / 4) as u32);
        let inputs: Vec<_> = [None].into_iter().chain(Direction::ALL.map(Some)).collect();
        let inputs = if rule.reads_from() { inputs } else { vec![None] };
        for (from, here) in inputs.iter().flat_map(|from| (0..12).map(move |here| (*from, here))) {
            let params = RouteUnitParams { from, ..params.clone() };
            if rule.made_for_input() && here == 0 {
                rig = NetworkRig::new(&route_unit(&params), false);
            }
            let sim = &mut rig.sim;
            if rule.reads_here() {
                sim.poke("here_x", here % 4);
                sim.poke("here_y", here / 4);
            }
            for (port, table) in params.tables(place(here)) {
                sim.poke(&port, table.to_u64());
            }
            let waypoints = if rule.reads_waypoint() { 12 } else { 1 };
            for (dest, waypoint) in (0..12).flat_map(|dest| (0..waypoints).map(move |waypoint| (dest, waypoint))) {
                for routing_class in 0..rule.classes() {
                    let size = (4, 3);
                    let (routes, [at, to, over]) = (addressing.routes.as_deref(), [here, dest, waypoint].map(place));
                    let view = View { from, here: at, dest: to, waypoint: over, size, routing_class, routes };
                    agrees(sim, &outputs, rule, view, (dest, waypoint));
                }
            }
        }
    }
}

/// The route unit says what the rule does in a situation.
fn agrees(sim: &mut Simulator, outputs: &[Output], rule: HopRule, view: View<'_>, (dest, waypoint): (u64, u64)) {
    sim.poke("dest", dest);
    if rule.reads_routing_class() {
        sim.poke("route_class", view.routing_class.into());
    }
    if rule.reads_waypoint() {
        sim.poke("waypoint", waypoint);
    }
    let steps = rule.steps(view);
    let word = |up: u32| {
        let hop = |(hop, next): &(Hop, u32)| (*next == (view.routing_class + up) % rule.classes()).then_some(*hop);
        let hops: Vec<_> = steps.iter().filter_map(hop).collect();
        let is = |output: &Output| hops.iter().any(|hop| serves(*output, *hop));
        (0..).zip(outputs).filter(|(_, output)| is(output)).map(|(i, _)| 1 << i).sum::<u64>()
    };
    assert_eq!(sim.peek("route"), word(0), "{rule:?} {view:?}: {steps:?}");
    for up in rule.class_transition().offsets() {
        let port = if up == 1 { "cross".into() } else { format!("cross{up}") };
        assert_eq!(sim.peek(&port), word(up), "{rule:?} {view:?}: {steps:?}, {up} classes up");
    }
}

#[test]
fn lockstep_half_router_of_two_phases() {
    let two_phase = network(4, 32, 4, 4).with_routing(Routing::Checkerboard);
    // A packet ends in its second phase.
    in_lockstep(Connectivity::half(&Ports { injects: 2, ..Ports::interior() }), two_phase, &["out_eject0_route_class"]);
}

#[test]
fn lockstep_odd_even_router() {
    let odd_even = network(4, 32, 4, 2).with_routing(Routing::OddEven);
    // Packets without a routing class.
    in_lockstep(Connectivity::full(&Ports::interior()), odd_even, &[]);
}

#[test]
fn lockstep_adaptive_router() {
    in_lockstep(Connectivity::full(&Ports::interior()), network(4, 32, 4, 2).with_routing(Routing::Adaptive), &[]);
}
