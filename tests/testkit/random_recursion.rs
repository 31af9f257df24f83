//! Random functions that call each other and themselves, as PTX and in Rust.
//!
//! Each has a depth `n` that goes down by one with each call, a value `x`, and a pointer to a word of whoever called.
//! It works on four words, a predicate, a wide number and an array of its own, calls by name and through a table, in
//! branches and in loops, and returns early now and then.

use std::{fmt::Write, sync::atomic::AtomicU64};
use warpmesh::program::{
    Argument, Buffer, Check, Launch, Target, Tolerance, compile, emulator,
    memcheck::{self, MemoryCheck},
    random::Random,
};

/// Blocks and threads of a launch.
const SHAPE: [u32; 2] = [2, 64];

/// A kernel whose threads call the functions of a number, each with arguments of its own, and what comes out. With 16
/// registers some are in memory.
pub fn launch(seed: u64) -> Result<(String, Launch), String> {
    let functions = Functions::new(seed);
    let source = format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n{}
.visible .entry test(.param .u64 in, .param .u64 out)
{{
.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.local .align 8 .b8 word[8];
mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mad.lo.s32 %r6, %r4, %r5, %r3; mul.wide.u32 %rd3, %r6, 4;
ld.param.u64 %rd1, [in]; add.s64 %rd1, %rd1, %rd3; ld.param.u64 %rd2, [out]; add.s64 %rd2, %rd2, %rd3; ld.global.u32 %r1, [%rd1];
and.b32 %r7, %r6, 7; min.u32 %r7, %r7, 5; mov.u64 %rd5, word; cvta.local.u64 %rd6, %rd5; st.local.u32 [%rd5+4], %r6; add.s64 %rd6, %rd6, 4;
{{ .param .b32 a; .param .b32 b; .param .b64 c; .param .b32 d;
   st.param.b32 [a], %r7; st.param.b32 [b], %r1; st.param.b64 [c], %rd6; call.uni (d), f0, (a, b, c); ld.param.b32 %r2, [d]; }}
ld.local.u32 %r8, [%rd5+4]; xor.b32 %r2, %r2, %r8; st.global.u32 [%rd2], %r2; ret;
}}\n",
        functions.ptx()
    );
    let target = Target { registers: [64, 16][seed as usize % 2], ..Target::default() };
    let kernel = compile(&source, "test.ptx", None, &target).map_err(|e| format!("seed {seed}: {e}\n{source}"))?;
    let [blocks, threads] = SHAPE;
    let mut random = Random::new(seed);
    let input: Vec<u32> = (0..blocks * threads).map(|_| random.next_u64() as u32).collect();
    let expected = (0..).zip(&input).map(|(i, &x)| {
        let [result, word] = functions.call((i & 7).min(5), x, i);
        result ^ word
    });
    let expected = expected.flat_map(u32::to_le_bytes).collect();
    let buffers = vec![Buffer::words("out", vec![0; input.len()]), Buffer::words("in", input)];
    let launch = Launch {
        name: "test".into(),
        kernel,
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        buffers,
        args: vec![Argument::Buffer(1), Argument::Buffer(0)],
        checks: vec![Check { buffer: 0, expected, tolerance: Tolerance::Exact }],
        placement: None,
    };
    Ok((source, launch))
}

/// On the emulators: threads one by one, in warps, in machine code, and with checks on memory. Gives the instructions
/// that warps have issued.
pub fn check(seed: u64) -> Result<u64, String> {
    const LIMIT: u64 = 1 << 30;
    let (source, launch) = launch(seed)?;
    let failed = |what: String| format!("seed {seed}: {what}\n{source}");
    let threads = emulator::run(&launch, LIMIT).map_err(|error| failed(error.to_string()))?.memory;
    let warps = emulator::run_lockstep(&launch, LIMIT);
    if emulator::run_warps(&launch, LIMIT, emulator::Engine::Compiled) != warps {
        return Err(failed("machine code differs from the interpreter".into()));
    }
    let warps = warps.map_err(|error| failed(error.to_string()))?;
    for memory in [&threads, &warps.memory] {
        let read = |at: u32, bytes: usize| memory[at as usize..][..bytes].to_vec();
        launch.verify(read).map_err(|error| failed(error.to_string()))?;
    }
    match memcheck::check(&launch, &AtomicU64::new(u64::MAX)) {
        MemoryCheck::Passed { .. } => Ok(warps.warp_instructions),
        found => Err(failed(format!("{found:?}"))),
    }
}

/// Words that a function works on: `n`, `x` and two more.
const WORDS: u64 = 4;

