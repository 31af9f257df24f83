//! Expressions of `update`.
//!
//! The AST has no types: `into()`, `to_bits()` and `val()` are dropped from it, so an integer literal takes the width
//! of its context, as it does in Rust, and a signed cast (whose width the AST does not tell) is extended or cut to its
//! context.

use crate::{
    convert::{Convert, Path},
    literal::{Literal, integer_bits},
    steps::{Located, Loops, loop_value, resolve},
};
use hdl::{Bits, Operand, Signal, concat};
use rust_hdl::prelude::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};

/// What is around an expression.
#[derive(Clone, Copy, Default)]
struct ExpressionContext {
    /// Bits that it has to have, when its place tells.
    width: Option<u32>,
    /// It is an index: a `usize`, of which the AST only tells the bits that it was made from.
    index: bool,
}

/// Bits of a `usize`, as far as hardware needs them.
const INDEX_BITS: u32 = 32;

/// The value of an expression.
#[derive(Clone, Copy)]
pub(super) enum ExpressionValue<'m> {
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

impl<'m> ExpressionValue<'m> {
    fn plain(signal: Signal<'m>) -> Self {
        ExpressionValue::Bits { signal, signed: false, stretch: false }
    }

    /// Bits, where known.
    pub fn width(&self) -> Option<u32> {
        match self {
            ExpressionValue::Int(_) => None,
            ExpressionValue::Bits { signal, .. } => Some(signal.width()),
        }
    }

    fn signed(&self) -> bool {
        matches!(self, ExpressionValue::Bits { signed: true, .. })
    }

    fn stretches(&self) -> bool {
        matches!(self, ExpressionValue::Int(_) | ExpressionValue::Bits { stretch: true, .. })
    }
}

