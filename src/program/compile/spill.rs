//! Predicates beyond the seven of the hardware live in registers: 0 for true, 1 for false, so that one `SEL` with a constant
//! stores a predicate and one comparison with zero fetches it.

use super::colour::{Colouring, Interference, Kind};
use super::ir::*;
use crate::isa::{Comparison, Opcode};
use std::collections::HashSet;

/// Predicates of the hardware.
const PREDICATES: usize = 7;

/// Allocates the predicates, moving some into registers until the rest fits.
pub fn allocate_predicates(code: &mut Code) -> Colouring {
    // Predicates that live from a fetch to the next operation: moving them gains nothing. An operation reads three and writes
    // one, so the loop ends.
    let mut brief = HashSet::new();
    loop {
        let interference = Interference::of(code, Kind::Predicates);
        let colouring = interference.colour(code, Kind::Predicates, false);
        if colouring.used <= PREDICATES {
            return colouring;
        }
        let Some(victim) = interference.busiest(|p| !brief.contains(&p)) else { return colouring };
        spill(code, victim, &mut brief);
    }
}

fn spill(code: &mut Code, victim: Pred, brief: &mut HashSet<Pred>) {
    let home = code.reg();
    let mut fresh = |code: &mut Code| {
        let pred = code.pred();
        brief.insert(pred);
        pred
    };
    let fetch = |pred: Pred, line: u32| Op {
        pdst: Some(pred),
        code: Comparison::Eq as u8,
        src: [Value::Reg(home), Value::ZERO, Value::ZERO],
        ..Op::new(Opcode::ISetpU, line)
    };
    for b in 0..code.blocks.len() {
        let mut ops = Vec::new();
        for mut op in std::mem::take(&mut code.blocks[b].ops) {
            let line = op.line;
            let writes = op.pdst == Some(victim);
            let reads = op.reads_predicates().any(|p| p == victim);
            if reads {
                let pred = fresh(code);
                ops.push(fetch(pred, line));
                for cond in [&mut op.guard, &mut op.p, &mut op.q] {
                    if cond.pred == Some(victim) {
                        cond.pred = Some(pred);
                    }
                }
            }
            if !writes {
                ops.push(op);
                continue;
            }
            let pred = fresh(code);
            if op.is_partial() {
                ops.push(fetch(pred, line));
            }
            op.pdst = Some(pred);
            ops.push(op);
            let src = [Value::ZERO, Value::Const(1), Value::ZERO];
            ops.push(Op { dst: Some(home), src, p: Cond::of(pred), ..Op::new(Opcode::Sel, line) });
        }
        let line = code.blocks[b].end_line;
        if let End::Branch { cond, taken, next } = code.blocks[b].end
            && cond.pred == Some(victim)
        {
            let pred = fresh(code);
            ops.push(fetch(pred, line));
            code.blocks[b].end = End::Branch { cond: Cond { pred: Some(pred), ..cond }, taken, next };
        }
        code.blocks[b].ops = ops;
    }
}
