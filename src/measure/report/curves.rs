//! Latency and throughput against load as SVG, a curve for each network.

use super::{Axis, LatencySummary, Line, LineChart, LineStyle, LoadPoint, LoadVerdict, OpenLoopReport, drawing::cut};
use std::error::Error;

/// Latency at the top of the chart, relative to the highest zero-load latency.
const TOP: f64 = 4.0;

type Points = Vec<(f64, f64)>;

/// Latency of `reports`, with their zero-load latencies and saturation loads, and below it their throughput. `of_memory`: the senders are
/// cores, whose load is given in bytes as in A. Bakhoda's thesis (2014), figure 6.9; so it is where flits differ in size.
pub fn curves(reports: &[OpenLoopReport], of_memory: bool) -> Result<String, Box<dyn Error>> {
    let differ = reports.iter().any(|report| report.flit_bytes != reports[0].flit_bytes);
    let in_bytes = of_memory || differ;
    let unit = match (of_memory, in_bytes) {
        (true, _) => "bytes per core and cycle",
        (false, true) => "bytes per node and cycle",
        (false, false) => "flits per node and cycle",
    };
    if !reports.iter().any(|report| drawn(report).next().is_some()) {
        return Err("there is nothing to draw: no measured packet arrived at any load without a deadlock".into());
    }
    let traffic = &reports[0].traffic;
    let charts = [latencies(reports, in_bytes, unit, traffic), throughputs(reports, in_bytes, unit, traffic)];
    LineChart::svg_of(&charts)
}

/// Mean and 99th percentile of the latency, up to a multiple of that without load.
fn latencies(reports: &[OpenLoopReport], in_bytes: bool, unit: &str, traffic: &str) -> LineChart {
    let zero_load = reports.iter().map(|report| report.zero_load_latency).fold(0.0, f64::max);
    // Every curve has a point, however high the lowest load was.
    let first = |of: fn(&LatencySummary) -> f64| {
        let firsts = reports.iter().filter_map(|report| Some(of(&drawn(report).next()?.1)));
        firsts.fold(0.0, f64::max)
    };
    let mean = |latency: &LatencySummary| latency.mean;
    let tail = |latency: &LatencySummary| latency.p99 as f64;
    let top = (TOP * zero_load).max(1.05 * first(mean)).max(1.05 * first(tail));
    let curves = |of: fn(&LatencySummary) -> f64| {
        reports.iter().map(move |report| cut(&points(report, in_bytes, of), top)).collect::<Vec<Points>>()
    };
    let (means, tails) = (curves(mean), curves(tail));
    let right = means.iter().flatten().map(|(x, _)| *x).fold(0.0, f64::max) * 1.05;

    let named = |names: Option<&str>, style, curves: Vec<Points>| {
        let lines = reports.iter().zip(curves).enumerate();
        let lines = lines.map(move |(colour, (report, points))| {
            let name =
                names.map_or_else(|| report.config.clone(), |all| if colour == 0 { all.into() } else { String::new() });
            Line { name, colour, style, points }
        });
        lines.collect::<Vec<_>>()
    };
    let without_load =
        |report: &OpenLoopReport| vec![(0.0, report.zero_load_latency), (right, report.zero_load_latency)];
    let saturated = |report: &OpenLoopReport| {
        let load = if in_bytes { report.saturation_bytes } else { report.saturation_load };
        load.filter(|&load| load <= right).map_or(vec![], |load| vec![(load, 0.0), (load, top)])
    };
    let mut lines = named(None, LineStyle::Measured, means);
    lines.extend(named(Some("99th percentile"), LineStyle::Beside, tails));
    let limits = "zero load, saturation";
    lines.extend(named(Some(limits), LineStyle::Limit, reports.iter().map(without_load).collect()));
    lines.extend(named(Some(""), LineStyle::Limit, reports.iter().map(saturated).collect()));
    LineChart {
        title: format!("Packet latency, traffic {traffic}"),
        x: Axis { name: format!("offered load, {unit}"), range: 0.0..right },
        y: Axis { name: "packet latency, cycles".into(), range: 0.0..top },
        logarithmic: false,
        lines,
    }
}

/// What came out against what was offered.
fn throughputs(reports: &[OpenLoopReport], in_bytes: bool, unit: &str, traffic: &str) -> LineChart {
    let points = |report: &OpenLoopReport| {
        let points = report.points.iter().filter(|point| point.verdict != LoadVerdict::Deadlocked);
        let both = |point: &LoadPoint| match in_bytes {
            true => (point.offered_bytes, point.accepted_bytes),
            false => (point.offered, point.accepted),
        };
        points.map(both).collect::<Points>()
    };
    let lines = reports.iter().enumerate().map(|(colour, report)| {
        let name = report.config.clone();
        Line { name, colour, style: LineStyle::Measured, points: points(report) }
    });
    let lines: Vec<_> = lines.collect();
    let all = || lines.iter().flat_map(|line| &line.points);
    let right = 1.05 * all().map(|(x, _)| *x).fold(0.0, f64::max);
    let top = 1.05 * all().map(|(_, y)| *y).fold(0.0, f64::max);
    LineChart {
        title: format!("Throughput, traffic {traffic}"),
        x: Axis { name: format!("offered load, {unit}"), range: 0.0..right },
        y: Axis { name: format!("accepted load, {unit}"), range: 0.0..top },
        logarithmic: false,
        lines,
    }
}

/// Points with their latencies.
fn drawn(report: &OpenLoopReport) -> impl Iterator<Item = (&LoadPoint, LatencySummary)> {
    let points = report.points.iter().filter(|point| point.verdict != LoadVerdict::Deadlocked);
    points.filter_map(|point| Some((point, point.packet_latency?)))
}

/// Load and latency of each.
fn points(report: &OpenLoopReport, in_bytes: bool, of: fn(&LatencySummary) -> f64) -> Points {
    let load = |point: &LoadPoint| if in_bytes { point.offered_bytes } else { point.offered };
    drawn(report).map(|(point, latency)| (load(point), of(&latency))).collect()
}
