//! Allocators against their definition: what they grant is a matching of what is requested, and the wavefront's is the
//! one that its diagonals give.

use crate::matrix::options;
use std::collections::{BTreeSet, HashSet};
use warpmesh::{
    blocks::ArbiterKind,
    hdl::Module,
    netlist::elaborate,
    noc::{
        AllocatorKind, AllocatorParams, Connectivity, Fabric, FabricParams, FlitFormat, NetworkParams, Nodes,
        Organisation, Ports, VcSets, switch_allocator::switch_allocator, vc_allocator::vc_allocator,
    },
    open_loop::{OpenLoopParams, Pattern, Traffic, open_loop, traffic::memory},
    sim::{Effort, Engine, Options, Simulator},
    verilog::lockstep::Rng,
};

const KINDS: [AllocatorKind; 4] =
    [AllocatorKind::Islip, AllocatorKind::Pim, AllocatorKind::SeparableInputFirst, AllocatorKind::Wavefront];

/// Another one for each kind.
fn seed(kind: AllocatorKind) -> u64 {
    KINDS.iter().position(|other| *other == kind).expect("one of them") as u64
}

/// Row and column.
type Point = (usize, usize);

fn params(kind: AllocatorKind, iterations: u32) -> AllocatorParams {
    AllocatorParams { kind, iterations, ..AllocatorParams::default() }
}

fn simulator(module: &Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).expect("the design can be simulated");
    sim.reset(2);
    sim
}

/// At most one grant a row, one a column, and only what was requested.
fn assert_matching(requests: &BTreeSet<Point>, grants: &BTreeSet<Point>, what: &str) {
    assert!(grants.is_subset(requests), "{what}: {grants:?} of {requests:?}");
    let lines = |line: fn(&Point) -> usize| grants.iter().map(line).collect::<BTreeSet<_>>().len();
    assert_eq!((lines(|p| p.0), lines(|p| p.1)), (grants.len(), grants.len()), "{what}: {grants:?}");
}

/// No request is left whose row and column both are.
fn assert_maximal(requests: &BTreeSet<Point>, grants: &BTreeSet<Point>, what: &str) {
    let taken = |&(row, column): &Point| grants.iter().any(|g| g.0 == row || g.1 == column);
    assert!(requests.iter().all(taken), "{what}: {grants:?} of {requests:?}");
}

/// A switch allocator; rows are the columns of the crossbar.
struct Switch {
    sim: Simulator,
    matrix: Connectivity,
    speedup: usize,
}

impl Switch {
    fn new(matrix: &Connectivity, speedup: usize, p: AllocatorParams) -> Self {
        let sim = simulator(&switch_allocator(&matrix.clone().with_speedup(speedup as u32), p));
        Self { sim, matrix: matrix.clone(), speedup }
    }

    fn points(&self) -> Vec<Point> {
        let rows = 0..self.matrix.inputs().len() * self.speedup;
        rows.flat_map(|row| self.matrix.outputs_of(row / self.speedup).into_iter().map(move |o| (row, o))).collect()
    }

