//! Cores with special function units: random programs against the emulator, and how fast a warp goes through. Their
//! Verilog: `lockstep.rs`.

use crate::{random::check, rig::*};
use program::isa::{Instruction, Opcode};
use simt_core::{ClassCycles, CoreParams, DoubleRate, IssueRule, Latencies, LatencyPreset};

/// Of all widths and numbers of units; beside double precision; with one warp at a time in the pipeline; with latencies
/// of a machine; with two issue slots.
fn cores() -> [CoreParams; 7] {
    let with = |lanes: u32, special_units: u32| CoreParams { lanes, special_units, ..params() };
    let gt200 = Latencies::new(LatencyPreset::Gt200, (ClassCycles::default(), ClassCycles::default()), 4, 8);
    [
        with(8, 4),
        with(8, 1),
        CoreParams { execute_stages: 1, warps: 4, ..with(16, 8) },
        CoreParams { execute_stages: 2, atomics: false, double: DoubleRate::Half, ..with(32, 4) },
        CoreParams { issue: IssueRule::Barrel, ..with(8, 2) },
        CoreParams { latencies: gt200, double: DoubleRate::Eighth, ..with(8, 2) },
        CoreParams { issue_slots: 2, ..with(16, 4) },
    ]
}

#[test]
fn random_programs_with_special_functions_agree_with_the_emulator() {
    for (kind, seed) in cores().iter().zip((400..).step_by(5)) {
        check(kind, seed, 3, [45, 1, 1]);
    }
}

/// Eight warps of which no instruction waits for another: a warp takes 32 cycles of one unit, or an issue interval to
/// issue.
#[test]
fn a_warp_takes_as_many_cycles_as_its_units_need() {
    const CHAIN: u8 = 14;
    for (special_units, cycles_of_warp) in [(1, 32), (4, 8)] {
        let core = CoreParams { special_units, ..params() };
        let mut program = vec![crate::rig::special(0, 0)];
        let of = |dst: u8| Instruction {
            dst: dst + 1,
            b: program::isa::OperandB::Register(0),
            ..Instruction::new(Opcode::Ex2)
        };
        program.extend((0..CHAIN).map(of));
        program.push(exit());
        let mut rig = CoreRig::new(&core, 1);
        rig.load(&program, &[]);
        let cycles = rig.run(crate::rig::Launch::line(1, 256));
        let least = 8 * u64::from(CHAIN) * cycles_of_warp;
        assert!((least..least + 140).contains(&cycles), "{special_units}: {cycles} cycles, {least} at least");
    }
}
