//! What a page shows of networks that were measured: curves over the load, and a floor plan for each load.

use super::{chip_numbers::ROOM, figures::made_by};
use crate::{
    record::{MeasuredNetwork, StoredNetwork, differences, keys_of, shown},
    report::{FloorPlan, LatencySummary, LoadPoint, words::grouped},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// All that the page shows.
#[derive(Serialize)]
pub struct NetworkPage {
    overview: Vec<(String, String)>,
    networks: Vec<NetworkData>,
}

/// A network.
#[derive(Serialize)]
struct NetworkData {
    name: String,
    config: String,
    /// What differs from the first network's.
    changes: String,
    /// The report as text.
    text: String,
    /// Latency, cycles.
    zero_load: f64,
    /// Flits per sender and cycle.
    saturation: Option<f64>,
    technology_nm: u32,
    loads: Vec<LoadData>,
    plans: Vec<PlanData>,
}

/// One load.
#[derive(Serialize)]
struct LoadData {
    offered: f64,
    accepted: f64,
    verdict: String,
    latency: Option<LatencySummary>,
    /// Mean latency by message class, cycles.
    classes: BTreeMap<String, Option<f64>>,
    dynamic_w: f64,
    leakage_w: f64,
    accepted_per_node: Vec<f64>,
    /// Name, value, unit.
    figures: Vec<[String; 3]>,
}

/// The floor plan at one load.
#[derive(Serialize)]
struct PlanData {
    /// Its position.
    load: usize,
    svg: String,
}

impl NetworkPage {
    /// Of one record, or of several together.
    pub fn of(records: &[&StoredNetwork]) -> Self {
        // Plans share their room.
        let count: usize = records.iter().map(|record| record.networks.len()).sum();
        let place = |record: &StoredNetwork| match records {
            [_] => String::new(),
            _ => format!("{}: ", record.folder.display()),
        };
        let all = records.iter().flat_map(|record| record.networks.iter().map(|network| (place(record), network)));
        let mut networks: Vec<NetworkData> =
            all.map(|(place, network)| of(network, place, ROOM / count.max(1))).collect();
        let rows = |record: &&StoredNetwork| {
            let place = place(record);
            overview(record).into_iter().map(move |(name, value)| (format!("{place}{name}"), value))
        };
        let mut overview: Vec<(String, String)> = records.iter().flat_map(rows).collect();
        // Their configurations were read before.
        let keys: Vec<_> = networks.iter().map(|network| keys_of(&network.config).unwrap_or_default()).collect();
        for (network, keys_of_it) in networks.iter_mut().zip(&keys).skip(1) {
            network.changes = shown(&differences(&keys[0], keys_of_it));
        }
        if let [first, others @ ..] = &networks[..]
            && !others.is_empty()
        {
            let nothing = |changes: &String| if changes.is_empty() { "nothing".into() } else { changes.clone() };
            let differs = others.iter().map(|other| (format!("{} differs in", other.name), nothing(&other.changes)));
            overview.splice(0..0, [("compared with".to_string(), first.name.clone())].into_iter().chain(differs));
        }
        Self { overview, networks }
    }
}

/// What was measured, in a few words.
pub fn title(records: &[&StoredNetwork]) -> String {
    let of = |record: &&StoredNetwork| format!("{} on {}", record.manifest.traffic, record.manifest.configs.join(", "));
    records.iter().map(of).collect::<Vec<_>>().join(" and ")
}

fn overview(record: &StoredNetwork) -> Vec<(&'static str, String)> {
    let (manifest, ending) = (&record.manifest, &record.ending);
    let ended = if ending.interrupted { "INTERRUPTED: these loads were measured before" } else { "completed" };
    let first = [
        ("traffic", manifest.traffic.clone()),
        ("seed", manifest.seed.to_string()),
        ("networks", manifest.configs.join(", ")),
        ("measurement", ended.to_string()),
    ];
    let errors = ending.errors.iter().map(|error| ("error", error.clone()));
    first.into_iter().chain(errors).chain(made_by(&manifest.provenance)).collect()
}

fn of(network: &MeasuredNetwork, place: String, room: usize) -> NetworkData {
    let report = &network.report;
    let loads = report.points.iter().zip(&report.power).map(|(point, power)| LoadData {
        offered: point.offered,
        accepted: point.accepted,
        verdict: point.verdict.name().replace('_', " "),
        latency: point.packet_latency,
        classes: of_classes(point),
        dynamic_w: power.dynamic_w,
        leakage_w: power.leakage_w,
        accepted_per_node: point.accepted_per_node.clone(),
        figures: figures(point),
    });
    NetworkData {
        name: place + &report.config,
        changes: String::new(),
        config: network.config.clone(),
        text: report.to_string(),
        zero_load: report.zero_load_latency,
        saturation: report.saturation_load,
        technology_nm: report.technology_nm,
        loads: loads.collect(),
        plans: plans(network, room),
    }
}

fn of_classes(point: &LoadPoint) -> BTreeMap<String, Option<f64>> {
    let mean = |latency: Option<LatencySummary>| latency.map(|latency| latency.mean);
    point.classes.iter().map(|(name, class)| (name.clone(), mean(class.packet_latency))).collect()
}

/// What is known of a load and not in a curve.
fn figures(point: &LoadPoint) -> Vec<[String; 3]> {
    let row = |name: &str, value: String, unit: &str| [name.to_string(), value, unit.to_string()];
    let mean = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
    let mut rows = vec![
        row("offered", format!("{:.2}", point.offered_bytes), "bytes per sender and cycle"),
        row("accepted", format!("{:.2}", point.accepted_bytes), "bytes per sender and cycle"),
        row("network latency", mean(point.network_latency_mean), "cycles, mean, without the wait in the source"),
        row("routers", mean(point.routers_per_packet), "on a packet's way, mean"),
        row("packets measured", grouped(point.packets), "that arrived"),
        row("packets missing", grouped(point.missing), "that did not arrive"),
        row("longest wait", grouped(point.oldest_waiting), "cycles, of any packet"),
    ];
    let busiest = point.links.iter().max_by(|a, b| a.utilisation.total_cmp(&b.utilisation));
    if let Some(link) = busiest {
        let of = format!("flits a cycle, {} {}", link.router, link.port);
        rows.push(row("busiest link", format!("{:.3}", link.utilisation), &of));
    }
    rows
}

/// A plan for each load, on one scale; for fewer loads, the first and the last among them, where all would take more bytes.
fn plans(network: &MeasuredNetwork, room: usize) -> Vec<PlanData> {
    let points = &network.report.points;
    let most = points.iter().map(|point| FloorPlan::scale_of(&point.links)).fold(0.0, f64::max);
    let plan = |load: usize| {
        let point = &points[load];
        let title = format!(
            "{}: {:.4} flits per sender and cycle, {}",
            network.report.config,
            point.offered,
            point.verdict.name()
        );
        FloorPlan::new(title, network.chip.fabric(), point.links.clone()).svg_up_to(most)
    };
    let last = points.len() - 1;
    let largest = plan(last).len().max(1);
    let count = (room / largest).clamp(1, points.len());
    let chosen = (0..count).map(|at| if count == 1 { last } else { at * last / (count - 1) });
    chosen.map(|load| PlanData { load, svg: plan(load) }).collect()
}
