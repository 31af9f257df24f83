//! Generic addresses: one space for global and shared memory.
//!
//! Global memory, with constants and local memory in it, is where it is; the shared memory of a block is at
//! [`SHARED_WINDOW`], where no global memory is. A load or store without a space tests the address and is done under
//! the one guard or the other; where [`crate::compile::spaces`] can tell the space, nothing is left of the test.

use super::{
    form::{Form, Modifier},
    lowering::{Done, Lowering},
    memory::PtxAddress,
    memory_map::SHARED_WINDOW,
};
use crate::{
    compile::ir::{Cond, Mark, Op, Value},
    isa::{Comparison, Logic, Opcode},
    ptx::types::{ScalarType, StateSpace},
};
use Value::Const;

/// `cvta`: to and from generic addresses.
pub(super) fn convert(l: &mut Lowering, form: &Form) -> Done {
    let narrow = form.ty() == ScalarType::U32;
    let value = if narrow { [l.src(form, 1)?, Value::ZERO] } else { l.src_wide(form, 1)? };
    let mut low = value[0];
    if form.is_in(StateSpace::Shared) {
        let mark = if form.has(Modifier::To) { Mark::FromShared } else { Mark::ToShared };
        let dst = l.temp();
        let src = [low, Const(SHARED_WINDOW), Value::ZERO];
        l.emit(Op { dst: Some(dst), src, mark, ..Op::new(Opcode::Add, l.line) });
        low = Value::Reg(dst);
    }
    if narrow {
        let dst = l.dst(form, 0)?;
        l.mov(dst, low);
    } else {
        let dst = l.dst_wide(form, 0)?;
        l.mov_wide(dst, [low, value[1]]);
    }
    Ok(())
}

/// `isspacep`
pub(super) fn is_space(l: &mut Lowering, form: &Form) -> Done {
    let operand = l.operand(form, 1)?;
    let (value, _) = l.src_any(form, operand)?;
    let shared = l.is_shared(value[0]);
    let dst = l.dst_pred(form, 0)?;
    l.logic(dst, Logic::And, shared.invert_if(form.is_in(StateSpace::Global)), Cond::TRUE);
    Ok(())
}

impl Lowering<'_> {
    /// Whether a generic address is one of shared memory.
    fn is_shared(&mut self, address: Value) -> Cond {
        let dst = self.temp_pred();
        let (src, code) = ([address, Value::ZERO, Value::ZERO], Comparison::Lt as u8);
        self.emit(Op { pdst: Some(dst), code, src, mark: Mark::Test, ..Op::new(Opcode::ISetpS, self.line) });
        Cond::of(dst)
    }

    /// `p` and `q`.
    fn both(&mut self, p: Cond, q: Cond) -> Cond {
        if p == Cond::TRUE {
            return q;
        }
        let dst = self.temp_pred();
        self.logic(dst, Logic::And, p, q);
        Cond::of(dst)
    }

    /// Does an access at `address` in shared memory, and in global memory, each where the address is of it.
    pub(super) fn by_space(
        &mut self,
        address: &PtxAddress,
        access: impl Fn(&mut Self, bool, &PtxAddress) -> Done,
    ) -> Done {
        let at = match address.at(0) {
            Const(0) => address.base[0],
            offset => self.calc(Opcode::Add, address.base[0], offset),
        };
        let (guard, shared) = (self.guard, self.is_shared(at));
        let (in_shared, in_global) = (self.both(guard, shared), self.both(guard, shared.invert_if(true)));
        self.guard = in_shared;
        access(self, true, &address.in_window())?;
        self.guard = in_global;
        access(self, false, address)?;
        self.guard = guard;
        Ok(())
    }
}
