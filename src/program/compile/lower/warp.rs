//! What the threads of a warp hand each other: shuffles and votes, by way of shared memory.
//!
//! Behind all other shared memory of a block each of its warps has a word for each thread ([`Exchange`]). The threads
//! of a warp are in step, and the core does their accesses to shared memory in order, so a shuffle is a store to the
//! own word and a load of another thread's; a vote is a word that is cleared, then collects the bits of the threads by
//! an atomic, then is read. Those who take part are the threads that execute the instruction. With a mask (`.sync`),
//! they have to be all that it names and that have not ended: the checks on memory look at that.

use super::{
    control,
    form::{Form, Modifier},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, MemoryAccess, Op, Pred, Reg, Value},
    error::Problem,
    isa::{AtomicOp, Comparison, Logic, Opcode},
    ptx::ast::{OperandKind, PtxOperand},
};

/// Bytes of a warp.
pub const EXCHANGE_BYTES: u32 = 128;

/// In code for checks, a store of a mask to this address says that the threads that it names are here; nothing is there.
pub const TOGETHER_ADDRESS: u32 = 248;

/// The exchange of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Byte offset in the parameter block of the word with its address in shared memory.
    pub offset: u32,
}

/// `shfl`: another thread's value; where there is none, the own one. Of a thread that the mask does not name PTX promises nothing: zero, by which a sum
/// of fewer lanes than the warp has is right (SDK reduction).
pub(super) fn shuffle(l: &mut Lowering, form: &Form) -> Done {
    let mask = together(l, form, 4)?.filter(|&mask| mask != Value::Const(u32::MAX));
    let (dst, there) = destinations(l, form)?;
    let (value, by, limits) = (l.src(form, 1)?, l.src(form, 2)?, l.src(form, 3)?);
    let lane = special(l, "%laneid");
    let low = |l: &mut Lowering, value: Value| l.calc(Opcode::And, value, Value::Const(31));
    let (by, clamp) = (low(l, by), low(l, limits));
    let above = l.calc(Opcode::Shr, limits, Value::Const(8));
    let part = low(l, above);
    let within = l.calc(Opcode::Xor, part, Value::Const(31));
    let first = l.calc(Opcode::And, lane, part);
    let last = l.calc(Opcode::And, clamp, within);
    let last = l.calc(Opcode::Or, first, last);
    let from = match () {
        () if form.has(Modifier::Up) => l.calc(Opcode::Sub, lane, by),
        () if form.has(Modifier::Down) => l.calc(Opcode::Add, lane, by),
        () if form.has(Modifier::Bfly) => l.calc(Opcode::Xor, lane, by),
        () => {
            let by = l.calc(Opcode::And, by, within);
            l.calc(Opcode::Or, first, by)
        }
    };
    let bound = if form.has(Modifier::Up) { Comparison::Ge } else { Comparison::Le };
    let holds = l.compared(Opcode::ISetpS, bound, from, last);
    let from = l.selected(holds, from, lane);
    let base = own_exchange(l);
    let at = |l: &mut Lowering, thread: Value| {
        let offset = l.calc(Opcode::Shl, thread, Value::Const(2));
        l.calc(Opcode::Add, base, offset)
    };
    let (own, other) = (at(l, lane), at(l, from));
    store(l, own, value);
    let loaded = load(l, other);
    let given = mask.map_or(loaded, |mask| {
        let behind = l.calc(Opcode::Shr, mask, from);
        let bit = l.calc(Opcode::And, behind, Value::Const(1));
        let named = l.compared(Opcode::ISetpU, Comparison::Ne, bit, Value::ZERO);
        l.selected(named, loaded, Value::ZERO)
    });
    if let Some(dst) = dst {
        l.mov(dst, given);
    }
    if let Some(there) = there {
        l.logic(there, Logic::And, holds, Cond::TRUE);
    }
    Ok(())
}

/// `d`, or `d|p`, either of which may be `_`.
fn destinations(l: &mut Lowering, form: &Form) -> Result<(Option<Reg>, Option<Pred>), Problem> {
    let operand = l.operand(form, 0)?;
    let OperandKind::Pair(dst, there) = &operand.kind else {
        return Ok((if operand.kind == OperandKind::Sink { None } else { Some(l.dst(form, 0)?) }, None));
    };
    let dst = match dst.as_str() {
        "_" => None,
        name => {
            let kind = OperandKind::Name { name: name.into(), negated: false, offset: 0 };
            Some(l.narrow(form, &PtxOperand { kind, span: operand.span.clone() })?)
        }
    };
    let there = match there.as_str() {
        "_" => None,
        name => Some(l.predicate_named(name, &operand.span)?),
    };
    Ok((dst, there))
}

