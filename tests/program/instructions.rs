//! Each PTX instruction against the same computation in Rust, on corner cases and random values, through compiler and
//! emulator.

use crate::ptx_lines::*;
use warpmesh::program::random::Random;

#[test]
fn integers_of_64_bits() {
    check(&[
        ("add.s64 d0, d1, d2;", |a, b, _| a.wrapping_add(b)),
        ("sub.u64 d0, d1, d2;", |a, b, _| a.wrapping_sub(b)),
        ("mul.lo.s64 d0, d1, d2;", |a, b, _| a.wrapping_mul(b)),
        ("mad.lo.u64 d0, d1, d2, d3;", |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
        ("and.b64 d0, d1, d2;", |a, b, _| a & b),
        ("or.b64 d0, d1, d2;", |a, b, _| a | b),
        ("xor.b64 d0, d1, -2;", |a, _, _| a ^ !1),
        ("not.b64 d0, d1;", |a, _, _| !a),
        ("neg.s64 d0, d1;", |a, _, _| a.wrapping_neg()),
        ("abs.s64 d0, d1;", |a, _, _| l(a).wrapping_abs() as u64),
        ("min.s64 d0, d1, d2;", |a, b, _| l(a).min(l(b)) as u64),
        ("max.u64 d0, d1, d2;", |a, b, _| a.max(b)),
        ("shl.b64 d0, d1, r2;", |a, b, _| a.checked_shl(w(b)).unwrap_or(0)),
        ("shr.u64 d0, d1, r2;", |a, b, _| a.checked_shr(w(b)).unwrap_or(0)),
        ("shr.s64 d0, d1, r2;", |a, b, _| (l(a) >> w(b).min(63)) as u64),
        ("shl.b64 d0, d1, 3;", |a, _, _| a << 3),
        ("shl.b64 d0, d1, 40;", |a, _, _| a << 40),
        ("shr.s64 d0, d1, 33;", |a, _, _| (l(a) >> 33) as u64),
        ("shr.u64 d0, d1, 32;", |a, _, _| a >> 32),
        ("mul.wide.u32 d0, r1, r2;", |a, b, _| u64::from(w(a)) * u64::from(w(b))),
        ("mul.wide.s32 d0, r1, r2;", |a, b, _| (i64::from(s(a)) * i64::from(s(b))) as u64),
        ("mul.wide.s32 d0, r1, 4;", |a, _, _| (i64::from(s(a)) * 4) as u64),
        ("mul.wide.s32 d0, r1, -12;", |a, _, _| (i64::from(s(a)) * -12) as u64),
        ("mad.wide.s32 d0, r1, r2, d3;", |a, b, c| (i64::from(s(a)) * i64::from(s(b))).wrapping_add(l(c)) as u64),
        ("mad.wide.u32 d0, r1, 8, d3;", |a, _, c| (u64::from(w(a)) * 8).wrapping_add(c)),
        ("add.s64 d1, d1, d1; add.s64 d0, d1, 5;", |a, _, _| a.wrapping_mul(2).wrapping_add(5)),
        ("mov.b64 {r4, r5}, d1; mov.b64 d0, {r5, r4};", |a, _, _| a.rotate_left(32)),
    ]);
}

#[test]
fn comparisons() {
    check(&[
        ("setp.lt.s64 p1, d1, d2; selp.u64 d0, 1, 0, p1;", |a, b, _| (l(a) < l(b)).into()),
        ("setp.le.u64 p1, d1, d2; selp.u64 d0, 1, 0, p1;", |a, b, _| (a <= b).into()),
        ("setp.gt.s64 p1, d1, d2; selp.b64 d0, d3, 0, p1;", |a, b, c| if l(a) > l(b) { c } else { 0 }),
        ("setp.ge.s64 p1, d1, -5; selp.u64 d0, 1, 0, p1;", |a, _, _| (l(a) >= -5).into()),
        ("setp.eq.b64 p1, d1, d2; selp.u64 d0, 1, 0, p1;", |a, b, _| (a == b).into()),
        ("setp.ne.s64 p1, d1, d2; selp.u64 d0, 1, 0, p1;", |a, b, _| (a != b).into()),
        ("setp.hi.u32 p1, r1, r2; selp.u64 d0, 1, 0, p1;", |a, b, _| (w(a) > w(b)).into()),
        ("setp.lt.s32 p1, 7, r1; selp.u64 d0, 1, 0, p1;", |a, _, _| (7 < s(a)).into()),
        ("setp.lt.s16 p1, h1, h2; selp.u64 d0, 1, 0, p1;", |a, b, _| ((a as i16) < b as i16).into()),
        ("setp.ge.u16 p1, h1, 40000; selp.u64 d0, 1, 0, p1;", |a, _, _| (a as u16 >= 40000).into()),
        (
            "setp.lt.u32 p2, r3, 100; setp.ge.and.s32 p1|p3, r1, r2, !p2; selp.u32 r4, 1, 0, p1; selp.u32 r5, 2, 0, p3; \
             add.u32 r4, r4, r5; cvt.u64.u32 d0, r4;",
            |a, b, c| {
                let (compare, other) = (s(a) >= s(b), w(c) >= 100);
                u64::from(compare & other) + 2 * u64::from(!compare & other)
            },
        ),
        ("setp.eq.s32 p1, r1, r2; setp.gt.xor.u32 p1, r1, r3, p1; selp.u64 d0, 1, 0, p1;", |a, b, c| {
            ((w(a) > w(c)) ^ (w(a) == w(b))).into()
        }),
        (
            "setp.lt.f32 p1, f1, f2; setp.neu.f32 p2, f1, f2; setp.nan.f32 p3, f1, f2; setp.geu.or.f32 p4, f1, f3, p1; \
             xor.pred p5, p2, p3; and.pred p6, p4, p5; not.pred p7, p6; selp.u64 d0, 1, 0, p7;",
            |a, b, c| {
                let [a, b, c] = [a, b, c].map(|x| f32::from_bits(x as u32));
                let (lt, neu, nan) = (a < b, a != b, a.is_nan() || b.is_nan());
                let geu = a >= c || a.is_nan() || c.is_nan();
                (!((geu || lt) && (neu ^ nan))).into()
            },
        ),
    ]);
}

#[test]
fn integers_of_32_bits() {
    check(&[
        ("mul.hi.u32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| (u64::from(w(a)) * u64::from(w(b))) >> 32),
        ("mul.hi.s32 r4, r1, r2; cvt.s64.s32 d0, r4;", |a, b, _| ((i64::from(s(a)) * i64::from(s(b))) >> 32) as u64),
        ("mul24.lo.s32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| {
            ((s(a) << 8 >> 8).wrapping_mul(s(b) << 8 >> 8) as u32).into()
        }),
        ("mad.lo.s32 r4, r1, 12, 7; cvt.u64.u32 d0, r4;", |a, _, _| w(a).wrapping_mul(12).wrapping_add(7).into()),
        ("mad.lo.s32 r4, r1, 8, r3; cvt.u64.u32 d0, r4;", |a, _, c| w(a).wrapping_mul(8).wrapping_add(w(c)).into()),
        ("min.s32 r4, r1, -3; max.u32 r4, r4, r2; cvt.u64.u32 d0, r4;", |a, b, _| {
            (s(a).min(-3) as u32).max(w(b)).into()
        }),
        ("abs.s32 r4, r1; neg.s32 r4, r4; cvt.s64.s32 d0, r4;", |a, _, _| {
            i64::from(s(a).wrapping_abs().wrapping_neg()) as u64
        }),
        ("shl.b32 r4, r1, r2; shr.s32 r4, r4, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            ((w(a).checked_shl(w(b)).unwrap_or(0) as i32 >> w(c).min(31)) as u32).into()
        }),
        ("sub.s32 r4, 10, r1; cvt.u64.u32 d0, r4;", |a, _, _| 10u32.wrapping_sub(w(a)).into()),
        ("bfe.u32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            let (position, length) = (w(b) & 255, w(c) & 255);
            let mask = if length >= 32 { u32::MAX } else { (1 << length) - 1 };
            (w(a).checked_shr(position).unwrap_or(0) & mask).into()
        }),
        ("bfe.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            // The definition in the PTX manual.
            let (a, position, length) = (w(a), w(b) & 255, w(c) & 255);
            let sign = if length == 0 { 0 } else { a >> (position + length - 1).min(31) & 1 };
            let bit = |i: u32| if i < length && position + i <= 31 { a >> (position + i) & 1 } else { sign };
            (0..32).map(|i| bit(i) << i).sum::<u32>().into()
        }),
        ("bfi.b32 r4, r1, r2, r3, 9; cvt.u64.u32 d0, r4;", |a, b, c| {
            let (position, mut result) = (w(c) & 255, w(b));
            for i in (0..9).filter(|i| position + i < 32) {
                result = result & !(1 << (position + i)) | (w(a) >> i & 1) << (position + i);
            }
            result.into()
        }),
        ("brev.b32 r4, r1; cvt.u64.u32 d0, r4;", |a, _, _| w(a).reverse_bits().into()),
        ("popc.b32 r4, r1; cvt.u64.u32 d0, r4;", |a, _, _| w(a).count_ones().into()),
        ("clz.b32 r4, r1; cvt.u64.u32 d0, r4;", |a, _, _| w(a).leading_zeros().into()),
        ("shf.l.wrap.b32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            ((u64::from(w(b)) << 32 | u64::from(w(a))) << (w(c) & 31)) >> 32
        }),
        ("shf.r.clamp.b32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            u64::from(((u64::from(w(b)) << 32 | u64::from(w(a))) >> w(c).min(32)) as u32)
        }),
    ]);
}

