//! Lane: what one thread computes in one instruction.
//!
//! ```text
//!                                 +-------------------------------------------+
//!  a, b, c (32), p, q (1)         | compare ---------------------------------------> predicate (1)
//!  opcode (8), code (4) --------->| a + b -----------------------------------------> address (32)
//!  negate (3)                     | integer, minimum, maximum --.             |
//!                                 | multiply ---|---------------.             |
//!  valid (registers) ------------>| convert ----|----|----------.--|--|-.---------> result (32)
//!  later (registers x 8): opcodes | fused multiply-add -|----|-----|----'     |    | register, with an enable
//!                                 +-------------------------------------------+
//! ```
//!
//! Contract: `predicate` and `address` are combinational, and so is `result` where there are no `registers`. Else it
//! comes so many cycles after the operands, and in them `later` shows the opcode that has come so far: bits 0 to 7
//! behind the first register, and so on. `valid` says in which pieces (the first one included) there is an instruction;
//! registers of units that it does not need hold still. Units that need fewer cycles leave their result in the one word
//! that travels beside the longest. With the last registers of `valid` and `later` held while nothing comes, `result`
//! is, in every cycle, that of the lane without registers as many cycles ago.
//!
//! `p` and `q` come with their negation applied. Opcodes that compute nothing give any result, and so do integer
//! comparisons with a code beyond `ge`. Addition and multiplication of floats go through the fused multiply-add unit:
//! `a * 1 + b` and `a * b - 0` are exact before its one rounding, and give the right zeros.
//!
//! The integer unit and the integer comparison are [`fixed`](crate::blocks::fixed) blocks, plain rust-hdl.
//!
//! Testbenches: `testbenches/alu32/`, `testbenches/compare32/`, `testbenches/compare_unit/`, `testbenches/lane/`; tests:
//! `tests/core/random.rs`, `tests/core/pipelines.rs`.

use super::decode::opcode_values;
use super::long_unit::{LongUnit, joined, long_unit};
use crate::blocks::{
    FMA_CUTS, FROM_INTEGER_CUTS, MULTIPLY_CUTS, TO_INTEGER_CUTS,
    cuts::registers_within,
    fixed::{alu32, compare32},
    fp32_compare, fp32_fma, fp32_from_integer, fp32_min_max, fp32_to_integer, multiply32,
};
use hdl::{Builder, Child, Module, Signal, mux, params, priority_mux, select};
use program::isa::Opcode;

/// Places for registers in a lane.
pub const LANE_CUTS: u32 = FMA_CUTS;

const ONE: u64 = 0x3f80_0000;
const MINUS_ZERO: u64 = 0x8000_0000;

/// The lane, with `registers` between operands and result.
pub fn lane(registers: u32) -> Module {
    let m = Builder::new("lane", registers_within(registers));
    m.doc("What one thread computes in one instruction.");
    m.require(registers <= LANE_CUTS, &format!("lane: {registers} registers, there are places for {LANE_CUTS}"));
    let (opcode, code, negate) = (m.input("opcode", 8), m.input("code", 4), m.input("negate", 3));
    m.name_values(opcode, opcode_values());
    let operands = ["a", "b", "c"].map(|name| m.input(name, 32));
    let [a, b, _] = operands;
    let (p, q) = (m.input("p", 1), m.input("q", 1));
    let pieces = pieces(&m, opcode, registers.min(LANE_CUTS));

    let integer = m.instance("integer", &alu32());
    let compare = m.instance("compare", &compare_unit());
    for (unit, port) in [(integer, "operation"), (compare, "function")] {
        unit.drive("a", a);
        unit.drive("b", b);
        unit.drive("p", p);
        unit.drive(port, opcode.bits(0, 5));
    }
    compare.drive("q", q);
    compare.drive("code", code);
    compare.drive("negate_a", negate.bit(0));
    compare.drive("negate_b", negate.bit(1));

    let floats = [0, 1, 2].map(|k| negated(operands[k as usize], negate.bit(k)));
    let units = [
        product(&m, &pieces, operands),
        from_integer(&m, &pieces, floats),
        to_integer(&m, &pieces, floats),
        fused(&m, &pieces, floats),
    ];
    let now = pieces[0].kind;
    m.comment("Loads of kernel parameters (unit 5) come here with the word as operand b.");
    let short = [(now.parameter, b), (now.min_max, min_max(&m, floats, opcode))];
    let short = priority_mux(&short, integer.get("result"));
    let travels: Vec<_> = before_registers(&pieces).iter().map(|piece| piece.valid & !piece.kind.fused).collect();
    m.output_of("result", joined(&m, short, &units, &travels));
    m.output_of("predicate", compare.get("result"));
    m.output_of("address", a + b);
    m.finish()
}

