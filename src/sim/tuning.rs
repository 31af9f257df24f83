//! How many threads evaluate, when that is left to us: measured, as it depends on the design, on what it does, and on
//! what else the machine does.
//!
//! A [`Trial`] alternates short bursts of cycles with one thread and with more. More threads are taken when the mean of
//! their bursts is clearly below the median of one thread's bursts: the mean has in it what they lose when another
//! process takes a core from them. The first trial comes some cycles after the start (a chip that is being loaded does
//! little), the next ones at growing distances, and at once when the cycles on several threads have become slower than
//! those on one were. Results do not depend on the number of threads, so none of this changes a bit.

use super::trial::{Trial, mean, median};
use std::time::Duration;

/// Evaluations before the first trial.
const BEFORE: u64 = 192;

/// Evaluations between trials: at first, and at most. Doubled after each.
const PAUSE: u64 = 1024;
const LONGEST_PAUSE: u64 = 8192;

/// Evaluations of a burst; one before wakes the threads and is not counted.
const BURST: u64 = 8;

/// Bursts of each candidate in a trial.
const ROUNDS: usize = 12;

/// A candidate that takes that much longer than one thread is out: after one round, and after more.
const HOPELESS: [f64; 2] = [2.0, 1.3];

/// What more threads must take of the time of one to be used.
const GAIN: f64 = 0.93;

/// While several threads are used, all evaluations are timed (they are long compared with a look at the clock), and so
/// many are averaged.
const CHECKS: u32 = 128;

/// Chooses among numbers of threads.
#[derive(Debug)]
pub(crate) struct Tuner {
    /// Numbers of threads, ascending from 1; a single one when there is nothing to choose.
    candidates: Vec<usize>,
    /// Evaluations on each.
    used: Vec<u64>,
    /// Position of the one in use.
    chosen: usize,
    /// Evaluations until the next trial.
    wait: u64,
    pause: u64,
    trial: Option<Trial>,
    /// Of the last trial: mean seconds of an evaluation per candidate, as far as it came.
    known: Vec<f64>,
    checked: Checks,
}

#[derive(Clone, Copy, Debug, Default)]
struct Checks {
    count: u32,
    seconds: f64,
}

/// Which numbers of threads were tried, and how long an evaluation took.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Threading {
    /// Threads of most of the evaluations.
    pub threads: usize,
    /// The number was left to the simulator.
    pub automatic: bool,
    /// Of the last trial: numbers of threads, and their time relative to that of one thread.
    pub trials: Vec<(usize, f64)>,
}

impl Tuner {
    /// Just this number of threads.
    pub fn fixed(threads: usize) -> Self {
        Self::among(vec![threads])
    }

    /// One thread, or powers of two up to `most`, or `most`.
    pub fn automatic(most: usize) -> Self {
        let mut candidates = vec![1];
        while candidates[candidates.len() - 1] < most {
            candidates.push((candidates[candidates.len() - 1] * 2).min(most));
        }
        Self::among(candidates)
    }

    fn among(candidates: Vec<usize>) -> Self {
        Self {
            used: vec![0; candidates.len()],
            candidates,
            chosen: 0,
            wait: BEFORE,
            pause: PAUSE,
            trial: None,
            known: vec![],
            checked: Checks::default(),
        }
    }

    /// The numbers of threads among which is chosen.
    pub fn candidates(&self) -> &[usize] {
        &self.candidates
    }

    /// An evaluation comes: the position of its number of threads among the candidates, and whether its time is wanted.
    pub fn next(&mut self) -> (usize, bool) {
        let (at, timed) = self.choose();
        self.used[at] += 1;
        (at, timed)
    }

    fn choose(&mut self) -> (usize, bool) {
        if self.candidates.len() == 1 {
            return (0, false);
        }
        if let Some(trial) = &self.trial {
            return (trial.at(), trial.is_timed());
        }
        self.wait -= 1;
        if self.wait == 0 {
            self.start_trial();
            return (0, false);
        }
        (self.chosen, self.chosen > 0)
    }

    fn start_trial(&mut self) {
        self.trial = Some(Trial::new(self.candidates.len(), 1, BURST));
        self.checked = Checks::default();
    }

    /// The evaluation is done; `time` as far as it was wanted.
    pub fn done(&mut self, time: Option<Duration>) {
        let seconds = time.map_or(0.0, |time| time.as_secs_f64());
        if let Some(trial) = &mut self.trial {
            // After the last candidate a round has ended.
            if trial.step(seconds).is_some()
                && trial.turn(is_out) == 0
                && (trial.bursts(0).len() == ROUNDS || (1..self.candidates.len()).all(|at| is_out(trial, at)))
            {
                self.end_trial();
            }
        } else if time.is_some() {
            self.check(seconds);
        }
    }

    /// A timed evaluation between trials.
    fn check(&mut self, seconds: f64) {
        self.checked.count += 1;
        self.checked.seconds += seconds;
        if self.checked.count == CHECKS {
            let mean = self.checked.seconds / f64::from(CHECKS);
            self.checked = Checks::default();
            if mean > self.known.first().copied().unwrap_or(f64::INFINITY) {
                self.start_trial();
            }
        }
    }

