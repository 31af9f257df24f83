//! Is it worth evaluating a group of tiles bit-sliced?
//!
//! Both sides are estimated in nanoseconds a cycle from counts of operators. Sliced, a group costs its gates once for
//! every two words of lanes, and its memory reads and moves of payload for each lane, whatever happens. Word by word it
//! costs its operators for each tile that has something to do. The constants were measured with the router of the
//! benchmark mesh (`docs/performance.md`); they need to be right to a factor of two, as cases in between matter little.
//! (Since transfers are made without branches, lanes cost about half of what stands here under load, and no less
//! without.)

use hdl::*;
use netlist::Design;

/// A gate for up to two words of lanes, with its share of loads and stores.
const GATE: f64 = 0.2;
/// Reading a memory, or moving a word of payload, in one lane.
const LANE: f64 = 2.5;
/// An operator on a word of 64 bits.
const OPERATOR: f64 = 0.45;
/// Payload is as wide as that.
const PAYLOAD: u32 = 40;
/// Tiles are busy for so much of the time, as idle ones cost next to nothing word by word.
const BUSY: f64 = 0.6;
/// So many lanes at least: fewer leave too much of a word empty.
pub(crate) const LANES: usize = 12;
/// Words at the ports of a tile count for so much, where the other side may be another engine: each is copied bit by
/// bit.
const PORT: f64 = 2.5;
/// What bits may take at most of the time of words, as the estimates are rough.
pub(crate) const GAIN: f64 = 0.7;
/// What bits may take of what is estimated for vectors: routers whose estimates are 1.4 to 1 are 1.2 to 2 times as fast
/// sliced (meshes of 6 x 6 and 8 x 8, a torus).
const OF_VECTORS: f64 = 2.0;

/// What was found of a group.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Estimate {
    pub lanes: usize,
    /// One-bit gates of a tile.
    pub gates: f64,
    /// Memory reads and copies of payload of a tile.
    pub moves: f64,
    /// Operators of a tile, each as often as it has words.
    pub operators: f64,
    /// Words at its ports.
    pub ports: f64,
    /// Nanoseconds a cycle, for all tiles of the group.
    pub sliced: f64,
    pub word: f64,
    /// Infinite where that is not possible.
    pub vector: f64,
}

impl Estimate {
    /// Of a group of so many tiles of this cost.
    pub fn of(Cost { gates, moves, operators }: Cost, lanes: usize) -> Self {
        let word = operators * lanes as f64 * OPERATOR * BUSY;
        let mut out = Self { lanes, gates, moves, operators, ports: 0.0, sliced: 0.0, word, vector: f64::INFINITY };
        out.sliced = out.sliced_with(lanes);
        out
    }

    /// Nanoseconds a cycle for so many tiles of the group, bit-sliced.
    pub fn sliced_with(&self, lanes: usize) -> f64 {
        self.gates * lanes.div_ceil(2 * 64) as f64 * GATE + self.moves * lanes as f64 * LANE
    }

    /// It does more than hand on what comes in. Tiles that do not (links, synchronisers) gain nothing where a border
    /// between engines becomes one around them, and must not draw others after them.
    pub fn computes(&self) -> bool {
        self.operators * OPERATOR * BUSY > self.ports * PORT
    }

    /// Groups of one kind are clearly faster sliced. They are judged together: most links of a router are with routers,
    /// so a border between engines amid them costs more than a few of them gain, and their blocks share bundles.
    pub fn gains(groups: impl Iterator<Item = Self>) -> bool {
        let sum = Self::sum(groups);
        sum.lanes >= LANES && sum.sliced < GAIN * sum.word && sum.sliced < OF_VECTORS * sum.vector
    }

    /// They may be faster sliced, as the estimates are rough.
    pub fn promise(groups: impl Iterator<Item = Self>) -> bool {
        let sum = Self::sum(groups);
        sum.lanes >= LANES && sum.sliced < 2.0 * sum.word.min(sum.vector)
    }

