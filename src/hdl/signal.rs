//! Signals: values in a block under construction, with operators.

use super::{
    bits::{Bits, index_width},
    builder::Builder,
    def::*,
    ids::ExprId,
    names::PortName,
};
use std::ops;

/// A value of a block under construction: a net or an expression over nets. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Signal<'m> {
    pub(super) builder: &'m Builder,
    pub(super) id: ExprId,
    pub(super) width: u32,
}

/// What can stand where a signal is expected: a signal, or an integer that takes the width of its context.
pub trait Operand<'m>: Copy {
    /// As a signal of `builder`; an integer becomes a constant of `width` bits.
    #[track_caller]
    fn signal(self, builder: &'m Builder, width: u32) -> Signal<'m>;

    /// Its own width; an integer has none.
    fn own_width(self) -> Option<u32>;
}

impl<'m> Operand<'m> for Signal<'m> {
    fn signal(self, _: &'m Builder, _: u32) -> Signal<'m> {
        self
    }

    fn own_width(self) -> Option<u32> {
        Some(self.width)
    }
}

macro_rules! integer_operands {
    ($($t:ty),*) => {$(
        impl<'m> Operand<'m> for $t {
            #[track_caller]
            fn signal(self, builder: &'m Builder, width: u32) -> Signal<'m> {
                builder.lit(width, self as u64)
            }

            fn own_width(self) -> Option<u32> {
                None
            }
        }
    )*};
}
integer_operands!(u64, u32, usize, i32, bool);

impl<'m> Signal<'m> {
    /// Is it the very same expression of the same block?
    pub fn is(self, other: Signal<'m>) -> bool {
        std::ptr::eq(self.builder, other.builder) && self.id == other.id
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// True when `other` is the very same value of the same block (equal expressions are one).
    pub fn same(self, other: Signal<'m>) -> bool {
        std::ptr::eq(self.builder, other.builder) && self.id == other.id
    }

    /// The block that it belongs to.
    pub fn builder(self) -> &'m Builder {
        self.builder
    }

    #[track_caller]
    fn unary(self, op: UnaryOp, width: u32) -> Signal<'m> {
        self.builder.expr(Op::Unary(op, self.id), width)
    }

    #[track_caller]
    fn binary(self, op: BinaryOp, other: impl Operand<'m>) -> Signal<'m> {
        let other = self.builder.own(other.signal(self.builder, self.width));
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::ShrU | BinaryOp::ShrS);
        let other = if shift { other } else { self.builder.same_width(self, other, "operands") };
        let width = match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::LtU | BinaryOp::LtS => 1,
            _ => self.width,
        };
        self.builder.expr(Op::Binary(op, self.id, other.id), width)
    }

    /// OR of all bits.
    #[track_caller]
    pub fn any(self) -> Signal<'m> {
        self.unary(UnaryOp::Any, 1)
    }

    /// AND of all bits.
    #[track_caller]
    pub fn all(self) -> Signal<'m> {
        self.unary(UnaryOp::All, 1)
    }

    /// XOR of all bits.
    #[track_caller]
    pub fn parity(self) -> Signal<'m> {
        self.unary(UnaryOp::Parity, 1)
    }

    /// One when all bits are zero.
    #[track_caller]
    pub fn is_zero(self) -> Signal<'m> {
        !self.any()
    }

    /// Equal; 1 bit.
    #[track_caller]
    pub fn eq(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::Eq, other)
    }

    /// Not equal; 1 bit.
    #[track_caller]
    pub fn ne(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::Ne, other)
    }

    /// Unsigned less than; 1 bit.
    #[track_caller]
    pub fn lt(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::LtU, other)
    }

    /// Unsigned at least; 1 bit.
    #[track_caller]
    pub fn ge(self, other: impl Operand<'m>) -> Signal<'m> {
        !self.lt(other)
    }

    /// Unsigned greater than; 1 bit.
    #[track_caller]
    pub fn gt(self, other: impl Operand<'m>) -> Signal<'m> {
        other.signal(self.builder, self.width).binary(BinaryOp::LtU, self)
    }

    /// Unsigned at most; 1 bit.
    #[track_caller]
    pub fn le(self, other: impl Operand<'m>) -> Signal<'m> {
        !self.gt(other)
    }

    /// Signed (two's complement) less than; 1 bit.
    #[track_caller]
    pub fn lt_signed(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::LtS, other)
    }

    /// Bit `index`.
    #[track_caller]
    pub fn bit(self, index: u32) -> Signal<'m> {
        self.bits(index, 1)
    }

    /// `width` bits from constant bit `lo` on.
    #[track_caller]
    pub fn bits(self, lo: u32, width: u32) -> Signal<'m> {
        if lo == 0 && width == self.width {
            return self;
        }
        if width == 0 || lo + width > self.width {
            let message = format!("bits {lo}..{} of a {}-bit signal", lo + width, self.width);
            self.builder.problem(ProblemKind::Illegal, message, &[]);
            return self.builder.lit(width.max(1), 0);
        }
        self.builder.expr(Op::Slice { value: self.id, lo }, width)
    }

    /// The bits one by one, least significant first.
    #[track_caller]
    pub fn to_bits(self) -> Vec<Signal<'m>> {
        (0..self.width).map(|i| self.bit(i)).collect()
    }

    /// Equal parts of `width` bits each, least significant first.
    #[track_caller]
    pub fn parts(self, width: u32) -> Vec<Signal<'m>> {
        (0..self.width / width).map(|i| self.bits(i * width, width)).collect()
    }

    /// The top bit.
    #[track_caller]
    pub fn sign(self) -> Signal<'m> {
        self.bit(self.width - 1)
    }

    /// Bit at variable `index`; zero when the index is at or above the width.
    #[track_caller]
    pub fn at(self, index: Signal<'m>) -> Signal<'m> {
        self.bits_at(index, 1)
    }

    /// `width` bits from variable bit `offset` on; bits above the width read zero.
    #[track_caller]
    pub fn bits_at(self, offset: Signal<'m>, width: u32) -> Signal<'m> {
        let offset = self.builder.own(offset);
        self.builder.expr(Op::SliceAt { value: self.id, offset: offset.id }, width)
    }

    /// Part number `index` (variable) of equal parts of `width` bits; zero when there is no such part.
    #[track_caller]
    pub fn part_at(self, index: Signal<'m>, width: u32) -> Signal<'m> {
        let room = index.width + index_width(width as usize + 1);
        let offset = index.extend(room) * u64::from(width);
        self.bits_at(offset, width)
    }

    /// Arithmetic right shift by a variable or constant amount.
    #[track_caller]
    pub fn shr_signed(self, amount: impl Operand<'m>) -> Signal<'m> {
        self.binary(BinaryOp::ShrS, amount)
    }

    /// Zero-extended to `width` bits (which must not be less than the own width).
    #[track_caller]
    pub fn extend(self, width: u32) -> Signal<'m> {
        self.widen(UnaryOp::ZeroExtend, width)
    }

    /// Sign-extended to `width` bits (which must not be less than the own width).
    #[track_caller]
    pub fn sign_extend(self, width: u32) -> Signal<'m> {
        self.widen(UnaryOp::SignExtend, width)
    }

    #[track_caller]
    fn widen(self, op: UnaryOp, width: u32) -> Signal<'m> {
        if width == self.width {
            return self;
        }
        if width < self.width {
            let message = format!("a {}-bit signal extended to {width} bits", self.width);
            self.builder.problem(ProblemKind::WidthMismatch, message, &[]);
            return self.bits(0, width.max(1));
        }
        self.unary(op, width)
    }

    /// Zero-extended or cut to `width` bits.
    #[track_caller]
    pub fn resize(self, width: u32) -> Signal<'m> {
        if width < self.width { self.bits(0, width) } else { self.extend(width) }
    }

    /// This bit `count` times.
    #[track_caller]
    pub fn repeat(self, count: u32) -> Signal<'m> {
        if self.width == 1 {
            return self.sign_extend(count);
        }
        concat(&vec![self; count as usize])
    }

    /// This word above `low`: `{self, low}`.
    #[track_caller]
    pub fn join(self, low: Signal<'m>) -> Signal<'m> {
        concat(&[self, low])
    }

    /// The signal as a wire called `name`, so that it shows under this name in Verilog and waveforms.
    #[track_caller]
    pub fn named(self, name: impl PortName) -> Signal<'m> {
        self.builder.wire(name, self)
    }
}

