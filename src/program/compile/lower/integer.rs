//! Integer instructions of up to 32 bits. Bits above a 16-bit value are unspecified, so that only instructions whose
//! result depends on them extend their sources.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
    scope::Binding,
    special_registers::{PTX_REGISTERS, special_register},
};
use crate::{
    compile::ir::Value,
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Opcode},
    ptx::{
        ast::{OperandKind, PtxOperand},
        types::ScalarType,
    },
};

/// `mov` of a register, constant, variable address or special register, and packing of two halves.
pub(super) fn mov(l: &mut Lowering, form: &Form) -> Done {
    let operands = &form.instruction.operands;
    if let OperandKind::Vector(parts) = &operands[0].kind {
        return unpack(l, form, parts);
    }
    if let OperandKind::Vector(parts) = &operands[1].kind {
        return pack(l, form, parts);
    }
    let dst = l.dst(form, 0)?;
    if let OperandKind::Name { name, negated: false, offset: 0 } = &operands[1].kind
        && name.starts_with('%')
        && l.type_of(name).is_none()
        && let Some(number) = special_register(name)
    {
        l.op(Opcode::S2r, dst, [Value::ZERO, Value::Const(number), Value::ZERO]);
        return Ok(());
    }
    match l.src(form, 1) {
        Ok(value) => l.mov(dst, value),
        Err(problem) => return Err(explain_special(&operands[1], problem)),
    }
    Ok(())
}

/// A `%name` that is no register may be a special register that we lack.
fn explain_special(operand: &PtxOperand, problem: Problem) -> Problem {
    match &operand.kind {
        OperandKind::Name { name, .. } if name.starts_with('%') && problem.kind == PtxErrorKind::Name => {
            let declared = problem.help.clone().unwrap_or_default();
            problem.help(format!("special registers: %{}; {declared}", PTX_REGISTERS.join(", %")))
        }
        _ => problem,
    }
}

fn unpack(l: &mut Lowering, form: &Form, parts: &[PtxOperand]) -> Done {
    let source = l.src(form, 1)?;
    let [low, high] = parts else {
        return Err(l.wrong(form, &form.instruction.operands[0], "two 16-bit registers"));
    };
    let source = l.calc(Opcode::Mov, Value::ZERO, source);
    for (part, shift) in [(low, 0), (high, 16)] {
        match l.binding_of(form, part)? {
            Binding::Narrow { reg, bits: 16 } => {
                l.op(Opcode::Shr, reg, [source, Value::Const(shift), Value::ZERO]);
            }
            Binding::Wide(_) if part.kind == OperandKind::Sink => {}
            _ => return Err(l.wrong(form, part, "a 16-bit register")),
        }
    }
    Ok(())
}

fn pack(l: &mut Lowering, form: &Form, parts: &[PtxOperand]) -> Done {
    let dst = l.dst(form, 0)?;
    let [low, high] = parts else {
        return Err(l.wrong(form, &form.instruction.operands[1], "two 16-bit registers"));
    };
    let ([low, _], _) = l.src_any(form, low)?;
    let ([high, _], _) = l.src_any(form, high)?;
    let low = l.extend(low, ScalarType::U16);
    let high = l.calc(Opcode::Shl, high, Value::Const(16));
    l.op(Opcode::Or, dst, [low, high, Value::ZERO]);
    Ok(())
}

/// Instructions whose low result bits depend on low source bits alone.
pub(super) fn binary(l: &mut Lowering, form: &Form) -> Done {
    let opcode = match form.opcode() {
        "add" => Opcode::Add,
        "sub" => Opcode::Sub,
        "and" => Opcode::And,
        "or" => Opcode::Or,
        _ => Opcode::Xor,
    };
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    l.op(opcode, dst, [a, b, Value::ZERO]);
    Ok(())
}

pub(super) fn mul_lo(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    l.op(Opcode::Mul, dst, [a, b, Value::ZERO]);
    Ok(())
}

pub(super) fn mul_hi(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let (dst, a, b) = (l.dst(form, 0)?, l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
    match ty {
        ScalarType::U32 => l.op(Opcode::MulHU, dst, [a, b, Value::ZERO]),
        ScalarType::S32 => l.op(Opcode::MulHS, dst, [a, b, Value::ZERO]),
        _ => {
            let product = l.calc(Opcode::Mul, a, b);
            l.op(Opcode::Shr, dst, [product, Value::Const(16), Value::ZERO]);
        }
    }
    Ok(())
}

pub(super) fn mad_lo(l: &mut Lowering, form: &Form) -> Done {
    let src = [l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?];
    let dst = l.dst(form, 0)?;
    l.op(Opcode::Mad, dst, src);
    Ok(())
}

pub(super) fn min_max(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let opcode = match (form.opcode(), ty.is_signed()) {
        ("min", true) => Opcode::MinS,
        ("min", false) => Opcode::MinU,
        (_, true) => Opcode::MaxS,
        (_, false) => Opcode::MaxU,
    };
    let (dst, a, b) = (l.dst(form, 0)?, l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
    l.op(opcode, dst, [a, b, Value::ZERO]);
    Ok(())
}

pub(super) fn neg(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src(form, 1)?);
    l.op(Opcode::Sub, dst, [Value::ZERO, a, Value::ZERO]);
    Ok(())
}

pub(super) fn abs(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src_extended(form, 1, form.ty())?);
    let negative = l.calc(Opcode::Sub, Value::ZERO, a);
    l.op(Opcode::MaxS, dst, [a, negative, Value::ZERO]);
    Ok(())
}

