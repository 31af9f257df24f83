//! Named lines over two axes, as SVG.

use plotters::{
    coord::{
        Shift,
        ranged1d::{AsRangedCoord, ValueFormatter},
    },
    prelude::*,
};
use std::{error::Error, fmt::Debug, ops::Range};

const SIZE: (u32, u32) = (760, 480);
/// Distinct for most kinds of colour vision (Okabe and Ito).
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// What an axis shows, and from where to where.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Quantity and unit.
    pub name: String,
    /// Ends of the axis.
    pub range: Range<f64>,
}

/// A chart of lines with a mark at each point.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Both axes, so that proportional growth is a slope of one; their ranges begin above zero.
    pub logarithmic: bool,
    /// Name and points of each, in the order of the legend.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl LineChart {
    /// The drawing.
    ///
    /// # Errors
    /// Those of the library that draws, as where an axis has no length.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let (x, y) = (self.x.range.clone(), self.y.range.clone());
        if self.logarithmic { self.draw(area, x.log_scale(), y.log_scale()) } else { self.draw(area, x, y) }?;
        Ok(svg)
    }

    fn draw<X, Y>(&self, area: DrawingArea<SVGBackend, Shift>, x: X, y: Y) -> Result<(), Box<dyn Error>>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
        Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
        <X::CoordDescType as Ranged>::ValueType: Debug,
    {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(62)
            .build_cartesian_2d(x, y)?;
        let number = |value: &f64| format!("{}", (value * 1000.0).round() / 1000.0);
        chart
            .configure_mesh()
            .x_desc(&self.x.name)
            .y_desc(&self.y.name)
            .x_label_formatter(&number)
            .y_label_formatter(&number)
            .light_line_style(WHITE)
            .draw()?;
        for ((name, points), colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            chart
                .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_its_mark_on_both_kinds_of_axes() {
        let axis = |name: &str| Axis { name: name.into(), range: 1.0..100.0 };
        let lines = vec![("one".to_string(), vec![(2.0, 3.0), (50.0, 60.0)]), ("two".to_string(), vec![(10.0, 10.0)])];
        for logarithmic in [false, true] {
            let (title, lines) = ("a title".to_string(), lines.clone());
            let svg = LineChart { title, x: axis("routers"), y: axis("time"), logarithmic, lines }.svg();
            let svg = svg.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
            for text in ["a title", "routers", "time", "one", "two"] {
                assert!(svg.lines().any(|line| line.trim() == text), "{text}: {svg}");
            }
        }
    }
}
