//! Clusters of a ring: hosts, the order on the ring, the way of each flow.

use noc::{
    Flow, MessageClass, Nodes, Ring, RingParams,
    ring::{
        RingOrder, Tie,
        hosts::{distance, hosts, nearest, sizes},
        tour::{positions, tour},
    },
};
use std::collections::BTreeMap;

/// Figure 3(a) of the paper.
const DISPERSION: [u32; 8] = [3, 15, 17, 29, 36, 47, 49, 61];

fn paper() -> Nodes {
    Nodes::new(8, 8, &DISPERSION).expect("legal")
}

fn cores_at(nodes: &Nodes) -> BTreeMap<u32, usize> {
    let mut found = BTreeMap::new();
    for core in nodes.cores() {
        let near = nodes.memories().iter().map(|&memory| distance(nodes, core, memory)).min();
        *found.entry(near.expect("there are memory nodes")).or_insert(0) += 1;
    }
    found
}

/// The derived tables of sections 1.1 and 2.1: distances, ties and cluster sizes.
#[test]
fn distances_and_ties_are_those_of_the_placements() {
    let of = |memories: &[u32]| {
        let nodes = Nodes::new(8, 8, memories).expect("legal");
        let nearest = nearest(&nodes);
        let ties = nodes.cores().iter().filter(|&&core| nearest[core as usize].len() > 1).count();
        (cores_at(&nodes), ties)
    };
    assert_eq!(of(&DISPERSION), ([(1, 26), (2, 28), (3, 2)].into(), 18));
    assert_eq!(of(&[2, 3, 4, 5, 58, 59, 60, 61]), ([(1, 12), (2, 16), (3, 16), (4, 8), (5, 4)].into(), 0));
    let diagonal = [(1, 14), (2, 12), (3, 10), (4, 8), (5, 6), (6, 4), (7, 2)];
    assert_eq!(of(&[0, 9, 18, 27, 36, 45, 54, 63]), (diagonal.into(), 56));
    assert_eq!(of(&[3, 13, 17, 31, 32, 46, 50, 60]), ([(1, 28), (2, 20), (3, 8)].into(), 20));

    let nodes = paper();
    let nearest = nearest(&nodes);
    let ties: BTreeMap<u32, Vec<u32>> = nodes
        .cores()
        .into_iter()
        .map(|core| (core, nearest[core as usize].iter().map(|&c| DISPERSION[c]).collect::<Vec<_>>()))
        .filter(|(_, among)| among.len() > 1)
        .collect();
    let expected: [(u32, &[u32]); 18] = [
        (0, &[3, 17]),
        (1, &[3, 17]),
        (10, &[3, 17]),
        (13, &[15, 29]),
        (19, &[3, 17]),
        (20, &[29, 36]),
        (22, &[15, 29]),
        (27, &[29, 36]),
        (28, &[29, 36]),
        (31, &[15, 29, 47]),
        (32, &[17, 49]),
        (33, &[17, 49]),
        (37, &[29, 36]),
        (38, &[29, 36, 47]),
        (45, &[29, 36, 47, 61]),
        (52, &[36, 61]),
        (54, &[47, 61]),
        (63, &[47, 61]),
    ];
    assert_eq!(ties, expected.map(|(core, among)| (core, among.to_vec())).into());
}

#[test]
fn clusters_have_the_sizes_of_their_tie_rule() {
    let nodes = paper();
    let host = |tie, node: usize| hosts(&nodes, tie, 1)[node].map(|c| DISPERSION[c]);
    // Both examples that the paper prints.
    for tie in [Tie::Highest, Tie::Balanced] {
        assert_eq!((host(tie, 0), host(tie, 28)), (Some(17), Some(36)), "{tie:?}");
    }
    assert_eq!(sizes(&nodes, &hosts(&nodes, Tie::Highest, 1)), [5, 4, 11, 4, 8, 5, 11, 8]);
    // Ten is the least maximum with node 0 at 17: 3, 17 and 49 have 27 cores, and 3 at most 8.
    let balanced = sizes(&nodes, &hosts(&nodes, Tie::Balanced, 1));
    assert_eq!((balanced.iter().max(), balanced.iter().sum()), (Some(&10), 56), "{balanced:?}");
    for seed in 0..20 {
        let random = hosts(&nodes, Tie::Random, seed);
        let nearest = nearest(&nodes);
        assert!(nodes.cores().iter().all(|&c| random[c as usize].is_some_and(|h| nearest[c as usize].contains(&h))));
    }
    assert_ne!(hosts(&nodes, Tie::Random, 1), hosts(&nodes, Tie::Random, 2));
    // The diagonal can have clusters of seven cores each.
    let diagonal = Nodes::new(8, 8, &[0, 9, 18, 27, 36, 45, 54, 63]).expect("legal");
    assert_eq!(sizes(&diagonal, &hosts(&diagonal, Tie::Balanced, 1)), [7; 8]);
}

