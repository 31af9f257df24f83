//! Which engine, when that is left to us: measured while the simulation runs, as it depends on the chip, on the program
//! and on the processor.
//!
//! The simulation starts with what the estimates say is fastest. [`EngineSelector`] tells when to make another one that
//! may be faster (its
//! *rivals*) and when to try it. Bits take the same time whether anything happens or not, words and vectors take time only for what
//! happens; so the choice follows the load.
//!
//! * **Time** is processor time: what else the machine does must not decide ([`processor_time`](crate::processor_time)).
//! * **A period** is a cycle of the base clock with all edges that other clocks have in it. In a chip with several clocks most instants
//!   have no edge of the cores, so single instants say nothing of an engine. A *burst* is a number of periods in which each clock has
//!   close to a whole number of edges ([`Schedule::burst`](crate::clocks::Schedule::burst)).
//! * **Payback**: a rival is made only when the run has taken [`WORTH`] times as long as making it, and those before, is expected to take: so a
//!   run never spends more than a part of its time for engines that it may not need.
//! * **A [`Trial`]** times bursts of the engine at work and of the rival in turn, until one is clearly faster, [`ROUNDS`] at most; the rival goes
//!   on when it is faster by the median. Trials of a rival come at growing distances, and soon after the engine at work has become slower
//!   or faster than it was: then the load has changed.
//!
//! All engines compute the same bits, and what one of them keeps elsewhere than in the common state is brought there
//! and fetched from there when they take turns.

use super::trial::{Trial, median};
use std::time::Duration;
use tracing::debug;

/// How much longer than making an engine a run has to take before it is made.
const WORTH: f64 = 4.0;

/// What making an engine counts for at least: an estimate may be far too low.
const LEAST: Duration = Duration::from_millis(250);

/// Periods from one burst to the next, between trials.
const LOOK: u64 = 240;

/// Periods before a burst of an engine that has just taken its turn: it evaluates everything at first.
const WARM_UP: u64 = 5;

/// Periods before the first trial of an engine that was just made: it measures what suits it (code with gates or
/// without, threads) itself.
const SETTLE: u64 = 500;

/// Bursts of each engine in a trial at most.
const ROUNDS: usize = 3;

/// Ratios of time, rival to engine at work, that decide a trial after one burst of each.
const CLEAR: [f64; 2] = [0.7, 1.3];

/// A new engine that takes so much longer is not left time to settle; trials of such a rival are rare.
const HOPELESS: f64 = 2.5;

/// What the rival must take of the time of the engine at work to go on.
const GAIN: f64 = 0.96;

/// Periods between trials of a rival: at first, and at most. Doubled after each that it loses.
const PAUSE: u64 = 4096;
const LONGEST_PAUSE: u64 = 65_536;

/// The load has changed when a burst takes so much longer, or shorter, than in the last trial.
const DRIFT: f64 = 1.25;

/// Least periods from a trial of a rival to one that comes for that reason: at first, and at most, when such trials
/// change nothing.
const SOON: u64 = 128;
const LATER: u64 = PAUSE;

/// What to do before the next period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Go on.
    Stay,
    /// Say which rivals there are: [`EngineSelector::offer`].
    List,
    /// Let this engine work; make it when it is not there yet.
    Change(usize),
}

/// Decides whose turn it is. Engines are numbered; 0 is the one with which the simulation starts.
#[derive(Debug)]
pub(super) struct EngineSelector {
    engines: Vec<Candidate>,
    /// The rivals are known: finding them takes time that a short run does not have.
    listed: bool,
    /// The engine at work, but for a rival on trial, and periods since it was chosen.
    chosen: usize,
    tenure: u64,
    /// Seconds of the run so far, and of making engines, but for the first.
    run: f64,
    making: f64,
    /// Bursts of the engine at work and, in its turn, of a rival.
    trial: Trial,
    rival: Option<Rival>,
    /// Time of this period so far.
    spent: Duration,
    /// Periods since the last look.
    periods: u64,
    /// Seconds of a period of the engine at work in the last trial, or in the first burst.
    known: Option<f64>,
}

/// An engine.
#[derive(Clone, Debug)]
struct Candidate {
    /// Seconds that it takes to make it.
    cost: f64,
    made: bool,
    /// It cannot be made, or is out for another reason.
    out: bool,
    /// Its time relative to that of the engine at work, in the last trial.
    ratio: f64,
    /// Periods since the last trial, from it to the next one, and to the next one if the load changes.
    since: u64,
    pause: u64,
    soon: u64,
    /// The load has changed since.
    early: bool,
}

impl Candidate {
    fn new(cost: Duration, made: bool) -> Self {
        Self {
            cost: cost.max(LEAST).as_secs_f64(),
            made,
            out: false,
            ratio: 1.0,
            since: 0,
            pause: PAUSE,
            soon: SOON,
            early: false,
        }
    }
}

