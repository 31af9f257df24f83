//! Approximations on a core with special function units ([`crate::special`]): one instruction, and what goes around it.
//! All are within the bounds of the PTX manual.
//!
//! `.ftz` is spared where operand or result cannot be subnormal, or its value does not matter.

use super::{
    form::{Form, Modifier, Rounding},
    lowering::Lowering,
};
use crate::{
    compile::ir::Value,
    error::Problem,
    isa::{Comparison, Opcode},
};
use Value::Const;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
/// The least normal number, and 2^126.
const NORMAL: [u32; 2] = [0x0080_0000, 0x7e80_0000];
const ONE: u32 = 0x3f80_0000;
const HALF: u32 = 0x3f00_0000;
const QUARTER: u32 = 0x3e80_0000;
/// 2^24, and the root of its reciprocal.
const RAISED: u32 = 0x4b80_0000;
const LOWERED: u32 = 0x3980_0000;

impl Lowering<'_> {
    /// A special function of a float.
    pub(super) fn special_function(&mut self, opcode: Opcode, x: Value) -> Value {
        self.calc(opcode, Value::ZERO, x)
    }

    /// `n / d` where the reciprocal of `d` is a normal number; `full`: wherever the quotient is one.
    pub(super) fn special_quotient_of(&mut self, n: Value, d: Value, full: bool) -> Value {
        if !full {
            let inverse = self.special_function(Opcode::Rcp, d);
            return self.calc(Opcode::FMul, n, inverse);
        }
        let magnitude = self.calc(Opcode::And, d, Const(!SIGN));
        let large = self.compared(Opcode::ISetpU, Comparison::Gt, magnitude, Const(NORMAL[1]));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Const(NORMAL[0]));
        let factor = self.selected(large, Const(QUARTER), Const(ONE));
        let factor = self.selected(small, Const(RAISED), factor);
        let [n, d] = [n, d].map(|value| self.calc(Opcode::FMul, value, factor));
        self.special_quotient_of(n, d, false)
    }

    /// The square root: that of the unit's reciprocal root, after a Newton step. `flushed`: there are no subnormals.
    fn special_root_of(&mut self, x: Value, flushed: bool) -> Value {
        let magnitude = self.calc(Opcode::And, x, Const(!SIGN));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Const(NORMAL[0]));
        let raised = match flushed {
            true => x,
            false => {
                let factor = self.selected(small, Const(RAISED), Const(ONE));
                self.calc(Opcode::FMul, x, factor)
            }
        };
        let inverse = self.special_function(Opcode::Rsq, raised);
        let root = self.calc(Opcode::FMul, raised, inverse);
        let half = self.calc(Opcode::FMul, inverse, Const(HALF));
        let left = self.fused_temp([root, root, raised], true);
        let mut root = self.fused_temp([left, half, root], false);
        if !flushed {
            let factor = self.selected(small, Const(LOWERED), Const(ONE));
            root = self.calc(Opcode::FMul, root, factor);
        }
        let zero = self.compared(Opcode::ISetpU, Comparison::Eq, magnitude, Value::ZERO);
        let root = self.selected(zero, x, root);
        let infinite = self.compared(Opcode::ISetpU, Comparison::Eq, x, Const(INFINITY));
        self.selected(infinite, x, root)
    }
}

/// Whether the form is an approximation that the core's unit computes.
fn applies(l: &Lowering, form: &Form) -> bool {
    l.has_special && !form.rounds_to(Rounding::Nearest)
}

/// `div.approx`, `div.full`; whether it was one of them.
pub(super) fn divide(l: &mut Lowering, form: &Form) -> Result<bool, Problem> {
    if !applies(l, form) || !(form.has(Modifier::Approx) || form.has(Modifier::Full)) {
        return Ok(false);
    }
    let (n, d) = (l.float(form, 1)?, l.float(form, 2)?);
    let quotient = l.special_quotient_of(n, d, form.has(Modifier::Full));
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, quotient);
    Ok(true)
}

/// `rcp.approx`, `sqrt.approx`, `rsqrt`, `ex2`, `lg2`, `sin`, `cos`; whether it was one of them.
pub(super) fn function(l: &mut Lowering, form: &Form) -> Result<bool, Problem> {
    let name = form.opcode();
    if !applies(l, form) || matches!(name, "rcp" | "sqrt") && !form.has(Modifier::Approx) {
        return Ok(false);
    }
    // A subnormal operand of these gives what zero gives.
    let x = if matches!(name, "ex2" | "sin" | "cos") { l.src(form, 1)? } else { l.float(form, 1)? };
    let result = match name {
        "rcp" => l.special_function(Opcode::Rcp, x),
        "sqrt" => l.special_root_of(x, form.has(Modifier::Ftz)),
        "rsqrt" => l.special_function(Opcode::Rsq, x),
        "ex2" => l.special_function(Opcode::Ex2, x),
        "lg2" => l.special_function(Opcode::Lg2, x),
        _ => {
            let turns = l.calc(Opcode::FMul, x, Const((0.5 * std::f32::consts::FRAC_1_PI).to_bits()));
            l.special_function(if name == "sin" { Opcode::Sin } else { Opcode::Cos }, turns)
        }
    };
    let dst = l.dst(form, 0)?;
    // Of the others no result is subnormal.
    if matches!(name, "rcp" | "ex2") {
        l.finish_float(form, dst, result);
    } else {
        l.mov(dst, result);
    }
    Ok(true)
}
