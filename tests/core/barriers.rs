//! Barriers by number, for some warps, with reductions: against host arithmetic, on the emulator's engines, on cores.
//! Their Verilog: `lockstep.rs`.

use crate::rig::*;
use program::{
    Argument, Buffer, Check, Feature, Launch as Kernel, Target, Tolerance, compile,
    emulator::{self, EmulationError, Engine},
    memcheck::{self, CheckKinds, MemoryCheck},
    random::Random as Source,
};
use simt_core::CoreParams;

const WARPS: usize = 8;
const THREADS: usize = 32 * WARPS;
const ROUNDS: usize = 10;
const BLOCKS: usize = 3;

/// In each round warps meet in groups, each at a barrier of its own, whose number and count are in registers. What a
/// warp does there is `kind`: 0 counts, 1 arrives and goes on, 2 and 3 reduce, 4 waits. Who has waited reads what the
/// thread of a partner has written before it came. Behind all rounds the last warp ends, and the others count at a
/// barrier for all.
const ROUNDS_KERNEL: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry rounds(.param .u64 words, .param .u64 out, .param .u32 count)
{
  .reg .pred %p<9>;
  .reg .b32 %r<30>;
  .reg .b64 %d<9>;
  .shared .align 4 .b8 box[1024];
  ld.param.u64 %d1, [words];
  ld.param.u64 %d2, [out];
  ld.param.u32 %r20, [count];
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  and.b32 %r3, %r1, 31;
  mov.u32 %r4, 0;
  mov.u32 %r5, 0;
  mov.u32 %r6, box;
round:
  mad.lo.u32 %r7, %r4, 8, %r2;
  mul.wide.u32 %d3, %r7, 32;
  add.u64 %d3, %d1, %d3;
  ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%d3];
  ld.global.u32 %r12, [%d3+16];
  mad.lo.u32 %r13, %r1, 7, %r11;
  shr.u32 %r13, %r13, 2;
  and.b32 %r13, %r13, 1;
  setp.ne.u32 %p1, %r13, 0;
  setp.gt.u32 %p2, %r11, 200;
  or.pred %p1, %p1, %p2;
  mad.lo.u32 %r14, %r4, 1000, %r1;
  shl.b32 %r15, %r1, 2;
  add.u32 %r15, %r6, %r15;
  st.shared.u32 [%r15], %r14;
  mov.u32 %r16, 0;
  setp.eq.u32 %p3, %r10, 1;
  @%p3 bra arrive;
  setp.eq.u32 %p3, %r10, 2;
  @%p3 bra all;
  setp.eq.u32 %p3, %r10, 3;
  @%p3 bra any;
  setp.eq.u32 %p3, %r10, 4;
  @%p3 barrier.sync.aligned %r8, %r9;
  @%p3 bra read;
  bar.red.popc.u32 %r16, %r8, %r9, %p1;
  bra read;
all:
  bar.red.and.pred %p4, %r8, %r9, %p1;
  selp.u32 %r16, 1, 0, %p4;
  bra read;
any:
  barrier.cta.red.or.aligned.pred %p4, %r8, %r9, !%p1;
  selp.u32 %r16, 1, 0, %p4;
  bra read;
arrive:
  bar.arrive %r8, %r9;
  bra next;
read:
  shl.b32 %r17, %r12, 5;
  add.u32 %r17, %r17, %r3;
  shl.b32 %r17, %r17, 2;
  add.u32 %r17, %r6, %r17;
  ld.shared.u32 %r18, [%r17];
  add.u32 %r5, %r5, %r18;
next:
  mad.lo.u32 %r5, %r5, 31, %r16;
  bar.sync 0;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p5, %r4, %r20;
  @%p5 bra round;
  setp.eq.u32 %p6, %r2, 7;
  @%p6 bra store;
  setp.lt.u32 %p7, %r3, 5;
  bar.red.popc.u32 %r16, 3, %p7;
  mad.lo.u32 %r5, %r5, 31, %r16;
store:
  mov.u32 %r19, %ctaid.x;
  mad.lo.u32 %r19, %r19, 256, %r1;
  mul.wide.u32 %d4, %r19, 4;
  add.u64 %d4, %d2, %d4;
  st.global.u32 [%d4], %r5;
  ret;
}
";

/// What a warp does in a round: number, count of threads, kind, salt of the predicate, partner.
#[derive(Clone, Copy, Default)]
struct WarpRound {
    number: u32,
    threads: u32,
    kind: u32,
    salt: u32,
    partner: u32,
}

