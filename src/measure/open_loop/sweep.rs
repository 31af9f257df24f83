//! Loads from almost nothing to the knee of the curve, chosen by what the network does.
//!
//! The *saturation load* is that at which the mean latency reaches [`KNEE`] times the latency without contention: the load is
//! doubled until it does, then halved in between to within [`PRECISION`]; between the two loads that remain latency is taken as a
//! straight line. Then even steps up to the knee are added, so that the points show the whole curve.

use super::{Bench, OpenLoopError, Phases};
use crate::report::{LoadPoint, LoadVerdict};

/// Latency at the saturation load, relative to that without contention.
pub const KNEE: f64 = 3.0;
/// Relative distance of the two loads around the knee.
const PRECISION: f64 = 0.01;
/// First load, relative to the highest that can be offered.
const FIRST: f64 = 0.02;
/// Even steps up to the knee.
const STEPS: u32 = 10;

/// The result of a sweep.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// Load at the knee, flits per sender and cycle; `None` when the highest load that can be offered is below it.
    pub saturation_load: Option<f64>,
    /// Every load measured, rising.
    pub points: Vec<LoadPoint>,
    /// It was ended before it had found and measured everything; see [`Bench::interrupt_on`].
    pub interrupted: bool,
}

/// Finds the knee and measures the curve up to it. `each_cycle` is told the load and the number of cycles so far.
pub fn sweep(
    bench: &mut Bench,
    phases: Phases,
    seed: u64,
    flit_bytes: u32,
    mut each_cycle: impl FnMut(f64, u64),
) -> Result<Sweep, OpenLoopError> {
    let mut points: Vec<LoadPoint> = vec![];
    let found = find(bench, &mut points, |bench, load| {
        bench.run(load, phases, seed, flit_bytes, |cycle| each_cycle(load, cycle))
    });
    points.sort_by(|a, b| a.offered.total_cmp(&b.offered));
    match found {
        Err(OpenLoopError::Interrupted) => Ok(Sweep { saturation_load: None, points, interrupted: true }),
        found => {
            let limit = KNEE * bench.zero_load_latency();
            let saturation_load = found?.map(|(below, beyond)| knee(&points, below, beyond, limit));
            Ok(Sweep { saturation_load, points, interrupted: false })
        }
    }
}

/// Measures all points; the loads around the knee, if there is one.
fn find(
    bench: &mut Bench,
    points: &mut Vec<LoadPoint>,
    mut run: impl FnMut(&mut Bench, f64) -> Result<LoadPoint, OpenLoopError>,
) -> Result<Option<(f64, f64)>, OpenLoopError> {
    let limit = KNEE * bench.zero_load_latency();
    let most = bench.most_load().min(1.0);
    let mut measure = |bench: &mut Bench, load: f64| {
        let point = run(bench, rounded(load))?;
        let beyond = is_beyond(&point, limit);
        points.push(point);
        Ok::<_, OpenLoopError>(beyond)
    };
    let (mut below, mut beyond) = (0.0, rounded(FIRST * most));
    while !measure(bench, beyond)? {
        below = beyond;
        if beyond >= most {
            break;
        }
        beyond = rounded((2.0 * beyond).min(most));
    }
    let found = below < beyond;
    while found && beyond - below > PRECISION * beyond {
        let between = rounded((below + beyond) / 2.0);
        if measure(bench, between)? { beyond = between } else { below = between }
    }
    for step in 1..=STEPS {
        let load = below * f64::from(step) / f64::from(STEPS);
        if load > 0.0 && step < STEPS {
            measure(bench, load)?;
        }
    }
    Ok(found.then_some((below, beyond)))
}

/// Loads that people can read.
fn rounded(load: f64) -> f64 {
    (load * 1e5).round() / 1e5
}

/// Latency has reached the knee, or has no value any more.
fn is_beyond(point: &LoadPoint, limit: f64) -> bool {
    point.verdict != LoadVerdict::Converged || point.packet_latency.is_none_or(|latency| latency.mean >= limit)
}

/// Between the loads `below` and `beyond` around the knee: where a straight line reaches `limit`; in the middle when latency beyond
/// has no value.
fn knee(points: &[LoadPoint], below: f64, beyond: f64, limit: f64) -> f64 {
    let latency = |load: f64| {
        let point = points.iter().find(|point| point.offered == load && point.verdict == LoadVerdict::Converged)?;
        Some(point.packet_latency?.mean)
    };
    match (latency(below), latency(beyond)) {
        (Some(low), Some(high)) if high > low => below + (beyond - below) * (limit - low) / (high - low),
        _ => (below + beyond) / 2.0,
    }
}
