//! Replies that are written into their queue flit by flit: the narrow link from memory controller to interface in the
//! baseline of accelerated reply injection (Y. Li and L. Chen, IPDPS 2020), section 4.1.

use crate::{interface_rig::run, matrix::options};
use warpmesh::{
    netlist::elaborate,
    noc::{
        FabricParams, FlitFormat, InterfaceParams, MessageClass, NetworkParams, NocError, Nodes, Organisation,
        PortChoice, Routing, SplitQueues, network_interface,
    },
    open_loop::{Bench, Pattern, Phases, Sizes, Traffic, traffic::memory},
    sim::Simulator,
};

/// The interface of a memory node with places for so many replies of up to eight flits, on a network of their own.
fn interface(packets: usize, injects: u32) -> InterfaceParams {
    let network = NetworkParams::new(FlitFormat::new(4, 64, 16, 8), 8, 1);
    InterfaceParams {
        organisation: Organisation::Dedicated,
        messages: 1,
        flit_writes: true,
        injects,
        tx_queue_packets: packets,
        ..InterfaceParams::new(network, 4, 4, MessageClass::Reply)
    }
}

/// By cycle: packets that the interface has taken from an endpoint that shows packets of these lengths as it has
/// credits, and the flits that it has sent to routers that give every credit back at once, or none.
fn history(p: &InterfaceParams, lengths: &[u64], gives: bool, cycles: usize) -> Vec<(usize, usize)> {
    let design = elaborate(&network_interface(p).expect("legal")).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).expect("can be simulated");
    sim.reset(2);
    sim.poke("here", 5);
    let (mut places, mut taken, mut sent) = (p.tx_credits(), 0, 0);
    let mut lengths = lengths.iter();
    let mut of_cycle = |_| {
        let shown = if places > 0 { lengths.next() } else { None };
        sim.poke("tx_valid", shown.is_some().into());
        sim.poke("tx_flits", shown.copied().unwrap_or(0));
        places -= usize::from(shown.is_some());
        for q in 0..p.injection_lanes().len() {
            let valid = sim.peek(&format!("out_inject{q}_valid"));
            let credit = valid << sim.peek(&format!("out_inject{q}_vc"));
            sim.poke(&format!("out_inject{q}_credit"), if gives { credit } else { 0 });
            sent += valid as usize;
        }
        let credit = sim.peek("tx_credit") as usize;
        (places, taken) = (places + credit, taken + credit);
        sim.step().unwrap_or_else(|e| panic!("{e}"));
        (taken, sent)
    };
    (0..cycles).map(&mut of_cycle).collect()
}

/// A packet of L flits is written in L cycles: so long it is with the controller, and a long queue behind the link does
/// not help.
#[test]
fn a_packet_of_so_many_flits_takes_so_many_cycles() {
    for (lengths, cycles) in [(vec![8; 12], 8), (vec![3; 12], 3), (vec![1; 12], 1)] {
        let narrow = history(&interface(16, 1), &lengths, true, 130);
        let at = |packets: usize| narrow.iter().position(|(taken, _)| *taken == packets).expect("taken");
        for packets in 2..=12 {
            assert_eq!(at(packets) - at(packets - 1), cycles, "packet {packets} of {lengths:?}");
        }
        // The head does not wait for the rest: two cycles after the packet is shown it is on the channel, as with a
        // wide link.
        let wide = history(&InterfaceParams { flit_writes: false, ..interface(16, 1) }, &lengths, true, 130);
        let first = |history: &[(usize, usize)]| history.iter().position(|(_, sent)| *sent > 0);
        assert_eq!(first(&narrow), first(&wide));
        assert_eq!(narrow[129].1, 12 * cycles, "every flit is sent");
    }
}

/// Several ports of a controller with one narrow link send a flit in a cycle together; with a wide link they send as
/// many as there are ports.
#[test]
fn one_link_carries_a_flit_in_a_cycle_for_all_ports() {
    let most = |p: &InterfaceParams| {
        let sent: Vec<_> = history(p, &[8; 40], true, 300).iter().map(|(_, sent)| *sent).collect();
        (20..300).map(|cycle| sent[cycle] - sent[cycle - 10]).max()
    };
    assert_eq!(most(&interface(4, 2)), Some(10));
    assert_eq!(most(&InterfaceParams { flit_writes: false, ..interface(4, 2) }), Some(20));
}

