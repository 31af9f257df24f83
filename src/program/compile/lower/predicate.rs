//! Predicates: comparisons, logic, selection.

use super::{
    form::Form,
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, Pred, Value},
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Logic, Opcode},
    ptx::{ast::OperandKind, types::ScalarType},
};

pub(super) fn mov(l: &mut Lowering, form: &Form) -> Done {
    let (dst, p) = (l.dst_pred(form, 0)?, l.src_pred(form, 1)?);
    l.logic(dst, Logic::And, p, Cond::TRUE);
    Ok(())
}

pub(super) fn not(l: &mut Lowering, form: &Form) -> Done {
    let (dst, p) = (l.dst_pred(form, 0)?, l.src_pred(form, 1)?);
    l.logic(dst, Logic::And, p.invert_if(true), Cond::TRUE);
    Ok(())
}

pub(super) fn logic(l: &mut Lowering, form: &Form) -> Done {
    let (dst, p, q) = (l.dst_pred(form, 0)?, l.src_pred(form, 1)?, l.src_pred(form, 2)?);
    l.logic(dst, logic_code(form.opcode()), p, q);
    Ok(())
}

fn logic_code(name: &str) -> Logic {
    match name {
        "or" => Logic::Or,
        "xor" => Logic::Xor,
        _ => Logic::And,
    }
}

/// Where a comparison goes: `p`, or `p|q` with `q` for the inverse.
fn destinations(l: &mut Lowering, form: &Form) -> Result<(Option<Pred>, Option<Pred>), Problem> {
    let operand = l.operand(form, 0)?;
    let mut named = |name: &str| match name {
        "_" => Ok(None),
        _ => l.predicate_named(name, &operand.span).map(Some),
    };
    match &operand.kind {
        OperandKind::Pair(p, q) => Ok((named(p)?, named(q)?)),
        _ => Ok((Some(l.dst_pred(form, 0)?), None)),
    }
}

/// What was compared: one number, or both of a word.
pub(super) enum Compared {
    /// To `p`, or to `p|q` with the inverse for `q`.
    One(Cond),
    /// To `p|q`.
    Each([Cond; 2]),
}

/// Writes outcomes of comparisons, combined with the third source when the mnemonic says so.
pub(super) fn write_compared(l: &mut Lowering, form: &Form, compared: Compared) -> Done {
    let outcomes = match compared {
        Compared::One(outcome) => {
            return finish(l, form, |l, dst| l.logic(dst, Logic::And, outcome, Cond::TRUE));
        }
        Compared::Each(outcomes) => outcomes,
    };
    let operand = l.operand(form, 0)?;
    if !matches!(operand.kind, OperandKind::Pair(..)) {
        let message = "a comparison of two numbers writes two predicates";
        return Err(Problem::new(PtxErrorKind::Type, operand.span.clone(), message).help("`p|q`, either may be `_`"));
    }
    let (code, other) = match form.parts[2] {
        "" => (Logic::And, Cond::TRUE),
        name => (logic_code(name), l.src_pred(form, 3)?),
    };
    let (p, q) = destinations(l, form)?;
    // The third source may be a destination.
    let combined = outcomes.map(|outcome| {
        let both = l.temp_pred();
        l.logic(both, code, outcome, other);
        Cond::of(both)
    });
    for (dst, outcome) in [p, q].into_iter().zip(combined) {
        if let Some(dst) = dst {
            l.logic(dst, Logic::And, outcome, Cond::TRUE);
        }
    }
    Ok(())
}

