//! Registers for the values of a program, and the steps that are the same for all sets of instructions.
//!
//! The order is the program's. Registers are given to values as they come, and taken from the one whose next use is
//! farthest (Belady's rule, the best there is for straight code). A value that has a place in memory is dropped, not
//! spilled; constants come from a pool. Across a call nothing stays in a register.

use super::function::{HALF_BYTES, Item, KEPT, PARAMETERS, function};
use crate::vector::{
    lower::frame,
    program::{Activity, Base, Call, Op, Place, Pool, Program, Step, Value, ValueOrigin},
};
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

/// A set of instructions on vectors.
pub(super) trait Instructions: Sized {
    /// Registers that values are kept in.
    const REGISTERS: usize;
    /// A constant in memory may be the last operand of an operation.
    const BROADCASTS: bool;
    /// A register holds half a vector: steps are carried out for the lower halves, then for the upper ones.
    const HALVES: bool;

    /// A register by its number.
    fn vector(number: usize) -> Register;

    /// From a register to another.
    fn copy(to: Register, from: Register) -> Result<Instruction, IcedError>;

    /// A vector, or a word for all lanes.
    fn load(to: Register, from: MemoryOperand, broadcast: bool) -> Result<Instruction, IcedError>;

    /// A vector.
    fn store(to: MemoryOperand, from: Register) -> Result<Instruction, IcedError>;

    /// No bits, or all of them.
    fn fill(to: Register, ones: bool) -> Result<Instruction, IcedError>;

    /// Leaves the lanes that exist in which a vector is not zero, a bit each: in EAX, or, with halves, in bytes on the
    /// stack. `mask`: the value is all ones or zero in each lane.
    fn lanes(body: &mut Body<Self>, register: usize, mask: bool) -> Result<(), IcedError>;

    /// Stores a bit for each lane in which a vector is not zero; `mask` likewise.
    fn flags(body: &mut Body<Self>, register: usize, mask: bool, place: Place) -> Result<(), IcedError>;

    /// Returns the register that holds the result and no other value.
    fn compute(body: &mut Body<Self>, op: Op, inputs: &[Value], at: usize) -> Result<usize, IcedError>;
}

/// The function: addresses of present registers, next registers, storage, memories and frame. `profiled`: the module
/// that the code tells a profile of.
pub(super) fn code<I: Instructions>(
    program: &Program,
    pool: &mut Pool,
    profiled: Option<u32>,
) -> Result<Vec<u8>, IcedError> {
    let mut body = Body::<I>::new(program, pool, profiled);
    body.mark()?;
    body.run()?;
    body.end_halves()?;
    let Body { code, slots, calls, .. } = body;
    function(code, slots, calls)
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
pub(super) enum Operand {
    Register(Register),
    Memory(MemoryOperand),
}

/// The body of a function.
pub(super) struct Body<'a, I> {
    program: &'a Program,
    profiled: Option<u32>,
    values: Vec<Known>,
    /// Per register: its value.
    registers: Vec<Option<Value>>,
    /// Vectors on the stack: those of the program first.
    slots: usize,
    calls: bool,
    code: Vec<Item>,
    /// What is to be done for both halves, as far as it has come.
    halves: Option<Vec<Instruction>>,
    /// Offset on the stack of bytes for lanes.
    lanes: Option<i32>,
    instructions: std::marker::PhantomData<I>,
}

impl<'a, I: Instructions> Body<'a, I> {
    fn new(program: &'a Program, pool: &mut Pool, profiled: Option<u32>) -> Self {
        let mut values = vec![Known::default(); program.origins.len()];
        for (at, step) in program.steps.iter().enumerate().rev() {
            step.inputs().iter().for_each(|input| values[input.index()].uses.push(at));
        }
        for (known, origin) in values.iter_mut().zip(&program.origins) {
            match *origin {
                ValueOrigin::Const(value) if !known.uses.is_empty() => {
                    known.memory = Some(Place { base: Base::Frame, offset: pool.offset(value) });
                    known.constant = true;
                }
                ValueOrigin::Memory(place) => known.memory = Some(place),
                _ => {}
            }
        }
        let calls = program.steps.iter().any(|step| matches!(step, Step::Call(_)));
        let (slots, registers) = (program.slots, vec![None; I::REGISTERS]);
        let (code, halves, lanes, instructions) = (vec![], None, None, std::marker::PhantomData);
        Self { program, profiled, values, registers, slots, calls, code, halves, lanes, instructions }
    }

