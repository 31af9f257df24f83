//! What a PTX file may have beside instructions: device functions, variables in all memories, generic addresses,
//! register vectors, constant expressions, traps; through compiler, emulator and checks on memory.

use crate::cuda_features;
use crate::random_recursion;
use std::sync::atomic::AtomicU64;
use warpmesh::program::{
    Argument, Buffer, Kernel, Launch, Target, compile, emulator,
    memcheck::{self, MemoryCheck},
};

fn compiled(source: &str, entry: Option<&str>) -> Kernel {
    compile(source, "test.ptx", entry, &Target::default()).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// A launch with one buffer of words to read and one of `words` to write.
fn launch(kernel: Kernel, grid: u32, block: u32, input: Vec<u32>, words: usize) -> Launch {
    let buffers = vec![Buffer::words("in", input), Buffer::words("out", vec![0; words])];
    let args = vec![Argument::Buffer(0), Argument::Buffer(1)];
    Launch {
        name: "test".into(),
        kernel,
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        buffers,
        args,
        checks: vec![],
        placement: None,
    }
}

/// The words of the second buffer at the end; threads one by one, in warps, and with the buffers elsewhere.
fn results(launch: &Launch) -> Vec<u32> {
    launch.validate().unwrap_or_else(|e| panic!("{e}"));
    let out = launch.buffer_addresses()[1] as usize;
    let words = |memory: &[u8]| -> Vec<u32> {
        let bytes = &memory[out..out + launch.buffers[1].data.len()];
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
    };
    let threads = words(&emulator::run(launch, 1 << 30).unwrap_or_else(|e| panic!("{e}")).memory);
    let warps = emulator::run_lockstep(launch, 1 << 30);
    assert_eq!(emulator::run_warps(launch, 1 << 30, emulator::Engine::Compiled), warps);
    assert_eq!(threads, words(&warps.unwrap_or_else(|e| panic!("{e}")).memory));
    let checked = memcheck::check(launch, &AtomicU64::new(u64::MAX));
    assert!(matches!(checked, MemoryCheck::Passed { .. }), "{checked:?}");
    threads
}

const HEAD: &str = ".version 7.0\n.target sm_35\n.address_size 64\n";

/// A kernel whose thread i reads word i to %r1 and writes %r2 to word i; `%rd1`, `%rd2` are the places.
fn kernel(outside: &str, body: &str) -> String {
    format!(
        "{HEAD}{outside}\n.visible .entry test(.param .u64 in, .param .u64 out)\n{{\n.reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 \
         %r<20>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<20>;\nmov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;\n\
         mad.lo.s32 %r6, %r4, %r5, %r3; mul.wide.u32 %rd3, %r6, 4;\nld.param.u64 %rd1, [in]; add.s64 %rd1, %rd1, %rd3;\n\
         ld.param.u64 %rd2, [out]; add.s64 %rd2, %rd2, %rd3;\nld.global.u32 %r1, [%rd1];\n{body}\nst.global.u32 [%rd2], %r2;\nret;\n}}\n"
    )
}

/// Runs such a kernel on 96 threads in two blocks and compares.
fn check_kernel(outside: &str, body: &str, expected: impl Fn(usize, u32) -> u32) {
    let input: Vec<u32> = (0..96u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> 3).collect();
    let run = launch(compiled(&kernel(outside, body), None), 2, 48, input.clone(), 96);
    for (i, (found, x)) in results(&run).into_iter().zip(input).enumerate() {
        assert_eq!(found, expected(i, x), "thread {i}\n{outside}\n{body}");
    }
}

/// As clang and nvcc print calls.
const FUNCTIONS: &str = "
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
.reg .b32 %r<3>; .reg .pred %p<2>;
ld.param.u32 %r1, [twice_param_0];
setp.gt.u32 %p1, %r1, 1000;
@%p1 bra BIG;
shl.b32 %r2, %r1, 1;
st.param.b32 [func_retval0+0], %r2;
ret;
BIG:
add.s32 %r2, %r1, 7;
st.param.b32 [func_retval0], %r2;
ret;
}
.func (.param .align 8 .b8 func_retval0[16]) pair(.param .b64 pair_param_0, .param .align 4 .b8 pair_param_1[8])
{
.reg .b32 %r<9>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [pair_param_0];
ld.param.u32 %r1, [pair_param_1+4];
ld.param.u16 %r2, [pair_param_1+2];
{ // callseq 0
.reg .b32 temp_param_reg;
.param .b32 param0;
st.param.b32 [param0+0], %r1;
.param .b32 retval0;
call.uni (retval0), twice, (param0);
ld.param.b32 %r3, [retval0+0];
}
st.param.b64 [func_retval0], %rd1;
st.param.v2.b32 [func_retval0+8], {%r3, %r2};
ret;
}
.func nothing() { ret; }
";

