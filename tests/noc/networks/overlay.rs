//! Overlays for replies (DA2mesh): routers of trees alone and beside their Verilog, the proof, and networks with
//! overlays under open-loop traffic.

use crate::{matrix::options, network_rig::NetworkRig};
use std::collections::{BTreeSet, VecDeque};
use warpmesh::{
    noc::{
        Direction, Fabric, FabricParams, FlitFormat, MessageClass, NetworkParams, Nodes, Organisation, Output,
        OverlayParams,
        fabric::PlacedOutput,
        overlay::{OverlayFormat, OverlayRouterParams, OverlaySourceParams, overlay_router, overlay_source},
        packet::PacketFormat,
    },
    open_loop::{Bench, Pattern, Phases, Traffic, traffic::memory},
    report::{FloorPlan, LinkUse},
    verilog::lockstep::Rng,
};

/// Packets of up to four flits of 16 bits on a 4 x 4 mesh.
fn format() -> OverlayFormat {
    OverlayFormat::new(PacketFormat { node_bits: 4, sideband_bits: 6, payload_bits: 64, width: 16 })
}

/// A router at (1, 1) with three links and a core, and what is around it.
struct Rounds {
    rig: NetworkRig,
    outputs: Vec<Output>,
    /// Flits that may still go in, and those on their way by output: payload, tail.
    places: usize,
    coming: VecDeque<(u64, bool, bool)>,
    expected: Vec<VecDeque<(u64, bool)>>,
    /// A credit that the source has as it decides on the flit after the next one.
    returning: usize,
    /// Credits that each output's receiver owes, and those of flits that it has in its buffer since this cycle.
    owed: Vec<usize>,
    buffered: Vec<usize>,
    received: Vec<usize>,
    random: Rng,
}

impl Rounds {
    fn new(buffer: usize, seed: u64, lockstep: bool) -> Self {
        let links = [Direction::North, Direction::East, Direction::South].map(Output::To);
        let outputs: Vec<_> = links.into_iter().chain([Output::Eject(0)]).collect();
        let params = OverlayRouterParams { columns: 4, rows: 4, outputs: outputs.clone(), format: format(), buffer };
        let mut rig = NetworkRig::new(&overlay_router(&params), lockstep);
        rig.sim.poke("here_x", 1);
        rig.sim.poke("here_y", 1);
        let count = outputs.len();
        Self {
            rig,
            outputs,
            places: buffer,
            coming: VecDeque::new(),
            expected: vec![VecDeque::new(); count],
            returning: 0,
            owed: vec![0; count],
            buffered: vec![0; count],
            received: vec![0; count],
            random: Rng::new(seed),
        }
    }

    /// A packet of so many flits to output `o`.
    fn send(&mut self, o: usize, flits: u64) {
        // A node in the direction: north (1, 0), east (3, 2) as x goes first, south (1, 3), here.
        let dest = [1, 11, 13, 5][o];
        for i in 0..flits {
            let payload = if i == 0 { dest | self.random.below(1 << 12) << 4 } else { self.random.below(1 << 16) };
            self.coming.push_back((payload, i == 0, i + 1 == flits));
            self.expected[o].push_back((payload, i + 1 == flits));
        }
    }

    /// A cycle in which the source sends with this chance, and receivers give a credit back with that one.
    fn step(&mut self, sends: f64, gives: f64) {
        let flit = if self.places > 0 && self.random.chance(sends) { self.coming.pop_front() } else { None };
        let sim = &mut self.rig.sim;
        sim.poke("in_valid", flit.is_some().into());
        if let Some((payload, head, tail)) = flit {
            self.places -= 1;
            [("payload", payload), ("head", head.into()), ("tail", tail.into())]
                .into_iter()
                .for_each(|(field, value)| sim.poke(&format!("in_{field}"), value));
        }
        for (o, output) in self.outputs.iter().enumerate() {
            let gives = self.owed[o] > 0 && self.random.chance(gives);
            self.owed[o] -= usize::from(gives);
            sim.poke(&format!("out_{output}_credit"), gives.into());
        }
        self.places += std::mem::replace(&mut self.returning, sim.peek("in_credit") as usize);
        for (o, output) in self.outputs.iter().enumerate() {
            if sim.peek(&format!("out_{output}_valid")) == 1 {
                let got = (sim.peek(&format!("out_{output}_payload")), sim.peek(&format!("out_{output}_tail")) == 1);
                assert_eq!(Some(got), self.expected[o].pop_front(), "at {output}");
                self.received[o] += 1;
            }
            let arrived = usize::from(sim.peek(&format!("out_{output}_valid")) == 1);
            self.owed[o] += std::mem::replace(&mut self.buffered[o], arrived);
        }
        self.rig.step();
    }
}

