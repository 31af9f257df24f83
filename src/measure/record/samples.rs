//! All statistics of a chip over time.

use super::parquet::Table;
use crate::{
    host::saved::{DamagedState, StateReader, StateWriter, Stateful},
    statistics::HardwareStatistics,
};
use hdl::ProbeKind;
use serde::{Deserialize, Serialize};
use sim::ProbeResult;

/// Columns before those of the statistics.
const PLACE: [&str; 2] = ["launch", "cycle"];

/// A statistic, with what the hardware has counted in all launches together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatisticTotal {
    /// Its place in the hierarchy and its name, dotted: the column.
    pub name: String,
    /// The kind of block that keeps it.
    pub block: String,
    /// Unit of the value.
    pub unit: String,
    /// Of a count, how often; of a sum or a histogram, the sum of the values.
    pub value: u64,
    /// Of a sum or a histogram: how many values it is of.
    pub values: Option<u64>,
}

/// A row for each interval of each launch: what it has added to each statistic.
///
/// A sum or a histogram has two columns: the sum of its values and, with `.values` behind its name, how many there were.
#[derive(Clone, Debug)]
pub struct SampleTable {
    interval: u64,
    table: Table,
    totals: Vec<StatisticTotal>,
    launch: u64,
    start: Vec<u64>,
    last: Vec<u64>,
    /// The cycle of the last row of the launch.
    at: u64,
    /// The last cycle that was looked at.
    seen: u64,
}

impl SampleTable {
    /// With a row every `interval` cycles.
    pub fn new(interval: u64) -> Self {
        let table = Table::new(PLACE.map(String::from));
        Self { interval, table, totals: vec![], launch: 0, start: vec![], last: vec![], at: 0, seen: 0 }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.table.rows()
    }

    /// A launch has begun.
    pub fn has_begun(&self) -> bool {
        self.launch > 0
    }

    /// What has been counted in launches that have ended.
    pub fn totals(&self) -> &[StatisticTotal] {
        &self.totals
    }

    /// Launch number `launch` begins, of the same chip as those before; there is `start` of its statistics.
    pub fn begin(&mut self, launch: usize, start: &HardwareStatistics) {
        if self.totals.is_empty() {
            self.totals = start.all().iter().map(StatisticTotal::none).collect();
            self.table = Table::new(PLACE.map(String::from).into_iter().chain(start.all().iter().flat_map(columns)));
        }
        self.start = numbers(start).collect();
        self.last.clone_from(&self.start);
        (self.launch, self.at, self.seen) = (launch as u64, 0, 0);
    }

    /// After each cycle of the launch; `statistics` are read where an interval ends.
    pub fn cycle(&mut self, cycle: u64, statistics: impl FnOnce() -> HardwareStatistics) {
        self.seen = cycle;
        if cycle.is_multiple_of(self.interval) && cycle > self.at {
            self.sample(cycle, &statistics());
        }
    }

    /// The launch has ended after so many cycles, or in an error in the last one that was looked at. Its last interval may be shorter.
    pub fn end(&mut self, cycles: Option<u64>, statistics: &HardwareStatistics) {
        let cycles = cycles.unwrap_or(self.seen);
        if cycles > self.at || self.last.iter().copied().ne(numbers(statistics)) {
            self.sample(cycles, statistics);
        }
        let mut added = numbers(statistics).zip(&self.start).map(|(now, &start)| now.wrapping_sub(start));
        for total in &mut self.totals {
            for number in std::iter::once(&mut total.value).chain(&mut total.values) {
                *number = number.wrapping_add(added.next().unwrap_or(0));
            }
        }
    }

    fn sample(&mut self, cycle: u64, statistics: &HardwareStatistics) {
        let Self { table, launch, last, at, .. } = self;
        let added =
            last.iter_mut().zip(numbers(statistics)).map(|(last, now)| now.wrapping_sub(std::mem::replace(last, now)));
        table.push([*launch, cycle].into_iter().chain(added));
        *at = cycle;
    }

    /// Names of the columns with these statistics; none but those of the place, before the first launch.
    pub fn columns_of(totals: &[StatisticTotal]) -> impl Iterator<Item = String> {
        let columns = |total: &StatisticTotal| {
            let values = total.values.map(|_| format!("{}.values", total.name));
            [total.name.clone()].into_iter().chain(values)
        };
        PLACE.map(String::from).into_iter().chain(totals.iter().flat_map(columns))
    }

    /// As Parquet.
    pub fn parquet(&self) -> Vec<u8> {
        self.table.file()
    }
}

/// In the middle of a launch, or between two.
impl Stateful for SampleTable {
    fn save(&self, to: &mut StateWriter) {
        let Self { interval: _, table, totals, launch, start, last, at, seen } = self;
        to.put(&(table, totals, launch, start, last, at, seen));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        (self.table, self.totals, self.launch, self.start, self.last, self.at, self.seen) = from.take()?;
        Ok(())
    }
}

impl StatisticTotal {
    fn none(probe: &ProbeResult) -> Self {
        let [block, unit] =
            probe.statistic.map_or([""; 2], |statistic| [statistic.block, statistic.unit]).map(String::from);
        let values = (probe.kind != ProbeKind::Count).then_some(0);
        Self { name: probe.full_name(), block, unit, value: 0, values }
    }
}

/// Names of its columns.
fn columns(probe: &ProbeResult) -> impl Iterator<Item = String> {
    let name = probe.full_name();
    let values = (probe.kind != ProbeKind::Count).then(|| format!("{name}.values"));
    [name].into_iter().chain(values)
}

/// What is in the columns.
fn numbers(statistics: &HardwareStatistics) -> impl Iterator<Item = u64> {
    let numbers = |probe: &ProbeResult| {
        [probe.value()].into_iter().chain((probe.kind != ProbeKind::Count).then_some(probe.count))
    };
    statistics.all().iter().flat_map(numbers)
}