#[test]
fn functions() {
    let body = "{ .param .b32 param0; st.param.b32 [param0], %r1; .param .b32 retval0; call.uni (retval0), twice, (param0); \
                ld.param.b32 %r2, [retval0]; }";
    let twice = |x: u32| if x > 1000 { x + 7 } else { 2 * x };
    check_kernel(FUNCTIONS, &format!("and.b32 %r1, %r1, 2047; {body}"), |_, x| twice(x & 2047));
    // Under a guard, and what calls another.
    let body = "and.b32 %r1, %r1, 2047; setp.lt.u32 %p1, %r3, 20; mov.u32 %r2, 5; mov.u64 %rd5, 77; .param .b64 param0; st.param.b64 [param0], %rd5; \
                .param .align 4 .b8 param1[8]; st.param.b32 [param1], 0x12345678; st.param.b32 [param1+4], %r1; st.param.b8 [param1+3], 9; \
                .param .align 8 .b8 retval0[16]; @%p1 call.uni (retval0), pair, (param0, param1); @%p1 ld.param.v2.b32 {%r2, %r7}, [retval0+8]; \
                @%p1 ld.param.b64 %rd6, [retval0]; @%p1 cvt.u32.u64 %r8, %rd6; @%p1 add.u32 %r2, %r2, %r8; @%p1 add.u32 %r2, %r2, %r7; \
                call nothing;";
    check_kernel(FUNCTIONS, body, |i, x| if i % 48 < 20 { twice(x & 2047) + 77 + 0x0934 } else { 5 });
    // As PTX 1 had it: parameters in registers.
    let old = ".func (.reg .u32 rv) add3 (.reg .u32 a, .reg .u64 b) { .reg .u32 t; cvt.u32.u64 t, b; add.u32 rv, a, t; add.u32 rv, rv, 3; ret; }";
    check_kernel(old, "mov.u64 %rd5, 11; call (%r2), add3, (%r1, %rd5); call (%r2), add3, (%r2, %rd5);", |_, x| x + 28);
}

/// Functions with addresses, in a table and by an instruction.
const POINTERS: &str = "
.visible .global .align 8 .u64 table[4] = {0, one, two, other};
.func (.param .b32 r) one(.param .b32 a);
.func (.param .b32 r) one(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) two(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r1, %r1, 2; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) three(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r1, %r1, 3; st.param.b32 [r], %r1; ret; }
.func other(.param .b64 a) { trap; }
.func (.param .b32 r) twice(.param .b64 f, .param .b32 a) {
.reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<2>;
ld.param.u64 %rd1, [f]; ld.param.u32 %r1, [a];
setp.gt.u32 %p1, %r1, 5000;
mov.u32 %r2, %r1;
{ .param .b32 x; st.param.b32 [x], %r1; .param .b32 y;
  proto: .callprototype (.param .b32 _) _ (.param .b32 _);
  @%p1 call (y), %rd1, (x), proto; @%p1 ld.param.b32 %r2, [y]; }
{ .param .b32 x; st.param.b32 [x], %r2; .param .b32 y;
  some: .calltargets two, three, one;
  call (y), %rd1, (x), some; ld.param.b32 %r2, [y]; }
st.param.b32 [r], %r2; ret; }
";