fn steps(seed: u64, barriers: u32) -> Vec<[WarpRound; WARPS]> {
    let mut random = Source::new(seed);
    let mut below = |n: u64| random.below(n) as u32;
    let round = |_| {
        let mut steps = [WarpRound::default(); WARPS];
        let groups = 1 + below(3.min(u64::from(barriers) - 1));
        let of: Vec<u32> = (0..WARPS).map(|_| below(groups.into())).collect();
        let first = below((barriers - groups).into());
        for group in 0..groups {
            let members: Vec<usize> = (0..WARPS).filter(|&w| of[w] == group).collect();
            let whole = members.len() == WARPS && below(2) == 1;
            let kind = [0, 2, 3, 4][below(4) as usize];
            for (place, &warp) in members.iter().enumerate() {
                let arrives = place > 0 && !whole && below(3) == 0;
                steps[warp] = WarpRound {
                    number: 1 + first + group,
                    threads: if whole { 0 } else { 32 * members.len() as u32 },
                    kind: if arrives { 1 } else { kind },
                    salt: if below(4) == 0 { 201 } else { below(40) },
                    partner: members[below(members.len() as u64) as usize] as u32,
                };
            }
        }
        steps
    };
    (0..ROUNDS).map(round).collect()
}

/// What thread `tid` gets: of the groups, by the definition of the reductions.
fn expected(rounds: &[[WarpRound; WARPS]], tid: usize) -> u32 {
    let (warp, lane) = (tid / 32, tid % 32);
    let mut sum = 0u32;
    for (r, steps) in rounds.iter().enumerate() {
        let own = steps[warp];
        let holds = |t: usize| {
            let salt = steps[t / 32].salt;
            (t as u32 * 7 + salt) >> 2 & 1 == 1 || salt > 200
        };
        let waiting = (0..WARPS).filter(|&w| steps[w].number == own.number && steps[w].kind != 1);
        let threads: Vec<usize> = waiting.flat_map(|w| 32 * w..32 * w + 32).collect();
        let outcome = match own.kind {
            0 => threads.iter().filter(|&&t| holds(t)).count() as u32,
            2 => threads.iter().all(|&t| holds(t)).into(),
            3 => threads.iter().any(|&t| !holds(t)).into(),
            _ => 0,
        };
        if own.kind != 1 {
            sum = sum.wrapping_add(r as u32 * 1000 + own.partner * 32 + lane as u32);
        }
        sum = sum.wrapping_mul(31).wrapping_add(outcome);
    }
    if warp < 7 { sum.wrapping_mul(31).wrapping_add(7 * 5) } else { sum }
}

pub fn rounds(seed: u64, barriers: u32) -> Kernel {
    let steps = steps(seed, barriers);
    let words = steps.iter().flatten().flat_map(|s| [s.number, s.threads, s.kind, s.salt, s.partner, 0, 0, 0]);
    let of_block: Vec<u32> = (0..THREADS).map(|tid| expected(&steps, tid)).collect();
    let expected = of_block.repeat(BLOCKS).iter().flat_map(|word| word.to_le_bytes()).collect();
    Kernel {
        name: format!("rounds {seed}"),
        kernel: compile(ROUNDS_KERNEL, "rounds.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}")),
        grid: [BLOCKS as u32, 1, 1],
        block: [THREADS as u32, 1, 1],
        buffers: vec![
            Buffer::words("words", words),
            Buffer { name: "out".into(), data: vec![0; 4 * THREADS * BLOCKS] },
        ],
        args: vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Word(ROUNDS as u32)],
        checks: vec![Check { buffer: 1, expected, tolerance: Tolerance::Exact }],
        placement: None,
    }
}

pub fn verify(launch: &Kernel, memory: &[u8]) {
    launch
        .verify(|address, bytes| memory[address as usize..][..bytes].to_vec())
        .unwrap_or_else(|e| panic!("{}: {e}", launch.name));
}

fn run_on(rig: &mut CoreRig, launch: &Kernel) {
    rig.slowness = 40;
    rig.run_program(launch);
    verify(launch, &rig.memory);
}