/// `select ? then : otherwise`; `select` is 1 bit, the other two equal in width (an integer takes the other's width).
#[track_caller]
pub fn mux<'m>(select: Signal<'m>, then: impl Operand<'m>, otherwise: impl Operand<'m>) -> Signal<'m> {
    let m = select.builder;
    let select = m.one_bit(select, "multiplexer select");
    let width = then.own_width().or(otherwise.own_width()).unwrap_or(1);
    let (then, otherwise) = (m.own(then.signal(m, width)), m.own(otherwise.signal(m, width)));
    let otherwise = m.same_width(then, otherwise, "multiplexer inputs");
    m.expr(Op::Mux { select: select.id, then: then.id, otherwise: otherwise.id }, then.width)
}

/// Joined, most significant part first. There must be at least one part.
#[track_caller]
pub fn concat<'m>(parts: &[Signal<'m>]) -> Signal<'m> {
    let m = parts.first().expect("concat has at least one part").builder;
    if let [one] = parts {
        return *one;
    }
    let width = parts.iter().map(|p| p.width).sum();
    m.expr(Op::Concat(parts.iter().map(|p| m.own(*p).id).collect()), width)
}

/// The items joined, the first one in the least significant bits: lane 0, warp 0, ... There must be at least one.
#[track_caller]
pub fn row<'m>(items: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    let mut items: Vec<_> = items.into_iter().collect();
    items.reverse();
    concat(&items)
}

