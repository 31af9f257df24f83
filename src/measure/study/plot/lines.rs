//! Lines along the first axis, or against the load of traffic, each with marks of its own and its name beside.

use super::{super::StudyOutcome, NamedLine};
use crate::report::drawing::{
    AXIS, CHARACTER, MARGIN, centred, colour, cut, legend_height, legend_row, legend_width, longest, mark,
};
use plotters::prelude::*;
use std::{collections::BTreeMap, error::Error};

/// Pixels.
const SIZE: (u32, u32) = (640, 440);
/// The latency at the top over the lowest of any line.
const TOP: f64 = 4.0;

/// A drawing of lines.
pub(super) struct Lines {
    title: String,
    x: String,
    y: String,
    /// Names of the places 0, 1, ... on the horizontal axis; none: it has numbers.
    places: Option<Vec<String>>,
    pub(super) lines: Vec<NamedLine>,
    /// Lines are cut here.
    top: Option<f64>,
}

impl StudyOutcome {
    /// What is drawn along the first axis with several points; of traffic at several loads, against them.
    pub(super) fn lines(&self) -> Result<Lines, Box<dyn Error>> {
        let against_load = self.has_loads();
        let along = self.axes.iter().position(|axis| axis.points.len() > 1);
        if along.is_none() && !against_load {
            return Err("there is no axis with several values to draw lines along".into());
        }
        let along = along.filter(|_| !against_load);
        let (quantity, workloads) = self.drawn();
        let mut names: Vec<String> = vec![];
        let mut lines: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for design in &self.designs {
            for &k in &workloads {
                let x = match (along, &design.point, &design.figures[k]) {
                    (Some(axis), Some(point), _) => point.at[axis] as f64,
                    (None, _, Some(figures)) => figures.get("offered").unwrap_or(f64::NAN),
                    _ => continue,
                };
                let deadlocked = |k: usize| {
                    design.figures[k].as_ref().is_some_and(|figures| figures.verdict.as_deref() == Some("deadlocked"))
                };
                let Some(y) = (quantity.of)(design, k).filter(|_| x.is_finite() && !deadlocked(k)) else { continue };
                let name = self.line_name(design, along, k, workloads.len());
                if !names.contains(&name) {
                    names.push(name.clone());
                }
                lines.entry(name).or_default().push((x, y));
            }
        }
        let mut lines: Vec<NamedLine> = names.into_iter().map(|name| (name.clone(), lines[&name].clone())).collect();
        lines.iter_mut().for_each(|(_, points)| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        let lowest = |(_, points): &NamedLine| points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let top = against_load.then(|| TOP * lines.iter().map(lowest).fold(0.0, f64::max));
        Ok(Lines {
            title: self.title.clone(),
            x: along.map_or("offered load, flits per sender and cycle".into(), |axis| self.axis_name(axis)),
            y: quantity.name,
            places: along.map(|axis| self.point_names(axis)),
            lines,
            top,
        })
    }

    /// All that tells a line from the others: the design without the axis that it goes along, and the workload.
    fn line_name(&self, design: &super::DesignResult, along: Option<usize>, k: usize, workloads: usize) -> String {
        let keys: Vec<&str> = self.axes.iter().flat_map(|axis| &axis.keys).map(String::as_str).collect();
        let short = super::super::axis::short_keys(&keys);
        let mut words = vec![];
        match &design.point {
            None => words.push(design.name.clone()),
            Some(point) => {
                words.extend(point.of.clone());
                for (a, axis) in self.axes.iter().enumerate().filter(|(a, _)| Some(*a) != along) {
                    let settings = axis.keys.iter().zip(&axis.points[point.at[a]]);
                    words.extend(settings.map(|(key, value)| format!("{}={value}", short[key.as_str()])));
                }
            }
        }
        let series = self.series.iter().any(|series| *series != self.series[0]);
        let name = match along {
            None if series => Some(self.series[k].clone()),
            Some(_) if workloads > 1 => Some(self.kernels[k].clone()),
            _ => None,
        };
        words.extend(name);
        if words.is_empty() { self.kernels[k].clone() } else { words.join(" ") }
    }
}

impl Lines {
    /// The drawing.
    pub(super) fn svg(&self) -> Result<String, Box<dyn Error>> {
        let all = || self.lines.iter().flat_map(|(_, points)| points);
        if all().next().is_none() {
            return Err("there is nothing to draw: no run has a result".into());
        }
        let names = || self.lines.iter().map(|(name, _)| name.as_str());
        let legend = legend_width(names());
        let (x, wide) = match &self.places {
            Some(places) => {
                let place = CHARACTER * longest(places.iter().map(String::as_str)) + 16;
                (-0.5..places.len() as f64 - 0.5, (places.len() * place) as u32)
            }
            None => (0.0..1.05 * all().map(|point| point.0).fold(0.0, f64::max), 0),
        };
        let width = SIZE.0.max(wide + 2 * MARGIN + AXIS) + legend;
        let height = SIZE.1.max(legend_height(self.lines.len()));
        let highest = all().map(|point| point.1).fold(0.0, f64::max) * 1.08;
        let top = self.top.map_or(highest, |top| top.min(highest)).max(f64::MIN_POSITIVE);
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&area)
                .caption(&self.title, ("sans-serif", 18))
                .margin(MARGIN)
                .margin_right(MARGIN + legend)
                .x_label_area_size(46)
                .y_label_area_size(AXIS)
                .build_cartesian_2d(x, 0.0..top)?;
            let number = |value: &f64| format!("{}", (value * 1000.0).round() / 1000.0);
            let mut mesh = chart.configure_mesh();
            mesh.x_desc(&self.x).y_desc(&self.y).x_label_formatter(&number).y_label_formatter(&number);
            mesh.light_line_style(WHITE);
            if self.places.is_some() {
                mesh.x_labels(0).disable_x_mesh();
            }
            mesh.draw()?;
            for (place, name) in self.places.iter().flatten().enumerate() {
                let (x, y) = chart.backend_coord(&(place as f64, 0.0));
                centred(&area, name, (x, y + 6))?;
            }
            for (number, (name, points)) in self.lines.iter().enumerate() {
                let style = colour(number).stroke_width(2);
                chart.draw_series(LineSeries::new(cut(points, top), style))?;
                // What lies behind the end of the line has not the latency of all that was sent.
                for point in points.iter().take_while(|point| point.1 <= top) {
                    mark(&area, number, chart.backend_coord(point))?;
                }
                let (left, middle) = legend_row(&area, width - MARGIN - legend, number, name)?;
                area.draw(&PathElement::new([(left, middle), (left + 20, middle)], style))?;
                mark(&area, number, (left + 10, middle))?;
            }
            area.present()?;
        }
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::outcome;
    use crate::report::drawing::testing::{numbers, place};

