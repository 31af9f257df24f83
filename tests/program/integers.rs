//! Integer PTX that is compiled to sequences, against the same computation in Rust: carry chains, bytes, bit fields and
//! products of 64 bits, saturation.

use crate::ptx_lines::*;
use warpmesh::program::random::Random;

/// Many random inputs for each line, of all magnitudes.
fn many() -> Vec<[u64; 3]> {
    let mut all = inputs();
    let mut random = Random::new(21);
    for _ in 0..20_000 {
        let shifts = [random.below(64), random.below(64), random.below(64)];
        all.push(shifts.map(|shift| random.next_u64() >> shift));
    }
    all
}

fn check_many(cases: &[Case]) {
    let inputs = many();
    for (body, expected) in cases {
        for (input, found) in inputs.iter().zip(evaluate(body, &inputs)) {
            let expected = expected(input[0], input[1], input[2]);
            assert_eq!(found, expected, "{body}: {input:x?} gave {found:x}, expected {expected:x}");
        }
    }
}

fn wide(a: u64) -> u128 {
    a.into()
}

#[test]
fn carry_chains() {
    check_many(&[
        (
            "mov.b64 {r4,r5}, d1; mov.b64 {r6,r7}, d2; add.cc.u32 r4, r4, r6; addc.u32 r5, r5, r7; mov.b64 d0, {r4,r5};",
            |a, b, _| a.wrapping_add(b),
        ),
        (
            "mov.b64 {r4,r5}, d1; mov.b64 {r6,r7}, d2; sub.cc.u32 r4, r4, r6; subc.u32 r5, r5, r7; mov.b64 d0, {r4,r5};",
            |a, b, _| a.wrapping_sub(b),
        ),
        // The carry out of the middle of three words.
        ("add.cc.u32 r4, r1, r2; addc.cc.u32 r5, r3, r3; addc.u32 r6, 0, 0; mov.b64 d0, {r5,r6};", |a, b, c| {
            (2 * u64::from(w(c))).wrapping_add((u64::from(w(a)) + u64::from(w(b))) >> 32)
        }),
        ("sub.cc.s32 r4, r1, r2; subc.cc.s32 r5, r3, r2; subc.s32 r6, 0, 0; mov.b64 d0, {r5,r6};", |a, b, c| {
            let borrow = u64::from(w(a) < w(b));
            u64::from(w(c)).wrapping_sub(u64::from(w(b)) + borrow)
        }),
        ("add.cc.u64 d4, d1, d2; addc.cc.u64 d5, d3, d1; addc.u64 d0, d5, 0;", |a, b, c| {
            let low = u64::from(a.checked_add(b).is_none());
            let sum = wide(c) + wide(a) + wide(low);
            (sum as u64).wrapping_add((sum >> 64) as u64)
        }),
        ("sub.cc.u64 d4, d1, d2; subc.s64 d0, d3, d1;", |a, b, c| c.wrapping_sub(a).wrapping_sub((a < b).into())),
        ("mad.lo.cc.u32 r4, r1, r2, r3; madc.hi.u32 r5, r1, r2, 0; mov.b64 d0, {r4,r5};", |a, b, c| {
            (u64::from(w(a)) * u64::from(w(b))).wrapping_add(w(c).into())
        }),
        (
            "mad.lo.cc.u32 r4, r1, r2, r3; madc.hi.cc.s32 r5, r1, r2, r3; addc.u32 r6, 0, 0; mov.b64 d0, {r5,r6};",
            |a, b, c| {
                let low = u64::from(w(a).wrapping_mul(w(b))) + u64::from(w(c));
                let high = ((i64::from(s(a)) * i64::from(s(b))) >> 32) as u32;
                u64::from(high) + u64::from(w(c)) + (low >> 32) // at most 33 bits
            },
        ),
        ("mad.lo.cc.u64 d4, d1, d2, d3; madc.hi.u64 d0, d1, d2, d3;", |a, b, c| {
            let product = wide(a) * wide(b);
            (((product + wide(c)) >> 64) as u64).wrapping_add(c)
        }),
        // Only where its guard holds does an instruction write the condition code.
        (
            "add.cc.u32 r4, r1, r2; setp.lt.u32 p1, r3, 1000; @p1 add.cc.u32 r5, 0, 0; addc.u32 r6, 0, 0; cvt.u64.u32 d0, r6;",
            |a, b, c| {
                if w(c) < 1000 { 0 } else { (u64::from(w(a)) + u64::from(w(b))) >> 32 }
            },
        ),
    ]);
}

