//! Simplification: constants and copies are put in place of the registers that hold them, operations on constants are done
//! here, additions of constants move into addresses, and what nothing needs disappears.
//!
//! Why a copy may be read at its source: register `x` has one definition in the whole kernel, `x = y`, where `y` is a constant
//! or has one definition itself, both unguarded, the definition of `y` dominates that of `x`, and that of `x` the use. Were `y`
//! written between the two, there would be a path to the use around the definition of `x`. The same argument moves `x = y + constant` into an address.

use super::flow::Dominance;
use super::ir::*;
use crate::{
    isa::{Comparison, Logic, Opcode, Operands},
    semantics,
};
use std::collections::{HashMap, HashSet};

/// Simplifies until nothing changes.
pub fn simplify(code: &mut Code) {
    // Each round shortens chains of copies; long chains are rare, and stopping early is only less tidy.
    for _ in 0..16 {
        let changed = propagate(code) | fold(code);
        if !(drop_unneeded(code) | changed) {
            break;
        }
    }
}

/// The only definition of a register or predicate, and where it is.
#[derive(Clone, Copy)]
struct Definition<T> {
    value: T,
    at: (BlockId, usize),
}

/// `register + offset`; no register: a constant.
#[derive(Clone, Copy, PartialEq)]
struct Sum {
    base: Value,
    offset: u32,
}

fn only_definitions<K: std::hash::Hash + Eq, T>(
    code: &Code,
    key: impl Fn(&Op) -> Option<K>,
    value: impl Fn(&Op) -> T,
) -> HashMap<K, Definition<T>> {
    let (mut found, mut again) = (HashMap::new(), HashSet::new());
    for (b, block) in code.blocks.iter().enumerate() {
        for (i, op) in block.ops.iter().enumerate() {
            let Some(key) = key(op) else { continue };
            if op.is_partial() || found.contains_key(&key) {
                again.insert(key);
            } else {
                found.insert(key, Definition { value: value(op), at: (b, i) });
            }
        }
    }
    found.retain(|k, _| !again.contains(k));
    found
}

fn propagate(code: &mut Code) -> bool {
    let dominance = Dominance::of(code);
    let sum = |op: &Op| match (op.opcode, op.src) {
        (Opcode::Mov, [_, b, _]) => Some(Sum { base: b, offset: 0 }),
        (Opcode::Add, [a @ Value::Reg(_), Value::Const(offset), _]) => Some(Sum { base: a, offset }),
        _ => None,
    };
    let mut registers = only_definitions(code, |op| op.dst, sum);
    let places: HashMap<Reg, _> = registers.iter().map(|(r, d)| (*r, d.at)).collect();
    registers.retain(|_, d| {
        let first = |r: Reg| places.get(&r).is_some_and(|&at| dominance.before(at, d.at));
        d.value.is_some_and(|s| s.base.reg().is_none_or(first))
    });
    let copy = |op: &Op| match (op.opcode, op.code == Logic::And as u8, op.q) {
        (Opcode::Plop, true, Cond::TRUE) => Some(op.p),
        _ => None,
    };
    let mut predicates = only_definitions(code, |op| op.pdst, copy);
    let places: HashMap<Pred, _> = predicates.iter().map(|(p, d)| (*p, d.at)).collect();
    predicates.retain(|_, d| {
        let first = |p: Pred| places.get(&p).is_some_and(|&at| dominance.before(at, d.at));
        d.value.is_some_and(|c| c.pred.is_none_or(first))
    });

    let mut changed = false;
    for (b, block) in code.blocks.iter_mut().enumerate() {
        let length = block.ops.len();
        let replace_pred = |cond: &mut Cond, i: usize, changed: &mut bool| {
            if let Some(d) = cond.pred.and_then(|p| predicates.get(&p))
                && dominance.before(d.at, (b, i))
                && let Some(source) = d.value
            {
                *cond = source.invert_if(cond.negate);
                *changed = true;
            }
        };
        for (i, op) in block.ops.iter_mut().enumerate() {
            for source in op.src.iter_mut().chain([&mut op.access.high]) {
                if let Some(d) = source.reg().and_then(|r| registers.get(&r))
                    && dominance.before(d.at, (b, i))
                    && let Some(Sum { base, offset: 0 }) = d.value
                {
                    *source = base;
                    changed = true;
                }
            }
            if matches!(op.opcode as u8 >> 5, 5 | 6) {
                changed |= address(op, |r| {
                    let d = registers.get(&r).filter(|d| dominance.before(d.at, (b, i)))?;
                    d.value
                });
            }
            for cond in [&mut op.guard, &mut op.p, &mut op.q] {
                replace_pred(cond, i, &mut changed);
            }
        }
        if let End::Branch { cond, .. } = &mut block.end {
            replace_pred(cond, length, &mut changed);
        }
    }
    changed
}

