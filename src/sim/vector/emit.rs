//! Machine code of a program, for processors with AVX-512.
//!
//! The order is the program's. Registers are given to values as they come, and taken from the one whose next use is farthest (Belady's rule,
//! the best there is for straight code). A value that has a place in memory is dropped, not spilled; constants come from a pool, as
//! operands that are the same for all lanes. Across a call nothing stays in a register.

use super::{
    lower::frame,
    program::{Activity, Base, Call, Compare, Op, Origin, Place, Pool, Program, Step, Value},
};
use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

/// Vector registers.
const REGISTERS: usize = 32;

/// This processor runs such code.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
}

/// The registers of the C calling convention of Unix that hold the addresses when a function is called, in the order of its parameters.
const PARAMETERS: [(Base, Register); 5] = [
    (Base::Registers, Register::RDI),
    (Base::Next, Register::RSI),
    (Base::Rest, Register::RDX),
    (Base::Memory, Register::RCX),
    (Base::Frame, Register::R8),
];

/// Those that hold them in a function that calls others.
const KEPT: [Register; 5] = [Register::RBX, Register::R12, Register::R13, Register::R14, Register::R15];

/// The function: addresses of present registers, next registers, rest, memories and frame. `told`: the module that the code tells a
/// profile of.
pub(super) fn emit(program: &Program, pool: &mut Pool, told: Option<u32>) -> Result<Vec<u8>, String> {
    code(program, pool, told).map_err(|e| e.to_string())
}

fn code(program: &Program, pool: &mut Pool, told: Option<u32>) -> Result<Vec<u8>, IcedError> {
    let mut body = Body::new(program, pool, told);
    body.mark()?;
    body.run()?;
    let Body { code: body, slots, calls, .. } = body;
    let mut out = Out { encoder: Encoder::try_new(64)?, at: 0 };
    let stack = slots as i32 * 64;
    let own = calls || stack > 0;
    if own {
        out.add(Instruction::with1(Code::Push_r64, Register::RBP)?)?;
        out.add(Instruction::with2(Code::Mov_r64_rm64, Register::RBP, Register::RSP)?)?;
    }
    if calls {
        for register in KEPT {
            out.add(Instruction::with1(Code::Push_r64, register)?)?;
        }
    }
    if own {
        out.add(Instruction::with2(Code::Sub_rm64_imm32, Register::RSP, stack)?)?;
        out.add(Instruction::with2(Code::And_rm64_imm8, Register::RSP, -64)?)?;
    }
    if calls {
        for ((_, from), to) in PARAMETERS.into_iter().zip(KEPT) {
            out.add(Instruction::with2(Code::Mov_r64_rm64, to, from)?)?;
        }
    }
    for item in body {
        match item {
            Item::Instruction(instruction) => out.add(instruction)?,
            Item::Unless(inside) => {
                // The length of what is skipped does not depend on where it is.
                let mut length = 0;
                let mut measure = Encoder::try_new(64)?;
                for instruction in &inside {
                    length += measure.encode(instruction, 0)? as u64;
                }
                let jump = 6; // two bytes of the operation, four of the distance
                out.add(Instruction::with_branch(Code::Je_rel32_64, out.at + jump + length)?)?;
                inside.into_iter().try_for_each(|instruction| out.add(instruction))?;
            }
        }
    }
    if calls {
        let saved = MemoryOperand::with_base_displ(Register::RBP, -8 * KEPT.len() as i64);
        out.add(Instruction::with2(Code::Lea_r64_m, Register::RSP, saved)?)?;
        for register in KEPT.into_iter().rev() {
            out.add(Instruction::with1(Code::Pop_r64, register)?)?;
        }
    } else if own {
        out.add(Instruction::with2(Code::Mov_r64_rm64, Register::RSP, Register::RBP)?)?;
    }
    if own {
        out.add(Instruction::with1(Code::Pop_r64, Register::RBP)?)?;
    }
    // Compiled Rust uses the older encoding of vector instructions, which would wait for the upper halves.
    out.add(Instruction::with(Code::VEX_Vzeroupper))?;
    out.add(Instruction::with(Code::Retnq))?;
    Ok(out.encoder.take_buffer())
}

struct Out {
    encoder: Encoder,
    at: u64,
}

impl Out {
    fn add(&mut self, instruction: Instruction) -> Result<(), IcedError> {
        self.at += self.encoder.encode(&instruction, self.at)? as u64;
        Ok(())
    }
}

