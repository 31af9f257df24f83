//! Every operator at widths around the word size, on both engines, against bit-by-bit arithmetic written here.

use proptest::{prelude::*, test_runner::TestRunner};
use std::cell::RefCell;
use warpmesh::{
    hdl::{Bits, Builder, Module, concat, mux, params},
    netlist::elaborate,
    sim::{Engine, Options, Simulator},
};

const WIDTHS: [u32; 12] = [1, 7, 8, 31, 32, 33, 63, 64, 65, 127, 512, 1024];

/// All operators over two numbers, a shift amount narrower and one as wide as the numbers.
fn all_operators(width: u32) -> Module {
    let m = Builder::new("all_operators", params! { width });
    let (a, b, by, select) = (m.input("a", width), m.input("b", width), m.input("by", 12), m.input("select", 1));
    m.output_of("not", !a);
    m.output_of("and", a & b);
    m.output_of("or", a | b);
    m.output_of("xor", a ^ b);
    m.output_of("add", a + b);
    m.output_of("sub", a - b);
    m.output_of("mul", a * b);
    m.output_of("eq", a.eq(b));
    m.output_of("ne", a.ne(b));
    m.output_of("lt", a.lt(b));
    m.output_of("lt_signed", a.lt_signed(b));
    m.output_of("shl", a << by);
    m.output_of("shr", a >> by);
    m.output_of("sra", a.shr_signed(by));
    m.output_of("shl_wide", a << b);
    m.output_of("shr_wide", a >> b);
    m.output_of("sra_wide", a.shr_signed(b));
    m.output_of("all", a.all());
    m.output_of("any", a.any());
    m.output_of("parity", a.parity());
    m.output_of("extend", a.extend(width + 70));
    m.output_of("sign_extend", a.sign_extend(width + 70));
    m.output_of("mux", mux(select, a, b));
    m.output_of("concat", concat(&[a, select, b]));
    m.output_of("slice", a.join(b).bits(width / 2, width));
    m.output_of("bit_at", a.at(by));
    m.output_of("part_at", a.join(b).bits_at(by, width.min(40)));
    m.output_of("wide_at", a.join(b).bits_at(by, width));
    m.output_of("stored", m.delayed("stored_value", a));
    m.finish()
}

type SimulationOperatorsNumber = Vec<bool>;

fn number(bits: &Bits) -> SimulationOperatorsNumber {
    (0..bits.width()).map(|i| bits.bit(i)).collect()
}

fn bits(number: &[bool]) -> Bits {
    let mut out = Bits::zero(number.len() as u32);
    number.iter().enumerate().for_each(|(i, &b)| out.set_bit(i as u32, b));
    out
}

fn add(a: &[bool], b: &[bool], mut carry: bool) -> SimulationOperatorsNumber {
    let sum = |(&a, &b): (&bool, &bool)| {
        let out = a ^ b ^ carry;
        carry = a & b | carry & (a | b);
        out
    };
    a.iter().zip(b).map(sum).collect()
}

fn mul(a: &[bool], b: &[bool]) -> SimulationOperatorsNumber {
    let mut out = vec![false; a.len()];
    for (i, _) in b.iter().enumerate().filter(|(_, bit)| **bit) {
        let shifted: SimulationOperatorsNumber = (0..a.len()).map(|at| at >= i && a[at - i]).collect();
        out = add(&out, &shifted, false);
    }
    out
}

fn less(a: &[bool], b: &[bool]) -> bool {
    (0..a.len()).rev().find(|&i| a[i] != b[i]).is_some_and(|i| b[i])
}

/// An amount, `usize::MAX` when it is out of any range.
fn amount(a: &[bool]) -> usize {
    if a.iter().skip(30).any(|&b| b) {
        return usize::MAX / 4;
    }
    a.iter().take(30).enumerate().map(|(i, &b)| usize::from(b) << i).sum()
}

/// Bits `lo ..` of `a`, `fill` above it.
fn from_bit(a: &[bool], lo: usize, width: usize, fill: bool) -> SimulationOperatorsNumber {
    (lo..lo + width).map(|i| a.get(i).copied().unwrap_or(fill)).collect()
}

fn up(a: &[bool], by: usize) -> SimulationOperatorsNumber {
    (0..a.len()).map(|i| i >= by && a[i - by]).collect()
}

