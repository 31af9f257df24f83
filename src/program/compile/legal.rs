//! Constants to where the encoding has room for them: operand `b`, in an instruction without operand `c`, operand
//! negation or inverted predicate. Zero is the register `RZ` and fits everywhere. Other constants get a register, once
//! a block.

use super::ir::*;
use crate::isa::{Comparison, Opcode, Operands};
use std::collections::HashMap;

/// Makes every operation encodable.
pub fn legalise(code: &mut KernelCode) {
    for b in 0..code.blocks.len() {
        let ops = std::mem::take(&mut code.blocks[b].ops);
        let mut out = Legal { code, ops: Vec::new(), constants: HashMap::new() };
        for op in ops {
            out.legal(op);
        }
        code.blocks[b].ops = out.ops;
    }
}

struct Legal<'a> {
    code: &'a mut KernelCode,
    ops: Vec<Op>,
    constants: HashMap<u32, Reg>,
}

fn needs_register(value: Value) -> bool {
    !matches!(value, Value::Reg(_) | Value::Const(0))
}

impl Legal<'_> {
    /// The constant in source `i` moves into a register.
    fn hold(&mut self, op: &mut Op, i: usize) {
        let Value::Const(constant) = op.src[i] else { return };
        if constant == 0 {
            return;
        }
        let reg = *self.constants.entry(constant).or_insert_with(|| {
            let reg = self.code.reg();
            let src = [Value::ZERO, Value::Const(constant), Value::ZERO];
            self.ops.push(Op { dst: Some(reg), src, ..Op::new(Opcode::Mov, op.line) });
            reg
        });
        op.src[i] = Value::Reg(reg);
    }

    fn legal(&mut self, mut op: Op) {
        signs_into_constants(&mut op);
        match op.opcode.operands() {
            Operands::None | Operands::Branch | Operands::B | Operands::Logic => {}
            Operands::Barrier => {
                if op.p.negate {
                    self.hold(&mut op, 1);
                }
            }
            Operands::Load | Operands::Store => {
                if let [Value::Const(base), Value::Const(offset), _] = op.src {
                    (op.src[0], op.src[1]) = (Value::ZERO, Value::Const(base.wrapping_add(offset)));
                }
                self.hold(&mut op, 2);
            }
            Operands::Atomic => (0..3).for_each(|i| self.hold(&mut op, i)),
            Operands::Abc => return self.legal_abc(op),
            // The two instructions of a double have their operands in the same places.
            Operands::Double => {
                self.hold(&mut op, 0);
                self.hold(&mut op, 2);
                if op.src[2] != Value::ZERO || op.negate != [false; 3] {
                    self.hold(&mut op, 1);
                }
            }
            Operands::Ab | Operands::Abp | Operands::Compare => {
                if needs_register(op.src[0]) && !needs_register(op.src[1]) {
                    exchange(&mut op);
                }
                self.hold(&mut op, 0);
                if op.p.negate || op.negate != [false; 3] {
                    self.hold(&mut op, 1);
                }
            }
        }
        self.ops.push(op);
    }

    fn legal_abc(&mut self, mut op: Op) {
        if needs_register(op.src[0]) && !needs_register(op.src[1]) {
            op.src.swap(0, 1);
            op.negate.swap(0, 1);
        }
        self.hold(&mut op, 0);
        let power = op.src[1].constant().filter(|c| c.is_power_of_two());
        if op.opcode == Opcode::Mad && (needs_register(op.src[2]) || power.is_some()) {
            // As cheap as a constant in a register and a multiply-add, and shorter lived.
            let product = self.code.reg();
            let [a, b, c] = op.src;
            let (opcode, b) = match power {
                Some(power) => (Opcode::Shl, Value::Const(power.trailing_zeros())),
                None => (Opcode::Mul, b),
            };
            self.ops.push(Op { dst: Some(product), src: [a, b, Value::ZERO], ..Op::new(opcode, op.line) });
            op.opcode = Opcode::Add;
            op.src = [Value::Reg(product), c, Value::ZERO];
            self.ops.push(op);
            return;
        }
        self.hold(&mut op, 2);
        if op.src[2] != Value::ZERO || op.negate != [false; 3] {
            self.hold(&mut op, 1);
        }
        self.ops.push(op);
    }
}

/// `-k` is a constant, too; and the sign of a product may be either factor's.
fn signs_into_constants(op: &mut Op) {
    if matches!(op.opcode, Opcode::FMul | Opcode::FFma) && op.negate[0] && op.src[1].constant().is_some() {
        op.negate[0] = false;
        op.negate[1] = !op.negate[1];
    }
    for i in 0..3 {
        if let Value::Const(constant) = op.src[i]
            && op.negate[i]
        {
            op.src[i] = Value::Const(constant ^ 1 << 31);
            op.negate[i] = false;
        }
    }
}

/// Exchanges `a` and `b` where an equivalent operation exists.
fn exchange(op: &mut Op) {
    match op.opcode {
        Opcode::Sub | Opcode::Subc | Opcode::Shl | Opcode::Shr | Opcode::Sar => return,
        Opcode::Sel => op.p = op.p.invert_if(true),
        Opcode::ISetpS | Opcode::ISetpU | Opcode::FSetp => {
            let mirrored = |code: u8| match code & 7 {
                2 => Comparison::Gt as u8,
                3 => Comparison::Ge as u8,
                4 => Comparison::Lt as u8,
                5 => Comparison::Le as u8,
                same => same,
            };
            op.code = op.code & 8 | mirrored(op.code);
        }
        _ => {}
    }
    op.src.swap(0, 1);
    op.negate.swap(0, 1);
}
