//! Rounding toward zero, down and up (`.rz`, `.rm`, `.rp`) of both precisions: the result to nearest, and one step in
//! its last place where the exact result is on the other side of it.
//!
//! What the nearest result misses of the exact one is known by its sign, exactly: of a sum by T. Dekker's fast two-sum,
//! of products, quotients and roots by a fused multiply-add, of a fused multiply-add by S. Boldo and J.-M. Muller,
//! *Exact and Approximated Error of the FMA*, 2011, to which one more renormalisation makes results without all their
//! bits (subnormals) safe. So that nothing is lost below the least number or beyond the greatest one, operands are
//! multiplied with powers of two first where they are small or large ([`Scales`]); what is too small then to count but
//! by its sign becomes the least number. A result that overflowed missed something in the direction of zero. Where an
//! operand is infinite or NaN, what is missed is NaN, and there is no step.

use super::super::{
    double::Pair,
    form::{Form, Rounding},
    lowering::{Done, Lowering},
};
use crate::{
    compile::ir::{Cond, Op, Value},
    isa::{Comparison, Logic, Opcode},
    ptx::types::ScalarType,
};
use Value::Const;

const SIGN: u32 = 0x8000_0000;

/// A direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Zero,
    Down,
    Up,
}

/// The direction that an instruction names; none: to nearest.
fn mode_of(form: &Form) -> Option<Mode> {
    match form.rounding()? {
        Rounding::Zero => Some(Mode::Zero),
        Rounding::Down => Some(Mode::Down),
        Rounding::Up => Some(Mode::Up),
        _ => None,
    }
}

/// Exponents of two, by what they are for.
struct Scales {
    /// Products and quotients below this are small: their errors may be below the least number.
    small: i32,
    /// A sum with a small product is small as a whole when the rest is below this.
    small_rest: i32,
    /// For small ones, of the factor of greater and of smaller magnitude: together more than the digits below 1.
    raise: [i32; 2],
    /// For both, of roots.
    raise_root: i32,
    /// Products and sums from here on are large.
    large: i32,
    /// For large ones, of both factors.
    lower: i32,
}

/// Numbers of one precision; those of 32 bits have nothing in the high word.
struct Numbers<'l, 'a> {
    l: &'l mut Lowering<'a>,
    double: bool,
}

impl Numbers<'_, '_> {
    fn scales(&self) -> Scales {
        match self.double {
            false => Scales { small: -80, small_rest: -40, raise: [40, 120], raise_root: 80, large: 100, lower: -32 },
            true => {
                Scales { small: -900, small_rest: -800, raise: [200, 900], raise_root: 550, large: 900, lower: -128 }
            }
        }
    }

    /// The word with sign and exponent.
    fn top(&self, x: Pair) -> Value {
        x[usize::from(self.double)]
    }

    fn with_top(&self, x: Pair, top: Value) -> Pair {
        if self.double { [x[0], top] } else { [top, Value::ZERO] }
    }

    /// The top word of `2^n`, of any `n` from that of infinity on.
    fn power_word(&self, n: i32) -> Value {
        let (bias, places) = if self.double { (1023, 20) } else { (127, 23) };
        Const(((n + bias) as u32) << places)
    }

    fn power(&self, n: i32) -> Pair {
        self.with_top([Value::ZERO; 2], self.power_word(n))
    }

    fn infinity(&self) -> Value {
        self.power_word(if self.double { 1024 } else { 128 })
    }

    fn op(&mut self, [single, double]: [Opcode; 2], src: [Pair; 3], negate: [bool; 3]) -> Pair {
        if self.double {
            return self.l.double(double, src, negate);
        }
        let dst = self.l.temp();
        let src = src.map(|[word, _]| word);
        self.l.emit(Op { dst: Some(dst), src, negate, ..Op::new(single, self.l.line) });
        [Value::Reg(dst), Value::ZERO]
    }

    fn sum(&mut self, a: Pair, b: Pair) -> Pair {
        self.op([Opcode::FAdd, Opcode::DAdd], [a, b, [Value::ZERO; 2]], [false; 3])
    }

    fn difference(&mut self, a: Pair, b: Pair) -> Pair {
        self.op([Opcode::FAdd, Opcode::DAdd], [a, b, [Value::ZERO; 2]], [false, true, false])
    }

    fn product(&mut self, a: Pair, b: Pair) -> Pair {
        self.op([Opcode::FMul, Opcode::DMul], [a, b, [Value::ZERO; 2]], [false; 3])
    }

