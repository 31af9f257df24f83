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
//! The integer unit and the integer comparison are [`fixed`](blocks::fixed) blocks, plain rust-hdl.
//!
//! Testbenches: `testbenches/alu32/`, `testbenches/compare32/`, `testbenches/compare_unit/`, `testbenches/lane/`; tests:
//! `tests/core/random.rs`, `tests/core/pipelines.rs`.

use super::decode::opcode_values;
use super::long_unit::{LongBlock, LongUnit, joined, long_unit};
use blocks::{
    FMA_CUTS, FROM_INTEGER_CUTS, Fma, Fp32Compare, Fp32MinMax, FromInteger, MULTIPLY_CUTS, Multiply32, TO_INTEGER_CUTS,
    ToInteger,
    cuts::registers_within,
    fixed::{PlacedAlu32, PlacedCompare32, alu32, compare32},
    fp32_compare, fp32_fma, fp32_from_integer, fp32_min_max, fp32_to_integer, multiply32,
};
use hdl::{Builder, Module, Signal, mux, params, ports, priority_mux, select};
use program::isa::Opcode;

/// Places for registers in a lane.
pub const LANE_CUTS: u32 = FMA_CUTS;

const ONE: u64 = 0x3f80_0000;
const MINUS_ZERO: u64 = 0x8000_0000;

ports! {
    /// Ports of a [`lane`] with so many registers.
    pub struct LanePorts(registers: &u32) of Lane {
        /// [`Opcode`] of the instruction.
        in opcode: 8,
        /// Comparison or logic.
        in code: 4,
        /// Negate operands a, b, c: bits 0, 1, 2.
        in negate: 3,
        /// An operand.
        in a: 32,
        /// Another one.
        in b: 32,
        /// A third one.
        in c: 32,
        /// A predicate.
        in p: 1,
        /// Another one.
        in q: 1,
        /// For each piece in front of a register: an instruction is in it.
        maybe (*registers > 0) in valid: *registers,
        /// The opcode behind each register.
        maybe (*registers > 0) in later: 8 * registers,
        /// What it gives.
        out result: 32,
        /// The predicate that it gives, now.
        out predicate: 1,
        /// Sum of a and b, now.
        out address: 32,
    }
}

ports! {
    /// Ports of a [`compare_unit`].
    pub struct CompareUnitPorts(_p: &()) of CompareUnit {
        /// The opcode within its unit.
        in function: 5,
        /// Comparison or logic.
        in code: 4,
        /// An operand.
        in a: 32,
        /// Another one.
        in b: 32,
        /// A predicate.
        in p: 1,
        /// Another one.
        in q: 1,
        /// Negate a, a float.
        in negate_a: 1,
        /// Negate b, a float.
        in negate_b: 1,
        /// The predicate that it gives.
        out result: 1,
    }
}

/// The lane, with `registers` between operands and result.
pub fn lane(registers: u32) -> Module {
    let m = Builder::new("lane", registers_within(registers));
    m.doc("What one thread computes in one instruction.");
    m.require(registers <= LANE_CUTS, &format!("lane: {registers} registers, there are places for {LANE_CUTS}"));
    let io = LanePorts::new(&m, &registers.min(LANE_CUTS));
    let (opcode, code, negate) = (io.opcode(), io.code(), io.negate());
    m.name_values(opcode, opcode_values());
    let operands = [io.a(), io.b(), io.c()];
    let [a, b, _] = operands;
    let (p, q) = (io.p(), io.q());
    let pieces = pieces(&m, io, opcode);

    let integer = PlacedAlu32(m.instance("integer", &alu32()));
    let compare = CompareUnit(m.instance("compare", &compare_unit()));
    integer.a(a);
    integer.b(b);
    integer.p(p);
    integer.operation(opcode.bits(0, 5));
    compare.a(a);
    compare.b(b);
    compare.p(p);
    compare.function(opcode.bits(0, 5));
    compare.q(q);
    compare.code(code);
    compare.negate_a(negate.bit(0));
    compare.negate_b(negate.bit(1));

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
    let short = priority_mux(&short, integer.result());
    let travels: Vec<_> = before_registers(&pieces).iter().map(|piece| piece.valid & !piece.kind.fused).collect();
    io.result(joined(&m, short, &units, &travels));
    io.predicate(compare.result());
    io.address(a + b);
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
fn pieces<'m>(m: &'m Builder, io: LanePorts<'m>, opcode: Signal<'m>) -> Vec<Piece<'m>> {
    let piece = |valid, opcode| Piece { valid, opcode, kind: Kind::of(opcode) };
    let Some((valid, later)) = io.valid().zip(io.later()) else {
        return vec![piece(m.lit(1, 0), opcode)];
    };
    // Behind the last register there is none whose enable `valid` would be.
    let valid = valid.to_bits().into_iter().chain([m.lit(1, 0)]);
    valid.zip([opcode].into_iter().chain(later.parts(8))).map(|(valid, opcode)| piece(valid, opcode)).collect()
}

/// All pieces but the last.
fn before_registers<'a, 'm>(pieces: &'a [Piece<'m>]) -> &'a [Piece<'m>] {
    &pieces[..pieces.len() - 1]
}