/// Logic between two registers, with the instruction that is there.
struct Piece<'m> {
    valid: Signal<'m>,
    opcode: Signal<'m>,
    kind: Kind<'m>,
}

/// Which unit an opcode needs, where it is not the integer unit.
#[derive(Clone, Copy)]
struct Kind<'m> {
    multiply: Signal<'m>,
    min_max: Signal<'m>,
    from_integer: Signal<'m>,
    to_integer: Signal<'m>,
    fused: Signal<'m>,
    parameter: Signal<'m>,
}

impl<'m> Kind<'m> {
    fn of(opcode: Signal<'m>) -> Self {
        let unit = |code: u64| opcode.bits(5, 3).eq(code);
        let float = |of: [Opcode; 2]| {
            let [first, second] = of.map(|of| opcode.bits(0, 5).eq(function(of)));
            unit(4) & (first | second)
        };
        let min_max = float([Opcode::FMin, Opcode::FMax]);
        let from_integer = float([Opcode::I2fS, Opcode::I2fU]);
        let to_integer = float([Opcode::F2iS, Opcode::F2iU]);
        let fused = unit(4) & !(min_max | from_integer | to_integer);
        Self { multiply: unit(3), min_max, from_integer, to_integer, fused, parameter: unit(5) }
    }
}

/// The pieces of a lane: one more than there are registers.
fn pieces<'m>(m: &'m Builder, opcode: Signal<'m>, registers: u32) -> Vec<Piece<'m>> {
    let piece = |valid, opcode| Piece { valid, opcode, kind: Kind::of(opcode) };
    if registers == 0 {
        return vec![piece(m.lit(1, 0), opcode)];
    }
    let (valid, later) = (m.input("valid", registers), m.input("later", 8 * registers));
    // Behind the last register there is none whose enable `valid` would be.
    let valid = valid.to_bits().into_iter().chain([m.lit(1, 0)]);
    valid.zip([opcode].into_iter().chain(later.parts(8))).map(|(valid, opcode)| piece(valid, opcode)).collect()
}

/// All pieces but the last.
fn before_registers<'a, 'm>(pieces: &'a [Piece<'m>]) -> &'a [Piece<'m>] {
    &pieces[..pieces.len() - 1]
}

