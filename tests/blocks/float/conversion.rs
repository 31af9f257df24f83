//! Conversions to and from integers.

use super::{
    harness::{FloatBench, bits, random_vectors},
    vectors::{RandomOperands, SPECIAL},
};
use blocks::{fp32_from_integer, fp32_to_integer};

fn check_from(bench: &mut FloatBench<2, 1>, value: u32) {
    bench.check([value, 0], [bits(value as f32)]);
    bench.check([value, 1], [bits(value as i32 as f32)]);
}

#[test]
fn from_integers() {
    let (mut bench, mut random) = (FloatBench::new(fp32_from_integer(0)), RandomOperands::new(5));
    for place in 0..32 {
        // Around each power of two, and the ties of each length.
        for offset in 0..8 {
            check_from(&mut bench, (1u32 << place).wrapping_add(offset).wrapping_sub(4));
            check_from(&mut bench, (3u32 << place).wrapping_sub(offset));
            check_from(&mut bench, (0x0100_0001u32 << place).wrapping_add(offset));
        }
    }
    for _ in 0..random_vectors() / 2 {
        check_from(&mut bench, random.next_u64() as u32 >> random.below(32));
    }
}

fn check_to(bench: &mut FloatBench<3, 1>, word: u32) {
    let a = f32::from_bits(word);
    let even = a.round_ties_even();
    bench.check([word, 0, 0], [a as u32]);
    bench.check([word, 1, 0], [a as i32 as u32]);
    bench.check([word, 0, 1], [even as u32]);
    bench.check([word, 1, 1], [even as i32 as u32]);
}

#[test]
fn to_integers() {
    let (mut bench, mut random) = (FloatBench::new(fp32_to_integer(0)), RandomOperands::new(6));
    SPECIAL.iter().for_each(|&word| check_to(&mut bench, word));
    for half in 0..40 {
        // Halves and their neighbours, where the two roundings differ.
        let word = (half as f32 / 2.0).to_bits();
        for w in [word, word.wrapping_add(1), word.wrapping_sub(1), word ^ 1 << 31] {
            check_to(&mut bench, w);
        }
    }
    for i in 0..random_vectors() / 4 {
        let exponent = 120 + random.below(44) as i64;
        let word = if i % 4 == 0 { random.float() } else { random.with_exponent(exponent) };
        check_to(&mut bench, word);
    }
}
