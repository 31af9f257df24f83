//! Cores with double-precision units: random programs against the emulator, and how fast a warp goes through. Their
//! Verilog: `lockstep.rs`.

use crate::{campaign::part_or_all, random::check, rig::*};
use netlist::elaborate;
use program::isa::{Instruction, Opcode};
use simt_core::{ClassCycles, CoreParams, DoubleRate, IssueRule, Latencies, LatencyPreset, core};
use verilog::{lint, lint_quickly};

/// Of all widths and both rates; with one warp at a time in the pipeline; with latencies of a machine; with two issue
/// slots.
fn cores() -> [CoreParams; 8] {
    let with = |lanes: u32, double: DoubleRate| CoreParams { lanes, double, ..params() };
    let gt200 = Latencies::new(LatencyPreset::Gt200, (ClassCycles::default(), ClassCycles::default()), 4, 8);
    [
        with(8, DoubleRate::Eighth),
        with(8, DoubleRate::Half),
        CoreParams { execute_stages: 1, warps: 4, ..with(16, DoubleRate::Half) },
        CoreParams { execute_stages: 2, atomics: false, ..with(32, DoubleRate::Eighth) },
        CoreParams { issue: IssueRule::Barrel, ..with(8, DoubleRate::Eighth) },
        CoreParams { latencies: gt200, ..with(8, DoubleRate::Half) },
        CoreParams { issue_slots: 2, ..with(16, DoubleRate::Eighth) },
        CoreParams { issue_slots: 2, issue: IssueRule::Barrel, ..with(32, DoubleRate::Half) },
    ]
}

#[test]
fn random_programs_in_double_precision_agree_with_the_emulator() {
    for (kind, seed) in cores().iter().zip((300..).step_by(5)) {
        for seed in seed..seed + 2 {
            check(kind, seed, 3, [45, 1, 1]);
        }
    }
}

/// In step with the native simulation: `lockstep.rs`.
#[test]
fn the_verilog_of_a_core_in_double_precision_is_clean() {
    let design = elaborate(&core(&cores()[1])).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = if part_or_all(false, true) { lint(&design) } else { lint_quickly(&design) };
    let diagnostics = diagnostics.unwrap_or_else(|e| panic!("{e}"));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
}

/// Eight warps add doubles of which none waits for another: a warp takes 32 cycles of one unit, or two issue intervals
/// to issue.
#[test]
fn a_warp_takes_as_many_cycles_as_its_units_need() {
    const PAIRS: u8 = 14;
    for (rate, cycles_of_warp) in [(DoubleRate::Eighth, 32), (DoubleRate::Half, 8)] {
        let core = CoreParams { double: rate, ..params() };
        let time = |opcode: Opcode| {
            let mut program = vec![special(0, 0)];
            for pair in 0..PAIRS {
                let [low, high] =
                    [opcode, Opcode::DHigh].map(|opcode| Instruction { a: 0, ..Instruction::new(opcode) });
                program.extend([Instruction { dst: 2 * pair + 2, ..low }, Instruction { dst: 2 * pair + 3, ..high }]);
            }
            program.push(exit());
            let mut rig = CoreRig::new(&core, 1);
            rig.load(&program, &[]);
            rig.run(crate::rig::Launch::line(1, 256))
        };
        let cycles = time(Opcode::DAdd);
        let least = 8 * u64::from(PAIRS) * cycles_of_warp;
        assert!((least..least + 140).contains(&cycles), "{rate:?}: {cycles} cycles, {least} at least");
    }
}
