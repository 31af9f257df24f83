//! Machine code for kernels: on processors with AVX-512 up to eight words of lanes at a time, and any function of three
//! values in one instruction; on those with AVX2 up to four words, and functions of two values, or a multiplexer in three
//! instructions.
//!
//! Cranelift's vectors have 128 bits and no ternary logic, so code for these processors is made here: the network of a
//! function becomes [`luts`](super::luts), a table an instruction or a few, in an order that is fixed; registers are given
//! to values as they come, and taken from the one whose next use is farthest (Belady's rule, the best there is for
//! straight code). A value that has a place in a plane is dropped, not spilled. [`instructions`] has what differs from one
//! processor to another.

mod instructions;

pub(super) use instructions::available;

use super::{
    build::{Arena, Plane, Work},
    emit::Code,
    gates::{Bit, Gate, ONE, ZERO},
    luts::{Lut, cover},
};
use iced_x86::{Code as Op, Encoder, IcedError, Instruction, MemoryOperand, Register};
use instructions::{ALL_ONES, BETWEEN, Logic, Multiplexer, Ops};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The function: present registers, next registers and wires in the first three registers of the C calling convention
/// of Unix. `place` gives the array and the first word of a plane; `words` are those of the bundle, and of a vector, which
/// is [available].
pub(super) fn emit(
    code: &Code,
    work: &Work,
    (words, vector): (usize, usize),
    place: impl Fn(Plane) -> (Arena, usize),
) -> Result<Vec<u8>, IcedError> {
    let ops = Ops::of(words, vector);
    let mut body = WideBody::new(ops, code, work, &place);
    body.run()?;
    let WideBody { code: body, slots, .. } = body;
    let mut out = Encoder::try_new(64)?;
    let mut at = 0;
    let mut add = |instruction: Instruction| -> Result<u64, IcedError> {
        at += out.encode(&instruction, at)? as u64;
        Ok(at)
    };
    // Spilled vectors are aligned.
    let frame = slots as i32 * 8 * ops.words.max(2) as i32;
    if frame > 0 {
        add(Instruction::with1(Op::Push_r64, Register::RBP)?)?;
        add(Instruction::with2(Op::Mov_r64_rm64, Register::RBP, Register::RSP)?)?;
        add(Instruction::with2(Op::Sub_rm64_imm32, Register::RSP, frame)?)?;
        add(Instruction::with2(Op::And_rm64_imm8, Register::RSP, -64)?)?;
    }
    let rounds = words / ops.words;
    let mut start = 0;
    if rounds > 1 {
        start = add(Instruction::with2(Op::Mov_r32_imm32, Register::EAX, rounds as i32)?)?;
    }
    body.into_iter().try_for_each(|instruction| add(instruction).map(|_| ()))?;
    if rounds > 1 {
        for base in BASES {
            add(Instruction::with2(Op::Add_rm64_imm8, base, 8 * ops.words as i32)?)?;
        }
        add(Instruction::with1(Op::Dec_rm32, Register::EAX)?)?;
        add(Instruction::with_branch(Op::Jne_rel32_64, start)?)?;
    }
    if frame > 0 {
        add(Instruction::with2(Op::Mov_r64_rm64, Register::RSP, Register::RBP)?)?;
        add(Instruction::with1(Op::Pop_r64, Register::RBP)?)?;
    }
    // Compiled Rust uses the older encoding of vector instructions, which would wait for the upper halves.
    add(Instruction::with(Op::VEX_Vzeroupper))?;
    add(Instruction::with(Op::Retnq))?;
    Ok(out.take_buffer())
}

const BASES: [Register; 3] = [Register::RDI, Register::RSI, Register::RDX];

/// A place in memory that holds a value.
#[derive(Clone, Copy)]
struct Memory {
    base: Register,
    offset: i64,
}

/// The last operand of an instruction.
#[derive(Clone, Copy)]
enum Operand {
    Register(Register),
    Memory(MemoryOperand),
}

/// An instruction of three operands.
fn with3(op: Op, to: Register, first: Register, last: Operand) -> Result<Instruction, IcedError> {
    match last {
        Operand::Register(last) => Instruction::with3(op, to, first, last),
        Operand::Memory(last) => Instruction::with3(op, to, first, last),
    }
}

