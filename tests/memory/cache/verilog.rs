//! The cache agrees with its Verilog in every cycle.

use crate::campaign::part_or_all;
use crate::{
    matrix::options,
    rig::{CacheRig, Traffic, small},
};
use cache::{
    Allocation, CacheParams, Flush, MissHandling, OwnParams, Prefetching, ProtectedVictims, Replacement, SetIndex,
    WriteHit, WriteMiss, WritePending, cache,
};
use verilog::lockstep::{RunLength, Values, lockstep};

/// Random accesses, a flush, accesses again: first with a model, then with the same inputs against the Verilog.
fn agrees(p: &CacheParams) {
    let traffic = Traffic { requests: 0.9, writes: 0.3, lines: 40, replies: 0.8, memory: 0.5 };
    let mut rig = CacheRig::new(p, 11);
    (0..1_500).for_each(|_| rig.cycle(&traffic));
    rig.flush(&traffic);
    (0..500).for_each(|_| rig.cycle(&traffic));
    let cycles = rig.recorded.len() as u64;
    let mut stimulus = |cycle: u64, _: &Values, inputs: &mut Values| {
        // Two cycles of reset first.
        for (port, value) in &rig.recorded[cycle.saturating_sub(2) as usize] {
            if value.width() == 64 { inputs.set(port, value.to_u64()) } else { inputs.set_bits(port, value) }
        }
    };
    let agreement = lockstep(&cache(p), &mut stimulus, &RunLength { sim: options(), ..RunLength::cycles(cycles) });
    agreement.unwrap_or_else(|error| panic!("{p:?}: {error}"));
}

/// Every second one in every run.
#[test]
fn caches_agree_with_their_verilog() {
    let hybrid = CacheParams {
        misses: MissHandling::Htsma,
        allocation: Allocation::OnMiss,
        own: OwnParams { cam_entries: 3, ..OwnParams::default() },
        write_hit: WriteHit::Evict,
        write_pending: WritePending::Poison,
        ..small()
    };
    let all = [
        CacheParams { write_miss: WriteMiss::Allocate, ..small() },
        CacheParams { flush: Flush::Clean, ..small() },
        CacheParams {
            allocation: Allocation::OnMiss,
            misses: MissHandling::Tsma,
            replacement: Replacement::Tree,
            index: SetIndex::Hashed,
            ways: 4,
            sets: 32,
            latency: 10,
            ..small()
        },
        CacheParams {
            misses: MissHandling::SetAssociative,
            entries: 6,
            entry_ways: 3,
            replacement: Replacement::Random,
            write_hit: WriteHit::Evict,
            ..small()
        },
        CacheParams { own: OwnParams { cam_pipelined: true, ..hybrid.own }, ways: 3, ..hybrid.clone() },
        CacheParams {
            own: OwnParams { protects: ProtectedVictims::All, ..hybrid.own },
            write_hit: WriteHit::Back,
            ..hybrid.clone()
        },
        CacheParams { prefetching: Prefetching::Beside, ..hybrid },
        CacheParams { prefetching: Prefetching::Only, write_hit: WriteHit::Through, ..small() },
        CacheParams { misses: MissHandling::Unlimited, entries: 65, entry_ways: 65, write_backs: 67, ..small() },
    ];
    all.iter().step_by(part_or_all(2, 1)).for_each(agrees);
}