#[test]
fn calls_through_registers() {
    let of = |which: u32, x: u32| match which {
        1 => x.wrapping_add(1),
        2 => x.wrapping_mul(2),
        _ => x.wrapping_mul(3),
    };
    let body = "rem.u32 %r7, %r1, 3; add.u32 %r7, %r7, 1; mov.u64 %rd5, table; mul.wide.u32 %rd6, %r7, 8; add.u64 %rd5, %rd5, %rd6; \
                ld.global.u64 %rd5, [%rd5]; setp.eq.u32 %p1, %r7, 3; @%p1 mov.u64 %rd5, three; \
                { .param .b64 f; st.param.b64 [f], %rd5; .param .b32 a; st.param.b32 [a], %r1; .param .b32 y; call (y), twice, (f, a); ld.param.b32 %r2, [y]; }";
    check_kernel(POINTERS, body, |_, x| {
        let which = x % 3 + 1;
        of(which, if x > 5000 { of(which, x) } else { x })
    });
    let body = "and.b32 %r7, %r1, 3; mov.u32 %r2, 7; setp.lt.u32 %p1, %r1, 50000000; list: .branchtargets A, B, A, C; @!%p1 brx.idx %r7, list; bra END; \
                A: mov.u32 %r2, 1; bra END; B: mov.u32 %r2, 2; bra END; C: add.u32 %r2, %r7, 4; END:";
    check_kernel("", body, |_, x| if x < 50_000_000 { 7 } else { [1, 2, 1, 7][x as usize % 4] });
}

/// Functions that call themselves and each other, by name and through a table, at depths and ways of each thread's own,
/// against the same in Rust.
#[test]
fn random_recursive_functions_are_right() {
    let mut recursive = 0;
    for seed in 0..30 {
        let (_, launch) = random_recursion::launch(seed).unwrap_or_else(|said| panic!("{said}"));
        recursive += u32::from(launch.kernel.stack_bytes > 0);
        random_recursion::check(seed).unwrap_or_else(|said| panic!("{said}"));
    }
    assert!(recursive > 15, "{recursive} of 30 have a stack");
}

/// The first warp of each block waits in loops for its second one and for the block behind it: warps and blocks have
/// turns, the same on both engines.
#[test]
fn warps_and_blocks_wait_for_each_other() {
    let body = "mov.u32 %r2, 7; setp.eq.u32 %p1, %r3, 32; @!%p1 bra OTHERS; mov.u32 %r2, 5; st.volatile.global.u32 [%rd2], %r2; bra END;
        OTHERS: setp.ne.u32 %p2, %r3, 0; @%p2 bra END;
        WARP: ld.volatile.global.u32 %r9, [%rd2+128]; setp.eq.u32 %p3, %r9, 0; @%p3 bra WARP;
        mov.u32 %r2, 1; mov.u32 %r10, %nctaid.x; sub.u32 %r10, %r10, 1; setp.eq.u32 %p4, %r4, %r10; @%p4 bra END;
        BLOCK: ld.volatile.global.u32 %r9, [%rd2+256]; setp.eq.u32 %p3, %r9, 0; @%p3 bra BLOCK;
        add.u32 %r2, %r9, 1; END:";
    let run = launch(compiled(&kernel("", body), None), 6, 64, vec![0; 384], 384);
    let found = emulator::run_lockstep(&run, 1 << 30).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(emulator::run_warps(&run, 1 << 30, emulator::Engine::Compiled).as_ref(), Ok(&found));
    let out = run.buffer_addresses()[1] as usize;
    for (i, word) in found.memory[out..][..4 * 384].chunks_exact(4).enumerate() {
        let expected = match i % 64 {
            0 => 6 - (i / 64) as u8,
            32 => 5,
            _ => 7,
        };
        assert_eq!(word, [expected, 0, 0, 0], "thread {i}");
    }
}

/// The stack holds 1024 bytes; what is deeper traps, and says why.
#[test]
fn a_stack_that_overflows_traps() {
    let functions = ".func (.param .b32 r) sum(.param .b32 n)
        { .reg .pred %p<2>; .reg .b32 %r<5>; ld.param.u32 %r1, [n]; setp.ne.s32 %p1, %r1, 0; @%p1 bra MORE; st.param.b32 [r], %r1; ret;
          MORE: sub.s32 %r2, %r1, 1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), sum, (a); ld.param.b32 %r3, [b]; }
          add.s32 %r4, %r3, %r1; st.param.b32 [r], %r4; ret; }";
    let body = "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), sum, (a); ld.param.b32 %r2, [b]; }";
    let run = |n: u32| {
        launch(compiled(&kernel(functions, body), None), 1, 32, (0..32).map(|i| n * (i + 1) / 32).collect(), 32)
    };
    // A frame has 16 bytes: the number of the call and `n`.
    let fits = run(63);
    let expected: Vec<u32> = (0..32).map(|i| 63 * (i + 1) / 32).map(|n| n * (n + 1) / 2).collect();
    assert_eq!(results(&fits), expected);
    let checked = memcheck::check(&run(64), &AtomicU64::new(u64::MAX));
    assert!(format!("{checked:?}").contains("Trap"), "{checked:?}");
    let kernel = run(64).kernel;
    assert!(kernel.trap_lines.iter().any(|(_, why)| why.text().contains("nested too deep")));
}

