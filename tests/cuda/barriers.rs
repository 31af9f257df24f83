//! Kernels whose warps come to barriers in parts: loops at the end of a kernel, early returns, ways out that nobody
//! takes.

use crate::campaign::part_or_all;
use crate::{
    cuda::{check::Checker, tree::*},
    small,
};
use warpmesh::{
    program::{Argument, Buffer, Launch, Target, compile, emulator},
    sim::{Engine, Options},
};

// -- a few words for the trees -------------------------------------------------------------------------------------------

const TID: Int = Int::Thread;
const BAR: Statement = Statement::Barrier;
const OWN: Int = Int::Own(Space::Shared);

fn number(value: u32) -> Int {
    Int::Const(value)
}

fn op(op: IntOp, a: Int, b: Int) -> Int {
    Int::Op(op, Box::new(a), Box::new(b))
}

fn add(a: Int, b: Int) -> Int {
    op(IntOp::Add, a, b)
}

fn input(index: Int) -> Int {
    Int::Input(Box::new(index))
}

/// Shared memory, the word of another thread.
fn word(thread: Int) -> Int {
    Int::Other(Space::Shared, Box::new(thread))
}

fn share(value: Int) -> Statement {
    Statement::Store(Space::Shared, value)
}

fn set(var: usize, value: Int) -> Statement {
    Statement::Int(var, value)
}

fn is(compare: Compare, a: Int, b: Int) -> Cond {
    Cond::Unsigned(compare, Box::new(a), Box::new(b))
}

fn when(cond: Cond, then: Vec<Statement>) -> Statement {
    Statement::If(cond, then, vec![])
}

fn repeat(depth: usize, bound: Int, body: Vec<Statement>) -> Statement {
    Statement::For { depth, bound, body }
}

/// True in no thread, which only the data says.
fn never() -> Cond {
    is(Compare::Eq, input(TID), number(SENTINEL))
}

fn odd(value: Int) -> Cond {
    is(Compare::Eq, op(IntOp::And, value, number(1)), number(1))
}

/// Eight rounds with 96 threads in each of two blocks. All variables are stored at the end, unless `last`: then the
/// body is all.
fn kernel(seed: u64, last: bool, body: Vec<Statement>) -> Kernel {
    let input = (0..INPUTS as u32).map(|i| i * i % 61).collect();
    let tail = if last { vec![] } else { (0..INTS).map(|var| Statement::Out(var, Int::Var(var))).collect() };
    Kernel { seed, threads: 96, blocks: 2, count: 8, input, body, tail }
}

/// Two barriers around something that half of the threads do with their neighbours' words.
fn step(round: Int) -> Vec<Statement> {
    let sum = add(word(op(IntOp::Sub, TID, number(1))), word(add(TID, number(1))));
    let middle = Cond::And(
        Box::new(is(Compare::Gt, TID, number(0))),
        Box::new(is(Compare::Lt, TID, op(IntOp::Sub, number(95), op(IntOp::And, round, number(3))))),
    );
    vec![share(Int::Var(0)), BAR, when(middle, vec![set(0, sum), Statement::Out(7, Int::Var(0))]), BAR]
}

fn with(mut list: Vec<Statement>, more: Vec<Statement>) -> Vec<Statement> {
    list.extend(more);
    list
}

type BarriersBody = fn() -> Vec<Statement>;

