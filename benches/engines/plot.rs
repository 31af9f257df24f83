//! Cost of a cycle against the number of routers and against the load, as SVG.

use crate::{
    contest::Row,
    table::{best_verilator, groups},
};
use std::{error::Error, fs, path::Path};
use warpmesh::report::{Axis, Line, LineChart, LineStyle};

/// What both plots show.
const TIME: &str = "microseconds a cycle";

/// A line of a plot: its name and points.
type PlotLine = (String, Vec<(f64, f64)>);

/// Time of a cycle against the number of routers, at the highest load, both axes logarithmic: proportional growth is a
/// slope of one.
pub fn nodes(rows: &[Row], file: &Path) -> Result<(), Box<dyn Error>> {
    let loads = rows.iter().filter(|row| row.design.starts_with("mesh")).filter_map(|row| row.workload.parse().ok());
    let Some(load) = loads.max_by(f64::total_cmp) else { return Ok(()) };
    let chosen = |row: &Row| row.design.starts_with("mesh") && row.workload == load.to_string();
    let lines = lines(rows, chosen, |row| f64::from(row.nodes));
    let title = format!("Time of a cycle at {load} flits/node/cycle");
    let Some((x, y)) = bounds(&lines) else { return Ok(()) };
    let x = Axis { name: "routers".into(), range: (x.0 * 0.9)..(x.1 * 1.1) };
    let y = Axis { name: TIME.into(), range: (y.0 * 0.7)..(y.1 * 1.5) };
    Ok(fs::write(file, LineChart { title, x, y, logarithmic: true, lines: measured(lines) }.svg()?)?)
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
    let title = format!("Time of a cycle, {design}");
    let x = Axis { name: "flits/node/cycle".into(), range: x.0..x.1.max(x.0 + 0.1) * 1.02 };
    let y = Axis { name: TIME.into(), range: 0.0..y.1 * 1.1 };
    Ok(fs::write(file, LineChart { title, x, y, logarithmic: false, lines: measured(lines) }.svg()?)?)
}

/// Our contestants with one thread, and the fastest Verilator model at each point.
fn lines(rows: &[Row], chosen: impl Fn(&Row) -> bool, x: impl Fn(&Row) -> f64) -> Vec<PlotLine> {
    let mut lines: Vec<PlotLine> = vec![];
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

fn measured(lines: Vec<PlotLine>) -> Vec<Line> {
    let line = |(colour, (name, points))| Line { name, colour, style: LineStyle::Measured, points };
    lines.into_iter().enumerate().map(line).collect()
}

type Range = (f64, f64);

/// Least and most of both coordinates.
fn bounds(lines: &[PlotLine]) -> Option<(Range, Range)> {
    let points = || lines.iter().flat_map(|line| &line.1);
    let range = |part: fn(&(f64, f64)) -> f64| {
        let least = points().map(part).min_by(f64::total_cmp)?;
        Some((least, points().map(part).max_by(f64::total_cmp)?))
    };
    Some((range(|p| p.0)?, range(|p| p.1)?))
}
