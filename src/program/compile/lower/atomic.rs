//! Atomics and reductions: one operation of a core each, of 64 bits two, with fences around where PTX wants an order.

use super::{
    control,
    form::{Form, Modifier},
    locked,
    lowering::{Done, Lowering},
    memory::{PtxAddress, address},
};
use crate::{
    compile::ir::{End, Op, Reg, Value},
    isa::{AtomicOp, Comparison, Opcode},
    ptx::{
        ast::OperandKind,
        types::{ScalarType, StateSpace},
    },
};

/// `atom` and `red`; a result that nobody takes is one of `red`.
pub(super) fn atomic(l: &mut Lowering, form: &Form) -> Done {
    let returns = form.opcode() == "atom";
    let first = usize::from(returns);
    let address = address(l, form, first)?;
    let wide = form.ty().bits() == 64;
    let value = |l: &mut Lowering, at: usize| match wide {
        true => l.src_wide(form, at),
        false => Ok([l.src(form, at)?, Value::ZERO]),
    };
    let mut values = vec![value(l, first + 1)?];
    if form.says("cas") {
        values.push(value(l, first + 2)?);
    }
    // PTX names the value to compare with before the new one.
    let [operand, compare] = [values.pop(), values.pop()].map(|value| value.unwrap_or([Value::ZERO; 2]));
    let dst = match returns && l.operand(form, 0)?.kind != OperandKind::Sink {
        true if wide => l.dst_wide(form, 0)?.map(Some),
        true => [Some(l.dst(form, 0)?), None],
        false => [None, None],
    };
    if form.has(Modifier::Release) || form.has(Modifier::AcqRel) {
        control::fence(l, form)?;
    }
    let does = |l: &mut Lowering, shared: bool, address: &PtxAddress| {
        if shared && wide {
            let dst = dst[0].zip(dst[1]).map(|(low, high)| [low, high]);
            locked::update(l, address, dst, |l, old| new_value(l, form, old, operand, compare));
            return Ok(());
        }
        emit(l, (kind(form), wide, shared), address, Operation { dst, operand, compare });
        Ok(())
    };
    in_its_space(l, form, &address, does)?;
    if form.has(Modifier::Acquire) || form.has(Modifier::AcqRel) {
        control::fence(l, form)?;
    }
    Ok(())
}

/// Does it in the space that the mnemonic names, or else the address.
fn in_its_space(
    l: &mut Lowering,
    form: &Form,
    address: &PtxAddress,
    does: impl Fn(&mut Lowering, bool, &PtxAddress) -> Done,
) -> Done {
    match form.space().is_some() {
        true => does(l, form.is_in(StateSpace::Shared), address),
        false => l.by_space(address, does),
    }
}

/// `add.f64`: the sum is put in the place of the value that it was made from, again and again until nobody else was there between.
pub(super) fn add_double(l: &mut Lowering, form: &Form) -> Done {
    let returns = form.opcode() == "atom";
    let first = usize::from(returns);
    let (address, operand) = (address(l, form, first)?, l.src_wide(form, first + 1)?);
    let dst = match returns && l.operand(form, 0)?.kind != OperandKind::Sink {
        true => Some(l.dst_wide(form, 0)?),
        false => None,
    };
    if form.has(Modifier::Release) || form.has(Modifier::AcqRel) {
        control::fence(l, form)?;
    }
    let does = |l: &mut Lowering, shared: bool, address: &PtxAddress| match shared {
        true => locked::update(l, address, dst, |l, old| l.double_sum(old, operand)),
        false => l.under_guard(|l| add_in_loop(l, address, operand, dst)),
    };
    let does = |l: &mut Lowering, shared: bool, address: &PtxAddress| {
        does(l, shared, address);
        Ok(())
    };
    in_its_space(l, form, &address, does)?;
    if form.has(Modifier::Acquire) || form.has(Modifier::AcqRel) {
        control::fence(l, form)?;
    }
    Ok(())
}