/// Name, whether nothing stands behind the body, body.
const KERNELS: &[(&str, bool, BarriersBody)] = &[
    ("the loop is the last statement", true, || vec![set(0, input(TID)), repeat(0, Int::Count, step(Int::Round(0)))]),
    ("a loop at the end with a break for all", true, || {
        let stop = when(is(Compare::Eq, Int::Round(0), number(5)), vec![Statement::Break]);
        vec![set(0, input(TID)), repeat(0, number(9), with(vec![stop], step(Int::Round(0))))]
    }),
    ("a loop at the end with a continue for all", true, || {
        let skip = when(odd(Int::Round(0)), vec![Statement::Out(6, Int::Round(0)), Statement::Continue]);
        vec![set(0, input(TID)), repeat(0, Int::Count, with(vec![skip], step(Int::Round(0))))]
    }),
    ("breaks and continues of single threads between barriers", true, || {
        let inner = vec![
            when(is(Compare::Gt, Int::Round(1), op(IntOp::And, TID, number(3))), vec![Statement::Break]),
            when(odd(add(TID, Int::Round(1))), vec![Statement::Continue]),
            set(0, add(Int::Var(0), number(3))),
        ];
        let body = with(vec![repeat(1, number(4), inner)], step(Int::Round(0)));
        vec![set(0, input(TID)), repeat(0, number(3), body)]
    }),
    ("nested loops at the end", true, || {
        vec![set(0, input(TID)), repeat(0, number(3), vec![repeat(1, number(3), step(Int::Round(1)))])]
    }),
    ("nested loops with barriers at both depths", true, || {
        let outer = with(vec![repeat(1, number(2), step(Int::Round(1)))], step(Int::Round(0)));
        vec![set(0, input(TID)), repeat(0, number(3), outer)]
    }),
    ("an early return between the second and the third barrier", false, || {
        let leave = when(odd(TID), vec![when(is(Compare::Gt, input(TID), number(30)), vec![Statement::Return])]);
        let body = with(step(number(0)), vec![share(Int::Var(0)), BAR, leave, BAR]);
        with(vec![set(0, input(TID))], with(body, with(step(number(1)), step(number(2)))))
    }),
    ("an early return with something to do before it", false, || {
        let leave = vec![Statement::Out(5, TID), Statement::Return];
        let leave = when(odd(TID), vec![set(1, TID), when(is(Compare::Gt, input(TID), number(30)), leave)]);
        with(vec![set(0, input(TID)), share(TID), leave], with(step(number(0)), step(number(1))))
    }),
    ("returns in a loop", true, || {
        let leave = when(
            odd(TID),
            vec![when(is(Compare::Eq, Int::Round(0), op(IntOp::Shr, TID, number(4))), vec![Statement::Return])],
        );
        vec![set(0, input(TID)), share(number(7)), repeat(0, Int::Count, with(vec![leave], step(Int::Round(0))))]
    }),
    ("a return that nobody takes", false, || {
        let leave = when(odd(TID), vec![set(1, TID), when(never(), vec![Statement::Return])]);
        with(vec![set(0, input(TID)), leave], with(step(number(0)), step(number(1))))
    }),
    ("a way out of a loop with two barriers that nobody takes", false, || {
        let leave = when(
            odd(TID),
            vec![set(1, add(Int::Var(1), TID)), when(never(), vec![Statement::Done]), set(2, number(4))],
        );
        let body = with(vec![leave.clone()], step(Int::Round(0)));
        vec![set(0, input(TID)), repeat(0, Int::Count, with(body, vec![leave]))]
    }),
    ("a break that nobody takes", false, || {
        let leave = when(odd(TID), vec![when(never(), vec![Statement::Break]), set(2, TID)]);
        vec![set(0, input(TID)), repeat(0, Int::Count, with(vec![leave], step(Int::Round(0))))]
    }),
    ("some threads go to the end past the barriers of the others", false, || {
        let leave =
            when(odd(TID), vec![set(3, TID), when(is(Compare::Gt, input(TID), number(20)), vec![Statement::Done])]);
        with(vec![set(0, input(TID)), share(number(1)), leave], with(step(number(0)), step(number(1))))
    }),
    ("threads return one by one until one is left", true, || {
        let gone = |keep: u32| {
            let mine = is(Compare::Eq, op(IntOp::Rem, TID, number(31)), Int::Round(0));
            when(Cond::And(Box::new(mine), Box::new(is(Compare::Ne, TID, number(keep)))), vec![Statement::Return])
        };
        let round = vec![share(add(OWN, Int::Round(0))), BAR, Statement::Out(0, word(number(40))), BAR];
        let body = with(vec![gone(40)], round);
        vec![share(input(TID)), repeat(0, number(33), body)]
    }),
    ("a warp of which nobody is left", false, || {
        let gone =
            when(is(Compare::Lt, TID, number(32)), vec![when(odd(TID), vec![Statement::Return]), Statement::Return]);
        with(vec![set(0, input(TID)), share(TID), gone], with(step(number(0)), step(number(1))))
    }),
];

