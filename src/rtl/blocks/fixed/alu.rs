//! Integer unit of one lane: everything of the instruction set's units 1 and 2 that works on two 32-bit words.
//!
//! ```text
//!                +--------+                               +-----------+
//!  a        (32)->|        |                 a        (32)->|           |
//!  b        (32)->| alu32  |-> result (32)   b        (32)->| compare32 |-> holds (1)
//!  p         (1)->|        |                 code      (3)->|           |
//!  operation (5)->|        |                 is_signed (1)->|           |
//!                +--------+                               +-----------+
//! ```
//!
//! Contract: combinational. `operation` is the low five bits of the opcode (`20` to `30`, see `docs/isa.md`), `code`
//! the comparison code 0 to 5. Other values of either act like the last one (`SEL`, `ge`). `MOV` and `S2R` give `b`.
//!
//! The adder is shared by add and subtract, the comparators by minimum and maximum; shifts take all 32 bits of `b`.
//! Source: the instruction set, `docs/isa.md`. Instantiated by `lane` of the core. Testbenches:
//! `testbenches/alu32/`, `testbenches/compare32/`; compared in `tests/simulation/rust_hdl/fixed.rs` with rust-hdl's simulator and
//! with Rust's own integers.

use hdl::{Module, ports};
use rust_hdl::prelude::*;
use rusthdl::import;

/// What [`Alu32`] computes, in order of the opcodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, LogicState)]
pub enum AluOperation {
    /// `b`.
    Mov,
    /// `b`: the core puts the special register there.
    SpecialToRegister,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a + b + p`.
    AddCarry,
    /// `a - b - p`.
    SubBorrow,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// `a << b`, zero from 32 on.
    ShiftLeft,
    /// `a >> b`, zero from 32 on.
    ShiftRight,
    /// `a >> b` with copies of the sign.
    ShiftRightSigned,
    /// Lesser as signed.
    MinSigned,
    /// Greater as signed.
    MaxSigned,
    /// Lesser as unsigned.
    MinUnsigned,
    /// Greater as unsigned.
    MaxUnsigned,
    /// `p ? a : b`.
    Select,
}

/// The ALU as a rust-hdl block; see the [module documentation](self).
#[derive(LogicBlock, Default)]
pub struct Alu32 {
    /// First operand.
    pub a: Signal<In, Bits<32>>,
    /// Second operand.
    pub b: Signal<In, Bits<32>>,
    /// Predicate operand: carry, borrow, select.
    pub p: Signal<In, Bit>,
    /// What to compute.
    pub operation: Signal<In, AluOperation>,
    /// The result.
    pub result: Signal<Out, Bits<32>>,
    subtract: Signal<Local, Bit>,
    with_carry: Signal<Local, Bit>,
    addend: Signal<Local, Bits<32>>,
    carry: Signal<Local, Bit>,
    sum: Signal<Local, Bits<32>>,
    amount: Signal<Local, Bits<5>>,
    shifted_out: Signal<Local, Bit>,
    fill: Signal<Local, Bits<32>>,
    right: Signal<Local, Bits<32>>,
    sign_bits: Signal<Local, Bits<32>>,
    less_signed: Signal<Local, Bit>,
    less_unsigned: Signal<Local, Bit>,
}

impl Logic for Alu32 {
    #[hdl_gen]
    fn update(&mut self) {
        self.subtract.next =
            self.operation.val() == AluOperation::Sub || self.operation.val() == AluOperation::SubBorrow;
        self.with_carry.next =
            self.operation.val() == AluOperation::AddCarry || self.operation.val() == AluOperation::SubBorrow;
        self.addend.next = self.b.val();
        if self.subtract.val() {
            self.addend.next = !self.b.val();
        }
        self.carry.next = self.subtract.val() ^ (self.with_carry.val() & self.p.val());
        self.sum.next = self.a.val() + self.addend.val() + bit_cast::<32, 1>(self.carry.val().into());

        self.amount.next = self.b.val().get_bits::<5>(0);
        self.shifted_out.next = self.b.val().get_bits::<27>(5).any();
        self.fill.next = 0xFFFF_FFFF_u64.into();
        self.right.next = self.a.val() >> self.amount.val();
        self.sign_bits.next = !(self.fill.val() >> self.amount.val());
        if self.shifted_out.val() {
            self.right.next = 0.into();
            self.sign_bits.next = self.fill.val();
        }

        self.less_unsigned.next = self.a.val() < self.b.val();
        self.less_signed.next = signed_cast::<32>(self.a.val()) < signed_cast::<32>(self.b.val());

        self.result.next = self.b.val();
        match self.operation.val() {
            AluOperation::Mov => self.result.next = self.b.val(),
            AluOperation::SpecialToRegister => self.result.next = self.b.val(),
            AluOperation::Add => self.result.next = self.sum.val(),
            AluOperation::Sub => self.result.next = self.sum.val(),
            AluOperation::AddCarry => self.result.next = self.sum.val(),
            AluOperation::SubBorrow => self.result.next = self.sum.val(),
            AluOperation::And => self.result.next = self.a.val() & self.b.val(),
            AluOperation::Or => self.result.next = self.a.val() | self.b.val(),
            AluOperation::Xor => self.result.next = self.a.val() ^ self.b.val(),
            AluOperation::ShiftLeft => {
                self.result.next = self.a.val() << self.amount.val();
                if self.shifted_out.val() {
                    self.result.next = 0.into();
                }
            }
            AluOperation::ShiftRight => self.result.next = self.right.val(),
            AluOperation::ShiftRightSigned => {
                self.result.next = self.right.val();
                if self.a.val().get_bit(31) {
                    self.result.next = self.right.val() | self.sign_bits.val();
                }
            }
            AluOperation::MinSigned => {
                if self.less_signed.val() {
                    self.result.next = self.a.val();
                }
            }
            AluOperation::MaxSigned => {
                if !self.less_signed.val() {
                    self.result.next = self.a.val();
                }
            }
            AluOperation::MinUnsigned => {
                if self.less_unsigned.val() {
                    self.result.next = self.a.val();
                }
            }
            AluOperation::MaxUnsigned => {
                if !self.less_unsigned.val() {
                    self.result.next = self.a.val();
                }
            }
            AluOperation::Select => {
                if self.p.val() {
                    self.result.next = self.a.val();
                }
            }
        }
    }
}

ports! {
    /// Ports of [`alu32`].
    pub struct Alu32Ports(_p: &()) of PlacedAlu32 {
        /// An operand.
        in a: 32,
        /// Another one.
        in b: 32,
        /// Predicate: the carry or borrow that comes in, and what a selection goes by.
        in p: 1,
        /// Number of the operation, see [`AluOperation`].
        in operation: 5,
        /// What it gives.
        out result: 32,
    }
}

/// The ALU of a lane; combinational.
pub fn alu32() -> Module {
    import(&Alu32::default(), "alu32")
}

/// A comparison of the instruction set, in order of the codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, LogicState)]
pub enum AluComparison {
    /// `a == b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessEqual,
    /// `a > b`.
    Greater,
    /// `a >= b`.
    GreaterEqual,
}