    fn fused(&mut self, src: [Pair; 3], negate: [bool; 3]) -> Pair {
        self.op([Opcode::FFma, Opcode::DFma], src, negate)
    }

    fn select(&mut self, p: Cond, a: Pair, b: Pair) -> Pair {
        if self.double { self.l.select_wide(p, a, b) } else { [self.l.selected(p, a[0], b[0]), Value::ZERO] }
    }

    fn sign(&mut self, top: Value) -> Value {
        self.l.calc(Opcode::And, top, Const(SIGN))
    }

    fn magnitude(&mut self, x: Pair) -> Pair {
        let top = self.l.calc(Opcode::And, self.top(x), Const(!SIGN));
        self.with_top(x, top)
    }

    /// A magnitude is below a number with only this top word.
    fn is_below(&mut self, magnitude: Pair, top: Value) -> Cond {
        self.l.compared(Opcode::ISetpU, Comparison::Lt, self.top(magnitude), top)
    }

    fn is_zero(&mut self, magnitude: Pair) -> Cond {
        let any = self.l.calc(Opcode::Or, magnitude[0], magnitude[1]);
        self.l.compared(Opcode::ISetpU, Comparison::Eq, any, Value::ZERO)
    }

    fn both(&mut self, p: Cond, q: Cond) -> Cond {
        let dst = self.l.temp_pred();
        self.l.logic(dst, Logic::And, p, q);
        Cond::of(dst)
    }

    /// By magnitude, the greater one first.
    fn ordered(&mut self, a: Pair, b: Pair) -> [Pair; 2] {
        let (of_a, of_b) = (self.magnitude(a), self.magnitude(b));
        let less = if self.double {
            self.l.compared_wide(Comparison::Lt, false, of_a, of_b)
        } else {
            self.l.compared(Opcode::ISetpU, Comparison::Lt, of_a[0], of_b[0])
        };
        [self.select(less, b, a), self.select(less, a, b)]
    }

    /// Sum and what it misses, without overflow (D. Knuth).
    fn two_sum(&mut self, a: Pair, b: Pair) -> [Pair; 2] {
        let sum = self.sum(a, b);
        let of_b = self.difference(sum, a);
        let of_a = self.difference(sum, of_b);
        let (left_b, left_a) = (self.difference(b, of_b), self.difference(a, of_a));
        [sum, self.sum(left_a, left_b)]
    }

    /// `x`, or the least number with the sign in `sign` where it has become zero and `was` not.
    fn kept(&mut self, x: Pair, was: Pair, sign: Value) -> Pair {
        let (magnitude, before) = (self.magnitude(x), self.magnitude(was));
        let (zero, none) = (self.is_zero(magnitude), self.is_zero(before));
        let lost = self.both(zero, none.invert_if(true));
        let least = if self.double { [Const(1), sign] } else { [self.l.calc(Opcode::Or, sign, Const(1)), Value::ZERO] };
        self.select(lost, least, x)
    }

    /// Below zero, above zero.
    fn signs(&mut self, error: Pair) -> [Cond; 2] {
        if self.double {
            let relation = self.l.relation(error, false, [Value::ZERO; 2]);
            return [Comparison::Lt, Comparison::Gt].map(|comparison| self.l.is_in(relation, comparison));
        }
        [Comparison::Lt, Comparison::Gt]
            .map(|comparison| self.l.compared(Opcode::FSetp, comparison, error[0], Value::ZERO))
    }

    /// The nearest result, one step further where what it misses has that `[below, above]` sign.
    fn stepped(&mut self, near: Pair, [below, above]: [Cond; 2], mode: Mode) -> Pair {
        let negative = self.l.compared(Opcode::ISetpS, Comparison::Lt, self.top(near), Value::ZERO);
        // The magnitude grows by one, or shrinks.
        let [grow, shrink] = [[Const(1), Value::ZERO], [Const(u32::MAX); 2]];
        let (steps, step) = match mode {
            Mode::Down => (below, self.select(negative, grow, shrink)),
            Mode::Up => (above, self.select(negative, shrink, grow)),
            Mode::Zero => {
                let down = self.both(below, negative.invert_if(true));
                let up = self.both(above, negative);
                (self.l.either(down, up), shrink)
            }
        };
        let step = self.select(steps, step, [Value::ZERO; 2]);
        if self.double {
            self.l.add_wide(near, step)
        } else {
            [self.l.calc(Opcode::Add, near[0], step[0]), Value::ZERO]
        }
    }

