//! The figures of a run that every study has: time, throughput, area and power of a kernel or a program, load and
//! latency of traffic.

use super::metric::{launches, of_launches};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A number of a run's report.
pub(crate) struct Figure {
    /// In CSV and JSON, where the unit is part of it.
    pub(crate) name: &'static str,
    /// Over its column.
    pub(crate) title: &'static str,
    /// Below the title.
    pub(crate) unit: &'static str,
    /// Decimals in the table.
    pub(crate) decimals: usize,
    of: fn(&Value) -> Option<f64>,
}

/// Of kernels and programs.
pub(super) const OF_CHIPS: [Figure; 7] = [
    Figure { name: "core_cycles", title: "time", unit: "core cycles", decimals: 0, of: cycles },
    Figure { name: "ipc", title: "IPC", unit: "", decimals: 3, of: ipc },
    Figure {
        name: "chip_mm2",
        title: "chip area",
        unit: "mm^2",
        decimals: 2,
        of: |report| first(report, "/cost/chip_mm2"),
    },
    Figure {
        name: "network_mm2",
        title: "network area",
        unit: "mm^2",
        decimals: 2,
        of: |report| first(report, "/cost/network_mm2"),
    },
    Figure { name: "chip_w", title: "chip power", unit: "W", decimals: 3, of: chip_w },
    Figure { name: "network_w", title: "network power", unit: "W", decimals: 3, of: network_w },
    Figure { name: "ipc_per_mm2", title: "IPC / area", unit: "1/mm^2", decimals: 4, of: ipc_per_mm2 },
];

/// Of traffic: of the only load that a run of `noc` measures.
pub(super) const OF_NETWORKS: [Figure; 5] = [
    Figure {
        name: "offered",
        title: "offered",
        unit: "flits/cycle",
        decimals: 3,
        of: |report| at(report, "/points/0/offered"),
    },
    Figure {
        name: "accepted",
        title: "accepted",
        unit: "flits/cycle",
        decimals: 3,
        of: |report| at(report, "/points/0/accepted"),
    },
    Figure {
        name: "latency_cycles",
        title: "latency",
        unit: "cycles",
        decimals: 1,
        of: |report| at(report, "/points/0/packet_latency/mean"),
    },
    Figure {
        name: "p99_cycles",
        title: "99 %",
        unit: "cycles",
        decimals: 0,
        of: |report| at(report, "/points/0/packet_latency/p99"),
    },
    Figure { name: "network_w", title: "network power", unit: "W", decimals: 3, of: load_w },
];

/// All figures, each once.
pub(crate) fn all() -> impl Iterator<Item = &'static Figure> {
    let new = OF_NETWORKS.iter().filter(|figure| OF_CHIPS.iter().all(|other| other.name != figure.name));
    OF_CHIPS.iter().chain(new)
}

/// All figures of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Figures {
    /// By name.
    #[serde(flatten)]
    pub(super) numbers: BTreeMap<String, f64>,
    /// Of traffic: how its load was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<String>,
}

impl Figures {
    /// Of the report of a run.
    pub(super) fn new(report: &Value) -> Self {
        let verdict = report.pointer("/points/0/verdict").and_then(Value::as_str).map(String::from);
        let all: &[Figure] = if verdict.is_some() { &OF_NETWORKS } else { &OF_CHIPS };
        let numbers = all.iter().filter_map(|figure| Some((figure.name.to_string(), (figure.of)(report)?)));
        Self { numbers: numbers.collect(), verdict }
    }

    /// One of them.
    pub(crate) fn get(&self, name: &str) -> Option<f64> {
        self.numbers.get(name).copied()
    }
}

fn at(report: &Value, pointer: &str) -> Option<f64> {
    report.pointer(pointer)?.as_f64()
}

/// Of the first launch: what does not change from launch to launch.
fn first(report: &Value, pointer: &str) -> Option<f64> {
    at(launches(report).next()?, pointer)
}

fn cycles(report: &Value) -> Option<f64> {
    of_launches(report, &|launch| at(launch, "/core_cycles"))
}

fn ipc(report: &Value) -> Option<f64> {
    let instructions = of_launches(report, &|launch| at(launch, "/thread_instructions"))?;
    Some(instructions / cycles(report)?.max(1.0))
}

fn ipc_per_mm2(report: &Value) -> Option<f64> {
    Some(ipc(report)? / first(report, "/cost/chip_mm2")?)
}

/// Energy over time.
fn chip_w(report: &Value) -> Option<f64> {
    let hertz = 1e6 * first(report, "/clocks/core")?;
    let energy = of_launches(report, &|launch| at(launch, "/cost/energy_j"))?;
    Some(energy / (cycles(report)?.max(1.0) / hertz))
}

/// Mean over the cycles of all launches.
fn network_w(report: &Value) -> Option<f64> {
    let energy = of_launches(report, &|launch| {
        let power = at(launch, "/cost/network/dynamic_w")? + at(launch, "/cost/network/leakage_w")?;
        Some(power * at(launch, "/core_cycles")?)
    })?;
    Some(energy / cycles(report)?.max(1.0))
}

fn load_w(report: &Value) -> Option<f64> {
    Some(at(report, "/power/0/dynamic_w")? + at(report, "/power/0/leakage_w")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn launch(cycles: u64, instructions: u64, joules: f64, watts: f64) -> Value {
        json!({
            "core_cycles": cycles,
            "thread_instructions": instructions,
            "clocks": { "core": 500 },
            "cost": { "chip_mm2": 50.0, "network_mm2": 5.0, "energy_j": joules, "network": { "dynamic_w": watts, "leakage_w": 0.5 } },
        })
    }

    #[test]
    fn a_program_has_the_figures_of_all_its_launches() {
        let alone = Figures::new(&launch(1000, 4000, 2e-6, 1.0));
        // 1000 cycles of 2 ns are 2 us.
        let expected =
            [("core_cycles", 1000.0), ("ipc", 4.0), ("chip_w", 1.0), ("network_w", 1.5), ("ipc_per_mm2", 0.08)];
        for (name, value) in expected {
            assert!((alone.get(name).expect(name) - value).abs() < 1e-9, "{name}: {alone:?}");
        }
        let both = json!({ "launches": [
            { "report": launch(1000, 4000, 2e-6, 1.0) },
            { "report": launch(3000, 4000, 2e-6, 2.0) },
        ] });
        let both = Figures::new(&both);
        let expected =
            [("core_cycles", 4000.0), ("ipc", 2.0), ("chip_w", 0.5), ("network_w", 2.25), ("chip_mm2", 50.0)];
        for (name, value) in expected {
            assert!((both.get(name).expect(name) - value).abs() < 1e-9, "{name}: {both:?}");
        }
    }

    #[test]
    fn traffic_has_loads_and_a_verdict() {
        let report = json!({
            "points": [{ "offered": 0.1, "accepted": 0.09, "verdict": "saturated", "packet_latency": { "mean": 31.5, "p99": 80 } }],
            "power": [{ "dynamic_w": 0.5, "leakage_w": 0.25 }],
        });
        let figures = Figures::new(&report);
        assert_eq!(figures.verdict.as_deref(), Some("saturated"));
        let all: Vec<_> = OF_NETWORKS.iter().map(|figure| figures.get(figure.name)).collect();
        assert_eq!(all, [Some(0.1), Some(0.09), Some(31.5), Some(80.0), Some(0.75)]);
        assert_eq!(super::all().count(), 11);
    }
}
