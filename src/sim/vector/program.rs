//! A program of vector operations: what one function of a module does, for sixteen tiles at a time.
//!
//! A [`Value`] is a vector of sixteen words of 32 bits, one of each tile (lane). Programs have no branches but around
//! calls. Equal operations are one, operations whose results nobody needs are dropped, and logic of at most three
//! operands becomes one operation where there are instructions for it.

use rustc_hash::{FxHashMap, FxHashSet};

/// A value of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Value(u32);

impl Value {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an address is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Base {
    /// Present registers of the instances, interleaved.
    Registers,
    /// Their next registers.
    Next,
    /// All else of the instances, interleaved, but memories.
    Storage,
    /// The storage of the first tile's instance in the common state: memories are there.
    Memory,
    /// What all functions of a group share.
    Frame,
    /// Vectors of the function's own.
    Stack,
}

/// Where a vector is in memory; bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub base: Base,
    pub offset: i32,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ValueOrigin {
    /// The same in all lanes.
    Const(u32),
    /// It stands there for as long as the function runs, or from the last call on.
    Memory(Place),
    /// A step computes it.
    Step,
}

/// A comparison, which gives all ones or zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Compare {
    Equal,
    LessUnsigned,
    LessSigned,
    /// Of the AND of both.
    NotZero,
}

/// An operation on vectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    /// Bitwise: the result of operands with bits `a`, `b`, `c` is bit `a + 2 b + 4 c` of the table. One to three
    /// operands.
    Logic(u8),
    Add,
    Sub,
    Mul,
    /// The larger of two numbers without sign.
    MaxUnsigned,
    /// Products of the words in even lanes, each in two lanes.
    MulEven,
    Left(u8),
    Right(u8),
    Arithmetic(u8),
    Rotate(u8),
    /// Right shift of pairs of lanes.
    RightPair(u8),
    LeftBy,
    RightBy,
    ArithmeticBy,
    Compare(Compare),
    /// The second operand in lanes of which the third is all ones, the first in lanes of which it is zero; it is one or
    /// the other.
    Blend,
    /// Words at `place + index * scale`; where the second operand is there and zero, nothing is read, and the result is
    /// zero.
    Gather {
        place: Place,
        scale: u8,
    },
}

/// A call of another function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Call {
    /// Position in the table of the group.
    pub function: usize,
    /// What is added to the addresses: bytes of registers, of the storage, of the memories.
    pub offsets: [i32; 3],
    /// It is not made unless this is not zero in some lane.
    pub needed: Option<Value>,
    /// Not a function of ours but an intrinsic: its position in the table.
    pub intrinsic: bool,
    /// Where idle instances are skipped: the activity of the called phase, in the storage, a bit for each lane. The
    /// call is not made unless some lane that is needed is active.
    pub activity: Option<Activity>,
}

/// What becomes of the activity of an instance when it is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Activity {
    /// Byte offset in the storage.
    pub at: i32,
    /// The caller clears it before the call; else the called function says what follows.
    pub cleared: bool,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Compute {
        to: Value,
        op: Op,
        inputs: Vec<Value>,
    },
    Store {
        value: Value,
        place: Place,
    },
    /// Stores a bit for each lane in which the value is not zero: sixteen bits.
    Flags {
        value: Value,
        place: Place,
    },
    Call(Call),
    /// Records activity, a bit for each lane that exists: lanes in which `value` is not zero, and those of other
    /// records.
    Activity {
        value: Value,
        /// Byte offsets in the rest of other records.
        others: Vec<i32>,
        /// Byte offsets in the storage, and whether the bits are added to those that are there.
        to: Vec<(i32, bool)>,
    },
}

impl Step {
    pub fn inputs(&self) -> &[Value] {
        match self {
            Step::Compute { inputs, .. } => inputs,
            Step::Store { value, .. } | Step::Flags { value, .. } | Step::Activity { value, .. } => {
                std::slice::from_ref(value)
            }
            Step::Call(call) => call.needed.as_slice(),
        }
    }
}

