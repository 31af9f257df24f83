//! Carry chains: `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`. The condition code is one predicate of the
//! kernel: the carry of a sum, the borrow of a difference.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, Value},
    isa::{Comparison, Logic, Opcode},
    ptx::types::ScalarType,
};

/// Sum or difference of 32 or 64 bits, word by word, with a carry in (`addc`, `subc`) or out (`.cc`).
pub(super) fn chain(l: &mut Lowering, form: &Form) -> Done {
    let wide = form.ty().bits() == 64;
    let words = |l: &mut Lowering, at: usize| match wide {
        true => l.src_wide(form, at),
        false => Ok([l.src(form, at)?, Value::ZERO]),
    };
    let (a, b) = (words(l, 1)?, words(l, 2)?);
    let subtracts = form.opcode().starts_with("sub");
    let carry_in = form.opcode().ends_with('c').then(|| l.condition_code());
    let count = if wide { 2 } else { 1 };
    sum_words(l, form, subtracts, &a[..count], &b[..count], carry_in)
}

/// `mad.lo.cc`, `madc.hi`, ...: the low or high word of a product, and a sum with carries.
pub(super) fn multiply(l: &mut Lowering, form: &Form) -> Done {
    let carry_in = (form.opcode() == "madc").then(|| l.condition_code());
    if form.ty().bits() == 64 {
        let (a, b, c) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?, l.src_wide(form, 3)?);
        let product = match form.has(Modifier::Hi) {
            true => l.high_product(a, b, form.ty() == ScalarType::S64),
            false => l.low_product(a, b),
        };
        return sum_words(l, form, false, &product, &c, carry_in);
    }
    let (a, b, c) = (l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?);
    let opcode = match (form.has(Modifier::Hi), form.ty()) {
        (false, _) => Opcode::Mul,
        (true, ScalarType::S32) => Opcode::MulHS,
        (true, _) => Opcode::MulHU,
    };
    let product = l.calc(opcode, a, b);
    sum_words(l, form, false, &[product], &[c], carry_in)
}

fn sum_words(
    l: &mut Lowering,
    form: &Form,
    subtracts: bool,
    a: &[Value],
    b: &[Value],
    mut carry: Option<Cond>,
) -> Done {
    let (plain, with_carry) = if subtracts { (Opcode::Sub, Opcode::Subc) } else { (Opcode::Add, Opcode::Addc) };
    let mut sums = vec![];
    for (&a, &b) in a.iter().zip(b) {
        let sum = match carry {
            None => l.calc(plain, a, b),
            Some(carry) => l.with_carry(with_carry, a, b, carry),
        };
        // With a carry in, one more is over the edge: the sum that equals a term, the difference of equals.
        let (over, x, y) = if subtracts { (Comparison::Lt, a, b) } else { (Comparison::Lt, sum, a) };
        let mut out = l.compared(Opcode::ISetpU, over, x, y);
        if let Some(carry) = carry {
            let equal = l.compared(Opcode::ISetpU, Comparison::Eq, x, y);
            let (edge, either) = (l.temp_pred(), l.temp_pred());
            l.logic(edge, Logic::And, equal, carry);
            l.logic(either, Logic::Or, out, Cond::of(edge));
            out = Cond::of(either);
        }
        sums.push(sum);
        carry = Some(out);
    }
    if form.has(Modifier::Cc)
        && let (Some(out), Some(code)) = (carry, l.condition_code().pred)
    {
        l.logic(code, Logic::And, out, Cond::TRUE);
    }
    match sums[..] {
        [low, high] => {
            let dst = l.dst_wide(form, 0)?;
            l.mov_wide(dst, [low, high]);
        }
        _ => {
            let dst = l.dst(form, 0)?;
            l.mov(dst, sums[0]);
        }
    }
    Ok(())
}

impl Lowering<'_> {
    /// The predicate that is the condition code.
    fn condition_code(&mut self) -> Cond {
        let code = *self.condition_code.get_or_insert_with(|| self.code.pred());
        Cond::of(code)
    }
}
