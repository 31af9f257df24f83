//! Latency under load against BookSim 2: uniform random traffic on a 6 x 6 mesh.

use crate::support::*;
use std::collections::HashMap;
use warpmesh::{
    noc::{FlitFormat, Mesh, NetworkParams, NodeKind},
    verilog::lockstep::Rng,
};

/// Mean of latency less zero-load latency, over packets created in `cycles` cycles after a warm-up.
fn contention(vcs: u32, flits: usize, offered: f64, cycles: u64) -> f64 {
    let topology = Mesh::with_kinds(6, 6, |_| NodeKind::Core).expect("legal");
    let params = NetworkParams::new(FlitFormat::new(vcs, 8, 36, 24), 8, 1);
    let names = node_names(36);
    let mut h = Harness::new(&bare_mesh(&topology, &params), params.format, params.depth, &names, &names, false);
    h.random = Rng::new(u64::from(vcs) * 1_000 + flits as u64);
    let warm_up = 1_000;
    let mut created: HashMap<u64, (u64, u64)> = HashMap::new();
    let (mut number, mut sum, mut count) = (0, 0, 0_u64);
    while h.cycle < warm_up + cycles || !created.is_empty() {
        for node in 0..36_u64 {
            if h.cycle < warm_up + cycles && h.random.chance(offered / flits as f64) {
                let dest = h.random.below(36);
                let distance = (node % 6).abs_diff(dest % 6) + (node / 6).abs_diff(dest / 6);
                created.insert(number, (h.cycle, 2 + 5 * (distance + 1) + flits as u64 - 1));
                let flits = vec![warpmesh::hdl::Bits::zero(8); flits];
                h.send(node as usize, Packet { dest, yx: false, via: 0, info: number, vcs: 0..vcs, flits });
                number += 1;
            }
        }
        for got in h.step() {
            let (at, zero_load) = created.remove(&got.info).expect("sent");
            if at >= warm_up && at < warm_up + cycles {
                sum += got.tail - at - zero_load;
                count += 1;
            }
        }
    }
    sum as f64 / count as f64
}

/// Contention in cycles that BookSim 2 (2017-06-27) measured over 50,000 cycles: 6 x 6 mesh, XY, 8 flits a VC, one-iteration iSLIP
/// allocators, one cycle a stage, no speculation. Runs of 4,000 cycles are within 8 percent.
#[test]
fn contention_is_that_of_booksim() {
    for (vcs, flits, offered, booksim) in [(4, 1, 0.3, 2.082), (2, 4, 0.3, 5.390), (4, 4, 0.3, 5.099)] {
        let ours = contention(vcs, flits, offered, 4_000);
        let ratio = ours / booksim;
        assert!((0.92..1.08).contains(&ratio), "{vcs} VCs, {flits} flits, load {offered}: {ours}, BookSim {booksim}");
    }
}