/// Constants of all functions of a group, each once: their places in the frame.
#[derive(Default, Debug)]
pub(super) struct Pool {
    pub words: Vec<u32>,
    known: FxHashMap<u32, usize>,
    /// Where they start in the frame, in bytes.
    pub start: i32,
}

impl Pool {
    pub fn new(start: i32) -> Self {
        Self { start, ..Self::default() }
    }

    /// Where a constant is.
    pub fn offset(&mut self, value: u32) -> i32 {
        let next = self.words.len();
        let at = *self.known.entry(value).or_insert(next);
        if at == next {
            self.words.push(value);
        }
        self.start + 4 * at as i32
    }
}

/// A function of vectors.
#[derive(Clone, Default, Debug)]
pub(super) struct Program {
    pub steps: Vec<Step>,
    pub origins: Vec<ValueOrigin>,
    known: FxHashMap<(Op, Vec<Value>), Value>,
    leaves: FxHashMap<ValueOrigin, Value>,
    /// Values that are all ones or zero in each lane.
    masks: FxHashSet<Value>,
    /// Vectors of its own.
    pub slots: usize,
}

/// Tables of two operands, which do not depend on a third one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Table {
    And = 0b1000_1000,
    Or = 0b1110_1110,
    Xor = 0b0110_0110,
    /// `!a & b`.
    NotAnd = 0b0100_0100,
}

impl Table {
    /// The one that it is, if it is one of them.
    pub fn of(table: u8) -> Option<Self> {
        [Self::And, Self::Or, Self::Xor, Self::NotAnd].into_iter().find(|&known| known as u8 == table)
    }
}

impl Program {
    fn value(&mut self, origin: ValueOrigin) -> Value {
        self.origins.push(origin);
        Value(self.origins.len() as u32 - 1)
    }

    fn leaf(&mut self, origin: ValueOrigin) -> Value {
        if let Some(&value) = self.leaves.get(&origin) {
            return value;
        }
        let value = self.value(origin);
        self.leaves.insert(origin, value);
        value
    }

    pub fn constant(&mut self, value: u32) -> Value {
        self.leaf(ValueOrigin::Const(value))
    }

    pub fn load(&mut self, base: Base, offset: i32) -> Value {
        self.leaf(ValueOrigin::Memory(Place { base, offset }))
    }

    /// In each lane the value is all ones or zero.
    pub fn is_mask(&self, value: Value) -> bool {
        self.masks.contains(&value) || matches!(self.as_constant(value), Some(0 | u32::MAX))
    }

    /// Whoever makes the value knows that it is a mask.
    pub fn mark_mask(&mut self, value: Value) {
        self.masks.insert(value);
    }

    pub fn as_constant(&self, value: Value) -> Option<u32> {
        match self.origins[value.index()] {
            ValueOrigin::Const(value) => Some(value),
            _ => None,
        }
    }

    pub fn op(&mut self, op: Op, inputs: &[Value]) -> Value {
        let key = (op, inputs.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let to = self.value(ValueOrigin::Step);
        self.steps.push(Step::Compute { to, op, inputs: inputs.to_vec() });
        self.known.insert(key, to);
        to
    }

    /// What was read from there ([`load`](Self::load)) must have been used in steps before: it is read where it is
    /// used.
    pub fn store(&mut self, value: Value, base: Base, offset: i32) {
        let place = Place { base, offset };
        // Whoever reads it from now on gets what is stored now: an output may be nothing but an input.
        self.leaves.remove(&ValueOrigin::Memory(place));
        self.steps.push(Step::Store { value, place });
    }

    fn two(&mut self, table: Table, a: Value, b: Value) -> Value {
        let (a, b) = (a.min(b), a.max(b));
        self.op(Op::Logic(table as u8), &[a, b])
    }

    pub fn and(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.constant(x & y),
            (Some(0), _) | (_, Some(u32::MAX)) => a,
            (_, Some(0)) | (Some(u32::MAX), _) => b,
            _ if a == b => a,
            _ => self.two(Table::And, a, b),
        }
    }