fn add_in_loop(l: &mut Lowering, address: &PtxAddress, operand: [Value; 2], dst: Option<[Reg; 2]>) {
    let again = l.label();
    let (old, found) = ([0; 2].map(|_| l.code.reg()), [0; 2].map(|_| l.code.reg()));
    for (word, reg) in (0..).zip(old) {
        let (src, access) = ([address.base[0], address.at(4 * word), Value::ZERO], address.access(l, 8, 4 * word));
        l.emit(Op { dst: Some(reg), src, access, ..Op::new(Opcode::LdV32, l.line) });
    }
    l.place(again);
    let compare = old.map(Value::Reg);
    let sum = l.double_sum(compare, operand);
    let operation = Operation { dst: found.map(Some), operand: sum, compare };
    emit(l, (AtomicOp::Cas, true, false), address, operation);
    let differs = [0, 1].map(|word| l.calc(Opcode::Xor, Value::Reg(found[word]), Value::Reg(old[word])));
    let differs = l.calc(Opcode::Or, differs[0], differs[1]);
    let cond = l.compared(Opcode::ISetpU, Comparison::Ne, differs, Value::ZERO);
    l.mov_wide(old, found.map(Value::Reg));
    let next = l.code.blocks.len();
    l.close_block(End::Branch { cond, taken: again, next });
    l.start_block();
    if let Some(dst) = dst {
        l.mov_wide(dst, found.map(Value::Reg));
    }
}

/// The new value that an atomic of 64 bits makes of `old`.
fn new_value(l: &mut Lowering, form: &Form, old: [Value; 2], operand: [Value; 2], compare: [Value; 2]) -> [Value; 2] {
    let each = |l: &mut Lowering, opcode: Opcode| [0, 1].map(|word| l.calc(opcode, old[word], operand[word]));
    let chosen = |l: &mut Lowering, comparison: Comparison| {
        let keeps = l.compared_wide(comparison, form.ty().is_signed(), old, operand);
        l.select_wide(keeps, old, operand)
    };
    match kind(form) {
        AtomicOp::Add => l.add_wide(old, operand),
        AtomicOp::MinS | AtomicOp::MinU => chosen(l, Comparison::Le),
        AtomicOp::MaxS | AtomicOp::MaxU => chosen(l, Comparison::Ge),
        AtomicOp::And => each(l, Opcode::And),
        AtomicOp::Or => each(l, Opcode::Or),
        AtomicOp::Xor => each(l, Opcode::Xor),
        AtomicOp::Cas => {
            let equal = l.compared_wide(Comparison::Eq, false, old, compare);
            l.select_wide(equal, operand, old)
        }
        // PTX has no others of 64 bits.
        AtomicOp::Exch | AtomicOp::FAdd | AtomicOp::Inc | AtomicOp::Dec => operand,
    }
}

/// What an atomic works with: low and high words, of 32 bits the low ones alone.
#[derive(Clone, Copy)]
struct Operation {
    dst: [Option<Reg>; 2],
    operand: [Value; 2],
    compare: [Value; 2],
}

fn emit(l: &mut Lowering, (op, wide, shared): (AtomicOp, bool, bool), address: &PtxAddress, operation: Operation) {
    let Operation { dst, operand, compare } = operation;
    let access = address.access(l, if wide { 8 } else { 4 }, 0);
    let at = match address.at(0) {
        Value::Const(0) => address.base[0],
        offset => l.calc(Opcode::Add, address.base[0], offset),
    };
    let opcode = Opcode::of_atomic(op, shared);
    if wide {
        let opcode = if dst[1].is_some() { Opcode::AtomGHigh } else { Opcode::RedGHigh };
        // Operands may be what is written: all low words are read before, as the results come with the second
        // operation.
        let src = [Value::ZERO, compare[1], operand[1]];
        l.emit(Op { dst: dst[1], src, ..Op::new(opcode, l.line) });
    }
    l.emit(Op { dst: dst[0], src: [at, compare[0], operand[0]], access, ..Op::new(opcode, l.line) });
}

fn kind(form: &Form) -> AtomicOp {
    let signed = form.ty().is_signed();
    let named = |name: &str| form.says(name);
    match () {
        () if named("add") && form.ty() == ScalarType::F32 => AtomicOp::FAdd,
        () if named("add") => AtomicOp::Add,
        () if named("min") && signed => AtomicOp::MinS,
        () if named("min") => AtomicOp::MinU,
        () if named("max") && signed => AtomicOp::MaxS,
        () if named("max") => AtomicOp::MaxU,
        () if named("and") => AtomicOp::And,
        () if named("or") => AtomicOp::Or,
        () if named("xor") => AtomicOp::Xor,
        () if named("cas") => AtomicOp::Cas,
        () if named("inc") => AtomicOp::Inc,
        () if named("dec") => AtomicOp::Dec,
        () => AtomicOp::Exch,
    }
}
