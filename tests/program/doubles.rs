//! Double-precision PTX against Rust's `f64`: every form, on corners and random doubles.

use crate::ptx_lines;
use crate::ptx_lines::*;
use crate::support::{inputs_of, with_exponent};
use std::cmp::Ordering;
use warpmesh::program::{Target, compile, random::Random};

/// As the chip has it: one NaN.
fn whole(x: f64) -> u64 {
    if x.is_nan() { 0x7fff_ffff_ffff_ffff } else { x.to_bits() }
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Compares a line that reads `d1 d2 d3` and writes `d0`; `of` takes and gives bits.
fn same(line: &str, inputs: &[[u64; 3]], of: impl Fn([u64; 3]) -> u64) {
    for (input, found) in inputs.iter().zip(evaluate(line, inputs)) {
        let expected = of(*input);
        let [a, b, c] = input.map(d);
        assert_eq!(found, expected, "{line}: {input:x?} ({a:e} {b:e} {c:e}): {found:#x}, not {expected:#x}");
    }
}

/// The same with a double as result.
fn exact(line: &str, inputs: &[[u64; 3]], of: impl Fn(f64, f64, f64) -> f64) {
    same(line, inputs, |[a, b, c]| whole(of(d(a), d(b), d(c))));
}

#[test]
fn sums_and_products_are_those_of_the_host() {
    let inputs = inputs_of(30_000);
    exact("add.f64 d0, d1, d2;", &inputs, |a, b, _| a + b);
    exact("sub.rn.f64 d0, d1, d2;", &inputs, |a, b, _| a - b);
    exact("mul.rn.f64 d0, d1, d2;", &inputs, |a, b, _| a * b);
    exact("fma.rn.f64 d0, d1, d2, d3;", &inputs, |a, b, c| a.mul_add(b, c));
    exact("fma.rn.f64 d0, d1, d1, d3;", &inputs, |a, _, c| a.mul_add(a, c));
    let some = &inputs[..12_000];
    exact("mad.rn.f64 d0, d1, d2, d3;", some, |a, b, c| a.mul_add(b, c));
    // The destination is a source, constants, guards, results of which nobody reads one word.
    exact("mov.f64 d0, d3; fma.rn.f64 d0, d1, d2, d0;", some, |a, b, c| a.mul_add(b, c));
    exact("add.f64 d0, d1, 0d3FF8000000000000; mul.f64 d0, 0d4008000000000001, d0;", some, |a, _, _| {
        f64::from_bits(0x4008_0000_0000_0001) * (a + 1.5)
    });
    exact("neg.f64 d4, d2; fma.rn.f64 d0, d1, d4, 0d3FF0000000000000;", some, |a, b, _| a.mul_add(-b, 1.0));
    exact(
        "setp.lt.u64 p1, d1, d2; mov.f64 d0, d3; @p1 mul.f64 d0, d1, d2; @!p1 sub.f64 d0, d0, d1;",
        some,
        |a, b, c| {
            if a.to_bits() < b.to_bits() { a * b } else { c - a }
        },
    );
    same("mul.f64 d0, d1, d2; and.b64 d0, d0, 0xffffffff00000000;", some, |[a, b, _]| whole(d(a) * d(b)) >> 32 << 32);
    same("mul.f64 d0, d1, d2; and.b64 d0, d0, 0xffffffff;", some, |[a, b, _]| whole(d(a) * d(b)) & 0xffff_ffff);
    same("mul.f64 d4, d1, d2; mov.u64 d0, d3;", some, |[.., c]| c);
}

#[test]
fn quotients_and_roots_are_correctly_rounded() {
    let inputs = inputs_of(150_000);
    exact("div.rn.f64 d0, d1, d2;", &inputs, |a, b, _| a / b);
    exact("sqrt.rn.f64 d0, d1;", &inputs, |a, _, _| a.sqrt());
    let some = &inputs[..30_000];
    exact("rcp.rn.f64 d0, d2;", some, |_, b, _| 1.0 / b);
    exact("div.rn.f64 d0, d1, 0d4008000000000000;", some, |a, _, _| a / 3.0);
    // Roots next to squares.
    let mut random = Random::new(23);
    let squares: Vec<[u64; 3]> = (0..40_000)
        .map(|_| {
            let exponent = 512 + random.below(1000);
            let x = d(with_exponent(&mut random, exponent)).abs();
            [(x * x).to_bits().wrapping_add(random.below(5)).wrapping_sub(2), 0, 0]
        })
        .collect();
    exact("sqrt.rn.f64 d0, d1;", &squares, |a, _, _| a.sqrt());
    for (input, found) in some.iter().zip(evaluate("rsqrt.approx.f64 d0, d1;", some)) {
        let (found, exact) = (d(found), 1.0 / d(input[0]).sqrt());
        let same = found == exact || found.is_nan() && exact.is_nan();
        assert!(same || (found - exact).abs() <= exact * 3e-16, "{input:x?}: {found:e}, not {exact:e}");
    }
    let high = |x: f64| if x.is_subnormal() { 0f64.copysign(x) } else { d(x.to_bits() >> 32 << 32) };
    same("rcp.approx.ftz.f64 d0, d1;", some, |[a, ..]| high(d(whole(1.0 / high(d(a))))).to_bits());
}

#[test]
fn signs_extremes_and_kinds() {
    let inputs = inputs_of(6000);
    same("neg.f64 d0, d1;", &inputs, |[a, ..]| a ^ 1 << 63);
    same("abs.f64 d0, d1;", &inputs, |[a, ..]| a << 1 >> 1);
    same("copysign.f64 d0, d1, d2;", &inputs, |[a, b, _]| a >> 63 << 63 | b << 1 >> 1);
    let extreme = |a: f64, b: f64, least: bool| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b && a.is_sign_negative() == least || (a < b) == least && a != b => a,
        _ => b,
    };
    exact("min.f64 d0, d1, d2;", &inputs, |a, b, _| extreme(a, b, true));
    exact("max.f64 d0, d1, d2;", &inputs, |a, b, _| extreme(a, b, false));
    type Kind = (&'static str, fn(f64) -> bool);
    let kinds: [Kind; 6] = [
        ("finite", f64::is_finite),
        ("infinite", f64::is_infinite),
        ("number", |x| !x.is_nan()),
        ("notanumber", f64::is_nan),
        ("normal", f64::is_normal),
        ("subnormal", f64::is_subnormal),
    ];
    for (kind, of) in kinds {
        let line = format!("testp.{kind}.f64 p1, d1; selp.u64 d0, 1, 0, p1;");
        same(&line, &inputs, |[a, ..]| of(d(a)).into());
    }
    same("setp.lt.u64 p1, d2, d3; selp.f64 d0, d1, d2, p1;", &inputs, |[a, b, c]| if b < c { a } else { b });
    same("slct.f64.s32 d0, d1, d2, r3;", &inputs, |[a, b, c]| if s(c) >= 0 { a } else { b });
    same("slct.f64.f32 d0, d1, d2, f3;", &inputs, |[a, b, c]| if f(c) >= 0.0 { a } else { b });
}

#[test]
fn comparisons() {
    let inputs = inputs_of(3000);
    type Relation = (&'static str, fn(Option<Ordering>) -> bool);
    let relations: [Relation; 14] = [
        ("eq", |order| order.is_some_and(Ordering::is_eq)),
        ("ne", |order| order.is_some_and(Ordering::is_ne)),
        ("lt", |order| order.is_some_and(Ordering::is_lt)),
        ("le", |order| order.is_some_and(Ordering::is_le)),
        ("gt", |order| order.is_some_and(Ordering::is_gt)),
        ("ge", |order| order.is_some_and(Ordering::is_ge)),
        ("equ", |order| order.is_none_or(Ordering::is_eq)),
        ("neu", |order| order.is_none_or(Ordering::is_ne)),
        ("ltu", |order| order.is_none_or(Ordering::is_lt)),
        ("leu", |order| order.is_none_or(Ordering::is_le)),
        ("gtu", |order| order.is_none_or(Ordering::is_gt)),
        ("geu", |order| order.is_none_or(Ordering::is_ge)),
        ("num", |order| order.is_some()),
        ("nan", |order| order.is_none()),
    ];
    for (name, holds) in relations {
        let line = format!("setp.{name}.f64 p1, d1, d2; selp.u64 d0, 1, 0, p1;");
        same(&line, &inputs, |[a, b, _]| holds(d(a).partial_cmp(&d(b))).into());
        let line = format!(
            "setp.gt.s32 p2, r3, 0; setp.{name}.xor.f64 p1|p3, d1, d2, p2; selp.u64 d0, 1, 0, p1; @p3 or.b64 d0, d0, 2;"
        );
        same(&line, &inputs, |[a, b, c]| {
            let (is, other) = (holds(d(a).partial_cmp(&d(b))), s(c) > 0);
            u64::from(is ^ other) | u64::from(!is ^ other) << 1
        });
        let line = format!(
            "set.{name}.u32.f64 r4, d1, d2; set.{name}.f32.f64 f4, d1, d2; mov.b32 r5, f4; mov.b64 d0, {{r4, r5}};"
        );
        same(&line, &inputs, |[a, b, _]| if holds(d(a).partial_cmp(&d(b))) { 0x3f80_0000_ffff_ffff } else { 0 });
    }
}

#[test]
fn conversions_to_and_from_integers() {
    let mut inputs = inputs_of(12_000);
    // Halves and ends of all ranges.
    for bits in [0, 7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64] {
        let power = f64::from(bits).exp2();
        for away in [-1.5, -1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 1.5] {
            inputs.extend([power + away, -(power + away)].map(|x| [x.to_bits(), 0, 0]));
        }
    }
    type Round = (&'static str, fn(f64) -> f64);
    let modes: [Round; 4] =
        [("rni", f64::round_ties_even), ("rzi", f64::trunc), ("rmi", f64::floor), ("rpi", f64::ceil)];
    for (mode, round) in modes {
        exact(&format!("cvt.{mode}.f64.f64 d0, d1; add.f64 d0, d0, 0d8000000000000000;"), &inputs, |a, _, _| round(a));
        for bits in [8u32, 16, 32, 64] {
            for signed in [false, true] {
                let ty = format!("{}{bits}", if signed { 's' } else { 'u' });
                let line = format!("cvt.{mode}.{ty}.f64 d0, d1;");
                let narrow = format!("cvt.{mode}.{ty}.f64 r4, d1; cvt.{0}64.{0}32 d0, r4;", &ty[..1]);
                same(if bits == 64 { &line } else { &narrow }, &inputs, |[a, ..]| {
                    let x = round(d(a));
                    match (x.is_nan(), signed) {
                        (true, false) => 1 << (bits - 1),
                        (true, true) => (-1i64 << (bits - 1)) as u64,
                        (_, false) => (x as u64).min(u64::MAX >> (64 - bits)),
                        (_, true) => (x as i64).clamp(-1 << (bits - 1), i64::MAX >> (64 - bits)) as u64,
                    }
                });
            }
        }
    }
    type Convert = (&'static str, fn(u64) -> f64);
    let sources: [Convert; 8] = [
        ("u64 d0, d1", |a| a as f64),
        ("s64 d0, d1", |a| a as i64 as f64),
        ("u32 d0, r1", |a| f64::from(a as u32)),
        ("s32 d0, r1", |a| f64::from(a as i32)),
        ("u16 d0, h1", |a| f64::from(a as u16)),
        ("s16 d0, h1", |a| f64::from(a as i16)),
        ("u8 d0, r1", |a| f64::from(a as u8)),
        ("s8 d0, r1", |a| f64::from(a as i8)),
    ];
    let integers: Vec<[u64; 3]> = ptx_lines::inputs().into_iter().chain(inputs).collect();
    for (operands, of) in sources {
        same(&format!("cvt.rn.f64.{operands};"), &integers, |[a, ..]| of(a).to_bits());
        same(&format!("cvt.rn.sat.f64.{operands};"), &integers[..500], |[a, ..]| of(a).clamp(0.0, 1.0).to_bits());
    }
}

#[test]
fn conversions_to_and_from_floats() {
    let mut inputs = inputs_of(30_000);
    // Halves between floats, and next to them, also between subnormal ones.
    let mut random = Random::new(31);
    for _ in 0..30_000 {
        let exponent = if random.below(2) == 0 { 870 + random.below(30) } else { 890 + random.below(270) };
        let x = with_exponent(&mut random, exponent);
        let places = 29 + 897u64.saturating_sub(exponent).min(24);
        let half = x >> places << places | 1 << (places - 1);
        inputs.push([half.wrapping_add(random.below(3)).wrapping_sub(1), random.next_u64(), 0]);
    }
    let low = "mov.b32 r4, f4; cvt.u64.u32 d0, r4;";
    same(&format!("cvt.rn.f32.f64 f4, d1; {low}"), &inputs, |[a, ..]| bits(d(a) as f32));
    let flush = |x: f32| if x.is_subnormal() { 0f32.copysign(x) } else { x };
    same(&format!("cvt.rn.ftz.f32.f64 f4, d1; {low}"), &inputs, |[a, ..]| bits(flush(d(a) as f32)));
    let directed = |x: f64, mode: &str| {
        let near = x as f32;
        let wrong = match mode {
            "rm" => f64::from(near) > x,
            "rp" => f64::from(near) < x,
            _ => f64::from(near).abs() > x.abs(),
        };
        match (wrong, mode, x > 0.0) {
            (false, ..) => near,
            (_, "rm", _) | (_, "rz", true) => near.next_down(),
            _ => near.next_up(),
        }
    };
    for mode in ["rz", "rm", "rp"] {
        same(&format!("cvt.{mode}.f32.f64 f4, d1; {low}"), &inputs, |[a, ..]| {
            // A step from zero has the sign of zero in Rust only when it ends there.
            let x = directed(d(a), mode);
            bits(if x == 0.0 { 0f32.copysign(d(a) as f32) } else { x })
        });
    }
    let floats: Vec<[u64; 3]> = inputs.iter().map(|&[a, b, _]| [if a % 2 == 0 { a >> 32 } else { b }, 0, 0]).collect();
    same("cvt.f64.f32 d0, f1;", &floats, |[a, ..]| whole(f(a).into()));
    same("cvt.ftz.f64.f32 d0, f1;", &floats, |[a, ..]| whole(flush(f(a)).into()));
    exact("cvt.sat.f64.f64 d0, d1;", &inputs[..9000], |a, _, _| if a > 0.0 { a.min(1.0) } else { 0.0 });
}

#[test]
fn without_a_unit_a_kernel_is_refused_with_the_key() {
    let source = |line: &str| {
        format!(
            ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .f64 d<4>;\n.reg .pred p<2>;\n{line}\nret;\n}}\n"
        )
    };
    for line in ["add.f64 d1, d2, d3;", "setp.lt.f64 p1, d1, d2;", "sqrt.rn.f64 d1, d2;"] {
        let error = compile(&source(line), "k.ptx", None, &Target::default()).expect_err(line);
        let text = error.to_string();
        assert!(text.starts_with("k.ptx:8:") && text.contains("core.double"), "{text}");
    }
    // What only moves or changes signs needs none.
    let line = "neg.f64 d1, d2; abs.f64 d2, d3; mov.f64 d0, 0d3FF0000000000000;";
    compile(&source(line), "k.ptx", None, &Target::default()).unwrap_or_else(|error| panic!("{error}"));
}