    pub fn or(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.constant(x | y),
            (Some(u32::MAX), _) | (_, Some(0)) => a,
            (_, Some(u32::MAX)) | (Some(0), _) => b,
            _ if a == b => a,
            _ => self.two(Table::Or, a, b),
        }
    }

    pub fn xor(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.constant(x ^ y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ if a == b => self.constant(0),
            _ => self.two(Table::Xor, a, b),
        }
    }

    pub fn not(&mut self, a: Value) -> Value {
        match self.as_constant(a) {
            Some(x) => self.constant(!x),
            None => self.op(Op::Logic(0x55), &[a]),
        }
    }

    /// `a & !b`.
    pub fn and_not(&mut self, a: Value, b: Value) -> Value {
        let b = self.not(b);
        self.and(a, b)
    }

    /// `before`, and where `value` differs from what is in memory there: not zero.
    pub fn or_difference(&mut self, before: Value, value: Value, base: Base, offset: i32) -> Value {
        let stored = self.load(base, offset);
        let differs = self.xor(value, stored);
        self.or(before, differs)
    }

    pub fn any(&mut self, values: &[Value]) -> Value {
        let zero = self.constant(0);
        values.iter().fold(zero, |any, &value| self.or(any, value))
    }

    /// Bitwise: `then` where `select` has ones.
    pub fn select(&mut self, select: Value, then: Value, otherwise: Value) -> Value {
        match (self.as_constant(select), self.as_constant(then), self.as_constant(otherwise)) {
            (Some(u32::MAX), ..) => then,
            (Some(0), ..) => otherwise,
            _ if then == otherwise => then,
            // Operands of logic are all different.
            _ if then == select => self.or(select, otherwise),
            _ if otherwise == select => self.and(select, then),
            (_, _, Some(0)) => self.and(select, then),
            (_, Some(0), _) => self.and_not(otherwise, select),
            (_, Some(u32::MAX), _) => self.or(select, otherwise),
            _ => self.op(Op::Logic(0b1110_0100), &[select, otherwise, then]),
        }
    }

    pub fn left(&mut self, a: Value, by: u32) -> Value {
        match self.as_constant(a) {
            _ if by == 0 => a,
            Some(x) => self.constant(x << by),
            None => self.op(Op::Left(by as u8), &[a]),
        }
    }

    pub fn right(&mut self, a: Value, by: u32) -> Value {
        match self.as_constant(a) {
            _ if by == 0 => a,
            Some(x) => self.constant(x >> by),
            None => self.op(Op::Right(by as u8), &[a]),
        }
    }

    pub fn arithmetic(&mut self, a: Value, by: u32) -> Value {
        match self.as_constant(a) {
            _ if by == 0 => a,
            Some(x) => self.constant((x as i32 >> by) as u32),
            None => self.op(Op::Arithmetic(by as u8), &[a]),
        }
    }

    pub fn rotate(&mut self, a: Value, by: u32) -> Value {
        match self.as_constant(a) {
            _ if by == 0 => a,
            Some(x) => self.constant(x.rotate_left(by)),
            None => self.op(Op::Rotate(by as u8), &[a]),
        }
    }

    pub fn compare(&mut self, how: Compare, a: Value, b: Value) -> Value {
        let mask = self.op(Op::Compare(how), &[a, b]);
        self.mark_mask(mask);
        mask
    }

    pub fn is_zero(&mut self, a: Value) -> Value {
        let zero = self.constant(0);
        self.compare(Compare::Equal, a, zero)
    }

    /// The low bits of `a`.
    pub fn low(&mut self, a: Value, mask: u32) -> Value {
        let mask = self.constant(mask);
        self.and(a, mask)
    }

    /// Vectors of its own, one after the other: the first's offset.
    pub fn buffer(&mut self, vectors: usize) -> i32 {
        self.slots += vectors;
        (self.slots - vectors) as i32 * 64
    }

    // -- afterwards ----------------------------------------------------------------------------------------------------

    /// Joins logic to operations of up to three operands.
    pub fn join(&mut self) {
        self.drop_unused();
        self.join_logic();
        self.drop_unused();
    }

    fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.origins.len()];
        self.steps.iter().flat_map(Step::inputs).for_each(|input| uses[input.index()] += 1);
        uses
    }

    /// Drops what nobody needs.
    pub fn drop_unused(&mut self) {
        let mut needed = vec![false; self.origins.len()];
        let mut kept = vec![];
        for step in std::mem::take(&mut self.steps).into_iter().rev() {
            if !matches!(&step, Step::Compute { to, .. } if !needed[to.index()]) {
                step.inputs().iter().for_each(|input| needed[input.index()] = true);
                kept.push(step);
            }
        }
        kept.reverse();
        self.steps = kept;
    }

    /// Logic whose operand is logic that nobody else needs becomes one operation, if that has three operands at most
    /// and none of them has been overwritten in memory meanwhile.
    fn join_logic(&mut self) {
        let uses = self.uses();
        let mut tables: FxHashMap<Value, LogicOf> = FxHashMap::default();
        let mut overwritten: FxHashSet<ValueOrigin> = FxHashSet::default();
        for step in &mut self.steps {
            if let Step::Store { place, .. } = step {
                overwritten.insert(ValueOrigin::Memory(*place));
            }
            let Step::Compute { to, op: Op::Logic(table), inputs } = step else { continue };
            let mut at = 0;
            while at < inputs.len() {
                let inner = tables.get(&inputs[at]).filter(|_| uses[inputs[at].index()] == 1);
                let is_stale = |value: &Value| overwritten.contains(&self.origins[value.index()]);
                let inner = inner.filter(|inner| !inner.inputs.iter().any(is_stale));
                let Some(joined) = inner.and_then(|inner| join(*table, inputs, at, inner)) else {
                    at += 1;
                    continue;
                };
                (*table, *inputs) = (joined.table, joined.inputs);
                at = 0;
            }
            tables.insert(*to, LogicOf { table: *table, inputs: inputs.clone() });
        }
    }
}