/// The comparison unit as a rust-hdl block; see the [module documentation](self).
#[derive(LogicBlock, Default)]
pub struct Compare32 {
    /// First operand.
    pub a: Signal<In, Bits<32>>,
    /// Second operand.
    pub b: Signal<In, Bits<32>>,
    /// Which comparison.
    pub code: Signal<In, AluComparison>,
    /// Operands are two's complement.
    pub is_signed: Signal<In, Bit>,
    /// The comparison holds.
    pub holds: Signal<Out, Bit>,
    equal: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    flip: Signal<Local, Bits<32>>,
}

impl Logic for Compare32 {
    #[hdl_gen]
    fn update(&mut self) {
        // Flipping the sign bits makes an unsigned comparison of a signed one.
        self.flip.next = bit_cast::<32, 1>(self.is_signed.val().into()) << 31;
        self.equal.next = self.a.val() == self.b.val();
        self.less.next = (self.a.val() ^ self.flip.val()) < (self.b.val() ^ self.flip.val());
        match self.code.val() {
            AluComparison::Equal => self.holds.next = self.equal.val(),
            AluComparison::NotEqual => self.holds.next = !self.equal.val(),
            AluComparison::Less => self.holds.next = self.less.val(),
            AluComparison::LessEqual => self.holds.next = self.less.val() | self.equal.val(),
            AluComparison::Greater => self.holds.next = !self.less.val() & !self.equal.val(),
            AluComparison::GreaterEqual => self.holds.next = !self.less.val(),
        }
    }
}

ports! {
    /// Ports of [`compare32`].
    pub struct Compare32Ports(_p: &()) of PlacedCompare32 {
        /// An operand.
        in a: 32,
        /// Another one.
        in b: 32,
        /// [`AluComparison`].
        in code: 3,
        /// They are numbers with a sign.
        in is_signed: 1,
        /// They compare so.
        out holds: 1,
    }
}

/// The comparison unit of a lane; combinational.
pub fn compare32() -> Module {
    import(&Compare32::default(), "compare32")
}
