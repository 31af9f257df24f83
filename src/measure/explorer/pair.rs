//! What a page shows of two runs side by side: what differs in their configurations, then in their figures, and curves
//! of both.

use super::{
    chip_numbers::{ChipNumbers, ROOM},
    figures,
    series::Series,
};
use crate::{
    record::{Keys, RecordError, StoredRecord, keys_of},
    report::{RunReport, schema::shapes},
};
use schemars::schema_for;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Launches whose figures are compared one by one.
const LAUNCHES: usize = 50;

/// All that the page shows.
#[derive(Serialize)]
pub struct PairPage {
    /// What the runs are called.
    names: [String; 2],
    /// What is known of both.
    overview: Vec<[Option<String>; 3]>,
    /// Keys of the configurations whose values differ.
    differences: Vec<[Option<String>; 3]>,
    /// Keys with equal values.
    equal: usize,
    figures: Vec<FigureOfTwo>,
    configs: [String; 2],
    runs: [RunData; 2],
}

/// A number of the reports or statistics of both.
#[derive(Serialize)]
struct FigureOfTwo {
    name: String,
    values: [Option<f64>; 2],
    /// What it is, with its unit.
    about: String,
}

/// What curves are drawn of.
#[derive(Serialize)]
struct RunData {
    series: Series,
    chip: ChipNumbers,
}

/// What the page is called.
pub fn title(records: [&StoredRecord; 2]) -> String {
    let [first, second] = records.map(figures::title);
    if first == second { format!("Two runs: {first}") } else { format!("{first} and {second}") }
}

impl PairPage {
    /// Of two records.
    pub fn of(records: [&StoredRecord; 2]) -> Result<Self, RecordError> {
        let [first, second] = records;
        let keys = |record: &StoredRecord| keys_of(&record.config).map_err(|error| record.damaged_config(error));
        let (differences, equal) = differences([&keys(first)?, &keys(second)?]);
        let of = |record: &StoredRecord| -> Result<RunData, RecordError> {
            let peak_ipc = figures::of(record)?.peak_ipc;
            Ok(RunData { series: Series::within(record, ROOM / 2)?, chip: ChipNumbers::of(record, peak_ipc)? })
        };
        let runs = [of(first)?, of(second)?];
        Ok(Self {
            names: names(records),
            overview: side_by_side(records.map(figures::overview)),
            differences,
            equal,
            figures: figures_of(records, [&runs[0].series, &runs[1].series]),
            configs: records.map(|record| record.config.clone()),
            runs,
        })
    }
}

/// Their folders, numbered where these are the same.
fn names(records: [&StoredRecord; 2]) -> [String; 2] {
    let [first, second] = records.map(|record| record.folder.display().to_string());
    if first == second { [format!("{first} (1)"), format!("{second} (2)")] } else { [first, second] }
}

