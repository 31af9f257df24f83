//! Execution of the tree on the host: a thread for each thread of a block, and a real barrier.

use super::tree::*;
use std::{
    sync::{
        Condvar, Mutex,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    thread,
};

/// `out` and `scratch` at the end.
#[derive(PartialEq, Eq, Debug)]
pub struct HostMemory {
    pub out: Vec<u32>,
    pub scratch: Vec<u32>,
}

/// Runs a kernel; `scratch` is zero at the start.
pub fn run(kernel: &Kernel) -> HostMemory {
    let threads = (kernel.blocks * kernel.threads) as usize;
    let words = |count: usize| (0..count).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
    let (out, scratch) = (words(threads * SLOTS), words(threads));
    for block in 0..kernel.blocks {
        let (shared, barrier) = (words(SHARED), Barrier::new(kernel.threads));
        thread::scope(|scope| {
            for number in 0..kernel.threads {
                let start = (block * kernel.threads) as usize;
                let mine = (start + number as usize) * SLOTS;
                let mut run = Thread {
                    kernel,
                    block,
                    number,
                    ints: [0; INTS],
                    floats: [0.0; FLOATS],
                    rounds: vec![],
                    out: &out[mine..mine + SLOTS],
                    shared: &shared,
                    scratch: &scratch[start..start + kernel.threads as usize],
                    barrier: &barrier,
                };
                // Deep trees of expressions are shallow enough for a small stack.
                let thread = thread::Builder::new().stack_size(256 << 10);
                thread.spawn_scoped(scope, move || run.run()).expect("a thread can be started");
            }
        });
    }
    let plain = |words: Vec<AtomicU32>| words.into_iter().map(AtomicU32::into_inner).collect();
    HostMemory { out: plain(out), scratch: plain(scratch) }
}

/// A barrier that threads may leave for good.
struct Barrier {
    state: Mutex<HostState>,
    changed: Condvar,
}

struct HostState {
    live: u32,
    waiting: u32,
    generation: u64,
}

impl Barrier {
    fn new(live: u32) -> Self {
        Self { state: Mutex::new(HostState { live, waiting: 0, generation: 0 }), changed: Condvar::new() }
    }

    fn wait(&self) {
        let mut state = self.state.lock().expect("no thread panics with it");
        state.waiting += 1;
        let generation = state.generation;
        self.open_if_complete(&mut state);
        while state.generation == generation {
            state = self.changed.wait(state).expect("no thread panics with it");
        }
    }

    fn leave(&self) {
        let mut state = self.state.lock().expect("no thread panics with it");
        state.live -= 1;
        self.open_if_complete(&mut state);
    }

    fn open_if_complete(&self, state: &mut HostState) {
        if state.waiting == state.live {
            state.waiting = 0;
            state.generation += 1;
            self.changed.notify_all();
        }
    }
}

/// How a list of statements ends.
#[derive(PartialEq, Eq)]
enum HostFlow {
    On,
    Break,
    Continue,
    Return,
    Done,
}

struct Thread<'a> {
    kernel: &'a Kernel,
    block: u32,
    number: u32,
    ints: [u32; INTS],
    floats: [f32; FLOATS],
    rounds: Vec<u32>,
    out: &'a [AtomicU32],
    shared: &'a [AtomicU32],
    scratch: &'a [AtomicU32],
    barrier: &'a Barrier,
}

