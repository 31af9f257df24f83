//! Routers of one to four stages, with extra latency and input speedup.

use crate::{campaign::part_or_all, mesh::*, support::*};
use hdl::Bits;
use noc::{
    AllocatorKind, AllocatorParams, Connectivity, FlitFormat, NetworkParams, NocError, Ports, RouterParams,
    VcReallocation, router,
};

fn params(nodes: u32, pipeline: u32, extra_latency: u32, input_speedup: u32) -> NetworkParams {
    let format = FlitFormat::new(4, 32, nodes, 8);
    NetworkParams { pipeline, extra_latency, input_speedup, ..NetworkParams::new(format, 8, 1) }
}

/// 2 + (stages + 1 + extra) x routers + flits - 1.
#[test]
fn zero_load_latency_of_every_pipeline() {
    for (pipeline, extra, speedup, flits) in
        [(1, 0, 1, 1), (1, 3, 2, 4), (2, 0, 1, 4), (2, 1, 2, 1), (3, 0, 1, 1), (3, 2, 2, 5), (4, 1, 1, 4), (4, 0, 2, 1)]
    {
        let hop = pipeline + 1 + extra;
        zero_load(3, 3, flits, hop.into(), params(9, pipeline, extra, speedup));
    }
}

#[test]
fn every_pipeline_delivers() {
    let kinds =
        [AllocatorKind::Islip, AllocatorKind::Wavefront, AllocatorKind::Pim, AllocatorKind::SeparableInputFirst];
    for ((pipeline, extra, speedup, depth), kind) in
        [(1, 0, 1, 1), (1, 2, 2, 4), (2, 1, 2, 3), (3, 0, 2, 8)].into_iter().zip(kinds)
    {
        let allocator = AllocatorParams { kind, ..AllocatorParams::default() };
        let format = FlitFormat::new(4, 40, 9, 16);
        let params = NetworkParams {
            pipeline,
            extra_latency: extra,
            input_speedup: speedup,
            vc_allocator: allocator,
            switch_allocator: allocator,
            ..NetworkParams::new(format, depth, 2)
        };
        random_traffic(&cores(3, 3), &params, 0.25, 500, 0.25, pipeline.into());
    }
}

/// A VC holds one packet's state at a time, from its route to its tail: so many cycles for a packet of one flit.
#[test]
fn packets_of_one_flit_on_one_vc_follow_in_the_stages_up_to_the_switch() {
    let behind =
        [(1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 1, 3), (3, 0, 2), (4, 0, 2)].map(|way| (way, VcReallocation::BehindTail));
    // A VC that is given away with the tail is never without a flit.
    let with = [1, 2, 3, 4].map(|pipeline| ((pipeline, 1, 1), VcReallocation::WithTail));
    for ((pipeline, vc_reuse_delay, expected), vc_reallocation) in behind.into_iter().chain(with) {
        let format = FlitFormat::new(1, 8, 2, 8);
        let params = NetworkParams { pipeline, vc_reuse_delay, vc_reallocation, ..NetworkParams::new(format, 16, 1) };
        let mut h = harness(&cores(2, 1), &params);
        for info in 0..60 {
            h.send(0, Packet { dest: 1, route_class: 0, waypoint: 0, info, vcs: 0..1, flits: vec![Bits::zero(8)] });
        }
        let mut tails = vec![];
        while tails.len() < 60 {
            tails.extend(h.step().into_iter().map(|got| got.tail));
            assert!(h.cycle < 500, "{} of 60 after {} cycles", tails.len(), h.cycle);
        }
        let gaps: Vec<_> = tails.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(
            gaps[10..],
            vec![expected; 49],
            "{pipeline} stages, turn-around {vc_reuse_delay}, {vc_reallocation:?}"
        );
    }
}

/// An output VC goes from a packet to one of another input in the cycle in which the tail wins: two inputs send packets of one flit to one output.
#[test]
fn a_vc_given_away_with_the_tail_changes_inputs_without_a_pause() {
    for (vc_reallocation, expected) in [(VcReallocation::BehindTail, 2), (VcReallocation::WithTail, 1)] {
        let network = NetworkParams { vc_reallocation, ..NetworkParams::new(FlitFormat::new(1, 8, 9, 8), 16, 1) };
        let module =
            router(&RouterParams::plain(3, 3, Connectivity::full(&Ports::interior()), network)).expect("legal");
        let names = |names: [&str; 2]| names.map(String::from);
        let inputs = names(["west", "inject0"]);
        let mut h = Harness::new(&module, network.format, 16, &inputs, &names(["east", "south"])[..1], false);
        h.rig.sim.poke("here_x", 1);
        h.rig.sim.poke("here_y", 1);
        for (source, info) in (0..2).flat_map(|source| (0..30).map(move |n| (source, 2 * n + source as u64))) {
            h.send(
                source,
                Packet { dest: 5, route_class: 0, waypoint: 0, info, vcs: 0..1, flits: vec![Bits::zero(8)] },
            );
        }
        let mut got = vec![];
        while got.len() < 60 {
            got.extend(h.step());
            assert!(h.cycle < 500, "{} of 60 after {} cycles", got.len(), h.cycle);
        }
        let gaps: Vec<_> = got[10..50].windows(2).map(|pair| pair[1].tail - pair[0].tail).collect();
        assert_eq!(gaps, vec![expected; 39], "{vc_reallocation:?}");
        assert!(got[10..50].windows(2).all(|pair| pair[0].info % 2 != pair[1].info % 2), "in turn");
    }
}

