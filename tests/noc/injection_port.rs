//! Input ports with several switch inputs and several VC links: accelerated reply injection (Y. Li and L. Chen, IPDPS
//! 2020).

use crate::{
    campaign::part_or_all,
    router::{RouterBench, middle, network},
    support::*,
};
use hdl::Bits;
use noc::{
    AllocatorKind, AllocatorParams, Connectivity, Direction, Fabric, FabricParams, FlitFormat, Input, InputPort,
    NetworkParams, NocError, Nodes, Organisation, Ports, Routing, VcReallocation, router,
};

/// A full router whose injection port is `port`.
fn injecting(port: InputPort) -> Connectivity {
    let of = |input| if matches!(input, Input::Inject(_)) { port } else { InputPort::default() };
    Connectivity::full(&Ports::interior()).with_ports(of)
}

fn port(switch_inputs: u32, links: u32) -> InputPort {
    InputPort { switch_inputs, links, priority: false }
}

/// Cycles for four packets of 32 flits, each in a VC of the injection port, to `dests`, in the middle of a 3 x 3 mesh.
fn cycles(port: InputPort, dests: [u64; 4]) -> u64 {
    const FLITS: usize = 32;
    let matrix = injecting(port);
    let network = NetworkParams::new(FlitFormat::new(4, 8, 9, 8), 8, 1);
    let outputs: Vec<_> = matrix.outputs().iter().map(ToString::to_string).collect();
    let links = 0..port.links;
    let inputs: Vec<_> = match port.links {
        1 => vec!["inject0".to_string()],
        _ => links.map(|link| format!("inject0_link{link}")).collect(),
    };
    let module = router(&middle(matrix, network)).expect("legal");
    let mut h = Harness::new(&module, network.format, network.depth, &inputs, &outputs, false);
    h.rig.sim.poke("here_x", 1);
    h.rig.sim.poke("here_y", 1);
    for (vc, dest) in (0..4).zip(dests) {
        let flits = vec![Bits::zero(8); FLITS];
        h.send(
            (vc % port.links) as usize,
            Packet { dest, route_class: 0, waypoint: 0, info: dest, vcs: vc..vc + 1, flits },
        );
    }
    let mut arrived = 0;
    while arrived < 4 {
        arrived += h.step().len();
        assert!(h.cycle < 400, "{arrived} of 4 packets");
    }
    h.cycle
}

/// As many flits a cycle leave an injection port as it has switch inputs, links and outputs asked for, whichever is the
/// least.
#[test]
fn an_injection_port_moves_a_flit_of_each_switch_input() {
    let everywhere = [1, 5, 7, 3];
    for (switch_inputs, links, flits_a_cycle) in
        [(1, 1, 1), (4, 1, 1), (1, 4, 1), (2, 2, 2), (2, 4, 2), (4, 2, 2), (4, 4, 4)]
    {
        let is = cycles(port(switch_inputs, links), everywhere);
        let least = 4 * 32 / flits_a_cycle;
        // The way of a head, and what neighbours in a buffer lose to each other at the start.
        assert!((least..least + 14).contains(&is), "{switch_inputs} switch inputs, {links} links: {is} cycles");
    }
    let two_outputs = cycles(port(4, 4), [1, 5, 1, 5]);
    assert!((64..78).contains(&two_outputs), "two flits a cycle: {two_outputs} cycles");
    let one_output = cycles(port(4, 4), [5; 4]);
    assert!((128..142).contains(&one_output), "one flit a cycle: {one_output} cycles");
}

#[test]
fn every_port_delivers_with_every_allocator() {
    use {AllocatorKind::*, VcReallocation::*};
    let ports = [(2, 1), (4, 1), (1, 2), (1, 4), (4, 4), (2, 4), (4, 2)];
    for (i, (switch_inputs, links)) in (0..).zip(ports) {
        let kinds = (0..).zip([Islip, Pim, SeparableInputFirst, Wavefront]);
        for (j, kind) in kinds.filter(|(j, _)| part_or_all((i + j / 2) % 2 == 0, true)) {
            let allocator = AllocatorParams { kind, ..AllocatorParams::default() };
            let pipeline = 1 + (i + j) % 4;
            let network = NetworkParams {
                vc_allocator: allocator,
                switch_allocator: allocator,
                pipeline,
                vc_reuse_delay: if pipeline > 2 && j % 2 == 1 { 0 } else { 1 },
                vc_reallocation: if j % 2 == 0 && i % 2 == 0 { WithTail } else { BehindTail },
                ..network(4, 24, 1 + i as usize, 2)
            };
            let mut bench = RouterBench::new(middle(injecting(port(switch_inputs, links)), network), false);
            bench.harness.hold = 0.3;
            bench.run(300, 0.3);
        }
    }
}

