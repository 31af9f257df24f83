//! Predicates beyond the seven of the hardware live in registers: 0 for true, 1 for false, so that one `SEL` with a
//! constant stores a predicate and one comparison with zero fetches it.

use super::ir::*;
use crate::isa::{Comparison, Opcode};
use std::collections::HashMap;

/// Moves predicates into registers. Marks those in `fixed` that live from a fetch to the next operation: moving them gains nothing.
pub fn spill(code: &mut KernelCode, predicates: &[Pred], fixed: &mut Vec<bool>) {
    let homes: HashMap<Pred, Reg> = predicates.iter().map(|&p| (p, code.reg())).collect();
    for b in 0..code.blocks.len() {
        let mut spilling = Spilling { code, homes: &homes, fixed, ops: vec![] };
        let ops = std::mem::take(&mut spilling.code.blocks[b].ops);
        ops.into_iter().for_each(|op| spilling.operation(op));
        let line = spilling.code.blocks[b].end_line;
        if let End::Branch { mut cond, taken, next } = spilling.code.blocks[b].end {
            spilling.fetch([&mut cond], line);
            spilling.code.blocks[b].end = End::Branch { cond, taken, next };
        }
        let ops = spilling.ops;
        code.blocks[b].ops = ops;
    }
}

struct Spilling<'a> {
    code: &'a mut KernelCode,
    homes: &'a HashMap<Pred, Reg>,
    fixed: &'a mut Vec<bool>,
    ops: Vec<Op>,
}

impl Spilling<'_> {
    fn brief(&mut self) -> Pred {
        let pred = self.code.pred();
        self.fixed.resize(pred as usize, false);
        self.fixed.push(true);
        pred
    }

    /// A predicate with what is in the register.
    fn fetched(&mut self, home: Reg, line: u32) -> Pred {
        let pred = self.brief();
        let (src, code) = ([Value::Reg(home), Value::ZERO, Value::ZERO], Comparison::Eq as u8);
        self.ops.push(Op { pdst: Some(pred), code, src, ..Op::new(Opcode::ISetpU, line) });
        pred
    }

    fn fetch<'c>(&mut self, conds: impl IntoIterator<Item = &'c mut Cond>, line: u32) {
        let mut fetched: Vec<(Pred, Pred)> = vec![];
        for cond in conds {
            let Some((pred, home)) = cond.pred.and_then(|pred| Some((pred, *self.homes.get(&pred)?))) else { continue };
            let there = fetched.iter().find(|(of, _)| *of == pred).map(|(_, brief)| *brief);
            let brief = there.unwrap_or_else(|| self.fetched(home, line));
            fetched.push((pred, brief));
            cond.pred = Some(brief);
        }
    }

    fn operation(&mut self, mut op: Op) {
        let line = op.line;
        let Op { guard, p, q, .. } = &mut op;
        self.fetch([guard, p, q], line);
        let Some(&home) = op.pdst.and_then(|pred| self.homes.get(&pred)) else {
            self.ops.push(op);
            return;
        };
        let pred = if op.is_partial() { self.fetched(home, line) } else { self.brief() };
        op.pdst = Some(pred);
        self.ops.push(op);
        let src = [Value::ZERO, Value::Const(1), Value::ZERO];
        self.ops.push(Op { dst: Some(home), src, p: Cond::of(pred), ..Op::new(Opcode::Sel, line) });
    }
}