/// One that looks up the rows of a table.
fn with4(op: Op, to: Register, first: Register, last: Operand, rows: u8) -> Result<Instruction, IcedError> {
    match last {
        Operand::Register(last) => Instruction::with4(op, to, first, last, i32::from(rows)),
        Operand::Memory(last) => Instruction::with4(op, to, first, last, i32::from(rows)),
    }
}

/// What is known of a value.
#[derive(Default)]
struct Known {
    register: Option<usize>,
    memory: Option<Memory>,
    /// Steps that use it, last first.
    uses: Vec<usize>,
}

/// A step: a table, or a store of a value that is no table.
enum WideStep {
    Lut(Lut),
    Store(Bit),
}

struct WideBody<'a, P> {
    ops: &'static Ops,
    place: &'a P,
    steps: Vec<WideStep>,
    stores: BTreeMap<Bit, Vec<Plane>>,
    values: FxHashMap<Bit, Known>,
    /// Per register: its value.
    registers: Vec<Option<Bit>>,
    /// Spilled vectors.
    slots: usize,
    code: Vec<Instruction>,
}

impl<'a, P: Fn(Plane) -> (Arena, usize)> WideBody<'a, P> {
    fn new(ops: &'static Ops, code: &Code, work: &'a Work, place: &'a P) -> Self {
        let mut stores: BTreeMap<Bit, Vec<Plane>> = BTreeMap::new();
        let mut roots = vec![];
        for &(bit, plane) in &code.stores {
            roots.push(bit);
            stores.entry(bit).or_default().push(plane);
        }
        let luts = cover(&work.gates, &roots, |bit| code.loaded.contains_key(&bit), |n, table| ops.price(n, table));
        // In the order of the roots: one may be stored to where a later one reads.
        let tables: FxHashSet<Bit> = luts.iter().map(|lut| lut.value).collect();
        let (mut luts, mut done, mut steps) = (luts.into_iter(), FxHashSet::default(), vec![]);
        for root in roots {
            if !tables.contains(&root) {
                steps.extend(done.insert(root).then_some(WideStep::Store(root)));
            }
            while tables.contains(&root) && !done.contains(&root) {
                let lut = luts.next().expect("tables follow the roots");
                done.insert(lut.value);
                steps.push(WideStep::Lut(lut));
            }
        }
        let mut body = Self {
            ops,
            place,
            steps,
            stores,
            values: FxHashMap::default(),
            registers: vec![None; ops.registers],
            slots: 0,
            code: vec![],
        };
        for (at, step) in body.steps.iter().enumerate().rev() {
            let inputs = match step {
                WideStep::Lut(lut) => lut.inputs(),
                WideStep::Store(bit) => std::slice::from_ref(bit),
            };
            for &input in inputs {
                let known = body.values.entry(input).or_default();
                known.uses.push(at);
                let plane = match (code.loaded.get(&input), work.gates.gate(input)) {
                    (Some(&slot), _) => Plane { arena: Arena::Wires, bundle: code.bundle, slot, offset: 0 },
                    (None, Gate::Leaf(number)) => work.leaves[number as usize],
                    _ => continue,
                };
                let (arena, at) = place(plane);
                let base = if arena == Arena::Registers { BASES[0] } else { BASES[2] };
                known.memory = Some(Memory { base, offset: at as i64 * 8 });
            }
        }
        body
    }

    fn run(&mut self) -> Result<(), IcedError> {
        if let Logic::Binary { equal } = self.ops.logic {
            let ones = self.ops.register(ALL_ONES);
            self.code.push(Instruction::with3(equal, ones, ones, ones)?);
        }
        for at in 0..self.steps.len() {
            match self.steps[at] {
                WideStep::Lut(lut) => {
                    let register = self.compute(&lut, at)?;
                    self.registers[register] = Some(lut.value);
                    self.values.entry(lut.value).or_default().register = Some(register);
                    self.store(lut.value, register)?;
                    if self.values[&lut.value].uses.is_empty() {
                        self.registers[register] = None;
                    }
                }
                WideStep::Store(bit) => {
                    let register = match bit {
                        ZERO | ONE => self.constant(bit == ONE)?,
                        _ => self.in_register(bit, &[])?,
                    };
                    self.store(bit, register)?;
                    self.used(bit, at);
                }
            }
        }
        Ok(())
    }

