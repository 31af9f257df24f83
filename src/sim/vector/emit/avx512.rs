//! Operations in the instructions of AVX-512: a vector in a register, logic of three operands, constants as operands.

use super::registers::{Body, Instructions, Operand};
use crate::vector::{
    lower::frame,
    program::{Base, Compare, Op, Place, Value},
};
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

/// The set of instructions.
pub(super) struct Avx512;

impl Instructions for Avx512 {
    const REGISTERS: usize = 32;
    const BROADCASTS: bool = true;
    const HALVES: bool = false;

    fn vector(number: usize) -> Register {
        Register::ZMM0 + number as u32
    }

    fn copy(to: Register, from: Register) -> Result<Instruction, IcedError> {
        Instruction::with2(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, to, from)
    }

    fn load(to: Register, from: MemoryOperand, broadcast: bool) -> Result<Instruction, IcedError> {
        let code = match broadcast {
            true => Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
            false => Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512,
        };
        Instruction::with2(code, to, from)
    }

    fn store(to: MemoryOperand, from: Register) -> Result<Instruction, IcedError> {
        Instruction::with2(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, to, from)
    }

    fn fill(to: Register, ones: bool) -> Result<Instruction, IcedError> {
        match ones {
            false => Instruction::with3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, to, to, to),
            true => Instruction::with4(Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8, to, to, to, 0xff),
        }
    }

    fn lanes(body: &mut Body<Self>, register: usize, _mask: bool) -> Result<(), IcedError> {
        let code = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
        let valid = body.address(Place { base: Base::Frame, offset: frame::VALID }, false);
        body.push(Instruction::with3(code, Register::K1, Self::vector(register), valid)?);
        body.push(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::EAX, Register::K1)?);
        Ok(())
    }

    fn flags(body: &mut Body<Self>, register: usize, _mask: bool, place: Place) -> Result<(), IcedError> {
        let (register, address) = (Self::vector(register), body.address(place, false));
        let test = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
        body.push(Instruction::with3(test, Register::K1, register, register)?);
        body.push(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::EAX, Register::K1)?);
        body.push(Instruction::with2(Code::Mov_rm16_r16, address, Register::AX)?);
        Ok(())
    }

    fn compute(body: &mut Body<Self>, op: Op, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        match (op, inputs) {
            (Op::Logic(table), &[a]) => body.logic_one(table, a, at),
            (Op::Logic(table), &[a, b]) => body.logic_two(table, a, b, at),
            (Op::Logic(table), &[a, b, c]) => body.logic_three(table, [a, b, c], at),
            (Op::Compare(how), &[a, b]) => body.compare(how, a, b, at),
            (Op::Gather { place, scale }, _) => body.gather(place, scale, inputs, at),
            (Op::Left(by), &[a]) => body.shift(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::Right(by), &[a]) => body.shift(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::Arithmetic(by), &[a]) => body.shift(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::Rotate(by), &[a]) => body.shift(Code::EVEX_Vprold_zmm_k1z_zmmm512b32_imm8, a, by, at),
            (Op::RightPair(by), &[a]) => {
                body.in_register(a, &[])?; // a constant would be one word
                body.shift(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, a, by, at)
            }
            (Op::MulEven, &[a, b]) => {
                body.in_register(b, &[a])?; // likewise
                body.plain(Code::EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64, a, b, at)
            }
            (Op::Add, &[a, b]) => body.commutative(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::Mul, &[a, b]) => body.commutative(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::MaxUnsigned, &[a, b]) => body.commutative(Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::Sub, &[a, b]) => body.plain(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::LeftBy, &[a, b]) => body.plain(Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::RightBy, &[a, b]) => body.plain(Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            (Op::ArithmeticBy, &[a, b]) => body.plain(Code::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32, a, b, at),
            _ => unreachable!("operations have as many operands as they are made with"),
        }
    }
}