impl<'m> Convert<'m, '_> {
    /// The value of an expression on a path, of `width` bits when its place tells; a mistake is reported and gives zero.
    pub fn value(&self, located: &Located<'_>, width: Option<u32>, path: &Path<'m>) -> ExpressionValue<'m> {
        let context = ExpressionContext { width, index: false };
        self.expr(located.expr, context, &located.loops, path).unwrap_or_else(|problem| {
            self.fail(&problem);
            ExpressionValue::Int(0)
        })
    }

    /// The value of a signal or constant by its resolved name.
    pub fn read(&self, name: &str, path: &Path<'m>) -> ExpressionValue<'m> {
        self.try_read(name, path).unwrap_or_else(|problem| {
            self.fail(&problem);
            ExpressionValue::Int(0)
        })
    }

    /// As a signal of `width` bits. A signal of another width is returned as it is: the builder reports it.
    pub fn coerce(&self, value: ExpressionValue<'m>, width: u32) -> Signal<'m> {
        match value {
            ExpressionValue::Int(number) => match integer_bits(number, width) {
                Some(bits) => bits.signal(self.m),
                None => {
                    self.fail(&format!("{number} does not fit in {width} bits"));
                    Bits::zero(width).signal(self.m)
                }
            },
            ExpressionValue::Bits { signal, stretch: true, .. } => stretched(signal, width),
            ExpressionValue::Bits { signal, .. } => signal,
        }
    }

    fn try_read(&self, name: &str, path: &Path<'m>) -> Result<ExpressionValue<'m>, String> {
        if let Some((bits, signed)) = self.constant(name) {
            return Ok(ExpressionValue::Bits { signal: bits.signal(self.m), signed, stretch: false });
        }
        let net = self.nets.get(name).ok_or_else(|| format!("`{name}` is read, but is none of its signals"))?;
        let so_far = path.so_far.get(name).copied().filter(|_| net.stepwise);
        let signal = so_far.or(net.read).ok_or_else(|| format!("`{name}` is only driven here and cannot be read"))?;
        Ok(ExpressionValue::Bits { signal, signed: net.signed, stretch: false })
    }

    fn expr(
        &self,
        expr: &VerilogExpression,
        context: ExpressionContext,
        loops: &Loops,
        path: &Path<'m>,
    ) -> Result<ExpressionValue<'m>, String> {
        let m = self.m;
        // The operand has the width of the whole, any width, or is an index.
        let same = |e: &VerilogExpression| self.expr(e, context, loops, path);
        let free = |e: &VerilogExpression| self.expr(e, ExpressionContext::default(), loops, path);
        let index = |e: &VerilogExpression| self.expr(e, ExpressionContext { width: None, index: true }, loops, path);
        match expr {
            VerilogExpression::Signal(name) => match loop_value(name, loops) {
                Some(number) => Ok(ExpressionValue::Int(number)),
                None => self.try_read(&resolve(name, loops)?, path),
            },
            VerilogExpression::Literal(literal) => {
                let literal =
                    Literal::of(literal).ok_or_else(|| format!("the constant {literal} is not understood"))?;
                Ok(match literal.integer().filter(|_| literal.width > 1) {
                    Some(number) => ExpressionValue::Int(number),
                    None => ExpressionValue::plain(literal.bits(literal.width).signal(m)),
                })
            }
            VerilogExpression::Paren(inner) => same(inner),
            VerilogExpression::Cast(inner, width) => Ok(match free(inner)? {
                ExpressionValue::Bits { signal, .. } => ExpressionValue::plain(signal.resize(*width as u32)),
                number => ExpressionValue::plain(self.coerce(number, *width as u32)),
            }),
            VerilogExpression::Signed(inner) => Ok(match (free(inner)?, context.width) {
                (ExpressionValue::Bits { signal, .. }, Some(width)) => {
                    ExpressionValue::Bits { signal: stretched(signal, width), signed: true, stretch: false }
                }
                (ExpressionValue::Bits { signal, .. }, None) => {
                    ExpressionValue::Bits { signal, signed: true, stretch: true }
                }
                (number, _) => number,
            }),
            VerilogExpression::Unsigned(inner) => Ok(match same(inner)? {
                ExpressionValue::Bits { signal, .. } => ExpressionValue::plain(signal),
                number => number,
            }),
            VerilogExpression::Unary(op, inner) => {
                let bitwise = matches!(op, VerilogOpUnary::Not | VerilogOpUnary::Neg);
                self.unary(op, if bitwise { same(inner)? } else { free(inner)? })
            }
            VerilogExpression::Binary(left, op, right) => {
                let whole = match op {
                    VerilogOp::Add | VerilogOp::Sub | VerilogOp::BitAnd | VerilogOp::BitOr | VerilogOp::BitXor => {
                        context
                    }
                    // rust-hdl multiplies 16 by 16 bits only.
                    VerilogOp::Mul => ExpressionContext { width: Some(16), index: false },
                    _ => ExpressionContext::default(),
                };
                if matches!(op, VerilogOp::Shl | VerilogOp::Shr) {
                    return self.shift(same(left)?, matches!(op, VerilogOp::Shl), index(right)?);
                }
                let side = |e: &VerilogExpression| self.expr(e, whole, loops, path);
                self.binary(side(left)?, op, side(right)?, context)
            }
            VerilogExpression::Index(inner, at) => slice(self.known(free(inner)?)?, index(at)?, 1),
            VerilogExpression::Slice(inner, width, at) => slice(self.known(free(inner)?)?, index(at)?, *width as u32),
            VerilogExpression::IndexReplace(inner, at, bit) => {
                let (old, bit) = (self.known(same(inner)?)?, self.coerce(free(bit)?, 1));
                let place = match index(at)? {
                    ExpressionValue::Int(at) => {
                        u64::try_from(at).map_err(|_| format!("bit {at} is replaced"))?.signal(m, 64)
                    }
                    ExpressionValue::Bits { signal, .. } => signal,
                };
                let mask = m.lit(1, 1).extend(old.width()) << place;
                Ok(ExpressionValue::plain((old & !mask) | (bit.extend(old.width()) << place)))
            }
        }
    }

    /// A signal; a bare number has no bits to look at.
    fn known(&self, value: ExpressionValue<'m>) -> Result<Signal<'m>, String> {
        match value {
            ExpressionValue::Bits { signal, .. } => Ok(signal),
            ExpressionValue::Int(number) => Err(format!("the width of the constant {number} is not known here")),
        }
    }

    fn unary(&self, op: &VerilogOpUnary, value: ExpressionValue<'m>) -> Result<ExpressionValue<'m>, String> {
        if let (VerilogOpUnary::Neg, ExpressionValue::Int(number)) = (op, value) {
            return Ok(ExpressionValue::Int(-number));
        }
        let (signal, signed) = (self.known(value)?, value.signed());
        let keep = |signal| ExpressionValue::Bits { signal, signed, stretch: false };
        Ok(match op {
            VerilogOpUnary::Not => keep(!signal),
            VerilogOpUnary::Neg => keep(Bits::zero(signal.width()).signal(self.m) - signal),
            VerilogOpUnary::All => ExpressionValue::plain(signal.all()),
            VerilogOpUnary::Any => ExpressionValue::plain(signal.any()),
            VerilogOpUnary::Xor => ExpressionValue::plain(signal.parity()),
        })
    }

    fn shift(
        &self,
        left: ExpressionValue<'m>,
        up: bool,
        amount: ExpressionValue<'m>,
    ) -> Result<ExpressionValue<'m>, String> {
        if let (ExpressionValue::Int(a), ExpressionValue::Int(b)) = (left, amount) {
            let op = if up { VerilogOp::Shl } else { VerilogOp::Shr };
            return fold(a, &op, b)
                .map(ExpressionValue::Int)
                .ok_or_else(|| format!("`{a} {op:?} {b}` cannot be computed"));
        }
        let value = self.coerce(left, left.width().unwrap_or(64));
        let amount = match amount {
            ExpressionValue::Int(n) => u64::try_from(n).map_err(|_| format!("a shift by {n}"))?.signal(self.m, 64),
            ExpressionValue::Bits { signal, .. } => signal,
        };
        let signal = if up { value << amount } else { value >> amount };
        Ok(ExpressionValue::Bits { signal, signed: left.signed(), stretch: false })
    }

    fn binary(
        &self,
        left: ExpressionValue<'m>,
        op: &VerilogOp,
        right: ExpressionValue<'m>,
        context: ExpressionContext,
    ) -> Result<ExpressionValue<'m>, String> {
        if let (ExpressionValue::Int(a), ExpressionValue::Int(b)) = (left, right) {
            return fold(a, op, b)
                .map(ExpressionValue::Int)
                .ok_or_else(|| format!("`{a} {op:?} {b}` cannot be computed"));
        }
        let signed = left.signed() || right.signed();
        let keep = |signal| ExpressionValue::Bits { signal, signed, stretch: false };
        let (a, b) = self.operands(left, op, right, context);
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
            VerilogOp::Eq => ExpressionValue::plain(a.eq(b)),
            VerilogOp::Ne => ExpressionValue::plain(a.ne(b)),
            VerilogOp::Lt => ExpressionValue::plain(less(a, b)),
            VerilogOp::Ge => ExpressionValue::plain(!less(a, b)),
            VerilogOp::Gt => ExpressionValue::plain(less(b, a)),
            VerilogOp::Le => ExpressionValue::plain(!less(b, a)),
            VerilogOp::Shl | VerilogOp::Shr => return Err("a shift has no operands of one width".into()),
        })
    }

    /// Both operands at one width, as far as they can be.
    fn operands(
        &self,
        left: ExpressionValue<'m>,
        op: &VerilogOp,
        right: ExpressionValue<'m>,
        context: ExpressionContext,
    ) -> (Signal<'m>, Signal<'m>) {
        let number =
            [left, right].into_iter().find_map(|v| if let ExpressionValue::Int(n) = v { Some(n) } else { None });
        let widest = left.width().max(right.width()).unwrap_or(64);
        let fixed = [left, right].into_iter().find(|v| !v.stretches()).and_then(|v| v.width());
        let mut width = fixed.unwrap_or(widest);
        let compares =
            matches!(op, VerilogOp::Eq | VerilogOp::Ne | VerilogOp::Lt | VerilogOp::Le | VerilogOp::Gt | VerilogOp::Ge);
        // A number compared with more than the bits can hold, or added to an index: a `usize`.
        let beyond = number.is_some_and(|n| n >= 0 && integer_bits(n, width).is_none());
        let unsigned = !left.signed() && !right.signed();
        let counts = number.is_some() && unsigned && width < INDEX_BITS && (context.index || compares && beyond);
        if counts {
            width = INDEX_BITS;
        }
        let fit = |value: ExpressionValue<'m>| {
            let signal = self.coerce(value, width);
            // `Bits + bool` counts.
            let bool_added = matches!(op, VerilogOp::Add) && signal.width() == 1;
            if counts || bool_added { signal.extend(width.max(signal.width())) } else { signal }
        };
        (fit(left), fit(right))
    }
}

/// Sign-extended or cut.
fn stretched(signal: Signal<'_>, width: u32) -> Signal<'_> {
    if width < signal.width() { signal.bits(0, width) } else { signal.sign_extend(width) }
}

/// `width` bits from `offset` on; zeros above the value.
fn slice<'m>(value: Signal<'m>, offset: ExpressionValue<'m>, width: u32) -> Result<ExpressionValue<'m>, String> {
    let m = value.builder();
    let lo = match offset {
        ExpressionValue::Bits { signal, .. } => return Ok(ExpressionValue::plain(value.bits_at(signal, width))),
        ExpressionValue::Int(lo) => u32::try_from(lo).map_err(|_| format!("bit {lo} is read"))?,
    };
    let inside = value.width().saturating_sub(lo).min(width);
    let zeros = |width| Bits::zero(width).signal(m);
    Ok(ExpressionValue::plain(match inside {
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