#[test]
fn products() {
    check_many(&[
        ("mul.hi.u64 d0, d1, d2;", |a, b, _| ((wide(a) * wide(b)) >> 64) as u64),
        ("mul.hi.s64 d0, d1, d2;", |a, b, _| ((i128::from(l(a)) * i128::from(l(b))) >> 64) as u64),
        ("mad.hi.s64 d0, d1, d2, d3;", |a, b, c| {
            (((i128::from(l(a)) * i128::from(l(b))) >> 64) as u64).wrapping_add(c)
        }),
        ("mad.hi.u32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            (((u64::from(w(a)) * u64::from(w(b))) >> 32) as u32).wrapping_add(w(c)).into()
        }),
        ("mad.hi.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            (((i64::from(s(a)) * i64::from(s(b))) >> 32) as u32).wrapping_add(w(c)).into()
        }),
        ("mad.hi.sat.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            (((i64::from(s(a)) * i64::from(s(b))) >> 32) as i32).saturating_add(s(c)) as u32 as u64
        }),
        ("mad.hi.u16 h4, h1, h2, h3; cvt.u64.u16 d0, h4;", |a, b, c| {
            (((u32::from(a as u16) * u32::from(b as u16)) >> 16) as u16).wrapping_add(c as u16).into()
        }),
        ("mul24.hi.u32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| ((a & 0xff_ffff) * (b & 0xff_ffff)) >> 16),
        ("mul24.hi.s32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| {
            (((i64::from(s(a) << 8 >> 8) * i64::from(s(b) << 8 >> 8)) >> 16) as u32).into()
        }),
        ("mad24.lo.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            ((s(a) << 8 >> 8).wrapping_mul(s(b) << 8 >> 8).wrapping_add(s(c)) as u32).into()
        }),
        ("mad24.hi.sat.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            let product = ((i64::from(s(a) << 8 >> 8) * i64::from(s(b) << 8 >> 8)) >> 16) as i32;
            product.saturating_add(s(c)) as u32 as u64
        }),
    ]);
}

/// `prmt` by its definition in the manual.
fn permuted(a: u64, b: u64, selector: u32) -> u64 {
    let bytes = u64::from(w(b)) << 32 | u64::from(w(a));
    (0..4).fold(0, |word, i| {
        let nibble = selector >> (4 * i) & 15;
        let byte = (bytes >> (8 * (nibble & 7))) as u8;
        let byte = if nibble & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
        word | u64::from(byte) << (8 * i)
    })
}

/// The table of a mode: four selectors.
fn mode(a: u64, b: u64, c: u64, selectors: [u32; 4]) -> u64 {
    permuted(a, b, selectors[(c & 3) as usize])
}

