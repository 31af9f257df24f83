//! Many loads on one network: a list of them, or those from almost nothing to the knee of the curve, chosen by what the
//! network does.
//!
//! The *saturation load* is that at which the mean latency reaches [`KNEE`] times the zero-load latency: the load is
//! doubled until it does, then halved in between to within [`PRECISION`]; between the two loads that remain latency is
//! taken as a straight line. Then even steps up to the knee are added, so that the points show the whole curve.
//!
//! Every search ends: no load is measured that is so low that fewer than [`LEAST_PACKETS`] packets are expected in the
//! measurement. A network that is beyond the knee at the lowest of the others has its knee below it.

use super::{Bench, OpenLoopError, Phases};
use crate::report::{LoadPoint, LoadVerdict};

/// Latency at the saturation load, relative to the zero-load latency.
pub const KNEE: f64 = 3.0;
/// Relative distance of the two loads around the knee.
const PRECISION: f64 = 0.01;
/// First load, relative to the highest that can be offered.
const FIRST: f64 = 0.02;
/// Even steps up to the knee.
const STEPS: u32 = 10;
/// Measured packets that a load of a sweep has, as far as can be foreseen.
pub const LEAST_PACKETS: f64 = 30.0;

/// The result of a sweep.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// Where the knee is; `None` when it was not looked for.
    pub knee: Option<Knee>,
    /// Every load measured, rising.
    pub points: Vec<LoadPoint>,
    /// It was ended before it had found and measured everything; see [`Bench::interrupt_on`].
    pub interrupted: bool,
}

/// Where latency reaches [`KNEE`] times the zero-load latency, flits per sender and cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Knee {
    /// At this load.
    At(f64),
    /// Below this one, the lowest that could be measured.
    Below(f64),
    /// Nowhere up to this one, the highest that can be offered.
    None(f64),
}

/// How far a measurement of several loads is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SweepProgress {
    /// The load that is measured.
    pub load: f64,
    /// Its number, from 1 on.
    pub number: usize,
    /// Loads in all, as far as can be foreseen.
    pub loads: usize,
    /// Cycles of all loads so far.
    pub cycles: u64,
    /// Cycles in all, as far as can be foreseen.
    pub of: u64,
}

/// Measures `loads`, rising, each once. `each_cycle` is told how far it is.
pub fn series(
    bench: &mut Bench,
    loads: &[f64],
    setting: LoadSetting,
    each_cycle: impl FnMut(SweepProgress),
) -> Result<Sweep, OpenLoopError> {
    let mut loads = loads.to_vec();
    loads.sort_by(f64::total_cmp);
    loads.dedup();
    let mut measured = MeasuredLoad::new(bench, setting, each_cycle);
    let count = loads.len();
    let ended = loads.into_iter().enumerate().try_for_each(|(i, load)| measured.load(load, count - i - 1).map(drop));
    measured.finish(ended.map(|()| None))
}

/// What is common to all loads.
#[derive(Clone, Copy, Debug)]
pub struct LoadSetting {
    /// Lengths of the phases.
    pub phases: Phases,
    /// Seed of the traffic.
    pub seed: u64,
    /// Bytes of a flit, for the report.
    pub flit_bytes: u32,
}

/// Finds the knee and measures the curve up to it. `each_cycle` is told how far it is.
pub fn sweep(
    bench: &mut Bench,
    setting: LoadSetting,
    each_cycle: impl FnMut(SweepProgress),
) -> Result<Sweep, OpenLoopError> {
    let mut measured = MeasuredLoad::new(bench, setting, each_cycle);
    let found = find(&mut measured);
    measured.finish(found.map(Some))
}

/// The loads around the knee.
enum LoadBracket {
    /// Below it, and beyond it.
    Both(f64, f64),
    Below(f64),
    None(f64),
}

/// Measures all points.
fn find(measured: &mut MeasuredLoad<'_, impl FnMut(SweepProgress)>) -> Result<LoadBracket, OpenLoopError> {
    let most = measured.bench.most_load().min(1.0);
    let least = measured.least().min(most);
    let first = rounded(FIRST * most).max(rounded_up(least));
    let (mut below, mut beyond) = (None, first);
    while !measured.is_beyond(beyond, doublings(beyond, most) + halvings(beyond / 2.0, beyond) + STEPS as usize - 1)? {
        below = Some(beyond);
        if beyond >= most {
            steps(measured, beyond)?;
            return Ok(LoadBracket::None(most));
        }
        beyond = rounded((2.0 * beyond).min(most));
    }
    let Some(mut below) = below else { return Ok(LoadBracket::Below(beyond)) };
    while beyond - below > PRECISION * beyond {
        let between = rounded((below + beyond) / 2.0);
        if between <= below || between >= beyond {
            break;
        }
        let left = halvings(below, beyond) - 1 + STEPS as usize - 1;
        if measured.is_beyond(between, left)? { beyond = between } else { below = between }
    }
    steps(measured, below)?;
    Ok(LoadBracket::Both(below, beyond))
}

