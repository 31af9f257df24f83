//! *Behavioural*: when packets are born at a source.
//!
//! ```text
//!   Bernoulli   a birth in each cycle with the same probability
//!   on-off      ..|xx.x.xxx.x|..............|.x.xxx|......      a Markov chain of two states: births while it is on
//! ```
//!
//! Instead of asking in every cycle, the number of cycles to the next birth is drawn, which has the same distribution;
//! so nodes at which nothing happens cost nothing. On-off sources have the same mean load as the others: while one is
//! on, its probability of a birth is that of the load over the part of the time that it is on. The lengths of on and
//! off periods are geometric, as of a chain that changes its state in each cycle with a probability (BookSim's `on_off`
//! injection: alpha from off to on, beta from on to off).
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, section 24.2.

use hdl::random::Rng;
use std::str::FromStr;

/// On-off sources.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Burst {
    /// Mean cycles of an on period, 1 and up.
    pub length: f64,
    /// Part of the time that a source is on, above 0, at most 1, so that an off period has a cycle at least in the mean.
    pub duty: f64,
}

impl Burst {
    /// From off to on and from on to off, probabilities in each cycle.
    pub fn chain(self) -> [f64; 2] {
        let off = self.length * (1.0 - self.duty) / self.duty;
        [1.0 / off, 1.0 / self.length]
    }

    /// In words.
    pub fn describe(self) -> String {
        format!("on-off sources: on for {} cycles in the mean, {} of the time", self.length, self.duty)
    }
}

impl FromStr for Burst {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}`: on-off sources are written CYCLES:DUTY, the mean length of an on period (1 to 1000000) and the part of the time that \
                 a source is on (above 0, below 1), as in 20:0.25"
            )
        };
        let (length, duty) = text.split_once(':').ok_or_else(wrong)?;
        let [length, duty]: [f64; 2] = [length, duty].map(|part| part.trim().parse().unwrap_or(f64::NAN));
        let allowed = (1.0..=1e6).contains(&length) && duty > 0.0 && duty < 1.0;
        if !allowed {
            return Err(wrong());
        }
        let burst = Self { length, duty };
        let [alpha, _] = burst.chain();
        if alpha > 1.0 {
            let most = length / (length + 1.0);
            return Err(format!(
                "`{text}`: off periods would be shorter than a cycle: allowed: with {length} cycles a duty of at most {}",
                (most * 1e4).floor() / 1e4
            ));
        }
        Ok(burst)
    }
}

/// The births of one source.
pub struct Births {
    random: Rng,
    /// Of a birth in a cycle in which it is on.
    probability: f64,
    /// Chain, and cycles that it is still on.
    on_off: Option<([f64; 2], u64)>,
}

impl Births {
    /// With so many in a cycle in the mean.
    pub fn new(mut random: Rng, mean: f64, burst: Option<Burst>) -> Self {
        let on_off = burst.map(|burst| {
            let chain = burst.chain();
            // The state in which the measurement finds it; both are without memory.
            let left = if random.chance(burst.duty) { 1 + random.gap(chain[1]) } else { 0 };
            (chain, left)
        });
        let probability = burst.map_or(mean, |burst| (mean / burst.duty).min(1.0));
        Self { random, probability, on_off }
    }

    /// Cycles from `now`, or the first cycle after the last birth, to the next birth: 0 when it is in that very cycle.
    pub fn gap(&mut self) -> u64 {
        let mut gap = self.random.gap(self.probability);
        let Some(([to_on, to_off], left)) = &mut self.on_off else { return gap };
        let mut cycles = 0;
        while gap >= *left {
            gap -= *left;
            cycles += *left + 1 + self.random.gap(*to_on);
            *left = 1 + self.random.gap(*to_off);
        }
        *left -= gap + 1;
        cycles + gap
    }
}
