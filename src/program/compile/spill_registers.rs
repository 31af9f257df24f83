//! Registers beyond those of the hardware live in memory: each has a word of its own in every thread, which is stored
//! where the register is written and loaded where it is read. Constants, parameters and numbers of threads are made
//! again instead.
//!
//! ```text
//!   of a warp:  | word 0 of thread 0 .. 31 | word 1 of thread 0 .. 31 | ...      one after the other: a warp loads a word of all its threads from one line
//! ```
//!
//! The words of a warp are together, those of the grid's warps one behind the other, from the address on that a
//! parameter says.

use super::{
    ir::*,
    live::{LiveSet, RegisterKind, live_out},
    pressure::group_start,
    progress::Progress,
};
use crate::isa::{BARRIER_SUM, Opcode, Operands, SPECIAL_REGISTERS};
use std::collections::{BTreeSet, HashMap};

/// Threads of a warp.
const WARP: u32 = 32;

/// Memory for registers of the threads of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spill {
    /// Bytes of each thread; warps that are not full have it for 32.
    pub bytes: u32,
    /// Byte offset in the parameter block of the word with the address of all of it.
    pub offset: u32,
}

/// What is moved to memory.
pub struct SpillMemory {
    /// The register with the thread's address, once there is one.
    base: Option<Reg>,
    words: u32,
    /// Of the parameter with the address of all.
    offset: u32,
}

impl SpillMemory {
    /// Nothing yet; `offset` is that of the parameter with the address.
    pub fn new(offset: u32) -> Self {
        Self { base: None, words: 0, offset }
    }

    /// What a launch has to give.
    pub fn needed(&self) -> Option<Spill> {
        self.base.map(|_| Spill { bytes: 4 * self.words, offset: self.offset })
    }

    /// Moves registers to memory. Marks those in `fixed` that live from a load to the next operation, or to the next store: moving them gains nothing.
    pub fn spill(&mut self, code: &mut KernelCode, registers: &[Reg], fixed: &mut Vec<bool>, progress: &Progress) {
        let again = made_again(code);
        let mut homes: HashMap<Reg, Home> = HashMap::new();
        for reg in registers {
            if let Some(op) = again.get(reg) {
                homes.insert(*reg, Home::Again(op.clone()));
            }
        }
        let in_memory: Vec<Reg> = registers.iter().copied().filter(|reg| !homes.contains_key(reg)).collect();
        let places = places(code, &in_memory, progress);
        let base = if in_memory.is_empty() { 0 } else { self.base(code, fixed) };
        for (&reg, place) in in_memory.iter().zip(&places) {
            homes.insert(reg, Home::Word(4 * WARP * (self.words + place)));
        }
        self.words += places.iter().map(|place| place + 1).max().unwrap_or(0);
        for b in 0..code.blocks.len() {
            let ops = std::mem::take(&mut code.blocks[b].ops);
            let mut spilling = Spilling { code, homes: &homes, fixed, base, ops: vec![] };
            spilling.block(ops);
            let ops = spilling.ops;
            code.blocks[b].ops = ops;
        }
        self.set_size(code);
    }

    fn base(&mut self, code: &mut KernelCode, fixed: &mut Vec<bool>) -> Reg {
        if let Some(base) = self.base {
            return base;
        }
        let first = code.next_reg;
        let (base, ops) = thread_address(code, self.offset);
        fixed.resize(first as usize, false);
        fixed.resize(code.next_reg as usize, true);
        // No way leads back to the first block.
        code.blocks[0].ops.splice(..0, ops);
        self.base = Some(base);
        base
    }

    /// The bytes of a warp, in the operation that multiplies by them.
    fn set_size(&self, code: &mut KernelCode) {
        let bytes = Value::Const(4 * WARP * self.words);
        code.blocks[0].ops.iter_mut().filter(|op| op.mark == Mark::SpillSize).for_each(|op| op.src[1] = bytes);
    }
}

/// Where a register is.
enum Home {
    /// In memory, so many bytes behind the thread's address.
    Word(u32),
    /// Nowhere: what this operation gives.
    Again(Op),
}