/// `items[index]`: an n-to-1 multiplexer as a balanced tree; the last item also answers for indices beyond the end.
#[track_caller]
pub fn select<'m>(index: Signal<'m>, items: &[Signal<'m>]) -> Signal<'m> {
    let mut level = items.to_vec();
    assert!(!level.is_empty(), "select has at least one item");
    for bit in 0..index.width() {
        if level.len() == 1 {
            break;
        }
        let sel = index.bit(bit);
        level =
            level.chunks(2).map(|pair| if let [even, odd] = pair { mux(sel, *odd, *even) } else { pair[0] }).collect();
    }
    level[0]
}

/// The value of the first pair whose condition holds, else `default`.
#[track_caller]
pub fn priority_mux<'m>(choices: &[(Signal<'m>, Signal<'m>)], default: Signal<'m>) -> Signal<'m> {
    choices.iter().rev().fold(default, |rest, (condition, value)| mux(*condition, *value, rest))
}

impl<'m> ops::Not for Signal<'m> {
    type Output = Signal<'m>;
    #[track_caller]
    fn not(self) -> Signal<'m> {
        self.unary(UnaryOp::Not, self.width)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident),*) => {$(
        impl<'m> ops::$trait<Signal<'m>> for Signal<'m> {
            type Output = Signal<'m>;
            #[track_caller]
            fn $method(self, other: Signal<'m>) -> Signal<'m> {
                self.binary(BinaryOp::$op, other)
            }
        }
        impl<'m> ops::$trait<u64> for Signal<'m> {
            type Output = Signal<'m>;
            #[track_caller]
            fn $method(self, other: u64) -> Signal<'m> {
                let width = match BinaryOp::$op {
                    BinaryOp::Shl | BinaryOp::ShrU => index_width(self.width as usize + 1).max(64 - other.leading_zeros()),
                    _ => self.width,
                };
                self.binary(BinaryOp::$op, self.builder.lit(width, other))
            }
        }
    )*};
}
operators!(
    BitAnd bitand And,
    BitOr bitor Or,
    BitXor bitxor Xor,
    Add add Add,
    Sub sub Sub,
    Mul mul Mul,
    Shl shl Shl,
    Shr shr ShrU
);

impl Bits {
    /// As a constant signal of `builder`.
    #[track_caller]
    pub fn signal<'m>(&self, builder: &'m Builder) -> Signal<'m> {
        builder.expr(Op::Const(self.clone()), self.width())
    }
}