/// A unit of the lane, how many registers it has, and where it is `chosen`.
fn unit_of_lane<'m>(
    m: &'m Builder,
    unit: (&str, fn(u32) -> Module, u32),
    pieces: &[Piece<'m>],
    chosen: fn(&Kind<'m>) -> Signal<'m>,
) -> (Child<'m>, usize, Vec<Signal<'m>>) {
    let valid: Vec<_> = before_registers(pieces).iter().map(|piece| piece.valid).collect();
    let needed: Vec<_> = pieces.iter().map(|piece| chosen(&piece.kind)).collect();
    let (child, registers) = long_unit(m, unit, &valid, &needed);
    (child, registers, needed)
}

/// Integer products: low, high, and the low one with a sum.
fn product<'m>(m: &'m Builder, pieces: &[Piece<'m>], [a, b, c]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (unit, registers, needed) =
        unit_of_lane(m, ("multiply", multiply32, MULTIPLY_CUTS), pieces, |kind| kind.multiply);
    let is = |piece: usize, opcode: Opcode| pieces[piece].opcode.bits(0, 2).eq(opcode as u64 & 3);
    unit.drive("a", a);
    unit.drive("b", b);
    unit.drive("c", c & is(0, Opcode::Mad).repeat(32));
    unit.drive("signed_value", is(0, Opcode::MulHS));
    let high = is(registers, Opcode::MulHS) | is(registers, Opcode::MulHU);
    LongUnit { registers, result: mux(high, unit.get("high"), unit.get("low")), needed }
}

fn from_integer<'m>(m: &'m Builder, pieces: &[Piece<'m>], [_, b, _]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (unit, registers, needed) =
        unit_of_lane(m, ("from_integer", fp32_from_integer, FROM_INTEGER_CUTS), pieces, |kind| kind.from_integer);
    unit.drive("value", b);
    unit.drive("signed_value", pieces[0].opcode.bits(0, 5).eq(function(Opcode::I2fS)));
    LongUnit { registers, result: unit.get("y"), needed }
}

fn to_integer<'m>(m: &'m Builder, pieces: &[Piece<'m>], [_, b, _]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (unit, registers, needed) =
        unit_of_lane(m, ("to_integer", fp32_to_integer, TO_INTEGER_CUTS), pieces, |kind| kind.to_integer);
    unit.drive("a", b);
    unit.drive("signed_value", pieces[0].opcode.bits(0, 5).eq(function(Opcode::F2iS)));
    unit.drive("nearest", 0);
    LongUnit { registers, result: unit.get("y"), needed }
}

/// Sum, product, product and sum of floats.
fn fused<'m>(m: &'m Builder, pieces: &[Piece<'m>], [a, b, c]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (unit, registers, needed) = unit_of_lane(m, ("fma", fp32_fma, FMA_CUTS), pieces, |kind| kind.fused);
    let [add, multiply] = [Opcode::FAdd, Opcode::FMul].map(|opcode| pieces[0].opcode.bits(0, 5).eq(function(opcode)));
    unit.drive("a", a);
    unit.drive("b", mux(add, m.lit(32, ONE), b));
    unit.drive("c", mux(add, b, mux(multiply, m.lit(32, MINUS_ZERO), c)));
    LongUnit { registers, result: unit.get("y"), needed }
}

fn min_max<'m>(m: &'m Builder, [a, b, _]: [Signal<'m>; 3], opcode: Signal<'m>) -> Signal<'m> {
    let unit = m.instance("min_max", &fp32_min_max());
    unit.drive("a", a);
    unit.drive("b", b);
    unit.drive("maximum", opcode.bits(0, 5).eq(function(Opcode::FMax)));
    unit.get("y")
}

/// The function code of an opcode within its unit.
fn function(opcode: Opcode) -> u64 {
    opcode as u64 & 31
}

/// Predicate unit: comparisons and logic of predicates.
pub fn compare_unit() -> Module {
    let m = Builder::new("compare_unit", params! {});
    m.doc("Integer and floating-point comparisons, and logic of predicates.");
    let (function_code, code) = (m.input("function", 5), m.input("code", 4));
    let (a, b) = (m.input("a", 32), m.input("b", 32));
    let (p, q) = (m.input("p", 1), m.input("q", 1));
    let integer = m.instance("integer", &compare32());
    integer.drive("a", a);
    integer.drive("b", b);
    integer.drive("code", code.bits(0, 3));
    integer.drive("is_signed", function_code.eq(function(Opcode::ISetpS)));
    let float = m.instance("float", &fp32_compare());
    float.drive("a", negated(a, m.input("negate_a", 1)));
    float.drive("b", negated(b, m.input("negate_b", 1)));
    float.drive("comparison", code);
    let logic = select(code.bits(0, 2), &[p & q, p | q, p ^ q]);
    m.comment("Functions 0 and 1 compare integers, 2 floats, 3 is logic.");
    let holds = integer.get("holds");
    let results = [holds, holds, float.get("result"), logic];
    m.output_of("result", select(function_code.bits(0, 2), &results));
    m.finish()
}

/// `value` with its sign bit inverted when `negate` is one.
fn negated<'m>(value: Signal<'m>, negate: Signal<'m>) -> Signal<'m> {
    (value.sign() ^ negate).join(value.bits(0, 31))
}
