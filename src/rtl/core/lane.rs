//! Lane: what one thread computes in one instruction.
//!
//! ```text
//!  opcode (8), code (4), negate (3) --->+---------------------------+--> result (32)
//!  a, b, c (32) ----------------------->| integer  multiply  float  |--> predicate (1)
//!  p, q (1) --------------------------->| compare                   |--> address (32): a + b
//!                                       +---------------------------+
//! ```
//!
//! Contract: combinational; the execute stage puts registers behind it. `p` and `q` come with their negation applied.
//! Opcodes that compute nothing give any result, and so do integer comparisons with a code beyond `ge`. Addition and
//! multiplication of floats go through the fused multiply-add unit: `a * 1 + b` and `a * b - 0` are exact before its
//! one rounding, and give the right zeros.
//!
//! The integer unit and the integer comparison are [`fixed`](crate::blocks::fixed) blocks, plain rust-hdl.
//!
//! Testbenches: `testbenches/alu32/`, `testbenches/compare32/`, `testbenches/compare_unit/`, `testbenches/float_unit/`,
//! `testbenches/lane/`; tests: `tests/core/random.rs`.

use crate::blocks::{
    fixed::{alu32, compare32},
    fp32_compare, fp32_fma, fp32_from_integer, fp32_min_max, fp32_to_integer, multiply32,
};
use hdl::{Builder, Module, Signal, mux, params, priority_mux, select};
use program::isa::Opcode;

const ONE: u64 = 0x3f80_0000;
const MINUS_ZERO: u64 = 0x8000_0000;

/// The lane.
pub fn lane() -> Module {
    let m = Builder::new("lane", params! {});
    m.doc("What one thread computes in one instruction.");
    let (opcode, code, negate) = (m.input("opcode", 8), m.input("code", 4), m.input("negate", 3));
    let (a, b, c) = (m.input("a", 32), m.input("b", 32), m.input("c", 32));
    let (p, q) = (m.input("p", 1), m.input("q", 1));

    let integer = m.instance("integer", &alu32());
    let compare = m.instance("compare", &compare_unit());
    let float = m.instance("float", &float_unit());
    for (unit, port) in [(integer, "operation"), (compare, "function"), (float, "function")] {
        unit.drive("a", a);
        unit.drive("b", b);
        unit.drive(port, opcode.bits(0, 5));
    }
    for unit in [integer, compare] {
        unit.drive("p", p);
    }
    compare.drive("q", q);
    compare.drive("code", code);
    for unit in [compare, float] {
        unit.drive("negate_a", negate.bit(0));
        unit.drive("negate_b", negate.bit(1));
    }
    float.drive("c", c);
    float.drive("negate_c", negate.bit(2));

    let product = m.instance("multiply", &multiply32());
    product.drive("a", a);
    product.drive("b", b);
    let low = product.get("low");
    let products = [low, product.get("high_signed"), product.get("high_unsigned"), low + c];
    let unit = |code: u64| opcode.bits(5, 3).eq(code);
    let multiply = select(opcode.bits(0, 2), &products);
    let result = priority_mux(&[(unit(3), multiply), (unit(4), float.get("result"))], integer.get("result"));
    m.comment("Loads of kernel parameters (unit 5) come here with the word as operand b.");
    m.output_of("result", mux(unit(5), b, result));
    m.output_of("predicate", compare.get("result"));
    m.output_of("address", a + b);
    m.finish()
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

/// Floating-point unit.
pub fn float_unit() -> Module {
    let m = Builder::new("float_unit", params! {});
    m.doc("Single-precision arithmetic, minimum and maximum, and conversions to and from integers.");
    let code = m.input("function", 5);
    let operand = |name: &str| negated(m.input(name, 32), m.input(format!("negate_{name}"), 1));
    let (a, b, c) = (operand("a"), operand("b"), operand("c"));
    let is = |opcode| code.eq(function(opcode));

    let fma = m.instance("fma", &fp32_fma());
    let (add, multiply) = (is(Opcode::FAdd), is(Opcode::FMul));
    fma.drive("a", a);
    fma.drive("b", mux(add, m.lit(32, ONE), b));
    fma.drive("c", mux(add, b, mux(multiply, m.lit(32, MINUS_ZERO), c)));

    let min_max = m.instance("min_max", &fp32_min_max());
    min_max.drive("a", a);
    min_max.drive("b", b);
    min_max.drive("maximum", is(Opcode::FMax));
    let from_integer = m.instance("from_integer", &fp32_from_integer());
    from_integer.drive("value", b);
    from_integer.drive("signed_value", is(Opcode::I2fS));
    let to_integer = m.instance("to_integer", &fp32_to_integer());
    to_integer.drive("a", b);
    to_integer.drive("signed_value", is(Opcode::F2iS));
    to_integer.drive("nearest", 0);
    let results = [
        (is(Opcode::FMin) | is(Opcode::FMax), min_max.get("y")),
        (is(Opcode::I2fS) | is(Opcode::I2fU), from_integer.get("y")),
        (is(Opcode::F2iS) | is(Opcode::F2iU), to_integer.get("y")),
    ];
    m.output_of("result", priority_mux(&results, fma.get("y")));
    m.finish()
}

/// `value` with its sign bit inverted when `negate` is one.
fn negated<'m>(value: Signal<'m>, negate: Signal<'m>) -> Signal<'m> {
    (value.sign() ^ negate).join(value.bits(0, 31))
}