    fn run(&mut self) -> Result<(), IcedError> {
        for (at, step) in self.program.steps.iter().enumerate() {
            match step {
                Step::Compute { to, op, inputs } => {
                    self.begin_halves();
                    let register = I::compute(self, *op, inputs, at)?;
                    if !self.values[to.index()].uses.is_empty() {
                        self.registers[register] = Some(*to);
                        self.values[to.index()].register = Some(register);
                    }
                }
                Step::Store { value, place } => {
                    self.begin_halves();
                    let register = self.in_register(*value, &[])?;
                    let address = self.address(*place, false);
                    self.push(I::store(address, I::vector(register))?);
                    // From now on it can be had from there, if nobody writes there again.
                    if !matches!(place.base, Base::Frame | Base::Stack) {
                        self.values[value.index()].memory.get_or_insert(*place);
                    }
                    self.used(*value, at);
                }
                Step::Flags { value, place } => {
                    self.begin_halves();
                    let register = self.in_register(*value, &[])?;
                    I::flags(self, register, self.program.is_mask(*value), *place)?;
                    self.used(*value, at);
                }
                Step::Call(call) => self.call(call, at)?,
                Step::Activity { value, others, to } => {
                    self.begin_halves();
                    let register = self.in_register(*value, &[])?;
                    I::lanes(self, register, self.program.is_mask(*value))?;
                    self.used(*value, at);
                    self.end_halves()?;
                    self.load_lanes()?;
                    for &other in others {
                        let other = self.in_storage(other);
                        self.push(Instruction::with2(Code::Or_r32_rm32, Register::EAX, other)?);
                    }
                    for &(place, added) in to {
                        let code = if added { Code::Or_rm32_r32 } else { Code::Mov_rm32_r32 };
                        let place = self.in_storage(place);
                        self.push(Instruction::with2(code, place, Register::EAX)?);
                    }
                }
            }
        }
        Ok(())
    }

    pub fn push(&mut self, instruction: Instruction) {
        match &mut self.halves {
            Some(halves) => halves.push(instruction),
            None => self.code.push(Item::Instruction(instruction)),
        }
    }

    // -- halves --------------------------------------------------------------------------------------------------------

    /// Steps on vectors follow.
    fn begin_halves(&mut self) {
        if I::HALVES && self.halves.is_none() {
            self.halves = Some(vec![]);
        }
    }

    /// Something follows that is not done by halves. The upper half begins as the lower one did: with nothing in
    /// registers.
    fn end_halves(&mut self) -> Result<(), IcedError> {
        if self.halves.is_some() {
            self.spill_all()?;
        }
        self.code.extend(self.halves.take().map(Item::Halves));
        Ok(())
    }

    /// Bytes on the stack for the lanes of halves.
    pub fn lanes_on_stack(&mut self) -> Place {
        let slots = &mut self.slots;
        let offset = *self.lanes.get_or_insert_with(|| {
            *slots += 1;
            (*slots - 1) as i32 * 64
        });
        Place { base: Base::Stack, offset }
    }

    /// After [`Instructions::lanes`], and the end of the halves: the lanes, in EAX.
    fn load_lanes(&mut self) -> Result<(), IcedError> {
        if I::HALVES {
            let place = self.lanes_on_stack();
            let from = self.address(place, false);
            self.push(Instruction::with2(Code::Movzx_r32_rm16, Register::EAX, from)?);
        }
        Ok(())
    }

    // -- registers and memory ------------------------------------------------------------------------------------------

    pub fn base(&self, base: Base) -> Register {
        if base == Base::Stack {
            return Register::RSP;
        }
        let position = PARAMETERS.iter().position(|(other, _)| *other == base).expect("all others are parameters");
        if self.calls { KEPT[position] } else { PARAMETERS[position].1 }
    }

    /// Of a vector, or of one word.
    pub fn address(&self, place: Place, word: bool) -> MemoryOperand {
        let index = if word || self.halves.is_none() { Register::None } else { HALF_BYTES };
        MemoryOperand::new(
            self.base(place.base),
            index,
            1,
            place.offset.into(),
            1,
            word && I::BROADCASTS,
            Register::None,
        )
    }

    fn in_storage(&self, offset: i32) -> MemoryOperand {
        self.address(Place { base: Base::Storage, offset }, false)
    }

