//! Every warp scheduler, throttle and prefetcher runs kernels in a chip, with the same report on two engines;
//! `cargo bench --bench policies` runs all combinations.

use crate::policies::{KERNELS, Policies, verify};
use warpmesh::{
    core::{Prefetcher, Throttle, WarpScheduler},
    sim::Engine,
};

/// Neighbours in one list meet different ones of the others.
#[test]
fn kernels_verify_under_every_policy() {
    let most = WarpScheduler::ALL.len().max(Throttle::ALL.len()).max(Prefetcher::ALL.len());
    for i in 0..most {
        let policies = Policies {
            scheduler: WarpScheduler::ALL[i % WarpScheduler::ALL.len()],
            throttle: Throttle::ALL[i % Throttle::ALL.len()],
            prefetcher: Prefetcher::ALL[i % Prefetcher::ALL.len()],
        };
        let engines = [&[Engine::Word][..], &[Engine::Word, Engine::Sliced], &[Engine::Vector]];
        verify(policies, KERNELS[i % KERNELS.len()], engines[i % 3]);
    }
}