#[test]
fn functions_that_cannot_be() {
    let failure = |outside: &str, body: &str| {
        let error = compile(&kernel(outside, body), "test.ptx", None, &Target::default()).expect_err(body);
        format!("{error}")
    };
    assert!(failure(".extern .func vprintf(.param .b64 a);", "call vprintf, (%rd1);").contains("declared only"));
    assert!(failure("", "call missing;").contains("there is no function"));
    assert!(failure(FUNCTIONS, "call nothing, (%r1);").contains("takes 0 arguments"));
    assert!(failure(FUNCTIONS, "call (%r2), %rd1, (%r1), proto;").contains("`.callprototype`"));
    let proto = "p: .callprototype (.param .b32 _) _ (.param .b32 _); { .param .b32 a; .param .b32 r; call (r), %rd1, (a), p; }";
    assert!(failure(FUNCTIONS, proto).contains("its address taken"));
    assert!(failure("", "t: .branchtargets A, B; A: brx.idx %r1, t;").contains("label `B` does not exist"));
    let empty = (0..40).map(|i| match i {
        0 => ".func e0() { ret; }\n".into(),
        _ => format!(".func e{i}() {{ call e{}; call e{}; ret; }}\n", i - 1, i - 1),
    });
    let empty = empty.collect::<String>();
    assert!(failure(&empty, "call e39;").contains("calls"));
    // Calls that double from function to function.
    let growing: String = (0..40)
        .map(|i| match i {
            0 => ".func f0() { .reg .b32 a; mov.u32 a, 1; ret; }\n".into(),
            _ => format!(".func f{i}() {{ .reg .b32 a; mov.u32 a, 1; call f{}; call f{}; ret; }}\n", i - 1, i - 1),
        })
        .collect();
    assert!(failure(&growing, "call f39;").contains("operations"));
}

#[test]
fn variables_of_the_file() {
    let outside = ".global .align 4 .u32 table[8] = {1, 2, 4, 8, 16, 32, 64};\n.visible .global .f32 unused = 1.5;\n.global .u64 link = table+8;\n\
                   .const .u64 from[2] = {generic(table), table+4};\n.global .attribute(.managed) .b32 one = (1 << 4) + 3 * 5 - 2;\n";
    let body = "and.b32 %r7, %r1, 7; mul.wide.u32 %rd5, %r7, 4; mov.u64 %rd6, table; add.s64 %rd6, %rd6, %rd5; ld.global.u32 %r2, [%rd6]; \
                ld.global.u64 %rd7, [link]; ld.global.u32 %r8, [%rd7]; add.u32 %r2, %r2, %r8; ld.const.u64 %rd8, [from+8]; ld.u32 %r8, [%rd8]; \
                add.u32 %r2, %r2, %r8; ld.global.u32 %r8, [one]; add.u32 %r2, %r2, %r8;";
    let table = |i: u32| if i < 7 { 1u32 << i } else { 0 };
    check_kernel(outside, body, |_, x| table(x & 7) + 4 + 2 + 29);
    // All kernels of a file have them at the same places.
    let two = format!(
        "{}\n.visible .entry other() {{ .reg .u32 r; ld.global.u32 r, [one]; ret; }} .entry none() {{ ret; }}",
        kernel(outside, body)
    );
    let [a, b] = ["test", "other"].map(|name| compiled(&two, Some(name)).globals);
    assert_eq!(
        a.iter().map(|v| (&v.name, v.address)).collect::<Vec<_>>(),
        b.iter().map(|v| (&v.name, v.address)).collect::<Vec<_>>()
    );
    assert!(compiled(&two, Some("none")).globals.is_empty());
    let mut other = compiled(&two, Some("other"));
    assert!(other.set_constant("one", &[1, 2, 3, 4]) && !other.set_constant("one", &[0; 5]));
}

