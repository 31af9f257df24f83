//! Kernels by seed: nested ifs, loops, breaks, early returns, jumps to the tail, barriers at uniform places, both
//! memories.

use super::tree::*;
use program::random::Random;

/// The kernel of a seed.
pub fn kernel(seed: u64) -> Kernel {
    let mut g = KernelGenerator { random: Random::new(seed), reads: false, budget: 0, loops: vec![], in_tail: false };
    g.budget = 12 + g.below(36);
    let threads = [1, 7, 31, 32, 33, 48, 64, 65, 96][g.below(9) as usize];
    let blocks = 1 + g.below(3) as u32;
    let count = g.below(8) as u32;
    let value = |g: &mut KernelGenerator| match g.below(3) {
        0 => g.below(8) as u32,
        1 => g.below(256) as u32,
        _ => g.random.next_u64() as u32 & 0x3fff_ffff,
    };
    let input = (0..INPUTS).map(|_| value(&mut g)).collect();
    // Shared memory has no contents at the start.
    let first = Int::Op(IntOp::Xor, Box::new(Int::Thread), Box::new(g.int(2, true)));
    let mut body = vec![Statement::Store(Space::Shared, first)];
    while g.budget > 0 {
        body.extend(g.statements(0, true));
    }
    let tail = if g.chance(30) {
        vec![]
    } else {
        g.in_tail = true;
        g.budget = g.below(6);
        let mut tail = g.statements(0, false);
        tail.extend((0..INTS.min(SLOTS)).map(|var| Statement::Out(var, Int::Var(var))));
        tail.extend((0..FLOATS).map(|var| Statement::OutFloat(INTS + var, Float::Var(var))));
        tail
    };
    Kernel { seed, threads, blocks, count, input, body, tail }
}

/// A loop around the present place.
struct Loop {
    /// All live threads of the block are in the same round.
    uniform: bool,
    /// Words of others were read at its start.
    reads: bool,
    /// Rounds at most.
    bound: u64,
}

struct KernelGenerator {
    random: Random,
    /// Between the last barrier and the next one words of all threads are read, not written.
    reads: bool,
    /// Statements to come.
    budget: u64,
    loops: Vec<Loop>,
    in_tail: bool,
}

impl KernelGenerator {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    // -- statements ----------------------------------------------------------------------------------------------------

    /// Some statements, `depth` ifs and loops deep. `uniform`: all live threads of the block come here together.
    fn statements(&mut self, depth: u32, uniform: bool) -> Vec<Statement> {
        let length = 1 + self.below(5);
        let mut list = vec![];
        for _ in 0..length {
            if self.budget > 0 {
                self.budget -= 1;
                list.push(self.statement(depth, uniform));
            }
        }
        list
    }

    fn statement(&mut self, depth: u32, uniform: bool) -> Statement {
        let nests = depth < 4;
        match self.below(20) {
            0..3 if uniform => self.barrier(),
            3..7 if nests => self.branch(depth, uniform),
            7..10 if nests && self.loops.len() < 3 => self.repeat(depth, uniform),
            10..12 => self.jump(uniform),
            12..14 if !self.reads && !self.in_tail => Statement::Store(self.space(), self.int(2, false)),
            14 => {
                // By what is left, so that nothing else is drawn than without.
                let kind = if self.budget.is_multiple_of(2) { Statement::Add } else { Statement::Out };
                kind(self.below(SLOTS as u64) as usize, self.int(2, false))
            }
            15 => Statement::OutFloat(self.below(SLOTS as u64) as usize, self.float(2)),
            16..18 => Statement::Float(self.below(FLOATS as u64) as usize, self.float(2)),
            _ => Statement::Int(self.below(INTS as u64) as usize, self.int(3, false)),
        }
    }

    fn space(&mut self) -> Space {
        if self.chance(70) { Space::Shared } else { Space::Scratch }
    }

    fn barrier(&mut self) -> Statement {
        self.reads = !self.reads;
        Statement::Barrier
    }

    /// A list at whose end words are read or written as before it.
    fn balanced(&mut self, depth: u32, uniform: bool) -> Vec<Statement> {
        let before = self.reads;
        let mut list = self.statements(depth, uniform);
        if self.reads != before {
            list.push(self.barrier());
        }
        list
    }

    fn branch(&mut self, depth: u32, uniform: bool) -> Statement {
        let uniform = uniform && self.chance(40);
        let cond = self.cond(2, uniform);
        let then = self.balanced(depth + 1, uniform);
        let otherwise = if self.chance(40) { self.balanced(depth + 1, uniform) } else { vec![] };
        Statement::If(cond, then, otherwise)
    }

    fn repeat(&mut self, depth: u32, uniform: bool) -> Statement {
        let uniform = uniform && self.chance(60);
        let limit = 6 / self.loops.iter().map(|l| l.bound).product::<u64>().clamp(1, 3);
        let bound = match self.below(3) {
            0 => Int::Const(self.below(limit) as u32 + 1),
            _ => {
                let value = self.int(1, uniform);
                Int::Op(IntOp::Rem, Box::new(value), Box::new(Int::Const(limit as u32 | 1)))
            }
        };
        self.loops.push(Loop { uniform, reads: self.reads, bound: limit });
        let body = self.balanced(depth + 1, uniform);
        self.loops.pop();
        Statement::For { depth: self.loops.len(), bound, body }
    }

