//! One router on its own, every port driven: where packets may go and where not; lockstep with its Verilog.

use crate::support::*;
use std::collections::HashMap;
use warpmesh::{
    blocks::ArbiterKind,
    hdl::Module,
    noc::{
        AllocatorKind, AllocatorParams, Connectivity, FlitFormat, Input, NetworkParams, NocError, Output, Ports,
        RouterParams, Routing, router,
        routing::{Hop, Situation},
    },
    verilog::lockstep::Rng,
};

/// The router in the middle of a 3 x 3 mesh.
fn middle(connectivity: Connectivity, network: NetworkParams) -> RouterParams {
    RouterParams { connectivity, columns: 3, rows: 3, network }
}

fn module(p: &RouterParams) -> Module {
    router(p).expect("legal parameters")
}

struct Bench {
    harness: Harness,
    params: RouterParams,
    /// Per input, destinations that the matrix lets it reach, with their hop.
    legal: Vec<Vec<(u64, Hop)>>,
    open: HashMap<u64, (u64, Hop, Packet)>,
    sent: u64,
}

impl Bench {
    fn new(params: RouterParams, lockstep: bool) -> Self {
        let matrix = &params.connectivity;
        let names = |n: usize, name: &dyn Fn(usize) -> String| (0..n).map(name).collect::<Vec<_>>();
        let inputs = names(matrix.inputs().len(), &|i| matrix.inputs()[i].to_string());
        let outputs = names(matrix.outputs().len(), &|o| matrix.outputs()[o].to_string());
        let mut harness =
            Harness::new(&module(&params), params.network.format, params.network.depth, &inputs, &outputs, lockstep);
        harness.rig.sim.poke("here_x", 1);
        harness.rig.sim.poke("here_y", 1);
        let legal = (0..inputs.len()).map(|i| (0..9).filter_map(|d| hop(&params, i, d)).collect()).collect();
        Self { harness, params, legal, open: HashMap::new(), sent: 0 }
    }

    fn send(&mut self, input: usize) {
        let h = &mut self.harness;
        let (format, classes) = (self.params.network.format, self.params.network.classes);
        let choices = &self.legal[input];
        let (dest, hop) = choices[h.random.below(choices.len() as u64) as usize];
        let (class, group) = (h.random.below(classes.into()) as u32, format.vcs / classes);
        let flits = (0..[1, 2, 5][h.random.below(3) as usize]).map(|_| h.random.bits(format.width)).collect();
        let yx = h.random.below(2) == 1;
        let packet = Packet { dest, yx, info: self.sent, vcs: class * group..(class + 1) * group, flits };
        // Per-packet routing depends on the phase: ask again.
        let hop = if self.params.network.routing.reads_phase() { self.next(dest, yx) } else { hop };
        if !self.reaches(input, hop) {
            return;
        }
        self.open.insert(self.sent, (dest, hop, packet.clone()));
        self.sent += 1;
        self.harness.send(input, packet);
    }

    fn next(&self, dest: u64, yx: bool) -> Hop {
        self.params.network.routing.next(Situation::new((1, 1), ((dest % 3) as u32, (dest / 3) as u32), yx))
    }

    fn reaches(&self, input: usize, hop: Hop) -> bool {
        self.params
            .connectivity
            .outputs_of(input)
            .into_iter()
            .any(|o| serves(self.params.connectivity.outputs()[o], hop))
    }

    fn step(&mut self) {
        for got in self.harness.step() {
            let (dest, hop, packet) = self.open.remove(&got.info).expect("sent, and delivered once");
            assert!(serves(self.params.connectivity.outputs()[got.sink], hop), "{hop:?} left by {}", got.sink);
            assert_eq!((dest, packet.flits), (got.dest, got.flits));
        }
    }

    /// Random packets on all inputs for `cycles` cycles, then until all have come out.
    fn run(&mut self, cycles: u64, load: f64) {
        for _ in 0..cycles {
            for input in 0..self.legal.len() {
                if self.harness.queued() < 40 && self.harness.random.chance(load) {
                    self.send(input);
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

/// The hop from the middle to `dest`, when `input` may make it.
fn hop(p: &RouterParams, input: usize, dest: u64) -> Option<(u64, Hop)> {
    let hop = p.network.routing.next(Situation::new((1, 1), ((dest % 3) as u32, (dest / 3) as u32), false));
    let outputs = p.connectivity.outputs_of(input);
    outputs.into_iter().any(|o| serves(p.connectivity.outputs()[o], hop)).then_some((dest, hop))
}

fn network(vcs: u32, width: u32, depth: usize, classes: u32) -> NetworkParams {
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
        let mut bench = Bench::new(middle(matrix, network(4, 32, 4, 2)), false);
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
    ] {
        let full = Connectivity::full(&Ports::interior());
        Bench::new(middle(full, allocators(kind, arbiter, iterations)), false).run(500, 0.4);
    }
}

#[test]
fn packets_choose_their_routing() {
    let full = Connectivity::full(&Ports::interior());
    let per_packet = NetworkParams { routing: Routing::PerPacket, ..network(4, 24, 4, 4) };
    Bench::new(middle(full, per_packet), false).run(500, 0.3);
}

/// A packet that would have to turn in a half-router stays where it is; traffic straight on, on other VCs, goes by.
#[test]
fn a_half_router_does_not_turn() {
    let mut bench = Bench::new(middle(Connectivity::half(&Ports::interior()), network(2, 32, 4, 1)), false);
    let north = 0;
    assert_eq!(bench.params.connectivity.inputs()[north], Input::From(warpmesh::noc::Direction::North));
    assert!(!bench.legal[north].iter().any(|(dest, _)| *dest == 8), "south-east is around a corner");
    let turning = Packet { dest: 5, yx: false, info: 999, vcs: 0..1, flits: vec![warpmesh::hdl::Bits::new(32, 1)] };
    bench.harness.send(north, turning);
    (0..50).for_each(|_| bench.step());
    let straight = Packet { dest: 7, yx: false, info: 0, vcs: 1..2, flits: vec![warpmesh::hdl::Bits::new(32, 2)] };
    bench.open.insert(0, (7, bench.next(7, false), straight.clone()));
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

fn in_lockstep(matrix: Connectivity, network: NetworkParams) {
    let mut bench = Bench::new(middle(matrix, network), true);
    bench.harness.hold = 0.2;
    bench.run(8_500, 0.15);
    bench.harness.rig.agreed(10_000, &[]);
}

#[test]
fn lockstep_full_router() {
    in_lockstep(Connectivity::full(&Ports::interior()), network(4, 128, 8, 2));
}

#[test]
fn lockstep_half_router() {
    in_lockstep(Connectivity::half(&Ports::interior()), network(4, 128, 8, 2));
}

#[test]
fn lockstep_router_with_several_terminals() {
    let ports = Ports { injects: 2, ejects: 2, ..Ports::interior() };
    let per_packet = NetworkParams { routing: Routing::PerPacket, ..network(4, 40, 3, 4) };
    in_lockstep(Connectivity::full(&ports), per_packet);
}
