//! The emulator in machine code against the interpreter: the same memory, counts and errors, bit for bit.

use testkit_base::{
    assembling::{exit, on, op, opi, special, unless},
    random_program::{ProgramRandom, With, program, program_of},
};
use warpmesh_program::{
    Argument, Buffer, Launch, Target, compile,
    emulator::{self, CompiledKernel, EmulationError, Engine, Fault, LockstepOutcome},
    isa::{Instruction, Opcode, OperandB, Operands, Predicate},
    kernels,
};

const LIMIT: u64 = 1 << 28;

/// Runs on both engines, which have to agree.
fn both(launch: &Launch, limit: u64) -> Result<LockstepOutcome, EmulationError> {
    let expected = emulator::run_warps(launch, limit, Engine::Interpreter);
    let kernel = CompiledKernel::new(&launch.kernel);
    assert!(kernel.is_compiled(), "{}", launch.kernel.disassemble());
    let found = kernel.run(launch, limit);
    if let (Ok(found), Ok(expected)) = (&found, &expected) {
        let words = found.memory.chunks(4).zip(expected.memory.chunks(4));
        let wrong: Vec<usize> = words.enumerate().filter(|(_, (a, b))| a != b).map(|(word, _)| word).collect();
        assert!(wrong.is_empty(), "{}: words {wrong:x?}\n{}", launch.name, launch.kernel.disassemble());
    }
    assert_eq!(found, expected, "{}", launch.name);
    expected
}

