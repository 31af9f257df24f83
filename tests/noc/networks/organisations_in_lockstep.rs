//! Whole networks under load in step with their Verilog in Verilator: every output of every router and injector, in
//! every cycle, while every head is watched. A small DCIE network and a small torus; `cargo campaign networks-in-lockstep`
//! runs a 6 x 6 network of each.

use crate::{
    campaign::part_or_all,
    organisations::{joined, network, traffic},
    watch::Watched,
};
use warpmesh::noc::{FabricParams, NetworkParams, Nodes, Organisation, Routing, TopologyKind};

fn agree(organisation: Organisation, routing: Routing, vcs: u32, change: impl Fn(NetworkParams) -> NetworkParams) {
    let mesh = Nodes::new(3, 2, &[1]).expect("legal");
    let plain = network(mesh, organisation, routing, vcs, 2);
    let network = FabricParams { network: change(plain.network), ..plain };
    let (arrived, turns) = in_step(&network);
    assert!(arrived > 300 && turns > 50, "{arrived} arrived, {turns} turns");
}

/// Packets that arrived, and turns of their heads.
fn in_step(network: &FabricParams) -> (u64, u64) {
    let mut watched = Watched::in_lockstep(network, &traffic()).unwrap_or_else(|e| panic!("{e}"));
    watched.run(0.2, 1_200, 1);
    watched.is_at_rest().unwrap_or_else(|left| panic!("{left}"));
    let seen = (watched.arrived, watched.turns);
    let agreement = watched.agreement().unwrap_or_else(|e| panic!("{e}"));
    assert!(agreement.cycles > 1_200 && agreement.output_bits > 1_000, "{} bits", agreement.output_bits);
    assert!(agreement.moved.len() > agreement.still.len(), "{agreement:?}");
    seen
}

/// Packets that change their set of VCs both ways, and link tiles.
fn tori_agree() {
    let (arrived, turns) = in_step(&joined((TopologyKind::Torus, 1), (3, 3), &[1, 5], Organisation::Single, 4));
    assert!(arrived > 300 && turns > 50, "{arrived} arrived, {turns} turns");
}

fn class_based_networks_on_dcie_agree() {
    agree(Organisation::Dcie, Routing::ClassBased, 2, |n| NetworkParams { input_speedup: 2, extra_latency: 2, ..n });
}

/// One of them in every run, as the Verilog of a network takes long to compile.
#[test]
fn networks_agree() {
    [tori_agree, class_based_networks_on_dcie_agree].iter().take(part_or_all(1, 2)).for_each(|network| network());
}
