//! Latencies of operation classes: what instructions cost, and that results stay right. Their Verilog is held to in
//! `lockstep.rs`.

use crate::{random, rig::*, shapes::cycles_of};
use program::isa::Instruction;
use simt_core::{ClassCycles, CoreParams, IssueRule, Latencies, LatencyPreset};

const PRESETS: [LatencyPreset; 3] = [LatencyPreset::Gt200, LatencyPreset::Fermi, LatencyPreset::FourStage];

fn with(preset: LatencyPreset, latency: ClassCycles, interval: ClassCycles, core: CoreParams) -> CoreParams {
    let latencies = Latencies::new(preset, (latency, interval), core.execute_stages, core.lanes);
    CoreParams { latencies, ..core }
}

pub fn preset(preset: LatencyPreset, core: CoreParams) -> CoreParams {
    with(preset, ClassCycles::default(), ClassCycles::default(), core)
}

/// Memory after random programs is that of the emulator, whatever the latencies.
#[test]
fn random_programs_agree_with_every_preset() {
    for (i, kind) in PRESETS.into_iter().enumerate() {
        for lanes in [8, 16, 32] {
            let core = preset(kind, CoreParams { lanes, warps: 16, tag_bits: 5, ..params() });
            for seed in 0..2 {
                random::check(&core, 200 + 10 * i as u64 + seed, 3, [70, 1, 1]);
            }
        }
    }
}

#[test]
fn random_programs_agree_with_drawn_latencies() {
    let mut random = Random::new(5);
    for seed in 230..234 {
        let mut cycles = || {
            let mut one = || [0, 1, 2, 5, 9, 40, 255][random.below(7) as usize];
            ClassCycles {
                integer: one(),
                integer_min_max: one(),
                multiply: one(),
                multiply_add: one(),
                float: one(),
                float_min_max: one(),
                float_multiply: one(),
                float_multiply_add: one(),
                convert: one(),
            }
        };
        let (latency, interval) = (cycles(), cycles());
        let issue = [IssueRule::Scoreboard, IssueRule::Barrel][seed as usize % 2];
        let core = CoreParams { lanes: [8, 16, 32][seed as usize % 3], issue, ..params() };
        random::check(&with(LatencyPreset::Uniform, latency, interval, core), seed, 2, [70, 1, 1]);
    }
}

/// Cycles from an instruction to one that needs its result, and from one to the next one of another warp.
#[test]
fn instructions_cost_what_their_class_says() {
    let [add, multiply, mad, float] = [op(Add, 3, 3, 3), op(Mul, 3, 3, 3), op(Mad, 3, 3, 3), op(FAdd, 3, 3, 3)];
    let each = |core: &CoreParams, warps: u32, instruction: Instruction| cycles_of(core, warps, instruction) / 100;
    let gt200 = preset(LatencyPreset::Gt200, params());
    assert_eq!([add, multiply, mad, float].map(|i| each(&gt200, 1, i)), [24, 96, 120, 24], "Kim 2017, table 1.1");
    assert_eq!(
        [add, multiply, mad, float].map(|i| each(&gt200, 8, i)),
        [32, 160, 192, 32],
        "19 and 23 cycles, in turns of 4"
    );
    let fermi = preset(LatencyPreset::Fermi, CoreParams { lanes: 32, ..params() });
    let [least, most] = [op(MinS, 3, 3, 3), op(FMax, 3, 3, 3)];
    assert_eq!([add, least, multiply, mad, most].map(|i| each(&fermi, 1, i)), [7, 16, 7, 8, 16]);
    let short = preset(LatencyPreset::FourStage, params());
    assert_eq!([add, mad].map(|i| each(&short, 1, i)), [4, 4]);
    let own = ClassCycles { multiply: 10, ..ClassCycles::default() };
    let own = with(LatencyPreset::Uniform, own, ClassCycles::default(), params());
    assert_eq!([add, multiply, mad].map(|i| each(&own, 1, i)), [8, 16, 8]);
}
