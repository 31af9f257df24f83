//! Whether a measurement is of a steady state: the verdict of a load.
//!
//! The measurement is cut into [`BATCHES`] batches of equal length. By batch are counted: flits that were created and
//! flits that came out, of all nodes and of each, and the latency of the packets that arrived. Besides, each source
//! tells how long it had nothing to send.
//!
//! *Converged* is a load at which
//! 1. as much comes out as is offered: the growth of the backlog (created less accepted) has zero in its confidence interval, or is below it,
//! 2. latency has no rising trend from batch to batch, and
//! 3. no source is always busy: each has nothing to send in some part of the last quarter.
//!
//! *Saturated* is a load at which a source has been busy for nearly all of the measurement, while its backlog, or that of all, grows beyond
//! doubt. What is neither is *undecided*: close to saturation only a longer measurement can tell, and says that it does
//! not know until then. The thresholds were chosen on queues whose state is known (one server a source and shared
//! servers, packets of 1 to 64 flits, loads of 30 % to 200 % of the capacity, 480 measurements a load): of 11,040
//! measurements of 10,000 cycles, 4 were contradicted by ten times as many.
//!
//! Source: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*, section 24.4 (batch
//! means); A. M. Law,
//! *Simulation Modeling and Analysis*, chapter 9.

use crate::report::LoadVerdict;
use std::ops::Range;

/// Batches of a measurement.
pub const BATCHES: usize = 20;

/// Student's t with one degree of freedom less than there are batches: 95 % lie within, both sides.
const T_95: f64 = 2.093;
/// The same of one side: 99.9 % lie below.
const T_999: f64 = 3.579;
/// With two degrees less, for a slope: 99 % lie below.
const T_99_SLOPE: f64 = 2.552;
/// A trend that raises latency by less than this part of it in all of the measurement is none.
const RISE: f64 = 0.1;
/// Part of the last quarter in which a source has nothing to send, at the least, when it is not always busy.
const IDLE: f64 = 0.05;
/// Part of the measurement in which a source is busy without a break, at its end, when it is always busy.
const BUSY: f64 = 0.9;

/// What is counted in one batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Batch {
    created: u64,
    accepted: u64,
    /// Of packets that arrived in it: how many, and the sum of their latencies.
    arrived: Mean,
    /// The same of measured packets that were created in it.
    measured: Mean,
}

/// A mean in the making.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Mean {
    count: u64,
    sum: u64,
}

impl Mean {
    fn add(&mut self, value: u64) {
        self.count += 1;
        self.sum += value;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// The batches of one measurement.
#[derive(Clone, Debug)]
pub struct Batches {
    window: Range<u64>,
    all: [Batch; BATCHES],
    /// By node and batch: flits created there less those of its that came out.
    growth_of: Vec<[i64; BATCHES]>,
}

/// How long a source had something to send.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SourceUse {
    /// Its node.
    pub node: u32,
    /// Part of the last quarter of the measurement in which it had nothing to send, 0 to 1.
    pub idle: f64,
    /// Cycles, until the end of the measurement, for which it has had something without a break.
    pub busy: u64,
}

/// A verdict, and what it rests on when it is not `converged`.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The verdict.
    pub verdict: LoadVerdict,
    /// In words; empty where there is nothing to say.
    pub reason: String,
}

impl Finding {
    /// Without more words.
    pub fn plain(verdict: LoadVerdict) -> Self {
        Self { verdict, reason: String::new() }
    }
}

/// The last quarter of a measurement.
pub fn last_quarter(window: &Range<u64>) -> Range<u64> {
    window.end - (window.end - window.start).div_ceil(4)..window.end
}

impl Batches {
    /// Of a measurement in these cycles, in a network of so many nodes.
    pub fn new(window: Range<u64>, nodes: u32) -> Self {
        Self { window, all: [Batch::default(); BATCHES], growth_of: vec![[0; BATCHES]; nodes as usize] }
    }

    /// The batch of a cycle of the measurement.
    fn of(&self, cycle: u64) -> Option<usize> {
        let length = self.window.end - self.window.start;
        self.window.contains(&cycle).then(|| ((cycle - self.window.start) * BATCHES as u64 / length) as usize)
    }

