//! Float PTX that is compiled to sequences: correctly rounded division, reciprocals and roots, approximations within
//! the bounds of the PTX manual.

use crate::ptx_lines::*;
use warpmesh::program::{Target, isa::Opcode, random::Random, special};

/// Floats where something changes, of both signs.
fn corners() -> Vec<u32> {
    let positive = [
        0,
        1,
        2,
        3,
        0x0040_0000,
        0x007f_fffe,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x0100_0000,
        0x3380_0000,
        0x3eff_ffff,
        0x3f00_0000,
        0x3f35_04f3,
        0x3f35_04f4,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3fff_ffff,
        0x4000_0000,
        0x4040_0000,
        0x4b00_0000,
        0x4b7f_ffff,
        0x4b80_0000,
        0x5f00_0000,
        0x5f7f_ffff,
        0x7e80_0000,
        0x7eff_ffff,
        0x7f00_0000,
        0x7f7f_fffe,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fff_ffff,
    ];
    positive.iter().flat_map(|&bits| [bits, bits | 1 << 31]).collect()
}

/// Pairs: all corners with each other, and `count` random ones of all magnitudes, among them quotients next to where
/// rounding changes.
fn pairs(count: usize) -> Vec<[u64; 3]> {
    let corners = corners();
    let mut all: Vec<[u64; 3]> =
        corners.iter().flat_map(|&a| corners.iter().map(move |&b| [a.into(), b.into(), 0])).collect();
    let mut random = Random::new(5);
    for i in 0..count {
        let [a, b] = [0, 1].map(|_| random.next_u64() as u32);
        let near = (f32::from_bits(a) * f32::from_bits(b)).to_bits();
        all.push(match i % 4 {
            0 => [a.into(), b.into(), 0],
            // A product divided by a factor: quotients that nearly are floats.
            1 => [near.wrapping_add(random.below(3) as u32).wrapping_sub(1).into(), b.into(), 0],
            // Quotients that are subnormal or nearly so.
            2 => [(a & 0x83ff_ffff).into(), (b & 0xbfff_ffff | 0x3e00_0000).into(), 0],
            // Subnormal divisors.
            _ => [(a & 0x9fff_ffff).into(), (b & 0x807f_ffff).into(), 0],
        });
    }
    all
}

const RESULT: &str = "mov.b32 r4, f4; cvt.u64.u32 d0, r4;";