    /// As [`Self::stepped`]; a zero that misses nothing is below zero where `sign` is, when rounding down.
    fn stepped_sum(&mut self, near: Pair, error: Pair, mode: Mode, sign: Value) -> Pair {
        let signs = self.signs(error);
        let result = self.stepped(near, signs, mode);
        if mode != Mode::Down {
            return result;
        }
        let magnitude = self.magnitude(near);
        let zero = self.is_zero(magnitude);
        let misses = self.l.either(signs[0], signs[1]);
        let exact = self.both(zero, misses.invert_if(true));
        let sign = self.sign(sign);
        let signed = self.with_top([Value::ZERO; 2], sign);
        self.select(exact, signed, result)
    }

    fn add(&mut self, a: Pair, b: Pair, mode: Mode) -> Pair {
        let near = self.sum(a, b);
        let [great, small] = self.ordered(a, b);
        let taken = self.difference(near, great);
        let error = self.difference(small, taken);
        let sign = self.l.calc(Opcode::Or, self.top(a), self.top(b));
        self.stepped_sum(near, error, mode, sign)
    }

    /// The factors of a product that is `small`, and the rest of its sum, raised; else as they are.
    fn raised<const N: usize>(&mut self, small: Cond, a: Pair, b: Pair, rest: [Pair; N]) -> ([Pair; 2], [Pair; N]) {
        let scales = self.scales().raise.map(|n| self.power(n));
        let one = self.power(0);
        self.scaled(scales.map(|scale| (small, scale, one)), a, b, rest)
    }

    /// The factors, the greater one first, and the rest, times the selected powers of two.
    fn scaled<const N: usize>(
        &mut self,
        scales: [(Cond, Pair, Pair); 2],
        a: Pair,
        b: Pair,
        rest: [Pair; N],
    ) -> ([Pair; 2], [Pair; N]) {
        let [first, second] = scales.map(|(p, x, y)| self.select(p, x, y));
        let [great, small] = self.ordered(a, b);
        let factors = [self.product(great, first), self.product(small, second)];
        let rest = rest.map(|x| {
            let x = self.product(x, first);
            self.product(x, second)
        });
        (factors, rest)
    }

    fn multiply(&mut self, a: Pair, b: Pair, mode: Mode) -> Pair {
        let near = self.product(a, b);
        let magnitude = self.magnitude(near);
        let small = self.is_below(magnitude, self.power_word(self.scales().small));
        let ([a, b], [rest]) = self.raised(small, a, b, [near]);
        let error = self.fused([a, b, rest], [false, false, true]);
        let signs = self.signs(error);
        self.stepped(near, signs, mode)
    }

    fn multiply_add(&mut self, sources: [Pair; 3], mode: Mode) -> Pair {
        let (near, error, sign) = self.nearest_fused(sources);
        self.stepped_sum(near, error, mode, sign)
    }

    /// Rounded toward zero, with the last bit set if that lost anything.
    fn odd(&mut self, near: Pair, error: Pair) -> Pair {
        let signs = self.signs(error);
        let cut = self.stepped(near, signs, Mode::Zero);
        let lost = self.l.either(signs[0], signs[1]);
        let bit = self.l.selected(lost, Const(1), Value::ZERO);
        [self.l.calc(Opcode::Or, cut[0], bit), cut[1]]
    }

    /// A fused multiply-add to nearest, what it misses by its sign, and the sign that an exact zero has when rounding down.
    fn nearest_fused(&mut self, [a, b, c]: [Pair; 3]) -> (Pair, Pair, Value) {
        let near = self.fused([a, b, c], [false; 3]);
        let scales = self.scales();
        let rough = self.product(a, b);
        let (of_product, of_c) = (self.magnitude(rough), self.magnitude(c));
        let small = self.is_below(of_product, self.power_word(scales.small));
        let small_rest = self.is_below(of_c, self.power_word(scales.small_rest));
        let small = self.both(small, small_rest);
        let most = self.l.calc(Opcode::MaxU, self.top(of_product), self.top(of_c));
        let large = self.l.compared(Opcode::ISetpU, Comparison::Ge, most, self.power_word(scales.large));
        let (one, lower) = (self.power(0), self.power(scales.lower));
        let other = self.select(large, lower, one);
        let raise = scales.raise.map(|n| (small, self.power(n), other));
        let ([great, little], [rest, result]) = self.scaled(raise, a, b, [c, near]);
        let signs = self.l.calc(Opcode::Xor, self.top(a), self.top(b));
        let sign = self.sign(signs);
        // The product is zero only where its smaller factor is.
        let factors = self.ordered(a, b);
        let high = self.product(great, little);
        let low = self.fused([great, little, high], [false, false, true]);
        let high = self.kept(high, factors[1], sign);
        let sign_c = self.sign(self.top(c));
        let rest = self.kept(rest, c, sign_c);
        let error = self.sum_error([high, low, rest], result);
        // Of an overflow from finite numbers it misses something in the direction of zero.
        let of_near = self.magnitude(near);
        let infinite = self.is_below(of_near, self.infinity()).invert_if(true);
        let mut finite = self.is_below(of_c, self.infinity());
        for factor in [a, b] {
            let magnitude = self.magnitude(factor);
            let is_finite = self.is_below(magnitude, self.infinity());
            finite = self.both(finite, is_finite);
        }
        let over = self.both(infinite, finite);
        let turned = self.l.calc(Opcode::Xor, self.top(near), Const(SIGN));
        let turned = self.with_top(near, turned);
        let error = self.select(over, turned, error);
        let sign = self.l.calc(Opcode::Or, signs, self.top(c));
        (near, error, sign)
    }

