//! Intra-clustering: channels of the ring alone, and networks with a ring under open-loop traffic.

use crate::{matrix::options, network_rig::NetworkRig, organisations::traffic};
use warpmesh::{
    noc::{
        Fabric, FabricParams, FlitFormat, MessageClass, NetworkParams, Nodes, RingParams,
        deadlock::{Subnetwork, prove, prove_with},
        ring::{ChannelParams, RingFormat, ring_channel},
    },
    open_loop::{Bench, Phases},
};

/// A channel of a ring of eight cycles with a writer at each position but the home's; requests of up to five flits.
fn channel(flits: u32, rx: usize, fair_wait: u32) -> ChannelParams {
    let format = RingFormat {
        class: MessageClass::Request,
        node_bits: 6,
        sideband_bits: 8,
        length_bits: 3,
        payload_bits: 40,
        width: 8,
        flits,
    };
    ChannelParams { format, cycles: 8, offsets: (1..8).collect(), tx: 2, rx, fair_wait }
}

/// Memory nodes that write, and a home that takes packets after a while.
struct Writers {
    rig: NetworkRig,
    p: ChannelParams,
    cycle: u64,
    /// By writer: credits, and packets sent.
    places: Vec<usize>,
    sent: Vec<u64>,
    /// Parts of the packet that comes.
    parts: Vec<u64>,
    /// Packets at the home: writer, number, payload, cycle.
    arrived: Vec<(u64, u64, u64, u64)>,
    /// Packets whose places are still to be given back.
    held: usize,
}

impl Writers {
    fn new(p: ChannelParams, lockstep: bool) -> Self {
        let rig = NetworkRig::new(&ring_channel(&p), lockstep);
        let writers = p.offsets.len();
        let (places, sent) = (vec![p.tx; writers], vec![0; writers]);
        Self { rig, p, cycle: 0, places, sent, parts: vec![], arrived: vec![], held: 0 }
    }

    /// One cycle: these writers show a packet of so many flits if they have a place, and the home gives a place back.
    fn step(&mut self, shows: &[(usize, u64)], gives: bool) {
        let sim = &mut self.rig.sim;
        for w in 0..self.places.len() {
            let flits = shows.iter().find(|(writer, _)| *writer == w && self.places[w] > 0).map(|(_, flits)| *flits);
            sim.poke(&format!("tx{w}_valid"), flits.is_some().into());
            if let Some(flits) = flits {
                let number = self.sent[w];
                let payload = (0..5).fold(0, |word, i| word | ((number + 16 * i) & 0xff) << (8 * i));
                for (field, value) in
                    [("node", w as u64), ("flits", flits), ("sideband", number & 0xff), ("payload", payload)]
                {
                    sim.poke(&format!("tx{w}_{field}"), value);
                }
                self.places[w] -= 1;
                self.sent[w] += 1;
            }
        }
        let gives = gives && self.held > 0;
        self.held -= usize::from(gives);
        sim.poke("rx_credit", gives.into());
        for (w, places) in self.places.iter_mut().enumerate() {
            *places += sim.peek(&format!("tx{w}_credit")) as usize;
        }
        if sim.peek("rx_valid") == 1 {
            self.parts.push(sim.peek("rx_payload"));
            if sim.peek("rx_tail") == 1 {
                let bits = self.p.format.cycle_bits();
                let payload = self.parts.drain(..).rev().fold(0, |word, part| word << bits | part);
                let packet = (sim.peek("rx_node"), sim.peek("rx_sideband"), payload, self.cycle);
                self.arrived.push(packet);
                self.held += 1;
            }
        }
        self.rig.step();
        self.cycle += 1;
        self.invariant();
    }

    /// Credits, tokens, slots that are promised or in use, and packets at the home are as many as there are places.
    fn invariant(&mut self) {
        let sim = &mut self.rig.sim;
        let mut value = |name: String| sim.peek_net(&name).unwrap_or_else(|e| panic!("{e}")).to_u64();
        let credits = value("credits".into());
        let tokens: u64 = (1..=self.p.cycles).map(|position| value(format!("token{position}"))).sum();
        // A packet is in flight from its token on: it is written, or on its way with its tail, or at the home.
        let writing: u64 = if self.p.format.slot() == 1 {
            0
        } else {
            (0..self.p.offsets.len()).map(|w| u64::from(value(format!("writer{w}.parts_left")) > 0)).sum()
        };
        let tails: u64 = (1..=self.p.cycles)
            .filter(|position| *position >= self.p.offsets[0])
            .map(|position| value(format!("slot_full{position}")) & value(format!("slot{position}_tail")))
            .sum();
        let all = credits + tokens + writing + tails + self.held as u64;
        assert_eq!(
            all, self.p.rx as u64,
            "cycle {}: {credits} credits, {tokens} tokens, {writing} + {tails} slots",
            self.cycle
        );
    }
}

