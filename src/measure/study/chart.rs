//! The outcome as a picture: a bar for each design, kernel by kernel, with the kernel's name under its bars and the designs' beside.

use super::StudyOutcome;
use crate::report::COLOURS;
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::error::Error;

const HEIGHT: u32 = 420;
/// Pixels of margins, of the axis with its description, and between designs in the legend.
const MARGIN: u32 = 12;
const AXIS: u32 = 56;
const ROW: u32 = 16;
/// Pixels of a bar with what is between two of them, and of a character at most.
const BAR: usize = 14;
const CHARACTER: usize = 7;

/// Characters of the longest name.
fn longest<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0)
}

impl StudyOutcome {
    /// Ratios to the baseline as bars, and the means after them.
    ///
    /// # Errors
    /// Those of the library that draws.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        let titles: Vec<&str> = self.kernels.iter().chain(&self.groups).map(String::as_str).chain(["mean"]).collect();
        let of = |design: usize, at: usize| {
            let design = &self.designs[design];
            design.ratios.iter().chain(&design.means).nth(at).copied().flatten()
        };
        let ratios = self.designs.iter().flat_map(|design| design.ratios.iter().chain(&design.means).flatten());
        let highest = ratios.fold(1.0_f64, |highest, ratio| highest.max(*ratio)) * 1.08;
        let group = (BAR * self.designs.len() + 30).max(CHARACTER * longest(titles.iter().copied()) + 10);
        let legend = (CHARACTER * longest(self.designs.iter().map(|design| design.name.as_str()))) as u32 + 30;
        let width = (2 * MARGIN + AXIS + (titles.len() * group) as u32 + legend).max(640);
        let height = HEIGHT.max(80 + ROW * self.designs.len() as u32);
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&area)
                .caption(&self.title, ("sans-serif", 18))
                .margin(MARGIN)
                .margin_right(MARGIN + legend)
                .x_label_area_size(40)
                .y_label_area_size(AXIS)
                .build_cartesian_2d(0.0..titles.len() as f64, 0.0..highest)?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .x_labels(0)
                .y_desc(format!("{} relative to {}", self.metric, self.baseline))
                .draw()?;
            let centred = TextStyle::from(("sans-serif", 12).into_font()).pos(Pos::new(HPos::Center, VPos::Top));
            for (at, title) in titles.iter().enumerate() {
                let (x, y) = chart.backend_coord(&(at as f64 + 0.5, 0.0));
                area.draw_text(title, &centred, (x, y + 8))?;
            }
            let bar = 0.8 / self.designs.len() as f64;
            let right = (width - MARGIN - legend) as i32 + 10;
            for (d, design) in self.designs.iter().enumerate() {
                let colour = COLOURS[d % COLOURS.len()].mix(if d < COLOURS.len() { 1.0 } else { 0.5 });
                let bars = (0..titles.len()).filter_map(|at| {
                    let left = at as f64 + 0.1 + bar * d as f64;
                    Some(Rectangle::new([(left, 0.0), (left + bar * 0.9, of(d, at)?)], colour.filled()))
                });
                chart.draw_series(bars)?;
                let y = 48 + (ROW as usize * d) as i32;
                area.draw(&Rectangle::new([(right, y), (right + 12, y + 10)], colour.filled()))?;
                area.draw(&Text::new(design.name.as_str(), (right + 18, y), ("sans-serif", 12)))?;
            }
            area.present()?;
        }
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{DesignResult, Mean};

    /// Attributes `names` of all elements whose line begins with `start`.
    fn numbers<const N: usize>(svg: &str, start: &str, names: [&str; N]) -> Vec<[f64; N]> {
        let of = |line: &str, name: &str| -> Option<f64> {
            line.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.parse().ok()
        };
        let lines = svg.lines().filter(|line| line.starts_with(start));
        lines.map(|line| names.map(|name| of(line, name).unwrap_or(f64::NAN))).collect()
    }

    /// The place of a text.
    fn place(svg: &str, text: &str) -> [f64; 2] {
        let lines: Vec<_> = svg.lines().collect();
        let at = lines.iter().position(|line| *line == text).unwrap_or_else(|| panic!("no {text}: {svg}"));
        numbers(lines[at - 1], "<text", ["x", "y"])[0]
    }

    #[test]
    fn names_are_under_their_bars_and_designs_beside_them() {
        for designs in [1, 2, 8] {
            let kernels: Vec<_> = (0..6).map(|at| format!("kernel_of_some_length_{at} 1000")).collect();
            let design = |d: usize| DesignResult {
                name: format!("design {d}"),
                ratios: vec![Some(1.0); 6],
                means: vec![Some(1.0); 3],
                values: vec![],
            };
            let outcome = StudyOutcome {
                format_version: 1,
                title: "title".into(),
                about: String::new(),
                metric: "speed".into(),
                mean: Mean::default(),
                baseline: "design 0".into(),
                groups_of: vec!["a".into(); 6],
                groups: vec!["a".into(), "b".into()],
                designs: (0..designs).map(design).collect(),
                claims: vec![],
                failures: vec![],
                kernels: kernels.clone(),
            };
            let svg = outcome.svg().unwrap_or_else(|error| panic!("{error}"));
            let rectangles = numbers(&svg, "<rect", ["x", "width", "y", "height"]);
            // The background; then each design's bars, and its mark in the legend.
            let of_design: Vec<_> = rectangles[1..].chunks(10).collect();
            assert_eq!(of_design.len(), designs);
            let titles: Vec<_> = kernels.iter().map(String::as_str).chain(["a", "b", "mean"]).collect();
            for (at, title) in titles.iter().enumerate() {
                let [left, ..] = of_design[0][at];
                let [last, width, ..] = of_design[designs - 1][at];
                let (middle, [x, y]) = ((left + last + width) / 2.0, place(&svg, title));
                assert!((x - middle).abs() <= 10.0, "{title}: {x}, bars around {middle}");
                let [.., top, height] = of_design[0][at];
                assert!(y > top + height, "{title} is under its bars");
            }
            let [last_bar, width, ..] = of_design[designs - 1][8];
            for d in 0..designs {
                assert!(place(&svg, &format!("design {d}"))[0] > last_bar + width, "beside the bars");
            }
        }
    }
}