/// A flit is on the next channel two cycles after this one; four places carry one in each cycle, two one in every
/// other.
#[test]
fn a_router_of_a_tree_takes_two_cycles_and_needs_four_places_for_a_flit_in_each() {
    for (buffer, least, most) in [(4, 97, 100), (3, 73, 76), (2, 48, 52), (8, 97, 100)] {
        let mut rounds = Rounds::new(buffer, 1, false);
        (0..40).for_each(|_| rounds.send(1, 3));
        rounds.step(1.0, 1.0);
        rounds.step(1.0, 1.0);
        assert_eq!(rounds.received[1], 0);
        rounds.step(1.0, 1.0);
        assert_eq!(rounds.received[1], 1, "shown in cycle 0, here in 2");
        (0..97).for_each(|_| rounds.step(1.0, 1.0));
        assert!((least..=most).contains(&rounds.received[1]), "buffer {buffer}: {} flits", rounds.received[1]);
    }
}

/// Packets to all outputs, in any pace: each comes out where it goes, whole and in order; beside the exported Verilog.
#[test]
fn routers_of_a_tree_agree_with_their_verilog() {
    for (buffer, sends, gives) in [(2, 0.9, 0.9), (4, 0.5, 0.3)] {
        let mut rounds = Rounds::new(buffer, buffer as u64, true);
        for _ in 0..120 {
            let (o, flits) = (rounds.random.below(4) as usize, 1 + rounds.random.below(5));
            rounds.send(o, flits);
        }
        (0..1_500).for_each(|_| rounds.step(sends, gives));
        assert!(rounds.received.iter().all(|&flits| flits > 30), "{:?}", rounds.received);
        assert!(rounds.expected.iter().all(VecDeque::is_empty), "all have come");
        rounds.rig.agreed(1_500, &[]);
    }
}

/// Split queues send to all first hops at the same time, four flits in a cycle; a single queue sends one.
#[test]
fn split_queues_send_a_flit_to_each_first_hop_in_a_cycle() {
    let all = Direction::ALL.map(Output::To);
    for (split, most) in [(all.to_vec(), 4), (vec![], 1)] {
        let links = split.len().max(1);
        let params = OverlaySourceParams { columns: 4, rows: 4, format: format(), split, places: 4, buffer: 4 };
        let mut rig = NetworkRig::new(&overlay_source(&params), false);
        if links > 1 {
            rig.sim.poke("here_x", 1);
            rig.sim.poke("here_y", 1);
        }
        let (mut credits, mut together, mut sent) = (params.credits(), 0, 0);
        for cycle in 0..40 {
            // To the nodes north, east, south and west of (1, 1), in turn.
            let shows = credits > 0 && sent < 16;
            rig.sim.poke("tx_valid", shows.into());
            if shows {
                rig.sim.poke("tx_dest", [1, 6, 9, 4][sent % 4]);
                rig.sim.poke("tx_flits", 4);
                (credits, sent) = (credits - 1, sent + 1);
            }
            credits += rig.sim.peek("tx_credit") as usize;
            let flits = (0..links).filter(|q| rig.sim.peek(&format!("out{q}_valid")) == 1).collect::<Vec<_>>();
            together = together.max(flits.len());
            (0..links).for_each(|q| rig.sim.poke(&format!("out{q}_credit"), 0));
            flits.iter().for_each(|q| rig.sim.poke(&format!("out{q}_credit"), 1));
            assert!(sent < 16 || cycle > 10);
            rig.step();
        }
        assert_eq!(together, most);
    }
}

/// 4 x 4 with four memory nodes, reads and writes.
fn network(overlay: OverlayParams) -> FabricParams {
    let nodes = Nodes::new(4, 4, &[1, 7, 8, 14]).expect("legal");
    let network = NetworkParams { pipeline: 2, ..NetworkParams::new(FlitFormat::new(4, 128, 16, 8), 8, 1) };
    let organisation = Organisation::Dedicated;
    FabricParams { overlay: Some(overlay), organisation, ..FabricParams::new(nodes, network) }
}

fn overlay(buffer: usize, split: bool) -> OverlayParams {
    OverlayParams { width: 32, buffer, split, header_flits: 0, clock: None }
}

fn bench(network: &FabricParams) -> Bench {
    let traffic = Traffic {
        pattern: Pattern::ManyToFew,
        hot_share: 0.2,
        transactions: memory(0.7, 16),
        service: 0,
        matrix: None,
        burst: None,
    };
    Bench::new(network, &traffic, &options()).unwrap_or_else(|e| panic!("{e}"))
}