/// A unit of the lane, how many registers it has, and where it is `chosen`.
fn unit_of_lane<'m, U: Copy>(
    m: &'m Builder,
    block: LongBlock<'m, U>,
    pieces: &[Piece<'m>],
    chosen: fn(&Kind<'m>) -> Signal<'m>,
) -> (U, usize, Vec<Signal<'m>>) {
    let valid: Vec<_> = before_registers(pieces).iter().map(|piece| piece.valid).collect();
    let needed: Vec<_> = pieces.iter().map(|piece| chosen(&piece.kind)).collect();
    let (unit, registers) = long_unit(m, block, &valid, &needed);
    (unit, registers, needed)
}

/// Integer products: low, high, and the low one with a sum.
fn product<'m>(m: &'m Builder, pieces: &[Piece<'m>], [a, b, c]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (module, cuts) = (multiply32, MULTIPLY_CUTS);
    let block = LongBlock { name: "multiply", module, cuts, place: Multiply32, enable: Multiply32::enable };
    let (unit, registers, needed) = unit_of_lane(m, block, pieces, |kind| kind.multiply);
    let is = |piece: usize, opcode: Opcode| pieces[piece].opcode.bits(0, 2).eq(opcode as u64 & 3);
    unit.a(a);
    unit.b(b);
    unit.c(c & is(0, Opcode::Mad).repeat(32));
    unit.signed_value(is(0, Opcode::MulHS));
    let high = is(registers, Opcode::MulHS) | is(registers, Opcode::MulHU);
    LongUnit { registers, result: mux(high, unit.high(), unit.low()), needed }
}

fn from_integer<'m>(m: &'m Builder, pieces: &[Piece<'m>], [_, b, _]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (module, cuts) = (fp32_from_integer, FROM_INTEGER_CUTS);
    let block = LongBlock { name: "from_integer", module, cuts, place: FromInteger, enable: FromInteger::enable };
    let (unit, registers, needed) = unit_of_lane(m, block, pieces, |kind| kind.from_integer);
    unit.value(b);
    unit.signed_value(pieces[0].opcode.bits(0, 5).eq(function(Opcode::I2fS)));
    LongUnit { registers, result: unit.y(), needed }
}

fn to_integer<'m>(m: &'m Builder, pieces: &[Piece<'m>], [_, b, _]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (module, cuts) = (fp32_to_integer, TO_INTEGER_CUTS);
    let block = LongBlock { name: "to_integer", module, cuts, place: ToInteger, enable: ToInteger::enable };
    let (unit, registers, needed) = unit_of_lane(m, block, pieces, |kind| kind.to_integer);
    unit.a(b);
    unit.signed_value(pieces[0].opcode.bits(0, 5).eq(function(Opcode::F2iS)));
    unit.nearest(m.lit(1, 0));
    LongUnit { registers, result: unit.y(), needed }
}

/// Sum, product, product and sum of floats.
fn fused<'m>(m: &'m Builder, pieces: &[Piece<'m>], [a, b, c]: [Signal<'m>; 3]) -> LongUnit<'m> {
    let (module, cuts) = (fp32_fma, FMA_CUTS);
    let block = LongBlock { name: "fma", module, cuts, place: Fma, enable: Fma::enable };
    let (unit, registers, needed) = unit_of_lane(m, block, pieces, |kind| kind.fused);
    let [add, multiply] = [Opcode::FAdd, Opcode::FMul].map(|opcode| pieces[0].opcode.bits(0, 5).eq(function(opcode)));
    unit.a(a);
    unit.b(mux(add, m.lit(32, ONE), b));
    unit.c(mux(add, b, mux(multiply, m.lit(32, MINUS_ZERO), c)));
    LongUnit { registers, result: unit.y(), needed }
}

fn min_max<'m>(m: &'m Builder, [a, b, _]: [Signal<'m>; 3], opcode: Signal<'m>) -> Signal<'m> {
    let unit = Fp32MinMax(m.instance("min_max", &fp32_min_max()));
    unit.a(a);
    unit.b(b);
    unit.maximum(opcode.bits(0, 5).eq(function(Opcode::FMax)));
    unit.y()
}

/// The function code of an opcode within its unit.
fn function(opcode: Opcode) -> u64 {
    opcode as u64 & 31
}

/// Predicate unit: comparisons and logic of predicates.
pub fn compare_unit() -> Module {
    let m = Builder::new("compare_unit", params! {});
    m.doc("Integer and floating-point comparisons, and logic of predicates.");
    let io = CompareUnitPorts::new(&m, &());
    let (function_code, code) = (io.function(), io.code());
    let (a, b, p, q) = (io.a(), io.b(), io.p(), io.q());
    let integer = PlacedCompare32(m.instance("integer", &compare32()));
    integer.a(a);
    integer.b(b);
    integer.code(code.bits(0, 3));
    integer.is_signed(function_code.eq(function(Opcode::ISetpS)));
    let float = Fp32Compare(m.instance("float", &fp32_compare()));
    float.a(negated(a, io.negate_a()));
    float.b(negated(b, io.negate_b()));
    float.comparison(code);
    let logic = select(code.bits(0, 2), &[p & q, p | q, p ^ q]);
    m.comment("Functions 0 and 1 compare integers, 2 floats, 3 is logic.");
    let results = [integer.holds(), integer.holds(), float.result(), logic];
    io.result(select(function_code.bits(0, 2), &results));
    m.finish()
}

/// `value` with its sign bit inverted when `negate` is one.
fn negated<'m>(value: Signal<'m>, negate: Signal<'m>) -> Signal<'m> {
    (value.sign() ^ negate).join(value.bits(0, 31))
}