/// `vote`: of all threads, of any, of all with the same predicate, or of each. With a mask, of those that it names: threads of a warp may
/// vote in groups, each with a mask of its own.
pub(super) fn vote(l: &mut Lowering, form: &Form) -> Done {
    let mask = together(l, form, 2)?.filter(|&mask| mask != Value::Const(u32::MAX));
    let holds = l.src_pred(form, 1)?;
    let votes_of = |l: &mut Lowering, holds: Cond| {
        let votes = ballot(l, holds);
        mask.map_or(votes, |mask| l.calc(Opcode::And, votes, mask))
    };
    if form.says("ballot") {
        let (dst, votes) = (l.dst(form, 0)?, votes_of(l, holds));
        l.mov(dst, votes);
        return Ok(());
    }
    let dst = l.dst_pred(form, 0)?;
    let nobody = |l: &mut Lowering, holds: Cond| {
        let votes = votes_of(l, holds);
        l.compared(Opcode::ISetpU, Comparison::Eq, votes, Value::ZERO)
    };
    match () {
        () if form.has(Modifier::Any) => {
            let nobody = nobody(l, holds);
            l.logic(dst, Logic::And, nobody.invert_if(true), Cond::TRUE);
        }
        () if form.has(Modifier::All) => {
            let nobody = nobody(l, holds.invert_if(true));
            l.logic(dst, Logic::And, nobody, Cond::TRUE);
        }
        () => {
            let (no, yes) = (nobody(l, holds), nobody(l, holds.invert_if(true)));
            l.logic(dst, Logic::Or, no, yes);
        }
    }
    Ok(())
}

/// `activemask`: who executes it.
pub(super) fn active_mask(l: &mut Lowering, form: &Form) -> Done {
    let (dst, votes) = (l.dst(form, 0)?, ballot(l, Cond::TRUE));
    l.mov(dst, votes);
    Ok(())
}

/// `bar.warp.sync`: the threads are in step; what they have written is to be seen.
pub(super) fn barrier(l: &mut Lowering, form: &Form) -> Done {
    together(l, form, 0)?;
    l.in_step = true;
    control::fence(l, form)
}

/// The bits of the threads for which `holds` does.
fn ballot(l: &mut Lowering, holds: Cond) -> Value {
    let base = own_exchange(l);
    store(l, base, Value::ZERO);
    let lane = special(l, "%laneid");
    let own = l.calc(Opcode::Shl, Value::Const(1), lane);
    let bit = l.selected(holds, own, Value::ZERO);
    let opcode = Opcode::of_atomic(AtomicOp::Or, true);
    l.emit(Op { src: [base, Value::ZERO, bit], access: word(), ..Op::new(opcode, l.line) });
    load(l, base)
}

/// The mask of threads that have to be here, at this place of the operands, where the instruction has one.
fn together(l: &mut Lowering, form: &Form, place: usize) -> Result<Option<Value>, Problem> {
    if form.instruction.operands.len() <= place {
        return Ok(None);
    }
    let mask = l.src(form, place)?;
    if l.high_words {
        let src = [Value::ZERO, Value::Const(TOGETHER_ADDRESS), mask];
        l.emit(Op { src, access: word(), ..Op::new(Opcode::StG32, l.line) });
    }
    Ok(Some(mask))
}

fn word() -> MemoryAccess {
    MemoryAccess { high: Value::ZERO, bytes: 4, before: 0 }
}

fn store(l: &mut Lowering, address: Value, value: Value) {
    l.emit(Op { src: [address, Value::ZERO, value], access: word(), ..Op::new(Opcode::StS32, l.line) });
}

fn load(l: &mut Lowering, address: Value) -> Value {
    let dst = l.temp();
    let src = [address, Value::ZERO, Value::ZERO];
    l.emit(Op { dst: Some(dst), src, access: word(), ..Op::new(Opcode::LdS32, l.line) });
    Value::Reg(dst)
}

fn special(l: &mut Lowering, name: &str) -> Value {
    l.special(name).map_or(Value::ZERO, |(value, _)| value[0])
}

/// The address of the words of the own warp.
fn own_exchange(l: &mut Lowering) -> Value {
    l.in_step = true;
    Value::Reg(*l.exchange.get_or_insert_with(|| l.code.reg()))
}

impl Lowering<'_> {
    /// Operations before the first one of the kernel that compute it. `offset`: of the word with the address of all.
    pub(super) fn begin_exchange(&mut self, offset: u32) {
        let Some(base) = self.exchange else { return };
        let warp = special(self, "%warpid");
        let own = self.calc(Opcode::Mul, warp, Value::Const(EXCHANGE_BYTES));
        let all = self.calc(Opcode::LdP32, Value::ZERO, Value::Const(offset));
        self.op(Opcode::Add, base, [all, own, Value::ZERO]);
    }
}