    /// One cycle: what is granted, by the inputs, which is what the outputs say too.
    fn step(&mut self, requests: &BTreeSet<Point>) -> BTreeSet<Point> {
        let Self { sim, matrix, speedup } = self;
        let bits = |i: usize| {
            let reach = matrix.outputs_of(i);
            let at = |bank: usize, k: usize| bank * reach.len() + k;
            let points = (0..*speedup).flat_map(|b| reach.iter().enumerate().map(move |(k, &o)| (b, k, o)));
            points.map(|(b, k, o)| (at(b, k), (i * *speedup + b, o))).collect::<Vec<_>>()
        };
        for i in 0..matrix.inputs().len() {
            let word = bits(i).iter().filter(|(_, point)| requests.contains(point)).map(|(at, _)| 1 << at).sum();
            sim.poke(&format!("request{i}"), word);
        }
        let mut grants = BTreeSet::new();
        for i in 0..matrix.inputs().len() {
            let word = sim.peek(&format!("grant{i}"));
            grants.extend(bits(i).into_iter().filter(|(at, _)| word >> at & 1 == 1).map(|(_, point)| point));
        }
        for (o, output) in matrix.outputs().iter().enumerate() {
            let rows = matrix.inputs_of(o).into_iter().flat_map(|i| (0..*speedup).map(move |b| (i, b)));
            let word = sim.peek(&format!("sender{o}"));
            let senders: BTreeSet<_> = (0..).zip(rows).filter(|(at, _)| word >> at & 1 == 1).map(|(_, r)| r).collect();
            let granted = grants.iter().filter(|g| g.1 == o).map(|g| (g.0 / *speedup, g.0 % *speedup)).collect();
            assert_eq!(senders, granted, "sender of {output}");
        }
        sim.step().unwrap_or_else(|e| panic!("{e}"));
        grants
    }
}

/// From few requests to all of them.
fn some(points: &[Point], random: &mut Rng) -> BTreeSet<Point> {
    let density = random.below(11) as f64 / 10.0;
    points.iter().copied().filter(|_| random.chance(density)).collect()
}

#[test]
fn a_switch_allocation_is_a_matching() {
    let two = Ports { injects: 2, ejects: 3, ..Ports::interior() };
    for matrix in [Connectivity::full(&Ports::interior()), Connectivity::half(&two)] {
        for (kind, iterations, speedup) in KINDS.into_iter().flat_map(|k| [(k, 1, 1), (k, 2, 1), (k, 1, 2)]) {
            let mut random = Rng::new(seed(kind));
            let mut switch = Switch::new(&matrix, speedup, params(kind, iterations));
            let points = switch.points();
            for _ in 0..300 {
                let requests = some(&points, &mut random);
                let grants = switch.step(&requests);
                let what = format!("{kind:?}, {iterations} iterations, speedup {speedup}");
                assert_matching(&requests, &grants, &what);
                assert_eq!(grants.is_empty(), requests.is_empty(), "{what}: somebody gets something");
                if kind == AllocatorKind::Wavefront {
                    assert_maximal(&requests, &grants, &what);
                }
            }
        }
    }
}

/// The definition: from the diagonal of the pointer on, a request is granted when its row and column are left.
#[test]
fn a_wavefront_goes_by_diagonals() {
    let full = Connectivity::full(&Ports::interior());
    let mut switch = Switch::new(&full, 1, params(AllocatorKind::Wavefront, 1));
    let (points, mut random, mut pointer) = (switch.points(), Rng::new(5), 0);
    let n = 5;
    for cycle in 0..500 {
        let requests = some(&points, &mut random);
        let mut expected = BTreeSet::new();
        for diagonal in (0..n).map(|d| (pointer + d) % n) {
            for row in 0..n {
                let point = (row, (diagonal + n - row) % n);
                let left = !expected.iter().any(|g: &Point| g.0 == point.0 || g.1 == point.1);
                if requests.contains(&point) && left {
                    expected.insert(point);
                }
            }
        }
        assert_eq!(switch.step(&requests), expected, "cycle {cycle}, pointer {pointer}");
        pointer = if expected.is_empty() { pointer } else { (pointer + 1) % n };
    }
}

/// Under requests for everything each point of the matrix gets a share, whoever allocates.
#[test]
fn nobody_starves() {
    let full = Connectivity::full(&Ports::interior());
    for kind in KINDS {
        let mut switch = Switch::new(&full, 1, params(kind, 1));
        let points = switch.points();
        let all: BTreeSet<_> = points.iter().copied().collect();
        let grants: Vec<_> = (0..1_000).flat_map(|_| switch.step(&all)).collect();
        for row in 0..5 {
            let count = grants.iter().filter(|grant| grant.0 == row).count();
            assert!(count > 400, "{kind:?}: input {row} got {count} of 1000 cycles");
        }
    }
}

