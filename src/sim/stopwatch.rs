//! Which share of a simulation's time the behavioural parts take.
//!
//! Looking at the clock in every cycle would cost more than the parts themselves: one cycle of [`EVERY`] is measured.

use std::time::{Duration, Instant};

/// A prime, so that what repeats in a program is met at all its places.
const EVERY: u32 = 61;

/// Times of the measured cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stopwatch {
    cycles: u32,
    /// When the part at work began; `None`: this cycle is not measured.
    began: Option<Instant>,
    behavioural: Duration,
    hardware: Duration,
}

impl Stopwatch {
    /// A cycle starts.
    pub fn cycle(&mut self) {
        self.cycles = (self.cycles + 1) % EVERY;
        self.began = (self.cycles == 0).then(Instant::now);
    }

    /// A behavioural part ends.
    pub fn behavioural(&mut self) {
        let part = self.part();
        self.behavioural += part;
    }

    /// A part that simulates hardware ends.
    pub fn hardware(&mut self) {
        let part = self.part();
        self.hardware += part;
    }

    fn part(&mut self) -> Duration {
        let Some(began) = self.began else { return Duration::ZERO };
        let now = Instant::now();
        self.began = Some(now);
        now - began
    }

    /// From 0 to 1; `None` when no cycle was measured.
    pub fn behavioural_share(&self) -> Option<f64> {
        let (behavioural, hardware) = (self.behavioural.as_secs_f64(), self.hardware.as_secs_f64());
        (hardware > 0.0).then(|| behavioural / (behavioural + hardware))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cycle_of_many_is_measured() {
        let mut watch = Stopwatch::default();
        assert_eq!(watch.behavioural_share(), None);
        for cycle in 1..=3 * EVERY {
            let before = watch.hardware;
            watch.cycle();
            watch.behavioural();
            std::hint::black_box((0..1000).sum::<u32>());
            watch.hardware();
            assert!(cycle.is_multiple_of(EVERY) || watch.hardware == before, "cycle {cycle}");
        }
        assert!(watch.behavioural_share().is_none_or(|share| (0.0..=1.0).contains(&share)));
    }

    #[test]
    fn the_share_is_of_both_parts() {
        let (behavioural, hardware) = (Duration::from_millis(1), Duration::from_millis(3));
        let watch = Stopwatch { behavioural, hardware, ..Stopwatch::default() };
        assert_eq!(watch.behavioural_share(), Some(0.25));
    }
}
