//! Samples as curves: equal blocks summed, intervals joined until there are few enough.

use crate::record::{RecordError, StoredRecord};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;

/// Points of a curve, and fewer where the data would take too many bytes.
const POINTS: [usize; 4] = [2000, 1000, 500, 250];

/// Statistics over time. Launches stand one behind the other; all cycles are those of the cores.
#[derive(Serialize)]
pub struct Series {
    /// Cycles of an interval of the record.
    interval: u64,
    /// Intervals of the record.
    rows: usize,
    /// Intervals that were added together for a point.
    rows_a_point: usize,
    /// Points may have intervals of several launches.
    across_launches: bool,
    /// The first launch of each point.
    launch: Vec<u64>,
    /// The cycle before the first one of each point.
    start: Vec<u64>,
    /// The last cycle of each point.
    end: Vec<u64>,
    statistics: Vec<SummedStatistic>,
    /// The point of each interval of the record.
    #[serde(skip)]
    of_row: Vec<usize>,
}

/// A statistic, summed over blocks that have it at the same place but for numbers.
#[derive(Serialize)]
struct SummedStatistic {
    /// With `*` for numbers of cores, routers and so on.
    name: String,
    block: String,
    unit: String,
    /// Blocks that have it.
    places: usize,
    /// What each point has added.
    values: Vec<u64>,
    /// Of a sum or a histogram: how many values that is of.
    counts: Option<Vec<u64>>,
}

impl Series {
    /// Of a record, with at most about so many points.
    fn of(record: &StoredRecord, most: usize) -> Result<Self, RecordError> {
        let intervals = record.intervals()?;
        let launches = intervals.iter().map(|(launch, _)| launch).collect::<BTreeSet<_>>().len();
        let across_launches = launches > most / 2;
        let mut rows_a_point = intervals.len().div_ceil(most).max(1);
        let mut points = Points::of(&intervals, rows_a_point, across_launches);
        while points.end.len() > most {
            rows_a_point += 1;
            points = Points::of(&intervals, rows_a_point, across_launches);
        }
        let (mut statistics, mut places) = (Vec::<SummedStatistic>::new(), FxHashMap::default());
        let Points { of_row, launch, start, end } = points;
        let add = |to: &mut [u64], column: Vec<u64>| {
            of_row.iter().zip(column).for_each(|(&point, more)| to[point] = to[point].wrapping_add(more));
        };
        record.each_statistic(|total, value, values| {
            let name = without_numbers(&total.name);
            let at = *places.entry((name.clone(), total.block.clone())).or_insert_with(|| {
                let none = vec![0; end.len()];
                let counts = total.values.map(|_| none.clone());
                let (block, unit) = (total.block.clone(), total.unit.clone());
                statistics.push(SummedStatistic { name, block, unit, places: 0, values: none, counts });
                statistics.len() - 1
            });
            let summed = &mut statistics[at];
            summed.places += 1;
            add(&mut summed.values, value);
            summed.counts.as_mut().zip(values).into_iter().for_each(|(counts, values)| add(counts, values));
        })?;
        let (interval, rows) = (record.manifest.interval, intervals.len());
        Ok(Self { interval, rows, rows_a_point, across_launches, launch, start, end, statistics, of_row })
    }

    /// Of a record, with as many points as take no more than so many bytes.
    pub fn within(record: &StoredRecord, room: usize) -> Result<Self, RecordError> {
        let [most, fewer @ ..] = POINTS;
        let mut series = Self::of(record, most)?;
        for points in fewer {
            if series.bytes() <= room {
                break;
            }
            series = Self::of(record, points)?;
        }
        Ok(series)
    }

    /// Name, unit and sum of each statistic.
    pub fn totals(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        let sum = |values: &[u64]| values.iter().fold(0u64, |sum, &more| sum.wrapping_add(more));
        self.statistics.iter().map(move |of| (of.name.as_str(), of.unit.as_str(), sum(&of.values)))
    }

    /// Points of a curve.
    pub fn points(&self) -> usize {
        self.end.len()
    }

    /// Cycles of the points from one to before another.
    pub fn cycles(&self, first: usize, last: usize) -> u64 {
        self.end[last - 1] - self.start[first]
    }

    /// The point of each interval of the record.
    pub fn point_of_rows(&self) -> &[usize] {
        &self.of_row
    }

    /// That they take as JSON.
    fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| text.len())
    }
}

/// Which intervals are one point.
struct Points {
    of_row: Vec<usize>,
    launch: Vec<u64>,
    start: Vec<u64>,
    end: Vec<u64>,
}

impl Points {
    fn of(intervals: &[(u64, u64)], rows_a_point: usize, across_launches: bool) -> Self {
        let mut points = Self { of_row: vec![], launch: vec![], start: vec![], end: vec![] };
        // Cycles of the launches before, and the launch; rows of the last point.
        let (mut before, mut current, mut rows) = (0, None, 0);
        for &(launch, cycle) in intervals {
            let last = points.end.last().copied().unwrap_or(0);
            let new_launch = current != Some(launch);
            if new_launch {
                (before, current) = (last, Some(launch));
            }
            let end = before + cycle;
            // What comes after the last cycle belongs to it.
            let joined = !points.end.is_empty()
                && (end == last && !new_launch || rows < rows_a_point && (across_launches || !new_launch));
            if joined {
                rows += 1;
                points.end.pop();
            } else {
                rows = 1;
                points.launch.push(launch);
                points.start.push(last);
            }
            points.end.push(end);
            points.of_row.push(points.end.len() - 1);
        }
        points
    }
}

/// `core*.front_end.warp*.stack.divergent_branches` for those of all cores and warps. L1 and L2 stay apart.
fn without_numbers(name: &str) -> String {
    let Some((place, statistic)) = name.rsplit_once('.') else { return name.into() };
    let part = |part: &str| {
        let plain = part.trim_end_matches(|c: char| c.is_ascii_digit());
        if plain.len() == part.len() || plain == "l" { part.to_string() } else { format!("{plain}*") }
    };
    let parts: Vec<_> = place.split('.').map(part).collect();
    format!("{}.{statistic}", parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_joined_and_levels_of_caches_are_not() {
        for (name, joined) in [
            ("core12.front_end.warp3.stack.divergent_branches", "core*.front_end.warp*.stack.divergent_branches"),
            ("memory0.l2.cache1.reads", "memory*.l2.cache*.reads"),
            ("core0.l1d.reads", "core*.l1d.reads"),
            ("router3.output_unit_to_east.flits_vc0", "router*.output_unit_to_east.flits_vc0"),
            ("plain0", "plain0"),
        ] {
            assert_eq!(without_numbers(name), joined);
        }
    }

    #[test]
    fn points_have_whole_intervals_of_one_launch() {
        let intervals = [(1, 10), (1, 20), (1, 25), (1, 25), (3, 10), (3, 12)];
        let points = Points::of(&intervals, 2, false);
        assert_eq!(points.of_row, [0, 0, 1, 1, 2, 2]);
        assert_eq!((points.start, points.end, points.launch), (vec![0, 20, 25], vec![20, 25, 37], vec![1, 1, 3]));
        let points = Points::of(&intervals, 1, false);
        assert_eq!(points.of_row, [0, 1, 2, 2, 3, 4]);
        assert_eq!(points.end, [10, 20, 25, 35, 37]);
        let points = Points::of(&intervals, 6, true);
        assert_eq!((points.start, points.end), (vec![0], vec![37]));
        assert_eq!(Points::of(&[], 1, false).end, [0u64; 0]);
    }
}
