//! Recursion: functions that reach themselves by calls. Others are taken in where they are called ([`super::call`]);
//! these are lowered once for each outermost call, as
//! a loop over a stack in the thread's local memory.
//!
//! ```text
//!   call:      [sp ..] = live registers; [.. sp + frame] = number of the call; sp += frame; parameters = arguments; go
//! to the function
//!   function:  body, to `dispatch` at its end
//!   dispatch:  go to where the call with the number below sp goes on
//!   go on:     results; sp -= frame; live registers = [sp ..]
//! ```
//!
//! A frame holds the local variables of the function that calls, the registers and predicates that live over the call,
//! and the number of the call. Where it would pass the
//! end of the stack the thread traps. All of it is plain code: threads of a warp may be at different depths, and
//! reconverge where the flow of control does.

use super::{
    control,
    form::Form,
    frames::{FrameRegion, LoweredFunction, RecursiveCall},
    lowering::{Done, LABEL, Lowering},
    slots::words_of,
    trap::Trap,
};
use crate::{
    compile::{
        ir::{BlockId, Cond, End, KernelCode, Mark, Op, Pred, Reg, Value},
        live::{LiveSet, RegisterKind, live_out},
        progress::Progress,
    },
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Opcode},
    ptx::ast::{PtxFunction, Variable},
};

/// Calls a function that reaches itself; gives registers with its results.
pub(super) fn call<'a>(
    l: &mut Lowering<'a>,
    form: &Form,
    function: &'a PtxFunction,
    arguments: &[Vec<Reg>],
) -> Result<Vec<Vec<Reg>>, Problem> {
    let cycle = l.recursion.cycles[function.name.as_str()];
    let caller = l.recursion.current.last().copied();
    let is_outermost = l.recursion.regions.last().is_none_or(|region| region.cycle != cycle);
    let (top, limit) = l.stack_pointers();
    // Parameters of the function may be among its arguments, in another order.
    let values: Vec<Vec<Reg>> = arguments.iter().map(|words| l.copies(words)).collect();
    if is_outermost {
        let (dispatch, first) = (l.label(), (l.code.next_reg, l.code.next_pred));
        l.recursion.regions.push(FrameRegion { cycle, functions: vec![], dispatch, calls: vec![], first });
    }
    let at = l.function_of_region(function, form)?;
    let [save, back, restore, after] = [(); 4].map(|()| l.label());
    let line = l.line;
    let need = (l.code.blocks.len() - 1, l.code.blocks.last().map_or(0, |block| block.ops.len()));
    let end = l.calc(Opcode::Add, Value::Reg(top), Value::ZERO);
    let over = l.compared(Opcode::ISetpU, Comparison::Gt, end, Value::Reg(limit));
    let next = l.code.blocks.len();
    l.close_block(End::Branch { cond: over.invert_if(true), taken: save, next });
    l.start_block();
    control::lost(l, Trap::Stack);
    l.place(save);
    let region = l.recursion.regions.last().expect("it is there since the outermost call");
    let (callee, entry) = (region.functions[at].number, region.functions[at].entry);
    let (params, own_results) = (region.functions[at].params.clone(), region.functions[at].results.clone());
    for (&param, &value) in params.iter().flatten().zip(values.iter().flatten()) {
        l.mov(param, Value::Reg(value));
    }
    l.close_block(End::Jump(entry));
    l.start_block();
    let number = l.recursion.calls.len();
    let call = RecursiveCall { caller, callee, save, restore, after, need, own: (0..0, 0..0), results: vec![], line };
    l.recursion.calls.push(call);
    let region = l.recursion.regions.last_mut().expect("the same");
    region.calls.push((number, back));
    if is_outermost {
        l.lower_region()?;
        l.line = line;
    }
    l.place(back);
    let results: Vec<Vec<Reg>> = own_results.iter().map(|words| l.copies(words)).collect();
    l.place(restore);
    l.place(after);
    l.recursion.calls[number].results = results.iter().flatten().copied().collect();
    Ok(results)
}

