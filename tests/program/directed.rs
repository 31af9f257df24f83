//! Rounding toward zero, down and up against LLVM's software floats, bit for bit.

use crate::{
    ptx_lines::evaluate,
    support::{inputs_of, with_exponent},
};
use rustc_apfloat::{
    Float, Round,
    ieee::{Double, Quad, Single},
};
use std::cmp::Ordering;
use warpmesh::program::random::Random;

const MODES: [(&str, Round); 3] =
    [("rz", Round::TowardZero), ("rm", Round::TowardNegative), ("rp", Round::TowardPositive)];

/// The one NaN of the chip.
fn bits<F: Float>(x: F, nan: u64) -> u64 {
    if x.is_nan() { nan } else { x.to_bits() as u64 }
}

fn single(bits: u64) -> Single {
    Single::from_bits(u128::from(bits as u32))
}

fn double(bits: u64) -> Double {
    Double::from_bits(bits.into())
}

fn compare<F: Float>(line: &str, inputs: &[[u64; 3]], of: impl Fn([F; 3]) -> F, from: fn(u64) -> F) {
    let nan = if F::BITS == 32 { 0x7fff_ffff } else { 0x7fff_ffff_ffff_ffff };
    for (input, found) in inputs.iter().zip(evaluate(line, inputs)) {
        let expected = bits(of(input.map(from)), nan);
        assert_eq!(found, expected, "{line}: {input:x?}: {found:#x}, not {expected:#x}");
    }
}

fn singles(line: &str, inputs: &[[u64; 3]], of: impl Fn([Single; 3]) -> Single) {
    compare(&format!("{line} mov.b32 r4, f4; cvt.u64.u32 d0, r4;"), inputs, of, single);
}

/// Triples of floats: corners with each other, random ones of all exponents, and sums that nearly vanish, of all
/// magnitudes.
fn single_inputs(count: usize) -> Vec<[u64; 3]> {
    let corners = [
        0u32,
        1,
        2,
        3,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x1a00_0001,
        0x2540_0000,
        0x337f_ffff,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x5f7f_ffff,
        0x7e80_0000,
        0x7f00_0000,
        0x7f7f_fffe,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7fff_ffff,
    ];
    let signed = || corners.iter().flat_map(|&bits| [bits, bits | 1 << 31]);
    let mut all = vec![];
    for a in signed() {
        for b in signed() {
            all.extend(corners.iter().step_by(3).map(|&c| [a, b, c ^ (a ^ b) << 31].map(u64::from)));
        }
    }
    let mut random = Random::new(77);
    for i in 0..count {
        let [a, b, c] = [0; 3].map(|_| random.next_u64() as u32);
        let near =
            |exact: f32, random: &mut Random| exact.to_bits().wrapping_add(random.below(5) as u32).wrapping_sub(2);
        let [x, y] = [a, b].map(f32::from_bits);
        let c = match i % 6 {
            0 => c,
            // The product and its negation, nearly.
            1 => near(-(x * y), &mut random),
            2 => near(x * y, &mut random) & 0xff80_0000,
            // Far below and above.
            3 => c & 0x83ff_ffff,
            4 => (x * y).to_bits().wrapping_sub(24 << 23),
            _ => (x * y).to_bits().wrapping_add(24 << 23),
        };
        let [a, b] = match i % 7 {
            0 => [a & 0x8000_ffff, b],
            1 => [a, near(x, &mut random) ^ 1 << 31],
            2 => [a & 0x9fff_ffff, b & 0x9fff_ffff],
            3 => [a & 0xffff_f000, b & 0xffff_f000],
            _ => [a, b],
        };
        all.push([a, b, c].map(u64::from));
    }
    all
}

/// As [`inputs_of`], and sums that nearly vanish.
fn double_inputs(count: usize) -> Vec<[u64; 3]> {
    let mut all = inputs_of(count);
    let mut random = Random::new(78);
    for i in 0..count {
        let [a, b] = [0; 2].map(|_| {
            let exponent = random.below(2047);
            with_exponent(&mut random, exponent)
        });
        let product = f64::from_bits(a) * f64::from_bits(b);
        let near = |x: f64, random: &mut Random| x.to_bits().wrapping_add(random.below(5)).wrapping_sub(2);
        let c = match i % 4 {
            0 => near(-product, &mut random),
            1 => product.to_bits().wrapping_sub(53 << 52),
            2 => product.to_bits().wrapping_add(53 << 52),
            _ => near(-product, &mut random) & !0xffff_ffff,
        };
        let b = if i % 5 == 0 { near(-f64::from_bits(a), &mut random) } else { b };
        all.push([a, b, c]);
    }
    all
}

