//! Latency against load as SVG, a curve for each network.

use super::{Axis, LineChart, LoadPoint, LoadVerdict, OpenLoopReport};
use std::error::Error;

/// Latency at the top of the chart, relative to the highest zero-load latency.
const TOP: f64 = 4.0;

/// Mean packet latency of `reports`. `of_memory`: the senders are cores, whose load is given in bytes as in A. Bakhoda's thesis (2014),
/// figure 6.9; so it is where flits differ in size.
pub fn curves(reports: &[OpenLoopReport], of_memory: bool) -> Result<String, Box<dyn Error>> {
    let differ = reports.iter().any(|report| report.flit_bytes != reports[0].flit_bytes);
    let in_bytes = of_memory || differ;
    let unit = match (of_memory, in_bytes) {
        (true, _) => "load, bytes per core and cycle",
        (false, true) => "load, bytes per node and cycle",
        (false, false) => "load, flits per node and cycle",
    };
    let zero_load = reports.iter().map(|report| report.zero_load_latency).fold(0.0, f64::max);
    // Every curve has a point, however high the lowest load was.
    let first =
        reports.iter().filter_map(|report| drawn(report).next()).map(|(_, latency)| latency).fold(0.0, f64::max);
    let top = (TOP * zero_load).max(1.05 * first);
    let lines: Vec<_> = reports.iter().map(|report| line(report, in_bytes, top)).collect();
    let right = lines.iter().flatten().map(|(x, _)| *x).fold(0.0, f64::max) * 1.05;
    if right <= 0.0 {
        return Err("there is nothing to draw: no measured packet arrived at any load without a deadlock".into());
    }
    let named = reports.iter().zip(lines).map(|(report, line)| (report.config.clone(), line));
    let chart = LineChart {
        title: format!("Packet latency, traffic {}", reports[0].traffic),
        x: Axis { name: unit.into(), range: 0.0..right },
        y: Axis { name: "cycles, mean".into(), range: 0.0..top },
        logarithmic: false,
        lines: named.collect(),
    };
    chart.svg()
}

/// Points with their mean latencies.
fn drawn(report: &OpenLoopReport) -> impl Iterator<Item = (&LoadPoint, f64)> {
    let points = report.points.iter().filter(|point| point.verdict != LoadVerdict::Deadlocked);
    points.filter_map(|point| Some((point, point.packet_latency?.mean)))
}

/// Points below `top`, and where the curve leaves the chart.
fn line(report: &OpenLoopReport, in_bytes: bool, top: f64) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = vec![];
    for (point, latency) in drawn(report) {
        let at = (if in_bytes { point.offered_bytes } else { point.offered }, latency);
        if at.1 <= top {
            line.push(at);
            continue;
        }
        if let Some(&(x, y)) = line.last() {
            line.push((x + (at.0 - x) * (top - y) / (at.1 - y), top));
        }
        break;
    }
    line
}