    #[test]
    fn lines_go_along_the_first_axis_with_names_under_their_points_and_beside_the_data() {
        let outcome = outcome(&[("network.channel_bytes", &["8", "16", "32"]), ("network.vcs", &["2", "4"])], 2);
        let svg = outcome.lines().and_then(|lines| lines.svg()).unwrap_or_else(|error| panic!("{error}"));
        let lines: Vec<_> = svg.lines().filter(|line| line.starts_with("<polyline")).collect();
        // Of two kernels, for two values of the other axis.
        let with_points: Vec<Vec<f64>> = lines
            .iter()
            .filter(|line| line.contains("stroke-width=\"2\""))
            .map(|line| line.split_once("points=\"").expect("points").1.split_once('"').expect("an end").0)
            .map(|points| {
                points.split_whitespace().map(|p| p.split(',').next().expect("x").parse().expect("a number")).collect()
            })
            .collect();
        let drawn: Vec<_> = with_points.iter().filter(|points| points.len() == 3).collect();
        assert_eq!(drawn.len(), 4, "{svg}");
        for line in &drawn {
            for (x, name) in line.iter().zip(["8", "16", "32"]) {
                let ([at, _], is_centred) = place(&svg, name);
                assert!(is_centred && (at - x).abs() <= 1.0, "{name} at {at}, its points at {x}");
            }
        }
        let right = drawn.iter().flat_map(|line| line.iter()).fold(0.0_f64, |right, x| right.max(*x));
        for name in ["vcs=2 kernel0", "vcs=4 kernel0", "vcs=2 kernel1", "vcs=4 kernel1"] {
            assert!(place(&svg, name).0[0] > right + 20.0, "{name} is beside the data");
        }
        place(&svg, "network.channel_bytes, bytes");
        // Circles of the first line, its mark in the legend, and no others of four shapes.
        assert_eq!(numbers(&svg, "<circle", ["cx"]).len(), 4, "{svg}");
    }

    #[test]
    fn what_has_no_axis_has_no_lines() {
        let error = outcome(&[], 1).lines().err().expect("refused");
        assert!(error.to_string().contains("no axis with several values"), "{error}");
    }
}