#[test]
fn local_memory() {
    // A depot, as compilers print it, that is written in one order and read in another.
    let body = ".local .align 16 .b8 __local_depot0[64]; .reg .b64 %SP; .reg .b64 %SPL; mov.u64 %SPL, __local_depot0; cvta.local.u64 %SP, %SPL; \
                mov.u32 %r7, 0; FILL: mul.wide.u32 %rd5, %r7, 4; add.s64 %rd6, %SPL, %rd5; mad.lo.u32 %r8, %r7, %r1, %r6; st.local.u32 [%rd6], %r8; \
                add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 16; @%p1 bra FILL; and.b32 %r9, %r1, 15; mul.wide.u32 %rd5, %r9, 4; add.s64 %rd6, %SP, %rd5; \
                ld.u32 %r2, [%rd6]; ld.local.u8 %r10, [__local_depot0+1]; add.u32 %r2, %r2, %r10; st.local.v2.u32 [%SPL+8], {%r2, %r1}; ld.v2.u32 {%r11, %r12}, [%SP+8]; \
                xor.b32 %r2, %r11, %r12;";
    check_kernel("", body, |i, x| {
        let word = (x & 15).wrapping_mul(x).wrapping_add(i as u32);
        word.wrapping_add(i as u32 >> 8 & 0xff) ^ x
    });
    let own = compiled(&kernel("", body), None);
    assert_eq!(own.local.map(|local| (local.bytes, local.offset)), Some((64, 16)));
    // Too many threads for all of it.
    let mut run = launch(own, 1 << 20, 1024, vec![0; 4], 4);
    run.buffers.truncate(2);
    assert!(run.validate().is_err());
}

#[test]
fn generic_addresses() {
    // Of which kind the address is depends on data: even threads have one of shared memory.
    let body = ".shared .align 4 .b8 place[256]; mov.u64 %rd4, place; cvta.shared.u64 %rd5, %rd4; mul.wide.u32 %rd6, %r3, 4; add.s64 %rd5, %rd5, %rd6; \
                add.s64 %rd4, %rd4, %rd6; add.u32 %r7, %r1, 1000; st.shared.u32 [%rd4], %r7; and.b32 %r8, %r3, 1; setp.eq.u32 %p1, %r8, 0; \
                selp.b64 %rd7, %rd5, %rd1, %p1; ld.u32 %r2, [%rd7]; @!%p1 add.u32 %r2, %r2, 1; st.volatile.u32 [%rd5], %r2; ld.shared.u32 %r9, [%rd4]; \
                setp.eq.u32 %p2, %r9, %r2; @!%p2 trap; isspacep.shared %p3, %rd7; selp.u32 %r10, 100000, 0, %p3; isspacep.global %p4, %rd7; \
                selp.u32 %r11, 200000, 0, %p4; add.u32 %r2, %r2, %r10; add.u32 %r2, %r2, %r11; atom.add.u32 %r12, [%rd7], 5; ld.u32 %r13, [%rd7]; \
                sub.u32 %r13, %r13, %r12; add.u32 %r2, %r2, %r13; cvta.to.shared.u64 %rd8, %rd5; ld.shared.u32 %r14, [%rd8]; @%p1 sub.u32 %r2, %r2, %r14; @%p1 add.u32 %r2, %r2, %r9;";
    check_kernel("", body, |i, x| {
        if i % 48 % 2 == 0 { x.wrapping_add(1000 + 100_000 + 5).wrapping_sub(5) } else { x + 1 + 200_000 + 5 }
    });
    // Known at compile time: no test is left.
    let known = kernel(
        "",
        ".shared .align 4 .b8 place[256]; mov.u64 %rd4, place; cvta.shared.u64 %rd5, %rd4; mul.wide.u32 %rd6, %r3, 4; add.s64 %rd5, %rd5, %rd6; \
                            st.u32 [%rd5], %r1; bar.sync 0; ld.u32 %r2, [%rd5]; ld.u32 %r7, [%rd1]; add.u32 %r2, %r2, %r7;",
    );
    let text = compiled(&known, None).disassemble();
    assert!(!text.contains("SETP"), "{text}");
    let input: Vec<u32> = (0..64).collect();
    assert_eq!(results(&launch(compiled(&known, None), 1, 64, input, 64)), (0..64).map(|i| 2 * i).collect::<Vec<_>>());
}

