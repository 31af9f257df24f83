//! Bytes and logic functions by number: `prmt`, `lop3`.

use super::{
    form::Form,
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::Value,
    isa::{Comparison, Opcode},
};
use Value::Const;

/// The selectors of the modes of `prmt`, for the low two bits of `c` from 3 down to 0: as the default mode would have them.
fn selectors(mode: &str) -> u64 {
    match mode {
        "f4e" => 0x6543_5432_4321_3210,
        "b4e" => 0x0123_7012_6701_5670,
        "rc8" => 0x3333_2222_1111_0000,
        "ecl" => 0x3333_3222_3211_3210,
        "ecr" => 0x3210_2210_1110_0000,
        _ => 0x3232_1010_3232_1010,
    }
}

/// Four bytes picked from the eight of two words, each with its own four bits of the selector; the top one replicates the byte's sign.
pub(super) fn permute(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b, c) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?);
    let mode = form.parts[2];
    let selector = if mode.is_empty() { c } else { of_mode(l, mode, c) };
    let mut result = Value::ZERO;
    for byte in 0..4 {
        let nibble = l.calc(Opcode::Shr, selector, Const(4 * byte));
        let index = l.calc(Opcode::And, nibble, Const(7));
        let amount = l.calc(Opcode::Shl, index, Const(3));
        // The low word of {b, a} shifted down: amounts outside 0 to 31 shift everything out.
        let (back, over) = (l.calc(Opcode::Sub, Const(32), amount), l.calc(Opcode::Sub, amount, Const(32)));
        let parts = [l.calc(Opcode::Shr, a, amount), l.calc(Opcode::Shl, b, back), l.calc(Opcode::Shr, b, over)];
        let low = l.calc(Opcode::Or, parts[0], parts[1]);
        let low = l.calc(Opcode::Or, low, parts[2]);
        let top = l.calc(Opcode::Shl, low, Const(24));
        let sign = l.calc(Opcode::Sar, top, Const(31));
        let replicate = l.calc(Opcode::And, nibble, Const(8));
        let replicates = l.compared(Opcode::ISetpU, Comparison::Ne, replicate, Value::ZERO);
        let value = l.selected(replicates, sign, low);
        let value = l.calc(Opcode::And, value, Const(0xff));
        let value = l.calc(Opcode::Shl, value, Const(8 * byte));
        result = l.calc(Opcode::Or, result, value);
    }
    l.mov(dst, result);
    Ok(())
}

fn of_mode(l: &mut Lowering, mode: &str, c: Value) -> Value {
    let table = selectors(mode);
    let second = l.calc(Opcode::And, c, Const(2));
    let upper = l.compared(Opcode::ISetpU, Comparison::Ne, second, Value::ZERO);
    let word = l.selected(upper, Const((table >> 32) as u32), Const(table as u32));
    let first = l.calc(Opcode::And, c, Const(1));
    let amount = l.calc(Opcode::Shl, first, Const(4));
    l.calc(Opcode::Shr, word, amount)
}

/// Any function of three bits, by its table of eight. As a polynomial over bits: `f = f0 ^ (a & (f0 ^ f1))`, where `f0` and `f1` are what is
/// left of the table where `a` is 0 and 1.
pub(super) fn logic3(l: &mut Lowering, form: &Form) -> Done {
    let dst = l.dst(form, 0)?;
    let sources = [l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?];
    let table = match l.src(form, 4)? {
        Const(table @ 0..=255) => table,
        _ => return Err(l.wrong(form, l.operand(form, 4)?, "a constant from 0 to 255")),
    };
    let result = function(l, &sources, table);
    l.mov(dst, result);
    Ok(())
}

fn function(l: &mut Lowering, sources: &[Value], table: u32) -> Value {
    let Some((&first, rest)) = sources.split_first() else { return Const(0u32.wrapping_sub(table)) };
    let half = 1 << rest.len();
    let zero = table & ((1 << half) - 1);
    let differs = zero ^ (table >> half);
    let base = function(l, rest, zero);
    if differs == 0 {
        return base;
    }
    let other = function(l, rest, differs);
    let product = l.calc(Opcode::And, first, other);
    l.calc(Opcode::Xor, base, product)
}
