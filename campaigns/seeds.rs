//! A campaign: many seeds, each checked once, on several threads.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

/// From the first seed up to, not including, the second: `0..200`.
pub fn range(text: &str) -> Result<Range<u64>, String> {
    let bounds = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    bounds.filter(|range| !range.is_empty()).ok_or("two numbers: 0..200".into())
}

/// What came out.
pub struct Tally {
    /// Mistakes, which have been printed.
    pub wrong: u64,
    /// What the checks counted, added up.
    pub counted: u64,
    /// Wall time.
    pub seconds: f64,
}

/// Checks all seeds on `jobs` threads, each with a worker of its own, and says every `often` seeds how far it is.
pub fn run<W>(
    seeds: &Range<u64>,
    jobs: u64,
    often: u64,
    worker: impl Fn() -> W + Sync,
    check: impl Fn(&mut W, u64) -> Result<u64, String> + Sync,
) -> Tally {
    let (next, wrong, counted) = (AtomicU64::new(seeds.start), AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    let work = || {
        let mut worker = worker();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            match check(&mut worker, seed) {
                Ok(count) => drop(counted.fetch_add(count, Ordering::Relaxed)),
                Err(said) => {
                    println!("{said}\n");
                    wrong.fetch_add(1, Ordering::Relaxed);
                }
            }
            if seed % often == often - 1 {
                eprintln!("seed {seed}, {:.0} s", start.elapsed().as_secs_f64());
            }
        }
    };
    thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
    Tally { wrong: wrong.into_inner(), counted: counted.into_inner(), seconds: start.elapsed().as_secs_f64() }
}