fn expected(a: &[bool], b: &[bool], by: &[bool], select: bool) -> Vec<(&'static str, SimulationOperatorsNumber)> {
    let w = a.len();
    let zip =
        |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect::<SimulationOperatorsNumber>();
    let not = |a: &[bool]| a.iter().map(|b| !b).collect::<SimulationOperatorsNumber>();
    let sign = a[w - 1];
    let joined = [b, a].concat();
    let (n, m) = (amount(by), amount(b));
    let less_signed = if sign == b[w - 1] { less(a, b) } else { sign };
    vec![
        ("not", not(a)),
        ("and", zip(|a, b| a & b)),
        ("or", zip(|a, b| a | b)),
        ("xor", zip(|a, b| a ^ b)),
        ("add", add(a, b, false)),
        ("sub", add(a, &not(b), true)),
        ("mul", mul(a, b)),
        ("eq", vec![a == b]),
        ("ne", vec![a != b]),
        ("lt", vec![less(a, b)]),
        ("lt_signed", vec![less_signed]),
        ("shl", up(a, n)),
        ("shr", from_bit(a, n, w, false)),
        ("sra", from_bit(a, n, w, sign)),
        ("shl_wide", up(a, m)),
        ("shr_wide", from_bit(a, m, w, false)),
        ("sra_wide", from_bit(a, m, w, sign)),
        ("all", vec![a.iter().all(|&b| b)]),
        ("any", vec![a.contains(&true)]),
        ("parity", vec![a.iter().filter(|b| **b).count() % 2 == 1]),
        ("extend", from_bit(a, 0, w + 70, false)),
        ("sign_extend", from_bit(a, 0, w + 70, sign)),
        ("mux", if select { a.to_vec() } else { b.to_vec() }),
        ("concat", [b, &[select], a].concat()),
        ("slice", from_bit(&joined, w / 2, w, false)),
        ("bit_at", from_bit(a, n, 1, false)),
        ("part_at", from_bit(&joined, n, w.min(40), false)),
        ("wide_at", from_bit(&joined, n, w, false)),
    ]
}

/// Numbers of `width` bits: random, sparse, nearly all ones, small (a shift amount), or powers of two.
fn numbers(width: u32) -> impl Strategy<Value = Bits> {
    let words = prop::collection::vec(any::<u64>(), width.div_ceil(64) as usize);
    (words, 0..6u8, 0..width).prop_map(move |(words, shape, at)| match shape {
        0 => Bits::zero(width),
        1 => {
            let mut bits = Bits::ones(width);
            bits.set_bit(at, words[0] % 2 == 1);
            bits
        }
        2 => {
            let mut bits = Bits::zero(width);
            bits.set_bit(at, true);
            bits
        }
        3 => Bits::new(width, words[0] % (u64::from(width) + 2)),
        _ => Bits::from_words(width, &words),
    })
}

fn check(width: u32, options: &Options) {
    let design = elaborate(&all_operators(width)).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, options).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(1);
    let sim = RefCell::new(sim); // the test runner takes a closure that does not change its captures
    let cases = if width > 100 { 60 } else { 150 };
    let mut runner = TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
    // Half of the shift amounts lie near the width.
    let by = prop_oneof![0u64..4096, 0..2 * u64::from(width)];
    let inputs = (numbers(width), numbers(width), by, any::<bool>(), any::<bool>());
    let result = runner.run(&inputs, |(a, b, by, select, same)| {
        let mut sim = sim.borrow_mut();
        let b = if same { a.clone() } else { b };
        sim.poke_bits("a", &a);
        sim.poke_bits("b", &b);
        sim.poke("by", by);
        sim.poke("select", u64::from(select));
        for (port, value) in expected(&number(&a), &number(&b), &number(&Bits::new(12, by)), select) {
            prop_assert_eq!((port, sim.peek_bits(port)), (port, bits(&value)));
        }
        sim.step().expect("there are no assertions");
        prop_assert_eq!(sim.peek_bits("stored"), a);
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("width {width}, {options:?}: {e}"));
}

#[test]
fn interpreter_agrees_with_bitwise_arithmetic() {
    for width in WIDTHS {
        check(width, &Options { engine: Engine::Interpreter, ..Options::default() });
    }
}

#[test]
fn native_code_agrees_with_bitwise_arithmetic() {
    for width in WIDTHS {
        check(width, &Options { engine: Engine::Word, ..Options::default() });
    }
}