    fn constant(&mut self, value: bool) -> Result<usize, IcedError> {
        let free = self.free(&[])?;
        let to = self.ops.register(free);
        self.code.push(match self.ops.logic {
            _ if !value => Instruction::with3(self.ops.xor, to, to, to)?,
            Logic::Ternary(op) => Instruction::with4(op, to, to, to, 0xff)?,
            Logic::Binary { .. } => Instruction::with2(self.ops.copy, to, self.ops.register(ALL_ONES))?,
        });
        Ok(free)
    }

    /// The step `at` has used a value; a register without further use is free.
    fn used(&mut self, bit: Bit, at: usize) {
        let Some(known) = self.values.get_mut(&bit) else { return };
        while known.uses.last().is_some_and(|&next| next <= at) {
            known.uses.pop();
        }
        if known.uses.is_empty()
            && let Some(register) = known.register.take()
        {
            self.registers[register] = None;
        }
    }

    fn last_use(&self, bit: Bit) -> bool {
        self.values[&bit].uses.len() <= 1
    }

    fn register_of(&self, bit: Bit) -> Option<usize> {
        self.values[&bit].register
    }

    /// A register that may be written; not one of `kept`.
    fn free(&mut self, kept: &[Bit]) -> Result<usize, IcedError> {
        if let Some(register) = self.registers.iter().position(Option::is_none) {
            return Ok(register);
        }
        let next = |bit: Bit| self.values[&bit].uses.last().copied().unwrap_or(usize::MAX);
        let candidates = self.registers.iter().enumerate().filter_map(|(r, bit)| Some((r, (*bit)?)));
        let farthest = candidates.filter(|(_, bit)| !kept.contains(bit)).max_by_key(|&(_, bit)| next(bit));
        let (register, bit) = farthest.expect("an instruction needs few registers");
        if self.values[&bit].memory.is_none() {
            let memory = Memory { base: Register::RSP, offset: (self.slots * 8 * self.ops.words.max(2)) as i64 };
            self.slots += 1;
            let to = self.address(memory, false);
            self.code.push(Instruction::with2(self.ops.store, to, self.ops.register(register))?);
            self.values.get_mut(&bit).expect("it is known").memory = Some(memory);
        }
        self.values.get_mut(&bit).expect("it is known").register = None;
        self.registers[register] = None;
        Ok(register)
    }

    fn address(&self, memory: Memory, operand: bool) -> MemoryOperand {
        let broadcast = operand && self.ops.broadcast;
        MemoryOperand::new(memory.base, Register::None, 1, memory.offset, 1, broadcast, Register::None)
    }

    fn memory_of(&self, bit: Bit) -> MemoryOperand {
        let memory = self.values[&bit].memory.expect("what is in no register is in memory");
        self.address(memory, true)
    }

    /// Loads a value where it is not in a register yet.
    fn in_register(&mut self, bit: Bit, kept: &[Bit]) -> Result<usize, IcedError> {
        if let Some(register) = self.register_of(bit) {
            return Ok(register);
        }
        let register = self.loaded(bit, kept)?;
        self.registers[register] = Some(bit);
        self.values.get_mut(&bit).expect("it is known").register = Some(register);
        Ok(register)
    }

    /// A value as the last operand: from memory if that is what it is to be, else in a register.
    fn operand(&mut self, bit: Bit, from_memory: bool, kept: &[Bit]) -> Result<Operand, IcedError> {
        Ok(match from_memory {
            true => Operand::Memory(self.memory_of(bit)),
            false => Operand::Register(self.ops.register(self.in_register(bit, kept)?)),
        })
    }

