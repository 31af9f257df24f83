//! Cost of a cycle against the number of routers and against the load, as SVG.

use crate::{
    contest::Row,
    table::{best_verilator, groups},
};
use plotters::{
    coord::ranged1d::{AsRangedCoord, ValueFormatter},
    prelude::*,
};
use std::{error::Error, fmt::Debug, path::Path};

/// A line of a plot: its name and points.
type Line = (String, Vec<(f64, f64)>);

const SIZE: (u32, u32) = (720, 440);
/// Distinct for most kinds of colour vision (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

/// Time of a cycle against the number of routers, at the highest load, both axes logarithmic: proportional growth is a slope of one.
pub fn nodes(rows: &[Row], file: &Path) -> Result<(), Box<dyn Error>> {
    let loads = rows.iter().filter(|row| row.design.starts_with("mesh")).filter_map(|row| row.workload.parse().ok());
    let Some(load) = loads.max_by(f64::total_cmp) else { return Ok(()) };
    let chosen = |row: &Row| row.design.starts_with("mesh") && row.workload == load.to_string();
    let lines = lines(rows, chosen, |row| f64::from(row.nodes));
    let title = format!("Time of a cycle at {load} flits/node/cycle");
    let Some((x, y)) = bounds(&lines) else { return Ok(()) };
    let (x, y) = ((x.0 * 0.9)..(x.1 * 1.1), (y.0 * 0.7)..(y.1 * 1.5));
    draw(file, &title, "routers", x.log_scale(), y.log_scale(), &lines)
}

/// Time of a cycle against the load, on the mesh with the most loads, and of those the largest.
pub fn load(rows: &[Row], file: &Path) -> Result<(), Box<dyn Error>> {
    let mut meshes: Vec<(usize, u32, &str)> = vec![];
    for group in groups(rows).filter(|group| group[0].design.starts_with("mesh")) {
        let Row { design, nodes, .. } = &group[0];
        match meshes.iter_mut().find(|mesh| mesh.2 == design) {
            Some(mesh) => mesh.0 += 1,
            None => meshes.push((1, *nodes, design)),
        }
    }
    let Some((_, _, design)) = meshes.into_iter().max() else { return Ok(()) };
    let lines = lines(rows, |row| row.design == design, |row| row.workload.parse().unwrap_or(0.0));
    let Some((x, y)) = bounds(&lines) else { return Ok(()) };
    let x = x.0..x.1.max(x.0 + 0.1) * 1.02;
    draw(file, &format!("Time of a cycle, {design}"), "flits/node/cycle", x, 0.0..y.1 * 1.1, &lines)
}

/// Our contestants with one thread, and the fastest Verilator model at each point.
fn lines(rows: &[Row], chosen: impl Fn(&Row) -> bool, x: impl Fn(&Row) -> f64) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![];
    let mut point = |name: String, x: f64, seconds: f64| match lines.iter_mut().find(|line| line.0 == name) {
        Some(line) => line.1.push((x, 1e6 * seconds)),
        None => lines.push((name, vec![(x, 1e6 * seconds)])),
    };
    for group in groups(rows).filter(|group| chosen(&group[0])) {
        for row in group.iter().filter(|row| row.ours() && row.threads == 1) {
            if let Some(seconds) = row.seconds() {
                point(row.contestant.clone(), x(row), seconds);
            }
        }
        if let Some((row, seconds)) = best_verilator(group) {
            point("best Verilator".into(), x(row), seconds);
        }
    }
    lines.iter_mut().for_each(|line| line.1.sort_by(|a, b| a.0.total_cmp(&b.0)));
    lines
}

type Range = (f64, f64);

/// Least and most of both coordinates.
fn bounds(lines: &[Line]) -> Option<(Range, Range)> {
    let points = || lines.iter().flat_map(|line| &line.1);
    let range = |part: fn(&(f64, f64)) -> f64| {
        let least = points().map(part).min_by(f64::total_cmp)?;
        Some((least, points().map(part).max_by(f64::total_cmp)?))
    };
    Some((range(|p| p.0)?, range(|p| p.1)?))
}

fn draw<X, Y>(file: &Path, title: &str, x_name: &str, x: X, y: Y, lines: &[Line]) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
    Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
    <X::CoordDescType as Ranged>::ValueType: Debug,
{
    let area = SVGBackend::new(file, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(62)
        .build_cartesian_2d(x, y)?;
    let number = |value: &f64| format!("{}", (value * 1000.0).round() / 1000.0);
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc("microseconds a cycle")
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .light_line_style(WHITE)
        .draw()?;
    for ((name, points), colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        chart
            .draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?
            .label(name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(points.iter().map(|&at| Circle::new(at, 3, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}
