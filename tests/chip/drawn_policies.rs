//! Every warp scheduler, throttle and prefetcher runs kernels in a chip, on one engine or with the same report on three;
//! `cargo campaign policies` runs all combinations.

use crate::campaign::part_or_all;
use crate::policies::{KERNELS, Policies, verify};
use warpmesh::{
    core::{Prefetcher, Throttle, WarpScheduler},
    sim::Engine,
};

/// Neighbours in one list meet different ones of the others. Every second one in every run.
#[test]
fn kernels_verify_under_every_policy() {
    let most = WarpScheduler::ALL.len().max(Throttle::ALL.len()).max(Prefetcher::ALL.len());
    for i in (0..most).step_by(part_or_all(2, 1)) {
        let policies = Policies {
            scheduler: WarpScheduler::ALL[i % WarpScheduler::ALL.len()],
            throttle: Throttle::ALL[i % Throttle::ALL.len()],
            prefetcher: Prefetcher::ALL[i % Prefetcher::ALL.len()],
        };
        let engines = [Engine::Word, Engine::Sliced, Engine::Vector];
        // Code in slices takes longest to make.
        let one = if i == 2 { 1 } else { i / 2 % 2 * 2 };
        let engines = part_or_all(&engines[one..=one], &engines);
        verify(policies, KERNELS[i % KERNELS.len()], engines);
    }
}
