//! Latency against load as SVG, a curve for each network.

use super::{Axis, LineChart, LoadVerdict, OpenLoopReport};
use std::error::Error;

/// Latency at the top of the chart, relative to the highest latency of an empty network.
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
    let top = TOP * zero_load;
    let lines: Vec<_> = reports.iter().map(|report| line(report, in_bytes, top)).collect();
    let right = lines.iter().flatten().map(|(x, _)| *x).fold(0.0, f64::max) * 1.05;
    if right <= 0.0 {
        return Err("there is nothing to draw: no packet arrived at any load".into());
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

/// Points below `top`, and where the curve leaves the chart.
fn line(report: &OpenLoopReport, in_bytes: bool, top: f64) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = vec![];
    for point in report.points.iter().filter(|point| point.verdict != LoadVerdict::Deadlocked) {
        let Some(latency) = point.packet_latency else { continue };
        let at = (if in_bytes { point.offered_bytes } else { point.offered }, latency.mean);
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