#[test]
fn floats() {
    let inputs = single_inputs(60_000);
    let some = &inputs[inputs.len() - 20_000..];
    for (mode, round) in MODES {
        singles(&format!("add.{mode}.f32 f4, f1, f2;"), &inputs, |[a, b, _]| a.add_r(b, round).value);
        singles(&format!("sub.{mode}.f32 f4, f1, f2;"), some, |[a, b, _]| a.sub_r(b, round).value);
        singles(&format!("mul.{mode}.f32 f4, f1, f2;"), &inputs, |[a, b, _]| a.mul_r(b, round).value);
        singles(&format!("fma.{mode}.f32 f4, f1, f2, f3;"), &inputs, |[a, b, c]| a.mul_add_r(b, c, round).value);
        singles(&format!("mad.{mode}.f32 f4, f2, f3, f1;"), some, |[a, b, c]| b.mul_add_r(c, a, round).value);
        singles(&format!("div.{mode}.f32 f4, f1, f2;"), &inputs, |[a, b, _]| a.div_r(b, round).value);
        let one = single(0x3f80_0000);
        singles(&format!("rcp.{mode}.f32 f4, f2;"), some, |[_, b, _]| one.div_r(b, round).value);
        singles(&format!("sqrt.{mode}.f32 f4, f1;"), &inputs, |[a, ..]| {
            let near = f32::from_bits(a.to_bits() as u32).sqrt();
            let back = f64::from(near) * f64::from(near);
            let order = back.partial_cmp(&f64::from(f32::from_bits(a.to_bits() as u32)));
            single(root(u64::from(near.to_bits()), order, round))
        });
    }
    // Flushed and clamped.
    let flush = |x: Single| if x.is_denormal() { single((x.to_bits() as u64) >> 31 << 31) } else { x };
    singles("mul.rp.ftz.f32 f4, f1, f2;", some, |[a, b, _]| {
        flush(flush(a).mul_r(flush(b), Round::TowardPositive).value)
    });
    singles("fma.rz.sat.f32 f4, f1, f2, f3;", some, |[a, b, c]| {
        let exact = a.mul_add_r(b, c, Round::TowardZero).value;
        let (zero, one) = (single(0), single(0x3f80_0000));
        if exact > one {
            one
        } else if exact > zero {
            exact
        } else {
            zero
        }
    });
}

/// A root from the nearest one and how its square compares with what it is of.
fn root(near: u64, order: Option<Ordering>, round: Round) -> u64 {
    match (order, round) {
        (Some(Ordering::Greater), Round::TowardZero | Round::TowardNegative) => near - 1,
        (Some(Ordering::Less), Round::TowardPositive) => near + 1,
        _ => near,
    }
}

#[test]
fn doubles() {
    let inputs = double_inputs(15_000);
    let some = &inputs[inputs.len() - 6_000..];
    let check =
        |line: String, inputs: &[[u64; 3]], of: &dyn Fn([Double; 3]) -> Double| compare(&line, inputs, of, double);
    for (mode, round) in MODES {
        check(format!("add.{mode}.f64 d0, d1, d2;"), &inputs, &|[a, b, _]| a.add_r(b, round).value);
        check(format!("sub.{mode}.f64 d0, d1, d2;"), some, &|[a, b, _]| a.sub_r(b, round).value);
        check(format!("mul.{mode}.f64 d0, d1, d2;"), &inputs, &|[a, b, _]| a.mul_r(b, round).value);
        check(format!("fma.{mode}.f64 d0, d1, d2, d3;"), &inputs, &|[a, b, c]| a.mul_add_r(b, c, round).value);
        check(format!("div.{mode}.f64 d0, d1, d2;"), &inputs, &|[a, b, _]| a.div_r(b, round).value);
        let one = double(1f64.to_bits());
        check(format!("rcp.{mode}.f64 d0, d2;"), some, &|[_, b, _]| one.div_r(b, round).value);
        check(format!("sqrt.{mode}.f64 d0, d1;"), &inputs, &|[a, ..]| {
            let near = f64::from_bits(a.to_bits() as u64).sqrt();
            let quad = |x: f64| {
                let mut loses = false;
                let wide: Quad = rustc_apfloat::FloatConvert::convert(double(x.to_bits()), &mut loses).value;
                wide
            };
            let back = (quad(near) * quad(near)).value;
            double(root(near.to_bits(), back.partial_cmp(&quad(f64::from_bits(a.to_bits() as u64))), round))
        });
    }
}

#[test]
fn integers() {
    let mut random = Random::new(79);
    let mut inputs: Vec<[u64; 3]> = vec![];
    for shift in 0..64 {
        for step in [0u64, 1, 2, 0u64.wrapping_sub(1)] {
            inputs.extend([1u64 << shift, (1u64 << shift).wrapping_neg()].map(|x| [x.wrapping_add(step), 0, 0]));
        }
        inputs.extend((0..40).map(|_| [random.next_u64() >> shift, 0, 0]));
    }
    for (mode, round) in MODES {
        for ty in ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] {
            let value = |bits: u64| match ty {
                "u8" => i128::from(bits as u8),
                "s8" => i128::from(bits as i8),
                "u16" => i128::from(bits as u16),
                "s16" => i128::from(bits as i16),
                "u32" => i128::from(bits as u32),
                "s32" => i128::from(bits as i32),
                "s64" => i128::from(bits as i64),
                _ => i128::from(bits),
            };
            let lines = [("f32", "f4", "mov.b32 r4, f4; cvt.u64.u32 d0, r4;"), ("f64", "d0", "")];
            for (float, to, then) in lines {
                let from = if ty.ends_with("64") { "d1" } else { "r1" };
                let line = format!("cvt.{mode}.{float}.{ty} {to}, {from}; {then}");
                for ([bits, ..], found) in inputs.iter().zip(evaluate(&line, &inputs)) {
                    let value = value(*bits);
                    let expected = if float == "f32" {
                        Single::from_i128_r(value, round).value.to_bits()
                    } else {
                        Double::from_i128_r(value, round).value.to_bits()
                    };
                    assert_eq!(found, expected as u64, "{line}: {value}");
                }
            }
        }
    }
}
