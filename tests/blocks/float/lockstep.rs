//! All arithmetic blocks in one module, their intrinsics against Verilator on their exported Verilog.

use super::{support::inputs_of, vectors::RandomOperands};
use blocks::*;
use hdl::{Builder, Module, params};
use program::isa::Opcode;
use simt_core::{double_unit::double_arithmetic, special_unit::special_arithmetic};
use verilog::lockstep::{RunLength, Values, lockstep};

/// Every unit on the same operands; `control` chooses among its functions.
fn all_units() -> Module {
    let m = Builder::new("arithmetic_under_test", params! {});
    let [a, b, c] = ["a", "b", "c"].map(|name| m.input(name, 64));
    let control = m.input("control", 4);
    // Floats are the high words: as a double it then has about the same magnitude.
    let operand = |name: &str, width: u32| match name {
        "a" | "value" => a.bits(64 - width, width),
        "b" => b.bits(64 - width, width),
        "c" => c.bits(64 - width, width),
        "function" => control.extend(5) + 9,
        "comparison" => control,
        "nearest" => control.bit(1),
        _ => control.bit(0),
    };
    let units = [
        fp32_fma(0),
        fp32_add(),
        fp32_mul(),
        fp32_min_max(),
        fp32_compare(),
        fp32_from_integer(0),
        fp32_to_integer(0),
        multiply32(0),
        fp64_fma(0),
        fp64_relation(),
        fp64_from_integer(0),
        fp64_to_integer(0),
        fp64_to_fp32(0),
        fp32_to_fp64(0),
        double_arithmetic(0),
    ];
    let special = m.instance("the_special_function", &special_arithmetic(0));
    special.drive("function", control.bits(0, 3).extend(5) + (Opcode::Rcp as u64 & 31));
    special.drive("x", operand("a", 32));
    m.output_of("special_function", special.get("result"));
    for unit in units {
        let instance = m.instance(format!("the_{}", unit.name), &unit);
        for &port in &unit.inputs {
            let net = unit.net(port);
            instance.drive(&net.name, operand(&net.name, net.width));
        }
        for &port in &unit.outputs {
            let name = &unit.net(port).name;
            m.output_of(format!("{}_{name}", unit.name), instance.get(name));
        }
    }
    m.finish()
}

#[test]
fn verilog_of_all_units_agrees_with_verilator() {
    let mut random = RandomOperands::new(9);
    let mut doubles = inputs_of(50_000).into_iter();
    let mut stimulus = |_: u64, _: &Values, inputs: &mut Values| {
        let control = random.below(16);
        let words = if random.below(2) == 0 {
            let (a, b) = (random.float(), random.float());
            let product = (f32::from_bits(a) * f32::from_bits(b)).to_bits();
            let b = if random.below(2) == 0 { b } else { random.near(a) };
            let c = if random.below(2) == 0 { random.float() } else { random.near(product) };
            [a, b, c].map(|float| u64::from(float) << 32 | random.next_u64() & 0xffff_ffff)
        } else {
            doubles.next().unwrap_or([0; 3])
        };
        ["a", "b", "c"].into_iter().zip(words).for_each(|(name, word)| inputs.set(name, word));
        inputs.set("control", control);
    };
    let agreement = lockstep(
        &all_units(),
        &mut stimulus,
        &RunLength { sim: super::matrix::options(), ..RunLength::cycles(50_000) },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(agreement.still, Vec::<String>::new(), "outputs that never moved");
}