    /// Some threads leave: the loop, its round, or the kernel. Sometimes none does, and only the data tells.
    fn jump(&mut self, uniform: bool) -> Statement {
        let never = self.chance(30);
        // Where a barrier may stand in the loop, all threads have to go.
        let together = self.loops.last().is_some_and(|l| l.uniform);
        let can_leave_loop = self.loops.last().is_some_and(|l| !l.uniform || uniform && l.reads == self.reads);
        let in_loop = !self.loops.is_empty() && (never || can_leave_loop);
        let (jump, alike) = match self.below(6) {
            0 | 1 if in_loop => (Statement::Break, together),
            2 if in_loop => (Statement::Continue, together),
            3 | 4 if !self.in_tail => (Statement::Done, false),
            _ => (Statement::Return, false),
        };
        let mut cond = if never { self.never() } else { self.cond(1, alike) };
        if !alike && !never && self.chance(70) {
            // Few threads rather than half of them.
            let few = Cond::Unsigned(Compare::Eq, Box::new(self.int(1, false)), Box::new(self.int(1, false)));
            cond = Cond::And(Box::new(cond), Box::new(few));
        }
        let mut then = vec![];
        if self.chance(40) {
            then.push(Statement::Out(self.below(SLOTS as u64) as usize, self.int(1, false)));
        }
        then.push(jump);
        Statement::If(cond, then, vec![])
    }

    /// No word of `in` is that.
    fn never(&mut self) -> Cond {
        let input = Int::Input(Box::new(self.int(1, false)));
        Cond::Unsigned(Compare::Eq, Box::new(input), Box::new(Int::Const(SENTINEL)))
    }

    // -- expressions ---------------------------------------------------------------------------------------------------

    /// An integer; `uniform`: the same in all threads of the block.
    fn int(&mut self, depth: u32, uniform: bool) -> Int {
        use IntOp::*;
        if depth == 0 || self.chance(25) {
            return self.leaf(uniform);
        }
        let depth = depth - 1;
        match self.below(8) {
            0 => Int::Input(Box::new(self.int(depth, uniform))),
            1 if !uniform => Int::Truncated(Box::new(self.float(depth))),
            2 => {
                let cond = Box::new(self.cond(depth, uniform));
                Int::Pick(cond, Box::new(self.int(depth, uniform)), Box::new(self.int(depth, uniform)))
            }
            3 | 4 if !uniform && self.reads && !self.in_tail => {
                Int::Other(self.space(), Box::new(self.int(depth, false)))
            }
            _ => {
                let ops = [Add, Sub, Mul, And, Or, Xor, Shl, Shr, MinS, MaxU, Div, Rem, Add, Sub, And, Xor];
                let op = ops[self.below(16) as usize];
                Int::Op(op, Box::new(self.int(depth, uniform)), Box::new(self.int(depth, uniform)))
            }
        }
    }

    fn leaf(&mut self, uniform: bool) -> Int {
        let loops = self.loops.len() as u64;
        match self.below(12) {
            0..3 if !uniform => Int::Var(self.below(INTS as u64) as usize),
            3..6 if !uniform => Int::Thread,
            6 if !uniform => Int::Own(self.space()),
            7 if loops > 0 => Int::Round(self.below(loops) as usize),
            8 => Int::Block,
            9 => Int::Count,
            10 => Int::Const(self.random.next_u64() as u32),
            _ => Int::Const(self.below(40) as u32),
        }
    }

    fn float(&mut self, depth: u32) -> Float {
        use FloatOp::*;
        if depth == 0 || self.chance(25) {
            return match self.below(3) {
                0 => Float::Const(self.random.float(-8.0, 8.0)),
                _ => Float::Var(self.below(FLOATS as u64) as usize),
            };
        }
        let depth = depth - 1;
        match self.below(8) {
            0 | 1 => Float::Of(Box::new(self.int(depth, false))),
            2 | 3 => {
                let [a, b, c] = [(); 3].map(|()| Box::new(self.float(depth)));
                Float::Fma(a, b, c)
            }
            4 => {
                let cond = Box::new(self.cond(depth, false));
                Float::Pick(cond, Box::new(self.float(depth)), Box::new(self.float(depth)))
            }
            _ => {
                let op = [Add, Sub, Mul][self.below(3) as usize];
                Float::Op(op, Box::new(self.float(depth)), Box::new(self.float(depth)))
            }
        }
    }

    fn cond(&mut self, depth: u32, uniform: bool) -> Cond {
        use Compare::*;
        let compare = [Eq, Ne, Lt, Le, Gt, Ge, Lt, Ge][self.below(8) as usize];
        let inner = depth.saturating_sub(1);
        match self.below(10) {
            0 if depth > 0 => Cond::Not(Box::new(self.cond(inner, uniform))),
            1 | 2 if depth > 0 => Cond::And(Box::new(self.cond(inner, uniform)), Box::new(self.cond(inner, uniform))),
            3 | 4 if depth > 0 => Cond::Or(Box::new(self.cond(inner, uniform)), Box::new(self.cond(inner, uniform))),
            5 if !uniform => Cond::Float(compare, Box::new(self.float(inner)), Box::new(self.float(inner))),
            6 | 7 => Cond::Signed(compare, Box::new(self.int(inner, uniform)), Box::new(self.int(inner, uniform))),
            _ => Cond::Unsigned(compare, Box::new(self.int(inner, uniform)), Box::new(self.int(inner, uniform))),
        }
    }
}
