//! Priority of injected replies in a router, and how long others wait for them: accelerated reply injection (Y. Li and
//! L. Chen, IPDPS 2020), section 5.

use crate::{
    router::{RouterBench, middle, network},
    support::*,
};
use hdl::Bits;
use netlist::elaborate;
use noc::{
    AllocatorKind, AllocatorParams, Connectivity, FlitFormat, Input, InputPort, NetworkParams, NocError, Ports,
    Priority, Routing, router,
    starvation::{STARVATION_EVENTS, STARVED_CYCLES},
};

/// A full router whose injection port has a link and a switch input for each of four VCs, and packets with a priority;
/// those of other ports may have one, too.
fn injecting(all: bool) -> Connectivity {
    let of = |input| match input {
        Input::Inject(_) => InputPort { switch_inputs: 4, links: 4, priority: true },
        Input::From(_) => InputPort { priority: all, ..InputPort::default() },
    };
    Connectivity::full(&Ports::interior()).with_ports(of)
}

fn priority(levels: u32, starvation_cycles: u32) -> Option<Priority> {
    Some(Priority { levels, starvation_cycles })
}

/// In the middle of a 3 x 3 mesh: each VC of the injection port has 10 packets of 32 flits to the east, and a packet of
/// one flit comes from the west. The cycles that this one takes, how often ports starve, and for how many cycles.
fn through(network: NetworkParams, injected: u64) -> (u64, u64, u64) {
    let module = router(&middle(injecting(false), network)).expect("legal");
    let inputs = ["west", "inject0_link0", "inject0_link1", "inject0_link2", "inject0_link3"].map(String::from);
    let mut h = Harness::new(&module, network.format, network.depth, &inputs, &["east".into()], false);
    h.rig.sim.poke("here_x", 1);
    h.rig.sim.poke("here_y", 1);
    let packet = |info: u64, vc: u32, flits: usize| {
        let flits = vec![Bits::zero(8); flits];
        Packet { dest: 5, route_class: 0, waypoint: 0, info, vcs: vc..vc + 1, flits }
    };
    for vc in 0..4 {
        h.prioritise(1 + vc as usize, injected);
        (0..10).for_each(|_| h.send(1 + vc as usize, packet(1, vc, 32)));
    }
    (0..60).for_each(|_| drop(h.step()));
    h.send(0, packet(2, 0, 1));
    let begin = h.cycle;
    while !h.step().iter().any(|got| got.info == 2) {
        assert!(h.cycle < 4_000, "the packet never passes");
    }
    let probes = h.rig.sim.probes();
    let count = |statistic| {
        let own = probes.iter().filter(|probe| probe.statistic.is_some_and(|own| own.is_of(statistic)));
        own.map(|probe| probe.count).sum()
    };
    (h.cycle - begin, count(STARVATION_EVENTS), count(STARVED_CYCLES))
}

fn plain() -> NetworkParams {
    NetworkParams { longest: 32, ..NetworkParams::new(FlitFormat::new(4, 8, 9, 8), 8, 1) }
}

#[test]
fn injected_packets_go_first_until_others_starve() {
    // Until one of four packets of 32 flits that share the output has left, the way, and a turn of each of five switch
    // inputs.
    let way = 4 * 32 + 5 + 2 + 5;
    let (without, events, _) = through(plain().with_header(false, priority(2, 1000)), 0);
    assert!(without <= way && events == 0, "{without} cycles without a priority");
    for cycles in [50, 200, 700] {
        let (takes, events, starved) = through(plain().with_header(false, priority(2, cycles)), 1);
        let cycles = u64::from(cycles);
        assert!((cycles..=2 * cycles + way).contains(&takes), "{cycles}: {takes} cycles");
        assert!(events >= 1 && starved >= events, "{cycles}: {events} events of {starved} cycles");
    }
    let (takes, events, _) = through(plain().with_header(false, priority(2, 60_000)), 1);
    assert!(takes > 1_100 && events == 0, "40 packets of 32 flits go first: {takes} cycles");
}

