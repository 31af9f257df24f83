//! Code for arithmetic, shifts and variable slices of more than 64 bits, and for memory reads.

use super::{emit::Emitter, values::Amount};
use crate::passes::ir::{NodeId, Op};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value, condcodes::IntCC, types};
use hdl::*;

impl Emitter<'_, '_> {
    /// All words of a wide arithmetic result; computed once.
    pub fn wide(&mut self, key: NodeId, op: BinaryOp, a: NodeId, b: NodeId) -> Vec<Value> {
        let width = self.width(key);
        let mut result = match op {
            BinaryOp::Add => self.add_wide(a, b),
            BinaryOp::Sub => self.sub_wide(a, b),
            BinaryOp::Mul => self.mul_wide(a, b),
            _ => self.shift_wide(key, op, a, b),
        };
        let last = result.len() - 1;
        result[last] = self.mask(result[last], width - 64 * last as u32);
        for (i, &word) in result.iter().enumerate() {
            self.words.insert((key, i), word);
        }
        result
    }

    fn add_wide(&mut self, a: NodeId, b: NodeId) -> Vec<Value> {
        let (a, b) = (self.all_words(a), self.all_words(b));
        let mut carry = self.constant(0);
        let mut out = vec![];
        for (x, y) in a.into_iter().zip(b) {
            let sum = self.ins().iadd(x, y);
            let total = self.ins().iadd(sum, carry);
            let first = self.ins().icmp(IntCC::UnsignedLessThan, sum, x);
            let second = self.ins().icmp(IntCC::UnsignedLessThan, total, sum);
            let either = self.ins().bor(first, second);
            carry = self.ins().uextend(types::I64, either);
            out.push(total);
        }
        out
    }

    fn sub_wide(&mut self, a: NodeId, b: NodeId) -> Vec<Value> {
        let (a, b) = (self.all_words(a), self.all_words(b));
        let mut borrow = self.constant(0);
        let mut out = vec![];
        for (x, y) in a.into_iter().zip(b) {
            let difference = self.ins().isub(x, y);
            let total = self.ins().isub(difference, borrow);
            let first = self.ins().icmp(IntCC::UnsignedLessThan, x, y);
            let second = self.ins().icmp(IntCC::UnsignedLessThan, difference, borrow);
            let either = self.ins().bor(first, second);
            borrow = self.ins().uextend(types::I64, either);
            out.push(total);
        }
        out
    }

    /// Row by row: `out += a[i] * b << 64 i`, as far as it fits.
    fn mul_wide(&mut self, a: NodeId, b: NodeId) -> Vec<Value> {
        let (a, b) = (self.all_words(a), self.all_words(b));
        let zero = self.constant(0);
        let mut out = vec![zero; a.len()];
        for (i, &x) in a.iter().enumerate() {
            let mut carry = zero;
            for (j, &y) in b[..a.len() - i].iter().enumerate() {
                let at = i + j;
                let (low, high) = (self.ins().imul(x, y), self.ins().umulhi(x, y));
                let sum = self.ins().iadd(out[at], low);
                let first = self.ins().icmp(IntCC::UnsignedLessThan, sum, low);
                let total = self.ins().iadd(sum, carry);
                let second = self.ins().icmp(IntCC::UnsignedLessThan, total, carry);
                let (first, second) = (self.ins().uextend(types::I64, first), self.ins().uextend(types::I64, second));
                // The high word is at most 2^64 - 2, and the row's total fits two words: no overflow.
                let high = self.ins().iadd(high, first);
                carry = self.ins().iadd(high, second);
                out[at] = total;
            }
        }
        out
    }

    /// A shift is a slice of the value between zeros (or copies of the sign), at an offset that depends on the amount.
    fn shift_wide(&mut self, key: NodeId, op: BinaryOp, a: NodeId, b: NodeId) -> Vec<Value> {
        let (width, words) = (self.width(key), self.all_words(a));
        let n = words.len();
        let by = self.shift_amount(b).value();
        let limit = self.constant(u64::from(width));
        let by = self.ins().umin(by, limit);
        let zero = self.constant(0);
        let (buffer, offset) = match op {
            BinaryOp::Shl => {
                let start = self.constant(64 * n as u64);
                ([vec![zero; n], words].concat(), self.ins().isub(start, by))
            }
            BinaryOp::ShrU => (words, by),
            _ => {
                let up = (64 - width % 64) % 64;
                let top = self.shift_left(words[n - 1], up);
                let (down, all) = (self.constant(u64::from(up)), self.constant(63));
                let top_word = self.ins().sshr(top, down);
                let sign = self.ins().sshr(top, all);
                let mut extended = words;
                extended[n - 1] = top_word;
                extended.extend(vec![sign; n]);
                (extended, by)
            }
        };
        let base = self.on_stack(&buffer);
        self.at_offset(key, base, buffer.len(), Amount::Large(offset))
    }

