//! Lines of PTX evaluated through compiler and emulator, for comparison with the same computation in Rust.

use std::sync::atomic::AtomicU64;
use warpmesh::program::{
    Argument, Buffer, Launch, Target, compile, emulator,
    memcheck::{self, MemoryCheck},
    random::Random,
};

/// The body reads `d1 d2 d3` (64 bits), their low words `r1 r2 r3` and `f1 f2 f3`, their low halves `h1 h2 h3`; it
/// writes `d0`.
pub fn evaluate(body: &str, inputs: &[[u64; 3]]) -> Vec<u64> {
    evaluate_for(Target { double: true, ..Target::default() }, body, inputs)
}

/// The same, compiled for another core.
pub fn evaluate_for(target: Target, body: &str, inputs: &[[u64; 3]]) -> Vec<u64> {
    let source = format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry test(.param .u64 in, .param .u64 out)\n{{\n\
         .reg .pred p<9>;\n.reg .b16 h<9>;\n.reg .b32 r<9>;\n.reg .b64 d<20>;\n.reg .f32 f<9>;\n.reg .b32 t<4>;\n\
         mov.u32 t0, %tid.x; mov.u32 t1, %ctaid.x; mad.lo.s32 t0, t1, 64, t0;\n\
         ld.param.u64 d18, [in]; mul.wide.u32 d19, t0, 24; add.s64 d18, d18, d19;\n\
         ld.global.u64 d1, [d18]; ld.global.u64 d2, [d18+8]; ld.global.b64 d3, [d18+16];\n\
         cvt.u32.u64 r1, d1; cvt.u32.u64 r2, d2; cvt.u32.u64 r3, d3;\n\
         mov.b32 f1, r1; mov.b32 f2, r2; mov.b32 f3, r3;\n\
         cvt.u16.u32 h1, r1; cvt.u16.u32 h2, r2; cvt.u16.u32 h3, r3;\n{body}\n\
         ld.param.u64 d18, [out]; mul.wide.u32 d19, t0, 8; add.s64 d18, d18, d19; st.global.u64 [d18], d0;\nret;\n}}\n"
    );
    let kernel = compile(&source, "test.ptx", None, &target).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let mut padded = inputs.to_vec();
    padded.resize(inputs.len().next_multiple_of(64), [0; 3]);
    let words = |v: &[u64]| v.iter().flat_map(|v| [*v as u32, (*v >> 32) as u32]).collect::<Vec<_>>();
    let buffers =
        vec![Buffer::words("in", words(padded.as_flattened())), Buffer::words("out", vec![0; 2 * padded.len()])];
    let launch = Launch {
        name: "test".into(),
        kernel,
        grid: [padded.len() as u32 / 64, 1, 1],
        block: [64, 1, 1],
        buffers,
        args: vec![Argument::Buffer(0), Argument::Buffer(1)],
        checks: Vec::new(),
        placement: None,
    };
    launch.validate().expect("the launch fits");
    let run = emulator::run(&launch, 1 << 30).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let compiled = emulator::run_warps(&launch, 1 << 30, emulator::Engine::Compiled);
    assert_eq!(compiled.unwrap_or_else(|e| panic!("{e}\n{body}")).memory, run.memory, "{body}");
    let checked = memcheck::check(&launch, &AtomicU64::new(u64::MAX));
    assert!(matches!(checked, MemoryCheck::Passed { .. }), "{body}: {checked:?}");
    let out = launch.buffer_addresses()[1] as usize;
    let result = run.memory[out..].chunks_exact(8).take(inputs.len());
    result.map(|b| u64::from_le_bytes(b.try_into().expect("eight bytes"))).collect()
}

/// Corners with each other, and random values of all magnitudes.
pub fn inputs() -> Vec<[u64; 3]> {
    const CORNERS: [u64; 14] = [
        0,
        1,
        2,
        31,
        32,
        33,
        64,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1_0000_0000,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        u64::MAX,
    ];
    let mut all = Vec::new();
    for (i, a) in CORNERS.into_iter().enumerate() {
        for b in CORNERS {
            all.push([a, b, CORNERS[(i * 5 + 3) % CORNERS.len()]]);
        }
    }
    let mut random = Random::new(7);
    for i in 0..600 {
        // Of all magnitudes.
        let shifts = [random.below(64), random.below(64), random.below(64)];
        let values = shifts.map(|s| random.next_u64() >> s);
        all.push(if i % 7 == 0 { [values[0], values[0], values[1]] } else { values });
    }
    all
}

/// PTX, and what it computes.
pub type Case<'a> = (&'a str, fn(u64, u64, u64) -> u64);

/// Compares on all [`inputs`].
pub fn check(cases: &[Case]) {
    let inputs = inputs();
    for (body, expected) in cases {
        for (input, found) in inputs.iter().zip(evaluate(body, &inputs)) {
            let expected = expected(input[0], input[1], input[2]);
            assert_eq!(found, expected, "{body}: {input:x?} gave {found:x}, expected {expected:x}");
        }
    }
}

/// The low word.
pub fn w(x: u64) -> u32 {
    x as u32
}

/// The low word, signed.
pub fn s(x: u64) -> i32 {
    x as i32
}

/// Signed.
pub fn l(x: u64) -> i64 {
    x as i64
}

/// Its low word, as a float.
pub fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

/// As the chip has it: one NaN.
pub fn bits(x: f32) -> u64 {
    if x.is_nan() { 0x7fff_ffff } else { x.to_bits().into() }
}
