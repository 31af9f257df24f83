//! Latency against load as SVG, a curve for each network.

use super::{LoadVerdict, OpenLoopReport};
use plotters::prelude::*;
use std::error::Error;

const SIZE: (u32, u32) = (760, 480);
/// Distinct for most kinds of colour vision (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];
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
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(format!("Packet latency, traffic {}", reports[0].traffic), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..right, 0.0..top)?;
        let number = |value: &f64| format!("{}", (value * 1000.0).round() / 1000.0);
        chart
            .configure_mesh()
            .x_desc(unit)
            .y_desc("cycles, mean")
            .x_label_formatter(&number)
            .y_label_formatter(&number)
            .light_line_style(WHITE)
            .draw()?;
        for ((report, line), colour) in reports.iter().zip(&lines).zip(COLOURS.iter().cycle()) {
            chart
                .draw_series(LineSeries::new(line.clone(), colour.stroke_width(2)))?
                .label(&report.config)
                .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            chart.draw_series(line.iter().map(|&at| Circle::new(at, 3, colour.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
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
