//! IPC against area or power: a mark for each design, and the names of those that no other one beats in both.

use super::{
    super::{DesignResult, StudyOutcome},
    figure, harmonic,
};
use crate::report::COLOURS;
use crate::report::drawing::{AXIS, CHARACTER, MARGIN, legend_height, legend_row, legend_width};
use plotters::prelude::*;
use std::error::Error;

/// Pixels.
const SIZE: (u32, u32) = (640, 440);

impl StudyOutcome {
    /// The designs with their area and IPC.
    pub(super) fn front(&self) -> Result<String, Box<dyn Error>> {
        let area = figure("chip_mm2");
        self.front_over("area", "chip area, mm^2", |design, chips| area(design, chips[0]))
    }

    /// The designs with their power and IPC.
    pub(super) fn power_front(&self) -> Result<String, Box<dyn Error>> {
        let power = figure("chip_w");
        let chips = self.workloads_of_chips().count();
        let of = if chips > 1 { format!(", mean of {chips} workloads") } else { String::new() };
        self.front_over("power", &format!("chip power, W{of}"), |design, chips| {
            let all: Vec<f64> = chips.iter().map(|&k| power(design, k)).collect::<Option<_>>()?;
            Some(all.iter().sum::<f64>() / all.len() as f64)
        })
    }

    fn front_over(
        &self,
        what: &str,
        x: &str,
        of: impl Fn(&DesignResult, &[usize]) -> Option<f64>,
    ) -> Result<String, Box<dyn Error>> {
        let chips: Vec<usize> = self.workloads_of_chips().collect();
        if chips.is_empty() {
            return Err(format!("the front is of IPC and {what} of chips, and there is only traffic").into());
        }
        let ipc = figure("ipc");
        let at = |design| Some((of(design, &chips)?, harmonic(chips.iter().map(|&k| ipc(design, k)))?));
        let all: Vec<(&str, (f64, f64))> =
            self.designs.iter().filter_map(|design| Some((design.name.as_str(), at(design)?))).collect();
        if all.is_empty() {
            return Err("there is nothing to draw: no run has a result".into());
        }
        let mean =
            if chips.len() > 1 { format!(", harmonic mean of {} workloads", chips.len()) } else { String::new() };
        draw(&self.title, [x, &format!("IPC, thread instructions per core cycle{mean}")], &all)
    }
}

/// Those that no other one beats, from the smallest on: by number.
fn undominated(points: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    // Of equal areas the fastest first.
    order.sort_by(|a, b| points[*a].0.total_cmp(&points[*b].0).then(points[*b].1.total_cmp(&points[*a].1)));
    let mut best = f64::NEG_INFINITY;
    order.retain(|at| {
        let is_better = points[*at].1 > best;
        best = best.max(points[*at].1);
        is_better
    });
    order
}

fn draw(title: &str, [x, y]: [&str; 2], all: &[(&str, (f64, f64))]) -> Result<String, Box<dyn Error>> {
    let points: Vec<(f64, f64)> = all.iter().map(|(_, at)| *at).collect();
    let front = undominated(&points);
    // Names stand beside the data, and numbers at the points: names at the points would lie on each other.
    let names: Vec<String> =
        (1..).zip(&front).map(|(number, at): (usize, _)| format!("{number}  {}", all[*at].0)).collect();
    let legend = legend_width(names.iter().map(String::as_str)).max((CHARACTER * 16) as u32);
    let (width, height) = (SIZE.0 + legend, SIZE.1.max(legend_height(names.len() + 1)));
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) =
            points.iter().map(of).fold((f64::INFINITY, 0.0_f64), |(low, high), at| (low.min(at), high.max(at)));
        let margin = 0.1 * (high - low) + 0.02 * high;
        (low - margin).max(0.0)..high + margin.max(f64::MIN_POSITIVE)
    };
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18))
            .margin(MARGIN)
            .margin_right(MARGIN + legend)
            .x_label_area_size(46)
            .y_label_area_size(AXIS)
            .build_cartesian_2d(ends(|at| at.0), ends(|at| at.1))?;
        let number = |value: &f64| format!("{}", (value * 1000.0).round() / 1000.0);
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(x).y_desc(y).x_label_formatter(&number).y_label_formatter(&number);
        mesh.light_line_style(WHITE).draw()?;
        let grey = BLACK.mix(0.35);
        chart.draw_series(points.iter().map(|at| Circle::new(*at, 3, grey.filled())))?;
        // What a step is above can be had.
        let steps = front.windows(2).flat_map(|pair| {
            let [from, to] = [points[pair[0]], points[pair[1]]];
            [from, (to.0, from.1), to]
        });
        let blue = COLOURS[0];
        chart.draw_series(LineSeries::new(steps, blue.stroke_width(2)))?;
        for (row, at) in front.iter().enumerate() {
            let (x, y) = chart.backend_coord(&points[*at]);
            area.draw(&Circle::new((x, y), 5, blue.filled()))?;
            // The line comes from below, and goes to the right.
            let number = (row + 1).to_string();
            let left = x - 5 - (CHARACTER * number.len()) as i32;
            area.draw(&Text::new(number, (left, y - 15), ("sans-serif", 12)))?;
            let (left, middle) = legend_row(&area, width - MARGIN - legend, row, &names[row])?;
            area.draw(&Circle::new((left + 10, middle), 5, blue.filled()))?;
        }
        if front.len() < all.len() {
            let (left, middle) = legend_row(&area, width - MARGIN - legend, front.len(), "other designs")?;
            area.draw(&Circle::new((left + 10, middle), 3, grey.filled()))?;
        }
        area.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::{super::super::testing::outcome, *};
    use crate::report::drawing::testing::{numbers, place};

    #[test]
    fn the_front_has_what_no_other_beats() {
        let points = [(10.0, 1.0), (12.0, 3.0), (11.0, 0.5), (12.0, 2.0), (15.0, 3.0), (20.0, 4.0)];
        assert_eq!(undominated(&points), [0, 1, 5]);
        assert_eq!(undominated(&[(1.0, 1.0), (1.0, 1.0)]), [0], "one of two equals");
    }

    #[test]
    fn power_is_the_mean_of_workloads() {
        let outcome = outcome(&[("network.channel_bytes", &["8", "16", "32"])], 2);
        let svg = outcome.power_front().unwrap_or_else(|error| panic!("{error}"));
        // IPC and power rise together, too.
        assert_eq!(numbers(&svg, "<circle", ["cx"]).len(), 9, "{svg}");
        place(&svg, "chip power, W, mean of 2 workloads");
        place(&svg, "3  channel_bytes=32");
    }

    #[test]
    fn designs_of_the_front_are_named_beside_the_data() {
        let outcome = outcome(&[("network.channel_bytes", &["8", "16", "32"])], 2);
        let svg = outcome.front().unwrap_or_else(|error| panic!("{error}"));
        // In the test's outcome area and IPC rise together: all of them, each as a design, of the front, and in the
        // legend.
        let circles = numbers(&svg, "<circle", ["cx"]);
        assert_eq!(circles.len(), 9, "{svg}");
        let right = circles[..3].iter().fold(0.0_f64, |right, [x]| right.max(*x));
        for (number, name) in ["1  channel_bytes=8", "2  channel_bytes=16", "3  channel_bytes=32"].iter().enumerate() {
            let [x, _] = place(&svg, name).0;
            assert!(x > right + 20.0, "{name} is beside the data");
            let [x, _] = place(&svg, &(number + 1).to_string()).0;
            assert!((x - circles[number][0]).abs() < 13.0, "{number} is at its point: {svg}");
        }
    }
}
