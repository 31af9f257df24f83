//! Random parameters.

use warpmesh::random::Rng;

/// Draws values of parameters.
pub struct Draw(Rng);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.0.chance(p)
    }

    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.0.below(all.len() as u64) as usize].clone()
    }

    /// From `low` to `high`, any as often as any other.
    pub fn uniform(&mut self, low: u32, high: u32) -> u32 {
        low + self.0.below(u64::from(high - low) + 1) as u32
    }

    /// A power of two from `low` to `high`, which are some.
    pub fn power(&mut self, low: u32, high: u32) -> u32 {
        1 << self.uniform(low.ilog2(), high.ilog2())
    }

    /// From `low`, at least 1, to `high`: bounds and powers of two, where widths and indices change, more often than
    /// what is between them.
    pub fn range(&mut self, low: u32, high: u32) -> u32 {
        match self.uniform(0, 5) {
            0 => low,
            1 => high,
            2 | 3 => self.power(low.next_power_of_two(), 1 << high.ilog2()).clamp(low, high),
            _ => self.uniform(low, high),
        }
    }
}