#[test]
fn warps_meet_in_groups() {
    for seed in 0..6 {
        let launch = rounds(seed, 16);
        assert_eq!(launch.kernel.requirement(Feature::Barriers).map(|needs| needs.amount), Some(4));
        verify(&launch, &emulator::run(&launch, 1 << 24).unwrap_or_else(|e| panic!("{e}")).memory);
        for engine in [Engine::Interpreter, Engine::Compiled] {
            verify(&launch, &emulator::run_warps(&launch, 1 << 24, engine).unwrap_or_else(|e| panic!("{e}")).memory);
        }
        let check_kinds = CheckKinds { races: true, uninitialised: true };
        let found = memcheck::check_for(&launch, &u64::MAX.into(), check_kinds);
        assert!(matches!(found, MemoryCheck::Passed { .. }), "{found:?}");
    }
    let sixteen = CoreParams { barriers: 16, ..params() };
    for seed in 0..4 {
        run_on(&mut CoreRig::new(&sixteen, seed), &rounds(seed, 16));
    }
    let cores = [
        CoreParams { barriers: 4, lanes: 16, warps: 16, tag_bits: 5, ..params() },
        CoreParams { barriers: 8, lanes: 32, warps: 32, tag_bits: 5, issue_slots: 2, ..params() },
        CoreParams { barriers: 4, issue_slots: 2, ..params() },
    ];
    for (core, seed) in cores.iter().zip(10..) {
        run_on(&mut CoreRig::new(core, seed), &rounds(seed, core.barriers));
    }
}

/// A kernel of 64 threads with this between its start and its end.
fn small(body: &str) -> Kernel {
    let ptx = format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<5>;\n.reg .b32 %r<9>;\n.shared .align 4 .b8 box[1024];\n\
         mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\nsetp.eq.u32 %p1, %r2, 0;\n{body}\nret;\n}}\n"
    );
    Kernel {
        name: body.into(),
        kernel: compile(&ptx, "k.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}")),
        grid: [1; 3],
        block: [64, 1, 1],
        buffers: vec![],
        args: vec![],
        checks: vec![],
        placement: None,
    }
}

#[test]
fn what_is_wrong_with_barriers_is_told() {
    let error = |body: &str| {
        let launch = small(body);
        let found = emulator::run(&launch, 1 << 20).expect_err(body);
        for engine in [Engine::Interpreter, Engine::Compiled] {
            assert_eq!(emulator::run_warps(&launch, 1 << 20, engine).expect_err(body), found);
        }
        let checked = memcheck::check(&launch, &u64::MAX.into());
        assert!(matches!(checked, MemoryCheck::Parted(_)), "{checked:?}");
        found
    };
    let stuck = error("@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;");
    assert!(matches!(stuck, EmulationError::Stuck { line: 12, .. }), "{stuck}");
    assert_eq!(
        stuck.to_string(),
        "warps of a block wait for ever: warp 0 at barrier 1 for 64 threads, 32 are there (PTX line 12); warp 1 at barrier 2 for 64 threads, 32 are \
         there (PTX line 13)"
    );
    for (body, wanted) in [
        ("bar.sync %r1, 64;", "threads of a warp come to different barriers"),
        ("add.u32 %r3, %r2, 16; bar.sync %r3, 64;", "barrier 16: a block has barriers 0 to 15"),
        ("add.u32 %r3, %r2, 40; bar.sync 1, %r3;", "a count of 40 threads"),
        ("bar.arrive 1, 96; bar.arrive 1, 96;", "comes to barrier 1 again before it is complete"),
        ("@%p1 bar.arrive 3, 96; @!%p1 bar.sync 3, 32;", "barrier 3 is for 32 threads, 64 have come"),
    ] {
        let found = error(body).to_string();
        assert!(found.contains(wanted), "{body}: {found}");
    }
    // A barrier of one warp orders nothing for the other one.
    let check_kinds = CheckKinds { races: true, uninitialised: false };
    let check = |body: &str| memcheck::check_for(&small(body), &u64::MAX.into(), check_kinds);
    let (store, load) = (
        "mov.u32 %r4, box; @%p1 st.shared.u32 [%r4], %r1;",
        "@!%p1 ld.shared.u32 %r5, [%r4]; st.shared.u32 [%r4+4], %r2;",
    );
    let own = check(&format!("{store} bar.sync 1, 32; {load}"));
    assert!(matches!(own, MemoryCheck::Failed(_)), "{own:?}");
    let load = load.split_once(" st").expect("two instructions").0;
    let both = check(&format!("{store} @%p1 bar.arrive 1, 64; @!%p1 bar.sync 1, 64; {load}"));
    assert!(matches!(both, MemoryCheck::Passed { .. }), "{both:?}");
}
