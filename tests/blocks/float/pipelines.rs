//! Units with each number of registers within, against the same units with as many behind: in simulation, which claims
//! that they are equal in every cycle, and in step with their exported Verilog in Verilator and in Icarus.

use super::{matrix::options, support::inputs_of, vectors::RandomOperands};
use blocks::*;
use hdl::{Builder, Module, params, row};
use program::isa::Opcode;
use sim::Options;
use simt_core::double_unit::{DOUBLE_CUTS, double_arithmetic};
use verilog::lockstep::{RunLength, Values, lockstep, lockstep_icarus};

/// A unit, and for how many registers it has places.
type Unit = (fn(u32) -> Module, u32);

const SINGLE: [Unit; 5] = [
    (fp32_fma, FMA_CUTS),
    (fp32_from_integer, FROM_INTEGER_CUTS),
    (fp32_to_integer, TO_INTEGER_CUTS),
    (multiply32, MULTIPLY_CUTS),
    (fp32_special, SPECIAL_CUTS),
];
const DOUBLE: [Unit; 6] = [
    (fp64_fma, FMA_CUTS),
    (fp64_from_integer, FROM_INTEGER_CUTS),
    (fp64_to_integer, TO_INTEGER_CUTS),
    (fp64_to_fp32, PRECISION_CUTS),
    (fp32_to_fp64, PRECISION_CUTS),
    (double_arithmetic, DOUBLE_CUTS),
];
/// The first function of [`double_arithmetic`], and how many there are, with one more.
const FIRST_FUNCTION: u64 = Opcode::DAdd as u64 & 31;
const FUNCTIONS: u64 = Opcode::F2d as u64 - Opcode::DAdd as u64 + 2;

/// Each unit with each number of registers; operands come where `valid` is one.
fn pipelines(name: &str, units: &[Unit]) -> Module {
    let m = Builder::new(name, params! {});
    let [a, b, c] = ["a", "b", "c"].map(|name| m.input(name, 64));
    let (control, now) = (m.input("control", 4), m.input("valid", 1));
    // Floats are the high words: as a double it then has about the same magnitude.
    let operand = |name: &str, width: u32| match name {
        "a" | "value" | "x" => a.bits(64 - width, width),
        "b" => b.bits(64 - width, width),
        "c" => c.bits(64 - width, width),
        "function" if width == 6 => index_one_hot(control, 6),
        "function" => control.extend(width) + FIRST_FUNCTION,
        "nearest" => control.bit(1),
        _ => control.bit(0),
    };
    let mut valid = vec![now];
    let most = units.iter().map(|(_, most)| *most as usize).fold(0, usize::max);
    (0..most).for_each(|stage| valid.push(m.delayed(("valid_behind", stage), valid[stage])));
    for (unit, most) in units {
        let placed = (0..=*most).map(|registers| {
            let module = unit(registers);
            let child = m.instance(&module.name, &module);
            for &port in &module.inputs {
                let net = module.net(port);
                match net.name.as_str() {
                    "enable" => child.drive("enable", row(valid[..registers as usize].iter().copied())),
                    name => child.drive(name, operand(name, net.width)),
                }
            }
            child
        });
        let placed: Vec<_> = placed.collect();
        let module = placed[0].module();
        for &port in &module.outputs {
            let port = &module.net(port).name;
            let mut reference = placed[0].get(port);
            for (registers, child) in placed.iter().enumerate() {
                let name = format!("{}_{port}_{registers}", module.name);
                reference = m.captured(format!("{name}_behind"), valid[registers], reference);
                let within = m.captured(format!("{name}_within"), valid[registers], child.get(port));
                m.always(&name, within.eq(reference));
                m.output_of(name, within);
            }
        }
    }
    m.finish()
}

/// Operands near each other, of single and of double precision, with and without gaps.
fn stimulus(seed: u64, cycles: usize) -> impl FnMut(u64, &Values, &mut Values) {
    let mut random = RandomOperands::new(seed);
    let mut doubles = inputs_of(cycles).into_iter();
    move |_, _, inputs| {
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
        inputs.set("control", random.below(FUNCTIONS));
        inputs.set("valid", u64::from(random.below(4) > 0));
    }
}

fn check(name: &str, units: &[Unit], seed: u64) {
    let module = pipelines(name, units);
    let sim = Options { intrinsics: false, ..options() };
    let run = RunLength { sim, ..RunLength::cycles(20_000) };
    let agreement = lockstep(&module, &mut stimulus(seed, 20_000), &run).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(agreement.still, Vec::<String>::new(), "outputs that never moved");
    let run = RunLength { sim, ..RunLength::cycles(1_000) };
    lockstep_icarus(&module, &mut stimulus(seed + 1, 1_000), &run).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn registers_within_single_precision_change_nothing() {
    check("single_precision_pipelines", &SINGLE, 21);
}

#[test]
fn registers_within_double_precision_change_nothing() {
    check("double_precision_pipelines", &DOUBLE, 22);
}