/// An instruction, or some that are left out when the last comparison found equality.
enum Item {
    Instruction(Instruction),
    Unless(Vec<Instruction>),
}

/// What is known of a value.
#[derive(Clone, Default)]
struct Known {
    register: Option<usize>,
    memory: Option<Place>,
    /// The same for all lanes: one word in memory.
    constant: bool,
    /// Steps that use it, last first.
    uses: Vec<usize>,
}

/// An operand.
#[derive(Clone, Copy)]
enum Operand {
    Register(Register),
    Memory(MemoryOperand),
}

struct Body<'a> {
    program: &'a Program,
    told: Option<u32>,
    values: Vec<Known>,
    /// Per register: its value.
    registers: [Option<Value>; REGISTERS],
    /// Vectors on the stack: those of the program first.
    slots: usize,
    calls: bool,
    code: Vec<Item>,
}

fn vector(number: usize) -> Register {
    Register::ZMM0 + number as u32
}

impl<'a> Body<'a> {
    fn new(program: &'a Program, pool: &mut Pool, told: Option<u32>) -> Self {
        let mut values = vec![Known::default(); program.origins.len()];
        for (at, step) in program.steps.iter().enumerate().rev() {
            step.inputs().iter().for_each(|input| values[input.index()].uses.push(at));
        }
        for (known, origin) in values.iter_mut().zip(&program.origins) {
            match *origin {
                Origin::Const(value) if !known.uses.is_empty() => {
                    known.memory = Some(Place { base: Base::Frame, offset: pool.offset(value) });
                    known.constant = true;
                }
                Origin::Memory(place) => known.memory = Some(place),
                _ => {}
            }
        }
        let calls = program.steps.iter().any(|step| matches!(step, Step::Call(_)));
        let slots = program.slots;
        Self { program, told, values, registers: [None; REGISTERS], slots, calls, code: vec![] }
    }

