//! Merging of loads of several warps, and coalescing by halves and segments.

use crate::{random, rig::*};
use program::isa::Instruction;
use simt_core::{Coalescing, CoreParams, MemoryOrder};

fn count(rig: &mut CoreRig, path: &str, name: &str) -> u64 {
    let probes = rig.sim.probes();
    let found = probes.iter().find(|p| p.path == path && p.name == name);
    found.unwrap_or_else(|| panic!("there is a probe {path}.{name}")).value()
}

fn merging() -> [CoreParams; 3] {
    let merging = CoreParams { merge_loads: true, atomics: false, ..params() };
    let by_line = CoreParams { memory_order: MemoryOrder::Line, max_outstanding: 12, ..merging.clone() };
    let wide = CoreParams { lanes: 32, warps: 32, tag_bits: 5, ..merging.clone() };
    [merging, by_line, wide]
}

/// Eight warps load one line after the other, at the same time.
#[test]
fn loads_of_several_warps_are_one_request() {
    let program = [special(0, 12), opi(Shl, 1, 0, 1), opi(LdG32, 2, 1, 0x1000), exit()];
    for kind in merging() {
        let run = |kind: &CoreParams| {
            let mut rig = CoreRig::new(kind, 3);
            rig.slowness = 200;
            rig.load(&program, &[]);
            rig.run(Launch::line(1, 256));
            rig
        };
        let mut rig = run(&kind);
        let sent = count(&mut rig, "memory_port", "read_requests");
        assert_eq!(sent + count(&mut rig, "load_merge", "merged_reads"), 8);
        assert!(sent <= 3, "{sent} requests");
        let mut alone = run(&CoreParams { merge_loads: false, ..kind });
        assert_eq!(count(&mut alone, "memory_port", "read_requests"), 8);
    }
}

/// Each thread stores a number and loads it again, while other warps do so with words of the same line: no load may
/// take the reply of a read that was outstanding before its store.
#[test]
fn a_load_that_merges_finds_the_store_before_it() {
    for kind in merging() {
        // Threads of all warps side by side in each line: word lane * 8 + warp.
        let mut program = vec![special(0, 12), special(1, 13), opi(Shl, 0, 0, 3), op(Add, 0, 0, 1), opi(Shl, 1, 0, 2)];
        program.push(op(Mov, 3, 255, 255));
        for i in 0..12 {
            let at = 0x1000 + 0x800 * (i % 2);
            program.extend([opi(Add, 2, 0, 1000 * i), opi(StG32, 2, 1, at), opi(LdG32, 4, 1, at), op(Add, 3, 3, 4)]);
            program.extend([
                opi(LdG32, 5, 1, at),
                op(ISetpU, Instruction::predicate_dst(1, 0), 4, 5),
                on(0, opi(Add, 3, 3, 1 << 20)),
            ]);
        }
        program.extend([opi(StG32, 3, 1, 0x4000), exit()]);
        let mut rig = CoreRig::new(&kind, 5);
        rig.load(&program, &[]);
        rig.run(Launch::line(1, 256));
        for thread in 0..256 {
            let expected = (0..12).map(|i| thread + 1000 * i).sum::<u32>();
            assert_eq!(rig.word(0x4000 + 4 * thread), expected, "thread {thread}, {kind:?}");
        }
        assert!(count(&mut rig, "load_merge", "merged_reads") > 0, "some have merged");
    }
}

#[test]
fn random_programs_agree_with_merging_and_other_coalescing() {
    for (kind, seed) in merging().into_iter().zip([300, 310, 320]) {
        for (coalescing, seed) in
            [(Coalescing::Line, seed), (Coalescing::HalfWarp, seed + 1), (Coalescing::Cuda1x, seed + 2)]
        {
            let map = kind.map.clone().with_line_bytes([64, 32, 128][seed as usize % 3]);
            random::check(&CoreParams { coalescing, map, ..kind.clone() }, seed, 3, [45, 1, 1]);
        }
        let coalescing = [Coalescing::Cuda1x, Coalescing::Line, Coalescing::HalfWarp][seed as usize / 10 % 3];
        random::check(&CoreParams { coalescing, merge_loads: false, ..kind }, seed + 5, 3, [45, 1, 1]);
    }
}