/// From each position a packet takes the light's time to the home and one more, with its other parts behind the first
/// one.
#[test]
fn a_packet_from_each_position_takes_the_cycles_of_its_distance() {
    for (per_cycle, rx) in [(1, 8), (2, 8), (5, 16)] {
        for (w, flits) in (0..7).flat_map(|w| [1, 3, 5].map(|flits| (w, flits))) {
            let mut writers = Writers::new(channel(per_cycle, rx, 0), false);
            (0..20).for_each(|_| writers.step(&[], true));
            let shown = writers.cycle;
            writers.step(&[(w, flits)], true);
            // Its token is at the next multiple of a slot.
            let mut taken = None;
            while writers.arrived.is_empty() {
                if taken.is_none() && writers.places[w] == 2 {
                    // The credit is there in the cycle after the token.
                    taken = Some(writers.cycle - 2);
                }
                writers.step(&[], true);
                assert!(writers.cycle < shown + 40, "writer {w}");
            }
            let (node, _, payload, arrived) = writers.arrived[0];
            let taken = taken.expect("it has taken a token before it arrived");
            let slot = u64::from(writers.p.format.slot());
            assert!((shown..shown + slot).contains(&taken), "writer {w}: shown {shown}, token {taken}");
            let distance = u64::from(8 - writers.p.offsets[w]);
            let parts = u64::from(writers.p.format.cycles_of(flits as u32));
            assert_eq!(arrived, taken + 1 + distance + parts - 1, "writer {w}, {flits} flits, {per_cycle} a cycle");
            assert_eq!((node, payload & 0xff), (w as u64, 0));
            let seen = (0..flits).map(|i| payload >> (8 * i) & 0xff).collect::<Vec<_>>();
            assert_eq!(seen, (0..flits).map(|i| 16 * i).collect::<Vec<_>>());
        }
    }
}

/// All writers always have packets: the channel carries one in each slot, none is lost and each writer's are in order.
/// The first writer takes all that it can, so the last one starves; with a fair slot all get their part.
#[test]
fn a_full_channel_carries_a_packet_a_slot_and_starves_the_last_writer_unless_it_is_fair() {
    let all: Vec<_> = (0..7).map(|w| (w, 5)).collect();
    for (per_cycle, rx) in [(1, 8), (3, 8), (5, 16)] {
        for fair_wait in [0, 40] {
            let p = channel(per_cycle, rx, fair_wait);
            let slot = u64::from(p.format.slot());
            let mut writers = Writers::new(p, false);
            (0..1_500).for_each(|_| writers.step(&all, true));
            let before = writers.arrived.len();
            (0..1_000).for_each(|_| writers.step(&all, true));
            let packets = (writers.arrived.len() - before) as u64;
            let of: Vec<u64> = (0..7)
                .map(|w| writers.arrived[before..].iter().filter(|packet| packet.0 == w).count() as u64)
                .collect();
            for w in 0..7 {
                let numbers: Vec<_> = writers.arrived.iter().filter(|packet| packet.0 == w).map(|p| p.1).collect();
                assert!(
                    numbers.iter().enumerate().all(|(i, number)| i as u64 & 0xff == *number),
                    "writer {w}: in order"
                );
            }
            if fair_wait == 0 {
                assert!((1_000 / slot - 1..=1_000 / slot + 1).contains(&packets), "{per_cycle} a cycle: {packets}");
                assert_eq!(of[6], 0, "the last writer starves: {of:?}");
            } else {
                assert!(packets >= 600 / slot, "tokens that are let pass are few: {packets}");
                assert!(of.iter().all(|&packets| packets > 0), "every writer has its part: {of:?}");
            }
        }
    }
}

/// Random packets and a home that is slow, beside the exported Verilog.
#[test]
fn channels_agree_with_their_verilog() {
    for (per_cycle, rx, fair_wait) in [(1, 2, 0), (5, 3, 20)] {
        let mut writers = Writers::new(channel(per_cycle, rx, fair_wait), true);
        let mut random = warpmesh::verilog::lockstep::Rng::new(u64::from(per_cycle));
        for _ in 0..800 {
            let drawn: Vec<_> = (0..7).filter(|_| random.chance(0.02)).collect();
            let shows: Vec<_> = drawn.into_iter().map(|w| (w, 1 + random.below(5))).collect();
            writers.step(&shows, random.chance(0.5));
        }
        assert!(writers.arrived.len() > 60, "{} packets", writers.arrived.len());
        writers.rig.agreed(800, &[]);
    }
}