fn flush(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// A core with special function units.
const SPECIAL: Target = Target { registers: 64, double: true, special: true, stack_bytes: 1024 };

fn exact(line: &str, inputs: &[[u64; 3]], expected: impl Fn(f32, f32) -> f32) {
    exact_for(Target::default(), line, inputs, expected);
}

fn exact_for(target: Target, line: &str, inputs: &[[u64; 3]], expected: impl Fn(f32, f32) -> f32) {
    let body = format!("{line} {RESULT}");
    for (input, found) in inputs.iter().zip(evaluate_for(target, &body, inputs)) {
        let [a, b] = [f(input[0]), f(input[1])];
        let expected = bits(expected(a, b));
        assert_eq!(
            found, expected,
            "{line}: {a:?} ({:#x}), {b:?} ({:#x}): {found:#x}, not {expected:#x}",
            input[0], input[1]
        );
    }
}

#[test]
fn quotients_are_correctly_rounded() {
    let inputs = pairs(400_000);
    exact("div.rn.f32 f4, f1, f2;", &inputs, |a, b| a / b);
    let some = &inputs[..20_000];
    exact("div.full.f32 f4, f1, f2;", some, |a, b| a / b);
    exact("div.approx.ftz.f32 f4, f1, f2;", some, |a, b| flush(flush(a) / flush(b)));
    exact("div.rn.f32 f4, f1, 0f40400000;", some, |a, _| a / 3.0);
    exact("div.f32 f4, f1, 0f00000003;", some, |a, _| a / f32::from_bits(3));
}

#[test]
fn reciprocals_are_correctly_rounded() {
    let inputs = pairs(200_000);
    exact("rcp.rn.f32 f4, f2;", &inputs, |_, b| 1.0 / b);
    exact("rcp.approx.ftz.f32 f4, f2;", &inputs[..20_000], |_, b| flush(1.0 / flush(b)));
    // All fractions of one exponent.
    let fractions: Vec<[u64; 3]> = (0..1u64 << 23).step_by(13).map(|n| [0, 0x3f80_0000 | n, 0]).collect();
    exact("rcp.rn.f32 f4, f2;", &fractions, |_, b| 1.0 / b);
}

#[test]
fn roots_are_correctly_rounded() {
    let inputs = pairs(200_000);
    exact("sqrt.rn.f32 f4, f1;", &inputs, |a, _| a.sqrt());
    exact("sqrt.approx.ftz.f32 f4, f1;", &inputs[..20_000], |a, _| flush(a).sqrt());
    // All fractions of two exponents.
    let fractions: Vec<[u64; 3]> = (0..1u64 << 24).step_by(23).map(|n| [0x3f80_0000 + n, 0, 0]).collect();
    exact("sqrt.rn.f32 f4, f1;", &fractions, |a, _| a.sqrt());
}

/// The largest error over inputs where `counts` says so; special results have to be the same.
fn largest(line: &str, inputs: &[f32], of: fn(f64) -> f64, error: impl Fn(f32, f64, f64) -> Option<f64>) -> f64 {
    largest_for(Target::default(), line, inputs, of, error)
}

fn largest_for(
    target: Target,
    line: &str,
    inputs: &[f32],
    of: fn(f64) -> f64,
    error: impl Fn(f32, f64, f64) -> Option<f64>,
) -> f64 {
    let words: Vec<[u64; 3]> = inputs.iter().map(|x| [x.to_bits().into(), 0, 0]).collect();
    let mut worst = 0.0;
    for (&x, found) in inputs.iter().zip(evaluate_for(target, &format!("{line} {RESULT}"), &words)) {
        let (found, exact) = (f(found), of(x.into()));
        if exact.is_nan() || found.is_nan() || (exact as f32).is_infinite() || exact == 0.0 {
            let same = found.is_nan() && exact.is_nan() || found == exact as f32;
            let near = (exact as f32).is_infinite() && found.abs() > 3.4e38;
            assert!(same || near, "{line} {x:?}: {found:?}, not {exact:?}");
            continue;
        }
        if let Some(error) = error(x, found.into(), exact) {
            worst = f64::max(worst, error);
        }
    }
    worst
}

/// Corners and random floats from `low` to `high`, evenly and by magnitude.
fn spread(low: f32, high: f32) -> Vec<f32> {
    let mut random = Random::new(11);
    let mut all: Vec<f32> = corners().iter().map(|&bits| f32::from_bits(bits)).collect();
    for _ in 0..100_000 {
        all.push(low + (high - low) * random.below(1 << 24) as f32 / (1 << 24) as f32);
        let x = f32::from_bits(random.next_u64() as u32);
        if (low..=high).contains(&x) {
            all.push(x);
        }
    }
    all
}

fn relative(_: f32, found: f64, exact: f64) -> Option<f64> {
    // Of subnormal results the last place counts.
    Some((found - exact).abs() / exact.abs().max(f32::MIN_POSITIVE.into()))
}

/// The measured largest errors, as docs/ptx.md has them; each is within the manual's bound.
#[test]
fn approximations_are_as_good_as_documented() {
    let check = |what: &str, found: f64, documented: f64, bound: f64| {
        println!("{what}: 2^{:.2}", found.log2());
        assert!(documented <= bound, "{what}: the manual asks for {bound:e}");
        assert!(found <= documented, "{what}: {found:e} (2^{:.2}) is more than documented", found.log2());
    };
    let power = |n: f64| n.exp2();
    check(
        "ex2",
        largest("ex2.approx.f32 f4, f1;", &spread(-152.0, 130.0), f64::exp2, relative),
        power(-22.9),
        power(-22.0),
    );
    let positive = spread(0.0, f32::MAX);
    check(
        "rsqrt",
        largest("rsqrt.approx.f32 f4, f1;", &positive, |x| 1.0 / x.sqrt(), relative),
        power(-23.1),
        power(-22.9),
    );
    let far = |x: f32, found, exact| if (0.5..2.0).contains(&x) { None } else { relative(x, found, exact) };
    check("lg2, relative", largest("lg2.approx.f32 f4, f1;", &positive, f64::log2, far), power(-22.5), power(-22.0));
    let near = |x: f32, found: f64, exact: f64| (0.5..2.0).contains(&x).then(|| (found - exact).abs());
    check(
        "lg2, near 1",
        largest("lg2.approx.f32 f4, f1;", &spread(0.5, 2.0), f64::log2, near),
        power(-22.5),
        power(-22.0),
    );
    let absolute = |x: f32, found: f64, exact: f64| (x.abs() < 2e6).then(|| (found - exact).abs());
    let angles = [spread(-6.4, 6.4), spread(-1e5, 1e5)].concat();
    let angle = |f: fn(f64) -> f64| f;
    for (line, of) in [("sin.approx.f32 f4, f1;", angle(f64::sin)), ("cos.approx.f32 f4, f1;", angle(f64::cos))] {
        let angles: Vec<f32> = angles.iter().copied().filter(|x| x.abs() < 2e6 || !x.is_finite()).collect();
        check(line, largest(line, &angles, of, absolute), power(-23.0), power(-20.5));
    }
    check(
        "tanh",
        largest("tanh.approx.f32 f4, f1;", &spread(-20.0, 20.0), f64::tanh, relative),
        power(-20.0),
        power(-11.0),
    );
}

/// With special function units: what is correctly rounded stays so, from another first guess.
#[test]
fn special_function_units_leave_exact_results_exact() {
    let inputs = pairs(200_000);
    exact_for(SPECIAL, "div.rn.f32 f4, f1, f2;", &inputs, |a, b| a / b);
    exact_for(SPECIAL, "sqrt.rn.f32 f4, f1;", &inputs, |a, _| a.sqrt());
    let fractions = |count: u64, step: usize| -> Vec<[u64; 3]> {
        (0..count).step_by(step).map(|n| [0x3f80_0000 + n, 0x3f80_0000 + n, 0]).collect()
    };
    exact_for(SPECIAL, "rcp.rn.f32 f4, f2;", &fractions(1 << 23, 11), |_, b| 1.0 / b);
    exact_for(SPECIAL, "sqrt.rn.f32 f4, f1;", &fractions(1 << 24, 19), |a, _| a.sqrt());
    let doubles: Vec<[u64; 3]> = inputs.iter().take(50_000).map(|[a, b, _]| [a << 32 | b, b << 32 | a, 0]).collect();
    let exact_double = |line: &str, of: fn(f64, f64) -> f64| {
        let body = format!("mov.b64 d4, d1; mov.b64 d5, d2; {line} mov.b64 d0, d6;");
        for (input, found) in doubles.iter().zip(evaluate_for(SPECIAL, &body, &doubles)) {
            let expected = of(f64::from_bits(input[0]), f64::from_bits(input[1]));
            let expected = if expected.is_nan() { u64::MAX >> 1 } else { expected.to_bits() };
            assert_eq!(found, expected, "{line} {input:x?}");
        }
    };
    exact_double("div.rn.f64 d6, d4, d5;", |a, b| a / b);
    exact_double("sqrt.rn.f64 d6, d4;", |a, _| a.sqrt());
}

/// The measured largest errors with special function units, as docs/ptx.md has them; each is within the manual's bound.
#[test]
fn special_functions_are_as_good_as_documented() {
    let check = |line: &str,
                 inputs: &[f32],
                 of: fn(f64) -> f64,
                 [documented, bound]: [f64; 2],
                 error: fn(f32, f64, f64) -> Option<f64>| {
        let found = largest_for(SPECIAL, &format!("{line} f4, f1;"), inputs, of, error);
        println!("{line}: 2^{:.2}", found.log2());
        assert!(documented <= bound && found <= documented.exp2(), "{line}: 2^{:.2}", found.log2());
    };
    let positive = spread(0.0, f32::MAX);
    check("rcp.approx.f32", &positive, |x| 1.0 / x, [-23.0, -23.0], relative);
    check("sqrt.approx.f32", &positive, f64::sqrt, [-23.5, -23.0], relative);
    check("rsqrt.approx.f32", &positive, |x| 1.0 / x.sqrt(), [-23.4, -22.9], relative);
    check("ex2.approx.f32", &spread(-152.0, 130.0), f64::exp2, [-22.9, -22.0], relative);
    check("lg2.approx.f32", &positive, f64::log2, [-22.9, -22.0], |x, found, exact| {
        if (0.5..2.0).contains(&x) { None } else { relative(x, found, exact) }
    });
    check("lg2.approx.f32", &spread(0.5, 2.0), f64::log2, [-22.9, -22.0], |x, found, exact| {
        (0.5..2.0).contains(&x).then(|| (found - exact).abs())
    });
    for (line, of) in [("sin.approx.f32", f64::sin as fn(f64) -> f64), ("cos.approx.f32", f64::cos)] {
        check(line, &spread(-3.2, 3.2), of, [-21.0, -20.5], |x, found, exact| {
            (x.abs() < 3.2).then(|| (found - exact).abs())
        });
    }
    check("tanh.approx.f32", &spread(-20.0, 20.0), f64::tanh, [-20.0, -11.0], relative);
    // Quotients: two last places.
    let inputs = pairs(100_000);
    for (line, full) in [("div.full.f32", true), ("div.approx.f32", false)] {
        for (input, found) in inputs.iter().zip(evaluate_for(SPECIAL, &format!("{line} f4, f1, f2; {RESULT}"), &inputs))
        {
            let [a, b] = [f(input[0]), f(input[1])];
            let (found, exact) = (f(found), a / b);
            if !full && !(1.2e-38..8.5e37).contains(&b.abs()) {
                continue;
            }
            let apart = i64::from(found.to_bits()) - i64::from(exact.to_bits());
            let same = found.is_nan() && exact.is_nan() || apart.abs() <= 2;
            assert!(same, "{line} {a:?} {b:?}: {found:?}, not {exact:?}");
        }
    }
    let some = &inputs[..20_000];
    // What is left out of flushing makes no difference.
    let function = |opcode: Opcode, x: f32| f32::from_bits(special::compute(opcode, x.to_bits()));
    exact_for(SPECIAL, "rcp.approx.ftz.f32 f4, f1;", some, |a, _| flush(function(Opcode::Rcp, flush(a))));
    exact_for(SPECIAL, "rsqrt.approx.ftz.f32 f4, f1;", some, |a, _| flush(function(Opcode::Rsq, flush(a))));
    exact_for(SPECIAL, "ex2.approx.ftz.f32 f4, f1;", some, |a, _| flush(function(Opcode::Ex2, flush(a))));
    exact_for(SPECIAL, "lg2.approx.ftz.f32 f4, f1;", some, |a, _| flush(function(Opcode::Lg2, flush(a))));
    let turns = |x: f32| flush(x) * (0.5 * std::f32::consts::FRAC_1_PI);
    exact_for(SPECIAL, "sin.approx.ftz.f32 f4, f1;", some, |a, _| flush(function(Opcode::Sin, turns(a))));
    exact_for(SPECIAL, "cos.approx.ftz.f32 f4, f1;", some, |a, _| flush(function(Opcode::Cos, turns(a))));
}

#[test]
fn signs_of_zero_and_flushes() {
    let inputs = pairs(20_000);
    let zero = |line: &str, of: fn(f32) -> f32| {
        exact(line, &inputs.iter().copied().filter(|i| f(i[0]) == 0.0).collect::<Vec<_>>(), |a, _| of(a));
    };
    zero("sin.approx.f32 f4, f1;", |x| x);
    zero("cos.approx.f32 f4, f1;", |_| 1.0);
    zero("sqrt.rn.f32 f4, f1;", |x| x);
    zero("rsqrt.approx.f32 f4, f1;", |x| 1.0 / x);
    zero("ex2.approx.f32 f4, f1;", |_| 1.0);
    zero("lg2.approx.f32 f4, f1;", |_| f32::NEG_INFINITY);
    zero("tanh.approx.f32 f4, f1;", |x| x);
    exact("add.ftz.f32 f4, f1, f2;", &inputs, |a, b| flush(flush(a) + flush(b)));
    exact("mul.rn.ftz.f32 f4, f1, f2;", &inputs, |a, b| flush(flush(a) * flush(b)));
    exact("fma.rn.ftz.f32 f4, f1, f2, f1;", &inputs, |a, b| flush(flush(a).mul_add(flush(b), flush(a))));
    exact("abs.ftz.f32 f4, f1; max.NaN.f32 f4, f4, f2;", &inputs, |a, b| match (flush(a).abs(), b) {
        (a, b) if a.is_nan() || b.is_nan() => f32::NAN,
        (a, b) => a.max(b),
    });
    let numbers: Vec<_> = inputs.into_iter().filter(|i| !f(i[1]).is_nan()).collect();
    exact("copysign.f32 f4, f1, f2;", &numbers, |a, b| b.copysign(a));
}

#[test]
fn kinds_of_floats() {
    let inputs = pairs(5000);
    type Kind = (&'static str, fn(f32) -> bool);
    let kinds: [Kind; 6] = [
        ("finite", f32::is_finite),
        ("infinite", f32::is_infinite),
        ("number", |x| !x.is_nan()),
        ("notanumber", f32::is_nan),
        ("normal", f32::is_normal),
        ("subnormal", f32::is_subnormal),
    ];
    for (kind, of) in kinds {
        let body = format!("testp.{kind}.f32 p1, f1; selp.u64 d0, 1, 0, p1;");
        for (input, found) in inputs.iter().zip(evaluate(&body, &inputs)) {
            assert_eq!(found, u64::from(of(f(input[0]))), "{kind} {:x}", input[0]);
        }
    }
}

#[test]
fn floats_and_integers_of_64_bits() {
    check(&[
        ("cvt.rn.f32.u64 f4, d1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| bits(a as f32)),
        ("cvt.rn.f32.s64 f4, d1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| bits(l(a) as f32)),
        // Halves between two floats, and one beside them.
        (
            "and.b64 d4, d1, 3; and.b64 d5, d2, 0xffffff; shl.b64 d5, d5, r3; add.s64 d4, d4, d5; cvt.rn.f32.u64 f4, d4; mov.b32 r4, f4; cvt.u64.u32 d0, r4;",
            |a, b, c| bits(((b & 0xff_ffff).checked_shl(w(c)).unwrap_or(0)).wrapping_add(a & 3) as f32),
        ),
    ]);
    let inputs = pairs(100_000);
    let nan = |x: f32, value: u64| if x.is_nan() { 1 << 63 } else { value };
    for (mode, round) in
        [("rni", f32::round_ties_even as fn(f32) -> f32), ("rzi", f32::trunc), ("rmi", f32::floor), ("rpi", f32::ceil)]
    {
        for (ty, convert) in [("u64", (|x| x as u64) as fn(f32) -> u64), ("s64", |x| x as i64 as u64)] {
            let body = format!("cvt.{mode}.{ty}.f32 d0, f1;");
            for (input, found) in inputs.iter().zip(evaluate(&body, &inputs)) {
                let x = f(input[0]);
                assert_eq!(found, nan(x, convert(round(x))), "{body} {x:?}");
            }
        }
    }
}