impl<'a> Lowering<'a> {
    fn stack_pointers(&mut self) -> (Reg, Reg) {
        self.local_register();
        let code = &mut self.code;
        *self.recursion.pointers.get_or_insert_with(|| (code.reg(), code.reg()))
    }

    fn copies(&mut self, words: &[Reg]) -> Vec<Reg> {
        let copy = |l: &mut Self, word: Reg| {
            let copy = l.code.reg();
            l.mov(copy, Value::Reg(word));
            copy
        };
        words.iter().map(|&word| copy(self, word)).collect()
    }

    /// The place of a function in the innermost region, with registers for its parameters and results.
    fn function_of_region(&mut self, function: &'a PtxFunction, form: &Form) -> Result<usize, Problem> {
        let region = self.recursion.regions.last().expect("an outermost call is being lowered");
        if let Some(at) = region.functions.iter().position(|other| other.function.name == function.name) {
            return Ok(at);
        }
        if let Some(odd) = function.params.iter().chain(&function.results).find(|param| param.bytes().is_none()) {
            let message = format!("parameter `{}` has no size", odd.name);
            return Err(form.problem(PtxErrorKind::Unsupported, &message));
        }
        let entry = self.label();
        let mut rows = |variables: &[Variable]| -> Vec<Vec<Reg>> {
            let row = |variable: &Variable| (0..words_of(variable)).map(|_| self.code.reg()).collect();
            variables.iter().map(row).collect()
        };
        let (params, results) = (rows(&function.params), rows(&function.results));
        let number = self.recursion.locals.len();
        self.recursion.locals.push(0);
        let region = self.recursion.regions.last_mut().expect("the same");
        region.functions.push(LoweredFunction { function, entry, params, results, number });
        Ok(region.functions.len() - 1)
    }

    /// The bodies of all functions of the innermost region, and where they return.
    fn lower_region(&mut self) -> Done {
        let mut at = 0;
        while let Some(next) = self.recursion.regions.last().and_then(|region| region.functions.get(at)) {
            let (function, entry, number) = (next.function, next.entry, next.number);
            let names = function.params.iter().chain(&function.results).map(|variable| variable.name.clone());
            let bindings = names.zip(next.params.iter().chain(&next.results).cloned()).collect();
            self.place(entry);
            let outer = std::mem::take(&mut self.local_end);
            self.recursion.current.push(number);
            let body = function.body.as_deref().unwrap_or_default();
            self.inline(function, body, bindings)?;
            self.recursion.current.pop();
            self.local_end = outer;
            let region = self.recursion.regions.last().expect("the same");
            let dispatch = region.dispatch;
            self.close_block(End::Jump(dispatch));
            self.start_block();
            at += 1;
        }
        let region = self.recursion.regions.pop().expect("the same");
        self.place(region.dispatch);
        let (top, _) = self.stack_pointers();
        let below = self.calc(Opcode::Add, Value::Reg(top), Value::Const(4_u32.wrapping_neg()));
        let number = self.code.reg();
        let src = [below, Value::ZERO, Value::ZERO];
        self.emit(Op { dst: Some(number), src, ..Op::new(Opcode::LdG32, self.line) });
        let (&(_, last), others) = region.calls.split_last().expect("at least the outermost");
        for &(call, taken) in others {
            let cond = self.compared(Opcode::ISetpU, Comparison::Eq, Value::Reg(number), Value::Const(call as u32));
            let next = self.code.blocks.len();
            self.close_block(End::Branch { cond, taken, next });
            self.start_block();
        }
        self.close_block(End::Jump(last));
        self.start_block();
        let own = (region.first.0..self.code.next_reg, region.first.1..self.code.next_pred);
        // The first call is the outermost: what is live around it the region does not touch.
        for &(call, _) in &region.calls[1..] {
            self.recursion.calls[call].own = own.clone();
        }
        Ok(())
    }