/// Each packet alone takes the cycles of the formula, to the cycle, however shallow the buffers are.
#[test]
fn packets_alone_take_the_cycles_of_mesh_and_overlay() {
    for (buffer, split) in [(4, false), (4, true), (2, false), (3, true), (8, false)] {
        let mut bench = bench(&network(overlay(buffer, split)));
        bench.fabric().prove().unwrap_or_else(|e| panic!("{e}"));
        let flows = bench.fabric().flows().to_vec();
        for flow in flows {
            for flits in [1, 2, 5, 16] {
                let alone = bench.alone(flow, flits).unwrap_or_else(|e| panic!("{e}"));
                let said = bench.zero_load_of(flow.source, flow.dest, flits);
                // Requests may wait for their own credits in the mesh.
                if flow.class == MessageClass::Reply || flits == 1 {
                    assert_eq!(said, alone, "{flow:?}, {flits} flits, buffer {buffer}, split {split}");
                }
            }
        }
    }
}

/// Vertices: links of four trees that reach 12 cores each, their ejections and injections; requests as before.
#[test]
fn the_proof_goes_through_the_overlays() {
    let network = network(overlay(4, false));
    let flows = network.nodes.flows();
    let fabric = Fabric::new(network.clone(), &flows).unwrap_or_else(|e| panic!("{e}"));
    let proof = fabric.prove().unwrap_or_else(|e| panic!("{e}"));
    let trees = fabric.overlay().expect("there are some").trees();
    let links: usize = trees.iter().map(|tree| tree.links()).sum();
    let requests: Vec<_> = flows.into_iter().filter(|flow| flow.class == MessageClass::Request).collect();
    let alone = FabricParams { overlay: None, ..network };
    let alone = Fabric::new(alone, &requests).expect("legal").prove().expect("XY");
    assert_eq!(proof.channels, alone.channels + links + 4 * (12 + 1));
}

