//! Barriers of a thread block: `bar.sync`, `bar.arrive`, `bar.red`.
//!
//! Number and count of threads are one word ([`barrier_word`]), a constant or in a register. A reduction is an arrival
//! that counts the threads for which a predicate holds, and behind it a read of the sum: a conjunction says that nobody
//! denies. A barrier takes all threads that come to it: under a guard it is in a block of its own.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, Op, Value},
    error::{Problem, PtxErrorKind},
    isa::{BARRIER_SUM, BARRIERS, Comparison, Opcode, barrier_word},
    ptx::ast::OperandKind,
};
use std::ops::Range;

/// Most threads of a block.
const MOST_THREADS: i64 = 1024;

/// `bar.sync a{, b}`, `bar.arrive a, b`.
pub(super) fn barrier(l: &mut Lowering, form: &Form) -> Done {
    let arrives = form.has(Modifier::Arrive);
    let found = form.instruction.operands.len();
    if !(1 + usize::from(arrives)..=2).contains(&found) {
        let message =
            format!("takes {}, found {found}", if arrives { "a barrier and a count" } else { "1 or 2 operands" });
        return Err(form.problem(PtxErrorKind::Syntax, &message));
    }
    let opcode = if arrives { Opcode::BarArrive } else { Opcode::Bar };
    l.under_guard(|l| {
        let word = word(l, form, 0..found)?;
        arrive(l, opcode, word, Cond::TRUE);
        Ok(())
    })
}

/// `bar.red.popc.u32 d, a{, b}, c`, `bar.red.{and,or}.pred p, a{, b}, c`.
pub(super) fn reduction(l: &mut Lowering, form: &Form) -> Done {
    let found = form.instruction.operands.len();
    if !(3..=4).contains(&found) {
        return Err(form.problem(PtxErrorKind::Syntax, &format!("takes 3 or 4 operands, found {found}")));
    }
    l.under_guard(|l| {
        let word = word(l, form, 1..found - 1)?;
        let holds = l.src_pred(form, found - 1)?;
        arrive(l, Opcode::Bar, word, holds.invert_if(form.has(Modifier::And)));
        let sum = l.calc(Opcode::S2r, Value::ZERO, Value::Const(BARRIER_SUM));
        if form.has(Modifier::Popc) {
            let dst = l.dst(form, 0)?;
            l.mov(dst, sum);
        } else {
            let dst = l.dst_pred(form, 0)?;
            let comparison = if form.has(Modifier::And) { Comparison::Eq } else { Comparison::Ne };
            l.compare(Opcode::ISetpU, dst, comparison, sum, Value::ZERO);
        }
        Ok(())
    })
}

fn arrive(l: &mut Lowering, opcode: Opcode, word: Value, p: Cond) {
    l.uses_barrier = true;
    l.emit(Op { src: [Value::ZERO, word, Value::ZERO], p, ..Op::new(opcode, l.line) });
}

/// What the operands in these places say: the number of the barrier, and the count of threads if there is one.
fn word(l: &mut Lowering, form: &Form, places: Range<usize>) -> Result<Value, Problem> {
    let wrong = |l: &Lowering, place: usize, message: String| match l.operand(form, place) {
        Ok(operand) => {
            let message = format!("`{}`: {message}", form.instruction.mnemonic);
            Problem::new(PtxErrorKind::Type, operand.span.clone(), message)
        }
        Err(problem) => problem,
    };
    if let Some(number) = constant(l, form, places.start)?
        && !(0..i64::from(BARRIERS)).contains(&number)
    {
        let message = format!("barrier {number}: a thread block has barriers 0 to {}", BARRIERS - 1);
        return Err(wrong(l, places.start, message));
    }
    let number = l.src(form, places.start)?;
    if places.len() < 2 {
        return Ok(number);
    }
    let place = places.start + 1;
    if let Some(count) = constant(l, form, place)?
        && !((1..=MOST_THREADS).contains(&count) && count % 32 == 0)
    {
        let message = format!("a count of {count} threads: it is a multiple of 32 from 32 to {MOST_THREADS}");
        return Err(wrong(l, place, message));
    }
    let count = l.src(form, place)?;
    if let (Value::Const(number), Value::Const(count)) = (number, count) {
        return Ok(Value::Const(barrier_word(number, count)));
    }
    let count = l.calc(Opcode::Shl, count, Value::Const(16));
    Ok(l.calc(Opcode::Or, count, number))
}

fn constant(l: &Lowering, form: &Form, place: usize) -> Result<Option<i64>, Problem> {
    match l.operand(form, place)?.kind {
        OperandKind::Integer(value) => Ok(Some(value)),
        _ => Ok(None),
    }
}
