//! Split reply queues of a network interface: accelerated reply injection (Y. Li and L. Chen, IPDPS 2020), section 4.1.

use crate::{interface_rig::run, matrix::options};
use warpmesh::{
    netlist::elaborate,
    noc::{
        FabricParams, FlitFormat, InterfaceParams, MessageClass, NetworkParams, NocError, Nodes, Organisation,
        PortChoice, Priority, Routing, SplitQueues,
        interface::{FRAGMENTED_STALL_CYCLES, FULL_STALL_CYCLES, QUEUED_FLITS},
        network_interface,
    },
    open_loop::{Bench, Pattern, Phases, Sizes, Traffic, traffic::memory},
    sim::Simulator,
};

/// The interface of a memory node on a reply network of its own with four VCs; replies of up to eight flits.
fn interface(links: u32, packets: usize) -> InterfaceParams {
    let network = NetworkParams::new(FlitFormat::new(4, 64, 16, 8), 8, 1);
    InterfaceParams {
        organisation: Organisation::Dedicated,
        messages: 1,
        split: Some(SplitQueues { links }),
        tx_queue_packets: packets,
        ..InterfaceParams::new(network, 4, 4, MessageClass::Reply)
    }
}

/// The same, but in one network with requests.
fn shared(vcs: u32, links: u32, packets: usize) -> InterfaceParams {
    let network = NetworkParams::new(FlitFormat::new(vcs, 128, 16, 8), 5, 2);
    InterfaceParams {
        split: Some(SplitQueues { links }),
        tx_queue_packets: packets,
        ..InterfaceParams::new(network, 4, 4, MessageClass::Reply)
    }
}

/// An endpoint that shows packets of these lengths as soon as it has credits, and routers that give credits back at
/// once, or never.
struct SplitQueuesRig {
    sim: Simulator,
    lanes: usize,
    places: usize,
    lengths: Vec<u64>,
    gives: bool,
}

impl SplitQueuesRig {
    fn new(p: &InterfaceParams, lengths: &[u64], gives: bool) -> Self {
        let design = elaborate(&network_interface(p).expect("legal")).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulator::new(&design, &options()).expect("can be simulated");
        sim.reset(2);
        sim.poke("here", 5);
        let lengths = lengths.iter().rev().copied().collect();
        Self { sim, lanes: p.injection_lanes().len(), places: p.tx_credits(), lengths, gives }
    }

    /// One cycle: flits that are on the links.
    fn step(&mut self) -> usize {
        let sim = &mut self.sim;
        let shown = if self.places > 0 { self.lengths.pop() } else { None };
        sim.poke("tx_valid", shown.is_some().into());
        sim.poke("tx_flits", shown.unwrap_or(0));
        self.places -= usize::from(shown.is_some());
        let mut flits = 0;
        for q in 0..self.lanes {
            let valid = sim.peek(&format!("out_inject{q}_valid"));
            let credit = valid << sim.peek(&format!("out_inject{q}_vc"));
            sim.poke(&format!("out_inject{q}_credit"), if self.gives { credit } else { 0 });
            flits += valid as usize;
        }
        self.places += sim.peek("tx_credit") as usize;
        sim.step().unwrap_or_else(|e| panic!("{e}"));
        flits
    }

    fn steps(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step();
        }
    }

    fn counted(&mut self, statistic: warpmesh::hdl::Statistic) -> u64 {
        let found = self.sim.probes().into_iter().filter(|probe| probe.statistic.is_some_and(|s| s.is_of(statistic)));
        found.map(|probe| probe.count).sum()
    }
}

/// A packet of the longest kind in each cycle for as many cycles as there are queues, then a flit of each link in each
/// cycle.
#[test]
fn a_packet_a_cycle_goes_in_and_a_flit_a_link_comes_out() {
    for links in [1, 2, 4] {
        let mut rig = SplitQueuesRig::new(&interface(links, 4), &[8; 4], true);
        let sent: Vec<_> = (0..48).map(|_| rig.step()).collect();
        assert_eq!(sent.iter().sum::<usize>(), 32, "{links} links: {sent:?}");
        assert_eq!(sent.iter().max(), Some(&(links as usize)), "{links} links: {sent:?}");
        // The first two cycles, a cycle a packet, and what the last link does alone.
        let last = sent.iter().rposition(|flits| *flits > 0).expect("some were sent");
        assert!(last < 32 / links as usize + 6, "{links} links: {sent:?}");
        if links == 4 {
            assert_eq!(sent[..14], [0, 0, 1, 2, 3, 4, 4, 4, 4, 4, 3, 2, 1, 0], "a packet entered in every cycle");
        }
    }
}

/// Packets of one flit leave places in every queue that are too few for a long one.
#[test]
fn what_a_packet_waits_for_is_told_apart() {
    // Eight flits of each VC leave, a long packet and two flits stay in each queue: no place for another long one.
    let mut rig = SplitQueuesRig::new(&interface(4, 8), &[8, 8, 8, 8, 8, 8, 8, 8, 1, 1, 1, 1, 8], false);
    rig.steps(60);
    assert_eq!(rig.counted(FULL_STALL_CYCLES), 0);
    assert!(rig.counted(FRAGMENTED_STALL_CYCLES) > 20, "28 flits fit, but not in one queue");
    assert!(rig.counted(QUEUED_FLITS) > 20);
    // All places are taken.
    let mut rig = SplitQueuesRig::new(&interface(4, 4), &[8; 9], false);
    rig.steps(40);
    let before = [FULL_STALL_CYCLES, FRAGMENTED_STALL_CYCLES].map(|statistic| rig.counted(statistic));
    rig.steps(20);
    let after = [FULL_STALL_CYCLES, FRAGMENTED_STALL_CYCLES].map(|statistic| rig.counted(statistic));
    assert_eq!(after, [before[0] + 20, before[1]]);
}