#[test]
fn dynamic_shared_memory() {
    let outside = ".extern .shared .align 16 .b8 open[];\n.extern .shared .f32 same[];\n";
    let body = ".shared .b8 own[100]; mov.u64 %rd4, open; mul.wide.u32 %rd5, %r3, 4; add.s64 %rd4, %rd4, %rd5; st.shared.u32 [%rd4], %r1; st.shared.u32 [own+96], %r1; \
                bar.sync 0; mov.u32 %r7, same; sub.u32 %r8, 47, %r3; shl.b32 %r8, %r8, 2; add.u32 %r7, %r7, %r8; ld.shared.u32 %r2, [%r7]; ld.shared.u32 %r9, [open+4]; \
                sub.u32 %r2, %r2, %r9;";
    let mut kernel = compiled(&kernel(outside, body), None);
    assert_eq!((kernel.dynamic_shared, kernel.shared_bytes), (Some(112), 112));
    assert!(kernel.set_dynamic_shared(4 * 48) && kernel.shared_bytes == 112 + 192);
    let input: Vec<u32> = (0..96).map(|i| i * i).collect();
    let run = launch(kernel.clone(), 2, 48, input.clone(), 96);
    let expected = |i: usize| input[i / 48 * 48 + 47 - i % 48].wrapping_sub(input[i / 48 * 48 + 1]);
    assert_eq!(results(&run), (0..96).map(expected).collect::<Vec<_>>());
    // Without enough of it the check finds the access.
    kernel.set_dynamic_shared(100);
    let checked = memcheck::check(&launch(kernel, 2, 48, input.clone(), 96), &AtomicU64::new(u64::MAX));
    assert!(matches!(checked, MemoryCheck::Failed(_)), "{checked:?}");
}

#[test]
fn structures_by_value() {
    let source = format!(
        "{HEAD}.visible .entry test(.param .u64 in, .param .u64 out, .param .align 8 .b8 both[24])\n{{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;\n\
         mov.u64 %rd1, both; mov.u64 %rd2, %rd1; ld.param.u32 %r1, [%rd2+8]; ld.param.u16 %r2, [%rd2+14]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 4; \
         ld.param.u64 %rd4, [out]; add.s64 %rd4, %rd4, %rd3; add.u32 %r1, %r1, %r2; ld.param.s8 %r4, [both+17]; add.s32 %r1, %r1, %r4; st.global.u32 [%rd4], %r1; ret;\n}}\n"
    );
    let kernel = compiled(&source, None);
    let mut run = launch(kernel, 1, 2, vec![0], 2);
    assert!(run.validate().is_err(), "an argument is missing");
    run.args.push(Argument::Value(2));
    run.buffers.push(Buffer::words("both", [1, 2, 3000, 0x0005_0000, 0xf700, 0]));
    assert_eq!(results(&run), [3000 + 5 - 9; 2]);
    run.buffers[2].data.push(0);
    assert!(run.validate().is_err(), "of another size");
}

#[test]
fn traps_and_assertions() {
    for line in [
        "setp.eq.u32 %p1, %r6, 70; @%p1 trap;",
        "setp.eq.u32 %p1, %r6, 70; @%p1 brkpt;",
        "setp.eq.u32 %p1, %r6, 70; @!%p1 bra FINE; .param .b64 a; st.param.b64 [a], %rd1; call.uni __assertfail, (a); FINE:",
    ] {
        let run = launch(
            compiled(&kernel(".extern .func __assertfail(.param .b64 a);", &format!("mov.u32 %r2, 1; {line}")), None),
            2,
            48,
            vec![0; 96],
            96,
        );
        let error = emulator::run(&run, 1 << 20).expect_err("a trap").to_string();
        assert!(error.contains("trap") && error.contains("block [1, 0, 0], thread [22, 0, 0]"), "{error}");
        let MemoryCheck::Failed(fault) = memcheck::check(&run, &AtomicU64::new(u64::MAX)) else {
            panic!("{line}: nothing found")
        };
        assert!(format!("{fault:?}{fault}").contains("trap"), "{fault}");
        let at_the_place = |value: u32| {
            run.trapped(
                move |address, bytes| if address == 252 { value.to_le_bytes().to_vec() } else { vec![0; bytes] },
            )
        };
        let (trap, why) = run.kernel.trap_lines[0];
        // What is no line of a trap was stored by somebody else.
        assert_eq!((at_the_place(trap), at_the_place(trap + 1), at_the_place(0)), (Some((trap, why)), None, None));
    }
}