    fn run(&mut self) -> Result<(), IcedError> {
        for (at, step) in self.program.steps.iter().enumerate() {
            match step {
                Step::Compute { to, op, inputs } => {
                    let register = self.compute(*op, inputs, at)?;
                    if !self.values[to.index()].uses.is_empty() {
                        self.registers[register] = Some(*to);
                        self.values[to.index()].register = Some(register);
                    }
                }
                Step::Store { value, place } => {
                    let register = self.in_register(*value, &[])?;
                    let address = self.address(*place, false);
                    self.push(Instruction::with2(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, address, vector(register))?);
                    // From now on it can be had from there, if nobody writes there again.
                    if !matches!(place.base, Base::Frame | Base::Stack) {
                        self.values[value.index()].memory.get_or_insert(*place);
                    }
                    self.used(*value, at);
                }
                Step::Flags { value, place } => {
                    let register = vector(self.in_register(*value, &[])?);
                    let address = self.address(*place, false);
                    let test = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
                    self.push(Instruction::with3(test, Register::K1, register, register)?);
                    self.push(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::EAX, Register::K1)?);
                    self.push(Instruction::with2(Code::Mov_rm16_r16, address, Register::AX)?);
                    self.used(*value, at);
                }
                Step::Call(call) => self.call(call, at)?,
                Step::Activity { value, others, to } => {
                    let register = self.in_register(*value, &[])?;
                    self.lanes_of(register)?;
                    self.used(*value, at);
                    for &other in others {
                        let other = self.in_rest(other);
                        self.push(Instruction::with2(Code::Or_r32_rm32, Register::EAX, other)?);
                    }
                    for &(place, added) in to {
                        let code = if added { Code::Or_rm32_r32 } else { Code::Mov_rm32_r32 };
                        let place = self.in_rest(place);
                        self.push(Instruction::with2(code, place, Register::EAX)?);
                    }
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, instruction: Instruction) {
        self.code.push(Item::Instruction(instruction));
    }

    // -- registers and memory ------------------------------------------------------------------------------------------

    fn base(&self, base: Base) -> Register {
        if base == Base::Stack {
            return Register::RSP;
        }
        let position = PARAMETERS.iter().position(|(other, _)| *other == base).expect("all others are parameters");
        if self.calls { KEPT[position] } else { PARAMETERS[position].1 }
    }

    fn address(&self, place: Place, broadcast: bool) -> MemoryOperand {
        let base = self.base(place.base);
        MemoryOperand::new(base, Register::None, 1, place.offset.into(), 1, broadcast, Register::None)
    }

    fn in_rest(&self, offset: i32) -> MemoryOperand {
        self.address(Place { base: Base::Rest, offset }, false)
    }

    /// The lanes that exist in which a vector is not zero: in K1 and EAX.
    fn lanes_of(&mut self, register: usize) -> Result<(), IcedError> {
        let code = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
        let valid = self.address(Place { base: Base::Frame, offset: frame::VALID }, false);
        self.push(Instruction::with3(code, Register::K1, vector(register), valid)?);
        self.push(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::EAX, Register::K1)?);
        Ok(())
    }

    /// The step `at` has used a value; a register without further use is free.
    fn used(&mut self, value: Value, at: usize) {
        let known = &mut self.values[value.index()];
        while known.uses.last().is_some_and(|&next| next <= at) {
            known.uses.pop();
        }
        if known.uses.is_empty()
            && let Some(register) = known.register.take()
        {
            self.registers[register] = None;
        }
    }

    fn last_use(&self, value: Value, at: usize) -> bool {
        self.values[value.index()].uses.first().is_none_or(|&last| last <= at)
    }

    /// A place for a value on the stack, and the store.
    fn spill(&mut self, value: Value, register: usize) -> Result<(), IcedError> {
        if self.values[value.index()].memory.is_none() {
            let place = Place { base: Base::Stack, offset: self.slots as i32 * 64 };
            self.slots += 1;
            let to = self.address(place, false);
            self.push(Instruction::with2(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, to, vector(register))?);
            self.values[value.index()].memory = Some(place);
        }
        Ok(())
    }

    /// A register that may be written; not one of `kept`.
    fn free(&mut self, kept: &[Value]) -> Result<usize, IcedError> {
        if let Some(register) = self.registers.iter().position(Option::is_none) {
            return Ok(register);
        }
        let next = |value: Value| self.values[value.index()].uses.last().copied().unwrap_or(usize::MAX);
        let candidates = self.registers.iter().enumerate().filter_map(|(r, value)| Some((r, (*value)?)));
        let farthest = candidates.filter(|(_, value)| !kept.contains(value)).max_by_key(|&(_, value)| next(value));
        let (register, value) = farthest.expect("an instruction needs few registers");
        self.spill(value, register)?;
        self.values[value.index()].register = None;
        self.registers[register] = None;
        Ok(register)
    }

    /// Loads a value where it is not in a register yet.
    fn in_register(&mut self, value: Value, kept: &[Value]) -> Result<usize, IcedError> {
        if let Some(register) = self.values[value.index()].register {
            return Ok(register);
        }
        let register = self.loaded(value, kept)?;
        self.registers[register] = Some(value);
        self.values[value.index()].register = Some(register);
        Ok(register)
    }

    /// A copy of a value that is in memory.
    fn loaded(&mut self, value: Value, kept: &[Value]) -> Result<usize, IcedError> {
        let register = self.free(kept)?;
        let to = vector(register);
        if let Origin::Const(constant @ (0 | u32::MAX)) = self.program.origins[value.index()] {
            self.push(match constant {
                0 => Instruction::with3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, to, to, to)?,
                _ => Instruction::with4(Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8, to, to, to, 0xff)?,
            });
            return Ok(register);
        }
        let known = &self.values[value.index()];
        let place = known.memory.expect("what is in no register is in memory");
        let code = match known.constant {
            true => Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
            false => Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512,
        };
        let from = self.address(place, false);
        self.push(Instruction::with2(code, to, from)?);
        Ok(register)
    }

    /// As the last operand of an instruction: from memory, if it is in no register and not used again, or is a constant.
    fn operand(&mut self, value: Value, kept: &[Value], at: usize) -> Result<Operand, IcedError> {
        let known = &self.values[value.index()];
        if known.register.is_none() && (known.constant || self.last_use(value, at)) {
            let place = known.memory.expect("what is in no register is in memory");
            return Ok(Operand::Memory(self.address(place, known.constant)));
        }
        Ok(Operand::Register(vector(self.in_register(value, kept)?)))
    }

    /// It had better be in memory as it is in no register.
    fn outside(&self, value: Value, at: usize) -> bool {
        let known = &self.values[value.index()];
        known.register.is_none() && (known.constant || self.last_use(value, at))
    }

    // -- operations ----------------------------------------------------------------------------------------------------