/// Section 2.5: the tour of the paper's placement is 32 tiles long, and each of its segments takes a cycle.
#[test]
fn the_paper_s_placement_has_a_cycle_a_segment() {
    let placement = [3, 15, 17, 29, 36, 47, 49, 61];
    let nodes = Nodes::new(8, 8, &placement).expect("legal");
    let found = tour(&nodes, RingOrder::Shortest);
    let stops: Vec<_> = found.iter().map(|&c| placement[c]).collect();
    assert_eq!(stops, [3, 15, 29, 36, 47, 61, 49, 17]);
    let hops: Vec<_> = (0..8).map(|i| distance(&nodes, stops[i], stops[(i + 1) % 8])).collect();
    assert_eq!(hops, [5, 4, 2, 4, 4, 5, 4, 4]);
    let at = positions(&nodes, &found, 8);
    assert_eq!(found.iter().map(|&c| at[c]).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(tour(&nodes, RingOrder::Placement), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn positions_differ_and_are_on_the_ring() {
    for memories in [&[0, 1][..], &[0, 1, 2, 3, 4], &[5, 0, 15, 10, 3, 12, 6, 9, 1, 2, 4, 7, 8, 11]] {
        let nodes = Nodes::new(4, 4, memories).expect("legal");
        let found = tour(&nodes, RingOrder::Shortest);
        for cycles in [memories.len() as u32, 16, 40] {
            let at = positions(&nodes, &found, cycles);
            let along: Vec<_> = found.iter().map(|&c| at[c]).collect();
            assert!(along.windows(2).all(|two| two[0] < two[1]) && along[along.len() - 1] < cycles, "{along:?}");
        }
    }
}

fn paper_ring() -> Ring {
    Ring::new(RingParams::new(8), &paper()).expect("legal")
}

fn request(source: u32, dest: u32) -> Flow {
    Flow { class: MessageClass::Request, source, dest }
}

/// The four examples of section II.C.3, and their replies.
#[test]
fn walk_through_of_the_paper() {
    let ring = paper_ring();
    let node = |c: usize| ring.memories()[c];
    for (from, to) in [(0, 9), (0, 20), (28, 29)] {
        assert_eq!(ring.relay(request(from, to)), None, "{from} to {to} by XY");
        assert_eq!(ring.leg(request(from, to)), request(from, to));
    }
    let far = request(0, 15);
    assert_eq!(ring.relay(far).map(|ends| ends.map(node)), Some([17, 15]));
    assert_eq!(ring.leg(far), request(0, 17), "XY to the host");
    let reply = Flow { class: MessageClass::Reply, source: 15, dest: 0 };
    assert_eq!(ring.relay(reply).map(|ends| ends.map(node)), Some([15, 17]));
    assert_eq!(ring.leg(reply), Flow { class: MessageClass::Reply, source: 17, dest: 0 });
}

/// With the threshold of two only two pairs in different clusters go direct, with three 18 more.
#[test]
fn few_pairs_are_direct_by_distance_alone() {
    let direct = |direct_below| {
        let ring = Ring::new(RingParams { direct_below, ..RingParams::new(8) }, paper_ring().nodes()).expect("legal");
        let cores = ring.nodes().cores();
        let pairs = cores.iter().flat_map(|&core| (0..8).map(move |c| (core, c)));
        pairs.filter(|&(core, c)| ring.is_direct(core, c) && ring.hosts()[core as usize] != Some(c)).count()
    };
    assert_eq!([direct(0), direct(2)], [0, 2]);
    assert!(direct(3) > direct(2));
}

#[test]
fn light_goes_one_way_round() {
    let ring = paper_ring();
    let at = |node: u32| ring.controller(node).expect("a memory node");
    assert_eq!(ring.cycles(at(3), at(15)), 1);
    assert_eq!(ring.cycles(at(15), at(3)), 7);
    let all = (0..8).flat_map(|from| (0..8).filter(move |to| *to != from).map(move |to| (from, to)));
    assert_eq!(all.map(|(from, to)| ring.cycles(from, to)).sum::<u32>(), 56 * 4, "4 in the mean");
}

#[test]
fn tokens_pass_once_a_slot_while_there_are_places() {
    let ring = |rx| Ring::new(RingParams { rx, ..RingParams::new(8) }, paper_ring().nodes()).expect("legal");
    assert_eq!(ring(8).token_wait(5), (2.0, 4));
    assert_eq!(ring(16).token_wait(1), (0.0, 0));
    // Five tokens in a row, and four cycles until the next one: waits of 3, 2 and 1, and of none, in nine cycles.
    assert_eq!(ring(5).token_wait(1), ((4.0 + 3.0 + 2.0 + 1.0) / 9.0, 4));
    assert_eq!(ring(1).token_wait(5).1, 9);
}

#[test]
fn rings_that_cannot_be_are_errors() {
    let error = |columns, rows, memories: &[u32], params| {
        let nodes = Nodes::new(columns, rows, memories).expect("legal");
        Ring::new(params, &nodes).expect_err("impossible").to_string()
    };
    let one = error(4, 4, &[5], RingParams::new(8));
    assert!(one.contains("ring.round_trip_cycles = 8: allowed: 0, as there are 1 memory nodes"), "{one}");
    let short = error(4, 4, &[1, 2, 3, 4], RingParams::new(3));
    assert!(short.contains("4 to 64"), "{short}");
    // Node 1 has memory nodes at all its sides.
    let empty = error(3, 3, &[0, 1, 2, 4], RingParams::new(8));
    assert!(empty.contains("ring.tie = balanced") && empty.contains("would host none"), "{empty}");
    let rx = error(4, 4, &[1, 2], RingParams { rx: 0, ..RingParams::new(8) });
    assert!(rx.contains("ring.rx_queue_packets = 0: allowed: 1 to 64"), "{rx}");
    let flows = [request(0, 3), request(3, 0)];
    let asks = paper_ring().legs(&flows).expect_err("memory nodes ask").to_string();
    assert!(asks.contains("memory nodes send requests"), "{asks}");
}