/// Links, or all ports, with several of them, and packets that change their routing class on the way.
#[test]
fn every_routing_delivers_from_several_links() {
    for (i, routing) in (0..).zip([Routing::Adaptive, Routing::O1Turn, Routing::Romm]) {
        let network = NetworkParams { pipeline: 4 - i, ..network(4, 32, 4, 4).with_routing(routing) };
        let classes = if routing == Routing::Adaptive { 2 } else { 4 };
        let network = NetworkParams { classes, ..network };
        for all in [port(2, 4), port(4, 4), port(1, 2)] {
            let matrix = Connectivity::full(&Ports::interior()).with_ports(|_| all);
            RouterBench::new(middle(matrix, network), false).run(300, 0.2);
        }
    }
}

fn in_lockstep(port: InputPort, network: NetworkParams) {
    let mut bench = RouterBench::new(middle(injecting(port), network), true);
    bench.harness.hold = 0.2;
    bench.run(4_000, 0.2);
    // Credits of other VCs never come back on a link.
    assert!(bench.harness.rig.agreement().cycles >= 5_000);
}

#[test]
fn lockstep_router_with_two_switch_inputs() {
    in_lockstep(port(2, 1), network(4, 32, 4, 2));
}

#[test]
fn lockstep_router_with_a_link_and_a_switch_input_for_each_vc() {
    in_lockstep(port(4, 4), NetworkParams { vc_reuse_delay: 0, ..network(4, 32, 4, 2) });
}

#[test]
fn lockstep_router_with_more_links_than_switch_inputs() {
    in_lockstep(port(2, 4), NetworkParams { pipeline: 1, ..network(4, 32, 4, 2).with_routing(Routing::Adaptive) });
}

#[test]
fn ports_whose_parts_do_not_divide_the_vcs_are_errors() {
    let error = |port| router(&middle(injecting(port), network(4, 32, 4, 2))).expect_err("3 of 4").to_string();
    let message =
        "3 switch inputs of port inject0 with 4 virtual channels: allowed: a number that divides the virtual channels";
    assert_eq!(error(port(3, 1)), message);
    assert!(error(port(1, 3)).starts_with("3 VC links of port inject0"));
    assert!(error(port(1, 0)).starts_with("0 VC links"));
}

/// The injection ports of memory nodes have it, others do not, but for what all ports have.
#[test]
fn a_fabric_gives_the_injection_speedup_to_memory_nodes() {
    let nodes = Nodes::new(3, 3, &[4]).expect("legal");
    let params = |injection_speedup, input_speedup| {
        let network = NetworkParams { input_speedup, ..NetworkParams::new(FlitFormat::new(4, 32, 9, 8), 8, 2) };
        FabricParams { injection_speedup, injects: 2, ..FabricParams::new(nodes.clone(), network) }
    };
    for (injection, all) in [(4, 1), (4, 2), (1, 2)] {
        let fabric = Fabric::new(params(injection, all), &nodes.flows()).expect("legal");
        for (site, router) in fabric.subnetworks()[0].routers.iter().enumerate() {
            for (i, input) in router.inputs().iter().enumerate() {
                let is_fast = site == 4 && matches!(input, Input::Inject(_));
                let expected = if is_fast { injection.max(all) } else { all };
                assert_eq!(router.switch_inputs(i), expected, "router {site}, {input}");
            }
        }
        fabric.prove().expect("switch inputs hold no packets");
        let middle = &fabric.subnetworks()[0].routers[4];
        assert!(middle.inputs().contains(&Input::From(Direction::East)));
    }
    // Memory nodes inject nothing where requests have a network of their own.
    let dedicated = FabricParams { organisation: Organisation::Dedicated, ..params(4, 1) };
    let fabric = Fabric::new(dedicated, &nodes.flows()).expect("legal");
    let greatest = |subnetwork: usize| {
        let router = &fabric.subnetworks()[subnetwork].routers[4];
        (0..router.inputs().len()).map(|input| router.switch_inputs(input)).max()
    };
    assert_eq!([greatest(0), greatest(1)], [Some(1), Some(4)]);
    let error = Fabric::new(params(3, 1), &nodes.flows()).expect_err("3 of 4 VCs");
    assert_eq!(error, NocError::InjectionSpeedup { speedup: 3, vcs: 4 });
}