    /// A copy of a value that is in memory.
    fn loaded(&mut self, bit: Bit, kept: &[Bit]) -> Result<usize, IcedError> {
        let register = self.free(kept)?;
        let memory = self.values[&bit].memory.expect("what is in no register is in memory");
        let from = self.address(memory, false);
        self.code.push(Instruction::with2(self.ops.load, self.ops.register(register), from)?);
        Ok(register)
    }

    /// Stores a value where it belongs; then it can be had from there.
    fn store(&mut self, bit: Bit, register: usize) -> Result<(), IcedError> {
        for plane in self.stores.remove(&bit).unwrap_or_default() {
            let (arena, at) = (self.place)(plane);
            let base = if arena == Arena::Registers { BASES[1] } else { BASES[2] };
            let memory = Memory { base, offset: at as i64 * 8 };
            let to = self.address(memory, false);
            self.code.push(Instruction::with2(self.ops.store, to, self.ops.register(register))?);
            if let Some(known) = self.values.get_mut(&bit) {
                known.memory.get_or_insert(memory);
            }
        }
        Ok(())
    }

    /// Computes a table; returns the register that holds it, which has no other value.
    fn compute(&mut self, lut: &Lut, at: usize) -> Result<usize, IcedError> {
        let inputs = lut.inputs();
        // One operand may come from memory: one that is in no register, best the one that is not used again.
        let in_memory = |&i: &Bit| self.ops.memory && self.register_of(i).is_none();
        let mut outside: Vec<Bit> = inputs.iter().copied().filter(in_memory).collect();
        outside.sort_by_key(|&i| !self.last_use(i));
        let to = match *inputs {
            [] => self.constant(lut.table & 1 == 1)?,
            [a] => {
                if !self.ops.memory || !self.last_use(a) {
                    self.in_register(a, &[a])?;
                }
                self.one(a, lut.table, at)?
            }
            [a, b] => self.two(a, b, lut.table, &outside, at)?,
            [a, b, c] => match self.ops.logic {
                Logic::Ternary(op) => self.three([a, b, c], lut.table, &outside, at, op)?,
                Logic::Binary { .. } => self.multiplexer([a, b, c], lut.table, &outside, at)?,
            },
            _ => unreachable!("tables have at most three inputs"),
        };
        Ok(to)
    }

    fn one(&mut self, a: Bit, table: u8, at: usize) -> Result<usize, IcedError> {
        let from = self.register_of(a).map(|from| self.ops.register(from));
        let complement = table & 1 == 1;
        if !complement && from.is_none() {
            let to = self.loaded(a, &[])?;
            self.used(a, at);
            return Ok(to);
        }
        let last = from.map_or_else(|| Operand::Memory(self.memory_of(a)), Operand::Register);
        self.used(a, at);
        let free = self.free(&[a])?;
        let to = self.ops.register(free);
        self.code.push(match (self.ops.logic, from) {
            (_, Some(from)) if !complement => Instruction::with2(self.ops.copy, to, from)?,
            (Logic::Ternary(op), _) => with4(op, to, from.unwrap_or(to), last, 0x55)?,
            (Logic::Binary { .. }, _) => with3(self.ops.xor, to, self.ops.register(ALL_ONES), last)?,
        });
        Ok(free)
    }