/// Every route computation takes one off; with two levels only the injection port has some.
#[test]
fn a_hop_takes_a_level() {
    for (levels, all, comes, leaves) in [(2, false, 1, 0), (4, true, 3, 2), (4, true, 1, 0), (4, true, 0, 0)] {
        let network = plain().with_header(false, priority(levels, 1000));
        let module = router(&middle(injecting(all), network)).expect("legal");
        let mut h =
            Harness::new(&module, network.format, network.depth, &["inject0_link1".into()], &["east".into()], false);
        h.rig.sim.poke("here_x", 1);
        h.rig.sim.poke("here_y", 1);
        h.prioritise(0, comes);
        h.send(0, Packet { dest: 5, route_class: 0, waypoint: 0, info: 1, vcs: 1..2, flits: vec![Bits::zero(8); 3] });
        let mut flits = 0;
        for _ in 0..30 {
            if h.rig.sim.peek("out_east_valid") == 1 {
                assert_eq!(h.rig.sim.peek("out_east_priority"), leaves, "{comes} of {levels} levels");
                flits += 1;
            }
            h.step();
        }
        assert_eq!(flits, 3);
    }
}

fn loaded(all: bool, network: NetworkParams, lockstep: bool) -> RouterBench {
    let mut bench = RouterBench::new(middle(injecting(all), network), lockstep);
    // Links of the injection port are the last channels.
    let highest = u64::from(network.priority.expect("there is one").levels - 1);
    for source in 0..8 {
        bench.harness.prioritise(source, if source >= 4 { highest } else { u64::from(all) });
    }
    bench.harness.hold = 0.2;
    bench
}

#[test]
fn routers_with_priorities_deliver_with_every_allocator() {
    use AllocatorKind::*;
    for (i, kind) in (0..).zip([Islip, Pim, SeparableInputFirst, Wavefront]) {
        for (j, routing) in (0..).zip([Routing::Xy, Routing::Adaptive]) {
            let allocator = AllocatorParams { kind, ..AllocatorParams::default() };
            let pipeline = 1 + (i + j) % 4;
            let network = NetworkParams {
                vc_allocator: allocator,
                switch_allocator: allocator,
                pipeline,
                longest: 5,
                ..network(4, 32, 2 + i as usize, 2).with_routing(routing)
            };
            let network = network.with_header(i % 2 == 0, priority(2 + j, 20));
            loaded(j == 1, network, false).run(300, 0.3);
        }
    }
}

#[test]
fn lockstep_router_with_priorities() {
    let network = NetworkParams { longest: 5, ..network(4, 32, 4, 2) }.with_header(false, priority(2, 12));
    let mut bench = loaded(false, network, true);
    bench.run(4_000, 0.3);
    assert!(bench.harness.rig.agreement().cycles >= 5_000);
}

#[test]
fn lockstep_adaptive_router_with_priorities_and_whole_packets() {
    let network = NetworkParams { longest: 5, pipeline: 3, ..network(4, 32, 6, 2).with_routing(Routing::Adaptive) };
    let mut bench = loaded(true, network.with_header(true, priority(3, 12)), true);
    bench.run(4_000, 0.3);
    assert!(bench.harness.rig.agreement().cycles >= 5_000);
}

/// In front of an indirect topology there is nothing that could starve.
#[test]
fn a_router_of_injection_ports_with_priorities_alone_is_legal() {
    let ports = Ports { links: vec![], injects: 2, ejects: 1 };
    let matrix = Connectivity::full(&ports).with_ports(|_| InputPort { priority: true, ..InputPort::default() });
    let module = router(&middle(matrix, plain().with_header(false, priority(2, 10)))).expect("legal");
    elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn impossible_priorities_are_errors() {
    let error = |network| router(&middle(injecting(false), network)).expect_err("impossible");
    let levels = error(plain().with_header(false, priority(9, 10))).to_string();
    assert_eq!(levels, "priority_levels = 9: allowed: 2 to 8");
    let cycles = error(plain().with_header(false, priority(2, 0))).to_string();
    assert_eq!(cycles, "starvation_cycles = 0: allowed: 1 to 65535");
    assert_eq!(error(NetworkParams { priority: priority(2, 10), ..plain() }), NocError::Header);
}
