//! Half precision and bfloat16 in PTX, against exact results rounded once.

use crate::ptx_lines::*;
use warpmesh::program::random::Random;

/// A format of 16 bits: bits of a significand, the exponent of the least number, what infinity is.
#[derive(Clone, Copy)]
struct ProgramHalvesFormat {
    digits: i32,
    least: i32,
    infinity: u64,
}

const HALF: ProgramHalvesFormat = ProgramHalvesFormat { digits: 11, least: -24, infinity: 0x7c00 };
const BRAIN: ProgramHalvesFormat = ProgramHalvesFormat { digits: 8, least: -133, infinity: 0x7f80 };

impl ProgramHalvesFormat {
    fn value(self, bits: u64) -> f64 {
        let (sign, magnitude) = (if bits & 0x8000 != 0 { -1.0 } else { 1.0 }, bits & 0x7fff);
        let fraction = magnitude & ((1 << (self.digits - 1)) - 1);
        let exponent = (magnitude >> (self.digits - 1)) as i32;
        sign * match () {
            () if magnitude > self.infinity => f64::NAN,
            () if magnitude == self.infinity => f64::INFINITY,
            () if exponent == 0 => fraction as f64 * 2f64.powi(self.least),
            () => (fraction + (1 << (self.digits - 1))) as f64 * 2f64.powi(self.least + exponent - 1),
        }
    }

    /// To nearest, of two the even one, or in a direction.
    fn rounded(self, x: f64, mode: &str) -> u64 {
        if x.is_nan() {
            return 0x7fff;
        }
        let (sign, a) = (if x.is_sign_negative() { 0x8000 } else { 0 }, x.abs());
        if a.is_infinite() || a == 0.0 {
            return sign | if a == 0.0 { 0 } else { self.infinity };
        }
        let exponent = (a.to_bits() >> 52) as i32 - 1023;
        let quantum = (exponent - self.digits + 1).max(self.least);
        let quanta = a / 2f64.powi(quantum);
        let away = match mode {
            "rm" => sign != 0,
            "rp" => sign == 0,
            _ => false,
        };
        let whole = match mode {
            "rn" => quanta.round_ties_even(),
            _ if away => quanta.ceil(),
            _ => quanta.floor(),
        };
        let bits = whole as u64 + (((quantum - self.least) as u64) << (self.digits - 1));
        let most = if mode == "rn" || away { self.infinity } else { self.infinity - 1 };
        sign | bits.min(most)
    }

    /// `a * b + c`: the product is exact, the sum rounded to odd.
    fn fused(self, [a, b, c]: [f64; 3]) -> u64 {
        let product = a * b;
        let sum = product + c;
        let of_c = sum - product;
        let error = (product - (sum - of_c)) + (c - of_c);
        if error == 0.0 || error.is_nan() {
            return self.rounded(sum, "rn");
        }
        let cut = if (error < 0.0) == (sum > 0.0) { sum.to_bits() - 1 } else { sum.to_bits() };
        self.rounded(f64::from_bits(cut | 1), "rn")
    }
}

/// Corners with each other, and random bits, also such whose sums cancel.
fn triples(format: ProgramHalvesFormat) -> Vec<[u64; 3]> {
    let top = format.infinity;
    let one = (15 << 10) * u64::from(format.digits == 11) + (127 << 7) * u64::from(format.digits == 8);
    let corners =
        [0, 1, 2, 0x7f, 0x80, 0x81, 0x3ff, 0x400, 0x401, one - 1, one, one + 1, one + 2, top - 1, top, top + 1];
    let corners: Vec<u64> = corners.into_iter().flat_map(|bits| [bits, bits | 0x8000]).collect();
    let mut all = vec![];
    for (i, &a) in corners.iter().enumerate() {
        for (j, &b) in corners.iter().enumerate() {
            all.push([a, b, corners[(7 * i + 3 * j) % corners.len()]]);
        }
    }
    let mut random = Random::new(11);
    for i in 0..60_000 {
        let [a, b, c] = [(); 3].map(|()| random.below(1 << 16));
        let product = format.rounded(format.value(a) * format.value(b), "rn") ^ 0x8000;
        all.push(match i % 3 {
            0 => [a, b, product.wrapping_add(random.below(3)) & 0xffff],
            // Magnitudes next to each other.
            1 => [a, a ^ random.below(0x400), b],
            _ => [a, b, c],
        });
    }
    all
}

const RESULT: &str = "cvt.u64.u16 d0, h4;";