/// An engine on trial.
#[derive(Clone, Copy, Debug)]
struct Rival {
    engine: usize,
    /// The trial came because the load seemed to have changed.
    early: bool,
    /// It was just made, and has not settled.
    new: bool,
}

impl EngineSelector {
    /// Beside the engine at work; bursts of so many periods.
    pub fn new(burst: u64) -> Self {
        Self {
            engines: vec![Candidate::new(Duration::ZERO, true)],
            listed: false,
            chosen: 0,
            tenure: 0,
            run: 0.0,
            making: 0.0,
            trial: Trial::new(1, LOOK, burst),
            rival: None,
            spent: Duration::ZERO,
            periods: 0,
            known: None,
        }
    }

    /// Rivals that take these times to make, in the order in which they are to be tried.
    pub fn offer(&mut self, rivals: &[Duration]) {
        self.engines.extend(rivals.iter().map(|&cost| Candidate::new(cost, false)));
        self.listed = true;
        if rivals.is_empty() {
            self.trial.again(u64::MAX);
        }
    }

    /// The time that engines take in this period is wanted.
    #[inline]
    pub fn is_timed(&self) -> bool {
        self.trial.is_timed()
    }

    /// The engine has taken so much time in this period.
    pub fn add(&mut self, time: Duration) {
        self.spent += time;
    }

    /// The period has ended.
    #[inline]
    pub fn end_period(&mut self) -> Turn {
        self.periods += 1;
        let seconds = std::mem::take(&mut self.spent).as_secs_f64();
        self.trial.step(seconds).map_or(Turn::Stay, |seconds| self.end_burst(seconds))
    }

    /// A burst has ended; `seconds`: of a period.
    fn end_burst(&mut self, seconds: f64) -> Turn {
        let periods = std::mem::take(&mut self.periods);
        self.run += seconds * periods as f64;
        self.tenure += periods;
        self.engines.iter_mut().for_each(|engine| engine.since += periods);
        let Some(rival) = &mut self.rival else { return self.check(seconds) };
        if self.trial.at() == 0 {
            return self.take_turns();
        }
        if rival.new && self.trial.ratios(1)[0] < HOPELESS {
            rival.new = false;
            self.trial.again(SETTLE);
            return Turn::Stay;
        }
        let rival = *rival;
        self.judge(rival, seconds)
    }

    /// After a burst of a trial.
    fn take_turns(&mut self) -> Turn {
        let on_trial = self.rival.map_or(self.chosen, |rival| rival.engine);
        Turn::Change([self.chosen, on_trial][self.trial.turn(|_, _| false)])
    }

    /// The engine at work goes on without rivals, until the next look.
    fn work(&mut self) {
        (self.rival, self.trial) = (None, Trial::new(1, LOOK, self.trial.length()));
    }

    /// Between trials: is one due?
    fn check(&mut self, seconds: f64) -> Turn {
        if !self.listed {
            self.work();
            return if self.run < WORTH * LEAST.as_secs_f64() { Turn::Stay } else { Turn::List };
        }
        let known = *self.known.get_or_insert(seconds);
        let drift = seconds / known;
        if !(1.0 / DRIFT..DRIFT).contains(&drift) {
            // A rival may take the same time as before, whatever the load.
            let early = |engine: &Candidate| engine.since >= engine.soon && engine.ratio < HOPELESS * drift.max(1.0);
            self.engines.iter_mut().for_each(|engine| engine.early |= early(engine));
        }
        // Those that were there before, the best one first; then the others in their order.
        let order = |&engine: &usize| (!self.engines[engine].made, self.engines[engine].ratio);
        let rivals = (0..self.engines.len()).filter(|&engine| self.is_due(engine));
        let Some(rival) = rivals.min_by(|a, b| order(a).partial_cmp(&order(b)).expect("ratios are numbers")) else {
            self.work();
            return Turn::Stay;
        };
        let Candidate { made, since, pause, .. } = self.engines[rival];
        self.rival = Some(Rival { engine: rival, early: made && since < pause, new: !made });
        self.trial = Trial::new(2, WARM_UP, self.trial.length());
        self.trial.measured(seconds);
        self.take_turns()
    }

    fn is_due(&self, engine: usize) -> bool {
        let Candidate { cost, made, out, since, pause, early, .. } = self.engines[engine];
        match made {
            _ if out || engine == self.chosen => false,
            true => since >= pause || early,
            false => self.run >= WORTH * (self.making + cost),
        }
    }

