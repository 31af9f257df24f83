//! Random numbers for what is no hardware: stimuli, traffic, test data. The same seed gives the same numbers on every machine.

/// A generator: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// At least 0, less than `bound` (at least 1).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound.max(1))) >> 64) as u64
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// At least `low`, less than `high`: a multiple of 2^-24 of the range.
    pub fn float(&mut self, low: f32, high: f32) -> f32 {
        let unit = (self.next_u64() >> 40) as f32 / (1 << 24) as f32;
        low + (high - low) * unit
    }

    /// Cycles until the next event when one happens in each cycle with probability `p` (above 0): 0 when it is in this very one. The
    /// same distribution as asking [`chance`](Self::chance) cycle by cycle.
    pub fn gap(&mut self, p: f64) -> u64 {
        if p >= 1.0 {
            return 0;
        }
        // From (0, 1], so that the logarithm is finite.
        let uniform = ((self.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (uniform.ln() / (-p).ln_1p()).min(1e15) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_those_of_independent_chances() {
        for p in [0.02, 0.3, 0.9, 1.0] {
            let mut rng = Random::new(7);
            let count = 20_000;
            let gaps: Vec<u64> = (0..count).map(|_| rng.gap(p)).collect();
            let mean = gaps.iter().sum::<u64>() as f64 / f64::from(count);
            let expected = (1.0 - p) / p;
            // The variance of a geometric distribution is (1 - p) / p^2; five standard deviations of the mean.
            let tolerance = 5.0 * ((1.0 - p) / (p * p) / f64::from(count)).sqrt();
            assert!((mean - expected).abs() <= tolerance, "{p}: {mean}, {expected} expected");
            let at_once = gaps.iter().filter(|&&gap| gap == 0).count() as f64 / f64::from(count);
            assert!((at_once - p).abs() <= 5.0 * (p * (1.0 - p) / f64::from(count)).sqrt(), "{p}: {at_once}");
        }
    }
}
