//! What a kernel is made of.
//!
//! Every kernel is `(const u32 *in, u32 *out, u32 *scratch, u32 n)`. A thread has integer and float variables, `SLOTS`
//! words of `out` of its own, a word of shared memory and one of `scratch`. Between two barriers either each thread
//! writes and reads its own word of the two, or all threads read all words: no race, so the result is one. Which of the
//! two it is, is known at every place of the tree.

/// Words of `in`.
pub const INPUTS: usize = 64;
/// A value that no word of `in` has.
pub const SENTINEL: u32 = 0x7fff_dead;
/// Words of `out` that a thread has.
pub const SLOTS: usize = 8;
/// Integer and float variables of a thread.
pub const INTS: usize = 4;
/// See [`INTS`].
pub const FLOATS: usize = 2;
/// Words of shared memory.
pub const SHARED: usize = 128;

/// Memory with a word for each thread of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    Shared,
    Scratch,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// By 32 and more: 0, as PTX has it.
    Shl,
    Shr,
    MinS,
    MaxU,
    /// By the right side with its lowest bit set.
    Div,
    Rem,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
}

#[derive(Clone, Debug)]
pub enum Int {
    Const(u32),
    Var(usize),
    /// `threadIdx.x`.
    Thread,
    /// `blockIdx.x`.
    Block,
    /// The parameter `n`.
    Count,
    /// Counter of the loop of this depth.
    Round(usize),
    Op(IntOp, Box<Int>, Box<Int>),
    Pick(Box<Cond>, Box<Int>, Box<Int>),
    /// `in[index % INPUTS]`.
    Input(Box<Int>),
    /// The thread's own word.
    Own(Space),
    /// The word of thread `min(index % SHARED, threads - 1)`.
    Other(Space, Box<Int>),
    /// Toward zero, saturating.
    Truncated(Box<Float>),
}

#[derive(Clone, Debug)]
pub enum Float {
    Const(f32),
    Var(usize),
    Op(FloatOp, Box<Float>, Box<Float>),
    Fma(Box<Float>, Box<Float>, Box<Float>),
    Of(Box<Int>),
    Pick(Box<Cond>, Box<Float>, Box<Float>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Debug)]
pub enum Cond {
    Signed(Compare, Box<Int>, Box<Int>),
    Unsigned(Compare, Box<Int>, Box<Int>),
    /// False with a NaN, but for `Ne`.
    Float(Compare, Box<Float>, Box<Float>),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Int(usize, Int),
    Float(usize, Float),
    /// A word of `out`.
    Out(usize, Int),
    OutFloat(usize, Float),
    /// An atomic addition to a word of `out`.
    Add(usize, Int),
    /// The thread's own word.
    Store(Space, Int),
    If(Cond, Vec<Statement>, Vec<Statement>),
    /// `for (round = 0; round < bound; round++)`; `bound` is computed once. `depth` names the counter.
    For {
        depth: usize,
        bound: Int,
        body: Vec<Statement>,
    },
    Break,
    Continue,
    Return,
    /// `goto done`: to the tail of the kernel.
    Done,
    Barrier,
}

#[derive(Clone, Debug)]
pub struct Kernel {
    pub seed: u64,
    /// Threads of a block, at most [`SHARED`].
    pub threads: u32,
    pub blocks: u32,
    /// The parameter `n`.
    pub count: u32,
    /// Words of `in`.
    pub input: Vec<u32>,
    pub body: Vec<Statement>,
    /// What stands behind `done:`, without barriers.
    pub tail: Vec<Statement>,
}

/// The word that a float is in memory: there is one NaN, as on the chip.
pub fn word_of(value: f32) -> u32 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits() }
}
