//! Loads of parameters at an address that differs from thread to thread: the parameter memory of a core gives all
//! threads of a warp the same word. So all words that the address may be of are loaded, and each thread chooses its
//! own.

use super::ir::*;
use crate::isa::{Comparison, Opcode};
use std::ops::Range;

/// Words that an address may be of, at most; structures with more are in constant memory ([`super::lower`]).
const MOST_WORDS: usize = 64;

/// The words that such loads may be of, if there are any loads; `taken` are the bytes of the parameters whose address the kernel takes.
fn words(code: &KernelCode, taken: &[Range<u32>]) -> Vec<u32> {
    if !code.ops().any(is_dynamic) {
        return vec![];
    }
    taken.iter().flat_map(|bytes| (bytes.start & !3..bytes.end).step_by(4)).collect()
}

fn is_dynamic(op: &Op) -> bool {
    op.opcode == Opcode::LdP32 && op.src[0].reg().is_some()
}

/// There are more words than are loaded for each such load: the parameters are better in constant memory.
pub fn are_too_many(code: &KernelCode, taken: &[Range<u32>]) -> bool {
    words(code, taken).len() > MOST_WORDS
}

/// Replaces such loads.
pub fn choose(code: &mut KernelCode, taken: &[Range<u32>]) {
    let words = words(code, taken);
    if words.is_empty() {
        return;
    }
    for b in 0..code.blocks.len() {
        let mut ops = vec![];
        for op in std::mem::take(&mut code.blocks[b].ops) {
            match is_dynamic(&op) {
                true => ops.extend(chosen(code, op, &words)),
                false => ops.push(op),
            }
        }
        code.blocks[b].ops = ops;
    }
}

fn chosen(code: &mut KernelCode, load: Op, words: &[u32]) -> Vec<Op> {
    let line = load.line;
    let mut ops = vec![];
    let mut calc = |code: &mut KernelCode, opcode: Opcode, src: [Value; 2], p: Cond| {
        let dst = code.reg();
        ops.push(Op { dst: Some(dst), src: [src[0], src[1], Value::ZERO], p, ..Op::new(opcode, line) });
        Value::Reg(dst)
    };
    let address = calc(code, Opcode::Add, [load.src[0], load.src[1]], Cond::TRUE);
    let loaded: Vec<Value> =
        words.iter().map(|&at| calc(code, Opcode::LdP32, [Value::ZERO, Value::Const(at)], Cond::TRUE)).collect();
    let mut value = Value::ZERO;
    for (&at, word) in words.iter().zip(loaded) {
        let (here, chosen) = (code.pred(), code.reg());
        let src = [address, Value::Const(at), Value::ZERO];
        ops.push(Op { pdst: Some(here), code: Comparison::Eq as u8, src, ..Op::new(Opcode::ISetpU, line) });
        let src = [word, value, Value::ZERO];
        ops.push(Op { dst: Some(chosen), src, p: Cond::of(here), ..Op::new(Opcode::Sel, line) });
        value = Value::Reg(chosen);
    }
    ops.push(Op {
        dst: load.dst,
        guard: load.guard,
        src: [Value::ZERO, value, Value::ZERO],
        ..Op::new(Opcode::Mov, line)
    });
    ops
}
