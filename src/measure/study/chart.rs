//! The outcome as a picture: a bar for each design, kernel by kernel.

use super::Outcome;
use crate::report::COLOURS;
use plotters::prelude::*;
use std::error::Error;

const HEIGHT: u32 = 420;

impl Outcome {
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
        let width = (120 + titles.len() * (14 * self.designs.len() + 30)).clamp(640, 2400) as u32;
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, HEIGHT)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&area)
                .caption(&self.title, ("sans-serif", 18))
                .margin(12)
                .x_label_area_size(40)
                .y_label_area_size(56)
                .build_cartesian_2d(0.0..titles.len() as f64, 0.0..highest)?;
            let title = |x: &f64| titles.get(x.floor() as usize).map_or(String::new(), |title| (*title).into());
            chart
                .configure_mesh()
                .disable_x_mesh()
                .x_labels(titles.len())
                .x_label_formatter(&title)
                .y_desc(format!("{} relative to {}", self.metric, self.baseline))
                .draw()?;
            let bar = 0.8 / self.designs.len() as f64;
            for (d, design) in self.designs.iter().enumerate() {
                let colour = COLOURS[d % COLOURS.len()].mix(if d < COLOURS.len() { 1.0 } else { 0.5 });
                let bars = (0..titles.len()).filter_map(|at| {
                    let left = at as f64 + 0.1 + bar * d as f64;
                    Some(Rectangle::new([(left, 0.0), (left + bar * 0.9, of(d, at)?)], colour.filled()))
                });
                chart
                    .draw_series(bars)?
                    .label(&design.name)
                    .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
            }
            chart.configure_series_labels().background_style(WHITE.mix(0.85)).border_style(BLACK.mix(0.3)).draw()?;
            area.present()?;
        }
        Ok(svg)
    }
}