    /// The rival is at work, and its burst, with so many seconds a period, has ended: goes on with the trial or ends
    /// it.
    fn judge(&mut self, Rival { engine: rival, early, .. }: Rival, seconds: f64) -> Turn {
        let ratios = self.trial.ratios(1);
        let ratio = median(&ratios);
        let clear = !(CLEAR[0]..CLEAR[1]).contains(&ratio);
        if ratios.len() < ROUNDS && !clear {
            return self.take_turns();
        }
        let own = self.trial.bursts(0)[ratios.len() - 1];
        self.work();
        debug!("engine {} takes {:.1} us, engine {rival} {ratio:.3} of it", self.chosen, 1e6 * own);
        let better = ratio < GAIN;
        let engine = &mut self.engines[rival];
        (engine.since, engine.ratio, engine.early) = (0, ratio, false);
        if better {
            let before = &mut self.engines[self.chosen];
            (before.since, before.ratio, before.early) = (0, 1.0 / ratio, false);
            // One that was chosen and soon left again was chosen for a load that does not last.
            before.pause = if self.tenure < PAUSE { (2 * before.pause).min(LONGEST_PAUSE) } else { PAUSE };
            self.engines.iter_mut().for_each(|engine| engine.soon = SOON);
            (self.chosen, self.tenure, self.known) = (rival, 0, Some(seconds));
            return Turn::Stay;
        }
        if early {
            engine.soon = (2 * engine.soon).min(LATER);
        } else {
            engine.pause = (if ratio < HOPELESS { 2 } else { 4 } * engine.pause).min(LONGEST_PAUSE);
        }
        self.known = Some(own);
        Turn::Change(self.chosen)
    }

    /// The engine was made just now, which took this time.
    pub fn made(&mut self, engine: usize, time: Duration) {
        self.engines[engine].made = true;
        self.making += time.as_secs_f64();
    }