/// Even steps up to a load, which has been measured.
fn steps(measured: &mut MeasuredLoad<'_, impl FnMut(SweepProgress)>, last: f64) -> Result<(), OpenLoopError> {
    let least = measured.least();
    for step in 1..STEPS {
        let load = rounded(last * f64::from(step) / f64::from(STEPS));
        if load >= least && !measured.points.iter().any(|point| point.offered == load) {
            measured.load(load, (STEPS - step - 1) as usize)?;
        }
    }
    Ok(())
}

/// Loads until the highest is reached, each twice the one before.
fn doublings(load: f64, most: f64) -> usize {
    (most / load).log2().ceil().max(0.0) as usize
}

/// Loads in between until two are close enough.
fn halvings(below: f64, beyond: f64) -> usize {
    ((beyond - below) / (PRECISION * beyond)).log2().ceil().max(1.0) as usize
}

/// What has been measured, and with what.
struct MeasuredLoad<'a, F> {
    bench: &'a mut Bench,
    setting: LoadSetting,
    each_cycle: F,
    points: Vec<LoadPoint>,
    cycles: u64,
}

impl<'a, F: FnMut(SweepProgress)> MeasuredLoad<'a, F> {
    fn new(bench: &'a mut Bench, setting: LoadSetting, each_cycle: F) -> Self {
        Self { bench, setting, each_cycle, points: vec![], cycles: 0 }
    }

    /// The lowest load with enough packets in the measurement.
    fn least(&self) -> f64 {
        let opportunities = self.bench.senders() as f64 * self.setting.phases.measure as f64;
        LEAST_PACKETS * self.bench.mean_request() / opportunities
    }

    /// Measures a load, after which so many are left.
    fn load(&mut self, load: f64, left: usize) -> Result<&LoadPoint, OpenLoopError> {
        let LoadSetting { phases, seed, flit_bytes } = self.setting;
        let (done, number) = (self.cycles, self.points.len() + 1);
        let each = phases.warmup + phases.measure;
        let each_cycle = &mut self.each_cycle;
        let step = |cycle: u64| {
            let of = done + cycle.max(each) + left as u64 * each;
            each_cycle(SweepProgress { load, number, loads: number + left, cycles: done + cycle, of });
        };
        let before = self.bench.simulated().0;
        let point = self.bench.run(load, phases, seed, flit_bytes, step)?;
        self.cycles += self.bench.simulated().0 - before;
        self.points.push(point);
        Ok(&self.points[number - 1])
    }

    /// The same; whether latency has reached the knee there, or has no value any more.
    fn is_beyond(&mut self, load: f64, left: usize) -> Result<bool, OpenLoopError> {
        let limit = KNEE * self.bench.zero_load_latency();
        let point = self.load(load, left)?;
        let grows = matches!(point.verdict, LoadVerdict::Saturated | LoadVerdict::Deadlocked);
        Ok(grows || point.packet_latency.is_some_and(|latency| latency.mean >= limit))
    }

    /// What an interruption has left is a result, too.
    fn finish(self, found: Result<Option<LoadBracket>, OpenLoopError>) -> Result<Sweep, OpenLoopError> {
        let (mut points, limit) = (self.points, KNEE * self.bench.zero_load_latency());
        points.sort_by(|a, b| a.offered.total_cmp(&b.offered));
        let (around, interrupted) = match found {
            Err(OpenLoopError::Interrupted) => (None, true),
            found => (found?, false),
        };
        let knee = around.map(|around| match around {
            LoadBracket::Both(below, beyond) => Knee::At(knee(&points, below, beyond, limit)),
            LoadBracket::Below(lowest) => Knee::Below(lowest),
            LoadBracket::None(most) => Knee::None(most),
        });
        Ok(Sweep { knee, points, interrupted })
    }
}

/// Loads that people can read.
fn rounded(load: f64) -> f64 {
    (load * grain(load)).round() / grain(load)
}

/// The same, no lower.
fn rounded_up(load: f64) -> f64 {
    (load * grain(load)).ceil() / grain(load)
}

/// How many of the smallest differences make one.
fn grain(load: f64) -> f64 {
    if load < 0.002 { 1e7 } else { 1e5 }
}

/// Between the loads `below` and `beyond` around the knee: where a straight line reaches `limit`; in the middle when latency beyond
/// has no value.
fn knee(points: &[LoadPoint], below: f64, beyond: f64, limit: f64) -> f64 {
    let latency = |load: f64| {
        let has_one = |point: &&LoadPoint| matches!(point.verdict, LoadVerdict::Converged | LoadVerdict::Undecided);
        let point = points.iter().filter(has_one).find(|point| point.offered == load)?;
        Some(point.packet_latency?.mean)
    };
    match (latency(below), latency(beyond)) {
        (Some(low), Some(high)) if high > low => below + (beyond - below) * (limit - low) / (high - low),
        _ => (below + beyond) / 2.0,
    }
}
