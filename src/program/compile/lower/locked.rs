//! Atomics of 64 bits in shared memory, whose banks do 32: each under a lock of its block's.
//!
//! ```text
//!   again: held = exchange(lock, 1)        A block has [`LOCKS`] of them behind its own shared memory; an address always has the same one.
//!          if held == 0                    The holder releases it before other lanes of the warp retry: no thread waits for one that
//!            old = word(s); word(s) = new  cannot go on. The core does a warp's accesses to shared memory in order, so that the next owner
//!            exchange(lock, 0)             sees both words.
//!          until it was held
//! ```
//!
//! The words are read and written by atomics, so that neither is a race. Atomics of 32 bits on the same words at the
//! same time may be lost, and plain loads may see one new word: a program may not mix them. Locks are free from the
//! start: the first thread of a block clears them, and all wait for it at a barrier before anything else.

use super::{lowering::Lowering, memory::PtxAddress};
use crate::{
    compile::ir::{BlockId, Cond, End, MemoryAccess, Op, Reg, Value},
    isa::{AtomicOp, Comparison, Logic, Opcode},
};

/// Locks of a block: a power of two.
const LOCKS: u32 = 16;

/// Puts what `new` makes of the 64 bits at an address in shared memory in their place; `dst` gets what was there.
pub(super) fn update(
    l: &mut Lowering,
    address: &PtxAddress,
    dst: Option<[Reg; 2]>,
    new: impl Fn(&mut Lowering, [Value; 2]) -> [Value; 2],
) {
    l.under_guard(|l| in_loop(l, address, dst, new));
}

fn in_loop(
    l: &mut Lowering,
    address: &PtxAddress,
    dst: Option<[Reg; 2]>,
    new: impl Fn(&mut Lowering, [Value; 2]) -> [Value; 2],
) {
    let locks = l.lock_words();
    let words = [0, 4].map(|before| l.calc(Opcode::Add, address.base[0], address.at(before)));
    let accesses = [0, 4].map(|before| address.access(l, 8, before));
    let place = l.calc(Opcode::Shr, words[0], Value::Const(1));
    let place = l.calc(Opcode::And, place, Value::Const(4 * (LOCKS - 1)));
    let lock = l.calc(Opcode::Add, place, Value::Const(locks));
    let of_lock = MemoryAccess { high: Value::ZERO, bytes: 4, before: 0 };
    let (again, behind) = (l.label(), l.label());
    let (held, waits) = (l.code.reg(), l.code.pred());
    l.logic(waits, Logic::And, Cond::TRUE, Cond::TRUE);
    l.place(again);
    atomic(l, AtomicOp::Exch, Some(held), lock, of_lock, Value::Const(1));
    let taken = l.compared(Opcode::ISetpU, Comparison::Ne, Value::Reg(held), Value::ZERO);
    branch(l, taken, behind);
    let old = [0, 1].map(|word| {
        let old = l.code.reg();
        atomic(l, AtomicOp::Or, Some(old), words[word], accesses[word], Value::ZERO);
        Value::Reg(old)
    });
    let new = new(l, old);
    for word in 0..2 {
        atomic(l, AtomicOp::Exch, None, words[word], accesses[word], new[word]);
    }
    atomic(l, AtomicOp::Exch, None, lock, of_lock, Value::ZERO);
    if let Some(dst) = dst {
        l.mov_wide(dst, old);
    }
    l.logic(waits, Logic::And, Cond::TRUE.invert_if(true), Cond::TRUE);
    l.place(behind);
    branch(l, Cond::of(waits), again);
}

fn branch(l: &mut Lowering, cond: Cond, taken: BlockId) {
    let next = l.code.blocks.len();
    l.close_block(End::Branch { cond, taken, next });
    l.start_block();
}

fn atomic(l: &mut Lowering, op: AtomicOp, dst: Option<Reg>, at: Value, access: MemoryAccess, operand: Value) {
    let src = [at, Value::ZERO, operand];
    l.emit(Op { dst, src, access, ..Op::new(Opcode::of_atomic(op, true), l.line) });
}

impl Lowering<'_> {
    /// Where the locks of the block are in shared memory.
    fn lock_words(&mut self) -> u32 {
        if let Some(locks) = self.locks {
            return locks;
        }
        let at = self.shared_bytes.next_multiple_of(4);
        self.shared_bytes = at + u64::from(4 * LOCKS);
        self.uses_barrier = true;
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.locks = Some(at);
        at
    }

    /// Frees all locks.
    pub(super) fn begin_locks(&mut self, locks: u32) {
        let place = (0..3).map(|number| self.calc(Opcode::S2r, Value::ZERO, Value::Const(number))).collect::<Vec<_>>();
        let place = place.into_iter().reduce(|sum, number| self.calc(Opcode::Or, sum, number)).unwrap_or(Value::ZERO);
        let first = self.compared(Opcode::ISetpU, Comparison::Eq, place, Value::ZERO);
        let access = MemoryAccess { high: Value::ZERO, bytes: 4, before: 0 };
        for lock in 0..LOCKS {
            let src = [Value::ZERO, Value::Const(locks + 4 * lock), Value::ZERO];
            let store = Op { src, access, ..Op::new(Opcode::StS32, self.line) };
            self.emit(Op { guard: first, ..store });
        }
        self.emit(Op::new(Opcode::Bar, self.line));
    }
}
