//! Code for expressions.
//!
//! A value of one bit is an 8-bit machine value (0 or 1); a wider one is as many 64-bit machine values as it has words,
//! bits above the width zero. Words are produced when they are asked for, each once per function: a slice of a
//! concatenation of registers costs only the loads and shifts of the words that are used.

use super::emit::Emitter;
use crate::{
    bigint::mask64,
    passes::ir::{NodeId, Op},
};
use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types};
use hdl::*;

impl Emitter<'_, '_> {
    /// A one-bit expression as an 8-bit value.
    pub fn bit(&mut self, key: NodeId) -> Value {
        if let Some(&value) = self.bits.get(&key) {
            return value;
        }
        let value = match self.load_spilled(key, 0, types::I8) {
            Some(value) => value,
            None => self.compute_bit(key),
        };
        self.bits.insert(key, value);
        value
    }

    /// Word `index` of an expression.
    pub fn word(&mut self, key: NodeId, index: usize) -> Value {
        if let Some(&value) = self.words.get(&(key, index)) {
            return value;
        }
        let value = if self.width(key) == 1 {
            let bit = self.bit(key);
            self.ins().uextend(types::I64, bit)
        } else {
            match self.load_spilled(key, index, types::I64) {
                Some(value) => value,
                None => self.compute_word(key, index),
            }
        };
        self.words.insert((key, index), value);
        value
    }

    /// All words.
    pub fn all_words(&mut self, key: NodeId) -> Vec<Value> {
        (0..words_for(self.width(key))).map(|i| self.word(key, i)).collect()
    }

    fn compute_bit(&mut self, key: NodeId) -> Value {
        match self.op(key) {
            Op::Const(value) => self.ins().iconst(types::I8, i64::from(value.bit(0))),
            Op::Register(_) | Op::Stored(_) | Op::Result { .. } => self.load_leaf(key, 0, types::I8),
            Op::Mux { select, then, otherwise } => {
                let (select, then, otherwise) = (self.bit(*select), self.bit(*then), self.bit(*otherwise));
                self.ins().select(select, then, otherwise)
            }
            Op::Unary(op, a) => self.unary_bit(*op, *a),
            Op::Binary(op, a, b) => self.binary_bit(*op, *a, *b),
            Op::Concat(parts) => self.bit(parts[0]),
            Op::Slice { value, lo } => self.slice_bit(*value, *lo),
            Op::Memory { .. } | Op::SliceAt { .. } => {
                let word = self.compute_word(key, 0);
                self.ins().ireduce(types::I8, word)
            }
        }
    }

    fn slice_bit(&mut self, value: NodeId, lo: u32) -> Value {
        if self.width(value) == 1 {
            return self.bit(value);
        }
        let word = self.word(value, lo as usize / 64);
        let shifted = self.shift_right(word, lo % 64);
        let low = self.mask(shifted, 1);
        self.ins().ireduce(types::I8, low)
    }

    fn unary_bit(&mut self, op: UnaryOp, a: NodeId) -> Value {
        let width = self.width(a);
        if width == 1 {
            let a = self.bit(a);
            return if op == UnaryOp::Not { self.flip(a) } else { a };
        }
        let words = self.all_words(a);
        match op {
            UnaryOp::All => {
                // All ones: no word differs from its mask.
                let mut wrong = vec![];
                for (i, &word) in words.iter().enumerate() {
                    let ones = self.constant(mask64(width - 64 * i as u32));
                    wrong.push(self.ins().bxor(word, ones));
                }
                let wrong = self.or_all(&wrong);
                self.is_zero(wrong)
            }
            UnaryOp::Parity => {
                let folded = words[1..].iter().fold(words[0], |x, &w| self.ins().bxor(x, w));
                let count = self.ins().popcnt(folded);
                let low = self.mask(count, 1);
                self.ins().ireduce(types::I8, low)
            }
            _ => {
                let any = self.or_all(&words);
                let zero = self.constant(0);
                self.ins().icmp(IntCC::NotEqual, any, zero)
            }
        }
    }

