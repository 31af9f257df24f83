//! What a program sees of memory does not depend on the cache.

use crate::rig::{CacheRig, Traffic, draw, small};
use cache::{Allocation, CacheParams, Flush, MissHandling, OwnParams, WriteHit, WriteMiss, WritePending};
use verilog::lockstep::Rng;

fn traffic(random: &mut Rng) -> Traffic {
    let mut of = |values: &[f64]| values[random.below(values.len() as u64) as usize];
    let (requests, writes, replies) = (of(&[0.2, 0.9, 1.0]), of(&[0.0, 0.2, 0.5]), of(&[0.2, 0.9, 1.0]));
    Traffic { requests, writes, replies, memory: of(&[0.1, 0.5, 1.0]), lines: of(&[3.0, 16.0, 200.0]) as u64 }
}

/// Random accesses to a cache of these parameters, flushed twice.
fn run(p: &CacheParams, seed: u64, cycles: u64) -> u64 {
    let mut random = Rng::new(seed);
    let mut rig = CacheRig::new(p, random.next_u64());
    for _ in 0..2 {
        for _ in 0..4 {
            let traffic = traffic(&mut random);
            (0..cycles).for_each(|_| rig.cycle(&traffic));
        }
        let traffic = traffic(&mut random);
        rig.flush(&traffic);
    }
    rig.done
}

#[test]
fn random_caches_keep_memory() {
    let mut random = Rng::new(19);
    let done: u64 = (0..60).map(|seed| run(&draw(&mut random), seed, 400)).sum();
    assert!(done > 30_000, "{done} accesses");
}

#[test]
fn every_kind_of_write_and_miss_keeps_memory() {
    for misses in MissHandling::ALL {
        for allocation in [Allocation::OnFill, Allocation::OnMiss] {
            for (write_hit, write_miss) in [
                (WriteHit::Back, WriteMiss::NoAllocate),
                (WriteHit::Back, WriteMiss::Allocate),
                (WriteHit::Through, WriteMiss::NoAllocate),
                (WriteHit::Through, WriteMiss::Allocate),
                (WriteHit::Evict, WriteMiss::NoAllocate),
            ] {
                for write_pending in [WritePending::Stall, WritePending::Poison] {
                    let kind = CacheParams { misses, allocation, write_hit, write_miss, write_pending, ..small() };
                    let own = OwnParams { cam_entries: 2, ..OwnParams::default() };
                    let p = CacheParams { own, ..kind.clone() };
                    // There are 64 tags.
                    let p = match misses {
                        MissHandling::Unlimited => CacheParams { entries: 65, write_backs: 67, ..kind },
                        _ => p,
                    };
                    if p.problem().is_none() {
                        assert!(run(&p, 3, 500) > 200);
                    }
                }
            }
        }
    }
}

/// The path to memory is full of requests whose replies are needed to empty it: memory takes nothing while a reply
/// waits. Were a fill to wait for a place among the write-backs, nothing would move (Bakhoda's thesis, section 3.2.4).
#[test]
fn a_fill_that_evicts_never_waits_for_the_path_to_memory() {
    for allocation in [Allocation::OnFill, Allocation::OnMiss] {
        let p = CacheParams { allocation, write_miss: WriteMiss::Allocate, write_backs: 1, requests: 1, ..small() };
        let mut rig = CacheRig::new(&p, 5);
        rig.memory_answers_first = true;
        let traffic = Traffic { requests: 1.0, writes: 0.7, lines: 64, replies: 1.0, memory: 1.0 };
        (0..3_000).for_each(|_| rig.cycle(&traffic));
        assert!(rig.done > 100, "{} accesses", rig.done);
        rig.flush(&traffic);
    }
}

/// Lines that a flush has cleaned are read again without memory, leave without a write-back, and get dirty again.
#[test]
fn a_flush_that_cleans_keeps_all_lines() {
    for allocation in [Allocation::OnFill, Allocation::OnMiss] {
        let p = CacheParams { allocation, write_miss: WriteMiss::Allocate, flush: Flush::Clean, ..small() };
        let quiet = Traffic { requests: 0.0, writes: 0.0, lines: 1, replies: 1.0, memory: 1.0 };
        let mut rig = CacheRig::new(&p, 3);
        let written_back = |rig: &mut CacheRig| {
            let probes = rig.sim.probes();
            probes.iter().find(|probe| probe.name == "write_backs").expect("caches count them").count
        };
        assert!(rig.access(0, true) && rig.access(1, false));
        rig.flush(&quiet);
        assert_eq!(written_back(&mut rig), 1);
        assert!(!rig.access(0, false) && !rig.access(1, false), "both are here");
        rig.flush(&quiet);
        assert_eq!(written_back(&mut rig), 1, "the line is clean");
        assert!(!rig.access(0, true));
        rig.flush(&quiet);
        assert_eq!(written_back(&mut rig), 2, "the line was dirty again");
        // Others of all sets take its place.
        let others = u64::from(2 * p.sets * p.ways);
        (2..2 + others).for_each(|line| assert!(rig.access(line, false)));
        assert_eq!(written_back(&mut rig), 2);
        assert!(rig.access(0, false));
    }
}
