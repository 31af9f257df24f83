//! Operations in the instructions of AVX2: half a vector in a register, operations of two operands.
//!
//! Programs are brought to what these instructions can do before ([`two_operands`](super::two_operands)).

use super::{
    function::HALF,
    registers::{Body, Instructions, Operand},
};
use crate::vector::{
    lower::frame,
    program::{Base, Compare, Op, Place, Table, Value},
};
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

/// The set of instructions.
pub(super) struct Avx2;

/// The last register is for what an instruction needs beside its operands.
const BESIDE: Register = Register::YMM15;

impl Instructions for Avx2 {
    const REGISTERS: usize = 15;
    const BROADCASTS: bool = false;
    const HALVES: bool = true;

    fn vector(number: usize) -> Register {
        Register::YMM0 + number as u32
    }

    fn copy(to: Register, from: Register) -> Result<Instruction, IcedError> {
        Instruction::with2(Code::VEX_Vmovdqa_ymm_ymmm256, to, from)
    }

    fn load(to: Register, from: MemoryOperand, broadcast: bool) -> Result<Instruction, IcedError> {
        let code = if broadcast { Code::VEX_Vpbroadcastd_ymm_xmmm32 } else { Code::VEX_Vmovdqa_ymm_ymmm256 };
        Instruction::with2(code, to, from)
    }

    fn store(to: MemoryOperand, from: Register) -> Result<Instruction, IcedError> {
        Instruction::with2(Code::VEX_Vmovdqa_ymmm256_ymm, to, from)
    }

    fn fill(to: Register, ones: bool) -> Result<Instruction, IcedError> {
        let code = if ones { Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256 } else { Code::VEX_Vpxor_ymm_ymm_ymmm256 };
        Instruction::with3(code, to, to, to)
    }

    fn lanes(body: &mut Body<Self>, register: usize, mask: bool) -> Result<(), IcedError> {
        let valid = body.address(Place { base: Base::Frame, offset: frame::VALID }, false);
        body.push(Instruction::with3(Code::VEX_Vpand_ymm_ymm_ymmm256, BESIDE, Self::vector(register), valid)?);
        let place = body.lanes_on_stack();
        body.store_lanes(BESIDE, mask, place)
    }

    fn flags(body: &mut Body<Self>, register: usize, mask: bool, place: Place) -> Result<(), IcedError> {
        body.store_lanes(Self::vector(register), mask, place)
    }

    fn compute(body: &mut Body<Self>, op: Op, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        match (op, inputs) {
            (Op::Logic(table), &[a, b]) => {
                let code = match Table::of(table) {
                    Some(Table::And) => Code::VEX_Vpand_ymm_ymm_ymmm256,
                    Some(Table::Or) => Code::VEX_Vpor_ymm_ymm_ymmm256,
                    Some(Table::Xor) => Code::VEX_Vpxor_ymm_ymm_ymmm256,
                    Some(Table::NotAnd) => return body.plain(Code::VEX_Vpandn_ymm_ymm_ymmm256, a, b, at),
                    None => unreachable!("logic was made of what there are instructions for"),
                };
                body.commutative(code, a, b, at)
            }
            (Op::Compare(Compare::Equal), &[a, b]) => body.commutative(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, a, b, at),
            (Op::Compare(Compare::LessSigned), &[a, b]) => body.plain(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256, b, a, at),
            (Op::Blend, &[a, b, select]) => body.blend([a, b, select], at),
            (Op::Gather { place, scale }, _) => body.gather(place, scale, inputs, at),
            (Op::Left(by), &[a]) => body.shift(Code::VEX_Vpslld_ymm_ymm_imm8, a, by, at),
            (Op::Right(by), &[a]) => body.shift(Code::VEX_Vpsrld_ymm_ymm_imm8, a, by, at),
            (Op::Arithmetic(by), &[a]) => body.shift(Code::VEX_Vpsrad_ymm_ymm_imm8, a, by, at),
            (Op::RightPair(by), &[a]) => body.shift(Code::VEX_Vpsrlq_ymm_ymm_imm8, a, by, at),
            (Op::MulEven, &[a, b]) => body.plain(Code::VEX_Vpmuludq_ymm_ymm_ymmm256, a, b, at),
            (Op::Add, &[a, b]) => body.commutative(Code::VEX_Vpaddd_ymm_ymm_ymmm256, a, b, at),
            (Op::Mul, &[a, b]) => body.commutative(Code::VEX_Vpmulld_ymm_ymm_ymmm256, a, b, at),
            (Op::MaxUnsigned, &[a, b]) => body.commutative(Code::VEX_Vpmaxud_ymm_ymm_ymmm256, a, b, at),
            (Op::Sub, &[a, b]) => body.plain(Code::VEX_Vpsubd_ymm_ymm_ymmm256, a, b, at),
            (Op::LeftBy, &[a, b]) => body.plain(Code::VEX_Vpsllvd_ymm_ymm_ymmm256, a, b, at),
            (Op::RightBy, &[a, b]) => body.plain(Code::VEX_Vpsrlvd_ymm_ymm_ymmm256, a, b, at),
            (Op::ArithmeticBy, &[a, b]) => body.plain(Code::VEX_Vpsravd_ymm_ymm_ymmm256, a, b, at),
            _ => unreachable!("the program was made of what there are instructions for"),
        }
    }
}