pub(super) fn not(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst(form, 0)?, l.src(form, 1)?);
    l.op(Opcode::Xor, dst, [a, Value::Const(u32::MAX), Value::ZERO]);
    Ok(())
}

/// Shift amounts are 32-bit and may exceed the width: the ISA's shifts then give what PTX wants for 16 bits, too.
pub(super) fn shift(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let (dst, amount) = (l.dst(form, 0)?, l.src(form, 2)?);
    let (opcode, a) = match (form.opcode(), ty.is_signed()) {
        ("shl", _) => (Opcode::Shl, l.src(form, 1)?),
        (_, true) => (Opcode::Sar, l.src_extended(form, 1, ty)?),
        (_, false) => (Opcode::Shr, l.src_extended(form, 1, ty)?),
    };
    l.op(opcode, dst, [a, amount, Value::ZERO]);
    Ok(())
}

/// `add`'s kin with a product: the high word of it, and a sum.
pub(super) fn mad_hi(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let (dst, a, b, c) = (l.dst(form, 0)?, l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?, l.src(form, 3)?);
    let product = match ty {
        ScalarType::U32 => l.calc(Opcode::MulHU, a, b),
        ScalarType::S32 => l.calc(Opcode::MulHS, a, b),
        _ => {
            let product = l.calc(Opcode::Mul, a, b);
            l.calc(Opcode::Shr, product, Value::Const(16))
        }
    };
    if form.has(Modifier::Sat) {
        let sum = l.saturated_sum(Opcode::Add, product, c);
        l.mov(dst, sum);
    } else {
        l.op(Opcode::Add, dst, [product, c, Value::ZERO]);
    }
    Ok(())
}

/// Product of the low 24 bits of each source: its low 32 bits, or those from bit 16 on; and a sum (`mad24`).
pub(super) fn mul24(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
    let signed = form.ty() == ScalarType::S32;
    let right = if signed { Opcode::Sar } else { Opcode::Shr };
    let [a, b] = [a, b].map(|v| {
        let up = l.calc(Opcode::Shl, v, Value::Const(8));
        l.calc(right, up, Value::Const(8))
    });
    let mut product = l.calc(Opcode::Mul, a, b);
    if form.has(Modifier::Hi) {
        let high = l.calc(if signed { Opcode::MulHS } else { Opcode::MulHU }, a, b);
        let (up, down) = (l.calc(Opcode::Shl, high, Value::Const(16)), l.calc(Opcode::Shr, product, Value::Const(16)));
        product = l.calc(Opcode::Or, up, down);
    }
    if form.opcode() != "mad24" {
        l.mov(dst, product);
        return Ok(());
    }
    let c = l.src(form, 3)?;
    if form.has(Modifier::Sat) {
        let sum = l.saturated_sum(Opcode::Add, product, c);
        l.mov(dst, sum);
    } else {
        l.op(Opcode::Add, dst, [product, c, Value::ZERO]);
    }
    Ok(())
}

/// `|a - b| + c`.
pub(super) fn sum_of_difference(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let (dst, a, b, c) = (l.dst(form, 0)?, l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?, l.src(form, 3)?);
    let (min, max) = match ty.is_signed() {
        true => (Opcode::MinS, Opcode::MaxS),
        false => (Opcode::MinU, Opcode::MaxU),
    };
    let (less, more) = (l.calc(min, a, b), l.calc(max, a, b));
    let difference = l.calc(Opcode::Sub, more, less);
    l.op(Opcode::Add, dst, [difference, c, Value::ZERO]);
    Ok(())
}

/// `cnot`: 1 for zero, else 0.
pub(super) fn is_zero(l: &mut Lowering, form: &Form) -> Done {
    let ty = if form.ty() == ScalarType::B16 { ScalarType::U16 } else { ScalarType::U32 };
    let (dst, a) = (l.dst(form, 0)?, l.src_extended(form, 1, ty)?);
    let zero = l.compared(Opcode::ISetpU, Comparison::Eq, a, Value::ZERO);
    l.select(dst, zero, Value::Const(1), Value::ZERO);
    Ok(())
}
