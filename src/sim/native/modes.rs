//! Which code a tile runs: with activity gates, or plain code that evaluates all of it.
//!
//! Gates win where little changes, and lose where most does: every change costs a comparison and setting bits. Which it
//! is depends on the program, so each tile is measured while the simulation runs. In a [`Trial`] all tiles run some
//! evaluations with gates, then as many without; each tile goes on with what took less time, older trials counting with
//! half their weight each. The two kinds of code leave the same bits. The top has gates as long as any tile has: it
//! tells tiles with gates what has changed.

use crate::trial::{Trial, sum_without_largest};

/// Evaluations before the first trial.
const BEFORE: u32 = 256;
/// Evaluations between trials, at least and at most, and where plain code takes as long as gates. In between, as many
/// times more as it takes longer, so that trials take a few hundredths of the time: seldom where little is to be done,
/// when plain code costs a multiple. Soon where much is: once that is over, plain code loses more than it gained, and
/// nothing else tells, as it takes as long as before.
const PAUSES: [u32; 2] = [512, 4096];
/// Evaluations of one kind in a trial: at first, as changing the kind has a price of its own, and then measured.
const WARM: u64 = 3;
const MEASURED: u64 = 12;
/// Share of the time of the present kind that the other one must stay below.
const GAIN: f64 = 0.95;
/// How much more time than with the best code of each tile plain code of all may take.
const ALL: f64 = 1.1;

/// What the tiles run.
#[derive(Debug)]
pub(super) struct Modes {
    /// Per tile: plain code.
    plain: Vec<bool>,
    all_plain: bool,
    /// Evaluations until the next trial.
    wait: u32,
    trial: Option<TileTrial>,
    /// Per tile: time with gates and without, of the trials so far.
    known: Vec<[f64; 2]>,
}

#[derive(Debug)]
struct TileTrial {
    /// Of code with gates, and of plain code.
    turns: Trial,
    /// What tiles ran before.
    before: Vec<bool>,
    /// Per tile: nanoseconds with gates and without. Evaluations in which a tile did not take part took none.
    samples: Vec<[Vec<u64>; 2]>,
}

impl Modes {
    /// For so many tiles, with gates.
    pub fn new(tiles: usize) -> Self {
        Self { plain: vec![false; tiles], all_plain: false, wait: BEFORE, trial: None, known: vec![[0.0; 2]; tiles] }
    }

    /// The tile runs plain code.
    pub fn is_plain(&self, tile: usize) -> bool {
        self.plain[tile]
    }

    /// All tiles do; then the top can, too, as nobody has to be told of changes.
    pub fn all_plain(&self) -> bool {
        self.all_plain
    }

    /// The time of the evaluation at hand is wanted.
    pub fn is_timed(&self) -> bool {
        self.trial.as_ref().is_some_and(|trial| trial.turns.is_timed())
    }

    /// An evaluation of the tile took so long.
    pub fn took(&mut self, tile: usize, nanoseconds: u64) {
        if let Some(trial) = &mut self.trial {
            trial.samples[tile][trial.turns.at()].push(nanoseconds);
        }
    }

    /// An evaluation comes; calls `change` with each tile that runs other code than before.
    pub fn next(&mut self, change: impl FnMut(usize, bool)) {
        let tiles = self.plain.len();
        if let Some(trial) = &mut self.trial {
            // The evaluation before has ended; times are those of the tiles.
            if trial.turns.step(0.0).is_some() {
                match trial.turns.turn(|_, _| false) {
                    0 => self.decide(change),
                    _ => self.run(vec![true; tiles], change),
                }
            }
            return;
        }
        self.wait -= 1;
        if self.wait == 0 {
            let (turns, samples) = (Trial::new(2, WARM, MEASURED), vec![Default::default(); tiles]);
            self.trial = Some(TileTrial { turns, before: self.plain.clone(), samples });
            self.run(vec![false; tiles], change);
        }
    }

