//! Half precision (`.f16`) and bfloat16 (`.bf16`), one number or two in a word (`.f16x2`, `.bf16x2`): in single
//! precision, rounded again.
//!
//! Sums and products in 24 bits, rounded again to 11 or 8, are correctly rounded, as 24 >= 2 * 11 + 2 (S. Figueroa,
//! *When is double rounding innocuous?*, 1995). A fused multiply-add is not: its first rounding is to odd
//! ([`super::arithmetic::directed`]), behind which a second one is as one (S. Boldo, G. Melquiond,
//! *Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd*, 2008). Results that are not numbers are `0x7fff`.

use super::{
    arithmetic::directed,
    convert,
    form::{Form, Modifier, Rounding},
    lowering::{Done, Lowering},
    predicate,
    predicate::Compared,
};
use crate::{
    compile::ir::{Op, Value},
    error::Problem,
    isa::{Comparison, Opcode},
    ptx::types::ScalarType,
};

const SIGN: u32 = 0x8000;
/// What is no number.
const NAN: u32 = 0x7fff;

/// Numbers of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NarrowFormat {
    Half,
    Brain,
}

/// By the name of a type, and how many numbers are in a word.
fn format_of(ty: ScalarType) -> (NarrowFormat, u32) {
    let format =
        if matches!(ty, ScalarType::Bf16 | ScalarType::Bf16x2) { NarrowFormat::Brain } else { NarrowFormat::Half };
    (format, if ty.bits() == 32 { 2 } else { 1 })
}

impl Lowering<'_> {
    /// A number of a word as a float.
    fn widened(&mut self, format: NarrowFormat, word: Value, lane: u32) -> Value {
        let own = if lane == 0 { word } else { self.calc(Opcode::Shr, word, Value::Const(16)) };
        match format {
            NarrowFormat::Half => self.half_to_float(own),
            NarrowFormat::Brain => self.calc(Opcode::Shl, own, Value::Const(16)),
        }
    }

    /// A float rounded to the nearest number of 16 bits.
    fn narrowed(&mut self, format: NarrowFormat, x: Value) -> Value {
        let magnitude = self.calc(Opcode::And, x, Value::Const(0x7fff_ffff));
        let (dropped, bias) = match format {
            NarrowFormat::Half => (13, 112 << 23),
            NarrowFormat::Brain => (16, 0u32),
        };
        let moved = self.calc(Opcode::Sub, magnitude, Value::Const(bias));
        let last = self.calc(Opcode::Shr, magnitude, Value::Const(dropped));
        let last = self.calc(Opcode::And, last, Value::Const(1));
        let moved = self.calc(Opcode::Add, moved, Value::Const((1 << (dropped - 1)) - 1));
        let moved = self.calc(Opcode::Add, moved, last);
        let mut result = self.calc(Opcode::Shr, moved, Value::Const(dropped));
        if format == NarrowFormat::Half {
            // The sum has the bits of a subnormal result at its end, rounded.
            let half = Value::Const(0.5f32.to_bits());
            let sum = self.calc(Opcode::FAdd, magnitude, half);
            let subnormal = self.calc(Opcode::Sub, sum, half);
            let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Value::Const(113 << 23));
            let large = self.compared(Opcode::ISetpU, Comparison::Ge, magnitude, Value::Const(0x477f_f000));
            result = self.selected(small, subnormal, result);
            result = self.selected(large, Value::Const(0x7c00), result);
        }
        let sign = self.calc(Opcode::Shr, x, Value::Const(16));
        let sign = self.calc(Opcode::And, sign, Value::Const(SIGN));
        let result = self.calc(Opcode::Or, result, sign);
        let none = self.compared(Opcode::ISetpU, Comparison::Gt, magnitude, Value::Const(0x7f80_0000));
        self.selected(none, Value::Const(NAN), result)
    }

    /// The same in a direction (`.rz`, `.rm`, `.rp`): one step from the nearest where that is on the other side.
    fn narrowed_to(&mut self, format: NarrowFormat, x: Value, rounding: Rounding) -> Value {
        let near = self.narrowed(format, x);
        if !matches!(rounding, Rounding::Zero | Rounding::Down | Rounding::Up) {
            return near;
        }
        let back = self.widened(format, near, 0);
        let [of_back, of_x] = [back, x].map(|x| self.calc(Opcode::And, x, Value::Const(0x7fff_ffff)));
        let over = self.compared(Opcode::FSetp, Comparison::Gt, of_back, of_x);
        let under = self.compared(Opcode::FSetp, Comparison::Lt, of_back, of_x);
        let less = self.selected(over, Value::Const(u32::MAX), Value::ZERO);
        let more = self.selected(under, Value::Const(1), Value::ZERO);
        let negative = self.compared(Opcode::ISetpS, Comparison::Lt, x, Value::ZERO);
        let step = match rounding {
            Rounding::Zero => less,
            Rounding::Down => self.selected(negative, more, less),
            _ => self.selected(negative, less, more),
        };
        self.calc(Opcode::Add, near, step)
    }

    /// With `.ftz` a zero of the same sign for a subnormal number of half precision; of conversions that is for single precision.
    fn flushed_half(&mut self, form: &Form, number: Value) -> Value {
        if !form.has(Modifier::Ftz) || form.opcode() == "cvt" {
            return number;
        }
        let magnitude = self.calc(Opcode::And, number, Value::Const(NAN));
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude, Value::Const(0x400));
        let zero = self.calc(Opcode::And, number, Value::Const(SIGN));
        self.selected(small, zero, number)
    }

    /// A source as a float.
    fn narrow_source(
        &mut self,
        form: &Form,
        index: usize,
        (format, lane): (NarrowFormat, u32),
    ) -> Result<Value, Problem> {
        let word = self.src(form, index)?;
        let word = if lane == 0 { word } else { self.calc(Opcode::Shr, word, Value::Const(16)) };
        let word = self.flushed_half(form, word);
        Ok(self.widened(format, word, 0))
    }

    /// A result of 16 bits as `.sat` and `.relu` have it, of one in single precision.
    fn finished(&mut self, form: &Form, format: NarrowFormat, x: Value, rounding: Rounding) -> Value {
        let mut x = x;
        if form.has(Modifier::Sat) {
            let clamped = self.temp();
            self.saturate(clamped, x);
            x = Value::Reg(clamped);
        }
        let number = self.narrowed_to(format, x, rounding);
        let number = self.flushed_half(form, number);
        if !form.has(Modifier::Relu) {
            return number;
        }
        // Not what is no number, which has no sign here.
        let negative = self.compared(Opcode::ISetpU, Comparison::Ge, number, Value::Const(SIGN));
        self.selected(negative, Value::ZERO, number)
    }
}