/// Shared memory has no atomics of 64 bits: a generic address tells when it runs.
#[test]
fn a_generic_wide_atomic_may_be_on_shared_memory() {
    let body = |use_shared: u32| {
        format!(
            ".shared .align 8 .b8 place[8]; mov.u64 %rd4, place; cvta.shared.u64 %rd5, %rd4; setp.ge.u32 %p1, %r6, {use_shared}; \
             mov.u64 %rd7, %rd1; and.b64 %rd7, %rd7, -8; selp.b64 %rd7, %rd5, %rd7, %p1; atom.add.u64 %rd8, [%rd7], 0; mov.u32 %r2, 1;"
        )
    };
    let run = |from: u32| launch(compiled(&kernel("", &body(from)), None), 2, 48, vec![0; 96], 96);
    assert_eq!(results(&run(96)), vec![1; 96], "global memory alone");
    assert_eq!(results(&run(70)), vec![1; 96], "shared memory from thread 70 on");
}

#[test]
fn registers_vectors_and_expressions() {
    let body = ".reg .v4 .b32 %v<2>; .reg .v2 .f32 w; and.b32 %r7, %r6, -4; mul.wide.u32 %rd5, %r7, 4; ld.param.u64 %rd6, [in]; add.s64 %rd6, %rd6, %rd5; \
                ld.global.v4.b32 %v1, [%rd6]; add.u32 %r2, %v1.x, %v1.w; mov.b32 w.x, %v1.y; mov.b32 %r8, w.r; add.u32 %r2, %r2, %r8; add.u32 %r2, %r2, %v1.z;";
    let input = |i: usize| (i as u32).wrapping_mul(0x9e37_79b9) >> 3;
    check_kernel("", body, |i, _| (0..4).map(|k| input(i / 4 * 4 + k)).fold(0, u32::wrapping_add));
    for (expression, value) in [
        ("4*8+1", 33),
        ("(1 << 3) | 2", 10),
        ("~0 & 0xff", 255),
        ("7 / 2 - -3 % 2", 4),
        ("3 > 2 ? 10 : 20", 10),
        ("!5 + (2 == 2) + (1 && 0) + (1 || 0)", 2),
        ("(.u64)-1 >> 60", 15),
        ("0x10U ^ 1", 17),
        ("WARP_SZ", 32),
        ("1 + 2 * (3 + 4) << 1", 30),
    ] {
        check_kernel("", &format!("mov.u32 %r2, {expression};"), |_, _| value);
    }
    check_kernel(
        "",
        ".shared .u32 a[2*4+56]; mov.u32 %r7, a; mad.lo.u32 %r7, %r3, 4, %r7; st.shared.u32 [%r7+4*2], %r1; ld.shared.u32 %r2, [%r7+16-8];",
        |_, x| x,
    );
}

#[test]
fn special_registers_of_all_sizes() {
    check_kernel(
        "",
        "mov.u16 %rs1, %tid.x; cvt.u32.u16 %r2, %ntid.x; cvt.u32.u16 %r7, %rs1; mad.lo.u32 %r2, %r2, 1000, %r7; add.u32 %r2, %r2, %laneid;",
        |i, _| {
            let tid = i as u32 % 48;
            48_000 + tid + tid % 32
        },
    );
    check_kernel(
        "",
        "mov.u32 %r7, %lanemask_lt; mov.u32 %r8, %lanemask_ge; add.u32 %r2, %r7, %r8; mov.u32 %r9, %lanemask_eq; mov.u32 %r10, %lanemask_gt; mov.u32 %r11, %lanemask_le; \
         add.u32 %r9, %r9, %r10; add.u32 %r9, %r9, %r7; sub.u32 %r2, %r2, %r9; add.u32 %r11, %r11, %r10; sub.u32 %r11, %r11, -1; add.u32 %r2, %r2, %r11; mul.wide.u16 %r12, %ntid.x, %ctaid.x; \
         add.u32 %r2, %r2, %r12; mov.u64 %rd9, %clock64; mov.u64 %rd10, %gridid;",
        |i, _| i as u32 / 48 * 48,
    );
}