/// Writes the outcome of a comparison, combined with the third source when the mnemonic says so.
fn finish(l: &mut Lowering, form: &Form, compare: impl FnOnce(&mut Lowering, Pred)) -> Done {
    let combine = form.parts[2];
    let (p, q) = destinations(l, form)?;
    if let (Some(p), None, true) = (p, q, combine.is_empty()) {
        compare(l, p);
        return Ok(());
    }
    let (code, other) = match combine {
        "" => (Logic::And, Cond::TRUE),
        name => (logic_code(name), l.src_pred(form, 3)?),
    };
    let outcome = l.temp_pred();
    compare(l, outcome);
    let outcome = Cond::of(outcome);
    // The third source may be the first destination.
    let first = l.temp_pred();
    l.logic(first, code, outcome, other);
    if let Some(q) = q {
        l.logic(q, code, outcome.invert_if(true), other);
    }
    if let Some(p) = p {
        l.logic(p, Logic::And, Cond::of(first), Cond::TRUE);
    }
    Ok(())
}

/// Comparison and whether it is unsigned by name.
pub(super) fn comparison(name: &str) -> (Comparison, bool) {
    match name {
        "eq" => (Comparison::Eq, false),
        "ne" => (Comparison::Ne, false),
        "lt" => (Comparison::Lt, false),
        "le" => (Comparison::Le, false),
        "gt" => (Comparison::Gt, false),
        "ge" => (Comparison::Ge, false),
        "lo" => (Comparison::Lt, true),
        "ls" => (Comparison::Le, true),
        "hi" => (Comparison::Gt, true),
        "hs" => (Comparison::Ge, true),
        "equ" => (Comparison::Equ, false),
        "neu" => (Comparison::Neu, false),
        "ltu" => (Comparison::Ltu, false),
        "leu" => (Comparison::Leu, false),
        "gtu" => (Comparison::Gtu, false),
        "geu" => (Comparison::Geu, false),
        "num" => (Comparison::Num, false),
        _ => (Comparison::Nan, false),
    }
}

pub(super) fn setp_integer(l: &mut Lowering, form: &Form) -> Done {
    let (comparison, unsigned) = comparison(form.parts[1]);
    let ty = form.ty();
    let (a, b) = (l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
    let signed = ty.is_signed() && !unsigned;
    let opcode = if signed { Opcode::ISetpS } else { Opcode::ISetpU };
    finish(l, form, |l, dst| l.compare(opcode, dst, comparison, a, b))
}

pub(super) fn setp_wide(l: &mut Lowering, form: &Form) -> Done {
    let (comparison, unsigned) = comparison(form.parts[1]);
    let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    let signed = form.ty() == ScalarType::S64 && !unsigned;
    finish(l, form, |l, dst| {
        let outcome = l.compared_wide(comparison, signed, a, b);
        l.logic(dst, Logic::And, outcome, Cond::TRUE);
    })
}

pub(super) fn setp_float(l: &mut Lowering, form: &Form) -> Done {
    let (comparison, _) = comparison(form.parts[1]);
    let (a, b) = (l.float(form, 1)?, l.float(form, 2)?);
    finish(l, form, |l, dst| l.compare(Opcode::FSetp, dst, comparison, a, b))
}

pub(super) fn setp_double(l: &mut Lowering, form: &Form) -> Done {
    let (comparison, _) = comparison(form.parts[1]);
    let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
    finish(l, form, |l, dst| {
        let outcome = l.compared_double(comparison, a, b);
        l.logic(dst, Logic::And, outcome, Cond::TRUE);
    })
}

pub(super) fn selp(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b, p) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?, l.src_pred(form, 3)?);
    l.select(dst, p, a, b);
    Ok(())
}

pub(super) fn selp_wide(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a, b, p) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?, l.src_pred(form, 3)?);
    for i in 0..2 {
        l.select(dst[i], p, a[i], b[i]);
    }
    Ok(())
}