/// Each number of the sources, `N` of them from place 1 on, by `compute`.
fn each<const N: usize>(
    l: &mut Lowering,
    form: &Form,
    mut compute: impl FnMut(&mut Lowering, NarrowFormat, [Value; N]) -> Value,
) -> Done {
    let (format, lanes) = format_of(form.ty());
    let mut results = vec![];
    for lane in 0..lanes {
        let mut sources = [Value::ZERO; N];
        for (i, source) in sources.iter_mut().enumerate() {
            *source = l.narrow_source(form, i + 1, (format, lane))?;
        }
        let x = compute(l, format, sources);
        results.push(l.finished(form, format, x, Rounding::Nearest));
    }
    let dst = l.dst(form, 0)?;
    let word = together(l, &results);
    l.mov(dst, word);
    Ok(())
}

/// One number, or two in a word.
fn together(l: &mut Lowering, numbers: &[Value]) -> Value {
    match *numbers {
        [low, high] => {
            let high = l.calc(Opcode::Shl, high, Value::Const(16));
            l.calc(Opcode::Or, low, high)
        }
        _ => numbers[0],
    }
}

/// `add`, `sub`, `mul`
pub(super) fn arithmetic(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.opcode() == "mul" { Opcode::FMul } else { Opcode::FAdd };
    let negate = [false, form.opcode() == "sub", false];
    each(l, form, |l, _, [a, b]| {
        let dst = l.temp();
        l.emit(Op { dst: Some(dst), src: [a, b, Value::ZERO], negate, ..Op::new(opcode, l.line) });
        Value::Reg(dst)
    })
}

/// `fma`
pub(super) fn fused(l: &mut Lowering, form: &Form) -> Done {
    // A product of half precision is exact in single precision, also beyond the ends of its range.
    each(l, form, |l, format, sources| directed::fused_to_odd(l, sources, format == NarrowFormat::Half))
}