/// Two packets for different outputs wait in two VCs of an input. When both may go, a speedup of two lets them go
/// together.
#[test]
fn an_input_with_speedup_sends_two_flits_at_once() {
    let time = |input_speedup: u32| {
        let format = FlitFormat::new(2, 8, 9, 8);
        let network = NetworkParams { input_speedup, ..NetworkParams::new(format, 8, 1) };
        let connectivity = Connectivity::full(&Ports::interior());
        let names = |names: Vec<String>| names;
        let inputs = names(connectivity.inputs().iter().map(ToString::to_string).collect());
        let outputs = names(connectivity.outputs().iter().map(ToString::to_string).collect());
        let west = inputs.iter().position(|name| name == "west").expect("a port");
        let module = router(&RouterParams::plain(3, 3, connectivity, network)).expect("legal");
        let mut h = Harness::new(&module, format, 8, &inputs, &outputs, false);
        h.rig.sim.poke("here_x", 1);
        h.rig.sim.poke("here_y", 1);
        // To the east and to the south; no credit comes back, so half of each packet stays in the input.
        h.hold = 1.0;
        for (vc, dest) in [(0, 5), (1, 7)] {
            let flits = vec![Bits::zero(8); 16];
            h.send(west, Packet { dest, route_class: 0, waypoint: 0, info: dest, vcs: vc..vc + 1, flits });
        }
        (0..100).for_each(|_| assert!(h.step().is_empty(), "nothing is complete"));
        h.hold = 0.0;
        let start = h.cycle;
        let mut tails = vec![];
        while tails.len() < 2 {
            tails.extend(h.step().into_iter().map(|got| got.tail));
            assert!(h.cycle < start + 100, "both go on");
        }
        tails[1] - start
    };
    let (one, two) = (time(1), time(2));
    assert!(one >= two + 7, "16 flits: {one} cycles, with speedup {two}");
}

#[test]
fn impossible_pipelines_are_errors() {
    let error = |network: NetworkParams| {
        let connectivity = Connectivity::full(&Ports::interior());
        router(&RouterParams::plain(3, 3, connectivity, network)).expect_err("out of range")
    };
    for stages in [0, 5] {
        assert_eq!(error(params(9, stages, 0, 1)), NocError::Pipeline { stages });
    }
    assert_eq!(error(params(9, 4, 17, 1)).to_string(), "extra_latency = 17 cycles: allowed: 0 to 16");
    for (cycles, stages) in [(2, 4), (0, 2), (0, 1)] {
        let turning = NetworkParams { vc_reuse_delay: cycles, ..params(9, stages, 0, 1) };
        assert_eq!(error(turning), NocError::VcReuseDelay { cycles, stages });
    }
    let both = NetworkParams { vc_reuse_delay: 0, vc_reallocation: VcReallocation::WithTail, ..params(9, 4, 0, 1) };
    assert_eq!(error(both), NocError::VcReallocation);
    assert_eq!(error(params(9, 4, 0, 3)), NocError::Speedup { speedup: 3, vcs: 4 });
    let odd = NetworkParams { input_speedup: 2, ..NetworkParams::new(FlitFormat::new(3, 32, 9, 8), 8, 1) };
    assert_eq!(
        error(odd).to_string(),
        "input_speedup = 2 with 3 virtual channels: allowed: 1, or 2 with an even number of virtual channels"
    );
}

/// Packets follow each other at once in their VCs, in every routing: those that cross to another set of VCs, and those
/// with a choice.
#[test]
fn every_routing_delivers_with_the_short_turn_around() {
    for (i, routing) in (0..).zip(of_mesh()) {
        let change =
            |params| NetworkParams { vc_reuse_delay: 0, pipeline: 3 + i % 2, input_speedup: 1 + i / 2 % 2, ..params };
        every_path(routing, change);
        let with_tail = |params| NetworkParams {
            vc_reallocation: VcReallocation::WithTail,
            pipeline: 2 + i % 3,
            input_speedup: 1 + i / 2 % 2,
            ..params
        };
        every_path(routing, with_tail);
    }
}

/// Packets that change their set of VCs, and those with a choice, in a router that does all in one cycle.
#[test]
fn every_routing_delivers_in_short_pipelines() {
    for (i, routing) in (0..).zip(of_mesh()) {
        every_path(routing, |params| NetworkParams { pipeline: 1 + i % 3, input_speedup: 1 + i / 2 % 2, ..params });
        if part_or_all(i % 3 == 1, true) {
            every_path(routing, |params| NetworkParams { pipeline: 1, input_speedup: 2, ..params });
        }
    }
}
