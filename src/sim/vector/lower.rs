//! From the body of a phase to a program of vectors.
//!
//! A value of the hardware is one vector for each 32 bits, *limbs*, the low one first; bits above the width are zero. A
//! value of one bit is all ones or zero in its lane: so it selects, and is logic, without conversion. A word of 64 bits
//! of the common layout becomes two vectors one after the other, those of all lanes in one cache line each.

mod wide;

use super::program::{Activity, Base, Call, Compare, Op as V, Program, Step as VectorStep, Value};
use crate::{
    layout::{Bases, Layout},
    passes::{
        body::{Body, Prepared, Step},
        ir::{self, CallKind, Effect, NodeId, Op},
    },
    plan::Plan,
};
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;

/// Bytes that a word of the common layout takes here.
pub(super) const WORD: i32 = 128;
/// Bytes of a vector.
pub(super) const VECTOR: i32 = 64;

/// Vectors that a value of this width takes.
pub(super) fn limbs(width: u32) -> usize {
    width.div_ceil(32) as usize
}

/// The bits of a limb that belong to a value; those of one bit are all ones.
pub(super) fn mask(width: u32, limb: usize) -> u32 {
    match width.saturating_sub(32 * limb as u32) {
        0 => 0,
        left if left < 32 => (1 << left) - 1,
        _ => u32::MAX,
    }
}

/// What a function finds in the frame of its group; bytes.
pub(super) mod frame {
    /// Per lane: words from the first tile's storage to the lane's.
    pub const LANES: i32 = 0;
    /// Ones in lanes that exist.
    pub const VALID: i32 = 64;
    /// Ones in lanes in which an assertion has failed.
    pub const FAILED: i32 = 128;
    /// Ones in odd lanes.
    pub const ODD: i32 = 192;
    /// The number of each lane.
    pub const NUMBERS: i32 = 256;
    /// How many clock edges count, in each lane.
    pub const EDGES: i32 = 320;
    /// Address at which code tells its module, for profiles.
    pub const PROFILED_MODULE: i32 = 384;
    /// A bit for each lane that exists.
    pub const LANE_BITS: i32 = 392;
    /// Addresses of functions: early and late of each module, then what there is to say of intrinsics.
    pub const TABLE: i32 = 400;
}

/// What programs are made from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub plans: &'a [Plan],
    pub prepared: &'a [Prepared],
    pub module: usize,
    /// Instances that are idle are skipped.
    pub skips_idle: bool,
}

impl Context<'_> {
    /// Position in the table.
    pub fn function(module: usize, late: bool) -> usize {
        2 * module + usize::from(late)
    }

    /// Likewise, of what there is to say of an intrinsic.
    pub fn intrinsic(design: &Design, module: usize) -> usize {
        2 * design.modules.len() + module
    }
}

/// Where the activity of an instance's phase is, relative to its storage; bytes. A bit for each lane in which the phase
/// must be evaluated: the late one where an input has changed, or where its last evaluation has changed a register or
/// written to a memory, its own or that of an instance inside; the early one where a register or a memory has changed
/// since it was called.
pub(super) fn activity_at(layout: &Layout, late: bool) -> i32 {
    bytes(layout.activity) + if late { 0 } else { 4 }
}

/// Makes the program of a body; `late`: it is that of the late phase.
pub(super) fn lower(context: Context, body: &Body, late: bool) -> Program {
    let mut program = Program::default();
    let active = program.constant(0);
    let mut lowering =
        Lowering { context, body, program, values: FxHashMap::default(), gathers: FxHashMap::default(), active };
    let mut failed = vec![];
    for step in body.chunks.iter().flatten() {
        match step {
            &Step::Node(id) => (0..limbs(lowering.width(id))).for_each(|limb| _ = lowering.limb(id, limb)),
            &Step::Call(call) => lowering.call(&body.function.calls[call]),
            &Step::Effect(effect) => lowering.effect(&body.function.effects[effect], &mut failed),
            Step::Input(..) | Step::When(_) => unreachable!("there are no gates and no branches"),
        }
    }
    let program = &mut lowering.program;
    if !failed.is_empty() {
        let before = program.load(Base::Frame, frame::FAILED);
        failed.push(before);
        let any = program.any(&failed);
        program.store(any, Base::Frame, frame::FAILED);
        // An assertion that fails is evaluated again until it holds.
        lowering.active = program.or(lowering.active, any);
    }
    if late && context.skips_idle {
        lowering.record_activity();
    }
    lowering.program.drop_unused();
    lowering.program
}