/// `[base + offset]` with what is known of the base.
fn address(op: &mut Op, known: impl Fn(Reg) -> Option<Sum>) -> bool {
    let Value::Const(offset) = op.src[1] else { return false };
    let (base, more) = match op.src[0] {
        Value::Const(0) => return false,
        Value::Const(base) => (Value::ZERO, base),
        Value::Reg(r) => match known(r) {
            Some(sum) => (sum.base, sum.offset),
            None => return false,
        },
    };
    op.src[0] = base;
    op.src[1] = Value::Const(offset.wrapping_add(more));
    true
}

fn fold(code: &mut Code) -> bool {
    let mut changed = false;
    for b in 0..code.blocks.len() {
        let block = &mut code.blocks[b];
        for op in &mut block.ops {
            let before = op.clone();
            simplify_op(op);
            changed |= *op != before;
        }
        // Never executed.
        let count = block.ops.len();
        block.ops.retain(|op| op.guard != Cond::FALSE);
        changed |= block.ops.len() != count;
        if let End::Branch { cond, taken, next } = block.end
            && (cond.pred.is_none() || taken == next)
        {
            block.end = End::Jump(if cond == Cond::TRUE { taken } else { next });
            changed = true;
        }
    }
    changed
}

fn simplify_op(op: &mut Op) {
    // A multiplication whose multiplier is a power of two and the like want the constant second.
    let commutes = matches!(
        op.opcode,
        Opcode::Add
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Mul
            | Opcode::MulHS
            | Opcode::MulHU
            | Opcode::Mad
    );
    if commutes && op.src[0].constant().is_some() && op.src[1].constant().is_none() {
        op.src.swap(0, 1);
    }
    let copy = |op: &mut Op, value: Value| {
        let at_rest = Op::new(Opcode::Mov, op.line);
        *op = Op { guard: op.guard, dst: op.dst, src: [Value::ZERO, value, Value::ZERO], ..at_rest };
    };
    match op.opcode {
        Opcode::Plop => return simplify_logic(op),
        Opcode::ISetpS | Opcode::ISetpU | Opcode::FSetp => {
            let constant = match op.src {
                [Value::Const(a), Value::Const(b), _] => Some(semantics::compare(op.opcode, op.code, a, b)),
                // Nothing is below zero.
                [_, Value::Const(0), _] if op.opcode == Opcode::ISetpU && op.code == Comparison::Lt as u8 => {
                    Some(false)
                }
                [a, b, _] if a == b && op.opcode != Opcode::FSetp => Some(semantics::compare(op.opcode, op.code, 0, 0)),
                _ => None,
            };
            if let Some(outcome) = constant {
                let at_rest = Op::new(Opcode::Plop, op.line);
                let p = Cond::TRUE.invert_if(!outcome);
                *op = Op { guard: op.guard, pdst: op.pdst, code: Logic::And as u8, p, ..at_rest };
            }
            return;
        }
        _ => {}
    }
    // Loads, stores and special registers stay; the others with constant sources are done now.
    let uses_p = matches!(op.opcode, Opcode::Addc | Opcode::Subc | Opcode::Sel);
    if op.dst.is_none() || op.opcode == Opcode::Mov {
        return;
    }
    if let [Value::Const(a), Value::Const(b), Value::Const(c)] = op.src
        && (!uses_p || op.p.pred.is_none())
    {
        let signs = [0, 1, 2].map(|i| u32::from(op.negate[i]) << 31);
        let operands = [a ^ signs[0], b ^ signs[1], c ^ signs[2]];
        if let Some(result) = semantics::compute(op.opcode, operands, op.p == Cond::TRUE) {
            copy(op, Value::Const(result));
        }
        return;
    }
    let [a, b, c] = op.src;
    let power = |v: Value| v.constant().filter(|c| c.is_power_of_two()).map(u32::trailing_zeros);
    match (op.opcode, b.constant()) {
        (Opcode::Add | Opcode::Sub | Opcode::Or | Opcode::Xor | Opcode::Shl | Opcode::Shr | Opcode::Sar, Some(0)) => {
            copy(op, a);
        }
        (Opcode::And, Some(u32::MAX)) => copy(op, a),
        (Opcode::And | Opcode::Mul | Opcode::MulHU | Opcode::MulHS, Some(0)) => copy(op, Value::ZERO),
        (Opcode::Shl | Opcode::Shr, Some(32..)) => copy(op, Value::ZERO),
        (Opcode::Mul, Some(1)) => copy(op, a),
        (Opcode::Mul, _) if power(b).is_some() => {
            op.opcode = Opcode::Shl;
            op.src[1] = Value::Const(power(b).unwrap_or(0));
        }
        (Opcode::MulHU, _) if power(b).is_some() => {
            op.opcode = Opcode::Shr;
            op.src[1] = Value::Const(32 - power(b).unwrap_or(0));
        }
        (Opcode::MulHS, Some(factor)) if power(b).is_some_and(|k| k > 0) && factor >> 31 == 0 => {
            op.opcode = Opcode::Sar;
            op.src[1] = Value::Const(32 - power(b).unwrap_or(0));
        }
        (Opcode::Mad, _) if c == Value::ZERO => op.opcode = Opcode::Mul,
        (Opcode::Mad, Some(1)) => {
            op.opcode = Opcode::Add;
            op.src = [a, c, Value::ZERO];
        }
        (Opcode::Addc, _) if op.p == Cond::FALSE => {
            op.opcode = Opcode::Add;
            op.p = Cond::TRUE;
        }
        (Opcode::Subc, _) if op.p == Cond::FALSE => {
            op.opcode = Opcode::Sub;
            op.p = Cond::TRUE;
        }
        (Opcode::Sel, _) if op.p.pred.is_none() => copy(op, if op.p == Cond::TRUE { a } else { b }),
        (Opcode::Sel, _) if a == b => copy(op, a),
        _ => {}
    }
}