    /// When all blocks are in their places: what each call saves, and with it the size of its frame. Frames are the
    /// same in code for checks on memory: up to here loads
    /// and stores have kept the high words of their addresses, so that these are live in both.
    pub(super) fn fill_in_frames(&mut self) {
        let saved = if self.recursion.calls.is_empty() { vec![] } else { self.saved() };
        let calls = std::mem::take(&mut self.recursion.calls);
        let frame = |call: &RecursiveCall, saved: &Saved| {
            let locals = call.caller.map_or(0, |caller| self.recursion.locals[caller].next_multiple_of(4));
            (locals, self.recursion.aligned(locals + 4 * (saved.regs.len() + saved.preds.len()) as u32 + 4))
        };
        let frames: Vec<_> = calls.iter().zip(&saved).map(|(call, saved)| frame(call, saved)).collect();
        let top = self.recursion.pointers.map_or(0, |(top, _)| top);
        for (number, ((call, saved), (locals, frame))) in calls.iter().zip(&saved).zip(frames).enumerate() {
            let needed = frame.saturating_add(self.recursion.locals[call.callee]);
            let (block, at) = call.need;
            self.code.blocks[block].ops[at].src[1] = Value::Const(needed);
            let (store, load) = self.saving(saved, (top, locals), (number as u32, frame), call.line);
            let [save, restore] = [call.save, call.restore].map(|label| self.places[label - LABEL]);
            self.code.blocks[save].ops.splice(..0, store);
            self.code.blocks[restore].ops.splice(..0, load);
        }
        if self.recursion.exists() && !self.high_words {
            self.code.blocks.iter_mut().flat_map(|block| &mut block.ops).for_each(|op| op.access.high = Value::ZERO);
        }
    }

    /// What is live behind each call, of the registers that the functions of its region write. A call that saves a
    /// register reads it, and one that restores it writes it: so
    /// from nothing saved, until nothing is missing.
    fn saved(&self) -> Vec<Saved> {
        let calls = &self.recursion.calls;
        let place = |label: BlockId| self.places[label - LABEL];
        let mut saved: Vec<Saved> = calls.iter().map(|_| Saved::default()).collect();
        loop {
            let mut code = self.code.clone();
            for (call, saved) in calls.iter().zip(&saved) {
                let reads =
                    saved.regs.iter().map(|&reg| Op { src: [Value::Reg(reg), Value::ZERO, Value::ZERO], ..nothing() });
                let tests = saved.preds.iter().map(|&pred| Op { p: Cond::of(pred), ..nothing() });
                code.blocks[place(call.save)].ops.splice(..0, reads.chain(tests));
                let writes = call.own.0.clone().filter(|reg| !call.results.contains(reg));
                let writes = writes.map(|reg| Op { dst: Some(reg), ..nothing() });
                let sets = self.own_preds(call).map(|pred| Op { pdst: Some(pred), ..nothing() });
                code.blocks[place(call.restore)].ops.splice(..0, writes.chain(sets));
            }
            let live = |kind: RegisterKind| {
                let out = live_out(&code, kind, &Progress::default());
                let mut at_start = LiveSet::new(kind.names(&code));
                move |call: &RecursiveCall, code: &KernelCode| -> Vec<u32> {
                    let after = place(call.after);
                    at_start.set(out[after].iter().copied());
                    code.blocks[after].ops.iter().rev().for_each(|op| at_start.step_back(kind, op));
                    let mut live: Vec<u32> = at_start.iter().collect();
                    live.sort_unstable();
                    live
                }
            };
            let (mut regs, mut preds) = (live(RegisterKind::Registers), live(RegisterKind::Predicates));
            let found = calls.iter().map(|call| {
                let (mut regs, mut preds) = (regs(call, &code), preds(call, &code));
                regs.retain(|reg| call.own.0.contains(reg) && !call.results.contains(reg));
                preds.retain(|pred| self.own_preds(call).any(|own| own == *pred));
                Saved { regs, preds }
            });
            let found: Vec<Saved> = found.collect();
            if found == saved {
                return saved;
            }
            saved = found;
        }
    }