/// Registers whose only definition gives the same anywhere, and does not read registers: and that definition.
pub fn made_again(code: &KernelCode) -> HashMap<Reg, Op> {
    let (mut found, mut several) = (HashMap::new(), vec![]);
    for op in code.ops() {
        let Some(dst) = op.dst else { continue };
        let fixed = match (op.opcode, op.src[1]) {
            (Opcode::Mov, Value::Const(_)) => true,
            (Opcode::LdP32, Value::Const(_)) => op.src[0] == Value::ZERO,
            (Opcode::S2r, Value::Const(number)) => {
                number != BARRIER_SUM && SPECIAL_REGISTERS.get(number as usize).is_some_and(|name| *name != "clock")
            }
            _ => false,
        };
        if !fixed || op.is_partial() || op.access.high.reg().is_some() || found.contains_key(&dst) {
            several.push(dst);
        } else {
            found.insert(dst, op.clone());
        }
    }
    several.iter().for_each(|dst| _ = found.remove(dst));
    found
}

/// Words for registers, which ascend: of two that are live at places of the layout apart from each other, it may be the same.
fn places(code: &KernelCode, registers: &[Reg], progress: &Progress) -> Vec<u32> {
    let number = |reg: Reg| registers.binary_search(&reg).ok();
    let mut spans: Vec<(usize, usize)> = vec![(usize::MAX, 0); registers.len()];
    let (mut at, mut live) = (0, LiveSet::new(code.next_reg as usize));
    for (block, out) in code.blocks.iter().zip(live_out(code, RegisterKind::Registers, progress)) {
        let mut covers = |reg: Reg, at: usize| {
            if let Some(number) = number(reg) {
                let (first, last) = spans[number];
                spans[number] = (first.min(at), last.max(at));
            }
        };
        let end = at + block.ops.len() + 1;
        out.iter().for_each(|&reg| covers(reg, end));
        live.set(out);
        for (op, at) in block.ops.iter().rev().zip((at + 1..end).rev()) {
            op.dst.into_iter().chain(op.reads()).for_each(|reg| covers(reg, at));
            live.step_back(RegisterKind::Registers, op);
        }
        live.iter().for_each(|reg| covers(reg, at));
        at = end + 1;
    }
    let mut order: Vec<usize> = (0..registers.len()).collect();
    order.sort_unstable_by_key(|&number| spans[number]);
    let (mut places, mut taken, mut free) = (vec![0; registers.len()], BTreeSet::new(), BTreeSet::new());
    for number in order {
        let (first, last) = spans[number];
        while let Some((until, place)) = taken.pop_first() {
            if until >= first {
                taken.insert((until, place));
                break;
            }
            free.insert(place);
        }
        let place = free.pop_first().unwrap_or(taken.len() as u32);
        taken.insert((last, place));
        places[number] = place;
    }
    places
}

/// The operations that put the address of the thread's first word into a register, and that register.
fn thread_address(code: &mut KernelCode, offset: u32) -> (Reg, Vec<Op>) {
    let mut ops = vec![];
    let mut add = |opcode: Opcode, src: [Value; 3], mark: Mark| {
        let dst = code.reg();
        ops.push(Op { dst: Some(dst), src, mark, ..Op::new(opcode, 1) });
        Value::Reg(dst)
    };
    let mut calc = |(opcode, a, b)| add(opcode, [a, b, Value::ZERO], Mark::None);
    let special = |name: &str| {
        let at = SPECIAL_REGISTERS.iter().position(|other| *other == name).expect("it is in the table");
        (Opcode::S2r, Value::ZERO, Value::Const(at as u32))
    };
    // In an order in which few registers are live.
    let mut number = Value::ZERO;
    for (size, place) in [("nctaid.z", "ctaid.z"), ("nctaid.y", "ctaid.y"), ("nctaid.x", "ctaid.x")] {
        let size = calc(special(size));
        number = calc((Opcode::Mul, number, size));
        let place = calc(special(place));
        number = calc((Opcode::Add, number, place));
    }
    let mut threads = calc(special("ntid.x"));
    for size in ["ntid.y", "ntid.z"] {
        let size = calc(special(size));
        threads = calc((Opcode::Mul, threads, size));
    }
    let up = calc((Opcode::Add, threads, Value::Const(WARP - 1)));
    let warps = calc((Opcode::Shr, up, Value::Const(WARP.trailing_zeros())));
    let number = calc((Opcode::Mul, number, warps));
    let warp = calc(special("warpid"));
    let number = calc((Opcode::Add, number, warp));
    let lane = calc(special("laneid"));
    let within = calc((Opcode::Shl, lane, Value::Const(2)));
    let all = calc((Opcode::LdP32, Value::ZERO, Value::Const(offset)));
    let start = calc((Opcode::Add, all, within));
    let before = add(Opcode::Mul, [number, Value::Const(1), Value::ZERO], Mark::SpillSize);
    let base = add(Opcode::Add, [start, before, Value::ZERO], Mark::None);
    (base.reg().expect("a sum is in a register"), ops)
}