    /// Returns the register that holds the result and no other value.
    fn compute(&mut self, op: Op, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        match (op, inputs) {
            (Op::Logic(table), &[a]) => self.logic_one(table, a, at),
            (Op::Logic(table), &[a, b]) => self.logic_two(table, a, b, at),
            (Op::Logic(table), &[a, b, c]) => self.logic_three(table, [a, b, c], at),
            (Op::Compare(how), &[a, b]) => self.compare(how, a, b, at),
            (Op::Gather { place, scale }, _) => self.gather(place, scale, inputs, at),
            (Op::Left(by), &[a]) => self.shift(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::Right(by), &[a]) => self.shift(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::Arithmetic(by), &[a]) => self.shift(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::Rotate(by), &[a]) => self.shift(Code::EVEX_Vprold_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::RightPair(by), &[a]) => {
                self.in_register(a, &[])?; // a constant would be one word
                self.shift(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, a, by, at)
            }
            (Op::MulEven, &[a, b]) => {
                self.in_register(b, &[a])?; // likewise
                self.plain(Code::EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64, a, b, at)
            }
            (Op::Add, &[a, b]) => self.commutative(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::Mul, &[a, b]) => self.commutative(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::Sub, &[a, b]) => self.plain(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::LeftBy, &[a, b]) => self.plain(Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::RightBy, &[a, b]) => self.plain(Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::ArithmeticBy, &[a, b]) => self.plain(Code::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            _ => unreachable!("operations have as many operands as they are made with"),
        }
    }

    /// A register for the result; operands that are not used again have given theirs back.
    fn result(&mut self, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        inputs.iter().for_each(|&input| self.used(input, at));
        self.free(inputs)
    }

    fn shift(&mut self, code: Code, a: Value, by: u8, at: usize) -> Result<usize, IcedError> {
        let from = self.operand(a, &[a], at)?;
        let free = self.result(&[a], at)?;
        let (to, by) = (vector(free), i32::from(by));
        self.push(match from {
            Operand::Register(from) => Instruction::with3(code, to, from, by)?,
            Operand::Memory(from) => Instruction::with3(code, to, from, by)?,
        });
        Ok(free)
    }

    fn commutative(&mut self, code: Code, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let (a, b) = if self.outside(a, at) { (b, a) } else { (a, b) };
        self.plain(code, a, b, at)
    }

    fn plain(&mut self, code: Code, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let first = vector(self.in_register(a, &[a, b])?);
        let second = self.operand(b, &[a, b], at)?;
        let free = self.result(&[a, b], at)?;
        let to = vector(free);
        self.push(match second {
            Operand::Register(second) => Instruction::with3(code, to, first, second)?,
            Operand::Memory(second) => Instruction::with3(code, to, first, second)?,
        });
        Ok(free)
    }

    fn ternary(to: Register, second: Register, third: Operand, table: u8) -> Result<Instruction, IcedError> {
        let code = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        match third {
            Operand::Register(third) => Instruction::with4(code, to, second, third, i32::from(table)),
            Operand::Memory(third) => Instruction::with4(code, to, second, third, i32::from(table)),
        }
    }

    fn logic_one(&mut self, table: u8, a: Value, at: usize) -> Result<usize, IcedError> {
        let from = self.operand(a, &[a], at)?;
        let free = self.result(&[a], at)?;
        let to = vector(free);
        // Only the last operand matters: bit 0 of the instruction's row. It may be that not even that does.
        let table = ((table & 1) * 0x55) | ((table >> 1 & 1) * 0xaa);
        let second = if let Operand::Register(from) = from { from } else { to };
        self.push(Self::ternary(to, second, from, table)?);
        Ok(free)
    }

    fn logic_two(&mut self, table: u8, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let swapped = |table: u8| table & 0b1001 | (table & 0b0010) << 1 | (table & 0b0100) >> 1;
        let (mut x, mut y, mut table) = (a, b, table & 0xf);
        // A negated operand must be the first: `a & !b` has row 1 alone.
        if table == 0b0010 || self.outside(a, at) && table != 0b0100 {
            (x, y, table) = (b, a, swapped(table));
        }
        let code = match table {
            0b1000 => Some(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32),
            0b1110 => Some(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32),
            0b0110 => Some(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32),
            0b0100 => Some(Code::EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32),
            _ => None,
        };
        if let Some(code) = code {
            return self.plain(code, x, y, at);
        }
        let first = vector(self.in_register(x, &[x, y])?);
        let second = self.operand(y, &[x, y], at)?;
        let free = self.result(&[x, y], at)?;
        // The instruction counts rows with its last operand lowest, and here its first does not matter.
        self.push(Self::ternary(vector(free), first, second, swapped(table) * 0x11)?);
        Ok(free)
    }

    fn logic_three(&mut self, table: u8, inputs: [Value; 3], at: usize) -> Result<usize, IcedError> {
        // The result takes the place of one operand: one that dies here, else a copy of one from memory, else a copy.
        let here = |body: &Self, v: Value| body.values[v.index()].register.is_some();
        let dying = inputs.iter().copied().find(|&v| here(self, v) && self.last_use(v, at));
        let last = inputs.iter().copied().find(|&v| self.outside(v, at) && Some(v) != dying);
        let target = dying.or_else(|| inputs.iter().copied().rfind(|&v| self.outside(v, at) && Some(v) != last));
        let target = target.unwrap_or_else(|| *inputs.iter().find(|&&v| Some(v) != last).expect("there are three"));
        let others: Vec<Value> = inputs.iter().copied().filter(|&v| v != target).collect();
        let (x, y) = if last == Some(others[0]) { (others[1], others[0]) } else { (others[0], others[1]) };
        let first = vector(self.in_register(x, &inputs)?);
        let second = self.operand(y, &inputs, at)?;
        // Where the target is in a register and lives on, a copy of it is changed.
        let place = match self.values[target.index()].register {
            Some(register) if self.last_use(target, at) => {
                self.registers[register] = None;
                self.values[target.index()].register = None;
                register
            }
            Some(register) => {
                let free = self.free(&inputs)?;
                self.push(Instruction::with2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, vector(free), vector(register))?);
                free
            }
            None => self.loaded(target, &inputs)?,
        };
        // Not given away before the operands are released.
        self.registers[place] = Some(target);
        inputs.iter().for_each(|&v| self.used(v, at));
        self.registers[place] = None;
        let order = [y, x, target].map(|v| inputs.iter().position(|&i| i == v).expect("it is an input"));
        let row = |row: u8| order.iter().enumerate().fold(0, |own, (k, place)| own | (row >> k & 1) << place);
        let table = (0..8u8).fold(0, |all, r| all | (table >> row(r) & 1) << r);
        self.push(Self::ternary(vector(place), first, second, table)?);
        Ok(place)
    }

