//! 64-bit integer instructions on pairs of registers. Every low word depends on low words alone where that is possible,
//! so that high words which nothing reads vanish with what computes them.

use super::{
    form::Form,
    lowering::{Done, Lowering},
    scope::Binding,
};
use crate::{
    compile::ir::{Cond, Op, Reg, Value},
    error::Problem,
    isa::{Comparison, Logic, Opcode},
    ptx::{ast::OperandKind, types::ScalarType},
};

type WidePair = [Value; 2];

impl Lowering<'_> {
    pub(super) fn mov_wide(&mut self, dst: [Reg; 2], value: WidePair) {
        self.mov(dst[0], value[0]);
        self.mov(dst[1], value[1]);
    }

    pub(super) fn add_wide(&mut self, a: WidePair, b: WidePair) -> WidePair {
        let lo = self.calc(Opcode::Add, a[0], b[0]);
        let carry = self.compared(Opcode::ISetpU, Comparison::Lt, lo, a[0]);
        [lo, self.with_carry(Opcode::Addc, a[1], b[1], carry)]
    }

    pub(super) fn sub_wide(&mut self, a: WidePair, b: WidePair) -> WidePair {
        let lo = self.calc(Opcode::Sub, a[0], b[0]);
        let borrow = self.compared(Opcode::ISetpU, Comparison::Lt, a[0], b[0]);
        [lo, self.with_carry(Opcode::Subc, a[1], b[1], borrow)]
    }

    pub(super) fn with_carry(&mut self, opcode: Opcode, a: Value, b: Value, carry: Cond) -> Value {
        let dst = self.temp();
        let src = [a, b, Value::ZERO];
        self.emit(Op { dst: Some(dst), src, p: carry, ..Op::new(opcode, self.line) });
        Value::Reg(dst)
    }

    pub(super) fn product(&mut self, a: Value, b: Value, signed: bool) -> WidePair {
        let high = if signed { Opcode::MulHS } else { Opcode::MulHU };
        [self.calc(Opcode::Mul, a, b), self.calc(high, a, b)]
    }

    /// The low 64 bits of a product.
    pub(super) fn low_product(&mut self, a: WidePair, b: WidePair) -> WidePair {
        let [lo, carry] = self.product(a[0], b[0], false);
        let mut hi = carry;
        for (x, y) in [(a[0], b[1]), (a[1], b[0])] {
            let dst = self.temp();
            self.op(Opcode::Mad, dst, [x, y, hi]);
            hi = Value::Reg(dst);
        }
        [lo, hi]
    }

    /// The high 64 bits of a product.
    pub(super) fn high_product(&mut self, a: WidePair, b: WidePair, signed: bool) -> WidePair {
        // Schoolbook, unsigned: no sum of a high word and two words overflows 64 bits.
        let low = self.calc(Opcode::MulHU, a[0], b[0]);
        let middle = self.product(a[1], b[0], false);
        let middle = self.add_wide(middle, [low, Value::ZERO]);
        let cross = self.product(a[0], b[1], false);
        let cross = self.add_wide(cross, [middle[0], Value::ZERO]);
        let high = self.product(a[1], b[1], false);
        let high = self.add_wide(high, [middle[1], Value::ZERO]);
        let mut high = self.add_wide(high, [cross[1], Value::ZERO]);
        if signed {
            // Where a factor is negative, the other one has been counted 2^64 times too often.
            for (factor, other) in [(a, b), (b, a)] {
                let sign = self.calc(Opcode::Sar, factor[1], Value::Const(31));
                let excess = other.map(|word| self.calc(Opcode::And, word, sign));
                high = self.sub_wide(high, excess);
            }
        }
        high
    }

    /// `a < b` and its kin on 64 bits.
    pub(super) fn compared_wide(&mut self, comparison: Comparison, signed: bool, a: WidePair, b: WidePair) -> Cond {
        let strict = match comparison {
            Comparison::Lt | Comparison::Le => Comparison::Lt,
            Comparison::Gt | Comparison::Ge => Comparison::Gt,
            _ => {
                let words = [0, 1].map(|i| self.calc(Opcode::Xor, a[i], b[i]));
                let any = self.calc(Opcode::Or, words[0], words[1]);
                return self.compared(Opcode::ISetpU, comparison, any, Value::ZERO);
            }
        };
        let high_opcode = if signed { Opcode::ISetpS } else { Opcode::ISetpU };
        let high = self.compared(high_opcode, strict, a[1], b[1]);
        let equal = self.compared(Opcode::ISetpU, Comparison::Eq, a[1], b[1]);
        let low = self.compared(Opcode::ISetpU, comparison, a[0], b[0]);
        let (low_decides, result) = (self.temp_pred(), self.temp_pred());
        self.logic(low_decides, Logic::And, equal, low);
        self.logic(result, Logic::Or, high, Cond::of(low_decides));
        Cond::of(result)
    }

    pub(super) fn negative_wide(&mut self, a: WidePair) -> WidePair {
        self.sub_wide([Value::ZERO; 2], a)
    }

    pub(super) fn select_wide(&mut self, p: Cond, a: WidePair, b: WidePair) -> WidePair {
        [0, 1].map(|i| self.selected(p, a[i], b[i]))
    }
}

