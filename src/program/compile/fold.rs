//! Simplification: constants and copies are put in place of the registers that hold them, operations on constants are
//! done here, additions of constants move into addresses, and what nothing needs disappears.
//!
//! Why a copy may be read at its source: register `x` has one definition in the whole kernel, `x = y`, where `y` is a
//! constant or has one definition itself, both unguarded, the definition of `y` dominates that of `x`, and that of `x`
//! the use. Were `y` written between the two, there would be a path to the use around the definition of `x`. The same
//! argument moves `x = y + constant` into an address.

use super::flow::Dominance;
use super::ir::*;
use super::live::RegisterKind;
use super::progress::Progress;
use crate::{
    isa::{Comparison, Logic, Opcode, Operands},
    semantics,
};

/// Simplifies until nothing changes.
pub fn simplify(code: &mut KernelCode, progress: &Progress) {
    let mut dominance = Dominance::of(code);
    // Each round halves chains of copies; long chains are rare, and stopping early is only less tidy.
    for _ in 0..16 {
        progress.visited(code.ops().count() as u64);
        let propagated = propagate(code, &dominance);
        let Folded { changed, ends_changed } = fold(code);
        if !(drop_unneeded(code, progress) | propagated | changed) {
            break;
        }
        if ends_changed {
            dominance = Dominance::of(code);
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

/// By name, its only definition if there is one whose value is of use: one that gives `value`, which is a constant, or another name that is only defined before it.
fn only_definitions<T: Copy>(
    code: &KernelCode,
    (kind, dominance): (RegisterKind, &Dominance),
    value: impl Fn(&Op) -> Option<T>,
    name: impl Fn(T) -> Option<u32>,
) -> Vec<Option<Definition<T>>> {
    #[derive(Clone, Copy)]
    enum FoldResult<T> {
        Nothing,
        One(Definition<Option<T>>),
        Several,
    }
    let mut found = vec![FoldResult::Nothing; kind.names(code)];
    for (b, block) in code.blocks.iter().enumerate() {
        for (i, op) in block.ops.iter().enumerate() {
            let Some(written) = kind.written(op) else { continue };
            let place = &mut found[written as usize];
            *place = match place {
                FoldResult::Nothing if !op.is_partial() => FoldResult::One(Definition { value: value(op), at: (b, i) }),
                _ => FoldResult::Several,
            };
        }
    }
    let before = |name: u32, at| match found[name as usize] {
        FoldResult::One(first) => dominance.before(first.at, at),
        _ => false,
    };
    let of_use = |found: &FoldResult<T>| match *found {
        FoldResult::One(Definition { value: Some(value), at }) => {
            name(value).is_none_or(|name| before(name, at)).then_some(Definition { value, at })
        }
        _ => None,
    };
    found.iter().map(of_use).collect()
}

fn propagate(code: &mut KernelCode, dominance: &Dominance) -> bool {
    let sum = |op: &Op| match (op.opcode, op.src) {
        (Opcode::Mov, [_, b, _]) => Some(Sum { base: b, offset: 0 }),
        (Opcode::Add, [a @ Value::Reg(_), Value::Const(offset), _]) => Some(Sum { base: a, offset }),
        _ => None,
    };
    let registers = only_definitions(code, (RegisterKind::Registers, dominance), sum, |sum| sum.base.reg());
    let copy = |op: &Op| match (op.opcode, op.code == Logic::And as u8, op.q) {
        (Opcode::Plop, true, Cond::TRUE) => Some(op.p),
        _ => None,
    };
    let predicates = only_definitions(code, (RegisterKind::Predicates, dominance), copy, |cond| cond.pred);

    let mut changed = false;
    for (b, block) in code.blocks.iter_mut().enumerate() {
        let length = block.ops.len();
        let replace_pred = |cond: &mut Cond, i: usize, changed: &mut bool| {
            if let Some(d) = cond.pred.and_then(|p| predicates[p as usize].as_ref())
                && dominance.before(d.at, (b, i))
            {
                *cond = d.value.invert_if(cond.negate);
                *changed = true;
            }
        };
        for (i, op) in block.ops.iter_mut().enumerate() {
            for source in op.src.iter_mut().chain([&mut op.access.high]) {
                if let Some(d) = source.reg().and_then(|r| registers[r as usize].as_ref())
                    && dominance.before(d.at, (b, i))
                    && let Sum { base, offset: 0 } = d.value
                {
                    *source = base;
                    changed = true;
                }
            }
            if matches!(op.opcode as u8 >> 5, 5 | 6) {
                changed |= address(op, |r| {
                    let d = registers[r as usize].as_ref().filter(|d| dominance.before(d.at, (b, i)));
                    d.map(|d| d.value)
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

/// What folding has done.
struct Folded {
    changed: bool,
    /// Blocks go on elsewhere.
    ends_changed: bool,
}

fn fold(code: &mut KernelCode) -> Folded {
    let (mut changed, mut ends_changed) = (false, false);
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
            ends_changed = true;
        }
    }
    Folded { changed: changed | ends_changed, ends_changed }
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

/// What is needed of a kernel.
struct Needs {
    /// Operations, as they follow each other.
    ops: Vec<bool>,
    registers: Vec<bool>,
    predicates: Vec<bool>,
}

impl Needs {
    /// From operations with effects and conditions of branches back to what they read.
    fn of(code: &KernelCode, progress: &Progress) -> Self {
        let ops: Vec<&Op> = code.ops().collect();
        let others = other_parts(code);
        let [of_registers, of_predicates] =
            [RegisterKind::Registers, RegisterKind::Predicates].map(|kind| Definitions::of(code, kind));
        let mut needs = Self {
            ops: vec![false; ops.len()],
            registers: vec![false; code.next_reg as usize],
            predicates: vec![false; code.next_pred as usize],
        };
        let mut todo: Vec<u32> = (0..).zip(&ops).filter(|(_, op)| op.has_effect()).map(|(i, _)| i).collect();
        for pred in code.blocks.iter().filter_map(|b| b.end.cond()) {
            if !std::mem::replace(&mut needs.predicates[pred as usize], true) {
                todo.extend(of_predicates.of_name(pred));
            }
        }
        while let Some(i) = todo.pop() {
            if std::mem::replace(&mut needs.ops[i as usize], true) {
                continue;
            }
            let op = ops[i as usize];
            progress.visited(1);
            for reg in op.reads() {
                if !std::mem::replace(&mut needs.registers[reg as usize], true) {
                    // Of a double, both operations.
                    let definitions = of_registers.of_name(reg);
                    todo.extend(definitions.iter().flat_map(|&i| [Some(i), others[i as usize]]).flatten());
                }
            }
            for pred in op.reads_predicates() {
                if !std::mem::replace(&mut needs.predicates[pred as usize], true) {
                    todo.extend(of_predicates.of_name(pred));
                }
            }
        }
        needs
    }
}

/// The operations that write each name.
struct Definitions {
    /// By name, where its own begin among all.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Definitions {
    fn of(code: &KernelCode, kind: RegisterKind) -> Self {
        let mut definitions: Vec<(u32, u32)> =
            (0..).zip(code.ops()).filter_map(|(i, op)| Some((kind.written(op)?, i))).collect();
        definitions.sort_unstable();
        let mut starts = vec![0; kind.names(code) + 1];
        definitions.iter().for_each(|(name, _)| starts[*name as usize + 1] += 1);
        (1..starts.len()).for_each(|name| starts[name] += starts[name - 1]);
        Self { starts, all: definitions.into_iter().map(|(_, i)| i).collect() }
    }

    fn of_name(&self, name: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|i| self.starts[name as usize + i] as usize);
        &self.all[start..end]
    }
}

/// For each operation of a double, the other one of the two.
fn other_parts(code: &KernelCode) -> Vec<Option<u32>> {
    let (mut others, mut start) = (vec![None; code.ops().count()], 0);
    for block in &code.blocks {
        let mut low = None;
        for (i, _) in (start..).zip(&block.ops).filter(|(_, op)| op.opcode.is_double()) {
            match low.take() {
                Some(first) => (others[first as usize], others[i as usize]) = (Some(i), Some(first)),
                None => low = Some(i),
            }
        }
        start += block.ops.len() as u32;
    }
    others
}

/// Removes operations whose results nothing needs: also those in loops that only feed themselves.
pub fn drop_unneeded(code: &mut KernelCode, progress: &Progress) -> bool {
    let needs = Needs::of(code, progress);
    let mut needed = needs.ops.iter();
    let mut changed = false;
    for block in &mut code.blocks {
        let count = block.ops.len();
        block.ops.retain(|op| {
            let own_copy = op.opcode == Opcode::Mov && op.dst.is_some() && op.dst == op.src[1].reg();
            needed.next() == Some(&true) && !own_copy
        });
        changed |= block.ops.len() != count;
        // Of a double that is needed one word may not be. An atomic whose old value nobody wants needs no reply with
        // it.
        let in_part = |op: &&mut Op| matches!(op.opcode.operands(), Operands::Double | Operands::Atomic);
        for op in block.ops.iter_mut().filter(in_part) {
            if op.dst.is_some_and(|r| !needs.registers[r as usize]) {
                op.dst = None;
                changed = true;
            }
        }
    }
    changed
}
