//! Random measurements of random networks, by number: 20 here, any number with `cargo bench --bench random_noc`.

use crate::{
    matrix::options,
    random_loads::{self, Drawn, check, zero_load},
};
use warpmesh::{
    noc::{FabricParams, FlitFormat, NetworkParams, Nodes, Organisation, fabric::ReplyChannel},
    open_loop::{Bench, Pattern, Traffic, traffic::memory},
};

/// Zero-load latency is that of every packet alone, within one percent, and no verdict is contradicted by ten times as long.
#[test]
fn zero_load_latency_and_verdicts_hold() {
    let mistakes: Vec<_> =
        (0..20).filter_map(|seed| check(&random_loads::draw_small(seed), 1_000, &options()).err()).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
}

/// Where replies have VCs of another depth than requests, in channels that they share with requests and in a network of their own.
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
