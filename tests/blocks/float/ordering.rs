//! Minimum, maximum, comparison.

use super::{
    harness::{FloatBench, bits, random_vectors},
    vectors::{RandomOperands, SPECIAL},
};
use blocks::{fp32_compare, fp32_min_max};
use program::isa::Comparison;

fn check_min_max(bench: &mut FloatBench<3, 1>, [a, b]: [u32; 2]) {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    // Rust leaves the order of the two zeros open; PTX does not.
    let [min, max] = match (x.is_nan(), y.is_nan()) {
        (true, _) | (_, true) => [bits(x.min(y)), bits(x.max(y))],
        _ if x.total_cmp(&y).is_lt() => [a, b],
        _ => [b, a],
    };
    bench.check([a, b, 0], [min]);
    bench.check([a, b, 1], [max]);
}

#[test]
fn minimum_and_maximum() {
    let (mut bench, mut random) = (FloatBench::new(fp32_min_max()), RandomOperands::new(7));
    for a in SPECIAL {
        SPECIAL.iter().for_each(|&b| check_min_max(&mut bench, [a, b]));
    }
    for i in 0..random_vectors() / 2 {
        let a = random.float();
        let b = if i % 2 == 0 { random.float() } else { random.near(a) };
        check_min_max(&mut bench, [a, b]);
    }
}

type OrderingRelation = fn(f32, f32) -> bool;

/// Each code with what it means.
const RELATIONS: [(Comparison, OrderingRelation); 14] = [
    (Comparison::Eq, |a, b| a == b),
    (Comparison::Ne, |a, b| a.partial_cmp(&b).is_some_and(|o| o.is_ne())),
    (Comparison::Lt, |a, b| a < b),
    (Comparison::Le, |a, b| a <= b),
    (Comparison::Gt, |a, b| a > b),
    (Comparison::Ge, |a, b| a >= b),
    (Comparison::Num, |a, b| !a.is_nan() && !b.is_nan()),
    (Comparison::Equ, |a, b| a.partial_cmp(&b).is_none_or(|o| o.is_eq())),
    (Comparison::Neu, |a, b| a != b),
    (Comparison::Ltu, |a, b| a.partial_cmp(&b).is_none_or(|o| o.is_lt())),
    (Comparison::Leu, |a, b| a.partial_cmp(&b).is_none_or(|o| o.is_le())),
    (Comparison::Gtu, |a, b| a.partial_cmp(&b).is_none_or(|o| o.is_gt())),
    (Comparison::Geu, |a, b| a.partial_cmp(&b).is_none_or(|o| o.is_ge())),
    (Comparison::Nan, |a, b| a.is_nan() || b.is_nan()),
];

fn check_compare(bench: &mut FloatBench<3, 1>, [a, b]: [u32; 2], which: usize) {
    let (code, relation) = RELATIONS[which];
    let holds = relation(f32::from_bits(a), f32::from_bits(b));
    bench.check([a, b, code as u32], [u32::from(holds)]);
}

#[test]
fn comparisons() {
    let (mut bench, mut random) = (FloatBench::new(fp32_compare()), RandomOperands::new(8));
    for a in SPECIAL {
        for b in SPECIAL {
            (0..RELATIONS.len()).for_each(|which| check_compare(&mut bench, [a, b], which));
        }
    }
    for i in 0..random_vectors() {
        let a = random.float();
        let b = if i % 2 == 0 { random.float() } else { random.near(a) };
        let which = random.below(RELATIONS.len() as u64) as usize;
        check_compare(&mut bench, [a, b], which);
    }
}