    /// The sign of `high + low + rest - result`, where `low` is what `high` misses of a product, and `result` near the sum.
    fn sum_error(&mut self, [high, low, rest]: [Pair; 3], result: Pair) -> Pair {
        let [a1, a2] = self.two_sum(rest, low);
        let [b1, b2] = self.two_sum(high, a1);
        let left = self.difference(b1, result);
        let [g1, g2] = self.two_sum(left, b2);
        let [h1, h2] = self.two_sum(g2, a2);
        let top = self.sum(g1, h1);
        self.sum(top, h2)
    }

    fn divide(&mut self, n: Pair, d: Pair, mode: Mode) -> Pair {
        let near =
            if self.double { self.l.double_quotient(n, d) } else { [self.l.float_quotient(n[0], d[0]), Value::ZERO] };
        let magnitude = self.magnitude(n);
        let small = self.is_below(magnitude, self.power_word(self.scales().small));
        let ([a, b], [rest]) = self.raised(small, near, d, [n]);
        let error = self.fused([a, b, rest], [true, false, false]);
        // Nothing of the dividend has gone into a quotient of zero, but where the divisor is infinite.
        let (quotient, divisor) = (self.magnitude(near), self.magnitude(d));
        let (zero, finite) = (self.is_zero(quotient), self.is_below(divisor, self.infinity()));
        let none = self.both(zero, finite);
        let error = self.select(none, n, error);
        let sign = self.sign(self.top(d));
        let turned = self.l.calc(Opcode::Xor, self.top(error), sign);
        let error = self.with_top(error, turned);
        let signs = self.signs(error);
        self.stepped(near, signs, mode)
    }

    fn root(&mut self, x: Pair, mode: Mode) -> Pair {
        let near = if self.double { self.l.double_root(x) } else { [self.l.float_root(x[0]), Value::ZERO] };
        let scales = self.scales();
        let magnitude = self.magnitude(x);
        let small = self.is_below(magnitude, self.power_word(scales.small));
        let (raise, one) = (self.power(scales.raise_root), self.power(0));
        let scale = self.select(small, raise, one);
        let root = self.product(near, scale);
        let x = self.product(x, scale);
        let x = self.product(x, scale);
        let error = self.fused([root, root, x], [true, false, false]);
        let signs = self.signs(error);
        self.stepped(near, signs, mode)
    }
}

/// The numbers of an instruction, `n` sources from place 1 on; the result of `compute`.
fn directed<const N: usize>(
    l: &mut Lowering,
    form: &Form,
    compute: impl FnOnce(&mut Numbers, [Pair; N], Mode) -> Pair,
) -> Done {
    let double = form.ty() == ScalarType::F64;
    let mut sources = [[Value::ZERO; 2]; N];
    for (i, source) in sources.iter_mut().enumerate() {
        *source = if double { l.src_wide(form, i + 1)? } else { [l.float(form, i + 1)?, Value::ZERO] };
    }
    let mode = mode_of(form).unwrap_or(Mode::Zero);
    let result = compute(&mut Numbers { l, double }, sources, mode);
    if double {
        return l.finish_double(form, result);
    }
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, result[0]);
    Ok(())
}

/// `{add,sub,mul}.{rz,rm,rp}`
pub fn arithmetic(l: &mut Lowering, form: &Form) -> Done {
    directed(l, form, |n, [a, b], mode| match form.opcode() {
        "mul" => n.multiply(a, b, mode),
        "sub" => {
            let turned = n.l.calc(Opcode::Xor, n.top(b), Const(SIGN));
            let b = n.with_top(b, turned);
            n.add(a, b, mode)
        }
        _ => n.add(a, b, mode),
    })
}

