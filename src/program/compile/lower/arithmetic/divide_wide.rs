//! Integer division of 64 bits: a loop that finds one bit of the quotient after the other, 64 times, or 32 where the
//! dividend has 32 bits.

use super::super::{
    form::Form,
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, End, Reg, Value},
    isa::{Comparison, Logic, Opcode},
    ptx::types::ScalarType,
};
use Value::Const;

type WordPair = [Value; 2];

impl Lowering<'_> {
    /// Registers that the loop keeps its values in, with what they start with.
    fn kept(&mut self, value: WordPair) -> [Reg; 2] {
        value.map(|word| {
            let reg = self.temp();
            self.mov(reg, word);
            reg
        })
    }

    /// Quotient and remainder of unsigned numbers.
    fn quotient_wide(&mut self, n: WordPair, d: WordPair) -> [WordPair; 2] {
        let short = self.compared(Opcode::ISetpU, Comparison::Eq, n[1], Value::ZERO);
        let start = self.select_wide(short, [Value::ZERO, n[0]], n);
        // The dividend goes out at the top while the quotient comes in below.
        let (q, r) = (self.kept(start), self.kept([Value::ZERO; 2]));
        let d = self.kept(d).map(Value::Reg);
        let count = self.selected(short, Const(32), Const(64));
        let [left, _] = self.kept([count, Value::ZERO]);
        let top = self.label();
        self.place(top);
        let one = Const(1);
        let bit = |l: &mut Self, word: Reg| l.calc(Opcode::Shr, Value::Reg(word), Const(31));
        let (out, carry, middle) = (bit(self, q[1]), bit(self, r[0]), bit(self, q[0]));
        let beyond = self.compared(Opcode::ISetpS, Comparison::Lt, Value::Reg(r[1]), Value::ZERO);
        for (word, below) in [(r[1], carry), (r[0], out), (q[1], middle), (q[0], Value::ZERO)] {
            let up = self.calc(Opcode::Shl, Value::Reg(word), one);
            self.op(Opcode::Or, word, [up, below, Value::ZERO]);
        }
        let rest = r.map(Value::Reg);
        let enough = self.compared_wide(Comparison::Ge, false, rest, d);
        let fits = self.temp_pred();
        self.logic(fits, Logic::Or, beyond, enough);
        let less = self.sub_wide(rest, d);
        for (word, less) in r.into_iter().zip(less) {
            self.select(word, Cond::of(fits), less, Value::Reg(word));
        }
        let more = self.calc(Opcode::Or, Value::Reg(q[0]), one);
        self.select(q[0], Cond::of(fits), more, Value::Reg(q[0]));
        self.op(Opcode::Sub, left, [Value::Reg(left), one, Value::ZERO]);
        let cond = self.compared(Opcode::ISetpU, Comparison::Ne, Value::Reg(left), Value::ZERO);
        let next = self.code.blocks.len();
        self.close_block(End::Branch { cond, taken: top, next });
        self.start_block();
        [q.map(Value::Reg), r.map(Value::Reg)]
    }

    /// `-value` where `sign` is all ones, `value` where it is zero.
    fn turned(&mut self, value: WordPair, sign: Value) -> WordPair {
        let flipped = value.map(|word| self.calc(Opcode::Xor, word, sign));
        self.sub_wide(flipped, [sign; 2])
    }
}

/// `{div,rem}.{u64,s64}`
pub fn divide(l: &mut Lowering, form: &Form) -> Done {
    let (n, d) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let which = usize::from(form.opcode() == "rem");
    let result = if form.ty() == ScalarType::U64 {
        l.quotient_wide(n, d)[which]
    } else {
        // The quotient is negative when the signs differ; the remainder has the sign of the dividend.
        let [sign_n, sign_d] = [n, d].map(|value| l.calc(Opcode::Sar, value[1], Const(31)));
        let sign = if which == 0 { l.calc(Opcode::Xor, sign_n, sign_d) } else { sign_n };
        let (n, d) = (l.turned(n, sign_n), l.turned(d, sign_d));
        let result = l.quotient_wide(n, d)[which];
        l.turned(result, sign)
    };
    let dst = l.dst_wide(form, 0)?;
    l.mov_wide(dst, result);
    Ok(())
}
