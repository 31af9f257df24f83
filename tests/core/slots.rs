//! Cores with two issue slots: warps of even and of odd number have a part of the core each, and share the memory
//! units.

use crate::{prefetch::prefetching, random, rig::*, shapes::cycles_of, throttle::throttled};
use cache::{CacheParams, Prefetching};
use simt_core::{CoreParams, DoubleRate, IssueRule, Prefetcher, Throttle, WarpGroup, WarpScheduler};

fn two(core: CoreParams) -> CoreParams {
    CoreParams { issue_slots: 2, ..core }
}

/// Memory after random programs is that of the emulator: data caches of all kinds and order by line, with 8, 16 and 32
/// lanes.
#[test]
fn random_programs_agree() {
    for (kind, seed) in random::ordered().into_iter().zip(300..) {
        let lanes = [8, 16, 32][seed as usize % 3];
        random::check(&two(CoreParams { lanes, ..kind }), 3 * seed, 3, [45, 1, 1]);
    }
    for lanes in [8, 16, 32] {
        let core = two(CoreParams { lanes, warps: 16, tag_bits: 5, ..params() });
        random::check(&core, 330 + u64::from(lanes), 5, [70, 1, 1]);
        random::check(&core, 360 + u64::from(lanes), 2, [37, 3, 4]);
        let plain = two(CoreParams { lanes, atomics: false, merge_loads: true, ..params() });
        random::check(&plain, 390 + u64::from(lanes), 3, [45, 1, 1]);
    }
    let doubles = CoreParams { double: DoubleRate::Half, lanes: 16, ..params() };
    random::check(&two(doubles), 399, 3, [45, 1, 1]);
    let barrel = two(CoreParams { issue: IssueRule::Barrel, ..params() });
    random::check(&barrel, 400, 3, [45, 1, 1]);
    let least = two(CoreParams { warps: 4, blocks: 2, ..params() });
    random::check(&least, 401, 4, [64, 2, 1]);
}

/// Both parts fetch through one instruction cache, and read constants through one, of the smallest sizes and of every
/// kind of miss handling.
#[test]
fn caches_that_are_only_read_serve_both() {
    for (lanes, seed) in [8, 16, 32].into_iter().zip(410..) {
        let plain = two(CoreParams { lanes, ..params() });
        let instructions = random::read_only_caches(plain.fetch_protocol())[seed as usize % 3].clone();
        let constants = CacheParams { protocol: plain.constant_protocol(), ..instructions.clone() };
        let textures = CacheParams { protocol: plain.texture_protocol(), ..instructions.clone() };
        let fetching = CoreParams { instruction_cache: Some(instructions), ..plain.clone() };
        random::check(&fetching, 3 * seed, 3, [45, 1, 1]);
        let all = CoreParams { constant_cache: Some(constants), texture_cache: Some(textures), ..fetching };
        random::check(&all, 3 * seed, 5, [9, 4, 2]);
    }
}

/// Policies of which each part has its own.
#[test]
fn every_scheduler_and_throttle_agrees() {
    for (scheduler, seed) in WarpScheduler::ALL.iter().filter(|s| **s != WarpScheduler::Laws).zip(430..) {
        let groups = [WarpGroup::Eight, WarpGroup::Block][seed as usize % 2];
        let core = two(CoreParams { scheduler: *scheduler, warp_group: groups, warps: 32, tag_bits: 5, ..params() });
        random::check(&core, 3 * seed, 3, [70, 2, 1]);
    }
    for (kind, seed) in Throttle::ALL.iter().filter(|kind| **kind != Throttle::None).zip(460..) {
        let core = throttled(*kind, 8, 8);
        let locality = core.l1d.as_ref().is_some_and(|cache| cache.locality.is_some());
        let scheduler = if locality { WarpScheduler::Laws } else { WarpScheduler::GreedyThenOldest };
        random::check(&two(CoreParams { scheduler, atomics: true, ..core }), 3 * seed, 3, [45, 2, 1]);
    }
}

/// A prefetcher sees the loads of both parts.
#[test]
fn every_prefetcher_agrees() {
    for (kind, seed) in Prefetcher::ALL.iter().filter(|kind| **kind != Prefetcher::None).zip(480..) {
        let core = prefetching(*kind, Prefetching::Beside);
        random::check(&two(core), 3 * seed, 3, [45, 2, 1]);
    }
}

/// Each part issues an instruction in every issue interval; one access to a memory unit is issued in a turn, by
/// whichever part has one.
#[test]
fn lanes_are_doubled_and_memory_units_are_shared() {
    let [one, two] = [params(), two(params())];
    // It waits for itself, every second turn.
    let independent = opi(Add, 3, 255, 1);
    assert_eq!([1, 2, 4, 8].map(|warps| cycles_of(&one, warps, independent)), [800, 800, 1600, 3200]);
    assert_eq!([1, 2, 4, 8].map(|warps| cycles_of(&two, warps, independent)), [800, 800, 800, 1600]);
    let load = op(LdS32, 255, 255, 255);
    let [alone, shared] = [&one, &two].map(|core| [1, 2, 8].map(|warps| cycles_of(core, warps, load)));
    assert_eq!(alone, shared, "the unit takes as many as before, also of a part that is alone");
}

/// A part whose only access meets a stream of accesses of the other part is served soon, however many issue intervals
/// the unit takes for one.
#[test]
fn no_part_waits_for_the_others_accesses_to_end() {
    let core = two(params());
    // Neighbours meet at a bank of shared memory, or in a line, or not.
    for (load, stride) in [(LdS32, 2), (LdS32, 3), (LdS32, 4), (LdV32, 2), (LdV32, 3), (LdV32, 7)] {
        for odd_streams in [false, true] {
            let mut program =
                Assembly::new(&[special(0, 0), opi(Shl, 1, 0, stride), opi(Shr, 4, 0, 5), opi(And, 4, 4, 1)]);
            program.put(&[compare(ISetpU, 0, 0, 4, u32::from(odd_streams)), opi(Shl, 2, 0, 2)]);
            program.branch(Some((0, false)), "stream", "end");
            program.put(&[opi(Add, 7, 7, 1); 40]);
            program.put(&[special(5, 14), opi(load, 3, 1, 0), op(Add, 3, 3, 3), special(6, 14), op(Sub, 5, 6, 5)]);
            program.put(&[opi(StG32, 5, 2, 0x1_0000), exit()]);
            program.label("stream").put(&[opi(load, 255, 1, 0); 300]).label("end").put(&[exit()]);
            let mut rig = CoreRig::new(&core, 1);
            rig.load(&program.finish(), &[]);
            rig.run(Launch { shared_bytes: 8192, ..Launch::line(1, 256) });
            let alone = (0..256).filter(|thread| (thread / 32 % 2 == 1) != odd_streams);
            let longest = alone.map(|thread| rig.word(0x1_0000 + 4 * thread)).max().expect("threads");
            assert!(longest < 1500, "{load:?}, stride {stride}: {longest} cycles");
        }
    }
}

#[test]
fn two_slots_want_four_warps() {
    let p = CoreParams { warps: 2, issue_slots: 2, ..params() };
    let text = netlist::elaborate(&simt_core::core(&p)).expect_err("wrong on purpose").to_string();
    assert!(text.contains("core: issue_slots = 2, allowed: 1, as warps = 2: each slot has two at least"), "{text}");
    let p = CoreParams { issue_slots: 3, ..params() };
    let text = netlist::elaborate(&simt_core::core(&p)).expect_err("wrong on purpose").to_string();
    assert!(text.contains("core: issue_slots = 3: allowed: 1 to 2"), "{text}");
}