/// Under load nothing is lost or changed (the sinks check), and it comes to its end; split queues carry more than
/// single ones.
#[test]
fn networks_with_overlays_carry_their_load() {
    let mut carried = vec![];
    for split in [false, true] {
        for buffer in [2, 4] {
            let mut bench = bench(&network(overlay(buffer, split)));
            let phases = Phases { warmup: 200, measure: 1_000, drain: 6_000 };
            let low = bench.run(0.02, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(low.missing, 0);
            assert!(low.packets > 60, "{} packets", low.packets);
            let high = bench.run(0.9, phases, 2, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
            assert!(high.stuck.is_empty(), "{:?}", high.stuck);
            carried.push(high.accepted);
        }
    }
    assert!(carried[1] > 1.5 * carried[0], "four places carry more than two: {carried:?}");
    assert!(carried[3] > 1.3 * carried[1], "split queues carry more: {carried:?}");
}

/// What overlays have sent is counted by output: a flit goes on from router to router, and what leaves for cores are
/// replies with their headers.
#[test]
fn flits_of_overlays_are_counted_by_output() {
    for split in [false, true] {
        let mut bench = bench(&network(overlay(4, split)));
        let phases = Phases { warmup: 1_000, measure: 4_000, drain: 1_000 };
        let point = bench.run(0.05, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        let overlay = bench.fabric().overlay().expect("there are some");
        let of = |router: &str, port: &str| {
            let link = point.links.iter().find(|link| link.router == router && link.port == port);
            link.unwrap_or_else(|| panic!("no {router} {port}")).utilisation
        };
        let (mut ejected, mut differ) = (0.0, 0.0);
        for output in overlay.outputs() {
            let sent = of(&output.router, &output.output.to_string());
            match output.to {
                None => ejected += sent,
                Some(below) => {
                    let of_next = (output.network, below);
                    let on = overlay.outputs().into_iter().filter(|on| (on.network, on.node) == of_next);
                    let on: f64 = on.map(|on| of(&on.router, &on.output.to_string())).sum();
                    differ = f64::max(differ, (sent - on).abs());
                }
            }
        }
        // In the measured cycles a few flits come that were sent before, and some are still on their way.
        assert!(differ * 4_000.0 <= 8.0, "{} flits", differ * 4_000.0);
        let reply = &point.classes["reply"];
        let flits = reply.accepted * overlay.trees().len() as f64;
        let (low, high) = (0.98 * flits, 1.02 * flits * f64::from(1 + overlay.header_flits()));
        assert!(ejected > low && ejected <= high, "{ejected}: of {low} without headers");
    }
}

/// The floor plan: channels of overlays beside those of requests, each once, with the use of all that share it;
/// sources, and ports at cores.
#[test]
fn overlays_are_drawn_beside_the_mesh() {
    let nodes = Nodes::new(3, 2, &[1, 5]).expect("legal");
    let flows = nodes.flows();
    let network = NetworkParams::new(FlitFormat::new(2, 64, 6, 1), 4, 1);
    let (organisation, overlay) = (Organisation::Dedicated, Some(overlay(4, true)));
    let params = FabricParams { organisation, overlay, ..FabricParams::new(nodes, network) };
    let fabric = Fabric::new(params, &flows).expect("legal");
    let used = |(i, output): (usize, PlacedOutput)| {
        let PlacedOutput { subnetwork, router, port, .. } = output;
        LinkUse { subnetwork, router, port, utilisation: i as f64 / 100.0, vcs: vec![i as f64 / 100.0] }
    };
    let links: Vec<_> = fabric.output_units().into_iter().enumerate().map(used).collect();
    let svg = FloorPlan::new("overlays".into(), &fabric, links.clone()).svg();
    let count = |what: &str| svg.matches(what).count();
    assert_eq!((count("source of an overlay of"), count("<circle ")), (2, 2));
    assert_eq!(count("from overlays: "), 4, "every core");
    let trees = fabric.overlay().expect("there are two").trees().iter();
    let channels: BTreeSet<_> = trees.flat_map(|tree| tree.nodes().filter_map(|node| tree.above(node))).collect();
    assert_eq!(count(", overlays: "), channels.len());
    let of = |router: &str, port: &str| {
        let link = links.iter().find(|link| link.router == router && link.port == port);
        link.unwrap_or_else(|| panic!("no {router} {port}")).utilisation
    };
    let shared = [("overlay0_router4", 1), ("overlay1_router4", 5)];
    let shared = shared.map(|(router, root)| format!("{:.3} of {root}", of(router, "eject0")));
    assert!(svg.contains(&format!("node 4, from overlays: {} flits a cycle", shared.join(", "))), "{svg}");
    assert!(!svg.contains("  "), "{svg}");
}

/// With a clock of their own replies alone take about the time of the formula and of two crossings, and the load is
/// carried as well.
#[test]
fn overlays_may_have_a_clock_of_their_own() {
    let mut carried = vec![];
    for clock in [None, Some([2500, 1000]), Some([400, 1000])] {
        let mut bench = bench(&network(OverlayParams { clock, ..overlay(4, true) }));
        let flows = bench.fabric().flows().to_vec();
        for flow in flows.into_iter().filter(|flow| flow.class == MessageClass::Reply) {
            let alone = bench.alone(flow, 16).unwrap_or_else(|e| panic!("{e}"));
            let said = bench.zero_load_of(flow.source, flow.dest, 16);
            let crossings = clock.map_or(0..=0, |[own, network]| 4..=10 + 5 * network / own);
            assert!(crossings.contains(&((alone - said) as u32)), "{flow:?}, {clock:?}: {alone}, {said} said");
        }
        let phases = Phases { warmup: 200, measure: 1_000, drain: 6_000 };
        let low = bench.run(0.02, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((low.missing, low.packets > 60), (0, true));
        let mean = low.packet_latency.expect("there are packets").mean;
        assert!(mean >= bench.zero_load_latency() - 2.0, "{mean} cycles");
        let high = bench.run(0.9, phases, 2, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        assert!(high.stuck.is_empty(), "{:?}", high.stuck);
        carried.push(high.accepted);
    }
    assert!(carried[1] > 1.2 * carried[0] && carried[2] < 0.7 * carried[0], "{carried:?}");
}

/// What does not go together with overlays is an error that says so.
#[test]
fn overlays_that_cannot_be_are_errors() {
    use warpmesh::noc::{RingParams, TopologyKind, TopologyParams, fabric::RouterKinds};
    let good = network(overlay(4, false));
    let error = |network: FabricParams| {
        let flows = network.nodes.flows();
        Fabric::new(network, &flows).expect_err("impossible").to_string()
    };
    let torus = TopologyParams { kind: TopologyKind::Torus, concentration: 1 };
    let cases = [
        (FabricParams { organisation: Organisation::Single, ..good.clone() }, "network of their own"),
        (FabricParams { organisation: Organisation::Combined, ..good.clone() }, "network of their own"),
        (FabricParams { ring: Some(RingParams::new(8)), ..good.clone() }, "with a ring"),
        (FabricParams { topology: torus, ..good.clone() }, "topology"),
        (FabricParams { routers: RouterKinds::Checkerboard, ..good.clone() }, "half-routers"),
        (FabricParams { overlay: Some(OverlayParams { width: 12, ..overlay(4, false) }), ..good.clone() }, "128 bytes"),
        (FabricParams { overlay: Some(OverlayParams { buffer: 0, ..overlay(4, false) }), ..good }, "1 to 256"),
    ];
    for (network, part) in cases {
        let text = error(network);
        assert!(text.starts_with("overlay.") && text.contains(part), "{text}");
    }
}
