//! Cores of other shapes: many warps, one beat or two, banks and groups of shared memory, barrel issue.

use crate::{random, rig::*};
use program::isa::Instruction;
use simt_core::{Coalescing, CoreParams, IssueRule, MemoryOrder, SharedGroup};

/// Parameters of a core, drawn.
pub fn drawn(random: &mut Random) -> CoreParams {
    let warps = if random.below(3) == 0 { 2 * (1 + random.below(32) as u32) } else { 2 << random.below(6) };
    let mut one_of = |values: &[u32]| values[random.below(values.len() as u64) as usize];
    let group = [SharedGroup::Lanes, SharedGroup::HalfWarp, SharedGroup::Warp];
    let drawn = CoreParams {
        warps,
        lanes: one_of(&[8, 16, 32]),
        execute_stages: one_of(&[1, 2, 3, 4, 7, 18, 32]),
        load_entries: one_of(&[2, 3, 8, 16]),
        shared_bytes: 1024 * one_of(&[16, 16, 10, 13, 48]),
        tag_bits: warps.next_power_of_two().ilog2().max(one_of(&[1, 3, 4, 6])),
        shared_banks: one_of(&[0, 8, 16, 32]),
        shared_conflict_group: group[one_of(&[0, 1, 2]) as usize],
        coalescing: [Coalescing::Line, Coalescing::HalfWarp, Coalescing::Cuda1x][one_of(&[0, 1, 2]) as usize],
        merge_loads: one_of(&[0, 1]) == 1,
        memory_order: [MemoryOrder::Warp, MemoryOrder::Line][one_of(&[0, 1]) as usize],
        issue: [IssueRule::Scoreboard, IssueRule::Barrel][one_of(&[0, 1]) as usize],
        issue_slots: if warps < 4 { 1 } else { one_of(&[1, 2]) },
        ..params()
    };
    // Loads that share a reply and atomics do not go together.
    CoreParams { atomics: !drawn.merge_loads, ..drawn }
}

/// Memory after random programs is that of the emulator, whatever the core.
#[test]
fn random_programs_agree_on_drawn_cores() {
    let mut random = Random::new(19);
    for seed in 100..108 {
        let p = drawn(&mut random);
        println!("seed {seed}: {p:?}");
        let threads = if p.warps < 4 { 45 } else { 70 };
        random::check(&p, seed, 5, [threads, 1, 1]);
    }
}

#[test]
fn every_number_of_lanes_agrees_with_many_warps() {
    for lanes in [8, 16, 32] {
        let full = CoreParams { lanes, warps: 64, tag_bits: 6, blocks: 32, ..params() };
        random::check(&full, 130 + u64::from(lanes), 20, [37, 3, 1]);
    }
}

/// Cycles of `instruction`, repeated, in `warps` warps, beyond those of half as many.
pub fn cycles_of(p: &CoreParams, warps: u32, instruction: Instruction) -> u64 {
    let run = |times: usize| {
        let mut program = vec![instruction; times];
        program.push(exit());
        let mut rig = CoreRig::new(p, 1);
        rig.load(&program, &[]);
        rig.run(Launch::line(1, 32 * warps))
    };
    run(200) - run(100)
}

/// Bakhoda 2014, section 3.4: a pipeline of 24 stages, four cycles a warp.
#[test]
fn six_warps_fill_a_barrel_of_24_stages() {
    let barrel = CoreParams { issue: IssueRule::Barrel, execute_stages: 18, warps: 16, ..params() };
    assert_eq!(barrel.pipeline_depth(), 24);
    let independent = opi(Add, 3, 255, 1);
    let cycles = [1, 2, 5, 6, 8].map(|warps| cycles_of(&barrel, warps, independent));
    assert_eq!(
        cycles,
        [2400, 2400, 2400, 2400, 3200],
        "an instruction of each warp in 24 cycles, or every four cycles"
    );
    let scoreboard = CoreParams { issue: IssueRule::Scoreboard, ..barrel };
    assert_eq!([1, 6].map(|warps| cycles_of(&scoreboard, warps, independent)), [2400, 2400], "the same register");
}
