//! Statistics of the hardware, as JSON, as a table, and over time as CSV.

use super::words::grouped;
use crate::{
    host::saved::{DamagedState, StateReader, StateWriter, Stateful},
    statistics::{HardwareStatistics, Selection},
};
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

impl From<&ProbeResult> for StatisticRow {
    fn from(probe: &ProbeResult) -> Self {
        let declared = probe.statistic.map(|statistic| [statistic.block, statistic.unit, statistic.about]);
        let [block, unit, about] = declared.unwrap_or_default().map(String::from);
        Self {
            name: probe.full_name(),
            block,
            unit,
            about,
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
    selection: Selection,
    interval: u64,
    last: Vec<u64>,
    at: u64,
    text: String,
}

impl Samples {
    /// A line every `interval` cycles, of `selection`, of which there is `start` so far.
    pub fn new(start: &HardwareStatistics, selection: Selection, interval: u64) -> Self {
        let names: String = start.selected(&selection).map(|probe| format!(",{}", probe.full_name())).collect();
        let last = start.selected(&selection).map(ProbeResult::value).collect();
        Self { selection, interval, last, at: 0, text: format!("cycle{names}\n") }
    }

    /// Is a line due after `cycle`?
    pub fn is_due(&self, cycle: u64) -> bool {
        cycle.is_multiple_of(self.interval) && cycle > self.at
    }

    /// The line of the interval that ends with `cycle`.
    pub fn sample(&mut self, cycle: u64, statistics: &HardwareStatistics) {
        self.text += &cycle.to_string();
        for (last, probe) in self.last.iter_mut().zip(statistics.selected(&self.selection)) {
            let now = probe.value();
            self.text += &format!(",{}", now.wrapping_sub(std::mem::replace(last, now)));
        }
        self.text.push('\n');
        self.at = cycle;
    }

    /// All lines; the last interval may be shorter.
    pub fn finish(mut self, cycle: u64, statistics: &HardwareStatistics) -> String {
        if cycle > self.at {
            self.sample(cycle, statistics);
        }
        self.text
    }
}

impl Stateful for Samples {
    fn save(&self, to: &mut StateWriter) {
        to.put(&(&self.last, self.at, &self.text));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        (self.last, self.at, self.text) = from.take()?;
        Ok(())
    }
}
