//! Arithmetic on values of several limbs: sums, products, and shifts by a variable number of bits.

use super::{Lowering, VECTOR, frame, limbs, mask};
use crate::{
    passes::ir::NodeId,
    vector::program::{Base, Compare, Op as V, Place, Program, Value},
};
use hdl::BinaryOp;

/// Shifts of single limbs that take the time of one gathering of words: an estimate.
const MOVES: usize = 12;

/// Which way the bits of a value move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Up,
    Down,
}

/// Shifts of single limbs, where a value of `n` limbs moves down and `m` of them are needed.
fn moves(n: usize, m: usize) -> usize {
    (0..m.min(n)).map(|to| 2 * (n - to) - 1).sum()
}

impl Lowering<'_> {
    /// Sum or difference, limb by limb.
    pub(super) fn chained(&mut self, a: NodeId, b: NodeId, subtract: bool) -> Vec<Value> {
        // A carry is all ones, that is minus one.
        let (op, with_carry) = if subtract { (V::Sub, V::Add) } else { (V::Add, V::Sub) };
        // Where a limb wraps: below zero the result is larger than what was there, above the largest number smaller.
        let wraps = |program: &mut Program, before: Value, after: Value| {
            let [small, large] = if subtract { [before, after] } else { [after, before] };
            program.compare(Compare::LessUnsigned, small, large)
        };
        let (a, b) = (self.all(a), self.all(b));
        let mut carry: Option<Value> = None;
        let mut out = vec![];
        for (x, y) in a.into_iter().zip(b) {
            let alone = self.program.op(op, &[x, y]);
            let here = wraps(&mut self.program, x, alone);
            let Some(below) = carry else {
                carry = Some(here);
                out.push(alone);
                continue;
            };
            let total = self.program.op(with_carry, &[alone, below]);
            let again = wraps(&mut self.program, alone, total);
            carry = Some(self.program.or(here, again));
            out.push(total);
        }
        out
    }

    /// The upper half of a product.
    fn upper(&mut self, x: Value, y: Value) -> Value {
        let even = self.program.op(V::MulEven, &[x, y]);
        let even = self.program.op(V::RightPair(32), &[even]);
        let (x, y) = (self.program.op(V::RightPair(32), &[x]), self.program.op(V::RightPair(32), &[y]));
        let odd = self.program.op(V::MulEven, &[x, y]);
        let lanes = self.program.load(Base::Frame, frame::ODD);
        self.program.select(lanes, odd, even)
    }

    /// Row by row: `out += a[i] * b << 32 i`, as far as it fits.
    pub(super) fn product(&mut self, a: NodeId, b: NodeId) -> Vec<Value> {
        let (a, b) = (self.all(a), self.all(b));
        let zero = self.constant(0);
        let mut out = vec![zero; a.len()];
        for (i, &x) in a.iter().enumerate() {
            let mut carry = zero;
            for (j, &y) in b[..a.len() - i].iter().enumerate() {
                let at = i + j;
                let (low, high) = (self.program.op(V::Mul, &[x, y]), self.upper(x, y));
                let sum = self.program.op(V::Add, &[out[at], low]);
                let first = self.program.compare(Compare::LessUnsigned, sum, low);
                let total = self.program.op(V::Add, &[sum, carry]);
                let second = self.program.compare(Compare::LessUnsigned, total, carry);
                // The upper half is at most 2^32 - 2, and the row's total fits two limbs: no overflow.
                let high = self.program.op(V::Sub, &[high, first]);
                carry = self.program.op(V::Sub, &[high, second]);
                out[at] = total;
            }
        }
        out
    }

    /// A shift is a slice of the value between zeros (or copies of the sign), at an offset that depends on the amount.
    pub(super) fn wide_shift(&mut self, id: NodeId, op: BinaryOp, a: NodeId, b: NodeId) -> Vec<Value> {
        let (width, values) = (self.width(id), self.all(a));
        let n = values.len();
        let by = self.amount(b);
        if op == BinaryOp::Shl && moves(n, n) <= MOVES * n {
            return (0..n).map(|limb| self.moved(&values, by, Direction::Up, limb, true)).collect();
        }
        // No more than the width.
        let limit = self.constant(width);
        let inside = self.program.compare(Compare::LessUnsigned, by, limit);
        let by = self.program.select(inside, by, limit);
        let zero = self.constant(0);
        let (buffer, offset) = match op {
            BinaryOp::Shl => {
                let start = self.constant(32 * n as u32);
                ([vec![zero; n], values].concat(), self.program.op(V::Sub, &[start, by]))
            }
            BinaryOp::ShrU => (values, by),
            _ => {
                let up = (32 - width % 32) % 32;
                let top = self.program.left(values[n - 1], up);
                let mut extended = values;
                extended[n - 1] = self.program.arithmetic(top, up);
                let sign = self.program.arithmetic(top, 31);
                extended.extend(vec![sign; n]);
                (extended, by)
            }
        };
        self.at_offset(id, &buffer, None, offset)
    }

    /// Limb `to` of a value that moves by a variable number of bits, any number. Each limb of the value gives the part
    /// that stays on its side of a border between limbs, and with `both` the part that crosses it. Counts of 32 and
    /// more, and those below zero (large as unsigned numbers), give zero.
    fn moved(&mut self, values: &[Value], by: Value, direction: Direction, to: usize, both: bool) -> Value {
        let mut parts = vec![];
        for (from, &value) in values.iter().enumerate() {
            let (distance, along, against) = match direction {
                Direction::Up => (to.checked_sub(from), V::LeftBy, V::RightBy),
                Direction::Down => (from.checked_sub(to), V::RightBy, V::LeftBy),
            };
            let Some(distance) = distance.filter(|_| self.program.as_constant(value) != Some(0)) else { continue };
            if distance == 0 {
                parts.push(self.program.op(along, &[value, by]));
                continue;
            }
            let bits = self.constant(32 * distance as u32);
            let beyond = self.program.op(V::Sub, &[by, bits]);
            parts.push(self.program.op(along, &[value, beyond]));
            // The lowest bit does not come apart when it moves up.
            if both && (direction == Direction::Down || self.program.as_constant(value) != Some(1)) {
                let short = self.program.op(V::Sub, &[bits, by]);
                parts.push(self.program.op(against, &[value, short]));
            }
        }
        self.program.any(&parts)
    }

    /// The limbs of `id` as read from `values` (which stand at `place` already, if that is given) from variable bit
    /// `offset` on; zeros above. Masked.
    pub(super) fn at_offset(
        &mut self,
        id: NodeId,
        values: &[Value],
        place: Option<(Base, i32)>,
        offset: Value,
    ) -> Vec<Value> {
        let (width, n) = (self.width(id), values.len());
        let (made, gathered) = if width == 1 { (n, 1) } else { (moves(n, limbs(width)), n.min(limbs(width) + 1)) };
        if made <= MOVES * gathered {
            let mut out = vec![];
            for limb in 0..limbs(width) {
                let value = self.moved(values, offset, Direction::Down, limb, width > 1);
                let value = self.program.low(value, mask(width, limb));
                if width > 1 {
                    self.values.insert((id, limb), value);
                }
                out.push(value);
            }
            return out;
        }
        let (base, start) = place.unwrap_or_else(|| {
            let start = self.program.buffer(n);
            for (i, &value) in values.iter().enumerate() {
                self.program.store(value, Base::Stack, start + i as i32 * VECTOR);
            }
            (Base::Stack, start)
        });
        let first = self.program.right(offset, 5);
        let shift = self.program.low(offset, 31);
        let most = self.constant(32);
        let back = self.program.op(V::Sub, &[most, shift]);
        // A vector has sixteen words, and each lane its own.
        let lane = self.program.load(Base::Frame, frame::NUMBERS);
        let above = self.program.left(first, 4);
        let index = self.program.or(above, lane);
        let last = if width == 1 { 0 } else { limbs(width) };
        let mut read = vec![];
        for i in 0..=last {
            let inside = match n as u32 {
                n if n > i as u32 => {
                    let end = self.constant(n - i as u32);
                    self.program.compare(Compare::LessUnsigned, first, end)
                }
                _ => self.constant(0),
            };
            let from = Place { base, offset: start + i as i32 * VECTOR };
            read.push(match self.program.as_constant(inside) {
                Some(_) => self.constant(0),
                None => self.program.op(V::Gather { place: from, scale: 4 }, &[index, inside]),
            });
        }
        let mut out = vec![];
        for i in 0..limbs(width) {
            let mut value = self.program.op(V::RightBy, &[read[i], shift]);
            if let Some(&above) = read.get(i + 1) {
                // By 32: zero.
                let above = self.program.op(V::LeftBy, &[above, back]);
                value = self.program.or(value, above);
            }
            let value = self.program.low(value, mask(width, i));
            if width > 1 {
                self.values.insert((id, i), value);
            }
            out.push(value);
        }
        out
    }
}