fn simplify_logic(op: &mut Op) {
    let copy = |op: &mut Op, value: Cond| (op.code, op.p, op.q) = (Logic::And as u8, value, Cond::TRUE);
    if op.p.pred.is_none() && op.q != Cond::TRUE {
        std::mem::swap(&mut op.p, &mut op.q);
    }
    let (is, q) = (|logic: Logic| op.code == logic as u8, op.q);
    if q.pred.is_some() {
        return;
    }
    let p = op.p;
    if is(Logic::And) && q == Cond::FALSE {
        copy(op, Cond::FALSE);
    } else if is(Logic::Or) {
        copy(op, if q == Cond::TRUE { Cond::TRUE } else { p });
    } else if is(Logic::Xor) {
        copy(op, p.invert_if(q == Cond::TRUE));
    }
}

/// For each operation of a block, the register that the other one of the two operations of a double writes.
fn other_results(block: &Block) -> Vec<Option<Reg>> {
    let mut others = vec![None; block.ops.len()];
    let mut low = None;
    for (i, op) in block.ops.iter().enumerate().filter(|(_, op)| op.opcode.is_double()) {
        match low.take() {
            Some((first, dst)) => {
                others[first] = op.dst;
                others[i] = dst;
            }
            None => low = Some((i, op.dst)),
        }
    }
    others
}

/// Removes operations whose results nothing needs: also those in loops that only feed themselves.
pub fn drop_unneeded(code: &mut Code) -> bool {
    let (mut registers, mut predicates) = (HashSet::new(), HashSet::new());
    predicates.extend(code.blocks.iter().filter_map(|b| b.end.cond()));
    let needed = |op: &Op, registers: &HashSet<Reg>, predicates: &HashSet<Pred>| {
        op.has_effect()
            || op.dst.is_some_and(|r| registers.contains(&r))
            || op.pdst.is_some_and(|p| predicates.contains(&p))
    };
    loop {
        let before = registers.len() + predicates.len();
        for block in code.blocks.iter().rev() {
            let others = other_results(block);
            for (op, other) in block.ops.iter().zip(others).rev() {
                if needed(op, &registers, &predicates) || other.is_some_and(|r| registers.contains(&r)) {
                    registers.extend(op.reads());
                    predicates.extend(op.reads_predicates());
                }
            }
        }
        if registers.len() + predicates.len() == before {
            break;
        }
    }
    let mut changed = false;
    for block in &mut code.blocks {
        let count = block.ops.len();
        let mut others = other_results(block).into_iter();
        block.ops.retain(|op| {
            let own_copy = op.opcode == Opcode::Mov && op.dst.is_some() && op.dst == op.src[1].reg();
            let other = others.next().flatten().is_some_and(|r| registers.contains(&r));
            (needed(op, &registers, &predicates) || other) && !own_copy
        });
        changed |= block.ops.len() != count;
        // Of a double that is needed one word may not be.
        for op in block.ops.iter_mut().filter(|op| op.opcode.is_double()) {
            if op.dst.is_some_and(|r| !registers.contains(&r)) {
                op.dst = None;
                changed = true;
            }
        }
        // An atomic whose old value nobody wants needs no reply with it.
        for op in block.ops.iter_mut().filter(|op| op.opcode.operands() == Operands::Atomic) {
            if op.dst.is_some_and(|r| !registers.contains(&r)) {
                op.dst = None;
                changed = true;
            }
        }
    }
    changed
}
