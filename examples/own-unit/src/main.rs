//! warpmesh with a unit of its own beside the lanes: products of integers, by as many multipliers as the key
//! `core.own_units.products` says. With 0 of them the lanes compute them, as they do in every other chip.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use warpmesh::{
    blocks::{MULTIPLY_CUTS, Multiply32, multiply32},
    common::policies::RowError,
    core::units::{
        self, UnitBits,
        shared_unit::{ArithmeticPorts, UnitOperand},
        word_unit::{WordUnit, word_statistics},
    },
    hdl::{Builder, Module, Signal, mux, params},
    program::isa::Opcode,
};

static PRODUCTS: WordUnit = WordUnit {
    name: "products",
    about: "Products of integers.",
    doc: "Multiplier unit: multipliers for a part of the lanes.",
    bits: UnitBits { issues: "product", writes: "product_writes", reserves: None },
    computes: |opcode| matches!(opcode, Opcode::Mul | Opcode::MulHS | Opcode::MulHU | Opcode::Mad),
    built_in: None,
    operands: &UnitOperand::ABC,
    negates: false,
    arithmetic: product,
    cuts: MULTIPLY_CUTS,
    statistics: word_statistics("products_unit"),
    energy: |product, _| product,
};

/// Of a thread: the low or the high word of a * b, or the low one of a * b + c, behind so many registers.
fn product(registers: u32) -> Module {
    let m = Builder::new("product", params! { registers });
    m.doc("An integer product, by the opcode within its unit.");
    let io = ArithmeticPorts::new(&m, &PRODUCTS.shape(registers));
    let (function, enable) = (io.function(), io.enable());
    let is = |opcode: Opcode| function.eq(opcode as u64 & 31);
    let [a, b, c] = UnitOperand::ABC.map(|operand| io.operand(operand));
    let unit = Multiply32(m.instance("multiply", &multiply32(registers)));
    unit.a(a);
    unit.b(b);
    unit.c(c & is(Opcode::Mad).repeat(32));
    unit.signed_value(is(Opcode::MulHS));
    unit.enable(enable);
    let enables = enable.map_or(vec![], Signal::to_bits);
    let behind = |high, (number, enable)| m.captured(("high", number), enable, high);
    let high = enables.into_iter().enumerate().fold(is(Opcode::MulHS) | is(Opcode::MulHU), behind);
    io.result(mux(high, unit.high(), unit.low()));
    m.finish()
}

fn main() -> Result<ExitCode, RowError> {
    units::add(&PRODUCTS)?;
    Ok(warpmesh::main())
}