pub(super) fn mov(l: &mut Lowering, form: &Form) -> Done {
    let operands = &form.instruction.operands;
    if let OperandKind::Vector(parts) = &operands[0].kind {
        let source = l.src_wide(form, 1)?;
        if parts.len() != 2 {
            return Err(l.wrong(form, &operands[0], "two 32-bit registers"));
        }
        for (part, word) in parts.iter().zip(source) {
            match l.binding_of(form, part)? {
                Binding::Narrow { reg, bits: 32 } => l.mov(reg, word),
                Binding::Wide(_) if part.kind == OperandKind::Sink => {}
                _ => return Err(l.wrong(form, part, "a 32-bit register")),
            }
        }
        return Ok(());
    }
    let dst = l.dst_wide(form, 0)?;
    if let OperandKind::Vector(parts) = &operands[1].kind {
        let [low, high] = parts.as_slice() else {
            return Err(l.wrong(form, &operands[1], "two 32-bit registers"));
        };
        let ([low, _], _) = l.src_any(form, low)?;
        let ([high, _], _) = l.src_any(form, high)?;
        l.mov_wide(dst, [low, high]);
        return Ok(());
    }
    let value = l.src_wide(form, 1)?;
    l.mov_wide(dst, value);
    Ok(())
}

fn two(l: &mut Lowering, form: &Form) -> Result<([Reg; 2], WidePair, WidePair), Problem> {
    Ok((l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?))
}

fn one(l: &mut Lowering, form: &Form) -> Result<([Reg; 2], WidePair), Problem> {
    Ok((l.dst_wide(form, 0)?, l.src_wide(form, 1)?))
}

pub(super) fn add_sub(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let result = if form.opcode() == "add" { l.add_wide(a, b) } else { l.sub_wide(a, b) };
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn mul_wide(l: &mut Lowering, form: &Form) -> Done {
    let product = wide_product(l, form)?;
    // 16-bit sources give a 32-bit product.
    if form.ty().bits() == 16 {
        let dst = l.dst(form, 0)?;
        l.mov(dst, product[0]);
    } else {
        let dst = l.dst_wide(form, 0)?;
        l.mov_wide(dst, product);
    }
    Ok(())
}

fn wide_product(l: &mut Lowering, form: &Form) -> Result<WidePair, Problem> {
    let ty = form.ty();
    let (a, b) = (l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
    Ok(l.product(a, b, ty.is_signed()))
}

pub(super) fn mad_wide(l: &mut Lowering, form: &Form) -> Done {
    let product = wide_product(l, form)?;
    if form.ty().bits() == 16 {
        let (dst, c) = (l.dst(form, 0)?, l.src(form, 3)?);
        l.op(Opcode::Add, dst, [product[0], c, Value::ZERO]);
    } else {
        let (dst, c) = (l.dst_wide(form, 0)?, l.src_wide(form, 3)?);
        let sum = l.add_wide(product, c);
        l.mov_wide(dst, sum);
    }
    Ok(())
}

pub(super) fn mul_lo(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let product = l.low_product(a, b);
    l.mov_wide(dst, product);
    Ok(())
}

pub(super) fn mad_lo(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b, c) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?, l.src_wide(form, 3)?);
    let product = l.low_product(a, b);
    let sum = l.add_wide(product, c);
    l.mov_wide(dst, sum);
    Ok(())
}

/// `mul.hi`, `mad.hi` of 64 bits.
pub(super) fn mul_hi(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let mut result = l.high_product(a, b, form.ty() == ScalarType::S64);
    if form.opcode() == "mad" {
        let c = l.src_wide(form, 3)?;
        result = l.add_wide(result, c);
    }
    l.mov_wide(dst, result);
    Ok(())
}

/// `|a - b| + c`.
pub(super) fn sum_of_difference(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let c = l.src_wide(form, 3)?;
    let below = l.compared_wide(Comparison::Lt, form.ty() == ScalarType::S64, a, b);
    let (less, more) = (l.select_wide(below, a, b), l.select_wide(below, b, a));
    let difference = l.sub_wide(more, less);
    let sum = l.add_wide(difference, c);
    l.mov_wide(dst, sum);
    Ok(())
}

/// 1 for zero, else 0.
pub(super) fn is_zero(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = one(l, form)?;
    let zero = l.compared_wide(Comparison::Eq, false, a, [Value::ZERO; 2]);
    l.select(dst[0], zero, Value::Const(1), Value::ZERO);
    l.mov(dst[1], Value::ZERO);
    Ok(())
}

pub(super) fn bitwise(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let opcode = match form.opcode() {
        "and" => Opcode::And,
        "or" => Opcode::Or,
        _ => Opcode::Xor,
    };
    let result = [0, 1].map(|i| l.calc(opcode, a[i], b[i]));
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn not(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = one(l, form)?;
    let result = a.map(|word| l.calc(Opcode::Xor, word, Value::Const(u32::MAX)));
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn neg(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = one(l, form)?;
    let result = l.negative_wide(a);
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn abs(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = one(l, form)?;
    let negative = l.negative_wide(a);
    let below = l.compared(Opcode::ISetpS, Comparison::Lt, a[1], Value::ZERO);
    let result = l.select_wide(below, negative, a);
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn min_max(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let below = l.compared_wide(Comparison::Lt, form.ty() == ScalarType::S64, a, b);
    let result = l.select_wide(below.invert_if(form.opcode() == "max"), a, b);
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn shl(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, n) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src(form, 2)?);
    let result = l.shifted_up(a, n);
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn shr(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, n) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src(form, 2)?);
    let result = if form.ty() == ScalarType::S64 { l.shifted_down_signed(a, n) } else { l.shifted_down(a, n) };
    l.mov_wide(dst, result);
    Ok(())
}
