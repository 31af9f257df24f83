//! Which engine, when that is left to us: tiles as words, or bit-sliced and in vectors, decided by measuring, as it depends on the load.
//!
//! Bits and vectors take the same time whether anything happens or not, words take time only for what happens. The simulation starts with
//! what the estimates say. When it has taken four times as long as it took to make that engine, the other one is made, and
//! [`EngineSelector`] tells when to try it: a *trial* times some cycles of the engine at work, then as many of the other, and the faster one
//! by the median goes on. Trials come at growing distances, and soon after the engine at work has become slower or faster than it was in the
//! last one: then the load has changed. Both engines compute the same bits, and what one of them keeps elsewhere than in the
//! common state is brought there and fetched from there when they take turns.

use std::time::{Duration, Instant};

/// How much longer than making an engine a run has to take before another one is made.
const WORTH: u32 = 4;

/// An engine that came from the cache took less time to make than another one may take.
pub(super) const LEAST: Duration = Duration::from_millis(250);

/// Cycles between looks at how long the run has taken.
const LOOK: u64 = 256;

/// Cycles that are timed of each engine in a trial, after some of the other one that are not: it evaluates everything at first.
const TIMED: usize = 15;
const WARM_UP: usize = 5;

/// An engine that takes so much longer is out after a few cycles.
const HOPELESS: f64 = 2.0;
const FEW: usize = 3;

/// What the other engine must take of the time of the one at work to go on.
const GAIN: f64 = 0.92;

/// Cycles between trials: at first, and at most. Doubled after each that changes nothing.
const PAUSE: u64 = 4096;
const LONGEST_PAUSE: u64 = 32_768;

/// Between trials, one cycle of so many is timed, and the median of so many of these counts.
const GLIMPSE: u64 = 32;
const GLIMPSES: usize = 7;

/// The load has changed when a cycle takes so much longer, or shorter, than in the last trial.
const DRIFT: f64 = 1.25;

/// Least cycles from a trial to one that comes for that reason: at first, and at most, when such trials change nothing.
const SOON: u64 = 256;
const LATER: u64 = PAUSE;

/// What to do before the next cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Go on.
    Stay,
    /// Let the other engine work; make it when there is none.
    Change,
}

/// Decides whose turn it is.
#[derive(Debug)]
pub(super) struct EngineSelector {
    /// When the run began, and what it must have taken before another engine is made.
    begun: Option<Instant>,
    worth: Duration,
    /// Cycles until one that is timed.
    wait: u64,
    /// Cycles since the last trial, from it to the next one, and to the next one if the load changes.
    since: u64,
    pause: u64,
    soon: u64,
    /// The trial at hand came because the load seemed to have changed.
    early: bool,
    /// Time of this cycle so far.
    spent: Duration,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// There is one engine.
    Alone,
    /// Between trials: what a cycle took in the last one, and what some took since.
    Working(Duration, Vec<Duration>),
    /// The engine at work is timed.
    First(Vec<Duration>),
    /// The other one is, against the median of the first; cycles of warming up so far.
    Second(Duration, Vec<Duration>, usize),
}

impl EngineSelector {
    /// Beside an engine that was made in this time.
    pub fn new(compile_time: Duration) -> Self {
        Self {
            begun: None,
            worth: WORTH * compile_time,
            wait: LOOK,
            since: 0,
            pause: PAUSE,
            soon: SOON,
            early: false,
            spent: Duration::ZERO,
            stage: Stage::Alone,
        }
    }