/// `slct`: `a` where `c` is at least zero, else `b`; -0 is, NaN is not.
pub(super) fn select_by_sign(l: &mut Lowering, form: &Form) -> Done {
    let c = l.float(form, 3)?;
    let opcode = if form.ty() == ScalarType::F32 { Opcode::FSetp } else { Opcode::ISetpS };
    let positive = l.compared(opcode, Comparison::Ge, c, Value::ZERO);
    if form.result_type().bits() == 64 {
        let (dst, a, b) = (l.dst_wide(form, 0)?, l.src_wide(form, 1)?, l.src_wide(form, 2)?);
        let result = l.select_wide(positive, a, b);
        l.mov_wide(dst, result);
    } else {
        let (dst, a, b) = (l.dst(form, 0)?, l.src(form, 1)?, l.src(form, 2)?);
        l.select(dst, positive, a, b);
    }
    Ok(())
}

/// `set`: the outcome of a comparison as a number, all ones or 1.0.
pub(super) fn set(l: &mut Lowering, form: &Form) -> Done {
    let (dst, ty) = (l.dst(form, 0)?, form.ty());
    let mut outcome = Cond::of(l.temp_pred());
    if let Some(pred) = outcome.pred {
        compare_as(l, form, ty, pred)?;
    }
    if !form.parts[2].is_empty() {
        let (code, other, combined) = (logic_code(form.parts[2]), l.src_pred(form, 3)?, l.temp_pred());
        l.logic(combined, code, outcome, other);
        outcome = Cond::of(combined);
    }
    let yes = if form.result_type() == ScalarType::F32 { 1.0f32.to_bits() } else { u32::MAX };
    l.select(dst, outcome, Value::Const(yes), Value::ZERO);
    Ok(())
}

/// The comparison of a `set` or `setp`.
fn compare_as(l: &mut Lowering, form: &Form, ty: ScalarType, dst: Pred) -> Done {
    let (comparison, unsigned) = comparison(form.parts[1]);
    if ty == ScalarType::F32 {
        let (a, b) = (l.float(form, 1)?, l.float(form, 2)?);
        l.compare(Opcode::FSetp, dst, comparison, a, b);
    } else if ty == ScalarType::F64 {
        let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
        let outcome = l.compared_double(comparison, a, b);
        l.logic(dst, Logic::And, outcome, Cond::TRUE);
    } else if ty.bits() == 64 {
        let (a, b) = (l.src_wide(form, 1)?, l.src_wide(form, 2)?);
        let outcome = l.compared_wide(comparison, ty == ScalarType::S64 && !unsigned, a, b);
        l.logic(dst, Logic::And, outcome, Cond::TRUE);
    } else {
        let (a, b) = (l.src_extended(form, 1, ty)?, l.src_extended(form, 2, ty)?);
        let signed = ty.is_signed() && !unsigned;
        l.compare(if signed { Opcode::ISetpS } else { Opcode::ISetpU }, dst, comparison, a, b);
    }
    Ok(())
}

/// `testp`: what kind of float it is.
pub(super) fn test(l: &mut Lowering, form: &Form) -> Done {
    let (dst, a) = (l.dst_pred(form, 0)?, l.src(form, 1)?);
    let magnitude = l.calc(Opcode::And, a, Value::Const(0x7fff_ffff));
    const INFINITE: u32 = 0x7f80_0000;
    const NORMAL: u32 = 0x0080_0000;
    let (value, comparison, bound) = match form.parts[1] {
        "finite" => (magnitude, Comparison::Lt, INFINITE),
        "infinite" => (magnitude, Comparison::Eq, INFINITE),
        "number" => (magnitude, Comparison::Le, INFINITE),
        "notanumber" => (magnitude, Comparison::Gt, INFINITE),
        // Zero is neither normal nor subnormal: as an unsigned number, what is below wraps.
        "normal" => (l.calc(Opcode::Sub, magnitude, Value::Const(NORMAL)), Comparison::Lt, INFINITE - NORMAL),
        _ => (l.calc(Opcode::Sub, magnitude, Value::Const(1)), Comparison::Lt, NORMAL - 1),
    };
    l.compare(Opcode::ISetpU, dst, comparison, value, Value::Const(bound));
    Ok(())
}