    fn binary_bit(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> Value {
        let width = self.width(a);
        if width > 1 {
            return self.compare(op, a, b);
        }
        let x = self.bit(a);
        if let BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS = op {
            // By zero: the bit itself; else zero, or for the arithmetic shift the sign, which is the bit.
            if op == BinaryOp::ShrS {
                return x;
            }
            let amount = self.shift_amount(b);
            let none = self.is_zero(amount);
            return self.ins().band(x, none);
        }
        let y = self.bit(b);
        match op {
            BinaryOp::And | BinaryOp::Mul => self.ins().band(x, y),
            BinaryOp::Or => self.ins().bor(x, y),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub | BinaryOp::Ne => self.ins().bxor(x, y),
            BinaryOp::Eq => {
                let differs = self.ins().bxor(x, y);
                self.flip(differs)
            }
            BinaryOp::LtU => {
                let not = self.flip(x);
                self.ins().band(not, y)
            }
            // One bit, signed: -1 < 0.
            _ => {
                let not = self.flip(y);
                self.ins().band(x, not)
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> Value {
        let width = self.width(a);
        let (mut x, mut y) = (self.all_words(a), self.all_words(b));
        let top = x.len() - 1;
        if op == BinaryOp::LtS && !width.is_multiple_of(64) {
            // The sign to the top of the word.
            let up = 64 - width % 64;
            (x[top], y[top]) = (self.shift_left(x[top], up), self.shift_left(y[top], up));
        }
        match op {
            BinaryOp::Eq | BinaryOp::Ne if top == 0 => {
                let code = if op == BinaryOp::Eq { IntCC::Equal } else { IntCC::NotEqual };
                self.ins().icmp(code, x[0], y[0])
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let differences: Vec<_> = x.iter().zip(&y).map(|(&x, &y)| self.ins().bxor(x, y)).collect();
                let any = self.or_all(&differences);
                let equal = self.is_zero(any);
                if op == BinaryOp::Eq { equal } else { self.flip(equal) }
            }
            _ => {
                let mut less = None;
                for i in 0..=top {
                    let signed = op == BinaryOp::LtS && i == top;
                    let code = if signed { IntCC::SignedLessThan } else { IntCC::UnsignedLessThan };
                    let here = self.ins().icmp(code, x[i], y[i]);
                    less = Some(match less {
                        None => here,
                        Some(below) => {
                            let equal = self.ins().icmp(IntCC::Equal, x[i], y[i]);
                            let below = self.ins().band(equal, below);
                            self.ins().bor(here, below)
                        }
                    });
                }
                less.expect("a value has a word")
            }
        }
    }

    fn compute_word(&mut self, key: NodeId, index: usize) -> Value {
        let width = self.width(key);
        match self.op(key) {
            Op::Const(value) => self.constant(value.words()[index]),
            Op::Register(_) | Op::Stored(_) | Op::Result { .. } => self.load_leaf(key, index, types::I64),
            Op::Memory { .. } => self.memory_word(key, index),
            Op::Mux { select, then, otherwise } => {
                let (then, otherwise) = (self.word(*then, index), self.word(*otherwise, index));
                let select = self.bit(*select);
                self.ins().select(select, then, otherwise)
            }
            Op::Unary(op, a) => self.unary_word(*op, *a, width, index),
            Op::Binary(op, a, b) => self.binary_word(key, *op, *a, *b, index),
            Op::Concat(parts) => self.concat_word(parts, width, index),
            Op::Slice { value, lo } => self.piece(*value, lo + 64 * index as u32, width - 64 * index as u32),
            Op::SliceAt { value, offset } => {
                let (value, offset) = (*value, self.shift_amount(*offset));
                if self.width(value) <= 64 {
                    if index > 0 {
                        return self.constant(0);
                    }
                    let word = self.word(value, 0);
                    let shifted = self.shift_or_zero(word, offset, false);
                    return self.mask(shifted, width);
                }
                let words = words_for(self.width(value));
                let base = self.in_memory(value);
                self.at_offset(key, base, words, offset)[index]
            }
        }
    }

    fn unary_word(&mut self, op: UnaryOp, a: NodeId, width: u32, index: usize) -> Value {
        let from = self.width(a);
        let last = words_for(from) - 1;
        match op {
            UnaryOp::Not => {
                let word = self.word(a, index);
                let ones = self.constant(mask64(width - 64 * index as u32));
                self.ins().bxor(word, ones)
            }
            UnaryOp::SignExtend if index >= last => {
                let word = self.word(a, last);
                let up = (64 - from % 64) % 64;
                let raised = self.shift_left(word, up);
                let down = if index == last { up } else { 63 };
                let amount = self.constant(u64::from(down));
                let signed = self.ins().sshr(raised, amount);
                self.mask(signed, width - 64 * index as u32)
            }
            _ if index > last => self.constant(0),
            _ => self.word(a, index),
        }
    }

    fn binary_word(&mut self, key: NodeId, op: BinaryOp, a: NodeId, b: NodeId, index: usize) -> Value {
        let width = self.width(key);
        if width > 64 && !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            return self.wide(key, op, a, b)[index];
        }
        let x = self.word(a, index);
        if let BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS = op {
            let amount = self.shift_amount(b);
            return self.narrow_shift(op, x, amount, width);
        }
        let y = self.word(b, index);
        let result = match op {
            BinaryOp::And => return self.ins().band(x, y),
            BinaryOp::Or => return self.ins().bor(x, y),
            BinaryOp::Xor => return self.ins().bxor(x, y),
            BinaryOp::Add => self.ins().iadd(x, y),
            BinaryOp::Sub => self.ins().isub(x, y),
            _ => self.ins().imul(x, y),
        };
        self.mask(result, width)
    }

    fn narrow_shift(&mut self, op: BinaryOp, x: Value, amount: Amount, width: u32) -> Value {
        match op {
            BinaryOp::Shl => {
                let shifted = self.shift_or_zero(x, amount, true);
                self.mask(shifted, width)
            }
            BinaryOp::ShrU => self.shift_or_zero(x, amount, false),
            _ => {
                let up = 64 - width;
                let raised = self.shift_left(x, up);
                let down = self.constant(u64::from(up));
                let signed = self.ins().sshr(raised, down);
                let most = self.constant(63);
                let by = match amount {
                    Amount::Small(by) => by,
                    Amount::Large(by) => self.ins().umin(by, most),
                };
                let shifted = self.ins().sshr(signed, by);
                self.mask(shifted, width)
            }
        }
    }

    /// `x` shifted left or right (logically), zero when the amount is 64 or more.
    fn shift_or_zero(&mut self, x: Value, amount: Amount, left: bool) -> Value {
        let by = amount.value();
        let shifted = if left { self.ins().ishl(x, by) } else { self.ins().ushr(x, by) };
        match amount {
            Amount::Small(_) => shifted,
            Amount::Large(by) => {
                let (limit, zero) = (self.constant(64), self.constant(0));
                let inside = self.ins().icmp(IntCC::UnsignedLessThan, by, limit);
                self.ins().select(inside, shifted, zero)
            }
        }
    }

    /// An unsigned number of any width as one word; numbers of more than 64 bits saturate.
    pub fn shift_amount(&mut self, key: NodeId) -> Amount {
        let width = self.width(key);
        let words = self.all_words(key);
        if let Op::Const(value) = self.op(key)
            && value.words().iter().skip(1).all(|&w| w == 0)
            && value.to_u64() < 64
        {
            return Amount::Small(words[0]);
        }
        match words[..] {
            [one] if width <= 6 => Amount::Small(one),
            [one] => Amount::Large(one),
            [low, ..] => {
                let high = self.or_all(&words[1..]);
                let small = self.is_zero(high);
                let most = self.constant(u64::from(u32::MAX));
                Amount::Large(self.ins().select(small, low, most))
            }
            [] => unreachable!("a value has a word"),
        }
    }

    /// Up to 64 bits of a value from constant bit `lo` on; what is left of `width` says how many.
    fn piece(&mut self, value: NodeId, lo: u32, width: u32) -> Value {
        let (width, total) = (width.min(64), self.width(value));
        let (word, shift) = (lo as usize / 64, lo % 64);
        let first = self.word(value, word);
        let mut piece = self.shift_right(first, shift);
        if shift + width > 64 {
            let second = self.word(value, word + 1);
            let second = self.shift_left(second, 64 - shift);
            piece = self.ins().bor(piece, second);
        }
        // The end of the value has zeros above it already.
        if lo + width == total { piece } else { self.mask(piece, width) }
    }

    fn concat_word(&mut self, parts: &[NodeId], width: u32, index: usize) -> Value {
        let (from, to) = (64 * index as u32, (64 * index as u32 + 64).min(width));
        let mut pieces = vec![];
        let mut lo = 0;
        for &key in parts.iter().rev() {
            let hi = lo + self.width(key);
            let (start, end) = (lo.max(from), hi.min(to));
            if start < end && !matches!(self.op(key), Op::Const(value) if value.is_zero()) {
                let piece = self.piece(key, start - lo, end - start);
                pieces.push(self.shift_left(piece, start - from));
            }
            lo = hi;
        }
        if pieces.is_empty() { self.constant(0) } else { self.or_all(&pieces) }
    }

    // -- small helpers -------------------------------------------------------------------------------------------------

    pub fn constant(&mut self, value: u64) -> Value {
        self.ins().iconst(types::I64, value as i64)
    }

    /// The low `width` bits; nothing to do for 64 and more.
    pub fn mask(&mut self, value: Value, width: u32) -> Value {
        if width >= 64 {
            return value;
        }
        let ones = self.constant(mask64(width));
        self.ins().band(value, ones)
    }

    pub fn shift_left(&mut self, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.constant(u64::from(by));
        self.ins().ishl(value, by)
    }

    pub fn shift_right(&mut self, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.constant(u64::from(by));
        self.ins().ushr(value, by)
    }

    pub fn or_all(&mut self, values: &[Value]) -> Value {
        values[1..].iter().fold(values[0], |x, &w| self.ins().bor(x, w))
    }

    pub fn flip(&mut self, bit: Value) -> Value {
        let one = self.ins().iconst(types::I8, 1);
        self.ins().bxor(bit, one)
    }

    pub fn is_zero(&mut self, value: impl Into<Value>) -> Value {
        let zero = self.constant(0);
        self.ins().icmp(IntCC::Equal, value.into(), zero)
    }
}

/// A shift amount or bit offset.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    /// Below 64.
    Small(Value),
    /// Anything.
    Large(Value),
}

impl Amount {
    pub fn value(self) -> Value {
        match self {
            Amount::Small(value) | Amount::Large(value) => value,
        }
    }
}

impl From<Amount> for Value {
    fn from(amount: Amount) -> Value {
        amount.value()
    }
}