    fn two(&mut self, a: Bit, b: Bit, table: u8, outside: &[Bit], at: usize) -> Result<usize, IcedError> {
        // The second operand may be in memory, and a negated one must be the first.
        let memory = outside.first().copied().filter(|&m| self.last_use(m));
        let (mut x, mut y, mut table) = (a, b, table & 0xf);
        let swapped = |table: u8| table & 0b1001 | (table & 0b0010) << 1 | (table & 0b0100) >> 1;
        // Row 1: only `a` is one; `a & !b` has that row alone.
        let binary = matches!(self.ops.logic, Logic::Binary { .. });
        let first_is_negated = |table: u8| table == 0b0100 || binary && table == 0b1011;
        if first_is_negated(swapped(table)) || memory == Some(a) && !first_is_negated(table) {
            (x, y, table) = (b, a, swapped(table));
        }
        let first = self.in_register(x, &[a, b])?;
        let second = self.operand(y, memory == Some(y), &[a, b])?;
        self.used(x, at);
        self.used(y, at);
        let free = self.free(&[a, b])?;
        let [to, first] = [free, first].map(|r| self.ops.register(r));
        // Rows of a table: bit 0 is `x`, bit 1 is `y`.
        let plain = |table| match table {
            0b1000 => Some(self.ops.and),
            0b1110 => Some(self.ops.or),
            0b0110 => Some(self.ops.xor),
            0b0100 => Some(self.ops.and_not),
            _ => None,
        };
        match (plain(table), self.ops.logic) {
            (Some(op), _) => self.code.push(with3(op, to, first, second)?),
            // The instruction counts rows with its last operand lowest, and here its first does not matter.
            (None, Logic::Ternary(op)) => self.code.push(with4(op, to, first, second, swapped(table) * 0x11)?),
            (None, Logic::Binary { .. }) => {
                let op = plain(!table & 0xf).expect("a function or its complement is an instruction");
                self.code.push(with3(op, to, first, second)?);
                self.code.push(Instruction::with3(self.ops.xor, to, to, self.ops.register(ALL_ONES))?);
            }
        }
        Ok(free)
    }

    /// One value or the other, in three instructions: the last operand of the first two may be in memory.
    fn multiplexer(&mut self, inputs: [Bit; 3], table: u8, outside: &[Bit], at: usize) -> Result<usize, IcedError> {
        let Multiplexer { places, negated } = Multiplexer::of(table).expect("no other has a price");
        let [select, then, otherwise] = places.map(|place| inputs[place]);
        let in_memory = |body: &Self, bit| outside.contains(&bit) && body.last_use(bit);
        let first = self.in_register(select, &inputs)?;
        let [between, first] = [BETWEEN, first].map(|r| self.ops.register(r));
        let chosen = if negated {
            let then = self.in_register(then, &inputs)?;
            Instruction::with3(self.ops.and_not, between, self.ops.register(then), first)?
        } else {
            let then = self.operand(then, in_memory(self, then), &inputs)?;
            with3(self.ops.and, between, first, then)?
        };
        self.code.push(chosen);
        let otherwise = self.operand(otherwise, in_memory(self, otherwise), &inputs)?;
        inputs.iter().for_each(|&i| self.used(i, at));
        let free = self.free(&inputs)?;
        let to = self.ops.register(free);
        self.code.push(with3(self.ops.and_not, to, first, otherwise)?);
        self.code.push(Instruction::with3(self.ops.or, to, to, between)?);
        Ok(free)
    }