struct Lowering<'a> {
    context: Context<'a>,
    body: &'a Body,
    program: Program,
    values: FxHashMap<(NodeId, usize), Value>,
    /// Per memory read: index, and where there is a word.
    gathers: FxHashMap<NodeId, (Value, Option<Value>)>,
    /// Not zero in lanes in which a register changes, a memory is written or an assertion fails.
    active: Value,
}

/// A word offset of the common layout in bytes here; groups are refused where it would not fit.
pub(super) fn bytes(words: u32) -> i32 {
    words as i32 * WORD
}

impl<'a> Lowering<'a> {
    fn op(&self, id: NodeId) -> &'a Op {
        self.body.function.graph.op(id)
    }

    fn width(&self, id: NodeId) -> u32 {
        self.body.function.graph.width(id)
    }

    fn constant(&mut self, value: u32) -> Value {
        self.program.constant(value)
    }

    /// A vector of a value; zero above it.
    fn limb(&mut self, id: NodeId, limb: usize) -> Value {
        if limb >= limbs(self.width(id)) {
            return self.constant(0);
        }
        if let Some(&value) = self.values.get(&(id, limb)) {
            return value;
        }
        let value = if self.width(id) > 1 {
            self.compute(id, limb)
        } else {
            let bit = self.bit(id);
            self.program.mark_mask(bit);
            bit
        };
        self.values.insert((id, limb), value);
        value
    }

    fn all(&mut self, id: NodeId) -> Vec<Value> {
        (0..limbs(self.width(id))).map(|limb| self.limb(id, limb)).collect()
    }

    /// As a number: one bit is zero or one.
    fn number(&mut self, id: NodeId, limb: usize) -> Value {
        let value = self.limb(id, limb);
        if self.width(id) == 1 { self.program.low(value, 1) } else { value }
    }

    fn leaf_place(&self, id: NodeId) -> Option<(Base, i32)> {
        match *self.op(id) {
            Op::Register(offset) => Some((Base::Registers, bytes(offset))),
            Op::Stored(offset) | Op::Result { offset, .. } => Some((Base::Storage, bytes(offset))),
            _ => None,
        }
    }

    fn leaf(&mut self, id: NodeId, limb: usize) -> Value {
        let (base, offset) = self.leaf_place(id).expect("the caller has a leaf");
        self.program.load(base, offset + limb as i32 * VECTOR)
    }

    // -- one bit -------------------------------------------------------------------------------------------------------

    fn bit(&mut self, id: NodeId) -> Value {
        match self.op(id) {
            Op::Const(value) => self.constant(if value.bit(0) { u32::MAX } else { 0 }),
            Op::Register(_) | Op::Stored(_) | Op::Result { .. } => self.leaf(id, 0),
            Op::Mux { select, then, otherwise } => self.mux(*select, *then, *otherwise, 0),
            Op::Unary(op, a) => self.unary_bit(*op, *a),
            Op::Binary(op, a, b) => self.binary_bit(*op, *a, *b),
            Op::Concat(parts) => self.limb(parts[0], 0),
            Op::Slice { value, lo } => self.bit_of(*value, *lo),
            Op::Memory { .. } | Op::SliceAt { .. } => {
                let word = self.compute(id, 0);
                self.test(word, 1)
            }
        }
    }

    /// All ones where some of these bits are set.
    fn test(&mut self, value: Value, bits: u32) -> Value {
        let bits = self.constant(bits);
        match self.program.as_constant(value) {
            Some(value) => {
                let set = value & self.program.as_constant(bits).expect("it is one") != 0;
                self.constant(if set { u32::MAX } else { 0 })
            }
            None => self.program.compare(Compare::NotZero, value, bits),
        }
    }

    /// A constant bit of a value.
    fn bit_of(&mut self, value: NodeId, lo: u32) -> Value {
        let limb = self.limb(value, lo as usize / 32);
        if self.width(value) == 1 { limb } else { self.test(limb, 1 << (lo % 32)) }
    }

    fn unary_bit(&mut self, op: UnaryOp, a: NodeId) -> Value {
        let width = self.width(a);
        if width == 1 {
            let a = self.limb(a, 0);
            return if op == UnaryOp::Not { self.program.not(a) } else { a };
        }
        let values = self.all(a);
        match op {
            UnaryOp::All => {
                let mut wrong = vec![];
                for (i, &value) in values.iter().enumerate() {
                    let ones = self.constant(mask(width, i));
                    wrong.push(self.program.xor(value, ones));
                }
                let wrong = self.program.any(&wrong);
                self.program.is_zero(wrong)
            }
            UnaryOp::Parity => {
                let mut folded = values[1..].iter().fold(values[0], |x, &value| self.program.xor(x, value));
                for by in [16, 8, 4, 2, 1] {
                    let shifted = self.program.right(folded, by);
                    folded = self.program.xor(folded, shifted);
                }
                self.test(folded, 1)
            }
            _ => {
                let any = self.program.any(&values);
                self.test(any, u32::MAX)
            }
        }
    }

    fn binary_bit(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> Value {
        if self.width(a) > 1 {
            return self.compare(op, a, b);
        }
        let x = self.limb(a, 0);
        if let BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS = op {
            // By zero: the bit itself; else zero, or for the arithmetic shift the sign, which is the bit.
            if op == BinaryOp::ShrS {
                return x;
            }
            let amount = self.all(b);
            let some = self.program.any(&amount);
            let none = self.program.is_zero(some);
            return self.program.and(x, none);
        }
        let y = self.limb(b, 0);
        match op {
            BinaryOp::And | BinaryOp::Mul => self.program.and(x, y),
            BinaryOp::Or => self.program.or(x, y),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub | BinaryOp::Ne => self.program.xor(x, y),
            BinaryOp::Eq => {
                let differs = self.program.xor(x, y);
                self.program.not(differs)
            }
            BinaryOp::LtU => self.program.and_not(y, x),
            // One bit, signed: -1 < 0.
            _ => self.program.and_not(x, y),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> Value {
        let width = self.width(a);
        let (mut x, mut y) = (self.all(a), self.all(b));
        let top = x.len() - 1;
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            let equal = if top == 0 {
                self.program.compare(Compare::Equal, x[0], y[0])
            } else {
                let differences: Vec<_> = x.iter().zip(&y).map(|(&x, &y)| self.program.xor(x, y)).collect();
                let any = self.program.any(&differences);
                self.program.is_zero(any)
            };
            return if op == BinaryOp::Eq { equal } else { self.program.not(equal) };
        }
        if op == BinaryOp::LtS && !width.is_multiple_of(32) {
            // The sign to the top of the limb.
            let up = 32 - width % 32;
            (x[top], y[top]) = (self.program.left(x[top], up), self.program.left(y[top], up));
        }
        let mut less = None;
        for i in 0..=top {
            let signed = op == BinaryOp::LtS && i == top;
            let how = if signed { Compare::LessSigned } else { Compare::LessUnsigned };
            let here = self.program.compare(how, x[i], y[i]);
            less = Some(match less {
                None => here,
                Some(below) => {
                    let equal = self.program.compare(Compare::Equal, x[i], y[i]);
                    let below = self.program.and(equal, below);
                    self.program.or(here, below)
                }
            });
        }
        less.expect("a value has a limb")
    }

    // -- wider ---------------------------------------------------------------------------------------------------------

    fn mux(&mut self, select: NodeId, then: NodeId, otherwise: NodeId, limb: usize) -> Value {
        let (then, otherwise) = (self.limb(then, limb), self.limb(otherwise, limb));
        let select = self.limb(select, 0);
        self.program.select(select, then, otherwise)
    }

    fn compute(&mut self, id: NodeId, limb: usize) -> Value {
        let width = self.width(id);
        match self.op(id) {
            Op::Const(value) => {
                let word = value.words()[limb / 2];
                self.constant((word >> (32 * (limb % 2))) as u32)
            }
            Op::Register(_) | Op::Stored(_) | Op::Result { .. } => self.leaf(id, limb),
            Op::Memory { first, .. } => self.memory(id, *first, limb),
            Op::Mux { select, then, otherwise } => self.mux(*select, *then, *otherwise, limb),
            Op::Unary(op, a) => self.unary(*op, *a, width, limb),
            Op::Binary(op, a, b) => self.binary(id, *op, *a, *b, limb),
            Op::Concat(parts) => self.concat(parts, width, limb),
            Op::Slice { value, lo } => self.piece(*value, lo + 32 * limb as u32, width - 32 * limb as u32),
            Op::SliceAt { value, offset } => {
                let offset = self.amount(*offset);
                if limbs(self.width(*value)) == 1 {
                    let value = self.number(*value, 0);
                    if limb > 0 {
                        return self.constant(0);
                    }
                    let shifted = self.program.op(V::RightBy, &[value, offset]);
                    return self.program.low(shifted, mask(width, 0));
                }
                let values = self.all(*value);
                let place = self.leaf_place(*value);
                self.at_offset(id, &values, place, offset)[limb]
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: NodeId, width: u32, limb: usize) -> Value {
        let from = self.width(a);
        let last = limbs(from) - 1;
        match op {
            UnaryOp::Not => {
                let value = self.limb(a, limb);
                let ones = self.constant(mask(width, limb));
                self.program.xor(value, ones)
            }
            UnaryOp::SignExtend if from == 1 => {
                let bit = self.limb(a, 0);
                self.program.low(bit, mask(width, limb))
            }
            UnaryOp::SignExtend if limb >= last => {
                let value = self.limb(a, last);
                let up = (32 - from % 32) % 32;
                let raised = self.program.left(value, up);
                let signed = self.program.arithmetic(raised, if limb == last { up } else { 31 });
                self.program.low(signed, mask(width, limb))
            }
            _ => self.number(a, limb),
        }
    }

    fn binary(&mut self, id: NodeId, op: BinaryOp, a: NodeId, b: NodeId, limb: usize) -> Value {
        let width = self.width(id);
        if let BinaryOp::And | BinaryOp::Or | BinaryOp::Xor = op {
            let (x, y) = (self.limb(a, limb), self.limb(b, limb));
            return match op {
                BinaryOp::And => self.program.and(x, y),
                BinaryOp::Or => self.program.or(x, y),
                _ => self.program.xor(x, y),
            };
        }
        if width > 32 {
            let all = match op {
                BinaryOp::Add | BinaryOp::Sub => self.chained(a, b, op == BinaryOp::Sub),
                BinaryOp::Mul => self.product(a, b),
                _ => self.wide_shift(id, op, a, b),
            };
            for (i, value) in all.iter().enumerate() {
                let value = self.program.low(*value, mask(width, i));
                self.values.insert((id, i), value);
            }
            return self.values[&(id, limb)];
        }
        let x = self.limb(a, 0);
        let result = match op {
            BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS => {
                let by = self.amount(b);
                match op {
                    BinaryOp::Shl => self.program.op(V::LeftBy, &[x, by]),
                    BinaryOp::ShrU => return self.program.op(V::RightBy, &[x, by]),
                    _ => {
                        let raised = self.program.left(x, 32 - width);
                        let signed = self.program.arithmetic(raised, 32 - width);
                        self.program.op(V::ArithmeticBy, &[signed, by])
                    }
                }
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let y = self.limb(b, 0);
                let op = match op {
                    BinaryOp::Add => V::Add,
                    BinaryOp::Sub => V::Sub,
                    _ => V::Mul,
                };
                self.program.op(op, &[x, y])
            }
            _ => unreachable!("comparisons have one bit"),
        };
        self.program.low(result, mask(width, 0))
    }

    /// An unsigned number of any width as one limb; larger ones saturate.
    fn amount(&mut self, id: NodeId) -> Value {
        let low = self.number(id, 0);
        let high = self.all(id);
        if high.len() == 1 {
            return low;
        }
        let high = self.program.any(&high[1..]);
        let large = self.test(high, u32::MAX);
        self.program.or(low, large)
    }

    /// Up to 32 bits of a value from constant bit `lo` on; what is left of `width` says how many.
    fn piece(&mut self, value: NodeId, lo: u32, width: u32) -> Value {
        let (width, total) = (width.min(32), self.width(value));
        if total == 1 {
            return self.number(value, 0);
        }
        let (limb, shift) = (lo as usize / 32, lo % 32);
        let first = self.limb(value, limb);
        let mut piece = self.program.right(first, shift);
        if shift + width > 32 {
            let second = self.limb(value, limb + 1);
            let second = self.program.left(second, 32 - shift);
            piece = self.program.or(piece, second);
        }
        // The end of the value has zeros above it already.
        if lo + width == total { piece } else { self.program.low(piece, mask(width, 0)) }
    }

    fn concat(&mut self, parts: &[NodeId], width: u32, limb: usize) -> Value {
        let (from, to) = (32 * limb as u32, (32 * limb as u32 + 32).min(width));
        let mut pieces = vec![];
        let mut lo = 0;
        for &part in parts.iter().rev() {
            let hi = lo + self.width(part);
            let (start, end) = (lo.max(from), hi.min(to));
            if start < end && !matches!(self.op(part), Op::Const(value) if value.is_zero()) {
                pieces.push(self.placed(part, start - lo, end - start, start - from));
            }
            lo = hi;
        }
        self.program.any(&pieces)
    }

    /// Bits of a part, moved to their place in a limb: turned there, and cut out.
    fn placed(&mut self, part: NodeId, lo: u32, width: u32, at: u32) -> Value {
        let total = self.width(part);
        let place = mask(width, 0) << at;
        if total == 1 {
            let bit = self.limb(part, 0);
            return self.program.low(bit, place);
        }
        let (limb, shift) = (lo as usize / 32, lo % 32);
        if shift + width > 32 || lo == 0 && width == total {
            let piece = self.piece(part, lo, width);
            return self.program.left(piece, at);
        }
        let value = self.limb(part, limb);
        let turned = self.program.rotate(value, (32 + at - shift) % 32);
        self.program.low(turned, place)
    }

    fn memory(&mut self, id: NodeId, first: u32, limb: usize) -> Value {
        let (index, inside) = self.memory_index(id);
        let place = super::program::Place { base: Base::Memory, offset: first as i32 * 8 + limb as i32 * 4 };
        let inputs: Vec<Value> = std::iter::once(index).chain(inside).collect();
        self.program.op(V::Gather { place, scale: 8 }, &inputs)
    }

    /// Index of the word read, from the first tile's memory on, and where there is one (`None`: everywhere).
    fn memory_index(&mut self, id: NodeId) -> (Value, Option<Value>) {
        if let Some(&found) = self.gathers.get(&id) {
            return found;
        }
        let &Op::Memory { depth, address, .. } = self.op(id) else {
            unreachable!("only memory reads are asked for their place")
        };
        let (words, width) = (words_for(self.width(id)) as u32, self.width(address));
        let at = self.amount(address);
        let inside = if width < 32 && depth as u64 >= 1 << width {
            None
        } else {
            let end = self.constant(u32::try_from(depth).unwrap_or(u32::MAX));
            Some(self.program.compare(Compare::LessUnsigned, at, end))
        };
        let at = if words.is_power_of_two() {
            self.program.left(at, words.trailing_zeros())
        } else {
            let words = self.constant(words);
            self.program.op(V::Mul, &[at, words])
        };
        let lane = self.program.load(Base::Frame, frame::LANES);
        let index = self.program.op(V::Add, &[at, lane]);
        self.gathers.insert(id, (index, inside));
        (index, inside)
    }

    // -- effects -------------------------------------------------------------------------------------------------------

    fn store(&mut self, base: Base, offset: u32, id: NodeId) {
        for (limb, value) in self.all(id).into_iter().enumerate() {
            self.program.store(value, base, bytes(offset) + limb as i32 * VECTOR);
        }
    }

    /// `before`, and where a value differs from what is in memory there: not zero.
    fn or_difference(&mut self, before: Value, base: Base, offset: u32, id: NodeId) -> Value {
        self.all(id).into_iter().enumerate().fold(before, |before, (limb, value)| {
            self.program.or_difference(before, value, base, bytes(offset) + limb as i32 * VECTOR)
        })
    }

    /// Records where the instance is active: itself, or an instance inside.
    fn record_activity(&mut self) {
        let Context { layouts, prepared, module, .. } = self.context;
        let bodies = [&prepared[module].early, &prepared[module].late].into_iter().flatten();
        let calls = bodies.flat_map(|body| {
            let (_, made) = body.function.live();
            body.function.calls.iter().zip(made).filter_map(|(call, made)| made.then_some(call))
        });
        let inside =
            calls.filter(|call| call.kind == CallKind::Late && !call.pure && prepared[call.module].late.is_some());
        let others = inside.map(|call| bytes(call.bases.storage) + activity_at(&layouts[call.module], true)).collect();
        let [late, early] = [true, false].map(|late| activity_at(&layouts[module], late));
        let to = vec![(late, false), (early, true)];
        self.program.steps.push(VectorStep::Activity { value: self.active, others, to });
    }

    fn layout(&self, part: usize) -> (&'a Layout, Bases) {
        let part = &self.context.plans[self.context.module].parts[part];
        (&self.context.layouts[part.module], part.bases)
    }

    fn effect(&mut self, effect: &Effect, failed: &mut Vec<Value>) {
        match *effect {
            Effect::Store { offset, value } => self.store(Base::Storage, offset, value),
            Effect::Next { offset, value } => {
                if self.context.skips_idle {
                    self.active = self.or_difference(self.active, Base::Registers, offset, value);
                }
                self.store(Base::Next, offset, value);
            }
            Effect::Write { part, index, enable, address, data, mask } => {
                let writes = self.limb(enable, 0);
                self.active = self.program.or(self.active, writes);
                let (layout, bases) = self.layout(part);
                let slots = layout.writes[index];
                let offsets = [slots.enable, slots.address, slots.data].into_iter().chain(slots.mask);
                for (offset, value) in offsets.zip([enable, address, data].into_iter().chain(mask)) {
                    self.store(Base::Storage, bases.storage + offset, value);
                }
            }
            Effect::Probe { part, index, enable, value } => {
                let (layout, bases) = self.layout(part);
                let slots = layout.probes[index];
                self.store(Base::Storage, bases.storage + slots.enable, enable);
                if let (Some(slot), Some(value)) = (slots.value, value) {
                    self.store(Base::Storage, bases.storage + slot, value);
                }
            }
            Effect::Assertion { condition, .. } => {
                let holds = self.limb(condition, 0);
                failed.push(self.program.not(holds));
            }
            Effect::Keep { .. } | Effect::Call(_) => {}
        }
    }

    fn call(&mut self, call: &ir::Call) {
        let needed = (!call.needed.is_empty()).then(|| {
            let mut ways = vec![];
            for way in &call.needed {
                let mut all = self.constant(u32::MAX);
                for &(select, wanted) in way {
                    let bit = self.limb(select, 0);
                    let holds = if wanted { bit } else { self.program.not(bit) };
                    all = self.program.and(all, holds);
                }
                ways.push(all);
            }
            self.program.any(&ways)
        });
        let mut changed = self.constant(0);
        for &(offset, value) in &call.inputs {
            if self.context.skips_idle {
                changed = self.or_difference(changed, Base::Storage, offset, value);
            }
            self.store(Base::Storage, offset, value);
        }
        let intrinsic = call.kind == CallKind::Intrinsic;
        let late = call.kind == CallKind::Late;
        let Prepared { early: before, late: after, .. } = &self.context.prepared[call.module];
        if !intrinsic && (if late { after } else { before }).is_none() {
            return;
        }
        let function = match intrinsic {
            true => Context::intrinsic(self.context.design, call.module),
            false => Context::function(call.module, late),
        };
        let Bases { registers, storage } = call.bases;
        let activity = self.context.skips_idle.then(|| {
            let at = bytes(storage) + activity_at(&self.context.layouts[call.module], late || intrinsic);
            if self.program.as_constant(changed) != Some(0) {
                let to = vec![(at, true)];
                self.program.steps.push(VectorStep::Activity { value: changed, others: vec![], to });
            }
            Activity { at, cleared: !late }
        });
        let offsets = [bytes(registers), bytes(storage), storage as i32 * 8];
        self.program.steps.push(VectorStep::Call(Call { function, offsets, needed, intrinsic, activity }));
    }
}
