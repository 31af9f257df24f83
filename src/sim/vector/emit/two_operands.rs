//! A program in operations of two operands, for instructions that know no others: logic is AND, OR, XOR and `!a & b`,
//! comparisons are of equality and of signed numbers, what selects by a mask blends, and nothing rotates.

use crate::vector::program::{Compare, Op, Program, Step, Table, Value, ValueOrigin};
use rustc_hash::FxHashMap;

/// The same program. Logic is not [joined](Program::join) yet.
pub(super) fn two_operands(program: &Program) -> Program {
    let (values, inverses, inverted) = Default::default();
    let mut legal = Legal { from: program, to: Program::default(), values, inverses, inverted };
    legal.to.slots = program.slots;
    for step in &program.steps {
        legal.step(step);
    }
    legal.to.drop_unused();
    legal.to
}

struct Legal<'a> {
    from: &'a Program,
    to: Program,
    values: FxHashMap<Value, Value>,
    /// Per value its inverse, and per inverse its value, as far as they were made.
    inverses: FxHashMap<Value, Value>,
    inverted: FxHashMap<Value, Value>,
}

impl Legal<'_> {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Compute { to, op, inputs } => {
                let inputs: Vec<Value> = inputs.iter().map(|&input| self.value(input)).collect();
                let value = self.operation(*op, &inputs);
                if self.from.is_mask(*to) {
                    self.to.mark_mask(value);
                }
                self.values.insert(*to, value);
            }
            Step::Store { value, place } => {
                let value = self.value(*value);
                self.to.store(value, place.base, place.offset);
            }
            Step::Flags { value, place } => {
                let value = self.value(*value);
                self.to.steps.push(Step::Flags { value, place: *place });
            }
            Step::Call(call) => {
                let mut call = call.clone();
                call.needed = call.needed.map(|needed| self.value(needed));
                self.to.steps.push(Step::Call(call));
            }
            Step::Activity { value, others, to } => {
                let value = self.value(*value);
                self.to.steps.push(Step::Activity { value, others: others.clone(), to: to.clone() });
            }
        }
    }

    /// What stands for a value. One in memory is made where it is used first, before the place is overwritten.
    fn value(&mut self, value: Value) -> Value {
        if let Some(&known) = self.values.get(&value) {
            return known;
        }
        let made = match self.from.origins[value.index()] {
            ValueOrigin::Const(constant) => self.to.constant(constant),
            ValueOrigin::Memory(place) => self.to.load(place.base, place.offset),
            ValueOrigin::Step => unreachable!("steps come before those that use them"),
        };
        if self.from.is_mask(value) {
            self.to.mark_mask(made);
        }
        self.values.insert(value, made);
        made
    }

    fn operation(&mut self, op: Op, inputs: &[Value]) -> Value {
        match (op, inputs) {
            (Op::Logic(table), _) => self.logic(table, inputs),
            (Op::Rotate(by), &[a]) => {
                let (left, right) = (self.to.left(a, by.into()), self.to.right(a, 32 - u32::from(by)));
                self.to.or(left, right)
            }
            (Op::Compare(Compare::LessUnsigned), &[a, b]) => {
                let most = self.to.op(Op::MaxUnsigned, &[a, b]);
                let not_less = self.to.compare(Compare::Equal, most, a);
                self.invert(not_less)
            }
            (Op::Compare(Compare::NotZero), &[a, b]) => {
                let both = self.to.and(a, b);
                match [a, b].into_iter().find(|&v| self.to.as_constant(v).is_some_and(u32::is_power_of_two)) {
                    Some(bit) => self.to.compare(Compare::Equal, both, bit),
                    None => {
                        let zero = self.to.is_zero(both);
                        self.invert(zero)
                    }
                }
            }
            _ => self.to.op(op, inputs),
        }
    }

    fn invert(&mut self, a: Value) -> Value {
        if let Some(&known) = self.inverted.get(&a).or_else(|| self.inverses.get(&a)) {
            return known;
        }
        let ones = self.to.constant(u32::MAX);
        let inverse = self.to.xor(a, ones);
        self.inverses.insert(a, inverse);
        self.inverted.insert(inverse, a);
        inverse
    }

    fn logic(&mut self, table: u8, inputs: &[Value]) -> Value {
        match *inputs {
            [a] => match table & 0b11 {
                0b00 => self.to.constant(0),
                0b01 => self.invert(a),
                0b10 => a,
                _ => self.to.constant(u32::MAX),
            },
            [a, b] => self.logic_of_two(table & 0xf, a, b),
            [a, b, c] => {
                // By the operand without which, and with which, least is left to do.
                let left = |split: usize| [false, true].map(|set| with_operand(table, split, set));
                let split = (0..3).min_by_key(|&split| left(split).map(operations).iter().sum::<u32>()).unwrap_or(0);
                let [without, with] = left(split);
                let (select, a, b) = [(a, b, c), (b, a, c), (c, a, b)][split];
                if self.to.is_mask(select)
                    && let (Some(without), Some(with)) = (one_of(without, a, b), one_of(with, a, b))
                {
                    return self.to.op(Op::Blend, &[without, with, select]);
                }
                let (without, with) = (self.logic_of_two(without, a, b), self.logic_of_two(with, a, b));
                let (with, without) = (self.and(select, with), self.without(select, without));
                self.to.or(with, without)
            }
            _ => unreachable!("logic has one to three operands"),
        }
    }

    /// Bit `a + 2 b` of the table.
    fn logic_of_two(&mut self, table: u8, a: Value, b: Value) -> Value {
        match table {
            0b0000 => self.to.constant(0),
            0b1111 => self.to.constant(u32::MAX),
            0b1010 => a,
            0b1100 => b,
            0b1000 => self.and(a, b),
            0b1110 => self.to.or(a, b),
            0b0110 => self.to.xor(a, b),
            0b0100 => self.without(a, b),
            0b0010 => self.without(b, a),
            _ => {
                let inverse = self.logic_of_two(!table & 0xf, a, b);
                self.invert(inverse)
            }
        }
    }

    /// Of an inverted operand what is inverted is taken.
    fn and(&mut self, a: Value, b: Value) -> Value {
        match (self.inverted(a), self.inverted(b)) {
            (Some(a), _) => self.without(a, b),
            (_, Some(b)) => self.without(b, a),
            _ => self.to.and(a, b),
        }
    }

    /// `!a & b`.
    fn without(&mut self, a: Value, b: Value) -> Value {
        if let Some(a) = self.inverted(a) {
            return self.to.and(a, b);
        }
        match (self.to.as_constant(a), self.to.as_constant(b)) {
            (Some(0), _) | (_, Some(0)) => b,
            (Some(u32::MAX), _) => self.to.constant(0),
            (_, Some(u32::MAX)) => self.invert(a),
            _ if a == b => self.to.constant(0),
            _ => self.to.op(Op::Logic(Table::NotAnd as u8), &[a, b]),
        }
    }

    /// The value of which this is the inverse, if it was made so.
    fn inverted(&self, a: Value) -> Option<Value> {
        self.inverted.get(&a).copied()
    }
}

/// The table of the two other operands where this one is set, or is not.
fn with_operand(table: u8, operand: usize, set: bool) -> u8 {
    let row = |others: usize| {
        let low = others & ((1 << operand) - 1);
        (others - low) << 1 | usize::from(set) << operand | low
    };
    (0..4).fold(0, |all, others| all | (table >> row(others) & 1) << others)
}

/// The operand that the table of two is.
fn one_of(table: u8, a: Value, b: Value) -> Option<Value> {
    match table {
        0b1010 => Some(a),
        0b1100 => Some(b),
        _ => None,
    }
}

/// Operations of a table of two operands.
fn operations(table: u8) -> u32 {
    match table {
        0b0000 | 0b1111 | 0b1010 | 0b1100 => 0,
        0b1000 | 0b1110 | 0b0110 | 0b0100 | 0b0010 => 1,
        _ => 2,
    }
}
