//! Expressions of `update`.
//!
//! The AST has no types: `into()`, `to_bits()` and `val()` are dropped from it, so an integer literal takes the width of its
//! context, as it does in Rust, and a signed cast (whose width the AST does not tell) is extended or cut to its context.

use super::{
    super::{
        bits::Bits,
        signal::{Operand, Signal, concat},
    },
    convert::{Convert, Path},
    literal::{Literal, integer_bits},
    steps::{Located, Loops, loop_value, resolve},
};
use rust_hdl::prelude::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};

/// The value of an expression.
#[derive(Clone, Copy)]
pub(super) enum Value<'m> {
    /// A number without width: a literal, a loop variable, or computed from such.
    Int(i128),
    /// A signal.
    Bits {
        signal: Signal<'m>,
        signed: bool,
        /// Result of a signed cast, to be sign-extended or cut to its context.
        stretch: bool,
    },
}

impl<'m> Value<'m> {
    fn plain(signal: Signal<'m>) -> Self {
        Value::Bits { signal, signed: false, stretch: false }
    }

    /// Bits, where known.
    pub fn width(&self) -> Option<u32> {
        match self {
            Value::Int(_) => None,
            Value::Bits { signal, .. } => Some(signal.width()),
        }
    }

    fn signed(&self) -> bool {
        matches!(self, Value::Bits { signed: true, .. })
    }

    fn stretches(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Bits { stretch: true, .. })
    }
}