/// Flits of replies a cycle that a memory node in the middle of a 3 x 3 mesh sends at saturation, with split queues or
/// not and so many switch inputs.
fn supply(split: Option<u32>, injection_speedup: u32, change: impl Fn(FabricParams) -> FabricParams) -> f64 {
    let nodes = Nodes::new(3, 3, &[4]).expect("legal");
    let routers =
        NetworkParams { routing: Routing::Adaptive, ..NetworkParams::new(FlitFormat::new(4, 128, 9, 8), 9, 1) };
    let plain = FabricParams::new(nodes, routers);
    let split = split.map(|links| SplitQueues { links });
    let organisation = Organisation::Dedicated;
    let network = change(FabricParams { organisation, split, injection_speedup, ..plain });
    let traffic = Traffic {
        pattern: Pattern::ManyToFew,
        hot_share: 0.2,
        transactions: memory(1.0, 8),
        service: 0,
        matrix: None,
        burst: None,
    };
    let mut bench = Bench::new(&network, &traffic, &options()).unwrap_or_else(|e| panic!("{e}"));
    let phases = Phases { warmup: 300, measure: 1_000, drain: 0 };
    let point = bench.run(0.5, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
    point.classes["reply"].accepted
}

/// A single link, or a single switch input, carries a flit a cycle; with both it is as many as the lower of switch
/// inputs and outputs.
#[test]
fn supply_and_consumption_help_together() {
    let same = |network| network;
    for (split, switch_inputs) in [(None, 1), (None, 4), (Some(4), 1), (Some(1), 4)] {
        let flits = supply(split, switch_inputs, same);
        assert!((0.85..=1.02).contains(&flits), "{split:?} links, {switch_inputs} switch inputs: {flits}");
    }
    // Replies to all sides of the node, each packet behind others of its queue.
    let [two, four] = [2, 4].map(|switch_inputs| supply(Some(4), switch_inputs, same));
    assert!((1.6..=2.02).contains(&two), "two switch inputs: {two}");
    assert!(four > two + 0.2 && four <= 4.0, "four switch inputs: {four}, two: {two}");
    let priority = Some(Priority { levels: 2, starvation_cycles: 1000 });
    let all = supply(Some(4), 4, |network| FabricParams { priority, whole_packets: true, ..network });
    assert!((1.8..=4.0).contains(&all), "with priority: {all}");
}

/// Split queues are for nodes that send replies alone.
#[test]
fn traffic_in_which_memory_nodes_send_requests_is_an_error() {
    let nodes = Nodes::new(3, 3, &[4]).expect("legal");
    let plain = FabricParams::new(nodes, NetworkParams::new(FlitFormat::new(4, 128, 9, 8), 9, 1));
    let network = FabricParams { split: Some(SplitQueues { links: 2 }), ..plain };
    let sizes = Sizes::fixed(2);
    let traffic = |transactions| Traffic {
        pattern: Pattern::Uniform,
        hot_share: 0.2,
        transactions,
        service: 0,
        matrix: None,
        burst: None,
    };
    let error = Bench::new(&network, &traffic(sizes.echoed()), &options()).err().expect("impossible").to_string();
    assert!(error.contains("(requests too)"), "{error}");
    // Without replies nothing is split.
    let mut bench = Bench::new(&network, &traffic(sizes.one_way()), &options()).unwrap_or_else(|e| panic!("{e}"));
    let phases = Phases { warmup: 100, measure: 300, drain: 300 };
    let point = bench.run(0.2, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"));
    assert!(point.packets > 50);
}

#[test]
fn packets_and_flits_correspond() {
    for p in [interface(1, 4), interface(2, 8), interface(4, 4), shared(4, 2, 4), shared(8, 4, 8), shared(6, 3, 3)] {
        run(p, 2_000, false);
        // Of equally full queues it uses the first one, so the last ones little.
        run(InterfaceParams { port_choice: PortChoice::MostSpace, ..p }, 900, false);
    }
    let adaptive = |p: InterfaceParams| {
        let network = NetworkParams { classes: 2 * p.network.classes, ..p.network }.with_routing(Routing::Adaptive);
        InterfaceParams { network, ..p }
    };
    run(adaptive(interface(4, 4)), 2_000, false);
    run(adaptive(shared(8, 2, 4)), 2_000, false);
}

#[test]
fn lockstep_interface_with_a_link_for_each_queue() {
    run(interface(4, 8), 10_000, true);
}

#[test]
fn lockstep_interface_whose_queues_share_a_link() {
    run(shared(4, 1, 6), 10_000, true);
}

#[test]
fn impossible_split_queues_are_errors() {
    let error = |p: InterfaceParams| network_interface(&p).expect_err("impossible");
    assert_eq!(error(interface(3, 4)), NocError::SplitLinks { links: 3, queues: 4 });
    assert_eq!(error(interface(0, 4)), NocError::SplitLinks { links: 0, queues: 4 });
    assert_eq!(
        error(interface(8, 4)).to_string(),
        "reply_injection_links = 8 for 4 split queues: allowed: a number that divides them"
    );
    assert_eq!(error(interface(4, 6)), NocError::SplitPlaces { places: 6, queues: 4 });
    assert_eq!(error(shared(2, 1, 2)), NocError::NoSplit { queues: 1, ports: 1, both: false });
    let ports = InterfaceParams { injects: 2, ..interface(4, 4) };
    assert_eq!(error(ports), NocError::NoSplit { queues: 4, ports: 2, both: false });
}