fn exact(format: ProgramHalvesFormat, line: &str, expected: impl Fn([u64; 3]) -> u64) {
    let inputs = triples(format);
    for (input, found) in inputs.iter().zip(evaluate(&format!("{line} {RESULT}"), &inputs)) {
        let expected = expected(*input);
        assert_eq!(found, expected, "{line}: {input:x?}: {found:#x}, not {expected:#x}");
    }
}

/// The least or greatest of two, the negative zero the lesser.
fn extreme(a: f64, b: f64, most: bool) -> f64 {
    let first = a < b || a == b && a.is_sign_negative();
    match () {
        () if a.is_nan() => b,
        () if b.is_nan() => a,
        () if first != most => a,
        () => b,
    }
}

#[test]
fn arithmetic_is_correctly_rounded() {
    for (format, ty) in [(HALF, "f16"), (BRAIN, "bf16")] {
        let v = |bits| format.value(bits);
        let nearest = |x| format.rounded(x, "rn");
        exact(format, &format!("add.rn.{ty} h4, h1, h2;"), |[a, b, _]| nearest(v(a) + v(b)));
        exact(format, &format!("sub.{ty} h4, h1, h2;"), |[a, b, _]| nearest(v(a) - v(b)));
        exact(format, &format!("mul.{ty} h4, h1, h2;"), |[a, b, _]| nearest(v(a) * v(b)));
        exact(format, &format!("fma.rn.{ty} h4, h1, h2, h3;"), |input| format.fused(input.map(v)));
        exact(format, &format!("fma.rn.relu.{ty} h4, h1, h2, h3;"), |input| match format.fused(input.map(v)) {
            negative if negative >= 0x8000 => 0,
            other => other,
        });
        exact(format, &format!("min.{ty} h4, h1, h2;"), |[a, b, _]| nearest(extreme(v(a), v(b), false)));
        exact(format, &format!("max.{ty} h4, h1, h2;"), |[a, b, _]| nearest(extreme(v(a), v(b), true)));
        exact(format, &format!("max.NaN.{ty} h4, h1, h2;"), |[a, b, _]| match v(a).is_nan() || v(b).is_nan() {
            true => 0x7fff,
            false => nearest(extreme(v(a), v(b), true)),
        });
        exact(format, &format!("neg.{ty} h4, h1;"), |[a, ..]| a ^ 0x8000);
        exact(format, &format!("abs.{ty} h4, h1;"), |[a, ..]| a & 0x7fff);
    }
}

#[test]
fn subnormals_and_saturation() {
    let flushed = |bits: u64| if bits & 0x7c00 == 0 { bits & 0x8000 } else { bits };
    let v = |bits| HALF.value(flushed(bits));
    exact(HALF, "add.ftz.f16 h4, h1, h2;", |[a, b, _]| flushed(HALF.rounded(v(a) + v(b), "rn")));
    exact(HALF, "mul.ftz.f16 h4, h1, h2;", |[a, b, _]| flushed(HALF.rounded(v(a) * v(b), "rn")));
    exact(HALF, "abs.ftz.f16 h4, h1;", |[a, ..]| flushed(a) & 0x7fff);
    exact(HALF, "mul.sat.f16 h4, h1, h2;", |[a, b, _]| {
        let x = HALF.value(a) * HALF.value(b);
        HALF.rounded(if x > 0.0 { x.min(1.0) } else { 0.0 }, "rn")
    });
}

#[test]
fn two_numbers_of_a_word() {
    for (format, ty) in [(HALF, "f16x2"), (BRAIN, "bf16x2")] {
        let inputs: Vec<[u64; 3]> =
            triples(format).windows(2).map(|two| [0, 1, 2].map(|i| two[0][i] | two[1][i] << 16)).collect();
        let v = |bits: u64, lane: u32| format.value(bits >> (16 * lane) & 0xffff);
        let both = |of: &dyn Fn(u32) -> u64| of(0) | of(1) << 16;
        let found = evaluate(&format!("fma.rn.{ty} r4, r1, r2, r3; cvt.u64.u32 d0, r4;"), &inputs);
        for (input, found) in inputs.iter().zip(found) {
            assert_eq!(found, both(&|lane| format.fused(input.map(|bits| v(bits, lane)))), "{ty}: {input:x?}");
        }
        // A predicate for each, and with a third one.
        let line = format!(
            "setp.lt.u32 p3, r3, 0x70000000; setp.le.{ty} p1|p2, r1, r2; selp.b32 r4, 1, 0, p1; @p2 add.u32 r4, r4, 2;\
             setp.gtu.and.{ty} p3|p2, r1, r2, p3; @p3 add.u32 r4, r4, 4; @p2 add.u32 r4, r4, 8; cvt.u64.u32 d0, r4;"
        );
        for (input, found) in inputs.iter().zip(evaluate(&line, &inputs)) {
            let [a, b] = [0, 1].map(|lane| [v(input[0], lane), v(input[1], lane)]);
            let le = |[a, b]: [f64; 2]| u64::from(a <= b);
            let gtu = |[a, b]: [f64; 2]| u64::from((a > b || a.is_nan() || b.is_nan()) && input[2] < 0x7000_0000);
            assert_eq!(found, le(a) + 2 * le(b) + 4 * gtu(a) + 8 * gtu(b), "{ty}: {input:x?}");
        }
    }
}

