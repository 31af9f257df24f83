//! All combinations of warp scheduler, throttle and prefetcher run kernels in a small chip: `cargo bench --bench policies`. Each verifies the memory that it
//! leaves, and reports are equal on two engines. The first difference ends it; names behind `--` choose schedulers. `tests/chip_policies.rs` runs each policy once.

#[path = "../tests/support/policies.rs"]
mod policies;

use policies::{KERNELS, Policies, verify};
use std::{env, time::Instant};
use warpmesh::{
    core::{Prefetcher, Throttle, WarpScheduler},
    sim::Engine,
};

fn main() {
    let words: Vec<_> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |scheduler: &WarpScheduler| words.is_empty() || words.iter().any(|word| word == scheduler.name());
    let mut at = 0;
    for scheduler in WarpScheduler::ALL.into_iter().filter(chosen) {
        let start = Instant::now();
        let before = at;
        for throttle in Throttle::ALL {
            for prefetcher in Prefetcher::ALL {
                let other = [Engine::Sliced, Engine::Vector][at % 2];
                let kernels = [KERNELS[at % KERNELS.len()], KERNELS[(at + 3) % KERNELS.len()]];
                for kernel in kernels {
                    verify(Policies { scheduler, throttle, prefetcher }, kernel, &[Engine::Word, other]);
                }
                at += 1;
            }
        }
        println!(
            "{:<14} {} chips, 2 kernels each, equal, {:.0} s",
            scheduler.name(),
            at - before,
            start.elapsed().as_secs_f64()
        );
    }
}