/// How often one iteration of PIM grants `point` when everything is requested: its output chooses it among its inputs,
/// and then the input chooses it among what it was granted.
fn expected_of_pim(matrix: &Connectivity, (row, column): Point) -> f64 {
    let chosen = |o: usize| 1.0 / matrix.inputs_of(o).len() as f64;
    // Probabilities of 0, 1, ... other outputs that chose this input.
    let mut others = vec![1.0];
    for o in matrix.outputs_of(row).into_iter().filter(|&o| o != column) {
        let p = chosen(o);
        let shifted = [0.0].into_iter().chain(others.iter().map(|q| q * p));
        others = others.iter().map(|q| q * (1.0 - p)).chain([0.0]).zip(shifted).map(|(a, b)| a + b).collect();
    }
    chosen(column) * (1..).zip(others).map(|(n, q)| q / f64::from(n)).sum::<f64>()
}

/// Choices at random: every point of the matrix gets the share that independent choices give it.
#[test]
fn pim_chooses_at_random() {
    let full = Connectivity::full(&Ports::interior());
    let mut switch = Switch::new(&full, 1, params(AllocatorKind::Pim, 1));
    let points = switch.points();
    let all: BTreeSet<_> = points.iter().copied().collect();
    let rounds: Vec<_> = (0..4_000).map(|_| switch.step(&all)).collect();
    for point in &points {
        let count = rounds.iter().filter(|round| round.contains(point)).count() as f64;
        let expected = 4_000.0 * expected_of_pim(&full, *point);
        assert!((0.85..1.15).contains(&(count / expected)), "{point:?}: {count}, expected {expected:.0}");
    }
    let different: BTreeSet<_> = rounds.iter().collect();
    assert!(different.len() > 100, "{} different matchings", different.len());
    let again = |iterations| {
        let mut switch = Switch::new(&full, 1, params(AllocatorKind::Pim, iterations));
        (0..500).map(|_| switch.step(&all).len()).sum::<usize>()
    };
    let (one, three) = (again(1), again(3));
    assert!(three > one + 300, "iterations match what is left over: {one}, {three}");
}