impl<'m> Convert<'m, '_> {
    /// The value of an expression on a path; a mistake is reported and gives zero.
    pub fn value(&self, located: &Located<'_>, path: &Path<'m>) -> Value<'m> {
        self.expr(located.expr, &located.loops, path).unwrap_or_else(|problem| {
            self.fail(&problem);
            Value::Int(0)
        })
    }

    /// The value of a signal or constant by its resolved name.
    pub fn read(&self, name: &str, path: &Path<'m>) -> Value<'m> {
        self.try_read(name, path).unwrap_or_else(|problem| {
            self.fail(&problem);
            Value::Int(0)
        })
    }

    /// As a signal of `width` bits. A signal of another width is returned as it is: the builder reports it.
    pub fn coerce(&self, value: Value<'m>, width: u32) -> Signal<'m> {
        match value {
            Value::Int(number) => match integer_bits(number, width) {
                Some(bits) => bits.signal(self.m),
                None => {
                    self.fail(&format!("{number} does not fit in {width} bits"));
                    Bits::zero(width).signal(self.m)
                }
            },
            Value::Bits { signal, stretch: true, .. } => stretched(signal, width),
            Value::Bits { signal, .. } => signal,
        }
    }

    fn try_read(&self, name: &str, path: &Path<'m>) -> Result<Value<'m>, String> {
        if let Some((bits, signed)) = self.constant(name) {
            return Ok(Value::Bits { signal: bits.signal(self.m), signed, stretch: false });
        }
        let net = self.nets.get(name).ok_or_else(|| format!("`{name}` is read, but is none of its signals"))?;
        let so_far = path.so_far.get(name).copied().filter(|_| net.stepwise);
        let signal = so_far.or(net.read).ok_or_else(|| format!("`{name}` is only driven here and cannot be read"))?;
        Ok(Value::Bits { signal, signed: net.signed, stretch: false })
    }

    fn expr(&self, expr: &VerilogExpression, loops: &Loops, path: &Path<'m>) -> Result<Value<'m>, String> {
        let m = self.m;
        let value = |e: &VerilogExpression| self.expr(e, loops, path);
        match expr {
            VerilogExpression::Signal(name) => match loop_value(name, loops) {
                Some(number) => Ok(Value::Int(number)),
                None => self.try_read(&resolve(name, loops)?, path),
            },
            VerilogExpression::Literal(literal) => {
                let literal =
                    Literal::of(literal).ok_or_else(|| format!("the constant {literal} is not understood"))?;
                Ok(match literal.integer().filter(|_| literal.width > 1) {
                    Some(number) => Value::Int(number),
                    None => Value::plain(literal.bits(literal.width).signal(m)),
                })
            }
            VerilogExpression::Paren(inner) => value(inner),
            VerilogExpression::Cast(inner, width) => Ok(match value(inner)? {
                Value::Bits { signal, .. } => Value::plain(signal.resize(*width as u32)),
                number => Value::plain(self.coerce(number, *width as u32)),
            }),
            VerilogExpression::Signed(inner) => Ok(match value(inner)? {
                Value::Bits { signal, .. } => Value::Bits { signal, signed: true, stretch: true },
                number => number,
            }),
            VerilogExpression::Unsigned(inner) => Ok(match value(inner)? {
                Value::Bits { signal, .. } => Value::plain(signal),
                number => number,
            }),
            VerilogExpression::Unary(op, inner) => self.unary(op, value(inner)?),
            VerilogExpression::Binary(left, op, right) => self.binary(value(left)?, op, value(right)?),
            VerilogExpression::Index(inner, index) => slice(self.known(value(inner)?)?, value(index)?, 1),
            VerilogExpression::Slice(inner, width, offset) => {
                slice(self.known(value(inner)?)?, value(offset)?, *width as u32)
            }
            VerilogExpression::IndexReplace(inner, index, bit) => {
                let (old, bit) = (self.known(value(inner)?)?, self.coerce(value(bit)?, 1));
                let place = match value(index)? {
                    Value::Int(at) => u64::try_from(at).map_err(|_| format!("bit {at} is replaced"))?.signal(m, 64),
                    Value::Bits { signal, .. } => signal,
                };
                let mask = m.lit(1, 1).extend(old.width()) << place;
                Ok(Value::plain((old & !mask) | (bit.extend(old.width()) << place)))
            }
        }
    }

    /// A signal; a bare number has no bits to look at.
    fn known(&self, value: Value<'m>) -> Result<Signal<'m>, String> {
        match value {
            Value::Bits { signal, .. } => Ok(signal),
            Value::Int(number) => Err(format!("the width of the constant {number} is not known here")),
        }
    }

    fn unary(&self, op: &VerilogOpUnary, value: Value<'m>) -> Result<Value<'m>, String> {
        if let (VerilogOpUnary::Neg, Value::Int(number)) = (op, value) {
            return Ok(Value::Int(-number));
        }
        let (signal, signed) = (self.known(value)?, value.signed());
        let keep = |signal| Value::Bits { signal, signed, stretch: false };
        Ok(match op {
            VerilogOpUnary::Not => keep(!signal),
            VerilogOpUnary::Neg => keep(Bits::zero(signal.width()).signal(self.m) - signal),
            VerilogOpUnary::All => Value::plain(signal.all()),
            VerilogOpUnary::Any => Value::plain(signal.any()),
            VerilogOpUnary::Xor => Value::plain(signal.parity()),
        })
    }

    fn binary(&self, left: Value<'m>, op: &VerilogOp, right: Value<'m>) -> Result<Value<'m>, String> {
        if let (Value::Int(a), Value::Int(b)) = (left, right) {
            return fold(a, op, b).map(Value::Int).ok_or_else(|| format!("`{a} {op:?} {b}` cannot be computed"));
        }
        let signed = left.signed() || right.signed();
        let keep = |signal| Value::Bits { signal, signed, stretch: false };
        if matches!(op, VerilogOp::Shl | VerilogOp::Shr) {
            let value = self.coerce(left, left.width().unwrap_or(64));
            let amount = match right {
                Value::Int(n) => u64::try_from(n).map_err(|_| format!("a shift by {n}"))?.signal(self.m, 64),
                Value::Bits { signal, .. } => signal,
            };
            return Ok(keep(if matches!(op, VerilogOp::Shl) { value << amount } else { value >> amount }));
        }
        let (a, b) = self.operands(left, op, right);
        let less = |a: Signal<'m>, b| if signed { a.lt_signed(b) } else { a.lt(b) };
        Ok(match op {
            VerilogOp::Add => keep(a + b),
            VerilogOp::Sub => keep(a - b),
            VerilogOp::Mul => {
                let width = a.width() + b.width();
                let wide = |s: Signal<'m>| if signed { s.sign_extend(width) } else { s.extend(width) };
                keep(wide(a) * wide(b))
            }
            VerilogOp::LogicalAnd | VerilogOp::BitAnd => keep(a & b),
            VerilogOp::LogicalOr | VerilogOp::BitOr => keep(a | b),
            VerilogOp::BitXor => keep(a ^ b),
            VerilogOp::Eq => Value::plain(a.eq(b)),
            VerilogOp::Ne => Value::plain(a.ne(b)),
            VerilogOp::Lt => Value::plain(less(a, b)),
            VerilogOp::Ge => Value::plain(!less(a, b)),
            VerilogOp::Gt => Value::plain(less(b, a)),
            VerilogOp::Le => Value::plain(!less(b, a)),
            VerilogOp::Shl | VerilogOp::Shr => return Err("a shift is treated above".into()),
        })
    }

    /// Both operands at one width, as far as they can be.
    fn operands(&self, left: Value<'m>, op: &VerilogOp, right: Value<'m>) -> (Signal<'m>, Signal<'m>) {
        let (mut a, mut b) = (left, right);
        if left.stretches() != right.stretches() {
            let fixed = if left.stretches() { right } else { left };
            let width = fixed.width().unwrap_or(64);
            let fit = |value| Value::plain(self.coerce(value, width));
            (a, b) = (fit(left), fit(right));
        }
        let width = a.width().max(b.width()).unwrap_or(64);
        let (a, b) = (self.coerce(a, width), self.coerce(b, width));
        // `Bits + bool` counts.
        let carry = matches!(op, VerilogOp::Add) && b.width() == 1;
        (a, if carry { b.extend(a.width()) } else { b })
    }
}

/// Sign-extended or cut.
fn stretched(signal: Signal<'_>, width: u32) -> Signal<'_> {
    if width < signal.width() { signal.bits(0, width) } else { signal.sign_extend(width) }
}

/// `width` bits from `offset` on; zeros above the value.
fn slice<'m>(value: Signal<'m>, offset: Value<'m>, width: u32) -> Result<Value<'m>, String> {
    let m = value.builder();
    let lo = match offset {
        Value::Bits { signal, .. } => return Ok(Value::plain(value.bits_at(signal, width))),
        Value::Int(lo) => u32::try_from(lo).map_err(|_| format!("bit {lo} is read"))?,
    };
    let inside = value.width().saturating_sub(lo).min(width);
    let zeros = |width| Bits::zero(width).signal(m);
    Ok(Value::plain(match inside {
        0 => zeros(width),
        all if all == width => value.bits(lo, width),
        some => concat(&[zeros(width - some), value.bits(lo, some)]),
    }))
}

fn fold(a: i128, op: &VerilogOp, b: i128) -> Option<i128> {
    let shift = || u32::try_from(b).ok();
    Some(match op {
        VerilogOp::Add => a.checked_add(b)?,
        VerilogOp::Sub => a.checked_sub(b)?,
        VerilogOp::Mul => a.checked_mul(b)?,
        VerilogOp::LogicalAnd => (a != 0 && b != 0).into(),
        VerilogOp::LogicalOr => (a != 0 || b != 0).into(),
        VerilogOp::BitXor => a ^ b,
        VerilogOp::BitAnd => a & b,
        VerilogOp::BitOr => a | b,
        VerilogOp::Shl => a.checked_shl(shift()?)?,
        VerilogOp::Shr => a.checked_shr(shift()?)?,
        VerilogOp::Eq => (a == b).into(),
        VerilogOp::Lt => (a < b).into(),
        VerilogOp::Le => (a <= b).into(),
        VerilogOp::Ne => (a != b).into(),
        VerilogOp::Ge => (a >= b).into(),
        VerilogOp::Gt => (a > b).into(),
    })
}