#[test]
fn every_kernel_of_the_project() {
    for kernel in kernels::every() {
        let sizes = [Some(1), Some(37), (kernel.default_size <= 16384).then_some(kernel.default_size)];
        for size in sizes.into_iter().flatten() {
            let launch = kernel.launch(Some(size), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
            let run = both(&launch, LIMIT).unwrap_or_else(|e| panic!("{} {size}: {e}", kernel.name));
            let read = |at: u32, bytes: usize| run.memory[at as usize..][..bytes].to_vec();
            launch.verify(read).unwrap_or_else(|e| panic!("{} {size}: {e}", kernel.name));
        }
    }
}

fn with(atomics: bool, double: bool) -> With {
    With { atomics, double, special: double }
}

#[test]
fn random_programs() {
    for seed in 0..60 {
        let block = [[64, 1, 1], [37, 1, 1], [9, 4, 2], [33, 3, 1]][seed as usize % 4];
        let launch = program_of(seed, 2, block, with(seed % 2 == 1, seed % 4 > 1));
        let run = both(&launch, LIMIT).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        // Wherever the limit is, it is reached at the same instruction.
        if seed < 8 {
            let mut random = ProgramRandom::new(seed);
            for limit in (0..6).map(|_| random.below(run.thread_instructions)) {
                assert_eq!(both(&launch, limit), Err(EmulationError::Limit { limit }));
            }
            both(&launch, run.thread_instructions).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
    }
}

/// The launch of a program by hand for one buffer, with shared memory for each thread.
fn launch(code: Vec<Instruction>, grid: u32, block: [u32; 3], buffer: Buffer) -> Launch {
    let mut launch = program(0, 1, block);
    launch.kernel.lines = (1..).take(code.len()).collect();
    launch.kernel.code = code.iter().map(Instruction::encode).collect();
    Launch { grid: [grid, 1, 1], buffers: vec![buffer], ..launch }
}

/// Values that arithmetic finds interesting.
const CORNERS: [u32; 26] = [
    0,
    1,
    2,
    31,
    32,
    33,
    0x7f,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0001,
    0x7f80_0000,
    0xff80_0000,
    0x7f80_0001,
    0xffc0_0000,
    0x7f7f_ffff,
    0x0080_0000,
    0x807f_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x4b80_0001,
    0x3f7f_ffff,
];

#[test]
fn every_operation_at_its_corners() {
    const DATA: u32 = 768;
    let count = (CORNERS.len() * CORNERS.len()) as u32;
    let threads = count.next_multiple_of(64);
    // R10 the thread, R0 and R1 its corners, R2 a third one.
    let mut code = vec![special(10, 0), special(1, 6), opi(Opcode::Mul, 1, 1, 64), op(Opcode::Add, 10, 10, 1)];
    code.extend([opi(Opcode::Mul, 11, 10, 12), opi(Opcode::Add, 11, 11, DATA)]);
    code.extend((0..3).map(|word| opi(Opcode::LdG32, word, 11, 4 * u32::from(word))));
    code.push(opi(Opcode::ISetpS, Instruction::predicate_dst(2, 1), 0, 40));
    code.extend([opi(Opcode::Shl, 12, 10, 2), opi(Opcode::Add, 12, 12, DATA + 12 * threads)]);
    let mut results = 0;
    let mut keep = |code: &mut Vec<Instruction>, register: u8| {
        code.push(opi(Opcode::StG32, register, 12, 4 * threads * results));
        results += 1;
    };
    let is_alu =
        |opcode: &&Opcode| (1..=4).contains(&(**opcode as u8 >> 5)) && **opcode != Opcode::S2r && !opcode.is_double();
    for &opcode in Opcode::ALL.iter().filter(is_alu) {
        let p = Predicate { index: 1, negate: opcode as u8 & 1 == 1 };
        for negate in [[false; 3], [true, false, false], [false, true, true]] {
            let i = Instruction { dst: 5, a: 0, b: OperandB::Register(1), c: 2, p, negate, ..Instruction::new(opcode) };
            match opcode.operands() {
                Operands::Compare => {
                    for comparison in 0..16 {
                        code.push(Instruction { dst: Instruction::predicate_dst(comparison, 3), ..i });
                        code.extend([op(Opcode::Mov, 5, 255, 255), on(3, opi(Opcode::Mov, 5, 255, 1))]);
                        keep(&mut code, 5);
                    }
                }
                Operands::Logic => {
                    for which in 0..4 {
                        let b = OperandB::Register(1 | (8 * (which & 1)));
                        code.push(Instruction { dst: Instruction::predicate_dst(which, 3), b, ..i });
                        code.extend([op(Opcode::Mov, 5, 255, 255), unless(3, opi(Opcode::Mov, 5, 255, 1))]);
                        keep(&mut code, 5);
                    }
                }
                _ => {
                    // Also where the guard fails.
                    code.extend([op(Opcode::Mov, 5, 255, 10), i]);
                    keep(&mut code, 5);
                    code.push(unless(1, Instruction { a: 1, b: OperandB::Register(0), ..i }));
                    keep(&mut code, 5);
                }
            }
        }
        if !matches!(opcode.operands(), Operands::Abc | Operands::Logic | Operands::Compare) {
            for immediate in [0, 1, 31, 32, 0x8000_0000, 0xffff_ffff, 0x3fc0_0000] {
                code.push(Instruction { p: Predicate { index: 1, negate: false }, ..opi(opcode, 5, 0, immediate) });
                keep(&mut code, 5);
            }
        }
    }
    for &opcode in Opcode::ALL.iter().filter(|opcode| opcode.is_double() && **opcode != Opcode::DHigh) {
        // Corners in high words, in low words, and under a guard.
        for (words, guarded, negate) in [
            ([2, 2, 0, 0, 1, 1], false, [false; 3]),
            ([1, 0, 0, 1, 2, 2], false, [true, false, true]),
            ([2, 1, 1, 2, 0, 0], true, [false, true, false]),
        ] {
            let [a, high_a, b, high_b, c, high_c] = words;
            let guard = if guarded { Predicate { index: 1, negate: true } } else { Predicate::TRUE };
            let half = |opcode, dst, [a, b, c]: [u8; 3]| Instruction {
                guard,
                dst,
                a,
                b: OperandB::Register(b),
                c,
                ..Instruction::new(opcode)
            };
            code.extend([op(Opcode::Mov, 5, 255, 10), op(Opcode::Mov, 6, 255, 10), half(opcode, 5, [a, b, c])]);
            code.push(Instruction { negate, ..half(Opcode::DHigh, 6, [high_a, high_b, high_c]) });
            keep(&mut code, 5);
            keep(&mut code, 6);
        }
    }
    for number in 0..18 {
        code.push(special(5, number));
        keep(&mut code, 5);
    }
    code.push(exit());
    let words = (0..threads as usize).flat_map(|thread| {
        let n = CORNERS.len();
        [thread % n, thread / n % n, (thread * 7 + thread / n) % n].map(|corner| CORNERS[corner])
    });
    let buffer = Buffer::words("data", words.chain((0..threads * results).map(|_| 0xdead_beef)));
    let run = launch(code, threads / 64, [64, 1, 1], buffer);
    both(&run, LIMIT).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn what_is_wrong_is_found_at_the_same_place() {
    let mut faults = [0; 4];
    let mut random = ProgramRandom::new(5);
    for seed in 0..60 {
        let mut run =
            program_of(100 + seed, 2, [[64, 1, 1], [40, 1, 1]][seed as usize % 2], with(seed % 3 == 0, seed % 5 == 0));
        for _ in 0..3 {
            let accesses: Vec<usize> =
                (30..run.kernel.code.len()).filter(|&pc| is_access(run.kernel.code[pc])).collect();
            let pc = accesses[random.below(accesses.len() as u64) as usize];
            run.kernel.code[pc] ^= [1, 2, 1 << 8, 1 << 16, 1 << 30, 1 << 35][random.below(6) as usize];
        }
        match both(&run, LIMIT) {
            Err(EmulationError::Access(bad)) => match bad.fault {
                Fault::Outside => faults[0] += 1,
                Fault::Unaligned => faults[1] += 1,
                Fault::ReadOnly => faults[2] += 1,
                fault => panic!("{fault}"),
            },
            other => faults[3] += u32::from(other.is_ok()),
        }
    }
    assert!(faults[0] > 5 && faults[1] > 5, "{faults:?}");
}

fn is_access(word: u64) -> bool {
    let operands = Instruction::decode(word).map(|i| i.opcode.operands());
    matches!(operands, Some(Operands::Load | Operands::Store))
}

#[test]
fn code_of_no_compiler() {
    let mut random = ProgramRandom::new(9);
    let mut completed = 0;
    for seed in 0..150 {
        let mut run =
            program_of(200 + seed, 1, [[64, 1, 1], [21, 1, 1]][seed as usize % 2], with(seed % 3 == 0, seed % 5 == 0));
        for _ in 0..1 + seed % 4 {
            let pc = random.below(run.kernel.code.len() as u64) as usize;
            run.kernel.code[pc] ^= 1 << random.below(64);
        }
        completed += u32::from(both(&run, 1 << 17).is_ok());
    }
    assert!((20..140).contains(&completed), "{completed}");
}

#[test]
fn stores_to_constants_and_traps() {
    let store = |address| {
        vec![
            special(0, 0),
            opi(Opcode::ISetpU, Instruction::predicate_dst(0, 0), 0, 35),
            on(0, opi(Opcode::StG32, 0, 255, address)),
            exit(),
        ]
    };
    for (address, fault) in
        [(256, Fault::ReadOnly), (252, Fault::Trap), (1 << 24, Fault::Outside), (769, Fault::Unaligned)]
    {
        let run = launch(store(address), 2, [64, 1, 1], Buffer::words("data", [0; 64]));
        match both(&run, LIMIT) {
            Err(EmulationError::Access(bad)) => {
                assert_eq!((bad.pc, bad.thread, bad.number, bad.fault), (2, [35, 0, 0], 32 * 4 + 32 * 3, fault));
            }
            other => panic!("{address}: {other:?}"),
        }
    }
    // Words below the buffers are there all the same.
    both(&launch(store(16), 1, [64, 1, 1], Buffer::words("data", [0; 64])), LIMIT).expect("nothing is wrong");
}

/// A warp that exchanges values, and one that comes to two barriers.
const PTX: &str = ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry exchange(.param .u64 out)\n{\n\
    .reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %d<4>;\nmov.u32 %r1, %tid.x;\nmul.lo.s32 %r2, %r1, %r1;\n\
    shfl.bfly.b32 %r3, %r2, 5, 31;\nand.b32 %r4, %r1, 3;\nsetp.eq.u32 %p1, %r4, 2;\nvote.ballot.b32 %r5, %p1;\n\
    add.s32 %r6, %r3, %r5;\nld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n\
    st.global.u32 [%d3], %r6;\nret;\n}\n.visible .entry apart(.param .u64 out)\n{\n\
    .reg .pred %p<2>;\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra FEW;\nbar.sync 0;\n\
    bra.uni END;\nFEW:\nbar.sync 0;\nEND:\nret;\n}\n";

#[test]
fn warps_that_exchange_values_and_warps_at_two_barriers() {
    let of = |entry: &str| Launch {
        kernel: compile(PTX, "warps.ptx", Some(entry), &Target::default()).unwrap_or_else(|e| panic!("{e}")),
        args: vec![Argument::Buffer(0)],
        ..launch(vec![], 1, [80, 1, 1], Buffer::words("out", [0; 80]))
    };
    let exchanged = both(&of("exchange"), LIMIT).unwrap_or_else(|e| panic!("{e}"));
    let words: Vec<u32> =
        exchanged.memory[256..][..320].chunks(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let expected: Vec<u32> = (0..64u32).map(|t| (t ^ 5) * (t ^ 5) + 0x4444_4444).collect();
    assert_eq!(words[..64], expected);
    assert!(matches!(both(&of("apart"), LIMIT), Err(EmulationError::DivergentBarrier { .. })));
}

#[test]
fn a_launch_of_another_kernel_is_interpreted() {
    let [one, other] = [1, 2].map(|seed| program(seed, 1, [64, 1, 1]));
    let kernel = CompiledKernel::new(&one.kernel);
    assert_eq!(kernel.run(&other, LIMIT), emulator::run_lockstep(&other, LIMIT));
    // The same code again, on other data.
    let moved =
        Launch { buffers: vec![Buffer { data: vec![7; one.buffers[0].data.len()], ..one.buffers[0].clone() }], ..one };
    assert_eq!(kernel.run(&moved, LIMIT), emulator::run_lockstep(&moved, LIMIT));
}

#[test]
fn what_machine_code_does_not_know() {
    let which = |b| Instruction { dst: 5, b, ..Instruction::new(Opcode::S2r) };
    let mut code =
        vec![special(0, 0), opi(Opcode::Shl, 1, 0, 2), opi(Opcode::Add, 1, 1, 768), op(Opcode::Mov, 200, 255, 0)];
    code.extend([which(OperandB::Register(0)), op(Opcode::Add, 5, 5, 200), opi(Opcode::StG32, 5, 1, 0), exit()]);
    let run =
        both(&launch(code.clone(), 1, [16, 4, 1], Buffer::words("data", [0; 64])), LIMIT).expect("nothing is wrong");
    // Special register 3 is the block's width.
    assert_eq!(run.memory[768 + 4 * 3..][..4], 19u32.to_le_bytes());
    // High words of nothing leave the register as it is; low words wait for theirs.
    code[4] = op(Opcode::DHigh, 5, 0, 0);
    code[0] = op(Opcode::DAdd, 6, 0, 0);
    code[3] = opi(Opcode::Mov, 5, 255, 7);
    both(&launch(code.clone(), 1, [64, 1, 1], Buffer::words("data", [0; 64])), LIMIT).expect("nothing is wrong");
    code[0] = special(0, 0);
    let run =
        both(&launch(code.clone(), 1, [64, 1, 1], Buffer::words("data", [0; 64])), LIMIT).expect("nothing is wrong");
    assert_eq!(run.memory[768 + 4 * 9..][..4], 7u32.to_le_bytes());
    code[4] = Instruction { b: OperandB::Immediate(0), ..Instruction::new(Opcode::Plop) };
    let run = both(&launch(code, 1, [64, 1, 1], Buffer::words("data", [0; 64])), LIMIT);
    assert_eq!(run, Err(EmulationError::NoInstruction { pc: 4 }));
}
