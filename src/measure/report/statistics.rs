//! Statistics of the hardware, as JSON, as a table, and over time as CSV.

use super::text::grouped;
use crate::statistics::{HardwareStatistics, NoSuchStatistic};
use hdl::ProbeKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim::ProbeResult;
use std::{collections::BTreeMap, fmt};

/// One statistic of one block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StatisticRow {
    /// Its place in the hierarchy and its name, dotted.
    pub name: String,
    /// The kind of block that keeps it.
    pub block: String,
    /// Unit of the value.
    pub unit: String,
    /// What it tells.
    pub about: String,
    /// Of a count, how often; of a sum or a histogram, the sum of the values.
    pub value: u64,
    /// Of a sum or a histogram: how many values it is of.
    pub values: Option<u64>,
    /// Of a histogram: how often each value occurred.
    pub histogram: Option<BTreeMap<u64, u64>>,
}

impl StatisticRow {
    /// All that match one of `patterns`, in the order of the hierarchy.
    ///
    /// # Errors
    /// Nothing matches one of them.
    pub fn matching(statistics: &HardwareStatistics, patterns: &[String]) -> Result<Vec<Self>, NoSuchStatistic> {
        patterns.iter().try_for_each(|pattern| statistics.matching(pattern).map(drop))?;
        let chosen = |probe: &&ProbeResult| patterns.iter().any(|pattern| probe.matches(pattern));
        Ok(statistics.iter().filter(chosen).map(Self::from).collect())
    }
}

impl From<&ProbeResult> for StatisticRow {
    fn from(probe: &ProbeResult) -> Self {
        let (unit, about) = probe.statistic.map_or(("", ""), |statistic| (statistic.unit, statistic.about));
        Self {
            name: probe.full_name(),
            block: probe.block.clone(),
            unit: unit.into(),
            about: about.into(),
            value: probe.value(),
            values: (probe.kind != ProbeKind::Count).then_some(probe.count),
            histogram: (probe.kind == ProbeKind::Histogram).then(|| probe.histogram.clone()),
        }
    }
}

/// The value with its unit; of a histogram the mean and the range.
impl fmt::Display for StatisticRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = self.histogram.as_ref().and_then(|h| Some((h.keys().next()?, h.keys().next_back()?)));
        match (range, self.values) {
            (Some((least, most)), Some(values)) => {
                let mean = self.value as f64 / values as f64;
                write!(f, "mean {mean:.2} {}, {least} to {most}, of {}", self.unit, grouped(values))
            }
            _ => write!(f, "{} {}", grouped(self.value), self.unit),
        }
    }
}

/// A line for each, below a title.
pub fn statistics_table(rows: &[StatisticRow]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    rows.iter().fold("Statistics".to_string(), |text, row| text + &format!("\n  {:width$}  {row}", row.name))
}

/// Statistics over time, as CSV: one line for each interval with its last cycle and, for each statistic, what has been added since the
/// line before.
#[derive(Debug)]
pub struct Samples {
    patterns: Vec<String>,
    interval: u64,
    last: Vec<u64>,
    at: u64,
    text: String,
}

impl Samples {
    /// A line every `interval` cycles, of what matches one of `patterns`.
    ///
    /// # Errors
    /// Nothing matches one of them.
    pub fn new(start: &HardwareStatistics, patterns: &[String], interval: u64) -> Result<Self, NoSuchStatistic> {
        let rows = StatisticRow::matching(start, patterns)?;
        let names: String = rows.iter().map(|row| format!(",{}", row.name)).collect();
        let last = rows.iter().map(|row| row.value).collect();
        Ok(Self { patterns: patterns.to_vec(), interval, last, at: 0, text: format!("cycle{names}\n") })
    }

    /// Is a line due after `cycle`?
    pub fn is_due(&self, cycle: u64) -> bool {
        cycle.is_multiple_of(self.interval) && cycle > self.at
    }

    /// The line of the interval that ends with `cycle`.
    pub fn sample(&mut self, cycle: u64, statistics: &HardwareStatistics) {
        let chosen = |probe: &&ProbeResult| self.patterns.iter().any(|pattern| probe.matches(pattern));
        let now: Vec<u64> = statistics.iter().filter(chosen).map(ProbeResult::value).collect();
        let added: String =
            now.iter().zip(&self.last).map(|(now, last)| format!(",{}", now.wrapping_sub(*last))).collect();
        self.text += &format!("{cycle}{added}\n");
        (self.last, self.at) = (now, cycle);
    }

    /// All lines; the last interval may be shorter.
    pub fn finish(mut self, cycle: u64, statistics: &HardwareStatistics) -> String {
        if cycle > self.at {
            self.sample(cycle, statistics);
        }
        self.text
    }
}