/// Without credits of the router the queue fills, and then the controller waits: places are those of `tx_queue_packets`
/// packets.
#[test]
fn a_full_queue_stops_the_link() {
    for packets in [1, 3, 4] {
        // Flits for which the interface has credits at the start leave: 8 of each VC.
        let history = history(&interface(packets, 1), &[8; 40], false, 600);
        assert_eq!(history.last(), Some(&(4 + packets, 32)));
    }
}

#[test]
fn packets_and_flits_correspond() {
    let shared = |vcs: u32| {
        let network = NetworkParams::new(FlitFormat::new(vcs, 128, 16, 8), 5, 2);
        InterfaceParams { flit_writes: true, ..InterfaceParams::new(network, 4, 4, MessageClass::Reply) }
    };
    let one_flit = InterfaceParams { payload_bits: [64, 64], ..interface(2, 2) };
    for p in [interface(1, 1), interface(3, 2), interface(4, 4), shared(2), shared(6), one_flit] {
        run(p, 3_000, false);
        run(InterfaceParams { port_choice: PortChoice::MostSpace, ..p }, 900, false);
    }
    let adaptive = NetworkParams { classes: 2, ..interface(4, 1).network }.with_routing(Routing::Adaptive);
    run(InterfaceParams { network: adaptive, ..interface(4, 1) }, 2_000, false);
}

#[test]
fn lockstep_interface_with_a_narrow_link() {
    run(interface(4, 1), 10_000, true);
}

#[test]
fn lockstep_interface_with_a_narrow_link_and_several_ports() {
    run(interface(2, 3), 10_000, true);
}

/// Flits of replies a cycle that a memory node in the middle of a 3 x 3 mesh sends at saturation, and the latency of a
/// packet at a low rate.
fn measured(flit_writes: bool, injects: u32) -> (f64, f64) {
    let nodes = Nodes::new(3, 3, &[4]).expect("legal");
    let routers = NetworkParams::new(FlitFormat::new(4, 128, 9, 8), 9, 1);
    let organisation = Organisation::Dedicated;
    let network = FabricParams { organisation, flit_writes, injects, ..FabricParams::new(nodes, routers) };
    let transactions = memory(1.0, 8);
    let traffic =
        Traffic { pattern: Pattern::ManyToFew, hot_share: 0.2, transactions, service: 0, matrix: None, burst: None };
    let mut bench = Bench::new(&network, &traffic, &options()).unwrap_or_else(|e| panic!("{e}"));
    let mut at = |rate: f64, drain: u64| {
        let phases = Phases { warmup: 300, measure: 2_000, drain };
        bench.run(rate, phases, 1, 16, |_| {}).unwrap_or_else(|e| panic!("{e}"))
    };
    (at(0.5, 0).classes["reply"].accepted, at(0.002, 500).classes["reply"].packet_latency.expect("replies").mean)
}

/// One port: a flit a cycle either way, and the same latency while nothing waits. Two ports: the narrow link is the
/// bound.
#[test]
fn a_narrow_link_bounds_several_ports() {
    let ((wide, latency), (narrow, same)) = (measured(false, 1), measured(true, 1));
    assert!((0.9..=1.02).contains(&wide) && (0.9..=1.02).contains(&narrow), "one port: {wide} and {narrow}");
    assert!((latency - same).abs() < 0.5, "latency {latency} and {same}");
    let (wide, narrow) = (measured(false, 2).0, measured(true, 2).0);
    assert!(wide > 1.3 && narrow <= 1.02, "two ports: {wide} and {narrow}");
}

#[test]
fn impossible_narrow_links_are_errors() {
    let split = InterfaceParams { split: Some(SplitQueues { links: 1 }), ..interface(4, 1) };
    assert_eq!(network_interface(&split).expect_err("impossible"), NocError::FlitWrites { both: false });
    let nodes = Nodes::new(3, 3, &[4]).expect("legal");
    let plain = FabricParams::new(nodes, NetworkParams::new(FlitFormat::new(4, 128, 9, 8), 9, 1));
    let network = FabricParams { flit_writes: true, ..plain };
    let traffic = |transactions| Traffic {
        pattern: Pattern::Uniform,
        hot_share: 0.2,
        transactions,
        service: 0,
        matrix: None,
        burst: None,
    };
    let error = |transactions| Bench::new(&network, &traffic(transactions), &options()).err().map(|e| e.to_string());
    let sizes = Sizes::fixed(2);
    let both = error(sizes.echoed()).expect("memory nodes send requests");
    assert!(both.contains("that sends requests too: allowed: replies alone"), "{both}");
    assert_eq!(error(sizes.one_way()), None, "without replies nothing is narrow");
}