/// The shapes that compilers give to a kernel are drawn by its seed.
const SHAPES: u64 = 6;

#[test]
fn they_do_what_the_host_does() {
    let mut checker = Checker::new(&small(), &crate::matrix::options());
    for (i, &(name, last, body)) in (0..).zip(KERNELS) {
        for shape in (0..SHAPES).filter(|&shape| part_or_all(i % SHAPES == shape, true)) {
            let checked = checker.check(&kernel(shape, last, body()));
            checked.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// A part of the kernels; all of them run on the engine that `WARPMESH_TEST_ENGINE` names.
#[test]
fn all_engines_agree() {
    let cycles = |engine, every| {
        let mut checker = Checker::new(&small(), &Options { engine, ..Options::default() });
        let mut run = |&(name, last, body): &(&str, bool, BarriersBody)| {
            checker.check(&kernel(1, last, body())).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        KERNELS.iter().step_by(every).map(&mut run).collect::<Vec<_>>()
    };
    let few = part_or_all(12, 6);
    let all = cycles(Engine::Word, few);
    for engine in Engine::ALL.into_iter().filter(|engine| part_or_all(*engine == Engine::Vector, true)) {
        // The interpreter takes its time.
        let every = if engine == Engine::Interpreter { 2 * few } else { few };
        let found = cycles(engine, every);
        let expected: Vec<_> = all.iter().copied().step_by(every / few).collect();
        assert_eq!(found, expected, "{engine:?}");
    }
}

#[test]
fn the_threads_of_a_warp_meet_before_the_barrier() {
    // Issued by warps, times 32, to executed by threads: what is executed apart counts twice. Full warps, and few ways.
    let target = Target::default();
    for (name, limit) in [
        ("the loop is the last statement", 1.15),
        ("an early return between the second and the third barrier", 1.35),
        ("a return that nobody takes", 1.15),
    ] {
        let &(_, last, body) = KERNELS.iter().find(|(other, ..)| *other == name).expect("a kernel of the table");
        for shape in 0..SHAPES {
            let launch = crate::cuda::check::launch(&kernel(shape, last, body()), &target).expect("compiles");
            let run = emulator::run_lockstep(&launch, 1 << 30).unwrap_or_else(|e| panic!("{name}: {e}"));
            let ratio = (32 * run.warp_instructions) as f64 / run.thread_instructions as f64;
            assert!(ratio < limit, "{name}, shape {shape}: {ratio:.2}\n{}", launch.kernel.disassemble());
        }
    }
}

/// Threads of one warp at two barriers: no kernel may do that.
const TWO_BARRIERS: &str = ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry two(.param .u64 out)\n{\n\
    .reg .pred %p<2>;\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra FEW;\nbar.sync 0;\n\
    bra.uni END;\nFEW:\nbar.sync 0;\nEND:\nret;\n}\n";

fn two_barriers() -> Launch {
    Launch {
        name: "two".into(),
        kernel: compile(TWO_BARRIERS, "two.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}")),
        grid: [1; 3],
        block: [64, 1, 1],
        buffers: vec![Buffer::words("out", [0; 4])],
        args: vec![Argument::Buffer(0)],
        checks: vec![],
        placement: None,
    }
}

#[test]
fn a_warp_at_two_barriers_is_an_error() {
    let launch = two_barriers();
    let text = "instruction 3 (PTX line 11): a barrier for some threads of a warp, while others of it wait at the barrier of \
                instruction 5 (PTX line 14)";
    assert_eq!(emulator::run(&launch, 1000).expect_err("two barriers").to_string(), text);
    let mut checker = Checker::new(&small(), &Options::default());
    let error = checker.on_the_chip(&launch).expect_err("two barriers");
    assert!(error.contains("threads of a warp wait at one barrier"), "{error}");
    assert!(emulator::run_lockstep(&launch, 1000).is_err());
}
