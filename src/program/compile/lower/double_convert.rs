//! Conversions between doubles and integers of all sizes, and between doubles and floats.

use super::{
    double::{Pair, SIGN, constant},
    form::{Form, Rounding},
    lowering::{Done, Lowering},
    saturate,
};
use crate::{
    compile::ir::Value,
    isa::{Comparison, Opcode},
};
use Value::Const;

/// High word of 2^52: doubles from here on are integers.
const INTEGRAL: u32 = 0x4330_0000;

impl Lowering<'_> {
    /// A double rounded to an integral double. As [`Lowering::rounded`] does it for floats.
    fn rounded_double(&mut self, x: Pair, rounding: Rounding) -> Pair {
        let integral = [Value::ZERO, Const(INTEGRAL)];
        let magnitude = self.double_magnitude(x);
        let sum = self.double_sum(magnitude, integral);
        let near = self.double_difference(sum, integral);
        let one = constant(1.0);
        let sign = self.calc(Opcode::And, x[1], Const(SIGN));
        let signed = |l: &mut Self, x: Pair| [x[0], l.calc(Opcode::Or, x[1], sign)];
        let result = match rounding {
            Rounding::ZeroInteger => {
                let less = self.double_difference(near, one);
                let up = self.compared_double(Comparison::Gt, near, magnitude);
                let down = self.select_wide(up, less, near);
                signed(self, down)
            }
            Rounding::NearestInteger => signed(self, near),
            _ => {
                let near = signed(self, near);
                let (stepped, wrong) = match rounding {
                    Rounding::DownInteger => (self.double_difference(near, one), Comparison::Gt),
                    // -1 + 1 is +0, but the ceiling of -0.7 is -0.
                    _ => {
                        let stepped = self.double_sum(near, one);
                        (signed(self, stepped), Comparison::Lt)
                    }
                };
                let beyond = self.compared_double(wrong, near, x);
                self.select_wide(beyond, stepped, near)
            }
        };
        let small = self.compared(Opcode::ISetpU, Comparison::Lt, magnitude[1], Const(INTEGRAL));
        self.select_wide(small, result, x)
    }
}

/// `cvt.rn.f64` of integers.
pub(super) fn from_integer(l: &mut Lowering, form: &Form) -> Done {
    let ty = form.ty();
    let signed = ty.is_signed();
    let value = if ty.bits() == 64 {
        l.src_wide(form, 1)?
    } else {
        let low = l.src_extended(form, 1, ty)?;
        [low, if signed { l.calc(Opcode::Sar, low, Const(31)) } else { Value::ZERO }]
    };
    let result = l.double_of(if signed { Opcode::I2dS } else { Opcode::I2dU }, value);
    l.finish_double(form, result)
}

/// `cvt.{rni,rzi,rmi,rpi}` to integers: out of range is the nearest end of the range, NaN the highest bit alone.
pub(super) fn to_integer(l: &mut Lowering, form: &Form) -> Done {
    let (rounding, to) = (form.rounds(), form.result_type());
    let bits = to.bits();
    let x = l.src_wide(form, 1)?;
    let x = if rounding == Rounding::ZeroInteger { x } else { l.rounded_double(x, rounding) };
    let signed = to.is_signed();
    let mut value = l.double_of(if signed { Opcode::D2iS } else { Opcode::D2iU }, x);
    if bits == 64 {
        let dst = l.dst_wide(form, 0)?;
        l.mov_wide(dst, value);
        return Ok(());
    }
    if signed {
        // NaN is the lowest number of 64 bits, and so becomes the lowest of less bits.
        let [least, greatest] = saturate::range(to);
        for (bound, beyond) in [(least, Comparison::Lt), (greatest, Comparison::Gt)] {
            let bound = [Const(bound as u32), Const((bound >> 32) as u32)];
            let outside = l.compared_wide(beyond, true, value, bound);
            value = l.select_wide(outside, bound, value);
        }
    } else {
        let greatest = Const(u32::MAX >> (32 - bits));
        let over = l.compared(Opcode::ISetpU, Comparison::Ne, value[1], Value::ZERO);
        let low = l.calc(Opcode::MinU, value[0], greatest);
        let low = l.selected(over, greatest, low);
        let magnitude = l.double_magnitude(x);
        let nan = l.is_nan_double(magnitude);
        value[0] = l.selected(nan, Const(1 << (bits - 1)), low);
    }
    let dst = l.binding(form, 0)?;
    l.write_extended(form, dst, value[0], to)
}

/// `cvt.f64.f64`, with or without rounding to an integral number.
pub(super) fn round(l: &mut Lowering, form: &Form) -> Done {
    let x = l.src_wide(form, 1)?;
    let result = match form.rounding().filter(|rounding| rounding.to_integer()) {
        Some(rounding) => l.rounded_double(x, rounding),
        None => x,
    };
    l.finish_double(form, result)
}

/// `cvt.f64.f32`.
pub(super) fn widen(l: &mut Lowering, form: &Form) -> Done {
    let x = l.float(form, 1)?;
    let result = l.double_of(Opcode::F2d, [x, Value::ZERO]);
    l.finish_double(form, result)
}

/// `cvt.f32.f64`. Rounded otherwise than to nearest it is the nearest float or its neighbour: the exact comparison tells.
pub(super) fn narrow(l: &mut Lowering, form: &Form) -> Done {
    let x = l.src_wide(form, 1)?;
    let near = l.double_of(Opcode::D2f, x)[0];
    let rounding = form.rounds();
    let result = if rounding == Rounding::Nearest {
        near
    } else {
        let back = l.double_of(Opcode::F2d, [near, Value::ZERO]);
        let relation = l.relation(back, false, x);
        let (less, more) = (l.calc(Opcode::Sub, near, Const(1)), l.calc(Opcode::Add, near, Const(1)));
        let negative = l.compared(Opcode::ISetpS, Comparison::Lt, near, Value::ZERO);
        let (down, up) = (l.selected(negative, more, less), l.selected(negative, less, more));
        let (above, below) = (l.is_in(relation, Comparison::Gt), l.is_in(relation, Comparison::Lt));
        match rounding {
            Rounding::Down => l.selected(above, down, near),
            Rounding::Up => l.selected(below, up, near),
            _ => {
                let lowered = l.selected(above, less, near);
                let raised = l.selected(below, less, near);
                l.selected(negative, raised, lowered)
            }
        }
    };
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, result);
    Ok(())
}