/// `min`, `max`, with `.NaN` no number if one source is none
pub(super) fn min_max(l: &mut Lowering, form: &Form) -> Done {
    let opcode = if form.opcode() == "min" { Opcode::FMin } else { Opcode::FMax };
    each(l, form, |l, _, [a, b]| {
        let extreme = l.calc(opcode, a, b);
        if !form.has(Modifier::NaN) {
            return extreme;
        }
        let none = l.compared(Opcode::FSetp, Comparison::Nan, a, b);
        l.selected(none, Value::Const(0x7fff_ffff), extreme)
    })
}

/// `neg`, `abs`: of the bits.
pub(super) fn sign(l: &mut Lowering, form: &Form) -> Done {
    let (_, lanes) = format_of(form.ty());
    let word = l.src(form, 1)?;
    let mut numbers = vec![];
    for lane in 0..lanes {
        let own = if lane == 0 { word } else { l.calc(Opcode::Shr, word, Value::Const(16)) };
        let own = l.calc(Opcode::And, own, Value::Const(0xffff));
        let own = l.flushed_half(form, own);
        numbers.push(match form.opcode() {
            "neg" => l.calc(Opcode::Xor, own, Value::Const(SIGN)),
            _ => l.calc(Opcode::And, own, Value::Const(SIGN - 1)),
        });
    }
    let dst = l.dst(form, 0)?;
    let word = together(l, &numbers);
    l.mov(dst, word);
    Ok(())
}

/// `setp`; of two numbers a predicate for each.
pub(super) fn compare(l: &mut Lowering, form: &Form) -> Done {
    let (format, lanes) = format_of(form.ty());
    let mut sources = vec![];
    for lane in 0..lanes {
        sources.push([1, 2].map(|index| l.narrow_source(form, index, (format, lane))));
    }
    let mut outcomes = vec![];
    for [a, b] in sources {
        let outcome = l.compared(Opcode::FSetp, predicate::comparison(form.parts[1]).0, a?, b?);
        outcomes.push(outcome);
    }
    predicate::write_compared(
        l,
        form,
        match outcomes[..] {
            [low, high] => Compared::Each([low, high]),
            _ => Compared::One(outcomes[0]),
        },
    )
}

/// `cvt.f32.f16`, `cvt.f32.bf16`
pub(super) fn to_float(l: &mut Lowering, form: &Form) -> Done {
    let x = l.narrow_source(form, 1, (format_of(form.ty()).0, 0))?;
    let dst = l.dst(form, 0)?;
    if form.has(Modifier::Sat) {
        l.saturate(dst, x)
    } else {
        l.mov(dst, x)
    }
    Ok(())
}

/// `cvt.rn.f16.f32`, and of two floats to two numbers of a word, the first one the high one
pub(super) fn of_float(l: &mut Lowering, form: &Form) -> Done {
    let (format, lanes) = format_of(form.result_type());
    let mut numbers = vec![];
    for index in (1..=lanes as usize).rev() {
        let x = l.float(form, index)?;
        numbers.push(l.finished(form, format, x, form.rounds()));
    }
    let word = together(l, &numbers);
    l.write_narrow(form, word, lanes)
}

/// `cvt.rn.f16.s32`: what single precision rounds is beyond the end of half precision.
pub(super) fn of_integer(l: &mut Lowering, form: &Form) -> Done {
    let from = form.ty();
    let value = l.src_extended(form, 1, from)?;
    let x = l.calc(if from.is_signed() { Opcode::I2fS } else { Opcode::I2fU }, Value::ZERO, value);
    let number = l.finished(form, NarrowFormat::Half, x, form.rounds());
    l.write_narrow(form, number, 1)
}

/// `cvt.rzi.s32.f16`
pub(super) fn to_integer(l: &mut Lowering, form: &Form) -> Done {
    let x = l.narrow_source(form, 1, (NarrowFormat::Half, 0))?;
    let x = l.rounded(x, form.rounds());
    convert::write_integer(l, form, x)
}

/// `cvt.rni.f16.f16`
pub(super) fn round(l: &mut Lowering, form: &Form) -> Done {
    let x = l.narrow_source(form, 1, (NarrowFormat::Half, 0))?;
    let x = l.rounded_if_wanted(form, x);
    let number = l.finished(form, NarrowFormat::Half, x, Rounding::Nearest);
    l.write_narrow(form, number, 1)
}

impl Lowering<'_> {
    /// Writes a conversion's result of 16 or 32 bits, to a register that may be wider.
    fn write_narrow(&mut self, form: &Form, word: Value, lanes: u32) -> Done {
        let dst = self.binding(form, 0)?;
        self.write_extended(form, dst, word, if lanes == 2 { ScalarType::B32 } else { ScalarType::B16 })
    }
}