/// 4 x 4 with four memory nodes in the corners' neighbourhood, reads and writes.
fn network(ring: RingParams) -> FabricParams {
    let nodes = Nodes::new(4, 4, &[1, 7, 8, 14]).expect("legal");
    let network = NetworkParams { pipeline: 2, ..NetworkParams::new(FlitFormat::new(4, 128, 16, 8), 8, 1) };
    FabricParams { ring: Some(ring), ..FabricParams::new(nodes, network) }
}

fn bench(network: &FabricParams) -> Bench {
    Bench::new(network, &traffic(), &options()).unwrap_or_else(|e| panic!("{e}"))
}

/// Each packet alone takes the cycles of the formula, but for the phase of its token.
#[test]
fn packets_alone_take_the_cycles_of_mesh_and_ring() {
    use warpmesh::noc::Flow;
    for flits in [1, 4] {
        let network = network(RingParams { flits: [flits; 2], ..RingParams::new(8) });
        let mut bench = bench(&network);
        bench.fabric().prove().unwrap_or_else(|e| panic!("{e}"));
        let flows = bench.fabric().flows().to_vec();
        let mut sum = [0.0; 2];
        for flow in flows {
            for flits in [1, 4] {
                let alone = bench.alone(flow, flits).unwrap_or_else(|e| panic!("{e}")) as i64;
                let Flow { source, dest, .. } = flow;
                let said = bench.zero_load_of(source, dest, flits) as i64;
                let ring = bench.fabric().ring().expect("there is one");
                let slot = 4_u32.div_ceil(ring.params().flits[0]);
                let most = ring.relay(flow).map_or(0, |_| i64::from(ring.token_wait(slot).1));
                assert!((said - alone).abs() <= most, "{flow:?}, {flits} flits: {alone} cycles, {said} said");
                sum = [sum[0] + alone as f64, sum[1] + said as f64];
            }
        }
        assert!((sum[0] / sum[1] - 1.0).abs() < 0.05, "{sum:?}");
    }
}

/// The proof has a vertex for each channel of the ring, joined with the mesh at hosts and homes.
#[test]
fn the_proof_goes_through_the_ring() {
    let nodes = Nodes::new(8, 8, &[3, 15, 17, 29, 36, 47, 49, 61]).expect("legal");
    let network = NetworkParams { longest: 5, ..NetworkParams::new(FlitFormat::new(4, 128, 64, 8), 8, 1) };
    let flows = nodes.flows();
    let params = FabricParams { ring: Some(RingParams::new(8)), ..FabricParams::new(nodes, network) };
    let fabric = Fabric::new(params, &flows).unwrap_or_else(|e| panic!("{e}"));
    fabric.prove().unwrap_or_else(|e| panic!("{e}"));
    let ring = fabric.ring().expect("there is one");
    let relayed: Vec<_> = flows.into_iter().filter(|flow| ring.relay(*flow).is_some()).collect();
    let legs = ring.legs(&relayed).expect("memory nodes answer");
    let mesh = [Subnetwork::new(fabric.grid(&fabric.subnetworks()[0]), legs, true)];
    let without = prove(&mesh).unwrap_or_else(|e| panic!("{e}"));
    let with = prove_with(&mesh, ring, &relayed).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(with.channels, without.channels + 2 * 8);
    assert!(with.dependencies > without.dependencies + 2 * 8 * 7, "{with}, without {without}");
}

/// Under load nothing is lost or changed (the sinks check), and it comes to its end.
#[test]
fn networks_with_a_ring_carry_their_load() {
    for ring in [
        RingParams::new(8),
        RingParams { flits: [4; 2], tx: 1, rx: 1, fair_wait: 30, ..RingParams::new(12) },
        RingParams { direct_below: 0, ..RingParams::new(4) },
    ] {
        let mut bench = bench(&network(ring));
        let phases = Phases { warmup: 200, measure: 1_000, drain: 4_000 };
        let low = bench.run(0.05, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(low.missing, 0);
        assert!(low.packets > 400, "{} packets", low.packets);
        let high = bench.run(0.9, phases, 2, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
        assert!(high.stuck.is_empty() && high.accepted > 0.03, "{}", high.accepted);
    }
}
