//! Add, multiply, fused multiply-add, integer multiply.

use super::{
    harness::{FloatBench, bits, random_vectors},
    vectors::{RandomOperands, SPECIAL},
};
use blocks::{fp32_add, fp32_fma, fp32_mul, multiply32};

fn f(word: u32) -> f32 {
    f32::from_bits(word)
}

fn check_fma(bench: &mut FloatBench<3, 1>, [a, b, c]: [u32; 3]) {
    bench.check([a, b, c], [bits(f(a).mul_add(f(b), f(c)))]);
}

#[test]
fn fma_on_all_special_triples() {
    let mut bench = FloatBench::new(fp32_fma(0));
    for a in SPECIAL {
        for b in SPECIAL {
            for c in SPECIAL {
                check_fma(&mut bench, [a, b, c]);
            }
        }
    }
}

#[test]
fn fma_on_random_vectors() {
    let (mut bench, mut random) = (FloatBench::new(fp32_fma(0)), RandomOperands::new(1));
    for i in 0..random_vectors() {
        let (a, b) = (random.float(), random.float());
        // Every other addend lies near the product, where bits cancel and the window's ends are reached.
        let c = if i % 2 == 0 { random.float() } else { random.near((f(a) * f(b)).to_bits()) };
        check_fma(&mut bench, [a, b, c]);
    }
}

#[test]
fn add_on_all_special_pairs() {
    let mut bench = FloatBench::new(fp32_add());
    for a in SPECIAL {
        for b in SPECIAL {
            bench.check([a, b], [bits(f(a) + f(b))]);
        }
    }
}

#[test]
fn add_on_random_vectors() {
    let (mut bench, mut random) = (FloatBench::new(fp32_add()), RandomOperands::new(2));
    for i in 0..random_vectors() {
        let a = random.float();
        let b = if i % 2 == 0 { random.float() } else { random.near(a) };
        bench.check([a, b], [bits(f(a) + f(b))]);
    }
}

#[test]
fn mul_on_all_special_pairs() {
    let mut bench = FloatBench::new(fp32_mul());
    for a in SPECIAL {
        for b in SPECIAL {
            bench.check([a, b], [bits(f(a) * f(b))]);
        }
    }
}

#[test]
fn mul_on_random_vectors() {
    let (mut bench, mut random) = (FloatBench::new(fp32_mul()), RandomOperands::new(3));
    for i in 0..random_vectors() {
        let a = random.float();
        let b = match i % 4 {
            0 => random.float(),
            // Products around the smallest subnormal and around overflow.
            1 => {
                let exponent = 104 + random.below(48) as i64 - i64::from(a >> 23 & 255);
                random.with_exponent(exponent)
            }
            2 => {
                let exponent = 379 + random.below(4) as i64 - i64::from(a >> 23 & 255);
                random.with_exponent(exponent)
            }
            _ => random.near(a),
        };
        bench.check([a, b], [bits(f(a) * f(b))]);
    }
}

fn check_multiply(bench: &mut FloatBench<4, 2>, [a, b, c]: [u32; 3]) {
    let unsigned = u128::from(a) * u128::from(b) + u128::from(c);
    let signed = i128::from(a as i32) * i128::from(b as i32) + i128::from(c);
    bench.check([a, b, c, 0], [unsigned as u32, (unsigned >> 32) as u32]);
    bench.check([a, b, c, 1], [signed as u32, (signed >> 32) as u32]);
}

#[test]
fn integer_products() {
    let (mut bench, mut random) = (FloatBench::new(multiply32(0)), RandomOperands::new(4));
    let corners = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff, 0x0001_0000, 0xffff];
    for a in corners {
        for &b in &corners {
            corners.iter().for_each(|&c| check_multiply(&mut bench, [a, b, c]));
        }
    }
    for _ in 0..random_vectors() {
        let [a, b, c] =
            [random.next_u64() as u32 >> random.below(32), random.next_u64() as u32, random.next_u64() as u32];
        check_multiply(&mut bench, [a, b, c]);
    }
}