    fn end_trial(&mut self) {
        let Some(trial) = self.trial.take() else { return };
        let of = |at| if at == 0 { median(trial.bursts(0)) } else { mean(trial.bursts(at)) };
        self.known = (0..self.candidates.len()).map(of).collect();
        let fastest = (0..self.known.len()).min_by(|&a, &b| self.known[a].total_cmp(&self.known[b])).unwrap_or(0);
        self.chosen = if self.known[fastest] < GAIN * self.known[0] { fastest } else { 0 };
        self.wait = self.pause;
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
    }

    /// What was chosen, and why.
    pub fn report(&self) -> Threading {
        let most = (0..self.used.len()).max_by_key(|&at| (self.used[at], std::cmp::Reverse(at))).unwrap_or(0);
        let one = self.known.first().copied().unwrap_or(1.0);
        let trials = self.candidates.iter().zip(&self.known).skip(1).map(|(&threads, &time)| (threads, time / one));
        Threading { threads: self.candidates[most], automatic: self.candidates.len() > 1, trials: trials.collect() }
    }
}

/// The candidate takes so much longer than one thread that it is out.
fn is_out(trial: &Trial, candidate: usize) -> bool {
    let limit = match trial.bursts(candidate).len() {
        0 => return false,
        1 => HOPELESS[0],
        _ => HOPELESS[1],
    };
    mean(trial.bursts(candidate)) > limit * median(trial.bursts(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::random::Random;

    /// Runs with these microseconds per evaluation, from the number of the evaluation and the threads; returns
    /// evaluations per candidate.
    fn run(tuner: &mut Tuner, evaluations: u64, micros: impl Fn(u64, usize) -> u64) -> Vec<u64> {
        let before = tuner.used.clone();
        for i in 0..evaluations {
            let (at, timed) = tuner.next();
            let time = Duration::from_micros(micros(i, tuner.candidates()[at]));
            tuner.done(timed.then_some(time));
        }
        tuner.used.iter().zip(before).map(|(after, before)| after - before).collect()
    }

    #[test]
    fn threads_are_used_when_they_gain() {
        let mut tuner = Tuner::automatic(2);
        let used = run(&mut tuner, 20_000, |_, threads| if threads == 1 { 30 } else { 20 });
        assert!(used[1] > 19_000, "{used:?}");
        let report = tuner.report();
        assert_eq!((report.threads, report.automatic, report.trials.len()), (2, true, 1));
        assert!((report.trials[0].1 - 20.0 / 30.0).abs() < 1e-6, "{report:?}");
    }

    #[test]
    fn a_trial_that_finds_no_gain_costs_nearly_nothing() {
        for slow in [29, 45, 300] {
            let mut tuner = Tuner::automatic(2);
            let time = |_, threads: usize| if threads == 1 { 30 } else { slow };
            let used = run(&mut tuner, 20_000, time);
            let cost = used[0] * 30 + used[1] * slow;
            assert!(cost < 20_000 * 30 * 103 / 100, "{slow}: {used:?}");
            assert_eq!(tuner.report().threads, 1);
        }
    }

    #[test]
    fn a_thread_that_is_held_up_now_and_then_is_found_out() {
        // Two threads are faster, but lose a core for a long time in one evaluation of 32, at random.
        let time = |i: u64, threads: usize| match threads {
            1 => 30,
            _ if Random::new(i).below(32) == 0 => 2000,
            _ => 20,
        };
        let (runs, length) = (50, 20_000);
        let used = |seed: u64| run(&mut Tuner::automatic(2), length, |i, threads| time(seed << 32 | i, threads))[1];
        let on_two = (0..runs).map(used).sum::<u64>() as f64 / runs as f64;
        let lost = 20.0 + 1980.0 / 32.0 - 30.0;
        assert!(on_two * lost < 0.05 * length as f64 * 30.0, "{on_two}");
    }

    #[test]
    fn the_best_of_many_is_taken_and_given_up_when_it_gets_slow() {
        let mut tuner = Tuner::automatic(6);
        assert_eq!(tuner.candidates(), [1, 2, 4, 6]);
        let used = run(&mut tuner, 5_000, |_, threads| [0, 30, 20, 0, 15, 0, 25][threads]);
        assert!(used[2] > 3_500, "{used:?}");
        // The other cores are taken away.
        let used = run(&mut tuner, 5_000, |_, threads| 30 * threads as u64);
        assert!(used[0] > 4_000, "{used:?}");
    }

    #[test]
    fn a_given_number_is_never_measured() {
        let mut tuner = Tuner::fixed(3);
        assert!((0..10_000).all(|_| tuner.next() == (0, false)));
        assert_eq!(tuner.report(), Threading { threads: 3, automatic: false, trials: vec![] });
        assert_eq!(Tuner::automatic(1).candidates(), [1]);
    }
}