impl Body<'_, Avx2> {
    /// Stores a bit for each lane of this half in which a vector is not zero: a byte at the place, or the one after it.
    fn store_lanes(&mut self, from: Register, mask: bool, place: Place) -> Result<(), IcedError> {
        if mask {
            self.push(Instruction::with2(Code::VEX_Vmovmskps_r32_ymm, Register::EAX, from)?);
        } else {
            let zero = Avx2::vector(self.free(&[])?);
            self.push(Avx2::fill(zero, false)?);
            self.push(Instruction::with3(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, zero, from, zero)?);
            self.push(Instruction::with2(Code::VEX_Vmovmskps_r32_ymm, Register::EAX, zero)?);
            self.push(Instruction::with1(Code::Not_rm32, Register::EAX)?);
        }
        let base = self.base(place.base);
        let to = MemoryOperand::new(base, HALF, 1, place.offset.into(), 1, false, Register::None);
        self.push(Instruction::with2(Code::Mov_rm8_r8, to, Register::AL)?);
        Ok(())
    }

    fn shift(&mut self, code: Code, a: Value, by: u8, at: usize) -> Result<usize, IcedError> {
        let from = Avx2::vector(self.in_register(a, &[a])?);
        let free = self.result(&[a], at)?;
        self.push(Instruction::with3(code, Avx2::vector(free), from, i32::from(by))?);
        Ok(free)
    }

    fn blend(&mut self, inputs: [Value; 3], at: usize) -> Result<usize, IcedError> {
        let [a, b, select] = inputs;
        let first = Avx2::vector(self.in_register(a, &inputs)?);
        let mask = Avx2::vector(self.in_register(select, &inputs)?);
        let second = self.operand(b, &inputs, at)?;
        let free = self.result(&inputs, at)?;
        let (code, to) = (Code::VEX_Vpblendvb_ymm_ymm_ymmm256_ymm, Avx2::vector(free));
        self.push(match second {
            Operand::Register(second) => Instruction::with4(code, to, first, second, mask)?,
            Operand::Memory(second) => Instruction::with4(code, to, first, second, mask)?,
        });
        Ok(free)
    }

    fn gather(&mut self, place: Place, scale: u8, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        let index = Avx2::vector(self.in_register(inputs[0], inputs)?);
        // The instruction clears what says where something is wanted.
        if let Some(&wanted) = inputs.get(1) {
            let wanted = Avx2::vector(self.in_register(wanted, inputs)?);
            self.push(Avx2::copy(BESIDE, wanted)?);
            self.used(inputs[1], at);
        } else {
            self.push(Avx2::fill(BESIDE, true)?);
        }
        // The result must not be where the index is.
        let free = self.free(inputs)?;
        let to = Avx2::vector(free);
        self.push(Avx2::fill(to, false)?);
        let base = self.base(place.base);
        let from = MemoryOperand::new(base, index, scale.into(), place.offset.into(), 1, false, Register::None);
        self.push(Instruction::with3(Code::VEX_Vpgatherdd_ymm_vm32y_ymm, to, from, BESIDE)?);
        self.used(inputs[0], at);
        Ok(free)
    }
}