/// A block whose operations find registers in memory.
struct Spilling<'a> {
    code: &'a mut KernelCode,
    homes: &'a HashMap<Reg, Home>,
    fixed: &'a mut Vec<bool>,
    base: Reg,
    ops: Vec<Op>,
}

impl Spilling<'_> {
    fn block(&mut self, mut ops: Vec<Op>) {
        let mut groups = vec![];
        while let Some(last) = ops.len().checked_sub(1) {
            groups.push(ops.split_off(group_start(&ops, last)));
        }
        groups.into_iter().rev().for_each(|group| self.group(group));
    }

    /// Operations that are done as one, or one.
    fn group(&mut self, mut group: Vec<Op>) {
        // Between the two parts of an atomic there must be no other access; a double is there behind its second part.
        let is_atomic = group.len() > 1 && !group[0].opcode.is_double();
        if is_atomic {
            let mut briefs = vec![];
            group.iter_mut().for_each(|op| self.fetch(op, &mut briefs));
        }
        let mut stores = vec![];
        for mut op in group {
            if !is_atomic {
                self.fetch(&mut op, &mut vec![]);
            }
            let late = is_atomic || op.opcode.is_double();
            match op.dst.and_then(|dst| self.homes.get(&dst)) {
                None => self.ops.push(op),
                Some(Home::Again(_)) => {}
                Some(&Home::Word(at)) => match op.src[1] {
                    // A copy is the store itself.
                    value @ Value::Reg(_) if op.opcode == Opcode::Mov => self.ops.push(self.store(&op, at, value)),
                    _ => {
                        let store = self.put_away(op, at);
                        if late { stores.push(store) } else { self.ops.push(store) }
                    }
                },
            }
        }
        self.ops.append(&mut stores);
    }

    fn store(&self, op: &Op, at: u32, value: Value) -> Op {
        let src = [Value::Reg(self.base), Value::Const(at), value];
        Op { guard: op.guard, src, ..Op::new(Opcode::StG32, op.line) }
    }

    /// Does an operation that writes a word of memory; what is left is the store.
    fn put_away(&mut self, mut op: Op, at: u32) -> Op {
        let brief = self.brief();
        let store = self.store(&op, at, Value::Reg(brief));
        op.dst = Some(brief);
        if op.is_partial() {
            let is_pure = matches!(op.opcode.operands(), Operands::B | Operands::Ab | Operands::Abp | Operands::Abc);
            if is_pure {
                // In the other threads it writes what is not stored.
                op.guard = Cond::TRUE;
            } else {
                self.ops.push(Op { dst: Some(brief), ..Op::new(Opcode::Mov, op.line) });
            }
        }
        self.ops.push(op);
        store
    }

    fn brief(&mut self) -> Reg {
        let reg = self.code.reg();
        self.fixed.resize(reg as usize, false);
        self.fixed.push(true);
        reg
    }

    /// Loads what an operation reads, unless it is among `briefs`, which hold what was loaded so far.
    fn fetch(&mut self, op: &mut Op, briefs: &mut Vec<(Reg, Reg)>) {
        let line = op.line;
        for value in op.src.iter_mut().chain([&mut op.access.high]) {
            let Some((reg, home)) = value.reg().and_then(|reg| Some((reg, self.homes.get(&reg)?))) else { continue };
            if let Some((_, brief)) = briefs.iter().find(|(of, _)| *of == reg) {
                *value = Value::Reg(*brief);
                continue;
            }
            let brief = self.brief();
            let load = match home {
                Home::Again(op) => op.clone(),
                Home::Word(at) => {
                    let src = [Value::Reg(self.base), Value::Const(*at), Value::ZERO];
                    Op { src, ..Op::new(Opcode::LdG32, line) }
                }
            };
            self.ops.push(Op { dst: Some(brief), line, ..load });
            briefs.push((reg, brief));
            *value = Value::Reg(brief);
        }
    }
}
