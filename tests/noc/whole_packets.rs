//! Whole-packet forwarding: a VC that is not empty is given to packets that fit whole, by their own length.

use crate::{
    router::{RouterBench, middle, network},
    support::*,
};
use hdl::Bits;
use noc::{Connectivity, FlitFormat, NetworkParams, Ports, Routing, VcReallocation, router};

/// Flits that leave to the east, on a single VC of six places whose receiver gives no credit back, of two packets of
/// these lengths that come from the west one after the other, in the middle of a 3 x 3 mesh.
fn leave(network: NetworkParams, lengths: [usize; 2]) -> usize {
    let module = router(&middle(Connectivity::full(&Ports::interior()), network)).expect("legal");
    let mut h = Harness::new(&module, network.format, network.depth, &["west".into()], &["east".into()], false);
    h.rig.sim.poke("here_x", 1);
    h.rig.sim.poke("here_y", 1);
    h.hold = 1.0;
    for (info, length) in (1..).zip(lengths) {
        let flits = vec![Bits::zero(8); length];
        h.send(0, Packet { dest: 5, route_class: 0, waypoint: 0, info, vcs: 0..1, flits });
    }
    let mut flits = 0;
    for _ in 0..60 {
        flits += h.rig.sim.peek("out_east_valid") as usize;
        h.step();
    }
    flits
}

#[test]
fn a_packet_follows_another_only_if_it_fits_whole() {
    let xy = NetworkParams { longest: 5, ..NetworkParams::new(FlitFormat::new(1, 8, 9, 8), 6, 1) };
    let whole = xy.with_header(true, None);
    // Without it a head goes as soon as there is a place for it.
    assert_eq!(leave(xy, [4, 4]), 6);
    assert_eq!(leave(whole, [4, 4]), 4);
    assert_eq!(leave(whole, [4, 2]), 6);
    assert_eq!(leave(whole, [4, 1]), 5);
    // Given away with the tail, which still takes a place.
    let with_tail = NetworkParams { vc_reallocation: VcReallocation::WithTail, ..whole };
    assert_eq!([[4, 4], [4, 2], [4, 3], [6, 1]].map(|lengths| leave(with_tail, lengths)), [4, 6, 4, 6]);
    // An empty VC takes packets that are longer than it.
    assert_eq!(leave(whole, [8, 1]), 6);
}

/// Adaptive VCs wait for places for the longest packet, or for those of the packet at hand. A packet of twelve flits
/// keeps the escape VC.
#[test]
fn a_short_packet_follows_a_long_one_on_an_adaptive_vc() {
    let adaptive = NetworkParams { longest: 5, ..NetworkParams::new(FlitFormat::new(2, 8, 9, 8), 6, 2) };
    let adaptive = adaptive.with_routing(Routing::Adaptive);
    for (network, expected) in [(adaptive, 4), (adaptive.with_header(true, None), 6)] {
        let module = router(&middle(Connectivity::full(&Ports::interior()), network)).expect("legal");
        let mut h = Harness::new(&module, network.format, network.depth, &["west".into()], &["east".into()], false);
        h.rig.sim.poke("here_x", 1);
        h.rig.sim.poke("here_y", 1);
        h.hold = 1.0;
        for (info, (vc, length)) in (1..).zip([(0, 12), (1, 4), (1, 2)]) {
            let flits = vec![Bits::zero(8); length];
            h.send(0, Packet { dest: 5, route_class: (vc == 1).into(), waypoint: 0, info, vcs: vc..vc + 1, flits });
        }
        let mut flits = [0; 2];
        for _ in 0..80 {
            if h.rig.sim.peek("out_east_valid") == 1 {
                flits[h.rig.sim.peek("out_east_vc") as usize] += 1;
            }
            h.step();
        }
        assert_eq!(flits, [6, expected]);
    }
}

#[test]
fn routers_that_forward_whole_packets_deliver() {
    for (i, routing) in (0..).zip([Routing::Xy, Routing::O1Turn, Routing::Adaptive, Routing::Romm]) {
        let network = NetworkParams { pipeline: 4 - i, longest: 5, ..network(4, 32, 3 + i as usize, 4) };
        let classes = if routing == Routing::Xy { 1 } else { 2 };
        let network = NetworkParams { classes, ..network }.with_routing(routing).with_header(true, None);
        let mut bench = RouterBench::new(middle(Connectivity::full(&Ports::interior()), network), false);
        bench.harness.hold = 0.3;
        bench.run(400, 0.3);
    }
}

#[test]
fn lockstep_router_that_forwards_whole_packets() {
    let network = NetworkParams { longest: 5, ..network(4, 32, 4, 2) }.with_header(true, None);
    let mut bench = RouterBench::new(middle(Connectivity::full(&Ports::interior()), network), true);
    bench.harness.hold = 0.3;
    bench.run(4_000, 0.2);
    assert!(bench.harness.rig.agreement().cycles >= 5_000);
}