    /// The step `at` has used a value; a register without further use is free.
    pub fn used(&mut self, value: Value, at: usize) {
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

    pub fn last_use(&self, value: Value, at: usize) -> bool {
        self.values[value.index()].uses.first().is_none_or(|&last| last <= at)
    }

    /// The register of a value, if it is in one.
    pub fn register_of(&self, value: Value) -> Option<usize> {
        self.values[value.index()].register
    }

    /// A value leaves its register, which is that of nobody then.
    pub fn leave(&mut self, value: Value) {
        if let Some(register) = self.values[value.index()].register.take() {
            self.registers[register] = None;
        }
    }

    /// Nobody gets this register until it is [given back](Self::give_back).
    pub fn hold(&mut self, register: usize, value: Value) {
        self.registers[register] = Some(value);
    }

    pub fn give_back(&mut self, register: usize) {
        self.registers[register] = None;
    }

    /// A place for a value on the stack, and the store.
    fn spill(&mut self, value: Value, register: usize) -> Result<(), IcedError> {
        if self.values[value.index()].memory.is_none() {
            let place = Place { base: Base::Stack, offset: self.slots as i32 * 64 };
            self.slots += 1;
            let to = self.address(place, false);
            self.push(I::store(to, I::vector(register))?);
            self.values[value.index()].memory = Some(place);
        }
        Ok(())
    }

    fn spill_all(&mut self) -> Result<(), IcedError> {
        for register in 0..I::REGISTERS {
            if let Some(value) = self.registers[register].take() {
                self.spill(value, register)?;
                self.values[value.index()].register = None;
            }
        }
        Ok(())
    }

    /// A register that may be written; not one of `kept`.
    pub fn free(&mut self, kept: &[Value]) -> Result<usize, IcedError> {
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
    pub fn in_register(&mut self, value: Value, kept: &[Value]) -> Result<usize, IcedError> {
        if let Some(register) = self.values[value.index()].register {
            return Ok(register);
        }
        let register = self.loaded(value, kept)?;
        self.registers[register] = Some(value);
        self.values[value.index()].register = Some(register);
        Ok(register)
    }

    /// A copy of a value that is in memory.
    pub fn loaded(&mut self, value: Value, kept: &[Value]) -> Result<usize, IcedError> {
        let register = self.free(kept)?;
        let to = I::vector(register);
        if let ValueOrigin::Const(constant @ (0 | u32::MAX)) = self.program.origins[value.index()] {
            self.push(I::fill(to, constant != 0)?);
            return Ok(register);
        }
        let known = &self.values[value.index()];
        let place = known.memory.expect("what is in no register is in memory");
        let (constant, from) = (known.constant, self.address(place, false));
        let from = if constant { self.word(place) } else { from };
        self.push(I::load(to, from, constant)?);
        Ok(register)
    }

    /// The address of a word that is the same for all lanes.
    fn word(&self, place: Place) -> MemoryOperand {
        MemoryOperand::new(self.base(place.base), Register::None, 1, place.offset.into(), 1, false, Register::None)
    }

    /// As the last operand of an instruction: from memory, if it is in no register and not used again, or is a
    /// constant.
    pub fn operand(&mut self, value: Value, kept: &[Value], at: usize) -> Result<Operand, IcedError> {
        if self.outside(value, at) {
            let known = &self.values[value.index()];
            let place = known.memory.expect("what is in no register is in memory");
            return Ok(Operand::Memory(self.address(place, known.constant)));
        }
        Ok(Operand::Register(I::vector(self.in_register(value, kept)?)))
    }

    /// It had better be in memory as it is in no register.
    pub fn outside(&self, value: Value, at: usize) -> bool {
        let known = &self.values[value.index()];
        let stays = if known.constant { I::BROADCASTS } else { self.last_use(value, at) };
        known.register.is_none() && stays
    }

    /// A register for the result; operands that are not used again have given theirs back.
    pub fn result(&mut self, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        inputs.iter().for_each(|&input| self.used(input, at));
        self.free(inputs)
    }

    // -- operations of all sets of instructions ------------------------------------------------------------------------

    pub fn commutative(&mut self, code: Code, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let (a, b) = if self.outside(a, at) { (b, a) } else { (a, b) };
        self.plain(code, a, b, at)
    }

    pub fn plain(&mut self, code: Code, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let first = I::vector(self.in_register(a, &[a, b])?);
        let second = self.operand(b, &[a, b], at)?;
        let free = self.result(&[a, b], at)?;
        let to = I::vector(free);
        self.push(match second {
            Operand::Register(second) => Instruction::with3(code, to, first, second)?,
            Operand::Memory(second) => Instruction::with3(code, to, first, second)?,
        });
        Ok(free)
    }

    // -- calls ---------------------------------------------------------------------------------------------------------

    fn call(&mut self, call: &Call, at: usize) -> Result<(), IcedError> {
        // Where nothing is needed, nothing is called, so values are in the same places either way.
        let needed = match call.needed {
            Some(needed) => {
                self.begin_halves();
                let register = self.in_register(needed, &[needed])?;
                if I::HALVES {
                    I::lanes(self, register, self.program.is_mask(needed))?;
                }
                self.used(needed, at);
                Some(register)
            }
            None => None,
        };
        self.end_halves()?;
        self.spill_all()?;
        let mut inside = vec![];
        if call.intrinsic {
            let entry = frame::TABLE + 8 * call.function as i32;
            let entry = self.address(Place { base: Base::Frame, offset: entry }, false);
            inside.push(Instruction::with2(Code::Mov_r64_rm64, Register::RDI, entry)?);
            inside.push(self.lea(Register::RSI, Base::Storage, call.offsets[1])?);
            if let Some(Activity { at, .. }) = call.activity {
                // Lanes that are called are idle from then on.
                inside.push(Instruction::with2(Code::Xor_rm32_r32, self.in_storage(at), Register::EAX)?);
            }
            inside.push(match call.needed.is_some() || call.activity.is_some() {
                true => Instruction::with2(Code::Mov_r32_rm32, Register::EDX, Register::EAX)?,
                false => {
                    let valid = self.address(Place { base: Base::Frame, offset: frame::LANE_BITS }, false);
                    Instruction::with2(Code::Mov_r32_rm32, Register::EDX, valid)?
                }
            });
            inside.push(Instruction::with(Code::VEX_Vzeroupper));
            // What is said of an intrinsic begins with what calls it.
            inside.push(Instruction::with1(Code::Call_rm64, MemoryOperand::with_base(Register::RDI))?);
        } else {
            if let Some(Activity { at, cleared: true }) = call.activity {
                inside.push(Instruction::with2(Code::Mov_rm32_imm32, self.in_storage(at), 0)?);
            }
            let [registers, storage, memory] = call.offsets;
            inside.push(self.lea(Register::RDI, Base::Registers, registers)?);
            inside.push(self.lea(Register::RSI, Base::Next, registers)?);
            inside.push(self.lea(Register::RDX, Base::Storage, storage)?);
            inside.push(self.lea(Register::RCX, Base::Memory, memory)?);
            inside.push(self.lea(Register::R8, Base::Frame, 0)?);
            let entry = frame::TABLE + 8 * call.function as i32;
            let entry = self.address(Place { base: Base::Frame, offset: entry }, false);
            inside.push(Instruction::with1(Code::Call_rm64, entry)?);
        }
        // Lanes that are called, in EAX.
        if let Some(register) = needed {
            if !I::HALVES {
                I::lanes(self, register, false)?;
            }
            self.load_lanes()?;
        }
        match (needed, call.activity) {
            (None, None) => {
                inside.into_iter().for_each(|instruction| self.push(instruction));
                return self.mark();
            }
            (Some(_), None) => self.push(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX)?),
            (Some(_), Some(activity)) => {
                self.push(Instruction::with2(Code::And_r32_rm32, Register::EAX, self.in_storage(activity.at))?);
            }
            (None, Some(activity)) if call.intrinsic => {
                self.push(Instruction::with2(Code::Mov_r32_rm32, Register::EAX, self.in_storage(activity.at))?);
                self.push(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX)?);
            }
            (None, Some(activity)) => {
                self.push(Instruction::with2(Code::Cmp_rm32_imm8, self.in_storage(activity.at), 0)?);
            }
        }
        self.code.push(Item::Unless(inside));
        self.mark()
    }

    /// Tells a profile which module's code follows.
    fn mark(&mut self) -> Result<(), IcedError> {
        let Some(module) = self.profiled else { return Ok(()) };
        let place = self.address(Place { base: Base::Frame, offset: frame::PROFILED_MODULE }, false);
        self.push(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, place)?);
        let profiled = MemoryOperand::with_base(Register::RAX);
        self.push(Instruction::with2(Code::Mov_rm64_imm32, profiled, module as i32)?);
        Ok(())
    }

    fn lea(&self, to: Register, base: Base, offset: i32) -> Result<Instruction, IcedError> {
        let address = MemoryOperand::with_base_displ(self.base(base), offset.into());
        Instruction::with2(Code::Lea_r64_m, to, address)
    }
}