    /// The time that engines take in this cycle is wanted.
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.wait == 0
    }

    /// The engine has taken so much time in this cycle.
    pub fn add(&mut self, time: Duration) {
        self.spent += time;
    }

    /// The cycle has ended.
    #[inline]
    pub fn end_cycle(&mut self) -> Turn {
        if self.wait > 0 {
            self.wait -= 1;
            return Turn::Stay;
        }
        let time = std::mem::take(&mut self.spent);
        self.decide(time)
    }

    fn decide(&mut self, time: Duration) -> Turn {
        match &mut self.stage {
            Stage::Alone => {
                let begun = *self.begun.get_or_insert_with(Instant::now);
                if begun.elapsed() < self.worth {
                    self.wait = LOOK;
                } else {
                    self.stage = Stage::First(vec![]);
                }
                Turn::Stay
            }
            Stage::Working(known, times) => {
                times.push(time);
                self.since += GLIMPSE;
                let drifted = times.len() == GLIMPSES && {
                    let ratio = median(times).as_secs_f64() / known.as_secs_f64().max(1e-9);
                    times.clear();
                    !(1.0 / DRIFT..DRIFT).contains(&ratio)
                };
                self.early = drifted && self.since >= self.soon;
                if self.early || self.since >= self.pause {
                    self.stage = Stage::First(vec![]);
                } else {
                    self.wait = GLIMPSE - 1;
                }
                Turn::Stay
            }
            Stage::First(times) => {
                times.push(time);
                if times.len() < TIMED {
                    return Turn::Stay;
                }
                self.stage = Stage::Second(median(times), vec![], 0);
                Turn::Change
            }
            Stage::Second(first, times, warm) => {
                if *warm < WARM_UP {
                    *warm += 1;
                    return Turn::Stay;
                }
                times.push(time);
                let ratio = median(times).as_secs_f64() / first.as_secs_f64().max(1e-9);
                if times.len() < TIMED && (times.len() < FEW || ratio < HOPELESS) {
                    return Turn::Stay;
                }
                let better = ratio < GAIN;
                self.stage = Stage::Working(if better { median(times) } else { *first }, vec![]);
                (self.wait, self.since) = (GLIMPSE - 1, 0);
                (self.pause, self.soon) = match (better, self.early) {
                    (true, _) => (PAUSE, SOON),
                    (false, true) => (self.pause, (2 * self.soon).min(LATER)),
                    (false, false) => ((2 * self.pause).min(LONGEST_PAUSE), self.soon),
                };
                if better { Turn::Stay } else { Turn::Change }
            }
        }
    }

    /// There is no other engine, or it cannot be made: no more trials.
    pub fn give_up(&mut self) {
        self.stage = Stage::Alone;
        self.wait = u64::MAX;
    }
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs with these microseconds per cycle, from the number of the cycle and the engine; cycles of each engine, and microseconds.
    fn run(cycles: u64, micros: impl Fn(u64, usize) -> u64) -> ([u64; 2], u64) {
        let mut selector = EngineSelector::new(Duration::ZERO);
        let (mut at, mut used, mut spent) = (0, [0, 0], 0);
        for i in 0..cycles {
            used[at] += 1;
            let time = micros(i, at);
            spent += time;
            if selector.is_timed() {
                selector.add(Duration::from_micros(time));
            }
            if selector.end_cycle() == Turn::Change {
                at = 1 - at;
            }
        }
        (used, spent)
    }

    #[test]
    fn the_faster_engine_goes_on() {
        let (used, _) = run(20_000, |_, engine| [30, 20][engine]);
        assert!(used[1] > 19_500, "{used:?}");
        let (used, _) = run(20_000, |_, engine| [20, 30][engine]);
        assert!(used[0] > 19_800, "{used:?}");
    }

    #[test]
    fn a_trial_of_a_slow_engine_costs_nearly_nothing() {
        for slow in [20, 40, 200] {
            let (used, spent) = run(200_000, |_, engine| [20, slow][engine]);
            assert!(spent < 200_000 * 20 * 102 / 100, "{slow}: {used:?}");
        }
    }

    #[test]
    fn the_choice_follows_the_load_and_no_interruption_counts() {
        // The load changes in the middle; one cycle in nine is interrupted for long.
        let time = |i: u64, engine: usize| {
            if i.is_multiple_of(9) { 5000 } else { [[20, 5], [20, 90]][usize::from(i > 100_000)][engine] }
        };
        let (used, _) = run(200_000, time);
        assert!((97_000..101_500).contains(&used[1]), "{used:?}");
    }

    #[test]
    fn a_load_that_changes_all_the_time_costs_little() {
        // Faster than trials could follow: bits always take 20, words between 2 and 200.
        for length in [100, 300, 1_000, 3_000] {
            let time = |i: u64, engine: usize| [20, [2, 200][usize::from(i / length % 2 == 1)]][engine];
            let (_, spent) = run(400_000, time);
            assert!(spent < 400_000 * 23, "{length}: {spent}");
        }
    }

    #[test]
    fn a_single_engine_is_never_left() {
        let mut selector = EngineSelector::new(Duration::from_secs(3600));
        assert!((0..100_000).all(|_| selector.end_cycle() == Turn::Stay));
        selector.give_up();
        assert!((0..100_000).all(|_| !selector.is_timed() && selector.end_cycle() == Turn::Stay));
    }
}