/// A function of up to three operands, by its table.
struct LogicOf {
    table: u8,
    inputs: Vec<Value>,
}

/// Puts the logic that computes operand `at` in its place.
fn join(table: u8, inputs: &[Value], at: usize, inner: &LogicOf) -> Option<LogicOf> {
    let mut all: Vec<Value> = inputs.iter().copied().enumerate().filter(|(i, _)| *i != at).map(|(_, v)| v).collect();
    for &value in &inner.inputs {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    if all.len() > 3 || inputs.iter().enumerate().any(|(i, v)| i != at && *v == inputs[at]) {
        return None;
    }
    let row = |values: &[Value], bits: u8| {
        let bit = |v: &Value| bits >> all.iter().position(|a| a == v).expect("it is one of all") & 1;
        values.iter().enumerate().fold(0, |row, (i, v)| row | bit(v) << i)
    };
    let mut joined = 0;
    for bits in 0..8 {
        let inside = inner.table >> row(&inner.inputs, bits) & 1;
        let outer = inputs
            .iter()
            .enumerate()
            .fold(0, |outer, (i, v)| outer | (if i == at { inside } else { row(std::slice::from_ref(v), bits) }) << i);
        joined |= (table >> outer & 1) << bits;
    }
    Some(LogicOf { table: joined, inputs: all })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_overwritten_is_read_before_and_after() {
        let mut program = Program::default();
        let (before, new) = (program.load(Base::Storage, 0), program.load(Base::Registers, 0));
        let differs = program.xor(before, new);
        program.store(new, Base::Storage, 0);
        let after = program.load(Base::Storage, 0);
        assert_ne!(before, after);
        // It would be read where it is used: after the store.
        let other = program.load(Base::Registers, 64);
        let value = program.or(differs, other);
        program.store(value, Base::Next, 0);
        program.join();
        let steps = program.steps.iter().map(|step| match step {
            Step::Compute { to, .. } => Some(*to),
            _ => None,
        });
        assert_eq!(steps.collect::<Vec<_>>(), [Some(differs), None, Some(value), None]);
    }
}