enum RecursionStep {
    /// `word = word op word`
    Calc(usize, RandomRecursionOp, usize, usize),
    /// The wide number plus a product.
    Wide(usize, usize),
    /// `predicate = word < word`
    Test(usize, usize),
    /// `word = predicate ? word : word`
    Select(usize, usize, usize),
    /// `array[i] = word`
    Store(usize, usize),
    /// `word = array[i]`
    Load(usize, usize),
    /// `word = *pointer`, `*pointer += word`
    Exchange(usize, usize),
    /// Some calls.
    Call(RandomRecursionCall),
    /// Twice, with the calls before.
    Twice(Vec<RecursionStep>),
    /// Returns a word where a bit of another is set.
    Return(usize, usize, u32),
}

#[derive(Clone, Copy)]
enum RandomRecursionOp {
    Add,
    Sub,
    Xor,
    Mul,
}

/// `word = function(n - 1, word, pointer)`
struct RandomRecursionCall {
    dst: usize,
    function: usize,
    value: usize,
    /// The place in the array whose address is given on; none: the own pointer.
    place: Option<usize>,
    /// Only where this bit of this word is set.
    guard: Option<(usize, u32)>,
    /// Through the table.
    through_table: bool,
}

struct RandomRecursionFunction {
    array: usize,
    steps: Vec<RecursionStep>,
}

/// Some functions; number 0 is called first.
pub struct Functions(Vec<RandomRecursionFunction>);

impl Functions {
    /// Those of a number.
    pub fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let count = 1 + random.below(3) as usize;
        Self((0..count).map(|_| function(random, count)).collect())
    }

    /// What the first one gives, and the word that it has a pointer to.
    pub fn call(&self, n: u32, x: u32, mut word: u32) -> [u32; 2] {
        let result = self.run(0, n, x, &mut word);
        [result, word]
    }

    fn run(&self, number: usize, n: u32, x: u32, pointer: &mut u32) -> u32 {
        if n == 0 {
            *pointer = pointer.wrapping_mul(3).wrapping_add(number as u32);
            return x.wrapping_mul(5).wrapping_add(number as u32);
        }
        let function = &self.0[number];
        let mut state = RandomRecursionState {
            words: [n, x, x ^ n, x.wrapping_mul(7)],
            array: (0..function.array as u32).map(|i| x.wrapping_add(i)).collect(),
            wide: x.into(),
            predicate: false,
        };
        if let Some(result) = self.steps(&function.steps, n, &mut state, pointer) {
            return result;
        }
        let folded = state.words.iter().chain(&state.array).fold(0_u32, |sum, word| sum.rotate_left(1) ^ word);
        folded ^ state.wide as u32 ^ (state.wide >> 32) as u32 ^ u32::from(state.predicate)
    }

    fn steps(
        &self,
        steps: &[RecursionStep],
        n: u32,
        state: &mut RandomRecursionState,
        pointer: &mut u32,
    ) -> Option<u32> {
        for step in steps {
            let words = &mut state.words;
            match *step {
                RecursionStep::Calc(dst, op, a, b) => {
                    words[dst] = match op {
                        RandomRecursionOp::Add => words[a].wrapping_add(words[b]),
                        RandomRecursionOp::Sub => words[a].wrapping_sub(words[b]),
                        RandomRecursionOp::Xor => words[a] ^ words[b],
                        RandomRecursionOp::Mul => words[a].wrapping_mul(words[b]),
                    };
                }
                RecursionStep::Wide(a, b) => {
                    state.wide = state.wide.wrapping_add(u64::from(words[a]) * u64::from(words[b]));
                }
                RecursionStep::Test(a, b) => state.predicate = words[a] < words[b],
                RecursionStep::Select(dst, a, b) => words[dst] = if state.predicate { words[a] } else { words[b] },
                RecursionStep::Store(i, a) => state.array[i] = words[a],
                RecursionStep::Load(dst, i) => words[dst] = state.array[i],
                RecursionStep::Exchange(dst, a) => {
                    let before = *pointer;
                    *pointer = before.wrapping_add(words[a]);
                    words[dst] = before;
                }
                RecursionStep::Call(RandomRecursionCall { dst, function, value, place, guard, .. }) => {
                    if guard.is_none_or(|(word, bit)| words[word] >> bit & 1 == 1) {
                        let given = place.map_or(&mut *pointer, |place| &mut state.array[place]);
                        words[dst] = self.run(function, n - 1, words[value], given);
                    }
                }
                RecursionStep::Twice(ref steps) => {
                    for _ in 0..2 {
                        if let Some(result) = self.steps(steps, n, state, pointer) {
                            return Some(result);
                        }
                    }
                }
                RecursionStep::Return(value, word, bit) => {
                    if words[word] >> bit & 1 == 1 {
                        return Some(words[value]);
                    }
                }
            }
        }
        None
    }

    /// The functions, and a table of them.
    pub fn ptx(&self) -> String {
        let mut text = String::new();
        let head =
            |i: usize| format!(".func (.param .b32 result) f{i}(.param .b32 n, .param .b32 x, .param .b64 pointer)");
        for i in 0..self.0.len() {
            let _ = writeln!(text, "{};", head(i));
        }
        let names: Vec<_> = (0..self.0.len()).map(|i| format!("f{i}")).collect();
        let _ = writeln!(text, ".global .align 8 .u64 table[{}] = {{{}}};", names.len(), names.join(", "));
        for (i, function) in self.0.iter().enumerate() {
            let _ = writeln!(text, "{}\n{{", head(i));
            let mut writer = RandomRecursionWriter { text: &mut text, labels: 0 };
            writer.function(i, function);
            text.push_str("}\n");
        }
        text
    }
}

