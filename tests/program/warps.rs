//! Shuffles and votes against what the PTX manual says of them, in the emulator and on a chip.

use std::{path::Path, sync::atomic::AtomicU64};
use warpmesh::{
    chip,
    host::{Limits, run},
    program::{
        Argument, Buffer, Check, Feature, Launch, Target, Tolerance, compile, emulator,
        memcheck::{self, MemoryCheck},
        random::Random,
    },
    report::Verdict,
    sim::Options,
};

/// Threads of a block: a warp and a part of one.
const BLOCK: usize = 45;
const BLOCKS: usize = 2;

/// Thread i reads `value`, `by`, `limits` and `part`, four words of its own, and writes %r10 and %r11.
fn kernel(body: &str) -> String {
    format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry test(.param .u64 in, .param .u64 out)\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<20>;\n\
         .reg .b64 %rd<9>;\n.shared .align 4 .b8 own[100];\nmov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;\nmad.lo.s32 %r6, %r4, %r5, %r3;\n\
         mul.wide.u32 %rd3, %r6, 16; mul.wide.u32 %rd4, %r6, 8;\nld.param.u64 %rd1, [in]; add.s64 %rd1, %rd1, %rd3;\nld.param.u64 %rd2, [out]; \
         add.s64 %rd2, %rd2, %rd4;\nld.global.v4.u32 {{%r1, %r2, %r7, %r8}}, [%rd1];\nsetp.ne.u32 %p1, %r8, 0; mov.u32 %r10, 0; mov.u32 %r11, 0;\n{body}\n\
         st.global.v2.u32 [%rd2], {{%r10, %r11}};\nret;\n}}\n"
    )
}

/// What thread `i` has: value, distance or number, limits, whether it takes part.
type ProgramWarpsInput = [u32; 4];