    /// The end of a trial.
    fn decide(&mut self, change: impl FnMut(usize, bool)) {
        let Some(TileTrial { before, samples, .. }) = self.trial.take() else { return };
        let tiles = self.known.iter_mut().zip(samples).zip(before);
        let wanted = tiles.map(|((known, samples), before)| {
            for (known, samples) in known.iter_mut().zip(samples) {
                *known = 0.5 * *known + sum_without_largest(&samples) as f64;
            }
            let [gated, plain] = *known;
            if before { gated >= GAIN * plain } else { plain < GAIN * gated }
        });
        let mut wanted: Vec<bool> = wanted.collect();
        // When that takes hardly more time, all run plain code: then the top does.
        let all = self.known.iter().map(|[_, plain]| plain).sum::<f64>();
        let best = self.known.iter().map(|[gated, plain]| gated.min(*plain)).sum::<f64>();
        if all < ALL * best {
            wanted.fill(true);
        }
        let gated = self.known.iter().map(|[gated, _]| gated).sum::<f64>();
        self.wait = ((f64::from(PAUSES[0]) * all / gated.max(1.0)) as u32).clamp(PAUSES[0], PAUSES[1]);
        self.run(wanted, change);
    }

    fn run(&mut self, wanted: Vec<bool>, mut change: impl FnMut(usize, bool)) {
        for (tile, (plain, wanted)) in self.plain.iter_mut().zip(wanted).enumerate() {
            if std::mem::replace(plain, wanted) != wanted {
                change(tile, wanted);
            }
        }
        self.all_plain = !self.plain.is_empty() && self.plain.iter().all(|&plain| plain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs to the end of the next trial, with these times of each tile with gates and without; `first`: of the very
    /// first measured evaluation instead.
    fn trial(modes: &mut Modes, times: &[[u64; 2]], mut first: Option<u64>) {
        while modes.trial.is_none() {
            modes.next(|_, _| ());
        }
        while modes.trial.is_some() {
            if modes.is_timed() {
                for (tile, times) in times.iter().enumerate() {
                    modes.took(tile, first.take().unwrap_or(times[usize::from(modes.is_plain(tile))]));
                }
            }
            modes.next(|_, _| ());
        }
    }

    #[test]
    fn each_tile_runs_what_takes_less_time() {
        let mut modes = Modes::new(3);
        trial(&mut modes, &[[5, 40], [30, 20], [20, 20]], None);
        assert_eq!(modes.plain, [false, true, false]);
        trial(&mut modes, &[[10, 20], [1, 20], [20, 20]], None);
        assert_eq!(modes.plain, [false, false, false]);
        // One trial against the older ones, then without them.
        trial(&mut modes, &[[14, 10], [1, 20], [20, 20]], None);
        assert_eq!(modes.plain, [false, false, false]);
        trial(&mut modes, &[[30, 10], [1, 20], [20, 20]], None);
        assert_eq!(modes.plain, [true, false, false]);
    }

    #[test]
    fn a_process_that_interferes_changes_nothing() {
        let mut modes = Modes::new(1);
        trial(&mut modes, &[[10, 20]], Some(1_000_000));
        assert!(!modes.is_plain(0));
    }

    #[test]
    fn trials_come_soon_where_much_is_done_and_seldom_where_they_cost_much() {
        let mut modes = Modes::new(2);
        for (times, plain, pauses) in [
            // Four times as much.
            ([[10, 40], [10, 40]], false, 2048..2049),
            ([[40, 30], [40, 30]], false, 550..600),
            ([[40, 30], [40, 30]], true, 512..513),
            ([[5, 25], [5, 25]], false, 700..800),
            ([[0, 25], [0, 25]], false, 1400..1500),
            ([[0, 25], [0, 25]], false, 2800..3000),
            ([[0, 25], [0, 25]], false, 4096..4097),
        ] {
            trial(&mut modes, &times, None);
            assert_eq!(modes.is_plain(0), plain, "{times:?}: {:?}", modes.known);
            assert!(pauses.contains(&modes.wait), "{times:?}: {:?}, {} in {pauses:?}", modes.known, modes.wait);
        }
    }

    #[test]
    fn every_change_is_told() {
        let (mut modes, mut plain) = (Modes::new(2), [false; 2]);
        for evaluation in 0..5_000 {
            modes.next(|tile, now| plain[tile] = now);
            assert_eq!(modes.plain, plain, "evaluation {evaluation}");
            if modes.is_timed() {
                modes.took(0, if plain[0] { 10 } else { 20 });
            }
        }
        assert_eq!(plain, [true, true]);
    }
}
