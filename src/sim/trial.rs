//! Trials: which of several candidates is faster, measured while the simulation runs.
//!
//! Candidates (numbers of threads, engines, kinds of code) take turns in *bursts*: first some steps in which a
//! candidate warms up, which are not timed, then some whose mean time counts. A step is an evaluation or a period.
//! Candidates that are compared in the same round have had much the same to do. Who makes a trial decides when it has
//! ended, and by which of the statistics.

/// Bursts of candidates in turn; the first candidate is what the others are compared with.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// Steps of a burst that are not timed, and those that are.
    warm_up: u64,
    length: u64,
    /// Candidate at work, steps before those of its burst that are timed, and timed ones so far, with their seconds.
    at: usize,
    wait: u64,
    timed: u64,
    seconds: f64,
    /// Per candidate: mean seconds of a step, for each burst.
    bursts: Vec<Vec<f64>>,
}

impl Trial {
    /// Begins with the first candidate.
    pub fn new(candidates: usize, warm_up: u64, length: u64) -> Self {
        Self { warm_up, length, at: 0, wait: warm_up, timed: 0, seconds: 0.0, bursts: vec![vec![]; candidates] }
    }

    /// Steps of a burst that are timed.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The candidate at work.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The time of the next step is wanted.
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.wait == 0
    }

    /// A step has ended that took `seconds`, if it was timed; returns the mean of the burst when that has ended, too.
    #[inline]
    pub fn step(&mut self, seconds: f64) -> Option<f64> {
        if self.wait > 0 {
            self.wait -= 1;
            return None;
        }
        self.timed += 1;
        self.seconds += seconds;
        (self.timed == self.length).then(|| {
            let mean = (self.seconds / self.length as f64).max(1e-9);
            self.measured(mean);
            mean
        })
    }

    /// The candidate at work takes so many seconds for a step: the result of a burst.
    pub fn measured(&mut self, seconds: f64) {
        self.bursts[self.at].push(seconds);
        (self.wait, self.timed, self.seconds) = (self.warm_up, 0, 0.0);
    }

    /// The last burst does not count: the candidate at work has another one, after so many steps.
    pub fn again(&mut self, after: u64) {
        self.bursts[self.at].pop();
        self.wait = after;
    }

    /// Between bursts: goes on with the next candidate that is not out, and after the last one with the first; returns
    /// which it is.
    pub fn turn(&mut self, is_out: impl Fn(&Self, usize) -> bool) -> usize {
        self.at = (self.at + 1..self.bursts.len()).find(|&candidate| !is_out(self, candidate)).unwrap_or(0);
        self.at
    }

    /// Seconds of the bursts of a candidate.
    pub fn bursts(&self, candidate: usize) -> &[f64] {
        &self.bursts[candidate]
    }

    /// Bursts of a candidate relative to those of the first one in the same rounds.
    pub fn ratios(&self, candidate: usize) -> Vec<f64> {
        self.bursts[candidate].iter().zip(&self.bursts[0]).map(|(own, first)| own / first).collect()
    }
}

/// Counts what a process that interferes has cost in some of the bursts.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Does not, as long as it interferes with less than half of the bursts.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The sum without the largest of several: another process may have had the processor in one of them.
pub(crate) fn sum_without_largest(values: &[u64]) -> u64 {
    let largest = values.iter().max().filter(|_| values.len() > 1);
    values.iter().sum::<u64>() - largest.copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps with these seconds until a burst ends: how many of them were not timed, and the mean of the others.
    fn burst(trial: &mut Trial, seconds: f64) -> (usize, f64) {
        let mut untimed = 0;
        loop {
            untimed += usize::from(!trial.is_timed());
            if let Some(mean) = trial.step(if trial.is_timed() { seconds } else { 1e9 }) {
                return (untimed, mean);
            }
        }
    }

    #[test]
    fn candidates_take_turns_until_they_are_out() {
        let mut trial = Trial::new(3, 2, 4);
        let slow = |trial: &Trial, candidate: usize| trial.bursts(candidate).last().is_some_and(|&mean| mean > 2.0);
        let mut turns = vec![];
        for _ in 0..8 {
            turns.push(trial.at());
            let seconds = [1.0, 3.0, 2.0][trial.at()];
            assert_eq!(burst(&mut trial, seconds), (2, seconds));
            trial.turn(slow);
        }
        assert_eq!(turns, [0, 1, 2, 0, 2, 0, 2, 0]);
        assert_eq!((trial.ratios(1), trial.ratios(2)), (vec![3.0], vec![2.0; 3]));
    }

    #[test]
    fn a_burst_is_given_or_repeated() {
        let mut trial = Trial::new(2, 1, 2);
        trial.measured(4.0);
        assert_eq!(trial.turn(|_, _| false), 1);
        assert_eq!(burst(&mut trial, 40.0), (1, 40.0));
        trial.again(7);
        assert_eq!(burst(&mut trial, 2.0), (7, 2.0));
        assert_eq!((trial.at(), trial.ratios(1)), (1, vec![0.5]));
    }

    #[test]
    fn statistics_differ_in_what_they_make_of_one_that_is_out_of_line() {
        assert_eq!((mean(&[1.0, 1.0, 10.0]), median(&[10.0, 1.0, 1.0])), (4.0, 1.0));
        assert_eq!((mean(&[]), median(&[])), (0.0, 0.0));
        assert_eq!([&[1, 10, 2][..], &[5], &[]].map(sum_without_largest), [3, 5, 0]);
    }
}
