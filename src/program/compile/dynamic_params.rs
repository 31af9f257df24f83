//! Loads of parameters at an address that differs from thread to thread: the parameter memory of a core gives all threads of a warp the same word. So all words that the address may be of
//! are loaded, and each thread chooses its own.

use super::ir::*;
use crate::error::{Problem, PtxErrorKind};
use crate::isa::{Comparison, Opcode};
use std::ops::Range;

/// Words that an address may be of, at most.
const MOST_WORDS: usize = 64;

/// Replaces such loads; `taken` are the bytes of the parameters whose address the kernel takes.
pub fn choose(code: &mut Code, taken: &[Range<u32>], span: &Range<usize>) -> Result<(), Problem> {
    let dynamic = |op: &Op| op.opcode == Opcode::LdP32 && op.src[0].reg().is_some();
    if !code.ops().any(dynamic) {
        return Ok(());
    }
    let words: Vec<u32> = taken.iter().flat_map(|bytes| (bytes.start & !3..bytes.end).step_by(4)).collect();
    if words.len() > MOST_WORDS {
        let message = format!("parameters of more than {MOST_WORDS} words are read at addresses that are not constant");
        return Err(Problem::new(PtxErrorKind::Resources, span.clone(), message)
            .help("copy the structure to local memory, or pass a pointer to it"));
    }
    for b in 0..code.blocks.len() {
        let mut ops = vec![];
        for op in std::mem::take(&mut code.blocks[b].ops) {
            match dynamic(&op) {
                true => ops.extend(chosen(code, op, &words)),
                false => ops.push(op),
            }
        }
        code.blocks[b].ops = ops;
    }
    Ok(())
}

fn chosen(code: &mut Code, load: Op, words: &[u32]) -> Vec<Op> {
    let line = load.line;
    let mut ops = vec![];
    let mut calc = |code: &mut Code, opcode: Opcode, src: [Value; 2], p: Cond| {
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