#[test]
fn bytes_and_tables() {
    check_many(&[
        ("prmt.b32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| permuted(a, b, w(c))),
        ("prmt.b32 r4, r1, r2, 0x5c3a; cvt.u64.u32 d0, r4;", |a, b, _| permuted(a, b, 0x5c3a)),
        ("prmt.b32.f4e r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| mode(a, b, c, [0x3210, 0x4321, 0x5432, 0x6543])),
        ("prmt.b32.b4e r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| mode(a, b, c, [0x5670, 0x6701, 0x7012, 0x0123])),
        ("prmt.b32.rc8 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| mode(a, b, c, [0, 0x1111, 0x2222, 0x3333])),
        ("prmt.b32.ecl r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| mode(a, b, c, [0x3210, 0x3211, 0x3222, 0x3333])),
        ("prmt.b32.ecr r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| mode(a, b, c, [0, 0x1110, 0x2210, 0x3210])),
        ("prmt.b32.rc16 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| {
            mode(a, b, c, [0x1010, 0x3232, 0x1010, 0x3232])
        }),
    ]);
    let inputs = inputs();
    for table in 0..256u64 {
        let body = format!("lop3.b32 r4, r1, r2, r3, {table:#x}; cvt.u64.u32 d0, r4;");
        for (&[a, b, c], found) in inputs.iter().step_by(17).zip(evaluate(&body, &inputs).iter().step_by(17)) {
            let bit = |i: u32| table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1;
            assert_eq!(*found, (0..32).map(|i| bit(i) << i).sum::<u64>(), "{body} {a:x} {b:x} {c:x}");
        }
    }
}

/// `bfe` by its definition in the manual.
fn extracted(a: u64, b: u64, c: u64, signed: bool) -> u64 {
    let (position, length) = (b & 255, c & 255);
    let sign = if !signed || length == 0 { 0 } else { a >> (position + length - 1).min(63) & 1 };
    let bit = |i: u64| if i < length && position + i <= 63 { a >> (position + i) & 1 } else { sign };
    (0..64).map(|i| bit(i) << i).sum()
}

#[test]
fn fields_and_counts_of_64_bits() {
    check_many(&[
        ("bfe.u64 d0, d1, r2, r3;", |a, b, c| extracted(a, b, c, false)),
        ("bfe.s64 d0, d1, r2, r3;", |a, b, c| extracted(a, b, c, true)),
        ("bfe.s64 d0, d1, 20, 33;", |a, _, _| extracted(a, 20, 33, true)),
        ("bfi.b64 d0, d1, d2, r3, 19;", |a, b, c| {
            let (position, mut result) = (c & 255, b);
            for i in (0..19).filter(|i| position + i < 64) {
                result = result & !(1 << (position + i)) | (a >> i & 1) << (position + i);
            }
            result
        }),
        ("bfi.b64 d0, d1, d2, 5, r3;", |a, b, c| {
            (0..(c & 255).min(59)).fold(b, |word, i| word & !(1 << (5 + i)) | (a >> i & 1) << (5 + i))
        }),
        ("brev.b64 d0, d1;", |a, _, _| a.reverse_bits()),
        ("popc.b64 r4, d1; cvt.u64.u32 d0, r4;", |a, _, _| a.count_ones().into()),
        ("clz.b64 r4, d1; cvt.u64.u32 d0, r4;", |a, _, _| a.leading_zeros().into()),
        ("bfind.u32 r4, r1; cvt.s64.s32 d0, r4;", |a, _, _| (31 - i64::from(w(a).leading_zeros())) as u64),
        ("bfind.s32 r4, r1; cvt.s64.s32 d0, r4;", |a, _, _| {
            (31 - i64::from((w(a) ^ (s(a) >> 31) as u32).leading_zeros())) as u64
        }),
        ("bfind.u64 r4, d1; cvt.s64.s32 d0, r4;", |a, _, _| (63 - i64::from(a.leading_zeros())) as u64),
        ("bfind.shiftamt.s64 r4, d1; cvt.s64.s32 d0, r4;", |a, _, _| match (a ^ (l(a) >> 63) as u64).leading_zeros() {
            64 => u64::MAX,
            zeros => zeros.into(),
        }),
        ("bfind.shiftamt.u32 r4, r1; cvt.s64.s32 d0, r4;", |a, _, _| match w(a).leading_zeros() {
            32 => u64::MAX,
            zeros => zeros.into(),
        }),
    ]);
}

#[test]
fn saturation_differences_and_choice() {
    check_many(&[
        ("add.sat.s32 r4, r1, r2; cvt.s64.s32 d0, r4;", |a, b, _| i64::from(s(a).saturating_add(s(b))) as u64),
        ("sub.sat.s32 r4, r1, r2; cvt.s64.s32 d0, r4;", |a, b, _| i64::from(s(a).saturating_sub(s(b))) as u64),
        ("sad.u32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| w(a).abs_diff(w(b)).wrapping_add(w(c)).into()),
        ("sad.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| s(a).abs_diff(s(b)).wrapping_add(w(c)).into()),
        ("sad.s16 h4, h1, h2, h3; cvt.u64.u16 d0, h4;", |a, b, c| {
            (a as i16).abs_diff(b as i16).wrapping_add(c as u16).into()
        }),
        ("sad.s64 d0, d1, d2, d3;", |a, b, c| l(a).abs_diff(l(b)).wrapping_add(c)),
        ("sad.u64 d0, d1, d2, d3;", |a, b, c| a.abs_diff(b).wrapping_add(c)),
        ("cnot.b32 r4, r1; cvt.u64.u32 d0, r4;", |a, _, _| (w(a) == 0).into()),
        ("cnot.b16 h4, h1; cvt.u64.u16 d0, h4;", |a, _, _| (a as u16 == 0).into()),
        ("cnot.b64 d0, d1;", |a, _, _| (a == 0).into()),
        ("slct.u64.s32 d0, d1, d2, r3;", |a, b, c| if s(c) >= 0 { a } else { b }),
        ("slct.b32.s32 r4, r1, r2, r3; cvt.u64.u32 d0, r4;", |a, b, c| if s(c) >= 0 { w(a) } else { w(b) }.into()),
        ("slct.ftz.b32.f32 r4, r1, r2, f3; cvt.u64.u32 d0, r4;", |a, b, c| {
            let subnormal = f(c).is_subnormal();
            if f(c) >= 0.0 || subnormal { w(a) } else { w(b) }.into()
        }),
        ("set.lt.u32.s32 r4, r1, r2; cvt.u64.u32 d0, r4;", |a, b, _| if s(a) < s(b) { 0xffff_ffff } else { 0 }),
        (
            "setp.lt.u32 p1, r3, 77; set.hi.xor.f32.u64 f4, d1, d2, p1; mov.b32 r4, f4; cvt.u64.u32 d0, r4;",
            |a, b, c| {
                if (a > b) ^ (w(c) < 77) { 0x3f80_0000 } else { 0 }
            },
        ),
        ("set.geu.ftz.s32.f32 r4, f1, f2; cvt.u64.u32 d0, r4;", |a, b, _| {
            let [a, b] = [a, b].map(|x| if f(x).is_subnormal() { 0.0 } else { f(x) });
            if a < b { 0 } else { 0xffff_ffff }
        }),
        ("cvt.sat.u8.s32 r4, r1; cvt.u64.u32 d0, r4;", |a, _, _| s(a).clamp(0, 255) as u64),
        ("cvt.sat.s8.s32 r4, r1; cvt.s64.s32 d0, r4;", |a, _, _| i64::from(s(a).clamp(-128, 127)) as u64),
        ("cvt.sat.s32.s64 r4, d1; cvt.s64.s32 d0, r4;", |a, _, _| l(a).clamp(i32::MIN.into(), i32::MAX.into()) as u64),
        ("cvt.sat.u32.u64 r4, d1; cvt.u64.u32 d0, r4;", |a, _, _| a.min(u32::MAX.into())),
        ("cvt.sat.u64.s32 d0, r1;", |a, _, _| s(a).max(0) as u64),
        ("cvt.sat.s64.u64 d0, d1;", |a, _, _| a.min(i64::MAX as u64)),
        ("cvt.sat.u16.s16 h4, h1; cvt.u64.u16 d0, h4;", |a, _, _| (a as i16).max(0) as u64),
        ("cvt.sat.s32.u32 r4, r1; cvt.s64.s32 d0, r4;", |a, _, _| u64::from(w(a).min(i32::MAX as u32))),
    ]);
}

#[test]
fn division_of_64_bits() {
    let mut inputs: Vec<[u64; 3]> = many().into_iter().step_by(2).collect();
    let mut random = Random::new(33);
    for _ in 0..5000 {
        // A quotient that just is, or just is not, reached.
        let (d, q) = (random.next_u64() >> random.below(60) | 1, random.next_u64() >> random.below(60));
        inputs.extend([[d.wrapping_mul(q), d, 0], [d.wrapping_mul(q).wrapping_sub(1), d, 0]]);
    }
    inputs.retain(|input| input[1] != 0);
    let cases: [Case; 5] = [
        ("div.u64 d0, d1, d2;", |a, b, _| a / b),
        ("rem.u64 d0, d1, d2;", |a, b, _| a % b),
        ("div.s64 d0, d1, d2;", |a, b, _| l(a).wrapping_div(l(b)) as u64),
        ("rem.s64 d0, d1, d2;", |a, b, _| l(a).wrapping_rem(l(b)) as u64),
        ("mov.u64 d0, 7; setp.lt.u64 p1, d1, d2; @!p1 div.u64 d0, d1, d2;", |a, b, _| if a < b { 7 } else { a / b }),
    ];
    for (body, expected) in cases {
        for (input, found) in inputs.iter().zip(evaluate(body, &inputs)) {
            assert_eq!(found, expected(input[0], input[1], 0), "{body} {input:x?}");
        }
    }
    // By zero: some value, and an end.
    evaluate("div.s64 d0, d1, 0;", &[[5, 0, 0]]);
}