/// A launch in which each thread gets `expected`.
fn launch(body: &str, input: &[ProgramWarpsInput], expected: &[[u32; 2]]) -> Launch {
    let kernel = compile(&kernel(body), "test.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let (input, expected) = (input.concat(), words(&expected.concat()));
    let buffers = vec![Buffer::words("in", input), Buffer { name: "out".into(), data: vec![0; expected.len()] }];
    let (grid, block) = ([BLOCKS as u32, 1, 1], [BLOCK as u32, 1, 1]);
    let checks = vec![Check { buffer: 1, expected, tolerance: Tolerance::Exact }];
    Launch {
        name: "test".into(),
        kernel,
        grid,
        block,
        buffers,
        args: vec![Argument::Buffer(0), Argument::Buffer(1)],
        checks,
        placement: None,
    }
}

/// The emulator and the checks on memory find what is expected.
fn verify(launch: &Launch, body: &str) {
    launch.validate().unwrap_or_else(|e| panic!("{e}"));
    let memory = emulator::run(launch, 1 << 24).unwrap_or_else(|e| panic!("{e}\n{body}")).memory;
    launch
        .verify(|address, bytes| memory[address as usize..][..bytes].to_vec())
        .unwrap_or_else(|e| panic!("{e}\n{body}"));
    let compiled = emulator::run_warps(launch, 1 << 24, emulator::Engine::Compiled);
    assert_eq!(compiled.unwrap_or_else(|e| panic!("{e}\n{body}")).memory, memory, "{body}");
    let checked = memcheck::check(launch, &AtomicU64::new(u64::MAX));
    assert!(matches!(checked, MemoryCheck::Passed { .. }), "{checked:?}\n{body}");
}

/// The threads of a warp with the first number `start`.
fn warp_of(i: usize) -> std::ops::Range<usize> {
    let (block, within) = (i / BLOCK * BLOCK, i % BLOCK);
    let start = block + within / 32 * 32;
    start..(start + 32).min(block + BLOCK)
}

/// The lane that the manual's pseudocode reads, and whether it is within bounds.
fn source(mode: &str, lane: u32, by: u32, limits: u32) -> (u32, bool) {
    let (by, clamp, mask) = (by & 31, limits & 31, limits >> 8 & 31);
    let (last, first) = ((lane & mask) | (clamp & !mask & 31), lane & mask);
    let (from, within) = match mode {
        "up" => (lane as i32 - by as i32, lane as i32 - by as i32 >= last as i32),
        "down" => ((lane + by) as i32, lane + by <= last),
        "bfly" => ((lane ^ by) as i32, lane ^ by <= last),
        _ => ((first | (by & !mask & 31)) as i32, first | (by & !mask & 31) <= last),
    };
    if within { (from as u32, true) } else { (lane, false) }
}

fn inputs(random: &mut Random) -> Vec<ProgramWarpsInput> {
    let limits = [0x1f, 0, 0x181f, 0x1c1f, 0x1e1f, 0x1800, 0x0f1f];
    (0..BLOCK * BLOCKS)
        .map(|_| {
            let mut word = || random.next_u64() as u32;
            [word(), word(), limits[word() as usize % limits.len()], u32::from(!word().is_multiple_of(4))]
        })
        .collect()
}

#[test]
fn shuffles() {
    let mut random = Random::new(3);
    for round in 0..200 {
        let mode = ["up", "down", "bfly", "idx"][round % 4];
        let mut input = inputs(&mut random);
        // Distances within a warp, and equal limits as programs have them, in every other round.
        for (i, thread) in input.iter_mut().enumerate() {
            thread[1] %= 40;
            if round / 4 % 2 == 0 {
                thread[2] = [0x1f, 0, 0x181f][round / 8 % 3];
                thread[1] = (round as u32 + u32::from(mode == "idx") * i as u32) % 33;
            }
        }
        let sync = if round % 3 == 0 { "" } else { ".sync" };
        let mask = if sync.is_empty() { "" } else { ", 0xffffffff" };
        let body = format!("shfl{sync}.{mode}.b32 %r10|%p2, %r1, %r2, %r7{mask}; selp.u32 %r11, 1, 0, %p2;");
        // A thread that is not there leaves the value open: it reads its own.
        for (i, thread) in input.iter_mut().enumerate() {
            let (start, there) = (warp_of(i).start, warp_of(i).len());
            if source(mode, (i - start) as u32, thread[1], thread[2]).0 as usize >= there {
                thread[1] = if mode == "idx" { (i - start) as u32 } else { 0 };
            }
            if source(mode, (i - start) as u32, thread[1], thread[2]).0 as usize >= there {
                thread[2] = 0x1f;
            }
        }
        let expected: Vec<_> = (0..input.len())
            .map(|i| {
                let start = warp_of(i).start;
                let (lane, within) = source(mode, (i - start) as u32, input[i][1], input[i][2]);
                [input[start + lane as usize][0], u32::from(within)]
            })
            .collect();
        verify(&launch(&body, &input, &expected), &body);
    }
}

/// PTX leaves open what such a lane gives; a sum over fewer lanes than the warp has counts on zero.
#[test]
fn lanes_that_a_mask_does_not_name_give_zero() {
    let input = inputs(&mut Random::new(8));
    let body = "shfl.sync.idx.b32 %r11, %r1, 0, 0x1f, -1; mov.u32 %r12, %laneid; setp.ge.u32 %p2, %r12, 5;\n\
                @%p2 bra DONE; shfl.sync.down.b32 %r10, %r1, 3, 0x1f, 0x1f;\nDONE:";
    let expected: Vec<_> = (0..input.len())
        .map(|i| {
            let start = warp_of(i).start;
            [if i - start < 2 { input[i + 3][0] } else { 0 }, input[start][0]]
        })
        .collect();
    verify(&launch(body, &input, &expected), body);
}

/// The threads that take part of the warp of `i`, with their lanes.
fn taking_part(input: &[ProgramWarpsInput], i: usize) -> impl Iterator<Item = (u32, &ProgramWarpsInput)> {
    let all = warp_of(i);
    input[all].iter().enumerate().map(|(lane, thread)| (lane as u32, thread)).filter(|(_, thread)| thread[3] != 0)
}

/// A vote of each kind, by the threads that take part, under a guard or behind a branch.
#[test]
fn votes() {
    let mut random = Random::new(4);
    for round in 0..120 {
        let mut input = inputs(&mut random);
        // All alike in some rounds.
        for thread in &mut input {
            thread[1] = match round % 3 {
                0 => thread[1] & 1,
                more => more as u32 - 1,
            };
        }
        let kind = ["ballot", "any", "all", "uni"][round / 3 % 4];
        let mask = if round % 2 == 0 { "" } else { ", %r12" };
        let sync = if mask.is_empty() { "" } else { ".sync" };
        let (vote, result) = match kind {
            "ballot" => (format!("vote{sync}.ballot.b32 %r10, %p3{mask}"), ""),
            _ => (format!("vote{sync}.{kind}.pred %p2, %p3{mask}"), "@%p1 selp.u32 %r10, 1, 0, %p2;"),
        };
        let start = "setp.ne.u32 %p3, %r2, 0;";
        let body = match round % 4 / 2 {
            0 => format!("{start} @%p1 activemask.b32 %r12; @%p1 mov.u32 %r11, %r12; @%p1 {vote}; {result}"),
            _ => format!("{start} @!%p1 bra END; activemask.b32 %r12; mov.u32 %r11, %r12; {vote}; {result}\nEND:"),
        };
        let expected: Vec<_> = (0..input.len())
            .map(|i| {
                if input[i][3] == 0 {
                    return [0, 0];
                }
                let bits = |holds: fn(&ProgramWarpsInput) -> bool| {
                    taking_part(&input, i).fold(0, |bits, (lane, thread)| bits | u32::from(holds(thread)) << lane)
                };
                let (votes, active) = (bits(|thread| thread[1] != 0), bits(|_| true));
                let outcome = match kind {
                    "ballot" => votes,
                    "any" => u32::from(votes != 0),
                    "all" => u32::from(votes == active),
                    _ => u32::from(votes == active || votes == 0),
                };
                [outcome, active]
            })
            .collect();
        verify(&launch(&body, &input, &expected), &body);
    }
}

/// Groups of eight lanes vote at once, each with a mask of its own: every thread learns of its group alone.
#[test]
fn votes_of_groups() {
    let mut random = Random::new(6);
    for round in 0..12 {
        let mut input = inputs(&mut random);
        for thread in &mut input {
            thread[1] = u32::from(thread[1] % 8 != 0) ^ (round & 1);
        }
        let kind = ["ballot", "any", "all"][round as usize / 2 % 3];
        let vote = match kind {
            "ballot" => "vote.sync.ballot.b32 %r10, %p3, %r12;".to_string(),
            _ => format!("vote.sync.{kind}.pred %p2, %p3, %r12; selp.u32 %r10, 1, 0, %p2;"),
        };
        let body = format!(
            "@!%p1 bra END; activemask.b32 %r11; setp.ne.u32 %p3, %r2, 0; mov.u32 %r10, %laneid; and.b32 %r10, %r10, 24; \
             mov.u32 %r12, 255; shl.b32 %r12, %r12, %r10; and.b32 %r12, %r12, %r11; {vote}\nEND:"
        );
        let expected: Vec<_> = (0..input.len())
            .map(|i| {
                if input[i][3] == 0 {
                    return [0, 0];
                }
                let bits = |holds: &dyn Fn(u32, &ProgramWarpsInput) -> bool| {
                    taking_part(&input, i).fold(0, |bits, (lane, thread)| bits | u32::from(holds(lane, thread)) << lane)
                };
                let group = ((i - warp_of(i).start) / 8) as u32;
                let members = bits(&|lane, _| lane / 8 == group);
                let votes = bits(&|lane, thread| lane / 8 == group && thread[1] != 0);
                let outcome = match kind {
                    "ballot" => votes,
                    "any" => u32::from(votes != 0),
                    _ => u32::from(votes == members),
                };
                [outcome, bits(&|_, _| true)]
            })
            .collect();
        verify(&launch(&body, &input, &expected), &body);
    }
}

/// As programs add up a warp; on a chip, beside barriers and shared memory of the block.
#[test]
fn a_chip_adds_up_warps() {
    let mut body = String::from("mov.u32 %r10, %r1;\n");
    for distance in [16, 8, 4, 2, 1] {
        body += &format!("shfl.sync.bfly.b32 %r12, %r10, {distance}, 0x1f, -1; add.u32 %r10, %r10, %r12;\n");
    }
    // Lanes 13 to 31 of the second warp are not there.
    let whole = "setp.ge.u32 %p4, %r3, 32; @%p4 bra PART;";
    let part = "bra.uni MEET;\nPART: setp.ne.u32 %p3, %r2, 0; vote.sync.ballot.b32 %r10, %p3, 0x1fff; bar.warp.sync 0x1fff;\nMEET: bar.sync 0; activemask.b32 %r11;";
    let body = format!("{whole}\n{body}{part}");
    let mut random = Random::new(5);
    let mut input = inputs(&mut random);
    input.iter_mut().for_each(|thread| thread[1] &= 1);
    let expected: Vec<_> = (0..input.len())
        .map(|i| {
            let warp = &input[warp_of(i)];
            match warp.len() {
                32 => [warp.iter().fold(0, |sum: u32, thread| sum.wrapping_add(thread[0])), u32::MAX],
                _ => [warp.iter().enumerate().fold(0, |bits, (lane, thread)| bits | thread[1] << lane), 0x1fff],
            }
        })
        .collect();
    let launch = launch(&body, &input, &expected);
    assert_eq!(launch.shared_bytes(), 128 + 2 * 128, "the block's own 100 bytes, then 128 of each warp");
    verify(&launch, &body);
    for (config, lanes) in [("small.toml", 8), ("small-l1.toml", 16)] {
        let overrides = ["core.atomics=true".to_string(), format!("core.lanes={lanes}")];
        let chip = chip::load(Some(Path::new(config)), &overrides).unwrap_or_else(|e| panic!("{e}"));
        let limits = Limits { max_cycles: 100_000, watchdog: 5_000, ..Limits::default() };
        let report =
            run(&chip, &launch, &Options::default(), limits, 1, |_, _| Ok(())).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{config}");
    }
}

/// Threads that the mask names are elsewhere: the checks on memory say so, whatever the result is.
#[test]
fn masks_name_threads_that_are_there() {
    let mut input = inputs(&mut Random::new(6));
    for (i, thread) in input.iter_mut().enumerate() {
        thread[3] = u32::from(i % 4 != 1);
    }
    let zero = vec![[0, 0]; input.len()];
    for instruction in
        ["shfl.sync.idx.b32 %r10, %r1, 0, 0x1f, -1", "vote.sync.any.pred %p2, %p1, 0x0f0f", "bar.warp.sync 0xffffffff"]
    {
        let run = launch(&format!("@!%p1 bra END; {instruction};\nEND:"), &input, &zero);
        let MemoryCheck::Failed(fault) = memcheck::check(&run, &AtomicU64::new(u64::MAX)) else {
            panic!("{instruction}");
        };
        assert!(fault.problem.contains("of lanes 1, "), "{fault}");
    }
    // Those that have ended do not count.
    let ended = launch(
        "@!%p1 ret; bar.warp.sync 0xffffffff; vote.sync.any.pred %p2, %p1, 0xffffffff; mov.u32 %r10, 0;",
        &input,
        &zero,
    );
    verify(&ended, "threads that have ended");
}

#[test]
fn a_chip_without_atomics_refuses_votes() {
    let input = inputs(&mut Random::new(7));
    let run = launch("vote.ballot.b32 %r10, %p1;", &input, &vec![[0, 0]; input.len()]);
    assert!(run.kernel.requirement(Feature::Atomics).is_some());
}
