//! 64-bit integer instructions on pairs of registers. Every low word depends on low words alone where that is possible, so
//! that high words which nothing reads vanish with what computes them.

use super::*;
use crate::ptx::ast::OperandKind;

type Pair = [Value; 2];

impl Lowering<'_> {
    pub(super) fn mov_wide(&mut self, dst: [Reg; 2], value: Pair) {
        self.mov(dst[0], value[0]);
        self.mov(dst[1], value[1]);
    }

    pub(super) fn add_wide(&mut self, a: Pair, b: Pair) -> Pair {
        let lo = self.calc(Opcode::Add, a[0], b[0]);
        let carry = self.compared(Opcode::ISetpU, Comparison::Lt, lo, a[0]);
        [lo, self.with_carry(Opcode::Addc, a[1], b[1], carry)]
    }

    fn sub_wide(&mut self, a: Pair, b: Pair) -> Pair {
        let lo = self.calc(Opcode::Sub, a[0], b[0]);
        let borrow = self.compared(Opcode::ISetpU, Comparison::Lt, a[0], b[0]);
        [lo, self.with_carry(Opcode::Subc, a[1], b[1], borrow)]
    }

    fn with_carry(&mut self, opcode: Opcode, a: Value, b: Value, carry: Cond) -> Value {
        let dst = self.temp();
        let src = [a, b, Value::ZERO];
        self.emit(Op { dst: Some(dst), src, p: carry, ..Op::new(opcode, self.line) });
        Value::Reg(dst)
    }

    fn product(&mut self, a: Value, b: Value, signed: bool) -> Pair {
        let high = if signed { Opcode::MulHS } else { Opcode::MulHU };
        [self.calc(Opcode::Mul, a, b), self.calc(high, a, b)]
    }

    /// `a < b` and its kin on 64 bits.
    pub(super) fn compared_wide(&mut self, comparison: Comparison, signed: bool, a: Pair, b: Pair) -> Cond {
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

    fn negative_wide(&mut self, a: Pair) -> Pair {
        self.sub_wide([Value::ZERO; 2], a)
    }

    fn select_wide(&mut self, p: Cond, a: Pair, b: Pair) -> Pair {
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
                operands::Binding::Narrow { reg, bits: 32 } => l.mov(reg, word),
                operands::Binding::Wide(_) if part.kind == OperandKind::Sink => {}
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

fn two(l: &mut Lowering, form: &Form) -> Result<([Reg; 2], Pair, Pair), Problem> {
    Ok((l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?))
}

fn one(l: &mut Lowering, form: &Form) -> Result<([Reg; 2], Pair), Problem> {
    Ok((l.dst_wide(form, 0)?, l.src_wide(form, 1)?))
}

pub(super) fn add_sub(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let result = if form.parts[0] == "add" { l.add_wide(a, b) } else { l.sub_wide(a, b) };
    l.mov_wide(dst, result);
    Ok(())
}

pub(super) fn mul_wide(l: &mut Lowering, form: &Form) -> Done {
    let product = wide_product(l, form)?;
    // 16-bit sources give a 32-bit product.
    if form.ty().ends_with("16") {
        let dst = l.dst(form, 0)?;
        l.mov(dst, product[0]);
    } else {
        let dst = l.dst_wide(form, 0)?;
        l.mov_wide(dst, product);
    }
    Ok(())
}

fn wide_product(l: &mut Lowering, form: &Form) -> Result<Pair, Problem> {
    let ty = form.ty();
    let (a, b) = (l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
    Ok(l.product(a, b, ty.starts_with('s')))
}

pub(super) fn mad_wide(l: &mut Lowering, form: &Form) -> Done {
    let product = wide_product(l, form)?;
    if form.ty().ends_with("16") {
        let (dst, c) = (l.dst(form, 0)?, l.src(form, 3)?);
        l.op(Opcode::Add, dst, [product[0], c, Value::ZERO]);
    } else {
        let (dst, c) = (l.dst_wide(form, 0)?, l.src_wide(form, 3)?);
        let sum = l.add_wide(product, c);
        l.mov_wide(dst, sum);
    }
    Ok(())
}

fn low_product(l: &mut Lowering, a: Pair, b: Pair) -> Pair {
    let [lo, carry] = l.product(a[0], b[0], false);
    let mut hi = carry;
    for (x, y) in [(a[0], b[1]), (a[1], b[0])] {
        let dst = l.temp();
        l.op(Opcode::Mad, dst, [x, y, hi]);
        hi = Value::Reg(dst);
    }
    [lo, hi]
}

pub(super) fn mul_lo(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let product = low_product(l, a, b);
    l.mov_wide(dst, product);
    Ok(())
}

pub(super) fn mad_lo(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b, c) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?, l.src_wide(form, 3)?);
    let product = low_product(l, a, b);
    let sum = l.add_wide(product, c);
    l.mov_wide(dst, sum);
    Ok(())
}

pub(super) fn bitwise(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = two(l, form)?;
    let opcode = match form.parts[0] {
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
    let below = l.compared_wide(Comparison::Lt, form.ty() == "s64", a, b);
    let result = l.select_wide(below.invert_if(form.parts[0] == "max"), a, b);
    l.mov_wide(dst, result);
    Ok(())
}

/// The amount of a shift, and the two amounts that bring bits from one word to the other. Amounts outside 0 to 31 shift
/// everything out, also "negative" ones: so no case distinction is needed.
fn amounts(l: &mut Lowering, form: &Form) -> Result<[Value; 3], Problem> {
    let n = l.src(form, 2)?;
    Ok([n, l.calc(Opcode::Sub, Value::Const(32), n), l.calc(Opcode::Sub, n, Value::Const(32))])
}

pub(super) fn shl(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, [n, back, over]) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, amounts(l, form)?);
    let lo = l.calc(Opcode::Shl, a[0], n);
    let parts = [l.calc(Opcode::Shl, a[1], n), l.calc(Opcode::Shr, a[0], back), l.calc(Opcode::Shl, a[0], over)];
    let hi = l.calc(Opcode::Or, parts[0], parts[1]);
    let hi = l.calc(Opcode::Or, hi, parts[2]);
    l.mov_wide(dst, [lo, hi]);
    Ok(())
}

pub(super) fn shr(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, [n, back, over]) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, amounts(l, form)?);
    let parts = [l.calc(Opcode::Shr, a[0], n), l.calc(Opcode::Shl, a[1], back)];
    let near = l.calc(Opcode::Or, parts[0], parts[1]);
    let result = if form.ty() == "s64" {
        // Sign bits would come in from a shift by a negative amount: choose.
        let far = l.calc(Opcode::Sar, a[1], over);
        let within = l.compared(Opcode::ISetpU, Comparison::Lt, n, Value::Const(32));
        [l.selected(within, near, far), l.calc(Opcode::Sar, a[1], n)]
    } else {
        let far = l.calc(Opcode::Shr, a[1], over);
        [l.calc(Opcode::Or, near, far), l.calc(Opcode::Shr, a[1], n)]
    };
    l.mov_wide(dst, result);
    Ok(())
}