    fn compare(&mut self, how: Compare, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let symmetric = matches!(how, Compare::Equal | Compare::NotZero);
        let (a, b) = if symmetric && self.outside(a, at) { (b, a) } else { (a, b) };
        let first = vector(self.in_register(a, &[a, b])?);
        let second = self.operand(b, &[a, b], at)?;
        let free = self.result(&[a, b], at)?;
        let mask = Register::K1;
        let (code, predicate) = match how {
            Compare::Equal => (Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, Some(0)),
            Compare::LessUnsigned => (Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, Some(1)),
            Compare::LessSigned => (Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, Some(1)),
            Compare::NotZero => (Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, None),
        };
        self.push(match (predicate, second) {
            (Some(predicate), Operand::Register(second)) => Instruction::with4(code, mask, first, second, predicate)?,
            (Some(predicate), Operand::Memory(second)) => Instruction::with4(code, mask, first, second, predicate)?,
            (None, Operand::Register(second)) => Instruction::with3(code, mask, first, second)?,
            (None, Operand::Memory(second)) => Instruction::with3(code, mask, first, second)?,
        });
        self.push(Instruction::with2(Code::EVEX_Vpmovm2d_zmm_kr, vector(free), mask)?);
        Ok(free)
    }

    fn gather(&mut self, place: Place, scale: u8, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        let index = vector(self.in_register(inputs[0], inputs)?);
        if let Some(&wanted) = inputs.get(1) {
            let wanted = vector(self.in_register(wanted, inputs)?);
            self.push(Instruction::with2(Code::EVEX_Vpmovd2m_kr_zmm, Register::K1, wanted)?);
            self.used(inputs[1], at);
        } else {
            self.push(Instruction::with3(Code::VEX_Kxnorw_kr_kr_kr, Register::K1, Register::K1, Register::K1)?);
        }
        // The result must not be where the index is.
        let free = self.free(inputs)?;
        let to = vector(free);
        self.push(Instruction::with3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, to, to, to)?);
        let base = self.base(place.base);
        let from = MemoryOperand::new(base, index, scale.into(), place.offset.into(), 1, false, Register::None);
        let mut gather = Instruction::with2(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, to, from)?;
        gather.set_op_mask(Register::K1);
        self.push(gather);
        self.used(inputs[0], at);
        Ok(free)
    }

    // -- calls ---------------------------------------------------------------------------------------------------------

    fn call(&mut self, call: &Call, at: usize) -> Result<(), IcedError> {
        // Where nothing is needed, nothing is called, so values are in the same places either way.
        let needed = call.needed.map(|needed| self.in_register(needed, &[needed])).transpose()?;
        if let Some(needed) = call.needed {
            self.used(needed, at);
        }
        for register in 0..REGISTERS {
            if let Some(value) = self.registers[register].take() {
                self.spill(value, register)?;
                self.values[value.index()].register = None;
            }
        }
        let mut inside = vec![];
        if call.twin {
            let entry = frame::TABLE + 8 * call.function as i32;
            let entry = self.address(Place { base: Base::Frame, offset: entry }, false);
            inside.push(Instruction::with2(Code::Mov_r64_rm64, Register::RDI, entry)?);
            inside.push(self.lea(Register::RSI, Base::Rest, call.offsets[1])?);
            if let Some(Activity { at, .. }) = call.activity {
                // Lanes that are called are idle from then on.
                inside.push(Instruction::with2(Code::Xor_rm32_r32, self.in_rest(at), Register::EAX)?);
            }
            inside.push(match call.needed.is_some() || call.activity.is_some() {
                true => Instruction::with2(Code::Mov_r32_rm32, Register::EDX, Register::EAX)?,
                false => {
                    let valid = self.address(Place { base: Base::Frame, offset: frame::LANE_BITS }, false);
                    Instruction::with2(Code::Mov_r32_rm32, Register::EDX, valid)?
                }
            });
            inside.push(Instruction::with(Code::VEX_Vzeroupper));
            // What is said of a twin begins with what calls it.
            inside.push(Instruction::with1(Code::Call_rm64, MemoryOperand::with_base(Register::RDI))?);
        } else {
            if let Some(Activity { at, cleared: true }) = call.activity {
                inside.push(Instruction::with2(Code::Mov_rm32_imm32, self.in_rest(at), 0)?);
            }
            let [registers, rest, memory] = call.offsets;
            inside.push(self.lea(Register::RDI, Base::Registers, registers)?);
            inside.push(self.lea(Register::RSI, Base::Next, registers)?);
            inside.push(self.lea(Register::RDX, Base::Rest, rest)?);
            inside.push(self.lea(Register::RCX, Base::Memory, memory)?);
            inside.push(self.lea(Register::R8, Base::Frame, 0)?);
            let entry = frame::TABLE + 8 * call.function as i32;
            let entry = self.address(Place { base: Base::Frame, offset: entry }, false);
            inside.push(Instruction::with1(Code::Call_rm64, entry)?);
        }
        // Lanes that are called, in EAX.
        if let Some(register) = needed {
            self.lanes_of(register)?;
        }
        match (needed, call.activity) {
            (None, None) => {
                inside.into_iter().for_each(|instruction| self.push(instruction));
                return self.mark();
            }
            (Some(_), None) => self.push(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX)?),
            (Some(_), Some(activity)) => {
                self.push(Instruction::with2(Code::And_r32_rm32, Register::EAX, self.in_rest(activity.at))?);
            }
            (None, Some(activity)) if call.twin => {
                self.push(Instruction::with2(Code::Mov_r32_rm32, Register::EAX, self.in_rest(activity.at))?);
                self.push(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX)?);
            }
            (None, Some(activity)) => {
                self.push(Instruction::with2(Code::Cmp_rm32_imm8, self.in_rest(activity.at), 0)?);
            }
        }
        self.code.push(Item::Unless(inside));
        self.mark()
    }

    /// Tells a profile which module's code follows.
    fn mark(&mut self) -> Result<(), IcedError> {
        let Some(module) = self.told else { return Ok(()) };
        let place = self.address(Place { base: Base::Frame, offset: frame::TOLD }, false);
        self.push(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, place)?);
        let told = MemoryOperand::with_base(Register::RAX);
        self.push(Instruction::with2(Code::Mov_rm64_imm32, told, module as i32)?);
        Ok(())
    }

    fn lea(&self, to: Register, base: Base, offset: i32) -> Result<Instruction, IcedError> {
        let address = MemoryOperand::with_base_displ(self.base(base), offset.into());
        Instruction::with2(Code::Lea_r64_m, to, address)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{block::Phase, lower::VECTOR, slots::LANES},
        *,
    };
    use crate::{code::Coder, lines::Lines};
    use cranelift_codegen::ir::{AbiParam, types};
    use cranelift_module::Module as _;
    use proptest::prelude::*;

    type Vector = [u32; LANES];

    /// Vectors that a program finds in each array.
    const READ: usize = 24;
    /// Where flags are in the frame; constants follow.
    const FLAGS: i32 = frame::TABLE + 64;

    fn operation(op: Op, inputs: &[Vector], memory: &[u32]) -> Vector {
        let of = |input: usize, lane: usize| inputs[input][lane];
        std::array::from_fn(|lane| {
            let a = of(0, lane);
            let b = || of(1, lane);
            match op {
                Op::Logic(table) => (0..32).fold(0, |all, bit| {
                    let row = inputs.iter().enumerate().fold(0, |row, (i, v)| row | (v[lane] >> bit & 1) << i);
                    all | u32::from(table >> row & 1) << bit
                }),
                Op::Add => a.wrapping_add(b()),
                Op::Sub => a.wrapping_sub(b()),
                Op::Mul => a.wrapping_mul(b()),
                Op::MulEven => {
                    let product = u64::from(of(0, lane & !1)) * u64::from(of(1, lane & !1));
                    (product >> (32 * (lane % 2))) as u32
                }
                Op::Left(by) => a << by,
                Op::Right(by) => a >> by,
                Op::Arithmetic(by) => (a as i32 >> by) as u32,
                Op::Rotate(by) => a.rotate_left(by.into()),
                Op::RightPair(by) => {
                    let pair = u64::from(of(0, lane & !1)) | u64::from(of(0, lane | 1)) << 32;
                    (pair >> by >> (32 * (lane % 2))) as u32
                }
                Op::LeftBy => a.checked_shl(b()).unwrap_or(0),
                Op::RightBy => a.checked_shr(b()).unwrap_or(0),
                Op::ArithmeticBy => (a as i32 >> b().min(31)) as u32,
                Op::Compare(how) => {
                    let holds = match how {
                        Compare::Equal => a == b(),
                        Compare::LessUnsigned => a < b(),
                        Compare::LessSigned => (a as i32) < b() as i32,
                        Compare::NotZero => a & b() != 0,
                    };
                    if holds { u32::MAX } else { 0 }
                }
                Op::Gather { .. } if inputs.len() > 1 && b() == 0 => 0,
                Op::Gather { place, scale } => memory[(place.offset as usize + a as usize * usize::from(scale)) / 4],
            }
        })
    }

    /// A program from numbers, and what its values should be.
    fn program(numbers: &[(u8, u32, u32, u32)], arrays: &[Vec<u32>; 3]) -> (Program, Vec<(Value, Vector)>) {
        let mut program = Program::default();
        let mut known: Vec<(Value, Vector)> = vec![];
        let bases = [Base::Registers, Base::Rest, Base::Memory];
        for (base, array) in bases.into_iter().zip(arrays).take(2) {
            for (i, vector) in array.chunks_exact(LANES).enumerate() {
                known.push((program.load(base, i as i32 * VECTOR), *vector.first_chunk().expect("a vector")));
            }
        }
        for &(kind, x, y, z) in numbers {
            let pick = |number: u32| known[known.len() - 1 - number as usize % known.len().min(60)];
            let ((a, av), (b, bv), (c, cv)) = (pick(x), pick(y), pick(z));
            let by = (z % 31 + 1) as u8;
            let plain = [Op::Add, Op::Sub, Op::Mul, Op::MulEven, Op::LeftBy, Op::RightBy, Op::ArithmeticBy];
            let shifts = [Op::Left(by), Op::Right(by), Op::Arithmetic(by), Op::Rotate(by), Op::RightPair(by)];
            let how = [Compare::Equal, Compare::LessUnsigned, Compare::LessSigned, Compare::NotZero];
            known.push(match kind % 12 {
                0 => (program.constant(z), [z; LANES]),
                1 => (program.and(a, b), operation(Op::Logic(0b1000), &[av, bv], &[])),
                2 => (program.or(a, b), operation(Op::Logic(0b1110), &[av, bv], &[])),
                3 => (program.xor(a, b), operation(Op::Logic(0b0110), &[av, bv], &[])),
                4 => (program.not(a), operation(Op::Logic(0b01), &[av], &[])),
                5 | 6 => (program.select(a, b, c), std::array::from_fn(|i| av[i] & bv[i] | !av[i] & cv[i])),
                7 => {
                    let op = shifts[y as usize % shifts.len()];
                    (program.op(op, &[a]), operation(op, &[av], &[]))
                }
                8 => {
                    let op = Op::Compare(how[z as usize % how.len()]);
                    (program.op(op, &[a, b]), operation(op, &[av, bv], &[]))
                }
                9 => {
                    // A few words of the memory, where some bit is set or everywhere.
                    let (index, indices) = (program.low(a, 15), av.map(|v| v & 15));
                    let op = Op::Gather { place: Place { base: Base::Memory, offset: 4 * (z % 8) as i32 }, scale: 8 };
                    let wanted = program.compare(Compare::NotZero, b, c);
                    let all = operation(Op::Compare(Compare::NotZero), &[bv, cv], &[]);
                    let (inputs, values) = ([index, wanted], [indices, all]);
                    let count = 1 + y as usize % 2;
                    (program.op(op, &inputs[..count]), operation(op, &values[..count], &arrays[2]))
                }
                _ => {
                    let op = plain[z as usize % plain.len()];
                    (program.op(op, &[a, b]), operation(op, &[av, bv], &[]))
                }
            });
        }
        (program, known)
    }

    fn lines(words: &[u32]) -> Lines<u32> {
        let mut lines = Lines::new(words.len());
        lines.copy_from_slice(words);
        lines
    }

    proptest! {
        #[test]
        fn code_does_what_the_program_says(
            numbers in proptest::collection::vec((any::<u8>(), any::<u32>(), any::<u32>(), any::<u32>()), 1..400),
            seed: u64,
            every in 1..7usize,
        ) {
            if !available() {
                return Ok(());
            }
            let mut random = seed | 1;
            let mut array = || {
                let mut one = || {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    // Small numbers, too.
                    if random.is_multiple_of(3) { random as u32 % 40 } else { random as u32 }
                };
                (0..READ * LANES).map(|_| one()).collect::<Vec<u32>>()
            };
            let arrays = [array(), array(), array()];
            let (mut program, known) = program(&numbers, &arrays);
            let results: Vec<_> = known.iter().rev().step_by(every).collect();
            for (i, (value, _)) in results.iter().enumerate() {
                program.store(*value, Base::Next, i as i32 * VECTOR);
            }
            for (i, (value, _)) in results.iter().enumerate() {
                let place = Place { base: Base::Frame, offset: FLAGS + 2 * (i as i32 % 16) };
                program.steps.push(Step::Flags { value: *value, place });
            }
            program.finish();
            let mut pool = Pool::new(FLAGS + 64);
            let bytes = emit(&program, &mut pool, None).expect("code");
            let mut coder = Coder::new(&[]).expect("a coder");
            let mut signature = coder.jit.make_signature();
            signature.params = vec![AbiParam::new(types::I64); 5];
            let id = coder.define_bytes("code", signature, 64, bytes).expect("code");
            let code = coder.finish().expect("links");
            let [registers, mut rest, memory] = arrays.each_ref().map(|array| lines(array));
            let mut next = Lines::new(results.len() * LANES);
            let mut frame = Lines::new(FLAGS as usize / 4 + 16 + pool.words.len());
            frame[FLAGS as usize / 4 + 16..][..pool.words.len()].copy_from_slice(&pool.words);
            // SAFETY: the function has this signature, and stays inside the arrays.
            unsafe {
                let phase = std::mem::transmute::<*const u8, Phase>(code.address(id.as_u32()));
                let (rest, next) = (rest.as_mut_ptr(), next.as_mut_ptr());
                phase(registers.as_ptr(), next, rest, memory.as_ptr().cast(), frame.as_mut_ptr());
            }
            for (i, (value, expected)) in results.iter().enumerate() {
                let found = &next[i * LANES..][..LANES];
                prop_assert_eq!(found, expected, "{:?}", value);
            }
            // The last sixteen flags that were written.
            for (i, (value, expected)) in results.iter().enumerate().skip(results.len().saturating_sub(16)) {
                let at = FLAGS as usize + 2 * (i % 16);
                let found = frame[at / 4] >> (8 * (at % 4)) & 0xffff;
                let flags = expected.iter().enumerate().fold(0, |f, (lane, v)| f | u32::from(*v != 0) << lane);
                prop_assert_eq!(found, flags, "flags of {:?}", value);
            }
        }
    }
}