/// What the compilers of CUDA 2 and 3 printed.
#[test]
fn ptx_of_version_1_4() {
    let source = "\t.version 1.4\n\t.target sm_10, map_f64_to_f32\n\t// compiled with nvopencc\n\t.entry _Z4testPjS_ (\n\t\t.param .u64 __cudaparm_in,\n\t\t.param .u64 __cudaparm_out)\n\t{\n\
        \t.reg .u16 %rh<4>;\n\t.reg .u32 %r<9>;\n\t.reg .u64 %rd<8>;\n\t.reg .f32 %f<4>;\n\t.reg .pred %p<3>;\n\t.loc\t15\t4\t0\n$LDWbegin__Z4testPjS_:\n\
        \tcvt.u32.u16 \t%r1, %tid.x;\n\tmov.u16 \t%rh1, %ctaid.x;\n\tmov.u16 \t%rh2, %ntid.x;\n\tmul.wide.u16 \t%r2, %rh1, %rh2;\n\tadd.u32 \t%r3, %r1, %r2;\n\
        \tcvt.u64.u32 \t%rd1, %r3;\n\tmul.lo.u64 \t%rd2, %rd1, 4;\n\tld.param.u64 \t%rd3, [__cudaparm_in];\n\tadd.u64 \t%rd4, %rd3, %rd2;\n\tld.global.u32 \t%r4, [%rd4+0];\n\
        \tmul24.lo.u32 \t%r5, %r4, %r3;\n\tcvt.rn.f32.u32 \t%f1, %r5;\n\tmov.f32 \t%f2, 0f40400000;\t// 3\n\tdiv.full.f32 \t%f3, %f1, %f2;\n\
        \tld.param.u64 \t%rd5, [__cudaparm_out];\n\tadd.u64 \t%rd6, %rd5, %rd2;\n\tst.global.f32 \t[%rd6+0], %f3;\n\texit;\n$LDWend__Z4testPjS_:\n\t} // _Z4testPjS_\n";
    let input: Vec<u32> = (0..96).map(|i| 7 * i).collect();
    let run = launch(compiled(source, None), 2, 48, input.clone(), 96);
    let expected: Vec<u32> = input.iter().enumerate().map(|(i, x)| ((x * i as u32) as f32 / 3.0).to_bits()).collect();
    assert_eq!(results(&run), expected);
}

/// A kernel that is no PTX, or has a directive that nobody knows beside it, is its own problem.
#[test]
fn strange_neighbours() {
    let fine = ".visible .entry fine() { ret; }\n";
    for strange in [
        ".frobnicate 3;",
        ".frobnicate 3, { 1, { 2 } }",
        ".frobnicate 3\n",
        ".visible .entry odd() { mov.u32 %r1, \u{e9}; }",
        ".visible .entry odd() { mov.u32 %r1, 0f12; \"open }",
        ".visible .entry odd() { { nonsense nonsense } }",
        ".func (.param .b32 r) odd(.param .q32 x) { nonsense }",
    ] {
        for source in [format!("{HEAD}{strange}\n{fine}"), format!("{HEAD}{fine}{strange}\n")] {
            if source.contains('"') && source.ends_with("}\n") {
                continue;
            }
            compiled(&source, Some("fine"));
        }
    }
    let odd = format!("{HEAD}.visible .entry odd() {{ mov.u32 %r1, \u{e9}; }}\n{fine}");
    let error = compile(&odd, "test.ptx", Some("odd"), &Target::default()).expect_err("no PTX");
    assert!(error.message.contains("has no place in PTX"), "{error}");
}

/// CUDA C as clang compiles it.
#[test]
fn cuda_programs() {
    for launch in [cuda_features::ratios(), cuda_features::sorted()] {
        results(&launch);
        let memory = emulator::run(&launch, 1 << 30).unwrap_or_else(|e| panic!("{e}")).memory;
        launch
            .verify(|at, bytes| memory[at as usize..][..bytes].to_vec())
            .unwrap_or_else(|e| panic!("{}: {e}", launch.name));
    }
}