/// Rows of both, in the order of the first.
fn side_by_side(of_both: [Vec<(&'static str, String)>; 2]) -> Vec<[Option<String>; 3]> {
    let [first, second] = &of_both;
    let get = |rows: &[(&str, String)], name: &str| {
        rows.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone())
    };
    let only_second = second.iter().filter(|(name, _)| get(first, name).is_none());
    let names = first.iter().chain(only_second).map(|(name, _)| *name);
    names.map(|name| [Some(name.to_string()), get(first, name), get(second, name)]).collect()
}

/// Keys with different values, and how many have equal ones.
fn differences([first, second]: [&Keys; 2]) -> (Vec<[Option<String>; 3]>, usize) {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let all: BTreeMap<&String, ()> = first.keys().chain(second.keys()).map(|key| (key, ())).collect();
    let differ = all.keys().filter(|key| first.get(**key) != second.get(**key));
    let rows: Vec<_> =
        differ.map(|key| [Some(key.to_string()), first.get(*key).map(text), second.get(*key).map(text)]).collect();
    let equal = all.len() - rows.len();
    (rows, equal)
}

/// Numbers of the reports with what they are, then all statistics.
fn figures_of(records: [&StoredRecord; 2], series: [&Series; 2]) -> Vec<FigureOfTwo> {
    let schema = schema_for!(RunReport).to_value();
    let mut figures: Vec<FigureOfTwo> = vec![];
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut put = |run: usize, name: String, value: f64, about: &dyn Fn() -> String| {
        let at = *places.entry(name.clone()).or_insert_with(|| {
            figures.push(FigureOfTwo { name, values: [None; 2], about: about() });
            figures.len() - 1
        });
        figures[at].values[run] = Some(value);
    };
    for (run, record) in records.into_iter().enumerate() {
        for (path, value) in numbers(&record.report) {
            let (launch, path) = path.split_at(path.iter().take_while(|part| part.starts_with("launch ")).count());
            let name = launch.iter().chain(path).cloned().collect::<Vec<_>>().join(".");
            put(run, name, value, &|| about(&schema, path).unwrap_or_default());
        }
    }
    for (run, series) in series.into_iter().enumerate() {
        for (name, unit, sum) in series.totals() {
            put(run, name.to_string(), sum as f64, &|| format!("statistic, {unit}"));
        }
    }
    figures
}

/// Paths and values of all numbers in a report that are of the chip and not of the simulation; of launches the first ones.
fn numbers(report: &Value) -> Vec<(Vec<String>, f64)> {
    let mut found = vec![];
    match report["launches"].as_array() {
        None => add(report, &mut vec![], &mut found),
        Some(launches) => {
            for launch in launches.iter().take(LAUNCHES) {
                let place = format!("launch {}", launch["number"]);
                let numbers = ["core_cycles", "thread_instructions", "ipc"];
                let numbers = numbers.iter().filter_map(|key| Some((*key, launch["report"][key].as_f64()?)));
                found.extend(numbers.map(|(key, value)| (vec![place.clone(), key.to_string()], value)));
            }
        }
    }
    found
}

fn add(value: &Value, place: &mut Vec<String>, found: &mut Vec<(Vec<String>, f64)>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64().map(|number| (place.clone(), number))),
        Value::Object(fields) => {
            let is_of_run = |key: &str| {
                !place.is_empty() || !RunReport::TIMING.contains(&key) && !["format_version", "seed"].contains(&key)
            };
            let fields: Vec<_> = fields.iter().filter(|(key, _)| is_of_run(key)).collect();
            for (key, value) in fields {
                place.push(key.clone());
                add(value, place, found);
                place.pop();
            }
        }
        _ => {}
    }
}

/// What a field of the report is, as its schema says; a field of what is found in several places, with which of them it is in.
fn about(schema: &Value, path: &[String]) -> Option<String> {
    let description = |node: &Value| Some(node.get("description")?.as_str()?.trim_end_matches('.').to_string());
    let (mut node, mut within) = (schema, None);
    for key in path {
        within = description(node).filter(|_| node.get("$ref").is_some() || node.get("anyOf").is_some());
        node = shapes(schema, node).into_iter().find_map(|node| node.get("properties")?.get(key))?;
    }
    let own = description(node)?;
    Some(within.map_or(own.clone(), |within| format!("{own}. Of: {within}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_found_with_what_they_are() {
        let report = json!({
            "format_version": 1, "seed": 3, "wall_seconds": 2.5, "ipc": 1.5, "l1d": { "waits": { "reply": 7 } },
            "memory": { "cores": [{ "reads": 1 }] },
        });
        let found: Vec<_> = numbers(&report).into_iter().map(|(path, value)| (path.join("."), value)).collect();
        assert_eq!(found, [("ipc".to_string(), 1.5), ("l1d.waits.reply".to_string(), 7.0)]);
        let schema = schema_for!(RunReport).to_value();
        let about = |path: &[&str]| about(&schema, &path.iter().map(|part| part.to_string()).collect::<Vec<_>>());
        assert_eq!(
            about(&["l1d", "waits", "reply"]).as_deref(),
            Some("No place for its reply. Of: Cycles in which an access waited, by what it waited for")
        );
        assert_eq!(about(&["cost", "network", "dynamic_w"]).as_deref(), Some("Dynamic power, W. Of: The network"));
        assert_eq!(about(&["no", "such"]), None);
    }
}
