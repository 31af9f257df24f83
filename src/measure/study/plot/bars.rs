//! The outcome as a picture: a bar for each design, kernel by kernel, with the kernel's name under its bars and the
//! designs' beside.

use super::super::StudyOutcome;
use crate::report::drawing::{
    AXIS, CHARACTER, MARGIN, ROW, centred, colour, legend_height, legend_row, legend_width, longest,
};
use plotters::prelude::*;
use std::error::Error;

const HEIGHT: u32 = 420;
/// Pixels of a bar with what is between two of them.
const BAR: usize = 14;

impl StudyOutcome {
    /// Ratios to the baseline as bars, and the means after them.
    pub(super) fn bars(&self) -> Result<String, Box<dyn Error>> {
        let titles: Vec<&str> = self.kernels.iter().chain(&self.groups).map(String::as_str).chain(["mean"]).collect();
        let of = |design: usize, at: usize| {
            let design = &self.designs[design];
            design.ratios.iter().chain(&design.means).nth(at).copied().flatten()
        };
        let ratios = self.designs.iter().flat_map(|design| design.ratios.iter().chain(&design.means).flatten());
        let highest = ratios.fold(1.0_f64, |highest, ratio| highest.max(*ratio)) * 1.08;
        let words = titles.iter().flat_map(|title| title.split(' '));
        let group = (BAR * self.designs.len() + 30).max(CHARACTER * longest(words) + 10);
        let titles: Vec<Vec<String>> = titles.iter().map(|title| broken(title, (group - 10) / CHARACTER)).collect();
        let rows = titles.iter().map(Vec::len).max().unwrap_or(1) as u32;
        let legend = legend_width(self.designs.iter().map(|design| design.name.as_str()));
        let width = (2 * MARGIN + AXIS + (titles.len() * group) as u32 + legend).max(640);
        let height = HEIGHT.max(legend_height(self.designs.len()));
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&area)
                .caption(&self.title, ("sans-serif", 18))
                .margin(MARGIN)
                .margin_right(MARGIN + legend)
                .x_label_area_size(14 + ROW * rows)
                .y_label_area_size(AXIS)
                .build_cartesian_2d(0.0..titles.len() as f64, 0.0..highest)?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .x_labels(0)
                .y_desc(format!("{} relative to {}", self.metric, self.baseline))
                .draw()?;
            for (at, title) in titles.iter().enumerate() {
                let (x, y) = chart.backend_coord(&(at as f64 + 0.5, 0.0));
                for (row, line) in (0..).zip(title) {
                    centred(&area, line, (x, y + 8 + row * ROW as i32))?;
                }
            }
            let bar = 0.8 / self.designs.len() as f64;
            for (d, design) in self.designs.iter().enumerate() {
                let colour = colour(d);
                let bars = (0..titles.len()).filter_map(|at| {
                    // As much free to the left of a bar as to its right: the name stands under the middle.
                    let left = at as f64 + 0.1 + bar * (d as f64 + 0.05);
                    Some(Rectangle::new([(left, 0.0), (left + bar * 0.9, of(d, at)?)], colour.filled()))
                });
                chart.draw_series(bars)?;
                let (left, middle) = legend_row(&area, width - MARGIN - legend, d, &design.name)?;
                area.draw(&Rectangle::new([(left + 8, middle - 5), (left + 20, middle + 5)], colour.filled()))?;
            }
            area.present()?;
        }
        Ok(svg)
    }
}

/// A text in lines of at most so many characters, where its words are not longer.
fn broken(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => *line += &format!(" {word}"),
            _ => lines.push(word.into()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{super::super::testing, *};
    use crate::report::drawing::testing::{numbers, place};

    #[test]
    fn names_are_broken_between_words() {
        assert_eq!(broken("gather 256 loads=4", 10), ["gather 256", "loads=4"]);
        assert_eq!(broken("a_long_name 1", 4), ["a_long_name", "1"]);
        assert_eq!(broken("mean", 40), ["mean"]);
    }

    #[test]
    fn names_are_under_their_bars_and_designs_beside_them() {
        for (designs, groups) in [(1, 2), (2, 10), (8, 10), (20, 1)] {
            let kernels = groups + 3;
            let mut outcome = testing::outcome(&[], kernels);
            outcome.kernels = (0..kernels).map(|at| format!("kernel_of_some_length_{at} 1000")).collect();
            outcome.groups = (0..groups).map(|at| format!("group {at}")).collect();
            let all = kernels + groups + 1;
            let design = |d: usize| super::super::DesignResult {
                name: format!("design {d}"),
                ratios: (0..kernels).map(|k| Some(0.5 + k as f64 / 10.0)).collect(),
                means: vec![Some(1.0); groups + 1],
                ..outcome.designs[0].clone()
            };
            outcome.designs = (0..designs).map(design).collect();
            let svg = outcome.bars().unwrap_or_else(|error| panic!("{error}"));
            let rectangles = numbers(&svg, "<rect", ["x", "width", "y", "height"]);
            // The background; then each design's bars, and its mark in the legend.
            let of_design: Vec<_> = rectangles[1..].chunks(all + 1).collect();
            assert_eq!(of_design.len(), designs);
            let titles = outcome.kernels.iter().chain(&outcome.groups).map(String::as_str).chain(["mean"]);
            // Where there is no room for a name in one line, its words stand under each other.
            let lines = |text: &str| svg.lines().filter(|line| *line == text).count();
            assert_eq!(lines("1000"), if designs < 20 { kernels } else { 0 });
            let titles =
                titles.map(|title| if lines(title) == 1 { title } else { title.split(' ').next().unwrap_or("") });
            let titles: Vec<_> = titles.collect();
            let right_of = |d: usize, at: usize| of_design[d][at][0] + of_design[d][at][1];
            for (at, title) in titles.iter().enumerate() {
                let [left, ..] = of_design[0][at];
                let middle = (left + right_of(designs - 1, at)) / 2.0;
                let ([x, y], is_centred) = place(&svg, title);
                assert!(is_centred && (x - middle).abs() <= 3.0, "{title}: {x}, bars around {middle}");
                let [.., top, height] = of_design[0][at];
                assert!(y > top + height, "{title} is under its bars");
                // It ends before the next one begins, and bars do, too.
                if let Some(next) = titles.get(at + 1) {
                    let half = |text: &str| (CHARACTER * text.len()) as f64 / 2.0;
                    assert!(x + half(title) < place(&svg, next).0[0] - half(next), "{title} touches {next}");
                    assert!(right_of(designs - 1, at) < of_design[0][at + 1][0], "bars of {title}");
                }
            }
            for (d, bars) in of_design.iter().enumerate() {
                let ([x, y], _) = place(&svg, &format!("design {d}"));
                let [mark, width, top, height] = bars[all];
                assert!(mark > right_of(designs - 1, all - 1) && x > mark + width, "beside the bars");
                assert!((y - (top + height / 2.0)).abs() < 8.0, "the mark of design {d} is beside its name");
            }
        }
    }
}