#[test]
fn division() {
    let cases: &[Case] = &[
        ("div.u32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| (w(a) / w(b)).into()),
        ("rem.u32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| (w(a) % w(b)).into()),
        ("div.s32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| (s(a).wrapping_div(s(b)) as u32).into()),
        ("rem.s32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| (s(a).wrapping_rem(s(b)) as u32).into()),
        ("div.u32 r4, r1, 7; cvt.u64.u32 d0, r4;", |a, _, _| (w(a) / 7).into()),
        ("rem.u32 r4, r1, 64; cvt.u64.u32 d0, r4;", |a, _, _| (w(a) % 64).into()),
        ("div.s32 r4, r1, -3; cvt.u64.u32 d0, r4;", |a, _, _| (s(a).wrapping_div(-3) as u32).into()),
    ];
    let mut inputs = inputs();
    let mut random = Random::new(99);
    for _ in 0..20_000 {
        // Divisors near powers of two and near the dividend are the hard ones.
        let n = random.next_u64() >> random.below(32) & 0xffff_ffff;
        let power = 1u64 << random.below(32);
        let d = match random.below(4) {
            0 => power.wrapping_add(random.below(5)).wrapping_sub(2),
            1 => n.wrapping_sub(random.below(3)),
            2 => n / (1 + random.below(1000)),
            _ => random.next_u64() >> (32 + random.below(32)),
        };
        inputs.push([n, d, 0]);
        // A quotient that just is, or just is not, reached.
        let multiple = ((d & 0xffff_ffff) * (1 + random.below(1 << 16))) & 0xffff_ffff;
        inputs.push([multiple, d, 0]);
        inputs.push([multiple.wrapping_sub(1) & 0xffff_ffff, d, 0]);
    }
    inputs.retain(|i| w(i[1]) != 0);
    for (body, expected) in cases {
        for (input, found) in inputs.iter().zip(evaluate(body, &inputs)) {
            assert_eq!(found, expected(input[0], input[1], 0), "{body}: {input:x?}");
        }
    }
}

#[test]
fn integers_of_16_and_8_bits() {
    check(&[
        ("add.s16 h4, h1, h2; cvt.u64.u16 d0, h4;", |a, b, _| (a as u16).wrapping_add(b as u16).into()),
        ("mul.lo.u16 h4, h1, h2; shr.u16 h4, h4, 3; cvt.s64.s16 d0, h4;", |a, b, _| {
            i64::from(((a as u16).wrapping_mul(b as u16) >> 3) as i16) as u64
        }),
        ("sub.u16 h4, h1, h2; shr.s16 h4, h4, 2; cvt.u64.u16 d0, h4;", |a, b, _| {
            u64::from((((a as u16).wrapping_sub(b as u16) as i16) >> 2) as u16)
        }),
        ("mul.wide.s16 r4, h1, h2; cvt.u64.u32 d0, r4;", |a, b, _| {
            ((i32::from(a as i16) * i32::from(b as i16)) as u32).into()
        }),
        ("mul.hi.u16 h4, h1, h2; cvt.u64.u16 d0, h4;", |a, b, _| {
            ((u32::from(a as u16) * u32::from(b as u16)) >> 16).into()
        }),
        ("min.s16 h4, h1, h2; max.u16 h4, h4, h3; cvt.u64.u16 d0, h4;", |a, b, c| {
            ((a as i16).min(b as i16) as u16).max(c as u16).into()
        }),
        ("cvt.s8.u32 h4, r1; cvt.u64.u16 d0, h4;", |a, _, _| u64::from(i16::from(a as i8) as u16)),
        ("cvt.u8.u32 r4, r1; cvt.u64.u32 d0, r4;", |a, _, _| u64::from(a as u8)),
        ("cvt.s32.s8 r4, r1; cvt.s64.s32 d0, r4;", |a, _, _| i64::from(a as i8) as u64),
        ("cvt.s64.s32 d0, r1;", |a, _, _| i64::from(s(a)) as u64),
        ("cvt.u64.s32 d0, r1;", |a, _, _| i64::from(s(a)) as u64),
        ("cvt.s64.u32 d0, r1;", |a, _, _| w(a).into()),
        ("cvt.s16.s64 h4, d1; cvt.s32.s16 r4, h4; cvt.s64.s32 d0, r4;", |a, _, _| i64::from(a as i16) as u64),
        ("mov.b32 {h4, h5}, r1; mov.b32 r4, {h5, h4}; cvt.u64.u32 d0, r4;", |a, _, _| w(a).rotate_left(16).into()),
        ("and.b16 h4, h1, 255; xor.b16 h4, h4, h2; not.b16 h4, h4; cvt.u64.u16 d0, h4;", |a, b, _| {
            (!((a as u16 & 255) ^ b as u16)).into()
        }),
    ]);
}

#[test]
fn floats() {
    check(&[
        ("add.f32 f4, f1, f2; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, b, _| bits(f(a) + f(b))),
        ("sub.rn.f32 f4, f1, f2; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, b, _| bits(f(a) - f(b))),
        ("sub.f32 f4, 0f3FC00000, f1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| bits(1.5 - f(a))),
        ("sub.f32 f4, f1, 1.5; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| bits(f(a) - 1.5)),
        ("mul.f32 f4, f1, f2; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, b, _| bits(f(a) * f(b))),
        ("fma.rn.f32 f4, f1, f2, f3; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, b, c| bits(f(a).mul_add(f(b), f(c)))),
        ("fma.rn.f32 f4, f1, 0f40400000, 0f3F800000; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| {
            bits(f(a).mul_add(3.0, 1.0))
        }),
        ("neg.f32 f4, f1; abs.f32 f4, f4; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| u64::from(w(a) & !(1 << 31))),
        ("cvt.rn.f32.s32 f4, r1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| bits(s(a) as f32)),
        ("cvt.rn.f32.u16 f4, h1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| bits(f32::from(a as u16))),
        ("cvt.rzi.s32.f32 r4, f1; cvt.u64.u32 d0, r4;", |a, _, _| (f(a) as i32 as u32).into()),
        ("cvt.rzi.u16.f32 h4, f1; cvt.u64.u16 d0, h4;", |a, _, _| (f(a) as u16).into()),
        ("cvt.rni.s32.f32 r4, f1; cvt.u64.u32 d0, r4;", |a, _, _| (f(a).round_ties_even() as i32 as u32).into()),
        ("cvt.rzi.f32.f32 f4, f1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| same_nan(a, f(a).trunc())),
        ("cvt.rmi.f32.f32 f4, f1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| same_nan(a, f(a).floor())),
        ("cvt.rpi.f32.f32 f4, f1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| same_nan(a, f(a).ceil())),
        ("cvt.sat.f32.f32 f4, f1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;", |a, _, _| {
            bits(if f(a) > 0.0 { f(a).min(1.0) } else { 0.0 })
        }),
        (
            "mov.f32 f4, 0f40000000; max.f32 f4, f4, f1; min.f32 f4, f4, f2; mov.b32 r4, f4; cvt.u64.u32 d0, r4;",
            |a, b, _| {
                let max = if f(a).is_nan() { 2.0 } else { f(a).max(2.0) };
                bits(if f(b).is_nan() { max } else { f(b).min(max) })
            },
        ),
    ]);
}

/// Rounding lets a NaN through as it is.
fn same_nan(a: u64, rounded: f32) -> u64 {
    if f(a).is_nan() { w(a).into() } else { rounded.to_bits().into() }
}

#[test]
fn rounding_near_halves() {
    let values: Vec<f32> = (-40..40).flat_map(|i| [i as f32 / 4.0, i as f32 / 4.0 + 8_388_600.0]).collect();
    let inputs: Vec<[u64; 3]> = values.iter().map(|v| [v.to_bits().into(), 0, 0]).collect();
    for (mode, round) in
        [("rni", f32::round_ties_even as fn(f32) -> f32), ("rzi", f32::trunc), ("rmi", f32::floor), ("rpi", f32::ceil)]
    {
        let body = format!("cvt.{mode}.f32.f32 f4, f1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;");
        for (value, found) in values.iter().zip(evaluate(&body, &inputs)) {
            assert_eq!(f32::from_bits(found as u32).to_bits(), round(*value).to_bits(), "{mode} of {value:?}");
        }
    }
}

#[test]
fn guards_branches_and_scopes() {
    check(&[
        ("mov.u64 d0, 7; setp.lt.s32 p1, r1, r2; @p1 add.s64 d0, d1, d2;", |a, b, _| {
            if s(a) < s(b) { a.wrapping_add(b) } else { 7 }
        }),
        ("mov.u64 d0, d3; setp.lt.s32 p1, r1, r2; @!p1 mul.lo.s64 d0, d0, d1;", |a, b, c| {
            if s(a) < s(b) { c } else { c.wrapping_mul(a) }
        }),
        (
            "mov.u64 d0, 1; setp.eq.u32 p1, r1, r2; @p1 bra SAME; mov.u64 d0, 2; bra.uni DONE;\nSAME:\n{ .reg .b64 d1; \
             mov.u64 d1, 40; add.s64 d0, d0, d1; }\nDONE:",
            |a, b, _| if w(a) == w(b) { 41 } else { 2 },
        ),
        (
            "and.b32 r4, r1, 15; mov.u64 d0, 0;\nLOOP:\nsetp.eq.s32 p1, r4, 0; @p1 bra OUT; add.s64 d0, d0, d2; \
             sub.s32 r4, r4, 1; bra LOOP;\nOUT:",
            |a, b, _| (a & 15).wrapping_mul(b),
        ),
        // More predicates at once than the hardware has.
        (
            "setp.lt.u32 p0, r1, 10; setp.lt.u32 p1, r2, 10; setp.lt.u32 p2, r3, 10; setp.lt.s32 p3, r1, r2; \
             setp.lt.s32 p4, r2, r3; setp.lt.s32 p5, r1, r3; setp.eq.u32 p6, r1, r2; setp.eq.u32 p7, r2, r3; \
             setp.gt.u32 p8, r1, r3; mov.u64 d0, 0; @p0 add.s64 d0, d0, 1; @p1 add.s64 d0, d0, 2; @p2 add.s64 d0, d0, 4; \
             @p3 add.s64 d0, d0, 8; @p4 add.s64 d0, d0, 16; @p5 add.s64 d0, d0, 32; @p6 add.s64 d0, d0, 64; \
             @p7 add.s64 d0, d0, 128; @!p8 add.s64 d0, d0, 256; @!p8 setp.eq.u32 p0, r1, 3; @p0 add.s64 d0, d0, 512;",
            |a, b, c| {
                let mut p0 = w(a) < 10;
                let tests = [
                    p0,
                    w(b) < 10,
                    w(c) < 10,
                    s(a) < s(b),
                    s(b) < s(c),
                    s(a) < s(c),
                    w(a) == w(b),
                    w(b) == w(c),
                    w(a) <= w(c),
                ];
                if w(a) <= w(c) {
                    p0 = w(a) == 3;
                }
                let sum: u64 = tests.iter().enumerate().map(|(i, t)| u64::from(*t) << i).sum();
                sum + 512 * u64::from(p0)
            },
        ),
    ]);
}

#[test]
fn loads_and_stores_of_all_sizes() {
    // Thread-private bytes of shared memory: 16 a thread.
    let prologue = ".shared .align 16 .b8 place[1024]; mov.u32 r4, place; shl.b32 r5, t0, 4; and.b32 r5, r5, 1023; \
                    add.s32 r4, r4, r5; cvt.u64.u32 d4, r4; st.shared.v2.b64 [d4], {d1, d2};";
    let case = |rest: &str| format!("{prologue} {rest}");
    let bodies = [
        case("ld.shared.s8 d0, [d4+3];"),
        case("ld.shared.u8 h4, [r4+7]; cvt.u64.u16 d0, h4;"),
        case("ld.volatile.shared.s16 r6, [d4+2]; cvt.s64.s32 d0, r6;"),
        case("st.shared.u16 [d4+8], h1; st.shared.u8 [d4+12], r1; ld.shared.u64 d0, [d4+8];"),
        case("ld.shared.v4.u32 {r5, r6, r7, r4}, [r4]; xor.b32 r4, r4, r6; cvt.u64.u32 d0, r4;"),
        case("ld.shared.u64 d4, [d4+8]; mov.u64 d0, d4;"),
        case("setp.lt.u32 p1, r1, r2; mov.u64 d0, 3; @p1 ld.shared.u64 d0, [d4]; bar.sync 0;"),
        case("ld.shared.v2.u8 {h4, h5}, [d4+4]; sub.s16 h4, h4, h5; cvt.s64.s16 d0, h4;"),
    ];
    let expected: [fn(u64, u64, u64) -> u64; 8] = [
        |a, _, _| i64::from((a >> 24) as i8) as u64,
        |a, _, _| a >> 56,
        |a, _, _| i64::from((a >> 16) as i16) as u64,
        |a, b, _| b & !0xff_0000_ffff | a & 0xffff | (a & 0xff) << 32,
        |a, b, _| (a >> 32) ^ (b >> 32),
        |_, b, _| b,
        |a, b, _| if w(a) < w(b) { a } else { 3 },
        |a, _, _| (i64::from((a >> 32) as u8) - i64::from((a >> 40) as u8)) as u64,
    ];
    for (body, expected) in bodies.iter().zip(expected) {
        check(&[(body.as_str(), expected)]);
    }
}