    /// The engine cannot be made: the one at work goes on.
    pub fn give_up(&mut self, engine: usize) {
        self.engines[engine].out = true;
        self.work();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::random::Random;

    /// What a run with a selector came to.
    #[derive(Debug)]
    struct Ran {
        /// Periods of each engine.
        used: Vec<u64>,
        micros: f64,
        /// The number of the period before which each rival was made.
        made: Vec<Option<u64>>,
    }

    const BURST: u64 = 12;

    /// Runs with these microseconds a period, from the number of the period and the engine, and these seconds to make
    /// rivals.
    fn run(periods: u64, cost: &[f64], micros: impl Fn(u64, usize) -> f64) -> Ran {
        let costs: Vec<Duration> = cost.iter().map(|&seconds| Duration::from_secs_f64(seconds)).collect();
        let mut selector = EngineSelector::new(BURST);
        let (mut at, mut ran) = (0, Ran { used: vec![0; cost.len() + 1], micros: 0.0, made: vec![None; cost.len()] });
        for i in 0..periods {
            ran.used[at] += 1;
            let time = micros(i, at);
            ran.micros += time;
            if selector.is_timed() {
                selector.add(Duration::from_secs_f64(1e-6 * time));
            }
            match selector.end_period() {
                Turn::Stay => {}
                Turn::List => selector.offer(&costs),
                Turn::Change(to) => {
                    if to > 0 && ran.made[to - 1].is_none() {
                        ran.made[to - 1] = Some(i);
                        selector.made(to, costs[to - 1]);
                    }
                    at = to;
                }
            }
        }
        ran
    }

    /// Engines that were made long ago, as far as `periods` are concerned.
    const QUICK: f64 = 0.0;

    /// After how many periods of so many microseconds one that costs the least is made.
    fn least(micros: f64) -> u64 {
        (WORTH * LEAST.as_secs_f64() / (1e-6 * micros)) as u64
    }

    #[test]
    fn the_fastest_of_several_engines_goes_on() {
        for fastest in 0..4 {
            let time = |_: u64, engine: usize| if engine == fastest { 200.0 } else { 250.0 + 10.0 * engine as f64 };
            let ran = run(200_000, &[QUICK; 3], time);
            assert!(ran.used[fastest] > 170_000, "{fastest}: {ran:?}");
        }
    }

    #[test]
    fn engines_close_to_each_other_are_told_apart() {
        // One in twenty periods takes twice as long, at random, and all vary.
        let random = |i: u64| Random::new(i).unit();
        let time = |i: u64, engine: usize| {
            let vary = 0.9 + 0.2 * random(i) + if random(i + 7_777_777) < 0.05 { 1.0 } else { 0.0 };
            [220.0, 200.0][engine] * vary
        };
        let ran = run(200_000, &[QUICK], time);
        assert!(ran.micros < 1.04 * 200.0 * 1.05 * 200_000.0, "{ran:?}");
    }

    #[test]
    fn a_trial_of_a_slow_engine_costs_nearly_nothing() {
        for slow in [200.0, 400.0, 2000.0] {
            let ran = run(200_000, &[QUICK; 3], |_, engine| if engine == 0 { 200.0 } else { slow });
            assert!(ran.micros < 200_000.0 * 200.0 * 1.02, "{slow}: {ran:?}");
        }
    }

    #[test]
    fn the_choice_follows_the_load() {
        // The load changes in the middle.
        let time = |i: u64, engine: usize| [[200.0, 50.0], [200.0, 900.0]][usize::from(i > 100_000)][engine];
        let ran = run(200_000, &[QUICK], time);
        assert!((100_000 - least(200.0) - 2_000..101_500).contains(&ran.used[1]), "{ran:?}");
    }

    #[test]
    fn a_load_that_changes_all_the_time_costs_little() {
        // Faster than trials could follow: bits always take 200, words between 20 and 2,000.
        for length in [100, 300, 1_000, 3_000] {
            let time = |i: u64, engine: usize| [200.0, [20.0, 2000.0][usize::from(i / length % 2 == 1)]][engine];
            let ran = run(400_000, &[QUICK], time);
            assert!(ran.micros < 400_000.0 * 230.0, "{length}: {ran:?}");
        }
    }

    #[test]
    fn an_engine_is_made_when_the_run_has_taken_a_multiple_of_what_it_costs() {
        // Eight seconds of 200 microseconds a period; LEAST counts for what seems to cost nothing.
        for (cost, after) in [(2.0, 8.0), (0.5, 2.0), (QUICK, WORTH * LEAST.as_secs_f64())] {
            let ran = run(60_000, &[cost], |_, _| 200.0);
            let seconds = 200e-6 * ran.made[0].expect("twelve seconds are enough") as f64;
            assert!((after..after + 0.1).contains(&seconds), "{cost}: {seconds}");
        }
        // What was made before counts: 4 x 0.5, 4 x (0.5 + 0.75) and 4 x (0.5 + 0.75 + 2) seconds, the last one too
        // late.
        let ran = run(60_000, &[0.5, 0.75, 2.0], |_, _| 200.0);
        let seconds = ran.made.iter().map(|made| made.map(|period| 200e-6 * period as f64)).collect::<Vec<_>>();
        assert!((2.0..2.1).contains(&seconds[0].expect("made")), "{seconds:?}");
        assert!((5.0..5.3).contains(&seconds[1].expect("made")), "{seconds:?}");
        assert_eq!(seconds[2], None);
    }

    #[test]
    fn a_short_run_does_not_even_look_for_rivals() {
        let mut selector = EngineSelector::new(BURST);
        let turn = |selector: &mut EngineSelector| {
            if selector.is_timed() {
                selector.add(Duration::from_micros(200));
            }
            selector.end_period()
        };
        assert!((0..least(200.0) - LOOK - BURST).all(|_| turn(&mut selector) == Turn::Stay));
        assert!((0..2 * (LOOK + BURST)).any(|_| turn(&mut selector) == Turn::List));
    }

    #[test]
    fn a_run_spends_a_small_part_of_its_time_on_engines_it_does_not_need() {
        for periods in [1_000, 10_000, 50_000, 100_000] {
            let costs = [3.0, 1.0, 0.3];
            let ran = run(periods, &costs, |_, _| 200.0);
            let spent: f64 = costs.iter().zip(&ran.made).filter(|(_, made)| made.is_some()).map(|(cost, _)| cost).sum();
            assert!(spent * WORTH <= 1e-6 * ran.micros, "{periods}: {spent} s, {ran:?}");
        }
    }

    #[test]
    fn instants_of_several_clocks_are_compared_by_whole_bursts() {
        // Three instants a period: the cores' takes 90 or 60, the two others 1 or 10 microseconds. By the median
        // instant the second engine is ten times as slow, by the period it is 13 % faster.
        let time = |_: u64, engine: usize| [90.0 + 1.0 + 1.0, 60.0 + 10.0 + 10.0][engine];
        let ran = run(100_000, &[QUICK], time);
        assert!(ran.used[1] > 80_000, "{ran:?}");
    }

    #[test]
    fn an_engine_that_cannot_be_made_is_out() {
        let mut selector = EngineSelector::new(BURST);
        selector.offer(&[Duration::ZERO]);
        let mut asked = 0;
        for _ in 0..100_000 {
            if selector.is_timed() {
                selector.add(Duration::from_millis(1));
            }
            if selector.end_period() == Turn::Change(1) {
                selector.give_up(1);
                asked += 1;
            }
        }
        assert_eq!(asked, 1);
    }

    #[test]
    fn a_single_engine_is_never_left() {
        let mut selector = EngineSelector::new(BURST);
        selector.offer(&[]);
        assert!((0..100_000).all(|_| !selector.is_timed() && selector.end_period() == Turn::Stay));
    }
}