struct RandomRecursionState {
    words: [u32; WORDS as usize],
    array: Vec<u32>,
    wide: u64,
    predicate: bool,
}

fn function(random: &mut Random, count: usize) -> RandomRecursionFunction {
    let array = random.below(5) as usize;
    let mut calls = 2;
    let steps = (0..6 + random.below(10)).map(|_| step(random, count, array, &mut calls, true)).collect();
    RandomRecursionFunction { array, steps }
}

fn step(random: &mut Random, count: usize, array: usize, calls: &mut u32, may_loop: bool) -> RecursionStep {
    let word = |random: &mut Random| random.below(WORDS) as usize;
    let [a, b, c] = [(); 3].map(|()| word(random));
    let place = (array > 0).then(|| random.below(array.max(1) as u64) as usize);
    match (random.below(12), place) {
        (0, _) => RecursionStep::Wide(a, b),
        (1, _) => RecursionStep::Test(a, b),
        (2, _) => RecursionStep::Select(a, b, c),
        (3, Some(place)) => RecursionStep::Store(place, a),
        (4, Some(place)) => RecursionStep::Load(a, place),
        (5, _) => RecursionStep::Exchange(a, b),
        (6..=8, _) if *calls > 0 => {
            *calls -= 1;
            RecursionStep::Call(RandomRecursionCall {
                dst: a,
                function: random.below(count as u64) as usize,
                value: b,
                place: place.filter(|_| random.below(2) == 0),
                guard: (random.below(2) == 0).then(|| (c, random.below(8) as u32)),
                through_table: random.below(3) == 0,
            })
        }
        (9, _) if may_loop && *calls == 2 => {
            // The calls of a loop count twice.
            let mut within = 1;
            *calls = 0;
            RecursionStep::Twice((0..3).map(|_| step(random, count, array, &mut within, false)).collect())
        }
        (10, _) => RecursionStep::Return(a, b, random.below(8) as u32),
        _ => RecursionStep::Calc(
            a,
            [RandomRecursionOp::Add, RandomRecursionOp::Sub, RandomRecursionOp::Xor, RandomRecursionOp::Mul]
                [random.below(4) as usize],
            b,
            c,
        ),
    }
}

struct RandomRecursionWriter<'a> {
    text: &'a mut String,
    labels: u32,
}