/// VCs of packets that wait and free VCs of the outputs; rows are input VCs, columns output VCs.
#[test]
fn a_vc_allocation_is_a_matching_within_classes() {
    let (vcs, classes) = (4_usize, 2_usize);
    let group = vcs / classes;
    for (matrix, kind) in [Connectivity::full(&Ports::interior()), Connectivity::half(&Ports::interior())]
        .iter()
        .flat_map(|matrix| KINDS.map(|kind| (matrix, kind)))
    {
        let mut sim = simulator(&vc_allocator(
            matrix,
            VcSets::equal(vcs as u32, classes as u32),
            warpmesh::noc::routing::ClassTransition::NEVER,
            params(kind, 1),
        ));
        let mut random = Rng::new(1 + seed(kind));
        for _ in 0..200 {
            let mut requests = BTreeSet::new();
            let density = random.below(11) as f64 / 10.0;
            let free: Vec<u64> = matrix.outputs().iter().map(|_| random.below(1 << vcs)).collect();
            for (o, free) in free.iter().enumerate() {
                sim.poke(&format!("free{o}"), *free);
            }
            for i in 0..matrix.inputs().len() {
                let (reach, mut word) = (matrix.outputs_of(i), 0);
                for ivc in 0..vcs {
                    if random.chance(density) {
                        let k = random.below(reach.len() as u64) as usize;
                        word |= 1 << (k * vcs + ivc);
                        let class = ivc / group * group..(ivc / group + 1) * group;
                        let open = class.filter(|ovc| free[reach[k]] >> ovc & 1 == 1);
                        requests.extend(open.map(|ovc| (i * vcs + ivc, reach[k] * vcs + ovc)));
                    }
                }
                sim.poke(&format!("request{i}"), word);
            }
            let mut grants = BTreeSet::new();
            for i in 0..matrix.inputs().len() {
                let reach = matrix.outputs_of(i);
                let word = sim.peek(&format!("grant{i}"));
                for bit in (0..vcs * reach.len() * group).filter(|bit| word >> bit & 1 == 1) {
                    let (ivc, k, at) = (bit / group / reach.len(), bit / group % reach.len(), bit % group);
                    grants.insert((i * vcs + ivc, reach[k] * vcs + ivc / group * group + at));
                }
            }
            assert_matching(&requests, &grants, &format!("{kind:?}"));
            assert_eq!(grants.is_empty(), requests.is_empty(), "{kind:?}: somebody gets something");
            if kind == AllocatorKind::Wavefront {
                assert_maximal(&requests, &grants, "wavefront");
            }
            for o in 0..matrix.outputs().len() {
                let taken = grants.iter().filter(|g| g.1 / vcs == o).map(|g| 1 << (g.1 % vcs)).sum::<u64>();
                assert_eq!(sim.peek(&format!("taken{o}")), taken, "{kind:?}");
            }
            sim.step().unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// Routers of a mesh that choose at random are one module for each matrix, and no two draw the same numbers.
#[test]
fn each_router_draws_numbers_of_its_own() {
    let nodes = Nodes::new(4, 4, &[1, 6, 11, 12]).expect("legal");
    let pim = params(AllocatorKind::Pim, 1);
    let format = FlitFormat::new(4, 8, 16, 1);
    let network = NetworkParams { vc_allocator: pim, switch_allocator: pim, ..NetworkParams::new(format, 2, 2) };
    let flows = nodes.flows();
    let combined = FabricParams { organisation: Organisation::Combined, ..FabricParams::new(nodes, network) };
    let asked = Traffic {
        pattern: Pattern::ManyToFew,
        hot_share: 0.2,
        transactions: memory(0.9, 4),
        service: 0,
        matrix: None,
        burst: None,
    };
    let fabric = Fabric::new(combined.clone(), &flows).expect("legal");
    let kinds: HashSet<_> = fabric.subnetworks().iter().flat_map(|part| &part.routers).collect();
    let top = open_loop(&OpenLoopParams::new(&combined, &asked).expect("legal")).expect("legal");
    let design = elaborate(&top).expect("no mistakes");
    assert_eq!(design.modules.iter().filter(|module| module.module.kind == "router").count(), kinds.len());
    let mut sim = simulator(&top);
    sim.step().expect("no assertion fails");
    for allocator in ["vc_allocator", "switch_allocator"] {
        let mut states = BTreeSet::new();
        for router in (0..2).flat_map(|net| (0..16).map(move |node| format!("net{net}_router{node}"))) {
            let path = format!("{router}.{allocator}.random0_value");
            let state = sim.peek_net(&path).unwrap_or_else(|e| panic!("{e}"));
            assert!(state.to_u64() != 0, "{path}");
            states.insert((state.width(), state.to_u64()));
        }
        assert_eq!(states.len(), 32, "{allocator}");
    }
}

/// What is compiled of large allocators grows with their requests, or with their words where they are masks, and not
/// with the square of either: 8 ports with 16 VCs in two classes are 8,192 places for requests.
#[test]
fn large_allocators_are_compiled_from_few_operators() {
    let ports = Connectivity::full(&Ports { injects: 4, ejects: 4, ..Ports::interior() });
    let matrix = AllocatorParams { arbiter: ArbiterKind::Matrix, ..params(AllocatorKind::SeparableInputFirst, 1) };
    for (what, p, most) in [("matrix", matrix, 40_000.0), ("wavefront", params(AllocatorKind::Wavefront, 1), 40_000.0)]
    {
        let module = vc_allocator(&ports, VcSets::equal(16, 2), warpmesh::noc::routing::ClassTransition::NEVER, p);
        let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
        let effort = Effort::new(&design, &Options { engine: Engine::Word, ..options() }).expect("it can be laid out");
        assert!(effort.word_operators < most, "{what}: {} operators", effort.word_operators);
    }
}