    fn sum(groups: impl Iterator<Item = Self>) -> Self {
        let none =
            Self { lanes: 0, gates: 0.0, moves: 0.0, operators: 0.0, ports: 0.0, sliced: 0.0, word: 0.0, vector: 0.0 };
        groups.fold(none, |sum, group| Self {
            lanes: sum.lanes + group.lanes,
            sliced: sum.sliced + group.sliced,
            word: sum.word + group.word,
            vector: sum.vector + group.vector,
            ..sum
        })
    }

    /// Beside tiles that are sliced: it costs less than a border between engines. More is granted to a small group of a
    /// kind whose other tiles are sliced, as it has links to most of them, and its blocks share bundles with theirs.
    pub fn follows(&self, same_kind: bool) -> bool {
        self.sliced < if same_kind { 2.0 } else { 1.0 } * self.otherwise()
    }

    /// Nanoseconds a cycle of what the group is when it is not sliced.
    fn otherwise(&self) -> f64 {
        if self.vector < crate::vector::choose::GAIN * self.word { self.vector } else { self.word }
    }
}

/// Words at the ports of a module.
pub(crate) fn ports(module: &ModuleDef) -> f64 {
    module.inputs.iter().chain(&module.outputs).map(|&port| words_for(module.net(port).width) as f64).sum()
}

/// Counts of one module, or of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    /// One-bit gates.
    pub gates: f64,
    /// Memory reads and copies of payload.
    pub moves: f64,
    /// Operators, each as often as it has words.
    pub operators: f64,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost {
            gates: self.gates + other.gates,
            moves: self.moves + other.moves,
            operators: self.operators + other.operators,
        }
    }
}

/// Of every module of a design, with its children.
pub(crate) fn whole_costs(design: &Design) -> Vec<Cost> {
    let mut costs: Vec<Cost> = vec![];
    for about in &design.modules {
        let children = about.module.instances.iter().map(|i| costs[design.index_of(&i.module)]);
        costs.push(children.fold(cost(&about.module), Cost::plus));
    }
    costs
}

/// Of a module without its children.
pub(crate) fn cost(module: &ModuleDef) -> Cost {
    let mut sum = Cost { gates: 0.0, moves: 0.0, operators: 0.0 };
    for expr in &module.exprs {
        let width = f64::from(expr.width);
        let operand = |id: ExprId| f64::from(module.expr(id).width);
        let gates = match &expr.op {
            Op::Const(_) | Op::Net(_) | Op::Concat(_) | Op::Slice { .. } => continue,
            Op::MemRead { .. } => {
                sum.moves += 1.0;
                0.0
            }
            Op::Mux { .. } if expr.width >= PAYLOAD => 0.0,
            Op::Mux { .. } => 3.0 * width,
            Op::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, _) => continue,
            Op::Unary(UnaryOp::Not, _) => 0.0,
            Op::Unary(_, a) => operand(*a),
            Op::Binary(op, a, b) => match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => width,
                BinaryOp::Add | BinaryOp::Sub => 5.0 * width,
                BinaryOp::Mul => 6.0 * width * width / 2.0,
                BinaryOp::Eq | BinaryOp::Ne => 2.0 * operand(*a),
                BinaryOp::LtU | BinaryOp::LtS => 4.0 * operand(*a),
                BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS => 3.0 * width * operand(*b).min(width.log2() + 1.0),
            },
            Op::SliceAt { value, offset } => 3.0 * operand(*value) * operand(*offset).min(operand(*value).log2() + 1.0),
        };
        sum.gates += gates;
        sum.operators += words_for(expr.width) as f64;
    }
    for net in module.registers() {
        let wide = module.net(net).width >= PAYLOAD;
        sum.moves += if wide { 0.5 } else { 0.0 };
        sum.gates += if wide { 0.0 } else { f64::from(module.net(net).width) };
        sum.operators += words_for(module.net(net).width) as f64;
    }
    sum.moves += 0.5 * module.writes.len() as f64;
    sum
}
