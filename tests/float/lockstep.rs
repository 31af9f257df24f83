//! All arithmetic blocks in one module, their twins against Verilator on their exported Verilog.

use crate::vectors::Random;
use warpmesh::{
    blocks::*,
    hdl::{Builder, Module, params},
    verilog::lockstep::{Run, Values, lockstep},
};

/// Every unit on the same operands; `control` chooses among its functions.
fn all_units() -> Module {
    let m = Builder::new("arithmetic_under_test", params! {});
    let (a, b, c, control) = (m.input("a", 32), m.input("b", 32), m.input("c", 32), m.input("control", 4));
    let operand = |name: &str| match name {
        "a" | "value" => a,
        "b" => b,
        "c" => c,
        "comparison" => control,
        "nearest" => control.bit(1),
        _ => control.bit(0),
    };
    let units = [
        fp32_fma(),
        fp32_add(),
        fp32_mul(),
        fp32_min_max(),
        fp32_compare(),
        fp32_from_integer(),
        fp32_to_integer(),
        multiply32(),
    ];
    for unit in units {
        let instance = m.instance(format!("the_{}", unit.name), &unit);
        for &port in &unit.inputs {
            let name = &unit.net(port).name;
            instance.drive(name, operand(name));
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
    let mut random = Random(9);
    let mut stimulus = |_: u64, _: &Values, inputs: &mut Values| {
        let (a, b) = (random.float(), random.float());
        let product = (f32::from_bits(a) * f32::from_bits(b)).to_bits();
        inputs.set("a", u64::from(a));
        inputs.set("b", u64::from(if random.below(2) == 0 { b } else { random.near(a) }));
        inputs.set("c", u64::from(if random.below(2) == 0 { random.float() } else { random.near(product) }));
        inputs.set("control", random.below(16));
    };
    let agreement =
        lockstep(&all_units(), &mut stimulus, &Run { sim: crate::matrix::options(), ..Run::cycles(50_000) })
            .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(agreement.still, Vec::<String>::new(), "outputs that never moved");
}