    /// The words of `key` as read from `words` words at `base`, from variable bit `offset` on; zeros above. Masked and
    /// kept.
    pub fn at_offset(&mut self, key: NodeId, base: Value, words: usize, offset: Amount) -> Vec<Value> {
        let width = self.width(key);
        let count = words_for(width);
        let offset = offset.value();
        let (six, low) = (self.constant(6), self.constant(63));
        let first = self.ins().ushr(offset, six);
        let shift = self.ins().band(offset, low);
        let rest = self.ins().bxor(shift, low); // 63 - shift
        let last = if width == 1 { count - 1 } else { count };
        let read: Vec<_> = (0..=last).map(|i| self.load_word(base, first, i, words)).collect();
        let one = self.constant(1);
        let mut out = vec![];
        for i in 0..count {
            let mut word = self.ins().ushr(read[i], shift);
            if let Some(&above) = read.get(i + 1) {
                // In two steps, as a shift by 64 is a shift by 0.
                let above = self.ins().ishl(above, one);
                let above = self.ins().ishl(above, rest);
                word = self.ins().bor(word, above);
            }
            let word = self.mask(word, width - 64 * i as u32);
            if width > 1 {
                self.words.insert((key, i), word);
            }
            out.push(word);
        }
        out
    }

    /// Word `first + i` of `words` words at `base`; zero behind the end.
    fn load_word(&mut self, base: Value, first: Value, i: usize, words: usize) -> Value {
        let step = self.constant(i as u64);
        let (end, zero) = (self.constant(words as u64), self.constant(0));
        let at = self.ins().iadd(first, step);
        let inside = self.ins().icmp(IntCC::UnsignedLessThan, at, end);
        let at = self.ins().select(inside, at, zero);
        let bytes = self.shift_left(at, 3);
        let address = self.ins().iadd(base, bytes);
        let word = self.ins().load(types::I64, MemFlagsData::trusted(), address, 0);
        self.ins().select(inside, word, zero)
    }

    /// An address where the words of a value stand.
    pub fn in_memory(&mut self, key: NodeId) -> Value {
        if let Some((base, offset)) = self.leaf_place(key) {
            return self.address(base, offset);
        }
        let words = self.all_words(key);
        self.on_stack(&words)
    }

    pub fn on_stack(&mut self, words: &[Value]) -> Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * words.len() as u32, 3);
        let slot = self.builder.create_sized_stack_slot(slot);
        let address = self.ins().stack_addr(types::I64, slot, 0);
        for (i, &word) in words.iter().enumerate() {
            self.ins().store(MemFlagsData::trusted(), word, address, 8 * i as i32);
        }
        address
    }

    /// Word `index` of the memory word that `key` reads.
    pub fn memory_word(&mut self, key: NodeId, index: usize) -> Value {
        let (base, inside) = self.memory_place(key);
        let word = self.ins().load(types::I64, MemFlagsData::trusted(), base, 8 * index as i32);
        match inside {
            None => word,
            Some(inside) => {
                let zero = self.constant(0);
                self.ins().select(inside, word, zero)
            }
        }
    }

    /// Address of the word, and whether there is one (`None`: always); without one the address is that of word zero.
    fn memory_place(&mut self, key: NodeId) -> (Value, Option<Value>) {
        if let Some(&found) = self.memory_places.get(&key) {
            return found;
        }
        let &Op::Memory { first, depth, address } = self.op(key) else {
            unreachable!("only memory reads are asked for their place")
        };
        let words = words_for(self.width(key));
        let width = self.width(address);
        let at = self.shift_amount(address).value();
        let always = width < 32 && depth as u64 >= 1 << width;
        let (at, inside) = if always {
            (at, None)
        } else {
            let (limit, zero) = (self.constant(depth as u64), self.constant(0));
            let inside = self.ins().icmp(IntCC::UnsignedLessThan, at, limit);
            (self.ins().select(inside, at, zero), Some(inside))
        };
        let size = self.constant(8 * words as u64);
        let bytes = if words == 1 { self.shift_left(at, 3) } else { self.ins().imul(at, size) };
        let start = self.constant(8 * u64::from(first));
        let storage = self.storage;
        let from = self.ins().iadd(storage, start);
        let base = self.ins().iadd(from, bytes);
        self.memory_places.insert(key, (base, inside));
        (base, inside)
    }
}