    /// A packet of so many flits was created at a node.
    pub fn created(&mut self, now: u64, node: u32, flits: u32) {
        if let Some(batch) = self.of(now) {
            self.all[batch].created += u64::from(flits);
            self.growth_of[node as usize][batch] += i64::from(flits);
        }
    }

    /// A flit from a node came out.
    pub fn accepted(&mut self, now: u64, node: u32) {
        if let Some(batch) = self.of(now) {
            self.all[batch].accepted += 1;
            self.growth_of[node as usize][batch] -= 1;
        }
    }

    /// A packet that was created in a cycle has arrived whole.
    pub fn arrived(&mut self, created: u64, now: u64) {
        if let Some(batch) = self.of(now) {
            self.all[batch].arrived.add(now - created);
        }
        if let Some(batch) = self.of(created) {
            self.all[batch].measured.add(now - created);
        }
    }

    /// Half the width of the 95 % confidence interval of the mean latency of the measured packets, cycles; `None` where a batch has none.
    pub fn latency_half_width(&self) -> Option<f64> {
        let means: Option<Vec<f64>> = self.all.iter().map(|batch| batch.measured.value()).collect();
        Some(T_95 * Sample::of(&means?).error)
    }

    /// The same of the flits that came out in a cycle.
    pub fn accepted_half_width(&self) -> f64 {
        let per_batch = (self.window.end - self.window.start) as f64 / BATCHES as f64;
        let accepted: Vec<_> = self.all.iter().map(|batch| batch.accepted as f64 / per_batch).collect();
        T_95 * Sample::of(&accepted).error
    }

    /// The verdict at the end of the measurement, of a network that is not deadlocked.
    pub fn finding(&self, sources: &[SourceUse]) -> Finding {
        let length = self.window.end - self.window.start;
        if length < BATCHES as u64 {
            let reason = format!("the measurement is shorter than {BATCHES} cycles");
            return Finding { verdict: LoadVerdict::Undecided, reason };
        }
        let growth: Vec<_> = self.all.iter().map(|batch| batch.created as f64 - batch.accepted as f64).collect();
        let growth = Sample::of(&growth);
        let grows = |source: &&SourceUse| {
            let own = self.growth_of[source.node as usize].map(|flits| flits as f64);
            growth.t().max(Sample::of(&own).t()) > T_999
        };
        let always_busy = |source: &&SourceUse| source.busy as f64 >= BUSY * length as f64;
        if let Some(SourceUse { node, .. }) = sources.iter().filter(always_busy).find(grows) {
            let reason = format!("node {node} always has packets waiting, and ever more wait");
            return Finding { verdict: LoadVerdict::Saturated, reason };
        }
        let mut doubts = vec![];
        if growth.t() > T_95 {
            doubts.push("less comes out than is offered".to_string());
        }
        if let Some(rise) = self.rise() {
            doubts.push(format!("latency rises by {:.0} % in the measurement", 100.0 * rise));
        }
        if let Some(SourceUse { node, .. }) = sources.iter().find(|source| source.idle < IDLE) {
            doubts.push(format!("node {node} nearly always has something to send"));
        }
        match doubts.is_empty() {
            true => Finding::plain(LoadVerdict::Converged),
            false => Finding { verdict: LoadVerdict::Undecided, reason: doubts.join("; ") },
        }
    }

    /// By what part of its mean latency rises from the first batch to the last; `None` without a trend.
    fn rise(&self) -> Option<f64> {
        let points: Vec<(f64, f64)> =
            (0..BATCHES).filter_map(|batch| Some((batch as f64, self.all[batch].arrived.value()?))).collect();
        let count = points.len() as f64;
        if points.len() < 3 {
            return None;
        }
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let xx: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
        let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / xx;
        let rest: f64 = points.iter().map(|p| (p.1 - y - slope * (p.0 - x)).powi(2)).sum();
        let error = (rest / (count - 2.0) / xx).sqrt();
        let rise = slope * (BATCHES as f64 - 1.0) / y;
        (slope > T_99_SLOPE * error && rise > RISE).then_some(rise)
    }
}

/// A mean of batches and its standard error.
struct Sample {
    mean: f64,
    error: f64,
}

impl Sample {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self { mean, error: (variance / count).sqrt() }
    }

    /// How many standard errors the mean is above zero.
    fn t(&self) -> f64 {
        match self.mean {
            0.0 => 0.0,
            // Without any spread there is no doubt.
            mean => mean / self.error,
        }
    }
}
