//! Double precision: the fused multiply-add, comparison and conversions, and the arithmetic of a thread with all its
//! functions.

use super::{
    harness::{FloatBench, bits, random_vectors},
    support::{corners, double, inputs_of},
};
use blocks::{fp32_to_fp64, fp64_fma, fp64_from_integer, fp64_relation, fp64_to_fp32, fp64_to_integer};
use program::{isa::Opcode, random::Random, semantics};
use simt_core::double_unit::double_arithmetic;

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn whole(x: f64) -> u64 {
    if x.is_nan() { 0x7fff_ffff_ffff_ffff } else { x.to_bits() }
}

#[test]
fn fma_on_special_and_random_vectors() {
    let mut bench = FloatBench::new(fp64_fma(0));
    let corners = corners();
    let thirds: Vec<u64> = corners.iter().copied().step_by(5).collect();
    for &a in &corners {
        for &b in &corners {
            thirds.iter().for_each(|&c| bench.check_wide([a, b, c], [whole(d(a).mul_add(d(b), d(c)))]));
        }
    }
    for [a, b, c] in inputs_of(random_vectors() / 2) {
        bench.check_wide([a, b, c], [whole(d(a).mul_add(d(b), d(c)))]);
        // As addition and multiplication use it.
        bench.check_wide([a, 1.0f64.to_bits(), b], [whole(d(a) + d(b))]);
        bench.check_wide([a, b, 1 << 63], [whole(d(a) * d(b))]);
    }
}

#[test]
fn relations() {
    let mut bench = FloatBench::new(fp64_relation());
    for [a, b, _] in inputs_of(random_vectors() / 4) {
        let (a, b) = (d(a), d(b));
        let holds = [a < b, a == b, a > b, a.is_nan() || b.is_nan()];
        let expected = (0..4).fold(0, |all, bit| all | u64::from(holds[bit]) << bit);
        bench.check_wide([a.to_bits(), b.to_bits()], [expected]);
    }
}

#[test]
fn conversions_of_doubles() {
    let (mut from, mut to) = (FloatBench::new(fp64_from_integer(0)), FloatBench::new(fp64_to_integer(0)));
    let (mut narrow, mut widen) = (FloatBench::new(fp64_to_fp32(0)), FloatBench::new(fp32_to_fp64(0)));
    let mut random = Random::new(3);
    let nan = |x: f64, value: u64| if x.is_nan() { 1 << 63 } else { value };
    for [a, ..] in inputs_of(random_vectors() / 4) {
        let value = (random.next_u64() | 1 << 63) >> random.below(64);
        let value = if random.below(2) == 0 { value } else { value.wrapping_neg() };
        from.check_wide([value, 0], [(value as f64).to_bits()]);
        from.check_wide([value, 1], [(value as i64 as f64).to_bits()]);
        // Where integers are, and everywhere.
        for x in [d(a), d(a & !(0x7ff << 52) | (1000 + random.below(100)) << 52)] {
            to.check_wide([x.to_bits(), 0], [nan(x, x as u64)]);
            to.check_wide([x.to_bits(), 1], [nan(x, x as i64 as u64)]);
        }
        // Halves between floats and next to them, in their range and below it.
        let x = a & !(0x7ff << 52) | (865 + random.below(290)) << 52;
        let places = 29 + 897u64.saturating_sub(x >> 52 & 2047).min(24);
        let half = x >> places << places | 1 << (places - 1);
        for x in [a, x, half, half + 1, half - 1] {
            narrow.check_wide([x], [bits(d(x) as f32).into()]);
        }
        let float = (a >> random.below(33)) as u32;
        widen.check_wide([float.into()], [whole(f32::from_bits(float).into())]);
    }
}

#[test]
fn arithmetic_of_a_thread() {
    let mut bench = FloatBench::new(double_arithmetic(0));
    let functions: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|o| o.is_double() && *o != Opcode::DHigh).collect();
    let mut random = Random::new(8);
    for operands in inputs_of(random_vectors() / 4) {
        let opcode = functions[random.below(functions.len() as u64) as usize];
        let operands = if random.below(4) == 0 { [0; 3].map(|_| double(&mut random)) } else { operands };
        let [a, b, c] = operands;
        bench.check_wide([opcode as u64 & 31, a, b, c], [semantics::double(opcode, operands)]);
    }
}