/// `{fma,mad}.{rz,rm,rp}`
pub fn fused(l: &mut Lowering, form: &Form) -> Done {
    directed(l, form, |numbers, sources, mode| numbers.multiply_add(sources, mode))
}

/// `a * b + c` of floats, rounded to odd; `exact`: the product is, and far from the ends of the range.
pub fn fused_to_odd(l: &mut Lowering, sources: [Value; 3], exact: bool) -> Value {
    let [a, b, c] = sources.map(|source| [source, Value::ZERO]);
    let mut numbers = Numbers { l, double: false };
    let (near, error) = if exact {
        let product = numbers.product(a, b);
        let [sum, error] = numbers.two_sum(product, c);
        (sum, error)
    } else {
        let (near, error, _) = numbers.nearest_fused([a, b, c]);
        (near, error)
    };
    numbers.odd(near, error)[0]
}

/// `div.{rz,rm,rp}`
pub fn divide(l: &mut Lowering, form: &Form) -> Done {
    directed(l, form, |numbers, [n, d], mode| numbers.divide(n, d, mode))
}

/// `rcp.{rz,rm,rp}`
pub fn reciprocal(l: &mut Lowering, form: &Form) -> Done {
    directed(l, form, |numbers, [d], mode| {
        let one = numbers.power(0);
        numbers.divide(one, d, mode)
    })
}

/// `sqrt.{rz,rm,rp}`
pub fn root(l: &mut Lowering, form: &Form) -> Done {
    directed(l, form, |numbers, [x], mode| numbers.root(x, mode))
}

/// `cvt.{rz,rm,rp}` of integers: what has no place is cut off, and counts as one in the last place where the direction is away from zero.
pub fn from_integer(l: &mut Lowering, form: &Form) -> Done {
    let (from, double) = (form.ty(), form.has_type(ScalarType::F64));
    let signed = from.is_signed();
    let value = if matches!(from, ScalarType::U64 | ScalarType::S64) {
        l.src_wide(form, 1)?
    } else {
        let low = l.src_extended(form, 1, from)?;
        [low, if signed { l.calc(Opcode::Sar, low, Const(31)) } else { Value::ZERO }]
    };
    let negative = if signed { l.calc(Opcode::Sar, value[1], Const(31)) } else { Value::ZERO };
    let turned = value.map(|word| l.calc(Opcode::Xor, word, negative));
    let magnitude = l.sub_wide(turned, [negative; 2]);
    let zeros = l.leading_zeros_wide(magnitude);
    let [low, high] = l.shifted_up(magnitude, zeros);
    let left = if double {
        l.calc(Opcode::And, low, Const(0x7ff))
    } else {
        let of_high = l.calc(Opcode::And, high, Const(0xff));
        l.calc(Opcode::Or, of_high, low)
    };
    let more = l.compared(Opcode::ISetpU, Comparison::Ne, left, Value::ZERO);
    let step = match mode_of(form) {
        Some(Mode::Down) => l.calc(Opcode::And, negative, Const(1)),
        Some(Mode::Up) => l.calc(Opcode::Add, negative, Const(1)),
        _ => Value::ZERO,
    };
    let step = l.selected(more, step, Value::ZERO);
    let sign = l.calc(Opcode::And, negative, Const(SIGN));
    if double {
        let cut = [l.calc(Opcode::And, low, Const(!0x7ff)), high];
        let cut = l.double_of(Opcode::I2dU, cut);
        let field = l.calc(Opcode::Sub, Const(1023), zeros);
        let power = [Value::ZERO, l.calc(Opcode::Shl, field, Const(20))];
        let result = l.double_product(cut, power);
        let [low, high] = l.add_wide(result, [step, Value::ZERO]);
        let high = l.calc(Opcode::Or, high, sign);
        return l.finish_double(form, [low, high]);
    }
    let cut = l.calc(Opcode::And, high, Const(!0xff));
    let cut = l.calc(Opcode::I2fU, Value::ZERO, cut);
    let field = l.calc(Opcode::Sub, Const(127 + 32), zeros);
    let power = l.calc(Opcode::Shl, field, Const(23));
    let result = l.calc(Opcode::FMul, cut, power);
    let result = l.calc(Opcode::Add, result, step);
    let result = l.calc(Opcode::Or, result, sign);
    let dst = l.dst(form, 0)?;
    l.finish_float(form, dst, result);
    Ok(())
}