impl Thread<'_> {
    fn run(&mut self) {
        if self.statements(&self.kernel.body) != HostFlow::Return {
            self.statements(&self.kernel.tail);
        }
        self.barrier.leave();
    }

    fn statements(&mut self, list: &[Statement]) -> HostFlow {
        for statement in list {
            match self.statement(statement) {
                HostFlow::On => {}
                other => return other,
            }
        }
        HostFlow::On
    }

    fn statement(&mut self, statement: &Statement) -> HostFlow {
        match statement {
            Statement::Int(var, value) => self.ints[*var] = self.int(value),
            Statement::Float(var, value) => self.floats[*var] = self.float(value),
            Statement::Out(slot, value) => self.out[*slot].store(self.int(value), Relaxed),
            Statement::Add(slot, value) => {
                self.out[*slot].fetch_add(self.int(value), Relaxed);
            }
            Statement::OutFloat(slot, value) => self.out[*slot].store(word_of(self.float(value)), Relaxed),
            Statement::Store(space, value) => self.words(*space)[self.number as usize].store(self.int(value), Relaxed),
            Statement::If(cond, then, otherwise) => {
                return self.statements(if self.cond(cond) { then } else { otherwise });
            }
            Statement::For { depth, bound, body } => {
                let bound = self.int(bound);
                assert_eq!(*depth, self.rounds.len(), "counters are named by depth");
                for round in 0..bound {
                    self.rounds.push(round);
                    let flow = self.statements(body);
                    self.rounds.pop();
                    match flow {
                        HostFlow::On | HostFlow::Continue => {}
                        HostFlow::Break => break,
                        HostFlow::Return | HostFlow::Done => return flow,
                    }
                }
            }
            Statement::Break => return HostFlow::Break,
            Statement::Continue => return HostFlow::Continue,
            Statement::Return => return HostFlow::Return,
            Statement::Done => return HostFlow::Done,
            Statement::Barrier => self.barrier.wait(),
        }
        HostFlow::On
    }

    fn words(&self, space: Space) -> &[AtomicU32] {
        match space {
            Space::Shared => self.shared,
            Space::Scratch => self.scratch,
        }
    }

    fn int(&self, value: &Int) -> u32 {
        match value {
            Int::Const(value) => *value,
            Int::Var(var) => self.ints[*var],
            Int::Thread => self.number,
            Int::Block => self.block,
            Int::Count => self.kernel.count,
            Int::Round(depth) => self.rounds[*depth],
            Int::Op(op, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                match op {
                    IntOp::Add => a.wrapping_add(b),
                    IntOp::Sub => a.wrapping_sub(b),
                    IntOp::Mul => a.wrapping_mul(b),
                    IntOp::And => a & b,
                    IntOp::Or => a | b,
                    IntOp::Xor => a ^ b,
                    IntOp::Shl => a.checked_shl(b).unwrap_or(0),
                    IntOp::Shr => a.checked_shr(b).unwrap_or(0),
                    IntOp::MinS => (a as i32).min(b as i32) as u32,
                    IntOp::MaxU => a.max(b),
                    IntOp::Div => a / (b | 1),
                    IntOp::Rem => a % (b | 1),
                }
            }
            Int::Pick(cond, a, b) => self.int(if self.cond(cond) { a } else { b }),
            Int::Input(index) => self.kernel.input[self.int(index) as usize % INPUTS],
            Int::Own(space) => self.words(*space)[self.number as usize].load(Relaxed),
            Int::Other(space, index) => {
                let index = (self.int(index) % SHARED as u32).min(self.kernel.threads - 1);
                self.words(*space)[index as usize].load(Relaxed)
            }
            Int::Truncated(value) => self.float(value) as i32 as u32,
        }
    }

    fn float(&self, value: &Float) -> f32 {
        match value {
            Float::Const(value) => *value,
            Float::Var(var) => self.floats[*var],
            Float::Op(op, a, b) => {
                let (a, b) = (self.float(a), self.float(b));
                match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                }
            }
            Float::Fma(a, b, c) => self.float(a).mul_add(self.float(b), self.float(c)),
            Float::Of(value) => self.int(value) as i32 as f32,
            Float::Pick(cond, a, b) => self.float(if self.cond(cond) { a } else { b }),
        }
    }

    fn cond(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Signed(compare, a, b) => compared(*compare, self.int(a) as i32, self.int(b) as i32),
            Cond::Unsigned(compare, a, b) => compared(*compare, self.int(a), self.int(b)),
            Cond::Float(compare, a, b) => compared(*compare, self.float(a), self.float(b)),
            Cond::Not(a) => !self.cond(a),
            Cond::And(a, b) => self.cond(a) && self.cond(b),
            Cond::Or(a, b) => self.cond(a) || self.cond(b),
        }
    }
}

fn compared<T: PartialOrd>(compare: Compare, a: T, b: T) -> bool {
    match compare {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
    }
}