#[test]
fn conversions() {
    for (format, ty) in [(HALF, "f16"), (BRAIN, "bf16")] {
        let v = |bits| format.value(bits);
        let float = |x: f64| bits(x as f32);
        let inputs = triples(format);
        for (input, found) in
            inputs.iter().zip(evaluate(&format!("cvt.f32.{ty} f4, h1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;"), &inputs))
        {
            // What is no number keeps its bits.
            assert!(
                v(input[0]).is_nan() && f(found).is_nan() || found == float(v(input[0])),
                "{ty}: {input:x?}: {found:#x}"
            );
        }
        exact(format, &format!("setp.ge.{ty} p1, h1, h2; selp.b16 h4, 1, 0, p1;"), |[a, b, _]| u64::from(v(a) >= v(b)));
        // Floats next to where rounding changes, and random ones.
        let mut random = Random::new(3);
        let mut floats: Vec<[u64; 3]> = vec![];
        for i in 0..40_000 {
            let near = (v(random.below(1 << 16)) as f32).to_bits() as u64;
            let half = 1 << if format.digits == 11 { 12 } else { 15 };
            let moved = near.wrapping_add(half * random.below(3)).wrapping_add(random.below(3)).wrapping_sub(1);
            let any = random.next_u64() & 0xffff_ffff;
            floats.push([if i % 4 == 0 { any } else { moved & 0xffff_ffff }, any.rotate_left(7) & 0xffff_ffff, 0]);
        }
        let modes = if format.digits == 11 { &["rn", "rz", "rm", "rp"][..] } else { &["rn", "rz"] };
        for mode in modes {
            let found = evaluate(&format!("cvt.{mode}.{ty}.f32 h4, f1; {RESULT}"), &floats);
            for (input, found) in floats.iter().zip(found) {
                assert_eq!(found, format.rounded(f(input[0]).into(), mode), "{mode} {ty}: {:#x}", input[0]);
            }
        }
        let found = evaluate(&format!("cvt.rn.relu.{ty}x2.f32 r4, f1, f2; cvt.u64.u32 d0, r4;"), &floats);
        for (input, found) in floats.iter().zip(found) {
            let [high, low] = [0, 1].map(|i| match format.rounded(f(input[i]).into(), "rn") {
                negative if negative >= 0x8000 => 0,
                other => other,
            });
            assert_eq!(found, low | high << 16, "{ty}x2: {input:x?}");
        }
    }
}

#[test]
fn integers_and_halves() {
    let cases: &[Case] = &[
        ("cvt.rn.f16.s32 h4, r1; cvt.u64.u16 d0, h4;", |a, _, _| HALF.rounded(s(a).into(), "rn")),
        ("cvt.rz.f16.u32 h4, r1; cvt.u64.u16 d0, h4;", |a, _, _| HALF.rounded(w(a).into(), "rz")),
        ("cvt.rp.f16.s16 h4, h1; cvt.u64.u16 d0, h4;", |a, _, _| HALF.rounded((a as i16).into(), "rp")),
        ("cvt.rm.f16.u8 h4, r1; cvt.u64.u16 d0, h4;", |a, _, _| HALF.rounded((a as u8).into(), "rm")),
    ];
    check(cases);
    let whole = |x: f64| if x.is_nan() { 0.0 } else { x };
    exact(HALF, "cvt.rzi.s16.f16 h4, h1;", |[a, ..]| (whole(HALF.value(a)) as i16) as u16 as u64);
    exact(HALF, "cvt.rni.u16.f16 h4, h1;", |[a, ..]| (whole(HALF.value(a)).round_ties_even() as u16).into());
    exact(HALF, "cvt.rmi.s32.f16 r4, h1; cvt.u16.u32 h4, r4;", |[a, ..]| {
        (whole(HALF.value(a)).floor() as i32) as u16 as u64
    });
    exact(HALF, "cvt.rpi.f16.f16 h4, h1;", |[a, ..]| HALF.rounded(HALF.value(a).ceil(), "rn"));
}
