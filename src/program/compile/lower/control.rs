//! Branches, returns, fences.

use super::{
    form::Form,
    lowering::{Done, Lowering},
    trap::Trap,
};
use crate::{
    compile::ir::{BlockId, Cond, End, MemoryAccess, Op, Value},
    error::{Problem, PtxErrorKind},
    isa::Opcode,
    ptx::ast::OperandKind,
};

/// `ret`: the end of the thread, or of the function that is taken in here.
pub(super) fn ret(l: &mut Lowering, form: &Form) -> Done {
    let Some(end) = l.return_to() else { return exit(l, form) };
    jump(l, end);
    Ok(())
}

/// Goes to a block where the guard holds.
pub(super) fn jump(l: &mut Lowering, taken: BlockId) {
    let next = l.code.blocks.len();
    let end = match l.guard {
        Cond::TRUE => End::Jump(taken),
        cond => End::Branch { cond, taken, next },
    };
    l.close_block(end);
    l.start_block();
}

/// `trap`, `brkpt`: no debugger is there to go on.
pub(super) fn trap(l: &mut Lowering, form: &Form) -> Done {
    trap_as(l, form, Trap::Instruction)
}

/// The same for another reason.
pub(super) fn trap_as(l: &mut Lowering, form: &Form, why: Trap) -> Done {
    store_line(l, why);
    exit(l, form)
}

/// Tells where a thread traps.
fn store_line(l: &mut Lowering, why: Trap) {
    let line = l.line.max(1);
    l.trap_lines.push((line, why));
    let line = Value::Const(line);
    let access = MemoryAccess { high: Value::ZERO, bytes: 4, before: 0 };
    l.emit(Op { src: [Value::ZERO, Value::Const(why.address()), line], access, ..Op::new(Opcode::StG32, l.line) });
}

/// The end of a thread that goes where nothing is.
pub(super) fn lost(l: &mut Lowering, why: Trap) {
    store_line(l, why);
    l.close_block(End::Exit);
    l.start_block();
}

/// What has no effect here: prefetches, hints.
pub(super) fn nothing(_: &mut Lowering, _: &Form) -> Done {
    Ok(())
}

/// The end of the thread. Under a guard it does not end a block: the other threads go on.
pub(super) fn exit(l: &mut Lowering, form: &Form) -> Done {
    if l.guard == Cond::TRUE && form.instruction.guard.is_none() {
        l.close_block(End::Exit);
        l.start_block();
    } else {
        l.emit(Op::new(Opcode::Exit, l.line));
    }
    Ok(())
}

pub(super) fn bra(l: &mut Lowering, form: &Form) -> Done {
    let operand = l.operand(form, 0)?;
    let OperandKind::Name { name, negated: false, offset: 0 } = &operand.kind else {
        return Err(l.wrong(form, operand, "a label"));
    };
    let Some(&taken) = l.labels.get(name.as_str()) else {
        let message = format!("label `{name}` does not exist");
        return Err(Problem::new(PtxErrorKind::Name, operand.span.clone(), message));
    };
    jump(l, taken);
    Ok(())
}

/// A fence of any scope waits for all accesses of the warp, which then are done for everybody.
pub(super) fn fence(l: &mut Lowering, _form: &Form) -> Done {
    l.emit(Op::new(Opcode::Membar, l.line));
    Ok(())
}
