//! Named lines over two axes, as SVG.

use super::drawing::{AXIS, Area, MARGIN, legend_height, legend_row, legend_width};
use plotters::{
    coord::ranged1d::{AsRangedCoord, ValueFormatter},
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
    /// In the order of the legend.
    pub lines: Vec<Line>,
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// In the legend; empty: not there.
    pub name: String,
    /// Index of its colour in [`COLOURS`], from which it starts again.
    pub colour: usize,
    /// How it is drawn.
    pub style: LineStyle,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// Solid, a filled mark at each point.
    Measured,
    /// Dashed, an open mark at each point.
    Beside,
    /// Dotted, without marks.
    Limit,
}

impl LineChart {
    /// The drawing.
    ///
    /// # Errors
    /// Those of the library that draws, as where an axis has no length.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        Self::svg_of(std::slice::from_ref(self))
    }

    /// Charts below one another.
    ///
    /// # Errors
    /// As [`svg`](Self::svg).
    pub fn svg_of(charts: &[Self]) -> Result<String, Box<dyn Error>> {
        let mut svg = String::new();
        let named = |chart: &Self| chart.lines.iter().filter(|line| !line.name.is_empty()).count();
        let height = charts.iter().map(|chart| legend_height(named(chart))).fold(SIZE.1, u32::max);
        // The axes of all are below one another.
        let legend = legend_width(charts.iter().flat_map(|chart| &chart.lines).map(|line| line.name.as_str()));
        {
            let size = (SIZE.0 + legend, height * charts.len() as u32);
            let all = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            for (chart, area) in charts.iter().zip(all.split_evenly((charts.len(), 1))) {
                let (x, y) = (chart.x.range.clone(), chart.y.range.clone());
                match chart.logarithmic {
                    true => chart.draw(&area, legend, x.log_scale(), y.log_scale()),
                    false => chart.draw(&area, legend, x, y),
                }?;
            }
            all.present()?;
        }
        Ok(svg)
    }

    fn draw<X, Y>(&self, area: &Area<'_>, legend: u32, x: X, y: Y) -> Result<(), Box<dyn Error>>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
        Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
        <X::CoordDescType as Ranged>::ValueType: Debug,
    {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 18))
            .margin(MARGIN)
            .margin_right(MARGIN + legend)
            .x_label_area_size(42)
            .y_label_area_size(AXIS)
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
        let left = SIZE.0 - MARGIN;
        let mut row = 0;
        for line in &self.lines {
            let colour = COLOURS[line.colour % COLOURS.len()];
            let points = || line.points.iter().copied();
            match line.style {
                LineStyle::Measured => chart.draw_series(LineSeries::new(points(), colour.stroke_width(2)))?,
                LineStyle::Beside => {
                    chart.draw_series(DashedLineSeries::new(points(), 6, 4, colour.stroke_width(1)))?
                }
                LineStyle::Limit => chart.draw_series(DashedLineSeries::new(points(), 2, 3, colour.stroke_width(1)))?,
            };
            match line.style {
                LineStyle::Measured => _ = chart.draw_series(points().map(|at| Circle::new(at, 3, colour.filled())))?,
                LineStyle::Beside => _ = chart.draw_series(points().map(|at| Circle::new(at, 3, colour)))?,
                LineStyle::Limit => {}
            }
            if !line.name.is_empty() {
                let (left, middle) = legend_row(area, left, row, &line.name)?;
                row += 1;
                // The names of measured lines have their colours; those of the other styles stand for lines of all colours.
                let (dashes, style) = match line.style {
                    LineStyle::Measured => (&[(0, 20)][..], colour.stroke_width(2)),
                    LineStyle::Beside => (&[(0, 5), (8, 13), (16, 20)][..], BLACK.stroke_width(1)),
                    LineStyle::Limit => (&[(0, 2), (5, 7), (10, 12), (15, 17)][..], BLACK.stroke_width(1)),
                };
                for (from, to) in dashes {
                    area.draw(&PathElement::new([(left + from, middle), (left + to, middle)], style))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::drawing::{ROW, testing::place},
        *,
    };

    #[test]
    fn every_point_has_its_mark_on_both_kinds_of_axes() {
        let axis = |name: &str| Axis { name: name.into(), range: 1.0..100.0 };
        let line = |name: &str, style, points: &[(f64, f64)]| Line {
            name: name.into(),
            colour: 0,
            style,
            points: points.to_vec(),
        };
        let lines = vec![
            line("one", LineStyle::Measured, &[(2.0, 3.0), (50.0, 60.0)]),
            line("two", LineStyle::Beside, &[(10.0, 10.0)]),
            line("", LineStyle::Limit, &[(1.0, 30.0), (100.0, 30.0)]),
            line("limit", LineStyle::Limit, &[(1.0, 20.0), (100.0, 20.0)]),
        ];
        for logarithmic in [false, true] {
            let (title, lines) = ("a title".to_string(), lines.clone());
            let chart = LineChart { title, x: axis("routers"), y: axis("time"), logarithmic, lines };
            let svg = LineChart::svg_of(&[chart.clone(), chart]).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(svg.matches("<circle").count(), 6, "{svg}");
            for text in ["a title", "routers", "time", "one", "two", "limit"] {
                assert_eq!(svg.lines().filter(|line| line.trim() == text).count(), 2, "{text}: {svg}");
            }
            // Beside the data, one below the other.
            let [first, second, third] = ["one", "two", "limit"].map(|name| place(&svg, name).0);
            assert!(first[0] > f64::from(SIZE.0), "{first:?}");
            assert_eq!([second[1] - first[1], third[1] - second[1]], [f64::from(ROW); 2]);
        }
    }
}