    fn three(
        &mut self,
        inputs: [Bit; 3],
        table: u8,
        outside: &[Bit],
        at: usize,
        ternary: Op,
    ) -> Result<usize, IcedError> {
        // The result takes the place of one operand: one that dies here, else a copy of one from memory, else a copy.
        let dying = inputs.iter().copied().find(|&i| self.register_of(i).is_some() && self.last_use(i));
        let memory = outside.iter().copied().find(|&i| self.last_use(i) && Some(i) != dying);
        let target = dying.or_else(|| {
            let mut others = outside.iter().copied().filter(|&i| Some(i) != memory);
            others.next_back()
        });
        let target = target.unwrap_or_else(|| *inputs.iter().find(|&&i| Some(i) != memory).expect("there are three"));
        let others: Vec<Bit> = inputs.iter().copied().filter(|&i| i != target).collect();
        let (x, y) = if memory == Some(others[0]) { (others[1], others[0]) } else { (others[0], others[1]) };
        let first = self.in_register(x, &inputs)?;
        let second = self.operand(y, memory == Some(y), &inputs)?;
        // Where the target is in a register and lives on, a copy of it is changed.
        let place = match self.register_of(target) {
            Some(register) if self.last_use(target) => {
                self.registers[register] = None;
                self.values.get_mut(&target).expect("it is known").register = None;
                register
            }
            Some(register) => {
                let free = self.free(&inputs)?;
                let [to, from] = [free, register].map(|r| self.ops.register(r));
                self.code.push(Instruction::with2(self.ops.copy, to, from)?);
                free
            }
            None => self.loaded(target, &inputs)?,
        };
        // Not given away before the operands are released.
        self.registers[place] = Some(target);
        inputs.iter().for_each(|&i| self.used(i, at));
        self.registers[place] = None;
        let order = [y, x, target].map(|v| inputs.iter().position(|&i| i == v).expect("it is an input"));
        let imm = (0..8u8).fold(0, |imm, row| {
            let own = order.iter().enumerate().fold(0, |own, (k, place)| own | (row >> k & 1) << place);
            imm | (table >> own & 1) << row
        });
        let [to, first] = [place, first].map(|r| self.ops.register(r));
        self.code.push(with4(ternary, to, first, second, imm)?);
        Ok(place)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            build::{Arena, Plane, Work},
            emit::{self, Code},
            gates::tests::{evaluate, random_gates},
        },
        available,
    };
    use crate::code::Coder;
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    /// Planes of the present registers, next registers and wires after the code has run.
    fn run(code: &Code, work: &Work, words: usize, vector: usize, slots: usize, seed: u64) -> [Vec<u64>; 3] {
        let mut random = seed | 1;
        let mut array = || {
            let mut one = || {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random
            };
            // What follows the last plane is read, too.
            (0..slots * words + 8).map(|_| one()).collect::<Vec<u64>>()
        };
        let [present, mut next, mut wires] = [array(), array(), array()];
        let mut coder = Coder::new(&[], false).expect("a coder");
        let place = |p: Plane| (p.arena, p.slot as usize * words + p.offset as usize);
        let id = emit::emit(&mut coder, "code", code, work, (words, vector), place).expect("code");
        let code = coder.finish().expect("links");
        // SAFETY: the function has this signature, and stays inside the planes.
        unsafe {
            let kernel = std::mem::transmute::<*const u8, crate::sliced::arrays::Kernel>(code.address(id.as_u32()));
            kernel(present.as_ptr(), next.as_mut_ptr(), wires.as_mut_ptr());
        }
        [present, next, wires]
    }

    proptest! {
        #[test]
        fn code_computes_the_network(
            leaves in 1..80u32,
            steps in proptest::collection::vec((0..7u8, 0..1000usize, 0..1000usize, 0..1000usize), 1..1200),
            every in 1..9usize,
            words in prop_oneof![Just(1usize), Just(2), Just(4), Just(8), Just(24)],
            seed: u64,
        ) {
            let (gates, bits) = random_gates(leaves, &steps);
            let arena = |n: u32| if n.is_multiple_of(2) { Arena::Wires } else { Arena::Registers };
            let plane = |arena, slot| Plane { arena, bundle: 0, slot, offset: 0 };
            let mut places: Vec<Plane> = (0..leaves).map(|n| plane(arena(n), n)).collect();
            let roots = bits.iter().rev().step_by(every).copied();
            let mut stores: Vec<_> =
                roots.enumerate().map(|(i, bit)| (bit, plane(arena(i as u32 / 2), leaves + i as u32))).collect();
            // The first store is of the first leaf, and goes where the last leaf is read.
            let passed = plane(Arena::Wires, leaves + stores.len() as u32);
            stores.insert(0, (bits[0], passed));
            if leaves > 1 {
                places[leaves as usize - 1] = passed;
            }
            let work = Work::alone(gates, places.clone());
            let slots = leaves as usize + stores.len();
            let code = Code::alone(&work, FxHashMap::default(), stores.clone());
            for vector in available().chain([2]) {
                let [present, next, wires] = run(&code, &work, words, vector, slots, seed);
                for word in 0..words {
                    let of = |array: &[u64], p: Plane| array[p.slot as usize * words + word];
                    let values: Vec<u64> = places.iter().map(|&p| of(if p.arena == Arena::Wires { &wires } else { &present }, p)).collect();
                    for &(bit, p) in &stores {
                        let found = of(if p.arena == Arena::Wires { &wires } else { &next }, p);
                        prop_assert_eq!(found, evaluate(&work.gates, bit, &values), "{:?} word {} of {}, vectors of {}", bit, word, words, vector);
                    }
                }
            }
        }
    }
}