    /// Predicates that the functions of a call's region write: their own, and that of carry chains.
    fn own_preds(&self, call: &RecursiveCall) -> impl Iterator<Item = Pred> {
        let is_inner = !call.own.0.is_empty();
        call.own.1.clone().chain(self.condition_code.filter(|_| is_inner))
    }

    /// The operations before the parameters get their values, and those behind the return.
    fn saving(
        &mut self,
        saved: &Saved,
        (top, locals): (Reg, u32),
        (number, frame): (u32, u32),
        line: u32,
    ) -> (Vec<Op>, Vec<Op>) {
        let new = |opcode| Op { mark: Mark::Frame, ..Op::new(opcode, line) };
        let at = |offset: u32, data: Value| [Value::Reg(top), Value::Const(offset), data];
        let move_top = |by: u32| Op { dst: Some(top), src: at(by, Value::ZERO), ..Op::new(Opcode::Add, line) };
        let (mut store, mut load) = (vec![], vec![move_top(frame.wrapping_neg())]);
        let offsets = (0..).map(|i| locals + 4 * i);
        for (&reg, offset) in saved.regs.iter().zip(offsets.clone()) {
            store.push(Op { src: at(offset, Value::Reg(reg)), ..new(Opcode::StG32) });
            load.push(Op { dst: Some(reg), src: at(offset, Value::ZERO), ..new(Opcode::LdG32) });
        }
        for (&pred, offset) in saved.preds.iter().zip(offsets.skip(saved.regs.len())) {
            let word = self.code.reg();
            let src = [Value::Const(1), Value::ZERO, Value::ZERO];
            store.push(Op { dst: Some(word), src, p: Cond::of(pred), ..Op::new(Opcode::Sel, line) });
            store.push(Op { src: at(offset, Value::Reg(word)), ..new(Opcode::StG32) });
            let word = self.code.reg();
            load.push(Op { dst: Some(word), src: at(offset, Value::ZERO), ..new(Opcode::LdG32) });
            let (src, code) = ([Value::Reg(word), Value::ZERO, Value::ZERO], Comparison::Ne as u8);
            load.push(Op { pdst: Some(pred), src, code, ..Op::new(Opcode::ISetpU, line) });
        }
        store.push(Op { src: at(frame - 4, Value::Const(number)), ..new(Opcode::StG32) });
        store.push(move_top(frame));
        (store, load)
    }

    /// Adds the stack to the local memory of a thread; gives the bytes before it.
    pub(super) fn reserve_stack(&mut self) -> u32 {
        if self.recursion.pointers.is_none() {
            return self.local_bytes;
        }
        let before = self.recursion.aligned(self.local_bytes);
        self.local_bytes = self.recursion.aligned(before + self.stack_bytes);
        before
    }

    /// The operations that point to the stack, so many bytes behind the begin of the thread's local memory.
    pub(super) fn begin_stack(&mut self, base: Reg, before: u32) {
        let Some((top, limit)) = self.recursion.pointers else { return };
        for (pointer, offset) in [(top, before), (limit, before + self.stack_bytes)] {
            self.op(Opcode::Add, pointer, [Value::Reg(base), Value::Const(offset), Value::ZERO]);
        }
    }
}

/// Registers and predicates that a call saves.
#[derive(Default, PartialEq)]
struct Saved {
    regs: Vec<Reg>,
    preds: Vec<Pred>,
}

/// An operation to say to the liveness analysis what is read or written.
fn nothing() -> Op {
    Op::new(Opcode::Mov, 0)
}
