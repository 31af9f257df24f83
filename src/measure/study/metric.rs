//! What is compared: a number that a run's JSON report has, or two of them as a ratio.

use crate::{
    report::{OpenLoopReport, RunReport, schema::may_have},
    session::LaunchesReport,
};
use schemars::schema_for;
use serde_json::Value;

/// A number of a report.
#[derive(Clone, PartialEq, Debug)]
enum MetricNumber {
    /// One over the time of the kernel, in seconds of the chip.
    Speed,
    /// At this JSON pointer.
    At(String),
    /// The sum of the statistics that match this pattern.
    Sum(String),
    /// At this JSON pointer of the report of a kernel, or the sum over all launches of a program.
    SumAt(String),
}

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    number: MetricNumber,
    over: Option<MetricNumber>,
}

impl Metric {
    /// As it is written.
    ///
    /// # Errors
    /// What is allowed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.trim() {
            "speed" => Ok(MetricNumber::Speed),
            // Of the only load that a run of `noc` measures.
            "accepted" => Ok(MetricNumber::At("/points/0/accepted".into())),
            "latency" => Ok(MetricNumber::At("/points/0/packet_latency/mean".into())),
            text if text.starts_with('/') && text.len() > 1 => Ok(MetricNumber::At(text.into())),
            text => match text.strip_prefix("sum ") {
                Some(place) if place.trim().starts_with('/') => Ok(MetricNumber::SumAt(place.trim().into())),
                Some(pattern) if !pattern.trim().is_empty() => Ok(MetricNumber::Sum(pattern.trim().into())),
                _ => {
                    let one = "`speed` of kernels and programs, `accepted` or `latency` of traffic, `/place/in/the/JSON`, \
                               `sum /place`, `sum PATTERN`";
                    Err(format!("{one}, or two of them with ` / ` between"))
                }
            },
        };
        match text.split_once(" / ") {
            Some((a, b)) => Ok(Self { number: number(a)?, over: Some(number(b)?) }),
            None => Ok(Self { number: number(text)?, over: None }),
        }
    }

    /// Patterns of statistics that a run has to report.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        [Some(&self.number), self.over.as_ref()].into_iter().flatten().filter_map(|number| match number {
            MetricNumber::Sum(pattern) => Some(pattern.as_str()),
            _ => None,
        })
    }

    /// JSON pointers to what no report of a kernel, a program or open-loop traffic has.
    pub fn unknown_places(&self) -> Vec<&str> {
        let of_launch = schema_for!(RunReport).to_value();
        let of_others = || [schema_for!(LaunchesReport).to_value(), schema_for!(OpenLoopReport).to_value()];
        let numbers = [Some(&self.number), self.over.as_ref()].into_iter().flatten();
        let unknown = numbers.filter_map(|number| match number {
            MetricNumber::At(place) if may_have(&of_launch, place) => None,
            MetricNumber::At(place) => (!of_others().iter().any(|schema| may_have(schema, place))).then_some(place),
            MetricNumber::SumAt(place) => (!may_have(&of_launch, place)).then_some(place),
            MetricNumber::Speed | MetricNumber::Sum(_) => None,
        });
        unknown.map(String::as_str).collect()
    }

    /// Of a run's report; none where it has no such number.
    pub fn of(&self, report: &Value) -> Option<f64> {
        let of = |number: &MetricNumber| match number {
            MetricNumber::Speed => {
                let cycles = of_launches(report, &|launch| launch.pointer("/core_cycles")?.as_f64())?;
                let clocks = launches(report).next()?.pointer("/clocks/core")?;
                Some(clocks.as_f64()? / cycles.max(1.0))
            }
            MetricNumber::At(pointer) => report.pointer(pointer)?.as_f64(),
            MetricNumber::SumAt(pointer) => of_launches(report, &|launch| launch.pointer(pointer)?.as_f64()),
            MetricNumber::Sum(pattern) => of_launches(report, &|launch| sum(launch, pattern)),
        };
        let number = of(&self.number)?;
        Some(match &self.over {
            Some(over) => number / of(over)?,
            None => number,
        })
    }
}

/// The report of a kernel, or those of all launches of a program.
pub(super) fn launches(report: &Value) -> impl Iterator<Item = &Value> {
    let of_program = report.get("launches").and_then(Value::as_array);
    let alone = of_program.is_none().then_some(report);
    of_program.into_iter().flatten().map(|launch| &launch["report"]).chain(alone)
}

/// The total of a number of each launch; none where one has no such number.
pub(super) fn of_launches(report: &Value, number: &dyn Fn(&Value) -> Option<f64>) -> Option<f64> {
    launches(report).map(number).sum()
}

/// The total of the statistics that match; none where none does.
fn sum(report: &Value, pattern: &str) -> Option<f64> {
    let rows = report.pointer("/statistics")?.as_array()?;
    let text = |row: &'_ Value, key: &str| row.get(key).and_then(Value::as_str).map(String::from);
    let matching = rows.iter().filter(|row| {
        let Some(name) = text(row, "name") else { return false };
        let last = name.rsplit('.').next().unwrap_or(&name).trim_end_matches(|c: char| c.is_ascii_digit());
        let block = text(row, "block").unwrap_or_default();
        sim::pattern::selects(pattern, &name, Some((&block, last)))
    });
    let values: Vec<f64> = matching.filter_map(|row| row.get("value")?.as_f64()).collect();
    (!values.is_empty()).then(|| values.iter().sum())
}
