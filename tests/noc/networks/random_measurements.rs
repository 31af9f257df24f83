//! Random measurements of random networks, by number: 4 here, 8 in a long run, any number with `cargo campaign random-networks`.

use crate::campaign::part_or_all;
use crate::{
    matrix::options,
    random_loads::{
        self, Drawn, check,
        random_traffic::{Traced, deliveries_hold},
        zero_load,
    },
};
use warpmesh::{
    noc::{FabricParams, FlitFormat, Flow, MessageClass, NetworkParams, Nodes, Organisation, fabric::ReplyChannel},
    open_loop::{Bench, Delivery, Pattern, Traffic, traffic::memory},
};

/// Zero-load latency is that of every packet alone, within one percent, and no verdict is contradicted by ten times as
/// long.
#[test]
fn zero_load_latency_and_verdicts_hold() {
    let mistakes: Vec<_> = (0..part_or_all(4, 8))
        .filter_map(|seed| check(&random_loads::draw_small(seed), 1_000, &options()).err())
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
}

/// Where replies have VCs of another depth than requests, in channels that they share with requests and in a network of
/// their own.
#[test]
fn packets_wait_by_the_depth_of_the_vcs_of_their_class() {
    for (organisation, requests, replies) in
        [(Organisation::Single, 8, 1), (Organisation::Single, 1, 8), (Organisation::Dedicated, 8, 1)]
    {
        let nodes = Nodes::new(3, 2, &[1]).expect("legal");
        let router = NetworkParams::new(FlitFormat::new(1, 64, nodes.len(), 8), requests, 1);
        let apart = Some(ReplyChannel { vcs: 1, depth: replies, width: 64 });
        let network = FabricParams { organisation, replies: apart, ..FabricParams::new(nodes, router) };
        let transactions = memory(0.7, 6);
        let traffic = Traffic {
            pattern: Pattern::ManyToFew,
            hot_share: 0.2,
            transactions,
            service: 0,
            matrix: None,
            burst: None,
        };
        let mut bench = Bench::new(&network, &traffic, &options()).expect("a legal network");
        let measured = zero_load(&Drawn { seed: 0, network, traffic }, &mut bench);
        measured.unwrap_or_else(|said| panic!("{organisation:?}, {requests} and {replies} flits: {said}"));
    }
}

/// What a check of traces is to find: a packet that never arrives, or twice; one that starts in another cycle than it
/// may, or is too fast.
#[test]
fn deliveries_that_are_not_those_of_a_trace_are_found() {
    let flow = Flow { class: MessageClass::Request, source: 0, dest: 1 };
    let trace = [
        Traced { cycle: 3, flow, flits: 4, after: None },
        Traced { cycle: 0, flow, flits: 1, after: Some(0) },
        Traced { cycle: 50, flow, flits: 1, after: Some(0) },
    ];
    let at = |packet, created, injected, arrived| Delivery { packet, created, injected: Some(injected), arrived };
    let right = [at(0, 3, 5, 20), at(1, 21, 23, 30), at(2, 50, 52, 60)];
    assert_eq!(deliveries_hold(&trace, 1, &right), Ok(()));
    let wrong = |deliveries: &[Delivery]| deliveries_hold(&trace, 1, deliveries).expect_err("it is wrong");
    let [first, second, third] = right;
    for (deliveries, said) in [
        (vec![first, second], "packet 3 never arrives"),
        (vec![first, second, third, second], "packet 2: it arrives twice"),
        (vec![second, first, third], "packet 2: it arrives before the one that it comes after"),
        (vec![first, at(1, 20, 23, 30), third], "packet 2: it is to be created in cycle 21"),
        (vec![first, second, at(2, 21, 52, 60)], "packet 3: it is to be created in cycle 50"),
        (vec![first, at(1, 21, 20, 30), third], "packet 2: it is injected before it is created"),
        (vec![at(0, 3, 5, 7), second, third], "packet 1: it is injected before it is created, or arrives too fast"),
        (vec![Delivery { injected: None, ..first }], "packet 1: it was never injected"),
    ] {
        assert!(wrong(&deliveries).starts_with(said), "{} for {said}", wrong(&deliveries));
    }
}
