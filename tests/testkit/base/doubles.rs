//! Doubles that matter: corners, and random ones near the places where units and sequences go wrong.

use program::random::Random;

/// Doubles where something changes, of both signs.
pub fn corners() -> Vec<u64> {
    let positive = [
        0,
        1,
        2,
        3,
        0x0008_0000_0000_0000,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x0010_0000_0000_0001,
        0x001f_ffff_ffff_ffff,
        0x0020_0000_0000_0000,
        0x3690_0000_0000_0000, // half of the smallest float
        0x36a0_0000_0000_0000,
        0x380f_ffff_e000_0000,
        0x380f_ffff_f000_0000,
        0x3810_0000_0000_0000,
        0x3ca0_0000_0000_0000,
        0x3fdf_ffff_ffff_ffff,
        0x3fe0_0000_0000_0000,
        0x3fe0_0000_0000_0001,
        0x3fef_ffff_ffff_ffff,
        0x3ff0_0000_0000_0000,
        0x3ff0_0000_0000_0001,
        0x3ff0_0000_1000_0000, // half a float's last place
        0x3ff0_0000_3000_0000,
        0x3ff6_a09e_667f_3bcd,
        0x3ff8_0000_0000_0000,
        0x3fff_ffff_ffff_ffff,
        0x4000_0000_0000_0000,
        0x4004_0000_0000_0000,
        0x4008_0000_0000_0000,
        0x405f_e000_0000_0000, // 127.5
        0x41df_ffff_ffc0_0000,
        0x41e0_0000_0000_0000,
        0x41ef_ffff_fff0_0000,
        0x41f0_0000_0000_0000,
        0x4320_0000_0000_0000,
        0x4330_0000_0000_0000,
        0x4330_0000_0000_0001,
        0x433f_ffff_ffff_ffff,
        0x4340_0000_0000_0000,
        0x43df_ffff_ffff_ffff,
        0x43e0_0000_0000_0000,
        0x43ef_ffff_ffff_ffff,
        0x43f0_0000_0000_0000,
        0x47ef_ffff_e000_0000, // the largest float
        0x47ef_ffff_f000_0000,
        0x7fd0_0000_0000_0000,
        0x7fe0_0000_0000_0000,
        0x7fef_ffff_ffff_fffe,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0x7ff8_0000_0000_0000,
    ];
    positive.iter().flat_map(|&bits| [bits, bits | 1 << 63]).collect()
}

/// A double with the exponent field `exponent` and few, many or any bits in its fraction.
pub fn with_exponent(random: &mut Random, exponent: u64) -> u64 {
    let any = random.next_u64();
    let fraction = match random.below(4) {
        0 => 1 << random.below(52) | 1 << random.below(52),
        1 => !(1 << random.below(52)),
        2 => any << random.below(52),
        _ => any,
    };
    any & 1 << 63 | exponent.min(2047) << 52 | fraction & ((1 << 52) - 1)
}

/// Of all magnitudes, many near 1 and near the ends.
pub fn double(random: &mut Random) -> u64 {
    let exponent = match random.below(6) {
        0 => random.below(4),
        1 => 2043 + random.below(4),
        2 | 3 => 1013 + random.below(20),
        4 => 800 + random.below(300),
        _ => random.below(2048),
    };
    with_exponent(random, exponent)
}

/// All pairs of corners, and random ones: sums that cancel, quotients and products next to where rounding changes,
/// subnormal ones.
pub fn inputs_of(count: usize) -> Vec<[u64; 3]> {
    let corners = corners();
    let mut all = vec![];
    for (i, &a) in corners.iter().enumerate() {
        all.extend(corners.iter().enumerate().map(|(k, &b)| [a, b, corners[(i * 7 + k * 3) % corners.len()]]));
    }
    let mut random = Random::new(17);
    for i in 0..count {
        let [a, b, c] = [0, 1, 2].map(|_| double(&mut random));
        let near = |random: &mut Random, x: f64| x.to_bits().wrapping_add(random.below(5)).wrapping_sub(2);
        let [x, y] = [a, b].map(f64::from_bits);
        all.push(match i % 6 {
            0 => [a, b, c],
            // A product divided by a factor, and taken away from the product.
            1 => [near(&mut random, x * y), b, near(&mut random, -x * y)],
            2 => [a, near(&mut random, x), near(&mut random, -(x * x))],
            // Quotients that are subnormal or nearly so.
            3 => {
                let exponent = (a >> 52 & 2047) + 1018 + random.below(56);
                let b = with_exponent(&mut random, exponent);
                [a, b, c]
            }
            // Subnormal divisors; products that are subnormal.
            4 => [a, b & !(0x7ff << 52), c],
            _ => {
                let exponent = (1070 + random.below(10)).saturating_sub(a >> 52 & 2047);
                let b = with_exponent(&mut random, exponent);
                [a, b, c]
            }
        });
    }
    all
}