impl Body<'_, Avx512> {
    fn shift(&mut self, code: Code, a: Value, by: u8, at: usize) -> Result<usize, IcedError> {
        let from = self.operand(a, &[a], at)?;
        let free = self.result(&[a], at)?;
        let (to, by) = (Avx512::vector(free), i32::from(by));
        self.push(match from {
            Operand::Register(from) => Instruction::with3(code, to, from, by)?,
            Operand::Memory(from) => Instruction::with3(code, to, from, by)?,
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
        let to = Avx512::vector(free);
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
        let first = Avx512::vector(self.in_register(x, &[x, y])?);
        let second = self.operand(y, &[x, y], at)?;
        let free = self.result(&[x, y], at)?;
        // The instruction counts rows with its last operand lowest, and here its first does not matter.
        self.push(Self::ternary(Avx512::vector(free), first, second, swapped(table) * 0x11)?);
        Ok(free)
    }

    fn logic_three(&mut self, table: u8, inputs: [Value; 3], at: usize) -> Result<usize, IcedError> {
        // The result takes the place of one operand: one that dies here, else a copy of one from memory, else a copy.
        let here = |body: &Self, v: Value| body.register_of(v).is_some();
        let dying = inputs.iter().copied().find(|&v| here(self, v) && self.last_use(v, at));
        let last = inputs.iter().copied().find(|&v| self.outside(v, at) && Some(v) != dying);
        let target = dying.or_else(|| inputs.iter().copied().rfind(|&v| self.outside(v, at) && Some(v) != last));
        let target = target.unwrap_or_else(|| *inputs.iter().find(|&&v| Some(v) != last).expect("there are three"));
        let others: Vec<Value> = inputs.iter().copied().filter(|&v| v != target).collect();
        let (x, y) = if last == Some(others[0]) { (others[1], others[0]) } else { (others[0], others[1]) };
        let first = Avx512::vector(self.in_register(x, &inputs)?);
        let second = self.operand(y, &inputs, at)?;
        // Where the target is in a register and lives on, a copy of it is changed.
        let place = match self.register_of(target) {
            Some(register) if self.last_use(target, at) => {
                self.leave(target);
                register
            }
            Some(register) => {
                let free = self.free(&inputs)?;
                self.push(Avx512::copy(Avx512::vector(free), Avx512::vector(register))?);
                free
            }
            None => self.loaded(target, &inputs)?,
        };
        // Not given away before the operands are released.
        self.hold(place, target);
        inputs.iter().for_each(|&v| self.used(v, at));
        self.give_back(place);
        let order = [y, x, target].map(|v| inputs.iter().position(|&i| i == v).expect("it is an input"));
        let row = |row: u8| order.iter().enumerate().fold(0, |own, (k, place)| own | (row >> k & 1) << place);
        let table = (0..8u8).fold(0, |all, r| all | (table >> row(r) & 1) << r);
        self.push(Self::ternary(Avx512::vector(place), first, second, table)?);
        Ok(place)
    }

    fn compare(&mut self, how: Compare, a: Value, b: Value, at: usize) -> Result<usize, IcedError> {
        let symmetric = matches!(how, Compare::Equal | Compare::NotZero);
        let (a, b) = if symmetric && self.outside(a, at) { (b, a) } else { (a, b) };
        let first = Avx512::vector(self.in_register(a, &[a, b])?);
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
        self.push(Instruction::with2(Code::EVEX_Vpmovm2d_zmm_kr, Avx512::vector(free), mask)?);
        Ok(free)
    }

    fn gather(&mut self, place: Place, scale: u8, inputs: &[Value], at: usize) -> Result<usize, IcedError> {
        let index = Avx512::vector(self.in_register(inputs[0], inputs)?);
        if let Some(&wanted) = inputs.get(1) {
            let wanted = Avx512::vector(self.in_register(wanted, inputs)?);
            self.push(Instruction::with2(Code::EVEX_Vpmovd2m_kr_zmm, Register::K1, wanted)?);
            self.used(inputs[1], at);
        } else {
            self.push(Instruction::with3(Code::VEX_Kxnorw_kr_kr_kr, Register::K1, Register::K1, Register::K1)?);
        }
        // The result must not be where the index is.
        let free = self.free(inputs)?;
        let to = Avx512::vector(free);
        self.push(Instruction::with3(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, to, to, to)?);
        let base = self.base(place.base);
        let from = MemoryOperand::new(base, index, scale.into(), place.offset.into(), 1, false, Register::None);
        let mut gather = Instruction::with2(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, to, from)?;
        gather.set_op_mask(Register::K1);
        self.push(gather);
        self.used(inputs[0], at);
        Ok(free)
    }
}