impl RandomRecursionWriter<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn function(&mut self, number: usize, function: &RandomRecursionFunction) {
        self.line(".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;");
        if function.array > 0 {
            self.line(&format!(".local .align 4 .b8 array[{}];", 4 * function.array));
            self.line("mov.u64 %rd1, array; cvta.local.u64 %rd1, %rd1;");
        }
        self.line("ld.param.u32 %r8, [n]; ld.param.u32 %r1, [x]; ld.param.u64 %rd2, [pointer];");
        self.line("setp.ne.s32 %p1, %r8, 0; @%p1 bra $more;");
        self.line(&format!("ld.u32 %r9, [%rd2]; mad.lo.s32 %r9, %r9, 3, {number}; st.u32 [%rd2], %r9;"));
        self.line(&format!("mad.lo.s32 %r9, %r1, 5, {number}; st.param.b32 [result], %r9; ret;\n$more:"));
        self.line("mov.u32 %r0, %r8; xor.b32 %r2, %r1, %r8; mul.lo.s32 %r3, %r1, 7;");
        self.line("cvt.u64.u32 %rd3, %r1; setp.ne.s32 %p2, 0, 0;");
        for i in 0..function.array {
            self.line(&format!("add.s32 %r9, %r1, {i}; st.u32 [%rd1+{}], %r9;", 4 * i));
        }
        function.steps.iter().for_each(|step| self.step(step));
        self.line("mov.u32 %r10, 0;");
        let words = (0..WORDS).map(|i| format!("mov.u32 %r9, %r{i};"));
        let array = (0..function.array).map(|i| format!("ld.u32 %r9, [%rd1+{}];", 4 * i));
        for word in words.chain(array) {
            self.line(&format!("{word} shf.l.wrap.b32 %r10, %r10, %r10, 1; xor.b32 %r10, %r10, %r9;"));
        }
        self.line("mov.b64 {%r11, %r12}, %rd3; xor.b32 %r10, %r10, %r11; xor.b32 %r10, %r10, %r12;");
        self.line("selp.u32 %r11, 1, 0, %p2; xor.b32 %r10, %r10, %r11; st.param.b32 [result], %r10; ret;");
    }

    fn step(&mut self, step: &RecursionStep) {
        match step {
            RecursionStep::Calc(dst, op, a, b) => {
                let name = match op {
                    RandomRecursionOp::Add => "add.s32",
                    RandomRecursionOp::Sub => "sub.s32",
                    RandomRecursionOp::Xor => "xor.b32",
                    RandomRecursionOp::Mul => "mul.lo.s32",
                };
                self.line(&format!("{name} %r{dst}, %r{a}, %r{b};"));
            }
            RecursionStep::Wide(a, b) => self.line(&format!("mad.wide.u32 %rd3, %r{a}, %r{b}, %rd3;")),
            RecursionStep::Test(a, b) => self.line(&format!("setp.lt.u32 %p2, %r{a}, %r{b};")),
            RecursionStep::Select(dst, a, b) => self.line(&format!("selp.b32 %r{dst}, %r{a}, %r{b}, %p2;")),
            RecursionStep::Store(i, a) => self.line(&format!("st.u32 [%rd1+{}], %r{a};", 4 * i)),
            RecursionStep::Load(dst, i) => self.line(&format!("ld.u32 %r{dst}, [%rd1+{}];", 4 * i)),
            RecursionStep::Exchange(dst, a) => self.line(&format!(
                "ld.u32 %r9, [%rd2]; add.s32 %r11, %r9, %r{a}; st.u32 [%rd2], %r11; mov.u32 %r{dst}, %r9;"
            )),
            RecursionStep::Call(call) => self.call(call),
            RecursionStep::Twice(steps) => {
                let label = self.label();
                self.line(&format!("mov.u32 %r13, 0;\n$again{label}:"));
                steps.iter().for_each(|step| self.step(step));
                self.line(&format!("add.s32 %r13, %r13, 1; setp.lt.u32 %p3, %r13, 2; @%p3 bra $again{label};"));
            }
            RecursionStep::Return(value, word, bit) => {
                let label = self.label();
                self.line(&format!("bfe.u32 %r9, %r{word}, {bit}, 1; setp.eq.s32 %p4, %r9, 0; @%p4 bra $on{label};"));
                self.line(&format!("st.param.b32 [result], %r{value}; ret;\n$on{label}:"));
            }
        }
    }

    fn call(&mut self, call: &RandomRecursionCall) {
        let label = self.label();
        if let Some((word, bit)) = call.guard {
            self.line(&format!("bfe.u32 %r9, %r{word}, {bit}, 1; setp.eq.s32 %p4, %r9, 0; @%p4 bra $past{label};"));
        }
        match call.place {
            Some(place) => self.line(&format!("add.s64 %rd4, %rd1, {};", 4 * place)),
            None => self.line("mov.u64 %rd4, %rd2;"),
        }
        self.line("sub.s32 %r9, %r8, 1;\n{ .param .b32 a; .param .b32 b; .param .b64 c; .param .b32 d;");
        self.line(&format!("st.param.b32 [a], %r9; st.param.b32 [b], %r{}; st.param.b64 [c], %rd4;", call.value));
        if call.through_table {
            self.line(&format!("mov.u64 %rd5, table; ld.global.u64 %rd5, [%rd5+{}];", 8 * call.function));
            self.line(&format!(
                "$kind{label}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _, .param .b64 _);\n\
                 call (d), %rd5, (a, b, c), $kind{label};"
            ));
        } else {
            self.line(&format!("call.uni (d), f{}, (a, b, c);", call.function));
        }
        self.line(&format!("ld.param.b32 %r{}, [d]; }}\n$past{label}:", call.dst));
    }
}
