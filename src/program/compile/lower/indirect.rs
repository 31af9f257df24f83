//! Calls through a register and branches by a number: the cores have neither. A call is a sequence of comparisons with
//! the functions that it may go to, each taken in behind its comparison; a branch one of comparisons with numbers.
//!
//! A function has an address, which is a number and nothing more: the same for all kernels of a file, so pointers may
//! be in memory from one launch to the next. Whom a call may go to: the functions of its `.calltargets`, or those that
//! fit its `.callprototype` and whose address is taken anywhere in the file, by an instruction or as the initial value
//! of a variable (the tables of virtual functions). A pointer to none of them traps.

use super::{
    call::FunctionCall,
    control,
    form::Form,
    functions::{Callees, fits, function_address, function_named, functions_taken},
    lowering::{Done, Lowering},
    trap::Trap,
};
use crate::{
    compile::ir::{BlockId, End, Value},
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Opcode},
    ptx::ast::{OperandKind, PtxFunction, PtxOperand},
};

/// The list or prototype that an operand names.
fn callees<'a>(l: &Lowering<'a>, form: &Form, operand: &PtxOperand) -> Result<Callees<'a>, Problem> {
    let found = match &operand.kind {
        OperandKind::Name { name, negated: false, offset: 0 } => l.callees.get(name.as_str()).copied(),
        _ => None,
    };
    found.ok_or_else(|| l.wrong(form, operand, "the label of a `.callprototype`, `.calltargets` or `.branchtargets`"))
}

/// The functions that a call may go to.
fn candidates<'a>(l: &Lowering<'a>, callees: Callees<'a>) -> Result<Vec<&'a PtxFunction>, Problem> {
    let module = l.module;
    match callees {
        Callees::Targets(list) => list
            .targets
            .iter()
            .map(|(name, span)| {
                function_named(module, name).ok_or_else(|| {
                    Problem::new(PtxErrorKind::Name, span.clone(), format!("there is no function `{name}`"))
                })
            })
            .collect(),
        Callees::Prototype(prototype) => {
            let taken = functions_taken(module).into_iter().filter_map(|name| function_named(module, name));
            Ok(taken.filter(|function| fits(function, prototype)).collect())
        }
    }
}

/// `call (result), register, (arguments), prototype;` The guard has been looked at.
pub(super) fn call(l: &mut Lowering, call: &FunctionCall, callees: &PtxOperand) -> Done {
    let form = call.form;
    let may_be = self::callees(l, form, callees)?;
    let candidates = candidates(l, may_be)?;
    if candidates.is_empty() {
        let message = "no function of the file has this prototype and its address taken";
        return Err(form.problem(PtxErrorKind::Unsupported, message));
    }
    let operands = form.instruction.operands.iter();
    let Some(pointer) = operands.clone().find(|operand| operand.span == *call.span) else { return Ok(()) };
    let ([address, _], _) = l.src_any(form, pointer)?;
    // The functions that are taken in may use its register.
    let kept = l.code.reg();
    l.mov(kept, address);
    let (line, done) = (l.line, l.label());
    for function in candidates.into_iter().filter(|function| function.body.is_some()) {
        let Some(own) = function_address(l.module, &function.name) else { continue };
        let other = compare(l, Value::Reg(kept), own);
        call.function(l, function)?;
        l.line = line;
        control::jump(l, done);
        l.place(other);
    }
    control::lost(l, Trap::Call);
    l.place(done);
    Ok(())
}

/// What follows is for those whose `value` is this constant; the others go to the label that is returned.
fn compare(l: &mut Lowering, value: Value, constant: u32) -> BlockId {
    let differs = l.compared(Opcode::ISetpU, Comparison::Ne, value, Value::Const(constant));
    let (other, next) = (l.label(), l.code.blocks.len());
    l.close_block(End::Branch { cond: differs, taken: other, next });
    l.start_block();
    other
}

/// `brx.idx index, list;` An index beyond the list traps.
pub(super) fn branch(l: &mut Lowering, form: &Form) -> Done {
    let list = l.operand(form, 1)?;
    let Callees::Targets(list) = callees(l, form, list)? else {
        return Err(l.wrong(form, list, "the label of a `.branchtargets`"));
    };
    let index = l.src(form, 0)?;
    l.under_guard(|l| {
        for (number, (name, span)) in (0..).zip(&list.targets) {
            let Some(&taken) = l.labels.get(name.as_str()) else {
                return Err(Problem::new(PtxErrorKind::Name, span.clone(), format!("label `{name}` does not exist")));
            };
            let cond = l.compared(Opcode::ISetpU, Comparison::Eq, index, Value::Const(number));
            let next = l.code.blocks.len();
            l.close_block(End::Branch { cond, taken, next });
            l.start_block();
        }
        control::lost(l, Trap::Branch);
        Ok(())
    })
}
