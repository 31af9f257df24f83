//! LFSR: periods counted for small widths, taps proved maximal for all, steps against a software model.

use super::{simulate, step};
use blocks::{lfsr, lfsr_taps};

fn next(width: u32, state: u64) -> u64 {
    let taps = lfsr_taps(width).expect("a width of the table");
    (state << 1 | u64::from((state & taps).count_ones() & 1)) & (u64::MAX >> (64 - width))
}

#[test]
fn small_widths_have_the_full_period() {
    for width in 2..=10 {
        let mut block = simulate(&lfsr(width, 1));
        block.poke("step", 1);
        let mut period = 0u64;
        loop {
            step(&mut block);
            period += 1;
            if block.peek("value") == 1 {
                break;
            }
            assert!(period < 1 << width, "{width} bits: no return to the start");
        }
        assert_eq!(period, (1 << width) - 1, "{width} bits");
    }
}

#[test]
fn all_widths_step_as_the_model() {
    for width in 2..=64 {
        for shifts in [1, width] {
            let mut block = simulate(&lfsr(width, shifts));
            let seed = 0x9e37_79b9_7f4a_7c15 >> (64 - width);
            block.poke("load", 1);
            block.poke("seed", seed);
            step(&mut block);
            block.poke("load", 0);
            let mut model = seed;
            for cycle in 0..100 {
                assert_eq!(block.peek("value"), model, "{width} bits, {shifts} shifts, cycle {cycle}");
                block.poke("step", u64::from(cycle % 3 != 0));
                if cycle % 3 != 0 {
                    model = (0..shifts).fold(model, |s, _| next(width, s));
                }
                step(&mut block);
            }
        }
    }
}

/// A register has period `2^n - 1` exactly when its polynomial is primitive: the order of `x` divides `2^n - 1`, but no
/// `(2^n - 1) / q` for a prime divisor `q`.
#[test]
fn all_taps_are_maximal() {
    for width in 2..=64 {
        let taps = lfsr_taps(width).expect("a width of the table");
        // Tap t feeds back what was shifted in t steps ago: x^n + the sum of x^(n - t).
        let polynomial =
            (1..=width).filter(|t| taps >> (t - 1) & 1 == 1).fold(1u128 << width, |p, t| p | 1 << (width - t));
        let order = u64::MAX >> (64 - width);
        assert_eq!(power_of_x(order, polynomial, width), 1, "{width} bits");
        for q in prime_divisors(order) {
            assert_ne!(power_of_x(order / q, polynomial, width), 1, "{width} bits: period divides (2^n - 1) / {q}");
        }
    }
}

/// `x^exponent` modulo `polynomial` over the field of two elements.
fn power_of_x(exponent: u64, polynomial: u128, width: u32) -> u128 {
    let double = |a: u128| (a << 1) ^ if a >> (width - 1) & 1 == 1 { polynomial } else { 0 };
    let times = |a: u128, b: u128| (0..width).rev().fold(0, |sum, i| double(sum) ^ if b >> i & 1 == 1 { a } else { 0 });
    (0..64).rev().fold(1, |power, i| {
        let square = times(power, power);
        if exponent >> i & 1 == 1 { double(square) } else { square }
    })
}

fn prime_divisors(n: u64) -> Vec<u64> {
    let (mut rest, mut divisors) = (n, vec![]);
    for small in (2..1 << 16).filter(|s| n.is_multiple_of(*s)) {
        if divisors.iter().all(|d| small % d != 0) {
            divisors.push(small);
        }
        while rest % small == 0 {
            rest /= small;
        }
    }
    let mut parts = if rest > 1 { vec![rest] } else { vec![] };
    while let Some(part) = parts.pop() {
        if is_prime(part) {
            divisors.push(part);
        } else {
            let divisor = split(part);
            parts.extend([divisor, part / divisor]);
        }
    }
    divisors
}

fn times(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

fn power(base: u64, exponent: u64, n: u64) -> u64 {
    (0..64).rev().fold(1, |p, i| {
        let square = times(p, p, n);
        if exponent >> i & 1 == 1 { times(square, base, n) } else { square }
    })
}

/// Miller-Rabin, exact below 2^64 with these bases; `n` is odd and has no factor below 2^16.
fn is_prime(n: u64) -> bool {
    let twos = (n - 1).trailing_zeros();
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        x == 1
            || (0..twos).any(|_| {
                let minus_one = x == n - 1;
                x = times(x, x, n);
                minus_one
            })
    })
}

/// A proper divisor of a composite number, by Pollard's rho method.
fn split(n: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (1..)
        .find_map(|c| {
            let walk = |x: u64| ((u128::from(x) * u128::from(x) + c) % u128::from(n)) as u64;
            let (mut slow, mut fast) = (2u64, walk(2));
            loop {
                match gcd(slow.abs_diff(fast), n) {
                    1 => (slow, fast) = (walk(slow), walk(walk(fast))),
                    divisor => return (divisor != n).then_some(divisor),
                }
            }
        })
        .expect("some walk finds a divisor")
}
